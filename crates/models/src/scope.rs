//! Where parameters are declared: a path of module names, and how their values are held.

use std::rc::Rc;

use graph::{Axis, DType, Float8, Graph, Init, Named, ParamSpec, RandomKey, Stack, Tensor};
use kernels::{FewVectors, Gpu, Norm, PackedWeight};

use crate::Lora;
use crate::few_vectors;
use crate::host;
use crate::journal::Journal;
use crate::layers::wide;
use crate::served::Served;

/// Element types of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Precision {
    /// In which layers compute.
    pub compute: DType,
    /// In which the model's own parameters are held.
    pub model: DType,
    /// In which its adapters' parameters are held: DoRA's magnitudes, which are divided by norms that they hardly differ from, in f32 at least.
    pub adapters: DType,
    /// In which the layers multiply with their weights. Embeddings, the output layer, routers, experts and adapters compute in `compute`.
    pub products: Products,
}

/// In which layers multiply with their weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Products {
    /// In the type that they compute in.
    AsComputed,
    /// In 8-bit floats, to which weights are rounded where they are multiplied.
    Rounded(Float8),
    /// In 8-bit floats, in which weights are held that stay as they are: those that are no adapter's.
    Held(Float8),
}

impl Precision {
    /// Everything in one type.
    pub const fn uniform(dtype: DType) -> Precision {
        Precision { compute: dtype, model: dtype, adapters: dtype, products: Products::AsComputed }
    }
}

/// A position in the tree of modules, e.g. `model.layers.*.self_attn`, from which parameters are declared.
#[derive(Clone)]
pub struct Scope<'g> {
    graph: &'g Graph,
    path: String,
    /// The axes whose places in the path are written `*`.
    stack: Vec<Stack>,
    precision: Precision,
    lora: Option<Rc<Lora>>,
    dropout_key: Option<RandomKey<'g>>,
    /// The number of the layer.
    number: Option<Tensor<'g>>,
    /// Where few vectors meet weights and norms in kernels of their own, their products so far.
    few_vectors: Option<few_vectors::Products<'g>>,
    /// The adapters of a step's rows.
    served: Option<Rc<Served<'g>>>,
    /// Whether weights come first in products with several vectors.
    weights_first: bool,
    /// Whether few vectors meet weights in kernels for CPUs.
    host_kernels: bool,
    /// Whether norms are read where nobody knows them as laid out.
    hands_on: bool,
    journal: Journal,
}

impl<'g> Scope<'g> {
    /// The root of a model, with adapters if there is `lora`.
    pub fn root(graph: &'g Graph, precision: Precision, lora: Option<Lora>) -> Scope<'g> {
        let (path, stack, journal) = Default::default();
        let (lora, dropout_key, number, few_vectors, served) = (lora.map(Rc::new), None, None, None, None);
        let [weights_first, host_kernels, hands_on] = [false; 3];
        Scope {
            graph,
            path,
            stack,
            precision,
            lora,
            dropout_key,
            number,
            few_vectors,
            served,
            weights_first,
            host_kernels,
            hands_on,
            journal,
        }
    }

    /// The same scope with dropout on, drawn from `key`.
    pub fn with_dropout(self, key: RandomKey<'g>) -> Scope<'g> {
        Scope { dropout_key: Some(key), ..self }
    }

    /// The same scope, in which few vectors meet weights and norms in kernels of their own; `is_packed`: weights are there packed, too.
    pub(crate) fn with_token_kernels(self, gpu: Gpu, is_packed: bool) -> Scope<'g> {
        Scope { few_vectors: Some(few_vectors::Products::new(gpu, is_packed)), ..self }
    }

    /// The same scope, in which weights come first in products with several vectors.
    pub(crate) fn with_weights_first(self) -> Scope<'g> {
        Scope { weights_first: true, ..self }
    }

