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
        let behind = behind_links(path);
        if behind.is_symlink() {
            bail!("its links lead in a circle: name another file");
        }
        Ok(OutputFile::Regular(PartialFile::create(behind)?))
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

/// A link stays one: what it points to is written, whether or not that is there.
fn behind_links(path: &Path) -> PathBuf {
    /// As many as Linux follows.
    const LINKS_MAX: usize = 40;
    if let Ok(path) = fs::canonicalize(path) {
        return path;
    }
    let mut behind = path.to_owned();
    for _ in 0..LINKS_MAX {
        let Ok(target) = fs::read_link(&behind) else { break };
        behind = behind.parent().unwrap_or(Path::new("")).join(target);
    }
    behind
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

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_stays_one_and_what_it_names_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        fs::create_dir(place("there")).unwrap();
        fs::write(place("there/old"), "old").unwrap();
        for (name, target) in [
            ("whole", "there/old"),
            ("dangling", "there/new"),
            ("twice", "dangling-too"),
            ("dangling-too", "there/newer"),
        ] {
            symlink(target, place(name)).unwrap();
        }
        for (link, file) in [("whole", "there/old"), ("dangling", "there/new"), ("twice", "there/newer")] {
            write(&place(link), link.as_bytes()).unwrap();
            assert!(place(link).is_symlink() && !place(file).is_symlink(), "{link}");
            assert_eq!(fs::read_to_string(place(file)).unwrap(), link);
        }
        assert!(place("dangling-too").is_symlink());
        symlink("circle", place("circle")).unwrap();
        assert!(write(&place("circle"), b"x").is_err() && place("circle").is_symlink());
    }
}
