//! Models and adapters by the model's own names.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use checkpoint::{
    Checkpoint, Checkpoints, LoraConfig, ModelSource, TensorPart, TensorSpec, write_adapter, write_safetensors,
};
use graph::{Axis, DType, HostTensor, Init, ParamSpec, Stack};

const PROJ: &str = "model.layers.*.self_attn.q_proj";

fn spec(name: &str, shape: &[usize]) -> ParamSpec {
    const AXES: [&str; 2] = ["a", "b"];
    let axes = shape.iter().zip(AXES).map(|(size, name)| Axis::new(name, *size)).collect();
    let stack = name.contains('*').then_some(Stack::of(Axis::new("layers", 2))).into_iter().collect();
    ParamSpec { name: name.into(), dtype: DType::F32, axes, stack, init: Init::Zeros }
}

/// What a model with two layers and an adapter of rank `rank` declares.
fn declared(rank: usize) -> Vec<ParamSpec> {
    vec![
        spec("model.embed_tokens.weight", &[4, 3]),
        spec(&format!("{PROJ}.weight"), &[5, 3]),
        spec(&format!("{PROJ}.lora_A.weight"), &[rank, 3]),
        spec(&format!("{PROJ}.lora_B.weight"), &[5, rank]),
    ]
}

fn base() -> Vec<TensorSpec> {
    vec![
        TensorSpec::new("model.embed_tokens.weight", DType::F32, [4, 3]),
        TensorSpec::new("model.layers.0.self_attn.q_proj.weight", DType::F32, [5, 3]),
        TensorSpec::new("model.layers.1.self_attn.q_proj.weight", DType::F32, [5, 3]),
    ]
}

fn filled(dtype: DType, shape: &[usize], byte: u8) -> HostTensor<'static> {
    HostTensor::new(dtype, shape, vec![byte; shape.iter().product::<usize>() * dtype.size()]).unwrap()
}

fn write_model(folder: &Path, tensors: &[TensorSpec]) {
    fs::write(folder.join("config.json"), "{}").unwrap();
    let source = |spec: &TensorSpec| Ok(filled(spec.dtype, &spec.shape, 1));
    write_safetensors(folder.join("model.safetensors"), tensors, source).unwrap();
}

/// An adapter of rank 2 whose A is full of bytes 2 and B of 3.
fn write_lora(folder: &Path, layers: usize) {
    let config: LoraConfig = serde_json::from_value(serde_json::json!({
        "peft_type": "LORA", "r": 2, "lora_alpha": 8, "target_modules": ["q_proj"]
    }))
    .unwrap();
    let spec = |layer, factor, shape| {
        TensorSpec::new(format!("model.layers.{layer}.self_attn.q_proj.{factor}.weight"), DType::F32, shape)
    };
    let specs = (0..layers).flat_map(|layer| [spec(layer, "lora_A", [2, 3]), spec(layer, "lora_B", [5, 2])]);
    let specs: Vec<TensorSpec> = specs.collect();
    let byte = |spec: &TensorSpec| if spec.name.contains("lora_A") { 2 } else { 3 };
    write_adapter(folder, &config, &specs, None, |spec| Ok(filled(spec.dtype, &spec.shape, byte(spec)))).unwrap();
}

/// A checkpoint as training writes one: parameters and their moments under the model's names, and what they are.
fn write_checkpoint(run: &Path, step: u64, description: (&str, &str), names: &[(&str, &[usize])]) -> PathBuf {
    let specs = names.iter().flat_map(|(name, shape)| {
        ["", ".exp_avg", ".exp_avg_sq"].map(|moment| TensorSpec::new(format!("{name}{moment}"), DType::F32, *shape))
    });
    let value = |spec: &TensorSpec| if spec.name.contains(".exp_avg") { 9 } else { step as u8 };
    let source = |part: &TensorPart| Ok(filled(part.dtype(), &part.whole.shape, value(&part.whole)));
    let specs: Vec<TensorPart> = specs.map(TensorPart::of_all).collect();
    let path = Checkpoints::open(run).unwrap().save(step, &"state", &specs, source).unwrap();
    fs::write(path.join(description.0), description.1).unwrap();
    path
}

