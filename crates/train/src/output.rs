//! The trained model or adapter, as a folder that other commands and transformers read.

use std::collections::BTreeMap;
use std::path::Path;

use checkpoint::{AdapterFolder, CHAT_TEMPLATE, LoraConfig, MAX_SHARD_BYTES, ModelFile, TensorSpec};
use data::ChatTemplate;
use graph::{DType, HostTensor, ParamSpec};
use serde_json::{Value, json};

use crate::config::TrainConfig;
use crate::run_data::{RunData, tokenizer_folder};
use crate::setup::Setup;
use crate::{Error, Trainer};

/// Writes the trained model of `step`, or the adapter beside the configuration, into the run's folder: the first process does, with the others'
/// help.
pub(crate) fn write(
    config: &TrainConfig,
    setup: &Setup,
    data: &RunData,
    trainer: &Trainer<'_>,
    step: u64,
) -> Result<(), Error> {
    let folder = &config.output_dir;
    match &setup.lora {
        Some(lora) => write_adapter(folder, lora, setup.started(), trainer, step)?,
        None => write_model(folder, setup, data, trainer, step)?,
    }
    if !trainer.processes().is_first() {
        return Ok(());
    }
    if let Some(path) = config.tokenizer_path() {
        let tokenizer = tokenizer_folder(path)?;
        checkpoint::copy_side_files(tokenizer, folder)?;
        // An earlier run in this folder may have had another.
        checkpoint::copy_tokenizer(tokenizer, own_template(config, data), folder)?;
    }
    Ok(())
}

/// The template that the configuration puts in place of the tokenizer's own.
fn own_template<'d>(config: &TrainConfig, data: &'d RunData) -> Option<&'d str> {
    config.chat_template.as_ref().and_then(|_| data.tokenizer.chat_template(false)).map(ChatTemplate::source)
}

/// The files that make a checkpoint a model, or an adapter, that other commands can use: what it is, and its tokenizer.
pub(crate) fn model_files(config: &TrainConfig, setup: &Setup, data: &RunData) -> Result<Vec<ModelFile>, Error> {
    let json =
        |name: &str, value: &Value| ModelFile { name: name.to_owned(), bytes: format!("{value:#}\n").into_bytes() };
    let mut files = vec![match &setup.lora {
        Some(lora) => json("adapter_config.json", &json!(lora)),
        // Checkpoints hold what is trained, in f32 whatever is computed in.
        None => json("config.json", &config_json(setup, data, DType::F32)),
    }];
    let own_template = own_template(config, data);
    if let Some(template) = own_template {
        files.push(ModelFile { name: CHAT_TEMPLATE.to_owned(), bytes: template.as_bytes().to_vec() });
    }
    if let Some(path) = config.tokenizer_path() {
        let beside = checkpoint::read_side_files(tokenizer_folder(path)?)?;
        files.extend(beside.into_iter().filter(|file| own_template.is_none() || file.name != CHAT_TEMPLATE));
    }
    Ok(files)
}

/// Writes the trained adapter of `step` into `folder` as PEFT does. Weights that the adapter `started`, which it began with, was trained over
/// are written as its file has them: the device holds them as it computes.
///
/// # Errors
/// As [`checkpoint::write_adapter`]; a step failed.
pub fn write_adapter(
    folder: &Path,
    config: &LoraConfig,
    started: Option<&AdapterFolder>,
    trainer: &Trainer<'_>,
    step: u64,
) -> Result<(), Error> {
    let frozen = frozen(started, &trainer.program().params)?;
    let trained = trainer.state().into_iter().filter(|spec| !checkpoint::is_moment(&spec.name));
    let specs: Vec<TensorSpec> = trained.chain(specs(&frozen)).collect();
    let written = trainer.write_by_first(&specs, |read| {
        checkpoint::write_adapter(folder, config, &specs, Some(step), |spec| match frozen.get(spec.name.as_str()) {
            Some(tensor) => Ok(tensor.clone()),
            None => Ok(read(spec)?),
        })
    })?;
    Ok(written.transpose().map(drop)?)
}

/// What the files of an adapter that began with `started` hold besides what is trained.
pub(crate) fn frozen<'a>(
    started: Option<&'a AdapterFolder>,
    params: &[ParamSpec],
) -> Result<BTreeMap<String, HostTensor<'a>>, Error> {
    let names = || params.iter().flat_map(ParamSpec::checkpoint_names);
    Ok(started.map(|adapter| adapter.frozen(names())).transpose()?.unwrap_or_default())
}

pub(crate) fn specs(tensors: &BTreeMap<String, HostTensor<'_>>) -> impl Iterator<Item = TensorSpec> {
    tensors.iter().map(|(name, tensor)| TensorSpec::new(name, tensor.dtype(), tensor.shape()))
}

fn write_model(folder: &Path, setup: &Setup, data: &RunData, trainer: &Trainer<'_>, step: u64) -> Result<(), Error> {
    let dtype = setup.plan.compute;
    let mut specs = Vec::new();
    for spec in &trainer.program().params {
        for name in spec.checkpoint_names() {
            specs.push(TensorSpec::new(name, dtype, spec.checkpoint_shape()));
        }
    }
    let written = trainer.write_by_first(&specs, |read| {
        checkpoint::write_model(folder, &specs, MAX_SHARD_BYTES, Some(step), |spec| Ok(read(spec)?))?;
        checkpoint::write_json(folder.join("config.json"), &config_json(setup, data, dtype))
    })?;
    Ok(written.transpose().map(drop)?)
}

/// The base model's `config.json`, or one for the model that was made here, with the element type of the files.
fn config_json(setup: &Setup, data: &RunData, dtype: DType) -> Value {
    let mut config = match setup.source {
        Some(_) => setup.plan.model.with_its_class(setup.model_json.clone()),
        None => setup.plan.model.to_json(),
    };
    let name = if dtype == DType::BF16 { "bfloat16" } else { "float32" };
    if let Some(fields) = config.as_object_mut() {
        fields.remove("dtype");
        fields.insert("torch_dtype".into(), json!(name));
        for (key, id) in [("bos_token_id", data.tokenizer.bos_id()), ("eos_token_id", data.tokenizer.eos_id())] {
            if setup.source.is_none() {
                fields.insert(key.into(), json!(id));
            }
        }
    }
    config
}
