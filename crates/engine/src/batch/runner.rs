//! The device's side of an engine: the programs, the state that they carry on, and the numbers that they are given.

use std::collections::{BTreeSet, HashMap};
use std::ops::{ControlFlow, Range};
use std::time::{Duration, Instant};

use graph::{HostTensor, Output, ParamSpec, Program};
use models::{AdapterPool, StateSize};
use runtime::{Array, Arrays, BoundProgram, Bytes, CompiledProgram, Parameters};
use schedule::Plan;

use super::adjust::{ADJUSTED, AdjustShape, Run};
use super::choice::{Choice, ChoiceShape, FACTORS, LOGITS, SETTINGS};
use super::programs::{FROM, ProgramShape, TO, Traced};
use super::scores::{ScoredChunk, Scores, likeliest_told};
use super::step::{CHOSEN, NUMBERS, StepShape, Texts, step_program};
use super::{AdapterKinds, Places, Pool};
use crate::adapters::{Adapters, Factors, Standing, rank_room};
use crate::error::{Error, Result};
use crate::memory::{Room, bytes_beside_arguments, bytes_of, bytes_of_weights};
use crate::{Model, ModelPlan};

/// Pages that are copied at once, where there are several.
const COPIES_MAX: usize = 8;

/// The least that a chunk of a prompt has room for. A chunk of one would be a row that goes on.
pub(crate) const CHUNK_MIN: usize = 16;

/// How much larger each number of rows is than the one before for which there are programs, where each is made with and without prompts beside it.
const ROWS_FACTOR: usize = 4;

/// The sizes for which there are programs: powers of `factor`, and the most.
fn sizes(most: usize, factor: usize) -> impl Iterator<Item = usize> {
    let powers = std::iter::successors(Some(1), move |size| Some(size * factor));
    powers.take_while(move |size| *size < most).chain([most])
}

/// What holds a model's state and runs its steps.
pub(crate) struct Runner<'m, 's> {
    model: &'m Model<'s>,
    size: StateSize,
    limits: Shapes,
    /// State, numbers and logits.
    arrays: Arrays,
    /// The memory in which they are.
    room: Room<'m>,
    /// The adapters on the device, if there may be some.
    pool: Option<Pool>,
    layout: Option<AdapterPool>,
    steps: HashMap<StepShape, BoundProgram>,
    /// Bytes of programs for which there was no room.
    too_large: HashMap<StepShape, u128>,
    choices: HashMap<ChoiceShape, BoundProgram>,
    adjustments: HashMap<AdjustShape, BoundProgram>,
    copies: HashMap<usize, BoundProgram>,
    /// What the last choice was given, which is still on the device.
    given: HashMap<&'static str, (ChoiceShape, HostTensor<'static>)>,
    /// When programs were made that a step could not do without.
    makings: Vec<Range<Instant>>,
}

/// How large steps are at most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shapes {
    /// Rows that decode.
    pub(crate) rows: usize,
    /// Rows of prompts.
    pub(crate) prompts: usize,
    /// Tokens of each.
    pub(crate) chunk: usize,
    /// Whether a row of prompts is always of so many tokens, and a prompt may have several.
    pub(crate) is_tiled: bool,
    /// Pages of a text; 0 without keys and values.
    pub(crate) pages: usize,
    /// The fewest pages that are read of a text for which there is a program.
    pub(crate) pages_least: usize,
    /// How much larger each number of a prompt's tokens or pages is than the one before for which there are programs: the larger, the fewer programs,
    /// and the more padding.
    pub(crate) prompt_factor: usize,
    /// Whether all steps are as large as can be, so that a text's sums do not depend on what is beside it.
    pub(crate) fixed: bool,
    /// Whether texts that go on and prompts are computed in steps of their own.
    pub(crate) is_apart: bool,
    /// Tokens that are proposed for a row that decodes, whose tokens the host gives. `None`: such rows have their tokens on the device.
    pub(crate) proposals: Option<usize>,
    /// Ranks of a row where all steps are as large as can be, and a row may have an adapter.
    pub(crate) ranks: usize,
    /// The kinds of adapters for which programs are made before the first request, beside those of rows without adapters.
    pub(crate) known: AdapterKinds,
    /// Whether a row's adapter may be DoRA's.
    pub(crate) stretches: bool,
    /// How many of the likeliest tokens all steps tell that score prompts, whose programs are then made before the first request. `None`: as many as are asked for.
    pub(crate) likeliest: Option<usize>,
}

