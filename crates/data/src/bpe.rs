//! Training of a byte-level BPE tokenizer, written as a Hugging Face folder.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;
use tokenizers::AddedToken;
use tokenizers::models::TrainerWrapper;
use tokenizers::models::bpe::{BPE, BpeTrainerBuilder};
use tokenizers::pre_tokenizers::byte_level::ByteLevel;

use crate::error::{Error, Result};
use crate::fields::Fields;
use crate::input::Input;
use crate::lines::Lines;
use crate::record::{Form, Record};
use crate::records::{Records, parse_object};

/// Start and end of a message, as in ChatML. The end of a message ends documents too, and pads: a token that pre-training never shows
/// has an embedding that nothing has shaped, and an adapter, which leaves embeddings alone, can hardly learn to emit it.
const MESSAGE_START: &str = "<|im_start|>";
const MESSAGE_END: &str = "<|im_end|>";
const SPECIAL_TOKENS: [&str; 2] = [MESSAGE_START, MESSAGE_END];

/// The files that a tokenizer is written to.
pub const TOKENIZER_FILES: [&str; 3] = ["tokenizer.json", "tokenizer_config.json", "chat_template.jinja"];

/// ChatML with the assistant's text marked for the loss.
const CHAT_TEMPLATE: &str = include_str!("chatml.jinja");

/// The bytes and the special tokens are always in the vocabulary.
const VOCAB_SIZE_MIN: usize = 256 + SPECIAL_TOKENS.len();

/// Trains a byte-level BPE tokenizer on `inputs` and writes `tokenizer.json`, `tokenizer_config.json` and
/// `chat_template.jinja` into the folder `output`. Files with `.json` (`.jsonl`, `.json.gz`) in their name are read as
/// training data in any [`Form`], all others as plain text, each line for itself. Returns the size of the vocabulary, which is below
/// `vocab_size` where the text has too few different pairs to merge.
pub fn train_bpe(inputs: &[PathBuf], vocab_size: usize, output: &Path) -> Result<usize> {
    if vocab_size < VOCAB_SIZE_MIN {
        return Err(Error::TrainTokenizer(format!(
            "the vocabulary size is {vocab_size}, but 256 bytes and {} special tokens need at least {VOCAB_SIZE_MIN}",
            SPECIAL_TOKENS.len()
        )));
    }
    let mut texts = Vec::new();
    inputs.iter().try_for_each(|input| read_texts(input, &mut texts))?;
    if texts.is_empty() {
        return Err(Error::TrainTokenizer("the input files hold no text".to_owned()));
    }
    let failed = |error: tokenizers::Error| Error::TrainTokenizer(error.to_string());

    let mut tokenizer = tokenizers::Tokenizer::new(BPE::default());
    tokenizer.with_pre_tokenizer(Some(ByteLevel::new(false, false, true)));
    tokenizer.with_decoder(Some(ByteLevel::default()));
    let special = SPECIAL_TOKENS.map(|token| AddedToken::from(token, true));
    let trainer = BpeTrainerBuilder::new()
        .vocab_size(vocab_size)
        .min_frequency(2)
        .show_progress(false)
        .initial_alphabet(ByteLevel::alphabet().into_iter().collect::<HashSet<char>>())
        .special_tokens(special.to_vec())
        .build();
    tokenizer.train(&mut TrainerWrapper::BpeTrainer(trainer), texts.into_iter()).map_err(failed)?;

    fs::create_dir_all(output).map_err(Error::io("create", output))?;
    let tokenizer_json = tokenizer.to_string(true).map_err(failed)?;
    let config = json!({
        "tokenizer_class": "PreTrainedTokenizerFast",
        "clean_up_tokenization_spaces": false,
        "eos_token": MESSAGE_END,
        "pad_token": MESSAGE_END,
    });
    let config = serde_json::to_string_pretty(&config).map_err(|error| Error::TrainTokenizer(error.to_string()))?;
    for (name, text) in TOKENIZER_FILES.into_iter().zip([tokenizer_json.as_str(), &config, CHAT_TEMPLATE]) {
        let path = output.join(name);
        atomic_file::write(&path, text).map_err(Error::io("write", &path))?;
    }
    Ok(tokenizer.get_vocab_size(true))
}

fn read_texts(path: &Path, texts: &mut Vec<String>) -> Result<()> {
    if !is_json(path) {
        let mut lines = Lines::new(Input::open(path)?);
        while let Some(line) = lines.next_line()? {
            texts.push(format!("{}\n", line.text(path)?));
        }
        return Ok(());
    }
    let mut records = Records::open(path)?;
    let mut form = None;
    while let Some(raw) = records.next()? {
        let refuse = |reason: &dyn ToString| Error::line(path, raw.place, reason.to_string());
        let object = parse_object(path, &raw)?;
        let unknown = || refuse(&format!("cannot tell the form of the data; the forms are {}", Form::NAMES.join(", ")));
        let form = *form.get_or_insert(Form::detect(&object).ok_or_else(unknown)?);
        let record = Record::take(form, &Fields::default(), object).map_err(|reason| refuse(&reason))?;
        texts.extend(record.texts().into_iter().map(str::to_owned));
    }
    Ok(())
}

/// Told from the name, because a text may begin with a bracket.
fn is_json(path: &Path) -> bool {
    path.file_name().is_some_and(|name| {
        let name = name.to_string_lossy();
        [".json", ".ndjson"].iter().any(|ending| name.contains(ending))
    })
}
