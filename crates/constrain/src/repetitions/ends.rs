//! How many states an expression's counts make: which of the places that a text has had may be beginnings and ends of a part.

use super::counts::Split;
use super::letters::Letters;

/// Where a text may begin and end that matches a part of an expression.
#[derive(Clone)]
pub(super) struct Ends {
    /// The letters at the beginning, but for words that are spelled.
    first: Letters,
    /// Those at the end.
    last: Letters,
    /// Whether a word that is spelled stands before as many letters as there have to be.
    pub(super) is_spelled: bool,
    /// Whether the ends of a text that began at one place are behind some letters of words, and not behind others.
    split: Split,
}

impl Ends {
    pub(super) fn none() -> Ends {
        let (first, last) = (Letters::none(), Letters::none());
        Ends { first, last, is_spelled: false, split: Split::None }
    }

    /// Those of letters of which there are so many, and which are spelled.
    pub(super) fn spelled(count: u64, letters: &Letters) -> Ends {
        if count == 1 { Ends::of(letters) } else { Ends { is_spelled: true, ..Ends::none() } }
    }

    pub(super) fn of(letters: &Letters) -> Ends {
        Ends { first: letters.clone(), last: letters.clone(), ..Ends::none() }
    }

    /// Of a text and `next` behind it, which has as many letters whatever it is where that `is_fixed`. Letters that a text `goes_on` with may stand in place of `next`.
    pub(super) fn then(self, next: &Ends, are_nullable: [bool; 2], is_fixed: bool, goes_on: Option<&Letters>) -> Ends {
        let is_spelled = next.is_spelled && !are_nullable[1];
        let is_behind_spelled = self.is_spelled && is_fixed;
        let split = match goes_on {
            Some(letters) if !are_nullable[1] && !is_behind_spelled => next.last.split(letters),
            _ => Split::None,
        };
        Ends {
            first: if are_nullable[0] { self.first.or(&next.first) } else { self.first },
            last: if are_nullable[1] { self.last.or(&next.last) } else { next.last.clone() },
            is_spelled: is_spelled || is_behind_spelled,
            split: if is_spelled { split } else { split.max(self.split).max(next.split) },
        }
    }

    /// Of one of two texts; where they may begin alike they go on with these letters.
    pub(super) fn or(self, other: &Ends, go_on: Option<[&Letters; 2]>) -> Ends {
        let split = |ends: &Ends, letters| ends.first.split(letters).max(ends.last.split(letters));
        let are_split = go_on.map_or(Split::None, |letters| split(&self, letters[1]).max(split(other, letters[0])));
        Ends {
            split: self.split.max(other.split).max(are_split),
            first: self.first.or(&other.first),
            last: self.last.or(&other.last),
            is_spelled: self.is_spelled && other.is_spelled,
        }
    }

    /// Whether texts of several lengths, those of one in each of these, one of which stands there, begin or end beside small letters that tell which it is, as of
    /// `(e[a-z]|[a-df-z])`. What begins or ends with a sign is seldom, and so is what does with a capital.
    pub(super) fn tell_lengths(ways: &[Ends]) -> bool {
        let all = |of: fn(&Ends) -> &Letters| ways.iter().fold(Letters::none(), |all, ends| all.or(of(ends)));
        let (first, last) = (all(|ends| &ends.first), all(|ends| &ends.last));
        let in_words = ways.iter().filter(|ends| ends.first.has_words() && ends.last.has_words());
        in_words.map(|ends| ends.first.split(&first).max(ends.last.split(&last))).any(|split| split == Split::Small)
    }

    pub(super) fn split_as(self, split: Split) -> Ends {
        Ends { split, ..self }
    }

    /// How what begins as `next` behind a text that began at one place, and that otherwise `goes_on` with these letters, begins beside some letters of words.
    pub(super) fn split(&self, next: &Ends, goes_on: &Letters) -> Split {
        self.split.max(next.first.split(goes_on))
    }

    /// The same behind a text that may have begun anywhere, so that more counts meet, where `within` are the letters of what is behind.
    pub(super) fn split_anywhere(&self, next: &Ends, goes_on: &Letters, within: &Letters) -> Split {
        let split = match self.first.has_words() && !self.is_spelled {
            true => self.first.split(within).max(self.last.split(within)),
            false => Split::None,
        };
        match split.max(self.split(next, goes_on)) {
            Split::Capitals => Split::Small,
            split => split,
        }
    }
}
