//! A language model of any family, as everyone but its family knows it.

use std::collections::BTreeMap;
use std::sync::Arc;

use graph::{Axis, DType, Graph, GraphError, Init, ParamSpec, Remat, Stack, Tensor};
use serde_json::{Map, Value, json};

use crate::attention::kernel_takes;
use crate::config::{ConfigError, Fields, POSITIONS_MAX};
use crate::family::{Beyond, Emitted, Entry, FAMILIES, Family, Head, Sizes};
use crate::journal::{Anatomy, AttentionModule, Gates, LinearModule, layers_axis};
use crate::layers::{RmsNorm, linear};
use crate::loss::Projection;
use crate::pass::{LayerPass, Pass, Tokens};
use crate::ragged::{Ragged, RaggedPart, StateSize};
use crate::rope::Rotary;
use crate::scope::{gated_outputs, packed_specs};
use crate::served::{RowAdapters, Served};
use crate::{AttentionKernels, Gpu, Lora, LoraError, LossChunk, LossForm, Losses, Precision, Scope, part};

/// A model to be traced: what its `config.json` describes, and how to run it.
#[derive(Clone, Debug)]
pub struct LanguageModel {
    family: Arc<dyn Family>,
    entry: &'static Entry,
    config: Arc<Map<String, Value>>,
    /// A number for each layer; those of one number are alike, with what is beside them.
    alike: Arc<[usize]>,
    /// Implementation of attention over whole sequences.
    pub attention: AttentionKernels,
    /// The kind of GPU by whose kernels state spaces are computed over whole sequences; `None`: in graph ops, on any backend.
    pub state_space: Option<Gpu>,
    /// The kind of GPU by whose kernels whole sequences are multiplied with experts' weights, if they are bf16 or f16; `None`: in a loop over blocks,
    /// on any backend.
    pub grouped_products: Option<Gpu>,
    /// What the backward pass keeps of each layer.
    pub remat: Remat,
    /// The kernels by which a step of one token, or of few, multiplies with weights and attends; `None`: in operations of any backend.
    pub token_kernels: Option<TokenKernels>,
    /// Whether such kernels find weights packed, too: see [`LanguageModel::packed_weights`].
    pub packed: bool,
    /// Whether steps of generation compute products with the weight as the first matrix: the CPU plugin turns the second round, which takes four times as
    /// long as the product of sixteen vectors.
    pub weights_first: bool,
    /// How keys and values lie in pages.
    pub held: Held,
}

/// How keys and values lie in pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Held {
    /// As they are computed.
    #[default]
    AsComputed,
    /// In an E4M3.
    Narrow(DType),
    /// In twelve bits, in layers whose kernels read them so ([`kernels::PackedKeys`]), on a Hopper in bf16; in others as they are computed.
    Packed,
}

/// Whether an array of a state is of packed keys or values.
fn is_packed(spec: &ParamSpec) -> bool {
    spec.dtype == DType::U16
}

/// Kernels for steps of generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKernels {
    /// Those for a kind of GPU, in bf16 or f16, which normalise too. On an H200 a weight of 4096 x 32,000 is read at 4.4 TB/s, where XLA's own products of one
    /// row reach 3.45 on average and a copy 4.2; with 64 vectors three of 4096 x 4096 at 3.5 where XLA's read them at 2.3.
    Gpu(Gpu),
    /// Those of `host_kernels`, for CPUs, in f32.
    Host,
}

/// What holds weights packed.
#[derive(Clone, Debug)]
pub struct PackedParam {
    /// The name of a weight, or those of two of which the first gates the second: these are packed as one, the outputs of both in turn.
    pub weights: Vec<String>,
    /// See [`kernels::PackedWeight`].
    pub words: ParamSpec,
    /// Those of rows.
    pub scales: ParamSpec,
}

/// What a model gives for whole sequences.
#[derive(Clone, Copy)]
pub struct Outputs<'g> {
    /// Logits (batch, position, vocab).
    pub logits: Tensor<'g>,
    /// What is added to the mean loss of the sequences while training, without axes; `None` for nothing.
    pub auxiliary_loss: Option<Tensor<'g>>,
}

impl PartialEq for LanguageModel {
    /// Whether both compute the same, however that is run.
    fn eq(&self, other: &LanguageModel) -> bool {
        // A family's description is all that it is made of.
        self.entry.model_type == other.entry.model_type && format!("{:?}", self.family) == format!("{:?}", other.family)
    }
}

