//! `finery train`: a training run with progress, signals and exit codes.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use anyhow::Context;
use indicatif::HumanCount;
use ranks::{JoinError, ProcessGroup};
use runtime::Bytes;
use runtime::plugins::Environment;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1};
use signal_hook::flag;
use signal_hook::iterator::Signals;
use signal_hook::low_level;
use tracing::subscriber::NoSubscriber;
use train::config::{ConfigErrors, TrainConfig};
use train::{EarlierRun, Ending, Event, RunOptions};

use crate::commands::devices::DeviceArgs;
use crate::plural::named;
use crate::processes::UNSTARTED;
use crate::progress::{ProgressMode, Task, TrainProgress};
use crate::{allocator, processes, progress, signals};

/// Train a model, or an adapter for one, as a YAML configuration says
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Keys are explained in docs/config.md, or by `finery config reference`.\n\
    SIGTERM, SIGHUP, SIGUSR1 and Ctrl-C save a checkpoint and stop with exit code 130; go on with --resume.\n\
    The second signal of a kind stops at once, without saving, and the first while there is nothing to save: while other ranks are waited for, \
    which are told, or the compiler, or while a checkpoint to go on from is read.\n\n\
    In metrics.jsonl, TensorBoard and --log-format json, `loss` is the mean over the steps since the last record \
    (every logging_steps); on the terminal it is that of the step at hand. TFLOP/s and MFU, of each device, count the model's own \
    operations (PaLM's 6N + 12LHQT; 4N for frozen weights), first with all of attention, then with its causal half.\n\
    Lines with the key `device` are of the sensors of GPUs and host, every ten seconds; `finery plot --hardware` draws them.\n\
    Lines with the key `save_bytes` are of checkpoints: how long training waited for the copy, and how fast the disk took it.\n\n\
    Example: finery train lora.yaml learning_rate=1e-4 output_dir=runs/b")]
pub(crate) struct Args {
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    device: DeviceArgs,
}

/// Which run: its configuration, and what it does with an earlier one.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// The configuration
    config: PathBuf,
    /// Values that replace those of the file, such as learning_rate=1e-4 or datasets.0.path=a.jsonl
    #[arg(value_name = "KEY=VALUE")]
    overrides: Vec<String>,
    /// Count and leave out records of the data that are malformed or have nothing to learn, instead of stopping at the first
    /// (as skip_bad=true)
    #[arg(long)]
    skip_bad: bool,
    /// Go on from the newest complete checkpoint in output_dir, if there is one
    #[arg(long)]
    resume: bool,
    /// Remove what an earlier run wrote to output_dir, once this one is ready to begin
    #[arg(long, conflicts_with = "resume")]
    overwrite: bool,
}

impl RunArgs {
    /// The configuration, with all that can be checked without a device.
    ///
    /// # Errors
    /// All of its mistakes.
    pub(crate) fn check(&self) -> Result<TrainConfig, ConfigErrors> {
        let mut overrides = self.overrides.clone();
        overrides.extend(self.skip_bad.then(|| "skip_bad=true".to_owned()));
        train::preflight(&self.config, &overrides, self.earlier(), !processes::is_follower())
    }

    fn earlier(&self) -> EarlierRun {
        match (self.resume, self.overwrite) {
            (true, _) => EarlierRun::Resumed,
            (false, true) => EarlierRun::Overwritten,
            (false, false) => EarlierRun::Refused,
        }
    }
}

/// Runs `finery train`.
///
/// # Errors
/// The configuration, the data or the model cannot be used, the device fails, or the loss is no number any more.
pub(crate) fn run(args: Args, mode: ProgressMode) -> anyhow::Result<ExitCode> {
    let waiting = Waiting::default();
    let stop = stop_on_signals(waiting.clone()).context("listening for signals")?;
    // What is worth a warning the run will say itself.
    let config = tracing::subscriber::with_default(NoSubscriber::default(), || args.run.check());
    let config = config.inspect_err(|error| {
        // A signal ends that at once.
        waiting.set(true);
        processes::decline(error);
    })?;
    let configuration = config.to_yaml();
    let (asked, has_begun) = (Arc::clone(&stop), Arc::clone(&waiting.has_begun));
    let is_stopped = move || asked.load(Ordering::Relaxed) && !has_begun.load(Ordering::Relaxed);
    let done = processes::take_part(configuration, is_stopped, |group| {
        waiting.tell_to(group);
        // For the others' devices, and for what the run goes on from.
        waiting.set(true);
        train(&args, mode, &config, group, &waiting, &stop)
    });
    // Not before a signal has ended the process: what it takes from this thread is no error.
    waiting.set(false);
    match done {
        Err(error) if matches!(error.downcast_ref(), Some(JoinError::Stopped)) => Ok(unstarted()),
        done => done,
    }
}

