//! Decoders of Llama's kind (Touvron et al. 2023), and what their layers are made of. What a family does in its own way is in its file.

use graph::{Axis, Init, Tensor};
use serde_json::Value;

use crate::activation::Activation;
use crate::attention::Form;
use crate::config::{COUNT_MAX, Fields, POSITIONS_MAX, Result, WIDTH_MAX};
use crate::family::{Emitted, Family, Head, Layers, Sizes};
use crate::heads::Heads;
use crate::layers::{RmsNorm, gated_linear, linear, linear_each};
use crate::pass::{LayerPass, Tokens};
use crate::rope::Rotary;
use crate::{Scope, part};

/// What stands before and behind the layers, and what all of them have in common.
#[derive(Clone, Debug)]
pub(crate) struct Decoder {
    pub(crate) sizes: Sizes,
    /// The number of each layer's kind.
    pub(crate) kinds: Vec<usize>,
    pub(crate) rotary: Vec<Rotary>,
    pub(crate) norm: RmsNorm,
    /// What embeddings are multiplied with.
    pub(crate) embedding_scale: f64,
    pub(crate) final_logit_softcapping: Option<f64>,
    pub(crate) tie_word_embeddings: bool,
    pub(crate) initializer_range: f64,
}

/// What a family takes for said where `config.json` does not say it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Usual {
    pub(crate) max_position_embeddings: usize,
    pub(crate) rms_norm_eps: f64,
    pub(crate) tie_word_embeddings: bool,
}

impl Decoder {
    /// Layers that are all alike, with norms as Llama has them.
    pub(crate) fn read(fields: &Fields<'_>, usual: Usual, rotary: Vec<Rotary>) -> Result<Decoder> {
        let sizes = Sizes::read(fields, usual.max_position_embeddings)?;
        Ok(Decoder {
            sizes,
            kinds: vec![0; sizes.num_hidden_layers],
            rotary,
            norm: RmsNorm::new(fields.number_or("rms_norm_eps", usual.rms_norm_eps)?),
            embedding_scale: 1.0,
            final_logit_softcapping: None,
            tie_word_embeddings: fields.flag_or("tie_word_embeddings", usual.tie_word_embeddings)?,
            initializer_range: fields.number_or("initializer_range", 0.02)?,
        })
    }

    pub(crate) fn init(&self) -> Init {
        Init::Normal(self.initializer_range)
    }

    fn embed<'g>(&self, scope: &Scope<'g>, tokens: Tokens<'g>) -> Tensor<'g> {
        let axes = [Axis::new("vocab", self.sizes.vocab_size), Axis::new("embed", self.sizes.hidden_size)];
        let scope = scope.at("model.embed_tokens");
        let _named = scope.named(part::EMBEDDING);
        let weight = scope.param("weight", &axes, Init::Normal(self.initializer_range));
        let x = weight.take("vocab", tokens.ids);
        if self.embedding_scale == 1.0 { x } else { x * self.embedding_scale }
    }

    fn head(&self) -> Head {
        let head = Head::lm_head(self.tie_word_embeddings, "model.embed_tokens", self.initializer_range);
        Head { softcap: self.final_logit_softcapping, ..head }
    }
}

/// The keys of `config.json` that every decoder of this kind reads, and more.
macro_rules! decoder_keys {
    ($($more:literal),* $(,)?) => {
        &[
            "vocab_size",
            "hidden_size",
            "intermediate_size",
            "num_hidden_layers",
            "num_attention_heads",
            "num_key_value_heads",
            "head_dim",
            "max_position_embeddings",
            "rms_norm_eps",
            "rope_theta",
            "rope_scaling",
            "rope_parameters",
            "tie_word_embeddings",
            "initializer_range",
            $($more),*
        ]
    };
}
pub(crate) use decoder_keys;

/// A family of such decoders: what is its own.
pub(crate) trait DecoderFamily: std::fmt::Debug + Send + Sync {
    /// What it has in common with others.
    fn decoder(&self) -> &Decoder;

    /// As [`Family::layer`].
    fn layer<'g>(&self, scope: &Scope<'g>, kind: usize, x: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g>;

    /// As [`Family::first_norm`].
    fn first_norm(&self) -> Option<(&'static str, RmsNorm)> {
        Some(("input_layernorm", self.decoder().norm))
    }

    /// As [`Family::longest_continued`].
    fn longest_continued(&self) -> Option<usize> {
        None
    }