impl LanguageModel {
    /// The model that a `config.json` of Hugging Face's describes, with plain attention and everything kept for the backward pass.
    ///
    /// # Errors
    /// No family has its `model_type`, or a value cannot be, or is not implemented.
    pub fn from_json(config: &Value) -> Result<LanguageModel, ConfigError> {
        let fields = Fields::of(config)?;
        let entry = entry(&fields)?;
        let family: Arc<dyn Family> = Arc::from((entry.read)(&fields)?);
        if family.attends() {
            // Whoever makes a model of embeddings from a decoder sets it, and transformers lets all tokens see each other then, of any family.
            fields.expect_if_there("is_causal", &json!(true))?;
        }
        let config = Arc::new(config.as_object().cloned().unwrap_or_default());
        let alike = Arc::from(family.layers().kinds);
        Ok(LanguageModel {
            family,
            entry,
            config,
            alike,
            attention: AttentionKernels::PLAIN,
            state_space: None,
            grouped_products: None,
            remat: Remat::none(),
            token_kernels: None,
            packed: false,
            weights_first: false,
            held: Held::default(),
        })
    }

    /// The same, of which the backward pass keeps this.
    #[must_use]
    pub fn keeping(self, remat: Remat) -> LanguageModel {
        LanguageModel { remat, ..self }
    }

    /// The same, for adapters that differ from layer to layer: one scan runs consecutive layers, or rounds of them, that have the same. So an
    /// adapter costs what it is, and its parameters are those of its files. The alternative, one scan over ranks padded to the largest, would
    /// compute, hold and update what is not there.
    #[must_use]
    pub fn beside(self, lora: Option<&Lora>) -> LanguageModel {
        let layers = self.family.layers();
        let Some(lora) = lora else { return LanguageModel { alike: Arc::from(layers.kinds), ..self } };
        let mut seen = Vec::new();
        let numbers = layers.kinds.iter().enumerate().map(|(number, kind)| {
            let layer = (kind, lora.below(&format!("{}.{number}", layers.path)));
            seen.iter().position(|other| *other == layer).unwrap_or_else(|| {
                seen.push(layer);
                seen.len() - 1
            })
        });
        let alike = numbers.collect();
        LanguageModel { alike, ..self }
    }

