//! GPT-2 (Radford et al. 2019), as in Hugging Face's `GPT2LMHeadModel`.
//!
//! Dropout, which configurations name (`resid_pdrop`, `embd_pdrop`, `attn_pdrop`), is not applied.

use graph::{Axis, Init, Tensor};
use serde_json::json;

use crate::activation::Activation;
use crate::attention::Form;
use crate::config::{COUNT_MAX, Fields, Result, WIDTH_MAX};
use crate::family::{Entry, Family, Head, Layers, Sizes};
use crate::heads::Heads;
use crate::layers::{conv1d, embedding, layer_norm, widen};
use crate::pass::{LayerPass, Tokens};
use crate::{Scope, part};

pub(crate) const ENTRY: Entry = Entry {
    model_type: "gpt2",
    architecture: "GPT2LMHeadModel",
    restrictions: &["add_cross_attention"],
    keys: &[
        "vocab_size",
        "n_positions",
        "n_embd",
        "n_layer",
        "n_head",
        "n_inner",
        "activation_function",
        "layer_norm_epsilon",
        "scale_attn_weights",
        "scale_attn_by_inverse_layer_idx",
        "reorder_and_upcast_attn",
        "add_cross_attention",
        "tie_word_embeddings",
        "initializer_range",
    ],
    dropout: &["resid_pdrop", "embd_pdrop", "attn_pdrop"],
    read: |fields| Ok(Box::new(Gpt2::read(fields)?)),
};

/// What transformers calls these in other families.
const ALIASES: &[(&str, &str)] = &[
    ("hidden_size", "n_embd"),
    ("max_position_embeddings", "n_positions"),
    ("num_attention_heads", "n_head"),
    ("num_hidden_layers", "n_layer"),
];

/// Sizes and constants, under Hugging Face's names.
#[derive(Clone, Debug)]
struct Gpt2 {
    sizes: Sizes,
    heads: Heads,
    n_inner: usize,
    activation_function: Activation,
    layer_norm_epsilon: f64,
    scale_attn_weights: bool,
    scale_attn_by_inverse_layer_idx: bool,
    tie_word_embeddings: bool,
    initializer_range: f64,
}

impl Gpt2 {
    fn read(fields: &Fields<'_>) -> Result<Gpt2> {
        fields.refuse_aliases(ALIASES)?;
        fields.expect("add_cross_attention", &json!(false))?;
        // What it asks for is so in any case: scores are f32.
        fields.flag("reorder_and_upcast_attn")?;
        let n_embd = fields.size("n_embd", WIDTH_MAX)?;
        Ok(Gpt2 {
            sizes: Sizes {
                vocab_size: fields.size("vocab_size", WIDTH_MAX)?,
                hidden_size: n_embd,
                num_hidden_layers: fields.size("n_layer", COUNT_MAX)?,
                max_position_embeddings: fields.size_or("n_positions", WIDTH_MAX, 1024)?,
            },
            heads: Heads::alike(fields, ("n_embd", n_embd), ("n_head", fields.size("n_head", COUNT_MAX)?))?,
            n_inner: fields.size_or("n_inner", WIDTH_MAX, 4 * n_embd)?,
            activation_function: Activation::read(fields, "activation_function", Activation::GeluTanh)?,
            layer_norm_epsilon: fields.number_or("layer_norm_epsilon", 1e-5)?,
            scale_attn_weights: fields.flag_or("scale_attn_weights", true)?,
            scale_attn_by_inverse_layer_idx: fields.flag("scale_attn_by_inverse_layer_idx")?,
            tie_word_embeddings: fields.flag_or("tie_word_embeddings", true)?,
            initializer_range: fields.number_or("initializer_range", 0.02)?,
        })
    }

    fn init(&self) -> Init {
        Init::Normal(self.initializer_range)
    }

    /// Of what is added to the residual stream, which each layer does twice.
    fn residual_init(&self) -> Init {
        let additions = 2 * self.sizes.num_hidden_layers;
        Init::Normal(self.initializer_range / (additions as f64).sqrt())
    }

    fn layer_norm<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>) -> Tensor<'g> {
        layer_norm(scope, x, "embed", self.layer_norm_epsilon, true)
    }

    fn attention<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g> {
        let _named = scope.named(part::PROJECTIONS);
        let (heads, embed) = (&self.heads, x.axis("embed"));
        let [q, k, v] = heads.split_fused(conv1d(&scope.child("c_attn"), x, embed, heads.fused(), self.init()));
        let q = match scope.number().filter(|_| self.scale_attn_by_inverse_layer_idx) {
            Some(number) => {
                let wide = widen(q);
                (wide / (number.cast(wide.dtype()) + 1.0)).cast(q.dtype())
            }
            None => q,
        };
        let form = Form::scaled(heads.head_dim);
        let form = if self.scale_attn_weights { form } else { Form { scale: 1.0, ..form } };
        let out = heads.merge(pass.attend(scope, None, [q, k, v], &form));
        conv1d(&scope.child("c_proj"), out, heads.queries(), embed, self.residual_init())
    }

    fn mlp<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>) -> Tensor<'g> {
        let _named = scope.named(part::MLP);
        let (embed, mlp) = (x.axis("embed"), Axis::new("mlp", self.n_inner));
        let hidden = self.activation_function.apply(conv1d(&scope.child("c_fc"), x, embed, mlp, self.init()));
        conv1d(&scope.child("c_proj"), hidden, mlp, embed, self.residual_init())
    }
}

impl Family for Gpt2 {
    fn sizes(&self) -> Sizes {
        self.sizes
    }

    fn layers(&self) -> Layers {
        Layers::alike("transformer.h", self.sizes.num_hidden_layers)
    }

    fn embed<'g>(&self, scope: &Scope<'g>, tokens: Tokens<'g>) -> Tensor<'g> {
        let table = |path, name, size, numbers| {
            let embed = Axis::new("embed", self.sizes.hidden_size);
            embedding(&scope.at(path), Axis::new(name, size), embed, numbers, self.init())
        };
        table("transformer.wte", "vocab", self.sizes.vocab_size, tokens.ids)
            + table("transformer.wpe", "positions", self.sizes.max_position_embeddings, tokens.positions)
    }

    fn layer<'g>(&self, scope: &Scope<'g>, _: usize, x: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g> {
        let x = x + self.attention(&scope.child("attn"), self.layer_norm(&scope.child("ln_1"), x), pass);
        x + self.mlp(&scope.child("mlp"), self.layer_norm(&scope.child("ln_2"), x))
    }

    fn norm<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>) -> Tensor<'g> {
        self.layer_norm(&scope.at("transformer.ln_f"), x)
    }

    fn head(&self) -> Head {
        Head::lm_head(self.tie_word_embeddings, "transformer.wte", self.initializer_range)
    }
}
