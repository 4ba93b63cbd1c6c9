//! Adapters beside the model that they are for.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use checkpoint::{
    LoraConfig, ModelFolder, ModelSource, SafetensorsFile, TargetModules, TensorSpec, cast, write_adapter, write_json,
    write_model,
};
use engine::{
    Counters, Engine, EngineOptions, Event, ExportOptions, Model, ModelPlan, Request, Scorer, Windows, decode_program,
    export,
};
use graph::{DType, HostTensor};
use logprobs::{continued, engine, request};
use models::Lora;
use runtime::plugins::{Environment, Platform};
use runtime::{Hardware, Session};
use tokio::sync::mpsc;

#[path = "support/logprobs.rs"]
mod logprobs;

const RANK: usize = 4;
const MODULES: [&str; 2] = ["q_proj", "up_proj"];

fn session() -> Session {
    runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap()
}

fn fixture(case: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/zoo").join(case)
}

/// Writes a DoRA adapter as PEFT begins it beside a model that it holds in `dtype`: B is 0, the magnitudes are the norms of the rows.
fn begin_dora(folder: &Path, base: &ModelFolder, dtype: DType) {
    let config = LoraConfig {
        r: RANK,
        use_dora: true,
        target_modules: Some(TargetModules::Names(MODULES.map(str::to_owned).to_vec())),
        ..LoraConfig::default()
    };
    let adapted = |name: &&str| MODULES.iter().any(|module| name.ends_with(&format!(".{module}.weight")));
    let mut specs = Vec::new();
    for weight in base.names().filter(adapted) {
        let module = weight.strip_suffix(".weight").unwrap();
        let shape = base.tensor(weight).unwrap().shape().to_vec();
        specs.push(TensorSpec::new(format!("{module}.lora_A.weight"), DType::F32, [RANK, shape[1]]));
        specs.push(TensorSpec::new(format!("{module}.lora_B.weight"), DType::F32, [shape[0], RANK]));
        specs.push(TensorSpec::new(format!("{module}.lora_magnitude_vector"), DType::F32, [shape[0]]));
    }
    write_adapter(folder, &config, &specs, None, |spec| {
        let values = match spec.name.strip_suffix(".lora_magnitude_vector") {
            None => vec![if spec.name.ends_with("A.weight") { 0.1 } else { 0.0 }; spec.shape.iter().product()],
            Some(module) => {
                let held = cast(base.tensor(&format!("{module}.weight")).unwrap(), dtype).unwrap();
                let norm = |row: &[f32]| row.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt() as f32;
                held.to_f32().chunks(held.shape()[1]).map(norm).collect()
            }
        };
        Ok(HostTensor::from_vec(&spec.shape, values).unwrap())
    })
    .unwrap();
}

fn scores(session: &Session, source: &ModelSource, dtype: DType) -> Vec<f32> {
    let model = Model::load(session, source, dtype, &mut |_| {}).unwrap();
    let tokens: Vec<u32> = (0..32).map(|at| at * 7 % 96).collect();
    Scorer::new(&model).score(&[&tokens], Windows::new(Some(64), None, None).unwrap(), &mut |_| ()).unwrap().remove(0)
}

#[test]
fn magnitudes_are_not_rounded_with_the_weights() {
    let (session, base, folder) = (session(), fixture("llama/grouped"), tempfile::tempdir().unwrap());
    begin_dora(folder.path(), &ModelFolder::open(&base).unwrap(), DType::BF16);
    let [alone, adapted] = [None, Some(folder.path())]
        .map(|adapter| scores(&session, &ModelSource::open(&base, adapter).unwrap(), DType::BF16));
    assert_eq!(adapted, alone);
}

/// As padded vocabularies and pruned models have them. PEFT divides 0 by 0 there.
#[test]
fn rows_of_zeros_are_merged_with_dora() {
    let (session, folder) = (session(), tempfile::tempdir().unwrap());
    let [base, adapter, output] = ["base", "adapter", "out"].map(|name| folder.path().join(name));
    let whole = ModelFolder::open(fixture("llama/grouped")).unwrap();
    let spec = |name| TensorSpec::new(name, whole.tensor(name).unwrap().dtype(), whole.tensor(name).unwrap().shape());
    let specs: Vec<TensorSpec> = whole.names().map(spec).collect();
    let pruned = "model.layers.1.mlp.up_proj.weight";
    write_model(&base, &specs, u64::MAX, None, |spec| {
        let mut values = whole.tensor(&spec.name)?.to_f32();
        if spec.name == pruned {
            values[..spec.shape[1]].fill(0.0);
        }
        Ok(HostTensor::from_vec(&spec.shape, values)?)
    })
    .unwrap();
    write_json(base.join("config.json"), whole.config()).unwrap();
    begin_dora(&adapter, &ModelFolder::open(&base).unwrap(), DType::F32);
    let source = ModelSource::open(&base, Some(&adapter)).unwrap();
    assert!(scores(&session, &source, DType::F32).iter().all(|score| score.is_finite()));
    let options = ExportOptions { dtype: Some(DType::BF16), ..ExportOptions::default() };
    export(&session, &source, &output, &options, &mut |_| {}).unwrap();
    let merged = ModelFolder::open(&output).unwrap().tensor(pruned).unwrap().to_f32();
    assert!(merged.iter().all(|value| value.is_finite()) && merged[..32].iter().all(|value| *value == 0.0));
}

