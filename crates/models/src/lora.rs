//! Low-rank adapters (Hu et al. 2021, "LoRA: Low-Rank Adaptation of Large Language Models").

use std::collections::{BTreeMap, BTreeSet};

use graph::{Axis, DType, GraphError, Init, ParamSpec, Stack, Tensor};

use crate::journal::{LinearModule, numbered};
use crate::layers::{scaled, widen};
use crate::{LanguageModel, Precision, Scope, part};

/// Which modules have adapters, and which.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lora {
    /// By the module's own path: `model.layers.3.self_attn.q_proj`. Layers may differ.
    pub modules: BTreeMap<String, LoraModule>,
    /// Names of the model's own parameters that belong to the adapter: modules trained in full, and biases.
    pub own: BTreeSet<String>,
    /// Whether the modules' adapters are DoRA's: they change the direction of a weight's rows, and a magnitude is trained for each.
    pub dora: bool,
    /// Whether weights and adapters stay as they are, so that what DoRA multiplies rows with ([`stretch`]) is held in place of its magnitudes.
    pub stretched: bool,
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
pub(crate) const FACTORS: [&str; 2] = ["lora_A.weight", "lora_B.weight"];
/// The name of DoRA's magnitude there.
pub(crate) const MAGNITUDE: &str = "lora_magnitude_vector";

/// Adapters that a model cannot run.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LoraError {
    /// No linear layer has that path.
    #[error("there is no linear layer `{path}` in the model")]
    NoSuchModule {
        /// Path of the module.
        path: String,
    },
    /// Modules differ that one product is computed for.
    #[error(
        "the adapter does not have for `{path}` what it has for `{other}`, and experts of a layer should be alike: give all of them an \
         adapter of the same rank and scale, or train all of them in full, or none"
    )]
    ExpertsDiffer {
        /// Path of the first module that differs, or name of the first parameter.
        path: String,
        /// That of the first expert.
        other: String,
    },
    /// DoRA of modules that one product is computed for.
    #[error("`{path}` is an expert's, and DoRA (use_dora) of experts is not supported: leave experts out, or use LoRA")]
    DoraOfExperts {
        /// Path of the first such module.
        path: String,
    },
    /// The embedding or the output layer has something of its own, and both are one.
    #[error(
        "an adapter would train `{path}`, but this model's embedding and output layer are one weight, which such an adapter parts"
    )]
    Tied {
        /// Path of the module.
        path: String,
    },
    /// The model cannot be traced.
    #[error(transparent)]
    Graph(#[from] GraphError),
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
        linear.iter().try_for_each(|module| experts_alike(&module.paths(), &module.stack, |path| modules.get(path)))?;
        Ok(Lora { modules: modules.clone(), dropout, ..Lora::default() })
    }

    /// The same, with those of the model's own parameters that `is_trained` says belong to the adapter.
    ///
    /// # Errors
    /// The output layer's weight is among them, under either name, and is the embedding's; experts that differ; the model cannot be traced.
    pub fn with_own(self, model: &LanguageModel, is_trained: impl Fn(&str) -> bool) -> Result<Lora, LoraError> {
        self.with_own_of(model, &model.params(Precision::uniform(DType::F32), None)?, is_trained)
    }

    /// As [`Lora::with_own`], of a model whose parameters are known to be `params`, so that it is not traced for them.
    ///
    /// # Errors
    /// As [`Lora::with_own`].
    pub fn with_own_of(
        self,
        model: &LanguageModel,
        params: &[ParamSpec],
        is_trained: impl Fn(&str) -> bool,
    ) -> Result<Lora, LoraError> {
        for spec in params {
            experts_alike(&spec.checkpoint_names(), &spec.stack, &is_trained)?;
        }
        let own = params.iter().flat_map(ParamSpec::checkpoint_names).filter(|name| is_trained(name)).collect();
        let head = model.head();
        let weights = [head.path, head.module].map(|path| (path, format!("{path}.weight")));
        match weights.iter().find(|(_, weight)| head.tied && is_trained(weight)) {
            Some((path, _)) => Err(LoraError::Tied { path: (*path).to_owned() }),
            None => Ok(Lora { own, ..self }),
        }
    }

    /// The same with DoRA's magnitudes, if `dora`, of modules among `linear`.
    ///
    /// # Errors
    /// An expert has an adapter.
    pub fn with_dora(self, dora: bool, linear: &[LinearModule]) -> Result<Lora, LoraError> {
        let of_experts = linear.iter().filter(|module| module.share < 1.0).flat_map(LinearModule::paths);
        match of_experts.into_iter().find(|path| self.modules.contains_key(path)) {
            Some(path) if dora => Err(LoraError::DoraOfExperts { path }),
            _ => Ok(Lora { dora, ..self }),
        }
    }

    /// The same adapter for each of the `linear` modules.
    pub fn of_each(linear: &[LinearModule], module: LoraModule, dropout: f64) -> Lora {
        let paths = linear.iter().flat_map(LinearModule::paths);
        Lora { modules: paths.map(|path| (path, module)).collect(), dropout, ..Lora::default() }
    }

    /// Whether a parameter belongs to these adapters: one that they add, or one of the model's own.
    pub fn owns(&self, spec: &ParamSpec) -> bool {
        self.adds(spec) || self.own.contains(&first_of(&spec.name, &spec.stack))
    }

    /// Whether a parameter is one that the model alone does not have.
    pub fn adds(&self, spec: &ParamSpec) -> bool {
        let of_module = |name| spec.name.strip_suffix(name)?.strip_suffix('.');
        let module = FACTORS.iter().copied().chain([MAGNITUDE]).find_map(of_module);
        module.is_some_and(|path| self.modules.contains_key(&first_of(path, &spec.stack)))
    }

    /// The module that such a parameter is the magnitude of, by their names.
    pub fn module_of_magnitude(name: &str) -> Option<&str> {
        name.strip_suffix(MAGNITUDE)?.strip_suffix('.')
    }

    /// What there is below a path, by what follows it there: layers for which that is the same can be computed alike.
    pub(crate) fn below(&self, path: &str) -> Vec<(&str, Option<LoraModule>)> {
        let start = format!("{path}.");
        let modules = self.modules.range(start.clone()..).map(|(name, module)| (name, Some(*module)));
        let own = self.own.range(start.clone()..).map(|name| (name, None));
        let inside = |(name, module)| Some((String::as_str(name).strip_prefix(start.as_str())?, module));
        modules.map_while(inside).chain(own.map_while(inside)).collect()
    }

    /// Whether the model's own parameters of a name, with a `*` for each axis of `stack`, belong to the adapter.
    pub(crate) fn has_own(&self, name: &str, stack: &[Stack]) -> bool {
        !self.own.is_empty() && alike(name, stack, |name| self.own.contains(name))
    }

    /// The adapter of the modules at `path`, with a `*` for each axis of `stack`.
    fn at(&self, path: &str, stack: &[Stack]) -> Option<LoraModule> {
        alike(path, stack, |path| self.modules.get(path).copied())
    }
}

