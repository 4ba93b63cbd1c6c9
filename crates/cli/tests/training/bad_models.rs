//! Weights that are not those of the model.

use std::fs;
use std::path::Path;

use checkpoint::{SafetensorsFile, TensorSpec, write_safetensors};
use graph::{DType, HostTensor};

use crate::scene::Scene;

/// Writes the tensors of a file anew, as `edit` changes them.
fn rewrite(from: &Path, to: &Path, edit: impl FnOnce(&mut Vec<(String, HostTensor<'_>)>)) {
    let file = SafetensorsFile::open(from).unwrap();
    let mut tensors: Vec<(String, HostTensor<'_>)> =
        file.names().map(|name| (name.to_owned(), file.tensor(name).unwrap())).collect();
    edit(&mut tensors);
    let spec = |(name, tensor): &(String, HostTensor<'_>)| TensorSpec::new(name, tensor.dtype(), tensor.shape());
    let specs: Vec<TensorSpec> = tensors.iter().map(spec).collect();
    let find = |name: &str| tensors.iter().find(|(own, _)| own == name).unwrap().1.clone();
    write_safetensors(to, &specs, |spec| Ok(find(&spec.name))).unwrap();
}

fn position(tensors: &[(String, HostTensor<'_>)], name: &str) -> usize {
    tensors.iter().position(|(own, _)| own == name).unwrap()
}

#[test]
fn tensors_must_be_those_of_the_configuration() {
    const NORM: &str = "model.layers.1.input_layernorm.weight";
    type Edit = fn(&mut Vec<(String, HostTensor<'_>)>);
    let cases: [(Edit, &str); 4] = [
        (
            |tensors| drop(tensors.remove(position(tensors, NORM))),
            "1 missing: \"model.layers.1.input_layernorm.weight\"",
        ),
        (
            |tensors| tensors.push(("model.layers.2.extra".into(), HostTensor::scalar(1.0_f32))),
            "1 not expected: \"model.layers.2.extra\"",
        ),
        (
            |tensors| {
                let at = position(tensors, NORM);
                tensors[at].1 = HostTensor::from_vec(&[31], vec![1.0_f32; 31]).unwrap();
            },
            "model.layers.1.input_layernorm.weight",
        ),
        (
            |tensors| {
                let at = position(tensors, NORM);
                tensors[at].1 = HostTensor::from_vec(&[32], vec![1_i32; 32]).unwrap();
            },
            "tensor \"model.layers.1.input_layernorm.weight\" of out is stored as i32, which is not supported",
        ),
    ];
    let scene = Scene::new();
    scene.train(&["max_steps=1"]);
    let weights = scene.path("out/model.safetensors");
    let good = scene.path("good.safetensors");
    fs::copy(&weights, &good).unwrap();
    scene.write("texts.jsonl", "{\"text\": \"iron\"}\n");
    for (edit, part) in cases {
        rewrite(&good, &weights, edit);
        // Both ways to a model: to train it and to use it.
        let score = ["score", "--model", "out", "--input", "texts.jsonl"];
        for words in [&["train", "lora.yaml"][..], &score] {
            let message = scene.refusal(words);
            assert!(message.contains(part), "{words:?}: {message}");
        }
    }
    assert!(SafetensorsFile::open(&good).unwrap().tensor(NORM).unwrap().dtype() == DType::F32);
}

#[test]
fn a_damaged_weights_file_is_refused() {
    let scene = Scene::new();
    scene.train(&["max_steps=1"]);
    let weights = scene.path("out/model.safetensors");
    let whole = fs::read(&weights).unwrap();
    let mut long_header = whole.clone();
    long_header[..8].copy_from_slice(&(1_u64 << 40).to_le_bytes());
    let mut past_end = whole.clone();
    past_end[..8].copy_from_slice(&99_000_000_u64.to_le_bytes());
    let cases: [(&[u8], &str); 5] = [
        (&whole[..whole.len() - 1000], "the file is truncated"),
        (&whole[..100], "the file is truncated"),
        (b"", "it is 0 bytes long"),
        (&long_header, "its header claims 1099511627776 bytes, and the format allows 100000000"),
        (&past_end, "its header claims 99000000 bytes, but only "),
    ];
    for (bytes, part) in cases {
        fs::write(&weights, bytes).unwrap();
        let message = scene.refusal(&["train", "lora.yaml"]);
        let start = "lora.yaml:1: `base_model`: out/model.safetensors is not a valid safetensors file: ";
        assert!(message.starts_with(start) && message.contains(part), "{message}");
    }
    fs::remove_file(&weights).unwrap();
    // Without it, a run stands for its newest checkpoint.
    fs::remove_dir_all(scene.path("out/checkpoints")).unwrap();
    let message = scene.refusal(&["train", "lora.yaml"]);
    assert!(message.starts_with("lora.yaml:1: `base_model`: out is not a model folder: "), "{message}");
    fs::remove_file(scene.path("out/config.json")).unwrap();
    let message = scene.refusal(&["train", "lora.yaml"]);
    assert!(message.starts_with("lora.yaml:1: `base_model`: out is not a model folder: "), "{message}");
}
