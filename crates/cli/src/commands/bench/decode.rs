//! How fast tokens are generated.

mod costs;

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use ::train::config::ScanLayers;
use ::train::{Launched, record_launches};
use anyhow::{Context as _, anyhow, ensure};
use checkpoint::{LoraConfig, TargetModules, TensorSpec};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use engine::{
    Chosen, Counters, Engine, EngineOptions, Event, Model, ModelPlan, Request, Sampling, WholeTexts, cache_bytes,
    decode_program, prompt_rows,
};
use graph::{DType, HostTensor, Program};
use mesh::MeshSizes;
use models::{LanguageModel, LinearModule, ModelPreset, PackedWeight, presets};
use runtime::plugins::Platform;
use runtime::{Hardware, Session};
use serde::Serialize;
use tokio::sync::mpsc::{self, Receiver};

use self::costs::{bytes_of_step, prompt_flops};
use super::rates::{Ceilings, Times, cached_bytes};
use super::{Shared, compile_for, dump, gigabytes, lines, refuse_launches, show};
use crate::allocator;
use crate::model_args::{self, Holding, PackedWeights};
use crate::plural::counted;
use crate::progress::{ProgressMode, Task, Unit};
use crate::usage::{self, Misuse};

#[derive(Clone, Debug, clap::Args)]
pub(super) struct Args {
    /// The model, with random weights
    #[arg(long, value_parser = preset_parser())]
    preset: ModelPreset,
    /// Texts that are continued at once
    #[arg(long, default_value_t = 1, value_parser = usage::whole::<usize>(1..=4096))]
    batch: usize,
    /// Tokens of each prompt
    #[arg(long, default_value_t = 500, value_parser = usage::whole::<usize>(1..=1 << 20))]
    context: usize,
    /// Tokens of each text that are timed, after two that are not
    #[arg(long, default_value_t = 64, conflicts_with = "target", value_parser = usage::whole::<usize>(1..=1 << 20))]
    tokens: usize,
    /// Adapters of random numbers beside the model: each text has the next one
    #[arg(long, default_value_t = 0, conflicts_with_all = ["target", "check"], value_parser = usage::whole::<usize>(0..=4096))]
    adapters: usize,
    /// The adapters' rank
    #[arg(long, default_value_t = 8, requires = "adapters", value_parser = usage::whole::<usize>(1..=256))]
    adapter_rank: usize,
    /// The modules that they adapt, by their names' ends [default: all linear ones but experts and the output layer]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', requires = "adapters")]
    adapter_targets: Vec<String>,
    /// Before anything is timed, continue the texts as they are timed then, compare all their tokens' probabilities with those of one pass over the whole
    /// sequence, without a cache, and end where they are off. Such a pass has no room beside large models: those are timed without
    #[arg(long, conflicts_with = "target")]
    check: bool,
    /// Say how long each kind of launch of a token takes
    #[arg(long, conflicts_with = "target")]
    launches: bool,
    /// Devices to spread the model over, such as mp=2 (its work too), fsdp=2 (its memory alone) or mp=auto for all there are
    #[arg(long, value_name = "AXIS=SIZE,…")]
    mesh: Option<MeshSizes>,
    /// Hold weights in twelve bits, too, as steps of few texts read them
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    packed_weights: PackedWeights,
    /// In which keys and values lie
    #[arg(long, value_enum, value_name = "TYPE", default_value_t)]
    kv_cache_dtype: Holding,
    #[command(flatten)]
    shared: Shared,
}

fn preset_parser() -> impl TypedValueParser<Value = ModelPreset> {
    let names: Vec<&str> = presets().iter().map(|preset| preset.name).collect();
    PossibleValuesParser::new(names).try_map(|name: String| ModelPreset::find(&name).ok_or("no such preset"))
}

