//! Whose turn it is to keep a thread busy: work that takes longer than a token, in an order that is fair among keys.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::oneshot;

use crate::app::{App, Stage, reached};
use crate::error::Error;

/// Who may keep a thread busy. Who waits for a turn has given the runtime nothing to do yet, so that a client that leaves takes all of its request
/// with it; what has its turn is done, whoever is still there to read it.
#[derive(Clone, Debug)]
pub(crate) struct Turns {
    all: Arc<Queue>,
    /// Those of work that may take seconds.
    long: Arc<Queue>,
}

/// How long something may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// Milliseconds.
    Short,
    /// Seconds: one thread at least is left to others.
    Long,
}

/// Threads for what takes long: tokenising takes many times a text's size, so there are few.
pub(crate) fn busy_threads() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from).max(2)
}

impl Turns {
    pub(crate) fn new() -> Turns {
        let threads = busy_threads();
        Turns { all: Queue::new(threads), long: Queue::new(threads - 1) }
    }

    /// Takes all turns that such work may have, until they are dropped.
    #[cfg(test)]
    pub(crate) fn take_all(&self, work: Work) -> Vec<Turn> {
        let queue = if work == Work::Short { &self.all } else { &self.long };
        let free = std::mem::take(&mut queue.lock().free);
        (0..free).map(|_| Turn { queue: Arc::clone(queue) }).collect()
    }

    /// Does what takes long on a thread that may be busy, when it is the turn of the key of that number ([`crate::keys::Pass::number`]).
    ///
    /// # Errors
    /// Those of `make`.
    pub(crate) async fn busy<T: Send + 'static>(
        &self,
        key: u64,
        work: Work,
        make: impl FnOnce() -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        // Long work waits for its own turn first, and takes none from others meanwhile.
        let long = match work {
            Work::Short => None,
            Work::Long => Some(self.long.turn(key).await?),
        };
        let turn = self.all.turn(key).await?;
        let current = tracing::Span::current();
        let done = tokio::task::spawn_blocking(move || {
            let made = current.in_scope(make);
            drop((turn, long));
            made
        });
        done.await.map_err(|error| Error::internal(format!("a thread of work failed: {error}")))?
    }
}

/// Waits for work as long as its request may take: `until`, or the server's end. What has its turn then goes on without it.
///
/// # Errors
/// Those of the work; and it took too long, of which `advice` says what to do about it, or the server ends.
pub(crate) async fn in_time<T>(
    app: &App,
    until: Instant,
    advice: &str,
    work: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    tokio::select! {
        made = work => made,
        () = reached(&app.stage, Stage::Cut) => Err(Error::stopping()),
        () = tokio::time::sleep_until(until.into()) => Err(Error::late_answer(app.limits.answer, advice)),
    }
}

/// So many turns at the same time. Keys that wait have theirs one after the other, so that many requests of one hold up no other's; a key's own are in the
/// order in which they came.
#[derive(Debug)]
pub(crate) struct Queue {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    free: usize,
    /// The number of the next who waits.
    next: u64,
    /// Those who wait, by their keys' numbers. None is empty.
    waiting: HashMap<u64, VecDeque<(u64, oneshot::Sender<Turn>)>>,
    /// The keys of those, in the order in which it is their turn.
    keys: VecDeque<u64>,
}

/// A turn, which is the next one's when this is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    queue: Arc<Queue>,
}

/// A place among those who wait, until this is dropped.
struct Place<'q> {
    queue: &'q Queue,
    key: u64,
    number: u64,
}

impl Queue {
    pub(crate) fn new(turns: usize) -> Arc<Queue> {
        Arc::new(Queue { state: Mutex::new(State { free: turns, ..State::default() }) })
    }

    /// What is locked here is whole between any two operations on it.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the key's turn.
    pub(crate) async fn turn(self: &Arc<Self>, key: u64) -> Result<Turn, Error> {
        let (mut receiver, number) = {
            let mut state = self.lock();
            // Nobody waits while there are free ones.
            if let Some(left) = state.free.checked_sub(1) {
                state.free = left;
                return Ok(Turn { queue: Arc::clone(self) });
            }
            state.push(key)
        };
        // Dropped before the receiver, so that no turn is given to who has left, save at that very moment.
        let _place = Place { queue: self, key, number };
        (&mut receiver).await.map_err(Error::internal)
    }
}

