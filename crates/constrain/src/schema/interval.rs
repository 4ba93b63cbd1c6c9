//! Bounds of numbers that are not whole.
//!
//! The library makes expressions of digits out of them, and misreads two kinds. Above a whole number and below the next one, it lets the excluded
//! number through: so a bound that excludes becomes the nearest one that does not. And of a bound such as 1.25 it wants all digits or none, so
//! that 1.2 would not pass: such numbers are named one by one beside the interval.

use serde_json::{Map, Number, Value, json};

use super::bounds::decimal;

pub(super) const BOUNDS: [&str; 4] = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"];
/// What lies between a bound that excludes and the next number, for bounds below `FINE_BELOW`.
const FINE: f64 = 1e-9;
const FINE_BELOW: f64 = 1e5;
/// The same for bounds up to `COARSE_MAX`.
const COARSE: f64 = 1e-4;
const COARSE_MAX: f64 = 1e9;

/// Takes the bounds out of a schema's keywords; what they ask for is a schema of its own. `None` where they are few and simple enough to stay, or
/// all numbers are whole.
///
/// # Errors
/// A bound excludes a number too large to find the next one.
pub(super) fn take(keywords: &mut Map<String, Value>) -> Result<Option<Value>, String> {
    let read = |name: &str| keywords.get(name).and_then(Value::as_f64);
    let [least, above, most, below] = BOUNDS.map(read);
    let has_bounds = [least, above, most, below].iter().any(Option::is_some);
    if !has_bounds || keywords.get("type").is_some_and(|name| name == "integer") {
        return Ok(None);
    }
    // Towards zero, where the library lets the excluded number through; away from it, it does not.
    let (mut interval, mut least, mut most) = (Map::new(), least, most);
    let mut put = |name: &str, bound: Option<f64>| -> Option<()> {
        interval.insert(name.to_owned(), Value::Number(number(bound?)?));
        Some(())
    };
    match above {
        Some(bound) if bound >= 0.0 => {
            least = Some(least.map_or(next(bound, 1.0)?, |least| least.max(bound)).max(next(bound, 1.0)?))
        }
        bound => drop(put("exclusiveMinimum", bound)),
    }
    match below {
        Some(bound) if bound <= 0.0 => {
            most = Some(most.map_or(next(bound, -1.0)?, |most| most.min(bound)).min(next(bound, -1.0)?))
        }
        bound => drop(put("exclusiveMaximum", bound)),
    }
    put("minimum", least);
    put("maximum", most);

    let inside = |value: f64| {
        least.is_none_or(|least| value >= least)
            && most.is_none_or(|most| value <= most)
            && above.is_none_or(|above| value > above)
            && below.is_none_or(|below| value < below)
    };
    let ends = BOUNDS.iter().filter_map(|name| keywords.get(*name)).flat_map(prefixes);
    let named = ends.filter(|value| inside(*value)).filter_map(number);
    let alone = named.map(|value| json!({"type": "number", "minimum": value, "maximum": value}));
    let branches: Vec<Value> = [Value::Object(interval)].into_iter().chain(alone).collect();
    BOUNDS.iter().for_each(|name| drop(keywords.shift_remove(*name)));
    Ok(Some(json!({"anyOf": branches})))
}

/// The number that takes the place of an excluded one, in the direction of `sign`.
fn next(bound: f64, sign: f64) -> Result<f64, String> {
    let step = if bound.abs() < FINE_BELOW { FINE } else { COARSE };
    let next = bound + sign * step;
    if bound.abs() > COARSE_MAX || next == bound {
        return Err(format!(
            "a bound excludes {bound}: for numbers beyond 1e9 this is supported where they are integers"
        ));
    }
    Ok(next)
}

/// A decimal's beginnings behind the point, itself last: 1.2 and 1.25.
fn prefixes(bound: &Value) -> Vec<f64> {
    let is_negative = bound.as_f64().is_some_and(|value| value < 0.0);
    let magnitude = bound.as_f64().and_then(|value| number(value.abs())).map(Value::Number);
    let Some((digits, behind)) = magnitude.as_ref().and_then(decimal) else { return Vec::new() };
    let beginning = |left_out: u32| {
        let digits = digits / 10u64.checked_pow(left_out)?;
        let text = format!("{digits}e-{}", behind - left_out);
        text.parse::<f64>().ok().map(|value| if is_negative { -value } else { value })
    };
    (0..behind).rev().filter_map(beginning).collect()
}

/// Whole numbers as such: with a fraction of zero they would be decimals.
pub(super) fn number(value: f64) -> Option<Number> {
    if value.fract() == 0.0 && value.abs() <= super::bounds::NUMBER_MAX {
        return Some(Number::from(value as i64));
    }
    Number::from_f64(value)
}