/// Whether the process waits for what cannot be asked to end, before its first step: then a signal ends it at once.
#[derive(Clone, Default)]
struct Waiting {
    is_waiting: Arc<Mutex<bool>>,
    /// Whether there may be something to save.
    has_begun: Arc<AtomicBool>,
    /// The others, which are told then.
    group: Arc<OnceLock<Weak<ProcessGroup>>>,
}

impl Waiting {
    fn lock(&self) -> MutexGuard<'_, bool> {
        self.is_waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, is_waiting: bool) {
        *self.lock() = is_waiting;
    }

    fn tell_to(&self, group: Option<&Arc<ProcessGroup>>) {
        if let Some(group) = group {
            self.group.get_or_init(|| Arc::downgrade(group));
        }
    }

    fn tell(&self) {
        if let Some(group) = self.group.get().and_then(Weak::upgrade) {
            group.stop();
        }
    }
}

fn unstarted() -> ExitCode {
    tracing::warn!("{UNSTARTED}");
    ExitCode::from(processes::STOPPED)
}

fn train(
    args: &Args,
    mode: ProgressMode,
    config: &TrainConfig,
    group: Option<&Arc<ProcessGroup>>,
    waiting: &Waiting,
    stop: &AtomicBool,
) -> anyhow::Result<ExitCode> {
    let session = args.device.open_with(mode, config.mesh.sizes().given(), group)?;
    let cache = Environment::from_process().cache;
    let mut shown = Shown::new(mode);
    let options = RunOptions {
        session: &session,
        cache: cache.as_deref(),
        stop,
        earlier: args.run.earlier(),
        observe: &mut |event| {
            match event {
                Event::Found => waiting.set(false),
                // For the compiler, which may take minutes.
                Event::Preparing => waiting.set(true),
                Event::Ready { .. } => {
                    waiting.has_begun.store(true, Ordering::Relaxed);
                    waiting.set(false);
                    allocator::keep_freed_memory(session.platform());
                }
                _ => {}
            }
            if !processes::is_follower() {
                shown.show(&event);
            }
        },
    };
    let ending = train::run(config, options);
    shown.finish();
    match ending? {
        Ending::Finished => Ok(ExitCode::SUCCESS),
        Ending::Interrupted { step } => {
            tracing::warn!("stopped after step {step}, which is saved; go on with --resume");
            Ok(ExitCode::from(processes::STOPPED))
        }
        Ending::Unstarted => Ok(unstarted()),
    }
}

