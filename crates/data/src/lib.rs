//! Text to batches: tokenizers, chat templates, JSONL, loss masks, packing, and an order that resumes anywhere.
//!
//! The path of a sample: a line of a file becomes a [`Record`], which a [`Tokenizer`] and its [`ChatTemplate`] turn into
//! a [`Sample`] of tokens with the mask of what the loss counts. A [`Dataset`] holds all samples in memory, and a
//! [`DataLoader`] packs them into rows and gives the [`Batch`] of any step.

mod bpe;
mod cache;
mod dataset;
mod encode;
mod error;
mod json_lines;
mod lines;
mod loader;
mod marks;
mod order;
mod pack;
mod python;
mod record;
mod show;
mod stream;
mod template;
mod tokenizer;

pub use bpe::train_bpe;
pub use cache::cached_datasets;
pub use dataset::{Dataset, DatasetOptions, ExcessLength, Progress, Source, Stats, ValSetSize};
pub use encode::{Sample, encode};
pub use error::{Error, Result};
pub use json_lines::JsonLines;
pub use loader::{Batch, DataLoader, LoaderOptions};
pub use order::Permutation;
pub use pack::Packing;
pub use record::{Form, Record};
pub use show::{Marks, mark_targets, show_row};
pub use stream::StreamDecoder;
pub use template::{ChatInput, ChatTemplate, Clock, Rendered};
pub use tokenizer::{Encoded, Tokenizer};