    /// What `model_type` may be.
    pub fn model_types() -> Vec<&'static str> {
        FAMILIES.iter().map(|entry| entry.model_type).collect()
    }

    /// Keys of an inline configuration that mean nothing to its family, each with those that would in its place. A key within an object is
    /// written with the object's: `attn_config.alibi`.
    ///
    /// # Errors
    /// No family has its `model_type`.
    pub fn unknown_keys(config: &Value) -> Result<Vec<(String, Vec<&'static str>)>, ConfigError> {
        let fields = Fields::of(config)?;
        let known = ["architectures", "model_type"].iter().chain(entry(&fields)?.keys).copied();
        let (within, own): (Vec<&'static str>, Vec<&'static str>) = known.partition(|key| key.contains('.'));
        let mut unknown = Vec::new();
        for (key, value) in config.as_object().into_iter().flatten() {
            let start = format!("{key}.");
            let inner: Vec<&'static str> = within.iter().copied().filter(|key| key.starts_with(&start)).collect();
            if !own.contains(&key.as_str()) {
                unknown.push((key.clone(), own.clone()));
            } else if !inner.is_empty() {
                let keys = value.as_object().into_iter().flat_map(Map::keys).map(|key| format!("{start}{key}"));
                let meaningless = keys.filter(|key| !inner.contains(&key.as_str()));
                unknown.extend(meaningless.map(|key| (key, inner.clone())));
            }
        }
        Ok(unknown)
    }

    /// `config.json` for a model that was made here, which transformers reads.
    pub fn to_json(&self) -> Value {
        let mut config = Map::clone(&self.config);
        config.insert("model_type".into(), json!(self.entry.model_type));
        config.insert("architectures".into(), json!([self.entry.architecture]));
        self.with_its_class(Value::Object(config))
    }

    /// A `config.json` of this model, whose `architectures` name no class of transformers that would compute something else.
    pub fn with_its_class(&self, mut config: Value) -> Value {
        if let (Some(beyond), Some(fields)) = (self.beyond_transformers(), config.as_object_mut()) {
            fields.insert("architectures".into(), json!([beyond.architecture]));
        }
        config
    }

    /// The keys of its configuration that ask for dropout while training, which is not applied, with how much.
    pub fn dropout_asked(&self) -> Vec<(&'static str, f64)> {
        let value = |key: &str| match key.split_once('.') {
            Some((object, key)) => self.config.get(object)?.get(key),
            None => self.config.get(key),
        };
        let asked = self.entry.dropout.iter().filter_map(|key| Some((*key, value(key)?.as_f64()?)));
        asked.filter(|(_, rate)| *rate > 0.0).collect()
    }

    /// What its configuration says that its class in transformers passes over, or computes otherwise.
    pub fn beyond_transformers(&self) -> Option<Beyond> {
        self.family.beyond_transformers(&Fields::of_map(&self.config))
    }

    /// Sizes that everyone asks for.
    pub fn sizes(&self) -> Sizes {
        self.family.sizes()
    }

    /// The longest sequence that the model is meant for, in tokens: its max_position_embeddings, or what its rotary embeddings stretch that to.
    /// `None` where there is no such limit.
    pub fn context(&self) -> Option<usize> {
        let stretched = self.family.rotary().iter().filter_map(Rotary::context).max();
        let longest = stretched.unwrap_or(0).max(self.sizes().max_position_embeddings);
        (longest < POSITIONS_MAX as usize).then_some(longest)
    }

    /// How the last hidden state becomes logits.
    pub fn head(&self) -> Head {
        self.family.head()
    }

    /// How many positions the model has learned, if it looks them up in a table: beyond it there are none.
    ///
    /// # Errors
    /// A configuration that no graph can be traced from.
    pub fn learned_positions(&self) -> Result<Option<usize>, GraphError> {
        let params = self.params(Precision::uniform(DType::F32), None)?;
        Ok(params.iter().flat_map(|spec| &spec.axes).find(|axis| axis.name == "positions").map(|axis| axis.size))
    }

    /// Whether what a token is computed to depends on how long its sequence is, and not only on what comes before it.
    pub fn depends_on_length(&self) -> bool {
        self.family.rotary().iter().any(Rotary::depends_on_length)
    }

    /// The longest sequence that may be continued through what steps have left: once there are more tokens, all are to be computed anew.
    /// `None` where there is no such length.
    pub fn longest_continued(&self) -> Option<usize> {
        self.family.longest_continued()
    }

    /// Whether training adds a loss of its routers, of a mixture of experts.
    pub fn has_auxiliary_loss(&self) -> bool {
        self.family.has_auxiliary_loss()
    }

    /// Its parameters and modules: those of adapters too.
    ///
    /// # Errors
    /// A configuration that no graph can be traced from.
    pub fn anatomy(&self, precision: Precision, lora: Option<&Lora>) -> Result<Anatomy, GraphError> {
        let graph = Graph::new();
        let scope = Scope::root(&graph, precision, lora.cloned());
        let logits = self.logits(&scope, one_token(&graph));
        graph.lower("anatomy", &[("logits", logits)], &[])?;
        Ok(scope.journal().take(graph.params().into_iter().map(|(spec, _)| spec).collect()))
    }

    /// The parameters, in order of declaration: what loading a checkpoint reads.
    ///
    /// # Errors
    /// A configuration that no graph can be traced from.
    pub fn params(&self, precision: Precision, lora: Option<&Lora>) -> Result<Vec<ParamSpec>, GraphError> {
        Ok(self.anatomy(precision, lora)?.params)
    }

    /// The weights that are packed where they are ([`LanguageModel::packed`]), of parameters in bf16.
    ///
    /// # Errors
    /// A configuration that no graph can be traced from.
    pub fn packed_weights(&self) -> Result<Vec<PackedParam>, GraphError> {
        let Anatomy { linear, gates, .. } = self.anatomy(Precision::uniform(DType::BF16), None)?;
        let is_alone = |module: &&LinearModule| !gates.iter().any(|gates| gates.paths.contains(&module.path));
        let alone = linear.iter().filter(is_alone).filter(|module| module.by_kernels && !module.transposed).filter_map(
            |module| {
                let [words, scales] = packed_specs(&module.weight, &module.stack, module.output, module.input)?;
                Some(PackedParam { weights: vec![module.weight.clone()], words, scales })
            },
        );
        let in_turn = gates.iter().filter_map(|Gates { paths, path, stack, input, output }| {
            let weight = |path: &String| format!("{path}.weight");
            let [words, scales] = packed_specs(&weight(path), stack, gated_outputs(*output), *input)?;
            Some(PackedParam { weights: paths.iter().map(weight).collect(), words, scales })
        });
        Ok(alone.chain(in_turn).collect())
    }

    /// The linear modules that LoRA's `all-linear` means: all but the head, and but those that PEFT refuses.
    ///
    /// # Errors
    /// A configuration that no graph can be traced from.
    pub fn linear_modules(&self) -> Result<Vec<LinearModule>, GraphError> {
        let modules = self.adaptable_modules()?.into_iter();
        Ok(modules.filter(|module| !module.is_head && !self.is_idle_in_peft(&module.path)).collect())
    }

    /// Whether PEFT refuses to load an adapter of the linear module at a path, or of that name.
    pub fn is_idle_in_peft(&self, path: &str) -> bool {
        path.rsplit('.').next().is_some_and(|name| self.family.idle_in_peft().contains(&name))
    }

    /// The linear modules that may have adapters: the head is among them where it is a module of its own.
    ///
    /// # Errors
    /// A configuration that no graph can be traced from.
    pub fn adaptable_modules(&self) -> Result<Vec<LinearModule>, GraphError> {
        Ok(self.adaptable()?.linear)
    }

    /// All that adapters choose from: the parameters, and of the linear modules those that may have adapters.
    ///
    /// # Errors
    /// A configuration that no graph can be traced from.
    pub fn adaptable(&self) -> Result<Anatomy, GraphError> {
        let mut anatomy = self.anatomy(Precision::uniform(DType::F32), None)?;
        let tied = self.head().tied;
        anatomy.linear.retain(|module| !(module.is_head && tied));
        Ok(anatomy)
    }

    /// Refuses an adapter of the output layer, by the `names` of modules that have one, where its weight is the embedding's.
    ///
    /// # Errors
    /// The first such name.
    pub fn check_tied<'n>(&self, names: impl IntoIterator<Item = &'n String>) -> Result<(), LoraError> {
        let head = self.head();
        match names.into_iter().find(|name| head.tied && *name == head.module) {
            Some(name) => Err(LoraError::Tied { path: name.clone() }),
            None => Ok(()),
        }
    }

    /// Logits of whole sequences, and what else training needs of them.
    pub fn outputs<'g>(&self, scope: &Scope<'g>, tokens: Tokens<'g>) -> Outputs<'g> {
        let (hidden, emitted) = self.trunk(scope, tokens);
        Outputs { logits: self.project(scope, hidden), auxiliary_loss: self.family.auxiliary_loss(&emitted) }
    }

    /// The losses of whole sequences for `targets` (batch, position; i32) by `weights` (batch, position; f32), and what training adds to their mean besides,
    /// without axes. Where the logits are more than `form.chunk` asks for they are there for a chunk of the tokens at a time ([`LanguageModel::logit_tokens`]).
    pub fn losses<'g>(
        &self,
        scope: &Scope<'g>,
        tokens: Tokens<'g>,
        targets: Tensor<'g>,
        weights: Tensor<'g>,
        form: LossForm,
    ) -> (Losses<'g>, Option<Tensor<'g>>) {
        let (hidden, emitted) = self.trunk(scope, tokens);
        let [batch, position] = ["batch", "position"].map(|name| hidden.axis(name));
        let parts = |axis| scope.graph().parts(axis);
        let own = (batch.size / parts(batch)) * (position.size / parts(position));
        let lora = scope.lora();
        let losses = match self.logit_tokens(own, parts(self.vocab()), hidden.dtype(), lora, form.chunk) < own {
            true => {
                let head = self.family.head();
                let scope = scope.at(head.path);
                let _named = scope.named(part::HEAD);
                let weight = self.head_weight(&scope, &head);
                Projection { head, weight }.by_chunks(hidden, targets, weights, form)
            }
            false => Losses::of(self.project(scope, hidden), targets, weights, form.z_loss_multiplier),
        };
        (losses, self.family.auxiliary_loss(&emitted))
    }

    /// For how many of its `own` tokens a device holds logits at once, in the type `compute`, while it takes losses. All of them where the output layer has an
    /// adapter, and where the vocabulary is in several parts: there each device has its part of the logits.
    pub fn logit_tokens(
        &self,
        own: usize,
        vocab_parts: usize,
        compute: DType,
        lora: Option<&Lora>,
        chunk: LossChunk,
    ) -> usize {
        match vocab_parts > 1 || lora.is_some_and(|lora| lora.modules.contains_key(self.head().path)) {
            true => own,
            false => chunk.tokens(own, [self.vocab().size, self.family.sizes().hidden_size], compute),
        }
    }

    /// Logits (batch, position, vocab) of whole sequences.
    pub fn logits<'g>(&self, scope: &Scope<'g>, tokens: Tokens<'g>) -> Tensor<'g> {
        self.outputs(scope, tokens).logits
    }

    /// What the head gets, (batch, position, embed).
    pub fn hidden<'g>(&self, scope: &Scope<'g>, tokens: Tokens<'g>) -> Tensor<'g> {
        self.trunk(scope, tokens).0
    }

    /// The last hidden state, and what the layers emitted.
    fn trunk<'g>(&self, scope: &Scope<'g>, tokens: Tokens<'g>) -> (Tensor<'g>, Emitted<'g>) {
        let pass =
            Pass::whole(tokens, self.attention, [self.state_space, self.grouped_products], &self.family.rotary());
        let mut x = self.family.embed(scope, tokens);
        let mut emitted: BTreeMap<&'static str, Vec<Tensor<'g>>> = BTreeMap::new();
        for run in self.runs() {
            let remat = self.remat.clone();
            let Traced { x: next, emitted: more, .. } = self.run_layers(scope, &run, x, &[], remat, &pass);
            x = next;
            for (name, tensor) in more {
                emitted.entry(name).or_default().push(tensor);
            }
        }
        let emitted = emitted.into_iter().map(|(name, parts)| (name, Tensor::concat(&parts, "layers"))).collect();
        (self.family.norm(scope, x), emitted)
    }

    /// The scope of a step of generation.
    fn step_scope<'g>(&self, scope: &Scope<'g>) -> Scope<'g> {
        let scope = if self.weights_first { scope.clone().with_weights_first() } else { scope.clone() };
        match self.token_kernels {
            Some(TokenKernels::Gpu(gpu)) => scope.with_token_kernels(gpu, self.packed),
            Some(TokenKernels::Host) => scope.with_host_kernels(),
            None => scope,
        }
    }

    /// One step over tokens of many texts: logits (batch, vocab) behind the last token of each row, or each where a part asks for that, and the state that the next step finds.
    /// `ids`: i32 (batch, position), in one row: part after part, in each row after row with its padding. `state` is as
    /// [`LanguageModel::ragged_state_specs`] describes it. `adapters`: those of the rows, if a row has one.
    pub fn ragged_step<'g>(
        &self,
        scope: &Scope<'g>,
        ids: Tensor<'g>,
        parts: &[RaggedPart<'g>],
        page_tokens: usize,
        state: &[Tensor<'g>],
        adapters: Option<RowAdapters<'_, 'g>>,
    ) -> (Tensor<'g>, Vec<Tensor<'g>>) {
        let (mut pieces, next) =
            self.ragged_step_in_pieces(scope, ids, parts, page_tokens, state, adapters, usize::MAX);
        (pieces.remove(0), next)
    }

    /// As [`LanguageModel::ragged_step`], with the logits in pieces of `most` rows at most, in order, so that whoever wants less of each than all logits never
    /// has them all at once.
    #[expect(clippy::too_many_arguments, reason = "those of a step, and how its logits are wanted")]
    pub fn ragged_step_in_pieces<'g>(
        &self,
        scope: &Scope<'g>,
        ids: Tensor<'g>,
        parts: &[RaggedPart<'g>],
        page_tokens: usize,
        state: &[Tensor<'g>],
        adapters: Option<RowAdapters<'_, 'g>>,
        most: usize,
    ) -> (Vec<Tensor<'g>>, Vec<Tensor<'g>>) {
        let ragged = Ragged::new(parts, page_tokens);
        let serving = |ragged: Ragged<'g>, stretches| match &adapters {
            Some(RowAdapters { pool, .. }) => {
                self.step_scope(scope).serving(Served { pool: (*pool).clone(), stretches, ragged })
            }
            None => self.step_scope(scope),
        };
        let stretches = adapters.as_ref().and_then(|adapters| adapters.stretches.clone());
        let layers = &serving(ragged.clone(), stretches.clone());
        let tokens = Tokens { ids, positions: ragged.positions(), segments: None, lengths: None };
        let pass = Pass::ragged(tokens, ragged.clone(), self.token_kernels, &self.family.rotary());
        let mut x = self.family.embed(layers, tokens);
        let mut next = Vec::new();
        for run in self.runs() {
            let traced = self.run_layers(layers, &run, x, &state[next.len()..], Remat::none(), &pass);
            x = traced.x;
            next.extend(traced.state);
        }
        let hidden = self.family.norm(&self.step_scope(scope), ragged.last(x));
        let rows = ragged.behind_count();
        // As many as are needed, of like size.
        let piece = rows.div_ceil(rows.div_ceil(most.max(1)).max(1)).max(1);
        let pieces = (0..rows).step_by(piece).map(|first| {
            let range = first..rows.min(first + piece);
            let own = stretches.as_ref().map(|stretches| vec![ragged.of_behind(stretches, range.clone())]);
            let head = serving(ragged.behind(range.clone()), own);
            let own = if range.len() == rows { hidden } else { hidden.slice("batch", range.start, range.len()) };
            self.project(&head, own)
        });
        (pieces.collect(), next)
    }

    /// What a step over tokens of many texts finds and leaves, stacked over the layers that are alike. What has an axis `page` is keys or values,
    /// (page, kv_heads, page_token, head_dim), or these packed and their scales ([`PackedKeys`]); the others sum up all tokens of a text so far, (state_slot, …).
    pub fn ragged_state_specs(&self, dtype: DType, size: StateSize) -> Vec<ParamSpec> {
        let graph = Graph::new();
        let scope = Scope::root(&graph, Precision::uniform(dtype), None);
        let pass = Pass::inquiry(one_token(&graph), &self.family.rotary(), size, self.held_in(dtype));
        self.runs().iter().flat_map(|run| self.inquire(&scope, run, &pass).concat()).collect()
    }

    /// How keys and values lie, computed in `dtype`: packed where there are kernels for that.
    pub fn held_in(&self, dtype: DType) -> Held {
        let has_kernels = dtype == DType::BF16 && self.token_kernels == Some(TokenKernels::Gpu(Gpu::Hopper));
        if self.held == Held::Packed && !has_kernels { Held::AsComputed } else { self.held }
    }

    /// Whether some layer has keys and values packed, computed in `dtype`.
    pub fn packs_cache(&self, dtype: DType) -> bool {
        let one = StateSize { slots: 1, pages: 1, page_tokens: 1 };
        self.held_in(dtype) == Held::Packed && self.ragged_state_specs(dtype, one).iter().any(is_packed)
    }

    /// Declares that state as inputs.
    pub fn ragged_state_inputs<'g>(&self, scope: &Scope<'g>, size: StateSize) -> Vec<Tensor<'g>> {
        let specs = self.ragged_state_specs(scope.compute(), size);
        specs.iter().map(|spec| scope.graph().stacked_input(&spec.name, spec.dtype, &spec.stack, &spec.axes)).collect()
    }

    /// Whether kernels attend to pages in all layers that attend, computed in `dtype`: of each text they read what it has, whatever its row has room for.
    /// Those for CPUs do so for single tokens, and not for prompts.
    pub fn attends_by_kernels(&self, dtype: DType) -> Result<bool, GraphError> {
        let takes = |module: &AttentionModule| {
            let heads = [module.kv_heads, module.heads, module.head_dim];
            kernel_takes(dtype, heads, module.has_biases)
        };
        let has_those = matches!(self.token_kernels, Some(TokenKernels::Gpu(_)));
        Ok(has_those && self.anatomy(Precision::uniform(dtype), None)?.attention.iter().all(takes))
    }

    /// How much the layers at each place of a run's rounds carry, computed in `dtype`.
    fn state_counts(&self, run: &Run, dtype: DType) -> Vec<usize> {
        let graph = Graph::new();
        let scope = Scope::root(&graph, Precision::uniform(DType::F32), None);
        let pass = Pass::inquiry(
            one_token(&graph),
            &self.family.rotary(),
            StateSize { slots: 1, pages: 1, page_tokens: 1 },
            self.held_in(dtype),
        );
        self.inquire(&scope, run, &pass).iter().map(Vec::len).collect()
    }

    /// What the layers at each place of a run's rounds carry, in the order in which they ask for it.
    fn inquire<'g>(&self, scope: &Scope<'g>, run: &Run, pass: &Pass<'g>) -> Vec<Vec<ParamSpec>> {
        let graph = scope.graph();
        let x = self.family.embed(scope, one_token(graph));
        let mut specs = Vec::new();
        graph.scan(layers_axis(run.rounds), &[x], &[], Remat::none(), |step| {
            let x = self.kinds(run).iter().enumerate().fold(step.carry[0], |x, (place, kind)| {
                let layer = scope.at(self.family.layers().path).layer(run.stack(place), step.index);
                let mut view = pass.layer(&layer, Vec::new());
                let x = self.family.layer(&layer, *kind, x, &mut view);
                specs.push(view.state());
                x
            });
            (vec![x], vec![])
        });
        specs
    }

    /// Traces the layers of a run, the first of `state` for those that carry something.
    fn run_layers<'g>(
        &self,
        scope: &Scope<'g>,
        run: &Run,
        x: Tensor<'g>,
        state: &[Tensor<'g>],
        remat: Remat,
        pass: &Pass<'g>,
    ) -> Traced<'g> {
        let counts = if state.is_empty() { vec![0; run.alike.len()] } else { self.state_counts(run, scope.compute()) };
        let state = &state[..counts.iter().sum()];
        let layers = scope.at(self.family.layers().path);
        let _named = layers.named(part::LAYERS);
        let mut names = Vec::new();
        let ahead = self.norm_ahead(&layers, run, x);
        let (mut carried, mut inputs) = (vec![x], state.to_vec());
        carried.extend(ahead.iter().map(|ahead| ahead.normal));
        inputs.extend(ahead.iter().map(|ahead| ahead.weights));
        let (carry, outputs) = scope.graph().scan(layers_axis(run.rounds), &carried, &inputs, remat, |step| {
            let (mut x, mut slices) = (step.carry[0], step.slices.iter().copied());
            let (mut after, mut emitted) = (Vec::new(), Vec::new());
            if let (Some(ahead), [x, normal]) = (&ahead, step.carry) {
                ahead.scope.know_normal(*x, *normal);
            }
            for (place, kind) in self.kinds(run).iter().enumerate() {
                let layer = layers.layer(run.stack(place), step.index);
                let _named = layer.named(None);
                let mut view: LayerPass<'_, 'g> = pass.layer(&layer, slices.by_ref().take(counts[place]).collect());
                x = self.family.layer(&layer, *kind, x, &mut view);
                let (left, given) = view.results();
                after.extend(left);
                emitted.extend(given);
            }
            names = emitted.iter().map(|(name, _)| *name).collect();
            let normal = ahead.as_ref().zip(slices.next());
            let normal = normal.map(|(ahead, weight)| ahead.norm.apply_with(&ahead.scope, x, "embed", weight));
            let carry = std::iter::once(layers.anew(x)).chain(normal).collect();
            (carry, after.into_iter().chain(emitted.into_iter().map(|(_, tensor)| tensor)).collect())
        });
        let (state, emitted) = outputs.split_at(state.len());
        Traced { x: carry[0], state: state.to_vec(), emitted: names.into_iter().zip(emitted.iter().copied()).collect() }
    }

    /// What a run's rounds hand on of the norm that the next begins with, where a kernel adds and normalises at once.
    fn norm_ahead<'g>(&self, layers: &Scope<'g>, run: &Run, x: Tensor<'g>) -> Option<Ahead<'g>> {
        let (name, norm) = self.family.first_norm()?;
        let scope = layers.stacked(run.stack(0)).child(name).handing_on();
        if run.rounds == 1 || !scope.has_token_kernels() {
            return None;
        }
        let own = norm.weight(&scope, x.axis("embed"));
        let [first, others] = [(0, 1), (1, run.rounds - 1)].map(|(start, size)| own.slice("layers", start, size));
        let weight = first.merge(&["layers", "embed"], "embed");
        let weights = Tensor::concat(&[others, first], "layers");
        let is_at_once = norm.of(x, "embed", weight).is_of_sums();
        is_at_once.then(|| Ahead { normal: norm.apply_with(&scope, x, "embed", weight), scope, norm, weights })
    }

    fn vocab(&self) -> Axis {
        Axis::new("vocab", self.family.sizes().vocab_size)
    }

    /// The weight (vocab, embed) of the output layer at `scope`, as it is held.
    fn head_weight<'g>(&self, scope: &Scope<'g>, head: &Head) -> Tensor<'g> {
        let embed = Axis::new("embed", self.family.sizes().hidden_size);
        scope.held_param("weight", &[self.vocab(), embed], Init::Normal(head.initializer_range))
    }

    fn project<'g>(&self, scope: &Scope<'g>, hidden: Tensor<'g>) -> Tensor<'g> {
        let (head, vocab) = (self.family.head(), self.vocab());
        let scope = scope.at(head.path);
        let _named = scope.named(part::HEAD);
        let embed = Axis::new("embed", self.family.sizes().hidden_size);
        let product = match head.tied {
            true => {
                let weight = scope.param("weight", &[vocab, embed], Init::Normal(head.initializer_range));
                scope.declare_packed(weight, vocab, embed);
                scope.multiply(hidden, weight, "embed")
            }
            false => {
                let init = Init::Normal(head.initializer_range);
                linear(&scope, hidden, embed, vocab, false, init)
            }
        };
        scope.journal().head(&scope, embed, vocab);
        head.finish(product)
    }

    fn runs(&self) -> Vec<Run> {
        runs(&self.alike)
    }

    /// The family's kinds of a round's layers.
    fn kinds(&self, run: &Run) -> Vec<usize> {
        self.family.layers().kinds[run.first..run.first + run.alike.len()].to_vec()
    }
}

