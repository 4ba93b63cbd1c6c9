//! Low-rank adapters (Hu et al. 2021, "LoRA: Low-Rank Adaptation of Large Language Models").

use std::collections::BTreeMap;

use graph::{Axis, Init, Tensor};

use crate::Scope;
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
    /// Adapters of the modules named with their layer's number, e.g. `model.layers.3.mlp.up_proj`. Layers have to be alike.
    ///
    /// `linear` are the model's linear modules with `*` for the layer, `layers` their number.
    ///
    /// # Errors
    /// A module that the model lacks; layers that differ.
    pub fn from_modules(
        modules: &BTreeMap<String, LoraModule>,
        dropout: f64,
        linear: &[String],
        layers: usize,
    ) -> Result<Lora, LoraError> {
        let mut lora = Lora { modules: BTreeMap::new(), dropout };
        let mut known = 0;
        for template in linear {
            let of_layer = |layer: usize| modules.get(&template.replacen('*', &layer.to_string(), 1));
            let present: Vec<_> = (0..layers).filter_map(of_layer).collect();
            let Some(first) = present.first() else { continue };
            known += present.len();
            if let Some(layer) = (0..layers).find(|layer| of_layer(*layer) != Some(first)) {
                return Err(LoraError::LayersDiffer { path: template.replacen('*', &layer.to_string(), 1) });
            }
            lora.modules.insert(template.clone(), **first);
        }
        if known < modules.len() {
            let exists = |path: &str| {
                linear.iter().any(|template| (0..layers).any(|l| template.replacen('*', &l.to_string(), 1) == path))
            };
            if let Some(path) = modules.keys().find(|path| !exists(path)) {
                return Err(LoraError::NoSuchModule { path: path.clone() });
            }
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
    let lora = scope.lora()?;
    let module = lora.modules.get(scope.path())?;
    let rank = Axis::new("rank", module.rank);
    // PEFT draws A by kaiming_uniform(a = sqrt(5)), whose bound is 1 / sqrt(inputs), and begins with B = 0.
    let [a_name, b_name] = FACTORS;
    let a = scope.adapter_param(a_name, &[rank, input], Init::Uniform(1.0 / (input.size as f64).sqrt()));
    let b = scope.adapter_param(b_name, &[output, rank], Init::Zeros);
    let x = dropout(scope, x, lora.dropout);
    // Scaled where it is smallest.
    Some(scaled(x.dot(a, &[input.name]), module.scale).dot(b, &["rank"]))
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
