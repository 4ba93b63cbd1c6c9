//! `POST /v1/completions`.

use api::{CompletionChoice, CompletionLogprobs, CompletionRequest, CompletionResponse, Usage};
use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use engine::PromptLogprob;

use crate::answer_text::{Piece, Placed};
use crate::app::{App, Shared, fresh_id, unix_seconds};
use crate::ask::{Ask, Differences};
use crate::body::{self, Arrived};
use crate::choices::{Choices, Progress};
use crate::error::Error;
use crate::keys::Pass;
use crate::logprobs::{self, ScoredPrompt};
use crate::stream::{self, Frames};
use crate::{constraint, prompts};

/// What OpenAI cuts completions at where nothing is said.
const MAX_TOKENS: usize = 16;

/// A request that was read.
pub(crate) struct Prepared {
    model: String,
    pub(crate) prompts: Vec<Vec<u32>>,
    /// What the answers to each prompt begin with.
    echoes: Vec<String>,
    pub(crate) ask: Ask,
}

pub(crate) async fn completions(
    State(app): State<Shared>,
    Extension(pass): Extension<Pass>,
    body: Arrived,
) -> Result<Response, Error> {
    let shared = Shared::clone(&app);
    let Prepared { model, prompts, echoes, ask } = body::read(body, move |request| prepare(&shared, request)).await?;
    app.note_model(&model)?;
    let is_scored = ask.prompt_logprobs.max(ask.echo_logprobs).is_some();
    let scored =
        if is_scored { prompts.iter().map(|prompt| (prompt.clone(), Vec::new())).collect() } else { Vec::new() };
    let choices = Choices::submit(&app, &ask, prompts, pass).await?;
    let shape = Shape {
        app: Shared::clone(&app),
        id: fresh_id("cmpl-"),
        created: unix_seconds(),
        model,
        echoes,
        n: ask.n,
        wants_logprobs: ask.logprobs.is_some(),
        scored,
        prompt_logprobs: ask.prompt_logprobs,
        echo_logprobs: ask.echo_logprobs,
        skip_special_tokens: ask.skip_special_tokens,
    };
    if ask.streams {
        return stream::respond(choices, shape, ask.usage).await;
    }
    Ok(Json(whole(choices, shape).await?).into_response())
}

pub(crate) fn prepare(app: &App, request: CompletionRequest) -> Result<Prepared, Error> {
    let CompletionRequest { completion, settings } = request;
    let echo = completion.echo.unwrap_or(false);
    let differences = Differences {
        model: &completion.model,
        logprobs: completion.logprobs,
        logprobs_field: "logprobs",
        echoes: echo,
        max_tokens: settings.max_tokens.unwrap_or(MAX_TOKENS),
    };
    let ask = Ask::new(app, &settings, constraint::form(&settings)?, differences)?;
    if completion.best_of.is_some_and(|best_of| best_of != ask.n) {
        let message = "`best_of` should be `n`: all answers are given, and none is chosen among them";
        return Err(Error::field("best_of", message));
    }
    let add_special_tokens = completion.add_special_tokens.unwrap_or(true);
    let most = app.limits.choices / ask.n;
    let given = prompts::texts(app, ("prompt", completion.prompt), add_special_tokens, most)?;
    let echoes = given.iter().map(|given| match (&given.text, echo) {
        (_, false) => Ok(String::new()),
        (Some(text), true) => Ok(text.clone()),
        (None, true) => app.tokenizer.decode(&given.tokens, ask.skip_special_tokens),
    });
    let echoes = echoes.collect::<Result<_, _>>()?;
    let prompts = given.into_iter().map(|given| given.tokens).collect();
    Ok(Prepared { model: completion.model, prompts, echoes, ask })
}

/// How responses look.
struct Shape {
    app: Shared,
    id: String,
    created: u64,
    model: String,
    echoes: Vec<String>,
    n: usize,
    wants_logprobs: bool,
    /// The prompts with what their tokens were given, from the second on, once that is known; empty where nobody asks.
    scored: Vec<(Vec<u32>, Vec<PromptLogprob>)>,
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

    fn echo(&self, index: usize) -> &str {
        &self.echoes[index / self.n]
    }

    /// The prompt of an answer with its log-probabilities, and so many of the likeliest tokens.
    fn scored_prompt(&self, index: usize, likeliest: Option<usize>) -> Option<ScoredPrompt<'_>> {
        let (tokens, scored) = self.scored.get(index / self.n)?;
        Some(ScoredPrompt { tokens, scored, likeliest: likeliest? })
    }

    /// The log-probabilities of the prompt that an answer begins with, if they are wanted.
    fn echoed(&self, index: usize) -> Result<Option<CompletionLogprobs>, Error> {
        let Some(prompt) = self.scored_prompt(index, self.echo_logprobs) else { return Ok(None) };
        let echoed = self.echo(index).chars().count();
        prompt.echoed(&self.app.tokenizer, self.skip_special_tokens, echoed).map(Some)
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
            let echoed = self.echo(index).chars().count();
            logprobs::add_answer(&mut logprobs, &self.app.tokenizer, tokens, echoed);
            logprobs
        });
        CompletionChoice { index, text, logprobs, prompt_logprobs: None, finish_reason }
    }

    /// A whole answer.
    fn whole(&self, index: usize, answer: Whole) -> Result<CompletionChoice, Error> {
        let Whole { text, tokens, finish } = answer;
        let first = self.echoed(index)?.unwrap_or_default();
        let prompt = self.scored_prompt(index, self.prompt_logprobs);
        let prompt_logprobs = prompt.map(|prompt| prompt.ranked(&self.app.tokenizer));
        Ok(CompletionChoice { prompt_logprobs, ..self.choice((index, text), first, tokens, finish) })
    }

    fn note_scored(&mut self, index: usize, scored: Vec<PromptLogprob>) {
        if let Some((_, known)) = self.scored.get_mut(index / self.n) {
            *known = scored;
        }
    }
}

/// An answer under way.
struct Whole {
    text: String,
    tokens: Vec<Placed>,
    finish: Option<&'static str>,
}

async fn whole(mut choices: Choices, mut shape: Shape) -> Result<CompletionResponse, Error> {
    let begin = |index| Whole { text: shape.echo(index).to_owned(), tokens: Vec::new(), finish: None };
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
        let answer = &mut answers[index];
        answer.text.push_str(&piece.text);
        answer.tokens.extend(piece.tokens);
        answer.finish = finish;
    }
    let all = answers.into_iter().enumerate().map(|(index, answer)| shape.whole(index, answer));
    let all = all.collect::<Result<_, _>>()?;
    Ok(CompletionResponse { usage: Some(Some(choices.usage())), ..shape.response(all) })
}

impl Frames for Shape {
    type Chunk = CompletionResponse;

    fn begin(&mut self, index: usize) -> Option<CompletionResponse> {
        let echo = self.echo(index).to_owned();
        // With log-probabilities it comes once they are known.
        let comes = !echo.is_empty() && self.echo_logprobs.is_none();
        comes.then(|| self.response(vec![Shape::piece(self, index, echo, Vec::new(), None)]))
    }

    fn scored(&mut self, index: usize, scored: Vec<PromptLogprob>) -> Result<Option<CompletionResponse>, Error> {
        self.note_scored(index, scored);
        let Some(first) = self.echoed(index)? else { return Ok(None) };
        let echo = self.echo(index).to_owned();
        Ok(Some(self.response(vec![self.choice((index, echo), first, Vec::new(), None)])))
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
