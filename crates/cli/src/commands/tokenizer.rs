//! `finery tokenizer train`: a byte-level BPE tokenizer from text.

use std::path::{Path, PathBuf};

use anyhow::bail;
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
    /// Text files, or JSON in any form that training reads (by their names), plain or compressed
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    input: Vec<PathBuf>,
    /// Tokens in the vocabulary, special tokens included
    #[arg(long, value_name = "N")]
    vocab_size: usize,
    /// Folder to write to; made where it does not exist
    #[arg(long, value_name = "DIR")]
    output: PathBuf,
    /// Replace a tokenizer that is in the folder; a model that was trained with it is of no use then
    #[arg(long)]
    overwrite: bool,
}

/// Runs `finery tokenizer …`.
pub(crate) fn run(args: TokenizerArgs) -> anyhow::Result<()> {
    match args.command {
        TokenizerCommand::Train(args) => {
            if !args.overwrite {
                check_folder(&args.output)?;
            }
            let size = data::train_bpe(&args.input, args.vocab_size, &args.output)?;
            println!("Wrote a tokenizer of {size} tokens to {}.", args.output.display());
            Ok(())
        }
    }
}

/// Refuses a folder in which something would be replaced: the tokenizer of a trained model cannot be had again.
fn check_folder(folder: &Path) -> anyhow::Result<()> {
    if let Some(file) = data::TOKENIZER_FILES.into_iter().find(|file| folder.join(file).exists()) {
        let what = match ["model.safetensors", "model.safetensors.index.json", "adapter_config.json"]
            .into_iter()
            .any(|file| folder.join(file).exists())
        {
            true => "the tokenizer of a trained model",
            false => "a tokenizer",
        };
        bail!(
            "{} holds {what} ({file}), which would be replaced: choose another folder, or say --overwrite",
            folder.display()
        );
    }
    Ok(())
}