    /// As [`Family::auxiliary_loss`].
    fn auxiliary_loss<'g>(&self, _emitted: &Emitted<'g>) -> Option<Tensor<'g>> {
        None
    }

    /// As [`Family::has_auxiliary_loss`].
    fn has_auxiliary_loss(&self) -> bool {
        false
    }
}

impl<F: DecoderFamily> Family for F {
    fn sizes(&self) -> Sizes {
        self.decoder().sizes
    }

    fn layers(&self) -> Layers {
        Layers { path: "model.layers", kinds: self.decoder().kinds.clone() }
    }

    fn rotary(&self) -> Vec<Rotary> {
        self.decoder().rotary.clone()
    }

    fn longest_continued(&self) -> Option<usize> {
        DecoderFamily::longest_continued(self)
    }

    fn embed<'g>(&self, scope: &Scope<'g>, tokens: Tokens<'g>) -> Tensor<'g> {
        self.decoder().embed(scope, tokens)
    }

    fn layer<'g>(&self, scope: &Scope<'g>, kind: usize, x: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g> {
        DecoderFamily::layer(self, scope, kind, x, pass)
    }

    fn first_norm(&self) -> Option<(&'static str, RmsNorm)> {
        DecoderFamily::first_norm(self)
    }

    fn norm<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>) -> Tensor<'g> {
        self.decoder().norm.apply(&scope.at("model.norm"), x, "embed")
    }

    fn head(&self) -> Head {
        self.decoder().head()
    }

    fn auxiliary_loss<'g>(&self, emitted: &Emitted<'g>) -> Option<Tensor<'g>> {
        DecoderFamily::auxiliary_loss(self, emitted)
    }

    fn has_auxiliary_loss(&self) -> bool {
        DecoderFamily::has_auxiliary_loss(self)
    }
}

/// Which of attention's projections have biases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Biases {
    None,
    /// Those of queries, keys and values (Qwen2).
    Inputs,
    All,
}

impl Biases {
    /// All of them or none.
    pub(crate) fn all_if(condition: bool) -> Biases {
        if condition { Biases::All } else { Biases::None }
    }
}

/// What is normalised of queries and keys before they are rotated (Henry et al. 2020), by `q_norm` and `k_norm`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum QueryKeyNorm {
    None,
    /// Each head by itself, all with the same weights.
    Heads(RmsNorm),
    /// All heads side by side.
    Width(RmsNorm),
}

/// How layers of a kind attend.
#[derive(Clone, Debug)]
pub(crate) struct Attending {
    pub(crate) form: Form,
    /// Of the model's rotary embeddings.
    pub(crate) rotation: usize,
}

/// Attention of grouped queries, rotated.
#[derive(Clone, Debug)]
pub(crate) struct SelfAttention {
    pub(crate) heads: Heads,
    pub(crate) biases: Biases,
    pub(crate) norm: QueryKeyNorm,
    /// For each kind of layer.
    pub(crate) kinds: Vec<Attending>,
    pub(crate) init: Init,
}

impl SelfAttention {
    /// As Llama's, for layers that see all positions before them or the last of them, a kind for each of `windows`.
    pub(crate) fn new(heads: Heads, windows: &[Option<usize>], init: Init) -> SelfAttention {
        let form = Form::scaled(heads.head_dim);
        let attending =
            |window: &Option<usize>| Attending { form: Form { window: *window, ..form.clone() }, rotation: 0 };
        let kinds = windows.iter().map(attending).collect();
        SelfAttention { heads, biases: Biases::None, norm: QueryKeyNorm::None, kinds, init }
    }