/// What was measured, as printed. The device chooses each token, the likeliest, as in `generate`.
#[derive(Debug, Serialize)]
struct Report {
    preset: &'static str,
    device: String,
    /// Devices that the model is spread over.
    devices: usize,
    context: usize,
    batch: usize,
    /// Milliseconds a step, which gives each text a token: of means over eight steps one behind the other.
    token_ms: Times,
    token_ms_mean: f64,
    /// Of all texts together.
    tokens_per_second: f64,
    /// Of a device's part of the weights that each step reads, as they lie, all but the embedding's other rows, and of the texts' adapters.
    weights_gb_per_s: f64,
    /// Whether weights lie in twelve bits, too.
    packed_weights: bool,
    /// Whether they may lie in the device's caches from one step to the next.
    weights_in_caches: bool,
    /// Whether keys and values lie in twelve bits.
    packed_cache: bool,
    /// Adapters among the texts.
    adapters: usize,
    /// Milliseconds that all prompts take together, where nothing else is computed.
    prompts_ms: Times,
    prompt_tokens_per_second: f64,
    /// Of products with weights and the causal half of attention.
    prompts_tflop_per_s: f64,
    #[serde(flatten)]
    ceilings: Ceilings,
    /// How far probabilities are off those of the whole sequence, where that was asked for.
    #[serde(flatten)]
    checked: Option<Checked>,
    /// What a token launches, where that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    launches: Vec<Launched>,
    /// All prompts, compiling included.
    first_token_ms: f64,
    load_seconds: f64,
    peak_bytes: Option<u64>,
}

/// Prints the measurement. Probabilities that are off are an error in its place.
pub(super) fn run(args: &Args, json: bool, progress: ProgressMode) -> anyhow::Result<()> {
    let Shared { target, device, dump: path, .. } = &args.shared;
    if let Some(target) = *target {
        let program = args.program(target.description().hardware(), args.devices())?;
        dump(&program, path.as_deref())?;
        return show(&compile_for(target, args.preset.name, None, &program, device, progress)?, json);
    }
    let session = device.open_with(progress, args.devices(), None)?;
    refuse_launches(args.launches, session.platform())?;
    let tokens = args.longest();
    let devices = session.devices().len();
    let plan = args.plan(session.hardware()?, devices)?;
    if let Some(context) = plan.model.context().filter(|context| tokens > *context) {
        let said = "texts grow to so many tokens with --context, --tokens and the steps in which others begin";
        return Err(Misuse(format!("{tokens} tokens do not fit into the model's context of {context}: {said}")).into());
    }
    if args.adapters > 0 {
        adapted_modules(&plan, &args.adapter_targets)?;
    }
    plan.check_room(&session, args.batch, tokens).map_err(|error| model_args::with_sizes_that_fit(error.into()))?;
    dump(&args.program(session.hardware()?, devices)?, path.as_deref())?;
    show(&measure(&session, args, progress)?, json)
}

/// Tokens whose launches are recorded, behind those that are timed.
const RECORDED: usize = 8;

/// Tokens that are not timed: the one behind the prompt, and two while the device warms up.
const WARM_UP: usize = 3;

/// How often all prompts are timed, after once that they are not.
const PROMPT_ROUNDS: usize = 3;

/// Tokens of a page of keys and values.
const PAGE_TOKENS: usize = 32;

impl Args {
    /// Devices that are asked for.
    fn devices(&self) -> usize {
        self.mesh.map_or(1, |sizes| sizes.given())
    }

    /// Tokens that are computed of each text behind its prompt.
    fn count(&self) -> usize {
        self.timed() + if self.launches { RECORDED } else { 0 }
    }

    /// Those that are timed, with the warm-up.
    fn timed(&self) -> usize {
        self.tokens + WARM_UP
    }

    /// Tokens of a text when all prompts are computed: texts go on while those after them begin.
    fn begun(&self) -> usize {
        self.context + (self.batch - 1) * self.context.div_ceil(EngineOptions::default().chunk)
    }

    /// Tokens of the longest text at the end. Tokens are known a step after they are chosen.
    fn longest(&self) -> usize {
        self.begun() + self.count() + 2
    }

