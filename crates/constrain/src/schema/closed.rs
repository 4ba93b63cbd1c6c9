//! Schemas whose objects have the properties that they name, and no others.

use serde_json::{Map, Value};

use super::keywords::Keyword;

/// The schema with `additionalProperties: false` wherever properties are named and it is not said what others are, as if its writer had said so. Of a schema
/// that is put together of several with `allOf`, each forbids what the others name.
pub fn closed(mut schema: Value) -> Value {
    close(&mut schema);
    schema
}

fn close(schema: &mut Value) {
    let Value::Object(keywords) = schema else { return };
    for (name, value) in keywords.iter_mut() {
        match Keyword::known(name) {
            Some(Keyword::Definitions | Keyword::Schemas | Keyword::PatternSchemas) => {
                value.as_object_mut().into_iter().flat_map(Map::values_mut).for_each(close);
            }
            Some(Keyword::Branches | Keyword::SchemaList | Keyword::Schema | Keyword::Items) => match value {
                Value::Array(schemas) => schemas.iter_mut().for_each(close),
                other => close(other),
            },
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
}
