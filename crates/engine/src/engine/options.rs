//! How much an engine does at once, as its caller says it.

use std::path::PathBuf;

/// How much an engine does at once.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// Texts that are continued at once.
    pub rows: usize,
    /// The longest text, prompt and answer together; `None`: what the model is meant for.
    pub context: Option<usize>,
    /// Tokens of a step: those of prompts, and one for each text that goes on.
    pub step_tokens: usize,
    /// The most tokens of a prompt in a step.
    pub chunk: usize,
    /// Tokens of a page of keys and values.
    pub page_tokens: usize,
    /// Bytes on each device for keys and values; `None`: for as many texts of full length as are continued at once, or what is free.
    pub cache_bytes: Option<u64>,
    /// Requests that wait.
    pub waiting: usize,
    /// Whether what has been computed for a text serves others that begin alike.
    pub shares_prefixes: bool,
    /// Whether an answer's bits depend on its request alone, and not on what is computed beside it: slower.
    pub is_deterministic: bool,
    /// Whether programs are made for all usual steps before the first request, so that few sizes should serve all. If not, they are made for what comes, in
    /// sizes that are nearer to it.
    pub compiles_ahead: bool,
    /// Whether a step begins before the tokens of the one before are known, which stay on the device; `None`: where the device computes while the host
    /// waits. On a CPU they share the cores, and the last step of an answer would be for nothing.
    pub runs_ahead: Option<bool>,
    /// A folder whose folders are adapters, by their names.
    pub adapters: Option<PathBuf>,
    /// Folders of other adapters for which there is to be room.
    pub adapter_paths: Vec<PathBuf>,
    /// Adapters on the device at once, if each has as many ranks as it may.
    pub adapters_max: usize,
    /// The most ranks of an adapter; one with more is refused.
    pub adapter_rank_max: usize,
    /// Bytes for adapters in host memory.
    pub adapter_host_bytes: u64,
}

impl Default for EngineOptions {
    fn default() -> Self {
        EngineOptions {
            rows: 16,
            context: None,
            step_tokens: 512,
            chunk: 256,
            page_tokens: 32,
            cache_bytes: None,
            waiting: 1024,
            shares_prefixes: true,
            is_deterministic: false,
            compiles_ahead: true,
            runs_ahead: None,
            adapters: None,
            adapter_paths: Vec::new(),
            adapters_max: 64,
            adapter_rank_max: 16,
            adapter_host_bytes: 4 << 30,
        }
    }
}
