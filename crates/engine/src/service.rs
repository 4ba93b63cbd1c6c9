//! What is asked of a running engine, and what it answers: messages, so that whoever asks may be on any thread.

mod counters;
mod messages;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Instant;

use tokio::sync::mpsc;
use tokio::sync::mpsc::error::{TryRecvError, TrySendError};

pub use counters::{AdapterUse, Counted, CountedText, Counters, STEP_TOKENS};
pub(crate) use messages::Wake;
pub use messages::{
    AdapterEntry, AdapterFault, Chosen, Event, Events, Failure, Message, Pooling, PromptLogprob, Refusal, Request,
    Unloaded,
};

/// The way to a running engine.
#[derive(Clone, Debug)]
pub struct Service {
    messages: mpsc::Sender<Message>,
    counters: Arc<Counters>,
    next: Arc<AtomicU64>,
    context: usize,
    vocab_size: usize,
    waiting: u64,
}

/// The engine's end of a [`Service`].
#[derive(Debug)]
pub struct Inbox {
    /// What is asked.
    pub messages: mpsc::Receiver<Message>,
    /// What was asked before that, and looked at by [`Inbox::drop_abandoned`].
    kept: VecDeque<Message>,
    /// What it counts.
    pub counters: Arc<Counters>,
    /// By which the engine's own threads wake it. Nobody asks by it, so that the inbox ends without it.
    pub(crate) waker: mpsc::WeakSender<Message>,
}

impl Inbox {
    /// Drops what nobody waits for any more, while no engine takes messages yet: clients that have left would hold their places until then, and those that
    /// ask in their stead find none.
    pub fn drop_abandoned(&mut self) {
        while let Ok(message) = self.messages.try_recv() {
            self.kept.push_back(message);
        }
        self.kept.retain(|message| match message {
            Message::Generate { events, .. } => !events.is_closed(),
            Message::Embed { reply, .. } => !reply.is_closed(),
            // Of one that has gone by that.
            Message::Cancel(_) => false,
            _ => true,
        });
    }

    /// The next message, if one is there.
    pub(crate) fn try_next(&mut self) -> Result<Message, TryRecvError> {
        self.kept.pop_front().map_or_else(|| self.messages.try_recv(), Ok)
    }

    /// The next message; waits for it. `None`: nobody can ask any more.
    pub(crate) fn wait_for_next(&mut self) -> Option<Message> {
        self.kept.pop_front().or_else(|| self.messages.blocking_recv())
    }

    /// Takes no more messages, and drops all that are there, those that are on their way among them.
    pub(crate) fn close(&mut self) {
        self.messages.close();
        while self.wait_for_next().is_some() {}
    }
}

/// An answer under way. It is cancelled when it is dropped.
#[derive(Debug)]
pub struct Answer {
    id: u64,
    events: mpsc::Receiver<(Instant, Event)>,
    messages: mpsc::Sender<Message>,
    has_ended: bool,
}

impl Service {
    /// A way to an engine that counts in `counters`, for texts of up to `context` tokens among `vocab_size`, where up to `waiting` requests wait beside those
    /// that have rows.
    pub fn new(context: usize, vocab_size: usize, waiting: usize, counters: Arc<Counters>) -> (Service, Inbox) {
        let most = waiting + counters.rows.load(Ordering::Relaxed) as usize;
        // As many requests as may be under way, texts for vectors and cancellations; and what else is asked.
        let (sender, messages) = mpsc::channel(3 * most + 64);
        let (kept, waker) = (VecDeque::new(), sender.downgrade());
        let inbox = Inbox { messages, kept, counters: counters.clone(), waker };
        let waiting = waiting as u64;
        (Service { messages: sender, counters, next: Arc::default(), context, vocab_size, waiting }, inbox)
    }

    /// The longest text, prompt and answer together, in tokens.
    pub fn context(&self) -> usize {
        self.context
    }

    /// How many tokens the model knows.
    pub fn vocab_size(&self) -> usize {
        self.vocab_size
    }

    /// Whether the engine has ended.
    pub fn has_ended(&self) -> bool {
        self.messages.is_closed()
    }

    /// Returns once the engine has ended.
    pub async fn ended(&self) {
        self.messages.closed().await;
    }

    /// How many requests may be under way at once.
    pub fn requests_max(&self) -> usize {
        (self.waiting + self.counters.rows.load(Ordering::Relaxed)) as usize
    }

    /// How many requests may wait where no row is free.
    pub fn waiting_max(&self) -> usize {
        self.waiting as usize
    }

    /// What the engine counts.
    pub fn counters(&self) -> &Arc<Counters> {
        &self.counters
    }

