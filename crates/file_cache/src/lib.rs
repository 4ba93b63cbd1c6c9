//! A folder of files that can be made again, shared by processes and bounded in size.
//!
//! A file is written under a temporary name and renamed, so that no process reads half of one. It does not wait for the disk: after a power
//! cut a file may be there and damaged. When the folder has grown beyond its limit, the files that were used least recently go; it is looked
//! through when a process first stores a file, and then whenever that has stored a 64th of the limit. Nothing here knows what is in the files:
//! whoever reads one checks it.

use std::fs::{self, File, FileTimes};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use atomic_file::PARTIAL;
pub use atomic_file::PartialFile;

/// Longer than any file takes to be written.
const ABANDONED_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// The part of the limit that is stored before the folder is looked through again: with thousands of files that takes milliseconds, as long as a small
/// program takes to be made.
const UNSEEN_PART: u64 = 64;

/// A folder of files, bounded in size.
#[derive(Clone, Debug)]
pub struct FileCache {
    dir: PathBuf,
    limit_bytes: u64,
    /// What was stored since the folder was looked through; too much before the first time.
    unseen_bytes: Arc<AtomicU64>,
}

/// A file of a cache.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// When it was last read or written.
    pub used: SystemTime,
    /// Its size.
    pub bytes: u64,
    /// Where it is.
    pub path: PathBuf,
}

impl Entry {
    fn is_partial(&self) -> bool {
        self.path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PARTIAL))
    }
}

