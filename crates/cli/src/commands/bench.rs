//! `finery bench`: how fast a training step runs here, and how much memory it takes.

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use graph::Remat;
use runtime::aot::{self, Target};
use runtime::{CompileOptions, Hardware, Session};
use serde::Serialize;
use train::{AttentionChoice, Preset, StepPlan, Trainer};

use crate::allocator;
use crate::commands::devices::DeviceArgs;
use crate::progress::{ProgressMode, Task, Unit};

/// Measure the speed and memory of a training step on random data
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Subcommand,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Subcommand {
    /// A whole training step: forward, backward, update
    Train(TrainArgs),
}

#[derive(Clone, Debug, clap::Args)]
struct TrainArgs {
    /// The model and batch
    #[arg(long, value_parser = preset_parser())]
    preset: Preset,
    /// Steps that are timed, after two that are not
    #[arg(long, default_value_t = 20)]
    steps: u64,
    /// Rows of several documents, of random lengths, as `sample_packing` makes them
    #[arg(long)]
    packed: bool,
    /// Attention in plain ops even where the platform has a fused kernel
    #[arg(long)]
    plain_attention: bool,
    /// What the backward pass keeps of each layer, in place of the preset's own choice
    #[arg(long, value_enum)]
    remat: Option<Kept>,
    /// Write the program's StableHLO text to this file
    #[arg(long, value_name = "FILE")]
    dump: Option<PathBuf>,
    /// Compile for a device that need not be here, and report the memory the step would take on it
    #[arg(long, value_name = "DEVICE", value_parser = target_parser(), conflicts_with = "steps")]
    target: Option<Target>,
    #[command(flatten)]
    device: DeviceArgs,
}

/// A rematerialisation policy, as `gradient_checkpointing` names them.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Kept {
    /// All activations are kept
    None,
    /// Products with weights and attention are kept
    Dots,
    /// Only each layer's input is kept
    Full,
}

impl Kept {
    fn policy(self) -> Remat {
        match self {
            Kept::None => Remat::none(),
            Kept::Dots => Remat::dots(&["attention"]),
            Kept::Full => Remat::full(),
        }
    }
}

fn preset_parser() -> impl TypedValueParser<Value = Preset> {
    let find = |name: String| Preset::ALL.into_iter().find(|preset| preset.name() == name).ok_or("no such preset");
    PossibleValuesParser::new(Preset::ALL.map(Preset::name)).try_map(find)
}

fn target_parser() -> impl TypedValueParser<Value = Target> {
    let find = |name: String| Target::ALL.into_iter().find(|target| target.name() == name).ok_or("no such device");
    PossibleValuesParser::new(Target::ALL.map(Target::name)).try_map(find)
}

/// What was measured, as printed.
#[derive(Debug, Serialize)]
struct Report {
    preset: &'static str,
    device: String,
    attention: String,
    tokens_per_second: f64,
    step_ms_median: f64,
    step_ms_min: f64,
    compile_seconds: f64,
    /// What the compiled step holds at once: arguments, results that are not donated, temporaries.
    program_bytes: u64,
    /// Largest use of the device's memory so far, where the platform tells.
    peak_bytes: Option<u64>,
    loss_first: f64,
    loss_last: f64,
}

/// Runs `finery bench`.
///
/// # Errors
/// No device, too little memory, or a program that the compiler refuses.
pub(crate) fn run(args: Args, progress: ProgressMode) -> anyhow::Result<()> {
    let Subcommand::Train(args) = args.command;
    let mut line = match args.target {
        Some(target) => {
            let bench = args.bench(target.hardware())?;
            serde_json::to_string(&compile_for(target, &bench, &args.device, progress)?)?
        }
        None => {
            let session = args.device.open(progress)?;
            let bench = args.bench(session.hardware()?)?;
            serde_json::to_string(&measure(&session, bench, args.steps.max(1), progress)?)?
        }
    };
    line.push('\n');
    std::io::stdout().write_all(line.as_bytes()).context("printing the result")
}

/// A step and what it is run on.
struct Bench {
    preset: &'static str,
    plan: StepPlan,
    batch: data::Batch,
    attention: AttentionChoice,
}

impl TrainArgs {
    fn bench(&self, hardware: Hardware) -> anyhow::Result<Bench> {
        let mut plan = self.preset.plan();
        plan.batch.packed = self.packed;
        let batch = random_batch(&plan);
        let documents = batch.segment_ids.iter().copied().max().unwrap_or(0) as usize;
        let attention = match self.plain_attention {
            true => AttentionChoice::plain(),
            false => AttentionChoice::new(&plan, hardware, documents),
        };
        plan.model.attention = attention.kernel;
        if let Some(kept) = self.remat {
            plan.model.remat = kept.policy();
        }
        if let Some(path) = &self.dump {
            let text = plan.train_program()?.program.text;
            std::fs::write(path, text).with_context(|| format!("writing the program to {}", path.display()))?;
        }
        Ok(Bench { preset: self.preset.name(), plan, batch, attention })
    }
}

