//! `POST /v1/chat/completions`.

use api::{
    AnswerMessage, ChatChoice, ChatChunk, ChatChunkChoice, ChatDelta, ChatRequest, ChatResponse, ToolChoice, Usage,
};
use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};

use crate::answer_text::Piece;
use crate::app::{App, Shared, fresh_id, unix_seconds};
use crate::ask::{Ask, Differences};
use crate::body::{self, Arrived};
use crate::choices::{Choices, Progress};
use crate::error::Error;
use crate::keys::Pass;
use crate::logprobs;
use crate::prompts::{self, Conversation};
use crate::stream::{self, Frames};

/// A request that was read: its model's name, what to go on from, and how.
type Prepared = (String, Vec<u32>, Ask);

pub(crate) async fn chat(
    State(app): State<Shared>,
    Extension(pass): Extension<Pass>,
    body: Arrived,
) -> Result<Response, Error> {
    let shared = Shared::clone(&app);
    let (model, prompt, ask) = body::read(body, move |request| prepare(&shared, request)).await?;
    let choices = Choices::submit(&app, &ask, vec![prompt], pass)?;
    let head = Head { app: Shared::clone(&app), id: fresh_id("chatcmpl-"), created: unix_seconds(), model };
    let wants_logprobs = ask.logprobs.is_some();
    if ask.streams {
        return stream::respond(choices, ChatFrames { head, wants_logprobs }, ask.usage).await;
    }
    Ok(Json(whole(choices, head, wants_logprobs).await?).into_response())
}

fn prepare(app: &App, request: ChatRequest) -> Result<Prepared, Error> {
    let ChatRequest { chat, settings } = request;
    if chat.top_logprobs.is_some() && chat.logprobs != Some(true) {
        return Err(Error::field("top_logprobs", "`top_logprobs` belongs to `logprobs`: set `logprobs` to true"));
    }
    let differences = Differences {
        model: &chat.model,
        logprobs: chat.logprobs.unwrap_or(false).then(|| chat.top_logprobs.unwrap_or(0)),
        logprobs_field: "top_logprobs",
        max_tokens: chat.max_completion_tokens.or(settings.max_tokens).unwrap_or(usize::MAX),
    };
    let ask = Ask::new(app, &settings, differences)?;
    let tools = chat.tools.unwrap_or_default();
    if !tools.is_empty() && chat.tool_choice != Some(ToolChoice::None) {
        return Err(Error::field("tools", "`tools` are not supported yet: answers are free text"));
    }
    let mut variables = chat.chat_template_kwargs.unwrap_or_default();
    if let Some(effort) = chat.reasoning_effort {
        variables.entry("reasoning_effort").or_insert_with(|| effort.into());
    }
    let conversation = Conversation {
        messages: chat.messages,
        // Those that may not be called are not shown.
        tools: Vec::new(),
        variables,
        opens_answer: chat.add_generation_prompt.unwrap_or(true),
        add_special_tokens: chat.add_special_tokens.unwrap_or(false),
    };
    Ok((chat.model, prompts::conversation(app, conversation)?, ask))
}

/// What all chunks have in common.
struct Head {
    app: Shared,
    id: String,
    created: u64,
    model: String,
}

async fn whole(mut choices: Choices, head: Head, wants_logprobs: bool) -> Result<ChatResponse, Error> {
    let mut answers: Vec<(String, Vec<_>, &'static str)> = vec![(String::new(), Vec::new(), ""); choices.len()];
    while let Some(news) = choices.next().await {
        let (index, progress) = news?;
        let (piece, finish) = match progress {
            Progress::Started => continue,
            Progress::Piece(piece) => (piece, ""),
            Progress::End(piece, finish) => (piece, finish),
        };
        let answer = &mut answers[index];
        answer.0.push_str(&piece.text);
        answer.1.extend(piece.tokens);
        answer.2 = finish;
    }
    let choice = |(index, (text, tokens, finish_reason))| ChatChoice {
        index,
        message: AnswerMessage { role: "assistant", content: Some(text), refusal: None, tool_calls: Vec::new() },
        logprobs: wants_logprobs.then(|| logprobs::chat(&head.app.tokenizer, tokens)),
        finish_reason,
    };
    Ok(ChatResponse {
        choices: answers.into_iter().enumerate().map(choice).collect(),
        id: head.id,
        object: "chat.completion",
        created: head.created,
        model: head.model,
        usage: choices.usage(),
        system_fingerprint: Some(head.app.fingerprint.clone()),
    })
}

struct ChatFrames {
    head: Head,
    wants_logprobs: bool,
}

impl ChatFrames {
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

    fn delta(&self, index: usize, delta: ChatDelta) -> ChatChunkChoice {
        ChatChunkChoice { index, delta, logprobs: None, finish_reason: None }
    }
}

impl Frames for ChatFrames {
    type Chunk = ChatChunk;

    fn begin(&mut self, index: usize) -> Option<ChatChunk> {
        let delta = ChatDelta { role: Some("assistant"), content: Some(String::new()), ..ChatDelta::default() };
        Some(self.chunk(vec![self.delta(index, delta)]))
    }

    fn piece(&mut self, index: usize, piece: Piece, finish: Option<&'static str>) -> Vec<ChatChunk> {
        let mut chunks = Vec::new();
        if !piece.text.is_empty() || !piece.tokens.is_empty() {
            let mut choice = self.delta(index, ChatDelta { content: Some(piece.text), ..ChatDelta::default() });
            choice.logprobs = self.wants_logprobs.then(|| logprobs::chat(&self.head.app.tokenizer, piece.tokens));
            chunks.push(self.chunk(vec![choice]));
        }
        if finish.is_some() {
            let choice = ChatChunkChoice { finish_reason: finish, ..self.delta(index, ChatDelta::default()) };
            chunks.push(self.chunk(vec![choice]));
        }
        chunks
    }

    fn last(&mut self) -> ChatChunk {
        self.chunk(Vec::new())
    }

    fn set_usage(chunk: &mut ChatChunk, usage: Option<Usage>) {
        chunk.usage = Some(usage);
    }
}
