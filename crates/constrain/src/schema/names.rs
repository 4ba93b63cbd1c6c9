//! `propertyNames`: names that properties may have, told to the library as a pattern of properties beside which there are no others. And patterns that let no
//! other names through than those that are there.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{Work, bounds, keywords, pattern};

const UNSUPPORTED: &str = "`propertyNames` is supported with a `pattern`, with `minLength` and `maxLength`, with an `enum` of names or a `const`, or with a `$ref` to such a schema, each without the others";

/// What a schema says of names.
#[derive(Default)]
struct Names<'a> {
    pattern: Option<&'a str>,
    least: Option<u64>,
    most: Option<u64>,
    named: Option<Vec<&'a str>>,
}

/// Which names a schema lets through.
pub(super) enum Allowed {
    All,
    None,
    /// Those that a pattern matches, by ECMA-262.
    Of(String),
}

/// The names that a schema lets through.
pub(super) fn allowed(schema: &Value, root: &Value) -> Result<Allowed, String> {
    let unsupported = || UNSUPPORTED.to_owned();
    if let Some(is_any) = schema.as_bool() {
        return Ok(if is_any { Allowed::All } else { Allowed::None });
    }
    let mut names = Names::default();
    for (name, value) in keywords::said(schema, root).ok_or_else(unsupported)? {
        match (name, value) {
            ("type", Value::String(name)) if name == "string" => {}
            ("pattern", Value::String(pattern)) => names.pattern = Some(pattern),
            ("minLength", _) => names.least = Some(bounds::count(name, value)?),
            ("maxLength", _) => names.most = Some(bounds::count(name, value)?),
            ("const", Value::String(name)) if names.named.is_none() => names.named = Some(vec![name]),
            ("enum", Value::Array(values)) if names.named.is_none() && !values.is_empty() => {
                names.named = Some(values.iter().map(Value::as_str).collect::<Option<_>>().ok_or_else(unsupported)?);
            }
            _ => return Err(unsupported()),
        }
    }
    match names {
        Names { pattern: None, least: None, most: None, named: None } => Ok(Allowed::All),
        Names { pattern: Some(pattern), least: None, most: None, named: None } => Ok(Allowed::Of(pattern.to_owned())),
        Names { pattern: None, least: Some(least), most: Some(most), named: None } if least > most => Ok(Allowed::None),
        Names { pattern: None, least, most, named: None } => {
            let most = most.map_or_else(String::new, |most| most.to_string());
            Ok(Allowed::Of(format!("^[\\s\\S]{{{},{most}}}$", least.unwrap_or(0))))
        }
        Names { pattern: None, least: None, most: None, named: Some(named) } => {
            if named.iter().all(|name| bounds::check_writable(name).is_err()) {
                let written = named.iter().try_for_each(|name| bounds::check_writable(name));
                written.map_err(|reason| format!("no name that `propertyNames` has can be written: {reason}"))?;
            }
            let named: Vec<String> = named.into_iter().map(regex_syntax::escape).collect();
            Ok(Allowed::Of(format!("^(?:{})$", named.join("|"))))
        }
        _ => Err(unsupported()),
    }
}

/// Puts what a schema says of properties that it does not name where their names match the pattern, as it is written for the library. Those that it names are looked at here.
pub(super) fn hold(keywords: &mut Map<String, Value>, written: &str, work: &mut Work) -> Result<(), String> {
    if keywords.contains_key("patternProperties") {
        return Err("`propertyNames` is not supported beside `patternProperties`: leave it out, or write the patterns so that no other name matches".to_owned());
    }
    let rest = keywords.shift_remove("additionalProperties").unwrap_or(Value::Bool(true));
    let named = named(keywords);
    work.pay_pattern_again(written)?;
    work.pay_names(written, named.iter().map(String::len).sum())?;
    let mut matches = pattern::matcher(written)?;
    let (matching, others): (Vec<String>, Vec<String>) = named.into_iter().partition(|name| matches(name));
    let properties = keywords.get_mut("properties").and_then(Value::as_object_mut);
    if let Some(properties) = properties {
        for name in others {
            properties.get_mut(&name).into_iter().for_each(|schema| *schema = Value::Bool(false));
        }
    }
    if rest != Value::Bool(false) {
        let names: Vec<&str> = matching.iter().map(String::as_str).collect();
        let (is_none_left, micros) = if names.is_empty() { (false, 0) } else { pattern::leaves_none(written, &names)? };
        work.pay_matching(micros)?;
        // Where no name is left, a comma that promises one could not be followed.
        match is_none_left {
            true => {
                work.pay_copies(matching.len().saturating_mul(rest.to_string().len()))?;
                name_all(keywords, matching, &rest);
            }
            false => {
                check_apart(keywords, &matching, &rest)?;
                let held = Map::from_iter([(written.to_owned(), rest)]);
                keywords.insert("patternProperties".to_owned(), Value::Object(held));
            }
        }
    }
    keywords.insert("additionalProperties".to_owned(), Value::Bool(false));
    Ok(())
}

