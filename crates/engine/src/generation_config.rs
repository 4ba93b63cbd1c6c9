//! `generation_config.json`: how a model's makers mean it to be sampled.

use std::path::Path;

use serde::Deserialize;

use crate::SamplingOptions;
use crate::error::Result;

/// What of Hugging Face's `generation_config.json` decides sampling. Other keys are passed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
pub struct GenerationConfig {
    /// Whether to sample at all; otherwise the likeliest token is taken.
    #[serde(default)]
    pub do_sample: Option<bool>,
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
        Ok(checkpoint::read_config(path)?)
    }

    /// The settings, as transformers fills in what the file leaves out. Without `do_sample` only the penalties hold.
    pub fn sampling(&self) -> SamplingOptions {
        let penalties = SamplingOptions {
            repetition_penalty: self.repetition_penalty.unwrap_or(1.0),
            frequency_penalty: self.frequency_penalty.unwrap_or(0.0),
            presence_penalty: self.presence_penalty.unwrap_or(0.0),
            ..SamplingOptions::default()
        };
        if self.do_sample != Some(true) {
            return penalties;
        }
        SamplingOptions {
            temperature: self.temperature.unwrap_or(1.0),
            top_k: self.top_k.unwrap_or(50),
            top_p: self.top_p.unwrap_or(1.0),
            min_p: self.min_p.unwrap_or(0.0),
            ..penalties
        }
    }
}
