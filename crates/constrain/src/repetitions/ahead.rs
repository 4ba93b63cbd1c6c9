//! How many counts an expression keeps, told before it has a thread that may be busy: in a time that goes with its bytes, or not at all.

use std::collections::HashSet;

use regex_syntax::Parser;
use regex_syntax::ast::{self, Ast, Flag, FlagsItemKind, GroupKind, RepetitionKind, RepetitionRange};
use regex_syntax::hir::{Class, Hir, HirKind, Look};

use super::{COUNTS_MAX, counts_at_once, heaviest, parts, parts_of};

/// Expressions that count no more than this by [`bound`] are taken for as many where a closer look takes long.
const FEW: u64 = 50;
/// Classes of hundreds of ranges in an expression. Each takes tens of microseconds, and where letters of both cases are meant a millisecond.
const LARGE_CLASSES_MAX: usize = 8;
/// Parts times their ranges of letters that are gone through for a form: a millisecond or two.
const WORK_MAX: usize = 100_000;
/// What an expression of few counts takes to be read, in the same unit.
const READING: usize = 100;
/// No more ranges are told apart of ASCII's letters.
const ASCII_RANGES: usize = 64;

/// How many counts the expressions of a form keep at a time together.
#[derive(Debug, Default)]
pub(crate) struct Ahead {
    counts: u64,
    /// Expressions that keep several, be each of them light.
    several: u64,
    /// What there was, and whether it was within others: what is written twice is kept once.
    seen: HashSet<(String, bool)>,
    work: usize,
    /// The same for expressions of few counts, of which a form may have many.
    work_of_few: usize,
    /// Whether a text may have to match several.
    may_meet: bool,
    /// Whether one of them takes too long to tell.
    is_unknown: bool,
}

/// How many counts are kept, and whether they are several or only weighted as such.
type Kept = (u64, bool);

impl Ahead {
    /// An expression more. What cannot be read is refused elsewhere.
    pub(crate) fn add(&mut self, pattern: &str, within_others: bool) {
        self.add_readable(pattern, within_others);
    }

    /// The same, of one that may stand where nothing refuses it.
    pub(crate) fn add_or_unknown(&mut self, pattern: &str) {
        self.is_unknown |= !self.add_readable(pattern, false);
    }

    /// No fewer counts than an expression keeps, whatever is beside it; `None`: it cannot be read.
    pub(crate) fn bound_of(pattern: &str) -> Option<u64> {
        let written = ast::parse::Parser::new().parse(pattern).ok()?;
        Some(bound(&written, pattern))
    }

    /// What may keep so many counts and is looked at no closer.
    pub(crate) fn add_bound(&mut self, bound: u64) {
        self.keep(Some((bound, bound > 1)));
    }

    /// What repeats in a way that is not told from expressions.
    pub(crate) fn add_unknown(&mut self) {
        self.is_unknown = true;
    }

    /// That a text may have to match several of the expressions: each of one's counts may meet each of another's.
    pub(crate) fn add_meeting(&mut self) {
        self.may_meet = true;
    }

    /// As many as there may be where that is not known. `weight`: so many times as much where there are several that meet.
    pub(crate) fn counts(&self, weight: u64) -> u64 {
        let weight = if self.several > 1 && self.may_meet { weight } else { 1 };
        if self.is_unknown { COUNTS_MAX } else { self.counts.saturating_mul(weight).min(COUNTS_MAX) }
    }

    /// Whether it can be read.
    fn add_readable(&mut self, pattern: &str, within_others: bool) -> bool {
        if self.is_unknown || !self.seen.insert((pattern.to_owned(), within_others)) {
            return true;
        }
        let Ok(written) = ast::parse::Parser::new().parse(pattern) else { return false };
        let kept = self.counts_of(&written, pattern, within_others);
        self.keep(kept);
        true
    }

    fn keep(&mut self, kept: Option<Kept>) {
        match kept {
            Some((0 | 1, _)) => {}
            Some((counts, are_several)) => {
                self.counts = self.counts.saturating_add(counts);
                self.several += u64::from(are_several);
            }
            None => self.is_unknown = true,
        }
    }

    fn counts_of(&mut self, written: &Ast, pattern: &str, within_others: bool) -> Option<Kept> {
        let bound = bound(written, pattern);
        if bound <= 1 {
            return Some((1, false));
        }
        let few = (bound <= FEW).then_some((bound, true));
        if few.is_some() {
            self.work_of_few = self.work_of_few.saturating_add(READING);
        }
        if takes_long(written, pattern) || few.is_some() && self.work_of_few > WORK_MAX {
            return few;
        }
        let tree = Parser::new().parse(pattern).ok()?;
        if few.is_none() {
            return self.counts_of_tree(&tree, within_others);
        }
        self.counts_of_few(&tree, within_others).or(few)
    }

