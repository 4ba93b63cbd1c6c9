//! What was read of a data set, and what was left out.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::Place;

/// What was read, and what was left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stats {
    /// Records, blank lines not counted.
    pub lines: u64,
    /// Samples in the data set.
    pub samples: u64,
    /// Bad records that were skipped.
    pub skipped: u64,
    /// Samples left out because no token of theirs would count for the loss.
    pub without_target: u64,
    /// Samples left out because they are longer than `sequence_len`.
    pub dropped: u64,
    /// Samples cut to `sequence_len`.
    pub truncated: u64,
    /// Tokens of all samples.
    pub tokens: u64,
    /// Tokens that the loss counts.
    pub target_tokens: u64,
    /// Tokens of the longest sample, before anything was dropped or cut.
    pub longest: u64,
    /// Conversations whose answers are learned behind other tokens than generation would be given.
    pub unlike_generation: u64,
    /// The first of them.
    pub first_unlike_generation: Option<UnlikeGeneration>,
}

/// An answer that is learned behind other tokens than generation would be given. Shown as where it stands and what differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnlikeGeneration {
    /// The file. A tokenised data set is known by what its files hold, and keeps no names of them.
    #[serde(skip)]
    pub path: PathBuf,
    /// Which of the data set's files it is, from 0.
    pub file: usize,
    /// Where the conversation stands in it.
    pub place: Place,
    /// Index of the message, from 0.
    pub message: usize,
    /// A clause that shows both sides.
    pub difference: String,
}

impl fmt::Display for UnlikeGeneration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnlikeGeneration { path, place, message, difference, .. } = self;
        write!(f, "{}, {place}, messages[{message}]: {difference}", path.display())
    }
}

impl Stats {
    /// Puts in the names of the data set's files, which are in order.
    pub(crate) fn name_files<'a>(&mut self, mut files: impl Iterator<Item = &'a Path>) {
        if let Some(first) = &mut self.first_unlike_generation {
            first.path = files.nth(first.file).map(Path::to_path_buf).unwrap_or_default();
        }
    }

    /// Says what was left out or cut, and what generation would see otherwise, if anything.
    pub(crate) fn warn(&self, sequence_len: usize) {
        let were = |count| if count == 1 { "was" } else { "were" };
        let longer = |count, done| format!("{} longer than sequence_len ({sequence_len}) and {done}", were(count));
        let left_out = were(self.without_target);
        let counts = [
            (self.skipped, format!("{} bad and skipped", were(self.skipped))),
            (self.without_target, format!("had no token that the loss would count, and {left_out} left out")),
            (self.dropped, longer(self.dropped, "dropped")),
            (self.truncated, longer(self.truncated, "cut to it")),
        ];
        let said: Vec<String> =
            counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
        if !said.is_empty() {
            let lines = if self.lines == 1 { "line" } else { "lines" };
            tracing::warn!("of {} {lines}, {}", self.lines, said.join("; "));
        }
        if let Some(first) = &self.first_unlike_generation {
            tracing::warn!(
                "in {} of {} conversations an answer is learned behind other tokens than generation would give the model, \
                 because of the chat template; the first: {first}",
                self.unlike_generation,
                self.samples
            );
        }
    }
}
