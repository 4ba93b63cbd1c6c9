//! A tiny Llama of random weights, and what transformers answers with it (`scripts/fixtures/score.py`, `exact_match.py`).

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// A file or folder of the fixture: `model`, `adapter`, `score.jsonl`.
pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/fixtures/score").join(name)
}

/// Writes a folder with the model. It ends its turn with token 106, and its template lays a conversation out as the bare texts.
pub(crate) fn write_model(folder: &Path) {
    fs::create_dir(folder).unwrap();
    for name in ["model.safetensors", "tokenizer.json", "tokenizer_config.json"] {
        fs::copy(fixture("model").join(name), folder.join(name)).unwrap();
    }
    let mut config: Value = serde_json::from_slice(&fs::read(fixture("model/config.json")).unwrap()).unwrap();
    config["eos_token_id"] = json!(106);
    fs::write(folder.join("config.json"), config.to_string()).unwrap();
    let template = "{{ bos_token }}{% for message in messages %}{{ message.content }}{% endfor %}";
    fs::write(folder.join("chat_template.jinja"), template).unwrap();
}

/// What transformers answers to a prompt with the likeliest tokens.
pub(crate) struct Reference {
    pub(crate) prompt: String,
    pub(crate) answer: String,
    /// Whether the answer is over; if not, these are its first [`REFERENCE_TOKENS`] tokens.
    pub(crate) ended: bool,
}

/// The most tokens of a [`Reference`]'s answer, as an argument of the command.
pub(crate) const REFERENCE_TOKENS: &str = "12";

/// Three prompts; the first answer ends, the others do not.
pub(crate) fn references() -> [Reference; 3] {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/exact_match.jsonl");
    let parse = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| row[key].as_str().unwrap().to_owned();
        Reference { prompt: text("prompt"), answer: text("answer"), ended: row["ended"].as_bool().unwrap() }
    };
    let references: Vec<Reference> = fs::read_to_string(path).unwrap().lines().map(parse).collect();
    let Ok(
        references @ [Reference { ended: true, .. }, Reference { ended: false, .. }, Reference { ended: false, .. }],
    ) = <[Reference; 3]>::try_from(references)
    else {
        panic!("the fixture holds other answers")
    };
    references
}

/// Makes one token's embedding in the model of `folder` no numbers, as damage or overflow does.
pub(crate) fn damage_embedding(folder: &Path, token: usize) {
    let path = folder.join("model.safetensors");
    let mut bytes = fs::read(&path).unwrap();
    let header_bytes = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let header: Value = serde_json::from_slice(&bytes[8..8 + header_bytes]).unwrap();
    let stored = &header["model.embed_tokens.weight"];
    let row = 4 * stored["shape"][1].as_u64().unwrap() as usize;
    let begin = 8 + header_bytes + stored["data_offsets"][0].as_u64().unwrap() as usize + token * row;
    bytes[begin..begin + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    fs::write(path, bytes).unwrap();
}
