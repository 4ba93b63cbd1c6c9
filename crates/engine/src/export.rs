//! Writing a model folder that stands alone: adapter merged, in the element type asked for, and compared with the live model before it
//! gets its name.

use std::path::{Path, PathBuf};
use std::{fs, io};

use atomic_file::PartialFolder;
use checkpoint::{MAX_SHARD_BYTES, ModelSource, TensorSpec, copy_side_files, copy_tokenizer, write_json, write_model};
use graph::DType;
use runtime::Session;
use serde_json::Value;

mod agreement;
mod merging;
#[cfg(test)]
mod tests;

pub use agreement::{Agreement, Difference};
use agreement::{Architecture, compare_with_live};
use merging::StandAlone;

/// How a model is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExportOptions {
    /// Element type of all tensors; `None` leaves each as the model has it.
    pub dtype: Option<DType>,
    /// Limit on the tensors of one file, in bytes.
    pub max_shard_bytes: u64,
}

impl Default for ExportOptions {
    fn default() -> Self {
        ExportOptions { dtype: None, max_shard_bytes: MAX_SHARD_BYTES }
    }
}

/// How far an export has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportProgress {
    /// Tensors are being merged and written.
    Writing {
        /// Bytes of tensors written.
        done: u64,
        /// Bytes of all tensors.
        total: u64,
    },
    /// What was written is being compared with the live model.
    Comparing,
}

/// What was written, and how well it agrees with the live model.
#[derive(Clone, Debug, PartialEq)]
pub struct Exported {
    /// Number of files of weights.
    pub files: usize,
    /// Bytes of all tensors.
    pub bytes: u64,
    /// Number of modules whose adapter was merged.
    pub merged_modules: usize,
    /// The comparison of the written model, loaded again, with the live one.
    pub agreement: Agreement,
}

