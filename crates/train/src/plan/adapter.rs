//! What the keys of an adapter mean.

use std::collections::BTreeSet;

use checkpoint::{LoraConfig, ModelSource, OneOrMany};
use graph::{DType, ParamSpec};
use models::{LanguageModel, LinearModule, Lora, Precision};

use super::PlanError;
use crate::config::spelling::nearest;
use crate::config::{TargetModules, TrainConfig};

/// The adapter's configuration under PEFT's names.
///
/// # Errors
/// A name of `lora_target_modules` is that of no linear module.
pub(crate) fn lora_config(config: &TrainConfig, model: &LanguageModel) -> Result<LoraConfig, PlanError> {
    let names = match &config.lora_target_modules {
        // By their names, because PEFT's readers know `all-linear` only when an adapter is made.
        TargetModules::AllLinear => last_parts(model)?,
        TargetModules::Named(names) => {
            names.iter().try_for_each(|name| check_target(name, model))?;
            names.clone()
        }
    };
    let layers: Vec<usize> = config.peft_layers_to_transform.iter().map(|layer| *layer as usize).collect();
    check_layers(&layers, model)?;
    check_saved(config, model)?;
    Ok(LoraConfig {
        base_model_name_or_path: config.base_model.as_ref().map(|path| path.display().to_string()),
        task_type: Some("CAUSAL_LM".into()),
        inference_mode: true,
        r: config.lora_r as usize,
        lora_alpha: config.lora_alpha,
        lora_dropout: config.lora_dropout,
        target_modules: Some(checkpoint::TargetModules::Names(names)),
        use_rslora: config.peft_use_rslora,
        use_dora: config.peft_use_dora,
        layers_to_transform: (!layers.is_empty()).then_some(OneOrMany::Many(layers)),
        modules_to_save: (!config.lora_modules_to_save.is_empty()).then(|| config.lora_modules_to_save.clone()),
        fan_in_fan_out: model.linear_modules()?.iter().any(|module| module.transposed),
        ..LoraConfig::default()
    })
}

/// The files of the base model as the adapter that `config` asks for needs them.
pub(crate) fn beside_adapter(config: &TrainConfig, source: ModelSource) -> ModelSource {
    let targets = match &config.lora_target_modules {
        TargetModules::AllLinear => checkpoint::TargetModules::AllLinear,
        TargetModules::Named(names) => checkpoint::TargetModules::Names(names.clone()),
    };
    let asked = LoraConfig {
        target_modules: Some(targets),
        modules_to_save: Some(config.lora_modules_to_save.clone()),
        ..LoraConfig::default()
    };
    if config.adapter.is_some() { peft::parted_for(source, &asked) } else { source }
}

/// Refuses layers that the model does not have, which PEFT passes over.
fn check_layers(layers: &[usize], model: &LanguageModel) -> Result<(), PlanError> {
    let count = model.sizes().num_hidden_layers;
    let beyond = layers.iter().copied().find(|layer| *layer >= count);
    beyond.map_or(Ok(()), |layer| Err(PlanError::NoLayer { layer, count }))
}

/// Refuses a name of a module to train in full that no module's path ends with, for the same reason.
pub(crate) fn check_saved(config: &TrainConfig, model: &LanguageModel) -> Result<(), PlanError> {
    let all = LoraConfig { modules_to_save: Some(config.lora_modules_to_save.clone()), ..LoraConfig::default() };
    Lora::default().with_own(model, |name| all.trains(name, |_| false))?;
    let params = model.params(Precision::uniform(DType::F32), None)?;
    let names: Vec<String> = params.iter().flat_map(ParamSpec::checkpoint_names).collect();
    crate::readers::check_saved(&config.lora_modules_to_save, &names)?;
    let saves = |module: &String| {
        let config = LoraConfig { modules_to_save: Some(vec![module.clone()]), ..LoraConfig::default() };
        names.iter().any(|name| config.trains(name, |_| false))
    };
    match config.lora_modules_to_save.iter().find(|module| !saves(module)) {
        None => Ok(()),
        Some(module) => {
            let ends: Vec<&str> = names.iter().filter_map(|name| name.rsplit('.').nth(1)).collect();
            let hint =
                nearest(last_part(module), ends).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            Err(PlanError::NoModuleToSave { name: module.clone(), hint })
        }
    }
}

