//! The scheduler as its caller sees it: requests go in, plans come out, tokens are learned.

use std::collections::HashMap;

use crate::admission::RoomVersion;
use crate::order::Order;
use crate::prefixes::{Found, Prefix, Prefixes, agreement};
use crate::sequence::{Rank, Run, Sequence, Stage, Tokens};
use crate::{Arrival, Limits, LimitsError, Refused};

/// Decides what each iteration of a model computes (iteration-level scheduling: Yu et al. 2022, Orca) and where keys and values are (pages:
/// Kwon et al. 2023, PagedAttention).
#[derive(Debug)]
pub struct Scheduler {
    pub(crate) limits: Limits,
    /// All requests that have not ended.
    pub(crate) sequences: HashMap<u64, Sequence>,
    /// Those that run, first in order first.
    pub(crate) running: Vec<Rank>,
    /// Those that follow another one's prefix.
    pub(crate) following: Vec<Rank>,
    /// Those that wait.
    pub(crate) order: Order,
    pub(crate) prefixes: Prefixes,
    /// Slots that nobody has.
    pub(crate) slots: Vec<u32>,
    /// How many requests have arrived.
    arrivals: u64,
    /// How often a sequence has given its pages back.
    pub(crate) departures: u64,
    /// The request for which there was no room, and how things stood when that was found: until they stand otherwise there is no use in trying.
    pub(crate) blocked: Option<(u64, RoomVersion)>,
    /// What was found of the request that was looked up last: it may wait for room for many plans, and have thousands of pages.
    pub(crate) sought: Option<(u64, Found)>,
    /// How many requests have begun and have not ended.
    pub(crate) begun: usize,
    pub(crate) counts: Counts,
}

/// What is counted from the beginning on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) preemptions: u64,
    pub(crate) prefix_queries: u64,
    pub(crate) prefix_hits: u64,
}

/// How a scheduler stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Sequences that have slots.
    pub running: usize,
    /// Requests that have none, preempted ones among them.
    pub waiting: usize,
    /// Those of them that have begun.
    pub preempted: usize,
    /// Pages that can be given out.
    pub pages: usize,
    /// Those of them that running sequences name.
    pub pages_used: usize,
    /// Those that nobody names, and that are kept for what they hold.
    pub pages_cached: usize,
    /// How often a sequence was preempted, from the beginning on.
    pub preemptions: u64,
    /// Tokens of prompts that were looked up in the prefix cache, from the beginning on.
    pub prefix_queries: u64,
    /// Those of them that were found.
    pub prefix_hits: u64,
}

/// What a token that is learned means for its request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learned {
    /// There is no such request (it has ended: the token was computed for nothing), or no token of it was chosen that is not learned.
    Ignored,
    /// More tokens follow.
    GoesOn,
    /// It was the last one that the request or the context allows. The request has ended.
    Ended,
}

impl Scheduler {
    /// A scheduler without requests.
    ///
    /// # Errors
    /// The limits contradict each other, or leave no room for a sequence.
    pub fn new(limits: Limits) -> Result<Scheduler, LimitsError> {
        limits.check()?;
        let pages = if limits.page_tokens == 0 { 0 } else { limits.pages };
        let rows = u32::try_from(limits.rows).unwrap_or(u32::MAX);
        Ok(Scheduler {
            prefixes: Prefixes::new(pages, limits.page_tokens),
            sequences: HashMap::new(),
            running: Vec::new(),
            following: Vec::new(),
            order: Order::default(),
            slots: (1..=rows).rev().collect(),
            arrivals: 0,
            departures: 0,
            blocked: None,
            sought: None,
            begun: 0,
            counts: Counts::default(),
            limits,
        })
    }

