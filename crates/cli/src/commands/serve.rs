//! `finery serve`: a model, and adapters of it, over HTTP.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use anyhow::{Context as _, anyhow, bail};
use clap::ValueEnum;
use data::Tokenizer;
use engine::{
    Counters, Engine, EngineOptions, Inbox, Lookup, Model, ModelPlan, PROPOSALS_MAX, Sampling, SamplingOptions, Service,
};
use models::PackedKeys;
use server::{Address, Ended, KeyFileError, Keys, Limits, PrefixSharing, Server, ServerConfig, StartError, Tls};
use tracing::subscriber::NoSubscriber;

use crate::draft_args::{AskedDraft, DraftArgs, DraftFiles, LoadedDraft};
use crate::logging;
use crate::model_args::{ModelArgs, ModelFiles, ServedModelArgs, Serving};
use crate::open_files;
use crate::progress::{ProgressMode, Task, Unit};
use crate::sampling_args::READING_GENERATION_CONFIG;
use crate::signals;
use crate::usage::{self, Misuse};

/// Serve a model over HTTP, with OpenAI's API
///
/// Many requests are answered at once, each with the model alone or with one of the adapters beside it. Requests name an adapter as their `model`.
/// Without keys only this machine is listened to. SIGTERM and Ctrl-C let requests under way finish, up to --drain-seconds.
///
/// A request has up to 8 MiB, and all that are larger than 64 KiB have 256 MiB together while they arrive. A body that brings less than 160 KiB in 10
/// seconds, short of its end, is refused, and so is one that takes longer than a minute. A client that reads nothing for a minute is left, and what it asked for is cancelled. An answer takes an hour at most.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    finery serve quickstart/base\n  \
    finery serve quickstart/base --lora-modules poet=quickstart/lora --port 8001\n  \
    finery serve models/llama --served-model-name llama gpt-4o\n  \
    finery serve models/llama --adapters adapters/ --host 0.0.0.0 --api-keys keys.json")]
pub(crate) struct Args {
    #[command(flatten)]
    model: ServedModelArgs,

    /// Address to listen at; localhost is 127.0.0.1
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", value_parser = host, help_heading = "Server")]
    host: IpAddr,

    /// Port to listen at; 0 takes one that is free and says which
    #[arg(long, value_name = "PORT", default_value_t = 8000, value_parser = usage::whole::<u16>(0..=u64::MAX), help_heading = "Server")]
    port: u16,

    /// Names by which requests ask for the model, with spaces between them; adapters name the first as their parent. Put MODEL before it [default: the folder's]
    #[arg(long, value_name = "NAME", value_parser = served_name, num_args = 1.., help_heading = "Server")]
    served_model_name: Vec<String>,

    /// Template by which conversations are laid out, with tools and without, in place of the model's own
    #[arg(long, value_name = "FILE", help_heading = "Server")]
    chat_template: Option<PathBuf>,

    /// Key that clients send [default: FINERY_API_KEY, if it is set]
    #[arg(long, value_name = "KEY", conflicts_with = "api_keys", help_heading = "Server")]
    api_key: Option<String>,

    /// File of keys with what each may do, which `finery keys` writes; it is read again when it changes
    #[arg(long, value_name = "FILE", help_heading = "Server")]
    api_keys: Option<PathBuf>,

    /// Certificate of the server in PEM, followed by those that vouch for it: connections are encrypted; it is read again when it changes
    #[arg(long, value_name = "FILE", requires = "tls_key", help_heading = "Server")]
    tls_cert: Option<PathBuf>,

    /// The certificate's key in PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert", help_heading = "Server")]
    tls_key: Option<PathBuf>,

