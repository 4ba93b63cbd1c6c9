//! What the library's form of a schema takes, in memory and in time.

use std::collections::HashMap;

use serde_json::Value;

use crate::schema::pattern::Cost;

/// What a schema, a name or a value takes beside its text, in bytes.
pub(super) const NODE_BYTES: usize = 300;
/// Microseconds of the library for a value without parts, for one with parts, and for each of these.
const SCALAR_MICROS: usize = 4;
const OBJECT_MICROS: usize = 20;
const PART_MICROS: usize = 40;
/// Sequences of properties are looked up by all that is left of them: pairs of names in a microsecond.
const PAIRS_PER_MICRO: usize = 40;

/// What one schema takes: bytes where it is put together, and microseconds where a grammar is made of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Weight {
    pub(super) bytes: usize,
    pub(super) micros: usize,
}

impl Weight {
    /// That of a schema that the library keeps as a reference or has no parts of.
    pub(super) const LEAST: Weight = Weight { bytes: NODE_BYTES, micros: SCALAR_MICROS };

    /// That of an object, or of an array, but for what its parts are.
    pub(super) fn of_parts(parts: usize, names: usize) -> Weight {
        let pairs = names.saturating_mul(names) / PAIRS_PER_MICRO;
        Weight { bytes: NODE_BYTES * (1 + parts), micros: OBJECT_MICROS + PART_MICROS * parts + pairs }
    }

    /// That of a value which is named in full.
    pub(super) fn of_literal(value: &Value) -> Weight {
        match value {
            Value::String(text) => Weight { bytes: NODE_BYTES + text.len(), ..Weight::LEAST },
            Value::Array(values) => {
                values.iter().map(Weight::of_literal).fold(Weight::of_parts(values.len(), 0), Weight::and)
            }
            Value::Object(members) => {
                let of_names = Weight { bytes: members.keys().map(String::len).sum(), micros: 0 };
                let whole = Weight::of_parts(members.len(), members.len()).and(of_names);
                members.values().map(Weight::of_literal).fold(whole, Weight::and)
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => Weight::LEAST,
        }
    }

    pub(super) fn and(self, other: Weight) -> Weight {
        let Weight { bytes, micros } = other;
        Weight { bytes: self.bytes.saturating_add(bytes), micros: self.micros.saturating_add(micros) }
    }

    pub(super) fn times(self, count: usize) -> Weight {
        Weight { bytes: self.bytes.saturating_mul(count), micros: self.micros.saturating_mul(count) }
    }
}

/// What the patterns of one object take where it is put together with another schema: all pairs of them are looked at, each in a copy of the store of all
/// their expressions, and names are matched by each of them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Patterns {
    pub(super) count: usize,
    store_bytes: usize,
    /// The most that one takes to be gone through.
    fuel: usize,
    /// Microseconds to match a letter by each of them that counts; those of others are known from the names before.
    letter_micros: usize,
}

/// What the library spends on a pair at the most.
const PAIR_FUEL_MAX: usize = 10_000;
const PAIR_MICROS: usize = 10;

impl Patterns {
    pub(super) fn add(&mut self, pattern: &str, costs: &HashMap<String, Cost>) {
        let cost = Cost::of(pattern, costs);
        self.count += 1;
        self.store_bytes += cost.store_bytes;
        self.fuel = self.fuel.max(cost.fuel);
        self.letter_micros = self.letter_micros.saturating_add(cost.letter_micros() - 1);
    }

    /// Beside so many names of so many bytes.
    pub(super) fn micros(&self, names: usize, name_bytes: usize) -> usize {
        let pairs = self.count * self.count / 2;
        // Their product's states.
        let fuel = (self.fuel.saturating_mul(self.fuel) / 9 + 2 * self.fuel).min(PAIR_FUEL_MAX);
        let pair = PAIR_MICROS + self.store_bytes / 5_000 + fuel / 20;
        let matched = self
            .letter_micros
            .saturating_mul(name_bytes)
            .saturating_add(self.count.saturating_mul(names / 4 + name_bytes / 50));
        pairs.saturating_mul(pair).saturating_add(matched)
    }
}
