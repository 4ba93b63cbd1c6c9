//! Model folders in Hugging Face's layout.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use graph::{DType, HostTensor};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::differences::{Differences, nearest_name};
use crate::error::{Error, no_folder};
use crate::manifest::saved_tensors;
use crate::python_json::read_config;
use crate::safetensors_file::{Access, SafetensorsFile};
use crate::stored::{self, Stored};
use crate::tensor_files::{Place, TensorFiles};
use crate::training_state::{MANIFEST, STATE, is_moment};

pub(crate) const CONFIG: &str = "config.json";
pub(crate) const WEIGHTS: &str = "model.safetensors";
pub(crate) const INDEX: &str = "model.safetensors.index.json";
/// The key that says whether embedding and output layer have one weight.
const TIED: &str = "tie_word_embeddings";

/// A folder with `config.json` and `model.safetensors`, or shards with `model.safetensors.index.json`; or a checkpoint of training, whose
/// moments are passed over.
#[derive(Debug)]
pub struct ModelFolder {
    path: PathBuf,
    config: Value,
    tensors: TensorFiles,
    /// The model's names of the output layer's weight and of the embedding's, which is taken for it.
    head_is: Option<(String, String)>,
}

impl ModelFolder {
    /// Maps the weights of a folder, and checks that shards and index agree.
    ///
    /// As in transformers, `model.safetensors` wins where both it and an index are there, and a tensor that is in a
    /// shard but not in the index is there.
    ///
    /// # Errors
    /// The folder holds no config or no safetensors weights, a file is damaged, a shard or a tensor that the index
    /// names is missing, or a shard lies outside of the folder.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let not_a_model = |problem: String| Error::NotAModel { path: path.to_path_buf(), problem };
        if !path.is_dir() {
            // As of a model on the hub, and unlike a path whose end is misspelt.
            let is_hub_name = path.components().count() == 2 && path.parent().is_some_and(|owner| !owner.exists());
            let hint = if is_hub_name { "; if that is its name on the hub, download it first" } else { "" };
            return Err(not_a_model(format!("{}{hint}", no_folder(path))));
        }
        if !path.join(CONFIG).is_file() {
            let adapter = path.join(crate::adapter_config::ADAPTER_CONFIG).is_file();
            let hint = if adapter { "; it is an adapter, which is given beside its base model" } else { "" };
            return Err(not_a_model(format!("it has no {CONFIG}{hint}")));
        }
        let config: Value = read_config(path.join(CONFIG))?;
        if config.get("auto_map").is_some() {
            tracing::info!("{} names code of its own (auto_map), which is never run", path.join(CONFIG).display());
        }
        let tensors = if path.join(WEIGHTS).exists() {
            TensorFiles::of_file(SafetensorsFile::open(path.join(WEIGHTS))?)
        } else if path.join(INDEX).exists() {
            open_shards(path)?
        } else if let Some(state) = saved_tensors(path, Access::Mapped)? {
            state.only(|name| !is_moment(name))
        } else {
            let pickled = path.join("pytorch_model.bin").exists() || path.join("pytorch_model.bin.index.json").exists();
            let hint = if pickled { "; convert its pytorch_model.bin with transformers' save_pretrained" } else { "" };
            return Err(not_a_model(format!("it has neither {WEIGHTS} nor {INDEX}{hint}")));
        };
        let path = path.to_path_buf();
        Ok(ModelFolder { path, config, tensors, head_is: None }.untied_if_apart())
    }

    /// The folder with `tie_word_embeddings: false` where it holds an output layer that is not its embedding, whatever its configuration says:
    /// transformers does not tie such a model either. Merging an adapter with a trained head leaves models like this.
    fn untied_if_apart(mut self) -> ModelFolder {
        let said = self.config.get(TIED).and_then(Value::as_bool);
        if said == Some(false) {
            return self;
        }
        let (Some(head), Some(embedding)) = (self.named(&stored::HEADS), self.named(&stored::EMBEDDINGS)) else {
            return self;
        };
        if self.tensors.sample(head) != self.tensors.sample(embedding) {
            if said == Some(true) {
                let path = self.path.join(CONFIG);
                tracing::warn!("{} says {TIED}, but {head} is not {embedding}: both are used", path.display());
            }
            self.untie();
        }
        self.let_go();
        self
    }

    /// The folder as a model with an output layer of its own: its weight `head`, where the files lack it, is the embedding's.
    pub(crate) fn parted(mut self, head: String, embedding: String) -> ModelFolder {
        self.head_is = Some((head, embedding));
        self.untie();
        self
    }

    fn untie(&mut self) {
        if let Some(config) = self.config.as_object_mut() {
            config.insert(TIED.to_owned(), false.into());
        }
    }

    fn named(&self, modules: &[&str]) -> Option<&str> {
        self.names().find(|name| modules.iter().any(|module| is_module(name, module)))
    }

    /// The folder that this is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// `config.json`.
    pub fn config(&self) -> &Value {
        &self.config
    }

    /// The names of the tensors, sorted.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.tensors.names()
    }

    /// Where the files hold what a model calls `name`; under that name where they hold it nowhere.
    fn place<'n>(&self, name: &'n str) -> Stored<'n> {
        let held = stored::places(name).find(|place| self.tensors.holds(&place.name));
        match (held, &self.head_is) {
            (Some(held), _) => held,
            (None, Some((head, embedding))) if head == name => {
                let Stored { name, block } = self.place(embedding);
                Stored { name: Cow::Owned(name.into_owned()), block }
            }
            (None, _) => Stored { name: Cow::Borrowed(name), block: None },
        }
    }

    /// A tensor, borrowed from its mapped file.
    ///
    /// # Errors
    /// There is no such tensor, or its element type has no [`graph::DType`].
    pub fn tensor(&self, name: &str) -> Result<HostTensor<'_>, Error> {
        let place = self.place(name);
        match self.tensors.holds(&place.name) {
            true => self.tensors.at(&place),
            false => {
                let nearest = nearest_name(name, self.names()).map(str::to_string);
                Err(Error::NoTensor { path: self.path.clone(), name: name.to_string(), nearest })
            }
        }
    }

    /// The names and shapes of the tensors in the files.
    fn shapes(&self) -> impl Iterator<Item = (&str, &[usize])> {
        self.names().map(|name| (name, self.tensors.shape(name).unwrap_or_default()))
    }

    /// How many tensors a model may find here.
    pub(crate) fn tensors_most(&self) -> usize {
        self.shapes().map(|(name, shape)| stored::most_within(name, shape)).fold(0, usize::saturating_add)
    }

    /// Whether all tensors are of this type.
    pub fn holds_only(&self, dtype: DType) -> bool {
        self.names().all(|name| self.tensors.dtype(name).is_ok_and(|stored| stored == dtype))
    }

    /// A checksum by which a model is known again, wherever it lies and however it is divided into files: of each tensor's name, type and
    /// shape, and of its bytes where it begins, in the middle and at its end. A model of any size is read in a moment; one that was trained
    /// further differs in some of these places.
    pub fn digest(&self) -> u32 {
        let mut digest = crc32fast::Hasher::new();
        self.tensors.add_to_digest(&mut digest);
        self.let_go();
        digest.finalize()
    }

    /// Takes the pages of its files out of the process, when they have been read through for now.
    pub fn let_go(&self) {
        self.tensors.let_go();
    }

    /// What the folder has too few, too many, or in another shape, beside the names and shapes that a model needs.
    pub fn differences<'n>(&'n self, expected: impl IntoIterator<Item = (&'n str, &'n [usize])>) -> Differences {
        let (mut whole, mut stacks) = (Vec::new(), BTreeMap::new());
        for (name, shape) in expected {
            let place = self.place(name);
            match place.block {
                None => whole.push((place.name, Cow::Borrowed(shape))),
                // Of the matrices of all experts the last has the largest.
                Some(block) => {
                    let stack: &mut Vec<usize> = stacks.entry(place.name).or_default();
                    *stack = block.whole(shape).max(std::mem::take(stack));
                }
            }
        }
        whole.extend(stacks.into_iter().map(|(name, shape)| (name, Cow::Owned(shape))));
        Differences::between(whole.iter().map(|(name, shape)| (&**name, &**shape)), self.shapes())
    }

    /// As [`ModelFolder::differences`], with any of them an error. `ignore` tells of an unexpected tensor that it does
    /// no harm, such as the `rotary_emb.inv_freq` of old files.
    ///
    /// # Errors
    /// There is a difference; the message lists a few of each kind.
    pub fn check<'n>(
        &'n self,
        expected: impl IntoIterator<Item = (&'n str, &'n [usize])>,
        ignore: impl Fn(&str) -> bool,
    ) -> Result<(), Error> {
        let mut differences = self.differences(expected);
        differences.unexpected.retain(|name| !ignore(name));
        if differences.is_empty() { Ok(()) } else { Err(Error::Differences { path: self.path.clone(), differences }) }
    }
}

