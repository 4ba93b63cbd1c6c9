//! Choosing the next token from its logits.

use std::collections::HashMap;

use crate::error::{Error, Result};

/// Settings of [`Sampling`], under the names of Hugging Face's `generation_config.json` where it has one. The default takes the likeliest
/// token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SamplingOptions {
    /// Divides the logits; 0 takes the likeliest token.
    pub temperature: f64,
    /// Keeps that many of the likeliest tokens; 0 keeps all.
    pub top_k: usize,
    /// Keeps the fewest of the likeliest tokens that together have this probability; 1 keeps all.
    pub top_p: f64,
    /// Keeps the tokens that have at least this share of the likeliest one's probability; 0 keeps all.
    pub min_p: f64,
    /// Divides the positive logits, and multiplies the negative, of tokens that prompt or answer have (CTRL, Keskar et al. 2019); 1
    /// changes nothing.
    pub repetition_penalty: f64,
    /// Taken from a token's logit for each time that the answer has it, as OpenAI defines it; 0 changes nothing.
    pub frequency_penalty: f64,
    /// Taken once from the logit of each token that the answer has, as OpenAI defines it; 0 changes nothing.
    pub presence_penalty: f64,
    /// Decides the draws.
    pub seed: u64,
}

impl Default for SamplingOptions {
    fn default() -> Self {
        Sampling::GREEDY.options
    }
}

/// How the next token is chosen: penalties, temperature, top-k, top-p, min-p, in transformers' order and with its rules. Penalties decide
/// the likeliest token too.
///
/// Draws are a function of the seed and the token's position alone, so the same prompt, settings and seed give the same text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    options: SamplingOptions,
}

impl Sampling {
    /// Always the likeliest token.
    pub const GREEDY: Sampling = Sampling {
        options: SamplingOptions {
            temperature: 0.0,
            top_k: 0,
            top_p: 1.0,
            min_p: 0.0,
            repetition_penalty: 1.0,
            frequency_penalty: 0.0,
            presence_penalty: 0.0,
            seed: 0,
        },
    };

    /// Checks the settings.
    ///
    /// # Errors
    /// A setting out of its range.
    pub fn new(options: SamplingOptions) -> Result<Sampling> {
        let SamplingOptions { temperature, top_p, min_p, repetition_penalty, .. } = options;
        let SamplingOptions { frequency_penalty, presence_penalty, .. } = options;
        let check = |name, value: f64, holds: bool, rule: &str| match holds {
            true => Ok(()),
            false => Err(Error::Setting { name, value: value.to_string(), rule: rule.to_owned() }),
        };
        let at_least_0 = temperature.is_finite() && temperature >= 0.0;
        check("temperature", temperature, at_least_0, "it should be 0 (the likeliest token) or above")?;
        check("top_p", top_p, top_p > 0.0 && top_p <= 1.0, "it should be above 0 and at most 1")?;
        check("min_p", min_p, (0.0..=1.0).contains(&min_p), "it should be from 0 to 1")?;
        let is_factor = repetition_penalty.is_finite() && repetition_penalty > 0.0;
        let rule = "it should be above 0; 1 changes nothing and 1.2 is a strong penalty";
        check("repetition_penalty", repetition_penalty, is_factor, rule)?;
        for (name, penalty) in [("frequency_penalty", frequency_penalty), ("presence_penalty", presence_penalty)] {
            check(name, penalty, (-2.0..=2.0).contains(&penalty), "it should be from -2 to 2; 0 changes nothing")?;
        }
        Ok(Sampling { options })
    }

    /// Whether tokens are drawn, so that the seed decides something.
    pub fn draws(&self) -> bool {
        self.options.temperature > 0.0
    }

    /// Whether each token is the likeliest by the model's own logits.
    pub(crate) fn is_plain_greedy(&self) -> bool {
        !self.draws() && !self.has_penalties()
    }

    /// The settings.
    pub(crate) fn options(&self) -> &SamplingOptions {
        &self.options
    }

    /// Whether what has been said matters.
    pub(crate) fn has_penalties(&self) -> bool {
        let SamplingOptions { repetition_penalty, frequency_penalty, presence_penalty, .. } = self.options;
        repetition_penalty != 1.0 || frequency_penalty != 0.0 || presence_penalty != 0.0
    }

    /// The seed of the draws.
    pub fn seed(&self) -> u64 {
        self.options.seed
    }

    /// Begins an answer to `prompt`.
    pub fn begin(&self, prompt: &[u32]) -> Sampler {
        let mut sampler = Sampler { sampling: *self, position: prompt.len(), times: HashMap::new() };
        if self.has_penalties() {
            sampler.times.extend(prompt.iter().map(|token| (*token, 0)));
        }
        sampler
    }

