//! Listening, connections, and the end.

use std::fmt;
use std::io;
use std::net::{SocketAddr, TcpListener as StdListener};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use engine::Service;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use socket2::{Domain, Protocol, Socket, Type};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use crate::app::{App, JUDGES, LOOK_UPS, Shared, Stage, reached};
use crate::backlog;
use crate::config::check_keys;
use crate::constraint;
use crate::follow;
use crate::peers::Peers;
use crate::prompts;
use crate::refusals;
use crate::routes::router;
use crate::turns::busy_threads;
use crate::unread::Impatient;
use crate::{Keys, ServerConfig, StartError};

/// Bytes of a connection's buffer, and so of a request's headers.
const BUFFER_BYTES: usize = 64 << 10;
/// Connections that the system holds until they are accepted, where its own limit allows as many; the standard library's 128 are few for clients
/// that all come at once.
const BACKLOG: i32 = 4096;
/// Where there are no more file descriptors, after which some may be free.
const ACCEPT_AGAIN: Duration = Duration::from_millis(100);
/// For clients to take the last frame of streams that are cut.
const LAST_FRAMES: Duration = Duration::from_secs(5);
/// Threads for connections at most: what is done for a token is little.
const THREADS_MAX: usize = 8;
/// Threads of what the server does by itself: making the vocabulary, looking at the files of keys and certificates, and at what streams hold.
const OWN_THREADS: usize = 3;

/// An address for a server to come, at which nobody listens: connections are refused until it does. It is to be taken before a model is loaded, which takes
/// minutes. Of two servers that have taken the same one meanwhile, the first that listens has it.
#[derive(Debug)]
pub struct Address {
    socket: Socket,
    address: SocketAddr,
}

impl Address {
    /// Takes the address for a server with these keys; port 0 takes any.
    ///
    /// # Errors
    /// Somebody listens there, it is not this machine's, or everyone could use the server.
    pub fn take(address: SocketAddr, keys: &Keys) -> Result<Address, StartError> {
        check_keys(keys, address)?;
        let refused = |source| StartError::Listen { address, source };
        let socket = bound(address).map_err(refused)?;
        let address = socket.local_addr().map_err(refused)?.as_socket().unwrap_or(address);
        Ok(Address { socket, address })
    }
}

impl fmt::Display for Address {
    /// The address and its port, where any was asked for the one that was taken.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.address)
    }
}

/// A server that has its address.
#[derive(Debug)]
pub struct Server {
    listener: StdListener,
    address: SocketAddr,
    app: Shared,
    stage: watch::Sender<Stage>,
}

/// How a server ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All requests were answered.
    Drained,
    /// Some took too long, and were cut.
    Cut,
}

impl Server {
    /// Listens at the address. Connections wait until [`Server::run`].
    ///
    /// # Errors
    /// Another has begun to listen there meanwhile, everyone could use the server, or the model has no name.
    pub fn listen(address: Address, config: ServerConfig, service: Service) -> Result<Server, StartError> {
        let Address { socket, address } = address;
        // The keys that the address was taken for may have been others.
        check_keys(&config.keys, address)?;
        if config.model_names.is_empty() {
            return Err(StartError::Nameless);
        }
        socket.listen(BACKLOG).map_err(|source| StartError::Listen { address, source })?;
        let listener = socket.into();
        let (stage, receiver) = watch::channel(Stage::Open);
        Ok(Server { listener, address, app: App::new(config, service, receiver), stage })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until `shutdown` is there or the engine has ended, then those under way. Occupies this thread, and has others of its own.
    ///
    /// # Errors
    /// There are no threads.
    pub fn run(self, shutdown: impl Future<Output = ()>) -> Result<Ended, StartError> {
        let runtime = runtime().map_err(StartError::Threads)?;
        let ended = runtime.block_on(self.serve(shutdown));
        // A thread that tokenises something long is not waited for.
        runtime.shutdown_background();
        ended.map_err(StartError::Threads)
    }

    /// As [`Server::run`], in the runtime that is there.
    ///
    /// # Errors
    /// The runtime has no IO.
    pub async fn serve(self, shutdown: impl Future<Output = ()>) -> io::Result<Ended> {
        let Server { listener, app, stage, .. } = self;
        let listener = TcpListener::from_std(listener)?;
        let mut connections = JoinSet::new();
        let preparing = Shared::clone(&app);
        // So that the first answer of a form does not wait for it; what is wrong is told to who asks for one.
        drop(tokio::task::spawn_blocking(move || constraint::vocabulary(&preparing).err()));
        prompts::warn_of_unusable_template(&app);
        let following = tokio::spawn(follow::files(Shared::clone(&app)));
        let telling = Shared::clone(&app);
        let telling = tokio::spawn(async move { refusals::tell(&telling).await });
        let watching = tokio::spawn(backlog::watch(Shared::clone(&app)));
        {
            let mut accepting = pin!(accept(&listener, &app, &mut connections));
            tokio::select! {
                () = shutdown => {}
                // Whoever runs the engine knows why; what is under way is told that nothing more comes.
                () = app.service.ended() => tracing::error!("the engine has ended, and the server with it"),
                never = &mut accepting => match never {},
            }
        }
        drop(listener);
        following.abort();
        let ended = drain(&app, &stage, connections).await;
        telling.abort();
        watching.abort();
        app.refusals.tell();
        Ok(ended)
    }
}

/// Threads for connections, and for what takes long: who has a turn for the latter (`Turns`) has a thread at once, whatever disks keep looks at adapters and keys
/// waiting.
fn runtime() -> io::Result<Runtime> {
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(cores.min(THREADS_MAX))
        .max_blocking_threads(busy_threads() + LOOK_UPS + JUDGES + OWN_THREADS)
        .thread_name("server")
        .enable_all()
        .build()
}

fn bound(address: SocketAddr) -> io::Result<Socket> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    // So that a server that is started again need not wait for the connections of the last one.
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}

