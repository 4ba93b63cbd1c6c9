//! A model's parameters on a device.

use checkpoint::ModelSource;
use graph::{DType, Graph, GraphError, ParamSpec, Partition};
use models::{Gpu, Held, LanguageModel, LayerLoop, Lora, Precision, Scope, Sizes, StateSize, TokenKernels};
use runtime::plugins::Platform;
use runtime::{Arrays, Hardware, Parameters, Session};
use serde_json::Value;

use crate::base_model::KnownAs;
use crate::batch::is_paged;
use crate::error::{Error, Result};
use crate::memory;
use crate::packing::pack;
use crate::stretches::Stretches;

/// How far loading has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadProgress {
    /// Bytes of the parameters that are on the device.
    pub bytes: u64,
    /// Bytes of all parameters.
    pub total_bytes: u64,
}

/// Bytes that what these see of packed keys and values of a layer may take.
const UNPACKED_MAX: u64 = 4 << 30;

/// A model, with its adapter if it has one, and how programs run it.
#[derive(Clone, Debug)]
pub struct ModelPlan {
    /// The model.
    pub model: LanguageModel,
    /// Its adapter.
    pub lora: Option<Lora>,
    /// In which parameters are held and computed with.
    pub dtype: DType,
    /// How the loop over layers is lowered.
    pub layers: LayerLoop,
    /// The fewest slots of a cache of keys and values.
    pub(crate) slots_min: usize,
    /// By which it is told whether an adapter is for it.
    pub(crate) known_as: KnownAs,
    /// Tokens, with their padding, of the texts whose vectors a program makes at once.
    pub embedded_tokens: usize,
    /// Bytes of keys and values that are asked for behind loading it, and tokens of a text that they are to hold: packed weights leave room for them.
    pub(crate) reserved: (u64, usize),
    /// How tensors lie on several devices; `None`: there is one.
    pub(crate) partition: Option<Partition>,
}

impl ModelPlan {
    /// A model without adapter, lowered as is best on `hardware`.
    pub fn new(mut model: LanguageModel, dtype: DType, hardware: Hardware) -> ModelPlan {
        let platform = hardware.platform;
        model.token_kernels = match (platform, hardware.compute_capability) {
            (Platform::Cpu, _) => Some(TokenKernels::Host),
            (Platform::Rocm, _) => Some(TokenKernels::Gpu(Gpu::Amd)),
            (Platform::Cuda, found) => {
                found.filter(|_| hardware.runs_gpu_kernels()).map(|found| TokenKernels::Gpu(Gpu::nvidia(found)))
            }
        };
        model.weights_first = platform == Platform::Cpu;
        model.packed = model.token_kernels == Some(TokenKernels::Gpu(Gpu::Hopper)) && dtype == DType::BF16;
        let layers = LayerLoop::unrolled_if(runtime::unrolls_layers_in_generation(model.sizes().num_hidden_layers));
        ModelPlan {
            model,
            lora: None,
            dtype,
            layers,
            slots_min: runtime::cache_slots_min(platform),
            known_as: KnownAs::default(),
            embedded_tokens: runtime::tokens_side_by_side(platform),
            reserved: (0, 0),
            partition: None,
        }
    }

    /// The model that the configurations of a folder and its adapter describe, lowered as is best on `hardware`.
    ///
    /// # Errors
    /// No family has such a configuration, or the adapter does not fit.
    pub fn of(source: &ModelSource, dtype: DType, hardware: Hardware) -> Result<ModelPlan> {
        let (model, lora) = model_of(source)?;
        let lora = lora.map(|lora| Lora { stretched: lora.dora, ..lora });
        Ok(ModelPlan { lora, known_as: KnownAs::of(source), ..ModelPlan::new(model, dtype, hardware) })
    }

    /// The same on several devices.
    #[must_use]
    pub fn on(mut self, partition: Option<Partition>) -> ModelPlan {
        // Those for CPUs compute for one device.
        self.model.token_kernels.take_if(|kernels| partition.is_some() && *kernels == TokenKernels::Host);
        // Each device would pack its part.
        self.model.packed &= partition.is_none();
        if partition.is_some() && self.model.held == Held::Packed {
            self.model.held = Held::AsComputed;
        }
        ModelPlan { partition, ..self }
    }

