//! `POST /v1/load_lora_adapter` and `/v1/unload_lora_adapter`.
//!
//! What a key loads is its own: another key neither puts an adapter in its place nor takes it away, as long as there is such a key. What the server was
//! started with, and what lies in its folder, is nobody's.

use std::sync::atomic::Ordering;
use std::time::Instant;

use api::{LoadAdapter, UnloadAdapter};
use axum::extract::{Extension, State};
use engine::{Message, Refusal, Unloaded, check_adapter_name};
use tokio::sync::oneshot;

use crate::app::{App, Shared};
use crate::body::{self, Arrived};
use crate::error::Error;
use crate::keys::Pass;
use crate::models;
use crate::owners::Held;
use crate::turns::in_time;

pub(crate) async fn load(
    State(app): State<Shared>,
    Extension(pass): Extension<Pass>,
    body: Arrived,
) -> Result<String, Error> {
    let LoadAdapter { lora_name: name, lora_path: path, pin, load_inplace: _ } = body::read(body, Ok).await?;
    if name.is_empty() || path.is_empty() {
        let empty = if name.is_empty() { "lora_name" } else { "lora_path" };
        return Err(Error::field(empty, format!("`{empty}` is empty: an adapter has a `lora_name` and a `lora_path`")));
    }
    check_adapter_name(&name).map_err(|rule| Error::field("lora_name", rule))?;
    models::check_ready(&app)?;
    if app.service.counters().adapters_max.load(Ordering::Relaxed) == 0 {
        let message = "the server was started without room for adapters: start it with --enable-lora";
        return Err(Error::invalid(message));
    }
    if app.adapter(&name).is_none() {
        return Err(Error::field("lora_name", format!("`{name}` is the model's own name: choose another")));
    }
    let done = format!("the adapter `{name}` can be asked for");
    let turn = async {
        let held = hold(&app, &name, &pass).await?;
        Ok((held, app.looks.turn(pass.number()).await?))
    };
    let (mut held, turn) = in_time(&app, pass.arrived() + app.limits.answer, LATER, turn).await?;
    to_its_end(async move {
        let _turn = turn;
        ask(&app, |reply| Message::LoadAdapter { name, path: path.into(), is_pinned: pin == Some(true), reply })
            .await?;
        *held.key = pass.key_name().map(str::to_owned);
        Ok(())
    })
    .await?;
    tracing::info!("{done}");
    Ok(done)
}

pub(crate) async fn unload(
    State(app): State<Shared>,
    Extension(pass): Extension<Pass>,
    body: Arrived,
) -> Result<String, Error> {
    let UnloadAdapter { lora_name: name, .. } = body::read(body, Ok).await?;
    models::check_ready(&app)?;
    if app.adapter(&name).is_none() {
        let message =
            format!("`{name}` is the model itself, which cannot be unloaded: name an adapter that /v1/models lists");
        return Err(Error::field("lora_name", message));
    }
    let until = pass.arrived() + app.limits.answer;
    let mut held = in_time(&app, until, LATER, hold(&app, &name, &pass)).await?;
    let done = to_its_end(async move {
        // It is under way as long as the engine has it.
        let _pass = pass;
        let unloaded = ask(&app, |reply| Message::UnloadAdapter { name: name.clone(), reply }).await?;
        *held.key = None;
        Ok(match unloaded {
            Unloaded::Gone => format!("the adapter `{name}` is forgotten"),
            Unloaded::InFolder => format!(
                "the adapter `{name}` is unloaded, and can still be asked for: it lies in the folder of adapters, and is read anew when it is asked for next"
            ),
        })
    })
    .await?;
    tracing::info!("{done}");
    Ok(done)
}

/// What to do where others' adapters took all the time that a request has.
const LATER: &str = "adapters are looked at one after the other, and others came before: try again later";

/// Does all of it, whether or not the client waits for the answer: what the engine has and whose it is belong together.
async fn to_its_end<T: Send + 'static>(
    work: impl Future<Output = Result<T, Error>> + Send + 'static,
) -> Result<T, Error> {
    tokio::spawn(work).await.map_err(Error::internal)?
}

/// Holds a name that is nobody's or this key's.
///
/// # Errors
/// It is another key's, or the engine does not say whether it is still there.
async fn hold(app: &App, name: &str, pass: &Pass) -> Result<Held, Error> {
    let mut held = app.owners.of(name).await;
    let is_others = held.key.as_deref().is_some_and(|owner| pass.key_name() != Some(owner) && app.keys.has(owner));
    if !is_others {
        return Ok(held);
    }
    // Its key may have been told that taking it away took too long, and the engine have done it all the same.
    if !models::has_adapter(app, name).await? {
        *held.key = None;
        return Ok(held);
    }
    let message =
        format!("the adapter `{name}` is another key's, which alone may replace or unload it: choose another name");
    Err(Error::forbidden(message).at("lora_name"))
}

async fn ask<T>(app: &App, message: impl FnOnce(oneshot::Sender<Result<T, Refusal>>) -> Message) -> Result<T, Error> {
    let (reply, answer) = oneshot::channel();
    app.service.send(message(reply))?;
    let limit = app.limits.look;
    let answered = tokio::time::timeout(limit, answer).await;
    let answer = answered.map_err(|_| Error::busy(limit))?;
    answer.map_err(|_| Error::stopping())?.map_err(|refusal| match refusal {
        Refusal::Adapter { .. } => {
            let reason = refusal.to_string();
            if app.refusals.has_line(Instant::now()) {
                tracing::warn!(reason, "an adapter could not be loaded");
            }
            Error::field("lora_path", reason).coded("unusable_adapter")
        }
        Refusal::NoSuchAdapter(name) => Error::no_such_adapter(&name),
        Refusal::NoRoomForAdapter { .. } => Error::from(refusal).at("lora_name"),
        other => other.into(),
    })
}
