//! The key or value that a misspelt one was meant to be.

/// Shorter words begin too many others.
const PREFIX_MIN: usize = 6;

/// The candidate nearest to `word` by edits (Damerau-Levenshtein, so that swapped letters count once), if it is near
/// enough to be meant: at most one edit in four letters, or one of the two begins with the other.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.replace('-', "_").to_lowercase();
    let limit = word.chars().count().div_ceil(4);
    let is_prefix = |short: &str, long: &str| short.len() >= PREFIX_MIN && long.starts_with(short);
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&word, candidate), candidate))
        .filter(|(edits, candidate)| *edits <= limit || is_prefix(&word, candidate) || is_prefix(candidate, &word))
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, candidate)| candidate)
}

/// "`a`, `b` or `c`".
pub(crate) fn alternatives<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<_> = words.into_iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.join(""),
    }
}
