//! Text while it is being generated.

use std::borrow::Borrow;

use crate::Tokenizer;
use crate::error::Result;

/// A character takes at most four bytes, so with byte-level tokens no more than four can be waiting for it.
const PENDING_MAX: usize = 4;

/// Ids of a prompt among which an answer's decoder finds where a character begins; vLLM looks as far.
const PROMPT_IDS_MAX: usize = 24;

/// What stands for bytes that make no character.
const REPLACEMENT: char = '\u{FFFD}';

/// Turns ids into text one at a time, holding back bytes that do not make a character yet.
///
/// Ids are decoded together with those before them, because a token's text depends on its neighbours (SentencePiece
/// drops the first space). The window moves on with each piece, so that the cost of a token does not grow.
///
/// `T` is how the tokenizer is held: by reference, or shared where the decoder outlives whoever made it.
#[derive(Debug)]
pub struct StreamDecoder<T> {
    tokenizer: T,
    skip_special_tokens: bool,
    /// The ids of the last piece that was whole, then those since.
    window: Vec<u32>,
    /// How many ids those of the last whole piece are.
    settled: usize,
    /// What has been given out of the window's text.
    emitted: String,
    /// Ids that have come since something was given out, or that reach into what is held back.
    waiting: usize,
}

impl<T: Borrow<Tokenizer>> StreamDecoder<T> {
    /// A decoder that is given one id at a time.
    pub fn new(tokenizer: T, skip_special_tokens: bool) -> Self {
        let (window, emitted) = (Vec::new(), String::new());
        StreamDecoder { tokenizer, skip_special_tokens, window, settled: 0, emitted, waiting: 0 }
    }

    /// A decoder of what follows `prompt`, whose own text it does not give.
    ///
    /// A tokenizer's rules for a text's beginning are for the prompt's: SentencePiece's first space stays in an answer, as in what the model was trained
    /// on, in [`Tokenizer::token_bytes`] and in vLLM, also where a chat template's special tokens stand between. transformers' pipelines drop it.
    /// Behind a prompt of nothing but skipped special tokens a text begins.
    ///
    /// # Errors
    /// The tokenizer cannot decode the prompt's end.
    pub fn behind(tokenizer: T, skip_special_tokens: bool, prompt: &[u32]) -> Result<Self> {
        let inner: &Tokenizer = tokenizer.borrow();
        let counts = |id: &&u32| !(skip_special_tokens && inner.is_special(**id));
        let (mut window, mut emitted) = (Vec::new(), String::new());
        for &id in prompt.iter().rev().filter(counts).take(PROMPT_IDS_MAX) {
            window.insert(0, id);
            emitted = inner.decode(&window, skip_special_tokens)?;
            // Within a character nothing would be as it is behind the whole prompt; one that the answer completes may be open.
            let whole = emitted.trim_end_matches(REPLACEMENT);
            if !whole.is_empty() && !whole.contains(REPLACEMENT) {
                break;
            }
        }
        let settled = window.len();
        Ok(StreamDecoder { tokenizer, skip_special_tokens, window, settled, emitted, waiting: 0 })
    }

    /// Takes the next id; returns the text that has become complete, often empty.
    pub fn push(&mut self, id: u32) -> Result<String> {
        if self.skip_special_tokens && self.tokenizer.borrow().is_special(id) {
            return Ok(String::new());
        }
        self.window.push(id);
        self.waiting += 1;
        self.emit(false)
    }

    /// The text that is still held back, at the end of generation; incomplete characters come out as U+FFFD.
    pub fn finish(mut self) -> Result<String> {
        self.emit(true)
    }

    fn emit(&mut self, last: bool) -> Result<String> {
        let all = self.tokenizer.borrow().decode(&self.window, self.skip_special_tokens)?;
        let complete = all.trim_end_matches(REPLACEMENT);
        let nothing_new = complete.len() <= self.emitted.len();
        let ready = if last || (nothing_new && self.waiting >= PENDING_MAX) { &all } else { complete };
        // What was given out is the beginning, unless bytes given up as U+FFFD turn out to begin a character after all.
        let piece = ready[common_prefix(ready, &self.emitted)..].to_owned();
        if piece.is_empty() {
            if self.waiting >= PENDING_MAX && all == self.emitted {
                self.forget_what_comes_to_nothing()?;
            }
            return Ok(piece);
        }
        if ready.len() == all.len() {
            self.window.drain(..self.settled);
            self.settled = self.window.len();
            self.emitted = self.tokenizer.borrow().decode(&self.window, self.skip_special_tokens)?;
            self.waiting = 0;
        } else {
            self.emitted = ready.to_owned();
            self.waiting = 1;
        }
        Ok(piece)
    }

    /// Ids that are no tokens come to nothing, and the cost of the next would grow with them. Bytes among them stay, as long as they are few
    /// enough to begin a character: behind bytes that were given up as U+FFFD they change nothing of the text yet.
    fn forget_what_comes_to_nothing(&mut self) -> Result<()> {
        let mut kept = self.settled;
        for at in self.settled..self.window.len() {
            let id = self.window[at];
            if !self.tokenizer.borrow().decode(&[id], self.skip_special_tokens)?.is_empty() {
                self.window[kept] = id;
                kept += 1;
            }
        }
        self.waiting = kept - self.settled;
        if self.waiting >= PENDING_MAX {
            (kept, self.waiting) = (self.settled, 0);
        }
        self.window.truncate(kept);
        Ok(())
    }
}

/// Length in bytes of the longest common beginning.
fn common_prefix(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(x, y)| x == y).map(|(x, _)| x.len_utf8()).sum()
}
