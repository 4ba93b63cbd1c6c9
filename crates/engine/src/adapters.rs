//! Adapters by name, in three tiers: as files, in host memory, and on the device. Files are read on a thread of their own, looked at on another and looked for
//! on a third, so that others' answers go on; what nobody uses makes room for what somebody asks for, the least recently used first, and what is pinned stays.
//!
//! What is in a tier is known by its generation, a number that no other adapter has before or after it, not by its name: a name may come to mean
//! another adapter while answers with the old one are under way. A generation is of one content: files that hold another one when they are read
//! again become a generation of their own.

mod files;
mod folder;
mod list;
mod lru;
mod pins;
mod reader;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use checkpoint::LoraConfig;
use models::AdapterPool;
use tokio::sync::oneshot;

use crate::batch::{Places, Pool, Room};
use crate::error::Result;
use crate::service::{AdapterEntry, AdapterFault, Refusal, Unloaded};
use crate::{EngineOptions, ModelPlan};

pub use folder::FolderError;
pub use list::AdapterList;

use files::{Asker, Hash, Loader, Order, Read, Received, Search};
pub(crate) use files::{Factors, Footprint, Look, rank_room};
use folder::Folder;
pub(crate) use folder::Found;
use lru::Lru;
pub(crate) use reader::Reader;

/// An adapter that is known.
struct Adapter {
    name: String,
    path: PathBuf,
    /// Whether its name means it.
    is_named: bool,
    presence: Presence,
    /// Whether it lies in the folder by its name, which is there as long as the folder has it.
    is_in_folder: bool,
    is_pinned: bool,
    /// Answers under way, those that wait for it among them.
    users: usize,
    /// Those that are computed with what is on the device.
    computed: usize,
    /// When it was asked for last, by a clock that counts requests; no two adapters have the same.
    asked: u64,
    /// What it takes, once its configuration was looked at.
    footprint: Footprint,
    /// That of its factors, once they were read.
    hash: Option<Hash>,
    host: Option<Arc<Factors>>,
    is_loading: bool,
    places: Option<Arc<Places>>,
    /// Why it cannot be used.
    broken: Option<Broken>,
    /// The generation that its files are of, where they were found to hold another adapter.
    next: Option<u64>,
}

/// Why an adapter cannot be used.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Broken {
    pub(crate) fault: AdapterFault,
    pub(crate) reason: String,
}

impl Broken {
    fn new(fault: AdapterFault, reason: impl Into<String>) -> Broken {
        Broken { fault, reason: reason.into() }
    }

    /// By an adapter's files, which hold what cannot be served.
    fn by_files(reason: impl Into<String>) -> Broken {
        Broken::new(AdapterFault::Files, reason)
    }
}

impl From<checkpoint::Error> for Broken {
    /// Files are at fault that are missing or hold something else, and not those that the system fails or refuses to read.
    fn from(error: checkpoint::Error) -> Broken {
        let fault = match &error {
            checkpoint::Error::Io { cause, .. } => fault_of(cause),
            _ => AdapterFault::Files,
        };
        Broken::new(fault, error.to_string())
    }
}

/// What is at fault where a file of an adapter cannot be read.
fn fault_of(cause: &io::Error) -> AdapterFault {
    match cause.kind() {
        ErrorKind::NotFound | ErrorKind::UnexpectedEof | ErrorKind::InvalidData => AdapterFault::Files,
        // Something else stands where the file should.
        ErrorKind::IsADirectory | ErrorKind::NotADirectory => AdapterFault::Files,
        // Not the system's answer, but a check that it is a file at all.
        ErrorKind::InvalidInput if cause.raw_os_error().is_none() => AdapterFault::Files,
        _ => AdapterFault::Engine,
    }
}

/// Whether there is an adapter that was asked for by its name in the folder.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Presence {
    There,
    /// The folder is being looked at.
    Sought,
    Absent,
}

impl Adapter {
    /// Whether its places may be given to others.
    fn is_idle(&self) -> bool {
        self.places.is_some() && self.computed == 0 && !self.is_pinned
    }

    /// Whether its places may be given to others once answers have ended.
    fn is_used(&self) -> bool {
        self.places.is_some() && self.computed > 0 && !self.is_pinned
    }

    /// Whether host memory may forget it.
    fn is_spare(&self) -> bool {
        self.host.is_some() && (self.users == 0 || self.places.is_some()) && !self.is_pinned
    }

