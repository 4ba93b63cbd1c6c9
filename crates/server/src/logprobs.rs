//! Log-probabilities in the shapes of both kinds of completions.

use std::collections::BTreeMap;
use std::sync::Arc;

use api::{ChatLogprobs, CompletionLogprobs, PromptLogprobs, RankedLogprob, TokenLogprob, TopLogprob};
use data::{StreamDecoder, Tokenizer};
use engine::PromptLogprob;

use crate::answer_text::{Piece, Placed};
use crate::app::App;
use crate::budget::{NoRoom, Part};
use crate::error::Error;
use crate::keys::Pass;
use crate::turns::Work;

/// What stands for a logarithm of zero: JSON has no infinity, and OpenAI writes so.
const LEAST: f32 = -9999.0;

/// What to do about those that take too long.
pub(crate) const FEWER_LOGPROBS: &str = "ask for fewer log-probabilities, or for fewer answers";

/// And about texts that do.
const LESS_TEXT: &str = "ask for shorter answers, or for fewer";

/// Bytes of a log-probability as it is written, with its token: text counts as so many.
pub(crate) const LOGPROB_BYTES: usize = 64;

/// So many log-probabilities are put together and written in about a millisecond.
const FEW_MAX: usize = 1 << 10;
/// And so many in tens of milliseconds.
const SHORT_MAX: usize = 1 << 16;

/// Counts the log-probabilities of prompts of so many `tokens` together that `answers` to each tell, with as many of the likeliest tokens as each of `fields`
/// says: a small request may ask for gigabytes of them.
///
/// # Errors
/// They are more than a request may ask for.
pub(crate) fn told_of_prompts(
    app: &App,
    fields: &[(&'static str, Option<usize>)],
    tokens: usize,
    answers: usize,
) -> Result<usize, Error> {
    let most = app.limits.prompt_logprobs;
    let mut told = 0_usize;
    for (field, likeliest) in fields.iter().filter_map(|(field, likeliest)| Some((*field, (*likeliest)?))) {
        let own = tokens.saturating_mul(likeliest + 1).saturating_mul(answers);
        told = told.saturating_add(own);
        if told > most {
            let by_answers = if answers > 1 { format!(", told by {answers} answers") } else { String::new() };
            let message = format!(
                "`{field}` of {likeliest} asks for {own} log-probabilities of prompts ({tokens} tokens, {} each{by_answers}), and all of a request may be \
                 {most}: ask for fewer of the likeliest tokens, fewer answers or fewer prompts at a time",
                likeliest + 1
            );
            return Err(Error::field(field, message));
        }
    }
    Ok(told)
}

/// What the tokens of a prompt were given, for all answers to it.
pub(crate) type Scored = Arc<Vec<PromptLogprob>>;

/// The log-probabilities that a request holds: small requests may ask for gigabytes. Answers that are told as a whole are kept until all are there, and as they are
/// written until the client has them, with their texts; a stream has those of its prompts, and of each token that its client has not read for a while one more than the likeliest.
#[derive(Debug)]
pub(crate) struct Told {
    of_prompts: usize,
    /// Of which so many stand for texts of prompts.
    echoed: usize,
    of_answers: usize,
    /// Bytes of the texts of answers that are told as a whole.
    text_bytes: usize,
    /// Whether a stream would need less.
    may_stream: bool,
    /// Their part of what all requests may hold.
    place: Part,
}

impl Told {
    /// Of so many log-probabilities of prompts, and of answers to come. How long those are is not known before.
    ///
    /// # Errors
    /// There is no room for so many.
    pub(crate) fn begin(app: &App, pass: &Pass, of_prompts: usize, may_stream: bool) -> Result<Told, Error> {
        let place = app.logprobs.empty(pass.number());
        let mut told = Told { of_prompts, echoed: 0, of_answers: 0, text_bytes: 0, may_stream, place };
        told.fit()?;
        Ok(told)
    }

    /// Of those of prompts so many stand for texts that are echoed.
    pub(crate) fn with_echoed(self, echoed: usize) -> Told {
        Told { echoed, ..self }
    }

    /// Counts what is next of an answer that is told as a whole.
    ///
    /// # Errors
    /// They are more than a response may have, or there is no room for them.
    pub(crate) fn add(&mut self, app: &App, piece: &Piece) -> Result<(), Error> {
        self.of_answers += piece.tokens.iter().map(|placed| 1 + placed.chosen.likeliest.len()).sum::<usize>();
        self.text_bytes += piece.text.len();
        let most = app.limits.answer_logprobs;
        if self.of_answers <= most {
            return self.fit();
        }
        let message = format!(
            "the answers have more than the {most} log-probabilities that a response may have: set `stream` to true, or ask for fewer of the likeliest \
             tokens, shorter answers or fewer of them"
        );
        Err(Error::field("logprobs", message))
    }

    /// Makes room for all.
    fn fit(&mut self) -> Result<(), Error> {
        self.place.fit(units(self.all())).map_err(|why| Error::many_logprobs(why, self.may_stream))
    }

    /// Makes room for so many that a stream's client has not read beside those of its prompts, and gives back what more of them had. Few count as nothing there, too:
    /// a client that reads needs no room.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn fit_unread(&mut self, unread: usize) -> Result<(), NoRoom> {
        self.place.fit_share(units(self.of_prompts) + units(unread))
    }

    /// Gives back what those had that a stream's client has not read.
    pub(crate) fn leave_unread(&mut self) {
        self.place.shrink(units(self.of_prompts));
    }

    /// How many, with what texts count as.
    pub(crate) fn all(&self) -> usize {
        self.of_prompts + self.of_answers + self.text_bytes / LOGPROB_BYTES
    }

    /// What to do if they take too long: about what there is more of.
    pub(crate) fn advice(&self) -> &'static str {
        let texts = self.echoed + self.text_bytes / LOGPROB_BYTES;
        if texts > self.all() - texts { LESS_TEXT } else { FEWER_LOGPROBS }
    }

    /// Their part of what all requests may hold.
    pub(crate) fn into_place(self) -> Part {
        self.place
    }
}

