//! What has come for the answers to a request, and nobody has read.

use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use engine::{Answer, Event};

use crate::app::{App, Shared};
use crate::error::Error;
use crate::logprobs::Told;

/// How often it is looked at what streams hold. What has come since the last look is not counted, so that it does not matter when that is: right after a step of the
/// engine nobody can have read its tokens. A stream may thus hold what comes in two of these before it is cut, beside what there is room for: few beside what all may hold.
const PERIOD: Duration = Duration::from_secs(1);

/// What comes for the answers to a request. The one who looks at streams has it in common with the connection, which looks at nothing as long as its client
/// does not read.
#[derive(Clone, Debug)]
pub(crate) struct Backlog {
    stream: Arc<Stream>,
}

#[derive(Debug)]
struct Stream {
    state: Mutex<State>,
    /// Whose turn it is to leave answers: what has come for them may be millions of tokens, which take time to free, and the connection asks for the state meanwhile.
    /// Locked before that.
    leaving: Mutex<()>,
}

#[derive(Debug)]
struct State {
    answers: Vec<Coming>,
    /// Log-probabilities of a token: one more than the likeliest.
    per_token: usize,
    /// What a stream holds; `None` where all is read as it comes.
    told: Option<Told>,
    /// Whether there was no room for what nobody read.
    is_cut: bool,
    /// The request's place in the log.
    span: tracing::Span,
    /// The connection's, where it waits for an answer: it may wait for one of which nothing has come.
    waker: Option<Waker>,
}

/// What comes for an answer.
#[derive(Debug)]
struct Coming {
    /// `None`: nobody reads any more of it.
    answer: Option<Answer>,
    /// The answer that is read before it, until that has told their prompt.
    teller: Option<usize>,
    /// Events that were read.
    read: usize,
    /// Events that had come when it was last looked at, if they could be read.
    seen: usize,
    left: Left,
}

/// What had come for an answer when it was left.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Left {
    /// Its tokens.
    pub(crate) tokens: usize,
    /// Where its beginning was among it, how many of its prompt's tokens were found.
    pub(crate) found: Option<usize>,
}

impl Backlog {
    /// Of these answers, with so many log-probabilities of each token. Beside an answer stands which one is read before it, until that has told their prompt.
    pub(crate) fn new(answers: Vec<(Answer, Option<usize>)>, per_token: usize) -> Backlog {
        let coming =
            |(answer, teller)| Coming { answer: Some(answer), teller, read: 0, seen: 0, left: Left::default() };
        let answers = answers.into_iter().map(coming).collect();
        let span = tracing::Span::current();
        let state = State { answers, per_token, told: None, is_cut: false, span, waker: None };
        Backlog { stream: Arc::new(Stream { state: Mutex::new(state), leaving: Mutex::new(()) }) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.stream.lock()
    }

    /// The next event of any answer but those that `waits` names; those behind `turn`, which had news last, come first.
    pub(crate) fn poll(
        &self,
        turn: &mut usize,
        waits: impl Fn(usize) -> bool,
        context: &mut Context<'_>,
    ) -> Poll<Result<(usize, Instant, Event), Error>> {
        let state = &mut *self.lock();
        if state.is_cut {
            return Poll::Ready(Err(Error::slow_reader()));
        }
        let count = state.answers.len();
        for index in (0..count).map(|step| (*turn + step) % count).filter(|index| !waits(*index)) {
            let coming = &mut state.answers[index];
            let Some(answer) = &mut coming.answer else { continue };
            match answer.poll_next(context) {
                Poll::Ready(Some((at, event))) => {
                    coming.read += 1;
                    if matches!(event, Event::Finished(_) | Event::Failed(_)) {
                        coming.answer = None;
                    }
                    *turn = (index + 1) % count;
                    return Poll::Ready(Ok((index, at, event)));
                }
                // Asked again, it would take of what a task may do at a time: behind a hundred that have ended no other was ever asked.
                Poll::Ready(None) => coming.answer = None,
                Poll::Pending => {}
            }
        }
        state.waker = Some(context.waker().clone());
        Poll::Pending
    }

    /// Cancels what is left of an answer. What the engine has computed meanwhile is counted, or who does not read would have it for nothing.
    pub(crate) fn leave(&self, index: usize) -> Left {
        let _leaving = self.stream.leaving();
        let answer = self.lock().answers[index].answer.take();
        let left = answer.map(Left::of);
        let coming = &mut self.lock().answers[index];
        coming.left = left.unwrap_or(coming.left);
        coming.left
    }
}

impl Coming {
    /// What has come that nobody has read.
    fn unread(&self) -> usize {
        self.answer.as_ref().map_or(0, Answer::unread)
    }

