//! `GET /v1/models` and `/v1/models/{id}`.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use api::{ModelEntry, ModelList, Scope};
use axum::Json;
use axum::extract::{Extension, Path, State};
use engine::{AdapterEntry, Message};
use tokio::sync::oneshot;

use crate::app::{App, Shared};
use crate::error::Error;
use crate::keys::Key;

/// How long the engine may take to look up what it knows.
const LOOK_UP: Duration = Duration::from_secs(30);

pub(crate) async fn models(
    State(app): State<Shared>,
    Extension(key): Extension<Arc<Key>>,
) -> Result<Json<ModelList>, Error> {
    Ok(Json(ModelList { object: "list", data: all(&app, &key).await? }))
}

pub(crate) async fn model(
    State(app): State<Shared>,
    Extension(key): Extension<Arc<Key>>,
    Path(id): Path<String>,
) -> Result<Json<ModelEntry>, Error> {
    let found = all(&app, &key).await?.into_iter().find(|entry| entry.id == id);
    found.map(Json).ok_or_else(|| Error::no_such_model(&id))
}

/// Checks that there is such a model.
///
/// # Errors
/// There is none.
pub(crate) async fn check(app: &App, name: Option<&str>) -> Result<(), Error> {
    let Some(name) = name.filter(|name| app.adapter(name).is_some()) else { return Ok(()) };
    match adapters(app).await?.iter().any(|adapter| adapter.name == name) {
        true => Ok(()),
        false => Err(Error::no_such_model(name)),
    }
}

/// The model under each of its names, then adapters. Where these lie is told to who may load them.
async fn all(app: &App, key: &Key) -> Result<Vec<ModelEntry>, Error> {
    let entry = |id: &str, root: String, parent: Option<String>| ModelEntry {
        id: id.to_owned(),
        object: "model",
        created: app.started,
        owned_by: "finery",
        root,
        parent,
        max_model_len: app.service.context(),
    };
    let adapters = adapters(app).await?;
    let names = app.model_names.iter().map(|name| entry(name, app.model_root.clone(), None));
    let base = app.model_names.first();
    let root = |adapter: &AdapterEntry| match key.may(Scope::Adapters) {
        true => adapter.path.display().to_string(),
        false => adapter.name.clone(),
    };
    let adapters = adapters.iter().map(|adapter| entry(&adapter.name, root(adapter), base.cloned()));
    Ok(names.chain(adapters).collect())
}

async fn adapters(app: &App) -> Result<Vec<AdapterEntry>, Error> {
    // Who asks would wait until all programs are made.
    if !app.service.counters().is_ready.load(Ordering::Acquire) {
        return Err(if app.service.has_ended() { Error::stopping() } else { Error::starting() });
    }
    let _turn = app.look_ups.acquire().await.map_err(Error::internal)?;
    let (reply, answer) = oneshot::channel();
    app.service.send(Message::Adapters { reply })?;
    match tokio::time::timeout(LOOK_UP, answer).await {
        Ok(Ok(adapters)) => Ok(adapters),
        Ok(Err(_)) => Err(Error::stopping()),
        Err(_) => Err(Error::late_answer(LOOK_UP)),
    }
}
