//! `key.sub=value` arguments, laid over the tree of the file.

use super::error::{Place, Problem, Problems};
use super::source::{Entry, Kind, Node, parse_argument};

/// Sets what each argument names, in order, so that a later one wins.
pub(crate) fn apply(root: &mut Node, arguments: &[String], problems: &mut Problems) {
    for argument in arguments {
        if let Err(message) = apply_one(root, argument) {
            problems.add(Place::CommandLine, message);
        }
    }
}

fn apply_one(root: &mut Node, argument: &str) -> Result<(), String> {
    let Some((path, text)) = argument.split_once('=') else {
        return Err(format!("`{argument}` is not an override; write it as `key=value` or `key.sub=value`"));
    };
    if path.split('.').any(str::is_empty) {
        return Err(format!("`{argument}` names no key before the `=`; write it as `key=value` or `key.sub=value`"));
    }
    let value = parse_argument(text).map_err(|Problem { message, .. }| {
        // `{a:1}` is no map in YAML.
        let advice = if text.starts_with('{') { "write a space after each `:` of its maps" } else { "quote it" };
        format!("the value of `{argument}` cannot be read, {advice}: {message}")
    })?;
    set(root, path, "", value)
}

/// Puts `value` at `path` below `node`, which itself stands at `parent`; maps and list ends on the way are made.
fn set(node: &mut Node, path: &str, parent: &str, value: Node) -> Result<(), String> {
    let (part, rest) = path.split_once('.').map_or((path, None), |(part, rest)| (part, Some(rest)));
    let index = part.parse::<usize>().ok();
    if node.is_null() {
        node.kind = if index.is_some() { Kind::List(Vec::new()) } else { Kind::Map(Vec::new()) };
    }
    let slot = match (&mut node.kind, index) {
        (Kind::Map(entries), _) => {
            let found = entries.iter().position(|entry| entry.key == part);
            let at = found.unwrap_or_else(|| {
                let value = Node::null(Place::CommandLine);
                entries.push(Entry { key: part.to_owned(), place: Place::CommandLine, value });
                entries.len() - 1
            });
            entries[at].place = Place::CommandLine;
            &mut entries[at].value
        }
        (Kind::List(items), Some(index)) if index <= items.len() => {
            if index == items.len() {
                items.push(Node::null(Place::CommandLine));
            }
            items[index].place = Place::CommandLine;
            &mut items[index]
        }
        (Kind::List(items), _) => {
            return Err(format!(
                "`{parent}` is a list of {}: `{part}` is not a position in it or its end",
                items.len()
            ));
        }
        (Kind::Scalar { .. }, _) => {
            return Err(format!("`{parent}` is {}, so it has no `{part}` to set", node.found()));
        }
    };
    match rest {
        None => {
            *slot = value;
            Ok(())
        }
        Some(rest) => {
            let here = if parent.is_empty() { part.to_owned() } else { format!("{parent}.{part}") };
            set(slot, rest, &here, value)
        }
    }
}
