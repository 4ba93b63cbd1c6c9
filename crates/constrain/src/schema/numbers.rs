//! What several schemas say of one number beside a `multipleOf` that is a decimal, or large, or another, said in one: the library would put it together in floats,
//! and lose multiples, or look for them too long.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::DEPTH_MAX;
use super::bounds::{decode_percent, referred};
use super::interval::BOUNDS;
use super::keywords::Keyword;
use super::multiples::{SEARCHED_MAX, common_multiple};

/// Schemas that are looked through for one, by references and `allOf`.
const LOOKED_THROUGH_MAX: usize = 64;

/// The schema with each number's bounds, steps and values in one place, as far as they stand in members of an `allOf`, behind a `$ref` or beside branches. As it is
/// where a `$ref` names a member or a branch: it would find what was put together.
pub(super) fn put_together(root: &Value) -> Cow<'_, Value> {
    if !has_step(root) || refers_to_a_member(root) {
        return Cow::Borrowed(root);
    }
    let mut written = root.clone();
    put_within(&mut written, root, 0);
    Cow::Owned(written)
}

fn has_step(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.contains_key("multipleOf") || members.values().any(has_step),
        Value::Array(values) => values.iter().any(has_step),
        _ => false,
    }
}

fn refers_to_a_member(value: &Value) -> bool {
    let is_such = |name: &str, value: &Value| {
        let path = value.as_str().filter(|_| name == "$ref").map(|path| decode_percent(path).unwrap_or_default());
        path.is_some_and(|path| path.split('/').any(|part| matches!(part, "allOf" | "anyOf" | "oneOf")))
    };
    match value {
        Value::Object(members) => members.iter().any(|(name, value)| is_such(name, value) || refers_to_a_member(value)),
        Value::Array(values) => values.iter().any(refers_to_a_member),
        _ => false,
    }
}

fn put_within(schema: &mut Value, root: &Value, depth: usize) {
    let Some(keywords) = schema.as_object_mut().filter(|_| depth <= DEPTH_MAX) else { return };
    take_members(keywords, root);
    hand_to_branches(keywords, root);
    for (name, value) in keywords.iter_mut() {
        match (Keyword::known(name), value) {
            (Some(Keyword::Schemas | Keyword::PatternSchemas | Keyword::Definitions), Value::Object(schemas)) => {
                schemas.values_mut().for_each(|schema| put_within(schema, root, depth + 1))
            }
            (Some(Keyword::Items | Keyword::SchemaList | Keyword::Branches), Value::Array(schemas)) => {
                schemas.iter_mut().for_each(|schema| put_within(schema, root, depth + 1));
            }
            (Some(Keyword::Schema | Keyword::Items), schema) => put_within(schema, root, depth + 1),
            _ => {}
        }
    }
}

/// What a schema says of numbers.
type Said<'a> = Vec<(&'a str, &'a Value)>;

/// What a schema says that speaks of types, numbers and whole values alone, with what it refers to; `None` where it says more.
fn said<'a>(schema: &'a Value, root: &'a Value, left: &mut usize) -> Option<Said<'a>> {
    *left = left.checked_sub(1)?;
    let mut all = Vec::new();
    if schema == &Value::Bool(true) {
        return Some(all);
    }
    for (name, value) in schema.as_object()? {
        match (Keyword::of(name).ok()?, value) {
            (Keyword::Annotation | Keyword::Definitions, _) => {}
            (Keyword::Type | Keyword::Bound | Keyword::MultipleOf | Keyword::Value | Keyword::Values, _) => {
                all.push((name.as_str(), value));
            }
            (Keyword::Reference, Value::String(reference)) => all.extend(said(referred(root, reference)?, root, left)?),
            (Keyword::Branches, Value::Array(members)) if name == "allOf" => {
                for member in members {
                    all.extend(said(member, root, left)?);
                }
            }
            _ => return None,
        }
    }
    Some(all)
}

fn is_of_numbers(name: &str) -> bool {
    matches!(Keyword::known(name), Some(Keyword::Bound | Keyword::MultipleOf))
}

fn is_value(name: &str) -> bool {
    matches!(Keyword::known(name), Some(Keyword::Value | Keyword::Values))
}

/// Whether what is said of one number is said in several places, and a step among it is none that the library puts together.
fn is_apart<'s>(places: impl Iterator<Item = &'s Said<'s>> + Clone) -> bool {
    let steps = places.clone().flatten().filter(|(name, _)| *name == "multipleOf");
    let is_exact = |step: f64| step.fract() == 0.0 && step <= SEARCHED_MAX as f64;
    let has_step = steps.clone().count() > 1 || steps.filter_map(|(_, step)| step.as_f64()).any(|step| !is_exact(step));
    has_step && places.filter(|said| said.iter().any(|(name, _)| is_of_numbers(name) || is_value(name))).count() > 1
}

/// Takes what members of `allOf` and what `$ref` names say into the schema itself.
fn take_members(keywords: &mut Map<String, Value>, root: &Value) {
    if !["allOf", "$ref"].into_iter().any(|name| keywords.contains_key(name)) {
        return;
    }
    // Aside, and not copied: below a member may be all of a form.
    let mut members = keywords.get_mut("allOf").map_or(Value::Null, Value::take);
    for position in taken_members(keywords, members.as_array().map_or(&[][..], Vec::as_slice), root) {
        members[position] = Value::Bool(true);
    }
    if let Some(place) = keywords.get_mut("allOf") {
        *place = members;
    }
}

