//! What the keys of an adapter mean.

use std::collections::{BTreeMap, BTreeSet};

use checkpoint::LoraConfig;
use models::{LlamaConfig, Lora, LoraModule};

use super::PlanError;
use crate::config::spelling::nearest;
use crate::config::{TargetModules, TrainConfig};

/// The adapter's configuration under PEFT's names.
///
/// # Errors
/// A name of `lora_target_modules` is that of no linear module.
pub(crate) fn lora_config(config: &TrainConfig, model: &LlamaConfig) -> Result<LoraConfig, PlanError> {
    let names = match &config.lora_target_modules {
        // By their names, because PEFT's readers know `all-linear` only when an adapter is made.
        TargetModules::AllLinear => model.linear_modules().iter().map(|path| last_part(path).to_owned()).collect(),
        TargetModules::Named(names) => {
            names.iter().try_for_each(|name| check_target(name, model))?;
            names.clone()
        }
    };
    Ok(LoraConfig {
        base_model_name_or_path: config.base_model.as_ref().map(|path| path.display().to_string()),
        task_type: Some("CAUSAL_LM".into()),
        inference_mode: true,
        r: config.lora_r as usize,
        lora_alpha: config.lora_alpha,
        lora_dropout: config.lora_dropout,
        target_modules: Some(checkpoint::TargetModules::Names(names)),
        use_rslora: config.peft_use_rslora,
        ..LoraConfig::default()
    })
}

fn last_part(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// The paths of the linear modules of all layers.
fn linear_modules(model: &LlamaConfig) -> Vec<String> {
    let layers = model.num_hidden_layers;
    let templates = model.linear_modules();
    let of_layers =
        |path: &String| -> Vec<String> { (0..layers).map(|layer| path.replacen('*', &layer.to_string(), 1)).collect() };
    templates.iter().flat_map(of_layers).collect()
}

/// Refuses a name that is neither a linear module's path nor the end of one. PEFT passes over it where another name
/// fits, and so would train less than was asked for.
pub(crate) fn check_target(name: &str, model: &LlamaConfig) -> Result<(), PlanError> {
    let is_end = |path: &String| path.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    if linear_modules(model).iter().any(is_end) {
        return Ok(());
    }
    let templates = model.linear_modules();
    let accepted: Vec<&str> = templates.iter().map(|path| last_part(path)).collect();
    let meant = match nearest(last_part(name), accepted.iter().copied()) {
        Some(near) if near != last_part(name) => format!("did you mean `{near}`? the names are"),
        _ => "the names are".to_owned(),
    };
    Err(PlanError::NoTarget { name: name.to_owned(), meant, accepted: accepted.join(", ") })
}

/// The configuration of an adapter that is trained further: its own, with the dropout of this run.
pub(crate) fn started_lora_config(config: &TrainConfig, adapter: &LoraConfig) -> LoraConfig {
    LoraConfig {
        base_model_name_or_path: config.base_model.as_ref().map(|path| path.display().to_string()),
        lora_dropout: config.lora_dropout,
        inference_mode: true,
        ..adapter.clone()
    }
}

/// The keys that say something else than the adapter that is trained further, each with what that says.
pub(crate) fn differences_from(
    adapter: &LoraConfig,
    config: &TrainConfig,
    model: &LlamaConfig,
) -> Result<Vec<(&'static str, String)>, PlanError> {
    let modules = |lora: &LoraConfig| -> Result<BTreeSet<String>, PlanError> {
        Ok(self::lora(lora, model)?.modules.keys().map(|path| last_part(path).to_owned()).collect())
    };
    let (asked, trained) = (modules(&lora_config(config, model)?)?, modules(adapter)?);
    let keys = [
        ("lora_r", config.lora_r != adapter.r as u64, adapter.r.to_string()),
        ("lora_alpha", config.lora_alpha != adapter.lora_alpha, adapter.lora_alpha.to_string()),
        ("peft_use_rslora", config.peft_use_rslora != adapter.use_rslora, adapter.use_rslora.to_string()),
        ("lora_target_modules", asked != trained, Vec::from_iter(trained).join(", ")),
    ];
    Ok(keys.into_iter().filter_map(|(key, differs, own)| differs.then_some((key, own))).collect())
}

/// The adapters that such a configuration gives the model.
pub(crate) fn lora(config: &LoraConfig, model: &LlamaConfig) -> Result<Lora, PlanError> {
    let layers = model.num_hidden_layers;
    let templates = model.linear_modules();
    let concrete = linear_modules(model);
    let names: Vec<&str> = concrete.iter().map(String::as_str).collect();
    let selected = config.select(&names, Some("lm_head"))?;
    let mut modules = BTreeMap::new();
    for path in selected {
        let scaling = config.scaling(path)?;
        modules.insert(path.to_owned(), LoraModule { rank: scaling.r, scale: scaling.scale });
    }
    Ok(Lora::from_modules(&modules, config.lora_dropout, &templates, layers)?)
}
