//! Falcon (Almazrouei et al. 2023), as in Hugging Face's `FalconForCausalLM`.
//!
//! Dropout, which configurations name (`attention_dropout`, `hidden_dropout`), is not applied.

use graph::{Axis, Init, Tensor};
use serde_json::json;

use crate::activation::Activation;
use crate::attention::{Alibi, Form, alibi_slopes};
use crate::config::{COUNT_MAX, Fields, Result, WIDTH_MAX};
use crate::family::{Entry, Family, Head, Layers, Sizes};
use crate::heads::Heads;
use crate::layers::{Mlp, embedding, layer_norm, linear};
use crate::pass::{LayerPass, Tokens};
use crate::rope::Rotary;
use crate::{Scope, part};

pub(crate) const ENTRY: Entry = Entry {
    model_type: "falcon",
    architecture: "FalconForCausalLM",
    restrictions: &["apply_residual_connection_post_layernorm", "new_decoder_architecture without parallel_attn"],
    keys: &[
        "vocab_size",
        "hidden_size",
        "num_hidden_layers",
        "num_attention_heads",
        "num_kv_heads",
        "multi_query",
        "new_decoder_architecture",
        "parallel_attn",
        "num_ln_in_parallel_attn",
        "ffn_hidden_size",
        "activation",
        "bias",
        "apply_residual_connection_post_layernorm",
        "alibi",
        "rope_theta",
        "rope_scaling",
        "rope_parameters",
        "max_position_embeddings",
        "layer_norm_epsilon",
        "tie_word_embeddings",
        "initializer_range",
    ],
    dropout: &["attention_dropout", "hidden_dropout"],
    read: |fields| Ok(Box::new(Falcon::read(fields)?)),
};

/// Sizes and constants, under Hugging Face's names.
#[derive(Clone, Debug)]
struct Falcon {
    sizes: Sizes,
    heads: Heads,
    form: Form,
    /// `None` with ALiBi.
    rotary: Option<Rotary>,
    block: Block,
    mlp: Mlp,
    bias: bool,
    layer_norm_epsilon: f64,
    tie_word_embeddings: bool,
    initializer_range: f64,
}

/// What a layer's attention and MLP read.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Block {
    /// The MLP what attention leaves.
    Sequential,
    /// Both the same, by one norm.
    Parallel,
    /// Both the same, by a norm each.
    ParallelByTwoNorms,
}

impl Falcon {
    fn read(fields: &Fields<'_>) -> Result<Falcon> {
        fields.refuse_aliases(&[("n_embed", "hidden_size")])?;
        fields.expect("apply_residual_connection_post_layernorm", &json!(false))?;
        let hidden_size = fields.size("hidden_size", WIDTH_MAX)?;
        let heads = heads(fields, hidden_size)?;
        let form = Form::scaled(heads.head_dim);
        let biases = Alibi::InBf16 { slopes: alibi_slopes(heads.kv * heads.groups, 8.0), scale: form.scale };
        let alibi = fields.flag("alibi")?;
        let bias = fields.flag("bias")?;
        Ok(Falcon {
            sizes: Sizes::read(fields, 2048)?,
            heads,
            form: Form { alibi: alibi.then_some(biases), ..form },
            rotary: if alibi { None } else { Some(Rotary::read_whole(fields, heads.head_dim)?) },
            block: Block::read(fields)?,
            mlp: Mlp {
                width: fields.size_or("ffn_hidden_size", WIDTH_MAX, 4 * hidden_size)?,
                activation: Activation::read(fields, "activation", Activation::Gelu)?,
                bias,
            },
            bias,
            layer_norm_epsilon: fields.number_or("layer_norm_epsilon", 1e-5)?,
            tie_word_embeddings: fields.flag_or("tie_word_embeddings", true)?,
            initializer_range: fields.number_or("initializer_range", 0.02)?,
        })
    }

    fn init(&self) -> Init {
        Init::Normal(self.initializer_range)
    }

