//! What `config.json` may not say, and what is said then: a table for each kind of model.

mod decoders;
mod experts;
mod layer_norm;
mod llama;
mod state_space;

use models::LanguageModel;
use serde_json::Value;

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
