//! Loads and stores of blocks that an array may end in: where it does not, without a mask, which would make of each a condition.

use crate::Value;

/// A part of a width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) first: usize,
    pub(crate) size: usize,
    /// Whether it reaches beyond the width.
    pub(crate) is_cut: bool,
}

/// A width in powers of two of no more than `most`, so that little is computed for nothing: 96 = 64 + 32. Products have at least 16 terms.
pub(crate) fn parts(width: usize, most: usize) -> impl Iterator<Item = Part> {
    let size_at = move |first: usize| (1 << (width - first).next_multiple_of(16).ilog2()).min(most);
    let part = move |first: usize| Part { first, size: size_at(first), is_cut: first + size_at(first) > width };
    let next = move |part: &Part| Some(part.first + part.size).filter(|first| *first < width);
    std::iter::successors((width > 0).then(|| part(0)), move |before| next(before).map(part))
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_split_into_powers_of_two() {
        for (width, most, expected) in [
            (96, usize::MAX, vec![(0, 64, false), (64, 32, false)]),
            (5, usize::MAX, vec![(0, 16, true)]),
            (80, 32, vec![(0, 32, false), (32, 32, false), (64, 16, false)]),
            (140, usize::MAX, vec![(0, 128, false), (128, 16, true)]),
            (0, 128, vec![]),
        ] {
            let found: Vec<_> = parts(width, most).map(|Part { first, size, is_cut }| (first, size, is_cut)).collect();
            assert_eq!(found, expected, "{width}");
        }
    }
}
