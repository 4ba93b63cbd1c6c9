//! What keys and adapters may be called: their names stand in lines of the log, in metrics and in lists.

use std::ops::RangeInclusive;

/// Longest name.
const BYTES_MAX: usize = 100;

/// Characters beside Unicode's control characters that end lines (categories Zl and Zp) or are not seen, and change the order of what is (Cf), of Unicode 16.
const UNSEEN: [RangeInclusive<char>; 21] = [
    '\u{ad}'..='\u{ad}',
    '\u{600}'..='\u{605}',
    '\u{61c}'..='\u{61c}',
    '\u{6dd}'..='\u{6dd}',
    '\u{70f}'..='\u{70f}',
    '\u{890}'..='\u{891}',
    '\u{8e2}'..='\u{8e2}',
    '\u{180e}'..='\u{180e}',
    '\u{200b}'..='\u{200f}',
    '\u{2028}'..='\u{202e}',
    '\u{2060}'..='\u{2064}',
    '\u{2066}'..='\u{206f}',
    '\u{feff}'..='\u{feff}',
    '\u{fff9}'..='\u{fffb}',
    '\u{110bd}'..='\u{110bd}',
    '\u{110cd}'..='\u{110cd}',
    '\u{13430}'..='\u{1343f}',
    '\u{1bca0}'..='\u{1bca3}',
    '\u{1d173}'..='\u{1d17a}',
    '\u{e0001}'..='\u{e0001}',
    '\u{e0020}'..='\u{e007f}',
];

/// Checks the name of an adapter, wherever it comes from: a request, an argument, or the folder of adapters.
///
/// # Errors
/// It is empty, too long, `.` or `..`, begins or ends with white space, or has a comma or a character that ends lines or is not seen.
pub fn check_adapter_name(name: &str) -> Result<(), String> {
    if name.contains(',') {
        return Err("the name of an adapter should have no comma, which stands between names in lists".to_owned());
    }
    if [".", ".."].contains(&name) {
        return Err("the name of an adapter should be another than `.` and `..`, which stand for folders".to_owned());
    }
    if name.trim() != name {
        return Err("the name of an adapter should neither begin nor end with white space".to_owned());
    }
    check_name("an adapter", name)
}

/// Checks a name; `whose` is as in `a key`.
///
/// # Errors
/// It is empty, too long, or has a character that ends lines or is not seen.
pub fn check_name(whose: &str, name: &str) -> Result<(), String> {
    let is_unseen = |character: char| character.is_control() || UNSEEN.iter().any(|range| range.contains(&character));
    let is_one = (1..=BYTES_MAX).contains(&name.len()) && !name.chars().any(is_unseen);
    is_one.then_some(()).ok_or_else(|| format!("the name of {whose} should have 1 to {BYTES_MAX} bytes, all printed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_seen_as_they_are() {
        for name in ["poet", "org/poet v1.2", "詩人", "poète", "a\"b", &"x".repeat(100)] {
            assert_eq!(check_adapter_name(name), Ok(()), "{name:?}");
        }
        for name in [
            "",
            "a\nb",
            "a\u{85}b",
            "a\u{2028}b",
            "a\u{2029}b",
            "a\u{202e}b",
            "a\u{200b}b",
            "\u{feff}a",
            &"x".repeat(101),
        ] {
            assert!(check_name("a key", name).is_err() && check_adapter_name(name).is_err(), "{name:?}");
        }
        for name in ["a,b", " a1", "a1 ", "\u{3000}a1", ".", ".."] {
            assert!(check_name("a key", name).is_ok() && check_adapter_name(name).is_err(), "{name:?}");
        }
    }
}
