//! Masks of JSON schemas against another judge: what they let through is valid to the `jsonschema` crate, and what is valid is let through.

use std::sync::Arc;

use crate::shapes::Document;
use crate::vocabularies::{Random, SPECIAL, accepts, allowed, tokenizer, vocabulary_of};
use constrain::{Constraint, Grammar, Vocabulary};
use data::Tokenizer;
use jsonschema::{Draft, Validator};
use serde_json::{Value, json};

const SCHEMAS: u64 = 400;
const WALKS: u64 = 4;
/// From here on a walk prefers what closes, and here it gives up.
const HURRY_AT: usize = 40;
const TOKENS_MAX: usize = 800;

fn judge(schema: &Value) -> Validator {
    jsonschema::options().with_draft(Draft::Draft202012).should_validate_formats(true).build(schema).unwrap()
}

/// ECMA-262 reads `.` as anything but what ends a line, and has spaces of its own.
#[test]
fn dots_and_spaces_of_patterns_are_those_of_ecma() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    let cases = [
        ("^a.b$", "axb", true),
        ("^a.b$", "a猫b", true),
        ("^a.b$", "a\u{85}b", true),
        ("^a.b$", "a\nb", false),
        ("^a.b$", "a\rb", false),
        ("^a.b$", "a\u{2028}b", false),
        ("^a.b$", "a\u{2029}b", false),
        ("^a[.]b$", "a.b", true),
        ("^a[.]b$", "axb", false),
        ("^a\\.b$", "a.b", true),
        ("^a\\.b$", "axb", false),
        ("^a\\\\.$", "a\\x", true),
        ("^a\\\\.$", "a\\\r", false),
        ("^[\\].]*.$", "].x", true),
        ("^[\\].]*.$", "].\r", false),
        ("^\\s$", " ", true),
        ("^\\s$", "\u{feff}", true),
        ("^\\s$", "\u{2028}", true),
        ("^\\s$", "\u{a0}", true),
        ("^\\s$", "\u{85}", false),
        ("^\\S$", "\u{feff}", false),
        ("^\\S$", "\u{85}", true),
        ("^\\S$", "x", true),
        ("^[^\\s]$", "\u{feff}", false),
        ("^[a\\S]$", "\u{feff}", false),
        ("^[a\\s]$", "\u{feff}", true),
        ("^[\\s\\S]$", "\u{feff}", true),
        ("^\\\\s$", "\\s", true),
        ("^\\\\s$", " ", false),
        ("^a\\cJb$", "a\nb", true),
        ("^a\\cJb$", "acJb", false),
        ("^[\\cI\\cj]$", "\n", true),
        ("^[\\cI\\cj]$", "c", false),
        ("^[\\0-\\cH]$", "\u{8}", true),
        ("^[\\0-\\cH]$", "\t", false),
        ("^(\\0|[^\\0-\\cZ])$", "0", true),
        ("^(\\0|[^\\0-\\cZ])$", "\n", false),
        ("^\\\\cA$", "\\cA", true),
    ];
    for (pattern, text, expected) in cases {
        let string = Grammar::JsonSchema(json!({"type": "string", "pattern": pattern}));
        let constraint = Constraint::new(&vocabulary, &string).unwrap();
        assert_eq!(accepts(&tokenizer, &constraint, &json!(text).to_string()), expected, "{pattern}, {text:?}");
        let schema =
            json!({"type": "object", "patternProperties": {pattern: {"const": 1}}, "additionalProperties": false});
        let constraint = Constraint::new(&vocabulary, &Grammar::JsonSchema(schema)).unwrap();
        let object = json!({text: 1}).to_string().replace("\":1", "\": 1");
        assert_eq!(accepts(&tokenizer, &constraint, &object), expected, "{pattern}, {object}");
    }
}

