//! How fast tokens are generated.

use std::time::Instant;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use engine::{Decoder, Model, ModelPlan, decode_program};
use graph::{DType, Program};
use models::{LanguageModel, ModelPreset, presets};
use runtime::Session;
use runtime::plugins::Platform;
use serde::Serialize;

use super::{Shared, compile_for, dump};
use crate::allocator;
use crate::progress::{ProgressMode, Task, Unit};

#[derive(Clone, Debug, clap::Args)]
pub(super) struct Args {
    /// The model, with random weights
    #[arg(long, value_parser = preset_parser())]
    preset: ModelPreset,
    /// Tokens of the prompt
    #[arg(long, default_value_t = 500)]
    context: usize,
    /// Tokens that are timed, after two that are not
    #[arg(long, default_value_t = 64, conflicts_with = "target")]
    tokens: usize,
    #[command(flatten)]
    shared: Shared,
}

fn preset_parser() -> impl TypedValueParser<Value = ModelPreset> {
    let names: Vec<&str> = presets().iter().map(|preset| preset.name).collect();
    PossibleValuesParser::new(names).try_map(|name: String| ModelPreset::find(&name).ok_or("no such preset"))
}

/// What was measured, as printed. The device chooses each token, the likeliest, as in `generate`.
#[derive(Debug, Serialize)]
struct Report {
    preset: &'static str,
    device: String,
    context: usize,
    token_ms_mean: f64,
    token_ms_median: f64,
    token_ms_min: f64,
    /// The prompt, compiling included.
    first_token_ms: f64,
    load_seconds: f64,
    peak_bytes: Option<u64>,
}

/// The measurement as a line of JSON.
pub(super) fn run(args: &Args, progress: ProgressMode) -> anyhow::Result<String> {
    let Shared { target, device, dump: path, .. } = &args.shared;
    if let Some(target) = *target {
        let program = args.program(target.description().platform)?;
        dump(&program, path.as_deref())?;
        return Ok(serde_json::to_string(&compile_for(target, args.preset.name, None, &program, device, progress)?)?);
    }
    let session = device.open(progress)?;
    dump(&args.program(session.platform())?, path.as_deref())?;
    Ok(serde_json::to_string(&measure(&session, args, progress)?)?)
}

/// Tokens that are not timed: the one behind the prompt, and two while the device warms up.
const WARM_UP: usize = 3;

impl Args {
    /// The prompt's tokens, and those that follow it.
    fn lengths(&self) -> (usize, usize) {
        (self.context.max(1), self.tokens.max(1) + WARM_UP)
    }

    fn program(&self, platform: Platform) -> anyhow::Result<Program> {
        let (context, count) = self.lengths();
        Ok(decode_program(&self.plan(platform)?, context, count)?)
    }

    fn plan(&self, platform: Platform) -> anyhow::Result<ModelPlan> {
        let model = LanguageModel::from_json(&self.preset.config)?;
        let dtype = if platform == Platform::Cpu { DType::F32 } else { DType::BF16 };
        let mut plan = ModelPlan::new(model, dtype, platform);
        plan.layers = self.shared.scan_layers.layers(platform, plan.model.sizes().num_hidden_layers);
        Ok(plan)
    }
}

fn measure(session: &Session, args: &Args, progress: ProgressMode) -> anyhow::Result<Report> {
    let drawing = Task::spinner(progress, "drawing weights");
    let started = Instant::now();
    let model = Model::random(session, args.plan(session.platform())?, 0)?;
    let load_seconds = started.elapsed().as_secs_f64();
    drawing.finish();
    allocator::keep_freed_memory(session.platform());
    let (context, count) = args.lengths();
    let shown = Task::bar(progress, "tokens", count as u64, Unit::Items);
    let vocab = model.sizes().vocab_size;
    let mut sequence: Vec<u32> = (0..context).map(|i| (i * 7919 % vocab) as u32).collect();
    let mut decoder = Decoder::new(&model, None)?;
    let started = Instant::now();
    decoder.prepare(context, count)?;
    let goes_on = decoder.gains_by_going_on();
    sequence.push(decoder.likeliest(&sequence, goes_on)?);
    let first_token_ms = started.elapsed().as_secs_f64() * 1e3;
    let mut times = Vec::new();
    for _ in 1..count {
        let started = Instant::now();
        sequence.push(decoder.likeliest(&sequence, goes_on)?);
        times.push(started.elapsed().as_secs_f64() * 1e3);
        shown.advance(1);
    }
    shown.finish();
    let mut times = times.split_off(WARM_UP - 1);
    times.sort_by(f64::total_cmp);
    let device = &session.devices()[0];
    Ok(Report {
        preset: args.preset.name,
        device: device.kind()?,
        context: args.context,
        token_ms_mean: times.iter().sum::<f64>() / times.len() as f64,
        token_ms_median: times[times.len() / 2],
        token_ms_min: times[0],
        first_token_ms,
        load_seconds,
        peak_bytes: device.memory_stats()?.and_then(|stats| stats.peak_bytes_in_use),
    })
}
