//! Rules between keys. They look at which keys are given, not at their values' types, so that they are reported
//! together with the errors of single keys.

use serde_json::{Map, Value};

use super::error::{Place, Problems};
use super::record_keys;
use super::source::{Kind, Node};
use super::spelling::alternatives;
use super::{Duration, MicroBatch, TrainConfig};

/// Of these keys at most one may be given.
const EXCLUSIVE: &[&[&str]] = &[
    &["base_model", "model_config"],
    &["num_epochs", "max_steps", "max_duration"],
    &["warmup_steps", "warmup_ratio"],
    &["val_set_size", "test_datasets"],
    &["gradient_accumulation_steps", "global_batch_size"],
];

/// What an adapter that is trained further brings with it. These keys may say the same, and are idle.
const OF_ADAPTER: [&str; 7] = [
    "lora_r",
    "lora_alpha",
    "lora_target_modules",
    "peft_use_rslora",
    "peft_use_dora",
    "peft_layers_to_transform",
    "lora_modules_to_save",
];

/// The first key does nothing unless one of the others is given, and so is a mistake without them.
const NEEDS: &[(&str, &[&str])] = &[
    ("adapter", &["base_model"]),
    ("lora_r", &["adapter"]),
    ("lora_alpha", &["adapter"]),
    ("lora_dropout", &["adapter"]),
    ("lora_target_modules", &["adapter"]),
    ("peft_use_rslora", &["adapter"]),
    ("peft_use_dora", &["adapter"]),
    ("peft_layers_to_transform", &["adapter"]),
    ("lora_modules_to_save", &["adapter"]),
    ("lora_model_dir", &["adapter"]),
    ("model_config", &["tokenizer"]),
    ("eval_steps", EVALUATION),
    ("eval_subset_num_batches", EVALUATION),
    ("early_stopping_patience", EVALUATION),
    // The one evaluation at the end ends no run, and none is better than it.
    ("early_stopping_patience", &["eval_steps"]),
    ("early_stopping_threshold", &["early_stopping_patience"]),
    ("load_best_model_at_end", EVALUATION),
    ("load_best_model_at_end", &["eval_steps"]),
];
const EVALUATION: &[&str] = &["val_set_size", "test_datasets"];

/// The `sample_packing` under which no sample is too long.
const CONCATENATE: &str = "concatenate";

/// Reports every pair of keys in `root` that contradict each other.
pub(crate) fn check(root: &Node, problems: &mut Problems) {
    if !matches!(root.kind, Kind::Map(_)) && !root.is_null() {
        return;
    }
    check_datasets(root, problems);
    for keys in EXCLUSIVE {
        let given: Vec<_> = keys.iter().filter(|key| is_on(root, key)).collect();
        if let [first, second, ..] = given[..] {
            let place = root.entry(second).map_or(Place::File, |entry| entry.place);
            problems.stand_in((*second).to_string());
            let all = alternatives(keys.iter().copied());
            problems.add(place, format!("`{second}` contradicts `{first}`: give only one of {all}"));
        }
    }
    // What was given under another name is not sound, and was reported.
    for (key, needed) in NEEDS {
        if is_on(root, key) && !needed.iter().any(|needed| is_on(root, needed) || !problems.is_sound(needed)) {
            let place = root.entry(key).map_or(Place::File, |entry| entry.place);
            let needed = alternatives(needed.iter().copied());
            problems.add(place, format!("`{key}` needs {needed}, which is not given"));
        }
    }
    if ["base_model", "model_config"].iter().all(|key| !is_on(root, key) && problems.is_sound(key)) {
        let message = "give `base_model` to start from a model's weights, or `model_config` to train from scratch";
        problems.add(Place::File, message.to_owned());
    }
    if let (Some(ratio), Some(scheduler)) = (root.entry("cosine_min_lr_ratio"), root.at("lr_scheduler"))
        && is_on(root, "cosine_min_lr_ratio")
        && !matches!(&scheduler.kind, Kind::Scalar { text, .. } if text == "cosine" || scheduler.is_null())
    {
        let message = format!("`cosine_min_lr_ratio` needs `lr_scheduler: cosine`, which is {}", scheduler.found());
        problems.add(ratio.place, message);
    }
    if let (Some(excess), Some(packing)) = (root.entry("excess_length_strategy"), root.at("sample_packing"))
        // What nobody has chosen, and earlier versions wrote into each `config.yaml`, means nothing.
        && !matches!(&excess.value.kind, Kind::Scalar { text, .. } if text == "drop")
        && is_on(root, "excess_length_strategy")
        && matches!(&packing.kind, Kind::Scalar { text, .. } if text == CONCATENATE)
    {
        let message = "`excess_length_strategy` does nothing beside `sample_packing: concatenate`, which cuts samples where a row ends: \
                       leave it out";
        problems.add(excess.place, message.to_owned());
    }
}

