//! What a configuration means: the model, its adapters, the step, the schedule. Nothing here needs a device or the data.

mod adapter;

use std::path::{Path, PathBuf};

use checkpoint::{LoraConfig, ModelSource};
use data::Packing;
use graph::{Axis, DType, Float8, Remat, TensorType};
use models::{AttentionKernels, LanguageModel, LayerLoop, LossForm, ModelPreset, products_kept};
use runtime::plugins::Platform;
use runtime::{Hardware, NoFloat8};
use serde_json::Value;

use crate::config::spelling::nearest;
use crate::config::{
    ComputeDtype, GradientCheckpointing, KernelChoice, ModelConfig, OptimizerKind, ScanLayers, TrainConfig,
};
use crate::schedule::Schedule;
use crate::{AdamW, BatchShape, ChosenKernels, Optimizer, StepPlan, Trained, gpu};

pub(crate) use adapter::{
    beside_adapter, check_saved, check_target, differences_from, lora, lora_config, started_lora_config,
};

/// Why a configuration means no run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// There is nothing to train.
    #[error("give base_model to start from a model's weights, or model_config to train one from scratch")]
    NoModel,
    /// A key of an inline `model_config` means nothing.
    #[error("`model_config.{key}` is not a key; {hint}")]
    NoSuchKey {
        /// The key.
        key: String,
        /// The nearest key, or all of them.
        hint: String,
    },
    /// A misspelt preset.
    #[error(
        "there is no folder, file or preset {name}; {}`finery models --presets` lists the presets",
        .meant.map(|meant| format!("did you mean the preset {meant}? ")).unwrap_or_default()
    )]
    NoPreset {
        /// What was given.
        name: PathBuf,
        /// The nearest one.
        meant: Option<&'static str>,
    },
    /// A base model that is neither here nor a preset.
    #[error(
        "there is no folder or preset {name} to take base_model's shape from{}; give a model's folder, or a preset of `finery models --presets`",
        .meant.map(|meant| format!("; did you mean the preset {meant}?")).unwrap_or_default()
    )]
    NoBase {
        /// What was given.
        name: PathBuf,
        /// The nearest preset.
        meant: Option<&'static str>,
    },
    /// The model's configuration.
    #[error("{path}: {cause}")]
    ModelConfig {
        /// The file that holds it.
        path: PathBuf,
        /// What is wrong.
        cause: models::ConfigError,
    },
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] checkpoint::Error),
    /// A name of `lora_target_modules` is that of no module.
    #[error(
        "lora_target_modules: `{name}` is no linear module of the model; {meant} {accepted}, and ends of paths such as \
         self_attn.q_proj"
    )]
    NoTarget {
        /// The name.
        name: String,
        /// The words before the accepted names, with the nearest of them.
        meant: String,
        /// The accepted names.
        accepted: String,
    },
    /// A layer of `peft_layers_to_transform` is none.
    #[error("peft_layers_to_transform: there is no layer {layer}; the model has {count}, counted from 0")]
    NoLayer {
        /// Its number.
        layer: usize,
        /// How many there are.
        count: usize,
    },
    /// A name of `lora_modules_to_save` is that of no module.
    #[error("lora_modules_to_save: no module of the model has a path that ends with `{name}`{hint}")]
    NoModuleToSave {
        /// The name.
        name: String,
        /// The nearest one.
        hint: String,
    },
    /// A name of `lora_modules_to_save` is that of a module which PEFT would not find in the adapter.
    #[error(
        "lora_modules_to_save: `{module}` would train `{name}` in full, which PEFT with transformers 5 looks for as `{sought}`: name it so, or, \
         where that has all experts', leave it out and give it an adapter by lora_target_modules"
    )]
    UnreadableModule {
        /// The name.
        module: String,
        /// The first parameter that is meant.
        name: String,
        /// What PEFT calls it.
        sought: String,
    },
    /// The adapter to train further has a tensor for all experts.
    #[error(
        "the adapter has {what}, and such adapters are run and merged but not trained further: merge it into the model, and train a new one"
    )]
    OfAllExperts {
        /// The setting or the tensor.
        what: String,
    },
    /// The names fit nothing together.
    #[error("lora_target_modules: {0}")]
    Targets(#[from] checkpoint::SelectError),
    /// A pattern of an adapter's configuration.
    #[error(transparent)]
    Pattern(#[from] checkpoint::BadPattern),
    /// The model cannot be traced.
    #[error(transparent)]
    Graph(#[from] graph::GraphError),
    /// The device lacks the type that is asked for.
    #[error("`dtype: fp8`: {0}; give `dtype: bf16`")]
    Float8(#[from] NoFloat8),
    /// The adapter cannot be run.
    #[error(transparent)]
    Lora(#[from] models::LoraError),
    /// The configuration means no adapter.
    #[error(transparent)]
    Adapter(peft::AdapterError),
}

impl From<peft::AdapterError> for PlanError {
    fn from(error: peft::AdapterError) -> PlanError {
        match error {
            peft::AdapterError::Select(checkpoint::SelectError::Pattern(pattern)) => PlanError::Pattern(pattern),
            peft::AdapterError::Select(error) => PlanError::Targets(error),
            peft::AdapterError::Lora(error) => PlanError::Lora(error),
            error @ peft::AdapterError::Transposed { .. } => PlanError::Adapter(error),
        }
    }
}

/// The configuration with the folders that `base_model` and `lora_model_dir` stand for: of a run that has not written its result, its newest
/// checkpoint. What is trained on it names that one, because the run's result will be another.
pub(crate) fn with_result_folders(config: &TrainConfig) -> Result<TrainConfig, checkpoint::Error> {
    let find = |folder: &Option<PathBuf>| folder.as_deref().map(checkpoint::result_folder).transpose();
    let (base_model, lora_model_dir) = (find(&config.base_model)?, find(&config.lora_model_dir)?);
    Ok(TrainConfig { base_model, lora_model_dir, ..config.clone() })
}

/// The model that is trained.
pub(crate) fn language_model(config: &TrainConfig, source: Option<&ModelSource>) -> Result<LanguageModel, PlanError> {
    let (json, path) = model_json(config, source)?;
    LanguageModel::from_json(&json).map_err(|cause| PlanError::ModelConfig { path, cause })
}

/// The content of the model's `config.json`, and where it stands. `source` is the folder of `base_model`, where that is open.
pub(crate) fn model_json(config: &TrainConfig, source: Option<&ModelSource>) -> Result<(Value, PathBuf), PlanError> {
    if let (Some(source), None) = (source, &config.model_config) {
        return Ok((source.model().config().clone(), source.model().path().join("config.json")));
    }
    match (&config.model_config, &config.base_model) {
        (Some(ModelConfig::Inline(map)), _) => {
            check_keys(map)?;
            Ok((Value::Object(map.clone()), PathBuf::from("model_config")))
        }
        (Some(ModelConfig::File(path)), _) => {
            if let Some(preset) = preset(config, path) {
                return Ok((preset.config, PathBuf::from(format!("model_config {}", preset.name))));
            }
            if !path.exists() {
                let meant = path.to_str().and_then(ModelPreset::nearest);
                return Err(PlanError::NoPreset { name: path.clone(), meant });
            }
            let path = if path.is_dir() { path.join("config.json") } else { path.clone() };
            Ok((checkpoint::read_config(&path)?, path))
        }
        (None, Some(folder)) => {
            // Weights have been opened where there are any, so that a shape is all that is asked for.
            if !folder.exists() {
                let meant = folder.to_str().and_then(ModelPreset::nearest);
                return Err(PlanError::NoBase { name: folder.clone(), meant });
            }
            let path = folder.join("config.json");
            Ok((checkpoint::read_config(&path)?, path))
        }
        (None, None) => Err(PlanError::NoModel),
    }
}

/// The preset that a `model_config` of this name means. A model that is there wins over it, but not what the run itself writes: it would go on
/// from another configuration than it began with.
pub(crate) fn preset(config: &TrainConfig, path: &Path) -> Option<ModelPreset> {
    let is_model = path.is_file() || path.join("config.json").is_file();
    let output = &config.output_dir;
    let is_output = matches!((path.canonicalize(), output.canonicalize()), (Ok(path), Ok(output)) if path == output);
    path.to_str().filter(|_| !is_model || is_output).and_then(ModelPreset::find)
}

/// Refuses keys of an inline `model_config` that mean nothing. A `config.json` may have others: libraries write many.
fn check_keys(map: &serde_json::Map<String, Value>) -> Result<(), PlanError> {
    unknown_keys(map).into_iter().next().map_or(Ok(()), Err)
}

/// Each key of an inline `model_config` that means nothing to its family, as an error. None where there is no such family, which reading the
/// configuration tells.
pub(crate) fn unknown_keys(map: &serde_json::Map<String, Value>) -> Vec<PlanError> {
    let Ok(unknown) = LanguageModel::unknown_keys(&Value::Object(map.clone())) else { return Vec::new() };
    let error = |(key, known): (String, Vec<&'static str>)| {
        let hint = match nearest(&key, known.iter().copied()) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => format!("it should be one of {}", known.join(", ")),
        };
        PlanError::NoSuchKey { key, hint }
    };
    unknown.into_iter().map(error).collect()
}

impl ComputeDtype {
    /// In which a step computes, but for its layers' products in 8-bit floats. CPUs compute bf16 by way of f32, which is slower than f32 itself.
    fn compute(self, platform: Platform) -> DType {
        match (self, platform) {
            (ComputeDtype::F32, _) | (ComputeDtype::Auto | ComputeDtype::Fp8, Platform::Cpu) => DType::F32,
            (ComputeDtype::Auto | ComputeDtype::Fp8, Platform::Cuda | Platform::Rocm) => DType::BF16,
            (ComputeDtype::Bf16, _) => DType::BF16,
        }
    }

    /// In which 8-bit floats its layers multiply with their weights.
    fn products(self, hardware: Hardware) -> Result<Option<Float8>, NoFloat8> {
        (self == ComputeDtype::Fp8).then(|| hardware.float8()).transpose()
    }
}

impl GradientCheckpointing {
    /// What the backward pass keeps where `trained` is trained with the given attention.
    pub fn remat(self, trained: Trained, attention: AttentionKernels) -> Remat {
        match self {
            GradientCheckpointing::Auto if trained == Trained::Adapters && attention.are_fused() => Remat::none(),
            GradientCheckpointing::None => Remat::none(),
            GradientCheckpointing::Auto | GradientCheckpointing::Dots => products_kept(),
            GradientCheckpointing::Full => Remat::full(),
        }
    }
}

impl ScanLayers {
    /// How a program over `count` layers is lowered for `platform`.
    pub fn layers(self, platform: Platform, count: usize) -> LayerLoop {
        match self {
            ScanLayers::Auto => LayerLoop::unrolled_if(runtime::unrolls_layers(platform, count)),
            ScanLayers::True => LayerLoop::Loop,
            ScanLayers::False => LayerLoop::Unrolled,
        }
    }
}

/// The step that trains `model`, or `adapter` beside it, on such a device, with plain attention.
pub(crate) fn step_plan(
    config: &TrainConfig,
    hardware: Hardware,
    model: LanguageModel,
    adapter: Option<&LoraConfig>,
) -> Result<StepPlan, PlanError> {
    let platform = hardware.platform;
    let layers = config.scan_layers.layers(platform, model.sizes().num_hidden_layers);
    let trained = if adapter.is_some() { Trained::Adapters } else { Trained::All };
    let remat = config.gradient_checkpointing.remat(trained, AttentionKernels::PLAIN);
    let lora = adapter.map(|adapter| lora(adapter, &model)).transpose()?;
    Ok(StepPlan {
        model: model.beside(lora.as_ref()).keeping(remat),
        lora,
        compute: config.dtype.compute(platform),
        products: config.dtype.products(hardware)?,
        trained,
        optimizer: optimizer(config),
        max_grad_norm: (config.max_grad_norm > 0.0).then_some(config.max_grad_norm),
        batch: BatchShape {
            accumulation: config.gradient_accumulation_steps as usize,
            rows: config.micro_batch_rows() as usize,
            positions: config.sequence_len as usize,
            packed: config.sample_packing != Packing::Off,
        },
        layers,
        loss: LossForm { z_loss_multiplier: config.z_loss_multiplier, chunk: config.loss_chunk_tokens },
        partition: None,
    })
}

impl StepPlan {
    /// The same step, computed on such a device in a type that is given.
    ///
    /// # Errors
    /// The device lacks it.
    pub fn computed_in(self, dtype: ComputeDtype, hardware: Hardware) -> Result<StepPlan, NoFloat8> {
        Ok(StepPlan { compute: dtype.compute(hardware.platform), products: dtype.products(hardware)?, ..self })
    }

    /// The rows that each device computes of a micro-batch, and how much of `axis` of what it computes for them.
    pub(crate) fn rows_of_device(&self, axis: Axis) -> [usize; 2] {
        let [_, rows, _] = self.batch.axes();
        let whole = TensorType::new(self.compute, &[rows, axis]);
        let part = self.partition.as_ref().map(|partition| partition.of_activation(&whole.axes).part_type(&whole));
        [0, 1].map(|dim: usize| part.as_ref().unwrap_or(&whole).axes[dim].size)
    }

    /// Chooses kernels, with the most documents that a packed row of the data holds, and what the backward pass keeps, which depends on them.
    pub fn choose_kernels(
        &mut self,
        kernels: KernelChoice,
        remat: GradientCheckpointing,
        hardware: Hardware,
        documents: usize,
    ) -> ChosenKernels {
        let chosen = ChosenKernels::new(self, kernels, hardware, documents);
        self.model.attention = chosen.attention.kernels;
        let own = gpu(hardware).filter(|_| kernels != KernelChoice::None);
        (self.model.state_space, self.model.grouped_products) = (own, own);
        self.model.remat = remat.remat(self.trained, chosen.attention.kernels);
        chosen
    }
}

fn optimizer(config: &TrainConfig) -> Optimizer {
    match config.optimizer {
        OptimizerKind::Adamw => Optimizer::AdamW(AdamW {
            beta1: config.adam_beta1,
            beta2: config.adam_beta2,
            epsilon: config.adam_epsilon,
            weight_decay: config.weight_decay,
        }),
    }
}

/// The learning rate over so many steps.
pub(crate) fn schedule(config: &TrainConfig, steps: u64) -> Schedule {
    let warmup =
        config.warmup_steps.unwrap_or_else(|| (config.warmup_ratio.unwrap_or(0.0) * steps as f64).ceil() as u64);
    Schedule::new(config.lr_scheduler, config.learning_rate, warmup, steps, config.cosine_min_lr_ratio)
}

#[cfg(test)]
mod tests {
    use models::{Cudnn, Gpu};

    use super::*;

    #[test]
    fn dtype_follows_the_platform_where_it_is_left_open() {
        assert_eq!([ComputeDtype::Auto, ComputeDtype::Fp8].map(|dtype| dtype.compute(Platform::Cpu)), [DType::F32; 2]);
        for gpu in [Platform::Cuda, Platform::Rocm] {
            assert_eq!(ComputeDtype::Auto.compute(gpu), DType::BF16);
            assert_eq!(ComputeDtype::F32.compute(gpu), DType::F32);
        }
        assert_eq!(ComputeDtype::Bf16.compute(Platform::Cpu), DType::BF16);
    }

    #[test]
    fn the_backward_pass_keeps_what_the_key_says_and_else_as_was_measured() {
        let plain = AttentionKernels::PLAIN;
        let fused = [
            AttentionKernels::cudnn(Cudnn::Causal),
            AttentionKernels::cudnn(Cudnn::Packed { documents: 4 }),
            AttentionKernels::blocks(Gpu::Amd),
        ];
        let all = [plain, fused[0], fused[1], fused[2]];
        let cases = [
            (GradientCheckpointing::Auto, Trained::All, &all[..], products_kept()),
            (GradientCheckpointing::Auto, Trained::Adapters, &[plain], products_kept()),
            (GradientCheckpointing::Auto, Trained::Adapters, &fused, Remat::none()),
            (GradientCheckpointing::None, Trained::All, &all, Remat::none()),
            (GradientCheckpointing::None, Trained::Adapters, &all, Remat::none()),
            (GradientCheckpointing::Dots, Trained::All, &all, products_kept()),
            (GradientCheckpointing::Dots, Trained::Adapters, &all, products_kept()),
            (GradientCheckpointing::Full, Trained::All, &all, Remat::full()),
            (GradientCheckpointing::Full, Trained::Adapters, &all, Remat::full()),
        ];
        for (key, trained, kernels, expected) in cases {
            for kernel in kernels {
                assert_eq!(key.remat(trained, *kernel), expected, "{key:?}, {trained:?}, {kernel:?}");
            }
        }
    }

    #[test]
    fn layers_are_lowered_as_the_key_says_and_else_as_was_measured() {
        for platform in [Platform::Cpu, Platform::Cuda, Platform::Rocm] {
            assert_eq!(ScanLayers::Auto.layers(platform, 32), LayerLoop::Unrolled);
            assert_eq!(ScanLayers::Auto.layers(platform, 1000), LayerLoop::Loop);
            assert_eq!(ScanLayers::True.layers(platform, 2), LayerLoop::Loop);
            assert_eq!(ScanLayers::False.layers(platform, 1000), LayerLoop::Unrolled);
        }
    }
}
