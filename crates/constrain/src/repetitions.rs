//! How many counts an expression keeps at a time. `([a-z]{1,50} ?){1,50}` may read `abc` as one round of three letters, as three of one, and in each way
//! between: of each the library keeps how many letters and how many rounds may follow, and what it spends on a step grows with them.

use regex_syntax::Parser;
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look, Repetition};

/// The most counts at a time. With a vocabulary of some hundred words and 900 a step takes some milliseconds; with 2,500 the library gives up in the middle of an
/// answer. With one of 65,000 words it does with some 500 of `[a-z]` already, and with 100 of `\p{L}`: each is as many states as a letter has bytes.
const COUNTS_MAX: u64 = 1000;

/// The most places of an expression whose letters are compared.
const PLACES_MAX: usize = 2000;

/// Whether the expression keeps so few counts that a step is short.
///
/// # Errors
/// It does not; the text goes on behind what names the expression.
pub(crate) fn check(pattern: &str, within_others: bool) -> Result<(), String> {
    let counts = counts_at_once(pattern, within_others);
    if counts <= COUNTS_MAX {
        return Ok(());
    }
    Err(format!(
        "repeats up to a number of times what does not show where it ends, in more ways than {COUNTS_MAX} at a time ({counts}): repeat with `+` or `*`, or put a sign between"
    ))
}

/// How many counts the expression keeps at a time, at the most, when it has to match a whole text, or within a text. Of what cannot be read that is 1:
/// the library says what is wrong with it.
fn counts_at_once(pattern: &str, within_others: bool) -> u64 {
    let Ok(tree) = Parser::new().parse(pattern) else { return 1 };
    if places(&tree) > PLACES_MAX {
        return most_counts(&tree);
    }
    let [begins, ends] = [tree.properties().look_set_prefix(), tree.properties().look_set_suffix()];
    let is_open = within_others && !ends.contains(Look::End);
    let shape = if is_open { Shape::of_open(&tree) } else { Shape::of(&tree) };
    if within_others && !begins.contains(Look::Start) { shape.counts } else { shape.at_once }
}

/// Of an expression, how many others it is made of. They stand one in the other no deeper than the parser allows.
fn places(tree: &Hir) -> usize {
    tree.kind().subs().iter().map(places).sum::<usize>().saturating_add(1)
}

