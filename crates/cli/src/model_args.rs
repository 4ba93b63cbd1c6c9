//! What the commands that use a model have in common: which model, in which type, on which device.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use checkpoint::ModelSource;
use clap::ValueEnum;
use data::{ChatInput, Tokenizer};
use engine::{GenerationConfig, LoadProgress, Model, ModelPlan};
use graph::{DType, GraphError, Indivisible};
use mesh::{MeshSize, MeshSizes, Rules};
use models::LanguageModel;
use runtime::plugins::Platform;
use runtime::{Hardware, Session};
use serde_json::Value;

use crate::allocator;
use crate::commands::devices::DeviceArgs;
use crate::progress::{ProgressMode, Task, Unit};

/// The folders of a model.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ModelFolders {
    /// The model: a folder with config.json, safetensors and tokenizer.json, or a run or checkpoint of training [default: the base model
    /// that the adapter names]
    #[arg(long, value_name = "DIR", required_unless_present = "adapter")]
    model: Option<PathBuf>,

    /// A LoRA adapter in PEFT's layout, or a run or checkpoint that trains one; a tokenizer and chat template beside it are used in place
    /// of the model's
    #[arg(long, value_name = "DIR")]
    adapter: Option<PathBuf>,
}

impl ModelFolders {
    /// Opens model and adapter.
    ///
    /// # Errors
    /// A file is missing or damaged, or the adapter is alone and names no model that is there.
    pub(crate) fn open(&self) -> anyhow::Result<ModelSource> {
        Ok(engine::parted(match (&self.model, &self.adapter) {
            (Some(model), None) if ModelSource::is_adapter(model)? => ModelSource::open_adapter(model)?,
            (Some(model), adapter) => ModelSource::open(model, adapter.as_deref())?,
            (None, Some(adapter)) => ModelSource::open_adapter(adapter)?,
            (None, None) => unreachable!("one of them is required"),
        }))
    }
}

/// Which model a command uses.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ModelArgs {
    #[command(flatten)]
    folders: ModelFolders,

    /// In which the model is held and computed with [default: f32 on a CPU, else bf16; for scores f32, or on a GPU bf16 where all of
    /// the model is stored in it]
    #[arg(long, value_enum, value_name = "TYPE", default_value_t, hide_default_value = true)]
    dtype: Precision,

    /// Devices to spread the model over, such as fsdp=2 (its memory), mp=2 (its work too) or mp=auto for all there are
    #[arg(long, value_name = "AXIS=SIZE,…")]
    mesh: Option<MeshSizes>,

    #[arg(skip = Holding::Plain)]
    holding: Holding,

    #[arg(skip = PackedWeights::Off)]
    packing: PackedWeights,

    /// Bytes and tokens, as [`ModelPlan::reserving`] takes them.
    #[arg(skip)]
    reserved: (u64, usize),

    /// As [`ModelPlan::packing_cache`] takes them.
    #[arg(skip)]
    prompt_rows: usize,

    #[command(flatten)]
    device: DeviceArgs,
}

/// In which a model is held and computed with. Behind the names are those that PyTorch has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Precision {
    /// What is usual on the device
    #[default]
    Auto,
    #[value(alias = "float32")]
    F32,
    #[value(alias = "bfloat16")]
    Bf16,
}

impl Precision {
    fn dtype_or(self, usual: DType) -> DType {
        match self {
            Precision::Auto => usual,
            Precision::F32 => DType::F32,
            Precision::Bf16 => DType::BF16,
        }
    }
}

/// What a server says of the model that it serves, before it is loaded.
pub(crate) struct Serving {
    /// Bytes that keys and values are to have.
    pub(crate) bytes: u64,
    /// Tokens of a text.
    pub(crate) tokens: usize,
    /// No bit may depend on whether there was room for packed weights.
    pub(crate) is_deterministic: bool,
    /// Whether steps gain where keys and values are packed.
    pub(crate) reads_packed: bool,
    /// Rows of prompts in a step.
    pub(crate) prompt_rows: usize,
}