/// Reports the keys of data sets that their records have no use for.
fn check_datasets(root: &Node, problems: &mut Problems) {
    for list in ["datasets", "test_datasets"] {
        let items = root.entry(list).map(|entry| entry.value.items()).unwrap_or_default();
        for (index, item) in items.iter().enumerate() {
            for (entry, rule) in record_keys::unread(item) {
                problems.add(entry.place, format!("`{list}.{index}.{}` {rule}", entry.key));
            }
        }
    }
}

/// Whether a key is given a value other than one that switches it off, such as `val_set_size: 0` beside
/// `test_datasets`.
fn is_on(root: &Node, key: &str) -> bool {
    match root.entry(key).map(|entry| (&entry.value.kind, entry.value.to_json())) {
        None | Some((_, Value::Null | Value::Bool(false))) => false,
        Some((Kind::List(items), _)) => !items.is_empty(),
        Some((_, Value::Number(number))) => number.as_f64() != Some(0.0),
        Some(_) => true,
    }
}

/// Rules that need the values.
pub(crate) fn check_values(config: &TrainConfig, root: &Node, problems: &mut Problems) {
    if let (Some(all), MicroBatch::Rows(_)) = (config.global_batch_size, config.micro_batch_size)
        && problems.is_sound("micro_batch_size")
    {
        let place = root.entry("global_batch_size").map_or(Place::File, |entry| entry.place);
        let message = format!(
            "`global_batch_size` needs `micro_batch_size: auto`: give that, or in place of it `gradient_accumulation_steps`, which is {all} \
             divided by `micro_batch_size`"
        );
        problems.add(place, message);
    }
    if let (Some(warmup), Duration::Steps(total)) = (config.warmup_steps, config.duration())
        && warmup >= total
    {
        let place = root.entry("warmup_steps").map_or(Place::File, |entry| entry.place);
        let end = match config.max_steps {
            Some(_) => format!("`max_steps`, which is {total}"),
            None => format!("`max_duration`, which is {total} steps"),
        };
        problems.add(place, format!("`warmup_steps` must be below {end}; found {warmup}"));
    }
}

/// Takes away the defaults of keys that do nothing in this configuration, which a reader would refuse.
pub(crate) fn remove_idle(written: &mut Map<String, Value>) {
    let needs = |written: &Map<String, Value>, key: &str| {
        NEEDS.iter().filter(|(name, _)| *name == key).all(|(_, needed)| needed.iter().any(|k| written.contains_key(*k)))
    };
    // What needs one that goes is idle, too.
    while let Some(idle) = written.keys().find(|key| !needs(written, key)).cloned() {
        written.shift_remove(&idle);
    }
    if written.get("global_batch_size").is_some_and(|size| !size.is_null()) {
        written.shift_remove("gradient_accumulation_steps");
    }
    if written.contains_key("lora_model_dir") {
        for key in OF_ADAPTER {
            written.shift_remove(key);
        }
    }
    if written.get("lr_scheduler").and_then(Value::as_str) != Some("cosine") {
        written.shift_remove("cosine_min_lr_ratio");
    }
    if written.get("sample_packing").and_then(Value::as_str) == Some(CONCATENATE) {
        written.shift_remove("excess_length_strategy");
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Checkpoints hold the configuration of their run, which has to be read for as long as they are.
    #[test]
    fn a_run_of_a_version_that_took_what_does_nothing_is_read() {
        let kept = "base_model: a\ndatasets: [{path: b.jsonl}]\nlearning_rate: 1.0e-4\nval_set_size: 5\nsample_packing: concatenate\n";
        let idle = "excess_length_strategy: drop\nearly_stopping_patience: 3\nearly_stopping_threshold: 0.5\nload_best_model_at_end: true\n";
        let name = Path::new("its config");
        let written = format!("{kept}{idle}");
        assert!(TrainConfig::parse(&written, name, &[]).is_err());
        let read = TrainConfig::parse_written(&written, name).unwrap_or_else(|errors| panic!("{errors}"));
        assert_eq!(
            read.to_yaml(),
            TrainConfig::parse(kept, name, &[]).unwrap_or_else(|errors| panic!("{errors}")).to_yaml()
        );
    }
}
