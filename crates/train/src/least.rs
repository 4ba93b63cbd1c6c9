//! What a step takes of each device at the least, told without compiling it.

use graph::GraphError;
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
                let sharding = partition.of_parameter(&spec.name, &spec.axes).ok()?;
                Some(sharding.dims().iter().flatten().map(|axis| partition.mesh.size(axis) as u64).product())
            });
            whole / parts.unwrap_or(1)
        });
        // Where something is trained that lies before the first layer or in it, a derivative goes through all layers.
        let layers_end = params.iter().rposition(|spec| !spec.stack.is_empty()).map_or(0, |last| last + 1);
        let is_from_below = |spec: &&graph::ParamSpec| spec.stack.first().is_none_or(|layers| layers.first == 0);
        let from_below = params[..layers_end].iter().filter(is_from_below).any(|spec| plan.is_trained(spec));
        let sizes = plan.model.sizes();
        let size = |axis| plan.partition.as_ref().map_or(1, |partition| partition.mesh.size(axis));
        let tokens = plan.batch.rows * plan.batch.positions / (size("dp") * size("fsdp"));
        let given = if from_below { sizes.num_hidden_layers * sizes.hidden_size } else { 0 };
        let elements = tokens as u64 * (given + sizes.vocab_size / size("mp")) as u64;
        Ok(LeastMemory { state: state.sum(), activations: elements * plan.compute.size() as u64 })
    }

    /// All of it.
    pub fn total(&self) -> u64 {
        self.state + self.activations
    }
}
