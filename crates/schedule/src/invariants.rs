//! What must hold between two calls, for tests.

use std::collections::BTreeSet;

use crate::Scheduler;
use crate::sequence::{Rank, Sequence, Stage};

impl Scheduler {
    /// Says which invariant does not hold. It looks at every page and every request, and is for tests of the scheduler and of who uses it.
    ///
    /// # Errors
    /// A sentence that names the page, the request or the queue.
    pub fn invariants(&self) -> Result<(), String> {
        let runs = |sequence: &&Sequence| sequence.run().is_some();
        let running: BTreeSet<Rank> = self.sequences.values().filter(runs).map(|sequence| sequence.rank).collect();
        if !self.running.iter().eq(&running) {
            return Err(format!("{:?} are listed as running, and {running:?} do", self.running));
        }
        let in_stage = |is: fn(&Stage) -> bool| {
            let those = self.sequences.values().filter(move |sequence| is(&sequence.stage));
            those.map(|sequence| sequence.rank.id).collect::<BTreeSet<u64>>()
        };
        let (waiting, queued) = (in_stage(|stage| matches!(stage, Stage::Waits)), self.order.ids());
        if waiting != queued {
            return Err(format!("{waiting:?} wait, and {queued:?} are in the queue"));
        }
        let (following, listed) = (
            in_stage(|stage| matches!(stage, Stage::Follows { .. })),
            self.following.iter().map(|rank| rank.id).collect(),
        );
        if following != listed {
            return Err(format!("{following:?} follow, and {listed:?} are listed"));
        }
        let begun = self.sequences.values().filter(|sequence| sequence.has_started).count();
        if begun != self.begun {
            return Err(format!("{begun} requests have begun, and {} are counted", self.begun));
        }
        self.order.check(self.sequences.len())?;
        self.check_slots()?;
        let pages = if self.limits.page_tokens == 0 { 0 } else { self.limits.pages };
        let mut named = vec![0; pages];
        for sequence in self.sequences.values() {
            for &page in sequence.run().iter().flat_map(|run| &run.table) {
                named[page as usize] += 1;
            }
        }
        self.prefixes.check(&named)?;
        self.sequences.values().try_for_each(|sequence| self.check_sequence(sequence))
    }

    /// Each slot is free or one sequence's.
    fn check_slots(&self) -> Result<(), String> {
        let taken = self.sequences.values().filter_map(|sequence| Some(sequence.run()?.slot));
        let mut slots: Vec<u32> = taken.chain(self.slots.iter().copied()).collect();
        slots.sort_unstable();
        match slots.iter().copied().eq(1..=self.limits.rows as u32) {
            true => Ok(()),
            false => Err(format!("the slots are {slots:?}")),
        }
    }

    /// A sequence's counts agree, and the pages that it writes are its own.
    fn check_sequence(&self, sequence: &Sequence) -> Result<(), String> {
        let Sequence { rank: Rank { id, .. }, tokens, prompt, limit, chosen, stage, .. } = sequence;
        let is_learning = matches!(stage, Stage::Learns);
        if tokens.len() < *prompt || tokens.len() > *chosen || chosen > limit || is_learning && sequence.is_learned() {
            return Err(format!("request {id}: {prompt}, {}, {chosen}, {limit}, {is_learning}", tokens.len()));
        }
        if !sequence.fed.is_empty() && (chosen != &(tokens.len() + 1) || sequence.fed.len() > self.limits.proposals + 1)
        {
            return Err(format!("request {id}: {:?} are proposed behind {} of {chosen}", sequence.fed, tokens.len()));
        }
        let Some(run) = sequence.run() else { return Ok(()) };
        let page_tokens = self.limits.page_tokens;
        let is_counted = if run.is_prefilling() { chosen == &tokens.len() } else { run.computed + 1 == *chosen };
        let computed = run.computed + sequence.fed.len().saturating_sub(1);
        let has_pages = page_tokens == 0 || run.table.len() * page_tokens >= computed;
        let is_filled = run.findable * page_tokens <= run.computed.min(tokens.len());
        if !is_counted || !has_pages || !is_filled || run.goal > tokens.len() {
            return Err(format!("request {id}: {chosen} tokens are chosen, {} known, {run:?}", tokens.len()));
        }
        let pages = self.prefixes.pages();
        for (at, &page) in run.table.iter().enumerate() {
            let (is_findable, is_shared) = (at < run.findable, pages.references(page) > 1);
            if pages.is_kept(page) != is_findable || is_shared && !is_findable {
                return Err(format!("request {id}: page {page}, its number {at}, is shared: {is_shared}, and {run:?}"));
            }
        }
        Ok(())
    }
}
