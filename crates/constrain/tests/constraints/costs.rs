//! Forms that multiply what they hold: each is refused before the library takes long, or much memory, over it, and what is accepted does not fail in the midst
//! of an answer.

use std::time::{Duration, Instant};

use crate::hostile::{outcome, refused};
use crate::vocabularies::{SPECIAL, follow, large_tokenizer, spell, tokenizer, vocabulary, vocabulary_of};
use constrain::{Constraint, Grammar, Tool, ToolChoice, ToolFormat, Tools};
use serde_json::{Map, Value, json};

const TOGETHER: &str = "too much has to be put together";
const COPIED: &str = "more than 64 MiB of names, constants and patterns would be copied";
const SIDE_BY_SIDE: &str = "ways to go on would stand side by side";

fn accepted(schema: Value) {
    let text: String = schema.to_string().chars().take(200).collect();
    outcome(&Grammar::JsonSchema(schema)).unwrap_or_else(|error| panic!("{error}: {text}"));
}

fn named(count: usize, schema: impl Fn(usize) -> Value) -> Map<String, Value> {
    (0..count).map(|number| (format!("p{number}"), schema(number))).collect()
}

fn many(count: usize, schema: impl Fn(usize) -> Value) -> Vec<Value> {
    (0..count).map(schema).collect()
}

fn patterned(count: usize, prefix: &str) -> Map<String, Value> {
    (0..count).map(|number| (format!("^{prefix}{number}_"), json!({}))).collect()
}

/// Each branch has a copy of all that stands beside it.
#[test]
fn large_constants_beside_branches() {
    let object = |bytes: usize, branches: usize| {
        let requires = |number: usize| json!({"required": [format!("r{number}")]});
        json!({"type": "object", "properties": {"k": {"const": "v".repeat(bytes)}}, "required": ["k"], "anyOf": many(branches, requires)})
    };
    refused(object(500_000, 500), COPIED);
    refused(object(500_000, 2000), COPIED);
    accepted(object(1_000, 200));
    refused(
        json!({"type": "string", "const": "v".repeat(1_000_000), "anyOf": many(200, |number| json!({"maxLength": number}))}),
        COPIED,
    );
}

/// References are copied where something stands beside them, patterns and what stands behind others for each name.
#[test]
fn large_constants_of_parts() {
    let large = json!({"const": "v".repeat(1_000_000)});
    let object = json!({"type": "object", "properties": {"k": large}});
    let typed = json!({"$ref": "#/$defs/o", "type": "object"});
    for schema in [
        json!({"type": "object", "properties": named(300, |_| typed.clone()), "$defs": {"o": object}}),
        json!({"type": "object", "properties": named(300, |_| json!({})), "patternProperties": {"^p": large}}),
        json!({"allOf": [{"type": "object", "additionalProperties": large}, {"properties": named(300, |_| json!({}))}]}),
        json!({"allOf": [{"type": "array", "items": large}, {"prefixItems": vec![json!({}); 300]}]}),
    ] {
        refused(schema, COPIED);
    }
    accepted(
        json!({"type": "object", "properties": named(300, |_| json!({"$ref": "#/$defs/o"})), "$defs": {"o": object}}),
    );
}

/// What is within itself again and again, by references that something stands beside, doubles at each.
#[test]
fn references_that_double() {
    let chain = |length: usize, reference: &dyn Fn(&str) -> Value| {
        let link = |number: usize| {
            let next = reference(&format!("#/$defs/{}", number + 1));
            (number.to_string(), json!({"type": "object", "properties": {"a": next, "b": next}}))
        };
        let definitions: Map<String, Value> =
            (0..length).map(link).chain([(length.to_string(), json!({"type": "object"}))]).collect();
        json!({"$ref": "#/$defs/0", "$defs": definitions})
    };
    refused(chain(20, &|next| json!({"$ref": next, "type": "object"})), TOGETHER);
    refused(chain(20, &|next| json!({"oneOf": [{"$ref": next}, {"const": null}]})), TOGETHER);
    accepted(chain(8, &|next| json!({"$ref": next, "type": "object"})));
    accepted(chain(60, &|next| json!({"$ref": next})));
    accepted(chain(60, &|next| json!({"allOf": [{"$ref": next}]})));
    accepted(chain(60, &|next| json!({"anyOf": [{"$ref": next}, {"type": "null"}]})));
    accepted(chain(60, &|next| json!({"oneOf": [{"$ref": next}, {"type": "null"}]})));
}