    fn counts_of_few(&mut self, tree: &Hir, within_others: bool) -> Option<Kept> {
        self.work_of_few = self.work_of_few.saturating_add(work(tree));
        (self.work_of_few <= WORK_MAX).then(|| kept(tree, within_others))
    }

    fn counts_of_tree(&mut self, tree: &Hir, within_others: bool) -> Option<Kept> {
        self.work = self.work.saturating_add(work(tree));
        (self.work <= WORK_MAX).then(|| kept(tree, within_others))
    }
}

fn kept(tree: &Hir, within_others: bool) -> Kept {
    let is_searched = within_others && !tree.properties().look_set_prefix().contains(Look::Start);
    let counts = counts_at_once(tree, is_searched);
    (counts, counts > heaviest(tree))
}

/// Parts times their ranges of letters.
fn work(tree: &Hir) -> usize {
    let [of_ascii, of_others] = ranges(tree);
    parts(tree).saturating_mul(of_ascii.min(ASCII_RANGES) + of_others)
}

/// Whether it has so many large classes that reading it takes long.
fn takes_long(written: &Ast, pattern: &str) -> bool {
    large_classes(written, pattern) > if folds(written) { 0 } else { LARGE_CLASSES_MAX }
}

/// No fewer than are kept, whatever shows where rounds end: each letter's weight, times the rounds around it.
fn bound(tree: &Ast, pattern: &str) -> u64 {
    let weight = match tree {
        Ast::Dot(_) => 2,
        Ast::ClassUnicode(_) | Ast::ClassPerl(_) | Ast::ClassBracketed(_) if is_large(tree, pattern) => 10,
        // `\S`, `[^a]`, `[[:^alpha:]]`.
        Ast::ClassPerl(_) | Ast::ClassBracketed(_) if is_negated(tree, pattern) => 2,
        Ast::Literal(_) | Ast::ClassUnicode(_) | Ast::ClassPerl(_) | Ast::ClassBracketed(_) => 1,
        Ast::Repetition(repetition) => rounds(&repetition.op.kind),
        _ => 1,
    };
    let within = parts_of(tree).iter().map(|part| bound(part, pattern)).fold(0, u64::saturating_add);
    within.max(1).saturating_mul(weight)
}

fn rounds(kind: &RepetitionKind) -> u64 {
    u64::from(match kind {
        RepetitionKind::Range(RepetitionRange::Exactly(rounds) | RepetitionRange::AtLeast(rounds)) => *rounds,
        RepetitionKind::Range(RepetitionRange::Bounded(_, rounds)) => *rounds,
        RepetitionKind::ZeroOrOne | RepetitionKind::ZeroOrMore | RepetitionKind::OneOrMore => 1,
    })
    .max(1)
}

/// Whether a class may have hundreds of ranges, or many letters of both cases.
fn is_large(tree: &Ast, pattern: &str) -> bool {
    let written = written(tree, pattern);
    let named = ["\\p", "\\P", "\\w", "\\W", "\\d", "\\D", "\\x", "\\u", "\\U"];
    !written.is_ascii() || named.iter().any(|name| written.contains(name))
}

/// Whether a class may be of all characters but some.
fn is_negated(tree: &Ast, pattern: &str) -> bool {
    let written = written(tree, pattern);
    written.contains('^') || written.contains("\\S")
}

fn written<'p>(tree: &Ast, pattern: &'p str) -> &'p str {
    let span = tree.span();
    pattern.get(span.start.offset..span.end.offset).unwrap_or_default()
}

fn large_classes(tree: &Ast, pattern: &str) -> usize {
    let own = matches!(tree, Ast::ClassUnicode(_) | Ast::ClassPerl(_) | Ast::ClassBracketed(_));
    let within: usize = parts_of(tree).iter().map(|part| large_classes(part, pattern)).sum();
    within + usize::from(own && is_large(tree, pattern))
}

