//! Text while it is being generated.

use crate::Tokenizer;
use crate::error::Result;

/// A character takes at most four bytes, so with byte-level tokens no more than four can be waiting for it.
const PENDING_MAX: usize = 4;

/// Turns ids into text one at a time, holding back bytes that do not make a character yet.
///
/// Ids are decoded together with those before them, because a token's text depends on its neighbours (SentencePiece
/// drops the first space). The window moves on with each piece, so that the cost of a token does not grow.
#[derive(Debug)]
pub struct StreamDecoder<'t> {
    tokenizer: &'t Tokenizer,
    skip_special_tokens: bool,
    /// The ids of the last piece that was emitted, then those that are waiting.
    window: Vec<u32>,
    emitted: usize,
}

impl<'t> StreamDecoder<'t> {
    pub(crate) fn new(tokenizer: &'t Tokenizer, skip_special_tokens: bool) -> Self {
        StreamDecoder { tokenizer, skip_special_tokens, window: Vec::new(), emitted: 0 }
    }

    /// Takes the next id; returns the text that has become complete, often empty.
    pub fn push(&mut self, id: u32) -> Result<String> {
        if self.skip_special_tokens && self.tokenizer.is_special(id) {
            return Ok(String::new());
        }
        self.window.push(id);
        self.emit(self.window.len() - self.emitted >= PENDING_MAX)
    }

    /// The text that is still held back, at the end of generation; incomplete characters come out as U+FFFD.
    pub fn finish(mut self) -> Result<String> {
        self.emit(true)
    }

    fn emit(&mut self, incomplete: bool) -> Result<String> {
        let before = self.tokenizer.decode(&self.window[..self.emitted], self.skip_special_tokens)?;
        let all = self.tokenizer.decode(&self.window, self.skip_special_tokens)?;
        if all.ends_with('\u{FFFD}') && !incomplete {
            return Ok(String::new());
        }
        let piece = all.strip_prefix(&before).unwrap_or_default().to_owned();
        if !piece.is_empty() || incomplete {
            self.window.drain(..self.emitted);
            self.emitted = self.window.len();
        }
        Ok(piece)
    }
}
