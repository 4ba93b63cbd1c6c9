//! Patterns of JSON schemas.

use llguidance::derivre::{RegexAst, RegexBuilder};

/// Characters that a JSON string has raw or by a short escape; `\u` is not written (`super`).
const WRITABLE: &str = r"[^\x00-\x07\x0B\x0E-\x1F\x7F]*";
/// Bounds what is spent on finding whether anything matches.
const FUEL: u64 = 500_000;

/// Looks whether a pattern is one that means the same to ECMA-262, which the specification names, and to the library, and whether a string
/// matches it that can be written.
pub(super) fn check_pattern(pattern: &str) -> Result<(), String> {
    check_classes(pattern)?;
    let lark = llguidance::regex_to_lark(pattern, "dw");
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
        Ok(false) => Ok(()),
        Ok(true) => Err(format!("no string matches the pattern `{pattern}`")),
        Err(_) => Err(format!("the pattern `{pattern}` is too complex")),
    }
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