    /// Seconds for which requests under way go on when the server stops
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = usage::whole::<u64>(0..=u64::MAX), help_heading = "Server")]
    drain_seconds: u64,

    /// Connections at once; more wait
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = usage::whole::<u32>(1..=u64::MAX), help_heading = "Server")]
    max_connections: u32,

    /// Connections of one address at once, or of one IPv6 network of 64 bits; more are closed, but this machine's own
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = usage::whole::<u32>(1..=u64::MAX), help_heading = "Server")]
    max_connections_per_address: u32,

    /// Write prompts and answers to the log
    #[arg(long, help_heading = "Server")]
    log_content: bool,

    /// Folder whose folders are adapters, by their names; one that is put there later is found when it is asked for
    #[arg(long, value_name = "DIR", help_heading = "Adapters")]
    adapters: Option<PathBuf>,

    /// An adapter by name; may be given several times
    #[arg(long, value_name = "NAME=DIR", value_parser = named_folder, num_args = 1.., help_heading = "Adapters")]
    lora_modules: Vec<(String, PathBuf)>,

    /// Make room for adapters that are loaded over HTTP, without any at the start
    #[arg(long, help_heading = "Adapters")]
    enable_lora: bool,

    /// Make room for adapters of these modules, too, by the ends of their names; all-linear stands for all but the output layer [default: those that the
    /// adapters at the start adapt, or all if there are none]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', help_heading = "Adapters")]
    lora_target_modules: Vec<String>,

    /// Adapters on the device at once
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = usage::whole::<u32>(1..=65536), help_heading = "Adapters")]
    max_loras: u32,

    /// The most ranks of an adapter; one with more is refused
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = usage::whole::<u32>(1..=4096), help_heading = "Adapters")]
    max_lora_rank: u32,

    /// Bytes of host memory for adapters that are not on the device, in GiB
    #[arg(long, value_name = "GIB", default_value_t = 4.0, value_parser = gib, help_heading = "Adapters")]
    lora_host_gib: f64,

    /// Longest text, prompt and answer together, in tokens [default: the longest that the model is meant for]
    #[arg(long, value_name = "N", value_parser = usage::whole::<usize>(2..=u64::MAX), help_heading = "Engine")]
    max_model_len: Option<usize>,

    /// Texts that are continued at once [default: 256 on GPUs, 16 on CPUs]
    #[arg(long, value_name = "N", value_parser = usage::whole::<u32>(1..=4096), help_heading = "Engine")]
    max_num_seqs: Option<u32>,

    /// Tokens of a step, those of prompts and one for each text that goes on; on GPUs, whose prompts have steps of their own, of such a step [default: 2048 on
    /// GPUs, 512 on CPUs]
    #[arg(long, value_name = "N", value_parser = usage::whole::<u32>(1..=65536), help_heading = "Engine")]
    max_num_batched_tokens: Option<u32>,

    /// Answers that wait, beside those that are continued at once, before more are refused
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = usage::whole::<u32>(1..=u64::MAX), help_heading = "Engine")]
    max_waiting: u32,

    /// Bytes of each device for keys and values, in GiB; no more is taken than as many texts of full length as are continued at once can fill, and more than the
    /// device has room for is refused [default: what these texts can fill, or most of what is free]
    #[arg(long, value_name = "GIB", value_parser = gib, help_heading = "Engine")]
    kv_cache_gib: Option<f64>,

    /// Tokens of a page of keys and values
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = usage::whole::<u32>(1..=1024), help_heading = "Engine")]
    block_size: u32,

    /// Compute what texts that begin alike have in common for each of them
    #[arg(long, help_heading = "Engine")]
    no_prefix_caching: bool,

    /// Whose texts share what was computed of prompts that begin alike: where all keys' do, one can find out what others have asked. Requests are kept apart
    /// further by their `cache_salt`
    #[arg(long, value_enum, value_name = "WHOSE", default_value_t = Sharing::Key, help_heading = "Engine")]
    prefix_cache_sharing: Sharing,

    /// Give the same answer to the same request, at temperature 0 or with a seed, whatever is computed beside it, to the bit: slower
    #[arg(long, help_heading = "Engine")]
    deterministic: bool,

    /// Tokens that are proposed for a text where its last ones stood in it before, from 1 to 16, and computed at once: the same answers, sooner for texts that
    /// repeat themselves
    #[arg(long, value_name = "K", value_parser = usage::whole::<usize>(1..=PROPOSALS_MAX as u64), conflicts_with_all = ["speculative_config", "speculative_model"], help_heading = "Engine")]
    speculative_ngram: Option<usize>,

    #[command(flatten, next_help_heading = "Engine")]
    draft: DraftArgs,

    /// The one or the other as vLLM writes it: {"method": "ngram", "num_speculative_tokens": K, "prompt_lookup_max": N, "prompt_lookup_min": N} or
    /// {"model": "DIR", "num_speculative_tokens": K}
    #[arg(long, value_name = "JSON", value_parser = speculative_config, conflicts_with = "speculative_model", help_heading = "Engine")]
    speculative_config: Option<Speculation>,
}

