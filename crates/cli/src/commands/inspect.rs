//! `finery inspect`: what a model is and what it costs, without loading it.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use checkpoint::{LoraConfig, ModelFolder, ModelSource};
use models::{LanguageModel, Lora, LoraModule, ModelPreset, Summary};
use runtime::Bytes;
use serde::Serialize;
use serde_json::Value;

use crate::narrow;
use crate::plural::counted;
use crate::usage;

// Both are multiplied with the model's sizes, in 64 bits.
const POSITIONS_MAX: u64 = (1 << 31) - 1;
const RANK_MAX: u64 = 1 << 12;

/// Say what a model is and what it costs: parameters, memory, FLOPs
///
/// Nothing but its config.json is read, so that the weights need not be here.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "FLOPs, forward and in training, are of a token that sees --context positions (PaLM's 6N + 12LHQT in training); those of \
    a row that long see half as many on average.\n\n\
    Examples:\n  \
    finery inspect models/llama\n  \
    finery inspect mixtral/config.json --context 32768\n  \
    finery inspect mamba-1.4b --json"
)]
pub(crate) struct Args {
    /// A model's folder, its config.json, or a preset of `finery models --presets`
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// Positions that a token sees, for FLOPs and state [default: the model's context, at most 4096]
    #[arg(long, value_name = "TOKENS", value_parser = usage::whole::<usize>(1..=POSITIONS_MAX))]
    context: Option<usize>,
    /// Rank of the LoRA adapters that training is reckoned with, on all linear layers
    #[arg(long, value_name = "RANK", default_value_t = 16, value_parser = usage::whole::<usize>(1..=RANK_MAX))]
    lora_r: usize,
    /// One JSON object in place of lines
    #[arg(long)]
    json: bool,
}

/// What is printed as JSON. Bytes and FLOPs are exact sums over shapes, not measurements.
#[derive(Debug, Serialize)]
struct Report {
    model_type: String,
    architecture: String,
    layers: usize,
    hidden_size: usize,
    vocab_size: usize,
    /// `null` where there is no limit.
    longest_context: Option<usize>,
    /// In which the configuration says that the weights are stored.
    dtype: Option<String>,
    parameters: u64,
    /// Those that one token is computed with.
    active_parameters: u64,
    bytes: MemoryReport,
    context: usize,
    /// Of generation's state, in bf16.
    state_bytes_per_token: u64,
    state_bytes_fixed: u64,
    state_bytes_at_context: u64,
    /// Forward, for a token that sees `context` positions.
    flops_per_token: f64,
    /// Forward and backward, of the same token.
    training_flops_per_token: f64,
    lora_r: usize,
    lora_parameters: u64,
}

/// Without activations, which depend on the batch.
#[derive(Debug, Serialize)]
struct MemoryReport {
    /// The weights alone.
    bf16: u64,
    f32: u64,
    /// f32 weights, AdamW's two moments, and gradients.
    train_full: u64,
    /// bf16 weights, and the same of the adapters.
    train_lora: u64,
}

/// Prints the report.
///
/// # Errors
/// There is no configuration, or no family runs it.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let (config, path) = config_of(&args.model)?;
    let model = LanguageModel::from_json(&config).with_context(|| format!("cannot use {path}"))?;
    let report = report(&model, &config, args)?;
    let text = match args.json {
        true => serde_json::to_string(&report)? + "\n",
        false => narrow::fitted(&report.lines()?, narrow::columns()),
    };
    std::io::stdout().write_all(text.as_bytes()).context("printing the report")
}

/// The content of the model's `config.json`, and where it was found.
fn config_of(model: &Path) -> anyhow::Result<(Value, String)> {
    // A model that is there wins over a preset of its name.
    let is_there = model.is_file() || model.join("config.json").is_file();
    if !is_there && let Some(preset) = model.to_str().and_then(ModelPreset::find) {
        return Ok((preset.config, format!("the preset {}", preset.name)));
    }
    let meant = model.to_str().filter(|_| !model.exists()).and_then(ModelPreset::nearest);
    if let Some(meant) = meant {
        bail!(
            "there is no folder, file or preset {}; did you mean the preset {meant}? `finery models --presets` lists them",
            model.display()
        );
    }
    if !is_there && model.is_dir() && ModelSource::is_adapter(model)? {
        bail!("{}", adapter(model)?);
    }
    let path = if model.is_dir() { model.join("config.json") } else { model.to_path_buf() };
    // Weights beside it may say that the output layer is not the embedding. They need not be there, nor whole.
    let config = match ModelFolder::open(model) {
        Ok(folder) => folder.config().clone(),
        Err(_) => checkpoint::read_config(&path)?,
    };
    Ok((config, path.display().to_string()))
}

