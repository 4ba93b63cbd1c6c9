//! What a model costs, read off its anatomy.

use graph::{DType, GraphError, ParamSpec};

use crate::{Anatomy, LanguageModel, Lora, Precision, StateSize};

/// Numbers of a model that need none of its weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Elements of all parameters, shared ones counted once.
    pub parameters: u64,
    /// Those that one token is computed with: of experts, as many as it is sent to.
    pub active_parameters: u64,
    /// Elements of the parameters that adapters add.
    pub adapter_parameters: u64,
    /// Bytes that a sequence's state grows by with each token where layers compute in bf16: keys and values of all layers.
    pub state_per_token: u64,
    /// Bytes of a sequence's state that do not grow: what recurrent layers carry, in part in f32.
    pub state_fixed: u64,
    /// FLOPs of a token's products with weights, and of recurrences, forward.
    pub product_flops: f64,
    /// What attention adds to them for each position that the token sees, over all layers that see so far.
    attention: Vec<(Option<usize>, f64)>,
}

impl Summary {
    /// Of a model and adapters beside it.
    ///
    /// # Errors
    /// A configuration that no graph can be traced from.
    pub fn of(model: &LanguageModel, lora: Option<&Lora>) -> Result<Summary, GraphError> {
        let Anatomy { params, linear, attention, state_space, .. } =
            model.anatomy(Precision::uniform(DType::F32), lora)?;
        let is_adapter = |spec: &&ParamSpec| lora.is_some_and(|lora| lora.adds(spec));
        let elements =
            |specs: &mut dyn Iterator<Item = &ParamSpec>| specs.map(|spec| spec.element_count() as u64).sum();
        let adapter_parameters = elements(&mut params.iter().filter(is_adapter));
        let parameters = elements(&mut params.iter().filter(|spec| !is_adapter(spec)));
        let products = |share: &dyn Fn(f64) -> f64| -> f64 {
            linear.iter().map(|one| (one.count() * one.input.size * one.output.size) as f64 * share(one.share)).sum()
        };
        let idle = products(&|share| 1.0 - share);
        // Each state is carried on, added to and read.
        let recurrence = state_space.iter().map(|one| 6.0 * (one.layers() * one.channels * one.state_size) as f64);
        // A page of one token more, to tell what grows.
        let bytes = |spec: &ParamSpec| (spec.element_count() * spec.dtype.size()) as u64;
        let state = |pages| -> u64 {
            let size = StateSize { slots: 1, pages, page_tokens: 1 };
            model.ragged_state_specs(DType::BF16, size).iter().map(bytes).sum()
        };
        let (one, two) = (state(1), state(2));
        // Scores and their product with values: two products of a multiplication and an addition.
        let per_position =
            attention.iter().map(|one| (one.window, 4.0 * (one.layers() * one.heads * one.head_dim) as f64));
        Ok(Summary {
            parameters,
            active_parameters: parameters - idle as u64,
            adapter_parameters,
            state_per_token: two - one,
            state_fixed: 2 * one - two,
            product_flops: 2.0 * products(&|share| share) + recurrence.sum::<f64>(),
            attention: per_position.collect(),
        })
    }

    /// FLOPs of a token that sees `context` positions, its own among them, forward.
    pub fn flops_per_token(&self, context: usize) -> f64 {
        let seen = |window: Option<usize>| window.map_or(context, |window| window.min(context)) as f64;
        self.product_flops + self.attention.iter().map(|(window, flops)| flops * seen(*window)).sum::<f64>()
    }
}
