//! Answers as server-sent events.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::time::Duration;

use api::Usage;
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE};
use serde::Serialize;
use tracing::Instrument as _;

use crate::answer_text::Piece;
use crate::ask::UsageWanted;
use crate::choices::{Choices, Progress};
use crate::error::Error;
use crate::keys::Pass;
use crate::logprobs::{FEWER_LOGPROBS, Scored, Told};
use crate::turns::in_time;

/// How long a response waits for its first news, so that what fails at once has a status of its own. Then it begins, for clients and
/// proxies that would give up on one without headers.
const FIRST_NEWS: Duration = Duration::from_secs(2);
/// After so long without news a comment is sent, so that a connection that is gone is noticed.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// What a stream of one kind of completions says.
pub(crate) trait Frames: Send + 'static {
    /// A chunk of it.
    type Chunk: Serialize + Send;

    /// What an answer begins with.
    fn begin(&mut self, index: usize) -> Option<Self::Chunk>;

    /// The frame by which a prompt is told once its tokens' log-probabilities are there; it says `usage`, if that is to be said. `pass` is whose they are. They may be very many, so that
    /// they are written on a thread that may be busy.
    fn scored(
        &mut self,
        index: usize,
        scored: Scored,
        usage: Option<Option<Usage>>,
        pass: &Pass,
    ) -> impl Future<Output = Result<Option<Bytes>, Error>> + Send;

    /// More text, perhaps none.
    fn piece(&mut self, index: usize, piece: Piece) -> Vec<Self::Chunk>;

    /// The last text, and why the answer ended, as the client is told: `finish` is why its tokens did.
    fn end(&mut self, index: usize, piece: Piece, finish: &'static str) -> (Vec<Self::Chunk>, &'static str);

    /// The chunk that tells the tokens alone.
    fn last(&mut self) -> Self::Chunk;

    /// Says in a chunk how many tokens there were; `None` is null.
    fn set_usage(chunk: &mut Self::Chunk, usage: Option<Usage>);
}

struct Streaming<F> {
    choices: Choices,
    frames: F,
    usage: UsageWanted,
    has_begun: Vec<bool>,
    ready: VecDeque<Bytes>,
    is_over: bool,
}

/// Streams the answers, which hold what is `told` of their prompts.
///
/// # Errors
/// An answer failed before anything was sent.
pub(crate) async fn respond<F: Frames>(
    choices: Choices,
    frames: F,
    usage: UsageWanted,
    told: Told,
) -> Result<Response, Error> {
    choices.count_unread(told);
    let has_begun = vec![false; choices.len()];
    let mut streaming = Streaming { choices, frames, usage, has_begun, ready: VecDeque::new(), is_over: false };
    if let Some(Some(first)) = streaming.choices.next_within(FIRST_NEWS).await {
        streaming.take(first?).await?;
    }
    let frames = stream::unfold(streaming, |mut streaming| async move {
        // The gate's part of the request is over.
        let span = streaming.choices.span().clone();
        let bytes = streaming.next().instrument(span).await?;
        Some((Ok::<_, Infallible>(bytes), streaming))
    });
    let headers = [
        (CONTENT_TYPE, "text/event-stream; charset=utf-8"),
        (CACHE_CONTROL, "no-cache"),
        // nginx would collect the frames.
        (hyper::header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((headers, Body::from_stream(frames)).into_response())
}

impl<F: Frames> Streaming<F> {
    /// The next bytes; `None` at the end.
    async fn next(&mut self) -> Option<Bytes> {
        while self.ready.is_empty() && !self.is_over {
            let taken = match self.choices.next_within(KEEP_ALIVE).await {
                None => {
                    self.ready.push_back(Bytes::from_static(b": still there\n\n"));
                    Ok(())
                }
                Some(None) => self.end(),
                Some(Some(Ok(news))) => self.take(news).await,
                Some(Some(Err(error))) => Err(error),
            };
            // The client sees an error frame and no `[DONE]`.
            if let Err(error) = taken {
                let (status, reason) = (error.status().as_u16(), error.body().error.message);
                tracing::warn!(status, code = error.code(), reason, "a stream was cut");
                self.is_over = true;
                self.ready.extend(frame(&error.body()));
            }
        }
        self.ready.pop_front()
    }

    async fn take(&mut self, (index, progress): (usize, Progress)) -> Result<(), Error> {
        let (mut chunks, mut told) = (Vec::new(), None);
        if !std::mem::replace(&mut self.has_begun[index], true) {
            chunks.extend(self.frames.begin(index));
        }
        match progress {
            Progress::Started => {}
            Progress::Scored(scored) => {
                let (usage, choices) = (self.usage_said(), &self.choices);
                let told_of = self.frames.scored(index, scored, usage, choices.pass());
                told = in_time(choices.app(), choices.until(), FEWER_LOGPROBS, told_of).await?;
            }
            Progress::Piece(piece) => chunks.extend(self.frames.piece(index, piece)),
            Progress::End(piece, finish) => {
                let (last, told) = self.frames.end(index, piece, finish);
                self.choices.note_finish(index, told);
                chunks.extend(last);
            }
        }
        let usage = self.usage_said();
        for mut chunk in chunks {
            if let Some(usage) = usage {
                F::set_usage(&mut chunk, usage);
            }
            self.ready.push_back(frame(&chunk)?);
        }
        self.ready.extend(told);
        Ok(())
    }

    /// What each chunk says of tokens; `Some(None)` is null.
    fn usage_said(&self) -> Option<Option<Usage>> {
        match self.usage {
            UsageWanted { always: true, .. } => Some(Some(self.choices.usage())),
            UsageWanted { last: true, .. } => Some(None),
            UsageWanted { .. } => None,
        }
    }

    fn end(&mut self) -> Result<(), Error> {
        if self.usage.last {
            let mut chunk = self.frames.last();
            F::set_usage(&mut chunk, Some(self.choices.usage()));
            self.ready.push_back(frame(&chunk)?);
        }
        self.ready.push_back(Bytes::from_static(b"data: [DONE]\n\n"));
        self.is_over = true;
        Ok(())
    }
}

/// A value as an event.
pub(crate) fn frame(value: &impl Serialize) -> Result<Bytes, Error> {
    let mut bytes = b"data: ".to_vec();
    serde_json::to_writer(&mut bytes, value).map_err(Error::internal)?;
    bytes.extend_from_slice(b"\n\n");
    Ok(Bytes::from(bytes))
}
