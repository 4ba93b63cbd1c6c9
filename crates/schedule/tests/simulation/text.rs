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

    /// The same for a text that is computed anew, in another way.
    pub(crate) fn anew(salt: u64) -> Cell {
        Cell { prefix: mix(salt ^ 0xa2e3), history: 0 }
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
    /// What each of them leaves, and what it leaves once all is computed anew.
    cells: [Vec<Cell>; 2],
    /// The tokens at which that is, if it is so long.
    pub(crate) anew_at: Option<usize>,
    /// Whether it has come to that.
    pub(crate) is_anew: bool,
    /// The tokens that the request is to be answered with, the end token included.
    pub(crate) answer: Vec<u32>,
}

impl Text {
    pub(crate) fn new(arrival: Arrival, limits: &Limits, vocab: u32) -> Text {
        let prompt = arrival.prompt.len();
        let limit = (prompt + arrival.max_tokens).min(limits.context);
        let anew_at = limits.anew_at.filter(|anew_at| prompt < *anew_at && *anew_at < limit);
        let mut tokens = arrival.prompt.to_vec();
        let mut compute = |mut cell: Cell, known: usize, until: usize| {
            let mut cells = Vec::new();
            for at in 0..until {
                let start = at - at % limits.chunk;
                let chunk = (at < known).then_some((start, known.min(start + limits.chunk)));
                cell = cell.then(tokens[at], chunk);
                cells.push(cell);
                if at + 1 >= known && tokens.len() < until {
                    tokens.push(cell.next(vocab));
                }
            }
            cells
        };
        let first = compute(Cell::empty(salt(&arrival)), prompt, anew_at.unwrap_or(limit));
        let later = anew_at.map(|anew_at| compute(Cell::anew(salt(&arrival)), anew_at, limit));
        let cells = [first, later.unwrap_or_default()];
        let mut answer = tokens[prompt..].to_vec();
        if let Some(end) = answer.iter().position(|&token| token == END) {
            answer.truncate(end + 1);
        }
        Text { arrival, tokens, cells, anew_at, is_anew: false, answer }
    }

    /// What each token leaves.
    pub(crate) fn cells(&self) -> &[Cell] {
        &self.cells[usize::from(self.is_anew)]
    }

    /// What is before the first token.
    pub(crate) fn start(&self) -> Cell {
        let salt = salt(&self.arrival);
        if self.is_anew { Cell::anew(salt) } else { Cell::empty(salt) }
    }

    /// Tokens that may be chosen before more is told.
    pub(crate) fn until(&self) -> usize {
        self.anew_at.filter(|_| !self.is_anew).unwrap_or(self.tokens.len())
    }
}

/// Under what a request's keys and values are: what shares none has them under a salt that nobody else has, so that it is told if others read them.
fn salt(arrival: &Arrival) -> u64 {
    if arrival.shares { arrival.salt } else { (1 << 32) + arrival.id }
}
