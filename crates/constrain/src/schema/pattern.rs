//! Patterns of JSON schemas.

use std::collections::HashMap;

use llguidance::derivre::{RegexAst, RegexBuilder};
use serde_json::Value;

use super::{open_ends, unwritten};
use crate::advice::{advised, shown};
use crate::brackets::{check_classes, rewritten, write_atom};
use crate::expression::traits;
use crate::grammar::TEXT_BYTES_MAX;
use crate::repetitions::{self, Ahead};

/// Characters that a JSON string has raw or by a short escape; `\u` is not written (`super`).
const WRITABLE: &str = r"[^\x00-\x07\x0B\x0E-\x1F\x7F]*";
/// Bounds what is spent on finding whether anything matches.
const FUEL: u64 = 500_000;
const FUEL_PER_MICRO: u64 = 15;
/// Microseconds for [`leaves_none`] at the most, which it takes where it does not come to an end.
pub(super) const LEAVES_MICROS_MAX: usize = (FUEL / FUEL_PER_MICRO) as usize;

/// What `.` means to ECMA-262: anything but what ends a line. To the library that is `\n` alone.
const DOT: &str = r"[^\n\r\u2028\u2029]";

/// What `\s` means to ECMA-262, within brackets: Unicode's property has U+0085 in place of U+FEFF.
const SPACES: &str = r"\t-\r\p{Zs}\u2028\u2029\uFEFF";

/// What a pattern of a few letters takes with [`WRITABLE`], in the library's fuel where its expressions are made and where they are gone through, and in bytes.
const LEAST_MADE: u64 = 580;
const LEAST_GONE: u64 = 720;
const LEAST_BYTES: usize = 1_640;

/// A pattern for the library.
pub(super) struct Written {
    pub(super) text: String,
    pub(super) cost: Cost,
    /// Whether it matches no name with a character that is not written, though its user named one.
    pub(super) lacks_some: bool,
}

/// What it takes to compile a pattern.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cost {
    /// Microseconds to find whether a string matches it.
    pub(super) micros: usize,
    /// Microseconds to compile it once more beside something else.
    pub(super) again_micros: usize,
    /// The library's fuel that goes through it.
    pub(super) fuel: usize,
    /// Bytes of its expressions.
    pub(super) store_bytes: usize,
    /// Counts that are kept at a time ([`repetitions`]).
    pub(super) counts: u64,
}

impl Cost {
    /// What the library spends on such a pattern where another schema stands beside it, at the most.
    const AGAIN_FUEL_MAX: usize = 10_000;

    /// Of a pattern of so many bytes, whose expressions took so much fuel to be made, and so much more to be gone through.
    fn new(bytes: usize, made: u64, gone: u64, store_bytes: usize) -> Cost {
        let above = |fuel: u64, least: u64| usize::try_from(fuel.saturating_sub(least)).unwrap_or(usize::MAX);
        let (made, gone) = (above(made, LEAST_MADE), above(gone, LEAST_GONE));
        let parsed = 15 + bytes / 5 + made / 25;
        let store_bytes = store_bytes.saturating_sub(LEAST_BYTES);
        Cost {
            micros: parsed + gone / FUEL_PER_MICRO as usize,
            again_micros: parsed + gone.min(Cost::AGAIN_FUEL_MAX) / 20,
            fuel: gone,
            store_bytes,
            counts: 1,
        }
    }

    /// Microseconds for a letter of a text that is matched, which may lead to what no other has led to: of 600 counts 12 (2026-11-29).
    pub(super) fn letter_micros(&self) -> usize {
        1 + usize::try_from(self.counts / 50).unwrap_or(usize::MAX - 1)
    }

    /// That of a pattern which was written for the library; those of formats are this crate's own.
    pub(super) fn of(written: &str, known: &HashMap<String, Cost>) -> Cost {
        known
            .get(written)
            .copied()
            .unwrap_or_else(|| Cost::new(written.len(), 2 * LEAST_MADE, 2 * LEAST_GONE, 2 * LEAST_BYTES))
    }
}

