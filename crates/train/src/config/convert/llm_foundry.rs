//! LLM Foundry's training configurations, as `scripts/train/train.py` of 0.22 reads them.

use std::path::PathBuf;

use super::{Conversion, DatasetConversion, Place, rounded, target_modules};
use crate::config::source::{Entry, Kind, Node};

pub(super) fn convert(entries: &[Entry], out: &mut Conversion) {
    let find = |key: &str| entries.iter().find(|entry| entry.key == key).filter(|entry| !entry.value.is_null());
    for entry in entries.iter().filter(|entry| !entry.value.is_null()) {
        match entry.key.as_str() {
            "max_seq_len" => max_seq_len(entry, find("train_loader"), out),
            "model" => model(entry, out),
            "tokenizer" => tokenizer(entry, find("model"), out),
            "train_loader" => train_loader(entry, out),
            "eval_loader" | "eval_loaders" => eval_loader(entry, entries, out),
            "optimizer" => optimizer(entry, find("model"), out),
            "scheduler" => scheduler(entry, out),
            "algorithms" => algorithms(entry, out),
            "max_duration" => max_duration(entry, out),
            "eval_interval" => interval("eval_steps", entry, out),
            "save_interval" => interval("save_steps", entry, out),
            "console_log_interval" => interval("logging_steps", entry, out),
            "global_train_batch_size" => batch(entry, find("device_train_microbatch_size"), out),
            "device_train_microbatch_size" if find("global_train_batch_size").is_some() => {}
            "precision" => precision(entry, out),
            "fsdp_config" => fsdp(entry, out),
            "save_folder" => save_folder(entry, find("run_name"), out),
            "save_num_checkpoints_to_keep" if entry.value.text() != Some("-1") => {
                out.set("save_total_limit", "save_num_checkpoints_to_keep", &entry.value);
            }
            "global_seed" if find("seed").is_some() => {}
            "global_seed" => out.set("seed", "global_seed", &entry.value),
            "load_path" => out.say(entry.place, "`load_path` is not carried over: it is a checkpoint of Composer's"),
            _ => out.carry(entry),
        }
    }
    // What is done where nothing is said, and not here.
    let mut set = |key: &str, value: &str| {
        if !out.has(key) {
            out.set_value(key, Place::File, value);
        }
    };
    if find("algorithms").is_none() {
        set("max_grad_norm", "0");
    }
    if find("precision").is_none() {
        set("dtype", "bf16");
    }
    if find("save_folder").is_some() && find("save_interval").is_none() {
        set("save_steps", "1000");
    }
    set("seed", "17");
    let has_one_epoch = find("max_duration").is_some_and(|entry| entry.value.text() == Some("1ep"));
    if out.has("test_datasets") && find("eval_interval").is_none() && !has_one_epoch {
        let message = "LLM Foundry evaluates after each epoch where `eval_interval` says nothing else, and here only the end is evaluated \
                       without `eval_steps`: write how many optimizer steps an epoch has";
        out.say(Place::File, message);
    }
}

fn model(entry: &Entry, out: &mut Conversion) {
    let find = |key: &str| entry.value.entry(key).filter(|entry| !entry.value.is_null());
    let is_hugging_face = find("name").is_some_and(|name| name.value.text() == Some("hf_causal_lm"));
    if !is_hugging_face {
        let name = find("name").map_or_else(|| "nothing".to_owned(), |name| name.value.found());
        let message = format!(
            "`model.name` is {name}: write the shape as `model_config`, with Hugging Face's names, or a preset of `finery models --presets`"
        );
        return out.say(entry.place, message);
    }
    for inner in entry.value.entries().iter().filter(|inner| !inner.value.is_null()) {
        match inner.key.as_str() {
            "name" => {}
            "pretrained" if inner.value.is(true) => {}
            "pretrained" => {}
            "pretrained_model_name_or_path" => {
                let trained = find("pretrained").is_none_or(|pretrained| pretrained.value.is(true));
                let key = if trained { "base_model" } else { "model_config" };
                out.set(key, "model.pretrained_model_name_or_path", &inner.value);
                out.warn_of_hub_name(key, &inner.value);
            }
            "peft_config" => peft(inner, out),
            _ => out.leave(&format!("model.{}", inner.key), inner),
        }
    }
}

