//! Decoding with a cache of keys and values: each token is computed once.

use std::collections::HashMap;

use graph::{Axis, DType, HostTensor, Output, ParamSpec, Program, Remat};
use models::{StepAt, Tokens};
use runtime::plugins::Platform;
use runtime::{Array, Arrays, BoundProgram, Parameters};

use crate::error::{Error, Result};
use crate::memory::{Room, bytes_of};
use crate::{Model, ModelPlan};

/// Prompts are computed in chunks of 16, 32, … up to this many tokens: few programs to compile, and little padding.
const CHUNK_MAX: usize = 256;
const CHUNK_MIN: usize = 16;

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
    /// The step after `seen`, which the device began before its outcome was asked for.
    ahead: Option<Outcome>,
    /// All for `slots` slots.
    steps: HashMap<StepShape, BoundProgram>,
    room: Room<'m>,
    memory: Memory,
}

/// What the model's state is like.
#[derive(Clone, Copy)]
struct Memory {
    /// Whether it grows with the text: it has a slot for each token.
    has_slots: bool,
    /// Whether it can be taken back to an earlier token. What sums up all tokens cannot: it goes on behind them, or begins anew.
    rewinds: bool,
}

impl Memory {
    fn of(plan: &ModelPlan) -> Memory {
        let specs = plan.state_specs(1);
        Memory { has_slots: specs.iter().any(has_slots), rewinds: plan.model.rewinds() }
    }
}

fn has_slots(spec: &ParamSpec) -> bool {
    spec.axes.iter().any(|axis| axis.name == "key_position")
}

/// What a step finds, besides the cache. It stays on the device until it is asked for.
struct Outcome {
    /// The logits (batch, vocab) of what follows.
    logits: Array,
    /// The likeliest of them (batch, position), the next step's token; -1 if a logit is not finite.
    likeliest: Array,
    /// The slot of the next token.
    next: Array,
}

const TOKENS: &str = "tokens";
const START: &str = "start";
const LAST: &str = "last";
const LENGTH: &str = "length";

impl<'m, 's> Decoder<'m, 's> {
    /// A decoder for sequences of up to `context` tokens, or up to what the model is meant for.
    ///
    /// # Errors
    /// `context` is 0 or longer than the model's.
    pub fn new(model: &'m Model<'s>, context: Option<usize>) -> Result<Decoder<'m, 's>> {
        let longest = model.plan().longest();
        let context = context.unwrap_or(longest);
        if context == 0 || context > longest {
            let rule = format!("it should be from 1 to the longest that the model is meant for, {longest}");
            return Err(Error::Setting { name: "context", value: context.to_string(), rule });
        }
        let (seen, arrays, steps) = Default::default();
        let (room, memory) = (Room::of(model.session(), model.plan().device_count()), Memory::of(model.plan()));
        Ok(Decoder { model, context, seen, slots: 0, arrays, has_cache: false, ahead: None, steps, room, memory })
    }

    /// The model.
    pub fn model(&self) -> &'m Model<'s> {
        self.model
    }

    /// The longest sequence, in tokens.
    pub fn context(&self) -> usize {
        self.context
    }

    /// Makes room for continuing a sequence of `tokens` tokens by `more`, and compiles the step that gives the second of them. The steps
    /// that the sequence itself takes, and those that read more of the cache, are compiled when they come.
    ///
    /// # Errors
    /// They are more than the context, or the device's memory is full.
    pub fn prepare(&mut self, tokens: usize, more: usize) -> Result<()> {
        let all = tokens + more;
        if all > self.context {
            return Err(Error::Context { tokens: all, context: self.context });
        }
        self.reserve(all)?;
        if more > 1 { self.compile(StepShape { chunk: 1, visible: self.visible(tokens + 1) }) } else { Ok(()) }
    }

    /// How many of these tokens are in the cache already.
    pub fn cached(&self, tokens: &[u32]) -> usize {
        // The last token is always computed: its logits are what is asked for.
        let common = tokens.iter().zip(&self.seen).take_while(|(a, b)| a == b).count();
        let known = common.min(tokens.len().saturating_sub(1));
        let (seen, model) = (self.seen.len(), &self.model.plan().model);
        let is_continued = known == seen;
        let is_outgrown = model.longest_continued().is_some_and(|longest| seen <= longest && tokens.len() > longest);
        let starts_anew = is_outgrown || !is_continued && (!self.memory.rewinds || model.depends_on_length());
        if starts_anew { 0 } else { known }
    }

