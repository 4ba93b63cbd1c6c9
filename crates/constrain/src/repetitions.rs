//! How many counts an expression keeps at a time. `([a-z]{1,50} ?){1,50}` may read `abc` as one round of three letters, as three of one, and in each way
//! between: of each the library keeps how many letters and how many rounds may follow, and what it spends on a step grows with them.

use regex_syntax::Parser;
use regex_syntax::hir::{Class, Hir, HirKind, Repetition};

/// The most counts at a time. With 900 a step takes some milliseconds; with 2,500 the library gives up in the middle of an answer.
const COUNTS_MAX: u64 = 1000;

/// Whether the expression keeps so few counts that a step is short.
///
/// # Errors
/// It does not; the text goes on behind what names the expression.
pub(crate) fn check(pattern: &str, from_anywhere: bool) -> Result<(), String> {
    let counts = counts_at_once(pattern, from_anywhere);
    if counts <= COUNTS_MAX {
        return Ok(());
    }
    Err(format!(
        "repeats up to a number of times what does not show where it ends, in more ways than {COUNTS_MAX} at a time ({counts}): repeat with `+` or `*`, or put a sign between"
    ))
}

/// How many counts the expression keeps at a time, at the most, when it has to match from a text's beginning or from anywhere on. Of what cannot be read that
/// is 1: the library says what is wrong with it.
fn counts_at_once(pattern: &str, from_anywhere: bool) -> u64 {
    let Ok(tree) = Parser::new().parse(pattern) else { return 1 };
    let shape = Shape::of(&tree);
    if from_anywhere { shape.counts } else { shape.at_once }
}

/// What is known of the texts that match an expression.
#[derive(Clone, Copy)]
struct Shape {
    /// What they begin with.
    first: Letters,
    /// What may stand behind a text that matches in a longer one that does.
    goes_on: Letters,
    /// All that is in them.
    within: Letters,
    is_nullable: bool,
    /// How many counts there are where it may have begun at any letter before.
    counts: u64,
    /// How many there are at a time where it began at one letter.
    at_once: u64,
}

/// ASCII, each by itself, and all others together.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Letters {
    ascii: u128,
    others: bool,
}

impl Shape {
    const EMPTY: Shape = Shape {
        first: Letters::NONE,
        goes_on: Letters::NONE,
        within: Letters::NONE,
        is_nullable: true,
        counts: 1,
        at_once: 1,
    };

    /// Expressions stand one in the other no deeper than the parser allows.
    fn of(tree: &Hir) -> Shape {
        match tree.kind() {
            HirKind::Empty | HirKind::Look(_) => Shape::EMPTY,
            HirKind::Literal(literal) => Shape::text(Letters::spelled(&literal.0[..1]), Letters::spelled(&literal.0)),
            HirKind::Class(class) => Shape::text(Letters::of(class), Letters::of(class)),
            HirKind::Capture(capture) => Shape::of(&capture.sub),
            HirKind::Repetition(repetition) => Shape::of(&repetition.sub).repeated(repetition),
            HirKind::Concat(parts) => parts.iter().map(Shape::of).fold(Shape::EMPTY, Shape::then),
            HirKind::Alternation(ways) => ways.iter().map(Shape::of).reduce(Shape::or).unwrap_or(Shape::EMPTY),
        }
    }

    fn text(first: Letters, within: Letters) -> Shape {
        Shape { first, within, is_nullable: false, ..Shape::EMPTY }
    }

    fn repeated(self, Repetition { min, max, .. }: &Repetition) -> Shape {
        let rounds = u64::from(max.unwrap_or(*min).max(1));
        let counts = self.counts.saturating_mul(rounds);
        // A round may begin where the one before goes on.
        let overlaps = self.is_nullable || self.goes_on.meets(self.first);
        let is_exact = *max == Some(*min) && !self.is_nullable;
        let next_round = if is_exact { Letters::NONE } else { self.first };
        let begun_before = if overlaps { self.within } else { Letters::NONE };
        Shape {
            goes_on: self.goes_on.or(next_round).or(begun_before),
            is_nullable: self.is_nullable || *min == 0,
            counts,
            at_once: if overlaps && *max != Some(1) { counts } else { self.at_once },
            ..self
        }
    }

