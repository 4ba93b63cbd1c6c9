//! Times of a step's instructions where nothing records them: the step as it was measured, divided among its kernels by a roofline.

use std::sync::Arc;

use hlo::{Event, Line, Module, Plane, Space, Stat};
use runtime::aot::Nodes;

use crate::work::{Found, Kernel, each};

/// What a processor does, as it was measured on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProcessorRates {
    /// Products of f32, FLOP/s.
    pub product_flops: f64,
    /// Bytes read and written in a second by what only moves them.
    pub memory_bandwidth: f64,
}

/// Events beyond which a kernel that runs often is one event: a table is as good, and nobody looks at so many.
const EVENTS_MAX: f64 = 100_000.0;

/// Of an instruction: its name, the seconds of one run, and how often it runs.
struct Timed {
    instruction: String,
    seconds: f64,
    count: f64,
}

impl ProcessorRates {
    /// A recording of a step of so many seconds in which each kernel takes the share that a roofline gives it, one after the other, and how
    /// that was made up. Exchanges between devices, which share the processor, move their bytes.
    pub fn divide(&self, module: &Module, devices: u32, seconds: f64) -> (Space, String) {
        let mut all: Vec<Timed> = Vec::new();
        each(module, module.entry(), 1.0, Nodes::one(devices), &mut |instruction, found| {
            let (seconds, count) = match found {
                Found::Kernel(kernel) => (self.seconds(&kernel), kernel.count),
                Found::Exchange(collective, count) => (collective.sent() / self.memory_bandwidth, count),
                Found::LoopUnknown => return,
            };
            all.push(Timed { instruction: instruction.name.clone(), seconds, count });
        });
        let roofline: f64 = all.iter().map(|timed| timed.seconds * timed.count).sum();
        let scale = seconds / roofline.max(f64::MIN_POSITIVE);
        let line = Line { id: 0, name: "Stream (estimated)".to_owned(), events: in_turn(&all, scale) };
        let planes = vec![Plane { name: "/device:estimated".to_owned(), lines: vec![line] }];
        let (flops, bytes) = (self.product_flops * 1e-9, self.memory_bandwidth * 1e-9);
        let told = format!(
            "What runs in it is estimated, not recorded: each kernel takes as long as its products or its bytes would at the {flops:.0} GFLOP/s and\n\
             {bytes:.1} GB/s that this machine was measured to do just now. That adds up to {:.2} ms, and is stretched by {scale:.2} to the step.",
            roofline * 1e3
        );
        (Space { planes, ..Space::default() }, told)
    }

    /// Of one run of a kernel.
    fn seconds(&self, kernel: &Kernel) -> f64 {
        let products = kernel.float8 + kernel.half + kernel.single + kernel.attention;
        (products / self.product_flops).max(kernel.bytes / self.memory_bandwidth)
    }
}

/// Events one after the other, `scale` times as long as said.
fn in_turn(all: &[Timed], scale: f64) -> Vec<Event> {
    let is_long = all.iter().map(|timed| timed.count).sum::<f64>() > EVENTS_MAX;
    let (name, key): (Arc<str>, Arc<str>) = (Arc::from(""), Arc::from("hlo_op"));
    let (mut events, mut start_ps) = (Vec::new(), 0_u64);
    for Timed { instruction, seconds, count } in all {
        let (repeats, seconds) = if is_long { (1, seconds * count) } else { (*count as u64, *seconds) };
        let of_name = Arc::new(vec![(Arc::clone(&key), Stat::Text(instruction.as_str().into()))]);
        let duration_ps = (seconds * scale * 1e12) as u64;
        for _ in 0..repeats {
            let (name, of_name) = (Arc::clone(&name), Arc::clone(&of_name));
            events.push(Event { name, start_ps, duration_ps, stats: Vec::new(), of_name });
            start_ps = start_ps.saturating_add(duration_ps);
        }
    }
    events
}

#[cfg(test)]
mod tests {
    use super::*;

    fn varint(mut value: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        while value >= 0x80 {
            bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        bytes.push(value as u8);
        bytes
    }

    fn number(field: u64, value: u64) -> Vec<u8> {
        [varint(field << 3), varint(value)].concat()
    }

    fn bytes(field: u64, value: &[u8]) -> Vec<u8> {
        [varint(field << 3 | 2), varint(value.len() as u64), value.to_vec()].concat()
    }

    /// An f32 array's.
    fn instruction(id: u64, opcode: &str, dims: &[u8], more: &[Vec<u8>]) -> Vec<u8> {
        let shape = bytes(3, &[number(2, 11), bytes(3, dims)].concat());
        let name = bytes(1, format!("{opcode}.{id}").as_bytes());
        bytes(2, &[name, bytes(2, opcode.as_bytes()), shape, number(35, id), more.concat()].concat())
    }

    /// A loop of three rounds over a product, and a sum behind it.
    fn module() -> Module {
        let product = [bytes(30, &bytes(1, &[1])), bytes(36, &[1, 2])];
        let body = [
            instruction(1, "parameter", &[64, 32], &[]),
            instruction(2, "parameter", &[32, 16], &[]),
            instruction(3, "dot", &[64, 16], &product),
        ];
        let rounds = bytes(43, br#"{"known_trip_count":{"n":"3"}}"#);
        let entry = [
            instruction(4, "while", &[64, 16], &[bytes(38, &[1]), rounds]),
            instruction(5, "negate", &[64, 16], &[bytes(36, &[4])]),
        ];
        let computation = |id: u64, all: &[Vec<u8>]| bytes(3, &[all.concat(), number(5, id)].concat());
        let code = [computation(1, &body), computation(2, &entry), number(6, 2)].concat();
        Module::read("hlo", &code).expect("it is whole")
    }

    #[test]
    fn products_of_all_kinds_take_their_time() {
        let rates = ProcessorRates { product_flops: 1e9, memory_bandwidth: 1e9 };
        let kernel = Kernel { float8: 1e9, half: 2e9, single: 3e9, attention: 4e9, bytes: 1e9, ..Kernel::default() };
        assert_eq!(rates.seconds(&kernel), 10.0);
    }

    #[test]
    fn a_step_is_divided_as_a_roofline_says() {
        // 2 x 64 x 16 x 32 FLOP in 65.536 us, and 8 kB in 81.92: the product takes less than its 14 kB, which take 143.36.
        let rates = ProcessorRates { product_flops: 1e9, memory_bandwidth: 1e8 };
        let (space, told) = rates.divide(&module(), 1, 1e-3);
        let events = &space.planes[0].lines[0].events;
        let of: Vec<&str> = events.iter().filter_map(|event| event.text("hlo_op")).collect();
        assert_eq!(of, ["dot.3", "dot.3", "dot.3", "negate.5"]);
        let ratio = events[0].duration_ps as f64 / events[3].duration_ps as f64;
        // Both are rounded to picoseconds.
        assert!((ratio - 143.36 / 81.92).abs() < 1e-6, "{ratio}");
        let last = events[3].end_ps();
        assert!((999_999_990..=1_000_000_000).contains(&last), "{last}");
        assert!(events.windows(2).all(|pair| pair[0].end_ps() == pair[1].start_ps));
        assert!(told.contains("1 GFLOP/s and\n0.1 GB/s") && told.contains("adds up to 0.51 ms"), "{told}");
    }
}
