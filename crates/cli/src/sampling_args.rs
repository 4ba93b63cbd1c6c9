//! How answers are generated: command line before `generation_config.json` before defaults that change nothing.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, bail};
use engine::{FinishReason, GenerateOptions, Generation, Sampling, SamplingOptions};

use crate::model_args::ModelFiles;
use crate::plural::counted;
use crate::usage;

/// What was being done where a setting of the model's file is out of its range.
pub(crate) const READING_GENERATION_CONFIG: &str = "reading the settings of the model's generation_config.json";

/// How answers are generated.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Generation (defaults are those of generation_config.json, else as told)")]
pub(crate) struct SamplingArgs {
    /// Tokens after which an answer is cut off [default: 512]
    #[arg(long, value_name = "N", value_parser = usage::whole::<usize>(1..=u64::MAX))]
    max_tokens: Option<usize>,

    /// 0 takes the likeliest token; higher is more varied [default: 0]
    #[arg(long, value_name = "X", value_parser = setting(|temperature| SamplingOptions { temperature, ..SamplingOptions::default() }))]
    temperature: Option<f64>,

    /// Draw from the fewest tokens that together have this probability [default: 1]
    #[arg(long, value_name = "P", value_parser = setting(|top_p| SamplingOptions { top_p, ..SamplingOptions::default() }))]
    top_p: Option<f64>,

    /// Draw from this many of the likeliest tokens; 0 is all, and so is -1 [default: 0]
    #[arg(long, value_name = "K", value_parser = top_k)]
    top_k: Option<usize>,

    /// Draw from tokens at least this many times as likely as the likeliest [default: 0]
    #[arg(long, value_name = "P", value_parser = setting(|min_p| SamplingOptions { min_p, ..SamplingOptions::default() }))]
    min_p: Option<f64>,

    /// Divide the logits of tokens that prompt or answer have, or multiply negative ones; 1 changes nothing [default: 1]
    #[arg(long, value_name = "X", value_parser = setting(|repetition_penalty| SamplingOptions { repetition_penalty, ..SamplingOptions::default() }))]
    repetition_penalty: Option<f64>,

    /// Take this from a token's logit for each time that the answer has it, -2 to 2 [default: 0]
    #[arg(long, value_name = "X", value_parser = setting(|frequency_penalty| SamplingOptions { frequency_penalty, ..SamplingOptions::default() }))]
    frequency_penalty: Option<f64>,

    /// Take this once from the logit of each token that the answer has, -2 to 2 [default: 0]
    #[arg(long, value_name = "X", value_parser = setting(|presence_penalty| SamplingOptions { presence_penalty, ..SamplingOptions::default() }))]
    presence_penalty: Option<f64>,

    /// Seed of the draws, with which an answer can be had again [default: the time, and it is shown]
    #[arg(long, value_name = "N", value_parser = usage::seed)]
    seed: Option<u64>,

    /// Text at which an answer ends, without being part of it; may be given several times
    #[arg(long, value_name = "TEXT", value_parser = stop_text)]
    stop: Vec<String>,

    /// Longest text, prompt and answer together, in tokens [default: the longest that the model is meant for]
    #[arg(long, value_name = "N", value_parser = usage::whole::<usize>(1..=u64::MAX))]
    pub(crate) context: Option<usize>,
}

