//! What a run trains: the plan, and the files that it starts from.

use checkpoint::{AdapterFolder, LoraConfig, ModelSource, cast};
use graph::{HostTensor, ParamArray, ParamSpec};
use models::{Float8Part, LanguageModel, LinearModule, Lora};
use runtime::{Array, Hardware, Parameters};
use serde_json::Value;

use crate::config::{ComputeDtype, GradientCheckpointing, ScanLayers, TrainConfig};
use crate::plan::{self, PlanError};
use crate::{Error, StepPlan, Trained, readers};

/// What a configuration says of the model, checked against the files that it names. The data are another matter.
pub(crate) struct Setup {
    pub(crate) plan: StepPlan,
    /// The files of the base model, and of the adapter that is trained on; `None` when training from scratch.
    pub(crate) source: Option<ModelSource>,
    /// The `config.json` that the trained model gets.
    pub(crate) model_json: Value,
    /// The adapter's configuration as PEFT has it.
    pub(crate) lora: Option<LoraConfig>,
    /// The linear modules whose norms DoRA's magnitudes begin with.
    stretched: Vec<LinearModule>,
    seed: u64,
}

impl Setup {
    pub(crate) fn new(config: &TrainConfig, hardware: Hardware) -> Result<Setup, Error> {
        let start = config.lora_model_dir.as_deref();
        let source = config.base_model.as_deref().map(|folder| ModelSource::open(folder, start)).transpose()?;
        let source = source.map(|source| plan::beside_adapter(config, peft::parted(source)));
        let setup = Setup::of(config, hardware, source)?;
        if let Some(source) = &setup.source {
            source.check(&setup.stored_params()?)?;
        }
        Ok(setup)
    }

    /// As [`Setup::new`], with files that are not yet checked against what the plan needs of them.
    pub(crate) fn of(config: &TrainConfig, hardware: Hardware, source: Option<ModelSource>) -> Result<Setup, Error> {
        let (model_json, path) = plan::model_json(config, source.as_ref())?;
        let model = LanguageModel::from_json(&model_json).map_err(|cause| PlanError::ModelConfig { path, cause })?;
        let started = source.as_ref().and_then(ModelSource::adapter);
        let lora = match (config.adapter, started) {
            (None, _) => None,
            (Some(_), None) => Some(plan::lora_config(config, &model)?),
            (Some(_), Some(adapter)) => Some(plan::started_lora_config(config, adapter.config())?),
        };
        let plan = plan::step_plan(config, hardware, model, lora.as_ref())?;
        if let (Some(lora), Some(adapter)) = (&plan.lora, started)
            && let Some(name) = lora.own.iter().find(|name| adapter.has_of_all_experts(name))
        {
            let what = format!("`{name}` in one tensor with that of other experts");
            return Err(Error::Plan(PlanError::OfAllExperts { what }));
        }
        let of_parameters = |lora| readers::of_parameters(&plan.model, lora).map_err(PlanError::Graph);
        // Nobody drops anything once it is trained, and PEFT refuses to load such an adapter with dropout.
        let lora = match plan.lora.as_ref().map(of_parameters).transpose()? {
            Some(true) => lora.map(|lora| LoraConfig { lora_dropout: 0.0, ..lora }),
            _ => lora,
        };
        let is_dora = plan.lora.as_ref().is_some_and(|lora| lora.dora);
        let stretched = if is_dora { plan.model.adaptable_modules()? } else { Vec::new() };
        Ok(Setup { plan, source, model_json, lora, stretched, seed: config.seed })
    }

    /// Warns of what the model's configuration says and the run, or who reads what it writes, does otherwise.
    pub(crate) fn warn(&self) {
        let asked = self.plan.model.dropout_asked();
        if !asked.is_empty() {
            let asked: Vec<String> = asked.iter().map(|(key, rate)| format!("{key}: {rate}")).collect();
            tracing::warn!("the model's dropout is not applied: its configuration has {}", asked.join(", "));
        }
        let beyond = self.plan.model.beyond_transformers().filter(|_| self.lora.is_none());
        if let Some(beyond) = beyond {
            tracing::warn!("{beyond}");
        }
        for warning in self.readers() {
            tracing::warn!("{warning}");
        }
    }

    /// What PEFT makes of the adapter otherwise.
    fn readers(&self) -> Vec<String> {
        let warnings =
            |(lora, config)| readers::warnings(&self.plan.model, lora, config).expect("the plan has its modules");
        self.plan.lora.as_ref().zip(self.lora.as_ref()).map_or(Vec::new(), warnings)
    }

    /// The parameters that the run's files have to hold: all but those that are drawn.
    pub(crate) fn stored_params(&self) -> Result<Vec<ParamSpec>, Error> {
        Ok(self.plan.params()?.into_iter().filter(|spec| self.is_stored(spec)).collect())
    }

