//! How long a step would take (Williams, Waterman and Patterson 2009, "Roofline"): each kernel as long as its products or its bytes take, whichever
//! is longer, one after the other, and exchanges in between.

use hlo::{Collective, Reach};
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
    pub fn of(work: &Work, rates: &Rates) -> Estimate {
        let (mut products, mut memory) = (0.0, 0.0);
        for kernel in &work.kernels {
            let (computing, moving) =
                (computing(kernel, rates), kernel.bytes / (rates.memory_bandwidth * rates.memory_share));
            let bound = if computing > moving { &mut products } else { &mut memory };
            *bound += kernel.count * computing.max(moving);
        }
        // A sum of no floats is -0.
        let exchanges = work.exchanges.iter().map(|(one, count)| count * exchanging(one, rates)).sum::<f64>() + 0.0;
        let exposed = exchanges * (1.0 - rates.overlap);
        Estimate { products, memory, exchanges, exposed, step: products + memory + exposed }
    }
}

fn computing(kernel: &Kernel, rates: &Rates) -> f64 {
    let in_half = kernel.float8 / rates.float8_speedup + kernel.half + rates.single_slowdown * kernel.single;
    let products = in_half / rates.product_share;
    (products + kernel.attention / rates.attention_share) / rates.product_flops
}

/// What each takes of itself, and its bytes. Rings are as fast as their slowest links. Within a machine a device has a link to each other
/// one, or to a switch. Between machines a group has as many links at once as it has devices on each, the fewest of which count.
fn exchanging(collective: &Collective, rates: &Rates) -> f64 {
    let within = |members: u64| rates.link_within.min(rates.link_peer * members.saturating_sub(1) as f64);
    let link = match collective.reach {
        Reach::Machine => within(collective.members),
        Reach::Machines { least: 1 } => rates.link_between,
        Reach::Machines { least } => within(least).min(rates.link_between * least as f64),
    };
    rates.exchange_seconds + collective.sent() / (link * rates.link_share)
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
        float8_speedup: 2.0,
        memory_bandwidth: 20.0,
        memory_share: 0.5,
        link_within: 8.0,
        link_peer: 8.0,
        link_between: 2.0,
        link_share: 0.5,
        exchange_seconds: 0.0,
        overlap: 0.0,
    };

    #[test]
    fn a_kernel_takes_as_long_as_what_bounds_it() {
        let kernel = |half, single, attention, bytes, count| Kernel {
            half,
            single,
            attention,
            bytes,
            count,
            ..Kernel::default()
        };
        let kernels = vec![
            kernel(100.0, 0.0, 0.0, 10.0, 3.0),
            kernel(0.0, 50.0, 25.0, 10.0, 1.0),
            kernel(50.0, 0.0, 0.0, 40.0, 2.0),
            Kernel { float8: 200.0, ..kernel(0.0, 0.0, 0.0, 5.0, 1.0) },
            kernel(0.0, 0.0, 0.0, 5.0, 1.0),
        ];
        let estimate = Estimate::of(&Work { kernels, ..Work::default() }, &RATES);
        // 3 x 2 s, 2 + 1 s, and 2 s; then 2 x 4 s, and 0.5 s.
        assert_eq!((estimate.products, estimate.memory, estimate.step), (11.0, 8.5, 19.5));
    }

    fn seconds(kind: Kind, members: u64, reach: Reach, rates: &Rates) -> f64 {
        let exchange = Collective { kind, bytes: 64, members, reach };
        Estimate::of(&Work { exchanges: vec![(exchange, 1.0)], ..Work::default() }, rates).step
    }

    #[test]
    fn groups_that_leave_a_machine_are_as_slow_as_its_network() {
        let gather = |members, reach| seconds(Kind::AllGather, members, reach, &RATES);
        assert_eq!(gather(4, Reach::Machine), 48.0 / 4.0);
        // Two of each machine, then one; and all of two machines of four, which are no faster than within one.
        assert_eq!(gather(4, Reach::Machines { least: 2 }), 48.0 / 2.0);
        assert_eq!(gather(2, Reach::Machines { least: 1 }), 32.0 / 1.0);
        assert_eq!(gather(8, Reach::Machines { least: 4 }), 56.0 / 4.0);
        let hidden = Rates { overlap: 0.75, ..RATES };
        let exchange = Collective { kind: Kind::AllGather, bytes: 64, members: 4, reach: Reach::Machine };
        let estimate = Estimate::of(&Work { exchanges: vec![(exchange, 1.0)], ..Work::default() }, &hidden);
        assert_eq!((estimate.exchanges, estimate.exposed), (12.0, 3.0));
    }

    /// Many small exchanges take longer than one of as many bytes.
    #[test]
    fn each_exchange_takes_its_time_besides_its_bytes() {
        let rates = Rates { exchange_seconds: 0.5, ..RATES };
        let of = |bytes, count| {
            let exchange = Collective { kind: Kind::AllGather, bytes, members: 4, reach: Reach::Machine };
            Estimate::of(&Work { exchanges: vec![(exchange, count)], ..Work::default() }, &rates).step
        };
        assert_eq!((of(64, 1.0), of(4, 16.0)), (12.5, 20.0));
    }

    /// Without a switch a device reaches no more of its links than there are others in its group.
    #[test]
    fn few_devices_have_few_links_to_each_other() {
        // To each of four others one, of a quarter.
        let rates = Rates { link_peer: 2.0, ..RATES };
        let gather = |members| seconds(Kind::AllGather, members, Reach::Machine, &rates);
        assert_eq!([2, 3, 5].map(gather), [32.0 / 1.0, (64.0 / 3.0 * 2.0) / 2.0, (64.0 / 5.0 * 4.0) / 4.0]);
        assert_eq!(seconds(Kind::Permute, 2, Reach::Machine, &rates), 64.0 / 1.0);
        assert_eq!(seconds(Kind::Permute, 2, Reach::Machine, &RATES), 64.0 / 4.0);
    }
}