    /// The logits, one for each token of the vocabulary, of what follows `tokens`.
    ///
    /// # Errors
    /// There are no tokens, too many, or one that the model does not know; or the device fails.
    pub fn logits(&mut self, tokens: &[u32]) -> Result<Vec<f32>> {
        self.check(tokens)?;
        let outcome = self.advance(tokens).and_then(|outcome| {
            let logits = outcome.logits.download(self.model.session())?.to_f32();
            // Every logit is checked here so that sampling need not.
            match logits.iter().all(|logit| logit.is_finite()) {
                true => Ok(logits),
                false => Err(self.not_finite(tokens)),
            }
        });
        // A step that fails has consumed the cache, or left one that holds an error.
        outcome.inspect_err(|_| self.has_cache = false)
    }

    /// The token with the highest of the logits of what follows `tokens`, the first of equals. The device chooses it. If `goes_on`, the
    /// device also begins the step after it, without waiting for the host to learn which it is: asked for what follows `tokens` and this
    /// token, the answer is under way.
    ///
    /// # Errors
    /// As [`Decoder::logits`].
    pub fn likeliest(&mut self, tokens: &[u32], goes_on: bool) -> Result<u32> {
        self.check(tokens)?;
        let token = self.advance(tokens).and_then(|outcome| self.read(tokens, outcome, goes_on));
        token.inspect_err(|_| self.has_cache = false)
    }

    /// Whether it pays to let steps go on: where the device computes while the host waits. On a CPU they share the cores, and the last step
    /// of an answer would be for nothing.
    pub fn gains_by_going_on(&self) -> bool {
        self.model.session().platform() != Platform::Cpu
    }

    fn check(&mut self, tokens: &[u32]) -> Result<()> {
        if tokens.is_empty() {
            return Err(Error::EmptyPrompt);
        }
        if tokens.len() > self.context {
            return Err(Error::Context { tokens: tokens.len(), context: self.context });
        }
        self.model.check_tokens(tokens)?;
        self.reserve(tokens.len())
    }

    fn not_finite(&self, tokens: &[u32]) -> Error {
        Error::NotFinite { tokens: tokens.len(), dtype: self.model.dtype() }
    }

    /// The likeliest token of `outcome`, which is that of `tokens`.
    fn read(&mut self, tokens: &[u32], outcome: Outcome, goes_on: bool) -> Result<u32> {
        self.arrays.insert(TOKENS, outcome.likeliest);
        self.arrays.insert(START, outcome.next);
        // A text that is outgrown by the next token is to be computed anew.
        let is_outgrown = self.model.plan().model.longest_continued() == Some(tokens.len());
        let goes_on = goes_on && !is_outgrown && (tokens.len() < self.slots || !self.memory.has_slots);
        let ahead = match goes_on {
            true => Some(self.step(StepShape { chunk: 1, visible: self.visible(tokens.len() + 1) })?),
            false => None,
        };
        let likeliest = self.arrays.get(TOKENS).expect("the token was just put there");
        let token = likeliest.download(self.model.session())?.to_vec::<i32>().expect("tokens are i32")[0];
        let token = u32::try_from(token).map_err(|_| self.not_finite(tokens))?;
        if goes_on {
            self.seen.push(token);
            self.ahead = ahead;
        }
        Ok(token)
    }

    fn advance(&mut self, tokens: &[u32]) -> Result<Outcome> {
        if let Some(ahead) = self.ahead.take().filter(|_| self.seen == tokens) {
            return Ok(ahead);
        }
        let mut done = self.cached(tokens);
        if done == 0 && !self.seen.is_empty() && !self.memory.rewinds {
            self.empty()?;
        }
        let visible = self.visible(tokens.len());
        loop {
            let chunk = chunk_length(tokens.len() - done);
            // Near the end of the cache a chunk begins earlier, on tokens that are there already: a write beyond the end would be
            // moved, not refused.
            let start = if self.memory.has_slots { done.min(visible - chunk) } else { done };
            done = tokens.len().min(start + chunk);
            let shape = StepShape { chunk, visible };
            // What a program takes lies where it says.
            self.compile(shape)?;
            self.upload(&tokens[start..done], chunk, start)?;
            if takes_length(self.model.plan(), shape) {
                self.arrays.upload(self.model.session(), LENGTH, &HostTensor::scalar(tokens.len() as i32))?;
            }
            let outcome = self.step(shape)?;
            self.seen.truncate(start);
            self.seen.extend_from_slice(&tokens[start..done]);
            if done == tokens.len() {
                return Ok(outcome);
            }
        }
    }

    /// The slots that a step up to the `tokens`-th token reads: few numbers, for few programs.
    fn visible(&self, tokens: usize) -> usize {
        match self.memory.has_slots {
            true => tokens.next_power_of_two().clamp(self.model.plan().slots_min, self.slots),
            false => self.slots,
        }
    }

