//! `finery profile`: where the time of a training step goes.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ::train::config::{ConfigErrors, TrainConfig};
use ::train::{EarlierRun, Event, ProfileOptions, Recorded, StepProfile};
use anyhow::{Context as _, bail};
use atomic_file::Temporary;
use planner::ProcessorRates;
use ranks::ProcessGroup;
use runtime::Session;
use runtime::plugins::{Environment, Platform};

use crate::commands::bench::Ceilings;
use crate::commands::devices::DeviceArgs;
use crate::plural::counted;
use crate::progress::{ProgressMode, Task};
use crate::{allocator, narrow, processes, usage};

/// Show where the time of a training step goes: by what runs, by part of the model, and the slowest operations with their layers
///
/// Takes the first steps of a configuration as `finery train` does, records some of them with the plugin's profiler, and keeps nothing of what they
/// trained. The CPU's plugin has no profiler: there steps are measured, and what runs in them is estimated from the compiled program.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Beside the table it writes profile.trace.json, which https://ui.perfetto.dev opens, profile.json, profile.txt \
    and on GPUs profile.xplane.pb, the plugin's own recording, for XProf and TensorBoard.\n\
    A run records itself with `profile_steps` in its configuration.\n\n\
    Examples:\n  \
    finery profile train.yaml\n  \
    finery profile train.yaml --random micro_batch_size=4 --out profiles/four --json\n  \
    finery bench train --preset llama-1.3b --profile profiles/llama"
)]
pub(crate) struct Args {
    /// The configuration of a run
    config: PathBuf,
    /// Settings that win over the file's, as `micro_batch_size=4`
    #[arg(value_name = "KEY=VALUE")]
    overrides: Vec<String>,
    /// Rows of random tokens in place of the configuration's data
    #[arg(long)]
    random: bool,
    /// Steps that are recorded
    #[arg(long, value_name = "COUNT", default_value = "3", value_parser = usage::whole::<u64>(1..=1000))]
    steps: u64,
    /// Steps before them
    #[arg(long, value_name = "COUNT", default_value = "5", value_parser = usage::whole::<u64>(1..=100_000))]
    warmup: u64,
    /// Folder for the trace and the other files; it is made if need be
    #[arg(long, value_name = "FOLDER", default_value = "profile")]
    out: PathBuf,
    /// Print JSON in place of the table
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    device: DeviceArgs,
}

/// Runs `finery profile`.
///
/// # Errors
/// The configuration or its data cannot be used, the device fails, or nothing can be recorded.
pub(crate) fn run(args: &Args, progress: ProgressMode) -> anyhow::Result<()> {
    let config = args.check().inspect_err(|error| processes::decline(error))?;
    let made = if processes::is_follower() { Ok(None) } else { make_folder(&args.out).map(Some) };
    let _made = made.inspect_err(|error| processes::decline(error))?;
    // A signal ends this process at once.
    let is_stopped = || false;
    let profile = processes::take_part(config.to_yaml(), is_stopped, |group| measure(args, &config, group, progress))?;
    if processes::is_follower() {
        return Ok(());
    }
    let text = match args.json {
        true => serde_json::to_string_pretty(&profile.profile)? + "\n",
        false => narrow::fitted(&profile.profile.to_string(), narrow::columns()),
    };
    std::io::stdout().write_all(text.as_bytes()).context("printing the profile")?;
    write(&profile, &args.out)
}

impl Args {
    /// The configuration, found to be one that can be run, but for the folder of its results, which a profile leaves alone.
    fn check(&self) -> Result<TrainConfig, ConfigErrors> {
        match self.random {
            true => TrainConfig::load(&self.config, &self.overrides),
            false => ::train::preflight(&self.config, &self.overrides, EarlierRun::Overwritten, false),
        }
    }
}

