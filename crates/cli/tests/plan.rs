//! `finery plan` through the real binary: steps for the processor taken for eight devices, and what is refused.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/command.rs"]
mod command;
#[path = "support/folder.rs"]
mod folder;

use std::path::Path;

use command::{finery, refusal};
use folder::Folder;
use serde_json::Value;

/// Four layers, of which each device holds an eighth, and no tokenizer or data: a plan needs none.
const CONFIG: &str = "model_config: {model_type: llama, vocab_size: 96, hidden_size: 64, intermediate_size: 128, num_hidden_layers: 4, \
    num_attention_heads: 8, num_key_value_heads: 8, max_position_embeddings: 64}\ntokenizer: nowhere\n\
    datasets: [{path: nowhere.jsonl}]\nsequence_len: 32\nsample_packing: false\nmicro_batch_size: 16\nscan_layers: true\n\
    learning_rate: 1.0e-3\n";

/// The model's parameters, by its sizes.
const PARAMETERS: u64 = 2 * 96 * 64 + 4 * (4 * 64 * 64 + 3 * 64 * 128 + 2 * 64) + 64;

fn scene() -> Folder {
    let folder = Folder::new();
    folder.write("run.yaml", CONFIG);
    folder
}

fn plan(folder: &Folder, words: &[&str]) -> String {
    let output = folder.run(&[&["plan", "run.yaml"], words].concat());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "finery plan {words:?}: {stderr}");
    String::from_utf8(output.stdout).unwrap()
}

fn refused(folder: &Folder, words: &[&str]) -> String {
    refusal(&folder.run(&[&["plan", "run.yaml"], words].concat()))
}

#[test]
fn memory_exchanges_and_products_are_those_of_the_sizes() {
    let folder = scene();
    let of = |words: &[&str]| -> Value {
        serde_json::from_str(&plan(&folder, &[&["--target", "cpu:8", "--json"], words].concat())).unwrap()
    };
    let (sharded, whole) = (of(&["mesh.fsdp=8"]), of(&["mesh.dp=8"]));
    let held = |plan: &Value, what: &str| plan["memory"][what].as_u64().unwrap();
    assert_eq!((held(&whole, "trained"), held(&whole, "optimizer")), (4 * PARAMETERS, 8 * PARAMETERS));
    assert_eq!((held(&sharded, "trained"), held(&sharded, "optimizer")), (PARAMETERS / 2, PARAMETERS));
    for plan in [&sharded, &whole] {
        let parts = ["trained", "frozen", "optimizer", "data", "gradients", "activations", "other"];
        assert_eq!(parts.map(|part| held(plan, part)).iter().sum::<u64>(), held(plan, "total"));
        assert_eq!((&plan["estimate"], &plan["loops_unknown"]), (&Value::Null, &Value::from(0)));
        // What the mathematics asks for is computed, an eighth on each device, and less than a half more again.
        let [asked, computed] = ["model_flops", "device_flops"].map(|key| plan[key].as_f64().unwrap());
        assert!(asked < 8.0 * computed && 8.0 * computed < 1.5 * asked, "{asked} and 8 x {computed}");
    }
    let exchanged = |plan: &Value, kind: &str| {
        let all = plan["exchanges"].as_array().unwrap();
        let one = all.iter().find(|one| one["kind"] == kind);
        one.map_or((0, 0), |one| (one["bytes"].as_u64().unwrap(), one["sent_bytes"].as_u64().unwrap()))
    };
    // Gradients of all parameters are summed; a ring sends seven eighths of them twice. Beside them there is the loss.
    let (summed, sent) = exchanged(&whole, "all-reduce");
    assert!((4 * PARAMETERS..4 * PARAMETERS + 64).contains(&summed), "{summed} bytes of {PARAMETERS} parameters");
    assert!(sent.abs_diff(summed * 7 / 4) < 64 && exchanged(&whole, "all-gather") == (0, 0), "{sent}");
    // Loops count as often as they run: the weights of all layers are gathered forward and backward.
    let (gathered, _) = exchanged(&sharded, "all-gather");
    let layers = 4 * 4 * (4 * 64 * 64 + 3 * 64 * 128);
    assert!(2 * layers <= gathered && gathered < 3 * 4 * PARAMETERS, "{gathered} bytes; layers have {layers}");
}

