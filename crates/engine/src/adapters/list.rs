//! Which adapters there are, for who asks.

use std::path::PathBuf;
use std::sync::Arc;

use super::folder::Folder;
use crate::service::AdapterEntry;

/// The adapters that requests may ask for: those that are registered, and what was put into the folder of adapters since.
#[derive(Clone, Debug)]
pub struct AdapterList {
    registered: Arc<[AdapterEntry]>,
    folder: Option<Folder>,
}

impl AdapterList {
    /// Those that are registered, and those of a folder.
    pub fn new(registered: Arc<[AdapterEntry]>, folder: Option<PathBuf>) -> AdapterList {
        AdapterList::beside(registered, folder.map(|path| Folder::new(path, &[])))
    }

    pub(crate) fn beside(registered: Arc<[AdapterEntry]>, folder: Option<Folder>) -> AdapterList {
        AdapterList { registered, folder }
    }

    /// All of them, in the order of their names. Of the folder's no more is looked at than whether they have a configuration; still that is not for a thread for
    /// which others wait. A folder that cannot be read has none.
    pub fn all(&self) -> Vec<AdapterEntry> {
        let mut all = self.registered.to_vec();
        if let Some(folder) = &self.folder {
            match folder.others(&self.registered) {
                Ok(others) => all.extend(others),
                Err(error) => {
                    tracing::warn!("the folder of adapters {} cannot be read: {error}", folder.path().display())
                }
            }
        }
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all
    }
}
