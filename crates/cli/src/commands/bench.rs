//! `finery bench`: how fast a training step runs here, and how much memory it takes.

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use graph::Remat;
use models::AttentionKernel;
use runtime::aot::{self, Target};
use runtime::plugins::Platform;
use runtime::{CompileOptions, Session};
use serde::Serialize;
use train::{Preset, StepPlan, Trainer};

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
            let plan = args.plan(target.platform())?;
            serde_json::to_string(&compile_for(target, args.preset, &plan, &args.device, progress)?)?
        }
        None => {
            let session = args.device.open(progress)?;
            let plan = args.plan(session.platform())?;
            serde_json::to_string(&measure(&session, args.preset, plan, args.steps.max(1), progress)?)?
        }
    };
    line.push('\n');
    std::io::stdout().write_all(line.as_bytes()).context("printing the result")
}

impl TrainArgs {
    fn plan(&self, platform: Platform) -> anyhow::Result<StepPlan> {
        let fused = platform == Platform::Cuda && !self.plain_attention;
        let mut plan = self.preset.plan(if fused { AttentionKernel::CudnnCausal } else { AttentionKernel::Plain });
        if let Some(kept) = self.remat {
            plan.model.remat = kept.policy();
        }
        if let Some(path) = &self.dump {
            let text = plan.train_program()?.program.text;
            std::fs::write(path, text).with_context(|| format!("writing the program to {}", path.display()))?;
        }
        Ok(plan)
    }
}

/// What compiling for an absent device tells.
#[derive(Debug, Serialize)]
struct TargetReport {
    preset: &'static str,
    target: &'static str,
    compile_seconds: f64,
    argument_bytes: u64,
    temporary_bytes: u64,
    /// Arguments, results that are not donated, temporaries and code.
    program_bytes: u64,
    device_bytes: u64,
}

fn compile_for(
    target: Target,
    preset: Preset,
    plan: &StepPlan,
    device: &DeviceArgs,
    progress: ProgressMode,
) -> anyhow::Result<TargetReport> {
    let (plugin, toolchain) = device.compiler(target.platform(), progress)?;
    let text = plan.train_program()?.program.text;
    let compiling = Task::spinner(progress, format!("compiling for {}", target.name()));
    let started = Instant::now();
    let program =
        aot::compile(&plugin, target, 1, toolchain.as_deref(), "train_step", &text, &CompileOptions::default())?;
    let compile_seconds = started.elapsed().as_secs_f64();
    compiling.finish();
    let memory = program.memory_stats()?;
    Ok(TargetReport {
        preset: preset.name(),
        target: target.name(),
        compile_seconds,
        argument_bytes: memory.argument,
        temporary_bytes: memory.temp,
        program_bytes: memory.total(),
        device_bytes: target.memory_bytes(),
    })
}

fn measure(
    session: &Session,
    preset: Preset,
    plan: StepPlan,
    steps: u64,
    progress: ProgressMode,
) -> anyhow::Result<Report> {
    let shape = plan.batch;
    let batch = random_batch(&plan);
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
        preset: preset.name(),
        device: device.kind()?,
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

/// Token ids that look random, every position a target.
fn random_batch(plan: &StepPlan) -> data::Batch {
    let shape = plan.batch;
    let vocab = plan.model.config.vocab_size as u64;
    let token = |i: usize| ((i as u64).wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1) >> 33) % vocab;
    let tokens: Vec<i32> = (0..shape.tokens()).map(|i| token(i) as i32).collect();
    let targets = (0..shape.tokens()).map(|i| token(i + 1) as i32).collect();
    data::Batch {
        rows: shape.accumulation * shape.rows,
        sequence_len: shape.positions,
        tokens,
        targets,
        loss_mask: vec![1.0; shape.tokens()],
        positions: (0..shape.tokens()).map(|i| (i % shape.positions) as i32).collect(),
        segment_ids: vec![1; shape.tokens()],
    }
}
