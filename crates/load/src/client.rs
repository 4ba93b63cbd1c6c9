//! Connections to the server, and requests over them.

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Incoming;
use hyper::client::conn::http1::{self, SendRequest};
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST, HeaderValue, USER_AGENT};
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpSocket, TcpStream};

use crate::Error;
use crate::chunk;
use crate::encryption::{self, Encryption};
use crate::load::Options;
use crate::paced::Paced;
use crate::record::Outcome;
use crate::target::Target;

/// Bytes that a connection reads ahead at most, and so of a response's headers.
const BUFFER_BYTES: usize = 64 << 10;
/// Bytes that the system keeps for a slow reader; Linux takes some more.
const SLOW_BUFFER_BYTES: u32 = 4096;
/// Bytes of a body that is no stream: 10,000 models take a few hundred each.
const BODY_BYTES_MAX: usize = 64 << 20;
/// For a server to say whether it encrypts. Some wait for the end of a line, which never comes, where they are spoken to in TLS.
const PROBE_TIME: Duration = Duration::from_secs(3);
/// Characters of what a server says that are passed on.
const SAID_MAX: usize = 200;

pub(crate) type Connection = SendRequest<Full<Bytes>>;

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failed {
    #[error("{0}")]
    Connect(io::Error),
    #[error("{}", causes(.0))]
    Http(#[from] hyper::Error),
    #[error("{message}")]
    Status { status: StatusCode, message: String },
    #[error("{0}")]
    InStream(String),
    #[error("{0}")]
    Cut(String),
    #[error("{0}")]
    NoStream(String),
    #[error("there was no end of it in time")]
    Late,
}

/// hyper's errors say half of it; their sources the rest.
pub(crate) fn causes(error: &hyper::Error) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

impl From<Failed> for Outcome {
    fn from(failed: Failed) -> Outcome {
        let kind = match &failed {
            Failed::Connect(_) => "no connection".to_owned(),
            Failed::Http(_) => "connection lost".to_owned(),
            Failed::Status { status, .. } => status.to_string(),
            Failed::InStream(_) => "error in the stream".to_owned(),
            Failed::Cut(_) => "stream cut".to_owned(),
            Failed::NoStream(_) => "no stream".to_owned(),
            Failed::Late => "timeout".to_owned(),
        };
        Outcome::Failed { kind, message: failed.to_string() }
    }
}

/// The way to a server. Connections that have nothing to do are used again.
#[derive(Debug)]
pub(crate) struct Client {
    address: SocketAddr,
    /// `None`: connections are not encrypted.
    encryption: Option<Encryption>,
    prefix: String,
    host: HeaderValue,
    /// `Authorization` of each key.
    keys: Vec<HeaderValue>,
    pub(crate) idle: Idle,
    /// Whether the end of a response was waited for in vain, behind the end of its answer.
    pub(crate) leaves_open: AtomicBool,
}

/// Connections that have nothing to do.
#[derive(Debug, Default)]
pub(crate) struct Idle(Mutex<Vec<Connection>>);

impl Idle {
    fn take(&self) -> Option<Connection> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Keeps a connection whose answer was read to its end.
    pub(crate) fn keep(&self, connection: Connection) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
    }
}

impl Client {
    /// Finds an address of the server at which it listens.
    pub(crate) async fn connect(target: &Target, options: &Options) -> Result<Client, Error> {
        let certificates = options.certificates.as_deref();
        let encryption = match (&target.name, target.is_encrypted) {
            (Some(name), true) => Some(Encryption::new(name.clone(), certificates)?),
            _ => None,
        };
        let keys = options.keys.iter().enumerate().map(|(index, key)| {
            let mut value =
                HeaderValue::from_str(&format!("Bearer {key}")).map_err(|_| Error::Key { number: index + 1 })?;
            value.set_sensitive(true);
            Ok(value)
        });
        let keys = keys.collect::<Result<_, Error>>()?;
        let host = HeaderValue::from_str(&target.authority).expect("an authority has no characters that headers lack");
        let (address, stream) = reach(target).await?;
        let prefix = target.prefix.clone();
        let idle = Idle::default();
        let plain = Client { address, encryption: None, prefix, host, keys, idle, leaves_open: AtomicBool::new(false) };
        let Some(encryption) = encryption else { return Ok(plain) };
        match encryption.over(stream).await {
            Ok(_) => Ok(Client { encryption: Some(encryption), ..plain }),
            Err(error) if !error.is_spoken && plain.answers().await => {
                Err(Error::Plain { authority: target.authority.clone(), instead: target.otherwise() })
            }
            Err(error) => Err(Error::Untrusted { authority: target.authority.clone(), reason: error.to_string() }),
        }
    }

    /// Whether anything is answered that is HTTP.
    async fn answers(&self) -> bool {
        // Without a key: nobody has proved to be the server, and anybody could read it.
        let asked = async { self.send(self.request(Method::GET, "/v1/models", Vec::new(), usize::MAX)?, false).await };
        tokio::time::timeout(PROBE_TIME, asked).await.is_ok_and(|answer| answer.is_ok())
    }

    /// Whether a server that was not asked for encryption has it.
    pub(crate) async fn encrypts(&self, target: &Target) -> bool {
        let Some(name) = target.name.clone().filter(|_| !target.is_encrypted) else { return false };
        let probed = async {
            match TcpStream::connect(self.address).await {
                Ok(stream) => encryption::is_spoken_over(stream, name).await,
                Err(_) => false,
            }
        };
        tokio::time::timeout(PROBE_TIME, probed).await.unwrap_or(false)
    }

