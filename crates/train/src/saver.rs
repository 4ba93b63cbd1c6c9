//! Checkpoints are written while training goes on: it waits for the copy from the devices to the host only.
//!
//! One at a time, so that host memory holds one copy of the state. Whoever wants the next one, or the end of the run, waits.

use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use checkpoint::{Checkpoints, TensorPart};
use graph::{DType, HostTensor};

use crate::position::Position;
use crate::resume::TrainerState;

/// The state of a run at one of its steps, in host memory.
pub(crate) struct Snapshot {
    pub(crate) at: Position,
    pub(crate) trainer_state: TrainerState,
    /// What this process has of each tensor.
    pub(crate) parts: Vec<(TensorPart, HostTensor<'static>)>,
    /// How long training waited for it.
    pub(crate) copying: Duration,
}

/// A checkpoint that was written, or was not.
pub(crate) struct Written {
    pub(crate) at: Position,
    pub(crate) interim: bool,
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

/// A run's checkpoints, and the thread that is writing one.
pub(crate) struct Saver {
    /// Absent while one is being written.
    idle: Option<Checkpoints>,
    writing: Option<Writing>,
}

struct Writing {
    step: u64,
    thread: JoinHandle<(Checkpoints, Written)>,
    /// Closed when the thread ends.
    end: Receiver<()>,
    bytes: u64,
    done: Arc<AtomicU64>,
}

/// Whoever waits is told how far the writing has come, as often as this.
const TOLD_EVERY: Duration = Duration::from_secs(5);

impl Saver {
    pub(crate) fn new(checkpoints: Checkpoints) -> Saver {
        Saver { idle: Some(checkpoints), writing: None }
    }

    /// The checkpoints, while none is being written.
    pub(crate) fn idle(&mut self) -> Option<&mut Checkpoints> {
        self.idle.as_mut()
    }

    /// The checkpoints of a run that has waited for what was being written.
    ///
    /// # Panics
    /// One is being written.
    pub(crate) fn checkpoints(&mut self) -> &mut Checkpoints {
        self.idle.as_mut().expect("the run has waited for what was being written")
    }

    /// Starts to write a checkpoint.
    ///
    /// # Panics
    /// As [`Saver::checkpoints`].
    pub(crate) fn begin(&mut self, snapshot: Snapshot) {
        let checkpoints = self.idle.take().expect("the run has waited for what was being written");
        let bytes = snapshot.parts.iter().map(|(part, _)| part.bytes() as u64).sum();
        let (step, done) = (snapshot.at.step, Arc::new(AtomicU64::new(0)));
        let (running, end) = mpsc::channel();
        let counted = Arc::clone(&done);
        let thread = std::thread::Builder::new().name("checkpoint".to_owned()).spawn(move || {
            let written = write(checkpoints, snapshot, bytes, &counted);
            drop(running);
            written
        });
        let thread = thread.expect("a thread can be started, as those before it were");
        self.writing = Some(Writing { step, thread, end, bytes, done });
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
        Some(written)
    }
}

impl Drop for Saver {
    /// A run that panics leaves nothing half written.
    fn drop(&mut self) {
        if let Some(writing) = self.writing.take() {
            // Who drops this has an error to tell already.
            let _ = writing.thread.join();
        }
    }
}

/// Writes a checkpoint whose values are all numbers.
fn write(mut checkpoints: Checkpoints, snapshot: Snapshot, bytes: u64, done: &AtomicU64) -> (Checkpoints, Written) {
    let started = Instant::now();
    let Snapshot { at, trainer_state, parts, copying } = snapshot;
    let key = |part: &TensorPart| -> (String, Vec<Range<usize>>) { (part.whole.name.clone(), part.ranges.clone()) };
    let (parts, mut tensors): (Vec<TensorPart>, HashMap<_, _>) =
        parts.into_iter().map(|(part, tensor)| (part.clone(), (key(&part), tensor))).unzip();
    let overflowed = AtomicBool::new(false);
    let saved = checkpoints.save(at.step, &trainer_state, &parts, |part| {
        // Given away, so that its memory is free once it is written.
        let tensor = tensors.remove(&key(part)).expect("each part is asked for once");
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
    let (writing, interim) = (started.elapsed(), trainer_state.interim);
    (checkpoints, Written { at, interim, copying, writing, bytes, outcome })
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

    fn snapshot(values: [f32; 2]) -> Snapshot {
        let trainer_state = json!({
            "step": 3, "rows": 6, "first_step_rows": 2, "tokens": 40, "config": "", "model": {}, "clock": 0, "evaluation_due": false,
            "interim": true, "window": {"loss_sum_bits": 0, "targets": 0},
            "improvement": Improvement::default(), "data": {"samples": 1, "tokens": 1, "crc32": 1}
        });
        let part = TensorPart::of_all(TensorSpec::new("w", DType::F32, [2]));
        Snapshot {
            at: Position { step: 3, rows: 6 },
            trainer_state: serde_json::from_value(trainer_state).unwrap(),
            parts: vec![(part, HostTensor::from_vec(&[2], values.to_vec()).unwrap())],
            copying: Duration::ZERO,
        }
    }

    #[test]
    fn training_goes_on_until_it_wants_what_is_being_written() {
        let run = tempfile::tempdir().unwrap();
        let (mut saver, release) = saver(run.path());
        let untold = |_, _, _| panic!("it does not wait");
        assert!(saver.written(untold).is_none());
        saver.begin(snapshot([1.0, 2.0]));
        assert!(saver.is_writing() && saver.is_busy());
        assert!(saver.idle().is_none());
        release.send(()).unwrap();
        let written = saver.written(|_, _, _| {}).unwrap();
        let Ok(path) = written.outcome else { panic!("it is saved") };
        assert_eq!((written.at.step, written.interim, written.bytes), (3, true, 8));
        let saved = Checkpoint::open(path).unwrap();
        assert_eq!(saved.tensors().tensor("w").unwrap().to_f32(), [1.0, 2.0]);
        assert_eq!(saver.checkpoints().steps().unwrap(), [3]);
    }

    #[test]
    fn nothing_is_saved_that_is_no_number() {
        for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let run = tempfile::tempdir().unwrap();
            let (mut saver, release) = saver(run.path());
            release.send(()).unwrap();
            saver.begin(snapshot([1.0, value]));
            let written = saver.written(|_, _, _| {}).unwrap();
            assert!(matches!(written.outcome, Err(Unsaved::NotANumber)));
            assert_eq!(saver.checkpoints().steps().unwrap(), [] as [u64; 0]);
        }
    }

    /// Whenever it happens, it is there when the run asks.
    #[test]
    fn an_error_is_kept_until_it_is_asked_for() {
        let run = tempfile::tempdir().unwrap();
        let (mut saver, release) = saver(run.path());
        std::fs::write(run.path().join("checkpoints"), "a file").unwrap();
        release.send(()).unwrap();
        saver.begin(snapshot([1.0, 2.0]));
        let Err(Unsaved::Failed(error)) = saver.written(|_, _, _| {}).unwrap().outcome else {
            panic!("a file is no folder of checkpoints")
        };
        assert!(error.to_string().contains("checkpoints/step-00000003"), "{error}");
    }
}