impl FileCache {
    /// A cache in `dir`, which is made when something is first stored, of at most `limit_bytes`, or of one file if that is larger. Each process that stores
    /// may take it beyond that by a 64th.
    pub fn new(dir: impl Into<PathBuf>, limit_bytes: u64) -> FileCache {
        let unseen_bytes = Arc::new(AtomicU64::new(limit_bytes / UNSEEN_PART + 1));
        FileCache { dir: dir.into(), limit_bytes, unseen_bytes }
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// How much may be in it.
    pub fn limit_bytes(&self) -> u64 {
        self.limit_bytes
    }

    /// The content of the file `name`, or `None` if there is none. It counts as used now.
    ///
    /// # Errors
    /// There is one, and it cannot be read.
    pub fn load(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let path = self.dir.join(name);
        let content = match fs::read(&path) {
            Ok(content) => content,
            // A file in place of a folder is no cache either.
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        // In a cache that is for reading only, files keep their age.
        let marked = File::options().write(true).open(&path);
        if let Err(error) = marked.and_then(|file| file.set_times(FileTimes::new().set_modified(SystemTime::now()))) {
            tracing::debug!(path = %path.display(), %error, "cannot mark a cached file as used");
        }
        Ok(Some(content))
    }

    /// Stores what `write` writes as `name`, replacing what was there, and removes the least recently used files beyond the limit, if enough was stored
    /// since it last looked for them. Those that cannot be removed, as another user's in a folder that several share, stay beyond the limit.
    ///
    /// # Errors
    /// The folder cannot be written, or `write` fails. Then what was there stays.
    pub fn store(&self, name: &str, write: impl FnOnce(&mut PartialFile) -> io::Result<()>) -> io::Result<()> {
        self.store_removing(name, write, remove)
    }

    /// As [`FileCache::store`], where files are removed by `remove`.
    fn store_removing(
        &self,
        name: &str,
        write: impl FnOnce(&mut PartialFile) -> io::Result<()>,
        remove: impl Fn(&Entry) -> io::Result<()>,
    ) -> io::Result<()> {
        fs::create_dir_all(&self.dir)?;
        let path = self.dir.join(name);
        let mut file = PartialFile::create_among_others(&path)?;
        write(&mut file)?;
        file.publish_unsynced()?;
        // Another process may have removed it already.
        let bytes = fs::metadata(&path).map_or(0, |file| file.len());
        let unseen_bytes = self.unseen_bytes.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        if unseen_bytes <= self.limit_bytes / UNSEEN_PART {
            return Ok(());
        }
        self.unseen_bytes.store(0, Ordering::Relaxed);
        let removed = self.superfluous(SystemTime::now()).and_then(|entries| remove_all(&entries, remove));
        // What was to be stored is there.
        if let Err(error) = removed {
            tracing::debug!(folder = %self.dir.display(), %error, "not all that is too much in a cache can be removed");
        }
        Ok(())
    }

    /// What is in the folder, unfinished files included, the least recently used first.
    ///
    /// # Errors
    /// The folder cannot be read. One that is not there is empty.
    pub fn entries(&self) -> io::Result<Vec<Entry>> {
        let folder = match fs::read_dir(&self.dir) {
            Ok(folder) => folder,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut entries = Vec::new();
        for file in folder {
            let file = file?;
            // Another process may have removed it meanwhile.
            let Ok(metadata) = file.metadata() else { continue };
            if metadata.is_file() {
                entries.push(Entry { used: metadata.modified()?, bytes: metadata.len(), path: file.path() });
            }
        }
        entries.sort();
        Ok(entries)
    }

    /// Removes all files, and returns those that were there. Whoever is writing one meanwhile fails to store it.
    ///
    /// # Errors
    /// A file cannot be removed: the first such, once all others are.
    pub fn clear(&self) -> io::Result<Vec<Entry>> {
        let entries = self.entries()?;
        remove_all(&entries, remove)?;
        Ok(entries)
    }

    /// What killed processes left unfinished, and the least recently used files without which the rest fits. The newest file stays.
    fn superfluous(&self, now: SystemTime) -> io::Result<Vec<Entry>> {
        let (abandoned, mut kept): (Vec<_>, Vec<_>) = self.entries()?.into_iter().partition(|entry| {
            entry.is_partial() && now.duration_since(entry.used).is_ok_and(|age| age > ABANDONED_AFTER)
        });
        let mut total: u64 = kept.iter().map(|entry| entry.bytes).sum();
        let over = kept.iter().take_while(|entry| {
            let is_over = total > self.limit_bytes;
            total -= entry.bytes;
            is_over
        });
        let count = over.count().min(kept.len().saturating_sub(1));
        kept.truncate(count);
        Ok([abandoned, kept].concat())
    }
}

/// Removes all that can be removed, and gives the first error of the others.
fn remove_all(entries: &[Entry], remove: impl Fn(&Entry) -> io::Result<()>) -> io::Result<()> {
    entries.iter().map(remove).fold(Ok(()), io::Result::and)
}

fn remove(entry: &Entry) -> io::Result<()> {
    tracing::debug!(path = %entry.path.display(), "removing a cached file");
    match fs::remove_file(&entry.path) {
        // Another process was faster.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn cache(dir: &tempfile::TempDir, limit_bytes: u64) -> FileCache {
        FileCache::new(dir.path().join("folder"), limit_bytes)
    }

    fn store(cache: &FileCache, name: &str, bytes: usize) {
        cache.store(name, |file| file.write_all(&vec![7; bytes])).unwrap();
    }

    /// Makes a file look as if it had last been used so long ago.
    fn age(path: &Path, seconds: u64) {
        let file = File::options().write(true).open(path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
    }

    fn names(cache: &FileCache) -> Vec<String> {
        let mut names: Vec<String> = cache
            .entries()
            .unwrap()
            .iter()
            .map(|entry| entry.path.file_name().unwrap().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn gives_back_what_was_stored() {
        let dir = tempfile::tempdir().unwrap();
        let cache = cache(&dir, 1 << 20);
        assert_eq!(cache.load("a").unwrap(), None);
        assert_eq!(cache.entries().unwrap(), []);
        cache.store("a", |file| file.write_all(b"old")).unwrap();
        cache.store("a", |file| file.write_all(b"content")).unwrap();
        assert_eq!(cache.load("a").unwrap(), Some(b"content".to_vec()));
        assert_eq!(cache.load("b").unwrap(), None);
        assert_eq!(names(&cache), ["a"]);
    }

    #[test]
    fn the_least_recently_used_go_first() {
        let dir = tempfile::tempdir().unwrap();
        let cache = cache(&dir, 3 * 100);
        for (name, seconds) in [("a", 30), ("b", 20), ("c", 10)] {
            store(&cache, name, 100);
            age(&cache.dir.join(name), seconds);
        }
        assert!(cache.load("a").unwrap().is_some());
        store(&cache, "d", 100);
        assert_eq!(names(&cache), ["a", "c", "d"]);
    }

    /// As another user's in a folder where each may remove his own files only.
    #[test]
    fn a_file_that_cannot_be_removed_keeps_no_other() {
        let dir = tempfile::tempdir().unwrap();
        let cache = cache(&dir, 3 * 100);
        for (name, seconds) in [("a", 30), ("b", 20), ("c", 10)] {
            store(&cache, name, 100);
            age(&cache.dir.join(name), seconds);
        }
        let refuse_a = |entry: &Entry| match entry.path.ends_with("a") {
            true => Err(io::ErrorKind::PermissionDenied.into()),
            false => remove(entry),
        };
        cache.store_removing("d", |file| file.write_all(&[7; 200]), refuse_a).unwrap();
        assert_eq!(names(&cache), ["a", "c", "d"]);
        let refused = remove_all(&cache.entries().unwrap(), refuse_a).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
        assert_eq!(names(&cache), ["a"]);
    }

    /// Otherwise it would be made and thrown away each time.
    #[test]
    fn one_file_may_be_larger_than_the_limit() {
        let dir = tempfile::tempdir().unwrap();
        let cache = cache(&dir, 100);
        store(&cache, "a", 50);
        age(&cache.dir.join("a"), 10);
        store(&cache, "b", 1000);
        assert_eq!(names(&cache), ["b"]);
    }

    #[test]
    fn a_failed_write_changes_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let cache = cache(&dir, 1 << 20);
        cache.store("a", |file| file.write_all(b"content")).unwrap();
        let failed = cache.store("a", |file| {
            file.write_all(b"half")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(cache.load("a").unwrap(), Some(b"content".to_vec()));
        assert_eq!(names(&cache), ["a"]);
    }

    /// A process that was killed leaves its temporary file; one that still writes keeps its own.
    #[test]
    fn unfinished_files_go_when_nobody_can_be_writing_them() {
        let dir = tempfile::tempdir().unwrap();
        let cache = cache(&dir, 1 << 20);
        fs::create_dir_all(cache.dir()).unwrap();
        for (name, hours) in [(".partial-old", 25), (".partial-new", 23)] {
            fs::write(cache.dir().join(name), [0; 150]).unwrap();
            age(&cache.dir().join(name), hours * 60 * 60);
        }
        store(&cache, "a", 1);
        assert_eq!(names(&cache), [".partial-new", "a"]);
    }

    #[test]
    fn the_folder_is_looked_through_when_a_part_of_the_limit_was_stored() {
        let dir = tempfile::tempdir().unwrap();
        let cache = cache(&dir, UNSEEN_PART * 100);
        store(&cache, "first", 10);
        fs::write(cache.dir().join(".partial-old"), [0; 150]).unwrap();
        age(&cache.dir().join(".partial-old"), 25 * 60 * 60);
        store(&cache.clone(), "a", 60);
        store(&cache, "b", 40);
        assert_eq!(names(&cache), [".partial-old", "a", "b", "first"]);
        store(&cache.clone(), "c", 1);
        assert_eq!(names(&cache), ["a", "b", "c", "first"]);
    }

    #[test]
    fn a_process_exceeds_the_limit_by_no_more_than_that_part() {
        let dir = tempfile::tempdir().unwrap();
        let (limit_bytes, part) = (UNSEEN_PART * 10, 10);
        let cache = cache(&dir, limit_bytes);
        let sizes = (0..200).map(|number| {
            store(&cache, &number.to_string(), 4);
            cache.entries().unwrap().iter().map(|entry| entry.bytes).sum::<u64>()
        });
        let most = sizes.max().unwrap();
        assert!((limit_bytes..=limit_bytes + part).contains(&most), "{most} bytes of {limit_bytes}");
    }

    #[test]
    fn two_processes_may_remove_the_same_files() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["a", "b", "c"] {
            store(&cache(&dir, 1 << 20), name, 100);
        }
        let full = cache(&dir, 0);
        let seen_by_the_slower = full.superfluous(SystemTime::now()).unwrap();
        assert_eq!(seen_by_the_slower.len(), 2);
        for entry in full.clear().unwrap().iter().chain(&seen_by_the_slower) {
            remove(entry).unwrap();
        }
        assert_eq!(full.entries().unwrap(), []);
    }
}
