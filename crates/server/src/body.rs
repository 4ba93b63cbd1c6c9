//! Reading a request's body, and work that takes long.

use std::sync::Arc;

use api::Request;
use axum::body::Body;
use axum::extract::FromRequest;
use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt as _;
use hyper::HeaderMap;
use hyper::header::{CONTENT_LENGTH, CONTENT_TYPE};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use crate::app::{App, Shared};
use crate::error::Error;

/// Bytes of a body from which on reading, rendering and tokenising it are left to a thread that may be busy: half a millisecond or so, in
/// which others' tokens would wait.
const BUSY_BYTES: usize = 2 << 10;
/// Smaller bodies are as good as nothing, beside what a connection takes.
const SMALL_BYTES: usize = 64 << 10;
/// Bodies from this size on take seconds of work, and leave one thread at least to others.
const LARGE_BYTES: usize = 256 << 10;
/// The unit in which the bytes of bodies are counted.
const UNIT_BYTES: usize = 1 << 10;

/// A body of JSON that has arrived, with its part of what all may take.
#[derive(Debug)]
pub(crate) struct Arrived {
    bytes: Bytes,
    _place: Option<OwnedSemaphorePermit>,
    large: Arc<Semaphore>,
}

/// What the large bodies of all requests may take together.
#[derive(Debug)]
pub(crate) struct Room {
    bytes: Arc<Semaphore>,
    /// Threads that may be busy with large ones.
    large: Arc<Semaphore>,
}

impl Room {
    pub(crate) fn new(bytes: usize) -> Room {
        let large = Arc::new(Semaphore::new(busy_threads() - 1));
        Room { bytes: Arc::new(Semaphore::new(bytes / UNIT_BYTES)), large }
    }

    /// Makes a body's part as large as its bytes. It grows as they come, so that who announces many and sends none takes none from others.
    ///
    /// # Errors
    /// There is none for so many.
    fn grow(&self, part: &mut Option<OwnedSemaphorePermit>, bytes: usize) -> Result<(), Error> {
        let held = part.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let wanted = if bytes <= SMALL_BYTES { 0 } else { bytes.div_ceil(UNIT_BYTES) };
        let Some(more) = wanted.checked_sub(held).filter(|more| *more > 0) else { return Ok(()) };
        let more = u32::try_from(more).unwrap_or(u32::MAX);
        let more = Arc::clone(&self.bytes).try_acquire_many_owned(more).map_err(|_| Error::no_room())?;
        match part {
            Some(part) => part.merge(more),
            None => *part = Some(more),
        }
        Ok(())
    }

    /// Whether a body of so many bytes would find room.
    fn has(&self, bytes: usize) -> bool {
        bytes <= SMALL_BYTES || self.bytes.available_permits() >= bytes.div_ceil(UNIT_BYTES)
    }
}

impl FromRequest<Shared> for Arrived {
    type Rejection = Error;

    async fn from_request(request: axum::extract::Request, app: &Shared) -> Result<Arrived, Error> {
        let (parts, body) = request.into_parts();
        collect(&parts.headers, body, app).await
    }
}

/// The whole body.
///
/// # Errors
/// It is not JSON by its headers, too large or too slow, or there are too many large ones.
async fn collect(headers: &HeaderMap, body: Body, app: &App) -> Result<Arrived, Error> {
    let limits = &app.limits;
    let is_json = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).is_some_and(|kind| {
        let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"))
    });
    // Browsers send other kinds to any server without asking it first.
    if !is_json {
        return Err(Error::not_json());
    }
    let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > limits.body_bytes as u64) {
        return Err(Error::too_large(limits.body_bytes));
    }
    // Before it is sent in vain.
    if length.is_some_and(|length| !app.room.has(length as usize)) {
        return Err(Error::no_room());
    }
    tokio::time::timeout(limits.arrival, arrive(body, app)).await.map_err(|_| Error::late_body())?
}

/// Takes a body as it comes. In each `Limits::pause` as much has to come as `Limits::body_rate` says, or its end.
async fn arrive(mut body: Body, app: &App) -> Result<Arrived, Error> {
    let limits = &app.limits;
    let least = (limits.body_rate as f64 * limits.pause.as_secs_f64()) as usize;
    let (mut bytes, mut part) = (BytesMut::new(), None);
    let (mut until, mut wanted) = (Instant::now() + limits.pause, least);
    loop {
        let frame = tokio::time::timeout_at(until, body.frame()).await.map_err(|_| Error::late_body())?;
        let Some(frame) = frame else { break };
        let frame = frame.map_err(|error| Error::invalid(format!("the body did not arrive: {error}")))?;
        let Ok(data) = frame.into_data() else { continue };
        let length = bytes.len() + data.len();
        if length > limits.body_bytes {
            return Err(Error::too_large(limits.body_bytes));
        }
        app.room.grow(&mut part, length)?;
        bytes.extend_from_slice(&data);
        if length >= wanted {
            (until, wanted) = (Instant::now() + limits.pause, length + least);
        }
    }
    Ok(Arrived { bytes: bytes.freeze(), _place: part, large: Arc::clone(&app.room.large) })
}

/// Reads a body into a request and makes something of it, on a thread that may be busy if that takes long.
pub(crate) async fn read<R, T>(
    body: Arrived,
    make: impl FnOnce(R) -> Result<T, Error> + Send + 'static,
) -> Result<T, Error>
where
    R: Request + Send + 'static,
    T: Send + 'static,
{
    let bytes = body.bytes.len();
    if bytes < BUSY_BYTES {
        return make(R::read(&body.bytes)?);
    }
    let turn = match bytes < LARGE_BYTES {
        true => None,
        false => Some(Arc::clone(&body.large).acquire_owned().await.map_err(Error::internal)?),
    };
    busy(move || {
        let _turn = turn;
        make(R::read(&body.bytes)?)
    })
    .await
}

/// Threads for what takes long: tokenising takes many times a text's size, so there are few.
pub(crate) fn busy_threads() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from).max(2)
}

/// Does what takes long on a thread that may be busy.
pub(crate) async fn busy<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let current = tracing::Span::current();
    let done = tokio::task::spawn_blocking(move || current.in_scope(work)).await;
    done.map_err(|error| Error::internal(format!("a thread of work failed: {error}")))?
}