    fn options(&self) -> EngineOptions {
        EngineOptions {
            rows: self.batch,
            context: Some(self.longest()),
            page_tokens: PAGE_TOKENS,
            // Bringing adapters takes a request for each.
            waiting: self.batch.max(self.adapters),
            // Prompts are to be computed, too, and texts not to be taken for one another's beginnings.
            shares_prefixes: false,
            compiles_ahead: false,
            adapters_max: self.adapters,
            adapter_rank_max: self.adapter_rank,
            // All of them are there before tokens are timed.
            adapter_host_bytes: u64::MAX,
            ..EngineOptions::default()
        }
    }

    /// A folder with the adapter that all of them are, if there are any.
    fn adapter(&self, plan: &ModelPlan) -> anyhow::Result<Option<tempfile::TempDir>> {
        if self.adapters == 0 {
            return Ok(None);
        }
        let folder = tempfile::tempdir().context("making a folder for adapters")?;
        random_adapter(plan, self.adapter_rank, &self.adapter_targets, folder.path())?;
        Ok(Some(folder))
    }

    fn program(&self, hardware: Hardware, devices: usize) -> anyhow::Result<Program> {
        self.decode_program(&self.plan(hardware, devices)?)
    }

    fn decode_program(&self, plan: &ModelPlan) -> anyhow::Result<Program> {
        Ok(decode_program(plan, self.batch, PAGE_TOKENS, self.longest(), self.begun())?)
    }

    /// On a mesh of devices, of which there are so many.
    fn plan(&self, hardware: Hardware, devices: usize) -> anyhow::Result<ModelPlan> {
        let platform = hardware.platform;
        let model = LanguageModel::from_json(&self.preset.config)?;
        let dtype = if platform == Platform::Cpu { DType::F32 } else { DType::BF16 };
        let mut plan = ModelPlan::new(model, dtype, hardware);
        if self.shared.scan_layers != ScanLayers::Auto {
            plan.layers = self.shared.scan_layers.layers(platform, plan.model.sizes().num_hidden_layers);
        }
        // Steps of more texts would not read them.
        let plan = if self.batch > PackedWeight::VECTORS_MAX { plan.unpacked() } else { self.packed_weights.of(plan) };
        let plan = model_args::spread(plan, self.mesh, devices, platform)?;
        self.kv_cache_dtype.of(plan, hardware, [prompt_rows(None), self.longest()])
    }
}

/// The model with random weights, and how many seconds these took.
fn drawn<'s>(session: &'s Session, plan: &ModelPlan, progress: ProgressMode) -> anyhow::Result<(Model<'s>, f64)> {
    let drawing = Task::spinner(progress, "drawing weights");
    let started = Instant::now();
    let model = Model::random(session, plan.clone(), 0)?;
    let load_seconds = started.elapsed().as_secs_f64();
    drawing.finish();
    Ok((model, load_seconds))
}