/// Those of the members whose words the keywords say now, by their places.
fn taken_members(keywords: &mut Map<String, Value>, members: &[Value], root: &Value) -> Vec<usize> {
    let mut left = LOOKED_THROUGH_MAX;
    let own = copied(keywords, |name| is_of_numbers(name) || is_value(name));
    let own: Said<'_> = own.iter().map(|(name, value)| (name.as_str(), value)).collect();
    let reference = keywords.get("$ref").and_then(Value::as_str).and_then(|reference| referred(root, reference));
    let referred = reference.and_then(|schema| said(schema, root, &mut left));
    let members: Vec<Option<Said<'_>>> = members.iter().map(|member| said(member, root, &mut left)).collect();
    if !is_apart([Some(&own), referred.as_ref()].into_iter().chain(members.iter().map(Option::as_ref)).flatten()) {
        return Vec::new();
    }
    if referred.is_some_and(|said| add(keywords, &said)) {
        keywords.shift_remove("$ref");
    }
    let taken = members.into_iter().map(|said| said.is_some_and(|said| add(keywords, &said)));
    taken.enumerate().filter_map(|(position, is_taken)| is_taken.then_some(position)).collect()
}

fn copied(keywords: &Map<String, Value>, is_copied: impl Fn(&str) -> bool) -> Map<String, Value> {
    let some = keywords.iter().filter(|(name, _)| is_copied(name));
    some.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Says in each branch what the schema says of numbers beside them, unless it names values itself: of those its own steps and bounds choose.
fn hand_to_branches(keywords: &mut Map<String, Value>, root: &Value) {
    if keywords.keys().any(|name| is_value(name)) {
        return;
    }
    let own = copied(keywords, is_of_numbers);
    let own: Said<'_> = own.iter().map(|(name, value)| (name.as_str(), value)).collect();
    let Some(branches) = ["anyOf", "oneOf"].into_iter().find(|name| keywords.contains_key(*name)) else { return };
    let Some(Value::Array(branches)) = keywords.get_mut(branches) else { return };
    let mut left = LOOKED_THROUGH_MAX;
    let is_apart = !own.is_empty()
        && branches
            .iter()
            .any(|branch| said(branch, root, &mut left).is_some_and(|said| is_apart([&own, &said].into_iter())));
    if !is_apart {
        return;
    }
    for branch in branches {
        let is_added = branch.as_object_mut().is_some_and(|branch| add(branch, &own));
        if !is_added && branch != &Value::Bool(false) {
            let own: Map<String, Value> =
                own.iter().map(|(name, value)| ((*name).to_owned(), (*value).clone())).collect();
            *branch = serde_json::json!({"allOf": [branch.take(), own]});
        }
    }
    let names: Vec<String> = own.iter().map(|(name, _)| (*name).to_owned()).collect();
    names.iter().for_each(|name| drop(keywords.shift_remove(name)));
}

/// Adds to what keywords say. Whether that can be said in one schema; otherwise they stay as they are.
fn add(keywords: &mut Map<String, Value>, said: &Said<'_>) -> bool {
    let mut added = Map::new();
    let is_added = said.iter().all(|(name, value)| {
        let Some(own) = added.get(*name).or_else(|| keywords.get(*name)) else {
            let is_named = |other: &str| added.contains_key(other) || keywords.contains_key(other);
            let is_second = is_value(name) && ["const", "enum"].into_iter().any(is_named);
            if !is_second {
                added.insert((*name).to_owned(), (*value).clone());
            }
            return !is_second;
        };
        let in_one = match *name {
            "type" => common_types(own, value),
            "multipleOf" => common_multiple(own, value),
            _ if BOUNDS.contains(name) => tighter(own, value, name.ends_with("inimum")),
            _ => (own == *value).then(|| own.clone()),
        };
        in_one.map(|value| added.insert((*name).to_owned(), value)).is_some()
    });
    if is_added {
        keywords.extend(added);
    }
    is_added
}

fn tighter(own: &Value, other: &Value, is_least: bool) -> Option<Value> {
    let is_own = if is_least { own.as_f64()? >= other.as_f64()? } else { own.as_f64()? <= other.as_f64()? };
    Some(if is_own { own.clone() } else { other.clone() })
}

/// The types that both have; `None` where they have none.
fn common_types(own: &Value, other: &Value) -> Option<Value> {
    let names = |types: &Value| -> Option<Vec<String>> {
        let names = types.as_array().map_or(std::slice::from_ref(types), Vec::as_slice);
        names.iter().map(|name| name.as_str().map(str::to_owned)).collect()
    };
    let (own, other) = (names(own)?, names(other)?);
    let has = |types: &[String], name: &str| {
        types.iter().any(|other| other == name || name == "integer" && other == "number")
    };
    let one = own.iter().filter(|name| has(&other, name));
    let mut both: Vec<&String> = one.chain(other.iter().filter(|name| has(&own, name))).collect();
    both.sort();
    both.dedup();
    match both.as_slice() {
        [] => None,
        [name] => Some(Value::from(name.as_str())),
        names => Some(names.iter().map(|name| name.as_str()).collect()),
    }
}
