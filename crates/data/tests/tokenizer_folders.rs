//! What is said of the files around a tokenizer.

use std::fs;
use std::path::Path;

use data::Tokenizer;
use serde_json::json;

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

/// Both name them, and tokenizer_config.json is believed.
#[test]
fn the_file_that_names_an_unknown_token_is_blamed() {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/fixtures/score/model/tokenizer.json");
    let folder = tempfile::tempdir().unwrap();
    fs::copy(fixture, folder.path().join("tokenizer.json")).unwrap();
    for name in ["special_tokens_map.json", "tokenizer_config.json"] {
        fs::write(folder.path().join(name), json!({"bos_token": "<gone>"}).to_string()).unwrap();
        let message = Tokenizer::from_dir(folder.path()).unwrap_err().to_string();
        let expected = format!("{name}: bos_token is \"<gone>\", which tokenizer.json does not know");
        assert!(message.ends_with(&expected), "{message}");
    }
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

/// As transformers reads them: templates in files are all that there are.
#[test]
fn templates_in_files_replace_those_of_the_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/fixtures/score/model/tokenizer.json");
    fs::copy(fixture, folder.path().join("tokenizer.json")).unwrap();
    let entries = ["default", "tool_use"].map(|name| json!({"name": name, "template": format!("configured {name}")}));
    fs::write(folder.path().join("tokenizer_config.json"), json!({ "chat_template": entries }).to_string()).unwrap();
    let found = || {
        let tokenizer = Tokenizer::from_dir(folder.path()).unwrap();
        [false, true].map(|with_tools| tokenizer.chat_template(with_tools).map(|found| found.source().to_owned()))
    };
    let check = |expected: [Option<&str>; 2]| assert_eq!(found(), expected.map(|text| text.map(str::to_owned)));
    check([Some("configured default"), Some("configured tool_use")]);
    let named = folder.path().join("additional_chat_templates");
    fs::create_dir(&named).unwrap();
    fs::write(named.join("notes.txt"), "mine").unwrap();
    check([Some("configured default"), Some("configured tool_use")]);
    fs::write(named.join("tool_use.jinja"), "file tool_use").unwrap();
    check([None, Some("file tool_use")]);
    fs::write(folder.path().join("chat_template.jinja"), "file").unwrap();
    check([Some("file"), Some("file tool_use")]);
    fs::remove_dir_all(named).unwrap();
    check([Some("file"), Some("file")]);
}
