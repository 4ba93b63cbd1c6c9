//! What becomes of answers where the device fails, and when it is given up.

use graph::HostTensor;
use schedule::{Scheduler, Stats};

use super::Engine;
use super::drafter::Drafter;
use crate::error::{Error, Result};
use crate::service::{Event, Failure};

/// After so many failures of steps between which no step was read the device is given up; after so many of vectors it is looked at.
const FAILURES_MAX: usize = 3;

impl Engine<'_, '_> {
    /// Counts a failure of a step.
    ///
    /// # Errors
    /// The failure, if the device is to be given up. Then all answers have failed by it.
    pub(super) fn note_step_failure(&mut self, error: Error) -> Result<()> {
        tracing::error!("{error}");
        self.step_failures += 1;
        if self.step_failures < FAILURES_MAX { Ok(()) } else { Err(self.give_up(error)) }
    }

    /// Counts a failure of a vector. A program that fails for texts of some length is its clients' trouble alone, so that it does not end the engine; a device that
    /// cannot be read at all does, whether or not anyone asks for a step.
    ///
    /// # Errors
    /// The device cannot be read. Then all answers have failed by it.
    pub(super) fn note_vector_failure(&mut self, error: Error) -> Result<()> {
        tracing::error!("{error}");
        self.vector_failures += 1;
        if self.vector_failures < FAILURES_MAX {
            return Ok(());
        }
        self.vector_failures = 0;
        let looked = self.look_at_device();
        self.with_fault(looked).map_err(|error| self.give_up(error))
    }

    /// Reads a number from the device that was just written there.
    ///
    /// # Errors
    /// The device fails.
    fn look_at_device(&self) -> Result<()> {
        let session = self.model.session();
        let number = HostTensor::from_vec(&[1], vec![1_i32]).expect("one number");
        session.download(&session.upload(&number)?)?;
        Ok(())
    }

    /// Fails all answers by that with which the device is given up.
    fn give_up(&mut self, error: Error) -> Error {
        self.fail_all(&Failure::Device(error.to_string()));
        error
    }

    /// What was read of a step: if that was no failure, steps work.
    pub(super) fn note_read<T>(&mut self, read: Result<T>) -> Result<T> {
        let read = self.with_fault(read);
        if read.is_ok() {
            self.step_failures = 0;
        }
        read
    }

    /// What was read of the device, unless a test wants a failure instead.
    pub(super) fn with_fault<T>(&mut self, read: Result<T>) -> Result<T> {
        #[cfg(test)]
        let read = super::tests::with_fault(&mut self.faults, read);
        read
    }

    pub(super) fn fail_all(&mut self, failure: &Failure) {
        self.in_flight.clear();
        let all: Vec<_> = self.live.keys().copied().collect();
        all.into_iter().for_each(|id| self.end(id, Some(Event::Failed(failure.clone()))));
        while let Some(live) = self.pending.remove_where(|_| true) {
            self.leave(live, Some(Event::Failed(failure.clone())));
        }
    }

    /// Begins anew, with nothing remembered.
    pub(super) fn recover(&mut self) -> Result<()> {
        let Stats { preemptions, prefix_queries, prefix_hits, .. } = self.scheduler.stats();
        self.before.preemptions += preemptions;
        self.before.prefix_queries += prefix_queries;
        self.before.prefix_hits += prefix_hits;
        self.scheduler = Scheduler::new(self.limits.clone())?;
        self.count();
        self.adapters.lose_device();
        self.runner.clear()?;
        self.drafter.as_mut().map_or(Ok(()), Drafter::clear)
    }
}