    /// The adapter that is trained on.
    pub(crate) fn started(&self) -> Option<&AdapterFolder> {
        self.source.as_ref().and_then(ModelSource::adapter)
    }

    /// The digest of the weights that an adapter is trained over; `None` without an adapter.
    pub(crate) fn base_digest(&self) -> Option<u32> {
        let source = self.source.as_ref().filter(|_| self.lora.is_some())?;
        Some(source.model().digest())
    }

    fn is_stored(&self, spec: &ParamSpec) -> bool {
        // They are made of the weight.
        if matches!(Float8Part::of(spec), Some(Float8Part::Turned | Float8Part::Unit)) {
            return false;
        }
        let is_added = self.plan.lora.as_ref().is_some_and(|lora| lora.adds(spec));
        self.source.as_ref().is_some_and(|source| source.adapter().is_some() || !is_added)
    }

    /// Chooses the kernels, with the most documents that a packed row of the data holds. Says which and why, and what else was left open; what the backward pass keeps depends on it.
    pub(crate) fn choose_kernels(&mut self, config: &TrainConfig, hardware: Hardware, documents: usize) {
        let platform = hardware.platform;
        if config.dtype == ComputeDtype::Auto {
            tracing::info!("computing in {}, which dtype: auto is on {platform}", self.plan.compute);
        }
        if let Some(kind) = self.plan.products {
            tracing::info!("layers multiply with their weights in {kind}");
        }
        if config.scan_layers == ScanLayers::Auto {
            let (count, layers) = (self.plan.model.sizes().num_hidden_layers, self.plan.layers);
            tracing::info!("{count} layers {layers}, which scan_layers: auto is on {platform}");
        }
        let chosen = self.plan.choose_kernels(config.kernels, config.gradient_checkpointing, hardware, documents);
        let attention = chosen.attention;
        tracing::info!("{attention}");
        for own in chosen.own() {
            tracing::info!("{own}");
        }
        if config.gradient_checkpointing == GradientCheckpointing::Auto {
            let chosen = if self.plan.model.remat.keep_all { "none" } else { "dots" };
            let case = match (self.plan.trained, attention.kernels.are_fused()) {
                (Trained::All, _) => "where all weights are trained",
                (Trained::Adapters, false) => "for adapters with plain attention",
                (Trained::Adapters, true) => "for adapters with fused attention",
            };
            tracing::info!("gradient_checkpointing: {chosen}, which auto is {case}");
        }
    }

    /// The initial values of one array of a parameter: from the files that the run starts from, or drawn.
    pub(crate) fn parameter(
        &self,
        parameters: &mut Parameters<'_>,
        spec: &ParamSpec,
        array: &ParamArray,
    ) -> Result<Array, Error> {
        match &self.source {
            Some(source) if self.is_stored(spec) => {
                parameters.load(array, |name| source.tensor(name).map_err(Error::from))
            }
            Some(source) if Lora::module_of_magnitude(&spec.name).is_some() => {
                parameters.load(array, |name| self.magnitude(source, name))
            }
            _ => Ok(parameters.init(array, (self.seed ^ (self.seed >> 32)) as u32)?),
        }
    }

    /// The magnitude that DoRA begins with: the norms of the weight's rows as they are held, so that nothing is changed while B is 0.
    fn magnitude(&self, source: &ModelSource, name: &str) -> Result<HostTensor<'static>, Error> {
        let module = Lora::module_of_magnitude(name);
        let of_module = |linear: &LinearModule| Some((linear.weight_of(module?)?, linear.transposed));
        let (weight, transposed) = self.stretched.iter().find_map(of_module).expect("magnitudes are of linear modules");
        let weight = cast(source.tensor(&weight)?, self.plan.precision().model).expect("a model's tensors are floats");
        let [rows, columns] = [weight.shape()[0], weight.shape()[1]];
        let mut squares = vec![0.0; if transposed { columns } else { rows }];
        for (at, value) in weight.to_f32().into_iter().enumerate() {
            squares[if transposed { at % columns } else { at / columns }] += f64::from(value) * f64::from(value);
        }
        let norms = squares.iter().map(|square: &f64| square.sqrt() as f32).collect();
        Ok(HostTensor::from_vec(&[squares.len()], norms)?)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use checkpoint::SafetensorsFile;
    use data::Batch;
    use runtime::Session;
    use runtime::plugins::{Environment, Platform};

    use super::*;
    use crate::Trainer;

