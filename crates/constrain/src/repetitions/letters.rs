//! Characters that may stand at a place.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange};

/// The most ranges of letters that are told apart. Those of all scripts (`\p{L}`) are some 700.
const RANGES_MAX: usize = 1024;

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
}
