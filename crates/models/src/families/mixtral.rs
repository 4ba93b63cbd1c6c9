//! Mixtral (Jiang et al. 2024), as in Hugging Face's `MixtralForCausalLM`: Mistral's layers, with a mixture of experts for their MLP.

use graph::Tensor;

use crate::Scope;
use crate::config::{Fields, POSITIONS_MAX, Result};
use crate::decoder::{Decoder, DecoderFamily, SelfAttention, Usual, decoder_keys};
use crate::experts::{Experts, Mixed};
use crate::family::{Emitted, Entry};
use crate::heads::Heads;
use crate::pass::LayerPass;
use crate::rope::Rotary;

pub(crate) const ENTRY: Entry = Entry {
    model_type: "mixtral",
    architecture: "MixtralForCausalLM",
    restrictions: &["router_jitter_noise"],
    keys: decoder_keys!(
        "hidden_act",
        "sliding_window",
        "num_local_experts",
        "num_experts",
        "num_experts_per_tok",
        "router_aux_loss_coef",
        "router_jitter_noise",
    ),
    dropout: &["attention_dropout"],
    read: |fields| Ok(Box::new(Mixtral::read(fields)?)),
};

const USUAL: Usual = Usual { max_position_embeddings: 131_072, rms_norm_eps: 1e-5, tie_word_embeddings: false };
const USUAL_KV_HEADS: usize = 8;
const USUAL_THETA: f64 = 1e6;
const USUAL_EXPERTS: Mixed = Mixed { count: 8, chosen: 2 };

#[derive(Clone, Debug)]
struct Mixtral {
    decoder: Decoder,
    attention: SelfAttention,
    experts: Experts,
}

impl Mixtral {
    fn read(fields: &Fields<'_>) -> Result<Mixtral> {
        fields.expect_0("router_jitter_noise")?;
        let heads = Heads::read_or(fields, Some(USUAL_KV_HEADS), None)?;
        let decoder = Decoder::read(fields, USUAL, vec![Rotary::read_whole_or(fields, heads.head_dim, USUAL_THETA)?])?;
        let window = fields.optional_size("sliding_window", POSITIONS_MAX)?;
        let attention = SelfAttention::new(heads, &[window], decoder.init());
        let experts = Experts::read(fields, decoder.sizes, "intermediate_size", USUAL_EXPERTS, decoder.init())?;
        Ok(Mixtral { decoder, attention, experts: Experts { projections: ["w1", "w3", "w2"], ..experts } })
    }
}

impl DecoderFamily for Mixtral {
    fn decoder(&self) -> &Decoder {
        &self.decoder
    }

    fn layer<'g>(&self, scope: &Scope<'g>, kind: usize, x: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g> {
        let norm = |name, x| self.decoder.norm.apply(&scope.child(name), x, "embed");
        let attended = self.attention.apply(&scope.child("self_attn"), kind, norm("input_layernorm", x), pass);
        let x = scope.sum(x, attended);
        let experts = self.experts.apply(&scope.child("block_sparse_moe"), norm("post_attention_layernorm", x), pass);
        scope.sum(x, experts)
    }

    fn auxiliary_loss<'g>(&self, emitted: &Emitted<'g>) -> Option<Tensor<'g>> {
        self.experts.auxiliary_loss(emitted)
    }

    fn has_auxiliary_loss(&self) -> bool {
        self.experts.router_aux_loss_coef > 0.0
    }
}
