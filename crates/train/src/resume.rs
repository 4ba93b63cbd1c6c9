//! What a run goes on from: which checkpoint, whether it fits, and its state brought back to the device.

use std::path::PathBuf;

use checkpoint::Checkpoint;
use graph::DType;
use serde::{Deserialize, Serialize};

use crate::config::TrainConfig;
use crate::run_data::DataDigest;
use crate::run_folder::RunFolder;
use crate::window::WindowState;
use crate::{Error, Trainer};

/// Why a run cannot go on from a checkpoint.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// A parameter has another shape or type now.
    #[error(
        "{path}: its tensor {name} is {saved_dtype} {saved_shape:?}, but this configuration trains {dtype} {shape:?}; resume \
         with the configuration that it was saved with"
    )]
    Shape {
        /// The checkpoint.
        path: PathBuf,
        /// The tensor.
        name: String,
        /// Its type in the checkpoint.
        saved_dtype: DType,
        /// Its shape there.
        saved_shape: Vec<usize>,
        /// The type that is trained.
        dtype: DType,
        /// The shape that is trained.
        shape: Vec<usize>,
    },
    /// The samples are not those that it was trained on.
    #[error(
        "{path}: the training data are not those that it was saved with ({change}); bring back the files of datasets, the \
         tokenizer and the settings of the data, or start another run in another output_dir"
    )]
    Data {
        /// The checkpoint.
        path: PathBuf,
        /// How they differ.
        change: String,
    },
}

/// What a checkpoint says besides its tensors.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TrainerState {
    /// Updates done; where the run stands in its data follows from it.
    pub(crate) step: u64,
    /// Tokens trained on, padding not counted.
    pub(crate) tokens: u64,
    /// The configuration as resolved.
    pub(crate) config: String,
    /// Seconds since 1970 that chat templates saw as now.
    pub(crate) clock: i64,
    /// What the next line of metrics begins with.
    pub(crate) window: WindowState,
    /// Whether the run stopped before an evaluation that is due after this step.
    #[serde(default)]
    pub(crate) evaluation_due: bool,
    /// The samples that it was trained on; earlier versions did not say.
    #[serde(default)]
    pub(crate) data: Option<DataDigest>,
}

/// A checkpoint that a run goes on from.
pub(crate) struct Resumed {
    checkpoint: Checkpoint,
    pub(crate) state: TrainerState,
}

impl Resumed {
    /// With `resume` the newest checkpoint of the run's own, else that of another run, if one is named.
    pub(crate) fn find(config: &TrainConfig, folder: &RunFolder, resume: bool) -> Result<Option<Resumed>, Error> {
        let own = if resume { checkpoint::latest(folder.path())? } else { None };
        if own.is_none() && !resume {
            folder.refuse_checkpoints()?;
        }
        let other = || config.resume_from_checkpoint.as_ref().map(Checkpoint::open).transpose();
        let Some(checkpoint) = own.map_or_else(other, |own| Ok(Some(own)))? else { return Ok(None) };
        let state = checkpoint.trainer_state()?;
        Ok(Some(Resumed { checkpoint, state }))
    }

    /// Refuses other samples than those that it was trained on: its step would stand at another place among them.
    pub(crate) fn check_data(&self, found: DataDigest) -> Result<(), ResumeError> {
        let Some(trained) = self.state.data.filter(|trained| *trained != found) else { return Ok(()) };
        let total = |digest: DataDigest| (digest.samples, digest.tokens);
        let change = if total(trained) == total(found) {
            format!("{} samples of {} tokens as then, but other ones or in another order", found.samples, found.tokens)
        } else {
            let DataDigest { samples, tokens, .. } = trained;
            format!("{samples} samples of {tokens} tokens then, {} of {} now", found.samples, found.tokens)
        };
        Err(ResumeError::Data { path: self.checkpoint.path().to_path_buf(), change })
    }

    /// Brings trained parameters and their moments back.
    pub(crate) fn restore(&self, trainer: &mut Trainer<'_>) -> Result<(), Error> {
        for spec in trainer.state() {
            let tensor = self.checkpoint.tensors().tensor(&spec.name)?;
            if tensor.shape() != spec.shape || tensor.dtype() != spec.dtype {
                return Err(Error::Resume(ResumeError::Shape {
                    path: self.checkpoint.path().to_path_buf(),
                    saved_dtype: tensor.dtype(),
                    saved_shape: tensor.shape().to_vec(),
                    name: spec.name,
                    dtype: spec.dtype,
                    shape: spec.shape,
                }));
            }
        }
        trainer.restore(|name| Ok(self.checkpoint.tensors().tensor(name)?))
    }

    /// Says which settings differ from those that it was saved with.
    pub(crate) fn warn_of_changes(&self, config: &TrainConfig) {
        let now = config.to_yaml();
        let is_old = |line: &str| self.state.config.lines().any(|old| old == line);
        let changed: Vec<&str> = now.lines().filter(|line| !is_old(line)).collect();
        if !changed.is_empty() {
            tracing::warn!("the checkpoint was saved with other settings than these: {}", changed.join("; "));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_of_a_run_that_told_nothing_of_its_data_is_read() {
        let state = r#"{"step": 7, "tokens": 900, "config": "seed: 1\n", "clock": 1700000000,
            "window": {"loss_sum_bits": 0, "targets": 0}}"#;
        let state: TrainerState = serde_json::from_str(state).expect("a state without the newer fields");
        assert!(state.step == 7 && state.data.is_none() && !state.evaluation_due);
    }
}
