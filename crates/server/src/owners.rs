//! Whose the names of adapters are.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::OwnedMutexGuard;

type Owner = tokio::sync::Mutex<Option<String>>;

/// The names of the keys that loaded adapters, by the adapters' names, and of names that are being loaded or unloaded.
#[derive(Debug, Default)]
pub(crate) struct Owners {
    of_names: Mutex<HashMap<String, Arc<Owner>>>,
}

impl Owners {
    /// The owner of a name, for whoever loads or unloads it: others who do so wait until it is dropped, and nobody else does.
    pub(crate) async fn of(&self, name: &str) -> Held<'_> {
        let owner = Arc::clone(self.of_names().entry(name.to_owned()).or_default());
        Held { owners: self, name: name.to_owned(), key: owner.lock_owned().await }
    }

    fn of_names(&self) -> MutexGuard<'_, HashMap<String, Arc<Owner>>> {
        self.of_names.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A name that one request loads or unloads.
pub(crate) struct Held<'a> {
    owners: &'a Owners,
    name: String,
    /// The key's name; `None`: it is nobody's.
    pub(crate) key: OwnedMutexGuard<Option<String>>,
}

impl Drop for Held<'_> {
    /// Keeps nothing of names that are nobody's, which anyone may ask for.
    fn drop(&mut self) {
        let mut of_names = self.owners.of_names();
        let others = of_names.get(&self.name).map_or(0, Arc::strong_count) > 2;
        if self.key.is_none() && !others {
            of_names.remove(&self.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn a_name_is_held_by_one_and_kept_while_it_is_somebodys() {
        let owners = Owners::default();
        let mut first = owners.of("poet").await;
        *first.key = Some("a".to_owned());
        let (mut second, other) = (Box::pin(owners.of("poet")), owners.of("clerk").await);
        assert!((&mut second).now_or_never().is_none());
        drop((first, other));
        let mut second = second.await;
        assert_eq!(second.key.as_deref(), Some("a"));
        // Nor is it forgotten where nobody waits for it.
        drop(second);
        let mut second = owners.of("poet").await;
        assert_eq!(second.key.as_deref(), Some("a"));
        assert_eq!(owners.of_names().len(), 1);
        // Who waits for a name that is nobody's has it next.
        *second.key = None;
        let mut third = Box::pin(owners.of("poet"));
        assert!((&mut third).now_or_never().is_none());
        drop(second);
        let third = third.await;
        assert!(third.key.is_none());
        drop(third);
        assert!(owners.of_names().is_empty());
    }
}
