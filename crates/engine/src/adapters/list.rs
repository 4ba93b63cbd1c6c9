//! Which adapters there are, for who asks.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::found;
use crate::service::AdapterEntry;

/// The adapters that requests may ask for: those that are registered, and what was put into the folder of adapters since.
#[derive(Clone, Debug)]
pub struct AdapterList {
    registered: Arc<[AdapterEntry]>,
    folder: Option<PathBuf>,
}

impl AdapterList {
    /// Those that are registered, and those of a folder.
    pub fn new(registered: Arc<[AdapterEntry]>, folder: Option<PathBuf>) -> AdapterList {
        AdapterList { registered, folder }
    }

    /// All of them, in the order of their names. Of the folder's no more is looked at than whether they have a configuration; still that is not for a thread for
    /// which others wait. A folder that cannot be read has none.
    pub fn all(&self) -> Vec<AdapterEntry> {
        let mut all = self.registered.to_vec();
        if let Some(folder) = &self.folder {
            match self.others(folder) {
                Ok(others) => all.extend(others),
                Err(error) => tracing::warn!("the folder of adapters {} cannot be read: {error}", folder.display()),
            }
        }
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all
    }

    /// What a folder has beside those that are registered.
    fn others(&self, folder: &Path) -> std::io::Result<Vec<AdapterEntry>> {
        let known: HashSet<&str> = self.registered.iter().map(|entry| entry.name.as_str()).collect();
        let mut others = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            // A name that is no text is none that a request could have.
            let Ok(name) = entry?.file_name().into_string() else { continue };
            if known.contains(name.as_str()) {
                continue;
            }
            others.extend(found(folder, &name).map(|path| AdapterEntry { name, path }));
        }
        Ok(others)
    }
}
