//! How fast a training step runs.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use ::train::config::{ComputeDtype, GradientCheckpointing, KernelChoice};
use ::train::{AttentionChoice, ModelFlops, Preset, StepPlan, Trainer, random_batch, record_steps};
use anyhow::ensure;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use graph::DType;
use mesh::{MeshSizes, ReduceDtype, Rules};
use models::LossChunk;
use runtime::{Hardware, Session};
use serde::Serialize;

use super::rates::{Ceilings, Times};
use super::{Shared, compile_for, dump, gigabytes, lines, shown};
use crate::commands::profile;
use crate::progress::{ProgressMode, Task, Unit};
use crate::{allocator, processes};

#[derive(Clone, Debug, clap::Args)]
pub(super) struct Args {
    /// The model and batch
    #[arg(long, value_parser = preset_parser())]
    preset: Preset,
    /// Steps that are timed, after those of the warm-up
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    steps: u64,
    /// Steps before them that are not timed. A GPU that was idle is faster at first than it stays
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    warmup: u64,
    /// Compare the first steps' losses with those of the same model in plain ops before anything is timed. It is compiled, too
    #[arg(long, conflicts_with = "target")]
    check: bool,
    /// Rows of a step in place of the preset's
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=65536))]
    rows: Option<u32>,
    /// Tokens of a row in place of the preset's
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    positions: Option<u32>,
    /// Rows of several documents, of random lengths, as `sample_packing` makes them
    #[arg(long)]
    packed: bool,
    /// Which kernels compute attention, state spaces and experts, as `kernels` says it: auto, finery or none
    #[arg(long, value_name = "WHICH", default_value = "auto")]
    kernels: KernelChoice,
    /// What the backward pass keeps of each layer, as `gradient_checkpointing` says it: auto, none, dots or full
    #[arg(long, value_name = "HOW", default_value = "auto")]
    remat: GradientCheckpointing,
    /// In what is computed, as `dtype` says it; auto: as the preset has it
    #[arg(long, value_name = "TYPE", default_value = "auto")]
    dtype: ComputeDtype,
    /// Tokens of a device whose logits exist at once, as `loss_chunk_tokens` says it; not given: auto
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u32).range(1..))]
    loss_chunk_tokens: Option<u32>,
    /// Wait for each step before the next one is begun, which no training run does: what is saved by not waiting
    #[arg(long)]
    wait: bool,
    /// Devices to spread the step over, such as fsdp=2: its batch stays as the preset has it
    #[arg(long, value_name = "AXIS=SIZE,…")]
    mesh: Option<MeshSizes>,
    /// Devices add up their gradients in bf16, as `mesh.reduce_dtype: bf16` says it
    #[arg(long)]
    reduce_bf16: bool,
    /// After the timed steps, record three more and write into this folder where their time goes, as `finery profile` does
    #[arg(long, value_name = "FOLDER", conflicts_with = "target")]
    profile: Option<PathBuf>,
    #[command(flatten)]
    shared: Shared,
}

fn preset_parser() -> impl TypedValueParser<Value = Preset> {
    let find = |name: String| Preset::ALL.into_iter().find(|preset| preset.name() == name).ok_or("no such preset");
    PossibleValuesParser::new(Preset::ALL.map(Preset::name)).try_map(find)
}

/// What was measured, as printed.
#[derive(Debug, Serialize)]
struct Report {
    preset: &'static str,
    device: String,
    attention: String,
    tokens_per_second: f64,
    step_ms: Times,
    /// What the mathematics of a step asks for, with the causal half of attention.
    tflop_per_s: f64,
    /// What this device reaches in this run, before the steps; of several processes nobody measures.
    #[serde(flatten)]
    ceilings: Option<Ceilings>,
    /// How far losses are off those in plain ops, as a part of them, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    off_by: Option<f64>,
    compile_seconds: f64,
    /// What the compiled step holds at once: arguments, results that are not donated, temporaries.
    program_bytes: u64,
    /// Largest use of the device's memory so far, where the platform tells.
    peak_bytes: Option<u64>,
    loss_first: f64,
    loss_last: f64,
}

