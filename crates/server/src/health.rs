//! `GET /health`, `/ready` and `/version`.

use std::sync::atomic::Ordering;
use std::time::Instant;

use api::{HealthResponse, VersionResponse};
use axum::Json;
use axum::extract::State;
use hyper::StatusCode;

use crate::app::{App, Shared, Stage};

const OK: &str = "ok";
const STARTING: &str = "starting";

/// Whether the engine works: it is there, and where it has something to do it has made a step lately, or computes a vector in the time that this may take. Texts whose
/// programs are being compiled give it nothing to do.
pub(crate) async fn health(State(app): State<Shared>) -> (StatusCode, Json<HealthResponse>) {
    let health = look(&app, Instant::now());
    let works = !["stalled", "stopped"].contains(&health.status);
    (status(works), Json(health))
}

/// Whether requests are taken.
pub(crate) async fn ready(State(app): State<Shared>) -> (StatusCode, Json<HealthResponse>) {
    let health = look(&app, Instant::now());
    (status(health.status == OK), Json(health))
}

/// `GET /version`.
pub(crate) async fn version() -> Json<VersionResponse> {
    Json(VersionResponse { version: env!("CARGO_PKG_VERSION") })
}

fn status(is_good: bool) -> StatusCode {
    if is_good { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE }
}

fn look(app: &App, now: Instant) -> HealthResponse {
    let counters = app.service.counters();
    let (running, waiting) = (counters.running.load(Ordering::Relaxed), counters.waiting_in_all());
    let age = counters.last_step_age(now);
    let overdue = counters.overdue(now);
    let is_ready = counters.is_ready.load(Ordering::Relaxed);
    let status = match app.stage() {
        _ if app.service.has_ended() => "stopped",
        _ if is_ready && running + counters.waiting_for_steps() > 0 && overdue > app.limits.stall => "stalled",
        Stage::Draining | Stage::Cut => "stopping",
        Stage::Open if is_ready => OK,
        Stage::Open => STARTING,
    };
    HealthResponse { status, running, waiting, last_step_age_ms: u64::try_from(age.as_millis()).unwrap_or(u64::MAX) }
}
