//! How a run begins: its folder, what it goes on from, its data, its model on the device.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use checkpoint::Checkpoints;
use runtime::{Memory, Session};

use crate::config::{Duration, TrainConfig};
use crate::evaluation::Evaluator;
use crate::event::{Ending, Event};
use crate::hardware_log::HardwareLog;
use crate::meter::Meter;
use crate::metrics::{MetricsWriter, ResumedAt, now};
use crate::position::{Course, End};
use crate::resume::Resumed;
use crate::run::{Progress, Run};
use crate::run_data::RunData;
use crate::run_folder::{CONFIG, EarlierRun, RunFolder};
use crate::save_timer::SaveTimer;
use crate::saver::Saver;
use crate::setup::Setup;
use crate::stop::unless_stopped;
use crate::{Error, Trainer, layout, memory_guard, micro_batch, output, plan, resume, run_data};

/// What a run is given besides its configuration.
pub struct RunOptions<'a> {
    /// The device.
    pub session: &'a Session,
    /// Folder in which tokenised data sets are kept.
    pub cache: Option<&'a Path>,
    /// Set from outside to make the run save and stop after the step at hand, or end between the phases of its set-up.
    pub stop: &'a AtomicBool,
    /// What becomes of an earlier run in the same folder.
    pub earlier: EarlierRun,
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
    let RunOptions { session, cache, stop, earlier, observe } = options;
    let folder = RunFolder::lock(config, earlier)?;
    let mut checkpoints = Checkpoints::open(folder.path())?;
    let resumed = Resumed::find(config, &mut checkpoints, earlier == EarlierRun::Resumed)?;
    let wanted = folders_found(config, resumed.as_ref())?;
    let config = micro_batch::fewest(&wanted, session.devices().len())?;
    let mut setup = Setup::new(&config, session.platform())?;
    if let Some(resumed) = &resumed {
        resumed.check_settings(&config, &setup)?;
    }
    memory_guard::check_batches(setup.plan.batch, Memory::of_host())?;
    (_, setup.plan.partition) = layout::partition(&config, &setup.plan, session.devices().len())?;
    let clock = resumed.as_ref().map_or_else(|| now() as i64, |resumed| resumed.state.clock);
    unless_stopped(stop)?;
    let data = RunData::for_model(&config, &setup.plan.model, cache, clock, stop, observe)?;
    unless_stopped(stop)?;
    setup.warn();
    setup.choose_attention(&config, session.hardware()?, data.documents_per_row_max());
    let (config, data) = micro_batch::settle(session, &mut setup.plan, &wanted, config, data, stop, observe)?;
    let config = &config;
    let course = course(config, &data, resumed.as_ref());
    if let Some(resumed) = &resumed {
        resumed.check_data(data.digest)?;
        resumed.check_end(course.end)?;
    }
    observe(Event::Preparing);
    let started = Instant::now();
    let trainer = trainer(session, &setup, resumed.as_ref(), stop)?;
    let evaluator = data.eval.is_some().then(|| Evaluator::new(session, &trainer)).transpose()?;
    unless_stopped(stop)?;
    let state = resumed.map(Resumed::into_state);
    let progress = state.as_ref().map_or_else(|| Progress::beginning(clock), Progress::of);
    observe(Event::Ready {
        parameters: trainer.program().params.iter().map(graph::ParamSpec::element_count).sum(),
        trained: trainer.trained().map(graph::ParamSpec::element_count).sum(),
        first_step: progress.at.step,
        total_steps: course.total_steps(progress.at),
        seconds: started.elapsed().as_secs_f64(),
    });
    // Some of them may stand in the folder.
    let model_files = output::model_files(config, &setup, &data)?;
    // Nothing of another process's may be on its way here once this one writes.
    checkpoints.claim(folder.owner().clone())?;
    if earlier == EarlierRun::Overwritten {
        folder.remove_run()?;
    }
    write_config(config)?;
    let resumed_at = state.as_ref().map(|state| ResumedAt { step: state.step, evaluation_due: state.evaluation_due });
    let metrics = MetricsWriter::open(&config.output_dir, resumed_at, now())?;
    let checkpoints = checkpoints.with_model_files(model_files).with_mesh(mesh_sizes(&setup));
    let mut run = Run {
        config,
        setup: &setup,
        data: &data,
        base_digest: setup.base_digest(),
        evaluator,
        metrics,
        interim: resume::interim_steps(&checkpoints)?,
        saver: Saver::new(checkpoints),
        untried: None,
        save_timer: SaveTimer::new(config.save_minutes(), Instant::now()),
        course,
        schedule: plan::schedule(config, course.schedule_steps()),
        progress,
        meter: Meter::new(session, &trainer, state.map(|state| state.window).unwrap_or_default())?,
        hardware: HardwareLog::start(session),
        trainer,
        observe,
    };
    run.steps(stop)
}

/// The sizes of the mesh, by axis.
fn mesh_sizes(setup: &Setup) -> BTreeMap<String, usize> {
    let axes = setup.plan.partition.iter().flat_map(|partition| partition.mesh.axes());
    axes.map(|axis| (axis.name.to_owned(), axis.size)).collect()
}

/// The configuration with the folders that those of runs stand for: where the run goes on, as it began with them, and with the rows that it had.
pub(crate) fn folders_found(config: &TrainConfig, resumed: Option<&Resumed>) -> Result<TrainConfig, checkpoint::Error> {
    match resumed {
        Some(resumed) => plan::with_result_folders(&resumed.keep_rows(resumed.keep_folders(config))),
        None => plan::with_result_folders(config),
    }
}

/// The model on the device, with the weights and moments that the run begins with.
fn trainer<'s>(
    session: &'s Session,
    setup: &Setup,
    resumed: Option<&Resumed>,
    stop: &AtomicBool,
) -> Result<Trainer<'s>, Error> {
    let mut trainer = Trainer::new(session, setup.plan.clone(), |parameters, spec, array| {
        unless_stopped(stop)?;
        setup.parameter(parameters, spec, array)
    })?;
    if let Some(resumed) = resumed {
        resumed.restore(&mut trainer)?;
    }
    unless_stopped(stop)?;
    Ok(trainer)
}

fn course(config: &TrainConfig, data: &RunData, resumed: Option<&Resumed>) -> Course {
    let step_rows = config.micro_batch_rows() * config.gradient_accumulation_steps;
    let first_step_rows = resumed.map_or(step_rows, |resumed| resumed.state.first_step_rows);
    let end = match config.duration() {
        Duration::Steps(steps) => End::Step(steps),
        // Rounded as when the run began, so that it ends and its learning rate falls as it would have.
        duration @ (Duration::Epochs(_) | Duration::Tokens(_) | Duration::Samples(_)) => {
            End::Row(run_data::total_rows(duration, &data.train, first_step_rows))
        }
    };
    Course { step_rows, end, first_step_rows }
}

/// Writes the configuration as resolved into the run's folder. Only a run that can go on may do so, because the file is
/// what its checkpoints were made with.
fn write_config(config: &TrainConfig) -> Result<(), Error> {
    Ok(checkpoint::write_file(config.output_dir.join(CONFIG), config.to_yaml().as_bytes())?)
}