    /// The token that stands at `position`, given finite logits.
    fn choose(&self, logits: &[f32], position: usize) -> u32 {
        if !self.draws() {
            return likeliest(logits);
        }
        let candidates = self.candidates(logits);
        let total: f64 = candidates.iter().map(|(_, weight)| weight).sum();
        let mut left = uniform(self.options.seed, position as u64) * total;
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
        let highest = logits.iter().copied().max_by(f32::total_cmp).unwrap_or(f32::NEG_INFINITY);
        let lowest_kept = self.kth_highest(logits);
        let weight = |logit: f32| (f64::from(logit - highest) / self.options.temperature).exp();
        let kept = logits.iter().enumerate().filter(|(_, logit)| **logit >= lowest_kept);
        let mut candidates: Vec<(u32, f64)> = kept.map(|(id, logit)| (id as u32, weight(*logit))).collect();
        let SamplingOptions { top_p, min_p, .. } = self.options;
        if top_p < 1.0 {
            let total: f64 = candidates.iter().map(|(_, weight)| weight).sum();
            // All tokens below this share add up to less than 1 - top_p, so none of them is kept: most of a vocabulary need not
            // be sorted.
            let least = total * (1.0 - top_p) / candidates.len() as f64;
            candidates.retain(|(_, weight)| *weight >= least);
            candidates.sort_by(|a, b| b.1.total_cmp(&a.1));
            let mut before = 0.0;
            let nucleus = candidates.iter().take_while(|(_, weight)| {
                let is_kept = before < top_p * total;
                before += weight;
                is_kept
            });
            let count = nucleus.count();
            candidates.truncate(count.max(1));
        }
        // The likeliest token has the weight 1.
        candidates.retain(|(_, weight)| *weight >= min_p);
        candidates
    }

    /// Equal logits at the border are all kept, as in transformers.
    fn kth_highest(&self, logits: &[f32]) -> f32 {
        let top_k = self.options.top_k;
        if top_k == 0 || top_k >= logits.len() {
            return f32::NEG_INFINITY;
        }
        let mut sorted = logits.to_vec();
        *sorted.select_nth_unstable_by(top_k - 1, |a, b| b.total_cmp(a)).1
    }
}

/// Chooses the tokens of one answer, one after the other.
#[derive(Clone, Debug)]
pub struct Sampler {
    sampling: Sampling,
    /// Where the next token stands.
    position: usize,
    /// How often the answer has each token; 0 for those that only the prompt has. Empty if there is no penalty.
    times: HashMap<u32, u32>,
}

impl Sampler {
    /// The next token, given finite logits for it.
    pub fn next(&mut self, mut logits: Vec<f32>) -> u32 {
        self.penalise(&mut logits);
        let token = self.sampling.choose(&logits, self.position);
        self.position += 1;
        if self.sampling.has_penalties() {
            *self.times.entry(token).or_default() += 1;
        }
        token
    }