    #[test]
    fn what_an_adapter_cannot_have_is_refused_by_name() {
        let error = |model: &str, given: &str| {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/zoo").join(model);
            let keys = format!(
                "base_model: {}\ndatasets: [{{path: a}}]\nlearning_rate: 1.0e-3\nadapter: lora",
                folder.display()
            );
            let given: Vec<String> = given.split("; ").map(str::to_owned).collect();
            let config = TrainConfig::parse(&keys, Path::new("config.yaml"), &given).expect("it is valid");
            Setup::new(&config, Hardware::CPU).err().expect("it is refused").to_string()
        };
        let cases = [
            ("llama/grouped", "peft_layers_to_transform=[3]", "there is no layer 3; the model has 3, counted from 0"),
            ("llama/grouped", "lora_modules_to_save=[lm_haed]", "ends with `lm_haed`; did you mean `lm_head`?"),
            ("qwen2/full", "lora_target_modules=[embed_tokens]", "`embed_tokens` is no linear module of the model"),
            (
                "mixtral/window",
                "lora_target_modules=[q_proj]; lora_modules_to_save=[experts.0.w1]",
                "for `model.layers.0.block_sparse_moe.experts.1.w1.weight` what it has for",
            ),
            (
                "mixtral/window",
                "lora_modules_to_save=[norm, experts]",
                "`experts` would train `model.layers.0.block_sparse_moe.experts.0.w1.weight` in full, which PEFT with transformers 5 \
                 looks for as `model.layers.0.mlp.experts.gate_up_proj`",
            ),
            (
                "gpt_neox/parallel",
                "lora_modules_to_save=[embed_out]",
                "`embed_out` would train `embed_out.weight` in full, which PEFT with transformers 5 looks for as `lm_head.weight`",
            ),
            (
                "qwen3_moe/mixed",
                "lora_modules_to_save=[experts]",
                "`experts` would train `model.layers.1.mlp.experts.0.gate_proj.weight` in full",
            ),
        ];
        for (model, given, expected) in cases {
            let error = error(model, given);
            assert!(error.contains(expected), "{given}: {error}");
        }
    }

