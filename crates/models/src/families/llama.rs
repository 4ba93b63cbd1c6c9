//! Llama (Touvron et al. 2023; Llama 3: Grattafiori et al. 2024), as in Hugging Face's `LlamaForCausalLM`.

use crate::config::{Fields, Result};
use crate::decoder::{Biases, Decoder, DenseDecoder, GatedMlp, SelfAttention, Usual, decoder_keys};
use crate::family::Entry;
use crate::heads::Heads;
use crate::rope::Rotary;

pub(crate) const ENTRY: Entry = Entry {
    model_type: "llama",
    architecture: "LlamaForCausalLM",
    restrictions: &[],
    keys: decoder_keys!("hidden_act", "attention_bias", "mlp_bias"),
    dropout: &["attention_dropout"],
    read: |fields| Ok(Box::new(read(fields)?)),
};

const USUAL: Usual = Usual { max_position_embeddings: 2048, rms_norm_eps: 1e-6, tie_word_embeddings: false };

fn read(fields: &Fields<'_>) -> Result<DenseDecoder> {
    let heads = Heads::read(fields)?;
    let decoder = Decoder::read(fields, USUAL, vec![Rotary::read_whole(fields, heads.head_dim)?])?;
    let biases = Biases::all_if(fields.flag("attention_bias")?);
    let attention = SelfAttention { biases, ..SelfAttention::new(heads, &[None], decoder.init()) };
    let mlp = GatedMlp { bias: fields.flag("mlp_bias")?, ..GatedMlp::read(fields, decoder.init())? };
    Ok(DenseDecoder { decoder, attention, mlp })
}
