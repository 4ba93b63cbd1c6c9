//! Forms that are made to take long, much memory, or to be misread: each is refused or compiled in bounded time, and never let go.

use std::time::{Duration, Instant};

use crate::vocabularies::{Random, SPECIAL, accepts, allowed, follow, spell, tokenizer, vocabulary};
use constrain::{Constraint, Grammar, GrammarError, Narrowing, Tool, ToolChoice, ToolFormat, Tools};
use serde_json::{Map, Value, json};

/// Far above what any takes, for machines under load and unoptimised builds.
const TIME_MAX: Duration = Duration::from_secs(20);

/// What becomes of a form: its refusal, or nothing after some tokens of it.
pub(crate) fn outcome(grammar: &Grammar) -> Result<(), GrammarError> {
    let started = Instant::now();
    let vocabulary = vocabulary();
    let outcome = Constraint::new(&vocabulary, grammar).map(|mut constraint| {
        let mut random = Random(1);
        for _ in 0..40 {
            // A limit that is met is an error and stays one.
            let Ok(mask) = constraint.mask() else {
                assert!(constraint.mask().is_err());
                break;
            };
            let id = *random.choose(&allowed(mask));
            constraint.accept(id).unwrap();
            if constraint.is_complete() {
                break;
            }
        }
    });
    assert!(started.elapsed() < TIME_MAX, "{:?}: {:.500}", started.elapsed(), format!("{grammar:?}"));
    outcome
}

pub(crate) fn refused(schema: Value, part: &str) {
    let error = outcome(&Grammar::JsonSchema(schema.clone())).expect_err(&schema.to_string()).to_string();
    assert!(error.contains(part), "{error:?} does not say {part:?}");
}

fn bounded(schema: Value) {
    let _ = outcome(&Grammar::JsonSchema(schema));
}

fn nested(depth: usize, wrap: impl Fn(Value) -> Value) -> Value {
    (0..depth).fold(json!({"type": "null"}), |inner, _| wrap(inner))
}

#[test]
fn depth() {
    refused(nested(1000, |inner| json!({"type": "array", "items": inner})), "too deep");
    let objects = nested(100, |inner| json!({"properties": {"a": inner}}));
    let error = outcome(&Grammar::JsonSchema(objects)).unwrap_err().to_string();
    assert!(error.len() < 300 && error.contains("/a/properties/a`: the schema is too deep: more than 64"), "{error}");
    refused(nested(100, |inner| json!({"anyOf": [inner, {"type": "string"}]})), "too deep");
    refused(json!({"const": nested(100, |inner| json!([inner]))}), "deep");
    bounded(nested(60, |inner| json!({"type": "object", "properties": {"a": inner}, "required": ["a"]})));
    bounded(nested(60, |inner| json!({"allOf": [inner]})));
    bounded(nested(12, |inner| json!({"anyOf": [inner.clone(), {"type": "array", "items": inner}]})));
}

/// What many members say of a number at each level, with much below the last: it is not copied for each of them.
#[test]
fn members_of_levels() {
    let members = vec![json!({"maximum": 100}); 60];
    let level = |inner: Value| json!({"multipleOf": 0.01, "allOf": members, "properties": {"a": inner}});
    bounded((0..60).fold(json!({"default": vec![0; 200_000]}), |inner, _| level(inner)));
}

/// A chain of references is as deep as it is long.
#[test]
fn chains_of_references() {
    for wrap in ["allOf", "items"] {
        let link = |number: usize| {
            let next = json!({"$ref": format!("#/$defs/{}", number + 1)});
            let link = if wrap == "items" { json!({"type": "array", "items": next}) } else { json!({"allOf": [next]}) };
            (number.to_string(), link)
        };
        let mut definitions: Map<String, Value> = (0..2400).map(link).collect();
        definitions.insert("2400".into(), json!({"type": "null"}));
        bounded(json!({"$ref": "#/$defs/0", "$defs": definitions}));
    }
}

