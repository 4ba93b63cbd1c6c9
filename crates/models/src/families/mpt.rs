//! MPT (MosaicML 2023), as in Hugging Face's `MptForCausalLM`, and as in llm-foundry's `MPTForCausalLM` where a configuration says what
//! the former passes over: no ALiBi or another range of it, learned or rotary positions, biases, norms of queries and keys, shared heads
//! of keys and values, the MLP's width, the logits' scale. Of a key that is left out the former's default holds.
//!
//! Dropout, which configurations name (`resid_pdrop`, `emb_pdrop`, `attn_pdrop`), is not applied.

mod attention;

use graph::{Axis, Init, Tensor};
use serde_json::json;

use crate::activation::Activation;
use crate::attention::{Alibi, alibi_slopes};
use crate::config::{COUNT_MAX, Fields, Result, WIDTH_MAX};
use crate::family::{Beyond, Entry, Family, Head, Layers, Sizes};
use crate::layers::{Mlp, embedding, layer_norm, linear, scaled};
use crate::pass::{LayerPass, Tokens};
use crate::rope::Rotary;
use crate::{Scope, part};
use attention::{ALIBI_BIAS_MAX, Attention};

pub(crate) const ENTRY: Entry = Entry {
    model_type: "mpt",
    architecture: "MptForCausalLM",
    restrictions: &[
        "head_dim other than d_model / n_heads",
        "attention_bias other than the opposite of no_bias",
        "attn_config: prefix_lm, qk_gn, sliding_window_size, attn_logit_softcapping, attn_temperature_tuning, nope, reuse_kv_layer_idx",
        "rope_hf_config other than linear",
        "ffn_type other than mptmlp",
        "fc_type other than torch and te",
        "residual_modification",
        "block_overrides",
        "final_logit_softcapping",
    ],
    keys: &[
        "vocab_size",
        "d_model",
        "n_heads",
        "n_layers",
        "head_dim",
        "max_seq_len",
        "expansion_ratio",
        "attn_config",
        "attn_config.attn_type",
        "attn_config.attn_impl",
        "attn_config.attn_uses_sequence_id",
        "attn_config.attn_logit_softcapping",
        "attn_config.attn_temperature_tuning",
        "attn_config.alibi",
        "attn_config.alibi_bias_max",
        "attn_config.clip_qkv",
        "attn_config.flex_attn_mod_list",
        "attn_config.fused_qkv",
        "attn_config.kv_dim",
        "attn_config.kv_n_heads",
        "attn_config.nope",
        "attn_config.prefix_lm",
        "attn_config.qk_gn",
        "attn_config.qk_ln",
        "attn_config.reuse_kv_layer_idx",
        "attn_config.rope",
        "attn_config.rope_dail_config",
        "attn_config.rope_hf_config",
        "attn_config.rope_impl",
        "attn_config.rope_theta",
        "attn_config.sliding_window_size",
        "attn_config.softmax_scale",
        "ffn_config",
        "ffn_config.fc_type",
        "ffn_config.ffn_act_fn",
        "ffn_config.ffn_hidden_size",
        "ffn_config.ffn_type",
        "fc_type",
        "use_pad_tok_in_ffn",
        "residual_modification",
        "block_overrides",
        "final_logit_softcapping",
        "learned_pos_emb",
        "no_bias",
        "attention_bias",
        "norm_type",
        "layer_norm_epsilon",
        "norm_eps",
        "logit_scale",
        "embedding_fraction",
        "tie_word_embeddings",
        "initializer_range",
    ],
    dropout: &["emb_pdrop", "resid_pdrop", "attn_config.attn_pdrop"],
    read: |fields| Ok(Box::new(Mpt::read(fields)?)),
};

/// What transformers calls these in other families.
const ALIASES: &[(&str, &str)] =
    &[("hidden_size", "d_model"), ("num_attention_heads", "n_heads"), ("num_hidden_layers", "n_layers")];

const USUAL_EPSILON: f64 = 1e-5;

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

