//! How often and how much a key may ask.

use std::time::{Duration, Instant};

/// An allowance that fills up evenly over a minute. It may be overdrawn: what a request takes is known when it is done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    per_minute: f64,
    left: f64,
    at: Instant,
}

/// How an allowance stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Standing {
    pub(crate) limit: u64,
    pub(crate) remaining: u64,
    /// Until it is full.
    pub(crate) reset: Duration,
}

impl Allowance {
    pub(crate) fn new(per_minute: u64, now: Instant) -> Allowance {
        Allowance { per_minute: per_minute as f64, left: per_minute as f64, at: now }
    }

    fn fill(&mut self, now: Instant) {
        let minutes = now.saturating_duration_since(self.at).as_secs_f64() / 60.0;
        self.left = (self.left + minutes * self.per_minute).min(self.per_minute);
        self.at = now.max(self.at);
    }

    /// Whether `amount` is there; if not, how long until it is.
    pub(crate) fn check(&mut self, amount: f64, now: Instant) -> Result<(), Duration> {
        self.fill(now);
        // More than fits is there when it is full.
        let missing = amount.min(self.per_minute) - self.left;
        if missing <= 0.0 { Ok(()) } else { Err(self.time_for(missing)) }
    }

    /// Takes `amount`, whether or not it is there.
    pub(crate) fn take(&mut self, amount: f64, now: Instant) {
        self.fill(now);
        self.left -= amount;
    }

    pub(crate) fn standing(&mut self, now: Instant) -> Standing {
        self.fill(now);
        let reset = self.time_for(self.per_minute - self.left);
        Standing { limit: self.per_minute as u64, remaining: self.left.max(0.0) as u64, reset }
    }

    fn time_for(&self, amount: f64) -> Duration {
        // A file of keys refuses 0, and no debt takes longer than a day to be worth telling.
        Duration::try_from_secs_f64(60.0 * amount / self.per_minute).unwrap_or(Duration::from_secs(86_400))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allowance_empties_and_fills() {
        let start = Instant::now();
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        let mut allowance = Allowance::new(6, start);
        for _ in 0..6 {
            assert_eq!(allowance.check(1.0, start), Ok(()));
            allowance.take(1.0, start);
        }
        assert_eq!(allowance.check(1.0, start), Err(Duration::from_secs(10)));
        assert_eq!(allowance.check(1.0, at(10)), Ok(()));
        allowance.take(1.0, at(10));
        let standing = allowance.standing(at(15));
        assert_eq!((standing.limit, standing.remaining), (6, 0));
        assert_eq!(standing.reset, Duration::from_secs(55));
        assert_eq!(allowance.standing(at(1000)).remaining, 6, "it holds no more than a minute's");
    }

    #[test]
    fn an_overdrawn_allowance_is_paid_back_first() {
        let start = Instant::now();
        let mut allowance = Allowance::new(60, start);
        allowance.take(90.0, start);
        assert_eq!(allowance.standing(start).remaining, 0);
        assert_eq!(allowance.check(1.0, start), Err(Duration::from_secs(31)));
        assert_eq!(allowance.check(1.0, start + Duration::from_secs(31)), Ok(()));
    }

    #[test]
    fn a_clock_that_stands_still_or_goes_back_gives_nothing() {
        let start = Instant::now() + Duration::from_secs(10);
        let mut allowance = Allowance::new(1, start);
        allowance.take(1.0, start);
        assert!(allowance.check(1.0, start - Duration::from_secs(5)).is_err());
        assert!(allowance.check(1.0, start).is_err());
    }
}
