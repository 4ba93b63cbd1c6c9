//! Characters that may stand at a place.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange};

use super::counts::Split;

/// The most ranges of letters that are told apart. Those of all scripts (`\p{L}`) are some 700.
const RANGES_MAX: usize = 1024;

/// Characters of a range that are looked at.
const SHOWN_MAX: usize = 256;

const ASCII: (char, char) = ('\0', '\x7f');
const FOREIGN: (char, char) = ('\u{80}', char::MAX);

/// Any of these characters.
#[derive(Clone)]
pub(super) struct Letters(ClassUnicode);

impl Letters {
    pub(super) fn none() -> Letters {
        Letters(ClassUnicode::empty())
    }

    pub(super) fn all() -> Letters {
        Letters(ClassUnicode::new([ClassUnicodeRange::new('\0', char::MAX)]))
    }

    pub(super) fn spelled(letters: impl Iterator<Item = char>) -> Letters {
        Letters(ClassUnicode::new(letters.map(|letter| ClassUnicodeRange::new(letter, letter)))).bounded()
    }

    pub(super) fn of(class: &Class) -> Letters {
        match class {
            Class::Unicode(class) => Letters(class.clone()).bounded(),
            Class::Bytes(class) => class.to_unicode_class().map_or_else(Letters::all, Letters),
        }
    }

    /// Where there are more ranges than can be gone through for each part of an expression, some of what is between them is taken for letters too.
    fn bounded(self) -> Letters {
        let mut letters = self;
        let mut gap = 1;
        while letters.0.ranges().len() > RANGES_MAX {
            gap *= 2;
            let mut wider: Vec<ClassUnicodeRange> = Vec::new();
            for range in letters.0.ranges() {
                match wider.last_mut() {
                    Some(last) if !range.start().is_ascii() && range.start() as u32 - last.end() as u32 <= gap => {
                        *last = ClassUnicodeRange::new(last.start(), range.end());
                    }
                    _ => wider.push(*range),
                }
            }
            letters = Letters(ClassUnicode::new(wider));
        }
        letters
    }

    /// What a count of such letters takes beside one of ASCII's: after each the library stands within the bytes of many others, which are other counts. Measured as the
    /// library's fuel for masks of 65,000 and 128,000 tokens: 70 to 400 for each count of a script's letters, 670 to 2,500 for any characters, 3,000 for those of several
    /// scripts and 7,000 to 12,600 for all letters.
    pub(super) fn weight(&self) -> u64 {
        let ranges = self.0.ranges();
        let characters: usize = ranges.iter().map(ClassUnicodeRange::len).sum();
        match (ranges.len(), characters) {
            (200.., _) => 10,
            (50.., _) => 3,
            (_, 100_000..) => 2,
            _ => 1,
        }
    }

    pub(super) fn or(mut self, other: &Letters) -> Letters {
        self.0.union(&other.0);
        self.bounded()
    }

    pub(super) fn meets(&self, other: &Letters) -> bool {
        let (mut left, mut right) = (self.0.ranges().iter(), other.0.ranges().iter());
        let (mut one, mut two) = (left.next(), right.next());
        while let (Some(first), Some(second)) = (one, two) {
            if first.end() < second.start() {
                one = left.next();
            } else if second.end() < first.start() {
                two = right.next();
            } else {
                return true;
            }
        }
        false
    }

    /// How counts weigh that begin beside these of the letters of `others`, where words are made of some and of others besides. Digits, spaces, signs and capitals are
    /// seldom, and letters of other scripts beside ASCII's: few counts begin beside them alone, and few are missing where they alone are left out.
    pub(super) fn split(&self, others: &Letters) -> Split {
        let (mut among, mut besides) = (others.0.clone(), others.0.clone());
        among.intersect(&self.0);
        besides.difference(&self.0);
        let (among, besides) = (Letters(among), Letters(besides));
        let script = match (among.has(1, ASCII, is_small), among.has(2, FOREIGN, is_small)) {
            (true, _) => ASCII,
            (false, true) => FOREIGN,
            (false, false) => return Split::None,
        };
        // Of a letter here and one there hardly a word is made.
        let least_besides = if among.has(2, ASCII, is_small) { 1 } else { 2 };
        if besides.has(least_besides, ASCII, is_small) || script == FOREIGN && besides.has(2, FOREIGN, is_small) {
            Split::Small
        } else if besides.has(2, script, char::is_alphabetic) {
            Split::Capitals
        } else {
            Split::None
        }
    }

    /// Whether there are letters that are often in words.
    pub(super) fn has_words(&self) -> bool {
        self.has(1, ASCII, is_small) || self.has(2, FOREIGN, is_small)
    }

    /// Whether there are so many such characters between these.
    fn has(&self, count: usize, (first, last): (char, char), is_such: fn(char) -> bool) -> bool {
        let within = self.0.ranges().iter().filter(|range| range.start() <= last && range.end() >= first);
        // Of a range of scripts as many as show of what they are.
        let shown = |range: &ClassUnicodeRange| {
            let (first, last) = (range.start().max(first), range.end().min(last));
            (first..=last).step_by((last as usize - first as usize) / SHOWN_MAX + 1)
        };
        within.flat_map(shown).filter(|character| is_such(*character)).nth(count - 1).is_some()
    }
}

fn is_small(character: char) -> bool {
    character.is_alphabetic() && !character.is_uppercase()
}
