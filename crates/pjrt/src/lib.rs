//! A thin, safe binding of the PJRT C API: the interface through which XLA's compilers and devices are reached.
//!
//! A [`Plugin`] is a shared library that holds XLA for one platform. A [`Client`] of it owns [`Device`]s, compiles
//! programs (StableHLO as MLIR text) to [`Executable`]s, and moves [`Buffer`]s. A [`Topology`] compiles for devices that
//! are not there.
//!
//! Every handle frees its object when dropped and keeps alive what it depends on, so that they may be dropped in any
//! order; all of them may be shared between threads. This crate does no IO except to load the library, keeps no cache,
//! and knows no model. Nearly all of the workspace's `unsafe` stands here (STYLE.md, rule 3).

mod api;
mod buffer;
mod client;
mod completion;
mod element;
mod elf;
mod environment;
mod error;
mod executable;
mod host_call;
mod host_call_sys;
mod key_value;
mod named;
mod object;
mod options;
mod plugin;
mod profiler;
mod profiler_sys;
mod serialized;
#[rustfmt::skip]
mod sys;
mod topology;

pub use api::ApiVersion;
pub use buffer::Buffer;
pub use client::{Client, Device, MemoryStats, Node};
pub use completion::Completion;
pub use element::ElementType;
pub use environment::with_variable;
pub use error::{Code, Error, Result};
pub use executable::{CompiledMemoryStats, CompiledProgram, Executable, OptimizedProgram};
pub use host_call::{HostArguments, HostFunction};
pub use key_value::{KeyValueStore, StoreError};
pub use named::OptionValue;
pub use options::{CompileOptions, FlagValue};
pub use plugin::{Plugin, preload};
pub use profiler::Profiler;
pub use serialized::SerializedProgram;
pub use topology::Topology;
