//! What a run measures of its steps: loss, speed, memory.

use std::time::{Duration, Instant};

use graph::DType;
use runtime::Session;
use serde::{Deserialize, Serialize};

use crate::flops::{ModelFlops, bf16_peak};
use crate::metrics::{StepRecord, now};
use crate::{Error, StepOutcome, Trainer};

/// The part of a [`Meter`] that a resumed run goes on with.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct WindowState {
    /// The bits of `loss_sum`, because decimals are not always read back to the same number.
    loss_sum_bits: u64,
    targets: u64,
}

/// Memory is read at most once in this time, because a step may take a millisecond.
const MEMORY_INTERVAL: Duration = Duration::from_secs(1);

/// Measures steps. Means are over the window of steps since the last record.
pub(crate) struct Meter<'s> {
    session: &'s Session,
    flops: ModelFlops,
    has_z_loss: bool,
    has_router_loss: bool,
    /// The devices that share a step out among them.
    devices: usize,
    /// A device's peak in FLOP/s at the type that is computed in.
    peak_flops: Option<f64>,
    peak_memory: Option<u64>,
    memory_read: Option<Instant>,
    pace: Pace,
    loss_sum: f64,
    targets: u64,
}

/// How fast the steps of a window went.
struct Pace {
    /// When the step before the window ended.
    started: Instant,
    /// When the newest step ended.
    ended: Instant,
    steps: u64,
    tokens: u64,
}

impl Pace {
    fn beginning(now: Instant) -> Pace {
        Pace { started: now, ended: now, steps: 0, tokens: 0 }
    }

    /// Takes in a step that ended at that moment. Where the next one is seen to have ended with it, or behind it in less than an eighth of its time, as on a machine that
    /// is busy with other things, the two share the time.
    fn add(&mut self, tokens: u64, ended: Instant, next_ended: Option<Instant>) {
        let shortest = ended.saturating_duration_since(self.ended) / 8;
        let together = next_ended.filter(|next| next.saturating_duration_since(ended) < shortest || *next <= ended);
        let span = together.unwrap_or(ended).saturating_duration_since(self.ended);
        self.ended += if together.is_some() { span / 2 } else { span };
        self.steps += 1;
        self.tokens += tokens;
    }

    /// Leaves out time in which no step was computed.
    fn pause(&mut self, paused: Duration) {
        self.started += paused;
        self.ended += paused;
    }

    fn seconds(&self) -> f64 {
        self.ended.saturating_duration_since(self.started).as_secs_f64().max(1e-9)
    }
}

/// What a step's record says besides what is measured here.
pub(crate) struct Step {
    /// Steps done, this one included.
    pub(crate) step: u64,
    /// Passes over the data done.
    pub(crate) epoch: f64,
    /// Tokens trained on.
    pub(crate) tokens: u64,
    pub(crate) learning_rate: f64,
    pub(crate) outcome: StepOutcome,
}