    /// Whether what its prompt was given has come, which is its second event.
    fn has_told(&self) -> bool {
        self.answer.is_none() || self.read + self.unread() > 1
    }

    /// What had come at the last look and is not read yet: events are read in the order in which they come.
    fn still_unread(&self) -> usize {
        self.answer.as_ref().map_or(0, |_| self.seen.saturating_sub(self.read))
    }
}

impl Left {
    /// Cancels what is left of an answer, and frees what has come for it.
    fn of(mut answer: Answer) -> Left {
        let mut left = Left::default();
        // Within a task tokio would say after some messages that there are none.
        let mut next = pin!(tokio::task::unconstrained(std::future::poll_fn(|context| answer.poll_next(context))));
        let mut context = Context::from_waker(Waker::noop());
        while let Poll::Ready(Some((_, event))) = next.as_mut().poll(&mut context) {
            match event {
                Event::Token(_) => left.tokens += 1,
                Event::Started { cached_tokens } => left.found = Some(cached_tokens),
                _ => {}
            }
        }
        left
    }
}

impl State {
    /// What had come at the last look, could be read then, and is not read yet.
    fn look(&mut self) -> usize {
        let mut unread = 0;
        for index in 0..self.answers.len() {
            let is_read = self.answers[index].teller.is_none_or(|teller| self.answers[teller].has_told());
            let coming = &mut self.answers[index];
            unread += coming.still_unread();
            if is_read {
                coming.seen = coming.read + coming.unread();
            }
        }
        unread
    }
}

impl Stream {
    /// What is locked here is whole between any two operations on it.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn leaving(&self) -> MutexGuard<'_, ()> {
        self.leaving.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts what nobody has read since the last look. Where there is no room for it the stream is cut: what has come for its answers is freed at once, though its
    /// client reads nothing. What is told of its prompts may be written already and wait for the client, and counts as long as the stream is there.
    fn look(&self, app: &App) {
        let _leaving = self.leaving();
        let mut state = self.lock();
        let unread = state.look();
        let logprobs = unread.saturating_mul(state.per_token);
        let is_cut = state.is_cut;
        let Some(told) = state.told.as_mut().filter(|_| !is_cut) else { return };
        if told.fit_unread(logprobs).is_ok() {
            return;
        }
        // Nothing more comes of them, and its connection waits until they are left: what had come is charged when it ends.
        let answers: Vec<_> = state.answers.iter_mut().map(|coming| coming.answer.take()).collect();
        let span = state.span.clone();
        drop(state);
        let left: Vec<_> = answers.into_iter().map(|answer| answer.map(Left::of)).collect();
        // Its client may never read why.
        if app.refusals.has_line(Instant::now()) {
            let _in_request = span.enter();
            tracing::warn!(
                unread,
                "a stream is cut: its client has not read its tokens, and there is no room for more"
            );
        }
        let mut state = self.lock();
        for (coming, left) in state.answers.iter_mut().zip(left) {
            coming.left = left.unwrap_or(coming.left);
        }
        state.is_cut = true;
        state.told.iter_mut().for_each(Told::leave_unread);
        let waker = state.waker.take();
        drop(state);
        waker.into_iter().for_each(Waker::wake);
    }
}

/// The streams under way.
#[derive(Debug, Default)]
pub(crate) struct Streams {
    all: Mutex<Vec<Weak<Stream>>>,
}

impl Streams {
    fn lock(&self) -> MutexGuard<'_, Vec<Weak<Stream>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts from now on what nobody has read of it from one look to the next.
    pub(crate) fn add(&self, backlog: &Backlog, told: Told) {
        backlog.lock().told = Some(told);
        self.lock().push(Arc::downgrade(&backlog.stream));
    }