/// The environment variable of the key that clients send.
const KEY_VARIABLE: &str = "FINERY_API_KEY";

/// What proposes tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Speculation {
    Lookup(Lookup),
    Draft(AskedDraft),
}

/// vLLM's `speculative_config`.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct SpeculativeConfig {
    method: Option<String>,
    model: Option<PathBuf>,
    num_speculative_tokens: usize,
    prompt_lookup_max: Option<usize>,
    prompt_lookup_min: Option<usize>,
}

fn speculative_config(text: &str) -> Result<Speculation, String> {
    let config: SpeculativeConfig = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let SpeculativeConfig { method, model, num_speculative_tokens: tokens, prompt_lookup_max, prompt_lookup_min } =
        config;
    if !(1..=PROPOSALS_MAX).contains(&tokens) {
        return Err(format!("`num_speculative_tokens` is {tokens}, but it should be from 1 to {PROPOSALS_MAX}"));
    }
    match (method.as_deref(), model) {
        (Some("ngram"), None) => {}
        (Some("ngram"), Some(_)) => {
            return Err("the method `ngram` takes no `model`: leave out the one or the other".to_owned());
        }
        (None | Some("draft_model"), Some(_)) if prompt_lookup_max.or(prompt_lookup_min).is_some() => {
            return Err(
                "a draft model looks nothing up: leave out `prompt_lookup_max` and `prompt_lookup_min`".to_owned()
            );
        }
        (None | Some("draft_model"), Some(folder)) => return Ok(Speculation::Draft(AskedDraft { folder, tokens })),
        (None, None) | (Some("draft_model"), None) => {
            return Err("it should have \"method\": \"ngram\", or as `model` the folder of a draft model".to_owned());
        }
        (Some(method), _) => return Err(format!("the method is `{method}`, and there are `ngram` and `draft_model`")),
    }
    let usual = Lookup::of(tokens);
    // As vLLM has it, where one is given the other is the same.
    let (longest, shortest) = match (prompt_lookup_max, prompt_lookup_min) {
        (None, None) => (usual.longest, usual.shortest),
        (longest, shortest) => (longest.or(shortest).unwrap_or_default(), shortest.or(longest).unwrap_or_default()),
    };
    Ok(Speculation::Lookup(Lookup { longest, shortest, ..usual }))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Sharing {
    /// Those of all keys
    All,
    /// Those of one key
    Key,
}

/// An address, or the one name that means the same everywhere.
fn host(text: &str) -> Result<IpAddr, String> {
    if text == "localhost" {
        return Ok(Ipv4Addr::LOCALHOST.into());
    }
    let what = "it should be an IP address, such as 127.0.0.1 (this machine alone) or 0.0.0.0 (from others too)";
    text.parse().map_err(|_| what.to_owned())
}

/// Bytes in GiB.
fn gib(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|gib: &f64| gib.is_finite() && bytes(*gib) > 0);
    number.ok_or_else(|| "it should be a number of GiB above 0, such as 4 or 0.5".to_owned())
}

/// Whole bytes of so many GiB.
fn bytes(gib: f64) -> u64 {
    (gib * f64::from(1 << 30)) as u64
}

fn named_folder(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, path)) if !name.is_empty() && !path.is_empty() => {
            engine::check_adapter_name(name).map(|()| (name.to_owned(), path.into()))
        }
        _ => Err("it should be a name and a folder, as in poet=adapters/poet".to_owned()),
    }
}

