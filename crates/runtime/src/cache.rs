//! Compiled programs on disk.
//!
//! One file per program, named by the SHA-256 of all that its machine code depends on. A file is written under a
//! temporary name and renamed, so that processes may share the folder. What a damaged file holds is no
//! [`SerializedProgram`](pjrt::SerializedProgram), which knows its own digest.

use std::fs::{self, File, FileTimes};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use atomic_file::PartialFile;
use sha2::{Digest, Sha256};

const DIGEST_LEN: usize = 32;

/// A folder of compiled programs, bounded in size.
#[derive(Clone, Debug)]
pub struct ProgramCache {
    dir: PathBuf,
    limit_bytes: u64,
}

/// What a compiled program is found by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key(String);

impl Key {
    /// The key of everything that `parts` say. Each part is hashed with its length, so that no two lists are alike.
    pub(crate) fn new(parts: &[&[u8]]) -> Key {
        Key(hex(&digest_parts(parts)))
    }
}

impl ProgramCache {
    /// How much the programs of one machine may take: a few hundred large ones.
    pub const DEFAULT_LIMIT_BYTES: u64 = 8 << 30;

    /// A cache in `dir`, which is made when something is first stored, of at most `limit_bytes`.
    pub fn new(dir: impl Into<PathBuf>, limit_bytes: u64) -> ProgramCache {
        ProgramCache { dir: dir.into(), limit_bytes }
    }

    /// What was stored, unless there is nothing.
    pub(crate) fn load(&self, key: &Key) -> Option<Vec<u8>> {
        let path = self.path(key);
        let content = match fs::read(&path) {
            Ok(content) => content,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => {
                tracing::debug!(path = %path.display(), %error, "cannot read a compiled program");
                return None;
            }
        };
        // The oldest files go first when the cache is full, so one that was used becomes young again.
        let used = File::options().write(true).open(&path);
        if let Err(error) = used.and_then(|file| file.set_times(FileTimes::new().set_modified(SystemTime::now()))) {
            tracing::debug!(path = %path.display(), %error, "cannot mark a compiled program as used");
        }
        Some(content)
    }

    /// Stores a program, and removes the oldest ones beyond the limit.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub(crate) fn store(&self, key: &Key, program: &[u8]) -> io::Result<()> {
        fs::create_dir_all(&self.dir)?;
        let mut file = PartialFile::create_among_others(self.path(key))?;
        file.write_all(program)?;
        file.publish_unsynced()?;
        self.evict()
    }

    fn path(&self, key: &Key) -> PathBuf {
        self.dir.join(&key.0)
    }

    /// Removes the oldest files, those that a killed process left half-written among them, until the rest fits.
    fn evict(&self) -> io::Result<()> {
        self.beyond_limit()?.iter().try_for_each(|path| remove(path))
    }

    /// The oldest files, without which the rest fits.
    fn beyond_limit(&self) -> io::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.dir)? {
            let entry = entry?;
            // Another process may have removed it meanwhile.
            let Ok(metadata) = entry.metadata() else { continue };
            files.push((metadata.modified()?, metadata.len(), entry.path()));
        }
        files.sort();
        let mut total: u64 = files.iter().map(|(_, len, _)| len).sum();
        let mut oldest = Vec::new();
        for (_, len, path) in files {
            if total <= self.limit_bytes {
                break;
            }
            total -= len;
            oldest.push(path);
        }
        Ok(oldest)
    }
}

