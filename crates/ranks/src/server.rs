//! Rank 0's connections: threads that carry messages between sockets and the [`Coordinator`].

use std::io::{self, BufReader};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs as _};
use std::os::fd::AsFd as _;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::coordinator::{Coordinator, Outgoing, Refusal};
use crate::frame::{FRAME_BYTES_MAX, read_frame, write_frame};
use crate::handshake::{Introduction, Judgement, STEP_MAX, Verdict, answer, meet};
use crate::message::{ToCoordinator, ToRank};
use crate::{Failure, Secret, Timing, World};

/// How often new connections and what is late are looked at.
const TICK: Duration = Duration::from_millis(20);
/// The most connections that have not proved to be ranks yet; strangers beyond them are hung up on.
const STRANGERS_MAX: usize = 256;
/// The most messages that wait for a rank to read them.
const OUTBOX_MESSAGES_MAX: usize = 4096;

/// Serves the ranks until it is dropped.
pub(crate) struct Server {
    shared: Arc<Shared>,
}

struct Shared {
    inner: Mutex<Inner>,
    /// A rank's connection is closed.
    closed: Condvar,
    stopped: AtomicBool,
    strangers: AtomicUsize,
    secret: Secret,
    /// What rank 0 says of itself.
    ours: Introduction,
    timing: Timing,
}

struct Inner {
    run: Coordinator,
    /// For each rank that is connected, what is to be sent to it.
    outboxes: Vec<Option<SyncSender<ToRank>>>,
}

impl Server {
    /// Listens where the world says that rank 0 does.
    pub(crate) fn start(world: &World, ours: Introduction, timing: Timing) -> io::Result<Server> {
        let listener =
            if world.listens_on_stdin { inherited(world.port) } else { listen(&world.coordinator, world.port) }?;
        listener.set_nonblocking(true)?;
        let shared = Arc::new(Shared {
            inner: Mutex::new(Inner {
                run: Coordinator::new(world.size, timing, Instant::now()),
                outboxes: vec![None; world.size as usize],
            }),
            closed: Condvar::new(),
            stopped: AtomicBool::new(false),
            strangers: AtomicUsize::new(0),
            secret: world.secret.clone(),
            ours,
            timing,
        });
        let served = Arc::clone(&shared);
        thread::Builder::new().name("coordinator".to_owned()).spawn(move || served.serve(&listener))?;
        Ok(Server { shared })
    }

    /// Waits until no rank but rank 0 is connected, nor on its way to a run that has failed: until then the process must not end, or they would
    /// take that for its death, or look for it in vain.
    pub(crate) fn wait_until_alone(&self, at_most: Duration) {
        let end = Instant::now() + at_most;
        let mut inner = self.shared.inner();
        while Instant::now() < end
            && (inner.outboxes.iter().skip(1).any(Option::is_some) || inner.run.is_failed_for_some(Instant::now()))
        {
            inner = self.shared.closed.wait_timeout(inner, TICK).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::Relaxed);
        // Connections whose outbox is gone are closed.
        self.shared.inner().outboxes.fill(None);
    }
}

/// What this process was started with as its standard input.
fn inherited(port: u16) -> io::Result<TcpListener> {
    let listener = TcpListener::from(io::stdin().as_fd().try_clone_to_owned()?);
    let rule = || io::Error::new(io::ErrorKind::InvalidInput, "standard input is no socket that listens there");
    let is_there = listener.local_addr().is_ok_and(|address| address.port() == port);
    is_there.then_some(listener).ok_or_else(rule)
}

/// A name for this machine alone is listened to on this machine alone. Other names may stand for another address on the machine that
/// has them (Debian's 127.0.1.1), so they mean all of its addresses.
fn listen(host: &str, port: u16) -> io::Result<TcpListener> {
    if host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback()) {
        return TcpListener::bind((host, port));
    }
    let all = match (host, port).to_socket_addrs()?.next() {
        Some(SocketAddr::V6(_)) => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
        _ => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
    };
    TcpListener::bind((all, port))
}

impl Shared {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes connections, looks at what is late and gives signs of life.
    fn serve(self: Arc<Self>, listener: &TcpListener) {
        let mut last_beat = Instant::now();
        while !self.stopped.load(Ordering::Relaxed) {
            while let Ok((stream, address)) = listener.accept() {
                self.receive(stream, address);
            }
            let mut inner = self.inner();
            let late = inner.run.tick(Instant::now());
            inner.deliver(late);
            if let Some(word) = inner.run.word(Instant::now()) {
                tracing::warn!("{word}");
            }
            if last_beat.elapsed() >= self.timing.beat {
                last_beat = Instant::now();
                let step = inner.run.step();
                let beats = (0..inner.outboxes.len() as u32).map(|rank| (rank, ToRank::Beat { step }));
                inner.deliver(beats.collect());
            }
            drop(inner);
            thread::sleep(TICK);
        }
    }

