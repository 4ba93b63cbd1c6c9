//! Programs of vectors, made on a thread of their own: compiling one takes seconds, and answers go on meanwhile.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::thread::Scope;

use runtime::CompiledProgram;
use tokio::sync::mpsc::WeakSender;

use crate::error::{Error, Result};
use crate::service::{Message, Wake};

/// What became of the program for rows of so many tokens.
pub(super) type Made = (usize, Result<CompiledProgram>);

/// The engine's end of the thread, which ends with it.
///
/// Its channels name no bound and have one: what is `under_way` is in them once, and rows have as many lengths as there are powers of two up to the longest text.
pub(super) struct ProgramMaker {
    wanted: mpsc::Sender<usize>,
    made: mpsc::Receiver<Made>,
    /// What is wanted and not taken yet.
    under_way: BTreeSet<usize>,
}

impl ProgramMaker {
    /// Begins the thread, which makes each program by `make`. The engine is woken by a message for each, should it wait for one.
    pub(super) fn begin<'scope>(
        scope: &'scope Scope<'scope, '_>,
        make: impl Fn(usize) -> Result<CompiledProgram> + Send + 'scope,
        messages: WeakSender<Message>,
    ) -> ProgramMaker {
        let (wanted, lengths) = mpsc::channel();
        let (sender, made) = mpsc::channel();
        scope.spawn(move || {
            for length in lengths {
                // Whoever waits for it has to be told.
                let program = catch_unwind(AssertUnwindSafe(|| make(length)));
                let program = program.unwrap_or_else(|_| {
                    Err(Error::Panicked { what: format!("the program that embeds texts of {length} tokens") })
                });
                if sender.send((length, program)).is_err() {
                    return;
                }
                // An engine that has messages to take does not sleep.
                let _ = messages.upgrade().map(|messages| messages.try_send(Message::Wake(Wake(()))));
            }
        });
        ProgramMaker { wanted, made, under_way: BTreeSet::new() }
    }

    /// Asks for the program for rows of `length` tokens.
    pub(super) fn want(&mut self, length: usize) {
        if self.under_way.insert(length) {
            // The thread ends after this does.
            let _ = self.wanted.send(length);
        }
    }

    pub(super) fn is_making(&self, length: usize) -> bool {
        self.under_way.contains(&length)
    }

    /// The next program that is made and not taken.
    pub(super) fn take(&mut self) -> Option<Made> {
        let made = self.made.try_recv().ok();
        made.inspect(|(length, _)| _ = self.under_way.remove(length))
    }

    /// Waits for the next program that is wanted; `None`: none is.
    pub(super) fn wait(&mut self) -> Option<Made> {
        let made = if self.under_way.is_empty() { None } else { self.made.recv().ok() };
        made.inspect(|(length, _)| _ = self.under_way.remove(length))
    }
}