/// What leads there is named, and helps: a part that two schemas speak of and that leads back to them, and many properties.
#[test]
fn causes_are_named() {
    let next = json!({"$ref": "#/$defs/N"});
    let base = json!({"type": "object", "properties": {"next": next}});
    let recursive = |own: Value| json!({"$ref": "#/$defs/N", "$defs": {"B": base, "N": {"allOf": [{"$ref": "#/$defs/B"}, {"properties": own}]}}});
    refused(recursive(json!({"next": next})), "references that lead back to themselves");
    accepted(recursive(json!({"v": {"type": "integer"}})));
    let emails = |count: usize| {
        let properties = named(count, |number| json!({"type": "string", "format": "email", "maxLength": 10 + number}));
        json!({"type": "object", "required": properties.keys().collect::<Vec<_>>(), "properties": properties})
    };
    refused(emails(3_000), "fewer properties that have a `format`");
    accepted(emails(300));
}

/// Each value of `enum` is put together with all that stands beside it.
#[test]
fn values_beside_much() {
    let text = |bytes: usize, values: usize| {
        let pattern = format!("^(?:{}|v[0-9]+)$", "ab".repeat(bytes / 2));
        let values = many(values, |number| json!(format!("v{number}")));
        (json!({"type": "string", "pattern": pattern, "enum": values}), pattern)
    };
    refused(text(300_000, 1000).0, COPIED);
    refused(text(50_000, 1000).0, TOGETHER);
    accepted(text(1_000, 1000).0);
    accepted(text(20, 5000).0);
    let branches = many(100, |number| json!({"const": format!("v{number}")}));
    refused(json!({"type": "string", "pattern": text(100_000, 1).1, "anyOf": branches}), TOGETHER);
    let object = |values: usize| {
        let value = |number: usize| json!({format!("p{}_{number}", number % 64): number});
        json!({"type": "object", "patternProperties": patterned(64, "p"), "enum": many(values, value)})
    };
    refused(object(700), TOGETHER);
    refused(object(100), TOGETHER);
    accepted(object(20));
    let tool = |number: usize| Tool { name: format!("t{number}"), parameters: Some(object(20)) };
    let tools = |count: usize| {
        let (format, choice) = (ToolFormat::Hermes, ToolChoice::Auto);
        Grammar::Tools(Tools { format, tools: (0..count).map(tool).collect(), choice, parallel: true })
    };
    outcome(&tools(1)).unwrap();
    let error = outcome(&tools(12)).unwrap_err().to_string();
    assert!(error.contains(TOGETHER), "{error}");
    let names: Vec<String> = named(4_900, |_| json!({})).keys().cloned().collect();
    let numbers = many(9_900, Value::from);
    refused(
        json!({"type": "object", "properties": named(4_900, |_| json!({"type": "integer"})), "required": names, "enum": numbers}),
        TOGETHER,
    );
    accepted(json!({"type": "integer", "enum": numbers}));
    accepted(json!({"type": "string", "enum": many(9_900, |number| json!(format!("value {number}")))}));
}

/// A constant is printed once, however often it is looked at.
#[test]
fn large_constants_that_are_looked_at_again() {
    let started = Instant::now();
    let pair = |name: &str| json!({"a": {"$ref": format!("#/$defs/{name}")}, "b": {"$ref": format!("#/$defs/{name}")}});
    let mut first = Map::from_iter([("k".to_owned(), json!({"const": "v".repeat(1_900_000)}))]);
    first.extend(pair("n").as_object().cloned().unwrap());
    refused(
        json!({"allOf": [{"$ref": "#/$defs/n"}, {"$ref": "#/$defs/m"}], "$defs": {
            "n": {"type": "object", "properties": first, "required": ["k"]},
            "m": {"type": "object", "properties": pair("m")}}}),
        TOGETHER,
    );
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}

