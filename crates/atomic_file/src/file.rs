//! Files that are being written.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::lock::{lock_file, locked};
use crate::rights::give_rights;
use crate::unfinished::{Unpublished, remove};
use crate::{is_at, sync_parent};

const BUFFER_BYTES: usize = 1 << 18;

/// A file that is being written.
#[derive(Debug)]
#[must_use = "the file is removed unless it is published"]
pub struct PartialFile {
    // Removed before it is closed, and with that unlocked: the next to lock it would lose its own.
    place: Unpublished,
    writer: BufWriter<File>,
}

impl PartialFile {
    /// Begins the file `target`, under a temporary name that is always the same. For files that one process at a time writes.
    ///
    /// # Errors
    /// The file cannot be created, or somebody is at work on it: [`io::ErrorKind::ResourceBusy`].
    pub fn create(target: impl AsRef<Path>) -> io::Result<PartialFile> {
        let create = |partial: &Path| {
            // Cut off only behind its lock: its holder would publish what is left.
            let file = locked(partial, || File::options().write(true).create(true).truncate(false).open(partial))?;
            file.set_len(0)?;
            Ok(file)
        };
        PartialFile::begin(target.as_ref(), "", create)
    }

    /// As [`PartialFile::create`], for what not everybody may read: from its beginning on it is for its owner alone, unless there is a file whose place it takes,
    /// whose permissions, group and owner it has then. Where only its owner cannot be kept, which root alone may give files to, the user who writes it is
    /// its owner, if by its group or as anybody the one before can read it still.
    ///
    /// # Errors
    /// As [`PartialFile::create`], or those who may read the file that is there could not read the new one, or others could.
    pub fn create_private(target: impl AsRef<Path>) -> io::Result<PartialFile> {
        let target = target.as_ref();
        let private = PartialFile::begin(target, "", new_private)?;
        match fs::metadata(target) {
            Ok(before) => give_rights(private.writer.get_ref(), &before)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        Ok(private)
    }

    /// As [`PartialFile::create`], where other processes and threads may be writing the same file: each under a name of its own, and the
    /// last to publish wins.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn create_among_others(target: impl AsRef<Path>) -> io::Result<PartialFile> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let (process, count) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        PartialFile::begin(target.as_ref(), &format!("{process}-{count}-"), |partial| File::create(partial))
    }

    fn begin(target: &Path, mark: &str, create: impl FnOnce(&Path) -> io::Result<File>) -> io::Result<PartialFile> {
        let (place, file) = Unpublished::begin(target, mark, create)?;
        Ok(PartialFile { place, writer: BufWriter::with_capacity(BUFFER_BYTES, file) })
    }

    /// Brings what was written to the disk.
    ///
    /// # Errors
    /// The disk is full, or fails.
    pub fn complete(self) -> io::Result<CompleteFile> {
        let PartialFile { place, mut writer } = self;
        // What cannot be completed is removed before it is unlocked, too.
        let written = writer.flush().and_then(|()| writer.get_ref().sync_all());
        let (file, _) = writer.into_parts();
        let complete = CompleteFile { place, _lock: Some(file) };
        written.map(|()| complete)
    }

    /// Brings what was written to the disk and gives the file its name, replacing what had it.
    ///
    /// # Errors
    /// As [`PartialFile::complete`] and [`CompleteFile::publish`].
    pub fn publish(self) -> io::Result<()> {
        self.complete()?.publish()
    }

    /// Gives the file its name without waiting for the disk: after a power cut it may be there and damaged. For caches, whose readers
    /// check what they read.
    ///
    /// # Errors
    /// What was written cannot be passed on, or the file not be renamed.
    pub fn publish_unsynced(mut self) -> io::Result<()> {
        self.writer.flush()?;
        let target = self.place.target.clone();
        self.place.publish_as(&target)
    }
}

impl Write for PartialFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// A file that is on the disk, but has not its name yet.
#[derive(Debug)]
#[must_use = "the file is removed unless it is published"]
pub struct CompleteFile {
    place: Unpublished,
    /// Locked until it has its name, where the file system has locks.
    _lock: Option<File>,
}