/// A name of the model. A comma is most likely meant to stand between two.
fn served_name(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        return Err("it should have a character or more".to_owned());
    }
    if text.contains(',') {
        return Err(
            "a name has no comma: put a space between several, as in --served-model-name llama gpt-4o".to_owned()
        );
    }
    Ok(text.to_owned())
}

/// Runs `finery serve`.
///
/// # Errors
/// The model, an adapter or the keys cannot be read, the address cannot be had, or the device fails again and again.
pub(crate) fn run(args: Args, progress: ProgressMode) -> anyhow::Result<ExitCode> {
    let model_args = args.model_args();
    let mut files = model_args.files()?;
    let (names, sampling) = (names(&args)?, sampling(&files)?);
    check_together(&args, &names)?;
    let keys = args.keys()?;
    // Whoever cannot have it should not wait for a model to be loaded.
    let address = Address::take(SocketAddr::new(args.host, args.port), &keys).map_err(in_words_of_address)?;
    let tls = args.tls()?;
    let scheme = if tls.is_some() { "https" } else { "http" };
    let draft = args.asked_draft().map(|draft| draft.files(&model_args, &files)).transpose()?;
    let tokenizer = files.shared_tokenizer(args.chat_template.as_deref())?;
    // Who starts it with any port is told which one it is before the model is there, which takes minutes.
    tracing::info!("getting ready at {scheme}://{address}");
    open_files::raise();
    let session = model_args.open(progress)?;
    let proposed = draft.as_ref().map(DraftFiles::tokens);
    let options = checked_options(&args, &names, &model_args.plan(&session, &files)?, proposed)?;
    let model = model_args.load(&session, &files, progress)?;
    let draft = draft.map(|draft| draft.load(&session, progress)).transpose()?;
    let counters = Arc::new(Counters::new(std::time::Instant::now()));
    let options = with_rows(with_template(options, &args, &tokenizer), &args, &model)?;
    let draft = draft.as_ref().map(LoadedDraft::draft);
    let mut engine = Engine::with_draft(&model, draft, &options, Arc::clone(&counters)).map_err(in_words_of_options)?;
    check_context(&args, engine.context(), model.longest())?;
    for (name, path) in &args.lora_modules {
        engine.load_adapter(name, path, false)?;
    }
    let (service, inbox) = Service::new(engine.context(), model.sizes().vocab_size, options.waiting, counters);
    let end_ids = tokenizer.stop_ids().into_iter().chain(model.eos_ids().iter().copied()).collect();
    let config = ServerConfig {
        tokenizer,
        model_root: args.model.folder().display().to_string(),
        longer_context: longer_context(&args, engine.context(), model.longest()),
        model_names: names,
        end_ids,
        sampling,
        keys,
        tls,
        prefix_sharing: match args.prefix_cache_sharing {
            Sharing::All => PrefixSharing::All,
            Sharing::Key => PrefixSharing::Key,
        },
        vector_size: model.sizes().hidden_size,
        limits: limits(&args),
        log_content: args.log_content,
    };
    // Until here a signal ends the process at once.
    let stop = signals::first("finishing the requests under way")?;
    // Before the programs are made: whoever asks is told that they are not there yet.
    let server = Server::listen(address, config, service).map_err(in_words_of_address)?;
    let address = server.address();
    let is_stopping = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&is_stopping);
    let serving = std::thread::Builder::new()
        .name("http".to_owned())
        .spawn(move || server.run(async move { told.store(stop.await.is_ok(), Ordering::Relaxed) }))
        .context("starting the server's thread")?;
    let computed = compute_beside(engine, inbox, serving, |engine, inbox| {
        warm_up(engine, inbox, progress, &is_stopping)?;
        if !is_stopping.load(Ordering::Relaxed) {
            tell_address(args.port, &format!("{scheme}://{address}"));
        }
        Ok(engine.run(inbox)?)
    });
    Ok(match computed?? {
        Ended::Drained => ExitCode::SUCCESS,
        Ended::Cut => ExitCode::FAILURE,
    })
}

/// Says where requests are answered. A port that nobody has chosen is told to those too who want no news: they cannot know it otherwise.
fn tell_address(port: u16, address: &str) {
    match port {
        0 => tracing::info!(target: logging::ASKED, "serving at {address}"),
        _ => tracing::info!("serving at {address}"),
    }
}

