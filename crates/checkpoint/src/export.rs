//! Writing model folders in Hugging Face's layout.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use atomic_file::PARTIAL;
use graph::HostTensor;
use serde_json::json;

use crate::atomic::{Publish, complete_file, create_folder, json_to, publish, publish_together};
use crate::checkpoints::ModelFile;
use crate::error::{Error, SourceError};
use crate::model_folder::{INDEX, WEIGHTS};
use crate::safetensors_write::{TensorSpec, write_complete};

/// The default limit on the tensors of one shard, in bytes: the 5 GB of `huggingface_hub`.
pub const MAX_SHARD_BYTES: u64 = 5_000_000_000;

/// The file of a folder that holds its tokenizer's chat template.
pub const CHAT_TEMPLATE: &str = "chat_template.jinja";

/// The files that a tokenizer is made of, beside its templates that have names.
const TOKENIZER_FILES: [&str; 10] = [
    "tokenizer.json",
    "tokenizer_config.json",
    "tokenizer.model",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.json",
    "vocab.txt",
    "merges.txt",
    CHAT_TEMPLATE,
    "chat_template.json",
];

/// The folder beside a tokenizer that holds its templates that have names: `tool_use.jinja`, say.
const NAMED_TEMPLATES: &str = "additional_chat_templates";

/// The other files of a model folder that training does not change, and that an exported folder needs to be used.
const SIDE_FILES: [&str; 2] = ["generation_config.json", "preprocessor_config.json"];

/// Writes the weights of a model into `folder`: `model.safetensors`, or shards of at most `max_shard_bytes` with their
/// index, cut where `huggingface_hub` would cut them. `source` is asked for each tensor once.
///
/// All files are complete under temporary names before the first gets its own, and an index that was there is removed
/// before that: whoever is interrupted leaves the old weights, the new ones or shards without an index, never a mixture
/// that loads. Weights of an earlier export that are not part of this one are removed at the end, because
/// `model.safetensors` would win over new shards, as is what a killed export left. Returns the paths of the files of
/// weights, in order. Each of them says after which `step` it was trained, where that is given: [`Trained`](crate::Trained) reads it.
///
/// # Errors
/// As [`crate::write_safetensors`].
pub fn write_model<'t>(
    folder: impl AsRef<Path>,
    specs: &[TensorSpec],
    max_shard_bytes: u64,
    step: Option<u64>,
    source: impl FnMut(&TensorSpec) -> Result<HostTensor<'t>, SourceError>,
) -> Result<Vec<PathBuf>, Error> {
    write_model_through(&mut publish, folder.as_ref(), specs, max_shard_bytes, step, source)
}

/// As [`write_model`], with files that `publish` gives their names.
fn write_model_through<'t>(
    publish: Publish<'_>,
    folder: &Path,
    specs: &[TensorSpec],
    max_shard_bytes: u64,
    step: Option<u64>,
    mut source: impl FnMut(&TensorSpec) -> Result<HostTensor<'t>, SourceError>,
) -> Result<Vec<PathBuf>, Error> {
    create_folder(folder)?;
    let shards = split_into_shards(specs, max_shard_bytes);
    let name = |position: usize| match shards.len() {
        1 => WEIGHTS.to_string(),
        total => format!("model-{:05}-of-{total:05}.safetensors", position + 1),
    };
    let mut partial = Vec::new();
    let mut paths = Vec::new();
    for (position, shard) in shards.iter().enumerate() {
        let path = folder.join(name(position));
        let complete = write_complete(&path, shard, step, &mut source)?;
        // The first one's lock stands for all.
        partial.push(if position == 0 { complete } else { complete.close() });
        paths.push(path);
    }
    if shards.len() > 1 {
        let in_shard = |(position, shard): (usize, &Vec<&TensorSpec>)| -> Vec<(String, String)> {
            shard.iter().map(|spec| (spec.name.clone(), name(position))).collect()
        };
        let weight_map: BTreeMap<String, String> = shards.iter().enumerate().flat_map(in_shard).collect();
        let total_size: u64 = specs.iter().filter_map(TensorSpec::bytes).sum();
        let total_parameters: usize = specs.iter().map(|spec| spec.shape.iter().product::<usize>()).sum();
        let metadata = json!({ "total_parameters": total_parameters, "total_size": total_size });
        let index = json!({ "metadata": metadata, "weight_map": weight_map });
        let path = folder.join(INDEX);
        partial.push(complete_file(&path, |writer| json_to(writer, &path, &index))?);
    }
    // The index, or the only file of weights.
    if let Some(entry) = partial.pop() {
        publish_together(partial, entry, publish)?;
    }
    remove_other_weights(folder, &paths)?;
    Ok(paths)
}

