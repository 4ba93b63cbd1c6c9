//! Who is admitted next: by priority, then fairly among keys, then by arrival.
//!
//! Fairness is that of virtual token counters (Sheng et al. 2024, Fairness in Serving Large Language Models): a key's account grows by the
//! tokens that it is served, and the key of the lowest account is next. A key that comes, or comes back, starts where the others are, so that nobody
//! saves up and no newcomer gets all until it has caught up. Where the others are is the lowest account of those who wait, or, if that is further,
//! the level's clock, which runs as if each token served were shared by all keys of the level: so a key waits for a bounded time
//! even where new keys come for ever.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::sequence::Rank;

/// What an account grows by for a token. A level's clock grows by it divided by the number of keys.
const TOKEN: u64 = 1 << 20;
/// Accounts of keys without requests that a level may have before it looks which can go.
const IDLE_SHARES: usize = 64;

/// The queue.
#[derive(Debug, Default)]
pub(crate) struct Order {
    levels: BTreeMap<i32, Level>,
}

/// The requests of one priority.
#[derive(Debug, Default)]
struct Level {
    clock: u64,
    /// Keys that have requests, waiting or running.
    active: usize,
    shares: HashMap<u64, Share>,
    /// For each key that waits: its account when it was entered, its first arrival, and the key. Accounts only grow, so that the lowest entry is
    /// brought up to date only when it is looked at.
    waiting: BTreeSet<(u64, u64, u64)>,
    /// What has run and is computed again goes before all that has not run.
    returning: BTreeSet<(u64, u64)>,
}

/// What is known of a key.
#[derive(Debug, Default)]
struct Share {
    account: u64,
    /// Its requests that have not ended.
    requests: usize,
    /// Those of them that wait, by arrival.
    waiting: BTreeSet<(u64, u64)>,
    /// Where it stands in [`Level::waiting`].
    entry: Option<(u64, u64)>,
}

impl Level {
    /// Enters a key anew after its waiting requests changed.
    fn enter(&mut self, key: u64) {
        let Some(share) = self.shares.get_mut(&key) else { return };
        if let Some((account, arrival)) = share.entry.take() {
            self.waiting.remove(&(account, arrival, key));
        }
        if let Some(&(arrival, _)) = share.waiting.first() {
            share.entry = Some((share.account, arrival));
            self.waiting.insert((share.account, arrival, key));
        }
    }

    /// The key that is next among those that wait, and its account.
    fn next_key(&mut self) -> Option<(u64, u64)> {
        loop {
            let &(entered, _, key) = self.waiting.first()?;
            let account = self.shares.get(&key)?.account;
            if account == entered {
                return Some((key, account));
            }
            self.enter(key);
        }
    }

    /// Forgets keys that would come back to where all start.
    fn sweep(&mut self) {
        if self.shares.len() > 2 * self.active + IDLE_SHARES {
            let clock = self.clock;
            self.shares.retain(|_, share| share.requests > 0 || share.account > clock);
        }
    }
}

impl Order {
    /// A new request waits.
    pub(crate) fn join(&mut self, rank: Rank, key: u64) {
        let level = self.levels.entry(rank.priority).or_default();
        let start = level.next_key().map_or(0, |(_, account)| account).max(level.clock);
        let share = level.shares.entry(key).or_default();
        if share.waiting.is_empty() {
            share.account = share.account.max(start);
        }
        level.active += usize::from(share.requests == 0);
        share.requests += 1;
        share.waiting.insert((rank.arrival, rank.id));
        level.enter(key);
    }

    /// A request that was taken out waits again.
    pub(crate) fn put_back(&mut self, rank: Rank, key: u64) {
        let Some(level) = self.levels.get_mut(&rank.priority) else { return };
        if let Some(share) = level.shares.get_mut(&key) {
            share.waiting.insert((rank.arrival, rank.id));
            level.enter(key);
        }
    }

    /// A request that has run and is to be computed again waits.
    pub(crate) fn put_first(&mut self, rank: Rank) {
        if let Some(level) = self.levels.get_mut(&rank.priority) {
            level.returning.insert((rank.arrival, rank.id));
        }
    }

