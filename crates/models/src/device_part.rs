//! What one device has of a tensor.

use graph::Tensor;

/// The sizes, by name, of each device's part of `x`, where the axes `apart` know nothing of each other: what [`graph::Graph::per_shard`] along these
/// hands to its body, and so what a kernel is asked about.
pub(crate) fn part_sizes(x: Tensor<'_>, apart: &[&'static str]) -> impl Fn(&str) -> usize + use<> {
    let part = x.graph().part_types(apart, &[x]).remove(0);
    move |name| part.axes.iter().find(|axis| axis.name == name).expect("what is asked for is an axis of x").size
}
