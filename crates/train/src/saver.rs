//! Checkpoints are written while training goes on: it waits for the copy from the devices to the host only. Old ones are removed while it
//! goes on, too, because those that stay may have to be read through before.
//!
//! One at a time, so that host memory holds one copy of the state, or what there is room for of one. Whoever wants the next one, or the
//! end of the run, waits.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use checkpoint::{Checkpoints, TensorPart};
use graph::{DType, HostTensor};

use crate::handover::{Giver, Taker, handover};
use crate::position::Position;
use crate::resume::TrainerState;

/// What is to be saved of a run at one of its steps, before its values are there.
pub(crate) struct Snapshot {
    pub(crate) at: Position,
    pub(crate) trainer_state: TrainerState,
    /// What this process has of each tensor, in the order in which it will be given.
    pub(crate) parts: Vec<TensorPart>,
    /// How many bytes of it may be in host memory at a time.
    pub(crate) room: u64,
}

/// A checkpoint that was written, or was not.
pub(crate) struct Written {
    pub(crate) at: Position,
    /// Trained on up to there.
    pub(crate) tokens: u64,
    pub(crate) interim: bool,
    /// How long training waited for the copy.
    pub(crate) copying: Duration,
    pub(crate) writing: Duration,
    pub(crate) bytes: u64,
    pub(crate) outcome: Result<PathBuf, Unsaved>,
}

/// Why a checkpoint was not written.
pub(crate) enum Unsaved {
    /// A weight is no number.
    NotANumber,
    Failed(checkpoint::Error),
}

/// What became of old checkpoints.
pub(crate) struct Removed {
    /// Steps of those that were saved by the clock, and are gone.
    pub(crate) interim: Vec<u64>,
    /// The first error, of one that stays.
    pub(crate) outcome: Result<(), checkpoint::Error>,
}

/// A run's checkpoints, and the thread that is writing one or removing some.
pub(crate) struct Saver {
    /// Absent while one is being written, or old ones are being removed.
    idle: Option<Checkpoints>,
    writing: Option<Writing>,
    removing: Option<JoinHandle<(Checkpoints, Removed)>>,
}

struct Writing {
    step: u64,
    thread: JoinHandle<(Checkpoints, Written)>,
    /// Closed when the thread ends.
    end: Receiver<()>,
    bytes: u64,
    done: Arc<AtomicU64>,
    copying: Duration,
}

/// Whoever waits is told how far the writing has come, as often as this.
const TOLD_EVERY: Duration = Duration::from_secs(5);

impl Saver {
    pub(crate) fn new(checkpoints: Checkpoints) -> Saver {
        Saver { idle: Some(checkpoints), writing: None, removing: None }
    }

    /// The checkpoints, while none is being written or removed.
    pub(crate) fn idle(&mut self) -> Option<&mut Checkpoints> {
        self.idle.as_mut()
    }

    /// The checkpoints of a run that has waited for what was being written or removed.
    ///
    /// # Panics
    /// One is.
    pub(crate) fn checkpoints(&mut self) -> &mut Checkpoints {
        self.idle.as_mut().expect("the run has waited for what was being written or removed")
    }

    /// Starts to remove old checkpoints.
    ///
    /// # Panics
    /// As [`Saver::checkpoints`].
    pub(crate) fn remove(&mut self, remove: impl FnOnce(&mut Checkpoints) -> Removed + Send + 'static) {
        let mut checkpoints = self.idle.take().expect("the run has waited for what was being written or removed");
        let thread = std::thread::Builder::new().name("retention".to_owned()).spawn(move || {
            let removed = remove(&mut checkpoints);
            (checkpoints, removed)
        });
        self.removing = Some(thread.expect("a thread can be started, as those before it were"));
    }

    /// What became of the checkpoints that were being removed, once that is known; waits for it if `waits`.
    pub(crate) fn removed(&mut self, waits: bool) -> Option<Removed> {
        let removing = self.removing.take_if(|removing| waits || removing.is_finished())?;
        let (checkpoints, removed) = removing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        self.idle = Some(checkpoints);
        Some(removed)
    }

    /// Starts to write a checkpoint, of the values that the result is given next.
    ///
    /// # Panics
    /// As [`Saver::checkpoints`].
    pub(crate) fn begin(&mut self, snapshot: Snapshot) -> Giver {
        let checkpoints = self.idle.take().expect("the run has waited for what was being written or removed");
        let bytes = snapshot.parts.iter().map(|part| part.bytes() as u64).sum();
        let (step, done) = (snapshot.at.step, Arc::new(AtomicU64::new(0)));
        let (running, end) = mpsc::channel();
        let (giver, taker) = handover(snapshot.room);
        let counted = Arc::clone(&done);
        let thread = std::thread::Builder::new().name("checkpoint".to_owned()).spawn(move || {
            let written = write(checkpoints, snapshot, taker, bytes, &counted);
            drop(running);
            written
        });
        let thread = thread.expect("a thread can be started, as those before it were");
        self.writing = Some(Writing { step, thread, end, bytes, done, copying: Duration::ZERO });
        giver
    }

