//! Gemma 2 (Riviere et al. 2024), as in Hugging Face's `Gemma2ForCausalLM`: norms before and behind each block, every second layer with a
//! window, soft-capped scores and logits.

use graph::Tensor;
use kernels::NormForm;
use serde_json::json;

use crate::Scope;
use crate::activation::Activation;
use crate::attention::Form;
use crate::config::{Fields, POSITIONS_MAX, Result};
use crate::decoder::{
    Attending, Biases, Decoder, DecoderFamily, GatedMlp, SelfAttention, Usual, Windows, decoder_keys,
};
use crate::family::Entry;
use crate::heads::Heads;
use crate::layers::RmsNorm;
use crate::pass::LayerPass;
use crate::rope::Rotary;

pub(crate) const ENTRY: Entry = Entry {
    model_type: "gemma2",
    architecture: "Gemma2ForCausalLM",
    restrictions: &["use_bidirectional_attention"],
    keys: decoder_keys!(
        "hidden_activation",
        "attention_bias",
        "query_pre_attn_scalar",
        "sliding_window",
        "layer_types",
        "attn_logit_softcapping",
        "final_logit_softcapping",
        "use_bidirectional_attention",
    ),
    dropout: &["attention_dropout"],
    read: |fields| Ok(Box::new(read(fields)?)),
};

const USUAL: UsualGemma = UsualGemma {
    decoder: Usual { max_position_embeddings: 8192, rms_norm_eps: 1e-6, tie_word_embeddings: true },
    attn_logit_softcapping: Some(50.0),
    final_logit_softcapping: Some(30.0),
};
const USUAL_KV_HEADS: usize = 4;
const USUAL_HEAD_DIM: usize = 256;
const USUAL_WINDOW: usize = 4096;

fn read(fields: &Fields<'_>) -> Result<Gemma> {
    let rotary = Rotary::read_whole(fields, Gemma::heads(fields)?.head_dim)?;
    Gemma::read(fields, USUAL, vec![rotary], |layer| layer % 2 == 0)
}

/// A decoder with Gemma's layers.
#[derive(Clone, Debug)]
pub(super) struct Gemma {
    pub(super) decoder: Decoder,
    pub(super) attention: SelfAttention,
    pub(super) mlp: GatedMlp,
}

/// What a Gemma takes for said where `config.json` does not say it.
pub(super) struct UsualGemma {
    pub(super) decoder: Usual,
    pub(super) attn_logit_softcapping: Option<f64>,
    pub(super) final_logit_softcapping: Option<f64>,
}

impl Gemma {
    pub(super) fn heads(fields: &Fields<'_>) -> Result<Heads> {
        Heads::read_or(fields, Some(USUAL_KV_HEADS), Some(USUAL_HEAD_DIM))
    }

    /// Of several rotary embeddings the first is that of layers that see all positions, the second that of those with a window: the ones that
    /// `layer_types` names, or for which `sliding` holds.
    pub(super) fn read(
        fields: &Fields<'_>,
        usual: UsualGemma,
        rotary: Vec<Rotary>,
        sliding: impl Fn(usize) -> bool,
    ) -> Result<Gemma> {
        fields.expect("use_bidirectional_attention", &json!(false))?;
        let heads = Gemma::heads(fields)?;
        let form = Form {
            scale: fields.number_or("query_pre_attn_scalar", 256.0)?.powf(-0.5),
            softcap: fields.nullable_number_or("attn_logit_softcapping", usual.attn_logit_softcapping)?,
            ..Form::scaled(heads.head_dim)
        };
        let rotation = |kind| if rotary.len() == 1 { 0 } else { kind };
        let window = fields.nullable_size_or("sliding_window", POSITIONS_MAX, Some(USUAL_WINDOW))?;
        let attending = |(kind, window)| Attending { form: Form { window, ..form.clone() }, rotation: rotation(kind) };
        let attending: Vec<Attending> = [None, window].into_iter().enumerate().map(attending).collect();

        let decoder = Decoder::read(fields, usual.decoder, rotary)?;
        let decoder = Decoder {
            kinds: Windows::by_layer_types(fields, decoder.sizes.num_hidden_layers, window, sliding)?.kinds,
            norm: RmsNorm { form: NormForm::OneMore, ..decoder.norm },
            embedding_scale: (decoder.sizes.hidden_size as f64).sqrt(),
            final_logit_softcapping: fields
                .nullable_number_or("final_logit_softcapping", usual.final_logit_softcapping)?,
            ..decoder
        };
        let attention = SelfAttention {
            biases: Biases::all_if(fields.flag("attention_bias")?),
            kinds: attending,
            ..SelfAttention::new(heads, &[], decoder.init())
        };
        let mlp = GatedMlp::read_as(fields, "hidden_activation", Activation::GeluTanh, decoder.init())?;
        Ok(Gemma { decoder, attention, mlp })
    }
}

impl DecoderFamily for Gemma {
    fn decoder(&self) -> &Decoder {
        &self.decoder
    }

    fn layer<'g>(&self, scope: &Scope<'g>, kind: usize, x: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g> {
        let norm = |name, x| self.decoder.norm.apply(&scope.child(name), x, "embed");
        let attended = self.attention.apply(&scope.child("self_attn"), kind, norm("input_layernorm", x), pass);
        let x = scope.sum(x, norm("post_attention_layernorm", attended));
        let transformed = self.mlp.apply(&scope.child("mlp"), norm("pre_feedforward_layernorm", x));
        scope.sum(x, norm("post_feedforward_layernorm", transformed))
    }
}
