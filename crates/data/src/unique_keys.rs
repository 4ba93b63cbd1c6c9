//! JSON none of whose objects has a key twice.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Value};

/// A value that is read from JSON, at no depth of which an object has a key twice: of two a map would have the last, and nobody would notice. serde_json tells
/// of such a key by an error of data ([`serde_json::Error::is_data`]), as it tells of nothing else here.
#[derive(Clone, Debug, PartialEq)]
pub struct UniqueKeys(pub Value);

impl<'de> Deserialize<'de> for UniqueKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(EachOnce).map(UniqueKeys)
    }
}

struct EachOnce;

impl<'de> Visitor<'de> for EachOnce {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(UniqueKeys(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some(name) = map.next_key::<String>()? {
            match fields.entry(name) {
                Entry::Occupied(there) => {
                    return Err(A::Error::custom(format!("the key {:?} is there twice", there.key())));
                }
                Entry::Vacant(place) => _ = place.insert(map.next_value::<UniqueKeys>()?.0),
            }
        }
        Ok(Value::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_each_key_once_is_read_as_any_json() {
        for text in [
            r#"[null, true, -1, 18446744073709551615, 0.1, -0.0, 1e300, "a\n\u00e9", [], {}]"#,
            r#"{"b": {"a": [{"a": 1}, {"a": 2}]}, "a": "b"}"#,
            "1e999",
            "[1,]",
            "",
        ] {
            let read: Result<UniqueKeys, _> = serde_json::from_str(text);
            let expected: Result<Value, _> = serde_json::from_str(text);
            let is_data = read.as_ref().is_err_and(serde_json::Error::is_data);
            let told = |error: serde_json::Error| error.to_string();
            assert_eq!(read.map(|read| read.0).map_err(told), expected.map_err(told), "{text}");
            assert!(!is_data, "{text}");
        }
        let twice = serde_json::from_str::<UniqueKeys>(r#"[{"a": {"b": 1, "b": 1}}]"#).unwrap_err();
        assert!(twice.is_data() && twice.to_string().starts_with("the key \"b\" is there twice at line 1"), "{twice}");
    }
}
