//! `finery train`.

use std::process::ExitCode;

use crate::progress::ProgressMode;

/// Train a model as a configuration says
#[derive(Clone, Debug, clap::Args)]
pub struct Args {}

/// Runs `finery train`.
pub(crate) fn run(_args: Args, _progress: ProgressMode) -> anyhow::Result<ExitCode> {
    Ok(ExitCode::SUCCESS)
}
