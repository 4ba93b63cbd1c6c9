//! The update against torch.

use std::path::Path;

use checkpoint::SafetensorsFile;
use graph::{Axis, DType, Graph, HostTensor};
use runtime::plugins::{Environment, Platform};
use runtime::{CompileOptions, Session};
use serde_json::Value;

use super::*;

fn fixtures(name: &str) -> SafetensorsFile {
    SafetensorsFile::open(folder().join(name)).unwrap()
}

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/optim")
}

fn json(name: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(folder().join(name)).unwrap()).unwrap()
}

fn session() -> Session {
    runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap_or_else(|error| panic!("{error}"))
}

fn row(tensor: &HostTensor<'_>, row: usize, rows: usize) -> HostTensor<'static> {
    let values = tensor.to_f32();
    let size = values.len() / rows;
    HostTensor::from_vec(&[size], values[row * size..(row + 1) * size].to_vec()).unwrap()
}

/// Ten steps of one tensor; gives the largest difference from torch's parameters and moments.
fn ten_steps(session: &Session, optimizer: &Optimizer, learning_rate: f64, file: &SafetensorsFile, name: &str) -> f32 {
    let tensor = |part: &str| file.tensor(&format!("{name}.{part}")).unwrap();
    let (grads, params) = (tensor("grad"), tensor("param"));
    let (firsts, seconds) = (tensor("exp_avg"), tensor("exp_avg_sq"));
    let start = row(&params, 0, 11);
    let axis = Axis::new("all", start.len());
    let graph = Graph::new();
    let input = |name| graph.input(name, DType::F32, &[axis]);
    let parameter = input("parameter");
    let state = State { parameter, slots: optimizer.slots().iter().map(|slot| input(slot)).collect() };
    let grad = input("grad");
    let numbers: Vec<_> =
        (0..optimizer.step_number_count()).map(|i| graph.input(&format!("number{i}"), DType::F32, &[])).collect();
    let next = optimizer.update(&state, grad, &numbers, true);
    let outputs = [("parameter", next.parameter), ("first", next.slots[0]), ("second", next.slots[1])];
    let program = graph.lower("update", &outputs, &[]).unwrap();
    let executable = session.compile("update", &program.text, &CompileOptions::default()).unwrap();
    let zeros = HostTensor::from_vec(&[axis.size], vec![0f32; axis.size]).unwrap();
    let mut state = vec![start, zeros.clone(), zeros];
    let mut differences = Vec::new();
    for step in 0..10 {
        let numbers = optimizer.step_numbers(step as u64 + 1, learning_rate).into_iter().map(HostTensor::scalar);
        let all = state.iter().cloned().chain([row(&grads, step, 10)]).chain(numbers);
        let buffers: Vec<_> = all.map(|tensor| session.upload(&tensor).unwrap()).collect();
        let results = executable.execute(&buffers.iter().collect::<Vec<_>>()).unwrap();
        state = results.iter().map(|buffer| session.download(buffer).unwrap()).collect();
        let expected = [row(&params, step + 1, 11), row(&firsts, step, 10), row(&seconds, step, 10)];
        for (ours, torch) in state.iter().zip(&expected) {
            let pairs = ours.to_f32().into_iter().zip(torch.to_f32());
            differences.extend(pairs.map(|(a, b)| (a - b).abs()));
        }
    }
    differences.into_iter().max_by(f32::total_cmp).unwrap()
}

#[test]
fn ten_steps_equal_torch() {
    let session = session();
    let settings = json("adamw.json");
    for case in ["decay", "large_eps"] {
        let setting = |key: &str| settings[case][key].as_f64().unwrap();
        let optimizer = Optimizer::AdamW(AdamW {
            beta1: settings[case]["betas"][0].as_f64().unwrap(),
            beta2: settings[case]["betas"][1].as_f64().unwrap(),
            epsilon: setting("eps"),
            weight_decay: setting("weight_decay"),
        });
        let file = fixtures(&format!("adamw_{case}.safetensors"));
        for name in ["matrix", "vector", "scalar"] {
            let error = ten_steps(&session, &optimizer, setting("lr"), &file, name);
            assert!(error < 1e-6, "{case}, {name}: off by {error}");
        }
    }
}

/// Whoever opens a checkpoint as a model tells the two apart by name, and knows no optimizer.
#[test]
fn checkpoints_tell_slots_from_parameters() {
    let adamw = Optimizer::AdamW(AdamW { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weight_decay: 0.0 });
    for optimizer in [adamw] {
        // Another optimizer does not compile until it stands here, and then above too.
        match optimizer {
            Optimizer::AdamW(_) => {}
        }
        for slot in optimizer.slots() {
            assert!(checkpoint::is_moment(&format!("model.norm.weight.{slot}")), "{slot}");
        }
    }
    assert!(!checkpoint::is_moment("model.norm.weight"));
}

#[test]
fn clipping_equals_torch() {
    let session = session();
    let settings = json("clip.json");
    for case in ["above", "below"] {
        let file = fixtures(&format!("clip_{case}.safetensors"));
        let grads = ["a", "b"].map(|name| file.tensor(&format!("{name}.grad")).unwrap());
        let graph = Graph::new();
        let inputs: Vec<_> = ["a", "b"]
            .iter()
            .zip(&grads)
            .map(|(name, grad)| graph.input(name, DType::F32, &[Axis::new("all", grad.len())]))
            .collect();
        let (clipped, norm) = clip(&graph, &inputs, settings[case]["max_norm"].as_f64());
        let outputs = [("a", clipped[0]), ("b", clipped[1]), ("norm", norm)];
        let program = graph.lower("clip", &outputs, &[]).unwrap();
        let executable = session.compile("clip", &program.text, &CompileOptions::default()).unwrap();
        let buffers: Vec<_> = grads
            .iter()
            .map(|grad| session.upload(&HostTensor::from_vec(&[grad.len()], grad.to_f32()).unwrap()).unwrap())
            .collect();
        let results = executable.execute(&buffers.iter().collect::<Vec<_>>()).unwrap();
        for (name, result) in ["a.clipped", "b.clipped", "norm"].iter().zip(&results) {
            let pairs = session.download(result).unwrap().to_f32().into_iter().zip(file.tensor(name).unwrap().to_f32());
            for (ours, torch) in pairs {
                assert!((ours - torch).abs() < 1e-6, "{case}, {name}: {ours} and torch's {torch}");
            }
        }
    }
}
