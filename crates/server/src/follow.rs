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
const KEYS_MEANWHILE: &str = "the keys that it had are accepted until then: to revoke some, put a file there without them, one with {\"keys\": []} to \
                              revoke all, or stop the server";
const TLS_MEANWHILE: &str = "connections are encrypted with the one before until then";

/// What tells a file from what it was: a new one under its name has another number, one that was written in place another time or length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    number: u64,
    bytes: u64,
    changed: Option<SystemTime>,
}

/// A file as it was when it was last looked at.
#[derive(Clone, Debug)]
pub(crate) struct Watched {
    path: PathBuf,
    /// `None`: it was not there, or could not be used.
    stamp: Option<Stamp>,
}

impl Watched {
    /// A file that is about to be read: what changes it from now on is seen at the next look, though that comes long after.
    pub(crate) fn new(path: &Path) -> Watched {
        Watched { path: path.to_path_buf(), stamp: stamp(path) }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is another than at the last look, or gone: reading it says so then, and what was read before stays, since whoever replaces it may not be done.
    fn has_changed(&mut self) -> bool {
        let stamp = stamp(&self.path);
        stamp.is_none() || stamp != std::mem::replace(&mut self.stamp, stamp)
    }
}

/// Files that are read together.
#[derive(Debug)]
struct Group {
    what: &'static str,
    /// What holds while they cannot be read, and what to do about it.
    meanwhile: &'static str,
    files: Vec<Watched>,
    /// What was wrong at the last look.
    complaint: Option<String>,
}

impl Group {
    fn new<'f>(what: &'static str, meanwhile: &'static str, files: impl IntoIterator<Item = &'f Watched>) -> Group {
        Group { what, meanwhile, files: files.into_iter().cloned().collect(), complaint: None }
    }

    /// Reads the files again where one has changed. What fails is tried again at the next look, though nothing changes: that no more files may be open, or a disk
    /// is slow, passes, and a key that was revoked would stay.
    fn look<E: Display>(&mut self, reload: impl FnOnce() -> Result<(), E>) {
        // All are looked at, though the first may have changed.
        let changed = self.files.iter_mut().map(Watched::has_changed).filter(|has_changed| *has_changed).count();
        if changed == 0 {
            return;
        }
        let Group { what, meanwhile, .. } = *self;
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
                    tracing::error!("the {what} stays as it was until it can be read: {complaint}; {meanwhile}");
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
    let keys = Group::new("file of keys", KEYS_MEANWHILE, app.keys.file());
    let tls = Group::new("certificate", TLS_MEANWHILE, app.tls.iter().flat_map(Tls::files));
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
    use std::fs::File;
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::{KeyFile, KeyScope, Keys, NewKey};

    /// A line of the log that is first written while another test begins to listen may be lost for both.
    static LOG: Mutex<()> = Mutex::new(());

    #[test]
    fn what_cannot_be_read_is_read_again_until_it_can() {
        let _alone = LOG.lock();
        let folder = tempfile::tempdir().unwrap();
        let [first, second] = ["keys.json", "other.json"].map(|name| folder.path().join(name));
        fs::write(&first, "1").unwrap();
        fs::write(&second, "1").unwrap();
        let files = [&first, &second].map(|path| Watched::new(path));
        fs::write(&first, "12").unwrap();
        let mut group = Group::new("file", "what it had holds", &files);
        let reads = Cell::new(0);
        let mut look = |result: Result<(), &str>| {
            group.look(|| {
                reads.set(reads.get() + 1);
                result
            });
            reads.get()
        };
        assert_eq!(look(Err("too many open files")), 1, "it has changed before anybody looked at it");
        assert_eq!(look(Err("too many open files")), 2);
        assert_eq!(look(Ok(())), 3, "the file has not changed, and was never read");
        assert_eq!(look(Ok(())), 3, "it was read");
        fs::write(&second, "123").unwrap();
        assert_eq!(look(Ok(())), 4, "one of them has changed");
        fs::remove_file(&first).unwrap();
        assert_eq!(look(Err("no such file")), 5, "reading what is gone says so");
        assert_eq!(look(Err("no such file")), 6);
        fs::write(&first, "1").unwrap();
        assert_eq!(look(Ok(())), 7, "it is back, as it was");
        assert_eq!(look(Ok(())), 7);
    }

    #[test]
    fn a_file_of_keys_that_is_gone_is_told_once_and_its_keys_stay() {
        let _alone = LOG.lock();
        let folder = tempfile::tempdir().unwrap();
        let [path, elsewhere, log] = ["keys.json", "keys.json~", "log"].map(|name| folder.path().join(name));
        let NewKey { secret, entry } = NewKey::random("me", &[KeyScope::Infer]).unwrap();
        let mut file = KeyFile::default();
        file.add(entry).unwrap();
        fs::write(&path, file.text()).unwrap();
        let keys = Keys::read(&path).unwrap();
        let mut group = Group::new("file of keys", KEYS_MEANWHILE, keys.file());
        let mut look = || {
            group.look(|| keys.reload(Instant::now()));
            keys.find(Some(&secret), 0).is_ok()
        };
        let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(Arc::new(File::create(&log).unwrap()));
        tracing::subscriber::with_default(subscriber.finish(), || {
            for _ in 0..2 {
                assert!(look() && look());
                fs::rename(&path, &elsewhere).unwrap();
                assert!(look() && look() && look(), "its keys stay");
                fs::rename(&elsewhere, &path).unwrap();
            }
            fs::write(&path, "{\"keys\": []}").unwrap();
            assert!(!look(), "all are revoked");
        });
        let log = fs::read_to_string(&log).unwrap();
        let complaint = format!(
            "the file of keys stays as it was until it can be read: cannot read the keys of {}: No such file or directory (os error 2); the keys that \
             it had are accepted until then: to revoke some, ",
            path.display()
        );
        assert_eq!((log.matches(&complaint).count(), log.matches("ERROR").count()), (2, 2), "{log}");
        // What is there at the start was read then.
        assert_eq!(log.matches("read the file of keys again").count(), 2, "{log}");
    }
}
