//! Whether a schema has a value that ends.

use serde_json::{Map, Value};

use super::keywords::TYPES;

/// Which of some definitions have a value that ends: those that do not hold a value of themselves in each of their values. References are
/// `#/$defs/NUMBER`, with `#` for the first.
///
/// A least fixed point: what is not found to end by those that are known to does not. Where several keywords speak of the same value each is
/// looked at alone, so that what contradicts itself may count as ending.
pub(super) fn which_end(definitions: &[Value]) -> Vec<bool> {
    let mut known = vec![false; definitions.len()];
    loop {
        let next: Vec<bool> = definitions.iter().map(|schema| ends(schema, &known)).collect();
        if next == known {
            return known;
        }
        known = next;
    }
}

/// Puts `false` in place of references to definitions without a value that ends, so that nothing begins what cannot be ended.
pub(super) fn forbid_endless(schema: &mut Value, ending: &[bool]) {
    match schema {
        Value::Array(schemas) => schemas.iter_mut().for_each(|schema| forbid_endless(schema, ending)),
        Value::Object(keywords) => {
            let number = keywords.get("$ref").and_then(Value::as_str).and_then(definition_number);
            if number.is_some_and(|number| ending.get(number) == Some(&false)) {
                *schema = Value::Bool(false);
                return;
            }
            for (name, value) in keywords.iter_mut() {
                match name.as_str() {
                    "const" | "enum" | "required" => {}
                    "properties" | "patternProperties" => {
                        let schemas = value.as_object_mut().into_iter().flatten();
                        schemas.for_each(|(_, schema)| forbid_endless(schema, ending));
                    }
                    _ => forbid_endless(value, ending),
                }
            }
        }
        _ => {}
    }
}

/// The number of the definition that a reference of the normal form names.
pub(super) fn definition_number(reference: &str) -> Option<usize> {
    if reference == "#" {
        return Some(0);
    }
    reference.strip_prefix("#/$defs/")?.parse().ok()
}

fn ends(schema: &Value, known: &[bool]) -> bool {
    let Value::Object(keywords) = schema else { return schema != &Value::Bool(false) };
    let branches = |name: &str| keywords.get(name).and_then(Value::as_array);
    let all = branches("allOf").is_none_or(|branches| branches.iter().all(|branch| ends(branch, known)));
    let some = |name: &str| branches(name).is_none_or(|branches| branches.iter().any(|branch| ends(branch, known)));
    let reference = keywords.get("$ref").and_then(Value::as_str).and_then(definition_number);
    let referred = reference.is_none_or(|number| known.get(number).copied().unwrap_or(false));
    let stated = keywords.contains_key("const") || keywords.contains_key("enum");
    all && some("anyOf") && some("oneOf") && referred && (stated || some_type_ends(keywords, known))
}

fn some_type_ends(keywords: &Map<String, Value>, known: &[bool]) -> bool {
    let type_ends = |name: &str| match name {
        "array" => array_ends(keywords, known),
        "object" => object_ends(keywords, known),
        _ => true,
    };
    match keywords.get("type") {
        Some(Value::String(name)) => type_ends(name),
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).any(type_ends),
        _ => TYPES.into_iter().any(type_ends),
    }
}

fn array_ends(keywords: &Map<String, Value>, known: &[bool]) -> bool {
    let count = |name: &str| keywords.get(name).and_then(Value::as_u64).unwrap_or(0);
    let least = usize::try_from(count("minItems")).unwrap_or(usize::MAX);
    let (places, rest) = match keywords.get("items") {
        Some(Value::Array(places)) => (places.as_slice(), keywords.get("additionalItems")),
        items => (keywords.get("prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice), items),
    };
    let rest_ends = least <= places.len() || rest.is_none_or(|rest| ends(rest, known));
    rest_ends && places.iter().take(least).all(|place| ends(place, known))
}

fn object_ends(keywords: &Map<String, Value>, known: &[bool]) -> bool {
    let properties = keywords.get("properties").and_then(Value::as_object);
    let required = keywords.get("required").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    required.iter().filter_map(Value::as_str).all(|name| match properties.and_then(|properties| properties.get(name)) {
        Some(schema) => ends(schema, known),
        // A pattern may be what speaks of it.
        None if keywords.contains_key("patternProperties") => true,
        None => keywords.get("additionalProperties").is_none_or(|rest| ends(rest, known)),
    })
}
