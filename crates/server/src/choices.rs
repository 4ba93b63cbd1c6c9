//! The answers to a request, as they come.

use std::future::poll_fn;
use std::ops::ControlFlow;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use api::Usage;
use axum::response::Response;
use constrain::Constraint;
use engine::{Event, FinishReason};
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::time::Sleep;

use crate::answer_text::{AnswerText, Piece};
use crate::app::{App, Shared, Stage, reached};
use crate::ask::Ask;
use crate::backlog::Backlog;
use crate::budget::Part;
use crate::constraint::{self, Form};
use crate::error::Error;
use crate::keys::Pass;
use crate::logprobs::{self, Scored, Told};
use crate::metrics::Metrics;
use crate::turns::{Work, in_time};

/// The end of an answer that nobody waits for, as vLLM's metrics call it.
const ABORTED: &str = "abort";
/// What to do about an answer that takes too long, and about a form that does.
const FEWER_TOKENS: &str = "ask for fewer tokens";
const SIMPLER_FORM: &str = "its form had not been compiled yet: ask for a simpler one";
/// Bytes of an answer that any form reads in a few milliseconds.
const JUDGED_AT_ONCE_BYTES: usize = 512;

/// Tokens of a prompt.
#[derive(Debug)]
struct PromptTokens {
    all: usize,
    /// Those whose state was there before the request: of several answers to a prompt the later ones find what the first has computed, so that the least
    /// counts. `None` until one has begun.
    cached: Option<usize>,
    /// What they were given, until all answers that begin with it have told it.
    scored: Option<Scored>,
}

