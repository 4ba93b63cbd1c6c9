//! `${variables.x}`: a value that is written once and used in many places, as in LLM Foundry's configurations.

use super::error::{Problem, Problems};
use super::source::{Entry, Kind, Node};
use super::spelling;

/// Replaces every reference below `root` by what it refers to. A value that is nothing but a reference takes the type
/// of what it refers to, a reference inside a longer text is spliced in.
pub(crate) fn expand(root: &Node, problems: &mut Problems) -> Node {
    let mut budget = EXPANSIONS_MAX;
    Expansion { root, problems, budget: &mut budget, cyclic: Vec::new() }.node(root, &mut Vec::new())
}

/// References can nest and so multiply; a file that needs more replacements than this is refused.
const EXPANSIONS_MAX: usize = 10_000;

struct Expansion<'a> {
    root: &'a Node,
    problems: &'a mut Problems,
    budget: &'a mut usize,
    /// References of the cycles that are told.
    cyclic: Vec<String>,
}

impl Expansion<'_> {
    /// `trail` holds the references that are being replaced, outermost first.
    fn node(&mut self, node: &Node, trail: &mut Vec<String>) -> Node {
        let kind = match &node.kind {
            Kind::Scalar { text, .. } if text.contains("${") => {
                return self.scalar(node, text, trail).unwrap_or_else(|message| {
                    if let Some(message) = message {
                        self.problems.add(node.place, message);
                    }
                    Node::null(node.place)
                });
            }
            Kind::Scalar { .. } => node.kind.clone(),
            Kind::List(items) => Kind::List(items.iter().map(|item| self.node(item, trail)).collect()),
            Kind::Map(entries) => Kind::Map(
                entries
                    .iter()
                    .map(|Entry { key, place, value }| Entry {
                        key: key.clone(),
                        place: *place,
                        value: self.node(value, trail),
                    })
                    .collect(),
            ),
        };
        Node { place: node.place, kind }
    }

    /// With what is replaced.
    ///
    /// # Errors
    /// It cannot be: with what is to be told of that, if it was not told before.
    fn scalar(&mut self, node: &Node, text: &str, trail: &mut Vec<String>) -> Result<Node, Option<String>> {
        if let Some(path) = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'))
            && !path.contains("${")
        {
            let target = self.target(path, trail)?;
            return Ok(Node { place: node.place, kind: target.kind });
        }
        let mut spliced = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            let (path, after) = after.split_once('}').ok_or(Some(format!("`{text}` has a `${{` without its `}}`")))?;
            let Kind::Scalar { text: value, .. } = self.target(path, trail)?.kind else {
                return Err(Some(format!(
                    "`${{{path}}}` is a list or a map, and cannot stand inside the text `{text}`"
                )));
            };
            spliced.extend([before, value.as_str()]);
            rest = after;
        }
        spliced.push_str(rest);
        Ok(Node { place: node.place, kind: Kind::Scalar { text: spliced, quoted: false } })
    }

    fn target(&mut self, path: &str, trail: &mut Vec<String>) -> Result<Node, Option<String>> {
        *self.budget = self.budget.checked_sub(1).ok_or(Some(format!("more than {EXPANSIONS_MAX} references")))?;
        if let Some(first) = trail.iter().position(|step| step == path) {
            let cycle = &trail[first..];
            // It is come to from each of its references, and from whatever refers to one of them.
            if cycle.iter().all(|step| self.cyclic.contains(step)) {
                return Err(None);
            }
            self.cyclic.extend_from_slice(cycle);
            return Err(Some(format!("`${{{path}}}` refers to itself, through {}", cycle.join(" -> "))));
        }
        let Some(target) = self.root.at(path) else {
            return Err(Some(format!("`${{{path}}}` refers to a key that is not there{}", self.hint(path))));
        };
        trail.push(path.to_owned());
        let expanded = self.node(target, trail);
        trail.pop();
        Ok(expanded)
    }

    fn hint(&self, path: &str) -> String {
        let names = match self.root.entry("variables").map(|entry| &entry.value.kind) {
            Some(Kind::Map(entries)) => entries.iter().map(|entry| format!("variables.{}", entry.key)).collect(),
            _ => Vec::new(),
        };
        match spelling::nearest(path, names.iter().map(String::as_str)) {
            Some(near) => format!("; did you mean `${{{near}}}`?"),
            None => "; define it under `variables:`".to_owned(),
        }
    }
}

/// Splits the tree into the settings and the `variables` map, which exists to be referred to.
pub(crate) fn without_variables(mut root: Node) -> Result<Node, Problem> {
    if let Kind::Map(entries) = &mut root.kind
        && let Some(at) = entries.iter().position(|entry| entry.key == "variables")
    {
        let variables = entries.remove(at);
        if !matches!(variables.value.kind, Kind::Map(_)) && !variables.value.is_null() {
            let message = format!("`variables` must be a map of names to values; found {}", variables.value.found());
            return Err(Problem { place: variables.place, message });
        }
    }
    Ok(root)
}
