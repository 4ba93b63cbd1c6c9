//! Grammars in Lark's notation that users write: what is looked at before the library reads them.

use llguidance::api::TopLevelGrammar;

use crate::advice::shown;
use crate::grammar::TEXT_BYTES_MAX;
use crate::repetitions::{self, Ahead};

/// How deep a grammar may be at the most, by [`depth_bound`]: the library goes down from rule to rule on the stack.
const DEPTH_MAX: usize = 10_000;
/// Signs for what expressions have in common in a grammar, those that are characters among them: the library goes through 2 to the power of their number at
/// once, which its limits do not stop.
const AND_MAX: usize = 16;

/// A grammar as the library is given it. JSON within a grammar would be read by rules of its own, past the checks of this crate.
///
/// # Errors
/// It is refused; the text goes on behind what names the grammar.
pub(crate) fn lower(text: &str) -> Result<TopLevelGrammar, String> {
    if text.len() > TEXT_BYTES_MAX {
        return Err(format!("it is longer than {TEXT_BYTES_MAX} bytes"));
    }
    if text.trim().is_empty() {
        return Err("it is empty".to_owned());
    }
    for statement in ["%json", "%llguidance"] {
        if text.contains(statement) {
            return Err(format!("`{statement}` is not supported within a grammar"));
        }
    }
    let bound = depth_bound(text);
    if bound > DEPTH_MAX {
        return Err(format!(
            "it has more than {DEPTH_MAX} rules, terminals and brackets together ({bound} as they are counted), which may stand one in the other"
        ));
    }
    let signs = text.matches('&').count();
    if signs > AND_MAX {
        return Err(format!(
            "it has {signs} times `&`, and at most {AND_MAX} are supported: write `\\x26` where it is a character"
        ));
    }
    check_expressions(text)?;
    Ok(TopLevelGrammar::from_lark(text.to_owned()))
}

/// No less than how deep the library's parser and compiler go on the stack for this text, whatever in it is a string or a comment: a parser of our own
/// that reads it in another way would let something through.
///
/// Rules and terminals may each be the next one's only part, and so may each bracket's contents, of which a rule has several within each other. A rule begins
/// on a line of its own, behind an alias (`->`), or behind a statement (`%`), and has a colon.
fn depth_bound(text: &str) -> usize {
    let beginnings = text.lines().filter(|line| line.contains(':')).count();
    let behind_others = text.matches("->").count() + text.matches('%').count();
    beginnings + behind_others + text.matches(['(', '[', '{', '~']).count()
}

/// Whether each expression of a grammar keeps so few counts that a step is short. What terminals are put together from is not looked at.
///
/// # Errors
/// One does not; the text names it.
fn check_expressions(text: &str) -> Result<(), String> {
    for (expression, flags) in expressions(text) {
        repetitions::check(&flagged(expression, flags), expression, false)
            .map_err(|rule| format!("the expression `/{}/` {rule}", shown(expression)))?;
    }
    Ok(())
}

/// Of flags that the library alone knows nothing can be told.
fn flagged(expression: &str, flags: &str) -> String {
    if flags.is_empty() { expression.to_owned() } else { format!("(?{flags}:{expression})") }
}

/// Adds the counts that the expressions of a grammar keep. Where it repeats by numbers itself they are not known.
pub(crate) fn add_counts(text: &str, ahead: &mut Ahead) {
    for piece in pieces(text) {
        match piece {
            Piece::Expression(expression, flags) => ahead.add(&flagged(expression, flags), false),
            Piece::Own(text) => {
                let repeats = |(at, _)| {
                    text[at + 1..].trim_start().starts_with(|next: char| next.is_ascii_digit() || next == ',')
                };
                if text.match_indices(['{', '~']).any(repeats) {
                    ahead.add_unknown();
                }
            }
        }
    }
}

/// What stands between slashes, and the flags behind.
fn expressions(text: &str) -> impl Iterator<Item = (&str, &str)> {
    pieces(text).into_iter().filter_map(|piece| match piece {
        Piece::Expression(expression, flags) => Some((expression, flags)),
        Piece::Own(_) => None,
    })
}

/// What a grammar's text consists of, beside strings, comments and the names of special tokens.
enum Piece<'t> {
    /// Names of rules and signs between them.
    Own(&'t str),
    /// What stands between slashes, and the flags behind.
    Expression(&'t str, &'t str),
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(begin) = rest.find(['"', '/', '#', '<']) {
        found.push(Piece::Own(&rest[..begin]));
        let (sign, behind) = rest[begin..].split_at(1);
        rest = match sign {
            "#" => behind_line(behind),
            "/" if behind.starts_with('/') => behind_line(behind),
            "<" => behind_name(behind).unwrap_or(behind),
            _ => {
                let Some(end) = closing(behind, sign) else { break };
                let (inner, after) = (&behind[..end], &behind[end + 1..]);
                let flags = &after[..after.find(|letter| !"imslux".contains(letter)).unwrap_or(after.len())];
                if sign == "/" {
                    found.push(Piece::Expression(inner, flags));
                }
                after
            }
        };
    }
    found.push(Piece::Own(rest));
    found
}

fn behind_line(text: &str) -> &str {
    text.find('\n').map_or("", |end| &text[end..])
}

/// What is behind the name of a special token, if one begins here.
fn behind_name(text: &str) -> Option<&str> {
    let end = text.find(|letter: char| letter.is_whitespace() || "<>".contains(letter))?;
    text[end..].strip_prefix('>')
}

/// Where the sign stands that closes what it opened, not escaped.
fn closing(text: &str, sign: &str) -> Option<usize> {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices() {
        if !is_escaped && sign.contains(letter) {
            return Some(at);
        }
        is_escaped = !is_escaped && letter == '\\';
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_of_a_grammar() {
        let text = r##"
            start: "a/b" A | </s> /c"\/\\/i  # no /comment/
            A: /[a-z]+/ "\"/" B // nor /this/
            B: "x"i | /é<\/(b)
                /x"##;
        let expressions = |text| expressions(text).collect::<Vec<_>>();
        assert_eq!(expressions(text), [("c\"\\/\\\\", "i"), ("[a-z]+", ""), ("é<\\/(b)\n                ", "x")]);
        assert_eq!(expressions("start: /open"), []);
        assert_eq!(expressions("start: \"open /x/"), []);
    }

    #[test]
    fn counts_of_a_grammar_are_those_of_its_expressions_together() {
        for (text, expected) in [
            ("start: /([a-z]{1,30} ?){1,9}/ A \"{1,2}\" // {1,3}\nA: /([0-9]{1,9} ?){1,9}/i", 270 + 81),
            ("start: A{1,9}\nA: /[a-z]{1,30} ?/", 1500),
            ("start: A ~ 1..9\nA: /[a-z]{1,30} ?/", 1500),
            ("start: A B\nA: /[a-z]+/ & ~/x/\nB: \"{\" A* \"}\"", 0),
        ] {
            let mut ahead = Ahead::default();
            add_counts(text, &mut ahead);
            assert_eq!(ahead.counts(1), expected, "{text}");
        }
    }

    #[test]
    fn those_that_count_too_much_are_named() {
        assert_eq!(check_expressions("start: /([a-z]{1,30} ?){1,30}/ /(/ /a/l"), Ok(()));
        let told = check_expressions("start: \"/\" A\nA: /x([a-z]{1,50} ?){1,50}/i").unwrap_err();
        assert!(told.starts_with("the expression `/x([a-z]{1,50} ?){1,50}/` repeats"), "{told}");
    }
}