/// What becomes of an answer.
#[derive(Debug)]
pub(crate) enum Progress {
    /// Its first tokens are computed.
    Started,
    /// What the prompt's tokens were given, from the second on.
    Scored(Scored),
    /// More text, perhaps none yet.
    Piece(Piece),
    /// The end, with the last text, and why there are no more tokens. Who tells a client why says so by [`Choices::note_finish`].
    End(Piece, &'static str),
}

/// An answer under way.
#[derive(Debug)]
struct Choice {
    prompt: usize,
    /// Whether there is something to compute for it, and not nothing behind a prompt that is not scored.
    computes: bool,
    /// Whether it begins with what its prompt's tokens were given, and has not told that yet. The engine tells it once, with the first answer to the prompt.
    awaits_prompt: bool,
    /// `None` once it has ended.
    text: Option<AnswerText>,
    tokens: usize,
    started: Option<Instant>,
    first_token: Option<Instant>,
    last_token: Option<Instant>,
    /// As the client was told.
    finish: &'static str,
    /// The whole text, where the log or `form` wants it.
    said: String,
    /// What an answer that a stop string cuts is judged by.
    form: Option<Constraint>,
}

/// The answers to a request. Dropping them cancels those that have not ended.
#[derive(Debug)]
pub(crate) struct Choices {
    app: Shared,
    pass: Pass,
    choices: Vec<Choice>,
    /// What comes for them.
    backlog: Backlog,
    prompts: Vec<PromptTokens>,
    /// The prompts' tokens where the log wants them, else none.
    asked: Vec<Arc<[u32]>>,
    /// Whether one was refused, or failed, before any had begun. Then the reply says so, in the log too.
    is_refused: bool,
    /// Which is asked first for news.
    turn: usize,
    arrived: Instant,
    deadline: Pin<Box<Sleep>>,
    /// That of the answers' forms.
    _place: Option<Part>,
    span: tracing::Span,
}

impl Choices {
    /// Asks for `ask.n` answers to each prompt.
    ///
    /// # Errors
    /// The form cannot be had, or the engine refuses one; then none is asked for.
    pub(crate) async fn submit(
        app: &Shared,
        ask: &Ask,
        prompts: Vec<Arc<[u32]>>,
        pass: Pass,
    ) -> Result<Choices, Error> {
        let tokens_of = |prompt: &Arc<[u32]>| PromptTokens { all: prompt.len(), cached: None, scored: None };
        let lengths: Vec<_> = prompts.iter().map(tokens_of).collect();
        // Before anything is made or asked.
        pass.priority(ask.priority)?;
        let count = prompts.len() * ask.n;
        let most = app.service.requests_max();
        if count > most {
            let message = format!(
                "{count} answers are asked for at once, prompts times `n`, and no more than {most} may be under way here: ask for fewer at a time"
            );
            return Err(Error::field(if prompts.len() > 1 { "prompt" } else { "n" }, message));
        }
        let asked = if app.log_content { prompts.clone() } else { Vec::new() };
        let (mut constraints, place) = match ask.form.clone() {
            None => (Vec::new(), None),
            Some(form) => {
                let sharing = ask.sharing(&pass, app.prefix_sharing);
                let (made, place) = constraints(app, (form, sharing), count, &pass).await?;
                (made, Some(place))
            }
        };
        let may_cut = !ask.stops.is_empty() && ask.form.as_ref().is_some_and(|form| !form.is_calls());
        let (mut choices, mut requests) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let field = |index| {
            if lengths.len() > 1 { format!("{}[{index}]", ask.prompt_field) } else { ask.prompt_field.to_owned() }
        };
        for (index, prompt) in prompts.into_iter().enumerate() {
            for choice in 0..ask.n {
                let constraint = constraints.pop();
                let form = if may_cut { constraint.clone() } else { None };
                let prompt = Arc::clone(&prompt);
                let request = ask.request(prompt, (index, choice), (&pass, app.prefix_sharing), constraint)?;
                let text = AnswerText::new(Arc::clone(&app.tokenizer), &request.prompt, ask)?;
                let computes = ask.max_tokens > 0 || (request.prompt_logprobs.is_some() && request.prompt.len() > 1);
                let awaits_prompt = choice > 0 && ask.streams && ask.echo_logprobs.is_some();
                requests.push(request);
                choices.push(Choice { computes, awaits_prompt, ..Choice::new(index, text, form) });
            }
        }
        let refused = |(at, refusal)| Error::of_refused_text(refusal, app, field(at / ask.n));
        let answers = app.service.submit(requests).map_err(refused)?;
        let waits_for = |choice: &Choice| choice.awaits_prompt.then_some(choice.prompt * ask.n);
        let answers = answers.into_iter().zip(choices.iter().map(waits_for)).collect();
        // Who is refused has used nothing.
        pass.charge_tokens(lengths.iter().map(|prompt| prompt.all).sum());
        app.metrics.answers_asked.observe(ask.n as f64);
        if ask.max_tokens < usize::MAX {
            app.metrics.tokens_asked.observe(ask.max_tokens.min(app.service.context()) as f64);
        }
        Ok(Choices {
            app: Arc::clone(app),
            choices,
            backlog: Backlog::new(answers, 1 + ask.logprobs.unwrap_or(0)),
            prompts: lengths,
            asked,
            is_refused: false,
            turn: 0,
            arrived: pass.arrived(),
            deadline: Box::pin(tokio::time::sleep_until((pass.arrived() + app.limits.answer).into())),
            span: tracing::Span::current(),
            _place: place,
            pass,
        })
    }

    /// Counts from now on what their client has not read, beside what it is `told` of prompts: they are a stream.
    pub(crate) fn count_unread(&self, told: Told) {
        self.app.streams.add(&self.backlog, told);
    }

    /// How many answers.
    pub(crate) fn len(&self) -> usize {
        self.choices.len()
    }

    /// When they have to be done.
    pub(crate) fn until(&self) -> Instant {
        self.arrived + self.app.limits.answer
    }

    pub(crate) fn app(&self) -> &Shared {
        &self.app
    }

    /// Whose they are.
    pub(crate) fn pass(&self) -> &Pass {
        &self.pass
    }

    /// The request's place in the log.
    pub(crate) fn span(&self) -> &tracing::Span {
        &self.span
    }

    /// Tokens so far.
    pub(crate) fn usage(&self) -> Usage {
        let sum = |part: fn(&PromptTokens) -> usize| self.prompts.iter().map(part).sum();
        let answers = self.choices.iter().map(|choice| choice.tokens).sum();
        Usage::of(sum(|prompt| prompt.all), answers, sum(|prompt| prompt.cached.unwrap_or(0)))
    }

