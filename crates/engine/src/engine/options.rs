//! How much an engine does at once, as its caller says it.

use std::path::PathBuf;

use runtime::plugins::Platform;

use crate::Model;
use crate::draft::check_proposals;
use crate::error::{Error, Result};

/// How much an engine does at once.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// Texts that are continued at once.
    pub rows: usize,
    /// The longest text, prompt and answer together; `None`: what the model is meant for.
    pub context: Option<usize>,
    /// Tokens of a step: those of prompts, and one for each text that goes on. `None`: as many as the device computes well at once.
    pub step_tokens: Option<usize>,
    /// The most tokens of a prompt in a step, where a prompt is a row of it, or answers are the same to the bit whatever is beside them.
    pub chunk: usize,
    /// Tokens of a row of prompts where one prompt may have several rows of a step; `None`: as the model is served best.
    pub prompt_tile: Option<PromptTile>,
    /// The most prompts of a step, where each is a row of it: all rows have room for the longest.
    pub prompts: usize,
    /// Tokens of a page of keys and values.
    pub page_tokens: usize,
    /// Bytes on each device for keys and values; `None`: for as many texts of full length as are continued at once, or what is free.
    pub cache_bytes: Option<u64>,
    /// Requests that wait where as many texts as possible are continued.
    pub waiting: usize,
    /// Whether what has been computed for a text serves others that begin alike.
    pub shares_prefixes: bool,
    /// Whether an answer's bits depend on its request alone, and not on what is computed beside it: slower.
    pub is_deterministic: bool,
    /// Proposals for how texts go on. `None`: each step gives a text one token.
    pub lookup: Option<Lookup>,
    /// Whether programs are made for all usual steps before the first request, so that few sizes should serve all. If not, they are made for what comes, in
    /// sizes that are nearer to it.
    pub compiles_ahead: bool,
    /// The fewest tokens of a text that a step has room to read: what texts have is read by sizes that double from there on. `None`: a
    /// page's, where programs are made before the first request; else as many as the device reads in little time, so that few programs serve answers, which grow.
    pub read_tokens_min: Option<usize>,
    /// Whether a step begins before the tokens of the one before are known, which stay on the device; `None`: where the device computes while the host
    /// waits. On a CPU they share the cores, and the last step of an answer would be for nothing.
    pub runs_ahead: Option<bool>,
    /// A folder whose folders are adapters, by their names.
    pub adapters: Option<PathBuf>,
    /// Names that stand for the model itself: an adapter in the folder that is called so is passed over.
    pub model_names: Vec<String>,
    /// Folders of other adapters for which there is to be room.
    pub adapter_paths: Vec<PathBuf>,
    /// Modules for whose adapters there is to be room beside those of the adapters that are there from the start: the ends of their names, or
    /// `all-linear` (as PEFT has it) for all but the output layer. None and no adapters: room for any.
    pub adapter_targets: Vec<String>,
    /// Adapters on the device at once, if each has as many ranks as it may.
    pub adapters_max: usize,
    /// The most ranks of an adapter; one with more is refused.
    pub adapter_rank_max: usize,
    /// Bytes for adapters in host memory.
    pub adapter_host_bytes: u64,
    /// The model's chat template, where conversations with adapters are laid out by it: one that has another beside it is warned of. `None`: nobody looks.
    pub chat_template: Option<String>,
}

/// How the tokens of prompts lie in the rows of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptTile {
    /// Those of a prompt in one row.
    Whole,
    /// Those of a prompt in as many rows of so many tokens, two at the least, as it takes, in a step of their own: what all rows write is there before one of them attends.
    Tokens(usize),
}

/// Tokens that are proposed for a text because they followed its last ones before (prompt lookup decoding), and computed at once. Those that are what would
/// have been chosen one after the other are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// Tokens that are proposed at most, from 1 to [`PROPOSALS_MAX`](crate::PROPOSALS_MAX).
    pub tokens: usize,
    /// Last tokens that are looked up, longest first.
    pub longest: usize,
    /// The fewest, at least 1.
    pub shortest: usize,
}

impl Lookup {
    /// So many tokens, where two to four last ones agree.
    pub fn of(tokens: usize) -> Lookup {
        Lookup { tokens, longest: 4, shortest: 2 }
    }

    /// Refuses numbers that make no sense.
    pub(crate) fn check(&self) -> Result<()> {
        check_proposals(self.tokens)?;
        if self.shortest == 0 || self.shortest > self.longest {
            let rule = format!("it should be from 1 to the most, {}", self.longest);
            let name = "the number of last tokens that are looked up at least";
            return Err(Error::Setting { name, value: self.shortest.to_string(), rule });
        }
        Ok(())
    }
}

impl EngineOptions {
    /// Texts that are continued at once unless somebody says how many: on a GPU as many as it computes in not much more time than one, if they share nothing but
    /// its memory for keys and values.
    ///
    /// # Errors
    /// A configuration that no graph can be traced from.
    pub fn usual_rows(model: &Model<'_>) -> Result<usize> {
        Ok(match (model.session().platform(), model.plan().model.attends_by_kernels(model.dtype())?) {
            (Platform::Cpu, _) => EngineOptions::default().rows,
            (_, true) => 256,
            (_, false) => 64,
        })
    }
}

impl Default for EngineOptions {
    fn default() -> Self {
        EngineOptions {
            rows: 16,
            context: None,
            step_tokens: None,
            chunk: 256,
            prompt_tile: None,
            prompts: 1,
            page_tokens: 32,
            cache_bytes: None,
            waiting: 1024,
            shares_prefixes: true,
            is_deterministic: false,
            lookup: None,
            compiles_ahead: true,
            read_tokens_min: None,
            runs_ahead: None,
            adapters: None,
            model_names: Vec::new(),
            adapter_paths: Vec::new(),
            adapter_targets: Vec::new(),
            adapters_max: 64,
            adapter_rank_max: 16,
            adapter_host_bytes: 4 << 30,
            chat_template: None,
        }
    }
}
