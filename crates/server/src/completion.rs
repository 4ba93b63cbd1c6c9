//! `POST /v1/completions`.

use std::sync::Arc;

use api::{CompletionChoice, CompletionLogprobs, CompletionRequest, CompletionResponse, PromptLogprobs, Usage};
use axum::extract::{Extension, State};
use axum::response::Response;
use bytes::Bytes;

use crate::answer_text::{Piece, Placed};
use crate::app::{App, Shared, fresh_id, unix_seconds};
use crate::ask::{Ask, Differences};
use crate::body::{self, Arrived};
use crate::choices::{Choices, Progress};
use crate::constraint;
use crate::error::Error;
use crate::keys::Pass;
use crate::logprobs::{self, LOGPROB_BYTES, Scored, ScoredPrompt, Told};
use crate::models;
use crate::prompts::{self, Affixes, Given};
use crate::stream::{self, Frames};

/// What OpenAI cuts completions at where nothing is said.
const MAX_TOKENS: usize = 16;

/// A request that was read.
pub(crate) struct Prepared {
    pub(crate) prompts: Vec<Arc<[u32]>>,
    /// What the answers to each prompt begin with.
    echoes: Vec<Echo>,
    pub(crate) ask: Ask,
    /// Log-probabilities of the prompts that all answers tell together.
    told: usize,
}

/// What answers begin with. They have it in common until they are written.
#[derive(Debug, Default)]
struct Echo {
    text: String,
    /// Characters of it.
    chars: usize,
}

impl From<String> for Echo {
    fn from(text: String) -> Echo {
        Echo { chars: text.chars().count(), text }
    }
}

pub(crate) async fn completions(
    State(app): State<Shared>,
    Extension(pass): Extension<Pass>,
    body: Arrived,
) -> Result<Response, Error> {
    let shared = Shared::clone(&app);
    let make = move |request: CompletionRequest| Ok((request.completion.model.clone(), prepare(&shared, request)));
    let (model, prepared) = body::read(body, make).await?;
    app.note_model(&model)?;
    let answer = async { answer(&app, prepared?, &model, pass).await };
    models::answered(&app, &model, answer.await).await
}

async fn answer(app: &Shared, prepared: Prepared, model: &str, pass: Pass) -> Result<Response, Error> {
    let Prepared { prompts, echoes, ask, told } = prepared;
    let is_scored = ask.prompt_logprobs.max(ask.echo_logprobs).is_some();
    let scored = if is_scored {
        prompts.iter().map(|prompt| (Arc::clone(prompt), Scored::default())).collect()
    } else {
        Vec::new()
    };
    // A log-probability is written as so many bytes of text are.
    let echoed: usize = echoes.iter().map(|echo| echo.text.len() * ask.n).sum();
    // A stream holds once what its answers tell one after the other.
    let at_once = if ask.streams { ask.n } else { 1 };
    let echoed = echoed / LOGPROB_BYTES;
    let told = Told::begin(app, &pass, (told + echoed) / at_once, !ask.streams)?.with_echoed(echoed / at_once);
    let choices = Choices::submit(app, &ask, prompts, pass).await?;
    let shape = Shape {
        app: Shared::clone(app),
        id: fresh_id("cmpl-"),
        created: unix_seconds(),
        model: model.to_owned(),
        echoes,
        n: ask.n,
        wants_logprobs: ask.logprobs.is_some(),
        scored,
        prompt_logprobs: ask.prompt_logprobs,
        echo_logprobs: ask.echo_logprobs,
        skip_special_tokens: ask.skip_special_tokens,
    };
    match ask.streams {
        true => stream::respond(choices, shape, ask.usage, told).await,
        false => whole(choices, shape, told).await,
    }
}