/// The measurement, behind the check that was asked for.
fn measure(session: &Session, args: &Args, progress: ProgressMode) -> anyhow::Result<Report> {
    let ceilings = Ceilings::of(session, progress)?;
    let plan = args.plan(session.hardware()?, session.devices().len())?;
    let (model, load_seconds) = drawn(session, &plan, progress)?;
    allocator::keep_freed_memory(session.platform());
    let beginning = Task::spinner(progress, "compiling and computing the first prompts");
    let mut texts = Texts::adapted(&model, args, &plan)?;
    let vocab = model.sizes().vocab_size;
    let prompt = |row: usize| (0..args.context).map(|i| ((i * 7919 + row) % vocab) as u32).collect();
    // Of all prompts, one token each, where nothing else is computed.
    let round = |texts: &mut Texts<'_, '_>, max_tokens: usize, logprobs: Option<usize>| -> anyhow::Result<f64> {
        texts.answers.clear();
        let started = Instant::now();
        (0..args.batch).for_each(|row| texts.submit(prompt(row), max_tokens, logprobs));
        while texts.answers.iter().any(|answer| answer.chosen.is_empty()) {
            texts.step()?;
        }
        Ok(started.elapsed().as_secs_f64() * 1e3)
    };
    let first_token_ms = round(&mut texts, 1, None)?;
    beginning.finish();
    let mut checked = None;
    if args.check {
        round(&mut texts, args.longest() - args.context, Some(0))?;
        checked = Some(Checked::run(session, &model, texts, args, progress).context("checking the tokens")?);
        // As they are where nothing is checked.
        texts = Texts::adapted(&model, args, &plan)?;
        round(&mut texts, 1, None)?;
    }
    let prompting = Task::spinner(progress, "timing prompts");
    let prompts_ms = (0..PROMPT_ROUNDS).map(|_| round(&mut texts, 1, None)).collect::<anyhow::Result<_>>()?;
    let prompts_ms = Times::of(prompts_ms);
    round(&mut texts, args.longest() - args.context, None)?;
    prompting.finish();
    let times = time_tokens(&mut texts, args, progress)?;
    let launches = match args.launches {
        true => record_launches(session, RECORDED, || texts.step())?,
        false => Vec::new(),
    };
    let now_bytes = || peak_bytes(session);
    let peak_bytes = checked.as_ref().map_or_else(now_bytes, |checked| Ok(checked.peak_bytes))?;
    let token_ms_mean = times.iter().flatten().sum::<f64>() / times.iter().map(Vec::len).sum::<usize>() as f64;
    let token_ms = Times::of(means(&times));
    let weights = bytes_of_step(&model, args)?;
    Ok(Report {
        preset: args.preset.name,
        device: session.devices()[0].kind()?,
        devices: plan.device_count(),
        context: args.context,
        batch: args.batch,
        token_ms,
        token_ms_mean,
        tokens_per_second: 1e3 * args.batch as f64 / token_ms.median,
        weights_gb_per_s: weights / token_ms.median / 1e6,
        packed_weights: model.is_packed(),
        packed_cache: model.packs_cache(),
        weights_in_caches: weights <= cached_bytes(session.platform()),
        adapters: args.adapters,
        prompts_ms,
        prompt_tokens_per_second: 1e3 * (args.batch * args.context) as f64 / prompts_ms.median,
        prompts_tflop_per_s: prompt_flops(&plan, args.batch, args.context)? / prompts_ms.median / 1e9,
        ceilings,
        checked,
        launches,
        first_token_ms,
        load_seconds,
        peak_bytes,
    })
}

/// Largest use of the device's memory so far.
fn peak_bytes(session: &Session) -> anyhow::Result<Option<u64>> {
    Ok(session.devices()[0].memory_stats()?.and_then(|stats| stats.peak_bytes_in_use))
}

/// Steps whose mean is one measurement. The host begins a step before it knows the last one's tokens, so that between two of its returns the device may
/// compute more than a step, or less.
const BLOCK: usize = 8;

/// Milliseconds of each of the steps that are timed, in stretches between those in which a program was compiled.
fn time_tokens(texts: &mut Texts<'_, '_>, args: &Args, progress: ProgressMode) -> anyhow::Result<Vec<Vec<f64>>> {
    let bar = Task::bar(progress, "tokens", args.timed() as u64, Unit::Items);
    let (mut stretches, mut stretch) = (Vec::new(), Vec::new());
    for number in 1..args.timed() {
        let (started, programs) = (Instant::now(), texts.engine.program_count());
        texts.step()?;
        // Where texts outgrow a program the next larger one is compiled, which is no token's time.
        if texts.engine.program_count() != programs {
            stretches.push(std::mem::take(&mut stretch));
        } else if number >= WARM_UP {
            stretch.push(started.elapsed().as_secs_f64() * 1e3);
        }
        bar.advance(1);
    }
    bar.finish();
    stretches.push(stretch);
    stretches.retain(|stretch: &Vec<f64>| !stretch.is_empty());
    ensure!(
        !stretches.is_empty(),
        "a program was compiled in each of the {} timed steps: ask for more --tokens",
        args.tokens
    );
    Ok(stretches)
}

/// The mean of each block of steps one behind the other; of stretches that are all shorter than one, of each of them.
fn means(stretches: &[Vec<f64>]) -> Vec<f64> {
    let mean = |steps: &[f64]| steps.iter().sum::<f64>() / steps.len() as f64;
    let blocks: Vec<f64> = stretches.iter().flat_map(|stretch| stretch.chunks_exact(BLOCK)).map(mean).collect();
    if blocks.is_empty() { stretches.iter().map(|stretch| mean(stretch)).collect() } else { blocks }
}