/// Runs what computes for a server that is listening, and waits for the server's end. Where it fails or panics, also before the first request is looked at, all
/// who wait are told that the engine has ended, and what was answered is still to reach who asked.
///
/// # Errors
/// That of `compute`; or the server's thread panicked.
fn compute_beside<E, I, T>(
    mut engine: E,
    mut inbox: I,
    serving: JoinHandle<T>,
    compute: impl FnOnce(&mut E, &mut I) -> anyhow::Result<()>,
) -> anyhow::Result<T> {
    let computed = catch_unwind(AssertUnwindSafe(|| compute(&mut engine, &mut inbox)));
    drop((inbox, engine));
    let ended = serving.join().map_err(|_| anyhow!("the server's thread ended in disorder"));
    computed.unwrap_or_else(|panic| resume_unwind(panic))?;
    ended
}

/// What is wrong with an address by the options that it comes from.
fn in_words_of_address(error: StartError) -> anyhow::Error {
    match error {
        StartError::Listen { address, source } => {
            anyhow!(
                "cannot listen at {address}: {source}: choose another --port, or 0 for one that is free, or another --host"
            )
        }
        StartError::Open(address) => anyhow!(
            "{address} can be reached from other machines, and there are no keys, so that everyone could use the model: give --api-key, or --api-keys with a \
             file that `finery keys add NAME` makes, or leave out --host"
        ),
        other => other.into(),
    }
}

/// An engine's settings by the options that they come from.
fn in_words_of_options(error: engine::Error) -> anyhow::Error {
    match error {
        engine::Error::Setting { name: "context", value, rule } => {
            engine::Error::Setting { name: "--max-model-len", value, rule }.into()
        }
        engine::Error::Setting { name: "a module of adapters", value, rule } => {
            engine::Error::Setting { name: "a module of --lora-target-modules", value, rule }.into()
        }
        engine::Error::NoRoomForAdapters { .. } => {
            anyhow!("{error} (--max-loras, --max-lora-rank, --lora-target-modules)")
        }
        other => other.into(),
    }
}

/// What is asked for has to fit into the cache of keys and values; that the longest of the model does not is said.
fn check_context(args: &Args, context: usize, longest: usize) -> anyhow::Result<()> {
    match args.max_model_len {
        Some(asked) if context < asked => bail!(
            "--max-model-len: the cache of keys and values has room for texts of {context} tokens and not of {asked}: give it more with --kv-cache-gib, or ask for less"
        ),
        None if context < longest => tracing::warn!(
            "the cache of keys and values has room for texts of {context} tokens, and the model for {longest}: --kv-cache-gib gives it more"
        ),
        _ => {}
    }
    Ok(())
}

/// What would have a server take longer texts, if the model does: clients are told with what is too long.
fn longer_context(args: &Args, context: usize, longest: usize) -> Option<String> {
    (context < longest).then(|| match args.max_model_len {
        Some(_) => format!("or start the server with a larger --max-model-len: the model takes up to {longest}"),
        None => format!("or start the server with a larger --kv-cache-gib: the model takes up to {longest}"),
    })
}

fn names(args: &Args) -> anyhow::Result<Vec<String>> {
    if !args.served_model_name.is_empty() {
        return Ok(args.served_model_name.clone());
    }
    let path = args.model.folder();
    match path.canonicalize().ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned())) {
        Some(name) => Ok(vec![name]),
        None => bail!("{} has no name by which requests could ask for it: give --served-model-name", path.display()),
    }
}

/// Refuses options that cannot be together, before a model is loaded for them.
fn check_together(args: &Args, names: &[String]) -> Result<(), Misuse> {
    check_lora_modules(&args.lora_modules, names)?;
    check_speculation(args)
}

/// Refuses adapters that would have a name of the model's or of each other's.
fn check_lora_modules(modules: &[(String, PathBuf)], names: &[String]) -> Result<(), Misuse> {
    for (index, (name, _)) in modules.iter().enumerate() {
        if modules[..index].iter().any(|(other, _)| other == name) || names.contains(name) {
            let said = format!("--lora-modules: the name `{name}` stands for something else already: choose another");
            return Err(Misuse(said));
        }
    }
    Ok(())
}