impl<'s> Meter<'s> {
    pub(crate) fn new(session: &'s Session, trainer: &Trainer<'_>, state: WindowState) -> Result<Meter<'s>, Error> {
        let plan = trainer.plan();
        let device = session.devices()[0].kind()?;
        let WindowState { loss_sum_bits, targets } = state;
        Ok(Meter {
            session,
            flops: ModelFlops::of(plan)?,
            has_z_loss: plan.loss.z_loss_multiplier > 0.0,
            has_router_loss: plan.model.has_auxiliary_loss(),
            devices: plan.device_count(),
            // Of products in 8 bits it says nothing.
            peak_flops: bf16_peak(&device).filter(|_| plan.compute == DType::BF16 && plan.products.is_none()),
            peak_memory: None,
            memory_read: None,
            pace: Pace::beginning(Instant::now()),
            loss_sum: f64::from_bits(loss_sum_bits),
            targets,
        })
    }

    pub(crate) fn state(&self) -> WindowState {
        WindowState { loss_sum_bits: self.loss_sum.to_bits(), targets: self.targets }
    }

    /// Takes in a step of so many tokens, with when it ended, and the next one, if it has.
    pub(crate) fn add(&mut self, outcome: &StepOutcome, tokens: u64, ended: Instant, next_ended: Option<Instant>) {
        self.pace.add(tokens, ended, next_ended);
        self.loss_sum += outcome.loss * outcome.target_tokens as f64;
        self.targets += outcome.target_tokens;
    }

    /// Leaves out time in which no step was computed.
    pub(crate) fn pause(&mut self, paused: Duration) {
        self.pace.pause(paused);
    }

    /// Begins a new window.
    pub(crate) fn restart(&mut self) {
        self.pace = Pace::beginning(self.pace.ended);
        (self.loss_sum, self.targets) = (0.0, 0);
    }

    /// The record of a step that was taken in: its loss is the window's mean over target tokens.
    pub(crate) fn record(&mut self, step: &Step) -> StepRecord {
        let seconds = self.pace.seconds();
        let tokens_per_second = self.pace.tokens as f64 / seconds;
        let of_device = tokens_per_second / self.devices as f64;
        let (full, causal) = (self.flops.full() * of_device, self.flops.causal() * of_device);
        StepRecord {
            step: step.step,
            epoch: step.epoch,
            tokens: step.tokens,
            // No number where nothing was counted.
            loss: self.loss_sum / self.targets as f64,
            learning_rate: step.learning_rate,
            grad_norm: step.outcome.grad_norm,
            z_loss: self.has_z_loss.then_some(step.outcome.z_loss),
            router_aux_loss: self.has_router_loss.then_some(step.outcome.router_aux_loss),
            tokens_per_second,
            step_ms: seconds * 1e3 / self.pace.steps as f64,
            model_tflops: Some(full / 1e12),
            model_tflops_causal: Some(causal / 1e12),
            mfu: self.peak_flops.map(|peak| full / peak),
            mfu_causal: self.peak_flops.map(|peak| causal / peak),
            peak_memory_bytes: self.peak_memory(),
            time: now(),
        }
    }

    /// The most memory that was in use on a device, where the platform tells.
    fn peak_memory(&mut self) -> Option<u64> {
        if self.memory_read.is_none_or(|read| read.elapsed() >= MEMORY_INTERVAL) {
            self.memory_read = Some(Instant::now());
            // Training does not end for a counter that cannot be read.
            self.peak_memory = self.session.memory_of_each(self.devices).ok().flatten().and_then(|memory| memory.peak);
        }
        self.peak_memory
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_between_steps_does_not_slow_them() {
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let mut pace = Pace::beginning(start);
        pace.add(100, after(2), None);
        pace.pause(Duration::from_secs(7));
        pace.add(100, after(11), None);
        assert_eq!((pace.seconds(), pace.steps, pace.tokens), (4.0, 2, 200));
        // A window begins where the last step of the one before ended, or the pause behind it.
        pace = Pace::beginning(pace.ended);
        pace.add(100, after(14), Some(after(15)));
        assert_eq!((pace.seconds(), pace.steps, pace.tokens), (3.0, 1, 100));
        pace = Pace::beginning(pace.ended);
        pace.pause(Duration::from_secs(4));
        pace.add(100, after(20), None);
        assert_eq!((pace.seconds(), pace.steps, pace.tokens), (2.0, 1, 100));
    }

    #[test]
    fn steps_that_are_seen_to_end_together_share_their_time() {
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        // When a step is seen to end, and when the next one was by then.
        for (ends, expected) in [
            ([(2, None), (4, None), (6, None)], [2.0, 2.0, 2.0]),
            ([(4, Some(4)), (4, None), (6, None)], [2.0, 2.0, 2.0]),
            // The next one's end was noted, and this one's not.
            ([(5, Some(4)), (4, None), (6, None)], [2.0, 2.0, 2.0]),
            ([(2, None), (6, Some(6)), (6, None)], [2.0, 2.0, 2.0]),
            ([(3, Some(5)), (5, None), (6, None)], [3.0, 2.0, 1.0]),
            // One behind the other.
            ([(17, Some(18)), (18, None), (27, None)], [9.0, 9.0, 9.0]),
        ] {
            let mut pace = Pace::beginning(start);
            let seconds = ends.map(|(ended, next)| {
                pace = Pace::beginning(pace.ended);
                pace.add(1, after(ended), next.map(after));
                pace.seconds()
            });
            assert_eq!(seconds, expected, "{ends:?}");
        }
    }
}
