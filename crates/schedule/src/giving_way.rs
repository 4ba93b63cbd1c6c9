//! Who gives way where all slots are taken: whoever may ask for long answers would else keep all others out for as long as these take.

use std::collections::HashMap;

use crate::Scheduler;
use crate::plan::Draft;
use crate::sequence::{Rank, Run, Sequence};

/// Tokens that a sequence chooses at least between being admitted and giving its slot away, and one for so many that it computed for that.
const CHOSEN_MIN: usize = 16;
const COMPUTED_FOR_ONE: usize = 16;

impl Scheduler {
    /// Preempts the last of those of a lower priority than the request that is next, or where there are none, the last of a key that has several slots and was
    /// served more, if the other's has none: as soon as the plan that is begun admits the request, and not before.
    pub(crate) fn make_way(&mut self, draft: &mut Draft) {
        // With aligned chunks nobody is preempted.
        if !self.slots.is_empty() || self.limits.chunk_aligned {
            return;
        }
        let Some(waiting) = self.order.first() else { return };
        let Some(last) = self.gives_way_to(waiting) else { return };
        if let Some(sequence) = self.sequences.get_mut(&last.id) {
            sequence.gives_way = last.priority == waiting.priority;
        }
        self.preempt(last);
        draft.preempted.push(last.id);
    }

    fn gives_way_to(&self, waiting: Rank) -> Option<Rank> {
        let newcomer = self.sequences.get(&waiting.id)?;
        let running = || self.running.iter().filter_map(|rank| Some((*rank, self.sequences.get(&rank.id)?)));
        // Prompts under way go first: it would have a slot and nothing that is computed.
        let goes_before = |(rank, sequence): (Rank, &Sequence)| {
            rank.priority <= waiting.priority && sequence.run().is_some_and(Run::is_prefilling)
        };
        if running().any(goes_before) {
            return None;
        }
        let mut of_keys: HashMap<u64, usize> = HashMap::new();
        running().for_each(|(_, sequence)| *of_keys.entry(sequence.key).or_default() += 1);
        let has_lower = running().any(|(rank, _)| rank.priority > waiting.priority);
        let may = |rank: Rank, sequence: &Sequence| match has_lower {
            true => rank.priority > waiting.priority,
            // Behind the other in the queue then, it does not come back at once.
            false => {
                rank.priority == waiting.priority
                    && of_keys[&sequence.key] > 1
                    && !of_keys.contains_key(&newcomer.key)
                    && self.order.was_served_more(rank.priority, sequence.key, newcomer.key)
            }
        };
        let is_candidate = |(rank, sequence): (Rank, &Sequence)| {
            may(rank, sequence) && sequence.run().is_some_and(|run| was_worth_it(sequence, run))
        };
        if !running().any(is_candidate) {
            return None;
        }
        // What is there of a long text takes as long to find.
        let found = self.find(newcomer);
        if self.leader(newcomer, found.pages.len()).is_some() {
            return None;
        }
        let needed = self.limits.pages_of(newcomer.tokens.len()) - found.pages.len() + self.spare_pages();
        let pages = self.prefixes.pages();
        let has_room = |run: &Run| {
            let freed_in_all = run.table.iter().filter(|page| pages.references(**page) == 1).count();
            // What is found and nobody else has is not free for what is not. Both have a page that is in both at the same place.
            let taken = found.pages.iter().enumerate().filter(|(at, page)| match pages.references(**page) {
                0 => true,
                references => references == 1 && run.table.get(*at) == Some(*page),
            });
            needed + taken.count() <= pages.available() + freed_in_all
        };
        let mut candidates = running().filter(|candidate| is_candidate(*candidate));
        candidates.rfind(|(_, sequence)| sequence.run().is_some_and(&has_room)).map(|(rank, _)| rank)
    }
}

/// Whether what it computed to come here was for something, however often it gives way.
fn was_worth_it(sequence: &Sequence, run: &Run) -> bool {
    sequence.chosen.saturating_sub(run.goal) >= CHOSEN_MIN.max(run.goal / COMPUTED_FOR_ONE)
}
