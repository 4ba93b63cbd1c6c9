//! `POST /v1/embeddings`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use api::{Embedding, EmbeddingPooling, EmbeddingRequest, EmbeddingResponse, EncodingFormat, Prompt, Usage, Vector};
use axum::extract::{Extension, State};
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use engine::{CountedText, Failure, Message, Pooling, Refusal};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use tokio::sync::{Semaphore, oneshot};

use crate::app::{App, Shared};
use crate::body::{self, Arrived};
use crate::budget::{Budget, Part};
use crate::error::Error;
use crate::keys::Pass;
use crate::models;
use crate::prompts::{self, Affixes};
use crate::turns::{Queue, Work, in_time};

/// Texts of a request that the engine has at the same time: enough to be computed together, and few beside those of others.
const AT_ONCE: usize = 16;
/// What to do about vectors that take too long.
const FEWER_TEXTS: &str = "ask for the vectors of fewer texts at a time";
/// Bytes of a number of a vector: four, and up to twelve as it is written.
const NUMBER_BYTES: usize = 16;
/// The unit in which bytes are counted.
const UNIT_BYTES: usize = 1 << 10;
/// So many numbers are written in a few tenths of a millisecond.
const FEW_NUMBERS: usize = 1 << 12;
/// And so many in tens of milliseconds.
const SHORT_MAX: usize = 1 << 20;

/// A request that was read.
struct Prepared {
    model: String,
    inputs: Vec<Vec<u32>>,
    format: EncodingFormat,
    pooling: Pooling,
}

/// What embeddings take of the engine and of memory.
#[derive(Debug)]
pub(crate) struct Shares {
    /// Requests at the same time; more are refused.
    requests: Budget,
    /// Texts that the engine has at the same time, also those whose clients have left; others wait here. Its inbox has three times as many places, so that
    /// these leave some to others.
    texts: Arc<Semaphore>,
    /// Whose text has the next place among these: keys have theirs one after the other, however many texts each has. So does the engine compute them.
    next: Arc<Queue>,
    /// What all requests hold, in units: their tokens and vectors, and these as they are written, until the client has them.
    bytes: Budget,
}

impl Shares {
    /// Where so many requests may wait, and hold so many bytes.
    pub(crate) fn new(waiting: usize, bytes: usize) -> Shares {
        let [requests, bytes] = [waiting, bytes / UNIT_BYTES].map(Budget::new);
        Shares { requests, texts: Arc::new(Semaphore::new(waiting)), next: Queue::new(1), bytes }
    }
}

impl Prepared {
    fn tokens(&self) -> usize {
        self.inputs.iter().map(Vec::len).sum()
    }

    /// The request's part of what all may hold.
    ///
    /// # Errors
    /// It is too large for any part, or there is none now.
    fn place(&self, app: &App, pass: &Pass) -> Result<Part, Error> {
        let (texts, size, all) = (self.inputs.len(), app.vector_size, app.limits.embeddings_bytes);
        // More than half would wait until nobody else asks for anything.
        let (whose, most) = if app.keys.are_several() {
            ("each key, half of what all requests have together", all / 2)
        } else {
            ("all requests together", all)
        };
        let bytes = self.tokens() * size_of::<u32>() + texts.saturating_mul(size).saturating_mul(NUMBER_BYTES);
        if bytes > most {
            let message = format!(
                "`input` has {texts} texts, whose vectors of {size} numbers take {bytes} bytes with their tokens, and {most} are the most \
                 for {whose}: {FEWER_TEXTS}"
            );
            return Err(Error::field("input", message));
        }
        app.embeddings.bytes.take(pass.number(), bytes.div_ceil(UNIT_BYTES)).map_err(Error::many_vectors)
    }
}

pub(crate) async fn embeddings(
    State(app): State<Shared>,
    Extension(pass): Extension<Pass>,
    body: Arrived,
) -> Result<Response, Error> {
    let shared = Shared::clone(&app);
    let make = move |request: EmbeddingRequest| Ok((request.model.clone(), prepare(&shared, request)));
    let (model, prepared) = body::read(body, make).await?;
    app.note_model(&model)?;
    let answer = async { answer(&app, prepared?, &pass).await };
    models::answered(&app, &model, answer.await).await
}