    /// Whether the folder alone says that there is still such an adapter: nothing of it is in memory, or on its way there.
    fn is_left_to_folder(&self) -> bool {
        let is_held = self.host.is_some() || self.places.is_some() || self.is_loading || self.is_pinned;
        self.is_in_folder && self.users == 0 && !is_held
    }

    fn room(&self) -> Room {
        self.places.as_ref().map(|places| places.room()).unwrap_or_default()
    }
}

/// All adapters that are known.
pub(crate) struct Adapters {
    folder: Option<Folder>,
    names: HashMap<String, u64>,
    /// What requests may ask for by names that are registered, until those change.
    entries: Option<Arc<[AdapterEntry]>>,
    known: HashMap<u64, Adapter>,
    /// Whether those are there that were sought, of which nobody has been told.
    settled: HashMap<u64, bool>,
    generations: u64,
    clock: u64,
    /// Those on the device whose places may be given to others, and what they have together.
    idle: Lru,
    idle_room: Room,
    /// Those on the device that answers are computed with, and that may go then.
    used: HashSet<u64>,
    /// Those in host memory that it may forget.
    spare: Lru,
    /// Those that stay, with what they take once they are there.
    pinned: BTreeMap<u64, Footprint>,
    /// Those without a name, which go with their last answer.
    unnamed: Vec<u64>,
    /// Bytes that adapters in host memory may take and do, those that are being read with what is kept for them.
    host_bytes_max: u64,
    host_bytes: u64,
    reading: HashMap<u64, u64>,
    reader: Arc<Reader>,
    loader: Loader,
    /// What is being looked at, and what was.
    looking: usize,
    looked: Vec<Looked>,
    unloading: Vec<Unloading>,
}

/// An adapter that was looked at, with what it takes, or what is wrong with it.
pub(crate) type Looked = (Look, std::result::Result<Footprint, String>);

/// A name that is to be unloaded, whether the folder has it, and who asked.
pub(crate) type Unloading = (String, bool, oneshot::Sender<std::result::Result<Unloaded, Refusal>>);

/// Puts factors at places of a pool.
pub(crate) type Write<'a> = dyn FnMut(&mut Pool, &Factors, &Places) -> Result<()> + 'a;

/// How an adapter stands.
#[derive(Debug, PartialEq)]
pub(crate) enum Standing {
    /// On the device.
    Ready(Arc<Places>),
    /// Being read.
    Coming,
    /// Without room until answers with others end, or others are read.
    NoRoom,
    /// Its files hold another adapter by now, of this generation, and what they held is nowhere else.
    Replaced(u64),
    /// It cannot be used.
    Broken(Broken),
    /// There is none.
    Absent,
}

impl Adapters {
    pub(crate) fn new(plan: &ModelPlan, options: &EngineOptions) -> Adapters {
        let known_as = plan.known_as.clone().and(&options.model_names);
        let plan = ModelPlan { known_as, ..plan.clone() };
        let reader = Reader::new(plan, options.adapter_rank_max);
        let reader = Arc::new(reader.with_chat_template(options.chat_template.clone()));
        Adapters {
            folder: options.adapters.clone().map(|path| Folder::new(path, &options.model_names)),
            names: HashMap::new(),
            entries: None,
            known: HashMap::new(),
            settled: HashMap::new(),
            generations: 0,
            clock: 0,
            idle: Lru::default(),
            idle_room: Room::default(),
            used: HashSet::new(),
            spare: Lru::default(),
            pinned: BTreeMap::new(),
            unnamed: Vec::new(),
            host_bytes_max: options.adapter_host_bytes,
            host_bytes: 0,
            reading: HashMap::new(),
            loader: Loader::new(Arc::clone(&reader)),
            reader,
            looking: 0,
            looked: Vec::new(),
            unloading: Vec::new(),
        }
    }

    /// What reads them.
    pub(crate) fn reader(&self) -> &Reader {
        &self.reader
    }

    /// What requests may ask for by names that are registered, in their order. It is made once for all who ask until names change.
    fn entries(&mut self) -> Arc<[AdapterEntry]> {
        if let Some(entries) = &self.entries {
            return Arc::clone(entries);
        }
        let mut entries: Vec<_> = self.names.keys().filter_map(|name| self.entry(name)).collect();
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Arc::clone(self.entries.insert(entries.into()))
    }

