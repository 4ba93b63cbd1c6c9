//! Low-rank adapters (Hu et al. 2021, "LoRA: Low-Rank Adaptation of Large Language Models").

use std::collections::BTreeMap;

use graph::{Axis, Init, Tensor};

use crate::Scope;

/// Which modules have adapters, and which.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lora {
    /// By module path, with `*` for the layer: `model.layers.*.self_attn.q_proj`.
    pub modules: BTreeMap<String, LoraModule>,
    /// Probability with which an element of an adapter's input is dropped while training.
    pub dropout: f64,
}

/// The adapter of one module: `scale * B A x`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoraModule {
    /// Rows of A and columns of B.
    pub rank: usize,
    /// `alpha / rank`, or `alpha / sqrt(rank)` with rsLoRA (Kalajdzievski 2023).
    pub scale: f64,
}

impl Lora {
    /// Whether a parameter, by name, belongs to an adapter.
    pub fn owns(name: &str) -> bool {
        name.ends_with(".lora_A.weight") || name.ends_with(".lora_B.weight")
    }
}

/// What the adapter of the module at `scope` adds to the module's output: axes of `x` with `output` in place of `input`. `None` if the
/// module has no adapter.
pub(crate) fn adapter<'g>(scope: &Scope<'g>, x: Tensor<'g>, input: Axis, output: Axis) -> Option<Tensor<'g>> {
    let lora = scope.lora()?;
    let module = lora.modules.get(scope.path())?;
    let rank = Axis::new("rank", module.rank);
    // PEFT draws A by kaiming_uniform(a = sqrt(5)), whose bound is 1 / sqrt(inputs), and begins with B = 0.
    let a = scope.adapter_param("lora_A.weight", &[rank, input], Init::Uniform(1.0 / (input.size as f64).sqrt()));
    let b = scope.adapter_param("lora_B.weight", &[output, rank], Init::Zeros);
    let x = dropout(scope, x, lora.dropout);
    Some(x.dot(a, &[input.name]).dot(b, &["rank"]) * module.scale)
}

/// Sets elements to zero with probability `rate` and scales up the others, while training.
fn dropout<'g>(scope: &Scope<'g>, x: Tensor<'g>, rate: f64) -> Tensor<'g> {
    let Some(key) = scope.dropout_key().filter(|_| rate > 0.0) else {
        return x;
    };
    let keep = key.uniform(&x.axes()).greater_equal(rate);
    keep.select(x * (1.0 / (1.0 - rate)), 0.0)
}