/// Whether letters of both cases are meant somewhere.
fn folds(tree: &Ast) -> bool {
    let flags = match tree {
        Ast::Flags(set) => Some(&set.flags),
        Ast::Group(group) => match &group.kind {
            GroupKind::NonCapturing(flags) => Some(flags),
            GroupKind::CaptureIndex(_) | GroupKind::CaptureName { .. } => None,
        },
        _ => None,
    };
    let has_flag =
        |flags: &ast::Flags| flags.items.iter().any(|item| item.kind == FlagsItemKind::Flag(Flag::CaseInsensitive));
    flags.is_some_and(has_flag) || parts_of(tree).iter().any(folds)
}

/// How many ranges of letters its parts have together, of ASCII's and of others.
fn ranges(tree: &Hir) -> [usize; 2] {
    let parted = |all: usize, of_ascii: usize| [of_ascii, all - of_ascii];
    let own = match tree.kind() {
        HirKind::Class(Class::Unicode(class)) => {
            parted(class.ranges().len(), class.ranges().iter().filter(|range| range.end().is_ascii()).count())
        }
        HirKind::Class(Class::Bytes(class)) => [class.ranges().len(), 0],
        HirKind::Literal(literal) => parted(literal.0.len(), literal.0.iter().filter(|byte| byte.is_ascii()).count()),
        _ => [1, 0],
    };
    let subs = tree.kind().subs().iter().map(ranges);
    subs.fold(own, |[ascii, others], sub| [ascii.saturating_add(sub[0]), others.saturating_add(sub[1])])
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn counts(patterns: &[&str]) -> u64 {
        counts_where(patterns, false)
    }

    fn counts_where(patterns: &[&str], may_meet: bool) -> u64 {
        let mut ahead = Ahead { may_meet, ..Ahead::default() };
        patterns.iter().for_each(|pattern| ahead.add(pattern, false));
        ahead.counts(8)
    }

    #[test]
    fn counts_are_those_of_a_closer_look() {
        for (pattern, expected) in [
            ("(", 0),
            ("[a-z]{1,5000}", 0),
            ("([0-9]{3}){100}", 0),
            ("(yes|no|maybe) ?", 0),
            ("([a-z]{1,30} ?){1,49}", 1470),
            ("(?i:([a-z]{1,30} ?){1,9})", 270),
            ("(.{1,50}[.!?]\\s){1,20}", 1020),
            ("(\\p{L}{1,9} ?){1,9}", 810),
            ("([a-z]{1,99} ?){1,99}", COUNTS_MAX),
        ] {
            assert_eq!(counts(&[pattern]), expected, "{pattern}");
        }
        assert_eq!(counts(&["([a-z]{1,30} ?){1,9}", "a*", "[a-z]{1,5000}"]), 270);
        let two = ["([a-z]{1,9} ?){1,9}", "([0-9]{1,9} ?){1,9}"];
        assert_eq!([false, true].map(|may_meet| counts_where(&two, may_meet)), [2 * 81, 2 * 81 * 8]);
        assert_eq!(counts(&[two[0], two[0]]), 81, "it is kept once");
    }

    #[test]
    fn few_counts_add_up() {
        let few: Vec<String> =
            ('a'..='z').map(|letter| format!("([a-y{letter}0-9]{{1,6}} ?){{1,7}}{letter}?")).collect();
        let few: Vec<&str> = few.iter().map(String::as_str).collect();
        assert_eq!(counts(&few[..3]), 3 * 43);
        assert_eq!(counts(&few), 26 * 43);
        assert_eq!(counts_where(&few[..3], true), 8 * 3 * 43);
        // They are one count each, of letters that weigh more.
        assert_eq!(counts_where(&[".{1,9}", "\\p{L}+!", "\\S{1,20}"], true), 2 + 10 + 2);
        // More than are looked at.
        let many: Vec<String> = (0..1200).map(|number| format!("[a-z]{{1,9}}{number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(counts(&many[..500]), 0);
        assert_eq!(counts(&many), COUNTS_MAX);
        assert_eq!(counts(&[many.as_slice(), &["([a-z]{1,30} ?){1,9}"]].concat()[700..]), 270);
    }

    /// Others' tokens wait for the thread that reads a small request.
    #[test]
    fn what_would_take_long_is_taken_for_the_costliest() {
        let began = Instant::now();
        for pattern in [
            "\\p{L}?".repeat(400),
            format!("(?i:{})", "\\p{L}?".repeat(400)),
            format!("(?i){}", "[\\x00-\\x{10FFFF}]?".repeat(100)),
            "[a-cx-z\\s,.!?]?".repeat(700),
        ] {
            assert_eq!(counts(&[&pattern]), COUNTS_MAX, "{}", &pattern[..20]);
        }
        assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    }
}