/// Whether a folder has the weights of a model, in any of the forms that [`ModelFolder::open`] reads.
pub(crate) fn has_weights(folder: &Path) -> bool {
    [WEIGHTS, INDEX, STATE, MANIFEST].iter().any(|name| folder.join(name).exists())
}

#[derive(Deserialize)]
struct ShardIndex {
    weight_map: BTreeMap<String, String>,
}

fn open_shards(folder: &Path) -> Result<TensorFiles, Error> {
    let path = folder.join(INDEX);
    let problem = |problem: String| Error::Index { path: path.clone(), problem };
    let ShardIndex { weight_map } = read_json(&path)?;
    let shards: Vec<&String> = BTreeSet::from_iter(weight_map.values()).into_iter().collect();
    let mut files = Vec::with_capacity(shards.len());
    for &shard in &shards {
        // An index from outside must not make us read elsewhere.
        let mut parts = Path::new(shard).components();
        if !matches!((parts.next(), parts.next()), (Some(std::path::Component::Normal(_)), None)) {
            return Err(problem(format!("the shard \"{shard}\" is not a file of this folder")));
        }
        if !folder.join(shard).is_file() {
            let tensors = weight_map.values().filter(|file| *file == shard).count();
            return Err(problem(format!("the shard {shard}, with {tensors} tensors, is missing; download it again")));
        }
        files.push(SafetensorsFile::open(folder.join(shard))?);
    }
    let mut tensors = BTreeMap::new();
    for (name, shard) in &weight_map {
        let position = shards.partition_point(|other| *other < shard);
        if files[position].shape(name).is_none() {
            let elsewhere = files.iter().zip(&shards).find(|(file, _)| file.shape(name).is_some());
            let hint = elsewhere.map_or_else(String::new, |(_, other)| format!(", but {other} does"));
            return Err(problem(format!("the shard {shard} does not hold the tensor \"{name}\"{hint}")));
        }
        tensors.insert(name.clone(), position);
    }
    for (position, file) in files.iter().enumerate() {
        for name in file.names().filter(|name| !weight_map.contains_key(*name)) {
            if let Some(first) = tensors.insert(name.to_string(), position) {
                let (first, second) = (shards[first], shards[position]);
                return Err(problem(format!(
                    "\"{name}\" is in both {first} and {second}, and the index names neither"
                )));
            }
        }
    }
    let tensors = tensors.into_iter().map(|(name, file)| (name, Place::Whole(file))).collect();
    Ok(TensorFiles::new(folder.to_path_buf(), files, tensors))
}