    /// The same, where keys and values are to have so many bytes, or as many as a text of so many tokens takes, if that is more.
    #[must_use]
    pub fn reserving(self, bytes: u64, tokens: usize) -> ModelPlan {
        ModelPlan { reserved: (bytes, tokens), ..self }
    }

    /// What keys and values are to have at least.
    pub(crate) fn bytes_reserved(&self) -> u128 {
        let (bytes, tokens) = self.reserved;
        let pages = self.slots(tokens.min(self.longest()), self.longest());
        let of_text = memory::bytes_of(&self.state_specs(StateSize { slots: 1, pages, page_tokens: 1 }), None);
        // A cache of what is free leaves a part of it.
        of_text.saturating_mul(5).div_ceil(4).max(bytes.into())
    }

    /// Whether keys and values of some layer lie in twelve bits.
    pub(crate) fn packs_cache(&self) -> bool {
        self.model.packs_cache(self.dtype)
    }

    /// The same, without weights in twelve bits beside those in bf16, which steps of few tokens read faster.
    #[must_use]
    pub fn unpacked(mut self) -> ModelPlan {
        self.model.packed = false;
        self
    }

    /// The same, with keys and values in twelve bits, in pages of whole blocks of 32 tokens: on one Hopper in bf16, in layers whose kernels read them so ([`Held::Packed`]). What `rows` of prompts see in a step is
    /// unpacked in each layer, with room for texts of `tokens` tokens: where that would take more than 4 GiB, keys and values lie as they are computed.
    ///
    /// # Errors
    /// A configuration that no graph can be traced from.
    pub fn packing_cache(mut self, rows: usize, tokens: usize) -> Result<ModelPlan> {
        self.model.held = Held::Packed;
        if self.partition.is_some() || !self.model.packs_cache(self.dtype) {
            self.model.held = Held::AsComputed;
            return Ok(self);
        }
        let attention = self.model.anatomy(Precision::uniform(self.dtype), None)?.attention;
        let of_layer = attention.iter().map(|module| 2 * module.kv_heads * module.head_dim * self.dtype.size());
        let of_token = of_layer.max().unwrap_or_default() as u64;
        let tokens = rows.saturating_mul(tokens.min(self.longest())) as u64;
        if of_token.saturating_mul(tokens) > UNPACKED_MAX {
            self.model.held = Held::AsComputed;
        }
        Ok(self)
    }

    /// The same, with keys and values in an E4M3, which takes half of what bf16 takes: what is beyond its largest number becomes that.
    ///
    /// # Errors
    /// The hardware has no 8-bit floats, or the model has no keys and values.
    pub fn holding_float8(mut self, hardware: Hardware) -> Result<ModelPlan> {
        let refuse =
            |rule: String| Error::Setting { name: "the type of keys and values", value: "fp8".to_owned(), rule };
        let kind = hardware.float8().map_err(|cause| refuse(format!("{cause}: serve it without")))?;
        let one = StateSize { slots: 1, pages: 1, page_tokens: 1 };
        if !self.state_specs(one).iter().any(is_paged) {
            return Err(refuse("this model has no keys and values: serve it without".to_owned()));
        }
        self.model.held = Held::Narrow(kind.precise());
        Ok(self)
    }

    /// Its parameters, in order of declaration.
    ///
    /// # Errors
    /// A configuration that no graph can be traced from, or a parameter that does not divide over the devices.
    pub fn params(&self) -> Result<Vec<ParamSpec>> {
        let params = self.model.params(Precision::uniform(self.dtype), self.lora.as_ref())?;
        if let Some(partition) = &self.partition {
            for spec in &params {
                partition.of_parameter(&spec.name, &spec.axes, 0).map_err(GraphError::from)?;
            }
        }
        Ok(params)
    }

    /// Without kernels, where the session's device runs none.
    fn for_devices_of(mut self, session: &Session) -> Result<ModelPlan> {
        let runs = session.runs_kernels()?;
        self.model.token_kernels.take_if(|_| !runs);
        Ok(self)
    }

