//! The configuration of a training run: YAML with the key names that users of Axolotl and LLM Foundry know, and
//! `key.sub=value` overrides.
//!
//! [`TrainConfig`] is declared once, below. Its reader, its error messages, the file that a run leaves behind and
//! `docs/config.md` all come from that declaration.

pub(crate) mod changes;
mod contradictions;
mod convert;
mod declare;
mod draft;
mod emit;
mod error;
mod foreign;
mod interpolate;
mod mesh;
mod overrides;
mod record_keys;
mod reference;
mod setting;
mod source;
pub(crate) mod spelling;
mod values;

use std::path::{Path, PathBuf};

pub use convert::Converted;
pub use error::ConfigErrors;
pub use mesh::{AxisRules, MeshConfig, ParameterRules};
pub use values::{
    Adapter, ComputeDtype, Dataset, Duration, GradientCheckpointing, HeldOut, KernelChoice, Mapping, MicroBatch,
    ModelConfig, OptimizerKind, ProfileSteps, ScanLayers, TargetModules,
};

use data::{ExcessLength, Packing};
use models::LossChunk;
use serde_json::Value;

use crate::schedule::ScheduleKind;
use declare::settings;
pub(crate) use draft::Draft;
use setting::Bound::{Above, AtLeast, Below, Within};
use setting::{Details, Setting};

/// Far above any use, so that the product of two such numbers is one of rows too.
const MOST_ROWS: f64 = 65_536.0;

