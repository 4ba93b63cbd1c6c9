//! Mistral (Jiang et al. 2023), as in Hugging Face's `MistralForCausalLM`: Llama with a window.

use crate::config::{Fields, POSITIONS_MAX, Result};
use crate::decoder::{Decoder, DenseDecoder, GatedMlp, SelfAttention, Usual, decoder_keys};
use crate::family::Entry;
use crate::heads::Heads;
use crate::rope::Rotary;

pub(crate) const ENTRY: Entry = Entry {
    model_type: "mistral",
    architecture: "MistralForCausalLM",
    restrictions: &["layer_types"],
    keys: decoder_keys!("hidden_act", "sliding_window"),
    dropout: &["attention_dropout"],
    read: |fields| Ok(Box::new(read(fields)?)),
};

const USUAL: Usual = Usual { max_position_embeddings: 131_072, rms_norm_eps: 1e-6, tie_word_embeddings: false };
const USUAL_KV_HEADS: usize = 8;
const USUAL_WINDOW: usize = 4096;

fn read(fields: &Fields<'_>) -> Result<DenseDecoder> {
    if let Some(types) = fields.get("layer_types") {
        return Err(fields.wrong("layer_types", types, "all layers of Mistral are alike: `sliding_window` is for all"));
    }
    let heads = Heads::read_or(fields, Some(USUAL_KV_HEADS), None)?;
    let decoder = Decoder::read(fields, USUAL, vec![Rotary::read_whole(fields, heads.head_dim)?])?;
    let window = fields.nullable_size_or("sliding_window", POSITIONS_MAX, Some(USUAL_WINDOW))?;
    let attention = SelfAttention::new(heads, &[window], decoder.init());
    let mlp = GatedMlp::read(fields, decoder.init())?;
    Ok(DenseDecoder { decoder, attention, mlp })
}
