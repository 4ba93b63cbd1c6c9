//! What a request passes before and behind its endpoint: who asks, what they may, and what is told of it.

use std::sync::Arc;
use std::time::Instant;

use api::{Endpoint, Method, Operation, Scope};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::StatusCode;
use hyper::header::{AUTHORIZATION, HOST, HeaderMap, HeaderName, HeaderValue};
use tracing::Instrument as _;

use crate::app::{App, Shared, Stage, fresh_id, shown, unix_seconds};
use crate::error::{Error, Reason};
use crate::keys::{Key, Standings};
use crate::rate::Standing;

/// Longest request id of a client that is taken over.
const ID_BYTES_MAX: usize = 128;
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// An endpoint's gate.
#[derive(Clone, Debug)]
pub(crate) struct Gate {
    pub(crate) app: Shared,
    pub(crate) endpoint: &'static Endpoint,
}

/// Lets a request through to its endpoint, or refuses it.
pub(crate) async fn pass(State(gate): State<Gate>, request: Request, next: Next) -> Response {
    let arrived = Instant::now();
    let (id, path) = (request_id(request.headers()), gate.endpoint.path);
    let span = tracing::info_span!("request", id, path, key = tracing::field::Empty, model = tracing::field::Empty);
    let response = let_through(&gate, request, next, arrived).instrument(span.clone()).await;
    let response = told(&gate.app, &id, arrived, &span, response);
    let status = response.status();
    // An answer tells of itself when it has ended, and what strangers look for is no operator's news.
    // Neither is that a server is not ready yet, which whoever waits for it asks all the time.
    let is_probe = matches!(gate.endpoint.operation, Operation::Health | Operation::Ready);
    let is_refused = status.is_client_error() || status == StatusCode::SERVICE_UNAVAILABLE && !is_probe;
    if is_refused && gate.app.refusals.has_line(Instant::now()) {
        let reason = response.extensions().get::<Reason>();
        let (code, param) = (reason.map(|reason| reason.code), reason.and_then(|reason| reason.param.as_deref()));
        span.in_scope(|| tracing::info!(status = status.as_u16(), code, param = param.map(shown), "refused"));
    }
    response
}

/// The same for a path that is no endpoint's. The log has no path that anyone may choose.
pub(crate) async fn pass_unknown(State(app): State<Shared>, request: Request, next: Next) -> Response {
    let arrived = Instant::now();
    let id = request_id(request.headers());
    let span = tracing::info_span!("request", id, path = "unknown");
    let response = next.run(request).instrument(span.clone()).await;
    told(&app, &id, arrived, &span, response)
}

/// What every response tells, and what is told of it.
fn told(app: &App, id: &str, arrived: Instant, span: &tracing::Span, mut response: Response) -> Response {
    let status = response.status().as_u16();
    app.metrics.note_response(status);
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(id) {
        headers.insert(REQUEST_ID, id);
    }
    let processing_ms = u64::try_from(arrived.elapsed().as_millis()).unwrap_or(u64::MAX);
    headers.insert("openai-processing-ms", HeaderValue::from(processing_ms));
    headers.insert("x-content-type-options", HeaderValue::from_static("nosniff"));
    span.in_scope(|| tracing::debug!(status, processing_ms, "responded"));
    response
}

async fn let_through(gate: &Gate, mut request: Request, next: Next, now: Instant) -> Response {
    let Gate { app, endpoint } = gate;
    if app.keys.is_open() && !is_local(request.headers()) {
        return foreign_host().into_response();
    }
    if endpoint.scope == Scope::Public {
        return next.run(request).await;
    }
    let key = match who(app, request.headers()) {
        Ok(key) => key,
        Err(error) => return error.into_response(),
    };
    if !app.keys.is_open() {
        tracing::Span::current().record("key", &key.name);
    }
    if !key.may(endpoint.scope) {
        return lacking(&key, endpoint).into_response();
    }
    if app.stage() != Stage::Open && endpoint.method == Method::Post {
        return Error::stopping().into_response();
    }
    request.extensions_mut().insert(Arc::clone(&key));
    // Who reads metrics takes nothing that the limits are for; which models there are is asked of the engine.
    let is_free = endpoint.scope == Scope::Metrics;
    let entered = match endpoint.method {
        Method::Get if is_free => Ok(None),
        Method::Get => key.enter_without_tokens(now).map(Some),
        _ => key.enter(now).map(Some),
    };
    let mut response = match entered {
        Ok(pass) => {
            if let Some(pass) = pass {
                request.extensions_mut().insert(pass);
            }
            next.run(request).await
        }
        Err(error) => error.into_response(),
    };
    tell_limits(response.headers_mut(), key.standings(Instant::now()));
    response
}