settings! {
    /// Everything that decides a training run. Two runs with equal values on the same mesh give the same weights.
    pub struct TrainConfig {
        "Model" {
            /// Folder of a Hugging Face model whose weights the run starts from, or of a run of `finery train`: while that has not written
            /// its model, its newest checkpoint.
            base_model: Option<PathBuf> = None,
            /// Trains from scratch a model of this shape, initialised as its `initializer_range` says. Needs
            /// `tokenizer`.
            model_config: Option<ModelConfig> = None,
            /// A `tokenizer.json`, or a folder that holds one. Not set: that of `base_model`.
            tokenizer: Option<PathBuf> = None,
            /// A Jinja file that lays out conversations, and is kept with the trained model. Not set: the tokenizer's
            /// own.
            chat_template: Option<PathBuf> = None,
        }
        "Adapter" {
            /// Trains an adapter on a frozen `base_model`. Not set: all weights are trained.
            adapter: Option<Adapter> = None,
            /// Rank of the two matrices.
            lora_r: u64 = 8; AtLeast(1.0),
            /// Scale of the adapter's output: `lora_alpha / lora_r`, or with `peft_use_rslora` `lora_alpha /
            /// sqrt(lora_r)`.
            lora_alpha: f64 = 16.0; Above(0.0),
            /// Probability with which each element of an adapter's input is dropped while training.
            lora_dropout: f64 = 0.0; Below(0.0, 1.0),
            /// The matrices that get an adapter. `all-linear` means all of the layers' but those whose adapters PEFT refuses or transformers computes without:
            /// Mamba's `out_proj` and `dt_proj`.
            lora_target_modules: TargetModules = TargetModules::AllLinear,
            /// Rank-stabilised scale (Kalajdzievski 2023), which keeps the update's size when the rank grows.
            /// Axolotl's name; PEFT's adapter_config.json calls it `use_rslora`.
            peft_use_rslora: bool = false,
            /// Adapters that are DoRA's (Liu et al. 2024): a magnitude is trained for each output, too.
            peft_use_dora: bool = false,
            /// The only layers that get an adapter, counted from 0. Not set: all.
            peft_layers_to_transform: Vec<u64> = Vec::new(),
            /// Modules that are trained in full and saved with the adapter: what their paths end with, such as `[embed_tokens, lm_head]`.
            lora_modules_to_save: Vec<String> = Vec::new(),
            /// Folder of an adapter to train further, a trained one or a checkpoint of one. Its rank, scale and targets are those of its
            /// `adapter_config.json`; given here, they have to be the same.
            lora_model_dir: Option<PathBuf> = None,
        }
        "Data" {
            /// What is trained on. Samples of all are mixed, each data set in proportion to its size times its `weight`.
            datasets: Vec<Dataset>; AtLeast(1.0),
            /// What the loss is measured on while training, in place of a part of `datasets`.
            test_datasets: Vec<Dataset> = Vec::new(),
            /// What part of `datasets` is set aside for evaluation and not trained on; 0 for none.
            val_set_size: HeldOut = HeldOut(None),
            /// Tokens in a row of a batch, and the longest sample unless `sample_packing` is `concatenate`.
            sequence_len: u64 = 2048; AtLeast(2.0),
            /// How samples share rows. Whole samples that share a row see neither each other nor their positions, so
            /// that the loss is that of each alone.
            sample_packing: Packing = Packing::FirstFit,
            /// What happens to a sample longer than `sequence_len`. Not beside `sample_packing: concatenate`, which cuts all where a row ends.
            excess_length_strategy: ExcessLength = ExcessLength::Drop,
            /// Also takes the loss on prompts and on what users say, not only on the answers.
            train_on_inputs: bool = false,
            /// Counts and leaves out records that are malformed or have nothing to learn, where otherwise the first one stops
            /// the run.
            skip_bad: bool = false,
        }
        "Batch and length" {
            /// Rows of `sequence_len` tokens that are computed at once, over all devices of the `mesh`. `auto` is the most that the compiler says
            /// fit: a multiple of the mesh's dp x fsdp, which divides `global_batch_size` if that is given, and no more than a pass over the
            /// data has. It is found when a run begins, stands in the run's own configuration, and is the same when it is resumed on that mesh; on another it is found anew, for as many rows in a step.
            micro_batch_size: MicroBatch = MicroBatch::Rows(1); Within(1.0, MOST_ROWS),
            /// Rows of an optimizer step, given together with `micro_batch_size: auto`: `gradient_accumulation_steps` is then this number
            /// divided by the micro-batch that was found, so that a run learns the same on any device. Not set:
            /// `gradient_accumulation_steps` stays as it is.
            global_batch_size: Option<u64> = None; Within(1.0, MOST_ROWS * MOST_ROWS),
            /// Micro-batches in an optimizer step. The loss is divided by the step's target tokens, so that splitting
            /// a batch changes nothing.
            gradient_accumulation_steps: u64 = 1; Within(1.0, MOST_ROWS),
            /// Passes over the training data. Where a pass ends within a step, the step goes on with the next pass; the run's last
            /// step is filled up with padding. With none of `num_epochs`, `max_steps` and `max_duration`: 1.
            num_epochs: Option<u64> = None; AtLeast(1.0),
            /// Optimizer steps. -1, the default of transformers and TRL, counts as not given.
            max_steps: Option<u64> = None; AtLeast(1.0),
            /// Length of the run with a unit, as LLM Foundry writes it.
            max_duration: Option<Duration> = None,
        }
        "Optimizer" {
            /// Learning rate after warm-up.
            learning_rate: f64; Above(0.0),
            /// What the learning rate does after warm-up.
            lr_scheduler: ScheduleKind = ScheduleKind::Cosine,
            /// Steps over which the learning rate rises from 0.
            warmup_steps: Option<u64> = None,
            /// The same as a part of all steps. With neither: no warm-up.
            warmup_ratio: Option<f64> = None; Below(0.0, 1.0),
            /// Where the cosine ends, as a part of `learning_rate`.
            cosine_min_lr_ratio: f64 = 0.0; Within(0.0, 1.0),
            /// The update rule.
            optimizer: OptimizerKind = OptimizerKind::Adamw,
            /// Decay of the first moment.
            adam_beta1: f64 = 0.9; Below(0.0, 1.0),
            /// Decay of the second moment.
            adam_beta2: f64 = 0.999; Below(0.0, 1.0),
            /// Added to the root of the second moment.
            adam_epsilon: f64 = 1e-8; Above(0.0),
            /// Decoupled weight decay; each step takes `learning_rate * weight_decay` of a weight. Vectors (biases and
            /// norms among them) and the Mambas' `A_log` are spared.
            weight_decay: f64 = 0.0; AtLeast(0.0),
            /// Gradients are scaled down to this norm over all parameters; 0 for no clipping.
            max_grad_norm: f64 = 1.0; AtLeast(0.0),
            /// What the squared logarithm of the softmax's denominator is multiplied with and added to each target token's cross-entropy, so that logits
            /// do not drift: 1e-4 in PaLM (Chowdhery et al. 2022), 1e-5 in OLMo 2. `loss` and `eval_loss` stay cross-entropies; `z_loss` in the metrics is
            /// what is added. 0 for nothing.
            z_loss_multiplier: f64 = 0.0; Within(0.0, 1.0),
        }
        "Precision and memory" {
            /// The type in which the forward and backward passes compute.
            dtype: ComputeDtype = ComputeDtype::Auto,
            /// Which activations are computed again in the backward pass instead of kept.
            gradient_checkpointing: GradientCheckpointing = GradientCheckpointing::Auto,
            /// Whether the program is a loop over stacked layers, or has them one after the other. Checkpoints are the same.
            scan_layers: ScanLayers = ScanLayers::Auto,
            /// Which kernels compute attention, state spaces and experts on GPUs.
            kernels: KernelChoice = KernelChoice::Auto,
            /// Tokens of a device whose logits exist at once, when the loss and its gradient are computed: chunks of fewer tokens take less memory, and time
            /// for adding up the output layer's gradient once more with each. `auto` is as many as have 512 MiB of logits, and at least 1,024, or all at
            /// once where chunks would save no memory. All at once, too, where the output layer has an adapter, or its vocabulary is split over the `mesh`.
            loss_chunk_tokens: LossChunk = LossChunk::Auto; AtLeast(1.0),
        }
        "Devices" {
            /// The devices that a step is spread over: `{fsdp: 8}`, or `mesh.fsdp=auto` for all there are.
            mesh: MeshConfig = MeshConfig::default(),
        }
        "Run" {
            /// Decides initial weights, data order and dropout.
            seed: u64 = 42,
            /// Folder for checkpoints, metrics, the trained model and this configuration as resolved. Machines that make a run together share it.
            output_dir: PathBuf = PathBuf::from("./model-out"),
            /// Optimizer steps between two records of metrics: lines of `metrics.jsonl`, points in TensorBoard, lines under
            /// `--log-format json`. A record's `loss` is the mean over the target tokens of the steps since the one before, and so are
            /// its speeds; `grad_norm` and `learning_rate` are those of its own step. (Terminals show the loss of the step at hand.)
            logging_steps: u64 = 1; AtLeast(1.0),
            /// Optimizer steps between two evaluations, besides the one at the end. Not set: that one alone.
            eval_steps: Option<u64> = None; AtLeast(1.0),
            /// Batches in an evaluation. Not set, or LLM Foundry's default -1: all.
            eval_subset_num_batches: Option<u64> = None; AtLeast(1.0),
            /// Evaluations without a better `eval_loss` after which the run ends. Needs `eval_steps`. Not set: it goes on to its last step.
            early_stopping_patience: Option<u64> = None; AtLeast(1.0),
            /// By how much `eval_loss` has to fall for an evaluation to count as better there.
            early_stopping_threshold: f64 = 0.0; AtLeast(0.0),
            /// Saves a checkpoint whenever `eval_loss` was never lower, keeps it whatever `save_total_limit` says, and writes its weights
            /// as the trained model, in place of the last ones. Needs `eval_steps`.
            load_best_model_at_end: bool = false,
            /// Optimizer steps between two checkpoints, besides the one at the end. Not set: by `save_minutes`.
            save_steps: Option<u64> = None; AtLeast(1.0),
            /// Minutes after which a checkpoint is saved if none was; it is removed again when there is a newer one. 0 for none. Not set:
            /// 10, or none with `save_steps`.
            save_minutes: Option<f64> = None; AtLeast(0.0),
            /// How many of the newest checkpoints are kept. The last one counts only once a later step has shown that it is good: so there is one
            /// more while a run goes on and, with 1, also in a run that was stopped. Not set: all are kept.
            save_total_limit: Option<u64> = None; AtLeast(1.0),
            /// Steps that are recorded with the plugin's profiler: how many, from the tenth on after the run begins or goes on, or which, such as
            /// `100-102`. The recording ends at the first evaluation or checkpoint behind one of them, perhaps after a single step, which is said.
            /// Where their time goes is written to `output_dir`: `profile.txt`, `profile.json`, `profile.trace.json` for ui.perfetto.dev, and
            /// `profile.xplane.pb`. Of several processes, the first records its devices. `finery profile` records without a run.
            profile_steps: Option<ProfileSteps> = None; Within(1.0, 1000.0),
            /// Checkpoint to go on from, whatever its folder is called, with its optimizer, step and position in the data, from which random
            /// numbers follow with `seed`. With `--resume`, a checkpoint in `output_dir` is newer.
            resume_from_checkpoint: Option<PathBuf> = None,
        }
    }
}

