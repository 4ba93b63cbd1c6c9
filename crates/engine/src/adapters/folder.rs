//! The folder of adapters: which of its folders are adapters, and by which names.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf, is_separator};
use std::sync::{Arc, Mutex, PoisonError};

use checkpoint::LoraConfig;

use super::config_of;
use crate::name::check_adapter_name;
use crate::service::AdapterEntry;

/// An adapter in a folder of folders: its name, its folder, and its configuration, or why that cannot be read.
pub(crate) type Found = (String, PathBuf, Result<LoraConfig, String>);

/// Why the folder of adapters cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// It cannot be read.
    #[error("cannot read the folder of adapters {}: {cause}", path.display())]
    Unreadable {
        /// The folder.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// It is an adapter itself.
    #[error(
        "{0} is itself an adapter, and not a folder of adapters: give the folder above it to --adapters, or give --lora-modules NAME={0}",
        path.display()
    )]
    IsAdapter {
        /// The folder.
        path: PathBuf,
    },
}

/// A folder whose folders are adapters, by their names.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// Names that stand for the model itself.
    of_model: Arc<[String]>,
    /// Why folders are passed over, as far as it was told: once, however often the folder is looked at.
    told: Arc<Mutex<HashMap<PathBuf, String>>>,
}

impl Folder {
    /// One beside a model of these names.
    pub(crate) fn new(path: PathBuf, of_model: &[String]) -> Folder {
        Folder { path, of_model: of_model.into(), told: Arc::default() }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is an adapter itself, which has none in it.
    pub(crate) fn is_adapter(&self) -> bool {
        is_adapter(&self.path)
    }

    /// Where an adapter of that name would be.
    pub(crate) fn place_of(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Whether an adapter of the folder may have that name, of which it is safe to make a path.
    pub(crate) fn may_have(&self, name: &str) -> bool {
        is_plain(name) && self.check(name).is_ok()
    }

    /// Where the folder has an adapter of that name.
    pub(crate) fn find(&self, name: &str) -> Option<PathBuf> {
        let place = self.place_of(name);
        (self.may_have(name) && is_adapter(&place)).then_some(place)
    }

    /// The adapters in it, in the order of their names.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn all(&self) -> io::Result<Vec<Found>> {
        let read = |AdapterEntry { name, path }: AdapterEntry| {
            let config = config_of(&path);
            (name, path, config)
        };
        Ok(self.others(&[])?.into_iter().map(read).collect())
    }

    fn check(&self, name: &str) -> Result<(), String> {
        if self.of_model.iter().any(|own| own == name) {
            return Err("requests get the model itself by that name: call the folder by another".to_owned());
        }
        check_adapter_name(name).map_err(|rule| format!("{rule}: call the folder by another"))
    }

    /// The adapters in it but those of `registered`. What has no name that requests could ask for, or one by which they get something else, is passed over, and
    /// told.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn others(&self, registered: &[AdapterEntry]) -> io::Result<Vec<AdapterEntry>> {
        let registered: HashMap<&str, &AdapterEntry> =
            registered.iter().map(|entry| (entry.name.as_str(), entry)).collect();
        let mut others = Vec::new();
        for entry in std::fs::read_dir(&self.path)? {
            let name = entry?.file_name();
            let place = self.path.join(&name);
            let Ok(name) = name.into_string() else {
                self.tell(&place, "its name is no text in UTF-8: call the folder by another".to_owned());
                continue;
            };
            let other = registered.get(name.as_str());
            if name.starts_with('.') || other.is_some_and(|known| known.path == place) {
                continue;
            }
            match (self.check(&name), other) {
                (Err(reason), _) => self.tell(&place, reason),
                (Ok(()), Some(known)) => self.tell_hidden(known),
                (Ok(()), None) if is_adapter(&place) => others.push(AdapterEntry { name, path: place }),
                // It may still be copied: it is found once it is whole.
                (Ok(()), None) if has_weights(&place) => {
                    self.tell_once(&place, "it has weights and no adapter_config.json".to_owned());
                }
                (Ok(()), None) => {}
            }
        }
        others.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(others)
    }

    /// Tells where an adapter from elsewhere has the name of one in the folder.
    pub(crate) fn tell_hidden(&self, known: &AdapterEntry) {
        let place = self.place_of(&known.name);
        let canonical = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if canonical(&place) != canonical(&known.path) {
            let elsewhere = known.path.display();
            self.tell(&place, format!("requests get {elsewhere} by its name: call one of them by another"));
        }
    }

