//! What a family of models says of itself; everything else about a model follows from it.

use std::collections::BTreeMap;
use std::fmt;

use graph::Tensor;
use serde::Serialize;

use crate::Scope;
use crate::config::{COUNT_MAX, Fields, POSITIONS_MAX, Result, WIDTH_MAX};
use crate::families;
use crate::layers::{RmsNorm, scaled, widen};
use crate::pass::{LayerPass, Tokens};
use crate::rope::Rotary;

/// Sizes that are asked for without knowing the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Number of tokens the embedding knows.
    pub vocab_size: usize,
    /// Width of the residual stream.
    pub hidden_size: usize,
    /// Number of layers.
    pub num_hidden_layers: usize,
    /// Longest sequence the model was made for, 2^31 - 1 where it has no such limit. [`LanguageModel::context`](crate::LanguageModel::context)
    /// says how long sequences may be.
    pub(crate) max_position_embeddings: usize,
}

impl Sizes {
    /// By the keys of these names, with so many positions where they are not said.
    pub(crate) fn read(fields: &Fields<'_>, usual_positions: usize) -> Result<Sizes> {
        Ok(Sizes {
            vocab_size: fields.size("vocab_size", WIDTH_MAX)?,
            hidden_size: fields.size("hidden_size", WIDTH_MAX)?,
            num_hidden_layers: fields.size("num_hidden_layers", COUNT_MAX)?,
            max_position_embeddings: fields.size_or("max_position_embeddings", POSITIONS_MAX, usual_positions)?,
        })
    }
}

/// How the last layer's output becomes logits: `softcap(scale * W h)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// Path of the module whose weight (vocab, embed) this is: the embedding's, where it is tied to it.
    pub path: &'static str,
    /// Path of the module that transformers has for it in either case.
    pub module: &'static str,
    /// Whether the weight is the embedding's.
    pub tied: bool,
    /// What the logits are multiplied with.
    pub scale: f64,
    /// `cap * tanh(logit / cap)` (Gemma 2).
    pub softcap: Option<f64>,
    /// Standard deviation of a fresh weight.
    pub initializer_range: f64,
}

impl Head {
    /// The embedding's weight where `tied`, or a module `lm_head` without bias.
    pub(crate) fn lm_head(tied: bool, embedding: &'static str, initializer_range: f64) -> Head {
        let module = "lm_head";
        let path = if tied { embedding } else { module };
        Head { path, module, tied, scale: 1.0, softcap: None, initializer_range }
    }

    /// The name of its weight.
    pub fn weight(&self) -> String {
        format!("{}.weight", self.path)
    }

    /// Logits from the product of weight and hidden state, rounded to its type once. Neither scale nor cap is rounded to it.
    pub fn finish<'g>(&self, product: Tensor<'g>) -> Tensor<'g> {
        let Some(cap) = self.softcap else {
            return if self.scale == 1.0 { product } else { scaled(product, self.scale) };
        };
        let wide = widen(product);
        let logits = if self.scale == 1.0 { wide } else { wide * self.scale };
        ((logits / cap).tanh() * cap).cast(product.dtype())
    }
}

/// The layers of a model: where they stand, and which are alike.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layers {
    /// Path of their list: `model.layers`.
    pub(crate) path: &'static str,
    /// A number for each layer; [`Family::layer`] traces those of one number alike.
    pub(crate) kinds: Vec<usize>,
}

impl Layers {
    /// Layers that are all alike.
    pub(crate) fn alike(path: &'static str, count: usize) -> Layers {
        Layers { path, kinds: vec![0; count] }
    }
}

/// A model of a family: its sizes and constants, and how it computes.
///
/// Axes are those that the crate's head names. A family says each thing once: parameters, linear modules, the state that generation
/// carries, and FLOPs are read off the traces of these methods.
pub(crate) trait Family: fmt::Debug + Send + Sync {
    /// Sizes that everyone asks for.
    fn sizes(&self) -> Sizes;

    /// The layers.
    fn layers(&self) -> Layers;

    /// The rotary embeddings, which [`LayerPass::rotation`] numbers.
    fn rotary(&self) -> Vec<Rotary> {
        Vec::new()
    }

    /// Whether tokens attend to others: to those before them alone, of whatever family.
    fn attends(&self) -> bool {
        true
    }

    /// The longest sequence that generation may continue through what earlier steps left; `None` for any.
    fn longest_continued(&self) -> Option<usize> {
        None
    }

