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

/// Multiples as decimals are divided; the judge's own division is in binary, so the numbers are compared in units of the last digit.
#[test]
fn multiples_are_exact() {
    let tokenizer = tokenizer(SPECIAL);
    let vocabulary = vocabulary_of(&tokenizer);
    for (multiple, hundredths) in
        [(json!(1), 100), (json!(3), 300), (json!(0.5), 50), (json!(0.1), 10), (json!(1.5), 150)]
    {
        for kind in ["number", "integer"] {
            let schema = json!({"type": kind, "multipleOf": multiple, "minimum": -4, "exclusiveMaximum": 5});
            let constraint = Constraint::new(&vocabulary, &Grammar::JsonSchema(schema.clone())).unwrap();
            for value in -500i64..=600 {
                let is_valid =
                    value % hundredths == 0 && (-400..500).contains(&value) && (kind == "number" || value % 100 == 0);
                let text = (value as f64 / 100.0).to_string();
                assert_eq!(accepts(&tokenizer, &constraint, &text), is_valid, "{schema} {text}");
            }
        }
    }
}