    /// The same scope, in which few vectors meet weights in kernels for CPUs.
    pub(crate) fn with_host_kernels(self) -> Scope<'g> {
        Scope { host_kernels: true, ..self }
    }

    /// The same scope, whose norms are handed on to other rounds.
    pub(crate) fn handing_on(self) -> Scope<'g> {
        Scope { hands_on: true, ..self }
    }

    /// The same scope, where each row has its own adapter.
    pub(crate) fn serving(self, served: Served<'g>) -> Scope<'g> {
        Scope { served: Some(Rc::new(served)), ..self }
    }

    /// The adapters of a step's rows, if they have some.
    pub(crate) fn served(&self) -> Option<&Served<'g>> {
        self.served.as_deref()
    }

    /// Whether few vectors meet weights and norms in kernels of their own.
    pub(crate) fn has_token_kernels(&self) -> bool {
        self.token_kernels().is_some()
    }

    /// For which kind of GPU such kernels are, if they are wanted.
    pub(crate) fn token_kernels(&self) -> Option<Gpu> {
        self.few_vectors.as_ref().map(few_vectors::Products::gpu)
    }

    /// The vectors over the axis `input` of `x`, where few meet weights in kernels of their own.
    pub(crate) fn few_vectors(&self, x: Tensor<'g>, input: &'static str) -> Option<FewVectors<'g>> {
        self.few_vectors.as_ref().map(|products| products.vectors(x, input))
    }

    /// From here on vectors are known as laid out for packed products, too, if they are.
    pub(crate) fn know_laid(&self, plain: Tensor<'g>, laid: Option<Tensor<'g>>) {
        if let (Some(products), Some(laid)) = (&self.few_vectors, laid) {
            products.lay(plain, laid);
        }
    }

    /// Whether any module may have an adapter.
    pub(crate) fn has_adapters(&self) -> bool {
        self.lora.is_some() || self.served.is_some()
    }

    /// The product of the `weight` here, (output, `input`) or (`input`, output), with `x` over the axis `input`.
    pub(crate) fn multiply(&self, x: Tensor<'g>, weight: Tensor<'g>, input: &'static str) -> Tensor<'g> {
        self.multiply_all(x, &[weight], input)[0]
    }

    /// That of each of up to three weights, in one launch where they meet few vectors.
    pub(crate) fn multiply_all(&self, x: Tensor<'g>, weights: &[Tensor<'g>], input: &'static str) -> Vec<Tensor<'g>> {
        let products = self.few_vectors.as_ref().and_then(|products| products.of(self, x, weights, input));
        let vectors: usize = x.axes().iter().filter(|axis| axis.name != input).map(|axis| axis.size).product();
        let plain = |weight: Tensor<'g>| match self.weights_first && vectors > 1 {
            true => weights_first(weight, x, input),
            false => x.dot(weight, &[input]),
        };
        let product = |weight: &Tensor<'g>| {
            let by_kernel = self.host_kernels.then(|| host::product(x, *weight, input)).flatten();
            by_kernel.unwrap_or_else(|| plain(*weight))
        };
        products.unwrap_or_else(|| weights.iter().map(product).collect())
    }

    /// Declares the same weight packed, of the module here, if weights are.
    pub(crate) fn declare_packed(&self, weight: Tensor<'g>, output: Axis, input: Axis) {
        let packed = self.packed_param(output, input);
        if let (Some(products), Some(packed)) = (&self.few_vectors, packed) {
            products.pack(weight, packed);
        }
    }

    /// Declares what gates and what it gates packed as one, as the module here, if weights are.
    pub(crate) fn packed_gates(&self, output: Axis, input: Axis) -> Option<PackedWeight<'g>> {
        self.packed_param(gated_outputs(output), input)
    }

    fn packed_param(&self, output: Axis, input: Axis) -> Option<PackedWeight<'g>> {
        self.few_vectors.as_ref().filter(|products| products.are_packed())?;
        let [words, scales] = packed_specs(&self.name("weight"), &self.stack, output, input)?;
        Some(PackedWeight { words: self.graph.param(words), scales: self.graph.param(scales) })
    }

    /// `x` and what a module below gave for it, its residual.
    pub(crate) fn sum(&self, x: Tensor<'g>, residual: Tensor<'g>) -> Tensor<'g> {
        self.few_vectors.as_ref().map_or_else(|| x + residual, |products| products.sum(x, residual))
    }

    /// The vectors of `norm`, which is that of the module here, normalised: where that is known, or there is a kernel for it.
    pub(crate) fn normalised(&self, norm: Norm<'g>) -> Option<Tensor<'g>> {
        self.few_vectors.as_ref().and_then(|products| products.normalised(&self.path, norm, !self.hands_on))
    }

    /// From here on `normal` is what the norm here gives for `x`.
    pub(crate) fn know_normal(&self, x: Tensor<'g>, normal: Tensor<'g>) {
        if let Some(products) = &self.few_vectors {
            products.know(&self.path, x, normal);
        }
    }

    /// The same vectors, by the launch that normalised them, if they are a sum of which there is such a launch.
    pub(crate) fn anew(&self, x: Tensor<'g>) -> Tensor<'g> {
        self.few_vectors.as_ref().map_or(x, |products| products.anew(x))
    }

    /// The graph being traced.
    pub fn graph(&self) -> &'g Graph {
        self.graph
    }

    /// In which layers compute.
    pub fn compute(&self) -> DType {
        self.precision.compute
    }

    /// In which products with the weight of the module here are computed: in 8-bit floats in layers only, and not before and behind them, where
    /// a model is most sensitive and has little to compute.
    pub(crate) fn products(&self) -> Products {
        match self.precision.products {
            _ if self.stack.is_empty() => Products::AsComputed,
            // DoRA asks for the norms of the weight with what is added to it.
            Products::Held(kind) if self.is_of_adapter("weight") || self.lora().is_some_and(|lora| lora.dora) => {
                Products::Rounded(kind)
            }
            products => products,
        }
    }

    /// The module `name` below this one.
    pub fn child(&self, name: &str) -> Scope<'g> {
        let path = if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
        let dropout_key = self.dropout_key.map(|key| key.fold_in_name(name));
        Scope { path, dropout_key, ..self.clone() }
    }

    /// The module at `path`, several names joined by `.`, below this one.
    pub(crate) fn at(&self, path: &str) -> Scope<'g> {
        path.split('.').fold(self.clone(), |scope, name| scope.child(name))
    }

    /// The module of the layer at `index` of a scan over the axis of `stack`, whose place in the path is written `*`.
    pub(crate) fn layer(&self, stack: Stack, index: Tensor<'g>) -> Scope<'g> {
        let number = stack.number_at(index);
        let dropout_key = self.dropout_key.map(|key| key.fold_in(number));
        let stack = self.stack.iter().copied().chain([stack]).collect();
        Scope { path: format!("{}.*", self.path), stack, dropout_key, number: Some(number), ..self.clone() }
    }

    /// The number of the layer that this is in, counted from 0: i32 without axes.
    pub(crate) fn number(&self) -> Option<Tensor<'g>> {
        self.number
    }

    /// The modules 0, 1, 2, … below this one, all at once: what is declared there has `axis` outermost. Their place in the path is written
    /// `*`.
    pub(crate) fn all(&self, axis: Axis) -> Scope<'g> {
        self.stacked(Stack::of(axis))
    }

    /// The same of the modules of those numbers.
    pub(crate) fn stacked(&self, stack: Stack) -> Scope<'g> {
        let stack = self.stack.iter().copied().chain([stack]).collect();
        Scope { path: format!("{}.*", self.path), stack, ..self.clone() }
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Says that what is traced from here on is this module's, and in a few words for what it is there; without `part`, for what the
    /// surrounding is.
    pub(crate) fn named(&self, part: impl Into<Option<&'static str>>) -> Named<'g> {
        self.graph.named(&self.path, &self.stack, part.into())
    }

    /// The axes along which what is declared here is stacked, outermost first.
    pub(crate) fn stack(&self) -> &[Stack] {
        &self.stack
    }

    /// What the trace from this root has met.
    pub(crate) fn journal(&self) -> &Journal {
        &self.journal
    }

    pub(crate) fn lora(&self) -> Option<&Lora> {
        self.lora.as_deref()
    }

    pub(crate) fn dropout_key(&self) -> Option<RandomKey<'g>> {
        self.dropout_key
    }

    /// Declares a parameter of the model proper and gives it in the compute type.
    pub(crate) fn param(&self, name: &str, axes: &[Axis], init: Init) -> Tensor<'g> {
        self.held_param(name, axes, init).cast(self.precision.compute)
    }

    /// Declares a parameter of the model proper and gives it as it is held.
    pub(crate) fn held_param(&self, name: &str, axes: &[Axis], init: Init) -> Tensor<'g> {
        self.declare(name, axes, init, self.own_precision(name))
    }

    /// Declares a parameter of the model proper and gives it in f32 at least, for what a narrower compute type would spoil.
    pub(crate) fn wide_param(&self, name: &str, axes: &[Axis], init: Init) -> Tensor<'g> {
        self.declare(name, axes, init, self.own_precision(name)).cast(wide(self.precision.compute))
    }

    /// Declares a parameter of the model proper that is held in a type of its own, and gives it in that.
    pub(crate) fn param_in(&self, dtype: DType, name: &str, axes: &[Axis], init: Init) -> Tensor<'g> {
        self.declare(name, axes, init, dtype)
    }

    /// In which one of the model's own parameters is held: as adapters are, if an adapter trains it.
    fn own_precision(&self, name: &str) -> DType {
        if self.is_of_adapter(name) { self.precision.adapters } else { self.precision.model }
    }

    /// Whether an adapter trains one of the model's own parameters.
    fn is_of_adapter(&self, name: &str) -> bool {
        self.lora().is_some_and(|lora| lora.has_own(&self.name(name), &self.stack))
    }

    /// Declares a parameter of an adapter and gives it in the compute type.
    pub(crate) fn adapter_param(&self, name: &str, axes: &[Axis], init: Init) -> Tensor<'g> {
        self.declare(name, axes, init, self.precision.adapters).cast(self.precision.compute)
    }

    /// Declares a parameter of an adapter that is held and given in f32 at least, whatever the others are.
    pub(crate) fn wide_adapter_param(&self, name: &str, axes: &[Axis], init: Init) -> Tensor<'g> {
        self.declare(name, axes, init, wide(self.precision.adapters)).cast(wide(self.precision.compute))
    }

    /// The name of a parameter that is declared here.
    fn name(&self, name: &str) -> String {
        format!("{}.{name}", self.path).trim_start_matches('.').to_owned()
    }

    fn declare(&self, name: &str, axes: &[Axis], init: Init, dtype: DType) -> Tensor<'g> {
        let name = self.name(name);
        self.graph.param(ParamSpec { name, dtype, axes: axes.to_vec(), stack: self.stack.clone(), init })
    }
}

