//! What a step takes of each device at the least, told without compiling it.

use graph::{Axis, GraphError, TensorType};
use models::Anatomy;

use crate::StepPlan;

/// Bytes that a step holds at once on each device, whatever the compiler does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeastMemory {
    /// Parameters, and what the optimizer remembers.
    pub state: u64,
    /// What layers are given, as far as a derivative goes through them, and the logits: all of it is there when the backward pass begins.
    pub activations: u64,
}

impl LeastMemory {
    /// That of a step.
    ///
    /// # Errors
    /// It cannot be traced, or a parameter does not divide over its devices.
    pub fn of(plan: &StepPlan) -> Result<LeastMemory, GraphError> {
        let Anatomy { params, .. } = plan.anatomy()?;
        let slots = |spec| plan.is_trained(spec).then(|| plan.slots(spec)).into_iter().flatten();
        let all = params.iter().flat_map(|spec| slots(spec).chain([spec.clone()]));
        let state = all.map(|spec| {
            let whole = (spec.element_count() * spec.dtype.size()) as u64;
            let parts = plan.partition.as_ref().and_then(|partition| {
                let sharding = partition.of_parameter(&spec.name, &spec.axes, 0).ok()?;
                Some(sharding.dims().iter().flatten().map(|axis| partition.mesh.size(axis) as u64).product())
            });
            whole / parts.unwrap_or(1)
        });
        // Where something is trained that lies before the first layer or in it, a derivative goes through all layers.
        let layers_end = params.iter().rposition(|spec| !spec.stack.is_empty()).map_or(0, |last| last + 1);
        let is_from_below = |spec: &&graph::ParamSpec| spec.stack.first().is_none_or(|layers| layers.first == 0);
        let from_below = params[..layers_end].iter().filter(is_from_below).any(|spec| plan.is_trained(spec));
        let sizes = plan.model.sizes();
        let on_each = |width, size| {
            let [batch, position] = [("batch", plan.batch.rows), ("position", plan.batch.positions)];
            let axes = [batch, position, (width, size)].map(|(name, size)| Axis::new(name, size));
            let whole = TensorType::new(plan.compute, &axes);
            let part = plan.partition.as_ref().map(|partition| partition.of_activation(&axes).part_type(&whole));
            part.unwrap_or(whole).element_count() as u64
        };
        let layers = if from_below { sizes.num_hidden_layers as u64 } else { 0 };
        let elements = layers * on_each("embed", sizes.hidden_size) + on_each("vocab", sizes.vocab_size);
        Ok(LeastMemory { state: state.sum(), activations: elements * plan.compute.size() as u64 })
    }

    /// All of it.
    pub fn total(&self) -> u64 {
        self.state + self.activations
    }
}
