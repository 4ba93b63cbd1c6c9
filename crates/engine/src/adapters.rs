//! Adapters by name, in three tiers: as files, in host memory, and on the device. Files are read on a thread of their own, so that others' answers
//! go on; what is on the device and nobody uses makes room for what somebody asks for, the least recently used first.
//!
//! What is in a tier is known by its generation, a number that no other adapter has before or after it, not by its name: a name may come to mean
//! another adapter while answers with the old one are under way.

mod files;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use checkpoint::LoraConfig;

use crate::batch::Pool;
use crate::error::Result;
use crate::service::AdapterEntry;
use crate::{EngineOptions, ModelPlan};

pub(crate) use files::{Factors, Loader, Received, rank_room, served_modules};

/// An adapter that is known.
struct Adapter {
    path: PathBuf,
    /// Whether its name means it.
    is_named: bool,
    /// Answers under way, those that wait for it among them.
    users: usize,
    /// Those that are computed with what is on the device.
    computed: usize,
    /// When it was asked for last, by a clock that counts requests.
    asked: u64,
    host: Option<Arc<Factors>>,
    is_loading: bool,
    /// Its ranks' places in the pool.
    places: Option<Arc<[u32]>>,
    /// Why it cannot be used.
    broken: Option<String>,
}

/// All adapters that are known.
pub(crate) struct Adapters {
    /// A folder whose folders are adapters by their names.
    folder: Option<PathBuf>,
    names: HashMap<String, u64>,
    /// Names that mean nothing though the folder has them, until they are registered again.
    unloaded: HashSet<String>,
    known: HashMap<u64, Adapter>,
    generations: u64,
    clock: u64,
    /// The most ranks of an adapter: rows of a step have room for as many.
    rank_max: usize,
    /// Bytes that factors in host memory may take and do.
    host_bytes_max: u64,
    host_bytes: u64,
    loader: Loader,
}

/// Puts factors at places of a pool.
pub(crate) type Write<'a> = dyn FnMut(&mut Pool, &Factors, &[u32]) -> Result<()> + 'a;

/// How an adapter stands.
#[derive(Debug, PartialEq)]
pub(crate) enum Standing {
    /// On the device.
    Ready(Arc<[u32]>),
    /// Being read.
    Coming,
    /// Without room until answers with others end.
    NoRoom,
    /// It cannot be used.
    Broken(String),
}

impl Adapters {
    pub(crate) fn new(plan: &ModelPlan, options: &EngineOptions) -> Adapters {
        let (names, unloaded, known) = Default::default();
        Adapters {
            folder: options.adapters.clone(),
            names,
            unloaded,
            known,
            generations: 0,
            clock: 0,
            rank_max: options.adapter_rank_max,
            host_bytes_max: options.adapter_host_bytes,
            host_bytes: 0,
            loader: Loader::new(plan.clone()),
        }
    }

    /// What requests may ask for, in the order of their names.
    pub(crate) fn entries(&self) -> Vec<AdapterEntry> {
        let entry = |(name, generation): (&String, &u64)| {
            let path = self.known.get(generation)?.path.clone();
            Some(AdapterEntry { name: name.clone(), path })
        };
        let mut entries: Vec<_> = self.names.iter().filter_map(entry).collect();
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        entries
    }

