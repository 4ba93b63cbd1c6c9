//! Does a written model compute what the live one does?

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use checkpoint::ModelSource;
use graph::{Axis, DType, Graph, HostTensor, ParamSpec, Program};
use models::{LanguageModel, LinearModule, Lora, Precision, Products, Scope, Tokens};
use runtime::{Array, Arrays, BoundProgram, Parameters, Session};

use super::ExportError;
use super::merging::StandAlone;
use crate::model::model_of;

/// Lengths of the documents that are compared, packed into one row: single tokens, and contexts that attention has to mix.
const DOCUMENT_LENGTHS: [usize; 6] = [1, 2, 7, 22, 32, 64];
const PROBE_TOKENS: usize = 128;
/// Tokens whose logits are computed at a time.
const VOCAB_PART: usize = 2048;

/// The greatest difference of log-probabilities that is allowed, in nats. Merged weights are rounded to f32 at least once, and what that
/// moves is `2^-15` of what rounding to bf16 would: only a model that bf16 ruins, by 3 nats, comes near.
const TOLERANCE: f32 = 1e-4;

/// Log-probabilities of the written model beside those of the live one, base and adapter, on fixed token sequences that sample the
/// whole vocabulary.
///
/// Both compute in f64, so that only the weights can make a difference. In f32 the order of summation alone, which differs between
/// `W x + scale B (A x)` and `(W + scale B A) x`, exceeds 1e-4 in models whose attention is sharp.
///
/// Writing 16-bit weights rounds them, and how far that moves log-probabilities depends on the model, so no tolerance for it would tell
/// a rounded model from a wrong one: an adapter's whole effect may be smaller. Hence the live model is given the same rounding: each base
/// weight `W` is moved by `round(W + scale B A) - (W + scale B A)`, at most half a unit in the last place, and its adapter is applied as
/// always. Then one tolerance holds for every element type, and a wrong scale, a module left out or a damaged file exceeds it.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// The greatest difference to the live model with its weights rounded alike.
    pub difference: Difference,
    /// The greatest absolute difference to the live model as it is, where weights were rounded: what rounding costs, in nats.
    pub rounding: Option<f32>,
}

impl Agreement {
    /// Whether the written model is the live one.
    pub fn holds(&self) -> bool {
        self.difference.nats <= TOLERANCE
    }
}

/// Where two models differ most.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Absolute difference of the log-probabilities, in nats; infinite where one is no number.
    pub nats: f32,
    /// Log-probability under the live model.
    pub live: f32,
    /// Log-probability under the written model.
    pub written: f32,
    /// The token that has these log-probabilities.
    pub token: usize,
    /// Number of tokens before it.
    pub context: usize,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { nats, live, written, token, context } = self;
        if !live.is_finite() {
            return write!(f, "after {context} tokens the live model itself gives token {token} no probability");
        }
        write!(
            f,
            "after {context} tokens the log-probability of token {token} is {written} and should be {live}, \
             a difference of {nats:.1e} where {TOLERANCE:.0e} is allowed"
        )
    }
}

/// What a folder's configuration makes of its tensors.
#[derive(Debug)]
pub(super) struct Architecture {
    model: LanguageModel,
    lora: Option<Lora>,
}

impl Architecture {
    /// Reads the configurations of model and adapter, and checks that the tensors are those that they ask for.
    pub(super) fn of(source: &ModelSource) -> crate::Result<Architecture> {
        let (model, lora) = model_of(source)?;
        let architecture = Architecture { model, lora };
        source.check(&architecture.params(DType::F32)?)?;
        Ok(architecture)
    }

    pub(super) fn model(&self) -> &LanguageModel {
        &self.model
    }

    /// The adapters.
    pub(super) fn lora(&self) -> Option<&Lora> {
        self.lora.as_ref()
    }

    /// The linear modules.
    pub(super) fn linear_modules(&self) -> crate::Result<Vec<LinearModule>> {
        Ok(self.model.adaptable_modules()?)
    }

    /// The names of the model's tensors, without those of the adapter, in an order that keeps a layer's together.
    pub(super) fn base_names(&self) -> crate::Result<BTreeSet<String>> {
        let params = self.params(DType::F32)?;
        let is_adapter = |spec: &&ParamSpec| self.lora.as_ref().is_some_and(|lora| lora.adds(spec));
        Ok(params.iter().filter(|spec| !is_adapter(spec)).flat_map(ParamSpec::checkpoint_names).collect())
    }

    /// Layers are converted to f64 one at a time; the model's own parameters are held in `held`.
    fn precision(&self, held: DType) -> Precision {
        Precision { compute: DType::F64, model: held, adapters: DType::F32, products: Products::AsComputed }
    }

    fn params(&self, held: DType) -> crate::Result<Vec<ParamSpec>> {
        Ok(self.model.params(self.precision(held), self.lora.as_ref())?)
    }

