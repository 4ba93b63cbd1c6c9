//! An order by use.

use std::collections::BTreeMap;

/// Adapters by when they were asked for last.
#[derive(Debug, Default)]
pub(crate) struct Lru(BTreeMap<u64, u64>);

impl Lru {
    /// That an adapter which was asked for at `before`, if it was in here, is asked for at `after`, if it is to be.
    pub(crate) fn moved(&mut self, generation: u64, before: Option<u64>, after: Option<u64>) {
        if before == after {
            return;
        }
        if let Some(before) = before {
            self.0.remove(&before);
        }
        if let Some(after) = after {
            self.0.insert(after, generation);
        }
    }

    /// All of them, in that order.
    pub(crate) fn generations(&self) -> impl Iterator<Item = u64> {
        self.0.values().copied()
    }

    /// The one that was asked for the longest ago.
    pub(crate) fn oldest(&self) -> Option<u64> {
        self.0.first_key_value().map(|(_, generation)| *generation)
    }
}
