//! Errors as answers.

use std::time::{Duration, Instant};

use api::{ErrorBody, ErrorDetail, Malformed, Scope};
use axum::response::{IntoResponse, Response};
use engine::{AdapterFault, Failure, Refusal};
use hyper::StatusCode;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};

use crate::app::{App, shown};
use crate::budget::NoRoom;
use crate::keys::Pass;

/// An answer that is an error.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Error {
    status: StatusCode,
    kind: &'static str,
    code: Option<&'static str>,
    param: Option<String>,
    message: String,
    /// What those are told in its place who may load adapters.
    in_full: Option<Box<str>>,
    /// When to try again; whoever is not told should not.
    retry_after: Option<Duration>,
}

/// What the log has of an answer that is an error.
#[derive(Clone, Debug)]
pub(crate) struct Reason {
    /// The code, or where there is none the class.
    pub(crate) code: &'static str,
    pub(crate) param: Option<String>,
}

const INVALID: &str = "invalid_request_error";
const SERVER: &str = "server_error";
/// After which a client may find room in a queue: some steps.
const SOON: Duration = Duration::from_secs(1);

impl Error {
    fn new(status: StatusCode, kind: &'static str, message: impl Into<String>) -> Error {
        Error { status, kind, code: None, param: None, message: message.into(), in_full: None, retry_after: None }
    }

    pub(crate) fn coded(self, code: &'static str) -> Error {
        Error { code: Some(code), ..self }
    }

    pub(crate) fn at(self, param: impl Into<String>) -> Error {
        Error { param: Some(param.into()), ..self }
    }

    /// A field that breaks a rule.
    pub(crate) fn field(param: impl Into<String>, message: impl Into<String>) -> Error {
        Error::new(StatusCode::BAD_REQUEST, INVALID, message).at(param)
    }

    /// A request that is wrong as a whole.
    pub(crate) fn invalid(message: impl Into<String>) -> Error {
        Error::new(StatusCode::BAD_REQUEST, INVALID, message)
    }

    /// A text that is not tokenised, since it would not fit.
    pub(crate) fn too_long(param: impl Into<String>, bytes: usize, app: &App) -> Error {
        let (most, context) = (app.text_bytes_max, app.service.context());
        let message = format!(
            "the text has {bytes} bytes, and the context of {context} tokens has room for {most} at most: shorten it"
        );
        Error::field(param, message).coded("context_length_exceeded").or_longer_context(app)
    }

    /// A text of which the tokens are asked for, and that has more than the context.
    pub(crate) fn many_tokens(param: impl Into<String>, count: usize, app: &App) -> Error {
        let context = app.service.context();
        let message =
            format!("the text has {count} tokens, more than the context of {context} has room for: shorten it");
        Error::field(param, message).coded("context_length_exceeded").or_longer_context(app)
    }

    /// More messages than `most`, which may be for the context's sake: each has a token at least.
    pub(crate) fn many_messages(count: usize, most: usize, app: &App) -> Error {
        if most < app.service.context() {
            let message = format!("`messages` has {count} messages, and a request may have {most}: send fewer");
            return Error::field("messages", message);
        }
        let message = format!(
            "`messages` has {count} messages, and the context of {most} tokens has room for a token of {most} messages at most: send fewer"
        );
        Error::field("messages", message).coded("context_length_exceeded").or_longer_context(app)
    }

    /// Of a text that is too long: what would have the server take it, where the model does.
    fn or_longer_context(mut self, app: &App) -> Error {
        if let Some(advice) = &app.longer_context {
            self.message += &format!(", {advice}");
        }
        self
    }

    /// An adapter that cannot be served. Why names the server's files: the log has it, and who may load adapters.
    fn unusable_adapter(status: StatusCode, kind: &'static str, name: &str, in_full: String) -> Error {
        let message = format!(
            "the adapter `{}` cannot be served: the server's log says why, and so do errors to keys that may load adapters",
            shown(name)
        );
        Error { in_full: Some(in_full.into()), ..Error::new(status, kind, message).coded("unusable_adapter") }
    }

    /// A vector that is asked for with an adapter, in place of `model`.
    fn vector_of_adapter(name: &str, model: &str) -> Error {
        let message = format!(
            "`{}` is an adapter, and embeddings are computed with the model alone: ask for {model}",
            shown(name)
        );
        Error::field("model", message).coded("unusable_adapter")
    }

    /// An adapter that others leave no room: nothing is wrong with it, and time alone makes none.
    fn no_room_for_adapter(message: String) -> Error {
        let in_full = Some(message.as_str().into());
        let error = Error::new(StatusCode::SERVICE_UNAVAILABLE, SERVER, message).coded("no_room_for_adapter");
        Error { in_full, ..error }.at("model")
    }

