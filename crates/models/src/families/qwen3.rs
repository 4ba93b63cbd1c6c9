//! Qwen3 (Yang et al. 2025), as in Hugging Face's `Qwen3ForCausalLM`: Llama with norms of each head's queries and keys.

use crate::config::{Fields, Result};
use crate::decoder::{
    Biases, Decoder, DenseDecoder, GatedMlp, QueryKeyNorm, SelfAttention, Usual, Windows, decoder_keys,
};
use crate::family::Entry;
use crate::heads::Heads;
use crate::rope::Rotary;

pub(crate) const ENTRY: Entry = Entry {
    model_type: "qwen3",
    architecture: "Qwen3ForCausalLM",
    restrictions: &[],
    keys: decoder_keys!(
        "hidden_act",
        "attention_bias",
        "use_sliding_window",
        "sliding_window",
        "max_window_layers",
        "layer_types"
    ),
    dropout: &["attention_dropout"],
    read: |fields| Ok(Box::new(read(fields)?)),
};

const USUAL: Usual = Usual { max_position_embeddings: 32_768, rms_norm_eps: 1e-6, tie_word_embeddings: false };
const USUAL_KV_HEADS: usize = 32;
const USUAL_HEAD_DIM: usize = 128;

fn read(fields: &Fields<'_>) -> Result<DenseDecoder> {
    let heads = Heads::read_or(fields, Some(USUAL_KV_HEADS), Some(USUAL_HEAD_DIM))?;
    let decoder = Decoder::read(fields, USUAL, vec![Rotary::read_whole(fields, heads.head_dim)?])?;
    let Windows { kinds, of_kinds } = Windows::of_upper_layers(fields, decoder.sizes.num_hidden_layers)?;
    let attention = SelfAttention {
        biases: Biases::all_if(fields.flag("attention_bias")?),
        norm: QueryKeyNorm::Heads(decoder.norm),
        ..SelfAttention::new(heads, &of_kinds, decoder.init())
    };
    let mlp = GatedMlp::read(fields, decoder.init())?;
    Ok(DenseDecoder { decoder: Decoder { kinds, ..decoder }, attention, mlp })
}