    /// What comes next, of whichever answer; `None` when all have ended.
    ///
    /// # Errors
    /// An answer failed, time is up, or the server ends: the others are cancelled when this is dropped.
    pub(crate) async fn next(&mut self) -> Option<Result<(usize, Progress), Error>> {
        if self.choices.iter().all(|choice| choice.text.is_none()) {
            return None;
        }
        let limit = self.app.limits.answer;
        // Where the client is behind there is always an event: neither end may wait until there is none.
        if self.app.stage() == Stage::Cut {
            return Some(Err(Error::stopping()));
        }
        if Instant::now() >= self.until() {
            return Some(Err(Error::late_answer(limit, FEWER_TOKENS)));
        }
        if let Some((index, scored)) = self.scored_before() {
            return Some(Ok((index, Progress::Scored(scored))));
        }
        let Choices { choices, backlog, turn, deadline, app, .. } = self;
        let event = tokio::select! {
            biased;
            event = poll_fn(|context| backlog.poll(turn, |index| choices[index].awaits_prompt, context)) => event,
            () = reached(&app.stage, Stage::Cut) => Err(Error::stopping()),
            () = deadline => Err(Error::late_answer(limit, FEWER_TOKENS)),
        };
        Some(event.and_then(|(index, at, event)| Ok((index, self.note(index, at, event)?))))
    }

    /// An answer that is to tell what the first one to its prompt has brought of that.
    fn scored_before(&mut self) -> Option<(usize, Scored)> {
        let Choices { choices, prompts, .. } = self;
        let index =
            choices.iter().position(|choice| choice.awaits_prompt && prompts[choice.prompt].scored.is_some())?;
        choices[index].awaits_prompt = false;
        let prompt = choices[index].prompt;
        let has_others = choices[index + 1..].iter().any(|choice| choice.awaits_prompt && choice.prompt == prompt);
        let scored = &mut prompts[prompt].scored;
        Some((index, if has_others { scored.clone() } else { scored.take() }?))
    }

    /// Makes a response of answers that are `told` as a whole, on a thread that may be busy where that takes long. It has their part of what all requests may hold.
    pub(crate) async fn told_whole(
        self,
        told: Told,
        make: impl FnOnce(Part) -> Result<Response, Error> + Send + 'static,
    ) -> Result<Response, Error> {
        let (app, key, until) = (Shared::clone(&self.app), self.pass.number(), self.until());
        let (all, advice) = (told.all(), told.advice());
        let make = move || {
            let made = make(told.into_place());
            // The request is its key's until then, also where its client has left.
            drop(self);
            made
        };
        if logprobs::are_few(all) {
            return make();
        }
        in_time(&app, until, advice, app.room.turns.busy(key, logprobs::work(all), make)).await
    }

    /// Counts why an answer ended, as its client is told: where there are tools that differs from why its tokens did.
    pub(crate) fn note_finish(&mut self, index: usize, told: &'static str) {
        self.choices[index].finish = told;
        self.app.metrics.note_finish(told);
    }

    /// The same as [`Choices::next`], but at most `wait`: `None` if nothing came.
    pub(crate) async fn next_within(&mut self, wait: Duration) -> Option<Option<Result<(usize, Progress), Error>>> {
        tokio::time::timeout(wait, self.next()).await.ok()
    }

