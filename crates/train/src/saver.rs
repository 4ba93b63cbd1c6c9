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

/// How long to wait for what is being written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wait {
    /// Not at all.
    IfDone,
    UntilDone,
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

    /// What became of the checkpoint that was being written, once it is known. `tell` learns of the step, the bytes that are written and
    /// those that will be, now and then while it waits.
    pub(crate) fn written(&mut self, wait: Wait, mut tell: impl FnMut(u64, u64, u64)) -> Option<Written> {
        let writing = self.writing.take()?;
        loop {
            let timeout = if wait == Wait::IfDone { Duration::ZERO } else { TOLD_EVERY };
            match (writing.end.recv_timeout(timeout), wait) {
                (Err(RecvTimeoutError::Timeout), Wait::IfDone) => {
                    self.writing = Some(writing);
                    return None;
                }
                (Err(RecvTimeoutError::Timeout), Wait::UntilDone) => {
                    tell(writing.step, writing.done.load(Ordering::Relaxed), writing.bytes);
                }
                (Ok(()) | Err(RecvTimeoutError::Disconnected), _) => break,
            }
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