    /// Why a request failed, as it is told to who asked.
    pub(crate) fn of_failure(failure: Failure, app: &App, pass: &Pass) -> Error {
        let error = match failure {
            Failure::Refused(refusal) => Error::of_refusal(refusal, app),
            other => other.into(),
        };
        if let Some(in_full) = error.in_full.as_ref().filter(|_| app.refusals.has_line(Instant::now())) {
            tracing::warn!(reason = &**in_full, "a request could not be answered");
        }
        error.told_to(pass)
    }

    /// Why the engine takes no request.
    pub(crate) fn of_refusal(refusal: Refusal, app: &App) -> Error {
        match refusal {
            Refusal::NoSuchAdapter(name) => Error::no_such_model(&name, &app.model_names),
            Refusal::VectorOfAdapter(name) => {
                Error::vector_of_adapter(&name, &format!("`{}`", app.model_names.join("` or `")))
            }
            too_long @ Refusal::TooLong { .. } => Error::from(too_long).or_longer_context(app),
            other => other.into(),
        }
    }

    /// Why the engine takes no text, which stands in the field `param` of the request.
    pub(crate) fn of_refused_text(refusal: Refusal, app: &App, param: impl Into<String>) -> Error {
        let is_the_texts = matches!(refusal, Refusal::TooLong { .. } | Refusal::Empty | Refusal::Token { .. });
        let error = Error::of_refusal(refusal, app);
        if is_the_texts { error.at(param) } else { error }
    }

    /// As it is told to whose request failed.
    fn told_to(mut self, pass: &Pass) -> Error {
        if let Some(in_full) = self.in_full.take().filter(|_| pass.may(Scope::Adapters)) {
            self.message = in_full.into();
        }
        self
    }

    pub(crate) fn no_such_adapter(name: &str) -> Error {
        let message = format!("there is no adapter `{}`; /v1/models lists those that there are", shown(name));
        Error::new(StatusCode::NOT_FOUND, "not_found_error", message).coded("model_not_found").at("lora_name")
    }

    /// `known` are the names of the model, where they are at hand.
    pub(crate) fn no_such_model(name: &str, known: &[String]) -> Error {
        let name = shown(name);
        let message = match known.join("` or `") {
            none if none.is_empty() => format!("there is no model `{name}`; /v1/models lists those that there are"),
            known => format!("there is no model `{name}`: ask for `{known}`, or for an adapter that /v1/models lists"),
        };
        Error::new(StatusCode::NOT_FOUND, "not_found_error", message).coded("model_not_found").at("model")
    }

    /// A model that continues texts, and no conversations.
    pub(crate) fn no_chat_template() -> Error {
        let message = "the model has no chat template: send the text as it is to /v1/completions, or start the server with a template (--chat-template)";
        Error::field("messages", message).coded("no_chat_template")
    }

    pub(crate) fn no_such_path(path: &str) -> Error {
        let message = format!("there is nothing at {}; /docs lists what there is", shown(path));
        Error::new(StatusCode::NOT_FOUND, "not_found_error", message).coded("not_found")
    }

    pub(crate) fn unreadable_path(path: &str) -> Error {
        Error::invalid(format!("the escapes of {} (%…) are those of no text in UTF-8: write them anew", shown(path)))
    }

    pub(crate) fn method(method: &str, path: &str) -> Error {
        let message = format!("{} is not what {} is called with; /docs says how", shown(method), shown(path));
        Error::new(StatusCode::METHOD_NOT_ALLOWED, INVALID, message).coded("method_not_allowed")
    }

    fn unauthorized(message: impl Into<String>) -> Error {
        Error::new(StatusCode::UNAUTHORIZED, "authentication_error", message).coded("invalid_api_key")
    }

    pub(crate) fn no_key() -> Error {
        Error::unauthorized("no key was given: send it as `Authorization: Bearer …`")
    }

    /// A header that may have a key, and that none is read from as it is.
    pub(crate) fn key_elsewhere(header: &str) -> Error {
        Error::unauthorized(if header.eq_ignore_ascii_case(AUTHORIZATION.as_str()) {
            "the header `Authorization` is there, and not as `Bearer` and the key, with a space between them: send `Authorization: Bearer …`".to_owned()
        } else {
            format!("the header `{header}` is there, from which no key is read: send it as `Authorization: Bearer …`")
        })
    }

    pub(crate) fn unknown_key() -> Error {
        Error::unauthorized("the key is not known to this server")
    }

    pub(crate) fn expired_key(name: &str) -> Error {
        Error::unauthorized(format!("the key `{name}` has expired"))
    }

    pub(crate) fn forbidden(message: impl Into<String>) -> Error {
        Error::new(StatusCode::FORBIDDEN, "permission_error", message).coded("insufficient_permissions")
    }