    /// All that requests may ask for, whose part in the folder is looked at by who asks for it.
    pub(crate) fn list(&mut self) -> AdapterList {
        AdapterList::beside(self.entries(), self.folder.clone())
    }

    /// What requests get by a name that is registered, unless that is for the folder to say.
    pub(crate) fn entry(&self, name: &str) -> Option<AdapterEntry> {
        let is_there = |adapter: &&Adapter| adapter.presence == Presence::There && !adapter.is_left_to_folder();
        let adapter = self.known.get(self.names.get(name)?).filter(is_there)?;
        Some(AdapterEntry { name: name.to_owned(), path: adapter.path.clone() })
    }

    /// Tells what requests may ask for by a name, whether or not somebody has: also what was put into the folder since.
    pub(crate) fn tell(&mut self, name: String, told: impl FnOnce(Option<AdapterEntry>) + Send + 'static) {
        let entry = self.entry(&name);
        match self.place_of(&name).filter(|_| entry.is_none()) {
            Some(folder) => self.search(Search { folder, name, asker: Asker::Told(Box::new(told)) }),
            None => told(entry),
        }
    }

    /// Bytes that adapters in host memory take, with what is kept for those that are being read.
    pub(crate) fn host_bytes(&self) -> u64 {
        self.host_bytes
    }

    /// Whether the folder is still being looked at for an adapter.
    pub(crate) fn is_sought(&self, generation: u64) -> bool {
        self.known.get(&generation).is_some_and(|adapter| adapter.presence == Presence::Sought)
    }

    /// The folder of adapters, if it may have that name.
    fn place_of(&self, name: &str) -> Option<Folder> {
        self.folder.clone().filter(|folder| folder.may_have(name))
    }

    /// Tells where the adapter of a name hides one in the folder.
    pub(crate) fn tell_hidden(&self, name: &str) {
        if let Some((folder, known)) = self.folder.as_ref().zip(self.entry(name)) {
            folder.tell_hidden(&known);
        }
    }

    /// The adapters in the folder, in the order of their names, none where there is no folder.
    ///
    /// # Errors
    /// The folder cannot be read, or is an adapter itself.
    pub(crate) fn in_folder(&self) -> Result<Vec<Found>> {
        let Some(folder) = &self.folder else { return Ok(Vec::new()) };
        let path = || folder.path().to_owned();
        if folder.is_adapter() {
            return Err(FolderError::IsAdapter { path: path() }.into());
        }
        let all = folder.all().map_err(|cause| FolderError::Unreadable { path: path(), cause })?;
        let count = match all.len() {
            0 => "no adapter yet".to_owned(),
            1 => "1 adapter".to_owned(),
            count => format!("{count} adapters"),
        };
        tracing::info!("{} has {count}", folder.path().display());
        Ok(all)
    }

    /// Registers an adapter, whose files are looked at when it is first asked for. The name means this one from now on.
    pub(crate) fn register(&mut self, name: &str, path: PathBuf) -> u64 {
        self.unregister(name);
        self.generations += 1;
        self.clock += 1;
        let is_in_folder = self.place_of(name).is_some_and(|folder| folder.place_of(name) == path);
        let adapter = Adapter {
            name: name.to_owned(),
            path,
            is_named: true,
            presence: Presence::There,
            is_in_folder,
            is_pinned: false,
            users: 0,
            computed: 0,
            asked: self.clock,
            footprint: Footprint::default(),
            hash: None,
            host: None,
            is_loading: false,
            places: None,
            broken: None,
            next: None,
        };
        self.known.insert(self.generations, adapter);
        self.entries = None;
        self.names.insert(name.to_owned(), self.generations);
        self.generations
    }

    /// Has a name unloaded, once it is known whether the folder has it: see [`Adapters::take_unloading`].
    pub(crate) fn begin_to_unload(
        &mut self,
        name: String,
        reply: oneshot::Sender<std::result::Result<Unloaded, Refusal>>,
    ) {
        match self.place_of(&name) {
            Some(folder) => self.search(Search { folder, name, asker: Asker::Unloads(reply) }),
            None => self.unloading.push((name, false, reply)),
        }
    }

