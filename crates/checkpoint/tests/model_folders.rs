//! Model folders: one file or shards, in and out.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use checkpoint::{
    Differences, Error, MAX_SHARD_BYTES, ModelFolder, ModelSource, SafetensorsFile, TensorSpec, Trained,
    copy_side_files, copy_tokenizer, read_side_files, write_json, write_model, write_safetensors,
};
use graph::{Axis, DType, HostTensor, Init, ParamSpec};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Tensors of 10, 10, 4, 30 and 4 bytes.
fn specs() -> Vec<TensorSpec> {
    [("a", 10), ("b", 10), ("c", 4), ("d", 30), ("e", 4)].map(|(name, n)| TensorSpec::new(name, DType::U8, [n])).into()
}

fn source(spec: &TensorSpec) -> Result<HostTensor<'static>, checkpoint::SourceError> {
    Ok(HostTensor::new(DType::U8, &spec.shape, vec![spec.name.as_bytes()[0]; spec.shape[0]])?)
}

/// A folder with a config and shards of at most 16 bytes.
fn sharded() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_json(folder.path().join("config.json"), &json!({ "model_type": "llama" })).unwrap();
    write_model(folder.path(), &specs(), 16, None, source).unwrap();
    folder
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn read_index(folder: &Path) -> Value {
    checkpoint::read_json(folder.join("model.safetensors.index.json")).unwrap()
}

#[test]
fn shards_are_cut_as_hugging_face_cuts_them() {
    let folder = sharded();
    let index = read_index(folder.path());
    assert_eq!(index["metadata"], json!({ "total_parameters": 58, "total_size": 58 }));
    // As split_state_dict_into_shards_factory of huggingface_hub: the tensor over the limit is cut out at once, and so
    // comes before the shard that was open.
    let shard = |i: usize| format!("model-{i:05}-of-00004.safetensors");
    let expected = json!({ "a": shard(1), "b": shard(3), "c": shard(3), "d": shard(2), "e": shard(4) });
    assert_eq!(index["weight_map"], expected);
}

#[test]
fn a_folder_knows_whether_all_its_tensors_are_of_one_type() {
    let folder = sharded();
    let model = ModelFolder::open(folder.path()).unwrap();
    assert!(model.holds_only(DType::U8) && !model.holds_only(DType::BF16));
    let mixed = tempfile::tempdir().unwrap();
    write_json(mixed.path().join("config.json"), &json!({ "model_type": "llama" })).unwrap();
    let tensors = [("a", DType::BF16), ("b", DType::F32)].map(|(name, dtype)| TensorSpec::new(name, dtype, [2]));
    let zeros = |spec: &TensorSpec| Ok(HostTensor::new(spec.dtype, &spec.shape, vec![0; 2 * spec.dtype.size()])?);
    write_model(mixed.path(), &tensors, MAX_SHARD_BYTES, None, zeros).unwrap();
    let model = ModelFolder::open(mixed.path()).unwrap();
    assert!(!model.holds_only(DType::BF16) && !model.holds_only(DType::F32));
}

/// As transformers has it: a head that differs from the embedding is the model's, whatever the configuration says of tying.
#[test]
fn a_head_of_its_own_is_not_tied() {
    let cases = [
        ("model.embed_tokens.weight", "lm_head.weight", json!({ "tie_word_embeddings": true })),
        ("transformer.wte.weight", "lm_head.weight", json!({})),
        ("wte.weight", "lm_head.weight", json!({})),
        ("gpt_neox.embed_in.weight", "embed_out.weight", json!({ "tie_word_embeddings": true })),
        ("backbone.embeddings.weight", "lm_head.weight", json!({})),
        ("transformer.word_embeddings.weight", "lm_head.weight", json!({})),
    ];
    for (embedding, head, config) in cases {
        for (value, tied) in [(7, false), (0, true)] {
            let folder = tempfile::tempdir().unwrap();
            write_json(folder.path().join("config.json"), &config).unwrap();
            let specs = [embedding, head].map(|name| TensorSpec::new(name, DType::U8, [2, 3]));
            let values = |spec: &TensorSpec| {
                let last = if spec.name == head { value } else { 0 };
                Ok(HostTensor::new(DType::U8, &spec.shape, vec![0, 0, 0, 0, 0, last])?)
            };
            write_model(folder.path(), &specs, MAX_SHARD_BYTES, None, values).unwrap();
            let folder = ModelFolder::open(folder.path()).unwrap();
            let expected = if tied { config.get("tie_word_embeddings").cloned() } else { Some(json!(false)) };
            assert_eq!(folder.config().get("tie_word_embeddings").cloned(), expected, "{head} beside {embedding}");
        }
    }
}

