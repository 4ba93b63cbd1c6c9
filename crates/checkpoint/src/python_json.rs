//! JSON as Python writes it for models: with floats that JSON lacks.

use std::borrow::Cow;
use std::path::Path;

use serde::de::DeserializeOwned;

use crate::error::Error;
use crate::model_folder::{parse, read_bytes};

/// What Python writes for floats that are no numbers.
const FLOATS: [&str; 3] = ["-Infinity", "Infinity", "NaN"];

/// As [`crate::read_json`], for what Python writes for models: `config.json` and `generation_config.json`. `Infinity`, `-Infinity` and `NaN`
/// are read as `{"__float__": "Infinity"}` and so on: the form in which transformers writes them since version 5, and reads them back.
///
/// # Errors
/// As [`crate::read_json`].
pub fn read_config<T: DeserializeOwned>(path: impl AsRef<Path>) -> Result<T, Error> {
    let path = path.as_ref();
    let bytes = read_bytes(path)?;
    // What is not UTF-8 is refused by the parser, which tells the place.
    match std::str::from_utf8(&bytes) {
        Ok(json) => parse(path, with_tagged_floats(json).as_bytes()),
        Err(_) => parse(path, &bytes),
    }
}

/// The same JSON with an object for each of [`FLOATS`] that stands outside of strings.
fn with_tagged_floats(json: &str) -> Cow<'_, str> {
    if !FLOATS.iter().any(|float| json.contains(float)) {
        return Cow::Borrowed(json);
    }
    let (mut tagged, mut rest) = (String::with_capacity(json.len()), json);
    while let Some(first) = rest.chars().next() {
        let float = FLOATS.iter().find(|float| rest.starts_with(**float));
        let length = match (first, float) {
            ('"', _) => string_length(rest),
            (_, Some(float)) => float.len(),
            _ => first.len_utf8(),
        };
        match float {
            Some(float) => tagged.push_str(&format!("{{\"__float__\":\"{float}\"}}")),
            None => tagged.push_str(&rest[..length]),
        }
        rest = &rest[length..];
    }
    Cow::Owned(tagged)
}

/// The bytes of the string that `json` begins with, quotation marks included; all of it where the string has no end.
fn string_length(json: &str) -> usize {
    let mut escaped = true; // The opening mark ends nothing.
    let end = json.bytes().position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(json.len(), |end| end + 1)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::{Value, json};

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Value) {
        let folder = tempfile::tempdir().expect("there is room");
        let path = folder.path().join("config.json");
        fs::write(&path, text).expect("there is room");
        assert_eq!(read_config::<Value>(&path).expect("it is read"), expected, "{text}");
    }

    #[test]
    fn floats_that_json_lacks_are_read() {
        let float = |name: &str| json!({ "__float__": name });
        check(r#"{"a": [0.0, Infinity]}"#, json!({"a": [0.0, float("Infinity")]}));
        check("[-Infinity,NaN, -1]", json!([float("-Infinity"), float("NaN"), -1]));
        check("Infinity", float("Infinity"));
        check("\u{feff}{\"a\": NaN}", json!({"a": float("NaN")}));
    }

    #[test]
    fn in_strings_they_are_words() {
        check(r#"{"NaN": "to Infinity"}"#, json!({"NaN": "to Infinity"}));
        check(r#"["\"NaN", "\\", "é NaN\\\"", "-Infinity"]"#, json!(["\"NaN", "\\", "é NaN\\\"", "-Infinity"]));
    }

    #[test]
    fn what_is_no_json_is_refused() {
        let folder = tempfile::tempdir().expect("there is room");
        let path = folder.path().join("config.json");
        for text in [
            r#"{"a": Infinityx}"#,
            r#"{"a": 1Infinity}"#,
            r#"{"a": "NaN"#,
            r#"{"a": "\"#,
            r#"{NaN: 1}"#,
            "+Infinity",
            "nan",
        ] {
            fs::write(&path, text).expect("there is room");
            let refused = read_config::<Value>(&path).expect_err("it is no JSON").to_string();
            assert!(
                refused.contains("config.json cannot be understood") && refused.contains("line 1 column"),
                "{refused}"
            );
        }
    }
}
