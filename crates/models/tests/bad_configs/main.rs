//! What `config.json` may not say, and what is said then: a table for each kind of model.

mod decoders;
mod experts;
mod layer_norm;
mod llama;
mod state_space;

use std::path::Path;

use models::LanguageModel;
use serde_json::{Value, json};

/// Each change of a good configuration, with what is said then.
#[track_caller]
fn check<S: AsRef<str>>(good: &Value, cases: &[(Value, S)]) {
    LanguageModel::from_json(good).unwrap_or_else(|error| panic!("{good}: {error}"));
    for (change, expected) in cases {
        let mut config = good.clone();
        for (key, value) in change.as_object().expect("changes are objects") {
            config[key] = value.clone();
        }
        let found = LanguageModel::from_json(&config).map(|_| ()).map_err(|error| error.to_string());
        assert_eq!(found, Err(expected.as_ref().to_owned()), "{} with {change}", good["model_type"]);
    }
}

/// The same for configurations that differ in their type alone.
#[track_caller]
fn check_each<S: AsRef<str>>(good: fn(&str) -> Value, cases: &[(&str, Value, S)]) {
    for (model_type, change, expected) in cases {
        check(&good(model_type), &[(change.clone(), expected)]);
    }
}

/// Of a checkpoint of each family, which sees no later tokens. Transformers takes what is neither true nor absent for false, and makes no mask for Mambas.
#[test]
fn attention_to_later_tokens_is_refused_of_any_family() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/published");
    for model_type in LanguageModel::model_types() {
        let published: Value = checkpoint::read_json(folder.join(format!("{model_type}.json"))).expect("it is there");
        let good = &published["config"];
        let with = |is_causal: &Value| {
            let mut config = good.clone();
            config["is_causal"] = is_causal.clone();
            LanguageModel::from_json(&config)
        };
        assert_eq!(with(&json!(true)), LanguageModel::from_json(good), "{model_type}");
        for value in [json!(false), json!(null), json!(0)] {
            if model_type.starts_with("mamba") {
                assert_eq!(with(&value), LanguageModel::from_json(good), "{model_type} with {value}");
            } else {
                let refused = format!("`is_causal` is {value}, but only true is supported");
                check(good, &[(json!({"is_causal": value}), refused)]);
            }
        }
    }
}
