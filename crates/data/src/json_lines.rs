//! The objects of a JSON file, for commands that read a file once and keep nothing of it.

use std::path::Path;

use serde_json::{Map, Value};

use crate::error::Result;
use crate::records::{Records, parse_object};

/// The objects of a JSONL file or of one JSON array, plain or compressed, each with the number of the line that it begins
/// in, from 1. Blank lines are passed over.
///
/// What is wrong with a record is an [`crate::Error::Line`]; those after it can still be read.
pub struct JsonLines {
    records: Records,
    /// Whether the file cannot be read any further.
    over: bool,
}

impl JsonLines {
    /// Opens a file.
    ///
    /// # Errors
    /// It cannot be opened, or is no JSON.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Ok(JsonLines { records: Records::open(path.as_ref())?, over: false })
    }
}

impl Iterator for JsonLines {
    type Item = Result<(u64, Map<String, Value>)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let raw = self.records.next().transpose()?;
        self.over = raw.is_err();
        Some(raw.and_then(|raw| Ok((raw.place.line, parse_object(self.records.path(), &raw)?))))
    }
}