    /// A request waits no more.
    pub(crate) fn take(&mut self, rank: Rank, key: u64) {
        let Some(level) = self.levels.get_mut(&rank.priority) else { return };
        if level.returning.remove(&(rank.arrival, rank.id)) {
            return;
        }
        if let Some(share) = level.shares.get_mut(&key) {
            share.waiting.remove(&(rank.arrival, rank.id));
            level.enter(key);
        }
    }

    /// A request has ended, and does not wait.
    pub(crate) fn leave(&mut self, rank: Rank, key: u64) {
        let Entry::Occupied(mut entry) = self.levels.entry(rank.priority) else { return };
        let level = entry.get_mut();
        if let Some(share) = level.shares.get_mut(&key) {
            share.requests -= 1;
            level.active -= usize::from(share.requests == 0);
        }
        if level.active == 0 {
            // Nobody is left to be fair to.
            entry.remove();
        } else {
            level.sweep();
        }
    }

    /// A request's key is served so many tokens.
    pub(crate) fn charge(&mut self, rank: Rank, key: u64, tokens: usize) {
        let Some(level) = self.levels.get_mut(&rank.priority) else { return };
        let served = (tokens as u64).saturating_mul(TOKEN);
        level.clock = level.clock.saturating_add(served / level.active.max(1) as u64);
        if let Some(share) = level.shares.get_mut(&key) {
            share.account = share.account.saturating_add(served);
        }
    }

    /// Whether one key was served more than another, of a priority at which both have requests.
    pub(crate) fn was_served_more(&self, priority: i32, key: u64, other: u64) -> bool {
        let account = |key| self.levels.get(&priority)?.shares.get(&key).map(|share| share.account);
        account(key).zip(account(other)).is_some_and(|(more, less)| more > less)
    }

    /// The request that is next.
    pub(crate) fn first(&mut self) -> Option<Rank> {
        for (&priority, level) in &mut self.levels {
            let first = match level.returning.first() {
                Some(&first) => Some(first),
                None => level.next_key().and_then(|(key, _)| level.shares.get(&key)?.waiting.first().copied()),
            };
            if let Some((arrival, id)) = first {
                return Some(Rank { priority, arrival, id });
            }
        }
        None
    }

    /// The numbers of all requests that wait.
    pub(crate) fn ids(&self) -> BTreeSet<u64> {
        let of_level = |level: &Level| {
            let waiting: Vec<_> =
                level.shares.values().flat_map(|share| &share.waiting).chain(&level.returning).copied().collect();
            waiting
        };
        self.levels.values().flat_map(of_level).map(|(_, id)| id).collect()
    }

