//! `POST /tokenize` and `/detokenize`.

use api::{DetokenizeRequest, DetokenizeResponse, TokenizeRequest, TokenizeResponse};
use axum::extract::{Extension, State};
use axum::response::Response;

use crate::app::{App, Shared};
use crate::body::{self, Arrived};
use crate::error::Error;
use crate::keys::Pass;
use crate::models;
use crate::prompts::{self, Conversation};

pub(crate) async fn tokenize(
    State(app): State<Shared>,
    Extension(pass): Extension<Pass>,
    body: Arrived,
) -> Result<Response, Error> {
    let (shared, key) = (Shared::clone(&app), pass.number());
    let make = move |mut request: TokenizeRequest| {
        if request.prompt.is_some() == request.messages.is_some() {
            return Err(Error::field("prompt", "give either `prompt` or `messages`"));
        }
        let model = request.model.take();
        // Written here, since it may have megabytes.
        let written = tokenized(&shared, request).and_then(|told| body::large_json(&told, &shared.room, key));
        Ok((model, written))
    };
    let (model, response) = body::read(body, make).await?;
    models::check(&app, model.as_deref()).await?;
    response
}

fn tokenized(app: &App, request: TokenizeRequest) -> Result<TokenizeResponse, Error> {
    let (field, tokens) = match request.prompt {
        Some(text) => {
            prompts::check_length("prompt", &text, app)?;
            ("prompt", app.tokenizer.encode(&text, request.add_special_tokens.unwrap_or(true))?)
        }
        None => {
            let conversation = Conversation {
                messages: request.messages.unwrap_or_default(),
                tools: request.tools.unwrap_or_default(),
                variables: request.chat_template_kwargs.unwrap_or_default(),
                opens_answer: request.add_generation_prompt.unwrap_or(true),
                add_special_tokens: request.add_special_tokens.unwrap_or(false),
            };
            ("messages", prompts::conversation(app, conversation)?)
        }
    };
    let token_strs = match request.return_token_strs {
        // Ids take little, and who counts wants to know of a text that is too long by how much; texts take ten times as much.
        Some(true) if tokens.len() > app.service.context() => {
            return Err(Error::many_tokens(field, tokens.len(), app));
        }
        Some(true) => Some(tokens.iter().map(|id| app.tokenizer.id_to_token(*id).unwrap_or_default()).collect()),
        Some(false) | None => None,
    };
    Ok(TokenizeResponse { count: tokens.len(), max_model_len: app.service.context(), tokens, token_strs })
}

pub(crate) async fn detokenize(
    State(app): State<Shared>,
    Extension(pass): Extension<Pass>,
    body: Arrived,
) -> Result<Response, Error> {
    let (shared, key) = (Shared::clone(&app), pass.number());
    let make = move |mut request: DetokenizeRequest| {
        let model = request.model.take();
        let written = detokenized(&shared, &request.tokens).and_then(|told| body::large_json(&told, &shared.room, key));
        Ok((model, written))
    };
    let (model, response) = body::read(body, make).await?;
    models::check(&app, model.as_deref()).await?;
    response
}

fn detokenized(app: &App, tokens: &[u32]) -> Result<DetokenizeResponse, Error> {
    let (count, context) = (tokens.len(), app.service.context());
    if count > context {
        let message =
            format!("`tokens` has {count}, more than the context of {context} has room for: send fewer at a time");
        return Err(Error::field("tokens", message));
    }
    if let Some(id) = tokens.iter().find(|id| **id as usize >= app.tokenizer.vocab_size()) {
        return Err(Error::field("tokens", format!("{id} is no token's id of this model")));
    }
    Ok(DetokenizeResponse { prompt: app.tokenizer.decode(tokens, false)? })
}