/// A folder that was made for a profile, with those above it that were not there, innermost first. Those that are empty go when this is dropped, or a signal ends
/// the process.
pub(crate) struct MadeFolder(#[expect(dead_code, reason = "held, not read")] Vec<Temporary>);

/// Makes the folder that a profile is to be written to, before anything is measured for it.
///
/// # Errors
/// It cannot be made.
pub(crate) fn make_folder(folder: &Path) -> anyhow::Result<MadeFolder> {
    if folder.is_file() {
        bail!("{} is a file: name a folder for the profile", folder.display());
    }
    if let Some(link) = folder.ancestors().find(|path| path.is_symlink() && !path.exists()) {
        bail!("{} is a link to what is not there: make that, or name another folder for the profile", link.display());
    }
    let making = || format!("making the folder {} for the profile", folder.display());
    atomic_file::make_folder(folder).map(MadeFolder).with_context(making)
}

/// Writes the files of a profile into a folder, and says where the trace is.
///
/// # Errors
/// One of them cannot be written.
pub(crate) fn write(profile: &StepProfile, folder: &Path) -> anyhow::Result<()> {
    let trace = profile.write(folder)?;
    tracing::info!("open {} in https://ui.perfetto.dev", trace.display());
    Ok(())
}

fn measure(
    args: &Args,
    config: &TrainConfig,
    group: Option<&Arc<ProcessGroup>>,
    progress: ProgressMode,
) -> anyhow::Result<StepProfile> {
    let session = args.device.open_with(progress, config.mesh.sizes().given(), group)?;
    allocator::keep_freed_memory(session.platform());
    let cache = Environment::from_process().cache;
    let mut task = None;
    let mut observe = |event: Event<'_>| match event {
        Event::Tokenising(_) => {
            task.get_or_insert_with(|| Task::spinner(progress, "reading and tokenising the data"));
        }
        Event::Preparing => task = Some(Task::spinner(progress, "compiling the step and loading the model")),
        Event::Ready { .. } => {
            let steps = counted(args.warmup + args.steps, "step");
            let title = format!("taking {steps}, the last {} of them for the profile", args.steps);
            task = Some(Task::spinner(progress, title));
        }
        _ => {}
    };
    let options = ProfileOptions {
        session: &session,
        cache: cache.as_deref(),
        stop: &AtomicBool::new(false),
        warmup: args.warmup,
        steps: args.steps,
        observe: &mut observe,
    };
    let recorded = ::train::profile_config(config, args.random, options)?;
    if let Some(task) = task {
        task.finish();
    }
    profile_of(recorded, &session, progress)
}

/// Where the time of recorded steps went; an estimate where the CPU's plugin records nothing.
///
/// # Errors
/// There is no recording of another platform's, or it cannot be read.
pub(crate) fn profile_of(recorded: Recorded, session: &Session, progress: ProgressMode) -> anyhow::Result<StepProfile> {
    if recorded.has_profiler() || session.platform() != Platform::Cpu {
        return Ok(recorded.profile()?);
    }
    // Nothing records what runs on a processor.
    let measured = Ceilings::of(session, progress).context("measuring the processor")?;
    let rates = ProcessorRates {
        product_flops: 1e12 * measured.product_tflop_per_s,
        memory_bandwidth: 1e9 * measured.copy_gb_per_s,
    };
    let devices = u32::try_from(session.device_count()).context("counting the devices")?;
    Ok(recorded.estimated(|module, seconds| rates.divide(module, devices, seconds))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_that_stay_empty_go_and_others_stay() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("a/b");
        drop(make_folder(&folder).unwrap());
        assert!(place.path().exists() && !place.path().join("a").exists());
        // One that was there is nobody's to remove, and one that was made is not where something lies in it.
        std::fs::create_dir(place.path().join("a")).unwrap();
        drop(make_folder(&folder).unwrap());
        assert!(place.path().join("a").exists() && !folder.exists());
        let made = make_folder(&folder).unwrap();
        std::fs::write(folder.join("profile.txt"), "a step").unwrap();
        drop(made);
        assert!(folder.join("profile.txt").exists());
        assert!(make_folder(&folder.join("profile.txt")).is_err());
        // A link is the user's, though nothing is behind it.
        let link = place.path().join("link");
        std::os::unix::fs::symlink("nowhere", &link).unwrap();
        for folder in [&link, &link.join("sub")] {
            let error = make_folder(folder).err().unwrap().to_string();
            let told = "link is a link to what is not there: make that, or name another folder for the profile";
            assert!(error.ends_with(told) && link.is_symlink(), "{error}");
        }
    }
}