/// What chosen tokens come as; on the device until it is read.
pub(crate) struct Outcome {
    tokens: Array,
    logprobs: Option<Array>,
    likeliest: Option<[Array; 2]>,
    rows: usize,
}

/// A row's token, -1 where its logits are not finite.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Row {
    pub(crate) token: i32,
    pub(crate) logprob: f32,
    pub(crate) likeliest: Vec<(u32, f32)>,
}

impl<'m, 's> Runner<'m, 's> {
    /// Without a state, which [`Runner::begin_anew`] makes, in memory that `room` tells of.
    pub(crate) fn new(
        model: &'m Model<'s>,
        size: StateSize,
        limits: Shapes,
        layout: Option<AdapterPool>,
        room: Room<'m>,
    ) -> Runner<'m, 's> {
        let (steps, too_large, choices, adjustments, copies) = Default::default();
        let (arrays, pool, given, makings) = (Arrays::new(), None, HashMap::new(), Vec::new());
        Runner {
            model,
            size,
            limits,
            arrays,
            room,
            pool,
            layout,
            steps,
            too_large,
            choices,
            adjustments,
            copies,
            given,
            makings,
        }
    }

    /// A state of zeros for `size`, of which each text may have `pages` pages, in place of the one that is there. That one stays where the new one would
    /// not fit even without it. `tokens`: as many are remembered, for messages. Where there is no pool for adapters yet it is made, too.
    pub(crate) fn begin_anew(&mut self, size: StateSize, pages: usize, tokens: usize) -> Result<()> {
        let needed = state_bytes(self.model, size);
        self.room.check(needed, self.held(), || remembering(tokens))?;
        let of_pool = self.bytes_of_new_pool()?;
        if of_pool > 0 {
            self.room.check(needed + of_pool, self.held(), String::new).map_err(|error| match error {
                Error::TooLarge { free, total, .. } => {
                    Error::NoRoomForAdapters { pool: Bytes(of_pool), tokens, state: Bytes(needed), free, total }
                }
                other => other,
            })?;
        }
        self.let_go();
        (self.size, self.limits.pages) = (size, pages);
        self.clear()?;
        self.room.take(needed + of_pool);
        Ok(())
    }

    /// Bytes on each device of the pool for adapters, if there is to be one and is none.
    fn bytes_of_new_pool(&self) -> Result<u128> {
        match (&self.pool, &self.layout) {
            (None, Some(layout)) => pool_bytes(self.model.plan(), layout),
            _ => Ok(0),
        }
    }

    /// As [`Runner::begin_anew`], with what the state holds: for that there has to be room for both at once. `size` is not less than there is.
    pub(crate) fn grow(&mut self, size: StateSize, pages: usize, tokens: usize) -> Result<()> {
        let needed = state_bytes(self.model, size);
        self.room.check(needed, 0, || remembering(tokens))?;
        let program = growth_program(self.model, self.size, size)?;
        let (session, params) = (self.model.session(), self.model.params());
        let growth = BoundProgram::compile(session, &program, params, &mut self.arrays)?;
        let grown = growth.run(params, &mut self.arrays)?;
        program.outputs.iter().zip(grown).for_each(|(output, array)| self.arrays.insert(&output.name, array));
        self.room.take(needed);
        self.forget_programs();
        (self.size, self.limits.pages) = (size, pages);
        Ok(())
    }

    /// Frees the state, whatever it is.
    pub(crate) fn let_go(&mut self) {
        let (held, names) = (self.held(), self.state_names());
        let Runner { room, arrays, .. } = self;
        room.give_back(held, || names.iter().for_each(|name| arrays.remove(name)));
        self.forget_programs();
    }

