//! How much host memory loading a model takes beyond the mapped files.
//!
//! On a CPU the device's memory is the host's, so the parameters themselves count; what may come on top is one tensor on its
//! way. The files are mapped and their pages can be dropped at any time, which is why anonymous memory is measured and not
//! the resident set.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use checkpoint::{TensorSpec, write_safetensors};
use graph::{DType, HostTensor};
use serde_json::json;

const MIB: u64 = 1 << 20;

/// What differs between two processes for other reasons, such as programs of other shapes.
const SLACK: u64 = 8 * MIB;

struct Shape {
    hidden: usize,
    ffn: usize,
    layers: usize,
}

impl Shape {
    /// The tensors of a Llama with four query heads to one of keys and values.
    fn specs(&self) -> Vec<TensorSpec> {
        let Shape { hidden, ffn, layers } = *self;
        let per_layer = [
            ("self_attn.q_proj", vec![hidden, hidden]),
            ("self_attn.k_proj", vec![hidden / 4, hidden]),
            ("self_attn.v_proj", vec![hidden / 4, hidden]),
            ("self_attn.o_proj", vec![hidden, hidden]),
            ("mlp.gate_proj", vec![ffn, hidden]),
            ("mlp.up_proj", vec![ffn, hidden]),
            ("mlp.down_proj", vec![hidden, ffn]),
            ("input_layernorm", vec![hidden]),
            ("post_attention_layernorm", vec![hidden]),
        ];
        let spec = |name: String, shape: &[usize]| TensorSpec::new(name, DType::F32, shape);
        let mut specs =
            vec![spec("model.embed_tokens.weight".into(), &[320, hidden]), spec("model.norm.weight".into(), &[hidden])];
        for layer in 0..layers {
            let named =
                per_layer.iter().map(|(name, shape)| spec(format!("model.layers.{layer}.{name}.weight"), shape));
            specs.extend(named);
        }
        specs
    }

    /// Writes the folder of such a model, with the tokenizer of a fixture. Returns the bytes of all tensors, and of the largest.
    fn write(&self, folder: &Path) -> (u64, u64) {
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/fixtures/score/model");
        fs::create_dir(folder).unwrap();
        fs::copy(fixture.join("tokenizer.json"), folder.join("tokenizer.json")).unwrap();
        let config = json!({
            "model_type": "llama", "vocab_size": 320, "hidden_size": self.hidden, "intermediate_size": self.ffn,
            "num_hidden_layers": self.layers, "num_attention_heads": 16, "num_key_value_heads": 4,
            "max_position_embeddings": 64, "rms_norm_eps": 1e-5, "rope_theta": 1e4, "tie_word_embeddings": true,
        });
        fs::write(folder.join("config.json"), config.to_string()).unwrap();
        let specs = self.specs();
        let ones = |spec: &TensorSpec| HostTensor::from_vec(&spec.shape, vec![1.0_f32; spec.shape.iter().product()]);
        write_safetensors(folder.join("model.safetensors"), &specs, |spec| Ok(ones(spec)?)).unwrap();
        let bytes = specs.iter().map(|spec| 4 * spec.shape.iter().product::<usize>() as u64);
        (bytes.clone().sum(), bytes.max().unwrap())
    }
}

/// The most anonymous memory, in bytes, that `finery score` holds while it loads a model. Its input is a single token, which needs no
/// computation.
fn peak_of_loading(model: &Path, input: &Path, dtype: &str) -> u64 {
    let mut score = Command::new(env!("CARGO_BIN_EXE_finery"))
        .args(["score", "--device", "cpu", "--dtype", dtype, "--model"])
        .arg(model)
        .arg("--input")
        .arg(input)
        // As the command sets itself up, but for huge pages: rounding every parameter up to them is no copy of a tensor.
        .env("MALLOC_CONF", "dirty_decay_ms:0,muzzy_decay_ms:0,thp:never")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", score.id());
    let mut peak = 0;
    while score.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("RssAnon:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok()).unwrap_or(0);
        peak = peak.max(kib << 10);
        std::thread::sleep(Duration::from_micros(500));
    }
    assert!(score.wait().unwrap().success());
    peak
}

#[test]
fn loading_needs_one_tensor_beyond_the_mapped_files_and_the_device() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("input.jsonl");
    fs::write(&input, "{\"tokens\": [7]}\n").unwrap();
    let (small, large) = (folder.path().join("small"), folder.path().join("large"));
    Shape { hidden: 64, ffn: 64, layers: 6 }.write(&small);
    let (bytes, largest) = Shape { hidden: 1024, ffn: 2816, layers: 6 }.write(&large);
    assert!(bytes > 250 * MIB && largest < 12 * MIB);
    for (dtype, on_device) in [("f32", bytes), ("bf16", bytes / 2)] {
        // The first time, the small programs that bring parameters to the device are compiled and kept.
        for model in [&small, &large] {
            peak_of_loading(model, &input, dtype);
        }
        let started = peak_of_loading(&small, &input, dtype);
        let peak = peak_of_loading(&large, &input, dtype);
        let beyond = peak.saturating_sub(started + on_device);
        let [peak, started, on_device] = [peak, started, on_device].map(|bytes| bytes / MIB);
        println!("{dtype}: {peak} MiB, of which {started} for any model and {on_device} on the device");
        println!("  beyond: {:.1}, largest tensor: {:.1}", beyond as f64 / MIB as f64, largest as f64 / MIB as f64);
        assert!(beyond <= largest + SLACK, "{dtype}: {} MiB", beyond / MIB);
    }
}