/// Refuses to propose tokens where none can be.
fn check_speculation(args: &Args) -> Result<(), Misuse> {
    match args.speculation() {
        Some(option) if args.deterministic => {
            let rule = "where answers are the same to the bit each token is computed alone";
            Err(Misuse(format!("{option} beside --deterministic: {rule}: leave out the one or the other")))
        }
        _ => Ok(()),
    }
}

fn limits(args: &Args) -> Limits {
    Limits {
        drain: std::time::Duration::from_secs(args.drain_seconds),
        connections: args.max_connections as usize,
        connections_of_address: args.max_connections_per_address as usize,
        ..Limits::default()
    }
}

impl Args {
    /// How the model is loaded: what keys and values take is known before.
    fn model_args(&self) -> ModelArgs {
        // Without a length it is the model's longest.
        let (bytes, tokens) = (self.kv_cache_gib.map_or(0, bytes), self.max_model_len.unwrap_or(usize::MAX));
        // Proposals are several tokens of each text, which meet what is unpacked for them in each step.
        let reads_packed = self.speculation().is_none() && PackedKeys::fills(self.block_size as usize);
        let prompt_rows = engine::prompt_rows(self.max_num_batched_tokens.map(|tokens| tokens as usize));
        let is_deterministic = self.deterministic;
        let serving = Serving { bytes, tokens, is_deterministic, reads_packed, prompt_rows };
        ModelArgs::from(self.model.clone()).serving(serving)
    }

    /// Whether there is to be room for adapters.
    fn has_adapters(&self) -> bool {
        let are_named = !self.lora_modules.is_empty() || !self.lora_target_modules.is_empty();
        self.enable_lora || self.adapters.is_some() || are_named
    }

    /// What clients are asked for.
    fn keys(&self) -> anyhow::Result<Keys> {
        let variable = std::env::var_os(KEY_VARIABLE);
        Ok(match (&self.api_key, &self.api_keys) {
            (Some(key), _) => {
                Keys::one(key).map_err(|error| anyhow!("--api-key: {error}: give such a key, or leave it out"))?
            }
            (None, Some(_)) if variable.is_some() => {
                let said = format!(
                    "{KEY_VARIABLE} is set, and --api-keys names a file of keys: unset the one, or leave out the other"
                );
                return Err(Misuse(said).into());
            }
            (None, Some(path)) => Keys::read(path).map_err(|error| match &error {
                KeyFileError::Read { reason, .. } if reason.kind() == io::ErrorKind::NotFound => {
                    anyhow!("{error}: `finery keys add NAME --file {}` makes it, with a first key", path.display())
                }
                _ => error.into(),
            })?,
            (None, None) => match variable {
                Some(key) => Keys::one(&key.to_string_lossy())
                    .map_err(|error| anyhow!("{KEY_VARIABLE}: {error}: give it such a key, or unset it"))?,
                None => Keys::open(),
            },
        })
    }

    /// What connections are encrypted with, if they are.
    fn tls(&self) -> anyhow::Result<Option<Tls>> {
        let files = self.tls_cert.as_ref().zip(self.tls_key.as_ref());
        Ok(files.map(|(certificate, key)| Tls::read(certificate, key)).transpose()?)
    }

    /// The smaller model that is to propose tokens.
    fn asked_draft(&self) -> Option<AskedDraft> {
        match &self.speculative_config {
            Some(Speculation::Draft(draft)) => Some(draft.clone()),
            _ => self.draft.asked(),
        }
    }

    /// The option that has tokens proposed, if one has.
    fn speculation(&self) -> Option<&'static str> {
        match (&self.speculative_config, self.speculative_ngram) {
            (Some(_), _) => Some("--speculative-config"),
            (None, Some(_)) => Some("--speculative-ngram"),
            (None, None) => self.draft.asked().map(|_| "--speculative-model"),
        }
    }

    /// How tokens are to be looked up that are proposed.
    fn lookup(&self) -> Option<Lookup> {
        match &self.speculative_config {
            Some(Speculation::Lookup(lookup)) => Some(*lookup),
            _ => self.speculative_ngram.map(Lookup::of),
        }
    }
}