    /// Refuses a model that a session's devices have no room for, with what it remembers of `texts` texts of `tokens` tokens each if there are some, before
    /// anything is made.
    ///
    /// # Errors
    /// [`Error::ModelTooLarge`], a configuration that no graph can be traced from, or a plugin that fails to read its counters.
    pub fn check_room(&self, session: &Session, texts: usize, tokens: usize) -> Result<()> {
        memory::check_model(session.memory_of_each(self.device_count())?, self, texts, tokens)
    }

    /// What it remembers of texts.
    pub(crate) fn state_specs(&self, size: StateSize) -> Vec<ParamSpec> {
        self.model.ragged_state_specs(self.dtype, size)
    }

    /// The most tokens of a text.
    pub(crate) fn longest(&self) -> usize {
        // Positions are i32.
        self.model.context().unwrap_or(i32::MAX as usize)
    }

    /// How many slots a cache for `tokens` tokens has, where no text is longer than `context`.
    pub(crate) fn slots(&self, tokens: usize, context: usize) -> usize {
        tokens.next_power_of_two().clamp(self.slots_min, context.max(self.slots_min))
    }

    /// A graph of a program.
    pub(crate) fn graph(&self) -> Graph {
        Graph::on(self.partition.clone())
    }

    /// The number of devices.
    pub fn device_count(&self) -> usize {
        self.partition.as_ref().map_or(1, |partition| partition.mesh.device_count())
    }

    /// In how many parts the work of the model goes over devices: the mesh's size along `mp`.
    pub fn model_parts(&self) -> usize {
        let axes = self.partition.iter().flat_map(|partition| partition.mesh.axes());
        axes.filter(|axis| axis.name == "mp").map(|axis| axis.size).product()
    }

    /// The root from which a program that uses these parameters declares them.
    pub(crate) fn scope<'g>(&self, graph: &'g Graph) -> Scope<'g> {
        Scope::root(graph, Precision::uniform(self.dtype), self.lora.clone())
    }
}

/// A model on the first device of a session, or on several.
pub struct Model<'s> {
    session: &'s Session,
    plan: ModelPlan,
    eos_ids: Vec<u32>,
    params: Arrays,
}

