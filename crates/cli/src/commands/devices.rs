//! `finery devices`, and the choice of a device that other commands share.

mod watch;

use std::env;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use indicatif::HumanBytes;
use ranks::{ProcessGroup, World};
use runtime::plugins::{self, Environment, Located, Platform, Progress, Purpose, Stage};
use runtime::{Memory, Plugin, Session, SessionOptions};
use sensors::{Device, Machine, Monitor, Reading, SessionDevice};

use crate::processes;
use crate::progress::{ProgressMode, Task, Unit};

/// Which device a command runs on.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Device")]
pub(crate) struct DeviceArgs {
    /// What to run on [default: a GPU whose driver and plugin are found, else cpu]
    #[arg(long, value_name = "PLATFORM", value_parser = platform_parser())]
    pub device: Option<Platform>,

    /// Fetch nothing: fail when the plugin is not installed (as FINERY_OFFLINE=1)
    #[arg(long)]
    pub offline: bool,
}

/// The variables that choose among a platform's GPUs; on AMD each chooses of what the one before leaves.
fn choosing(platform: Platform) -> &'static [&'static str] {
    match platform {
        Platform::Cpu => &[],
        Platform::Cuda => &["CUDA_VISIBLE_DEVICES"],
        Platform::Rocm if env::var_os("HIP_VISIBLE_DEVICES").is_some() => {
            &["ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES"]
        }
        // HIP obeys it where its own is not set.
        Platform::Rocm => &["ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"],
    }
}

impl DeviceArgs {
    /// Opens a session on the chosen platform; says on stderr when it has to install the CPU's plugin first.
    ///
    /// # Errors
    /// There is no plugin, or it cannot be installed, loaded or brought up.
    pub(crate) fn open(&self, progress: ProgressMode) -> anyhow::Result<Session> {
        self.open_with(progress, 1, None)
    }

    /// As [`DeviceArgs::open`], where so many devices are wanted, of all processes of `group` if there is one: the processor can be taken for
    /// several.
    ///
    /// # Errors
    /// As there, or the platform's plugin computes in one process.
    pub(crate) fn open_with(
        &self,
        progress: ProgressMode,
        devices: usize,
        group: Option<&Arc<ProcessGroup>>,
    ) -> anyhow::Result<Session> {
        if group.is_none() {
            processes::require_one()?;
        }
        let environment = self.environment();
        let located = self.locate(&environment, progress)?;
        if let Some(group) = group {
            World::check_device(group.local_device(), choosing(located.platform))?;
        }
        let plugin = located.load(&environment, Purpose::Run)?;
        let of_all = u32::try_from(devices).context("counting the devices of `mesh`")?;
        let cpu_device_count = Some(of_all.div_ceil(group.map_or(1, |group| group.size())));
        let options = SessionOptions::new(located.platform, &environment);
        Ok(Session::open(plugin, SessionOptions { cpu_device_count, group: group.cloned(), ..options })?)
    }

    /// Loads a platform's plugin to compile for devices that are not here, with the folder of the CUDA toolchain if there is one.
    ///
    /// # Errors
    /// The plugin is not installed or cannot be loaded.
    pub(crate) fn compiler(
        &self,
        platform: Platform,
        progress: ProgressMode,
    ) -> anyhow::Result<(Plugin, Option<PathBuf>)> {
        let environment = self.environment();
        let mut shown = InstallProgress::new(progress);
        let located = plugins::ensure(&environment, platform, &mut |step| shown.show(step))?;
        Ok((located.load(&environment, Purpose::Compile)?, plugins::cuda_toolchain(&environment)))
    }

    pub(crate) fn environment(&self) -> Environment {
        Environment::from_process().with_offline(self.offline)
    }

