//! How two configurations differ.

use std::fmt;

use serde_json::Value;

use super::TrainConfig;
use super::emit::inline;
use super::setting::Setting as _;

/// A key with another value than before.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Change {
    pub(crate) key: String,
    /// Null where the key was not set.
    pub(crate) old: Value,
    /// Null where the key is not set.
    pub(crate) new: Value,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.old.is_object() && self.new.is_object() {
            let parts = between(&self.old, &self.new).into_iter();
            let parts = parts.map(|part| Change { key: format!("{}.{}", self.key, part.key), ..part });
            return f.write_str(&listed(&parts.collect::<Vec<_>>()));
        }
        let shown = |value: &Value| if value.is_null() { "not set".to_owned() } else { inline(value) };
        write!(f, "{}: {} -> {}", self.key, shown(&self.old), shown(&self.new))
    }
}

/// The keys whose values differ between two maps, in the order of the new one; those that it lacks come last.
pub(crate) fn between(old: &Value, new: &Value) -> Vec<Change> {
    let keys =
        |map: &Value| -> Vec<String> { map.as_object().into_iter().flat_map(|map| map.keys().cloned()).collect() };
    let gone = keys(old).into_iter().filter(|key| new.get(key).is_none());
    let value = |map: &Value, key: &str| map.get(key).cloned().unwrap_or_default();
    let change = |key: String| Change { old: value(old, &key), new: value(new, &key), key };
    keys(new).into_iter().chain(gone).map(change).filter(|change| change.old != change.new).collect()
}

/// The changes as one phrase.
pub(crate) fn listed<'c>(changes: impl IntoIterator<Item = &'c Change>) -> String {
    changes.into_iter().map(Change::to_string).collect::<Vec<_>>().join("; ")
}

impl TrainConfig {
    /// The keys whose values are not those of `old`, of those that do anything.
    pub(crate) fn changes_since(&self, old: &TrainConfig) -> Vec<Change> {
        let mut changes = between(&old.written(), &self.written());
        // Where a key does nothing in one of them, its value there is the default, which may be the other's, too.
        let [then, now] = [old, self].map(TrainConfig::write);
        changes.retain(|change| then.get(&change.key) != now.get(&change.key));
        changes
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// `cosine_min_lr_ratio` is written with a cosine alone, and `lora_r` with an adapter.
    #[test]
    fn a_key_that_does_nothing_any_more_is_told_if_its_value_is_another() {
        let of = |more: &str| {
            let text = format!(
                "base_model: b\ndatasets: [{{ path: d.jsonl }}]\nlearning_rate: 1.0e-3\noutput_dir: o\n{more}\n"
            );
            TrainConfig::parse(&text, std::path::Path::new("run.yaml"), &[]).unwrap()
        };
        let [cosine, constant] = ["lr_scheduler: cosine", "lr_scheduler: constant"].map(of);
        assert_eq!(listed(&constant.changes_since(&cosine)), "lr_scheduler: cosine -> constant");
        assert_eq!(listed(&cosine.changes_since(&constant)), "lr_scheduler: constant -> cosine");
        let floor = of("lr_scheduler: cosine\ncosine_min_lr_ratio: 0.1");
        let told = "lr_scheduler: cosine -> constant; cosine_min_lr_ratio: 0.1 -> not set";
        assert_eq!(listed(&constant.changes_since(&floor)), told);
        let adapter = of("adapter: lora");
        assert_eq!(listed(&of("").changes_since(&adapter)), "adapter: lora -> not set");
    }

    #[test]
    fn lists_are_told_as_a_whole_and_maps_by_what_differs() {
        let old = json!({"a": 1, "modules": ["q_proj", "v_proj"], "data": [{"path": "x"}], "gone": 2, "same": [1, 2],
                         "mesh": {"dp": 1, "fsdp": 4, "mp": 1, "parameters": {"vocab": "mp"}}});
        let new = json!({"a": 1, "modules": ["q_proj"], "data": [{"path": "y"}], "same": [1, 2], "added": "b c",
                         "mesh": {"dp": 1, "fsdp": 1, "mp": 2}});
        let told = "modules: [\"q_proj\",\"v_proj\"] -> [\"q_proj\"]; data: [{\"path\":\"x\"}] -> [{\"path\":\"y\"}]; added: not set \
                    -> \"b c\"; mesh.fsdp: 4 -> 1; mesh.mp: 1 -> 2; mesh.parameters: {\"vocab\":\"mp\"} -> not set; gone: 2 -> not set";
        assert_eq!(listed(&between(&old, &new)), told);
        assert!(between(&new, &new).is_empty());
    }
}