/// Names that have to be there are looked up by all that follow, and branches of `oneOf` are compared with each other, name by name.
#[test]
fn names_and_branches_that_are_compared() {
    let names = |count: usize| (0..count).map(|number| format!("r{number}")).collect::<Vec<_>>();
    refused(json!({"type": "object", "required": names(20_000)}), TOGETHER);
    accepted(json!({"type": "object", "required": names(3_000)}));
    refused(json!({"const": named(9_900, |_| json!(1))}), TOGETHER);
    let branch = |number: usize| {
        let required: Vec<String> = names(200).into_iter().chain(["k".to_owned()]).collect();
        json!({"type": "object", "patternProperties": patterned(30, "p"), "properties": {"k": {"const": format!("v{number}")}}, "required": required})
    };
    refused(json!({"oneOf": many(40, branch)}), TOGETHER);
    accepted(json!({"oneOf": many(3, branch)}));
}

/// Patterns that take long one by one do so together.
#[test]
fn patterns_that_take_long_together() {
    let pattern = |number: usize| json!({"type": "string", "pattern": format!("^(a?){{250}}a{{250}}b{number}$")});
    let part = "the form's patterns take too long to compile, all together";
    refused(json!({"anyOf": many(1_000, pattern)}), part);
    refused(json!({"type": "object", "properties": named(1_000, pattern)}), part);
    accepted(json!({"anyOf": many(3, pattern)}));
    let same = json!({"type": "object", "properties": named(300, |_| pattern(0)), "required": []});
    accepted(same);
}

/// Where objects and arrays begin the library has some items of each branch: more than it takes are refused, and as many as are accepted do not end an answer.
#[test]
fn items_of_branches() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary();
    let object = |number: usize, count: usize| {
        let name = |place: usize| (format!("a{number}_{place}"), json!({"type": "integer"}));
        json!({"type": "object", "properties": (0..count).map(name).collect::<Map<_, _>>()})
    };
    let any = |prefix: &str, count: usize| json!({"anyOf": many(count, |number| json!({"type": "object", "properties": {format!("{prefix}{number}"): {"type": "integer"}}}))});
    let map = |number: usize| json!({"type": "object", "additionalProperties": {"type": "integer", "minimum": number}});
    let constants = |number: usize| json!({"type": "array", "items": {"const": format!("v{number}")}});
    let listed = |number: usize| {
        let properties = json!({"id": {"type": "integer"}, "kind": {"const": format!("k{number}")}});
        json!({"type": "array", "items": {"type": "object", "properties": properties, "required": ["kind"]}})
    };
    let patterns =
        |number: usize| json!({"type": "object", "patternProperties": patterned(10, &format!("a{number}x"))});
    let kind =
        |number: usize| json!({"type": "object", "properties": {"kind": {"const": number}}, "required": ["kind"]});
    type Shape<'s> = (&'s str, usize, &'s dyn Fn(usize) -> Value);
    let shapes: [Shape<'_>; 10] = [
        ("one property", 181, &|count| json!({"anyOf": many(count, |number| object(number, 1))})),
        ("two", 133, &|count| json!({"anyOf": many(count, |number| object(number, 2))})),
        ("three", 105, &|count| json!({"anyOf": many(count, |number| object(number, 3))})),
        (
            "products",
            4,
            &|count| json!({"type": "object", "allOf": [any("a", count), any("b", count), any("c", count)]}),
        ),
        ("maps", 285, &|count| json!({"anyOf": many(count, map)})),
        ("arrays of constants", 285, &|count| json!({"anyOf": many(count, constants)})),
        ("arrays of objects", 285, &|count| json!({"anyOf": many(count, listed)})),
        ("arrays of any of them", 1_900, &|count| json!({"type": "array", "items": {"anyOf": many(count, kind)}})),
        ("patterns", 117, &|count| json!({"anyOf": many(count, patterns)})),
        ("values", 1_900, &|count| json!({"enum": many(count, |number| json!({"a": number}))})),
    ];
    for (name, most, shape) in shapes {
        let accepted = Constraint::new(&vocabulary, &Grammar::JsonSchema(shape(most)))
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let begins = ["{", "[", "{\"", "[{", "[{\"", "[\""];
        let walked = begins.into_iter().filter(|text| {
            let mut place = accepted.clone();
            match follow(&mut place, &spell(&tokenizer, text, false)) {
                Ok(()) => place.mask().map(drop).unwrap_or_else(|error| panic!("{name} at {text}: {error}")),
                Err((_, error)) => {
                    assert!(error.to_string().contains("is not one that may come next"), "{name} at {text}: {error}")
                }
            }
            place.mask().is_ok()
        });
        assert!(walked.count() > 0, "{name}");
        refused(shape(most + most / 10 + 1), SIDE_BY_SIDE);
    }
}