/// The norm that each of a run's rounds begins with, computed by the one before: there what it is of is a sum that nobody has read yet.
struct Ahead<'g> {
    /// Of the module in all rounds' first layers.
    scope: Scope<'g>,
    norm: RmsNorm,
    /// What it gives for what the run begins with.
    normal: Tensor<'g>,
    /// The weights (layers, embed) of each round's next, and behind the last's those of any.
    weights: Tensor<'g>,
}

/// The layers of a run, traced.
struct Traced<'g> {
    /// The last one's output.
    x: Tensor<'g>,
    /// What they carry on, stacked over the rounds.
    state: Vec<Tensor<'g>>,
    /// What they emitted, by name, stacked over the rounds.
    emitted: Vec<(&'static str, Tensor<'g>)>,
}

/// The name that was probably meant: one that begins so, or with few letters changed.
pub(crate) fn nearest<'n>(found: &str, names: &[&'n str]) -> Option<&'n str> {
    let edits = |name: &&str| strsim::damerau_levenshtein(name, found);
    let begins = names.iter().copied().filter(|name| !found.is_empty() && name.starts_with(found)).min_by_key(edits);
    begins.or_else(|| names.iter().copied().min_by_key(edits).filter(|name| edits(name) <= name.len().div_ceil(3)))
}

