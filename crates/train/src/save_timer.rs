//! When a checkpoint is due by the clock.

use std::time::{Duration, Instant};

/// Tells when the last checkpoint is old.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SaveTimer {
    /// `None` saves by other rules only.
    interval: Option<Duration>,
    saved: Instant,
}

impl SaveTimer {
    /// `minutes` after each checkpoint the next is due; never for 0.
    pub(crate) fn new(minutes: f64, now: Instant) -> SaveTimer {
        let interval = Duration::try_from_secs_f64(minutes * 60.0).ok().filter(|interval| !interval.is_zero());
        SaveTimer { interval, saved: now }
    }

    pub(crate) fn is_due(&self, now: Instant) -> bool {
        self.interval.is_some_and(|interval| now.saturating_duration_since(self.saved) >= interval)
    }

    /// A checkpoint, whatever for, begins the interval anew.
    pub(crate) fn saved(&mut self, now: Instant) {
        self.saved = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_is_due_so_long_after_the_last() {
        let start = Instant::now();
        let at = |minutes: f64| start + Duration::from_secs_f64(minutes * 60.0);
        let mut timer = SaveTimer::new(10.0, start);
        assert!(!timer.is_due(at(9.99)) && timer.is_due(at(10.0)) && timer.is_due(at(25.0)));
        timer.saved(at(25.0));
        assert!(!timer.is_due(at(34.9)) && timer.is_due(at(35.0)));
    }

    #[test]
    fn without_an_interval_none_is_ever_due() {
        let start = Instant::now();
        for minutes in [0.0, f64::MAX] {
            assert!(!SaveTimer::new(minutes, start).is_due(start + Duration::from_secs(1 << 40)));
        }
    }
}
