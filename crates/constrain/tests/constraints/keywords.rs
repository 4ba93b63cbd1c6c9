//! Keywords that become others before the library reads them: what they let through is what the `jsonschema` crate finds valid.

use crate::hostile::{outcome, refused};
use crate::schemas::walk;
use crate::vocabularies::{Random, SPECIAL, accepts, tokenizer, vocabulary_of};
use constrain::{Constraint, Grammar, Tool, ToolChoice, ToolFormat, Tools};
use serde_json::{Map, Value, json};

const WALKS: u64 = 10;

/// What is valid is let through, of some texts, and at random what is let through is valid.
fn agree(schemas: &[Value], texts: &[&str]) {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    for schema in schemas {
        let judge = jsonschema::validator_for(schema).unwrap();
        let constraint = Constraint::new(&vocabulary, &Grammar::JsonSchema(schema.clone())).unwrap();
        let taken = texts.iter().filter(|text| {
            let is_valid = judge.is_valid(&serde_json::from_str(text).unwrap());
            assert_eq!(accepts(&tokenizer, &constraint, text), is_valid, "{text} by {schema}");
            is_valid
        });
        let taken = taken.count();
        let mut ended = 0;
        for number in 0..WALKS {
            let Some(text) = walk(&tokenizer, &vocabulary, schema, &mut Random(number)) else { continue };
            match serde_json::from_str(&text) {
                Ok(value) => assert!(judge.is_valid(&value), "{text} by {schema}"),
                Err(error) => assert!(error.to_string().starts_with("number out of range"), "{text}: {error}"),
            }
            ended += 1;
        }
        assert!(ended > WALKS / 2, "{ended} by {schema}");
        assert!(0 < taken && taken < texts.len(), "{schema}");
    }
}

#[test]
fn names_of_properties() {
    let schemas = [
        json!({"type": "object", "propertyNames": {"pattern": "^[a-z]+$"}, "additionalProperties": {"type": "integer"}}),
        json!({"type": "object", "propertyNames": {"type": "string", "minLength": 2, "maxLength": 3}}),
        json!({"propertyNames": {"enum": ["a", "b.c", "é\n"]}, "additionalProperties": {"type": "integer"}, "required": ["a"]}),
        json!({
            "$defs": {"Key": {"title": "Key", "type": "string", "enum": ["a", "b.c"]}},
            "type": "object", "propertyNames": {"$ref": "#/$defs/Key"}, "additionalProperties": {"type": "integer"}, "minProperties": 1
        }),
        json!({"type": "object", "propertyNames": {"pattern": "^[a-z]"}, "properties": {"a": {"const": 1}, "B": {"const": 1}}}),
        json!({
            "type": "object", "propertyNames": {"const": "a"}, "properties": {"a": {"const": 1}, "B": {"const": 1}},
            "additionalProperties": false
        }),
        json!({
            "type": "object", "propertyNames": {"type": "string", "enum": ["a", "ab"]}, "required": ["a", "ab"],
            "additionalProperties": {"type": "integer"}
        }),
        json!({"type": "object", "properties": {"a": {"const": 1}}, "propertyNames": {"const": "a"}}),
        json!({"type": "object", "properties": {"a": {"const": 1}}, "propertyNames": {"pattern": "^(ab|a)$"}, "required": ["ab"]}),
        json!({"allOf": [{"propertyNames": {"maxLength": 1}}, {"type": "object", "properties": {"ab": {}, "a": {"const": true}}}]}),
    ];
    let texts = [
        "{}",
        r#"{"a": 1}"#,
        r#"{"a": true}"#,
        r#"{"B": 1}"#,
        r#"{"b.c": 1}"#,
        r#"{"bxc": 1}"#,
        r#"{"ab": true}"#,
        r#"{"abcd": 2}"#,
        r#"{"猫猫": 1}"#,
        r#"{"é\n": 1}"#,
        r#"{"a": 1, "é\n": 1}"#,
        r#"{"a": 1, "b.c": 2}"#,
        r#"{"a": 1, "ab": 2}"#,
        "1",
    ];
    agree(&schemas, &texts);
}

