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
    /// served more, if the other's has none: as soon as the plan that is begun admits the request, and not before. Gives the request.
    pub(crate) fn make_way(&mut self, draft: &mut Draft) -> Option<Rank> {
        // With aligned chunks nobody is preempted.
        if !self.slots.is_empty() || self.limits.chunk_aligned {
            return None;
        }
        let waiting = self.order.first()?;
        let last = self.gives_way_to(waiting)?;
        if let Some(sequence) = self.sequences.get_mut(&last.id) {
            sequence.gives_way = last.priority == waiting.priority;
        }
        self.preempt(last);
        draft.preempted.push(last.id);
        Some(waiting)
    }

    fn gives_way_to(&mut self, waiting: Rank) -> Option<Rank> {
        let newcomer = self.sequences.get(&waiting.id)?;
        let running = || self.running.iter().filter_map(|rank| Some((*rank, self.sequences.get(&rank.id)?)));
        // Prompts under way go first: it would have a slot and nothing that is computed. Nor does it wait then for what they compute of its own.
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
        let is_candidate = |(rank, sequence): &(Rank, &Sequence)| {
            may(*rank, sequence) && sequence.run().is_some_and(|run| was_worth_it(sequence, run))
        };
        let candidates: Vec<Rank> = running().filter(is_candidate).map(|(rank, _)| rank).collect();
        if candidates.is_empty() { None } else { self.last_with_room(waiting, &candidates) }
    }

    /// The last of some that run in whose place a request has room.
    fn last_with_room(&mut self, newcomer: Rank, candidates: &[Rank]) -> Option<Rank> {
        let found = self.find(newcomer.id)?.pages;
        let newcomer = self.sequences.get(&newcomer.id)?;
        let pages = self.prefixes.pages();
        // A page that nobody has is one that is taken, whether it holds some of the text or not.
        let found: Vec<u32> = found.into_iter().take_while(|page| pages.references(*page) > 0).collect();
        let running = self.running.iter().filter_map(|rank| self.sequences.get(&rank.id));
        let reserved: usize = running.map(|sequence| self.reserved(sequence)).sum();
        let needed = self.limits.pages_of(newcomer.tokens.len()) + reserved;
        let has_room = |rank: &&Rank| {
            let Some(sequence) = self.sequences.get(&rank.id) else { return false };
            let Some(run) = sequence.run() else { return false };
            let freed_in_all = run.table.iter().filter(|page| pages.references(**page) == 1).count();
            // What others have too. Both have a page that is in both at the same place.
            let stays = |(at, page): &(usize, &u32)| pages.references(**page) > 1 || run.table.get(*at) != Some(*page);
            let there = found.iter().enumerate().filter(stays).count();
            needed <= pages.available() + freed_in_all + there + self.reserved(sequence)
        };
        candidates.iter().rfind(has_room).copied()
    }

    /// Pages that a newcomer does not get for the sake of a running sequence: the one that the plan takes for its next token, and the one that is left to it then.
    fn reserved(&self, sequence: &Sequence) -> usize {
        let pages = sequence.run().map_or(0, |run| run.table.len());
        let position = self.decodes_at(sequence);
        let takes_one = position.is_some_and(|position| self.limits.pages_of(position + 1) > pages);
        self.pages_to_take(sequence).min(1 + usize::from(takes_one))
    }
}

/// Whether what it computed to come here was for something, however often it gives way.
fn was_worth_it(sequence: &Sequence, run: &Run) -> bool {
    sequence.chosen.saturating_sub(run.goal) >= CHOSEN_MIN.max(run.goal / COMPUTED_FOR_ONE)
}