/// A flag that SIGTERM, SIGHUP, SIGUSR1 and Ctrl-C set, each of which is acknowledged at once, whatever the run is busy with. The
/// second of a kind ends the process at once; of another kind it does not, because a scheduler's SIGTERM may follow its SIGUSR1
/// while the checkpoint is being written.
///
/// While the process is `waiting`, the first ends it as well: there is nothing to save.
fn stop_on_signals(waiting: Waiting) -> std::io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    // SIGHUP is ignored under `nohup`, and a handler would take that back.
    let wanted = [SIGINT, SIGTERM, SIGUSR1, SIGHUP].into_iter();
    let wanted = wanted.filter(|signal| *signal != SIGHUP || !signals::is_ignored(*signal));
    for signal in wanted.clone() {
        flag::register(signal, Arc::clone(&stop))?;
        let seen = Arc::new(AtomicBool::new(false));
        // In this order: the first signal finds `seen` unset.
        flag::register_conditional_shutdown(signal, processes::STOPPED.into(), Arc::clone(&seen))?;
        flag::register(signal, seen)?;
    }
    let mut acknowledged = Signals::new(wanted)?;
    let acknowledge = move || {
        for signal in acknowledged.forever() {
            let name = low_level::signal_name(signal).unwrap_or("a signal");
            // Held to the end, so that nothing new begins.
            let is_waiting = waiting.lock();
            if *is_waiting {
                let _halted = atomic_file::remove_unfinished();
                progress::clear();
                tracing::warn!("{name}: {UNSTARTED}");
                waiting.tell();
                low_level::exit(processes::STOPPED.into());
            }
            tracing::warn!("{name}: stopping as soon as what was trained is saved; another {name} stops at once");
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(acknowledge)?;
    Ok(stop)
}

/// A run as the user sees it.
struct Shown {
    mode: ProgressMode,
    task: Option<Task>,
    steps: Option<TrainProgress>,
}

impl Shown {
    fn new(mode: ProgressMode) -> Shown {
        Shown { mode, task: None, steps: None }
    }

    fn show(&mut self, event: &Event<'_>) {
        match event {
            Event::Tokenising(_) => {
                let mode = self.mode;
                self.task.get_or_insert_with(|| Task::spinner(mode, "reading and tokenising the data"));
            }
            Event::Data { samples, rows, padding } => {
                self.end_task();
                let [of_samples, of_rows] = [named(*samples as u64, "sample"), named(*rows as u64, "row")];
                let (samples, rows) = (HumanCount(*samples as u64), HumanCount(*rows as u64));
                let padding = padding * 100.0;
                tracing::info!("{samples} {of_samples} in {rows} {of_rows}, {padding:.1} % padding");
            }
            Event::Preparing => self.task = Some(Task::spinner(self.mode, "compiling the step and loading the model")),
            Event::Ready { parameters, trained, first_step, total_steps, seconds } => {
                self.end_task();
                let (parameters, trained) = (HumanCount(*parameters as u64), HumanCount(*trained as u64));
                tracing::info!("{parameters} parameters, of which {trained} are trained; ready after {seconds:.1} s");
                if *first_step > 0 {
                    tracing::info!("going on after step {first_step} of {total_steps}");
                }
                self.steps = Some(TrainProgress::new(self.mode, *first_step, *total_steps));
            }
            Event::Step(record) => self.with_steps(|steps| steps.step(record)),
            Event::Recorded(record) => self.with_steps(|steps| steps.recorded(record)),
            Event::Eval(record) => {
                self.with_steps(|steps| steps.eval(record.step, record.eval_loss, record.eval_perplexity));
            }
            Event::Hardware(records) => self.with_steps(|steps| steps.hardware(records)),
            Event::Saving { step, done, total } => {
                let [done, total] = [*done, *total].map(|bytes| Bytes(u128::from(bytes)));
                let told = format!("waiting for the checkpoint of step {step}: {done} of {total} are written");
                self.with_steps(|steps| steps.message(&told));
            }
            Event::Saved { path, bytes, copying, writing } => {
                let (copying, writing) = (copying.as_secs_f64(), writing.as_secs_f64());
                let told = format!(
                    "saved {}: {}; training waited {copying:.3} s for the copy, and all was on the disk after {writing:.3} s ({}/s)",
                    path.display(),
                    Bytes(u128::from(*bytes)),
                    Bytes((*bytes as f64 / writing.max(f64::EPSILON)) as u128)
                );
                self.with_steps(|steps| steps.message(&told));
            }
            Event::Profiled(trace) => {
                let told = format!(
                    "profiled: open {} in https://ui.perfetto.dev, or read profile.txt beside it",
                    trace.display()
                );
                self.with_steps(|steps| steps.message(&told));
            }
            Event::StoppedEarly { step, best } => {
                let best = best.map_or_else(String::new, |best| {
                    format!(": the lowest evaluation loss was {:.4}, after step {}", best.eval_loss, best.step)
                });
                self.with_steps(|steps| steps.message(&format!("stopping early after step {step}{best}")));
            }
            Event::BestLoaded(best) => self.with_steps(|steps| {
                steps.message(&format!(
                    "taking the weights of step {}, evaluation loss {:.4}",
                    best.step, best.eval_loss
                ));
            }),
            Event::Written(folder) => {
                self.finish();
                tracing::info!("wrote the trained model to {}", folder.display());
            }
            _ => {}
        }
    }

    fn with_steps(&mut self, show: impl FnOnce(&mut TrainProgress)) {
        if let Some(steps) = &mut self.steps {
            show(steps);
        }
    }

    fn end_task(&mut self) {
        if let Some(task) = self.task.take() {
            task.finish();
        }
    }

    fn finish(&mut self) {
        self.end_task();
        if let Some(steps) = self.steps.take() {
            steps.finish();
        }
    }
}
