//! Wheel files: checked against their pin, then unpacked.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use sha2::{Digest, Sha256};
use zip::ZipArchive;

use super::error::io_error;
use super::pins::{Build, Wheel};
use super::{Error, Result};

/// Far above the largest pinned wheel (8 to 16 entries and about 460 MB), far below what fills a disk.
const ENTRIES_MAX: usize = 10_000;
const UNPACKED_BYTES_MAX: u64 = 2 << 30;

const CHUNK_BYTES: usize = 1 << 20;

/// Checks a wheel file's size and SHA-256, calling `progress` with the bytes read so far.
///
/// # Errors
/// [`Error::Size`], [`Error::Hash`], and [`Error::Io`] when the file cannot be read.
pub(super) fn verify(path: &Path, wheel: &Wheel, build: &Build, progress: &mut dyn FnMut(u64)) -> Result<()> {
    let mut file = File::open(path).map_err(io_error("opening", path))?;
    let found = file.metadata().map_err(io_error("reading", path))?.len();
    if found != build.size_bytes {
        return Err(Error::Size { path: path.into(), package: wheel.package, expected: build.size_bytes, found });
    }
    let mut hasher = Sha256::new();
    copy(&mut file, &mut hasher, found, progress).map_err(io_error("reading", path))?;
    let found: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    if found != build.sha256 {
        return Err(Error::Hash { path: path.into(), package: wheel.package, expected: build.sha256, found });
    }
    Ok(())
}

/// Sum of the sizes that the archive declares, for a progress bar.
///
/// # Errors
/// [`Error::Archive`] when the file is no zip archive or is beyond the limits.
pub(super) fn unpacked_bytes(path: &Path) -> Result<u64> {
    let mut archive = open(path)?;
    let mut total: u64 = 0;
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(|error| unreadable(path, &error))?;
        total = total.saturating_add(entry.size());
    }
    if total > UNPACKED_BYTES_MAX {
        let reason = format!("it unpacks to {total} bytes, and the limit is {UNPACKED_BYTES_MAX}");
        return Err(Error::Archive { path: path.into(), reason });
    }
    Ok(total)
}

/// Unpacks a wheel into a folder, calling `progress` with the bytes written so far.
///
/// The sizes in the archive are not believed: what is written is counted.
///
/// # Errors
/// [`Error::Archive`] for an entry that would be written outside `dir`, a link, a file that comes twice, an archive
/// that ends early or is beyond the limits; [`Error::Io`] when the disk refuses.
pub(super) fn unpack(path: &Path, dir: &Path, progress: &mut dyn FnMut(u64)) -> Result<()> {
    let refuse = |reason: String| Error::Archive { path: path.into(), reason };
    let mut archive = open(path)?;
    let mut done: u64 = 0;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(|error| unreadable(path, &error))?;
        let name = entry.name().to_owned();
        let relative = safe_path(&name).ok_or_else(|| refuse(format!("its entry \"{name}\" points outside of it")))?;
        if !entry.is_dir() && !entry.is_file() {
            return Err(refuse(format!("its entry \"{name}\" is a link, which wheels do not hold")));
        }
        let target = dir.join(relative);
        if entry.is_dir() {
            fs::create_dir_all(&target).map_err(io_error("creating", &target))?;
            continue;
        }
        let executable = entry.unix_mode().is_some_and(|mode| mode & 0o111 != 0);
        let mut file = create(&target).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => refuse(format!("its entry \"{name}\" comes twice")),
            _ => io_error("creating", &target)(error),
        })?;
        let base = done;
        let limit = UNPACKED_BYTES_MAX - base;
        let mut counted = Counted { file: &mut file, failed: None };
        let copied = copy(&mut entry, &mut counted, limit, &mut |bytes| progress(base + bytes));
        let write_failure = counted.failed.take();
        let written = match (copied, write_failure) {
            (Ok(written), _) => written,
            (Err(_), Some(error)) => return Err(io_error("writing", &target)(error)),
            (Err(error), None) => return Err(refuse(format!("its entry \"{name}\" cannot be read ({error})"))),
        };
        done = base + written;
        let mode = if executable { 0o755 } else { 0o644 };
        file.set_permissions(fs::Permissions::from_mode(mode)).map_err(io_error("setting permissions of", &target))?;
        // The folder is renamed into place next: after a power cut it must not be there with its files cut short.
        file.sync_all().map_err(io_error("writing", &target))?;
    }
    Ok(())
}

fn open(path: &Path) -> Result<ZipArchive<File>> {
    let file = File::open(path).map_err(io_error("opening", path))?;
    let archive = ZipArchive::new(file).map_err(|error| unreadable(path, &error))?;
    if archive.len() > ENTRIES_MAX {
        let reason = format!("it has {} entries, and the limit is {ENTRIES_MAX}", archive.len());
        return Err(Error::Archive { path: path.into(), reason });
    }
    Ok(archive)
}

fn unreadable(path: &Path, error: &zip::result::ZipError) -> Error {
    Error::Archive { path: path.into(), reason: format!("it is not a whole zip archive ({error})") }
}

/// The entry's path, `None` when any part of it is not a plain name.
fn safe_path(name: &str) -> Option<PathBuf> {
    let path = Path::new(name);
    let plain = path.components().all(|component| matches!(component, Component::Normal(_)));
    (plain && !name.is_empty() && !name.contains(['\\', '\0'])).then(|| path.to_path_buf())
}

fn create(target: &Path) -> io::Result<File> {
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent)?;
    }
    File::create_new(target)
}

/// A file that keeps its write error, so that a full disk and a damaged archive are told apart.
struct Counted<'a> {
    file: &'a mut File,
    failed: Option<io::Error>,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes).inspect_err(|error| self.failed = Some(io::Error::new(error.kind(), error.to_string())))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Copies at most `limit` bytes in chunks and says how many there were; more than that is an error.
fn copy(from: &mut dyn Read, to: &mut dyn Write, limit: u64, progress: &mut dyn FnMut(u64)) -> io::Result<u64> {
    let mut chunk = vec![0; CHUNK_BYTES];
    let mut done: u64 = 0;
    loop {
        let read = match from.read(&mut chunk) {
            Ok(0) => return Ok(done),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        done += read as u64;
        if done > limit {
            return Err(io::Error::other("it is larger than the limit"));
        }
        to.write_all(&chunk[..read])?;
        progress(done);
    }
}
