//! What a configuration means: model, data, plan, schedule.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use checkpoint::{LoraConfig, ModelSource};
use data::Packing;
use graph::{DType, ParamSpec, Remat};
use models::{AttentionKernel, Llama, LlamaConfig, Lora, LoraModule, Precision, cudnn_supports};
use runtime::plugins::Platform;
use runtime::{Buffer, Parameters, Session};
use serde_json::Value;

use crate::config::spelling::nearest;
use crate::config::{ComputeDtype, GradientCheckpointing, ModelConfig, TargetModules, TrainConfig};
use crate::run::Event;
use crate::run_data::RunData;
use crate::schedule::Schedule;
use crate::{AdamW, BatchShape, Error, StepPlan};

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
        session: &Session,
        cache: Option<&Path>,
        clock: i64,
        observe: &mut dyn FnMut(Event<'_>),
    ) -> Result<Setup, Error> {
        let source = config.base_model.as_deref().map(|folder| ModelSource::open(folder, None)).transpose()?;
        let (model_json, path) = model_json(config)?;
        let model = LlamaConfig::from_json(&model_json).map_err(|cause| Error::ModelConfig { path, cause })?;
        let lora = config.adapter.map(|_| lora_config(config, &model)).transpose()?;
        let data = RunData::for_model(config, &model, cache, clock, observe)?;
        let total_steps = data.total_steps;
        let warmup = config
            .warmup_steps
            .unwrap_or_else(|| (config.warmup_ratio.unwrap_or(0.0) * total_steps as f64).ceil() as u64);
        let min_ratio = config.cosine_min_lr_ratio;
        let schedule = Schedule::new(config.lr_scheduler, config.learning_rate, warmup, total_steps, min_ratio);
        let plan = plan(config, session, model, lora.as_ref())?;
        if let Some(source) = &source {
            let base: Vec<_> = plan.params()?.into_iter().filter(|spec| !Lora::owns(&spec.name)).collect();
            source.check(&base)?;
        }
        Ok(Setup { plan, schedule, data, source, model_json, lora, seed: config.seed })
    }

    /// The initial value of a parameter: from the base model, or drawn.
    pub(crate) fn parameter(&self, parameters: &mut Parameters<'_>, spec: &ParamSpec) -> Result<Buffer, Error> {
        match &self.source {
            Some(source) if !Lora::owns(&spec.name) => {
                parameters.load(spec, |name| source.tensor(name).map_err(Error::from))
            }
            _ => Ok(parameters.init(spec, (self.seed ^ (self.seed >> 32)) as u32)?),
        }
    }
}

/// The shape of the model that is trained.
pub(crate) fn model_config(config: &TrainConfig) -> Result<LlamaConfig, Error> {
    let (json, path) = model_json(config)?;
    LlamaConfig::from_json(&json).map_err(|cause| Error::ModelConfig { path, cause })
}

/// The content of the model's `config.json`, and where it stands.
fn model_json(config: &TrainConfig) -> Result<(Value, PathBuf), Error> {
    match (&config.model_config, &config.base_model) {
        (Some(ModelConfig::Inline(map)), _) => {
            check_keys(map)?;
            Ok((Value::Object(map.clone()), PathBuf::from("model_config")))
        }
        (Some(ModelConfig::File(path)), _) => {
            let path = if path.is_dir() { path.join("config.json") } else { path.clone() };
            Ok((checkpoint::read_json(&path)?, path))
        }
        (None, Some(folder)) => {
            let path = folder.join("config.json");
            Ok((checkpoint::read_json(&path)?, path))
        }
        (None, None) => Err(Error::Run("neither base_model nor model_config is set".into())),
    }
}

/// Refuses keys of an inline `model_config` that mean nothing. A `config.json` may have others: libraries write many.
fn check_keys(map: &serde_json::Map<String, Value>) -> Result<(), Error> {
    let Some(key) = map.keys().find(|key| !LlamaConfig::KEYS.contains(&key.as_str())) else { return Ok(()) };
    let hint = match nearest(key, LlamaConfig::KEYS.iter().copied()) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("it should be one of {}", LlamaConfig::KEYS.join(", ")),
    };
    Err(Error::Run(format!("model_config has no key `{key}`; {hint}")))
}

