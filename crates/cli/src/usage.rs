//! Wrong usage that clap does not find.

use std::error::Error;
use std::fmt;

/// Arguments that a command refuses whatever it would meet: with exit code 2, as clap refuses others.
#[derive(Debug)]
pub(crate) struct Misuse(pub(crate) String);

/// The exit code.
pub(crate) const MISUSE: u8 = 2;

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Misuse {}
