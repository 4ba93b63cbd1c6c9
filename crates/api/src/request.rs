//! Reading the body of a request.

use std::fmt;

use schemars::{JsonSchema, SchemaGenerator};
use serde::de::{DeserializeOwned, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use crate::fields::{self, Standing};

/// Longest part of a parser's message that is passed on: it may quote what was sent.
const MESSAGE_CHARS_MAX: usize = 300;
/// Characters of a path that are kept at its beginning and at its end: that of schemas within each other has more.
const PATH_CHARS_MAX: usize = 80;
/// Longest unknown field that is compared with the known ones; theirs are shorter.
const COMPARED_CHARS_MAX: usize = 64;

/// Why a body is no request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Malformed {
    /// What is wrong, and what to do.
    pub message: String,
    /// The field, e.g. `messages[0].content`; `None` where it is the body as a whole.
    pub param: Option<String>,
}

impl Malformed {
    /// A field that breaks a rule.
    pub fn field(param: impl Into<String>, message: impl Into<String>) -> Malformed {
        Malformed { message: message.into(), param: Some(param.into()) }
    }
}

/// A request that comes as a JSON object.
pub trait Request: Sized {
    /// The fields that change what is answered.
    fn fields() -> &'static [String];

    /// Reads the fields; others are passed over.
    ///
    /// # Errors
    /// It is not JSON, or a field has another kind of value.
    fn parse(body: &[u8]) -> Result<Self, Malformed>;

    /// Reads a body.
    ///
    /// # Errors
    /// It is not a JSON object, a field is not known, not supported, given twice or has another kind of value.
    fn read(body: &[u8]) -> Result<Self, Malformed> {
        if body.iter().all(u8::is_ascii_whitespace) {
            return Err(Malformed { message: "the body is empty: send a JSON object".to_owned(), param: None });
        }
        check_fields(body, Self::fields())?;
        Self::parse(body)
    }
}

/// Makes a type that is read as one piece a [`Request`].
macro_rules! whole_request {
    ($request:ty) => {
        impl $crate::Request for $request {
            fn fields() -> &'static [String] {
                static FIELDS: std::sync::LazyLock<Vec<String>> =
                    std::sync::LazyLock::new($crate::request::properties::<$request>);
                &FIELDS
            }

            fn parse(body: &[u8]) -> Result<Self, $crate::Malformed> {
                $crate::request::part(body)
            }
        }
    };
}
pub(crate) use whole_request;

/// Reads the fields of `T`, which may be some of the body's.
pub(crate) fn part<T: DeserializeOwned + JsonSchema>(body: &[u8]) -> Result<T, Malformed> {
    let mut json = serde_json::Deserializer::from_slice(body);
    serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        let param = (path != ".").then(|| cut(&path));
        let reason = error.inner().to_string();
        if let Some(field) = missing(&reason).filter(|_| param.is_none()) {
            return Malformed::field(field, format!("`{field}` is missing: this request needs it"));
        }
        let range = || param.as_deref().and_then(range::<T>);
        let reason = in_words_of_users(&reason).unwrap_or_else(|| shortened(&in_words_of_json(&reason, range)));
        let message = match &param {
            Some(param) => format!("`{param}`: {reason}"),
            None => format!("the request cannot be read: {reason}"),
        };
        Malformed { message, param }
    })
}

/// The field that serde says is missing.
fn missing(reason: &str) -> Option<&str> {
    reason.strip_prefix("missing field `")?.split('`').next()
}

/// What a whole number may be, where its field says so or its schema has both ends.
fn range<T: JsonSchema>(field: &str) -> Option<String> {
    if let Some(range) = fields::range(field) {
        return Some(range.to_owned());
    }
    let schema = T::json_schema(&mut SchemaGenerator::default());
    let field = schema.get("properties")?.get(field)?;
    Some(format!("from {} to {}", field.get("minimum")?.as_u64()?, field.get("maximum")?.as_u64()?))
}

/// What a parser of JSON says of what JSON may have and no request can, with what to do.
fn in_words_of_users(message: &str) -> Option<String> {
    let half =
        "half of a surrogate pair (`\\ud800` to `\\udfff`) is no character: send both halves, or the character itself";
    let deep = "it is nested too deeply: at most 127 objects and lists may be within each other";
    [
        ("lone leading surrogate in hex escape", half),
        ("unexpected end of hex escape", half),
        ("recursion limit exceeded", deep),
    ]
    .into_iter()
    .find_map(|(said, told)| Some(format!("{told} ({})", message.strip_prefix(said)?.trim())))
}

