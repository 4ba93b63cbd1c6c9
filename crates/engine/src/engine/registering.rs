//! Names of adapters that are registered and unloaded while answers go on.

use std::path::Path;

use models::AdapterPool;

use super::Engine;
use crate::adapters::{Footprint, Look};
use crate::batch;
use crate::service::Refusal;

impl Engine<'_, '_> {
    /// Registers an adapter, if its configuration is one that can be served; `is_pinned`: to be brought to the device at once, and to stay there and in host
    /// memory until its name is unloaded or means another one.
    ///
    /// # Errors
    /// What is wrong with it, or that pinned adapters leave it no room.
    pub fn load_adapter(&mut self, name: &str, path: &Path, is_pinned: bool) -> std::result::Result<(), Refusal> {
        let layout = self.pool_layout(name)?;
        let looked = self.adapters.look_at(path, &layout);
        self.register_looked(name, path, is_pinned, looked, &layout)?;
        self.adapters.tell_hidden(name);
        Ok(())
    }

    /// The pool beside which an adapter of that name is to be served.
    pub(super) fn pool_layout(&mut self, name: &str) -> std::result::Result<AdapterPool, Refusal> {
        let layout = self.runner.pool().as_ref().map(|pool| pool.layout.clone());
        layout.ok_or_else(|| Refusal::without_room(name))
    }

    /// Registers those adapters that were looked at, and tells who asked. Whoever waits no longer was told that it failed, and may have unloaded the name since.
    pub(super) fn take_looks(&mut self) {
        let asked = self.adapters.take_looked().into_iter().filter(|(look, _)| !look.reply.is_closed());
        for (look, looked) in asked {
            let Look { name, path, is_pinned, layout, reply } = look;
            let _ = reply.send(self.register_looked(&name, &path, is_pinned, looked, &layout));
        }
    }

    /// Unloads names that were looked for. Who waits no longer was told that it failed.
    pub(super) fn take_unloading(&mut self) {
        let asked = self.adapters.take_unloading().into_iter().filter(|(.., reply)| !reply.is_closed());
        for (name, is_in_folder, reply) in asked {
            let unloaded = self.adapters.unload(&name, is_in_folder);
            let _ = reply.send(unloaded.ok_or(Refusal::NoSuchAdapter(name)));
        }
    }

    /// Registers an adapter that takes so much, unless something is wrong with it.
    pub(super) fn register_looked(
        &mut self,
        name: &str,
        path: &Path,
        is_pinned: bool,
        looked: std::result::Result<Footprint, String>,
        layout: &AdapterPool,
    ) -> std::result::Result<(), Refusal> {
        let refuse = |reason: String| Refusal::Adapter { name: name.to_owned(), reason };
        let takes = looked.map_err(refuse)?;
        let no_room = |reason: String| Refusal::NoRoomForAdapter { name: name.to_owned(), reason };
        let of_pool = batch::Room::of(layout);
        match is_pinned {
            true => self.adapters.register_pinned(name, path.to_owned(), takes, of_pool).map_err(no_room)?,
            false => {
                self.adapters.check_new(name, takes, of_pool).map_err(no_room)?;
                self.adapters.register(name, path.to_owned());
            }
        }
        self.adapters.sweep(self.runner.pool());
        Ok(())
    }

    /// Bytes that adapters take in host memory, with what is kept for those that are being read.
    pub fn adapter_host_bytes(&self) -> u64 {
        self.adapters.host_bytes()
    }

    /// Whether a pinned adapter is on its way.
    pub(super) fn awaits_pins(&self) -> bool {
        !self.is_draining && !self.adapters.absent_pins().is_empty()
    }

    /// Whether an adapter that is to be registered is being looked at.
    pub(super) fn awaits_looks(&self) -> bool {
        !self.is_draining && self.adapters.is_looking()
    }
}
