//! A model on several devices, four virtual ones of the CPU: it answers and scores as transformers does (`scripts/fixtures/score.py`).
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use checkpoint::ModelSource;
use data::Tokenizer;
use engine::{GenerateOptions, Generator, Model, ModelPlan, Sampling, Scorer, Windows};
use graph::DType;
use mesh::{MeshSizes, Rules};
use runtime::plugins::{self, Environment, Platform, Purpose};
use runtime::{Session, SessionOptions};
use serde_json::Value;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/score")
}

fn session() -> Session {
    let environment = Environment::from_process();
    let plugin = plugins::ensure(&environment, Platform::Cpu, &mut |_| {}).unwrap();
    let plugin = plugin.load(&environment, Purpose::Run).unwrap();
    let options = SessionOptions { cpu_device_count: Some(4), ..SessionOptions::new(Platform::Cpu, &environment) };
    Session::open(plugin, options).unwrap()
}

fn model<'s>(session: &'s Session, sizes: &str, adapter: bool) -> engine::Result<Model<'s>> {
    let adapter = adapter.then(|| fixtures().join("adapter"));
    let source = ModelSource::open(fixtures().join("model"), adapter.as_deref()).unwrap();
    let shape = sizes.parse::<MeshSizes>().unwrap().on(session.devices().len()).unwrap();
    let plan = ModelPlan::of(&source, DType::F32, Platform::Cpu)?.on(Rules::default().partition(shape, &[]));
    Model::load_planned(session, &source, plan, &mut |_| {})
}

fn rows(name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(fixtures().join(name)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn ids(value: &Value) -> Vec<u32> {
    serde_json::from_value(value.clone()).unwrap()
}

#[test]
fn answers_and_scores() {
    let session = session();
    let tokenizer = Tokenizer::from_dir(fixtures().join("model")).unwrap();
    let model = model(&session, "fsdp=2,mp=auto", true).unwrap();
    let mut generator = Generator::new(&model, &tokenizer, None).unwrap();
    let greedy = rows("greedy.jsonl");
    let row = greedy.iter().find(|row| row["adapter"] == true).unwrap();
    let (prompt, expected) = (ids(&row["prompt"]), ids(&row["tokens"]));
    let options = GenerateOptions { max_tokens: expected.len(), sampling: Sampling::GREEDY, stop: vec![] };
    let answer = generator.generate(&prompt, &options, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(answer.tokens, expected);

    let rows = rows("score.jsonl");
    let tokens: Vec<Vec<u32>> = rows.iter().map(|row| ids(&row["tokens"])).collect();
    let sequences: Vec<&[u32]> = tokens.iter().map(Vec::as_slice).collect();
    let whole = Windows::new(None, None, model.context()).unwrap();
    let found = Scorer::new(&model).score(&sequences, whole).unwrap();
    for (row, found) in rows.iter().zip(&found) {
        let expected: Vec<f64> = serde_json::from_value(row["adapter_logprobs"].clone()).unwrap();
        assert_eq!(found.len(), expected.len());
        let off = found.iter().zip(&expected).map(|(a, b)| (f64::from(*a) - b).abs()).max_by(f64::total_cmp);
        // As on one device.
        assert!(off.is_some_and(|off| off < 1e-4), "{off:?}");
    }
}

#[test]
fn a_model_that_does_not_divide_is_refused() {
    let session = session();
    let error = model(&session, "mp=3", false).err().unwrap().to_string();
    assert_eq!(
        error,
        "tracing the model: model.embed_tokens.weight: its axis `vocab` of 320 does not divide into 3 parts, over the mesh's mp"
    );
}
