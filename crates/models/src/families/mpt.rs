//! MPT (MosaicML 2023), as in Hugging Face's `MptForCausalLM`, and as in llm-foundry's `MPTForCausalLM` where a configuration says what
//! the former passes over: no ALiBi or another range of it, learned or rotary positions, biases, norms of queries and keys, shared heads
//! of keys and values, the MLP's width, the logits' scale.
//!
//! Dropout, which configurations name (`resid_pdrop`, `emb_pdrop`, `attn_pdrop`), is not applied.

use graph::{Axis, Init, Tensor};
use serde_json::json;

use crate::Scope;
use crate::activation::Activation;
use crate::attention::{Form, alibi_slopes};
use crate::config::{COUNT_MAX, Fields, Result, WIDTH_MAX};
use crate::family::{Entry, Family, Head, Layers, Sizes};
use crate::heads::Heads;
use crate::layers::{Mlp, embedding, layer_norm, linear};
use crate::pass::{LayerPass, Tokens};
use crate::rope::{RopeScaling, Rotary};

pub(crate) const ENTRY: Entry = Entry {
    model_type: "mpt",
    architecture: "MptForCausalLM",
    restrictions: &[
        "attn_config: prefix_lm, qk_gn, sliding_window_size, attn_logit_softcapping",
        "rope_hf_config other than linear",
        "ffn_type other than mptmlp",
    ],
    keys: &[
        "vocab_size",
        "d_model",
        "n_heads",
        "n_layers",
        "max_seq_len",
        "expansion_ratio",
        "attn_config",
        "ffn_config",
        "learned_pos_emb",
        "no_bias",
        "norm_type",
        "layer_norm_epsilon",
        "norm_eps",
        "logit_scale",
        "embedding_fraction",
        "tie_word_embeddings",
        "initializer_range",
    ],
    read: |fields| Ok(Box::new(Mpt::read(fields)?)),
};

/// What transformers calls these in other families.
const ALIASES: &[(&str, &str)] =
    &[("hidden_size", "d_model"), ("num_attention_heads", "n_heads"), ("num_hidden_layers", "n_layers")];

/// Sizes and constants, under Hugging Face's names.
#[derive(Clone, Debug)]
struct Mpt {
    sizes: Sizes,
    attention: Attention,
    ffn: Mlp,
    learned_positions: bool,
    bias: bool,
    layer_norm_epsilon: f64,
    logit_scale: f64,
    embedding_fraction: f64,
    tie_word_embeddings: bool,
    initializer_range: f64,
}

/// `attn_config`.
#[derive(Clone, Debug)]
struct Attention {
    heads: Heads,
    form: Form,
    clip_qkv: Option<f64>,
    qk_ln: bool,
    rotary: Option<Rotary>,
}

impl Mpt {
    fn read(fields: &Fields<'_>) -> Result<Mpt> {
        fields.refuse_aliases(ALIASES)?;
        // The first computes in the narrow type, and is the second as far as that goes.
        fields.choice("norm_type", &[("low_precision_layernorm", ()), ("layernorm", ())], ())?;
        let sizes = Sizes {
            vocab_size: fields.size("vocab_size", WIDTH_MAX)?,
            hidden_size: fields.size("d_model", WIDTH_MAX)?,
            num_hidden_layers: fields.size("n_layers", COUNT_MAX)?,
            max_position_embeddings: fields.size_or("max_seq_len", WIDTH_MAX, 2048)?,
        };
        let attention = Attention::read(fields, sizes.hidden_size)?;
        let placed = attention.form.slopes.is_some() || attention.rotary.is_some();
        let bias = !fields.flag_or("no_bias", true)?;
        Ok(Mpt {
            sizes,
            attention,
            ffn: Mlp { width: ffn_width(fields, sizes.hidden_size)?, activation: Activation::Gelu, bias },
            learned_positions: fields.flag_or("learned_pos_emb", true)? && !placed,
            bias,
            // The second is llm-foundry's name.
            layer_norm_epsilon: fields.number_or("layer_norm_epsilon", fields.number_or("norm_eps", 1e-5)?)?,
            logit_scale: match fields.get("logit_scale") {
                Some(word) if word == "inv_sqrt_d_model" => 1.0 / (sizes.hidden_size as f64).sqrt(),
                _ => fields.number_or("logit_scale", 1.0)?,
            },
            embedding_fraction: fields.number_or("embedding_fraction", 1.0)?,
            tie_word_embeddings: fields.flag_or("tie_word_embeddings", true)?,
            initializer_range: fields.number_or("initializer_range", 0.02)?,
        })
    }

