//! What a data set is made from, and how.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::pack::Packing;
use crate::source::Source;

/// What happens to a sample with more tokens than `sequence_len`. Each case is counted in [`Stats`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExcessLength {
    /// It is left out.
    #[default]
    Drop,
    /// Its end is cut off.
    Truncate,
    /// It is an error.
    Raise,
}

/// What a data set is made from, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct DatasetOptions {
    /// The files and folders, in order.
    pub sources: Vec<Source>,
    /// Longest sample in tokens, which is also the length of a row.
    pub sequence_len: usize,
    /// What happens to longer samples. Has no effect when they are concatenated, because then they are cut anyway.
    pub excess_length_strategy: ExcessLength,
    /// How samples share rows.
    pub packing: Packing,
    /// Whether the loss counts prompts and user messages too.
    pub train_on_inputs: bool,
    /// Whether bad records, and those that nothing would be learned from, are counted and left out instead of refused.
    pub skip_bad: bool,
}

impl DatasetOptions {
    /// The default options over files whose form is told from their first lines.
    pub fn new(paths: impl IntoIterator<Item = PathBuf>, sequence_len: usize) -> Self {
        DatasetOptions {
            sources: paths.into_iter().map(Source::new).collect(),
            sequence_len,
            excess_length_strategy: ExcessLength::default(),
            packing: Packing::default(),
            train_on_inputs: false,
            skip_bad: false,
        }
    }
}
