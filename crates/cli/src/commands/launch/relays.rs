//! What several ranks say, line by line among each other.

use std::io::{self, BufRead as _, BufReader, PipeReader, PipeWriter, Read as _, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use rustix::io::ioctl_fionread;

/// The most bytes of a line that is passed on in one piece.
const LINE_BYTES_MAX: u64 = 64 << 10;

/// Threads that pass on lines.
#[derive(Debug, Default)]
pub(super) struct Relays {
    relays: Vec<Relay>,
    /// All ranks have ended.
    is_over: Arc<AtomicBool>,
}

#[derive(Debug)]
struct Relay {
    thread: JoinHandle<()>,
    /// The launcher's own end of what the rank writes to.
    pipe: PipeWriter,
}

impl Relays {
    /// What a rank is to write to: its lines come to `to`, each with a prefix and in one piece.
    ///
    /// # Errors
    /// The system refuses a pipe or a thread.
    pub(super) fn add(&mut self, prefix: String, mut to: impl Write + Send + 'static) -> io::Result<PipeWriter> {
        let (from, pipe) = io::pipe()?;
        let (own, is_over) = (pipe.try_clone()?, Arc::clone(&self.is_over));
        let relay = move || pass_on(from, &mut to, prefix.as_bytes(), &is_over);
        let thread = thread::Builder::new().name("relay".to_owned()).spawn(relay)?;
        self.relays.push(Relay { thread, pipe: own });
        Ok(pipe)
    }

    /// Once all ranks have ended: whether all that they have said is passed on. A process that one of them has left behind may still have the
    /// other end, so that theirs is not waited for.
    pub(super) fn are_done(&self) -> bool {
        self.is_over.store(true, Ordering::SeqCst);
        let waiting = self.relays.iter().filter(|relay| !relay.thread.is_finished());
        // It may wait for the end of a line.
        waiting.filter(|relay| !is_unread(&relay.pipe)).for_each(|relay| drop((&relay.pipe).write_all(b"\n")));
        self.relays.iter().all(|relay| relay.thread.is_finished())
    }
}

/// Whether there is something in a pipe.
fn is_unread(pipe: impl std::os::fd::AsFd) -> bool {
    ioctl_fionread(pipe).is_ok_and(|bytes| bytes > 0)
}

/// Where nobody reads them any longer lines are read all the same, so that the rank does not wait.
fn pass_on(from: PipeReader, to: &mut impl Write, prefix: &[u8], is_over: &AtomicBool) {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    loop {
        line.clear();
        line.extend_from_slice(prefix);
        match from.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut line) {
            Ok(1..) => {}
            Ok(0) | Err(_) => return,
        }
        let is_over = is_over.load(Ordering::SeqCst);
        // An empty line at the end is what it was woken with.
        if !(is_over && line[prefix.len()..] == *b"\n") {
            if !line.ends_with(b"\n") {
                line.push(b'\n');
            }
            let _ = to.write_all(&line).and_then(|()| to.flush());
        }
        if is_over && from.buffer().is_empty() && !is_unread(from.get_ref()) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::Duration;

    use super::*;

    /// Takes its time for each line.
    struct Slow(Arc<Mutex<String>>);

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            thread::sleep(Duration::from_millis(1));
            self.0.lock().unwrap().push_str(std::str::from_utf8(bytes).unwrap());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_last_line_is_passed_on_however_slowly_it_is_read_and_whoever_holds_the_pipe() {
        let (read, mut relays) = (Arc::default(), Relays::default());
        let mut rank = relays.add("[rank 1] ".to_owned(), Slow(Arc::clone(&read))).unwrap();
        let mut second = relays.add("[rank 2] ".to_owned(), Slow(Arc::clone(&read))).unwrap();
        let of_rank = |number| move |line: usize| format!("[rank {number}] line {line}\n");
        for line in 0..200 {
            writeln!(rank, "line {line}").unwrap();
            writeln!(second, "line {line}").unwrap();
        }
        write!(rank, "without an end").unwrap();
        // As a process that was left behind does, one of them stays open.
        drop(second);
        while !relays.are_done() {
            thread::sleep(Duration::from_millis(1));
        }
        let read = read.lock().unwrap();
        for number in [1, 2] {
            let own: String = read
                .lines()
                .filter(|line| line.starts_with(&format!("[rank {number}] ")))
                .map(|line| format!("{line}\n"))
                .collect();
            let end = if number == 1 { "[rank 1] without an end\n" } else { "" };
            assert_eq!(own, (0..200).map(of_rank(number)).collect::<String>() + end);
        }
    }
}
