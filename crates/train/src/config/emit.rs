//! A resolved configuration as YAML text that reads back to the same value.

use std::fmt::Write;

use serde_json::Value;

use super::source::plain_scalar;

/// A map as a YAML document in block style.
pub(crate) fn document(value: &Value) -> String {
    let mut out = String::new();
    block(value, 0, &mut out);
    out
}

/// A value on one line; maps and lists in flow style, which is JSON.
pub(crate) fn inline(value: &Value) -> String {
    match value {
        Value::String(text) if is_plain(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A map or list over several lines; anything else, and what is empty, on one.
fn block(value: &Value, indent: usize, out: &mut String) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (key, value) in map {
                let key = if is_plain(key) { key.clone() } else { Value::from(key.as_str()).to_string() };
                let mut lines = String::new();
                block(value, indent + 2, &mut lines);
                let separator = if is_block(value) { '\n' } else { ' ' };
                let lines = if is_block(value) { &lines } else { lines.trim_start() };
                _ = write!(out, "{:indent$}{key}:{separator}{lines}", "");
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for item in items {
                // The item's first line takes the place of its indentation after the dash: `- path: …`.
                let mut lines = String::new();
                block(item, indent + 2, &mut lines);
                _ = write!(out, "{:indent$}- {}", "", lines.trim_start());
            }
        }
        short => _ = writeln!(out, "{:indent$}{}", "", inline(short)),
    }
}

fn is_block(value: &Value) -> bool {
    match value {
        Value::Object(map) => !map.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => false,
    }
}

/// Whether a string can stand without quotes: nothing in it means something to YAML, and it reads as no other type.
fn is_plain(text: &str) -> bool {
    let safe = |c: char| c.is_ascii_alphanumeric() || "_./-".contains(c);
    text.starts_with(|c: char| c.is_ascii_alphabetic() || "_./".contains(c))
        && text.chars().all(safe)
        && plain_scalar(text).is_string()
}