/// An object that is written anew for each of its properties has more the more may come before it, and no more than one of each where one may come.
#[test]
fn objects_with_one_more_property() {
    let tokenizer = tokenizer(SPECIAL);
    let object = |count: usize, bounds: Value| {
        let mut properties = Map::from_iter([("kind".to_owned(), json!({"type": "integer"}))]);
        properties.extend(named(count, |_| json!({"type": "integer"})));
        let mut schema =
            json!({"type": "object", "properties": properties, "required": ["kind"], "additionalProperties": false});
        schema.as_object_mut().unwrap().extend(bounds.as_object().cloned().unwrap());
        schema
    };
    for count in [28, 400] {
        let schema = object(count, json!({"minProperties": 2, "maxProperties": 2}));
        let constraint = Constraint::new(&vocabulary(), &Grammar::JsonSchema(schema)).unwrap();
        let mut place = constraint.clone();
        follow(&mut place, &spell(&tokenizer, "{\"kind\":1,\"p27\":2}", true)).unwrap();
        assert!(place.may_end());
        assert!(follow(&mut constraint.clone(), &spell(&tokenizer, "{\"kind\":1}", true)).is_err());
        assert!(follow(&mut constraint.clone(), &spell(&tokenizer, "{\"kind\":1,\"p1\":2,", true)).is_err());
    }
    refused(
        object(28, json!({"minProperties": 2})),
        "406 properties that `required` does not name may come at once, those of branches together, counted anew",
    );
    accepted(object(27, json!({"minProperties": 2})));
}

/// Within bounds the library looks for a multiple from each remainder: those of a large step are named, or have no bound in their direction.
#[test]
fn masks_of_large_steps() {
    let tokenizer = large_tokenizer();
    let vocabulary = vocabulary_of(&tokenizer);
    for (schema, number) in [
        (json!({"type": "integer", "multipleOf": 1_024}), 9_876_543_210_496i64),
        (json!({"type": "integer", "multipleOf": 9_973}), 9_973 * 1_234_567_891),
        (json!({"type": "number", "multipleOf": 10_000, "maximum": 40_000_000}), -9_876_543_210_000),
        (json!({"type": "integer", "multipleOf": 65_521, "minimum": 0, "maximum": 327_539_479}), 327_539_479),
        (
            json!({"type": "integer", "multipleOf": 1_000_000_000, "minimum": -1, "maximum": 4_000_000_000_000i64}),
            3_999_000_000_000,
        ),
    ] {
        let mut place = Constraint::new(&vocabulary, &Grammar::JsonSchema(schema)).unwrap();
        let text = number.to_string();
        let started = Instant::now();
        follow(&mut place, &spell(&tokenizer, &text, false)).unwrap();
        // Some hundred times as long as they take, of what took seconds.
        assert!(place.may_end() && started.elapsed() < Duration::from_secs(5), "{text}: {:?}", started.elapsed());
    }
    let too_many = "at most 5000 multiples";
    refused(json!({"type": "number", "multipleOf": 0.2003}), too_many);
    refused(json!({"type": "integer", "multipleOf": 10_001}), too_many);
    refused(json!({"type": "integer", "multipleOf": 5_000, "minimum": 0, "maximum": 25_000_000}), too_many);
    refused(json!({"multipleOf": 65_521, "minimum": 0}), too_many);
    refused(json!({"type": "integer", "multipleOf": 5_000, "format": "int32"}), "in the same schema");
}
