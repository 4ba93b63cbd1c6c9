//! An answer under way, as the host sees it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Instant;

use constrain::Constraint;

use super::adjust::{Repeated, TokenSet};
use super::{Choice, NgramIndex, Places, Row};
use crate::sampling::uniform;
use crate::service::{Chosen, Counted, Event, Events, Failure, PromptLogprob, Request};
use crate::{FinishReason, Sampling, SamplingOptions};

/// What takes a logit out of every choice, and is finite.
const NEVER: f32 = f32::MIN;

/// A request, and what has become of it.
pub(crate) struct Live {
    /// The number by which it is cancelled.
    pub(crate) request: u64,
    pub(crate) prompt: Arc<[u32]>,
    /// Tokens of the answer so far. Which they are the scheduler knows.
    answered: usize,
    pub(crate) max_tokens: usize,
    min_tokens: usize,
    pub(crate) priority: i32,
    pub(crate) key: u64,
    pub(crate) cache_salt: Option<String>,
    sampling: Sampling,
    logit_bias: Vec<(u32, f32)>,
    end_ids: Vec<u32>,
    logprobs: Option<usize>,
    scored: Option<Scored>,
    constraint: Option<Constraint>,
    /// The different tokens, those of the prompt too, where what was said has a penalty. `None` before the first is chosen: a prompt may have a hundred thousand, and
    /// hundreds of answers may come at once.
    said: Option<Arc<TokenSet>>,
    /// What penalties of the answer's tokens come to, where there are such.
    penalized: Penalized,
    events: Events,
    counted: Counted,
    pub(crate) has_started: bool,
    /// Whether a smaller model may propose tokens for it, if there is one.
    pub(crate) has_draft: bool,
    /// Where its tokens stood, if what followed them is proposed.
    pub(crate) ngrams: NgramIndex,
    /// Whether it is not known yet that there is its adapter, so that it is in no count of that.
    pub(crate) is_seeking: bool,
    /// The generation of its adapter, and what that has of the pool once it is there.
    pub(crate) adapter: Option<u64>,
    pub(crate) adapter_name: String,
    pub(crate) places: Option<Arc<Places>>,
}

/// An answer's tokens in the order in which they first came, with what their penalties come to. It goes on from token to token: there may be thousands in each of
/// hundreds of answers, which all that are computed beside them wait for.
#[derive(Default)]
struct Penalized {
    /// Where each token stands.
    places: HashMap<u32, usize>,
    times: Vec<u32>,
    /// Each with a divisor and what is added.
    changes: Vec<(u32, f32, f32)>,
}

/// What is known of a prompt that is scored.
struct Scored {
    /// How many of the likeliest tokens are wanted.
    likeliest: usize,
    /// From the second token on.
    known: Vec<PromptLogprob>,
}

impl Penalized {
    /// How often the answer has a token.
    fn times(&self, token: u32) -> u32 {
        self.places.get(&token).map_or(0, |place| self.times[*place])
    }

    /// The answer's next token.
    fn add(&mut self, token: u32, options: &SamplingOptions) {
        let place = *self.places.entry(token).or_insert(self.times.len());
        if place == self.times.len() {
            self.times.push(0);
            self.changes.push((token, 1.0, 0.0));
        }
        self.times[place] += 1;
        self.changes[place].2 = penalty(options, self.times[place]) as f32;
    }
}

/// What is added to the logit of a token that an answer has so often.
fn penalty(options: &SamplingOptions, times: u32) -> f64 {
    let present = if times > 0 { options.presence_penalty } else { 0.0 };
    -f64::from(times) * options.frequency_penalty - present
}

impl Live {
    pub(crate) fn new(number: u64, request: Request, events: Events, counted: Counted) -> Live {
        let Request { prompt, sampling, logit_bias, max_tokens, min_tokens, end_ids, logprobs, .. } = request;
        Live {
            request: number,
            prompt,
            answered: 0,
            max_tokens,
            min_tokens,
            priority: request.priority,
            key: request.key,
            cache_salt: request.cache_salt,
            sampling,
            logit_bias,
            end_ids,
            logprobs,
            scored: request.prompt_logprobs.map(|likeliest| Scored { likeliest, known: Vec::new() }),
            constraint: request.constraint,
            said: None,
            penalized: Penalized::default(),
            events,
            counted,
            has_started: false,
            has_draft: true,
            ngrams: NgramIndex::default(),
            is_seeking: false,
            adapter: None,
            adapter_name: request.adapter.unwrap_or_default(),
            places: None,
        }
    }