    /// Names that are to be unloaded now.
    pub(crate) fn take_unloading(&mut self) -> Vec<Unloading> {
        std::mem::take(&mut self.unloading)
    }

    /// Forgets what a name means; answers under way go on. Where the folder has it, as is told, whoever asks for it next has it read anew. `None` if nothing is
    /// called so.
    pub(crate) fn unload(&mut self, name: &str, is_in_folder: bool) -> Option<Unloaded> {
        let is_known = self.entry(name).is_some();
        self.unregister(name);
        if is_in_folder { Some(Unloaded::InFolder) } else { is_known.then_some(Unloaded::Gone) }
    }

    fn unregister(&mut self, name: &str) {
        let Some(generation) = self.names.remove(name) else { return };
        self.entries = None;
        self.pinned.remove(&generation);
        self.change(generation, |adapter| (adapter.is_named, adapter.is_pinned) = (false, false));
        self.unnamed.push(generation);
    }

    /// The generation of the adapter that a name means or may mean, for an answer that begins: it is kept until [`Adapters::release`]. The folder, for which a disk may
    /// be slow, is looked at on another thread.
    pub(crate) fn acquire(&mut self, name: &str) -> Option<u64> {
        let generation = match self.names.get(name) {
            Some(generation) => *generation,
            None => self.seek(name)?,
        };
        self.seek_again(generation);
        self.use_by_one(generation);
        Some(generation)
    }

    /// Looks whether the folder still has what nobody has used since it left memory, or since it could not be read.
    fn seek_again(&mut self, generation: u64) {
        let Some(adapter) = self.known.get(&generation) else { return };
        if adapter.presence != Presence::There || !adapter.is_left_to_folder() {
            return;
        }
        let name = adapter.name.clone();
        let Some(folder) = self.place_of(&name) else { return };
        self.change(generation, |adapter| adapter.presence = Presence::Sought);
        self.search(Search { folder, name, asker: Asker::Wait(generation) });
    }

    /// Registers what the folder may have, until it is known that it has not.
    fn seek(&mut self, name: &str) -> Option<u64> {
        let folder = self.place_of(name)?;
        let generation = self.register(name, folder.place_of(name));
        self.change(generation, |adapter| adapter.presence = Presence::Sought);
        self.search(Search { folder, name: name.to_owned(), asker: Asker::Wait(generation) });
        Some(generation)
    }

    /// Which adapters that were sought are there, and which are not, since this was asked last.
    pub(crate) fn take_settled(&mut self) -> HashMap<u64, bool> {
        std::mem::take(&mut self.settled)
    }

    /// Takes what is known of an adapter that was sought. A name that means none is no name.
    fn settle(&mut self, generation: u64, is_there: bool) {
        let presence = if is_there { Presence::There } else { Presence::Absent };
        let settled = self.change(generation, |adapter| {
            adapter.presence = presence;
            adapter.is_named.then(|| adapter.name.clone())
        });
        self.entries = None;
        self.settled.insert(generation, is_there);
        if let Some(name) = settled.flatten().filter(|_| !is_there) {
            self.unregister(&name);
        }
    }

    /// An answer that waits for one generation waits for another one in its place.
    pub(crate) fn change_over(&mut self, from: u64, to: u64, pool: &mut Option<Pool>) {
        self.use_by_one(to);
        self.release(from, false, pool);
    }

    fn use_by_one(&mut self, generation: u64) {
        self.clock += 1;
        let clock = self.clock;
        self.change(generation, |adapter| {
            if adapter.users == 0 {
                // Its files may have been mended.
                adapter.broken = None;
            }
            adapter.users += 1;
            adapter.asked = clock;
        });
    }

    /// An answer begins to be computed with what is on the device, which stays there as long.
    pub(crate) fn begin(&mut self, generation: u64) {
        self.change(generation, |adapter| adapter.computed += 1);
    }

    /// An answer has ended, which was computed or only waited.
    pub(crate) fn release(&mut self, generation: u64, was_computed: bool, pool: &mut Option<Pool>) {
        let is_over = self.change(generation, |adapter| {
            adapter.users -= 1;
            adapter.computed -= usize::from(was_computed);
            adapter.users == 0 && !adapter.is_named
        });
        if is_over == Some(true) {
            self.forget(generation, pool);
        }
    }