fn peft(entry: &Entry, out: &mut Conversion) {
    out.set_value("adapter", entry.place, "lora");
    for inner in entry.value.entries().iter().filter(|inner| !inner.value.is_null()) {
        let path = format!("model.peft_config.{}", inner.key);
        match (inner.key.as_str(), inner.value.text()) {
            ("r", _) => out.set("lora_r", &path, &inner.value),
            ("lora_alpha" | "lora_dropout", _) => out.set(&inner.key, &path, &inner.value),
            ("target_modules", _) => target_modules::convert(&path, &inner.value, out),
            ("use_rslora", _) => out.set("peft_use_rslora", &path, &inner.value),
            ("peft_type", Some("LORA")) | ("task_type", Some("CAUSAL_LM")) | ("bias", Some("none")) => {}
            ("inference_mode" | "base_model_name_or_path", _) => {}
            _ => out.say(inner.place, format!("`{path}` is not carried over: adapters are LoRA on linear layers")),
        }
    }
    // PEFT's defaults that are not ours.
    let is_given = |key: &str| entry.value.at(key).is_some_and(|value| !value.is_null());
    if !is_given("lora_alpha") {
        out.set_value("lora_alpha", Place::File, 8);
    }
    if !is_given("target_modules") {
        target_modules::write_default(out);
    }
}

/// Needed only where it is not the model's own.
fn tokenizer(entry: &Entry, model: Option<&Entry>, out: &mut Conversion) {
    let find = |entry: &Entry, key: &str| entry.value.entry(key).map(|entry| entry.value.clone());
    let of_model = model.and_then(|model| find(model, "pretrained_model_name_or_path"));
    let is_trained = model.and_then(|model| find(model, "pretrained")).is_none_or(|pretrained| pretrained.is(true));
    for inner in entry.value.entries() {
        match inner.key.as_str() {
            "name" if is_trained && of_model.as_ref().and_then(Node::text) == inner.value.text() => {}
            "name" => {
                out.set("tokenizer", "tokenizer.name", &inner.value);
                out.warn_of_hub_name("tokenizer", &inner.value);
            }
            _ => out.leave(&format!("tokenizer.{}", inner.key), inner),
        }
    }
}

/// The value at a path below a loader's data set.
fn of_dataset<'a>(loader: &'a Node, key: &str) -> Option<&'a Node> {
    loader.entry("dataset")?.value.at(key).filter(|value| !value.is_null())
}

fn is_named(loader: &Node, name: &str) -> bool {
    loader.entry("name").is_some_and(|entry| entry.value.text() == Some(name))
}

/// Rows are as long as the loader says, which mostly repeats the run's length.
fn max_seq_len(entry: &Entry, loader: Option<&Entry>, out: &mut Conversion) {
    let of_loader = loader.and_then(|loader| of_dataset(&loader.value, "max_seq_len"));
    match of_loader.filter(|other| other.number() != entry.value.number()) {
        None => out.set("sequence_len", "max_seq_len", &entry.value),
        Some(other) => {
            let other = other.found();
            let message =
                format!("`max_seq_len` is not carried over: `sequence_len` is that of `train_loader`, {other}");
            out.say(entry.place, message);
        }
    }
}

