//! Lines of a file of text.

use std::path::Path;

use crate::error::{Error, Place, Result};
use crate::input::Input;

/// The most bytes that a line or a record may have: far more than one that can be learned from, and little enough to hold.
pub(crate) const RECORD_BYTES_MAX: usize = 128 << 20;

/// Reads a file line by line.
pub(crate) struct Lines {
    input: Input,
    number: u64,
}

/// A record as it stands in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Raw {
    pub(crate) place: Place,
    pub(crate) bytes: Vec<u8>,
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
            while bytes.last().is_some_and(|&byte| byte == b'\n' || byte == b'\r') {
                bytes.pop();
            }
            let place = Place { line: self.number, item: None };
            if bytes.len() > RECORD_BYTES_MAX {
                return Err(too_long(self.input.path(), place));
            }
            if !bytes.trim_ascii().is_empty() {
                return Ok(Some(Raw { place, bytes }));
            }
        }
    }
}

pub(crate) fn too_long(path: &Path, place: Place) -> Error {
    let limit = RECORD_BYTES_MAX >> 20;
    let reason = format!("the record is longer than {limit} MiB, the most that one may be; divide it into several");
    Error::Records { path: path.to_path_buf(), place, reason }
}