pub(crate) fn prepare(app: &App, request: CompletionRequest) -> Result<Prepared, Error> {
    let CompletionRequest { completion, settings } = request;
    let echo = completion.echo.unwrap_or(false);
    let differences = Differences {
        model: &completion.model,
        prompt_field: "prompt",
        logprobs: completion.logprobs,
        logprobs_field: "logprobs",
        echoes: echo,
        max_tokens: settings.max_tokens.unwrap_or(MAX_TOKENS),
        max_tokens_field: "max_tokens",
    };
    let ask = Ask::new(app, &settings, constraint::form(&settings)?, differences)?;
    if completion.best_of.is_some_and(|best_of| best_of != ask.n) {
        let message = "`best_of` should be `n`: all answers are given, and none is chosen among them";
        return Err(Error::field("best_of", message));
    }
    let affixes = if completion.add_special_tokens.unwrap_or(true) { Affixes::Before } else { Affixes::None };
    let most = (app.limits.choices, ask.n);
    let given = prompts::texts(app, ("prompt", completion.prompt), affixes, most)?;
    let echoed = |given: Given| match (given.text, echo) {
        (_, false) => Ok((given.tokens.into(), Echo::default())),
        (Some(text), true) => Ok((given.tokens.into(), text.into())),
        (None, true) => {
            let text = prompts::text(app, &given.tokens, ask.skip_special_tokens)?;
            Ok((given.tokens.into(), text.into()))
        }
    };
    let (prompts, echoes): (Vec<Arc<[u32]>>, Vec<_>) =
        given.into_iter().map(echoed).collect::<Result<Vec<_>, Error>>()?.into_iter().unzip();
    check_echoes(app, &echoes, ask.n)?;
    let fields = [("prompt_logprobs", ask.prompt_logprobs), ("logprobs", ask.echo_logprobs)];
    let told = logprobs::told_of_prompts(app, &fields, prompts.iter().map(|prompt| prompt.len()).sum(), ask.n)?;
    Ok(Prepared { prompts, echoes, ask, told })
}

/// Checks how much of their prompts the answers tell together: a small request may ask for gigabytes.
///
/// # Errors
/// It is more than a request may ask for.
fn check_echoes(app: &App, echoes: &[Echo], answers: usize) -> Result<(), Error> {
    let (most, bytes) = (app.limits.echo_bytes, echoes.iter().map(|echo| echo.text.len()).sum::<usize>());
    if bytes.saturating_mul(answers) > most {
        let message = format!(
            "`echo` asks for the {bytes} bytes of the prompts in each of {answers} answers: all of them together may have {most}; ask for fewer \
             answers or fewer prompts at a time"
        );
        return Err(Error::field("echo", message));
    }
    Ok(())
}

/// How responses look.
struct Shape {
    app: Shared,
    id: String,
    created: u64,
    model: String,
    echoes: Vec<Echo>,
    n: usize,
    wants_logprobs: bool,
    /// The prompts with what their tokens were given, from the second on, once that is known; empty where nobody asks.
    scored: Vec<(Arc<[u32]>, Scored)>,
    prompt_logprobs: Option<usize>,
    echo_logprobs: Option<usize>,
    skip_special_tokens: bool,
}

impl Shape {
    fn response(&self, choices: Vec<CompletionChoice>) -> CompletionResponse {
        CompletionResponse {
            id: self.id.clone(),
            object: "text_completion",
            created: self.created,
            model: self.model.clone(),
            system_fingerprint: Some(self.app.fingerprint.clone()),
            choices,
            usage: None,
        }
    }

    fn echo(&self, index: usize) -> &Echo {
        &self.echoes[index / self.n]
    }

