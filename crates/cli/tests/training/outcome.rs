//! What a run leaves behind, and that settings which save memory do not change it.

use std::fs;

use checkpoint::SafetensorsFile;
use serde_json::{Value, json};

use crate::scene::{Scene, samples};

#[test]
fn a_trained_model_and_an_adapter_are_used_by_other_commands() {
    let scene = Scene::new();
    let stderr = scene.train(&["val_set_size=0.2", "eval_steps=3"]);
    assert!(
        stderr.contains("\ngradient_checkpointing: dots, which auto is where all weights are trained\n"),
        "{stderr}"
    );
    let metrics = scene.metrics("out");
    let evaluated: Vec<u64> = metrics
        .iter()
        .filter(|record| record.get("eval_loss").is_some())
        .map(|record| record["step"].as_u64().unwrap())
        .collect();
    assert_eq!(evaluated, [3, 6, 8]);
    let loss = metrics.last().unwrap()["eval_loss"].as_f64().unwrap();
    let perplexity = metrics.last().unwrap()["eval_perplexity"].as_f64().unwrap();
    assert!((perplexity.ln() - loss).abs() < 1e-9);
    let is_events = |name: &str| name.starts_with("events.out.tfevents.");
    let names: Vec<String> = fs::read_dir(scene.path("out"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let events = names.iter().find(|name| is_events(name)).unwrap();
    let events = fs::read(scene.path("out").join(events)).unwrap();
    for tag in ["train/loss", "eval/loss"] {
        assert!(events.windows(tag.len()).any(|window| window == tag.as_bytes()), "{tag}");
    }

    scene.write("texts.jsonl", "{\"text\": \"iron or fire?\"}\n");
    let output = scene.run(&["score", "--model", "out", "--input", "texts.jsonl"]);
    let score: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(score["sum"].as_f64().unwrap() < 0.0);

    let stderr = scene.succeed(&["train", "lora.yaml"]);
    assert!(
        stderr.contains("\ngradient_checkpointing: dots, which auto is for adapters with plain attention\n"),
        "{stderr}"
    );
    assert!(
        scene.path("adapter/adapter_config.json").is_file()
            && scene.path("adapter/adapter_model.safetensors").is_file()
    );
    let generate = |more: &[&str]| {
        let words = [
            "generate",
            "--model",
            "out",
            "--prompt",
            "iron or fire? ",
            "--max-tokens",
            "8",
            "--temperature",
            "1",
            "--seed",
            "7",
        ];
        let output = scene.run(&[&words, more].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    assert_ne!(generate(&["--adapter", "adapter"]), generate(&[]), "the adapter changes the answer");
}

/// Beside `loss`, which stays the cross-entropy; a model without routers has none.
#[test]
fn a_mixture_tells_its_routers_loss() {
    let scene = Scene::new();
    let mixture = ["model_config.model_type=mixtral", "model_config.num_local_experts=4"];
    let told = |run: &str, coefficient: &str| {
        let settings = [format!("model_config.router_aux_loss_coef={coefficient}"), format!("output_dir={run}")];
        scene.train(&[&mixture[..], &["max_steps=2"], &settings.each_ref().map(String::as_str)].concat());
        let tag = b"train/router_aux_loss";
        let events = fs::read_dir(scene.path(run)).unwrap().map(|entry| entry.unwrap().path());
        let events = events.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("events.out"));
        let is_drawn =
            events.map(|path| fs::read(path).unwrap()).any(|bytes| bytes.windows(tag.len()).any(|at| at == tag));
        let steps = scene.metrics(run).into_iter();
        (steps.map(|step| step.get("router_aux_loss").and_then(Value::as_f64)).collect::<Vec<_>>(), is_drawn)
    };
    // Two experts for each token: twice the coefficient where all are sent as many.
    let (losses, is_drawn) = told("with", "0.5");
    assert!(
        losses.len() == 2 && losses.iter().all(|loss| loss.is_some_and(|loss| (0.99..1.5).contains(&loss))),
        "{losses:?}"
    );
    assert!(is_drawn);
    assert_eq!(told("without", "0"), (vec![None, None], false));
}

/// A line for each kind of layer that has kernels of its own somewhere.
#[test]
fn kernels_are_named_of_what_the_model_has() {
    let scene = Scene::new();
    let plain = |what: &str| format!("\nplain {what}: there is no fused kernel for cpu\n");
    let mamba =
        "model_config={model_type: mamba, vocab_size: 320, hidden_size: 32, num_hidden_layers: 1, state_size: 4}";
    let mixture = ["model_config.model_type=mixtral", "model_config.num_local_experts=4"];
    let [attention, scan, products] = ["attention", "scan of state spaces", "products with experts"].map(plain);
    for (words, told) in
        [(&[][..], [true, false, false]), (&[mamba], [false, true, false]), (&mixture, [true, false, true])]
    {
        let stderr = scene.train(&[&["max_steps=1", "--overwrite"], words].concat());
        assert_eq!([&attention, &scan, &products].map(|line| stderr.contains(line.as_str())), told, "{stderr}");
    }
}

#[test]
fn recomputing_activations_does_not_change_the_losses() {
    let scene = Scene::new();
    for mode in ["none", "dots", "full"] {
        scene.train(&[&format!("gradient_checkpointing={mode}"), &format!("output_dir={mode}")]);
    }
    let kept = scene.losses("none");
    assert_eq!(kept.len(), 8);
    for mode in ["dots", "full"] {
        for (kept, recomputed) in kept.iter().zip(scene.losses(mode)) {
            assert!((kept - recomputed).abs() < 1e-5, "{mode}: {kept} and {recomputed}");
        }
    }
}

/// What a run trains does not depend on how its layers are lowered, nor do its checkpoints.
#[test]
fn a_run_goes_on_with_its_layers_lowered_otherwise() {
    let scene = Scene::new();
    scene.train(&["scan_layers=true", "save_steps=4", "output_dir=looped"]);
    let from = "resume_from_checkpoint=looped/checkpoints/step-00000004";
    scene.train(&["scan_layers=false", from, "output_dir=unrolled"]);
    let (looped, unrolled) = (scene.losses("looped"), scene.losses("unrolled"));
    assert_eq!((looped.len(), unrolled.len()), (8, 4));
    for (looped, unrolled) in looped[4..].iter().zip(unrolled) {
        assert!((looped - unrolled).abs() < 1e-5, "{looped} in a loop, {unrolled} unrolled");
    }
}

#[test]
fn bf16_trains_like_f32() {
    let scene = Scene::new();
    let options = ["max_steps=20", "learning_rate=5e-3"];
    for dtype in ["f32", "bf16"] {
        scene.train(&[&options[..], &[&format!("dtype={dtype}"), &format!("output_dir={dtype}")]].concat());
    }
    let (precise, rounded) = (scene.losses("f32"), scene.losses("bf16"));
    assert!(precise[19] < 0.8 * precise[0], "20 steps teach something: {precise:?}");
    assert_eq!(rounded.len(), 20);
    for (precise, rounded) in precise.iter().zip(rounded) {
        assert!((precise - rounded).abs() < 0.03 * precise, "{precise} and {rounded}");
    }
}

/// 10 rows in steps of 4: the last step has 2 rows and padding, not rows of another pass.
#[test]
fn passes_end_with_their_last_row() {
    let scene = Scene::new();
    scene.write("data.jsonl", samples(10));
    let still = ["max_steps=null", "num_epochs=1", "sample_packing=false", "learning_rate=1.0e-30"];
    let train = |rows: &str, run: &str| {
        scene.train(&[&still[..], &[&format!("micro_batch_size={rows}"), &format!("output_dir={run}")]].concat());
        let metrics = scene.metrics(run);
        metrics.into_iter().filter(|record| record.get("loss").is_some()).collect::<Vec<_>>()
    };
    let (ones, twos, fours) = (train("1", "ones"), train("2", "twos"), train("4", "fours"));
    assert_eq!((ones.len(), twos.len(), fours.len()), (10, 5, 3));
    let last = |records: &[Value], key: &str| records.last().unwrap()[key].as_f64().unwrap();
    assert_eq!(last(&fours, "tokens"), last(&ones, "tokens"), "each token once");
    assert_eq!(last(&fours, "epoch"), 1.0);
    // Nothing is learnt at this rate, so that the same two rows have the same loss, up to the order of f32 sums.
    let difference = (last(&fours, "loss") - last(&twos, "loss")).abs();
    assert!(difference < 1e-6, "the loss is a mean over target tokens, off by {difference}");
}

/// Long prompts, cut where rows end: what counts no token has no loss, and is not the best evaluation of all.
#[test]
fn rows_without_a_target_have_no_loss() {
    let scene = Scene::new();
    let line =
        |i: usize| format!("{{\"prompt\": \"{}\", \"completion\": \"no\"}}\n", format!("iron or {i}? ").repeat(80));
    scene.write("data.jsonl", (0..4).map(line).collect::<String>());
    let words = ["sample_packing=concatenate", "micro_batch_size=1", "max_steps=null", "num_epochs=1"];
    let stderr = scene.train(&words);
    let rows = "hold no token that the loss counts, because samples are cut where a row ends";
    assert!(stderr.contains(rows) && stderr.contains("loss NaN"), "{stderr}");
    let metrics = scene.metrics("out");
    let (without, with): (Vec<_>, Vec<_>) = metrics.iter().partition(|record| record["loss"].is_null());
    assert!(without.len() > 20 && with.len() >= 4, "{metrics:?}");
    assert!(
        without.iter().all(|record| record["grad_norm"] == 0.0)
            && with.iter().all(|record| record["loss"].as_f64() > Some(4.0))
    );
    assert!(stderr.contains(&format!("of {} rows, {} {rows}", metrics.len(), without.len())), "{stderr}");

    scene.write("tests.jsonl", line(9));
    let evaluate =
        [&["train", "run.yaml", "output_dir=new", "test_datasets=[{path: tests.jsonl}]"], &words[..]].concat();
    let message = scene.refusal(&[&evaluate[..], &["eval_subset_num_batches=2"]].concat());
    assert!(
        message.starts_with("the evaluation's batches (2) hold no token that the loss counts: raise "),
        "{message}"
    );
    scene.succeed(&evaluate);
}

#[test]
fn the_first_batch_of_a_run_can_be_seen_before_it() {
    let scene = Scene::new();
    let output = scene.run(&["data", "inspect", "run.yaml", "micro_batch_size=1", "sample_packing=false"]);
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.starts_with("-- row 0, document 1: "), "{shown}{}", String::from_utf8_lossy(&output.stderr));
    // The completion and its end are targets; the prompt is not.
    let text = shown.lines().nth(1).unwrap();
    assert!(text.starts_with("<s>") && text.contains("{+") && text.ends_with("times.</s>+}"), "{text}");
    assert!(!text[..text.find('?').unwrap()].contains("{+"), "{text}");
    assert!(shown.contains("\nsamples        40\n"), "{shown}");
    let message = scene.refusal(&["data", "inspect", "run.yaml", "learning_rat=1"]);
    assert!(
        message.starts_with("command line: `learning_rat` is not a key; did you mean `learning_rate`?"),
        "{message}"
    );
}

/// The same words mean the same in a configuration and as options.
#[test]
fn data_can_be_inspected_without_a_configuration() {
    let scene = Scene::new();
    let inspect = |words: &[&str]| {
        let output = scene.run(&[&["data", "inspect"], words].concat());
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let options = ["--tokenizer", "tok", "--input", "data.jsonl", "--sequence-len", "64", "--sample-packing"];
    for word in ["true", "false", "concatenate"] {
        let packing = format!("sample_packing={word}");
        let (code, configured, stderr) = inspect(&["run.yaml", "micro_batch_size=1", &packing]);
        assert_eq!(code, Some(0), "{stderr}");
        assert_eq!(inspect(&[&options[..], &[word]].concat()).1, configured, "{word}");
    }
    // More than there are, and than there is room for.
    let rows = |count| inspect(&[&options[..], &["true", "--rows", count]].concat());
    let (code, all, stderr) = rows("4000000000");
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(all, rows("40").1);
    assert!(all.contains("\n-- row 1, document 1: "), "{all}");
    let (code, _, stderr) = inspect(&[&options[..], &["off"]].concat());
    assert!(code == Some(2) && stderr.contains("it must be `true`, `false` or `concatenate`"), "{stderr}");
}

#[test]
fn models_that_no_run_wrote_are_not_replaced() {
    let scene = Scene::new();
    scene.train(&["max_steps=1"]);
    fs::rename(scene.path("out"), scene.path("base")).unwrap();
    let weights = fs::read(scene.path("base/model.safetensors")).unwrap();
    let into_base =
        scene.refusal(&["train", "run.yaml", "model_config=null", "base_model=base", "output_dir=base", "--resume"]);
    assert!(
        into_base.contains("output_dir base is base_model, whose files the trained model would replace"),
        "{into_base}"
    );
    fs::remove_dir_all(scene.path("base/checkpoints")).unwrap();
    fs::remove_file(scene.path("base/config.yaml")).unwrap();
    let into_other = scene.refusal(&["train", "run.yaml", "output_dir=base"]);
    assert!(into_other.contains("output_dir base holds a model or a tokenizer that no run put there"), "{into_other}");
    assert_eq!(fs::read(scene.path("base/model.safetensors")).unwrap(), weights);

    // A tokenizer alone is somebody's work too, unless it is the one that the run trains with.
    let message = scene.refusal(&["train", "run.yaml", "output_dir=tok", "tokenizer=base"]);
    assert!(message.contains("output_dir tok holds a model or a tokenizer"), "{message}");
    for (own, folder) in [("tok", "tok"), ("tok/tokenizer.json", "tok")] {
        let words = [format!("output_dir={folder}"), format!("tokenizer={own}")];
        scene.succeed(&["train", "run.yaml", "max_steps=1", &words[0], &words[1]]);
        fs::remove_dir_all(scene.path("tok/checkpoints")).unwrap();
        for name in ["config.yaml", "config.json", "model.safetensors", "metrics.jsonl"] {
            fs::remove_file(scene.path("tok").join(name)).unwrap();
        }
    }
}

/// What a killed run was writing is nothing to go on from.
#[test]
fn an_unfinished_checkpoint_is_no_earlier_run() {
    let scene = Scene::new();
    fs::create_dir_all(scene.path("out/checkpoints/.partial-step-00000005")).unwrap();
    scene.train(&["max_steps=1"]);
}

#[test]
fn unknown_keys_of_an_inline_model_are_refused() {
    let refusal = Scene::new().refusal(&["train", "run.yaml", "model_config.rope_thta=5"]);
    assert!(refusal.contains("`model_config.rope_thta` is not a key; did you mean `rope_theta`?"), "{refusal}");
}

/// A `config.json` may ask for what is not done, and for what its class in transformers does not do.
#[test]
fn what_a_model_asks_for_in_vain_is_said() {
    let scene = Scene::new();
    let shape = json!({
        "model_type": "mpt", "vocab_size": 320, "d_model": 32, "n_heads": 4, "n_layers": 1, "max_seq_len": 64, "emb_pdrop": 0.0,
        "resid_pdrop": 0.1, "attn_config": {"alibi": true, "attn_pdrop": 0.2, "qk_ln": true},
    });
    scene.write("shape.json", shape.to_string());
    let dropout =
        "the model's dropout is not applied: its configuration has resid_pdrop: 0.1, attn_config.attn_pdrop: 0.2";
    let class = "transformers' MptForCausalLM does not compute what config.json says by attn_config.qk_ln: ";
    for command in [["config", "check"].as_slice(), &["train"]] {
        let told = scene.succeed(&[command, &["run.yaml", "model_config=shape.json", "max_steps=1"]].concat());
        for warning in [dropout, class] {
            assert_eq!(told.matches(warning).count(), 1, "{command:?}: {told}");
        }
    }
    let told = scene.succeed(&["config", "check", "run.yaml", "output_dir=other"]);
    assert!(!told.contains("dropout") && !told.contains("transformers"), "{told}");
}

#[test]
fn two_runs_do_not_share_a_folder() {
    let scene = Scene::new();
    fs::create_dir(scene.path("out")).unwrap();
    let other = fs::File::create(scene.path("out/.lock")).unwrap();
    other.lock().unwrap();
    let refusal = scene.refusal(&["train", "run.yaml", "max_steps=1"]);
    assert_eq!(
        refusal,
        "run.yaml:8: `output_dir`: another run is writing to out: wait for its end, or choose another output_dir"
    );
    drop(other);
    scene.train(&["max_steps=1"]);
    assert!(!scene.path("out/.lock").exists());
}

/// Reading and tokenising may take hours, and must not be for nothing.
#[test]
fn the_folder_of_a_run_is_tried_before_its_data_are_read() {
    let scene = Scene::new();
    fs::create_dir(scene.path("taken")).unwrap();
    let other = fs::File::create(scene.path("taken/.lock")).unwrap();
    other.lock().unwrap();
    scene.train(&["max_steps=1"]);
    scene.write("data.jsonl", "no JSON\n");
    let cases = [
        ("output_dir=taken", "`output_dir`: another run is writing to taken: "),
        ("output_dir=run.yaml/sub", "`output_dir`: creating the folder run.yaml/sub: Not a directory"),
        ("output_dir=/proc/nowhere", "`output_dir`: creating the folder /proc/nowhere: "),
        ("output_dir=out", "`output_dir`: out/checkpoints holds checkpoints of an earlier run; "),
    ];
    for (setting, start) in cases {
        let message = scene.refusal(&["train", "run.yaml", setting]);
        assert!(message.contains(start), "{setting}: {message}");
    }
    scene.refusal(&["train", "run.yaml", "output_dir=a/b/c"]);
    assert!(!scene.path("a").exists(), "nothing stays of folders in which no run began");
}

/// An evaluation is of its own data, and not of what the last step trained on.
#[test]
fn an_evaluation_measures_the_evaluation_split() {
    let scene = Scene::new();
    let tests = "{\"prompt\": \"why? \", \"completion\": \"the wheel turns\"}\n{\"prompt\": \"iron? \", \"completion\": \"no\"}\n";
    scene.write("tests.jsonl", tests);
    scene.train(&["max_steps=20", "learning_rate=5e-3", "test_datasets=[{path: tests.jsonl}]"]);
    let during = scene.metrics("out").last().unwrap()["eval_loss"].as_f64().unwrap();
    let output = scene.run(&["eval", "loss", "--model", "out", "--input", "tests.jsonl", "--json"]);
    let after: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let after = after["loss"].as_f64().unwrap();
    assert!((during - after).abs() < 1e-4, "{during} in training, {after} by eval loss");
    let trained = *scene.losses("out").last().unwrap();
    assert!((during - trained).abs() > 0.1, "{during} is not the loss of the training data, {trained}");
}

/// Only what a run wrote is removed, and only once the new run is ready to begin.
#[test]
fn a_run_is_overwritten_when_asked() {
    let scene = Scene::new();
    scene.train(&["save_steps=4"]);
    fs::write(scene.path("out/notes.txt"), "mine").unwrap();
    fs::write(scene.path("out/checkpoints/mine.txt"), "mine").unwrap();
    scene.refusal(&["train", "run.yaml", "--overwrite", "datasets.0.path=nowhere.jsonl"]);
    assert_eq!(scene.checkpoints("out"), ["mine.txt", "step-00000004", "step-00000008"]);
    let message =
        scene.refusal(&["train", "run.yaml", "--overwrite", "resume_from_checkpoint=out/checkpoints/step-00000004"]);
    let start = "run.yaml:8: `output_dir`: resume_from_checkpoint out/checkpoints/step-00000004 is part of the run in out, which --overwrite would remove";
    assert!(message.starts_with(start), "{message}");

    scene.train(&["--overwrite", "max_steps=2"]);
    assert_eq!(scene.checkpoints("out"), ["mine.txt", "step-00000002"]);
    assert_eq!(scene.metrics("out").len(), 2);
    assert!(scene.path("out/notes.txt").is_file());
    let events = fs::read_dir(scene.path("out")).unwrap();
    let events = events.filter(|entry| entry.as_ref().unwrap().file_name().to_str().unwrap().starts_with("events."));
    assert_eq!(events.count(), 1);
}

/// Where steps take a millisecond, several may have ended before one is looked at. What is told of them is what passes between the records.
#[test]
fn the_times_of_steps_are_what_passes() {
    let scene = Scene::new();
    scene.train(&["max_steps=60", "logging_steps=1"]);
    let text = fs::read_to_string(scene.path("out/metrics.jsonl")).unwrap();
    let records: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let steps: Vec<[f64; 2]> = records
        .iter()
        .filter(|record| record.get("step_ms").is_some())
        .map(|record| ["step_ms", "time"].map(|key| record[key].as_f64().unwrap()))
        .collect();
    assert_eq!(steps.len(), 60);
    assert!(steps.iter().all(|[ms, _]| *ms > 1e-3), "{steps:?}");
    let told: f64 = steps[1..].iter().map(|[ms, _]| ms / 1e3).sum();
    let passed = steps[59][1] - steps[0][1];
    // A record is written some time after its step has ended.
    assert!((told - passed).abs() < 0.5 + passed / 10.0, "{told} s were told, and {passed} s passed: {steps:?}");
}

/// One record for each line of metrics, and the same numbers in both.
#[test]
fn the_json_log_and_the_metrics_say_the_same() {
    let scene = Scene::new();
    let stderr = scene.train(&["--log-format", "json", "logging_steps=3", "val_set_size=0.2", "eval_steps=4"]);
    // XLA may warn in its own way.
    let (own, others): (Vec<&str>, Vec<&str>) = stderr.lines().partition(|line| line.starts_with('{'));
    assert!(!others.iter().any(|line| line.starts_with("error")), "{stderr}");
    let told: Vec<serde_json::Value> = own.into_iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |message: &'static str| told.iter().filter(move |line| line["message"] == message);
    let steps: Vec<u64> = of("train step").map(|line| line["step"].as_u64().unwrap()).collect();
    assert_eq!(steps, [3, 6, 8]);
    let text = fs::read_to_string(scene.path("out/metrics.jsonl")).unwrap();
    let metrics: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let steps = metrics.into_iter().filter(|record| record.get("device").is_none());
    let (evals, records): (Vec<_>, Vec<_>) = steps.partition(|record| record.get("eval_loss").is_some());
    assert_eq!((evals.len(), of("evaluation").count()), (2, 2));
    for (line, record) in of("train step").zip(&records) {
        for (key, value) in record.as_object().unwrap().iter().filter(|(key, _)| *key != "time") {
            assert_eq!(&line[key], value, "{key}");
        }
    }
    assert!(records[0]["model_tflops"].as_f64() > records[0]["model_tflops_causal"].as_f64());
    assert!(records[0]["peak_memory_bytes"].as_u64().unwrap() > 10_000_000 && records[0].get("mfu").is_none());

    // A record's loss is the mean over the steps since the one before, weighted by their targets.
    scene.train(&["output_dir=each", "val_set_size=0.2"]);
    let each = scene.losses("each");
    let mean = |steps: &[f64]| steps.iter().sum::<f64>() / steps.len() as f64;
    let loss = records[0]["loss"].as_f64().unwrap();
    assert!((loss - mean(&each[..3])).abs() < 0.05 && loss != each[2], "{loss} of {each:?}");
}

/// A process that takes all memory is killed without a word.
#[test]
fn a_step_that_does_not_fit_is_refused_with_figures() {
    let scene = Scene::new();
    // More than any machine has.
    let large = [
        "micro_batch_size=65536",
        "sequence_len=128",
        "sample_packing=false",
        "model_config.vocab_size=4000000",
        "loss_chunk_tokens=8388608",
    ];
    let message = scene.refusal(&[&["train", "run.yaml"], &large[..]].concat());
    assert!(message.starts_with("a step of 65536 x 128 tokens takes "), "{message}");
    assert!(message.contains(" TB of memory (") && message.contains(" are free: lower micro_batch_size"), "{message}");
    let batches = ["micro_batch_size=65536", "gradient_accumulation_steps=65536", "datasets.0.path=nowhere.jsonl"];
    let message = scene.refusal(&[&["train", "run.yaml"], &batches[..]].concat());
    let [of_batches, of_data] = message.lines().collect::<Vec<_>>().try_into().expect("two lines");
    let start = "command line: `micro_batch_size`: 4 batches of 65536 x 65536 x 64 tokens take 22.0 TB of the host's memory, and ";
    assert!(of_batches.starts_with(start), "{message}");
    assert!(of_data.starts_with("command line: `datasets.0`: cannot read nowhere.jsonl"), "{message}");
    assert!(!scene.path("out").exists());
}

/// The trained model is that of the best evaluation, and the run ends once there were three that were not.
#[test]
fn the_best_model_is_kept_and_written() {
    let scene = Scene::new();
    let words = ["val_set_size=8", "eval_steps=2", "lr_scheduler=constant", "learning_rate=2e-2"];
    let best = ["load_best_model_at_end=true", "early_stopping_patience=3", "save_total_limit=1", "max_steps=200"];
    let stderr = scene.train(&[&words[..], &best].concat());
    let evals = |run: &str| -> Vec<(f64, u64)> {
        let metrics = scene.metrics(run);
        metrics.iter().filter_map(|line| Some((line.get("eval_loss")?.as_f64()?, line["step"].as_u64()?))).collect()
    };
    let evals = evals("out");
    let (_, step) = *evals.iter().min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
    let last = evals.last().unwrap().1;
    assert!(last < 200 && last == step + 6, "{evals:?}");
    assert!(stderr.contains(&format!("stopping early after step {last}: the lowest evaluation loss was ")), "{stderr}");
    assert_eq!(scene.checkpoints("out"), [format!("step-{step:08}"), format!("step-{last:08}")]);

    scene.train(&[&words[..], &[&format!("max_steps={step}"), "output_dir=short"]].concat());
    let weights = |run: &str| fs::read(scene.path(run).join("model.safetensors")).unwrap();
    assert!(weights("out") == weights("short"), "the model written is that of step {step}");

    // Over is over.
    scene.train(&[&words[..], &best, &["--resume"]].concat());
    assert!(weights("out") == weights("short"));
}

#[test]
fn training_goes_on_from_an_adapter() {
    let scene = Scene::new();
    scene.train(&["max_steps=1"]);
    scene.succeed(&["train", "lora.yaml", "lora_target_modules=[q_proj, v_proj]"]);
    let config = fs::read_to_string(scene.path("lora.yaml")).unwrap();
    scene.write("on.yaml", config.replace("lora_r: 4\n", "").replace("output_dir: adapter", "output_dir: second"));
    let on = ["train", "on.yaml", "lora_model_dir=adapter", "max_steps=1"];
    // Nothing is learnt at this rate, so that the adapter stays what it was.
    scene.succeed(&[&on[..], &["learning_rate=1e-30"]].concat());
    let weights = |run: &str| {
        let file = SafetensorsFile::open(scene.path(run).join("adapter_model.safetensors")).unwrap();
        let tensor = |name: &str| (name.to_owned(), file.tensor(name).unwrap().into_owned());
        file.names().map(tensor).collect::<Vec<_>>()
    };
    assert!(weights("adapter") == weights("second"));
    let adapter: serde_json::Value =
        serde_json::from_slice(&fs::read(scene.path("second/adapter_config.json")).unwrap()).unwrap();
    assert_eq!((&adapter["r"], &adapter["target_modules"]), (&4.into(), &serde_json::json!(["q_proj", "v_proj"])));
    scene.succeed(&[&on[..], &["--resume", "max_steps=2", "learning_rate=1e-3"]].concat());
    assert!(weights("adapter") != weights("second"));

    // What says the same as the adapter is as good as nothing.
    let same = ["lora_r=4", "lora_alpha=16", "lora_target_modules=[v_proj, q_proj]", "peft_use_rslora=false"];
    scene.succeed(&[&on[..], &same, &["output_dir=same", "learning_rate=1e-30"]].concat());
    assert!(weights("adapter") == weights("same"));
    let other = ["lora_r=8", "lora_alpha=32", "lora_target_modules=all-linear", "peft_use_rslora=true"];
    let message = scene.refusal(&[&on[..], &other, &["output_dir=third"]].concat());
    let said = |key: &str, own: &str| {
        format!("command line: `{key}` contradicts `lora_model_dir`, whose adapter has {own}: leave it out")
    };
    let expected = [
        ("lora_r", "4"),
        ("lora_alpha", "16"),
        ("peft_use_rslora", "false"),
        ("lora_target_modules", "q_proj, v_proj"),
    ];
    assert_eq!(message, expected.map(|(key, own)| said(key, own)).join("\n"));
    let message = scene.refusal(&[&on[..], &["output_dir=adapter"]].concat());
    assert!(
        message.contains("output_dir adapter is lora_model_dir, whose files the trained adapter would replace"),
        "{message}"
    );
    let message = scene.refusal(&[&on[..], &["lora_model_dir=out", "output_dir=third"]].concat());
    assert!(message.contains("out") && message.contains("adapter_config.json"), "{message}");
}
