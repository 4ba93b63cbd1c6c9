//! What is asked of the engine: the settings of a request, checked.

use std::collections::BTreeMap;
use std::sync::Arc;

use api::Settings;
use constrain::Constraint;
use engine::{Sampling, SamplingOptions};

use crate::PrefixSharing;
use crate::app::App;
use crate::constraint::Form;
use crate::error::Error;
use crate::keys::Pass;

/// The largest bias of a token, as OpenAI has it.
const BIAS_MAX: f64 = 100.0;

/// Longest `cache_salt`: each answer has a copy, and as much as nobody guesses is much shorter.
const CACHE_SALT_CHARS_MAX: usize = 1024;

/// How the answers to a request are made.
#[derive(Debug)]
pub(crate) struct Ask {
    /// The field that has what is continued.
    pub(crate) prompt_field: &'static str,
    pub(crate) adapter: Option<String>,
    pub(crate) options: SamplingOptions,
    /// Whether the request says by which seed its answers are drawn.
    has_seed: bool,
    pub(crate) logit_bias: Vec<(u32, f32)>,
    pub(crate) max_tokens: usize,
    pub(crate) min_tokens: usize,
    pub(crate) end_ids: Vec<u32>,
    pub(crate) stops: Vec<String>,
    pub(crate) logprobs: Option<usize>,
    /// Whether the prompt's log-probabilities are told by themselves, and of how many of the likeliest tokens.
    pub(crate) prompt_logprobs: Option<usize>,
    /// The same with the prompt that an answer begins with.
    pub(crate) echo_logprobs: Option<usize>,
    pub(crate) priority: Option<i32>,
    pub(crate) cache_salt: Option<String>,
    pub(crate) n: usize,
    pub(crate) skip_special_tokens: bool,
    pub(crate) streams: bool,
    pub(crate) usage: UsageWanted,
    pub(crate) form: Option<Arc<Form>>,
}

/// What a stream tells of its tokens.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct UsageWanted {
    pub(crate) last: bool,
    pub(crate) always: bool,
}

/// What the two kinds of completions name or mean differently.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Differences<'a> {
    pub(crate) model: &'a str,
    /// The field that has what is continued.
    pub(crate) prompt_field: &'static str,
    /// `None`: none are wanted.
    pub(crate) logprobs: Option<usize>,
    /// The field that says so.
    pub(crate) logprobs_field: &'static str,
    /// Whether an answer begins with its prompt.
    pub(crate) echoes: bool,
    /// `usize::MAX`: as many as the context has room for.
    pub(crate) max_tokens: usize,
    /// The field that says so.
    pub(crate) max_tokens_field: &'static str,
}

impl Ask {
    /// Checks the settings of a request.
    ///
    /// # Errors
    /// One is out of its range.
    pub(crate) fn new(
        app: &App,
        settings: &Settings,
        form: Option<Form>,
        differences: Differences<'_>,
    ) -> Result<Ask, Error> {
        let limits = &app.limits;
        let n = within("n", settings.n.unwrap_or(1), 1, limits.choices)?;
        if let Some(count) = differences.logprobs {
            within(differences.logprobs_field, count, 0, limits.likeliest)?;
        }
        let options = settings.stream_options.unwrap_or_default();
        let streams = settings.stream.unwrap_or(false);
        if settings.stream_options.is_some() && !streams {
            return Err(Error::field("stream_options", "`stream_options` belongs to a stream: set `stream` to true"));
        }
        let prompt_logprobs = prompt_logprobs(settings, limits.likeliest)?;
        // Nothing but the prompt may be asked for.
        let least = usize::from(!differences.echoes && prompt_logprobs.is_none());
        let max_tokens = within(differences.max_tokens_field, differences.max_tokens, least, usize::MAX)?;
        let min_tokens = settings.min_tokens.unwrap_or(0);
        if min_tokens > max_tokens {
            let message =
                format!("`min_tokens` is {min_tokens}, more than the {max_tokens} at which the answer is cut");
            return Err(Error::field("min_tokens", message));
        }
        let ignores_end = settings.ignore_eos.unwrap_or(false);
        if form.is_some() && (ignores_end || min_tokens > 0) {
            let message =
                "an answer of a form ends where the form does: `ignore_eos` and `min_tokens` cannot change that";
            return Err(Error::field(if ignores_end { "ignore_eos" } else { "min_tokens" }, message));
        }
        // Harnesses that score texts ask for one token behind them, and leave out the last of what they are told: an end that is not told would be one of the text's.
        let tells_end = differences.echoes && differences.logprobs.is_some() && max_tokens == 1 && form.is_none();
        let mut end_ids = if ignores_end || tells_end { Vec::new() } else { app.end_ids.clone() };
        end_ids.extend(stop_tokens(app, settings)?);
        Ok(Ask {
            prompt_field: differences.prompt_field,
            adapter: app.adapter(differences.model),
            options: sampling(app, settings)?,
            has_seed: settings.seed.is_some(),
            logit_bias: bias(app, settings.logit_bias.as_ref())?,
            max_tokens,
            min_tokens,
            end_ids,
            stops: stops(app, settings)?,
            logprobs: differences.logprobs,
            prompt_logprobs,
            echo_logprobs: differences.logprobs.filter(|_| differences.echoes),
            priority: settings.priority,
            cache_salt: cache_salt(settings)?,
            n,
            skip_special_tokens: settings.skip_special_tokens.unwrap_or(true),
            streams,
            usage: UsageWanted {
                last: options.include_usage.unwrap_or(false),
                always: options.continuous_usage_stats.unwrap_or(false),
            },
            form: form.map(Arc::new),
        })
    }