    /// A request arrives, and waits.
    ///
    /// # Errors
    /// Its number is taken, there is nothing to do, too many wait beside those for which rows are free, or it could not be completed even alone.
    pub fn submit(&mut self, arrival: Arrival) -> Result<(), Refused> {
        let Arrival { id, prompt, max_tokens, priority, key, salt, shares } = arrival;
        if self.sequences.contains_key(&id) {
            return Err(Refused::Known(id));
        }
        if prompt.is_empty() {
            return Err(Refused::Empty);
        }
        if max_tokens == 0 {
            return Err(Refused::NoAnswer);
        }
        if self.sequences.len() >= self.limits.waiting.saturating_add(self.limits.rows) {
            return Err(Refused::Full { waiting: self.sequences.len() - self.running.len() });
        }
        let limit = prompt.len().saturating_add(max_tokens).min(self.limits.context);
        let room = self.sequence_tokens_max();
        if prompt.len() >= self.limits.context || limit > room {
            return Err(Refused::TooLong {
                prompt: prompt.len(),
                max_tokens: limit.saturating_sub(prompt.len()).max(1),
                room,
            });
        }
        let rank = Rank { priority, arrival: self.arrivals, id };
        self.arrivals += 1;
        let sequence = Sequence {
            rank,
            key,
            beginning: if shares { Prefix::Empty(salt) } else { Prefix::Own(id) },
            prompt: prompt.len(),
            limit,
            chosen: prompt.len(),
            tokens: Tokens::Prompt(prompt),
            has_started: false,
            has_waited: false,
            gives_way: false,
            fed: Vec::new(),
            stage: Stage::Waits,
        };
        self.sequences.insert(id, sequence);
        self.order.join(rank, key);
        Ok(())
    }

    /// Makes room for more: as many pages, page 0 included, and sequences of so many tokens; what is less than there is changes nothing. What the pages
    /// hold stays where it is. Sequences that are there keep the lengths that they were submitted with.
    pub fn grow(&mut self, pages: usize, context: usize) {
        self.limits.context = self.limits.context.max(context);
        if self.limits.page_tokens > 0 && pages > self.limits.pages {
            self.limits.pages = pages;
            self.prefixes.grow(pages);
            self.blocked = None;
        }
    }

    /// Tokens of the longest sequence, prompt and answer together, that can be completed alone: longer ones are refused. The last token is chosen and
    /// not fed, and needs no page.
    pub fn sequence_tokens_max(&self) -> usize {
        match self.limits.page_tokens {
            0 => self.limits.context,
            page_tokens => {
                (self.limits.pages - 1).saturating_mul(page_tokens).saturating_add(1).min(self.limits.context)
            }
        }
    }

    /// The token that an iteration chose for a request. Tokens of a request are learned in the order in which plans chose them, however late; plans go on in
    /// the meantime. The last token that the request or the context allows ends it as [`Scheduler::end`] does.
    ///
    /// Of a row with proposals it is the token behind the first that was fed; see [`Scheduler::verified`].
    pub fn learned(&mut self, id: u64, token: u32) -> Learned {
        self.verified(id, &[token])
    }

    /// As [`Scheduler::learned`], of a row with proposals (Leviathan et al. 2023, Fast Inference from Transformers via Speculative Decoding): those that are
    /// what was chosen in their places, from the first on, and the token that was chosen behind the last of them. What was computed of the others is
    /// written over.
    pub fn verified(&mut self, id: u64, tokens: &[u32]) -> Learned {
        let Some(sequence) = self.sequences.get_mut(&id) else { return Learned::Ignored };
        if sequence.is_learned() || tokens.is_empty() {
            return Learned::Ignored;
        }
        let accepted = agreement(sequence.fed.get(1..).unwrap_or_default(), &tokens[..tokens.len() - 1]);
        if accepted + 1 != tokens.len() {
            return Learned::Ignored;
        }
        let has_proposals = !std::mem::take(&mut sequence.fed).is_empty();
        sequence.tokens.extend(tokens);
        sequence.chosen += accepted;
        if let Some(run) = sequence.run_mut() {
            run.computed += accepted;
        }
        self.order.charge(sequence.rank, sequence.key, accepted);
        if has_proposals {
            self.give_back_spare_pages(id);
        }
        let Some(sequence) = self.sequences.get_mut(&id) else { return Learned::Ignored };
        if sequence.tokens.len() == sequence.limit {
            self.end(id);
            return Learned::Ended;
        }
        let rank = sequence.rank;
        if Some(sequence.tokens.len()) == self.limits.anew_at {
            self.stop(rank);
        }
        self.queue_learned(rank);
        Learned::GoesOn
    }

    /// Proposes `tokens` behind a sequence in place of what the last plan has of it, or the first of them as far as that has proposals: where they are found
    /// by computing, which takes the plan's pages. Its row is to be fed these.
    pub fn propose_instead(&mut self, id: u64, tokens: &[u32]) {
        let Some(sequence) = self.sequences.get_mut(&id) else { return };
        let Some(places) = sequence.fed.get_mut(1..) else { return };
        let count = places.len().min(tokens.len());
        places[..count].copy_from_slice(&tokens[..count]);
        sequence.fed.truncate(1 + count);
    }

