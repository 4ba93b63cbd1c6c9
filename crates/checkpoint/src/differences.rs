//! The tensors of a model beside those that its configuration asks for.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// How many names of each kind a message lists.
const LISTED_MAX: usize = 4;

/// A tensor of another shape than the model needs.
#[derive(Clone, Debug, PartialEq)]
pub struct WrongShape {
    /// The tensor.
    pub name: String,
    /// What the model needs.
    pub expected: Vec<usize>,
    /// What the file has.
    pub found: Vec<usize>,
}

/// What a set of tensors has too few, too many, or in another shape. Displayed, it is one sentence that lists a few of
/// each kind, with the nearest unexpected name beside a missing one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Differences {
    /// Needed, not there.
    pub missing: Vec<String>,
    /// There, not needed. Callers remove what they know to be harmless (`rotary_emb.inv_freq` of old files, say).
    pub unexpected: Vec<String>,
    /// There, in another shape.
    pub wrong_shape: Vec<WrongShape>,
}

impl Differences {
    /// Compares what was `found` with what is `expected`, both as pairs of name and shape.
    pub fn between<'n>(
        expected: impl IntoIterator<Item = (&'n str, &'n [usize])>,
        found: impl IntoIterator<Item = (&'n str, &'n [usize])>,
    ) -> Differences {
        let found: BTreeMap<&str, &[usize]> = found.into_iter().collect();
        let mut differences = Differences::default();
        let mut needed = BTreeSet::new();
        for (name, expected) in expected {
            needed.insert(name);
            match found.get(name) {
                None => differences.missing.push(name.to_string()),
                Some(&found) if found != expected => differences.wrong_shape.push(WrongShape {
                    name: name.to_string(),
                    expected: expected.to_vec(),
                    found: found.to_vec(),
                }),
                Some(_) => {}
            }
        }
        let unexpected = found.keys().filter(|name| !needed.contains(*name));
        differences.unexpected = unexpected.map(ToString::to_string).collect();
        differences
    }

    /// Whether there is no difference.
    pub fn is_empty(&self) -> bool {
        self.missing.is_empty() && self.unexpected.is_empty() && self.wrong_shape.is_empty()
    }
}

impl fmt::Display for Differences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let missing = self.missing.iter().map(|name| {
            let hint = nearest_name(name, self.unexpected.iter().map(String::as_str));
            hint.map_or_else(|| format!("\"{name}\""), |near| format!("\"{name}\" (the file has \"{near}\")"))
        });
        let wrong =
            self.wrong_shape.iter().map(|w| format!("\"{}\" is {:?} and should be {:?}", w.name, w.found, w.expected));
        let unexpected = self.unexpected.iter().map(|name| format!("\"{name}\""));
        let parts = [
            list("missing", self.missing.len(), missing),
            list("of a wrong shape", self.wrong_shape.len(), wrong),
            list("not expected", self.unexpected.len(), unexpected),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(&parts.join("; "))
    }
}

fn list(kind: &str, total: usize, items: impl Iterator<Item = String>) -> Option<String> {
    let listed: Vec<String> = items.take(LISTED_MAX).collect();
    let more = if total > listed.len() { format!(" and {} more", total - listed.len()) } else { String::new() };
    (total > 0).then(|| format!("{total} {kind}: {}{more}", listed.join(", ")))
}

/// The candidate with the fewest edits from `name`, if it is near enough to be a hint: at most a third of its letters.
pub fn nearest_name<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let (distance, nearest) = candidates.map(|candidate| (edit_distance(name, candidate), candidate)).min()?;
    (distance <= name.len().max(nearest.len()) / 3).then_some(nearest)
}

/// Levenshtein's distance, in bytes: tensor names are ASCII, and a hint may be off by one where they are not.
fn edit_distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
