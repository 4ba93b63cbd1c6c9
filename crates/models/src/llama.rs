//! Llama (Touvron et al. 2023; Llama 3: Grattafiori et al. 2024), as in Hugging Face's `LlamaForCausalLM`.

use graph::{Axis, DType, Graph, GraphError, Init, ParamSpec, Remat, Stack, Tensor};

use crate::attention::{Mask, TokenWidths, attention};
use crate::layers::{LinearInit, linear, rms_norm};
use crate::rope::{Rotation, frequencies};
use crate::{AttentionKernel, KvCache, Lora, Precision, Scope};

mod config;

pub use crate::rope::RopeScaling;
pub use config::{ConfigError, LlamaConfig};

/// A Llama to be traced: its configuration, and how to run it.
#[derive(Clone, Debug)]
pub struct Llama {
    /// Sizes and constants.
    pub config: LlamaConfig,
    /// Implementation of attention.
    pub attention: AttentionKernel,
    /// What the backward pass keeps of each layer.
    pub remat: Remat,
}

/// Token ids and where they stand.
#[derive(Clone, Copy)]
pub struct Tokens<'g> {
    /// Token ids, i32 (batch, position).
    pub ids: Tensor<'g>,
    /// Position in the document, i32 (batch, position).
    pub positions: Tensor<'g>,
    /// Number of the document in a packed row, i32 (batch, position), counted from 1 in each row; 0 is padding, behind the last. Tokens
    /// see only their own document. `None`: one document a row.
    pub segments: Option<Tensor<'g>>,
}

impl Llama {
    fn axes(&self) -> Axes {
        let config = &self.config;
        Axes {
            embed: Axis::new("embed", config.hidden_size),
            mlp: Axis::new("mlp", config.intermediate_size),
            queries: Axis::new("queries", config.num_attention_heads * config.head_dim),
            keys: Axis::new("keys", config.num_key_value_heads * config.head_dim),
            kv_heads: Axis::new("kv_heads", config.num_key_value_heads),
            groups: Axis::new("groups", config.num_attention_heads / config.num_key_value_heads),
            head_dim: Axis::new("head_dim", config.head_dim),
            vocab: Axis::new("vocab", config.vocab_size),
            layers: Axis::new("layers", config.num_hidden_layers),
        }
    }

    fn init(&self) -> LinearInit {
        LinearInit { standard_deviation: self.config.initializer_range }
    }

    /// The parameters that [`Llama::logits`] and [`Llama::step`] declare, in order: what loading a checkpoint reads.
    ///
    /// # Errors
    /// A configuration that no graph can be traced from.
    pub fn params(&self, precision: Precision, lora: Option<&Lora>) -> Result<Vec<ParamSpec>, GraphError> {
        let graph = Graph::new();
        let one = graph.full(0.0, DType::I32, &[Axis::new("batch", 1), Axis::new("position", 1)]);
        let scope = Scope::root(&graph, precision, lora.cloned());
        let logits = self.logits(&scope, Tokens { ids: one, positions: one, segments: None });
        graph.lower("params", &[("logits", logits)], &[])?;
        Ok(graph.params().into_iter().map(|(spec, _)| spec).collect())
    }

    /// Logits (batch, position, vocab) of whole sequences.
    pub fn logits<'g>(&self, scope: &Scope<'g>, tokens: Tokens<'g>) -> Tensor<'g> {
        let hidden = self.hidden(scope, tokens);
        self.head(scope, hidden)
    }

