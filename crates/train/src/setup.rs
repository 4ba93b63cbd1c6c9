//! What a run works with: the plan, the data, the files of the base model.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use checkpoint::{LoraConfig, ModelSource};
use graph::{ParamArray, ParamSpec};
use models::LlamaConfig;
use runtime::{Array, Hardware, Parameters};
use serde_json::Value;

use crate::config::TrainConfig;
use crate::event::Event;
use crate::plan::{self, PlanError};
use crate::run_data::RunData;
use crate::schedule::Schedule;
use crate::{AttentionChoice, Error, StepPlan};

/// Everything a run needs besides the device's state.
pub(crate) struct Setup {
    pub(crate) plan: StepPlan,
    pub(crate) schedule: Schedule,
    pub(crate) data: RunData,
    /// The base model's files; `None` when training from scratch.
    pub(crate) source: Option<ModelSource>,
    /// The `config.json` that the trained model gets.
    pub(crate) model_json: Value,
    /// The adapter's configuration as PEFT has it.
    pub(crate) lora: Option<LoraConfig>,
    seed: u64,
}

impl Setup {
    pub(crate) fn new(
        config: &TrainConfig,
        hardware: Hardware,
        cache: Option<&Path>,
        clock: i64,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(Event<'_>),
    ) -> Result<Setup, Error> {
        let source = config.base_model.as_deref().map(|folder| ModelSource::open(folder, None)).transpose()?;
        let (model_json, path) = plan::model_json(config)?;
        let model = LlamaConfig::from_json(&model_json).map_err(|cause| PlanError::ModelConfig { path, cause })?;
        let lora = config.adapter.map(|_| plan::lora_config(config, &model)).transpose()?;
        let data = RunData::for_model(config, &model, cache, clock, stop, observe)?;
        let schedule = plan::schedule(config, data.total_steps);
        let mut plan = plan::step_plan(config, hardware.platform, model, lora.as_ref())?;
        let attention = AttentionChoice::new(&plan, hardware, data.documents_per_row_max());
        tracing::info!("{attention}");
        plan.model.attention = attention.kernel;
        if let Some(source) = &source {
            let of_base = |spec: &ParamSpec| !plan.is_adapter(spec);
            let base: Vec<_> = plan.params()?.into_iter().filter(of_base).collect();
            source.check(&base)?;
        }
        Ok(Setup { plan, schedule, data, source, model_json, lora, seed: config.seed })
    }

    /// The initial values of one array of a parameter: from the base model, or drawn.
    pub(crate) fn parameter(
        &self,
        parameters: &mut Parameters<'_>,
        spec: &ParamSpec,
        array: &ParamArray,
    ) -> Result<Array, Error> {
        match &self.source {
            Some(source) if !self.plan.is_adapter(spec) => {
                parameters.load(array, |name| source.tensor(name).map_err(Error::from))
            }
            _ => Ok(parameters.init(array, (self.seed ^ (self.seed >> 32)) as u32)?),
        }
    }
}
