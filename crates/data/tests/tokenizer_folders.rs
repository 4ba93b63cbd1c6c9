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
