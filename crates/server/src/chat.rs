//! `POST /v1/chat/completions`.

use std::sync::Arc;

use api::{
    AnswerMessage, ChatChoice, ChatChunk, ChatChunkChoice, ChatDelta, ChatLogprobs, ChatRequest, ChatResponse, Usage,
};
use axum::extract::{Extension, State};
use axum::response::Response;
use bytes::Bytes;
use constrain::Tools;

use crate::answer_text::{Piece, Placed};
use crate::app::{App, Shared, fresh_id, unix_seconds};
use crate::ask::{Ask, Differences};
use crate::body::{self, Arrived};
use crate::calls::{Said, Speech, Spoken};
use crate::choices::{Choices, Progress};
use crate::constraint;
use crate::error::Error;
use crate::keys::Pass;
use crate::logprobs::{self, Scored, ScoredPrompt, Told};
use crate::models;
use crate::prompts::{self, Conversation};
use crate::stream::{self, Frames};

/// A request that was read.
pub(crate) struct Prepared {
    pub(crate) prompt: Arc<[u32]>,
    pub(crate) ask: Ask,
    /// Those that may be called.
    tools: Option<Tools>,
}

pub(crate) async fn chat(
    State(app): State<Shared>,
    Extension(pass): Extension<Pass>,
    body: Arrived,
) -> Result<Response, Error> {
    let shared = Shared::clone(&app);
    let make = move |request: ChatRequest| Ok((request.chat.model.clone(), prepare(&shared, request)));
    let (model, prepared) = body::read(body, make).await?;
    app.note_model(&model)?;
    let answer = async { answer(&app, prepared?, &model, pass).await };
    models::answered(&app, &model, answer.await).await
}

async fn answer(app: &Shared, prepared: Prepared, model: &str, pass: Pass) -> Result<Response, Error> {
    let Prepared { prompt, ask, tools } = prepared;
    let scored = ask.prompt_logprobs.map(|likeliest| (Arc::clone(&prompt), likeliest));
    let of_prompt = scored.as_ref().map_or(0, |(tokens, likeliest)| tokens.len() * (likeliest + 1));
    let told = Told::begin(app, &pass, of_prompt, !ask.streams)?;
    let choices = Choices::submit(app, &ask, vec![prompt], pass).await?;
    let speeches = (0..choices.len()).map(|_| Speech::new(tools.as_ref(), &app.tokenizer)).collect();
    let (app, model) = (Shared::clone(app), model.to_owned());
    let head = Head { app, id: fresh_id("chatcmpl-"), created: unix_seconds(), model };
    let answers = Answers { head, speeches, wants_logprobs: ask.logprobs.is_some(), scored };
    match ask.streams {
        true => stream::respond(choices, answers, ask.usage, told).await,
        false => whole(choices, answers, told).await,
    }
}

pub(crate) fn prepare(app: &App, request: ChatRequest) -> Result<Prepared, Error> {
    let ChatRequest { chat, settings } = &request;
    // Clients that send all that they know send 0, too.
    if chat.top_logprobs.is_some_and(|count| count > 0) && chat.logprobs != Some(true) {
        return Err(Error::field("top_logprobs", "`top_logprobs` belongs to `logprobs`: set `logprobs` to true"));
    }
    let tools = constraint::tools(app, &request)?;
    let form = constraint::with_tools(constraint::form(settings)?, tools.as_ref())?;
    let differences = Differences {
        model: &chat.model,
        prompt_field: "messages",
        logprobs: chat.logprobs.unwrap_or(false).then(|| chat.top_logprobs.unwrap_or(0)),
        logprobs_field: "top_logprobs",
        echoes: false,
        max_tokens: chat.max_completion_tokens.or(settings.max_tokens).unwrap_or(usize::MAX),
        max_tokens_field: if chat.max_completion_tokens.is_some() { "max_completion_tokens" } else { "max_tokens" },
    };
    let mut ask = Ask::new(app, &request.settings, form, differences)?;
    // Marks of calls may be special tokens.
    ask.skip_special_tokens &= tools.is_none();
    let chat = request.chat;
    let mut variables = chat.chat_template_kwargs.unwrap_or_default();
    if let Some(effort) = chat.reasoning_effort {
        variables.entry("reasoning_effort").or_insert_with(|| effort.into());
    }
    let conversation = Conversation {
        messages: chat.messages,
        // Those that may not be called are not shown.
        tools: if tools.is_some() { chat.tools.unwrap_or_default() } else { Vec::new() },
        variables,
        opens_answer: chat.add_generation_prompt.unwrap_or(true),
        add_special_tokens: chat.add_special_tokens.unwrap_or(false),
    };
    let prompt = prompts::conversation(app, conversation)?;
    // All answers tell it once.
    logprobs::told_of_prompts(app, &[("prompt_logprobs", ask.prompt_logprobs)], prompt.len(), 1)?;
    Ok(Prepared { prompt: prompt.into(), ask, tools })
}

/// What all chunks have in common.
struct Head {
    app: Shared,
    id: String,
    created: u64,
    model: String,
}

/// The answers as they are put together.
struct Answers {
    head: Head,
    speeches: Vec<Speech>,
    wants_logprobs: bool,
    /// The prompt whose log-probabilities are wanted, with how many of the likeliest tokens.
    scored: Option<(Arc<[u32]>, usize)>,
}

/// An answer that is under way.
#[derive(Clone, Default)]
struct Whole {
    spoken: Spoken,
    tokens: Vec<Placed>,
    finish: &'static str,
}

