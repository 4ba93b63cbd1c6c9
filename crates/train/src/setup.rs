//! What a run trains: the plan, and the files that it starts from.

use checkpoint::{LoraConfig, ModelSource};
use graph::{ParamArray, ParamSpec};
use models::{AttentionKernel, LanguageModel};
use runtime::plugins::Platform;
use runtime::{Array, Hardware, Parameters};
use serde_json::Value;

use crate::config::{ComputeDtype, GradientCheckpointing, ScanLayers, TrainConfig};
use crate::plan::{self, PlanError};
use crate::{AttentionChoice, Error, StepPlan, Trained};

/// What a configuration says of the model, checked against the files that it names. The data are another matter.
pub(crate) struct Setup {
    pub(crate) plan: StepPlan,
    /// The files of the base model, and of the adapter that is trained on; `None` when training from scratch.
    pub(crate) source: Option<ModelSource>,
    /// The `config.json` that the trained model gets.
    pub(crate) model_json: Value,
    /// The adapter's configuration as PEFT has it.
    pub(crate) lora: Option<LoraConfig>,
    seed: u64,
}

impl Setup {
    pub(crate) fn new(config: &TrainConfig, platform: Platform) -> Result<Setup, Error> {
        let start = config.lora_model_dir.as_deref();
        let source = config.base_model.as_deref().map(|folder| ModelSource::open(folder, start)).transpose()?;
        let setup = Setup::of(config, platform, source)?;
        if let Some(source) = &setup.source {
            source.check(&setup.stored_params()?)?;
        }
        Ok(setup)
    }

    /// As [`Setup::new`], with files that are not yet checked against what the plan needs of them.
    pub(crate) fn of(config: &TrainConfig, platform: Platform, source: Option<ModelSource>) -> Result<Setup, Error> {
        let (model_json, path) = plan::model_json(config)?;
        let model = LanguageModel::from_json(&model_json).map_err(|cause| PlanError::ModelConfig { path, cause })?;
        let started = source.as_ref().and_then(ModelSource::adapter);
        let lora = match (config.adapter, started) {
            (None, _) => None,
            (Some(_), None) => Some(plan::lora_config(config, &model)?),
            (Some(_), Some(adapter)) => Some(plan::started_lora_config(config, adapter.config())),
        };
        let plan = plan::step_plan(config, platform, model, lora.as_ref())?;
        Ok(Setup { plan, source, model_json, lora, seed: config.seed })
    }

    /// The parameters that the run's files have to hold: all but those that are drawn.
    pub(crate) fn stored_params(&self) -> Result<Vec<ParamSpec>, Error> {
        Ok(self.plan.params()?.into_iter().filter(|spec| self.is_stored(spec)).collect())
    }

    /// The digest of the weights that an adapter is trained over; `None` without an adapter.
    pub(crate) fn base_digest(&self) -> Option<u32> {
        let source = self.source.as_ref().filter(|_| self.lora.is_some())?;
        Some(source.model().digest())
    }

    fn is_stored(&self, spec: &ParamSpec) -> bool {
        let is_added = self.plan.lora.as_ref().is_some_and(|lora| lora.adds(spec));
        self.source.as_ref().is_some_and(|source| source.adapter().is_some() || !is_added)
    }

    /// Chooses the attention, with the most documents that a packed row of the data holds. Says which and why, and what else was left open; what the backward pass keeps depends on it.
    pub(crate) fn choose_attention(&mut self, config: &TrainConfig, hardware: Hardware, documents: usize) {
        let platform = hardware.platform;
        if config.dtype == ComputeDtype::Auto {
            tracing::info!("computing in {}, which dtype: auto is on {platform}", self.plan.compute);
        }
        if config.scan_layers == ScanLayers::Auto {
            let (count, layers) = (self.plan.model.sizes().num_hidden_layers, self.plan.layers);
            tracing::info!("{count} layers {layers}, which scan_layers: auto is on {platform}");
        }
        let attention = AttentionChoice::new(&self.plan, hardware, documents);
        tracing::info!("{attention}");
        self.plan.model.attention = attention.kernel;
        self.plan.model.remat = config.gradient_checkpointing.remat(self.plan.trained, attention.kernel);
        if config.gradient_checkpointing == GradientCheckpointing::Auto {
            let chosen = if self.plan.model.remat.keep_all { "none" } else { "dots" };
            let case = match (self.plan.trained, attention.kernel) {
                (Trained::All, _) => "where all weights are trained",
                (Trained::Adapters, AttentionKernel::Plain) => "for adapters with plain attention",
                (Trained::Adapters, _) => "for adapters with fused attention",
            };
            tracing::info!("gradient_checkpointing: {chosen}, which auto is {case}");
        }
    }

    /// The initial values of one array of a parameter: from the files that the run starts from, or drawn.
    pub(crate) fn parameter(
        &self,
        parameters: &mut Parameters<'_>,
        spec: &ParamSpec,
        array: &ParamArray,
    ) -> Result<Array, Error> {
        match &self.source {
            Some(source) if self.is_stored(spec) => {
                parameters.load(array, |name| source.tensor(name).map_err(Error::from))
            }
            _ => Ok(parameters.init(array, (self.seed ^ (self.seed >> 32)) as u32)?),
        }
    }
}
