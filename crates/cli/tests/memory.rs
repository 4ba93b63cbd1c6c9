//! How much host memory loading and exporting a model take beyond the mapped files, and tokenising a long record.
//!
//! On a CPU the device's memory is the host's, so the parameters themselves count; what may come on top is one tensor on its
//! way. The files are mapped and their pages can be dropped at any time, which is why anonymous memory is measured and not
//! the resident set.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use checkpoint::{TensorSpec, write_safetensors};
use environment::untouched;
use graph::{DType, HostTensor};
use serde_json::json;

#[path = "support/environment.rs"]
mod environment;

const MIB: u64 = 1 << 20;

/// What differs between two processes for other reasons, such as programs of other shapes.
const SLACK: u64 = 8 * MIB;

struct Shape {
    vocab: usize,
    hidden: usize,
    ffn: usize,
    layers: usize,
}

impl Shape {
    /// The tensors of a Llama with four query heads to one of keys and values.
    fn specs(&self) -> Vec<TensorSpec> {
        let Shape { vocab, hidden, ffn, layers } = *self;
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
        let mut specs = vec![
            spec("model.embed_tokens.weight".into(), &[vocab, hidden]),
            spec("model.norm.weight".into(), &[hidden]),
        ];
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
            "model_type": "llama", "vocab_size": self.vocab, "hidden_size": self.hidden, "intermediate_size": self.ffn,
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

/// The most memory, in bytes, that a process held.
#[derive(Clone, Copy)]
struct Peak {
    /// Of its own, which no file backs.
    anonymous: u64,
    /// In all, mapped files included, as the system counts it.
    resident: u64,
}

/// The largest of three peaks: a short process may be over between two looks at it.
fn largest_of_three(mut peak: impl FnMut() -> Peak) -> Peak {
    let peaks = [(); 3].map(|()| peak());
    let largest = |of: fn(&Peak) -> u64| peaks.iter().map(of).max().unwrap_or(0);
    Peak { anonymous: largest(|peak| peak.anonymous), resident: largest(|peak| peak.resident) }
}

/// Runs a command on a device, which must succeed.
fn peak(words: &[&OsStr]) -> Peak {
    peak_of(&[words, &["--device", "cpu"].map(OsStr::new)].concat())
}

/// Runs a command that must succeed.
fn peak_of(words: &[&OsStr]) -> Peak {
    let mut command = untouched()
        .args(words)
        // As the command sets itself up, but for huge pages: rounding every parameter up to them is no copy of a tensor.
        .env("MALLOC_CONF", "dirty_decay_ms:0,muzzy_decay_ms:0,thp:never")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", command.id());
    let mut peak = Peak { anonymous: 0, resident: 0 };
    while command.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let field = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok()).unwrap_or(0) << 10
        };
        peak.anonymous = peak.anonymous.max(field("RssAnon:"));
        peak.resident = peak.resident.max(field("VmHWM:"));
        std::thread::sleep(Duration::from_micros(500));
    }
    assert!(command.wait().unwrap().success());
    assert!(peak.anonymous > 0 && peak.resident > peak.anonymous, "the system does not say");
    peak
}

/// `finery score` while it loads a model: its input is a single token, which needs no computation.
fn peak_of_loading(model: &Path, input: &Path, dtype: &str) -> Peak {
    let [model, input] = [model, input].map(Path::as_os_str);
    let [score, of, on, as_type, dtype] = ["score", "--model", "--input", "--dtype", dtype].map(OsStr::new);
    peak(&[score, of, model, on, input, as_type, dtype])
}

fn peak_of_exporting(model: &Path) -> Peak {
    let output = model.with_extension("out");
    let [export, of, to] = ["export", "--model", "--output"].map(OsStr::new);
    let peak = peak(&[export, of, model.as_os_str(), to, output.as_os_str()]);
    fs::remove_dir_all(output).unwrap();
    peak
}