    fn init(&self) -> Init {
        Init::Normal(self.initializer_range)
    }

    fn norm_over<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>, axis: &'static str) -> Tensor<'g> {
        layer_norm(scope, x, axis, self.layer_norm_epsilon, self.bias)
    }

    fn attend<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g> {
        let Attention { heads, form, clip_qkv, qk_ln, rotary } = &self.attention;
        let embed = x.axis("embed");
        let fused = linear(&scope.child("Wqkv"), x, embed, heads.fused(), self.bias, self.init());
        let fused = clip_qkv.map_or(fused, |most| fused.minimum(most).maximum(-most));
        let [mut q, mut k, v] = heads.split_fused(fused);
        if *qk_ln {
            // Over all heads at once.
            q = heads.split_queries(self.norm_over(&scope.child("q_ln"), heads.merge(q), "queries"));
            let all = k.merge(&["kv_heads", "head_dim"], "keys");
            k = heads.split_keys(self.norm_over(&scope.child("k_ln"), all, "keys"));
        }
        if rotary.is_some() {
            let rotation = pass.rotation(0);
            (q, k) = (rotation.apply(q), rotation.apply(k));
        }
        let out = heads.merge(pass.attend(scope, q, k, v, form));
        linear(&scope.child("out_proj"), out, heads.queries(), embed, self.bias, self.init())
    }
}

impl Attention {
    fn read(fields: &Fields<'_>, d_model: usize) -> Result<Attention> {
        let count = fields.size("n_heads", COUNT_MAX)?;
        let alike = Heads::alike(fields, ("d_model", d_model), ("n_heads", count))?;
        let fields = fields.section("attn_config")?;
        for key in ["prefix_lm", "qk_gn"] {
            fields.expect(key, &json!(false))?;
        }
        fields.expect("fused_qkv", &json!(true))?;
        fields.expect("sliding_window_size", &json!(-1))?;
        for key in ["attn_logit_softcapping", "kv_dim"] {
            fields.expect(key, &json!(null))?;
        }
        fields.expect("flex_attn_mod_list", &json!([]))?;
        // Which tokens are whose document is said with the tokens.
        fields.flag("attn_uses_sequence_id")?;
        let slopes = match fields.flag_or("alibi", true)? {
            true => Some(alibi_slopes(count, fields.number_or("alibi_bias_max", 8.0)?)),
            false => None,
        };
        let rotary = rotary(&fields, alike.head_dim)?;
        if slopes.is_some() && rotary.is_some() {
            return Err(fields.wrong("rope", &json!(true), "`alibi` tells the positions already"));
        }
        let form = Form::scaled(alike.head_dim);
        Ok(Attention {
            heads: with_key_heads(&fields, alike)?,
            form: Form { scale: fields.number_or("softmax_scale", form.scale)?, slopes, ..form },
            clip_qkv: fields.number("clip_qkv")?,
            qk_ln: fields.flag("qk_ln")?,
            rotary,
        })
    }
}

/// As many heads of keys and values as `attn_type` says, for the queries of `alike`.
fn with_key_heads(fields: &Fields<'_>, alike: Heads) -> Result<Heads> {
    let (all, given) = (Some(alike.kv), fields.optional_size("kv_n_heads", COUNT_MAX)?);
    let types = [("multihead_attention", all), ("multiquery_attention", Some(1)), ("grouped_query_attention", given)];
    let kv = fields.choice("attn_type", &types, all)?.ok_or_else(|| fields.missing("kv_n_heads"))?;
    if !alike.kv.is_multiple_of(kv) {
        let rule = format!("it should divide `n_heads`, {}", alike.kv);
        return Err(fields.wrong("kv_n_heads", &kv.into(), &rule));
    }
    Ok(Heads { kv, groups: alike.kv / kv, ..alike })
}