/// Of control characters those are written that have a short escape. What holds another one is not let through, nor what is left of it without.
#[test]
fn characters_that_are_not_written_are_not_left_out() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    for (pattern, taken, refused) in [
        (r"^(?:a\cAb|c)$", &["c"][..], &["ab", "a", "b"][..]),
        (r"^(?:a\cA|b)$", &["b"], &["a"]),
        (r"^(?:\0a|b)$", &["b"], &["a"]),
        (r"^(?:a\v|c)$", &["c"], &["a"]),
        (r"^(a\v)+c|d$", &["xd"], &["aac", "ac"]),
        (r"a\vb|d", &["xdy"], &["ab"]),
        (r"^(?:ab\x01cd|b)$", &["b"], &["abcd"]),
        (r"^(?:a\u0001b|c)$", &["c"], &["ab"]),
        (r"^(?:a\ab|c)$", &["c"], &["ab"]),
        (r"^(?:a[\x01]b|c)$", &["c"], &["ab"]),
        (r"^(?:a[\x01-\x01]b|c)$", &["c"], &["ab"]),
        (r"^(?:a[^\x00-\x06\x08-\x{10FFFF}]b|c)$", &["c"], &["ab"]),
        (r"^(?:a[\x01\n]b|c)$", &["a\nb", "c"], &["ab"]),
        ("^(?:a\u{1}b|c)$", &["c"], &["ab"]),
        ("^(?:a[\u{1}]b|c)$", &["c"], &["ab"]),
        ("^(?:a\\\u{1}b|c)$", &["c"], &["ab"]),
        (r"^(?:a\x7Fb|c)$", &["c"], &["ab"]),
        (r"^(?:ab\x01*|c)$", &["ab", "c"], &["a"]),
        (r"^(?:ab\x01+|c)$", &["c"], &["ab"]),
        (r"^(?:a\x01?b|c)$", &["ab", "c"], &["a"]),
        (r"^(?:a\\x01|c)$", &["c", "a\\x01"], &["a", "a\\"]),
    ] {
        let string = Grammar::JsonSchema(json!({"type": "string", "pattern": pattern}));
        let string = Constraint::new(&vocabulary, &string).unwrap();
        let names = [
            json!({"type": "object", "patternProperties": {pattern: {"const": 1}}, "additionalProperties": false}),
            json!({"type": "object", "propertyNames": {"pattern": pattern}, "additionalProperties": {"const": 1}}),
        ];
        let names = names.map(|schema| Constraint::new(&vocabulary, &Grammar::JsonSchema(schema)).unwrap());
        for (texts, is_taken) in [(taken, true), (refused, false)] {
            for text in texts {
                assert_eq!(accepts(&tokenizer, &string, &json!(text).to_string()), is_taken, "{pattern}, {text:?}");
                let object = json!({*text: 1}).to_string().replace("\":1", "\": 1");
                for names in &names {
                    assert_eq!(accepts(&tokenizer, names, &object), is_taken, "{pattern}, {object}");
                }
            }
        }
    }
}

/// So it is with names that are listed.
#[test]
fn names_that_are_not_written_are_not_let_through() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    let names = json!({"enum": ["a\u{1}", "b", "a\u{7f}c"]});
    let schema = json!({"type": "object", "propertyNames": names, "additionalProperties": {"const": 1}});
    let constraint = Constraint::new(&vocabulary, &Grammar::JsonSchema(schema.clone())).unwrap();
    for (text, is_taken) in [
        ("{\"b\": 1}", true),
        ("{}", true),
        ("{\"a\": 1}", false),
        ("{\"ac\": 1}", false),
        ("{\"a\\u0001\": 1}", false),
    ] {
        assert_eq!(accepts(&tokenizer, &constraint, text), is_taken, "{text}");
    }
    let judge = judge(&schema);
    for seed in 0..20 {
        let Some(text) = walk(&tokenizer, &vocabulary, &schema, &mut Random(seed)) else { continue };
        assert!(judge.is_valid(&serde_json::from_str(&text).unwrap()), "{text}");
    }
    // Those of `properties` are written as JSON has them.
    let named = json!({"type": "object", "properties": {"a\u{1}": {"const": 1}}, "additionalProperties": false});
    let constraint = Constraint::new(&vocabulary, &Grammar::JsonSchema(named.clone())).unwrap();
    assert!(accepts(&tokenizer, &constraint, "{\"a\\u0001\": 1}"));
    let pattern = json!({"allOf": [named, {"patternProperties": {"^(?:a\\x01|b)$": {"const": 2}}}]});
    let error = Constraint::new(&vocabulary, &Grammar::JsonSchema(pattern)).unwrap_err().to_string();
    assert!(error.contains("the property `a\\u0001` has a control character"), "{error}");
}