/// The outputs of what gates and what it gates, in turn.
pub(crate) fn gated_outputs(output: Axis) -> Axis {
    Axis::new("gates", 2 * output.size)
}

/// What holds a weight (output, input) of that name packed: its words, and the scales of its rows. `None` where it is not packed.
pub(crate) fn packed_specs(name: &str, stack: &[Stack], output: Axis, input: Axis) -> Option<[ParamSpec; 2]> {
    // Experts' weights have products of their own.
    let is_of_layers = stack.len() <= 1;
    (is_of_layers && PackedWeight::holds(output.size, input.size, DType::BF16)).then(|| {
        let spec = |of: &str, dtype, axes: &[Axis]| {
            let name = format!("{name}.{of}");
            ParamSpec { name, dtype, axes: axes.to_vec(), stack: stack.to_vec(), init: Init::Zeros }
        };
        let words = spec("words", DType::U16, &PackedWeight::axes(output.size, input.size));
        [words, spec("scales", DType::F32, &[output])]
    })
}

/// The product of `x` with a weight, computed with the weight first; the result's axes are in the usual order.
fn weights_first<'g>(weight: Tensor<'g>, x: Tensor<'g>, input: &'static str) -> Tensor<'g> {
    let others = |x: Tensor<'g>| x.axes().into_iter().map(|axis| axis.name).filter(|name| *name != input).collect();
    let [order, output]: [Vec<_>; 2] = [x, weight].map(others);
    weight.dot(x, &[input]).transpose(&[order, output].concat())
}