/// Headers in which other services are sent keys.
static KEYS_ELSEWHERE: [HeaderName; 3] =
    [AUTHORIZATION, HeaderName::from_static("api-key"), HeaderName::from_static("x-api-key")];

/// The key of a request.
///
/// # Errors
/// There is none, or none that is known here.
fn who(app: &App, headers: &HeaderMap) -> Result<Arc<Key>, Error> {
    let secret = secret(headers);
    if secret.is_none() && !app.keys.is_open() {
        let elsewhere = KEYS_ELSEWHERE.iter().find(|name| headers.contains_key(*name));
        return Err(elsewhere.map_or_else(Error::no_key, |name| Error::key_elsewhere(name.as_str())));
    }
    app.keys.find(secret, unix_seconds())
}

/// What is told of a key that may not use an endpoint.
fn lacking(key: &Key, endpoint: &Endpoint) -> Error {
    let Endpoint { path, scope, .. } = endpoint;
    let (name, scope) = (&key.name, scope.name());
    Error::forbidden(match key.scopes().join("`, `") {
        none if none.is_empty() => {
            format!("the key `{name}` has no scope, and {path} needs `{scope}`: ask with one that has it")
        }
        has => format!("the key `{name}` has the scope `{has}`, and {path} needs `{scope}`: ask with one that has it"),
    })
}

/// The key of `Authorization: Bearer …`.
fn secret(headers: &HeaderMap) -> Option<&str> {
    let (scheme, secret) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim())
}

/// The id that the client gave, or a new one.
fn request_id(headers: &HeaderMap) -> String {
    let given = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok());
    let is_fine =
        |id: &&str| !id.is_empty() && id.len() <= ID_BYTES_MAX && id.bytes().all(|byte| byte.is_ascii_graphic());
    given.filter(is_fine).map_or_else(|| fresh_id("req-"), str::to_owned)
}

/// Whether the client addressed this machine by names alone that are always this machine's. A page of another site can make a browser ask a
/// server without keys under the site's own name, if that name's address is changed to this machine's.
fn is_local(headers: &HeaderMap) -> bool {
    headers.get_all(HOST).iter().all(is_local_host)
}

fn is_local_host(host: &HeaderValue) -> bool {
    let Ok(host) = host.to_str() else { return false };
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name.eq_ignore_ascii_case("localhost") || name.parse::<std::net::IpAddr>().is_ok()
}

fn foreign_host() -> Error {
    Error::forbidden(
        "a server without keys answers to `localhost` and to addresses alone, not to other names in `Host`: ask it by one of these, have the proxy before it \
         send `Host: localhost`, or start it with keys (--api-key, --api-keys)",
    )
}

fn tell_limits(headers: &mut HeaderMap, standings: Standings) {
    let mut tell = |kind: &str, standing: Standing| {
        let reset = format!("{}ms", standing.reset.as_millis());
        let values = [
            ("limit", HeaderValue::from(standing.limit)),
            ("remaining", HeaderValue::from(standing.remaining)),
            ("reset", HeaderValue::from_str(&reset).unwrap_or(HeaderValue::from_static("0ms"))),
        ];
        for (part, value) in values {
            if let Ok(name) = HeaderName::try_from(format!("x-ratelimit-{part}-{kind}")) {
                headers.insert(name, value);
            }
        }
    };
    if let Some(standing) = standings.requests {
        tell("requests", standing);
    }
    if let Some(standing) = standings.tokens {
        tell("tokens", standing);
    }
}
