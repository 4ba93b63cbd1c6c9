//! Connections whose clients have stopped reading, or read too little.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

/// A stream that fails once nothing could be written for a while, though something was to be, or once what was to be written together has taken too long:
/// then the response, and with it the answers that it is made of, are dropped, which cancels them.
#[derive(Debug)]
pub(crate) struct Impatient<S> {
    stream: S,
    /// For anything to be read.
    patience: Duration,
    /// For all to be read that is written together. A response of one piece could else be held for days by a client that reads a little of it at a time.
    whole: Duration,
    /// Since when it waits for something to be read, as the time when that is over.
    over: Option<Pin<Box<Sleep>>>,
    /// When the time for all is over.
    end: Option<Instant>,
}

impl<S> Impatient<S> {
    pub(crate) fn new(stream: S, patience: Duration, whole: Duration) -> Impatient<S> {
        Impatient { stream, patience, whole, over: None, end: None }
    }

    /// What becomes of an attempt to write.
    fn judge<T>(&mut self, attempt: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if attempt.is_ready() {
            self.over = None;
            return attempt;
        }
        let now = Instant::now();
        let end = *self.end.get_or_insert(now + self.whole);
        let until = end.min(now + self.patience);
        let over = self.over.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(until)));
        over.as_mut().poll(context).map(|()| Err(io::Error::new(io::ErrorKind::TimedOut, "the client does not read")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Impatient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Impatient<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let attempt = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(attempt, context)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let attempt = Pin::new(&mut self.stream).poll_flush(context);
        // It comes behind the last byte of what is written together, also through TLS.
        if attempt.is_ready() {
            self.end = None;
        }
        self.judge(attempt, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let attempt = Pin::new(&mut self.stream).poll_shutdown(context);
        self.judge(attempt, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let attempt = Pin::new(&mut self.stream).poll_write_vectored(context, buffers);
        self.judge(attempt, context)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::task::ready;

    use super::*;

    /// A client that reads a byte every few milliseconds.
    #[derive(Default)]
    struct Slow {
        pause: Option<Pin<Box<Sleep>>>,
    }

    impl AsyncWrite for Slow {
        fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, _: &[u8]) -> Poll<io::Result<usize>> {
            let pause = || Box::pin(tokio::time::sleep(Duration::from_millis(5)));
            ready!(self.pause.get_or_insert_with(pause).as_mut().poll(context));
            self.pause = None;
            Poll::Ready(Ok(1))
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }

    #[test]
    fn what_is_written_together_is_read_in_time_and_not_only_some_of_it() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let (patience, whole) = (Duration::from_secs(20), Duration::from_millis(300));
        // Bytes that are written together, of 200, which take a second.
        let write = |together: usize| {
            runtime.block_on(async {
                let mut stream = Impatient::new(Slow::default(), patience, whole);
                for _ in 0..200 / together {
                    for _ in 0..together {
                        poll_fn(|context| Pin::new(&mut stream).poll_write(context, b"a")).await?;
                    }
                    poll_fn(|context| Pin::new(&mut stream).poll_flush(context)).await?;
                }
                Ok::<_, io::Error>(())
            })
        };
        assert_eq!(write(200).unwrap_err().kind(), io::ErrorKind::TimedOut);
        write(4).unwrap();
    }
}