    /// The weight (vocab, embed) whose product with [`Llama::hidden`] is [`Llama::logits`], by its name.
    pub fn output_weight(&self) -> &'static str {
        if self.config.tie_word_embeddings { "model.embed_tokens.weight" } else { "lm_head.weight" }
    }

    /// The last layer's output after its norm, (batch, position, embed).
    pub fn hidden<'g>(&self, scope: &Scope<'g>, tokens: Tokens<'g>) -> Tensor<'g> {
        let axes = self.axes();
        let model = scope.child("model");
        let x = self.embed(&model, tokens.ids);
        let rotation = self.rotation(tokens.positions);
        let mask = match tokens.segments {
            None => Mask::Causal,
            Some(segments) => {
                let widths = TokenWidths { queries: axes.queries.size, keys: axes.keys.size };
                Mask::within(self.attention, segments, widths)
            }
        };
        let layers = model.child("layers");
        let (carry, _) = scope.graph().scan(axes.layers, &[x], &[], self.remat.clone(), |step| {
            let layer = layers.layer(Stack::of(axes.layers), step.index);
            let x = self.layer(&layer, step.carry[0], |q, k, v| {
                let (q, k) = (rotation.apply(q), rotation.apply(k));
                let [k, v] = [k, v].map(|x| x.rename("position", "key_position"));
                attention(self.attention, q, k, v, mask)
            });
            (vec![x], vec![])
        });
        rms_norm(&model.child("norm"), carry[0], axes.embed, self.config.rms_norm_eps)
    }

    /// One step of generation: logits (batch, vocab) at the position `last` (i32) of the given tokens, whose keys and values are written
    /// into the cache from slot `start` (i32) on. `tokens.positions` are their slots, all among the first `visible`: no others are read.
    pub fn step<'g>(
        &self,
        scope: &Scope<'g>,
        tokens: Tokens<'g>,
        start: Tensor<'g>,
        last: Tensor<'g>,
        cache: KvCache<'g>,
        visible: usize,
    ) -> (Tensor<'g>, KvCache<'g>) {
        let axes = self.axes();
        let model = scope.child("model");
        let x = self.embed(&model, tokens.ids);
        let rotation = self.rotation(tokens.positions);
        let slots = scope.graph().iota(Axis::new("key_position", visible), DType::I32);
        let mask = tokens.positions.greater_equal(slots);
        let layers = model.child("layers");
        let caches = [cache.keys, cache.values];
        let (carry, caches) = scope.graph().scan(axes.layers, &[x], &caches, Remat::none(), |step| {
            let layer = layers.layer(Stack::of(axes.layers), step.index);
            let mut next = step.slices.to_vec();
            let x = self.layer(&layer, step.carry[0], |q, k, v| {
                let (q, k) = (rotation.apply(q), rotation.apply(k));
                next = [(step.slices[0], k), (step.slices[1], v)]
                    .map(|(cache, new)| write_cache(cache, new, start))
                    .into();
                let read = |cache: Tensor<'g>| cache.slice("key_position", 0, visible);
                attention(self.attention, q, read(next[0]), read(next[1]), Mask::Where(mask))
            });
            (vec![x], next)
        });
        let x = carry[0].dynamic_slice(&[("position", last, 1)]).merge(&["batch", "position"], "batch");
        let x = rms_norm(&model.child("norm"), x, axes.embed, self.config.rms_norm_eps);
        (self.head(scope, x), KvCache { keys: caches[0], values: caches[1] })
    }

    /// Declares the cache for `batch` sequences of up to `slots` tokens as the inputs that [`Llama::cache_specs`] describe.
    pub fn cache_inputs<'g>(&self, scope: &Scope<'g>, batch: usize, slots: usize) -> KvCache<'g> {
        let [keys, values] = self.cache_specs(scope.compute(), batch, slots).map(|spec| {
            let ParamSpec { name, dtype, axes, stack, .. } = spec;
            scope.graph().stacked_input(&name, dtype, &stack, &axes)
        });
        KvCache { keys, values }
    }

    /// Keys and values of the layers of `batch` sequences of up to `slots` tokens.
    pub fn cache_specs(&self, dtype: DType, batch: usize, slots: usize) -> [ParamSpec; 2] {
        let Axes { layers, kv_heads, head_dim, .. } = self.axes();
        let axes = vec![Axis::new("batch", batch), kv_heads, Axis::new("key_position", slots), head_dim];
        ["cache.*.keys", "cache.*.values"].map(|name| ParamSpec {
            name: name.into(),
            dtype,
            axes: axes.clone(),
            stack: vec![Stack::of(layers)],
            init: Init::Zeros,
        })
    }

    fn rotation<'g>(&self, positions: Tensor<'g>) -> Rotation<'g> {
        let config = &self.config;
        Rotation::at(positions, &frequencies(config.head_dim, config.rope_theta, config.rope_scaling))
    }

    fn embed<'g>(&self, model: &Scope<'g>, ids: Tensor<'g>) -> Tensor<'g> {
        self.embedding(model).take("vocab", ids)
    }

    fn embedding<'g>(&self, model: &Scope<'g>) -> Tensor<'g> {
        let axes = self.axes();
        let init = Init::Normal(self.config.initializer_range);
        model.child("embed_tokens").param("weight", &[axes.vocab, axes.embed], init)
    }

    fn head<'g>(&self, scope: &Scope<'g>, hidden: Tensor<'g>) -> Tensor<'g> {
        let axes = self.axes();
        if self.config.tie_word_embeddings {
            return hidden.dot(self.embedding(&scope.child("model")), &["embed"]);
        }
        linear(&scope.child("lm_head"), hidden, axes.embed, axes.vocab, false, self.init())
    }

    fn layer<'g>(
        &self,
        scope: &Scope<'g>,
        x: Tensor<'g>,
        attend: impl FnOnce(Tensor<'g>, Tensor<'g>, Tensor<'g>) -> Tensor<'g>,
    ) -> Tensor<'g> {
        let embed = self.axes().embed;
        let norm = |name, x| rms_norm(&scope.child(name), x, embed, self.config.rms_norm_eps);
        let x = x + self.self_attention(&scope.child("self_attn"), norm("input_layernorm", x), attend);
        x + self.mlp(&scope.child("mlp"), norm("post_attention_layernorm", x))
    }

    fn self_attention<'g>(
        &self,
        scope: &Scope<'g>,
        x: Tensor<'g>,
        attend: impl FnOnce(Tensor<'g>, Tensor<'g>, Tensor<'g>) -> Tensor<'g>,
    ) -> Tensor<'g> {
        let axes = self.axes();
        let bias = self.config.attention_bias;
        let project = |name, output| linear(&scope.child(name), x, axes.embed, output, bias, self.init());
        let q = project("q_proj", axes.queries).split("queries", &[axes.kv_heads, axes.groups, axes.head_dim]);
        let k = project("k_proj", axes.keys).split("keys", &[axes.kv_heads, axes.head_dim]);
        let v = project("v_proj", axes.keys).split("keys", &[axes.kv_heads, axes.head_dim]);
        let out = attend(q, k, v).merge(&["kv_heads", "groups", "head_dim"], "queries");
        linear(&scope.child("o_proj"), out, axes.queries, axes.embed, bias, self.init())
    }

    /// SwiGLU (Shazeer 2020).
    fn mlp<'g>(&self, scope: &Scope<'g>, x: Tensor<'g>) -> Tensor<'g> {
        let axes = self.axes();
        let bias = self.config.mlp_bias;
        let up = |name| linear(&scope.child(name), x, axes.embed, axes.mlp, bias, self.init());
        let hidden = up("gate_proj").silu() * up("up_proj");
        linear(&scope.child("down_proj"), hidden, axes.mlp, axes.embed, bias, self.init())
    }
}

struct Axes {
    embed: Axis,
    mlp: Axis,
    /// All query heads' features, as `q_proj` gives them.
    queries: Axis,
    /// All key heads' features, as `k_proj` and `v_proj` give them.
    keys: Axis,
    kv_heads: Axis,
    groups: Axis,
    head_dim: Axis,
    vocab: Axis,
    layers: Axis,
}

/// Writes `new` (batch, position, kv_heads, head_dim) into a layer's cache from slot `start` on.
fn write_cache<'g>(cache: Tensor<'g>, new: Tensor<'g>, start: Tensor<'g>) -> Tensor<'g> {
    cache.dynamic_update(new.rename("position", "key_position"), &[("key_position", start)])
}
