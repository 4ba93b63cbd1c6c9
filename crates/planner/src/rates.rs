//! How fast devices are, for estimates.

use runtime::aot::Description;
use runtime::plugins::Platform;
use serde::Serialize;

/// What an estimate assumes of a device.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rates {
    /// FLOP/s of dense products in bf16, as the vendor states them.
    pub product_flops: f64,
    /// The part of it that large products attain.
    pub product_share: f64,
    /// The part of it that fused attention attains.
    pub attention_share: f64,
    /// How many times slower products in f32 are.
    pub single_slowdown: f64,
    /// How many times faster products in 8-bit floats are, where there are any.
    pub float8_speedup: f64,
    /// Bytes a second of the device's memory, as the vendor states them.
    pub memory_bandwidth: f64,
    /// The part of it that is attained.
    pub memory_share: f64,
    /// Bytes a second that a device sends to the others of its machine, all together.
    pub link_within: f64,
    /// Bytes a second that it sends to one of them: as many through a switch, those of one link where links join two devices each.
    pub link_peer: f64,
    /// Bytes a second that it sends to other machines: that of a network card for each device.
    pub link_between: f64,
    /// The part of either that collectives attain.
    pub link_share: f64,
    /// Seconds that an exchange takes besides those of its bytes.
    pub exchange_seconds: f64,
    /// The part of the time of exchanges that is hidden behind products.
    pub overlap: f64,
}

impl Rates {
    /// Those of a device; `None` where nothing is known of how fast it is.
    ///
    /// - Bandwidth of memory is the data sheets'; XLA's descriptions have it from clocks, and then too high for MI300X.
    /// - Shares of NVIDIA's are those of an H200: 8192^3 products in bf16 sustained at 692 of 989 TFLOP/s, copies at 4.27 of 4.8 TB/s, attention
    ///   (causal, half counted) in a 1.3B training step at 0.37 (BENCHMARKS.md). Nothing has been measured on AMD's: of their products half
    ///   is assumed, which MPT-7B on MI250 comes to (166 of 362 TFLOP/s, LLM Foundry), of their memory NVIDIA's share less a tenth.
    /// - Products in f32 are whole f32, not TF32: 67 TFLOP/s of an H100 and an H200, 163.4 of an MI300X, 45.3 of a die of an MI250, by their data sheets.
    /// - Links: NVLink 4 with a switch, 900 GB/s in both directions; on MI300X seven of Infinity Fabric, each to another device, with 128 GB/s; of a
    ///   die of an MI250, three to other packages with 100 GB/s each (that to the package's other die, four times as wide, is not counted). Between
    ///   machines 400 Gb/s for a device, and 200 Gb/s on MI250.
    /// - An exchange takes 15 us whatever its bytes: collectives of a few bytes take NCCL and RCCL 10 to 20 us among the devices of a machine, over
    ///   NVLink as over Infinity Fabric. Between machines they take more, which is not counted, and neither are launches of kernels.
    /// - No overlap: on two H200 XLA hid nothing that was noticed (BENCHMARKS.md).
    pub fn of(device: &Description) -> Option<Rates> {
        let product_flops = train::bf16_peak(&device.kind)?;
        let Kind {
            single_flops, memory_bandwidth, within: link_within, peer: link_peer, between: link_between, ..
        } = KINDS.into_iter().find(|kind| device.kind.contains(kind.words))?;
        let (product_share, attention_share, memory_share) = match device.platform {
            Platform::Cuda => (0.70, 0.37, 0.89),
            Platform::Rocm | Platform::Cpu => (0.50, 0.37, 0.80),
        };
        Some(Rates {
            product_flops,
            product_share,
            attention_share,
            single_slowdown: product_flops / single_flops,
            // By data sheets of all that have them. An H200 attains 1.24 to 1.41 PFLOP/s of its 1.98 in the products of a 1.3B step, the same share.
            float8_speedup: 2.0,
            memory_bandwidth: memory_bandwidth.unwrap_or(device.memory_bandwidth),
            memory_share,
            link_within,
            link_peer,
            link_between,
            link_share: 0.65,
            exchange_seconds: 15e-6,
            overlap: 0.0,
        })
    }

    /// The assumptions, each as a line.
    pub fn lines(&self) -> Vec<String> {
        let percent = |share: f64| format!("{:.0} %", share * 100.0);
        vec![
            format!(
                "products  {:.0} TFLOP/s in bf16, of which {} are attained, by fused attention {}; in f32 {:.0} times slower, \
                 in 8-bit floats {} times faster",
                self.product_flops / 1e12,
                percent(self.product_share),
                percent(self.attention_share),
                self.single_slowdown,
                self.float8_speedup
            ),
            format!(
                "memory    {:.2} TB/s, of which {} are attained",
                self.memory_bandwidth / 1e12,
                percent(self.memory_share)
            ),
            format!(
                "links     {:.0} GB/s from a device within its machine{} and {:.0} GB/s between machines, of which {} are attained; {} of that time \
                 is hidden",
                self.link_within / 1e9,
                if self.link_peer < self.link_within {
                    format!(", {:.0} to each other one,", self.link_peer / 1e9)
                } else {
                    String::new()
                },
                self.link_between / 1e9,
                percent(self.link_share),
                percent(self.overlap)
            ),
            format!(
                "each      exchange takes {:.0} us besides its bytes, and launching a kernel nothing",
                self.exchange_seconds * 1e6
            ),
        ]
    }
}

/// What a kind of device does in a second.
struct Kind {
    /// What the device's name holds.
    words: &'static str,
    /// FLOP of dense products in f32.
    single_flops: f64,
    /// Bytes of its memory, where the description's are not meant.
    memory_bandwidth: Option<f64>,
    /// Bytes of links in one direction: to all others of its machine, to one of them, and to other machines.
    within: f64,
    peer: f64,
    between: f64,
}

/// The first whose words fit counts.
const KINDS: [Kind; 4] = [
    Kind { words: "H200", single_flops: 67e12, memory_bandwidth: None, within: 450e9, peer: 450e9, between: 50e9 },
    Kind { words: "H100", single_flops: 67e12, memory_bandwidth: None, within: 450e9, peer: 450e9, between: 50e9 },
    Kind {
        words: "MI300X",
        single_flops: 163.4e12,
        memory_bandwidth: Some(5.3e12),
        within: 448e9,
        peer: 64e9,
        between: 50e9,
    },
    Kind {
        words: "MI250",
        single_flops: 45.3e12,
        memory_bandwidth: Some(1.638e12),
        within: 150e9,
        peer: 50e9,
        between: 25e9,
    },
];

#[cfg(test)]
mod tests {
    use runtime::aot::Target;

    use super::*;

    #[test]
    fn all_targets_have_rates_and_unknown_devices_have_none() {
        for target in Target::ALL {
            let rates = Rates::of(&target.description()).unwrap_or_else(|| panic!("{}", target.name()));
            assert!(rates.memory_bandwidth >= 1e12 && rates.link_within >= rates.link_peer, "{rates:?}");
            assert!(rates.link_peer >= rates.link_between, "{rates:?}");
            let single = match target {
                Target::H100 | Target::H200 => 14.8,
                Target::Mi300x => 8.0,
                Target::Mi250 => 4.0,
            };
            assert!((rates.single_slowdown - single).abs() < 0.05, "{rates:?}");
        }
        let mut unknown = Target::H200.description();
        unknown.kind = "NVIDIA RTX A1000".to_owned();
        assert_eq!(Rates::of(&unknown), None);
    }
}
