//! How many counts there are at a time, and what they weigh.

/// How many times as much the library spends on counts that begin beside letters of words which others may stand for: `([A-Za-z]{1,20}[a-z] ?){1,10}` may have begun
/// a round behind each `e` and behind no `E`, so that each of the vocabulary's words leads to a state of its own. Measured with 65,000 tokens, where words and spaces
/// are written: 2,000 to 12,600 of fuel for each count beside 250 to 1,200.
const SPLIT_WEIGHT: u64 = 8;

/// Counts, all of the same weight or some of more.
#[derive(Clone, Copy)]
pub(super) struct Counts {
    number: u64,
    weight: u64,
}

impl Counts {
    pub(super) fn new(number: u64) -> Counts {
        Counts { number, weight: number }
    }

    pub(super) fn weight(self) -> u64 {
        self.weight
    }

    /// These where `is_split` beside letters that others may stand for, which no part of them weighs once more.
    pub(super) fn split(self, is_split: bool) -> Counts {
        let split = self.number.saturating_mul(SPLIT_WEIGHT);
        Counts { weight: if is_split { self.weight.max(split) } else { self.weight }, ..self }
    }

    pub(super) fn and(self, other: Counts) -> Counts {
        self.both(other, u64::saturating_add)
    }

    pub(super) fn max(self, other: Counts) -> Counts {
        self.both(other, u64::max)
    }

    pub(super) fn times(self, times: u64) -> Counts {
        self.each(|count| count.saturating_mul(times))
    }

    pub(super) fn less(self, fewer: u64) -> Counts {
        self.each(|count| count - fewer)
    }

    /// Of what may have begun at each letter as many as may have begun at every so-manieth.
    pub(super) fn each_so_many(self, letters: u64) -> Counts {
        self.each(|count| count.div_ceil(letters))
    }

    fn each(self, change: impl Fn(u64) -> u64) -> Counts {
        Counts { number: change(self.number), weight: change(self.weight) }
    }

    fn both(self, other: Counts, join: impl Fn(u64, u64) -> u64) -> Counts {
        Counts { number: join(self.number, other.number), weight: join(self.weight, other.weight) }
    }
}