    /// Names of linear modules whose adapters PEFT refuses to load, or transformers computes without.
    fn idle_in_peft(&self) -> &'static [&'static str] {
        &[]
    }

    /// What the first layer gets: (batch, position, embed).
    fn embed<'g>(&self, scope: &Scope<'g>, tokens: Tokens<'g>) -> Tensor<'g>;

    /// A layer of that kind, (batch, position, embed) both ways. `scope` is the layer's own.
    fn layer<'g>(&self, scope: &Scope<'g>, kind: usize, x: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g>;

    /// Where each layer begins with a root mean square norm of what it gets, and with its own weights: the module's name below the layer. It may then be computed
    /// together with what the layer before ends with.
    fn first_norm(&self) -> Option<(&'static str, RmsNorm)> {
        None
    }

    /// What follows the last layer and comes before the head: mostly a norm. (…, embed) both ways.
    fn norm<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>) -> Tensor<'g>;

    /// From there to logits.
    fn head(&self) -> Head;

    /// What the class in transformers makes something else of, where `config` says so.
    fn beyond_transformers(&self, _config: &Fields<'_>) -> Option<Beyond> {
        None
    }

    /// What is added to the loss while training (a router's), from what the layers emitted.
    fn auxiliary_loss<'g>(&self, _emitted: &Emitted<'g>) -> Option<Tensor<'g>> {
        None
    }

    /// Whether there is such a loss.
    fn has_auxiliary_loss(&self) -> bool {
        false
    }
}

/// What a configuration says that the class in transformers passes over, or computes otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Beyond {
    /// The class in transformers.
    pub class: &'static str,
    /// The keys that say it.
    pub keys: Vec<&'static str>,
    /// The class that computes it, for `architectures` of `config.json`.
    pub architecture: &'static str,
}

impl fmt::Display for Beyond {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Beyond { class, architecture, .. }, keys) = (self, self.keys.join(", "));
        write!(
            f,
            "transformers' {class} does not compute what config.json says by {keys}: what is written runs here, and names {architecture} as \
             its class"
        )
    }
}

/// What layers emitted ([`LayerPass::emit`]), by name: with an outermost axis `layers` over all that emit it.
pub(crate) type Emitted<'g> = BTreeMap<&'static str, Tensor<'g>>;

/// A line of the table of families.
#[derive(Debug)]
pub(crate) struct Entry {
    /// `model_type` of `config.json`.
    pub(crate) model_type: &'static str,
    /// The class in transformers, `architectures` of `config.json`.
    pub(crate) architecture: &'static str,
    /// What is not implemented of it: keys and values that are refused by name.
    pub(crate) restrictions: &'static [&'static str],
    /// The keys of `config.json` that are read, or that say what is so of every model of the family.
    pub(crate) keys: &'static [&'static str],
    /// The class's keys that name a rate of dropout, which is not applied.
    pub(crate) dropout: &'static [&'static str],
    /// Reads the configuration.
    pub(crate) read: fn(&Fields<'_>) -> Result<Box<dyn Family>>,
}

/// A family that runs, for lists.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct FamilyInfo {
    /// `model_type` of `config.json`.
    pub model_type: &'static str,
    /// The class in transformers.
    pub architecture: &'static str,
    /// What is refused by name.
    pub restrictions: &'static [&'static str],
    /// The greatest difference from transformers and peft that its tests found, in f32: of logits, losses and gradients.
    pub parity: Option<f32>,
}

/// The families that run.
pub fn known_families() -> impl Iterator<Item = FamilyInfo> {
    FAMILIES.iter().map(|entry| {
        let Entry { model_type, architecture, restrictions, .. } = *entry;
        FamilyInfo { model_type, architecture, restrictions, parity: parity(model_type) }
    })
}

/// What `parity.txt`, which the tests of agreement write, holds of a family.
fn parity(model_type: &str) -> Option<f32> {
    let mut lines = include_str!("parity.txt").lines();
    lines.find_map(|line| line.strip_prefix(model_type)?.strip_prefix(' ')?.parse().ok())
}

/// All families, as users find them listed.
pub(crate) const FAMILIES: &[Entry] = &[
    families::falcon::ENTRY,
    families::gemma2::ENTRY,
    families::gemma3_text::ENTRY,
    families::gpt2::ENTRY,
    families::gpt_neox::ENTRY,
    families::llama::ENTRY,
    families::mamba::ENTRY,
    families::mamba2::ENTRY,
    families::mistral::ENTRY,
    families::mixtral::ENTRY,
    families::mpt::ENTRY,
    families::olmo2::ENTRY,
    families::phi3::ENTRY,
    families::qwen2::ENTRY,
    families::qwen3::ENTRY,
    families::qwen3_moe::ENTRY,
    families::starcoder2::ENTRY,
];