/// Texts that an engine continues.
struct Texts<'m, 's> {
    engine: Engine<'m, 's>,
    /// Requests so far.
    asked: u64,
    answers: Vec<Answer>,
    /// The adapters' names, of which each text has the next one.
    adapters: Vec<String>,
}

struct Answer {
    prompt: Vec<u32>,
    chosen: Vec<Chosen>,
    events: Receiver<(Instant, Event)>,
}

impl<'m, 's> Texts<'m, 's> {
    /// None yet, with memory for as many as there are rows.
    fn begin(model: &'m Model<'s>, options: EngineOptions) -> anyhow::Result<Texts<'m, 's>> {
        let pages = options.rows * options.context.unwrap_or_default().div_ceil(options.page_tokens) + 1;
        let options = EngineOptions { cache_bytes: Some(cache_bytes(model, &options, pages)), ..options };
        let engine = Engine::new(model, &options, Arc::new(Counters::new(Instant::now())))?;
        Ok(Texts { engine, asked: 0, answers: Vec::new(), adapters: Vec::new() })
    }

    /// None yet, with all adapters on the device.
    fn adapted(model: &'m Model<'s>, args: &Args, plan: &ModelPlan) -> anyhow::Result<Texts<'m, 's>> {
        let adapter = args.adapter(plan)?;
        // An engine has room for the modules of those that it knows from the start.
        let adapter_paths = adapter.iter().map(|folder| folder.path().to_owned()).collect();
        let mut texts = Texts::begin(model, EngineOptions { adapter_paths, ..args.options() })?;
        if let Some(folder) = &adapter {
            texts.bring_adapters(folder.path(), args.adapters)?;
        }
        Ok(texts)
    }

    /// Has so many adapters on the device, each of which is the folder's.
    fn bring_adapters(&mut self, folder: &Path, count: usize) -> anyhow::Result<()> {
        for number in 0..count {
            let name = format!("adapter-{number}");
            self.engine.load_adapter(&name, folder, false).map_err(|refusal| anyhow!("{refusal}"))?;
            self.adapters.push(name);
        }
        (0..count).for_each(|row| self.submit(vec![row as u32 % 2], 1, None));
        while self.answers.iter().any(|answer| answer.chosen.is_empty()) {
            self.step()?;
        }
        Ok(())
    }

    /// Begins a text, whose tokens are the likeliest.
    fn submit(&mut self, prompt: Vec<u32>, max_tokens: usize, logprobs: Option<usize>) {
        // One for the beginning, one for the end.
        let (sender, events) = mpsc::channel(max_tokens + 2);
        let request = Request {
            prompt: prompt[..].into(),
            adapter: (!self.adapters.is_empty())
                .then(|| self.adapters[self.answers.len() % self.adapters.len()].clone()),
            sampling: Sampling::GREEDY,
            logit_bias: Vec::new(),
            max_tokens,
            min_tokens: 0,
            end_ids: Vec::new(),
            logprobs,
            prompt_logprobs: None,
            constraint: None,
            priority: 0,
            key: 0,
            cache_salt: None,
        };
        self.engine.submit(self.asked, request, sender);
        self.asked += 1;
        self.answers.push(Answer { prompt, chosen: Vec::new(), events });
    }

    /// One step of all.
    fn step(&mut self) -> anyhow::Result<()> {
        self.engine.step()?;
        for Answer { chosen, events, .. } in &mut self.answers {
            while let Ok((_, event)) = events.try_recv() {
                match event {
                    Event::Token(token) => chosen.push(token),
                    Event::Failed(failure) => return Err(engine::Error::from(failure).into()),
                    Event::Started { .. } | Event::Scored(_) | Event::Finished(_) => {}
                }
            }
        }
        Ok(())
    }
}

