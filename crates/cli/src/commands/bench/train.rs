//! How fast a training step runs.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use ::train::config::{ComputeDtype, GradientCheckpointing, KernelChoice};
use ::train::{
    AttentionChoice, ModelFlops, Preset, Settings, StepOutcome, StepPlan, Trainer, random_batch, record_steps,
};
use anyhow::{Context as _, ensure};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use graph::DType;
use mesh::{MeshSizes, ReduceDtype, Rules};
use models::LossChunk;
use runtime::{Hardware, Parameters, Session};
use serde::Serialize;

use super::rates::{Ceilings, Times};
use super::{Shared, compile_for, dump, gigabytes, lines, show};
use crate::commands::profile;
use crate::progress::{ProgressMode, Task, Unit};
use crate::usage::{self, Misuse};
use crate::{allocator, processes};

#[derive(Clone, Debug, clap::Args)]
pub(super) struct Args {
    /// The model and batch
    #[arg(long, value_parser = preset_parser())]
    preset: Preset,
    /// Steps that are timed, after those of the warm-up
    #[arg(long, default_value_t = 20, value_parser = usage::whole::<u64>(1..=100_000))]
    steps: u64,
    /// Steps before them that are not timed. A GPU that was idle is faster at first than it stays
    #[arg(long, default_value_t = 2, value_parser = usage::whole::<u64>(1..=100_000))]
    warmup: u64,
    /// Before anything is timed, compare the first steps' losses and gradient norms with those of the same model in plain ops, and end where they are off. Plain
    /// ops of large presets have no room on a device: those are timed without
    #[arg(long, conflicts_with = "target")]
    check: bool,
    /// Rows of a step in place of the preset's
    #[arg(long, value_parser = usage::whole::<u32>(1..=65536))]
    rows: Option<u32>,
    /// Tokens of a row in place of the preset's
    #[arg(long, value_parser = usage::whole::<u32>(1..=1 << 20))]
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
    /// Tokens of a device whose logits exist at once, as `loss_chunk_tokens` says it: a number, or auto
    #[arg(long, value_name = "TOKENS", default_value = "auto", value_parser = loss_chunk)]
    loss_chunk_tokens: LossChunk,
    /// Wait for each step before the next one is begun, which no training run does: what is saved by not waiting
    #[arg(long)]
    wait: bool,
    /// Devices to spread the step over, such as fsdp=2: its batch stays as the preset has it
    #[arg(long, value_name = "AXIS=SIZE,…")]
    mesh: Option<MeshSizes>,
    /// Devices add up their gradients in bf16, as `mesh.reduce_dtype: bf16` says it
    #[arg(long, requires = "mesh")]
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

fn loss_chunk(text: &str) -> Result<LossChunk, &'static str> {
    match text.parse() {
        Ok(tokens) if tokens > 0 => Ok(LossChunk::Tokens(tokens)),
        _ if text == "auto" => Ok(LossChunk::Auto),
        _ => Err("it should be a whole number of at least 1, or auto"),
    }
}

/// What was measured, as printed.
#[derive(Debug, Serialize)]
struct Report {
    preset: &'static str,
    device: String,
    dtype: String,
    rows: usize,
    positions: usize,
    packed: bool,
    kernels: String,
    gradient_checkpointing: String,
    steps: u64,
    warmup: u64,
    attention: String,
    tokens_per_second: f64,
    step_ms: Times,
    /// What the mathematics of a step asks of each device, with the causal half of attention within each document and without padding.
    tflop_per_s: f64,
    /// What this device reaches in this run, before the steps; of several processes nobody measures.
    #[serde(flatten)]
    ceilings: Option<Ceilings>,
    /// Where that was asked for.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    check: Option<Check>,
    compile_seconds: f64,
    /// What drawing the weights took then.
    draw_seconds: f64,
    /// What the compiled step holds at once: arguments, results that are not donated, temporaries.
    program_bytes: u64,
    /// Largest use of the device's memory by such steps, where the platform tells.
    peak_bytes: Option<u64>,
    /// Losses and gradient norms of the first steps: what of them is compared, and can be with other runs'.
    first_steps: Vec<[f64; 2]>,
    loss_first: f64,
    loss_last: f64,
}