    fn then(self, next: Shape) -> Shape {
        let overlaps = self.goes_on.meets(next.first);
        let within = self.within.or(next.within);
        let behind = match (overlaps, next.is_nullable) {
            (true, _) => within,
            (false, true) => self.goes_on.or(next.first),
            (false, false) => Letters::NONE,
        };
        Shape {
            first: if self.is_nullable { self.first.or(next.first) } else { self.first },
            goes_on: next.goes_on.or(behind),
            within,
            is_nullable: self.is_nullable && next.is_nullable,
            counts: self.counts.saturating_add(next.counts - 1),
            at_once: match overlaps {
                true => self.at_once.saturating_add(next.counts - 1),
                false => self.at_once.max(next.at_once),
            },
        }
    }

    fn or(self, other: Shape) -> Shape {
        let within = self.within.or(other.within);
        // Where one has ended another that began alike may go on.
        let begins_alike = if self.first.meets(other.first) { within } else { Letters::NONE };
        let goes_on = self.goes_on.or(other.goes_on).or(begins_alike);
        let empty_before = |one: Shape, letters| if one.is_nullable { letters } else { Letters::NONE };
        Shape {
            first: self.first.or(other.first),
            goes_on: goes_on.or(empty_before(self, other.first)).or(empty_before(other, self.first)),
            within,
            is_nullable: self.is_nullable || other.is_nullable,
            counts: self.counts.saturating_add(other.counts - 1),
            at_once: self.at_once.saturating_add(other.at_once - 1),
        }
    }
}

impl Letters {
    const NONE: Letters = Letters { ascii: 0, others: false };

    fn spelled(bytes: &[u8]) -> Letters {
        let letter = |byte: &u8| match byte.is_ascii() {
            true => Letters { ascii: 1_u128 << *byte, others: false },
            false => Letters { ascii: 0, others: true },
        };
        bytes.iter().map(letter).fold(Letters::NONE, Letters::or)
    }

    fn of(class: &Class) -> Letters {
        let range = |first: u32, last: u32| {
            let ascii = (first..=last.min(127)).fold(0, |ascii, letter| ascii | 1_u128 << letter);
            Letters { ascii, others: last > 127 }
        };
        match class {
            Class::Unicode(class) => class
                .ranges()
                .iter()
                .map(|letters| range(letters.start().into(), letters.end().into()))
                .fold(Letters::NONE, Letters::or),
            Class::Bytes(class) => class
                .ranges()
                .iter()
                .map(|letters| range(letters.start().into(), letters.end().into()))
                .fold(Letters::NONE, Letters::or),
        }
    }

    fn or(self, other: Letters) -> Letters {
        Letters { ascii: self.ascii | other.ascii, others: self.others || other.others }
    }

    fn meets(self, other: Letters) -> bool {
        self.ascii & other.ascii != 0 || self.others && other.others
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worked out by hand: rounds times what each keeps, where one may begin while the one before goes on.
    #[test]
    fn counts_that_are_kept_at_a_time() {
        for (pattern, expected) in [
            ("", 1),
            ("abc", 1),
            ("[a-z]{1,5000}", 1),
            ("(\\d{3}){100}", 1),
            ("([a-z]{1,63}\\.){1,127}", 1),
            ("(([a-z]{1,20} ){1,20}\n){1,20}", 1),
            ("([a-z]+ ?){1,100}", 100),
            ("([a-z]{1,30} ?){1,30}", 900),
            ("([a-z]{1,50}){1,50}", 2500),
            ("([a-z]{1,50})+", 50),
            ("(([a-z]{1,10}){1,10}x?){1,10}", 1000),
            ("((ab?){1,30}){1,30}", 900),
            ("(a?){100}a{100}", 199),
            ("[a-z]{2,30}[a-z0-9]{0,30}", 30),
            ("([^\"]{0,50}, ){0,50}", 2500),
            ("((a|ab){1,40}b){1,40}", 1600),
            ("((é|è){1,9}(cat|dog){2,9} ?){1,4}", 1),
            ("((é|è){1,9}(cat|dog){2,9}e?){1,4}", 1),
            ("(.{1,9}(cat|dog){2,9} ?){1,4}", 4 * 17),
            ("(a|[b-d]{0,7})*", 7),
            ("([ab]{1,50}b){1,2}", 100),
        ] {
            assert_eq!(counts_at_once(pattern, false), expected, "{pattern}");
        }
        assert_eq!(counts_at_once("[a-z]{1,50}", true), 50, "it may begin at each letter");
        assert_eq!(counts_at_once("(", false), 1, "it cannot be read");
        let nested = (0..30).fold("a".to_owned(), |inner, _| format!("({inner}){{1,99}}"));
        assert_eq!(counts_at_once(&nested, false), u64::MAX);
    }
}
