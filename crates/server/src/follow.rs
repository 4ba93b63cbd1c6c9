//! Files that a running server reads again when they change.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

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
    /// `None`: it was not there.
    stamp: Option<Stamp>,
}

impl Watched {
    /// Whether it is another than at the last look. One that is gone is not: whoever replaces it may not be done.
    fn has_changed(&mut self) -> bool {
        let stamp = stamp(&self.path);
        stamp.is_some() && stamp != std::mem::replace(&mut self.stamp, stamp)
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let file = fs::metadata(path).ok()?;
    Some(Stamp { number: file.ino(), bytes: file.len(), changed: file.modified().ok() })
}

/// What is followed.
struct Followed {
    app: Shared,
    keys: Option<Watched>,
    tls: Vec<Watched>,
}

impl Followed {
    fn look(&mut self) {
        if self.keys.as_mut().is_some_and(Watched::has_changed) {
            match self.app.keys.reload(Instant::now()) {
                Ok(()) => tracing::info!("read the keys again"),
                Err(error) => tracing::error!("the keys stay as they were: {error}"),
            }
        }
        // All are looked at, though the first may have changed.
        let changed = self.tls.iter_mut().map(Watched::has_changed).filter(|has_changed| *has_changed).count();
        if let Some(tls) = self.app.tls.as_ref().filter(|_| changed > 0) {
            match tls.reload() {
                Ok(()) => tracing::info!("read the certificate again"),
                Err(error) => tracing::error!("the certificate stays as it was: {error}"),
            }
        }
    }
}

/// Reads keys and certificate again whenever their files change, for ever.
pub(crate) async fn files(app: Shared) {
    // They may have changed since they were read, so that the first look reads them again.
    let unseen = |path: &Path| Watched { path: path.to_path_buf(), stamp: None };
    let keys = app.keys.file().map(unseen);
    let tls = app.tls.iter().flat_map(|tls| tls.files().map(unseen)).collect::<Vec<_>>();
    if keys.is_none() && tls.is_empty() {
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
