//! When requests come.

use std::time::Duration;

use crate::draws::{Draws, Purpose};

/// When requests come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Arrivals {
    /// So many clients, each of which asks again when it is answered.
    Closed {
        /// How many.
        clients: usize,
        /// Time over which they begin, one after the other.
        ramp: Duration,
    },
    /// As those of many people who know nothing of each other: a Poisson process, whatever the server keeps up with.
    Poisson {
        /// Requests a second.
        rate: f64,
        /// Time over which the rate grows to that.
        ramp: Duration,
    },
}

/// When a client of a closed loop begins.
pub(crate) fn begin(client: usize, clients: usize, ramp: Duration) -> Duration {
    ramp.mul_f64(client as f64 / clients.max(1) as f64)
}

/// The times of a Poisson process, from its begin on.
#[derive(Clone, Debug)]
pub(crate) struct PoissonTimes {
    seed: u64,
    number: u64,
    /// The mean number of arrivals until the last one.
    expected: f64,
    rate: f64,
    ramp: f64,
}

impl PoissonTimes {
    pub(crate) fn new(seed: u64, rate: f64, ramp: Duration) -> PoissonTimes {
        PoissonTimes { seed, number: 0, expected: 0.0, rate, ramp: ramp.as_secs_f64() }
    }
}

impl Iterator for PoissonTimes {
    /// Since the begin.
    type Item = Duration;

    /// Inverts the mean number of arrivals (Çinlar 1975): rate t^2 / (2 ramp) at first, then a line.
    fn next(&mut self) -> Option<Duration> {
        self.expected += Draws::of(self.seed, Purpose::Arrival, self.number).exponential();
        self.number += 1;
        let in_ramp = 0.5 * self.rate * self.ramp;
        let seconds = match self.expected < in_ramp {
            true => (2.0 * self.ramp * self.expected / self.rate).sqrt(),
            false => self.ramp + (self.expected - in_ramp) / self.rate,
        };
        Duration::try_from_secs_f64(seconds).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draws::tests::kolmogorov;

    fn times(rate: f64, ramp: u64, until: f64) -> Vec<f64> {
        let times = PoissonTimes::new(3, rate, Duration::from_secs(ramp));
        times.map(|time| time.as_secs_f64()).take_while(|time| *time < until).collect()
    }

    #[test]
    fn gaps_are_exponential_and_arrivals_uniform() {
        let times = times(50.0, 0, 400.0);
        assert!((19_500..20_500).contains(&times.len()), "{}", times.len());
        let gaps = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(kolmogorov(gaps, |gap| 1.0 - (-50.0 * gap).exp()) < 1.95);
        assert!(kolmogorov(times, |time| time / 400.0) < 1.95);
    }

    /// In a ramp of 100 s to 40 a second there are 2,000 before its end and 4,000 in the 100 s behind it.
    #[test]
    fn the_rate_grows_over_the_ramp() {
        let times = times(40.0, 100, 200.0);
        let expected = |time: f64| if time < 100.0 { 0.2 * time * time } else { 2000.0 + 40.0 * (time - 100.0) };
        assert!((5750..6250).contains(&times.len()), "{}", times.len());
        assert!(kolmogorov(times, |time| expected(time) / 6000.0) < 1.95);
    }

    #[test]
    fn clients_begin_one_after_the_other() {
        let ramp = Duration::from_secs(2);
        assert_eq!([0, 1, 3].map(|client| begin(client, 4, ramp).as_millis()), [0, 500, 1500]);
    }
}