enum Never {}

async fn accept(listener: &TcpListener, app: &Shared, connections: &mut JoinSet<()>) -> Never {
    let router = router(app);
    let places = Arc::new(Semaphore::new(app.limits.connections));
    let peers = Peers::new(app.limits.connections_of_address);
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else {
            unreachable!("nobody closes the semaphore");
        };
        let (stream, peer) = loop {
            tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok((stream, address)) => match peers.enter(address.ip()) {
                        Some(peer) => break (stream, peer),
                        None => tracing::debug!("{} has as many connections as an address may have", address.ip()),
                    },
                    Err(error) => {
                        tracing::warn!("a connection could not be accepted: {error}");
                        tokio::time::sleep(ACCEPT_AGAIN).await;
                    }
                },
                Some(_) = connections.join_next() => {}
            }
        };
        let (app, router) = (Shared::clone(app), router.clone());
        connections.spawn(async move {
            let _held = (app.metrics.enter(), place, peer);
            begin(stream, &app, router).await;
        });
    }
}

/// A connection from its first byte on.
async fn begin(stream: TcpStream, app: &App, router: Router) {
    // Tokens are small, and should not wait for each other.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!("a connection is gone: {error}");
        return;
    }
    let stream = Impatient::new(stream, app.limits.unread, app.limits.answer);
    let Some(tls) = &app.tls else { return connection(stream, app, router).await };
    let accepted = tokio::select! {
        accepted = tokio::time::timeout(app.limits.pause, tls.acceptor().accept(stream)) => accepted,
        // Nothing has been asked.
        () = reached(&app.stage, Stage::Draining) => return,
    };
    match accepted {
        Ok(Ok(stream)) => connection(stream, app, router).await,
        Ok(Err(error)) => tracing::debug!("a connection could not be encrypted: {error}"),
        Err(_) => tracing::debug!("a connection took too long to be encrypted"),
    }
}

async fn connection<S>(stream: S, app: &App, router: Router)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    // Of a first request that has come in part hyper waits for the rest, whatever it is told.
    let has_asked = AtomicBool::new(false);
    let answers = TowerToHyperService::new(router);
    let service = service_fn(|request| {
        has_asked.store(true, Ordering::Relaxed);
        answers.call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(app.limits.arrival)
        .max_buf_size(BUFFER_BYTES)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection);
    let ended = tokio::select! {
        // What has come is asked.
        biased;
        ended = connection.as_mut() => ended,
        () = reached(&app.stage, Stage::Draining) => {
            if !has_asked.load(Ordering::Relaxed) {
                return;
            }
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!("a connection ended: {error}");
    }
}

/// Ends in order: what is under way is finished, or cut when it takes too long. The engine is told when nobody is left who may ask it: of what was let in, some
/// is still on its way to it when the server is told to stop, and the gate lets nothing in any more.
async fn drain(app: &App, stage: &watch::Sender<Stage>, mut connections: JoinSet<()>) -> Ended {
    stage.send_replace(Stage::Draining);
    let ended = finish(app, stage, &mut connections).await;
    // An engine that is in the middle of something, and has a full inbox, finds that nobody asks any more.
    if tokio::time::timeout(LAST_FRAMES, app.service.drain()).await.is_err() {
        tracing::warn!("the engine could not be told to stop: it takes no messages");
    }
    ended
}

/// Waits for connections, as long as they may take.
async fn finish(app: &App, stage: &watch::Sender<Stage>, connections: &mut JoinSet<()>) -> Ended {
    let drained = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(app.limits.drain, drained).await.is_ok() {
        return Ended::Drained;
    }
    tracing::warn!(
        connections = connections.len(),
        "requests were not done {} s after the server was told to stop, and are cut",
        app.limits.drain.as_secs()
    );
    stage.send_replace(Stage::Cut);
    let gone = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(LAST_FRAMES, gone).await.is_err() {
        connections.shutdown().await;
    }
    Ended::Cut
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn slow_disks_leave_threads_for_what_takes_long() {
        let runtime = runtime().unwrap();
        let (ends, ended): (Vec<_>, Vec<_>) =
            (0..LOOK_UPS + JUDGES + OWN_THREADS).map(|_| mpsc::channel::<()>()).unzip();
        for slow in ended {
            runtime.spawn_blocking(move || slow.recv());
        }
        let (begin, begun) = mpsc::channel();
        let together = Arc::new(std::sync::Barrier::new(busy_threads()));
        for _ in 0..busy_threads() {
            let (begin, together) = (begin.clone(), Arc::clone(&together));
            runtime.spawn_blocking(move || {
                together.wait();
                begin.send(())
            });
        }
        let all = (0..busy_threads()).all(|_| begun.recv_timeout(Duration::from_secs(20)).is_ok());
        drop(ends);
        assert!(all, "disks that do not answer have taken the threads of what takes long");
    }
}
