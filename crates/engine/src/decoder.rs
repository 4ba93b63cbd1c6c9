//! Decoding with a cache of keys and values: each token is computed once.

use std::collections::HashMap;

use graph::{Axis, DType, Graph, HostTensor, Init, ParamSpec, Program};
use models::llama::Tokens;
use runtime::{Buffer, Parameters};

use crate::Model;
use crate::error::{Error, Result};
use crate::program::ModelProgram;

/// Prompts are computed in chunks of 16, 32, … up to this many tokens: few programs to compile, and little padding.
const CHUNK_MAX: usize = 256;
const CHUNK_MIN: usize = 16;
/// A cache has at least this many slots, so that short conversations share their programs.
const SLOTS_MIN: usize = 256;

/// What a step's program is compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct StepShape {
    /// Tokens that are computed.
    chunk: usize,
    /// Slots of the cache that are read, from the first on: the time of a step grows with what has been said, not with what the
    /// cache has room for.
    visible: usize,
}

/// Computes the logits after a sequence of tokens, keeping keys and values of what it has seen, so that a longer sequence with the
/// same beginning costs only its new tokens.
pub struct Decoder<'m, 's> {
    model: &'m Model<'s>,
    context: usize,
    /// Tokens whose keys and values are in the first slots of the cache.
    seen: Vec<u32>,
    slots: usize,
    cache: Option<Cache>,
    /// All for `slots` slots.
    steps: HashMap<StepShape, ModelProgram>,
}

/// (layers, batch, kv_heads, key_position, head_dim) each.
struct Cache {
    keys: Buffer,
    values: Buffer,
}

const INPUTS: [&str; 5] = ["tokens", "start", "last", "cache.keys", "cache.values"];

impl<'m, 's> Decoder<'m, 's> {
    /// A decoder for sequences of up to `context` tokens, or up to what the model is meant for.
    ///
    /// # Errors
    /// `context` is 0 or longer than the model's.
    pub fn new(model: &'m Model<'s>, context: Option<usize>) -> Result<Decoder<'m, 's>> {
        let longest = model.config().max_position_embeddings;
        let context = context.unwrap_or(longest);
        if context == 0 || context > longest {
            let rule = format!("it should be from 1 to the model's max_position_embeddings, {longest}");
            return Err(Error::Setting { name: "context", value: context.to_string(), rule });
        }
        Ok(Decoder { model, context, seen: Vec::new(), slots: 0, cache: None, steps: HashMap::new() })
    }

    /// The model.
    pub fn model(&self) -> &'m Model<'s> {
        self.model
    }

    /// The longest sequence, in tokens.
    pub fn context(&self) -> usize {
        self.context
    }

    /// Makes room for continuing a sequence of `tokens` tokens by `more`, and compiles the first step of it. Steps that read more of the
    /// cache are compiled when they come.
    ///
    /// # Errors
    /// They are more than the context, or the device's memory is full.
    pub fn prepare(&mut self, tokens: usize, more: usize) -> Result<()> {
        if tokens + more > self.context {
            return Err(Error::Context { tokens: tokens + more, context: self.context });
        }
        self.reserve(tokens + more)?;
        self.compile(StepShape { chunk: 1, visible: self.visible(tokens) })
    }

    /// How many of these tokens are in the cache already.
    pub fn cached(&self, tokens: &[u32]) -> usize {
        // The last token is always computed: its logits are what is asked for.
        let common = tokens.iter().zip(&self.seen).take_while(|(a, b)| a == b).count();
        common.min(tokens.len().saturating_sub(1))
    }

    /// The logits, one for each token of the vocabulary, of what follows `tokens`.
    ///
    /// # Errors
    /// There are no tokens, too many, or one that the model does not know; or the device fails.
    pub fn logits(&mut self, tokens: &[u32]) -> Result<Vec<f32>> {
        if tokens.is_empty() {
            return Err(Error::EmptyPrompt);
        }
        if tokens.len() > self.context {
            return Err(Error::Context { tokens: tokens.len(), context: self.context });
        }
        self.model.check_tokens(tokens)?;
        self.reserve(tokens.len())?;
        // A step that fails has consumed the cache, or left one that holds an error.
        self.advance(tokens).inspect_err(|_| self.cache = None)
    }

    fn advance(&mut self, tokens: &[u32]) -> Result<Vec<f32>> {
        let mut done = self.cached(tokens);
        let visible = self.visible(tokens.len());
        loop {
            let chunk = chunk_length(tokens.len() - done);
            // Near the end of the cache a chunk begins earlier, on tokens that are there already: a write beyond the end would be
            // moved, not refused.
            let start = done.min(visible - chunk);
            done = tokens.len().min(start + chunk);
            let logits = self.step(&tokens[start..done], StepShape { chunk, visible }, start)?;
            self.seen.truncate(start);
            self.seen.extend_from_slice(&tokens[start..done]);
            if done == tokens.len() {
                let logits = self.model.session().download(&logits)?.to_f32();
                // Every logit is checked here so that sampling need not.
                return match logits.iter().all(|logit| logit.is_finite()) {
                    true => Ok(logits),
                    false => Err(Error::NotFinite { tokens: done, dtype: self.model.dtype() }),
                };
            }
        }
    }

