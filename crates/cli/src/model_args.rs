//! What the commands that use a model have in common: which model, on which device, and how the next token is chosen.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context as _;
use checkpoint::ModelSource;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use data::{ChatInput, Tokenizer};
use engine::{GenerateOptions, GenerationConfig, LoadProgress, Model, Sampling};
use graph::DType;
use runtime::Session;
use runtime::plugins::Platform;
use serde_json::Value;

use crate::allocator;
use crate::commands::devices::DeviceArgs;
use crate::progress::{ProgressMode, Task, Unit};

/// Which model a command uses.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ModelArgs {
    /// The model: a folder with config.json, safetensors and tokenizer.json
    #[arg(long, value_name = "DIR")]
    model: PathBuf,

    /// A LoRA adapter in PEFT's layout; a tokenizer and chat template beside it are used in place of the model's
    #[arg(long, value_name = "DIR")]
    adapter: Option<PathBuf>,

    /// In which the model is held and computed with [default: f32 on a CPU and for scores, else bf16]
    #[arg(long, value_name = "TYPE", value_parser = dtype_parser())]
    dtype: Option<DType>,

    #[command(flatten)]
    pub(crate) device: DeviceArgs,
}

fn dtype_parser() -> impl TypedValueParser<Value = DType> {
    PossibleValuesParser::new(["f32", "bf16"]).map(|name| if name == "bf16" { DType::BF16 } else { DType::F32 })
}

/// The files of a model, checked as far as that is possible without a device.
pub(crate) struct ModelFiles {
    pub(crate) source: ModelSource,
    pub(crate) tokenizer: Tokenizer,
    generation_config: GenerationConfig,
}

impl ModelFiles {
    /// A conversation as tokens, up to where the assistant's next answer begins.
    ///
    /// # Errors
    /// There is no chat template, or it refuses the messages.
    pub(crate) fn encode_chat(&self, messages: &[Value], tools: Option<&Value>) -> anyhow::Result<Vec<u32>> {
        let template = self.tokenizer.chat_template(tools.is_some()).with_context(|| {
            format!(
                "the model has no chat template, so it cannot take messages: add {}, or give plain text",
                self.source.tokenizer_folder().join("chat_template.jinja").display()
            )
        })?;
        let input = ChatInput { messages, tools, add_generation_prompt: true, ..ChatInput::default() };
        Ok(self.tokenizer.encode(&template.render(&input)?.text, false)?)
    }
}

impl ModelArgs {
    /// Opens the files of the model.
    ///
    /// # Errors
    /// A file is missing or damaged, or the tokenizer has ids that the model does not know.
    pub(crate) fn files(&self) -> anyhow::Result<ModelFiles> {
        let source = ModelSource::open(&self.model, self.adapter.as_deref())?;
        let tokenizer = Tokenizer::from_dir(source.tokenizer_folder())?;
        // Loading checks this too, but not before gigabytes have been read.
        if let Some(vocab_size) = source.model().config()["vocab_size"].as_u64() {
            let vocab_size = usize::try_from(vocab_size).unwrap_or(usize::MAX);
            tokenizer.check_vocab(vocab_size).with_context(|| format!("cannot use {}", self.model.display()))?;
        }
        let generation_config = GenerationConfig::read(&self.model)?;
        Ok(ModelFiles { source, tokenizer, generation_config })
    }

    /// Loads the model for generation: in 16 bits on a GPU, where memory bandwidth is what decides its speed.
    ///
    /// # Errors
    /// The files do not hold what the configuration asks for, or the device's memory is full.
    pub(crate) fn load<'s>(
        &self,
        session: &'s Session,
        files: &ModelFiles,
        progress: ProgressMode,
    ) -> anyhow::Result<Model<'s>> {
        let usual = if session.platform() == Platform::Cpu { DType::F32 } else { DType::BF16 };
        load(session, &files.source, self.dtype.unwrap_or(usual), progress)
    }

    /// Loads the model for numbers that are to be compared: in f32 unless told otherwise.
    ///
    /// # Errors
    /// As [`ModelArgs::load`].
    pub(crate) fn load_precise<'s>(
        &self,
        session: &'s Session,
        files: &ModelFiles,
        progress: ProgressMode,
    ) -> anyhow::Result<Model<'s>> {
        load(session, &files.source, self.dtype.unwrap_or(DType::F32), progress)
    }
}

fn load<'s>(
    session: &'s Session,
    source: &ModelSource,
    dtype: DType,
    progress: ProgressMode,
) -> anyhow::Result<Model<'s>> {
    let mut shown: Option<(Task, u64)> = None;
    let model = Model::load(session, source, dtype, &mut |LoadProgress { bytes, total_bytes }| {
        let (task, before) = shown.get_or_insert_with(|| {
            let title = format!("loading {}", source.model().path().display());
            (Task::bar(progress, title, total_bytes, Unit::Bytes), 0)
        });
        task.advance(bytes - *before);
        *before = bytes;
    })?;
    if let Some((task, _)) = shown {
        task.finish();
    }
    allocator::keep_freed_memory(session.platform());
    Ok(model)
}

/// How answers are generated.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Generation")]
pub(crate) struct SamplingArgs {
    /// Tokens after which an answer ends
    #[arg(long, value_name = "N", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..))]
    max_tokens: u32,

    /// 0 takes the likeliest token; higher is more varied [default: that of generation_config.json, else 0]
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    temperature: Option<f64>,

    /// Draw from the fewest tokens that together have this probability [default: as temperature, else 1]
    #[arg(long, value_name = "P")]
    top_p: Option<f64>,

    /// Draw from this many of the likeliest tokens; 0 is all [default: as temperature, else 0]
    #[arg(long, value_name = "K")]
    top_k: Option<usize>,

    /// Seed of the draws, with which an answer can be had again [default: the time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Text at which an answer ends, without being part of it; may be given several times
    #[arg(long, value_name = "TEXT")]
    stop: Vec<String>,

    /// Longest text, prompt and answer together, in tokens [default: the model's max_position_embeddings]
    #[arg(long, value_name = "N")]
    pub(crate) context: Option<usize>,
}

impl SamplingArgs {
    /// The options of answers of the model with these files.
    ///
    /// # Errors
    /// A setting out of its range.
    pub(crate) fn options(&self, files: &ModelFiles) -> anyhow::Result<GenerateOptions> {
        let (temperature, top_k, top_p) = files.generation_config.sampling();
        let temperature = self.temperature.unwrap_or(temperature);
        let (top_k, top_p) = (self.top_k.unwrap_or(top_k), self.top_p.unwrap_or(top_p));
        let time = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64);
        let sampling = Sampling::new(temperature, top_k, top_p, self.seed.unwrap_or_else(time))?;
        if temperature == 0.0 && (self.top_k.is_some() || self.top_p.is_some() || self.seed.is_some()) {
            tracing::warn!(
                "at temperature 0 the likeliest token is taken, so --top-p, --top-k and --seed change nothing"
            );
        }
        Ok(GenerateOptions { max_tokens: self.max_tokens as usize, sampling, stop: self.stop.clone() })
    }
}
