//! Decoding with a cache of keys and values: each token is computed once.

use std::collections::HashMap;

use graph::{Axis, DType, Graph, HostTensor, Program};
use models::llama::Tokens;
use runtime::{Array, Arrays, BoundProgram, Parameters};

use crate::error::{Error, Result};
use crate::{Model, ModelPlan};

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
    /// A step's arguments besides the parameters: the cache, if `has_cache`, and the tokens.
    arrays: Arrays,
    has_cache: bool,
    /// All for `slots` slots.
    steps: HashMap<StepShape, BoundProgram>,
}

const TOKENS: &str = "tokens";
const START: &str = "start";
const LAST: &str = "last";

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
        let (seen, arrays, steps) = Default::default();
        Ok(Decoder { model, context, seen, slots: 0, arrays, has_cache: false, steps })
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
        self.advance(tokens).inspect_err(|_| self.has_cache = false)
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
                let logits = self.model.session().download(logits.buffer())?.to_f32();
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
    fn step(&mut self, tokens: &[u32], shape: StepShape, start: usize) -> Result<Array> {
        self.compile(shape)?;
        let session = self.model.session();
        let mut padded: Vec<i32> = tokens.iter().map(|&id| id as i32).collect();
        padded.resize(shape.chunk, 0);
        let ids = HostTensor::from_vec(&[1, shape.chunk], padded).expect("one row of `chunk` tokens");
        self.arrays.upload(session, TOKENS, &ids)?;
        self.arrays.upload(session, START, &HostTensor::scalar(start as i32))?;
        self.arrays.upload(session, LAST, &HostTensor::scalar(tokens.len() as i32 - 1))?;
        let mut results = self.steps[&shape].run(self.model.params(), &mut self.arrays)?;
        Ok(results.pop().expect("a step gives logits besides the cache"))
    }

    /// Makes the cache hold `tokens` tokens; a larger cache begins empty.
    fn reserve(&mut self, tokens: usize) -> Result<()> {
        if tokens > self.slots {
            let most = self.context.max(SLOTS_MIN);
            self.slots = tokens.next_power_of_two().clamp(SLOTS_MIN, most);
            self.seen.clear();
            self.steps.clear();
            self.has_cache = false;
        }
        if !self.has_cache {
            self.seen.clear();
            self.empty_cache()?;
        }
        Ok(())
    }

    fn empty_cache(&mut self) -> Result<()> {
        let mut parameters = Parameters::new(self.model.session());
        let plan = self.model.plan();
        let specs = plan.llama.cache_specs(plan.dtype, 1, self.slots);
        for array in specs.iter().flat_map(|spec| spec.arrays(plan.layers.unrolled())) {
            self.arrays.remove(&array.name);
            self.arrays.insert(&array.name, parameters.zeros(&array)?);
        }
        self.has_cache = true;
        Ok(())
    }

    fn compile(&mut self, shape: StepShape) -> Result<()> {
        if !self.steps.contains_key(&shape) {
            let program = step_program(self.model.plan(), shape, self.slots)?;
            let (session, params) = (self.model.session(), self.model.params());
            self.steps.insert(shape, BoundProgram::compile(session, &program, params, &mut self.arrays)?);
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

/// The program that computes one token's logits with a cache that has room for a sequence of `tokens` tokens.
///
/// # Errors
/// A configuration that no graph can be traced from.
pub fn decode_program(plan: &ModelPlan, tokens: usize) -> Result<Program> {
    let slots = tokens.next_power_of_two().max(SLOTS_MIN);
    step_program(plan, StepShape { chunk: 1, visible: slots }, slots)
}

/// Arguments: the tokens, the slot of the first, the position of the last, the cache and the parameters. Results: logits (batch, vocab) of
/// the last token, and the cache.
fn step_program(plan: &ModelPlan, shape: StepShape, slots: usize) -> Result<Program> {
    let graph = Graph::new();
    let scope = plan.scope(&graph);
    let axes = [Axis::new("batch", 1), Axis::new("position", shape.chunk)];
    let ids = graph.input(TOKENS, DType::I32, &axes);
    let start = graph.input(START, DType::I32, &[]);
    let last = graph.input(LAST, DType::I32, &[]);
    let cache = plan.llama.cache_inputs(&scope, 1, slots);
    let positions = (graph.iota(axes[1], DType::I32) + start).broadcast(&axes);
    let tokens = Tokens { ids, positions, segments: None };
    let (logits, next) = plan.llama.step(&scope, tokens, start, last, cache, shape.visible);
    let outputs = [("logits", logits.cast(DType::F32)), ("keys", next.keys), ("values", next.values)];
    let name = if shape.chunk == 1 { "decode" } else { "prefill" };
    Ok(graph.lower_unrolled(name, &outputs, &[(cache.keys, 1), (cache.values, 2)], plan.layers.unrolled())?)
}