/// Where `propertyNames` lets none through, or none but those that are listed, nothing stands in the way of what else is said of properties.
#[test]
fn names_of_which_none_is_left_are_supported() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    let lengths = json!({"minLength": 3, "maxLength": 2});
    for (schema, taken, refused) in [
        (json!({"type": "object", "propertyNames": lengths}), "{}", "{\"abc\": 1}"),
        (json!({"type": "object", "propertyNames": false, "properties": {"a": {}}}), "{}", "{\"a\": 1}"),
        (json!({"type": "object", "propertyNames": false, "patternProperties": {"^a": {}}}), "{}", "{\"a\": 1}"),
        (json!({"allOf": [{"type": "object", "properties": {"a": {}}}, {"propertyNames": false}]}), "{}", "{\"a\": 1}"),
        (
            json!({"type": "object", "propertyNames": {"enum": ["a"]}, "properties": {"a": {"type": "integer"}}, "additionalProperties": {"type": "string"}}),
            "{\"a\": 1}",
            "{\"a\": \"b\"}",
        ),
    ] {
        let constraint = Constraint::new(&vocabulary, &Grammar::JsonSchema(schema.clone())).unwrap();
        assert!(accepts(&tokenizer, &constraint, taken), "{schema}");
        assert!(!accepts(&tokenizer, &constraint, refused), "{schema}");
        let judge = judge(&schema);
        for seed in 0..10 {
            let Some(text) = walk(&tokenizer, &vocabulary, &schema, &mut Random(seed)) else { continue };
            let value = serde_json::from_str(&text);
            assert!(value.as_ref().map_or(true, |value| judge.is_valid(value)), "{schema}: {text}");
        }
    }
    let refusal = |schema: Value| Constraint::new(&vocabulary, &Grammar::JsonSchema(schema)).unwrap_err().to_string();
    assert_eq!(
        refusal(json!({"propertyNames": {"enum": ["a\u{1}"]}})),
        "the JSON schema: no name that `propertyNames` has can be written: a string has the control character U+0001, which is not written"
    );
    let required = json!({"type": "object", "propertyNames": false, "required": ["a"]});
    assert_eq!(
        refusal(required),
        "the JSON schema: no value that ends is valid: each holds another one, or one that `false` forbids"
    );
}

/// To ECMA-262 a hyphen beside a class is one (annex B). The judge reads patterns by the grammar that has no such ranges, and so is asked with the hyphen escaped.
#[test]
fn hyphens_beside_classes_are_hyphens() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    let texts = [
        "+", "-", ".", " ", "\t", "\u{feff}", "5", "5]", "[", "]", "A]", "<]", "a", "b", "w]", "y", "z", ",", "a b",
        "a-1.",
    ];
    for (pattern, escaped) in [
        (r"^[+-\s]$", r"^[+\-\s]$"),
        (r"^[+-\S]$", r"^[+\-\S]$"),
        (r"^[.-\S]$", r"^[.\-\S]$"),
        (r"^[^+-\s]$", r"^[^+\-\s]$"),
        (r"^[\t-\s]$", r"^[\t\-\s]$"),
        (r"^[\x20-\s]$", r"^[\x20\-\s]$"),
        (r"^[\s-z]$", r"^[\s\-z]$"),
        (r"^[\S-z]$", r"^[\S\-z]$"),
        (r"^[\w-z]$", r"^[\w\-z]$"),
        (r"^[a-\d]$", r"^[a\-\d]$"),
        (r"^[+-\w]$", r"^[+\-\w]$"),
        (r"^[+-\D]$", r"^[+\-\D]$"),
        (r"^[\s-\d]$", r"^[\s\-\d]$"),
        (r"^[a-\d-z]$", r"^[a\-\d\-z]$"),
        (r"^[a-b-z]$", r"^[a-b\-z]$"),
        (r"^[-a]$", r"^[\-a]$"),
        (r"^[a-]$", r"^[a\-]$"),
        (r"^[\s-]$", r"^[\s\-]$"),
        (r"^[A-Za-z0-9.-\s]+$", r"^[A-Za-z0-9.\-\s]+$"),
    ] {
        let schema = json!({"type": "string", "pattern": pattern});
        let judge = judge(&json!({"type": "string", "pattern": escaped}));
        let constraint = Constraint::new(&vocabulary, &Grammar::JsonSchema(schema)).unwrap();
        for text in texts {
            let accepted = accepts(&tokenizer, &constraint, &json!(text).to_string());
            assert_eq!(accepted, judge.is_valid(&json!(text)), "{pattern}, {text:?}");
        }
    }
}

