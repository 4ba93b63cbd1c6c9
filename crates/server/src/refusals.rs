//! How many lines of the log requests without an answer have, refused ones and those that clients leave: who sends thousands of them a second would fill the disk.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::app::App;

/// The time in which there are so many lines.
const PERIOD: Duration = Duration::from_secs(1);
/// An operator who looks for a client's mistake sees each of its requests.
const LINES: u64 = 10;

/// What the log tells of requests without an answer.
#[derive(Debug, Default)]
pub(crate) struct Refusals {
    counted: Mutex<Counted>,
    /// Told when the first is left out.
    some: Notify,
}

#[derive(Debug, Default)]
struct Counted {
    /// When the period began.
    since: Option<Instant>,
    /// Lines since then.
    lines: u64,
    /// Those that have no line, and of which nothing has been told.
    left_out: u64,
}

impl Refusals {
    /// Whether what is told of one at that time has a line. If not it is counted.
    pub(crate) fn has_line(&self, now: Instant) -> bool {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        if counted.since.is_none_or(|since| now.saturating_duration_since(since) >= PERIOD) {
            (counted.since, counted.lines) = (Some(now), 0);
        }
        if counted.lines < LINES {
            counted.lines += 1;
            return true;
        }
        counted.left_out += 1;
        if counted.left_out == 1 {
            self.some.notify_one();
        }
        false
    }

    /// How many had no line since the last call.
    fn left_out(&self) -> u64 {
        std::mem::take(&mut self.counted.lock().unwrap_or_else(PoisonError::into_inner).left_out)
    }

    /// Says how many lines were left out, if there are any.
    pub(crate) fn tell(&self) {
        let count = self.left_out();
        if count > 0 {
            tracing::info!(count, "more lines of requests without an answer, of which there are {LINES} a second");
        }
    }
}

/// Says so for ever, a period after the first that had no line.
pub(crate) async fn tell(app: &App) {
    loop {
        app.refusals.some.notified().await;
        tokio::time::sleep(PERIOD).await;
        app.refusals.tell();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_as_many_a_second_however_many_are_refused() {
        let refusals = Refusals::default();
        let began = Instant::now();
        // A thousand a second, for three.
        let lines = |from: u64| (from..from + 1000).filter(|ms| refusals.has_line(began + Duration::from_millis(*ms)));
        for second in 0..3 {
            assert_eq!(lines(1000 * second).count(), 10);
            assert_eq!([refusals.left_out(), refusals.left_out()], [990, 0]);
        }
        // Few have all their lines.
        assert!((40..80).all(|tenth| refusals.has_line(began + tenth * PERIOD / 10)));
        assert_eq!(refusals.left_out(), 0);
    }
}
