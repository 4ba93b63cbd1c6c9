//! Patterns of JSON schemas.

use llguidance::derivre::{RegexAst, RegexBuilder};

use crate::grammar::has_stop_group;

/// Characters that a JSON string has raw or by a short escape; `\u` is not written (`super`).
const WRITABLE: &str = r"[^\x00-\x07\x0B\x0E-\x1F\x7F]*";
/// Bounds what is spent on finding whether anything matches.
const FUEL: u64 = 500_000;

/// What `.` means to ECMA-262: anything but what ends a line. To the library that is `\n` alone.
const DOT: &str = r"[^\n\r\u2028\u2029]";

/// What `\s` means to ECMA-262, within brackets: Unicode's property has U+0085 in place of U+FEFF.
const SPACES: &str = r"\t-\r\p{Zs}\u2028\u2029\uFEFF";

/// A pattern that means the same to the library as the given one to ECMA-262, which the specification names. There is a string that matches it and can be
/// written.
pub(super) fn of_ecma(pattern: &str) -> Result<String, String> {
    check_classes(pattern)?;
    if has_stop_group(pattern) {
        return Err(format!(
            "the pattern `{pattern}` has a group named `stop`, which is not supported: name it otherwise"
        ));
    }
    let written = with_classes(pattern);
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

/// The pattern with each `.` that is no character written as [`DOT`], and each `\s` and `\S` by [`SPACES`].
fn with_classes(pattern: &str) -> String {
    let (mut written, mut inside) = (String::with_capacity(pattern.len()), false);
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('s') => written.extend(["[", SPACES, "]"]),
                Some('S') => written.extend(["[^", SPACES, "]"]),
                escaped => written.extend([character].into_iter().chain(escaped)),
            },
            '.' if !inside => written.push_str(DOT),
            _ => {
                inside = character == '[' || inside && character != ']';
                written.push(character);
            }
        }
    }
    written
}

/// Within brackets `[`, `&&`, `--` and `~~` are characters to ECMA-262 and operators to the library. `]` behind the first bracket ends them there, and is a
/// character here.
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
            '[' => {
                inside = true;
                let within = characters.as_str();
                if within.strip_prefix('^').unwrap_or(within).starts_with(']') {
                    return Err(format!(
                        "the pattern `{pattern}` has brackets with nothing within: write `\\]` for the character, or `[\\s\\S]` for any"
                    ));
                }
            }
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
