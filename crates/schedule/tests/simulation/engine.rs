//! An engine that runs a scheduler on the device and holds every plan and every answer to what must be.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use schedule::{Arrival, Decode, Learned, Limits, Plan, Refused, Scheduler, Stats};

use crate::device::Device;
use crate::random::{Random, mix};
use crate::text::{END, Text};

/// In place of a token that is said behind the plan, and never fed.
const PLACE: u32 = u32::MAX;

pub(crate) struct Engine {
    pub(crate) scheduler: Scheduler,
    limits: Limits,
    vocab: u32,
    behind: usize,
    device: Device,
    /// All requests that were ever accepted.
    texts: HashMap<u64, Text>,
    /// Those that have not ended, in the order of their arrival, with the tokens that are learned.
    open: BTreeMap<u64, Vec<u32>>,
    started: HashSet<u64>,
    slots: HashMap<u64, u32>,
    /// Chosen tokens that are not told yet, by iteration.
    untold: VecDeque<Vec<(u64, Vec<u32>)>>,
    /// Those for which tokens were proposed of which it is not told whether they are right.
    verifying: HashSet<u64>,
    /// How many tokens, prompt included, were chosen of each.
    chosen: HashMap<u64, usize>,
    pub(crate) seen: Seen,
}

/// What happened, to know that it is tried.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Seen {
    /// Stands for all plans.
    pub(crate) plans: u64,
    pub(crate) answers: usize,
    pub(crate) iterations: usize,
    pub(crate) copies: usize,
    pub(crate) refusals: usize,
    pub(crate) cancels: usize,
    pub(crate) ends: usize,
    /// Rows of requests that had ended, which the engine did not know yet.
    pub(crate) wasted: usize,
    /// Tokens that were learned of a request without a slot.
    pub(crate) learned_late: usize,
    /// Requests that were computed anew.
    pub(crate) anew: usize,
    /// Tokens that were proposed, and those of them that were right.
    pub(crate) proposed: usize,
    pub(crate) accepted: usize,
    /// Requests that were preempted while it was not told which were right.
    pub(crate) preempted_verifying: usize,
    /// Requests that were preempted for one that is admitted.
    pub(crate) gave_way: usize,
}

impl Engine {
    /// An engine that makes so many plans before it tells the tokens of one.
    pub(crate) fn new(limits: &Limits, vocab: u32, behind: usize) -> Engine {
        Engine {
            scheduler: Scheduler::new(limits.clone()).unwrap(),
            device: Device::new(limits, vocab),
            limits: limits.clone(),
            vocab,
            behind,
            texts: HashMap::new(),
            open: BTreeMap::new(),
            started: HashSet::new(),
            slots: HashMap::new(),
            untold: VecDeque::new(),
            verifying: HashSet::new(),
            chosen: HashMap::new(),
            seen: Seen::default(),
        }
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.open.is_empty()
    }

    /// Whether a request has begun to be computed.
    pub(crate) fn has_started(&self, id: u64) -> bool {
        self.started.contains(&id)
    }

    pub(crate) fn submit(&mut self, arrival: Arrival) -> bool {
        let limits = &self.limits;
        let id = arrival.id;
        let limit = (arrival.prompt.len() + arrival.max_tokens).min(limits.context);
        let fits = limits.page_tokens == 0 || (limit - 1).div_ceil(limits.page_tokens) < limits.pages;
        let expected = match &arrival {
            Arrival { prompt, .. } if prompt.is_empty() => Some("empty"),
            _ if self.open.len() >= limits.waiting + limits.rows => Some("full"),
            Arrival { prompt, .. } if prompt.len() >= limits.context || !fits => Some("long"),
            _ => None,
        };
        let result = self.scheduler.submit(arrival.clone());
        let told = match &result {
            Ok(()) => None,
            Err(Refused::Empty) => Some("empty"),
            Err(Refused::Full { .. }) => Some("full"),
            Err(Refused::TooLong { .. }) => Some("long"),
            Err(Refused::Known(_) | Refused::NoAnswer) => Some("other"),
        };
        assert_eq!(told, expected, "{arrival:?} with {limits:?}");
        self.seen.refusals += usize::from(result.is_err());
        if result.is_ok() {
            assert_eq!(self.scheduler.submit(arrival.clone()), Err(Refused::Known(id)));
            self.chosen.insert(id, arrival.prompt.len());
            self.texts.insert(id, Text::new(arrival, &self.limits, self.vocab));
            self.open.insert(id, Vec::new());
        }
        result.is_ok()
    }

    pub(crate) fn cancel(&mut self, random: &mut Random) {
        let ids: Vec<u64> = self.open.keys().copied().collect();
        if !ids.is_empty() {
            self.seen.cancels += 1;
            self.close(ids[random.within(0, ids.len() - 1)]);
        }
    }

    fn close(&mut self, id: u64) {
        assert!(self.scheduler.end(id), "request {id} is lost");
        self.forget(id);
    }

