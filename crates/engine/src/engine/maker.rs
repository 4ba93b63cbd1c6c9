//! Programs of vectors, made on a thread of their own: compiling one takes seconds, and answers go on meanwhile.

use std::collections::BTreeSet;
use std::sync::mpsc;
use std::thread::Scope;

use runtime::CompiledProgram;
use tokio::sync::mpsc::WeakSender;

use crate::Model;
use crate::embedder::Embedder;
use crate::error::Result;
use crate::service::Message;

/// What became of the program for rows of so many tokens.
pub(super) type Made = (usize, Result<CompiledProgram>);

/// The engine's end of the thread, which ends with it.
pub(super) struct Maker {
    wanted: mpsc::Sender<usize>,
    made: mpsc::Receiver<Made>,
    /// What is wanted and not taken yet.
    under_way: BTreeSet<usize>,
}

impl Maker {
    /// Begins the thread. The engine is woken by a message for each program, should it wait for one.
    pub(super) fn begin<'scope>(
        scope: &'scope Scope<'scope, '_>,
        model: &'scope Model<'_>,
        messages: WeakSender<Message>,
    ) -> Maker {
        let (wanted, lengths) = mpsc::channel();
        let (sender, made) = mpsc::channel();
        scope.spawn(move || {
            for length in lengths {
                if sender.send((length, Embedder::compile(model, length))).is_err() {
                    return;
                }
                // An engine that has messages to take does not sleep.
                let _ = messages.upgrade().map(|messages| messages.try_send(Message::ProgramMade));
            }
        });
        Maker { wanted, made, under_way: BTreeSet::new() }
    }

    /// Asks for the program for rows of `length` tokens.
    pub(super) fn want(&mut self, length: usize) {
        if self.under_way.insert(length) {
            // The thread ends when this does.
            let _ = self.wanted.send(length);
        }
    }

    pub(super) fn is_making(&self, length: usize) -> bool {
        self.under_way.contains(&length)
    }

    /// The next program that is made and not taken.
    pub(super) fn take(&mut self) -> Option<Made> {
        let made = self.made.try_recv().ok()?;
        self.under_way.remove(&made.0);
        Some(made)
    }

    /// Waits for the next program that is wanted; `None`: none is.
    pub(super) fn wait(&mut self) -> Option<Made> {
        if self.under_way.is_empty() {
            return None;
        }
        let made = self.made.recv().ok()?;
        self.under_way.remove(&made.0);
        Some(made)
    }
}
