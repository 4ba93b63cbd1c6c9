//! Adapters that are to stay on the device and in host memory: what they take, and what they leave to others.

use std::path::PathBuf;

use super::{Adapter, Adapters, Footprint};
use crate::batch::Room;

impl Adapters {
    /// Keeps an adapter that takes so much on the device and in host memory from when it is there, until its name means another.
    pub(super) fn pin(&mut self, generation: u64, footprint: Footprint) {
        self.change(generation, |adapter| {
            (adapter.is_pinned, adapter.footprint) = (true, footprint);
        });
        self.pinned.insert(generation, footprint);
    }

    /// [`Adapters::register`] for an adapter that takes so much and is to stay on the device and in host memory from when it is there.
    ///
    /// # Errors
    /// It has no room beside those that stay already.
    pub(crate) fn register_pinned(
        &mut self,
        name: &str,
        path: PathBuf,
        footprint: Footprint,
        of_pool: Room,
    ) -> std::result::Result<(), String> {
        self.check_new(name, footprint, of_pool)?;
        let generation = self.register(name, path);
        self.pin(generation, footprint);
        if let Some(lack) = self.lack_beside_pins(of_pool) {
            tracing::warn!("{lack}");
        }
        Ok(())
    }

    /// What pinned adapters leave no room for, where that is not each one that may come.
    pub(super) fn lack_beside_pins(&self, of_pool: Room) -> Option<String> {
        let left = of_pool.less(self.pinned_beside(0).room);
        if left.ranks < self.reader.rank_max() {
            return Some(format!(
                "pinned adapters leave {} of the device's {} ranks (--max-loras times --max-lora-rank): adapters of more ranks get status 503 until one of \
                 them is unloaded",
                left.ranks, of_pool.ranks
            ));
        }
        (of_pool.stretches > 0 && left.stretches == 0).then(|| {
            format!(
                "pinned adapters have all {} places of DoRA's (--max-loras): others of DoRA's get status 503 until one of them is unloaded",
                of_pool.stretches
            )
        })
    }

    /// What adapters that are pinned take together, but the one of that generation.
    fn pinned_beside(&self, but: u64) -> Footprint {
        let pinned = self.pinned.iter().filter(|(generation, _)| **generation != but).map(|(_, pinned)| *pinned);
        pinned.fold(Footprint::default(), |a, b| Footprint { room: a.room.plus(b.room), bytes: a.bytes + b.bytes })
    }

    /// Refuses an adapter that would find no room by a name, beside those that are pinned by others.
    pub(crate) fn check_new(&self, name: &str, needed: Footprint, of_pool: Room) -> std::result::Result<(), String> {
        self.check_room(self.names.get(name).copied().unwrap_or_default(), needed, of_pool)
    }

    /// The same, beside those that are pinned but the one of that generation.
    pub(super) fn check_room(&self, but: u64, needed: Footprint, of_pool: Room) -> std::result::Result<(), String> {
        const ADVICE: &str = "unload one of them, or start the server with a larger --max-loras";
        let pinned = self.pinned_beside(but);
        let (needed_ranks, left) = (needed.room.ranks, of_pool.less(pinned.room));
        if left.ranks < needed_ranks {
            return Err(format!(
                "it has {needed_ranks} ranks, and pinned adapters leave {} of the device's {} (--max-loras times --max-lora-rank): {ADVICE}",
                left.ranks, of_pool.ranks
            ));
        }
        if left.stretches < needed.room.stretches {
            return Err(format!(
                "it is DoRA's, and pinned adapters leave none of the device's {} places for such (--max-loras): {ADVICE}",
                of_pool.stretches
            ));
        }
        let left = self.host_bytes_max.saturating_sub(pinned.bytes);
        if needed.bytes > left {
            let (bytes, most) = (needed.bytes, self.host_bytes_max);
            let beside = if pinned.bytes > 0 { format!(", of which pinned ones leave {left}") } else { String::new() };
            return Err(format!(
                "it takes {bytes} bytes of host memory, and all adapters there may take {most}{beside}: start the server with a larger --lora-host-gib, or make its rank smaller"
            ));
        }
        Ok(())
    }

    /// Pinned adapters that are not on the device yet.
    pub(crate) fn absent_pins(&self) -> Vec<u64> {
        let is_absent =
            |adapter: &Adapter| adapter.places.is_none() && adapter.broken.is_none() && adapter.next.is_none();
        let absent = self.pinned.keys().filter(|generation| self.known.get(generation).is_some_and(is_absent));
        absent.copied().collect()
    }
}
