//! `finery mesh`: how a run's tensors lie on its devices.

mod picture;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use graph::Axis;
use runtime::Bytes;
use train::config::{MicroBatch, TrainConfig};
use train::{Placement, Role, StepLayout};

use crate::output_file::OutputFile;
use crate::{narrow, usage};
use picture::Picture;

/// Show how a run's tensors lie on the devices of its mesh
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Subcommand,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Subcommand {
    /// List which device holds which part of each parameter, of what the optimizer remembers and of the batch
    ///
    /// Needs no device: the mesh is that of the configuration. Nor does it need weights: `base_model` has to hold a `config.json`, or may be the
    /// name of a preset of `finery models --presets`.
    #[command(after_help = "Examples:\n  \
        finery mesh show train.yaml mesh.fsdp=8\n  \
        finery mesh show train.yaml mesh.fsdp=4 mesh.mp=2 --param q_proj\n  \
        finery mesh show train.yaml mesh.fsdp=8 mesh.sharding=zero1 --svg mesh.svg")]
    Show(ShowArgs),
}

#[derive(Clone, Debug, clap::Args)]
struct ShowArgs {
    /// The configuration of the run
    config: PathBuf,
    /// Settings that win over the file's, as `mesh.fsdp=8`
    #[arg(value_name = "KEY=VALUE")]
    overrides: Vec<String>,
    /// Draws the tensors whose names hold this text, in place of the list
    #[arg(long, value_name = "TEXT")]
    param: Option<String>,
    /// Devices of the machine, for sizes that are `auto`
    #[arg(long, value_name = "COUNT", default_value = "8", value_parser = usage::whole::<usize>(1..=u64::MAX))]
    devices: usize,
    /// Writes the drawing of all tensors, or of those of --param, to a file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Runs a `finery mesh` command.
///
/// # Errors
/// The configuration means no run, or its tensors do not divide over its mesh.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let Subcommand::Show(args) = &args.command;
    let config = TrainConfig::load(&args.config, &args.overrides)?;
    let layout = StepLayout::of(&config, args.devices)?;
    let tensors: Vec<&Placement> = match &args.param {
        Some(text) => layout.tensors.iter().filter(|tensor| tensor.name.contains(text.as_str())).collect(),
        None => layout.tensors.iter().filter(|tensor| !lies_as_its_parameter(tensor, &layout)).collect(),
    };
    if tensors.is_empty() {
        let text = args.param.as_deref().unwrap_or_default();
        bail!("no tensor of the step has a name that holds {text:?}: leave --param out to see all");
    }
    let mut text = heading(&layout, &config)?;
    let room = narrow::columns_of(std::io::stdout()).unwrap_or(80);
    let width = tensors.iter().map(|tensor| tensor.name.len()).max().unwrap_or(0);
    for tensor in &tensors {
        writeln!(text, "{}", line(tensor, width))?;
        if args.param.is_some() {
            writeln!(text, "{}", Picture::of(tensor).text(room))?;
        }
    }
    if let Some(path) = &args.svg {
        let write = || {
            let mut file = OutputFile::create(path, &args.config)?;
            file.write_all(picture::svg(&tensors).as_bytes())?;
            Ok::<_, anyhow::Error>(file.finish()?)
        };
        write().with_context(|| format!("writing {}", path.display()))?;
    }
    std::io::stdout().write_all(text.as_bytes()).context("printing the mesh")
}

/// Whether it is a moment that need not be told of beside its parameter.
fn lies_as_its_parameter(tensor: &Placement, layout: &StepLayout) -> bool {
    let parameter = |other: &&Placement| tensor.name.rsplit_once('.').is_some_and(|(name, _)| name == other.name);
    tensor.role == Role::Moment
        && layout.tensors.iter().find(parameter).is_some_and(|parameter| parameter.sharding == tensor.sharding)
}

/// The mesh, and what each of its devices holds.
fn heading(layout: &StepLayout, config: &TrainConfig) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let sizes: Vec<String> = layout.mesh.axes().iter().map(|axis| format!("{} {}", axis.name, axis.size)).collect();
    let devices = match layout.mesh.device_count() {
        1 => "one device".to_owned(),
        count => format!("devices 0 to {}", count - 1),
    };
    writeln!(text, "mesh         {}: {devices}", sizes.join(" x "))?;
    if config.micro_batch_size == MicroBatch::Auto {
        let parts = layout.mesh.axes().iter().filter(|axis| axis.name != "mp").map(|axis| axis.size);
        let of_step = config.global_batch_size.map(|rows| format!(", and {rows} in a step")).unwrap_or_default();
        writeln!(
            text,
            "rows         {} in a micro-batch, the fewest that micro_batch_size: auto may find{of_step}",
            parts.product::<usize>()
        )?;
    }
    let roles = [
        (Role::Frozen, "frozen weights"),
        (Role::Trained, "trained weights"),
        (Role::Moment, "moments"),
        (Role::Data, "data"),
    ];
    let held = roles.map(|(role, name)| (layout.bytes_per_device(role), name));
    let held: Vec<String> = held
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{} of {name}", bytes(*count)))
        .collect();
    writeln!(text, "each device  {}; gradients and activations come on top", held.join(", "))?;
    if layout.tensors.iter().any(|tensor| lies_as_its_parameter(tensor, layout)) {
        writeln!(text, "moments      as their parameters")?;
    }
    writeln!(text)?;
    Ok(text)
}

fn bytes(count: u64) -> Bytes {
    Bytes(u128::from(count))
}

/// A tensor's name, axes with what they are split over, and bytes.
fn line(tensor: &Placement, width: usize) -> String {
    let whole = (tensor.ty.element_count() * tensor.ty.dtype.size()) as u64;
    let axis = |(axis, over): (&Axis, &Vec<&str>)| match over.as_slice() {
        [] => format!("{} {}", axis.name, axis.size),
        over => format!("{} {} over {}", axis.name, axis.size, over.join(" and ")),
    };
    let axes: Vec<String> = tensor.ty.axes.iter().zip(tensor.sharding.dims()).map(axis).collect();
    let (part, dtype) = (bytes(tensor.bytes_per_device()), tensor.ty.dtype);
    format!("{:<width$} {dtype} ({}): {part} of {}", tensor.name, axes.join(", "), bytes(whole))
}
