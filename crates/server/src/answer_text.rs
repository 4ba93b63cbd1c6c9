//! The text of an answer from its tokens.

use std::ops::ControlFlow;
use std::sync::Arc;

use data::{StreamDecoder, Tokenizer};
use engine::{Chosen, StopStrings};

use crate::error::Error;

/// Tokens that may wait for a text, beside those that a stop string may begin with; and how many are given out without one then.
const WAITING_MAX: usize = 32;

/// A token with where its text begins.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Placed {
    pub(crate) chosen: Chosen,
    /// In characters of the answer's text.
    pub(crate) offset: usize,
}

/// What is certain of an answer's text after a token, with the tokens that have come since something was certain; or with the first of many that have no text.
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
    /// Tokens in whose text no stop string ends.
    min_tokens: usize,
    /// Tokens so far.
    count: usize,
    /// Characters that the decoder has given, held back ones included.
    decoded_chars: usize,
    /// Characters that were given out.
    given_chars: usize,
    /// Tokens that were not given out; none are kept unless `keeps_tokens`.
    waiting: Vec<Placed>,
    /// How many may wait. Of a stop string each has a byte at least, and others that make no character are few: of more some have no text, such as special tokens
    /// that are left out, and there may be no end of them.
    waiting_max: usize,
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
            waiting_max: WAITING_MAX + ask.stops.iter().map(String::len).max().unwrap_or(0),
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
            let certain = self.stops.pass(&text);
            return Ok(ControlFlow::Continue(self.give(certain)));
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
        self.given_chars += text.chars().count();
        // Log-probabilities go with the text of their tokens.
        let is_given = |placed: &Placed| !text.is_empty() && placed.offset < self.given_chars;
        let count = self.waiting.iter().take_while(|placed| is_given(placed)).count();
        let count = if self.waiting.len() > self.waiting_max { count.max(WAITING_MAX) } else { count };
        Piece { text, tokens: self.waiting.drain(..count).collect() }
    }

    fn give_last(&mut self, text: String) -> Piece {
        let end = self.given_chars + text.chars().count();
        let tokens = std::mem::take(&mut self.waiting).into_iter().filter(|placed| placed.offset < end).collect();
        self.given_chars = end;
        Piece { text, tokens }
    }
}

#[cfg(test)]
mod tests {
    use api::{CompletionRequest, Request as _};

    use super::*;
    use crate::app::tests::app;
    use crate::completion;

    /// What is certain after each of these tokens.
    fn pieces(settings: &serde_json::Value, tokens: &[u32]) -> Vec<Piece> {
        let (app, _inbox) = app(4);
        let mut body = settings.clone();
        (body["model"], body["prompt"], body["logprobs"]) = ("small".into(), "a".into(), 0.into());
        let request = CompletionRequest::read(body.to_string().as_bytes()).unwrap();
        let ask = completion::prepare(&app, request).unwrap().ask;
        let mut text = AnswerText::new(Arc::clone(&app.tokenizer), &[70], &ask).unwrap();
        let push = |token: &u32| match text.push(Chosen { token: *token, logprob: 0.0, likeliest: Vec::new() }) {
            Ok(ControlFlow::Continue(piece)) => piece,
            other => panic!("{other:?}"),
        };
        let mut pieces: Vec<_> = tokens.iter().map(push).collect();
        pieces.push(text.finish().unwrap());
        pieces
    }

    /// Nobody else counts those that wait, and there may be as many as an answer has.
    #[test]
    fn few_tokens_wait_for_a_text_however_many_have_none() {
        let (app, _inbox) = app(4);
        let (skipped, letter) = (app.end_ids[0], 70);
        let said = app.tokenizer.decode(&[letter], true).unwrap();
        let tokens = [vec![letter], vec![skipped; 200], vec![letter], vec![skipped; 200]].concat();
        // Of the last a stop string may begin, as of each before it.
        let stop = said.repeat(10) + "!";
        for (settings, most) in [
            (serde_json::json!({}), WAITING_MAX),
            (serde_json::json!({ "stop": stop }), WAITING_MAX + stop.len()),
            (serde_json::json!({"stop": stop, "min_tokens": 10, "max_tokens": 500}), WAITING_MAX + stop.len()),
        ] {
            let pieces = pieces(&settings, &tokens);
            let mut given = 0;
            for (at, piece) in pieces.iter().enumerate() {
                given += piece.tokens.len();
                assert!((at + 1).min(tokens.len()) - given <= most, "{given} are given behind {at}: {settings}");
            }
            assert_eq!(given, tokens.len(), "all are told: {settings}");
            let text: String = pieces.iter().map(|piece| piece.text.as_str()).collect();
            assert_eq!(text, said.repeat(2), "{settings}");
        }
        // As many as there usually are come with the text behind them.
        let tokens = [vec![skipped; WAITING_MAX], vec![letter]].concat();
        let given: Vec<_> = pieces(&serde_json::json!({}), &tokens).iter().map(|piece| piece.tokens.len()).collect();
        assert_eq!((given[..WAITING_MAX].iter().sum::<usize>(), given[WAITING_MAX]), (0, tokens.len()));
    }
}
