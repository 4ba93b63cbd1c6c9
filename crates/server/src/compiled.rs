//! Forms that were compiled, for requests that ask for them again: compiling takes up to seconds, another answer of the same form microseconds.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use constrain::{Constraint, Grammar};
use sha2::{Digest as _, Sha256};

/// Forms that are remembered.
const FORMS_MAX: usize = 128;
/// Bytes of all of them, as [`Grammar::bytes`] counts: what is compiled takes up to some hundred times as much, and twice that where compiling takes
/// long or texts had to be read on, so that this is tens of megabytes.
const BYTES_MAX: usize = 256 << 10;

/// By what a form is found again. A collision would hold an answer to another's form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FormId([u8; 32]);

impl FormId {
    /// That of a form for requests that share what is computed of texts (`sharing`): who asks could tell from the time whether others have asked for it. A form
    /// without a text of its own tells nothing.
    pub(crate) fn new(grammar: &Grammar, sharing: Option<&str>) -> FormId {
        let sharing = sharing.filter(|_| *grammar != Grammar::JsonObject);
        let mut hasher = Sha256::new();
        // Hashing does not fail, and texts and numbers are JSON.
        let _ = serde_json::to_writer(&mut hasher, &(sharing, grammar));
        FormId(hasher.finalize().into())
    }
}

/// Forms that were compiled. Those that were not asked for lately go first.
#[derive(Debug, Default)]
pub(crate) struct Compiled {
    forms: Mutex<Forms>,
}

#[derive(Debug, Default)]
struct Forms {
    all: HashMap<FormId, Remembered>,
    /// Bytes of them all.
    bytes: usize,
    /// Counts what is asked.
    time: u64,
}

#[derive(Debug)]
struct Remembered {
    /// The beginning of an answer.
    first: Arc<Constraint>,
    bytes: usize,
    /// When it was asked for last.
    used: u64,
}

impl Compiled {
    /// What is locked here is whole between any two operations on it.
    fn lock(&self) -> MutexGuard<'_, Forms> {
        self.forms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The beginning of an answer of the form, if it is remembered.
    pub(crate) fn get(&self, id: FormId) -> Option<Arc<Constraint>> {
        let mut forms = self.lock();
        forms.time += 1;
        let time = forms.time;
        let found = forms.all.get_mut(&id)?;
        found.used = time;
        Some(Arc::clone(&found.first))
    }

    /// Remembers a form of so many bytes, in place of those that were not asked for the longest time.
    pub(crate) fn keep(&self, id: FormId, bytes: usize, first: Arc<Constraint>) {
        if bytes > BYTES_MAX {
            return;
        }
        let mut forms = self.lock();
        forms.time += 1;
        let used = forms.time;
        forms.forget(id);
        while forms.all.len() >= FORMS_MAX || forms.bytes + bytes > BYTES_MAX {
            let oldest = forms.all.iter().min_by_key(|(_, form)| form.used).map(|(id, _)| *id);
            let Some(oldest) = oldest else { break };
            forms.forget(oldest);
        }
        forms.bytes += bytes;
        forms.all.insert(id, Remembered { first, bytes, used });
    }
}

impl Forms {
    fn forget(&mut self, id: FormId) {
        if let Some(form) = self.all.remove(&id) {
            self.bytes -= form.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::app::tests::app;
    use crate::constraint;

    #[test]
    fn forms_that_differ_have_ids_that_differ() {
        let grammars = [
            Grammar::JsonSchema(json!({"type": "object", "properties": {"a": {}, "b": {}}})),
            // What has to come first differs.
            Grammar::JsonSchema(json!({"type": "object", "properties": {"b": {}, "a": {}}})),
            Grammar::Regex("a".to_owned()),
            Grammar::Lark("a".to_owned()),
            Grammar::Choice(vec!["a".to_owned()]),
            Grammar::Choice(vec!["a".to_owned(), String::new()]),
            Grammar::JsonSchema(json!("a")),
        ];
        let sharings = [None, Some(""), Some("1:"), Some("2:"), Some("1:a")];
        let ids = grammars.iter().flat_map(|grammar| sharings.map(|sharing| FormId::new(grammar, sharing)));
        let ids: Vec<_> = ids.chain([FormId::new(&Grammar::JsonObject, None)]).collect();
        assert!((1..ids.len()).all(|at| !ids[..at].contains(&ids[at])), "{ids:?}");
        assert_eq!(FormId::new(&Grammar::JsonObject, Some("1:")), ids[ids.len() - 1], "it has no text to tell");
    }

    #[test]
    fn what_is_remembered_is_bounded_and_the_oldest_goes_first() {
        let (app, _inbox) = app(4);
        let vocabulary = constraint::vocabulary(&app).unwrap();
        let first = Arc::new(Constraint::new(&vocabulary, &Grammar::Regex("a".to_owned())).unwrap());
        let compiled = Compiled::default();
        let id = |number: usize| FormId::new(&Grammar::Regex(number.to_string()), None);
        let keep = |number: usize, bytes: usize| compiled.keep(id(number), bytes, Arc::clone(&first));
        let has = |number: usize| compiled.get(id(number)).is_some();
        (0..FORMS_MAX).for_each(|number| keep(number, 1));
        assert!(has(0));
        keep(FORMS_MAX, 1);
        assert!(has(0) && !has(1) && has(2) && has(FORMS_MAX), "the second was not asked for the longest time");
        keep(7, BYTES_MAX + 1);
        assert!(has(0) && has(7), "what is too large takes nothing from others");
        keep(1000, BYTES_MAX);
        assert!(has(1000) && !has(0));
        keep(1001, 1);
        keep(1001, 2);
        let forms = compiled.lock();
        assert_eq!((forms.bytes, forms.all.len()), (2, 1));
    }
}
