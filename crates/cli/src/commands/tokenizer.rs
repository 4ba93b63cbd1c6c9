//! `finery tokenizer train`: a byte-level BPE tokenizer from text.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{Args, Subcommand};

use crate::usage;

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
    #[arg(long, value_name = "N", value_parser = usage::whole::<usize>(1..=u64::MAX))]
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

/// Weights and adapters, which are of no use with another tokenizer than theirs.
const TRAINED: [&str; 6] = [
    "model.safetensors",
    "model.safetensors.index.json",
    "state.safetensors",
    "trainer_state.json",
    "pytorch_model.bin",
    "adapter_config.json",
];

/// Files of tokenizers in other forms. A `tokenizer.json` beside them would be read in their place, or with their special tokens.
const OTHER_FORMS: [&str; 6] =
    ["tokenizer.model", "spiece.model", "vocab.json", "vocab.txt", "special_tokens_map.json", "added_tokens.json"];

/// Refuses a folder in which something would be replaced: the tokenizer of a trained model cannot be had again.
fn check_folder(folder: &Path) -> anyhow::Result<()> {
    let found = |files: &[&'static str]| files.iter().copied().find(|file| folder.join(file).exists());
    let tokenizer = found(&data::TOKENIZER_FILES).or_else(|| found(&OTHER_FORMS));
    let refused = match (found(&TRAINED), tokenizer) {
        (None, None) => return Ok(()),
        (Some(_), Some(file)) => format!("the tokenizer of a trained model ({file}), which would be replaced"),
        (Some(file), None) => format!("a trained model ({file}), which would get a tokenizer that is not its own"),
        (None, Some(file)) => format!("a tokenizer ({file}), which would be replaced"),
    };
    bail!("{} holds {refused}: choose another folder, or say --overwrite", folder.display());
}