    /// The loss of a first step, and the names of what is trained.
    fn begun(session: &Session, model: &str, keys: &[&str]) -> (f32, Vec<String>) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/zoo").join(model);
        let base = format!("base_model: {}", folder.display());
        let always = "datasets: [{path: a}]\nlearning_rate: 1.0e-3\nadapter: lora\nmicro_batch_size: 2\nsequence_len: 24\nsample_packing: false";
        let text = [&[base.as_str(), always], keys].concat().join("\n");
        let config = TrainConfig::parse(&text, Path::new("config.yaml"), &[]).expect("it is valid");
        let setup = Setup::new(&config, Hardware::CPU).expect("it fits the model");
        let init = |parameters: &mut Parameters<'_>, spec: &ParamSpec, array: &ParamArray| {
            setup.parameter(parameters, spec, array)
        };
        let mut trainer = Trainer::new(session, setup.plan.clone(), init).expect("it fits the machine");
        let oracle = SafetensorsFile::open(folder.join("oracle.safetensors")).expect("it is there");
        let read = |name: &str| oracle.tensor(name).expect("it is there").to_vec::<i32>().expect("they are i32");
        let (tokens, labels) = (read("input_ids"), read("labels"));
        let next = |at: usize| if at % 24 == 23 { -100 } else { labels[at + 1] };
        let batch = Batch {
            rows: 2,
            sequence_len: 24,
            targets: (0..48).map(|at| next(at).max(0)).collect(),
            loss_mask: (0..48).map(|at| if next(at) < 0 { 0.0 } else { 1.0 }).collect(),
            positions: (0..48).map(|at| at % 24).collect(),
            segment_ids: vec![1; 48],
            tokens,
        };
        let loss = trainer.step(&batch, 1, 1e-3, 0).expect("it runs").loss as f32;
        (loss, trainer.state().into_iter().map(|spec| spec.name).collect())
    }

    #[test]
    fn adapters_that_peft_computes_otherwise_are_named() {
        let warnings = |model: &str, keys: &str| {
            let given: Vec<String> = keys.split("; ").map(str::to_owned).collect();
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/zoo").join(model);
            let keys = format!(
                "base_model: {}\ndatasets: [{{path: a}}]\nlearning_rate: 1.0e-3\nadapter: lora",
                folder.display()
            );
            let config = TrainConfig::parse(&keys, Path::new("config.yaml"), &given).expect("it is valid");
            let setup = Setup::new(&config, Hardware::CPU).expect("it fits the model");
            setup.readers()
        };
        let fused = |one: &str, other: &str| format!("adapters of experts' `{one}` without `{other}`");
        let dense = |name: &str| format!("passes over the adapter of `model.layers.0.mlp.{name}`");
        let cases = [
            ("qwen3_moe/mixed", "lora_target_modules=all-linear", vec![dense("down_proj")]),
            ("qwen3_moe/mixed", "lora_target_modules=[down_proj]", vec![dense("down_proj")]),
            ("qwen3_moe/mixed", "lora_target_modules=[up_proj]", vec![fused("up_proj", "gate_proj"), dense("up_proj")]),
            ("qwen3_moe/mixed", "lora_target_modules=[q_proj, gate]", vec![]),
            ("qwen3_moe/mixed", "peft_layers_to_transform=[1]", vec![]),
            ("qwen3_moe/normed", "lora_target_modules=all-linear", vec![]),
            ("mixtral/window", "lora_target_modules=all-linear", vec![]),
            ("mamba/biases", "lora_target_modules=all-linear", vec![]),
            (
                "mamba/biases",
                "lora_target_modules=[x_proj, dt_proj, out_proj]",
                vec!["adapters of `dt_proj`".to_owned(), "adapters of `out_proj`".to_owned()],
            ),
            ("gpt_neox/parallel", "lora_target_modules=[embed_out]", vec!["finds no module `embed_out`".to_owned()]),
            ("gpt_neox/parallel", "lora_target_modules=[lm_head]", vec![]),
            ("mixtral/window", "lora_modules_to_save=[gate]", vec![]),
            ("mixtral/window", "lora_target_modules=[w1, w2]", vec![fused("w1", "w3")]),
            ("mixtral/window", "peft_use_rslora=true", vec!["with rsLoRA multiplies it with the root of 2".to_owned()]),
            ("mixtral/window", "peft_use_rslora=true; lora_target_modules=[w2]", vec![]),
            (
                "mixtral/window",
                "peft_use_dora=true; lora_target_modules=[gate]",
                vec!["DoRA of a router, which `model.layers.0.block_sparse_moe.gate` is".to_owned()],
            ),
            ("llama/grouped", "lora_target_modules=[gate_proj]", vec![]),
        ];
        for (model, key, expected) in cases {
            let found = warnings(model, key);
            let agree = found.iter().zip(&expected).all(|(found, expected)| found.contains(expected));
            assert!(found.len() == expected.len() && agree, "{model} {key}: {found:?}");
        }
    }

    /// Of weights that are stored as (inputs, outputs), and of others; with a module that is trained in full, from the base's weights.
    #[test]
    fn adapters_begin_as_the_base_alone() {
        let session = runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).expect("there is a CPU");
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/zoo");
        let cases = [
            ("gpt2/scaled_by_layer", "ln_f"),
            ("llama/grouped", "lm_head"),
            // Where both are one weight.
            ("gpt2/scaled_by_layer", "lm_head"),
            ("gpt2/scaled_by_layer", "wte"),
        ];
        for (model, saved) in cases {
            let saved_key = format!("lora_modules_to_save: [{saved}]");
            let keys = ["peft_use_dora: true", "peft_layers_to_transform: [0, 2]", &saved_key];
            let (loss, names) = begun(&session, model, &keys);
            assert!(names.iter().any(|name| name.contains(saved)) && !names.iter().any(|name| name.contains(".1.")));
            let oracle = SafetensorsFile::open(fixtures.join(model).join("oracle.safetensors")).expect("it is there");
            let expected = oracle.tensor("loss").expect("it is there").to_f32()[0];
            // The norms are rounded to f32.
            assert!((loss - expected).abs() < 1e-5, "{model}: {loss}, and {expected} alone");
        }
    }

    /// What is held in 8-bit floats is what weights are rounded to where they are multiplied, which they are beside DoRA: stacked or not, and
    /// stored either way round.
    #[test]
    fn weights_are_held_as_they_are_rounded() {
        let session = runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).expect("there is a CPU");
        for model in ["llama/grouped", "gpt2/scaled_by_layer"] {
            let loss = |keys: &[&str]| begun(&session, model, keys).0;
            let rounded = loss(&["dtype: fp8", "peft_use_dora: true"]);
            for scan in ["scan_layers: true", "scan_layers: false"] {
                let found = loss(&["dtype: fp8", scan]);
                // Products of the same numbers, whose sums may be in another order.
                assert!((found / rounded - 1.0).abs() < 1e-5, "{model}, {scan}: {found}, and not {rounded}");
            }
            let exact = loss(&["dtype: f32"]);
            let off = (rounded / exact - 1.0).abs();
            assert!(off > 1e-6 && off < 0.02, "{model}: {rounded}, and {exact} in f32");
        }
    }

    /// LoRA begins as the base to the bit. A magnitude in bf16, or the norms of weights that are not yet rounded, are off by a part in a
    /// thousand.
    #[test]
    fn magnitudes_begin_as_the_norms_of_the_weights_as_they_are_held() {
        let session = runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).expect("there is a CPU");
        let [lora, dora] = ["peft_use_dora: false", "peft_use_dora: true"].map(|key| {
            begun(&session, "gpt2/scaled_by_layer", &["dtype: bf16", "peft_layers_to_transform: [1]", key]).0
        });
        // What f32 leaves of a difference is lost where the sum is rounded to bf16.
        assert_eq!(dora, lora);
    }
}