/// In which keys and values lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Holding {
    /// On one Hopper GPU in twelve bits of bf16's sixteen, which loses next to nothing, in layers without windows whose heads have 128 elements and share keys with one other at most, unless tokens are proposed, texts
    /// are very long or pages no multiples of 32; else as the model is computed
    #[default]
    Auto,
    /// As the model is computed
    Plain,
    /// In E4M3, 8-bit floats without a scale: half of what bf16 takes, and less precise
    #[value(alias = "fp8_e4m3")]
    Fp8,
}

/// Whether weights lie in twelve bits, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PackedWeights {
    /// On one Hopper GPU, where there is room and too little is lost to matter
    #[default]
    Auto,
    /// Never
    Off,
}

impl Holding {
    /// The plan of a model whose keys and values lie so, for steps of so many `rows` of prompts, and texts of `tokens` tokens at the most.
    ///
    /// # Errors
    /// As [`ModelPlan::holding_float8`] and [`ModelPlan::packing_cache`].
    pub(crate) fn of(
        self,
        plan: ModelPlan,
        hardware: Hardware,
        [rows, tokens]: [usize; 2],
    ) -> anyhow::Result<ModelPlan> {
        Ok(match self {
            Holding::Auto => plan.packing_cache(rows, tokens)?,
            Holding::Plain => plan,
            Holding::Fp8 => plan.holding_float8(hardware)?,
        })
    }
}

impl PackedWeights {
    /// The plan of a model whose weights are packed so.
    pub(crate) fn of(self, plan: ModelPlan) -> ModelPlan {
        if self == PackedWeights::Off { plan.unpacked() } else { plan }
    }
}

/// Which model is served: named first, as other servers have it.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ServedModelArgs {
    /// The model: a folder with config.json, safetensors and tokenizer.json, or a run or checkpoint of training
    #[arg(value_name = "MODEL")]
    model: PathBuf,

    /// In which the model is held and computed with [default: f32 on a CPU, else bf16]
    #[arg(long, value_enum, value_name = "TYPE", default_value_t, hide_default_value = true)]
    dtype: Precision,

    /// Devices to spread the model over, such as mp=2 (heads, hidden units and what is remembered of texts), fsdp=2 (weights alone) or mp=auto for all there are
    #[arg(long, value_name = "AXIS=SIZE,…")]
    mesh: Option<MeshSizes>,

    /// The same as vLLM has it: --mesh mp=N
    #[arg(long, value_name = "N", value_parser = along_mp, conflicts_with = "mesh")]
    tensor_parallel_size: Option<MeshSizes>,

    /// In which keys and values lie
    #[arg(long, value_enum, value_name = "TYPE", default_value_t, help_heading = "Engine")]
    kv_cache_dtype: Holding,

    /// Hold weights in twelve bits beside bf16's sixteen, as steps of up to 128 tokens read them: they are faster, and keys and values have less room, by three quarters of the model's
    #[arg(long, value_enum, value_name = "WHEN", default_value_t, help_heading = "Engine")]
    packed_weights: PackedWeights,

    #[command(flatten)]
    device: DeviceArgs,
}

/// So many devices along `mp`.
fn along_mp(text: &str) -> Result<MeshSizes, String> {
    let mp = text.parse().map_err(|()| format!("it should be {}", MeshSize::WORDS))?;
    Ok(MeshSizes { mp, ..MeshSizes::default() })
}

impl ServedModelArgs {
    /// The folder that was given: of an adapter or a run, other than the base model's.
    pub(crate) fn folder(&self) -> &Path {
        &self.model
    }
}

impl From<ServedModelArgs> for ModelArgs {
    fn from(args: ServedModelArgs) -> ModelArgs {
        let ServedModelArgs {
            model,
            dtype,
            mesh,
            tensor_parallel_size,
            kv_cache_dtype: holding,
            packed_weights: packing,
            device,
        } = args;
        let mesh = mesh.or(tensor_parallel_size);
        ModelArgs {
            folders: ModelFolders { model: Some(model), adapter: None },
            dtype,
            mesh,
            holding,
            packing,
            reserved: (0, 0),
            prompt_rows: 0,
            device,
        }
    }
}

