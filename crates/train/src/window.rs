//! What a line of metrics is a mean over: the steps since the line before.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::StepOutcome;

/// The part of [`Window`] that a resumed run goes on with.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct WindowState {
    /// The bits of `loss_sum`, because decimals are not always read back to the same number.
    loss_sum_bits: u64,
    targets: u64,
}

/// Loss and speed since the last line of metrics.
pub(crate) struct Window {
    started: Instant,
    steps: u64,
    tokens: u64,
    loss_sum: f64,
    targets: u64,
}

impl Window {
    pub(crate) fn new(state: WindowState) -> Window {
        let WindowState { loss_sum_bits, targets } = state;
        Window { started: Instant::now(), steps: 0, tokens: 0, loss_sum: f64::from_bits(loss_sum_bits), targets }
    }

    pub(crate) fn state(&self) -> WindowState {
        WindowState { loss_sum_bits: self.loss_sum.to_bits(), targets: self.targets }
    }

    pub(crate) fn add(&mut self, outcome: &StepOutcome, tokens: u64) {
        self.steps += 1;
        self.tokens += tokens;
        self.loss_sum += outcome.loss * outcome.target_tokens as f64;
        self.targets += outcome.target_tokens;
    }

    /// Leaves out time in which no step was computed.
    pub(crate) fn pause(&mut self, paused: Duration) {
        self.started += paused;
    }

    /// Mean loss over target tokens, in nats.
    pub(crate) fn loss(&self) -> f64 {
        self.loss_sum / self.targets.max(1) as f64
    }

    pub(crate) fn tokens_per_second(&self) -> f64 {
        self.tokens as f64 / self.started.elapsed().as_secs_f64()
    }

    pub(crate) fn step_ms(&self) -> f64 {
        self.started.elapsed().as_secs_f64() * 1e3 / self.steps as f64
    }
}
