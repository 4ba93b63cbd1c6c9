//! The tensors of a model as they are written: adapters merged, in the element type asked for.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use checkpoint::{ModelSource, Scaling, TensorSpec, cast};
use graph::{Axis, DType, Graph, HostTensor, Program, Tensor};
use models::LinearModule;
use runtime::{CompileOptions, Executable, Session};

use super::ExportError;

/// A model without its adapter's folder: `W + scale B A` in place of each adapted `W`.
pub(super) struct StandAlone<'s> {
    session: &'s Session,
    source: &'s ModelSource,
    dtype: Option<DType>,
    scalings: BTreeMap<String, Scaling>,
    /// Modules whose weight is stored as (inputs, outputs).
    transposed: BTreeSet<String>,
    programs: HashMap<String, Executable>,
}

impl<'s> StandAlone<'s> {
    /// The tensors of `source`, in `dtype` or as they are stored.
    pub(super) fn new(
        session: &'s Session,
        source: &'s ModelSource,
        dtype: Option<DType>,
    ) -> Result<StandAlone<'s>, ExportError> {
        let scalings = source.scalings()?;
        let linear = crate::model::describe(source)?.linear_modules().map_err(crate::Error::from)?;
        let transposed = linear.iter().filter(|module| module.transposed).flat_map(LinearModule::paths).collect();
        Ok(StandAlone { session, source, dtype, scalings, transposed, programs: HashMap::new() })
    }

    pub(super) fn session(&self) -> &'s Session {
        self.session
    }

    /// The model and its adapter.
    pub(super) fn source(&self) -> &'s ModelSource {
        self.source
    }

    pub(super) fn merged_modules(&self) -> usize {
        self.scalings.len()
    }

    /// How a tensor is written.
    pub(super) fn spec(&self, name: &str) -> Result<TensorSpec, ExportError> {
        let stored = self.source.tensor(name)?;
        Ok(TensorSpec::new(name, self.dtype.unwrap_or(stored.dtype()), stored.shape()))
    }

    /// Whether the written tensor is a rounding of what the live model, which computes in f32, computes with.
    pub(super) fn is_rounded(&self, name: &str) -> Result<bool, ExportError> {
        let computed = if self.scaling(name).is_some() { DType::F32 } else { self.source.tensor(name)?.dtype() };
        let written = self.spec(name)?.dtype;
        Ok(written.size() == 2 && written != computed)
    }

    /// The tensor as it is written.
    pub(super) fn tensor(&mut self, name: &str) -> Result<HostTensor<'s>, ExportError> {
        let to = self.spec(name)?.dtype;
        let base = self.source.tensor(name)?;
        let tensor = match self.scaling(name) {
            Some(scaling) => {
                let factors = self.factors(name)?;
                let product = Product { scale: scaling.scale, transposed: self.is_transposed(name) };
                self.run(&merge_program(&base, &factors, product, to), &[&base, &factors[0], &factors[1]])?
            }
            None => cast(base, to)?,
        };
        if to == DType::F16 && has_infinity(&tensor) {
            return Err(ExportError::Overflow { name: name.to_owned() });
        }
        Ok(tensor)
    }

    /// What the base would have to hold for base and adapter together to be the written tensor: `W` and the error that rounding
    /// `W + scale B A` made. It is a small correction of `W` whatever the merging did, so a wrong merge is not taken back by it.
    pub(super) fn base_as_rounded(&mut self, name: &str) -> Result<HostTensor<'s>, ExportError> {
        // Rounded by a program of its own: inside of one, XLA is free to leave out a conversion and its inverse.
        let rounded = self.tensor(name)?;
        let Some(scaling) = self.scaling(name) else { return Ok(rounded) };
        let base = self.source.tensor(name)?;
        let factors = self.factors(name)?;
        let product = Product { scale: scaling.scale, transposed: self.is_transposed(name) };
        let program = correction_program(&base, &factors, product, &rounded);
        self.run(&program, &[&base, &factors[0], &factors[1], &rounded])
    }

    /// Rank and scale of the adapter that changes a tensor of the base.
    pub(super) fn scaling(&self, name: &str) -> Option<Scaling> {
        self.scalings.get(name.strip_suffix(".weight")?).copied()
    }

    fn is_transposed(&self, name: &str) -> bool {
        name.strip_suffix(".weight").is_some_and(|module| self.transposed.contains(module))
    }

    /// A and B of the adapter that changes a tensor of the base.
    fn factors(&self, name: &str) -> Result<[HostTensor<'s>; 2], ExportError> {
        let module = name.strip_suffix(".weight").unwrap_or(name);
        let factor = |letter| self.source.tensor(&format!("{module}.lora_{letter}.weight"));
        Ok([factor('A')?, factor('B')?])
    }

    fn run(&mut self, program: &Program, inputs: &[&HostTensor<'_>]) -> Result<HostTensor<'static>, ExportError> {
        if !self.programs.contains_key(&program.text) {
            let compiled = self.session.compile(&program.name, &program.text, &CompileOptions::default())?;
            self.programs.insert(program.text.clone(), compiled);
        }
        let inputs = inputs.iter().map(|tensor| self.session.upload(tensor)).collect::<Result<Vec<_>, _>>()?;
        let arguments: Vec<_> = inputs.iter().collect();
        let outputs = self.programs[&program.text].execute(&arguments).map_err(runtime::Error::from)?;
        Ok(self.session.download(&outputs[0])?)
    }
}

const OUTPUT: &str = "output";
const INPUT: &str = "input";
const RANK: &str = "rank";

/// What an adapter adds to a weight.
#[derive(Clone, Copy)]
struct Product {
    scale: f64,
    /// Whether the weight is stored as (input, output).
    transposed: bool,
}

impl Product {
    /// The axes of `W` (output, input), or the other way round, of A (rank, input) and of B (output, rank).
    fn axes(self, [a, b]: &[HostTensor<'_>; 2]) -> [[Axis; 2]; 3] {
        let (output, input) = (Axis::new(OUTPUT, b.shape()[0]), Axis::new(INPUT, a.shape()[1]));
        let rank = Axis::new(RANK, a.shape()[0]);
        [if self.transposed { [input, output] } else { [output, input] }, [rank, input], [output, rank]]
    }

    /// `scale B A`, with the axes of `base`.
    fn of<'g>(self, base: Tensor<'g>, a: Tensor<'g>, b: Tensor<'g>) -> Tensor<'g> {
        let order: Vec<&'static str> = base.axes().iter().map(|axis| axis.name).collect();
        (b.dot(a, &[RANK]) * self.scale).transpose(&order)
    }
}

