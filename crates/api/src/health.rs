//! How the server is.

use schemars::JsonSchema;
use serde::Serialize;

/// Whether the engine works.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct HealthResponse {
    /// `ok`, `starting`, `stalled`, `stopping` or `stopped`.
    pub status: &'static str,
    /// Sequences that are computed.
    pub running: u64,
    /// Requests that wait.
    pub waiting: u64,
    /// How long ago the last step ended.
    pub last_step_age_ms: u64,
}

/// Which version.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct VersionResponse {
    /// Of the server.
    pub version: &'static str,
}
