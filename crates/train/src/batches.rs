//! The batches of a run, made ahead of its steps by a thread of their own.

use std::ops::Range;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::Scope;

use data::{Batch, DataLoader};

use crate::position::{Course, Position};
use crate::share::{Counts, Share};

/// Batches that wait for their step. One is being uploaded and one computed on beside them.
const AHEAD: usize = 2;

/// Batches that may exist at a time: those that wait, one being made, and the one that is uploaded.
pub(crate) const ALIVE: usize = AHEAD + 2;

/// The batch of a step.
pub(crate) struct StepBatch {
    /// With padding for the rows that are other processes'.
    pub(crate) batch: Batch,
    /// Which rows of the run it holds.
    pub(crate) rows: Range<u64>,
    /// What this process counts of it.
    pub(crate) counts: Counts,
}

/// Starts to make the batches of the steps after `at`, in order. The thread ends after the last, or once the receiver is dropped.
pub(crate) fn make_ahead<'scope>(
    scope: &'scope Scope<'scope, '_>,
    loader: &'scope DataLoader,
    course: Course,
    mut at: Position,
    share: &'scope Share,
) -> Receiver<StepBatch> {
    let (sender, receiver) = sync_channel(AHEAD);
    scope.spawn(move || {
        while let Some(rows) = course.next(at) {
            let batch = loader.batch_of(rows.clone(), |row| share.holds(row));
            let counts = share.count(&batch);
            at = Position { step: at.step + 1, rows: rows.end };
            if sender.send(StepBatch { batch, rows, counts }).is_err() {
                return;
            }
        }
    });
    receiver
}
