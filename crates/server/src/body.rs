//! Reading a request's body.

use api::Request;
use axum::body::Body;
use axum::extract::FromRequest;
use axum::response::{IntoResponse as _, Response};
use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt as _;
use hyper::HeaderMap;
use hyper::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use serde::Serialize;
use tokio::time::Instant;

use crate::app::{App, Shared, Stage, reached};
use crate::budget::{Budget, Part};
use crate::error::Error;
use crate::keys::Pass;
use crate::turns::{Turns, Work};

/// Bytes of a body from which on reading, rendering and tokenising it are left to a thread that may be busy: half a millisecond or so, in
/// which others' tokens would wait.
const BUSY_BYTES: usize = 2 << 10;
/// Smaller bodies are as good as nothing, beside what a connection takes.
const SMALL_BYTES: usize = 64 << 10;
/// Bodies from this size on take seconds of work, and leave one thread at least to others.
const LARGE_BYTES: usize = 256 << 10;
/// The unit in which the bytes of bodies are counted.
const UNIT_BYTES: usize = 1 << 10;

/// A body of JSON that has arrived, with what its request holds until something was made of it.
#[derive(Debug)]
pub(crate) struct Arrived {
    bytes: Bytes,
    /// Its part of what all may take.
    place: Part,
    /// By which its key counts it.
    pass: Option<Pass>,
    turns: Turns,
}

/// What the large bodies of all requests may take together.
#[derive(Debug)]
pub(crate) struct Room {
    /// In units.
    bytes: Budget,
    pub(crate) turns: Turns,
}

impl Room {
    pub(crate) fn new(bytes: usize) -> Room {
        Room { bytes: Budget::new(bytes / UNIT_BYTES), turns: Turns::new() }
    }

    /// Makes a body's part as large as its bytes. It grows as they come, so that who announces many and sends none takes none from others.
    ///
    /// # Errors
    /// There is none for so many.
    fn grow(part: &mut Part, bytes: usize) -> Result<(), Error> {
        part.grow(units(bytes)).map_err(Error::many_bodies)
    }
}

/// What a body of so many bytes counts as.
fn units(bytes: usize) -> usize {
    if bytes <= SMALL_BYTES { 0 } else { bytes.div_ceil(UNIT_BYTES) }
}

/// By which a body's key is told from others.
fn key(pass: Option<&Pass>) -> u64 {
    pass.map_or(0, Pass::number)
}

impl FromRequest<Shared> for Arrived {
    type Rejection = Error;

    async fn from_request(request: axum::extract::Request, app: &Shared) -> Result<Arrived, Error> {
        let (parts, body) = request.into_parts();
        let pass = parts.extensions.get().cloned();
        collect(&parts.headers, body, pass, app).await
    }
}

/// The whole body.
///
/// # Errors
/// It is not JSON by its headers, too large or too slow, there are too many large ones, or the server stops.
async fn collect(headers: &HeaderMap, body: Body, pass: Option<Pass>, app: &App) -> Result<Arrived, Error> {
    let limits = &app.limits;
    let is_json = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).is_some_and(|kind| {
        let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"))
    });
    // Browsers send other kinds to any server without asking it first.
    if !is_json {
        return Err(Error::not_json());
    }
    let encoding = headers.get(CONTENT_ENCODING).map(|encoding| encoding.to_str().unwrap_or("…").trim());
    if let Some(encoding) = encoding.filter(|encoding| !encoding.eq_ignore_ascii_case("identity")) {
        return Err(Error::encoded(encoding));
    }
    let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > limits.body_bytes as u64) {
        return Err(Error::too_large(limits.body_bytes));
    }
    // Before it is sent in vain.
    if let Some(length) = length {
        app.room.bytes.check(key(pass.as_ref()), units(length as usize)).map_err(Error::many_bodies)?;
    }
    let whole = tokio::time::timeout(limits.arrival, arrive(body, pass, app));
    tokio::select! {
        // What has come is read.
        biased;
        arrived = whole => arrived.map_err(|_| Error::late_body())?,
        () = gives_up(app) => Err(Error::stopping()),
    }
}

/// Returns once a server that stops waits no more for the rest of bodies: a client that sends none would hold it up.
async fn gives_up(app: &App) {
    reached(&app.stage, Stage::Draining).await;
    // Within the time for all, so that what is answered then is still sent.
    tokio::time::sleep(app.limits.rest.min(app.limits.drain / 2)).await;
}

