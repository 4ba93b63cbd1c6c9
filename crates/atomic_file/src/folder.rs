//! Folders that are being filled, and folders that are made.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::lock::lock;
use crate::unfinished::{Kind, Temporary, Unpublished, remove, unfinished};
use crate::{is_at, mount_points, sync_parent};

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

    /// As [`PartialFolder::create`], under a temporary name that begins with [`PARTIAL`](crate::PARTIAL) and `mark`, always beside `target`: where that is a
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

/// Removes what is in a folder.
fn empty(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        remove(&entry?.path())?;
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::names;

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
}