    /// Whether the output layer has an adapter.
    fn adapts_head(&self) -> bool {
        self.lora.as_ref().is_some_and(|lora| lora.modules.contains_key(self.model.head().path))
    }

    /// The program that gives what the output weight is multiplied by, f64 (batch, position, embed), or the logits where it has an adapter.
    fn program(&self, held: DType) -> crate::Result<Program> {
        let graph = Graph::new();
        let scope = Scope::root(&graph, self.precision(held), self.lora.clone());
        let axes = [Axis::new("batch", 1), Axis::new("position", PROBE_TOKENS)];
        let [ids, positions, segments] = Probe::NAMES.map(|name| graph.input(name, DType::I32, &axes));
        let tokens = Tokens { ids, positions, segments: Some(segments), lengths: None };
        let hidden =
            if self.adapts_head() { self.model.logits(&scope, tokens) } else { self.model.hidden(&scope, tokens) };
        Ok(graph.lower("hidden", &[("hidden", hidden)], &[])?)
    }

    /// The program that gives the logits, f64 (batch, position, vocab), of a part of the vocabulary. The whole output weight in f64, and what
    /// multiplying it takes beside, would be larger than anything else here.
    fn output_program(&self, held: DType, part: usize) -> crate::Result<Program> {
        let graph = Graph::new();
        let (head, sizes) = (self.model.head(), self.model.sizes());
        let (vocab, embed) = (Axis::new("vocab", sizes.vocab_size), Axis::new("embed", sizes.hidden_size));
        let position = Axis::new("position", PROBE_TOKENS);
        let hidden = graph.input("hidden", DType::F64, &[Axis::new("batch", 1), position, embed]);
        let start = graph.input("start", DType::I32, &[]);
        let weight = graph.input(&head.weight(), held, &[vocab, embed]);
        let weight = weight.dynamic_slice(&[("vocab", start, part)]).cast(DType::F64);
        let product = hidden.dot(weight, &["embed"]);
        Ok(graph.lower("output", &[("logits", head.finish(product))], &[])?)
    }

    /// Loads the model through `read`, by the names of checkpoints, and runs it on the probe.
    fn log_probabilities<'t>(
        &self,
        session: &Session,
        held: DType,
        mut read: impl FnMut(&str) -> Result<HostTensor<'t>, ExportError>,
    ) -> Result<Vec<f32>, ExportError> {
        let program = self.program(held)?;
        let mut arrays = Arrays::new();
        let bound = BoundProgram::compile(session, &program, &Arrays::new(), &mut arrays)?;
        let mut loader = Parameters::new(session);
        for array in self.params(held)?.iter().flat_map(|spec| spec.arrays(&[])) {
            arrays.insert(&array.name, loader.load(&array, &mut read)?);
        }
        for (name, tensor) in Probe::new(self.model.sizes().vocab_size).tensors() {
            arrays.upload(session, name, &tensor)?;
        }
        let hidden = bound.run(&Arrays::new(), &mut arrays)?.remove(0);
        let logits = match self.adapts_head() {
            true => hidden.download(session)?.to_vec::<f64>().expect("the program's result is in f64"),
            false => self.logits(session, held, &arrays, hidden)?,
        };
        Ok(logits.chunks(self.model.sizes().vocab_size).flat_map(log_softmax).collect())
    }

    /// Logits (position, vocab), part of the vocabulary by part.
    fn logits(&self, session: &Session, held: DType, params: &Arrays, hidden: Array) -> Result<Vec<f64>, ExportError> {
        let vocab = self.model.sizes().vocab_size;
        let part = VOCAB_PART.min(vocab);
        let mut own = Arrays::new();
        let program = BoundProgram::compile(session, &self.output_program(held, part)?, params, &mut own)?;
        own.insert("hidden", hidden);
        let mut logits = vec![0.0; PROBE_TOKENS * vocab];
        for first in (0..vocab).step_by(part) {
            // The last part is moved back to be as large as the others.
            let first = first.min(vocab - part);
            own.upload(session, "start", &HostTensor::scalar(first as i32))?;
            let outputs = program.run(params, &mut own)?;
            let found = outputs[0].download(session)?;
            let found = found.to_vec::<f64>().expect("the program's result is in f64");
            for (row, found) in logits.chunks_mut(vocab).zip(found.chunks(part)) {
                row[first..first + part].copy_from_slice(found);
            }
        }
        Ok(logits)
    }
}

/// Logits as logarithms of probabilities.
fn log_softmax(logits: &[f64]) -> impl Iterator<Item = f32> {
    let highest = logits.iter().copied().max_by(f64::total_cmp).unwrap_or(f64::NEG_INFINITY);
    let sum: f64 = logits.iter().map(|logit| (logit - highest).exp()).sum();
    logits.iter().map(move |logit| (logit - highest - sum.ln()) as f32)
}