    /// Frees all of it, and gives the memory in which it was, which knows what its process keeps.
    pub(crate) fn into_room(mut self) -> Room<'m> {
        self.let_go();
        self.room
    }

    /// Whether there is a state, also one that a failed step has left.
    pub(crate) fn has_state(&self) -> bool {
        self.state_names().iter().any(|name| self.arrays.get(name).is_some())
    }

    /// Bytes that the state takes of each device.
    fn held(&self) -> u128 {
        if self.has_state() { state_bytes(self.model, self.size) } else { 0 }
    }

    fn state_names(&self) -> Vec<String> {
        let unrolled = self.model.plan().layers.unrolled();
        self.specs().iter().flat_map(|spec| spec.arrays(unrolled)).map(|array| array.name).collect()
    }

    /// Programs are for the state as it is.
    fn forget_programs(&mut self) {
        self.steps.clear();
        self.too_large.clear();
        self.copies.clear();
    }

    /// Fills the state with zeros.
    pub(crate) fn clear(&mut self) -> Result<()> {
        let plan = self.model.plan();
        let mut parameters = Parameters::on(self.model.session(), plan.partition.as_ref());
        for array in self.specs().iter().flat_map(|spec| spec.arrays(plan.layers.unrolled())) {
            self.arrays.remove(&array.name);
            self.arrays.insert(&array.name, parameters.zeros_computed(&array)?);
        }
        self.arrays.remove(CHOSEN);
        // What a device was given that has failed since may never have come there.
        self.given.clear();
        let layout = self.layout.clone();
        let mut pool = layout.map(|layout| Pool::new(self.model, layout, &mut self.arrays)).transpose()?;
        if let (Some(pool), Some(before)) = (&mut pool, self.pool.take()) {
            pool.keep_programs_of(before);
        }
        self.pool = pool;
        Ok(())
    }

    /// As [`Adapters::bring`].
    pub(crate) fn bring(&mut self, adapters: &mut Adapters, generation: u64, is_first: bool) -> Result<Standing> {
        let Runner { model, arrays, pool, .. } = self;
        let mut write =
            |pool: &mut Pool, factors: &Factors, places: &Places| pool.write(model, arrays, factors, places);
        adapters.bring(generation, is_first, pool, &mut write)
    }

    /// The adapters on the device.
    pub(crate) fn pool(&mut self) -> &mut Option<Pool> {
        &mut self.pool
    }

    fn specs(&self) -> Vec<ParamSpec> {
        self.model.plan().state_specs(self.size)
    }

    /// Whether texts that go on and prompts are computed in steps of their own.
    pub(crate) fn computes_apart(&self) -> bool {
        self.limits.is_apart
    }

    /// Tokens of a prompt whose step is no larger than the smallest.
    pub(crate) fn chunk_least(&self) -> usize {
        if self.limits.is_tiled { self.limits.chunk } else { CHUNK_MIN.min(self.limits.chunk) }
    }

    /// How much larger each number of rows is than the one before for which there are programs.
    fn rows_factor(&self) -> usize {
        if self.limits.is_tiled { 2 } else { ROWS_FACTOR }
    }

    /// The shape of the step that computes a plan.
    fn shape(&self, plan: &Plan<'_>, texts: &Texts<'_>) -> StepShape {
        let Shapes { rows, prompts, chunk, is_tiled, pages, pages_least, fixed, prompt_factor, .. } = self.limits;
        let longest = plan.prefill.iter().map(|prefill| prefill.tokens.len()).max().unwrap_or_default();
        let positions = plan.decode.iter().map(|decode| decode.position + decode.count());
        let fed = plan.decode.iter().map(|decode| decode.tokens.len()).max().unwrap_or_default();
        let ends = plan.prefill.iter().map(|prefill| prefill.start + prefill.tokens.len());
        let seen = positions.chain(ends).max().unwrap_or_default().div_ceil(self.size.page_tokens.max(1));
        let some = |count: usize, most: usize, factor: usize| match count {
            0 => 0,
            _ if fixed => most,
            count => sizes(most, factor).find(|size| *size >= count).unwrap_or(most),
        };
        let ids = plan.decode.iter().map(|decode| decode.id).chain(plan.prefill.iter().map(|prefill| prefill.id));
        let (mut ranks, mut stretches) = (0, false);
        for places in ids.filter_map(|id| (texts.places)(id)) {
            ranks = ranks.max(places.ranks.len());
            stretches |= places.stretch > 0;
        }
        let (ranks, stretches) = self.adapter_shape(ranks, stretches);
        let own = plan.prefill.iter().map(|prefill| prefill.tokens.len().div_ceil(chunk)).sum();
        StepShape {
            scored: texts.scored.map(|count| self.likeliest_told(self.limits.likeliest.unwrap_or(0).max(count))),
            stretches,
            ranks,
            decode: some(plan.decode.len(), rows, self.rows_factor()),
            fed: if fed > 1 { 1 + self.limits.proposals.unwrap_or_default() } else { fed },
            prompts: some(own, prompts, 2),
            chunk: match longest {
                0 => 0,
                _ if is_tiled => chunk,
                longest => some(longest.max(CHUNK_MIN), chunk, prompt_factor),
            },
            pages: if pages == 0 { 0 } else { some(seen.max(pages_least), pages, self.pages_factor(longest > 0)) },
        }
    }

    /// How many of the likeliest tokens a step tells that is to tell so many.
    fn likeliest_told(&self, count: usize) -> usize {
        likeliest_told(count, self.model.sizes().vocab_size)
    }

    /// The shape of the step that gives one text of `tokens` tokens the next one.
    pub(crate) fn decode_shape(&self, tokens: usize) -> StepShape {
        let Shapes { pages, pages_least, proposals, .. } = self.limits;
        let fed = proposals.map_or(0, |proposals| 1 + proposals);
        let seen = (tokens + 1).div_ceil(self.size.page_tokens.max(1)).max(pages_least);
        let pages = if pages == 0 { 0 } else { sizes(pages, 2).find(|size| *size >= seen).unwrap_or(pages) };
        StepShape { decode: 1, fed, prompts: 0, chunk: 0, pages, ranks: 0, stretches: false, scored: None }
    }

    /// How much larger each number of pages is than the one before for which there are programs: a prompt has many products beside attention.
    fn pages_factor(&self, has_prompt: bool) -> usize {
        if has_prompt { self.limits.prompt_factor } else { 2 }
    }

    /// For how many ranks the step is of rows that have so many at most, and whether for DoRA's: the smallest for which programs are made before the first
    /// request, if one serves them. A few ranks more cost little, and a program that is made meanwhile has all texts wait.
    fn adapter_shape(&self, ranks: usize, stretches: bool) -> (usize, bool) {
        let usual = self.usual_adapters();
        if self.limits.fixed {
            return usual[0];
        }
        let serves = |(room, doras): &(usize, bool)| *room >= ranks && (*doras || !stretches);
        usual.into_iter().filter(serves).min().unwrap_or((rank_room(ranks), stretches))
    }

    /// For how many ranks steps are, and whether for DoRA's: of rows without adapters, and of such as are known from the start.
    fn usual_adapters(&self) -> Vec<(usize, bool)> {
        let Shapes { fixed, ranks, stretches, known, .. } = self.limits;
        if fixed {
            return vec![(ranks, ranks > 0 && stretches)];
        }
        [(0, false)].into_iter().chain(known.together().iter()).collect()
    }

    /// The shapes of all steps, of rows without adapters and of such as are known from the start.
    fn usual_shapes(&self) -> Vec<StepShape> {
        let Shapes { rows, prompts, chunk, is_tiled, pages, pages_least, fixed, prompt_factor, proposals, .. } =
            self.limits;
        let adapters = self.usual_adapters();
        let all = |most: usize, factor, least: usize| -> Vec<usize> {
            if fixed { vec![most] } else { sizes(most, factor).filter(|size| *size >= least.min(most)).collect() }
        };
        let fed = match proposals {
            None => vec![0],
            Some(0) => vec![1],
            Some(proposals) => vec![1, 1 + proposals],
        };
        let decode = all(rows, self.rows_factor(), 1);
        let decode = decode.into_iter().flat_map(|rows| fed.iter().map(move |fed| (rows, *fed)));
        let decode: Vec<_> = [(0, 0)].into_iter().chain(decode).collect();
        let chunks = if is_tiled { vec![chunk] } else { all(chunk, prompt_factor, CHUNK_MIN) };
        // What fits into no smaller chunk has so many pages at least.
        let page_tokens = self.size.page_tokens.max(1);
        let pages_of = |chunk: usize| {
            let smaller = chunks.iter().filter(|other| **other < chunk).max();
            smaller.map_or(0, |smaller| (smaller + 1).div_ceil(page_tokens))
        };
        let prompts = all(prompts, 2, 1);
        let prompts = chunks.iter().flat_map(|chunk| prompts.iter().map(|rows| (*rows, *chunk)));
        let prompts: Vec<_> = [(0, 0)].into_iter().chain(prompts).collect();
        let both = decode.iter().flat_map(|decode| prompts.iter().map(move |prompts| (*decode, *prompts)));
        let both = both.filter(|((decode, _), (prompts, _))| match self.computes_apart() {
            true => (*decode == 0) != (*prompts == 0),
            false => decode + prompts > 0,
        });
        let mut shapes = Vec::new();
        for ((decode, fed), (prompts, chunk)) in both {
            let least = pages_least.max(pages_of(chunk));
            let pages = if pages == 0 { vec![0] } else { all(pages, self.pages_factor(chunk > 0), least) };
            for (pages, (ranks, stretches)) in pages.iter().flat_map(|pages| adapters.iter().map(|own| (*pages, *own)))
            {
                let shape = StepShape { decode, fed, prompts, chunk, pages, ranks, stretches, scored: None };
                shapes.push(shape);
                // Prompts that are scored have steps of their own.
                let scored = self.limits.likeliest.filter(|_| decode == 0);
                shapes.extend(scored.map(|most| StepShape { scored: Some(self.likeliest_told(most)), ..shape }));
            }
        }
        shapes
    }

    /// Begins the step that computes a plan, behind whose rows it gives logits (batch, vocab); and what it tells of prompts, if they are scored.
    pub(crate) fn begin(&mut self, plan: &Plan<'_>, texts: Texts<'_>) -> Result<(StepShape, Array, Option<Scores>)> {
        let shape = self.shape(plan, &texts);
        let numbers = shape.numbers(plan, &texts, self.model.plan().model.depends_on_length());
        self.make(ProgramShape::Step(shape))?;
        let numbers = HostTensor::from_vec(&[numbers.len()], numbers).expect("one row");
        self.arrays.upload(self.model.session(), NUMBERS, &numbers)?;
        let mut results = self.steps[&shape].run(self.model.params(), &mut self.arrays)?.into_iter();
        let logits = results.next().expect("a step gives logits besides the state");
        Ok((shape, logits, shape.scored.map(|_| Scores::new(&shape, plan, results.collect()))))
    }

    /// What a step tells of prompts, as soon as it is there.
    pub(crate) fn read_scores(&self, scores: Scores) -> Result<Vec<ScoredChunk>> {
        scores.read(self.model.session())
    }

    /// Begins to choose tokens behind the rows of a step, one for each choice.
    pub(crate) fn choose(&mut self, logits: Array, choices: &[Choice]) -> Result<Outcome> {
        let (rows, vocab_size) = (choices.len(), self.model.sizes().vocab_size);
        let shape = match self.limits.fixed {
            // Whatever other rows ask for.
            true => ChoiceShape::for_all(rows, vocab_size),
            false => ChoiceShape::of(rows, choices, vocab_size),
        };
        match shape.changes {
            true => self.adjust(logits, choices)?,
            false => self.arrays.insert(LOGITS, logits),
        }
        self.make(ProgramShape::Choice(shape))?;
        let (settings, factors) = shape.numbers(choices, vocab_size);
        let settings = HostTensor::from_vec(&[rows, settings.len() / rows], settings).expect("as many for each row");
        let factors = HostTensor::from_vec(&[rows, factors.len() / rows], factors).expect("as many for each row");
        for (name, numbers) in [(SETTINGS, settings), (FACTORS, factors)] {
            self.give_choice(shape, name, numbers)?;
        }
        if self.arrays.get(CHOSEN).is_none() {
            // The first choice of all, before which no token goes on.
            let none = HostTensor::from_vec(&[self.size.slots], vec![0i32; self.size.slots]);
            self.arrays.upload(self.model.session(), CHOSEN, &none.expect("a number for each slot"))?;
        }
        let results = self.choices[&shape].run(self.model.params(), &mut self.arrays)?;
        let mut results = results.into_iter();
        let tokens = results.next().expect("a choice gives tokens");
        let is_told = choices.iter().any(|choice| choice.logprobs.is_some());
        let mut told = results.by_ref().filter(|_| is_told);
        let logprobs = told.next().filter(|_| shape.logprobs.is_some());
        let likeliest = told.next().zip(told.next()).map(|(ids, values)| [ids, values]);
        Ok(Outcome { tokens, logprobs, likeliest, rows })
    }

    /// Copies to the device what a choice is given, unless it is there from the choice before: a copy waits for the step, and the choice for the copy.
    fn give_choice(&mut self, shape: ChoiceShape, name: &'static str, numbers: HostTensor<'static>) -> Result<()> {
        let given = (shape, numbers);
        if self.given.get(name) != Some(&given) {
            self.choices[&shape].upload(self.model.session(), &mut self.arrays, name, &given.1)?;
            self.given.insert(name, given);
        }
        Ok(())
    }

    /// Begins to change logits as the rows ask for, beside which those stay that are there.
    fn adjust(&mut self, logits: Array, choices: &[Choice]) -> Result<()> {
        self.arrays.insert(ADJUSTED, logits);
        let runs = AdjustShape::runs(choices, self.model.sizes().vocab_size);
        for (number, Run { shape, numbers }) in runs.into_iter().enumerate() {
            self.make(ProgramShape::Adjust(shape))?;
            let program = &self.adjustments[&shape];
            for (name, numbers) in &numbers {
                program.upload(self.model.session(), &mut self.arrays, name, numbers)?;
            }
            let mut results = program.run(self.model.params(), &mut self.arrays)?.into_iter();
            if number == 0 {
                self.arrays.rename(ADJUSTED, LOGITS);
            }
            self.arrays.insert(ADJUSTED, results.next().expect("changed logits"));
        }
        Ok(())
    }

    /// What was chosen, as soon as it is there.
    pub(crate) fn read(&self, outcome: Outcome) -> Result<Vec<Row>> {
        let Outcome { tokens, logprobs, likeliest, rows } = outcome;
        let session = self.model.session();
        let tokens = tokens.download(session)?.to_vec::<i32>().expect("tokens are i32");
        let logprobs = logprobs.map(|array| array.download(session)).transpose()?;
        let logprobs = logprobs.map_or(vec![0.0; rows], |values| values.to_f32());
        let mut read: Vec<_> = tokens
            .into_iter()
            .zip(logprobs)
            .map(|(token, logprob)| Row { token, logprob, likeliest: vec![] })
            .collect();
        if let Some([ids, values]) = likeliest {
            let ids = ids.download(session)?.to_vec::<i32>().expect("tokens are i32");
            let values = values.download(session)?.to_f32();
            for (place, (id, value)) in ids.into_iter().zip(values).enumerate() {
                read[place % rows].likeliest.push((id.unsigned_abs(), value));
            }
        }
        Ok(read)
    }

    /// Copies pages of keys and values. No page is copied to twice, and none that is copied to is copied from.
    pub(crate) fn copy(&mut self, copies: &[(u32, u32)]) -> Result<()> {
        copies.chunks(COPIES_MAX).try_for_each(|copies| self.copy_at_once(copies))
    }

    fn copy_at_once(&mut self, copies: &[(u32, u32)]) -> Result<()> {
        let count = if copies.len() == 1 { 1 } else { COPIES_MAX };
        self.make(ProgramShape::Copy(count))?;
        // A copy of page 0, which nobody has, to itself does nothing.
        let all = copies.iter().map(|(from, to)| [*from as i32, *to as i32]).chain(std::iter::repeat([0, 0]));
        let [from, to] = [0, 1].map(|side: usize| all.clone().take(count).map(|copy| copy[side]).collect::<Vec<_>>());
        for (name, pages) in [(FROM, from), (TO, to)] {
            let pages = HostTensor::from_vec(&[count], pages).expect("one row");
            self.arrays.upload(self.model.session(), name, &pages)?;
        }
        self.copies[&count].run(self.model.params(), &mut self.arrays)?;
        Ok(())
    }

    /// What programs are traced from.
    fn traced(&self) -> Traced<'m, 's> {
        Traced { model: self.model, size: self.size, layout: self.layout.clone() }
    }

    /// Makes a program, unless it is there.
    pub(crate) fn make(&mut self, shape: ProgramShape) -> Result<()> {
        if self.has(shape) {
            return Ok(());
        }
        self.check_known(shape)?;
        let began = Instant::now();
        let made = self.traced().compile(shape).and_then(|compiled| self.keep(shape, compiled));
        // What there is no room for has taken as long.
        self.makings.push(began..Instant::now());
        made
    }

    /// How long behind `since` programs were made that a step could not do without.
    pub(crate) fn making_since(&self, since: Instant) -> Duration {
        behind(&self.makings, since)
    }

    /// Makes programs, several at once, as long as `progress` wants, which is told how many are done.
    pub(crate) fn make_all(
        &mut self,
        shapes: Vec<ProgramShape>,
        progress: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Result<()> {
        let (missing, there): (Vec<_>, Vec<_>) = shapes.into_iter().partition(|shape| !self.has(*shape));
        self.traced().compile_all(&missing, &mut |done, compiled| {
            if let Some((shape, compiled)) = compiled {
                self.keep(shape, compiled?)?;
            }
            Ok(progress(there.len() + done))
        })
    }

    fn has(&self, shape: ProgramShape) -> bool {
        match shape {
            ProgramShape::Step(shape) => self.steps.contains_key(&shape),
            ProgramShape::Choice(shape) => self.choices.contains_key(&shape),
            ProgramShape::Adjust(shape) => self.adjustments.contains_key(&shape),
            ProgramShape::Copy(count) => self.copies.contains_key(&count),
            ProgramShape::Write(ranks, is_dora) => {
                self.pool.as_ref().is_some_and(|pool| pool.has_write((ranks, is_dora)))
            }
        }
    }

    /// Refuses what is known to take more memory than is free.
    fn check_known(&self, shape: ProgramShape) -> Result<()> {
        let ProgramShape::Step(shape) = shape else { return Ok(()) };
        let needed = self.too_large.get(&shape);
        needed.map_or(Ok(()), |needed| self.room.check(*needed, 0, || shape.to_string()))
    }

    /// Takes a compiled program up. A step for which there is no room is none.
    fn keep(&mut self, shape: ProgramShape, compiled: CompiledProgram) -> Result<()> {
        let bound = compiled.bind(self.model.params(), &mut self.arrays)?;
        match shape {
            ProgramShape::Step(shape) => {
                let needed = bytes_beside_arguments(&bound);
                let checked = self.room.check(needed, 0, || shape.to_string());
                checked.inspect_err(|_| _ = self.too_large.insert(shape, needed))?;
                self.steps.insert(shape, bound);
            }
            ProgramShape::Choice(shape) => _ = self.choices.insert(shape, bound),
            ProgramShape::Adjust(shape) => _ = self.adjustments.insert(shape, bound),
            ProgramShape::Copy(count) => _ = self.copies.insert(count, bound),
            ProgramShape::Write(ranks, is_dora) => {
                if let Some(pool) = &mut self.pool {
                    pool.keep_write((ranks, is_dora), bound);
                }
            }
        }
        Ok(())
    }

    /// Programs from here on have as much memory as is told, and those that are made are made again.
    #[cfg(test)]
    pub(crate) fn forget_steps(&mut self, room: Room<'m>) -> HashMap<StepShape, u128> {
        self.room = room;
        self.too_large.clear();
        self.steps.drain().map(|(shape, step)| (shape, bytes_beside_arguments(&step))).collect()
    }

    /// All programs that are made before the first request comes: of usual steps and usual choices behind them, of pages that are copied where beginnings
    /// are shared, of which each of a step's prompts has one at most, and of adapters that are written to the device.
    pub(crate) fn usual_programs(&self, shares_prefixes: bool) -> Vec<ProgramShape> {
        let steps = self.usual_shapes();
        let rows: BTreeSet<usize> = steps.iter().map(StepShape::rows).collect();
        let choices = rows.into_iter().flat_map(|rows| self.usual_choices(rows));
        let copies = shares_prefixes.then_some([1, COPIES_MAX].map(ProgramShape::Copy));
        let Shapes { ranks, stretches, .. } = self.limits;
        let rooms = std::iter::successors(Some(rank_room(1)), |room| Some(2 * room)).take_while(|room| *room <= ranks);
        let kinds = rooms.flat_map(|room| [(room, false)].into_iter().chain(stretches.then_some((room, true))));
        let writes = kinds.map(|(ranks, is_dora)| ProgramShape::Write(ranks, is_dora));
        // The largest come first: they take the longest.
        let steps = steps.into_iter().rev().map(ProgramShape::Step);
        steps.chain(choices).chain(copies.into_iter().flatten()).chain(writes).collect()
    }

    /// The usual choices behind so many rows, and what changes logits before them.
    fn usual_choices(&self, rows: usize) -> Vec<ProgramShape> {
        let vocab_size = self.model.sizes().vocab_size;
        let choices = match self.limits.fixed {
            true => vec![ChoiceShape::for_all(rows, vocab_size)],
            false => ChoiceShape::usual(rows, vocab_size).to_vec(),
        };
        let adjustments = AdjustShape::all(rows, vocab_size).map(ProgramShape::Adjust);
        choices.into_iter().map(ProgramShape::Choice).chain(adjustments).collect()
    }

    /// Programs that are made.
    pub(crate) fn program_count(&self) -> usize {
        let writes = self.pool.as_ref().map_or(0, Pool::write_count);
        self.steps.len() + self.choices.len() + self.adjustments.len() + self.copies.len() + writes
    }
}

