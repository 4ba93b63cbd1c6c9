//! A request, and its answer's times.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt as _;
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::header::CONTENT_TYPE;
use hyper::{Method, Response};
use tokio::time::Instant;

use crate::chunk::{self, News};
use crate::client::{Client, Connection, Failed, causes, checked, short, whole};
use crate::record::{Outcome, microseconds};
use crate::sse::EventReader;

/// How long the end of a response may come behind `[DONE]` for its connection to be used again.
const END_TIME: Duration = Duration::from_millis(100);

/// A number of things at once, and the most there were.
#[derive(Debug, Default)]
pub(crate) struct Level {
    current: AtomicU64,
    most: AtomicU64,
}

/// One of the things that are counted, until it is dropped.
#[derive(Debug)]
pub(crate) struct Counted<'a>(&'a Level);

impl Level {
    pub(crate) fn enter(&self) -> Counted<'_> {
        let current = self.current.fetch_add(1, Ordering::Relaxed) + 1;
        self.most.fetch_max(current, Ordering::Relaxed);
        Counted(self)
    }

    pub(crate) fn most(&self) -> u64 {
        self.most.load(Ordering::Relaxed)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.current.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What is sent.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) path: &'static str,
    pub(crate) body: Vec<u8>,
    pub(crate) key: usize,
    pub(crate) is_slow: bool,
    /// From when times are counted.
    pub(crate) due: Instant,
    pub(crate) timeout: Duration,
}

/// What comes back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) pieces_us: Vec<u32>,
    pub(crate) end: Duration,
    pub(crate) prompt_tokens: Option<u64>,
    pub(crate) cached_tokens: Option<u64>,
    pub(crate) answer_tokens: Option<u64>,
    pub(crate) outcome: Outcome,
}

/// What was read of an answer.
#[derive(Debug, Default)]
struct Reading {
    pieces_us: Vec<u32>,
    usage: chunk::Usage,
    /// Whether the model's answer has come to its end.
    has_ended: bool,
    /// When `[DONE]` came.
    over: Option<Duration>,
    wrong: Option<Failed>,
}

/// Sends a request and reads its answer. It is counted in `streams` from the answer's first piece to its end: a server may begin a response before it begins
/// the answer.
pub(crate) async fn ask(client: &Client, call: Call, streams: &Level) -> Answer {
    let (due, timeout, is_slow) = (call.due, call.timeout, call.is_slow);
    let mut reading = Reading::default();
    let asked = tokio::time::timeout(timeout, exchange(client, call, streams, &mut reading)).await;
    let outcome = match asked.unwrap_or(Err(Failed::Late)) {
        Ok((rest, connection)) => {
            if !is_slow {
                keep_behind(client, rest, connection).await;
            }
            Outcome::Done
        }
        Err(failed) => failed.into(),
    };
    Answer {
        pieces_us: reading.pieces_us,
        end: reading.over.unwrap_or_else(|| due.elapsed()),
        prompt_tokens: reading.usage.prompt_tokens,
        cached_tokens: reading.usage.cached_tokens(),
        answer_tokens: reading.usage.completion_tokens,
        outcome,
    }
}

/// Sends a request and reads its answer, to `[DONE]` or the end of the response: the rest of that, and its connection.
async fn exchange(
    client: &Client,
    call: Call,
    streams: &Level,
    reading: &mut Reading,
) -> Result<(Incoming, Connection), Failed> {
    let request = client.request(Method::POST, call.path, call.body, call.key)?;
    let (response, connection) = client.send(request, call.is_slow).await?;
    let response = match checked(response).await {
        Ok(response) => response,
        Err(failed) => {
            // Over a slow reader's connection another's answer would come as slowly.
            if !call.is_slow {
                client.idle.keep(connection);
            }
            return Err(failed);
        }
    };
    let mut stream = None;
    let mut body = events(response).await?;
    let mut reader = EventReader::default();
    while reading.over.is_none()
        && let Some(frame) = body.frame().await
    {
        let frame = frame.map_err(|error| Failed::Cut(causes(&error)))?;
        let Ok(bytes) = frame.into_data() else { continue };
        reading.bytes(&mut reader, &bytes, call.due)?;
        if !reading.pieces_us.is_empty() {
            stream.get_or_insert_with(|| streams.enter());
        }
    }
    if reading.over.is_none() {
        reader.finish(|data| reading.event(data, call.due.elapsed()));
    }
    reading.check()?;
    if reading.over.is_none() && !reading.has_ended {
        return Err(Failed::Cut("it ended before the answer did".to_owned()));
    }
    Ok((body, connection))
}

/// Keeps a connection once its response, whose answer is over, ends, too. Where one was left open the end of others is not waited for, and a
/// connection is kept only if it has come by now: to wait beside the next request would hold ever more connections open.
async fn keep_behind(client: &Client, rest: Incoming, connection: Connection) {
    let has_ended = if client.leaves_open.load(Ordering::Relaxed) {
        // The connection's task has the end only once it runs again, though it came together with `[DONE]`.
        tokio::task::yield_now().await;
        ends(rest).now_or_never().unwrap_or(false)
    } else {
        tokio::time::timeout(END_TIME, ends(rest)).await.unwrap_or_else(|_| {
            client.leaves_open.store(true, Ordering::Relaxed);
            false
        })
    };
    if has_ended {
        client.idle.keep(connection);
    }
}

/// Whether a response whose answer is over ends as it should. Some servers, and what stands before them, leave it open.
async fn ends(mut rest: Incoming) -> bool {
    loop {
        match rest.frame().await {
            None => return true,
            Some(Err(_)) => return false,
            Some(Ok(_)) => {}
        }
    }
}

/// The body of a response that is a stream of events.
async fn events(response: Response<Incoming>) -> Result<Incoming, Failed> {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("nothing");
    if kind.starts_with("text/event-stream") {
        return Ok(response.into_body());
    }
    let said = format!("the answer should be text/event-stream and is {kind}");
    let body = whole(response).await.unwrap_or_default();
    Err(Failed::NoStream(format!("{said}: {}", short(&String::from_utf8_lossy(&body)))))
}

impl Reading {
    fn bytes(&mut self, reader: &mut EventReader, bytes: &Bytes, due: Instant) -> Result<(), Failed> {
        let now = due.elapsed();
        let pushed = reader.push(bytes, |data| self.event(data, now));
        pushed.map_err(|error| Failed::InStream(error.to_string()))?;
        self.check()
    }

    fn event(&mut self, data: &[u8], now: Duration) {
        match chunk::read(data) {
            Ok(News::Over) => self.over = self.over.or(Some(now)),
            Ok(News::Error(message)) => self.wrong = Some(Failed::InStream(short(&message))),
            Ok(News::More { has_text, has_ended, usage }) => {
                if has_text {
                    self.pieces_us.push(microseconds(now));
                }
                self.has_ended |= has_ended;
                self.usage = usage.unwrap_or(self.usage);
            }
            Err(error) => {
                let said = short(&String::from_utf8_lossy(data));
                self.wrong = Some(Failed::InStream(format!("an event cannot be read: {error}: {said}")));
            }
        }
    }

    fn check(&mut self) -> Result<(), Failed> {
        self.wrong.take().map_or(Ok(()), Err)
    }
}
