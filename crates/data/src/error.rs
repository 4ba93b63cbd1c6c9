//! What can be wrong with data, tokenizers and templates.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::record::Form;

/// Where a record stands in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The line that it begins in, from 1.
    pub line: u64,
    /// Which item it is of a JSON array, from 1. Not set in a file with a record to a line.
    pub item: Option<u64>,
}

impl Place {
    /// What stands there.
    pub(crate) fn what(self) -> &'static str {
        if self.item.is_some() { "item" } else { "line" }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.item {
            None => write!(f, "line {}", self.line),
            Some(item) => write!(f, "item {item} (line {})", self.line),
        }
    }
}

/// Why data could not be read or used. Each message is one sentence that says what to do next where that is known.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[error("cannot {action} {}: {cause}", path.display())]
    Io {
        /// What was being done: `read`, `write`, `decompress`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system or the decompressor said. Part of the sentence, and so not its `source` as well.
        cause: io::Error,
    },
    /// A tokenizer file is missing, malformed or inconsistent.
    #[error("cannot load the tokenizer from {}: {reason}", path.display())]
    Tokenizer {
        /// The file at fault.
        path: PathBuf,
        /// The rule that broke.
        reason: String,
    },
    /// `generation_config.json` is malformed.
    #[error("{} cannot be understood: {reason}; correct the file, or remove it", path.display())]
    GenerationConfig {
        /// The file.
        path: PathBuf,
        /// The rule that broke.
        reason: String,
    },
    /// Training a tokenizer failed.
    #[error("cannot train a tokenizer: {0}")]
    TrainTokenizer(String),
    /// The tokenizer has ids that the model has no embedding for.
    #[error(
        "the tokenizer's highest token id is {highest}, but the model's vocab_size is {vocab_size}: \
         use the tokenizer that belongs to the model, or a model with at least {} rows of embeddings",
        u64::from(*highest) + 1
    )]
    Vocabulary {
        /// Highest id that the tokenizer can give.
        highest: u32,
        /// Rows of the model's embedding.
        vocab_size: usize,
    },
    /// Encoding or decoding failed inside the tokenizer.
    #[error("the tokenizer cannot {action} this: {reason}")]
    Tokenize {
        /// `encode` or `decode`.
        action: &'static str,
        /// What the tokenizer said.
        reason: String,
    },
    /// A chat template does not parse.
    #[error("the chat template does not parse: {0}")]
    TemplateSyntax(String),
    /// A chat template refused the messages (`raise_exception`) or failed on them.
    #[error("the chat template cannot render these messages: {0}")]
    TemplateRender(String),
    /// A template puts a special token where the tokenizer has none.
    #[error(
        "the chat template reads {name}, which the tokenizer does not have ({reason}): set it in tokenizer_config.json, or \
         take another template"
    )]
    TemplateToken {
        /// The variable of the template.
        name: String,
        /// What the template said.
        reason: String,
    },
    /// Messages need a template and the tokenizer has none.
    #[error(
        "the data holds chat messages, but the tokenizer has no chat template: add a chat_template.jinja to its folder, or use \
         prompt/completion data; for training, chat_template in the configuration names one too"
    )]
    NoTemplate,
    /// A template without generation marks whose assistant turns cannot be told from the rest.
    #[error(
        "the assistant's part of messages[{message}] cannot be told apart, because the chat template renders the \
         conversation so far differently once the message is added: put {{% generation %}} … {{% endgeneration %}} \
         around the assistant's text in the template, or set train_on_inputs"
    )]
    NotAPrefix {
        /// Index of the message, from 0.
        message: usize,
    },
    /// A record that is not UTF-8, not JSON, or lacks a key.
    #[error("{}, {place}: {reason}; correct the {}", path.display(), place.what())]
    Line {
        /// The file.
        path: PathBuf,
        /// Where it stands.
        place: Place,
        /// The rule that broke.
        reason: String,
    },
    /// A record that the chat template or the tokenizer refuses: it may be the one or the other that is wrong, and other records may do.
    #[error("{}, {place}: {cause}{}", path.display(), cause.advice_on_record())]
    Refused {
        /// The file.
        path: PathBuf,
        /// Where it stands.
        place: Place,
        /// The reason. Part of the sentence, and so not its `source` as well.
        cause: Box<Error>,
    },
    /// A sample that cannot be tokenised for a reason that is not its line's alone, so that skipping it would not help.
    #[error("{}, {place}: {cause}", path.display())]
    Sample {
        /// The file.
        path: PathBuf,
        /// Where it stands.
        place: Place,
        /// The reason. Part of the sentence, and so not its `source` as well.
        cause: Box<Error>,
    },
    /// A sample longer than the limit, where the configuration says that this is an error.
    #[error(
        "{}, {place}: the sample has {tokens} tokens, but sequence_len is {limit}: raise sequence_len, or set \
         excess_length_strategy to drop or truncate",
        path.display()
    )]
    TooLong {
        /// The file.
        path: PathBuf,
        /// Where it stands.
        place: Place,
        /// Tokens of the sample.
        tokens: usize,
        /// The limit, in tokens.
        limit: usize,
    },
    /// A sample from which nothing would be learned.
    #[error(
        "{}, {place}: no token of this sample would count for the loss, because {because}; \
         correct it, or set skip_bad to leave such samples out; the sample, with targets marked as {{+…+}}:\n{shown}",
        path.display()
    )]
    NoTarget {
        /// The file.
        path: PathBuf,
        /// Where it stands.
        place: Place,
        /// The likely reason.
        because: &'static str,
        /// The decoded sample, marked.
        shown: String,
    },
    /// The form of a file's lines is not known.
    #[error(
        "{}, {place}: cannot tell the form of the data from the keys {keys}: expected text, messages, \
         prompt and completion, instruction and output, conversations, or segments; or name it with `type`",
        path.display()
    )]
    UnknownForm {
        /// The file.
        path: PathBuf,
        /// Where it stands.
        place: Place,
        /// The keys that were found, quoted.
        keys: String,
    },
    /// A key is named that records of the form that their keys tell do not have.
    #[error(
        "{}, {place}: {name} is given, and the form that the record's keys tell, `{form}`, has no use for it: leave it out, or name \
         the form with `type`",
        path.display()
    )]
    IdleField {
        /// The file.
        path: PathBuf,
        /// The record whose keys tell the form.
        place: Place,
        /// The key of a configuration, quoted; each of them where several mean the same.
        name: String,
        /// The form.
        form: Form,
    },
    /// A file of another kind than its user takes it for.
    #[error("{} is {what}: {advice}", path.display())]
    Kind {
        /// The file.
        path: PathBuf,
        /// What it is, with its article.
        what: &'static str,
        /// What to do with it.
        advice: String,
    },
    /// A file that cannot be divided into records.
    #[error("{}, {place}: {reason}", path.display())]
    Records {
        /// The file.
        path: PathBuf,
        /// How far it could be.
        place: Place,
        /// The rule that broke.
        reason: String,
    },
    /// The work was stopped from outside.
    #[error("stopped while reading the data")]
    Stopped,
    /// No sample is left to train on.
    #[error("there is no sample in {files} ({detail}): {advice}")]
    Empty {
        /// The files, comma-separated.
        files: String,
        /// How many lines were skipped or dropped.
        detail: String,
        /// What to do.
        advice: &'static str,
    },
    /// Options that contradict each other or the data.
    #[error("{0}")]
    Options(String),
}

impl Error {
    pub(crate) fn io(action: &'static str, path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Error {
        let path = path.as_ref().to_path_buf();
        move |cause| Error::Io { action, path, cause }
    }

    /// What to do about a record of which this is wrong, where the sentence does not say it.
    fn advice_on_record(&self) -> &'static str {
        match self {
            Error::TemplateRender(_) => "; correct the messages or the template",
            _ => "",
        }
    }

    pub(crate) fn line(path: &Path, place: Place, reason: impl ToString) -> Error {
        Error::Line { path: path.to_path_buf(), place, reason: reason.to_string() }
    }
}

/// `Result` with this crate's [`enum@Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;
