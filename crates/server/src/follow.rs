//! Files that a running server reads again when they change.

use std::fmt::Display;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use crate::Tls;
use crate::app::Shared;

/// How often they are looked at.
const PERIOD: Duration = Duration::from_secs(1);

/// What tells a file from what it was: a new one under its name has another number, one that was written in place another time or length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    number: u64,
    bytes: u64,
    changed: Option<SystemTime>,
}

/// A file as it was when it was last looked at.
#[derive(Debug)]
struct Watched {
    path: PathBuf,
    /// `None`: it was not there, or could not be used.
    stamp: Option<Stamp>,
}

impl Watched {
    /// What nobody has looked at: it may have changed since it was read, so that the first look reads it again.
    fn unseen(path: &Path) -> Watched {
        Watched { path: path.to_path_buf(), stamp: None }
    }

    /// Whether it is another than at the last look. One that is gone is not: whoever replaces it may not be done.
    fn has_changed(&mut self) -> bool {
        let stamp = stamp(&self.path);
        stamp.is_some() && stamp != std::mem::replace(&mut self.stamp, stamp)
    }
}

/// Files that are read together.
#[derive(Debug)]
struct Group {
    what: &'static str,
    files: Vec<Watched>,
    /// What was wrong at the last look.
    complaint: Option<String>,
}

impl Group {
    fn new<'p>(what: &'static str, paths: impl IntoIterator<Item = &'p Path>) -> Group {
        Group { what, files: paths.into_iter().map(Watched::unseen).collect(), complaint: None }
    }

    /// Reads the files again where one has changed. What fails is tried again at the next look, though nothing changes: that no more files may be open, or a disk
    /// is slow, passes, and a key that was revoked would stay.
    fn look<E: Display>(&mut self, reload: impl FnOnce() -> Result<(), E>) {
        // All are looked at, though the first may have changed.
        let changed = self.files.iter_mut().map(Watched::has_changed).filter(|has_changed| *has_changed).count();
        if changed == 0 {
            return;
        }
        let what = self.what;
        match reload() {
            Ok(()) => {
                self.complaint = None;
                tracing::info!("read the {what} again");
            }
            Err(error) => {
                self.files.iter_mut().for_each(|file| file.stamp = None);
                let complaint = error.to_string();
                // Once, and not every second.
                if self.complaint.as_ref() != Some(&complaint) {
                    tracing::error!("the {what} stays as it was until it can be read: {complaint}");
                }
                self.complaint = Some(complaint);
            }
        }
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let file = fs::metadata(path).ok()?;
    Some(Stamp { number: file.ino(), bytes: file.len(), changed: file.modified().ok() })
}

/// What is followed.
struct Followed {
    app: Shared,
    keys: Group,
    tls: Group,
}

impl Followed {
    fn look(&mut self) {
        self.keys.look(|| self.app.keys.reload(Instant::now()));
        self.tls.look(|| self.app.tls.as_ref().map_or(Ok(()), Tls::reload));
    }
}

/// Reads keys and certificate again whenever their files change, for ever.
pub(crate) async fn files(app: Shared) {
    let keys = Group::new("file of keys", app.keys.file());
    let tls = Group::new("certificate", app.tls.iter().flat_map(Tls::files));
    if keys.files.is_empty() && tls.files.is_empty() {
        return;
    }
    let mut followed = Followed { app, keys, tls };
    loop {
        let looked = tokio::task::spawn_blocking(move || {
            followed.look();
            followed
        });
        // It fails where the runtime ends.
        let Ok(looked) = looked.await else { return };
        followed = looked;
        tokio::time::sleep(PERIOD).await;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn what_cannot_be_read_is_read_again_until_it_can() {
        let folder = tempfile::tempdir().unwrap();
        let [first, second] = ["keys.json", "other.json"].map(|name| folder.path().join(name));
        fs::write(&first, "1").unwrap();
        fs::write(&second, "1").unwrap();
        let mut group = Group::new("file", [first.as_path(), second.as_path()]);
        let reads = Cell::new(0);
        let mut look = |result: Result<(), &str>| {
            group.look(|| {
                reads.set(reads.get() + 1);
                result
            });
            reads.get()
        };
        assert_eq!(look(Err("too many open files")), 1, "nobody has looked at it");
        assert_eq!(look(Err("too many open files")), 2);
        assert_eq!(look(Ok(())), 3, "the file has not changed, and was never read");
        assert_eq!(look(Ok(())), 3, "it was read");
        fs::write(&second, "12").unwrap();
        assert_eq!(look(Ok(())), 4, "one of them has changed");
        fs::remove_file(&first).unwrap();
        assert_eq!(look(Ok(())), 4, "what is gone is no change");
    }
}
