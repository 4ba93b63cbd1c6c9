//! The tensors of a model as they are written: adapters merged, in the element type asked for.

use std::collections::BTreeMap;

use checkpoint::{ModelSource, TensorSpec, cast};
use graph::{Axis, DType, Graph, HostTensor, Tensor};
use models::{Lora, LoraModule, divisor, row_norms};
use runtime::Session;

use super::ExportError;
use super::agreement::Architecture;
use crate::host_programs::HostPrograms;

/// A model without its adapter's folder: `W + scale B A` in place of each adapted `W`, with DoRA's magnitudes for the norms of its rows, and
/// of what was trained in full what it was trained to.
pub(super) struct StandAlone<'s> {
    source: &'s ModelSource,
    dtype: Option<DType>,
    /// By the names of the weights.
    adapted: BTreeMap<String, Adapted>,
    programs: HostPrograms<'s>,
}

/// The adapter of a weight.
#[derive(Clone, Debug)]
struct Adapted {
    module: String,
    scale: f64,
    /// Whether the weight is stored as (inputs, outputs).
    transposed: bool,
    dora: bool,
}

impl<'s> StandAlone<'s> {
    /// The tensors of `source`, of which `architecture` is known, in `dtype` or as they are stored.
    pub(super) fn new(
        session: &'s Session,
        source: &'s ModelSource,
        architecture: &Architecture,
        dtype: Option<DType>,
    ) -> Result<StandAlone<'s>, ExportError> {
        let mut adapted = BTreeMap::new();
        if let Some(lora) = architecture.lora() {
            for linear in architecture.linear_modules()? {
                for (module, weight) in linear.paths().into_iter().zip(linear.weights()) {
                    if let Some(LoraModule { scale, .. }) = lora.modules.get(&module).copied() {
                        let (transposed, dora) = (linear.transposed, lora.dora);
                        adapted.insert(weight, Adapted { module, scale, transposed, dora });
                    }
                }
            }
        }
        Ok(StandAlone { source, dtype, adapted, programs: HostPrograms::new(session) })
    }

    pub(super) fn session(&self) -> &'s Session {
        self.programs.session()
    }

    /// The model and its adapter.
    pub(super) fn source(&self) -> &'s ModelSource {
        self.source
    }

    pub(super) fn merged_modules(&self) -> usize {
        self.adapted.len()
    }

    /// How a tensor is written: like the base's, whatever the adapter's file holds.
    pub(super) fn spec(&self, name: &str) -> Result<TensorSpec, ExportError> {
        let stored = self.source.model().tensor(name)?;
        Ok(TensorSpec::new(name, self.dtype.unwrap_or(stored.dtype()), stored.shape()))
    }

    /// Whether the written tensor is a rounding of what the live model, which computes in f32, computes with.
    pub(super) fn is_rounded(&self, name: &str) -> Result<bool, ExportError> {
        let computed = if self.is_adapted(name) { DType::F32 } else { self.source.tensor(name)?.dtype() };
        let written = self.spec(name)?.dtype;
        Ok(written.size() == 2 && written != computed)
    }

    /// Whether an adapter changes a tensor of the base.
    pub(super) fn is_adapted(&self, name: &str) -> bool {
        self.adapted.contains_key(name)
    }

    /// The tensor as it is written.
    pub(super) fn tensor(&mut self, name: &str) -> Result<HostTensor<'s>, ExportError> {
        let to = self.spec(name)?.dtype;
        let tensor = match self.adapted.get(name).cloned() {
            Some(adapted) => self.run_merge(name, &adapted, &[], |merge| merge.merged(to))?,
            None => cast(self.source.tensor(name)?, to)?,
        };
        if to == DType::F16 && has_infinity(&tensor) {
            return Err(ExportError::Overflow { name: name.to_owned() });
        }
        Ok(tensor)
    }

    /// What the base would have to hold for base and adapter together to be the written tensor: `W` and the error that rounding
    /// what was merged made. It is a small correction of `W` whatever the merging did, so a wrong merge is not taken back by it.
    pub(super) fn base_as_rounded(&mut self, name: &str) -> Result<HostTensor<'s>, ExportError> {
        // Rounded by a program of its own: inside of one, XLA is free to leave out a conversion and its inverse.
        let rounded = self.tensor(name)?;
        let Some(adapted) = self.adapted.get(name).cloned() else { return Ok(rounded) };
        self.run_merge(name, &adapted, &[("rounded", &rounded)], |merge| merge.corrected_base())
    }

    /// What the adapter would have to hold for the same: DoRA's magnitudes are the norms of the written rows.
    pub(super) fn adapter_as_rounded(&mut self, name: &str) -> Result<HostTensor<'s>, ExportError> {
        let of_module = |adapted: &Adapted| Lora::module_of_magnitude(name) == Some(&adapted.module);
        let Some((weight, adapted)) = self.adapted.iter().find(|(_, adapted)| of_module(adapted)) else {
            return Ok(self.source.tensor(name)?);
        };
        let (weight, adapted) = (weight.clone(), adapted.clone());
        let rounded = self.tensor(&weight)?;
        self.run_merge(&weight, &adapted, &[("rounded", &rounded)], |merge| merge.corrected_magnitude())
    }

    /// Runs a program over a weight, its adapter, and what else is of the weight's shape.
    fn run_merge(
        &mut self,
        weight: &str,
        adapted: &Adapted,
        more: &[(&'static str, &HostTensor<'_>)],
        trace: impl for<'g> FnOnce(&Merge<'g>) -> Tensor<'g>,
    ) -> Result<HostTensor<'s>, ExportError> {
        let part = |name: &str| self.source.tensor(&format!("{}{name}", adapted.module));
        let (base, a, b) = (self.source.tensor(weight)?, part(".lora_A.weight")?, part(".lora_B.weight")?);
        let magnitude = if adapted.dora { Some(part(checkpoint::MAGNITUDE)?) } else { None };
        let [rank, inputs] = [a.shape()[0], a.shape()[1]];
        let (output, input, rank) = (Axis::new(OUTPUT, b.shape()[0]), Axis::new(INPUT, inputs), Axis::new(RANK, rank));
        let stored = if adapted.transposed { [input, output] } else { [output, input] };
        let wide = if self.spec(weight)?.dtype == DType::F64 { DType::F64 } else { DType::F32 };
        let graph = Graph::new();
        let declare = |name, tensor: &HostTensor<'_>, axes: &[Axis]| graph.input(name, tensor.dtype(), axes).cast(wide);
        let merge = Merge {
            base: declare("base", &base, &stored),
            a: declare("a", &a, &[rank, input]),
            b: declare("b", &b, &[output, rank]),
            magnitude: magnitude.as_ref().map(|magnitude| declare("magnitude", magnitude, &[output])),
            more: more.iter().map(|(name, tensor)| declare(name, tensor, &stored)).collect(),
            scale: adapted.scale,
        };
        let result = trace(&merge);
        let program = graph.lower("merge", &[("result", result)], &[]);
        let program = program.expect("a fixed program over checked shapes is well-formed");
        let inputs: Vec<_> =
            [&base, &a, &b].into_iter().chain(&magnitude).chain(more.iter().map(|(_, x)| *x)).collect();
        Ok(self.programs.run(&program, &inputs)?)
    }
}

