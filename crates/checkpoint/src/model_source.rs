//! A model's parameters by the model's own names, out of its folder and, if it has one, an adapter's.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use graph::{HostTensor, ParamSpec};

use crate::adapter::{AdapterFolder, is_added};
use crate::adapter_config::LoraConfig;
use crate::error::Error;
use crate::model_folder::{CONFIG, ModelFolder, has_weights};
use crate::newest::latest;

/// How names of buffers end that old files hold beside the parameters: rotary frequencies, and masks of attention.
const BUFFERS: [&str; 5] =
    ["rotary_emb.inv_freq", ".attn.bias", ".attn.masked_bias", ".attention.bias", ".attention.masked_bias"];

/// A model folder and the adapter that is used with it, as one set of tensors.
#[derive(Debug)]
pub struct ModelSource {
    model: ModelFolder,
    adapter: Option<AdapterFolder>,
}

impl ModelSource {
    /// Opens a model folder and, beside it, an adapter's folder. Either may be a checkpoint of training, or the folder of a run, which stands
    /// for its newest complete checkpoint while it has not written what it trained.
    ///
    /// # Errors
    /// As [`ModelFolder::open`], [`AdapterFolder::open`] and [`latest`].
    pub fn open(model: impl AsRef<Path>, adapter: Option<&Path>) -> Result<ModelSource, Error> {
        let model = ModelFolder::open(result_folder(model.as_ref())?)?;
        let source = ModelSource { model, adapter: None };
        match adapter {
            Some(folder) => source.with_adapter(folder),
            None => Ok(source),
        }
    }

    /// The same model with the adapter in `folder`, which is as in [`ModelSource::open`].
    ///
    /// # Errors
    /// As [`AdapterFolder::open`] and [`latest`].
    pub fn with_adapter(self, folder: &Path) -> Result<ModelSource, Error> {
        let adapter = AdapterFolder::open(result_folder(folder)?, None)?;
        Ok(ModelSource { adapter: Some(adapter), ..self })
    }

    /// The same model with `tie_word_embeddings: false`: an output layer whose weight `head` is a tensor of its own, with the values of
    /// `embedding` where the files do not hold it.
    #[must_use]
    pub fn with_parted_head(self, head: String, embedding: String) -> ModelSource {
        ModelSource { model: self.model.parted(head, embedding), ..self }
    }

    /// Opens an adapter's folder, as [`ModelSource::open`] takes one, and the model that its configuration names. A relative path is looked
    /// for from here, as it was when the adapter was trained, and then from the folders around the adapter, the nearest first.
    ///
    /// # Errors
    /// As [`ModelSource::open`]; the model is not named, or not found.
    pub fn open_adapter(adapter: &Path) -> Result<ModelSource, Error> {
        let adapter = AdapterFolder::open(result_folder(adapter)?, None)?;
        let base = base_of(adapter.path().parent().unwrap_or(Path::new(".")), adapter.config())?;
        tracing::info!("the adapter's base model is {}", base.display());
        Ok(ModelSource { model: ModelFolder::open(result_folder(&base)?)?, adapter: Some(adapter) })
    }

    /// Whether a folder, or the newest checkpoint of the run that it is, holds an adapter and no model.
    ///
    /// # Errors
    /// As [`latest`].
    pub fn is_adapter(folder: &Path) -> Result<bool, Error> {
        let folder = result_folder(folder)?;
        Ok(AdapterFolder::is_at(&folder) && !folder.join(CONFIG).is_file())
    }

    /// The model's folder.
    pub fn model(&self) -> &ModelFolder {
        &self.model
    }

    /// The adapter.
    pub fn adapter(&self) -> Option<&AdapterFolder> {
        self.adapter.as_ref()
    }

    /// The folder with the tokenizer and the chat template to use: the adapter's if it has a tokenizer, which is what it was trained
    /// with, else the model's.
    pub fn tokenizer_folder(&self) -> &Path {
        let beside_adapter = self.adapter.as_ref().and_then(|adapter| adapter.path().parent());
        beside_adapter.filter(|folder| folder.join("tokenizer.json").is_file()).unwrap_or(self.model.path())
    }