    fn forget(&mut self, id: u64) {
        self.open.remove(&id);
        self.slots.remove(&id);
        self.verifying.remove(&id);
        assert!(!self.scheduler.end(id), "request {id} has ended");
        assert_eq!(self.scheduler.learned(id, 1), Learned::Ignored);
    }

    /// Of a request whose tokens are all told nothing is learned.
    fn check_told(&mut self) {
        let is_untold = |id: &u64| self.untold.iter().flatten().any(|(untold, _)| untold == id);
        for &id in self.open.keys().filter(|id| !is_untold(id)) {
            assert_eq!(self.scheduler.learned(id, END), Learned::Ignored, "{id} has no token that is not told");
        }
    }

    /// One iteration. Gives the tokens that were computed.
    pub(crate) fn step(&mut self) -> usize {
        self.scheduler.invariants().unwrap();
        self.check_told();
        let texts = &self.texts;
        // Some are found behind the plan, which has places for them.
        let are_late = mix(self.seen.iterations as u64).is_multiple_of(3);
        let mut late = HashMap::new();
        let mut plan = self.scheduler.plan_with(&mut |id, tokens, most| {
            let found = proposals(&texts[&id], tokens, most);
            if !are_late {
                return found;
            }
            late.insert(id, found);
            vec![PLACE; most]
        });
        let proposed = plan.decode.iter().filter(|row| !row.proposals().is_empty()).map(|row| row.id);
        let proposed: Vec<u64> = proposed.collect();
        let fed: Vec<_> = plan.decode.iter().map(|row| fed(row, late.get(&row.id))).collect();
        plan.decode.iter_mut().zip(&fed).for_each(|(row, fed)| row.tokens = fed);
        let (is_empty, tokens) = (plan.is_empty(), plan.tokens());
        for id in &plan.preempted {
            self.seen.preempted_verifying += usize::from(self.verifying.contains(id));
            assert!(!self.limits.chunk_aligned && self.slots.remove(id).is_some(), "{id} had no slot");
        }
        self.seen.gave_way += usize::from(!plan.preempted.is_empty() && plan.prefill.iter().any(|row| row.is_first));
        check_limits(&plan, &self.limits);
        note_slots(&plan, &mut self.slots, &self.open);
        for &(id, cached) in &plan.started {
            assert!(self.started.insert(id), "{id} started twice");
            let start = plan.prefill.iter().find(|row| row.id == id).map(|row| row.start);
            assert_eq!(start, Some(cached));
        }
        let mut hasher = DefaultHasher::new();
        (self.seen.plans, &plan).hash(&mut hasher);
        self.seen.plans = hasher.finish();
        self.seen.copies += plan.copies.len();
        self.seen.wasted += plan.decode.iter().filter(|row| is_over(&self.texts[&row.id], row.position)).count();
        for row in &plan.decode {
            assert!(!self.verifying.contains(&row.id), "{} goes on before it is told which tokens are right", row.id);
            assert!(row.proposals().len() <= self.limits.proposals);
            self.seen.proposed += row.proposals().len();
        }
        self.verifying.extend(proposed);
        let chosen = self.device.compute(&plan, &self.texts);
        let planned: HashSet<u64> =
            plan.decode.iter().map(|row| row.id).chain(plan.prefill.iter().map(|row| row.id)).collect();
        late.iter().for_each(|(id, found)| self.scheduler.propose_instead(*id, found));
        for (id, tokens) in &chosen {
            *self.chosen.get_mut(id).unwrap() += tokens.len();
            self.seen.accepted += tokens.len() - 1;
            assert!(self.chosen[id] <= self.texts[id].until(), "{id} is planned beyond its last token");
        }
        let first = self.slots.keys().min_by_key(|id| (self.texts[id].arrival.priority, **id)).copied();
        if let Some(first) = first {
            let is_complete = self.chosen[&first] == self.texts[&first].until();
            let goes_on = planned.contains(&first) || self.verifying.contains(&first);
            assert!(goes_on || is_complete, "{first} is the first in order and stands still");
        }
        self.scheduler.invariants().unwrap();
        self.seen.iterations += 1;
        let has_untold = self.untold.iter().any(|chosen| !chosen.is_empty());
        assert!(!is_empty || has_untold || self.open.is_empty(), "nothing goes on: {:?}", self.scheduler);
        self.untold.push_back(chosen);
        let behind = if is_empty { 0 } else { self.behind_now() };
        while self.untold.len() > behind {
            self.tell();
        }
        tokens
    }

    /// How many plans are made before the tokens of one are told.
    fn behind_now(&self) -> usize {
        match self.limits.proposals {
            0 => self.behind,
            // What is behind for ever proposes nothing.
            _ => mix(self.seen.iterations as u64) as usize % (self.behind + 1),
        }
    }

