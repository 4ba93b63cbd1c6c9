//! `finery train`: a training run with progress, signals and exit codes.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use indicatif::HumanCount;
use runtime::plugins::Environment;
use train::config::TrainConfig;
use train::{Ending, Event, RunOptions};

use crate::allocator;
use crate::commands::devices::DeviceArgs;
use crate::progress::{ProgressMode, StepInfo, Task, TrainProgress};

/// Train a model, or an adapter for one, as a YAML configuration says
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Keys are explained in docs/config.md, or by `finery config reference`.\n\
    SIGTERM, SIGUSR1 and Ctrl-C save a checkpoint and stop with exit code 130; go on with --resume.\n\
    The second signal of a kind stops at once, without saving.\n\n\
    Example: finery train lora.yaml learning_rate=1e-4 output_dir=runs/b")]
pub(crate) struct Args {
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
    #[command(flatten)]
    device: DeviceArgs,
}

/// Runs `finery train`.
///
/// # Errors
/// The configuration, the data or the model cannot be used, the device fails, or the loss is no number any more.
pub(crate) fn run(args: Args, mode: ProgressMode) -> anyhow::Result<ExitCode> {
    let mut config = TrainConfig::load(&args.config, &args.overrides)?;
    config.skip_bad |= args.skip_bad;
    let stop = stop_on_signals().context("listening for signals")?;
    let session = args.device.open(mode)?;
    let cache = Environment::from_process().cache;
    let mut shown = Shown::new(mode);
    let options = RunOptions {
        session: &session,
        cache: cache.as_deref(),
        stop: &stop,
        resume: args.resume,
        observe: &mut |event| {
            if let Event::Ready { .. } = event {
                allocator::keep_freed_memory(session.platform());
            }
            shown.show(&event);
        },
    };
    let ending = train::run(&config, options);
    shown.finish();
    match ending? {
        Ending::Finished => Ok(ExitCode::SUCCESS),
        Ending::Interrupted { step } => {
            tracing::warn!("stopped after step {step}, which is saved; go on with --resume");
            Ok(ExitCode::from(130))
        }
        Ending::Unstarted => {
            tracing::warn!("stopped before the first step: nothing was trained yet; the same command starts again");
            Ok(ExitCode::from(130))
        }
    }
}

/// A flag that SIGTERM, SIGUSR1 and Ctrl-C set. The second of a kind ends the process at once; of another kind it does not,
/// because a scheduler's SIGTERM may follow its SIGUSR1 while the checkpoint is being written.
fn stop_on_signals() -> std::io::Result<Arc<AtomicBool>> {
    use signal_hook::consts::{SIGINT, SIGTERM, SIGUSR1};
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGUSR1] {
        let seen = Arc::new(AtomicBool::new(false));
        // In this order: the first signal finds `seen` unset.
        signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&seen))?;
        signal_hook::flag::register(signal, seen)?;
        signal_hook::flag::register(signal, Arc::clone(&stop))?;
    }
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
                let (samples, rows) = (HumanCount(*samples as u64), HumanCount(*rows as u64));
                tracing::info!("{samples} samples in {rows} rows, {:.1} % of them padding", padding * 100.0);
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
            Event::Step(record) => self.with_steps(|steps| {
                steps.step(&StepInfo {
                    step: record.step,
                    loss: record.loss,
                    learning_rate: record.learning_rate,
                    tokens_per_second: record.tokens_per_second,
                });
            }),
            Event::Eval(record) => {
                self.with_steps(|steps| steps.eval(record.step, record.eval_loss, record.eval_perplexity));
            }
            Event::Saved(path) => self.with_steps(|steps| steps.message(&format!("saved {}", path.display()))),
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