impl<'s> Model<'s> {
    /// Loads a folder's parameters, to be held and computed with in `dtype`; on a Hopper, in bf16, in twelve bits beside that, where there is room ([`ModelPlan::unpacked`]: not). Host memory holds one tensor at a time. Nothing is loaded
    /// before the files are known to hold what the configuration asks for.
    ///
    /// # Errors
    /// No family has such a configuration, the tensors are not its, the adapter does not fit, or the device has no room for it.
    pub fn load(
        session: &'s Session,
        source: &ModelSource,
        dtype: DType,
        progress: &mut dyn FnMut(LoadProgress),
    ) -> Result<Model<'s>> {
        Model::load_planned(session, source, ModelPlan::of(source, dtype, session.hardware()?)?, progress)
    }

    /// As [`Model::load`], for programs as `plan`, the folder's, says.
    ///
    /// # Errors
    /// As [`Model::load`].
    pub fn load_planned(
        session: &'s Session,
        source: &ModelSource,
        plan: ModelPlan,
        progress: &mut dyn FnMut(LoadProgress),
    ) -> Result<Model<'s>> {
        let mut plan = plan.for_devices_of(session)?;
        let eos_ids = eos_ids(source.model().config(), plan.model.sizes().vocab_size);
        let specs = plan.params()?;
        source.check(&specs)?;
        plan.check_room(session, 0, 0)?;
        if let Some(adapter) = source.adapter() {
            let folder = adapter.path().parent().unwrap_or(adapter.path());
            for misfit in plan.known_as.misfits(adapter.config()) {
                tracing::warn!("the adapter {} {misfit}", folder.display());
            }
        }
        let bytes_of =
            |spec: &ParamSpec| (spec.checkpoint_shape().iter().product::<usize>() * spec.dtype.size()) as u64;
        let total_bytes = specs.iter().map(|spec| bytes_of(spec) * spec.checkpoint_names().len() as u64).sum();
        let lora = plan.lora.as_ref().filter(|lora| lora.stretched);
        let linear = if lora.is_some() { plan.model.adaptable_modules()? } else { Vec::new() };
        let mut stretches = lora.map(|lora| Stretches::new(session, source, lora, linear, plan.dtype));
        let mut bytes = 0;
        let mut parameters = Parameters::on(session, plan.partition.as_ref());
        let mut params = Arrays::new();
        let arrays = |spec| ParamSpec::arrays(spec, plan.layers.unrolled()).into_iter().map(move |array| (spec, array));
        for (spec, array) in specs.iter().flat_map(arrays) {
            let loaded = parameters.load(&array, |name| -> Result<_> {
                let tensor = source.tensor(name)?;
                bytes += bytes_of(spec);
                progress(LoadProgress { bytes, total_bytes });
                let stretch = stretches.as_mut().map(|stretches| stretches.in_place_of(name)).transpose()?.flatten();
                Ok(stretch.unwrap_or(tensor))
            })?;
            params.insert(&array.name, loaded);
        }
        pack(session, &mut plan, &mut params);
        if plan.packs_cache() {
            tracing::info!("keys and values lie in twelve bits");
        }
        Ok(Model { session, plan, eos_ids, params })
    }

    /// A model with weights drawn from `seed`, for measurements.
    ///
    /// # Errors
    /// The device has no room for it.
    pub fn random(session: &'s Session, plan: ModelPlan, seed: u32) -> Result<Model<'s>> {
        let mut plan = plan.for_devices_of(session)?;
        plan.check_room(session, 0, 0)?;
        let mut parameters = Parameters::on(session, plan.partition.as_ref());
        let mut params = Arrays::new();
        for array in plan.params()?.iter().flat_map(|spec| spec.arrays(plan.layers.unrolled())) {
            params.insert(&array.name, parameters.init(&array, seed)?);
        }
        pack(session, &mut plan, &mut params);
        Ok(Model { session, plan, eos_ids: Vec::new(), params })
    }

    /// Sizes that everyone asks for.
    pub fn sizes(&self) -> Sizes {
        self.plan.model.sizes()
    }

    /// The longest sequence that it is meant for, in tokens; `None` where there is no such limit.
    pub fn context(&self) -> Option<usize> {
        self.plan.model.context()
    }

    /// In which parameters are held and computed with.
    pub fn dtype(&self) -> DType {
        self.plan.dtype
    }

    /// The `eos_token_id` of `config.json`: none, one or several.
    pub fn eos_ids(&self) -> &[u32] {
        &self.eos_ids
    }

    /// Checks that every token has an embedding and that the context is long enough for them.
    ///
    /// # Errors
    /// [`Error::Token`] or [`Error::Context`].
    pub fn check_tokens(&self, tokens: &[u32]) -> Result<()> {
        let Sizes { vocab_size, .. } = self.sizes();
        if let Some(&id) = tokens.iter().find(|&&id| id as usize >= vocab_size) {
            return Err(Error::Token { id, vocab_size });
        }
        match self.context() {
            Some(context) if tokens.len() > context => Err(Error::Context { tokens: tokens.len(), context }),
            _ => Ok(()),
        }
    }

    pub(crate) fn session(&self) -> &'s Session {
        self.session
    }

    /// Tokens of the longest text that it is meant for.
    pub fn longest(&self) -> usize {
        self.plan().longest()
    }

    /// Whether weights lie in twelve bits, too.
    pub fn is_packed(&self) -> bool {
        self.plan.model.packed
    }

    /// Whether keys and values lie in twelve bits.
    pub fn packs_cache(&self) -> bool {
        self.plan.packs_cache()
    }

    /// How programs run it.
    pub fn plan(&self) -> &ModelPlan {
        &self.plan
    }

    /// The parameters, as the plan's programs take them.
    pub(crate) fn params(&self) -> &Arrays {
        &self.params
    }
}

