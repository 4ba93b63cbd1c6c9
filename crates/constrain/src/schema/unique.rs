//! `uniqueItems`: the library cannot compare items. Of few values all arrays are named.

use std::{ptr, slice};

use serde_json::{Map, Value, json};

use super::keywords::{self, TYPES};

/// Arrays that may be named, which the library looks at side by side where one begins.
const ARRAYS_MAX: usize = 600;
/// Values of items: more make too many arrays of two.
const VALUES_MAX: usize = 25;

/// Takes what a schema says of an array's items out of its keywords, where it can be told which arrays have no item twice; those are a schema of its own, with so
/// many values. `written` is the schema as its user wrote it. `None`: no array has two items.
///
/// # Errors
/// It cannot be told, or they are too many.
pub(super) fn take(
    keywords: &mut Map<String, Value>,
    written: &Map<String, Value>,
    root: &Value,
) -> Result<Option<(Value, usize)>, String> {
    let [least, most] = ["minItems", "maxItems"].map(|name| keywords.get(name).and_then(Value::as_u64));
    if most.is_some_and(|most| most <= 1) {
        return Ok(None);
    }
    let items = written.get("items").filter(|_| !written.contains_key("prefixItems"));
    let values = items.and_then(|items| values(items, root));
    let count = |count: Option<u64>| count.map(|count| usize::try_from(count).unwrap_or(usize::MAX));
    let arrays =
        values.and_then(|values| arrays(&values, count(least).unwrap_or(0), count(most).unwrap_or(usize::MAX)));
    let arrays = arrays.ok_or_else(|| {
        format!(
            "`uniqueItems` is supported where `maxItems` is at most 1, and where `items` has an `enum` of numbers, texts, `true`, `false` and `null` that {ARRAYS_MAX} arrays can be made of, as of 5 values, or of 24 and a `maxItems` of 2"
        )
    })?;
    let size = arrays.iter().map(|array| 1 + array.len()).sum();
    ["items", "minItems", "maxItems"].into_iter().for_each(|name| drop(keywords.shift_remove(name)));
    let others: Vec<&str> = TYPES.into_iter().filter(|name| *name != "array").collect();
    let mut branches = vec![json!({"type": others})];
    if !arrays.is_empty() {
        branches.push(json!({"enum": arrays}));
    }
    Ok(Some((json!({"anyOf": branches}), size)))
}

/// The values that a schema names, without parts and each once; `None` where it does not.
fn values<'a>(schema: &'a Value, root: &'a Value) -> Option<Vec<&'a Value>> {
    let (mut named, mut types) = (None, None);
    for (name, value) in keywords::said(schema, root)? {
        match (name, value) {
            ("const", _) if named.is_none() => named = Some(slice::from_ref(value)),
            ("enum", Value::Array(values)) if named.is_none() => named = Some(values.as_slice()),
            ("type", Value::String(name)) => types = Some(name.as_str()),
            _ => return None,
        }
    }
    let mut values: Vec<&Value> = Vec::new();
    let named = named.filter(|named| named.len() <= VALUES_MAX)?;
    for value in named.iter().filter(|value| types.is_none_or(|name| is_of_type(value, name))) {
        if value.is_array() || value.is_object() {
            return None;
        }
        if !values.iter().any(|other| is_same(other, value)) {
            values.push(value);
        }
    }
    Some(values)
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::Number(_) if name == "integer" => value.as_f64().is_some_and(|value| value.fract() == 0.0),
        Value::Number(_) => name == "number",
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
    }
}

/// 1 and 1.0 are the same.
fn is_same(value: &Value, other: &Value) -> bool {
    match (value.as_f64(), other.as_f64()) {
        (Some(value), Some(other)) => value == other,
        _ => value == other,
    }
}

/// All arrays of different values, of so many at the least and at the most; `None` where they are too many.
fn arrays<'a>(values: &[&'a Value], least: usize, most: usize) -> Option<Vec<Vec<&'a Value>>> {
    let mut found = Vec::new();
    let mut longest: Vec<Vec<&Value>> = vec![Vec::new()];
    for length in 0..=most.min(values.len()) {
        if length > 0 {
            let longer = |array: &Vec<&'a Value>| {
                let others = values.iter().filter(|value| !array.iter().any(|other| ptr::eq(*other, **value)));
                others.map(|value| [array.as_slice(), &[*value]].concat()).collect::<Vec<_>>()
            };
            longest = longest.iter().flat_map(longer).collect();
        }
        if length >= least {
            found.extend(longest.iter().cloned());
        }
        if longest.len().max(found.len()) > ARRAYS_MAX {
            return None;
        }
    }
    Some(found)
}
