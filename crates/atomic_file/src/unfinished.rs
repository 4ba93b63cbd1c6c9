//! What this process has begun and not finished, which goes when a signal ends it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{PARTIAL, inode};

/// What this process has begun and not finished.
static UNFINISHED: Mutex<Vec<Begun>> = Mutex::new(Vec::new());

#[derive(Debug)]
pub(crate) struct Begun {
    path: PathBuf,
    kind: Kind,
}

/// What goes with a name. Whatever else has taken it by then is somebody's, and stays.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    File,
    /// Of this device and number; another file that has the name by then is another process's.
    FileOf(u64, u64),
    /// Which goes only if nothing is in it.
    Folder,
    /// All that has a name of ours ([`PARTIAL`]).
    Partial,
}

impl Kind {
    fn remove(self, path: &Path) -> io::Result<()> {
        match self {
            Kind::File => fs::remove_file(path),
            Kind::FileOf(device, number) => match fs::metadata(path) {
                Ok(found) if inode(&found) == (device, number) => fs::remove_file(path),
                found => found.map(drop),
            },
            Kind::Folder => fs::remove_dir(path),
            Kind::Partial => remove(path),
        }
    }
}

pub(crate) fn unfinished() -> MutexGuard<'static, Vec<Begun>> {
    // A list of names is whole whatever happened while it was locked.
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Nothing begins and nothing is published while this is held.
#[must_use = "until it is dropped nothing new begins, so hold it until the process ends"]
pub struct Halted(#[expect(dead_code, reason = "held, not read")] MutexGuard<'static, Vec<Begun>>);

/// Removes all that this process has begun and not finished, and what is there for it only: what to do before a signal ends it.
pub fn remove_unfinished() -> Halted {
    let mut unfinished = unfinished();
    // What is inside of something else goes before it.
    unfinished.sort_by_key(|begun| std::cmp::Reverse(begun.path.components().count()));
    for Begun { path, kind } in unfinished.drain(..) {
        // Nobody is left to be told.
        let _ = kind.remove(&path);
    }
    Halted(unfinished)
}

/// A file or a folder that is there for this process only, such as a lock: removed when the value is dropped or a signal ends the
/// process. A folder stays if something is in it.
#[derive(Debug)]
#[must_use = "it is removed when this is dropped"]
pub struct Temporary {
    /// Empty once it is to stay.
    path: PathBuf,
    kind: Kind,
}

impl Temporary {
    /// For a file that is there, or is to come. [`make_folder`](crate::make_folder) gives those for folders.
    pub fn new(path: impl Into<PathBuf>) -> Temporary {
        Temporary::begun(path.into(), Kind::File, &mut unfinished())
    }

    /// For a file that is open, and is not removed where another one has its name by then.
    ///
    /// # Errors
    /// The operating system does not tell which file it is.
    pub fn of_open(path: impl Into<PathBuf>, file: &File) -> io::Result<Temporary> {
        let (device, number) = inode(&file.metadata()?);
        Ok(Temporary::begun(path.into(), Kind::FileOf(device, number), &mut unfinished()))
    }

    pub(crate) fn begun(path: PathBuf, kind: Kind, unfinished: &mut Vec<Begun>) -> Temporary {
        unfinished.push(Begun { path: path.clone(), kind });
        Temporary { path, kind }
    }

    /// Lets what was temporary stay.
    pub fn keep(mut self) {
        let path = std::mem::take(&mut self.path);
        unfinished().retain(|begun| begun.path != path);
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if self.path.as_os_str().is_empty() {
            return;
        }
        let mut unfinished = unfinished();
        // Nobody to report to. A lock's file that stays harms nobody.
        let _ = self.kind.remove(&self.path);
        unfinished.retain(|begun| begun.path != self.path);
    }
}

/// Something under its temporary name, removed again unless it gets its own.
#[derive(Debug)]
pub(crate) struct Unpublished {
    /// Empty once it has its name.
    pub(crate) partial: PathBuf,
    pub(crate) target: PathBuf,
}

impl Unpublished {
    /// Calls `create` with the temporary name of `target`.
    pub(crate) fn begin<T>(
        target: &Path,
        mark: &str,
        create: impl FnOnce(&Path) -> io::Result<T>,
    ) -> io::Result<(Self, T)> {
        let name = target.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it names no file"))?;
        let mut partial = std::ffi::OsString::from(format!("{PARTIAL}{mark}"));
        partial.push(name);
        let partial = target.with_file_name(partial);
        let mut unfinished = unfinished();
        let created = create(&partial)?;
        unfinished.push(Begun { path: partial.clone(), kind: Kind::Partial });
        Ok((Unpublished { partial, target: target.to_path_buf() }, created))
    }

    pub(crate) fn publish_as(mut self, target: &Path) -> io::Result<()> {
        let mut unfinished = unfinished();
        fs::rename(&self.partial, target)?;
        unfinished.retain(|begun| begun.path != self.partial);
        self.partial = PathBuf::new();
        Ok(())
    }
}

impl Drop for Unpublished {
    fn drop(&mut self) {
        if !self.partial.as_os_str().is_empty() {
            let mut unfinished = unfinished();
            // Nothing to report to: the error that led here is already on its way.
            let _ = remove(&self.partial);
            unfinished.retain(|begun| begun.path != self.partial);
        }
    }
}

pub(crate) fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}
