//! `finery plot`: training curves of one or more runs, as a file or in the terminal.

mod curves;

use std::ffi::OsStr;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use plot::Terminal;
use train::metrics::{METRICS_FILE, read_metrics};

use crate::usage::Misuse;
use crate::{narrow, output_file};
use curves::{HARDWARE, Metric, Options, Run, XAxis};

/// Draw loss, learning rate and throughput of one or more runs, or what their hardware did
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    finery plot runs/first\n  \
    finery plot runs/lora runs/full --output compare.png --smooth 0.9\n  \
    finery plot runs/first --metric loss --x tokens --log --terminal\n  \
    finery plot runs/first --hardware --x time")]
pub(crate) struct PlotArgs {
    /// Output folders of `finery train`, or metrics.jsonl files
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,

    /// File to write; its extension, .svg or .png, says in which format
    #[arg(short, long, value_name = "FILE", default_value = "plot.svg", conflicts_with = "terminal")]
    output: PathBuf,

    /// Draw in the terminal, as wide as it is up to 100 columns, instead of to a file
    #[arg(long)]
    terminal: bool,

    /// What to draw, one panel each
    #[arg(
        long,
        value_name = "METRIC,…",
        value_delimiter = ',',
        default_value = "loss,learning_rate,tokens_per_second"
    )]
    metric: Vec<Metric>,

    /// Draw memory, utilisation, power, temperature and throttling of each device, as far as it tells them
    #[arg(long, conflicts_with = "metric")]
    hardware: bool,

    /// What the x axis counts
    #[arg(long, value_enum, default_value_t = XAxis::Step)]
    x: XAxis,

    /// Smooth with a moving average in which the past weighs F (0 to below 1, for example 0.9)
    #[arg(long, value_name = "F", default_value_t = 0.0, value_parser = parse_smoothing)]
    smooth: f64,

    /// Logarithmic axes for loss and gradient norm
    #[arg(long)]
    log: bool,
}

/// Columns of a chart at most: wider, a curve is no easier to read.
const WIDTH_MAX: usize = 100;

#[derive(Debug, Clone, Copy)]
enum Format {
    Svg,
    Png,
}

/// Draws the figure.
///
/// # Errors
/// A run has no readable metrics, or the output cannot be written.
pub(crate) fn run(args: PlotArgs) -> anyhow::Result<()> {
    // Before the runs are read, so that a wrong extension is found at once.
    let format = format(&args.output)?;
    let runs = load_runs(&args.runs)?;
    // Of those that everybody asks for, what nobody tells gets no panel.
    let told = || HARDWARE.into_iter().filter(|metric| runs.iter().any(|run| run.has_any(&[*metric])));
    let metrics = if args.hardware { told().collect() } else { args.metric };
    if let Some(Run { name, .. }) = runs.iter().find(|run| !run.has_any(&metrics)) {
        bail!(
            "cannot plot {name}: nothing of this kind was measured of its hardware; runs write it every ten seconds and at their end"
        );
    }
    let options = Options { metrics, x: args.x, smoothing: args.smooth, log: args.log };
    if args.terminal {
        return print_charts(&runs, &options);
    }
    let figure = curves::figure(&runs, &options);
    let bytes = match format {
        Format::Svg => figure.to_svg()?.into_bytes(),
        Format::Png => figure.to_png()?,
    };
    output_file::write(&args.output, &bytes)
        .with_context(|| format!("cannot write the plot to {}", args.output.display()))?;
    tracing::info!("wrote {}", args.output.display());
    Ok(())
}

fn parse_smoothing(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(weight) if (0.0..1.0).contains(&weight) => Ok(weight),
        _ => Err("expected a number from 0 to below 1".to_owned()),
    }
}

fn format(output: &Path) -> Result<Format, Misuse> {
    match output.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase).as_deref() {
        Some("svg") => Ok(Format::Svg),
        Some("png") => Ok(Format::Png),
        _ => Err(Misuse(format!(
            "cannot tell the format of the plot from `{}`: name a file that ends in .svg or .png",
            output.display()
        ))),
    }
}

fn load_runs(paths: &[PathBuf]) -> anyhow::Result<Vec<Run>> {
    let short_names: Vec<String> = paths.iter().map(|path| short_name(path)).collect();
    let name = |index: usize| {
        let short = &short_names[index];
        let is_unique = short_names.iter().filter(|other| *other == short).count() == 1;
        if is_unique { short.clone() } else { paths[index].display().to_string() }
    };
    paths.iter().enumerate().map(|(index, path)| load_run(path, name(index))).collect()
}

/// The name of the run folder.
fn short_name(path: &Path) -> String {
    let folder = if path.is_file() { path.parent().unwrap_or(path) } else { path };
    // `.` and `..` have no name of their own.
    let resolved = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    resolved.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

fn load_run(path: &Path, name: String) -> anyhow::Result<Run> {
    let file = if path.is_file() { path.to_owned() } else { path.join(METRICS_FILE) };
    if !path.exists() {
        bail!(
            "cannot plot {}: there is no such folder; name the output folder of a `finery train` run",
            path.display()
        );
    }
    if !file.exists() {
        bail!("cannot plot {}: it holds no {METRICS_FILE}, so it is not the output folder of a run", path.display());
    }
    let records = read_metrics(&file)?;
    if records.is_empty() {
        bail!("cannot plot {}: no step is logged in it yet", file.display());
    }
    Ok(Run { name, records })
}

fn print_charts(runs: &[Run], options: &Options) -> anyhow::Result<()> {
    let stdout = io::stdout();
    let terminal = Terminal::detect(stdout.is_terminal() && std::env::var_os("NO_COLOR").is_none());
    let width = narrow::columns_of(io::stdout()).or_else(narrow::columns_told).unwrap_or(80).min(WIDTH_MAX);
    let text = curves::figure(runs, options).to_text(terminal, width);
    stdout.lock().write_all(text.as_bytes()).context("cannot write to the terminal")
}

#[cfg(test)]
mod tests;