#[cfg(test)]
mod tests {
    use graph::{HostTensor, Remat};
    use runtime::plugins::{Environment, Platform};

    use super::*;

    const BATCH: Axis = Axis::new("batch", 64);

    /// What is drawn for the layers of a scan over `stack`, a row for each.
    fn drawn<'g>(scope: &Scope<'g>, stack: Stack) -> Tensor<'g> {
        let (_, bits) = scope.graph().scan(stack.axis, &[], &[], Remat::none(), |step| {
            let key = scope.child("layers").layer(stack, step.index).dropout_key().expect("dropout is on");
            (vec![], vec![key.bits(&[BATCH])])
        });
        bits[0]
    }

    /// The same masks in every second layer, or behind the first few, would not be independent.
    #[test]
    fn dropout_goes_by_the_numbers_of_layers_however_they_are_stacked() {
        let graph = Graph::new();
        let seed = graph.input("seed", DType::U32, &[]);
        let scope = Scope::root(&graph, Precision::uniform(DType::F32), None).with_dropout(RandomKey::new(seed));
        let stack = |size, first, step| Stack { axis: Axis::new("layers", size), first, step };
        let stacks = [stack(6, 0, 1), stack(3, 0, 2), stack(3, 1, 2), stack(2, 4, 1)];
        let outputs = stacks.map(|stack| ("bits", drawn(&scope, stack)));
        let program = graph.lower("dropout", &outputs, &[]).expect("it can be traced");
        let session = runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).expect("there is a CPU");
        let executable = session.compile(&program.name, &program.text, &Default::default()).expect("it compiles");
        let seed = session.upload(&HostTensor::scalar(7u32)).expect("it fits");
        let drawn: Vec<Vec<u32>> = executable
            .execute(&[&seed])
            .expect("it runs")
            .iter()
            .map(|rows| session.download(rows).expect("it fits").to_vec().expect("bits are u32"))
            .collect();
        let layers: Vec<&[u32]> = drawn[0].chunks(BATCH.size).collect();
        for (stack, rows) in stacks.iter().zip(&drawn) {
            for (index, row) in rows.chunks(BATCH.size).enumerate() {
                assert_eq!(row, layers[stack.number(index)], "{stack:?}");
            }
        }
        assert!((1..layers.len()).all(|layer| layers[layer] != layers[0]));
    }
}