impl Answer {
    /// The text so far.
    fn tokens(&self) -> Vec<u32> {
        self.prompt.iter().copied().chain(self.chosen.iter().map(|chosen| chosen.token)).collect()
    }
}

/// Writes an adapter of small random numbers for the modules of the names `targets`, or all linear ones but experts and the output layer.
fn random_adapter(plan: &ModelPlan, rank: usize, targets: &[String], folder: &Path) -> anyhow::Result<()> {
    let modules = adapted_modules(plan, targets)?;
    let names: BTreeSet<String> = modules.iter().map(|module| last_name(module).to_owned()).collect();
    let config = LoraConfig {
        r: rank,
        lora_alpha: rank as f64,
        target_modules: Some(TargetModules::Names(names.into_iter().collect())),
        ..LoraConfig::default()
    };
    let specs = modules.iter().flat_map(|module| {
        let shapes = [("lora_A", [rank, module.input.size]), ("lora_B", [module.output.size, rank])];
        let paths = module.paths().into_iter();
        paths.flat_map(move |path| {
            shapes.map(|(factor, shape)| TensorSpec::new(format!("{path}.{factor}.weight"), DType::BF16, shape))
        })
    });
    let specs: Vec<_> = specs.collect();
    let mut state = 1u32;
    checkpoint::write_adapter(folder, &config, &specs, None, |spec| {
        let bytes = (0..spec.shape.iter().product::<usize>()).flat_map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // From 2^-10 to 2^-9, of either sign.
            let bits = (state >> 16) as u16;
            (bits & 0x8000 | 117 << 7 | bits & 0x7f).to_le_bytes()
        });
        Ok(HostTensor::new(DType::BF16, &spec.shape, bytes.collect::<Vec<_>>())?)
    })?;
    Ok(())
}

/// The model's linear modules of the names `targets`, or all but experts and the output layer.
fn adapted_modules(plan: &ModelPlan, targets: &[String]) -> anyhow::Result<Vec<LinearModule>> {
    let mut modules = plan.model.adaptable_modules()?;
    modules.retain(|module| !module.is_of_experts() && !module.is_head);
    let known: BTreeSet<&str> = modules.iter().map(last_name).collect();
    if let Some(name) = targets.iter().find(|name| !known.contains(name.as_str())) {
        let known: Vec<&str> = known.into_iter().collect();
        let said =
            format!("--adapter-targets: the model has no linear module `{name}` to adapt: it has {}", known.join(", "));
        return Err(Misuse(said).into());
    }
    modules.retain(|module| targets.is_empty() || targets.iter().any(|name| name == last_name(module)));
    Ok(modules)
}

/// The last part of a module's path.
fn last_name(module: &LinearModule) -> &str {
    module.path.rsplit('.').next().unwrap_or_default()
}

/// What is known of the texts before any is timed.
#[derive(Debug, Serialize)]
struct Checked {
    /// Tokens whose probabilities were compared, of all texts.
    checked_tokens: usize,
    #[serde(flatten)]
    off: Off,
    /// How far a page may be off.
    may_be_off_by: f64,
    /// How far one token may be.
    token_may_be_off_by: f64,
    /// The most that generation took of the device's memory before the pass over all of it, which may take more.
    #[serde(skip)]
    peak_bytes: Option<u64>,
}

/// How far logarithms of probabilities are off.
#[derive(Clone, Copy, Debug, Serialize)]
struct Off {
    /// Their root mean square over as many tokens in a row as a page has, where it is largest.
    off_by: f64,
    /// Of the token that is farthest off.
    token_off_by: f64,
}

