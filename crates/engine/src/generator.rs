//! Continuing prompts by an engine in the caller's own thread.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use data::{StreamDecoder, Tokenizer};
use graph::DType;
use models::StateSize;
use tokio::sync::mpsc;

use crate::batch::is_paged;
use crate::draft::Draft;
use crate::engine::{cache_bytes, pages_wanted};
use crate::error::{Error, Result};
use crate::memory::Room;
use crate::service::{Counters, Event, Failure, Request};
use crate::stop::StopStrings;
use crate::{Engine, EngineOptions, Model, Sampling};

/// Tokens of a page of keys and values. What a text has beyond its last full page is computed again where it is continued.
const PAGE_TOKENS: usize = 16;

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
    /// Time for all later tokens, without that in which programs were made which they could not do without.
    pub decoding: Duration,
}

impl Generation {
    /// Tokens a second after the first; `None` if there was no second.
    pub fn tokens_per_second(&self) -> Option<f64> {
        let later = self.tokens.len().checked_sub(1).filter(|later| *later > 0)?;
        Some(later as f64 / self.decoding.as_secs_f64())
    }
}

/// Continues prompts with a model, by an [`Engine`] that works while it is asked. Keys and values of what it has seen are kept: a prompt that begins as the
/// last one and its answer did, as in a conversation, costs only its new tokens, and less than a page of those before. Models whose state sums up all
/// tokens, or whose rotations depend on how many there are, compute the whole prompt.
///
/// Programs are made for the steps that come, and there is memory for the text that is asked for; it grows with that.
pub struct Generator<'m, 's> {
    model: &'m Model<'s>,
    /// A smaller model that proposes tokens.
    draft: Option<Draft<'m, 's>>,
    tokenizer: &'m Tokenizer,
    context: usize,
    /// Answers at once.
    rows: usize,
    end_ids: Vec<u32>,
    /// Whether what is remembered of a text grows with it.
    has_pages: bool,
    engine: Option<Engine<'m, 's>>,
    counters: Arc<Counters>,
    /// The number of the next request.
    next: u64,
}

impl<'m, 's> Generator<'m, 's> {
    /// Continues text of up to `context` tokens, or up to what the model is meant for.
    ///
    /// # Errors
    /// The tokenizer has ids that the model does not know, or `context` is 0 or longer than the model's.
    pub fn new(model: &'m Model<'s>, tokenizer: &'m Tokenizer, context: Option<usize>) -> Result<Generator<'m, 's>> {
        tokenizer.check_vocab(model.sizes().vocab_size)?;
        let longest = model.plan().longest();
        let context = context.unwrap_or(longest);
        if context == 0 || context > longest {
            let rule = format!("it should be from 1 to the longest that the model is meant for, {longest}");
            return Err(Error::Setting { name: "context", value: context.to_string(), rule });
        }
        let end_ids = tokenizer.stop_ids().into_iter().chain(model.eos_ids().iter().copied()).collect();
        let one = StateSize { slots: 1, pages: 1, page_tokens: PAGE_TOKENS };
        let has_pages = model.plan().state_specs(one).iter().any(is_paged);
        let counters = Arc::new(Counters::new(Instant::now()));
        let (draft, engine) = (None, None);
        Ok(Generator { model, draft, tokenizer, context, rows: 1, end_ids, has_pages, engine, counters, next: 0 })
    }

    /// The same, for whose answers a smaller model proposes tokens, if there is one.
    #[must_use]
    pub fn with_draft(self, draft: Option<Draft<'m, 's>>) -> Generator<'m, 's> {
        Generator { draft, engine: None, ..self }
    }

    /// The same, which continues up to `rows` prompts at once.
    #[must_use]
    pub fn with_rows(self, rows: usize) -> Generator<'m, 's> {
        Generator { rows: rows.max(1), engine: None, ..self }
    }

