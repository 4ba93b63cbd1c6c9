//! Axolotl's configurations, as `axolotl train` of 0.13 reads them. Most keys are ours too.

use data::Form;
use serde_json::json;

use super::{Conversion, DatasetConversion, Place, rounded, target_modules};
use crate::config::record_keys;
use crate::config::setting::Scalar;
use crate::config::source::{Entry, Kind, Node};

pub(super) fn convert(entries: &[Entry], out: &mut Conversion) {
    let find = |key: &str| entries.iter().find(|entry| entry.key == key).filter(|entry| !entry.value.is_null());
    for entry in entries.iter().filter(|entry| !entry.value.is_null()) {
        match entry.key.as_str() {
            "base_model" => {
                out.carry(entry);
                out.warn_of_hub_name("base_model", &entry.value);
            }
            "tokenizer_config" => out.set("tokenizer", "tokenizer_config", &entry.value),
            "test_datasets" if entry.value.items().is_empty() => {}
            "datasets" if find("pretraining_dataset").is_some() => {
                if !entry.value.items().is_empty() {
                    out.say(entry.place, "`datasets` is not carried over: Axolotl reads `pretraining_dataset` alone where both are given");
                }
            }
            "datasets" | "test_datasets" => datasets(&entry.key, entry, out),
            "pretraining_dataset" => pretraining(entry, out),
            "chat_template" => chat_template(entry, out),
            "chat_template_jinja" => template_file(entry, out),
            "adapter" => adapter(entry, out),
            "lora_target_linear" if entry.value.is(true) => {
                out.set_value("lora_target_modules", entry.place, "all-linear");
            }
            "lora_target_modules" if find("lora_target_linear").is_some_and(|linear| linear.value.is(true)) => {}
            "lora_target_modules" if find("adapter").is_none() || find("lora_model_dir").is_some() => {
                out.unneeded.push(entry.key.clone());
            }
            "lora_target_modules" => target_modules::convert(&entry.key, &entry.value, out),
            "bf16" | "bfloat16" | "fp16" | "float16" | "float32" => dtype(entry, out),
            "optimizer" => optimizer(entry, out),
            "gradient_checkpointing" if entry.value.text().is_some_and(|text| text.starts_with("offload")) => {
                out.set_value("gradient_checkpointing", entry.place, "full");
                out.say(entry.place, "`gradient_checkpointing` is `full`: activations are not moved to the host");
            }
            "lr_scheduler" => scheduler(entry, find("cosine_min_lr_ratio"), out),
            "lr_scheduler_kwargs" if find("lr_scheduler").is_some_and(|name| has_floor(&name.value)) => {
                floor(entry, find("learning_rate"), out);
            }
            "warmup_steps" | "warmup_ratio" if find("lr_scheduler").is_some_and(|name| is_flat(&name.value)) => {
                out.unneeded.push(entry.key.clone());
            }
            "sample_packing" => {}
            "num_epochs" => epochs(entry, find("max_steps").is_some(), out),
            "val_set_size" if entry.value.number() == Some(0.0) => {}
            "batch_size" => accumulation(entry, find("micro_batch_size"), out),
            "plugins" => plugins(entry, out),
            "resume_from_checkpoint" if entry.value.is(false) => {}
            "resume_from_checkpoint" => {
                out.say(entry.place, "`resume_from_checkpoint` is not carried over: it is a checkpoint of Axolotl's");
            }
            _ => out.carry(entry),
        }
    }
    packing(entries, out);
    defaults(entries, out);
}

/// What Axolotl does where nothing is said, and we do not.
fn defaults(entries: &[Entry], out: &mut Conversion) {
    let place = Place::File;
    let find = |key: &str| entries.iter().find(|entry| entry.key == key).filter(|entry| !entry.value.is_null());
    let is_given = |key: &str| find(key).is_some();
    let mut set = |key: &str, value: &str| {
        if !is_given(key) && !out.has(key) {
            out.set_value(key, place, value);
        }
    };
    set("sequence_len", "512");
    set("sample_packing", "false");
    if is_given("cosine_min_lr_ratio") {
        set("lr_scheduler", "cosine");
    }
    let is_flat = find("lr_scheduler").is_some_and(|name| is_flat(&name.value));
    if !is_given("warmup_steps") && !is_given("warmup_ratio") && !is_flat {
        warmup(entries, out);
    }
    // Where nothing is said, `bf16` is `auto`.
    let is_on = |key: &str| find(key).is_some_and(|entry| !is_off(&entry.value));
    if find("bf16").is_some_and(|entry| is_off(&entry.value))
        && !["bfloat16", "fp16", "float16", "load_in_8bit"].into_iter().any(is_on)
    {
        out.set_value("dtype", place, "f32");
    }
    if out.has("adapter") && !is_given("lora_target_modules") && !out.has("lora_target_modules") {
        target_modules::write_default(out);
    }
    saves(entries, out);
}

