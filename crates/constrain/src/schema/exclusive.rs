//! Whether branches exclude each other by their types.

use std::collections::BTreeSet;

use serde_json::Value;

use super::bounds::decode_percent;
use super::keywords::TYPES;

/// References and branches that are looked through for one branch's types.
const LOOKED_THROUGH_MAX: usize = 100;
/// Types that a schema names, more than there are, and bytes of a reference. Definitions are looked at here as often as branches refer to them, and before they
/// are found to be right.
const NAMES_MAX: usize = 16;
const REFERENCE_BYTES_MAX: usize = 1_000;

/// Whether no value has the types of two branches, so that `oneOf` and `anyOf` of them mean the same. The library copies what a reference
/// names to compare it under `oneOf`, which for a definition that holds itself has no end, and keeps the reference under `anyOf`.
pub(super) fn by_types(root: &Value, branches: &Value) -> bool {
    let mut before = BTreeSet::new();
    for branch in branches.as_array().into_iter().flatten() {
        let Some(mut types) = of_schema(root, branch) else { return false };
        // Each integer is a number, and a number may be an integer.
        if types.remove("integer") {
            types.insert("number");
        }
        if !before.is_disjoint(&types) {
            return false;
        }
        before.append(&mut types);
    }
    true
}

/// Types that a schema's values have, and no others: its own, or those of what it refers to, or of all its branches. `None` where it does
/// not say so, or far away. What stands beside may forbid more, which does not matter.
fn of_schema(root: &Value, schema: &Value) -> Option<BTreeSet<&'static str>> {
    let (mut types, mut seen, mut open, mut looked) = (BTreeSet::new(), BTreeSet::new(), vec![schema], 0);
    while let Some(schema) = open.pop() {
        looked += 1;
        if looked > LOOKED_THROUGH_MAX {
            return None;
        }
        let keywords = schema.as_object()?;
        let branches = || ["anyOf", "oneOf"].into_iter().find_map(|name| keywords.get(name));
        if let Some(own) = keywords.get("type") {
            let names = own.as_array().map_or(std::slice::from_ref(own), Vec::as_slice);
            if names.len() > NAMES_MAX {
                return None;
            }
            types.extend(names.iter().map(known).collect::<Option<Vec<_>>>()?);
        } else if let Some(reference) = keywords.get("$ref") {
            let reference = reference.as_str().filter(|reference| reference.len() <= REFERENCE_BYTES_MAX)?;
            let pointer = decode_percent(reference.strip_prefix('#')?)?;
            let referred = root.pointer(&pointer)?;
            if seen.insert(pointer) {
                open.push(referred);
            }
        } else {
            let branches = branches()?.as_array()?;
            if looked + open.len() + branches.len() > LOOKED_THROUGH_MAX {
                return None;
            }
            open.extend(branches);
        }
    }
    Some(types)
}

/// The type of that name. Others are not kept, which may be long, and take as long to compare with each other.
fn known(name: &Value) -> Option<&'static str> {
    TYPES.into_iter().find(|known| name == known)
}