/// The library would put them together in floats.
#[test]
fn what_members_say_of_multiples() {
    let price = json!({"type": "number", "title": "Price", "multipleOf": 0.01});
    let of_price = |mut schema: Value| {
        schema["$defs"] = json!({"price": price, "nested": {"allOf": [{"$ref": "#/$defs/price"}, {"maximum": 20}]}});
        schema
    };
    let schemas = [
        json!({"allOf": [{"type": "number", "multipleOf": 0.1}, {"minimum": 0.25, "exclusiveMaximum": 0.35}]}),
        json!({"type": "number", "multipleOf": 0.1, "allOf": [{"minimum": 0.25}, {"maximum": 0.4}, true]}),
        json!({"allOf": [{"type": "number", "multipleOf": 0.01}, {"enum": [9.99, 19.99, 0.125]}]}),
        json!({"allOf": [{"type": "number", "multipleOf": 0.1}, {"exclusiveMinimum": -1.5, "maximum": -0.8}], "multipleOf": 0.07}),
        json!({"allOf": [{"multipleOf": 0.5}, {"type": ["integer", "boolean"], "minimum": -2, "maximum": 7}]}),
        json!({"allOf": [{"type": "integer", "multipleOf": 700}, {"multipleOf": 900}, {"minimum": 0, "maximum": 90_000}]}),
        json!({"allOf": [{"type": "integer", "multipleOf": 5_000}, {"minimum": 0, "maximum": 20_000}]}),
        of_price(json!({"const": 0.29, "$ref": "#/$defs/price"})),
        of_price(json!({"$ref": "#/$defs/price", "minimum": 0.285, "maximum": 0.295})),
        of_price(json!({"$ref": "#/$defs/nested", "exclusiveMinimum": 19.98})),
        of_price(json!({"anyOf": [{"$ref": "#/$defs/price"}, {"type": "null"}], "minimum": 19.985, "maximum": 19.995})),
        of_price(json!({"oneOf": [{"type": "string"}, {"$ref": "#/$defs/nested"}], "minimum": 19.985, "maximum": 21})),
    ];
    let texts = [
        "0.29", "0.3", "0.35", "0.4", "0.25", "9.99", "19.99", "20", "20.01", "0.125", "-1.4", "-2", "7", "6300",
        "5000", "null", "true", r#""a""#,
    ];
    agree(&schemas, &texts);
    let apart = "in the same schema";
    let with_texts = json!({"type": ["number", "string"], "maxLength": 3, "multipleOf": 0.01});
    refused(json!({"allOf": [with_texts, {"enum": [9.99, 19.99]}]}), apart);
    let within = "parts of an array or an object";
    refused(json!({"items": {"multipleOf": 0.01}, "enum": [[19.99]]}), within);
    refused(
        of_price(
            json!({"properties": {"a": {"properties": {"b": {"$ref": "#/$defs/price"}}}}, "const": {"a": {"b": 0.29}}}),
        ),
        within,
    );
    let others = [
        json!({"items": {"multipleOf": 0.01}, "enum": [["a"], []]}),
        json!({"items": {"multipleOf": 3}, "const": [3]}),
    ];
    agree(&others, &["[\"a\"]", "[3]", "1"]);
}

/// What is said of one number is put together: not what a reference names a part of.
#[test]
fn references_to_members() {
    let price = json!({"type": "number", "multipleOf": 0.01});
    let object = |p: Value, q: &str| {
        let properties = json!({"p": p, "q": {"$ref": q}});
        json!({"type": "object", "properties": properties, "required": ["q"], "additionalProperties": false})
    };
    let schemas = [
        object(json!({"allOf": [price, {"maximum": 20}]}), "#/properties/p/allOf/0"),
        object(json!({"minimum": 5, "anyOf": [price, {"type": "null"}]}), "#/properties/p/%61nyOf/0"),
        object(
            json!({"allOf": [{"$defs": {"x": price}, "multipleOf": 0.05}, {"maximum": 3}]}),
            "#/properties/p/allOf/0/$defs/x",
        ),
    ];
    let texts = ["0.29", "7", "0.125", "\"x\"", "[1]", "null"].map(|value| format!("{{\"q\": {value}}}"));
    agree(&schemas, &texts.each_ref().map(String::as_str));
    // Of values that are named the schema's own steps and bounds choose, whatever branches say.
    let named = [
        json!({"enum": [0.29, 1, 2.5, 0.125], "multipleOf": 0.01, "anyOf": [{"maximum": 1}, {"minimum": 2}]}),
        json!({"enum": [0.5, 1, 2.5], "multipleOf": 0.5, "anyOf": [{"maximum": 1}, {"minimum": 2}]}),
    ];
    agree(&named, &["0.29", "0.5", "1", "2.5", "0.125"]);
}

