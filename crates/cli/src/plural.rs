//! How many things there are, in words.

/// `1 row`, `2 rows`.
pub(crate) fn counted(count: u64, thing: &str) -> String {
    format!("{count} {}", named(count, thing))
}

/// What things are called of which there are so many.
pub(crate) fn named(count: u64, thing: &str) -> String {
    match count {
        1 => thing.to_owned(),
        _ if thing.ends_with('x') => format!("{thing}es"),
        _ => format!("{thing}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_not_several() {
        for (count, thing, expected) in [
            (0, "row", "0 rows"),
            (1, "row", "1 row"),
            (2, "row", "2 rows"),
            (1, "box", "1 box"),
            (2, "box", "2 boxes"),
        ] {
            assert_eq!(counted(count, thing), expected);
        }
    }
}