    /// The tokenizer.
    pub fn tokenizer(&self) -> &'m Tokenizer {
        self.tokenizer
    }

    /// The longest text, prompt and answer together, in tokens.
    pub fn context(&self) -> usize {
        self.context
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
        let mut answer = None;
        self.answer(&[prompt], options, on_text, &mut |_, found| answer = Some(found)).map_err(|(_, error)| *error)?;
        Ok(answer.expect("a prompt without error has an answer"))
    }

    /// Continues all `prompts`, as many at once as there are rows, and hands over each answer when it is complete, with the number of its prompt.
    ///
    /// # Errors
    /// As [`Generator::generate`], with the number of a prompt for which that is so: before any answer where it is the prompt's fault.
    pub fn generate_all(
        &mut self,
        prompts: &[&[u32]],
        options: &GenerateOptions,
        on_answer: &mut dyn FnMut(usize, Generation),
    ) -> std::result::Result<(), (usize, Box<Error>)> {
        self.answer(prompts, options, &mut |_| ControlFlow::Continue(()), on_answer)
    }

    fn answer(
        &mut self,
        prompts: &[&[u32]],
        options: &GenerateOptions,
        on_text: &mut dyn FnMut(&str) -> ControlFlow<()>,
        on_answer: &mut dyn FnMut(usize, Generation),
    ) -> std::result::Result<(), (usize, Box<Error>)> {
        let mut longest = (0, 0);
        for (number, prompt) in prompts.iter().enumerate() {
            self.check(prompt).map_err(|error| (number, Box::new(error)))?;
            longest = longest.max((prompt.len() + self.max_tokens(prompt, options), number));
        }
        let (tokens, number) = longest;
        self.reserve(tokens).map_err(|error| (number, Box::new(error)))?;
        let of_first = prompts.first().map_or(0, |prompt| prompt.len());
        let goes_on = self.rows == 1 && tokens > of_first + 1;
        let prepared = match self.engine.as_mut().filter(|_| goes_on) {
            Some(engine) => engine.prepare(of_first).map_err(|error| (0, Box::new(error))),
            None => Ok(()),
        };
        prepared.and_then(|()| self.answer_checked(prompts, options, on_text, on_answer)).map_err(|(number, error)| {
            // What a failed step has left cannot be relied on.
            let let_go = self.engine.as_mut().map_or(Ok(()), Engine::let_go);
            (number, let_go.err().map_or(error, Box::new))
        })
    }

    /// Refuses a prompt behind which nothing can follow.
    fn check(&self, prompt: &[u32]) -> Result<()> {
        if prompt.len() >= self.context {
            return Err(Error::NoRoom { tokens: prompt.len(), context: self.context });
        }
        if prompt.is_empty() {
            return Err(Error::EmptyPrompt);
        }
        self.model.check_tokens(prompt)
    }

    fn max_tokens(&self, prompt: &[u32], options: &GenerateOptions) -> usize {
        options.max_tokens.min(self.context - prompt.len())
    }

    /// Makes room for texts of `tokens` tokens.
    fn reserve(&mut self, tokens: usize) -> Result<()> {
        // What sums up all tokens takes the same of any length.
        let context = if self.has_pages { self.model.plan().slots(tokens, self.context) } else { self.context };
        let context = context.min(self.context);
        match &mut self.engine {
            Some(engine) if engine.has_room(tokens) => Ok(()),
            Some(engine) => engine.reserve(context),
            None => {
                self.engine = Some(self.begin(context)?);
                Ok(())
            }
        }
    }

    /// An engine for texts of `context` tokens: with room for one in each row, or for as many as the device has room for, but one at least.
    fn begin(&self, context: usize) -> Result<Engine<'m, 's>> {
        let options = EngineOptions {
            rows: self.rows,
            context: Some(context),
            page_tokens: PAGE_TOKENS,
            compiles_ahead: false,
            adapters_max: 0,
            ..EngineOptions::default()
        };
        let begin = |options: &EngineOptions| {
            let room = Room::of(self.model.session(), self.model.plan().device_count());
            Engine::in_room(self.model, self.draft, options, Arc::clone(&self.counters), room)
        };
        if self.rows > 1 {
            let engine = begin(&options)?;
            if engine.has_room(context) {
                return Ok(engine);
            }
        }
        let pages = pages_wanted(1, context, PAGE_TOKENS);
        let models = [Some(self.model), self.draft.map(|draft| draft.model)];
        let bytes = models.iter().flatten().map(|model| cache_bytes(model, &options, pages)).sum();
        begin(&EngineOptions { cache_bytes: Some(bytes), ..options })
    }

    /// Answers prompts that are in order, where there is room for each.
    fn answer_checked(
        &mut self,
        prompts: &[&[u32]],
        options: &GenerateOptions,
        on_text: &mut dyn FnMut(&str) -> ControlFlow<()>,
        on_answer: &mut dyn FnMut(usize, Generation),
    ) -> std::result::Result<(), (usize, Box<Error>)> {
        let mut waiting = prompts.iter().enumerate();
        let mut under_way: Vec<UnderWay<'m>> = Vec::new();
        loop {
            // As many again as are computed wait, so that no row is empty.
            while under_way.len() < 2 * self.rows {
                let Some((number, prompt)) = waiting.next() else { break };
                let begun = self.submit(number, prompt, options);
                under_way.push(begun.map_err(|error| (number, Box::new(error)))?);
            }
            let (Some(first), Some(engine)) = (under_way.first(), &mut self.engine) else { return Ok(()) };
            engine.step().map_err(|error| (first.number, Box::new(error)))?;
            let mut at = 0;
            while let Some(one) = under_way.get_mut(at) {
                let number = one.number;
                match one.read(self.model.dtype(), on_text).map_err(|error| (number, Box::new(error)))? {
                    None => at += 1,
                    Some(finish) => {
                        let one = under_way.remove(at);
                        engine.cancel(one.request);
                        let answer = one.end(finish, on_text, |since| engine.making_since(since));
                        on_answer(number, answer.map_err(|error| (number, Box::new(error)))?);
                    }
                }
            }
        }
    }

    fn submit(&mut self, number: usize, prompt: &[u32], options: &GenerateOptions) -> Result<UnderWay<'m>> {
        let answer = Answer::new(self.tokenizer, prompt, &options.stop)?;
        let max_tokens = self.max_tokens(prompt, options);
        let request = Request {
            prompt: prompt.into(),
            adapter: None,
            sampling: options.sampling,
            logit_bias: Vec::new(),
            max_tokens,
            min_tokens: 0,
            end_ids: self.end_ids.clone(),
            logprobs: None,
            prompt_logprobs: None,
            constraint: None,
            priority: 0,
            key: 0,
            cache_salt: None,
        };
        // One for the beginning, one for the end.
        let (sender, events) = mpsc::channel(max_tokens + 2);
        let one = UnderWay {
            number,
            request: self.next,
            events,
            started: Instant::now(),
            prompt_tokens: prompt.len(),
            cached_tokens: 0,
            tokens: Vec::new(),
            first_token: None,
            answer,
        };
        self.next += 1;
        if let Some(engine) = &mut self.engine {
            engine.submit(one.request, request, sender);
        }
        Ok(one)
    }
}

