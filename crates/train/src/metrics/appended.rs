//! A file to which records are appended while others read it.

use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;

use super::MetricsError;

/// A file that holds whole records, but for the last one.
#[derive(Debug)]
pub(super) struct Appended {
    pub(super) path: PathBuf,
    pub(super) file: File,
    /// How many bytes of it are whole records, where the last one could not be written and may stand behind them in part.
    torn_behind: Option<u64>,
}

impl Appended {
    /// Of a file that is open to append.
    pub(super) fn new(path: PathBuf, file: File) -> Appended {
        Appended { path, file, torn_behind: None }
    }

    /// Appends a record with a single call.
    pub(super) fn append(&mut self, record: &[u8]) -> Result<(), MetricsError> {
        self.try_append(record).map_err(MetricsError::io("append to", &self.path))
    }

    fn try_append(&mut self, record: &[u8]) -> io::Result<()> {
        let length = self.file.metadata()?.len();
        // It may have been emptied since, to make room.
        let whole = self.torn_behind.map_or(length, |whole| whole.min(length));
        if whole < length {
            self.file.set_len(whole)?;
        }
        self.torn_behind = Some(whole);
        self.file.write_all(record)?;
        self.torn_behind = None;
        Ok(())
    }

    /// Whether another file is at its path, or none, as where its folder was removed or renamed.
    pub(super) fn is_displaced(&self) -> bool {
        let identity = |metadata: Metadata| (metadata.dev(), metadata.ino());
        match (self.file.metadata(), fs::metadata(&self.path)) {
            (Ok(open), Ok(there)) => identity(open) != identity(there),
            (_, Err(error)) => error.kind() == io::ErrorKind::NotFound,
            // As over a network, where another machine has put one there.
            (Err(_), Ok(_)) => true,
        }
    }
}
