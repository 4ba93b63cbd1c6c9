//! Locks of what has its temporary name.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

use crate::is_at;

/// What `open` opens, as soon as that is locked and has its temporary name still: its holder may have published or removed it in between.
pub(crate) fn locked(partial: &Path, open: impl Fn() -> io::Result<File>) -> io::Result<File> {
    loop {
        let file = open()?;
        lock_file(&file, partial)?;
        if is_at(&file, partial) {
            return Ok(file);
        }
    }
}

/// Takes the lock of a file that has its temporary name.
pub(crate) fn lock_file(file: &File, partial: &Path) -> io::Result<()> {
    let place = partial.display();
    lock(
        file,
        &format!("another process is writing it: wait for that, or name another file; if none is, remove {place}"),
    )
}

/// Takes the lock of a file or a folder, which goes with its handle. `taken` is said if another has it.
pub(crate) fn lock(open: &File, taken: &str) -> io::Result<()> {
    match open.try_lock() {
        Err(TryLockError::WouldBlock) => Err(io::Error::new(io::ErrorKind::ResourceBusy, taken)),
        // A file system without locks.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}
