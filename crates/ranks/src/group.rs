//! A rank's side of the run.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, BufReader};
use std::net::{Shutdown, TcpStream, ToSocketAddrs as _};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::coordinator::{MEETING_BYTES_MAX, in_words, place, step_text};
use crate::error::STOPPED;
use crate::frame::{FRAME_BYTES_MAX, read_frame, write_frame};
use crate::handshake::{Introduction, STEP_MAX, Verdict, first_difference, greet, introduce};
use crate::message::{Brought, Reply, Request, ToCoordinator, ToRank};
use crate::server::Server;
use crate::world::JOIN_SECONDS;
use crate::{Failure, GroupError, JoinError, World};

/// What all ranks of a run must have in common.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    /// The program and its version.
    pub version: String,
    /// What it was told to do, one thing a line: the first line that differs is named.
    pub configuration: String,
}

/// How long ranks have patience with each other.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// How long all ranks may take to come.
    pub join_max: Duration,
    /// After how long of that it is said who is waited for.
    pub word_after: Duration,
    /// How often each gives a sign of life.
    pub beat: Duration,
    /// How long a rank may be silent before it counts as dead. A closed connection is noticed at once.
    pub silence_max: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Timing {
            // Nodes of a job may start minutes apart.
            join_max: Duration::from_secs(300),
            word_after: Duration::from_secs(5),
            beat: Duration::from_secs(1),
            silence_max: Duration::from_secs(10),
        }
    }
}

/// How often a rank that joins looks whether rank 0 listens, and whether it is to stop.
const RETRY: Duration = Duration::from_millis(50);
/// How long rank 0 stays until the others have heard its last word, and a failed rank until rank 0 has.
const FAREWELL_MAX: Duration = Duration::from_secs(5);

/// This process as a rank of a run whose ranks have all come.
///
/// Dropping it without [`ProcessGroup::leave`] is this rank's death to the others. All methods may be called from any thread.
pub struct ProcessGroup {
    rank: u32,
    size: u32,
    local_rank: u32,
    local_device: u32,
    host: String,
    shared: Arc<Shared>,
}

struct Shared {
    stream: TcpStream,
    /// Held while a frame is written.
    writing: Mutex<()>,
    state: Mutex<State>,
    /// Something in `state` is new.
    changed: Condvar,
    timing: Timing,
    coordinator_host: String,
    /// On rank 0.
    server: Option<Server>,
}

struct State {
    next_id: u64,
    /// Requests that wait, with their answers once they are there.
    replies: HashMap<u64, Option<Reply>>,
    /// The request to leave: its answer ends the run.
    leaving: Option<u64>,
    ending: Option<Ending>,
    step: Option<u64>,
    coordinator_step: Option<u64>,
    coordinator_heard: Instant,
    on_failure: Option<OnFailure>,
}

type OnFailure = Box<dyn FnOnce(&Failure) + Send>;

enum Ending {
    /// This rank is done with the others; what becomes of them does not concern it.
    Left,
    Failed(Failure),
}

