//! What all requests may hold together, shared out fairly among keys.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The number of who has no others beside them: everyone, where there are no keys, or the only key.
const ALONE: u64 = 0;

/// So many units, of which requests hold parts. A key may hold as much as it leaves free (Choudhury and Hahne 1998, "Dynamic queue length thresholds"): one has a
/// half, two a third each, and whoever comes next finds room, however much the others ask for; one that holds nothing has a unit as long as any is free. What nobody else could use yet is free for a request that is alone.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    all: usize,
    held: Arc<Mutex<Held>>,
}

#[derive(Debug, Default)]
struct Held {
    sum: usize,
    /// By the keys' numbers ([`crate::keys::Pass::number`]). None is 0.
    by_key: HashMap<u64, usize>,
}

/// Why there is no room for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoRoom {
    /// So much is not free.
    ForAnyone,
    /// Its key would hold more than it leaves free.
    ForKey,
}

/// What a request holds, which is free again when this is dropped.
#[derive(Debug)]
pub(crate) struct Part {
    budget: Budget,
    key: u64,
    units: usize,
}

impl Budget {
    pub(crate) fn new(all: usize) -> Budget {
        Budget { all, held: Arc::default() }
    }

    /// What is locked here is whole between any two operations on it.
    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A part of the key's that has nothing yet.
    pub(crate) fn empty(&self, key: u64) -> Part {
        Part { budget: self.clone(), key, units: 0 }
    }

    /// A part of the key's.
    ///
    /// # Errors
    /// There is no room for it.
    pub(crate) fn take(&self, key: u64, units: usize) -> Result<Part, NoRoom> {
        let mut part = self.empty(key);
        part.grow(units)?;
        Ok(part)
    }

    /// Checks that there is room for a part of the key's.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn check(&self, key: u64, units: usize) -> Result<(), NoRoom> {
        self.lock().check(self.all, key, 0, units)
    }

    /// What nobody holds.
    #[cfg(test)]
    pub(crate) fn free(&self) -> usize {
        self.all - self.lock().sum
    }
}

impl Held {
    /// Checks that a part of the key's that has `before` may have `more`.
    fn check(&self, all: usize, key: u64, before: usize, more: usize) -> Result<(), NoRoom> {
        match self.check_share(all, key, before, more) {
            Err(NoRoom::ForKey) if key == ALONE || self.sum == before => Ok(()),
            checked => checked,
        }
    }

    /// The same of a part that leaves as much free as its key has, though it is alone: where there are no keys, as it has itself.
    fn check_share(&self, all: usize, key: u64, before: usize, more: usize) -> Result<(), NoRoom> {
        let free = (all - self.sum).checked_sub(more).ok_or(NoRoom::ForAnyone)?;
        let own = if key == ALONE { before } else { self.by_key.get(&key).copied().unwrap_or_default() };
        if own + more <= free.max(1) { Ok(()) } else { Err(NoRoom::ForKey) }
    }
}

impl Part {
    /// Makes it as large, or as small.
    ///
    /// # Errors
    /// There is no room: it stays as it is.
    pub(crate) fn fit(&mut self, units: usize) -> Result<(), NoRoom> {
        self.shrink(units);
        self.grow(units)
    }

    /// The same of what nobody knows the end of: it leaves as much free as its key has, also where it is alone and where there are no keys.
    ///
    /// # Errors
    /// There is no room: it stays as it is.
    pub(crate) fn fit_share(&mut self, units: usize) -> Result<(), NoRoom> {
        self.shrink(units);
        self.grow_by(units, Held::check_share)
    }

    /// Makes it as large, unless it is larger.
    ///
    /// # Errors
    /// There is no room: it stays as it is.
    pub(crate) fn grow(&mut self, units: usize) -> Result<(), NoRoom> {
        self.grow_by(units, Held::check)
    }

    fn grow_by(
        &mut self,
        units: usize,
        check: impl FnOnce(&Held, usize, u64, usize, usize) -> Result<(), NoRoom>,
    ) -> Result<(), NoRoom> {
        let Some(more) = units.checked_sub(self.units).filter(|more| *more > 0) else { return Ok(()) };
        let mut held = self.budget.lock();
        check(&held, self.budget.all, self.key, self.units, more)?;
        held.sum += more;
        *held.by_key.entry(self.key).or_default() += more;
        drop(held);
        self.units = units;
        Ok(())
    }