/// Greedy, in the order given: a tensor that would exceed the limit begins a new shard, and one that is larger than
/// the limit has its own. The rule is `split_state_dict_into_shards_factory` of `huggingface_hub`.
fn split_into_shards(specs: &[TensorSpec], max_shard_bytes: u64) -> Vec<Vec<&TensorSpec>> {
    let mut shards = Vec::new();
    let (mut current, mut current_bytes) = (Vec::new(), 0);
    for spec in specs {
        let bytes = spec.bytes().unwrap_or(u64::MAX);
        if bytes > max_shard_bytes {
            shards.push(vec![spec]);
            continue;
        }
        if bytes > max_shard_bytes - current_bytes {
            shards.push(std::mem::take(&mut current));
            current_bytes = 0;
        }
        current.push(spec);
        current_bytes += bytes;
    }
    if !current.is_empty() || shards.is_empty() {
        shards.push(current);
    }
    shards
}

/// Removes `model.safetensors`, shards and index of an earlier export, finished or not, that are not among the new
/// `weights`.
fn remove_other_weights(folder: &Path, weights: &[PathBuf]) -> Result<(), Error> {
    for entry in fs::read_dir(folder).map_err(Error::io("list", folder))? {
        let path = entry.map_err(Error::io("list", folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let stale = match &*name {
            name if name.starts_with(PARTIAL) => name.ends_with(".safetensors") || name.ends_with(INDEX),
            INDEX => weights.len() == 1,
            name => (name == WEIGHTS || is_shard(name)) && !weights.contains(&path),
        };
        if stale {
            fs::remove_file(&path).map_err(Error::io("remove", &path))?;
        }
    }
    Ok(())
}

/// Whether a name is `model-00001-of-00002.safetensors` or its like.
pub(crate) fn is_shard(name: &str) -> bool {
    let numbers = name.strip_prefix("model-").and_then(|rest| rest.strip_suffix(".safetensors"));
    let digits = |text: &str| text.len() == 5 && text.bytes().all(|b| b.is_ascii_digit());
    numbers.and_then(|numbers| numbers.split_once("-of-")).is_some_and(|(a, b)| digits(a) && digits(b))
}

/// Copies those files of a model folder to `to` that training does not change and that are not its tokenizer's, such as
/// `generation_config.json`, replacing what is there. Copying a folder to itself changes nothing.
///
/// # Errors
/// A file cannot be read or written.
pub fn copy_side_files(from: impl AsRef<Path>, to: impl AsRef<Path>) -> Result<(), Error> {
    let (from, to) = (from.as_ref(), to.as_ref());
    create_folder(to)?;
    if is_same(from, to) {
        return Ok(());
    }
    for name in SIDE_FILES {
        if is_file(&from.join(name))? {
            copy(&from.join(name), &to.join(name))?;
        }
    }
    Ok(())
}

/// Makes `to` hold the tokenizer of `from`, with its chat templates, and nothing of another's: files that `from` lacks are removed, as a
/// `chat_template.jinja`, which would win over the template in `tokenizer_config.json`. With `template` it has that one in place of all
/// templates in files. Where both are one folder, only the template changes.
///
/// # Errors
/// A file cannot be read, written or removed.
pub fn copy_tokenizer(from: impl AsRef<Path>, template: Option<&str>, to: impl AsRef<Path>) -> Result<(), Error> {
    let (from, to) = (from.as_ref(), to.as_ref());
    create_folder(to)?;
    let is_same = is_same(from, to);
    if is_same && template.is_none() {
        return Ok(());
    }
    let named = if template.is_some() { BTreeSet::new() } else { named_templates(from)? };
    if !is_same {
        let (mut wanted, mut stale) = (named.clone(), BTreeSet::new());
        for name in TOKENIZER_FILES.into_iter().filter(|name| template.is_none() || *name != CHAT_TEMPLATE) {
            let files = if is_file(&from.join(name))? { &mut wanted } else { &mut stale };
            files.insert(name.into());
        }
        stale.extend(named_templates(to)?.difference(&named).cloned());
        // First, so that whoever is interrupted has less than a tokenizer, and not parts of two.
        stale.iter().try_for_each(|name| remove(&to.join(name)))?;
        if !named.is_empty() {
            create_folder(&to.join(NAMED_TEMPLATES))?;
        }
        wanted.iter().try_for_each(|name| copy(&from.join(name), &to.join(name)))?;
    }
    if let Some(template) = template {
        crate::write_file(to.join(CHAT_TEMPLATE), template.as_bytes())?;
        named_templates(to)?.iter().try_for_each(|name| remove(&to.join(name)))?;
    }
    // Only if nothing is in it.
    let _ = fs::remove_dir(to.join(NAMED_TEMPLATES));
    Ok(())
}

/// The files of a folder's templates that have names, from the folder on.
fn named_templates(folder: &Path) -> Result<BTreeSet<PathBuf>, Error> {
    let path = folder.join(NAMED_TEMPLATES);
    let entries = match fs::read_dir(&path) {
        Err(error) if is_absent(&error) => return Ok(BTreeSet::new()),
        entries => entries.map_err(Error::io("list", &path))?,
    };
    let mut names = BTreeSet::new();
    for entry in entries {
        let path = entry.map_err(Error::io("list", &path))?.path();
        if path.extension().is_some_and(|extension| extension == "jinja") && is_file(&path)? {
            names.extend(path.file_name().map(|name| Path::new(NAMED_TEMPLATES).join(name)));
        }
    }
    Ok(names)
}

/// Whether there is a file. What cannot be told must not look like its absence: another would be removed for it.
fn is_file(path: &Path) -> Result<bool, Error> {
    match fs::metadata(path) {
        Ok(found) => Ok(found.is_file()),
        Err(error) if is_absent(&error) => Ok(false),
        Err(error) => Err(Error::io("look at", path)(error)),
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn is_same(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

fn copy(source: &Path, target: &Path) -> Result<(), Error> {
    let mut file = File::open(source).map_err(Error::io("read", source))?;
    let contents = |writer: &mut _| io::copy(&mut file, writer).map(drop).map_err(Error::io("write", target));
    publish(complete_file(target, contents)?)
}

/// Removes a file, if it is there.
fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if !is_absent(&error) => Err(Error::io("remove", path)(error)),
        _ => Ok(()),
    }
}

/// Those files of a folder that [`copy_tokenizer`] and [`copy_side_files`] copy, as files of a checkpoint. Without templates in a folder of
/// their own: a checkpoint has none.
///
/// # Errors
/// A file cannot be read.
pub fn read_side_files(folder: impl AsRef<Path>) -> Result<Vec<ModelFile>, Error> {
    let names = TOKENIZER_FILES.into_iter().chain(SIDE_FILES);
    let present = names.map(|name| (name, folder.as_ref().join(name))).filter(|(_, path)| path.is_file());
    let read = |(name, path): (&str, PathBuf)| {
        Ok(ModelFile { name: name.to_owned(), bytes: fs::read(&path).map_err(Error::io("read", &path))? })
    };
    present.map(read).collect()
}

#[cfg(test)]
mod tests {
    use atomic_file::CompleteFile;
    use graph::DType;

    use super::*;
    use crate::{ModelFolder, write_json};

    const ONE_FILE: u64 = MAX_SHARD_BYTES;
    const SHARDS: u64 = 16;

    /// Whoever loads a folder after an interruption, wherever that came, has the old model, the new one or an error.
    #[test]
    fn an_interrupted_overwrite_does_not_mix_models() {
        let specs = ["a", "b", "c"].map(|name| TensorSpec::new(name, DType::U8, [10]));
        for (old, new, files) in [(SHARDS, SHARDS, 4), (ONE_FILE, SHARDS, 4), (SHARDS, ONE_FILE, 1), (SHARDS, 20, 3)] {
            for published in 0..files {
                let folder = tempfile::tempdir().unwrap();
                let of = |value| move |spec: &TensorSpec| Ok(HostTensor::new(DType::U8, &spec.shape, vec![value; 10])?);
                write_json(folder.path().join("config.json"), &json!({})).unwrap();
                write_model(folder.path(), &specs, old, None, of(1)).unwrap();

                let mut left = published;
                let mut publish_some = |file: CompleteFile| {
                    left = usize::checked_sub(left, 1).ok_or_else(|| killed(folder.path()))?;
                    publish(file)
                };
                write_model_through(&mut publish_some, folder.path(), &specs, new, None, of(2)).unwrap_err();

                let what = format!("{old} to {new}, killed after {published} files");
                if let Ok(model) = ModelFolder::open(folder.path()) {
                    let values: Vec<u8> = model.names().map(|name| model.tensor(name).unwrap().bytes()[0]).collect();
                    assert_eq!(values, [1, 1, 1], "{what}");
                }
                write_model(folder.path(), &specs, new, None, of(2)).unwrap();
                let model = ModelFolder::open(folder.path()).unwrap();
                assert!(model.names().all(|name| model.tensor(name).unwrap().bytes() == [2; 10]), "{what}");
            }
        }
    }

    fn killed(folder: &Path) -> Error {
        Error::io("publish", folder)(io::ErrorKind::Interrupted.into())
    }
}