    /// Asks for answers of one key's, all or none.
    ///
    /// # Errors
    /// The prompt of the request in that place is empty, fills the context or has an unknown token; or too many requests are under way, of all or of the key. What the
    /// engine alone knows (an adapter's name) comes as an answer's first event, [`Failure::Refused`].
    pub fn submit(&self, requests: Vec<Request>) -> Result<Vec<Answer>, (usize, Refusal)> {
        for (at, request) in requests.iter().enumerate() {
            // Those to one prompt stand behind each other.
            let is_new = at == 0 || !Arc::ptr_eq(&requests[at - 1].prompt, &request.prompt);
            self.check(request, is_new).map_err(|refusal| (at, refusal))?;
        }
        let key = requests.first().map_or(0, |first| first.key);
        let counted = Counted::unless_full(&self.counters, key, requests.len() as u64, self.waiting);
        let counted = counted.map_err(|refusal| (0, refusal))?;
        let all = requests.into_iter().zip(counted).enumerate();
        all.map(|(at, (request, counted))| self.ask(request, counted).map_err(|refusal| (at, refusal))).collect()
    }

    /// Checks a request, and the tokens of its prompt if that is a new one.
    fn check(&self, request: &Request, is_new: bool) -> Result<(), Refusal> {
        let tokens = request.prompt.len();
        if tokens == 0 {
            return Err(Refusal::Empty);
        }
        let is_answered = request.max_tokens > 0;
        if tokens + usize::from(is_answered) > self.context {
            return Err(Refusal::TooLong { tokens, context: self.context, is_answered });
        }
        let ids: &[u32] = if is_new { &request.prompt } else { &[] };
        match ids.iter().find(|id| **id as usize >= self.vocab_size) {
            Some(&id) => Err(Refusal::Token { id, vocab_size: self.vocab_size }),
            None => Ok(()),
        }
    }

    fn ask(&self, mut request: Request, counted: Counted) -> Result<Answer, Refusal> {
        request.max_tokens = request.max_tokens.min(self.context - request.prompt.len());
        // One for the beginning, one for the prompt, one for the end.
        let (sender, events) = mpsc::channel(request.max_tokens + 3);
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        self.send(Message::Generate { id, request: Box::new(request), events: sender, counted })?;
        Ok(Answer { id, events, messages: self.messages.clone(), has_ended: false })
    }

    /// Sends a message that has its own reply.
    ///
    /// # Errors
    /// Too many messages are under way, or the engine has ended.
    pub fn send(&self, message: Message) -> Result<(), Refusal> {
        self.messages.try_send(message).map_err(|error| match error {
            TrySendError::Full(_) => {
                Refusal::Full { waiting: self.waiting_max(), places: self.waiting_max(), asked: 1 }
            }
            TrySendError::Closed(_) => Refusal::Stopping,
        })
    }

    /// Tells the engine to take no more requests, once there is room for the message.
    pub async fn drain(&self) {
        // An engine that has ended has nothing to drain.
        let _ = self.messages.send(Message::Drain).await;
    }
}

