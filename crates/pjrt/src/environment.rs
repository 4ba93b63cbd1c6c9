//! Variables of the process's environment.

use std::env;
use std::sync::{PoisonError, RwLock};

/// Held alone where a variable is set, and with others by those who look variables up in C.
static TURN: RwLock<()> = RwLock::new(());

/// Makes something that looks variables of the environment up, while what `wanted` says is set, if it says anything. It is asked for what others have
/// set for good: nobody sets one meanwhile.
///
/// To be called around making a client, since what a plugin's options do not say it looks up then. Not to be called within `make`, nor at once for
/// two of a group of processes in one process, which wait for each other.
pub fn with_variable<N, T>(wanted: impl Fn() -> Option<(N, String)>, make: impl FnOnce() -> T) -> T
where
    N: AsRef<str>,
{
    let beside_others = TURN.read().unwrap_or_else(PoisonError::into_inner);
    if wanted().is_none() {
        return make();
    }
    drop(beside_others);
    let _alone = TURN.write().unwrap_or_else(PoisonError::into_inner);
    let wanted = wanted();
    let _set = wanted.as_ref().map(|(name, value)| Set::new(name.as_ref(), value));
    make()
}

/// Loads a library whose initialisers look variables up.
pub(crate) fn with_variables_as_they_are<T>(load: impl FnOnce() -> T) -> T {
    let _beside_others = TURN.read().unwrap_or_else(PoisonError::into_inner);
    load()
}

/// A variable that is set until this is dropped.
struct Set<'n>(&'n str);

impl<'n> Set<'n> {
    fn new(name: &'n str, value: &str) -> Set<'n> {
        // SAFETY: readers in Rust are kept away by the standard library. Those in C are plugins', which look variables up when they are loaded and when
        // they make a client, and have the turn then; glibc itself keeps what it once gave a reader.
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
        let set = |value: &'static str| move || Some((name, value.to_owned()));
        assert_eq!(with_variable(set("7"), || env::var(name).ok()).as_deref(), Some("7"));
        assert_eq!(env::var_os(name), None);
        assert!(
            std::panic::catch_unwind(|| with_variable(set("7"), || panic!("a client that does not start"))).is_err()
        );
        assert_eq!(env::var_os(name), None);
        assert_eq!(with_variable(set("8"), || env::var(name).ok()).as_deref(), Some("8"));
        assert_eq!(with_variable(|| None::<(&str, String)>, || env::var(name).ok()), None);
    }
}