/// The two models that are compared are never on the device at once, a layer at a time is computed with in f64, and pages of files that
/// were read through are let go.
#[test]
fn exporting_needs_one_layer_in_f64_beyond_the_device() {
    /// Of a file before its pages are let go.
    const LENT: u64 = 16 * MIB;
    let folder = tempfile::tempdir().unwrap();
    let (small, large) = (folder.path().join("small"), folder.path().join("large"));
    Shape { vocab: 16384, hidden: 64, ffn: 64, layers: 6 }.write(&small);
    let (bytes, largest) = Shape { vocab: 16384, hidden: 1024, ffn: 2816, layers: 6 }.write(&large);
    assert!(bytes > 310 * MIB && largest == 64 * MIB);
    // Four matrices of attention and three of the MLP, 8 bytes a number.
    let layer = 8 * (1024 * 1024 * 5 / 2 + 3 * 1024 * 2816);
    // The first time, programs are compiled and kept.
    for model in [&small, &large] {
        peak_of_exporting(model);
    }
    let (started, peak) = (largest_of_three(|| peak_of_exporting(&small)), peak_of_exporting(&large));
    let anonymous = peak.anonymous.saturating_sub(started.anonymous + bytes);
    let resident = peak.resident.saturating_sub(started.resident + bytes);
    println!("beyond {} MiB on the device: {} MiB, and {} with files", bytes / MIB, anonymous / MIB, resident / MIB);
    assert!(anonymous <= layer + SLACK, "{} MiB of {}", anonymous / MIB, peak.anonymous / MIB);
    // The model and what was written of it.
    assert!(resident <= layer + 2 * (LENT + largest) + SLACK, "{} MiB of {}", resident / MIB, peak.resident / MIB);
}

#[test]
fn loading_needs_one_tensor_beyond_the_mapped_files_and_the_device() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("input.jsonl");
    fs::write(&input, "{\"tokens\": [7]}\n").unwrap();
    let (small, large) = (folder.path().join("small"), folder.path().join("large"));
    Shape { vocab: 320, hidden: 64, ffn: 64, layers: 6 }.write(&small);
    let (bytes, largest) = Shape { vocab: 320, hidden: 1024, ffn: 2816, layers: 6 }.write(&large);
    assert!(bytes > 250 * MIB && largest < 12 * MIB);
    for (dtype, on_device) in [("f32", bytes), ("bf16", bytes / 2)] {
        // The first time, the small programs that bring parameters to the device are compiled and kept.
        for model in [&small, &large] {
            peak_of_loading(model, &input, dtype);
        }
        let started = largest_of_three(|| peak_of_loading(&small, &input, dtype)).anonymous;
        let peak = peak_of_loading(&large, &input, dtype).anonymous;
        let beyond = peak.saturating_sub(started + on_device);
        let [peak, started, on_device] = [peak, started, on_device].map(|bytes| bytes / MIB);
        println!("{dtype}: {peak} MiB, of which {started} for any model and {on_device} on the device");
        println!("  beyond: {:.1}, largest tensor: {:.1}", beyond as f64 / MIB as f64, largest as f64 / MIB as f64);
        assert!(beyond <= largest + SLACK, "{dtype}: {} MiB", beyond / MIB);
    }
}

/// The `tokenizers` crate takes eighty times a text's length; a text that goes through it in windows takes its tokens, five bytes
/// for each and a copy, and itself, as JSON and as text.
#[test]
fn tokenising_takes_a_few_times_the_length_of_a_record() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/fixtures/score/model");
    let peak_of_length = |bytes: u64| {
        let input = folder.path().join("long.jsonl");
        let words = "the river and the wheel of stone, ";
        let text = words.repeat(bytes as usize / words.len());
        fs::write(&input, json!({"text": text}).to_string()).unwrap();
        let [data, inspect, with, of, how, packing] =
            ["data", "inspect", "--tokenizer", "--input", "--sample-packing", "concatenate"].map(OsStr::new);
        peak_of(&[data, inspect, with, fixture.as_os_str(), of, input.as_os_str(), how, packing])
    };
    let (short, long) = (largest_of_three(|| peak_of_length(MIB)).anonymous, peak_of_length(4 * MIB).anonymous);
    let per_byte = long.saturating_sub(short + SLACK) as f64 / (3 * MIB) as f64;
    assert!(per_byte < 12.0, "{per_byte} bytes for each byte of the record: {short} for 1 MiB, {long} for 4 MiB");
}