/// `W + scale B A`, computed in f32 (f64 for an f64 result) and rounded once.
fn merge_program(base: &HostTensor<'_>, factors: &[HostTensor<'_>; 2], product: Product, to: DType) -> Program {
    let [of_base, of_a, of_b] = product.axes(factors);
    let [a, b] = factors;
    let wide = if to == DType::F64 { DType::F64 } else { DType::F32 };
    let graph = Graph::new();
    let input = |name, tensor: &HostTensor<'_>, axes: &[Axis]| graph.input(name, tensor.dtype(), axes).cast(wide);
    let (base, a, b) = (input("base", base, &of_base), input("a", a, &of_a), input("b", b, &of_b));
    let merged = base + product.of(base, a, b);
    lower(&graph, "merge", merged.cast(to))
}

/// `W + (rounded - (W + scale B A))`, in f32.
fn correction_program(
    base: &HostTensor<'_>,
    factors: &[HostTensor<'_>; 2],
    product: Product,
    rounded: &HostTensor<'_>,
) -> Program {
    let [of_base, of_a, of_b] = product.axes(factors);
    let [a, b] = factors;
    let graph = Graph::new();
    let input = |name, tensor: &HostTensor<'_>, axes: &[Axis]| graph.input(name, tensor.dtype(), axes).cast(DType::F32);
    let (base, a, b) = (input("base", base, &of_base), input("a", a, &of_a), input("b", b, &of_b));
    let rounded = input("rounded", rounded, &of_base);
    lower(&graph, "rounding_error", base + (rounded - (base + product.of(base, a, b))))
}

fn lower(graph: &Graph, name: &str, result: graph::Tensor<'_>) -> Program {
    graph.lower(name, &[("result", result)], &[]).expect("a fixed program over checked shapes is well-formed")
}

/// Whether an f16 tensor holds an infinity.
fn has_infinity(tensor: &HostTensor<'_>) -> bool {
    tensor.bytes().chunks_exact(2).any(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]) & 0x7fff == 0x7c00)
}