    fn receive(self: &Arc<Self>, stream: TcpStream, address: SocketAddr) {
        if self.strangers.fetch_add(1, Ordering::Relaxed) >= STRANGERS_MAX {
            self.strangers.fetch_sub(1, Ordering::Relaxed);
            return tracing::warn!("hung up on {address}: too many others have not said yet who they are");
        }
        let shared = Arc::clone(self);
        let speak = move || {
            let admitted = shared.admit(&stream, address);
            shared.strangers.fetch_sub(1, Ordering::Relaxed);
            match admitted {
                Ok(Some((rank, outbox))) => shared.carry(stream, rank, outbox),
                Ok(None) => {}
                Err(error) => tracing::debug!(%address, %error, "a connection that was not a rank's"),
            }
        };
        if let Err(error) = thread::Builder::new().name("rank".to_owned()).spawn(speak) {
            self.strangers.fetch_sub(1, Ordering::Relaxed);
            tracing::warn!("hung up on {address}: cannot start a thread for it: {error}");
        }
    }

    /// The handshake: a rank's number and its messages, or nothing if it was turned away.
    fn admit(&self, stream: &TcpStream, address: SocketAddr) -> io::Result<Option<(u32, Receiver<ToRank>)>> {
        // Accepted sockets of some systems take this over from the listener.
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(STEP_MAX))?;
        stream.set_write_timeout(Some(self.timing.silence_max))?;
        let Some(theirs) = meet(stream, &self.secret)? else {
            tracing::warn!("turned {address} away: it does not know this run's secret");
            return answer(stream, &Verdict::Refused("this run has another secret".to_owned())).map(|()| None);
        };
        let turned_away = |sentence: String| {
            tracing::warn!("turned {address} away: {sentence}");
            answer(stream, &Verdict::Refused(sentence)).map(|()| None)
        };
        match self.ours.judge(&theirs) {
            Judgement::Fits => {}
            Judgement::Stale(sentence) => return turned_away(sentence),
            Judgement::Contradicts(sentence) => {
                let failure = Failure { rank: theirs.rank, sentence: sentence.clone() };
                return self.end_run(stream, theirs.rank, failure, Verdict::Refused(sentence)).map(|()| None);
            }
            Judgement::Declined(sentence) => {
                let failure = Failure { rank: self.ours.rank, sentence };
                return self.end_run(stream, theirs.rank, failure.clone(), Verdict::Failed(failure)).map(|()| None);
            }
        }
        let mut inner = self.inner();
        if let Err(refusal) = inner.run.join(theirs.rank, &theirs.host, Instant::now()) {
            return match refusal {
                // As in `end_run`.
                Refusal::RunFailed(failure) => answer(stream, &Verdict::Failed(failure)).map(|()| None),
                Refusal::Misplaced(sentence) => {
                    drop(inner);
                    turned_away(sentence)
                }
            };
        }
        let (sender, outbox) = sync_channel(OUTBOX_MESSAGES_MAX);
        inner.outboxes[theirs.rank as usize] = Some(sender);
        drop(inner);
        // A connection that breaks here is found broken by whoever carries its messages.
        let welcome = Verdict::Welcome { host: self.ours.host.clone() };
        let _ = answer(stream, &welcome).and_then(|()| stream.set_read_timeout(None));
        Ok(Some((theirs.rank, outbox)))
    }

    /// Turns a rank away, and tells all others that the run has failed.
    fn end_run(&self, stream: &TcpStream, rank: u32, failure: Failure, verdict: Verdict) -> io::Result<()> {
        // Held, and answered first, because rank 0 may end once it finds nobody who does not know.
        let mut inner = self.inner();
        let answered = answer(stream, &verdict);
        let told = inner.run.refuse(rank, failure);
        inner.deliver(told);
        answered
    }

    /// Reads what a rank says until its connection ends; another thread writes what it is told.
    fn carry(&self, stream: TcpStream, rank: u32, outbox: Receiver<ToRank>) {
        if let Ok(writer) = stream.try_clone() {
            let write = move || {
                // An outbox that is gone ends this as an error does.
                let _ = outbox.iter().try_for_each(|message| write_frame(&writer, &message));
                let _ = writer.shutdown(Shutdown::Both);
            };
            if let Err(error) = thread::Builder::new().name(format!("to rank {rank}")).spawn(write) {
                tracing::warn!("rank {rank} cannot be told anything: cannot start a thread for it: {error}");
            }
        }
        let mut reader = BufReader::new(stream);
        loop {
            let message = read_frame(&mut reader, FRAME_BYTES_MAX);
            let mut inner = self.inner();
            match message {
                Ok(ToCoordinator::Beat { step }) => inner.run.beat(rank, step, Instant::now()),
                Ok(ToCoordinator::Request { id, request }) => {
                    let answers = inner.run.request(rank, id, request, Instant::now());
                    inner.deliver(answers);
                }
                Err(error) => {
                    tracing::debug!(rank, %error, "a rank's connection ended");
                    inner.outboxes[rank as usize] = None;
                    let told = inner.run.closed(rank);
                    inner.deliver(told);
                    return self.closed.notify_all();
                }
            }
        }
    }
}

impl Inner {
    /// Puts messages into outboxes. A rank that reads nothing for thousands of messages is given up: its connection is closed.
    fn deliver(&mut self, messages: Vec<Outgoing>) {
        for (rank, message) in messages {
            let outbox = &mut self.outboxes[rank as usize];
            if outbox.as_ref().is_some_and(|outbox| outbox.try_send(message).is_err()) {
                *outbox = None;
            }
        }
    }
}