    /// Whose texts share what was computed of a prompt with this one's: those of the same salt, and where keys are kept apart of the same key.
    pub(crate) fn sharing(&self, pass: &Pass, sharing: PrefixSharing) -> Option<String> {
        let salt = self.cache_salt.as_deref();
        match sharing {
            PrefixSharing::All => salt.map(|salt| format!(":{salt}")),
            PrefixSharing::Key => Some(format!("{}:{}", pass.number(), salt.unwrap_or_default())),
        }
    }

    /// The message to the engine for the answer number `choice` to the request's prompt number `index`. Where a seed is given, all prompts' answers are drawn
    /// by it.
    ///
    /// # Errors
    /// A setting is out of its range, or more than the key may.
    pub(crate) fn request(
        &self,
        prompt: Arc<[u32]>,
        (index, choice): (usize, usize),
        (pass, sharing): (&Pass, PrefixSharing),
        constraint: Option<Constraint>,
    ) -> Result<engine::Request, Error> {
        let number = if self.has_seed { choice } else { index * self.n + choice };
        let seed = self.options.seed.wrapping_add(number as u64);
        let sampling = Sampling::new(SamplingOptions { seed, ..self.options }).map_err(|error| match error {
            engine::Error::Setting { name, .. } => Error::field(name, error.to_string()),
            other => Error::internal(other),
        })?;
        Ok(engine::Request {
            prompt,
            adapter: self.adapter.clone(),
            sampling,
            logit_bias: self.logit_bias.clone(),
            max_tokens: self.max_tokens,
            min_tokens: self.min_tokens,
            end_ids: self.end_ids.clone(),
            logprobs: self.logprobs,
            // Of several answers to a prompt the first tells it for all.
            prompt_logprobs: self.prompt_logprobs.max(self.echo_logprobs).filter(|_| choice == 0),
            constraint,
            priority: pass.priority(self.priority)?,
            key: pass.number(),
            cache_salt: self.sharing(pass, sharing),
        })
    }
}

fn prompt_logprobs(settings: &Settings, most: usize) -> Result<Option<usize>, Error> {
    let Some(count) = settings.prompt_logprobs else { return Ok(None) };
    if settings.stream == Some(true) {
        let message = "`prompt_logprobs` are not told in a stream: set `stream` to false";
        return Err(Error::field("prompt_logprobs", message));
    }
    within("prompt_logprobs", count, 0, most).map(Some)
}

/// An empty one would be none, as vLLM has it.
fn cache_salt(settings: &Settings) -> Result<Option<String>, Error> {
    match settings.cache_salt.as_deref() {
        Some("") => {
            Err(Error::field("cache_salt", "`cache_salt` is empty: give a text that others cannot guess, or none"))
        }
        Some(salt) if salt.chars().count() > CACHE_SALT_CHARS_MAX => {
            let count = salt.chars().count();
            let message =
                format!("`cache_salt` should have at most {CACHE_SALT_CHARS_MAX} characters, and has {count}");
            Err(Error::field("cache_salt", message))
        }
        salt => Ok(salt.map(str::to_owned)),
    }
}