const OUTPUT: &str = "output";
const INPUT: &str = "input";
const RANK: &str = "rank";

/// The parts of a merged weight, in f32 at least.
struct Merge<'g> {
    /// (output, input), or the other way round.
    base: Tensor<'g>,
    /// (rank, input).
    a: Tensor<'g>,
    /// (output, rank).
    b: Tensor<'g>,
    /// (output).
    magnitude: Option<Tensor<'g>>,
    /// Axes of `base`.
    more: Vec<Tensor<'g>>,
    scale: f64,
}

impl<'g> Merge<'g> {
    /// `W + scale B A`, with axes as in `W`.
    fn sum(&self) -> Tensor<'g> {
        self.b.dot(self.a, &[RANK]) * self.scale + self.base
    }

    /// What DoRA multiplies its rows with.
    fn stretch(&self, sum: Tensor<'g>) -> Option<Tensor<'g>> {
        Some(self.magnitude? / divisor(row_norms(sum, INPUT)))
    }

    /// The merged weight, rounded once.
    fn merged(&self, to: DType) -> Tensor<'g> {
        let sum = self.sum();
        self.stretch(sum).map_or(sum, |stretch| sum * stretch).cast(to)
    }

    /// `W` and the error that rounding made, before DoRA's stretching.
    fn corrected_base(&self) -> Tensor<'g> {
        let (sum, rounded) = (self.sum(), self.more[0]);
        let error = match self.stretch(sum) {
            None => rounded - sum,
            Some(stretch) => (rounded - sum * stretch) / divisor(stretch),
        };
        self.base + error
    }

    /// The magnitudes, moved as rounding has moved the norms.
    fn corrected_magnitude(&self) -> Tensor<'g> {
        let magnitude = self.magnitude.expect("only DoRA's adapters have one");
        let merged = row_norms(self.merged(magnitude.dtype()), INPUT);
        magnitude * (row_norms(self.more[0], INPUT) / divisor(merged))
    }
}

/// Whether an f16 tensor holds an infinity.
fn has_infinity(tensor: &HostTensor<'_>) -> bool {
    tensor.bytes().chunks_exact(2).any(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]) & 0x7fff == 0x7c00)
}
