//! `finery bench`: how fast training, generation and kernels run here, how much memory they take, and how a server answers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use ::train::config::ScanLayers;
use anyhow::Context;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use graph::{Mesh, Program};
use planner::Work;
use runtime::aot::{self, Nodes, Target};
use runtime::plugins::Platform;
use serde::Serialize;

use crate::commands::devices::DeviceArgs;
use crate::narrow::{self, fitted};
use crate::output_file;
use crate::progress::{ProgressMode, Task};
use crate::usage::Misuse;

mod decode;
mod kernels;
mod rates;
mod serve;
mod train;

pub(super) use rates::Ceilings;

/// Measure speed and memory on random data, and servers under load
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Subcommand,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Subcommand {
    /// A whole training step: forward, backward, update
    Train(train::Args),
    /// Generation token by token, after a prompt
    Decode(decode::Args),
    /// Kernels beside their references in plain operations: how right they are, then how fast
    Kernels(kernels::Args),
    Serve(Box<serve::Args>),
}

impl Args {
    /// Whether a signal ends it with what was measured so far.
    pub(crate) fn tells_when_stopped(&self) -> bool {
        matches!(self.command, Subcommand::Serve(_))
    }
}

/// What all measurements have.
#[derive(Clone, Debug, clap::Args)]
struct Shared {
    /// Whether the program is a loop over stacked layers, or has them one after the other, as the configuration's key of this name:
    /// auto, true or false
    #[arg(long, value_name = "HOW", default_value = "auto")]
    scan_layers: ScanLayers,
    /// Write the program's StableHLO text to this file
    #[arg(long, value_name = "FILE")]
    dump: Option<PathBuf>,
    /// Compile for a device that need not be here, and report the memory the program would take on it
    #[arg(long, value_name = "DEVICE", value_parser = target_parser())]
    target: Option<Target>,
    #[command(flatten)]
    device: DeviceArgs,
}

fn target_parser() -> impl TypedValueParser<Value = Target> {
    let find = |name: String| Target::ALL.into_iter().find(|target| target.name() == name).ok_or("no such device");
    PossibleValuesParser::new(Target::ALL.map(Target::name)).try_map(find)
}

/// Runs `finery bench`.
///
/// # Errors
/// No device, too little memory, a program that the compiler refuses, or no server.
pub(crate) fn run(args: Args, progress: ProgressMode) -> anyhow::Result<ExitCode> {
    let Args { command, json } = args;
    match command {
        Subcommand::Train(args) => train::run(&args, json, progress)?,
        Subcommand::Decode(args) => decode::run(&args, json, progress)?,
        Subcommand::Kernels(args) => kernels::run(&args, json, progress)?,
        Subcommand::Serve(args) => return serve::run(&args, json, progress),
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints what was measured, before anything is said of it.
fn print(mut text: String) -> anyhow::Result<()> {
    text.push('\n');
    std::io::stdout().write_all(text.as_bytes()).context("printing the result")
}

/// Writes a program's text, if that was asked for.
fn dump(program: &Program, path: Option<&Path>) -> anyhow::Result<()> {
    write_text(&program.text, path)
}

fn write_text(text: &str, path: Option<&Path>) -> anyhow::Result<()> {
    let Some(path) = path else { return Ok(()) };
    output_file::write(path, text.as_bytes()).with_context(|| format!("writing the program to {}", path.display()))
}

/// Prints a report as JSON, or as lines for people.
fn show<R: Serialize + fmt::Display>(report: &R, json: bool) -> anyhow::Result<()> {
    print(match json {
        true => serde_json::to_string(report)?,
        false => fitted(&report.to_string(), narrow::columns()),
    })
}

/// Lines of a name and what stands beside it, the latter below each other.
fn lines(f: &mut fmt::Formatter<'_>, rows: &[(&str, String)]) -> fmt::Result {
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (number, (name, value)) in rows.iter().enumerate() {
        let end = if number + 1 < rows.len() { "\n" } else { "" };
        write!(f, "{name:width$}  {value}{end}")?;
    }
    Ok(())
}

/// Processors launch nothing, and their plugin records nothing.
fn refuse_launches(asked: bool, platform: Platform) -> Result<(), Misuse> {
    match platform {
        Platform::Cpu if asked => {
            Err(Misuse("--launches: kernels are recorded on GPUs, and the plugin of CPUs records nothing".to_owned()))
        }
        Platform::Cpu | Platform::Cuda | Platform::Rocm => Ok(()),
    }
}

/// Bytes as people read them.
fn gigabytes(bytes: u64) -> String {
    format!("{:.2} GB", bytes as f64 / 1e9)
}

/// What compiling for an absent device tells.
#[derive(Debug, Serialize)]
struct TargetReport {
    preset: &'static str,
    target: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    attention: Option<String>,
    compile_seconds: f64,
    argument_bytes: u64,
    temporary_bytes: u64,
    /// Arguments, results that are not donated, temporaries and code.
    program_bytes: u64,
    device_bytes: u64,
    /// FLOPs of products in 8 bits on each device, by the types of their factors.
    float8_flops: BTreeMap<String, f64>,
    /// How often each routine of a library and each kernel of Finery's own is called.
    calls: BTreeMap<String, f64>,
    /// The fusions that multiply what matrix units take, for which the compiler makes kernels itself.
    products_made: BTreeSet<String>,
}

impl fmt::Display for TargetReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows = vec![("program", format!("{} for {}, which need not be here", self.preset, self.target))];
        rows.extend(self.attention.clone().map(|attention| ("attention", attention)));
        rows.push(("compiled in", format!("{:.1} s", self.compile_seconds)));
        let [arguments, temporaries] = [self.argument_bytes, self.temporary_bytes].map(gigabytes);
        let [all, device] = [self.program_bytes, self.device_bytes].map(gigabytes);
        rows.push(("memory", format!("{all} of {device}: arguments {arguments}, temporaries {temporaries}")));
        let in_8_bits: Vec<_> =
            self.float8_flops.iter().map(|(types, flops)| format!("{:.1} TFLOP of {types}", flops / 1e12)).collect();
        rows.extend((!in_8_bits.is_empty()).then(|| ("in 8 bits", in_8_bits.join(", "))));
        lines(f, &rows)
    }
}

fn compile_for(
    target: Target,
    preset: &'static str,
    attention: Option<String>,
    program: &Program,
    device: &DeviceArgs,
    progress: ProgressMode,
) -> anyhow::Result<TargetReport> {
    let description = target.description();
    let (plugin, toolchain) = device.compiler(description.platform, progress)?;
    let compiling = Task::spinner(progress, format!("compiling for {}", target.name()));
    let started = Instant::now();
    let devices = program.mesh.as_ref().map_or(1, Mesh::device_count);
    let nodes = Nodes::one(u32::try_from(devices).context("counting the devices of the mesh")?);
    let compiled = aot::compile_program(&plugin, &description, nodes, toolchain.as_deref(), program)?;
    let compile_seconds = started.elapsed().as_secs_f64();
    compiling.finish();
    let memory = compiled.memory_stats()?;
    let work = Work::of_program(&compiled.optimized()?, nodes)?;
    Ok(TargetReport {
        preset,
        target: target.name(),
        attention,
        compile_seconds,
        argument_bytes: memory.argument,
        temporary_bytes: memory.temp,
        program_bytes: memory.total(),
        device_bytes: description.memory_bytes,
        float8_flops: work.float8_flops(),
        calls: work.calls,
        products_made: work.products_made,
    })
}