    fn locate(&self, environment: &Environment, progress: ProgressMode) -> anyhow::Result<Located> {
        let platform = self.device.unwrap_or_else(|| plugins::default_platform(environment));
        let mut shown = InstallProgress::new(progress);
        let located = plugins::ensure(environment, platform, &mut |step| shown.show(step))?;
        if self.device.is_none() {
            note_idle_gpu(environment, platform);
        }
        Ok(located)
    }
}

/// Accepts `cpu`, `cuda` and `rocm`, and shows them in the help text.
pub(crate) fn platform_parser() -> impl TypedValueParser<Value = Platform> {
    PossibleValuesParser::new(Platform::ALL.map(Platform::name)).try_map(|name| name.parse::<Platform>())
}

/// A GPU that is there and not used is said, because the CPU is slower by orders of magnitude.
fn note_idle_gpu(environment: &Environment, platform: Platform) {
    if let (Platform::Cpu, None, Some(gpu)) = (platform, &environment.plugin, plugins::gpu_present(environment)) {
        tracing::warn!(
            "this machine has a GPU, but no {gpu} plugin is found, so the CPU is used; to use the GPU, \
             run `finery plugin install {gpu}`"
        );
    }
}

/// An installation on stderr: a line when it starts, then one bar for each stage of each wheel.
pub(crate) struct InstallProgress {
    mode: ProgressMode,
    current: Option<(&'static str, Stage, u64, Task)>,
}

impl InstallProgress {
    /// Nothing is shown until something is installed.
    pub(crate) fn new(mode: ProgressMode) -> Self {
        InstallProgress { mode, current: None }
    }

    /// Takes the next report of an installation.
    pub(crate) fn show(&mut self, progress: Progress) {
        match progress {
            Progress::Wait => tracing::info!("another finery is installing into the same cache; waiting for it"),
            Progress::Damaged(damage) => tracing::warn!("what is installed is damaged: {damage}; installing it again"),
            Progress::Start { name, version, fetch_bytes: 0 } => tracing::info!("installing {name} {version}"),
            Progress::Start { name, version, fetch_bytes } => {
                let size = HumanBytes(fetch_bytes);
                tracing::info!("fetching {name} {version} ({size}) with your pip or uv");
            }
            Progress::Wheel { package, stage, done, total } => {
                if !matches!(&self.current, Some((name, of, ..)) if *name == package && *of == stage) {
                    // The old bar goes before the new one comes.
                    self.current = None;
                    let title = format!("{} {package}", verb(stage));
                    self.current = Some((package, stage, 0, Task::bar(self.mode, title, total, Unit::Bytes)));
                }
                if let Some((.., shown, task)) = &mut self.current {
                    task.advance(done.saturating_sub(*shown));
                    *shown = done.max(*shown);
                }
            }
        }
    }
}

fn verb(stage: Stage) -> &'static str {
    match stage {
        Stage::Fetch => "fetching",
        Stage::Verify => "verifying",
        Stage::Unpack => "unpacking",
    }
}

/// List the platform, its version, and each device with its memory and what its sensors tell
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "--watch opens no device, and needs no plugin. Sensors are read through the drivers' own interfaces: NVML for NVIDIA, the \
    files of the kernel's driver for AMD, /proc and /sys for the host. The memory is that of all processes. `throttled` says what holds a \
    GPU's clocks down: a GPU that is worked hard runs at its limit of power; temperature, current or hardware are for somebody to look after.\n\n\
    Example: finery devices --watch --json | jq '.devices[0].power_watts'"
)]
pub(crate) struct Args {
    /// Show what sensors tell of GPUs and host, anew every second, until Ctrl-C
    #[arg(long)]
    watch: bool,
    /// With --watch: a JSON object a line, null for what is not told
    #[arg(long, requires = "watch")]
    json: bool,
    #[command(flatten)]
    device: DeviceArgs,
}

/// Between two readings of which the second tells what is counted over time.
const LOOK: Duration = Duration::from_millis(250);

