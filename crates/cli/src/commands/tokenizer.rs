//! `finery tokenizer train`: a byte-level BPE tokenizer from text.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Make tokenizers.
#[derive(Args, Debug)]
pub(crate) struct TokenizerArgs {
    #[command(subcommand)]
    command: TokenizerCommand,
}

#[derive(Subcommand, Debug)]
enum TokenizerCommand {
    /// Train a byte-level BPE tokenizer and write it as a Hugging Face folder.
    ///
    /// Writes tokenizer.json, tokenizer_config.json and chat_template.jinja, a ChatML template that marks what the
    /// assistant says for the loss.
    #[command(
        after_help = "Example:\n  finery tokenizer train --input book.txt chats.jsonl --vocab-size 4096 --output model"
    )]
    Train(TrainArgs),
}

/// Arguments of `finery tokenizer train`.
#[derive(Args, Debug)]
pub(crate) struct TrainArgs {
    /// Text files, or JSONL in any form that training reads, plain, .gz or .zst
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    input: Vec<PathBuf>,
    /// Tokens in the vocabulary, special tokens included
    #[arg(long, value_name = "N")]
    vocab_size: usize,
    /// Folder to write to; made where it does not exist
    #[arg(long, value_name = "DIR")]
    output: PathBuf,
}

/// Runs `finery tokenizer …`.
pub(crate) fn run(args: TokenizerArgs) -> anyhow::Result<()> {
    match args.command {
        TokenizerCommand::Train(args) => {
            let size = data::train_bpe(&args.input, args.vocab_size, &args.output)?;
            println!("Wrote a tokenizer of {size} tokens to {}.", args.output.display());
            Ok(())
        }
    }
}
