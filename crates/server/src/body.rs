//! Reading a request's body, and work that takes long.

use std::sync::Arc;

use api::Request;
use axum::body::Body;
use axum::extract::FromRequest;
use bytes::Bytes;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::HeaderMap;
use hyper::header::{CONTENT_LENGTH, CONTENT_TYPE};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

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

    /// # Errors
    /// There is none for so many bytes.
    fn take(&self, bytes: usize) -> Result<Option<OwnedSemaphorePermit>, Error> {
        if bytes <= SMALL_BYTES {
            return Ok(None);
        }
        let units = u32::try_from(bytes.div_ceil(UNIT_BYTES)).unwrap_or(u32::MAX);
        Arc::clone(&self.bytes).try_acquire_many_owned(units).map(Some).map_err(|_| Error::no_room())
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
    // A body that does not say how long it is may be as long as any.
    let most = length.map_or(limits.body_bytes, |length| length as usize);
    let place = app.room.take(most)?;
    let arrived = tokio::time::timeout(limits.arrival, Limited::new(body, limits.body_bytes).collect()).await;
    match arrived.map_err(|_| Error::late_body())? {
        Ok(body) => Ok(Arrived { bytes: body.to_bytes(), _place: place, large: Arc::clone(&app.room.large) }),
        Err(error) if error.is::<LengthLimitError>() => Err(Error::too_large(limits.body_bytes)),
        Err(error) => Err(Error::invalid(format!("the body did not arrive: {error}"))),
    }
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
