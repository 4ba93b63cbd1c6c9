//! Whether what comes next fits into the memory that is left, before it is made: a process that takes too much is killed without a word.

use graph::ParamSpec;
use runtime::{BoundProgram, Bytes, Memory, Session};

use crate::error::{Error, Result};

/// Refuses a program that takes more, beside arguments that are on the device already, than is free.
pub(crate) fn check_program(session: &Session, program: &BoundProgram, what: impl FnOnce() -> String) -> Result<()> {
    // A plugin that does not count cannot be asked.
    let Ok(planned) = program.executable().program().memory_stats() else { return Ok(()) };
    check(session, u128::from(planned.total().saturating_sub(planned.argument)), what)
}

/// Refuses arrays that are larger than what is free.
pub(crate) fn check_arrays(session: &Session, specs: &[ParamSpec], what: impl FnOnce() -> String) -> Result<()> {
    let bytes = |spec: &ParamSpec| spec.element_count() as u128 * spec.dtype.size() as u128;
    check(session, specs.iter().map(bytes).sum(), what)
}

fn check(session: &Session, needed: u128, what: impl FnOnce() -> String) -> Result<()> {
    compare(session.memory()?, needed, what)
}

fn compare(memory: Option<Memory>, needed: u128, what: impl FnOnce() -> String) -> Result<()> {
    match memory {
        Some(Memory { free, total, .. }) if needed > u128::from(free) => Err(Error::TooLarge {
            what: what(),
            needed: Bytes(needed),
            free: Bytes(free.into()),
            total: Bytes(total.into()),
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_refused_with_its_size() {
        let memory = Some(Memory { total: 24_000_000_000, free: 8_100_000_000, peak: None });
        let what = || "scoring 1 x 32768 tokens at a time".to_owned();
        assert!(compare(memory, 8_100_000_000, what).is_ok() && compare(None, u128::MAX, what).is_ok());
        let refused = compare(memory, 51_200_000_000, what).expect_err("it does not fit").to_string();
        let expected = "scoring 1 x 32768 tokens at a time takes 51.2 GB of memory beside the model, and 8.1 GB of the device's \
                        24.0 GB are free: a smaller context takes less";
        assert_eq!(refused, expected);
    }
}
