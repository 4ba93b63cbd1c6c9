//! Whose the names of adapters are.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::OwnedMutexGuard;

type Owner = tokio::sync::Mutex<Option<String>>;

/// The names of the keys that loaded adapters, by the adapters' names, and of names that are being loaded or unloaded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Owners {
    of_names: Arc<Mutex<HashMap<String, Arc<Owner>>>>,
}

impl Owners {
    /// The owner of a name, for whoever loads or unloads it: others who do so wait until it is dropped, and nobody else does.
    pub(crate) async fn of(&self, name: &str) -> Held {
        // Before what is waited for, so that it is dropped behind it.
        let place = Place { owners: self.clone(), name: name.to_owned() };
        let owner = Arc::clone(self.of_names().entry(name.to_owned()).or_default());
        Held { key: owner.lock_owned().await, _place: place }
    }

    fn of_names(&self) -> MutexGuard<'_, HashMap<String, Arc<Owner>>> {
        self.of_names.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A name that one request loads or unloads.
pub(crate) struct Held {
    /// The key's name; `None`: it is nobody's.
    pub(crate) key: OwnedMutexGuard<Option<String>>,
    _place: Place,
}

/// Of who holds a name or waits for it.
struct Place {
    owners: Owners,
    name: String,
}

impl Drop for Place {
    /// Keeps nothing of names that are nobody's, which anyone may ask for.
    fn drop(&mut self) {
        let mut of_names = self.owners.of_names();
        // Who holds it or waits for it has it as well.
        let alone = of_names.get_mut(&self.name).and_then(Arc::get_mut);
        if alone.is_some_and(|owner| owner.get_mut().is_none()) {
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
        let second = second.await;
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

    #[tokio::test]
    async fn nothing_is_kept_of_who_left_while_waiting() {
        let owners = Owners::default();
        let first = owners.of("poet").await;
        let waiting = [(); 2].map(|()| {
            let mut waiting = Box::pin(owners.of("poet"));
            assert!((&mut waiting).now_or_never().is_none());
            waiting
        });
        // It is the next one's, who has not taken it yet.
        drop(first);
        drop(waiting);
        assert!(owners.of_names().is_empty());
    }
}
