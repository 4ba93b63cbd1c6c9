//! `POST /tokenize` and `/detokenize`.

use api::{DetokenizeRequest, DetokenizeResponse, TokenizeRequest, TokenizeResponse};
use axum::Json;
use axum::extract::{Extension, State};

use crate::app::{App, Shared};
use crate::body::{self, Arrived};
use crate::error::Error;
use crate::keys::Pass;
use crate::models;
use crate::prompts::{self, Conversation};

pub(crate) async fn tokenize(
    State(app): State<Shared>,
    Extension(_until_the_end): Extension<Pass>,
    body: Arrived,
) -> Result<Json<TokenizeResponse>, Error> {
    let shared = Shared::clone(&app);
    let make = move |mut request: TokenizeRequest| {
        if request.prompt.is_some() == request.messages.is_some() {
            return Err(Error::field("prompt", "give either `prompt` or `messages`"));
        }
        Ok((request.model.take(), tokenized(&shared, request)))
    };
    let (model, response) = body::read(body, make).await?;
    models::check(&app, model.as_deref()).await?;
    Ok(Json(response?))
}

fn tokenized(app: &App, request: TokenizeRequest) -> Result<TokenizeResponse, Error> {
    let tokens = match request.prompt {
        Some(text) => {
            prompts::check_length("prompt", &text, app)?;
            app.tokenizer.encode(&text, request.add_special_tokens.unwrap_or(true))?
        }
        None => {
            let conversation = Conversation {
                messages: request.messages.unwrap_or_default(),
                tools: request.tools.unwrap_or_default(),
                variables: request.chat_template_kwargs.unwrap_or_default(),
                opens_answer: request.add_generation_prompt.unwrap_or(true),
                add_special_tokens: request.add_special_tokens.unwrap_or(false),
            };
            prompts::conversation(app, conversation)?
        }
    };
    let texts = |wanted| -> Option<Vec<String>> {
        let text = |id: &u32| app.tokenizer.id_to_token(*id).unwrap_or_default();
        bool::then(wanted, || tokens.iter().map(text).collect())
    };
    let token_strs = texts(request.return_token_strs.unwrap_or(false));
    Ok(TokenizeResponse { count: tokens.len(), max_model_len: app.service.context(), tokens, token_strs })
}

pub(crate) async fn detokenize(
    State(app): State<Shared>,
    Extension(_until_the_end): Extension<Pass>,
    body: Arrived,
) -> Result<Json<DetokenizeResponse>, Error> {
    let shared = Shared::clone(&app);
    let make = move |mut request: DetokenizeRequest| Ok((request.model.take(), detokenized(&shared, &request.tokens)));
    let (model, prompt) = body::read(body, make).await?;
    models::check(&app, model.as_deref()).await?;
    Ok(Json(DetokenizeResponse { prompt: prompt? }))
}

fn detokenized(app: &App, tokens: &[u32]) -> Result<String, Error> {
    let (count, context) = (tokens.len(), app.service.context());
    if count > context {
        let message =
            format!("`tokens` has {count}, more than the context of {context} has room for: send fewer at a time");
        return Err(Error::field("tokens", message));
    }
    if let Some(id) = tokens.iter().find(|id| **id as usize >= app.tokenizer.vocab_size()) {
        return Err(Error::field("tokens", format!("{id} is no token's id of this model")));
    }
    Ok(app.tokenizer.decode(tokens, false)?)
}