fn within(name: &'static str, value: usize, least: usize, most: usize) -> Result<usize, Error> {
    let range = match most {
        _ if (least..=most).contains(&value) => return Ok(value),
        usize::MAX => format!("at least {least}"),
        most => format!("from {least} to {most}"),
    };
    Err(Error::field(name, format!("`{name}` is {value}, but it should be {range}")))
}

fn sampling(app: &App, settings: &Settings) -> Result<SamplingOptions, Error> {
    let usual = app.sampling;
    let top_k = match settings.top_k {
        None => usual.top_k,
        // vLLM's way to say all.
        Some(-1) => 0,
        Some(top_k) => usize::try_from(top_k)
            .map_err(|_| Error::field("top_k", format!("`top_k` is {top_k}, but it should be -1, 0 or more")))?,
    };
    let options = SamplingOptions {
        temperature: settings.temperature.unwrap_or(usual.temperature),
        top_k,
        top_p: settings.top_p.unwrap_or(usual.top_p),
        min_p: settings.min_p.unwrap_or(usual.min_p),
        repetition_penalty: settings.repetition_penalty.unwrap_or(usual.repetition_penalty),
        frequency_penalty: settings.frequency_penalty.unwrap_or(usual.frequency_penalty),
        presence_penalty: settings.presence_penalty.unwrap_or(usual.presence_penalty),
        seed: settings.seed.map_or_else(|| getrandom::u64().unwrap_or_default(), |seed| seed.0),
    };
    // At the door, though each answer's own are made of them later.
    match Sampling::new(options) {
        Ok(_) => Ok(options),
        Err(engine::Error::Setting { name, value, rule }) => {
            Err(Error::field(name, format!("`{name}` is {value}, but {rule}")))
        }
        Err(other) => Err(Error::internal(other)),
    }
}

fn bias(app: &App, bias: Option<&BTreeMap<String, f64>>) -> Result<Vec<(u32, f32)>, Error> {
    let Some(bias) = bias else { return Ok(Vec::new()) };
    if bias.len() > app.limits.biases {
        return Err(Error::field(
            "logit_bias",
            format!("`logit_bias` should have at most {} tokens", app.limits.biases),
        ));
    }
    let one = |(token, value): (&String, &f64)| {
        let id = token.parse().ok().filter(|id: &u32| (*id as usize) < app.service.vocab_size());
        let id = id.ok_or_else(|| {
            Error::field("logit_bias", format!("`logit_bias` has `{token}`, which is no token's id of this model"))
        })?;
        if value.abs() > BIAS_MAX || !value.is_finite() {
            return Err(Error::field("logit_bias", format!("`logit_bias` of {id} should be from -100 to 100")));
        }
        Ok((id, *value as f32))
    };
    bias.iter().map(one).collect()
}

/// Tokens that are to end answers beside the model's own.
fn stop_tokens<'s>(app: &App, settings: &'s Settings) -> Result<&'s [u32], Error> {
    let tokens = settings.stop_token_ids.as_deref().unwrap_or_default();
    let (most, vocab_size) = (app.limits.stop_tokens, app.service.vocab_size());
    if tokens.len() > most {
        return Err(Error::field(
            "stop_token_ids",
            format!("`stop_token_ids` has {} entries, and may have {most}", tokens.len()),
        ));
    }
    match tokens.iter().find(|id| **id as usize >= vocab_size) {
        Some(id) => Err(Error::field("stop_token_ids", format!("token {id} is not among the model's {vocab_size}"))),
        None => Ok(tokens),
    }
}

fn stops(app: &App, settings: &Settings) -> Result<Vec<String>, Error> {
    let stops = settings.stop.clone().map(api::OneOrMany::into_vec).unwrap_or_default();
    if stops.len() > app.limits.stops {
        return Err(Error::field("stop", format!("`stop` should have at most {} texts", app.limits.stops)));
    }
    if stops.iter().any(|stop| stop.is_empty() || stop.chars().count() > app.limits.stop_chars) {
        let message = format!("each text of `stop` should have from 1 to {} characters", app.limits.stop_chars);
        return Err(Error::field("stop", message));
    }
    Ok(stops)
}