/// The measurement as text; of several processes that of the first, and nothing of the others.
pub(super) fn run(args: &Args, json: bool, progress: ProgressMode) -> anyhow::Result<String> {
    let Shared { target, device, dump: path, .. } = &args.shared;
    let sizes = args.mesh.unwrap_or_default();
    if let Some(target) = *target {
        let hardware = target.description().hardware();
        let Bench { preset, plan, attention, .. } = args.bench(hardware, sizes.given())?;
        let program = plan.train_program()?.program;
        dump(&program, path.as_deref())?;
        let attention = Some(attention.to_string());
        return shown(&compile_for(target, preset, attention, &program, device, progress)?, json);
    }
    // A signal ends this process at once.
    let is_stopped = || false;
    processes::take_part(format!("{args:#?}"), is_stopped, |group| {
        let is_alone = group.is_none();
        let session = device.open_with(progress, sizes.given(), group)?;
        let bench = args.bench(session.hardware()?, session.device_count())?;
        session.places(bench.plan.device_count())?;
        let ceilings = if is_alone { Some(Ceilings::of(&session)?) } else { None };
        let plain = if args.check { Some(plain_losses(&session, &bench, progress)?) } else { None };
        let report = measure(&session, bench, args, (ceilings, plain.as_deref()), progress)?;
        if processes::is_follower() { Ok(String::new()) } else { shown(&report, json) }
    })
}

/// A step and what it is run on.
struct Bench {
    preset: &'static str,
    plan: StepPlan,
    batch: data::Batch,
    attention: AttentionChoice,
}

impl Args {
    /// What is run where so many devices are.
    fn bench(&self, hardware: Hardware, devices: usize) -> anyhow::Result<Bench> {
        let mut plan = self.preset.plan();
        if self.dtype != ComputeDtype::Auto {
            plan = plan.computed_in(self.dtype, hardware)?;
        }
        if let Some(tokens) = self.loss_chunk_tokens {
            plan.loss.chunk = LossChunk::Tokens(tokens as usize);
        }
        if let Some(rows) = self.rows {
            plan.batch.rows = rows as usize;
        }
        if let Some(positions) = self.positions {
            plan.batch.positions = positions as usize;
        }
        let shape = self.mesh.unwrap_or_default().on(devices)?;
        shape.check_rows(plan.batch.rows)?;
        let reduce_dtype = if self.reduce_bf16 { ReduceDtype::Bf16 } else { ReduceDtype::F32 };
        let exchanges_in_order = runtime::keeps_exchanges_in_order(hardware.platform);
        let rules = Rules { reduce_dtype, exchanges_in_order, ..Rules::default() };
        plan.partition = rules.partition(shape, plan.optimizer.slots());
        plan.batch.packed = self.packed;
        plan.layers = self.shared.scan_layers.layers(hardware.platform, plan.model.sizes().num_hidden_layers);
        let batch = random_batch(&plan);
        let documents = batch.segment_ids.iter().copied().max().unwrap_or(0) as usize;
        let attention = plan.choose_kernels(self.kernels, self.remat, hardware, documents);
        Ok(Bench { preset: self.preset.name(), plan, batch, attention })
    }
}

/// Steps whose losses are compared: the second and the third show what updates did.
const CHECKED: usize = 3;

/// The first steps' losses in plain ops.
fn plain_losses(session: &Session, bench: &Bench, progress: ProgressMode) -> anyhow::Result<Vec<f64>> {
    let checking = Task::spinner(progress, "running the step in plain ops");
    let mut plan = bench.plan.clone();
    plan.choose_kernels(KernelChoice::None, GradientCheckpointing::Full, session.hardware()?, 0);
    plan.loss.chunk = LossChunk::Tokens(usize::MAX);
    let mut trainer = Trainer::new(session, plan, |parameters, _, array| Ok(parameters.init(array, 0)?))?;
    let losses = (1..=CHECKED as u64).map(|number| Ok(trainer.step(&bench.batch, number, LEARNING_RATE, 0)?.loss));
    let losses = losses.collect::<anyhow::Result<_>>()?;
    checking.finish();
    Ok(losses)
}

/// How far losses may be off, as a part of them: bf16 is precise to 2^-8, and what updates make of that is more.
fn tolerance(compute: DType) -> f64 {
    match compute {
        DType::F32 | DType::F64 => 1e-4,
        _ => 1.0 / 128.0,
    }
}

/// With which steps are made.
const LEARNING_RATE: f64 = 1e-4;

