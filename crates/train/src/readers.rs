//! What PEFT 0.21 with transformers 5 makes of an adapter, where that is not what was trained. Merged, each is of use all the same.

use std::collections::BTreeSet;

use checkpoint::LoraConfig;
use graph::GraphError;
use models::{LanguageModel, LinearModule, Lora};

use crate::plan::PlanError;

/// What an expert's path has in it.
const EXPERTS: &str = ".experts.";
/// What the router beside experts is called.
const ROUTER: &str = "gate";
/// GPT-NeoX's output layer, which transformers 5 calls `lm_head`.
const GPT_NEOX_HEAD: &str = "embed_out";
/// Projections of experts that transformers 5 holds as one.
const FUSED: [[&str; 2]; 2] = [["gate_proj", "up_proj"], ["w1", "w3"]];

/// Refuses a name of `lora_modules_to_save` for which one of the model's `parameters` would be trained that PEFT would not find in the file.
///
/// # Errors
/// The first such name.
pub(crate) fn check_saved(modules: &[String], parameters: &[String]) -> Result<(), PlanError> {
    for module in modules {
        let saving = LoraConfig { modules_to_save: Some(vec![module.clone()]), ..LoraConfig::default() };
        let saved = parameters.iter().filter(|name| saving.trains(name, |_| false));
        let targets = saving.targets()?;
        let mut missed = saved.filter_map(|name| Some((name, targets.missed_by_peft(name)?)));
        if let Some((name, sought)) = missed.next() {
            return Err(PlanError::UnreadableModule { module: module.clone(), name: name.clone(), sought });
        }
    }
    Ok(())
}

/// Whether an adapter is on what transformers 5 holds in parameters that are no linear module's, where PEFT has no dropout: experts, and the
/// routers beside them.
///
/// # Errors
/// The model cannot be traced.
pub(crate) fn of_parameters(model: &LanguageModel, lora: &Lora) -> Result<bool, GraphError> {
    Ok(lora.modules.keys().any(|path| path.contains(EXPERTS)) || router_of(model, lora)?.is_some())
}

/// The first router that has an adapter.
fn router_of<'l>(model: &LanguageModel, lora: &'l Lora) -> Result<Option<&'l String>, GraphError> {
    let mut named_so = lora.modules.keys().filter(|path| last_part(path) == ROUTER).peekable();
    if named_so.peek().is_none() {
        return Ok(None);
    }
    let modules = model.linear_modules()?;
    let paths = modules.iter().flat_map(LinearModule::paths);
    let routers: BTreeSet<String> =
        paths.filter_map(|path| Some(format!("{}.{ROUTER}", path.split_once(EXPERTS)?.0))).collect();
    Ok(named_so.find(|path| routers.contains(*path)))
}

/// What PEFT passes over or refuses of an adapter. Of experts it takes each name of a module for theirs, and their first two for one.
///
/// # Errors
/// The model cannot be traced.
pub(crate) fn warnings(model: &LanguageModel, lora: &Lora, config: &LoraConfig) -> Result<Vec<String>, GraphError> {
    let modules = model.linear_modules()?;
    let of_experts: BTreeSet<&str> =
        modules.iter().filter(|module| module.path.contains(EXPERTS)).map(|module| last_part(&module.path)).collect();
    let adapted: Vec<&String> = lora.modules.keys().filter(|path| of_experts.contains(last_part(path))).collect();
    let has = |name: &str| adapted.iter().any(|path| last_part(path) == name);
    let idle = lora.modules.keys().filter(|path| model.is_idle_in_peft(path));
    let idle: BTreeSet<&str> = idle.map(|path| last_part(path)).collect();
    let told = |name: &str| {
        format!(
            "adapters of `{name}` in models of this type are refused by PEFT 0.21, or do nothing in transformers; Finery runs and merges them"
        )
    };
    let mut warnings: Vec<String> = idle.into_iter().map(told).collect();
    let targets = config.targets();
    if lora.modules.contains_key(GPT_NEOX_HEAD)
        && targets.is_ok_and(|targets| targets.missed_by_peft(&format!("{GPT_NEOX_HEAD}.weight")).is_some())
    {
        warnings.push(format!(
            "PEFT 0.21 finds no module `{GPT_NEOX_HEAD}`, which transformers 5 calls lm_head: name it so for an adapter that PEFT reads"
        ));
    }
    if let Some(router) = router_of(model, lora)?.filter(|_| lora.dora) {
        warnings.push(format!(
            "PEFT 0.21 refuses to load DoRA of a router, which `{router}` is; Finery runs and merges it"
        ));
    }
    for [one, other] in FUSED {
        if config.use_rslora && has(one) && has(other) {
            warnings.push(format!(
                "PEFT 0.21 makes one adapter of twice the rank of experts' `{one}` and `{other}`, and with rsLoRA multiplies it with the root \
                 of 2: merge the adapter to use it there"
            ));
        }
        let alone = match (has(one), has(other)) {
            (true, false) => Some((one, other)),
            (false, true) => Some((other, one)),
            _ => None,
        };
        if let Some((alone, missing)) = alone {
            warnings.push(format!(
                "PEFT 0.21 refuses to load adapters of experts' `{alone}` without `{missing}`; Finery runs and merges them"
            ));
        }
    }
    if let Some(path) = adapted.iter().find(|path| !path.contains(EXPERTS)) {
        warnings.push(format!(
            "PEFT 0.21 takes all modules of the name `{}` for experts', and passes over the adapter of `{path}`, which is in a layer without \
             experts: merge the adapter to use it there",
            last_part(path)
        ));
    }
    Ok(warnings)
}

fn last_part(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}