/// A random text that the masks allow, to its end; `None` if it does not come to one.
pub(crate) fn walk(
    tokenizer: &Tokenizer,
    vocabulary: &Arc<Vocabulary>,
    schema: &Value,
    random: &mut Random,
) -> Option<String> {
    let mut constraint = Constraint::new(vocabulary, &Grammar::JsonSchema(schema.clone()))
        .unwrap_or_else(|error| panic!("{error}: {schema}"));
    let mut bytes = Vec::new();
    for step in 0..TOKENS_MAX {
        let ids = allowed(
            constraint
                .mask()
                .unwrap_or_else(|error| panic!("{error} behind {:?} of {schema}", String::from_utf8_lossy(&bytes))),
        );
        let ends: Vec<u32> = ids.iter().copied().filter(|id| vocabulary.end_ids().contains(id)).collect();
        assert_eq!(!ends.is_empty(), constraint.may_end());
        assert_eq!(ends.len() == ids.len(), constraint.is_complete());
        let in_hurry = step >= HURRY_AT;
        if !ends.is_empty() && (in_hurry || ends.len() == ids.len() || random.chance(30)) {
            constraint.accept(ends[0]).unwrap();
            assert!(constraint.is_complete() && constraint.mask().is_err());
            return Some(String::from_utf8(bytes).unwrap());
        }
        let word = |id: u32| tokenizer.token_bytes(id).unwrap().unwrap();
        let texts: Vec<u32> = ids.into_iter().filter(|id| !ends.contains(id)).collect();
        let closing: Vec<u32> =
            texts.iter().copied().filter(|&id| word(id).iter().all(|byte| b"\"}]".contains(byte))).collect();
        let preferred = if in_hurry && !closing.is_empty() && random.chance(80) { &closing } else { &texts };
        let id = *random.choose(preferred);
        constraint.accept(id).unwrap();
        bytes.extend(word(id));
    }
    None
}

#[test]
fn what_masks_allow_is_valid() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    let (mut ended, mut beyond) = (0, 0);
    for seed in 0..SCHEMAS {
        let schema = Document::new(seed).schema();
        let judge = judge(&schema);
        for number in 0..WALKS {
            let Some(text) = walk(&tokenizer, &vocabulary, &schema, &mut Random(seed * WALKS + number)) else {
                continue;
            };
            let value: Value = match serde_json::from_str(&text) {
                Ok(value) => value,
                // JSON, and more than the judge's numbers hold.
                Err(error) if error.to_string().starts_with("number out of range") => {
                    beyond += 1;
                    continue;
                }
                Err(error) => panic!("{text:?} is not JSON: {error}"),
            };
            let errors: Vec<String> = judge.iter_errors(&value).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "seed {seed}: {text} is not valid by {schema}: {errors:?}");
            ended += 1;
        }
    }
    println!("{ended} ended, {beyond} beyond");
    assert!(ended * 100 >= SCHEMAS * WALKS * 95, "{ended} walks ended, {beyond} beyond the judge's numbers");
}

#[test]
fn what_is_valid_is_allowed() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    for seed in 0..SCHEMAS {
        let document = Document::new(seed);
        let schema = document.schema();
        let judge = judge(&schema);
        let grammar = Grammar::JsonSchema(schema.clone());
        let constraint = Constraint::new(&vocabulary, &grammar).unwrap();
        for number in 0..WALKS {
            let instance = document.instance(&mut Random(seed * WALKS + number));
            let errors: Vec<String> = judge.iter_errors(&instance).map(|error| error.to_string()).collect();
            assert!(
                errors.is_empty(),
                "seed {seed}: the test's own instance {instance} is not valid by {schema}: {errors:?}"
            );
            assert!(
                accepts(&tokenizer, &constraint, &instance.to_string()),
                "seed {seed}: {instance} is refused by {schema}"
            );
        }
    }
}