#[test]
fn multiples_of_large_steps() {
    let schemas = [
        json!({"type": "integer", "multipleOf": 5_000, "minimum": -5_000, "maximum": 1_000_000}),
        json!({"type": "number", "multipleOf": 5_000, "exclusiveMinimum": -5_000, "exclusiveMaximum": 20_000}),
        json!({"type": ["integer", "null"], "multipleOf": 1_000_000, "exclusiveMinimum": -3_000_000, "maximum": 2_500_000}),
        json!({"multipleOf": 12.34, "minimum": 0.5, "maximum": 1_234}),
        json!({"type": "integer", "multipleOf": 12.34, "minimum": -10_000, "maximum": 10_000}),
        json!({"type": "array", "items": {"type": "integer", "multipleOf": 9_973, "minimum": 1, "maximum": 49_000_000}, "minItems": 1}),
    ];
    let texts = [
        "0",
        "5000",
        "-5000",
        "15000",
        "20000",
        "999",
        "1000000",
        "1005000",
        "-2000000",
        "-3000000",
        "2000000",
        "12.34",
        "24.68",
        "12.3",
        "617",
        "1234",
        "-1234",
        "[9973, 19946]",
        "[9973, 5000]",
        "[]",
        "null",
    ];
    agree(&schemas, &texts);
}

/// A comma would promise one more.
#[test]
fn patterns_that_leave_no_name() {
    let digit = json!({"type": "integer", "minimum": 0, "maximum": 2});
    let closed = |schema: Value| {
        let mut schema = schema;
        (schema["type"], schema["additionalProperties"]) = (json!("object"), json!(false));
        schema
    };
    let schemas = [
        closed(json!({"patternProperties": {"^[ab]$": digit}, "required": ["a", "b"]})),
        closed(
            json!({"patternProperties": {"^(a|ab)$": digit}, "required": ["a"], "properties": {"ab": {"enum": [1, 2, 7]}}}),
        ),
        closed(json!({"patternProperties": {"^[ab]$": digit, "^x": {}}, "required": ["b"], "properties": {"a": {}}})),
        closed(json!({"patternProperties": {"^[ab]$": digit}, "required": ["a"], "minProperties": 2})),
        closed(
            json!({"patternProperties": {"^a$": digit, "^x{0,1}$": {}}, "required": ["a"], "properties": {"": {}, "x": digit}}),
        ),
        json!({"anyOf": [{"const": 1}, closed(json!({"patternProperties": {"^[ab]$": digit}, "required": ["a", "b"], "minProperties": 3}))]}),
    ];
    let texts = [
        "{}",
        "1",
        r#"{"a": 1}"#,
        r#"{"a": 1, "b": 2}"#,
        r#"{"a": 1, "b": 7}"#,
        r#"{"a": 1, "b": 2, "x": 1}"#,
        r#"{"ab": 1, "a": 2}"#,
        r#"{"ab": 7, "a": 2}"#,
        r#"{"": 7, "x": 2, "a": 0}"#,
    ];
    agree(&schemas, &texts);
    let without_end = "cannot be ended";
    for member in [json!({"propertyNames": {"enum": ["a", "b"]}}), closed(json!({"patternProperties": {"^[ab]$": {}}}))]
    {
        let other = json!({"type": "object", "properties": {"b": digit}, "required": ["a"]});
        refused(json!({"allOf": [member, other]}), without_end);
        refused(json!({"$ref": "#/$defs/0", "$defs": {"0": member}, "required": ["a", "b"]}), without_end);
        let one = json!({"type": "object", "required": ["a"]});
        let constraint = Grammar::JsonSchema(json!({"allOf": [member, one]}));
        assert!(Constraint::new(&vocabulary_of(&tokenizer(SPECIAL)), &constraint).is_ok(), "one is left: {member}");
    }
    let call = json!({"allOf": [{"propertyNames": {"const": "a"}}, {"type": "object", "required": ["a"]}]});
    let tools = Tools {
        format: ToolFormat::Hermes,
        tools: vec![Tool { name: "f".to_owned(), parameters: Some(call) }],
        choice: ToolChoice::Required,
        parallel: false,
    };
    for (form, is_refused) in [
        (Grammar::Tools(tools), true),
        (Grammar::Lark("start: \"x\" A | \"y\"\nA: /a/ & /b/\n".to_owned()), true),
        (Grammar::Lark("start: \"x\"? A? | \"y\"\nA: /a+/ & /aa/\n".to_owned()), false),
        (Grammar::Lark("start: A \"x\" | \"y\"\nA: /a/ & /b/\n".to_owned()), false),
    ] {
        let error = outcome(&form).err().map(|error| error.to_string());
        assert_eq!(error.is_some_and(|error| error.contains(without_end)), is_refused, "{form:?}");
    }
}

