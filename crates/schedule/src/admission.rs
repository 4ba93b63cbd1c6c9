//! Whether a request that waits can run: what of its prefix is there or about to be, and whether there are pages for the rest.

use crate::plan::Draft;
use crate::prefixes::{Found, agreement};
use crate::sequence::{Rank, Run, Sequence, Stage};
use crate::{Limits, Scheduler};

/// A copy moves a whole page, in all layers: at least one token of so many must be gained by it.
const COPIED_FOR_ONE: usize = 4;

/// What becomes of a request whose turn it is.
pub(crate) enum Admission {
    /// It runs.
    Runs,
    /// It waits for another one's prefix, out of the queue.
    Follows,
    /// There are not enough pages.
    Blocked,
}

/// What has changed of free pages and of those that hold a prompt's beginning: a request that had no room has none until this differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RoomVersion {
    /// Who had pages and has let go of them.
    departures: u64,
    /// Pages that were filled: it may find them, or they were given back for others that hold the same.
    fills: u64,
}

/// The pages that a request gets.
struct Claim {
    table: Vec<u32>,
    /// Tokens that are computed already.
    tokens: usize,
}

impl Scheduler {
    /// Lets the request that is first in the queue run, if there is room.
    pub(crate) fn admit(&mut self, rank: Rank, draft: &mut Draft) -> Admission {
        let now = RoomVersion { departures: self.departures, fills: self.prefixes.fills() };
        if self.blocked == Some((rank.id, now)) {
            return Admission::Blocked;
        }
        let Some(&slot) = self.slots.last() else { return Admission::Blocked };
        let found = self.find(rank.id);
        let (Some(found), Some(sequence)) = (found, self.sequences.get(&rank.id)) else { return Admission::Blocked };
        let key = sequence.key;
        if let Some((leader, tokens)) = self.leader(sequence, found.pages.len()) {
            self.order.take(rank, key);
            self.following.push(rank);
            if let Some(sequence) = self.sequences.get_mut(&rank.id) {
                sequence.has_waited = true;
                sequence.stage = Stage::Follows { leader, tokens };
            }
            return Admission::Follows;
        }
        // With aligned chunks nobody is preempted: pages for the whole answer but its last token, which is not fed.
        let needed = if self.limits.chunk_aligned { sequence.limit - 1 } else { sequence.tokens.len() };
        let Some(claim) = self.claim(&found, self.limits.pages_of(needed), draft) else {
            self.blocked = Some((rank.id, now));
            return Admission::Blocked;
        };
        self.slots.pop();
        self.order.take(rank, key);
        self.start(rank, slot, claim, &found, draft);
        Admission::Runs
    }

    /// What the prefix cache has of a sequence that waits. The last token is always computed, so that there are logits behind it.
    pub(crate) fn find(&mut self, id: u64) -> Option<Found> {
        let Limits { page_tokens, shares_prefixes, chunk_aligned, .. } = self.limits;
        let sequence = self.sequences.get(&id)?;
        let nothing = Found::nothing(sequence.beginning);
        if !shares_prefixes {
            return Some(nothing);
        }
        let tokens = &sequence.tokens[..sequence.tokens.len() - 1];
        let before = self.sought.take().filter(|(sought, _)| *sought == id);
        let mut found = self.prefixes.find(before.map_or(nothing, |(_, found)| found), tokens);
        debug_assert_eq!(
            found,
            self.prefixes.find(Found::nothing(sequence.beginning), tokens),
            "it was looked up before"
        );
        self.sought = Some((id, found.clone()));
        if chunk_aligned {
            found.keep(self.usable(found.pages.len() * page_tokens) / page_tokens);
        }
        found.partly = found.partly.filter(|(_, tokens)| tokens * COPIED_FOR_ONE >= page_tokens);
        Some(found)
    }

    /// So many tokens, without those that make no whole page, or chunk where chunks are aligned.
    fn usable(&self, tokens: usize) -> usize {
        tokens - tokens % self.limits.prefix_unit()
    }

