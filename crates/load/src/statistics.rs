//! Means and percentiles.

use hdrhistogram::Histogram;
use serde::Serialize;

/// The mean and percentiles of times in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Statistics {
    /// The arithmetic mean.
    pub mean: f64,
    /// The shortest.
    pub min: f64,
    /// Half are shorter.
    pub p50: f64,
    /// Nine of ten are shorter.
    pub p90: f64,
    /// 95 of 100 are shorter.
    pub p95: f64,
    /// 99 of 100 are shorter.
    pub p99: f64,
    /// The longest.
    pub max: f64,
}

impl Statistics {
    /// Of all values, exactly; between two of them a percentile lies on the line from one to the other, as numpy has it. `None` of none.
    pub fn of(mut values: Vec<f64>) -> Option<Statistics> {
        values.sort_by(f64::total_cmp);
        let (min, max) = (*values.first()?, *values.last()?);
        let percentile = |percent: f64| {
            let at = percent / 100.0 * (values.len() - 1) as f64;
            let (below, above) = (values[at.floor() as usize], values[at.ceil() as usize]);
            below + (above - below) * at.fract()
        };
        Some(Statistics {
            mean: values.iter().sum::<f64>() / values.len() as f64,
            min,
            p50: percentile(50.0),
            p90: percentile(90.0),
            p95: percentile(95.0),
            p99: percentile(99.0),
            max,
        })
    }
}

/// Times between tokens, of which there may be more than memory should hold: counted, so that percentiles are right to three digits. Mean, least
/// and most are exact.
#[derive(Clone, Debug)]
pub(crate) struct Gaps {
    counts: Histogram<u64>,
    sum_us: u64,
    min_us: u32,
    max_us: u32,
}

impl Gaps {
    pub(crate) fn new() -> Gaps {
        let counts =
            Histogram::new_with_bounds(1, u64::from(u32::MAX), 3).expect("1 and 2^32 are bounds, and 3 are digits");
        Gaps { counts, sum_us: 0, min_us: u32::MAX, max_us: 0 }
    }

    pub(crate) fn add(&mut self, gap_us: u32) {
        // Pieces that came at once count as the shortest time that is told.
        self.counts.saturating_record(u64::from(gap_us).max(1));
        self.sum_us = self.sum_us.saturating_add(gap_us.into());
        self.min_us = self.min_us.min(gap_us);
        self.max_us = self.max_us.max(gap_us);
    }

    pub(crate) fn statistics(&self) -> Option<Statistics> {
        let count = self.counts.len();
        let (min, max) = (f64::from(self.min_us) / 1e3, f64::from(self.max_us) / 1e3);
        let percentile = |percent| (self.counts.value_at_percentile(percent) as f64 / 1e3).clamp(min, max);
        (count > 0).then(|| Statistics {
            mean: self.sum_us as f64 / 1e3 / count as f64,
            min,
            p50: percentile(50.0),
            p90: percentile(90.0),
            p95: percentile(95.0),
            p99: percentile(99.0),
            max,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: of 1, 2, 3, 4, 10 the 90th percentile stands at 3.6, 0.6 of the way from 4 to 10.
    #[test]
    fn percentiles_are_those_computed_by_hand() {
        let statistics = Statistics::of(vec![3.0, 1.0, 10.0, 2.0, 4.0]).unwrap();
        let expected = [4.0, 1.0, 3.0, 7.6, 8.8, 9.76, 10.0];
        let Statistics { mean, min, p50, p90, p95, p99, max } = statistics;
        for (told, expected) in [mean, min, p50, p90, p95, p99, max].into_iter().zip(expected) {
            assert!((told - expected).abs() < 1e-12, "{told} for {expected}");
        }
        assert_eq!(
            Statistics::of(vec![2.5]).unwrap(),
            Statistics { mean: 2.5, min: 2.5, p50: 2.5, p90: 2.5, p95: 2.5, p99: 2.5, max: 2.5 }
        );
        assert_eq!(Statistics::of(Vec::new()), None);
    }

    /// Of 1 to 1,000 ms, and an hour once.
    #[test]
    fn counted_percentiles_are_right_to_three_digits() {
        let mut gaps = Gaps::new();
        assert_eq!(gaps.statistics(), None);
        (1..=1000).for_each(|ms| gaps.add(ms * 1000));
        let told = gaps.statistics().unwrap();
        assert_eq!((told.mean, told.min, told.max), (500.5, 1.0, 1000.0));
        for (told, expected) in [(told.p50, 500.0), (told.p90, 900.0), (told.p95, 950.0), (told.p99, 990.0)] {
            assert!((told - expected).abs() <= 1e-3 * expected, "{told} for {expected}");
        }
        gaps.add(0);
        gaps.add(3_600_000_000);
        let told = gaps.statistics().unwrap();
        assert_eq!((told.min, told.max), (0.0, 3.6e6));
    }
}
