//! `config.json` of Hugging Face's Llama models.

use serde_json::{Map, Value};

use crate::rope::RopeScaling;

// Far above any model, and low enough that the bytes of a stacked parameter, a product of up to four sizes, fit in 64 bits.
/// Most rows or columns of a weight.
const WIDTH_MAX: u64 = 1 << 22;
/// Most layers, heads or elements of a head.
const COUNT_MAX: u64 = 1 << 12;
/// Most positions; they size no weight.
const POSITIONS_MAX: u64 = (1 << 31) - 1;

/// Sizes and constants of a Llama, under Hugging Face's names.
#[derive(Clone, Debug, PartialEq)]
pub struct LlamaConfig {
    /// Number of tokens the embedding knows.
    pub vocab_size: usize,
    /// Width of the residual stream.
    pub hidden_size: usize,
    /// Width of the feed-forward layers.
    pub intermediate_size: usize,
    /// Number of layers.
    pub num_hidden_layers: usize,
    /// Number of query heads.
    pub num_attention_heads: usize,
    /// Number of key and value heads, a divisor of `num_attention_heads`.
    pub num_key_value_heads: usize,
    /// Width of a head.
    pub head_dim: usize,
    /// Longest sequence the model is meant for.
    pub max_position_embeddings: usize,
    /// Added to the mean square in the norms.
    pub rms_norm_eps: f64,
    /// Base of the rotary frequencies.
    pub rope_theta: f64,
    /// Change of the rotary frequencies.
    pub rope_scaling: RopeScaling,
    /// Whether the output layer is the embedding.
    pub tie_word_embeddings: bool,
    /// Whether the attention's linear layers have biases.
    pub attention_bias: bool,
    /// Whether the feed-forward layers have biases.
    pub mlp_bias: bool,
    /// Standard deviation of fresh weights.
    pub initializer_range: f64,
}

/// A `config.json` that does not describe a Llama we can run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A required key is absent.
    #[error("`{key}` is missing")]
    Missing {
        /// The key.
        key: String,
    },
    /// A key has a value that cannot be.
    #[error("`{key}` is {found}, but {rule}")]
    Value {
        /// The key.
        key: String,
        /// The value, as JSON.
        found: String,
        /// What it should be.
        rule: String,
    },
}

type Result<T> = std::result::Result<T, ConfigError>;

impl LlamaConfig {
    /// The keys of `config.json` that are read, or that say what is so of every Llama here.
    pub const KEYS: [&'static str; 19] = [
        "architectures",
        "model_type",
        "vocab_size",
        "hidden_size",
        "intermediate_size",
        "num_hidden_layers",
        "num_attention_heads",
        "num_key_value_heads",
        "head_dim",
        "hidden_act",
        "max_position_embeddings",
        "rms_norm_eps",
        "rope_theta",
        "rope_scaling",
        "rope_parameters",
        "tie_word_embeddings",
        "attention_bias",
        "mlp_bias",
        "initializer_range",
    ];

    /// Reads a `config.json`, in the style of transformers 5 (`rope_parameters`) or older ones (`rope_theta`, `rope_scaling`).
    pub fn from_json(config: &Value) -> Result<LlamaConfig> {
        let Some(fields) = config.as_object() else {
            return Err(wrong("config.json", config, "it should be an object"));
        };
        let fields = Fields(fields);
        fields.expect_text("model_type", "llama", "only Llama models are supported: it should be \"llama\"")?;
        fields.expect_text("hidden_act", "silu", "only \"silu\" is supported")?;
        let hidden_size = fields.size("hidden_size", WIDTH_MAX)?;
        let num_attention_heads = fields.size("num_attention_heads", COUNT_MAX)?;
        let num_key_value_heads =
            fields.optional_size("num_key_value_heads", COUNT_MAX)?.unwrap_or(num_attention_heads);
        if num_attention_heads % num_key_value_heads != 0 {
            let rule = format!("it should divide `num_attention_heads`, {num_attention_heads}");
            return Err(wrong("num_key_value_heads", &num_key_value_heads.into(), &rule));
        }
        let head_dim = match fields.optional_size("head_dim", COUNT_MAX)? {
            Some(head_dim) => head_dim,
            None if hidden_size % num_attention_heads == 0 => hidden_size / num_attention_heads,
            None => {
                let rule = format!("without `head_dim` it should be a multiple of the {num_attention_heads} heads");
                return Err(wrong("hidden_size", &hidden_size.into(), &rule));
            }
        };
        if head_dim % 2 != 0 {
            return Err(wrong("head_dim", &head_dim.into(), "rotary embeddings need an even one"));
        }
        let (rope_theta, rope_scaling) = rope(&fields)?;
        Ok(LlamaConfig {
            vocab_size: fields.size("vocab_size", WIDTH_MAX)?,
            hidden_size,
            intermediate_size: fields.size("intermediate_size", WIDTH_MAX)?,
            num_hidden_layers: fields.size("num_hidden_layers", COUNT_MAX)?,
            num_attention_heads,
            num_key_value_heads,
            head_dim,
            max_position_embeddings: fields.optional_size("max_position_embeddings", POSITIONS_MAX)?.unwrap_or(2048),
            rms_norm_eps: fields.number("rms_norm_eps")?.unwrap_or(1e-6),
            rope_theta,
            rope_scaling,
            tie_word_embeddings: fields.flag("tie_word_embeddings")?,
            attention_bias: fields.flag("attention_bias")?,
            mlp_bias: fields.flag("mlp_bias")?,
            initializer_range: fields.number("initializer_range")?.unwrap_or(0.02),
        })
    }

