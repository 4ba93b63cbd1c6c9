//! PEFT adapters: those that peft wrote (scripts/fixtures/peft_adapters.py), and ours.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use checkpoint::{
    AdapterFolder, LoraConfig, PatternTable, TargetModules, TensorSpec, read_json, write_adapter, write_json,
    write_safetensors,
};
use graph::{DType, HostTensor};
use serde::Deserialize;
use serde_json::{Value, json};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/peft").join(name)
}

/// A and B of a module.
fn factors<'a>(adapter: &'a AdapterFolder, module: &str) -> [HostTensor<'a>; 2] {
    ["A", "B"].map(|factor| adapter.tensor(&format!("{module}.lora_{factor}.weight")).unwrap().unwrap())
}

/// What peft made of one module.
#[derive(Deserialize)]
struct Expected {
    r: usize,
    alpha: f64,
    scale: f64,
    a: Vec<f32>,
    b: Vec<f32>,
}

#[test]
fn adapters_that_peft_wrote_are_read() {
    for name in ["plain", "patterned"] {
        let adapter = AdapterFolder::open(fixture(name), None).unwrap();
        let expected: BTreeMap<String, Expected> = read_json(fixture(name).join("expected.json")).unwrap();
        assert!(adapter.modules().eq(expected.keys().map(String::as_str)));
        for (module, expected) in &expected {
            let scaling = adapter.config().targets().unwrap().scaling(module).unwrap();
            assert_eq!(scaling.r, expected.r, "{module}");
            assert_eq!(scaling.alpha, expected.alpha, "{module}");
            assert!((scaling.scale - expected.scale).abs() < 1e-12, "{module}");
            let [a, b] = factors(&adapter, module);
            assert_eq!(a.to_f32()[..4], expected.a, "{module}");
            assert_eq!(b.to_f32()[..4], expected.b, "{module}");
            assert_eq!(a.shape()[0], expected.r);
            assert_eq!(b.shape()[1], expected.r);
        }
    }
}

#[derive(Deserialize)]
struct Selections {
    linear: Vec<String>,
    output_head: String,
    cases: Vec<Selection>,
}

#[derive(Deserialize)]
struct Selection {
    settings: LoraConfig,
    of: Option<Vec<String>>,
    selected: Vec<String>,
}

#[test]
fn modules_are_selected_as_peft_selects_them() {
    let Selections { linear, output_head, cases } = read_json(fixture("selections.json")).unwrap();
    for Selection { settings, of, selected } in cases {
        let modules: Vec<&str> = of.as_ref().unwrap_or(&linear).iter().map(String::as_str).collect();
        match settings.targets().unwrap().select(&modules, Some(&output_head)) {
            Ok(found) => assert_eq!(found, selected, "{settings:?}"),
            Err(error) => assert!(selected.is_empty(), "{settings:?}: {error}"),
        }
    }
}

