//! `finery config`: read a configuration without training, and print what can stand in one.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use train::config::TrainConfig;

/// Check a training configuration, or list all keys
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Subcommand,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Subcommand {
    /// Read a file as `finery train` would, and print it with every default filled in
    Check {
        /// The YAML file
        config: PathBuf,
        /// Values that replace those of the file, such as learning_rate=1e-4 or datasets.0.path=a.jsonl
        #[arg(value_name = "KEY=VALUE")]
        overrides: Vec<String>,
    },
    /// Print every key with its accepted values, default and meaning, as Markdown
    Reference,
}

/// Runs a `finery config` command.
///
/// # Errors
/// The configuration cannot be used; the error lists all of its problems, one a line.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    let text = match args.command {
        Subcommand::Check { config, overrides } => TrainConfig::load(&config, &overrides)?.to_yaml(),
        Subcommand::Reference => TrainConfig::reference_markdown(),
    };
    // Not `print!`, which panics when the reader, such as `head`, goes away.
    std::io::stdout().write_all(text.as_bytes()).context("printing the result")
}