    /// In a layer of that kind, with `q_proj`, `k_proj`, `v_proj` and `o_proj`; (…, embed) both ways.
    pub(crate) fn apply<'g>(
        &self,
        scope: &Scope<'g>,
        kind: usize,
        x: Tensor<'g>,
        pass: &mut LayerPass<'_, 'g>,
    ) -> Tensor<'g> {
        let _named = scope.named(part::PROJECTIONS);
        let heads = &self.heads;
        let bias = self.biases != Biases::None;
        let projections = [("q_proj", heads.queries()), ("k_proj", heads.keys()), ("v_proj", heads.keys())];
        let [q, k, v] = linear_each(scope, x, projections, bias, self.init);
        let (q, k) = match self.norm {
            QueryKeyNorm::Width(norm) => {
                (norm.apply(&scope.child("q_norm"), q, "queries"), norm.apply(&scope.child("k_norm"), k, "keys"))
            }
            QueryKeyNorm::None | QueryKeyNorm::Heads(_) => (q, k),
        };
        let out = self.attend(scope, kind, [heads.split_queries(q), heads.split_keys(k), heads.split_keys(v)], pass);
        let bias = self.biases == Biases::All;
        linear(&scope.child("o_proj"), out, heads.queries(), x.axis("embed"), bias, self.init)
    }

    /// The same with the projections of queries, keys and values in one, `qkv_proj`.
    pub(crate) fn apply_fused<'g>(
        &self,
        scope: &Scope<'g>,
        kind: usize,
        x: Tensor<'g>,
        pass: &mut LayerPass<'_, 'g>,
    ) -> Tensor<'g> {
        let _named = scope.named(part::PROJECTIONS);
        let (heads, embed) = (&self.heads, x.axis("embed"));
        let fused = linear(&scope.child("qkv_proj"), x, embed, heads.fused(), self.biases != Biases::None, self.init);
        let out = self.attend(scope, kind, heads.split_fused(fused), pass);
        linear(&scope.child("o_proj"), out, heads.queries(), embed, self.biases == Biases::All, self.init)
    }

    /// From heads of queries, keys and values to the features of `queries`.
    fn attend<'g>(
        &self,
        scope: &Scope<'g>,
        kind: usize,
        [q, k, v]: [Tensor<'g>; 3],
        pass: &mut LayerPass<'_, 'g>,
    ) -> Tensor<'g> {
        let _named = scope.named(part::ATTENTION);
        let (q, k) = match self.norm {
            QueryKeyNorm::Heads(norm) => {
                (norm.apply(&scope.child("q_norm"), q, "head_dim"), norm.apply(&scope.child("k_norm"), k, "head_dim"))
            }
            QueryKeyNorm::None | QueryKeyNorm::Width(_) => (q, k),
        };
        let Attending { form, rotation } = &self.kinds[kind];
        let rotation = pass.rotation(*rotation);
        self.heads.merge(pass.attend(scope, Some(rotation), [q, k, v], form))
    }
}

/// A gated linear unit (Shazeer 2020) and a projection back: `W_down (act(W_gate x) * W_up x)`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GatedMlp {
    pub(crate) intermediate_size: usize,
    pub(crate) activation: Activation,
    pub(crate) bias: bool,
    pub(crate) init: Init,
}

impl GatedMlp {
    /// By the keys `intermediate_size` and `hidden_act`, without biases.
    pub(crate) fn read(fields: &Fields<'_>, init: Init) -> Result<GatedMlp> {
        GatedMlp::read_as(fields, "hidden_act", Activation::Silu, init)
    }

    /// The same where the key of the activation is another, `usual` if it is absent.
    pub(crate) fn read_as(fields: &Fields<'_>, key: &str, usual: Activation, init: Init) -> Result<GatedMlp> {
        let activation = Activation::read(fields, key, usual)?;
        Ok(GatedMlp { intermediate_size: fields.size("intermediate_size", WIDTH_MAX)?, activation, bias: false, init })
    }

    /// With `gate_proj`, `up_proj` and `down_proj`; (…, embed) both ways.
    pub(crate) fn apply<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>) -> Tensor<'g> {
        let _named = scope.named(part::MLP);
        let mlp = Axis::new("mlp", self.intermediate_size);
        let hidden = self.gated_at_once(scope, x, mlp).unwrap_or_else(|| {
            let [gate, up] = linear_each(scope, x, [("gate_proj", mlp), ("up_proj", mlp)], self.bias, self.init);
            self.activation.apply(gate) * up
        });
        self.down(scope, hidden, x.axis("embed"))
    }

    fn gated_at_once<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>, mlp: Axis) -> Option<Tensor<'g>> {
        let is_plain = self.activation == Activation::Silu && !self.bias;
        is_plain.then(|| gated_linear(scope, x, ["gate_proj", "up_proj"], mlp, self.init)).flatten()
    }

    /// The same with both projections up in one, `gate_up_proj`.
    pub(crate) fn apply_fused<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>) -> Tensor<'g> {
        let _named = scope.named(part::MLP);
        let width = self.intermediate_size;
        let both = Axis::new("gate_up", 2 * width);
        let both = linear(&scope.child("gate_up_proj"), x, x.axis("embed"), both, self.bias, self.init);
        let [gate, up] = [0, width].map(|start| both.slice("gate_up", start, width).rename("gate_up", "mlp"));
        self.down(scope, self.activation.apply(gate) * up, x.axis("embed"))
    }

    fn down<'g>(&self, scope: &Scope<'g>, hidden: Tensor<'g>, embed: Axis) -> Tensor<'g> {
        linear(&scope.child("down_proj"), hidden, hidden.axis("mlp"), embed, self.bias, self.init)
    }
}

