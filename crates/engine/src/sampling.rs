//! Choosing the next token from its logits.

use crate::error::{Error, Result};

/// How the next token is chosen: temperature, then top-k, then top-p, in transformers' order and with its rules.
///
/// Draws are a function of the seed and the token's position alone, so the same prompt, settings and seed give the same text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    temperature: f64,
    top_k: usize,
    top_p: f64,
    seed: u64,
}

impl Sampling {
    /// Always the likeliest token.
    pub const GREEDY: Sampling = Sampling { temperature: 0.0, top_k: 0, top_p: 1.0, seed: 0 };

    /// `temperature` divides the logits; 0 takes the likeliest token. `top_k` keeps that many of the likeliest, 0 all. `top_p` keeps
    /// the fewest of the likeliest that together have this probability, 1 all.
    ///
    /// # Errors
    /// A setting out of its range.
    pub fn new(temperature: f64, top_k: usize, top_p: f64, seed: u64) -> Result<Sampling> {
        let refuse = |name, value: f64, rule: &str| {
            Err(Error::Setting { name, value: value.to_string(), rule: rule.to_owned() })
        };
        if !(temperature.is_finite() && temperature >= 0.0) {
            return refuse("temperature", temperature, "it should be 0 (the likeliest token) or above");
        }
        if !(top_p > 0.0 && top_p <= 1.0) {
            return refuse("top_p", top_p, "it should be above 0 and at most 1");
        }
        Ok(Sampling { temperature, top_k, top_p, seed })
    }

    /// The token that stands at `position`, given finite logits.
    pub fn choose(&self, logits: &[f32], position: usize) -> u32 {
        if self.temperature == 0.0 {
            return likeliest(logits);
        }
        let candidates = self.candidates(logits);
        let total: f64 = candidates.iter().map(|(_, weight)| weight).sum();
        let mut left = uniform(self.seed, position as u64) * total;
        for (id, weight) in &candidates {
            left -= weight;
            if left < 0.0 {
                return *id;
            }
        }
        // Rounding can leave a little of the draw behind the last.
        candidates.last().map_or(0, |(id, _)| *id)
    }

    /// The tokens that may be drawn, each with a weight in proportion to its probability.
    fn candidates(&self, logits: &[f32]) -> Vec<(u32, f64)> {
        let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let lowest_kept = self.kth_highest(logits);
        let weight = |logit: f32| (f64::from(logit - highest) / self.temperature).exp();
        let kept = logits.iter().enumerate().filter(|(_, logit)| **logit >= lowest_kept);
        let mut candidates: Vec<(u32, f64)> = kept.map(|(id, logit)| (id as u32, weight(*logit))).collect();
        if self.top_p < 1.0 {
            let total: f64 = candidates.iter().map(|(_, weight)| weight).sum();
            // All tokens below this share add up to less than 1 - top_p, so none of them is kept: most of a vocabulary need not
            // be sorted.
            let least = total * (1.0 - self.top_p) / candidates.len() as f64;
            candidates.retain(|(_, weight)| *weight >= least);
            candidates.sort_by(|a, b| b.1.total_cmp(&a.1));
            let mut before = 0.0;
            let nucleus = candidates.iter().take_while(|(_, weight)| {
                let is_kept = before < self.top_p * total;
                before += weight;
                is_kept
            });
            let count = nucleus.count();
            candidates.truncate(count.max(1));
        }
        candidates
    }

    /// Equal logits at the border are all kept, as in transformers.
    fn kth_highest(&self, logits: &[f32]) -> f32 {
        if self.top_k == 0 || self.top_k >= logits.len() {
            return f32::NEG_INFINITY;
        }
        let mut sorted = logits.to_vec();
        *sorted.select_nth_unstable_by(self.top_k - 1, |a, b| b.total_cmp(a)).1
    }
}

/// The first of the highest logits, as torch's argmax.
fn likeliest(logits: &[f32]) -> u32 {
    let mut best = 0;
    for (id, logit) in logits.iter().enumerate() {
        if *logit > logits[best] {
            best = id;
        }
    }
    best as u32
}

