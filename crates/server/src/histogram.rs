//! A histogram that many threads add to.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts of observations by their upper bounds, as Prometheus has them.
#[derive(Debug)]
pub(crate) struct Histogram {
    bounds: &'static [f64],
    /// For each bound those at most it and above the one before, then the rest.
    counts: Vec<AtomicU64>,
    /// In millionths.
    sum: AtomicU64,
}

/// Bounds of times to a first token, in seconds.
pub(crate) const FIRST_TOKEN_SECONDS: &[f64] = &[
    0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0, 20.0, 40.0, 80.0, 160.0,
];
/// Bounds of times between tokens, in seconds.
pub(crate) const TOKEN_SECONDS: &[f64] =
    &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0, 2.5, 5.0];
/// Bounds of times of whole requests, in seconds.
pub(crate) const REQUEST_SECONDS: &[f64] = &[
    0.01, 0.05, 0.1, 0.3, 0.5, 0.8, 1.0, 1.5, 2.0, 2.5, 5.0, 10.0, 15.0, 20.0, 30.0, 40.0, 50.0, 60.0, 120.0, 240.0,
    480.0, 960.0, 1920.0,
];
/// Bounds of numbers of tokens.
pub(crate) const TOKENS: &[f64] = &[
    1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0, 10_000.0, 20_000.0, 50_000.0,
    100_000.0,
];

/// Bounds of numbers of answers.
pub(crate) const ANSWERS: &[f64] = &[1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0];

impl Histogram {
    pub(crate) fn new(bounds: &'static [f64]) -> Histogram {
        Histogram { bounds, counts: (0..=bounds.len()).map(|_| AtomicU64::new(0)).collect(), sum: AtomicU64::new(0) }
    }

    pub(crate) fn observe(&self, value: f64) {
        let bucket = self.bounds.partition_point(|bound| *bound < value);
        self.counts[bucket].fetch_add(1, Ordering::Relaxed);
        self.sum.fetch_add((value * 1e6).round() as u64, Ordering::Relaxed);
    }

    /// Adds its lines to `text`. `labels` are those that all lines have.
    pub(crate) fn write(&self, name: &str, labels: &str, text: &mut String) {
        let counts = self.counts.iter().map(|count| count.load(Ordering::Relaxed));
        write(name, labels, self.bounds, counts, self.sum.load(Ordering::Relaxed) as f64 / 1e6, text);
    }
}

/// Adds a histogram's lines to `text`: for each bound those at most it and above the one before, then the rest.
pub(crate) fn write(
    name: &str,
    labels: &str,
    bounds: &[f64],
    counts: impl Iterator<Item = u64>,
    sum: f64,
    text: &mut String,
) {
    let mut below = 0;
    let bounds = bounds.iter().map(|bound| bound.to_string()).chain(["+Inf".to_owned()]);
    for (bound, count) in bounds.zip(counts) {
        below += count;
        // Writing to a text does not fail.
        let _ = writeln!(text, "{name}_bucket{{{labels},le=\"{bound}\"}} {below}");
    }
    let _ = writeln!(text, "{name}_sum{{{labels}}} {sum}\n{name}_count{{{labels}}} {below}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_up() {
        let histogram = Histogram::new(&[1.0, 2.5]);
        for value in [0.5, 1.0, 2.0, 3.0] {
            histogram.observe(value);
        }
        let mut text = String::new();
        histogram.write("h", "m=\"x\"", &mut text);
        let expected = "h_bucket{m=\"x\",le=\"1\"} 2\nh_bucket{m=\"x\",le=\"2.5\"} 3\nh_bucket{m=\"x\",le=\"+Inf\"} 4\n\
                        h_sum{m=\"x\"} 6.5\nh_count{m=\"x\"} 4\n";
        assert_eq!(text, expected);
    }
}
