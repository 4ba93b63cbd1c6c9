//! The values that keywords have: numbers, names, texts.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::formats;
use super::keywords::{self, Keyword};
use super::unwritten::is_written;

/// Characters, items and properties that a bound may ask for.
const COUNT_MAX: u64 = 100_000;
/// The most that `minLength` may ask for: some 100,000 bytes are counted, and a character has up to four.
const LEAST_LENGTH_MAX: u64 = 24_000;
/// Whole numbers up to here are told apart by 64-bit floats. What is read as this one may have been the next.
pub(super) const NUMBER_MAX: f64 = 9_007_199_254_740_992.0;

/// Refuses a keyword's value that would not be held to.
pub(super) fn check(name: &str, keyword: Keyword, value: &Value) -> Result<(), String> {
    let text = || value.as_str().ok_or_else(|| format!("`{name}` has to be a string"));
    match keyword {
        Keyword::Type => check_types(value),
        Keyword::Bound => check_number(name, value),
        Keyword::Format => formats::schemas(text()?).map(|_| ()),
        Keyword::Required => match value.as_array().filter(|names| names.iter().all(Value::is_string)) {
            Some(_) => Ok(()),
            None => Err(format!("`{name}` has to be an array of names")),
        },
        _ => Ok(()),
    }
}

fn check_types(value: &Value) -> Result<(), String> {
    let refused = || "`type` has to be a type's name or an array of such".to_owned();
    let names = match value {
        Value::Array(names) if !names.is_empty() => names.as_slice(),
        Value::String(_) => std::slice::from_ref(value),
        _ => return Err(refused()),
    };
    names.iter().try_for_each(|name| keywords::check_type(name.as_str().ok_or_else(refused)?))
}

/// A count as the library reads it. JSON Schema has 5.0 for the same number as 5.
pub(super) fn count(name: &str, value: &Value) -> Result<u64, String> {
    let most = if name == "minLength" { LEAST_LENGTH_MAX } else { COUNT_MAX };
    match value.as_f64() {
        Some(count) if count.fract() == 0.0 && (0.0..=most as f64).contains(&count) => Ok(count as u64),
        _ => Err(format!("`{name}` has to be a whole number from 0 to {most}, and is {value}")),
    }
}

pub(super) fn check_number(name: &str, value: &Value) -> Result<(), String> {
    match value.as_f64() {
        Some(number) if number.abs() < NUMBER_MAX && (number == 0.0 || number.abs() >= 1e-9) => Ok(()),
        Some(_) => Err(format!("`{name}` is {value}: numbers below 2^53, and from 1e-9 on, can be compared with")),
        None => Err(format!("`{name}` has to be a number, and is {value}")),
    }
}

/// The library takes `additionalItems`, and an array as `items`, for a sign of an older draft, and then passes over `prefixItems`.
pub(super) fn check_places(keywords: &Map<String, Value>) -> Result<(), String> {
    let is_older = keywords.contains_key("additionalItems") || keywords.get("items").is_some_and(Value::is_array);
    if is_older && keywords.contains_key("prefixItems") {
        return Err("`prefixItems` goes with one schema as `items`, not with an array or `additionalItems`".to_owned());
    }
    Ok(())
}

/// Additional names may repeat each other, and names that repeat are one property: of these no more than one can be asked for.
pub(super) fn check_least_properties(keywords: &Map<String, Value>) -> Result<(), String> {
    let required = required(keywords);
    let least = keywords.get("minProperties").and_then(Value::as_u64).unwrap_or(0);
    if least > required.len() as u64 + 1 {
        return Err(format!(
            "`minProperties` is {least}: at most one more than the properties that `required` names is supported"
        ));
    }
    Ok(())
}

/// The names that `required` has.
pub(super) fn required(keywords: &Map<String, Value>) -> BTreeSet<&str> {
    keywords.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

pub(super) fn check_writable(text: &str) -> Result<(), String> {
    match text.chars().find(|character| !is_written(*character)) {
        Some(character) => {
            Err(format!("a string has the control character U+{:04X}, which is not written", u32::from(character)))
        }
        None => Ok(()),
    }
}

/// The digits of a decimal number above 0, and how many of them are behind the point.
pub(super) fn decimal(value: &Value) -> Option<(u64, u32)> {
    let text = value.as_number()?.to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let fraction = fraction.trim_end_matches('0');
    let digits: u64 = format!("{whole}{fraction}").parse().ok()?;
    Some((digits, u32::try_from(fraction.len()).ok()?)).filter(|(digits, _)| *digits > 0)
}

pub(super) fn greatest_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_divisor(b, a % b) }
}

/// What a reference of the form `#/…` names.
pub(super) fn referred<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    root.pointer(&decode_percent(reference.strip_prefix('#')?)?)
}

/// `%25` to `%`; `None` where it is not so written.
pub(super) fn decode_percent(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?];
        bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
    }
    String::from_utf8(bytes).ok()
}