#[test]
fn a_digest_is_of_the_tensors_and_not_of_the_files() {
    let digest = |specs: &[TensorSpec], shard: u64, values: &dyn Fn(&TensorSpec) -> Vec<u8>| {
        let folder = tempfile::tempdir().unwrap();
        write_json(folder.path().join("config.json"), &json!({})).unwrap();
        let source = |spec: &TensorSpec| Ok(HostTensor::new(DType::U8, &spec.shape, values(spec))?);
        write_model(folder.path(), specs, shard, None, source).unwrap();
        ModelFolder::open(folder.path()).unwrap().digest()
    };
    let large = [TensorSpec::new("empty", DType::U8, [0]), TensorSpec::new("w", DType::U8, [100, 1000])];
    let zeros = |spec: &TensorSpec| vec![0; spec.shape.iter().product()];
    let of_zeros = digest(&large, MAX_SHARD_BYTES, &zeros);
    assert_eq!(digest(&large, 16, &zeros), of_zeros);
    for at in [0, 50_000, 99_999] {
        let other = |spec: &TensorSpec| {
            let mut values = zeros(spec);
            if let Some(value) = values.get_mut(at) {
                *value = 1;
            }
            values
        };
        assert_ne!(digest(&large, 16, &other), of_zeros, "at {at}");
    }
    let transposed = [large[0].clone(), TensorSpec::new("w", DType::U8, [1000, 100])];
    let renamed = [large[0].clone(), TensorSpec::new("v", DType::U8, [100, 1000])];
    for other in [transposed, renamed] {
        assert_ne!(digest(&other, 16, &zeros), of_zeros);
    }
}

#[test]
fn a_sharded_model_reads_back() {
    let folder = sharded();
    let model = ModelFolder::open(folder.path()).unwrap();
    assert_eq!(model.config()["model_type"], "llama");
    assert!(model.names().eq(["a", "b", "c", "d", "e"]));
    for spec in specs() {
        assert_eq!(model.tensor(&spec.name).unwrap(), source(&spec).unwrap());
    }
    assert!(matches!(model.tensor("f"), Err(Error::NoTensor { .. })));
}

/// In each file, beside what transformers asks for.
#[test]
fn a_model_says_of_which_step_it_is() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(Trained::find(folder.path()).unwrap(), None);
    let of_step = |step: Option<u64>, name: &str| Some(Trained { file: folder.path().join(name), step });
    for step in [None, Some(7)] {
        for (max_shard_bytes, name) in
            [(16, "model-00001-of-00004.safetensors"), (MAX_SHARD_BYTES, "model.safetensors")]
        {
            let files = write_model(folder.path(), &specs(), max_shard_bytes, step, source).unwrap();
            assert_eq!(Trained::find(folder.path()).unwrap(), of_step(step, name));
            for file in files {
                let file = SafetensorsFile::open(file).unwrap();
                let expected = [("finery.step", step.map(|step| step.to_string())), ("format", Some("pt".to_owned()))];
                let found = expected.each_ref().map(|(key, _)| (*key, file.metadata().get(*key).cloned()));
                assert_eq!(found, expected);
            }
        }
    }
    fs::write(folder.path().join("model.safetensors"), "damaged").unwrap();
    assert!(matches!(Trained::find(folder.path()), Err(Error::Header { .. })));
}

