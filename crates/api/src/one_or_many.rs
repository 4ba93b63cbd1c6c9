//! A field that is one thing or a list of them.

use schemars::JsonSchema;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error};
use serde_json::Value;

/// One, or a list.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(untagged)]
pub enum OneOrMany<T> {
    /// One alone.
    One(T),
    /// A list.
    Many(Vec<T>),
}

impl<T> OneOrMany<T> {
    /// All of them.
    pub fn into_vec(self) -> Vec<T> {
        match self {
            OneOrMany::One(one) => vec![one],
            OneOrMany::Many(many) => many,
        }
    }
}

// By hand: what serde derives says only that no variant matched.
impl<'de, T: DeserializeOwned> Deserialize<'de> for OneOrMany<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Array(many) => {
                let many = many.into_iter().map(serde_json::from_value);
                Ok(OneOrMany::Many(many.collect::<Result<_, _>>().map_err(D::Error::custom)?))
            }
            one => Ok(OneOrMany::One(serde_json::from_value(one).map_err(D::Error::custom)?)),
        }
    }
}