/// The family that the configuration names.
fn entry(fields: &Fields<'_>) -> Result<&'static Entry, ConfigError> {
    if let Some(quantization) = fields.get("quantization_config") {
        let method = quantization.get("quant_method").and_then(Value::as_str).unwrap_or("an unknown method");
        let rule = format!("weights quantised by {method} cannot be read: give the model in 16 or 32 bits");
        return Err(fields.wrong("quantization_config", quantization, &rule));
    }
    let Some(model_type) = fields.get("model_type") else { return Err(fields.missing("model_type")) };
    FAMILIES.iter().find(|entry| model_type.as_str() == Some(entry.model_type)).ok_or_else(|| {
        let known: Vec<&str> = FAMILIES.iter().map(|entry| entry.model_type).collect();
        let meant = model_type.as_str().and_then(|found| nearest(found, &known));
        let hint = meant.map_or(String::new(), |name| format!("; did you mean \"{name}\"?"));
        let code = if fields.get("auto_map").is_some() { "; its own code (`auto_map`) is never run" } else { "" };
        fields.wrong("model_type", model_type, &format!("what runs is {}{hint}{code}", known.join(", ")))
    })
}

fn one_token(graph: &Graph) -> Tokens<'_> {
    let one = graph.full(0.0, DType::I32, &[Axis::new("batch", 1), Axis::new("position", 1)]);
    Tokens { ids: one, positions: one, segments: None, lengths: None }
}

