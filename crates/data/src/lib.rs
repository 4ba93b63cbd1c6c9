//! Text to batches: tokenizers, chat templates, JSON, loss masks, packing, and an order that resumes anywhere.
//!
//! The path of a sample: an object in a file becomes a [`Record`], which a [`Tokenizer`] and its [`ChatTemplate`] turn into
//! a [`Sample`] of tokens with the mask of what the loss counts. A [`Dataset`] holds all samples in memory, and a
//! [`DataLoader`] packs them into rows and gives the [`Batch`] of any step.

mod array;
mod bpe;
mod build;
mod cache;
mod canonical;
mod dataset;
mod encode;
mod error;
mod fields;
mod gzip;
mod input;
mod json_lines;
mod lines;
mod loader;
mod long_text;
mod marks;
mod messages;
mod options;
mod order;
mod pack;
mod pieces;
mod python;
mod record;
mod records;
mod show;
mod source;
mod split;
mod stats;
mod stream;
mod template;
#[cfg(test)]
mod test_tokenizers;
mod token_bytes;
mod tokenizer;
mod turns;
mod unique_keys;
mod zstandard;

pub use bpe::{TOKENIZER_FILES, train_bpe};
pub use cache::cached_datasets;
pub use canonical::{UnreadableArguments, canonical_message, canonical_tool};
pub use dataset::{Dataset, Progress, ValSetSize};
pub use encode::{Sample, encode};
pub use error::{Error, Place, Result};
pub use fields::Fields;
pub use input::{read_all, read_text};
pub use json_lines::JsonLines;
pub use loader::{Batch, DataLoader, LoaderOptions};
pub use options::{DatasetOptions, ExcessLength};
pub use order::Permutation;
pub use pack::Packing;
pub use record::{Form, Piece, Record};
pub use show::{Marks, mark_targets, show_row};
pub use source::{Source, files_of, warn_of_unread};
pub use split::Split;
pub use stats::{Stats, UnlikeGeneration};
pub use stream::StreamDecoder;
pub use template::{ChatInput, ChatTemplate, Clock, Rendered};
pub use tokenizer::{Encoded, Tokenizer, chat_template_source};
pub use unique_keys::UniqueKeys;
