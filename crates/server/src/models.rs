//! `GET /v1/models` and `/v1/models/{id}`.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use api::{ModelEntry, ModelList, Scope};
use axum::Json;
use axum::extract::{Extension, State};
use engine::{AdapterEntry, Message};
use hyper::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, oneshot};

use crate::app::{App, Shared};
use crate::error::Error;
use crate::keys::{Key, Pass};
use crate::routes::OpenPart;

/// How long the engine may take to look up what it knows.
const LOOK_UP: Duration = Duration::from_secs(30);

pub(crate) async fn models(
    State(app): State<Shared>,
    Extension(key): Extension<Arc<Key>>,
    // As long as it is answered its key has it under way.
    Extension(_pass): Extension<Pass>,
) -> Result<Json<ModelList>, Error> {
    Ok(Json(ModelList { object: "list", data: all(&app, &key).await? }))
}

pub(crate) async fn model(
    State(app): State<Shared>,
    Extension(key): Extension<Arc<Key>>,
    // As long as it is answered its key has it under way.
    Extension(_pass): Extension<Pass>,
    OpenPart(id): OpenPart,
) -> Result<Json<ModelEntry>, Error> {
    if app.adapter(&id).is_none() {
        return Ok(Json(base(&app, &key, &id)));
    }
    Ok(Json(tuned(&app, &key, &adapter(&app, &id).await?)))
}

/// Checks that there is such a model.
///
/// # Errors
/// There is none.
pub(crate) async fn check(app: &App, name: Option<&str>) -> Result<(), Error> {
    match name.filter(|name| app.adapter(name).is_some()) {
        Some(name) => adapter(app, name).await.map(drop),
        None => Ok(()),
    }
}

/// What is answered to a request that names a model: where there is none, nothing else that is wrong with it is told, which may be so for that model alone.
///
/// # Errors
/// That of the answer, or there is no such model.
pub(crate) async fn answered<T>(app: &App, name: &str, answer: Result<T, Error>) -> Result<T, Error> {
    let Err(error) = answer else { return answer };
    if error.status() != StatusCode::BAD_REQUEST {
        return Err(error);
    }
    match check(app, Some(name)).await {
        Err(unknown) if unknown.status() == StatusCode::NOT_FOUND => Err(unknown),
        // Whether there is one is not known, or there is.
        Err(_) | Ok(()) => Err(error),
    }
}

/// Checks that the engine looks at what it is asked about adapters: who asks would wait until all programs are made.
///
/// # Errors
/// It does not yet, or no more.
pub(crate) fn check_ready(app: &App) -> Result<(), Error> {
    match app.service.counters().is_ready.load(Ordering::Acquire) {
        true => Ok(()),
        false if app.service.has_ended() => Err(Error::stopping()),
        false => Err(Error::starting()),
    }
}

/// Whether there is an adapter of that name.
///
/// # Errors
/// The engine does not say so in time.
pub(crate) async fn has_adapter(app: &App, name: &str) -> Result<bool, Error> {
    let found = look_up(app, |reply, place| Message::Adapter { name: name.to_owned(), reply, place }).await?;
    Ok(found.is_some())
}

/// The model under each of its names, then adapters.
async fn all(app: &App, key: &Key) -> Result<Vec<ModelEntry>, Error> {
    let list = look_up(app, |reply, place| Message::Adapters { reply, place }).await?;
    // A disk may be slow, and neither the engine nor others' connections wait for it. It has a place until it is done, whether or not the client is there.
    let place = tokio::time::timeout(LOOK_UP, Arc::clone(&app.look_ups).acquire_owned()).await;
    let place = place.map_err(|_| Error::busy(LOOK_UP))?.map_err(Error::internal)?;
    let listed = tokio::task::spawn_blocking(move || {
        let _place = place;
        list.all()
    });
    let adapters = listed.await.map_err(Error::internal)?;
    let names = app.model_names.iter().map(|name| base(app, key, name));
    // What has the model's own name is not what requests get by it.
    let adapters = adapters.iter().filter(|adapter| app.adapter(&adapter.name).is_some());
    Ok(names.chain(adapters.map(|adapter| tuned(app, key, adapter))).collect())
}

/// The model under one of its names.
fn base(app: &App, key: &Key, name: &str) -> ModelEntry {
    entry(app, name, root(key, &app.model_root, name), None)
}

fn tuned(app: &App, key: &Key, adapter: &AdapterEntry) -> ModelEntry {
    let root = root(key, &adapter.path.display().to_string(), &adapter.name);
    entry(app, &adapter.name, root, app.model_names.first().cloned())
}

/// Where a model lies is told to who may load adapters, who name the server's folders. Others are told its name.
fn root(key: &Key, path: &str, name: &str) -> String {
    if key.may(Scope::Adapters) { path.to_owned() } else { name.to_owned() }
}

fn entry(app: &App, id: &str, root: String, parent: Option<String>) -> ModelEntry {
    ModelEntry {
        id: id.to_owned(),
        object: "model",
        created: app.started,
        owned_by: "finery",
        root,
        parent,
        max_model_len: app.service.context(),
    }
}

/// The adapter that requests get by a name.
///
/// # Errors
/// There is none.
async fn adapter(app: &App, name: &str) -> Result<AdapterEntry, Error> {
    let found = look_up(app, |reply, place| Message::Adapter { name: name.to_owned(), reply, place }).await?;
    found.ok_or_else(|| Error::no_such_model(name, &app.model_names))
}

/// What the engine knows.
async fn look_up<T>(
    app: &App,
    question: impl FnOnce(oneshot::Sender<T>, OwnedSemaphorePermit) -> Message,
) -> Result<T, Error> {
    check_ready(app)?;
    let found = async {
        let place = Arc::clone(&app.look_ups).acquire_owned().await.map_err(Error::internal)?;
        let (reply, answer) = oneshot::channel();
        app.service.send(question(reply, place))?;
        answer.await.map_err(|_| Error::stopping())
    };
    tokio::time::timeout(LOOK_UP, found).await.map_err(|_| Error::busy(LOOK_UP))?
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Waker};

    use super::*;
    use crate::app::tests::app;

    #[test]
    fn questions_of_clients_that_have_left_count_until_the_engine_has_taken_them() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let _inside = runtime.enter();
        let (app, mut inbox) = app(64);
        app.service.counters().is_ready.store(true, Ordering::Release);
        let few = app.look_ups.available_permits();
        for at in 0..3 * few {
            // As a connection polls its request, and drops it when the client leaves.
            let context = &mut Context::from_waker(Waker::noop());
            match at % 2 {
                0 => assert!(pin!(check(&app, Some("tuned"))).poll(context).is_pending()),
                _ => assert!(pin!(all(&app, &Key::unlimited("", Vec::new()))).poll(context).is_pending()),
            }
        }
        assert_eq!((inbox.messages.len(), app.look_ups.available_permits()), (few, 0));
        while inbox.messages.try_recv().is_ok() {}
        assert_eq!(app.look_ups.available_permits(), few);
    }
}
