//! How fast a training step runs.

use std::path::{Path, PathBuf};
use std::time::Instant;

use ::train::config::{ComputeDtype, GradientCheckpointing};
use ::train::{AttentionChoice, Preset, StepPlan, Trainer, random_batch, record_steps};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use mesh::{MeshSizes, ReduceDtype, Rules};
use runtime::{Hardware, Session};
use serde::Serialize;

use super::{Shared, compile_for, dump};
use crate::commands::profile;
use crate::progress::{ProgressMode, Task, Unit};
use crate::{allocator, processes};

#[derive(Clone, Debug, clap::Args)]
pub(super) struct Args {
    /// The model and batch
    #[arg(long, value_parser = preset_parser())]
    preset: Preset,
    /// Steps that are timed, after two that are not
    #[arg(long, default_value_t = 20)]
    steps: u64,
    /// Rows of a step in place of the preset's
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=65536))]
    rows: Option<u32>,
    /// Rows of several documents, of random lengths, as `sample_packing` makes them
    #[arg(long)]
    packed: bool,
    /// Attention in plain ops even where the platform has a fused kernel
    #[arg(long)]
    plain_attention: bool,
    /// State spaces in plain ops even where the device runs our kernels
    #[arg(long)]
    plain_scan: bool,
    /// What the backward pass keeps of each layer, as `gradient_checkpointing` says it: auto, none, dots or full
    #[arg(long, value_name = "HOW", default_value = "auto")]
    remat: GradientCheckpointing,
    /// In what is computed, as `dtype` says it; auto: as the preset has it
    #[arg(long, value_name = "TYPE", default_value = "auto")]
    dtype: ComputeDtype,
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

/// The measurement as a line of JSON; of several processes that of the first, and nothing of the others.
pub(super) fn run(args: &Args, progress: ProgressMode) -> anyhow::Result<String> {
    let Shared { target, device, dump: path, .. } = &args.shared;
    let sizes = args.mesh.unwrap_or_default();
    if let Some(target) = *target {
        let hardware = target.description().hardware();
        let Bench { preset, plan, attention, .. } = args.bench(hardware, sizes.given())?;
        let program = plan.train_program()?.program;
        dump(&program, path.as_deref())?;
        let attention = Some(attention.to_string());
        return Ok(serde_json::to_string(&compile_for(target, preset, attention, &program, device, progress)?)?);
    }
    // A signal ends this process at once.
    let is_stopped = || false;
    processes::take_part(format!("{args:#?}"), is_stopped, |group| {
        let session = device.open_with(progress, sizes.given(), group)?;
        let bench = args.bench(session.hardware()?, session.device_count())?;
        session.places(bench.plan.device_count())?;
        let report = measure(&session, bench, args, progress)?;
        Ok(if processes::is_follower() { String::new() } else { serde_json::to_string(&report)? })
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
        if let Some(rows) = self.rows {
            plan.batch.rows = rows as usize;
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
        let attention = match self.plain_attention {
            true => AttentionChoice::plain(),
            false => AttentionChoice::new(&plan, hardware, documents),
        };
        plan.model.attention = attention.kernels;
        plan.model.state_space = ::train::gpu(hardware).filter(|_| !self.plain_scan);
        plan.model.remat = self.remat.remat(plan.trained, attention.kernels);
        Ok(Bench { preset: self.preset.name(), plan, batch, attention })
    }
}

fn measure(session: &Session, bench: Bench, args: &Args, progress: ProgressMode) -> anyhow::Result<Report> {
    let Bench { preset, plan, batch, attention } = bench;
    let (shape, steps) = (plan.batch, args.steps.max(1));
    let compiling = Task::spinner(progress, "compiling and drawing weights");
    let started = Instant::now();
    let mut trainer = Trainer::new(session, plan, |parameters, _, array| Ok(parameters.init(array, 0)?))?;
    let compile_seconds = started.elapsed().as_secs_f64();
    compiling.finish();
    let path = args.shared.dump.as_deref().filter(|_| !processes::is_follower());
    dump(&trainer.program().program, path)?;
    allocator::keep_freed_memory(session.platform());
    let shown = Task::bar(progress, "steps", steps + 2, Unit::Items);
    let mut times = Vec::new();
    let mut losses = Vec::new();
    // As in a training run, a step's outcome is read while the next one runs.
    let mut pending = None;
    let mut started = Instant::now();
    for number in 1..=steps + if args.wait { 2 } else { 3 } {
        let next = trainer.launch(&batch, number, 1e-4, 0)?;
        let before = if args.wait { Some(next) } else { pending.replace(next) };
        let Some(before) = before else { continue };
        losses.push(before.wait()?.loss);
        times.push(started.elapsed().as_secs_f64() * 1e3);
        started = Instant::now();
        shown.advance(1);
    }
    if let Some(last) = pending {
        last.wait()?;
    }
    shown.finish();
    if let Some(folder) = &args.profile {
        record(session, &mut trainer, &batch, steps + 3, folder)?;
    }
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

/// Records three steps after those that were taken, and writes where their time goes.
fn record<'s>(
    session: &'s Session,
    trainer: &mut Trainer<'s>,
    batch: &data::Batch,
    taken: u64,
    folder: &Path,
) -> anyhow::Result<()> {
    let recorded = record_steps(session, trainer, (1, 3), |trainer: &mut Trainer<'s>, number| {
        trainer.launch(batch, taken + number, 1e-4, 0)
    })?;
    let profile = profile::profile_of(recorded, session)?;
    if processes::is_follower() { Ok(()) } else { profile::write(&profile, folder) }
}