impl ProcessGroup {
    /// Joins the run, and returns once all ranks have.
    ///
    /// `on_failure` is called once, from another thread, as soon as another rank fails, dies or falls silent; and from this one, if that has
    /// happened before this rank came. It is there to end the process: this thread may be in a computation that waits for the dead rank and
    /// cannot be interrupted.
    ///
    /// Once `is_stopped`, which is asked again and again, this rank tells the others in place of waiting for them.
    ///
    /// # Errors
    /// Rank 0 cannot listen or cannot be reached, does not know the secret, or refuses this rank; or not all ranks come, or this one is stopped
    /// before they do.
    pub fn join(
        world: &World,
        terms: &Terms,
        timing: Timing,
        is_stopped: impl Fn() -> bool,
        on_failure: impl FnOnce(&Failure) + Send + 'static,
    ) -> Result<ProcessGroup, JoinError> {
        let address = format!("{}:{}", world.coordinator, world.port);
        let broken = |cause| JoinError::Broken { address: address.clone(), cause };
        let host = host();
        let introduction = Introduction::new(world, terms, host.clone());
        let server = serve(world, &address, &introduction, timing)?;
        let (stream, coordinator_host) = match enter(world, &address, &introduction, timing, &is_stopped) {
            Ok(entered) => entered,
            Err(error) => {
                if let JoinError::Stopped = &error {
                    tell_stopped(world, &address, introduction, timing);
                }
                // The run failed before rank 0 was in it, and the others have to hear that.
                if let Some(server) = &server {
                    server.wait_until_alone(FAREWELL_MAX);
                }
                if let JoinError::Failed(failure) = &error {
                    on_failure(failure);
                }
                return Err(error);
            }
        };
        stream.set_read_timeout(None).map_err(broken)?;
        let reader = stream.try_clone().map_err(broken)?;
        let state = State {
            next_id: 0,
            replies: HashMap::new(),
            leaving: None,
            ending: None,
            step: None,
            coordinator_step: None,
            coordinator_heard: Instant::now(),
            on_failure: Some(Box::new(on_failure)),
        };
        let shared = Arc::new(Shared {
            stream,
            writing: Mutex::new(()),
            state: Mutex::new(state),
            changed: Condvar::new(),
            timing,
            coordinator_host,
            server,
        });
        let group = ProcessGroup {
            rank: world.rank,
            size: world.size,
            local_rank: world.local_rank,
            local_device: world.local_device,
            host,
            shared: Arc::clone(&shared),
        };
        let listener = Arc::clone(&shared);
        thread::Builder::new().name("ranks".to_owned()).spawn(move || listener.listen(reader)).map_err(broken)?;
        thread::Builder::new().name("heartbeat".to_owned()).spawn(move || shared.beat()).map_err(broken)?;
        match group.await_all(&is_stopped) {
            Ok(true) => Ok(group),
            Ok(false) => Err(JoinError::Stopped),
            Err(GroupError::Failed(failure)) => Err(failure.into()),
            Err(error) => Err(broken(io::Error::other(error))),
        }
    }

    /// Waits until all ranks have come; false if this one is stopped before, which the others are told. Whoever does not come is rank 0's to
    /// tell.
    fn await_all(&self, is_stopped: &dyn Fn() -> bool) -> Result<bool, GroupError> {
        let start = Request::Meet { name: "the start".to_owned(), brings: Brought::Terms(Vec::new()), timeout: None };
        let have_come = self.shared.ask_until(start, Some(is_stopped))?.is_some();
        if !have_come {
            self.stop();
        }
        Ok(have_come)
    }

    /// Tells the other ranks, in place of joining them, that this one cannot take part, and why: they would wait for it. Returns once they
    /// know, or after `timing.join_max`.
    ///
    /// # Errors
    /// They could not be told.
    pub fn decline(world: &World, terms: &Terms, timing: Timing, why: String) -> Result<(), JoinError> {
        let address = format!("{}:{}", world.coordinator, world.port);
        let introduction = Introduction { cannot_begin: Some(why), ..Introduction::new(world, terms, host()) };
        let server = serve(world, &address, &introduction, timing)?;
        match enter(world, &address, &introduction, timing, &|| false) {
            // By rank 0, which tells the others.
            Ok(_) | Err(JoinError::Refused { .. } | JoinError::Failed(_)) => {}
            Err(error) => return Err(error),
        }
        if let Some(server) = server {
            server.wait_until_alone(timing.join_max);
        }
        Ok(())
    }

    /// This rank, from 0.
    pub fn rank(&self) -> u32 {
        self.rank
    }

    /// How many ranks there are.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// This process among those of its machine, from 0.
    pub fn local_rank(&self) -> u32 {
        self.local_rank
    }

    /// The name of this process's machine.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Which of the GPUs that this process sees is its own.
    pub fn local_device(&self) -> u32 {
        self.local_device
    }

    /// How the run has failed, if it has.
    pub fn failure(&self) -> Option<Failure> {
        match &self.shared.state().ending {
            Some(Ending::Failed(failure)) => Some(failure.clone()),
            Some(Ending::Left) | None => None,
        }
    }

    /// The step that this rank is at, for what is said of it should it die.
    pub fn at_step(&self, step: u64) {
        self.shared.state().step = Some(step);
        self.shared.send(&ToCoordinator::Beat { step: Some(step) });
    }