#[test]
fn multiples() {
    let schemas = [
        json!({"type": "number", "multipleOf": 0.01, "minimum": 0}),
        json!({"type": ["number", "boolean"], "multipleOf": 0.25, "exclusiveMaximum": 5.5}),
        json!({"multipleOf": 0.125, "minimum": -0.125, "maximum": 0.25}),
        json!({"allOf": [{"type": "number", "multipleOf": 0.05}, {"multipleOf": 0.07}]}),
        json!({"type": "number", "multipleOf": 0.01, "enum": [9.99, 19.99, 29.99, 0.125, 0.35]}),
        json!({"multipleOf": 0.01, "enum": [19.99, 0.1, 0.25, 7, -7, "a"], "exclusiveMaximum": 7, "minimum": 0.2}),
        json!({"const": 0.29, "multipleOf": 0.01}),
        json!({"anyOf": [{"const": 7, "multipleOf": 0.07}, {"enum": [0.1, 0.05], "multipleOf": 0.25}]}),
    ];
    let texts = ["0", "0.1", "0.25", "0.01", "-0.125", "5.5", "-7", "0.7", "0.35", "true"];
    agree(&schemas, &[&texts[..], &["0.29", "9.99", "19.99", "29.99", "0.125", "7", "0.05", r#""a""#]].concat());
    refused(json!({"const": 0.295, "multipleOf": 0.01}), "no value that ends");
}

#[test]
fn items_that_are_different() {
    let schemas = [
        json!({"type": "array", "items": {"enum": ["a", "b", 3, "c"]}, "uniqueItems": true}),
        json!({"items": {"enum": [1, 1.0, "1", null, true]}, "uniqueItems": true, "minItems": 2}),
        json!({
            "$defs": {"Kind": {"title": "Kind", "type": "string", "enum": ["a", "b", "c"]}},
            "type": "array", "items": {"$ref": "#/$defs/Kind"}, "uniqueItems": true, "maxItems": 2
        }),
        json!({"type": "array", "items": {"type": "integer", "enum": [1, 2.5, "a", 3, true]}, "uniqueItems": true}),
        json!({"type": "array", "items": {"type": "integer"}, "uniqueItems": true, "maxItems": 1}),
        json!({"type": "array", "items": {"enum": ["a", "b", "c", 1, 3]}, "uniqueItems": true}),
        json!({"type": "array", "items": {"enum": (1..=24).collect::<Vec<_>>()}, "uniqueItems": true, "maxItems": 2}),
    ];
    let texts = [
        "[]",
        r#"["a"]"#,
        "[1]",
        "[2.5]",
        r#"["a", "b"]"#,
        r#"["b", "a"]"#,
        r#"["b", "a", "c", 3]"#,
        r#"["a", "a"]"#,
        r#"["a", "b", "a"]"#,
        r#"[1, "1"]"#,
        r#"["1", true, null, 1]"#,
        "[1, 1]",
        "[3, 1]",
        "[true]",
        "{}",
    ];
    agree(&schemas, &texts);
}

/// What becomes larger than it was written, in many places that refer to one.
#[test]
fn what_is_made_of_them_is_bounded() {
    let named: Vec<String> = (0..2_000).map(|number| format!("name {number}")).collect();
    let several = |schema: Value| {
        let properties: Map<String, Value> = (0..2_000).map(|number| (number.to_string(), schema.clone())).collect();
        let definitions = json!({"few": {"enum": [1, 2, 3, 4, 5]}, "many": {"enum": named}});
        json!({"type": "object", "required": ["0"], "properties": properties, "$defs": definitions})
    };
    let items = json!({"type": "array", "items": {"$ref": "#/$defs/few"}, "uniqueItems": true});
    refused(several(items), "arrays that `uniqueItems` makes of them");
    for properties in [json!({}), json!({"name 1": true})] {
        let names = json!({"type": "object", "properties": properties, "propertyNames": {"$ref": "#/$defs/many"}});
        refused(several(names), "too much has to be put together");
    }
    let long = "a".repeat(200_000);
    refused(
        json!({"type": "object", "propertyNames": {"enum": vec!["b".repeat(2_000); 1_000]}}),
        "`propertyNames`, which",
    );
    refused(
        json!({"properties": {long: {}}, "propertyNames": {"pattern": "^[ab]*a[ab]{600}$"}}),
        "names of properties take too long",
    );
    refused(several(json!({"type": "number", "multipleOf": 0.25, "minimum": 0.75})), "`multipleOf` take too long");
    refused(json!({"items": {"enum": [1, 2, 3, 4, 5, 6]}, "uniqueItems": true}), "600 arrays");
    refused(json!({"items": {"enum": [1, 2, [3]]}, "uniqueItems": true}), "600 arrays");
}
