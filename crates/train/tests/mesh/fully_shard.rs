//! The same run as torch's fully sharded data parallelism.

use std::path::{Path, PathBuf};

use checkpoint::{ModelSource, SafetensorsFile};
use mesh::Rules;
use models::LayerLoop;
use serde_json::Value;
use train::{AdamW, Optimizer, StepPlan, Trainer};

use crate::{ALONE, on, plan, recorded, session};

fn fixture(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(path)
}

#[test]
fn twenty_steps_equal_torchs_fully_shard() {
    let source = ModelSource::open(fixture("llama_train/base"), None).unwrap();
    let run = SafetensorsFile::open(fixture("fully_shard/run.safetensors")).unwrap();
    let recorded = |name: &str| run.tensor(name).unwrap().to_f32();
    let settings: Value =
        serde_json::from_slice(&std::fs::read(fixture("fully_shard/settings.json")).unwrap()).unwrap();
    let number = |value: &Value| value.as_f64().unwrap();
    let optimizer = Optimizer::AdamW(AdamW {
        beta1: number(&settings["betas"][0]),
        beta2: number(&settings["betas"][1]),
        epsilon: number(&settings["eps"]),
        weight_decay: number(&settings["weight_decay"]),
    });
    let max_grad_norm = settings["max_grad_norm"].as_f64();
    let plan = plan(source.model().config(), LayerLoop::Unrolled);
    let plan = StepPlan { optimizer, max_grad_norm, ..plan };
    let batches = recorded::batches(&fixture("fully_shard/batches.safetensors"), plan.batch.rows, plan.batch.positions);
    let (losses, norms) = (recorded("losses"), recorded("grad_norms"));
    assert_eq!(batches.len(), losses.len());
    for mesh in [ALONE, (1, 8, 1), (2, 2, 2)] {
        let mut trainer = Trainer::new(session(), on(&plan, &Rules::default(), mesh), |parameters, _, array| {
            parameters.load(array, |name| source.tensor(name).map_err(train::Error::from))
        })
        .unwrap();
        for (at, batch) in batches.iter().enumerate() {
            let outcome = trainer.step(batch, at as u64 + 1, number(&settings["lr"]), 0).unwrap();
            let loss_error = (outcome.loss / f64::from(losses[at]) - 1.0).abs();
            let norm_error = (outcome.grad_norm / f64::from(norms[at]) - 1.0).abs();
            // torch's own f32 run is up to 2e-6 from its f64 run, see settings.json.
            assert!(loss_error < 1e-5 && norm_error < 2e-5, "{mesh:?}, step {at}: {loss_error:e}, {norm_error:e}");
        }
        let trained = trainer.state().into_iter().filter(|spec| !spec.name.contains(".exp_avg"));
        let mut reader = trainer.reader();
        for spec in trained {
            let ours = reader.read(&spec.name, spec.dtype).unwrap().to_f32();
            let theirs = recorded(&format!("final.{}", spec.name));
            let errors = ours.iter().zip(&theirs).map(|(ours, theirs)| (ours - theirs).abs());
            let error = errors.max_by(f32::total_cmp).unwrap();
            // As far as torch's f32 run is from its f64 run, times four.
            assert!(error < 5e-4, "{mesh:?}: {} is off by {error}", spec.name);
        }
    }
}
