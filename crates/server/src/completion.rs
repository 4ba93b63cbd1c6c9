//! `POST /v1/completions`.

use api::{CompletionChoice, CompletionRequest, CompletionResponse, Usage};
use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};

use crate::answer_text::{Piece, Placed};
use crate::app::{App, Shared, fresh_id, unix_seconds};
use crate::ask::{Ask, Differences};
use crate::body::{self, Arrived};
use crate::choices::{Choices, Progress};
use crate::error::Error;
use crate::keys::Pass;
use crate::stream::{self, Frames};
use crate::{constraint, logprobs, prompts};

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
    let choices = Choices::submit(&app, &ask, prompts, pass).await?;
    let shape = Shape {
        app: Shared::clone(&app),
        id: fresh_id("cmpl-"),
        created: unix_seconds(),
        model,
        echoes,
        n: ask.n,
        wants_logprobs: ask.logprobs.is_some(),
    };
    if ask.streams {
        return stream::respond(choices, shape, ask.usage).await;
    }
    Ok(Json(whole(choices, shape).await?).into_response())
}

pub(crate) fn prepare(app: &App, request: CompletionRequest) -> Result<Prepared, Error> {
    let CompletionRequest { completion, settings } = request;
    let differences = Differences {
        model: &completion.model,
        logprobs: completion.logprobs,
        logprobs_field: "logprobs",
        max_tokens: settings.max_tokens.unwrap_or(MAX_TOKENS),
    };
    let ask = Ask::new(app, &settings, constraint::form(&settings)?, differences)?;
    if completion.best_of.is_some_and(|best_of| best_of != ask.n) {
        let message = "`best_of` should be `n`: all answers are given, and none is chosen among them";
        return Err(Error::field("best_of", message));
    }
    let echo = completion.echo.unwrap_or(false);
    if echo && ask.logprobs.is_some() {
        let message = "`echo` with `logprobs` is not supported: log-probabilities are those of the answer";
        return Err(Error::field("echo", message));
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

    fn choice(
        &self,
        index: usize,
        text: String,
        tokens: Vec<Placed>,
        finish: Option<&'static str>,
    ) -> CompletionChoice {
        let echoed = self.echo(index).chars().count();
        let logprobs = self.wants_logprobs.then(|| logprobs::completion(&self.app.tokenizer, tokens, echoed));
        CompletionChoice { index, text, logprobs, finish_reason: finish }
    }
}

async fn whole(mut choices: Choices, shape: Shape) -> Result<CompletionResponse, Error> {
    let begin = |index| (shape.echo(index).to_owned(), Vec::new(), None);
    let mut answers: Vec<(String, Vec<Placed>, Option<&'static str>)> = (0..choices.len()).map(begin).collect();
    while let Some(news) = choices.next().await {
        let (index, progress) = news?;
        let (piece, finish) = match progress {
            Progress::Started => continue,
            Progress::Piece(piece) => (piece, None),
            Progress::End(piece, finish) => (piece, Some(finish)),
        };
        let answer = &mut answers[index];
        answer.0.push_str(&piece.text);
        answer.1.extend(piece.tokens);
        answer.2 = finish;
    }
    let all = answers.into_iter().enumerate();
    let all = all.map(|(index, (text, tokens, finish))| shape.choice(index, text, tokens, finish)).collect();
    Ok(CompletionResponse { usage: Some(Some(choices.usage())), ..shape.response(all) })
}

impl Frames for Shape {
    type Chunk = CompletionResponse;

    fn begin(&mut self, index: usize) -> Option<CompletionResponse> {
        let echo = self.echo(index).to_owned();
        (!echo.is_empty()).then(|| self.response(vec![self.choice(index, echo, Vec::new(), None)]))
    }

    fn piece(&mut self, index: usize, piece: Piece, finish: Option<&'static str>) -> Vec<CompletionResponse> {
        if piece.text.is_empty() && piece.tokens.is_empty() && finish.is_none() {
            return Vec::new();
        }
        vec![self.response(vec![self.choice(index, piece.text, piece.tokens, finish)])]
    }

    fn last(&mut self) -> CompletionResponse {
        self.response(Vec::new())
    }

    fn set_usage(chunk: &mut CompletionResponse, usage: Option<Usage>) {
        chunk.usage = Some(usage);
    }
}
