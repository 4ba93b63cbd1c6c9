//! Adapters as files, and what is made of them: their factors in the order of the pool, read on a thread of its own. Another thread looks at files, and a third
//! for names in the folder, so that who asks about one does not wait until others are read.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use graph::HostTensor;
use models::AdapterPool;
use sha2::{Digest, Sha256};
use tokio::sync::oneshot;

use super::Broken;
use super::folder::Folder;
use super::reader::Reader;
use crate::batch::Room;
use crate::service::{AdapterEntry, AdapterFault, Refusal, Unloaded};

/// An adapter's factors as the pool takes them.
pub(crate) struct Factors {
    /// What they take there.
    pub(crate) room: Room,
    /// By the names of what the program that writes them is given.
    pub(crate) arrays: Vec<(String, HostTensor<'static>)>,
    /// SHA-256 of all of it: of what is computed with, and not of files, which may change between being hashed and being read.
    pub(crate) hash: Hash,
}

pub(crate) type Hash = [u8; 32];

impl Factors {
    pub(crate) fn new(room: Room, arrays: Vec<(String, HostTensor<'static>)>) -> Factors {
        let mut hash = Sha256::new();
        hash.update((room.ranks as u64).to_le_bytes());
        for (name, tensor) in &arrays {
            // Names and sizes, so that no two lists have the same bytes.
            hash.update((name.len() as u64).to_le_bytes());
            hash.update(name);
            hash.update((tensor.bytes().len() as u64).to_le_bytes());
            hash.update(tensor.bytes());
        }
        Factors { room, arrays, hash: hash.finalize().into() }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.arrays.iter().map(|(_, tensor)| tensor.bytes().len() as u64).sum()
    }
}

/// What an adapter takes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Footprint {
    /// Of the pool.
    pub(crate) room: Room,
    /// Of host memory.
    pub(crate) bytes: u64,
}

/// For how many ranks the program is made by which an adapter of so many is written.
pub(crate) fn rank_room(rank: usize) -> usize {
    rank.next_power_of_two().max(8)
}

/// What a thread is asked to read.
pub(crate) struct Order {
    pub(crate) generation: u64,
    pub(crate) path: PathBuf,
    pub(crate) layout: Option<AdapterPool>,
    /// Bytes of host memory that are kept for it.
    pub(crate) bytes: u64,
}

/// What comes of an order.
pub(crate) enum Read {
    /// The adapter's factors, of no more bytes than were kept for them.
    Factors(Factors),
    /// Nothing yet: they take more than was kept for them.
    Needs(Footprint),
    /// Why there are none.
    Failed(Broken),
}

/// An adapter that is to be registered, once its configuration was looked at.
pub(crate) struct Look {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) is_pinned: bool,
    /// The pool beside which it is to be served.
    pub(crate) layout: AdapterPool,
    /// Who asked.
    pub(crate) reply: oneshot::Sender<Result<(), Refusal>>,
}

/// A name that is looked for in the folder of adapters.
pub(crate) struct Search {
    pub(crate) folder: Folder,
    pub(crate) name: String,
    pub(crate) asker: Asker,
}

/// Who wants to know whether the folder has a name.
pub(crate) enum Asker {
    /// Who is told what requests get by it.
    Told(Box<dyn FnOnce(Option<AdapterEntry>) + Send>),
    /// Who unloads it.
    Unloads(oneshot::Sender<Result<Unloaded, Refusal>>),
    /// Answers with the adapter of that generation.
    Wait(u64),
}

/// What comes of the threads.
pub(crate) enum Received {
    /// What came of the order for a generation.
    Read(u64, Read),
    /// What an adapter takes, or what is wrong with it.
    Looked(Look, Result<Footprint, String>),
    /// Where the folder has a name.
    Searched(Search, Option<PathBuf>),
    /// Nothing yet.
    Nothing,
    /// The threads are gone.
    Ended,
}

/// What is said of an adapter that is not to blame.
const PANICKED: &str = "reading it panicked, which is a fault of this program: its log says where";

/// Of an adapter that nobody waits for any more.
pub(super) const LEFT: &str = "who asked for it has left: it was looked at no further";

/// How long nothing else is looked at where there is nothing to compute.
const MOMENT: Duration = Duration::from_millis(5);

/// Reads adapters, looks at them, and looks for names, each on a thread of its own, one after the other; they end with this.
pub(crate) struct Loader {
    orders: Sender<Order>,
    looks: Sender<Look>,
    searches: Sender<Search>,
    done: Receiver<Received>,
}

impl Loader {
    pub(crate) fn new(reader: Arc<Reader>) -> Loader {
        let looking = Arc::clone(&reader);
        // Who loads an adapter is told what is wrong with its values, and not only who asks for it first.
        let look = move |look: &Look| {
            let looked = looking.look_through(&look.path, &look.layout, || !look.reply.is_closed());
            looked.map_err(|broken| broken.reason)
        };
        Loader::begin(move |order| reader.read(order), look)
    }

    /// One that reads by `read` and looks by `look`, unless who asked has left. Where one of them panics that adapter has failed, and the next ones are read.
    pub(crate) fn begin(
        mut read: impl FnMut(&Order) -> Result<Read, Broken> + Send + 'static,
        look: impl Fn(&Look) -> Result<Footprint, String> + Send + 'static,
    ) -> Loader {
        let (outbox, done) = channel();
        let orders = beside(outbox.clone(), move |order: Order| {
            let read = catch_unwind(AssertUnwindSafe(|| read(&order)));
            let panicked = |_| Err(Broken::new(AdapterFault::Engine, PANICKED));
            let read = read.unwrap_or_else(panicked).unwrap_or_else(Read::Failed);
            Received::Read(order.generation, read)
        });
        let looks = beside(outbox.clone(), move |asked: Look| {
            if asked.reply.is_closed() {
                return Received::Looked(asked, Err(LEFT.to_owned()));
            }
            let looked = catch_unwind(AssertUnwindSafe(|| look(&asked)));
            Received::Looked(asked, looked.unwrap_or_else(|_| Err(PANICKED.to_owned())))
        });
        let searches = beside(outbox, |search: Search| {
            let found = search.folder.find(&search.name);
            Received::Searched(search, found)
        });
        Loader { orders, looks, searches, done }
    }

    pub(crate) fn read(&self, order: Order) {
        // If the thread is gone nothing comes back, as for a file that takes forever.
        let _ = self.orders.send(order);
    }

    /// Has an adapter looked at. False if the thread is gone: who asked is told by the reply that is dropped.
    pub(crate) fn look(&self, look: Look) -> bool {
        self.looks.send(look).is_ok()
    }

    /// Has a name looked for. False as for [`Loader::look`].
    pub(crate) fn search(&self, search: Search) -> bool {
        self.searches.send(search).is_ok()
    }

    /// The next that has been read, waiting a moment for it if so wanted.
    pub(crate) fn receive(&self, wait: bool) -> Received {
        let time = if wait { MOMENT } else { Duration::ZERO };
        match self.done.recv_timeout(time) {
            Ok(received) => received,
            Err(RecvTimeoutError::Timeout) => Received::Nothing,
            Err(RecvTimeoutError::Disconnected) => Received::Ended,
        }
    }
}

/// Does what comes on a thread of its own, one after the other.
fn beside<T: Send + 'static>(
    outbox: Sender<Received>,
    mut work: impl FnMut(T) -> Received + Send + 'static,
) -> Sender<T> {
    let (sender, inbox) = channel();
    std::thread::spawn(move || {
        for task in inbox {
            if outbox.send(work(task)).is_err() {
                break;
            }
        }
    });
    sender
}