/// Prints the measurement; of several processes that of the first. Steps that are off are an error in its place.
pub(super) fn run(args: &Args, json: bool, progress: ProgressMode) -> anyhow::Result<()> {
    let Shared { target, device, dump: path, .. } = &args.shared;
    let sizes = args.mesh.unwrap_or_default();
    if let Some(target) = *target {
        let hardware = target.description().hardware();
        let Bench { preset, plan, attention, .. } = args.bench(hardware, sizes.given())?;
        let program = plan.train_program()?.program;
        dump(&program, path.as_deref())?;
        let attention = Some(attention.to_string());
        return show(&compile_for(target, preset, attention, &program, device, progress)?, json);
    }
    // A signal ends this process at once.
    let is_stopped = || false;
    processes::take_part(format!("{args:#?}"), is_stopped, |group| {
        let is_alone = group.is_none();
        let session = device.open_with(progress, sizes.given(), group)?;
        let bench = args.bench(session.hardware()?, session.device_count())?;
        session.places(bench.plan.device_count())?;
        let ceilings = if is_alone { Some(Ceilings::in_type(&session, bench.plan.compute, progress)?) } else { None };
        let plainly = plain_plan(&bench, session.hardware()?);
        if args.check && plainly.model.attention == bench.plan.model.attention && !bench.has_own_kernels {
            let said = "--check compares kernels with plain operations, and this step has no kernels: leave it out";
            return Err(Misuse(said.to_owned()).into());
        }
        let folder = args.profile.as_deref().filter(|_| !processes::is_follower());
        let _made = folder.map(profile::make_folder).transpose()?;
        let checked = match args.check {
            true => Some(Checked::run(&session, plainly, &bench, args.wait, progress).context("checking the step")?),
            false => None,
        };
        let (report, recorded) = measure(&session, &bench, args, ceilings, checked, progress)?;
        // What was measured is shown whatever became of the profile.
        if !processes::is_follower() {
            show(&report, json)?;
        }
        recorded.context("recording steps for the profile")?;
        Ok(())
    })
}

/// A step and what it is run on.
struct Bench {
    preset: &'static str,
    plan: StepPlan,
    batch: data::Batch,
    attention: AttentionChoice,
    /// Whether its tokens are sent to experts.
    is_mixture: bool,
    /// Whether kernels compute its state spaces or its experts.
    has_own_kernels: bool,
}

impl Bench {
    /// FLOPs of a step on its batch.
    fn flops(&self) -> anyhow::Result<f64> {
        let tokens = self.batch.segment_ids.iter().filter(|document| **document != 0).count();
        Ok(ModelFlops::of_batch(&self.plan, &self.batch)?.causal() * tokens as f64)
    }
}