/// Formats are the judge's, not only much like them.
#[test]
fn formats_are_held_to() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    for format in ["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uri", "uuid"] {
        let schema = json!({"type": "string", "format": format});
        let judge = judge(&schema);
        let texts: Vec<String> =
            (0..300).filter_map(|seed| walk(&tokenizer, &vocabulary, &schema, &mut Random(seed))).collect();
        assert!(texts.len() > 200, "{format}: {} of 300 ended", texts.len());
        let wrong: Vec<String> =
            texts.into_iter().filter(|text| !judge.is_valid(&serde_json::from_str(text).unwrap())).collect();
        assert!(wrong.is_empty(), "{format}: {wrong:?}");
    }
}

/// As long as RFC 1034 and RFC 5321 let names be, and one letter longer.
#[test]
fn names_of_hosts_are_as_long_as_they_may_be() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    let label = |length: usize| "a1".repeat(32)[..length].to_owned();
    let hyphens = format!("{}a", "a-".repeat(31));
    let long = [label(63), label(63), label(63), label(61)].join(".");
    let at = |local: usize, host: &str| format!("{}@{host}", "x".repeat(local));
    for (format, taken, refused) in [
        (
            "hostname",
            vec![label(63), hyphens.clone(), format!("{}.b.{}", label(33), label(63)), long.clone()],
            vec![label(64), format!("{hyphens}-a"), format!("a.{}", label(64)), format!("{long}a"), "a--b".to_owned()],
        ),
        (
            "email",
            vec![at(64, &label(63)), at(1, &hyphens), at(64, &format!("{0}.{0}.{1}", label(63), label(61)))],
            vec![
                at(1, &label(64)),
                at(65, &label(63)),
                at(1, &format!("b.{}", label(64))),
                at(64, &format!("{0}.{0}.{0}", label(63))),
            ],
        ),
    ] {
        let schema = json!({"type": "string", "format": format});
        let judge = judge(&schema);
        let constraint = Constraint::new(&vocabulary, &Grammar::JsonSchema(schema)).unwrap();
        for (texts, expected) in [(taken, true), (refused, false)] {
            for text in texts.into_iter().map(Value::from) {
                assert_eq!(accepts(&tokenizer, &constraint, &text.to_string()), expected, "{format}: {text}");
                assert!(judge.is_valid(&text) || !expected, "{format}: {text}");
            }
        }
    }
}

/// Those of OpenAPI, pydantic and Rust's types, of which a judge knows nothing.
#[test]
fn formats_of_types_are_held_to() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    let text = json!({"type": "string"});
    let whole = json!({"type": "integer"});
    let (number, any) = (json!({"type": "number"}), json!({}));
    for (format, beside, taken, refused) in [
        ("password", &text, &["\"\"", "\"a b\""][..], &["1"][..]),
        ("binary", &text, &["\"a\""], &["{}"]),
        ("directory-path", &text, &["\"/a/b\""], &["null"]),
        (
            "uuid4",
            &text,
            &["\"123e4567-e89b-42d3-a456-426614174000\""],
            &["\"123e4567-e89b-12d3-a456-426614174000\"", "\"123e4567-e89b-42d3-c456-426614174000\"", "\"\""],
        ),
        ("byte", &text, &["\"\"", "\"QUI=\"", "\"QQ==\"", "\"+/+/\""], &["\"QUJ=\"", "\"QR==\"", "\"Q\"", "\"-_-_\""]),
        ("base64url", &text, &["\"-_-_\"", "\"QQ==\""], &["\"+/+/\"", "\"QQ\""]),
        ("uint", &whole, &["9007199254740991"], &["-1"]),
        ("double", &number, &["1.5", "-1e300", "7"], &["\"1\""]),
        ("int8", &whole, &["127", "-128"], &["128", "-129", "1.5"]),
        ("uint8", &whole, &["0", "255"], &["256", "-1"]),
        ("int32", &whole, &["2147483647", "-2147483648"], &["2147483648", "-2147483649"]),
        ("uint32", &whole, &["4294967295"], &["4294967296", "-1"]),
        ("int64", &whole, &["9007199254740991", "-9007199254740991"], &["9007199254740992", "-9007199254740992"]),
        ("uint64", &whole, &["9007199254740991"], &["9007199254740992", "-1"]),
        ("int32", &number, &["7", "-2147483648"], &["1.5", "7.0", "2147483648", "null"]),
        // Formats of one type say nothing of another.
        ("uint8", &any, &["\"a\"", "[]", "255"], &["256", "0.5"]),
        ("password", &any, &["1", "\"a\""], &[]),
    ] {
        let mut schema = beside.clone();
        schema["format"] = json!(format);
        let constraint = Constraint::new(&vocabulary, &Grammar::JsonSchema(schema)).unwrap();
        for (texts, is_taken) in [(taken, true), (refused, false)] {
            for text in texts {
                assert_eq!(accepts(&tokenizer, &constraint, text), is_taken, "{format}: {text}");
            }
        }
    }
}

