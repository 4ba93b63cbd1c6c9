//! `finery checkpoint`: what the checkpoints of training hold, whether that is what was saved, and the same as one model.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use checkpoint::{CHECKPOINTS, Checkpoint, Trained, is_moment};
use indicatif::HumanCount;
use runtime::Bytes;
use train::SavedRun;
use train::config::{ModelConfig, TrainConfig};

use super::export::parse_size;
use crate::plural::counted;

/// Look into the checkpoints of training, check them, or write one as a model
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Subcommand,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Subcommand {
    /// Say what a checkpoint holds, or list the checkpoints of a run, and of which step its trained model is
    ///
    /// Reads names and sizes, not the weights; `verify` reads all of it.
    #[command(after_help = "Examples:\n  \
        finery checkpoint inspect runs/lora\n  \
        finery checkpoint inspect runs/lora/checkpoints/step-00000500 --tensors")]
    Inspect {
        /// A checkpoint, or the folder of a run
        folder: PathBuf,
        /// Lists the tensors of a checkpoint too: type, shape, and the number of boxes that each is in
        #[arg(long)]
        tensors: bool,
    },
    /// Read a checkpoint, or all of a run, and compare everything with what was saved
    ///
    /// Exit code 1, with the file and the tensor, if anything differs.
    Verify {
        /// A checkpoint, or the folder of a run
        folder: PathBuf,
    },
    /// Write the weights of a checkpoint as a Hugging Face model folder, or as a PEFT adapter folder
    ///
    /// They are as training holds them, in f32; `finery export` and `finery merge` write other types, and compare what the model computes.
    /// Needs no device, takes one tensor into memory at a time, and may be done while the run goes on.
    #[command(after_help = "Example:\n  finery checkpoint consolidate runs/full/checkpoints/step-00000500 model")]
    Consolidate {
        /// A checkpoint, or the folder of a run, which stands for its newest
        folder: PathBuf,
        /// The folder to write, which must not exist or be empty
        output: PathBuf,
        /// Limit on the weights in one file, such as 5GB, 800MB or 2GiB
        #[arg(long, value_name = "SIZE", default_value = "5GB", value_parser = parse_size)]
        max_shard_size: u64,
    },
}

/// Runs a `finery checkpoint` command.
///
/// # Errors
/// There is no checkpoint, it is damaged, or the output cannot be written.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    let text = match args.command {
        Subcommand::Inspect { folder, tensors } => match in_run(&folder)? {
            Some(found) => listed(&folder, &found),
            None => described(&Checkpoint::open_anywhere(folder)?, tensors)?,
        },
        Subcommand::Verify { folder } => verify(&folder)?,
        Subcommand::Consolidate { folder, output, max_shard_size } => {
            let write = |checkpoint: &Path| checkpoint::consolidate(checkpoint, &output, max_shard_size);
            let folder = match in_run(&folder)? {
                None => write(&folder).map(|()| folder)?,
                Some(_) => match checkpoint::of_newest(&folder, write)? {
                    Some((newest, ())) => newest,
                    None => bail!("{} holds no checkpoint yet: wait until one is saved", folder.display()),
                },
            };
            format!("wrote the weights of {} to {}\n", folder.display(), output.display())
        }
    };
    std::io::stdout().write_all(text.as_bytes()).context("printing about the checkpoint")
}

