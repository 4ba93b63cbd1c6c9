//! One iteration of the engine: what is planned is computed, tokens are chosen behind it, and they go to those who wait for them.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::atomic::Ordering;
use std::time::Instant;

use runtime::Array;
use schedule::{Plan, Prefill};

use super::Engine;
use super::bring::note_row;
use crate::FinishReason;
use crate::batch::{Choice, Live, Outcome, Row, ScoredChunk, Scores, StepShape, Texts};
use crate::error::{Error, Result};
use crate::service::{Counters, Event, Failure};

/// In place of a token that is proposed when there are pages for it. No model has it.
const PLACE: u32 = u32::MAX;

/// A step whose results nobody has read.
pub(super) struct InFlight {
    results: Results,
    due: Vec<Due>,
}

/// What is read of a step.
#[expect(clippy::large_enum_variant, reason = "there are a few at most")]
enum Results {
    /// The tokens that were chosen behind it.
    Tokens(Outcome),
    /// What it tells of prompts.
    Scores(Scores),
    /// Nothing of a prompt that goes on; that it is done. Else a long prompt's steps would all begin at once, and whoever comes next would wait for them.
    Logits(Array),
}

/// A step that has begun.
struct Begun {
    logits: Array,
    rows: usize,
    due: Vec<Due>,
    scores: Option<Scores>,
}

/// Rows of a step's logits behind which tokens of a text are to be chosen.
struct Due {
    /// The first of them.
    row: usize,
    id: u64,
    slot: u32,
    /// Tokens that are proposed, and in the order of the rows behind the first.
    proposed: Vec<u32>,
}

impl Engine<'_, '_> {
    /// One iteration: what is planned is computed, and tokens go to those who wait for them.
    ///
    /// # Errors
    /// The device fails. Then nothing that it held can be relied on.
    pub fn step(&mut self) -> Result<()> {
        self.bring_adapters()?;
        let mut computes = !self.in_flight.is_empty();
        if !self.runs_ahead {
            self.collect()?;
        }
        let begun = self.begin()?;
        computes |= !begun.is_empty();
        self.counters.steps.fetch_add(u64::from(!begun.is_empty()), Ordering::Relaxed);
        if self.runs_ahead {
            self.collect()?;
        }
        for begun in begun {
            self.choose(begun)?;
        }
        if self.live.is_empty() {
            // Nobody waits for what was computed behind the last token of all, which takes memory.
            self.in_flight.clear();
        }
        self.count();
        if computes {
            // Who waits for something else, an adapter that never comes, is not alive.
            self.counters.note_step(Instant::now());
        }
        Ok(())
    }

    /// Begins to compute what is planned: in one step, or in one for texts that go on and one for prompts, where nothing may depend on what is beside it, or
    /// there would be too many sizes of both.
    fn begin(&mut self) -> Result<Vec<Begun>> {
        let (lookup, live, drafter) = (self.lookup, &mut self.live, self.drafter.as_ref());
        let mut plan = self.scheduler.plan_with(&mut |id, tokens, most| {
            match (live.get_mut(&id).filter(|live| live.takes_proposals()), drafter, lookup) {
                // What it proposes is known when it has computed it, in the plan's pages.
                (Some(live), Some(drafter), _) => vec![PLACE; drafter.most(live, tokens.len(), most)],
                (Some(live), None, Some(lookup)) => live.ngrams.proposed(tokens, lookup, most),
                _ => Vec::new(),
            }
        });
        follow(&mut self.live, &mut self.held, &plan);
        let drafter = self.drafter.as_mut();
        let fed = drafter.map_or(Ok(Vec::new()), |drafter| drafter.propose(&plan, &mut self.live))?;
        plan.decode.iter_mut().zip(&fed).for_each(|(row, (_, fed))| row.tokens = fed);
        note_tokens(&self.counters, &plan);
        let length = |id: u64| self.live.get(&id).map_or(0, |live| live.length());
        let places = |id: u64| self.live.get(&id).and_then(|live| live.places.as_deref());
        let prompt = |id: u64| self.live.get(&id).map_or(&[][..], |live| &live.prompt);
        let steps = match self.runner.computes_apart() {
            true => {
                let Plan { copies, decode, prefill, .. } = plan;
                vec![Plan { copies, decode, ..Plan::default() }, Plan { prefill, ..Plan::default() }]
            }
            false => vec![plan],
        };
        let (mut begun, mut failed) = (Vec::new(), BTreeMap::new());
        let wanted = |prefill: &Prefill<'_>| self.live.get(&prefill.id)?.scores_wanted(prefill.start);
        let mut steps: VecDeque<_> = steps.into_iter().flat_map(|step| scored_apart(step, &wanted)).collect();
        while let Some((step, scored)) = steps.pop_front() {
            self.runner.copy(&step.copies)?;
            if step.is_empty() {
                continue;
            }
            let texts = Texts { length: &length, scored, prompt: &prompt, places: &places };
            let (shape, logits, scores) = match self.runner.begin(&step, texts) {
                Ok(begun) => begun,
                Err(error @ Error::TooLarge { .. }) => {
                    // Fewer rows take less; what takes too much alone cannot be answered.
                    match (Plan { copies: Vec::new(), ..step }).halves(self.runner.chunk_least()) {
                        Ok(halves) => halves.into_iter().rev().for_each(|half| steps.push_front((half, scored))),
                        Err(step) => failed.extend(step.ids().map(|id| (id, error.to_string()))),
                    }
                    continue;
                }
                Err(error) => return Err(error),
            };
            for decode in step.decode.iter().filter(|decode| !decode.proposals().is_empty()) {
                self.counters.note_proposals(decode.proposals().len());
            }
            begun.push(Begun { logits, rows: shape.rows(), due: due(&shape, &step, &self.live), scores });
        }
        for (id, fed) in &fed {
            self.scheduler.propose_instead(*id, fed.get(1..).unwrap_or_default());
        }
        for (id, reason) in failed {
            self.scheduler.end_uncomputed(id);
            self.end(id, Some(Event::Failed(Failure::TooLarge(reason))));
        }
        Ok(begun)
    }

