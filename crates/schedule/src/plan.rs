//! What one iteration computes.

/// An iteration. What it names may be computed at once, save `copies`, which come first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Plan<'a> {
    /// The requests whose first chunk is here, each once in its life, with the number of its prompt's tokens that are computed already.
    pub started: Vec<(u64, usize)>,
    /// Pages to copy, from and to, before anything else is computed. No page is copied to twice, and none that is copied to is copied from.
    pub copies: Vec<(u32, u32)>,
    /// The requests that lost their slots and pages. They start again, from another slot, when there is room.
    pub preempted: Vec<u64>,
    /// The sequences that go on by one token.
    pub decode: Vec<Decode<'a>>,
    /// The parts of sequences that are computed in chunks. No sequence is in two rows.
    pub prefill: Vec<Prefill<'a>>,
}

/// A sequence that is fed the token that was chosen last, and chooses another one; and one behind each token that is proposed for it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decode<'a> {
    /// The request.
    pub id: u64,
    /// Where its state is.
    pub slot: u32,
    /// The position of the first token that is fed.
    pub position: usize,
    /// The token that was chosen last and those that are proposed behind it, where there may be proposals and the first is learned. Else it is empty: the
    /// token that was chosen last is where it was chosen.
    pub tokens: &'a [u32],
    /// Its pages, in the order of its tokens; they reach to the last of its tokens at least. Any of them may be another than in the plan before.
    pub pages: &'a [u32],
}

/// A chunk of a sequence.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Prefill<'a> {
    /// The request.
    pub id: u64,
    /// Where its state is.
    pub slot: u32,
    /// The position of the first token.
    pub start: usize,
    /// The tokens that are fed.
    pub tokens: &'a [u32],
    /// Whether the slot is new to the sequence, and holds another one's state still. A model's state that sums up all tokens is to be cleared then,
    /// and what sampling keeps in the slot is to be set.
    pub is_first: bool,
    /// Whether a token is to be chosen behind the chunk.
    pub is_last: bool,
    /// Its pages, in the order of its tokens; they reach to the chunk's end at least.
    pub pages: &'a [u32],
}

impl Decode<'_> {
    /// Tokens that are fed.
    pub fn count(&self) -> usize {
        self.tokens.len().max(1)
    }

    /// The tokens that are proposed.
    pub fn proposals(&self) -> &[u32] {
        self.tokens.get(1..).unwrap_or_default()
    }
}

impl<'a> Prefill<'a> {
    /// The chunk as two, of which the first has a multiple of `least` tokens.
    fn halves(&self, least: usize) -> [Prefill<'a>; 2] {
        let middle = self.tokens.len().div_ceil(2).next_multiple_of(least.max(1)).min(self.tokens.len() - 1);
        let (tokens, rest) = self.tokens.split_at(middle);
        let second = Prefill { start: self.start + middle, tokens: rest, is_first: false, ..self.clone() };
        [Prefill { tokens, is_last: false, ..self.clone() }, second]
    }
}

impl<'a> Plan<'a> {
    /// The same rows in two plans, to be computed one after the other where all are too many; what is to be done before them is in the first. A single chunk
    /// of more than `least` tokens is two.
    ///
    /// # Errors
    /// It has one row, or none.
    pub fn halves(mut self, least: usize) -> Result<[Plan<'a>; 2], Plan<'a>> {
        let (decode, prefill) = match (self.decode.len(), self.prefill.len()) {
            (0, 1) if self.prefill[0].tokens.len() > least => {
                let [first, second] = self.prefill[0].halves(least);
                self.prefill[0] = first;
                (Vec::new(), vec![second])
            }
            (0, 0 | 1) | (1, 0) => return Err(self),
            (0, prompts) => (Vec::new(), self.prefill.split_off(prompts / 2)),
            (rows, 0) => (self.decode.split_off(rows / 2), Vec::new()),
            _ => (Vec::new(), std::mem::take(&mut self.prefill)),
        };
        Ok([self, Plan { decode, prefill, ..Plan::default() }])
    }
}

impl Plan<'_> {
    /// Whether there is nothing to compute. Requests may have been preempted all the same.
    pub fn is_empty(&self) -> bool {
        self.decode.is_empty() && self.prefill.is_empty()
    }

    /// The requests that have rows.
    pub fn ids(&self) -> impl Iterator<Item = u64> {
        self.decode.iter().map(|row| row.id).chain(self.prefill.iter().map(|row| row.id))
    }

    /// Tokens that are fed.
    pub fn tokens(&self) -> usize {
        let decode = self.decode.iter().map(Decode::count).sum::<usize>();
        decode + self.prefill.iter().map(|chunk| chunk.tokens.len()).sum::<usize>()
    }
}

/// A plan that is being made: rows without what they borrow.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    pub(crate) started: Vec<(u64, usize)>,
    pub(crate) copies: Vec<(u32, u32)>,
    pub(crate) preempted: Vec<u64>,
    /// Requests, with the positions of their tokens.
    pub(crate) decode: Vec<(u64, usize)>,
    pub(crate) prefill: Vec<Chunk>,
}

/// A chunk of a sequence: its tokens from `start` to `end`.
#[derive(Debug)]
pub(crate) struct Chunk {
    pub(crate) id: u64,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) is_first: bool,
}
