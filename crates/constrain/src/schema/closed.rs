//! Schemas whose objects have the properties that they name, and no others.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::bounds::decode_percent;
use super::keywords::Keyword;

/// The schema with `additionalProperties: false` wherever properties are named and it is not said what others are, as if its writer had said so. Of a schema
/// that is put together of several with `allOf`, each forbids what the others name.
pub fn closed(mut schema: Value) -> Value {
    // References may lead to where no keyword says that a schema is.
    let (mut open, mut known) = (vec![String::new()], BTreeSet::from([String::new()]));
    while let Some(pointer) = open.pop() {
        let mut referred = Vec::new();
        if let Some(place) = schema.pointer_mut(&pointer) {
            close(place, &mut referred);
        }
        open.extend(referred.into_iter().filter(|pointer| known.insert(pointer.clone())));
    }
    schema
}

/// Closes a schema and those within it, and finds where they refer to.
fn close(schema: &mut Value, referred: &mut Vec<String>) {
    let Value::Object(keywords) = schema else { return };
    for (name, value) in keywords.iter_mut() {
        match Keyword::known(name) {
            Some(Keyword::Definitions | Keyword::Schemas | Keyword::PatternSchemas) => {
                value.as_object_mut().into_iter().flat_map(Map::values_mut).for_each(|schema| close(schema, referred));
            }
            Some(Keyword::Branches | Keyword::SchemaList | Keyword::Schema | Keyword::Items) => match value {
                Value::Array(schemas) => schemas.iter_mut().for_each(|schema| close(schema, referred)),
                other => close(other, referred),
            },
            Some(Keyword::Reference) => {
                referred.extend(value.as_str().and_then(|reference| decode_percent(reference.strip_prefix('#')?)))
            }
            _ => {}
        }
    }
    let names_some = ["properties", "patternProperties"].into_iter().any(|name| keywords.contains_key(name));
    if names_some && !keywords.contains_key("additionalProperties") {
        keywords.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn objects_that_name_properties_are_closed_wherever_they_stand() {
        let given = json!({
            "$defs": {"point": {"properties": {"x": {}}}},
            // A property called as a keyword is none.
            "properties": {"properties": {"type": "object"}, "at": {"$ref": "#/$defs/point"}, "open": {"properties": {"a": {}}, "additionalProperties": {}}},
            "items": [{"properties": {}}],
            "anyOf": [{"patternProperties": {"^a": {"properties": {"b": {}}}}}, {"additionalProperties": {"properties": {"c": {}}}}],
            "const": {"properties": {"d": 1}},
        });
        let expected = json!({
            "$defs": {"point": {"properties": {"x": {}}, "additionalProperties": false}},
            "properties": {"properties": {"type": "object"}, "at": {"$ref": "#/$defs/point"}, "open": {"properties": {"a": {}}, "additionalProperties": {}}},
            "items": [{"properties": {}, "additionalProperties": false}],
            "anyOf": [
                {"patternProperties": {"^a": {"properties": {"b": {}}, "additionalProperties": false}}, "additionalProperties": false},
                {"additionalProperties": {"properties": {"c": {}}, "additionalProperties": false}},
            ],
            "const": {"properties": {"d": 1}},
            "additionalProperties": false,
        });
        assert_eq!(closed(given), expected);
    }

    /// As far as they are followed: in circles, escaped, and to what is no keyword.
    #[test]
    fn schemas_that_are_referred_to_are_closed_wherever_they_stand() {
        let open = json!({"properties": {"a": {"$ref": "#/x%20y/p~1q"}}});
        let given = json!({"$ref": "#/x-more/p", "x-more": {"p": open}, "x y": {"p/q": {"properties": {"b": {"$ref": "#"}}}}, "x-other": open});
        let mut expected = given.clone();
        for pointer in ["/x-more/p", "/x y/p~1q"] {
            expected.pointer_mut(pointer).unwrap()["additionalProperties"] = json!(false);
        }
        assert_eq!(closed(given), expected);
    }
}
