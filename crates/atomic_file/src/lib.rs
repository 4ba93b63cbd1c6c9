//! Files and folders that appear under their name only when they are complete and on the disk.
//!
//! What is being written stands beside its place under a name that begins with [`PARTIAL`], and takes its own by a rename. If writing
//! fails it is removed, and so it is when a signal ends the process, where the program asks for that ([`remove_unfinished`]). What a
//! killed process left is overwritten by the next that writes to the same place.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

mod file;
mod folder;
mod lock;
mod mount_points;
mod rights;
mod unfinished;

pub use file::{CompleteFile, PartialFile};
pub use folder::{PartialFolder, make_folder};
pub use unfinished::{Halted, Temporary, remove_unfinished};

/// How names begin under which something is unfinished. They belong to a writer, or to one that was killed.
pub const PARTIAL: &str = ".partial-";

/// Writes a file in one go: a crash leaves the one that was there or the new one.
///
/// # Errors
/// The file cannot be written or renamed, as on a full disk; then what was there stays.
pub fn write(target: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = PartialFile::create(target)?;
    file.write_all(bytes.as_ref())?;
    file.publish()
}

/// Whether what is open, a file or a folder, still has that name.
pub fn is_at(open: &File, path: &Path) -> bool {
    open.metadata().is_ok_and(|open| fs::metadata(path).is_ok_and(|named| inode(&open) == inode(&named)))
}

/// What tells a file or a folder from all others that are there: its device and its number on it.
fn inode(metadata: &fs::Metadata) -> (u64, u64) {
    (metadata.dev(), metadata.ino())
}

/// Brings the names in a folder to the disk; without it a rename may be lost in a power cut.
///
/// # Errors
/// The folder cannot be opened, or the disk fails.
pub fn sync_folder(folder: impl AsRef<Path>) -> io::Result<()> {
    let folder = folder.as_ref();
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    File::open(folder).and_then(|folder| folder.sync_all())
}

fn sync_parent(path: &Path) -> io::Result<()> {
    sync_folder(path.parent().unwrap_or(Path::new("/")))
}

/// The names in a folder.
#[cfg(test)]
fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_up_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("a");
        drop(PartialFile::create(&place).unwrap());
        drop(PartialFile::create(&place).unwrap().complete().unwrap());
        let partial = PartialFolder::create(&place).unwrap();
        fs::write(partial.path().join("inside"), "x").unwrap();
        drop(partial);
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn what_a_killed_process_left_goes() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(".partial-a")).unwrap();
        fs::write(folder.path().join(".partial-a/old"), "x").unwrap();
        let partial = PartialFolder::create(folder.path().join("a")).unwrap();
        assert!(names(partial.path()).is_empty());
        partial.publish().unwrap();
        fs::write(folder.path().join(".partial-b"), "longer than what comes").unwrap();
        write(folder.path().join("b"), "short").unwrap();
        assert_eq!(names(folder.path()), ["a", "b"]);
        assert_eq!(fs::read(folder.path().join("b")).unwrap(), b"short");
    }
}