    /// A prompt with its log-probabilities, and so many of the likeliest tokens.
    fn scored_prompt(&self, prompt: usize, likeliest: Option<usize>) -> Option<ScoredPrompt<'_>> {
        let (tokens, scored) = self.scored.get(prompt)?;
        Some(ScoredPrompt { tokens, scored, likeliest: likeliest? })
    }

    /// The log-probabilities of a prompt that its answers begin with, if they are wanted.
    fn echoed(&self, prompt: usize) -> Result<Option<CompletionLogprobs>, Error> {
        let Some(scored) = self.scored_prompt(prompt, self.echo_logprobs) else { return Ok(None) };
        scored.echoed(&self.app.tokenizer, self.skip_special_tokens, self.echoes[prompt].chars).map(Some)
    }

    fn piece(&self, index: usize, text: String, tokens: Vec<Placed>, finish: Option<&'static str>) -> CompletionChoice {
        self.choice((index, text), CompletionLogprobs::default(), tokens, finish)
    }

    /// An answer, or what is new of it, behind whose first log-probabilities stand those of `tokens`.
    fn choice(
        &self,
        (index, text): (usize, String),
        first: CompletionLogprobs,
        tokens: Vec<Placed>,
        finish_reason: Option<&'static str>,
    ) -> CompletionChoice {
        let logprobs = self.wants_logprobs.then(|| {
            let mut logprobs = first;
            logprobs::add_answer(&mut logprobs, &self.app.tokenizer, tokens, self.echo(index).chars);
            logprobs
        });
        CompletionChoice { index, text, logprobs, prompt_logprobs: None, finish_reason }
    }

    /// All answers as a whole. What is told of a prompt is put together once for all answers to it.
    fn all(&self, answers: Vec<Whole>) -> Result<Vec<CompletionChoice>, Error> {
        let (mut choices, mut of_prompt) = (Vec::with_capacity(answers.len()), None);
        for (index, Whole { text, tokens, finish }) in answers.into_iter().enumerate() {
            let prompt = index / self.n;
            let told = match of_prompt.take() {
                Some(told) if index % self.n > 0 => told,
                _ => self.told_of(prompt)?,
            };
            let OfPrompt { echoed, ranked } = of_prompt.insert(told);
            let (first, prompt_logprobs) = (echoed.clone().unwrap_or_default(), ranked.clone());
            let text = [self.echo(index).text.as_str(), &text].concat();
            choices.push(CompletionChoice { prompt_logprobs, ..self.choice((index, text), first, tokens, finish) });
        }
        Ok(choices)
    }

    /// What all answers to a prompt tell of it.
    fn told_of(&self, prompt: usize) -> Result<OfPrompt, Error> {
        let ranked = self.scored_prompt(prompt, self.prompt_logprobs);
        let ranked = ranked.map(|scored| Arc::new(scored.ranked(&self.app.tokenizer)));
        Ok(OfPrompt { echoed: self.echoed(prompt)?, ranked })
    }

    fn note_scored(&mut self, index: usize, scored: Scored) {
        if let Some((_, known)) = self.scored.get_mut(index / self.n) {
            *known = scored;
        }
    }
}

/// What answers tell of their prompt.
struct OfPrompt {
    echoed: Option<CompletionLogprobs>,
    ranked: Option<Arc<PromptLogprobs>>,
}

/// An answer under way, behind its prompt.
struct Whole {
    text: String,
    tokens: Vec<Placed>,
    finish: Option<&'static str>,
}

async fn whole(mut choices: Choices, mut shape: Shape, mut told: Told) -> Result<Response, Error> {
    let begin = |_| Whole { text: String::new(), tokens: Vec::new(), finish: None };
    let mut answers: Vec<Whole> = (0..choices.len()).map(begin).collect();
    while let Some(news) = choices.next().await {
        let (index, progress) = news?;
        let (piece, finish) = match progress {
            Progress::Started => continue,
            Progress::Scored(scored) => {
                shape.note_scored(index, scored);
                continue;
            }
            Progress::Piece(piece) => (piece, None),
            Progress::End(piece, finish) => {
                choices.note_finish(index, finish);
                (piece, Some(finish))
            }
        };
        told.add(&shape.app, &piece)?;
        let answer = &mut answers[index];
        answer.text.push_str(&piece.text);
        answer.tokens.extend(piece.tokens);
        answer.finish = finish;
    }
    let usage = choices.usage();
    let make = move |place| {
        let all = shape.all(answers)?;
        body::json(&CompletionResponse { usage: Some(Some(usage)), ..shape.response(all) }, place)
    };
    choices.told_whole(told, make).await
}

impl Frames for Shape {
    type Chunk = CompletionResponse;

    fn begin(&mut self, index: usize) -> Option<CompletionResponse> {
        let echo = self.echo(index).text.clone();
        // With log-probabilities it comes once they are known.
        let comes = !echo.is_empty() && self.echo_logprobs.is_none();
        comes.then(|| self.response(vec![Shape::piece(self, index, echo, Vec::new(), None)]))
    }