    /// Waits until the run has failed, for `at_most` that long; whether it has.
    pub fn await_failure(&self, at_most: Duration) -> bool {
        let state = self.shared.state();
        let is_on = |state: &mut State| state.ending.is_none();
        let waited = self.shared.changed.wait_timeout_while(state, at_most, is_on);
        let state = waited.unwrap_or_else(PoisonError::into_inner).0;
        matches!(state.ending, Some(Ending::Failed(_)))
    }

    /// The value of a key, waited for if no rank has stored it yet; for ever if no time is given, which a failure of the run ends too.
    ///
    /// # Errors
    /// Time is up, or the run has failed.
    pub fn get(&self, key: &[u8], timeout: Option<Duration>) -> Result<Vec<u8>, GroupError> {
        match self.shared.ask(Request::Get { key: key.to_vec(), timeout })? {
            Reply::Value(value) => Ok(value),
            _ => Err(GroupError::NoValue { key: shown(key), waited: timeout.unwrap_or_default() }),
        }
    }

    /// The value of a key, if a rank has stored it.
    ///
    /// # Errors
    /// The run has failed.
    pub fn try_get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, GroupError> {
        match self.shared.ask(Request::TryGet { key: key.to_vec() })? {
            Reply::Value(value) => Ok(Some(value)),
            _ => Ok(None),
        }
    }

    /// Stores a value for all ranks, in place of an earlier one. It is there when this returns.
    ///
    /// # Errors
    /// The value or the store is too large (16 MiB and 256 MiB), or the run has failed.
    pub fn put(&self, key: &[u8], value: &[u8]) -> Result<(), GroupError> {
        /// What a message has besides key and value.
        const ENVELOPE_BYTES: usize = 64;
        let full = || GroupError::Full { key: shown(key), bytes: value.len() };
        if key.len() + value.len() > FRAME_BYTES_MAX - ENVELOPE_BYTES {
            return Err(full());
        }
        match self.shared.ask(Request::Put { key: key.to_vec(), value: value.to_vec() })? {
            Reply::Full => Err(full()),
            _ => Ok(()),
        }
    }

    /// Waits until all ranks are here; for ever if no time is given, which a failure of the run ends too. `name` may be used again once all
    /// have passed.
    ///
    /// # Errors
    /// Time is up, with those that did not come, or the run has failed.
    pub fn barrier(&self, name: &str, timeout: Option<Duration>) -> Result<(), GroupError> {
        self.meet(name, Brought::Terms(Vec::new()), timeout).map(drop)
    }

    /// The sum of what all ranks give, place by place; waits for them. `name` may be used again once all have theirs.
    ///
    /// # Errors
    /// The run has failed.
    pub fn sum(&self, name: &str, terms: &[u64]) -> Result<Vec<u64>, GroupError> {
        match self.meet(name, Brought::Terms(terms.to_vec()), None)? {
            Reply::Sum(sum) => Ok(sum),
            reply => unreachable!("rank 0, which is of this version, answered {reply:?}"),
        }
    }

    /// What each rank gives, in their order, on all of them; waits for them. `name` may be used again once all have theirs.
    ///
    /// # Errors
    /// The run has failed.
    pub fn gather(&self, name: &str, value: &[u8]) -> Result<Vec<Vec<u8>>, GroupError> {
        // Large values come in pieces, the first of them behind the length of the whole.
        let piece_bytes = MEETING_BYTES_MAX / self.size as usize - size_of::<u64>();
        let (first, mut rest) = value.split_at(value.len().min(piece_bytes));
        let mut all = self.meet_with(name, &[&(value.len() as u64).to_le_bytes(), first].concat())?;
        let mut lengths = Vec::new();
        for value in &mut all {
            let (length, piece) = value.split_first_chunk().expect("a value's length is before it");
            lengths.push(u64::from_le_bytes(*length) as usize);
            *value = piece.to_vec();
        }
        let longest = lengths.into_iter().max().unwrap_or(0);
        for _ in 1..longest.div_ceil(piece_bytes) {
            let (piece, behind) = rest.split_at(rest.len().min(piece_bytes));
            rest = behind;
            all.iter_mut().zip(self.meet_with(name, piece)?).for_each(|(value, piece)| value.extend(piece));
        }
        Ok(all)
    }