/// [`Shape::counts`] or more, whatever the letters are.
fn most_counts(tree: &Hir) -> u64 {
    let within = tree.kind().subs().iter().map(most_counts).fold(0_u64, u64::saturating_add).max(1);
    match tree.kind() {
        HirKind::Repetition(repetition) => within.saturating_mul(rounds(repetition)),
        HirKind::Literal(literal) => repeated_letters(&literal.0),
        _ => within,
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

/// How many rounds are told apart.
fn rounds(Repetition { min, max, .. }: &Repetition) -> u64 {
    u64::from(max.unwrap_or(*min).max(1))
}

/// What is known of the texts that match an expression.
#[derive(Clone)]
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

/// Any of these characters.
#[derive(Clone)]
struct Letters(ClassUnicode);

impl Shape {
    fn empty() -> Shape {
        let none = Letters::none;
        Shape { first: none(), goes_on: none(), within: none(), is_nullable: true, counts: 1, at_once: 1 }
    }

    fn of(tree: &Hir) -> Shape {
        let shape = match tree.kind() {
            HirKind::Empty | HirKind::Look(_) => Shape::empty(),
            HirKind::Literal(literal) => Shape::literal(&literal.0),
            HirKind::Class(class) => Shape::text(Letters::of(class), Letters::of(class)),
            HirKind::Capture(capture) => Shape::of(&capture.sub),
            HirKind::Repetition(repetition) => Shape::of(&repetition.sub).repeated(repetition),
            HirKind::Concat(parts) => Shape::joined(parts.iter().map(Shape::of)),
            HirKind::Alternation(ways) => ways.iter().map(Shape::of).reduce(Shape::or).unwrap_or_else(Shape::empty),
        };
        let lengths = [tree.properties().minimum_len(), tree.properties().maximum_len()];
        match lengths[0].is_some() && lengths[0] == lengths[1] {
            // No text is another's beginning.
            true => Shape { goes_on: Letters::none(), ..shape },
            false => shape,
        }
    }

    /// Where anything may follow: no more rounds are looked for at the end than there have to be.
    fn of_open(tree: &Hir) -> Shape {
        match tree.kind() {
            HirKind::Capture(capture) => Shape::of_open(&capture.sub),
            HirKind::Repetition(repetition) => {
                let max = Some(repetition.min.max(1));
                Shape::of(&repetition.sub).repeated(&Repetition { max, ..repetition.clone() })
            }
            HirKind::Concat(parts) => {
                let (before, last) = parts.split_at(parts.len().saturating_sub(1));
                Shape::joined(before.iter().map(Shape::of).chain(last.iter().map(Shape::of_open)))
            }
            _ => Shape::of(tree),
        }
    }

    fn joined(parts: impl Iterator<Item = Shape>) -> Shape {
        parts.reduce(Shape::then).unwrap_or_else(Shape::empty)
    }

    fn literal(bytes: &[u8]) -> Shape {
        let counts = repeated_letters(bytes);
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Shape { counts, ..Shape::text(Letters::all(), Letters::all()) };
        };
        let first = Letters::spelled(text.chars().take(1));
        Shape { counts, ..Shape::text(first, Letters::spelled(text.chars())) }
    }

    fn text(first: Letters, within: Letters) -> Shape {
        Shape { first, within, is_nullable: false, ..Shape::empty() }
    }

    fn repeated(self, repetition: &Repetition) -> Shape {
        let Repetition { min, max, .. } = repetition;
        let counts = self.counts.saturating_mul(rounds(repetition));
        // A round may begin where the one before goes on.
        let overlaps = self.is_nullable || self.goes_on.meets(&self.first);
        let is_exact = *max == Some(*min) && !self.is_nullable;
        let mut goes_on = self.goes_on;
        if !is_exact {
            goes_on = goes_on.or(&self.first);
        }
        if overlaps {
            goes_on = goes_on.or(&self.within);
        }
        let at_once = if overlaps && *max != Some(1) { counts } else { self.at_once };
        Shape { goes_on, is_nullable: self.is_nullable || *min == 0, counts, at_once, ..self }
    }

    fn then(self, next: Shape) -> Shape {
        let overlaps = self.goes_on.meets(&next.first);
        // What is in both may be at either place.
        let apart = u64::from(!self.within.meets(&next.within));
        let counts = self.counts.saturating_add(next.counts - apart);
        let at_once = match overlaps {
            true => self.at_once.saturating_add(next.counts - apart),
            false => self.at_once.max(next.at_once),
        };
        let within = self.within.or(&next.within);
        let goes_on = match (overlaps, next.is_nullable) {
            (true, _) => within.clone(),
            (false, true) => next.goes_on.or(&self.goes_on).or(&next.first),
            (false, false) => next.goes_on,
        };
        let first = if self.is_nullable { self.first.or(&next.first) } else { self.first };
        Shape { first, goes_on, within, is_nullable: self.is_nullable && next.is_nullable, counts, at_once }
    }

    fn or(self, other: Shape) -> Shape {
        let within = self.within.or(&other.within);
        let mut goes_on = self.goes_on.or(&other.goes_on);
        // Where one has ended another that began alike may go on.
        if self.first.meets(&other.first) {
            goes_on = within.clone();
        }
        for (empty, longer) in [(self.is_nullable, &other.first), (other.is_nullable, &self.first)] {
            if empty {
                goes_on = goes_on.or(longer);
            }
        }
        Shape {
            first: self.first.or(&other.first),
            goes_on,
            within,
            is_nullable: self.is_nullable || other.is_nullable,
            counts: self.counts.saturating_add(other.counts - 1),
            at_once: self.at_once.saturating_add(other.at_once - 1),
        }
    }
}

impl Letters {
    fn none() -> Letters {
        Letters(ClassUnicode::empty())
    }

    fn all() -> Letters {
        Letters(ClassUnicode::new([ClassUnicodeRange::new('\0', char::MAX)]))
    }

    fn spelled(letters: impl Iterator<Item = char>) -> Letters {
        Letters(ClassUnicode::new(letters.map(|letter| ClassUnicodeRange::new(letter, letter))))
    }

    fn of(class: &Class) -> Letters {
        match class {
            Class::Unicode(class) => Letters(class.clone()),
            Class::Bytes(class) => class.to_unicode_class().map_or_else(Letters::all, Letters),
        }
    }

    fn or(mut self, other: &Letters) -> Letters {
        self.0.union(&other.0);
        self
    }

    fn meets(&self, other: &Letters) -> bool {
        let mut both = self.0.clone();
        both.intersect(&other.0);
        !both.ranges().is_empty()
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
            ("(([a-z]{1,9}){1,9}x?){1,9}", 9 * 82),
            ("((ab?){1,30}){1,30}", 900),
            ("(a?){100}a{100}", 200),
            ("[a-z]{2,30}[a-z0-9]{0,30}", 31),
            ("([^\"]{0,50}, ){0,50}", 51 * 50),
            ("((a|ab){1,40}b){1,40}", 41 * 40),
            ("((é|è){1,9}(cat|dog){2,9} ?){1,4}", 1),
            ("((é|è){1,9}(cat|dog){2,9}e?){1,4}", 1),
            ("(.{1,9}(cat|dog){2,9} ?){1,4}", 4 * 19),
            ("(a|[b-d]{0,7})*", 7),
            ("([ab]{1,50}b){1,2}", 102),
            ("([a-z]?[a-z]?[a-z]?){1,50}", 150),
            ("\\S{1,30}(\\s\\S{1,30}){0,39}", 1),
            ("([^。]{1,80}。){1,20}", 1),
            ("(cat|car|dog){1,2000}", 1),
            ("(\\d{1,3}(,\\d{3}){0,9} ){1,60}", 1),
            ("banana([a-z]{0,5}n){1,2}", 12),
        ] {
            assert_eq!(counts_at_once(pattern, false), expected, "{pattern}");
        }
        for (pattern, expected) in [
            ("[a-z]{1,50}$", 50),
            ("[a-z]{7,5000}", 7),
            ("x(.{1,5000})", 2),
            ("^[a-z]{1,50}", 1),
            ("(^[a-z]{1,50}$)", 1),
            ("^$|[a-z]{1,50}!", 50),
            ("^x|^[a-z]{1,50}$", 1),
        ] {
            assert_eq!(counts_at_once(pattern, true), expected, "{pattern} within others");
        }
        assert_eq!(counts_at_once("(", false), 1, "it cannot be read");
        let nested = (0..30).fold("a".to_owned(), |inner, _| format!("({inner}){{1,99}}"));
        assert_eq!(counts_at_once(&nested, false), u64::MAX);
        let long = |part: &str, end: &str| format!("({}{end}){{1,9}}", part.repeat(PLACES_MAX));
        assert_eq!(
            counts_at_once(&long("[ab]c", ""), false),
            9 * 2 * PLACES_MAX as u64,
            "it is too long to be looked at"
        );
        assert_eq!(counts_at_once(&long("ab", "c?"), false), 1, "it is one literal");
    }
}