/// Reads a JSON file; errors name the file, the line and the column.
///
/// # Errors
/// The file cannot be read, is not JSON, or has another structure than `T`.
pub fn read_json<T: DeserializeOwned>(path: impl AsRef<Path>) -> Result<T, Error> {
    let path = path.as_ref();
    parse(path, &read_bytes(path)?)
}

/// Far above any configuration or index.
const JSON_BYTES_MAX: u64 = 1 << 28;

/// The bytes of a file of JSON, which may be a pipe, but not without an end.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Error> {
    read_bytes_within(path, JSON_BYTES_MAX)
}

/// The same of a file that may take so many bytes.
pub(crate) fn read_bytes_within(path: &Path, bytes_max: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(Error::io("read", path))?;
    file.take(bytes_max + 1).read_to_end(&mut bytes).map_err(Error::io("read", path))?;
    if bytes.len() as u64 > bytes_max {
        let rule = format!("a file of JSON should be smaller than {bytes_max} bytes");
        return Err(Error::io("read", path)(io::Error::new(io::ErrorKind::FileTooLarge, rule)));
    }
    Ok(bytes)
}

/// Whether a tensor is the weight of a module whose path ends so.
fn is_module(name: &str, end: &str) -> bool {
    let path = name.strip_suffix(".weight").unwrap_or_default();
    path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// Parses what was read from `path`.
pub(crate) fn parse<T: DeserializeOwned>(path: &Path, bytes: &[u8]) -> Result<T, Error> {
    // Some editors put a byte order mark first, which JSON does not allow.
    let json = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    serde_json::from_slice(json).map_err(|cause| Error::Json { path: path.to_path_buf(), cause })
}