    fn layer_norm<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>) -> Tensor<'g> {
        layer_norm(scope, x, "embed", self.layer_norm_epsilon, true)
    }

    fn attention<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g> {
        let _named = scope.named(part::PROJECTIONS);
        let (heads, embed) = (&self.heads, x.axis("embed"));
        let fused = linear(&scope.child("query_key_value"), x, embed, heads.fused(), self.bias, self.init());
        let rotation = self.rotary.as_ref().map(|_| pass.rotation(0));
        let out = heads.merge(pass.attend(scope, rotation, heads.split_interleaved(fused), &self.form));
        linear(&scope.child("dense"), out, heads.queries(), embed, self.bias, self.init())
    }

    fn mlp<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>) -> Tensor<'g> {
        self.mlp.apply(&scope.child("mlp"), x, ["dense_h_to_4h", "dense_4h_to_h"], self.init())
    }
}

impl Block {
    fn read(fields: &Fields<'_>) -> Result<Block> {
        let newer = fields.flag("new_decoder_architecture")?;
        let parallel = fields.flag_or("parallel_attn", true)?;
        let norms = fields.optional_size("num_ln_in_parallel_attn", 2)?;
        match (newer, parallel, norms) {
            (true, true, None | Some(2)) => Ok(Block::ParallelByTwoNorms),
            (true, true, _) | (false, true, None | Some(1)) => Ok(Block::Parallel),
            (false, false, _) => Ok(Block::Sequential),
            (true, false, _) => {
                Err(fields.wrong("parallel_attn", &json!(false), "it is true with `new_decoder_architecture`"))
            }
            (false, true, Some(norms)) => {
                let rule = "only layers of `new_decoder_architecture` have more than one";
                Err(fields.wrong("num_ln_in_parallel_attn", &norms.into(), rule))
            }
        }
    }
}

/// Before `new_decoder_architecture`, queries share one head of keys and values, or none.
fn heads(fields: &Fields<'_>, hidden_size: usize) -> Result<Heads> {
    let count = fields.size("num_attention_heads", COUNT_MAX)?;
    let alike = Heads::alike(fields, ("hidden_size", hidden_size), ("num_attention_heads", count))?;
    let newer = fields.flag("new_decoder_architecture")?;
    if fields.flag_or("multi_query", true)? && !newer {
        return Ok(Heads { kv: 1, groups: count, ..alike });
    }
    let kv = fields.size_or("num_kv_heads", COUNT_MAX, count)?;
    let rule = match newer {
        true if !count.is_multiple_of(kv) => format!("it should divide `num_attention_heads`, {count}"),
        false if kv != count => format!("without `multi_query` it should be `num_attention_heads`, {count}"),
        _ => return Ok(Heads { kv, groups: count / kv, ..alike }),
    };
    Err(fields.wrong("num_kv_heads", &kv.into(), &rule))
}

impl Family for Falcon {
    fn sizes(&self) -> Sizes {
        self.sizes
    }

    fn layers(&self) -> Layers {
        Layers::alike("transformer.h", self.sizes.num_hidden_layers)
    }

    fn rotary(&self) -> Vec<Rotary> {
        self.rotary.iter().cloned().collect()
    }

    fn embed<'g>(&self, scope: &Scope<'g>, tokens: Tokens<'g>) -> Tensor<'g> {
        let (vocab, embed) = (Axis::new("vocab", self.sizes.vocab_size), Axis::new("embed", self.sizes.hidden_size));
        embedding(&scope.at("transformer.word_embeddings"), vocab, embed, tokens.ids, self.init())
    }

    fn layer<'g>(&self, scope: &Scope<'g>, _: usize, x: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g> {
        let norm = |name, x| self.layer_norm(&scope.child(name), x);
        let mut attention = |normal| self.attention(&scope.child("self_attention"), normal, pass);
        match self.block {
            Block::Sequential => {
                let x = scope.sum(x, attention(norm("input_layernorm", x)));
                scope.sum(x, self.mlp(scope, norm("post_attention_layernorm", x)))
            }
            Block::Parallel => {
                let normal = norm("input_layernorm", x);
                scope.sum(scope.sum(x, attention(normal)), self.mlp(scope, normal))
            }
            Block::ParallelByTwoNorms => {
                scope.sum(scope.sum(x, attention(norm("ln_attn", x))), self.mlp(scope, norm("ln_mlp", x)))
            }
        }
    }

    fn norm<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>) -> Tensor<'g> {
        self.layer_norm(&scope.at("transformer.ln_f"), x)
    }

    fn head(&self) -> Head {
        Head::lm_head(self.tie_word_embeddings, "transformer.word_embeddings", self.initializer_range)
    }
}
