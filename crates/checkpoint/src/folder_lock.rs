//! A folder that one process writes to at a time.

use std::fs::{File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use atomic_file::{Temporary, is_at};
use rustix::io::{FdFlags, fcntl_setfd};

use crate::owner::Owner;

/// The file in a folder whose lock is the folder's, and that says who holds it.
const LOCK: &str = ".lock";

/// Why a folder cannot be held.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process holds it.
    #[error("another process writes to {path}{}: wait for its end", holder.as_ref().map_or_else(String::new, |holder| format!(" ({holder})")))]
    Held {
        /// The folder.
        path: PathBuf,
        /// The process, if it has said which it is.
        holder: Option<Owner>,
    },
    /// The operating system refused.
    #[error("writing to the folder {path}: {cause}")]
    Unwritable {
        /// The folder.
        path: PathBuf,
        /// What the operating system said.
        cause: io::Error,
    },
}

/// A folder, held for this process as long as the value lives.
#[derive(Debug)]
pub struct FolderLock {
    /// Absent where the file system cannot lock; there nothing is held. The file goes before it is unlocked.
    lock: Option<(Temporary, File)>,
}

impl FolderLock {
    /// Takes the lock of a folder for `owner`.
    ///
    /// # Errors
    /// Another process has it, or the folder cannot be written to.
    pub fn take(folder: &Path, owner: &Owner) -> Result<FolderLock, LockError> {
        let path = folder.join(LOCK);
        loop {
            let refused = |cause| LockError::Unwritable { path: folder.to_path_buf(), cause };
            // What another has written there stays, until the lock is ours.
            let mut file = File::options().write(true).create(true).truncate(false).open(&path).map_err(refused)?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => {
                    return Err(LockError::Held { path: folder.to_path_buf(), holder: Owner::read(&path) });
                }
                Err(TryLockError::Error(_)) => return Ok(FolderLock { lock: None }),
                // Its holder may have removed the file between our two calls; then the lock is on a file that nobody else finds.
                Ok(()) if is_at(&file, &path) => {
                    // The folder may be removed and begun anew by another, whose lock's file is not ours to remove.
                    let temporary = Temporary::of_open(path, &file).map_err(refused)?;
                    let told = serde_json::to_vec(owner).expect("strings and numbers are JSON");
                    file.set_len(0).and_then(|()| file.write_all(&told)).map_err(refused)?;
                    return Ok(FolderLock { lock: Some((temporary, file)) });
                }
                Ok(()) => {}
            }
        }
    }

    /// From here on processes that this one starts hold the folder too, each as long as it runs: where this one is killed they may still be
    /// writing.
    ///
    /// # Errors
    /// The operating system refuses.
    pub fn pass_on(&self) -> io::Result<()> {
        self.lock.as_ref().map_or(Ok(()), |(_, file)| Ok(fcntl_setfd(file, FdFlags::empty())?))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::SystemTime;

    use super::*;

    /// A run whose folder is cleared under it, and begun anew by another, lets no third one in when it ends.
    #[test]
    fn a_lock_that_was_lost_takes_no_other_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let take = || FolderLock::take(folder.path(), &Owner::this_process(SystemTime::UNIX_EPOCH));
        let first = take().unwrap();
        fs::remove_file(folder.path().join(LOCK)).unwrap();
        let second = take().unwrap();
        drop(first);
        assert!(matches!(take(), Err(LockError::Held { .. })));
        drop(second);
        assert!(!folder.path().join(LOCK).exists());
        take().unwrap();
    }
}