#[test]
fn a_plan_is_a_table_for_people() {
    let text = plan(&scene(), &["--target", "cpu:4", "mesh.fsdp=auto", "gradient_accumulation_steps=2"]);
    for line in [
        "target       cpu:4: 4 x cpu in one machine",
        "mesh         dp 1 x fsdp 4 x mp 1",
        "step         2 x 16 x 32 = 1024 tokens",
        "each device holds",
        "fits",
        "all-gather",
        "no estimate",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

/// Below those of attention, in the same words.
#[test]
fn kernels_are_named_of_what_the_model_has() {
    let folder = scene();
    let plain = |what: &str| format!("plain {what}: there is no fused kernel for cpu");
    let (attention, scan, products) =
        (plain("attention"), plain("scan of state spaces"), plain("products with experts"));
    let mamba =
        "model_config={model_type: mamba, vocab_size: 96, hidden_size: 64, num_hidden_layers: 1, state_size: 8}";
    let mixture = ["model_config.model_type=mixtral", "model_config.num_local_experts=4"];
    for (words, told) in [
        (&[][..], [Some(&*attention), None, None]),
        (&[mamba], [Some("no attention"), Some(&scan), None]),
        (&mixture, [Some(&attention), None, Some(&products)]),
    ] {
        let text = plan(&folder, &[&["--target", "cpu"], words].concat());
        let names = ["attention    ", "state spaces ", "experts      "];
        let lines: Vec<&str> = text.lines().skip(3).take_while(|line| !line.starts_with("compiled")).collect();
        let expected = names.iter().zip(told).filter_map(|(name, told)| Some(format!("{name}{}", told?)));
        assert_eq!(lines, expected.collect::<Vec<_>>());
        let json: Value =
            serde_json::from_str(&plan(&folder, &[&["--target", "cpu", "--json"], words].concat())).unwrap();
        assert_eq!(["attention", "state_spaces", "experts"].map(|key| json[key].as_str()), told);
    }
}

/// As a run would find it. A processor's memory is that of the machine, so that the global batch is what bounds it here.
#[test]
fn a_micro_batch_is_found_and_planned() {
    let folder = scene();
    // One size of the mesh is what the target has, too.
    let words = ["--target", "cpu:2", "mesh.fsdp=auto", "micro_batch_size=auto", "global_batch_size=12", "--json"];
    let plan: Value = serde_json::from_str(&plan(&folder, &words)).unwrap();
    assert_eq!((&plan["micro_batch_size"], &plan["gradient_accumulation_steps"]), (&Value::from(12), &Value::from(1)));
    assert_eq!(plan["mesh"], serde_json::json!([1, 2, 1]));
    let wide = ["--target", "cpu:2", "mesh.fsdp=2", "micro_batch_size=auto", "sequence_len=2000000000"];
    let message = refused(&folder, &wide);
    assert!(
        message.starts_with("micro_batch_size: auto finds none for cpu:2: a step of 2 rows, the fewest"),
        "{message}"
    );
}

/// No weights, tokenizer or data are read: a base model is its `config.json` alone, or a preset.
#[test]
fn a_base_model_needs_no_weights() {
    let folder = scene();
    let lora =
        CONFIG.replace("model_config:", "base_model: base\nadapter: lora\n# ").replace("tokenizer: nowhere\n", "");
    folder.write("run.yaml", lora.replace("base_model: base", "base_model: llama-15m"));
    let plan: Value = serde_json::from_str(&plan(&folder, &["--target", "cpu:2", "mesh.fsdp=2", "--json"])).unwrap();
    let memory = &plan["memory"];
    // llama-15m's, in f32, over two devices.
    assert_eq!(memory["frozen"].as_u64(), Some(4 * 15_191_712 / 2));
    assert!(memory["trained"].as_u64().is_some_and(|bytes| bytes > 0), "{memory}");
}

#[test]
fn what_cannot_be_planned_says_what_to_do() {
    let folder = scene();
    for (words, rule) in [
        (
            &["--target", "cpu:8"][..],
            "the target cpu:8 has 8 devices, and the mesh is of 1 (dp 1 x fsdp 1 x mp 1): give `--target` as many",
        ),
        (&["--target", "cpu:2", "mesh.fsdp=4"], "has 2 devices, and the mesh is of 4 (dp 1 x fsdp 4 x mp 1)"),
        (&["--target", "cpu:3", "mesh.dp=3"], "`micro_batch_size` is 16, and the mesh spreads rows over 3 devices"),
        (&["--target", "cpu:2", "--search"], "searching for the fastest on cpu:2: its rates are not known"),
    ] {
        let message = refused(&folder, words);
        assert!(message.contains(rule), "{words:?}: {message}");
    }
    // With a cache that has nothing in it, and no Python.
    let empty = Path::new("empty");
    let mut command = finery(folder.root());
    command.env("FINERY_CACHE", empty).env("PATH", empty).env_remove("VIRTUAL_ENV").env_remove("FINERY_PLUGIN");
    let message = refusal(&command.args(["plan", "run.yaml", "--target", "mi300x"]).output().unwrap());
    assert!(message.contains("run `finery plugin install rocm`"), "{message}");
}