impl Mpt {
    fn read(fields: &Fields<'_>) -> Result<Mpt> {
        fields.refuse_aliases(ALIASES)?;
        // The first computes in the narrow type, and is the second as far as that goes.
        fields.choice("norm_type", &[("low_precision_layernorm", ()), ("layernorm", ())], ())?;
        for key in ["residual_modification", "block_overrides", "final_logit_softcapping"] {
            fields.expect(key, &json!(null))?;
        }
        check_fc_type(fields)?;
        // What padding is computed to, nobody reads.
        fields.flag("use_pad_tok_in_ffn")?;
        let sizes = Sizes {
            vocab_size: fields.size("vocab_size", WIDTH_MAX)?,
            hidden_size: fields.size("d_model", WIDTH_MAX)?,
            num_hidden_layers: fields.size("n_layers", COUNT_MAX)?,
            max_position_embeddings: fields.size_or("max_seq_len", WIDTH_MAX, 2048)?,
        };
        let attention = Attention::read(fields, sizes.hidden_size)?;
        let placed = attention.form.alibi.is_some() || attention.rotary.is_some();
        let bias = !fields.flag_or("no_bias", true)?;
        let attention_bias = fields.flag_or("attention_bias", bias)?;
        if attention_bias != bias {
            let rule = format!("with `no_bias` {} only {bias} is supported", !bias);
            return Err(fields.wrong("attention_bias", &attention_bias.into(), &rule));
        }
        Ok(Mpt {
            sizes,
            attention,
            ffn: Mlp { width: ffn_width(fields, sizes.hidden_size)?, activation: Activation::Gelu, bias },
            learned_positions: fields.flag_or("learned_pos_emb", true)? && !placed,
            bias,
            // The second is llm-foundry's name.
            layer_norm_epsilon: fields.number_or("layer_norm_epsilon", fields.number_or("norm_eps", USUAL_EPSILON)?)?,
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
        let _named = scope.named(part::PROJECTIONS);
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
        let rotation = rotary.as_ref().map(|_| pass.rotation(0));
        let out = heads.merge(pass.attend(scope, rotation, [q, k, v], form));
        linear(&scope.child("out_proj"), out, heads.queries(), embed, self.bias, self.init())
    }
}

/// Whose linear layers: those that compute the same.
fn check_fc_type(fields: &Fields<'_>) -> Result<()> {
    match fields.get("fc_type") {
        None => Ok(()),
        Some(value) if ["torch", "te"].iter().any(|name| value.get("name").unwrap_or(value) == name) => Ok(()),
        Some(other) => Err(fields.wrong("fc_type", other, "it should be torch or te")),
    }
}

fn ffn_width(fields: &Fields<'_>, d_model: usize) -> Result<usize> {
    let ffn = fields.section("ffn_config")?;
    check_fc_type(&ffn)?;
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
        value + scaled(x - value, self.embedding_fraction)
    }

    fn layer<'g>(&self, scope: &Scope<'g>, _: usize, x: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g> {
        let norm = |name, x| self.norm_over(&scope.child(name), x, "embed");
        let x = scope.sum(x, self.attend(&scope.child("attn"), norm("norm_1", x), pass));
        scope.sum(x, self.ffn.apply(&scope.child("ffn"), norm("norm_2", x), ["up_proj", "down_proj"], self.init()))
    }

    fn norm<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>) -> Tensor<'g> {
        self.norm_over(&scope.at("transformer.norm_f"), x, "embed")
    }

    /// `MptForCausalLM` has no biases, one MLP's width, heads that share nothing, and ALiBi's usual slopes, whatever its configuration says.
    fn beyond_transformers(&self, config: &Fields<'_>) -> Option<Beyond> {
        let Attention { heads, form, qk_ln, rotary, .. } = &self.attention;
        let usual = Alibi::Exact(alibi_slopes(heads.kv * heads.groups, ALIBI_BIAS_MAX));
        let says_alibi = config.section("attn_config").is_ok_and(|fields| fields.get("alibi").is_some());
        let found = [
            ("attn_config.alibi", form.alibi.is_none() && says_alibi),
            ("attn_config.alibi_bias_max", form.alibi.as_ref().is_some_and(|found| *found != usual)),
            ("attn_config.attn_type", heads.groups > 1),
            ("attn_config.qk_ln", *qk_ln),
            ("attn_config.rope", rotary.is_some()),
            ("expansion_ratio", self.ffn.width != 4 * self.sizes.hidden_size),
            ("logit_scale", self.logit_scale != 1.0),
            ("no_bias", self.bias),
            ("norm_eps", config.number_or("layer_norm_epsilon", USUAL_EPSILON) != Ok(self.layer_norm_epsilon)),
        ];
        let keys: Vec<&str> = found.into_iter().filter(|(_, is_beyond)| *is_beyond).map(|(key, _)| key).collect();
        // llm-foundry's class, whose name differs in the letters' case only.
        (!keys.is_empty()).then_some(Beyond { class: ENTRY.architecture, keys, architecture: "MPTForCausalLM" })
    }

    fn head(&self) -> Head {
        let head = Head::lm_head(self.tie_word_embeddings, "transformer.wte", self.initializer_range);
        Head { scale: self.logit_scale, ..head }
    }
}
