//! Patterns of JSON schemas.

use llguidance::derivre::{RegexAst, RegexBuilder};

/// Characters that a JSON string has raw or by a short escape; `\u` is not written (`super`).
const WRITABLE: &str = r"[^\x00-\x07\x0B\x0E-\x1F\x7F]*";
/// Bounds what is spent on finding whether anything matches.
const FUEL: u64 = 500_000;

/// What `.` means to ECMA-262: anything but what ends a line. To the library that is `\n` alone.
const DOT: &str = r"[^\n\r\u2028\u2029]";

/// A pattern that means the same to the library as the given one to ECMA-262, which the specification names. There is a string that matches it and can be
/// written.
pub(super) fn of_ecma(pattern: &str) -> Result<String, String> {
    check_classes(pattern)?;
    let written = with_dots(pattern);
    let lark = llguidance::regex_to_lark(&written, "dw");
    let search = RegexAst::SearchRegex(lark);
    let mut builder = RegexBuilder::new();
    let both = RegexAst::And(vec![search, RegexAst::Regex(WRITABLE.to_owned())]);
    let unread = |error: &dyn ToString| {
        let text = error.to_string();
        let last = text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
        format!("the pattern `{pattern}` is not supported: {last}")
    };
    let both = builder.mk(&both).map_err(|error| unread(&error))?;
    let matches_none = builder.to_regex_limited(both, FUEL).map(|mut regex| regex.always_empty());
    match matches_none {
        Ok(false) => Ok(written),
        Ok(true) => Err(format!("no string matches the pattern `{pattern}`")),
        Err(_) => Err(format!("the pattern `{pattern}` is too complex")),
    }
}

/// The pattern with each `.` that is no character written as [`DOT`].
fn with_dots(pattern: &str) -> String {
    let (mut written, mut inside, mut is_escaped) = (String::with_capacity(pattern.len()), false, false);
    for character in pattern.chars() {
        match character {
            '.' if !inside && !is_escaped => written.push_str(DOT),
            _ => written.push(character),
        }
        match character {
            _ if is_escaped => {}
            '[' => inside = true,
            ']' => inside = false,
            _ => {}
        }
        is_escaped = character == '\\' && !is_escaped;
    }
    written
}

/// Within brackets `[`, `&&`, `--` and `~~` are characters to ECMA-262 and operators to the library.
fn check_classes(pattern: &str) -> Result<(), String> {
    let mut inside = false;
    let mut before = None;
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        let doubled = before.replace(character) == Some(character) && ['&', '-', '~'].contains(&character);
        match character {
            '\\' => {
                characters.next();
                before = None;
            }
            '[' if inside => {
                return Err(format!("the pattern `{pattern}` has `[` within brackets: write `\\[`"));
            }
            '[' => inside = true,
            ']' => inside = false,
            _ if inside && doubled => {
                let message = format!(
                    "the pattern `{pattern}` has `{character}{character}` within brackets: write `\\{character}`"
                );
                return Err(message);
            }
            _ => {}
        }
    }
    Ok(())
}