    /// Takes an event that came about at `now`. That may be long ago: it is looked at when the client reads.
    fn note(&mut self, index: usize, now: Instant, event: Event) -> Result<Progress, Error> {
        let choice = &mut self.choices[index];
        let metrics = &self.app.metrics;
        let (piece, finish) = match event {
            Event::Started { cached_tokens } => {
                choice.started = Some(now);
                metrics.queue_time.observe((now - self.arrived).as_secs_f64());
                let found = choice.computes.then_some(cached_tokens);
                let computed = note_begin(&mut self.prompts[choice.prompt], found, &self.app, &self.pass);
                metrics.computed_prompt.observe(computed as f64);
                return Ok(Progress::Started);
            }
            Event::Scored(scored) => {
                let (scored, prompt) = (Scored::new(scored), choice.prompt);
                let has_others = self.choices.iter().any(|choice| choice.awaits_prompt && choice.prompt == prompt);
                self.prompts[prompt].scored = has_others.then(|| Scored::clone(&scored));
                return Ok(Progress::Scored(scored));
            }
            Event::Token(chosen) => {
                choice.note_token(now, self.arrived, metrics);
                let text = choice.text.as_mut().ok_or_else(|| Error::internal("a token behind the end"))?;
                match text.push(chosen)? {
                    ControlFlow::Continue(piece) => {
                        choice.keep(&piece, self.app.log_content);
                        return Ok(Progress::Piece(piece));
                    }
                    ControlFlow::Break(piece) => {
                        choice.text = None;
                        self.backlog.leave(index);
                        let is_whole = choice.is_whole_with(&piece, &self.app);
                        (piece, if is_whole { "stop" } else { "length" })
                    }
                }
            }
            Event::Finished(FinishReason::Cancelled) => return Err(Error::stopping()),
            Event::Finished(reason) => {
                let text = choice.text.take().ok_or_else(|| Error::internal("an end behind the end"))?;
                (text.finish()?, reason.name())
            }
            Event::Failed(failure) => {
                // Who is refused has used nothing.
                if self.choices.iter().all(|choice| choice.started.is_none()) {
                    self.is_refused = true;
                    self.pass.give_back_tokens(self.prompts.iter().map(|prompt| prompt.all).sum());
                }
                return Err(Error::of_failure(failure, &self.app, &self.pass));
            }
        };
        choice.keep(&piece, self.app.log_content);
        choice.note_end(now, self.arrived, metrics);
        Ok(Progress::End(piece, finish))
    }
}

/// Takes that an answer to a prompt has begun, with so many tokens of that found, or none sought for an answer of nothing, and tells how many it computes. Each
/// prompt is charged when it is asked for; of further answers to it is charged what they compute of it anew.
fn note_begin(prompt: &mut PromptTokens, found: Option<usize>, app: &App, pass: &Pass) -> usize {
    app.metrics.note_prompt(prompt.all);
    let Some(found) = found else { return 0 };
    // Of a page that agrees in part nothing is told, nor by what is charged: who asks could find out another's text token by token.
    let page = (app.service.counters().page_tokens.load(Ordering::Relaxed) as usize).max(1);
    let found = found - found % page;
    if prompt.cached.is_some() {
        // The last token is computed for each answer.
        let shared = prompt.all.saturating_sub(1);
        pass.charge_tokens((shared - shared % page).saturating_sub(found));
    }
    prompt.cached = Some(prompt.cached.map_or(found, |least| least.min(found)));
    prompt.all.saturating_sub(found)
}

/// So many constraints of a form for requests that share what is computed, with their place among those of all requests. Where nobody waits for them any more, they
/// have it until they are made and dropped.
async fn constraints(
    app: &Shared,
    (form, sharing): (Arc<Form>, Option<String>),
    count: usize,
    pass: &Pass,
) -> Result<(Vec<Constraint>, Part), Error> {
    let place = form.place(app, pass.number(), count)?;
    let until = pass.arrived() + app.limits.answer;
    let (key, pass) = (pass.number(), pass.clone());
    let (id, place, pass) = match form.id_at_once(sharing.as_deref()) {
        Some(id) => (id, place, pass),
        // Before it is known whether it has to wait for others' compiling.
        None => {
            let form = Arc::clone(&form);
            let hash = move || Ok((form.id(sharing.as_deref()), place, pass));
            in_time(app, until, SIMPLER_FORM, app.room.turns.busy(key, Work::Short, hash)).await?
        }
    };
    let remembered = app.compiled.get(id);
    // A grammar of a few bytes may take seconds.
    let work = if remembered.is_some() { Work::Short } else { Work::Long };
    let compiled = Arc::clone(app);
    let make = move || {
        let first = remembered.map_or_else(|| constraint::compile(&compiled, &form, id), Ok);
        let made = first.map(|first| (vec![Constraint::clone(&first); count], place));
        drop(pass);
        made
    };
    in_time(app, until, SIMPLER_FORM, app.room.turns.busy(key, work, make)).await
}

impl Choice {
    fn new(prompt: usize, text: AnswerText, form: Option<Constraint>) -> Choice {
        Choice {
            prompt,
            computes: true,
            awaits_prompt: false,
            text: Some(text),
            tokens: 0,
            started: None,
            first_token: None,
            last_token: None,
            finish: ABORTED,
            said: String::new(),
            form,
        }
    }

