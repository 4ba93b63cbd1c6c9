//! A double of the engine that answers with what a test has written down.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use engine::{
    AdapterEntry, AdapterList, Chosen, Event, Events, Failure, FinishReason, Inbox, Message, PromptLogprob, Refusal,
    Request, Unloaded,
};
use tempfile::TempDir;

/// How the double answers a request.
pub(crate) enum Script {
    /// These tokens, as far as `max_tokens` and `end_ids` let it.
    Tokens(Vec<u32>),
    /// The same token over and over, with a pause before each.
    Endless(u32, Duration),
    /// Nothing, until the test is over.
    Silence,
    /// These tokens, after the state of so many of the prompt's was found.
    Cached(usize, Vec<u32>),
    /// This, after so many tokens.
    Fail(Vec<u32>, Failure),
}

/// A text of this token alone has no vector until the test is over.
pub(crate) const NEVER_EMBEDDED: u32 = 0;

/// A text of this token alone takes a moment.
pub(crate) const SLOWLY_EMBEDDED: u32 = 1;

/// An adapter of this folder is looked at until nobody waits for it any more.
pub(crate) const NEVER_LOOKED_AT: &str = "never";

/// One of this folder, until that time is over.
pub(crate) const SLOWLY_LOOKED_AT: (&str, Duration) = ("adapters/slow", Duration::from_millis(300));

/// An adapter that is unloaded when nobody waits for it any more.
pub(crate) const UNLOADED_LATE: &str = "late";

/// An adapter that was put into the folder, and that nobody has asked for.
pub(crate) const UNASKED: &str = "put";

/// What the double has seen.
#[derive(Debug)]
pub(crate) enum Seen {
    Request(Box<Request>),
    Cancel(u64),
    Embed,
    Look,
    Drain,
}

/// Answers messages on a thread of its own until the server is gone.
pub(crate) fn run(inbox: Inbox, script: impl Fn(&Request) -> Script + Send + 'static) -> Receiver<Seen> {
    let (sender, seen) = channel();
    inbox.counters.is_ready.store(true, Ordering::Relaxed);
    std::thread::spawn(move || answer_all(inbox, &script, &sender));
    seen
}

/// Of two: one that nobody has asked for, and one that no request gets, as it has the model's own name.
fn folder_of_adapters() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in [UNASKED, "small"] {
        let path = folder.path().join(name);
        std::fs::create_dir(&path).unwrap();
        std::fs::write(path.join("adapter_config.json"), "{}").unwrap();
    }
    folder
}

fn answer_all(mut inbox: Inbox, script: &dyn Fn(&Request) -> Script, seen: &Sender<Seen>) {
    let mut known = Known::new(seen.clone());
    // Answers that never come: their senders stay, or the answers would have failed.
    let (mut silent, mut unanswered) = (Vec::new(), Vec::new());
    // As the engine, it takes no more requests then; and no texts, for which the engine may have ended.
    let mut is_draining = false;
    while let Some(message) = inbox.messages.blocking_recv() {
        inbox.counters.note_step(Instant::now());
        match message {
            Message::Generate { events, .. } if is_draining => {
                let _ = events.try_send((Instant::now(), Event::Failed(Failure::Stopping)));
            }
            Message::Embed { reply, .. } if is_draining => {
                let _ = reply.send(Err(Failure::Stopping));
            }
            Message::Generate { request, events, counted, .. } => {
                drop(counted);
                let script = script(&request);
                let unknown = request.adapter.clone().filter(|name| !known.has(name));
                let asked = Asked::of(&request);
                // A test that has ended looks at nothing.
                let _ = seen.send(Seen::Request(request));
                if let Some(name) = unknown {
                    let _ = events
                        .try_send((Instant::now(), Event::Failed(Failure::Refused(Refusal::NoSuchAdapter(name)))));
                } else if matches!(script, Script::Silence) {
                    silent.push(events);
                } else {
                    std::thread::spawn(move || answer(&asked, script, &events));
                }
            }
            Message::Cancel(id) => {
                let _ = seen.send(Seen::Cancel(id));
            }
            Message::Embed { adapter: Some(name), reply, .. } => {
                let refusal = match known.has(&name) {
                    true => Refusal::VectorOfAdapter(name),
                    false => Refusal::NoSuchAdapter(name),
                };
                let _ = reply.send(Err(Failure::Refused(refusal)));
            }
            Message::Embed { tokens, reply, .. } if tokens == [NEVER_EMBEDDED] => {
                let _ = seen.send(Seen::Embed);
                unanswered.push(reply);
            }
            Message::Embed { tokens, reply, pooling, .. } => {
                let _ = seen.send(Seen::Embed);
                if tokens == [SLOWLY_EMBEDDED] {
                    std::thread::sleep(Duration::from_millis(2));
                }
                let first = if pooling == engine::Pooling::Mean { 0.5 } else { 1.0 };
                let _ = reply.send(Ok(vec![first, -0.25, tokens.len() as f32]));
            }
            Message::LoadAdapter { .. }
            | Message::UnloadAdapter { .. }
            | Message::Adapters { .. }
            | Message::Adapter { .. } => known.take(message),
            Message::Drain => {
                is_draining = true;
                let _ = seen.send(Seen::Drain);
            }
            Message::Wake(_) => {}
        }
    }
}

/// The adapters that the double knows.
struct Known {
    folder: TempDir,
    adapters: Adapters,
    /// Those that are to be loaded, of which one is looked at at a time, as by the engine.
    looks: Sender<Message>,
}

type Adapters = Arc<Mutex<Vec<AdapterEntry>>>;