/// Takes a body as it comes. In each `Limits::pause` as much has to come as `Limits::body_rate` says, or its end.
async fn arrive(mut body: Body, pass: Option<Pass>, app: &App) -> Result<Arrived, Error> {
    let limits = &app.limits;
    let least = (limits.body_rate as f64 * limits.pause.as_secs_f64()) as usize;
    let (mut bytes, mut part) = (BytesMut::new(), app.room.bytes.empty(key(pass.as_ref())));
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
        Room::grow(&mut part, length)?;
        bytes.extend_from_slice(&data);
        if length >= wanted {
            (until, wanted) = (Instant::now() + limits.pause, length + least);
        }
    }
    Ok(Arrived { bytes: bytes.freeze(), place: part, pass, turns: app.room.turns.clone() })
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
    let Arrived { bytes, place, pass, turns } = body;
    if bytes.len() < BUSY_BYTES {
        return make(R::read(&bytes)?);
    }
    let work = if bytes.len() < LARGE_BYTES { Work::Short } else { Work::Long };
    // A client that leaves ends its request, and not the work: what the body takes and whose it is counts until that is done.
    let (key, held) = (key(pass.as_ref()), (place, pass));
    turns
        .busy(key, work, move || {
            let made = R::read(&bytes).map_err(Error::from).and_then(make);
            drop((bytes, held));
            made
        })
        .await
}

/// A response's body with its part of what all requests may hold.
struct Held {
    bytes: Vec<u8>,
    _place: Part,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Held {
    fn into_response(self) -> Response {
        ([(CONTENT_TYPE, "application/json")], Bytes::from_owner(self)).into_response()
    }
}

/// A response's body. Others have its part of what all may hold when the client has the body.
pub(crate) fn json(value: &impl Serialize, place: Part) -> Result<Response, Error> {
    let bytes = serde_json::to_vec(value).map_err(Error::internal)?;
    Ok(Held { bytes, _place: place }.into_response())
}

/// A response's body that may be large, though its request is small: until the client has it, it counts among large bodies, for the key of that number.
///
/// # Errors
/// There is no room for it.
pub(crate) fn large_json(value: &impl Serialize, room: &Room, key: u64) -> Result<Response, Error> {
    let bytes = serde_json::to_vec(value).map_err(Error::internal)?;
    let mut place = room.bytes.empty(key);
    Room::grow(&mut place, bytes.len())?;
    Ok(Held { bytes, _place: place }.into_response())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::task::{Context, Waker};
    use std::time::Duration;

    use api::DetokenizeRequest;

    use super::*;
    use crate::Keys;
    use crate::budget::NoRoom;
    use crate::turns::busy_threads;

    /// A body that takes 100 units of the room for 1,000.
    fn arrived(room: &Room, pass: &Pass) -> Arrived {
        let bytes = format!("{{\"tokens\": [1{}]}}", " ".repeat(100 * UNIT_BYTES - 15)).into_bytes();
        let mut place = room.bytes.empty(pass.number());
        Room::grow(&mut place, bytes.len()).unwrap();
        Arrived { bytes: bytes.into(), place, pass: Some(pass.clone()), turns: room.turns.clone() }
    }

    #[test]
    fn a_large_response_counts_until_the_client_has_it() {
        let room = Room::new(1000 * UNIT_BYTES);
        let large = "x".repeat(100 * UNIT_BYTES - 2);
        let small = large_json(&"x", &room, 1).unwrap();
        assert_eq!(room.bytes.free(), 1000);
        let held = large_json(&large, &room, 1).unwrap();
        assert_eq!(room.bytes.free(), 900);
        let others = room.bytes.take(2, 450).unwrap();
        assert_eq!(large_json(&large.repeat(5), &room, 1).unwrap_err(), Error::many_bodies(NoRoom::ForAnyone));
        drop((small, held, others));
        assert_eq!(room.bytes.free(), 1000);
    }

    /// As a connection polls its request, and drops it when the client leaves.
    fn ask_and_leave(asked: impl Future<Output = Result<(), Error>>) {
        let mut asked = Box::pin(asked);
        assert!(asked.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }

    #[test]
    fn what_a_client_leaves_behind_counts_until_it_is_done() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
        let _inside = runtime.enter();
        let room = Room::new(1000 * UNIT_BYTES);
        let key = Keys::open().find(None, 0).unwrap();
        let pass = key.enter(std::time::Instant::now()).unwrap();
        let threads = busy_threads();
        let ends: Vec<_> = (0..threads)
            .map(|_| {
                let (end, ended) = mpsc::channel::<()>();
                let body = arrived(&room, &pass);
                ask_and_leave(read(body, move |_: DetokenizeRequest| {
                    let _ = ended.recv();
                    Ok(())
                }));
                end
            })
            .collect();
        // All threads are busy: who leaves while waiting for a turn leaves nothing.
        ask_and_leave(read(arrived(&room, &pass), |_: DetokenizeRequest| Ok(())));
        assert_eq!(room.bytes.free(), 1000 - 100 * threads);
        assert_eq!(pass.holders(), 1 + threads, "the request is its key's until then");
        drop(ends);
        let began = Instant::now();
        while (room.bytes.free(), pass.holders()) != (1000, 1) {
            assert!(began.elapsed() < Duration::from_secs(20), "what is done is given back");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
