//! Low-rank adapters (Hu et al. 2021, "LoRA: Low-Rank Adaptation of Large Language Models").

use std::collections::BTreeMap;

use graph::{Axis, Init, Tensor};

use crate::Scope;
use crate::journal::LinearModule;
use crate::layers::widen;

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

/// The names of A and B below their module.
const FACTORS: [&str; 2] = ["lora_A.weight", "lora_B.weight"];

/// Adapters that a scan over layers cannot run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LoraError {
    /// No linear layer has that path.
    #[error("there is no linear layer `{path}` in the model")]
    NoSuchModule {
        /// Path of the module.
        path: String,
    },
    /// Layers differ.
    #[error(
        "`{path}` has no adapter, or one of another rank or scale than in other layers: all layers should be alike"
    )]
    LayersDiffer {
        /// Path of the first module that differs.
        path: String,
    },
}

impl Lora {
    /// Adapters of the modules named with their layer's number, e.g. `model.layers.3.mlp.up_proj`, among the model's `linear` modules.
    /// Layers have to be alike.
    ///
    /// # Errors
    /// A module that the model lacks; layers that differ.
    pub fn from_modules(
        modules: &BTreeMap<String, LoraModule>,
        dropout: f64,
        linear: &[LinearModule],
    ) -> Result<Lora, LoraError> {
        // Of one path there may be several, for some of the layers each.
        let mut by_path: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for module in linear {
            by_path.entry(&module.path).or_default().extend(module.paths());
        }
        if let Some(path) = modules.keys().find(|path| !by_path.values().flatten().any(|known| known == *path)) {
            return Err(LoraError::NoSuchModule { path: path.clone() });
        }
        let mut lora = Lora { modules: BTreeMap::new(), dropout };
        for (template, paths) in by_path {
            let Some(first) = paths.iter().find_map(|path| modules.get(path)) else { continue };
            if let Some(path) = paths.iter().find(|path| modules.get(*path) != Some(first)) {
                return Err(LoraError::LayersDiffer { path: path.clone() });
            }
            lora.modules.insert(template.to_owned(), *first);
        }
        Ok(lora)
    }

    /// The parameters of the adapter of the module at `path`, by the names that they are declared under: A and B.
    pub fn factors(path: &str) -> [String; 2] {
        FACTORS.map(|factor| format!("{path}.{factor}"))
    }

    /// Whether a parameter, by the name that it is declared under, belongs to one of these adapters.
    pub fn owns(&self, name: &str) -> bool {
        self.modules.keys().any(|path| Lora::factors(path).iter().any(|factor| factor == name))
    }
}

/// What the adapter of the module at `scope` adds to the module's output: axes of `x` with `output` in place of `input`. `None` if the
/// module has no adapter.
pub(crate) fn adapter<'g>(scope: &Scope<'g>, x: Tensor<'g>, input: Axis, output: Axis) -> Option<Tensor<'g>> {
    adapter_by(scope, x, input, output, |x, factor, axis| x.dot(factor, &[axis]))
}

/// [`adapter`] where `product` multiplies with a factor over an axis of it: where there are several modules at `scope`, each row of `x` with
/// its own.
pub(crate) fn adapter_by<'g>(
    scope: &Scope<'g>,
    x: Tensor<'g>,
    input: Axis,
    output: Axis,
    product: impl Fn(Tensor<'g>, Tensor<'g>, &'static str) -> Tensor<'g>,
) -> Option<Tensor<'g>> {
    let lora = scope.lora()?;
    let module = lora.modules.get(scope.path())?;
    let rank = Axis::new("rank", module.rank);
    // PEFT draws A by kaiming_uniform(a = sqrt(5)), whose bound is 1 / sqrt(inputs), and begins with B = 0.
    let [a_name, b_name] = FACTORS;
    let a = scope.adapter_param(a_name, &[rank, input], Init::Uniform(1.0 / (input.size as f64).sqrt()));
    let b = scope.adapter_param(b_name, &[output, rank], Init::Zeros);
    let x = dropout(scope, x, lora.dropout);
    // Scaled where it is smallest.
    Some(product(scaled(product(x, a, input.name), module.scale), b, "rank"))
}

/// Sets elements to zero with probability `rate` and scales up the others, while training.
fn dropout<'g>(scope: &Scope<'g>, x: Tensor<'g>, rate: f64) -> Tensor<'g> {
    let Some(key) = scope.dropout_key().filter(|_| rate > 0.0) else {
        return x;
    };
    let keep = key.uniform(&x.axes()).greater_equal(rate);
    keep.select(scaled(x, 1.0 / (1.0 - rate)), 0.0)
}

/// `x * factor` in `x`'s type. The factor itself is not rounded to it: 16 / 12 as bf16 would be another scale than the one in
/// adapter_config.json.
fn scaled(x: Tensor<'_>, factor: f64) -> Tensor<'_> {
    (widen(x) * factor).cast(x.dtype())
}
