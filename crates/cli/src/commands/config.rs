//! `finery config`: read a configuration without training, turn another tool's into ours, and print what can stand in one.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use train::config::TrainConfig;

use crate::commands::train::RunArgs;
use crate::output_file::OutputFile;

/// Check a training configuration, convert one of another tool, or list all keys
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Subcommand,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Subcommand {
    /// Check a file as `finery train` would, and print it with every default filled in
    ///
    /// Everything is checked that needs no device: the keys and what they name, which is the model with its weights, the
    /// adapter, the tokenizer and its template, the first record of each data set, the folder of the run and what it goes on
    /// from. All mistakes are listed at once, each with its line; `finery train` lists the same before it begins.
    #[command(after_help = "Example:\n  finery config check lora.yaml learning_rate=1e-4")]
    Check(RunArgs),
    /// Turn a configuration of Axolotl or LLM Foundry into ours
    ///
    /// What could not be carried over, or means something a little different here, is listed on standard error. Where their
    /// defaults are not ours, they are written out. Exit code 1 if the result cannot be used before something is added to it.
    #[command(after_help = "Example:\n  finery config convert axolotl.yaml --output lora.yaml")]
    Convert {
        /// The YAML file of the other tool
        file: PathBuf,
        /// File to write [default: standard output]
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Replace the file of --output, if there is one
        #[arg(long, requires = "output")]
        overwrite: bool,
    },
    /// Print every key with its accepted values, default and meaning, as Markdown
    Reference {
        /// Print the keys of other tools instead, each with what to write here
        #[arg(long)]
        other_tools: bool,
    },
}

/// Runs a `finery config` command.
///
/// # Errors
/// The configuration cannot be used; the error lists all of its problems, one a line.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    match args.command {
        Subcommand::Check(run) => print(&run.check()?.to_yaml()),
        Subcommand::Convert { file, output, overwrite } => convert(&file, output.as_deref(), overwrite),
        Subcommand::Reference { other_tools: false } => print(&TrainConfig::reference_markdown()),
        Subcommand::Reference { other_tools: true } => print(&TrainConfig::other_tools_markdown()),
    }
}

/// Not `print!`, which panics when the reader, such as `head`, goes away.
fn print(text: &str) -> anyhow::Result<()> {
    std::io::stdout().write_all(text.as_bytes()).context("printing the result")
}

fn convert(file: &Path, output: Option<&Path>, overwrite: bool) -> anyhow::Result<()> {
    let converted = TrainConfig::convert_file(file)?;
    match output {
        None => print(&converted.yaml)?,
        Some(output) => {
            let writing = || format!("writing {}", output.display());
            let mut written = OutputFile::create(output, file).with_context(writing)?;
            // What was converted before has been worked on by hand since.
            if output.is_file() && !overwrite {
                bail!("{} is there already: name another file, or say --overwrite", output.display());
            }
            written.write_all(converted.yaml.as_bytes()).and_then(|()| written.finish()).with_context(writing)?;
        }
    }
    if !converted.unneeded.is_empty() {
        tracing::info!("left out, because nothing here needs them: {}", converted.unneeded.join(", "));
    }
    if let Some(lost) = &converted.lost {
        tracing::warn!("from {}, not carried over or not quite the same:\n{lost}", converted.tool);
    }
    match (converted.refused, output) {
        (None, _) => Ok(()),
        (Some(refused), None) => bail!("the result cannot be used yet\n{refused}"),
        (Some(refused), Some(output)) => {
            bail!("{} was written, but cannot be used yet\n{refused}", output.display())
        }
    }
}
