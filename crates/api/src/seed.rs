//! Seeds of draws.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};

use crate::whole;

/// A seed: any whole number of 64 bits, with a sign or without. A negative one is the number without a sign of the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed(pub u64);

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seed, D::Error> {
        deserializer.deserialize_u64(Bits)
    }
}

struct Bits;

impl Visitor<'_> for Bits {
    type Value = Seed;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from {} to {}", i64::MIN, u64::MAX)
    }

    fn visit_u64<E: Error>(self, seed: u64) -> Result<Seed, E> {
        Ok(Seed(seed))
    }

    fn visit_i64<E: Error>(self, seed: i64) -> Result<Seed, E> {
        Ok(Seed(seed.cast_unsigned()))
    }

    fn visit_f64<E: Error>(self, seed: f64) -> Result<Seed, E> {
        match whole::of_float(seed) {
            Some(seed) => self.visit_i64(seed),
            None => Err(E::invalid_type(Unexpected::Float(seed), &self)),
        }
    }
}

impl JsonSchema for Seed {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Seed".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "integer", "minimum": i64::MIN, "maximum": u64::MAX})
    }
}
