//! Phi-3 (Abdin et al. 2024), as in Hugging Face's `Phi3ForCausalLM`: Llama with fused projections, windows and LongRoPE.

use graph::Tensor;

use crate::Scope;
use crate::config::{Fields, POSITIONS_MAX, Result};
use crate::decoder::{Decoder, DecoderFamily, GatedMlp, SelfAttention, Usual, decoder_keys};
use crate::family::Entry;
use crate::heads::Heads;
use crate::pass::LayerPass;
use crate::rope::{RopeScaling, Rotary};

pub(crate) const ENTRY: Entry = Entry {
    model_type: "phi3",
    architecture: "Phi3ForCausalLM",
    restrictions: &["rope scaling other than longrope"],
    keys: decoder_keys!("hidden_act", "sliding_window", "partial_rotary_factor", "original_max_position_embeddings"),
    dropout: &["resid_pdrop", "embd_pdrop", "attention_dropout"],
    read: |fields| Ok(Box::new(Phi3::read(fields)?)),
};

const USUAL: Usual = Usual { max_position_embeddings: 4096, rms_norm_eps: 1e-5, tie_word_embeddings: false };

#[derive(Clone, Debug)]
struct Phi3 {
    decoder: Decoder,
    attention: SelfAttention,
    mlp: GatedMlp,
    /// The longest sequence that LongRoPE takes for a short one.
    longest_short: Option<usize>,
}

impl Phi3 {
    fn read(fields: &Fields<'_>) -> Result<Phi3> {
        let heads = Heads::read(fields)?;
        let rotary =
            Rotary::read(fields, Rotary::partial_dim(fields, ("partial_rotary_factor", 1.0), heads.head_dim)?)?;
        let longest_short = match &rotary.scaling {
            RopeScaling::None => None,
            RopeScaling::LongRope { .. } => Some(fields.size("original_max_position_embeddings", POSITIONS_MAX)?),
            _ => return Err(RopeScaling::refuse(fields, "models of this type have longrope or none")),
        };
        let decoder = Decoder::read(fields, USUAL, vec![rotary])?;
        let window = fields.optional_size("sliding_window", POSITIONS_MAX)?;
        let attention = SelfAttention::new(heads, &[window], decoder.init());
        let mlp = GatedMlp::read(fields, decoder.init())?;
        Ok(Phi3 { decoder, attention, mlp, longest_short })
    }
}

impl DecoderFamily for Phi3 {
    fn decoder(&self) -> &Decoder {
        &self.decoder
    }

    /// Past it all tokens are rotated in another way, and generation begins anew.
    fn longest_continued(&self) -> Option<usize> {
        self.longest_short
    }

    fn layer<'g>(&self, scope: &Scope<'g>, kind: usize, x: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g> {
        let norm = |name, x| self.decoder.norm.apply(&scope.child(name), x, "embed");
        let attended = self.attention.apply_fused(&scope.child("self_attn"), kind, norm("input_layernorm", x), pass);
        let x = scope.sum(x, attended);
        scope.sum(x, self.mlp.apply_fused(&scope.child("mlp"), norm("post_attention_layernorm", x)))
    }
}
