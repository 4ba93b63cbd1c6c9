//! `POST /v1/load_lora_adapter` and `/v1/unload_lora_adapter`.

use api::{LoadAdapter, UnloadAdapter};
use axum::extract::{Extension, State};
use engine::{Message, Refusal};
use tokio::sync::oneshot;

use crate::app::{App, Shared};
use crate::body::{self, Arrived};
use crate::error::Error;
use crate::keys::Pass;

pub(crate) async fn load(
    State(app): State<Shared>,
    Extension(_until_the_end): Extension<Pass>,
    body: Arrived,
) -> Result<String, Error> {
    let LoadAdapter { lora_name: name, lora_path: path, pin: is_pinned } = body::read(body, Ok).await?;
    if name.is_empty() || path.is_empty() {
        return Err(Error::invalid("an adapter needs a `lora_name` and a `lora_path`"));
    }
    if app.adapter(&name).is_none() {
        return Err(Error::field("lora_name", format!("`{name}` is the model's own name: choose another")));
    }
    let done = format!("the adapter `{name}` can be asked for");
    ask(&app, |reply| Message::LoadAdapter { name, path: path.into(), is_pinned, reply }).await?;
    tracing::info!("{done}");
    Ok(done)
}

pub(crate) async fn unload(
    State(app): State<Shared>,
    Extension(_until_the_end): Extension<Pass>,
    body: Arrived,
) -> Result<String, Error> {
    let UnloadAdapter { lora_name: name, .. } = body::read(body, Ok).await?;
    let done = format!("the adapter `{name}` is forgotten");
    ask(&app, |reply| Message::UnloadAdapter { name, reply }).await?;
    tracing::info!("{done}");
    Ok(done)
}

async fn ask(app: &App, message: impl FnOnce(oneshot::Sender<Result<(), Refusal>>) -> Message) -> Result<(), Error> {
    let (reply, answer) = oneshot::channel();
    app.service.send(message(reply))?;
    let answered = tokio::time::timeout(app.limits.answer, answer).await;
    let answer = answered.map_err(|_| Error::late_answer(app.limits.answer))?;
    answer.map_err(|_| Error::stopping())?.map_err(|refusal| match refusal {
        Refusal::Adapter { .. } => Error::field("lora_path", refusal.to_string()),
        other => other.into(),
    })
}
