//! Random numbers that a request has whatever happens to the others.

/// What a number is drawn for, so that more draws for one thing change nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// When the next request comes.
    Arrival,
    /// Of which model it asks.
    Model,
    /// How long prompt and answer are.
    Lengths,
    /// What the prompt says.
    Words,
    /// Who of some readers in a row is slow.
    SlowReader,
}

/// A sequence of random numbers: SplitMix64 (Steele, Lea and Flood 2014), begun by seed, purpose and number, so that request 7 of a seed is the
/// same whichever answers come first.
#[derive(Clone, Debug)]
pub struct Draws {
    state: u64,
}

const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Draws {
    /// The sequence of a request's number, for one purpose.
    pub fn of(seed: u64, purpose: Purpose, number: u64) -> Draws {
        let state = mix(seed.wrapping_add(GAMMA)).wrapping_add(purpose as u64);
        Draws { state: mix(mix(state.wrapping_mul(GAMMA)).wrapping_add(number)) }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GAMMA);
        mix(self.state)
    }

    /// In [0, 1).
    pub fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// One of 0, …, `count` - 1; 0 where `count` is 0.
    pub fn below(&mut self, count: usize) -> usize {
        // Off equal shares by no more than `count` / 2^53.
        ((self.uniform() * count as f64) as usize).min(count.saturating_sub(1))
    }

    /// Of the exponential distribution with mean 1.
    pub fn exponential(&mut self) -> f64 {
        -(1.0 - self.uniform()).ln()
    }

    /// Of the standard normal distribution (Box and Muller 1958).
    pub fn normal(&mut self) -> f64 {
        let radius = (2.0 * self.exponential()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Kolmogorov's and Smirnov's statistic times the root of the number of samples, which is above 1.95 in one of a thousand cases.
    pub(crate) fn kolmogorov(mut samples: Vec<f64>, cumulative: impl Fn(f64) -> f64) -> f64 {
        samples.sort_by(f64::total_cmp);
        let count = samples.len() as f64;
        let off = samples.iter().enumerate().flat_map(|(index, sample)| {
            let expected = cumulative(*sample);
            [(expected - index as f64 / count).abs(), ((index + 1) as f64 / count - expected).abs()]
        });
        // No number is the greatest.
        off.max_by(f64::total_cmp).unwrap_or(f64::NAN) * count.sqrt()
    }

    /// The normal distribution's, by Abramowitz and Stegun 7.1.26, to 1.5e-7.
    pub(crate) fn normal_cumulative(x: f64) -> f64 {
        let z = x.abs() / std::f64::consts::SQRT_2;
        let t = 1.0 / (1.0 + 0.327_591_1 * z);
        let series = [0.254_829_592, -0.284_496_736, 1.421_413_741, -1.453_152_027, 1.061_405_429];
        let sum = series.iter().rev().fold(0.0, |sum, factor| t * (sum + factor));
        let tail = 0.5 * sum * (-z * z).exp();
        if x > 0.0 { 1.0 - tail } else { tail }
    }

    #[test]
    fn distributions_are_those_of_their_names() {
        let sample = |draw: fn(&mut Draws) -> f64| -> Vec<f64> {
            (0..20_000).map(|number| draw(&mut Draws::of(5, Purpose::Words, number))).collect()
        };
        assert!(kolmogorov(sample(Draws::uniform), |x| x) < 1.95);
        assert!(kolmogorov(sample(Draws::exponential), |x| 1.0 - (-x).exp()) < 1.95);
        assert!(kolmogorov(sample(Draws::normal), normal_cumulative) < 1.95);
        assert!(kolmogorov(sample(|draws| draws.uniform() * 0.97), |x| x) > 1.95, "the test sees what is off by 3 %");
    }

    #[test]
    fn a_sequence_is_of_its_seed_purpose_and_number_alone() {
        let first = |seed, purpose, number| Draws::of(seed, purpose, number).next();
        let all = [
            first(1, Purpose::Arrival, 0),
            first(2, Purpose::Arrival, 0),
            first(1, Purpose::Words, 0),
            first(1, Purpose::Arrival, 1),
        ];
        for (index, number) in all.iter().enumerate() {
            assert!(!all[..index].contains(number));
        }
        assert_eq!(first(1, Purpose::Arrival, 0), all[0]);
        assert_eq!(Draws::of(1, Purpose::Words, 1).below(0), 0);
    }
}
