//! Exports on the CPU plugin, of the fixtures of `crates/models`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use checkpoint::{ModelFolder, SafetensorsFile};
use graph::{Axis, Graph, HostTensor};
use models::{Precision, Tokens};
use runtime::plugins::{Environment, Platform};
use runtime::{Arrays, BoundProgram, Parameters};
use tempfile::TempDir;

use super::*;

const ADAPTERS: [&str; 2] = ["qv_r4", "all_linear_rslora"];
const BASE: &str = "lora/base";
/// Folders of models with adapters of other kinds, and their names.
const OTHERS: [(&str, &str); 10] = [
    ("zoo/llama/grouped", "some_layers"),
    ("zoo/llama/grouped", "pattern"),
    ("zoo/gpt2/scaled_by_layer", "dora"),
    ("zoo/gpt2/scaled_by_layer", "saved"),
    ("zoo/qwen2/full", "saved"),
    ("zoo/gpt_neox/parallel", "head"),
    ("zoo/mixtral/window", "all"),
    ("zoo/mixtral/window", "patterns"),
    ("zoo/mixtral/window", "router"),
    ("zoo/qwen3_moe/normed", "parameters"),
];

fn session() -> Session {
    runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap()
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures").join(name)
}

fn adapted(adapter: &str) -> ModelSource {
    ModelSource::open(fixture(BASE), Some(&fixture("lora").join(adapter))).unwrap()
}

fn as_dtype(dtype: Option<DType>) -> ExportOptions {
    ExportOptions { dtype, ..ExportOptions::default() }
}

fn export_quietly(
    session: &Session,
    source: &ModelSource,
    output: &Path,
    options: ExportOptions,
) -> Result<Exported, ExportError> {
    export(session, source, output, &options, &mut |_| {})
}

/// Logits of a folder for the oracle's tokens, traced here: the comparison of the export itself is not trusted.
fn logits(session: &Session, folder: &Path, ids: &HostTensor<'_>) -> Vec<f32> {
    let source = ModelSource::open(folder, None).unwrap();
    let (model, _) = crate::model::model_of(&source).unwrap();
    let graph = Graph::new();
    let axes = [Axis::new("batch", ids.shape()[0]), Axis::new("position", ids.shape()[1])];
    let tokens = graph.input("tokens", DType::I32, &axes);
    let positions = graph.iota(axes[1], DType::I32).broadcast(&axes);
    let scope = models::Scope::root(&graph, Precision::uniform(DType::F32), None);
    let logits = model.logits(&scope, Tokens { ids: tokens, positions, segments: None, lengths: None });
    let program = graph.lower("logits", &[("logits", logits)], &[]).unwrap();
    let mut arrays = Arrays::new();
    let bound = BoundProgram::compile(session, &program, &Arrays::new(), &mut arrays).unwrap();
    let mut loader = Parameters::new(session);
    arrays.upload(session, "tokens", ids).unwrap();
    for array in graph.params().iter().flat_map(|(spec, _)| spec.arrays(&[])) {
        let read = |name: &str| -> Result<HostTensor<'_>, ExportError> { Ok(source.tensor(name)?) };
        arrays.insert(&array.name, loader.load(&array, read).unwrap());
    }
    let outputs = bound.run(&Arrays::new(), &mut arrays).unwrap();
    outputs[0].download(session).unwrap().to_f32()
}

fn greatest(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).max_by(f32::total_cmp).unwrap_or(0.0)
}

#[test]
fn merged_adapters_give_the_logits_of_peft() {
    let session = session();
    let folder = TempDir::new().unwrap();
    let plain = ADAPTERS.map(|adapter| (BASE.to_owned(), format!("lora/{adapter}")));
    let others = OTHERS.map(|(model, adapter)| (model.to_owned(), format!("{model}/adapters/{adapter}")));
    for (model, adapter) in plain.into_iter().chain(others) {
        let output = folder.path().join(adapter.replace('/', "-"));
        let source = peft::parted(ModelSource::open(fixture(&model), Some(&fixture(&adapter))).unwrap());
        let exported = export_quietly(&session, &source, &output, as_dtype(None)).unwrap();
        assert!(exported.agreement.difference.nats < 1e-4, "{:?}", exported.agreement);
        assert_eq!(exported.agreement.rounding, None);
        let rounded = folder.path().join(format!("{}-bf16", adapter.replace('/', "-")));
        let exported = export_quietly(&session, &source, &rounded, as_dtype(Some(DType::BF16))).unwrap();
        assert!(exported.agreement.difference.nats < 1e-4, "{adapter}: {:?}", exported.agreement);

        let oracle = SafetensorsFile::open(fixture(&adapter).join("oracle.safetensors")).unwrap();
        let found = logits(&session, &output, &oracle.tensor("input_ids").unwrap());
        let difference = greatest(&found, &oracle.tensor("merged_logits").unwrap().to_f32());
        assert!(difference < 1e-4, "{adapter}: {difference}");
    }
}

