//! Characters that no string is written with: JSON has them by `\u` alone (`super`).

use std::convert::Infallible;
use std::ops::Range;

use regex_syntax::ast::{self, Ast, Visitor, parse::Parser};
use regex_syntax::hir::{HirKind, translate::Translator};

/// Matches nothing.
const NOTHING: &str = r"[^\x00-\x{10FFFF}]";

/// Whether a string may have the character, raw or by a short escape.
pub(crate) fn is_written(character: char) -> bool {
    !character.is_ascii_control() || matches!(character, '\n' | '\r' | '\t' | '\u{8}' | '\u{c}')
}

/// The pattern with what matches nothing in place of each character that is not written. In the strings that the library makes of a pattern it leaves such a character out, and keeps what stands
/// beside it, though not of a class that has others as well. `None` where there is none, or the pattern cannot be read.
pub(super) fn without(pattern: &str) -> Option<String> {
    // All that names such a character has an escape, or is one.
    if !pattern.contains(|letter: char| letter == '\\' || !is_written(letter)) {
        return None;
    }
    let tree = Parser::new().parse(pattern).ok()?;
    let Ok(places) = ast::visit(&tree, Places { pattern, found: Vec::new() });
    let last = places.last()?.end;
    let mut written = String::with_capacity(pattern.len() + places.len() * NOTHING.len());
    let mut copied = 0;
    for place in places {
        written.extend([&pattern[copied..place.start], NOTHING]);
        copied = place.end;
    }
    Some(written + &pattern[last..])
}

/// Where such characters stand in a pattern, in its order.
struct Places<'a> {
    pattern: &'a str,
    found: Vec<Range<usize>>,
}

impl Visitor for Places<'_> {
    type Output = Vec<Range<usize>>;
    type Err = Infallible;

    fn finish(self) -> Result<Self::Output, Infallible> {
        Ok(self.found)
    }

    fn visit_pre(&mut self, tree: &Ast) -> Result<(), Infallible> {
        let span = tree.span().start.offset..tree.span().end.offset;
        let is_unwritten = match tree {
            Ast::Literal(literal) => !is_written(literal.c),
            Ast::ClassBracketed(_) => self.is_one(tree, &self.pattern[span.clone()]),
            _ => false,
        };
        if is_unwritten {
            self.found.push(span);
        }
        Ok(())
    }
}

impl Places<'_> {
    /// Whether a class is of one such character.
    fn is_one(&self, class: &Ast, text: &str) -> bool {
        if !text.contains(|letter: char| letter == '\\' || !is_written(letter)) {
            return false;
        }
        let read = Translator::new().translate(self.pattern, class);
        read.is_ok_and(|class| match class.kind() {
            HirKind::Literal(literal) => matches!(*literal.0, [byte] if !is_written(char::from(byte))),
            _ => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn characters_that_are_not_written_match_nothing() {
        for (pattern, expected) in [
            (r"a\x01b", r"a[^\x00-\x{10FFFF}]b"),
            (
                r"a(\v|[\x01]|[\x01\x02])*\x7F",
                r"a([^\x00-\x{10FFFF}]|[^\x00-\x{10FFFF}]|[\x01\x02])*[^\x00-\x{10FFFF}]",
            ),
            ("é\u{1}é", r"é[^\x00-\x{10FFFF}]é"),
        ] {
            assert_eq!(without(pattern).as_deref(), Some(expected), "{pattern}");
        }
        for pattern in ["abc", r"\n\t\f\r[\x08]\\x01", r"[^\x00]", r"\d[\p{L}\s]", r"(\x01"] {
            assert_eq!(without(pattern), None, "{pattern}");
        }
    }
}
