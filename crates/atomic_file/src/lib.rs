//! Files and folders that appear under their name only when they are complete and on the disk.
//!
//! What is being written stands beside its place under a name that begins with [`PARTIAL`], and takes its own by a rename. If writing
//! fails it is removed, and so it is when a signal ends the process, where the program asks for that ([`remove_unfinished`]). What a
//! killed process left is overwritten by the next that writes to the same place.

use std::fs::{self, File, Metadata, Permissions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _, fchown};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

mod mount_points;

/// How names begin under which something is unfinished. They belong to a writer, or to one that was killed.
pub const PARTIAL: &str = ".partial-";

const BUFFER_BYTES: usize = 1 << 18;

/// What this process has begun and not finished.
static UNFINISHED: Mutex<Vec<Begun>> = Mutex::new(Vec::new());

#[derive(Debug)]
struct Begun {
    path: PathBuf,
    kind: Kind,
}

/// What goes with a name. Whatever else has taken it by then is somebody's, and stays.
#[derive(Clone, Copy, Debug)]
enum Kind {
    File,
    /// Which goes only if nothing is in it.
    Folder,
    /// All that has a name of ours ([`PARTIAL`]).
    Partial,
}

impl Kind {
    fn remove(self, path: &Path) -> io::Result<()> {
        match self {
            Kind::File => fs::remove_file(path),
            Kind::Folder => fs::remove_dir(path),
            Kind::Partial => remove(path),
        }
    }
}