    /// The arguments of a step over `tokens`, padded to `chunk`, the first of which belongs in slot `start`.
    fn upload(&mut self, tokens: &[u32], chunk: usize, start: usize) -> Result<()> {
        let session = self.model.session();
        let mut padded: Vec<i32> = tokens.iter().map(|&id| id as i32).collect();
        padded.resize(chunk, 0);
        let ids = HostTensor::from_vec(&[1, chunk], padded).expect("one row of `chunk` tokens");
        self.arrays.upload(session, TOKENS, &ids)?;
        self.arrays.upload(session, START, &HostTensor::scalar(start as i32))?;
        if chunk > 1 {
            self.arrays.upload(session, LAST, &HostTensor::scalar(tokens.len() as i32 - 1))?;
        }
        Ok(())
    }

    /// Writes the keys and values of the tokens and of the padding behind them, where no query looks until a later step has overwritten
    /// them.
    fn step(&mut self, shape: StepShape) -> Result<Outcome> {
        self.compile(shape)?;
        let results = self.steps[&shape].run(self.model.params(), &mut self.arrays)?;
        let [logits, likeliest, next] = results.try_into().expect("a step gives three results besides the cache");
        Ok(Outcome { logits, likeliest, next })
    }

    /// Makes the cache hold `tokens` tokens.
    fn reserve(&mut self, tokens: usize) -> Result<()> {
        let plan = self.model.plan();
        let slots = match tokens.max(1) > self.slots {
            _ if !self.memory.has_slots => plan.slots_min,
            true => plan.slots(tokens, self.context),
            false => self.slots,
        };
        match self.has_cache {
            true if slots == self.slots => Ok(()),
            true => match self.grow(slots) {
                // Without room for both, the new one takes the place of the old one, if that is enough.
                Err(Error::TooLarge { .. }) => self.begin(slots),
                grown => grown,
            },
            // A shorter sequence may fit.
            false => self.begin(slots).inspect_err(|_| self.drop_cache()),
        }
    }

    /// Moves what the cache holds into one of `slots` slots.
    fn grow(&mut self, slots: usize) -> Result<()> {
        let (session, plan) = (self.model.session(), self.model.plan());
        let needed = self.bytes(slots);
        self.room.check(needed, 0, || format!("remembering {slots} tokens"))?;
        let program = growth_program(plan, self.slots, slots)?;
        let growth = BoundProgram::compile(session, &program, self.model.params(), &mut self.arrays)?;
        let grown = growth.run(self.model.params(), &mut self.arrays)?;
        for (output, array) in program.outputs.iter().zip(grown) {
            self.arrays.insert(&output.name, array);
        }
        self.room.take(needed);
        self.slots = slots;
        self.steps.clear();
        Ok(())
    }

    /// Begins an empty cache of `slots` slots. The one that is there stays where the new one would not fit even without it.
    fn begin(&mut self, slots: usize) -> Result<()> {
        let needed = self.bytes(slots);
        self.room.check(needed, self.held(), || format!("remembering {slots} tokens"))?;
        self.drop_cache();
        self.slots = slots;
        self.empty()?;
        self.room.take(needed);
        self.has_cache = true;
        Ok(())
    }

    /// Fills the cache with zeros: the state of a text that begins.
    fn empty(&mut self) -> Result<()> {
        (self.seen, self.ahead) = Default::default();
        let unrolled = self.model.plan().layers.unrolled();
        let mut parameters = Parameters::on(self.model.session(), self.model.plan().partition.as_ref());
        for array in self.cache_specs(self.slots).iter().flat_map(|spec| spec.arrays(unrolled)) {
            self.arrays.insert(&array.name, parameters.zeros_computed(&array)?);
        }
        Ok(())
    }

    /// Frees the cache, whatever state it is in.
    fn drop_cache(&mut self) {
        let (held, names) = (self.held(), self.cache_names());
        let Decoder { room, arrays, .. } = self;
        room.give_back(held, || names.iter().for_each(|name| arrays.remove(name)));
        self.has_cache = false;
        self.slots = 0;
        self.seen.clear();
        self.ahead = None;
        self.steps.clear();
    }

    fn cache_specs(&self, slots: usize) -> Vec<ParamSpec> {
        self.model.plan().state_specs(slots)
    }

    /// Bytes of a cache on each device.
    fn bytes(&self, slots: usize) -> u128 {
        bytes_of(&self.cache_specs(slots), self.model.plan().partition.as_ref())
    }

    fn cache_names(&self) -> Vec<String> {
        let unrolled = self.model.plan().layers.unrolled();
        self.cache_specs(self.slots).iter().flat_map(|spec| spec.arrays(unrolled)).map(|array| array.name).collect()
    }

    /// Bytes that the cache takes, also where a failed step has left it.
    fn held(&self) -> u128 {
        let is_there = self.cache_names().iter().any(|name| self.arrays.get(name).is_some());
        if is_there { self.bytes(self.slots) } else { 0 }
    }