async fn answer(app: &App, asked: Prepared, pass: &Pass) -> Result<Response, Error> {
    let waits = app.embeddings.requests.take(pass.number(), 1);
    let _waits = waits.map_err(|why| Error::many_vector_requests(why, app.service.waiting_max()))?;
    let place = asked.place(app, pass)?;
    let until = pass.arrived() + app.limits.answer;
    let answered = async {
        let tokens = asked.tokens();
        let Prepared { model, inputs, format, pooling } = asked;
        let user = User { pass, is_refused: AtomicBool::new(false) };
        let vectors = inputs.into_iter().map(|tokens| embed(app, tokens, (&model, pooling), &user));
        let vectors = stream::iter(vectors).buffered(AT_ONCE).try_collect().await?;
        app.metrics.note_vectors();
        respond(app, pass, Vectors { vectors, format, model, tokens, place }).await
    };
    in_time(app, until, FEWER_TEXTS, answered).await
}

/// What a request is answered with.
struct Vectors {
    vectors: Vec<Vec<f32>>,
    format: EncodingFormat,
    model: String,
    /// Those of all texts.
    tokens: usize,
    place: Part,
}

/// The response. Where there are many numbers they are written on a thread that may be busy.
async fn respond(app: &App, pass: &Pass, answer: Vectors) -> Result<Response, Error> {
    let numbers: usize = answer.vectors.iter().map(Vec::len).sum();
    let (key, pass) = (pass.number(), pass.clone());
    let write = move || {
        let written = answer.written();
        // The request is its key's until then, also where its client has left.
        drop(pass);
        written
    };
    if numbers <= FEW_NUMBERS {
        return write();
    }
    let work = if numbers <= SHORT_MAX { Work::Short } else { Work::Long };
    app.room.turns.busy(key, work, write).await
}

impl Vectors {
    fn written(self) -> Result<Response, Error> {
        let Vectors { vectors, format, model, tokens, place } = self;
        let one = |(index, vector)| Embedding { object: "embedding", index, embedding: written(vector, format) };
        let data = vectors.into_iter().enumerate().map(one).collect();
        let response = EmbeddingResponse { object: "list", data, model, usage: Usage::of_prompt(tokens) };
        body::json(&response, place)
    }
}

fn prepare(app: &App, request: EmbeddingRequest) -> Result<Prepared, Error> {
    let size = app.vector_size;
    if let Some(dimensions) = request.dimensions.filter(|dimensions| *dimensions != size) {
        let message = format!("`dimensions` is {dimensions}, but the model's vectors have {size}");
        return Err(Error::field("dimensions", message));
    }
    let is_list = matches!(request.input, Prompt::Texts(_) | Prompt::TokenLists(_));
    let given = prompts::texts(app, ("input", request.input), Affixes::Around, (app.limits.inputs, 1))?;
    let inputs: Vec<Vec<u32>> = given.into_iter().map(|given| given.tokens).collect();
    for (index, tokens) in inputs.iter().enumerate() {
        let param = || if is_list { format!("input[{index}]") } else { "input".to_owned() };
        check(app, tokens, param)?;
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
fn check(app: &App, tokens: &[u32], param: impl FnOnce() -> String) -> Result<(), Error> {
    let (context, vocab_size) = (app.service.context(), app.service.vocab_size());
    if tokens.is_empty() {
        let param = param();
        let message = format!("`{param}` is empty: give a text");
        return Err(Error::field(param, message).coded("empty_prompt"));
    }
    if tokens.len() > context {
        return Err(Error::many_tokens(param(), tokens.len(), app));
    }
    let unknown = tokens.iter().find(|id| **id as usize >= vocab_size);
    let refused = |id: &u32| Error::of_refused_text(Refusal::Token { id: *id, vocab_size }, app, param());
    unknown.map_or(Ok(()), |id| Err(refused(id)))
}

/// By whom a request's tokens are used.
struct User<'p> {
    pass: &'p Pass,
    /// Whether the engine has refused one of its texts: of those that are under way beside it nothing is computed.
    is_refused: AtomicBool,
}

/// Tokens that the engine was asked to compute. They are charged when this is dropped, unless it refuses them.
struct Charge<'p> {
    user: &'p User<'p>,
    tokens: usize,
}

impl Drop for Charge<'_> {
    fn drop(&mut self) {
        if !self.user.is_refused.load(Ordering::Relaxed) {
            self.user.pass.charge_tokens(self.tokens);
        }
    }
}