impl Answer {
    /// What comes next, with the time at which it did; `None` behind the end.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<(Instant, Event)>> {
        self.events.poll_recv(context).map(|event| self.note(event))
    }

    /// How much has come that nobody has taken.
    pub fn unread(&self) -> usize {
        self.events.len()
    }

    fn note(&mut self, event: Option<(Instant, Event)>) -> Option<(Instant, Event)> {
        if self.has_ended {
            return None;
        }
        let event = event.unwrap_or_else(|| (Instant::now(), Event::Failed(Failure::Stopping)));
        self.has_ended = matches!(event.1, Event::Finished(_) | Event::Failed(_));
        Some(event)
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        if !self.has_ended {
            // If there is no room for the message the engine finds that nobody reads.
            let _ = self.messages.try_send(Message::Cancel(self.id));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sampling;

    /// Those of no adapter, too: one that is not known is in no count.
    fn waiting(counters: &Counters) -> u64 {
        assert_eq!(counters.adapters().len(), 0);
        counters.waiting.load(Ordering::Relaxed)
    }

    fn request(key: u64) -> Request {
        Request {
            prompt: [1].into(),
            adapter: Some("tuned".to_owned()),
            sampling: Sampling::GREEDY,
            logit_bias: Vec::new(),
            max_tokens: 4,
            min_tokens: 0,
            end_ids: Vec::new(),
            logprobs: None,
            prompt_logprobs: None,
            constraint: None,
            priority: 0,
            key,
            cache_salt: None,
        }
    }

    /// A request that finds no room, or an engine that has ended, leaves no trace; and neither does one that nobody takes out of the channel.
    #[test]
    fn a_request_that_is_refused_is_in_no_count() {
        let counters = Arc::new(Counters::new(Instant::now()));
        let (service, inbox) = Service::new(16, 90, 1, Arc::clone(&counters));
        let submit = || service.submit(vec![request(0)]).map_err(|(_, refusal)| refusal);
        let answer = submit();
        assert!(answer.is_ok());
        assert_eq!(submit().map(|_| ()), Err(Refusal::Full { waiting: 1, places: 1, asked: 1 }));
        assert_eq!(waiting(&counters), 1);
        // For a row that is free one more may wait.
        counters.rows.store(3, Ordering::Relaxed);
        let mut others = [(); 2].map(|()| Counted::waiting(&counters));
        others.iter_mut().for_each(Counted::run);
        assert!(submit().is_ok());
        assert_eq!(submit().map(|_| ()), Err(Refusal::Full { waiting: 2, places: 2, asked: 1 }));
        // The channel has room for other messages than requests.
        let full = std::iter::repeat_with(|| service.send(Message::Cancel(7))).find_map(Result::err);
        assert_eq!(
            full,
            Some(Refusal::Full { waiting: 1, places: 1, asked: 1 }),
            "as many requests as may wait are told"
        );
        drop(inbox);
        assert_eq!(waiting(&counters), 0);
        assert_eq!(submit().map(|_| ()), Err(Refusal::Stopping));
        assert_eq!(waiting(&counters), 0);
    }

    /// Making programs takes minutes, and clients ask again for what they have waited for in vain.
    #[test]
    fn who_has_left_before_there_is_an_engine_holds_no_place() {
        let counters = Arc::new(Counters::new(Instant::now()));
        let (service, mut inbox) = Service::new(16, 90, 3, Arc::clone(&counters));
        let submit = || service.submit(vec![request(0)]).map(|mut answers| answers.remove(0));
        let [first, left, last] = [(); 3].map(|()| submit().unwrap());
        drop(left);
        assert!(submit().is_err(), "it holds its place until somebody looks");
        inbox.drop_abandoned();
        let again = submit().unwrap();
        inbox.drop_abandoned();
        assert_eq!(waiting(&counters), 3);
        let next = submit();
        assert!(next.is_err());
        let mut taken = || match inbox.try_next() {
            Ok(Message::Generate { id, .. }) => Some(id),
            Ok(other) => panic!("{other:?}"),
            Err(_) => None,
        };
        let expected = [&first, &last, &again].map(|answer| Some(answer.id));
        assert_eq!([taken(), taken(), taken()], expected, "in the order in which they came");
        assert_eq!(taken(), None);
    }

    /// The engine begins requests, and preempts them, while others come.
    #[test]
    fn as_many_are_taken_as_may_run_and_wait_wherever_they_are() {
        let counters = Arc::new(Counters::new(Instant::now()));
        counters.rows.store(2, Ordering::Relaxed);
        let (service, mut inbox) = Service::new(16, 90, 3, Arc::clone(&counters));
        let submit = |count| service.submit((0..count).map(|_| request(0)).collect()).map_err(|(_, refusal)| refusal);
        let _answers = submit(4).unwrap();
        let mut taken: Vec<Counted> = std::iter::from_fn(|| match inbox.messages.try_recv() {
            Ok(Message::Generate { counted, .. }) => Some(counted),
            _ => None,
        })
        .collect();
        let full = |asked, waiting, places| {
            assert_eq!(submit(asked).map(drop), Err(Refusal::Full { waiting, places, asked }));
        };
        // How many of them the engine has begun, and has told of with the step behind that.
        for (begun, told, waiting, places) in [(0, 0, 4, 5), (2, 0, 2, 3), (2, 2, 2, 3), (4, 1, 2, 3)] {
            taken[..begun].iter_mut().for_each(Counted::run);
            counters.running.store(told, Ordering::Relaxed);
            full(2, waiting, places);
        }
        taken[1..].iter_mut().for_each(Counted::preempt);
        full(2, 2, 3);
        let last = submit(1).unwrap();
        full(1, 3, 3);
        taken.pop();
        full(2, 2, 3);
        assert!(submit(1).is_ok());
        drop(last);
    }

    /// A few requests for hundreds of answers each would keep the requests of all other keys away.
    #[test]
    fn a_key_leaves_as_many_places_as_it_has() {
        let in_order = |rows: u64, asked: &[(u64, u64)]| {
            let counters = Arc::new(Counters::new(Instant::now()));
            counters.rows.store(rows, Ordering::Relaxed);
            let (service, inbox) = Service::new(16, 90, 8 - rows as usize, Arc::clone(&counters));
            let ask = |&(key, count): &(u64, u64)| match service.submit((0..count).map(|_| request(key)).collect()) {
                Ok(_) => '.',
                Err((_, Refusal::FullForKey)) => 'k',
                Err((_, Refusal::Full { .. })) => 'x',
                Err((_, other)) => panic!("{other}"),
            };
            let told: String = asked.iter().map(ask).collect();
            drop(inbox);
            assert_eq!((waiting(&counters), counters.places().waiting_by_key.len()), (0, 0));
            told
        };
        assert_eq!(in_order(0, &[(1, 3), (1, 2), (2, 3), (2, 6), (2, 2), (3, 1), (4, 1), (5, 1), (6, 1)]), ".kkx....x");
        assert_eq!(in_order(0, &[(1, 8), (2, 1)]), ".x", "who finds nobody waiting may ask for more");
        assert_eq!(in_order(0, &[(0, 3), (0, 3), (0, 2), (0, 1)]), "...x", "there are no others");
        assert_eq!(in_order(6, &[(1, 3), (1, 3), (1, 1), (2, 1)]), "..k.", "rows that are free are anyone's");
    }
}
