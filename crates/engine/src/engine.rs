//! The engine: a loop that owns a model's state and continues many texts at once.

mod beforehand;
mod bring;
mod drafter;
mod failures;
mod iteration;
mod maker;
mod options;
mod pending;
mod registering;
mod room;
mod vectors;

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher as _, RandomState};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use constrain::MaskThreads;
use runtime::plugins::Platform;
use schedule::{Arrival, Limits, Scheduler, Stats};
use tokio::sync::mpsc::error::TryRecvError;

use crate::adapters::{Adapters, Look};
use crate::batch::{Live, ProgramShape, Runner};
use crate::draft::Draft;
use crate::embedder::Embedder;
use crate::error::{Error, Result};
use crate::memory::Room;
use crate::service::{Counted, Counters, Event, Events, Failure, Inbox, Message, Refusal, Request};
use crate::{FinishReason, Model};
use drafter::Drafter;
use iteration::InFlight;
use maker::ProgramMaker;
use pending::Pending;

pub use beforehand::Beforehand;
pub use options::{EngineOptions, Lookup, PromptTile};
pub use room::{cache_bytes, prompt_rows};
use room::{
    check_pages, known_adapters, limits, longest_text, pool_layout, remembered, state_size, step_shapes, text_pages,
};
pub(crate) use room::{is_tiled, pages_wanted};
use vectors::{Asked, Waiting};

/// Messages that are taken between two steps.
const MESSAGES_MAX: usize = 4096;
/// And tokens of prompts that are only scored, beside those of the last: they are copied for the scheduler, so many in about a millisecond.
const SCORED_TOKENS_MAX: usize = 1 << 20;

/// Continues many texts at once with one model.
pub struct Engine<'m, 's> {
    model: &'m Model<'s>,
    limits: Limits,
    context: usize,
    scheduler: Scheduler,
    /// What was counted by schedulers before it, with which the device failed.
    before: Stats,
    runner: Runner<'m, 's>,
    embedder: Embedder<'m, 's>,
    /// Texts whose vectors are asked for.
    embeddings: Waiting,
    /// Until when answers under way go on before the next text's vector is computed.
    answers_turn: Instant,
    /// Who makes programs of vectors while answers go on, as long as the engine runs.
    maker: Option<ProgramMaker>,
    /// Answers under way, by the scheduler's number.
    live: HashMap<u64, Live>,
    /// Answers whose adapters are on their way.
    pending: Pending<Live>,
    /// How many answers of each priority have begun with their adapters and wait for a row.
    held: BTreeMap<i32, usize>,
    adapters: Adapters,
    /// The scheduler's number of each request.
    numbers: HashMap<u64, u64>,
    next: u64,
    in_flight: Vec<InFlight>,
    /// Whether a step begins before the tokens of the one before are known. What is proposed follows from them, so that it does not then.
    runs_ahead: bool,
    lookup: Option<Lookup>,
    /// A smaller model that proposes.
    drafter: Option<Drafter<'m, 's>>,
    /// Compute what forms allow next, of several answers at once.
    mask_threads: MaskThreads,
    counters: std::sync::Arc<Counters>,
    is_draining: bool,
    /// Failures of steps since one was read. That a step has begun says nothing: what fails tells so when its results are read. Neither does a vector, which
    /// another program gives.
    step_failures: usize,
    /// Failures of vectors since one was read, or the device was looked at.
    vector_failures: usize,
    /// Which of the next readings fail, from the lowest bit on.
    #[cfg(test)]
    faults: u32,
    /// While it is locked no program of vectors is made.
    #[cfg(test)]
    hold: std::sync::Arc<std::sync::Mutex<()>>,
    /// By which texts' salts are told apart.
    salts: RandomState,
}

impl<'m, 's> Engine<'m, 's> {
    /// An engine for `model` whose counts are `counters`.
    ///
    /// # Errors
    /// The options contradict each other or the model, or the device has no room.
    pub fn new(
        model: &'m Model<'s>,
        options: &EngineOptions,
        counters: std::sync::Arc<Counters>,
    ) -> Result<Engine<'m, 's>> {
        Engine::with_draft(model, None, options, counters)
    }

    /// As [`Engine::new`], for whose texts a smaller model proposes tokens, if there is one.
    ///
    /// # Errors
    /// As [`Engine::new`], or that model cannot propose for `model`.
    pub fn with_draft(
        model: &'m Model<'s>,
        draft: Option<Draft<'m, 's>>,
        options: &EngineOptions,
        counters: std::sync::Arc<Counters>,
    ) -> Result<Engine<'m, 's>> {
        Engine::in_room(model, draft, options, counters, Room::of(model.session(), model.plan().device_count()))
    }

