//! Loads and stores of blocks that an array may end in: where it does not, without a mask, which would make of each a condition.

use crate::Value;

/// Where both are true; `None` is true everywhere.
pub(crate) fn both<'k>(a: Option<Value<'k>>, b: Option<Value<'k>>) -> Option<Value<'k>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.and(b)),
        (a, b) => a.or(b),
    }
}

/// What places hold, 0 where the mask is false.
pub(crate) fn load<'k>(places: Value<'k>, mask: Option<Value<'k>>) -> Value<'k> {
    match mask {
        Some(mask) => places.load_where(mask, 0.0),
        None => places.load(),
    }
}

/// Writes where the mask is true.
pub(crate) fn store<'k>(places: Value<'k>, value: Value<'k>, mask: Option<Value<'k>>) {
    match mask {
        Some(mask) => places.store_where(value, mask),
        None => places.store(value),
    }
}