/// A pattern that means the same to the library as the given one to ECMA-262, which the specification names, and what it takes. There is a string that matches
/// it and can be written.
pub(super) fn of_ecma(pattern: &str) -> Result<Written, String> {
    let named = shown(pattern);
    if pattern.len() > TEXT_BYTES_MAX {
        return Err(format!("the pattern `{named}` is longer than {TEXT_BYTES_MAX} bytes"));
    }
    check_classes(pattern).map_err(|rule| format!("the pattern `{named}` {rule}"))?;
    let mut written = open_ends::cut(&with_classes(pattern));
    let without = unwritten::without(&written);
    let lacks_some = without.is_some();
    written = without.unwrap_or(written);
    let lark = as_read(&written);
    let traits = traits(&lark);
    if traits.has_flags {
        return Err(format!(
            "the pattern `{named}` has flags within, such as `(?i)`, which are not supported: write what they mean, such as `[aA]`"
        ));
    }
    if traits.has_stop_group {
        return Err(format!(
            "the pattern `{named}` has a group named `stop`, which is not supported: name it otherwise"
        ));
    }
    let counts = repetitions::check(&lark, pattern, true).map_err(|rule| format!("the pattern `{named}` {rule}"))?;
    let search = RegexAst::SearchRegex(lark);
    let mut builder = RegexBuilder::new();
    let both = RegexAst::And(vec![search, RegexAst::Regex(WRITABLE.to_owned())]);
    let unread = |error: &dyn ToString| {
        let text = error.to_string();
        let last = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
        format!("the pattern `{named}` is not supported: {}", advised(last))
    };
    let both = builder.mk(&both).map_err(|error| unread(&error))?;
    let (made, store_bytes) = (builder.exprset().cost(), builder.exprset().num_bytes());
    let too_complex = || format!("the pattern `{named}` is too complex");
    let mut regex = builder.to_regex_limited(both, FUEL).map_err(|_| too_complex())?;
    if regex.always_empty() {
        return Err(format!("no string matches the pattern `{named}`"));
    }
    let cost = Cost::new(written.len(), made, regex.cost().saturating_sub(made), store_bytes);
    Ok(Written { text: written, cost: Cost { counts, ..cost }, lacks_some })
}

/// Tells whether a text matches a pattern that is written for the library.
pub(super) fn matcher(written: &str) -> Result<impl FnMut(&str) -> bool, String> {
    let mut builder = RegexBuilder::new();
    let unread = |_| format!("the pattern `{}` is too complex", shown(written));
    let search = builder.mk(&RegexAst::SearchRegex(as_read(written))).map_err(unread)?;
    let mut regex = builder.to_regex_limited(search, FUEL).map_err(unread)?;
    Ok(move |text: &str| regex.is_match(text))
}

/// Whether no name that can be written matches a pattern which is written for the library, but for these; and the microseconds that it took to find.
///
/// # Errors
/// It takes too long.
pub(super) fn leaves_none(written: &str, names: &[&str]) -> Result<(bool, usize), String> {
    let mut builder = RegexBuilder::new();
    let names = names.iter().map(|name| RegexAst::Literal((*name).to_owned())).collect();
    let others = RegexAst::Not(Box::new(RegexAst::Or(names)));
    let all = vec![RegexAst::SearchRegex(as_read(written)), RegexAst::Regex(WRITABLE.to_owned()), others];
    let unread = |_| format!("the pattern `{}` is too complex beside as many names", shown(written));
    let left = builder.mk(&RegexAst::And(all)).map_err(unread)?;
    let mut regex = builder.to_regex_limited(left, FUEL).map_err(unread)?;
    Ok((regex.always_empty(), usize::try_from(regex.cost() / FUEL_PER_MICRO).unwrap_or(usize::MAX)))
}

/// The pattern as the library reads it.
fn as_read(written: &str) -> String {
    llguidance::regex_to_lark(written, "dw")
}

/// Keywords by which a string, or a name, may have to match patterns of several schemas.
const MEETING: [&str; 8] =
    ["allOf", "anyOf", "oneOf", "if", "$ref", "$dynamicRef", "dependentSchemas", "patternProperties"];

/// Adds the counts that the patterns of a schema keep, those of annotations among them.
pub(crate) fn add_counts(schema: &Value, ahead: &mut Ahead) {
    if MEETING.iter().any(|name| schema.get(name).is_some()) {
        ahead.add_meeting();
    }
    // Others are refused.
    let is_read = |pattern: &str| pattern.len() <= TEXT_BYTES_MAX && check_classes(pattern).is_ok();
    let mut add = |pattern: &str| {
        if is_read(pattern) {
            ahead.add(&as_read(&open_ends::cut(&with_classes(pattern))), true);
        }
    };
    match schema {
        Value::Object(keywords) => {
            for (name, value) in keywords {
                match (name.as_str(), value) {
                    ("pattern", Value::String(pattern)) => add(pattern),
                    ("patternProperties", Value::Object(schemas)) => schemas.keys().for_each(|pattern| add(pattern)),
                    _ => {}
                }
            }
            keywords.values().for_each(|value| add_counts(value, ahead));
        }
        Value::Array(schemas) => schemas.iter().for_each(|schema| add_counts(schema, ahead)),
        _ => {}
    }
}

/// The pattern with each `.` that is no character written as [`DOT`], and each `\s` and `\S` by [`SPACES`].
fn with_classes(pattern: &str) -> String {
    let outside = |atom: &str, written: &mut String| match atom {
        "." => written.push_str(DOT),
        "\\s" => written.extend(["[", SPACES, "]"]),
        _ => write_within(atom, written),
    };
    rewritten(pattern, outside, write_within)
}

/// An atom within brackets.
fn write_within(atom: &str, written: &mut String) {
    match atom {
        "\\s" => written.push_str(SPACES),
        "\\S" => written.extend(["[^", SPACES, "]"]),
        _ => write_atom(atom, written),
    }
}
