//! A model in use: loaded onto a device, continuing text token by token, scoring text that is there.
//!
//! [`Model`] is a folder's parameters on a device. An [`Engine`] continues many texts at once with it, keeping keys and values of what it has
//! seen: a server's in a thread of its own, a [`Generator`]'s in that of its caller, and a [`Scorer`]'s, which gives the log-probability of each token
//! of texts. [`WholeTexts`] gives the same without an engine, and is what engines are held to.

mod adapters;
mod base_model;
mod batch;
mod draft;
mod embedder;
mod engine;
mod error;
mod export;
mod generation_config;
mod generator;
mod host_programs;
mod memory;
mod model;
mod name;
mod packing;
mod sampling;
mod score;
mod service;
mod stop;
mod stretches;
mod whole;
mod windows;

pub use adapters::{AdapterList, FolderError};
pub use batch::decode_program;
pub use draft::{Draft, PROPOSALS_MAX};
pub use engine::{Beforehand, Engine, EngineOptions, Lookup, PromptTile, cache_bytes, prompt_rows};
pub use error::{Error, Result};
pub use export::{Agreement, Difference, ExportError, ExportOptions, ExportProgress, Exported, export};
pub use generation_config::GenerationConfig;
pub use generator::{FinishReason, GenerateOptions, Generation, Generator};
pub use model::{LoadProgress, Model, ModelPlan, describe};
pub use name::{check_adapter_name, check_name};
pub use peft::parted;
pub use sampling::{Sampling, SamplingOptions};
pub use score::Scorer;
pub use service::{
    AdapterEntry, AdapterFault, AdapterUse, Answer, Chosen, Counted, CountedText, Counters, Event, Events, Failure,
    Inbox, Message, Pooling, PromptLogprob, Refusal, Request, STEP_TOKENS, Service, Unloaded,
};
pub use stop::StopStrings;
pub use whole::WholeTexts;
pub use windows::Windows;