fn train_loader(entry: &Entry, out: &mut Conversion) {
    let dataset = entry.value.entry("dataset").map(|dataset| &dataset.value);
    let packing = if is_named(&entry.value, "text") {
        "concatenate"
    } else if of_dataset(&entry.value, "packing_ratio").is_some() {
        "true"
    } else {
        "false"
    };
    out.set_value("sample_packing", entry.place, packing);
    if is_named(&entry.value, "finetuning") {
        // Longer samples are cut off, and those with nothing to learn before the cut left out, with which lines go that cannot be read: all are counted.
        out.set_value("excess_length_strategy", entry.place, "truncate");
        out.set_value("skip_bad", entry.place, true);
    }
    if let Some(tokens) = of_dataset(&entry.value, "max_seq_len") {
        out.set("sequence_len", "train_loader.dataset.max_seq_len", tokens);
    }
    for inner in dataset.map(Node::entries).unwrap_or_default() {
        match (inner.key.as_str(), inner.value.text()) {
            ("target_prompts", Some(all)) if all.eq_ignore_ascii_case("all") => {
                out.set_value("train_on_inputs", inner.place, true)
            }
            ("target_prompts", _) => out.leave("train_loader.dataset.target_prompts", inner),
            ("shuffle", _) if inner.value.is(false) => {
                out.say(inner.place, "`train_loader.dataset.shuffle` is `true`: `seed` decides the order")
            }
            _ => {}
        }
    }
    let items = loader("train_loader", &entry.value, out);
    // Where none is found, the result is refused for it.
    if !items.is_empty() {
        out.set("datasets", "train_loader", &Node { place: entry.place, kind: Kind::List(items) });
    }
}

fn eval_loader(entry: &Entry, entries: &[Entry], out: &mut Conversion) {
    let find = |key: &str| entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value);
    for item in entry.value.items() {
        say_of_evaluation(&entry.key, item, find("train_loader"), find("max_seq_len"), out);
    }
    let items: Vec<Node> = entry.value.items().iter().flat_map(|item| loader(&entry.key, item, out)).collect();
    out.set("test_datasets", &entry.key, &Node { place: entry.place, kind: Kind::List(items) });
}

/// Says in what the data set of an evaluation differs from that of training, as it may not here.
fn say_of_evaluation(key: &str, loader: &Node, train: Option<&Node>, max_seq_len: Option<&Node>, out: &mut Conversion) {
    let trained = |key: &str| train.and_then(|train| of_dataset(train, key));
    let rows = trained("max_seq_len").or(max_seq_len);
    if let (Some(tokens), Some(rows)) = (of_dataset(loader, "max_seq_len"), rows)
        && tokens.number() != rows.number()
    {
        let rows = rows.found();
        let message =
            format!("`{key}.dataset.max_seq_len` is not carried over: `sequence_len` is that of training, {rows}");
        out.say(tokens.place, message);
    }
    let word = |prompts: Option<&Node>| prompts.and_then(Node::text).unwrap_or("none").to_ascii_lowercase();
    let prompts = of_dataset(loader, "target_prompts");
    let ours = if word(trained("target_prompts")) == "all" { "all" } else { "none" };
    if is_named(loader, "finetuning") && word(prompts) != ours {
        let place = prompts.map_or(loader.place, |prompts| prompts.place);
        let message =
            format!("`{key}.dataset.target_prompts` is `{ours}`: `train_on_inputs` holds for evaluations too");
        out.say(place, message);
    }
    if of_dataset(loader, "shuffle").is_some_and(|shuffle| shuffle.is(true)) {
        out.unneeded.push(format!("{key}.dataset.shuffle"));
    }
}

/// Of a conversation's answers the last alone is a target there, unless it is said.
fn say_of_answers(key: &str, loader: &Node, out: &mut Conversion) {
    let targets = of_dataset(loader, "target_responses");
    if is_named(loader, "finetuning")
        && !targets.and_then(Node::text).is_some_and(|text| text.eq_ignore_ascii_case("all"))
    {
        let place = targets.map_or(loader.place, |targets| targets.place);
        let message = format!(
            "`{key}.dataset.target_responses` is `all`: the loss counts every answer of a conversation, not the last alone"
        );
        out.say(place, message);
    }
}