    /// A connection of its own.
    async fn dial(&self, is_slow: bool) -> Result<Connection, Failed> {
        let socket = if self.address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() };
        let socket = socket.map_err(Failed::Connect)?;
        if is_slow {
            socket.set_recv_buffer_size(SLOW_BUFFER_BYTES).map_err(Failed::Connect)?;
        }
        let stream = socket.connect(self.address).await.map_err(Failed::Connect)?;
        stream.set_nodelay(true).map_err(Failed::Connect)?;
        match &self.encryption {
            None => speak(Paced::new(stream, is_slow)).await,
            // Where both sides agree on keys a slow reader is as fast as others.
            Some(encryption) => {
                let encrypted = encryption.over(stream).await;
                let encrypted = encrypted.map_err(|error| Failed::Connect(io::Error::other(error)))?;
                speak(Paced::new(encrypted, is_slow)).await
            }
        }
    }

    /// Sends a request, over a connection that is there or a new one. A slow reader has its own.
    pub(crate) async fn send(
        &self,
        request: Request<Full<Bytes>>,
        is_slow: bool,
    ) -> Result<(Response<Incoming>, Connection), Failed> {
        let mut request = request;
        while let Some(mut connection) = (!is_slow).then(|| self.idle.take()).flatten() {
            if connection.ready().await.is_err() {
                continue;
            }
            match connection.try_send_request(request).await {
                Ok(response) => return Ok((response, connection)),
                // The server closed it before it saw anything of the request.
                Err(mut error) => match error.take_message() {
                    Some(unsent) => request = unsent,
                    None => return Err(error.into_error().into()),
                },
            }
        }
        let mut connection = self.dial(is_slow).await?;
        connection.ready().await?;
        Ok((connection.send_request(request).await?, connection))
    }

    /// A request that has the key of that number, if there is one.
    pub(crate) fn request(
        &self,
        method: Method,
        path: &str,
        body: Vec<u8>,
        key: usize,
    ) -> Result<Request<Full<Bytes>>, Failed> {
        let mut request = Request::new(Full::new(Bytes::from(body)));
        *request.method_mut() = method;
        let uri = format!("{}{path}", self.prefix).parse();
        *request.uri_mut() =
            uri.map_err(|error| Failed::Connect(io::Error::new(io::ErrorKind::InvalidInput, error)))?;
        let headers = request.headers_mut();
        headers.insert(HOST, self.host.clone());
        headers.insert(USER_AGENT, HeaderValue::from_static(concat!("finery/", env!("CARGO_PKG_VERSION"))));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream, application/json"));
        if let Some(key) = self.keys.get(key) {
            headers.insert(AUTHORIZATION, key.clone());
        }
        Ok(request)
    }

    /// Asks for something that is no stream.
    pub(crate) async fn json(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Value, Failed> {
        let body = body.map(|body| body.to_string().into_bytes()).unwrap_or_default();
        let (response, connection) = self.send(self.request(method, path, body, 0)?, false).await?;
        let response = checked(response).await?;
        let bytes = whole(response).await?;
        self.idle.keep(connection);
        serde_json::from_slice(&bytes).map_err(|error| Failed::NoStream(format!("{path} gives no JSON: {error}")))
    }
}

/// A connection to one of the server's addresses.
async fn reach(target: &Target) -> Result<(SocketAddr, TcpStream), Error> {
    let unreached = |source| Error::Unreached { authority: target.authority.clone(), source };
    let mut last = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
    for address in tokio::net::lookup_host((&*target.host, target.port)).await.map_err(unreached)? {
        match TcpStream::connect(address).await {
            Ok(stream) => return Ok((address, stream)),
            Err(error) => last = error,
        }
    }
    Err(unreached(last))
}

/// Begins HTTP over a connection.
async fn speak<S>(stream: S) -> Result<Connection, Failed>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let mut builder = http1::Builder::new();
    let (connection, driver) = builder.max_buf_size(BUFFER_BYTES).handshake(TokioIo::new(stream)).await?;
    // What goes wrong there is told to the request, too.
    drop(tokio::spawn(driver));
    Ok(connection)
}

/// A body that is no stream.
pub(crate) async fn whole(response: Response<Incoming>) -> Result<Bytes, Failed> {
    let body = Limited::new(response.into_body(), BODY_BYTES_MAX).collect().await;
    body.map(http_body_util::Collected::to_bytes).map_err(|error| Failed::NoStream(error.to_string()))
}

/// A response that is none of an error.
pub(crate) async fn checked(response: Response<Incoming>) -> Result<Response<Incoming>, Failed> {
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let body = whole(response).await.unwrap_or_default();
    let said = match serde_json::from_slice::<Value>(&body) {
        // vLLM's older servers have the message without an `error` around it.
        Ok(value) => chunk::message(value.get("error").unwrap_or(&value)),
        // Of a page, which a server of something else sends, the first line.
        Err(_) => String::from_utf8_lossy(&body).trim_start().lines().next().unwrap_or_default().to_owned(),
    };
    let message = if said.trim().is_empty() { "nothing more was said".to_owned() } else { short(&said) };
    Err(Failed::Status { status, message })
}

/// As much of a text as fits a line.
pub(crate) fn short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SAID_MAX) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