fn measure(
    session: &Session,
    bench: Bench,
    args: &Args,
    (ceilings, plain): (Option<Ceilings>, Option<&[f64]>),
    progress: ProgressMode,
) -> anyhow::Result<Report> {
    let Bench { preset, plan, batch, attention } = bench;
    let (shape, compute, flops) = (plan.batch, plan.compute, ModelFlops::of(&plan)?);
    let (steps, warmup) = (args.steps, args.warmup.max(if plain.is_some() { CHECKED as u64 } else { 1 }));
    let compiling = Task::spinner(progress, "compiling and drawing weights");
    let started = Instant::now();
    let mut trainer = Trainer::new(session, plan, |parameters, _, array| Ok(parameters.init(array, 0)?))?;
    let compile_seconds = started.elapsed().as_secs_f64();
    compiling.finish();
    let path = args.shared.dump.as_deref().filter(|_| !processes::is_follower());
    dump(&trainer.program().program, path)?;
    allocator::keep_freed_memory(session.platform());
    let bar = Task::bar(progress, "steps", steps + warmup, Unit::Items);
    let mut times = Vec::new();
    let mut losses = Vec::new();
    // As in a training run, a step's outcome is read while the next one runs.
    let mut pending = None;
    let mut started = Instant::now();
    for number in 1..=steps + warmup + u64::from(!args.wait) {
        let next = trainer.launch(&batch, number, LEARNING_RATE, 0)?;
        let before = if args.wait { Some(next) } else { pending.replace(next) };
        let Some(before) = before else { continue };
        losses.push(before.wait()?.loss);
        times.push(started.elapsed().as_secs_f64() * 1e3);
        started = Instant::now();
        bar.advance(1);
        if let Some(plain) = plain.filter(|plain| plain.len() == losses.len()) {
            check(&losses, plain, compute)?;
        }
    }
    if let Some(last) = pending {
        last.wait()?;
    }
    bar.finish();
    if let Some(folder) = &args.profile {
        record(session, &mut trainer, &batch, steps + warmup + 1, folder)?;
    }
    let step_ms = Times::of(times.split_off(warmup as usize));
    let tokens_per_second = shape.tokens() as f64 / step_ms.median * 1e3;
    let memory = trainer.executable().program().memory_stats()?;
    let device = &session.devices()[0];
    Ok(Report {
        preset,
        device: device.kind()?,
        attention: attention.to_string(),
        tokens_per_second,
        step_ms,
        tflop_per_s: flops.causal() * tokens_per_second / 1e12,
        ceilings,
        off_by: plain.map(|plain| farthest(&losses, plain)),
        compile_seconds,
        program_bytes: memory.total(),
        peak_bytes: device.memory_stats()?.and_then(|stats| stats.peak_bytes_in_use),
        loss_first: losses[0],
        loss_last: losses[losses.len() - 1],
    })
}

/// How far the loss that is farthest off is off.
fn farthest(losses: &[f64], plain: &[f64]) -> f64 {
    let off = losses.iter().zip(plain).map(|(loss, plain)| (loss / plain - 1.0).abs());
    off.max_by(f64::total_cmp).unwrap_or(0.0)
}

fn check(losses: &[f64], plain: &[f64], compute: DType) -> anyhow::Result<()> {
    let (off_by, most) = (farthest(losses, plain), tolerance(compute));
    ensure!(
        losses.iter().chain(plain).all(|loss| loss.is_finite()) && off_by <= most,
        "the first steps' losses are {losses:?}, and in plain ops {plain:?}: off by {off_by:.1e}, which may be {most:.1e}"
    );
    Ok(())
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Times { median, min, max } = self.step_ms;
        let mut rows = vec![
            ("step", format!("{} on {}", self.preset, self.device)),
            ("attention", self.attention.clone()),
            ("tokens/s", format!("{:.0}", self.tokens_per_second)),
            ("ms a step", format!("{median:.1}, from {min:.1} to {max:.1}")),
        ];
        let reached = format!("{:.2}", self.tflop_per_s);
        rows.push(match self.ceilings {
            Some(Ceilings { product_tflop_per_s: most, .. }) => (
                "TFLOP/s",
                format!(
                    "{reached}, {:.0} % of the {most:.2} that a product does in this run",
                    1e2 * self.tflop_per_s / most
                ),
            ),
            None => ("TFLOP/s", reached),
        });
        let peak = self.peak_bytes.map(|bytes| format!(", {} at most on the device", gigabytes(bytes)));
        rows.push(("memory", format!("{}{}", gigabytes(self.program_bytes), peak.unwrap_or_default())));
        rows.push(("compiled in", format!("{:.1} s", self.compile_seconds)));
        let checked =
            self.off_by.map(|off_by| format!(", off the plain ops' by {off_by:.1e} at most in the first steps"));
        let (first, last) = (self.loss_first, self.loss_last);
        rows.push(("loss", format!("{first:.4} to {last:.4}{}", checked.unwrap_or_default())));
        lines(f, &rows)
    }
}

/// Records three steps after those that were taken, and writes where their time goes.
fn record<'s>(
    session: &'s Session,
    trainer: &mut Trainer<'s>,
    batch: &data::Batch,
    taken: u64,
    folder: &Path,
) -> anyhow::Result<()> {
    let recorded = record_steps(session, trainer, (1, 3), |trainer: &mut Trainer<'s>, number| {
        trainer.launch(batch, taken + number, LEARNING_RATE, 0)
    })?;
    let profile = profile::profile_of(recorded, session)?;
    if processes::is_follower() { Ok(()) } else { profile::write(&profile, folder) }
}
