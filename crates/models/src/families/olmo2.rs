//! OLMo 2 (Walsh et al. 2024), as in Hugging Face's `Olmo2ForCausalLM`: Llama with its norms behind each block, and others of all queries and
//! of all keys. What norms give is rounded behind their weights alone.

use graph::Tensor;
use kernels::NormForm;

use crate::Scope;
use crate::config::{Fields, Result};
use crate::decoder::{Biases, Decoder, DecoderFamily, GatedMlp, QueryKeyNorm, SelfAttention, Usual, decoder_keys};
use crate::family::Entry;
use crate::heads::Heads;
use crate::layers::RmsNorm;
use crate::pass::LayerPass;
use crate::rope::Rotary;

pub(crate) const ENTRY: Entry = Entry {
    model_type: "olmo2",
    architecture: "Olmo2ForCausalLM",
    restrictions: &[],
    keys: decoder_keys!("hidden_act", "attention_bias"),
    dropout: &["attention_dropout"],
    read: |fields| Ok(Box::new(Olmo2::read(fields)?)),
};

const USUAL: Usual = Usual { max_position_embeddings: 2048, rms_norm_eps: 1e-5, tie_word_embeddings: false };

#[derive(Clone, Debug)]
struct Olmo2 {
    decoder: Decoder,
    attention: SelfAttention,
    mlp: GatedMlp,
}

impl Olmo2 {
    fn read(fields: &Fields<'_>) -> Result<Olmo2> {
        let heads = Heads::read(fields)?;
        let decoder = Decoder::read(fields, USUAL, vec![Rotary::read_whole(fields, heads.head_dim)?])?;
        let decoder = Decoder { norm: RmsNorm { form: NormForm::Wide, ..decoder.norm }, ..decoder };
        let attention = SelfAttention {
            biases: Biases::all_if(fields.flag("attention_bias")?),
            norm: QueryKeyNorm::Width(decoder.norm),
            ..SelfAttention::new(heads, &[None], decoder.init())
        };
        let mlp = GatedMlp::read(fields, decoder.init())?;
        Ok(Olmo2 { decoder, attention, mlp })
    }
}

impl DecoderFamily for Olmo2 {
    fn decoder(&self) -> &Decoder {
        &self.decoder
    }

    fn first_norm(&self) -> Option<(&'static str, RmsNorm)> {
        None
    }

    fn layer<'g>(&self, scope: &Scope<'g>, kind: usize, x: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g> {
        let norm = |name, x| self.decoder.norm.apply(&scope.child(name), x, "embed");
        let x = x + norm("post_attention_layernorm", self.attention.apply(&scope.child("self_attn"), kind, x, pass));
        x + norm("post_feedforward_layernorm", self.mlp.apply(&scope.child("mlp"), x))
    }
}