impl Args {
    /// What is run where so many devices are.
    fn bench(&self, hardware: Hardware, devices: usize) -> anyhow::Result<Bench> {
        let mut plan = self.preset.plan();
        if self.dtype != ComputeDtype::Auto {
            plan = plan.computed_in(self.dtype, hardware)?;
        }
        plan.loss.chunk = self.loss_chunk_tokens;
        if let Some(rows) = self.rows {
            plan.batch.rows = rows as usize;
        }
        if let Some(positions) = self.positions {
            plan.batch.positions = positions as usize;
        }
        let shape = self.mesh.unwrap_or_default().on(devices)?;
        let (rows, parts) = (plan.batch.rows, shape.row_parts());
        if !rows.is_multiple_of(parts) {
            let said = format!(
                "--mesh: the step's {rows} rows cannot be split over {parts} devices; set --rows to a multiple of {parts}"
            );
            return Err(Misuse(said).into());
        }
        let reduce_dtype = if self.reduce_bf16 { ReduceDtype::Bf16 } else { ReduceDtype::F32 };
        let exchanges_in_order = runtime::keeps_exchanges_in_order(hardware.platform);
        let rules = Rules { reduce_dtype, exchanges_in_order, ..Rules::default() };
        plan.partition = rules.partition(shape, plan.optimizer.slots());
        plan.batch.packed = self.packed;
        plan.layers = self.shared.scan_layers.layers(hardware.platform, plan.model.sizes().num_hidden_layers);
        // All steps take the same one.
        ::train::check_host_memory(&plan, 1, "lower --rows or --positions")?;
        let batch = random_batch(&plan);
        if batch.loss_mask.iter().all(|weight| *weight == 0.0) {
            let positions = plan.batch.positions;
            let said = format!(
                "--packed: no document fits into a row of {positions} tokens, since the shortest have 64; set --positions to 64 or more"
            );
            return Err(Misuse(said).into());
        }
        let documents = batch.segment_ids.iter().copied().max().unwrap_or(0) as usize;
        let chosen = plan.choose_kernels(self.kernels, self.remat, hardware, documents);
        let (attention, is_mixture) = (chosen.attention, chosen.experts.is_some());
        let has_own_kernels = [chosen.state_spaces, chosen.experts].into_iter().flatten().any(|own| own.are_kernels());
        Ok(Bench { preset: self.preset.name(), plan, batch, attention, is_mixture, has_own_kernels })
    }
}

/// Steps that are compared: the second and the third show what updates did.
const CHECKED: usize = 3;

/// The first steps by kernels and in plain operations: losses and gradient norms.
#[derive(Debug, Serialize)]
struct Check {
    kernel_steps: Vec<[f64; 2]>,
    plain_steps: Vec<[f64; 2]>,
}

/// What is known of steps before any is timed.
struct Checked {
    check: Check,
    /// Of the step that was compared, which is in the cache of programs afterwards.
    begun: Begun,
    /// The most that steps took of the device's memory before those in plain operations, which may take more.
    peak_bytes: Option<u64>,
}

impl Checked {
    /// Takes the first steps, and compares them with those in plain operations.
    ///
    /// # Errors
    /// A step cannot be taken, or they are off.
    fn run(
        session: &Session,
        plainly: StepPlan,
        bench: &Bench,
        waits: bool,
        progress: ProgressMode,
    ) -> anyhow::Result<Checked> {
        let (mut trainer, begun) = begin(session, bench, progress)?;
        let (_, first) = take_steps(&mut trainer, &bench.batch, CHECKED as u64, waits, progress)?;
        let peak_bytes = peak_bytes(session)?;
        // Plain operations get its memory.
        drop(trainer);
        let check = Check::run(session, plainly, bench, &first, progress)?;
        check.judge(tolerance(bench.plan.compute))?;
        Ok(Checked { check, begun, peak_bytes })
    }
}

/// Largest use of the first device's memory so far.
fn peak_bytes(session: &Session) -> anyhow::Result<Option<u64>> {
    Ok(session.devices()[0].memory_stats()?.and_then(|stats| stats.peak_bytes_in_use))
}

/// Seconds until a trainer is there.
#[derive(Clone, Copy, Debug)]
struct Begun {
    compile_seconds: f64,
    draw_seconds: f64,
}

/// What makes a step smaller has other names here than in a configuration.
fn in_words_of_options(error: ::train::Error) -> ::train::Error {
    match error {
        ::train::Error::TooLarge(too_large) => too_large.advising(Settings::Options).into(),
        other => other,
    }
}

/// A trainer of random weights.
fn begin<'s>(session: &'s Session, bench: &Bench, progress: ProgressMode) -> anyhow::Result<(Trainer<'s>, Begun)> {
    let compiling = Task::spinner(progress, "compiling and drawing weights");
    let started = Instant::now();
    // The step is compiled before any weight is asked for.
    let mut compiled = None;
    let init = |parameters: &mut Parameters<'_>, _: &_, array: &_| {
        compiled.get_or_insert_with(Instant::now);
        Ok(parameters.init(array, 0)?)
    };
    let trainer = Trainer::new(session, bench.plan.clone(), init).map_err(in_words_of_options)?;
    let (compiled, drawn) = (compiled.unwrap_or(started), Instant::now());
    compiling.finish();
    let [compile_seconds, draw_seconds] = [compiled - started, drawn - compiled].map(|took| took.as_secs_f64());
    Ok((trainer, Begun { compile_seconds, draw_seconds }))
}

