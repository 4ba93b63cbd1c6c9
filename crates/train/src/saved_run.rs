//! What a checkpoint says of the run that saved it, for people.

use checkpoint::Checkpoint;

use crate::Error;
use crate::config::TrainConfig;
use crate::resume::read_state;

/// A run at one of its checkpoints.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedRun {
    /// Rows of the data trained on: the place at which it goes on.
    pub rows: u64,
    /// Tokens trained on, padding not counted.
    pub tokens: u64,
    /// Whether it was saved only because time had passed, and may go when there is a newer one.
    pub interim: bool,
    /// The configuration as resolved.
    pub config: TrainConfig,
}

impl SavedRun {
    /// Reads it.
    ///
    /// # Errors
    /// The file cannot be read, or is not what a run of `finery train` writes.
    pub fn read(checkpoint: &Checkpoint) -> Result<SavedRun, Error> {
        let (state, config) = read_state(checkpoint)?;
        Ok(SavedRun { rows: state.rows, tokens: state.tokens, interim: state.interim, config })
    }
}
