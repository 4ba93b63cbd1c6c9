//! What can go wrong with files; each message names the file and is one sentence.
//!
//! The sentence has the cause in it, so no error here has a `source`: it would be printed twice.

use std::io;
use std::path::{Path, PathBuf};

use crate::differences::Differences;
use crate::header::HeaderError;
use crate::module_match::BadPattern;
use crate::owner::Owner;

/// Why a caller could not supply a tensor that is to be written.
pub type SourceError = Box<dyn std::error::Error + Send + Sync>;

/// A file or folder could not be read, is not what it should be, or could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused.
    #[error("could not {action} {path}: {cause}")]
    Io {
        /// A verb: "open", "create", …
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// The system's answer.
        cause: io::Error,
    },
    /// No space, or no quota, is left for what is being written. What stood there before is untouched.
    #[error(
        "could not write {path}: the disk is full ({cause}); free some space or write to another disk, what was \
         there before is unchanged"
    )]
    DiskFull {
        /// The file that did not fit.
        path: PathBuf,
        /// The system's answer.
        cause: io::Error,
    },
    /// What is being written is larger than files may be. What stood there before is untouched.
    #[error(
        "could not write {path}: it is larger than files may be there ({cause}); raise this process's limit (`ulimit -f`) or write \
         to a file system that takes such files; what was there before is unchanged"
    )]
    FileTooLarge {
        /// The file that is too large.
        path: PathBuf,
        /// The system's answer.
        cause: io::Error,
    },
    /// Not JSON, or JSON of another structure; the source has line and column.
    #[error("{path} cannot be understood: {cause}")]
    Json {
        /// The file.
        path: PathBuf,
        /// What the parser met, and where.
        cause: serde_json::Error,
    },
    /// A safetensors file breaks a rule of its format.
    #[error("{path} is not a valid safetensors file: {rule}")]
    Header {
        /// The file.
        path: PathBuf,
        /// The rule.
        rule: HeaderError,
    },
    /// A tensor is not in the file or folder.
    #[error("{path} holds no tensor \"{name}\"{}", nearest_hint(nearest.as_deref()))]
    NoTensor {
        /// The file or folder.
        path: PathBuf,
        /// The name asked for.
        name: String,
        /// The name in the file with the least edits.
        nearest: Option<String>,
    },
    /// A tensor's element type is part of the format, but nothing here computes with it.
    #[error(
        "tensor \"{name}\" of {path} is stored as {dtype}, which is not supported; convert the model to BF16, \
         F16 or F32"
    )]
    UnsupportedDType {
        /// The file.
        path: PathBuf,
        /// The tensor.
        name: String,
        /// The type's name in the safetensors format.
        dtype: String,
    },
    /// A folder lacks what makes it a model folder.
    #[error("{path} is not a model folder: {problem}")]
    NotAModel {
        /// The folder.
        path: PathBuf,
        /// What is missing, and what to do.
        problem: String,
    },
    /// The shards of a model and its index do not agree.
    #[error("{path} does not fit its shards: {problem}")]
    Index {
        /// `model.safetensors.index.json`.
        path: PathBuf,
        /// Which entry breaks which rule.
        problem: String,
    },
    /// A model's tensors are not those that its configuration asks for.
    #[error("the tensors of {path} are not those that the model needs: {differences}")]
    Differences {
        /// The folder.
        path: PathBuf,
        /// Missing, unexpected and wrongly shaped tensors.
        differences: Differences,
    },
    /// An adapter's tensors are not those that the model asks for.
    #[error(
        "adapter {path} does not fit the model {model}; give the base model that it was trained on{}: {differences}",
        base.as_ref().map(|base| format!(", which its configuration calls {base}")).unwrap_or_default()
    )]
    OtherModel {
        /// The adapter's file.
        path: PathBuf,
        /// The model's folder.
        model: PathBuf,
        /// Missing, unexpected and wrongly shaped tensors.
        differences: Box<Differences>,
        /// What the adapter's configuration calls its base model.
        base: Option<String>,
    },
    /// An adapter uses what is not supported here, or its files do not agree.
    #[error("adapter {path} cannot be used: {problem}")]
    Adapter {
        /// The file or folder at fault.
        path: PathBuf,
        /// Which setting or key, and why.
        problem: String,
    },
    /// A pattern of an adapter's configuration is not a regular expression that can be matched.
    #[error(transparent)]
    Pattern(#[from] BadPattern),
    /// The list of tensors to be written cannot be a safetensors file.
    #[error("{path} cannot be written: {problem}")]
    Specs {
        /// The file to be written.
        path: PathBuf,
        /// Which tensor breaks which rule.
        problem: String,
    },
    /// The caller failed to supply a tensor that is being written.
    #[error("tensor \"{name}\" of {path} could not be obtained: {cause}")]
    Source {
        /// The file being written.
        path: PathBuf,
        /// The tensor.
        name: String,
        /// The caller's error.
        cause: SourceError,
    },
    /// Nothing is where a checkpoint should be.
    #[error("there is no checkpoint {path}: {problem}")]
    NoCheckpoint {
        /// The folder.
        path: PathBuf,
        /// What is there, if anything.
        problem: &'static str,
    },
    /// A run stands where one of its checkpoints should.
    #[error("{path} is the folder of a run: name one of the checkpoints in {path}/checkpoints")]
    IsRun {
        /// The folder.
        path: PathBuf,
    },
    /// A checkpoint lacks a file, or a file is not what was saved.
    #[error("checkpoint {path} is not complete: {problem}")]
    Incomplete {
        /// The folder of the checkpoint.
        path: PathBuf,
        /// What is missing or damaged.
        problem: String,
    },
    /// A checkpoint was set aside by the run that it is of.
    #[error(
        "checkpoint {path} was set aside because {why}: name an earlier one, or rename this to {name} if it is meant all the same"
    )]
    SetAside {
        /// The folder of the checkpoint.
        path: PathBuf,
        /// What the run met.
        why: &'static str,
        /// What checkpoints of its step are called.
        name: String,
    },
    /// Another version wrote it.
    #[error(
        "checkpoint {path} has format {found}, and this version reads formats 2 and 3: go on with the version of Finery \
         that saved it"
    )]
    CheckpointFormat {
        /// The folder of the checkpoint.
        path: PathBuf,
        /// Its format.
        found: u32,
    },
    /// This process was suspended, or lost its lock, and the run has gone on without it.
    #[error(
        "the run in {path} was taken over by {by}{}: nothing of it is changed from here; end that run first, or choose another output_dir",
        how_taken(*epoch, *own)
    )]
    TakenOver {
        /// The folder of the run.
        path: PathBuf,
        /// Who has it now.
        by: Owner,
        /// Its number.
        epoch: u64,
        /// The number of this process.
        own: u64,
    },
    /// What says whose a run is says nothing.
    #[error(
        "{path}, which says what process writes to the run, cannot be understood ({cause}): see that no process writes there, and \
         resume the run, which makes it anew"
    )]
    DamagedClaim {
        /// The file.
        path: PathBuf,
        /// What the parser met, and where.
        cause: serde_json::Error,
    },
    /// The processes of a run have other folders under one name.
    #[error(
        "the run in {path} was begun by {begun} is found there: give all processes one output_dir, on a file system that \
         their machines share"
    )]
    NotShared {
        /// The folder of the run.
        path: PathBuf,
        /// The process that has begun it, and what is there in its place: none, or whose.
        begun: String,
    },
    /// One of the processes that write together has failed.
    #[error("process {rank} of this run failed {doing}: {problem}")]
    OtherWriter {
        /// Which.
        rank: usize,
        /// What all were doing, as a participle.
        doing: String,
        /// Its error.
        problem: String,
    },
    /// One of the processes that write together is not there any more.
    #[error("{doing}: a process of this run is lost ({cause}); the checkpoint before is still there to go on from")]
    LostWriter {
        /// What all were doing, as a participle.
        doing: String,
        /// What became known of it.
        cause: SourceError,
    },
    /// Something is where a folder would go.
    #[error("{path} is there already: give a folder that does not exist or is empty")]
    Taken {
        /// The output.
        path: PathBuf,
    },
    /// There are checkpoints, but none can be resumed from.
    #[error(
        "none of the {} checkpoints in {path} is complete: {}; remove them to start from the beginning",
        reasons.len(),
        reasons.join("; ")
    )]
    NoneComplete {
        /// The folder of the checkpoints.
        path: PathBuf,
        /// Why each was passed over, newest first.
        reasons: Vec<String>,
    },
    /// There are checkpoints, but none can be resumed from, and some only because the disk fails.
    #[error(
        "of the {} checkpoints in {path} none is complete and can be read: {}; see to the disk or the file system, and resume then",
        reasons.len(),
        reasons.join("; ")
    )]
    NoneReadable {
        /// The folder of the checkpoints.
        path: PathBuf,
        /// Why each was passed over, newest first.
        reasons: Vec<String>,
    },
}