fn remove(path: &Path) -> io::Result<()> {
    tracing::debug!(path = %path.display(), "removing an old compiled program");
    match fs::remove_file(path) {
        // Another process was faster.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// What tells one plugin file from another, wherever it lies: size, time, and both ends of its content.
///
/// The ends hold the linker's build id and the section table. Reading all of it would take longer than loading most
/// programs.
pub(crate) fn file_identity(path: &Path) -> io::Result<[u8; DIGEST_LEN]> {
    const END_LEN: u64 = 64 << 10;
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    let modified = metadata.modified()?.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let (mut head, mut tail) = (Vec::new(), Vec::new());
    (&file).take(END_LEN).read_to_end(&mut head)?;
    file.seek(SeekFrom::Start(metadata.len().saturating_sub(END_LEN)))?;
    file.take(END_LEN).read_to_end(&mut tail)?;
    let (len, nanoseconds) = (metadata.len().to_le_bytes(), modified.as_nanos().to_le_bytes());
    Ok(digest_parts(&[&len, &nanoseconds, &head, &tail]))
}

fn digest_parts(parts: &[&[u8]]) -> [u8; DIGEST_LEN] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn key(name: &str) -> Key {
        Key::new(&[name.as_bytes()])
    }

    fn cache(dir: &tempfile::TempDir, limit_bytes: u64) -> ProgramCache {
        ProgramCache::new(dir.path().join("programs"), limit_bytes)
    }

    /// Makes a stored program look as if it had last been used so long ago.
    fn age(cache: &ProgramCache, key: &Key, seconds: u64) {
        let file = File::options().write(true).open(cache.path(key)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
    }

    #[test]
    fn gives_back_what_was_stored() {
        let dir = tempfile::tempdir().unwrap();
        let cache = cache(&dir, 1 << 20);
        assert_eq!(cache.load(&key("a")), None);
        cache.store(&key("a"), b"code").unwrap();
        assert_eq!(cache.load(&key("a")), Some(b"code".to_vec()));
        assert_eq!(cache.load(&key("b")), None);
    }

    #[test]
    fn keys_do_not_run_together() {
        assert_ne!(Key::new(&[b"ab", b"c"]), Key::new(&[b"a", b"bc"]));
        assert_ne!(Key::new(&[b"a"]), Key::new(&[b"a", b""]));
    }

    #[test]
    fn the_least_recently_used_go_first() {
        let dir = tempfile::tempdir().unwrap();
        let cache = cache(&dir, 3 * 100);
        for (name, seconds) in [("a", 30), ("b", 20), ("c", 10)] {
            cache.store(&key(name), &[0; 100]).unwrap();
            age(&cache, &key(name), seconds);
        }
        assert!(cache.load(&key("a")).is_some());
        cache.store(&key("d"), &[0; 100]).unwrap();
        let kept = ["a", "b", "c", "d"].map(|name| cache.load(&key(name)).is_some());
        assert_eq!(kept, [true, false, true, true]);
    }

    #[test]
    fn half_written_files_do_not_stay() {
        let dir = tempfile::tempdir().unwrap();
        let cache = cache(&dir, 200);
        fs::create_dir_all(&cache.dir).unwrap();
        let left = cache.dir.join(".tmpAbCdEf");
        fs::write(&left, [0; 150]).unwrap();
        File::options().write(true).open(&left).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
        cache.store(&key("a"), &[0; 100]).unwrap();
        assert!(!left.exists());
        assert!(cache.load(&key("a")).is_some());
    }

    #[test]
    fn two_processes_may_remove_the_same_files() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["a", "b"] {
            cache(&dir, 1 << 20).store(&key(name), &[0; 100]).unwrap();
        }
        let full = cache(&dir, 0);
        let seen_by_the_slower = full.beyond_limit().unwrap();
        full.evict().unwrap();
        assert_eq!(seen_by_the_slower.len(), 2);
        for path in seen_by_the_slower {
            assert!(!path.exists());
            remove(&path).unwrap();
        }
    }

    #[test]
    fn plugins_are_told_apart_by_content_not_by_path() {
        let dir = tempfile::tempdir().unwrap();
        let identity = |name: &str, content: &[u8]| {
            let path = dir.path().join(name);
            fs::write(&path, content).unwrap();
            File::options().write(true).open(&path).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
            file_identity(&path).unwrap()
        };
        let long = vec![7; 300 << 10];
        let mut other = long.clone();
        *other.last_mut().unwrap() = 8;
        assert_eq!(identity("a", &long), identity("b", &long));
        assert_ne!(identity("a", &long), identity("b", &other));
        assert_ne!(identity("a", b"short"), identity("b", b"shorter"));
    }
}
