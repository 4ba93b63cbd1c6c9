//! The folder of a run: held by one process at a time, and never one in which the trained model would replace another.

use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use atomic_file::{PartialFolder, Temporary};

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
    /// It is the adapter's that the run starts from.
    #[error("output_dir {path} is lora_model_dir, whose files the trained adapter would replace: choose another")]
    IsAdapter {
        /// The folder.
        path: PathBuf,
    },
    /// An earlier run that is to be overwritten holds what this one starts from.
    #[error("{key} {input} is part of the run in {path}, which --overwrite would remove: choose another output_dir")]
    NeededInput {
        /// The key that names it.
        key: &'static str,
        /// The file or folder.
        input: PathBuf,
        /// The folder of the run.
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
    /// It holds what an earlier run trained, without a checkpoint.
    #[error(
        "output_dir {path} holds the result of an earlier run and no checkpoint to go on from; replace it by --overwrite, or \
         choose another"
    )]
    HoldsResult {
        /// The folder.
        path: PathBuf,
    },
    /// It holds an earlier run.
    #[error(
        "{path} holds checkpoints of an earlier run; go on with it by --resume, replace it by --overwrite, or choose another \
         output_dir"
    )]
    HoldsCheckpoints {
        /// The folder of the checkpoints.
        path: PathBuf,
    },
}

/// What becomes of an earlier run in the folder of a new one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EarlierRun {
    /// Its checkpoints, or what it trained, are reason to refuse.
    #[default]
    Refused,
    /// The new one goes on from its newest complete checkpoint, if there is one.
    Resumed,
    /// It is removed, once the new one is ready to begin.
    Overwritten,
}

const LOCK: &str = ".lock";

/// The folder of a run, held for this process as long as the value lives. Dropped before anything was written, it leaves no
/// trace.
#[derive(Debug)]
pub(crate) struct RunFolder {
    path: PathBuf,
    /// Absent where the file system cannot lock; there nothing is held. The file goes before it is unlocked.
    #[expect(dead_code, reason = "held, not read")]
    lock: Option<(Temporary, File)>,
    /// Those that were not there before, innermost first.
    #[expect(dead_code, reason = "held, not read")]
    created: Vec<Temporary>,
}

impl RunFolder {
    /// Creates the folder of `config` where it is not there, locks it, and refuses one that is not for this run, or has an earlier one that
    /// is to stay. What is in the folder is looked at only under the lock, because another run may have been at work there until then.
    pub(crate) fn lock(config: &TrainConfig, earlier: EarlierRun) -> Result<RunFolder, FolderError> {
        let path = config.output_dir.clone();
        if config.base_model.as_deref().is_some_and(|base| is_same(base, &path)) {
            return Err(FolderError::IsBaseModel { path });
        }
        if config.lora_model_dir.as_deref().is_some_and(|adapter| is_same(adapter, &path)) {
            return Err(FolderError::IsAdapter { path });
        }
        let created = create(&path)?;
        let lock = lock(&path)?;
        let folder = RunFolder { path: path.clone(), lock, created };
        let holds_model = ["config.json", "adapter_config.json"].iter().any(|file| path.join(file).exists());
        if holds_model && !path.join("config.yaml").exists() {
            return Err(FolderError::HoldsModel { path });
        }
        let checkpoints = path.join(checkpoint::CHECKPOINTS);
        let holds_checkpoints = fs::read_dir(&checkpoints).is_ok_and(|mut entries| entries.next().is_some());
        match earlier {
            EarlierRun::Refused if holds_checkpoints => {
                return Err(FolderError::HoldsCheckpoints { path: checkpoints });
            }
            EarlierRun::Refused | EarlierRun::Resumed if holds_model && !holds_checkpoints => {
                return Err(FolderError::HoldsResult { path });
            }
            EarlierRun::Refused | EarlierRun::Resumed => {}
            EarlierRun::Overwritten => folder.refuse_needed_inputs(config)?,
        }
        folder.try_checkpoints()?;
        Ok(folder)
    }