    /// Notes how long it took until the last value was given.
    pub(crate) fn copied(&mut self, copying: Duration) {
        if let Some(writing) = &mut self.writing {
            writing.copying = copying;
        }
    }

    /// Whether something has begun to be written of which nobody has asked what became.
    pub(crate) fn is_writing(&self) -> bool {
        self.writing.is_some()
    }

    /// Whether whoever waits would wait.
    pub(crate) fn is_busy(&self) -> bool {
        self.writing.as_ref().is_some_and(|writing| !writing.thread.is_finished())
    }

    /// What became of the checkpoint that was being written, once it is known. `tell` learns of the step, the bytes that are written and
    /// those that will be, now and then while it waits.
    pub(crate) fn written(&mut self, mut tell: impl FnMut(u64, u64, u64)) -> Option<Written> {
        let writing = self.writing.take()?;
        while writing.end.recv_timeout(TOLD_EVERY) == Err(RecvTimeoutError::Timeout) {
            tell(writing.step, writing.done.load(Ordering::Relaxed), writing.bytes);
        }
        let (checkpoints, written) = writing.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        self.idle = Some(checkpoints);
        Some(Written { copying: writing.copying, ..written })
    }
}

impl Drop for Saver {
    /// A run that panics leaves nothing half written.
    fn drop(&mut self) {
        // Who drops this has an error to tell already.
        if let Some(writing) = self.writing.take() {
            let _ = writing.thread.join();
        }
        if let Some(removing) = self.removing.take() {
            let _ = removing.join();
        }
    }
}

/// Writes a checkpoint whose values are all numbers.
fn write(
    mut checkpoints: Checkpoints,
    snapshot: Snapshot,
    mut values: Taker,
    bytes: u64,
    done: &AtomicU64,
) -> (Checkpoints, Written) {
    let started = Instant::now();
    let Snapshot { at, trainer_state, parts, .. } = snapshot;
    let overflowed = AtomicBool::new(false);
    let saved = checkpoints.save(at.step, &trainer_state, &parts, |part| {
        let (given, tensor) = values.take().ok_or("it could not be copied from the device")?;
        if given != *part {
            return Err(format!("\"{}\" was given in its place", given.whole.name).into());
        }
        if !is_finite(&tensor) {
            overflowed.store(true, Ordering::Relaxed);
            return Err("it holds values that are no numbers".into());
        }
        done.fetch_add(part.bytes() as u64, Ordering::Relaxed);
        Ok(tensor)
    });
    let outcome = saved.map_err(|error| match overflowed.load(Ordering::Relaxed) {
        true => Unsaved::NotANumber,
        false => Unsaved::Failed(error),
    });
    let (writing, TrainerState { interim, tokens, .. }) = (started.elapsed(), trainer_state);
    (checkpoints, Written { at, tokens, interim, copying: Duration::ZERO, writing, bytes, outcome })
}

