//! The HTTP server: OpenAI's API, with vLLM's additions, over a running engine.
//!
//! A [`Server`] listens at an [`Address`] and then runs on a thread of its own with its own asynchronous runtime, while the engine's loop has
//! another. They meet in an [`engine::Service`] alone. Text is this side's: chat templates, tokens, stop strings; the engine knows tokens.
//!
//! What a request may hold in memory is bounded: its body by `Limits::body_bytes`, and all large ones by `Limits::all_bodies_bytes`. The channel of an answer has room for all that may come, so
//! that a client that reads slowly holds nobody up; what clients have not read is bounded by `Limits::all_logprobs`, and one that reads nothing for `Limits::unread` is left. Then its answers are
//! cancelled.

mod adapters;
mod answer_text;
mod app;
mod ask;
mod assets;
mod backlog;
mod body;
mod body_reader;
mod budget;
mod calls;
mod chat;
mod choices;
mod compiled;
mod completion;
mod config;
mod constraint;
mod embeddings;
mod error;
mod follow;
mod gate;
mod health;
mod histogram;
mod key_file;
mod keys;
mod lamini;
mod logprobs;
mod metrics;
mod models;
mod owners;
mod pages;
mod peers;
mod prompts;
mod rate;
mod refusals;
mod routes;
mod run;
mod stream;
mod tls;
mod tokens;
mod turns;
mod unread;

pub use api::ErrorBody;
pub use body_reader::BodyReader;
pub use config::{Limits, PrefixSharing, ServerConfig, StartError};
pub use key_file::{KeyEntry, KeyFile, KeyFileError, KeyScope, NewKey};
pub use keys::Keys;
pub use run::{Address, Ended, Server};
pub use tls::{Tls, TlsError};