    fn compile(&mut self, shape: StepShape) -> Result<()> {
        if !self.steps.contains_key(&shape) {
            let program = step_program(self.model.plan(), shape, self.slots)?;
            let (session, params) = (self.model.session(), self.model.params());
            let step = BoundProgram::compile(session, &program, params, &mut self.arrays)?;
            let what = || format!("a step over {} tokens with {} before them", shape.chunk, shape.visible);
            // Beside a cache that leaves no room for its steps, those of a smaller one would have none either.
            self.room.check_program(&step, what).inspect_err(|_| self.drop_cache())?;
            self.steps.insert(shape, step);
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

/// Arguments: a cache of `slots` slots; results: one of `more` slots that begins with them, under the same names.
fn growth_program(plan: &ModelPlan, slots: usize, more: usize) -> Result<Program> {
    let graph = plan.graph();
    let old = plan.model.state_inputs(&plan.scope(&graph), 1, slots);
    let specs = plan.state_specs(more);
    let grown = specs.iter().zip(old).map(|(spec, old)| {
        // What sums up all tokens stays as large as it was.
        let has_slots = has_slots(spec);
        let (_, grown) = graph.scan(spec.stack[0].axis, &[], &[old], Remat::none(), |step| {
            let room = if has_slots { more - slots } else { 0 };
            let parts =
                step.slices.iter().map(|part| if room > 0 { part.pad("key_position", 0, room, 0.0) } else { *part });
            (vec![], parts.collect())
        });
        Output { name: &spec.name, stack: &spec.stack, tensor: grown[0] }
    });
    let outputs: Vec<_> = grown.collect();
    Ok(graph.lower_unrolled("grow", &outputs, &[], plan.layers.unrolled())?)
}

/// The program of the step that [`Decoder::prepare`] compiles for a sequence of `tokens` tokens that is continued by `more`.
///
/// # Errors
/// A configuration that no graph can be traced from.
pub fn decode_program(plan: &ModelPlan, tokens: usize, more: usize) -> Result<Program> {
    let room = |tokens: usize| tokens.next_power_of_two().max(plan.slots_min);
    step_program(plan, StepShape { chunk: 1, visible: room(tokens + 1) }, room(tokens + more))
}

/// Whether a step is told how long the whole text is of which it computes a part.
fn takes_length(plan: &ModelPlan, shape: StepShape) -> bool {
    shape.chunk > 1 && plan.model.depends_on_length()
}

/// Arguments: the tokens, the slot of the first, the place of the last among them if there are several, the cache and the parameters, and
/// for models that depend on it the text's length. Results: those of an [`Outcome`], and the cache.
fn step_program(plan: &ModelPlan, shape: StepShape, slots: usize) -> Result<Program> {
    let graph = plan.graph();
    let scope = plan.scope(&graph);
    let axes = [Axis::new("batch", 1), Axis::new("position", shape.chunk)];
    let ids = graph.input(TOKENS, DType::I32, &axes);
    let start = graph.input(START, DType::I32, &[]);
    let last = match shape.chunk {
        1 => graph.constant(0.0, DType::I32),
        _ => graph.input(LAST, DType::I32, &[]),
    };
    let before = plan.model.state_inputs(&scope, 1, slots);
    let positions = (graph.iota(axes[1], DType::I32) + start).broadcast(&axes);
    let tokens = Tokens { ids, positions, segments: None, lengths: None };
    let length = takes_length(plan, shape).then(|| graph.input(LENGTH, DType::I32, &[]));
    let at = StepAt { start, last, visible: shape.visible, length };
    let (logits, after) = plan.model.step(&scope, tokens, at, &before);
    let logits = logits.cast(DType::F32);
    let is_not_finite = (!logits.abs().less_equal(f64::from(f32::MAX))).cast(DType::I32).max(&["vocab"]);
    let likeliest = is_not_finite.equals(0.0).select(logits.argmax("vocab"), -1.0);
    let likeliest = likeliest.broadcast(&[axes[0], Axis::new("position", 1)]);
    let found = [("logits", logits), ("likeliest", likeliest), ("next", start + last + 1.0)];
    // What is donated goes by its argument's name.
    let outputs: Vec<_> = found.into_iter().chain(after.iter().map(|state| ("state", *state))).collect();
    let donate: Vec<_> = before.iter().enumerate().map(|(at, state)| (*state, found.len() + at)).collect();
    let name = if shape.chunk == 1 { "decode" } else { "prefill" };
    Ok(graph.lower_unrolled(name, &outputs, &donate, plan.layers.unrolled())?)
}

#[cfg(test)]
mod tests;