const BASE: [(&str, &[usize]); 3] = [
    ("model.embed_tokens.weight", &[4, 3]),
    ("model.layers.0.self_attn.q_proj.weight", &[5, 3]),
    ("model.layers.1.self_attn.q_proj.weight", &[5, 3]),
];
const LORA: [(&str, &[usize]); 4] = [
    ("model.layers.0.self_attn.q_proj.lora_A.weight", &[2, 3]),
    ("model.layers.0.self_attn.q_proj.lora_B.weight", &[5, 2]),
    ("model.layers.1.self_attn.q_proj.lora_A.weight", &[2, 3]),
    ("model.layers.1.self_attn.q_proj.lora_B.weight", &[5, 2]),
];

fn lora_config(base: Option<&str>) -> String {
    let config = serde_json::json!({
        "peft_type": "LORA", "r": 2, "lora_alpha": 8, "target_modules": ["q_proj"], "base_model_name_or_path": base
    });
    config.to_string()
}

#[test]
fn a_checkpoint_that_is_not_there_is_not_called_incomplete() {
    let message = Checkpoint::open("runs/a/checkpoints/step-00000007").unwrap_err().to_string();
    assert_eq!(message, "there is no checkpoint runs/a/checkpoints/step-00000007: there is no such folder");
    let message = ModelSource::open("runs/a/checkpoints/step-00000007", None).unwrap_err().to_string();
    assert_eq!(message, "runs/a/checkpoints/step-00000007 is not a model folder: there is no such folder");
}

/// Of a run's folder the newest complete checkpoint is taken, until the run has written its result.
#[test]
fn checkpoints_are_models_and_adapters() {
    let (full, lora) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let model = declared(2).into_iter().filter(|spec| !spec.name.contains("lora")).collect::<Vec<_>>();
    let first = write_checkpoint(full.path(), 1, ("config.json", "{}"), &BASE);
    write_checkpoint(full.path(), 2, ("config.json", "{}"), &BASE);
    let damaged = write_checkpoint(full.path(), 3, ("config.json", "{}"), &BASE);
    fs::write(damaged.join("manifest.json"), "{").unwrap();
    let adapter = write_checkpoint(lora.path(), 4, ("adapter_config.json", &lora_config(None)), &LORA);

    for (folder, step) in [(full.path(), 2), (&first, 1)] {
        let source = ModelSource::open(folder, None).unwrap();
        source.check(&model).unwrap();
        assert_eq!(source.tensor("model.layers.1.self_attn.q_proj.weight").unwrap().bytes()[0], step);
        assert!(source.tensor("model.embed_tokens.weight.exp_avg").is_err(), "moments are nothing of the model");
        for folder in [lora.path(), &adapter] {
            let source = ModelSource::open(&first, Some(folder)).unwrap();
            source.check(&declared(2)).unwrap();
            assert_eq!(source.tensor("model.layers.1.self_attn.q_proj.lora_B.weight").unwrap().bytes()[0], 4);
        }
    }
    write_model(full.path(), &base());
    let source = ModelSource::open(full.path(), None).unwrap();
    assert_eq!(
        source.tensor("model.embed_tokens.weight").unwrap().bytes()[0],
        1,
        "the result is taken once it is there"
    );
}

#[test]
fn an_adapter_may_name_its_model() {
    let folder = tempfile::tempdir().unwrap();
    let adapter = folder.path().join("runs/lora");
    fs::create_dir_all(folder.path().join("models/base")).unwrap();
    write_model(&folder.path().join("models/base"), &base());
    let open = |name: Option<&str>| {
        write_lora(&adapter, 2);
        fs::write(adapter.join("adapter_config.json"), lora_config(name)).unwrap();
        ModelSource::open_adapter(&adapter)
    };
    let absolute = folder.path().join("models/base");
    for name in ["models/base", absolute.to_str().unwrap()] {
        assert_eq!(open(Some(name)).unwrap().model().path(), absolute);
    }
    let message = |name| open(name).unwrap_err().to_string();
    let start = format!("adapter {} cannot be used: its ", adapter.display());
    assert_eq!(
        message(None),
        format!("{start}configuration does not name its base model; give the model beside the adapter")
    );
    let expected = "base model models/other (base_model_name_or_path) is found neither from here nor from the folders around the \
                    adapter; give the model beside the adapter";
    assert_eq!(message(Some("models/other")), format!("{start}{expected}"));
}