    /// Tells the tokens of the earliest iteration of which they are not told.
    fn tell(&mut self) {
        for (id, mut tokens) in self.untold.pop_front().unwrap_or_default() {
            let Some(answer) = self.open.get_mut(&id) else {
                assert_eq!(self.scheduler.verified(id, &tokens), Learned::Ignored);
                continue;
            };
            self.verifying.remove(&id);
            if let Some(end) = tokens.iter().position(|token| *token == END) {
                tokens.truncate(end + 1);
            }
            let Some(&token) = tokens.last() else { continue };
            let Some(text) = self.texts.get_mut(&id) else { continue };
            answer.extend(&tokens);
            assert_eq!(*answer, text.answer[..answer.len()], "{id} is answered as if alone");
            self.seen.learned_late += usize::from(!self.slots.contains_key(&id));
            let is_whole = text.arrival.prompt.len() + answer.len() == text.tokens.len();
            let is_answered = answer.len() == text.answer.len();
            // Some engines tell the end token, and some do not.
            if token == END && id % 2 == 0 {
                self.close(id);
            } else {
                let told = self.scheduler.verified(id, &tokens);
                assert_eq!(told, if is_whole { Learned::Ended } else { Learned::GoesOn }, "{id}");
                if is_whole {
                    self.forget(id);
                } else if token == END {
                    self.close(id);
                } else if text.anew_at == Some(text.arrival.prompt.len() + answer.len()) {
                    text.is_anew = true;
                    self.slots.remove(&id);
                    self.seen.anew += 1;
                }
            }
            self.seen.ends += usize::from(token == END);
            self.seen.answers += usize::from(is_answered);
            assert_eq!(is_answered, !self.open.contains_key(&id));
        }
        self.scheduler.invariants().unwrap();
    }

    /// All requests have ended: nothing is left of them but pages worth keeping.
    pub(crate) fn finish(mut self) -> (Seen, Stats) {
        while !self.untold.is_empty() {
            self.tell();
        }
        let stats = self.scheduler.stats();
        assert_eq!((stats.running, stats.waiting, stats.pages_used), (0, 0, 0));
        assert!(stats.pages_cached <= stats.pages && stats.prefix_hits <= stats.prefix_queries);
        assert!(self.scheduler.plan().is_empty());
        self.scheduler.invariants().unwrap();
        (self.seen, stats)
    }
}

/// What a row is fed, where tokens are said behind the plan: as many of them as it has places.
fn fed(row: &Decode<'_>, late: Option<&Vec<u32>>) -> Vec<u32> {
    let Some(late) = late else { return row.tokens.to_vec() };
    let places = row.proposals();
    assert!(places.iter().all(|place| *place == PLACE));
    let certain = &row.tokens[..row.tokens.len() - places.len()];
    certain.iter().chain(late.iter().take(places.len())).copied().collect()
}

/// What is proposed behind some tokens: often what follows, sometimes with a mistake, and sometimes more than is taken.
fn proposals(text: &Text, tokens: &[u32], most: usize) -> Vec<u32> {
    assert!(most > 0 && tokens == &text.tokens[..tokens.len()], "what is known of {}", text.arrival.id);
    let random = mix(text.arrival.id << 32 | tokens.len() as u64);
    let following = text.tokens[tokens.len()..].iter().copied().chain(std::iter::repeat(1));
    let mut proposals: Vec<u32> = following.take(random as usize % (most + 3)).collect();
    if let Some(wrong) = proposals.get_mut((random >> 32) as usize % 4) {
        *wrong += 1;
    }
    proposals
}

/// Whether an answer has ended before the token that is chosen behind a position.
fn is_over(text: &Text, position: usize) -> bool {
    position + 1 >= text.arrival.prompt.len() + text.answer.len()
}

fn check_limits(plan: &Plan<'_>, limits: &Limits) {
    assert!(plan.tokens() <= limits.step_tokens && plan.prefill.len() <= limits.prefill_rows);
    assert!(plan.decode.len() + plan.prefill.len() <= limits.rows);
    let rows: usize = plan.prefill.iter().map(|row| row.tokens.len().div_ceil(limits.prefill_unit)).sum();
    assert!(rows * limits.prefill_unit <= limits.prefill_tokens);
    for row in &plan.prefill {
        assert!((1..=limits.chunk).contains(&row.tokens.len()));
        assert!(!limits.chunk_aligned || row.start.is_multiple_of(limits.chunk), "{} begins at {}", row.id, row.start);
        assert!(!row.is_first || row.start == 0 || limits.shares_prefixes);
    }
}

/// Each request keeps its slot until it is preempted, and has it alone.
fn note_slots(plan: &Plan<'_>, slots: &mut HashMap<u64, u32>, open: &BTreeMap<u64, Vec<u32>>) {
    let decode = plan.decode.iter().map(|row| (row.id, row.slot, false));
    let mut rows = HashSet::new();
    for (id, slot, is_first) in decode.chain(plan.prefill.iter().map(|row| (row.id, row.slot, row.is_first))) {
        assert!(rows.insert(id), "{id} has two rows");
        assert!(open.contains_key(&id), "{id} has ended");
        assert_eq!(slots.get(&id).copied(), if is_first { None } else { Some(slot) });
        slots.insert(id, slot);
    }
    let distinct: HashSet<u32> = slots.values().copied().collect();
    assert!(distinct.len() == slots.len() && !distinct.contains(&0), "slots: {slots:?}");
}
