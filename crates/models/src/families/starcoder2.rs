//! StarCoder2 (Lozhkov et al. 2024), as in Hugging Face's `Starcoder2ForCausalLM`: Llama's attention, perhaps with a window, in a decoder with
//! biases, layer normalisation and an MLP without gates.
//!
//! Dropout, which configurations name (`attention_dropout`, `residual_dropout`, `embedding_dropout`), is not applied.

use graph::{Axis, Init, Tensor};
use serde_json::json;

use crate::Scope;
use crate::activation::Activation;
use crate::config::{Fields, POSITIONS_MAX, Result, WIDTH_MAX};
use crate::decoder::{Biases, SelfAttention};
use crate::family::{Entry, Family, Head, Layers, Sizes};
use crate::heads::Heads;
use crate::layers::{Mlp, embedding, layer_norm};
use crate::pass::{LayerPass, Tokens};
use crate::rope::Rotary;

pub(crate) const ENTRY: Entry = Entry {
    model_type: "starcoder2",
    architecture: "Starcoder2ForCausalLM",
    restrictions: &["layer_types", "mlp_type other than default", "norm_type other than layer_norm"],
    keys: &[
        "vocab_size",
        "hidden_size",
        "intermediate_size",
        "num_hidden_layers",
        "num_attention_heads",
        "num_key_value_heads",
        "head_dim",
        "hidden_act",
        "max_position_embeddings",
        "norm_epsilon",
        "norm_type",
        "mlp_type",
        "use_bias",
        "sliding_window",
        "rope_theta",
        "rope_scaling",
        "rope_parameters",
        "tie_word_embeddings",
        "initializer_range",
    ],
    dropout: &["attention_dropout", "residual_dropout", "embedding_dropout"],
    read: |fields| Ok(Box::new(Starcoder2::read(fields)?)),
};

const USUAL_KV_HEADS: usize = 2;

/// Sizes and constants, under Hugging Face's names.
#[derive(Clone, Debug)]
struct Starcoder2 {
    sizes: Sizes,
    rotary: Rotary,
    attention: SelfAttention,
    mlp: Mlp,
    norm_epsilon: f64,
    tie_word_embeddings: bool,
    initializer_range: f64,
}

impl Starcoder2 {
    fn read(fields: &Fields<'_>) -> Result<Starcoder2> {
        if let Some(types) = fields.get("layer_types") {
            let rule = "all layers of StarCoder2 are alike: `sliding_window` is for all";
            return Err(fields.wrong("layer_types", types, rule));
        }
        // Published configurations say so; transformers has nothing else, and does not look.
        fields.expect("mlp_type", &json!("default"))?;
        fields.expect("norm_type", &json!("layer_norm"))?;
        let heads = Heads::read_or(fields, Some(USUAL_KV_HEADS), None)?;
        let window = fields.optional_size("sliding_window", POSITIONS_MAX)?;
        let bias = fields.flag_or("use_bias", true)?;
        let initializer_range = fields.number_or("initializer_range", 0.018042)?;
        Ok(Starcoder2 {
            sizes: Sizes::read(fields, 4096)?,
            rotary: Rotary::read_whole(fields, heads.head_dim)?,
            attention: SelfAttention {
                biases: Biases::all_if(bias),
                ..SelfAttention::new(heads, &[window], Init::Normal(initializer_range))
            },
            mlp: Mlp {
                width: fields.size("intermediate_size", WIDTH_MAX)?,
                activation: Activation::read(fields, "hidden_act", Activation::GeluTanh)?,
                bias,
            },
            norm_epsilon: fields.number_or("norm_epsilon", 1e-5)?,
            tie_word_embeddings: fields.flag_or("tie_word_embeddings", true)?,
            initializer_range,
        })
    }

    fn init(&self) -> Init {
        Init::Normal(self.initializer_range)
    }

    fn layer_norm<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>) -> Tensor<'g> {
        layer_norm(scope, x, "embed", self.norm_epsilon, true)
    }
}

impl Family for Starcoder2 {
    fn sizes(&self) -> Sizes {
        self.sizes
    }

    fn layers(&self) -> Layers {
        Layers::alike("model.layers", self.sizes.num_hidden_layers)
    }

    fn rotary(&self) -> Vec<Rotary> {
        vec![self.rotary.clone()]
    }

    fn embed<'g>(&self, scope: &Scope<'g>, tokens: Tokens<'g>) -> Tensor<'g> {
        let (vocab, embed) = (Axis::new("vocab", self.sizes.vocab_size), Axis::new("embed", self.sizes.hidden_size));
        embedding(&scope.at("model.embed_tokens"), vocab, embed, tokens.ids, self.init())
    }

    fn layer<'g>(&self, scope: &Scope<'g>, kind: usize, x: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g> {
        let norm = |name, x| self.layer_norm(&scope.child(name), x);
        let x = x + self.attention.apply(&scope.child("self_attn"), kind, norm("input_layernorm", x), pass);
        let normal = norm("post_attention_layernorm", x);
        x + self.mlp.apply(&scope.child("mlp"), normal, ["c_fc", "c_proj"], self.init())
    }

    fn norm<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>) -> Tensor<'g> {
        self.layer_norm(&scope.at("model.norm"), x)
    }

    fn head(&self) -> Head {
        Head::lm_head(self.tie_word_embeddings, "model.embed_tokens", self.initializer_range)
    }
}
