//! What a configuration means: model, data, plan, schedule.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use checkpoint::{LoraConfig, ModelSource};
use data::{Clock, DataLoader, Dataset, DatasetOptions, LoaderOptions, Packing, Tokenizer};
use graph::{DType, ParamSpec, Remat};
use models::{AttentionKernel, Llama, LlamaConfig, Lora, LoraModule, Precision, cudnn_supports};
use runtime::plugins::Platform;
use runtime::{Buffer, Parameters, Session};
use serde_json::Value;

use crate::config::{ComputeDtype, Duration, GradientCheckpointing, ModelConfig, TargetModules, TrainConfig};
use crate::run::Event;
use crate::schedule::Schedule;
use crate::{AdamW, BatchShape, Error, StepPlan};

/// Everything a run needs besides the device's state.
pub(crate) struct Setup {
    pub(crate) plan: StepPlan,
    pub(crate) schedule: Schedule,
    pub(crate) total_steps: u64,
    pub(crate) train_loader: DataLoader,
    pub(crate) eval_loader: Option<DataLoader>,
    pub(crate) tokenizer: Tokenizer,
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
        let (model_json, path) = model_json(config, source.as_ref())?;
        let model = LlamaConfig::from_json(&model_json).map_err(|cause| Error::ModelConfig { path, cause })?;
        let tokenizer = tokenizer(config, clock)?;
        tokenizer.check_vocab(model.vocab_size)?;
        check_length(config, &model);
        let (train_loader, eval_loader) = loaders(config, &tokenizer, cache, observe)?;
        let total_steps = total_steps(config.duration(), &train_loader);
        let warmup = config
            .warmup_steps
            .unwrap_or_else(|| (config.warmup_ratio.unwrap_or(0.0) * total_steps as f64).ceil() as u64);
        let min_ratio = config.cosine_min_lr_ratio;
        let schedule = Schedule::new(config.lr_scheduler, config.learning_rate, warmup, total_steps, min_ratio);
        let lora = config.adapter.as_ref().map(|_| lora_config(config, &model));
        let plan = plan(config, session, model, lora.as_ref())?;
        if let Some(source) = &source {
            let base: Vec<_> = plan.params()?.into_iter().filter(|spec| !Lora::owns(&spec.name)).collect();
            source.check(&base)?;
        }
        Ok(Setup {
            plan,
            schedule,
            total_steps,
            train_loader,
            eval_loader,
            tokenizer,
            source,
            model_json,
            lora,
            seed: config.seed,
        })
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

/// The content of the model's `config.json`, and where it stands.
fn model_json(config: &TrainConfig, source: Option<&ModelSource>) -> Result<(Value, PathBuf), Error> {
    match (&config.model_config, source) {
        (Some(ModelConfig::Inline(map)), _) => Ok((Value::Object(map.clone()), PathBuf::from("model_config"))),
        (Some(ModelConfig::File(path)), _) => {
            let path = if path.is_dir() { path.join("config.json") } else { path.clone() };
            Ok((checkpoint::read_json(&path)?, path))
        }
        (None, Some(source)) => Ok((source.model().config().clone(), source.model().path().join("config.json"))),
        (None, None) => Err(Error::Run("neither base_model nor model_config is set".into())),
    }
}

fn tokenizer(config: &TrainConfig, clock: i64) -> Result<Tokenizer, Error> {
    let path = config.tokenizer_path().ok_or_else(|| Error::Run("no tokenizer is set".into()))?;
    let folder = if path.is_file() { path.parent().unwrap_or(Path::new(".")) } else { path };
    let mut tokenizer = Tokenizer::from_dir_at(folder, Clock::At(clock))?;
    if let Some(path) = &config.chat_template {
        let template = std::fs::read_to_string(path)
            .map_err(|error| Error::Run(format!("reading the chat template {}: {error}", path.display())))?;
        tokenizer.set_chat_template(&path.display().to_string(), &template)?;
    }
    Ok(tokenizer)
}

fn check_length(config: &TrainConfig, model: &LlamaConfig) {
    if config.sequence_len as usize > model.max_position_embeddings {
        tracing::warn!(
            "sequence_len is {}, but the model is meant for at most {} positions (max_position_embeddings)",
            config.sequence_len,
            model.max_position_embeddings
        );
    }
}

fn loaders(
    config: &TrainConfig,
    tokenizer: &Tokenizer,
    cache: Option<&Path>,
    observe: &mut dyn FnMut(Event<'_>),
) -> Result<(DataLoader, Option<DataLoader>), Error> {
    let mut load = |datasets: &[crate::config::Dataset]| -> Result<Arc<Dataset>, Error> {
        let options = DatasetOptions {
            sources: datasets.iter().map(data::Source::from).collect(),
            sequence_len: config.sequence_len as usize,
            excess_length_strategy: config.excess_length_strategy,
            packing: config.sample_packing,
            train_on_inputs: config.train_on_inputs,
            skip_bad: config.skip_bad,
        };
        Ok(Arc::new(Dataset::load(&options, tokenizer, cache, |progress| observe(Event::Tokenising(progress)))?))
    };
    let options = |rows: u64| LoaderOptions {
        rows: rows as usize,
        sequence_len: config.sequence_len as usize,
        packing: config.sample_packing,
        seed: config.seed,
        pad_id: tokenizer.pad_id(),
    };
    let dataset = load(&config.datasets)?;
    let (train, held_out) = dataset.split(config.val_set_size.0, config.seed)?;
    let eval = match config.test_datasets.is_empty() {
        false => {
            let tests = load(&config.test_datasets)?;
            let all = (0..tests.len() as u32).collect();
            Some((tests, all))
        }
        true if held_out.is_empty() => None,
        true => Some((dataset.clone(), held_out)),
    };
    let samples = train.len();
    let train = DataLoader::new(dataset, train, options(config.micro_batch_size * config.gradient_accumulation_steps))?;
    observe(Event::Data { samples, rows: train.rows_per_epoch(), padding: train.padding() });
    let eval = eval.map(|(dataset, samples)| DataLoader::new(dataset, samples, options(config.micro_batch_size)));
    Ok((train, eval.transpose()?))
}

fn total_steps(duration: Duration, loader: &DataLoader) -> u64 {
    let rows = loader.rows_per_epoch() as f64;
    let row_tokens = loader.options().sequence_len as f64 * (1.0 - loader.padding());
    let steps_of = |share_of_epoch: f64| (share_of_epoch * rows / loader.options().rows as f64).ceil().max(1.0) as u64;
    match duration {
        Duration::Steps(steps) => steps,
        Duration::Epochs(epochs) => steps_of(epochs as f64),
        Duration::Tokens(tokens) => steps_of(tokens as f64 / (rows * row_tokens)),
        Duration::Samples(samples) => steps_of(samples as f64 / loader.samples() as f64),
    }
}

/// The adapter's configuration under PEFT's names.
fn lora_config(config: &TrainConfig, model: &LlamaConfig) -> LoraConfig {
    let names = match &config.lora_target_modules {
        // By their names, because PEFT's readers know `all-linear` only when an adapter is made.
        TargetModules::AllLinear => {
            let modules = model.linear_modules();
            modules.iter().filter_map(|path| path.rsplit('.').next().map(str::to_owned)).collect()
        }
        TargetModules::Named(names) => names.clone(),
    };
    LoraConfig {
        base_model_name_or_path: config.base_model.as_ref().map(|path| path.display().to_string()),
        task_type: Some("CAUSAL_LM".into()),
        inference_mode: true,
        r: config.lora_r as usize,
        lora_alpha: config.lora_alpha,
        lora_dropout: config.lora_dropout,
        target_modules: Some(checkpoint::TargetModules::Names(names)),
        use_rslora: config.peft_use_rslora,
        ..LoraConfig::default()
    }
}

fn lora(config: &LoraConfig, model: &LlamaConfig) -> Result<Lora, Error> {
    let layers = model.num_hidden_layers;
    let templates = model.linear_modules();
    let concrete: Vec<String> = templates
        .iter()
        .flat_map(|template| (0..layers).map(move |layer| template.replacen('*', &layer.to_string(), 1)))
        .collect();
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