/// Where nothing is said, each epoch is saved, and whenever it is that saves, four are kept.
fn saves(entries: &[Entry], out: &mut Conversion) {
    let find = |key: &str| entries.iter().find(|entry| entry.key == key).filter(|entry| !entry.value.is_null());
    if !out.has("save_total_limit") {
        out.set_value("save_total_limit", Place::File, 4);
    }
    let is_said = ["save_steps", "saves_per_epoch", "save_strategy"].into_iter().any(|key| find(key).is_some());
    let has_epochs = find("num_epochs").is_some_and(|entry| entry.value.number() != Some(1.0));
    if !is_said && (has_epochs || out.has("max_steps")) {
        let message = "Axolotl saves after each epoch where nothing else is said, and here only the end is kept without `save_steps`: write \
                       how many optimizer steps an epoch has";
        out.say(Place::File, message);
    }
}

/// Where nothing is said, a part of all steps, and no more than 100 of them.
fn warmup(entries: &[Entry], out: &mut Conversion) {
    let max_steps = entries.iter().find(|entry| entry.key == "max_steps").and_then(|entry| entry.value.number());
    match max_steps.filter(|steps| *steps > 0.0).map(|steps| (0.03 * steps) as u64) {
        Some(0) => {}
        // Axolotl makes two of one.
        Some(steps) => out.set_value("warmup_steps", Place::File, steps.clamp(2, 100)),
        None => {
            out.set_value("warmup_ratio", Place::File, 0.03);
            let message = "`warmup_ratio` is 0.03 however long the run is: Axolotl warms up for 100 steps at most, so write \
                           `warmup_steps: 100` in its place for a run of more than 3,333 steps";
            out.say(Place::File, message);
        }
    }
}

fn datasets(key: &str, entry: &Entry, out: &mut Conversion) {
    let items: Vec<Node> = entry.value.items().iter().map(|item| dataset(item, out)).collect();
    out.set(key, key, &Node { place: entry.place, kind: Kind::List(items) });
    let is_unnamed = |item: &&Node| {
        matches!(form(item), Some(Form::Messages | Form::Sharegpt)) && given(item, "message_field_training").is_none()
    };
    if let Some(item) = entry.value.items().iter().find(is_unnamed) {
        let message = format!(
            "`{key}.message_field_training` is `train`: a message's `train` and `weight` say whether the loss counts it, and \
             Axolotl does not read them"
        );
        out.say(item.place, message);
    }
}

/// The form of a data set's records, where it is named.
fn form(item: &Node) -> Option<Form> {
    <Form as Scalar>::parse(given(item, "type")?.text()?, false)
}

/// The value at a path of a data set's map, unless it says no more than if it were not there.
fn given<'a>(item: &'a Node, path: &str) -> Option<&'a Node> {
    let says_nothing =
        |value: &Node| value.is_null() || matches!(&value.kind, Kind::Map(entries) if entries.is_empty());
    item.at(path).filter(|value| !says_nothing(value))
}

/// Axolotl's names of roles, where a data set names none. We read ShareGPT's only in records whose keys are ShareGPT's too.
fn roles(item: &Node, dataset: &mut DatasetConversion) {
    let maps_role =
        ["message_property_mappings.role", "message_field_role"].iter().any(|path| given(item, path).is_some());
    let is_conversation = match form(item) {
        Some(Form::Messages) => true,
        Some(Form::Sharegpt) | None => maps_role,
        Some(_) => false,
    };
    if is_conversation && given(item, "roles").is_none() {
        let names = json!({"user": ["human"], "assistant": ["gpt"]});
        dataset.set("roles", "roles", &Node::of_json(&names, item.place));
    }
}

/// One data set, with the keys that are ours.
fn dataset(item: &Node, out: &mut Conversion) -> Node {
    let mut dataset = DatasetConversion::new(out);
    // As `datasets` calls files: `path: json` with the file in `data_files`.
    let file = item.entry("data_files").and_then(|files| match files.value.items() {
        [file] if file.text().is_some() => Some(file.clone()),
        _ => None,
    });
    let unread = record_keys::unread(item);
    for entry in item.entries() {
        match entry.key.as_str() {
            key if unread.iter().any(|(other, _)| other.key == key) => {}
            "data_files" if file.is_some() => {}
            "path" => {
                let path = file.as_ref().unwrap_or(&entry.value);
                dataset.set("path", "datasets.path", path);
                dataset.out.warn_of_hub_name("datasets.path", path);
            }
            "type" if !entry.value.entries().is_empty() => own_layout(entry, dataset.out),
            // The split that every data set has.
            "split" if entry.value.text() == Some("train") => {}
            "roles" if given(item, "roles").is_none() => {}
            _ => dataset.carry(entry),
        }
    }
    if given(item, "type").is_some() && !dataset.ours.contains_key("type") {
        let asked = "write `type` of each data set whose layout is not carried over: until it is given, the keys of its records tell it";
        dataset.out.unfit.add(Place::File, asked.to_owned());
    }
    roles(item, &mut dataset);
    for (entry, rule) in unread {
        dataset.out.say(entry.place, format!("`datasets.{}` is not carried over: it {rule}", entry.key));
    }
    dataset.into_node(item.place)
}

