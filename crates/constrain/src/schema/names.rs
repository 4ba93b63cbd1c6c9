//! `propertyNames`: names that properties may have, told to the library as a pattern of properties beside which there are no others.

use serde_json::{Map, Value};

use super::bounds;
use super::{keywords, pattern};

const UNSUPPORTED: &str = "`propertyNames` is supported with a `pattern`, with `minLength` and `maxLength`, with an `enum` of names or a `const`, or with a `$ref` to such a schema, each without the others";

/// What a schema says of names.
#[derive(Default)]
struct Names<'a> {
    pattern: Option<&'a str>,
    least: Option<u64>,
    most: Option<u64>,
    named: Option<Vec<&'a str>>,
}

/// A pattern, by ECMA-262, of the names that a schema lets through; `None` where it lets all.
pub(super) fn allowed(schema: &Value, root: &Value) -> Result<Option<String>, String> {
    let unsupported = || UNSUPPORTED.to_owned();
    let mut names = Names::default();
    let said = if schema == &Value::Bool(true) { Some(Vec::new()) } else { keywords::said(schema, root) };
    for (name, value) in said.ok_or_else(unsupported)? {
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
        Names { pattern: None, least: None, most: None, named: None } => Ok(None),
        Names { pattern: Some(pattern), least: None, most: None, named: None } => Ok(Some(pattern.to_owned())),
        Names { pattern: None, least, most, named: None } => {
            let most = most.map_or_else(String::new, |most| most.to_string());
            Ok(Some(format!("^[\\s\\S]{{{},{most}}}$", least.unwrap_or(0))))
        }
        Names { pattern: None, least: None, most: None, named: Some(named) } => {
            let named: Vec<String> = named.into_iter().map(regex_syntax::escape).collect();
            Ok(Some(format!("^(?:{})$", named.join("|"))))
        }
        _ => Err(unsupported()),
    }
}

/// Puts what a schema says of properties that it does not name where their names match the pattern, as it is written for the library. Those that it names are looked at here.
pub(super) fn hold(keywords: &mut Map<String, Value>, written: &str) -> Result<(), String> {
    if keywords.contains_key("patternProperties") {
        return Err("`propertyNames` is not supported beside `patternProperties`: leave it out, or write the patterns so that no other name matches".to_owned());
    }
    let rest = keywords.shift_remove("additionalProperties").unwrap_or(Value::Bool(true));
    let says_nothing = rest.is_boolean() || rest.as_object().is_some_and(Map::is_empty);
    if let Some(Value::Object(properties)) =
        keywords.get_mut("properties").filter(|all| all.as_object().is_some_and(|all| !all.is_empty()))
    {
        let mut matches = pattern::matcher(written)?;
        for (name, schema) in properties {
            match matches(name) {
                false => *schema = Value::Bool(false),
                true if says_nothing => {}
                // What the pattern's properties have to fit this one would have to fit as well.
                true => {
                    return Err(format!(
                        "`propertyNames` lets the name `{name}` through, which `properties` has: that is supported where `additionalProperties` is `true`, `false` or left out"
                    ));
                }
            }
        }
    }
    if rest != Value::Bool(false) {
        keywords.insert("patternProperties".to_owned(), Value::Object(Map::from_iter([(written.to_owned(), rest)])));
    }
    keywords.insert("additionalProperties".to_owned(), Value::Bool(false));
    Ok(())
}
