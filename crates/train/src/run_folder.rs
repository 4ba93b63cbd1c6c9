//! The folder of a run: held by one process at a time, and never one in which the trained model would replace another.

use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::config::TrainConfig;

/// Why a folder cannot be a run's.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// The operating system refused.
    #[error("{action} {path}: {cause}; choose an output_dir that can be written to")]
    Unwritable {
        /// What was being done, as a participle: `creating the folder`.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// What the operating system said.
        cause: io::Error,
    },
    /// Another process trains there.
    #[error("another run is writing to {path}: wait for its end, or choose another output_dir")]
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// It is the base model's.
    #[error("output_dir {path} is base_model, whose files the trained model would replace: choose another")]
    IsBaseModel {
        /// The folder.
        path: PathBuf,
    },
    /// It holds a model of someone else.
    #[error(
        "output_dir {path} holds a model that was not trained there, which the trained one would replace: choose another"
    )]
    HoldsModel {
        /// The folder.
        path: PathBuf,
    },
    /// It holds an earlier run.
    #[error("{path} holds checkpoints of an earlier run; go on with it by --resume, or choose another output_dir")]
    HoldsCheckpoints {
        /// The folder of the checkpoints.
        path: PathBuf,
    },
}

const LOCK: &str = ".lock";

/// The folder of a run, held for this process as long as the value lives. Dropped before anything was written, it leaves no
/// trace.
#[derive(Debug)]
pub(crate) struct RunFolder {
    path: PathBuf,
    /// Absent where the file system cannot lock; there nothing is held.
    lock: Option<File>,
    /// Those that were not there before, innermost first.
    created: Vec<PathBuf>,
}

impl RunFolder {
    /// Creates the folder of `config` where it is not there, locks it, and refuses one that is not for this run. What is in
    /// the folder is looked at only under the lock, because another run may have been at work there until then.
    pub(crate) fn lock(config: &TrainConfig) -> Result<RunFolder, FolderError> {
        let path = config.output_dir.clone();
        if config.base_model.as_deref().is_some_and(|base| is_same(base, &path)) {
            return Err(FolderError::IsBaseModel { path });
        }
        let created = create(&path)?;
        let mut folder = RunFolder { path, lock: None, created };
        folder.lock = lock(&folder.path)?;
        let holds = |file: &str| folder.path.join(file).exists();
        if ["config.json", "adapter_config.json"].into_iter().any(holds) && !holds("config.yaml") {
            return Err(FolderError::HoldsModel { path: folder.path.clone() });
        }
        Ok(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Refuses checkpoints, which a run that begins anew would mix with its own.
    pub(crate) fn refuse_checkpoints(&self) -> Result<(), FolderError> {
        let path = self.path.join(checkpoint::CHECKPOINTS);
        match fs::read_dir(&path).is_ok_and(|mut entries| entries.next().is_some()) {
            true => Err(FolderError::HoldsCheckpoints { path }),
            false => Ok(()),
        }
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        // Nobody to report to. A lock file that stays harms nobody, and a folder goes only if nothing is in it.
        if self.lock.is_some() {
            let _ = fs::remove_file(self.path.join(LOCK));
        }
        for folder in &self.created {
            let _ = fs::remove_dir(folder);
        }
    }
}

fn is_same(a: &Path, b: &Path) -> bool {
    fs::canonicalize(a).is_ok_and(|a| fs::canonicalize(b).is_ok_and(|b| a == b))
}

/// Creates a folder and its parents; gives those that were not there, innermost first.
fn create(folder: &Path) -> Result<Vec<PathBuf>, FolderError> {
    let missing = folder.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists());
    let missing: Vec<PathBuf> = missing.map(Path::to_path_buf).collect();
    let refused = |cause| FolderError::Unwritable { action: "creating the folder", path: folder.to_path_buf(), cause };
    fs::create_dir_all(folder).map_err(refused)?;
    Ok(missing)
}

/// Takes the lock of a folder; `None` where the file system has no locks.
fn lock(folder: &Path) -> Result<Option<File>, FolderError> {
    let path = folder.join(LOCK);
    loop {
        let refused = |cause| FolderError::Unwritable { action: "writing to the folder", path: folder.into(), cause };
        let file = File::create(&path).map_err(refused)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(FolderError::InUse { path: folder.to_path_buf() }),
            Err(TryLockError::Error(_)) => return Ok(None),
            // Its holder may have removed the file between our two calls; then the lock is on a file that nobody else finds.
            Ok(()) if is_at(&file, &path) => return Ok(Some(file)),
            Ok(()) => {}
        }
    }
}

fn is_at(file: &File, path: &Path) -> bool {
    let place = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    file.metadata().is_ok_and(|file| fs::metadata(path).is_ok_and(|path| place(file) == place(path)))
}
