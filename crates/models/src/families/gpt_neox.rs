//! GPT-NeoX (Black et al. 2022; Pythia: Biderman et al. 2023), as in Hugging Face's `GPTNeoXForCausalLM`.
//!
//! Dropout, which configurations name (`attention_dropout`, `hidden_dropout`), is not applied.

use graph::{Axis, Init, Tensor};

use crate::activation::Activation;
use crate::attention::Form;
use crate::config::{COUNT_MAX, Fields, Result, WIDTH_MAX};
use crate::family::{Entry, Family, Head, Layers, Sizes};
use crate::heads::Heads;
use crate::layers::{Mlp, embedding, layer_norm, linear};
use crate::pass::{LayerPass, Tokens};
use crate::rope::{self, Rotary};
use crate::{Scope, part};

pub(crate) const ENTRY: Entry = Entry {
    model_type: "gpt_neox",
    architecture: "GPTNeoXForCausalLM",
    restrictions: &[],
    keys: &[
        "vocab_size",
        "hidden_size",
        "intermediate_size",
        "num_hidden_layers",
        "num_attention_heads",
        "hidden_act",
        "max_position_embeddings",
        "layer_norm_eps",
        "rotary_pct",
        "rotary_emb_base",
        "rope_scaling",
        "rope_parameters",
        "use_parallel_residual",
        "attention_bias",
        "tie_word_embeddings",
        "initializer_range",
    ],
    dropout: &["attention_dropout", "hidden_dropout"],
    read: |fields| Ok(Box::new(GptNeoX::read(fields)?)),
};

/// Sizes and constants, under Hugging Face's names.
#[derive(Clone, Debug)]
struct GptNeoX {
    sizes: Sizes,
    heads: Heads,
    mlp: Mlp,
    layer_norm_eps: f64,
    rotary: Rotary,
    use_parallel_residual: bool,
    attention_bias: bool,
    tie_word_embeddings: bool,
    initializer_range: f64,
}

impl GptNeoX {
    fn read(fields: &Fields<'_>) -> Result<GptNeoX> {
        let hidden_size = fields.size("hidden_size", WIDTH_MAX)?;
        let heads = ("num_attention_heads", fields.size("num_attention_heads", COUNT_MAX)?);
        let heads = Heads::alike(fields, ("hidden_size", hidden_size), heads)?;
        Ok(GptNeoX {
            sizes: Sizes::read(fields, 2048)?,
            heads,
            mlp: Mlp {
                width: fields.size("intermediate_size", WIDTH_MAX)?,
                activation: Activation::read(fields, "hidden_act", Activation::Gelu)?,
                bias: true,
            },
            layer_norm_eps: fields.number_or("layer_norm_eps", 1e-5)?,
            rotary: rotary(fields, heads.head_dim)?,
            use_parallel_residual: fields.flag_or("use_parallel_residual", true)?,
            attention_bias: fields.flag_or("attention_bias", true)?,
            tie_word_embeddings: fields.flag("tie_word_embeddings")?,
            initializer_range: fields.number_or("initializer_range", 0.02)?,
        })
    }

    fn init(&self) -> Init {
        Init::Normal(self.initializer_range)
    }

    fn layer_norm<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>) -> Tensor<'g> {
        layer_norm(scope, x, "embed", self.layer_norm_eps, true)
    }

    fn attention<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g> {
        let _named = scope.named(part::PROJECTIONS);
        let (heads, embed, bias) = (&self.heads, x.axis("embed"), self.attention_bias);
        let fused = linear(&scope.child("query_key_value"), x, embed, heads.fused(), bias, self.init());
        let (rotation, form) = (pass.rotation(0), Form::scaled(heads.head_dim));
        let out = heads.merge(pass.attend(scope, Some(rotation), heads.split_interleaved(fused), &form));
        linear(&scope.child("dense"), out, heads.queries(), embed, bias, self.init())
    }

    fn mlp<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>) -> Tensor<'g> {
        self.mlp.apply(scope, x, ["dense_h_to_4h", "dense_4h_to_h"], self.init())
    }
}

/// The rotary embedding of a part of each head, under this family's names or as transformers has it of any.
fn rotary(fields: &Fields<'_>, head_dim: usize) -> Result<Rotary> {
    let dim = Rotary::partial_dim(fields, ("rotary_pct", 0.25), head_dim)?;
    Rotary::of_parameters(fields, rope::parameters(fields)?, ("rotary_emb_base", 10_000.0), dim)
}

impl Family for GptNeoX {
    fn sizes(&self) -> Sizes {
        self.sizes
    }

    fn layers(&self) -> Layers {
        Layers::alike("gpt_neox.layers", self.sizes.num_hidden_layers)
    }

    fn rotary(&self) -> Vec<Rotary> {
        vec![self.rotary.clone()]
    }

    fn embed<'g>(&self, scope: &Scope<'g>, tokens: Tokens<'g>) -> Tensor<'g> {
        let (vocab, embed) = (Axis::new("vocab", self.sizes.vocab_size), Axis::new("embed", self.sizes.hidden_size));
        embedding(&scope.at("gpt_neox.embed_in"), vocab, embed, tokens.ids, self.init())
    }

    fn layer<'g>(&self, scope: &Scope<'g>, _: usize, x: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g> {
        let norm = |name, x| self.layer_norm(&scope.child(name), x);
        let attended = x + self.attention(&scope.child("attention"), norm("input_layernorm", x), pass);
        let seen = if self.use_parallel_residual { x } else { attended };
        attended + self.mlp(&scope.child("mlp"), norm("post_attention_layernorm", seen))
    }

    fn norm<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>) -> Tensor<'g> {
        self.layer_norm(&scope.at("gpt_neox.final_layer_norm"), x)
    }

    fn head(&self) -> Head {
        let module = "embed_out";
        let path = if self.tie_word_embeddings { "gpt_neox.embed_in" } else { module };
        Head { path, module, ..Head::lm_head(self.tie_word_embeddings, path, self.initializer_range) }
    }
}
