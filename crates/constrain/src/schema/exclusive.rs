//! Whether branches exclude each other by their types.

use std::collections::{BTreeSet, HashMap};
use std::slice;

use serde_json::Value;

use super::bounds::referred;
use super::keywords::TYPES;
use super::together::address;

/// References and branches that are looked through for one branch's types.
const LOOKED_THROUGH_MAX: usize = 100;

/// What the schemas within one say of their values' types.
pub(super) struct Types<'a> {
    root: &'a Value,
    /// By the schemas' addresses. Each is read once, however many branches lead to it: it may be of any size, and is looked at here before it is found to be
    /// right.
    read: HashMap<usize, Says<'a>>,
}

/// What a schema says of its values' types, whatever stands beside it, which may forbid more.
#[derive(Clone, Copy)]
enum Says<'a> {
    /// They are these, a bit for each of [`TYPES`].
    Own(u8),
    /// They are those of another schema.
    Referred(&'a Value),
    /// They are those of all its branches.
    Branches(&'a [Value]),
    Nothing,
}

impl<'a> Types<'a> {
    pub(super) fn new(root: &'a Value) -> Types<'a> {
        Types { root, read: HashMap::new() }
    }

    /// Whether no value has the types of two branches, so that `oneOf` and `anyOf` of them mean the same. The library copies what a reference
    /// names to compare it under `oneOf`, which for a definition that holds itself has no end, and keeps the reference under `anyOf`.
    pub(super) fn exclude(&mut self, branches: &'a Value) -> bool {
        let mut before = 0;
        branches.as_array().into_iter().flatten().all(|branch| {
            let Some(types) = self.of_schema(branch) else { return false };
            let is_apart = before & types == 0;
            before |= types;
            is_apart
        })
    }

    /// Types that a schema's values have, and no others. `None` where it does not say so, or far away.
    fn of_schema(&mut self, schema: &'a Value) -> Option<u8> {
        let (mut types, mut seen, mut looked) = (0, BTreeSet::new(), 0);
        let mut open = vec![slice::from_ref(schema).iter()];
        while let Some(schemas) = open.last_mut() {
            let Some(schema) = schemas.next() else {
                open.pop();
                continue;
            };
            looked += 1;
            if looked > LOOKED_THROUGH_MAX {
                return None;
            }
            let says = *self.read.entry(address(schema)).or_insert_with(|| Says::of(schema, self.root));
            match says {
                Says::Own(own) => types |= own,
                Says::Referred(referred) if seen.insert(address(referred)) => {
                    open.push(slice::from_ref(referred).iter());
                }
                Says::Referred(_) => {}
                Says::Branches(branches) => open.push(branches.iter()),
                Says::Nothing => return None,
            }
        }
        Some(types)
    }
}

impl<'a> Says<'a> {
    fn of(schema: &'a Value, root: &'a Value) -> Says<'a> {
        let said = if let Some(own) = schema.get("type") {
            let names = own.as_array().map_or(slice::from_ref(own), Vec::as_slice);
            names.iter().try_fold(0, |types, name| Some(types | bit(name)?)).map(Says::Own)
        } else if let Some(reference) = schema.get("$ref") {
            reference.as_str().and_then(|reference| referred(root, reference)).map(Says::Referred)
        } else {
            let branches = ["anyOf", "oneOf"].into_iter().find_map(|name| schema.get(name));
            branches.and_then(Value::as_array).map(|branches| Says::Branches(branches))
        };
        said.unwrap_or(Says::Nothing)
    }
}

/// The bit of a type. Each integer is a number, and a number may be an integer.
fn bit(name: &Value) -> Option<u8> {
    let name = if name == "integer" { "number" } else { name.as_str()? };
    TYPES.iter().position(|known| *known == name).map(|place| 1 << place)
}