/// What so many count as: few are as good as nothing, beside what a request takes.
pub(crate) fn units(logprobs: usize) -> usize {
    if are_few(logprobs) { 0 } else { logprobs.div_ceil(FEW_MAX) }
}

/// Whether so many are put together in no time.
pub(crate) fn are_few(told: usize) -> bool {
    told <= FEW_MAX
}

/// How long it takes to put so many together.
pub(crate) fn work(told: usize) -> Work {
    if told <= SHORT_MAX { Work::Short } else { Work::Long }
}

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

/// The likeliest tokens in a place by their texts, with the one that stands there. Two tokens that are parts of characters may have the same text; the
/// likelier stays.
fn by_text(tokenizer: &Tokenizer, likeliest: &[(u32, f32)], there: (u32, f32)) -> BTreeMap<String, f32> {
    let mut top = BTreeMap::new();
    // The one that is there is told, though it may be none of the likeliest.
    for (id, logprob) in likeliest.iter().chain([&there]) {
        top.entry(token(tokenizer, *id).0).or_insert(finite(*logprob));
    }
    top
}

/// Puts those of an answer's tokens, whose text begins with `echoed` characters of its prompt, behind what is there.
pub(crate) fn add_answer(logprobs: &mut CompletionLogprobs, tokenizer: &Tokenizer, tokens: Vec<Placed>, echoed: usize) {
    for Placed { chosen, offset } in tokens {
        logprobs.text_offset.push(echoed + offset);
        logprobs.token_logprobs.push(Some(finite(chosen.logprob)));
        logprobs.tokens.push(token(tokenizer, chosen.token).0);
        let top = by_text(tokenizer, &chosen.likeliest, (chosen.token, chosen.logprob));
        logprobs.top_logprobs.push(Some(top));
    }
}

/// A prompt whose tokens' log-probabilities are known.
#[derive(Clone, Copy)]
pub(crate) struct ScoredPrompt<'a> {
    pub(crate) tokens: &'a [u32],
    /// From the second token on.
    pub(crate) scored: &'a [PromptLogprob],
    /// How many of the likeliest tokens are told.
    pub(crate) likeliest: usize,
}

impl ScoredPrompt<'_> {
    /// Each token with what it was given: the first nothing.
    fn places(&self) -> impl Iterator<Item = (u32, Option<&PromptLogprob>)> {
        self.tokens.iter().copied().zip(std::iter::once(None).chain(self.scored.iter().map(Some)))
    }

    /// The likeliest tokens that are told in a place.
    fn likeliest<'p>(&self, place: &'p PromptLogprob) -> &'p [(u32, f32)] {
        &place.likeliest[..place.likeliest.len().min(self.likeliest)]
    }

    /// Those of a completion that begins with it, as a text of `echoed` characters.
    pub(crate) fn echoed(
        &self,
        tokenizer: &Arc<Tokenizer>,
        skip_special_tokens: bool,
        echoed: usize,
    ) -> Result<CompletionLogprobs, Error> {
        let mut logprobs = CompletionLogprobs::default();
        let mut decoder = StreamDecoder::new(Arc::clone(tokenizer), skip_special_tokens);
        let mut decoded = 0;
        for (id, given) in self.places() {
            // A text that was given need not be what its tokens say to the letter.
            logprobs.text_offset.push(decoded.min(echoed));
            decoded += decoder.push(id)?.chars().count();
            logprobs.tokens.push(token(tokenizer, id).0);
            logprobs.token_logprobs.push(given.map(|one| finite(one.logprob)));
            let top = given.map(|one| by_text(tokenizer, self.likeliest(one), (id, one.logprob)));
            logprobs.top_logprobs.push(top);
        }
        Ok(logprobs)
    }

    /// As vLLM has them.
    pub(crate) fn ranked(&self, tokenizer: &Tokenizer) -> PromptLogprobs {
        let place = |id: u32, one: &PromptLogprob| {
            let ranked = |(id, logprob, rank): (u32, f32, u32)| {
                let decoded_token = token(tokenizer, id).0;
                (id.to_string(), RankedLogprob { logprob: finite(logprob), rank, decoded_token })
            };
            let likeliest = self.likeliest(one).iter().zip(1..).map(|((id, logprob), rank)| (*id, *logprob, rank));
            likeliest.chain([(id, one.logprob, one.rank)]).map(ranked).collect()
        };
        self.places().map(|(id, given)| given.map(|one| place(id, one))).collect()
    }
}
