//! Lines of a file of text.

use std::path::Path;

use crate::error::{Error, Place, Result};
use crate::input::Input;

/// The most bytes that a line or a record may have: far more than one that can be learned from, and little enough to hold.
pub(crate) const RECORD_BYTES_MAX: usize = 128 << 20;
/// What is held at a time of a line that is passed over.
const SKIPPED_BYTES: u64 = 1 << 20;

/// Reads a file line by line.
pub(crate) struct Lines {
    input: Input,
    number: u64,
}

/// A record as it stands in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Raw {
    pub(crate) place: Place,
    /// `None` where there are more than [`RECORD_BYTES_MAX`].
    bytes: Option<Vec<u8>>,
}

impl Raw {
    /// `bytes` is `None` where there are more than [`RECORD_BYTES_MAX`].
    pub(crate) fn new(place: Place, bytes: Option<Vec<u8>>) -> Self {
        Raw { place, bytes }
    }

    /// Bytes that are held of it.
    pub(crate) fn bytes_held(&self) -> usize {
        self.bytes.as_ref().map_or(0, Vec::len)
    }

    /// What it says.
    ///
    /// # Errors
    /// It is longer than a record may be, or not UTF-8; `path` is its file.
    pub(crate) fn text(&self, path: &Path) -> Result<&str> {
        let Some(bytes) = &self.bytes else {
            let limit = RECORD_BYTES_MAX >> 20;
            let reason = format!("the record is longer than {limit} MiB, the most that one may be");
            return Err(Error::line(path, self.place, reason));
        };
        std::str::from_utf8(bytes).map_err(|error| {
            let (at, what) = (error.valid_up_to() + 1, self.place.what());
            Error::line(path, self.place, format!("invalid UTF-8 at byte {at} of the {what}"))
        })
    }
}

impl Lines {
    pub(crate) fn new(input: Input) -> Self {
        Lines { input, number: 0 }
    }

    pub(crate) fn input(&self) -> &Input {
        &self.input
    }

    /// The next line that is not blank, without its line end.
    pub(crate) fn next_line(&mut self) -> Result<Option<Raw>> {
        loop {
            let mut bytes = Vec::new();
            // One more than may be, with its line end.
            if self.input.read_line(&mut bytes, RECORD_BYTES_MAX as u64 + 2)? == 0 {
                return Ok(None);
            }
            self.number += 1;
            let ends = bytes.ends_with(b"\n");
            while bytes.last().is_some_and(|&byte| byte == b'\n' || byte == b'\r') {
                bytes.pop();
            }
            let place = Place { line: self.number, item: None };
            if bytes.len() > RECORD_BYTES_MAX {
                if !ends {
                    self.skip_line()?;
                }
                return Ok(Some(Raw::new(place, None)));
            }
            if !bytes.trim_ascii().is_empty() {
                return Ok(Some(Raw::new(place, Some(bytes))));
            }
        }
    }

    /// Passes over the rest of the line, and its end.
    fn skip_line(&mut self) -> Result<()> {
        let mut part = Vec::new();
        loop {
            part.clear();
            if self.input.read_line(&mut part, SKIPPED_BYTES)? == 0 || part.ends_with(b"\n") {
                return Ok(());
            }
        }
    }
}
