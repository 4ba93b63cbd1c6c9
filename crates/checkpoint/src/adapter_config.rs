//! `adapter_config.json` of a LoRA adapter, with PEFT's names.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::path::Path;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::error::Error;
use crate::model_folder::read_json;
use crate::module_match::{BadPattern, is_path_end};
use crate::stored;
use crate::targets::Targets;

pub(crate) const ADAPTER_CONFIG: &str = "adapter_config.json";
/// PEFT's shorthand for all linear modules but the output head.
pub(crate) const ALL_LINEAR: &str = "all-linear";

/// One value, or a list of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OneOrMany<T> {
    /// A value by itself.
    One(T),
    /// A list.
    Many(Vec<T>),
}

impl<T> OneOrMany<T> {
    /// The values.
    pub fn as_slice(&self) -> &[T] {
        match self {
            OneOrMany::One(value) => std::slice::from_ref(value),
            OneOrMany::Many(values) => values,
        }
    }
}

/// Which modules are adapted.
#[derive(Clone, Debug, PartialEq)]
pub enum TargetModules {
    /// `"all-linear"`: every linear module but the output head.
    AllLinear,
    /// Module paths, or what they end with after a dot.
    Names(Vec<String>),
    /// A regular expression that matches whole module paths.
    Pattern(String),
}

impl Serialize for TargetModules {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            TargetModules::AllLinear => serializer.serialize_str(ALL_LINEAR),
            TargetModules::Names(names) => names.serialize(serializer),
            TargetModules::Pattern(pattern) => serializer.serialize_str(pattern),
        }
    }
}

impl<'de> Deserialize<'de> for TargetModules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match OneOrMany::<String>::deserialize(deserializer)? {
            OneOrMany::One(text) if text.eq_ignore_ascii_case(ALL_LINEAR) => TargetModules::AllLinear,
            OneOrMany::One(pattern) => TargetModules::Pattern(pattern),
            OneOrMany::Many(names) => TargetModules::Names(names),
        })
    }
}

/// Patterns of module paths to values, in the order of the file: the first that matches decides.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternTable<T>(pub Vec<(String, T)>);

impl<T> Default for PatternTable<T> {
    fn default() -> Self {
        PatternTable(Vec::new())
    }
}

impl<T: Serialize> Serialize for PatternTable<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(pattern, value)| (pattern, value)))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for PatternTable<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
            type Value = PatternTable<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object from patterns to numbers")
            }

            /// PEFT's type allows `null` for an empty table.
            fn visit_unit<E: serde::de::Error>(self) -> Result<Self::Value, E> {
                Ok(PatternTable::default())
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(PatternTable(entries))
            }
        }
        deserializer.deserialize_any(Entries(PhantomData))
    }
}

/// Biases of the base model that are trained with an adapter, and held in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bias {
    /// None.
    None,
    /// All of the model.
    All,
    /// Those of the adapted modules.
    LoraOnly,
}

