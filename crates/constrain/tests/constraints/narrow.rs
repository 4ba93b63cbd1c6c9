//! Forms that let less through than their schema.

use constrain::{Constraint, Grammar, Narrowing};
use serde_json::{Value, json};

use crate::vocabularies::{SPECIAL, accepts, tokenizer, vocabulary_of};

fn check(schema: &Value, narrowing: Narrowing, cases: &[(&str, bool)]) {
    let tokenizer = tokenizer(SPECIAL);
    let grammar = Grammar::NarrowJson(schema.clone(), narrowing);
    let constraint = Constraint::new(&vocabulary_of(&tokenizer), &grammar).unwrap();
    for (text, expected) in cases {
        assert_eq!(accepts(&tokenizer, &constraint, text), *expected, "{text} by {schema}");
    }
}

#[test]
fn nothing_stands_between_marks() {
    let compact = Narrowing { compact: true, ..Narrowing::default() };
    let schema = json!({"type": "object", "properties": {"a": {"const": {"b": [1, 2]}}}});
    let cases = [
        (r#"{"a":{"b":[1,2]},"c":[{},"x y"]}"#, true),
        (r#"{"a": {"b":[1,2]}}"#, false),
        (r#"{"a":{"b":[1, 2]}}"#, false),
        ("{ }", false),
        (r#"{"c":[ ]}"#, false),
    ];
    check(&schema, compact, &cases);
}

#[test]
fn objects_have_what_is_named() {
    let closed = Narrowing { closed: true, ..Narrowing::default() };
    let open = json!({"type": "object", "properties": {"a": {"type": "integer"}}});
    let own = [(r#"{"a": 1}"#, true), ("{}", true), (r#"{"b": 1}"#, false), (r#"{"a": 1, "b": 2}"#, false)];
    check(&open, closed, &own);
    // References lead to any place, also where no keyword says that a schema is, and in other spellings.
    for (reference, place) in [("#/$defs/p", "$defs"), ("#/x-defs/p", "x-defs"), ("#/x-d%65fs/p", "x-defs")] {
        check(&json!({"$ref": reference, place: {"p": open}}), closed, &own);
    }
    let within = |schema: Value| json!({"type": "object", "properties": {"w": schema}});
    let held =
        [(r#"{"w": [{"a": 1}, {}]}"#, true), (r#"{"w": [{"a": 1, "b": 2}]}"#, false), (r#"{"w": [], "v": 1}"#, false)];
    check(&within(json!({"type": "array", "items": open})), closed, &held);
    check(&within(json!({"type": "array", "items": {"anyOf": [{"type": "null"}, open]}})), closed, &held);
    // What says itself what others are is as it was, and so are objects that name nothing.
    let free = within(json!({"type": "object", "additionalProperties": {"type": "object"}}));
    check(
        &free,
        closed,
        &[(r#"{"w": {"x": {"y": 1}}}"#, true), (r#"{"w": {"x": 1}}"#, false), (r#"{"v": {}}"#, false)],
    );
    // A property that is called as a keyword is none.
    let named = within(json!({"type": "object", "properties": {"properties": {"type": "object"}}}));
    check(&named, closed, &[(r#"{"w": {"properties": {"z": 1}}}"#, true), (r#"{"w": {"z": 1}}"#, false)]);
}