/// How much of these times is behind `since`.
fn behind(times: &[Range<Instant>], since: Instant) -> Duration {
    times.iter().map(|time| time.end.saturating_duration_since(time.start.max(since))).sum()
}

/// The program of the step by which an engine of `rows` rows gives texts of `tokens` tokens the next one, where programs are made for what comes and the
/// longest text has `context` tokens.
///
/// # Errors
/// A configuration that no graph can be traced from.
pub fn decode_program(
    plan: &ModelPlan,
    rows: usize,
    page_tokens: usize,
    context: usize,
    tokens: usize,
) -> Result<Program> {
    let of_text = context.div_ceil(page_tokens);
    let size = StateSize { slots: rows + 1, pages: rows * of_text + 1, page_tokens };
    let seen = (tokens + 1).div_ceil(page_tokens).max(pages_least(plan, page_tokens, plan.slots_min)?);
    let pages = match plan.state_specs(size).iter().any(is_paged) {
        true => sizes(of_text, 2).find(|pages| *pages >= seen).unwrap_or(of_text),
        false => 0,
    };
    step_program(
        plan,
        StepShape { decode: rows, fed: 0, prompts: 0, chunk: 0, pages, ranks: 0, stretches: false, scored: None },
        size,
        None,
    )
}

/// The fewest pages of a text for which there is a program: all of them, where kernels read what a text has, whatever there is room for. Else those of
/// `tokens_least` tokens.
pub(crate) fn pages_least(plan: &ModelPlan, page_tokens: usize, tokens_least: usize) -> Result<usize> {
    Ok(match plan.model.attends_by_kernels(plan.dtype)? {
        true => usize::MAX,
        false => tokens_least.div_ceil(page_tokens.max(1)),
    })
}

