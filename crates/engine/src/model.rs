//! A model's parameters on a device.

use std::collections::{BTreeMap, HashMap};

use checkpoint::ModelSource;
use graph::{DType, Remat};
use models::{AttentionKernel, Llama, LlamaConfig, Lora, LoraModule, Precision, Scope};
use runtime::{Buffer, Parameters, Session};
use serde_json::Value;

use crate::error::{Error, Result};

/// How far loading has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadProgress {
    /// Bytes of the files that are on the device.
    pub bytes: u64,
    /// Bytes of all tensors.
    pub total_bytes: u64,
}

/// A Llama, with its adapter if it has one, on the first device of a session.
pub struct Model<'s> {
    session: &'s Session,
    llama: Llama,
    dtype: DType,
    lora: Option<Lora>,
    eos_ids: Vec<u32>,
    params: Vec<Buffer>,
    /// Position among `params` by the parameter's name.
    positions: HashMap<String, usize>,
}

impl<'s> Model<'s> {
    /// Loads a folder's parameters, to be held and computed with in `dtype`. Host memory holds one tensor at a time. Nothing is loaded
    /// before the files are known to hold what the configuration asks for.
    ///
    /// # Errors
    /// The configuration is not a Llama's, the tensors are not its, the adapter does not fit, or the device's memory is full.
    pub fn load(
        session: &'s Session,
        source: &ModelSource,
        dtype: DType,
        progress: &mut dyn FnMut(LoadProgress),
    ) -> Result<Model<'s>> {
        let (llama, lora) = llama_of(source)?;
        let eos_ids = eos_ids(source.model().config());
        let specs = llama.params(Precision::uniform(dtype), lora.as_ref())?;
        source.check(&specs)?;
        let mut total_bytes = 0;
        for name in specs.iter().flat_map(|spec| spec.checkpoint_names()) {
            total_bytes += source.tensor(&name)?.bytes().len() as u64;
        }
        let mut bytes = 0;
        let mut parameters = Parameters::new(session);
        let mut params = Vec::with_capacity(specs.len());
        for spec in &specs {
            params.push(parameters.load(spec, |name| -> Result<_> {
                let tensor = source.tensor(name)?;
                bytes += tensor.bytes().len() as u64;
                progress(LoadProgress { bytes, total_bytes });
                Ok(tensor)
            })?);
        }
        let positions = specs.into_iter().enumerate().map(|(position, spec)| (spec.name, position)).collect();
        Ok(Model { session, llama, dtype, lora, eos_ids, params, positions })
    }

    /// Sizes and constants.
    pub fn config(&self) -> &LlamaConfig {
        &self.llama.config
    }

    /// In which parameters are held and computed with.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The `eos_token_id` of `config.json`: none, one or several.
    pub fn eos_ids(&self) -> &[u32] {
        &self.eos_ids
    }

    /// Checks that every token has an embedding and that the context is long enough for them.
    ///
    /// # Errors
    /// [`Error::Token`] or [`Error::Context`].
    pub fn check_tokens(&self, tokens: &[u32]) -> Result<()> {
        let LlamaConfig { vocab_size, max_position_embeddings: context, .. } = self.llama.config;
        if let Some(&id) = tokens.iter().find(|&&id| id as usize >= vocab_size) {
            return Err(Error::Token { id, vocab_size });
        }
        if tokens.len() > context {
            return Err(Error::Context { tokens: tokens.len(), context });
        }
        Ok(())
    }

    pub(crate) fn session(&self) -> &'s Session {
        self.session
    }

    pub(crate) fn llama(&self) -> &Llama {
        &self.llama
    }

    /// The root from which a program that uses these parameters declares them.
    pub(crate) fn scope<'g>(&self, graph: &'g graph::Graph) -> Scope<'g> {
        Scope::root(graph, Precision::uniform(self.dtype), self.lora.clone())
    }

    pub(crate) fn param(&self, position: usize) -> &Buffer {
        &self.params[position]
    }

    pub(crate) fn param_position(&self, name: &str) -> Option<usize> {
        self.positions.get(name).copied()
    }
}

/// Sizes and constants of the model in a folder.
///
/// # Errors
/// Its `config.json` describes no model that can be run.
pub fn config(source: &ModelSource) -> Result<LlamaConfig> {
    let path = || source.model().path().to_path_buf();
    LlamaConfig::from_json(source.model().config()).map_err(|cause| Error::Config { path: path(), cause })
}

/// The model that the configurations of a folder and its adapter describe.
pub(crate) fn llama_of(source: &ModelSource) -> Result<(Llama, Option<Lora>)> {
    let config = config(source)?;
    let lora = lora_of(source, &config)?;
    Ok((Llama { config, attention: AttentionKernel::Plain, remat: Remat::none() }, lora))
}

fn lora_of(source: &ModelSource, config: &LlamaConfig) -> Result<Option<Lora>> {
    let Some(adapter) = source.adapter() else { return Ok(None) };
    let module =
        |(path, scaling): (String, checkpoint::Scaling)| (path, LoraModule { rank: scaling.r, scale: scaling.scale });
    let modules: BTreeMap<String, LoraModule> = source.scalings()?.into_iter().map(module).collect();
    let lora = Lora::from_modules(&modules, 0.0, &config.linear_modules(), config.num_hidden_layers)
        .map_err(|error| Error::Lora { path: adapter.path().to_path_buf(), cause: error })?;
    Ok(Some(lora))
}

/// `eos_token_id` may be absent, null, a number or a list of numbers.
fn eos_ids(config: &Value) -> Vec<u32> {
    let listed = match config.get("eos_token_id") {
        Some(Value::Array(listed)) => listed.as_slice(),
        Some(one) => std::slice::from_ref(one),
        None => &[],
    };
    listed.iter().filter_map(Value::as_u64).filter_map(|id| u32::try_from(id).ok()).collect()
}