/// Rounding moves log-probabilities by more than f32's tolerance, and is told from what merging does.
#[test]
fn merging_into_16_bits_is_compared_at_the_tolerance_of_f32() {
    let session = session();
    let folder = TempDir::new().unwrap();
    for (dtype, name) in [(DType::BF16, "bfloat16"), (DType::F16, "float16")] {
        let output = folder.path().join(name);
        let exported = export_quietly(&session, &adapted(ADAPTERS[1]), &output, as_dtype(Some(dtype))).unwrap();
        assert!(exported.agreement.difference.nats < 1e-4, "{:?}", exported.agreement);
        assert!(exported.agreement.rounding.unwrap() > 1e-4, "{:?}", exported.agreement);

        let written = ModelFolder::open(&output).unwrap();
        assert!(written.names().all(|tensor| written.tensor(tensor).unwrap().dtype() == dtype));
        assert_eq!(written.config()["dtype"], name);
        assert_eq!(written.config()["rope_parameters"]["factor"], 8.0);
        assert!(output.join("generation_config.json").is_file());
    }
}

/// A model whose adapter is merged with a scale off by one part in a hundred, in every type.
#[test]
fn a_wrong_merge_is_caught_in_every_type() {
    let session = session();
    let right = adapted(ADAPTERS[0]);
    let architecture = Architecture::of(&right).unwrap();
    let folder = TempDir::new().unwrap();
    let changed = folder.path().join("adapter");
    std::fs::create_dir(&changed).unwrap();
    let config = std::fs::read_to_string(fixture("lora/qv_r4/adapter_config.json")).unwrap();
    assert!(config.contains("\"lora_alpha\": 8,"));
    let config = config.replace("\"lora_alpha\": 8,", "\"lora_alpha\": 8.08,");
    std::fs::write(changed.join("adapter_config.json"), config).unwrap();
    let weights = "adapter_model.safetensors";
    std::fs::copy(fixture("lora/qv_r4").join(weights), changed.join(weights)).unwrap();
    let wrong = ModelSource::open(fixture(BASE), Some(&changed)).unwrap();

    for dtype in [DType::F32, DType::BF16, DType::F16] {
        let output = folder.path().join(dtype.to_string());
        let options = as_dtype(Some(dtype));
        let mut tensors = StandAlone::new(&session, &wrong, &Architecture::of(&wrong).unwrap(), options.dtype).unwrap();
        write(&mut tensors, &architecture, &output, &options, &mut |_| {}).unwrap();
        let agreement = compare_with_live(&mut tensors, &architecture, &output).unwrap();
        assert!(!agreement.holds(), "{dtype}: {agreement:?}");
        // The same output, held to be a merge of the adapter as it is.
        let mut tensors = StandAlone::new(&session, &right, &architecture, options.dtype).unwrap();
        let agreement = compare_with_live(&mut tensors, &architecture, &output).unwrap();
        assert!(!agreement.holds(), "{dtype}: {agreement:?}");
    }
}

#[test]
fn a_tampered_output_is_rejected() {
    let session = session();
    let source = adapted(ADAPTERS[0]);
    let architecture = Architecture::of(&source).unwrap();
    let folder = TempDir::new().unwrap();
    let output = folder.path().join("out");
    let staging = begin(&output).unwrap();
    let mut tensors = StandAlone::new(&session, &source, &architecture, None).unwrap();
    write(&mut tensors, &architecture, staging.path(), &ExportOptions::default(), &mut |_| {}).unwrap();
    let weights = staging.path().join("model.safetensors");
    let mut bytes = std::fs::read(&weights).unwrap();
    // The last element of the last tensor, `model.norm.weight`.
    let last = bytes.len() - 4;
    bytes[last..].copy_from_slice(&1.5_f32.to_le_bytes());
    std::fs::write(&weights, bytes).unwrap();

    let agreement = compare_with_live(&mut tensors, &architecture, staging.path()).unwrap();
    let error = settle(staging, &output, agreement).unwrap_err();
    let message = error.to_string();
    let rejected = folder.path().join("out.rejected");
    assert!(message.starts_with("the written model does not agree with the live one: after "), "{message}");
    assert!(message.ends_with(&format!("it is left as {}", rejected.display())), "{message}");
    assert!(rejected.join("config.json").is_file());
    assert!(!output.exists());
}

