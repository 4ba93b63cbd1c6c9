//! Learning-rate schedules, equal to those of transformers' `optimization.py` (`get_*_schedule_with_warmup`).

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

/// What the learning rate does after warm-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScheduleKind {
    /// Stays at the peak.
    Constant,
    /// Falls in a straight line, to 0 at the last step.
    Linear,
    /// Falls along half a cosine wave, to `min_ratio` of the peak at the last step.
    #[default]
    Cosine,
}

/// The learning rate as a function of the step: linear warm-up from 0, then what [`ScheduleKind`] says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Schedule {
    kind: ScheduleKind,
    peak_learning_rate: f64,
    warmup_steps: u64,
    total_steps: u64,
    min_ratio: f64,
}

impl Schedule {
    /// A schedule over `total_steps` optimizer steps, of which the first `warmup_steps` rise to `peak_learning_rate`.
    ///
    /// `min_ratio` (0 to 1) is the floor of [`ScheduleKind::Cosine`] as a part of the peak; the other kinds have none.
    #[must_use]
    pub fn new(
        kind: ScheduleKind,
        peak_learning_rate: f64,
        warmup_steps: u64,
        total_steps: u64,
        min_ratio: f64,
    ) -> Self {
        Self { kind, peak_learning_rate, warmup_steps, total_steps, min_ratio }
    }

    /// The rate of the update that follows `step` finished ones, so that 0 is the first update. With warm-up the first
    /// update has rate 0, as torch's `LambdaLR` gives it.
    ///
    /// Past the end the rate stays where it ended. (transformers lets the cosine rise again, which no run wants.)
    #[must_use]
    pub fn learning_rate(&self, step: u64) -> f64 {
        self.learning_rate_at(step as f64)
    }

    /// As [`Schedule::learning_rate`], between steps: where a run goes on with larger batches, say, its steps are fractions of those
    /// that the schedule counts.
    #[must_use]
    pub fn learning_rate_at(&self, steps: f64) -> f64 {
        self.peak_learning_rate * self.factor(steps)
    }

    fn factor(&self, steps: f64) -> f64 {
        let warmup = self.warmup_steps as f64;
        if steps < warmup {
            return steps / warmup;
        }
        let decay_steps = self.total_steps.saturating_sub(self.warmup_steps).max(1);
        let progress = ((steps - warmup) / decay_steps as f64).min(1.0);
        match self.kind {
            ScheduleKind::Constant => 1.0,
            ScheduleKind::Linear => 1.0 - progress,
            ScheduleKind::Cosine => self.min_ratio + (1.0 - self.min_ratio) * 0.5 * (1.0 + (PI * progress).cos()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_decay_steps_the_rate_is_finite() {
        for kind in [ScheduleKind::Constant, ScheduleKind::Linear, ScheduleKind::Cosine] {
            for (warmup_steps, total_steps) in [(0, 0), (5, 5), (9, 5)] {
                let schedule = Schedule::new(kind, 1.0, warmup_steps, total_steps, 0.1);
                for step in 0..12 {
                    let rate = schedule.learning_rate(step);
                    assert!((0.0..=1.0).contains(&rate), "{kind:?} {warmup_steps}/{total_steps} at {step}: {rate}");
                }
            }
        }
    }

    #[test]
    fn the_rate_stays_at_its_floor_past_the_end() {
        let schedule = Schedule::new(ScheduleKind::Cosine, 2e-4, 10, 100, 0.1);
        assert!((schedule.learning_rate(100) - 2e-5).abs() < 1e-18);
        assert_eq!(schedule.learning_rate(100).to_bits(), schedule.learning_rate(150).to_bits());
    }
}