    fn forget(&mut self, generation: u64, pool: &mut Option<Pool>) {
        let taken = self.change(generation, |adapter| (adapter.places.take(), adapter.host.take()));
        let Some((places, host)) = taken else { return };
        self.known.remove(&generation);
        if let (Some(places), Some(pool)) = (places, pool) {
            pool.give_back(&places);
        }
        self.host_bytes -= host.map_or(0, |factors| factors.bytes());
    }

    /// Frees what no name means and nobody uses.
    pub(crate) fn sweep(&mut self, pool: &mut Option<Pool>) {
        for generation in std::mem::take(&mut self.unnamed) {
            // Those with users go with the last of them.
            if self.known.get(&generation).is_some_and(|adapter| adapter.users == 0) {
                self.forget(generation, pool);
            }
        }
    }

    /// Changes an adapter, and with it what lists it is in: the one place where any of that changes.
    fn change<R>(&mut self, generation: u64, change: impl FnOnce(&mut Adapter) -> R) -> Option<R> {
        let adapter = self.known.get_mut(&generation)?;
        let (asked, idle, spare, room) = (adapter.asked, adapter.is_idle(), adapter.is_spare(), adapter.room());
        let is_left = adapter.is_left_to_folder();
        let result = change(adapter);
        if is_left != adapter.is_left_to_folder() {
            self.entries = None;
        }
        self.idle.moved(generation, idle.then_some(asked), adapter.is_idle().then_some(adapter.asked));
        self.spare.moved(generation, spare.then_some(asked), adapter.is_spare().then_some(adapter.asked));
        let [before, after] = [(idle, room), (adapter.is_idle(), adapter.room())]
            .map(|(is_idle, room)| if is_idle { room } else { Room::default() });
        self.idle_room = self.idle_room.less(before).plus(after);
        match adapter.is_used() {
            true => _ = self.used.insert(generation),
            false => _ = self.used.remove(&generation),
        }
        Some(result)
    }

    /// Has an adapter looked at that is to be registered: a disk may be slow, and a model takes a moment to be traced.
    pub(crate) fn look(&mut self, look: Look) {
        self.looking += usize::from(self.loader.look(look));
    }

    fn search(&mut self, search: Search) {
        self.looking += usize::from(self.loader.search(search));
    }

    /// What an adapter takes that is to be registered, or what is wrong with it.
    pub(crate) fn look_at(&self, path: &Path, layout: &AdapterPool) -> std::result::Result<Footprint, String> {
        self.reader.look_at(path, layout).map_err(|broken| broken.reason)
    }

    /// Whether adapters are being looked at, or looked for.
    pub(crate) fn is_looking(&self) -> bool {
        self.looking > 0
    }

    /// Those that were looked at, as far as that was [received](Adapters::receive).
    pub(crate) fn take_looked(&mut self) -> Vec<Looked> {
        std::mem::take(&mut self.looked)
    }

    /// Adapters are looked at once `hold` is at its end.
    #[cfg(test)]
    pub(crate) fn hold_looks(&mut self, hold: std::sync::mpsc::Receiver<()>) {
        let reader = Arc::clone(&self.reader);
        self.loader = Loader::begin(
            |_| Err(Broken::by_files("none is read here")),
            move |look| {
                let _ = hold.recv();
                reader.look_at(&look.path, &look.layout).map_err(|broken| broken.reason)
            },
        );
    }

    /// Takes what has been read since; waits a moment for the first if so wanted.
    pub(crate) fn receive(&mut self, mut wait: bool) {
        loop {
            let (generation, read) = match self.loader.receive(wait) {
                Received::Read(generation, read) => (generation, read),
                Received::Looked(look, looked) => {
                    wait = false;
                    self.looking -= 1;
                    self.looked.push((look, looked));
                    continue;
                }
                Received::Searched(search, found) => {
                    wait = false;
                    self.looking -= 1;
                    self.take_found(search, found);
                    continue;
                }
                Received::Nothing => return,
                Received::Ended => {
                    self.looking = 0;
                    self.entries = None;
                    self.host_bytes -= self.reading.drain().map(|(_, bytes)| bytes).sum::<u64>();
                    for adapter in self.known.values_mut().filter(|adapter| adapter.is_loading) {
                        adapter.is_loading = false;
                        adapter.broken =
                            Some(Broken::new(AdapterFault::Engine, "the thread that reads adapters has ended"));
                    }
                    return;
                }
            };
            wait = false;
            self.host_bytes -= self.reading.remove(&generation).unwrap_or_default();
            self.change(generation, |adapter| adapter.is_loading = false);
            let Some(adapter) = self.known.get_mut(&generation) else { continue };
            match read {
                Read::Factors(factors) => self.take_in(generation, factors),
                Read::Needs(footprint) => adapter.footprint = footprint,
                Read::Failed(broken) => {
                    if adapter.is_pinned {
                        tracing::warn!("the pinned adapter {} cannot be loaded: {}", adapter.name, broken.reason);
                    }
                    adapter.broken = Some(broken);
                }
            }
        }
    }

