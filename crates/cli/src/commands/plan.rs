//! `finery plan`: what a run's step would take on hardware that is not here.

mod table;

use std::io::Write as _;
use std::path::PathBuf;

use ::train::config::TrainConfig;
use anyhow::Context as _;
use planner::{Cluster, Compiler, Plan, Search};

use crate::commands::devices::DeviceArgs;
use crate::narrow::{self, fitted};
use crate::plural::counted;
use crate::progress::{ProgressMode, Task};
use crate::usage;

/// Compile a run's step for hardware that is not here, and show what it takes: memory, exchanges, time
///
/// Needs the plugin of the target's platform and neither its devices nor the model's weights: `base_model` has to hold a `config.json`, or may be
/// the name of a preset of `finery models --presets`. Nothing is run. Memory is as the compiler has planned it; time is an estimate, and what it
/// assumes is shown.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    finery plan train.yaml --target cpu:8 mesh.fsdp=8\n  \
    finery plan train.yaml --target mi300x:8 mesh.fsdp=auto\n  \
    finery plan train.yaml --target h200:8x16 mesh.dp=16 mesh.fsdp=8 --json\n  \
    finery plan train.yaml --target h100:8 --search\n  \
    finery plugin install cuda --toolchain   # for h200 and h100\n  \
    finery plugin install rocm               # for mi300x and mi250")]
pub(crate) struct Args {
    /// The configuration of the run
    config: PathBuf,
    /// Settings that win over the file's, as `mesh.fsdp=8`
    #[arg(value_name = "KEY=VALUE")]
    overrides: Vec<String>,
    /// For what: h200, h100, mi300x, mi250 (one die), cpu or a GPU's description (NAME.txtpb), with the devices of a machine and the machines:
    /// mi300x:8, mi300x:8x16
    #[arg(long, value_name = "TARGET[:DEVICES[xMACHINES]]")]
    target: Cluster,
    /// Look for the fastest mesh, micro-batch and gradient_checkpointing that fit, by estimated time, with as many rows in a step as the
    /// configuration has
    #[arg(long)]
    search: bool,
    /// How many steps --search compiles at the most
    #[arg(long, value_name = "COUNT", default_value = "12", requires = "search", value_parser = usage::whole::<usize>(1..=u64::MAX))]
    compiles: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Fetch nothing: fail when the CPU's plugin is not installed (as FINERY_OFFLINE=1)
    #[arg(long)]
    offline: bool,
}

/// Runs `finery plan`.
///
/// # Errors
/// The target's plugin is not here, or the configuration means no step on it.
pub(crate) fn run(args: &Args, progress: ProgressMode) -> anyhow::Result<()> {
    let cluster = &args.target;
    let config = TrainConfig::load(&args.config, &args.overrides)?;
    let mut text =
        if args.search { search(args, &config, cluster, progress)? } else { plan(args, &config, cluster, progress)? };
    text.push('\n');
    std::io::stdout().write_all(text.as_bytes()).context("printing the plan")
}

fn plan(args: &Args, config: &TrainConfig, cluster: &Cluster, progress: ProgressMode) -> anyhow::Result<String> {
    // What is wrong with it is said before a plugin is loaded.
    Plan::shapes(config, cluster)?;
    let compiler = compiler(args, cluster, progress)?;
    let mut shown = Shown { progress, task: None };
    let plan = Plan::of_config(config, cluster, &compiler, &mut |rows| {
        shown.next(format!("compiling for {}, {} a micro-batch", cluster.name, counted(rows, "row")));
    })?;
    shown.end();
    Ok(match args.json {
        true => serde_json::to_string(&plan)?,
        false => fitted(&table::of(&plan, cluster), narrow::columns()),
    })
}

fn search(args: &Args, config: &TrainConfig, cluster: &Cluster, progress: ProgressMode) -> anyhow::Result<String> {
    let compiler = compiler(args, cluster, progress)?;
    let mut shown = Shown { progress, task: None };
    let found = Search::run(config, cluster, &compiler, args.compiles, &mut |number, candidate| {
        shown.next(format!("compiling {number} of at most {}: {}", args.compiles, table::name(candidate)));
    })?;
    shown.end();
    Ok(match args.json {
        true => serde_json::to_string(&found)?,
        false => fitted(&table::of_search(&found), narrow::columns()),
    })
}

/// The compiling that is under way.
struct Shown {
    progress: ProgressMode,
    task: Option<Task>,
}

impl Shown {
    fn next(&mut self, title: String) {
        self.end();
        self.task = Some(Task::spinner(self.progress, title));
    }

    fn end(&mut self) {
        if let Some(task) = self.task.take() {
            task.finish();
        }
    }
}

/// The compiler of the target's platform.
fn compiler(args: &Args, cluster: &Cluster, progress: ProgressMode) -> anyhow::Result<Compiler> {
    let device = DeviceArgs { device: Some(cluster.platform()), offline: args.offline };
    if cluster.device.is_none() {
        return Ok(Compiler::Host(device.open_with(progress, cluster.device_count(), None)?));
    }
    let (plugin, toolchain) = device.compiler(cluster.platform(), progress)?;
    Ok(Compiler::Absent { plugin, toolchain, environment: device.environment() })
}