/// A number in [0, 1) for each pair of seed and counter: SplitMix64 (Steele, Lea and Flood 2014).
fn uniform(seed: u64, counter: u64) -> f64 {
    const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |mut z: u64| {
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let state = mix(seed.wrapping_add(GAMMA)).wrapping_add(counter.wrapping_mul(GAMMA));
    (mix(state) >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens that can come out, by settings, for logits whose softmax is 0.5, 0.25, 0.125, 0.0625, 0.0625.
    #[test]
    fn candidates_are_those_of_transformers() {
        let logits: Vec<f32> = [0.0625f32, 0.5, 0.125, 0.25, 0.0625].map(f32::ln).to_vec();
        let cases: &[(f64, usize, f64, &[u32])] = &[
            (1.0, 0, 1.0, &[0, 1, 2, 3, 4]),
            (1.0, 1, 1.0, &[1]),
            (1.0, 3, 1.0, &[1, 2, 3]),
            // The fourth and fifth are equal: both stay.
            (1.0, 4, 1.0, &[0, 1, 2, 3, 4]),
            (1.0, 9, 1.0, &[0, 1, 2, 3, 4]),
            (1.0, 0, 0.4, &[1]),
            (1.0, 0, 0.6, &[1, 3]),
            (1.0, 0, 0.8, &[1, 2, 3]),
            // Top-p counts what top-k has left: 2/3 and 1/3.
            (1.0, 2, 0.6, &[1]),
            (1.0, 2, 0.7, &[1, 3]),
            // At temperature 1/2 the first has 0.727 of the probability.
            (0.5, 0, 0.7, &[1]),
            (0.5, 0, 0.75, &[1, 3]),
        ];
        for (temperature, top_k, top_p, expected) in cases {
            let sampling = Sampling::new(*temperature, *top_k, *top_p, 0).unwrap();
            let mut kept: Vec<u32> = sampling.candidates(&logits).into_iter().map(|(id, _)| id).collect();
            kept.sort_unstable();
            assert_eq!(kept, *expected, "temperature {temperature}, top_k {top_k}, top_p {top_p}");
        }
    }

    #[test]
    fn draws_follow_the_probabilities() {
        let logits: Vec<f32> = [0.1f32, 0.6, 0.3].map(f32::ln).to_vec();
        let sampling = Sampling::new(1.0, 0, 1.0, 7).unwrap();
        let draws = 20_000;
        let mut counts = [0usize; 3];
        for position in 0..draws {
            counts[sampling.choose(&logits, position) as usize] += 1;
        }
        for (count, expected) in counts.iter().zip([0.1, 0.6, 0.3]) {
            // Four standard deviations of the largest.
            assert!((*count as f64 / draws as f64 - expected).abs() < 0.014, "{counts:?}");
        }
    }

    #[test]
    fn draws_are_a_function_of_seed_and_position() {
        let logits = vec![0.0; 1000];
        let draw = |seed, position| Sampling::new(1.0, 0, 1.0, seed).unwrap().choose(&logits, position);
        assert_eq!(draw(1, 5), draw(1, 5));
        let of_seeds: std::collections::BTreeSet<u32> = (0..20).map(|seed| draw(seed, 5)).collect();
        let of_positions: std::collections::BTreeSet<u32> = (0..20).map(|position| draw(1, position)).collect();
        assert!(of_seeds.len() > 15 && of_positions.len() > 15, "{of_seeds:?} {of_positions:?}");
    }

    #[test]
    fn settings_out_of_range_are_refused() {
        for (temperature, top_p, name) in
            [(-1.0, 1.0, "temperature"), (f64::NAN, 1.0, "temperature"), (1.0, 0.0, "top_p"), (1.0, 1.5, "top_p")]
        {
            let error = Sampling::new(temperature, 0, top_p, 0).unwrap_err().to_string();
            assert!(error.starts_with(name), "{error}");
        }
    }

    #[test]
    fn greedy_takes_the_first_of_the_highest() {
        assert_eq!(Sampling::GREEDY.choose(&[0.0, 2.0, -1.0, 2.0], 0), 1);
    }
}