    /// Refuses a folder of checkpoints that cannot be written to, as another user's, before anything is trained that could not be saved.
    fn try_checkpoints(&self) -> Result<(), FolderError> {
        let path = self.path.join(checkpoint::CHECKPOINTS);
        let refused = |cause| FolderError::Unwritable { action: "writing to the folder", path: path.clone(), cause };
        if path.exists() { PartialFolder::create(path.join("trial")).map(drop).map_err(refused) } else { Ok(()) }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// What a run writes into its folder beside its checkpoints.
fn is_written_by_runs(name: &str) -> bool {
    let whole = [
        "config.yaml",
        "metrics.jsonl",
        "config.json",
        "model.safetensors",
        "model.safetensors.index.json",
        "adapter_config.json",
        "adapter_model.safetensors",
    ];
    whole.contains(&name)
        || name.starts_with("events.out.tfevents.")
        || name.starts_with("model-") && name.ends_with(".safetensors")
}

/// What the names in the folder of checkpoints begin with.
const CHECKPOINT_MARKS: [&str; 3] = ["step-", "damaged-step-", "diverged-step-"];

impl RunFolder {
    /// Refuses to overwrite a run that holds an input of this one.
    fn refuse_needed_inputs(&self, config: &TrainConfig) -> Result<(), FolderError> {
        let Ok(checkpoints) = fs::canonicalize(self.path.join(checkpoint::CHECKPOINTS)) else { return Ok(()) };
        let inputs = [
            ("base_model", &config.base_model),
            ("lora_model_dir", &config.lora_model_dir),
            ("resume_from_checkpoint", &config.resume_from_checkpoint),
        ];
        for (key, input) in inputs {
            if let Some(input) = input
                && fs::canonicalize(input).is_ok_and(|input| input.starts_with(&checkpoints))
            {
                return Err(FolderError::NeededInput { key, input: input.clone(), path: self.path.clone() });
            }
        }
        Ok(())
    }

    /// Removes what an earlier run wrote here: checkpoints, metrics, configuration and trained weights. What no run writes
    /// stays, and so does the tokenizer, which may have been here before.
    pub(crate) fn remove_run(&self) -> Result<(), FolderError> {
        if !self.path.join("config.yaml").is_file() {
            return Ok(());
        }
        let checkpoints = self.path.join(checkpoint::CHECKPOINTS);
        for path in entries(&checkpoints)? {
            if CHECKPOINT_MARKS.iter().any(|mark| name(&path).starts_with(mark)) {
                fs::remove_dir_all(&path).map_err(cannot_remove(&path))?;
            }
        }
        // Only if nothing of someone else's is in it.
        let _ = fs::remove_dir(&checkpoints);
        // config.yaml, which says that the rest is a run's, goes last.
        let (marker, others): (Vec<_>, Vec<_>) = entries(&self.path)?
            .into_iter()
            .filter(|path| path.is_file() && is_written_by_runs(&name(path)))
            .partition(|path| name(path) == "config.yaml");
        others.iter().chain(&marker).try_for_each(|path| fs::remove_file(path).map_err(cannot_remove(path)))
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn cannot_remove(path: &Path) -> impl FnOnce(io::Error) -> FolderError {
    let path = path.to_path_buf();
    move |cause| FolderError::Unwritable { action: "removing", path, cause }
}

/// What is in a folder; nothing where there is none.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, FolderError> {
    let refused = |cause| FolderError::Unwritable { action: "listing", path: folder.to_path_buf(), cause };
    match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        found => found.and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect()).map_err(refused),
    }
}

fn is_same(a: &Path, b: &Path) -> bool {
    fs::canonicalize(a).is_ok_and(|a| fs::canonicalize(b).is_ok_and(|b| a == b))
}

/// Creates a folder and its parents; gives those that were not there, innermost first.
fn create(folder: &Path) -> Result<Vec<Temporary>, FolderError> {
    let missing = folder.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists());
    let missing: Vec<Temporary> = missing.map(Temporary::new).collect();
    let refused = |cause| FolderError::Unwritable { action: "creating the folder", path: folder.to_path_buf(), cause };
    fs::create_dir_all(folder).map_err(refused)?;
    Ok(missing)
}

/// Takes the lock of a folder; `None` where the file system has no locks.
fn lock(folder: &Path) -> Result<Option<(Temporary, File)>, FolderError> {
    let path = folder.join(LOCK);
    loop {
        let refused = |cause| FolderError::Unwritable { action: "writing to the folder", path: folder.into(), cause };
        let file = File::create(&path).map_err(refused)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(FolderError::InUse { path: folder.to_path_buf() }),
            Err(TryLockError::Error(_)) => return Ok(None),
            // Its holder may have removed the file between our two calls; then the lock is on a file that nobody else finds.
            Ok(()) if is_at(&file, &path) => return Ok(Some((Temporary::new(path), file))),
            Ok(()) => {}
        }
    }
}

fn is_at(file: &File, path: &Path) -> bool {
    let place = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    file.metadata().is_ok_and(|file| fs::metadata(path).is_ok_and(|path| place(file) == place(path)))
}