    fn penalise(&self, logits: &mut [f32]) {
        let SamplingOptions { repetition_penalty, frequency_penalty, presence_penalty, .. } = self.sampling.options;
        for (token, times) in &self.times {
            let Some(logit) = logits.get_mut(*token as usize) else { continue };
            let old = f64::from(*logit);
            let repeated = if old < 0.0 { old * repetition_penalty } else { old / repetition_penalty };
            let present = if *times > 0 { presence_penalty } else { 0.0 };
            let new = repeated - f64::from(*times) * frequency_penalty - present;
            // Logits stay finite whatever the factor.
            *logit = new.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32;
        }
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
pub(crate) fn uniform(seed: u64, counter: u64) -> f64 {
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
pub(crate) mod tests {
    use serde_json::Value;

    use super::*;

    fn sampling(temperature: f64, top_k: usize, top_p: f64, seed: u64) -> Sampling {
        Sampling::new(SamplingOptions { temperature, top_k, top_p, seed, ..SamplingOptions::default() }).unwrap()
    }

    /// Settings, logits and history of `scripts/fixtures/sampling.py`, and what transformers' processors leave of them.
    pub(crate) struct Recorded {
        pub(crate) options: SamplingOptions,
        pub(crate) logits: Vec<f32>,
        pub(crate) prompt: Vec<u32>,
        pub(crate) answer: Vec<u32>,
        /// The tokens that may be drawn, with their probabilities, by their numbers.
        pub(crate) kept: Vec<(u32, f64)>,
    }

    pub(crate) fn recorded() -> impl Iterator<Item = Recorded> {
        include_str!("../tests/fixtures/sampling.jsonl").lines().map(|line| {
            let row: Value = serde_json::from_str(line).unwrap();
            let number = |key: &str| row[key].as_f64().unwrap();
            let options = SamplingOptions {
                temperature: number("temperature"),
                top_k: number("top_k") as usize,
                top_p: number("top_p"),
                min_p: number("min_p"),
                repetition_penalty: number("repetition_penalty"),
                frequency_penalty: number("frequency_penalty"),
                presence_penalty: number("presence_penalty"),
                seed: 0,
            };
            let ids = |key: &str| serde_json::from_value::<Vec<u32>>(row[key].clone()).unwrap();
            let logits = serde_json::from_value(row["logits"].clone()).unwrap();
            let kept = serde_json::from_value(row["kept"].clone()).unwrap();
            Recorded { options, logits, prompt: ids("prompt"), answer: ids("answer"), kept }
        })
    }

    #[test]
    fn processors_are_those_of_transformers() {
        for Recorded { options, mut logits, prompt, answer, kept: expected } in recorded() {
            let mut sampler = Sampling::new(options).unwrap().begin(&prompt);
            for token in answer {
                // One token that is so likely that no setting keeps it from being chosen.
                let mut certain = vec![-1e4; logits.len()];
                certain[token as usize] = 1e4;
                assert_eq!(sampler.next(certain), token);
            }
            sampler.penalise(&mut logits);
            let mut found = sampler.sampling.candidates(&logits);
            found.sort_by_key(|(token, _)| *token);
            let total: f64 = found.iter().map(|(_, weight)| weight).sum();
            let tokens = |kept: &[(u32, f64)]| kept.iter().map(|(token, _)| *token).collect::<Vec<_>>();
            assert_eq!(tokens(&found), tokens(&expected), "{options:?}");
            for ((_, weight), (token, probability)) in found.iter().zip(&expected) {
                // Penalised logits are rounded to f32 once.
                assert!((weight / total - probability).abs() <= 1e-6, "token {token}, {options:?}");
            }
        }
    }

    #[test]
    fn penalties_decide_the_likeliest_token_too() {
        let options = SamplingOptions { repetition_penalty: 2.0, ..SamplingOptions::default() };
        let mut sampler = Sampling::new(options).unwrap().begin(&[1]);
        let logits = || vec![0.4, 1.0, 0.8, -0.1];
        assert_eq!([(); 4].map(|()| sampler.next(logits())), [2, 1, 1, 1], "halved: 0.5, then 0.4 of the second");
        let mut plain = Sampling::GREEDY.begin(&[1]);
        assert_eq!(plain.next(logits()), 1);
    }

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
            let sampling = sampling(*temperature, *top_k, *top_p, 0);
            let mut kept: Vec<u32> = sampling.candidates(&logits).into_iter().map(|(id, _)| id).collect();
            kept.sort_unstable();
            assert_eq!(kept, *expected, "temperature {temperature}, top_k {top_k}, top_p {top_p}");
        }
    }

    #[test]
    fn draws_follow_the_probabilities() {
        let logits: Vec<f32> = [0.1f32, 0.6, 0.3].map(f32::ln).to_vec();
        let sampling = sampling(1.0, 0, 1.0, 7);
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
        let draw = |seed, position| sampling(1.0, 0, 1.0, seed).choose(&logits, position);
        assert_eq!(draw(1, 5), draw(1, 5));
        let of_seeds: std::collections::BTreeSet<u32> = (0..20).map(|seed| draw(seed, 5)).collect();
        let of_positions: std::collections::BTreeSet<u32> = (0..20).map(|position| draw(1, position)).collect();
        assert!(of_seeds.len() > 15 && of_positions.len() > 15, "{of_seeds:?} {of_positions:?}");
    }

    #[test]
    fn settings_out_of_range_are_refused() {
        let usual = SamplingOptions { temperature: 1.0, ..SamplingOptions::default() };
        let cases = [
            (SamplingOptions { temperature: -1.0, ..usual }, "temperature is -1, but"),
            (SamplingOptions { temperature: f64::NAN, ..usual }, "temperature is NaN, but"),
            (SamplingOptions { top_p: 0.0, ..usual }, "top_p is 0, but"),
            (SamplingOptions { top_p: 1.5, ..usual }, "top_p is 1.5, but"),
            (SamplingOptions { min_p: -0.1, ..usual }, "min_p is -0.1, but"),
            (SamplingOptions { min_p: f64::NAN, ..usual }, "min_p is NaN, but"),
            (SamplingOptions { repetition_penalty: 0.0, ..usual }, "repetition_penalty is 0, but"),
            (SamplingOptions { repetition_penalty: f64::INFINITY, ..usual }, "repetition_penalty is inf, but"),
            (SamplingOptions { frequency_penalty: 2.5, ..usual }, "frequency_penalty is 2.5, but"),
            (SamplingOptions { presence_penalty: f64::NAN, ..usual }, "presence_penalty is NaN, but"),
        ];
        for (options, start) in cases {
            let error = Sampling::new(options).unwrap_err().to_string();
            assert!(error.starts_with(start), "{error}");
        }
    }

    #[test]
    fn greedy_takes_the_first_of_the_highest() {
        assert_eq!(Sampling::GREEDY.choose(&[0.0, 2.0, -1.0, 2.0], 0), 1);
    }
}