    /// A running sequence that is about to compute more of a sequence's first pages than there are, and how many tokens. Computing them at the same time
    /// would cost as much again. One of a lower priority is not waited for.
    fn leader(&self, follower: &Sequence, pages: usize) -> Option<(u64, usize)> {
        if !self.limits.shares_prefixes || follower.has_waited || follower.has_started {
            return None;
        }
        let there = pages * self.limits.page_tokens;
        let usable = follower.tokens.len() - 1;
        let about_to_have = |rank: &Rank| {
            let leader = self.sequences.get(&rank.id)?;
            let run = leader.run()?;
            let end = run.goal.min(self.limits.findable(leader.prompt)).min(usable);
            let is_pending = self.usable(end) > there.max(run.findable * self.limits.page_tokens);
            if !is_pending || leader.beginning != follower.beginning || rank.priority > follower.rank.priority {
                return None;
            }
            let tokens = self.usable(agreement(&leader.tokens[..end], &follower.tokens));
            (tokens > there && !has_computed(run, tokens, self.limits.page_tokens)).then_some((rank.id, tokens))
        };
        // The one that gives most.
        self.running.iter().filter_map(about_to_have).max_by_key(|(_, tokens)| *tokens)
    }

    /// Queues the followers whose leaders have computed what they wait for, or do not run any more.
    pub(crate) fn queue_followers(&mut self) {
        let mut following = std::mem::take(&mut self.following);
        following.retain(|rank| {
            let Some(Stage::Follows { leader, tokens }) = self.sequences.get(&rank.id).map(|follower| &follower.stage)
            else {
                return false;
            };
            let run = self.sequences.get(leader).and_then(Sequence::run);
            if run.is_some_and(|run| !has_computed(run, *tokens, self.limits.page_tokens)) {
                return true;
            }
            if let Some(follower) = self.sequences.get_mut(&rank.id) {
                follower.stage = Stage::Waits;
                self.order.put_back(*rank, follower.key);
            }
            false
        });
        self.following = following;
    }

    /// Takes so many pages, those that are found among them, if there are enough and one for each running sequence that may yet take one is left: else the
    /// newcomer would be the first to be preempted. Where a page agrees in part it is copied to a page of its own, unless it must go to make room.
    fn claim(&mut self, found: &Found, pages: usize, draft: &mut Draft) -> Option<Claim> {
        let needed = pages - found.pages.len() + self.spare_pages();
        found.pages.iter().for_each(|&page| self.prefixes.retain(page));
        if needed > self.prefixes.pages().available() {
            self.prefixes.release_table(&found.pages);
            return None;
        }
        let partly = found.partly.filter(|&(page, _)| {
            self.prefixes.retain(page);
            let is_affordable = needed <= self.prefixes.pages().available();
            if !is_affordable {
                self.prefixes.release(page);
            }
            is_affordable
        });
        let mut table = found.pages.clone();
        while table.len() < pages {
            table.push(self.prefixes.take()?);
        }
        let mut tokens = found.pages.len() * self.limits.page_tokens;
        if let Some((page, agreeing)) = partly {
            draft.copies.push((page, table[found.pages.len()]));
            tokens += agreeing;
        }
        Some(Claim { table, tokens })
    }

    /// Pages that are left to those that run: one for each that may yet take one.
    fn spare_pages(&self) -> usize {
        let runs = self.running.iter().filter_map(|rank| self.sequences.get(&rank.id));
        runs.map(|sequence| self.pages_to_take(sequence).min(1)).sum()
    }

    /// Pages that a running sequence may yet take: those of its longest answer, whose last token is not fed, that it does not have.
    pub(crate) fn pages_to_take(&self, sequence: &Sequence) -> usize {
        let pages = sequence.run().map_or(0, |run| run.table.len());
        self.limits.pages_of(sequence.limit - 1).saturating_sub(pages)
    }

    /// A request runs.
    fn start(&mut self, rank: Rank, slot: u32, claim: Claim, found: &Found, draft: &mut Draft) {
        let at = self.running.binary_search(&rank).unwrap_or_else(|at| at);
        self.running.insert(at, rank);
        let Some(sequence) = self.sequences.get_mut(&rank.id) else { return };
        if !sequence.has_started {
            sequence.has_started = true;
            self.begun += 1;
            draft.started.push((rank.id, claim.tokens));
            self.counts.prefix_queries += if self.limits.shares_prefixes { sequence.prompt as u64 } else { 0 };
            self.counts.prefix_hits += claim.tokens as u64;
            // What is computed again after preemption was charged for before.
            self.order.charge(rank, sequence.key, sequence.prompt - claim.tokens);
        }
        sequence.stage = Stage::Runs(Run {
            slot,
            table: claim.table,
            computed: claim.tokens,
            goal: sequence.tokens.len(),
            is_new: true,
            findable: found.pages.len(),
            prefix: found.prefix(),
        });
    }
}

/// Whether others can find the first pages of a sequence, as far as so many tokens.
fn has_computed(run: &Run, tokens: usize, page_tokens: usize) -> bool {
    run.findable * page_tokens >= tokens
}