    /// Says what is wrong, if so many requests have not ended.
    pub(crate) fn check(&self, requests: usize) -> Result<(), String> {
        let shares = || self.levels.values().flat_map(|level| level.shares.values());
        let counted: usize = shares().map(|share| share.requests).sum();
        if counted != requests {
            return Err(format!("{requests} requests have not ended, and keys have {counted}"));
        }
        for level in self.levels.values() {
            let active = level.shares.values().filter(|share| share.requests > 0).count();
            let entered = level
                .shares
                .iter()
                .filter_map(|(key, share)| share.entry.map(|(account, arrival)| (account, arrival, *key)));
            let is_entered =
                |share: &Share| share.entry.map(|entry| entry.1) == share.waiting.first().map(|first| first.0);
            if active != level.active
                || entered.collect::<BTreeSet<_>>() != level.waiting
                || !level.shares.values().all(is_entered)
            {
                return Err(format!("a level of the queue does not know its keys: {level:?}"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Requests of some keys and priorities, numbered as they stand, in the order in which they are admitted, if each is served so many tokens.
    fn admitted(requests: &[(i32, u64)], tokens: &[usize]) -> Vec<u64> {
        let mut order = Order::default();
        let keys: Vec<u64> = requests.iter().map(|(_, key)| *key).collect();
        for (id, &(priority, key)) in (0..).zip(requests) {
            order.join(Rank { priority, arrival: id, id }, key);
        }
        let mut ids = Vec::new();
        while let Some(rank) = order.first() {
            let key = keys[rank.id as usize];
            order.take(rank, key);
            order.charge(rank, key, tokens[rank.id as usize]);
            ids.push(rank.id);
            order.check(requests.len()).unwrap();
        }
        ids
    }

    #[test]
    fn priorities_then_shares_then_arrival() {
        for (requests, tokens, expected) in [
            (&[(0, 1), (0, 1), (0, 1)][..], &[9, 9, 9][..], &[0, 1, 2][..]),
            (&[(1, 1), (0, 1), (-1, 1)], &[1, 1, 1], &[2, 1, 0]),
            (&[(0, 1), (0, 1), (0, 2), (0, 2)], &[5, 5, 5, 5], &[0, 2, 1, 3]),
            // Key 2 has four short ones for one long one of key 1.
            (
                &[(0, 1), (0, 1), (0, 2), (0, 2), (0, 2), (0, 2), (0, 2)],
                &[40, 40, 10, 10, 10, 10, 10],
                &[0, 2, 3, 4, 5, 1, 6],
            ),
            // At another priority a key is another.
            (&[(0, 1), (1, 2), (1, 1)], &[100, 5, 5], &[0, 1, 2]),
        ] {
            assert_eq!(admitted(requests, tokens), expected, "{requests:?}");
        }
    }

    fn rank(id: u64) -> Rank {
        Rank { priority: 0, arrival: id, id }
    }

    #[test]
    fn a_newcomer_starts_where_the_others_are() {
        let mut order = Order::default();
        (0..4).for_each(|id| order.join(rank(id), 1));
        (0..2).for_each(|id| {
            order.take(rank(id), 1);
            order.charge(rank(id), 1, 1000);
        });
        (4..8).for_each(|id| order.join(rank(id), 2));
        let mut ids = Vec::new();
        while let Some(first) = order.first() {
            let key = if first.id < 4 { 1 } else { 2 };
            order.take(first, key);
            order.charge(first, key, 10);
            ids.push(first.id);
        }
        assert_eq!(ids, [2, 4, 3, 5, 6, 7], "turns from the first on, whatever key 1 was served before");
    }

    #[test]
    fn a_key_is_served_where_new_keys_come_for_ever() {
        let mut order = Order::default();
        // Two requests of key 0, of which the first was long; and each newcomer is served as the next one comes.
        order.join(rank(0), 0);
        order.join(rank(1), 0);
        order.join(rank(2), 2);
        order.take(rank(0), 0);
        order.charge(rank(0), 0, 1000);
        for id in 3..1000 {
            order.join(rank(id), id);
            let first = order.first().unwrap();
            if first.id == 1 {
                assert!(id > 50, "it has been served much already");
                return;
            }
            order.take(first, first.id);
            order.charge(first, first.id, 10);
            order.leave(first, first.id);
        }
        panic!("key 0 is never served");
    }

    #[test]
    fn keys_that_are_gone_are_forgotten() {
        let mut order = Order::default();
        order.join(rank(0), 0);
        for id in 1..10_000 {
            order.join(rank(id), id);
            order.take(rank(id), id);
            order.charge(rank(id), id, 100);
            order.leave(rank(id), id);
        }
        assert!(order.levels[&0].shares.len() < 200, "{}", order.levels[&0].shares.len());
        order.take(rank(0), 0);
        order.leave(rank(0), 0);
        assert!(order.levels.is_empty());
    }

    #[test]
    fn the_preempted_goes_first_at_its_priority() {
        let mut order = Order::default();
        (0..3).for_each(|id| order.join(rank(id), id));
        order.take(rank(0), 0);
        order.charge(rank(0), 0, 1_000_000);
        order.put_first(rank(0));
        assert_eq!(order.first(), Some(rank(0)));
        order.join(Rank { priority: -1, arrival: 9, id: 9 }, 0);
        assert_eq!(order.first().map(|rank| rank.id), Some(9));
    }
}