impl Checked {
    /// Continues texts that have begun, and tell probabilities, as far as they are when timed, and compares these with those of one pass.
    ///
    /// # Errors
    /// They cannot be continued or read, or their probabilities are off.
    fn run(
        session: &Session,
        model: &Model<'_>,
        mut texts: Texts<'_, '_>,
        args: &Args,
        progress: ProgressMode,
    ) -> anyhow::Result<Checked> {
        (1..args.timed()).try_for_each(|_| texts.step())?;
        let peak_bytes = peak_bytes(session)?;
        let answers = texts.answers;
        // The pass has the room of their keys and values.
        drop(texts.engine);
        let checking = Task::spinner(progress, "reading the texts in one pass");
        let mut whole_texts = WholeTexts::new(model);
        let mut off = Off { off_by: 0.0, token_off_by: 0.0 };
        for answer in &answers {
            let whole = whole_texts.score(&answer.tokens())?;
            let pairs = answer.chosen.iter().zip(&whole[answer.prompt.len() - 1..]);
            let differences = pairs.map(|(chosen, whole)| f64::from(chosen.logprob) - f64::from(*whole));
            off = off.or_farther(Off::of(&differences.collect::<Vec<_>>()));
        }
        checking.finish();
        let may_be_off_by = tolerance(session.platform(), model.sizes().num_hidden_layers);
        let token_may_be_off_by = may_be_off_by * TOKEN_BY_PAGE;
        off.check(may_be_off_by, token_may_be_off_by)?;
        let checked_tokens = answers.iter().map(|answer| answer.chosen.len()).sum();
        Ok(Checked { checked_tokens, off, may_be_off_by, token_may_be_off_by, peak_bytes })
    }
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Checked { checked_tokens, off: Off { off_by, token_off_by }, may_be_off_by, token_may_be_off_by, .. } =
            self;
        write!(
            f,
            "{checked_tokens} tokens off a pass over the whole sequence by {off_by:.1e} at most, which may be {may_be_off_by:.1e}, a single one by \
             {token_off_by:.1e}, which may be {token_may_be_off_by:.1e}"
        )
    }
}

impl Off {
    /// Of a text's tokens that are off by these.
    fn of(differences: &[f64]) -> Off {
        let mean_square = |page: &[f64]| page.iter().map(|off| off.powi(2)).sum::<f64>() / page.len() as f64;
        let pages = differences.windows(PAGE_TOKENS.min(differences.len()).max(1));
        Off {
            off_by: farthest(pages.map(|page| mean_square(page).sqrt())),
            token_off_by: farthest(differences.iter().copied()),
        }
    }

    /// The farther of both.
    fn or_farther(self, other: Off) -> Off {
        Off {
            off_by: farthest([self.off_by, other.off_by].into_iter()),
            token_off_by: farthest([self.token_off_by, other.token_off_by].into_iter()),
        }
    }

    /// # Errors
    /// They are farther off.
    fn check(self, page_max: f64, token_max: f64) -> anyhow::Result<()> {
        let Off { off_by, token_off_by } = self;
        ensure!(
            off_by <= page_max && token_off_by <= token_max,
            "the tokens' log-probabilities are off those of one pass over the sequence by {off_by:.1e} as the root mean square of {PAGE_TOKENS} in a row, \
             which may be {page_max:.1e}, and a single one by {token_off_by:.1e}, which may be {token_max:.1e}"
        );
        Ok(())
    }
}

/// The largest without its sign. Whichever sign what is no number has, it is larger than all.
fn farthest(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.map(f64::abs).max_by(f64::total_cmp).unwrap_or(0.0)
}

/// How far a page may be off: in f32 on CPUs; in bf16 elsewhere, where errors of layers add as random numbers do. Of a Llama of 7 billion random weights PyTorch's
/// own, in bf16, are off by up to 0.16 among 24 tokens, and all of a token's logits by 4 % of their norm: one row and many are rounded at other places, in 32
/// layers.
fn tolerance(platform: Platform, layers: usize) -> f64 {
    if platform == Platform::Cpu { 1e-3 } else { 0.15 * (layers as f64 / 32.0).sqrt() }
}

/// By how many times that a single token may be off, 0.42 in 32 layers: rounding came to 0.25 among 10,560 tokens there (BENCHMARKS.md). Those of another token are
/// off by 1 and more, which is 0.18 of a page.
const TOKEN_BY_PAGE: f64 = 2.8;