/// A layout of prompts that somebody has written.
fn own_layout(entry: &Entry, out: &mut Conversion) {
    let message = "`datasets.type` is not carried over: it is a map, which lays prompts out in its own way; write the records anew for one of our types, \
                   `prompt_completion` or `input_output`";
    out.say(entry.place, message);
}

/// Axolotl cuts the documents of `type: completion` into samples of `sequence_len`. Here a document is one sample, unless documents stand end to end.
fn packing(entries: &[Entry], out: &mut Conversion) {
    let find = |key: &str| entries.iter().find(|entry| entry.key == key).filter(|entry| !entry.value.is_null());
    let entry = find("sample_packing");
    if find("pretraining_dataset").is_some() {
        out.unneeded.extend(entry.map(|entry| entry.key.clone()));
        return;
    }
    let items = ["datasets", "test_datasets"].into_iter().filter_map(find).flat_map(|list| list.value.items());
    let (documents, others): (Vec<&Node>, Vec<&Node>) = items.partition(|item| form(item) == Some(Form::Text));
    match (documents.first(), entry) {
        (Some(_), _) if others.is_empty() => {
            let place = entry.map_or(Place::File, |entry| entry.place);
            let held = if entry.is_some_and(|entry| !is_off(&entry.value)) { "several whole ones" } else { "one" };
            out.set_value("sample_packing", place, "concatenate");
            let message = format!(
                "`sample_packing` is `concatenate`: documents stand end to end and are cut where a row ends; Axolotl cuts each into pieces \
                 of `sequence_len`, and a row holds {held}"
            );
            out.say(place, message);
        }
        (Some(document), _) => {
            let message = "documents longer than `sequence_len` are left out, unless `excess_length_strategy` says otherwise; Axolotl cuts \
                           them into pieces: cut them in their files, or train on documents alone, for which `sample_packing` is \
                           `concatenate`";
            out.say(document.place, message);
            entry.into_iter().for_each(|entry| out.carry(entry));
        }
        (None, _) => entry.into_iter().for_each(|entry| out.carry(entry)),
    }
}

/// Documents end to end, cut where a row ends.
fn pretraining(entry: &Entry, out: &mut Conversion) {
    let mut items = Vec::new();
    for item in entry.value.items() {
        let mut dataset = DatasetConversion::new(out);
        if item.text().is_some() {
            dataset.set("path", "pretraining_dataset", item);
        }
        for entry in item.entries() {
            match entry.key.as_str() {
                "type" => {}
                "split" if entry.value.text() == Some("train") => {}
                "text_column" if entry.value.text() == Some("text") => {}
                "text_column" if dataset.set("field", "pretraining_dataset.text_column", &entry.value) => {}
                _ => dataset.carry(entry),
            }
        }
        dataset.set("type", "type", &Node::scalar(item.place, "completion"));
        items.push(dataset.into_node(item.place));
    }
    out.set("datasets", "pretraining_dataset", &Node { place: entry.place, kind: Kind::List(items) });
    out.set_value("sample_packing", entry.place, "concatenate");
}

/// Ours is a file; Axolotl's is the name of one that it brings along.
fn chat_template(entry: &Entry, out: &mut Conversion) {
    let name = entry.value.text().unwrap_or_default();
    if name != "jinja" && !name.starts_with("tokenizer_default") {
        let message = format!(
            "`chat_template` `{name}` is not carried over: conversations are laid out by the tokenizer's own template; write \
             another as a Jinja file, and its path as `chat_template`"
        );
        out.say(entry.place, message);
    }
}

fn template_file(entry: &Entry, out: &mut Conversion) {
    match entry.value.text() {
        Some(text) if !text.contains(['{', '\n']) => out.set("chat_template", "chat_template_jinja", &entry.value),
        _ => out.leave("chat_template_jinja", entry),
    }
}

fn adapter(entry: &Entry, out: &mut Conversion) {
    if entry.value.text() != Some("qlora") {
        out.carry(entry);
        if !out.has("adapter") {
            out.unfit.add(Place::File, "write `adapter`: all weights are trained until it is given".to_owned());
        }
        return;
    }
    out.set_value("adapter", entry.place, "lora");
    out.say(entry.place, "`adapter` is `lora`: the base model's weights are not quantised, and take more memory");
}

