//! Continuing a prompt.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use data::{StreamDecoder, Tokenizer};

use crate::error::{Error, Result};
use crate::stop::StopStrings;
use crate::{Decoder, Model, Sampling};

/// How a prompt is continued.
#[derive(Clone, Debug)]
pub struct GenerateOptions {
    /// Tokens after which to stop, unless the context ends before.
    pub max_tokens: usize,
    /// How each token is chosen.
    pub sampling: Sampling,
    /// Texts at which to stop; they are not part of the answer.
    pub stop: Vec<String>,
}

/// Why generation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinishReason {
    /// The model ended its answer, or a stop string came.
    Stop,
    /// `max_tokens`, or the end of the context.
    Length,
    /// The caller wanted no more.
    Cancelled,
}

impl FinishReason {
    /// The name that is written in JSON.
    pub fn name(self) -> &'static str {
        match self {
            FinishReason::Stop => "stop",
            FinishReason::Length => "length",
            FinishReason::Cancelled => "cancelled",
        }
    }
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Generation {
    /// Its tokens, without the one that ended it.
    pub tokens: Vec<u32>,
    /// Its text, up to a stop string.
    pub text: String,
    /// Why it ended.
    pub finish: FinishReason,
    /// Tokens of the prompt.
    pub prompt_tokens: usize,
    /// Those of them whose keys and values were kept from before.
    pub cached_tokens: usize,
    /// Time until the first token was chosen, compiling included.
    pub first_token: Duration,
    /// Time for all later tokens.
    pub decoding: Duration,
}

impl Generation {
    /// Tokens a second after the first; `None` if there was no second.
    pub fn tokens_per_second(&self) -> Option<f64> {
        let later = self.tokens.len().checked_sub(1).filter(|later| *later > 0)?;
        Some(later as f64 / self.decoding.as_secs_f64())
    }
}

/// Continues prompts with a model. Keys and values of what it has seen are kept: a prompt that begins as the last one and its answer
/// did, as in a conversation, costs only its new tokens.
pub struct Generator<'m, 's> {
    decoder: Decoder<'m, 's>,
    tokenizer: &'m Tokenizer,
    end_ids: Vec<u32>,
}

impl<'m, 's> Generator<'m, 's> {
    /// Continues text of up to `context` tokens, or up to what the model is meant for.
    ///
    /// # Errors
    /// The tokenizer has ids that the model does not know, or `context` is 0 or longer than the model's.
    pub fn new(model: &'m Model<'s>, tokenizer: &'m Tokenizer, context: Option<usize>) -> Result<Generator<'m, 's>> {
        tokenizer.check_vocab(model.sizes().vocab_size)?;
        let end_ids = tokenizer.stop_ids().into_iter().chain(model.eos_ids().iter().copied()).collect();
        Ok(Generator { decoder: Decoder::new(model, context)?, tokenizer, end_ids })
    }

    /// The tokenizer.
    pub fn tokenizer(&self) -> &'m Tokenizer {
        self.tokenizer
    }

    /// The longest text, prompt and answer together, in tokens.
    pub fn context(&self) -> usize {
        self.decoder.context()
    }

    /// Continues `prompt`. Text goes to `on_text` as soon as it is certain; `Break` from there ends the answer.
    ///
    /// # Errors
    /// The prompt is empty, fills the context or has a token that the model does not know; or the device fails.
    pub fn generate(
        &mut self,
        prompt: &[u32],
        options: &GenerateOptions,
        on_text: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<Generation> {
        let started = Instant::now();
        let context = self.decoder.context();
        if prompt.len() >= context {
            return Err(Error::NoRoom { tokens: prompt.len(), context });
        }
        let max_tokens = options.max_tokens.min(context - prompt.len());
        self.decoder.prepare(prompt.len(), max_tokens)?;
        let cached_tokens = self.decoder.cached(prompt);
        let mut sequence = prompt.to_vec();
        let mut answer = Answer::new(self.tokenizer, &options.stop);
        let mut first_token = None;
        let mut finish = FinishReason::Length;
        let mut sampler = options.sampling.begin(prompt);
        let end = prompt.len() + max_tokens;
        while sequence.len() < end {
            let token = match options.sampling.is_plain_greedy() {
                true => {
                    let goes_on = sequence.len() + 1 < end && self.decoder.gains_by_going_on();
                    self.decoder.likeliest(&sequence, goes_on)?
                }
                false => sampler.next(self.decoder.logits(&sequence)?),
            };
            first_token.get_or_insert_with(|| started.elapsed());
            if self.end_ids.contains(&token) {
                finish = FinishReason::Stop;
                break;
            }
            sequence.push(token);
            if let ControlFlow::Break(reason) = answer.push(token, on_text)? {
                finish = reason;
                break;
            }
        }
        let text = answer.finish(finish, on_text)?;
        let first_token = first_token.unwrap_or_else(|| started.elapsed());
        Ok(Generation {
            tokens: sequence.split_off(prompt.len()),
            text,
            finish,
            prompt_tokens: prompt.len(),
            cached_tokens,
            first_token,
            decoding: started.elapsed() - first_token,
        })
    }
}

/// The text of an answer under way.
struct Answer<'t> {
    decoder: StreamDecoder<&'t Tokenizer>,
    stop: StopStrings,
    text: String,
}

impl<'t> Answer<'t> {
    fn new(tokenizer: &'t Tokenizer, stop: &[String]) -> Answer<'t> {
        Answer { decoder: tokenizer.stream(true), stop: StopStrings::new(stop), text: String::new() }
    }

    fn push(
        &mut self,
        token: u32,
        on_text: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<ControlFlow<FinishReason>> {
        let (text, found) = match self.stop.push(&self.decoder.push(token)?) {
            ControlFlow::Continue(text) => (text, false),
            ControlFlow::Break(text) => (text, true),
        };
        self.text.push_str(&text);
        // Called for empty pieces too: that is where a caller can say that it wants no more.
        let wanted = on_text(&text);
        Ok(match (found, wanted) {
            (true, _) => ControlFlow::Break(FinishReason::Stop),
            (false, ControlFlow::Break(())) => ControlFlow::Break(FinishReason::Cancelled),
            (false, ControlFlow::Continue(())) => ControlFlow::Continue(()),
        })
    }

    /// Passes on what was held back, unless a stop string ended the answer or nobody wants it.
    fn finish(mut self, finish: FinishReason, on_text: &mut dyn FnMut(&str) -> ControlFlow<()>) -> Result<String> {
        if finish != FinishReason::Cancelled {
            let last = match self.stop.push(&self.decoder.finish()?) {
                ControlFlow::Continue(text) => text + &self.stop.finish(),
                ControlFlow::Break(text) => text,
            };
            // The answer is over whether or not more is wanted.
            let _ = on_text(&last);
            self.text.push_str(&last);
        }
        Ok(self.text)
    }
}
