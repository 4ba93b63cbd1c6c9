//! The keys of other tools, and what to write here in their place.

use std::sync::LazyLock;

use super::error::Problems;
use super::source::{Entry, Kind, Node};

/// Keys of one tool that have the same answer.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) tool: &'static str,
    /// Each with its default, with which it says no more than if it were not there.
    pub(crate) keys: Vec<(&'static str, &'static str)>,
    /// What to do: begins with "write", "leave it out" or "not supported yet" (Markdown). What may be left out changes nothing about
    /// what is trained.
    pub(crate) answer: &'static str,
}

impl Row {
    /// What the answer says to write in place of the keys.
    fn to_write(&self) -> impl Iterator<Item = &'static str> {
        let answer = if self.answer.starts_with("write") { self.answer } else { "" };
        answer.split('`').skip(1).step_by(2).map(|code| code.split_once(": ").map_or(code, |(key, _)| key))
    }
}

/// The default of keys for which the table has none in parentheses.
const NO_DEFAULT: &str = "false";

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| parse(include_str!("foreign_keys.txt")));

/// All rows, in the order of the file: those of a tool stand together.
pub(crate) fn rows() -> &'static [Row] {
    &ROWS
}

fn parse(text: &'static str) -> Vec<Row> {
    let mut tool = "";
    let mut rows = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(name) => tool = name,
            None => {
                let (keys, answer) = line.split_once(" = ").expect("a row is `keys = answer`");
                let with_default = |key: &'static str| match key.strip_suffix(')').and_then(|key| key.split_once('(')) {
                    Some((key, default)) => (key, default),
                    None => (key, NO_DEFAULT),
                };
                rows.push(Row { tool, keys: keys.split(", ").map(with_default).collect(), answer });
            }
        }
    }
    rows
}

/// The rows of the key at `path`, with its default in each.
fn rows_of(path: &str) -> impl Iterator<Item = (&'static Row, &'static str)> {
    let path = without_positions(path);
    rows().iter().filter_map(move |row| {
        let (_, default) = row.keys.iter().find(|(key, _)| *key == path)?;
        Some((row, *default))
    })
}

/// A path as the table has it: the same for all items of a list, and for data sets of either kind.
fn without_positions(path: &str) -> String {
    let parts: Vec<&str> = path.split('.').filter(|part| part.parse::<usize>().is_err()).collect();
    let path = parts.join(".");
    path.strip_prefix("test_datasets.").map(|rest| format!("datasets.{rest}")).unwrap_or(path)
}

/// Values that our keys do not take, other tools' adapters among them, and what to write for each.
const VALUES: [(&str, &str, &str); 3] = [
    ("adapter", "dora", "write `adapter: lora` with `peft_use_dora: true`"),
    ("adapter", "qlora", "write `adapter: lora`: the base model's weights are not quantised, and take more memory"),
    (
        "val_set_size",
        "1.0",
        "write `1` for a single sample, or a part such as `0.1`: with all of them none is left to train on",
    ),
];

/// What to write in place of a `value` that is refused at `path`.
pub(crate) fn answer_to_value(path: &str, value: &str) -> Option<&'static str> {
    let (.., answer) = VALUES.into_iter().find(|(key, name, _)| path == *key && value.eq_ignore_ascii_case(name))?;
    Some(answer)
}

/// Keys of ours with what other tools have there where nothing is said: `max_steps` of transformers', `eval_subset_num_batches` of LLM Foundry's.
const DEFAULTS_OF_OURS: [(&str, &str); 2] = [("max_steps", "-1"), ("eval_subset_num_batches", "-1")];

/// Takes away the keys of ours that have another tool's default, which we refuse: they count as not given.
pub(crate) fn without_defaults(mut root: Node) -> Node {
    if let Kind::Map(entries) = &mut root.kind {
        let is_given = |Entry { key, value, .. }: &Entry| {
            !DEFAULTS_OF_OURS.iter().any(|(ours, default)| key == ours && is_default(value, default))
        };
        entries.retain(is_given);
    }
    root
}

/// Whether `value`, which stands at `path`, is a map with keys that the table knows.
pub(crate) fn has_foreign_keys(path: &str, value: &Node) -> bool {
    let Kind::Map(entries) = &value.kind else { return false };
    entries.iter().any(|entry| rows_of(&format!("{path}.{}", entry.key)).next().is_some())
}

/// Defaults that an empty list is too.
const NOTHING: [&str; 2] = [NO_DEFAULT, "none"];

/// Whether a key of another tool stands at `path` that its value makes as good as not given.
pub(crate) fn is_idle(path: &str, value: &Node) -> bool {
    let mut rows = rows_of(path).peekable();
    rows.peek().is_some() && (is_empty(path, value) || rows.any(|(_, default)| is_default(value, default)))
}

fn is_empty(path: &str, value: &Node) -> bool {
    match &value.kind {
        Kind::Scalar { text, .. } => value.is_null() || text.is_empty(),
        // With another default it says something: no role is trained with `roles_to_train: []`.
        Kind::List(items) => items.is_empty() && rows_of(path).all(|(_, default)| NOTHING.contains(&default)),
        Kind::Map(entries) => entries.iter().all(|Entry { key, value, .. }| {
            let path = format!("{path}.{key}");
            is_empty(&path, value) || is_idle(&path, value)
        }),
    }
}