    /// A tensor under one of [`ParamSpec::checkpoint_names`]: `model.layers.0.self_attn.q_proj.lora_A.weight` comes from the adapter's file, as
    /// do parameters of the model's own that were trained with it, all others from the model's.
    ///
    /// # Errors
    /// There is no such tensor, or it does not hold floats (a quantised model).
    pub fn tensor(&self, name: &str) -> Result<HostTensor<'_>, Error> {
        let of_adapter = self.adapter.as_ref().map(|adapter| adapter.tensor(name)).transpose()?.flatten();
        let tensor = match of_adapter {
            Some(tensor) => tensor,
            None => self.model.tensor(name)?,
        };
        if !tensor.dtype().is_float() {
            let path = self.model.path().to_path_buf();
            return Err(Error::UnsupportedDType { path, name: name.to_owned(), dtype: tensor.dtype().to_string() });
        }
        Ok(tensor)
    }

    /// Compares what the folders hold with what a model declares. What is drawn afresh, adapters without an adapter folder, is not looked
    /// for. Two things that a folder may have too many do no harm: buffers of old files that are no parameters, such as `rotary_emb.inv_freq`
    /// and the causal masks of attention, and the output layer's weight of a model whose output layer is its embedding.
    ///
    /// # Errors
    /// Tensors are missing, not expected, or of another shape.
    pub fn check(&self, specs: &[ParamSpec]) -> Result<(), Error> {
        self.check_model(specs)?;
        self.check_adapter(specs)
    }

    /// What [`ModelSource::check`] compares with the model's folder.
    ///
    /// # Errors
    /// As [`ModelSource::check`].
    pub fn check_model(&self, specs: &[ParamSpec]) -> Result<(), Error> {
        self.check_layers(specs)?;
        let model = specs.iter().flat_map(names_and_shapes).filter(|(name, _)| !is_added(name));
        let model: Vec<_> = model.collect();
        let needed: BTreeSet<&str> = model.iter().map(|(name, _)| name.as_str()).collect();
        let ends_so = |name: &str, ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
        let harmless = |name: &str| {
            !needed.contains(name)
                && (ends_so(name, &BUFFERS) || ["lm_head.weight", "embed_out.weight"].contains(&name))
        };
        self.model.check(borrowed(&model), harmless)
    }

    /// What [`ModelSource::check`] compares with the adapter's folder.
    ///
    /// # Errors
    /// As [`ModelSource::check`].
    pub fn check_adapter(&self, specs: &[ParamSpec]) -> Result<(), Error> {
        let Some(folder) = &self.adapter else { return Ok(()) };
        let all: Vec<_> = specs.iter().flat_map(names_and_shapes).collect();
        folder.check(borrowed(&all)).map_err(|error| match error {
            Error::Differences { path, differences } => {
                let base = folder.config().base_model_name_or_path.clone().filter(|base| !base.is_empty());
                Error::OtherModel {
                    path,
                    model: self.model.path().to_path_buf(),
                    differences: differences.into(),
                    base,
                }
            }
            error => error,
        })
    }

    /// Refuses more layers than there are tensors, before the name of each of them is made.
    fn check_layers(&self, specs: &[ParamSpec]) -> Result<(), Error> {
        let found = self.model.tensors_most();
        let stacked = |spec: &ParamSpec| {
            let sizes = spec.stack.iter().map(|stack| stack.axis.size);
            sizes.fold(1_usize, usize::saturating_mul)
        };
        let layers = specs.iter().map(stacked).max().unwrap_or(0);
        if layers <= found {
            return Ok(());
        }
        let problem = format!("its {CONFIG} asks for {layers} layers, but it holds {found} tensors");
        Err(Error::NotAModel { path: self.model.path().to_path_buf(), problem })
    }
}

/// The folder itself, or the newest complete checkpoint of a run that has not written its model or adapter.
///
/// # Errors
/// As [`latest`].
pub fn result_folder(folder: &Path) -> Result<PathBuf, Error> {
    if has_weights(folder) || AdapterFolder::is_at(folder) {
        return Ok(folder.to_path_buf());
    }
    Ok(match latest(folder)? {
        Some(checkpoint) => {
            tracing::info!("{} has checkpoints and no result yet: taking step {}", folder.display(), checkpoint.step());
            checkpoint.path().to_path_buf()
        }
        None => folder.to_path_buf(),
    })
}

/// The folder of the model that the configuration of the adapter in `folder` names, found as [`ModelSource::open_adapter`] says.
///
/// # Errors
/// The model is not named, or not found.
pub fn base_of(folder: &Path, config: &LoraConfig) -> Result<PathBuf, Error> {
    let refuse = |problem: String| Err(Error::Adapter { path: folder.to_path_buf(), problem });
    let Some(name) = config.base_model_name_or_path.as_deref().filter(|name| !name.is_empty()) else {
        return refuse("its configuration does not name its base model; give the model beside the adapter".to_owned());
    };
    let around = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
    let places = std::iter::once(PathBuf::from(name)).chain(around.ancestors().map(|folder| folder.join(name)));
    match places.into_iter().find(|place| place.is_dir()) {
        Some(place) => Ok(place),
        None => refuse(format!(
            "its base model {name} (base_model_name_or_path) is found neither from here nor from the folders around the adapter; give \
             the model beside the adapter"
        )),
    }
}

fn names_and_shapes(spec: &ParamSpec) -> impl Iterator<Item = (String, Vec<usize>)> {
    let shape = spec.checkpoint_shape();
    spec.checkpoint_names().into_iter().map(move |name| (name, shape.clone()))
}

fn borrowed(tensors: &[(String, Vec<usize>)]) -> impl Iterator<Item = (&str, &[usize])> {
    tensors.iter().map(|(name, shape)| (name.as_str(), shape.as_slice()))
}
