//! `finery export`, and the writing that `finery merge` shares with it.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;
use checkpoint::ModelSource;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use engine::{ExportOptions, ExportProgress, Exported};
use graph::DType;
use indicatif::HumanBytes;

use super::devices::DeviceArgs;
use crate::model_args::ModelFolders;
use crate::plural::counted;
use crate::progress::{ProgressMode, Task, Unit};

/// Write a model as a Hugging Face folder, in another element type or in shards of another size
///
/// The folder gets its name only after it was loaded again and its log-probabilities were compared with those of the
/// model it was made from.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Example:\n  finery export --model quickstart/base --output quickstart/base-bf16 --dtype bf16")]
pub(crate) struct Args {
    #[command(flatten)]
    folders: ModelFolders,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    device: DeviceArgs,
}

/// Where a model is written, and how.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct OutputArgs {
    /// The folder to write, which must not exist or be empty
    #[arg(long, value_name = "DIR")]
    output: PathBuf,

    /// Element type of the weights [default: that of the model]
    #[arg(long, value_parser = dtype_parser())]
    dtype: Option<DType>,

    /// Limit on the weights in one file, such as 5GB, 800MB or 2GiB
    #[arg(long, value_name = "SIZE", default_value = "5GB", value_parser = parse_size)]
    max_shard_size: u64,
}

fn dtype_parser() -> impl TypedValueParser<Value = DType> {
    const TYPES: [(&str, DType); 3] = [("f32", DType::F32), ("bf16", DType::BF16), ("f16", DType::F16)];
    let find = |name: String| TYPES.into_iter().find(|(known, _)| *known == name).map(|(_, dtype)| dtype);
    PossibleValuesParser::new(TYPES.map(|(name, _)| name)).try_map(move |name| find(name).ok_or("no such type"))
}

/// Bytes: powers of 1000 for KB, MB, GB, TB, as in Hugging Face's `max_shard_size`, and of 1024 for KiB and its like.
pub(super) fn parse_size(text: &str) -> Result<u64, String> {
    let rule = || format!("`{text}` is not a size; give a whole number of B, KB, MB, GB, TB, KiB, MiB, GiB or TiB");
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().map_err(|_| rule())?;
    let factor: u64 = match unit.trim().to_ascii_lowercase().as_str() {
        "b" => 1,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        "tib" => 1 << 40,
        _ => return Err(rule()),
    };
    number.checked_mul(factor).filter(|bytes| *bytes > 0).ok_or_else(rule)
}

/// Runs `finery export`.
///
/// # Errors
/// As [`write`].
pub(crate) fn run(args: Args, progress: ProgressMode) -> anyhow::Result<()> {
    write(&args.folders.open()?, &args.output, &args.device, progress)
}

/// Writes a model, with its adapter merged, and says how well what was written agrees with it.
///
/// # Errors
/// There is no device, or the export fails; see [`engine::export`].
pub(crate) fn write(
    source: &ModelSource,
    args: &OutputArgs,
    device: &DeviceArgs,
    mode: ProgressMode,
) -> anyhow::Result<()> {
    let session = device.open(mode)?;
    let options = ExportOptions { dtype: args.dtype, max_shard_bytes: args.max_shard_size };
    let mut steps = Shown { mode, task: None, written: 0 };
    let exported = engine::export(&session, source, &args.output, &options, &mut |step| steps.show(step))?;
    drop(steps);
    let text = report(&args.output, &exported)?;
    std::io::stdout().write_all(text.as_bytes()).context("printing the result")
}

fn report(output: &Path, exported: &Exported) -> Result<String, std::fmt::Error> {
    let Exported { files, bytes, merged_modules, agreement } = exported;
    let mut text = String::new();
    if *merged_modules > 0 {
        writeln!(text, "merged the adapter into {}", counted(*merged_modules as u64, "module"))?;
    }
    let files = counted(*files as u64, "file");
    writeln!(text, "wrote {}: {} of weights in {files}", output.display(), HumanBytes(*bytes))?;
    let alike = if agreement.rounding.is_some() { " with its weights rounded alike" } else { "" };
    let differ = match agreement.difference.nats {
        0.0 => "log-probabilities are the same".to_owned(),
        nats => format!("log-probabilities differ by at most {}", shown(nats)),
    };
    writeln!(text, "loaded again, it agrees with the live model{alike}: {differ}")?;
    if let Some(rounding) = agreement.rounding {
        writeln!(text, "rounding the weights moves log-probabilities by up to {}", shown(rounding))?;
    }
    Ok(text)
}

/// `0.31` or `2.9e-5`.
fn shown(nats: f32) -> String {
    if nats >= 0.01 { format!("{nats:.2}") } else { format!("{nats:.1e}") }
}

/// An export on stderr: a bar while it writes, a spinner while it compares.
struct Shown {
    mode: ProgressMode,
    task: Option<Task>,
    written: u64,
}

impl Shown {
    fn show(&mut self, step: ExportProgress) {
        match step {
            ExportProgress::Writing { done, total } => {
                let mode = self.mode;
                let task = self.task.get_or_insert_with(|| Task::bar(mode, "writing the weights", total, Unit::Bytes));
                task.advance(done - self.written);
                self.written = done;
            }
            ExportProgress::Comparing => {
                // The old bar goes before the new one comes.
                self.task = None;
                self.task = Some(Task::spinner(self.mode, "comparing what was written with the live model"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_hugging_face() {
        let cases =
            [("5GB", 5_000_000_000), ("800 mb", 800_000_000), ("2GiB", 2 << 30), ("1000B", 1000), ("64KB", 64_000)];
        for (text, bytes) in cases {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        for text in ["", "GB", "0B", "5", "5.5GB", "5PB", "-1", "99999999999TB"] {
            let rule = "is not a size; give a whole number of B, KB, MB, GB, TB, KiB, MiB, GiB or TiB";
            assert_eq!(parse_size(text), Err(format!("`{text}` {rule}")));
        }
    }
}