#[test]
fn an_export_without_changes_keeps_every_bit() {
    let session = session();
    let folder = TempDir::new().unwrap();
    for (name, shards) in [("llama/bf16", 1), ("llama/tied_embeddings", 1), ("llama/sharded", 4)] {
        let source = ModelSource::open(fixture(name), None).unwrap();
        let total: usize =
            source.model().names().map(|tensor| source.model().tensor(tensor).unwrap().bytes().len()).sum();
        let max_shard_bytes = if shards == 1 { u64::MAX } else { total as u64 / 3 };
        let output = folder.path().join(name.replace('/', "-"));
        let options = ExportOptions { dtype: None, max_shard_bytes };
        let exported = export_quietly(&session, &source, &output, options).unwrap();
        assert_eq!((exported.files, exported.bytes), (shards, total as u64), "{name}");
        assert_eq!(exported.agreement.difference.nats, 0.0, "{name}");

        let written = ModelFolder::open(&output).unwrap();
        assert!(written.names().eq(source.model().names()), "{name}");
        for tensor in written.names() {
            assert_eq!(written.tensor(tensor).unwrap(), source.tensor(tensor).unwrap(), "{name}: {tensor}");
        }
        assert_eq!(written.config(), source.model().config(), "{name}");
    }
}

/// The same tensors with all experts in two, as transformers' `save_pretrained(…, save_original_format=False)` writes them.
fn with_stacked_experts(
    tensors: &BTreeMap<String, HostTensor<'_>>,
    [gate, up, down]: [&str; 3],
) -> BTreeMap<String, HostTensor<'static>> {
    let renamed = |name: &str| name.replace(".block_sparse_moe.", ".mlp.");
    let others = tensors.iter().filter(|(name, _)| !name.contains(".experts."));
    let mut written: BTreeMap<_, _> =
        others.map(|(name, tensor)| (renamed(name), tensor.clone().into_owned())).collect();
    let last = format!("0.{down}.weight");
    for path in tensors.keys().filter_map(|name| name.strip_suffix(&last)) {
        for (stack, matrices) in [("gate_up_proj", vec![gate, up]), ("down_proj", vec![down])] {
            let of_expert = |expert: usize| {
                let named = |matrix| tensors.get(&format!("{path}{expert}.{matrix}.weight"));
                matrices.iter().map(named).collect::<Option<Vec<_>>>()
            };
            let experts: Vec<Vec<&HostTensor<'_>>> = (0..).map_while(of_expert).collect();
            let rows = experts[0].iter().map(|matrix| matrix.shape()[0]).sum();
            let shape = [experts.len(), rows, experts[0][0].shape()[1]];
            let bytes: Vec<u8> = experts.iter().flatten().flat_map(|matrix| matrix.bytes()).copied().collect();
            let stacked = HostTensor::new(experts[0][0].dtype(), &shape, bytes).unwrap();
            written.insert(renamed(&format!("{path}{stack}")), stacked);
        }
    }
    written
}