impl Check {
    /// Compares the steps that were taken, `first`, with as many in plain operations.
    ///
    /// Where tokens are sent to experts each step is compared from the same weights, those that kernels' updates led to: routers of random weights choose
    /// between what is nearly equal, roundings send tokens to other experts, and AdamW's first updates make much of it, so that two runs in bf16 are no longer
    /// the same behind one but for roundings.
    fn run(
        session: &Session,
        plainly: StepPlan,
        bench: &Bench,
        first: &[[f64; 2]],
        progress: ProgressMode,
    ) -> anyhow::Result<Check> {
        let checking = Task::spinner(progress, "running the step in plain ops");
        let numbers = 1..=CHECKED as u64;
        let init = |parameters: &mut Parameters<'_>, _: &_, array: &_| Ok(parameters.init(array, 0)?);
        let check = if bench.is_mixture {
            let mut trainer = Trainer::new(session, bench.plan.clone(), init).map_err(in_words_of_options)?;
            let plain = trainer.other_way(plainly).map_err(in_words_of_options)?;
            let (mut plain_steps, mut kernel_steps) = (Vec::new(), Vec::new());
            for number in numbers {
                plain_steps.push(told(&trainer.find(&plain, &bench.batch, number, 0)?));
                kernel_steps.push(told(&trainer.step(&bench.batch, number, LEARNING_RATE, 0)?));
            }
            Check { kernel_steps, plain_steps }
        } else {
            let mut trainer = Trainer::new(session, plainly, init).map_err(in_words_of_options)?;
            let steps = numbers.map(|number| Ok(told(&trainer.step(&bench.batch, number, LEARNING_RATE, 0)?)));
            Check { kernel_steps: first.to_vec(), plain_steps: steps.collect::<anyhow::Result<_>>()? }
        };
        checking.finish();
        Ok(check)
    }

    /// How far the loss and the norm are off plain operations' that are farthest off, as parts of them.
    fn off_by(&self) -> [f64; 2] {
        farthest(&self.kernel_steps, &self.plain_steps)
    }

    /// What kernels find must be as in plain operations.
    fn judge(&self, most: [f64; 2]) -> anyhow::Result<()> {
        let Check { kernel_steps, plain_steps } = self;
        let off_by = self.off_by();
        ensure!(
            !is_off(off_by, most),
            "the first steps' losses and gradient norms are {kernel_steps:?}, and in plain ops {plain_steps:?}: off by {off_by:?}, which may be {most:?}"
        );
        Ok(())
    }
}

/// The loss and the gradient's norm.
fn told(outcome: &StepOutcome) -> [f64; 2] {
    [outcome.loss, outcome.grad_norm]
}

/// The same step in plain ops.
fn plain_plan(bench: &Bench, hardware: Hardware) -> StepPlan {
    let mut plan = bench.plan.clone();
    plan.choose_kernels(KernelChoice::None, GradientCheckpointing::Full, hardware, 0);
    plan.loss.chunk = LossChunk::Tokens(usize::MAX);
    plan
}

/// How far losses and gradient norms may be off, as parts of them. In bf16, which is precise to 2^-8, a loss is a mean over thousands of tokens, and
/// the norm is what a layer that is computed wrongly shows in.
fn tolerance(compute: DType) -> [f64; 2] {
    match compute {
        DType::F32 | DType::F64 => [1e-4, 1e-3],
        _ => [1e-3, 1e-2],
    }
}

/// NaN is off.
fn is_off(off_by: [f64; 2], most: [f64; 2]) -> bool {
    !(off_by[0] <= most[0] && off_by[1] <= most[1])
}