/// The adapter's configuration under PEFT's names.
///
/// # Errors
/// A name of `lora_target_modules` is that of no linear module.
fn lora_config(config: &TrainConfig, model: &LlamaConfig) -> Result<LoraConfig, Error> {
    let names = match &config.lora_target_modules {
        // By their names, because PEFT's readers know `all-linear` only when an adapter is made.
        TargetModules::AllLinear => model.linear_modules().iter().map(|path| last_part(path).to_owned()).collect(),
        TargetModules::Named(names) => {
            names.iter().try_for_each(|name| check_target(name, model))?;
            names.clone()
        }
    };
    Ok(LoraConfig {
        base_model_name_or_path: config.base_model.as_ref().map(|path| path.display().to_string()),
        task_type: Some("CAUSAL_LM".into()),
        inference_mode: true,
        r: config.lora_r as usize,
        lora_alpha: config.lora_alpha,
        lora_dropout: config.lora_dropout,
        target_modules: Some(checkpoint::TargetModules::Names(names)),
        use_rslora: config.peft_use_rslora,
        ..LoraConfig::default()
    })
}

fn last_part(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// The paths of the linear modules of all layers.
fn linear_modules(model: &LlamaConfig) -> Vec<String> {
    let layers = model.num_hidden_layers;
    let templates = model.linear_modules();
    let of_layers =
        |path: &String| -> Vec<String> { (0..layers).map(|layer| path.replacen('*', &layer.to_string(), 1)).collect() };
    templates.iter().flat_map(of_layers).collect()
}

/// Refuses a name that is neither a linear module's path nor the end of one. PEFT passes over it where another name
/// fits, and so would train less than was asked for.
fn check_target(name: &str, model: &LlamaConfig) -> Result<(), Error> {
    let is_end = |path: &String| path.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    if linear_modules(model).iter().any(is_end) {
        return Ok(());
    }
    let templates = model.linear_modules();
    let accepted: Vec<&str> = templates.iter().map(|path| last_part(path)).collect();
    let meant = match nearest(last_part(name), accepted.iter().copied()) {
        Some(near) if near != last_part(name) => format!("did you mean `{near}`? the names are"),
        _ => "the names are".to_owned(),
    };
    let accepted = accepted.join(", ");
    Err(Error::Run(format!(
        "lora_target_modules: `{name}` is no linear module of the model; {meant} {accepted}, and ends of paths such as \
         self_attn.q_proj"
    )))
}

fn lora(config: &LoraConfig, model: &LlamaConfig) -> Result<Lora, Error> {
    let layers = model.num_hidden_layers;
    let templates = model.linear_modules();
    let concrete = linear_modules(model);
    let names: Vec<&str> = concrete.iter().map(String::as_str).collect();
    let selected = config.select(&names, Some("lm_head")).map_err(|error| Error::Run(error.to_string()))?;
    let mut modules = BTreeMap::new();
    for path in selected {
        let scaling = config.scaling(path).map_err(|error| Error::Run(error.to_string()))?;
        modules.insert(path.to_owned(), LoraModule { rank: scaling.r, scale: scaling.scale });
    }
    Ok(Lora::from_modules(&modules, config.lora_dropout, &templates, layers)?)
}

fn plan(
    config: &TrainConfig,
    session: &Session,
    model: LlamaConfig,
    adapter: Option<&LoraConfig>,
) -> Result<StepPlan, Error> {
    let packed = config.sample_packing != Packing::Off;
    let precision = match config.dtype {
        ComputeDtype::F32 => Precision::uniform(DType::F32),
        ComputeDtype::Bf16 => Precision { compute: DType::BF16, trained: DType::F32, frozen: DType::BF16 },
    };
    let fused = session.platform() == Platform::Cuda && !packed && cudnn_supports(precision.compute, model.head_dim);
    let attention = if fused { AttentionKernel::CudnnCausal } else { AttentionKernel::Plain };
    let remat = match config.gradient_checkpointing {
        GradientCheckpointing::None => Remat::none(),
        GradientCheckpointing::Dots => Remat::dots(&["attention"]),
        GradientCheckpointing::Full => Remat::full(),
    };
    Ok(StepPlan {
        lora: adapter.map(|adapter| lora(adapter, &model)).transpose()?,
        model: Llama { config: model, attention, remat },
        precision,
        optimizer: AdamW {
            beta1: config.adam_beta1,
            beta2: config.adam_beta2,
            epsilon: config.adam_epsilon,
            weight_decay: config.weight_decay,
            max_grad_norm: (config.max_grad_norm > 0.0).then_some(config.max_grad_norm),
        },
        batch: BatchShape {
            accumulation: config.gradient_accumulation_steps as usize,
            rows: config.micro_batch_size as usize,
            positions: config.sequence_len as usize,
            packed,
        },
    })
}
