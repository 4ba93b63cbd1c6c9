//! `finery tokenizer train`: a byte-level BPE tokenizer from text.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
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
    /// Text files, or JSON in any form that training reads (by their names), plain or compressed; or folders of JSON, as training reads them
    #[arg(long, value_name = "PATH", required = true, num_args = 1..)]
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
            let inputs = data::files_of(&args.input)?;
            check_inputs(&inputs, &args.output)?;
            let size = data::train_bpe(&inputs, args.vocab_size, &args.output)?;
            remove_other_forms(&args.output)?;
            if size < args.vocab_size {
                tracing::warn!(
                    "the vocabulary has {size} tokens, and not {}: no more pairs of tokens come twice in the text; give more text, \
                     or ask for fewer",
                    args.vocab_size
                );
            }
            let written = writeln!(io::stdout(), "Wrote a tokenizer of {size} tokens to {}.", args.output.display());
            written.context("printing the result")
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

/// Files of tokenizers in other forms, and what is read beside a `tokenizer.json`. One would be read in their place, or with their special tokens
/// and templates.
const OTHER_FORMS: [&str; 8] = [
    "tokenizer.model",
    "spiece.model",
    "vocab.json",
    "merges.txt",
    "vocab.txt",
    "special_tokens_map.json",
    "added_tokens.json",
    ADDITIONAL_TEMPLATES,
];
/// A folder.
const ADDITIONAL_TEMPLATES: &str = "additional_chat_templates";

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

/// Refuses texts that would be removed or replaced with the tokenizer before.
fn check_inputs(inputs: &[PathBuf], folder: &Path) -> anyhow::Result<()> {
    let doomed = data::TOKENIZER_FILES.iter().chain(&OTHER_FORMS).map(|file| folder.join(file));
    let doomed: Vec<PathBuf> = doomed.filter_map(|file| fs::canonicalize(file).ok()).collect();
    let is_doomed = |input: &&PathBuf| fs::canonicalize(input).is_ok_and(|input| doomed.contains(&input));
    if let Some(input) = inputs.iter().find(is_doomed) {
        bail!("{} is the input, and would be lost with the tokenizer before: choose another folder", input.display());
    }
    Ok(())
}

/// Removes what would be read with the tokenizer that is new in a folder, and is of the one before.
fn remove_other_forms(folder: &Path) -> anyhow::Result<()> {
    for file in OTHER_FORMS {
        let path = folder.join(file);
        let removed = match file {
            ADDITIONAL_TEMPLATES if !path.is_symlink() => fs::remove_dir_all(&path),
            _ => fs::remove_file(&path),
        };
        match removed {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(error)
                    .with_context(|| format!("removing {}, which is of the tokenizer before", path.display()));
            }
            _ => {}
        }
    }
    Ok(())
}
