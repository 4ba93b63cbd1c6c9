//! How conversations with adapters are laid out: by the chat template that lies beside one, if there is one, and else as those with the model.
//!
//! It is read when the first conversation with an adapter comes, and anew whenever the engine says that the name means something else or that its files are
//! read again: the model that an adapter makes and its template go together.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use data::{ChatLayout, ChatTemplate};
use engine::{FoundAdapter, Lease, Refusal};

use crate::app::{App, Shared};
use crate::error::Error;
use crate::keys::Pass;
use crate::models;
use crate::turns::in_time;

/// What to do where others' adapters took all the time that a request has.
const LATER: &str = "adapters are looked for a few at a time, and others came before: try again later";

/// That of a model or an adapter; `None`: the model's.
pub(crate) type Layout = Option<Arc<ChatLayout>>;

/// Those that are known.
#[derive(Debug, Default)]
pub(crate) struct Layouts(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    by_name: HashMap<String, (Lease, Layout)>,
    /// Adapters of one recipe have one template, which is then there once.
    shared: HashMap<[u8; 32], Weak<ChatLayout>>,
}

impl Layouts {
    fn get(&self, name: &str) -> Option<Layout> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.by_name.get(name).filter(|(lease, _)| lease.is_current()).map(|(_, layout)| layout.clone())
    }

    /// Remembers an adapter's as long as its lease says.
    fn keep(&self, name: &str, lease: Lease, layout: Option<ChatLayout>) -> Layout {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let layout = layout.map(|layout| {
            let same = known.shared.get(&layout.digest()).and_then(Weak::upgrade);
            same.unwrap_or_else(|| {
                let layout = Arc::new(layout);
                known.shared.insert(layout.digest(), Arc::downgrade(&layout));
                layout
            })
        });
        if lease.is_current() {
            // Looked through as often as there are twice as many.
            if known.by_name.len().is_power_of_two() {
                known.by_name.retain(|_, (lease, _)| lease.is_current());
                known.shared.retain(|_, layout| layout.strong_count() > 0);
            }
            known.by_name.insert(name.to_owned(), (lease, layout.clone()));
        }
        layout
    }
}

/// That of a model by its name, if it is known.
pub(crate) fn known(app: &App, model: &str) -> Option<Layout> {
    app.adapter(model).map_or(Some(None), |name| app.layouts.get(&name))
}

/// That of an adapter, whose files are looked at.
///
/// # Errors
/// There is no such adapter, its files are damaged, or the time of the request is up.
pub(crate) async fn learn(app: &Shared, name: &str, pass: &Pass) -> Result<Layout, Error> {
    app.note_model(name)?;
    let learnt = async {
        let FoundAdapter { entry, lease } = models::find(app, name).await?;
        // A disk may be slow, and neither the engine nor others' connections wait for it.
        let place = Arc::clone(&app.look_ups).acquire_owned().await.map_err(Error::internal)?;
        let shared = Shared::clone(app);
        let read = tokio::task::spawn_blocking(move || {
            let _place = place;
            engine::chat_layout(&shared.tokenizer, &entry.path)
        });
        let read = read.await.map_err(Error::internal)?;
        let layout = read.map_err(|error| {
            let refusal = Refusal::Adapter { name: name.to_owned(), reason: error.to_string() };
            Error::of_failure(refusal.into(), app, pass)
        })?;
        Ok(app.layouts.keep(name, lease, layout))
    };
    in_time(app, pass.arrived() + app.limits.answer, LATER, learnt).await
}

/// The chat template of a layout, or else the model's.
///
/// # Errors
/// There is none.
pub(crate) fn template<'a>(
    app: &'a App,
    layout: Option<&'a ChatLayout>,
    with_tools: bool,
) -> Result<&'a ChatTemplate, Error> {
    let own = layout.and_then(|layout| layout.chat_template(with_tools));
    own.or_else(|| app.tokenizer.chat_template(with_tools)).ok_or_else(Error::no_chat_template)
}
