//! Reading a request's body, and work that takes long.

use api::Request;
use axum::body::Body;
use axum::extract::FromRequest;
use bytes::Bytes;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::HeaderMap;
use hyper::header::{CONTENT_LENGTH, CONTENT_TYPE};

use crate::Limits;
use crate::app::Shared;
use crate::error::Error;

/// Bytes of a body from which on reading, rendering and tokenising it are left to a thread that may be busy: some hundred microseconds.
const BUSY_BYTES: usize = 16 << 10;

/// A body of JSON that has arrived.
#[derive(Debug)]
pub(crate) struct Arrived(pub(crate) Bytes);

impl FromRequest<Shared> for Arrived {
    type Rejection = Error;

    async fn from_request(request: axum::extract::Request, app: &Shared) -> Result<Arrived, Error> {
        let (parts, body) = request.into_parts();
        collect(&parts.headers, body, &app.limits).await.map(Arrived)
    }
}

/// The whole body.
///
/// # Errors
/// It is not JSON by its headers, too large or too slow.
async fn collect(headers: &HeaderMap, body: Body, limits: &Limits) -> Result<Bytes, Error> {
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
    let arrived = tokio::time::timeout(limits.arrival, Limited::new(body, limits.body_bytes).collect()).await;
    match arrived.map_err(|_| Error::late_body())? {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(Error::too_large(limits.body_bytes)),
        Err(error) => Err(Error::invalid(format!("the body did not arrive: {error}"))),
    }
}

/// Reads a body into a request and makes something of it, on a thread that may be busy if that takes long.
pub(crate) async fn read<R, T>(
    Arrived(body): Arrived,
    make: impl FnOnce(R) -> Result<T, Error> + Send + 'static,
) -> Result<T, Error>
where
    R: Request + Send + 'static,
    T: Send + 'static,
{
    let takes_long = body.len() >= BUSY_BYTES;
    let work = move || make(R::read(&body)?);
    if takes_long { busy(work).await } else { work() }
}

/// Does what takes long on a thread that may be busy.
pub(crate) async fn busy<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let current = tracing::Span::current();
    let done = tokio::task::spawn_blocking(move || current.in_scope(work)).await;
    done.map_err(|error| Error::internal(format!("a thread of work failed: {error}")))?
}