    fn keep(&mut self, piece: &Piece, log_content: bool) {
        if log_content || self.form.is_some() {
            self.said.push_str(&piece.text);
        }
    }

    /// Whether what a stop string leaves is of the form that was asked for. If not, the answer is cut as much as by the number of tokens, and says so: a client that sees
    /// `stop` may rely on the form.
    fn is_whole_with(&mut self, last: &Piece, app: &App) -> bool {
        let Some(form) = self.form.take() else { return true };
        let said = self.said.clone() + &last.text;
        let has_others =
            Handle::try_current().is_ok_and(|runtime| runtime.runtime_flavor() == RuntimeFlavor::MultiThread);
        if has_others
            && said.len() > JUDGED_AT_ONCE_BYTES
            && let Ok(_place) = app.judges.try_acquire()
        {
            // Another thread goes on with this one's connections.
            return tokio::task::block_in_place(|| form.allows_whole(&said));
        }
        form.allows_whole(&said)
    }

    fn note_token(&mut self, now: Instant, arrived: Instant, metrics: &Metrics) {
        self.tokens += 1;
        if let Some(last) = self.last_token.replace(now) {
            metrics.inter_token_latency.observe((now - last).as_secs_f64());
            return;
        }
        self.first_token = Some(now);
        metrics.time_to_first_token.observe((now - arrived).as_secs_f64());
        metrics.prefill_time.observe((now - self.started.unwrap_or(arrived)).as_secs_f64());
    }

    fn note_end(&mut self, now: Instant, arrived: Instant, metrics: &Metrics) {
        metrics.request_latency.observe((now - arrived).as_secs_f64());
        metrics.answer_length.observe(self.tokens as f64);
        if let Some(started) = self.started {
            metrics.inference_time.observe((now - started).as_secs_f64());
        }
        if let Some(first) = self.first_token {
            metrics.decode_time.observe((now - first).as_secs_f64());
        }
        if let (Some(first), Some(last), 2..) = (self.first_token, self.last_token, self.tokens) {
            metrics.mean_token_latency.observe((last - first).as_secs_f64() / (self.tokens - 1) as f64);
        }
    }
}

/// The reasons, each with how often it is there where that is more than once: `stop 3,length`.
fn counted(reasons: impl Iterator<Item = &'static str>) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for reason in reasons {
        match counts.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, count)) => *count += 1,
            None => counts.push((reason, 1)),
        }
    }
    let told = counts.into_iter().map(|(reason, count)| match count {
        1 => reason.to_owned(),
        count => format!("{reason} {count}"),
    });
    told.collect::<Vec<_>>().join(",")
}