/// JSON has one kind of number.
#[test]
fn counts_may_be_floats() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    for (schema, taken, refused) in [
        (json!({"type": "string", "minLength": 1.0, "maxLength": 2.0}), "\"ab\"", ["\"\"", "\"abc\""]),
        (json!({"type": "array", "minItems": 1.0, "maxItems": 2e0}), "[1, 2]", ["[]", "[1, 2, 3]"]),
        (
            json!({"type": "object", "minProperties": 1.0, "maxProperties": 1.0}),
            "{\"a\": 1}",
            ["{}", "{\"a\": 1, \"b\": 2}"],
        ),
    ] {
        let constraint = Constraint::new(&vocabulary, &Grammar::JsonSchema(schema.clone())).unwrap();
        assert!(accepts(&tokenizer, &constraint, taken), "{schema}: {taken}");
        for text in refused {
            assert!(!accepts(&tokenizer, &constraint, text), "{schema}: {text}");
        }
    }
    let half = Constraint::new(&vocabulary, &Grammar::JsonSchema(json!({"type": "string", "maxLength": 5.5})));
    let message = half.unwrap_err().to_string();
    assert!(message.ends_with("`maxLength` has to be a whole number from 0 to 100000, and is 5.5"), "{message}");
}

/// What is not valid is not let through either, where it is valid but for one thing.
#[test]
fn what_is_almost_valid_is_refused() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    let mut refused = 0;
    for seed in 0..SCHEMAS {
        let document = Document::new(seed);
        let schema = document.schema();
        let judge = judge(&schema);
        let grammar = Grammar::JsonSchema(schema.clone());
        let constraint = Constraint::new(&vocabulary, &grammar).unwrap();
        let mut random = Random(seed);
        let instance = document.instance(&mut random);
        for changed in crate::shapes::changes(&instance, &mut random) {
            let is_valid = judge.is_valid(&changed);
            let is_accepted = accepts(&tokenizer, &constraint, &changed.to_string());
            assert!(is_valid || !is_accepted, "seed {seed}: {changed} is let through by {schema}");
            refused += usize::from(!is_valid);
        }
    }
    assert!(refused > 500, "{refused} were not valid");
}

/// A name that is spelled with escapes would pass for another one.
#[test]
fn names_have_one_spelling() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    let grammar = Grammar::JsonSchema(json!({"type": "object", "properties": {"a": {"type": "integer"}}}));
    let constraint = Constraint::new(&vocabulary, &grammar).unwrap();
    let cases = [
        (r#"{"a":1}"#, true),
        (r#"{"b":true}"#, true),
        (r#"{"a":true}"#, false),
        (r#"{"\u0061":true}"#, false),
        (r#"{"b":1,"a":1}"#, false),
    ];
    for (text, expected) in cases {
        assert_eq!(accepts(&tokenizer, &constraint, text), expected, "{text}");
    }
}
