//! The modules that get an adapter. PEFT takes a string as a regular expression that matches whole paths; ours are names.

use checkpoint::{LoraConfig, SelectError, TargetModules};

use super::{Conversion, Place};
use crate::config::source::{Kind, Node};

/// What the layers' numbers follow where modules have Llama's names: in a model of text, and in one with a tower for pictures besides.
const ROOTS: [&str; 3] = ["model.layers", "model.language_model.layers", "language_model.model.layers"];
const OF_A_LAYER: [&str; 7] = [
    "self_attn.q_proj",
    "self_attn.k_proj",
    "self_attn.v_proj",
    "self_attn.o_proj",
    "mlp.gate_proj",
    "mlp.up_proj",
    "mlp.down_proj",
];
const BESIDE_LAYERS: [&str; 2] = ["model.embed_tokens", "lm_head"];
/// No model has more, so that an expression for some layers does not seem to be one for all.
const LAYERS: usize = 256;

const KEY: &str = "lora_target_modules";

/// Writes what PEFT adapts of a Llama where nothing is said.
pub(super) fn write_default(out: &mut Conversion) {
    let names = ["q_proj", "v_proj"].map(|name| Node::scalar(Place::File, name));
    out.set(KEY, KEY, &Node { place: Place::File, kind: Kind::List(names.into()) });
}

/// Carries `node`, which was written as `from`, over as `lora_target_modules`.
pub(super) fn convert(from: &str, node: &Node, out: &mut Conversion) {
    let Some(text) = node.text() else {
        out.set(KEY, from, node);
        if !out.has(KEY) {
            refuse(out);
        }
        return;
    };
    if text.eq_ignore_ascii_case("all-linear") {
        return out.set_value(KEY, node.place, "all-linear");
    }
    let is_name = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "_.".contains(c));
    let (names, reason) = match (is_name, matched(text)) {
        (true, _) => {
            let reason =
                "to PEFT the string is a regular expression of whole paths, and here a name with which they end";
            (vec![text.to_owned()], reason.to_owned())
        }
        (false, Some(names)) => {
            let reason =
                format!("what `{text}` matches of Llama's modules; write the names of a model that has others");
            (names, reason)
        }
        (false, None) => {
            let message = format!(
                "`{from}` `{text}` is not carried over: as a regular expression of whole paths it means none of Llama's modules, or not \
                 those of all layers; `all-linear`, the default, stands in its place"
            );
            out.say(node.place, message);
            return refuse(out);
        }
    };
    out.say(node.place, format!("`{KEY}` is `[{}]`: {reason}", names.join(", ")));
    let items = names.into_iter().map(|name| Node::scalar(node.place, name)).collect();
    out.set(KEY, from, &Node { place: node.place, kind: Kind::List(items) });
}

/// Other matrices than were asked for would be trained, which is not left to a warning.
fn refuse(out: &mut Conversion) {
    let message = "write `lora_target_modules`, a list of names such as `[q_proj, v_proj]`, or `all-linear`, which it is until it is \
                   given";
    out.unfit.add(Place::File, message.to_owned());
}

/// The names of the modules that an expression means: as PEFT reads it or, where that is nothing, as what paths end with.
fn matched(pattern: &str) -> Option<Vec<String>> {
    let mut names = names_of(pattern)?;
    if names.is_empty() {
        names = names_of(&format!(r".*\.(?:{pattern})"))?;
    }
    (!names.is_empty()).then_some(names)
}

/// `None` where it is no expression, or some modules have an adapter in some layers alone.
fn names_of(pattern: &str) -> Option<Vec<String>> {
    let target_modules = Some(TargetModules::Pattern(pattern.to_owned()));
    let config = LoraConfig { target_modules, ..LoraConfig::default() };
    let targets = config.targets().ok()?;
    let count = |paths: &[String]| {
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        match targets.select(&paths, None) {
            Ok(selected) => Some(selected.len()),
            Err(SelectError::NothingSelected { .. }) => Some(0),
            Err(_) => None,
        }
    };
    let mut names = Vec::new();
    for module in OF_A_LAYER {
        let mut is_meant = false;
        for root in ROOTS {
            let paths: Vec<String> = (0..LAYERS).map(|layer| format!("{root}.{layer}.{module}")).collect();
            match count(&paths)? {
                0 => {}
                LAYERS => is_meant = true,
                _ => return None,
            }
        }
        names.extend(is_meant.then(|| last_part(module)));
    }
    for module in BESIDE_LAYERS {
        names.extend((count(&[module.to_owned()])? > 0).then(|| last_part(module)));
    }
    Some(names)
}

fn last_part(path: &str) -> String {
    path.rsplit('.').next().unwrap_or(path).to_owned()
}