    /// As [`Engine::with_draft`], in memory that `room` tells of.
    pub(crate) fn in_room(
        model: &'m Model<'s>,
        draft: Option<Draft<'m, 's>>,
        options: &EngineOptions,
        counters: std::sync::Arc<Counters>,
        room: Room<'m>,
    ) -> Result<Engine<'m, 's>> {
        let context = longest_text(model.plan(), options)?;
        check_pages(model.plan(), options)?;
        if let Some(draft) = &draft {
            Draft::check(&model.plan().model, &draft.model.plan().model, draft.tokens)?;
        }
        let mut adapters = Adapters::new(model.plan(), options);
        let found = adapters.in_folder()?;
        let layout = pool_layout(adapters.reader(), options, &found)?;
        let known = layout.as_ref().map(|layout| known_adapters(adapters.reader(), options, &found, layout));
        for (name, path, _) in found {
            adapters.register(&name, path);
        }
        let limits = limits(model, draft.as_ref(), options, context, layout.as_ref())?;
        let scheduler = Scheduler::new(limits.clone())?;
        let size = state_size(&limits);
        let shapes = step_shapes(model, options, &limits, layout.as_ref(), known.unwrap_or_default())?;
        let embedder = Embedder::new(model, room.clone());
        let mut runner = Runner::new(model, size, shapes, layout, room);
        runner.begin_anew(size, shapes.pages, remembered(&limits))?;
        let drafter = draft.map(|draft| Drafter::new(draft, model, options, &limits)).transpose()?;
        // What pages have room for may be less.
        let context = context.min(scheduler.sequence_tokens_max());
        counters.rows.store(limits.rows as u64, Ordering::Relaxed);
        counters.pages.store(limits.pages as u64, Ordering::Relaxed);
        counters.page_tokens.store(limits.page_tokens as u64, Ordering::Relaxed);
        counters.adapters_max.store(options.adapters_max as u64, Ordering::Relaxed);
        let runs_ahead = limits.proposals == 0 && options.runs_ahead.unwrap_or_else(|| gains_by_running_ahead(model));
        let (live, pending, held, numbers) = Default::default();
        let mask_threads = MaskThreads::new(limits.rows);
        Ok(Engine {
            model,
            limits,
            context,
            scheduler,
            before: Stats::default(),
            runner,
            embedder,
            embeddings: Waiting::default(),
            answers_turn: Instant::now(),
            maker: None,
            live,
            pending,
            held,
            adapters,
            numbers,
            next: 0,
            in_flight: Vec::new(),
            runs_ahead,
            lookup: options.lookup,
            drafter,
            mask_threads,
            counters,
            is_draining: false,
            step_failures: 0,
            vector_failures: 0,
            #[cfg(test)]
            faults: 0,
            #[cfg(test)]
            hold: std::sync::Arc::default(),
            salts: RandomState::new(),
        })
    }

    /// The longest text, prompt and answer together, in tokens.
    pub fn context(&self) -> usize {
        self.context
    }

    /// Texts that are continued at once.
    pub(crate) fn rows(&self) -> usize {
        self.limits.rows
    }

