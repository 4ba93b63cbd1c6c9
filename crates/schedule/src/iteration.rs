//! How an iteration is planned: sequences that decode go on, in order, and take pages from the last in order where there are none; what is left
//! of the iteration's tokens goes to chunks of prompts, and what then is left of pages to proposals.

use crate::admission::Admission;
use crate::plan::{Chunk, Draft};
use crate::sequence::{Rank, Sequence, Stage};
use crate::{Decode, Limits, Plan, Prefill, Scheduler};

/// What may follow a sequence, given its number, all its tokens and how many there may be.
pub type Propose<'a> = dyn FnMut(u64, &[u32], usize) -> Vec<u32> + 'a;

impl Scheduler {
    /// The next iteration. It counts as computed from here on: whoever asks for the plan after it computes it first. It is empty where nothing can
    /// be done before tokens are learned or requests arrive.
    ///
    /// The tokens that it chooses, one for each row of `decode` and for each chunk that `is_last`, are to be [learned](Scheduler::learned), and may be
    /// so after further plans are made: a sequence goes on by count.
    ///
    /// A plan that fails on the device leaves pages that do not hold what the scheduler believes: whoever goes on after that does so with a new
    /// scheduler.
    pub fn plan(&mut self) -> Plan<'_> {
        self.plan_with(&mut |_, _, _| Vec::new())
    }

    /// As [`Scheduler::plan`], with proposals for sequences of which all tokens are learned, as far as [`Limits::proposals`] and what is left of an iteration
    /// and of pages allow. More of them are not taken.
    ///
    /// Which of them were right is to be [learned](Scheduler::verified) before their sequence goes on.
    pub fn plan_with(&mut self, propose: &mut Propose<'_>) -> Plan<'_> {
        let mut draft = Draft::default();
        // What the iteration before has filled is found, and who waited for it is in the queue, before anyone gives way to the first there.
        (0..self.running.len()).for_each(|at| self.make_findable(self.running[at].id));
        self.queue_followers();
        let newcomer = self.make_way(&mut draft);
        let made_way = draft.preempted.len();
        self.plan_decode(&mut draft);
        let proposals = self.plan_proposals(&draft, propose);
        let Limits { step_tokens, prefill_tokens, prefill_unit, .. } = self.limits;
        let budget = (step_tokens - draft.decode.len() - proposals).min(prefill_tokens);
        // Pages that were taken from a sequence are not for newcomers.
        let admits = draft.preempted.len() == made_way;
        self.plan_prefill(budget - budget % prefill_unit, admits, newcomer, &mut draft);
        let is_admitted = |rank: Rank| draft.prefill.iter().any(|chunk| chunk.is_first && chunk.id == rank.id);
        debug_assert!(newcomer.is_none_or(is_admitted), "a sequence gave way to {newcomer:?}, which does not run");
        if proposals > 0 {
            self.take_pages_for_proposals(&draft);
        }
        // What is copied has stayed where it was until here, so that no page is copied from and written to.
        for (from, _) in &draft.copies {
            self.prefixes.release(*from);
            // Somebody may have waited for it.
            self.departures += 1;
        }
        self.shown(draft)
    }

    /// Plans a token of each sequence that decodes.
    fn plan_decode(&mut self, draft: &mut Draft) {
        let mut at = 0;
        while let Some(&rank) = self.running.get(at) {
            at += 1;
            let sequence = self.sequences.get(&rank.id);
            let Some(position) = sequence.and_then(|sequence| self.decodes_at(sequence)) else { continue };
            if !self.make_room(rank, position, draft) {
                continue;
            }
            if let Some(sequence) = self.sequences.get_mut(&rank.id) {
                sequence.chosen += 1;
                if let Some(run) = sequence.run_mut() {
                    run.computed += 1;
                }
                self.order.charge(rank, sequence.key, 1);
            }
            draft.decode.push((rank.id, position));
        }
    }

    /// Adds proposals to the rows that decode, which have no pages yet. Gives their number.
    fn plan_proposals(&mut self, draft: &Draft, propose: &mut Propose<'_>) -> usize {
        let Limits { proposals, rows, step_tokens, chunk, anew_at, .. } = self.limits;
        if proposals == 0 {
            return 0;
        }
        // Prompts go on beside them.
        let spare = step_tokens.saturating_sub(rows + chunk);
        let mut left = spare;
        for &(id, position) in &draft.decode {
            let Some(sequence) = self.sequences.get_mut(&id) else { continue };
            // The token that this row is fed, and the one that is chosen behind it whatever is proposed.
            let is_known = sequence.tokens.len() == position + 1;
            let most = proposals.min(left).min(sequence.until(anew_at) - sequence.chosen);
            if !is_known || most == 0 {
                continue;
            }
            let mut proposed = propose(id, &sequence.tokens, most);
            proposed.truncate(most);
            left -= proposed.len();
            if !proposed.is_empty() {
                sequence.fed = sequence.tokens[position..].iter().copied().chain(proposed).collect();
            }
        }
        spare - left
    }

    /// Takes pages for proposals, after all who wait have had theirs: nobody gives way to a proposal. Those for which there is none are dropped.
    fn take_pages_for_proposals(&mut self, draft: &Draft) {
        for &(id, position) in &draft.decode {
            let Some(sequence) = self.sequences.get_mut(&id) else { continue };
            let Stage::Runs(run) = &mut sequence.stage else { continue };
            while run.table.len() < self.limits.pages_of(position + sequence.fed.len()) {
                match self.prefixes.take() {
                    Some(page) => run.table.push(page),
                    None => {
                        sequence.fed.truncate((run.table.len() * self.limits.page_tokens).saturating_sub(position));
                    }
                }
            }
            // Nothing is proposed behind the token that was chosen last.
            if sequence.fed.len() == 1 {
                sequence.fed.clear();
            }
        }
    }

    /// The position of the token that a sequence is fed next, if it decodes and may choose another one.
    pub(crate) fn decodes_at(&self, sequence: &Sequence) -> Option<usize> {
        let run = sequence.run()?;
        let goes_on = !run.is_prefilling() && sequence.chosen < sequence.until(self.limits.anew_at);
        let goes_on = goes_on && sequence.fed.is_empty();
        goes_on.then_some(run.computed)
    }

    /// Sees to it that a sequence has a page for a position. Where there is none, the last in order is preempted, which has no row in the plan
    /// so far, because rows are made in order. False if that was the sequence itself.
    fn make_room(&mut self, rank: Rank, position: usize, draft: &mut Draft) -> bool {
        let needed = self.limits.pages_of(position + 1);
        loop {
            let Some(run) = self.sequences.get_mut(&rank.id).and_then(Sequence::run_mut) else { return false };
            if run.table.len() >= needed {
                return true;
            }
            if let Some(page) = self.prefixes.take() {
                run.table.push(page);
            } else if let Some(&last) = self.running.last() {
                self.preempt(last);
                draft.preempted.push(last.id);
            }
        }
    }

    /// Takes slot and pages from a sequence, which is computed again from its tokens: once they are all learned.
    pub(crate) fn preempt(&mut self, rank: Rank) {
        self.stop(rank);
        self.counts.preemptions += 1;
        self.queue_learned(rank);
    }

    /// Plans chunks of so many tokens together, which fill whole rows, of sequences that run and of such as are admitted: first those of the higher priority, and at the same priority
    /// those that run already. `admits`: whether there may be such as are admitted; `newcomer`: the one of them to which another gave way, who goes first whatever
    /// its key was served since.
    fn plan_prefill(&mut self, mut budget: usize, mut admits: bool, mut newcomer: Option<Rank>, draft: &mut Draft) {
        let is_prefilling =
            |rank: &&Rank| self.sequences.get(&rank.id).and_then(Sequence::run).is_some_and(|run| run.is_prefilling());
        let running: Vec<Rank> = self.running.iter().filter(is_prefilling).copied().collect();
        let mut running = running.into_iter().peekable();
        // As many requests are looked at as might run.
        let mut looks = self.slots.len();
        while draft.prefill.len() < self.limits.prefill_rows && budget >= self.limits.chunk_least() {
            let waiting = if admits && looks > 0 { newcomer.or_else(|| self.order.first()) } else { None };
            let goes_before = |waiting: &Rank| running.peek().is_none_or(|rank| waiting.priority < rank.priority);
            let next = match waiting.filter(goes_before) {
                None => running.next(),
                Some(waiting) => {
                    looks -= 1;
                    newcomer = None;
                    match self.admit(waiting, draft) {
                        Admission::Runs => Some(waiting),
                        Admission::Follows => continue,
                        Admission::Blocked => {
                            // Whoever is behind it does not pass, or it might wait forever.
                            admits = false;
                            continue;
                        }
                    }
                }
            };
            let Some(rank) = next else { break };
            budget -= self.plan_chunk(rank, budget, draft);
        }
    }

    /// Plans the next chunk of a sequence, of so many tokens at most. Gives how many its rows have room for.
    fn plan_chunk(&mut self, rank: Rank, budget: usize, draft: &mut Draft) -> usize {
        let most = self.limits.chunk.min(budget);
        let Some(sequence) = self.sequences.get_mut(&rank.id) else { return 0 };
        let Stage::Runs(run) = &mut sequence.stage else { return 0 };
        let start = run.computed;
        let end = run.goal.min(start + most);
        run.computed = end;
        sequence.chosen += usize::from(end == run.goal);
        let is_first = std::mem::replace(&mut run.is_new, false);
        draft.prefill.push(Chunk { id: rank.id, start, end, is_first });
        (end - start).next_multiple_of(self.limits.prefill_unit)
    }

    /// A draft with what its rows borrow.
    fn shown(&self, draft: Draft) -> Plan<'_> {
        let decode = draft.decode.into_iter().filter_map(|(id, position)| {
            let sequence = self.sequences.get(&id)?;
            let run = sequence.run()?;
            let known = sequence.tokens.get(position..).filter(|_| self.limits.proposals > 0).unwrap_or_default();
            let tokens = if sequence.fed.is_empty() { known } else { &sequence.fed };
            Some(Decode { id, slot: run.slot, position, tokens, pages: &run.table })
        });
        let prefill = draft.prefill.into_iter().filter_map(|Chunk { id, start, end, is_first }| {
            let sequence = self.sequences.get(&id)?;
            let run = sequence.run()?;
            let tokens = &sequence.tokens[start..end];
            Some(Prefill { id, slot: run.slot, start, tokens, is_first, is_last: end == run.goal, pages: &run.table })
        });
        Plan {
            decode: decode.collect(),
            prefill: prefill.collect(),
            started: draft.started,
            copies: draft.copies,
            preempted: draft.preempted,
        }
    }
}
