//! What is known of the texts that match an expression, from which follows how many counts are kept at a time.

use regex_syntax::hir::{Hir, HirKind, Repetition};

use super::letters::Letters;

/// What is known of the texts that match an expression.
#[derive(Clone)]
pub(super) struct Shape {
    /// What they begin with.
    first: Letters,
    /// What may stand behind a text that matches in a longer one that does.
    goes_on: Letters,
    /// All that may be in what stands there.
    behind: Letters,
    /// All that is in them.
    within: Letters,
    is_nullable: bool,
    /// How many letters each has, if all have as many.
    letters: Option<u64>,
    /// How many letters a part at the end has, which has as many in each, and which those may be.
    tail: (u64, Letters),
    /// Whether rounds are counted in it.
    is_counted: bool,
    /// Letters between two places where such a text may end, wherever it began, at the least.
    gap: u64,
    /// How many counts there are where it may have begun at any letter before.
    pub(super) counts: u64,
    /// How many there are at a time where it began at one letter.
    pub(super) at_once: u64,
}

/// How many rounds are told apart.
fn rounds(Repetition { min, max, .. }: &Repetition) -> u64 {
    u64::from(max.unwrap_or(*min).max(1))
}

impl Shape {
    fn empty() -> Shape {
        let none = Letters::none;
        Shape {
            first: none(),
            goes_on: none(),
            behind: none(),
            within: none(),
            is_nullable: true,
            letters: Some(0),
            tail: (0, none()),
            is_counted: false,
            gap: 1,
            counts: 1,
            at_once: 1,
        }
    }

    pub(super) fn of(tree: &Hir) -> Shape {
        let shape = match tree.kind() {
            HirKind::Empty | HirKind::Look(_) => Shape::empty(),
            HirKind::Literal(literal) => Shape::literal(&literal.0),
            HirKind::Class(class) => {
                let letters = Letters::of(class);
                let weight = letters.weight();
                Shape { counts: weight, at_once: weight, ..Shape::text(letters.clone(), letters) }
            }
            HirKind::Capture(capture) => Shape::of(&capture.sub),
            HirKind::Repetition(repetition) => Shape::of(&repetition.sub).repeated(repetition),
            HirKind::Concat(parts) => parts.iter().map(Shape::of).reduce(Shape::then).unwrap_or_else(Shape::empty),
            HirKind::Alternation(ways) => ways.iter().map(Shape::of).reduce(Shape::or).unwrap_or_else(Shape::empty),
        };
        let lengths = [tree.properties().minimum_len(), tree.properties().maximum_len()];
        match shape.letters.is_some() || lengths[0].is_some() && lengths[0] == lengths[1] {
            // No text is another's beginning.
            true => Shape { goes_on: Letters::none(), behind: Letters::none(), ..shape },
            false => shape,
        }
    }

    fn literal(bytes: &[u8]) -> Shape {
        let counts = repeated_letters(bytes);
        let Ok(text) = std::str::from_utf8(bytes) else {
            let tail = (0, Letters::none());
            return Shape { counts, letters: None, tail, ..Shape::text(Letters::all(), Letters::all()) };
        };
        let spelled: Vec<_> = text.chars().collect();
        let first = Letters::spelled(text.chars().take(1));
        let within = Letters::spelled(text.chars());
        let letters = spelled.len() as u64;
        let (tail, gap) = ((letters, within.clone()), period(&spelled));
        Shape { counts, letters: Some(letters), tail, gap, ..Shape::text(first, within) }
    }

    /// Of one letter, unless more is said.
    fn text(first: Letters, within: Letters) -> Shape {
        let tail = (1, within.clone());
        Shape { first, within, is_nullable: false, letters: Some(1), tail, ..Shape::empty() }
    }

    /// How many counts there are where it may have begun wherever something ended whose ends are so far apart.
    fn begun(&self, gap: u64) -> u64 {
        self.at_once.max(self.counts.div_ceil(gap))
    }

    fn repeated(self, repetition: &Repetition) -> Shape {
        let Repetition { min, max, .. } = repetition;
        // Each round behind the first begins where one has ended.
        let (begun, others) = (self.begun(self.gap), rounds(repetition) - 1);
        let counts = self.counts.saturating_add(begun.saturating_mul(others));
        // A round may begin where the one before goes on.
        let overlaps = self.is_nullable || self.goes_on.meets(&self.first);
        let is_exact = *max == Some(*min) && !self.is_nullable;
        let (mut goes_on, mut behind) = (self.goes_on, self.behind);
        if !is_exact {
            (goes_on, behind) = (goes_on.or(&self.first), behind.or(&self.within));
        }
        if overlaps {
            (goes_on, behind) = (goes_on.or(&self.within), behind.or(&self.within));
        }
        let several = self.at_once.max(begun.saturating_mul(rounds(repetition)));
        let at_once = if overlaps && *max != Some(1) { several } else { self.at_once };
        let is_nullable = self.is_nullable || *min == 0;
        let gap = if is_nullable { 1 } else { self.gap };
        let is_counted = self.is_counted || rounds(repetition) > 1;
        let letters =
            self.letters.filter(|_| *max == Some(*min)).map(|letters| letters.saturating_mul(u64::from(*min)));
        let tail = match (letters, is_nullable) {
            (Some(letters), _) => (letters, self.within.clone()),
            (None, true) => (0, Letters::none()),
            (None, false) => self.tail,
        };
        Shape { goes_on, behind, is_nullable, is_counted, letters, tail, gap, counts, at_once, ..self }
    }