    /// Whether requests may ask for that name.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.names.contains_key(name) || self.in_folder(name).is_some()
    }

    /// Where the folder has what is to be found by that name.
    fn in_folder(&self, name: &str) -> Option<PathBuf> {
        let folder = self.folder.as_deref().filter(|_| !self.unloaded.contains(name))?;
        found(folder, name)
    }

    /// Registers an adapter, whose files are looked at when it is first asked for. The name means this one from now on.
    pub(crate) fn register(&mut self, name: &str, path: PathBuf) {
        self.unregister(name);
        self.unloaded.remove(name);
        self.generations += 1;
        let adapter = Adapter {
            path,
            is_named: true,
            users: 0,
            computed: 0,
            asked: 0,
            host: None,
            is_loading: false,
            places: None,
            broken: None,
        };
        self.known.insert(self.generations, adapter);
        self.names.insert(name.to_owned(), self.generations);
    }

    /// Forgets a name, also where the folder has it; answers under way go on. False if nothing is called so.
    pub(crate) fn unload(&mut self, name: &str) -> bool {
        let is_known = self.knows(name);
        self.unregister(name);
        if is_known {
            self.unloaded.insert(name.to_owned());
        }
        is_known
    }

    fn unregister(&mut self, name: &str) {
        let generation = self.names.remove(name);
        if let Some(adapter) = generation.and_then(|generation| self.known.get_mut(&generation)) {
            adapter.is_named = false;
        }
    }

    /// The generation of the adapter that a name means, for an answer that begins: it is kept until [`Adapters::release`].
    pub(crate) fn acquire(&mut self, name: &str) -> Option<u64> {
        if !self.names.contains_key(name) {
            let path = self.in_folder(name)?;
            self.register(name, path);
        }
        let generation = self.names[name];
        let adapter = self.known.get_mut(&generation)?;
        self.clock += 1;
        if adapter.users == 0 {
            // Its files may have been mended.
            adapter.broken = None;
        }
        adapter.users += 1;
        adapter.asked = self.clock;
        Some(generation)
    }

    /// An answer begins to be computed with what is on the device, which stays there as long.
    pub(crate) fn begin(&mut self, generation: u64) {
        if let Some(adapter) = self.known.get_mut(&generation) {
            adapter.computed += 1;
        }
    }

    /// An answer has ended, which was computed or only waited.
    pub(crate) fn release(&mut self, generation: u64, was_computed: bool, pool: &mut Option<Pool>) {
        let Some(adapter) = self.known.get_mut(&generation) else { return };
        adapter.users -= 1;
        adapter.computed -= usize::from(was_computed);
        if adapter.users == 0 && !adapter.is_named {
            self.forget(generation, pool);
        }
    }

    fn forget(&mut self, generation: u64, pool: &mut Option<Pool>) {
        let Some(adapter) = self.known.remove(&generation) else { return };
        if let (Some(places), Some(pool)) = (adapter.places, pool) {
            pool.give_back(&places);
        }
        self.host_bytes -= adapter.host.map_or(0, |factors| factors.bytes());
    }

    /// Frees what no name means and nobody uses.
    pub(crate) fn sweep(&mut self, pool: &mut Option<Pool>) {
        let unused = self.known.iter().filter(|(_, adapter)| !adapter.is_named && adapter.users == 0);
        let unused: Vec<_> = unused.map(|(generation, _)| *generation).collect();
        unused.into_iter().for_each(|generation| self.forget(generation, pool));
    }

    /// Takes what has been read since; waits a moment for the first if so wanted.
    pub(crate) fn receive(&mut self, mut wait: bool) {
        loop {
            let (generation, read) = match self.loader.receive(wait) {
                Received::Read(generation, read) => (generation, read),
                Received::Nothing => return,
                Received::Ended => {
                    for adapter in self.known.values_mut().filter(|adapter| adapter.is_loading) {
                        adapter.is_loading = false;
                        adapter.broken = Some("the thread that reads adapters has ended".to_owned());
                    }
                    return;
                }
            };
            wait = false;
            let Some(adapter) = self.known.get_mut(&generation) else { continue };
            adapter.is_loading = false;
            match read {
                Ok(factors) => {
                    self.host_bytes += factors.bytes();
                    adapter.host = Some(Arc::new(factors));
                }
                Err(reason) => adapter.broken = Some(reason),
            }
        }
    }

    /// How an adapter stands that an answer waits for; brings it nearer. `write` puts factors at places of the pool.
    pub(crate) fn bring(
        &mut self,
        generation: u64,
        pool: &mut Option<Pool>,
        write: &mut Write<'_>,
    ) -> Result<Standing> {
        let Some(adapter) = self.known.get_mut(&generation) else { return Ok(Standing::Broken("it is gone".into())) };
        if let Some(reason) = &adapter.broken {
            return Ok(Standing::Broken(reason.clone()));
        }
        if let Some(places) = &adapter.places {
            return Ok(Standing::Ready(places.clone()));
        }
        let Some(factors) = adapter.host.clone() else {
            if !adapter.is_loading {
                adapter.is_loading = true;
                self.loader.read(generation, adapter.path.clone(), pool.as_ref().map(|pool| pool.layout.clone()));
            }
            return Ok(Standing::Coming);
        };
        let Some(own) = pool else { return Ok(Standing::Broken("there is no room for adapters".into())) };
        if factors.rank > self.rank_max {
            let (rank, most) = (factors.rank, self.rank_max);
            return Ok(Standing::Broken(format!("its rank of {rank} is more than there is room for, {most}")));
        }
        let idle = self.known.values().filter(|one| one.computed == 0).filter_map(|one| one.places.as_ref());
        if own.left() + idle.map(|places| places.len()).sum::<usize>() < factors.rank {
            return Ok(Standing::NoRoom);
        }
        loop {
            if let Some(places) = own.take(factors.rank) {
                write(own, &factors, &places)?;
                let places: Arc<[u32]> = places.into();
                if let Some(adapter) = self.known.get_mut(&generation) {
                    adapter.places = Some(places.clone());
                }
                self.trim_host();
                return Ok(Standing::Ready(places));
            }
            let idle = self.known.values_mut().filter(|one| one.computed == 0 && one.places.is_some());
            let Some(oldest) = idle.min_by_key(|one| one.asked) else { return Ok(Standing::NoRoom) };
            if let Some(places) = oldest.places.take() {
                own.give_back(&places);
            }
        }
    }

    /// Drops from host memory what is least recently used, while it is too much.
    fn trim_host(&mut self) {
        while self.host_bytes > self.host_bytes_max {
            let held =
                self.known.values_mut().filter(|one| one.host.is_some() && (one.users == 0 || one.places.is_some()));
            let Some(oldest) = held.min_by_key(|one| one.asked) else { return };
            self.host_bytes -= oldest.host.take().map_or(0, |factors| factors.bytes());
        }
    }

    /// Forgets what is on the device, which is no more.
    pub(crate) fn lose_device(&mut self) {
        self.known.values_mut().for_each(|adapter| adapter.places = None);
    }
}

