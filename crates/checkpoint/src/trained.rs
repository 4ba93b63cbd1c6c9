//! Which step a trained model is of.

use std::fs;
use std::path::{Path, PathBuf};

use crate::adapter::ADAPTER_WEIGHTS;
use crate::error::Error;
use crate::export::is_shard;
use crate::model_folder::{INDEX, WEIGHTS};
use crate::safetensors_file::SafetensorsFile;
use crate::safetensors_write::STEP_KEY;

/// The model, or the adapter, that a run has written into its folder at its end. A run that goes on leaves it as it is until it ends again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trained {
    /// The file of its weights, or the first of them.
    pub file: PathBuf,
    /// The step after which it was trained; earlier versions did not say that.
    pub step: Option<u64>,
}

impl Trained {
    /// What is in the folder of a run; `None` where that has not ended yet.
    ///
    /// # Errors
    /// The folder cannot be listed, or the file is damaged.
    pub fn find(run: &Path) -> Result<Option<Trained>, Error> {
        let Some(file) = weights(run)? else { return Ok(None) };
        let step = SafetensorsFile::open(&file)?.metadata().get(STEP_KEY).and_then(|step| step.parse().ok());
        Ok(Some(Trained { file, step }))
    }
}

fn weights(run: &Path) -> Result<Option<PathBuf>, Error> {
    let whole = [WEIGHTS, ADAPTER_WEIGHTS].map(|name| run.join(name)).into_iter().find(|path| path.exists());
    if whole.is_some() || !run.join(INDEX).exists() {
        return Ok(whole);
    }
    let entries = fs::read_dir(run).map_err(Error::io("list", run))?;
    let mut shards = Vec::new();
    for entry in entries {
        let path = entry.map_err(Error::io("list", run))?.path();
        shards.extend(Some(path).filter(|path| is_shard(&path.file_name().unwrap_or_default().to_string_lossy())));
    }
    Ok(shards.into_iter().min())
}