    /// Takes the pages from a sequence that it had for proposals alone.
    fn give_back_spare_pages(&mut self, id: u64) {
        let Some(sequence) = self.sequences.get_mut(&id) else { return };
        let needed = self.limits.pages_of(sequence.chosen);
        let Some(run) = sequence.run_mut() else { return };
        while run.table.len() > needed {
            let Some(page) = run.table.pop() else { return };
            self.prefixes.release(page);
            // Somebody may have waited for it.
            self.departures += 1;
        }
    }

    /// Queues a sequence that has given its slot back, once its tokens are known.
    pub(crate) fn queue_learned(&mut self, rank: Rank) {
        let Some(sequence) = self.sequences.get_mut(&rank.id) else { return };
        if matches!(sequence.stage, Stage::Learns) && sequence.is_learned() {
            sequence.stage = Stage::Waits;
            match std::mem::take(&mut sequence.gives_way) {
                true => self.order.put_back(rank, sequence.key),
                false => self.order.put_first(rank),
            }
        }
    }

    /// A request ends, wherever it is: by an end token, by its caller, or because nobody reads the answer. Slot and pages are free at once. Plans made
    /// before may still write to them; whoever gets them next is computed after those. False if there is no such request.
    pub fn end(&mut self, id: u64) -> bool {
        self.make_findable(id);
        let Some(sequence) = self.sequences.get(&id) else { return false };
        let (rank, pages) = (
            sequence.rank,
            sequence.run().filter(|_| sequence.beginning == Prefix::Own(id)).map(|run| run.table.clone()),
        );
        self.stop(rank);
        pages.into_iter().for_each(|pages| self.prefixes.give_up(&pages));
        let Some(sequence) = self.sequences.remove(&id) else { return false };
        self.begun -= usize::from(sequence.has_started);
        match sequence.stage {
            Stage::Waits => self.order.take(rank, sequence.key),
            Stage::Follows { .. } => self.following.retain(|other| *other != rank),
            Stage::Learns | Stage::Runs(_) => {}
        }
        self.order.leave(rank, sequence.key);
        true
    }

    /// A request ends of which what the last plan has was not computed. The plan's other rows may have been.
    pub fn end_uncomputed(&mut self, id: u64) -> bool {
        let page_tokens = self.limits.page_tokens;
        if let Some(run) = self.sequences.get_mut(&id).and_then(Sequence::run_mut) {
            // Nothing more of it can be found than before.
            run.computed = run.findable * page_tokens;
        }
        self.end(id)
    }

    /// Takes slot and pages from a sequence, if it has some. What the pages hold can be found.
    pub(crate) fn stop(&mut self, rank: Rank) {
        self.make_findable(rank.id);
        let Some(sequence) = self.sequences.get_mut(&rank.id) else { return };
        if !matches!(sequence.stage, Stage::Runs(_)) {
            return;
        }
        if let Stage::Runs(Run { slot, table, .. }) = std::mem::replace(&mut sequence.stage, Stage::Learns) {
            self.slots.push(slot);
            self.prefixes.release_table(&table);
        }
        self.running.retain(|other| *other != rank);
        self.departures += 1;
    }

    /// Lets others find the pages of a sequence that plans made before have filled, as far as it is known with what.
    pub(crate) fn make_findable(&mut self, id: u64) {
        let page_tokens = self.limits.page_tokens;
        let Some(sequence) = self.sequences.get_mut(&id) else { return };
        let known = sequence.tokens.len().min(self.limits.findable(sequence.prompt));
        let Stage::Runs(run) = &mut sequence.stage else { return };
        let tokens = known.min(run.computed);
        while (run.findable + 1) * page_tokens <= tokens && page_tokens > 0 {
            let filled = run.findable * page_tokens..(run.findable + 1) * page_tokens;
            let page = &mut run.table[run.findable];
            (*page, run.prefix) = self.prefixes.fill(run.prefix, &sequence.tokens[filled], *page);
            run.findable += 1;
        }
    }

    /// How the scheduler stands.
    pub fn stats(&self) -> Stats {
        let pages = self.prefixes.pages();
        let Counts { preemptions, prefix_queries, prefix_hits } = self.counts;
        Stats {
            running: self.running.len(),
            waiting: self.sequences.len() - self.running.len(),
            preempted: self.begun - self.running.len(),
            pages: pages.in_use() + pages.available(),
            pages_used: pages.in_use(),
            pages_cached: pages.idle(),
            preemptions,
            prefix_queries,
            prefix_hits,
        }
    }
}