/// What the properties of a pattern have to fit, those of its names that are listed would have to fit as well.
fn check_apart(keywords: &Map<String, Value>, matching: &[String], rest: &Value) -> Result<(), String> {
    let says_nothing = rest.is_boolean() || rest.as_object().is_some_and(Map::is_empty);
    let is_listed =
        |name: &&String| keywords.get("properties").is_some_and(|properties| properties.get(name).is_some());
    match matching.iter().find(is_listed).filter(|_| !says_nothing) {
        Some(name) => Err(format!(
            "`propertyNames` lets the name `{name}` through, which `properties` has: that is supported where `additionalProperties` is `true`, `false` or left out"
        )),
        None => Ok(()),
    }
}

/// Lets no properties through.
pub(super) fn forbid(keywords: &mut Map<String, Value>) {
    keywords.shift_remove("patternProperties");
    let properties = keywords.get_mut("properties").and_then(Value::as_object_mut);
    properties.into_iter().flat_map(Map::values_mut).for_each(|schema| *schema = Value::Bool(false));
    keywords.insert("additionalProperties".to_owned(), Value::Bool(false));
}

/// Where no other properties may be, names those of patterns that let through no names but those that `properties` and `required` have: a comma that promises one
/// more could not be followed.
pub(super) fn name_exhausted(keywords: &mut Map<String, Value>, work: &mut Work) -> Result<(), String> {
    let named = named(keywords);
    let names: Vec<&str> = named.iter().map(String::as_str).collect();
    let is_closed = keywords.get("additionalProperties") == Some(&Value::Bool(false));
    let patterns = keywords.get_mut("patternProperties").and_then(Value::as_object_mut);
    let Some(patterns) = patterns.filter(|_| is_closed && !names.is_empty()) else { return Ok(()) };
    let mut exhausted = Vec::new();
    // Without an end any letters may follow.
    for pattern in patterns.keys().filter(|pattern| pattern.contains('$')) {
        work.pay_pattern_again(pattern)?;
        let found = pattern::leaves_none(pattern, &names);
        work.pay_matching(found.as_ref().map_or(pattern::LEAVES_MICROS_MAX, |(_, micros)| *micros))?;
        if found.is_ok_and(|(is_none_left, _)| is_none_left) {
            exhausted.push(pattern.clone());
        }
    }
    let exhausted: Vec<_> = exhausted.into_iter().filter_map(|pattern| patterns.shift_remove_entry(&pattern)).collect();
    if patterns.is_empty() {
        keywords.shift_remove("patternProperties");
    }
    for (pattern, schema) in exhausted {
        work.pay_names(&pattern, named.iter().map(String::len).sum())?;
        let mut matches = pattern::matcher(&pattern)?;
        let matching: Vec<String> = named.iter().filter(|name| matches(name)).cloned().collect();
        work.pay_copies(matching.len().saturating_mul(schema.to_string().len()))?;
        let properties = keywords.entry("properties").or_insert_with(|| Value::Object(Map::new()));
        for name in matching {
            let both = match properties.get(&name) {
                Some(own) => json!({"allOf": [own, schema]}),
                None => schema.clone(),
            };
            properties[name] = both;
        }
    }
    Ok(())
}

/// The names that `properties` and `required` have, each once.
fn named(keywords: &Map<String, Value>) -> Vec<String> {
    let properties = keywords.get("properties").and_then(Value::as_object);
    let required = keywords.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let named = properties.into_iter().flat_map(Map::keys).map(String::as_str).chain(required);
    let mut seen = BTreeSet::new();
    named.filter(|name| seen.insert(*name)).map(str::to_owned).collect()
}

/// Gives each of the names that `properties` lacks this schema there.
fn name_all(keywords: &mut Map<String, Value>, names: Vec<String>, schema: &Value) {
    let properties = keywords.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    for name in names {
        if properties.get(&name).is_none() {
            properties[name] = schema.clone();
        }
    }
}