/// How a run was taken over: epochs rise, but begin anew in a folder that was cleared.
fn how_taken(epoch: u64, own: u64) -> String {
    if epoch > own {
        format!(" (its epoch {epoch}, this one is {own})")
    } else {
        ", which began it anew in the folder when that had been cleared".to_owned()
    }
}

fn nearest_hint(nearest: Option<&str>) -> String {
    nearest.map(|name| format!("; the nearest name is \"{name}\"")).unwrap_or_default()
}

impl Error {
    /// Wraps what the system said while `action` was done on `path`.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error + use<> {
        let path = path.to_path_buf();
        move |cause| match cause.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Error::DiskFull { path, cause },
            io::ErrorKind::FileTooLarge if action == "write" => Error::FileTooLarge { path, cause },
            _ => Error::Io { action, path, cause },
        }
    }
}

/// What is said of a path where a folder should be and none is.
pub(crate) fn no_folder(path: &Path) -> &'static str {
    if path.exists() { "it is a file, and not a folder" } else { "there is no such folder" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_disks_and_files_are_named() {
        for (kind, said) in
            [(io::ErrorKind::StorageFull, "the disk is full"), (io::ErrorKind::FileTooLarge, "`ulimit -f`")]
        {
            let error = Error::io("write", Path::new("a"))(kind.into()).to_string();
            assert!(error.contains(said) && error.ends_with("what was there before is unchanged"), "{error}");
        }
    }
}