/// A decoder with Llama's layers: attention and a gated MLP, each behind a norm.
#[derive(Clone, Debug)]
pub(crate) struct DenseDecoder {
    pub(crate) decoder: Decoder,
    pub(crate) attention: SelfAttention,
    pub(crate) mlp: GatedMlp,
}

impl DecoderFamily for DenseDecoder {
    fn decoder(&self) -> &Decoder {
        &self.decoder
    }

    fn layer<'g>(&self, scope: &Scope<'g>, kind: usize, x: Tensor<'g>, pass: &mut LayerPass<'_, 'g>) -> Tensor<'g> {
        let norm = |name, x| self.decoder.norm.apply(&scope.child(name), x, "embed");
        let attended = self.attention.apply(&scope.child("self_attn"), kind, norm("input_layernorm", x), pass);
        let x = scope.sum(x, attended);
        scope.sum(x, self.mlp.apply(&scope.child("mlp"), norm("post_attention_layernorm", x)))
    }
}

/// Which layers see a window, and which all positions before them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Windows {
    /// The number of each layer's kind.
    pub(crate) kinds: Vec<usize>,
    /// The window of each kind of layer.
    pub(crate) of_kinds: Vec<Option<usize>>,
}

impl Windows {
    /// The number of the kind of layers that see all, and of those that see `sliding_window` positions.
    pub(crate) const FULL: usize = 0;
    pub(crate) const SLIDING: usize = 1;

    /// By the key `layer_types`, or where that is absent by whether `sliding` holds for a layer's number. `window` is that of the sliding
    /// ones, by the key `sliding_window`.
    pub(crate) fn by_layer_types(
        fields: &Fields<'_>,
        layers: usize,
        window: Option<usize>,
        sliding: impl Fn(usize) -> bool,
    ) -> Result<Windows> {
        let kinds = match fields.get("layer_types") {
            None => (0..layers).map(|layer| if sliding(layer) { Windows::SLIDING } else { Windows::FULL }).collect(),
            Some(types) => kinds(types).filter(|kinds| kinds.len() == layers).ok_or_else(|| {
                let rule = format!("it should be a list of {layers} times full_attention or sliding_attention");
                fields.wrong("layer_types", types, &rule)
            })?,
        };
        match window {
            None if kinds.contains(&Windows::SLIDING) => Err(fields.wrong(
                "sliding_window",
                fields.get("sliding_window").unwrap_or(&Value::Null),
                "`layer_types` has sliding_attention, which needs a window, and `use_sliding_window` where the family has that key",
            )),
            _ => Ok(Windows { kinds, of_kinds: vec![None, window] }),
        }
    }

    /// By the keys that Qwen's models have: with `use_sliding_window` all layers from `max_window_layers` on, or those that `layer_types`
    /// names, see `sliding_window` positions.
    pub(crate) fn of_upper_layers(fields: &Fields<'_>, layers: usize) -> Result<Windows> {
        let window = fields.nullable_size_or("sliding_window", POSITIONS_MAX, Some(4096))?;
        let window = if fields.flag("use_sliding_window")? { window } else { None };
        let full = match fields.get("max_window_layers") {
            // A size is never 0, but all layers may have windows.
            Some(none) if none.as_u64() == Some(0) => 0,
            _ => fields.size_or("max_window_layers", COUNT_MAX, 28)?,
        };
        Windows::by_layer_types(fields, layers, window, |layer| window.is_some() && layer >= full)
    }
}

fn kinds(layer_types: &Value) -> Option<Vec<usize>> {
    let kind = |layer_type: &Value| match layer_type.as_str()? {
        "full_attention" => Some(Windows::FULL),
        "sliding_attention" => Some(Windows::SLIDING),
        _ => None,
    };
    layer_types.as_array()?.iter().map(kind).collect()
}
