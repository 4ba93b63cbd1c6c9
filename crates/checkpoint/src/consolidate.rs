//! A checkpoint in boxes as a folder that others read.

use std::fs;
use std::path::{Path, PathBuf};

use atomic_file::PartialFolder;

use crate::adapter::{AdapterFolder, write_adapter};
use crate::adapter_config::{ADAPTER_CONFIG, LoraConfig};
use crate::checkpoint_folder::Checkpoint;
use crate::error::Error;
use crate::export::{read_side_files, write_model};
use crate::model_folder::CONFIG;
use crate::safetensors_write::TensorSpec;
use crate::training_state::is_moment;

/// Writes the weights of a checkpoint as a model folder of Hugging Face's layout, or an adapter folder of PEFT's, with the tokenizer beside
/// them: in the element type that they were saved in, one tensor in memory at a time, and, of a model, in files of at most
/// `max_shard_bytes`. Its checksums are compared first. A run may go on meanwhile; should it remove the checkpoint before all of its
/// files are open, that is an error ([`of_newest`](crate::of_newest) takes another).
///
/// # Errors
/// The checkpoint is not complete or damaged, `output` is there and not empty, or cannot be written.
pub fn consolidate(checkpoint: &Path, output: &Path, max_shard_bytes: u64) -> Result<(), Error> {
    if fs::read_dir(output).is_ok_and(|mut entries| entries.next().is_some()) || output.is_file() {
        return Err(Error::Taken { path: output.to_path_buf() });
    }
    let checkpoint = Checkpoint::open_anywhere(checkpoint)?;
    let path = checkpoint.path();
    let mut beside = read_side_files(path)?;
    let adapter = AdapterFolder::is_at(path).then(|| LoraConfig::read(path.join(ADAPTER_CONFIG))).transpose()?;
    if adapter.is_none() {
        let config = path.join(CONFIG);
        let bytes = fs::read(&config).map_err(Error::io("read", &config))?;
        beside.push(crate::ModelFile { name: CONFIG.to_owned(), bytes });
    }
    // Before all of the checkpoint is read: a place that it cannot have is told at once.
    let partial = PartialFolder::create(output).map_err(Error::io("create", output))?;
    if let Some(fault) = checkpoint.faults().into_iter().next() {
        return Err(fault);
    }
    let tensors = checkpoint.tensors();
    let spec = |name: &str| {
        let shape = tensors.shape(name).expect("a tensor that is there has a shape");
        Ok(TensorSpec::new(name, tensors.dtype(name)?, shape))
    };
    let specs: Vec<TensorSpec> =
        tensors.names().filter(|name| !is_moment(name)).map(spec).collect::<Result<_, Error>>()?;
    let step = Some(checkpoint.step());
    let folder = partial.path();
    match adapter {
        Some(config) => write_adapter(folder, &config, &specs, step, |spec| Ok(tensors.tensor(&spec.name)?))?,
        None => drop::<Vec<PathBuf>>(write_model(folder, &specs, max_shard_bytes, step, |spec| {
            Ok(tensors.tensor(&spec.name)?)
        })?),
    }
    for file in beside {
        crate::write_file(folder.join(file.name), &file.bytes)?;
    }
    partial.publish().map_err(Error::io("rename the new folder to", output))
}