impl CompleteFile {
    /// Closes the file, so that thousands of them may wait for their names: what is published together has its lock in the one that is begun first.
    pub fn close(self) -> CompleteFile {
        CompleteFile { _lock: None, ..self }
    }

    /// The name that it will have.
    pub fn target(&self) -> &Path {
        &self.place.target
    }

    /// Gives the file its name, replacing what had it.
    ///
    /// # Errors
    /// It cannot be renamed, or the folder not brought to the disk.
    pub fn publish(self) -> io::Result<()> {
        let target = self.place.target.clone();
        self.place.publish_as(&target)?;
        sync_parent(&target)
    }
}

/// Makes a file that is for its owner alone from its beginning on, locked. What was left there goes: whoever has opened that would read on.
fn new_private(partial: &Path) -> io::Result<File> {
    let create = || loop {
        match File::options().write(true).create_new(true).mode(0o600).open(partial) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => remove_left(partial)?,
            created => return created,
        }
    };
    locked(partial, create)
}

/// Removes what a killed process left under a file's temporary name, and nothing that another has begun there meanwhile: it goes while its
/// lock is held, without which nobody publishes or removes it.
fn remove_left(partial: &Path) -> io::Result<()> {
    let is_gone = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
    // Asked before opening, because opening a pipe would wait for its other end.
    match fs::symlink_metadata(partial) {
        Ok(left) if left.is_file() => {}
        Ok(_) => return Err(in_the_way(partial, io::ErrorKind::AlreadyExists, "is no file")),
        Err(error) => return if is_gone(&error) { Ok(()) } else { Err(error) },
    }
    // Its owner may not write what took the place of a file that nobody writes.
    let left = match File::options().read(true).write(true).open(partial).or_else(|_| File::open(partial)) {
        Ok(left) => left,
        Err(error) if is_gone(&error) => return Ok(()),
        Err(error) => return Err(in_the_way(partial, error.kind(), &format!("cannot be opened ({error})"))),
    };
    lock_file(&left, partial)?;
    if is_at(&left, partial) { remove(partial) } else { Ok(()) }
}