    async fn scored(
        &mut self,
        index: usize,
        scored: Scored,
        usage: Option<Option<Usage>>,
        pass: &Pass,
    ) -> Result<Option<Bytes>, Error> {
        let (Some(likeliest), Some((tokens, _))) = (self.echo_logprobs, self.scored.get(index / self.n)) else {
            return Ok(None);
        };
        let Echo { text, chars: echoed } = self.echo(index);
        let (tokens, echoed, skip_special_tokens) = (Arc::clone(tokens), *echoed, self.skip_special_tokens);
        let mut frame = self.response(vec![Shape::piece(self, index, text.clone(), Vec::new(), None)]);
        frame.usage = usage;
        let work = logprobs::work(tokens.len() * (likeliest + 1));
        let (app, key, pass) = (Shared::clone(&self.app), pass.number(), pass.clone());
        let write = move || {
            let prompt = ScoredPrompt { tokens: &tokens, scored: &scored, likeliest };
            frame.choices[0].logprobs = Some(prompt.echoed(&app.tokenizer, skip_special_tokens, echoed)?);
            drop(pass);
            stream::frame(&frame).map(Some)
        };
        self.app.room.turns.busy(key, work, write).await
    }

    fn piece(&mut self, index: usize, piece: Piece) -> Vec<CompletionResponse> {
        if piece.text.is_empty() && piece.tokens.is_empty() {
            return Vec::new();
        }
        vec![self.response(vec![Shape::piece(self, index, piece.text, piece.tokens, None)])]
    }

    fn end(&mut self, index: usize, piece: Piece, finish: &'static str) -> (Vec<CompletionResponse>, &'static str) {
        let last = Shape::piece(self, index, piece.text, piece.tokens, Some(finish));
        (vec![self.response(vec![last])], finish)
    }

    fn last(&mut self) -> CompletionResponse {
        self.response(Vec::new())
    }

    fn set_usage(chunk: &mut CompletionResponse, usage: Option<Usage>) {
        chunk.usage = Some(usage);
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use api::Request as _;
    use engine::{Chosen, Event, FinishReason, Message, PromptLogprob};

    use super::*;
    use crate::app::tests::app;
    use crate::turns::Work;

    /// Three answers to each of two prompts.
    fn shape(app: Shared) -> Shape {
        let place = PromptLogprob { logprob: -1.0, rank: 2, likeliest: vec![(5, -0.5)] };
        let scored = (Arc::from([1, 2, 3]), Scored::new(vec![place.clone(), place]));
        Shape {
            app,
            id: String::new(),
            created: 0,
            model: String::new(),
            echoes: vec![Echo::default(), Echo::default()],
            n: 3,
            wants_logprobs: true,
            scored: vec![scored; 2],
            prompt_logprobs: Some(1),
            echo_logprobs: Some(0),
            skip_special_tokens: true,
        }
    }

    /// All turns may be others' for longer than an answer may take.
    #[test]
    fn what_takes_too_long_to_put_together() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap();
        let _inside = runtime.enter();
        let (app, mut inbox) = app(4);
        let taken = app.room.turns.take_all(Work::Short);
        // Few are put together at once.
        let many = 1 << 11;
        for (of_prompts, echoed, text_bytes, advice) in [
            (many, 0, 0, "fewer log-probabilities"),
            (many, many - 1, 0, "shorter answers"),
            (0, 0, many * LOGPROB_BYTES, "shorter answers"),
        ] {
            // A request that came almost as long ago as it may take.
            let arrived = Instant::now().checked_sub(app.limits.answer - Duration::from_millis(500)).unwrap();
            let pass = app.keys.find(None, 0).unwrap().enter(arrived).unwrap();
            let body = br#"{"model": "small", "prompt": [1, 2, 3], "prompt_logprobs": 0, "max_tokens": 0}"#;
            let Prepared { prompts, ask, .. } = prepare(&app, CompletionRequest::read(body).unwrap()).unwrap();
            let answered = runtime.block_on(async {
                let mut told = Told::begin(&app, &pass, of_prompts, true).unwrap().with_echoed(echoed);
                told.add(&app, &Piece { text: "a".repeat(text_bytes), tokens: Vec::new() }).unwrap();
                let choices = Choices::submit(&app, &ask, prompts, pass).await.unwrap();
                let Some(Message::Generate { events, .. }) = inbox.messages.recv().await else { panic!("it is asked") };
                for event in [Event::Started { cached_tokens: 0 }, Event::Finished(FinishReason::Length)] {
                    events.send((Instant::now(), event)).await.unwrap();
                }
                tokio::time::timeout(Duration::from_secs(20), whole(choices, shape(Arc::clone(&app)), told)).await
            });
            let late = answered.expect("it has an end").unwrap_err().body().error;
            assert_eq!(late.code.as_deref(), Some("answer_timeout"));
            assert!(late.message.contains(advice), "{}", late.message);
        }
        drop(taken);
    }