#[test]
fn tensors_come_from_the_file_that_has_them() {
    let (model, adapter) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write_model(model.path(), &base());
    write_lora(adapter.path(), 2);
    let source = ModelSource::open(model.path(), Some(adapter.path())).unwrap();
    source.check(&declared(2)).unwrap();
    for (name, first) in [
        ("model.layers.1.self_attn.q_proj.weight", 1),
        ("model.layers.1.self_attn.q_proj.lora_A.weight", 2),
        ("model.layers.0.self_attn.q_proj.lora_B.weight", 3),
    ] {
        assert_eq!(source.tensor(name).unwrap().bytes()[0], first, "{name}");
    }
    let adapter = source.adapter().unwrap();
    assert!(adapter.adapts("model.layers.0.self_attn.q_proj") && !adapter.adapts("model.layers.2.self_attn.q_proj"));

    // An adapter that is going to be drawn is nowhere to be found, and nothing is said about it.
    let fresh = ModelSource::open(model.path(), None).unwrap();
    fresh.check(&declared(7)).unwrap();
    assert!(fresh.tensor("model.layers.0.self_attn.q_proj.lora_A.weight").is_err());
}

#[test]
fn an_adapter_of_another_model_is_named_with_both_folders() {
    let folder = tempfile::tempdir().unwrap();
    let [model, lora] = ["model", "lora"].map(|name| folder.path().join(name));
    for folder in [&model, &lora] {
        fs::create_dir(folder).unwrap();
    }
    write_model(&model, &base());
    write_lora(&lora, 2);
    let wider = [spec(&format!("{PROJ}.lora_A.weight"), &[2, 9]), spec(&format!("{PROJ}.lora_B.weight"), &[5, 2])];
    let error = ModelSource::open(&model, Some(&lora)).unwrap().check_adapter(&wider).unwrap_err().to_string();
    let expected = format!(
        "adapter {} does not fit the model {}; give the base model that it was trained on: 2 of a wrong shape: \
         \"model.layers.0.self_attn.q_proj.lora_A.weight\" is [2, 3] and should be [2, 9], \"model.layers.1.self_attn.q_proj.lora_A.weight\" is [2, 3] and should be [2, 9]",
        lora.join("adapter_model.safetensors").display(),
        model.display(),
    );
    assert_eq!(error, expected);
}

/// Changes to the model's tensors, and what follows the name of the folder in the message; nothing where the change does no harm.
#[test]
fn models_that_do_not_fit_are_refused() {
    type Change = fn(&mut Vec<TensorSpec>);
    let cases: &[(Change, Option<&str>)] = &[
        (|tensors| tensors.push(TensorSpec::new("lm_head.weight", DType::F32, [4, 3])), None),
        (
            |tensors| tensors.push(TensorSpec::new("model.layers.0.self_attn.rotary_emb.inv_freq", DType::F32, [2])),
            None,
        ),
        (|tensors| drop(tensors.pop()), Some("1 missing: \"model.layers.1.self_attn.q_proj.weight\"")),
        (
            |tensors| tensors.push(TensorSpec::new("score.weight", DType::F32, [4])),
            Some("1 not expected: \"score.weight\""),
        ),
        (
            |tensors| tensors[0] = TensorSpec::new("model.embed_tokens.weight", DType::F32, [8, 3]),
            Some("1 of a wrong shape: \"model.embed_tokens.weight\" is [8, 3] and should be [4, 3]"),
        ),
    ];
    for (change, expected) in cases {
        let folder = tempfile::tempdir().unwrap();
        let mut tensors = base();
        change(&mut tensors);
        write_model(folder.path(), &tensors);
        let found = ModelSource::open(folder.path(), None).unwrap().check(&declared(2));
        let start = format!("the tensors of {} are not those that the model needs: ", folder.path().display());
        let expected = expected.map(|rule| start + rule);
        assert_eq!(found.err().map(|error| error.to_string()), expected);
    }
}

#[test]
fn adapters_that_do_not_fit_are_refused() {
    let (model, adapter) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write_model(model.path(), &base());
    write_lora(adapter.path(), 1);
    let source = ModelSource::open(model.path(), Some(adapter.path())).unwrap();
    let missing = source.check(&declared(2)).unwrap_err().to_string();
    assert!(missing.contains("adapter_model.safetensors"), "{missing}");
    assert!(missing.contains("2 missing: \"model.layers.1.self_attn.q_proj.lora_A.weight\""), "{missing}");
    let unknown = source.check(&[declared(2)[0].clone(), declared(2)[1].clone()]).unwrap_err().to_string();
    assert!(unknown.contains("2 not expected: \"model.layers.0.self_attn.q_proj.lora_A.weight\""), "{unknown}");
}