#[test]
fn selecting_nothing_names_the_nearest_module() {
    let select = |target_modules| {
        let config = LoraConfig { target_modules, ..LoraConfig::default() };
        let modules = ["model.layers.0.q_proj", "model.layers.0.v_proj"];
        match config.targets() {
            Ok(targets) => targets.select(&modules, None).unwrap_err().to_string(),
            Err(error) => error.to_string(),
        }
    };
    let expected = r#"target_modules ("qproj") names no linear module of the model; did you mean "q_proj"?"#;
    assert_eq!(select(Some(TargetModules::Names(vec!["qproj".into()]))), expected);
    assert!(select(None).starts_with("target_modules is not set"));
    let message = select(Some(TargetModules::Pattern("(".into())));
    assert!(
        message.starts_with(r#"target_modules holds the pattern "(", which is not a regular expression"#),
        "{message}"
    );
    // Python's re would run for hours on this; here it is refused.
    let config =
        LoraConfig { target_modules: Some(TargetModules::Pattern(r"((?=a)a*)*\1b".into())), ..LoraConfig::default() };
    assert!(config.targets().unwrap().select(&["a".repeat(64).as_str()], None).is_err());
}

fn values(name: &str, elements: usize) -> Vec<f32> {
    (0..elements).map(|i| (i + name.len()) as f32 + if name.contains("lora_A") { 0.25 } else { 0.5 }).collect()
}

#[test]
fn a_written_adapter_reads_back() {
    let folder = tempfile::tempdir().unwrap();
    let config = LoraConfig {
        r: 4,
        lora_alpha: 8.5,
        target_modules: Some(TargetModules::Names(vec!["q_proj".into(), "k_proj".into()])),
        rank_pattern: PatternTable(vec![("k_proj".into(), 2)]),
        ..LoraConfig::default()
    };
    let specs = |rank: usize| {
        let spec = |name: &str, shape| TensorSpec::new(name, DType::F32, shape);
        [
            spec("layers.0.q_proj.lora_A.weight", [4, 6]),
            spec("layers.0.q_proj.lora_B.weight", [10, 4]),
            spec("layers.0.k_proj.lora_A.weight", [rank, 6]),
            spec("layers.0.k_proj.lora_B.weight", [3, rank]),
        ]
    };
    let source =
        |spec: &TensorSpec| Ok(HostTensor::from_vec(&spec.shape, values(&spec.name, spec.shape[0] * spec.shape[1]))?);
    write_adapter(folder.path().join("mine"), &config, &specs(2), None, source).unwrap();
    let error = write_adapter(folder.path().join("other"), &config, &specs(4), None, source).unwrap_err().to_string();
    let expected = "layers.0.k_proj.lora_A.weight would be [4, 6], but the configuration gives it the rank 2";
    assert!(error.ends_with(expected), "{error}");

    // By name, and as the only adapter of the folder above.
    for (path, name) in [("", Some("mine")), ("", None), ("mine", None)] {
        let adapter = AdapterFolder::open(folder.path().join(path), name).unwrap();
        assert_eq!(adapter.config(), &config);
        let [a, b] = factors(&adapter, "layers.0.k_proj");
        assert_eq!((a.shape(), b.shape()), (&[2, 6][..], &[3, 2][..]));
        assert_eq!(a.to_f32(), values("layers.0.k_proj.lora_A.weight", 12));
        assert_eq!(adapter.config().targets().unwrap().scaling("layers.0.k_proj").unwrap().scale, 8.5 / 2.0);
        assert!(adapter.tensor("layers.1.k_proj.lora_A.weight").unwrap().is_none());
    }
    let json: Value = read_json(folder.path().join("mine/adapter_config.json")).unwrap();
    assert_eq!((&json["r"], &json["peft_type"], &json["lora_alpha"]), (&json!(4), &json!("LORA"), &json!(8.5)));
}

/// PEFT's type of `lora_alpha` is int, so a whole number is written as one.
#[test]
fn whole_alpha_is_written_as_an_integer() {
    let json = serde_json::to_value(LoraConfig { lora_alpha: 16.0, ..LoraConfig::default() }).unwrap();
    assert_eq!(json["lora_alpha"].to_string(), "16");
}

#[test]
fn settings_outlive_reading_and_writing() {
    let before: Value = read_json(fixture("patterned").join("adapter_config.json")).unwrap();
    let config = LoraConfig::read(fixture("patterned").join("adapter_config.json")).unwrap();
    let mut after = serde_json::to_value(config).unwrap();
    // Whole numbers of alpha_pattern become floats, which PEFT takes.
    assert_eq!(after["alpha_pattern"]["q_proj"], json!(5.0));
    after["alpha_pattern"] = before["alpha_pattern"].clone();
    assert_eq!(after, before);
}

/// What opening a copy of the plain fixture says after a change of its settings, with the path taken out.
#[track_caller]
fn refused_setting(name: &str, value: Value) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut config: Value = read_json(fixture("plain").join("adapter_config.json")).unwrap();
    config[name] = value;
    write_json(folder.path().join("adapter_config.json"), &config).unwrap();
    fs::copy(fixture("plain").join("adapter_model.safetensors"), folder.path().join("adapter_model.safetensors"))
        .unwrap();
    let message = AdapterFolder::open(folder.path(), None).expect_err("the setting is refused").to_string();
    message.replace(&folder.path().display().to_string(), "DIR")
}