fn unfinished() -> MutexGuard<'static, Vec<Begun>> {
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
    /// For a file that is there, or is to come. [`make_folder`] gives those for folders.
    pub fn new(path: impl Into<PathBuf>) -> Temporary {
        Temporary::begun(path.into(), Kind::File, &mut unfinished())
    }

    fn begun(path: PathBuf, kind: Kind, unfinished: &mut Vec<Begun>) -> Temporary {
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

/// Makes a folder and those above it that are not there, and gives what it has made, innermost first: what was there, or another process
/// has made meanwhile, is nobody's to remove.
///
/// # Errors
/// Something else has one of the names, such as a file or a link to nothing, or a folder cannot be made. What was made until then goes again.
pub fn make_folder(folder: impl AsRef<Path>) -> io::Result<Vec<Temporary>> {
    let folder = folder.as_ref();
    let is_missing = |path: &&Path| {
        let is_none = |error: io::Error| error.kind() == io::ErrorKind::NotFound;
        !path.as_os_str().is_empty() && fs::symlink_metadata(path).is_err_and(is_none)
    };
    let missing: Vec<&Path> = folder.ancestors().take_while(is_missing).collect();
    // Dropped behind what is locked, which it then locks.
    let mut made = Vec::new();
    // No signal comes between the making of a folder and its being noted.
    let mut unfinished = unfinished();
    for path in missing.into_iter().rev() {
        match fs::create_dir(path) {
            Ok(()) => made.insert(0, Temporary::begun(path.to_path_buf(), Kind::Folder, &mut unfinished)),
            Err(_) if path.is_dir() => {}
            Err(error) => return Err(error),
        }
    }
    fs::create_dir_all(folder)?;
    Ok(made)
}

/// Something under its temporary name, removed again unless it gets its own.
#[derive(Debug)]
struct Unpublished {
    /// Empty once it has its name.
    partial: PathBuf,
    target: PathBuf,
}

impl Unpublished {
    /// Calls `create` with the temporary name of `target`.
    fn begin<T>(target: &Path, mark: &str, create: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<(Self, T)> {
        let name = target.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it names no file"))?;
        let mut partial = std::ffi::OsString::from(format!("{PARTIAL}{mark}"));
        partial.push(name);
        let partial = target.with_file_name(partial);
        let mut unfinished = unfinished();
        let created = create(&partial)?;
        unfinished.push(Begun { path: partial.clone(), kind: Kind::Partial });
        Ok((Unpublished { partial, target: target.to_path_buf() }, created))
    }

    fn publish_as(mut self, target: &Path) -> io::Result<()> {
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

fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Gives a file that is for its owner alone the owner, the group and the permissions of another.
///
/// # Errors
/// They cannot be given by this user.
fn give_rights(file: &File, before: &Metadata) -> io::Result<()> {
    let own = file.metadata()?;
    if (own.uid(), own.gid()) != (before.uid(), before.gid()) {
        let (user, group) = (before.uid(), before.gid());
        let is_read_by_others_than_owner = before.mode() & 0o044 != 0;
        let given = match fchown(file, Some(user), Some(group)) {
            Err(error) if is_denied(&error) && own.uid() != user && is_read_by_others_than_owner => {
                fchown(file, None, Some(group))
            }
            given => given,
        };
        given.map_err(|error| match is_denied(&error) {
            true => io::Error::new(
                error.kind(),
                format!(
                    "it belongs to user {user} and group {group}, to which this user cannot give the new one: run this as user {user}, or as root"
                ),
            ),
            false => error,
        })?;
    }
    // Behind the owner, whose change takes some away, and the group, which is not to read what another may.
    file.set_permissions(Permissions::from_mode(before.mode() & 0o777))
}

fn is_denied(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied
}

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
        let open = |partial: &Path| {
            // Asked before opening, because opening a pipe would wait for its other end.
            if fs::symlink_metadata(partial).is_ok_and(|left| left.is_file())
                && let Ok(left) = File::options().read(true).write(true).open(partial)
            {
                lock_file(&left, partial)?;
            }
            // Whoever has opened what was left there would read on.
            remove(partial)?;
            File::options().write(true).create_new(true).mode(0o600).open(partial)
        };
        let create = |partial: &Path| locked(partial, || open(partial));
        let target = target.as_ref();
        let private = PartialFile::begin(target, "", create)?;
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

/// A folder that is being filled.
#[derive(Debug)]
#[must_use = "the folder is removed unless it is published"]
pub struct PartialFolder {
    place: Unpublished,
    /// Locked while the folder is filled, where the file system has locks.
    _lock: File,
}

impl PartialFolder {
    /// Begins the folder `target`, under a temporary name that is always the same; what a killed process left under it is removed. Where
    /// `target` is a link, the folder is the one that it leads to, and the link stays.
    ///
    /// # Errors
    /// The folder cannot be created, `target` is a link to nothing or a mount point, which no folder can take the place of, or somebody is at
    /// work on it: [`io::ErrorKind::ResourceBusy`].
    pub fn create(target: impl AsRef<Path>) -> io::Result<PartialFolder> {
        PartialFolder::create_marked(resolved(target.as_ref())?, "")
    }

    /// As [`PartialFolder::create`], under a temporary name that begins with [`PARTIAL`] and `mark`, always beside `target`: where that is a
    /// link, it is in the way of the folder.
    ///
    /// # Errors
    /// As [`PartialFolder::create`], but for links.
    pub fn create_marked(target: impl AsRef<Path>, mark: &str) -> io::Result<PartialFolder> {
        // Now, and not when all is written: a rename would fail.
        mount_points::refuse(target.as_ref())?;
        let create = |partial: &Path| {
            if !partial.is_dir() {
                remove(partial)?;
            }
            loop {
                fs::create_dir_all(partial)?;
                let folder = File::open(partial)?;
                lock(&folder, "another process is writing it")?;
                // Its holder may have given it its name between our two calls; then the lock is on another folder.
                if is_at(&folder, partial) {
                    empty(partial)?;
                    return Ok(folder);
                }
            }
        };
        let (place, lock) = Unpublished::begin(target.as_ref(), mark, create)?;
        Ok(PartialFolder { place, _lock: lock })
    }

    /// Where to write.
    pub fn path(&self) -> &Path {
        &self.place.partial
    }

    /// The name that it will have: what a link that was given leads to.
    pub fn target(&self) -> &Path {
        &self.place.target
    }

    /// Gives the folder its name. An empty folder that has it is replaced. The files inside are on the disk if their writers saw to it.
    ///
    /// # Errors
    /// Something has the name, it cannot be renamed, or the folder around it not brought to the disk.
    pub fn publish(self) -> io::Result<()> {
        let target = self.place.target.clone();
        self.publish_as(&target)
    }

    /// Gives the folder another name on the same file system.
    ///
    /// # Errors
    /// As [`PartialFolder::publish`].
    pub fn publish_as(self, target: &Path) -> io::Result<()> {
        self.place.publish_as(target)?;
        sync_parent(target)
    }
}

/// What a link leads to, through links that it leads to; other paths as they are, but for a slash at the end, behind which a link is none.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    let path: PathBuf = path.components().collect();
    if !path.is_symlink() {
        return Ok(path);
    }
    path.canonicalize().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => io::Error::new(
            error.kind(),
            "it is a link to nothing: make the folder that it leads to, or remove the link",
        ),
        _ => error,
    })
}

/// Whether what is open, a file or a folder, still has that name.
pub fn is_at(open: &File, path: &Path) -> bool {
    let place = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    open.metadata().is_ok_and(|open| fs::metadata(path).is_ok_and(|named| place(open) == place(named)))
}

/// Removes what is in a folder.
fn empty(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        remove(&entry?.path())?;
    }
    Ok(())
}

