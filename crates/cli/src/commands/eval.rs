//! `finery eval`: how well a model answers, and how well it predicts.

mod exact_match;
mod loss;

use clap::Subcommand;

use crate::progress::ProgressMode;

pub(crate) use exact_match::Answer;

/// Measure how well a model answers, or predicts text
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    metric: Metric,
}

#[derive(Clone, Debug, Subcommand)]
enum Metric {
    /// Count the answers that are exactly the expected ones
    ///
    /// Each line of the input is {"messages": […]}, where the last message is the expected answer, or {"prompt", "completion"}. The
    /// model answers with the likeliest token at each place. An answer counts when, apart from white space around it, it is the
    /// expected one and the model then ends its turn.
    #[command(after_help = "Example:\n  \
        finery eval exact-match --model quickstart/base --adapter quickstart/lora --input quickstart/examples/qa_test.jsonl")]
    ExactMatch(exact_match::Args),

    /// Measure the loss and the perplexity on a file
    ///
    /// Each line of the input is a sample as for training: {"text"}, {"messages"}, {"prompt", "completion"} and their like. The loss is
    /// the mean over the tokens that training would count, in nats: all of a text's, the assistant's in a conversation, the completion
    /// of a prompt; perplexity is its exponential. It is the eval_loss of a training run on the same samples, up to rounding, if the run
    /// computes in the type that --dtype says here (its own default on GPUs is bf16), no sample is longer than sequence_len, and
    /// sample_packing is not concatenate, which cuts samples where a row ends.
    ///
    /// Of {"text"} alone bits per byte are told too, of the text without the token that ends it, and without its first where no token stands before
    /// that: they compare models with different tokenizers.
    #[command(after_help = "Examples:\n  \
        finery eval loss --model quickstart/base --adapter quickstart/lora --input quickstart/examples/qa_test.jsonl\n  \
        finery eval loss --model models/llama --input books.jsonl --stride 512 --json")]
    Loss(loss::Args),
}

/// Runs `finery eval …`.
///
/// # Errors
/// The input or the model cannot be read, the output cannot be written, or the device fails.
pub(crate) fn run(args: Args, progress: ProgressMode) -> anyhow::Result<()> {
    match args.metric {
        Metric::ExactMatch(args) => exact_match::run(&args, progress),
        Metric::Loss(args) => loss::run(&args, progress),
    }
}
