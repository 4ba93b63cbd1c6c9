//! A client that shows what comes over the wire.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// A client of one server.
#[derive(Clone)]
pub(crate) struct Client {
    address: SocketAddr,
    headers: Vec<(String, String)>,
}

/// A response that was read to its end.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// A response whose body comes piece by piece.
pub(crate) struct Stream {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    reader: BufReader<TcpStream>,
    rest: Vec<u8>,
}

/// A request of which the last bytes are missing.
pub(crate) struct Begun {
    stream: TcpStream,
    rest: Vec<u8>,
}

impl Begun {
    /// Sends the last bytes little by little, until there is a response; `None` if the server has closed the connection.
    pub(crate) fn finish_by(mut self, bytes: usize, pause: Duration) -> Option<Response> {
        self.stream.set_nonblocking(true).unwrap();
        for piece in self.rest.chunks(bytes) {
            std::thread::sleep(pause);
            // Nonblocking, this fails where nothing has come.
            if self.stream.peek(&mut [0]).is_ok() {
                break;
            }
            self.stream.write_all(piece).unwrap();
        }
        self.stream.set_nonblocking(false).unwrap();
        let is_open = self.stream.peek(&mut [0]).is_ok_and(|bytes| bytes > 0);
        is_open.then(|| Stream::read(self.stream).whole())
    }

    /// Sends the last bytes; `None` if the server has closed the connection.
    pub(crate) fn finish(mut self) -> Option<Response> {
        let _ = self.stream.write_all(&self.rest);
        let is_open = self.stream.peek(&mut [0]).is_ok_and(|bytes| bytes > 0);
        is_open.then(|| Stream::read(self.stream).whole())
    }
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Client {
        Client { address, headers: Vec::new() }
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Client {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn key(self, key: &str) -> Client {
        self.with("Authorization", &format!("Bearer {key}"))
    }

    /// The head of a request.
    fn head(&self, method: &str, path: &str, length: usize) -> String {
        let mut head = format!("{method} {path} HTTP/1.1\r\nContent-Length: {length}\r\n");
        let defaults = [("Host", self.address.to_string()), ("Content-Type", "application/json".to_owned())];
        let is_default = |name: &str| self.headers.iter().all(|(given, _)| !given.eq_ignore_ascii_case(name));
        for (name, value) in defaults.iter().filter(|(name, _)| is_default(name)) {
            head += &format!("{name}: {value}\r\n");
        }
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        head + "Connection: close\r\n\r\n"
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream
    }

    /// Sends a request; the response's body is read later.
    pub(crate) fn open(&self, method: &str, path: &str, body: &[u8]) -> Stream {
        let mut stream = self.connect();
        stream.write_all(self.head(method, path, body.len()).as_bytes()).unwrap();
        // A server that refuses a large body may close before it has it all.
        let _ = stream.write_all(body);
        Stream::read(stream)
    }

    /// Sends a request and reads nothing, with little room for what comes: some of this machine's largest packets.
    pub(crate) fn send_and_wait(&self, path: &str, body: &[u8]) -> TcpStream {
        let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
        socket.set_recv_buffer_size(256 << 10).unwrap();
        socket.connect(&self.address.into()).unwrap();
        let mut stream = TcpStream::from(socket);
        stream.write_all(self.head("POST", path, body.len()).as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        stream
    }

    /// Sends a request and closes the connection once `then` is over.
    pub(crate) fn send_and_leave(&self, path: &str, body: &[u8], then: impl FnOnce()) {
        let mut stream = self.connect();
        stream.write_all(self.head("POST", path, body.len()).as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        then();
    }

    /// Sends a request but for its last bytes.
    pub(crate) fn begin(&self, path: &str, body: &[u8], missing: usize) -> Begun {
        let mut stream = self.connect();
        let mut whole = self.head("POST", path, body.len()).into_bytes();
        whole.extend(body);
        let rest = whole.split_off(whole.len() - missing);
        stream.write_all(&whole).unwrap();
        Begun { stream, rest }
    }

    pub(crate) fn get(&self, path: &str) -> Response {
        self.open("GET", path, b"").whole()
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Response {
        self.open("POST", path, body.to_string().as_bytes()).whole()
    }

    pub(crate) fn stream(&self, path: &str, body: &Value) -> Stream {
        self.open("POST", path, body.to_string().as_bytes())
    }
}

fn header<'h>(headers: &'h [(String, String)], name: &str) -> Option<&'h str> {
    headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}

impl Response {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The error that it is, of the shape that clients know.
    pub(crate) fn error(&self) -> Value {
        let json = self.json();
        let error = json["error"].as_object().unwrap_or_else(|| panic!("{json} is no error")).clone();
        assert_eq!(error.keys().collect::<Vec<_>>(), ["message", "type", "param", "code"], "{json}");
        assert!(error["message"].is_string() && error["type"].is_string(), "{json}");
        assert!(error["param"].is_null() || error["param"].is_string(), "{json}");
        assert!(error["code"].is_null() || error["code"].is_string(), "{json}");
        Value::Object(error)
    }
}

impl Stream {
    fn read(stream: TcpStream) -> Stream {
        let mut reader = BufReader::new(stream);
        let mut line = || {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            line.trim_end().to_owned()
        };
        let first = line();
        let status = first.split(' ').nth(1).unwrap_or_else(|| panic!("{first:?}")).parse().unwrap();
        let mut headers = Vec::new();
        loop {
            let line = line();
            let Some((name, value)) = line.split_once(": ") else { break };
            headers.push((name.to_owned(), value.to_owned()));
        }
        Stream { status, headers, reader, rest: Vec::new() }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }

    /// The next piece of the body; `None` at the end.
    fn chunk(&mut self) -> Option<Vec<u8>> {
        if header(&self.headers, "transfer-encoding") != Some("chunked") {
            let mut body = Vec::new();
            self.reader.read_to_end(&mut body).unwrap();
            return (!body.is_empty()).then_some(body);
        }
        let mut line = String::new();
        self.reader.read_line(&mut line).unwrap();
        let length = usize::from_str_radix(line.trim(), 16).unwrap_or_else(|_| panic!("{line:?}"));
        let mut chunk = vec![0; length + 2];
        self.reader.read_exact(&mut chunk).unwrap();
        chunk.truncate(length);
        (length > 0).then_some(chunk)
    }

    pub(crate) fn whole(mut self) -> Response {
        let mut body = Vec::new();
        while let Some(chunk) = self.chunk() {
            body.extend(chunk);
        }
        Response { status: self.status, headers: self.headers, body }
    }

    /// The next frame without `data: `; comments are passed over.
    pub(crate) fn frame(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.rest.windows(2).position(|bytes| bytes == b"\n\n") {
                let frame: Vec<u8> = self.rest.drain(..end + 2).collect();
                let frame = String::from_utf8(frame).unwrap();
                if frame.starts_with(':') {
                    continue;
                }
                return Some(frame.trim_end().strip_prefix("data: ").unwrap_or_else(|| panic!("{frame:?}")).to_owned());
            }
            let chunk = self.chunk();
            assert!(chunk.is_some() || self.rest.is_empty(), "a frame was cut");
            self.rest.extend(chunk?);
        }
    }

    /// All events up to `[DONE]`, which has to come.
    pub(crate) fn events(mut self) -> Vec<Value> {
        let mut events = Vec::new();
        loop {
            let frame = self.frame().expect("a stream ends with [DONE]");
            if frame == "[DONE]" {
                assert_eq!(self.frame(), None, "nothing comes behind [DONE]");
                return events;
            }
            events.push(serde_json::from_str(&frame).unwrap());
        }
    }
}