fn last_part(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// The names of the linear modules, each once.
fn last_parts(model: &LanguageModel) -> Result<Vec<String>, PlanError> {
    let mut names: Vec<String> = Vec::new();
    for module in model.linear_modules()? {
        let name = last_part(&module.path);
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

/// The paths of the linear modules of all layers.
fn linear_paths(model: &LanguageModel) -> Result<Vec<String>, PlanError> {
    Ok(model.adaptable_modules()?.iter().flat_map(LinearModule::paths).collect())
}

/// Refuses a name that is neither a linear module's path nor the end of one. PEFT passes over it where another name
/// fits, and so would train less than was asked for.
pub(crate) fn check_target(name: &str, model: &LanguageModel) -> Result<(), PlanError> {
    let target_modules = Some(checkpoint::TargetModules::Names(vec![name.to_owned()]));
    let config = LoraConfig { target_modules, ..LoraConfig::default() };
    let paths = linear_paths(model)?;
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    if config.targets()?.select(&paths, None).is_ok() {
        return Ok(());
    }
    let accepted = last_parts(model)?;
    let meant = match nearest(last_part(name), accepted.iter().map(String::as_str)) {
        Some(near) if near != last_part(name) => format!("did you mean `{near}`? the names are"),
        _ => "the names are".to_owned(),
    };
    Err(PlanError::NoTarget { name: name.to_owned(), meant, accepted: accepted.join(", ") })
}

/// The configuration of an adapter that is trained further: its own, with the dropout of this run.
///
/// # Errors
/// It has adapters that are not written.
pub(crate) fn started_lora_config(config: &TrainConfig, adapter: &LoraConfig) -> Result<LoraConfig, PlanError> {
    if let Some(parameter) = adapter.target_parameters.iter().flatten().next() {
        return Err(PlanError::OfAllExperts { what: format!("target_parameters (`{parameter}`)") });
    }
    Ok(LoraConfig {
        base_model_name_or_path: config.base_model.as_ref().map(|path| path.display().to_string()),
        lora_dropout: config.lora_dropout,
        inference_mode: true,
        ..adapter.clone()
    })
}

/// The keys that say something else than the adapter that is trained further, each with what that says.
pub(crate) fn differences_from(
    adapter: &LoraConfig,
    config: &TrainConfig,
    model: &LanguageModel,
) -> Result<Vec<(&'static str, String)>, PlanError> {
    let modules = |lora: &LoraConfig| -> Result<BTreeSet<String>, PlanError> {
        Ok(self::lora(lora, model)?.modules.keys().map(|path| last_part(path).to_owned()).collect())
    };
    let (asked, trained) = (modules(&lora_config(config, model)?)?, modules(adapter)?);
    let layers: Vec<usize> = config.peft_layers_to_transform.iter().map(|layer| *layer as usize).collect();
    let own_layers = adapter.layers_to_transform.as_ref().map_or(&[][..], OneOrMany::as_slice).to_vec();
    let saved = adapter.modules_to_save.clone().unwrap_or_default();
    let keys = [
        ("lora_r", config.lora_r != adapter.r as u64, adapter.r.to_string()),
        ("lora_alpha", config.lora_alpha != adapter.lora_alpha, adapter.lora_alpha.to_string()),
        ("peft_use_rslora", config.peft_use_rslora != adapter.use_rslora, adapter.use_rslora.to_string()),
        ("peft_use_dora", config.peft_use_dora != adapter.use_dora, adapter.use_dora.to_string()),
        ("peft_layers_to_transform", layers != own_layers, listed(&own_layers)),
        ("lora_modules_to_save", config.lora_modules_to_save != saved, listed(&saved)),
        ("lora_target_modules", asked != trained, Vec::from_iter(trained).join(", ")),
    ];
    Ok(keys.into_iter().filter_map(|(key, differs, own)| differs.then_some((key, own))).collect())
}

fn listed<T: ToString>(values: &[T]) -> String {
    let values: Vec<String> = values.iter().map(T::to_string).collect();
    format!("[{}]", values.join(", "))
}

/// The adapters that such a configuration gives the model.
pub(crate) fn lora(config: &LoraConfig, model: &LanguageModel) -> Result<Lora, PlanError> {
    Ok(peft::lora(config, model)?)
}
