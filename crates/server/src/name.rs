//! What keys and adapters may be called: their names stand in lines of the log, in metrics and in lists.

/// Longest name.
const BYTES_MAX: usize = 100;

/// Checks a name; `whose` is as in `a key`.
///
/// # Errors
/// It is empty, too long, or has a character that ends lines or is not seen.
pub fn check_name(whose: &str, name: &str) -> Result<(), String> {
    let is_one = (1..=BYTES_MAX).contains(&name.len()) && !name.chars().any(char::is_control);
    is_one.then_some(()).ok_or_else(|| format!("the name of {whose} should have 1 to {BYTES_MAX} bytes, all printed"))
}