/// `adapter_config.json` with `peft_type` `LORA`. The defaults are PEFT's.
///
/// Settings that are not fields here are kept in [`LoraConfig::other`], and refused by [`LoraConfig::read`] if they
/// change what the adapter computes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LoraConfig {
    /// `LORA`; other methods are refused.
    pub peft_type: String,
    /// `CAUSAL_LM` for language models.
    pub task_type: Option<String>,
    /// The model that the adapter is for: a folder or the name of a repository.
    pub base_model_name_or_path: Option<String>,
    /// The revision of that model.
    pub revision: Option<String>,
    /// Whether PEFT freezes the adapter when it loads it.
    pub inference_mode: bool,
    /// The rank of modules that no `rank_pattern` matches.
    pub r: usize,
    /// The numerator of the scale of modules that no `alpha_pattern` matches.
    #[serde(serialize_with = "serialize_number")]
    pub lora_alpha: f64,
    /// The share of the adapter's inputs that is dropped in training.
    pub lora_dropout: f64,
    /// Which modules are adapted.
    pub target_modules: Option<TargetModules>,
    /// Parameters that are adapted and are no linear module's, or are given by their own names: tensors of all experts' matrices, as
    /// transformers 5 holds them.
    pub target_parameters: Option<Vec<String>>,
    /// Modules that are not adapted although `target_modules` names them: names, or one regular expression.
    pub exclude_modules: Option<OneOrMany<String>>,
    /// The only layers that are adapted.
    pub layers_to_transform: Option<OneOrMany<usize>>,
    /// The name of the list of layers, for `layers_to_transform`.
    pub layers_pattern: Option<OneOrMany<String>>,
    /// Whether the scale is `alpha / sqrt(r)` (rsLoRA, <https://arxiv.org/abs/2312.03732>) and not `alpha / r`.
    pub use_rslora: bool,
    /// Whether the base weights are stored `[in, out]`, as in GPT-2. The adapter's own are not.
    pub fan_in_fan_out: bool,
    /// Which biases of the base model are trained too.
    pub bias: Bias,
    /// Whether the adapters are DoRA's (<https://arxiv.org/abs/2402.09353>): they have a magnitude for each output as well.
    pub use_dora: bool,
    /// How A and B begin: `true`, `false`, or the name of a method.
    pub init_lora_weights: Value,
    /// Ranks of some modules.
    pub rank_pattern: PatternTable<usize>,
    /// Alphas of some modules.
    pub alpha_pattern: PatternTable<f64>,
    /// Modules trained in full beside the adapter: what their paths end with.
    pub modules_to_save: Option<Vec<String>>,
    /// All other settings.
    #[serde(flatten)]
    pub other: BTreeMap<String, Value>,
}

impl Default for LoraConfig {
    fn default() -> Self {
        LoraConfig {
            peft_type: "LORA".to_string(),
            task_type: Some("CAUSAL_LM".to_string()),
            base_model_name_or_path: None,
            revision: None,
            inference_mode: true,
            r: 8,
            lora_alpha: 8.0,
            lora_dropout: 0.0,
            target_modules: None,
            target_parameters: None,
            exclude_modules: None,
            layers_to_transform: None,
            layers_pattern: None,
            use_rslora: false,
            fan_in_fan_out: false,
            bias: Bias::None,
            use_dora: false,
            init_lora_weights: Value::Bool(true),
            rank_pattern: PatternTable::default(),
            alpha_pattern: PatternTable::default(),
            modules_to_save: None,
            other: BTreeMap::new(),
        }
    }
}

/// PEFT writes `lora_alpha` as an integer, and its readers may expect one.
fn serialize_number<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    let whole = *number as i64;
    if whole as f64 == *number { serializer.serialize_i64(whole) } else { serializer.serialize_f64(*number) }
}

/// The rank and the scale of one module's adapter: it adds `scale * B A x`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaling {
    /// Rows of A, columns of B.
    pub r: usize,
    /// The numerator of the scale.
    pub alpha: f64,
    /// `alpha / r`, or `alpha / sqrt(r)` with rsLoRA.
    pub scale: f64,
}

/// Settings that change what an adapter computes or what its file holds, and what each is.
const UNSUPPORTED: [(&str, &str); 12] = [
    ("use_qalora", "QA-LoRA"),
    ("use_bdlora", "block-diagonal LoRA"),
    ("lora_bias", "a bias on B"),
    ("trainable_token_indices", "trained rows of the embedding"),
    ("layer_replication", "repeated layers"),
    ("ensure_weight_tying", "modules that share what is trained of them"),
    ("megatron_config", "Megatron's parallel layers"),
    ("alora_invocation_tokens", "activated LoRA"),
    ("arrow_config", "routing between adapters"),
    ("kasa_config", "KaSA"),
    ("monteclora_config", "Monte Carlo LoRA"),
    ("velora_config", "VeLoRA"),
];

/// Initialisations that take the first product of B and A out of the base weights. PEFT does so again whenever it loads
/// such an adapter, so that without it the adapter sits on the wrong base.
const INITS_THAT_CHANGE_THE_BASE: [&str; 5] = ["pissa", "olora", "loftq", "corda", "lora_ga"];

