//! What can stop a training run.

use std::path::PathBuf;

/// Why training cannot start or go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The model and the data do not fit together.
    #[error("tracing the training step: {0}")]
    Graph(graph::GraphError),
    /// A batch is not of the shape that the step was compiled for.
    #[error("a batch of the wrong shape: {0}")]
    Batch(graph::SizeMismatch),
    /// A batch's rows are packed in a way that the step was not compiled for.
    #[error(transparent)]
    Documents(#[from] models::DocumentsError),
    /// The devices that a step is spread over.
    #[error(transparent)]
    Mesh(#[from] mesh::MeshError),
    /// How tensors are to lie on them.
    #[error(transparent)]
    Rule(#[from] crate::layout::IdleRule),
    /// The device or its plugin.
    #[error(transparent)]
    Runtime(#[from] runtime::Error),
    /// The other processes of the run.
    #[error(transparent)]
    Ranks(#[from] ranks::GroupError),
    /// The plugin refused a call.
    #[error(transparent)]
    Pjrt(#[from] runtime::PjrtError),
    /// A file of a model, an adapter or a checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] checkpoint::Error),
    /// The data.
    #[error(transparent)]
    Data(data::Error),
    /// A record of the data, which `skip_bad` leaves out. Commands that read data have it as an option.
    #[error("{0}, or skip such lines with --skip-bad")]
    BadRecord(data::Error),
    /// A file of metrics.
    #[error(transparent)]
    Metrics(#[from] crate::metrics::MetricsError),
    /// What the configuration means.
    #[error(transparent)]
    Plan(#[from] crate::plan::PlanError),
    /// The run's folder.
    #[error(transparent)]
    Folder(#[from] crate::run_folder::FolderError),
    /// What the run was to go on from.
    #[error(transparent)]
    Resume(#[from] crate::resume::ResumeError),
    /// It needs more memory than there is.
    #[error(transparent)]
    TooLarge(#[from] crate::memory_guard::TooLarge),
    /// `micro_batch_size: auto` has nothing to choose from.
    #[error(transparent)]
    NoRows(#[from] crate::micro_batch::NoRows),
    /// An evaluation would have nothing to count.
    #[error(
        "the evaluation's batches ({batches}) hold no token that the loss counts: raise eval_subset_num_batches or val_set_size, or set \
         sample_packing to true, so that samples are not cut"
    )]
    EmptyEvaluation {
        /// Batches of an evaluation.
        batches: usize,
    },
    /// A row has more positions than the model.
    #[error("sequence_len is {sequence_len}, but the model has learned {learned} positions and no others: lower it")]
    Positions {
        /// Positions of a row.
        sequence_len: usize,
        /// Positions of the model.
        learned: usize,
    },
    /// Nothing says how many rows of random tokens there are.
    #[error(
        "`micro_batch_size: auto` goes by the data, and random tokens have none: give it a number, such as micro_batch_size=8"
    )]
    RandomRows,
    /// The configuration names no tokenizer.
    #[error("set tokenizer to a tokenizer.json, or to a folder that holds one")]
    NoTokenizer,
    /// A tokenizer's file has a name of its own.
    #[error("tokenizer: {path} is not named tokenizer.json; give a file of that name, or the folder that holds one")]
    TokenizerName {
        /// The file.
        path: PathBuf,
    },
    /// The chat template cannot be read.
    #[error(
        "{path}, which has to be a template in Jinja, cannot be read: {cause}; without this key the tokenizer's own is taken"
    )]
    ChatTemplateFile {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        cause: std::io::Error,
    },
    /// The chat template is not one.
    #[error("{path}: {cause}")]
    ChatTemplate {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: Box<data::Error>,
    },
    /// A tensor was asked for that the training step does not have.
    #[error("the training step takes no tensor named {name}")]
    NoSuchTensor {
        /// The name.
        name: String,
    },
    /// The data have samples, but none for training.
    #[error(
        "no sample of `datasets` is left to train on, because their `weight`s take none or `val_set_size` all: raise the one or \
         lower the other"
    )]
    NothingToTrainOn,
    /// The data for evaluations have samples, and none of them is taken.
    #[error(
        "no sample of `test_datasets` is left to evaluate on, because their `weight`s take none: raise them, or leave `test_datasets` \
         out"
    )]
    NothingToEvaluateOn,
    /// The run's folder is not the same to all processes.
    #[error("rank {rank} on host {host}: {problem}")]
    OtherFolder {
        /// The process that finds another.
        rank: usize,
        /// Its machine.
        host: String,
        /// What it finds.
        problem: String,
    },
    /// Training diverged.
    #[error(
        "training diverged: {what} not a number {when} step {step}, {kept}; lower learning_rate (it was {learning_rate:e}) \
         or max_grad_norm, or check the data and the weights that it began with"
    )]
    NotANumber {
        /// What is no number any more, with its verb.
        what: &'static str,
        /// `at` or `after`.
        when: &'static str,
        /// The step, from 1.
        step: u64,
        /// Its learning rate.
        learning_rate: f64,
        /// What is left to go on from, as the end of a clause.
        kept: String,
    },
    /// The run was asked to stop before its first step; [`crate::run`] ends as [`crate::Ending::Unstarted`] then.
    #[error("stopped before the first step")]
    Stopped,
}

impl From<data::Error> for Error {
    fn from(error: data::Error) -> Error {
        match error {
            data::Error::Stopped => Error::Stopped,
            bad @ (data::Error::Line { .. } | data::Error::Refused { .. }) => Error::BadRecord(bad),
            error => Error::Data(error),
        }
    }
}

// By hand, because `#[from]` would make these the `source` too, which is then printed twice.
impl From<graph::GraphError> for Error {
    fn from(error: graph::GraphError) -> Error {
        Error::Graph(error)
    }
}

impl From<graph::SizeMismatch> for Error {
    fn from(error: graph::SizeMismatch) -> Error {
        Error::Batch(error)
    }
}