/// The data sets of the loader under `key`: one, or one for each of its files.
fn loader(key: &str, value: &Node, out: &mut Conversion) -> Vec<Node> {
    let is_text = is_named(value, "text");
    let Some(dataset) = value.entry("dataset") else { return Vec::new() };
    let find = |key: &str| dataset.value.entry(key).filter(|entry| !entry.value.is_null());
    let files = files(key, &dataset.value, out);
    let sources = match (&files, find("hf_name").or(find("local")).or(find("remote"))) {
        (Some((_, files)), _) => files.clone(),
        (None, Some(name)) => vec![name.value.clone()],
        (None, None) => Vec::new(),
    };
    if let Some(shards) = find("local").or(find("remote")).or(find("streams")) {
        let message = "a folder of MDS shards, or an object store, is not read yet: write its texts into a JSONL file";
        out.say(shards.place, format!("`{}`: {message}", shards.key));
    }
    say_of_answers(key, value, out);
    loader_rest(key, value, dataset, out);
    let item = |path: &Node, out: &mut Conversion| {
        let mut item = DatasetConversion::new(out);
        item.set("path", files.as_ref().map_or("dataset.hf_name", |(from, _)| from), path);
        if files.is_none() {
            item.out.warn_of_hub_name("datasets.path", path);
        }
        if let (Some(split), None, false) = (find("split"), &files, is_text)
            && !item.set("split", "dataset.split", &split.value)
        {
            item.out.say(
                split.place,
                format!("`dataset.split` {} is not carried over: write the path of its file", split.value.found()),
            );
        }
        if is_text {
            item.set("type", "type", &Node::scalar(path.place, "completion"));
        }
        item.ours.contains_key("path").then(|| item.into_node(path.place))
    };
    // All or none, so that no run goes on with a part of its data.
    sources.iter().map(|path| item(path, out)).collect::<Option<_>>().unwrap_or_default()
}

/// What `datasets` of Hugging Face takes for a format, and not for the folder that its files are in.
const FORMATS: [&str; 8] = ["arrow", "csv", "json", "pandas", "parquet", "text", "webdataset", "xml"];

/// Puts the folders that `datasets` looks for it in before the path of a file: that of `hf_name`, and `data_dir` in it.
fn in_folder(file: &Node, folders: &[Option<&Node>]) -> Node {
    let Some(name) = file.text().filter(|name| !name.contains("://")) else { return file.clone() };
    let mut path = PathBuf::new();
    path.extend(folders.iter().filter_map(|folder| folder.and_then(Node::text)));
    match path.as_os_str().is_empty() {
        true => file.clone(),
        false => Node::scalar(file.place, path.join(name).display()),
    }
}

/// The files of a data set as `datasets` of Hugging Face reads them, with the path of the key that names them: one, several, or those of
/// its split. None where there is no such key.
fn files(key: &str, dataset: &Node, out: &mut Conversion) -> Option<(String, Vec<Node>)> {
    let kwargs = dataset.entry("hf_kwargs")?;
    let find = |key: &str| kwargs.value.entry(key).filter(|entry| !entry.value.is_null());
    let (data_files, data_dir) = (find("data_files"), find("data_dir"));
    let files = data_files.or(data_dir)?;
    let hf_name = dataset.at("hf_name").filter(|name| !name.text().is_some_and(|name| FORMATS.contains(&name)));
    if let Some(name) = hf_name {
        // The paths of its files do not show that it may be one.
        out.warn_of_name(&format!("{key}.dataset.hf_name"), name);
    }
    let folders = [hf_name, data_files.and(data_dir).map(|folder| &folder.value)];
    let found = |files: &Node| files.items().iter().map(|file| in_folder(file, &folders)).collect();
    let path = format!("{key}.dataset.hf_kwargs.{}", files.key);
    let split = dataset.at("split").filter(|split| !split.is_null());
    let name = split.and_then(Node::text).unwrap_or("train");
    let (name, part) = name.split_once('[').map_or((name, None), |(name, part)| (name, Some(part)));
    if let (Some(_), Some(split)) = (part, split) {
        let message = format!("`{key}.dataset.split` {} is not carried over: files are read whole", split.found());
        out.say(split.place, message);
    }
    let Kind::Map(splits) = &files.value.kind else { return Some((path, found(&files.value))) };
    match splits.iter().find(|split| split.key == name && !split.value.is_null()) {
        Some(files) => Some((format!("{path}.{name}"), found(&files.value))),
        None => {
            let ours = if key == "train_loader" { "datasets" } else { "test_datasets" };
            let message = format!("`{path}` has no files of the split `{name}`: write their paths as `{ours}`");
            out.say(files.place, message);
            Some((path, Vec::new()))
        }
    }
}