/// An engine's settings, refused before weights are read, which may take minutes, where that needs none. A draft proposes so many tokens, if there is one.
fn checked_options(
    args: &Args,
    names: &[String],
    plan: &ModelPlan,
    draft: Option<usize>,
) -> anyhow::Result<EngineOptions> {
    let options = EngineOptions { model_names: names.to_vec(), ..options(args) };
    // What is worth a warning the engine will say itself.
    tracing::subscriber::with_default(NoSubscriber::default(), || {
        let checked = options.check(plan, draft).map_err(|error| match error {
            engine::Error::Setting { name: name @ "the number of speculative tokens", value, rule } => {
                let name = match args.speculation() {
                    Some("--speculative-config") => "`num_speculative_tokens` of --speculative-config",
                    option => option.unwrap_or(name),
                };
                engine::Error::Setting { name, value, rule }
            }
            other => other,
        });
        let beforehand = checked.map_err(in_words_of_options)?;
        args.lora_modules.iter().try_for_each(|(name, path)| beforehand.check_adapter(name, path))?;
        Ok(options)
    })
}

/// Beside the model's chat template, unless conversations are laid out by one that somebody has chosen.
fn with_template(options: EngineOptions, args: &Args, tokenizer: &Tokenizer) -> EngineOptions {
    let own = tokenizer.chat_template(false).filter(|_| args.chat_template.is_none());
    EngineOptions { chat_template: own.map(|template| template.source().to_owned()), ..options }
}

/// As many texts at once as are usual with the model, unless somebody says how many.
fn with_rows(options: EngineOptions, args: &Args, model: &Model<'_>) -> anyhow::Result<EngineOptions> {
    let rows = if args.max_num_seqs.is_some() { options.rows } else { EngineOptions::usual_rows(model)? };
    Ok(EngineOptions { rows, ..options })
}

/// How tokens are chosen where a request does not say: what no request could have is told at the start.
fn sampling(files: &ModelFiles) -> anyhow::Result<SamplingOptions> {
    let sampling = files.generation_config.served();
    Sampling::new(sampling).context(READING_GENERATION_CONFIG)?;
    Ok(sampling)
}

/// An engine's settings, but for how many texts are usual at once.
fn options(args: &Args) -> EngineOptions {
    let usual = EngineOptions::default();
    EngineOptions {
        rows: args.max_num_seqs.map_or(usual.rows, |rows| rows as usize),
        context: args.max_model_len,
        step_tokens: args.max_num_batched_tokens.map(|tokens| tokens as usize),
        page_tokens: args.block_size as usize,
        cache_bytes: args.kv_cache_gib.map(bytes),
        waiting: args.max_waiting as usize,
        shares_prefixes: !args.no_prefix_caching,
        is_deterministic: args.deterministic,
        lookup: args.lookup(),
        adapters: args.adapters.clone(),
        adapter_paths: args.lora_modules.iter().map(|(_, path)| path.clone()).collect(),
        adapter_targets: args.lora_target_modules.clone(),
        adapters_max: if args.has_adapters() { args.max_loras as usize } else { 0 },
        adapter_rank_max: args.max_lora_rank as usize,
        adapter_host_bytes: bytes(args.lora_host_gib),
        ..usual
    }
}