    /// Begins to choose the tokens that are due.
    fn choose(&mut self, Begun { logits, rows, due, scores }: Begun) -> Result<()> {
        self.compute_masks(&due);
        let mut choices = vec![Choice::default(); rows];
        let mut chosen = Vec::new();
        for due in due {
            let Some(live) = self.live.get_mut(&due.id) else { continue };
            // Which of several is the last that counts is told by the host with the next step.
            let slot = due.proposed.is_empty().then_some(due.slot);
            let all = (0..=due.proposed.len()).map(|count| live.choice(slot, &due.proposed[..count]));
            match all.collect::<std::result::Result<Vec<_>, _>>() {
                Ok(all) => {
                    choices[due.row..].iter_mut().zip(all).for_each(|(choice, own)| *choice = own);
                    chosen.push(due);
                }
                Err(failure) => self.end(due.id, Some(Event::Failed(failure))),
            }
        }
        if let Some(scores) = scores {
            self.in_flight.push(InFlight { results: Results::Scores(scores), due: Vec::new() });
            if chosen.is_empty() {
                return Ok(());
            }
        }
        let results = match chosen.is_empty() {
            true => Results::Logits(logits),
            false => Results::Tokens(self.runner.choose(logits, &choices)?),
        };
        self.in_flight.push(InFlight { results, due: chosen });
        Ok(())
    }

    /// Computes side by side what forms allow next where several texts are held to one: each mask may take milliseconds, and all others wait for the step.
    fn compute_masks(&mut self, due: &[Due]) {
        let ids = due.iter().map(|due| due.id);
        let held: Vec<u64> = ids.filter(|id| self.live.get(id).is_some_and(Live::is_constrained)).collect();
        if held.len() > 1 {
            // Taken out for a moment, since thousands may wait among whom they are.
            let mut texts: Vec<_> = held.iter().filter_map(|id| self.live.remove_entry(id)).collect();
            self.mask_threads.compute(texts.iter_mut().filter_map(|(_, live)| live.constraint()).collect());
            self.live.extend(texts);
        }
    }

    /// Waits for the step before, and passes on what was chosen behind it.
    fn collect(&mut self) -> Result<()> {
        for InFlight { results, due } in std::mem::take(&mut self.in_flight) {
            match results {
                Results::Tokens(outcome) => {
                    let read = self.runner.read(outcome);
                    let read = self.note_read(read)?;
                    for Due { row, id, proposed, .. } in due {
                        self.learn(id, &read[row..=row + proposed.len()], &proposed);
                    }
                }
                Results::Scores(scores) => self.learn_scores(scores)?,
                Results::Logits(logits) => {
                    let waited = logits.wait().map_err(Error::from);
                    self.note_read(waited)?;
                }
            }
        }
        Ok(())
    }

    /// Passes on what is told of prompts.
    fn learn_scores(&mut self, scores: Scores) -> Result<()> {
        let read = self.runner.read_scores(scores);
        for ScoredChunk { id, start, behind } in self.note_read(read)? {
            let Some(live) = self.live.get_mut(&id) else { continue };
            match live.take_scores(start, behind) {
                Ok(true) => self.end(id, Some(Event::Finished(FinishReason::Length))),
                Ok(false) if live.is_abandoned() => self.end(id, None),
                Ok(false) => {}
                Err(tokens) => {
                    let dtype = self.model.dtype().to_string();
                    self.end(id, Some(Event::Failed(Failure::NotFinite { tokens, dtype })));
                }
            }
        }
        Ok(())
    }