    /// The slots that a step up to the `tokens`-th token reads: few numbers, for few programs.
    fn visible(&self, tokens: usize) -> usize {
        tokens.next_power_of_two().clamp(SLOTS_MIN, self.slots)
    }

    /// Writes the keys and values of `tokens`, padded to the step's chunk, from slot `start` on. The padding's are written too: behind the
    /// last token, where no query looks until a later step has overwritten them.
    fn step(&mut self, tokens: &[u32], shape: StepShape, start: usize) -> Result<Buffer> {
        self.compile(shape)?;
        let session = self.model.session();
        let mut padded: Vec<i32> = tokens.iter().map(|&id| id as i32).collect();
        padded.resize(shape.chunk, 0);
        let ids = HostTensor::from_vec(&[1, shape.chunk], padded).expect("one row of `chunk` tokens");
        let [ids, start, last] = [ids, HostTensor::scalar(start as i32), HostTensor::scalar(tokens.len() as i32 - 1)]
            .map(|x| session.upload(&x));
        let (ids, start, last) = (ids?, start?, last?);
        let cache = self.cache.take().expect("`reserve` comes before a step, and each step puts the cache back");
        let inputs = [&ids, &start, &last, &cache.keys, &cache.values];
        let mut outputs = self.steps[&shape].run(self.model, &inputs)?;
        let (Some(values), Some(keys), Some(logits)) = (outputs.pop(), outputs.pop(), outputs.pop()) else {
            unreachable!("a step gives logits, keys and values");
        };
        self.cache = Some(Cache { keys, values });
        Ok(logits)
    }

    /// Makes the cache hold `tokens` tokens; a larger cache begins empty.
    fn reserve(&mut self, tokens: usize) -> Result<()> {
        if tokens > self.slots {
            let most = self.context.max(SLOTS_MIN);
            self.slots = tokens.next_power_of_two().clamp(SLOTS_MIN, most);
            self.seen.clear();
            self.steps.clear();
            self.cache = None;
        }
        if self.cache.is_none() {
            self.seen.clear();
            self.cache = Some(self.empty_cache()?);
        }
        Ok(())
    }

    fn empty_cache(&self) -> Result<Cache> {
        let graph = Graph::new();
        let ty = self.model.llama().cache_inputs(&self.model.scope(&graph), 1, self.slots).keys.ty();
        let spec = ParamSpec { name: "cache".into(), dtype: ty.dtype, axes: ty.axes, stack: None, init: Init::Zeros };
        let mut parameters = Parameters::new(self.model.session());
        Ok(Cache { keys: parameters.zeros(&spec)?, values: parameters.zeros(&spec)? })
    }

    fn compile(&mut self, shape: StepShape) -> Result<()> {
        if !self.steps.contains_key(&shape) {
            let program = step_program(self.model, shape, self.slots)?;
            self.steps.insert(shape, ModelProgram::compile(self.model, &program, &INPUTS)?);
        }
        Ok(())
    }
}

/// Of how many tokens the next step is when `left` are to be computed.
fn chunk_length(left: usize) -> usize {
    match left {
        0 | 1 => 1,
        left => left.next_power_of_two().clamp(CHUNK_MIN, CHUNK_MAX),
    }
}

/// Arguments [`INPUTS`] and the parameters; results: logits (batch, vocab) of the token at `last`, keys, values.
fn step_program(model: &Model<'_>, shape: StepShape, slots: usize) -> Result<Program> {
    let graph = Graph::new();
    let scope = model.scope(&graph);
    let axes = [Axis::new("batch", 1), Axis::new("position", shape.chunk)];
    let ids = graph.input("tokens", DType::I32, &axes);
    let start = graph.input("start", DType::I32, &[]);
    let last = graph.input("last", DType::I32, &[]);
    let cache = model.llama().cache_inputs(&scope, 1, slots);
    let positions = (graph.iota(axes[1], DType::I32) + start).broadcast(&axes);
    let tokens = Tokens { ids, positions, segments: None };
    let (logits, next) = model.llama().step(&scope, tokens, start, last, cache, shape.visible);
    let outputs = [("logits", logits.cast(DType::F32)), ("keys", next.keys), ("values", next.values)];
    let name = if shape.chunk == 1 { "decode" } else { "prefill" };
    Ok(graph.lower(name, &outputs, &[(cache.keys, 1), (cache.values, 2)])?)
}
