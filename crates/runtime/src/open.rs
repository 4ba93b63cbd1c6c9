//! From nothing to a session.

use crate::plugins::{self, Environment, Platform, Progress, Purpose};
use crate::{Session, SessionOptions};

/// Why no session could be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// No plugin, or one that cannot be loaded.
    #[error(transparent)]
    Plugin(#[from] plugins::Error),
    /// The plugin's client does not start.
    #[error(transparent)]
    Session(#[from] crate::Error),
}

/// Finds the platform's plugin, loads it and starts a client, with the options that commands use. The CPU's plugin is installed if there
/// is none; `progress` is called only then.
///
/// # Errors
/// What finding, installing, loading the plugin or starting the client can meet.
pub fn open(
    environment: &Environment,
    platform: Platform,
    progress: &mut dyn FnMut(Progress),
) -> Result<Session, OpenError> {
    let plugin = plugins::ensure(environment, platform, progress)?.load(environment, Purpose::Run)?;
    Ok(Session::open(plugin, SessionOptions::new(platform, environment))?)
}
