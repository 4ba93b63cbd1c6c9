//! What is refused of an engine's options before a model's weights are read, which takes minutes.

use std::path::Path;

use models::AdapterPool;

use super::room::{longest_text, pool_layout, proposals};
use crate::ModelPlan;
use crate::adapters::Adapters;
use crate::engine::EngineOptions;
use crate::error::Result;
use crate::service::Refusal;

/// What options come to beside a model that is not loaded.
pub struct Beforehand {
    adapters: Adapters,
    /// The pool for adapters, if any are wanted.
    layout: Option<AdapterPool>,
}

impl EngineOptions {
    /// Checks all of them that needs no more than the model's plan, for which a smaller model is to propose `draft` tokens, if there is one.
    ///
    /// # Errors
    /// As of [`Engine::with_draft`](super::Engine::with_draft) with the model.
    pub fn check(&self, plan: &ModelPlan, draft: Option<usize>) -> Result<Beforehand> {
        longest_text(plan, self)?;
        proposals(plan, self, draft)?;
        let adapters = Adapters::new(plan, self);
        let layout = pool_layout(adapters.reader(), self, &adapters.in_folder()?)?;
        Ok(Beforehand { adapters, layout })
    }
}

impl Beforehand {
    /// Checks an adapter of the options' as far as it is looked at before it is loaded.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check_adapter(&self, name: &str, path: &Path) -> std::result::Result<(), Refusal> {
        let layout = self.layout.as_ref().ok_or_else(|| Refusal::without_room(name))?;
        self.adapters
            .look_at(path, layout)
            .map(drop)
            .map_err(|reason| Refusal::Adapter { name: name.to_owned(), reason })
    }
}