/// What else stands in a loader and its data set. The table has the keys of both kinds of loaders under `train_loader`.
fn loader_rest(key: &str, value: &Node, dataset: &Entry, out: &mut Conversion) {
    const LOADER: [&str; 3] = ["name", "label", "dataset"];
    const FILES: [&str; 2] = ["data_files", "data_dir"];
    const DATASET: [&str; 11] = [
        "local",
        "remote",
        "streams",
        "hf_name",
        "hf_kwargs",
        "split",
        "max_seq_len",
        "packing_ratio",
        "target_prompts",
        "target_responses",
        "shuffle",
    ];
    let files = dataset.value.entry("hf_kwargs").map(|entry| entry.value.entries()).unwrap_or_default();
    let parts: [(&str, &[Entry], &[&str]); 3] = [
        ("", value.entries(), &LOADER),
        (".dataset", dataset.value.entries(), &DATASET),
        (".dataset.hf_kwargs", files, &FILES),
    ];
    for (below, entries, known) in parts {
        for inner in entries.iter().filter(|inner| !known.contains(&inner.key.as_str())) {
            let path = format!("{below}.{}", inner.key);
            out.leave_as(&format!("{key}{path}"), &format!("train_loader{path}"), inner);
        }
    }
}

fn optimizer(entry: &Entry, model: Option<&Entry>, out: &mut Conversion) {
    let find = |key: &str| entry.value.entry(key).filter(|entry| !entry.value.is_null());
    let name = find("name").and_then(|name| name.value.text()).unwrap_or_default();
    if name != "decoupled_adamw" && name != "adamw" {
        out.say(
            entry.place,
            format!("`optimizer.name` `{name}` is not supported yet: the update is AdamW's, which wants other rates"),
        );
    }
    for inner in entry.value.entries() {
        let path = format!("optimizer.{}", inner.key);
        match inner.key.as_str() {
            "name" | "weight_decay" => {}
            "lr" => out.set("learning_rate", &path, &inner.value),
            "eps" => out.set("adam_epsilon", &path, &inner.value),
            "betas" => match inner.value.items() {
                [first, second] => {
                    out.set("adam_beta1", &path, first);
                    out.set("adam_beta2", &path, second);
                }
                _ => out.leave(&path, inner),
            },
            _ => out.leave(&path, inner),
        }
    }
    // PyTorch's decay is ours, a part of the weight times the learning rate. Composer's is a part of the weight.
    let is_composers = name.starts_with("decoupled_");
    if is_composers && find("betas").is_none() {
        out.set_value("adam_beta2", entry.place, 0.95);
    }
    let default = if is_composers { 1e-5 } else { 1e-2 };
    let decay = find("weight_decay").map_or(Some(default), |decay| decay.value.number());
    let rate = if is_composers { find("lr").map_or(Some(1e-3), |rate| rate.value.number()) } else { Some(1.0) };
    match (decay, rate) {
        (Some(decay), Some(rate)) if decay > 0.0 && rate > 0.0 => {
            out.set_value("weight_decay", entry.place, rounded(decay / rate));
            // An adapter is matrices alone.
            let is_adapter = model.and_then(|model| model.value.at("peft_config")).is_some_and(|peft| !peft.is_null());
            if !is_adapter && find("param_groups").is_none() {
                let place = find("weight_decay").map_or(entry.place, |decay| decay.place);
                out.say(place, "`weight_decay` spares norms, biases and other vectors, which LLM Foundry decays too");
            }
        }
        _ => {}
    }
}