/// Reads what `sample_packing` may be, for a command line that takes the same words.
///
/// # Errors
/// The words that it may be.
pub fn parse_packing(text: &str) -> Result<Packing, String> {
    setting::parse(text)
}

/// As [`parse_packing`], what `excess_length_strategy` may be.
///
/// # Errors
/// The words that it may be.
pub fn parse_excess_length(text: &str) -> Result<ExcessLength, String> {
    setting::parse(text)
}

impl TrainConfig {
    /// Reads `path` and lays the `key.sub=value` arguments in `overrides` over it. What the keys name (files, modules of a
    /// model) is not looked at; [`crate::preflight`] does that too.
    ///
    /// # Errors
    /// Everything that is wrong with the file and the arguments, in one [`ConfigErrors`].
    pub fn load(path: &Path, overrides: &[String]) -> Result<Self, ConfigErrors> {
        Draft::load(path, overrides)?.finish()
    }

    /// As [`TrainConfig::load`], from text; `name` stands in error messages for the file.
    ///
    /// # Errors
    /// As [`TrainConfig::load`].
    pub fn parse(text: &str, name: &Path, overrides: &[String]) -> Result<Self, ConfigErrors> {
        Draft::parse(text, name, overrides)?.finish()
    }

    /// The configuration with every default filled in, as YAML that [`TrainConfig::load`] reads to an equal value.
    /// Keys that do nothing here, such as `lora_r` without an adapter, are left out.
    #[must_use]
    pub fn to_yaml(&self) -> String {
        emit::document(&self.written())
    }

