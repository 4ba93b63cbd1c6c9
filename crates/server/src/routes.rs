//! The router, made from the list of endpoints: what is not in it cannot be reached, and each has its gate.

use api::{ENDPOINTS, Operation};
use axum::Router;
use axum::extract::{FromRequestParts, Path, Request};
use axum::handler::Handler as _;
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodRouter, get, post};
use hyper::http::request::Parts;

use crate::app::Shared;
use crate::error::Error;
use crate::gate::{self, Gate};
use crate::{adapters, assets, chat, completion, embeddings, health, lamini, metrics, models, pages, tokens};

/// The router of all endpoints.
pub(crate) fn router(app: &Shared) -> Router {
    let mut router = Router::new();
    for endpoint in ENDPOINTS {
        let gate = Gate { app: Shared::clone(app), endpoint };
        let route = handler(endpoint.operation).fallback(wrong_method);
        // Models have names such as `org/name`.
        let path = endpoint.path.replace("{id}", "{*id}");
        router = router.route(&path, route.layer(from_fn_with_state(gate, gate::pass)));
    }
    let unknown = no_such_path.layer(from_fn_with_state(Shared::clone(app), gate::pass_unknown));
    router.fallback(unknown).with_state(Shared::clone(app))
}

fn handler(operation: Operation) -> MethodRouter<Shared> {
    match operation {
        Operation::ChatCompletions => post(chat::chat),
        Operation::Completions => post(completion::completions),
        Operation::LaminiCompletions => post(lamini::completions),
        Operation::Embeddings => post(embeddings::embeddings),
        Operation::Models => get(models::models),
        Operation::Model => get(models::model),
        Operation::Tokenize => post(tokens::tokenize),
        Operation::Detokenize => post(tokens::detokenize),
        Operation::LoadAdapter => post(adapters::load),
        Operation::UnloadAdapter => post(adapters::unload),
        Operation::Health => get(health::health),
        Operation::Ready => get(health::ready),
        Operation::Metrics => get(metrics::metrics),
        Operation::Version => get(health::version),
        Operation::Docs => get(pages::docs),
        Operation::OpenApi => get(pages::openapi),
        Operation::Chat => get(pages::chat),
        Operation::Asset => get(assets::asset),
    }
}

/// The part of a path that an endpoint leaves open, with its escapes undone.
#[derive(Debug)]
pub(crate) struct OpenPart(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for OpenPart {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<OpenPart, Error> {
        let part = Path::from_request_parts(parts, state).await;
        part.map(|Path(part)| OpenPart(part)).map_err(|_| Error::unreadable_path(parts.uri.path()))
    }
}

async fn no_such_path(request: Request) -> Error {
    Error::no_such_path(request.uri().path())
}

async fn wrong_method(request: Request) -> Error {
    Error::method(request.method().as_str(), request.uri().path())
}