fn scheduler(entry: &Entry, out: &mut Conversion) {
    let find = |key: &str| entry.value.entry(key).filter(|entry| !entry.value.is_null());
    /// Keys of its `inv_sqrt_with_warmup` alone.
    const OF_ANOTHER: [&str; 4] = ["t_scale", "t_cooldown", "alpha_f_decay", "alpha_f_cooldown"];
    let known = match find("name").and_then(|name| name.value.text()) {
        Some("cosine_with_warmup") => Some("cosine"),
        Some("linear_decay_with_warmup") => Some("linear"),
        Some("constant_with_warmup") => Some("constant"),
        _ => None,
    };
    match known {
        Some(ours) => out.set_value("lr_scheduler", entry.place, ours),
        None => {
            let found = find("name").map_or_else(|| "nothing".to_owned(), |name| name.value.found());
            let has_floor = find("alpha_f").and_then(|floor| floor.value.number()).is_some_and(|floor| floor > 0.0);
            out.stand_in_cosine("scheduler.name", entry.place, &found, has_floor);
        }
    }
    let ours = known.unwrap_or("cosine");
    for inner in entry.value.entries().iter().filter(|inner| !inner.value.is_null()) {
        let path = format!("scheduler.{}", inner.key);
        let text = inner.value.text().unwrap_or_default();
        match inner.key.as_str() {
            "name" => {}
            "t_warmup" => match (text.strip_suffix("ba"), text.strip_suffix("dur")) {
                (Some("0"), _) => {}
                (Some(steps), _) => out.set("warmup_steps", &path, &Node::scalar(inner.place, steps)),
                (_, Some(part)) => out.set("warmup_ratio", &path, &Node::scalar(inner.place, part)),
                _ => out.leave(&path, inner),
            },
            "alpha_f" if ours == "cosine" => out.set("cosine_min_lr_ratio", &path, &inner.value),
            "alpha_f" if inner.value.number() == Some(0.0) || ours == "constant" => {}
            "alpha_f" => {
                out.say(inner.place, "`scheduler.alpha_f` is not carried over: `lr_scheduler: linear` falls to 0")
            }
            "t_max" if text == "1dur" => {}
            "t_max" => out.say(inner.place, "`scheduler.t_max` is not carried over: the schedule ends with the run"),
            key if known.is_none() && OF_ANOTHER.contains(&key) => {
                out.say(inner.place, format!("`{path}` is not carried over: `lr_scheduler` is `cosine`"));
            }
            _ => out.leave(&path, inner),
        }
    }
}

fn algorithms(entry: &Entry, out: &mut Conversion) {
    let mut clipping = Some(Node::scalar(entry.place, 0));
    for inner in entry.value.entries().iter().filter(|inner| !inner.value.is_null()) {
        let find = |key: &str| inner.value.at(key).filter(|value| !value.is_null());
        match (inner.key.as_str(), find("clipping_threshold"), find("clipping_type")) {
            ("gradient_clipping", Some(_), Some(kind)) if kind.text() != Some("norm") => {
                let message = format!(
                    "`algorithms.gradient_clipping` with `clipping_type` {} is not carried over: gradients are clipped by their norm \
                     over all parameters, to `max_grad_norm`, which is 1 where it is not given",
                    kind.found()
                );
                out.say(inner.place, message);
                clipping = None;
            }
            ("gradient_clipping", Some(threshold), _) => clipping = Some(threshold.clone()),
            _ => out.leave(&format!("algorithms.{}", inner.key), inner),
        }
    }
    if let Some(threshold) = clipping {
        out.set("max_grad_norm", "algorithms.gradient_clipping.clipping_threshold", &threshold);
    }
}

