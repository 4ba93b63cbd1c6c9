//! Tokenizers of the kinds that models have, small and made here, for tests.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::Tokenizer;

/// A byte-level BPE (GPT-2, Llama 3), one over words that begin with `▁` and one without words at all (Llama 2 in its two
/// forms).
pub(crate) fn all() -> Vec<(&'static str, Tokenizer)> {
    let load = |(name, folder): (_, TempDir)| (name, Tokenizer::from_dir(folder.path()).expect("the tokenizer loads"));
    folders().into_iter().map(load).collect()
}

/// The folders of [`all`].
pub(crate) fn folders() -> Vec<(&'static str, TempDir)> {
    let replace = json!({"type": "Replace", "pattern": {"String": " "}, "content": "▁"});
    let prepend = json!({"type": "Prepend", "prepend": "▁"});
    let legacy = json!({"type": "Sequence", "normalizers": [prepend, replace]});
    let metaspace = json!({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": true});
    vec![
        ("byte level", byte_level()),
        ("metaspace", sentence_piece(&Value::Null, &metaspace)),
        ("legacy", sentence_piece(&legacy, &Value::Null)),
    ]
}

fn corpus() -> String {
    "the cat sat on the mat, don't it? red or blue? red\nné à Noël 猫が座った。 1234567 aaaa\n".repeat(20)
}

fn byte_level() -> TempDir {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let text = dir.path().join("corpus.txt");
    fs::write(&text, corpus()).expect("a file in a temporary folder");
    crate::train_bpe(&[text], 400, dir.path()).expect("a tokenizer is trained");
    dir
}

/// A BPE with bytes to fall back on, whose words begin with `▁`, and with `<s>` before every text.
fn sentence_piece(normalizer: &Value, pre_tokenizer: &Value) -> TempDir {
    let mut vocab: Vec<String> = ["<unk>", "<s>", "</s>", "<|im_end|>"].map(str::to_owned).to_vec();
    vocab.extend((0..256).map(|byte| format!("<0x{byte:02X}>")));
    vocab.extend("▁abcdeilmnoprsthu?,.:\n0123456789éà猫".chars().map(String::from));
    let merges = [
        ("▁", "t"),
        ("h", "e"),
        ("▁t", "he"),
        ("a", "t"),
        ("▁", "c"),
        ("▁c", "at"),
        ("▁", "s"),
        ("▁s", "at"),
        ("r", "e"),
        ("re", "d"),
        ("▁", "red"),
        ("o", "r"),
        ("▁", "or"),
        ("▁", "▁"),
        ("▁▁", "▁▁"),
        ("a", "a"),
        ("aa", "aa"),
        ("\n", "\n"),
        ("1", "2"),
        ("?", "▁"),
    ];
    vocab.extend(merges.iter().map(|(left, right)| format!("{left}{right}")));
    let ids: serde_json::Map<String, Value> =
        vocab.into_iter().enumerate().map(|(id, token)| (token, Value::from(id))).collect();
    let added = |id: u32, content: &str| {
        json!({"id": id, "content": content, "single_word": false, "lstrip": false, "rstrip": false,
            "normalized": false, "special": true})
    };
    let tokenizer = json!({
        "version": "1.0",
        "added_tokens": [added(0, "<unk>"), added(1, "<s>"), added(2, "</s>"), added(3, "<|im_end|>")],
        "normalizer": normalizer,
        "pre_tokenizer": pre_tokenizer,
        "post_processor": {"type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}},
        "decoder": {"type": "Sequence", "decoders": [
            {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"}]},
        "model": {"type": "BPE", "dropout": null, "unk_token": "<unk>", "continuing_subword_prefix": null,
            "end_of_word_suffix": null, "fuse_unk": true, "byte_fallback": true, "vocab": ids,
            "merges": merges.map(|(left, right)| json!([left, right]))},
    });
    let dir = tempfile::tempdir().expect("a temporary folder");
    fs::write(dir.path().join("tokenizer.json"), tokenizer.to_string()).expect("a file in a temporary folder");
    let config = json!({"bos_token": "<s>", "eos_token": "</s>"});
    fs::write(dir.path().join("tokenizer_config.json"), config.to_string()).expect("a file in a temporary folder");
    dir
}
