//! `finery merge`.

use anyhow::bail;

use super::devices::DeviceArgs;
use super::export::{self, OutputArgs};
use crate::model_args::ModelFolders;
use crate::progress::ProgressMode;

/// Merge a LoRA adapter into its base model and write the result as a Hugging Face folder
///
/// Each adapted weight W becomes W + scale B A, computed in f32 and rounded once. The folder gets its name only after it
/// was loaded again and its log-probabilities were compared with those of base and adapter together.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  finery merge --model quickstart/base --adapter quickstart/lora --output quickstart/merged\n  \
    finery merge --adapter runs/lora/checkpoints/step-00000500 --output merged"
)]
pub(crate) struct Args {
    #[command(flatten)]
    folders: ModelFolders,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    device: DeviceArgs,
}

/// Runs `finery merge`.
///
/// # Errors
/// There is no adapter, or as [`export::write`].
pub(crate) fn run(args: Args, progress: ProgressMode) -> anyhow::Result<()> {
    let source = args.folders.open()?;
    if source.adapter().is_none() {
        bail!(
            "there is no adapter to merge: name one with --adapter, or use `finery export` to write a model as it is"
        );
    }
    export::write(&source, &args.output, &args.device, progress)
}
