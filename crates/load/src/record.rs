//! What became of a request.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

/// What became of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its number, from 0.
    pub number: u64,
    /// The number of the model that it asked for.
    pub model: usize,
    /// The number of the key that it was asked with.
    pub key: usize,
    /// Whether its reader was a slow one.
    pub is_slow: bool,
    /// When it should have been sent, since the begin.
    pub due: Duration,
    /// How much later it was.
    pub late: Duration,
    /// When each piece of the answer came, since `due`, in microseconds, up to the 71.6 minutes that these have room for.
    pub pieces_us: Vec<u32>,
    /// When the answer or the error was complete, since `due`.
    pub end: Duration,
    /// Tokens of the prompt as the server counts them.
    pub prompt_tokens: Option<u64>,
    /// Tokens that it should have, where it was made.
    pub wanted_prompt_tokens: Option<u64>,
    /// Those of the prompt's tokens that the server had computed before, where it tells.
    pub cached_tokens: Option<u64>,
    /// Tokens of the answer as the server counts them.
    pub answer_tokens: Option<u64>,
    /// Tokens that were asked for.
    pub wanted_tokens: u64,
    /// How it ended.
    pub outcome: Outcome,
}

/// How a request ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With a complete answer.
    Done,
    /// Not so.
    Failed {
        /// The kind of failure, by which failures are counted: a status, or a few words.
        kind: String,
        /// What was said of this one.
        message: String,
    },
}

/// A time since a request as [`Record::pieces_us`] has it.
pub(crate) fn microseconds(time: Duration) -> u32 {
    u32::try_from(time.as_micros()).unwrap_or(u32::MAX)
}

impl Record {
    /// Whether the answer is complete.
    pub fn is_done(&self) -> bool {
        self.outcome == Outcome::Done
    }

    /// Milliseconds to the first piece.
    pub fn ttft_ms(&self) -> Option<f64> {
        self.pieces_us.first().map(|first| f64::from(*first) / 1e3)
    }

    /// Milliseconds to the end.
    pub fn e2e_ms(&self) -> f64 {
        self.end.as_secs_f64() * 1e3
    }

    /// Tokens of the answer; pieces where the server does not count.
    pub fn tokens(&self) -> u64 {
        self.answer_tokens.unwrap_or(self.pieces_us.len() as u64)
    }

    /// Milliseconds a token behind the first up to the end, as not every token has a text of its own, of an answer of two tokens at least.
    pub fn tpot_ms(&self) -> Option<f64> {
        let tokens = self.tokens().checked_sub(1).filter(|tokens| *tokens > 0)?;
        Some((self.e2e_ms() - self.ttft_ms()?) / tokens as f64)
    }

    /// Microseconds between pieces.
    pub fn gaps_us(&self) -> impl Iterator<Item = u32> {
        self.pieces_us.windows(2).map(|pair| pair[1] - pair[0])
    }

    /// As a line of a file: times in milliseconds.
    pub fn to_json(&self, models: &[String]) -> Value {
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let mut line = BTreeMap::from([
            ("request", json!(self.number)),
            ("model", json!(models.get(self.model))),
            ("key", json!(self.key)),
            ("slow_reader", json!(self.is_slow)),
            ("due_ms", json!(ms(self.due))),
            ("late_ms", json!(ms(self.late))),
            ("pieces_ms", self.pieces_us.iter().map(|us| f64::from(*us) / 1e3).collect()),
            ("end_ms", json!(self.e2e_ms())),
            ("prompt_tokens", json!(self.prompt_tokens)),
            ("wanted_prompt_tokens", json!(self.wanted_prompt_tokens)),
            ("cached_tokens", json!(self.cached_tokens)),
            ("output_tokens", json!(self.answer_tokens)),
            ("wanted_tokens", json!(self.wanted_tokens)),
        ]);
        if let Outcome::Failed { kind, message } = &self.outcome {
            line.insert("error", json!({"kind": kind, "message": message}));
        }
        json!(line)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A request that was answered with pieces at these milliseconds.
    pub(crate) fn done(number: u64, pieces_ms: &[u32], end_ms: u64) -> Record {
        Record {
            number,
            model: 0,
            key: 0,
            is_slow: false,
            due: Duration::from_millis(10 * number),
            late: Duration::ZERO,
            pieces_us: pieces_ms.iter().map(|ms| ms * 1000).collect(),
            end: Duration::from_millis(end_ms),
            prompt_tokens: Some(7),
            wanted_prompt_tokens: Some(5),
            cached_tokens: Some(2),
            answer_tokens: Some(pieces_ms.len() as u64),
            wanted_tokens: pieces_ms.len() as u64,
            outcome: Outcome::Done,
        }
    }

    #[test]
    fn times_follow_from_pieces() {
        let record = done(3, &[20, 30, 60], 65);
        assert_eq!((record.ttft_ms(), record.tpot_ms(), record.e2e_ms()), (Some(20.0), Some(22.5), 65.0));
        assert_eq!(record.gaps_us().collect::<Vec<_>>(), [10_000, 30_000]);
        // A piece may have several tokens.
        assert_eq!(Record { answer_tokens: Some(10), ..record.clone() }.tpot_ms(), Some(5.0));
        // Nor has each token a piece.
        assert_eq!(Record { answer_tokens: Some(10), ..done(3, &[20], 65) }.tpot_ms(), Some(5.0));
        assert_eq!(Record { answer_tokens: None, ..record.clone() }.tpot_ms(), Some(22.5));
        assert_eq!(Record { answer_tokens: Some(0), ..record }.tpot_ms(), None);
        let one = done(0, &[20], 21);
        assert_eq!((one.ttft_ms(), one.tpot_ms()), (Some(20.0), None));
        assert_eq!((done(0, &[], 5).ttft_ms(), done(0, &[], 5).tpot_ms()), (None, None));
        assert_eq!(microseconds(Duration::from_secs(90_000)), u32::MAX);
    }

    #[test]
    fn a_line_says_all_of_it() {
        let failed = Outcome::Failed { kind: "429".to_owned(), message: "too many".to_owned() };
        let line = Record { outcome: failed, ..done(2, &[4], 5) }.to_json(&["base".to_owned()]);
        let expected = json!({"request": 2, "model": "base", "key": 0, "slow_reader": false, "due_ms": 20.0, "late_ms": 0.0, "pieces_ms": [4.0],
            "end_ms": 5.0, "prompt_tokens": 7, "wanted_prompt_tokens": 5, "cached_tokens": 2, "output_tokens": 1, "wanted_tokens": 1, "error": {"kind": "429", "message": "too many"}});
        assert_eq!(line, expected);
    }
}
