//! What has come for the answers to a request, and nobody has read.

use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use engine::{Answer, Event};

use crate::app::Shared;
use crate::error::Error;
use crate::logprobs::Told;

/// How often it is looked at what streams hold. A second's tokens are few beside what all may hold.
const PERIOD: Duration = Duration::from_secs(1);

/// What comes for the answers to a request. The one who looks at streams has it in common with the connection, which looks at nothing as long as its client
/// does not read.
#[derive(Clone, Debug)]
pub(crate) struct Backlog {
    state: Arc<Mutex<State>>,
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
    /// The connection's, where it waits for an answer: it may wait for one of which nothing has come.
    waker: Option<Waker>,
}

/// What comes for an answer.
#[derive(Debug)]
struct Coming {
    /// `None`: nobody reads any more of it.
    answer: Option<Answer>,
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
    /// Of these answers, with so many log-probabilities of each token.
    pub(crate) fn new(answers: Vec<Answer>, per_token: usize) -> Backlog {
        let answers =
            answers.into_iter().map(|answer| Coming { answer: Some(answer), left: Left::default() }).collect();
        Backlog { state: Arc::new(Mutex::new(State { answers, per_token, told: None, is_cut: false, waker: None })) }
    }

    /// What is locked here is whole between any two operations on it.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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
        let coming = &mut self.lock().answers[index];
        coming.leave();
        coming.left
    }
}

impl Coming {
    fn leave(&mut self) {
        let Some(mut answer) = self.answer.take() else { return };
        // Within a task tokio would say after some messages that there are none.
        let mut next = pin!(tokio::task::unconstrained(std::future::poll_fn(|context| answer.poll_next(context))));
        let mut context = Context::from_waker(Waker::noop());
        while let Poll::Ready(Some((_, event))) = next.as_mut().poll(&mut context) {
            match event {
                Event::Token(_) => self.left.tokens += 1,
                Event::Started { cached_tokens } => self.left.found = Some(cached_tokens),
                _ => {}
            }
        }
    }
}

impl State {
    /// Counts what nobody has read. Where there is no room for it the stream is cut: what it holds is free at once, though its client reads nothing.
    fn look(&mut self) {
        let unread: usize = self.answers.iter().filter_map(|coming| Some(coming.answer.as_ref()?.unread())).sum();
        let count = unread.saturating_mul(self.per_token);
        let Some(told) = &mut self.told else { return };
        if told.fit(count).is_err() {
            self.is_cut = true;
            self.answers.iter_mut().for_each(Coming::leave);
            self.told = None;
            self.waker.take().into_iter().for_each(Waker::wake);
        }
    }
}

/// The streams under way.
#[derive(Debug, Default)]
pub(crate) struct Streams {
    all: Mutex<Vec<Weak<Mutex<State>>>>,
}

impl Streams {
    fn lock(&self) -> MutexGuard<'_, Vec<Weak<Mutex<State>>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts from now on what nobody has read of it.
    pub(crate) fn add(&self, backlog: &Backlog, told: Told) {
        backlog.lock().told = Some(told);
        self.lock().push(Arc::downgrade(&backlog.state));
    }

    /// Looks at all of them, and forgets those that are over.
    fn look(&self) {
        self.lock().retain(|stream| {
            let Some(state) = stream.upgrade() else { return false };
            Backlog { state }.lock().look();
            true
        });
    }
}

/// Looks at the streams, for ever.
pub(crate) async fn watch(app: Shared) {
    loop {
        tokio::time::sleep(PERIOD).await;
        app.streams.look();
    }
}
