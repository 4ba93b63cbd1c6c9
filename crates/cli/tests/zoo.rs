//! Every family, through every command that runs a model, as a user runs them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/command.rs"]
mod command;
#[path = "support/folder.rs"]
mod folder;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use checkpoint::{SafetensorsFile, TensorSpec, write_safetensors};
use command::{finery, refusal};
use folder::Folder;
use graph::{DType, HostTensor};
use serde_json::{Map, Value, json};

/// Tokens of the fixtures' models that have a word: `w0`, `w1`, ….
const WORDS: usize = 90;

const ADAPTER: &str = "adapter_model.safetensors";

/// A folder with a family's model of random weights, a tokenizer for it, and data.
struct Scene(Folder);

fn fixture(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/zoo").join(path)
}

fn words(count: usize, first: usize) -> String {
    (0..count).map(|i| format!("w{}", 2 + (first + 7 * i) % (WORDS - 2))).collect::<Vec<_>>().join(" ")
}

impl Scene {
    /// With the first model of a family.
    fn new(family: &str) -> Scene {
        let mut cases: Vec<PathBuf> =
            fs::read_dir(fixture(family)).unwrap().map(|entry| entry.unwrap().path()).collect();
        cases.sort();
        Scene::of(&cases[0])
    }

    /// With a fixture's model.
    fn of(case: &Path) -> Scene {
        let folder = Folder::new();
        fs::create_dir(folder.path("base")).unwrap();
        for name in ["config.json", "model.safetensors"] {
            fs::copy(case.join(name), folder.path("base").join(name)).unwrap();
        }
        let vocabulary: Map<String, Value> = (0..WORDS).map(|id| (format!("w{id}"), json!(id))).collect();
        let tokenizer = json!({
            "version": "1.0", "truncation": null, "padding": null, "normalizer": null, "post_processor": null,
            "added_tokens": [{
                "id": 1, "content": "w1", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true
            }],
            "pre_tokenizer": {"type": "WhitespaceSplit"}, "decoder": null,
            "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "w0"},
        });
        folder.write("base/tokenizer.json", tokenizer.to_string());
        folder.write("base/tokenizer_config.json", json!({"eos_token": "w1"}).to_string());
        let template = "{% for message in messages %}{{ message.content }} {% endfor %}";
        folder.write("base/chat_template.jinja", template);
        let row =
            |i: usize| json!({"prompt": words(2 + i % 3, i), "completion": format!(" {}", words(3 + i % 5, 3 * i))});
        let rows: String = (0..24).map(|i| row(i).to_string() + "\n").collect();
        folder.write("data.jsonl", rows);
        folder.write(
            "full.yaml",
            "base_model: base\ndatasets: [{path: data.jsonl}]\nsequence_len: 32\nsample_packing: true\nmicro_batch_size: 2\n\
             max_steps: 3\nsave_steps: 2\nlogging_steps: 1\nlearning_rate: 1.0e-3\noutput_dir: full\n",
        );
        folder.write(
            "adapter.yaml",
            "base_model: base\nadapter: lora\nlora_r: 2\nlora_dropout: 0.1\nlora_target_modules: all-linear\n\
             datasets: [{path: data.jsonl}]\nsequence_len: 32\nmicro_batch_size: 2\nmax_steps: 3\nsave_steps: 2\n\
             logging_steps: 1\nlearning_rate: 1.0e-2\noutput_dir: adapter\n",
        );
        folder.write("tokens.jsonl", json!({"tokens": [5, 9, 17, 33, 2, 60]}).to_string() + "\n");
        Scene(folder)
    }

