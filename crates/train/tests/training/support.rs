//! Training on small fixtures, on the CPU.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use checkpoint::{ModelSource, TensorSpec};
use data::Batch;
use graph::DType;
use models::{LanguageModel, LayerLoop, Lora, LossForm};
use runtime::Session;
use runtime::plugins::{Environment, Platform};
use serde_json::Value;
use train::{AdamW, BatchShape, Optimizer, StepPlan, Trained, Trainer};

use crate::recorded;

/// A session that all tests of a file share.
pub(crate) fn session() -> &'static Session {
    static SESSION: OnceLock<Session> = OnceLock::new();
    SESSION.get_or_init(|| {
        runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {})
            .unwrap_or_else(|error| panic!("{error}"))
    })
}

pub(crate) fn fixture(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(path)
}

/// The tiny model of `llama_train/base`, with the adapter of `llama_train/adapter` or none.
pub(crate) fn source(adapter: bool) -> ModelSource {
    let folder = fixture("llama_train/adapter");
    ModelSource::open(fixture("llama_train/base"), adapter.then_some(folder.as_path())).unwrap()
}

pub(crate) fn language_model(source: &ModelSource) -> LanguageModel {
    LanguageModel::from_json(source.model().config()).unwrap()
}

pub(crate) fn lora(source: &ModelSource, dropout: f64) -> Lora {
    Lora { dropout, ..peft::lora(source.adapter().unwrap().config(), &language_model(source)).unwrap() }
}

/// The model with other values in its configuration.
pub(crate) fn changed(model: &LanguageModel, changes: &Value) -> LanguageModel {
    let mut config = model.to_json();
    for (key, value) in changes.as_object().unwrap() {
        config[key] = value.clone();
    }
    LanguageModel::from_json(&config).unwrap()
}

/// A plan over the tiny model: f32, plain AdamW, nothing clipped.
pub(crate) fn plan(source: &ModelSource, batch: BatchShape) -> StepPlan {
    StepPlan {
        model: language_model(source),
        compute: DType::F32,
        products: None,
        lora: None,
        trained: Trained::All,
        optimizer: Optimizer::AdamW(AdamW { beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weight_decay: 0.1 }),
        max_grad_norm: None,
        batch,
        layers: LayerLoop::Unrolled,
        loss: LossForm::default(),
        partition: None,
    }
}

/// A trainer with the tiny model's weights.
pub(crate) fn trainer(plan: StepPlan, source: &ModelSource) -> Trainer<'static> {
    Trainer::new(session(), plan, |parameters, _, array| {
        parameters.load(array, |name| source.tensor(name).map_err(train::Error::from))
    })
    .unwrap_or_else(|error| panic!("{error}"))
}

/// The batches of `llama_train/batches.safetensors`, one for each step: 4 rows of 24.
pub(crate) fn batches() -> Vec<Batch> {
    recorded::batches(&fixture("llama_train/batches.safetensors"), 4, 24)
}

/// Every trained parameter and moment, by name.
pub(crate) fn state(trainer: &Trainer<'_>) -> BTreeMap<String, Vec<f32>> {
    let mut reader = trainer.reader();
    let read = |spec: TensorSpec| {
        let values = reader.read(&spec.name, spec.dtype).unwrap().to_f32();
        (spec.name, values)
    };
    trainer.state().into_iter().map(read).collect()
}

pub(crate) fn largest_difference(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).max_by(f32::total_cmp).unwrap()
}
