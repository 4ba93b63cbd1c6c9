//! Low-rank adapters (Hu et al. 2021, "LoRA: Low-Rank Adaptation of Large Language Models").

use std::collections::{BTreeMap, BTreeSet};

use graph::{Axis, Init, ParamSpec, Stack, Tensor};

use crate::Scope;
use crate::journal::{LinearModule, numbered};
use crate::layers::widen;

/// Which modules have adapters, and which.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lora {
    /// By the module's own path: `model.layers.3.self_attn.q_proj`. Layers may differ.
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

/// Adapters that a model cannot run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LoraError {
    /// No linear layer has that path.
    #[error("there is no linear layer `{path}` in the model")]
    NoSuchModule {
        /// Path of the module.
        path: String,
    },
    /// Modules differ that one product is computed for.
    #[error(
        "`{path}` has no adapter, or one of another rank or scale than `{other}`: experts of a layer should be alike"
    )]
    ExpertsDiffer {
        /// Path of the first module that differs.
        path: String,
        /// Path of the first module.
        other: String,
    },
}

impl Lora {
    /// Adapters of the modules with these paths, among the model's `linear` modules. Layers may differ, the experts of one may not.
    ///
    /// # Errors
    /// A module that the model lacks; experts that differ.
    pub fn from_modules(
        modules: &BTreeMap<String, LoraModule>,
        dropout: f64,
        linear: &[LinearModule],
    ) -> Result<Lora, LoraError> {
        let known: BTreeSet<String> = linear.iter().flat_map(LinearModule::paths).collect();
        if let Some(path) = modules.keys().find(|path| !known.contains(*path)) {
            return Err(LoraError::NoSuchModule { path: path.clone() });
        }
        for module in linear {
            let experts: usize = module.stack.iter().skip(1).map(|stack| stack.axis.size).product();
            for layer in module.paths().chunks(experts) {
                if let Some(path) = layer.iter().find(|path| modules.get(*path) != modules.get(&layer[0])) {
                    return Err(LoraError::ExpertsDiffer { path: path.clone(), other: layer[0].clone() });
                }
            }
        }
        Ok(Lora { modules: modules.clone(), dropout })
    }

    /// The same adapter for each of the `linear` modules.
    pub fn of_each(linear: &[LinearModule], module: LoraModule, dropout: f64) -> Lora {
        let paths = linear.iter().flat_map(LinearModule::paths);
        Lora { modules: paths.map(|path| (path, module)).collect(), dropout }
    }

    /// Whether a parameter belongs to one of these adapters.
    pub fn owns(&self, spec: &ParamSpec) -> bool {
        let module = FACTORS.iter().find_map(|factor| spec.name.strip_suffix(factor)?.strip_suffix('.'));
        module.is_some_and(|path| self.modules.contains_key(&first_of(path, &spec.stack)))
    }

    /// What there is below a path, by what follows it there: layers for which that is the same can be computed alike.
    pub(crate) fn below(&self, path: &str) -> Vec<(&str, LoraModule)> {
        let inside = self.modules.range(format!("{path}.")..);
        let named = inside.map_while(|(name, module)| Some((name.strip_prefix(path)?.strip_prefix('.')?, *module)));
        named.collect()
    }

    /// The adapter of the modules at `path`, with a `*` for each axis of `stack`.
    fn at(&self, path: &str, stack: &[Stack]) -> Option<LoraModule> {
        let paths = numbered(path, stack);
        let module = self.modules.get(&paths[0]).copied();
        let alike = paths.iter().all(|path| self.modules.get(path) == module.as_ref());
        assert!(alike, "{path}: layers that differ are in scans of their own, after LanguageModel::beside");
        module
    }
}

/// The path of the first of the modules at `path`, with a `*` for each axis of `stack`.
fn first_of(path: &str, stack: &[Stack]) -> String {
    stack.iter().fold(path.to_owned(), |path, stack| path.replacen('*', &stack.first.to_string(), 1))
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
    let module = lora.at(scope.path(), scope.stack())?;
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
