//! Files that commands write their results to.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::bail;

/// A file of results under a temporary name. It takes its own when it is complete; if the command fails, what was there stays.
pub(crate) struct OutputFile {
    path: PathBuf,
    /// `None` for what is no file to be replaced, such as a pipe.
    temporary: Option<PathBuf>,
    writer: BufWriter<File>,
}

impl OutputFile {
    /// Begins a file for the results of `input`.
    ///
    /// # Errors
    /// It is the input, or cannot be written.
    pub(crate) fn create(path: &Path, input: &Path) -> anyhow::Result<OutputFile> {
        if fs::canonicalize(path).is_ok_and(|path| fs::canonicalize(input).is_ok_and(|input| input == path)) {
            bail!("it is the input, which would be lost: name another file");
        }
        let is_special = fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
        let temporary = (!is_special).then(|| {
            let mut name = path.as_os_str().to_owned();
            name.push(format!(".{}.partial", std::process::id()));
            PathBuf::from(name)
        });
        let file = match &temporary {
            Some(temporary) => File::create(temporary)?,
            None => File::options().write(true).open(path)?,
        };
        Ok(OutputFile { path: path.to_owned(), temporary, writer: BufWriter::new(file) })
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// It cannot be written or renamed.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.writer.flush()?;
        match self.temporary.take() {
            Some(temporary) => {
                self.writer.get_ref().sync_all()?;
                fs::rename(temporary, &self.path)
            }
            None => Ok(()),
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let _ = fs::remove_file(temporary);
        }
    }
}