/// A number that the engine takes as the setting of that name.
fn setting(options: impl Fn(f64) -> SamplingOptions + Clone) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| {
        let number = text.parse().map_err(|_| "it should be a number".to_owned())?;
        match Sampling::new(options(number)) {
            Ok(_) => Ok(number),
            Err(engine::Error::Setting { rule, .. }) => Err(rule),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// So many tokens; 0 is all of them, which vLLM calls -1.
fn top_k(text: &str) -> Result<usize, String> {
    if text == "-1" { Ok(0) } else { text.parse().map_err(|_| "it should be -1, 0 or more".to_owned()) }
}

/// A text that is not in every answer.
fn stop_text(text: &str) -> Result<String, String> {
    if text.is_empty() { Err("it should have a character or more".to_owned()) } else { Ok(text.to_owned()) }
}

impl SamplingArgs {
    /// The options of answers of the model with these files.
    ///
    /// # Errors
    /// A setting of generation_config.json is out of its range, or the context longer than the model's.
    pub(crate) fn options(&self, files: &ModelFiles) -> anyhow::Result<GenerateOptions> {
        if let (Some(context), Some(longest)) = (self.context, files.model.context())
            && context > longest
        {
            bail!(
                "--context is {context}, and the model is meant for texts of up to {longest} tokens: give it that or less"
            );
        }
        let from_file = files.generation_config.sampling();
        let sampling = Sampling::new(SamplingOptions {
            temperature: self.temperature.unwrap_or(from_file.temperature),
            top_k: self.top_k.unwrap_or(from_file.top_k),
            top_p: self.top_p.unwrap_or(from_file.top_p),
            min_p: self.min_p.unwrap_or(from_file.min_p),
            repetition_penalty: self.repetition_penalty.unwrap_or(from_file.repetition_penalty),
            frequency_penalty: self.frequency_penalty.unwrap_or(from_file.frequency_penalty),
            presence_penalty: self.presence_penalty.unwrap_or(from_file.presence_penalty),
            seed: self.seed.unwrap_or_else(seed_of_the_time),
        });
        // Those of the command line were looked at where they were read.
        let sampling = sampling.context(READING_GENERATION_CONFIG)?;
        let given = [
            ("--top-p", self.top_p.is_some()),
            ("--top-k", self.top_k.is_some()),
            ("--min-p", self.min_p.is_some()),
            ("--seed", self.seed.is_some()),
        ];
        let idle: Vec<&str> = given.into_iter().filter(|(_, given)| *given).map(|(name, _)| name).collect();
        if !sampling.draws() && !idle.is_empty() {
            let change = if idle.len() == 1 { "changes" } else { "change" };
            tracing::warn!(
                "at temperature 0 the likeliest token is taken, so {} {change} nothing: give --temperature",
                idle.join(", ")
            );
        }
        let of_model = files.generation_config.max_new_tokens.map(|tokens| tokens as usize);
        let max_tokens = self.max_tokens.or(of_model).unwrap_or(512).max(1);
        Ok(GenerateOptions { max_tokens, sampling, stop: self.stop.clone() })
    }

    /// Refuses a prompt of so many tokens if nothing can follow it.
    ///
    /// # Errors
    /// It fills the context.
    pub(crate) fn check_room(&self, tokens: usize, files: &ModelFiles) -> anyhow::Result<()> {
        match self.context.or(files.model.context()) {
            Some(context) if tokens >= context => {
                bail!("{}", self.in_words(&engine::Error::NoRoom { tokens, context }, files))
            }
            _ => Ok(()),
        }
    }

    /// What is said of an answer's error: of a prompt that a longer context has room for, that too.
    pub(crate) fn in_words(&self, error: &engine::Error, files: &ModelFiles) -> String {
        match error {
            engine::Error::NoRoom { tokens, .. } => format!("{error}{}", self.longer(*tokens, files)),
            error => error.to_string(),
        }
    }

    /// That a longer context can be asked for, where that has room for more than so many tokens.
    pub(crate) fn longer(&self, tokens: usize, files: &ModelFiles) -> String {
        match (self.context, files.model.context()) {
            (None, _) => String::new(),
            (Some(_), None) => ", or raise --context".to_owned(),
            (Some(context), Some(longest)) if context < longest && tokens < longest => {
                format!(", or raise --context, up to {longest}")
            }
            (Some(_), Some(_)) => String::new(),
        }
    }

    /// Says so if an answer is not over, and why.
    pub(crate) fn warn_if_cut(&self, generation: &Generation, options: &GenerateOptions, files: &ModelFiles) {
        if generation.finish != FinishReason::Length {
            return;
        }
        if generation.tokens.len() >= options.max_tokens {
            let tokens = counted(options.max_tokens as u64, "token");
            tracing::warn!("the answer was cut off after {tokens}: raise --max-tokens for more");
        } else {
            let context = generation.prompt_tokens + generation.tokens.len();
            let longer = self.longer(context, files);
            tracing::warn!(
                "the answer was cut off where the context of {context} tokens ends: shorten the prompt{longer}"
            );
        }
    }
}

/// Short enough to be typed again.
fn seed_of_the_time() -> u64 {
    let nanoseconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    (nanoseconds / 1000 % 1_000_000_000) as u64
}