/// An answer under way.
struct UnderWay<'t> {
    /// The number of its prompt.
    number: usize,
    /// The number of its request.
    request: u64,
    events: mpsc::Receiver<(Instant, Event)>,
    started: Instant,
    prompt_tokens: usize,
    cached_tokens: usize,
    tokens: Vec<u32>,
    first_token: Option<Duration>,
    answer: Answer<'t>,
}

impl UnderWay<'_> {
    /// Takes what has come since; `Some` where the answer has ended.
    fn read(&mut self, dtype: DType, on_text: &mut dyn FnMut(&str) -> ControlFlow<()>) -> Result<Option<FinishReason>> {
        while let Ok((at, event)) = self.events.try_recv() {
            let since = at.saturating_duration_since(self.started);
            match event {
                Event::Started { cached_tokens } => self.cached_tokens = cached_tokens,
                Event::Scored(_) => {}
                Event::Token(chosen) => {
                    self.first_token.get_or_insert(since);
                    self.tokens.push(chosen.token);
                    if let ControlFlow::Break(finish) = self.answer.push(chosen.token, on_text)? {
                        return Ok(Some(finish));
                    }
                }
                Event::Finished(finish) => {
                    self.first_token.get_or_insert(since);
                    return Ok(Some(finish));
                }
                Event::Failed(Failure::NotFinite { tokens, .. }) => return Err(Error::NotFinite { tokens, dtype }),
                Event::Failed(failure) => return Err(failure.into()),
            }
        }
        Ok(None)
    }

    /// The answer, which has ended so; `making_since` tells how long programs were made behind a time.
    fn end(
        self,
        finish: FinishReason,
        on_text: &mut dyn FnMut(&str) -> ControlFlow<()>,
        making_since: impl Fn(Instant) -> Duration,
    ) -> Result<Generation> {
        let text = self.answer.finish(finish, on_text)?;
        let elapsed = self.started.elapsed();
        let first_token = self.first_token.unwrap_or(elapsed);
        let making = making_since(self.started + first_token);
        Ok(Generation {
            tokens: self.tokens,
            text,
            finish,
            prompt_tokens: self.prompt_tokens,
            cached_tokens: self.cached_tokens,
            first_token,
            decoding: elapsed.saturating_sub(first_token + making),
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
    fn new(tokenizer: &'t Tokenizer, prompt: &[u32], stop: &[String]) -> Result<Answer<'t>> {
        let decoder = StreamDecoder::behind(tokenizer, true, prompt)?;
        Ok(Answer { decoder, stop: StopStrings::new(stop), text: String::new() })
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Of a minute, the first token took 10 s, and programs that were made behind it 30 s.
    #[test]
    fn the_making_of_programs_behind_the_first_token_is_no_decoding() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/score/model");
        let tokenizer = Tokenizer::from_dir(folder).unwrap();
        let [minute, first_token, making] = [60, 10, 30].map(Duration::from_secs);
        let started = Instant::now() - minute;
        let (_sender, events) = mpsc::channel(1);
        let one = UnderWay {
            number: 0,
            request: 0,
            events,
            started,
            prompt_tokens: 1,
            cached_tokens: 0,
            tokens: Vec::new(),
            first_token: Some(first_token),
            answer: Answer::new(&tokenizer, &[5], &[]).unwrap(),
        };
        let making_since = |since| if since == started + first_token { making } else { Duration::ZERO };
        let ended = one.end(FinishReason::Length, &mut |_| ControlFlow::Continue(()), making_since).unwrap();
        assert_eq!(ended.first_token, first_token);
        let rest = minute - first_token - making;
        // A machine may be held up meanwhile, but hardly for as long as programs were made.
        assert!(ended.decoding >= rest && ended.decoding < rest + making, "{:?}", ended.decoding);
    }
}
