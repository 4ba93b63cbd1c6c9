//! The folder of a run: held by one process at a time, and never one in which the trained model would replace another.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use atomic_file::{PartialFolder, Temporary, make_folder};
use checkpoint::{Claim, FolderLock, LockError, Owner};

use crate::config::{ModelConfig, TrainConfig};
use crate::plan;
use crate::recorder::PROFILE_FILES;

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
    #[error("another run is writing to {path}{}: wait for its end, or choose another output_dir", of_process(holder.as_ref()))]
    InUse {
        /// The folder.
        path: PathBuf,
        /// The process, if it has said which it is.
        holder: Option<Owner>,
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
    /// It holds the configuration that was loaded.
    #[error(
        "{path} is the configuration of this run, which the resolved one would replace: move it out of output_dir, or choose another \
         output_dir"
    )]
    HoldsConfig {
        /// The file.
        path: PathBuf,
    },
    /// A data set has the name of a file that runs write.
    #[error(
        "{key} {input} would be replaced by this run's file of that name: move it out of output_dir, or choose another output_dir"
    )]
    HoldsData {
        /// The key that names it.
        key: String,
        /// The file.
        input: PathBuf,
    },
    /// It is in a folder of data.
    #[error(
        "output_dir {path} is part of {folder}, in which {key} finds its files, and this run's own could become data: choose an \
         output_dir outside of it, or name the files as data sets"
    )]
    IsInData {
        /// The folder.
        path: PathBuf,
        /// The key that names the folder of data.
        key: String,
        /// The folder of data.
        folder: PathBuf,
    },
    /// An earlier run that is to be overwritten holds what this one starts from.
    #[error("{key} {input} is part of the run in {path}, which --overwrite would remove: choose another output_dir")]
    NeededInput {
        /// The key that names it.
        key: String,
        /// The file or folder.
        input: PathBuf,
        /// The folder of the run.
        path: PathBuf,
    },
    /// It holds a model of someone else.
    #[error(
        "output_dir {path} holds a model or a tokenizer that no run put there, and the trained one would replace it: choose \
         another"
    )]
    HoldsModel {
        /// The folder.
        path: PathBuf,
    },
    /// It holds a run that has lost the file by which it is known to be one.
    #[error(
        "output_dir {path} holds checkpoints and a model or a tokenizer, but no {CONFIG}, which says that they are a run's: put a copy of \
         its configuration there under that name, or choose another output_dir"
    )]
    LacksConfig {
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

fn of_lock(error: LockError) -> FolderError {
    match error {
        LockError::Held { path, holder } => FolderError::InUse { path, holder },
        LockError::Unwritable { path, cause } => {
            FolderError::Unwritable { action: "writing to the folder", path, cause }
        }
    }
}

fn of_process(holder: Option<&Owner>) -> String {
    holder.map_or_else(String::new, |holder| format!(" ({holder})"))
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

/// The configuration as resolved, which says that the folder is a run's.
pub(crate) const CONFIG: &str = "config.yaml";

/// The folder of a run, held for this process as long as the value lives. Dropped before anything was written, it leaves no
/// trace.
#[derive(Debug)]
pub(crate) struct RunFolder {
    path: PathBuf,
    /// This process.
    owner: Owner,
    /// The claim's file, of a run that is the first here and may not begin. It goes before the lock does.
    claimed: Option<Temporary>,
    #[expect(dead_code, reason = "held, not read")]
    lock: FolderLock,
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
        let refused = |cause| FolderError::Unwritable { action: "creating the folder", path: path.clone(), cause };
        let created = make_folder(&path).map_err(refused)?;
        let owner = Owner::this_process(SystemTime::now());
        let lock = FolderLock::take(&path, &owner).map_err(of_lock)?;
        let folder = RunFolder { path: path.clone(), owner, claimed: None, lock, created };
        folder.refuse_mixed_with_data(config, earlier)?;
        let holds_model = ["config.json", "adapter_config.json"].iter().any(|file| path.join(file).exists());
        let file = path.join("tokenizer.json");
        let is_own = |tokenizer: &Path| is_same(tokenizer, &path) || is_same(tokenizer, &file);
        let holds_tokenizer =
            earlier != EarlierRun::Overwritten && file.exists() && !config.tokenizer.as_deref().is_some_and(is_own);
        let holds_checkpoints = holds_checkpoints(&path);
        if (holds_model || holds_tokenizer) && !path.join(CONFIG).exists() {
            return Err(match holds_checkpoints {
                true => FolderError::LacksConfig { path },
                false => FolderError::HoldsModel { path },
            });
        }
        match earlier {
            EarlierRun::Refused if holds_checkpoints => {
                return Err(FolderError::HoldsCheckpoints { path: path.join(checkpoint::CHECKPOINTS) });
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

    /// Takes the run over from whoever had it: from here on nobody else changes what is in the folder.
    pub(crate) fn claim(&mut self) -> Result<Claim, checkpoint::Error> {
        let file = Claim::file(&self.path);
        if !file.exists() {
            self.claimed = Some(Temporary::new(file));
        }
        Claim::take(&self.path, self.owner.clone())
    }

    /// What is written from here on stays.
    pub(crate) fn begin(&mut self) {
        if let Some(claimed) = self.claimed.take() {
            claimed.keep();
        }
    }
}

/// Whether a run's folder holds anything where checkpoints are. What a killed run was writing is hidden, and nothing to go on from.
fn holds_checkpoints(run: &Path) -> bool {
    let is_shown = |entry: io::Result<fs::DirEntry>| {
        entry.is_ok_and(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."))
    };
    fs::read_dir(run.join(checkpoint::CHECKPOINTS)).is_ok_and(|mut entries| entries.any(is_shown))
}

/// What a run writes into its folder beside its checkpoints.
fn is_written_by_runs(name: &str) -> bool {
    let whole = [
        CONFIG,
        "metrics.jsonl",
        "config.json",
        "model.safetensors",
        "model.safetensors.index.json",
        "adapter_config.json",
        "adapter_model.safetensors",
    ];
    whole.contains(&name)
        || PROFILE_FILES.contains(&name)
        || name.starts_with("events.out.tfevents.")
        || name.starts_with("model-") && name.ends_with(".safetensors")
}

/// What the names in the folder of checkpoints begin with.
const CHECKPOINT_MARKS: [&str; 3] = ["step-", "damaged-step-", "diverged-step-"];

fn is_checkpoint(path: &Path) -> bool {
    let name = name(path);
    let step = CHECKPOINT_MARKS.iter().find_map(|mark| name.strip_prefix(mark));
    path.is_dir() && step.is_some_and(|step| step.len() >= 8 && step.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The files and folders that a run is made from, each with the key that names it.
fn inputs(config: &TrainConfig) -> Vec<(String, PathBuf)> {
    let shape = match &config.model_config {
        Some(ModelConfig::File(path)) if plan::preset(config, path).is_some() => None,
        Some(ModelConfig::File(path)) if path.is_dir() => Some(path.join("config.json")),
        Some(ModelConfig::File(path)) => Some(path.clone()),
        Some(ModelConfig::Inline(_)) | None => None,
    };
    let single = [
        ("base_model", &config.base_model),
        ("model_config", &shape),
        ("tokenizer", &config.tokenizer),
        ("chat_template", &config.chat_template),
        ("lora_model_dir", &config.lora_model_dir),
        ("resume_from_checkpoint", &config.resume_from_checkpoint),
    ];
    let single = single.into_iter().filter_map(|(key, path)| Some((key.to_owned(), path.clone()?)));
    single.chain(data_sets(config)).collect()
}

/// The files and folders of data, each with the key that names it.
fn data_sets(config: &TrainConfig) -> impl Iterator<Item = (String, PathBuf)> {
    let lists = [("datasets", &config.datasets), ("test_datasets", &config.test_datasets)].into_iter();
    lists.flat_map(|(key, datasets)| {
        datasets.iter().enumerate().map(move |(index, dataset)| (format!("{key}.{index}.path"), dataset.path.clone()))
    })
}

impl RunFolder {
    /// Refuses data that this run's files would replace, and data that these would become, after which nothing could be resumed. A run that
    /// has come to a checkpoint goes on as far as its data are the same.
    fn refuse_mixed_with_data(&self, config: &TrainConfig, earlier: EarlierRun) -> Result<(), FolderError> {
        let Ok(own) = fs::canonicalize(&self.path) else { return Ok(()) };
        let goes_on = earlier == EarlierRun::Resumed && holds_checkpoints(&self.path);
        // What is hidden in a folder of data is not read.
        let is_read = |below: &Path| !below.iter().any(|name| name.as_encoded_bytes().starts_with(b"."));
        for (key, input) in data_sets(config) {
            let Ok(found) = fs::canonicalize(&input) else { continue };
            if found.parent() == Some(&own) && found.is_file() && is_written_by_runs(&name(&found)) {
                return Err(FolderError::HoldsData { key, input });
            }
            if !goes_on && found.is_dir() && own.strip_prefix(&found).is_ok_and(is_read) {
                return Err(FolderError::IsInData { path: self.path.clone(), key, folder: input });
            }
        }
        Ok(())
    }

    /// Refuses to overwrite a run that holds an input of this one.
    fn refuse_needed_inputs(&self, config: &TrainConfig) -> Result<(), FolderError> {
        let doomed: Vec<PathBuf> =
            self.of_earlier_run()?.iter().filter_map(|path| fs::canonicalize(path).ok()).collect();
        let is_doomed =
            |input: &Path| fs::canonicalize(input).is_ok_and(|input| doomed.iter().any(|path| input.starts_with(path)));
        match inputs(config).into_iter().find(|(_, input)| is_doomed(input)) {
            Some((key, input)) => Err(FolderError::NeededInput { key, input, path: self.path.clone() }),
            None => Ok(()),
        }
    }

    /// What an earlier run wrote here, in the order in which it is to be removed: checkpoints, metrics, trained weights, configuration. What
    /// no run writes stays, and so does the tokenizer until there is one to put in its place.
    fn of_earlier_run(&self) -> Result<Vec<PathBuf>, FolderError> {
        let mut found = entries(&self.path.join(checkpoint::CHECKPOINTS))?;
        found.retain(|path| is_checkpoint(path));
        // Without it, other files may be someone else's; checkpoints are a run's all the same.
        if self.path.join(CONFIG).is_file() {
            let files = entries(&self.path)?.into_iter();
            let files = files.filter(|path| path.is_file() && is_written_by_runs(&name(path)));
            let (marker, others): (Vec<_>, Vec<_>) = files.partition(|path| name(path) == CONFIG);
            found.extend(others.into_iter().chain(marker));
        }
        Ok(found)
    }

    /// Removes what an earlier run wrote here.
    pub(crate) fn remove_run(&self) -> Result<(), FolderError> {
        for path in self.of_earlier_run()? {
            let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            removed.map_err(cannot_remove(&path))?;
        }
        // Only if nothing of someone else's is in it.
        let _ = fs::remove_dir(self.path.join(checkpoint::CHECKPOINTS));
        Ok(())
    }
}

/// Refuses a run that would write its configuration over `loaded`, from which it was read. A file that a run left, and not a person, is
/// as good afterwards, unless it is removed before. To go on with
/// a run, it need not be as one writes it today, if it has nothing that would be lost.
pub(crate) fn refuse_own_config(loaded: &Path, config: &TrainConfig, earlier: EarlierRun) -> Result<(), FolderError> {
    let is_left_by_run = || {
        let text = fs::read_to_string(loaded).unwrap_or_default();
        let is_plain = !text.contains('#') && !text.contains("${");
        earlier == EarlierRun::Resumed && holds_checkpoints(&config.output_dir) && is_plain
            || TrainConfig::parse(&text, loaded, &[]).is_ok_and(|config| config.to_yaml() == text)
    };
    if !is_same(loaded, &config.output_dir.join(CONFIG)) || earlier != EarlierRun::Overwritten && is_left_by_run() {
        return Ok(());
    }
    Err(FolderError::HoldsConfig { path: loaded.to_path_buf() })
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

/// Whether two names are of the same file or folder.
pub(crate) fn is_same(a: &Path, b: &Path) -> bool {
    fs::canonicalize(a).is_ok_and(|a| fs::canonicalize(b).is_ok_and(|b| a == b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_without_its_configuration_is_told_from_a_model_of_someone_else() {
        let folder = tempfile::tempdir().unwrap();
        let text = "base_model: base\ndatasets: [{path: data.jsonl}]\nlearning_rate: 1.0e-3\n";
        let output_dir = format!("output_dir={}", folder.path().display());
        let config = TrainConfig::parse(text, Path::new("run.yaml"), &[output_dir]).unwrap();
        let refused = || RunFolder::lock(&config, EarlierRun::Resumed).unwrap_err();
        fs::write(folder.path().join("config.json"), "{}").unwrap();
        assert!(matches!(refused(), FolderError::HoldsModel { .. }));
        fs::create_dir_all(folder.path().join("checkpoints/step-00000001")).unwrap();
        let message = refused().to_string();
        assert!(message.contains("but no config.yaml, which says that they are a run's: put a copy"), "{message}");
    }
}
