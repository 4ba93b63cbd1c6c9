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
    /// Bytes a second of the device's memory, as the vendor states them.
    pub memory_bandwidth: f64,
    /// The part of it that is attained.
    pub memory_share: f64,
    /// Bytes a second that a device sends to others of its machine.
    pub link_within: f64,
    /// Bytes a second that it sends to other machines: that of a network card for each device.
    pub link_between: f64,
    /// The part of either that collectives attain.
    pub link_share: f64,
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
    /// - Links: NVLink 4, 900 GB/s in both directions; seven of Infinity Fabric with 128 GB/s each on MI300X; of a die of an MI250, three to other
    ///   packages with 100 GB/s each. Between machines 400 Gb/s for a device, and 200 Gb/s on MI250.
    /// - No overlap: on two H200 XLA hid nothing that was noticed (BENCHMARKS.md).
    pub fn of(device: &Description) -> Option<Rates> {
        let product_flops = train::bf16_peak(&device.kind)?;
        let (memory_bandwidth, link_within, link_between) =
            KINDS.into_iter().find_map(|(words, memory, link, network)| {
                device.kind.contains(words).then_some((memory.unwrap_or(device.memory_bandwidth), link, network))
            })?;
        let (product_share, attention_share, single_slowdown, memory_share) = match device.platform {
            Platform::Cuda => (0.70, 0.37, 2.0, 0.89),
            Platform::Rocm | Platform::Cpu => (0.50, 0.37, 8.0, 0.80),
        };
        Some(Rates {
            product_flops,
            product_share,
            attention_share,
            single_slowdown,
            memory_bandwidth,
            memory_share,
            link_within,
            link_between,
            link_share: 0.65,
            overlap: 0.0,
        })
    }

    /// The assumptions, each as a line.
    pub fn lines(&self) -> Vec<String> {
        let percent = |share: f64| format!("{:.0} %", share * 100.0);
        vec![
            format!(
                "products  {:.0} TFLOP/s in bf16, of which {} are attained, by fused attention {}; in f32 {} times slower",
                self.product_flops / 1e12,
                percent(self.product_share),
                percent(self.attention_share),
                self.single_slowdown
            ),
            format!(
                "memory    {:.2} TB/s, of which {} are attained",
                self.memory_bandwidth / 1e12,
                percent(self.memory_share)
            ),
            format!(
                "links     {:.0} GB/s from a device within its machine and {:.0} GB/s between machines, of which {} are attained; {} of that time \
                 is hidden",
                self.link_within / 1e9,
                self.link_between / 1e9,
                percent(self.link_share),
                percent(self.overlap)
            ),
        ]
    }
}

/// By words that a device's name holds, the first that fits: memory's bytes a second where the description's are not meant, and those of links.
const KINDS: [(&str, Option<f64>, f64, f64); 4] = [
    ("H200", None, 450e9, 50e9),
    ("H100", None, 450e9, 50e9),
    ("MI300X", Some(5.3e12), 448e9, 50e9),
    ("MI250", Some(1.638e12), 150e9, 25e9),
];

#[cfg(test)]
mod tests {
    use runtime::aot::Target;

    use super::*;

    #[test]
    fn all_targets_have_rates_and_unknown_devices_have_none() {
        for target in Target::ALL {
            let rates = Rates::of(&target.description()).unwrap_or_else(|| panic!("{}", target.name()));
            assert!(rates.memory_bandwidth >= 1e12 && rates.link_within >= rates.link_between, "{rates:?}");
        }
        let mut unknown = Target::H200.description();
        unknown.kind = "NVIDIA RTX A1000".to_owned();
        assert_eq!(Rates::of(&unknown), None);
    }
}
