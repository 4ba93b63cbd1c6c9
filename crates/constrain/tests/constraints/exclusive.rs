//! `oneOf` whose branches exclude each other by their types, where they refer to what holds itself.

use jsonschema::Draft;
use serde_json::{Map, Value, json};

use crate::vocabularies::{SPECIAL, accepts, tokenizer, vocabulary_of};
use constrain::{Constraint, Grammar};

/// Whether each value is let through, which has to be what the judge says of it.
fn check(schema: &Value, cases: &[(Value, bool)]) {
    let tokenizer = tokenizer(SPECIAL);
    let judge = jsonschema::options().with_draft(Draft::Draft202012).build(schema).unwrap();
    let constraint = Constraint::new(&vocabulary_of(&tokenizer), &Grammar::JsonSchema(schema.clone()))
        .unwrap_or_else(|error| panic!("{schema}: {error}"));
    for (value, expected) in cases {
        assert_eq!(judge.is_valid(value), *expected, "{value} by {schema}");
        assert_eq!(accepts(&tokenizer, &constraint, &value.to_string()), *expected, "{value} by {schema}");
    }
}

fn refusal(schema: Value) -> String {
    let vocabulary = vocabulary_of(&tokenizer(SPECIAL));
    Constraint::new(&vocabulary, &Grammar::JsonSchema(schema)).unwrap_err().to_string()
}

/// As OpenAPI 3.1 writes a reference that may be null.
fn optional(name: &str) -> Value {
    json!({"oneOf": [{"type": "null"}, {"$ref": format!("#/$defs/{name}")}]})
}

fn node(left: Value) -> Value {
    json!({"type": "object", "properties": {"v": {"type": "integer"}, "left": left}})
}

fn values() -> Vec<(Value, bool)> {
    vec![
        (json!({"v": 1, "left": null}), true),
        (json!({"v": 1, "left": {"v": 2, "left": {"left": null}}}), true),
        (json!({"v": 1, "left": []}), false),
        (json!({"v": 1, "left": {"v": 2, "left": 3}}), false),
        (json!({"v": 1, "left": {"v": "2"}}), false),
        (json!(null), false),
    ]
}

#[test]
fn optional_references_of_recursive_types() {
    check(&json!({"$ref": "#/$defs/N", "$defs": {"N": node(optional("N"))}}), &values());
    check(&json!({"$ref": "#/$defs/A", "$defs": {"A": node(optional("B")), "B": node(optional("A"))}}), &values());
    check(&node(json!({"oneOf": [{"type": "null"}, {"$ref": "#"}]})), &values());
    let chain = json!({"N": node(optional("first")), "first": {"$ref": "#/$defs/a%20b"}, "a b": {"description": "next", "$ref": "#/$defs/N"}});
    check(&json!({"$ref": "#/$defs/N", "$defs": chain}), &values());
}

/// Types of Rust's enumerations are those of their variants.
#[test]
fn optional_references_to_branches() {
    let variant = |kind: &str, part: Value| json!({"type": "object", "properties": {"kind": {"type": "string", "const": kind}, "part": part}, "required": ["kind", "part"]});
    let expression = json!({"anyOf": [variant("value", json!({"type": "integer"})), variant("not", optional("E"))]});
    check(
        &json!({"$ref": "#/$defs/E", "$defs": {"E": expression}}),
        &[
            (json!({"kind": "not", "part": null}), true),
            (json!({"kind": "not", "part": {"kind": "value", "part": 1}}), true),
            (json!({"kind": "not", "part": 1}), false),
            (json!({"kind": "value", "part": null}), false),
        ],
    );
}

/// What two unions share is looked through once.
#[test]
fn optional_references_to_unions_that_share_variants() {
    let variant = |number: usize| {
        let properties = json!({"kind": {"const": format!("k{number}")}, "part": optional("E")});
        (format!("V{number}"), json!({"type": "object", "properties": properties, "required": ["kind"]}))
    };
    let mut definitions: Map<String, Value> = (0..30).map(variant).collect();
    let reference = |name: String| json!({"$ref": format!("#/$defs/{name}")});
    let references = |names: Vec<String>| json!({"anyOf": names.into_iter().map(reference).collect::<Vec<_>>()});
    let variants = references((0..30).map(|number| format!("V{number}")).collect());
    definitions.extend([("A".to_owned(), variants.clone()), ("B".to_owned(), variants)]);
    definitions.insert("E".to_owned(), references(vec!["A".to_owned(), "B".to_owned()]));
    check(
        &json!({"$ref": "#/$defs/E", "$defs": definitions}),
        &[
            (json!({"kind": "k7", "part": {"kind": "k29", "part": null}}), true),
            (json!({"kind": "k7", "part": {"kind": "k30"}}), false),
            (json!({"kind": "k7", "part": 1}), false),
        ],
    );
}

/// Nothing is copied for a reference, which would multiply at each level.
#[test]
fn optional_references_in_each_other() {
    let link = |number: usize| {
        let parts: Map<String, Value> =
            ["a", "b", "c"].into_iter().map(|name| (name.to_owned(), optional(&format!("d{}", number + 1)))).collect();
        (format!("d{number}"), json!({"type": "object", "properties": parts}))
    };
    let mut definitions: Map<String, Value> = (0..8).map(link).collect();
    definitions.insert("d8".into(), json!({"type": "object", "properties": {"v": {"type": "integer"}}}));
    check(
        &json!({"$ref": "#/$defs/d0", "$defs": definitions}),
        &[(json!({"a": null, "b": {"c": {"a": null}}}), true), (json!({"a": {"b": {"c": 1}}}), false)],
    );
}

/// Where types have values in common, or are not said, exactly one branch has to hold all the same.
#[test]
fn types_in_common() {
    let message = "`oneOf` is supported where its branches are seen to exclude each other";
    for branches in [
        json!([{"type": "integer"}, {"type": "number"}]),
        json!([{"type": ["null", "number"]}, {"type": ["string", "integer"]}]),
        json!([{"$ref": "#/$defs/N"}, {"type": "object"}]),
        json!([{"$ref": "#/$defs/N"}, {"$ref": "#/$defs/any"}]),
        json!([{"type": "null"}, {"title": "any"}]),
    ] {
        let definitions = json!({"N": node(json!({"type": "null"})), "any": {"title": "any"}});
        let error = refusal(json!({"oneOf": branches, "$defs": definitions}));
        assert!(error.contains(message), "{branches}: {error}");
    }
    let beside = json!({
        "oneOf": [{"type": "null"}, {"type": "string"}, {"type": "integer"}],
        "anyOf": [{"type": ["integer", "string"], "maximum": 5}, {"type": "array"}],
    });
    check(
        &beside,
        &[(json!("a"), true), (json!(5), true), (json!(6), false), (json!(null), false), (json!([]), false)],
    );
    let bounded =
        json!({"type": ["object", "null"], "oneOf": [{"type": "null"}, {"type": ["string", "array", "integer"]}]});
    check(&bounded, &[(json!(null), true), (json!({}), false), (json!("a"), false), (json!(1), false)]);
}