fn in_the_way(partial: &Path, kind: io::ErrorKind, why: &str) -> io::Error {
    io::Error::new(kind, format!("{} {why}: remove it, if nobody is writing it", partial.display()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs::Permissions;
    use std::io::Read as _;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::names;

    #[test]
    fn a_file_is_written_by_one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a");
        let create: [fn(&Path) -> io::Result<PartialFile>; 2] =
            [|target| PartialFile::create(target), |target| PartialFile::create_private(target)];
        let is_refused = |target: &Path| {
            for second in create {
                let second = second(target).map(drop).unwrap_err();
                let said = second.to_string();
                assert_eq!(second.kind(), io::ErrorKind::ResourceBusy);
                assert!(said.starts_with("another process is writing it: wait for that, or "), "{said}");
                assert!(said.ends_with("/.partial-a"), "{said}");
            }
        };
        for first in create {
            let mut first = first(&target).unwrap();
            first.write_all(b"fir").unwrap();
            is_refused(&target);
            first.write_all(b"st").unwrap();
            let first = first.complete().unwrap();
            is_refused(&target);
            first.close().publish().unwrap();
            assert_eq!((names(folder.path()), &*fs::read(&target).unwrap()), (vec!["a".to_owned()], &b"first"[..]));
        }
    }

    /// What is given up has its name as long as it is locked.
    #[test]
    fn of_writers_that_come_and_go_each_publishes_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a");
        let write = |text: &str| {
            for round in 0..300 {
                let Ok(mut file) = PartialFile::create(&target) else { continue };
                file.write_all(text.as_bytes()).unwrap();
                if round % 2 == 0 {
                    file.publish().expect("nobody takes its temporary file away");
                }
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(|| write("first"));
            scope.spawn(|| write("the second"));
        });
        let last = fs::read_to_string(&target).unwrap();
        assert!(last == "first" || last == "the second", "{last}");
    }

    #[test]
    fn a_file_has_its_name_only_when_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.txt");
        fs::write(&target, "old").unwrap();
        let mut file = PartialFile::create(&target).unwrap();
        file.write_all(b"new").unwrap();
        let file = file.complete().unwrap();
        assert_eq!(
            (names(folder.path()), fs::read(&target).unwrap()),
            (vec![".partial-a.txt".into(), "a.txt".into()], b"old".into())
        );
        file.publish().unwrap();
        assert_eq!((names(folder.path()), fs::read(&target).unwrap()), (vec!["a.txt".to_owned()], b"new".to_vec()));
    }

    /// Its temporary name can be guessed: who opens it before it is private reads what is written afterwards.
    #[test]
    fn what_is_private_is_so_from_its_beginning_on() {
        let folder = tempfile::tempdir().unwrap();
        let (target, partial) = (folder.path().join("keys"), folder.path().join(".partial-keys"));
        fs::write(&partial, "left by a killed one").unwrap();
        let mut opened = File::open(&partial).unwrap();
        let mut file = PartialFile::create_private(&target).unwrap();
        file.write_all(b"secret").unwrap();
        file.publish().unwrap();
        let mut read = String::new();
        opened.read_to_string(&mut read).unwrap();
        assert_eq!(read, "left by a killed one");
        fs::remove_file(&target).unwrap();
        let (seen, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
        std::thread::scope(|scope| {
            let modes = scope.spawn(|| {
                let mut modes = BTreeSet::new();
                while !is_over.load(Ordering::Relaxed) {
                    if let Ok(found) = fs::metadata(&partial) {
                        modes.insert(found.mode() & 0o777);
                        seen.fetch_add(1, Ordering::Relaxed);
                    }
                }
                modes
            });
            for _ in (0..).take_while(|begun| *begun < 5000 || seen.load(Ordering::Relaxed) < 500) {
                drop(PartialFile::create_private(&target).unwrap());
            }
            is_over.store(true, Ordering::Relaxed);
            assert_eq!(modes.join().unwrap(), BTreeSet::from([0o600]));
        });
    }

    /// Threads in place of processes, which begin at the same time.
    #[test]
    fn nobody_takes_away_what_another_has_begun_in_private() {
        let folder = tempfile::tempdir().unwrap();
        let partial = folder.path().join(".partial-keys");
        let come_and_go = || {
            for round in 0..5000 {
                let Ok(file) = new_private(&partial) else { continue };
                for _ in 0..10 {
                    assert!(is_at(&file, &partial), "round {round}");
                }
                // Others are killed, and leave theirs.
                if round % 2 == 0 {
                    fs::remove_file(&partial).unwrap();
                }
            }
        };
        std::thread::scope(|scope| (0..3).for_each(|_| drop(scope.spawn(come_and_go))));
    }

    #[test]
    fn who_may_read_what_is_private_stays() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("keys");
        for mode in [0o600, 0o640, 0o664, 0o400] {
            fs::write(&target, "old").unwrap();
            fs::set_permissions(&target, Permissions::from_mode(mode)).unwrap();
            let mut file = PartialFile::create_private(&target).unwrap();
            file.write_all(b"new").unwrap();
            file.publish().unwrap();
            assert_eq!(fs::metadata(&target).unwrap().mode() & 0o777, mode);
            assert_eq!(fs::read(&target).unwrap(), b"new");
            fs::remove_file(&target).unwrap();
        }
    }

    #[test]
    fn writers_of_one_file_do_not_meet() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a");
        let mut files = [(); 2].map(|()| PartialFile::create_among_others(&target).unwrap());
        for (file, text) in files.iter_mut().zip(["first", "second"]) {
            file.write_all(text.as_bytes()).unwrap();
        }
        let [first, second] = files;
        second.publish().unwrap();
        first.publish_unsynced().unwrap();
        assert_eq!((names(folder.path()), fs::read(&target).unwrap()), (vec!["a".to_owned()], b"first".to_vec()));
    }

    #[test]
    fn a_path_without_a_name_is_refused() {
        assert_eq!(PartialFile::create("/").unwrap_err().to_string(), "it names no file");
    }
}