    /// Makes it as small, unless it is smaller.
    pub(crate) fn shrink(&mut self, units: usize) {
        let Some(less) = self.units.checked_sub(units).filter(|less| *less > 0) else { return };
        let mut held = self.budget.lock();
        held.sum -= less;
        match held.by_key.get_mut(&self.key) {
            Some(own) if *own > less => *own -= less,
            _ => _ = held.by_key.remove(&self.key),
        }
        drop(held);
        self.units = units;
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        self.shrink(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many parts as the key may have.
    fn fill(budget: &Budget, key: u64, units: usize) -> Vec<Part> {
        std::iter::from_fn(|| budget.take(key, units).ok()).collect()
    }

    #[test]
    fn whoever_comes_next_finds_room() {
        let budget = Budget::new(1000);
        let held: Vec<_> = (1..=30).map(|key| fill(&budget, key, 1)).collect();
        let counts: Vec<_> = held.iter().map(Vec::len).collect();
        assert_eq!(counts[..4], [500, 250, 125, 62], "each has half of what it finds free");
        let budget = Budget::new(1000);
        let greedy: Vec<_> = (1..=8).map(|key| fill(&budget, key, 1)).collect();
        assert!(budget.take(9, 1).is_ok(), "{} keys ask for all that they can have", greedy.len());
        // Each gives one back and asks for as much as it can have, for long.
        let settled = (0..8000).map(|round| round % 8).fold(greedy, |mut held, at| {
            held[at].pop();
            held[at].extend(fill(&budget, at as u64 + 1, 1));
            held
        });
        let shares: Vec<_> = settled.iter().map(Vec::len).collect();
        assert!(shares.iter().all(|share| (100..=125).contains(share)), "a ninth is left free: {shares:?}");
    }

    #[test]
    fn who_has_no_others_beside_them_has_all() {
        let budget = Budget::new(10);
        let parts = fill(&budget, ALONE, 3);
        assert_eq!((parts.len(), budget.free()), (3, 1));
        drop(parts);
        assert_eq!(budget.free(), 10);
        let alone = budget.take(1, 9).expect("it is the only one, and larger than a share");
        assert_eq!(budget.take(1, 1).unwrap_err(), NoRoom::ForKey);
        assert_eq!((budget.check(2, 2), budget.check(2, 1)), (Err(NoRoom::ForAnyone), Ok(())));
        drop(alone);
        assert_eq!(fill(&budget, 1, 1).len(), 5);
        assert_eq!((budget.free(), budget.lock().by_key.len()), (10, 0), "who holds nothing is forgotten");
    }

    /// As few as `--max-waiting 2` has: half of what is left is none.
    #[test]
    fn a_key_that_holds_nothing_has_the_last_unit() {
        for all in 1..=4 {
            let budget = Budget::new(all);
            let held: Vec<_> = (1..=all as u64).map(|key| budget.take(key, 1).unwrap()).collect();
            assert_eq!(budget.take(9, 1).unwrap_err(), NoRoom::ForAnyone, "{} of {all}", held.len());
        }
        let budget = Budget::new(2);
        let held = budget.take(1, 1).unwrap();
        assert_eq!(budget.take(1, 1).unwrap_err(), NoRoom::ForKey);
        drop((budget.take(2, 1).unwrap(), held));
    }

    #[test]
    fn a_part_grows_as_far_as_there_is_room() {
        let budget = Budget::new(100);
        let mut part = budget.empty(1);
        assert!([30, 20, 90].into_iter().all(|units| part.grow(units).is_ok()), "it is alone");
        assert_eq!(part.grow(101), Err(NoRoom::ForAnyone));
        assert_eq!(budget.free(), 10);
        let mut other = budget.take(2, 5).expect("as much as it leaves free");
        assert_eq!([other.grow(6), part.grow(91)], [Err(NoRoom::ForKey); 2]);
        drop(part);
        assert_eq!(other.grow(50), Ok(()));
        assert_eq!(budget.free(), 50);
        assert_eq!(([90, 20].map(|units| other.fit(units)), budget.free()), ([Ok(()); 2], 80));
        assert_eq!((other.fit(101), budget.free()), (Err(NoRoom::ForAnyone), 80), "it stays as it is");
        drop(other);
        assert_eq!((budget.free(), budget.lock().by_key.len()), (100, 0));
    }

    /// A stream may be read as slowly as its client likes, and others come meanwhile.
    #[test]
    fn a_part_without_an_end_leaves_as_much_as_it_has() {
        for key in [ALONE, 1] {
            let budget = Budget::new(100);
            let mut first = budget.empty(key);
            assert_eq!([51, 50].map(|units| first.fit_share(units)), [Err(NoRoom::ForKey), Ok(())], "key {key}");
            let mut second = budget.empty(2 * key);
            assert_eq!([26, 25].map(|units| second.fit_share(units)), [Err(NoRoom::ForKey), Ok(())], "key {key}");
            assert_eq!((first.fit_share(51), budget.free()), (Err(NoRoom::ForKey), 25), "it stays as it is");
            assert_eq!(first.fit_share(10), Ok(()));
            assert_eq!(second.fit_share(91), Err(NoRoom::ForAnyone));
            assert_eq!((second.fit_share(45), budget.free()), (Ok(()), 45), "key {key}");
        }
    }
}
