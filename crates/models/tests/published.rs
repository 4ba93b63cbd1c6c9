//! Well-known checkpoints by their published configurations: parameters by number, name and shape. The fixtures' meaning:
//! `scripts/fixtures/published.py`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::path::Path;

use graph::DType;
use models::{LanguageModel, Precision, Summary};
use serde_json::{Value, json};

/// Tensors by their names with `*` for numbers: how many, of which shape.
fn tensors(model: &LanguageModel) -> BTreeMap<String, Value> {
    let mut found: BTreeMap<String, (usize, Vec<usize>)> = BTreeMap::new();
    for spec in model.params(Precision::uniform(DType::F32), None).unwrap() {
        let count = spec.checkpoint_names().len();
        let entry = found.entry(spec.name.clone()).or_insert((0, spec.checkpoint_shape()));
        assert_eq!(entry.1, spec.checkpoint_shape(), "{}", spec.name);
        entry.0 += count;
    }
    found.into_iter().map(|(name, (count, shape))| (name, json!([count, shape]))).collect()
}

#[test]
fn checkpoints_have_their_published_parameters() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/published");
    for model_type in LanguageModel::model_types() {
        let published: Value = checkpoint::read_json(folder.join(format!("{model_type}.json"))).unwrap();
        let name = &published["checkpoint"];
        let model = LanguageModel::from_json(&published["config"]).unwrap_or_else(|error| panic!("{name}: {error}"));
        let expected: BTreeMap<String, Value> = serde_json::from_value(published["tensors"].clone()).unwrap();
        assert_eq!(tensors(&model), expected, "{name}");
        let Summary { parameters, .. } = Summary::of(&model, None).unwrap();
        assert_eq!(Value::from(parameters), published["parameters"], "{name}");
    }
}