/// What is written has a tensor for each matrix, as what `save_pretrained` writes unless it is told otherwise.
#[test]
fn stacked_experts_are_read_and_written_one_by_one() {
    let session = session();
    for (name, matrices) in
        [("zoo/mixtral/window", ["w1", "w3", "w2"]), ("zoo/qwen3_moe/mixed", ["gate_proj", "up_proj", "down_proj"])]
    {
        let folder = TempDir::new().unwrap();
        let [base, output] = ["base", "out"].map(|name| folder.path().join(name));
        let model = ModelFolder::open(fixture(name)).unwrap();
        let tensors = model.names().map(|tensor| (tensor.to_owned(), model.tensor(tensor).unwrap())).collect();
        let stacked = with_stacked_experts(&tensors, matrices);
        assert!(stacked.len() < tensors.len() && stacked.contains_key("model.layers.1.mlp.experts.gate_up_proj"));
        let spec = |(name, tensor): (&String, &HostTensor<'_>)| TensorSpec::new(name, tensor.dtype(), tensor.shape());
        let specs: Vec<TensorSpec> = stacked.iter().map(spec).collect();
        write_model(&base, &specs, u64::MAX, None, |spec| Ok(stacked[&spec.name].clone())).unwrap();
        write_json(base.join("config.json"), model.config()).unwrap();

        let source = ModelSource::open(&base, None).unwrap();
        export_quietly(&session, &source, &output, ExportOptions::default()).unwrap();
        let written = ModelFolder::open(&output).unwrap();
        assert!(written.names().eq(model.names()), "{name}");
        assert!(tensors.iter().all(|(name, tensor)| written.tensor(name).unwrap() == *tensor), "{name}");
    }
}

/// What merging an adapter with a trained head leaves of a model that ties it: the head is used, and written again.
#[test]
fn a_head_beside_a_tied_embedding_is_kept() {
    let session = session();
    let folder = TempDir::new().unwrap();
    let [base, output] = ["base", "out"].map(|name| folder.path().join(name));
    let tied = fixture("zoo/gpt2/usual");
    let model = ModelFolder::open(&tied).unwrap();
    let embedding = model.tensor("transformer.wte.weight").unwrap();
    let values: Vec<f32> = embedding.to_f32().iter().rev().copied().collect();
    let head = HostTensor::from_vec(embedding.shape(), values).unwrap();
    let spec = |name: &str, tensor: &HostTensor<'_>| TensorSpec::new(name, tensor.dtype(), tensor.shape());
    let own = model.names().map(|name| spec(name, &model.tensor(name).unwrap()));
    let specs: Vec<TensorSpec> = own.chain([spec("lm_head.weight", &head)]).collect();
    let tensor = |name: &str| if name == "lm_head.weight" { head.clone() } else { model.tensor(name).unwrap() };
    write_model(&base, &specs, u64::MAX, None, |spec| Ok(tensor(&spec.name))).unwrap();
    write_json(base.join("config.json"), model.config()).unwrap();

    export_quietly(&session, &ModelSource::open(&base, None).unwrap(), &output, ExportOptions::default()).unwrap();
    let written = ModelFolder::open(&output).unwrap();
    assert_eq!(written.tensor("lm_head.weight").unwrap(), head);
    assert_eq!(written.config()["tie_word_embeddings"], false);
    let ids = HostTensor::from_slice(&[1, 4], &[5i32, 6, 7, 8]).unwrap();
    let [ours, theirs] = [&base, &tied].map(|folder| logits(&session, folder, &ids));
    assert_ne!(ours, theirs);
    assert_eq!(ours, logits(&session, &output, &ids));
}

/// transformers would run the second without its norms of queries and keys.
#[test]
fn a_class_is_named_that_computes_what_was_written() {
    let session = session();
    let folder = TempDir::new().unwrap();
    for (name, class) in [("zoo/mpt/alibi", None), ("zoo/mpt/grouped_alibi", Some("MPTForCausalLM"))] {
        let source = ModelSource::open(fixture(name), None).unwrap();
        let output = folder.path().join(name.replace('/', "-"));
        export_quietly(&session, &source, &output, ExportOptions::default()).unwrap();
        let mut expected = source.model().config().clone();
        if let Some(class) = class {
            expected["architectures"] = serde_json::json!([class]);
        }
        assert_eq!(*ModelFolder::open(&output).unwrap().config(), expected, "{name}");
    }
}

/// Generation takes the tokenizer and the templates of the adapter's folder alone; a template in a file of the base model's would win over
/// that of the adapter's `tokenizer_config.json`.
#[test]
fn what_is_merged_lays_prompts_out_as_the_adapter_did() {
    let folder = TempDir::new().unwrap();
    let [base, adapter, output] = ["base", "adapter", "out"].map(|name| folder.path().join(name));
    let tokenizer = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/score/model/tokenizer.json");
    for (from, to) in [(fixture(BASE), &base), (fixture("lora/qv_r4"), &adapter)] {
        std::fs::create_dir(to).unwrap();
        for file in std::fs::read_dir(from).unwrap().map(|entry| entry.unwrap()) {
            std::fs::copy(file.path(), to.join(file.file_name())).unwrap();
        }
        std::fs::copy(&tokenizer, to.join("tokenizer.json")).unwrap();
    }
    std::fs::write(base.join("chat_template.jinja"), "the base model's").unwrap();
    std::fs::write(base.join("merges.txt"), "the base model's").unwrap();
    std::fs::write(base.join("preprocessor_config.json"), "{}").unwrap();
    let config = serde_json::json!({ "chat_template": "the adapter's" }).to_string();
    std::fs::write(adapter.join("tokenizer_config.json"), config).unwrap();

    let template = |folder: &Path, with_tools| {
        let tokenizer = data::Tokenizer::from_dir(folder).unwrap();
        tokenizer.chat_template(with_tools).unwrap().source().to_owned()
    };
    let merge = || {
        let source = ModelSource::open(&base, Some(&adapter)).unwrap();
        assert_eq!(source.tokenizer_folder(), adapter);
        export_quietly(&session(), &source, &output, ExportOptions::default()).unwrap();
    };
    merge();
    assert_eq!([false, true].map(|tools| template(&output, tools)), ["the adapter's"; 2]);
    let is_there =
        ["chat_template.jinja", "merges.txt", "preprocessor_config.json"].map(|name| output.join(name).exists());
    assert_eq!(is_there, [false, false, true]);

    std::fs::remove_dir_all(&output).unwrap();
    let named = adapter.join("additional_chat_templates");
    std::fs::create_dir(&named).unwrap();
    std::fs::write(adapter.join("chat_template.jinja"), "the adapter's file").unwrap();
    std::fs::write(named.join("tool_use.jinja"), "with tools").unwrap();
    merge();
    assert_eq!([false, true].map(|tools| template(&output, tools)), ["the adapter's file", "with tools"]);
}

/// What did not agree is left beside the real folder, which may be on another disk than the link.
#[test]
fn a_link_to_an_empty_folder_stays() {
    let session = session();
    let source = ModelSource::open(fixture("llama/bf16"), None).unwrap();
    let folder = TempDir::new().unwrap();
    let [disk, real, link] = ["disk", "disk/real", "link"].map(|name| folder.path().join(name));
    std::fs::create_dir_all(&real).unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let difference = Difference { nats: 1.0, live: 0.0, written: 1.0, token: 0, context: 0 };
    let rejected = settle(begin(&link).unwrap(), &link, Agreement { difference, rounding: None }).unwrap_err();
    let ExportError::Rejected { rejected, .. } = rejected else { panic!("{rejected}") };
    assert_eq!(rejected, disk.canonicalize().unwrap().join("real.rejected"));
    export_quietly(&session, &source, &link, ExportOptions::default()).unwrap();
    assert!(link.is_symlink() && real.join("model.safetensors").is_file());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn what_is_there_is_left_alone() {
    let session = session();
    let source = ModelSource::open(fixture("llama/bf16"), None).unwrap();
    let folder = TempDir::new().unwrap();
    let refused = |output: &Path| {
        let error = export_quietly(&session, &source, output, ExportOptions::default()).unwrap_err();
        error.to_string()
    };
    let (full, file) = (folder.path().join("full"), folder.path().join("file"));
    std::fs::create_dir(&full).unwrap();
    std::fs::write(full.join("notes.txt"), "mine").unwrap();
    std::fs::write(&file, "mine").unwrap();
    let advice = "give a folder that does not exist or is empty";
    assert_eq!(refused(&full), format!("{} is not empty; {advice}", full.display()));
    assert_eq!(refused(&file), format!("{} is a file; {advice}", file.display()));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);

    // An empty folder is filled, and what a killed export left goes.
    let (empty, left) = (folder.path().join("empty"), folder.path().join(".partial-empty"));
    std::fs::create_dir(&empty).unwrap();
    std::fs::create_dir(&left).unwrap();
    std::fs::write(left.join("model-00001-of-00009.safetensors"), "half").unwrap();
    export_quietly(&session, &source, &empty, ExportOptions::default()).unwrap();
    assert!(!left.exists());
    let mut names: Vec<_> = std::fs::read_dir(&empty).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["config.json", "generation_config.json", "model.safetensors"]);
}