/// What compiling for an absent device tells.
#[derive(Debug, Serialize)]
struct TargetReport {
    preset: &'static str,
    target: &'static str,
    attention: String,
    compile_seconds: f64,
    argument_bytes: u64,
    temporary_bytes: u64,
    /// Arguments, results that are not donated, temporaries and code.
    program_bytes: u64,
    device_bytes: u64,
}

fn compile_for(
    target: Target,
    bench: &Bench,
    device: &DeviceArgs,
    progress: ProgressMode,
) -> anyhow::Result<TargetReport> {
    let (plugin, toolchain) = device.compiler(target.platform(), progress)?;
    let text = bench.plan.train_program()?.program.text;
    let compiling = Task::spinner(progress, format!("compiling for {}", target.name()));
    let started = Instant::now();
    let program =
        aot::compile(&plugin, target, 1, toolchain.as_deref(), "train_step", &text, &CompileOptions::default())?;
    let compile_seconds = started.elapsed().as_secs_f64();
    compiling.finish();
    let memory = program.memory_stats()?;
    Ok(TargetReport {
        preset: bench.preset,
        target: target.name(),
        attention: bench.attention.to_string(),
        compile_seconds,
        argument_bytes: memory.argument,
        temporary_bytes: memory.temp,
        program_bytes: memory.total(),
        device_bytes: target.memory_bytes(),
    })
}

fn measure(session: &Session, bench: Bench, steps: u64, progress: ProgressMode) -> anyhow::Result<Report> {
    let Bench { preset, plan, batch, attention } = bench;
    let shape = plan.batch;
    let compiling = Task::spinner(progress, "compiling and drawing weights");
    let started = Instant::now();
    let mut trainer = Trainer::new(session, plan, |parameters, spec| Ok(parameters.init(spec, 0)?))?;
    let compile_seconds = started.elapsed().as_secs_f64();
    compiling.finish();
    allocator::keep_freed_memory(session.platform());
    let shown = Task::bar(progress, "steps", steps + 2, Unit::Items);
    let mut times = Vec::new();
    let mut losses = Vec::new();
    for number in 1..=steps + 2 {
        let started = Instant::now();
        losses.push(trainer.step(&batch, number, 1e-4, 0)?.loss);
        times.push(started.elapsed().as_secs_f64() * 1e3);
        shown.advance(1);
    }
    shown.finish();
    let mut times = times.split_off(2);
    times.sort_by(f64::total_cmp);
    let median = times[times.len() / 2];
    let memory = trainer.executable().program().memory_stats()?;
    let device = &session.devices()[0];
    Ok(Report {
        preset,
        device: device.kind()?,
        attention: attention.to_string(),
        tokens_per_second: shape.tokens() as f64 / median * 1e3,
        step_ms_median: median,
        step_ms_min: times[0],
        compile_seconds,
        program_bytes: memory.total(),
        peak_bytes: device.memory_stats()?.and_then(|stats| stats.peak_bytes_in_use),
        loss_first: losses[0],
        loss_last: losses[losses.len() - 1],
    })
}

/// Token ids that look random, every position of a document a target.
fn random_batch(plan: &StepPlan) -> data::Batch {
    let shape = plan.batch;
    let vocab = plan.model.config.vocab_size as u64;
    let token = |i: usize| (spread(i as u64) % vocab) as i32;
    let rows = shape.accumulation * shape.rows;
    let places = (0..rows).flat_map(|row| match shape.packed {
        true => packed_row(row, shape.positions),
        false => (0..shape.positions).map(|position| (1, position as i32)).collect(),
    });
    let (segment_ids, positions): (Vec<i32>, Vec<i32>) = places.unzip();
    data::Batch {
        rows,
        sequence_len: shape.positions,
        tokens: (0..shape.tokens()).map(token).collect(),
        targets: (0..shape.tokens()).map(|i| token(i + 1)).collect(),
        loss_mask: segment_ids.iter().map(|segment| if *segment == 0 { 0.0 } else { 1.0 }).collect(),
        positions,
        segment_ids,
    }
}

/// The document and the position in it of each token of a packed row. Documents have 64 to 831 tokens, 448 on average, but for the
/// last of a row, which is cut off; where fewer than 64 are left for it, there is padding.
fn packed_row(row: usize, length: usize) -> Vec<(i32, i32)> {
    const SHORTEST: usize = 64;
    let mut places: Vec<(i32, i32)> = Vec::with_capacity(length);
    for document in 1.. {
        let left = length - places.len();
        if left < SHORTEST {
            break;
        }
        let drawn = SHORTEST + (spread((row << 16) as u64 + document as u64) % 768) as usize;
        places.extend((0..drawn.min(left) as i32).map(|position| (document, position)));
    }
    places.resize(length, (0, 0));
    places
}

/// A number that looks random: the upper half of a linear congruential generator's step.
fn spread(number: u64) -> u64 {
    number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1) >> 33
}
