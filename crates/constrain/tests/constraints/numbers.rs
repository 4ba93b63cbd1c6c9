//! Bounds of numbers, spelled as decimals: exactly those that the `jsonschema` crate finds valid.

use crate::vocabularies::{SPECIAL, accepts, tokenizer, vocabulary_of};
use constrain::{Constraint, Grammar};
use serde_json::{Value, json};

/// Decimals from -2.5 to 2.5, with and without zeros at their ends, and zero in all spellings.
fn spellings() -> Vec<String> {
    let mut texts: Vec<String> =
        ["0", "-0", "0.0", "-0.0", "1.0", "-1.00", "10", "-11", "0.001", "-0.001", "1e0"].map(String::from).to_vec();
    for twentieths in -50i32..=50 {
        let value = f64::from(twentieths) / 20.0;
        texts.push(format!("{value}"));
        texts.push(format!("{value:.2}"));
    }
    texts.sort();
    texts.dedup();
    texts
}

#[test]
fn bounds_are_exact() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    let spellings = spellings();
    let limits = [None, Some(-1.0), Some(-0.05), Some(0.0), Some(0.3), Some(1.0), Some(1.25)];
    let mut wrong = Vec::new();
    for kind in ["number", "integer"] {
        for (least, most) in limits.iter().flat_map(|least| limits.iter().map(move |most| (*least, *most))) {
            for (from, to) in [
                ("minimum", "maximum"),
                ("exclusiveMinimum", "maximum"),
                ("minimum", "exclusiveMaximum"),
                ("exclusiveMinimum", "exclusiveMaximum"),
            ] {
                let mut schema = json!({"type": kind});
                least.iter().for_each(|least| schema[from] = json!(least));
                most.iter().for_each(|most| schema[to] = json!(most));
                let judge = jsonschema::validator_for(&schema).unwrap();
                let constraint = Constraint::new(&vocabulary, &Grammar::JsonSchema(schema.clone()));
                for text in &spellings {
                    let value: Value = serde_json::from_str(text).unwrap();
                    let is_valid = judge.is_valid(&value);
                    let is_accepted = constraint.as_ref().is_ok_and(|constraint| accepts(&tokenizer, constraint, text));
                    // Exponents, zeros at the end of a fraction and a sign before zero are other spellings.
                    let may_differ = text.contains('e') || text.contains('.') && text.ends_with('0') || text == "-0";
                    if is_accepted && !is_valid || is_valid && !is_accepted && !may_differ {
                        wrong.push(format!("{schema} {text}: {is_valid} {is_accepted}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} {:#?}", wrong.len(), wrong);
}

/// Beside the largest numbers that can be compared with.
#[test]
fn large_bounds_are_exact() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    let most = (1i64 << 53) - 1;
    for keyword in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "const"] {
        for bound in [most, most - 1, -most] {
            let schema = json!({"type": "integer", keyword: bound});
            let judge = jsonschema::validator_for(&schema).unwrap();
            let constraint = Constraint::new(&vocabulary, &Grammar::JsonSchema(schema.clone())).unwrap();
            for value in bound - 2..=bound + 2 {
                let is_accepted = accepts(&tokenizer, &constraint, &value.to_string());
                assert_eq!(is_accepted, judge.is_valid(&json!(value)), "{schema} {value}");
            }
        }
    }
}

/// Decimals are divided, and not the floats next to them; each is let through as it is written without zeros at its end, up to bounds of any number of digits.
#[test]
fn multiples_are_exact() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    let large = ["2.50", "0.0070", "1.00001", "300.07", "-1234567.25", "99999999.99"];
    let mut texts: Vec<String> = large.map(String::from).to_vec();
    texts.extend((-30i32..=30).map(|value| (f64::from(value) / 20.0).to_string()));
    texts.extend((-11i32..=12).map(|value| (f64::from(value) / 8.0).to_string()));
    let bounds = [
        json!({}),
        json!({"minimum": -1, "exclusiveMaximum": 1.25}),
        json!({"exclusiveMinimum": -1.25, "maximum": 0.355}),
        json!({"minimum": 0.3, "maximum": 0.35}),
        json!({"exclusiveMinimum": 0.25}),
        json!({"maximum": 0.0, "exclusiveMaximum": 0.7}),
        json!({"exclusiveMinimum": 1, "exclusiveMaximum": 1.125}),
    ];
    let multiples = [1.0, 3.0, 0.5, 0.1, 1.5, 0.01, 0.05, 0.07, 0.25, 0.125, 2.25, 0.0001];
    for multiple in multiples {
        for (bounds, kind) in bounds.iter().flat_map(|bounds| [(bounds, "number"), (bounds, "integer")]) {
            let mut schema = bounds.clone();
            schema["type"] = json!(kind);
            schema["multipleOf"] = json!(multiple);
            // Whole numbers are the same for most of them.
            if kind == "integer" && ![0.25, 1.5].contains(&multiple) {
                continue;
            }
            let judge = jsonschema::validator_for(&schema).unwrap();
            let constraint = Constraint::new(&vocabulary, &Grammar::JsonSchema(schema.clone()));
            for text in &texts {
                let is_valid = judge.is_valid(&serde_json::from_str(text).unwrap());
                let is_accepted = constraint.as_ref().is_ok_and(|constraint| accepts(&tokenizer, constraint, text));
                let may_differ = text.ends_with('0') && text.contains('.');
                assert!(is_accepted == is_valid || is_valid && may_differ, "{schema} {text}: {is_valid} {is_accepted}");
            }
        }
    }
}