    /// Runs a command that must succeed, and gives its standard output.
    #[track_caller]
    fn run(&self, words: &[&str]) -> String {
        let output = self.0.run(words);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "finery {words:?}: {stderr}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Trains as `<run>.yaml` says, and goes on from step 2 of 3 in another folder: to the same weights, bit for bit.
    #[track_caller]
    fn check_resuming(&self, run: &str, weights: &str) {
        let (config, again) = (format!("{run}.yaml"), format!("{run}_again"));
        self.run(&["train", &config, "--device", "cpu"]);
        let from = format!("resume_from_checkpoint={run}/checkpoints/step-00000002");
        self.run(&["train", &config, &from, &format!("output_dir={again}"), "--device", "cpu"]);
        let steps = |run: &str| -> Vec<u64> {
            let records = fs::read_to_string(self.0.path(run).join("metrics.jsonl")).unwrap();
            let records = records.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
            let steps = records.filter(|record| record.get("loss").is_some());
            steps.map(|record| record["step"].as_u64().unwrap()).collect()
        };
        assert_eq!((steps(run), steps(&again)), (vec![1, 2, 3], vec![3]), "{run}");
        let [weights, resumed] = [run, &again].map(|run| fs::read(self.0.path(run).join(weights)).unwrap());
        assert!(weights == resumed, "{run} has other weights when it is resumed");
    }

    /// The log-probabilities of a row of token ids.
    #[track_caller]
    fn score(&self, model: &[&str]) -> Vec<f64> {
        let line = self.run(&[&["score", "--input", "tokens.jsonl", "--device", "cpu"], model].concat());
        let score: Value = serde_json::from_str(&line).unwrap();
        score["logprobs"].as_array().unwrap().iter().map(|logprob| logprob.as_f64().unwrap()).collect()
    }
}

#[track_caller]
fn check(family: &str) {
    let scene = Scene::new(family);
    let report: Value = serde_json::from_str(&scene.run(&["inspect", "base", "--json"])).unwrap();
    assert_eq!(report["model_type"], family);

    let base = scene.score(&["--model", "base"]);
    for (run, weights) in [("full", "model.safetensors"), ("adapter", ADAPTER)] {
        scene.check_resuming(run, weights);
    }
    let trained = scene.score(&["--model", "full"]);
    assert_ne!(base, trained, "it learns");
    let adapted = scene.score(&["--model", "base", "--adapter", "adapter"]);
    assert_ne!(base, adapted, "an adapter learns");
    scene.run(&[
        "merge",
        "--model",
        "base",
        "--adapter",
        "adapter",
        "--output",
        "merged",
        "--dtype",
        "f32",
        "--device",
        "cpu",
    ]);
    // Without a tokenizer, which token ids do not need.
    fs::remove_file(scene.0.path("merged/tokenizer.json")).unwrap();
    // Of order one to ten, from sums in f32 that merging takes in another order.
    for (merged, adapted) in scene.score(&["--model", "merged"]).into_iter().zip(adapted) {
        assert!((merged - adapted).abs() < 1e-4, "{merged} is not {adapted}");
    }
    scene.run(&["export", "--model", "full", "--output", "exported", "--device", "cpu"]);
    assert_eq!(scene.score(&["--model", "exported"]), trained);

    let loss: Value = serde_json::from_str(&scene.run(&[
        "eval",
        "loss",
        "--model",
        "base",
        "--input",
        "data.jsonl",
        "--json",
        "--device",
        "cpu",
    ]))
    .unwrap();
    assert!(loss["loss"].as_f64().is_some_and(f64::is_finite), "{loss}");
    let prompt = words(5, 1);
    let generate =
        ["generate", "--model", "base", "--raw", "--prompt", &prompt, "--max-tokens", "9", "--device", "cpu"];
    let answer = scene.run(&generate);
    assert!(answer.split_whitespace().all(|word| word.starts_with('w')) && !answer.is_empty(), "{answer}");
    let chat = ["chat", "--model", "base", "--max-tokens", "4", "--device", "cpu"];
    let mut chat = finery(scene.0.root())
        .args(chat)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    chat.stdin.take().unwrap().write_all(format!("{prompt}\n").as_bytes()).unwrap();
    let output = chat.wait_with_output().unwrap();
    assert!(output.status.success() && !output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn an_adapter_of_another_family_is_refused() {
    let scene = Scene::new("gpt2");
    let adapter = fixture("llama/grouped/adapter");
    let words = ["score", "--input", "tokens.jsonl", "--device", "cpu", "--model", "base", "--adapter"];
    let output = finery(scene.0.root()).args(words).arg(&adapter).output().unwrap();
    let told = refusal(&output);
    assert!(
        told.contains("adapter_model.safetensors: target_modules (\"down_proj\") names no linear module of the model"),
        "{told}"
    );
}

/// PEFT takes the output layer and the embedding apart where an adapter names either: each has a weight of its own from then on.
#[test]
fn adapters_part_the_output_layer_from_the_embedding() {
    let scene = Scene::new("qwen2");
    scene.0.write("parting.yaml", {
        let keys = fs::read_to_string(scene.0.path("adapter.yaml")).unwrap();
        let keys = keys.replace("all-linear", "[q_proj, lm_head]\nlora_modules_to_save: [embed_tokens]");
        keys.replace("output_dir: adapter", "output_dir: parting")
    });
    scene.check_resuming("parting", ADAPTER);
    let again =
        ["train", "parting.yaml", "max_steps=4", "lora_target_modules=[q_proj]", "lora_modules_to_save=[]", "--resume"];
    let told = refusal(&scene.0.run(&[&again[..], &["--device", "cpu"]].concat()));
    assert!(told.contains("lm_head: \"rank 2, scale 8\" -> ") && !told.contains("tie_word_embeddings"), "{told}");
    let adapted = scene.score(&["--model", "base", "--adapter", "parting"]);
    assert_ne!(adapted, scene.score(&["--model", "base"]));
    let words =
        ["merge", "--model", "base", "--adapter", "parting", "--output", "merged", "--dtype", "f32", "--device", "cpu"];
    scene.run(&words);
    for (merged, adapted) in scene.score(&["--model", "merged"]).into_iter().zip(&adapted) {
        assert!((merged - adapted).abs() < 1e-4, "{merged} is not {adapted}");
    }
    let config: Value = serde_json::from_slice(&fs::read(scene.0.path("merged/config.json")).unwrap()).unwrap();
    assert_eq!(config["tie_word_embeddings"], false);
    let tensor = |folder: &str, file: &str, name: &str| {
        SafetensorsFile::open(scene.0.path(folder).join(file)).unwrap().tensor(name).unwrap().to_f32()
    };
    let [embedding, head] =
        ["model.embed_tokens.weight", "lm_head.weight"].map(|name| tensor("merged", "model.safetensors", name));
    let base = tensor("base", "model.safetensors", "model.embed_tokens.weight");
    assert!(embedding != base && head != base && embedding != head);
    assert!(tensor("parting", ADAPTER, "base_model.model.model.embed_tokens.weight") == embedding);
    // Whatever a configuration says beside such weights.
    scene.0.write("merged/config.json", fs::read(scene.0.path("base/config.json")).unwrap());
    let parameters = |model: &str| -> usize {
        let report: Value = serde_json::from_str(&scene.run(&["inspect", model, "--json"])).unwrap();
        report["parameters"].as_u64().unwrap() as usize
    };
    assert_eq!(parameters("merged"), parameters("base") + head.len());
}

/// Adapters that PEFT made, trained further by next to nothing: the same tensors, under the same names.
#[test]
fn what_peft_wrote_is_written_back_under_its_names() {
    let adapters = [
        ("qwen2/full", "head"),
        ("qwen2/full", "saved"),
        ("gpt_neox/parallel", "head"),
        ("gpt_neox/parallel", "saved"),
        ("mixtral/window", "router"),
    ];
    for (case, name) in adapters {
        let scene = Scene::of(&fixture(case));
        let adapter = fixture(case).join("adapters").join(name);
        scene.0.write("on.yaml", format!(
            "base_model: base\nadapter: lora\nlora_model_dir: {}\ndatasets: [{{path: data.jsonl}}]\nsequence_len: 32\n\
             micro_batch_size: 2\nmax_steps: 1\nlearning_rate: 1e-30\noutput_dir: on\n",
            adapter.display()
        ));
        scene.run(&["train", "on.yaml", "--device", "cpu"]);
        let [before, after] =
            [adapter.join(ADAPTER), scene.0.path("on").join(ADAPTER)].map(|path| SafetensorsFile::open(path).unwrap());
        assert!(before.names().eq(after.names()), "{case} {name}");
        for tensor in before.names() {
            let [before, after] = [&before, &after].map(|file| file.tensor(tensor).unwrap().to_f32());
            assert!(before == after, "{case} {name}: {tensor}");
        }
    }
}

/// Without an output layer in its files, a model whose family does not tie is incomplete, whatever an adapter would make of it.
#[test]
fn an_embedding_is_taken_for_the_output_layer_of_a_tied_model_alone() {
    let case = fixture("llama/grouped");
    let scene = Scene::of(&case);
    let file = SafetensorsFile::open(case.join("model.safetensors")).unwrap();
    let spec = |name: &str| TensorSpec::new(name, DType::F32, file.shape(name).unwrap());
    let specs: Vec<TensorSpec> = file.names().filter(|name| *name != "lm_head.weight").map(spec).collect();
    write_safetensors(scene.0.path("base/model.safetensors"), &specs, |spec| Ok(file.tensor(&spec.name)?)).unwrap();
    for key in ["lora_modules_to_save=[lm_head]", "lora_target_modules=[lm_head]"] {
        let told =
            refusal(&finery(scene.0.root()).args(["train", "adapter.yaml", key, "--device", "cpu"]).output().unwrap());
        assert!(told.contains("1 missing: \"lm_head.weight\""), "{told}");
    }
}

/// Of all experts in one tensor, as PEFT makes them for transformers 5.
#[test]
fn adapters_of_parameters_are_run_and_merged_and_not_trained_further() {
    let scene = Scene::of(&fixture("mixtral/window"));
    let adapter = fixture("mixtral/window/adapters/all");
    let adapter = adapter.to_str().unwrap();
    let adapted = scene.score(&["--model", "base", "--adapter", adapter]);
    assert_ne!(adapted, scene.score(&["--model", "base"]));
    let words =
        ["merge", "--model", "base", "--adapter", adapter, "--output", "merged", "--dtype", "f32", "--device", "cpu"];
    scene.run(&words);
    for (merged, adapted) in scene.score(&["--model", "merged"]).into_iter().zip(adapted) {
        assert!((merged - adapted).abs() < 1e-4, "{merged} is not {adapted}");
    }
    let words = ["train", "adapter.yaml", &format!("lora_model_dir={adapter}"), "--device", "cpu"];
    let told = refusal(&finery(scene.0.root()).args(words).output().unwrap());
    assert!(told.contains("the adapter has target_parameters (`down_proj`)"), "{told}");

    // Trained in full, as PEFT writes that.
    let [from, to] = [fixture("mixtral/window/adapters/router"), scene.0.path("experts")];
    fs::create_dir(&to).unwrap();
    let mut config: Value = serde_json::from_slice(&fs::read(from.join("adapter_config.json")).unwrap()).unwrap();
    config["modules_to_save"] = json!(["experts"]);
    fs::write(to.join("adapter_config.json"), config.to_string()).unwrap();
    let lora = SafetensorsFile::open(from.join(ADAPTER)).unwrap();
    let shape = |name: &str| if name.ends_with("down_proj") { vec![4, 32, 24] } else { vec![4, 48, 32] };
    let spec = |name: &str| TensorSpec::new(name, DType::F32, lora.shape(name).unwrap());
    let mut specs: Vec<TensorSpec> = lora.names().filter(|name| name.contains("lora_")).map(spec).collect();
    for (layer, name) in (0..3).flat_map(|layer| ["gate_up_proj", "down_proj"].map(|name| (layer, name))) {
        let name = format!("base_model.model.model.layers.{layer}.mlp.experts.{name}");
        specs.push(TensorSpec::new(name.as_str(), DType::F32, shape(&name)));
    }
    let values = |spec: &TensorSpec| match lora.tensor(&spec.name) {
        Ok(tensor) => Ok(tensor),
        Err(_) => Ok(HostTensor::from_vec(&spec.shape, vec![0.01_f32; spec.shape.iter().product()])?),
    };
    write_safetensors(to.join(ADAPTER), &specs, values).unwrap();
    scene.score(&["--model", "base", "--adapter", "experts"]);
    let words = ["train", "adapter.yaml", "lora_model_dir=experts", "--device", "cpu"];
    let told = refusal(&finery(scene.0.root()).args(words).output().unwrap());
    assert!(told.contains("experts.0.w1.weight` in one tensor with that of other experts"), "{told}");
}

/// PEFT writes the weight of an adapted output layer beside its adapter, and it need not be the base's.
#[test]
fn an_output_layer_of_the_adapters_own_stays() {
    let case = fixture("llama/grouped");
    let scene = Scene::of(&case);
    let head = "base_model.model.lm_head.base_layer.weight";
    let write = |name: &str, change: f32| {
        let [from, to] = [case.join("adapters/some_layers"), scene.0.path(name)];
        fs::create_dir_all(&to).unwrap();
        fs::copy(from.join("adapter_config.json"), to.join("adapter_config.json")).unwrap();
        let file = SafetensorsFile::open(from.join(ADAPTER)).unwrap();
        let spec = |name: &str| TensorSpec::new(name, DType::F32, file.shape(name).unwrap());
        let specs: Vec<TensorSpec> = file.names().map(spec).collect();
        let changed = |spec: &TensorSpec| {
            let change = if spec.name == head { change } else { 0.0 };
            let values = file.tensor(&spec.name)?.to_f32().into_iter().enumerate();
            let values = values.map(|(at, value)| value + change * (at as f32).sin()).collect();
            Ok(HostTensor::from_vec(&spec.shape, values)?)
        };
        write_safetensors(to.join(ADAPTER), &specs, changed).unwrap();
    };
    write("first", 0.5);
    write("second", -0.5);
    let keys = "base_model: base\nadapter: lora\nlora_model_dir: first\ndatasets: [{path: data.jsonl}]\nsequence_len: 32\n\
                micro_batch_size: 2\nlearning_rate: 1.0e-2\nlr_scheduler: constant\nsave_steps: 1\ndtype: bf16\n";
    scene.0.write("on.yaml", keys);
    let score = |adapter: &str| scene.score(&["--model", "base", "--adapter", adapter]);
    let held = |adapter: &str| {
        let file = SafetensorsFile::open(scene.0.path(adapter).join(ADAPTER)).unwrap();
        file.tensor(head).unwrap().to_f32()
    };
    let train = |words: &[&str]| scene.run(&[&["train", "on.yaml", "--device", "cpu"], words].concat());
    train(&["output_dir=run", "max_steps=2"]);
    assert!(held("run") == held("first"));
    let saved = "run/checkpoints/step-00000002";
    assert_eq!(score("run"), score(saved));
    train(&["output_dir=whole", "max_steps=3"]);
    train(&["output_dir=on", "max_steps=1", "learning_rate=1e-30", &format!("lora_model_dir={saved}")]);
    assert_eq!(score("on"), score("run"), "from a checkpoint");

    // The run goes on over that weight alone.
    let resume = ["output_dir=run", "max_steps=3", "--resume"];
    let refused = |more: &str| {
        let words = [&["train", "on.yaml", "--device", "cpu", more], &resume[..]].concat();
        refusal(&scene.0.run(&words))
    };
    let told = refused("lora_model_dir=second");
    let expected = "mean something else (lora_model_dir: first -> second, with another lm_head.weight)";
    assert!(told.contains(expected), "{told}");
    write("first", -0.5);
    let told = refused("dtype=bf16");
    let expected = "mean something else (lora_model_dir: first has another lm_head.weight than then)";
    assert!(told.contains(expected), "{told}");
    write("first", 0.5);
    train(&resume);
    let adapter = |run: &str| fs::read(scene.0.path(run).join(ADAPTER)).unwrap();
    assert!(adapter("run") == adapter("whole"));
}

#[test]
fn rows_are_not_longer_than_the_positions_that_are_learned() {
    let scene = Scene::new("gpt2");
    let output =
        finery(scene.0.root()).args(["train", "full.yaml", "sequence_len=4096", "--device", "cpu"]).output().unwrap();
    let told = refusal(&output);
    assert!(told.contains("sequence_len is 4096, but the model has learned"), "{told}");
}

/// Python writes infinity where JSON has none; what is written in its place is what transformers reads.
#[test]
fn an_infinite_number_of_a_config_is_exported() {
    let scene = Scene::new("mamba2");
    let config = fs::read_to_string(scene.0.path("base/config.json")).unwrap();
    let fields = config.trim_end().strip_suffix('}').unwrap();
    scene.0.write("base/config.json", format!("{fields}, \"time_step_limit\": [0.0, Infinity]}}"));
    scene.run(&["export", "--model", "base", "--output", "exported", "--device", "cpu"]);
    let exported: Value = serde_json::from_slice(&fs::read(scene.0.path("exported/config.json")).unwrap()).unwrap();
    assert_eq!(exported["time_step_limit"], json!([0.0, { "__float__": "Infinity" }]));
}

/// A model that sets no limit has windows all the same, so that a long text does not take memory for all its tokens at once.
#[test]
fn long_texts_are_scored_in_windows_where_there_is_no_limit() {
    let scene = Scene::new("mamba");
    let tokens: Vec<usize> = (0..3000).map(|i| i * 7919 % WORDS).collect();
    scene.0.write("tokens.jsonl", json!({"tokens": tokens}).to_string() + "\n");
    let words = ["score", "--input", "tokens.jsonl", "--device", "cpu", "--model", "base"];
    let told = refusal(&finery(scene.0.root()).args(words).output().unwrap());
    let expected =
        "3000 tokens do not fit into the context of 2048: shorten the text, or give --stride or a longer --context";
    assert!(told.contains(expected), "{told}");
    for more in [["--stride", "1024"], ["--context", "4096"]] {
        assert_eq!(scene.score(&[&["--model", "base"], &more[..]].concat()).len(), 2999);
    }
}

/// PEFT (`_check_lora_target_modules_mamba`) refuses adapters of Mamba's output projections, so that nobody gets one without asking for it.
#[test]
fn modules_that_peft_refuses_have_to_be_asked_for() {
    for (family, all) in [("mamba", &["in_proj", "x_proj"][..]), ("mamba2", &["in_proj"])] {
        let scene = Scene::new(family);
        let targets = || -> Value {
            let text = fs::read_to_string(scene.0.path("adapter/adapter_config.json")).unwrap();
            serde_json::from_str::<Value>(&text).unwrap()["target_modules"].clone()
        };
        scene.run(&["train", "adapter.yaml", "--device", "cpu"]);
        assert_eq!(targets(), json!(all));
        fs::remove_dir_all(scene.0.path("adapter")).unwrap();
        let output = scene.0.run(&["train", "adapter.yaml", "lora_target_modules=[out_proj]", "--device", "cpu"]);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{told}");
        assert_eq!(
            told.matches("warning: adapters of `out_proj` in models of this type are refused by PEFT 0.21").count(),
            1,
            "{told}"
        );
        assert_eq!(targets(), json!(["out_proj"]));
        scene.run(&["merge", "--model", "base", "--adapter", "adapter", "--output", "merged", "--device", "cpu"]);
    }
}

/// A preset is as good as its `config.json`: training from scratch begins with it.
#[test]
fn every_preset_describes_a_model() {
    let scene = Scene::new("llama");
    let list = scene.run(&["models", "--presets", "--json"]);
    let presets: Vec<Value> = list.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let named =
        |name: &str| presets.iter().find(|preset| preset["name"] == name).unwrap()["parameters"].as_u64().unwrap();
    // Counted by hand, mpt-7b with its vocabulary of 50,368 tokens; the names are rounded.
    let counts = ["llama-1b", "llama-7b", "mpt-7b", "mamba-130m"].map(named);
    assert_eq!(counts, [1_235_814_400, 6_738_415_616, 6_649_024_512, 129_135_360]);
    let report: Value = serde_json::from_str(&scene.run(&["inspect", "mpt-125m", "--json"])).unwrap();
    assert_eq!(report["model_type"], "mpt");
    // Training is three times the forward pass, of the same positions.
    let flops = |key: &str| report[key].as_f64().unwrap();
    assert_eq!(flops("training_flops_per_token"), 3.0 * flops("flops_per_token"));
    let check = ["config", "check", "full.yaml", "base_model=null", "model_config=mamba-130m", "tokenizer=base"];
    scene.run(&check);
}

/// A run's own folder may have the preset's name: a run that is resumed begins with the shape that it began with.
#[test]
fn a_model_wins_over_a_preset_of_its_name_unless_the_run_writes_it() {
    let scene = Scene::new("llama");
    let check = |output: &str| {
        let words = [
            "config",
            "check",
            "full.yaml",
            "base_model=null",
            "model_config=mpt-125m",
            "tokenizer=base",
            "--overwrite",
            output,
        ];
        finery(scene.0.root()).args(words).output().unwrap()
    };
    fs::create_dir(scene.0.path("mpt-125m")).unwrap();
    assert!(check("output_dir=other").status.success(), "an empty folder is no model");
    scene.run(&["inspect", "mpt-125m"]);
    scene.0.write("mpt-125m/config.json", "{}");
    let told = refusal(&check("output_dir=other"));
    assert!(told.contains("mpt-125m/config.json: `model_type` is missing"), "{told}");
    // As runs mark their folders.
    scene.0.write("mpt-125m/config.yaml", "");
    for output in ["output_dir=mpt-125m", "output_dir=./mpt-125m"] {
        let checked = check(output);
        assert!(checked.status.success(), "{output}: {}", String::from_utf8_lossy(&checked.stderr));
    }
}

#[test]
fn inspect_names_the_model_of_an_adapter() {
    let scene = Scene::new("llama");
    fs::create_dir(scene.0.path("tuned")).unwrap();
    for (config, told) in [
        (
            r#"{"peft_type": "LORA", "base_model_name_or_path": "base"}"#,
            "tuned is an adapter of the model base: `finery inspect base` says what that is and costs",
        ),
        (
            // Not the preset of that name.
            r#"{"peft_type": "LORA", "base_model_name_or_path": "mpt-125m"}"#,
            "tuned is an adapter of the model mpt-125m, which is found neither from here nor from the folders around the adapter: inspect that",
        ),
        (r#"{"peft_type": "LORA"}"#, "tuned is an adapter, which does not name its base model: inspect that"),
    ] {
        scene.0.write("tuned/adapter_config.json", config);
        let output = finery(scene.0.root()).args(["inspect", "tuned"]).output().unwrap();
        assert_eq!(refusal(&output), told);
    }
    // From elsewhere the name alone leads nowhere, and the adapter is used all the same.
    scene.0.write("tuned/adapter_config.json", r#"{"peft_type": "LORA", "base_model_name_or_path": "base"}"#);
    fs::create_dir(scene.0.path("elsewhere")).unwrap();
    let (tuned, base) = (scene.0.path("tuned"), scene.0.path("base"));
    let output = finery(&scene.0.path("elsewhere")).arg("inspect").arg(&tuned).output().unwrap();
    let (tuned, base) = (tuned.display(), base.display());
    let told = format!("{tuned} is an adapter of the model base: `finery inspect {base}` says what that is and costs");
    assert_eq!(refusal(&output), told);
}

/// Both sizes are multiplied with the model's.
#[test]
fn inspect_takes_no_size_that_no_model_has() {
    let scene = Scene::new("llama");
    for (option, most) in [("--context", "2147483647"), ("--lora-r", "4096")] {
        scene.run(&["inspect", "llama-7b", option, most]);
        for value in ["0", "18446744073709551615"] {
            let output = finery(scene.0.root()).args(["inspect", "llama-7b", option, value]).output().unwrap();
            let told = String::from_utf8(output.stderr).unwrap();
            let rule = format!("'{value}' for '{option} <");
            assert!(told.contains(&rule), "{told}");
            assert!(told.contains(&format!(">': it should be a whole number from 1 to {most}")), "{told}");
        }
    }
}

#[test]
fn the_list_of_models_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/models.md");
    let output = finery(&std::env::temp_dir()).args(["models", "--markdown"]).output().unwrap();
    let written = fs::read_to_string(path).unwrap_or_default();
    let made = String::from_utf8(output.stdout).unwrap();
    assert_eq!(written, made, "run `finery models --markdown > docs/models.md`");
}

macro_rules! families {
    ($($family:ident)*) => {
        $(#[test]
        fn $family() {
            check(stringify!($family));
        })*

        #[test]
        fn all_families_are_run() {
            let output = finery(&std::env::temp_dir()).args(["models", "--json"]).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            let known = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["model_type"].as_str().unwrap().to_owned());
            assert_eq!(known.collect::<Vec<_>>(), [$(stringify!($family)),*]);
        }
    };
}

families! {
    falcon
    gemma2
    gemma3_text
    gpt2
    gpt_neox
    llama
    mamba
    mamba2
    mistral
    mixtral
    mpt
    olmo2
    phi3
    qwen2
    qwen3
    qwen3_moe
    starcoder2
}