/// PEFT's EVA writes a pattern for each module whose rank it chose.
#[test]
fn many_patterns_are_compiled_once() {
    let modules: Vec<String> = (0..600).map(|layer| format!("model.layers.{layer}.mlp.down_proj")).collect();
    let modules: Vec<&str> = modules.iter().map(String::as_str).collect();
    let ranks = modules.iter().enumerate().map(|(at, module)| ((*module).to_owned(), 1 + at)).collect();
    let target_modules = Some(TargetModules::Names(vec!["down_proj".to_owned()]));
    let config = LoraConfig { target_modules, rank_pattern: PatternTable(ranks), ..LoraConfig::default() };
    let started = Instant::now();
    let targets = config.targets().unwrap();
    let selected = targets.select(&modules, None).unwrap();
    let ranks: Vec<usize> = selected.iter().map(|module| targets.scaling(module).unwrap().r).collect();
    assert!(ranks.into_iter().eq(1..=600));
    // Compiled for each module it took two minutes.
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

/// Their factors would have to be put together again, and two matrices of an expert have one A.
#[test]
fn adapters_of_parameters_are_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let target_parameters = Some(vec!["experts.gate_up_proj".to_owned()]);
    let config = LoraConfig { target_parameters, ..LoraConfig::default() };
    let error = write_adapter(folder.path(), &config, &[], None, |_| Err("nothing is asked for".into())).unwrap_err();
    assert!(
        error.to_string().ends_with("it has target_parameters, and such adapters are read but not written"),
        "{error}"
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn unsupported_settings_are_refused_by_name() {
    let cases = [
        ("peft_type", json!("IA3"), "its peft_type is IA3, and only LORA is supported"),
        ("lora_bias", json!(true), "it sets lora_bias (a bias on B), which is not supported"),
        (
            "trainable_token_indices",
            json!([3]),
            "it sets trainable_token_indices (trained rows of the embedding), which is not supported",
        ),
        ("r", json!(0), "r is 0, and a rank is at least 1"),
        ("lora_dropout", json!(1.0), "lora_dropout is 1, and it must be at least 0 and below 1"),
    ];
    for (name, value, expected) in cases {
        assert_eq!(refused_setting(name, value), format!("adapter DIR/adapter_config.json cannot be used: {expected}"));
    }
    let message = refused_setting("init_lora_weights", json!("pissa_niter_4"));
    assert!(
        message.contains(r#"init_lora_weights is "pissa_niter_4", which changes the base model's weights"#),
        "{message}"
    );
    assert!(refused_setting("bias", json!("some")).contains("unknown variant `some`, expected one of `none`, `all`"));
    let expected = "\"model.layers.0.self_attn.q_proj\" has no lora_magnitude_vector, which use_dora asks for";
    assert!(refused_setting("use_dora", json!(true)).ends_with(expected));
    let message = refused_setting("r", json!("four"));
    assert!(message.starts_with("DIR/adapter_config.json cannot be understood: invalid type: string"), "{message}");
}

#[test]
fn rank_that_disagrees_with_the_weights() {
    let expected = "adapter DIR/adapter_model.safetensors cannot be used: A and B of \
                    \"model.layers.0.self_attn.q_proj\" have the shapes [4, 16] and [16, 4], but the \
                    configuration gives it the rank 8";
    assert_eq!(refused_setting("r", json!(8)), expected);
}

/// Opens an adapter of rank 2 with these keys, all of the shape `[2, 2]`.
fn with_keys(keys: &[&str]) -> Result<Vec<String>, String> {
    let folder = tempfile::tempdir().unwrap();
    let config = LoraConfig { r: 2, ..LoraConfig::default() };
    write_json(folder.path().join("adapter_config.json"), &config).unwrap();
    let specs: Vec<TensorSpec> = keys.iter().map(|key| TensorSpec::new(*key, DType::F32, [2, 2])).collect();
    write_safetensors(folder.path().join("adapter_model.safetensors"), &specs, |_| {
        Ok(HostTensor::from_vec(&[2, 2], vec![0.0_f32; 4])?)
    })
    .unwrap();
    let adapter = AdapterFolder::open(folder.path(), None).map_err(|error| {
        error.to_string().rsplit_once("cannot be used: ").map(|(_, problem)| problem.to_string()).unwrap()
    })?;
    adapter.tensors().for_each(|(name, _)| drop(adapter.tensor(name).unwrap().unwrap()));
    Ok(adapter.modules().map(str::to_string).collect())
}

#[test]
fn names_of_adapters_in_keys_are_accepted() {
    let keys = ["base_model.model.q.lora_A.default.weight", "base_model.model.q.lora_B.default.weight"];
    assert_eq!(with_keys(&keys).unwrap(), ["q"]);
}

#[test]
fn keys_that_are_no_complete_adapter_are_refused() {
    let (a, b) = ("base_model.model.q.lora_A.weight", "base_model.model.q.lora_B.weight");
    let cases: [(&[&str], &str); 10] = [
        (&[], "it holds no tensor"),
        (&[a], r#""q" has lora_A but no lora_B"#),
        (&[b], r#""q" has lora_B but no lora_A"#),
        (
            &[a, "base_model.model.q.lora_B.other.weight"],
            r#""base_model.model.q.lora_B.other.weight" belongs to another adapter than the keys before it"#,
        ),
        (
            &[a, b, "base_model.model.q.lora_magnitude_vector"],
            "its tensor \"base_model.model.q.lora_magnitude_vector\" belongs to DoRA, which the configuration does not say it \
             is (use_dora), or to a module without lora_A",
        ),
        (
            &["base_model.model.e.lora_embedding_A"],
            "its tensor \"base_model.model.e.lora_embedding_A\" adapts an embedding, and only adapters of linear \
             modules are supported; train the embedding in full (modules_to_save)",
        ),
        (
            &[a, b, "base_model.model.q.lora_B.bias"],
            "its tensor \"base_model.model.q.lora_B.bias\" is not \"base_model.model.<module>.lora_A.weight\" or its \
             lora_B",
        ),
        (
            &["q.lora_A.weight"],
            "its tensor \"q.lora_A.weight\" is not \"base_model.model.<module>.lora_A.weight\" or its lora_B",
        ),
        (
            &["base_model.model.q.lora_A.a.b.weight"],
            "its tensor \"base_model.model.q.lora_A.a.b.weight\" is not \"base_model.model.<module>.lora_A.weight\" or its \
             lora_B",
        ),
        (
            &[a, b, "base_model.model.lm_head.weight"],
            "its tensor \"base_model.model.lm_head.weight\" is not part of LoRA, and neither modules_to_save nor bias names \
             it; embeddings that were only resized are not supported",
        ),
    ];
    for (keys, expected) in cases {
        assert_eq!(with_keys(keys).unwrap_err(), expected);
    }
}

#[test]
fn folders_without_one_clear_adapter_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let open = |name| {
        let message = AdapterFolder::open(folder.path(), name).unwrap_err().to_string();
        message.replace(&folder.path().display().to_string(), "DIR")
    };
    assert_eq!(open(None), "adapter DIR cannot be used: it has no adapter_config.json");
    assert_eq!(open(Some("x")), r#"adapter DIR cannot be used: it holds no adapter named "x""#);
    for name in ["one", "two"] {
        fs::create_dir(folder.path().join(name)).unwrap();
        write_json(folder.path().join(name).join("adapter_config.json"), &LoraConfig::default()).unwrap();
    }
    assert_eq!(open(None), "adapter DIR cannot be used: it holds several adapters (one, two); name one of them");
    assert_eq!(open(Some("x")), r#"adapter DIR cannot be used: it holds no adapter named "x", only one, two"#);
    assert_eq!(open(Some("two")), "adapter DIR/two cannot be used: it has no adapter_model.safetensors");
    fs::write(folder.path().join("two/adapter_model.bin"), "").unwrap();
    assert!(open(Some("two")).ends_with("; save it again from peft, which turns adapter_model.bin into it"));
}

/// As by `cp`, which writes into the file that is there. One that is mapped would end the process by SIGBUS.
#[test]
fn an_adapter_that_is_cut_off_while_it_is_held_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let config = LoraConfig { r: 2, ..LoraConfig::default() };
    // More than a page.
    let specs = [("q.lora_A.weight", [2, 100_000]), ("q.lora_B.weight", [100_000, 2])]
        .map(|(name, shape)| TensorSpec::new(name, DType::F32, shape));
    write_adapter(folder.path(), &config, &specs, None, |spec| {
        Ok(HostTensor::from_vec(&spec.shape, vec![1f32; 200_000])?)
    })
    .unwrap();
    let adapter = AdapterFolder::open_unmapped(folder.path()).unwrap();
    let [a, b] = factors(&adapter, "q");
    assert!(a.to_f32().iter().chain(&b.to_f32()).all(|value| *value == 1.0));
    let file = fs::OpenOptions::new().write(true).open(adapter.path()).unwrap();
    file.set_len(4096).unwrap();
    let told = adapter.tensor("q.lora_B.weight").unwrap_err().to_string();
    let expected = format!("could not read {}: it has become shorter since it was opened", adapter.path().display());
    assert!(told.starts_with(&expected), "{told}");
    // What was read stays what it was.
    assert!(a.to_f32().iter().all(|value| *value == 1.0));
}