impl Drop for Choices {
    fn drop(&mut self) {
        let usage = self.usage();
        let tokens = usage.completion_tokens.unwrap_or_default();
        let mut unread = 0;
        for (index, choice) in self.choices.iter().enumerate() {
            let left = self.backlog.leave(index);
            unread += left.tokens;
            if let Some(found) = left.found {
                let found = choice.computes.then_some(found);
                note_begin(&mut self.prompts[choice.prompt], found, &self.app, &self.pass);
            }
        }
        self.pass.charge_tokens(tokens + unread);
        if self.is_refused {
            return;
        }
        let aborted = self.choices.iter().filter(|choice| choice.finish == ABORTED);
        aborted.for_each(|_| self.app.metrics.note_finish(ABORTED));
        // Nothing bounds how often a client leaves at once.
        let is_cut = self.choices.iter().all(|choice| choice.finish == ABORTED);
        let is_answered = tokens > 0 || !is_cut;
        if !is_answered && !self.app.refusals.has_line(Instant::now()) {
            return;
        }
        let first = self.choices.iter().filter_map(|choice| choice.first_token).min();
        let _in_request = self.span.enter();
        tracing::info!(
            prompt_tokens = usage.prompt_tokens,
            cached_tokens = usage.prompt_tokens_details.unwrap_or_default().cached_tokens,
            tokens,
            finish = counted(self.choices.iter().map(|choice| choice.finish)),
            first_token_ms = first.map(|first| (first - self.arrived).as_millis() as u64),
            total_ms = self.arrived.elapsed().as_millis() as u64,
            "{}",
            if is_cut { "cut" } else { "answered" }
        );
        // A prompt may have megabytes, and who asks for what there is not has computed nothing.
        if self.app.log_content && is_answered {
            for prompt in &self.asked {
                tracing::info!(prompt = self.app.tokenizer.decode(prompt, false).unwrap_or_default(), "asked");
            }
            for (index, choice) in self.choices.iter().enumerate() {
                tracing::info!(index, answer = choice.said, "said");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::task::{Context, Waker};

    use api::{CompletionRequest, Request as _, Settings};
    use engine::{Chosen, Events, Failure, Inbox, Message, Refusal};

    use super::*;
    use crate::app::tests::app;
    use crate::constraint::ALL_BYTES;
    use crate::keys::Key;
    use crate::{KeyScope, Keys, NewKey, completion};

    /// A key that may use 1,000 tokens a minute.
    fn limited() -> Arc<Key> {
        let NewKey { secret, mut entry } = NewKey::random("a", &[KeyScope::Infer]).unwrap();
        entry.tokens_per_minute = Some(1000);
        Keys::of(&[entry], Instant::now()).find(Some(&secret), 0).unwrap()
    }

    /// A request for completions.
    fn asked(app: &App, settings: &serde_json::Value) -> completion::Prepared {
        let mut body = settings.clone();
        body["model"] = "small".into();
        completion::prepare(app, CompletionRequest::read(body.to_string().as_bytes()).unwrap()).unwrap()
    }

    /// Where what becomes of the next answer goes.
    fn events(inbox: &mut Inbox) -> Events {
        match inbox.messages.try_recv() {
            Ok(Message::Generate { events, .. }) => events,
            other => panic!("{other:?} asks for no answer"),
        }
    }

    fn token() -> Event {
        Event::Token(Chosen { token: 70, logprob: 0.0, likeliest: Vec::new() })
    }

    fn form(settings: &Settings) -> Arc<Form> {
        Arc::new(constraint::form(settings).unwrap().unwrap())
    }

    #[test]
    fn tokens_that_nobody_reads_are_charged_and_those_of_who_is_refused_are_not() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let _inside = runtime.enter();
        let (app, mut inbox) = app(4);
        let started = || Event::Started { cached_tokens: 0 };
        let many: Vec<_> = [started()].into_iter().chain((0..200).map(|_| token())).collect();
        let refused = vec![Event::Failed(Failure::Refused(Refusal::NoSuchAdapter("nobody".to_owned())))];
        let failed = vec![started(), token(), Event::Failed(Failure::Stopping)];
        let stop = app.tokenizer.decode(&[70], false).unwrap();
        for (come, stop, used) in
            [(many.clone(), "nowhere", 203), (many, &stop, 203), (refused, "nowhere", 0), (failed, "nowhere", 4)]
        {
            let key = limited();
            let pass = key.enter(Instant::now()).unwrap();
            let asked = asked(&app, &serde_json::json!({"prompt": [1, 2, 3], "max_tokens": 200, "stop": stop}));
            runtime.block_on(async {
                let mut choices = Choices::submit(&app, &asked.ask, asked.prompts, pass).await.unwrap();
                let to = events(&mut inbox);
                let read = come.len().min(3);
                for event in come {
                    to.try_send((Instant::now(), event)).unwrap();
                }
                for _ in 0..read {
                    let _ = choices.next().await;
                }
                drop(choices);
            });
            let left = key.standings(Instant::now()).tokens.unwrap().remaining;
            assert!((1000 - used..=1002 - used).contains(&left), "{left} of 1000 are left, where {used} were used");
            while inbox.messages.try_recv().is_ok() {}
        }
    }

    /// Each answer computes its prompt where none finds what another has computed.
    #[test]
    fn what_further_answers_compute_of_a_prompt_is_charged() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let _inside = runtime.enter();
        let (app, mut inbox) = app(8);
        let usual = serde_json::json!({"n": 3});
        // These compute nothing, but for the prompt that is to be scored.
        let echo = serde_json::json!({"n": 3, "echo": true, "max_tokens": 0});
        let scored = serde_json::json!({"n": 3, "echo": true, "logprobs": 0, "max_tokens": 0, "stream": true});
        let told = serde_json::json!({"n": 3, "prompt_logprobs": 0, "max_tokens": 0});
        for (settings, page_tokens, found, used) in [
            (&usual, 0, [0, 0, 0], 10 + 2 * 9),
            (&usual, 4, [0, 0, 0], 10 + 2 * 8),
            // Of a page that agrees in part nothing is told.
            (&usual, 4, [0, 7, 9], 10 + 4),
            (&usual, 16, [0, 0, 0], 10),
            (&echo, 0, [0, 0, 0], 10),
            (&scored, 0, [0, 0, 0], 10),
            (&told, 4, [0, 0, 0], 10),
        ] {
            app.service.counters().page_tokens.store(page_tokens, Ordering::Relaxed);
            for is_read in [true, false] {
                let key = limited();
                let mut settings = settings.clone();
                settings["prompt"] = vec![5; 10].into();
                let asked = asked(&app, &settings);
                runtime.block_on(async {
                    let pass = key.enter(Instant::now()).unwrap();
                    let mut choices = Choices::submit(&app, &asked.ask, asked.prompts, pass).await.unwrap();
                    let to = found.map(|_| events(&mut inbox));
                    for (to, cached_tokens) in to.iter().zip(found) {
                        to.try_send((Instant::now(), Event::Started { cached_tokens })).unwrap();
                        // Who waits for the prompt is not asked before that is there.
                        if is_read && !choices.choices[1].awaits_prompt {
                            choices.next().await.unwrap().unwrap();
                        }
                    }
                });
                let left = key.standings(Instant::now()).tokens.unwrap().remaining;
                assert!(
                    (1000 - used..=1003 - used).contains(&left),
                    "{settings}, {found:?} in pages of {page_tokens}: {left}"
                );
                while inbox.messages.try_recv().is_ok() {}
            }
        }
    }

    /// A prompt may have a hundred thousand tokens, and hundreds of answers.
    #[test]
    fn answers_have_their_prompt_in_common() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let _inside = runtime.enter();
        let (app, mut inbox) = app(4);
        let asked = asked(&app, &serde_json::json!({"prompt": [[1, 2, 3], [1, 2, 3]], "n": 2}));
        let pass = app.keys.find(None, 0).unwrap().enter(Instant::now()).unwrap();
        let _choices = runtime.block_on(Choices::submit(&app, &asked.ask, asked.prompts, pass)).unwrap();
        let prompts = [(); 4].map(|()| match inbox.messages.try_recv() {
            Ok(Message::Generate { request, .. }) => request.prompt,
            other => panic!("{other:?} asks for no answer"),
        });
        let in_common: Vec<_> = prompts.windows(2).map(|pair| Arc::ptr_eq(&pair[0], &pair[1])).collect();
        assert_eq!(in_common, [true, false, true]);
    }