impl Report {
    /// At which rate weights are read, beside a copy's where they come from memory.
    fn weights_said(&self) -> String {
        let (weights, copy) = (self.weights_gb_per_s, self.ceilings.copy_gb_per_s);
        let packed = if self.packed_weights { " of packed ones" } else { "" };
        match self.weights_in_caches {
            true => format!("{weights:.0} GB/s{packed}, which may be caches' rate: a copy moves {copy:.0} in memory"),
            false => format!(
                "{weights:.0} GB/s{packed}, {:.0} % of the {copy:.0} that a copy moves in this run",
                1e2 * weights / copy
            ),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Times { median, min, max } = self.token_ms;
        let mut texts = if self.batch > 1 { format!(", {} texts at once", self.batch) } else { String::new() };
        if self.adapters > 0 {
            texts += &format!(", {}", counted(self.adapters as u64, "adapter"));
        }
        let devices = if self.devices > 1 { format!("{} of ", self.devices) } else { String::new() };
        // Of all devices together.
        let (prompts, product) = (self.prompts_tflop_per_s, self.devices as f64 * self.ceilings.product_tflop_per_s);
        let mut rows = vec![
            (
                "tokens",
                format!("{} on {devices}{}, after {} of context{texts}", self.preset, self.device, self.context),
            ),
            (
                "ms a step",
                format!(
                    "{median:.2}, from {min:.2} to {max:.2} as means of {BLOCK}, {:.2} on average",
                    self.token_ms_mean
                ),
            ),
            ("tokens/s", format!("{:.1}", self.tokens_per_second)),
            ("weights", self.weights_said()),
            (
                "prompts",
                format!(
                    "{:.1} ms, {:.0} tok/s, {prompts:.3} TFLOP/s, {:.0} % of a product's {product:.2}",
                    self.prompts_ms.median,
                    self.prompt_tokens_per_second,
                    1e2 * prompts / product
                ),
            ),
            ("first token", format!("{:.0} ms, compiling included", self.first_token_ms)),
        ];
        let packed = if self.packed_cache { ", keys and values in twelve bits" } else { "" };
        let memory = |bytes| ("memory", format!("{} at most on the device{packed}", gigabytes(bytes)));
        rows.extend(self.peak_bytes.map(memory));
        rows.extend(self.checked.as_ref().map(|checked| ("check", checked.to_string())));
        lines(f, &rows)?;
        self.launches.iter().try_for_each(|launched| write!(f, "\n{launched}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Intervals of a host that begins steps ahead: now a long one and then a short one of a device that takes the same for each.
    #[test]
    fn the_spread_is_of_blocks() {
        let intervals = [3.5, 2.5].repeat(10);
        assert_eq!(means(std::slice::from_ref(&intervals)), [3.0, 3.0]);
        // A block does not go on behind a program that was compiled, and what is shorter than one counts if there is nothing else.
        assert_eq!(means(&[vec![9.0; 7], intervals[..9].to_vec()]), [3.0]);
        assert_eq!(means(&[vec![4.0, 5.0], vec![6.0]]), [4.5, 6.0]);
    }

    /// A text of 67 tokens that are off as bf16 makes them, and one of another token anywhere.
    #[test]
    fn a_wrong_token_is_seen_wherever_it_stands() {
        let page_max = tolerance(Platform::Cuda, 32);
        let check = |differences: &[f64]| Off::of(differences).check(page_max, page_max * TOKEN_BY_PAGE);
        let right: Vec<f64> = (0..67).map(|at| if at % 2 == 0 { 0.1 } else { -0.1 }).collect();
        check(&right).expect("rounding");
        for (at, wrong) in (0..67).flat_map(|at| [0.5, -0.5, f64::NAN, -f64::NAN].map(|wrong| (at, wrong))) {
            let mut text = right.clone();
            text[at] = wrong;
            check(&text).expect_err("another token");
        }
        // Each token of a page may be so far off, but not all of them.
        let mut text = right.clone();
        text[20..20 + PAGE_TOKENS].fill(0.2);
        check(&text).expect_err("another page");
        // Of several texts it is the one that is off.
        let off = Off::of(&right).or_farther(Off::of(&text)).or_farther(Off::of(&right));
        assert_eq!((off.off_by, off.token_off_by), (Off::of(&text).off_by, 0.2));
    }
}