impl State {
    fn push(&mut self, key: u64) -> (oneshot::Receiver<Turn>, u64) {
        let (sender, receiver) = oneshot::channel();
        let number = self.next;
        self.next += 1;
        let waiting = self.waiting.entry(key).or_default();
        if waiting.is_empty() {
            self.keys.push_back(key);
        }
        waiting.push_back((number, sender));
        (receiver, number)
    }

    /// Whose turn it is.
    fn pop(&mut self) -> Option<oneshot::Sender<Turn>> {
        let key = self.keys.pop_front()?;
        let waiting = self.waiting.get_mut(&key)?;
        let next = waiting.pop_front();
        match waiting.is_empty() {
            true => _ = self.waiting.remove(&key),
            false => self.keys.push_back(key),
        }
        next.map(|(_, sender)| sender)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let next = {
            let mut state = self.queue.lock();
            let next = state.pop();
            state.free += usize::from(next.is_none());
            next
        };
        if let Some(next) = next {
            // One that nobody takes is dropped here, and with it the next one's.
            let _ = next.send(Turn { queue: Arc::clone(&self.queue) });
        }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut state = self.queue.lock();
        let Some(waiting) = state.waiting.get_mut(&self.key) else { return };
        waiting.retain(|(number, _)| *number != self.number);
        if waiting.is_empty() {
            state.waiting.remove(&self.key);
            state.keys.retain(|key| *key != self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Poll, Waker};

    use super::*;

    type Asked = std::pin::Pin<Box<dyn Future<Output = Result<Turn, Error>>>>;

    fn ask(queue: &Arc<Queue>, key: u64) -> Asked {
        let queue = Arc::clone(queue);
        let mut asked: Asked = Box::pin(async move { queue.turn(key).await });
        assert!(asked.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        asked
    }

    /// The keys of those who wait, in the order in which they have their turns.
    fn order(turn: Turn, mut asked: Vec<(u64, Asked)>) -> Vec<u64> {
        let mut order = Vec::new();
        drop(turn);
        while !asked.is_empty() {
            let mut ready = None;
            for (at, (key, one)) in asked.iter_mut().enumerate() {
                if let Poll::Ready(turn) = one.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                    assert!(ready.is_none(), "one has a turn");
                    order.push(*key);
                    ready = Some((at, turn.unwrap()));
                }
            }
            let (at, turn) = ready.expect("the next has its turn");
            drop(asked.remove(at));
            drop(turn);
        }
        order
    }

    fn first(queue: &Arc<Queue>) -> Turn {
        let mut asked = Box::pin(queue.turn(0));
        match asked.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(turn) => turn.unwrap(),
            Poll::Pending => panic!("a turn is free"),
        }
    }

    #[test]
    fn keys_have_their_turns_one_after_the_other() {
        let queue = Queue::new(1);
        let turn = first(&queue);
        let asked = [1, 1, 1, 1, 2, 3, 2].map(|key| (key, ask(&queue, key)));
        assert_eq!(order(turn, asked.into()), [1, 2, 3, 1, 2, 1, 1]);
        let state = queue.lock();
        assert_eq!((state.free, state.waiting.len(), state.keys.len()), (1, 0, 0));
    }

    #[test]
    fn who_leaves_takes_no_turn_and_no_room() {
        let queue = Queue::new(1);
        let turn = first(&queue);
        let mut asked: Vec<_> = [1, 1, 2, 3].map(|key| (key, ask(&queue, key))).into();
        (0..1000).for_each(|_| drop(ask(&queue, 4)));
        drop(asked.remove(2));
        let places = |state: &State| (state.waiting.len(), state.keys.len());
        assert_eq!(places(&queue.lock()), (2, 2));
        drop(asked.remove(0));
        // Who is given a turn and leaves before it takes it passes it on.
        drop(turn);
        drop(asked.remove(0));
        assert!(asked[0].1.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready());
        drop(asked);
        assert_eq!(queue.lock().free, 1);
    }
}
