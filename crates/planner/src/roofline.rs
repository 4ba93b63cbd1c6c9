//! How long a step would take (Williams, Waterman and Patterson 2009, "Roofline"): each kernel as long as its products or its bytes take, whichever
//! is longer, one after the other, and exchanges in between.

use hlo::Collective;
use runtime::aot::Nodes;
use serde::Serialize;

use crate::work::Kernel;
use crate::{Rates, Work};

/// An estimate of a step's time, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Of kernels that products bound.
    pub products: f64,
    /// Of kernels that memory bounds.
    pub memory: f64,
    /// Of exchanges between devices.
    pub exchanges: f64,
    /// Of exchanges that nothing hides.
    pub exposed: f64,
    /// Of the step.
    pub step: f64,
}

impl Estimate {
    /// That of a step's work on devices of these rates.
    pub fn of(work: &Work, rates: &Rates, nodes: Nodes) -> Estimate {
        let (mut products, mut memory) = (0.0, 0.0);
        for kernel in &work.kernels {
            let (computing, moving) =
                (computing(kernel, rates), kernel.bytes / (rates.memory_bandwidth * rates.memory_share));
            let bound = if computing > moving { &mut products } else { &mut memory };
            *bound += kernel.count * computing.max(moving);
        }
        // A sum of no floats is -0.
        let exchanges =
            work.exchanges.iter().map(|(one, count)| count * exchanging(one, rates, nodes)).sum::<f64>() + 0.0;
        let exposed = exchanges * (1.0 - rates.overlap);
        Estimate { products, memory, exchanges, exposed, step: products + memory + exposed }
    }
}

fn computing(kernel: &Kernel, rates: &Rates) -> f64 {
    let products = (kernel.half + rates.single_slowdown * kernel.single) / rates.product_share;
    (products + kernel.attention / rates.attention_share) / rates.product_flops
}

/// Rings are as fast as their slowest links. Those between machines, where a group has devices of several, are as many at once as it has
/// devices on each, which are taken to stand at equal distances.
fn exchanging(collective: &Collective, rates: &Rates, nodes: Nodes) -> f64 {
    let Collective { members, span, .. } = *collective;
    let machine = u64::from(nodes.devices);
    let is_within = nodes.count == 1 || span < machine && members <= machine;
    let distance = span.checked_div(members.saturating_sub(1)).unwrap_or(1).max(1);
    let side_by_side = (machine / distance).max(1) as f64;
    let link = if is_within { rates.link_within } else { rates.link_within.min(rates.link_between * side_by_side) };
    collective.sent() / (link * rates.link_share)
}

#[cfg(test)]
mod tests {
    use hlo::Kind;

    use super::*;

    const RATES: Rates = Rates {
        product_flops: 100.0,
        product_share: 0.5,
        attention_share: 0.25,
        single_slowdown: 2.0,
        memory_bandwidth: 20.0,
        memory_share: 0.5,
        link_within: 8.0,
        link_between: 2.0,
        link_share: 0.5,
        overlap: 0.0,
    };

    #[test]
    fn a_kernel_takes_as_long_as_what_bounds_it() {
        let kernel = |half, single, attention, bytes, count| Kernel { half, single, attention, bytes, count };
        let kernels = vec![
            kernel(100.0, 0.0, 0.0, 10.0, 3.0),
            kernel(0.0, 50.0, 25.0, 10.0, 1.0),
            kernel(50.0, 0.0, 0.0, 40.0, 2.0),
            kernel(0.0, 0.0, 0.0, 5.0, 1.0),
        ];
        let estimate = Estimate::of(&Work { kernels, ..Work::default() }, &RATES, Nodes::one(1));
        // 3 x 2 s, and 2 + 1 s; then 2 x 4 s, and 0.5 s.
        assert_eq!((estimate.products, estimate.memory, estimate.step), (9.0, 8.5, 17.5));
    }

    #[test]
    fn groups_that_leave_a_machine_are_as_slow_as_its_network() {
        let gather = |members, span| (Collective { kind: Kind::AllGather, bytes: 64, members, span }, 1.0);
        let seconds =
            |exchange, nodes| Estimate::of(&Work { exchanges: vec![exchange], ..Work::default() }, &RATES, nodes).step;
        let two = Nodes { count: 2, devices: 4 };
        assert_eq!(seconds(gather(4, 3), two), 48.0 / 4.0);
        // Two of each machine, then one; and all of them, which are no faster than within one.
        assert_eq!(seconds(gather(4, 6), two), 48.0 / 2.0);
        assert_eq!(seconds(gather(2, 4), two), 32.0 / 1.0);
        assert_eq!(seconds(gather(8, 7), two), 56.0 / 4.0);
        assert_eq!(seconds(gather(8, 7), Nodes::one(8)), 56.0 / 4.0);
        let hidden = Rates { overlap: 0.75, ..RATES };
        let work = Work { exchanges: vec![gather(4, 3)], ..Work::default() };
        let estimate = Estimate::of(&work, &hidden, two);
        assert_eq!((estimate.exchanges, estimate.exposed), (12.0, 3.0));
    }
}
