//! Files that commands write their results to.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::bail;
use atomic_file::PartialFile;

/// A file of results, which appears under its name when it is complete; if the command fails, what was there stays.
pub(crate) enum OutputFile {
    Regular(PartialFile),
    /// What is no file to be replaced, such as a pipe.
    Special(File),
}

impl OutputFile {
    /// Begins a file for the results of `input`.
    ///
    /// # Errors
    /// It is the input, or cannot be written.
    pub(crate) fn create(path: &Path, input: &Path) -> anyhow::Result<OutputFile> {
        if fs::canonicalize(input).is_ok_and(|input| input == behind_links(path)) {
            bail!("it is the input, which would be lost: name another file");
        }
        OutputFile::begin(path)
    }

    fn begin(path: &Path) -> anyhow::Result<OutputFile> {
        if fs::metadata(path).is_ok_and(|metadata| metadata.is_dir()) {
            bail!("it is a folder: name a file");
        }
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            return Ok(OutputFile::Special(File::options().write(true).open(path)?));
        }
        Ok(OutputFile::Regular(PartialFile::create(behind_links(path))?))
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// It cannot be written or renamed.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            OutputFile::Regular(file) => file.publish(),
            OutputFile::Special(mut file) => file.flush(),
        }
    }
}

/// A link stays one: what it points to is written.
fn behind_links(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Writes a file of results in one go.
///
/// # Errors
/// It cannot be written; then what was there stays.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut file = OutputFile::begin(path)?;
    file.write_all(bytes)?;
    Ok(file.finish()?)
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            OutputFile::Regular(file) => file.write(bytes),
            OutputFile::Special(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            OutputFile::Regular(file) => file.flush(),
            OutputFile::Special(file) => file.flush(),
        }
    }
}
