//! Clients of several processes: what plugins leave each other goes through the run's store.

use std::sync::Arc;
use std::time::Duration;

use pjrt::{Code, KeyValueStore, Node, StoreError};
use ranks::{GroupError, ProcessGroup};

/// This process among the ranks of its run.
pub(crate) fn node(group: &Arc<ProcessGroup>) -> Node {
    Node { id: group.rank(), count: group.size(), store: Arc::new(Store(Arc::clone(group))) }
}

/// The part of the run's store that is the plugins'.
struct Store(Arc<ProcessGroup>);

fn key_of_plugin(key: &[u8]) -> Vec<u8> {
    [b"pjrt/", key].concat()
}

impl KeyValueStore for Store {
    fn get(&self, key: &[u8], timeout: Duration) -> Result<Vec<u8>, StoreError> {
        self.0.get(&key_of_plugin(key), Some(timeout)).map_err(store_error)
    }

    fn try_get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        self.0.try_get(&key_of_plugin(key)).map_err(store_error)
    }

    fn put(&self, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
        self.0.put(&key_of_plugin(key), value).map_err(store_error)
    }
}

fn store_error(error: GroupError) -> StoreError {
    let code = match error {
        GroupError::NoValue { .. } | GroupError::Barrier { .. } => Code::DeadlineExceeded,
        GroupError::Full { .. } => Code::ResourceExhausted,
        _ => Code::Unavailable,
    };
    StoreError { code, message: error.to_string() }
}
