//! Qwen2 (Yang et al. 2024), as in Hugging Face's `Qwen2ForCausalLM`: Llama with biases in attention, and perhaps windows in upper layers.

use crate::config::{Fields, Result};
use crate::decoder::{Biases, Decoder, DenseDecoder, GatedMlp, SelfAttention, Usual, Windows, decoder_keys};
use crate::family::Entry;
use crate::heads::Heads;
use crate::rope::Rotary;

pub(crate) const ENTRY: Entry = Entry {
    model_type: "qwen2",
    architecture: "Qwen2ForCausalLM",
    restrictions: &[],
    keys: decoder_keys!("hidden_act", "use_sliding_window", "sliding_window", "max_window_layers", "layer_types"),
    dropout: &["attention_dropout"],
    read: |fields| Ok(Box::new(read(fields)?)),
};

const USUAL: Usual = Usual { max_position_embeddings: 32_768, rms_norm_eps: 1e-6, tie_word_embeddings: false };
const USUAL_KV_HEADS: usize = 32;

fn read(fields: &Fields<'_>) -> Result<DenseDecoder> {
    let heads = Heads::read_or(fields, Some(USUAL_KV_HEADS), None)?;
    let decoder = Decoder::read(fields, USUAL, vec![Rotary::read_whole(fields, heads.head_dim)?])?;
    let Windows { kinds, of_kinds } = Windows::of_upper_layers(fields, decoder.sizes.num_hidden_layers)?;
    let biases = Biases::Inputs;
    let attention = SelfAttention { biases, ..SelfAttention::new(heads, &of_kinds, decoder.init()) };
    let mlp = GatedMlp::read(fields, decoder.init())?;
    Ok(DenseDecoder { decoder: Decoder { kinds, ..decoder }, attention, mlp })
}