/// A list of the default alone is the default too.
fn is_default(value: &Node, default: &str) -> bool {
    let text = match &value.kind {
        Kind::Scalar { text, .. } => text,
        Kind::List(items) => return matches!(items.as_slice(), [one] if is_default(one, default)),
        Kind::Map(_) => return false,
    };
    let numbers = || text.parse::<f64>().ok().zip(default.parse::<f64>().ok());
    text.eq_ignore_ascii_case(default) || numbers().is_some_and(|(found, default)| found == default)
}

/// What to do about the key at `path`, if some tool has it: one answer, or one for each tool that means something else.
pub(crate) fn answer(path: &str) -> Option<String> {
    let rows: Vec<&Row> = rows_of(path).map(|(row, _)| row).collect();
    let (first, rest) = rows.split_first()?;
    match rest.iter().all(|row| row.answer == first.answer) {
        true => Some(first.answer.to_owned()),
        false => Some(rows.iter().map(|row| format!("{}'s: {}", row.tool, row.answer)).collect::<Vec<_>>().join("; ")),
    }
}

/// As [`answer`], where it is known whose key it is.
pub(crate) fn answer_for(path: &str, tool: &str) -> Option<String> {
    let of_tool = rows_of(path).find(|(row, _)| row.tool == tool);
    of_tool.map(|(row, _)| row.answer.to_owned()).or_else(|| answer(path))
}

/// Reports `entry`, which stands at `path`, with what to write in its place; false where no tool is known to have it.
/// Of a map whose keys the table knows, these are reported.
pub(crate) fn report(path: &str, entry: &Entry, problems: &mut Problems) -> bool {
    match &entry.value.kind {
        Kind::Map(entries) if has_foreign_keys(path, &entry.value) => {
            for inner in entries {
                let path = format!("{path}.{}", inner.key);
                if !is_idle(&path, &inner.value) && !is_empty(&path, &inner.value) && !report(&path, inner, problems) {
                    problems
                        .add(inner.place, format!("`{path}` is not a key; `finery config reference` lists them all"));
                }
            }
            true
        }
        _ => {
            let Some(answer) = answer(path) else { return false };
            problems.add(entry.place, format!("`{path}` is not a key; {answer}"));
            for (row, _) in rows_of(path) {
                problems.count_foreign(row.tool);
                row.to_write().for_each(|key| problems.stand_in(key.to_owned()));
            }
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::path::Path;

    use super::super::TrainConfig;
    use super::super::setting::{Details, Group, KeyInfo, Setting};
    use super::*;

    /// Our keys as the table would write them.
    fn ours() -> HashSet<String> {
        fn collect(groups: Vec<Group>, prefix: &str, found: &mut HashSet<String>) {
            for KeyInfo { key, details, .. } in groups.into_iter().flat_map(|group| group.keys) {
                found.insert(format!("{prefix}{key}"));
                if let Details::Keys(groups) = details {
                    collect(groups, &format!("{prefix}{key}."), found);
                }
            }
        }
        let Details::Keys(groups) = TrainConfig::details() else { panic!("a configuration is a map") };
        let mut found = HashSet::new();
        collect(groups, "", &mut found);
        found
    }

    #[test]
    fn no_key_of_ours_is_foreign_and_none_stands_twice() {
        let ours = ours();
        let mut seen = HashSet::new();
        for row in rows() {
            for (key, _) in &row.keys {
                assert!(!ours.contains(*key), "`{key}` is ours: take it out of foreign_keys.txt");
                assert!(seen.insert((row.tool, *key)), "`{key}` of {} stands twice in foreign_keys.txt", row.tool);
                let is_key = |c: char| c.is_ascii_alphanumeric() || "_.".contains(c);
                assert!(key.chars().all(is_key) && !key.is_empty(), "`{key}` is no key");
            }
        }
        assert!(seen.len() > 700, "the table is not read whole");
    }

    /// Advice that names a key or value which is not there would be worse than none.
    #[test]
    fn answers_name_keys_and_values_that_there_are() {
        let ours = ours();
        let is_ours = |name: &str| ours.contains(name) || ours.contains(&format!("datasets.{name}"));
        let openings = ["write `", "leave it out", "not supported yet"];
        for Row { tool, keys, answer } in rows() {
            let place = format!("{tool}, {}: {answer}", keys[0].0);
            assert!(openings.iter().any(|opening| answer.starts_with(opening)), "{place}");
            for (index, code) in answer.split('`').skip(1).step_by(2).enumerate() {
                let (name, value) = code.split_once(": ").map_or((code, None), |(name, value)| (name, Some(value)));
                let names_a_key = value.is_some() || (index == 0 && answer.starts_with("write"));
                assert!(!names_a_key || is_ours(name), "`{name}` is no key of ours; {place}");
                if let Some(value) = value.filter(|_| ours.contains(name)) {
                    let refused = errors_with(&format!("{name}={value}"));
                    assert!(!refused.contains(&format!("`{name}` must be")), "{refused}; {place}");
                }
            }
        }
    }

    fn errors_with(setting: &str) -> String {
        let overrides = [setting.to_owned()];
        TrainConfig::parse("", Path::new("file"), &overrides).expect_err("much is missing").to_string()
    }
}
