//! Answers whose adapters are on their way to the device: by priority, then fairly among keys, then by arrival.
//!
//! Fairness is that of start-time fair queueing (Goyal et al. 1996), with an answer as what is served: a key's answers have turns one behind the other, and a
//! key that comes, or comes back, has the turn behind the one that begins now. An answer that begins before it is its turn takes nobody's, and neither that one
//! nor one that never begins is charged to its key. The scheduler's order charges keys by the tokens that they are
//! served, so that who is next is known only then; a place in this one is known when an answer comes, and all of it is walked in each step.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;

/// Answers that pass one which waits for room that their adapters have. They take none, but keep those on the device for longer, so that there has to be an end.
const PASSES_MAX: usize = 64;

/// Where an answer waits. Lower goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    priority: i32,
    turn: u64,
    arrival: u64,
}

impl Place {
    /// That of the answer. Lower goes first.
    pub(super) fn priority(self) -> i32 {
        self.priority
    }
}

/// The queue.
#[derive(Debug)]
pub(super) struct Pending<T> {
    waiting: BTreeMap<Place, Waiting<T>>,
    /// Where the answers to requests of these numbers wait.
    places: HashMap<u64, Place>,
    levels: HashMap<i32, Level>,
    arrivals: u64,
}

#[derive(Debug)]
struct Waiting<T> {
    answer: T,
    key: u64,
    number: u64,
    /// How many have passed it.
    passes: usize,
}

/// What is known of the answers of a priority, as long as there are some.
#[derive(Debug, Default)]
struct Level {
    /// The latest turn that has come: of which an answer has begun that was the first.
    turn: u64,
    /// The turns of each key's answers that wait. A key of which none does is as one that has never come: what it had begun in its turn is not behind `turn`.
    turns: HashMap<u64, BTreeSet<u64>>,
}

impl<T> Default for Pending<T> {
    fn default() -> Pending<T> {
        Pending { waiting: BTreeMap::new(), places: HashMap::new(), levels: HashMap::new(), arrivals: 0 }
    }
}

impl<T> Pending<T> {
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// An answer to a key's request of a number waits.
    pub(super) fn push(&mut self, priority: i32, key: u64, number: u64, answer: T) {
        let level = self.levels.entry(priority).or_default();
        let turns = level.turns.entry(key).or_default();
        let turn = turns.last().copied().unwrap_or_default().max(level.turn) + 1;
        turns.insert(turn);
        self.arrivals += 1;
        let place = Place { priority, turn, arrival: self.arrivals };
        self.places.insert(number, place);
        self.waiting.insert(place, Waiting { answer, key, number, passes: 0 });
    }

    /// The place behind one, or the first.
    pub(super) fn behind(&self, place: Option<Place>) -> Option<Place> {
        let from = place.map_or(Bound::Unbounded, Bound::Excluded);
        self.waiting.range((from, Bound::Unbounded)).next().map(|(place, _)| *place)
    }

    pub(super) fn get_mut(&mut self, place: Place) -> Option<&mut T> {
        self.waiting.get_mut(&place).map(|waiting| &mut waiting.answer)
    }

    /// Takes out an answer that begins.
    pub(super) fn begin(&mut self, place: Place) -> Option<T> {
        let of_priority = Place { turn: 0, arrival: 0, ..place }..;
        let is_first = self.waiting.range(of_priority).next().is_some_and(|(first, _)| *first == place);
        // The turn of one that passes others has not come: who comes next would stand behind all whom it passes.
        if let Some(level) = self.levels.get_mut(&place.priority).filter(|_| is_first) {
            level.turn = level.turn.max(place.turn);
        }
        self.remove(place)
    }

    /// Takes out an answer that never begins.
    pub(super) fn remove(&mut self, place: Place) -> Option<T> {
        let waiting = self.waiting.remove(&place)?;
        self.places.remove(&waiting.number);
        if let Some(level) = self.levels.get_mut(&place.priority) {
            if let Some(turns) = level.turns.get_mut(&waiting.key) {
                turns.remove(&place.turn);
                if turns.is_empty() {
                    level.turns.remove(&waiting.key);
                }
            }
            if level.turns.is_empty() {
                // Nobody is left to be fair to.
                self.levels.remove(&place.priority);
            }
        }
        Some(waiting.answer)
    }

    /// Takes out the answer to the request of a number.
    pub(super) fn remove_number(&mut self, number: u64) -> Option<T> {
        let place = *self.places.get(&number)?;
        self.remove(place)
    }

    /// Takes out the first answer.
    pub(super) fn remove_first(&mut self) -> Option<T> {
        let (place, _) = self.waiting.first_key_value()?;
        self.remove(*place)
    }