/// Makes all programs, unless the server is to stop meanwhile: what is asked of it by then is answered, and nothing else.
fn warm_up(
    engine: &mut Engine<'_, '_>,
    inbox: &mut Inbox,
    progress: ProgressMode,
    is_stopping: &AtomicBool,
) -> anyhow::Result<()> {
    let mut task = None;
    let (mut before, mut is_whole) = (0, false);
    engine.warm_up(&mut |done, all| {
        let task =
            task.get_or_insert_with(|| Task::bar(progress, "making the programs of steps", all as u64, Unit::Items));
        task.advance((done - before) as u64);
        (before, is_whole) = (done, done == all);
        inbox.drop_abandoned();
        if is_stopping.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    match task {
        Some(task) if is_whole => task.finish(),
        Some(task) => task.stop(),
        None => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn too_many_places_for_adapters_are_told_by_their_options() {
        let [pool, state, free, total] = [4, 3, 6, 8].map(|gib| runtime::Bytes(gib << 30));
        let told = in_words_of_options(engine::Error::NoRoomForAdapters { pool, tokens: 64, state, free, total });
        assert!(told.to_string().ends_with(" (--max-loras, --max-lora-rank, --lora-target-modules)"), "{told}");
    }

    /// Requests wait from when the server listens, long before the programs are made.
    #[test]
    fn who_waits_is_told_where_programs_cannot_be_made() {
        for end in ["answered", "no room", "panic"] {
            let compute = || match end {
                "answered" => Ok(()),
                "no room" => bail!("the device has no room for a program"),
                _ => panic!("a program that cannot be traced"),
            };
            let (engine, inbox) = mpsc::channel::<()>();
            // As a server, which ends when its engine does.
            let (told, tells) = mpsc::channel();
            let serving = std::thread::spawn(move || {
                let ended = inbox.recv().is_err();
                std::thread::sleep(std::time::Duration::from_millis(20));
                _ = told.send(ended);
            });
            let ended = catch_unwind(AssertUnwindSafe(|| compute_beside(engine, (), serving, |_, ()| compute())));
            assert_eq!(matches!(ended, Ok(Ok(()))), end == "answered", "{end}");
            assert_eq!(tells.try_recv(), Ok(true), "{end}: the server has ended before its process does");
        }
    }

    #[test]
    fn speculative_config_is_vllm_s() {
        let lookup = |tokens, longest, shortest| Ok(Speculation::Lookup(Lookup { tokens, longest, shortest }));
        let draft = |tokens| Ok(Speculation::Draft(AskedDraft { folder: "small".into(), tokens }));
        for (text, expected) in [
            (r#"{"method": "ngram", "num_speculative_tokens": 3}"#, lookup(3, 4, 2)),
            (
                r#"{"method": "ngram", "num_speculative_tokens": 5, "prompt_lookup_max": 7, "prompt_lookup_min": 3}"#,
                lookup(5, 7, 3),
            ),
            (r#"{"method": "ngram", "num_speculative_tokens": 5, "prompt_lookup_max": 3}"#, lookup(5, 3, 3)),
            (r#"{"model": "small", "num_speculative_tokens": 5}"#, draft(5)),
            (r#"{"method": "draft_model", "model": "small", "num_speculative_tokens": 2}"#, draft(2)),
            (
                r#"{"method": "eagle", "model": "small", "num_speculative_tokens": 5}"#,
                Err("the method is `eagle`, and there are `ngram` and `draft_model`"),
            ),
            (
                r#"{"method": "ngram", "model": "small", "num_speculative_tokens": 5}"#,
                Err("the method `ngram` takes no `model`"),
            ),
            (
                r#"{"model": "small", "num_speculative_tokens": 5, "prompt_lookup_min": 2}"#,
                Err("a draft model looks nothing up"),
            ),
            (
                r#"{"model": "small", "num_speculative_tokens": 17}"#,
                Err("`num_speculative_tokens` is 17, but it should be from 1 to 16"),
            ),
            (r#"{"model": "small"}"#, Err("missing field `num_speculative_tokens`")),
            (r#"{"num_speculative_tokens": 5}"#, Err("it should have \"method\": \"ngram\", or as `model`")),
            (
                r#"{"method": "draft_model", "num_speculative_tokens": 5}"#,
                Err("it should have \"method\": \"ngram\", or as `model`"),
            ),
            (
                r#"{"method": "ngram", "num_speculative_tokens": 5, "prompt_lookup": 3}"#,
                Err("unknown field `prompt_lookup`"),
            ),
            ("3", Err("invalid type")),
        ] {
            match (speculative_config(text), expected) {
                (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{text}"),
                (Err(error), Err(expected)) => assert!(error.contains(expected), "{error}"),
                (found, _) => panic!("{text}: {found:?}"),
            }
        }
    }
}