/// The rotary embedding, if there is one. Both implementations that are named turn the same pairs.
fn rotary(fields: &Fields<'_>, dim: usize) -> Result<Option<Rotary>> {
    if !fields.flag("rope")? {
        return Ok(None);
    }
    if !dim.is_multiple_of(2) {
        return Err(fields.wrong("rope", &json!(true), &format!("heads have {dim} elements, not an even number")));
    }
    let by_transformers = fields.choice("rope_impl", &[("dail", false), ("hf", true)], false)?;
    let scaling = if by_transformers {
        let fields = fields.section("rope_hf_config")?;
        match fields.choice("type", &[("no_scaling", false), ("linear", true)], false)? {
            true => RopeScaling::Linear { factor: fields.required_number("factor")? },
            false => RopeScaling::None,
        }
    } else {
        fields.section("rope_dail_config")?.expect("type", &json!("original"))?;
        RopeScaling::None
    };
    Ok(Some(Rotary { scaling, ..Rotary::new(dim, fields.number_or("rope_theta", 10_000.0)?) }))
}

fn ffn_width(fields: &Fields<'_>, d_model: usize) -> Result<usize> {
    let ffn = fields.section("ffn_config")?;
    ffn.expect("ffn_type", &json!("mptmlp"))?;
    ffn.expect("ffn_act_fn", &json!({"name": "gelu", "approximate": "none"}))?;
    ffn.expect("ffn_hidden_size", &json!(null))?;
    let ratio = fields.number_or("expansion_ratio", 4.0)?;
    let width = (d_model as f64 * ratio) as usize;
    if width == 0 || width as u64 > WIDTH_MAX {
        let rule = format!("times `d_model` it should be from 1 to {WIDTH_MAX}");
        return Err(fields.wrong("expansion_ratio", &ratio.into(), &rule));
    }
    Ok(width)
}

impl Family for Mpt {
    fn sizes(&self) -> Sizes {
        self.sizes
    }

    fn layers(&self) -> Layers {
        Layers::alike("transformer.blocks", self.sizes.num_hidden_layers)
    }

    fn rotary(&self) -> Vec<Rotary> {
        self.attention.rotary.iter().cloned().collect()
    }

    fn embed<'g>(&self, scope: &Scope<'g>, tokens: Tokens<'g>) -> Tensor<'g> {
        let table = |path, name, size, numbers| {
            let embed = Axis::new("embed", self.sizes.hidden_size);
            embedding(&scope.at(path), Axis::new(name, size), embed, numbers, self.init())
        };
        let mut x = table("transformer.wte", "vocab", self.sizes.vocab_size, tokens.ids);
        if self.learned_positions {
            let positions = self.sizes.max_position_embeddings;
            x = x + table("transformer.wpe", "positions", positions, tokens.positions);
        }
        if self.embedding_fraction == 1.0 {
            return x;
        }
        // The same value with a part of the gradient (GLM-130B: Zeng et al. 2022, section 2.2).
        let value = x.stop_gradient();
        value + (x - value) * self.embedding_fraction
    }

    fn layer<'g>(&self, scope: &Scope<'g>, _: usize, x: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g> {
        let norm = |name, x| self.norm_over(&scope.child(name), x, "embed");
        let x = x + self.attend(&scope.child("attn"), norm("norm_1", x), pass);
        x + self.ffn.apply(&scope.child("ffn"), norm("norm_2", x), ["up_proj", "down_proj"], self.init())
    }

    fn norm<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>) -> Tensor<'g> {
        self.norm_over(&scope.at("transformer.norm_f"), x, "embed")
    }

    fn head(&self) -> Head {
        let head = Head::lm_head(self.tie_word_embeddings, "transformer.wte", self.initializer_range);
        Head { scale: self.logit_scale, ..head }
    }
}
