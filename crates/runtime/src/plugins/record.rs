//! Whether an installed wheel is still what was installed, by the `RECORD` that every wheel brings.
//!
//! `RECORD` lists each file with its size and SHA-256 (the "binary distribution format" of the Python packaging specifications). A look
//! at the plugin's size costs nothing and is done whenever it is loaded; reading all of it takes some tenths of a second and is
//! done when a plugin is installed, and where the plugin was written to after its `RECORD` was.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};

/// What is wrong with an installed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Damage {
    /// It is not there, or cannot be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        reason: String,
    },
    /// It has another size.
    Size {
        /// The file.
        path: PathBuf,
        /// Its size in bytes.
        found: u64,
        /// The size in bytes that it was installed with.
        recorded: u64,
    },
    /// It has the right size and another content.
    Content {
        /// The file.
        path: PathBuf,
    },
    /// Nothing tells what should be there.
    NoRecord {
        /// The folder of the wheel's files.
        folder: PathBuf,
    },
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damage::Unreadable { path, reason } => write!(f, "{} cannot be read ({reason})", path.display()),
            Damage::Size { path, found, recorded } => {
                write!(f, "{} has {found} bytes, and had {recorded} when it was installed", path.display())
            }
            Damage::Content { path } => write!(f, "{} no longer holds what was installed", path.display()),
            Damage::NoRecord { folder } => {
                write!(f, "{} holds no RECORD of what was installed there", folder.display())
            }
        }
    }
}

/// A file as `RECORD` describes it.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    path: PathBuf,
    size_bytes: u64,
    /// URL-safe base64 without padding, as it stands there.
    sha256: String,
}

/// Looks at the size of one file, and at its content where it was written to after it was recorded. What is not recorded passes.
pub(super) fn check_file(root: &Path, package: &str, file: &Path) -> Result<(), Damage> {
    let Some(record) = records(root).find(|record| is_of_package(record, package)) else { return Ok(()) };
    let Some(entry) = entries(&record).into_iter().find(|entry| root.join(&entry.path) == file) else { return Ok(()) };
    check_size(root, &entry)?;
    // Installers write RECORD last; a minute is more than the clocks of file servers differ by.
    const SLACK: Duration = Duration::from_secs(60);
    let modified = |path: &Path| path.metadata().and_then(|metadata| metadata.modified());
    match (modified(file), modified(&record)) {
        (Ok(file), Ok(record)) if file <= record + SLACK => Ok(()),
        _ => check_content(root, &entry),
    }
}

/// Reads everything that the wheels unpacked in `root` have recorded, and compares it.
pub(super) fn check_all(root: &Path) -> Result<(), Damage> {
    let mut recorded = records(root).flat_map(|record| entries(&record)).peekable();
    if recorded.peek().is_none() {
        return Err(Damage::NoRecord { folder: root.to_path_buf() });
    }
    recorded.try_for_each(|entry| check_size(root, &entry).and_then(|()| check_content(root, &entry)))
}

/// The folder `PACKAGE-VERSION.dist-info` in `root`: the package's, spelled as in file names.
pub(super) fn dist_info(root: &Path, package: &str) -> Option<PathBuf> {
    dist_infos(root).find(|folder| is_of_package(&folder.join("RECORD"), package))
}

fn dist_infos(root: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(root).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|extension| extension == "dist-info"))
}

fn records(root: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    dist_infos(root).map(|folder| folder.join("RECORD"))
}

fn is_of_package(record: &Path, package: &str) -> bool {
    let folder = record.parent().and_then(Path::file_name).and_then(|name| name.to_str());
    let version = folder.and_then(|name| name.strip_prefix(&package.replace('-', "_")));
    version.is_some_and(|version| version.starts_with('-'))
}

/// The lines `PATH,sha256=DIGEST,SIZE`. Those of other form are passed over: `RECORD` itself has no digest, and no wheel of a plugin has
/// a path that must be quoted.
fn entries(record: &Path) -> Vec<Entry> {
    let text = fs::read_to_string(record).unwrap_or_default();
    let parse = |line: &str| {
        let mut fields = line.rsplitn(3, ',');
        let (size, digest, path) = (fields.next()?, fields.next()?, fields.next()?);
        let path = PathBuf::from(path)
            .components()
            .all(|part| matches!(part, std::path::Component::Normal(_)))
            .then_some(path)?;
        Some(Entry {
            path: path.into(),
            size_bytes: size.trim().parse().ok()?,
            sha256: digest.strip_prefix("sha256=")?.to_owned(),
        })
    };
    text.lines().filter_map(parse).collect()
}

fn check_size(root: &Path, entry: &Entry) -> Result<(), Damage> {
    let path = root.join(&entry.path);
    let found = path.metadata().map_err(unreadable(&path))?.len();
    if found != entry.size_bytes {
        return Err(Damage::Size { path, found, recorded: entry.size_bytes });
    }
    Ok(())
}

fn check_content(root: &Path, entry: &Entry) -> Result<(), Damage> {
    let path = root.join(&entry.path);
    let digest = File::open(&path).and_then(sha256).map_err(unreadable(&path))?;
    if base64(&digest) == entry.sha256 { Ok(()) } else { Err(Damage::Content { path }) }
}

fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> Damage {
    move |error| Damage::Unreadable { path: path.to_path_buf(), reason: error.to_string() }
}

fn sha256(mut file: File) -> io::Result<Vec<u8>> {
    let mut hasher = Sha256::new();
    let mut chunk = vec![0; 1 << 20];
    loop {
        match file.read(&mut chunk) {
            Ok(0) => return Ok(hasher.finalize().to_vec()),
            Ok(read) => hasher.update(&chunk[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// RFC 4648's alphabet for file names, without padding.
pub(super) fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let encode = |group: &[u8]| {
        let bits = group.iter().fold(0u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - group.len()));
        (0..=group.len()).map(move |digit| char::from(ALPHABET[(bits >> (18 - 6 * digit)) as usize & 63]))
    };
    bytes.chunks(3).flat_map(encode).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_spelled_as_in_record() {
        // RFC 4648, section 10, without padding; then the two characters that differ from plain base64.
        for (bytes, text) in
            [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[0xfb, 0xff, 0xbf]), "-_-_");
    }

    #[test]
    fn lines_that_describe_nothing_are_passed_over() {
        let dir = tempfile::tempdir().unwrap();
        let record = dir.path().join("RECORD");
        let lines = "a/b.so,sha256=abc,12\na/c.so,md5=abc,12\n/etc/passwd,sha256=abc,1\n../x,sha256=abc,1\nRECORD,,\n\nx\na/with,comma,sha256=d,3\n";
        fs::write(&record, lines).unwrap();
        let found: Vec<(String, u64, String)> = entries(&record)
            .into_iter()
            .map(|entry| (entry.path.display().to_string(), entry.size_bytes, entry.sha256))
            .collect();
        assert_eq!(
            found,
            [("a/b.so".to_owned(), 12, "abc".to_owned()), ("a/with,comma".to_owned(), 3, "d".to_owned())]
        );
    }
}
