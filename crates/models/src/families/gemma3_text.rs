//! Gemma 3 (Kamath et al. 2025) without its eyes, as in Hugging Face's `Gemma3ForCausalLM`: Gemma 2 with norms of each head's queries and
//! keys in place of soft-capped scores, more layers with a window, and another rotary embedding for those.

use serde_json::Value;

use crate::config::{COUNT_MAX, Fields, Result};
use crate::decoder::{QueryKeyNorm, SelfAttention, Usual, decoder_keys};
use crate::family::Entry;
use crate::rope::{Rotary, refuse_partial};

use super::gemma2::{Gemma, UsualGemma};

pub(crate) const ENTRY: Entry = Entry {
    model_type: "gemma3_text",
    architecture: "Gemma3ForCausalLM",
    restrictions: &["use_bidirectional_attention", "attn_logit_softcapping"],
    keys: decoder_keys!(
        "hidden_activation",
        "attention_bias",
        "query_pre_attn_scalar",
        "sliding_window",
        "sliding_window_pattern",
        "layer_types",
        "rope_local_base_freq",
        "attn_logit_softcapping",
        "final_logit_softcapping",
        "use_bidirectional_attention",
    ),
    dropout: &["attention_dropout"],
    read: |fields| Ok(Box::new(read(fields)?)),
};

const USUAL: UsualGemma = UsualGemma {
    decoder: Usual { max_position_embeddings: 131_072, rms_norm_eps: 1e-6, tie_word_embeddings: true },
    attn_logit_softcapping: None,
    final_logit_softcapping: None,
};
/// From one layer that sees all positions to the next.
const USUAL_PATTERN: usize = 6;
const USUAL_THETA: f64 = 1_000_000.0;
const USUAL_LOCAL_THETA: f64 = 10_000.0;

fn read(fields: &Fields<'_>) -> Result<Gemma> {
    fields.expect("attn_logit_softcapping", &Value::Null)?;
    let pattern = fields.size_or("sliding_window_pattern", COUNT_MAX, USUAL_PATTERN)?;
    let rotary = rotary(fields, Gemma::heads(fields)?.head_dim)?;
    let gemma = Gemma::read(fields, USUAL, rotary, |layer| (layer + 1) % pattern != 0)?;
    let attention = SelfAttention { norm: QueryKeyNorm::Heads(gemma.decoder.norm), ..gemma.attention };
    Ok(Gemma { attention, ..gemma })
}

/// Of layers that see all positions, and of those with a window. transformers 5 writes them apart, under the names that `layer_types` has;
/// before, `rope_theta` and `rope_scaling` were the first's.
fn rotary(fields: &Fields<'_>, head_dim: usize) -> Result<Vec<Rotary>> {
    let apart = fields.object("rope_parameters")?;
    let part = |name| apart.map_or(Ok(None), |apart| apart.object(name));
    if let (Some(_), Some(again)) = (fields.object("rope_scaling")?, fields.get("rope_parameters")) {
        return Err(fields.wrong("rope_parameters", again, "it stands in place of `rope_scaling`, which is there too"));
    }
    if let Some(apart) = apart
        && let Some((key, value)) = apart.other_than(&["full_attention", "sliding_attention"])
    {
        return Err(apart.wrong(key, value, "what it says should be said of full_attention and of sliding_attention"));
    }
    let scaling = match fields.object("rope_scaling")? {
        None => part("full_attention")?,
        scaling => scaling,
    };
    for parameters in [Some(*fields), scaling, part("sliding_attention")?].iter().flatten() {
        refuse_partial(parameters)?;
    }
    let full = Rotary::of_parameters(fields, scaling, ("rope_theta", USUAL_THETA), head_dim)?;
    let local = part("sliding_attention")?;
    let local = Rotary::of_parameters(fields, local, ("rope_local_base_freq", USUAL_LOCAL_THETA), head_dim)?;
    Ok(vec![full, local])
}