    fn then(self, next: Shape) -> Shape {
        let overlaps = self.goes_on.meets(&next.first);
        // What is in both may be at either place.
        let apart = u64::from(!self.within.meets(&next.within));
        let begun = next.begun(self.gap) - apart;
        let counts = self.counts.saturating_add(begun);
        let at_once = match overlaps {
            true => self.at_once.saturating_add(begun),
            false => self.at_once.max(next.at_once),
        };
        let within = self.within.or(&next.within);
        let (goes_on, behind) = match (overlaps, next.is_nullable) {
            // The first may be longer, by any part of what is behind it.
            (true, _) => {
                let behind = self.behind.or(&next.within);
                (behind.clone(), behind)
            }
            (false, true) => (next.goes_on.or(&self.goes_on).or(&next.first), self.behind.or(&next.within)),
            (false, false) => (next.goes_on, next.behind),
        };
        let first = if self.is_nullable { self.first.or(&next.first) } else { self.first };
        let letters = self.letters.zip(next.letters).map(|(own, next)| own.saturating_add(next));
        let (before, tail_before) = self.tail;
        let (gap, tail) = match next.letters {
            Some(0) => (self.gap, (before, tail_before)),
            // Of two such texts one over the other some letter would be of both ends.
            Some(own) if before > 0 && !tail_before.meets(&next.within) => {
                (before.saturating_add(own), (before.saturating_add(own), tail_before.or(&next.within)))
            }
            Some(_) => (self.gap.max(next.gap), next.tail),
            None => (next.gap, next.tail),
        };
        Shape {
            first,
            goes_on,
            behind,
            within,
            is_nullable: self.is_nullable && next.is_nullable,
            letters,
            tail,
            is_counted: self.is_counted || next.is_counted,
            gap,
            counts,
            at_once,
        }
    }

    fn or(self, other: Shape) -> Shape {
        let begins_alike = self.first.meets(&other.first);
        let within = self.within.or(&other.within);
        let (mut goes_on, mut behind) = (self.goes_on.or(&other.goes_on), self.behind.or(&other.behind));
        // Where one has ended another that began alike may go on.
        if begins_alike {
            (goes_on, behind) = (within.clone(), within.clone());
        }
        for (empty, longer) in [(self.is_nullable, &other.first), (other.is_nullable, &self.first)] {
            if empty {
                (goes_on, behind) = (goes_on.or(longer), within.clone());
            }
        }
        // Without counts they are places of the expression, however many: its letters tell them apart.
        let is_sum = self.is_counted && other.is_counted;
        let both = |one: u64, other: u64, is_sum| if is_sum { one.saturating_add(other) } else { one.max(other) };
        Shape {
            first: self.first.or(&other.first),
            goes_on,
            behind,
            within,
            is_nullable: self.is_nullable || other.is_nullable,
            letters: self.letters.filter(|letters| other.letters == Some(*letters)),
            tail: (0, Letters::none()),
            is_counted: self.is_counted || other.is_counted,
            gap: 1,
            counts: both(self.counts, other.counts, is_sum),
            at_once: both(self.at_once, other.at_once, is_sum && begins_alike),
        }
    }
}

/// Of a byte that is in a text several times it may have begun at each of these places: how many those are of the most frequent.
fn repeated_letters(text: &[u8]) -> u64 {
    let mut times = [0; 256];
    for byte in text {
        times[usize::from(*byte)] += 1;
    }
    times.into_iter().max().unwrap_or_default().max(1)
}

/// The least distance at which a text stands a second time, be it over itself (Knuth, Morris and Pratt's failure function).
fn period(text: &[char]) -> u64 {
    let mut borders = vec![0; text.len()];
    for end in 1..text.len() {
        let mut border = borders[end - 1];
        while border > 0 && text[border] != text[end] {
            border = borders[border - 1];
        }
        borders[end] = border + usize::from(text[border] == text[end]);
    }
    (text.len() - borders.last().copied().unwrap_or_default()).max(1) as u64
}