impl LoraConfig {
    /// Reads `adapter_config.json` and refuses, by name, what is not supported.
    ///
    /// # Errors
    /// The file cannot be read or understood, or a setting is out of range or not supported.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let config: LoraConfig = read_json(path)?;
        config.check().map_err(|problem| Error::Adapter { path: path.to_path_buf(), problem })?;
        Ok(config)
    }

    /// The first setting that is out of range or not supported, in words.
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.peft_type != "LORA" {
            return Err(format!("its peft_type is {}, and only LORA is supported", self.peft_type));
        }
        for (setting, what) in UNSUPPORTED {
            if self.other.get(setting).is_some_and(is_set) {
                return Err(format!("it sets {setting} ({what}), which is not supported"));
            }
        }
        let init = self.init_lora_weights.as_str().unwrap_or_default();
        if INITS_THAT_CHANGE_THE_BASE.iter().any(|method| init.to_lowercase().starts_with(method)) {
            return Err(format!(
                "init_lora_weights is \"{init}\", which changes the base model's weights and is not supported; convert \
                 the adapter with peft's path_initial_model_for_weight_conversion"
            ));
        }
        if self.layers_to_transform.is_some() && !matches!(self.target_modules, Some(TargetModules::Names(_))) {
            return Err("it sets layers_to_transform, which needs a list of names in target_modules".to_string());
        }
        if self.r == 0 || self.rank_pattern.0.iter().any(|(_, r)| *r == 0) {
            return Err("r is 0, and a rank is at least 1".to_string());
        }
        let mut alphas = self.alpha_pattern.0.iter().map(|(_, alpha)| *alpha).chain([self.lora_alpha]);
        if let Some(alpha) = alphas.find(|alpha| !alpha.is_finite()) {
            return Err(format!("lora_alpha is {alpha}, and it must be finite"));
        }
        if !(0.0..1.0).contains(&self.lora_dropout) {
            return Err(format!("lora_dropout is {}, and it must be at least 0 and below 1", self.lora_dropout));
        }
        Ok(())
    }

    /// The same with its patterns compiled: which modules it adapts, and how.
    ///
    /// # Errors
    /// A pattern is not a regular expression.
    pub fn targets(&self) -> Result<Targets<'_>, BadPattern> {
        Targets::new(self)
    }

    /// Whether a parameter of the base model, by its name, is trained with the adapter, and held in its file: those of `modules_to_save`, and
    /// biases. `is_adapted` says which modules have an adapter.
    pub fn trains(&self, parameter: &str, is_adapted: impl Fn(&str) -> bool) -> bool {
        let module = module_of(parameter);
        self.saves(module)
            || parameter.ends_with(".bias")
                && match self.bias {
                    Bias::None => false,
                    Bias::All => true,
                    Bias::LoraOnly => is_adapted(module),
                }
    }

    /// Whether it targets parameters.
    pub fn has_target_parameters(&self) -> bool {
        self.target_parameters.iter().flatten().next().is_some()
    }

    /// Whether `target_parameters` has a parameter.
    pub(crate) fn targets_parameter(&self, name: &str) -> bool {
        self.target_parameters.iter().flatten().any(|target| is_path_end(name, target))
    }

    /// Whether the module or one that it is part of is trained in full, under any of its names.
    pub(crate) fn saves(&self, module: &str) -> bool {
        stored::names(module).any(|name| self.saves_as(&name))
    }

    /// Whether the module of this name or one that it is part of is trained in full. PEFT compares how paths end, even within a name.
    pub(crate) fn saves_as(&self, module: &str) -> bool {
        let names = self.modules_to_save.as_deref().unwrap_or_default();
        let mut outer = Some(module);
        let paths = std::iter::from_fn(|| {
            let path = outer?;
            outer = path.rsplit_once('.').map(|(outer, _)| outer);
            Some(path)
        });
        !names.is_empty() && paths.into_iter().any(|path| names.iter().any(|name| path.ends_with(name.as_str())))
    }
}

/// The path of the module that has a parameter.
pub(crate) fn module_of(parameter: &str) -> &str {
    parameter.rsplit_once('.').map_or("", |(module, _)| module)
}

/// Whether a setting says anything: PEFT writes `null`, `false`, or an empty collection for what is off.
fn is_set(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Array(values) => !values.is_empty(),
        Value::Object(entries) => !entries.is_empty(),
        _ => true,
    }
}
