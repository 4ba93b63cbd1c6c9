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
pub(crate) struct Watched {
    path: PathBuf,
    /// `None`: it was not there.
    stamp: Option<Stamp>,
}

impl Watched {
    /// From now on.
    pub(crate) fn new(path: &Path) -> Watched {
        Watched { path: path.to_path_buf(), stamp: stamp(path) }
    }

    /// Whether it is another than at the last look. One that is gone is not: whoever replaces it may not be done.
    pub(crate) fn has_changed(&mut self) -> bool {
        let stamp = stamp(&self.path);
        stamp.is_some() && stamp != std::mem::replace(&mut self.stamp, stamp)
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let file = fs::metadata(path).ok()?;
    Some(Stamp { number: file.ino(), bytes: file.len(), changed: file.modified().ok() })
}

/// Reads the file of keys again whenever it changes, for ever.
pub(crate) async fn keys(app: Shared) {
    let Some(path) = app.keys.file().map(Path::to_path_buf) else { return };
    // Before the first look: it may have changed since it was read.
    let mut file = Watched { path, stamp: None };
    loop {
        let read = Shared::clone(&app);
        let looked = tokio::task::spawn_blocking(move || {
            if file.has_changed() {
                match read.keys.reload(Instant::now()) {
                    Ok(()) => tracing::info!("read the keys of {}", file.path.display()),
                    Err(error) => tracing::error!("the keys stay as they were: {error}"),
                }
            }
            file
        });
        file = match looked.await {
            Ok(file) => file,
            // The runtime ends.
            Err(_) => return,
        };
        tokio::time::sleep(PERIOD).await;
    }
}
