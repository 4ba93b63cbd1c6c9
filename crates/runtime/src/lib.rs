//! From program text to running programs: plugins, a client's session, compiled programs kept on disk.
//!
//! [`plugins`] finds, installs and loads PJRT plugins. A [`Session`] is one client with its devices: it compiles program
//! text, looking first into a [`FileCache`] of programs, and moves tensors. [`aot`] compiles for devices that are not there.
//!
//! This crate knows no model and no file format of models.

pub mod aot;
mod arrays;
mod hardware;
mod host_functions;
mod memory;
mod open;
mod parameters;
mod platform_settings;
pub mod plugins;
mod processes;
mod program_key;
mod session;

pub use arrays::{Array, Arrays, BoundProgram, CompiledProgram, HostPart};
pub use file_cache::FileCache;
pub use hardware::{Hardware, NoFloat8};
pub use memory::{Bytes, Memory};
pub use open::{OpenError, open};
pub use parameters::Parameters;
pub use pjrt::{
    Buffer, Code as PjrtCode, CompileOptions, CompiledMemoryStats, Completion, Error as PjrtError, Executable,
    FlagValue, OptimizedProgram, Plugin, Profiler,
};
pub use platform_settings::{
    PLATFORM_FLAGS, PlatformFlag, Programs, Setting, cache_slots_min, keeps_exchanges_in_order, process_variables,
    tokens_side_by_side, unrolls_layers, unrolls_layers_in_generation,
};
pub use session::{Error, Result, Session, SessionOptions};
