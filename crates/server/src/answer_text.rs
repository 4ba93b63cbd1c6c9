//! The text of an answer from its tokens.

use std::ops::ControlFlow;
use std::sync::Arc;

use data::{StreamDecoder, Tokenizer};
use engine::{Chosen, StopStrings};

use crate::error::Error;

/// A token with where its text begins.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Placed {
    pub(crate) chosen: Chosen,
    /// In characters of the answer's text.
    pub(crate) offset: usize,
}

/// What is certain of an answer's text after a token, with the tokens that have come since something was certain.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) tokens: Vec<Placed>,
}

/// The text of an answer under way: bytes that make no character yet and what may begin a stop string are held back.
#[derive(Debug)]
pub(crate) struct AnswerText {
    decoder: StreamDecoder<Arc<Tokenizer>>,
    stops: StopStrings,
    /// Tokens up to which stop strings are text like any other.
    min_tokens: usize,
    /// Tokens so far.
    count: usize,
    /// Characters that the decoder has given, held back ones included.
    decoded_chars: usize,
    /// Characters that were given out.
    given_chars: usize,
    /// Tokens that were not given out; none are kept unless `keeps_tokens`.
    waiting: Vec<Placed>,
    keeps_tokens: bool,
}

impl AnswerText {
    /// That of an answer to a prompt.
    ///
    /// # Errors
    /// The tokenizer cannot decode the prompt.
    pub(crate) fn new(
        tokenizer: Arc<Tokenizer>,
        prompt: &[u32],
        ask: &crate::ask::Ask,
    ) -> Result<AnswerText, data::Error> {
        Ok(AnswerText {
            decoder: StreamDecoder::behind(tokenizer, ask.skip_special_tokens, prompt)?,
            stops: StopStrings::new(&ask.stops),
            min_tokens: ask.min_tokens,
            count: 0,
            decoded_chars: 0,
            given_chars: 0,
            waiting: Vec::new(),
            keeps_tokens: ask.logprobs.is_some(),
        })
    }

    /// Takes the next token; `Break` with the last piece where a stop string was found.
    pub(crate) fn push(&mut self, chosen: Chosen) -> Result<ControlFlow<Piece, Piece>, Error> {
        self.count += 1;
        let token = chosen.token;
        if self.keeps_tokens {
            self.waiting.push(Placed { chosen, offset: self.decoded_chars });
        }
        let text = self.decoder.push(token)?;
        self.decoded_chars += text.chars().count();
        if self.count <= self.min_tokens {
            return Ok(ControlFlow::Continue(self.give(text)));
        }
        Ok(match self.stops.push(&text) {
            ControlFlow::Continue(text) => ControlFlow::Continue(self.give(text)),
            ControlFlow::Break(text) => ControlFlow::Break(self.give_last(text)),
        })
    }

    /// What was held back, at the end.
    pub(crate) fn finish(self) -> Result<Piece, Error> {
        let AnswerText { decoder, mut stops, given_chars, waiting, .. } = self;
        let (text, found) = match stops.push(&decoder.finish()?) {
            ControlFlow::Continue(text) => (text + &stops.finish(), false),
            ControlFlow::Break(text) => (text, true),
        };
        let end = given_chars + text.chars().count();
        let tokens = waiting.into_iter().filter(|placed| !found || placed.offset < end).collect();
        Ok(Piece { text, tokens })
    }

    fn give(&mut self, text: String) -> Piece {
        // Log-probabilities go with the text of their tokens.
        if text.is_empty() {
            return Piece::default();
        }
        self.given_chars += text.chars().count();
        let is_given = |placed: &Placed| placed.offset < self.given_chars;
        let count = self.waiting.iter().take_while(|placed| is_given(placed)).count();
        Piece { text, tokens: self.waiting.drain(..count).collect() }
    }

    fn give_last(&mut self, text: String) -> Piece {
        let end = self.given_chars + text.chars().count();
        let tokens = std::mem::take(&mut self.waiting).into_iter().filter(|placed| placed.offset < end).collect();
        self.given_chars = end;
        Piece { text, tokens }
    }
}
