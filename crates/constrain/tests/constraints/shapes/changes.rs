//! Instances with one thing changed.

use serde_json::{Value, json};

use crate::vocabularies::Random;

const WORDS: &[&str] = &["red", "blue", "", "a b", "é", "🐈", "quote\"d", "back\\slash", "line\nbreak", "the"];

/// A value with one thing changed, in several ways: a part replaced, left out, or added.
pub(crate) fn changes(value: &Value, random: &mut Random) -> Vec<Value> {
    let others = [
        json!(null),
        json!(true),
        json!(0),
        json!(-7),
        json!(1e6),
        json!(0.25),
        json!(""),
        json!("red"),
        json!("zzzzzzzzz"),
        json!([]),
        json!({}),
        json!([[1]]),
    ];
    let mut changed: Vec<Value> = others.iter().filter(|other| *other != value).cloned().collect();
    match value {
        Value::Array(values) => {
            for at in 0..values.len() {
                let with = |part: Value| {
                    Value::Array(
                        values
                            .iter()
                            .enumerate()
                            .map(|(number, old)| if number == at { part.clone() } else { old.clone() })
                            .collect(),
                    )
                };
                changed.extend(changes(&values[at], random).into_iter().map(with));
                changed.push(
                    values.iter().enumerate().filter(|(number, _)| *number != at).map(|(_, old)| old.clone()).collect(),
                );
            }
            changed.push(values.iter().cloned().chain([(*random.choose(WORDS)).into()]).collect());
        }
        Value::Object(members) => {
            for (name, part) in members {
                for part in changes(part, random) {
                    let mut members = members.clone();
                    members[name] = part;
                    changed.push(Value::Object(members));
                }
                let mut members = members.clone();
                members.shift_remove(name);
                changed.push(Value::Object(members));
            }
            let mut members = members.clone();
            members.insert("added".into(), 1.into());
            changed.push(Value::Object(members));
        }
        _ => {}
    }
    while changed.len() > 30 {
        changed.swap_remove(random.below(changed.len()));
    }
    changed
}
