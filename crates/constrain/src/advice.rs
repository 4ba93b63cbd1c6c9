//! What a user is told: which text is wrong, and what the library says in words of what was written.

use std::borrow::Cow;

/// Characters of an expression that an error shows.
const SHOWN_MAX: usize = 200;

/// An expression as an error shows it: of a long one the beginning.
pub(crate) fn shown(expression: &str) -> Cow<'_, str> {
    match expression.char_indices().nth(SHOWN_MAX) {
        Some((end, _)) => Cow::Owned(format!("{}…", &expression[..end])),
        None => Cow::Borrowed(expression),
    }
}

/// The library's reason, with what to do in place of words of its insides.
pub(crate) fn advised(reason: &str) -> String {
    let says = |words: &[&str]| words.iter().any(|words| reason.contains(words));
    let advice = if says(&["lookarounds"]) {
        "`^` is supported at the beginning of an expression, `$` at its end, and nothing else that looks around, such as `\\b`: leave it out"
    } else if says(&["initial_lexer_fuel", "initial lexer configuration", "fuel exhausted"]) {
        "it takes too much to prepare: ask for less at a time, of long texts, numbers of rounds and alternatives"
    } else if says(&["too many expressions constructed", "too many states"]) {
        "it counts too much at a time, or may be read in too many ways: repeat with `+` or `*` in place of numbers, or put signs between"
    } else {
        return reason.to_owned();
    };
    advice.to_owned()
}
