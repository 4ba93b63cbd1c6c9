//! What both Mambas have around their mixers: an embedding, a norm before each mixer and behind the last, and a head.

use std::fmt;

use graph::{Axis, Init, Tensor};
use serde_json::json;

use super::{Convolution, inner_size};
use crate::config::{COUNT_MAX, Fields, POSITIONS_MAX, Result, WIDTH_MAX};
use crate::family::{Family, Head, Layers, Sizes};
use crate::layers::{RmsNorm, rms_norm, widen};
use crate::pass::{LayerPass, Tokens};
use crate::{Scope, part};

/// Sizes and constants of both, under Hugging Face's names.
#[derive(Clone, Debug)]
pub(crate) struct Backbone {
    pub(crate) sizes: Sizes,
    /// Channels of the state space: `expand * hidden_size`.
    pub(crate) inner: usize,
    pub(crate) convolution: Convolution,
    /// Of the weight behind the scan.
    pub(crate) output_init: Init,
    pub(crate) use_bias: bool,
    residual_in_fp32: bool,
    pub(crate) layer_norm_epsilon: f64,
    tie_word_embeddings: bool,
    initializer_range: f64,
}

impl Backbone {
    /// `tied` says whether the head is the embedding where `config.json` does not.
    pub(crate) fn read(fields: &Fields<'_>, tied: bool) -> Result<Backbone> {
        fields.choice("hidden_act", &[("silu", ()), ("swish", ())], ())?;
        fields.expect("rms_norm", &json!(true))?;
        let sizes = Sizes {
            vocab_size: fields.size("vocab_size", WIDTH_MAX)?,
            hidden_size: fields.size("hidden_size", WIDTH_MAX)?,
            num_hidden_layers: fields.size("num_hidden_layers", COUNT_MAX)?,
            max_position_embeddings: POSITIONS_MAX as usize,
        };
        let inner = inner_size(fields, sizes.hidden_size)?;
        // As torch draws a linear layer's, and narrower the more layers add to the residual stream.
        let summed = if fields.flag("rescale_prenorm_residual")? { sizes.num_hidden_layers } else { 1 };
        Ok(Backbone {
            sizes,
            inner,
            convolution: Convolution::read(fields)?,
            output_init: Init::Uniform(1.0 / ((inner * summed) as f64).sqrt()),
            use_bias: fields.flag("use_bias")?,
            residual_in_fp32: fields.flag_or("residual_in_fp32", true)?,
            layer_norm_epsilon: fields.number_or("layer_norm_epsilon", 1e-5)?,
            tie_word_embeddings: fields.flag_or("tie_word_embeddings", tied)?,
            initializer_range: fields.number_or("initializer_range", 0.1)?,
        })
    }

    /// How weights are drawn that are not said to be drawn otherwise.
    pub(crate) fn init(&self) -> Init {
        Init::Normal(self.initializer_range)
    }

    /// Of what a mixer gets, rounded before.
    fn norm<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>) -> Tensor<'g> {
        let _named = scope.named(part::NORMS);
        rms_norm(scope, x.cast(scope.compute()), self.layer_norm_epsilon)
    }

    /// Of the residual stream in its own type, rounded behind.
    fn last_norm<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>) -> Tensor<'g> {
        let norm = RmsNorm::new(self.layer_norm_epsilon);
        let weight = norm.weight(scope, x.axis("embed"));
        norm.apply_with(scope, x, "embed", weight.cast(x.dtype())).cast(scope.compute())
    }
}

/// A family of such models: what its mixers compute.
pub(crate) trait MixerFamily: fmt::Debug + Send + Sync {
    /// What it has in common with others.
    fn backbone(&self) -> &Backbone;

    /// A layer's mixer, (batch, position, embed) both ways.
    fn mix<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g>;
}

/// A model of such a family.
#[derive(Clone, Debug)]
pub(crate) struct Mixers<M>(pub(crate) M);

impl<M: MixerFamily> Family for Mixers<M> {
    fn sizes(&self) -> Sizes {
        self.0.backbone().sizes
    }

    fn layers(&self) -> Layers {
        Layers::alike("backbone.layers", self.sizes().num_hidden_layers)
    }

    fn attends(&self) -> bool {
        false
    }

    /// Of these projections transformers takes the weight itself: `dt_proj` always, `out_proj` in fused kernels, whose adapters PEFT therefore
    /// refuses (`_check_lora_target_modules_mamba`).
    fn idle_in_peft(&self) -> &'static [&'static str] {
        &["dt_proj", "out_proj"]
    }

    fn embed<'g>(&self, scope: &Scope<'g>, tokens: Tokens<'g>) -> Tensor<'g> {
        let (backbone, sizes) = (self.0.backbone(), self.sizes());
        let axes = [Axis::new("vocab", sizes.vocab_size), Axis::new("embed", sizes.hidden_size)];
        let scope = scope.at("backbone.embeddings");
        let _named = scope.named(part::EMBEDDING);
        let x = scope.param("weight", &axes, backbone.init()).take("vocab", tokens.ids);
        if backbone.residual_in_fp32 { widen(x) } else { x }
    }

    fn layer<'g>(&self, scope: &Scope<'g>, _: usize, x: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g> {
        let normal = self.0.backbone().norm(&scope.child("norm"), x);
        let mixer = scope.child("mixer");
        let mixed = {
            let _named = mixer.named(part::MIXER);
            self.0.mix(&mixer, normal, pass)
        };
        x + mixed.cast(x.dtype())
    }

    fn norm<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>) -> Tensor<'g> {
        self.0.backbone().last_norm(&scope.at("backbone.norm_f"), x)
    }

    fn head(&self) -> Head {
        let backbone = self.0.backbone();
        Head::lm_head(backbone.tie_word_embeddings, "backbone.embeddings", backbone.initializer_range)
    }
}

#[cfg(test)]
mod tests {
    use graph::{DType, Graph};

    use super::*;
    use crate::{Precision, families};

    /// By the program's text: XLA may leave out a rounding that another follows.
    #[test]
    fn the_last_norm_is_of_the_residual_stream_as_it_is() {
        let config = json!({"vocab_size": 96, "hidden_size": 4, "num_hidden_layers": 2});
        let fields = Fields::of(&config).expect("it is an object");
        let family = (families::mamba::ENTRY.read)(&fields).expect("it is a model");
        let graph = Graph::new();
        let scope = Scope::root(&graph, Precision::uniform(DType::BF16), None);
        let x = graph.input("x", DType::F32, &[Axis::new("row", 3), Axis::new("embed", 4)]);
        let text = graph.lower("norm", &[("normal", family.norm(&scope, x))], &[]).expect("it can be lowered").text;
        let is_rounding = |line: &&str| line.contains("stablehlo.convert") && line.ends_with("xbf16>");
        assert_eq!(text.lines().filter(is_rounding).count(), 1, "{text}");
    }
}
