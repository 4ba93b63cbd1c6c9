//! What a step takes of each device at the least, told without compiling it.

use graph::{Axis, GraphError, Sharding, TensorType};
use models::Anatomy;

use crate::StepPlan;

/// Bytes that a step holds at once on each device, whatever the compiler does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeastMemory {
    /// Parameters, and what the optimizer remembers.
    pub state: u64,
    /// What layers are given, as far as a derivative goes through them, and logits, of a chunk of tokens where they are computed in chunks: all of it is
    /// there when the backward pass begins, or at the end of the forward pass.
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
            let ty = spec.tensor_type();
            let sharding =
                plan.partition.as_ref().and_then(|all| all.of_parameter(&spec.name, &ty.axes, spec.stack.len()).ok());
            bytes(&ty, sharding)
        });
        // Where something is trained that lies before the first layer or in it, a derivative goes through all layers.
        let layers_end = params.iter().rposition(|spec| !spec.stack.is_empty()).map_or(0, |last| last + 1);
        let is_from_below = |spec: &&graph::ParamSpec| spec.stack.first().is_none_or(|layers| layers.first == 0);
        let from_below = params[..layers_end].iter().filter(is_from_below).any(|spec| plan.is_trained(spec));
        let sizes = plan.model.sizes();
        let [_, rows, positions] = plan.batch.axes();
        let parts = |axis| plan.partition.as_ref().map_or(1, |all| all.of_activation(&[axis]).part_count());
        let vocab = Axis::new("vocab", sizes.vocab_size);
        let tokens = (rows.size / parts(rows)) * (positions.size / parts(positions));
        let at_once = plan.model.logit_tokens(tokens, parts(vocab), plan.compute, plan.lora.as_ref(), plan.loss.chunk);
        let computed = |width: Axis| {
            let ty = TensorType { dtype: plan.compute, axes: vec![rows, positions, width] };
            let sharding = plan.partition.as_ref().map(|all| all.of_activation(&ty.axes));
            bytes(&ty, sharding)
        };
        let logits = match at_once < tokens {
            true => (at_once * vocab.size * plan.compute.size()) as u64,
            // As any activation they lie split by positions or by the vocabulary, where both ask for the same devices.
            false => computed(vocab),
        };
        let layers = if from_below { sizes.num_hidden_layers as u64 } else { 0 };
        let given = layers * computed(Axis::new("embed", sizes.hidden_size));
        Ok(LeastMemory { state: state.sum(), activations: given + logits })
    }

    /// All of it.
    pub fn total(&self) -> u64 {
        self.state + self.activations
    }
}

/// Bytes of a device's part of a tensor.
fn bytes(ty: &TensorType, sharding: Option<Sharding>) -> u64 {
    let elements = sharding.map_or_else(|| ty.element_count(), |sharding| sharding.part_type(ty).element_count());
    (elements * ty.dtype.size()) as u64
}