/// Consecutive layers that one scan runs: some in a round, again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Run {
    /// The number of the first layer.
    first: usize,
    /// Which of a round's layers are alike.
    alike: Vec<usize>,
    /// How many rounds.
    rounds: usize,
}

impl Run {
    /// How many layers.
    fn layers(&self) -> usize {
        self.alike.len() * self.rounds
    }

    /// The numbers of the layers that stand at `place` in their rounds.
    fn stack(&self, place: usize) -> Stack {
        Stack { axis: layers_axis(self.rounds), first: self.first + place, step: self.alike.len() }
    }
}

/// Most layers of a round: what is traced grows with it.
const ROUND_MAX: usize = 8;

/// Covers layers, those of one number alike, with few runs: at each place the one that goes on for longest, in the shortest rounds.
fn runs(kinds: &[usize]) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut first = 0;
    while first < kinds.len() {
        let rest = &kinds[first..];
        let of = |length: usize| Run { first, alike: rest[..length].to_vec(), rounds: rounds(rest, length) };
        let repeated = (2..=ROUND_MAX.min(rest.len())).map(of).filter(|run| run.rounds > 1);
        let longest = repeated.fold(of(1), |best, run| if run.layers() > best.layers() { run } else { best });
        first += longest.layers();
        runs.push(longest);
    }
    runs
}