    /// The `config.json` of a model that was made here, which transformers reads.
    pub fn to_json(&self) -> Value {
        let mut config = serde_json::json!({
            "architectures": ["LlamaForCausalLM"],
            "model_type": "llama",
            "hidden_act": "silu",
            "vocab_size": self.vocab_size,
            "hidden_size": self.hidden_size,
            "intermediate_size": self.intermediate_size,
            "num_hidden_layers": self.num_hidden_layers,
            "num_attention_heads": self.num_attention_heads,
            "num_key_value_heads": self.num_key_value_heads,
            "head_dim": self.head_dim,
            "max_position_embeddings": self.max_position_embeddings,
            "rms_norm_eps": self.rms_norm_eps,
            "rope_theta": self.rope_theta,
            "tie_word_embeddings": self.tie_word_embeddings,
            "attention_bias": self.attention_bias,
            "mlp_bias": self.mlp_bias,
            "initializer_range": self.initializer_range,
        });
        config["rope_scaling"] = match self.rope_scaling {
            RopeScaling::None => Value::Null,
            RopeScaling::Linear { factor } => serde_json::json!({"rope_type": "linear", "factor": factor}),
            RopeScaling::Llama3 { factor, low_freq_factor, high_freq_factor, original_max_position_embeddings } => {
                serde_json::json!({
                    "rope_type": "llama3",
                    "factor": factor,
                    "low_freq_factor": low_freq_factor,
                    "high_freq_factor": high_freq_factor,
                    "original_max_position_embeddings": original_max_position_embeddings as u64,
                })
            }
        };
        config
    }

    /// Paths of the linear modules inside the layers, with `*` for the layer: what LoRA's `all-linear` means.
    pub fn linear_modules(&self) -> Vec<String> {
        let attention = ["q_proj", "k_proj", "v_proj", "o_proj"].map(|name| format!("model.layers.*.self_attn.{name}"));
        let mlp = ["gate_proj", "up_proj", "down_proj"].map(|name| format!("model.layers.*.mlp.{name}"));
        attention.into_iter().chain(mlp).collect()
    }
}

fn rope(fields: &Fields<'_>) -> Result<(f64, RopeScaling)> {
    let object = |key| match fields.0.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(inner)) => Ok(Some(Fields(inner))),
        Some(other) => Err(wrong(key, other, "it should be an object")),
    };
    let scaling = match object("rope_parameters")? {
        Some(parameters) => Some(parameters),
        None => object("rope_scaling")?,
    };
    let inner_theta = scaling.as_ref().map(|inner| inner.number("rope_theta")).transpose()?.flatten();
    let theta = match inner_theta {
        Some(theta) => theta,
        None => fields.number("rope_theta")?.unwrap_or(10_000.0),
    };
    let Some(inner) = scaling else {
        return Ok((theta, RopeScaling::None));
    };
    let kind = inner.0.get("rope_type").or_else(|| inner.0.get("type")).cloned().unwrap_or(Value::Null);
    let required =
        |key: &str| inner.number(key)?.ok_or_else(|| ConfigError::Missing { key: format!("rope_scaling.{key}") });
    let scaling = match kind.as_str().unwrap_or("default") {
        "default" => RopeScaling::None,
        "linear" => RopeScaling::Linear { factor: required("factor")? },
        "llama3" => RopeScaling::Llama3 {
            factor: required("factor")?,
            low_freq_factor: required("low_freq_factor")?,
            high_freq_factor: required("high_freq_factor")?,
            original_max_position_embeddings: required("original_max_position_embeddings")?,
        },
        _ => return Err(wrong("rope_scaling.rope_type", &kind, "it should be default, linear or llama3")),
    };
    Ok((theta, scaling))
}

struct Fields<'a>(&'a Map<String, Value>);

impl Fields<'_> {
    fn present(&self, key: &str) -> Option<&Value> {
        self.0.get(key).filter(|value| !value.is_null())
    }

    fn size(&self, key: &str, most: u64) -> Result<usize> {
        self.optional_size(key, most)?.ok_or_else(|| ConfigError::Missing { key: key.to_owned() })
    }

    fn optional_size(&self, key: &str, most: u64) -> Result<Option<usize>> {
        let Some(value) = self.present(key) else { return Ok(None) };
        match value.as_u64() {
            Some(size) if size > 0 && size <= most => Ok(Some(size as usize)),
            _ => Err(wrong(key, value, &format!("it should be a whole number from 1 to {most}"))),
        }
    }

    fn number(&self, key: &str) -> Result<Option<f64>> {
        let Some(value) = self.present(key) else { return Ok(None) };
        match value.as_f64() {
            Some(number) if number > 0.0 => Ok(Some(number)),
            _ => Err(wrong(key, value, "it should be a number above 0")),
        }
    }

    fn flag(&self, key: &str) -> Result<bool> {
        match self.present(key) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(wrong(key, other, "it should be true or false")),
        }
    }

    fn expect_text(&self, key: &str, expected: &str, rule: &str) -> Result<()> {
        match self.present(key) {
            Some(value) if value.as_str() != Some(expected) => Err(wrong(key, value, rule)),
            _ => Ok(()),
        }
    }
}

fn wrong(key: &str, found: &Value, rule: &str) -> ConfigError {
    let mut found = found.to_string();
    if found.chars().count() > 80 {
        found = found.chars().take(77).collect::<String>() + "...";
    }
    ConfigError::Value { key: key.to_owned(), found, rule: rule.to_owned() }
}