    /// What rank 0 gives, on all ranks; waits for them. `name` may be used again once all have it.
    ///
    /// # Errors
    /// As [`ProcessGroup::gather`].
    pub fn told_by_first(&self, name: &str, value: impl FnOnce() -> Vec<u8>) -> Result<Vec<u8>, GroupError> {
        let value = if self.rank == 0 { value() } else { Vec::new() };
        Ok(self.gather(name, &value)?.swap_remove(0))
    }

    fn meet_with(&self, name: &str, value: &[u8]) -> Result<Vec<Vec<u8>>, GroupError> {
        match self.meet(name, Brought::Value(value.to_vec()), None)? {
            Reply::All(all) => Ok(Arc::unwrap_or_clone(all)),
            reply => unreachable!("rank 0, which is of this version, answered {reply:?}"),
        }
    }

    fn meet(&self, name: &str, brings: Brought, timeout: Option<Duration>) -> Result<Reply, GroupError> {
        match self.shared.ask(Request::Meet { name: name.to_owned(), brings, timeout })? {
            Reply::TimedOut { missing } => Err(GroupError::Barrier {
                name: name.to_owned(),
                missing: in_words(&missing),
                waited: timeout.unwrap_or_default(),
            }),
            reply => Ok(reply),
        }
    }

    /// Compares what all ranks have, one thing a line.
    ///
    /// # Errors
    /// Some rank has other lines than rank 0, or the run has failed.
    pub fn agree(&self, name: &str, lines: &str) -> Result<(), GroupError> {
        let all = self.gather(name, format!("{}\n{lines}", self.host).as_bytes())?;
        let all: Vec<String> = all.iter().map(|text| String::from_utf8_lossy(text).into_owned()).collect();
        let said = |rank: usize| all[rank].split_once('\n').unwrap_or_default();
        for rank in 1..all.len() {
            let ((host, theirs), (first_host, ours)) = (said(rank), said(0));
            if let Some((theirs, ours)) = first_difference(theirs, ours) {
                let (this, first) = (place(rank as u32, host), place(0, first_host));
                let [this, theirs, first, ours] = [this, theirs, first, ours].map(String::into_boxed_str);
                return Err(GroupError::Differ { rank: rank as u32, this, theirs, first, ours });
            }
        }
        Ok(())
    }

    /// Waits until all ranks are done, and ends the run without a failure.
    ///
    /// # Errors
    /// The run has failed.
    pub fn leave(&self) -> Result<(), GroupError> {
        self.shared.ask(Request::Leave)?;
        self.shared.farewell();
        Ok(())
    }

    /// [`ProcessGroup::fail`] of a rank that was asked to stop before it had begun, which [`Failure::is_stop`] tells from an error.
    pub fn stop(&self) {
        self.fail(STOPPED);
    }

    /// Tells all other ranks that this one gives up, and why; returns when rank 0 knows, or after seconds. Nothing more is told after the first
    /// time, nor where the run has failed already. Threads of this rank that wait for the others do so no longer.
    pub fn fail(&self, message: &str) {
        if self.shared.state().ending.is_some() {
            return;
        }
        let patience = Instant::now() + FAREWELL_MAX;
        // If the run has failed before, there is nobody to tell.
        let is_over = || Instant::now() >= patience;
        let _ = self.shared.ask_until(Request::Fail { message: message.to_owned() }, Some(&is_over));
        self.shared.state().ending.get_or_insert(Ending::Left);
        self.shared.changed.notify_all();
        self.shared.farewell();
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.shared.state().ending.get_or_insert(Ending::Left);
        self.shared.changed.notify_all();
        let _ = self.shared.stream.shutdown(Shutdown::Both);
    }
}