/// Where the model of an adapter is.
fn adapter(folder: &Path) -> anyhow::Result<String> {
    let result = checkpoint::result_folder(folder)?;
    let config = LoraConfig::read(result.join("adapter_config.json"))?;
    let told = match config.base_model_name_or_path.as_deref().filter(|base| !base.is_empty()) {
        None => ", which does not name its base model: inspect that".to_owned(),
        Some(base) => match checkpoint::base_of(&result, &config) {
            Ok(place) => {
                format!(" of the model {base}: `finery inspect {}` says what that is and costs", place.display())
            }
            Err(_) => format!(
                " of the model {base}, which is found neither from here nor from the folders around the adapter: inspect that"
            ),
        },
    };
    Ok(format!("{} is an adapter{told}", folder.display()))
}

fn report(model: &LanguageModel, config: &Value, args: &Args) -> anyhow::Result<Report> {
    let sizes = model.sizes();
    let limit = model.context();
    let context = args.context.unwrap_or_else(|| limit.unwrap_or(4096).min(4096));
    let lora = Lora::of_each(&model.linear_modules()?, LoraModule { rank: args.lora_r, scale: 1.0 }, 0.0);
    let summary = Summary::of(model, Some(&lora))?;
    let Summary { parameters, active_parameters, adapter_parameters, state_per_token, state_fixed, .. } = summary;
    let text = |key: &str| config.get(key).and_then(Value::as_str).map(str::to_owned);
    let written = model.to_json();
    Ok(Report {
        model_type: written["model_type"].as_str().unwrap_or_default().to_owned(),
        architecture: written["architectures"][0].as_str().unwrap_or_default().to_owned(),
        layers: sizes.num_hidden_layers,
        hidden_size: sizes.hidden_size,
        vocab_size: sizes.vocab_size,
        longest_context: limit,
        dtype: text("dtype").or_else(|| text("torch_dtype")),
        parameters,
        active_parameters,
        bytes: MemoryReport {
            bf16: 2 * parameters,
            f32: 4 * parameters,
            train_full: 16 * parameters,
            train_lora: 2 * parameters + 16 * adapter_parameters,
        },
        context,
        state_bytes_per_token: state_per_token,
        state_bytes_fixed: state_fixed,
        state_bytes_at_context: state_per_token.saturating_mul(context as u64).saturating_add(state_fixed),
        flops_per_token: summary.flops_per_token(context),
        training_flops_per_token: 3.0 * summary.flops_per_token(context),
        lora_r: args.lora_r,
        lora_parameters: adapter_parameters,
    })
}

impl Report {
    fn lines(&self) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        let mut line = |name: &str, value: String| writeln!(text, "{name:<14}{value}");
        let bytes = |count: u64| Bytes(u128::from(count)).to_string();
        line("model", format!("{} ({})", self.model_type, self.architecture))?;
        let active = match self.active_parameters == self.parameters {
            true => String::new(),
            false => format!(", {} for each token", count(self.active_parameters)),
        };
        line("parameters", format!("{}{active}", count(self.parameters)))?;
        let context = self.longest_context.map_or("no limit".to_owned(), |limit| limit.to_string());
        line(
            "shape",
            format!(
                "{}, width {}, vocabulary {}, context {context}",
                counted(self.layers as u64, "layer"),
                self.hidden_size,
                self.vocab_size
            ),
        )?;
        if let Some(dtype) = &self.dtype {
            line("stored in", dtype.clone())?;
        }
        line("weights", format!("{} in bf16, {} in f32", bytes(self.bytes.bf16), bytes(self.bytes.f32)))?;
        line(
            "to train",
            format!(
                "{} in full, {} with LoRA of rank {} ({} parameters); activations come on top",
                bytes(self.bytes.train_full),
                bytes(self.bytes.train_lora),
                self.lora_r,
                count(self.lora_parameters)
            ),
        )?;
        let state = match (self.state_bytes_per_token, self.state_bytes_fixed) {
            (0, fixed) => format!("{} a sequence, however long", bytes(fixed)),
            (each, 0) => {
                format!("{} a token, {} at {} tokens", bytes(each), bytes(self.state_bytes_at_context), self.context)
            }
            (each, fixed) => format!("{} a token and {} a sequence", bytes(each), bytes(fixed)),
        };
        line("state", format!("{state}, where layers compute in bf16"))?;
        line(
            "FLOPs",
            format!(
                "{} a token forward, {} in training, at {} positions",
                flops(self.flops_per_token),
                flops(self.training_flops_per_token),
                self.context
            ),
        )?;
        Ok(text)
    }
}

/// A number of parameters in three digits or so: `6.74 B`.
pub(crate) fn count(number: u64) -> String {
    scaled(number as f64, &["", " K", " M", " B", " T"])
}

fn flops(number: f64) -> String {
    scaled(number, &["", " K", " M", " G", " T"])
}

fn scaled(number: f64, units: &[&str]) -> String {
    let steps = units.len() - 1;
    let (value, unit) =
        (0..steps).fold((number, 0), |(x, unit), _| if x >= 1000.0 { (x / 1000.0, unit + 1) } else { (x, unit) });
    let digits = if unit == 0 || value >= 100.0 {
        0
    } else if value >= 10.0 {
        1
    } else {
        2
    };
    format!("{value:.digits$}{}", units[unit])
}
