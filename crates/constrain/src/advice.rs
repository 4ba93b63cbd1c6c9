//! What a user is told: which text is wrong, and what the library says in words of what was written.

use std::borrow::Cow;

use crate::schema::is_written;

/// Characters of an expression that an error shows.
const SHOWN_MAX: usize = 200;
/// Characters of a place in a schema that an error shows at its beginning and at its end.
const PLACE_MAX: usize = 80;

/// A place in a schema as an error shows it: a long one without its middle.
pub(crate) fn shortened_place(place: &str) -> Cow<'_, str> {
    let chars: Vec<char> = place.chars().collect();
    if chars.len() <= 2 * PLACE_MAX {
        return Cow::Borrowed(place);
    }
    let [begin, end] = [&chars[..PLACE_MAX], &chars[chars.len() - PLACE_MAX..]].map(String::from_iter);
    Cow::Owned(format!("{begin}…{end}"))
}

/// An expression as an error shows it: of a long one the beginning, and characters that cannot be seen by their numbers.
pub(crate) fn shown(expression: &str) -> Cow<'_, str> {
    let end = expression.char_indices().nth(SHOWN_MAX).map(|(end, _)| end);
    let begin = &expression[..end.unwrap_or(expression.len())];
    if end.is_none() && begin.chars().all(is_written) {
        return Cow::Borrowed(expression);
    }
    let mut shown = String::with_capacity(begin.len());
    for character in begin.chars() {
        match is_written(character) {
            true => shown.push(character),
            false => shown.push_str(&format!("\\u{:04X}", u32::from(character))),
        }
    }
    Cow::Owned(shown + if end.is_some() { "…" } else { "" })
}

/// The library's reason, or what to do in place of words of its insides.
pub(crate) fn advised(reason: &str) -> String {
    let meeting = reason.strip_prefix("patternProperty regexes ");
    if let Some(patterns) = meeting.and_then(|patterns| patterns.strip_suffix(" are not disjoint")) {
        return format!(
            "a name may match both of the patterns {patterns}, which is not supported, nor is it of members of `allOf` and what a `$ref` names; names that `propertyNames` lets through are such a pattern: write one for both"
        );
    }
    advice(reason).unwrap_or(reason).to_owned()
}

/// The library's text, whose first line is its reason and whose others show where that is, with what to do behind.
pub(crate) fn advised_behind(text: &str) -> String {
    match advice(text.lines().next().unwrap_or_default()) {
        Some(advice) => format!("{}\n{advice}", text.trim_end()),
        None => text.to_owned(),
    }
}

/// What to do where the library speaks of its insides.
fn advice(reason: &str) -> Option<&'static str> {
    let says = |words: &[&str]| words.iter().any(|words| reason.contains(words));
    if says(&["lookarounds not supported"]) {
        Some(
            "`^` is supported at the beginning of an expression, `$` at its end, and nothing else that looks around, such as `\\b`: leave it out",
        )
    } else if says(&["initial_lexer_fuel", "initial lexer configuration", "fuel exhausted"]) {
        Some("it takes too much to prepare: ask for less at a time, of long texts, numbers of rounds and alternatives")
    } else if says(&["Unable to determine if regex is empty", "can't determine if patternProperty"]) {
        Some(
            "what has to match together takes too much to compare: write fewer patterns and lengths for one text, or lower numbers of rounds",
        )
    } else if says(&["too many expressions constructed", "too many states"]) {
        Some(
            "it counts too much at a time, or may be read in too many ways: repeat with `+` or `*` in place of numbers, or put signs between",
        )
    } else if says(&["Unsatisfiable schema: Regex is empty"]) {
        Some(
            "no value is valid: no string has all that is asked of one by `pattern`, `format`, `minLength`, `maxLength` and `enum`, those of members of `allOf` and of what a `$ref` names among them",
        )
    } else if says(&["does not contain a multiple of", "contains no integer values"]) {
        Some(
            "no value is valid: between the bounds is no number of the type, or none that is a multiple as `multipleOf` asks for, those of members of `allOf` and of what a `$ref` names among them",
        )
    } else if says(&["Unsatisfiable schema: incompatible types"]) {
        Some(
            "no value is valid: what is said of one by types, bounds and multiples leaves none, that of members of `allOf` and of what a `$ref` names included",
        )
    } else {
        None
    }
}