/// The folder of an adapter that has a name of which it is safe to make a path.
fn found(folder: &Path, name: &str) -> Option<PathBuf> {
    let is_plain = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', '\0']);
    let path = folder.join(name);
    (is_plain && path.join("adapter_config.json").is_file()).then_some(path)
}

/// The configuration of an adapter's folder.
pub(crate) fn config_of(path: &Path) -> std::result::Result<LoraConfig, String> {
    LoraConfig::read(path.join("adapter_config.json")).map_err(|error| error.to_string())
}

/// An adapter in a folder of folders: its name, its folder, and its configuration if that can be read.
pub(crate) type Found = (String, PathBuf, Option<LoraConfig>);

/// The adapters in a folder of folders, in the order of their names.
pub(crate) fn in_folder(folder: &Path) -> std::io::Result<Vec<Found>> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if let Some(path) = found(folder, &name) {
            let config = LoraConfig::read(path.join("adapter_config.json")).ok();
            all.push((name, path, config));
        }
    }
    all.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(all)
}

#[cfg(test)]
mod tests {
    use graph::DType;
    use models::LanguageModel;
    use runtime::plugins::Platform;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_unloaded_is_not_found_in_the_folder_until_it_is_loaded_again() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("poet")).unwrap();
        std::fs::write(folder.path().join("poet/adapter_config.json"), "{}").unwrap();
        let config = json!({
            "model_type": "llama", "vocab_size": 96, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 1, "num_attention_heads": 4
        });
        let plan = ModelPlan::new(LanguageModel::from_json(&config).unwrap(), DType::F32, Platform::Cpu);
        let options = EngineOptions { adapters: Some(folder.path().to_owned()), ..EngineOptions::default() };
        let mut adapters = Adapters::new(&plan, &options);
        let first = adapters.acquire("poet").unwrap();
        assert!(adapters.acquire("../poet").is_none() && adapters.acquire("nobody").is_none());
        assert!(adapters.unload("poet") && !adapters.unload("poet") && !adapters.knows("poet"));
        assert!(adapters.acquire("poet").is_none() && adapters.entries().is_empty());
        // The answer under way goes on with what it has.
        assert!(adapters.known.contains_key(&first));
        adapters.register("poet", folder.path().join("poet"));
        assert!(adapters.acquire("poet").unwrap() > first);
        adapters.release(first, false, &mut None);
        assert!(!adapters.known.contains_key(&first));
    }
}
