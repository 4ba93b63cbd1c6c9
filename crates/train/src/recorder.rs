//! Recording steps with the plugin's profiler, and what that says of them.

use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use graph::Places;
use hlo::{Module, Space};
use profile::{Launched, Profile, Recording};
use runtime::{OptimizedProgram, Profiler, Session};

use crate::config::ProfileSteps;
use crate::{Error, PendingOutcome, Trainer};

/// What was recorded of steps.
pub struct Recorded {
    /// How many.
    pub steps: u64,
    /// How long they took by the host's clock.
    pub took: Duration,
    /// The step's program as it was compiled.
    optimized: OptimizedProgram,
    /// What the lines of its text compute.
    places: Places,
    /// What the plugin recorded.
    space: Result<Vec<u8>, ProfileError>,
}

/// Where steps' time went, as far as this process's devices tell.
#[derive(Debug)]
pub struct StepProfile {
    /// Summed up.
    pub profile: Profile,
    /// Every kernel, in the form that Perfetto opens.
    pub trace: String,
    /// As the plugin recorded it, which XProf and TensorBoard read; `None` of what is estimated.
    pub space: Option<Vec<u8>>,
}

/// Why steps have no profile.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// The plugin records nothing.
    #[error("the plugin of {platform} has no profiler")]
    NoProfiler {
        /// The platform's name.
        platform: String,
    },
    /// The plugin fails to record.
    #[error(transparent)]
    Plugin(#[from] runtime::PjrtError),
    /// The program cannot be read.
    #[error(transparent)]
    Program(#[from] hlo::Malformed),
    /// What was recorded cannot be read.
    #[error(transparent)]
    Space(#[from] hlo::Unreadable),
    /// Nothing ran, as far as the recording says.
    #[error("the plugin's profiler recorded nothing of any device{0}")]
    Nothing(String),
    /// A file of it cannot be written.
    #[error(transparent)]
    File(#[from] checkpoint::Error),
    /// A file of the profile before it cannot be removed.
    #[error("removing {} of the profile before: {cause}", path.display())]
    Old {
        /// Which.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
}

impl ProfileError {
    fn nothing(space: &Space) -> ProfileError {
        let told = space.errors.iter().chain(&space.warnings).map(|told| format!(": {told}"));
        ProfileError::Nothing(told.collect())
    }
}

/// A recording that is under way.
pub(crate) struct Recorder {
    profiler: Result<Profiler, ProfileError>,
    started: Instant,
}

impl Recorder {
    /// Begins to record. Steps that were launched before are to be over, or they are in it.
    pub(crate) fn start(session: &Session) -> Recorder {
        let client = session.client();
        let missing = || ProfileError::NoProfiler { platform: client.platform_name().to_owned() };
        let profiler = Profiler::start(client.plugin());
        let profiler = profiler.map_err(ProfileError::Plugin).and_then(|found| found.ok_or_else(missing));
        Recorder { profiler, started: Instant::now() }
    }

    /// Ends the recording of so many steps, which are over.
    pub(crate) fn stop(self, trainer: &Trainer<'_>, steps: u64) -> Result<Recorded, Error> {
        let took = self.started.elapsed();
        let space = self.profiler.and_then(|profiler| profiler.stop().map_err(ProfileError::Plugin));
        let optimized = trainer.executable().program().optimized()?;
        Ok(Recorded { steps, took, optimized, places: trainer.program().program.places.clone(), space })
    }
}

impl Recorded {
    /// Whether the plugin has a profiler.
    pub fn has_profiler(&self) -> bool {
        !matches!(self.space, Err(ProfileError::NoProfiler { .. }))
    }

    /// The step's program as it was compiled.
    fn module(&self) -> Result<Module, ProfileError> {
        Ok(Module::read(&self.optimized.format, &self.optimized.code)?)
    }

    /// Where the time of the steps went.
    ///
    /// # Errors
    /// Nothing was recorded, or it cannot be read.
    pub fn profile(self) -> Result<StepProfile, ProfileError> {
        let module = self.module()?;
        let space = Space::read(self.space.as_ref().map_or(&[], Vec::as_slice))?;
        let recorded = self.space?;
        let seconds = self.took.as_secs_f64();
        let found = summed_up(&module, &self.places, &Recording { space: &space, steps: self.steps, seconds });
        let (profile, trace) = found.ok_or_else(|| ProfileError::nothing(&space))?;
        Ok(StepProfile { profile, trace, space: Some(recorded) })
    }

    /// The same of times that were not recorded but made up by `estimate` of a step's program and its seconds; with what it assumes.
    ///
    /// # Errors
    /// The program cannot be read.
    pub fn estimated(
        &self,
        estimate: impl FnOnce(&Module, f64) -> (Space, String),
    ) -> Result<StepProfile, ProfileError> {
        let module = self.module()?;
        let seconds = self.took.as_secs_f64() / self.steps.max(1) as f64;
        let (space, assumed) = estimate(&module, seconds);
        let found = summed_up(&module, &self.places, &Recording { space: &space, steps: 1, seconds });
        let (profile, trace) = found.ok_or_else(|| ProfileError::Nothing(String::new()))?;
        let profile = Profile { estimate: Some(assumed), steps: self.steps, ..profile };
        Ok(StepProfile { profile, trace, space: None })
    }
}

fn summed_up(module: &Module, places: &Places, recording: &Recording<'_>) -> Option<(Profile, String)> {
    let program = profile::Program::new(module, places);
    Some((Profile::of(&program, recording)?, profile::trace(&program, recording.space)))
}

impl StepProfile {
    /// Writes all of it into a folder, and gives the trace's path. A table stands beside no recording but its own, wherever this ends.
    ///
    /// # Errors
    /// A file cannot be written, and what was there stays; or one that was there cannot be replaced or removed.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, ProfileError> {
        let (table, json) = (self.profile.to_string(), serde_json::to_string_pretty(&self.profile));
        let json = format!("{}\n", json.expect("numbers and texts are JSON"));
        let [text, summary, trace, space] = PROFILE_FILES.map(|name| folder.join(name));
        let mut recorded: Vec<(&Path, &[u8])> = vec![(&trace, self.trace.as_bytes())];
        recorded.extend(self.space.as_ref().map(|bytes| (space.as_path(), Space::trimmed(bytes))));
        checkpoint::write_together(&recorded, &[(&summary, json.as_bytes()), (&text, table.as_bytes())])?;
        // Of a profile before it, which was recorded and not estimated.
        if self.space.is_none()
            && let Err(cause) = std::fs::remove_file(&space)
            && cause.kind() != io::ErrorKind::NotFound
        {
            return Err(ProfileError::Old { path: space, cause });
        }
        Ok(trace)
    }
}

/// The files of a profile: its table, the same as JSON, the trace, and what the plugin recorded.
pub(crate) const PROFILE_FILES: [&str; 4] = ["profile.txt", "profile.json", "profile.trace.json", "profile.xplane.pb"];

/// The steps of a run that are recorded, and what becomes of that.
pub(crate) struct StepRecorder {
    /// Those that are still to be recorded.
    steps: Option<RangeInclusive<u64>>,
    recorder: Option<Recorder>,
    /// Makes the files of what was recorded, while the run goes on.
    writing: Option<JoinHandle<Result<PathBuf, ProfileError>>>,
}

impl StepRecorder {
    /// Of a run that goes on after `step` and ends after the step `last`. Where it does not take all of the steps, fewer or none are recorded, which is said.
    pub(crate) fn new(steps: Option<ProfileSteps>, step: u64, last: u64) -> StepRecorder {
        let steps = steps.and_then(|steps| {
            let (first, end) = steps.after(step).into_inner();
            if first <= step {
                tracing::warn!("profile_steps: the run goes on after step {step}, and nothing is recorded");
            } else if first > last {
                tracing::warn!(
                    "profile_steps: the run ends after step {last}, and nothing is recorded of the steps {first} to {end}"
                );
            } else if end > last {
                tracing::warn!("profile_steps: the run ends after step {last}, and the recording with it, not after step {end}");
            }
            (first > step && first <= last).then(|| first..=end.min(last))
        });
        StepRecorder { steps, recorder: None, writing: None }
    }

    /// Whether a recording begins with this step, before which all others are to be over.
    pub(crate) fn begins_with(&self, step: u64) -> bool {
        self.steps.as_ref().is_some_and(|steps| *steps.start() == step)
    }

    /// Whether a recording ends with this step, which is to be over before another begins.
    pub(crate) fn ends_with(&self, step: u64) -> bool {
        self.steps.as_ref().is_some_and(|steps| *steps.end() == step)
    }

    /// Whether the recording that is under way holds this step. It is so of all processes, which decide by it where they meet, though one records.
    pub(crate) fn holds(&self, step: u64) -> bool {
        self.steps.as_ref().is_some_and(|steps| steps.contains(&step))
    }

    /// Begins to record.
    pub(crate) fn start(&mut self, session: &Session) {
        self.recorder = Some(Recorder::start(session));
    }

    /// Ends the recording after the step `last`, and begins to write its files into a folder, unless that may not be written to; where this
    /// process records nothing, only ends it.
    pub(crate) fn stop(&mut self, trainer: &Trainer<'_>, folder: Result<&Path, checkpoint::Error>, last: u64) {
        let (steps, recorder) = (self.steps.take(), self.recorder.take());
        let Some((steps, recorder)) = steps.zip(recorder) else { return };
        if last < *steps.end() {
            tracing::warn!(
                "profile_steps: the recording ends after step {last}, behind which the run evaluates or saves, and not after step {}",
                steps.end()
            );
        }
        let recorded = recorder.stop(trainer, last - steps.start() + 1);
        match recorded.and_then(|recorded| Ok((recorded, folder?.to_path_buf()))) {
            Ok((recorded, folder)) => {
                let write = move || recorded.profile().and_then(|profile| profile.write(&folder));
                self.writing = Some(std::thread::spawn(write));
            }
            Err(error) => tracing::warn!("{UNRECORDED}: {error}"),
        }
    }

    /// The trace's path, once its files are written; waits for them if `waits`. What goes wrong is told, and no reason to end a run.
    pub(crate) fn written(&mut self, waits: bool) -> Option<PathBuf> {
        let writing = self.writing.take_if(|writing| waits || writing.is_finished())?;
        match writing.join() {
            Ok(Ok(trace)) => Some(trace),
            Ok(Err(error @ ProfileError::NoProfiler { .. })) => {
                tracing::warn!("{UNRECORDED}: {error}; `finery profile` measures steps there, and estimates the rest");
                None
            }
            Ok(Err(error)) => {
                tracing::warn!("{UNRECORDED}: {error}");
                None
            }
            Err(_) => {
                tracing::warn!("{UNRECORDED}: reading the recording failed");
                None
            }
        }
    }

    /// Says so where the run has ended before its recording.
    pub(crate) fn end(&self) {
        if let Some(steps) = &self.steps {
            tracing::warn!("{UNRECORDED}: the run has ended before step {} was over", steps.end());
        }
    }
}

/// What stands before why there is no profile.
const UNRECORDED: &str = "profile_steps: there is no profile";

/// Trains for some steps, and records those after the first `warmup`, of which there is one at least. `launch` starts the step of a number,
/// counted from 1.
///
/// # Errors
/// A step fails. Of the recording itself [`Recorded::profile`] tells.
pub fn record_steps<'s>(
    session: &Session,
    trainer: &mut Trainer<'s>,
    (warmup, steps): (u64, u64),
    mut launch: impl FnMut(&mut Trainer<'s>, u64) -> Result<PendingOutcome<'s>, Error>,
) -> Result<Recorded, Error> {
    let mut run = |trainer: &mut Trainer<'s>, numbers: RangeInclusive<u64>| {
        // As in a run, a step's outcome is read while the next one is computed.
        let mut before = None;
        for number in numbers {
            let launched = launch(trainer, number)?;
            if let Some(before) = before.replace(launched) {
                before.wait()?;
            }
        }
        before.map_or(Ok(()), |last| last.wait().map(drop))
    };
    run(trainer, 1..=warmup)?;
    let recorder = Recorder::start(session);
    run(trainer, warmup + 1..=warmup + steps)?;
    recorder.stop(trainer, steps)
}

/// What each of so many runs of `run` launches on the devices, in the order of their first launches. A run is over when `run` gives back.
///
/// # Errors
/// A run fails, or the recording.
pub fn record_launches<E: From<ProfileError>>(
    session: &Session,
    runs: usize,
    mut run: impl FnMut() -> Result<(), E>,
) -> Result<Vec<Launched>, E> {
    let recorder = Recorder::start(session);
    (0..runs).try_for_each(|_| run())?;
    let recorded = recorder.profiler?.stop().map_err(ProfileError::Plugin)?;
    let space = Space::read(&recorded).map_err(ProfileError::from)?;
    let launched = Launched::of(&space, runs);
    if launched.is_empty() { Err(ProfileError::nothing(&space).into()) } else { Ok(launched) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(steps: u64, space: Option<Vec<u8>>) -> StepProfile {
        StepProfile { profile: Profile { steps, ..Profile::default() }, trace: format!("[{steps}]"), space }
    }

    /// A recording of a GPU goes where a CPU's profile comes, which has none.
    #[test]
    fn a_folder_has_the_files_of_one_profile() {
        let folder = tempfile::tempdir().expect("a folder");
        let there = || PROFILE_FILES.map(|name| folder.path().join(name).exists());
        profile(3, Some(Vec::new())).write(folder.path()).expect("it can be written");
        assert_eq!(there(), [true; 4]);
        profile(5, None).write(folder.path()).expect("it can be written");
        assert_eq!(there(), [true, true, true, false]);
    }

    /// In place of a full disk, a file that cannot be begun: then the profile that was there is whole.
    #[test]
    fn what_cannot_be_written_replaces_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        profile(3, Some(Vec::new())).write(folder.path()).expect("it can be written");
        let read = || PROFILE_FILES.map(|name| std::fs::read(folder.path().join(name)).expect("it is there"));
        let before = read();
        let unfinished = folder.path().join(format!("{}profile.txt", atomic_file::PARTIAL));
        std::fs::create_dir(unfinished).expect("a folder in an unfinished file's place");
        profile(5, None).write(folder.path()).expect_err("no file takes a folder's place");
        assert_eq!(read(), before);
    }

    /// What cannot be written leaves no table of what was to be written, nor of what was there.
    #[test]
    fn no_table_stands_beside_another_trace() {
        let folder = tempfile::tempdir().expect("a folder");
        let [text, summary, trace, _] = PROFILE_FILES.map(|name| folder.path().join(name));
        profile(3, None).write(folder.path()).expect("it can be written");
        std::fs::remove_file(&trace).expect("it is there");
        // In place of a full disk.
        std::fs::create_dir(&trace).expect("a folder in the trace's place");
        profile(5, None).write(folder.path()).expect_err("no file takes a folder's place");
        assert!(!text.exists() && !summary.exists());
    }
}