/// Whether all elements of an f32 tensor are finite; other types are taken to be.
fn is_finite(tensor: &HostTensor<'_>) -> bool {
    const EXPONENT: u32 = 0x7f80_0000;
    let is_number = |bytes: &[u8; 4]| u32::from_ne_bytes(*bytes) & EXPONENT != EXPONENT;
    tensor.dtype() != DType::F32 || tensor.bytes().as_chunks().0.iter().all(is_number)
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Mutex;
    use std::sync::mpsc::Sender;

    use checkpoint::{Checkpoint, SourceError, TensorSpec, Writers};
    use serde_json::json;

    use super::*;
    use crate::improvement::Improvement;

    /// Comes to the first meeting of a save only when it is let.
    struct Held(Mutex<Receiver<()>>);

    impl Writers for Held {
        fn rank(&self) -> usize {
            0
        }

        fn count(&self) -> usize {
            1
        }

        fn count_here(&self) -> usize {
            1
        }

        fn gather(&self, what: &str, bytes: Vec<u8>) -> Result<Vec<Vec<u8>>, SourceError> {
            if what == "beginning a checkpoint" {
                self.0.lock().unwrap().recv()?;
            }
            Ok(vec![bytes])
        }
    }

    fn saver(run: &Path) -> (Saver, Sender<()>) {
        let (release, held) = mpsc::channel();
        let checkpoints = Checkpoints::open_among(run, Arc::new(Held(Mutex::new(held)))).unwrap();
        (Saver::new(checkpoints), release)
    }

    fn trainer_state() -> TrainerState {
        let state = json!({
            "step": 3, "rows": 6, "first_step_rows": 2, "tokens": 40, "config": "", "model": {}, "clock": 0, "evaluation_due": false,
            "interim": true, "window": {"loss_sum_bits": 0, "targets": 0},
            "improvement": Improvement::default(), "data": {"samples": 1, "tokens": 1, "crc32": 1}
        });
        serde_json::from_value(state).unwrap()
    }

    /// Begins to save two values.
    fn begin(saver: &mut Saver, values: [f32; 2]) {
        let part = TensorPart::of_all(TensorSpec::new("w", DType::F32, [2]));
        let giver = saver.begin(Snapshot {
            at: Position { step: 3, rows: 6 },
            trainer_state: trainer_state(),
            parts: vec![part.clone()],
            room: u64::MAX,
        });
        // Nobody takes it where the save has failed before.
        let _ = giver.give(part, HostTensor::from_vec(&[2], values.to_vec()).unwrap());
        saver.copied(Duration::from_secs(5));
    }

    #[test]
    fn training_goes_on_until_it_wants_what_is_being_written() {
        let run = tempfile::tempdir().unwrap();
        let (mut saver, release) = saver(run.path());
        let untold = |_, _, _| panic!("it does not wait");
        assert!(saver.written(untold).is_none());
        begin(&mut saver, [1.0, 2.0]);
        assert!(saver.is_writing() && saver.is_busy());
        assert!(saver.idle().is_none());
        release.send(()).unwrap();
        let written = saver.written(|_, _, _| {}).unwrap();
        let Ok(path) = written.outcome else { panic!("it is saved") };
        assert_eq!((written.at.step, written.tokens, written.interim, written.bytes), (3, 40, true, 8));
        assert_eq!(written.copying, Duration::from_secs(5));
        let saved = Checkpoint::open(path).unwrap();
        assert_eq!(saved.tensors().tensor("w").unwrap().to_f32(), [1.0, 2.0]);
        assert_eq!(saver.checkpoints().steps().unwrap(), [3]);
    }

    #[test]
    fn training_goes_on_until_it_wants_what_is_being_removed() {
        let run = tempfile::tempdir().unwrap();
        let (mut saver, release) = saver(run.path());
        release.send(()).unwrap();
        begin(&mut saver, [1.0, 2.0]);
        saver.written(|_, _, _| {}).unwrap();
        let (go_on, held) = mpsc::channel();
        saver.remove(move |checkpoints| {
            held.recv().unwrap();
            Removed { interim: vec![3], outcome: checkpoints.remove(3) }
        });
        assert!(saver.removed(false).is_none());
        assert!(saver.idle().is_none() && !saver.is_writing() && !saver.is_busy());
        go_on.send(()).unwrap();
        let removed = saver.removed(true).unwrap();
        assert_eq!((removed.interim, removed.outcome.is_ok()), (vec![3], true));
        assert!(saver.removed(true).is_none());
        assert_eq!(saver.checkpoints().steps().unwrap(), [] as [u64; 0]);
    }

    #[test]
    fn nothing_is_saved_that_is_no_number() {
        for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let run = tempfile::tempdir().unwrap();
            let (mut saver, release) = saver(run.path());
            release.send(()).unwrap();
            begin(&mut saver, [1.0, value]);
            let written = saver.written(|_, _, _| {}).unwrap();
            assert!(matches!(written.outcome, Err(Unsaved::NotANumber)));
            assert_eq!(saver.checkpoints().steps().unwrap(), [] as [u64; 0]);
        }
    }

    #[test]
    fn a_copy_that_ends_early_is_no_checkpoint() {
        let run = tempfile::tempdir().unwrap();
        let (mut saver, release) = saver(run.path());
        release.send(()).unwrap();
        let part = |name: &str| TensorPart::of_all(TensorSpec::new(name, DType::F32, [1]));
        let value = || HostTensor::from_vec(&[1], vec![1.0_f32]).unwrap();
        begin(&mut saver, [1.0, 2.0]);
        let Written { outcome: Ok(_), .. } = saver.written(|_, _, _| {}).unwrap() else { panic!("it is saved") };
        for (given, message) in
            [(None, "could not be copied from the device"), (Some("v"), "\"v\" was given in its place")]
        {
            release.send(()).unwrap();
            let at = Position { step: 4, rows: 8 };
            let giver = saver.begin(Snapshot { at, trainer_state: trainer_state(), parts: vec![part("w")], room: 0 });
            if let Some(name) = given {
                giver.give(part(name), value()).unwrap();
            }
            drop(giver);
            let Err(Unsaved::Failed(error)) = saver.written(|_, _, _| {}).unwrap().outcome else {
                panic!("it is saved")
            };
            assert!(error.to_string().ends_with(message), "{error}");
            assert_eq!(saver.checkpoints().steps().unwrap(), [3]);
        }
    }

    /// Whenever it happens, it is there when the run asks.
    #[test]
    fn an_error_is_kept_until_it_is_asked_for() {
        let run = tempfile::tempdir().unwrap();
        let (mut saver, release) = saver(run.path());
        std::fs::write(run.path().join("checkpoints"), "a file").unwrap();
        release.send(()).unwrap();
        begin(&mut saver, [1.0, 2.0]);
        let Err(Unsaved::Failed(error)) = saver.written(|_, _, _| {}).unwrap().outcome else {
            panic!("a file is no folder of checkpoints")
        };
        assert!(error.to_string().contains("checkpoints/step-00000003"), "{error}");
    }
}