impl fmt::Debug for ProcessGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ProcessGroup(rank {} of {})", self.rank, self.size)
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask(&self, request: Request) -> Result<Reply, GroupError> {
        // It comes to an answer or to an end.
        self.ask_until(request, None).map(|reply| reply.unwrap_or(Reply::Done))
    }

    /// The answer to a request, or nothing once `is_over`, if that is given and before there is one.
    fn ask_until(&self, request: Request, is_over: Option<&dyn Fn() -> bool>) -> Result<Option<Reply>, GroupError> {
        let mut state = self.state();
        let id = state.next_id;
        state.next_id += 1;
        state.replies.insert(id, None);
        if request == Request::Leave {
            state.leaving = Some(id);
        }
        drop(state);
        self.send(&ToCoordinator::Request { id, request });
        let mut state = self.state();
        loop {
            if let Some(reply) = state.replies.get_mut(&id).and_then(Option::take) {
                state.replies.remove(&id);
                return Ok(Some(reply));
            }
            match &state.ending {
                Some(Ending::Failed(failure)) => return Err(failure.clone().into()),
                Some(Ending::Left) => return Err(GroupError::Left),
                None => {}
            }
            if is_over.is_some_and(|is_over| is_over()) {
                return Ok(None);
            }
            let waited = self.changed.wait_timeout(state, is_over.map_or(Duration::MAX, |_| RETRY));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Sends a message. Where that fails the connection is closed, which the listener notices.
    fn send(&self, message: &ToCoordinator) {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        if write_frame(&self.stream, message).is_err() {
            let _ = self.stream.shutdown(Shutdown::Both);
        }
    }

    /// Hears what rank 0 says, until the end.
    fn listen(&self, stream: TcpStream) {
        let mut reader = BufReader::new(stream);
        loop {
            let message = read_frame(&mut reader, FRAME_BYTES_MAX);
            let mut state = self.state();
            state.coordinator_heard = Instant::now();
            match message {
                Ok(ToRank::Beat { step }) => state.coordinator_step = step,
                Ok(ToRank::Reply { id, reply }) => {
                    if state.leaving == Some(id) {
                        state.ending.get_or_insert(Ending::Left);
                    }
                    // Nobody may wait for it any longer.
                    if let Some(slot) = state.replies.get_mut(&id) {
                        *slot = Some(reply);
                    }
                    self.changed.notify_all();
                }
                Ok(ToRank::Failed(failure)) => {
                    drop(state);
                    return self.lose(failure);
                }
                Err(_) => {
                    drop(state);
                    return self.lose_coordinator("its connection closed");
                }
            }
        }
    }

    /// Gives signs of life and looks for those of rank 0, until the end.
    fn beat(&self) {
        loop {
            let state = self.state();
            let is_on = |state: &mut State| state.ending.is_none();
            let (state, waited) =
                self.changed.wait_timeout_while(state, self.timing.beat, is_on).unwrap_or_else(PoisonError::into_inner);
            if !waited.timed_out() {
                return;
            }
            let (step, is_silent) = (state.step, state.coordinator_heard.elapsed() >= self.timing.silence_max);
            drop(state);
            if is_silent {
                let seconds = self.timing.silence_max.as_secs_f64();
                return self.lose_coordinator(&format!("nothing was heard of it for {seconds:.0} s"));
            }
            self.send(&ToCoordinator::Beat { step });
        }
    }

    fn lose_coordinator(&self, how: &str) {
        let step = self.state().coordinator_step;
        let sentence = format!("{} died{}: {how}", place(0, &self.coordinator_host), step_text(step));
        self.lose(Failure { rank: 0, sentence });
    }

    /// The run has failed, unless this rank is done with it.
    fn lose(&self, failure: Failure) {
        let mut state = self.state();
        if state.ending.is_some() {
            return;
        }
        state.ending = Some(Ending::Failed(failure.clone()));
        let on_failure = state.on_failure.take();
        drop(state);
        self.changed.notify_all();
        self.farewell();
        if let Some(on_failure) = on_failure {
            on_failure(&failure);
        }
    }

    /// Closes the connection; on rank 0, not before the others have heard what they were told.
    fn farewell(&self) {
        let _ = self.stream.shutdown(Shutdown::Both);
        if let Some(server) = &self.server {
            server.wait_until_alone(FAREWELL_MAX);
        }
    }
}

/// Tells the others of a rank that is stopped before it is in.
fn tell_stopped(world: &World, address: &str, introduction: Introduction, timing: Timing) {
    let farewell = Introduction { cannot_begin: Some(STOPPED.to_owned()), ..introduction };
    let timing = Timing { join_max: FAREWELL_MAX, word_after: Duration::MAX, ..timing };
    // Where there is no rank 0, nobody can be told.
    let _ = enter(world, address, &farewell, timing, &|| false);
}

/// What this machine is called.
fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// The server, on rank 0.
fn serve(
    world: &World,
    address: &str,
    introduction: &Introduction,
    timing: Timing,
) -> Result<Option<Server>, JoinError> {
    let server = (world.rank == 0).then(|| Server::start(world, introduction.clone(), timing)).transpose();
    server.map_err(|cause| JoinError::Listen { address: address.to_owned(), cause })
}

/// Connects to rank 0 and introduces this rank: the connection, and rank 0's host. Rank 0 may start later than this rank, and that of an earlier
/// start may be about to end.
fn enter(
    world: &World,
    address: &str,
    introduction: &Introduction,
    timing: Timing,
    is_stopped: &impl Fn() -> bool,
) -> Result<(TcpStream, String), JoinError> {
    let (begun, mut is_told) = (Instant::now(), false);
    loop {
        if is_stopped() {
            return Err(JoinError::Stopped);
        }
        let left = timing.join_max.saturating_sub(begun.elapsed());
        let greeted = connect(world, left.max(RETRY), timing).and_then(|stream| {
            let nonces = greet(&stream, &world.secret)?;
            Ok((stream, nonces))
        });
        match greeted {
            Err(cause) if left.is_zero() => {
                let (rank, address, waited) = (world.rank, address.to_owned(), begun.elapsed());
                return Err(JoinError::Unreachable { rank, address, waited, cause });
            }
            Err(cause) => {
                if !is_told && begun.elapsed() >= timing.word_after {
                    is_told = true;
                    let why = introduction
                        .cannot_begin
                        .as_ref()
                        .map(|why| format!(" to tell it why it cannot begin ({why})"));
                    tracing::warn!(
                        "rank {} waits for rank 0 at {address}{}, where it finds nobody yet: {cause}; {}",
                        world.rank,
                        why.unwrap_or_default(),
                        patience(timing.join_max)
                    );
                }
                thread::sleep(RETRY.min(left));
            }
            Ok((_, None)) => return Err(JoinError::Stranger { address: address.to_owned() }),
            // If it ends from here on, it was this run's rank 0, and there will be no other.
            Ok((stream, Some(nonces))) => {
                return match introduce(&stream, &world.secret, nonces, introduction) {
                    Ok(Verdict::Welcome { host }) => Ok((stream, host)),
                    Ok(Verdict::Refused(sentence)) => Err(JoinError::Refused { sentence }),
                    Ok(Verdict::Failed(failure)) => Err(failure.into()),
                    Err(cause) => Err(JoinError::Broken { address: address.to_owned(), cause }),
                };
            }
        }
    }
}

fn connect(world: &World, wait_max: Duration, timing: Timing) -> io::Result<TcpStream> {
    let mut cause = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
    for address in (world.coordinator.as_str(), world.port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, wait_max.min(STEP_MAX)) {
            // A system may connect a port that nobody listens on with itself.
            Ok(stream) if stream.local_addr()? == address => cause = io::ErrorKind::ConnectionRefused.into(),
            Ok(stream) => {
                stream.set_nodelay(true)?;
                stream.set_read_timeout(Some(STEP_MAX))?;
                stream.set_write_timeout(Some(timing.silence_max))?;
                return Ok(stream);
            }
            Err(error) => cause = error,
        }
    }
    Err(cause)
}

/// How long ranks wait for each other, and what changes that.
pub(crate) fn patience(join_max: Duration) -> String {
    format!("it gives up {:.0} s after its start ({JOIN_SECONDS})", join_max.as_secs_f64())
}

/// A key in words.
fn shown(key: &[u8]) -> String {
    String::from_utf8_lossy(key).into_owned()
}