/// A base whose weights do not fit f16; nothing of the export is left.
#[test]
fn overflow_is_named_and_leaves_nothing() {
    let folder = TempDir::new().unwrap();
    let base = folder.path().join("base");
    std::fs::create_dir(&base).unwrap();
    std::fs::copy(fixture(BASE).join("config.json"), base.join("config.json")).unwrap();
    let mut bytes = std::fs::read(fixture(BASE).join("model.safetensors")).unwrap();
    let last = bytes.len() - 4;
    bytes[last..].copy_from_slice(&70_000_f32.to_le_bytes());
    std::fs::write(base.join("model.safetensors"), bytes).unwrap();
    let source = ModelSource::open(&base, None).unwrap();
    let output = folder.path().join("out");
    let error = export_quietly(&session(), &source, &output, as_dtype(Some(DType::F16))).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("tensor \"model.norm.weight\" has values beyond 65504"), "{message}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn the_configuration_tells_the_type_under_the_key_it_has() {
    use serde_json::json;
    let check = |config: Value, dtype, expected: Value| assert_eq!(config_with_dtype(&config, dtype), expected);
    let bf16 = Some(DType::BF16);
    check(json!({ "dtype": "float32" }), bf16, json!({ "dtype": "bfloat16" }));
    check(json!({ "torch_dtype": "float32" }), Some(DType::F16), json!({ "torch_dtype": "float16" }));
    check(json!({}), bf16, json!({ "torch_dtype": "bfloat16" }));
    check(json!({ "dtype": "float32" }), None, json!({ "dtype": "float32" }));
}
