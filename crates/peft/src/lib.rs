//! What PEFT makes of an `adapter_config.json` beside a model: which modules have adapters, and what is trained in full.
//!
//! The configuration alone decides, as it does in PEFT. A file with more or fewer tensors than it asks for is refused where both are
//! compared, in `checkpoint`.

use std::collections::BTreeMap;

use checkpoint::{LoraConfig, ModelSource, SelectError};
use models::{Anatomy, LanguageModel, LinearModule, Lora, LoraError, LoraModule};

/// A configuration that means no adapter of the model.
#[derive(Debug, thiserror::Error)]
pub enum AdapterError {
    /// It names no module, or a pattern of it cannot be read.
    #[error(transparent)]
    Select(#[from] SelectError),
    /// The model cannot run such an adapter.
    #[error(transparent)]
    Lora(#[from] LoraError),
    /// A targeted parameter is stored as (inputs, outputs), and PEFT adds the factors' product to it as it is stored.
    #[error(
        "target_parameters has the weight of `{path}`, which is stored as (inputs, outputs), and an adapter on such a parameter is not \
         supported: give the module's name in target_modules"
    )]
    Transposed {
        /// Path of the module.
        path: String,
    },
}

/// The adapters that a configuration gives a model, which is [`parted`] for it.
///
/// # Errors
/// It names no module, or a pattern of it is no regular expression; the model cannot run such an adapter.
pub fn lora(config: &LoraConfig, model: &LanguageModel) -> Result<Lora, AdapterError> {
    lora_among(config, model, &model.adaptable().map_err(LoraError::from)?)
}

/// As [`lora`], with the model's [`adaptable`](LanguageModel::adaptable) parts, for which it is traced: once for many adapters.
///
/// # Errors
/// As [`lora`].
pub fn lora_among(config: &LoraConfig, model: &LanguageModel, adaptable: &Anatomy) -> Result<Lora, AdapterError> {
    let (linear, head) = (&adaptable.linear, model.head());
    let mut paths: Vec<String> = linear.iter().flat_map(LinearModule::paths).collect();
    if head.tied {
        // A module to PEFT: whoever chooses it needs a model that has it.
        paths.push(head.module.to_owned());
    }
    let names: Vec<&str> = paths.iter().map(String::as_str).collect();
    let targets = config.targets().map_err(SelectError::from)?;
    let mut modules = BTreeMap::new();
    for path in targets.select(&names, Some(head.module))? {
        let scaling = targets.scaling(path).map_err(SelectError::from)?;
        modules.insert(path.to_owned(), LoraModule { rank: scaling.r, scale: scaling.scale });
    }
    model.check_tied(modules.keys())?;
    let transposed = linear.iter().filter(|module| module.transposed).flat_map(LinearModule::paths);
    if let Some(path) = transposed.into_iter().find(|path| targets.has_parameter_of(path)) {
        return Err(AdapterError::Transposed { path });
    }
    let trains = |name: &str| config.trains(name, |path| modules.contains_key(path));
    let lora = Lora::from_modules(&modules, config.lora_dropout, linear)?;
    Ok(lora.with_own_of(model, &adaptable.params, trains)?.with_dora(config.use_dora, linear)?)
}

/// The files of a model, as their adapter needs them.
#[must_use]
pub fn parted(source: ModelSource) -> ModelSource {
    let config = source.adapter().map(|adapter| adapter.config().clone());
    match config {
        Some(config) => parted_for(source, &config),
        None => source,
    }
}

/// The files of a model, as an adapter of that configuration needs them: where output layer and embedding are one weight, and the adapter is
/// on the output layer or has either of them trained in full, both are weights of their own, as they are in PEFT from then on.
#[must_use]
pub fn parted_for(source: ModelSource, config: &LoraConfig) -> ModelSource {
    // What cannot be described is told of where it is.
    let Ok(model) = LanguageModel::from_json(source.model().config()) else { return source };
    let head = model.head();
    let weight = format!("{}.weight", head.module);
    let is_saved = |name: &str| config.trains(name, |_| false);
    let is_adapted = || config.targets().is_ok_and(|targets| targets.select(&[head.module], Some(head.module)).is_ok());
    match head.tied && (is_saved(&weight) || is_saved(&head.weight()) || is_adapted()) {
        true => source.with_parted_head(weight, head.weight()),
        false => source,
    }
}

#[cfg(test)]
mod tests {
    use checkpoint::{OneOrMany, PatternTable, TargetModules};
    use serde_json::json;

    use super::*;

    fn model(tied: bool) -> LanguageModel {
        let config = json!({
            "model_type": "llama", "vocab_size": 96, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2,
            "num_attention_heads": 4, "tie_word_embeddings": tied
        });
        LanguageModel::from_json(&config).expect("it can be run")
    }

    fn targeting(target: TargetModules) -> LoraConfig {
        LoraConfig { target_modules: Some(target), ..LoraConfig::default() }
    }

    #[test]
    fn the_configuration_decides_which_modules_have_adapters() {
        let names = targeting(TargetModules::Names(vec!["q_proj".to_owned(), "down_proj".to_owned()]));
        let config = LoraConfig {
            layers_to_transform: Some(OneOrMany::One(1)),
            rank_pattern: PatternTable(vec![("down_proj".to_owned(), 2)]),
            modules_to_save: Some(vec!["lm_head".to_owned()]),
            ..names
        };
        let found = lora(&config, &model(false)).expect("it fits the model");
        let modules: Vec<(&str, usize)> = found.modules.iter().map(|(path, one)| (path.as_str(), one.rank)).collect();
        assert_eq!(modules, [("model.layers.1.mlp.down_proj", 2), ("model.layers.1.self_attn.q_proj", 8)]);
        assert_eq!(Vec::from_iter(found.own), ["lm_head.weight"]);
    }

    /// By its name or by a pattern; `all-linear` leaves it out.
    #[test]
    fn an_output_layer_that_is_the_embedding_has_no_adapter() {
        let pattern = TargetModules::Pattern(".*(q_proj|lm_head)".to_owned());
        for target in [TargetModules::Names(vec!["lm_head".to_owned()]), pattern] {
            let config = targeting(target);
            assert!(lora(&config, &model(false)).expect("it fits the model").modules.contains_key("lm_head"));
            let error = lora(&config, &model(true)).expect_err("it is tied").to_string();
            assert!(error.starts_with("an adapter would train `lm_head`"), "{error}");
        }
        for tied in [false, true] {
            let found = lora(&targeting(TargetModules::AllLinear), &model(tied)).expect("it fits the model");
            assert_eq!(found.modules.len(), 2 * 7);
        }
    }

    /// PEFT takes such a parameter for one of (outputs, inputs).
    #[test]
    fn a_parameter_that_is_stored_the_other_way_round_has_no_adapter() {
        let config =
            json!({"model_type": "gpt2", "vocab_size": 96, "n_embd": 32, "n_layer": 1, "n_head": 4, "n_positions": 64});
        let model = LanguageModel::from_json(&config).expect("it can be run");
        let target_parameters = Some(vec!["attn.c_proj.weight".to_owned()]);
        let error =
            lora(&LoraConfig { target_parameters, ..LoraConfig::default() }, &model).expect_err("it is refused");
        let expected =
            "target_parameters has the weight of `transformer.h.0.attn.c_proj`, which is stored as (inputs, outputs)";
        assert!(error.to_string().starts_with(expected), "{error}");
    }
}