/// The boolean that this is to Axolotl: YAML 1.1's, or a word or number that Pydantic takes for one.
fn boolean(value: &Node) -> Option<bool> {
    match value.text()?.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "y" | "t" | "1" | "1.0" => Some(true),
        "false" | "no" | "off" | "n" | "f" | "0" | "0.0" => Some(false),
        _ => None,
    }
}

fn is_off(value: &Node) -> bool {
    boolean(value) == Some(false)
}

/// What is neither `auto` nor a boolean Axolotl refuses, and it is told as lost.
fn dtype(entry: &Entry, out: &mut Conversion) {
    match (entry.key.as_str(), boolean(&entry.value)) {
        (_, Some(false)) => {}
        ("bf16" | "bfloat16", Some(true)) => out.set_value("dtype", entry.place, "bf16"),
        ("float32", Some(true)) => out.set_value("dtype", entry.place, "f32"),
        _ => out.leave(&entry.key, entry),
    }
}

/// transformers warms up for `constant_with_warmup`, and for `constant` whatever else is said does not.
fn is_flat(name: &Node) -> bool {
    name.text() == Some("constant")
}

fn has_floor(name: &Node) -> bool {
    name.text() == Some("cosine_with_min_lr")
}

/// Where `floor`, the key of a cosine's, has an end above 0, a cosine that stands in keeps it.
fn scheduler(entry: &Entry, floor: Option<&Entry>, out: &mut Conversion) {
    let ours = match entry.value.text() {
        Some("constant" | "constant_with_warmup") => "constant",
        Some("linear") => "linear",
        Some("cosine" | "cosine_with_min_lr") => "cosine",
        _ => {
            let has_floor = floor.and_then(|floor| floor.value.number()).is_some_and(|floor| floor > 0.0);
            return out.stand_in_cosine("lr_scheduler", entry.place, &entry.value.found(), has_floor);
        }
    };
    out.set_value("lr_scheduler", entry.place, ours);
}

/// The end of `cosine_with_min_lr`, which is a rate or a part of the peak.
fn floor(entry: &Entry, rate: Option<&Entry>, out: &mut Conversion) {
    let rate = rate.and_then(|rate| rate.value.number()).filter(|rate| *rate > 0.0);
    for inner in entry.value.entries() {
        let path = format!("lr_scheduler_kwargs.{}", inner.key);
        match (inner.key.as_str(), inner.value.number().zip(rate)) {
            ("min_lr_rate", _) if !inner.value.is_null() => out.set("cosine_min_lr_ratio", &path, &inner.value),
            ("min_lr", Some((least, rate))) => {
                out.set("cosine_min_lr_ratio", &path, &Node::scalar(inner.place, rounded(least / rate)));
            }
            _ => out.leave_as(&path, "lr_scheduler_kwargs", inner),
        }
    }
}

/// Variants of AdamW whose moments are stored in other types take the same steps, but for rounding.
fn optimizer(entry: &Entry, out: &mut Conversion) {
    let name = entry.value.text().unwrap_or_default();
    if name.contains("adamw") && !["galore", "schedule", "adopt"].iter().any(|other| name.contains(other)) {
        out.set_value("optimizer", entry.place, "adamw");
        if !name.starts_with("adamw_torch") {
            out.say(entry.place, format!("`optimizer` is `adamw`: its moments are f32, not as in `{name}`"));
        }
    } else {
        out.carry(entry);
    }
}

/// Those that bring kernels alone are not needed. What others do to the run is for their own keys to say, or unknown.
fn plugins(entry: &Entry, out: &mut Conversion) {
    for plugin in entry.value.items() {
        let name = plugin.text().unwrap_or_default();
        match ["integrations.liger.", "integrations.cut_cross_entropy."].iter().any(|kernels| name.contains(kernels)) {
            true => out.unneeded.push(format!("plugins.{name}")),
            false => {
                out.say(plugin.place, format!("`plugins` `{name}` is not carried over: no code of others is loaded"));
            }
        }
    }
}

fn epochs(entry: &Entry, has_steps: bool, out: &mut Conversion) {
    match entry.value.number() {
        Some(_) if has_steps => out.unneeded.push("num_epochs".to_owned()),
        Some(epochs) if epochs.fract() == 0.0 => out.set_value("num_epochs", entry.place, epochs as u64),
        _ => {
            out.carry(entry);
        }
    }
}

fn accumulation(entry: &Entry, micro: Option<&Entry>, out: &mut Conversion) {
    let micro = micro.map_or(Some(1.0), |micro| micro.value.number());
    match entry.value.number().zip(micro).map(|(all, micro)| all / micro) {
        Some(steps) if steps >= 1.0 && steps.fract() == 0.0 => {
            out.set_value("gradient_accumulation_steps", entry.place, steps as u64);
        }
        _ => out.leave("batch_size", entry),
    }
}