    fn take_found(&mut self, Search { name, asker, .. }: Search, found: Option<PathBuf>) {
        match asker {
            Asker::Told(told) => told(found.map(|path| AdapterEntry { name, path })),
            Asker::Unloads(reply) => self.unloading.push((name, found.is_some(), reply)),
            Asker::Wait(generation) => self.settle(generation, found.is_some()),
        }
    }

    /// Takes an adapter's factors into host memory, if they are those that the generation has always had; others get a generation of their own.
    fn take_in(&mut self, generation: u64, factors: Factors) {
        let Some(adapter) = self.known.get_mut(&generation) else { return };
        let is_other = adapter.hash.is_some_and(|hash| hash != factors.hash);
        let owner = match is_other {
            false => generation,
            true if !adapter.is_named => {
                adapter.broken = Some(Broken::by_files(
                    "its files hold another adapter than when it was asked for, and what they held has left memory: ask again",
                ));
                return;
            }
            true => {
                let Adapter { is_pinned, footprint, .. } = *adapter;
                let (name, path) = (adapter.name.clone(), adapter.path.clone());
                tracing::info!("the files of the adapter {name} have changed: requests from now on get what they hold");
                let next = self.register(&name, path);
                let takes = Footprint { room: factors.room, bytes: factors.bytes() };
                match is_pinned && takes == footprint {
                    true => self.pin(next, takes),
                    false if is_pinned => tracing::warn!("{name} is of another size than before, and pinned no more"),
                    false => {}
                }
                self.change(generation, |adapter| adapter.next = Some(next));
                next
            }
        };
        self.host_bytes += factors.bytes();
        self.change(owner, |adapter| {
            adapter.footprint = Footprint { room: factors.room, bytes: factors.bytes() };
            adapter.hash = Some(factors.hash);
            adapter.host = Some(Arc::new(factors));
        });
    }

    /// The places of an adapter that is on the device and can be used.
    pub(crate) fn on_device(&self, generation: u64) -> Option<Arc<Places>> {
        let adapter = self.known.get(&generation)?;
        adapter.places.clone().filter(|_| adapter.next.is_none() && adapter.broken.is_none())
    }

    /// How an adapter stands that an answer waits for; brings it nearer. `is_first`: of all answers, so that nothing that waits behind it may keep it from
    /// being read. `write` puts factors at places of the pool.
    pub(crate) fn bring(
        &mut self,
        generation: u64,
        is_first: bool,
        pool: &mut Option<Pool>,
        write: &mut Write<'_>,
    ) -> Result<Standing> {
        let Some(adapter) = self.known.get(&generation) else {
            return Ok(Standing::Broken(Broken::new(AdapterFault::Engine, "it is gone")));
        };
        match adapter.presence {
            Presence::Sought => return Ok(Standing::Coming),
            Presence::Absent => return Ok(Standing::Absent),
            Presence::There => {}
        }
        if let Some(next) = adapter.next {
            return Ok(Standing::Replaced(next));
        }
        if let Some(broken) = &adapter.broken {
            return Ok(Standing::Broken(broken.clone()));
        }
        if let Some(places) = &adapter.places {
            return Ok(Standing::Ready(places.clone()));
        }
        let Some(own) = pool else {
            return Ok(Standing::Broken(Broken::new(AdapterFault::Room, "there is no room for adapters")));
        };
        if let Err(reason) = self.check_room(generation, adapter.footprint, Room::of(&own.layout)) {
            return Ok(Standing::Broken(Broken::new(AdapterFault::Room, reason)));
        }
        let Some(factors) = adapter.host.clone() else { return Ok(self.read(generation, is_first, own)) };
        if !own.left().plus(self.idle_room).has(factors.room) {
            return Ok(Standing::NoRoom);
        }
        loop {
            if let Some(places) = own.take(factors.room) {
                if let Err(error) = write(own, &factors, &places) {
                    own.give_back(&places);
                    return Err(error);
                }
                let places = Arc::new(places);
                self.change(generation, |adapter| adapter.places = Some(places.clone()));
                return Ok(Standing::Ready(places));
            }
            let Some(oldest) = self.idle.oldest() else { return Ok(Standing::NoRoom) };
            if let Some(places) = self.change(oldest, |adapter| adapter.places.take()).flatten() {
                own.give_back(&places);
            }
        }
    }

