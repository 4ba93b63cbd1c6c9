//! `generation_config.json`: how a model's makers mean it to be sampled.

use std::path::Path;

use serde::Deserialize;

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
        Ok(checkpoint::read_json(path)?)
    }

    /// Temperature, top-k (0: all) and top-p, as transformers fills in what the file leaves out.
    pub fn sampling(&self) -> (f64, usize, f64) {
        if self.do_sample != Some(true) {
            return (0.0, 0, 1.0);
        }
        (self.temperature.unwrap_or(1.0), self.top_k.unwrap_or(50), self.top_p.unwrap_or(1.0))
    }
}
