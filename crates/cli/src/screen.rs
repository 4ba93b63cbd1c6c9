//! The terminal that bars are drawn on, which may go away while a run goes on.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use console::Term;
use indicatif::TermLike;

use crate::narrow;

/// A terminal for which failing to draw is no failure: when its window is closed or its connection is lost, nothing more is drawn. What draws
/// would panic instead, in the midst of saving what the run has learned.
#[derive(Debug)]
pub(crate) struct Screen<T> {
    terminal: T,
    is_gone: AtomicBool,
}

impl<T: TermLike> Screen<T> {
    /// `terminal`, as long as it can be drawn on.
    pub(crate) fn new(terminal: T) -> Screen<T> {
        Screen { terminal, is_gone: AtomicBool::new(false) }
    }

    fn draw(&self, draw: impl FnOnce(&T) -> io::Result<()>) -> io::Result<()> {
        if !self.is_gone.load(Ordering::Relaxed) && draw(&self.terminal).is_err() {
            self.is_gone.store(true, Ordering::Relaxed);
        }
        Ok(())
    }
}

/// Columns of the terminal on which bars are drawn; the usual ones where it does not tell.
pub(crate) fn columns() -> u16 {
    let told = narrow::columns_of(io::stderr()).and_then(|columns| u16::try_from(columns).ok());
    told.unwrap_or_else(|| Term::stderr().size().1)
}

impl<T: TermLike> TermLike for Screen<T> {
    /// A terminal tells none where it does not tell its rows.
    fn width(&self) -> u16 {
        columns()
    }

    fn height(&self) -> u16 {
        self.terminal.height()
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.draw(|terminal| terminal.move_cursor_up(n))
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.draw(|terminal| terminal.move_cursor_down(n))
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.draw(|terminal| terminal.move_cursor_right(n))
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.draw(|terminal| terminal.move_cursor_left(n))
    }

    fn write_line(&self, s: &str) -> io::Result<()> {
        self.draw(|terminal| terminal.write_line(s))
    }

    fn write_str(&self, s: &str) -> io::Result<()> {
        self.draw(|terminal| terminal.write_str(s))
    }

    fn clear_line(&self) -> io::Result<()> {
        self.draw(T::clear_line)
    }

    fn flush(&self) -> io::Result<()> {
        self.draw(T::flush)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;

    use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget};

    use super::*;

    /// A terminal whose window was closed; counts what was tried on it.
    #[derive(Debug, Default)]
    struct Closed(Arc<AtomicUsize>);

    impl Closed {
        fn fail(&self) -> io::Result<()> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Err(io::ErrorKind::BrokenPipe.into())
        }
    }

    impl TermLike for Closed {
        fn width(&self) -> u16 {
            80
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            self.fail()
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            self.fail()
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            self.fail()
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            self.fail()
        }
        fn write_line(&self, _: &str) -> io::Result<()> {
            self.fail()
        }
        fn write_str(&self, _: &str) -> io::Result<()> {
            self.fail()
        }
        fn clear_line(&self) -> io::Result<()> {
            self.fail()
        }
        fn flush(&self) -> io::Result<()> {
            self.fail()
        }
    }

    #[test]
    fn bars_on_a_closed_terminal_stop_nothing() {
        let tries = Arc::new(AtomicUsize::new(0));
        let screen = Screen::new(Closed(Arc::clone(&tries)));
        let bars = MultiProgress::with_draw_target(ProgressDrawTarget::term_like_with_hz(Box::new(screen), 10));
        let bar = bars.add(ProgressBar::new(10));
        for _ in 0..3 {
            bar.inc(1);
            bar.tick();
            bars.suspend(|| ());
        }
        bar.finish();
        assert_eq!(tries.load(Ordering::Relaxed), 1, "a terminal that is gone is left alone");
    }
}
