//! What a lone run of a request gives: a model whose next token is a hash of all tokens before and the salt.

use schedule::{Arrival, Limits};

use crate::random::mix;

/// Ends an answer.
pub(crate) const END: u32 = 0;

/// A token's keys and values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    /// Stands for the salt and all tokens up to this one.
    pub(crate) prefix: u64,
    /// Stands for how it and all before it were computed: in which chunks, or one by one.
    pub(crate) history: u64,
}

impl Cell {
    /// What is before the first token.
    pub(crate) fn empty(salt: u64) -> Cell {
        Cell { prefix: mix(salt ^ 0x5a17), history: 0 }
    }

    /// The next token's, computed in a chunk with the tokens from `chunk.0` to `chunk.1`, or alone.
    pub(crate) fn then(self, token: u32, chunk: Option<(usize, usize)>) -> Cell {
        let (start, end) = chunk.map_or((0, 0), |(start, end)| (start + 1, end + 1));
        Cell {
            prefix: mix(self.prefix.wrapping_mul(3) ^ u64::from(token)),
            history: mix(self.history.wrapping_mul(5) ^ ((start as u64) << 32 | end as u64)),
        }
    }

    /// The token that is chosen behind it.
    pub(crate) fn next(self, vocab: u32) -> u32 {
        (mix(self.prefix ^ 0xc405e) % u64::from(vocab)) as u32
    }
}

/// A request with all that its lone run computes.
pub(crate) struct Text {
    pub(crate) arrival: Arrival,
    /// Prompt and answer, as far as the request and the context allow, whatever ends it before.
    pub(crate) tokens: Vec<u32>,
    /// What each of them leaves.
    pub(crate) cells: Vec<Cell>,
    /// The tokens that the request is to be answered with, the end token included.
    pub(crate) answer: Vec<u32>,
}

impl Text {
    pub(crate) fn new(arrival: Arrival, limits: &Limits, vocab: u32) -> Text {
        let prompt = arrival.prompt.len();
        let limit = (prompt + arrival.max_tokens).min(limits.context);
        let (mut tokens, mut cells) = (arrival.prompt.clone(), Vec::new());
        let mut cell = Cell::empty(arrival.salt);
        for at in 0..limit {
            let start = at - at % limits.chunk;
            let chunk = (at < prompt).then_some((start, prompt.min(start + limits.chunk)));
            cell = cell.then(tokens[at], chunk);
            cells.push(cell);
            if at + 1 >= prompt && tokens.len() < limit {
                tokens.push(cell.next(vocab));
            }
        }
        let mut answer = tokens[prompt..].to_vec();
        if let Some(end) = answer.iter().position(|&token| token == END) {
            answer.truncate(end + 1);
        }
        Text { arrival, tokens, cells, answer }
    }
}