/// The names of all of them would not fit into memory.
#[test]
fn more_layers_than_tensors_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    write_model(folder.path(), &base());
    let mut specs = declared(2);
    for spec in &mut specs {
        for stack in &mut spec.stack {
            stack.axis.size = 2_147_483_647;
        }
    }
    let refused = ModelSource::open(folder.path(), None).unwrap().check(&specs).unwrap_err().to_string();
    assert!(refused.ends_with("its config.json asks for 2147483647 layers, but it holds 3 tensors"), "{refused}");
}

#[test]
fn quantised_weights_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut tensors = base();
    tensors[0].dtype = DType::I32;
    write_model(folder.path(), &tensors);
    let source = ModelSource::open(folder.path(), None).unwrap();
    let refused = source.tensor("model.embed_tokens.weight").unwrap_err().to_string();
    assert!(
        refused.contains("stored as i32, which is not supported; convert the model to BF16, F16 or F32"),
        "{refused}"
    );
}

/// A layer's experts as two tensors: numbers that count through the gates' and the up projections' (3, 2 * 2, 2), and the down projections'.
fn write_stacked(folder: &Path, experts: usize, names: [&str; 2]) {
    fs::write(folder.join("config.json"), "{}").unwrap();
    let specs = [
        TensorSpec::new(names[0], DType::F32, [experts, 4, 2]),
        TensorSpec::new(names[1], DType::F32, [experts, 2, 2]),
    ];
    let counted = |spec: &TensorSpec| {
        let count = spec.shape.iter().product::<usize>();
        Ok(HostTensor::from_vec(&spec.shape, (0..count).map(|value| value as f32).collect())?)
    };
    write_safetensors(folder.join("model.safetensors"), &specs, counted).unwrap();
}

/// What a layer with three experts declares, whose projections are called so.
fn experts(path: &str, projections: [&str; 3]) -> Vec<ParamSpec> {
    let stack = vec![Stack::of(Axis::new("layers", 1)), Stack::of(Axis::new("experts", 3))];
    let of = |name| ParamSpec {
        stack: stack.clone(),
        ..spec(&format!("model.layers.*.{path}.experts.*.{name}.weight"), &[2, 2])
    };
    projections.map(of).into()
}

#[test]
fn experts_may_be_stacked() {
    let names = ["model.layers.0.mlp.experts.gate_up_proj", "model.layers.0.mlp.experts.down_proj"];
    for (path, projections) in
        [("block_sparse_moe", ["w1", "w3", "w2"]), ("mlp", ["gate_proj", "up_proj", "down_proj"])]
    {
        let needed = experts(path, projections);
        let check = |experts, names| {
            let folder = tempfile::tempdir().unwrap();
            write_stacked(folder.path(), experts, names);
            let source = ModelSource::open(folder.path(), None).unwrap();
            let refused = source.check(&needed).err().map(|error| error.to_string());
            let read = |matrix| source.tensor(&format!("model.layers.0.{path}.experts.2.{matrix}.weight"));
            (refused, projections.map(|matrix| read(matrix).ok().map(|tensor| tensor.to_f32())))
        };
        let (refused, last) = check(3, names);
        assert_eq!(refused, None);
        assert_eq!(
            last,
            [[16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0], [8.0, 9.0, 10.0, 11.0]].map(|row| Some(row.to_vec()))
        );
        let refused = |experts, names| check(experts, names).0.unwrap();
        let (more, fewer, other) = (refused(4, names), refused(2, names), refused(3, [names[0], "other"]));
        let wrong = "2 of a wrong shape: \"model.layers.0.mlp.experts.down_proj\" is";
        assert!(more.contains(&format!("{wrong} [4, 2, 2] and should be [3, 2, 2]")), "{more}");
        assert!(fewer.contains(&format!("{wrong} [2, 2, 2] and should be [3, 2, 2]")), "{fewer}");
        assert_eq!(check(2, names).1, [None, None, None]);
        let missing = format!("3 missing: \"model.layers.0.{path}.experts.0.{}.weight\"", projections[2]);
        assert!(other.contains(&missing), "{other}");
    }
}
