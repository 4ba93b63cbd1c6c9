//! Variables of the process's environment.

use std::env;
use std::sync::{Mutex, PoisonError};

/// Sets a variable while something is made that reads it, one at a time.
///
/// To be called around making a client: what a plugin's options do not say it looks up then.
pub fn with_variable<T>(name: &str, value: &str, make: impl FnOnce() -> T) -> T {
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let _set = Set::new(name, value);
    make()
}

/// A variable that is set until this is dropped.
struct Set<'n>(&'n str);

impl<'n> Set<'n> {
    fn new(name: &'n str, value: &str) -> Set<'n> {
        // SAFETY: readers in Rust are kept away by the standard library. Those in C are plugins', which look variables up when they are loaded and when
        // they make a client, and do so here under the turn; glibc itself keeps what it once gave a reader.
        unsafe { env::set_var(name, value) };
        Set(name)
    }
}

impl Drop for Set<'_> {
    fn drop(&mut self) {
        // SAFETY: as where it was set.
        unsafe { env::remove_var(self.0) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_is_there_for_as_long_as_it_is_needed() {
        let name = "FINERY_TEST_VARIABLE";
        assert_eq!(with_variable(name, "7", || env::var(name).ok()).as_deref(), Some("7"));
        assert_eq!(env::var_os(name), None);
        assert!(
            std::panic::catch_unwind(|| with_variable(name, "7", || panic!("a client that does not start"))).is_err()
        );
        assert_eq!(env::var_os(name), None);
        assert_eq!(with_variable(name, "8", || env::var(name).ok()).as_deref(), Some("8"));
    }
}