impl Known {
    fn new(seen: Sender<Seen>) -> Known {
        let tuned = AdapterEntry { name: "tuned".to_owned(), path: "adapters/tuned".into() };
        let adapters = Arc::new(Mutex::new(vec![tuned]));
        let ((looks, asked), known) = (channel(), Arc::clone(&adapters));
        std::thread::spawn(move || asked.into_iter().for_each(|load| look(load, &known, &seen)));
        Known { folder: folder_of_adapters(), adapters, looks }
    }

    /// Whether requests may ask for that name.
    fn has(&self, name: &str) -> bool {
        self.adapters.lock().unwrap().iter().any(|known| known.name == name)
    }

    /// Does what a message about adapters asks for.
    fn take(&mut self, message: Message) {
        match message {
            Message::LoadAdapter { .. } => self.looks.send(message).unwrap(),
            Message::UnloadAdapter { name, reply } => {
                while name == UNLOADED_LATE && !reply.is_closed() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                let mut adapters = self.adapters.lock().unwrap();
                let count = adapters.len();
                adapters.retain(|adapter| adapter.name != name);
                let found = adapters.len() < count;
                let _ = reply.send(match found {
                    _ if name == UNASKED => Ok(Unloaded::InFolder),
                    true => Ok(Unloaded::Gone),
                    false => Err(Refusal::NoSuchAdapter(name)),
                });
            }
            Message::Adapters { reply, .. } => {
                let folder = Some(self.folder.path().to_owned());
                let _ = reply.send(AdapterList::new(self.adapters.lock().unwrap().as_slice().into(), folder));
            }
            Message::Adapter { name, reply, .. } => {
                let known = self.adapters.lock().unwrap().iter().find(|adapter| adapter.name == name).cloned();
                let in_folder =
                    (name == UNASKED).then(|| AdapterEntry { path: self.folder.path().join(UNASKED), name });
                let _ = reply.send(known.or(in_folder));
            }
            _ => {}
        }
    }
}

/// Looks at an adapter, and makes it known.
fn look(load: Message, adapters: &Adapters, seen: &Sender<Seen>) {
    let Message::LoadAdapter { name, path, is_pinned, reply } = load else { return };
    let _ = seen.send(Seen::Look);
    while path.as_os_str() == NEVER_LOOKED_AT && !reply.is_closed() {
        std::thread::sleep(Duration::from_millis(1));
    }
    if path.as_os_str() == SLOWLY_LOOKED_AT.0 {
        std::thread::sleep(SLOWLY_LOOKED_AT.1);
    }
    let is_there = path.starts_with("adapters");
    let refusal = Refusal::Adapter { name: name.clone(), reason: "there is no such folder".to_owned() };
    if is_there {
        // So that a client can see what came.
        let kept = if is_pinned { " (pinned)" } else { "" };
        adapters.lock().unwrap().push(AdapterEntry { name, path: format!("{}{kept}", path.display()).into() });
    }
    let _ = reply.send(if is_there { Ok(()) } else { Err(refusal) });
}

/// What of a request decides how it is answered.
struct Asked {
    prompt: usize,
    max_tokens: usize,
    end_ids: Vec<u32>,
    likeliest: Option<usize>,
    prompt_likeliest: Option<usize>,
}

impl Asked {
    fn of(request: &Request) -> Asked {
        Asked {
            prompt: request.prompt.len(),
            max_tokens: request.max_tokens,
            end_ids: request.end_ids.clone(),
            likeliest: request.logprobs,
            prompt_likeliest: request.prompt_logprobs,
        }
    }
}

/// The log-probabilities are made up: -0.5 for the token, and -1, -2, … for its neighbours.
fn chosen(token: u32, likeliest: Option<usize>) -> Event {
    let neighbours = (0..likeliest.unwrap_or(0) as u32).map(|step| (token + step, -1.0 - step as f32));
    Event::Token(Chosen { token, logprob: -0.5, likeliest: neighbours.collect() })
}

/// Made up as well: -0.25 for a prompt's second token, -0.5 for the third, …, each in place 3, behind the tokens 7, 8, …
fn scored(asked: &Asked) -> Option<Event> {
    let likeliest = (0..asked.prompt_likeliest? as u32).map(|step| (7 + step, -0.125 - step as f32));
    let place =
        |at: usize| PromptLogprob { logprob: -0.25 * at as f32, rank: 3, likeliest: likeliest.clone().collect() };
    Some(Event::Scored((1..asked.prompt).map(place).collect()))
}

fn answer(asked: &Asked, script: Script, events: &Events) {
    let send = |event| events.blocking_send((Instant::now(), event)).is_ok();
    let (cached_tokens, tokens) = match script {
        Script::Silence => return,
        Script::Endless(token, pause) => {
            send(Event::Started { cached_tokens: 0 });
            scored(asked).into_iter().for_each(|scored| _ = send(scored));
            for _ in 0..asked.max_tokens {
                std::thread::sleep(pause);
                if !send(chosen(token, asked.likeliest)) {
                    return;
                }
            }
            send(Event::Finished(FinishReason::Length));
            return;
        }
        Script::Fail(tokens, failure) => {
            let _ = tokens.into_iter().all(|token| send(chosen(token, None)));
            send(Event::Failed(failure));
            return;
        }
        Script::Tokens(tokens) => (asked.prompt / 2, tokens),
        Script::Cached(cached, tokens) => (cached, tokens),
    };
    send(Event::Started { cached_tokens });
    if let Some(scored) = scored(asked) {
        send(scored);
    }
    for (count, token) in tokens.into_iter().enumerate() {
        if asked.end_ids.contains(&token) {
            send(Event::Finished(FinishReason::Stop));
            return;
        }
        if count == asked.max_tokens {
            break;
        }
        if !send(chosen(token, asked.likeliest)) {
            return;
        }
    }
    send(Event::Finished(FinishReason::Length));
}