/// What serde says with what it expected as JSON calls it, not Rust. The range is asked for where a number is wanted: a whole schema is made for it.
fn in_words_of_json(message: &str, range: impl FnOnce() -> Option<String>) -> String {
    const EXPECTED: &str = ", expected ";
    let message = match message.strip_prefix("unknown variant ") {
        Some(rest) => &format!("unknown value {rest}"),
        None => message,
    };
    let Some(begin) = message.rfind(EXPECTED).map(|found| found + EXPECTED.len()) else { return message.to_owned() };
    let (before, rest) = message.split_at(begin);
    let names = [("invalid type: map", "invalid type: object"), ("invalid type: sequence", "invalid type: list")];
    let named = names.into_iter().find_map(|(said, name)| Some((name, before.strip_prefix(said)?)));
    let before = named.map_or_else(|| before.to_owned(), |(name, rest)| name.to_owned() + rest);
    let (expected, place) = rest.find(" at line ").map_or((rest, ""), |end| rest.split_at(end));
    let expected = match expected {
        "usize" | "u64" => match range() {
            Some(range) => &format!("a whole number {range}"),
            None => "a whole number from 0 on",
        },
        "u32" => "a whole number from 0 to 4294967295",
        "i32" => "a whole number from -2147483648 to 2147483647",
        "i64" => "a whole number from -9223372036854775808 to 9223372036854775807",
        "f32" | "f64" => "a number",
        "a sequence" => "a list",
        "a map" => "an object",
        "variant identifier" => "a text",
        "unit" => "null",
        expected if expected.starts_with("internally tagged enum ") => "an object with `type`",
        expected if expected.starts_with("struct ") => "an object",
        expected => expected,
    };
    format!("{before}{expected}{place}")
}

/// The names of a type's fields.
pub(crate) fn properties<T: JsonSchema>() -> Vec<String> {
    let schema = T::json_schema(&mut SchemaGenerator::default());
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.map(|properties| properties.keys().cloned().collect()).unwrap_or_default()
}

fn shortened(message: &str) -> String {
    match message.char_indices().nth(MESSAGE_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message.to_owned(),
    }
}

/// A path without its middle, where it is long.
fn cut(path: &str) -> String {
    let chars: Vec<char> = path.chars().collect();
    if chars.len() <= 2 * PATH_CHARS_MAX {
        return path.to_owned();
    }
    let [begin, end] = [&chars[..PATH_CHARS_MAX], &chars[chars.len() - PATH_CHARS_MAX..]].map(String::from_iter);
    format!("{begin}…{end}")
}

/// Goes through the body's keys. The whole body is checked to be JSON on the way.
fn check_fields(body: &[u8], known: &[String]) -> Result<(), Malformed> {
    let mut json = serde_json::Deserializer::from_slice(body);
    let wrong = json.deserialize_any(Keys { known }).and_then(|wrong| json.end().map(|()| wrong)).map_err(|error| {
        let reason = error.to_string();
        let reason = in_words_of_users(&reason).unwrap_or(reason);
        Malformed { message: format!("the body cannot be read as a JSON object: {reason}"), param: None }
    })?;
    wrong.map_or(Ok(()), Err)
}

struct Keys<'k> {
    known: &'k [String],
}

impl Keys<'_> {
    fn standing(&self, key: &str) -> Option<Standing> {
        if self.known.iter().any(|known| known == key) { Some(Standing::Read) } else { fields::standing(key) }
    }

    fn unknown(&self, key: &str) -> Malformed {
        let mut all: Vec<&str> = fields::names().collect();
        all.extend(self.known.iter().map(String::as_str));
        // Comparing takes as long as both lengths multiplied.
        let compared = all.into_iter().filter(|_| key.len() <= COMPARED_CHARS_MAX);
        let nearest = compared.map(|name| (strsim::damerau_levenshtein(key, name), name)).min();
        let key = shortened(key);
        let advice = match nearest {
            Some((distance, name)) if distance <= 1 + name.len() / 4 => format!("did you mean `{name}`?"),
            _ => "see /openapi.json for those that there are".to_owned(),
        };
        Malformed::field(key.clone(), format!("the field `{key}` is not known: {advice}"))
    }
}

impl<'de> Visitor<'de> for Keys<'_> {
    type Value = Option<Malformed>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Option<Malformed>, A::Error> {
        let mut seen: Vec<String> = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            if seen.contains(&key) {
                return Err(A::Error::custom(format!("the field `{}` is there twice", shortened(&key))));
            }
            let wrong = match self.standing(&key) {
                Some(Standing::Read | Standing::Harmless) => {
                    map.next_value::<IgnoredAny>()?;
                    None
                }
                Some(Standing::Unsupported { idle, reason }) => {
                    let value = map.next_value::<Value>()?;
                    let is_idle = value.is_null() || idle.contains(&value.to_string().as_str());
                    (!is_idle).then(|| Malformed::field(key.clone(), format!("`{key}` is not supported: {reason}")))
                }
                None => {
                    map.next_value::<IgnoredAny>()?;
                    Some(self.unknown(&key))
                }
            };
            // Of what is wrong the first is told: the rest need only be JSON, however much it is.
            if wrong.is_some() {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                return Ok(wrong);
            }
            // Fields that are known are few.
            seen.push(key);
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who sends what is refused would have the server make a schema each time.
    #[test]
    fn a_range_is_looked_up_where_a_number_is_wanted() {
        let said = |expected: &str, range: fn() -> Option<String>| {
            in_words_of_json(&format!("invalid type: null, expected {expected} at line 1 column 9"), range)
        };
        for (expected, told) in [("a sequence", "a list"), ("u32", "a whole number from 0 to 4294967295")] {
            let told = format!("invalid type: null, expected {told} at line 1 column 9");
            assert_eq!(said(expected, || panic!("it is no number with a range")), told);
        }
        let told = "invalid type: null, expected a whole number from 1 to 20 at line 1 column 9";
        assert_eq!(said("usize", || Some("from 1 to 20".to_owned())), told);
    }
}
