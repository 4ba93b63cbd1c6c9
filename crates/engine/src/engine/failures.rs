//! What becomes of answers where the device fails, and when it is given up.

use graph::HostTensor;
use schedule::{Scheduler, Stats};

use super::Engine;
use super::drafter::Drafter;
use crate::error::{Error, Result};
use crate::service::{Event, Failure, Inbox};

/// After so many failures of steps between which no step was read the device is given up; after so many of vectors it is looked at.
const FAILURES_MAX: usize = 3;

impl Engine<'_, '_> {
    /// Counts a failure of a step.
    ///
    /// # Errors
    /// The failure, if the device is to be given up.
    pub(super) fn note_step_failure(&mut self, error: Error) -> Result<()> {
        tracing::error!("{error}");
        self.step_failures += 1;
        if self.step_failures < FAILURES_MAX { Ok(()) } else { Err(error) }
    }

    /// Counts a failure of a vector. A program that fails for texts of some length is its clients' trouble alone, so that it does not end the engine; a device that
    /// cannot be read at all does, whether or not anyone asks for a step.
    ///
    /// # Errors
    /// The device cannot be read.
    pub(super) fn note_vector_failure(&mut self, error: Error) -> Result<()> {
        tracing::error!("{error}");
        self.vector_failures += 1;
        if self.vector_failures < FAILURES_MAX {
            return Ok(());
        }
        self.vector_failures = 0;
        let looked = self.look_at_device();
        self.with_fault(looked)
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
        while let Some(live) = self.pending.remove_first() {
            self.leave(live, Some(Event::Failed(failure.clone())));
        }
    }

    /// Takes nothing more, and answers all who wait: by `failure`, or where nobody has taken their message out of the channel by dropping that, which tells
    /// them that the engine ends. Neither the scheduler nor the device is asked: a panic may have left them in the middle of something.
    pub(super) fn close(&mut self, inbox: &mut Inbox, failure: &Failure) {
        inbox.close();
        let waiting = std::iter::from_fn(|| self.pending.remove_first());
        for live in self.live.drain().map(|(_, live)| live).chain(waiting) {
            live.leave(Some(Event::Failed(failure.clone())));
        }
        for asked in self.embeddings.take_all(|_| true) {
            asked.answer(Err(failure.clone()));
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
