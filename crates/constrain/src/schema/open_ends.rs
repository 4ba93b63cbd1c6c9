//! Patterns that are searched for in a string: before and behind them anything may stand.

use std::ops::Range;

use regex_syntax::ast::{Ast, RepetitionKind, RepetitionRange, parse::Parser};

/// Which ends of a part are those of the pattern.
#[derive(Clone, Copy)]
struct Ends {
    is_first: bool,
    is_last: bool,
}

/// The pattern with no more rounds at open ends than there have to be: a string has `x{2,50}` somewhere where it has `x{2}`, and nothing is counted beyond that.
/// What cannot be read stays as it is.
pub(super) fn cut(pattern: &str) -> String {
    let Ok(tree) = Parser::new().parse(pattern) else { return pattern.to_owned() };
    let mut cuts = Vec::new();
    collect(&tree, Ends { is_first: true, is_last: true }, &mut cuts);
    let mut written = String::with_capacity(pattern.len());
    let mut copied = 0;
    for (place, rounds) in cuts {
        written.extend([&pattern[copied..place.start], &format!("{{{rounds}}}")]);
        copied = place.end;
    }
    written + &pattern[copied..]
}

/// Where a number of rounds is written that can be the least, and how many those are.
fn collect(tree: &Ast, ends: Ends, cuts: &mut Vec<(Range<usize>, u32)>) {
    match tree {
        Ast::Group(group) => collect(&group.ast, ends, cuts),
        Ast::Alternation(ways) => ways.asts.iter().for_each(|way| collect(way, ends, cuts)),
        Ast::Concat(parts) => {
            let last = parts.asts.len().saturating_sub(1);
            for (number, part) in parts.asts.iter().enumerate().filter(|(number, _)| *number == 0 || *number == last) {
                let (is_first, is_last) = (ends.is_first && number == 0, ends.is_last && number == last);
                if is_first || is_last {
                    collect(part, Ends { is_first, is_last }, cuts);
                }
            }
        }
        Ast::Repetition(repetition) if !has_assertion(&repetition.ast) => {
            if let RepetitionKind::Range(RepetitionRange::Bounded(min, max)) = repetition.op.kind
                && min < max
            {
                let place = &repetition.op.span;
                cuts.push((place.start.offset..place.end.offset, min));
            }
        }
        _ => {}
    }
}

/// Whether it asks for more than its own letters: rounds that are left out could have asked for an end.
fn has_assertion(tree: &Ast) -> bool {
    match tree {
        Ast::Assertion(_) => true,
        Ast::Group(group) => has_assertion(&group.ast),
        Ast::Repetition(repetition) => has_assertion(&repetition.ast),
        Ast::Concat(parts) => parts.asts.iter().any(has_assertion),
        Ast::Alternation(ways) => ways.asts.iter().any(has_assertion),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn rounds_at_open_ends_are_the_fewest() {
        for (pattern, expected) in [
            ("[a-z]{1,5}", "[a-z]{1}"),
            ("^[a-z]{1,5}$", "^[a-z]{1,5}$"),
            ("^[a-z]{1,5}", "^[a-z]{1}"),
            ("[a-z]{2,5}?$", "[a-z]{2}$"),
            ("a{1,2}b{3,4}c{0,5}", "a{1}b{3,4}c{0}"),
            ("x(y(?:z|a{2,9}b{3,8}){1,2}|é{4,7}$|é{4,7})", "x(y(?:z|a{2,9}b{3,8}){1}|é{4,7}$|é{4})"),
            ("a{1,5}\\b", "a{1}\\b"),
            ("(a$){1,5}|b{1,3}", "(a$){1,5}|b{1}"),
            ("a+b*c?d{3,}e{4}", "a+b*c?d{3,}e{4}"),
            ("(a{1,5}", "(a{1,5}"),
        ] {
            assert_eq!(cut(pattern), expected, "{pattern}");
        }
    }
}