    /// Those that have ended are not asked again, or a task would use up on them what it may do at a time.
    #[test]
    fn the_last_of_many_answers_is_told_when_all_others_have_ended() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap();
        let _inside = runtime.enter();
        let (app, mut inbox) = app(256);
        let asked = asked(&app, &serde_json::json!({"prompt": [1, 2, 3], "n": 256}));
        let pass = limited().enter(Instant::now()).unwrap();
        let mut choices = runtime.block_on(Choices::submit(&app, &asked.ask, asked.prompts, pass)).unwrap();
        let mut all: Vec<_> = (0..256).map(|_| events(&mut inbox)).collect();
        // Whoever tells of an answer is gone when that has ended.
        for to in all.drain(..255) {
            for event in [Event::Started { cached_tokens: 0 }, Event::Finished(FinishReason::Length)] {
                to.try_send((Instant::now(), event)).unwrap();
            }
        }
        let (tell, told) = mpsc::channel();
        runtime.spawn(async move {
            while let Some(next) = choices.next().await {
                tell.send(next.unwrap().0).unwrap();
            }
        });
        let next = || told.recv_timeout(Duration::from_secs(20)).unwrap();
        let ended = (0..2 * 255).map(|_| next()).max();
        assert_eq!(ended, Some(254));
        // The second comes when it is the turn of all that have ended.
        for event in [Event::Started { cached_tokens: 0 }, token()] {
            all[0].try_send((Instant::now(), event)).unwrap();
            assert_eq!(next(), 255);
        }
    }

    /// There is always an event for a client that is behind.
    #[test]
    fn an_answer_that_is_read_too_slowly_ends_in_time() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let _inside = runtime.enter();
        let (app, mut inbox) = app(4);
        let asked = asked(&app, &serde_json::json!({"prompt": [1, 2, 3], "stream": true}));
        let arrived = Instant::now().checked_sub(app.limits.answer - Duration::from_millis(500)).unwrap();
        let pass = app.keys.find(None, 0).unwrap().enter(arrived).unwrap();
        runtime.block_on(async {
            let mut choices = Choices::submit(&app, &asked.ask, asked.prompts, pass).await.unwrap();
            let to = events(&mut inbox);
            for event in [Event::Started { cached_tokens: 0 }, token(), token()] {
                to.try_send((Instant::now(), event)).unwrap();
            }
            choices.next().await.unwrap().unwrap();
            std::thread::sleep(Duration::from_millis(600));
            let late = choices.next().await.unwrap().unwrap_err();
            assert_eq!(late.code(), "answer_timeout");
        });
    }

    /// Others' slow forms would hold up those that are asked for all the time.
    #[test]
    fn a_form_that_is_remembered_waits_for_no_other() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap();
        let _inside = runtime.enter();
        let (app, _inbox) = app(64);
        let pass = app.keys.find(None, 0).unwrap().enter(Instant::now()).unwrap();
        let ask = |schema: &serde_json::Value, count: usize| {
            let settings = Settings { guided_json: Some(schema.clone()), ..Settings::default() };
            let (app, pass) = (Arc::clone(&app), pass.clone());
            async move { constraints(&app, (form(&settings), None), count, &pass).await.map(|(made, _)| made.len()) }
        };
        let small = serde_json::json!({"type": "boolean"});
        // It is not hashed at once.
        let large = serde_json::json!({"type": "boolean", "description": "a".repeat(100_000)});
        for schema in [&small, &large] {
            assert_eq!(runtime.block_on(ask(schema, 1)).unwrap(), 1);
        }
        // All turns of what takes seconds are taken until the test is over.
        let taken = app.room.turns.take_all(Work::Long);
        let within = |asked| runtime.block_on(async { tokio::time::timeout(Duration::from_millis(500), asked).await });
        for schema in [&small, &large] {
            assert_eq!(within(ask(schema, 3)).expect("it is remembered").unwrap(), 3);
        }
        assert!(within(ask(&serde_json::json!({"type": "null"}), 1)).is_err(), "another waits for its turn");
        drop(taken);
    }

    #[test]
    fn forms_of_a_client_that_has_left_count_until_they_are_made() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap();
        let _inside = runtime.enter();
        let (app, _inbox) = app(64);
        // What every form waits for takes until the test says so.
        let (end, ended) = mpsc::channel::<()>();
        let (begin, begun) = mpsc::channel::<()>();
        let slow = Arc::clone(&app);
        let vocabulary = std::thread::spawn(move || {
            slow.vocabulary.get_or_init(|| {
                begin.send(()).unwrap();
                let _ = ended.recv();
                Err("none is made here".to_owned())
            });
        });
        begun.recv().unwrap();
        let settings = Settings { guided_choice: Some(vec!["x".repeat(40_000)]), ..Settings::default() };
        let form = form(&settings);
        let pass = app.keys.find(None, 0).unwrap().enter(Instant::now()).unwrap();
        // As a connection polls its request, and drops it when the client leaves.
        let mut asked = Box::pin(constraints(&app, (form, None), 2, &pass));
        assert!(asked.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        drop(asked);
        let left = app.forms.free();
        assert!(left <= ALL_BYTES - 80_000, "{left} of {ALL_BYTES} while it is made");
        drop(end);
        vocabulary.join().unwrap();
        let began = Instant::now();
        while app.forms.free() != ALL_BYTES {
            assert!(began.elapsed() < Duration::from_secs(20), "what is made and dropped is given back");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
