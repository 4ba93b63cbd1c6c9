//! Qwen3's mixtures of experts (Yang et al. 2025, "Qwen3 Technical Report"), as in Hugging Face's `Qwen3MoeForCausalLM`. Of its layers some
//! may have an ordinary MLP.

use graph::Tensor;

use crate::Scope;
use crate::config::{COUNT_MAX, Fields, POSITIONS_MAX, Result};
use crate::decoder::{Biases, Decoder, DecoderFamily, GatedMlp, QueryKeyNorm, SelfAttention, Usual, decoder_keys};
use crate::experts::{Experts, Mixed};
use crate::family::{Emitted, Entry};
use crate::heads::Heads;
use crate::pass::LayerPass;
use crate::rope::Rotary;

pub(crate) const ENTRY: Entry = Entry {
    model_type: "qwen3_moe",
    architecture: "Qwen3MoeForCausalLM",
    restrictions: &[],
    keys: decoder_keys!(
        "hidden_act",
        "attention_bias",
        "use_sliding_window",
        "sliding_window",
        "moe_intermediate_size",
        "num_experts",
        "num_local_experts",
        "num_experts_per_tok",
        "norm_topk_prob",
        "decoder_sparse_step",
        "mlp_only_layers",
        "router_aux_loss_coef",
    ),
    dropout: &["attention_dropout"],
    read: |fields| Ok(Box::new(Qwen3Moe::read(fields)?)),
};

const USUAL: Usual = Usual { max_position_embeddings: 32_768, rms_norm_eps: 1e-6, tie_word_embeddings: false };
const USUAL_KV_HEADS: usize = 4;
const USUAL_WINDOW: usize = 4096;
const USUAL_EXPERTS: Mixed = Mixed { count: 128, chosen: 8 };

/// The kinds of layers.
const SPARSE: usize = 0;
const DENSE: usize = 1;

#[derive(Clone, Debug)]
struct Qwen3Moe {
    decoder: Decoder,
    attention: SelfAttention,
    experts: Experts,
    mlp: GatedMlp,
}

impl Qwen3Moe {
    fn read(fields: &Fields<'_>) -> Result<Qwen3Moe> {
        let heads = Heads::read_or(fields, Some(USUAL_KV_HEADS), None)?;
        let decoder = Decoder::read(fields, USUAL, vec![Rotary::read_whole(fields, heads.head_dim)?])?;
        let decoder = Decoder { kinds: kinds(fields, decoder.sizes.num_hidden_layers)?, ..decoder };
        let window = match fields.flag("use_sliding_window")? {
            true => fields.nullable_size_or("sliding_window", POSITIONS_MAX, Some(USUAL_WINDOW))?,
            false => None,
        };
        let attention = SelfAttention {
            biases: Biases::all_if(fields.flag("attention_bias")?),
            norm: QueryKeyNorm::Heads(decoder.norm),
            ..SelfAttention::new(heads, &[window; 2], decoder.init())
        };
        let experts = Experts::read(fields, decoder.sizes, "moe_intermediate_size", USUAL_EXPERTS, decoder.init())?;
        let experts = Experts { norm_topk_prob: fields.flag("norm_topk_prob")?, ..experts };
        let mlp = GatedMlp::read(fields, decoder.init())?;
        Ok(Qwen3Moe { decoder, attention, experts, mlp })
    }
}

/// Every `decoder_sparse_step`th layer has experts, unless it is among `mlp_only_layers`.
fn kinds(fields: &Fields<'_>, layers: usize) -> Result<Vec<usize>> {
    let step = fields.size_or("decoder_sparse_step", COUNT_MAX, 1)?;
    let dense = fields.numbers("mlp_only_layers")?;
    let is_sparse = |layer: &usize| (layer + 1).is_multiple_of(step) && !dense.contains(layer);
    Ok((0..layers).map(|layer| if is_sparse(&layer) { SPARSE } else { DENSE }).collect())
}

impl DecoderFamily for Qwen3Moe {
    fn decoder(&self) -> &Decoder {
        &self.decoder
    }

    fn layer<'g>(&self, scope: &Scope<'g>, kind: usize, x: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g> {
        let norm = |name, x| self.decoder.norm.apply(&scope.child(name), x, "embed");
        let attended = self.attention.apply(&scope.child("self_attn"), kind, norm("input_layernorm", x), pass);
        let x = scope.sum(x, attended);
        let (normal, mlp) = (norm("post_attention_layernorm", x), scope.child("mlp"));
        scope.sum(x, if kind == SPARSE { self.experts.apply(&mlp, normal, pass) } else { self.mlp.apply(&mlp, normal) })
    }

    fn auxiliary_loss<'g>(&self, emitted: &Emitted<'g>) -> Option<Tensor<'g>> {
        self.experts.auxiliary_loss(emitted)
    }

    fn has_auxiliary_loss(&self) -> bool {
        self.experts.router_aux_loss_coef > 0.0
    }
}