/// Against PEFT, in f32, and with no more products than LoRA has: a token is not to cost a product for each weight.
#[test]
fn dora_costs_a_token_what_lora_does() {
    let (session, base) = (session(), fixture("llama/grouped"));
    let folder = base.join("adapters/pattern");
    let oracle = SafetensorsFile::open(folder.join("oracle.safetensors")).unwrap();
    let source = ModelSource::open(&base, Some(&folder)).unwrap();
    let ids = oracle.tensor("input_ids").unwrap();
    let tokens: Vec<u32> = ids.to_vec::<i32>().unwrap()[..ids.shape()[1]].iter().map(|id| *id as u32).collect();
    let model = Model::load(&session, &source, DType::F32, &mut |_| {}).unwrap();
    let mut engine = engine(&model, 64, false);
    let logits = oracle.tensor("logits").unwrap().to_f32();
    for count in [5, 6, 20] {
        // Behind a step of one token.
        let found = continued(&mut engine, 96, &tokens[..count - 1], 2, Some(tokens[count - 1])).unwrap();
        let logits = &logits[(count - 1) * 96..count * 96];
        let total = logits.iter().map(|logit| logit.exp()).sum::<f32>().ln();
        let off = found[1].1.iter().zip(logits).map(|(found, logit)| (found - (logit - total)).abs());
        let off = off.max_by(f32::total_cmp).unwrap();
        // As in crates/models: the oracle is exact, and logits are of order one.
        assert!(off < 1e-4, "after {count} tokens: {off}");
    }
    let plan = ModelPlan::of(&source, DType::F32, Hardware::CPU).unwrap();
    let mut without = plan.clone();
    without.lora = plan.lora.clone().map(|lora| Lora { dora: false, ..lora });
    let [dora, lora] = [plan, without]
        .map(|plan| decode_program(&plan, 1, 16, 64, 1).unwrap().text.matches("stablehlo.dot_general").count());
    assert_eq!(dora, lora);
}

/// A configuration that a file was not written with: PEFT would leave out what it does not name.
#[test]
fn a_file_that_is_not_its_configurations_is_refused() {
    let (session, base, folder) = (session(), fixture("llama/grouped"), tempfile::tempdir().unwrap());
    begin_dora(folder.path(), &ModelFolder::open(&base).unwrap(), DType::F32);
    let path = folder.path().join("adapter_config.json");
    let written = LoraConfig::read(&path).unwrap();
    let served = Model::load(&session, &ModelSource::open(&base, None).unwrap(), DType::F32, &mut |_| {}).unwrap();
    let options = EngineOptions { rows: 1, chunk: 16, context: Some(32), adapters_max: 1, ..EngineOptions::default() };
    let mut engine = Engine::new(&served, &options, Arc::new(Counters::new(Instant::now()))).unwrap();
    let names = |names: &[&str]| Some(TargetModules::Names(names.iter().map(|name| (*name).to_owned()).collect()));
    let cases = [
        (
            LoraConfig { layers_to_transform: Some(checkpoint::OneOrMany::One(0)), ..written.clone() },
            "model.layers.1.mlp.up_proj.lora_A.weight",
        ),
        (
            LoraConfig { target_modules: names(&["q_proj"]), ..written.clone() },
            "model.layers.0.mlp.up_proj.lora_A.weight",
        ),
        (
            LoraConfig { target_modules: names(&["q_proj", "up_proj", "k_proj"]), ..written.clone() },
            "model.layers.0.self_attn.k_proj.lora_A.weight",
        ),
        (
            LoraConfig { target_modules: Some(TargetModules::Pattern("(".to_owned())), ..written.clone() },
            "target_modules",
        ),
        (LoraConfig { target_modules: names(&["q_prj"]), ..written.clone() }, "did you mean \"q_proj\"?"),
    ];
    for (config, expected) in cases {
        write_json(&path, &serde_json::to_value(&config).unwrap()).unwrap();
        let error = match ModelSource::open(&base, Some(folder.path())) {
            Ok(source) => {
                Model::load(&session, &source, DType::F32, &mut |_| {}).err().expect("it is refused").to_string()
            }
            Err(error) => error.to_string(),
        };
        assert!(error.contains(expected) && error.contains("adapter"), "{error}");
        // Served, it is refused when it is loaded, and where it came to be so afterwards when it is read.
        let refused = engine.load_adapter("mixed", folder.path(), false).unwrap_err().to_string();
        assert!(refused.contains(expected) && refused.contains("adapter"), "{refused}");
        let write = |config| write_json(&path, &serde_json::to_value(config).unwrap()).unwrap();
        write(&written);
        engine.load_adapter("mixed", folder.path(), false).unwrap();
        write(&config);
        let (sender, mut events) = mpsc::channel(4);
        engine.submit(0, Request { adapter: Some("mixed".to_owned()), ..request(&[5, 9, 17], 2) }, sender);
        let failure = (0..20_000).find_map(|_| {
            engine.step().unwrap();
            std::thread::sleep(Duration::from_micros(50));
            match events.try_recv().ok()?.1 {
                Event::Failed(failure) => Some(failure.to_string()),
                event => panic!("{event:?}"),
            }
        });
        let failure = failure.expect("it is refused");
        assert!(failure.contains(expected) && failure.contains("mixed"), "{failure}");
    }
}
