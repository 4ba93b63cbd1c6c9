//! How a run begins: its folder, what it goes on from, its data, its model on the device.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use checkpoint::{Checkpoints, Claim, Trained};
use graph::ParamSpec;
use models::Float8Part;
use runtime::{Memory, Session};
use serde::{Deserialize, Serialize};

use crate::config::{Duration, TrainConfig};
use crate::evaluation::Evaluator;
use crate::event::{Ending, Event};
use crate::hardware_log::HardwareLog;
use crate::improvement::Improvement;
use crate::meter::Meter;
use crate::metrics::{MetricsWriter, ResumedAt, now};
use crate::position::{Course, End, Position};
use crate::processes::{self, Processes, Stop};
use crate::recorder::StepRecorder;
use crate::resume::{Resumed, TrainerState};
use crate::run::{Progress, Run};
use crate::run_data::RunData;
use crate::run_folder::{CONFIG, EarlierRun, RunFolder};
use crate::save_timer::SaveTimer;
use crate::saver::Saver;
use crate::setup::Setup;
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

/// Trains as `config` says. Where the session is one of several processes, all of them call this with the same configuration.
///
/// # Errors
/// See [`Error`]; whatever happens, complete checkpoints stay.
pub fn run(config: &TrainConfig, options: RunOptions<'_>) -> Result<Ending, Error> {
    let processes = Processes::of(options.session);
    match start_and_train(config, options) {
        Err(Error::Stopped) => Ok(Ending::Unstarted),
        result => result.inspect_err(|error| processes.fail(error)),
    }
}

/// Refuses to go on with other data than then, or beyond the run's end.
fn fit(resumed: &mut Resumed, config: &TrainConfig, data: &RunData, course: Course) -> Result<(), Error> {
    resumed.check_data(data.digest)?;
    resumed.check_end(course.end)?;
    let goes_on = course.next(resumed.state.position()).is_some();
    resumed.compare_evaluations(data.evaluated(config), goes_on);
    Ok(())
}

fn start_and_train(config: &TrainConfig, options: RunOptions<'_>) -> Result<Ending, Error> {
    let RunOptions { session, cache, stop, earlier, observe } = options;
    let processes = Processes::of(session);
    let accumulation = config.gradient_accumulation_steps;
    let (asked, stop) = (stop, Stop::new(stop, processes));
    stop.check()?;
    let (mut folder, claim) = take_folder(config, earlier, processes)?;
    let Origin { checkpoints, mut resumed, clock } = Origin::find(config, earlier, &claim, session)?;
    observe(Event::Found);
    let wanted = folders_found(config, resumed.as_ref())?;
    let keep_rows = |wanted, resumed: &Resumed| resumed.keep_rows(wanted, session.device_count());
    let wanted = resumed.iter().try_fold(wanted, keep_rows)?;
    let config = micro_batch::fewest(&wanted, session.device_count())?;
    let mut setup = set_up(&config, session, resumed.as_ref(), &wanted)?;
    warn(&setup, &config);
    stop.check()?;
    let data = processes.one_of_each_machine_first("the data", || {
        RunData::for_model(&config, &setup.plan.model, cache, clock, asked, observe)
    });
    // Who was asked to stop while it read has no data, and the others end with it.
    stop.check()?;
    let data = data?;
    processes.agree("what is trained on what", || in_common(&config, &setup, &data, session))?;
    let (config, data) = micro_batch::settle(session, &mut setup, &wanted, config, data, stop, observe)?;
    setup.choose_kernels(&config, session.hardware()?, data.documents_per_row_max());
    let config = &config;
    let course = course(config, &data, resumed.as_ref());
    if let Some(resumed) = &mut resumed {
        fit(resumed, config, &data, course)?;
    }
    observe(Event::Preparing);
    let started = Instant::now();
    let trainer = trainer(session, &setup, resumed.as_ref(), stop)?;
    let evaluator = data.eval.is_some().then(|| Evaluator::new(session, &trainer)).transpose()?;
    stop.check()?;
    let state = resumed.map(Resumed::into_state);
    let progress = state.as_ref().map_or_else(|| Progress::beginning(clock), Progress::of);
    observe(ready(&trainer, course, progress.at, started));
    // Some of them may stand in the folder.
    let model_files = if processes.is_first() { output::model_files(config, &setup, &data)? } else { Vec::new() };
    let metrics = begin_files(folder.as_mut(), &checkpoints, config, earlier, state.as_ref(), course)?;
    let checkpoints = checkpoints.with_model_files(model_files).with_mesh(mesh_sizes(&setup));
    let mut run = Run {
        config,
        processes,
        setup: &setup,
        data: &data,
        accumulation,
        // It stands in checkpoints, which the first process writes.
        base_digest: if processes.is_first() { setup.base_digest() } else { None },
        evaluator,
        metrics,
        claim: folder.is_some().then_some(claim),
        interim: if processes.is_first() { resume::interim_steps(&checkpoints)? } else { Vec::new() },
        saver: Saver::new(checkpoints),
        untried: None,
        save_timer: SaveTimer::new(config.save_minutes(), Instant::now()),
        course,
        schedule: plan::schedule(config, course.schedule_steps()),
        recorder: StepRecorder::new(config.profile_steps, progress.at.step, course.total_steps(progress.at)),
        progress,
        meter: Meter::new(session, &trainer, state.as_ref().map(|state| state.window).unwrap_or_default())?,
        unrecorded: state.and_then(|state| state.unrecorded),
        hardware: HardwareLog::start(session),
        trainer,
        observe,
    };
    // Before the run lets go of its devices, which may wait for those of the others.
    run.steps(stop).inspect_err(|error| processes.fail(error))
}