    /// The tokens that are to be computed before the first one is chosen: where none is, the last is only scored.
    pub(crate) fn computed(&self) -> Arc<[u32]> {
        match self.max_tokens {
            0 => self.prompt[..self.prompt.len() - 1].into(),
            _ => Arc::clone(&self.prompt),
        }
    }

    /// How many tokens there are, those of the prompt and of the answer.
    pub(crate) fn length(&self) -> usize {
        self.prompt.len() + self.answered
    }

    /// Whether there is nothing to compute for it.
    pub(crate) fn is_empty(&self) -> bool {
        self.max_tokens == 0 && !(self.is_scored() && self.prompt.len() > 1)
    }

    /// It waits for an adapter of which it is not known yet that there is one.
    pub(crate) fn seek(&mut self, adapter: u64) {
        (self.adapter, self.is_seeking) = (Some(adapter), true);
    }

    /// Its adapter was found.
    pub(crate) fn find(&mut self) {
        self.is_seeking = false;
        self.counted.wait_with(&self.adapter_name);
    }

    /// Whether the prompt is to be scored.
    pub(crate) fn is_scored(&self) -> bool {
        self.scored.is_some()
    }

    /// Where a chunk that begins at `start` is to be scored, how many of the likeliest tokens are to be told: not what is computed again.
    pub(crate) fn scores_wanted(&self, start: usize) -> Option<usize> {
        let scored = self.scored.as_ref()?;
        (start.max(scored.known.len()) + 1 < self.prompt.len()).then_some(scored.likeliest)
    }

    /// Takes what is told behind the tokens from `start` on. All of the prompt is told at once. Gives whether that was all that was asked for, or behind how many
    /// tokens the model gives no number.
    pub(crate) fn take_scores(&mut self, start: usize, behind: Vec<PromptLogprob>) -> Result<bool, usize> {
        let Some(scored) = &mut self.scored else { return Ok(false) };
        let wanted = self.prompt.len() - 1;
        let Some(again) = scored.known.len().checked_sub(start).filter(|_| scored.known.len() < wanted) else {
            return Ok(false);
        };
        let new = behind.into_iter().skip(again).take(wanted - scored.known.len());
        // A program tells as many as the row does that asks for most.
        let own = |mut one: PromptLogprob| {
            one.likeliest.truncate(scored.likeliest);
            one
        };
        let new: Vec<_> = new.map(own).collect();
        // A probability of 0 is one, whose logarithm is no finite number. What is no number at all has no place among others.
        let is_nan =
            |one: &PromptLogprob| one.logprob.is_nan() || one.likeliest.iter().any(|(_, other)| other.is_nan());
        if let Some(at) = new.iter().position(is_nan) {
            return Err(scored.known.len() + at + 1);
        }
        scored.known.extend(new);
        if scored.known.len() < wanted {
            return Ok(false);
        }
        let known = scored.known.clone();
        self.send(Event::Scored(known));
        Ok(self.max_tokens == 0)
    }

    /// Tokens that may still be chosen.
    pub(crate) fn left(&self) -> usize {
        self.max_tokens.saturating_sub(self.answered)
    }