#[test]
fn a_new_export_leaves_nothing_of_the_old() {
    let folder = sharded();
    fs::write(folder.path().join("model-of-mine.safetensors"), "not ours to remove").unwrap();
    fs::write(folder.path().join(".partial-model-00001-of-00009.safetensors"), "of a killed export").unwrap();
    let one = write_model(folder.path(), &specs(), MAX_SHARD_BYTES, None, source).unwrap();
    assert_eq!(one, [folder.path().join("model.safetensors")]);
    assert_eq!(files(folder.path()), ["config.json", "model-of-mine.safetensors", "model.safetensors"]);
    ModelFolder::open(folder.path()).unwrap().tensor("d").unwrap();

    write_model(folder.path(), &specs(), 40, None, source).unwrap();
    let shards = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"];
    let [first, second] = shards;
    let expected = ["config.json", first, second, "model-of-mine.safetensors", "model.safetensors.index.json"];
    assert_eq!(files(folder.path()), expected);
    ModelFolder::open(folder.path()).unwrap().tensor("d").unwrap();
}

/// A model whose tensors are all [1, 2].
fn holding(names: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_json(folder.path().join("config.json"), &json!({})).unwrap();
    let specs: Vec<TensorSpec> = names.iter().map(|name| TensorSpec::new(*name, DType::F32, [2])).collect();
    write_model(folder.path(), &specs, MAX_SHARD_BYTES, None, |_| Ok(HostTensor::from_vec(&[2], vec![1.0f32, 2.0])?))
        .unwrap();
    folder
}

/// One of them, as a model declares it.
fn param(name: &str) -> ParamSpec {
    let (name, axes) = (name.to_owned(), vec![Axis::new("embed", 2)]);
    ParamSpec { name, dtype: DType::F32, axes, stack: vec![], init: Init::Ones }
}

/// As GPT-2's files on hubs are: without the first part of each name, and with masks that are no parameters.
#[test]
fn files_of_a_model_without_its_head_are_read() {
    let folder = holding(&["h.0.attn.bias", "h.0.ln_1.weight", "wte.weight"]);
    let source = ModelSource::open(folder.path(), None).unwrap();
    let needed = ["transformer.wte.weight", "transformer.h.0.ln_1.weight"].map(param);
    source.check(&needed).unwrap();
    assert_eq!(source.tensor("transformer.h.0.ln_1.weight").unwrap().to_f32(), [1.0, 2.0]);
    let missing = source.check(&[&needed[..], &[param("transformer.ln_f.weight")]].concat()).unwrap_err().to_string();
    assert!(missing.contains("ln_f.weight"), "{missing}");
}

/// As the first Mambas' files have it, with the head beside it that is the same.
#[test]
fn an_embedding_may_have_its_older_name() {
    let folder = holding(&["backbone.embedding.weight", "backbone.norm_f.weight", "lm_head.weight"]);
    let source = ModelSource::open(folder.path(), None).unwrap();
    source.check(&["backbone.embeddings.weight", "backbone.norm_f.weight"].map(param)).unwrap();
    assert_eq!(source.tensor("backbone.embeddings.weight").unwrap().to_f32(), [1.0, 2.0]);
}

#[test]
fn a_model_can_be_exported_over_itself() {
    let folder = sharded();
    let model = ModelFolder::open(folder.path()).unwrap();
    write_model(folder.path(), &specs(), 20, None, |spec| Ok(model.tensor(&spec.name)?)).unwrap();
    let again = ModelFolder::open(folder.path()).unwrap();
    for spec in specs() {
        assert_eq!(again.tensor(&spec.name).unwrap(), source(&spec).unwrap());
    }
}

#[test]
fn a_failed_export_leaves_the_old_model() {
    let folder = sharded();
    let before = files(folder.path());
    let fail = |spec: &TensorSpec| if spec.name == "e" { Err("lost the device".into()) } else { source(spec) };
    assert!(matches!(write_model(folder.path(), &specs(), 40, None, fail), Err(Error::Source { .. })));
    assert_eq!(files(folder.path()), before);
    ModelFolder::open(folder.path()).unwrap();
}

