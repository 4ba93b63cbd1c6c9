//! Log-probabilities in the shapes of both kinds of completions.

use api::{ChatLogprobs, CompletionLogprobs, TokenLogprob, TopLogprob};
use data::Tokenizer;

use crate::answer_text::Placed;

/// What stands for a logarithm of zero: JSON has no infinity, and OpenAI writes so.
const LEAST: f32 = -9999.0;

fn finite(logprob: f32) -> f32 {
    if logprob.is_finite() { logprob } else { LEAST }
}

fn token(tokenizer: &Tokenizer, id: u32) -> (String, Option<Vec<u8>>) {
    // A decoder that looks at a token's neighbours gives it no bytes of its own.
    let bytes = tokenizer.token_bytes(id).ok().flatten();
    (bytes.as_deref().map_or_else(String::new, |bytes| String::from_utf8_lossy(bytes).into_owned()), bytes)
}

/// Those of a chat completion.
pub(crate) fn chat(tokenizer: &Tokenizer, tokens: Vec<Placed>) -> ChatLogprobs {
    let top = |(id, logprob)| {
        let (token, bytes) = token(tokenizer, id);
        TopLogprob { token, logprob: finite(logprob), bytes }
    };
    let one = |placed: Placed| {
        let (token, bytes) = token(tokenizer, placed.chosen.token);
        let top_logprobs = placed.chosen.likeliest.into_iter().map(top).collect();
        TokenLogprob { token, logprob: finite(placed.chosen.logprob), bytes, top_logprobs }
    };
    ChatLogprobs { content: tokens.into_iter().map(one).collect(), refusal: None }
}

/// Those of a completion whose text begins with `echoed` characters of its prompt.
pub(crate) fn completion(tokenizer: &Tokenizer, tokens: Vec<Placed>, echoed: usize) -> CompletionLogprobs {
    let mut logprobs = CompletionLogprobs::default();
    for placed in tokens {
        logprobs.text_offset.push(echoed + placed.offset);
        logprobs.token_logprobs.push(finite(placed.chosen.logprob));
        logprobs.tokens.push(token(tokenizer, placed.chosen.token).0);
        // Two tokens that are parts of characters may have the same text; the likelier stays.
        let mut top = std::collections::BTreeMap::new();
        // The chosen one is among them, though it may be none of the likeliest.
        for (id, logprob) in placed.chosen.likeliest.into_iter().chain([(placed.chosen.token, placed.chosen.logprob)]) {
            top.entry(token(tokenizer, id).0).or_insert(finite(logprob));
        }
        logprobs.top_logprobs.push(top);
    }
    logprobs
}