    /// More than a key may.
    pub(crate) fn rate(message: impl Into<String>, retry_after: Duration) -> Error {
        let error = Error::new(StatusCode::TOO_MANY_REQUESTS, "rate_limit_error", message);
        Error { retry_after: Some(retry_after), ..error }.coded("rate_limit_exceeded")
    }

    pub(crate) fn too_large(limit: usize) -> Error {
        let message = format!("the body is larger than {limit} bytes");
        Error::new(StatusCode::PAYLOAD_TOO_LARGE, INVALID, message).coded("request_too_large")
    }

    /// The programs are not there yet, and nobody looks at what is asked.
    pub(crate) fn starting() -> Error {
        let error = Error::new(StatusCode::SERVICE_UNAVAILABLE, SERVER, "the server is starting: try again later");
        Error { retry_after: Some(SOON), ..error }.coded("starting")
    }

    /// There is no room, and soon may be.
    fn full(message: impl Into<String>) -> Error {
        let error = Error::new(StatusCode::TOO_MANY_REQUESTS, "rate_limit_error", message);
        Error { retry_after: Some(SOON), ..error }.coded("queue_full")
    }

    /// There is no room for what the server does, or the key would have more of it than it leaves to others.
    fn no_room(why: NoRoom, does: &str, room: &str) -> Error {
        Error::full(match why {
            NoRoom::ForAnyone => format!("the server {does} already: try again later"),
            NoRoom::ForKey => format!(
                "the requests of your key would have more of the server's {room} than they leave to other keys: try again when some of them are done, or ask \
                 for less at a time"
            ),
        })
    }

    /// Too many requests for vectors at a time, of which the server takes `most`.
    pub(crate) fn many_vector_requests(why: NoRoom, most: usize) -> Error {
        let (does, room) = (format!("has {most} requests for vectors"), format!("{most} places for vectors"));
        Error::no_room(why, &does, &room)
    }

    /// Too many tokens and vectors of texts at a time.
    pub(crate) fn many_vectors(why: NoRoom) -> Error {
        Error::no_room(why, "computes many vectors", "room for vectors")
    }

    /// Too many large bodies at a time, of requests or of responses.
    pub(crate) fn many_bodies(why: NoRoom) -> Error {
        Error::no_room(why, "has many large requests", "room for large requests")
    }

    /// Too many answers that are held to forms at a time.
    pub(crate) fn many_forms(why: NoRoom) -> Error {
        Error::no_room(why, "holds many answers to forms", "room for answers that are held to forms")
    }

    /// Too many log-probabilities at a time, of answers that are no streams or of prompts that they begin with, or too much text of such answers.
    pub(crate) fn many_logprobs(why: NoRoom, may_stream: bool) -> Error {
        let room = "room for log-probabilities and whole answers";
        let mut error = Error::no_room(why, "tells many log-probabilities or long answers", room);
        if may_stream {
            error.message += "; a stream needs little of it: set `stream` to true";
        }
        error
    }

    /// A stream of which more has come than its client has read and there is room for.
    pub(crate) fn slow_reader() -> Error {
        let message = "the stream was read more slowly than its tokens came, and there is no room for more that nobody reads: read faster, or ask for fewer \
                       answers, tokens or log-probabilities";
        Error::new(StatusCode::REQUEST_TIMEOUT, INVALID, message).coded("slow_reader")
    }

    pub(crate) fn not_json() -> Error {
        let message = "the body should be JSON, sent with `Content-Type: application/json`";
        Error::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, INVALID, message).coded("unsupported_media_type")
    }

    pub(crate) fn encoded(encoding: &str) -> Error {
        let message = format!(
            "the body has `Content-Encoding: {}`, and none is unpacked here: send it uncompressed, without that header",
            shown(encoding)
        );
        Error::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, INVALID, message).coded("unsupported_media_type")
    }

    pub(crate) fn late_body() -> Error {
        let message = "the body took too long to arrive";
        Error::new(StatusCode::REQUEST_TIMEOUT, INVALID, message).coded("request_timeout")
    }

    /// An answer that takes too long; `advice` is what to do about it.
    pub(crate) fn late_answer(limit: Duration, advice: &str) -> Error {
        let message = format!("the answer was not done after {} s: {advice}", limit.as_secs());
        Error::new(StatusCode::GATEWAY_TIMEOUT, SERVER, message).coded("answer_timeout")
    }

    /// The engine has not told what it knows, or not done what takes it little, in that time.
    pub(crate) fn busy(limit: Duration) -> Error {
        let message = format!("the engine is busy, and has not answered in {} s: try again later", limit.as_secs());
        let error = Error::new(StatusCode::SERVICE_UNAVAILABLE, SERVER, message);
        Error { retry_after: Some(SOON), ..error }.coded("busy")
    }

    pub(crate) fn stopping() -> Error {
        let error = Error::new(StatusCode::SERVICE_UNAVAILABLE, SERVER, "the server is stopping");
        Error { retry_after: Some(SOON), ..error }.coded("stopping")
    }

    /// What should not happen. The log has `reason`, the client has none of it.
    pub(crate) fn internal(reason: impl std::fmt::Display) -> Error {
        // As a field, which is written in quotes: what clients name may be part of it.
        tracing::error!(reason = reason.to_string(), "a request could not be answered");
        Error::new(StatusCode::INTERNAL_SERVER_ERROR, SERVER, "the server failed; its log says how").coded("internal")
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    /// As programs tell it from others: the code, or where there is none the class.
    pub(crate) fn code(&self) -> &'static str {
        self.code.unwrap_or(self.kind)
    }

    /// The body, or the last frame of a stream.
    pub(crate) fn body(&self) -> ErrorBody {
        ErrorBody {
            error: ErrorDetail {
                message: self.message.clone(),
                kind: self.kind.to_owned(),
                param: self.param.clone(),
                code: self.code.map(str::to_owned),
            },
        }
    }
}

