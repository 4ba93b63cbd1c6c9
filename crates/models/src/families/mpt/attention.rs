//! What MPT's `attn_config` says.

use serde_json::json;

use crate::attention::{Alibi, Form, alibi_slopes};
use crate::config::{COUNT_MAX, Fields, Result};
use crate::heads::Heads;
use crate::rope::{RopeScaling, Rotary};

pub(super) const ALIBI_BIAS_MAX: f64 = 8.0;

/// `attn_config`.
#[derive(Clone, Debug)]
pub(super) struct Attention {
    pub(super) heads: Heads,
    pub(super) form: Form,
    pub(super) clip_qkv: Option<f64>,
    pub(super) qk_ln: bool,
    pub(super) rotary: Option<Rotary>,
}

impl Attention {
    pub(super) fn read(fields: &Fields<'_>, d_model: usize) -> Result<Attention> {
        let count = fields.size("n_heads", COUNT_MAX)?;
        let alike = Heads::alike(fields, ("d_model", d_model), ("n_heads", count))?;
        fields.expect("head_dim", &json!(alike.head_dim))?;
        let fields = fields.section("attn_config")?;
        for key in ["prefix_lm", "qk_gn", "nope"] {
            fields.expect(key, &json!(false))?;
        }
        fields.expect("fused_qkv", &json!(true))?;
        fields.expect("sliding_window_size", &json!(-1))?;
        for key in ["attn_logit_softcapping", "kv_dim", "reuse_kv_layer_idx"] {
            fields.expect(key, &json!(null))?;
        }
        fields.section("attn_temperature_tuning")?.expect_0("attn_scale")?;
        fields.expect("flex_attn_mod_list", &json!([]))?;
        // Which tokens are whose document is said with the tokens.
        fields.flag("attn_uses_sequence_id")?;
        let rotary = rotary(&fields, alike.head_dim)?;
        // Unsaid it is true to transformers, which has no `rope`, and false to llm-foundry, which has.
        let alibi = match fields.flag_or("alibi", rotary.is_none())? {
            true => Some(Alibi::Exact(alibi_slopes(count, fields.number_or("alibi_bias_max", ALIBI_BIAS_MAX)?))),
            false => None,
        };
        if alibi.is_some() && rotary.is_some() {
            return Err(fields.wrong("rope", &json!(true), "`alibi` tells the positions already"));
        }
        let form = Form::scaled(alike.head_dim);
        Ok(Attention {
            heads: with_key_heads(&fields, alike)?,
            form: Form { scale: fields.number_or("softmax_scale", form.scale)?, alibi, ..form },
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
