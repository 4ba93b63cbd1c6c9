//! `POST /v1/embeddings`.

use std::sync::Arc;

use api::{Embedding, EmbeddingPooling, EmbeddingRequest, EmbeddingResponse, EncodingFormat, Usage, Vector};
use axum::Json;
use axum::extract::{Extension, State};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use engine::{CountedText, Message, Pooling, Refusal};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use tokio::sync::{Semaphore, oneshot};

use crate::app::{App, Shared, Stage, reached};
use crate::body::{self, Arrived};
use crate::error::Error;
use crate::keys::Pass;
use crate::prompts;

/// Texts of a request that the engine has at the same time: enough to be computed together, and few beside those of others.
const AT_ONCE: usize = 16;
/// What to do about a vector that takes too long.
const FEWER_TEXTS: &str = "ask for the vectors of fewer texts at a time";

/// A request that was read.
struct Prepared {
    model: String,
    inputs: Vec<Vec<u32>>,
    format: EncodingFormat,
    pooling: Pooling,
}

/// What embeddings take of the engine.
#[derive(Debug)]
pub(crate) struct Shares {
    /// Requests at the same time; more are refused.
    requests: Semaphore,
    /// Texts that the engine has at the same time, also those whose clients have left; others wait here. Its inbox has three times as many places, so that
    /// these leave some to others.
    texts: Arc<Semaphore>,
}

impl Shares {
    /// Where so many requests may wait.
    pub(crate) fn new(waiting: usize) -> Shares {
        Shares { requests: Semaphore::new(waiting), texts: Arc::new(Semaphore::new(waiting)) }
    }
}

pub(crate) async fn embeddings(
    State(app): State<Shared>,
    Extension(pass): Extension<Pass>,
    body: Arrived,
) -> Result<Json<EmbeddingResponse>, Error> {
    let shared = Shared::clone(&app);
    let asked = body::read(body, move |request| prepare(&shared, request)).await?;
    app.note_model(&asked.model)?;
    // As many as other requests may wait.
    let _place =
        app.embeddings.requests.try_acquire().map_err(|_| Refusal::Full { waiting: app.service.waiting_max() })?;
    let tokens = asked.inputs.iter().map(Vec::len).sum();
    pass.charge_tokens(tokens);
    let vectors = asked.inputs.into_iter().map(|tokens| embed(&app, tokens, &asked.model, asked.pooling));
    let vectors: Vec<Vec<f32>> = stream::iter(vectors).buffered(AT_ONCE).try_collect().await?;
    let one = |(index, vector)| Embedding { object: "embedding", index, embedding: written(vector, asked.format) };
    let data = vectors.into_iter().enumerate().map(one).collect();
    Ok(Json(EmbeddingResponse { object: "list", data, model: asked.model, usage: Usage::of_prompt(tokens) }))
}

fn prepare(app: &App, request: EmbeddingRequest) -> Result<Prepared, Error> {
    let size = app.vector_size;
    if let Some(dimensions) = request.dimensions.filter(|dimensions| *dimensions != size) {
        let message = format!("`dimensions` is {dimensions}, but the model's vectors have {size}");
        return Err(Error::field("dimensions", message));
    }
    let given = prompts::texts(app, ("input", request.input), true, app.limits.inputs)?;
    let inputs: Vec<Vec<u32>> = given.into_iter().map(|given| given.tokens).collect();
    for (index, tokens) in inputs.iter().enumerate() {
        check(app, tokens).map_err(|refusal| Error::from(refusal).at(format!("input[{index}]")))?;
    }
    Ok(Prepared {
        model: request.model,
        inputs,
        format: request.encoding_format.unwrap_or_default(),
        pooling: match request.pooling.unwrap_or_default() {
            EmbeddingPooling::Mean => Pooling::Mean,
            EmbeddingPooling::Last => Pooling::Last,
        },
    })
}

/// A text that is only read may fill the context.
fn check(app: &App, tokens: &[u32]) -> Result<(), Refusal> {
    let (context, vocab_size) = (app.service.context(), app.service.vocab_size());
    if tokens.is_empty() {
        return Err(Refusal::Empty);
    }
    if tokens.len() > context {
        return Err(Refusal::TooLong { tokens: tokens.len(), context });
    }
    let unknown = tokens.iter().find(|id| **id as usize >= vocab_size);
    unknown.map_or(Ok(()), |id| Err(Refusal::Token { id: *id, vocab_size }))
}

async fn embed(app: &App, tokens: Vec<u32>, model: &str, pooling: Pooling) -> Result<Vec<f32>, Error> {
    let vector = async {
        let place = Arc::clone(&app.embeddings.texts).acquire_owned().await.map_err(Error::internal)?;
        let counted = CountedText::new(app.service.counters(), place);
        let (reply, answer) = oneshot::channel();
        app.service.send(Message::Embed { tokens, adapter: app.adapter(model), pooling, reply, counted })?;
        Ok::<_, Error>(answer.await.map_err(|_| Error::stopping())??)
    };
    tokio::select! {
        vector = vector => vector,
        () = reached(&app.stage, Stage::Cut) => Err(Error::stopping()),
        () = tokio::time::sleep(app.limits.answer) => Err(Error::late_answer(app.limits.answer, FEWER_TEXTS)),
    }
}

fn written(vector: Vec<f32>, format: EncodingFormat) -> Vector {
    match format {
        EncodingFormat::Float => Vector::Float(vector),
        EncodingFormat::Base64 => {
            let bytes: Vec<u8> = vector.iter().flat_map(|number| number.to_le_bytes()).collect();
            Vector::Base64(STANDARD.encode(bytes))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::sync::atomic::Ordering;
    use std::task::{Context, Waker};

    use super::*;
    use crate::app::tests::app;

    /// Clients that ask and leave would fill the engine's inbox, and with it keep everyone away.
    #[test]
    fn texts_of_clients_that_have_left_count_until_the_engine_has_taken_them() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let _inside = runtime.enter();
        let (app, mut inbox) = app(2);
        for _ in 0..9 {
            // As a connection polls its request, and drops it when the client leaves.
            let asked = pin!(embed(&app, vec![1], "small", Pooling::Mean));
            assert!(asked.poll(&mut Context::from_waker(Waker::noop())).is_pending());
        }
        assert_eq!((inbox.messages.len(), app.embeddings.texts.available_permits()), (2, 0));
        assert_eq!(app.service.counters().texts.load(Ordering::Relaxed), 2);
        while inbox.messages.try_recv().is_ok() {}
        assert_eq!(app.embeddings.texts.available_permits(), 2);
        assert_eq!(app.service.counters().texts.load(Ordering::Relaxed), 0);
    }
}