    /// All keys with their values, without those that do nothing here.
    fn written(&self) -> Value {
        let mut written = self.write();
        if let Some(map) = written.as_object_mut() {
            contradictions::remove_idle(map);
        }
        written
    }

    /// Rows of a micro-batch; where they are to be found yet, the fewest that a mesh of the given sizes spreads.
    #[must_use]
    pub fn micro_batch_rows(&self) -> u64 {
        match self.micro_batch_size {
            MicroBatch::Rows(rows) => rows,
            MicroBatch::Auto => {
                let sizes = self.mesh.sizes();
                sizes.on(sizes.given()).map_or(1, |shape| shape.row_parts() as u64)
            }
        }
    }

    /// The configuration with so many rows in a micro-batch, and the accumulation that follows.
    #[must_use]
    pub fn with_rows(&self, rows: u64) -> TrainConfig {
        let steps = self.global_batch_size.map_or(self.gradient_accumulation_steps, |all| (all / rows).max(1));
        TrainConfig {
            micro_batch_size: MicroBatch::Rows(rows),
            gradient_accumulation_steps: steps,
            global_batch_size: None,
            ..self.clone()
        }
    }

    /// Reads what [`TrainConfig::to_yaml`] has written, also in an earlier version, which wrote keys that do nothing and are refused by now.
    ///
    /// # Errors
    /// As [`TrainConfig::parse`].
    pub(crate) fn parse_written(text: &str, name: &Path) -> Result<Self, ConfigErrors> {
        let mut written = Draft::parse(text, name, &[])?.to_json();
        if let Some(map) = written.as_object_mut() {
            contradictions::remove_idle(map);
        }
        TrainConfig::parse(&emit::document(&written), name, &[])
    }

    /// How long the run is, from whichever of `num_epochs`, `max_steps` and `max_duration` is given; one epoch if
    /// none is.
    #[must_use]
    pub fn duration(&self) -> Duration {
        let steps = self.max_steps.map(Duration::Steps);
        steps.or(self.num_epochs.map(Duration::Epochs)).or(self.max_duration).unwrap_or(Duration::Epochs(1))
    }

    /// Minutes after which a checkpoint is due if none was saved; 0 for never.
    #[must_use]
    pub fn save_minutes(&self) -> f64 {
        const DEFAULT: f64 = 10.0;
        self.save_minutes.unwrap_or(if self.save_steps.is_some() { 0.0 } else { DEFAULT })
    }

    /// The most batches of an evaluation.
    #[must_use]
    pub fn evaluation_batches_max(&self) -> usize {
        self.eval_subset_num_batches.map_or(usize::MAX, |batches| batches as usize)
    }

    /// The folder or file that the tokenizer is read from; reading has made sure that there is one.
    #[must_use]
    pub fn tokenizer_path(&self) -> Option<&Path> {
        self.tokenizer.as_deref().or(self.base_model.as_deref())
    }

    /// All keys with their accepted values, defaults and meaning, as Markdown: the content of `docs/config.md`.
    #[must_use]
    pub fn reference_markdown() -> String {
        match Self::details() {
            Details::Keys(groups) => reference::markdown(&groups),
            Details::None | Details::Choices(_) => String::new(),
        }
    }

    /// The keys of other tools, each with what to do about it here, as Markdown: the content of `docs/other-tools.md`.
    #[must_use]
    pub fn other_tools_markdown() -> String {
        reference::other_tools_markdown()
    }
}