async fn embed(
    app: &App,
    tokens: Vec<u32>,
    (model, pooling): (&str, Pooling),
    user: &User<'_>,
) -> Result<Vec<f32>, Error> {
    let turn = app.embeddings.next.turn(user.pass.number()).await?;
    let place = Arc::clone(&app.embeddings.texts).acquire_owned().await.map_err(Error::internal)?;
    drop(turn);
    let counted = CountedText::new(app.service.counters(), place);
    let (reply, answer) = oneshot::channel();
    let count = tokens.len();
    let (key, adapter) = (user.pass.number(), app.adapter(model));
    app.service.send(Message::Embed { key, tokens, adapter, pooling, reply, counted })?;
    let _charge = Charge { user, tokens: count };
    let answer = answer.await.map_err(|_| Error::stopping())?;
    answer.inspect(|_| app.metrics.note_vector(count)).map_err(|failure| match failure {
        Failure::Refused(refusal) => {
            user.is_refused.store(true, Ordering::Relaxed);
            Error::of_refusal(refusal, app)
        }
        other => other.into(),
    })
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
    use std::task::{Context, Waker};
    use std::time::Instant;

    use super::*;
    use crate::app::tests::app;

    /// Millions of numbers take a connection's thread, which others' tokens wait for.
    #[test]
    fn many_numbers_wait_for_a_thread_that_may_be_busy() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap();
        let _inside = runtime.enter();
        let (app, _inbox) = app(2);
        let pass = app.keys.find(None, 0).unwrap().enter(Instant::now()).unwrap();
        let taken = app.room.turns.take_all(Work::Short);
        let respond = |numbers: usize| {
            let inputs = vec![vec![1]];
            let asked =
                Prepared { model: String::new(), inputs, format: EncodingFormat::Float, pooling: Pooling::Mean };
            let place = asked.place(&app, &pass).unwrap();
            let vectors = vec![vec![0.5; numbers]];
            let answer = Vectors { vectors, format: asked.format, model: asked.model, tokens: 1, place };
            pin!(respond(&app, &pass, answer)).poll(&mut Context::from_waker(Waker::noop())).is_ready()
        };
        assert_eq!([respond(FEW_NUMBERS), respond(FEW_NUMBERS + 1)], [true, false]);
        drop(taken);
    }

    /// Clients that ask and leave would fill the engine's inbox, and with it keep everyone away.
    #[test]
    fn texts_of_clients_that_have_left_count_until_the_engine_has_taken_them() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let _inside = runtime.enter();
        let (app, mut inbox) = app(2);
        let pass = app.keys.find(None, 0).unwrap().enter(Instant::now()).unwrap();
        let user = User { pass: &pass, is_refused: AtomicBool::new(false) };
        for _ in 0..9 {
            // As a connection polls its request, and drops it when the client leaves.
            let asked = pin!(embed(&app, vec![1], ("small", Pooling::Mean), &user));
            assert!(asked.poll(&mut Context::from_waker(Waker::noop())).is_pending());
        }
        assert_eq!((inbox.messages.len(), app.embeddings.texts.available_permits()), (2, 0));
        assert_eq!(app.service.counters().texts.load(Ordering::Relaxed), 2);
        while inbox.messages.try_recv().is_ok() {}
        assert_eq!(app.embeddings.texts.available_permits(), 2);
        assert_eq!(app.service.counters().texts.load(Ordering::Relaxed), 0);
    }

    /// A key with thousands of texts would have those of others wait behind them all. What has a place the engine computes key after key.
    #[test]
    fn keys_have_the_places_of_their_texts_one_after_the_other() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let _inside = runtime.enter();
        let (app, mut inbox) = app(1);
        let entry = |name: &str| crate::NewKey::random(name, &[crate::KeyScope::Infer]).unwrap();
        let keys = [entry("many"), entry("few")];
        let entries: Vec<_> = keys.iter().map(|key| key.entry.clone()).collect();
        let ring = crate::Keys::of(&entries, Instant::now());
        let users = keys.map(|key| ring.find(Some(&key.secret), 0).unwrap().enter(Instant::now()).unwrap());
        let users = users.each_ref().map(|pass| User { pass, is_refused: AtomicBool::new(false) });
        let mut asked: Vec<_> = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 5), (1, 6)]
            .map(|(user, token)| Box::pin(embed(&app, vec![token], ("small", Pooling::Mean), &users[user])))
            .into();
        let (mut order, mut replies) = (Vec::new(), Vec::new());
        for _ in 0..6 {
            for text in &mut asked {
                assert!(text.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
            }
            match inbox.messages.try_recv() {
                Ok(Message::Embed { key, tokens, reply, .. }) => {
                    order.push((key, tokens[0]));
                    replies.push(reply);
                }
                other => panic!("{other:?} is no text"),
            }
        }
        // The second one waits for the engine already.
        assert_eq!(order, [(1, 1), (1, 2), (1, 3), (2, 5), (1, 4), (2, 6)]);
    }
}