/// Prints what programs would run on.
///
/// # Errors
/// The plugin cannot be found, installed, loaded or brought up.
pub(crate) fn run(args: Args, progress: ProgressMode) -> anyhow::Result<()> {
    if args.watch {
        return watch::run(args.device.device, args.json);
    }
    let environment = args.device.environment();
    let located = args.device.locate(&environment, progress)?;
    let plugin = located.load(&environment, Purpose::Run)?;
    let api = plugin.version();
    // Looking must not disturb who runs there: no memory is taken, and all of it is shown.
    let options = SessionOptions {
        memory_fraction: 1.0,
        preallocate: false,
        cpu_device_count: Some(1),
        ..SessionOptions::new(located.platform, &environment)
    };
    let session = Session::open(plugin, options)?;

    let client = session.client();
    let mut text = format!("platform  {}\n", platform_text(client.platform_name(), client.platform_version()));
    writeln!(text, "plugin    {} (PJRT API {api}, from {})", located.library.display(), located.source.name())?;
    let readings = readings(&session)?;
    for (place, device) in session.devices().iter().enumerate() {
        let memory = session.memory_of(device)?.map_or_else(|| "memory not known".to_owned(), memory_text);
        let sensors = readings.get(place).and_then(Option::as_ref).map_or_else(String::new, sensors_text);
        writeln!(text, "device {:<2} {}, {memory}{sensors}", device.id()?, device.kind()?)?;
    }
    std::io::stdout().write_all(text.as_bytes()).context("printing the devices")
}

/// What sensors tell of each device of a session, in its order; of the CPU they are the host's.
fn readings(session: &Session) -> anyhow::Result<Vec<Option<Reading>>> {
    let devices = SessionDevice::all(session)?;
    let mut monitor = Monitor::of_devices(&Machine::this(), session.platform(), &devices);
    monitor.read(Instant::now());
    thread::sleep(LOOK);
    let read = monitor.read(Instant::now());
    let of = |wanted: Device| read.iter().find(|(device, _)| *device == wanted).map(|(_, reading)| *reading);
    if session.platform() == Platform::Cpu {
        return Ok(vec![of(Device::Host)]);
    }
    Ok(devices.iter().map(|device| of(Device::Gpu(device.number))).collect())
}

/// All but the memory, as the end of a line.
fn sensors_text(reading: &Reading) -> String {
    let load = reading.load.map(|load| format!("load {load:.2}"));
    let busy = busy(reading).map(|busy| format!("{busy} busy"));
    let throttled = throttled(reading).filter(|names| names != "no").map(|names| format!("throttled: {names}"));
    let told = [busy, power(reading), temperature(reading), throttled, load];
    told.into_iter().flatten().map(|part| format!(", {part}")).collect()
}

fn busy(reading: &Reading) -> Option<String> {
    reading.utilisation_percent.map(|percent| format!("{percent:.0} %"))
}

fn power(reading: &Reading) -> Option<String> {
    let watts = reading.power_watts?;
    Some(match reading.power_limit_watts {
        Some(limit) => format!("{watts:.0} of {limit:.0} W"),
        None => format!("{watts:.0} W"),
    })
}

fn temperature(reading: &Reading) -> Option<String> {
    reading.temperature_celsius.map(|celsius| format!("{celsius:.0} °C"))
}

/// What holds the clocks down, `no` for nothing.
fn throttled(reading: &Reading) -> Option<String> {
    let names: Vec<&str> = reading.throttling?.names().collect();
    Some(if names.is_empty() { "no".to_owned() } else { names.join(", ") })
}

/// Name and version on one line: a version may have several lines, and the CPU's only repeats its name.
fn platform_text(name: &str, version: &str) -> String {
    let words: Vec<&str> = version.split_whitespace().filter(|word| *word != name).collect();
    format!("{name} {}", words.join(" ")).trim_end().to_owned()
}

fn memory_text(memory: Memory) -> String {
    format!("{} of {} free", HumanBytes(memory.free), HumanBytes(memory.total))
}