/// With which steps are made: so low that a few of them leave most of the loss, of which a part is what may be off. One batch again and again is soon known by heart
/// (with 1e-4 a Mamba's loss is 0.2 behind two updates), and roundings of scores move a small loss as far as a large one.
const LEARNING_RATE: f64 = 1e-5;

/// The measurement, and what became of the profile that was asked for.
fn measure(
    session: &Session,
    bench: &Bench,
    args: &Args,
    ceilings: Option<Ceilings>,
    checked: Option<Checked>,
    progress: ProgressMode,
) -> anyhow::Result<(Report, anyhow::Result<()>)> {
    let Bench { preset, plan, batch, attention, .. } = bench;
    let (shape, steps, warmup) = (plan.batch, args.steps, args.warmup);
    let (mut trainer, begun) = begin(session, bench, progress)?;
    let begun = checked.as_ref().map_or(begun, |checked| checked.begun);
    let path = args.shared.dump.as_deref().filter(|_| !processes::is_follower());
    dump(&trainer.program().program, path)?;
    allocator::keep_freed_memory(session.platform());
    let (mut times, mut outcomes) = take_steps(&mut trainer, batch, steps + warmup, args.wait, progress)?;
    let recorded = match &args.profile {
        Some(folder) => record(session, &mut trainer, batch, steps + warmup + 1, folder, progress),
        None => Ok(()),
    };
    let step_ms = Times::of(times.split_off(warmup as usize));
    let tokens_per_second = shape.tokens() as f64 / step_ms.median * 1e3;
    let memory = trainer.executable().program().memory_stats()?;
    let loss_last = outcomes[outcomes.len() - 1][0];
    outcomes.truncate(CHECKED);
    let loss_first = outcomes[0][0];
    let report = Report {
        preset,
        device: session.devices()[0].kind()?,
        dtype: if plan.products.is_some() { ComputeDtype::Fp8.to_string() } else { plan.compute.to_string() },
        rows: shape.rows,
        positions: shape.positions,
        packed: shape.packed,
        kernels: args.kernels.to_string(),
        gradient_checkpointing: args.remat.to_string(),
        steps,
        warmup,
        attention: attention.to_string(),
        tokens_per_second,
        step_ms,
        tflop_per_s: bench.flops()? / plan.device_count() as f64 / step_ms.median / 1e9,
        ceilings,
        compile_seconds: begun.compile_seconds,
        draw_seconds: begun.draw_seconds,
        program_bytes: memory.total(),
        peak_bytes: match &checked {
            Some(checked) => checked.peak_bytes,
            None => peak_bytes(session)?,
        },
        check: checked.map(|checked| checked.check),
        loss_first,
        loss_last,
        first_steps: outcomes,
    };
    Ok((report, recorded))
}

/// Milliseconds of each of a new trainer's first steps, and its loss and gradient norm; where it does not wait for one before the next, another one is begun
/// behind the last.
fn take_steps(
    trainer: &mut Trainer<'_>,
    batch: &data::Batch,
    all: u64,
    waits: bool,
    progress: ProgressMode,
) -> anyhow::Result<(Vec<f64>, Vec<[f64; 2]>)> {
    let bar = Task::bar(progress, "steps", all, Unit::Items);
    let (mut times, mut outcomes) = (Vec::new(), Vec::new());
    // As in a training run, a step's outcome is read while the next one runs.
    let mut pending = None;
    let mut started = Instant::now();
    for number in 1..=all + u64::from(!waits) {
        let next = trainer.launch(batch, number, LEARNING_RATE, 0)?;
        let before = if waits { Some(next) } else { pending.replace(next) };
        let Some(before) = before else { continue };
        let outcome = before.wait()?;
        outcomes.push(told(&outcome));
        times.push(started.elapsed().as_secs_f64() * 1e3);
        started = Instant::now();
        bar.advance(1);
    }
    if let Some(last) = pending {
        last.wait()?;
    }
    bar.finish();
    Ok((times, outcomes))
}