    /// Tells why a folder is passed over, if it is an adapter and that was not told yet.
    fn tell(&self, place: &Path, reason: String) {
        if is_adapter(place) {
            self.tell_once(place, reason);
        }
    }

    fn tell_once(&self, place: &Path, reason: String) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.get(place) != Some(&reason) {
            // In quotes: the name may have lines of its own.
            tracing::warn!("the adapter {place:?} is passed over: {reason}");
            told.insert(place.to_owned(), reason);
        }
    }
}

fn is_adapter(place: &Path) -> bool {
    place.join("adapter_config.json").is_file()
}

fn has_weights(place: &Path) -> bool {
    ["adapter_model.safetensors", "adapter_model.bin"].iter().any(|file| place.join(file).is_file())
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains('\0') && !name.contains(is_separator)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_configuration_that_cannot_be_read_is_found_with_its_file_and_why() {
        let scene = tempfile::tempdir().unwrap();
        let file = scene.path().join("cut/adapter_config.json");
        fs::create_dir(file.parent().unwrap()).unwrap();
        fs::write(&file, "{\"r\": 4, ").unwrap();
        let all = Folder::new(scene.path().to_owned(), &[]).all().unwrap();
        let [(name, _, Err(reason))] = &all[..] else { panic!("{all:?}") };
        assert_eq!(name, "cut");
        assert!(reason.contains(&file.display().to_string()) && reason.contains("EOF while parsing"), "{reason}");
    }

    /// One rule for names, wherever they come from: the folder's are told apart, each once.
    #[test]
    fn what_requests_cannot_ask_for_is_passed_over_and_told_once() {
        let scene = tempfile::tempdir().unwrap();
        let path = scene.path();
        let long = "n".repeat(120);
        let bad = ["a,b", "nl\nx", " a1", &long, "base"];
        for name in bad.into_iter().chain(["fine", "also fine", "back\\slash", "dup", "mine", ".hidden", "empty"]) {
            fs::create_dir(path.join(name)).unwrap();
            if name != "empty" {
                fs::write(path.join(name).join("adapter_config.json"), "{}").unwrap();
            }
        }
        fs::create_dir(path.join("half")).unwrap();
        fs::write(path.join("half/adapter_model.safetensors"), "").unwrap();
        let folder = Folder::new(path.to_owned(), &["base".to_owned()]);
        let entry = |name: &str, path: &Path| AdapterEntry { name: name.to_owned(), path: path.to_owned() };
        // One from elsewhere, and one of the folder by another way to write it.
        let registered = [entry("dup", Path::new("elsewhere")), entry("mine", &path.join("fine/../mine"))];
        let told = |folder: &Folder| {
            let told = folder.told.lock().unwrap();
            let mut told: Vec<_> = told.iter().map(|(place, why)| (place.clone(), why.clone())).collect();
            told.sort();
            told
        };
        let others = folder.others(&registered).unwrap();
        let fine = ["also fine", "back\\slash", "fine"];
        assert_eq!(others, fine.map(|name| entry(name, &path.join(name))));
        assert_eq!(fine.map(|name| folder.find(name)), fine.map(|name| Some(path.join(name))));
        let first = told(&folder);
        let mut places: Vec<_> = bad.into_iter().chain(["dup", "half"]).map(|name| path.join(name)).collect();
        places.sort();
        assert_eq!(first.iter().map(|(place, _)| place.clone()).collect::<Vec<_>>(), places);
        let why = |name: &str| first.iter().find(|(place, _)| *place == path.join(name)).unwrap().1.as_str();
        assert!(why("base").starts_with("requests get the model itself by that name"), "{first:?}");
        assert!(why("dup").starts_with("requests get elsewhere by its name"), "{first:?}");
        assert_eq!(why("half"), "it has weights and no adapter_config.json");
        assert!(why("a,b").contains("no comma") && why(" a1").contains("white space"), "{first:?}");
        assert!(bad.iter().all(|name| folder.find(name).is_none() && !folder.may_have(name)));
        assert!([".", "..", ".hidden", "a/b"].iter().all(|name| !folder.may_have(name)));
        fs::create_dir(path.join("c,d")).unwrap();
        fs::write(path.join("c,d/adapter_config.json"), "{}").unwrap();
        assert_eq!((folder.clone().others(&registered).unwrap().len(), told(&folder).len()), (3, first.len() + 1));
    }
}
