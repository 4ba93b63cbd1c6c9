//! Whole numbers, which some clients write as floats: JSON has one kind of number, and JavaScript, Lua and spreadsheets know no other.

use std::any::type_name;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, IntoDeserializer, Visitor};

/// Floats up to here are each one whole number.
const EXACT_MAX: f64 = 9_007_199_254_740_991.0;

/// The whole number that a float is; `None` if it is none, or may be several.
pub(crate) fn of_float(float: f64) -> Option<i64> {
    (float.fract() == 0.0 && float.abs() <= EXACT_MAX).then_some(float as i64)
}

/// A field that may be null.
pub(crate) fn option<'de, D: Deserializer<'de>, N: Deserialize<'de>>(deserializer: D) -> Result<Option<N>, D::Error> {
    Ok(Option::deserialize(deserializer)?.map(Whole::into_inner))
}

/// A list.
pub(crate) fn list<'de, D: Deserializer<'de>, N: Deserialize<'de>>(deserializer: D) -> Result<Vec<N>, D::Error> {
    Vec::deserialize(deserializer).map(all)
}

/// A list that may be null.
pub(crate) fn option_list<'de, D: Deserializer<'de>, N: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<Vec<N>>, D::Error> {
    Ok(Option::deserialize(deserializer)?.map(all))
}

/// A number of the type `N`, of which it has the errors.
pub(crate) struct Whole<N>(N);

impl<N> Whole<N> {
    pub(crate) fn into_inner(self) -> N {
        self.0
    }
}

/// The numbers of a list.
pub(crate) fn all<N>(list: Vec<Whole<N>>) -> Vec<N> {
    list.into_iter().map(Whole::into_inner).collect()
}

impl<'de, N: Deserialize<'de>> Deserialize<'de> for Whole<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Number(PhantomData)).map(Whole)
    }
}

struct Number<N>(PhantomData<N>);

impl<'de, N: Deserialize<'de>> Visitor<'de> for Number<N> {
    type Value = N;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(type_name::<N>())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<N, E> {
        N::deserialize(number.into_deserializer())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<N, E> {
        N::deserialize(number.into_deserializer())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<N, E> {
        match of_float(number) {
            Some(whole) => N::deserialize(whole.into_deserializer()),
            None => N::deserialize(number.into_deserializer()),
        }
    }
}
