//! A request under way: its tokens, and how far it is.

use std::ops::Deref;
use std::sync::Arc;

use crate::prefixes::Prefix;

/// Who goes before whom among those that run, first to last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank {
    pub(crate) priority: i32,
    /// Requests are numbered as they arrive.
    pub(crate) arrival: u64,
    pub(crate) id: u64,
}

/// A request that has not ended.
#[derive(Debug)]
pub(crate) struct Sequence {
    pub(crate) rank: Rank,
    pub(crate) key: u64,
    /// What stands before its first token: sequences of the same share keys and values.
    pub(crate) beginning: Prefix,
    /// The prompt and the tokens that are learned.
    pub(crate) tokens: Tokens,
    /// Tokens of the prompt.
    pub(crate) prompt: usize,
    /// Tokens, prompt included, after which it ends.
    pub(crate) limit: usize,
    /// Tokens, prompt included, that plans have chosen, learned or not.
    pub(crate) chosen: usize,
    /// Whether a plan has told of its first chunk.
    pub(crate) has_started: bool,
    /// Whether it has waited for another sequence's prefix. It does so once, so that it does not wait forever.
    pub(crate) has_waited: bool,
    /// Whether it was preempted for another key, with which it takes turns again.
    pub(crate) gives_way: bool,
    /// The token that was chosen last and those that are proposed behind it, from the plan that has them on until it is learned which were right. Empty if
    /// there are none.
    pub(crate) fed: Vec<u32>,
    pub(crate) stage: Stage,
}

/// A sequence's tokens. The prompt is its own only from the first token on that is learned: hundreds that wait may have one of a hundred thousand in common.
#[derive(Debug)]
pub(crate) enum Tokens {
    Prompt(Arc<[u32]>),
    Longer(Vec<u32>),
}

/// Tokens for which a sequence has room when it takes its prompt for its own.
const TOKENS_AHEAD: usize = 256;

impl Tokens {
    pub(crate) fn extend(&mut self, learned: &[u32]) {
        match self {
            Tokens::Prompt(prompt) => {
                // With room for some more, or the next token would copy all of it once more.
                let mut tokens = Vec::with_capacity(prompt.len() + learned.len() + TOKENS_AHEAD);
                tokens.extend_from_slice(prompt);
                tokens.extend_from_slice(learned);
                *self = Tokens::Longer(tokens);
            }
            Tokens::Longer(tokens) => tokens.extend_from_slice(learned),
        }
    }
}

impl Deref for Tokens {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        match self {
            Tokens::Prompt(prompt) => prompt,
            Tokens::Longer(tokens) => tokens,
        }
    }
}

/// Where a request is.
#[derive(Debug)]
pub(crate) enum Stage {
    /// In the queue.
    Waits,
    /// Out of the queue until `leader` has computed the first `tokens` tokens, which are this one's too, or will not.
    Follows {
        leader: u64,
        tokens: usize,
    },
    /// Preempted while tokens were not learned. It is queued when they are.
    Learns,
    Runs(Run),
}

/// What a running sequence has.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) slot: u32,
    /// Its pages, in the order of its tokens.
    pub(crate) table: Vec<u32>,
    /// Tokens whose state plans have computed.
    pub(crate) computed: usize,
    /// Tokens that it computes in chunks: those that were known when it was admitted.
    pub(crate) goal: usize,
    /// Whether no plan has had a chunk of it in this slot.
    pub(crate) is_new: bool,
    /// Pages of the table that can be found by others. Those behind them are its own.
    pub(crate) findable: usize,
    /// What these hold.
    pub(crate) prefix: Prefix,
}

impl Run {
    /// Whether there are chunks of it left.
    pub(crate) fn is_prefilling(&self) -> bool {
        self.computed < self.goal
    }
}

impl Sequence {
    /// What it has if it runs.
    pub(crate) fn run(&self) -> Option<&Run> {
        match &self.stage {
            Stage::Runs(run) => Some(run),
            Stage::Waits | Stage::Follows { .. } | Stage::Learns => None,
        }
    }

    /// The same, to be changed.
    pub(crate) fn run_mut(&mut self) -> Option<&mut Run> {
        match &mut self.stage {
            Stage::Runs(run) => Some(run),
            Stage::Waits | Stage::Follows { .. } | Stage::Learns => None,
        }
    }

    /// Tokens, prompt included, that plans may choose before more is known: where all is computed anew, it is so from tokens that are.
    pub(crate) fn until(&self, anew_at: Option<usize>) -> usize {
        let before = anew_at.filter(|anew_at| self.tokens.len() < *anew_at);
        before.map_or(self.limit, |anew_at| anew_at.min(self.limit))
    }

    /// Whether each token that was chosen is learned.
    pub(crate) fn is_learned(&self) -> bool {
        self.tokens.len() == self.chosen
    }
}
