//! What is said of the files around a tokenizer.

use std::fs;
use std::path::Path;

use data::Tokenizer;

#[test]
fn each_broken_file_is_blamed_for_itself() {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/fixtures/score/model/tokenizer.json");
    let folder = tempfile::tempdir().unwrap();
    fs::copy(fixture, folder.path().join("tokenizer.json")).unwrap();
    let message = |name: &str| {
        let path = folder.path().join(name);
        fs::write(&path, "{\"eos_token_id\": ").unwrap();
        let message = Tokenizer::from_dir(folder.path()).unwrap_err().to_string();
        fs::remove_file(&path).unwrap();
        message.replace(&format!("{}/", folder.path().display()), "")
    };
    let reason = "it is not JSON: EOF while parsing a value at line 1 column 17";
    let expected = format!("generation_config.json cannot be understood: {reason}; correct the file, or remove it");
    assert_eq!(message("generation_config.json"), expected);
    let expected = format!("cannot load the tokenizer from tokenizer_config.json: {reason}");
    assert_eq!(message("tokenizer_config.json"), expected);
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/fixtures/score/model");
    for name in ["tokenizer.json", "tokenizer_config.json", "generation_config.json"] {
        fs::copy(fixture.join(name), folder.path().join(name)).unwrap();
    }
    let plain = Tokenizer::from_dir(folder.path()).unwrap();
    for entry in fs::read_dir(folder.path()).unwrap().map(Result::unwrap) {
        let marked = [b"\xEF\xBB\xBF", &*fs::read(entry.path()).unwrap()].concat();
        fs::write(entry.path(), marked).unwrap();
    }
    let marked = Tokenizer::from_dir(folder.path()).unwrap();
    let text = "the cat sat";
    assert_eq!(marked.encode(text, true).unwrap(), plain.encode(text, true).unwrap());
    assert_eq!(marked.eos_id(), plain.eos_id());
}