/// Arguments: a state of `size`; results: one of `more` that begins with what has pages in it, under the same names.
fn growth_program(model: &Model<'_>, size: StateSize, more: StateSize) -> Result<Program> {
    let plan = model.plan();
    let graph = plan.graph();
    let all = plan.model.ragged_state_inputs(&plan.scope(&graph), size);
    let specs = plan.model.ragged_state_specs(plan.dtype, more);
    let grown = specs.iter().zip(all).filter(|(spec, _)| is_paged(spec)).map(|(spec, state)| {
        let (_, grown) = graph.scan(spec.stack[0].axis, &[], &[state], graph::Remat::none(), |step| {
            (vec![], vec![step.slices[0].pad("page", 0, more.pages - size.pages, 0.0)])
        });
        Output { name: &spec.name, stack: &spec.stack, tensor: grown[0] }
    });
    let outputs: Vec<_> = grown.collect();
    Ok(graph.lower_unrolled("grow", &outputs, &[], plan.layers.unrolled())?)
}

fn remembering(tokens: usize) -> String {
    format!("remembering {tokens} tokens")
}

/// Whether it has a place for each token.
pub(crate) fn is_paged(spec: &ParamSpec) -> bool {
    spec.axes.iter().any(|axis| axis.name == "page")
}

/// Bytes on each device of a pool for adapters.
pub(crate) fn pool_bytes(plan: &ModelPlan, layout: &AdapterPool) -> Result<u128> {
    Ok(bytes_of_weights(&layout.specs(&plan.model, plan.dtype)?, plan.partition.as_ref()))
}

/// Bytes of the state on each device.
pub(crate) fn state_bytes(model: &Model<'_>, size: StateSize) -> u128 {
    bytes_of(&model.plan().state_specs(size), model.plan().partition.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_time_that_has_begun_before_the_rest_counts() {
        let began = Instant::now();
        let at = |seconds| began + Duration::from_secs(seconds);
        let times = [at(1)..at(3), at(7)..at(12)];
        for (since, expected) in [(0, 7), (2, 6), (3, 5), (5, 5), (8, 4), (12, 0), (20, 0)] {
            assert_eq!(behind(&times, at(since)), Duration::from_secs(expected), "{since}");
        }
    }
}