/// A bare number counts epochs.
fn max_duration(entry: &Entry, out: &mut Conversion) {
    let is_bare = entry.value.text().is_some_and(|text| text.replace('_', "").parse::<u64>().is_ok());
    out.set(if is_bare { "num_epochs" } else { "max_duration" }, "max_duration", &entry.value);
}

fn interval(key: &str, entry: &Entry, out: &mut Conversion) {
    match entry.value.text().and_then(|text| text.strip_suffix("ba")) {
        Some(steps) => out.set(key, &entry.key, &Node::scalar(entry.place, steps)),
        None => {
            let found = entry.value.found();
            out.say(
                entry.place,
                format!("`{}` {found} is not carried over: `{key}` counts optimizer steps", entry.key),
            );
        }
    }
}

fn batch(entry: &Entry, micro: Option<&Entry>, out: &mut Conversion) {
    let all = entry.value.number();
    let is_auto = micro.is_some_and(|micro| micro.value.text() == Some("auto"));
    let micro = micro.and_then(|micro| micro.value.number());
    match (all, micro) {
        (Some(all), _) if is_auto && all.fract() == 0.0 => {
            out.set("micro_batch_size", "device_train_microbatch_size", &Node::scalar(entry.place, "auto"));
            out.set_value("global_batch_size", entry.place, all as u64);
        }
        (Some(all), Some(micro)) if micro >= 1.0 && (all / micro).fract() == 0.0 => {
            out.set_value("micro_batch_size", entry.place, micro as u64);
            out.set_value("gradient_accumulation_steps", entry.place, (all / micro) as u64);
        }
        (Some(all), _) if all.fract() == 0.0 => {
            out.set_value("gradient_accumulation_steps", entry.place, all as u64);
            out.say(
                entry.place,
                "`micro_batch_size` is 1: raise it, and lower `gradient_accumulation_steps`, as memory allows",
            );
        }
        _ => out.leave(&entry.key, entry),
    }
}

fn precision(entry: &Entry, out: &mut Conversion) {
    match entry.value.text() {
        Some("amp_bf16") => out.set_value("dtype", entry.place, "bf16"),
        Some("fp32") => out.set_value("dtype", entry.place, "f32"),
        _ => {
            out.say(entry.place, format!("`precision` {} is not supported yet: `dtype` is `auto`", entry.value.found()))
        }
    }
}

fn fsdp(entry: &Entry, out: &mut Conversion) {
    for inner in entry.value.entries() {
        match inner.key.as_str() {
            "activation_checkpointing" if inner.value.is(true) => {
                out.set_value("gradient_checkpointing", inner.place, "full");
            }
            "activation_checkpointing" => {}
            "sharding_strategy" if inner.value.text() != Some("NO_SHARD") => {
                out.say(
                    inner.place,
                    "`fsdp_config.sharding_strategy` is not carried over: write `mesh` for the devices that there are",
                );
            }
            "mixed_precision" if inner.value.text() == Some("PURE") => {
                out.say(
                    inner.place,
                    "`fsdp_config.mixed_precision` `PURE` is not carried over: gradients are added up in f32 unless `mesh` has `reduce_dtype: bf16`",
                );
            }
            "sharding_strategy" => {}
            _ => out.leave(&format!("fsdp_config.{}", inner.key), inner),
        }
    }
}

fn save_folder(entry: &Entry, run_name: Option<&Entry>, out: &mut Conversion) {
    let Some(folder) = entry.value.text() else { return };
    let name = run_name.and_then(|name| name.value.text()).unwrap_or("run");
    let folder = folder.replace("{run_name}", name);
    match folder.contains("://") {
        true => out.say(
            entry.place,
            format!("`save_folder` `{folder}` is not carried over: `output_dir` is a folder on this machine"),
        ),
        false => out.set("output_dir", "save_folder", &Node::scalar(entry.place, folder)),
    }
}
