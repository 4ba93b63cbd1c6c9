//! `generation_config.json`: how a model's makers mean it to be sampled.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::SamplingOptions;
use crate::error::Result;

/// What of Hugging Face's `generation_config.json` decides answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
pub struct GenerationConfig {
    /// Whether to sample at all; otherwise the likeliest token is taken.
    #[serde(default)]
    pub do_sample: Option<bool>,
    /// Tokens after which an answer is cut off.
    #[serde(default)]
    pub max_new_tokens: Option<u32>,
    /// Divisor of the logits.
    #[serde(default)]
    pub temperature: Option<f64>,
    /// How many of the likeliest tokens may be drawn.
    #[serde(default)]
    pub top_k: Option<usize>,
    /// Probability that the tokens which may be drawn add up to.
    #[serde(default)]
    pub top_p: Option<f64>,
    /// Least share of the likeliest token's probability with which a token may be drawn.
    #[serde(default)]
    pub min_p: Option<f64>,
    /// Factor against tokens that are there already.
    #[serde(default)]
    pub repetition_penalty: Option<f64>,
    /// Taken from the logit of a token for each time that the answer has it. Transformers does not know it, other engines do.
    #[serde(default)]
    pub frequency_penalty: Option<f64>,
    /// Taken from the logit of each token that the answer has. Transformers does not know it, other engines do.
    #[serde(default)]
    pub presence_penalty: Option<f64>,
}

/// What changes transformers' answers and not ours, with the number that changes nothing.
const NOT_IMPLEMENTED: [(&str, Option<f64>); 21] = [
    // What transformers writes where nobody has set it.
    ("max_length", Some(20.0)),
    ("stop_strings", None),
    ("guidance_scale", Some(1.0)),
    ("penalty_alpha", Some(0.0)),
    ("exponential_decay_length_penalty", None),
    ("num_beams", Some(1.0)),
    ("num_beam_groups", Some(1.0)),
    ("no_repeat_ngram_size", Some(0.0)),
    ("encoder_no_repeat_ngram_size", Some(0.0)),
    ("encoder_repetition_penalty", Some(1.0)),
    ("bad_words_ids", None),
    ("suppress_tokens", None),
    ("begin_suppress_tokens", None),
    ("forced_bos_token_id", None),
    ("forced_eos_token_id", None),
    ("sequence_bias", None),
    ("min_new_tokens", Some(0.0)),
    ("min_length", Some(0.0)),
    ("typical_p", Some(1.0)),
    ("epsilon_cutoff", Some(0.0)),
    ("eta_cutoff", Some(0.0)),
];

fn is_ignored(key: &str, value: &Value) -> bool {
    let idle = NOT_IMPLEMENTED.iter().find(|(known, _)| *known == key).map(|(_, idle)| *idle);
    idle.is_some_and(|idle| !value.is_null() && (idle.is_none() || value.as_f64() != idle))
}

impl GenerationConfig {
    /// Reads the file of a model folder; a folder without one gives the defaults.
    ///
    /// # Errors
    /// The file cannot be read or is malformed.
    pub fn read(folder: &Path) -> Result<GenerationConfig> {
        let path = folder.join("generation_config.json");
        if !path.exists() {
            return Ok(GenerationConfig::default());
        }
        let whole: Map<String, Value> = checkpoint::read_config(&path)?;
        let ignored: Vec<&str> =
            whole.iter().filter(|(key, value)| is_ignored(key, value)).map(|(key, _)| key.as_str()).collect();
        if !ignored.is_empty() {
            tracing::warn!(
                "{} has what is not implemented, and changes nothing here: {}",
                path.display(),
                ignored.join(", ")
            );
        }
        Ok(checkpoint::read_config(path)?)
    }

    /// The settings, as transformers fills in what the file leaves out. Without `do_sample` only the penalties hold.
    pub fn sampling(&self) -> SamplingOptions {
        match self.do_sample {
            Some(true) => self.draws(50),
            Some(false) | None => self.penalties(),
        }
    }

    /// The settings of a server where a request says nothing, as OpenAI's API and vLLM have them: what the file leaves out draws from all tokens at
    /// temperature 1. Only a `do_sample` that is false takes the likeliest.
    pub fn served(&self) -> SamplingOptions {
        match self.do_sample {
            Some(false) => self.penalties(),
            Some(true) | None => self.draws(0),
        }
    }

    fn draws(&self, top_k: usize) -> SamplingOptions {
        SamplingOptions {
            temperature: self.temperature.unwrap_or(1.0),
            top_k: self.top_k.unwrap_or(top_k),
            top_p: self.top_p.unwrap_or(1.0),
            min_p: self.min_p.unwrap_or(0.0),
            ..self.penalties()
        }
    }

    fn penalties(&self) -> SamplingOptions {
        SamplingOptions {
            repetition_penalty: self.repetition_penalty.unwrap_or(1.0),
            frequency_penalty: self.frequency_penalty.unwrap_or(0.0),
            presence_penalty: self.presence_penalty.unwrap_or(0.0),
            ..SamplingOptions::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_server_draws_unless_the_file_says_that_nobody_does() {
        let settings = |file: Value| {
            let file: GenerationConfig = serde_json::from_value(file).unwrap();
            let told = |options: SamplingOptions| (options.temperature, options.top_k);
            [told(file.sampling()), told(file.served())]
        };
        assert_eq!(settings(json!({})), [(0.0, 0), (1.0, 0)]);
        assert_eq!(settings(json!({"do_sample": true})), [(1.0, 50), (1.0, 0)]);
        assert_eq!(settings(json!({"do_sample": false, "temperature": 0.6})), [(0.0, 0); 2]);
        assert_eq!(settings(json!({"temperature": 0.6, "top_k": 20})), [(0.0, 0), (0.6, 20)]);
    }

    #[test]
    fn what_changes_nothing_is_not_told() {
        for (key, value) in
            [("num_beams", json!(1)), ("typical_p", json!(1)), ("min_length", json!(0)), ("top_k", json!(5))]
        {
            assert!(!is_ignored(key, &value), "{key}");
        }
        for (key, value) in [
            ("num_beams", json!(4)),
            ("max_length", json!(125)),
            ("bad_words_ids", json!([[97]])),
            ("no_repeat_ngram_size", json!(2)),
        ] {
            assert!(is_ignored(key, &value), "{key}");
        }
        assert!(!is_ignored("suppress_tokens", &Value::Null));
    }
}