/// Refuses what differs among the experts of a layer, for which one product is computed. `names` are those of what is stacked along `stack`:
/// of the layers, outermost, and of their experts.
fn experts_alike<'n, T: PartialEq>(
    names: &'n [String],
    stack: &[Stack],
    of: impl Fn(&'n str) -> T,
) -> Result<(), LoraError> {
    let experts: usize = stack.iter().skip(1).map(|stack| stack.axis.size).product();
    for layer in names.chunks(experts) {
        if let Some(path) = layer.iter().find(|path| of(path) != of(&layer[0])) {
            return Err(LoraError::ExpertsDiffer { path: path.clone(), other: layer[0].clone() });
        }
    }
    Ok(())
}

/// What holds of all that a name stands for.
fn alike<T: PartialEq>(name: &str, stack: &[Stack], of: impl Fn(&str) -> T) -> T {
    let names = numbered(name, stack);
    let first = of(&names[0]);
    let alike = names.iter().all(|name| of(name) == first);
    assert!(alike, "{name}: layers that differ are in scans of their own, after LanguageModel::beside");
    first
}

/// The path of the first of the modules at `path`, with a `*` for each axis of `stack`.
fn first_of(path: &str, stack: &[Stack]) -> String {
    stack.iter().fold(path.to_owned(), |path, stack| path.replacen('*', &stack.first.to_string(), 1))
}

/// What the adapters of the modules at `scope`, each of other rows, add to their outputs: axes of `x` with `output` in place of `input`.
/// `product` multiplies each row with its own module's factor over an axis of it. `None` if there is no adapter.
pub(crate) fn adapter_by<'g>(
    scope: &Scope<'g>,
    x: Tensor<'g>,
    input: Axis,
    output: Axis,
    product: impl Fn(Tensor<'g>, Tensor<'g>, &'static str) -> Tensor<'g>,
) -> Option<Tensor<'g>> {
    let lora = scope.lora()?;
    let LoraModule { rank, scale } = lora.at(scope.path(), scope.stack())?;
    let _named = scope.named(part::ADAPTERS);
    let [a, b] = factors(scope, Axis::new("rank", rank), input, output);
    let x = dropout(scope, x, lora.dropout).unwrap_or(x);
    Some(product(scaled(product(x, a, input.name), scale), b, "rank"))
}