/// The folders in the folder of a run that are checkpoints or were, sorted; `None` for what is to be a checkpoint.
///
/// # Errors
/// The folder has nothing of either.
fn in_run(folder: &Path) -> anyhow::Result<Option<Vec<PathBuf>>> {
    let checkpoints = folder.join(CHECKPOINTS);
    if !checkpoints.is_dir() {
        // What is not there, or has a checkpoint's name, is another mistake.
        if folder.is_dir() && !Checkpoint::is_at(folder) && !name(folder).contains("step-") {
            bail!(
                "{} is neither a checkpoint nor the folder of a run that has saved one: name a folder that holds manifest.json or \
                 {CHECKPOINTS}/",
                folder.display()
            );
        }
        return Ok(None);
    }
    let listing = || format!("listing {}", checkpoints.display());
    let paths = fs::read_dir(&checkpoints).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    let mut paths: Vec<PathBuf> = paths.with_context(listing)?;
    // What is hidden is being written.
    paths.retain(|path| path.is_dir() && !name(path).starts_with('.'));
    paths.sort();
    Ok(Some(paths))
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A line for each checkpoint of a run, and one for its trained model.
fn listed(run: &Path, found: &[PathBuf]) -> String {
    let none = found.is_empty().then(|| format!("{} holds no checkpoint yet\n", run.display()));
    let line = |path: &PathBuf| match Checkpoint::open_anywhere(path) {
        Ok(checkpoint) => {
            let bytes = checkpoint.files().iter().map(|(_, bytes)| u128::from(*bytes)).sum();
            let interim = match SavedRun::read(&checkpoint) {
                Ok(SavedRun { interim: true, .. }) => ", saved by the clock",
                _ => "",
            };
            format!("{}  step {}, {}, {}{interim}\n", name(path), checkpoint.step(), Bytes(bytes), mesh(&checkpoint))
        }
        // A run that goes on has removed it.
        Err(_) if !path.exists() => String::new(),
        Err(error) => format!("{}  {error}\n", name(path)),
    };
    let trained = match Trained::find(run) {
        Ok(Some(Trained { file, step: Some(step) })) => format!("{}  step {step}, the trained model\n", name(&file)),
        Ok(Some(Trained { file, step: None })) => {
            format!("{}  the trained model, of a step that it does not say\n", name(&file))
        }
        Ok(None) => String::new(),
        Err(error) => format!("{error}\n"),
    };
    none.into_iter().chain(found.iter().map(line)).chain([trained]).collect()
}

fn mesh(checkpoint: &Checkpoint) -> String {
    let sizes: Vec<String> = checkpoint.mesh().iter().map(|(axis, size)| format!("{axis} {size}")).collect();
    if sizes.is_empty() { "one device".to_owned() } else { sizes.join(" x ") }
}

/// What a checkpoint holds.
fn described(checkpoint: &Checkpoint, with_tensors: bool) -> anyhow::Result<String> {
    let mut text = String::new();
    let saved = SavedRun::read(checkpoint)?;
    let [rows, tokens] = [saved.rows, saved.tokens].map(HumanCount);
    writeln!(text, "step     {}{}", checkpoint.step(), if saved.interim { ", saved by the clock" } else { "" })?;
    writeln!(text, "data     goes on at row {rows}, after {tokens} tokens")?;
    writeln!(text, "mesh     {}", mesh(checkpoint))?;
    if let Some(claim) = checkpoint.saved_by() {
        writeln!(text, "saved    by {}; epoch {} of the run", claim.owner, claim.epoch)?;
    }
    let tensors = checkpoint.tensors();
    for (kind, is_moments) in [("weights", false), ("moments", true)] {
        let names: Vec<&str> = tensors.names().filter(|name| is_moment(name) == is_moments).collect();
        let boxes: usize = names.iter().map(|name| tensors.box_count(name)).sum();
        let bytes = names.iter().map(|name| bytes(checkpoint, name)).sum::<anyhow::Result<u128>>()?;
        let (tensors, boxes) = (counted(names.len() as u64, "tensor"), counted(boxes as u64, "box"));
        writeln!(text, "{kind}  {tensors} in {boxes}, {}", Bytes(bytes))?;
    }
    for (position, (name, bytes)) in checkpoint.files().into_iter().enumerate() {
        let label = if position == 0 { "files" } else { "" };
        writeln!(text, "{label:<8} {name}: {}", Bytes(u128::from(bytes)))?;
    }
    for (position, setting) in settings(&saved.config).into_iter().enumerate() {
        let label = if position == 0 { "config" } else { "" };
        writeln!(text, "{label:<8} {setting}")?;
    }
    if with_tensors {
        writeln!(text)?;
        for name in tensors.names() {
            let (dtype, shape) = (tensors.dtype(name)?, tensors.shape(name).unwrap_or_default());
            let boxes = match tensors.box_count(name) {
                1 => "whole".to_owned(),
                count => format!("in {count} boxes"),
            };
            writeln!(text, "{name}  {dtype} {shape:?}, {boxes}")?;
        }
    }
    Ok(text)
}

fn bytes(checkpoint: &Checkpoint, name: &str) -> anyhow::Result<u128> {
    let shape = checkpoint.tensors().shape(name).unwrap_or_default();
    let size = checkpoint.tensors().dtype(name)?.size();
    Ok(shape.iter().map(|size| *size as u128).product::<u128>() * size as u128)
}

/// The settings by which a run is known again.
fn settings(config: &TrainConfig) -> Vec<String> {
    let mut settings = Vec::new();
    if let Some(base) = &config.base_model {
        settings.push(format!("base_model: {}", base.display()));
    }
    if let Some(ModelConfig::File(path)) = &config.model_config {
        settings.push(format!("model_config: {}", path.display()));
    }
    if config.adapter.is_some() {
        settings.push(format!("adapter: lora, lora_r: {}", config.lora_r));
    }
    let datasets: Vec<String> = config.datasets.iter().map(|dataset| dataset.path.display().to_string()).collect();
    settings.push(format!("datasets: {}", datasets.join(", ")));
    settings.push(format!(
        "sequence_len: {}, micro_batch_size: {}, gradient_accumulation_steps: {}, learning_rate: {}, seed: {}",
        config.sequence_len,
        config.micro_batch_size,
        config.gradient_accumulation_steps,
        config.learning_rate,
        config.seed
    ));
    settings
}

/// Checks a checkpoint, or each of a run.
fn verify(folder: &Path) -> anyhow::Result<String> {
    let found: Vec<_> = match in_run(folder)? {
        Some(found) if found.is_empty() => bail!("{} holds no checkpoint yet", folder.display()),
        Some(found) => found.into_iter().filter(|path| checkpoint::parse_step(path).is_some()).collect(),
        None => vec![folder.to_path_buf()],
    };
    if found.is_empty() {
        bail!(
            "{} holds no checkpoint but what was set aside as damaged: `finery checkpoint verify` of one of those folders says what is wrong \
             with it, and `finery train --overwrite` begins again",
            folder.display()
        );
    }
    let (mut text, mut faults) = (String::new(), Vec::new());
    let is_gone = |path: &Path| path != folder && !path.exists();
    for path in found {
        match Checkpoint::open_anywhere(&path) {
            Ok(checkpoint) => {
                let own = checkpoint.faults();
                if own.is_empty() {
                    let tensors = counted(checkpoint.tensors().names().len() as u64, "tensor");
                    let files = counted(checkpoint.files().len() as u64, "file");
                    writeln!(text, "{}: {tensors} in {files}, as they were saved", path.display())?;
                }
                // Of one that a run has removed meanwhile, as it goes on, nothing is wrong.
                faults.extend(own.iter().filter(|_| !is_gone(&path)).map(ToString::to_string));
            }
            Err(_) if is_gone(&path) => {}
            Err(error) => faults.push(error.to_string()),
        }
    }
    if faults.is_empty() {
        return Ok(text);
    }
    std::io::stdout().write_all(text.as_bytes()).context("printing about the checkpoints")?;
    bail!("{}", faults.join("; "))
}