    /// A client that reads slowly keeps its response in memory.
    #[test]
    fn log_probabilities_count_until_the_client_has_them() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap();
        let _inside = runtime.enter();
        let (app, mut inbox) = app(4);
        let all = app.logprobs.free();
        let pass = || app.keys.find(None, 0).unwrap().enter(Instant::now()).unwrap();
        let mut ask = |of_prompts: usize, tokens: usize| {
            let body = br#"{"model": "small", "prompt": [1, 2, 3], "logprobs": 20, "max_tokens": 200}"#;
            let Prepared { prompts, ask, .. } = prepare(&app, CompletionRequest::read(body).unwrap()).unwrap();
            let told = Told::begin(&app, &pass(), of_prompts, true)?;
            runtime.block_on(async {
                let choices = Choices::submit(&app, &ask, prompts, pass()).await.unwrap();
                let Some(Message::Generate { events, .. }) = inbox.messages.recv().await else { panic!("it is asked") };
                let token = || Event::Token(Chosen { token: 70, logprob: -1.0, likeliest: vec![(70, -1.0); 20] });
                let first = std::iter::once(Event::Started { cached_tokens: 0 });
                let last = std::iter::once(Event::Finished(FinishReason::Length));
                for event in first.chain((0..tokens).map(|_| token())).chain(last) {
                    events.send((Instant::now(), event)).await.unwrap();
                }
                whole(choices, shape(Arc::clone(&app)), told).await
            })
        };
        let few = ask(0, 40).unwrap();
        assert_eq!(app.logprobs.free(), all, "few count as nothing");
        // 21 in each of 100 places, and those of prompts.
        let many = ask(1 << 10, 100).unwrap();
        assert_eq!(app.logprobs.free(), all - 4);
        drop((few, many));
        assert_eq!(app.logprobs.free(), all);
        let held = app.logprobs.take(0, all - 1).unwrap();
        for (of_prompts, tokens) in [(2 << 10, 1), (0, 100)] {
            let refused = ask(of_prompts, tokens).unwrap_err();
            assert_eq!(refused.body().error.code.as_deref(), Some("queue_full"), "{of_prompts} and {tokens} times 21");
        }
        drop(held);
        assert_eq!(app.logprobs.free(), all);
    }

    /// Without log-probabilities, too: tokens may be long, and there may be very many.
    #[test]
    fn texts_of_whole_answers_count_until_the_client_has_them() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap();
        let _inside = runtime.enter();
        let (app, _inbox) = app(4);
        let all = app.logprobs.free();
        let pass = || app.keys.find(None, 0).unwrap().enter(Instant::now()).unwrap();
        let text = |bytes: usize| Piece { text: "a".repeat(bytes), tokens: Vec::new() };
        let mut told = Told::begin(&app, &pass(), 0, true).unwrap();
        told.add(&app, &text(60 << 10)).unwrap();
        assert_eq!(app.logprobs.free(), all, "little counts as nothing");
        (0..9).for_each(|_| told.add(&app, &text(60 << 10)).unwrap());
        assert_eq!(app.logprobs.free(), all - 10, "of 64 KiB each");
        let held = app.logprobs.take(0, all - 10).unwrap();
        let refused = told.add(&app, &text(60 << 10)).unwrap_err();
        assert_eq!(refused.body().error.code.as_deref(), Some("queue_full"));
        drop((held, told));
        assert_eq!(app.logprobs.free(), all);
    }

    #[test]
    fn what_is_told_of_a_prompt_is_put_together_once_for_its_answers() {
        let (app, _inbox) = app(4);
        let shape = shape(app);
        let answer = || Whole { text: String::new(), tokens: Vec::new(), finish: None };
        let all = shape.all((0..6).map(|_| answer()).collect()).unwrap();
        let told: Vec<_> = all.iter().map(|choice| choice.prompt_logprobs.as_ref().unwrap()).collect();
        for (index, own) in told.iter().enumerate() {
            assert!(Arc::ptr_eq(own, told[index - index % 3]), "answer {index}");
            assert_eq!(own.len(), 3, "answer {index}");
            assert_eq!(all[index].logprobs.as_ref().unwrap().tokens.len(), 3, "answer {index}");
        }
        assert!(!Arc::ptr_eq(told[0], told[3]), "each prompt is told by itself");
    }
}
