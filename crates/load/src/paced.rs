//! Connections that may be read slowly.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

/// A connection. A slow one gives `SLOW_BYTES` at once, then nothing for `SLOW_PAUSE`.
#[derive(Debug)]
pub(crate) struct Paced<S> {
    stream: S,
    /// Until when a slow one gives nothing.
    pause: Option<Pin<Box<Sleep>>>,
}

/// Bytes of a slow reader's read.
pub(crate) const SLOW_BYTES: usize = 4;
/// Between two of them.
pub(crate) const SLOW_PAUSE: Duration = Duration::from_millis(500);

impl<S> Paced<S> {
    pub(crate) fn new(stream: S, is_slow: bool) -> Paced<S> {
        Paced { stream, pause: is_slow.then(|| Box::pin(tokio::time::sleep(Duration::ZERO))) }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Paced<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Paced { stream, pause } = &mut *self;
        let Some(pause) = pause else { return Pin::new(stream).poll_read(context, buffer) };
        ready!(pause.as_mut().poll(context));
        let mut bytes = [0; SLOW_BYTES];
        let room = buffer.remaining().min(SLOW_BYTES);
        let mut few = ReadBuf::new(&mut bytes[..room]);
        ready!(Pin::new(stream).poll_read(context, &mut few))?;
        buffer.put_slice(few.filled());
        pause.as_mut().reset(Instant::now() + SLOW_PAUSE);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Paced<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use tokio::net::{TcpListener, TcpStream};

    use super::*;

    /// Six bytes: four at once, and two behind a pause.
    #[test]
    fn a_slow_connection_gives_little_at_once() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
            let (server, _) = listener.accept().await.unwrap();
            server.writable().await.unwrap();
            server.try_write(b"tokens").unwrap();
            let mut slow = Paced::new(client, true);
            let begin = Instant::now();
            for expected in [&b"toke"[..], b"ns"] {
                let mut bytes = [0; 100];
                let mut buffer = ReadBuf::new(&mut bytes);
                poll_fn(|context| Pin::new(&mut slow).poll_read(context, &mut buffer)).await.unwrap();
                assert_eq!(buffer.filled(), expected);
            }
            assert!(begin.elapsed() >= SLOW_PAUSE);
        });
    }
}
