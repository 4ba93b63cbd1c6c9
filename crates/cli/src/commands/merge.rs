//! `finery merge`.

use std::path::PathBuf;

use super::devices::DeviceArgs;
use super::export::{self, OutputArgs};
use crate::progress::ProgressMode;

/// Merge a LoRA adapter into its base model and write the result as a Hugging Face folder
///
/// Each adapted weight W becomes W + scale B A, computed in f32 and rounded once. The folder gets its name only after it
/// was loaded again and its log-probabilities were compared with those of base and adapter together.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Example:\n  finery merge --model quickstart/base --adapter quickstart/lora --output quickstart/merged"
)]
pub(crate) struct Args {
    /// The base model: a folder with config.json and safetensors
    #[arg(long, value_name = "DIR")]
    model: PathBuf,

    /// The adapter, in PEFT's layout
    #[arg(long, value_name = "DIR")]
    adapter: PathBuf,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    device: DeviceArgs,
}

/// Runs `finery merge`.
///
/// # Errors
/// As [`export::write`].
pub(crate) fn run(args: Args, progress: ProgressMode) -> anyhow::Result<()> {
    export::write(&args.model, Some(&args.adapter), &args.output, &args.device, progress)
}