    /// Whether an answer that waits for room may be passed by those that need none. If so it has been, once more.
    pub(super) fn lets_pass(&mut self, place: Place) -> bool {
        let Some(waiting) = self.waiting.get_mut(&place).filter(|waiting| waiting.passes < PASSES_MAX) else {
            return false;
        };
        waiting.passes += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of answers of some priorities and keys in the order in which they begin.
    fn begun(pending: &mut Pending<u64>, most: usize) -> Vec<u64> {
        std::iter::from_fn(|| pending.behind(None).and_then(|place| pending.begin(place))).take(most).collect()
    }

    fn push(pending: &mut Pending<u64>, asked: &[(i32, u64)], first: u64) {
        (first..).zip(asked).for_each(|(number, &(priority, key))| pending.push(priority, key, number, number));
    }

    #[test]
    fn priorities_then_turns_then_arrival() {
        for (asked, expected) in [
            (&[(0, 1), (0, 1), (0, 1)][..], &[0, 1, 2][..]),
            (&[(1, 1), (0, 1), (-1, 1)], &[2, 1, 0]),
            (&[(0, 1), (0, 1), (0, 1), (0, 2), (0, 2), (0, 3)], &[0, 3, 5, 1, 4, 2]),
            (&[(0, 1), (0, 1), (-1, 2), (-1, 1), (-1, 1)], &[2, 3, 4, 0, 1]),
        ] {
            let mut pending = Pending::default();
            push(&mut pending, asked, 0);
            assert_eq!(begun(&mut pending, 9), expected, "{asked:?}");
            assert!(pending.is_empty() && pending.levels.is_empty());
        }
    }

    #[test]
    fn who_comes_later_waits_for_one_answer_of_each_other_key() {
        let mut pending = Pending::default();
        push(&mut pending, &[(0, 1); 1000], 0);
        assert_eq!(begun(&mut pending, 64), (0..64).collect::<Vec<_>>());
        push(&mut pending, &[(0, 2), (0, 2), (0, 3)], 1000);
        assert_eq!(begun(&mut pending, 6), [64, 1000, 1002, 65, 1001, 66]);
    }

    #[test]
    fn a_key_has_its_turn_where_new_keys_come_for_ever() {
        let mut pending = Pending::default();
        push(&mut pending, &[(0, 0), (0, 0)], 0);
        for number in 2..1000 {
            push(&mut pending, &[(0, number)], number);
            if begun(&mut pending, 1) == [1] {
                assert!(number < 5 && pending.levels[&0].turns.len() < 5);
                return;
            }
        }
        panic!("key 0 has no turn");
    }

    #[test]
    fn keys_that_are_gone_are_forgotten() {
        let mut pending = Pending::default();
        push(&mut pending, &[(0, 0); 2], 0);
        for number in 2..10_000 {
            push(&mut pending, &[(0, number)], number);
            assert_eq!(begun(&mut pending, 1).len(), 1);
        }
        assert!(pending.levels[&0].turns.len() <= 2);
    }

    /// The place of an answer.
    fn place(pending: &Pending<u64>, answer: u64) -> Place {
        *pending.waiting.iter().find(|(_, waiting)| waiting.answer == answer).unwrap().0
    }

    #[test]
    fn who_passes_others_takes_no_turns() {
        // Key 2's answers pass all of key 1's: one at a time, and all that wait.
        for at_once in [1, 60] {
            let mut pending = Pending::default();
            push(&mut pending, &[(0, 1); 60], 0);
            for first in (100_u64..160).step_by(at_once) {
                push(&mut pending, &vec![(0, 2); at_once], first);
                for number in first..first + at_once as u64 {
                    let place = place(&pending, number);
                    assert_eq!(pending.begin(place), Some(number));
                }
            }
            push(&mut pending, &[(0, 3), (0, 2)], 200);
            assert_eq!(begun(&mut pending, 5), [0, 200, 201, 1, 2], "{at_once}");
        }
    }

    #[test]
    fn what_never_begins_takes_no_turns() {
        let mut pending = Pending::default();
        push(&mut pending, &[(0, 2), (0, 2), (0, 2), (0, 1)], 0);
        push(&mut pending, &[(0, 1); 500], 100);
        for number in 100..600 {
            assert_eq!(pending.remove_number(number), Some(number));
        }
        push(&mut pending, &[(0, 1)], 4);
        assert_eq!(begun(&mut pending, 1), [0]);
        assert_eq!(pending.remove_number(4), Some(4));
        push(&mut pending, &[(0, 1)], 5);
        assert_eq!(begun(&mut pending, 9), [3, 1, 5, 2]);
    }

    #[test]
    fn one_that_is_passed_is_passed_a_bounded_number_of_times() {
        let mut pending = Pending::default();
        push(&mut pending, &[(0, 1), (0, 1)], 0);
        let first = pending.behind(None).unwrap();
        assert_eq!((0..1000).filter(|_| pending.lets_pass(first)).count(), PASSES_MAX);
        assert_eq!(pending.remove_number(1), Some(1));
        assert_eq!((pending.remove(first), pending.remove(first)), (Some(0), None));
        assert!(!pending.lets_pass(first) && pending.is_empty() && pending.places.is_empty());
    }
}
