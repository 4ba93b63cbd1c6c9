//! How a run begins: its folder, what it goes on from, its data, its model on the device.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use checkpoint::Checkpoints;
use runtime::Session;

use crate::config::TrainConfig;
use crate::evaluation::Evaluator;
use crate::event::{Ending, Event};
use crate::metrics::{MetricsWriter, now};
use crate::resume::Resumed;
use crate::run::{Progress, Run};
use crate::run_folder::RunFolder;
use crate::setup::Setup;
use crate::stop::unless_stopped;
use crate::window::Window;
use crate::{Error, Trainer};

/// What a run is given besides its configuration.
pub struct RunOptions<'a> {
    /// The device.
    pub session: &'a Session,
    /// Folder in which tokenised data sets are kept.
    pub cache: Option<&'a Path>,
    /// Set from outside to make the run save and stop after the step at hand, or end between the phases of its set-up.
    pub stop: &'a AtomicBool,
    /// Go on from the newest complete checkpoint of the run's folder, if there is one.
    pub resume: bool,
    /// Told what happens.
    pub observe: &'a mut dyn FnMut(Event<'_>),
}

/// Trains as `config` says.
///
/// # Errors
/// See [`Error`]; whatever happens, complete checkpoints stay.
pub fn run(config: &TrainConfig, options: RunOptions<'_>) -> Result<Ending, Error> {
    match start_and_train(config, options) {
        Err(Error::Stopped) => Ok(Ending::Unstarted),
        result => result,
    }
}

fn start_and_train(config: &TrainConfig, options: RunOptions<'_>) -> Result<Ending, Error> {
    let RunOptions { session, cache, stop, resume, observe } = options;
    let folder = RunFolder::lock(config)?;
    let resumed = Resumed::find(config, &folder, resume)?;
    let state = resumed.as_ref().map(|resumed| &resumed.state);
    let clock = state.map_or_else(|| now() as i64, |state| state.clock);
    unless_stopped(stop)?;
    let setup = Setup::new(config, session.hardware()?, cache, clock, stop, observe)?;
    unless_stopped(stop)?;
    if let Some(resumed) = &resumed {
        resumed.check_data(setup.data.digest)?;
    }
    observe(Event::Preparing);
    let started = Instant::now();
    let mut trainer = Trainer::new(session, setup.plan.clone(), |parameters, spec, array| {
        unless_stopped(stop)?;
        setup.parameter(parameters, spec, array)
    })?;
    if let Some(resumed) = &resumed {
        resumed.restore(&mut trainer)?;
        resumed.warn_of_changes(config);
    }
    unless_stopped(stop)?;
    write_config(config)?;
    let evaluator = setup.data.eval.is_some().then(|| Evaluator::new(session, &trainer)).transpose()?;
    let progress = state.map_or_else(|| Progress::beginning(clock), Progress::of);
    observe(Event::Ready {
        parameters: trainer.program().params.iter().map(graph::ParamSpec::element_count).sum(),
        trained: trainer.trained().map(graph::ParamSpec::element_count).sum(),
        first_step: progress.step,
        total_steps: setup.data.total_steps,
        seconds: started.elapsed().as_secs_f64(),
    });
    let metrics = MetricsWriter::open(&config.output_dir, state.map(|state| state.step), now())?;
    let mut run = Run {
        config,
        setup: &setup,
        trainer,
        evaluator,
        metrics,
        checkpoints: Checkpoints::open(&config.output_dir)?,
        progress,
        window: Window::new(state.map(|state| state.window).unwrap_or_default()),
        newest_is_untried: false,
        observe,
    };
    run.steps(stop)
}

/// Writes the configuration as resolved into the run's folder. Only a run that can go on may do so, because the file is
/// what its checkpoints were made with.
fn write_config(config: &TrainConfig) -> Result<(), Error> {
    Ok(checkpoint::write_file(config.output_dir.join("config.yaml"), config.to_yaml().as_bytes())?)
}