/// The files of a model, checked as far as that is possible without a device.
pub(crate) struct ModelFiles {
    pub(crate) source: ModelSource,
    pub(crate) model: LanguageModel,
    /// Read when it is asked for: token ids need none.
    tokenizer: OnceCell<Tokenizer>,
    pub(crate) generation_config: GenerationConfig,
}

impl ModelFiles {
    /// The tokenizer for as long as somebody needs it, with the chat template of a file in place of its own if there is one.
    ///
    /// # Errors
    /// As [`ModelFiles::tokenizer`], or the file cannot be read or is no template.
    pub(crate) fn shared_tokenizer(&mut self, chat_template: Option<&Path>) -> anyhow::Result<Arc<Tokenizer>> {
        self.tokenizer()?;
        let mut tokenizer = self.tokenizer.take().expect("it was just read");
        if let Some(path) = chat_template {
            let of = || format!("--chat-template {}", path.display());
            let source = data::read_text(path).with_context(of)?;
            tokenizer.set_only_chat_template(&source).with_context(of)?;
        }
        Ok(Arc::new(tokenizer))
    }

    /// The tokenizer, the adapter's or the model's.
    ///
    /// # Errors
    /// It is missing or damaged, or has ids that the model does not know.
    pub(crate) fn tokenizer(&self) -> anyhow::Result<&Tokenizer> {
        if let Some(tokenizer) = self.tokenizer.get() {
            return Ok(tokenizer);
        }
        let tokenizer = Tokenizer::from_dir(self.source.tokenizer_folder())?;
        // Loading checks this too, but not before gigabytes have been read.
        let folder = self.source.model().path().display();
        tokenizer.check_vocab(self.model.sizes().vocab_size).with_context(|| format!("cannot use {folder}"))?;
        Ok(self.tokenizer.get_or_init(|| tokenizer))
    }

    /// A conversation as tokens, up to where the assistant's next answer begins.
    ///
    /// # Errors
    /// There is no chat template, or it refuses the messages.
    pub(crate) fn encode_chat(&self, messages: &[Value], tools: Option<&Value>) -> anyhow::Result<Vec<u32>> {
        let tokenizer = self.tokenizer()?;
        let template = tokenizer.chat_template(tools.is_some()).with_context(|| {
            format!(
                "the model has no chat template, so it cannot take messages: add {}, or give plain text",
                self.source.tokenizer_folder().join("chat_template.jinja").display()
            )
        })?;
        let input = ChatInput { messages, tools, add_generation_prompt: true, ..ChatInput::default() };
        Ok(tokenizer.encode(&template.render(&input)?.text, false)?)
    }
}

impl ModelArgs {
    /// The same of a smaller model that proposes tokens.
    pub(crate) fn of_draft(&self, folder: PathBuf) -> ModelArgs {
        ModelArgs { folders: ModelFolders { model: Some(folder), adapter: None }, ..self.clone() }
    }

    /// Opens the files of the model.
    ///
    /// # Errors
    /// A file is missing or damaged.
    pub(crate) fn files(&self) -> anyhow::Result<ModelFiles> {
        let source = self.folders.open()?;
        let folder = source.model().path();
        // Before the tokenizer, which reads generation_config.json too and is not to blame for it.
        let generation_config = GenerationConfig::read(folder)?;
        let model = engine::describe(&source)?;
        Ok(ModelFiles { source, model, tokenizer: OnceCell::new(), generation_config })
    }

    /// Opens a session on the devices that the model is to be on.
    ///
    /// # Errors
    /// As [`DeviceArgs::open`].
    pub(crate) fn open(&self, progress: ProgressMode) -> anyhow::Result<Session> {
        self.device.open_with(progress, self.mesh.map_or(1, |sizes| sizes.given()), None)
    }