/// Why a model was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// Something is where the model would go.
    #[error("{path} {found}; give a folder that does not exist or is empty")]
    Taken {
        /// The output.
        path: PathBuf,
        /// What is there, as the end of a clause.
        found: &'static str,
    },
    /// The operating system refused.
    #[error("could not {action} {path}: {cause}")]
    Io {
        /// A verb: "create", "rename", …
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// The system's answer. Part of the sentence, and so not its `source` as well.
        cause: std::io::Error,
    },
    /// A weight is too large for the element type asked for.
    #[error("tensor \"{name}\" has values beyond 65504, the largest that f16 holds; write it as bf16 or f32")]
    Overflow {
        /// The tensor.
        name: String,
    },
    /// What was written does not compute what the live model does.
    #[error("the written model does not agree with the live one: {difference}; it is left as {}", rejected.display())]
    Rejected {
        /// Where it stands now.
        rejected: PathBuf,
        /// By how much, and where.
        difference: Difference,
    },
    /// The model cannot be run, or its adapter does not fit it.
    #[error(transparent)]
    Model(#[from] crate::Error),
    /// A tensor cannot be converted.
    #[error(transparent)]
    Cast(#[from] checkpoint::NotFloat),
    /// A file of the model, the adapter or the output.
    #[error(transparent)]
    Checkpoint(#[from] checkpoint::Error),
    /// The device or its plugin.
    #[error(transparent)]
    Runtime(#[from] runtime::Error),
}

/// Writes `source` to the folder `output`, with its adapter merged. Merging happens on the device, one matrix at a time, so host memory
/// holds at most the largest tensor beyond the mapped files. For the comparison one of the two models at a time is on the device, with
/// one of its layers in f64.
///
/// The folder appears under its name when it is complete and agrees with the live model; see [`Agreement`].
///
/// # Errors
/// There is something at `output`; the model and the adapter do not fit each other; a file cannot be written; the device fails; or the
/// written model does not agree, in which case it is left under `output`'s name with `.rejected`, beside what `output` leads to if it is a link.
pub fn export(
    session: &Session,
    source: &ModelSource,
    output: &Path,
    options: &ExportOptions,
    progress: &mut dyn FnMut(ExportProgress),
) -> Result<Exported, ExportError> {
    let architecture = Architecture::of(source)?;
    if let Some(beyond) = architecture.model().beyond_transformers() {
        tracing::warn!("{beyond}");
    }
    let staging = begin(output)?;
    let mut tensors = StandAlone::new(session, source, &architecture, options.dtype)?;
    let (files, bytes) = write(&mut tensors, &architecture, staging.path(), options, progress)?;
    progress(ExportProgress::Comparing);
    let agreement = compare_with_live(&mut tensors, &architecture, staging.path())?;
    let agreement = settle(staging, output, agreement)?;
    Ok(Exported { files, bytes, merged_modules: tensors.merged_modules(), agreement })
}

/// Makes sure that nothing is at `output`, and begins the folder.
fn begin(output: &Path) -> Result<PartialFolder, ExportError> {
    let taken = |found| Err(ExportError::Taken { path: output.to_path_buf(), found });
    match fs::read_dir(output).map(|mut entries| entries.next().is_some()) {
        Ok(false) => {}
        Ok(true) => return taken("is not empty"),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) if error.kind() == io::ErrorKind::NotADirectory && output.is_file() => return taken("is a file"),
        Err(error) => return Err(io_error("list", output)(error)),
    }
    if output.file_name().is_none() {
        return taken("has no name of its own");
    }
    PartialFolder::create(output).map_err(io_error("create", output))
}

/// Gives the folder its name if it agrees with the live model, else that name with `.rejected`, in place of an earlier one.
fn settle(folder: PartialFolder, output: &Path, agreement: Agreement) -> Result<Agreement, ExportError> {
    if agreement.holds() {
        folder.publish().map_err(io_error("rename the finished folder to", output))?;
        return Ok(agreement);
    }
    // On the same file system, also where a link leads to another.
    let target = folder.target();
    let mut name = target.file_name().unwrap_or_default().to_os_string();
    name.push(".rejected");
    let rejected = target.with_file_name(name);
    match fs::remove_dir_all(&rejected) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(io_error("remove", &rejected)(error)),
        _ => folder.publish_as(&rejected).map_err(io_error("rename the finished folder to", &rejected))?,
    }
    Err(ExportError::Rejected { rejected, difference: agreement.difference })
}

/// Writes the folder; returns the number of files of weights and the bytes of all tensors.
fn write(
    tensors: &mut StandAlone<'_>,
    architecture: &Architecture,
    folder: &Path,
    options: &ExportOptions,
    progress: &mut dyn FnMut(ExportProgress),
) -> Result<(usize, u64), ExportError> {
    let names = architecture.base_names()?;
    let specs = names.iter().map(|name| tensors.spec(name)).collect::<Result<Vec<TensorSpec>, _>>()?;
    let bytes = |spec: &TensorSpec| (spec.shape.iter().product::<usize>() * spec.dtype.size()) as u64;
    let total = specs.iter().map(bytes).sum();
    let mut done = 0;
    let files = write_model(folder, &specs, options.max_shard_bytes, None, |spec| {
        progress(ExportProgress::Writing { done, total });
        done += bytes(spec);
        Ok(tensors.tensor(&spec.name)?)
    })?;
    progress(ExportProgress::Writing { done, total });
    tensors.source().model().let_go();
    let (model, tokenizer) = (tensors.source().model(), tensors.source().tokenizer_folder());
    copy_side_files(model.path(), folder)?;
    if tokenizer != model.path() {
        copy_side_files(tokenizer, folder)?;
    }
    // Of one folder alone, as the live model has it: a template of the other's would win over its own.
    copy_tokenizer(tokenizer, None, folder)?;
    let config = architecture.model().with_its_class(config_with_dtype(model.config(), options.dtype));
    write_json(folder.join("config.json"), &config)?;
    Ok((files.len(), total))
}

/// The configuration, with the element type under the key that it has one under: `dtype` since transformers 5, `torch_dtype` before,
/// which later versions read too.
fn config_with_dtype(config: &Value, dtype: Option<DType>) -> Value {
    let mut config = config.clone();
    let (Some(dtype), Some(fields)) = (dtype, config.as_object_mut()) else { return config };
    let name = match dtype {
        DType::BF16 => "bfloat16",
        DType::F16 => "float16",
        DType::F64 => "float64",
        _ => "float32",
    };
    let present: Vec<&str> = ["dtype", "torch_dtype"].into_iter().filter(|key| fields.contains_key(*key)).collect();
    for key in if present.is_empty() { vec!["torch_dtype"] } else { present } {
        fields.insert(key.to_owned(), name.into());
    }
    config
}

/// Wraps what the system said while `action` was done on `path`.
fn io_error(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> ExportError + use<> {
    let path = path.to_path_buf();
    move |cause| ExportError::Io { action, path, cause }
}