/// What opening says after `damage`, with the folder's path taken out.
#[track_caller]
fn refused(damage: impl FnOnce(&Path)) -> String {
    let folder = sharded();
    damage(folder.path());
    let message = ModelFolder::open(folder.path()).expect_err("the folder is damaged").to_string();
    message.replace(&folder.path().display().to_string(), "DIR")
}

fn edit_index(folder: &Path, edit: impl FnOnce(&mut Value)) {
    let mut index = read_index(folder);
    edit(&mut index["weight_map"]);
    write_json(folder.join("model.safetensors.index.json"), &index).unwrap();
}

#[test]
fn missing_folder() {
    let message = ModelFolder::open("no/such/folder").unwrap_err().to_string();
    assert_eq!(message, "no/such/folder is not a model folder: there is no such folder");
}

#[test]
fn missing_config() {
    let message = refused(|folder| fs::remove_file(folder.join("config.json")).unwrap());
    assert_eq!(message, "DIR is not a model folder: it has no config.json");
}

#[test]
fn adapter_in_place_of_a_model() {
    let message = refused(|folder| fs::rename(folder.join("config.json"), folder.join("adapter_config.json")).unwrap());
    let expected = "it has no config.json; it is an adapter, which is given beside its base model";
    assert_eq!(message, format!("DIR is not a model folder: {expected}"));
}

#[test]
fn config_that_is_not_json() {
    let message = refused(|folder| fs::write(folder.join("config.json"), "{\n  \"a\": 1,\n}").unwrap());
    assert_eq!(message, "DIR/config.json cannot be understood: trailing comma at line 3 column 1");
}

#[test]
fn config_that_is_not_utf8() {
    let message = refused(|folder| fs::write(folder.join("config.json"), b"{\"a\": \"\xC0\"}").unwrap());
    assert_eq!(message, "DIR/config.json cannot be understood: invalid unicode code point at line 1 column 8");
}

#[test]
fn missing_weights() {
    let message = refused(|folder| fs::remove_file(folder.join("model.safetensors.index.json")).unwrap());
    let expected = "it has neither model.safetensors nor model.safetensors.index.json";
    assert_eq!(message, format!("DIR is not a model folder: {expected}"));
}

#[test]
fn pickled_weights() {
    let message = refused(|folder| {
        fs::rename(folder.join("model.safetensors.index.json"), folder.join("pytorch_model.bin")).unwrap();
    });
    assert!(message.ends_with("; convert its pytorch_model.bin with transformers' save_pretrained"), "{message}");
}

const INDEX: &str = "DIR/model.safetensors.index.json does not fit its shards: ";

#[test]
fn missing_shard() {
    let message = refused(|folder| fs::remove_file(folder.join("model-00003-of-00004.safetensors")).unwrap());
    let expected = "the shard model-00003-of-00004.safetensors, with 2 tensors, is missing; download it again";
    assert_eq!(message, format!("{INDEX}{expected}"));
}

#[test]
fn truncated_shard() {
    let message = refused(|folder| {
        let file = fs::File::options().write(true).open(folder.join("model-00002-of-00004.safetensors")).unwrap();
        file.set_len(file.metadata().unwrap().len() - 1).unwrap();
    });
    let expected = "DIR/model-00002-of-00004.safetensors is not a valid safetensors file: tensor \"d\" ends at byte 30 \
                    of the data, of which there are 29; the file is truncated";
    assert_eq!(message, expected);
}

#[test]
fn shard_outside_of_the_folder() {
    for outside in ["../model.safetensors", "/etc/hostname", "sub/model.safetensors", "..", ""] {
        let message = refused(|folder| edit_index(folder, |map| map["a"] = json!(outside)));
        assert_eq!(message, format!("{INDEX}the shard \"{outside}\" is not a file of this folder"));
    }
}