    /// The adapters that have to go for one that was read to have room on the device: those without answers, and of the others those with the fewest, as many
    /// as make room. None if it has room.
    pub(crate) fn in_the_way_of(&self, generation: u64, pool: Option<&Pool>) -> HashSet<u64> {
        let factors = self.known.get(&generation).and_then(|adapter| adapter.host.as_ref());
        let (Some(factors), Some(pool)) = (factors, pool) else { return HashSet::new() };
        let mut room = pool.left().plus(self.idle_room);
        let used = self.used.iter().filter_map(|generation| Some((*generation, self.known.get(generation)?)));
        let mut used: Vec<_> = used.collect();
        used.sort_unstable_by_key(|(generation, adapter)| (adapter.computed, *generation));
        let mut in_the_way = HashSet::new();
        for (generation, adapter) in used {
            let (missed, own) = (factors.room.less(room), adapter.room());
            if missed.ranks.min(own.ranks) > 0 || missed.stretches.min(own.stretches) > 0 {
                room = room.plus(own);
                in_the_way.insert(generation);
            }
        }
        if !in_the_way.is_empty() {
            in_the_way.extend(self.idle.generations());
        }
        in_the_way
    }

    /// Has an adapter read, once host memory has room for it.
    fn read(&mut self, generation: u64, is_first: bool, pool: &Pool) -> Standing {
        let Some(adapter) = self.known.get(&generation) else { return Standing::NoRoom };
        if adapter.is_loading {
            return Standing::Coming;
        }
        let (path, bytes) = (adapter.path.clone(), adapter.footprint.bytes);
        if !self.make_host_room(bytes, is_first) {
            return Standing::NoRoom;
        }
        self.host_bytes += bytes;
        self.reading.insert(generation, bytes);
        self.change(generation, |adapter| adapter.is_loading = true);
        self.loader.read(Order { generation, path, layout: Some(pool.layout.clone()), bytes });
        Standing::Coming
    }

    /// Makes room in host memory: by what nobody waits for, and for the first also by what others do.
    fn make_host_room(&mut self, bytes: u64, is_first: bool) -> bool {
        while self.host_bytes + bytes > self.host_bytes_max {
            let waiting = || {
                let held = self.known.iter().filter(|(_, adapter)| adapter.host.is_some() && !adapter.is_pinned);
                held.min_by_key(|(_, adapter)| adapter.asked).map(|(generation, _)| *generation)
            };
            let Some(oldest) = self.spare.oldest().or_else(|| is_first.then(waiting).flatten()) else { return false };
            let host = self.change(oldest, |adapter| adapter.host.take()).flatten();
            self.host_bytes -= host.map_or(0, |factors| factors.bytes());
        }
        true
    }

    /// Forgets what is on the device, which is no more.
    pub(crate) fn lose_device(&mut self) {
        let all: Vec<_> = self.known.keys().copied().collect();
        for generation in all {
            self.change(generation, |adapter| adapter.places = None);
        }
    }
}

/// The configuration of an adapter's folder, or what is wrong with it.
pub(crate) fn config_of(path: &Path) -> std::result::Result<LoraConfig, String> {
    read_config(path).map_err(|broken| broken.reason)
}

/// [`config_of`], with what is at fault where it cannot be read.
fn read_config(path: &Path) -> std::result::Result<LoraConfig, Broken> {
    let file = path.join("adapter_config.json");
    // Asked before opening, because opening a pipe would wait for its other end.
    if std::fs::metadata(&file).is_ok_and(|found| !found.is_file()) {
        return Err(Broken::by_files(format!("cannot read {}: it is not a file", file.display())));
    }
    Ok(LoraConfig::read(file)?)
}