    /// Frees what it remembers, and gives the memory in which that was, for the next engine: that knows what its process keeps.
    pub(crate) fn into_room(self) -> Room<'m> {
        self.runner.into_room()
    }

    /// Makes the program of the step that gives one text of `tokens` tokens the next one, so that no answer of one text waits for it behind its first token.
    ///
    /// # Errors
    /// It cannot be compiled, or the device has no room for it.
    pub(crate) fn prepare(&mut self, tokens: usize) -> Result<()> {
        self.runner.make(ProgramShape::Step(self.runner.decode_shape(tokens)))?;
        self.drafter.as_mut().map_or(Ok(()), |drafter| drafter.prepare(tokens))
    }

    /// Whether texts of so many tokens can be completed with the memory that is there.
    pub(crate) fn has_room(&self, tokens: usize) -> bool {
        self.runner.has_state() && tokens <= self.context
    }

    /// Makes room for texts of up to `context` tokens, where nothing is under way. What is remembered stays if the device has room for the new pages beside
    /// the old ones; else they take the place of those.
    ///
    /// # Errors
    /// The device has no room. Then what is there stays.
    pub(crate) fn reserve(&mut self, context: usize) -> Result<()> {
        let context = context.max(self.limits.context);
        let pages = self.limits.pages.max(pages_wanted(self.limits.rows, context, self.limits.page_tokens));
        let limits = Limits { context, pages, ..self.limits.clone() };
        let (size, of_text, tokens) = (state_size(&limits), text_pages(&limits), remembered(&limits));
        match self.runner.has_state() {
            true if limits == self.limits => return Ok(()),
            true => match self.runner.grow(size, of_text, tokens) {
                Ok(()) => {
                    self.scheduler.grow(pages, context);
                    self.limits = limits;
                    self.drafter.as_mut().map_or(Ok(()), |drafter| drafter.resize(&self.limits, true))?;
                }
                Err(Error::TooLarge { .. }) => self.begin_anew(limits)?,
                Err(error) => return Err(error),
            },
            false => self.begin_anew(limits)?,
        }
        self.context = self.limits.context.min(self.scheduler.sequence_tokens_max());
        Ok(())
    }

    /// Begins with nothing remembered, in a state for `limits`.
    fn begin_anew(&mut self, limits: Limits) -> Result<()> {
        self.runner.begin_anew(state_size(&limits), text_pages(&limits), remembered(&limits))?;
        self.drafter.as_mut().map_or(Ok(()), |drafter| drafter.resize(&limits, false))?;
        self.in_flight.clear();
        self.scheduler = Scheduler::new(limits.clone())?;
        self.limits = limits;
        Ok(())
    }

    /// Forgets all that is under way and all that is remembered, and frees the memory that it takes. What is asked for next begins with
    /// [`Engine::reserve`].
    pub(crate) fn let_go(&mut self) -> Result<()> {
        (self.in_flight, self.live, self.held, self.numbers) = Default::default();
        self.runner.let_go();
        if let Some(drafter) = &mut self.drafter {
            drafter.runner.let_go();
        }
        self.limits = Limits { context: 2, pages: self.limits.pages.min(2), ..self.limits.clone() };
        self.scheduler = Scheduler::new(self.limits.clone())?;
        Ok(())
    }

    /// Programs that are made so far.
    pub fn program_count(&self) -> usize {
        self.runner.program_count() + self.drafter.as_ref().map_or(0, |drafter| drafter.runner.program_count())
    }

    /// How long behind `since` programs were made that a step could not do without.
    pub(crate) fn making_since(&self, since: Instant) -> Duration {
        let drafter = self.drafter.as_ref().map(|drafter| drafter.runner.making_since(since));
        self.runner.making_since(since) + drafter.unwrap_or_default()
    }

    /// Makes the programs of all usual steps, of what is usually asked for behind them, and of a page that is copied, or as many as `progress` wants, which is
    /// told how many there are and how many are done. The others are made when they are needed.
    ///
    /// # Errors
    /// One of them cannot be compiled, or the device has no room for it.
    pub fn warm_up(&mut self, progress: &mut dyn FnMut(usize, usize) -> ControlFlow<()>) -> Result<()> {
        let programs = self.runner.usual_programs(self.limits.shares_prefixes);
        let count = programs.len();
        let of_draft = |drafter: &Drafter<'_, '_>| drafter.runner.usual_programs(self.limits.shares_prefixes);
        let drafts = self.drafter.as_ref().map(of_draft).unwrap_or_default();
        let all = count + drafts.len();
        let mut wants = ControlFlow::Continue(());
        self.runner.make_all(programs, &mut |done| {
            wants = progress(done, all);
            wants
        })?;
        if let Some(drafter) = self.drafter.as_mut().filter(|_| wants.is_continue()) {
            drafter.runner.make_all(drafts, &mut |done| {
                // The first time none is done, which was told.
                if done > 0 {
                    wants = progress(count + done, all);
                }
                wants
            })?;
        }
        // Who hears then that it serves may ask at once: what comes before [`Engine::run`] waits for that.
        self.counters.note_step(Instant::now());
        self.counters.is_ready.store(wants.is_continue(), Ordering::Release);
        Ok(())
    }

    /// Does what it is asked until nobody can ask any more, or it is told to end and all is answered.
    ///
    /// # Errors
    /// The device fails again and again.
    pub fn run(&mut self, inbox: &mut Inbox) -> Result<()> {
        let model = self.model;
        std::thread::scope(|scope| {
            // Processes that compile together do so in the same order.
            let is_alone = model.session().group().is_none();
            #[cfg(test)]
            let hold = std::sync::Arc::clone(&self.hold);
            let make = move |length| {
                #[cfg(test)]
                let _held = hold.lock();
                Embedder::compile(model, length)
            };
            self.maker = is_alone.then(|| ProgramMaker::begin(scope, make, inbox.waker.clone()));
            let ended = catch_unwind(AssertUnwindSafe(|| self.run_on(inbox)));
            let failure = match &ended {
                Ok(Err(error)) => Failure::Device(error.to_string()),
                Ok(Ok(())) | Err(_) => Failure::Stopping,
            };
            // Its thread ends with it, also where a step panicked, or what follows does.
            self.maker = None;
            // The scope waits for a program that is being compiled, and nobody is to wait for that too.
            self.close(inbox, &failure);
            ended.unwrap_or_else(|panic| resume_unwind(panic))
        })
    }

    fn run_on(&mut self, inbox: &mut Inbox) -> Result<()> {
        self.counters.is_ready.store(true, Ordering::Release);
        (self.step_failures, self.vector_failures) = (0, 0);
        loop {
            let is_idle = self.live.is_empty() && !self.has_vectors_to_compute();
            let awaits_loader = !self.pending.is_empty() || self.awaits_pins() || self.awaits_looks();
            if self.live.is_empty() && awaits_loader {
                self.adapters.receive(is_idle);
                // What waits for nobody's answer is not stuck.
                if is_idle && self.pending.is_empty() {
                    self.counters.note_step(Instant::now());
                }
            } else if is_idle {
                if self.is_draining && self.embeddings.is_empty() {
                    return Ok(());
                }
                match inbox.wait_for_next() {
                    Some(message) => self.take(message),
                    // Nobody can ask or wake it any more, and what was asked is done yet.
                    None => match self.maker.as_mut().and_then(ProgramMaker::wait) {
                        Some(made) => self.take_made(made),
                        None => return Ok(()),
                    },
                }
                // What was idle was not stuck.
                self.counters.note_step(Instant::now());
            }
            self.take_all(inbox);
            if let Err(error) = self.embed_in_turn() {
                self.note_vector_failure(error)?;
            }
            if let Err(error) = self.step() {
                self.fail_all(&Failure::Device(error.to_string()));
                self.note_step_failure(error)?;
                self.recover()?;
            }
        }
    }

    /// Does what is asked meanwhile, as far as the next step may wait for that.
    fn take_all(&mut self, inbox: &mut Inbox) {
        let mut scored_tokens = 0;
        for _ in 0..MESSAGES_MAX {
            match inbox.try_next() {
                Ok(message) => {
                    if let Message::Generate { request, .. } = &message
                        && request.max_tokens == 0
                    {
                        scored_tokens += request.prompt.len();
                    }
                    self.take(message);
                }
                Err(TryRecvError::Empty) => return,
                // Nobody is left who could ask, or be told of an adapter that is looked at.
                Err(TryRecvError::Disconnected) => return self.is_draining = true,
            }
            if scored_tokens >= SCORED_TOKENS_MAX {
                return;
            }
        }
    }

    /// Does what a message asks for.
    fn take(&mut self, message: Message) {
        match message {
            Message::Generate { id, request, events, counted } => self.receive(id, *request, events, counted),
            Message::Cancel(number) => self.cancel(number),
            Message::Embed { key, tokens, adapter, pooling, reply, counted } => {
                self.ask(adapter, Asked { key, tokens, pooling, reply, counted });
            }
            Message::LoadAdapter { name, path, is_pinned, reply } => match self.pool_layout(&name) {
                Ok(layout) => self.adapters.look(Look { name, path, is_pinned, layout, reply }),
                Err(refusal) => _ = reply.send(Err(refusal)),
            },
            Message::UnloadAdapter { name, reply } => {
                self.adapters.begin_to_unload(name, reply);
                self.take_unloading();
            }
            Message::Adapters { reply, place: _place } => {
                let _ = reply.send(self.adapters.list());
            }
            Message::Adapter { name, reply, place } => self.adapters.tell(name, move |entry| {
                let _place = place;
                let _ = reply.send(entry);
            }),
            Message::Drain => self.is_draining = true,
            // Who waits for something looks next.
            Message::Wake(_) => {}
        }
    }

    /// Begins an answer. What becomes of it goes to `events`.
    pub fn submit(&mut self, number: u64, request: Request, events: Events) {
        let counted = Counted::waiting(&self.counters);
        self.receive(number, request, events, counted);
    }

    /// As [`Engine::submit`], of a request that is counted already.
    fn receive(&mut self, number: u64, request: Request, events: Events, counted: Counted) {
        let has_adapter = request.adapter.is_some();
        let mut live = Live::new(number, request, events, counted);
        if self.is_draining {
            return self.leave(live, Some(Event::Failed(Failure::Stopping)));
        }
        // For nothing no adapter is brought, if it is known that there is one.
        if live.is_empty() && (!has_adapter || self.adapters.entry(&live.adapter_name).is_some()) {
            return self.leave_empty(live);
        }
        if !has_adapter {
            return self.arrive_first(live);
        }
        let Some(generation) = self.adapters.acquire(&live.adapter_name) else {
            let refusal = Refusal::NoSuchAdapter(live.adapter_name.clone());
            return self.leave(live, Some(Event::Failed(Failure::Refused(refusal))));
        };
        live.seek(generation);
        if !self.adapters.is_sought(generation) {
            live.find();
        }
        self.pending.push(live.priority, live.key, live.request, live);
    }

    fn arrive_first(&mut self, live: Live) {
        if let Err((live, refused)) = self.arrive(live) {
            self.leave(*live, Some(Event::Failed(Failure::Refused(refused))));
        }
    }

    /// Ends an answer that nobody wants any more.
    pub fn cancel(&mut self, number: u64) {
        if let Some(id) = self.numbers.get(&number).copied() {
            self.end(id, None);
        } else if let Some(live) = self.pending.remove_number(number) {
            self.leave(live, None);
        }
    }

    /// Pages of keys and values that texts under way have.
    pub fn pages_used(&self) -> usize {
        self.scheduler.stats().pages_used
    }

    /// Gives an answer, begun or not, to the scheduler.
    fn arrive(&mut self, live: Live) -> std::result::Result<(), (Box<Live>, Refusal)> {
        let id = self.next;
        self.next += 1;
        let prompt = live.computed();
        let tokens = prompt.len();
        let arrival = Arrival {
            id,
            prompt,
            max_tokens: live.left().max(1).min(self.scheduler.sequence_tokens_max().saturating_sub(tokens)),
            priority: live.priority,
            key: live.key,
            salt: self.salt(&live),
            // What is not computed is not scored.
            shares: !live.is_scored(),
        };
        match self.scheduler.submit(arrival) {
            Ok(()) => {
                self.numbers.insert(live.request, id);
                self.live.insert(id, live);
                Ok(())
            }
            Err(refused) => Err((Box::new(live), self.refusal(tokens, &refused))),
        }
    }

    /// What texts have to have in common beside their beginnings to share what was computed of those. Nobody knows the hash's key, so that nobody finds a
    /// salt with another one's hash.
    fn salt(&self, live: &Live) -> u64 {
        let generation = live.adapter.unwrap_or_default();
        live.cache_salt.as_ref().map_or(generation, |salt| self.salts.hash_one((generation, salt)))
    }

    fn refusal(&self, tokens: usize, refused: &schedule::Refused) -> Refusal {
        match refused {
            schedule::Refused::Full { waiting } => Refusal::Full { waiting: *waiting, places: *waiting, asked: 1 },
            schedule::Refused::Empty => Refusal::Empty,
            _ => {
                let context = self.scheduler.sequence_tokens_max().min(self.context);
                Refusal::TooLong { tokens, context, is_answered: true }
            }
        }
    }

    /// Ends an answer, with an event if somebody may want it.
    fn end(&mut self, id: u64, event: Option<Event>) {
        self.scheduler.end(id);
        if let Some(live) = self.live.remove(&id) {
            self.leave(live, event);
        }
    }

    /// Ends an answer for which there is nothing to compute.
    fn leave_empty(&mut self, mut live: Live) {
        live.start(0);
        self.leave(live, Some(Event::Finished(FinishReason::Length)));
    }

    /// Lets an answer go that the scheduler does not know.
    fn leave(&mut self, live: Live, event: Option<Event>) {
        self.numbers.remove(&live.request);
        bring::note_row(&mut self.held, &live);
        if let Some(generation) = live.adapter {
            self.adapters.release(generation, live.places.is_some(), self.runner.pool());
        }
        live.leave(event);
    }
}

/// Whether the device computes while the host waits for the step before.
pub(crate) fn gains_by_running_ahead(model: &Model<'_>) -> bool {
    model.session().platform() != Platform::Cpu
}

#[cfg(test)]
mod growth_tests;
#[cfg(test)]
mod tests;