#[test]
fn tensor_in_the_index_but_not_in_its_shard() {
    let message = refused(|folder| edit_index(folder, |map| map["b"] = map["e"].clone()));
    let expected = "the shard model-00004-of-00004.safetensors does not hold the tensor \"b\", but \
                    model-00003-of-00004.safetensors does";
    assert_eq!(message, format!("{INDEX}{expected}"));
    let message = refused(|folder| edit_index(folder, |map| map["z"] = map["e"].clone()));
    let expected = "the shard model-00004-of-00004.safetensors does not hold the tensor \"z\"";
    assert_eq!(message, format!("{INDEX}{expected}"));
}

#[test]
fn tensor_in_two_shards_and_not_in_the_index() {
    let message = refused(|folder| {
        for (file, own) in [("x.safetensors", "p"), ("y.safetensors", "q")] {
            let specs = [own, "shared"].map(|name| TensorSpec::new(name, DType::U8, [1]));
            write_safetensors(folder.join(file), &specs, source).unwrap();
        }
        edit_index(folder, |map| *map = json!({ "p": "x.safetensors", "q": "y.safetensors" }));
    });
    let expected = "\"shared\" is in both x.safetensors and y.safetensors, and the index names neither";
    assert_eq!(message, format!("{INDEX}{expected}"));
}

/// As transformers, which loads whole shards.
#[test]
fn tensor_in_one_shard_and_not_in_the_index() {
    let folder = sharded();
    edit_index(folder.path(), |map| {
        map.as_object_mut().unwrap().remove("c");
    });
    assert_eq!(ModelFolder::open(folder.path()).unwrap().tensor("c").unwrap().shape(), [4]);
}

#[test]
fn index_without_a_map() {
    let message = refused(|folder| fs::write(folder.join("model.safetensors.index.json"), "{}").unwrap());
    assert!(message.starts_with("DIR/model.safetensors.index.json cannot be understood: missing field `weight_map`"));
}

/// The sentence for a model that needs `expected`, of a folder with the tensors of `specs`.
fn differences(expected: &[(&str, &[usize])]) -> Differences {
    ModelFolder::open(sharded().path()).unwrap().differences(expected.iter().copied())
}