/// The model in a folder, as its `config.json` describes it.
///
/// # Errors
/// That is no model that can be run.
pub fn describe(source: &ModelSource) -> Result<LanguageModel> {
    let path = || source.model().path().to_path_buf();
    LanguageModel::from_json(source.model().config()).map_err(|cause| Error::Config { path: path(), cause })
}

/// The model that the configurations of a folder and its adapter describe.
pub(crate) fn model_of(source: &ModelSource) -> Result<(LanguageModel, Option<Lora>)> {
    let model = describe(source)?;
    let lora = lora_of(source, &model)?;
    Ok((model.beside(lora.as_ref()), lora))
}

fn lora_of(source: &ModelSource, model: &LanguageModel) -> Result<Option<Lora>> {
    let Some(adapter) = source.adapter() else { return Ok(None) };
    let lora = peft::lora(adapter.config(), model)
        .map_err(|cause| Error::Lora { path: adapter.path().to_path_buf(), cause })?;
    if let Some(path) = lora.modules.keys().find(|path| model.is_idle_in_peft(path)) {
        tracing::warn!(
            "{} has an adapter of `{path}`, which does nothing in transformers, or is refused by PEFT 0.21; here it does what it says",
            adapter.path().display()
        );
    }
    Ok(Some(lora))
}

/// `eos_token_id` may be absent, null, a number or a list of numbers. One that the model has no logit for is never chosen, and ends nothing.
fn eos_ids(config: &Value, vocab_size: usize) -> Vec<u32> {
    let listed = match config.get("eos_token_id") {
        Some(Value::Array(listed)) => listed.as_slice(),
        Some(one) => std::slice::from_ref(one),
        None => &[],
    };
    let ids = listed.iter().filter_map(Value::as_u64).filter_map(|id| u32::try_from(id).ok());
    ids.filter(|id| (*id as usize) < vocab_size).collect()
}

#[cfg(test)]
mod tests {
    use models::ModelPreset;
    use runtime::aot::Target;
    use serde_json::json;

    use super::*;

    /// A preset's plan as an H200 has it.
    fn plan(preset: &str, dtype: DType) -> ModelPlan {
        let config = &ModelPreset::find(preset).expect("a preset").config;
        let model = LanguageModel::from_json(config).expect("it describes a model");
        ModelPlan::new(model, dtype, Target::H200.description().hardware())
    }

    #[test]
    fn keys_and_values_are_packed_where_kernels_read_them_and_there_is_room_to_unpack_them() {
        let packs =
            |plan: ModelPlan, rows, tokens| plan.packing_cache(rows, tokens).expect("it can be traced").packs_cache();
        let seven = || plan("llama-7b", DType::BF16);
        assert!(!seven().packs_cache());
        // 4 GiB are 64 rows of 4,096 tokens.
        assert!(packs(seven(), 64, 4096) && !packs(seven(), 65, 4096) && packs(seven(), 65, 4000));
        // No text is longer than the model's longest.
        let rows = (1 << 18) / seven().longest();
        assert!(packs(seven(), rows, usize::MAX) && !packs(seven(), rows + 1, usize::MAX));
        // Four query heads for a key head; and what such kernels are not for.
        assert!(!packs(plan("llama-8b", DType::BF16), 32, 4096));
        assert!(!packs(plan("llama-7b", DType::F32), 32, 4096));
        let mut elsewhere = seven();
        elsewhere.model.token_kernels = Some(TokenKernels::Gpu(Gpu::Nvidia));
        assert!(!packs(elsewhere, 32, 4096));
        let packed = seven().packing_cache(32, 4096).expect("it can be traced");
        assert!(!packed.holding_float8(Target::H200.description().hardware()).expect("it has such").packs_cache());
    }

    #[test]
    fn ends_are_among_what_may_be_chosen() {
        for (config, expected) in [
            (json!({}), &[][..]),
            (json!({"eos_token_id": null}), &[]),
            (json!({"eos_token_id": 2}), &[2]),
            (json!({"eos_token_id": [2, 31999, 32000, 1_u64 << 40]}), &[2, 31999]),
        ] {
            assert_eq!(eos_ids(&config, 32000), expected, "{config}");
        }
    }
}