    /// Looks at all of them, and forgets those that are over.
    fn look(&self, app: &App) {
        let all = {
            let mut all = self.lock();
            all.retain(|stream| stream.strong_count() > 0);
            all.clone()
        };
        // Others begin meanwhile, and those whose turn it is not yet may end: a stream that is cut may have millions of tokens, which take time to free.
        for stream in all {
            if let Some(stream) = stream.upgrade() {
                stream.look(app);
            }
        }
    }
}

/// Looks at the streams, for ever.
pub(crate) async fn watch(app: Shared) {
    loop {
        tokio::time::sleep(PERIOD).await;
        // Not on a connection's thread, for the same reason.
        let looking = Shared::clone(&app);
        let _ = tokio::task::spawn_blocking(move || looking.streams.look(&looking)).await;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use api::{CompletionRequest, Request as _};
    use engine::{Chosen, Events, Inbox, Message};

    use super::*;
    use crate::app::tests::app;
    use crate::completion;

    /// Log-probabilities of a token, so that an eighth of all may be those of one.
    const PER_TOKEN: usize = 1 << 20;

    /// An answer, with where what becomes of it goes.
    fn answer(app: &App, inbox: &mut Inbox) -> (Answer, Events) {
        let body = br#"{"model": "small", "prompt": [1, 2, 3], "max_tokens": 200}"#;
        let asked = completion::prepare(app, CompletionRequest::read(body).unwrap()).unwrap();
        let pass = app.keys.find(None, 0).unwrap().enter(Instant::now()).unwrap();
        let request = asked.ask.request([1, 2, 3].into(), (0, 0), (&pass, app.prefix_sharing), None).unwrap();
        let answer = app.service.submit(vec![request]).unwrap().remove(0);
        // Earlier ones may have been cancelled.
        let asked = std::iter::from_fn(|| inbox.messages.try_recv().ok()).find_map(|message| match message {
            Message::Generate { events, .. } => Some(events),
            _ => None,
        });
        (answer, asked.expect("it is asked"))
    }

    /// So many log-probabilities of a stream's prompts.
    fn told(app: &App, of_prompts: usize) -> Told {
        let pass = app.keys.find(None, 0).unwrap().enter(Instant::now()).unwrap();
        Told::begin(app, &pass, of_prompts, false).unwrap()
    }

    /// A stream of one answer, of which so much has come.
    fn stream(app: &App, inbox: &mut Inbox, come: usize) -> (Backlog, Events) {
        let (answer, events) = answer(app, inbox);
        let backlog = Backlog::new(vec![(answer, None)], PER_TOKEN);
        app.streams.add(&backlog, told(app, 0));
        tell(&events, come);
        (backlog, events)
    }

    fn tell(events: &Events, times: usize) {
        for _ in 0..times {
            let token = Event::Token(Chosen { token: 70, logprob: 0.0, likeliest: Vec::new() });
            events.try_send((Instant::now(), token)).unwrap();
        }
    }

    /// Looks at the streams, until what has come is counted.
    fn look(app: &App) {
        (0..2).for_each(|_| app.streams.look(app));
    }

    /// Reads an event.
    fn read(backlog: &Backlog, waits: impl Fn(usize) -> bool) {
        let next = backlog.poll(&mut 0, waits, &mut Context::from_waker(Waker::noop()));
        assert!(matches!(next, Poll::Ready(Ok(_))), "{next:?}");
    }

    /// Right after a step of the engine nobody can have read its tokens, however fast they read.
    #[test]
    fn what_has_come_since_the_last_look_cuts_no_stream() {
        let (app, mut inbox) = app(4);
        let all = app.logprobs.free();
        let (backlog, events) = stream(&app, &mut inbox, 0);
        for _ in 0..3 {
            tell(&events, 20);
            app.streams.look(&app);
            assert_eq!((backlog.lock().is_cut, app.logprobs.free()), (false, all), "it reads all in time");
            (0..20).for_each(|_| read(&backlog, |_| false));
        }
        tell(&events, 20);
        app.streams.look(&app);
        (0..16).for_each(|_| read(&backlog, |_| false));
        tell(&events, 20);
        app.streams.look(&app);
        assert_eq!((backlog.lock().is_cut, app.logprobs.free()), (false, all / 2), "four are left of those");
        app.streams.look(&app);
        assert!(backlog.lock().is_cut, "it has read nothing more");
        assert_eq!((backlog.leave(0).tokens, app.logprobs.free()), (24, all));
    }

    /// As one that may be read for an hour: others have room meanwhile.
    #[test]
    fn a_stream_has_half_of_the_room_at_most_though_it_is_alone() {
        let (app, mut inbox) = app(4);
        let all = app.logprobs.free();
        let (first, to_first) = stream(&app, &mut inbox, 4);
        look(&app);
        assert_eq!((first.lock().is_cut, app.logprobs.free()), (false, all / 2));
        let (second, to_second) = stream(&app, &mut inbox, 2);
        tell(&to_first, 1);
        look(&app);
        assert_eq!([first.lock().is_cut, second.lock().is_cut], [true, false]);
        assert!(to_first.is_closed() && !to_second.is_closed());
        assert_eq!((first.leave(0).tokens, app.logprobs.free()), (5, all - all / 4));
        // What is read is free.
        (0..2).for_each(|_| read(&second, |_| false));
        look(&app);
        assert_eq!(app.logprobs.free(), all);
    }

    /// Nobody can read it before the first answer has told the prompt; and who reads nothing does not have it wait for ever.
    #[test]
    fn what_waits_for_the_prompt_counts_when_that_is_there() {
        let (app, mut inbox) = app(4);
        for ends in [false, true] {
            let (first, to_first) = answer(&app, &mut inbox);
            let (second, to_second) = answer(&app, &mut inbox);
            let backlog = Backlog::new(vec![(first, None), (second, Some(0))], PER_TOKEN);
            app.streams.add(&backlog, told(&app, 0));
            let started = || (Instant::now(), Event::Started { cached_tokens: 0 });
            to_first.try_send(started()).unwrap();
            if ends {
                read(&backlog, |index| index == 1);
            }
            tell(&to_second, 100);
            look(&app);
            assert!(!backlog.lock().is_cut, "a client that reads all is cut");
            let next = if ends { Event::Finished(engine::FinishReason::Length) } else { Event::Scored(Vec::new()) };
            to_first.try_send((Instant::now(), next)).unwrap();
            if ends {
                read(&backlog, |index| index == 1);
            }
            app.streams.look(&app);
            assert!(!backlog.lock().is_cut, "nobody can have read it yet");
            app.streams.look(&app);
            assert!(backlog.lock().is_cut, "ends: {ends}");
        }
    }

    /// What was told of a prompt may be written, and wait for a client that reads nothing.
    #[test]
    fn a_stream_that_is_cut_holds_what_its_prompts_told_until_it_is_over() {
        let (app, mut inbox) = app(4);
        let all = app.logprobs.free();
        let (answer, events) = answer(&app, &mut inbox);
        let backlog = Backlog::new(vec![(answer, None)], PER_TOKEN);
        app.streams.add(&backlog, told(&app, 2 * PER_TOKEN));
        tell(&events, 2);
        look(&app);
        assert_eq!((backlog.lock().is_cut, app.logprobs.free()), (false, all / 2));
        tell(&events, 1);
        app.streams.look(&app);
        for _ in 0..2 {
            app.streams.look(&app);
            assert_eq!((backlog.lock().is_cut, app.logprobs.free()), (true, all - all / 4));
        }
        assert!(backlog.lock().answers[0].answer.is_none(), "what has come is freed");
        drop(backlog);
        assert_eq!(app.logprobs.free(), all);
    }

    /// As one that is cut, which may have millions of tokens to free.
    #[test]
    fn a_stream_that_is_looked_at_for_long_holds_up_no_other() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let (app, mut inbox) = app(4);
        let (slow, _events) = stream(&app, &mut inbox, 1);
        let (begin, begun) = mpsc::channel();
        let (end, ended) = mpsc::channel::<()>();
        let looked_at = slow.clone();
        let looking = std::thread::spawn(move || {
            let _held = looked_at.lock();
            begin.send(()).unwrap();
            let _ = ended.recv_timeout(Duration::from_secs(20));
        });
        begun.recv().unwrap();
        let began = Instant::now();
        let (answer, _events) = answer(&app, &mut inbox);
        runtime.block_on(async {
            let watching = tokio::spawn(watch(Shared::clone(&app)));
            // Until it is looked at the streams.
            tokio::time::sleep(PERIOD + PERIOD / 2).await;
            app.streams.add(&Backlog::new(vec![(answer, None)], PER_TOKEN), told(&app, 0));
            watching.abort();
        });
        assert!(began.elapsed() < Duration::from_secs(10), "others wait for it");
        drop(end);
        looking.join().unwrap();
    }
}