#[test]
fn differences_are_listed_with_hints() {
    let same: Vec<TensorSpec> = specs();
    let same: Vec<(&str, &[usize])> = same.iter().map(|spec| (spec.name.as_str(), spec.shape.as_slice())).collect();
    assert!(differences(&same).is_empty());
    let found = differences(&[("a", &[10]), ("b", &[5, 2]), ("c", &[4]), ("d", &[30])]);
    assert_eq!(found.to_string(), r#"1 of a wrong shape: "b" is [10] and should be [5, 2]; 1 not expected: "e""#);

    let needed = [("model.layers.0.q_proj.weight", &[1][..])];
    let found = Differences::between(needed, [("layers.0.q_proj.weight", &[1][..]), ("x", &[1])]);
    let expected = "1 missing: \"model.layers.0.q_proj.weight\" (the file has \"layers.0.q_proj.weight\"); \
                    2 not expected: \"layers.0.q_proj.weight\", \"x\"";
    assert_eq!(found.to_string(), expected);

    let many: Vec<String> = (0..100).map(|i| format!("t{i}")).collect();
    let found = Differences::between(many.iter().map(|name| (name.as_str(), &[][..])), []);
    assert_eq!(found.to_string(), r#"100 missing: "t0", "t1", "t2", "t3" and 96 more"#);
}

#[test]
fn check_ignores_what_it_is_told_to() {
    let folder = sharded();
    let model = ModelFolder::open(folder.path()).unwrap();
    let needed: [(&str, &[usize]); 4] = [("a", &[10]), ("b", &[10]), ("c", &[4]), ("d", &[30])];
    model.check(needed, |name| name == "e").unwrap();
    let message = model.check(needed, |_| false).unwrap_err().to_string();
    assert!(message.ends_with(r#"are not those that the model needs: 1 not expected: "e""#), "{message}");
}

/// What is in a folder and the folders in it, by name.
fn contents(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        match path.is_dir() {
            true => found.extend(contents(&path).into_iter().map(|(inner, text)| (format!("{name}/{inner}"), text))),
            false => drop(found.insert(name, fs::read_to_string(&path).unwrap())),
        }
    }
    found
}

fn folder_of(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

#[track_caller]
fn check_contents(folder: &Path, expected: &[(&str, &str)]) {
    let expected = expected.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    assert_eq!(contents(folder), expected);
}

const MARKED: (&str, &str) = ("chat_template.jinja", "{{ x }}");
const TOOL_USE: (&str, &str) = ("additional_chat_templates/tool_use.jinja", "{{ tools }}");

#[test]
fn side_files_are_copied() {
    let generation = ("generation_config.json", "{}");
    let from = folder_of(&[("tokenizer.json", "{}"), generation, MARKED, TOOL_USE, ("secret.txt", "no")]);
    let to = folder_of(&[("generation_config.json", "old"), ("preprocessor_config.json", "mine")]);
    copy_side_files(from.path(), to.path()).unwrap();
    check_contents(to.path(), &[generation, ("preprocessor_config.json", "mine")]);
    let before = contents(from.path());
    copy_side_files(from.path(), from.path()).unwrap();
    assert_eq!(contents(from.path()), before);
    let read = read_side_files(from.path()).unwrap();
    let names: Vec<&str> = read.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["tokenizer.json", "chat_template.jinja", "generation_config.json"]);
}

/// What was there of another would be used with it: a template in a file wins over the configuration's.
#[test]
fn a_tokenizer_is_copied_whole_and_alone() {
    let (plain, named) = (("tokenizer.json", "{}"), ("additional_chat_templates/rag.jinja", "{{ documents }}"));
    let (notes, inner) = (("notes.txt", "mine"), ("additional_chat_templates/notes.txt", "mine"));
    let config = ("tokenizer_config.json", "{\"chat_template\": \"\"}");
    let from = folder_of(&[plain, config, named, ("secret.txt", "no")]);
    let old = [("tokenizer.json", "old"), ("merges.txt", "old"), MARKED, TOOL_USE, notes];
    let to = folder_of(&old);
    copy_tokenizer(from.path(), None, to.path()).unwrap();
    check_contents(to.path(), &[plain, config, named, notes]);

    // A template that is given is the only one.
    let to = folder_of(&[&old[..], &[inner]].concat());
    copy_tokenizer(from.path(), Some("{{ own }}"), to.path()).unwrap();
    check_contents(to.path(), &[plain, config, ("chat_template.jinja", "{{ own }}"), notes, inner]);

    let bare = folder_of(&[plain]);
    let to = folder_of(&old);
    copy_tokenizer(bare.path(), None, to.path()).unwrap();
    check_contents(to.path(), &[plain, notes]);
    assert!(!to.path().join("additional_chat_templates").exists());
}

#[test]
fn a_tokenizer_that_is_copied_to_itself_changes_in_its_template_alone() {
    let own = [("tokenizer.json", "{}"), ("merges.txt", "a b"), MARKED, TOOL_USE];
    let folder = folder_of(&own);
    let link = folder.path().with_extension("link");
    std::os::unix::fs::symlink(folder.path(), &link).unwrap();
    copy_tokenizer(&link, None, folder.path()).unwrap();
    check_contents(folder.path(), &own);
    copy_tokenizer(&link, Some("{{ own }}"), folder.path()).unwrap();
    fs::remove_file(link).unwrap();
    check_contents(folder.path(), &[own[0], own[1], ("chat_template.jinja", "{{ own }}")]);
}

/// Its files would be removed for it.
#[test]
fn a_tokenizer_that_cannot_be_looked_at_is_not_taken_to_be_gone() {
    let (from, to) = (folder_of(&[("tokenizer.json", "{}")]), folder_of(&[("merges.txt", "a b")]));
    let merges = from.path().join("merges.txt");
    std::os::unix::fs::symlink(&merges, &merges).unwrap();
    let error = copy_tokenizer(from.path(), None, to.path()).unwrap_err().to_string();
    assert!(error.starts_with(&format!("could not look at {}: ", merges.display())), "{error}");
    check_contents(to.path(), &[("merges.txt", "a b")]);
}