/// A linear module without its adapter.
#[derive(Clone, Copy)]
pub(crate) struct Frozen<'g> {
    /// (output, input), in any order; `None` where it is held in 8-bit floats, as it never is with DoRA.
    pub(crate) weight: Option<Tensor<'g>>,
    /// Its axis of inputs.
    pub(crate) input: Axis,
    /// Its axis of outputs.
    pub(crate) output: Axis,
    /// What comes in.
    pub(crate) x: Tensor<'g>,
    /// The product of both.
    pub(crate) product: Tensor<'g>,
}

/// Whether the module at `scope` has an adapter.
pub(crate) fn is_adapted(scope: &Scope<'_>) -> bool {
    scope.lora().is_some_and(|lora| lora.at(scope.path(), scope.stack()).is_some())
        || scope.served().is_some_and(|served| served.has(scope))
}

/// What the adapter of the module at `scope` adds to the module's output. `None` if the module has no adapter.
pub(crate) fn adapter<'g>(scope: &Scope<'g>, module: Frozen<'g>) -> Option<Tensor<'g>> {
    if let Some(served) = scope.served() {
        return served.change(scope, module);
    }
    let lora = scope.lora()?;
    let LoraModule { rank, scale } = lora.at(scope.path(), scope.stack())?;
    let _named = scope.named(part::ADAPTERS);
    let Frozen { input, output, x, .. } = module;
    let rank = Axis::new("rank", rank);
    let [a, b] = factors(scope, rank, input, output);
    let dropped = dropout(scope, x, lora.dropout);
    // Scaled where it is smallest.
    let change = scaled(dropped.unwrap_or(x).dot(a, &[input.name]), scale).dot(b, &["rank"]);
    if !lora.dora {
        return Some(change);
    }
    // As in PEFT, what is dropped is dropped for the frozen weight's share too, and the whole output is there besides.
    let weight = module.weight.expect("DoRA's modules have their weights whole");
    let product = dropped.map_or(module.product, |x| x.dot(weight, &[input.name]));
    let magnitude = scope.wide_adapter_param(MAGNITUDE, &[output], Init::Ones);
    let stretch = if lora.stretched { magnitude } else { stretch(magnitude, weight, [a, b], scale, input.name) };
    let wide = (stretch - 1.0) * widen(product) + stretch * widen(change);
    Some(wide.cast(x.dtype()))
}

/// A (rank, input) and B (output, rank) of the module at `scope`.
fn factors<'g>(scope: &Scope<'g>, rank: Axis, input: Axis, output: Axis) -> [Tensor<'g>; 2] {
    // PEFT draws A by kaiming_uniform(a = sqrt(5)), whose bound is 1 / sqrt(inputs), and begins with B = 0.
    let [a_name, b_name] = FACTORS;
    let a = scope.adapter_param(a_name, &[rank, input], Init::Uniform(1.0 / (input.size as f64).sqrt()));
    [a, scope.adapter_param(b_name, &[output, rank], Init::Zeros)]
}

/// What DoRA multiplies a weight's rows with (Liu et al. 2024, "DoRA: Weight-Decomposed Low-Rank Adaptation", equation 5), (output): the
/// trained magnitudes over the norms of `weight + scale * B A`, through which no gradient goes (section 4.3). In f32 at least.
pub fn stretch<'g>(
    magnitude: Tensor<'g>,
    weight: Tensor<'g>,
    [a, b]: [Tensor<'g>; 2],
    scale: f64,
    input: &'static str,
) -> Tensor<'g> {
    let rows = widen(weight) + widen(b).dot(widen(a), &["rank"]) * scale;
    widen(magnitude) / divisor(row_norms(rows, input).stop_gradient())
}

/// The norms of a weight's rows, which lie along `input`.
pub fn row_norms<'g>(rows: Tensor<'g>, input: &'static str) -> Tensor<'g> {
    (rows * rows).sum(&[input]).sqrt()
}

/// 1 in place of 0: a row of zeros, whose norm is 0, is to stay zeros.
pub fn divisor(norms: Tensor<'_>) -> Tensor<'_> {
    norms.equals(0.0).select(norms + 1.0, norms)
}

/// Sets elements to zero with probability `rate` and scales up the others; `None` where nothing is to be dropped, not being in training.
fn dropout<'g>(scope: &Scope<'g>, x: Tensor<'g>, rate: f64) -> Option<Tensor<'g>> {
    let key = scope.dropout_key().filter(|_| rate > 0.0)?;
    let keep = key.uniform(&x.axes()).greater_equal(rate);
    Some(keep.select(scaled(x, 1.0 / (1.0 - rate)), 0.0))
}