    /// Takes what was chosen behind a text and behind each token that was proposed for it, as far as those are what was chosen before.
    fn learn(&mut self, id: u64, rows: &[Row], proposed: &[u32]) {
        let Some(live) = self.live.get_mut(&id) else { return };
        let mut tokens = Vec::with_capacity(rows.len());
        for (at, row) in rows.iter().enumerate() {
            let Ok(token) = u32::try_from(row.token) else {
                let (tokens, dtype) = (live.length(), self.model.dtype().to_string());
                return self.end(id, Some(Event::Failed(Failure::NotFinite { tokens, dtype })));
            };
            let before = live.length();
            let news = live.push(live.chosen(token, row));
            // As clients are told: a token that ends an answer is no part of it.
            self.counters.note_token(at > 0, live.length() > before);
            if let Some(event) = news {
                return self.end(id, Some(event));
            }
            tokens.push(token);
            if proposed.get(at) != Some(&token) {
                break;
            }
        }
        if live.is_abandoned() {
            return self.end(id, None);
        }
        let ended = self.scheduler.verified(id, &tokens) == schedule::Learned::Ended;
        if ended && let Some(live) = self.live.remove(&id) {
            self.leave(live, Some(Event::Finished(FinishReason::Length)));
        }
    }

    pub(super) fn count(&self) {
        let (stats, before) = (self.scheduler.stats(), self.before);
        let counters = &self.counters;
        let store = |counter: &std::sync::atomic::AtomicU64, value: u64| counter.store(value, Ordering::Relaxed);
        store(&counters.running, stats.running as u64);
        store(&counters.preempted, stats.preempted as u64);
        store(&counters.pages_used, stats.pages_used as u64);
        store(&counters.preemptions, before.preemptions + stats.preemptions);
        store(&counters.prefix_queries, before.prefix_queries + stats.prefix_queries);
        store(&counters.prefix_hits, before.prefix_hits + stats.prefix_hits);
    }
}
/// Tells texts that a plan begins them, takes their pages away, or computes them again.
fn follow(live: &mut HashMap<u64, Live>, held: &mut BTreeMap<i32, usize>, plan: &Plan<'_>) {
    for (id, cached_tokens) in &plan.started {
        if let Some(live) = live.get_mut(id).filter(|live| !live.has_started) {
            note_row(held, live);
            live.start(*cached_tokens);
        }
    }
    for id in &plan.preempted {
        if let Some(live) = live.get_mut(id) {
            live.preempt();
        }
    }
    for prefill in &plan.prefill {
        if let Some(live) = live.get_mut(&prefill.id).filter(|live| live.has_started) {
            live.go_on();
        }
    }
}

/// The rows of a step behind which tokens are to be chosen.
fn due(shape: &StepShape, step: &Plan<'_>, live: &HashMap<u64, Live>) -> Vec<Due> {
    let decode = step.decode.iter().enumerate().map(|(row, decode)| Due {
        row: row * shape.width(),
        id: decode.id,
        slot: decode.slot,
        proposed: decode.proposals().to_vec(),
    });
    let chooses = |id| live.get(&id).is_some_and(|live| live.max_tokens > 0);
    let prompts = shape.prompt_rows(step).zip(&step.prefill);
    let prompts = prompts.filter(|(_, prefill)| prefill.is_last && chooses(prefill.id));
    let prompts = prompts.map(|(row, prefill)| Due { row, id: prefill.id, slot: prefill.slot, proposed: Vec::new() });
    decode.chain(prompts).collect()
}

/// Counts the tokens of a plan.
fn note_tokens(counters: &Counters, plan: &Plan<'_>) {
    let prompt_tokens: usize = plan.prefill.iter().map(|prefill| prefill.tokens.len()).sum();
    counters.prompt_tokens.fetch_add(prompt_tokens as u64, Ordering::Relaxed);
    if !plan.is_empty() {
        counters.note_step_tokens(plan.tokens() as u64);
    }
}

/// A plan as it is computed: the prompts that are scored in a step of their own, with how many of the likeliest tokens it tells.
fn scored_apart<'a>(
    mut plan: Plan<'a>,
    wanted: &dyn Fn(&Prefill<'_>) -> Option<usize>,
) -> impl Iterator<Item = (Plan<'a>, Option<usize>)> + use<'a> {
    let most = plan.prefill.iter().filter_map(wanted).max();
    let (scored, others) = std::mem::take(&mut plan.prefill).into_iter().partition(|prefill| wanted(prefill).is_some());
    plan.prefill = others;
    let scored = most.map(|most| (Plan { prefill: scored, ..Plan::default() }, Some(most)));
    [(plan, None)].into_iter().chain(scored)
}