impl From<Malformed> for Error {
    fn from(malformed: Malformed) -> Error {
        Error { param: malformed.param, ..Error::invalid(malformed.message) }
    }
}

impl From<data::Error> for Error {
    fn from(error: data::Error) -> Error {
        match error {
            // Templates refuse conversations that they do not know, e.g. two turns of the same side.
            data::Error::TemplateRender(_) => Error::field("messages", error.to_string()),
            // Nothing in the request changes that.
            data::Error::TemplateToken { .. } => {
                let message = format!("{error}; completions work without it");
                Error::new(StatusCode::INTERNAL_SERVER_ERROR, SERVER, message)
                    .coded("unusable_chat_template")
                    .at("messages")
            }
            // Tokenizers give up on some texts, e.g. where a regular expression would go back too often.
            data::Error::Tokenize { action: "encode", .. } => Error::invalid(error.to_string()),
            _ => Error::internal(error),
        }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Error {
        let message = refusal.to_string();
        let invalid = || Error::invalid(message.clone());
        match refusal {
            Refusal::Full { .. } | Refusal::FullForKey => Error::full(message),
            Refusal::TooLong { .. } | Refusal::NoRoom { .. } => invalid().coded("context_length_exceeded"),
            Refusal::Empty => invalid().coded("empty_prompt"),
            Refusal::Token { .. } => invalid().coded("unknown_token"),
            Refusal::NoSuchAdapter(name) => Error::no_such_model(&name, &[]),
            Refusal::Adapter { name, .. } => {
                Error::unusable_adapter(StatusCode::BAD_REQUEST, INVALID, &name, message).at("model")
            }
            Refusal::VectorOfAdapter(name) => Error::vector_of_adapter(&name, "the model"),
            Refusal::NoRoomForAdapter { .. } => Error::no_room_for_adapter(message),
            Refusal::Stopping => Error::stopping(),
        }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Error {
        let message = failure.to_string();
        let server = |code| Error::new(StatusCode::INTERNAL_SERVER_ERROR, SERVER, message.clone()).coded(code);
        match failure {
            Failure::Refused(refusal) => refusal.into(),
            Failure::Device(_) => Error { retry_after: Some(SOON), ..server("device_failed") },
            Failure::TooLarge(_) => server("out_of_memory"),
            Failure::NotFinite { .. } => server("not_finite"),
            Failure::Constraint(_) => server("unreachable_form"),
            Failure::Adapter { name, fault, .. } => match fault {
                // As where it is found when it is loaded: what is asked for is a folder that holds no such thing.
                AdapterFault::Files => {
                    Error::unusable_adapter(StatusCode::BAD_REQUEST, INVALID, &name, message).at("model")
                }
                AdapterFault::Room => Error::no_room_for_adapter(message),
                AdapterFault::Engine => {
                    Error::unusable_adapter(StatusCode::INTERNAL_SERVER_ERROR, SERVER, &name, message)
                }
            },
            Failure::Stopping => Error::stopping(),
        }
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let body = serde_json::to_vec(&self.body()).unwrap_or_default();
        let mut response = (self.status, [(CONTENT_TYPE, "application/json")], body).into_response();
        let headers = response.headers_mut();
        // Stock clients try again after 408, 409, 429 and 5xx unless they are told not to.
        let should_retry = HeaderValue::from_static(if self.retry_after.is_some() { "true" } else { "false" });
        headers.insert("x-should-retry", should_retry);
        if let Some(after) = self.retry_after {
            let millis = after.as_millis().max(1);
            headers.insert(RETRY_AFTER, HeaderValue::from(u64::try_from(millis.div_ceil(1000)).unwrap_or(u64::MAX)));
            headers.insert("retry-after-ms", HeaderValue::from(u64::try_from(millis).unwrap_or(u64::MAX)));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(Reason { code: self.code(), param: self.param });
        response
    }
}