/// How long other machines may take to see what the first process has written. NFS remembers for a minute that a file was not there.
const SHARED_WITHIN: std::time::Duration = std::time::Duration::from_secs(75);

/// Takes the run's folder, before anything in it is changed or relied on. The first process holds it for all.
fn take_folder(
    config: &TrainConfig,
    earlier: EarlierRun,
    processes: Processes<'_>,
) -> Result<(Option<RunFolder>, Claim), Error> {
    let mut held = None;
    let told = processes.told_by_first("the run's folder", || {
        let mut folder = RunFolder::lock(config, earlier)?;
        let claim = folder.claim()?;
        held = Some(folder);
        Ok(serde_json::to_vec(&claim).expect("strings and numbers are JSON"))
    })?;
    let claim = serde_json::from_slice(&told).expect("the first process is of this version");
    processes.share(&config.output_dir, &claim, SHARED_WITHIN)?;
    Ok((held, claim))
}

/// What is trained, from where, and how long that took since `started`.
pub(crate) fn ready(trainer: &Trainer<'_>, course: Course, at: Position, started: Instant) -> Event<'static> {
    Event::Ready {
        parameters: trainer.program().params.iter().filter(|spec| is_counted(spec)).map(ParamSpec::element_count).sum(),
        trained: trainer.trained().map(ParamSpec::element_count).sum(),
        first_step: at.step,
        total_steps: course.total_steps(at),
        seconds: started.elapsed().as_secs_f64(),
    }
}

/// Whether a parameter's elements are a model's, and not the same once more in another order.
fn is_counted(spec: &ParamSpec) -> bool {
    Float8Part::of(spec).is_none_or(|part| part == Float8Part::Values)
}

/// Of what a run may not be meant to do.
pub(crate) fn warn(setup: &Setup, config: &TrainConfig) {
    setup.warn();
    run_data::warn_of_unread(config);
}

/// What is trained on which devices.
pub(crate) fn set_up(
    config: &TrainConfig,
    session: &Session,
    resumed: Option<&Resumed>,
    wanted: &TrainConfig,
) -> Result<Setup, Error> {
    let mut setup = Setup::new(config, session.hardware()?)?;
    if let Some(resumed) = resumed {
        resumed.check_settings(wanted, &setup)?;
    }
    memory_guard::check_batches(setup.plan.batch, Memory::of_host())?;
    (_, setup.plan.partition) = layout::partition(config, &setup.plan, session.platform(), session.device_count())?;
    // A plan for one device has no mesh, and each process would train alone.
    session.places(setup.plan.device_count())?;
    Ok(setup)
}

/// Where a run begins: as its first process finds it, for all.
struct Origin {
    checkpoints: Checkpoints,
    resumed: Option<Resumed>,
    /// What chat templates see as now, in seconds since 1970.
    clock: i64,
}

/// What the first process tells the others of it.
#[derive(Serialize, Deserialize)]
struct Told {
    /// The checkpoint's folder, and what the run's evaluations have shown up to there.
    checkpoint: Option<(PathBuf, Improvement)>,
    clock: i64,
}

impl Origin {
    fn find(config: &TrainConfig, earlier: EarlierRun, claim: &Claim, session: &Session) -> Result<Origin, Error> {
        let processes = Processes::of(session);
        let writers = processes::writers(session)?;
        let mut found = None;
        let told = processes.told_by_first("the origin", || {
            // What opening takes away may be another's, if one has taken the run over meanwhile.
            claim.check(&config.output_dir)?;
            let mut checkpoints = Checkpoints::open(&config.output_dir)?.with_claim(claim.clone());
            let resumed = Resumed::find(config, &mut checkpoints, earlier == EarlierRun::Resumed)?;
            let clock = resumed.as_ref().map_or_else(|| now() as i64, |resumed| resumed.state.clock);
            let checkpoint = resumed.as_ref().map(|resumed| (resumed.path(), resumed.state.improvement));
            found = Some(Origin { checkpoints: checkpoints.among(Arc::clone(&writers)), resumed, clock });
            Ok(serde_json::to_vec(&Told { checkpoint, clock }).expect("a configuration's paths are text"))
        })?;
        if let Some(found) = found {
            return Ok(found);
        }
        let Told { checkpoint, clock } = serde_json::from_slice(&told).expect("the first process is of this version");
        let resumed = checkpoint.map(|(path, improvement)| Resumed::told(&path, improvement)).transpose()?;
        // Behind the first process, which has taken away what was left there unfinished.
        let checkpoints = Checkpoints::open_among(&config.output_dir, writers)?.with_claim(claim.clone());
        Ok(Origin { checkpoints, resumed, clock })
    }
}

/// What all processes must have in common, or they would wait for each other's other programs: a line for each.
fn in_common(config: &TrainConfig, setup: &Setup, data: &RunData, session: &Session) -> String {
    let folder =
        |folder: &Option<PathBuf>| folder.as_ref().map_or("none".to_owned(), |path| path.display().to_string());
    let client = session.client();
    let lines = [
        ("plugin", format!("{} {}", client.platform_name(), client.platform_version().replace('\n', " "))),
        ("devices of each process", session.devices().len().to_string()),
        ("base_model", folder(&config.base_model)),
        ("lora_model_dir", folder(&config.lora_model_dir)),
        ("model", setup.model_json.to_string()),
        ("datasets", data.digest.to_string()),
        ("data to evaluate", data.eval_digest.map_or("none".to_owned(), |digest| digest.to_string())),
        ("rows to evaluate", data.eval.as_ref().map_or(0, |eval| eval.rows_per_epoch()).to_string()),
    ];
    lines.iter().map(|(key, value)| format!("{key}: {value}\n")).collect()
}

/// Takes an earlier run away that is to be overwritten, and begins the run's own files.
fn begin_files(
    folder: Option<&mut RunFolder>,
    checkpoints: &Checkpoints,
    config: &TrainConfig,
    earlier: EarlierRun,
    state: Option<&TrainerState>,
    course: Course,
) -> Result<MetricsWriter, Error> {
    let Some(folder) = folder else { return Ok(MetricsWriter::silent()) };
    // Compiling takes long enough for another to have come.
    checkpoints.check_claim()?;
    folder.begin();
    if earlier == EarlierRun::Overwritten {
        folder.remove_run()?;
    }
    if !state.is_some_and(|state| is_finished(config, course, state)) {
        write_config(config)?;
    }
    if state.is_some() {
        tell_of_trained(&config.output_dir);
    }
    let resumed_at = state.map(|state| ResumedAt {
        step: state.step,
        evaluation_due: state.evaluation_due,
        record_due: state.unrecorded.is_some(),
    });
    Ok(MetricsWriter::open(&config.output_dir, resumed_at, now())?)
}

/// Says of which step the model is that an earlier part of the run has left in its folder, which is in use there until the run ends again.
fn tell_of_trained(run: &Path) {
    match Trained::find(run) {
        Ok(Some(Trained { file, step: Some(step) })) => {
            tracing::info!("{} is of step {step} until the run ends", file.display());
        }
        Ok(Some(Trained { file, step: None })) => {
            tracing::info!("{} is of an earlier step until the run ends", file.display());
        }
        Ok(None) => {}
        Err(error) => tracing::warn!("{error}; it is written anew when the run ends"),
    }
}

/// The sizes of the mesh, by axis.
fn mesh_sizes(setup: &Setup) -> BTreeMap<String, usize> {
    let axes = setup.plan.partition.iter().flat_map(|partition| partition.mesh.axes());
    axes.map(|axis| (axis.name.to_owned(), axis.size)).collect()
}

/// The configuration with the folders that those of runs stand for: where the run goes on, as it began with them.
pub(crate) fn folders_found(config: &TrainConfig, resumed: Option<&Resumed>) -> Result<TrainConfig, checkpoint::Error> {
    match resumed {
        Some(resumed) => plan::with_result_folders(&resumed.keep_folders(config)),
        None => plan::with_result_folders(config),
    }
}

/// The model on the device, with the weights and moments that the run begins with.
pub(crate) fn trainer<'s>(
    session: &'s Session,
    setup: &Setup,
    resumed: Option<&Resumed>,
    stop: Stop<'_>,
) -> Result<Trainer<'s>, Error> {
    let mut trainer = Trainer::new(session, setup.plan.clone(), |parameters, spec, array| {
        stop.check()?;
        setup.parameter(parameters, spec, array)
    })?;
    if let Some(resumed) = resumed {
        resumed.restore(&mut trainer)?;
    }
    stop.check()?;
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

/// Whether a run that goes on takes no step, and has the configuration that its steps were taken with.
fn is_finished(config: &TrainConfig, course: Course, state: &TrainerState) -> bool {
    let has_ended = course.next(state.position()).is_none();
    let is_over = has_ended || state.improvement.is_over(config.early_stopping_patience);
    is_over && config.output_dir.join(CONFIG).is_file()
}

/// Writes the configuration as resolved into the run's folder. Only a run that can go on may do so, because the file is
/// what its checkpoints were made with.
pub(crate) fn write_config(config: &TrainConfig) -> Result<(), Error> {
    Ok(checkpoint::write_file(config.output_dir.join(CONFIG), config.to_yaml().as_bytes())?)
}