/// What `open` opens, as soon as that is locked and has its temporary name still: its holder may have published or removed it in between.
fn locked(partial: &Path, open: impl Fn() -> io::Result<File>) -> io::Result<File> {
    loop {
        let file = open()?;
        lock_file(&file, partial)?;
        if is_at(&file, partial) {
            return Ok(file);
        }
    }
}

/// Takes the lock of a file that has its temporary name.
fn lock_file(file: &File, partial: &Path) -> io::Result<()> {
    let place = partial.display();
    lock(
        file,
        &format!("another process is writing it: wait for that, or name another file; if none is, remove {place}"),
    )
}

/// Takes the lock of a file or a folder, which goes with its handle. `taken` is said if another has it.
fn lock(open: &File, taken: &str) -> io::Result<()> {
    match open.try_lock() {
        Err(TryLockError::WouldBlock) => Err(io::Error::new(io::ErrorKind::ResourceBusy, taken)),
        // A file system without locks.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// Writes a file in one go: a crash leaves the one that was there or the new one.
///
/// # Errors
/// The file cannot be written or renamed, as on a full disk; then what was there stays.
pub fn write(target: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = PartialFile::create(target)?;
    file.write_all(bytes.as_ref())?;
    file.publish()
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::io::Read as _;
    use std::os::unix::fs::symlink;
    use std::sync::atomic::AtomicBool;

    use super::*;

    #[test]
    fn of_two_that_find_what_a_killed_one_left_one_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        for round in 0..50 {
            let place = folder.path().join(round.to_string());
            let left = folder.path().join(format!(".partial-{round}"));
            fs::create_dir(&left).unwrap();
            (0..20).for_each(|file| fs::write(left.join(file.to_string()), "left").unwrap());
            let start = std::sync::Barrier::new(2);
            let begin = || {
                start.wait();
                let begun = PartialFolder::create(&place);
                start.wait();
                begun
            };
            let both = std::thread::scope(|scope| {
                let other = scope.spawn(begin);
                [begin(), other.join().unwrap()]
            });
            let mut begun = both.into_iter().flatten();
            let only = begun.next().expect("one of them has it");
            assert!(begun.next().is_none() && names(only.path()).is_empty(), "round {round}");
        }
    }

    #[test]
    fn a_folder_is_filled_by_one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("a");
        let first = PartialFolder::create(&place).unwrap();
        fs::write(first.path().join("file"), "first").unwrap();
        let second = PartialFolder::create(&place).map(drop).unwrap_err();
        assert_eq!(second.kind(), io::ErrorKind::ResourceBusy);
        first.publish().unwrap();
        assert_eq!(fs::read_to_string(place.join("file")).unwrap(), "first");
    }

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

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
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

    /// Beside the real folder, so that it is on the same file system.
    #[test]
    fn a_link_to_a_folder_stays_and_the_folder_is_filled() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name| folder.path().join(name);
        fs::create_dir_all(place("disk/real")).unwrap();
        symlink("disk/real", place("link")).unwrap();
        symlink("link", place("again")).unwrap();
        for (round, name) in ["link", "again", "link/"].into_iter().enumerate() {
            let partial = PartialFolder::create(place(name)).unwrap();
            let real = place("disk/real").canonicalize().unwrap();
            assert_eq!((partial.target(), partial.path().parent()), (&*real, real.parent()), "{name}");
            fs::write(partial.path().join("file"), name).unwrap();
            partial.publish().unwrap();
            assert_eq!(fs::read_to_string(place("disk/real/file")).unwrap(), name, "round {round}");
            assert!(place("link").is_symlink() && place("again").is_symlink());
            assert_eq!(names(&place("disk")), ["real"]);
            fs::remove_file(real.join("file")).unwrap();
        }
        fs::remove_dir(place("disk/real")).unwrap();
        let error = PartialFolder::create(place("again")).map(drop).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(error.to_string().starts_with("it is a link to nothing: "), "{error}");
        assert!(names(&place("disk")).is_empty());
    }

    #[test]
    fn a_mount_point_is_refused_before_any_work() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        symlink("/proc", &link).unwrap();
        for path in [Path::new("/proc"), Path::new("/sys/../proc/"), &link] {
            let error = PartialFolder::create(path).map(drop).unwrap_err().to_string();
            let expected = "it is a mount point, whose place a finished folder cannot take: name a folder within it";
            assert_eq!(error, expected, "{}", path.display());
        }
        assert_eq!(names(folder.path()), ["link"]);
    }

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
    fn what_is_temporary_goes_and_what_is_in_it_stays() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name| folder.path().join(name);
        let made = ["a", "b", "c/d/e"].map(|name| make_folder(place(name)).unwrap());
        assert_eq!(made.each_ref().map(Vec::len), [1, 1, 3]);
        assert!(make_folder(place("c/d")).unwrap().is_empty(), "they are there");
        fs::write(place("b/mine"), "x").unwrap();
        fs::write(place("c/mine"), "x").unwrap();
        let files = ["lock", "kept"].map(|name| {
            fs::write(place(name), "").unwrap();
            Temporary::new(place(name))
        });
        let [lock, kept] = files;
        kept.keep();
        drop((made, lock));
        assert_eq!(
            (names(folder.path()), names(&place("c"))),
            (["b", "c", "kept"].map(str::to_owned).to_vec(), vec!["mine".to_owned()])
        );
    }

    /// A link to nothing is there, though nothing is behind it.
    #[test]
    fn what_is_no_folder_of_ours_stays() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name| folder.path().join(name);
        symlink("nowhere", place("link")).unwrap();
        fs::write(place("file"), "mine").unwrap();
        for (name, expected) in [
            ("link", io::ErrorKind::AlreadyExists),
            ("link/a", io::ErrorKind::NotFound),
            ("file", io::ErrorKind::AlreadyExists),
            ("file/a", io::ErrorKind::NotADirectory),
        ] {
            let error = make_folder(place(name)).unwrap_err();
            assert_eq!(
                (error.kind(), names(folder.path())),
                (expected, vec!["file".to_owned(), "link".to_owned()]),
                "{name}"
            );
        }
        // What has taken the name of one that was made.
        let made = make_folder(place("a/b")).unwrap();
        fs::remove_dir(place("a/b")).unwrap();
        symlink("nowhere", place("a/b")).unwrap();
        drop(made);
        assert_eq!(names(&place("a")), ["b"]);
    }

    #[test]
    fn a_path_without_a_name_is_refused() {
        assert_eq!(PartialFile::create("/").unwrap_err().to_string(), "it names no file");
    }
}
