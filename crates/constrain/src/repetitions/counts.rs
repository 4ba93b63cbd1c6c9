//! How many counts there are at a time, and what they weigh.

/// Whether counts begin beside letters of words which others may stand for: `([A-Za-z]{1,20}[a-z] ?){1,10}` may have begun a round behind each `e` and behind no `E`, so
/// that each of the vocabulary's words leads to a state of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Split {
    /// They do not, or seldom.
    None,
    /// The others are capitals.
    Capitals,
    /// The others are small letters.
    Small,
}

impl Split {
    /// How many times as much the library spends on such a count. Measured with 65,000 tokens, where words and spaces are written: 2,000 to 5,100 of fuel and up to 12,600,
    /// where 250 to 1,200 are usual.
    fn weight(self) -> u64 {
        match self {
            Split::None => 1,
            Split::Capitals => 4,
            Split::Small => 8,
        }
    }
}

/// The same for rounds in which a word may be left out, whose letters are those of what is beside it: `((ing)?[a-z]{2,60}){1,20}`.
const OPTIONAL_WORD_WEIGHT: u64 = 4;

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

    /// These where they begin so, which no part of them weighs once more.
    pub(super) fn split(self, split: Split) -> Counts {
        self.weigh(split.weight())
    }

    /// The same where a word may be left out besides.
    pub(super) fn split_with_optional_word(self, split: Split) -> Counts {
        self.weigh(split.weight() * OPTIONAL_WORD_WEIGHT)
    }

    fn weigh(self, times: u64) -> Counts {
        Counts { weight: self.weight.max(self.number.saturating_mul(times)), ..self }
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
