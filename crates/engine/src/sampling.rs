//! How the next token is chosen from its logits. The device chooses it (`batch/choice.rs`).

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
        for (name, part) in [("top_p", top_p), ("min_p", min_p)] {
            check(name, part, (0.0..=1.0).contains(&part), "it should be from 0 to 1")?;
        }
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

    /// The settings.
    pub(crate) fn options(&self) -> &SamplingOptions {
        &self.options
    }

    /// Whether what has been said matters.
    pub(crate) fn has_penalties(&self) -> bool {
        self.options.repetition_penalty != 1.0 || self.counts_tokens()
    }

    /// Whether it matters which tokens the answer has, and how often.
    pub(crate) fn counts_tokens(&self) -> bool {
        self.options.frequency_penalty != 0.0 || self.options.presence_penalty != 0.0
    }

    /// The seed of the draws.
    pub fn seed(&self) -> u64 {
        self.options.seed
    }
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
    fn settings_out_of_range_are_refused() {
        let usual = SamplingOptions { temperature: 1.0, ..SamplingOptions::default() };
        let cases = [
            (SamplingOptions { temperature: -1.0, ..usual }, "temperature is -1, but"),
            (SamplingOptions { temperature: f64::NAN, ..usual }, "temperature is NaN, but"),
            (SamplingOptions { top_p: -0.1, ..usual }, "top_p is -0.1, but"),
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
}