/// How far the loss and the norm are off that are farthest off.
fn farthest(found: &[[f64; 2]], plain: &[[f64; 2]]) -> [f64; 2] {
    [0, 1].map(|which: usize| {
        let off = found.iter().zip(plain).map(|(found, plain)| (found[which] / plain[which] - 1.0).abs());
        off.max_by(f64::total_cmp).unwrap_or(f64::NAN)
    })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Times { median, min, max } = self.step_ms;
        let mut rows = vec![
            ("step", format!("{} on {}", self.preset, self.device)),
            ("settings", {
                let Report { rows, positions, dtype, kernels, gradient_checkpointing, .. } = self;
                let packed = if self.packed { ", packed" } else { "" };
                format!(
                    "{rows} x {positions} tokens{packed}, {dtype}, kernels {kernels}, keeping {gradient_checkpointing}"
                )
            }),
            ("attention", self.attention.clone()),
            ("tokens/s", format!("{:.0}", self.tokens_per_second)),
            ("ms a step", format!("{median:.1}, from {min:.1} to {max:.1}")),
        ];
        let reached = format!("{:.2}", self.tflop_per_s);
        rows.push(match self.ceilings {
            // Some of its products are in 8 bits and some in bf16: it is a part of neither's rate.
            Some(Ceilings { product_tflop_per_s: most, product_dtype, .. })
                if self.dtype != product_dtype.to_string() =>
            {
                ("TFLOP/s", format!("{reached}, where a product in {product_dtype} does {most:.2} in this run"))
            }
            Some(Ceilings { product_tflop_per_s: most, product_dtype, .. }) => (
                "TFLOP/s",
                format!(
                    "{reached}, {:.0} % of the {most:.2} that a product in {product_dtype} does in this run",
                    1e2 * self.tflop_per_s / most
                ),
            ),
            None => ("TFLOP/s", reached),
        });
        let peak = self.peak_bytes.map(|bytes| format!(", {} at most on the device", gigabytes(bytes)));
        rows.push(("memory", format!("{}{}", gigabytes(self.program_bytes), peak.unwrap_or_default())));
        let [compiled, drawn] = [self.compile_seconds, self.draw_seconds];
        rows.push(("compiled in", format!("{compiled:.1} s, and weights drawn in {drawn:.1}")));
        rows.push(("loss", format!("{:.4} to {:.4}", self.loss_first, self.loss_last)));
        let checked = |[loss, norm]: [f64; 2]| {
            format!("off plain ops by {loss:.1e} in the loss, {norm:.1e} in the gradient norm")
        };
        rows.extend(self.check.as_ref().map(|check| ("check", checked(check.off_by()))));
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
    progress: ProgressMode,
) -> anyhow::Result<()> {
    let recording = Task::spinner(progress, "recording steps for the profile");
    let recorded = record_steps(session, trainer, (1, 3), |trainer: &mut Trainer<'s>, number| {
        trainer.launch(batch, taken + number, LEARNING_RATE, 0)
    })?;
    recording.finish();
    let profile = profile::profile_of(recorded, session, progress)?;
    if processes::is_follower() { Ok(()) } else { profile::write(&profile, folder) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is no number is off, and so is a norm that a layer is missing from.
    #[test]
    fn steps_that_are_off_are_found() {
        let plain_steps = vec![[10.4, 2.0], [10.3, 1.9], [10.2, 1.8]];
        let is_off = |found: &[[f64; 2]]| {
            let check = Check { kernel_steps: found.to_vec(), plain_steps: plain_steps.clone() };
            check.judge(tolerance(DType::BF16)).is_err()
        };
        assert!(!is_off(&plain_steps) && !is_off(&[[10.405, 2.01], [10.3, 1.9]]));
        assert!(is_off(&[[10.4, 2.0], [10.3, 1.95]]) && is_off(&[[10.42, 2.0]]));
        assert!(is_off(&[[10.4, f64::NAN]]) && is_off(&[[f64::NAN, 2.0]]) && is_off(&[]));
    }
}
