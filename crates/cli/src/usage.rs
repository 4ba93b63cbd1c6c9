//! Wrong usage: what clap does not find, and what it would say in numbers that nobody reads.

use std::error::Error;
use std::fmt;

/// Arguments that a command refuses whatever it would meet: with exit code 2, as clap refuses others.
#[derive(Debug)]
pub(crate) struct Misuse(pub(crate) String);

/// The exit code.
pub(crate) const MISUSE: u8 = 2;

/// A count of any size, of which clap's range would name the largest.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    text.parse().ok().filter(|count| *count > 0).ok_or_else(|| "it should be a whole number from 1 on".to_owned())
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Misuse {}