async fn whole(mut choices: Choices, mut answers: Answers, mut told: Told) -> Result<Response, Error> {
    let (mut wholes, mut scored) = (vec![Whole::default(); choices.len()], Scored::default());
    while let Some(news) = choices.next().await {
        let (index, progress) = news?;
        let (piece, finish) = match progress {
            Progress::Started => continue,
            Progress::Scored(of_prompt) => {
                scored = of_prompt;
                continue;
            }
            Progress::Piece(piece) => (piece, None),
            Progress::End(piece, finish) => (piece, Some(finish)),
        };
        told.add(&answers.head.app, &piece)?;
        let whole = &mut wholes[index];
        answers.speeches[index].push(piece.text).into_iter().for_each(|said| whole.spoken.add(said));
        whole.tokens.extend(piece.tokens);
        if let Some(finish) = finish {
            let (said, finish) = answers.speeches[index].finish(finish);
            said.into_iter().for_each(|said| whole.spoken.add(said));
            whole.finish = finish;
            choices.note_finish(index, finish);
        }
    }
    let usage = choices.usage();
    choices.told_whole(told, move |place| body::json(&answers.response(wholes, &scored, usage), place)).await
}

impl Answers {
    /// All answers as a whole, with what the prompt's tokens were given.
    fn response(self, wholes: Vec<Whole>, scored: &Scored, usage: Usage) -> ChatResponse {
        let choices = wholes.into_iter().enumerate().map(|(index, whole)| self.choice(index, whole)).collect();
        let Head { app, id, created, model } = self.head;
        let ranked = |(tokens, likeliest): (Arc<[u32]>, usize)| {
            ScoredPrompt { tokens: &tokens, scored, likeliest }.ranked(&app.tokenizer)
        };
        ChatResponse {
            id,
            object: "chat.completion",
            created,
            model,
            choices,
            prompt_logprobs: self.scored.map(ranked),
            usage,
            system_fingerprint: Some(app.fingerprint.clone()),
        }
    }

    fn choice(&self, index: usize, whole: Whole) -> ChatChoice {
        let Spoken { text, calls: tool_calls } = whole.spoken;
        // Where there are calls alone there is no text.
        let content = (!text.is_empty() || tool_calls.is_empty()).then_some(text);
        ChatChoice {
            index,
            message: AnswerMessage { role: "assistant", content, refusal: None, tool_calls },
            logprobs: self.logprobs(whole.tokens),
            finish_reason: whole.finish,
        }
    }

    fn logprobs(&self, tokens: Vec<Placed>) -> Option<ChatLogprobs> {
        self.wants_logprobs.then(|| logprobs::chat(&self.head.app.tokenizer, tokens))
    }

    fn chunk(&self, choices: Vec<ChatChunkChoice>) -> ChatChunk {
        ChatChunk {
            id: self.head.id.clone(),
            object: "chat.completion.chunk",
            created: self.head.created,
            model: self.head.model.clone(),
            system_fingerprint: Some(self.head.app.fingerprint.clone()),
            choices,
            usage: None,
        }
    }

    fn delta(&self, index: usize, delta: ChatDelta) -> ChatChunk {
        self.chunk(vec![ChatChunkChoice { index, delta, logprobs: None, finish_reason: None }])
    }

    /// What is said, with these tokens' log-probabilities.
    fn deltas(&self, index: usize, mut said: Vec<Said>, tokens: Vec<Placed>) -> Vec<ChatChunk> {
        // Log-probabilities go with what is said first, or with an empty text.
        if said.is_empty() && !tokens.is_empty() {
            said.push(Said::Text(String::new()));
        }
        let mut tokens = Some(tokens);
        let one = |said| {
            let mut chunk = self.delta(index, delta(said));
            chunk.choices[0].logprobs = tokens.take().and_then(|tokens| self.logprobs(tokens));
            chunk
        };
        said.into_iter().map(one).collect()
    }
}

impl Frames for Answers {
    type Chunk = ChatChunk;

    fn begin(&mut self, index: usize) -> Option<ChatChunk> {
        let delta = ChatDelta { role: Some("assistant"), content: Some(String::new()), ..ChatDelta::default() };
        Some(self.delta(index, delta))
    }

    /// Nothing: a stream tells nothing of its prompt.
    async fn scored(
        &mut self,
        _index: usize,
        _scored: Scored,
        _usage: Option<Option<Usage>>,
        _pass: &Pass,
    ) -> Result<Option<Bytes>, Error> {
        Ok(None)
    }

    fn piece(&mut self, index: usize, piece: Piece) -> Vec<ChatChunk> {
        let said = self.speeches[index].push(piece.text);
        self.deltas(index, said, piece.tokens)
    }

    fn end(&mut self, index: usize, piece: Piece, finish: &'static str) -> (Vec<ChatChunk>, &'static str) {
        let mut said = self.speeches[index].push(piece.text);
        let (last, finish) = self.speeches[index].finish(finish);
        said.extend(last);
        let mut chunks = self.deltas(index, said, piece.tokens);
        let mut chunk = self.delta(index, ChatDelta::default());
        chunk.choices[0].finish_reason = Some(finish);
        chunks.push(chunk);
        (chunks, finish)
    }

    fn last(&mut self) -> ChatChunk {
        self.chunk(Vec::new())
    }

    fn set_usage(chunk: &mut ChatChunk, usage: Option<Usage>) {
        chunk.usage = Some(usage);
    }
}

fn delta(said: Said) -> ChatDelta {
    match said {
        Said::Text(text) => ChatDelta { content: Some(text), ..ChatDelta::default() },
        Said::Call(call) => ChatDelta { tool_calls: vec![call], ..ChatDelta::default() },
    }
}