#[test]
fn references_without_progress() {
    refused(json!({"$ref": "#"}), "leads back");
    refused(json!({"anyOf": [{"$ref": "#"}, {"type": "null"}]}), "leads back");
    let two = json!({"a": {"$ref": "#/$defs/b"}, "b": {"allOf": [{"$ref": "#/$defs/a"}]}});
    refused(json!({"$ref": "#/$defs/a", "$defs": two}), "leads back");
    refused(json!({"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}), "no value that ends");
    refused(json!({"type": "array", "items": {"$ref": "#"}, "minItems": 1}), "no value that ends");
    outcome(&Grammar::JsonSchema(json!({"type": "array", "items": {"$ref": "#"}}))).unwrap();
}

/// What cannot be ended is not begun, though other branches can be.
#[test]
fn endless_branches() {
    let endless = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/e"}}, "required": ["a"]});
    let schema = json!({"anyOf": [{"const": {"$ref": "#/$defs/e"}}, {"type": "array", "items": {"$ref": "#/$defs/e"}}], "$defs": {"e": endless}});
    let tokenizer = tokenizer(SPECIAL);
    let constraint = Constraint::new(&vocabulary(), &Grammar::JsonSchema(schema)).unwrap();
    for (text, expected) in [("[]", true), ("{\"$ref\":\"#/$defs/e\"}", true)] {
        assert_eq!(accepts(&tokenizer, &constraint, text), expected, "{text}");
    }
    let mut list = constraint.clone();
    follow(&mut list, &spell(&tokenizer, "[", true)).unwrap();
    assert!(follow(&mut list, &spell(&tokenizer, "{", true)).is_err());
}

#[test]
fn references_elsewhere() {
    refused(json!({"$ref": "https://example.com/schema.json"}), "nothing is fetched");
    refused(json!({"$ref": "file:///etc/passwd"}), "nothing is fetched");
    refused(json!({"$ref": "other.json#/a"}), "nothing is fetched");
    refused(json!({"$ref": "#anchor", "$defs": {"a": {"$anchor": "anchor"}}}), "not of the form");
    refused(json!({"$ref": "#/$defs/missing"}), "nothing is there");
    refused(json!({"properties": {"a": {"$id": "https://example.com/", "type": "null"}}}), "at the top");
}

/// The library takes options from a key of the schema, which would open it.
#[test]
fn options_within_a_schema() {
    let grammar = Grammar::JsonSchema(
        json!({"x-guidance": {"lenient": true, "coerce_one_of": true}, "oneOf": [{"type": "object"}, {"type": "object"}]}),
    );
    assert!(outcome(&grammar).is_err());
    assert!(outcome(&Grammar::Lark("start: %json {\"x-guidance\": {\"lenient\": true}, \"not\": {}}".into())).is_err());
}

#[test]
fn sizes() {
    refused(json!({"enum": (0..20_000).collect::<Vec<_>>()}), "more than 10000 values");
    let many: Map<String, Value> = (0..6000).map(|number| (format!("p{number}"), json!({"type": "null"}))).collect();
    refused(json!({"type": "object", "properties": many}), "too large");
    refused(json!({"type": "string", "minLength": 24_001}), "whole number from 0 to 24000");
    refused(json!({"type": "string", "maxLength": 1_000_000_000}), "whole number from 0 to 100000");
    bounded(json!({"enum": (0..9_000).map(|number| format!("value {number} {}", number * 7919)).collect::<Vec<_>>()}));
    outcome(&Grammar::JsonSchema(json!({"type": "string", "minLength": 24_000, "maxLength": 100_000}))).unwrap();
    bounded(json!({"type": "array", "items": {"type": "string"}, "minItems": 99_999, "maxItems": 100_000}));
    bounded(json!({"type": "integer", "multipleOf": 65_521}));
    let many: Map<String, Value> =
        (0..2000).map(|number| (format!("p{number}"), json!({"type": "string", "maxLength": 50}))).collect();
    refused(json!({"type": "object", "properties": many}), "at most 400 are supported");
    let names: Vec<&String> = many.keys().skip(400).collect();
    outcome(&Grammar::JsonSchema(json!({"type": "object", "properties": many, "required": names}))).unwrap();
    let branches: Vec<Value> =
        (0..60).map(|number| json!({"properties": {format!("p{number}"): {"type": "string"}}})).collect();
    bounded(json!({"allOf": [{"anyOf": branches}, {"anyOf": branches}, {"anyOf": branches}]}));
    let branches: Vec<Value> = (0..200)
        .map(|number| json!({"type": "object", "properties": {"k": {"const": number.to_string()}}, "required": ["k"]}))
        .collect();
    bounded(json!({"oneOf": branches}));
    let overlapping: Map<String, Value> =
        (0..60).map(|number| (format!("a{{{number}}}.*b"), json!({"type": "null"}))).collect();
    bounded(json!({"type": "object", "patternProperties": overlapping}));
}

/// Patterns of properties, and of one string, take the longer to be put together the more they are, past all that can stop it.
#[test]
fn patterns_that_speak_of_the_same_value() {
    let named = |count: usize, prefix: &str| -> Map<String, Value> {
        (0..count).map(|number| (format!("^{prefix}{number}_"), json!({}))).collect()
    };
    let object = |count: usize, prefix: &str| json!({"type": "object", "patternProperties": named(count, prefix)});
    outcome(&Grammar::JsonSchema(object(64, "p"))).unwrap();
    refused(object(65, "p"), "65 patterns for one object");
    refused(object(1000, "p"), "patterns for one object");
    refused(json!({"allOf": [object(40, "p"), object(40, "q")]}), "80 patterns for one object");
    outcome(&Grammar::JsonSchema(json!({"anyOf": [object(40, "p"), object(40, "q")]}))).unwrap();
    let again: Vec<Value> =
        (0..200).map(|number| json!({"type": "object", "required": [format!("r{number}")]})).collect();
    refused(
        json!({"$ref": "#/$defs/p", "allOf": again, "$defs": {"p": object(60, "p")}}),
        "too much has to be put together",
    );
    let parts = |leaf: &str| -> Map<String, Value> {
        let link = |number: usize| {
            let next = json!({"$ref": format!("#/$defs/{leaf}{}", number + 1)});
            (format!("{leaf}{number}"), json!({"type": "object", "properties": {"a": next, "b": next}}))
        };
        (0..12).map(link).chain([(format!("{leaf}12"), object(30, leaf))]).collect()
    };
    let definitions: Map<String, Value> = parts("d").into_iter().chain(parts("e")).collect();
    refused(
        json!({"allOf": [{"$ref": "#/$defs/d0"}, {"$ref": "#/$defs/e0"}], "$defs": definitions}),
        "too much has to be put together",
    );
    let text = |number: usize| json!({"type": "string", "pattern": format!("a{number}")});
    let texts = |count: usize| json!({"allOf": (0..count).map(text).collect::<Vec<_>>()});
    bounded(texts(8));
    refused(texts(200), "at most 8 are supported");
    let inner: Vec<Value> = (0..200).map(|number| json!({"properties": {"a": text(number)}})).collect();
    refused(json!({"allOf": inner}), "at most 8 are supported");
    let inner: Vec<Value> = (0..200).map(|number| json!({"additionalProperties": text(number)})).collect();
    refused(json!({"allOf": inner}), "at most 8 are supported");
    let inner: Vec<Value> = (0..200).map(|number| json!({"items": text(number)})).collect();
    refused(json!({"allOf": inner}), "at most 8 are supported");
    bounded(json!({"anyOf": (0..1000).map(text).collect::<Vec<_>>()}));
    let tool = |number: usize| Tool { name: format!("t{number}"), parameters: Some(object(64, &format!("t{number}"))) };
    let tools = Tools {
        format: ToolFormat::Hermes,
        tools: (0..200).map(tool).collect(),
        choice: ToolChoice::Auto,
        parallel: true,
    };
    let error = outcome(&Grammar::Tools(tools)).unwrap_err().to_string();
    assert!(error.contains("too much has to be put together"), "{error}");
}

#[test]
fn patterns() {
    for pattern in [
        "(a+)+$",
        "(a|aa)*b",
        "^(.*a){30}$",
        "(x{1000}){1000}",
        "^(a?){500}a{500}$",
        ".{1000}[ab].{1000}",
        "((((a{9}){9}){9}){9}){9}",
        "(?:(?:a|b)*c){100}[^x]{50,90}d",
    ] {
        bounded(json!({"type": "string", "pattern": pattern}));
        let _ = outcome(&Grammar::Regex(pattern.to_owned()));
    }
    bounded(json!({"type": "string", "pattern": "^(.*a){20}$", "minLength": 500, "maxLength": 900}));
    refused(json!({"type": "string", "pattern": "a(?=b)"}), "not supported");
    refused(json!({"type": "string", "pattern": "(a)\\1"}), "not supported");
    refused(json!({"type": "string", "pattern": "[[a]"}), "within brackets");
    refused(json!({"type": "string", "pattern": "[^a&&b]"}), "within brackets");
    refused(json!({"type": "string", "pattern": "^\\x01$"}), "no string matches");
    refused(json!({"type": "string", "pattern": "(a"}), "not supported");
}

/// What is one in the other takes the stack of the thread that compiles it, whose end would be the process's: as deep as it may be it fits, and is
/// refused where it is deeper.
fn chains_of_rules() {
    let lark = |text: String| outcome(&Grammar::Lark(text));
    let linked = |count: usize, name: &str, end: &str| -> String {
        (0..count).map(|i| format!("{name}{i}: {name}{}{end}", i + 1)).collect()
    };
    let rules = |count: usize, end: &str| format!("start: r0\n{}r{count}: \"a\"\n", linked(count, "r", end));
    let terminals = |count: usize| format!("start: T0\n{}T{count}: \"a\"\n", linked(count, "T", "\n"));
    lark(rules(9_998, "\n")).unwrap();
    lark(terminals(9_998)).unwrap();
    let _ = lark(rules(4_999, " -> x "));
    // As many groups within each other as the library reads.
    let grouped = |count: usize, name: &str, open: &str, close: &str| -> String {
        let link = |i: usize| format!("{name}{i}: {}{name}{}{}\n", open.repeat(28), i + 1, close.repeat(28));
        format!("start: {name}0\n{}{name}{count}: \"a\"\n", (0..count).map(link).collect::<String>())
    };
    let brackets = [("r", "(", ")"), ("T", "(", ")"), ("r", "[", "]"), ("T", "~(", ")")];
    for (name, open, close) in brackets {
        let _ = lark(grouped(9_900 / (1 + 28 * open.len()), name, open, close));
    }
    let conditions = |count: usize| format!("start: \"a\" %if {}true{}", "not(".repeat(count), ")".repeat(count));
    let _ = lark(conditions(9_990));
    let values = |count: usize| format!("start: {}\"a\"{}", "a{".repeat(count), "}".repeat(count));
    let _ = lark(values(9_990));
    let chains =
        [rules(20_000, "\n"), rules(20_000, " -> x "), terminals(20_000), conditions(150_000), values(300_000)];
    for text in chains.into_iter().chain(brackets.map(|(name, open, close)| grouped(4_000, name, open, close))) {
        let error = lark(text).expect_err("it is too deep").to_string();
        assert!(error.contains("more than 10000 rules, terminals and brackets"), "{error}");
    }
}

/// An object all of whose properties may be left out, and as many as there may be.
#[test]
fn optional_properties() {
    let tokenizer = tokenizer(SPECIAL);
    let names = (0..400).map(|number| (format!("p{number}"), json!({"type": "integer"})));
    let schema = json!({"type": "object", "properties": names.collect::<Map<_, _>>()});
    let constraint = Constraint::new(&vocabulary(), &Grammar::JsonSchema(schema)).unwrap();
    for (text, expected) in [
        ("{}", true),
        ("{\"p0\":1,\"p399\":2,\"q\":\"\"}", true),
        ("{\"p399\":\"\"}", false),
        ("{\"p399\":1,\"p0\":2}", false),
    ] {
        assert_eq!(accepts(&tokenizer, &constraint, text), expected, "{text}");
    }
}

/// Properties that come at once are bounded, whichever branches they are of; those that something comes before are not counted.
#[test]
fn optional_properties_of_branches() {
    let names = |prefix: &str, count: usize| (0..count).map(|number| format!("{prefix}{number}")).collect::<Vec<_>>();
    let properties =
        |names: &[String]| names.iter().map(|name| (name.clone(), json!({"type": "integer"}))).collect::<Map<_, _>>();
    let object =
        |prefix: &str, count: usize| json!({"type": "object", "properties": properties(&names(prefix, count))});
    let kind = |kind: &str, prefix: &str| {
        let all: Map<String, Value> =
            [("kind".to_owned(), json!({"const": kind}))].into_iter().chain(properties(&names(prefix, 300))).collect();
        json!({"type": "object", "properties": all, "required": ["kind"]})
    };
    let within = |name: &str, inner: Value| json!({"type": "object", "properties": {name: inner}, "required": [name]});
    let one_of = |count: usize| json!({"type": "object", "properties": properties(&names("a", count)), "minProperties": 1, "maxProperties": 1, "additionalProperties": false});
    for schema in [
        json!({"allOf": [object("a", 400), object("b", 400)]}),
        json!({"anyOf": [object("a", 260), object("b", 260)]}),
        json!({"anyOf": [{"type": "array", "items": object("a", 260)}, {"type": "array", "items": object("b", 260)}]}),
        json!({"anyOf": [within("x", object("a", 260)), within("x", object("b", 260))]}),
        json!({"allOf": [within("x", object("a", 260)), within("x", object("b", 260))]}),
        json!({"anyOf": [{"$ref": "#/$defs/a"}, object("b", 260)], "$defs": {"a": object("a", 260)}}),
        json!({"type": "object", "properties": properties(&names("a", 40)), "minProperties": 1, "additionalProperties": false}),
        one_of(401),
    ] {
        refused(schema, "at most 400 are supported");
    }
    let tokenizer = tokenizer(SPECIAL);
    let all = names("p", 500);
    let halves = json!({"type": "object", "properties": properties(&names("p", 700)), "required": ["p350"]});
    let whole = |names: &[String]| {
        format!("{{{}}}", names.iter().map(|name| format!("\"{name}\":1")).collect::<Vec<_>>().join(","))
    };
    for (schema, texts) in [
        (json!({"allOf": [{"type": "object", "properties": properties(&all)}, {"required": all}]}), vec![whole(&all)]),
        (halves, vec![whole(&names("p", 700)), "{\"p350\":1,\"p699\":1}".to_owned()]),
        (
            json!({"anyOf": [{"type": "null"}, kind("a", "a"), kind("b", "b")]}),
            vec!["{\"kind\":\"b\",\"b299\":1}".to_owned(), "{\"kind\":\"a\"}".to_owned()],
        ),
        (
            json!({"anyOf": [object("a", 200), object("b", 200)]}),
            vec!["{\"b0\":1,\"b199\":1}".to_owned(), "{}".to_owned()],
        ),
        (json!({"allOf": [object("a", 200), object("b", 200)]}), vec!["{\"a0\":1,\"b199\":1}".to_owned()]),
        (
            json!({"type": "object", "properties": properties(&names("a", 27)), "minProperties": 1, "additionalProperties": false}),
            vec!["{\"a26\":1}".to_owned()],
        ),
        (one_of(60), vec!["{\"a59\":1}".to_owned()]),
    ] {
        let constraint = Constraint::new(&vocabulary(), &Grammar::JsonSchema(schema)).unwrap();
        for text in texts {
            let mut place = constraint.clone();
            follow(&mut place, &spell(&tokenizer, &text, true)).unwrap();
            assert!(place.may_end(), "{text}");
        }
    }
}

/// Branches multiply, and what each of their products has is large: it is there once, or too much.
#[test]
fn products_of_branches_with_much_in_them() {
    let object = |required: Vec<String>, value: Value| {
        let branches = json!({"anyOf": vec![json!(true); 250]});
        json!({"type": "object", "properties": {"k": value}, "required": required, "allOf": [branches, branches]})
    };
    bounded(object(vec!["k".to_owned()], json!({"const": "v".repeat(200_000)})));
    let names = (0..20_000).map(|number| format!("r{number}")).collect();
    refused(object(names, json!(true)), "too much has to be put together");
}

/// A syntax tree: each of its kinds refers to all of them again and again, as parts that have to be there and as such that may be null.
#[test]
fn kinds_that_refer_to_each_other() {
    let node = json!({"$ref": "#/$defs/node"});
    let nullable = json!({"anyOf": [node, {"type": "null"}]});
    let exclusive = json!({"oneOf": [node, {"type": "null"}]});
    let half = json!({"anyOf": [{"$ref": "#/$defs/node"}, {"$ref": "#/$defs/other"}, {"type": ["null", "string"]}]});
    for (count, parts, reference) in [
        (100, 6, &node),
        (60, 6, &nullable),
        (100, 6, &nullable),
        (50, 10, &nullable),
        (100, 6, &half),
        (90, 6, &exclusive),
    ] {
        let kind = |number: usize| {
            let parts = (0..parts).map(|part| (format!("p{part}"), reference.clone()));
            let all: Map<String, Value> =
                [("kind".to_owned(), json!({"const": format!("k{number}")}))].into_iter().chain(parts).collect();
            json!({"type": "object", "properties": all, "required": ["kind"], "additionalProperties": false})
        };
        let kinds: Vec<Value> = (0..count).map(kind).collect();
        let definitions = json!({"node": {"anyOf": kinds}, "other": kind(count)});
        outcome(&Grammar::JsonSchema(json!({"$ref": "#/$defs/node", "$defs": definitions}))).unwrap();
    }
    // The library does not look behind references that exclude each other otherwise than by types, and says so.
    let exclusive = json!({"oneOf": [node, {"const": null}]});
    let kind = |number: usize| {
        let mut parts = Map::from_iter([("kind".to_owned(), json!({"const": format!("k{number}")}))]);
        parts.extend((0..6).map(|part| (format!("p{part}"), exclusive.clone())));
        json!({"type": "object", "properties": parts, "required": ["kind"]})
    };
    let kinds: Vec<Value> = (0..100).map(kind).collect();
    refused(json!({"$ref": "#/$defs/node", "$defs": {"node": {"anyOf": kinds}}}), "`oneOf` is supported where");
}

/// Steps of an ambiguous grammar take as long as the square of the ways to read what is there, so that these are bounded; others may be long.
#[test]
fn ambiguous_grammars_end() {
    let letters = |grammar: &str, count: usize| {
        let mut constraint = Constraint::new(&vocabulary(), &Grammar::Lark(grammar.to_owned())).unwrap();
        let mut takes =
            |_: &usize| constraint.mask().map(drop).and_then(|()| constraint.accept(u32::from(b'a'))).is_ok();
        let taken = (0..count).take_while(&mut takes).count();
        (taken, constraint.mask().map(drop))
    };
    let (taken, end) = letters("start: start start | \"a\" | \"\"", 700);
    let error = end.unwrap_err().to_string();
    assert!((100..600).contains(&taken) && error.contains("left-recursive"), "{taken}: {error}");
    assert_eq!(letters("start: \"a\" start | \"\"", 900), (900, Ok(())));
    assert_eq!(letters("start: start \"a\" | \"\"", 3000), (3000, Ok(())));
}

#[test]
fn grammars() {
    let lark = |text: &str| outcome(&Grammar::Lark(text.to_owned()));
    assert!(lark("").is_err());
    assert!(lark("begin: \"a\"").is_err());
    assert!(lark(&format!("start: {}\"a\"{}", "(".repeat(5_000), ")".repeat(5_000))).is_err());
    let _ = lark("start: start start | \"a\" | \"\"");
    let _ = lark("start: A{1,100000}\nA: /[a-z]+/");
    let _ = lark("start: x x x x x x x x\nx: y y y y y y y y\ny: z z z z z z z z\nz: /(a|b){0,2000}/");
    let _ = lark("start: start");
    let _ = lark("start: <[999999]>");
    chains_of_rules();
    let common = |count: usize| (0..count).map(|number| format!("/.*a{number}.*/")).collect::<Vec<_>>().join(" & ");
    let _ = lark(&format!("start: A\nA: {}", common(17)));
    let error = lark(&format!("start: A\nA: {}", common(40))).unwrap_err().to_string();
    assert!(error.contains("39 times `&`, and at most 16 are supported"), "{error}");
    lark(&format!("start: \"{}\" /{}/", "\\x26".repeat(20), "\\x26".repeat(20))).unwrap();
    let choices: Vec<String> = (0..10_000).map(|number| format!("{number}{}", "x".repeat(number % 90))).collect();
    outcome(&Grammar::Choice(choices)).unwrap();
    assert!(outcome(&Grammar::Choice(vec!["a".into(); 10_001])).is_err());
}

/// What branches of `oneOf` refer to is looked at for each of them, and before it is found to be wrong.
#[test]
fn types_that_many_branches_refer_to() {
    let long = |number: usize| "t".repeat(80_000 + 2_000 * number);
    let spelled = |number: usize| format!("#/$defs/{}", tildes(7, number));
    let definitions = [
        json!({"a": {"type": vec!["null"; 1_000_000]}}),
        json!({"a": {"anyOf": vec![json!({"type": "null"}); 200_000]}}),
        json!({"a": {"$ref": format!("#/{}", "%61".repeat(3_000_000))}}),
        json!({
            "a": {"anyOf": (0..97).map(|number| json!({"$ref": spelled(number)})).collect::<Vec<_>>()},
            "~~~~~~~": {"type": (0..16).map(long).collect::<Vec<_>>()},
        }),
    ];
    for definitions in definitions {
        let branches = |number: usize| (format!("p{number}"), json!({"oneOf": [{"$ref": "#/$defs/a"}]}));
        in_seconds((0..2_400).map(branches).collect(), definitions);
    }
    // References one after the other, each through many parts.
    let types = ["null", "boolean", "number", "string", "array", "object"];
    let (deep, length) = ("/a".repeat(450), 97);
    let mut links = Map::new();
    for (at, (chain, name)) in (0..length).flat_map(|at| types.iter().enumerate().map(move |chain| (at, chain))) {
        let next = json!({"$ref": format!("#/$defs{deep}/{chain}-{}", at + 1)});
        links.insert(format!("{chain}-{at}"), if at + 1 < length { next } else { json!({"type": name}) });
    }
    let definitions = (0..450).fold(Value::Object(links), |inner, _| json!({"a": inner}));
    let branches: Vec<_> = (0..types.len()).map(|chain| json!({"$ref": format!("#/$defs{deep}/{chain}-0")})).collect();
    in_seconds((0..600).map(|number| (format!("p{number}"), json!({"oneOf": branches}))).collect(), definitions);
}

/// Checks that an object of such properties, more than there may be at once, is refused soon.
fn in_seconds(properties: Map<String, Value>, definitions: Value) {
    let schema = json!({"type": "object", "properties": properties, "$defs": definitions});
    let started = Instant::now();
    assert!(outcome(&Grammar::JsonSchema(schema)).is_err());
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}

/// One of the ways to write so many `~` in a pointer.
fn tildes(count: usize, number: usize) -> String {
    (0..count).map(|bit| if number >> bit & 1 == 0 { "~" } else { "~0" }).collect()
}

/// A place has many pointers where its name has signs that may be escaped.
#[test]
fn places_that_have_many_pointers() {
    let name = "~".repeat(14);
    let branches: Vec<_> = (0..10_000).map(|number| json!({"$ref": format!("#/{}", tildes(14, number))})).collect();
    let schema = json!({"$ref": format!("#/{name}"), name: {"anyOf": branches}});
    let started = Instant::now();
    let closed = Narrowing { closed: true, compact: false };
    assert!(outcome(&Grammar::NarrowJson(schema, closed)).is_err());
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}