/// Compares the model in the folder `written` with the live one, which `tensors` are made of.
pub(super) fn compare_with_live(
    tensors: &mut StandAlone<'_>,
    architecture: &Architecture,
    written: &Path,
) -> Result<Agreement, ExportError> {
    let (session, source) = (tensors.session(), tensors.source());
    let names = architecture.base_names()?;
    let mut any_rounded = false;
    for name in &names {
        any_rounded |= tensors.is_rounded(name)?;
    }
    let held = exact_type(&names, |name| Ok(source.tensor(name)?.dtype()))?;
    let live = architecture.log_probabilities(session, held, |name| Ok(source.tensor(name)?))?;
    source.model().let_go();

    let written = ModelSource::open(written, None)?;
    let stand_alone = Architecture::of(&written)?;
    let held = exact_type(&names, |name| Ok(written.tensor(name)?.dtype()))?;
    let found = stand_alone.log_probabilities(session, held, |name| Ok(written.tensor(name)?))?;
    drop(written);

    let vocab = architecture.model.sizes().vocab_size;
    if !any_rounded {
        return Ok(Agreement { difference: greatest_difference(&live, &found, vocab), rounding: None });
    }
    // The correction of an adapted weight is below what 16 bits hold.
    let held = exact_type(&names, |name| match tensors.is_adapted(name) {
        true => Ok(DType::F32),
        false => Ok(tensors.spec(name)?.dtype),
    })?;
    let rounded_alike = architecture.log_probabilities(session, held, |name| match names.contains(name) {
        true => tensors.base_as_rounded(name),
        false => tensors.adapter_as_rounded(name),
    })?;
    let rounding = live.iter().zip(&found).map(|(live, found)| (live - found).abs()).max_by(f32::total_cmp);
    Ok(Agreement { difference: greatest_difference(&rounded_alike, &found, vocab), rounding })
}

/// The type in which a device holds tensors of 16 and 32 bits exactly: their own if they agree on a narrow one, else f32. Those of 64 are
/// rounded to it.
fn exact_type(
    names: &BTreeSet<String>,
    dtype: impl Fn(&str) -> Result<DType, ExportError>,
) -> Result<DType, ExportError> {
    let types = names.iter().map(|name| dtype(name)).collect::<Result<BTreeSet<DType>, _>>()?;
    Ok(match types.first() {
        Some(&dtype) if types.len() == 1 && dtype.size() == 2 => dtype,
        _ => DType::F32,
    })
}

/// Where two results (position, vocab) differ most.
fn greatest_difference(live: &[f32], written: &[f32], vocab: usize) -> Difference {
    let contexts = DOCUMENT_LENGTHS.iter().flat_map(|length| 0..*length);
    let mut worst: Option<Difference> = None;
    for ((live, written), position) in live.chunks(vocab).zip(written.chunks(vocab)).zip(contexts) {
        for (token, (&live, &written)) in live.iter().zip(written).enumerate() {
            let nats = (live - written).abs();
            let nats = if nats.is_nan() { f32::INFINITY } else { nats };
            if worst.as_ref().is_none_or(|worst| nats > worst.nats) {
                worst = Some(Difference { nats, live, written, token, context: position + 1 });
            }
        }
    }
    worst.expect("there is a position, and a token in the vocabulary")
}

/// The tokens that models are compared on: i32 (batch 1, position).
struct Probe {
    ids: Vec<i32>,
    positions: Vec<i32>,
    segments: Vec<i32>,
}

impl Probe {
    const NAMES: [&'static str; 3] = ["tokens", "positions", "segments"];

    fn new(vocab: usize) -> Probe {
        // Evenly over the vocabulary, both ends included, in an order that has nothing to do with it: 37 and 128 are coprime.
        let id = |i: usize| (i * 37 % PROBE_TOKENS * (vocab - 1) / (PROBE_TOKENS - 1)) as i32;
        let numbered = DOCUMENT_LENGTHS.iter().zip(1..);
        Probe {
            ids: (0..PROBE_TOKENS).map(id).collect(),
            positions: DOCUMENT_LENGTHS.iter().flat_map(|&length| 0..length as i32).collect(),
            segments: numbered.flat_map(|(&length, document)| std::iter::repeat_n(document, length)).collect(),
        }
    }

    fn tensors(&self) -> [(&'static str, HostTensor<'_>); 3] {
        let tensor = |values| HostTensor::from_slice(&[1, PROBE_TOKENS], values);
        let tensor = |values| tensor(values).expect("the documents' lengths add up to the number of tokens");
        let [ids, positions, segments] = Probe::NAMES;
        [(ids, tensor(&self.ids)), (positions, tensor(&self.positions)), (segments, tensor(&self.segments))]
    }
}