    /// Loads the model for generation: in 16 bits on a GPU, where memory bandwidth is what decides its speed.
    ///
    /// # Errors
    /// The files do not hold what the configuration asks for, or the device's memory is full.
    pub(crate) fn load<'s>(
        &self,
        session: &'s Session,
        files: &ModelFiles,
        progress: ProgressMode,
    ) -> anyhow::Result<Model<'s>> {
        load(session, &files.source, self.plan(session, files)?, progress)
    }

    /// The same for a server.
    pub(crate) fn serving(self, serving: Serving) -> ModelArgs {
        let Serving { bytes, tokens, is_deterministic, reads_packed, prompt_rows } = serving;
        let packing = if is_deterministic { PackedWeights::Off } else { self.packing };
        let holding = if self.holding == Holding::Auto && !reads_packed { Holding::Plain } else { self.holding };
        ModelArgs { packing, holding, prompt_rows, reserved: (bytes, tokens), ..self }
    }

    /// How the model is to be computed that [`ModelArgs::load`] gives.
    ///
    /// # Errors
    /// The adapter does not fit the model, or the devices the mesh.
    pub(crate) fn plan(&self, session: &Session, files: &ModelFiles) -> anyhow::Result<ModelPlan> {
        let usual = if session.platform() == Platform::Cpu { DType::F32 } else { DType::BF16 };
        self.plan_in(session, &files.source, self.dtype.dtype_or(usual))
    }

    /// Loads the model for scores: in f32, or on a GPU in bf16 where all of it is stored so, which loses nothing of the weights and is several times as fast
    /// (BENCHMARKS.md, "Scoring, one GPU").
    ///
    /// # Errors
    /// As [`ModelArgs::load`].
    pub(crate) fn load_for_scores<'s>(
        &self,
        session: &'s Session,
        files: &ModelFiles,
        progress: ProgressMode,
    ) -> anyhow::Result<Model<'s>> {
        let is_narrow = session.platform() != Platform::Cpu && files.source.model().holds_only(DType::BF16);
        let usual = if is_narrow { DType::BF16 } else { DType::F32 };
        let plan = self.plan_in(session, &files.source, self.dtype.dtype_or(usual))?;
        load(session, &files.source, plan, progress)
    }

    fn plan_in(&self, session: &Session, source: &ModelSource, dtype: DType) -> anyhow::Result<ModelPlan> {
        let plan = ModelPlan::of(source, dtype, session.hardware()?)?;
        let plan = spread(plan, self.mesh, session.devices().len(), session.platform())?;
        let plan = self.packing.of(plan).reserving(self.reserved.0, self.reserved.1);
        self.holding.of(plan, session.hardware()?, [self.prompt_rows, self.reserved.1])
    }
}

/// The same over the devices, of so many, that `--mesh` asks for.
///
/// # Errors
/// A size that the devices are to tell does not come out whole.
pub(crate) fn spread(
    plan: ModelPlan,
    mesh: Option<MeshSizes>,
    devices: usize,
    platform: Platform,
) -> anyhow::Result<ModelPlan> {
    let shape = mesh.unwrap_or_default().on(devices).context("--mesh")?;
    let rules = Rules { exchanges_in_order: runtime::keeps_exchanges_in_order(platform), ..Rules::default() };
    Ok(plan.on(rules.partition(shape, &[])))
}

/// What a mesh does not divide, with what to give instead.
pub(crate) fn with_sizes_that_fit(error: anyhow::Error) -> anyhow::Error {
    match error.downcast_ref() {
        Some(engine::Error::Graph(GraphError::Indivisible(Indivisible { axis, over, .. }))) => {
            anyhow!("{error:#}: give --mesh a size along {} that divides {}", over.join(" and "), axis.size)
        }
        _ => error,
    }
}

fn load<'s>(
    session: &'s Session,
    source: &ModelSource,
    plan: ModelPlan,
    progress: ProgressMode,
) -> anyhow::Result<Model<'s>> {
    let mut shown: Option<(Task, u64)> = None;
    let model = Model::load_planned(session, source, plan, &mut |LoadProgress { bytes, total_bytes }| {
        let (task, before) = shown.get_or_insert_with(|| {
            let title = format!("loading {}", source.model().path().display());
            (Task::bar(progress, title, total_bytes, Unit::Bytes), 0)
        });
        task.advance(bytes - *before);
        *before = bytes;
    });
    let model = model.map_err(|error| with_sizes_that_fit(error.into()))?;
    if let Some((task, _)) = shown {
        task.finish();
    }
    allocator::keep_freed_memory(session.platform());
    Ok(model)
}
