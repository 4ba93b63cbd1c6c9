//! What a run trains: the plan, and the files that it starts from.

use checkpoint::{LoraConfig, ModelSource};
use graph::{ParamArray, ParamSpec};
use models::LlamaConfig;
use runtime::plugins::Platform;
use runtime::{Array, Hardware, Parameters};
use serde_json::Value;

use crate::config::{ComputeDtype, TrainConfig};
use crate::plan::{self, PlanError};
use crate::{AttentionChoice, Error, StepPlan};

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
        let (model_json, path) = plan::model_json(config)?;
        let model = LlamaConfig::from_json(&model_json).map_err(|cause| PlanError::ModelConfig { path, cause })?;
        let started = source.as_ref().and_then(ModelSource::adapter);
        let lora = match (config.adapter, started) {
            (None, _) => None,
            (Some(_), None) => Some(plan::lora_config(config, &model)?),
            (Some(_), Some(adapter)) => Some(plan::started_lora_config(config, adapter.config())),
        };
        let plan = plan::step_plan(config, platform, model, lora.as_ref())?;
        if config.dtype == ComputeDtype::Auto {
            tracing::info!("computing in {}, which dtype: auto is on {platform}", plan.precision.compute);
        }
        if let Some(source) = &source {
            let is_drawn = |spec: &ParamSpec| source.adapter().is_none() && plan.is_adapter(spec);
            let found: Vec<_> = plan.params()?.into_iter().filter(|spec| !is_drawn(spec)).collect();
            source.check(&found)?;
        }
        Ok(Setup { plan, source, model_json, lora, seed: config.seed })
    }

    /// Chooses the attention, with the most documents that a packed row of the data holds, and says which and why.
    pub(crate) fn choose_attention(&mut self, hardware: Hardware, documents: usize) {
        let attention = AttentionChoice::new(&self.plan, hardware, documents);
        let layers = match self.plan.layers.unrolled() {
            [] => "in a loop",
            _ => "unrolled",
        };
        tracing::info!(
            "{attention}; {} layers {layers}, as measured to be faster on {}",
            self.plan.model.config.num_hidden_layers,
            hardware.platform
        );
        self.plan.model.attention = attention.kernel;
    }

    /// The initial values of one array of a parameter: from the files that the run starts from, or drawn.
    pub(crate) fn parameter(
        &self,
        parameters: &mut Parameters<'_>,
        spec: &ParamSpec,
        array: &ParamArray,
    ) -> Result<Array, Error> {
        match &self.source {
            Some(source) if source.adapter().is_some() || !self.plan.is_adapter(spec) => {
                parameters.load(array, |name| source.tensor(name).map_err(Error::from))
            }
            _ => Ok(parameters.init(array, (self.seed ^ (self.seed >> 32)) as u32)?),
        }
    }
}