    /// Whether nobody reads what becomes of it.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.events.is_closed()
    }

    /// Whether tokens may be proposed for it: what a constraint allows behind them is not known before they are.
    pub(crate) fn takes_proposals(&self) -> bool {
        !self.is_constrained()
    }

    /// Whether its answer is held to a form.
    pub(crate) fn is_constrained(&self) -> bool {
        self.constraint.is_some()
    }

    /// What its answer is held to.
    pub(crate) fn constraint(&mut self) -> Option<&mut Constraint> {
        self.constraint.as_mut()
    }

    /// What its next token is to be chosen by if `proposed` stands before it, behind all tokens that are known.
    pub(crate) fn choice(&mut self, slot: Option<u32>, proposed: &[u32]) -> Result<Choice, Failure> {
        let repeated = self.repeated();
        let options = self.sampling.options();
        let mask = match &mut self.constraint {
            Some(constraint) => {
                let mask = constraint.mask().map_err(|error| Failure::Constraint(error.to_string()))?.to_vec();
                if constraint.is_by_letters() {
                    self.counted.spell();
                }
                mask
            }
            None => Vec::new(),
        };
        Ok(Choice {
            slot,
            temperature: options.temperature as f32,
            top_k: options.top_k,
            top_p: options.top_p as f32,
            min_p: options.min_p as f32,
            uniform: if options.temperature > 0.0 { self.uniform(proposed.len()) } else { 0.0 },
            repeated,
            adjusted: self.adjusted(proposed),
            mask,
            logprobs: self.logprobs,
        })
    }

    /// Where it draws its next token behind so many that are proposed.
    fn uniform(&self, proposed: usize) -> f32 {
        let uniform = uniform(self.sampling.options().seed, (self.length() + proposed) as u64);
        // Rounded down: 1 would be behind the last token.
        (uniform * f64::from(1 << 24)).floor() as f32 / (1 << 24) as f32
    }

    /// What divides the logits of all that it has said so far.
    fn repeated(&mut self) -> Option<Repeated> {
        let penalty = self.sampling.options().repetition_penalty as f32;
        self.said().map(|said| Repeated { said: Arc::clone(said), penalty })
    }

    /// The different tokens so far, where a penalty divides their logits.
    fn said(&mut self) -> Option<&mut Arc<TokenSet>> {
        let is_divided = self.sampling.options().repetition_penalty != 1.0;
        is_divided.then(|| self.said.get_or_insert_with(|| Arc::new(TokenSet::of(&self.prompt))))
    }

    /// The tokens whose logits change beside that, each with a divisor and what is added.
    fn adjusted(&self, proposed: &[u32]) -> Vec<(u32, f32, f32)> {
        let (options, penalized) = (self.sampling.options(), &self.penalized);
        // Those that change for something else than what has been said.
        let mut few: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
        for token in proposed.iter().filter(|_| self.sampling.has_penalties()) {
            let is_said = self.said.as_ref().is_some_and(|said| said.contains(*token));
            let divisor = if is_said { 1.0 } else { options.repetition_penalty };
            let again = proposed.iter().filter(|other| *other == token).count() as u32;
            few.insert(*token, (divisor, penalty(options, penalized.times(*token) + again)));
        }
        let said = |token: &u32| (1.0, penalty(options, penalized.times(*token)));
        for (token, bias) in &self.logit_bias {
            few.entry(*token).or_insert_with(|| said(token)).1 += f64::from(*bias);
        }
        if self.answered + proposed.len() < self.min_tokens {
            for token in &self.end_ids {
                few.entry(*token).or_insert_with(|| said(token)).1 = f64::from(NEVER);
            }
        }
        let mut all = penalized.changes.clone();
        for (token, (divisor, added)) in few {
            let change = (token, divisor as f32, added as f32);
            match penalized.places.get(&token) {
                Some(place) => all[*place] = change,
                None => all.push(change),
            }
        }
        all
    }

    /// Its pages are another's until it is computed again.
    pub(crate) fn preempt(&mut self) {
        self.counted.preempt();
    }

    /// It is computed again.
    pub(crate) fn go_on(&mut self) {
        self.counted.run();
    }

    /// Its first tokens are computed.
    pub(crate) fn start(&mut self, cached_tokens: usize) {
        self.has_started = true;
        self.counted.run();
        self.send(Event::Started { cached_tokens });
        if self.is_scored() && self.prompt.len() == 1 {
            // Nothing stands before its token.
            self.send(Event::Scored(Vec::new()));
        }
    }

    /// A token that was chosen for it, with as many of the likeliest as it asks for: a program tells as many as the row does that asks for most.
    pub(crate) fn chosen(&self, token: u32, row: &Row) -> Chosen {
        let likeliest = row.likeliest.iter().take(self.logprobs.unwrap_or_default());
        Chosen { token, logprob: row.logprob, likeliest: likeliest.copied().collect() }
    }

    /// Takes the next token; `Some` where it ends the answer.
    pub(crate) fn push(&mut self, chosen: Chosen) -> Option<Event> {
        let token = chosen.token;
        if self.end_ids.contains(&token) {
            // One that the request has named may stand within the form, which is cut there: who sees `Stop` may rely on the form.
            let is_whole = self.constraint.as_ref().is_none_or(Constraint::may_end);
            return Some(Event::Finished(if is_whole { FinishReason::Stop } else { FinishReason::Length }));
        }
        if let Some(constraint) = &mut self.constraint
            && let Err(error) = constraint.accept(token)
        {
            return Some(Event::Failed(Failure::Constraint(error.to_string())));
        }
        self.answered += 1;
        if let Some(said) = self.said() {
            Arc::make_mut(said).insert(token);
        }
        if self.sampling.counts_tokens() {
            self.penalized.add(token, self.sampling.options());
        }
        self.send(Event::Token(chosen));
        if self.constraint.as_ref().is_some_and(Constraint::is_complete) {
            return Some(Event::Finished(FinishReason::Stop));
        }
        (self.left() == 0).then_some(Event::Finished(FinishReason::Length))
    }

    /// Nothing more becomes of it, save the event. Who sees that finds it in no count any more.
    pub(crate) fn leave(self, event: Option<Event>) {
        let Live { events, counted, .. } = self;
        drop(counted);
        if let Some(event) = event {
            let _ = events.try_send((Instant::now(), event));
        }
    }

    /// The channel has room for all that may come; who reads no more needs no news.
    pub(crate) fn send(&self, event: Event) {
        let _ = self.events.try_send((Instant::now(), event));
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use constrain::{Grammar, Vocabulary};
    use tokio::sync::mpsc;

    use super::*;
    use crate::Counters;

    /// How an answer that says `text` token by token ends at a token of that text, which ends it too.
    fn end(form: Option<Grammar>, text: &str, stop: &str) -> Option<Event> {
        let folder = tempfile::tempdir().unwrap();
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/tests/fixtures/chat/tokenizer.json");
        std::fs::copy(fixture, folder.path().join("tokenizer.json")).unwrap();
        let tokenizer = data::Tokenizer::from_dir(folder.path()).unwrap();
        let eos = tokenizer.token_to_id("</s>").unwrap();
        let vocabulary = Vocabulary::new(&tokenizer, tokenizer.vocab_size(), &[eos]).unwrap();
        let constraint = form.map(|form| Constraint::new(&vocabulary, &form).unwrap());
        let (sender, _events) = mpsc::channel(100);
        let request = Request {
            prompt: [1].into(),
            adapter: None,
            sampling: Sampling::GREEDY,
            logit_bias: Vec::new(),
            max_tokens: 50,
            min_tokens: 0,
            end_ids: tokenizer.encode(stop, false).unwrap(),
            logprobs: None,
            prompt_logprobs: None,
            constraint,
            priority: 0,
            key: 0,
            cache_salt: None,
        };
        let counted = Counted::waiting(&Arc::new(Counters::new(Instant::now())));
        let mut live = Live::new(0, request, sender, counted);
        let tokens = tokenizer.encode(text, false).unwrap();
        tokens.into_iter().find_map(|token| live.push(Chosen { token, logprob: 0.0, likeliest: Vec::new() }))
    }

    #[test]
    fn a_stop_token_within_a_form_cuts_it() {
        let digits = |pattern: &str| Some(Grammar::Regex(pattern.to_owned()));
        let [stop, length] = [FinishReason::Stop, FinishReason::Length].map(|reason| Some(Event::Finished(reason)));
        assert_eq!(end(None, "12x", "x"), stop);
        assert_eq!(end(digits("[0-9]{2}x[0-9]"), "12x3", "x"), length, "a digit is missing");
        assert_eq!(end(digits("[0-9]{2}(x[0-9])?"), "12x3", "x"), stop, "what is there is of the form");
        assert_eq!(end(digits("[0-9]{2}x[0-9]"), "12x3", "y"), stop, "it ends where the form does");
    }
}
