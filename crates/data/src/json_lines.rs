//! The objects of a JSONL file, for commands that read a file once and keep nothing of it.

use std::path::Path;

use serde_json::{Map, Value};

use crate::error::{Error, Result};
use crate::lines::{Line, Lines};

/// The objects of a JSONL file, plain, `.gz` or `.zst`, each with the number of its line, from 1. Blank lines are passed over.
///
/// What is wrong with a line is an [`Error::Line`]; the lines after it can still be read.
pub struct JsonLines {
    lines: Lines,
}

impl JsonLines {
    /// Opens a file.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Ok(JsonLines { lines: Lines::open(path.as_ref())? })
    }
}

impl Iterator for JsonLines {
    type Item = Result<(u64, Map<String, Value>)>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.lines.next_line().transpose()?;
        Some(line.and_then(|line| Ok((line.number, parse_object(self.lines.path(), &line)?))))
    }
}

pub(crate) fn parse_object(path: &Path, line: &Line) -> Result<Map<String, Value>> {
    let text = std::str::from_utf8(&line.bytes).map_err(|error| {
        Error::line(path, line.number, format!("invalid UTF-8 at byte {} of the line", error.valid_up_to() + 1))
    })?;
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(Error::line(path, line.number, "the line is JSON, but not an object")),
        Err(error) => {
            // serde_json counts lines of its input, which is always the first here.
            let reason = error.to_string();
            let reason = reason.split(" at line ").next().unwrap_or_default();
            Err(Error::line(path, line.number, format!("malformed JSON at column {}: {reason}", error.column())))
        }
    }
}
