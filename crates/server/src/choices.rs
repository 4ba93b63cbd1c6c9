//! The answers to a request, as they come.

use std::future::poll_fn;
use std::ops::ControlFlow;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use api::Usage;
use constrain::Constraint;
use engine::{Answer, Event, FinishReason, PromptLogprob};
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::time::Sleep;

use crate::answer_text::{AnswerText, Piece};
use crate::app::{App, Shared, Stage, reached};
use crate::ask::Ask;
use crate::budget::Part;
use crate::constraint::{self, Form};
use crate::error::Error;
use crate::keys::Pass;
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
#[derive(Clone, Copy, Debug)]
struct PromptTokens {
    all: usize,
    /// Those whose state was there before the request: of several answers to a prompt the later ones find what the first has computed, so that the least
    /// counts. `None` until one has begun.
    cached: Option<usize>,
}

/// What becomes of an answer.
#[derive(Debug)]
pub(crate) enum Progress {
    /// Its first tokens are computed.
    Started,
    /// What the prompt's tokens were given, from the second on.
    Scored(Vec<PromptLogprob>),
    /// More text, perhaps none yet.
    Piece(Piece),
    /// The end, with the last text, and why there are no more tokens. Who tells a client why says so by [`Choices::note_finish`].
    End(Piece, &'static str),
}

/// An answer under way.
#[derive(Debug)]
struct Choice {
    prompt: usize,
    /// `None` once it has ended.
    answer: Option<(Answer, AnswerText)>,
    tokens: usize,
    /// Those that came behind them and that nobody takes any more.
    unread: usize,
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
    prompts: Vec<PromptTokens>,
    /// The prompts' tokens where the log wants them, else none.
    asked: Vec<Vec<u32>>,
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
    pub(crate) async fn submit(app: &Shared, ask: &Ask, prompts: Vec<Vec<u32>>, pass: Pass) -> Result<Choices, Error> {
        let lengths: Vec<_> = prompts.iter().map(|prompt| PromptTokens { all: prompt.len(), cached: None }).collect();
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
        let mut choices = Vec::with_capacity(count);
        let field = |index| {
            if lengths.len() > 1 { format!("{}[{index}]", ask.prompt_field) } else { ask.prompt_field.to_owned() }
        };
        for (index, prompt) in prompts.into_iter().enumerate() {
            for choice in 0..ask.n {
                let constraint = constraints.pop();
                let form = if may_cut { constraint.clone() } else { None };
                let request = ask.request(prompt.clone(), (index, choice), (&pass, app.prefix_sharing), constraint)?;
                let text = AnswerText::new(Arc::clone(&app.tokenizer), &prompt, ask)?;
                let answer = app.service.submit(request);
                let answer = answer.map_err(|refusal| Error::of_refused_text(refusal, app, field(index)))?;
                choices.push(Choice::new(index, answer, text, form));
            }
        }
        // Who is refused has used nothing.
        pass.charge_tokens(lengths.iter().map(|prompt| prompt.all).sum());
        app.metrics.answers_asked.observe(ask.n as f64);
        if ask.max_tokens < usize::MAX {
            app.metrics.tokens_asked.observe(ask.max_tokens.min(app.service.context()) as f64);
        }
        Ok(Choices {
            app: Arc::clone(app),
            choices,
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
        if self.choices.iter().all(|choice| choice.answer.is_none()) {
            return None;
        }
        let limit = self.app.limits.answer;
        let Choices { choices, turn, deadline, app, .. } = self;
        let event = tokio::select! {
            biased;
            event = poll_fn(|context| poll(choices, turn, context)) => Ok(event),
            () = reached(&app.stage, Stage::Cut) => Err(Error::stopping()),
            () = deadline => Err(Error::late_answer(limit, FEWER_TOKENS)),
        };
        Some(event.and_then(|(index, at, event)| Ok((index, self.note(index, at, event)?))))
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
                // Of a page that agrees in part nothing is told: who asks could find out another's text token by token.
                let page_tokens = self.app.service.counters().page_tokens.load(Ordering::Relaxed) as usize;
                let cached_tokens = cached_tokens - cached_tokens % page_tokens.max(1);
                choice.started = Some(now);
                metrics.note_prompt(self.prompts[choice.prompt].all);
                let cached = &mut self.prompts[choice.prompt].cached;
                *cached = Some(cached.map_or(cached_tokens, |least| least.min(cached_tokens)));
                metrics.queue_time.observe((now - self.arrived).as_secs_f64());
                metrics.computed_prompt.observe(self.prompts[choice.prompt].all.saturating_sub(cached_tokens) as f64);
                return Ok(Progress::Started);
            }
            Event::Scored(scored) => return Ok(Progress::Scored(scored)),
            Event::Token(chosen) => {
                choice.note_token(now, self.arrived, metrics);
                let (_, text) = choice.answer.as_mut().ok_or_else(|| Error::internal("a token behind the end"))?;
                match text.push(chosen)? {
                    ControlFlow::Continue(piece) => {
                        choice.keep(&piece, self.app.log_content);
                        return Ok(Progress::Piece(piece));
                    }
                    ControlFlow::Break(piece) => {
                        choice.leave();
                        let is_whole = choice.is_whole_with(&piece, &self.app);
                        (piece, if is_whole { "stop" } else { "length" })
                    }
                }
            }
            Event::Finished(FinishReason::Cancelled) => return Err(Error::stopping()),
            Event::Finished(reason) => {
                let ended = choice.answer.take().ok_or_else(|| Error::internal("an end behind the end"))?;
                (ended.1.finish()?, reason.name())
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
    fn new(prompt: usize, answer: Answer, text: AnswerText, form: Option<Constraint>) -> Choice {
        Choice {
            prompt,
            answer: Some((answer, text)),
            tokens: 0,
            unread: 0,
            started: None,
            first_token: None,
            last_token: None,
            finish: ABORTED,
            said: String::new(),
            form,
        }
    }

    /// Cancels what is left of it. What the engine has computed meanwhile is counted, or who does not read would have it for nothing. Whether it had begun and
    /// nobody had read so.
    fn leave(&mut self) -> bool {
        let Some((mut answer, _)) = self.answer.take() else { return false };
        let mut has_started = false;
        // Within a task tokio would say after some messages that there are none.
        let mut next = pin!(tokio::task::unconstrained(poll_fn(|context| answer.poll_next(context))));
        let mut context = Context::from_waker(Waker::noop());
        while let Poll::Ready(Some((_, event))) = next.as_mut().poll(&mut context) {
            self.unread += usize::from(matches!(event, Event::Token(_)));
            has_started |= matches!(event, Event::Started { .. });
        }
        has_started
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

/// The next event of any answer; those behind the last one that had news come first.
fn poll(choices: &mut [Choice], turn: &mut usize, context: &mut Context<'_>) -> Poll<(usize, Instant, Event)> {
    let count = choices.len();
    for index in (0..count).map(|step| (*turn + step) % count) {
        let Some((answer, _)) = &mut choices[index].answer else { continue };
        if let Poll::Ready(Some((at, event))) = answer.poll_next(context) {
            *turn = (index + 1) % count;
            return Poll::Ready((index, at, event));
        }
    }
    Poll::Pending
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
        let begun = self.choices.iter_mut().filter_map(|choice| choice.leave().then_some(choice.prompt));
        begun.for_each(|prompt| self.app.metrics.note_prompt(self.prompts[prompt].all));
        self.pass.charge_tokens(tokens + self.choices.iter().map(|choice| choice.unread).sum::<usize>());
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

    use api::{CompletionRequest, Request as _, Settings};
    use engine::{Chosen, Failure, Message, Refusal};

    use super::*;
    use crate::app::tests::app;
    use crate::constraint::ALL_BYTES;
    use crate::{KeyFile, KeyScope, Keys, NewKey, completion};

    fn form(settings: &Settings) -> Arc<Form> {
        Arc::new(constraint::form(settings).unwrap().unwrap())
    }

    #[test]
    fn tokens_that_nobody_reads_are_charged_and_those_of_who_is_refused_are_not() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let _inside = runtime.enter();
        let (app, mut inbox) = app(4);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys.json");
        let NewKey { secret, mut entry } = NewKey::random("a", &[KeyScope::Infer]).unwrap();
        entry.tokens_per_minute = Some(1000);
        let mut file = KeyFile::default();
        file.add(entry).unwrap();
        std::fs::write(&path, file.text()).unwrap();
        let token = || Event::Token(Chosen { token: 70, logprob: 0.0, likeliest: Vec::new() });
        let started = || Event::Started { cached_tokens: 0 };
        let many: Vec<_> = [started()].into_iter().chain((0..200).map(|_| token())).collect();
        let refused = vec![Event::Failed(Failure::Refused(Refusal::NoSuchAdapter("nobody".to_owned())))];
        let failed = vec![started(), token(), Event::Failed(Failure::Stopping)];
        let stop = app.tokenizer.decode(&[70], false).unwrap();
        for (events, stop, used) in
            [(many.clone(), "nowhere", 203), (many, &stop, 203), (refused, "nowhere", 0), (failed, "nowhere", 4)]
        {
            let key = Keys::read(&path).unwrap().find(Some(&secret), 0).unwrap();
            let pass = key.enter(Instant::now()).unwrap();
            let body = serde_json::json!({"model": "small", "prompt": [1, 2, 3], "max_tokens": 200, "stop": stop});
            let request = CompletionRequest::read(body.to_string().as_bytes()).unwrap();
            let asked = completion::prepare(&app, request).unwrap();
            runtime.block_on(async {
                let mut choices = Choices::submit(&app, &asked.ask, asked.prompts, pass).await.unwrap();
                let Some(Message::Generate { events: to, .. }) = inbox.messages.recv().await else {
                    panic!("it is asked")
                };
                let read = events.len().min(3);
                for event in events {
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
