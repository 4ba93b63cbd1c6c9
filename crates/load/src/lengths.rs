//! How many tokens prompts and answers have.

use std::fmt;
use std::str::FromStr;

use crate::draws::Draws;

/// The most tokens that a length may have.
const TOKENS_MAX: usize = 1 << 24;

/// A distribution of lengths in tokens, of at least 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lengths {
    /// Always the same.
    Fixed(usize),
    /// Each length from the first to the last with the same probability.
    Uniform(usize, usize),
    /// The logarithm is normally distributed, as lengths of what people write about are.
    Lognormal {
        /// Half are shorter.
        median: f64,
        /// The standard deviation of the natural logarithm.
        sigma: f64,
        /// Longer ones have this length.
        max: usize,
    },
}

/// Why a text is no distribution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no distribution of lengths: give a number of tokens (512), a range (128..1024), or lognormal:MEDIAN,SIGMA with a longest one behind \
     it if you like (lognormal:512,0.8,4096); lengths are from 1 to {TOKENS_MAX}"
)]
pub struct NoLengths(String);

impl Lengths {
    /// The most that is drawn, but for one of a thousand of a distribution that has no end.
    pub fn most(&self) -> usize {
        match *self {
            Lengths::Fixed(tokens) => tokens,
            Lengths::Uniform(_, max) => max,
            // Three deviations above the median.
            Lengths::Lognormal { median, sigma, max } => ((median * (3.0 * sigma).exp()) as usize).min(max),
        }
    }

    /// A length.
    pub fn draw(&self, draws: &mut Draws) -> usize {
        match *self {
            Lengths::Fixed(tokens) => tokens,
            Lengths::Uniform(min, max) => min + draws.below(max - min + 1),
            Lengths::Lognormal { median, sigma, max } => {
                let length = median * (sigma * draws.normal()).exp();
                (length.round().min(max as f64) as usize).max(1)
            }
        }
    }
}

impl FromStr for Lengths {
    type Err = NoLengths;

    fn from_str(text: &str) -> Result<Lengths, NoLengths> {
        parse(text).ok_or_else(|| NoLengths(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Lengths> {
    let tokens = |text: &str| text.trim().parse().ok().filter(|tokens| (1..=TOKENS_MAX).contains(tokens));
    if let Some(rest) = text.strip_prefix("lognormal:") {
        let parts: Vec<&str> = rest.split(',').collect();
        let (&[median, sigma] | &[median, sigma, _]) = &parts[..] else { return None };
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        return Some(Lengths::Lognormal {
            median: number(median).filter(|median| (1.0..=TOKENS_MAX as f64).contains(median))?,
            sigma: number(sigma).filter(|sigma| (0.0..=10.0).contains(sigma))?,
            max: parts.get(2).map_or(Some(TOKENS_MAX), |max| tokens(max))?,
        });
    }
    match text.split_once("..") {
        None => Some(Lengths::Fixed(tokens(text)?)),
        Some((min, max)) => {
            let (min, max) = (tokens(min)?, tokens(max)?);
            (min <= max).then_some(Lengths::Uniform(min, max))
        }
    }
}

impl fmt::Display for Lengths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lengths::Fixed(tokens) => write!(f, "{tokens}"),
            Lengths::Uniform(min, max) => write!(f, "{min}..{max}"),
            Lengths::Lognormal { median, sigma, max: TOKENS_MAX } => write!(f, "lognormal:{median},{sigma}"),
            Lengths::Lognormal { median, sigma, max } => write!(f, "lognormal:{median},{sigma},{max}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draws::Purpose;
    use crate::draws::tests::{kolmogorov, normal_cumulative};

    fn sample(lengths: &str, count: u64) -> Vec<usize> {
        let lengths: Lengths = lengths.parse().unwrap();
        (0..count).map(|number| lengths.draw(&mut Draws::of(11, Purpose::Lengths, number))).collect()
    }

    #[test]
    fn what_is_written_is_read_and_nothing_else() {
        for text in ["512", "1..8", "lognormal:512,0.8", "lognormal:512,0.8,4096"] {
            assert_eq!(text.parse::<Lengths>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "0",
            "-1",
            "8..1",
            "0..3",
            "1..",
            "99999999999",
            "lognormal:512",
            "lognormal:0,1",
            "lognormal:5,-1",
            "lognormal:5,NaN",
            "lognormal:5,1,0",
            "lognormal:5,1,9,9",
            "normal:5,1",
        ] {
            let error = text.parse::<Lengths>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{text}` is no distribution")), "{error}");
        }
    }

    /// Pearson's chi-square over the eight lengths; with seven degrees of freedom it is above 24.3 in one of a thousand cases.
    #[test]
    fn each_length_of_a_range_comes_as_often() {
        let mut counts = [0.0f64; 8];
        sample("3..10", 16_000).into_iter().for_each(|tokens| counts[tokens - 3] += 1.0);
        let chi_square: f64 = counts.iter().map(|count| (count - 2000.0).powi(2) / 2000.0).sum();
        assert!(chi_square < 24.3, "{counts:?}");
    }

    #[test]
    fn logarithms_are_normally_distributed() {
        let logs = sample("lognormal:5000,0.7", 20_000).into_iter().map(|tokens| (tokens as f64).ln()).collect();
        assert!(kolmogorov(logs, |x| normal_cumulative((x - 5000f64.ln()) / 0.7)) < 1.95);
        let cut = sample("lognormal:5000,0.7,5000", 20_000);
        let longest = cut.iter().filter(|tokens| **tokens == 5000).count();
        assert!((9700..10_300).contains(&longest) && cut.iter().all(|tokens| *tokens <= 5000), "{longest}");
        assert_eq!(sample("lognormal:1,5", 1000).into_iter().min(), Some(1));
        assert_eq!(sample("7", 3), [7, 7, 7]);
    }
}