/// How often the first `length` layers come one after another.
fn rounds(kinds: &[usize], length: usize) -> usize {
    let again = kinds.iter().zip(&kinds[length..]).take_while(|(before, kind)| before == kind);
    1 + again.count() / length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(first: usize, kinds: &[usize], rounds: usize) -> Run {
        Run { first, alike: kinds.to_vec(), rounds }
    }

    #[test]
    fn alternating_layers_go_in_rounds_and_the_rest_by_itself() {
        assert_eq!(runs(&[0; 5]), [run(0, &[0], 5)]);
        assert_eq!(runs(&[0, 1, 0, 1]), [run(0, &[0, 1], 2)]);
        assert_eq!(runs(&[0, 0, 1, 0, 0, 1, 0, 0]), [run(0, &[0, 0, 1], 2), run(6, &[0], 2)]);
        assert_eq!(runs(&[1, 0, 0, 0, 0, 0, 0, 0, 0, 0]), [run(0, &[1], 1), run(1, &[0], 9)]);
        assert_eq!(runs(&[0]), [run(0, &[0], 1)]);
    }

    /// The layers, each with whether it has an adapter.
    fn beside_adapters(kinds: impl Iterator<Item = usize>, adapted: impl Fn(usize) -> bool) -> Vec<usize> {
        kinds.enumerate().map(|(layer, kind)| 2 * kind + usize::from(adapted(layer))).collect()
    }

    #[test]
    fn rounds_are_found_behind_a_layer_that_differs() {
        // Gemma 2's 26 layers, the first of which has an adapter.
        let gemma2 = beside_adapters((0..26).map(|layer| layer % 2), |layer| layer == 0);
        assert_eq!(runs(&gemma2), [run(0, &[1], 1), run(1, &[2, 0], 12), run(25, &[2], 1)]);
        // Gemma 3's 34, with adapters on the upper half.
        let gemma3 = beside_adapters((0..34).map(|layer| usize::from(layer % 6 == 5)), |layer| layer >= 17);
        let (lower, upper) = (run(0, &[0, 0, 0, 0, 0, 2], 2), run(17, &[3, 1, 1, 1, 1, 1], 2));
        assert_eq!(runs(&gemma3), [lower, run(12, &[0], 5), upper, run(29, &[3], 1), run(30, &[1], 4)]);
        // Experts in each second layer but one, in as many layers as a configuration may ask for.
        let mixed: Vec<usize> = (0..4096).map(|layer| usize::from(layer % 2 == 1 && layer != 1001)).collect();
        assert_eq!(
            runs(&mixed),
            [run(0, &[0, 1], 500), run(1000, &[0], 3), run(1003, &[1, 0], 1546), run(4095, &[1], 1)]
        );
    }
}
