//! The `finery` command.
#![deny(clippy::print_stdout, reason = "it panics where the output is closed or full")]

mod allocator;
mod commands;
mod draft_args;
mod logging;
mod model_args;
mod narrow;
mod open_files;
mod output_file;
mod plural;
mod processes;
mod progress;
mod reexec;
mod rows;
mod sampling_args;
mod scoring;
mod screen;
mod signals;
mod usage;
mod vllm_flags;

use std::io::{self, Write as _};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{CommandFactory, FromArgMatches, Parser};
use clap_complete::Shell;

use logging::LogArgs;
use progress::ProgressMode;
use usage::{MISUSE, Misuse};

/// Pre-train, fine-tune, evaluate and run language models on CPUs and NVIDIA GPUs
#[derive(Debug, Parser)]
#[command(name = "finery", version, propagate_version = true)]
#[command(
    after_help = "Begin with `finery quickstart`: it trains and fine-tunes a small model in minutes, showing each command.\n\
    Exit codes: 0 done, 1 failed, 2 wrong usage, 3 ended because another rank of its run failed, 128 + N ended by \
    signal N: 130 by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP. `train` saves first and gives 130 for each of them; `serve` \
    finishes the requests under way and gives 0, or 1 if some were cut off.\n\n\
    Environment:\n  \
      FINERY_CACHE    folder for plugins, tokenised data and compiled programs\n                      \
        [default: $XDG_CACHE_HOME/finery, or ~/.cache/finery where that is not set]\n  \
      FINERY_PLUGIN   PJRT plugin to use in place of those that are found\n  \
      FINERY_OFFLINE  1 forbids fetching plugins\n  \
      FINERY_API_KEY  the key that clients of `finery serve` send\n  \
      OPENAI_API_KEY  the key that `finery bench serve` sends\n  \
      FINERY_LOG      what is logged, such as debug or finery=debug,train=trace; wins over -v and -q in\n                      \
        what it names [default: RUST_LOG]\n  \
      NO_COLOR        1 turns colours off\n  \
      COLUMNS         the width of `finery plot --terminal` where it is drawn in no terminal [default: 80; at most 100]\n  \
      XLA_FLAGS       flags of XLA, which win over those that Finery sets\n  \
      PJRT_NPROC      threads of the CPU's plugin; NPROC where it is not set\n                      \
        [default: one a core; with several devices, 4 more for each of them]\n  \
      CUDA_HOME, CUDA_PATH       a CUDA toolkit [default: /usr/local/cuda]\n  \
      ROCM_PATH                  ROCm [default: /opt/rocm]\n  \
      VIRTUAL_ENV, CONDA_PREFIX  Python environments in which plugins and their libraries are looked for\n  \
      LD_LIBRARY_PATH            folders in which CUDA's libraries are looked for, behind those of Python's wheels\n  \
      CUDA_VISIBLE_DEVICES, HIP_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES  which GPUs may be used\n  \
      CUDA_DEVICE_ORDER          PCI_BUS_ID numbers GPUs that are not alike so that sensors know which is which\n\n\
    Runs of several processes, started by torchrun or srun (`finery launch` sets all of it):\n  \
      FINERY_SECRET       a random text that is the same for all ranks\n  \
      FINERY_COORDINATOR  the name or address of rank 0's machine [default: as MASTER_ADDR or SLURM's list of hosts says]\n  \
      FINERY_PORT         the port on which rank 0 listens [default: by MASTER_PORT or SLURM's job number]\n  \
      FINERY_JOIN_SECONDS how long ranks wait for each other at the start [default: 300]"
)]
struct Cli {
    #[command(flatten)]
    log: LogArgs,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Train(commands::train::Args),
    Data(commands::data::DataArgs),
    Tokenizer(commands::tokenizer::TokenizerArgs),
    Plot(commands::plot::PlotArgs),
    Generate(commands::generate::Args),
    Chat(commands::chat::Args),
    Serve(commands::serve::Args),
    Keys(commands::keys::Args),
    Score(commands::score::Args),
    Eval(commands::eval::Args),
    Merge(commands::merge::Args),
    Export(commands::export::Args),
    Checkpoint(commands::checkpoint::Args),
    Quickstart(commands::quickstart::Args),
    Config(commands::config::Args),
    Bench(commands::bench::Args),
    Profile(commands::profile::Args),
    Plugin(commands::plugin::Args),
    Cache(commands::cache::Args),
    Inspect(commands::inspect::Args),
    Mesh(commands::mesh::Args),
    Plan(commands::plan::Args),
    Models(commands::models::Args),
    Devices(commands::devices::Args),
    Launch(commands::launch::Args),
    Ranks(commands::ranks::Args),
    /// Print completions for a shell, e.g. `finery completions bash > /etc/bash_completion.d/finery`
    Completions {
        /// The shell
        shell: Shell,
    },
}

#[cfg(test)]
mod tests;

fn main() -> ExitCode {
    let mut command = with_numbers(vllm_flags::refused_by(Cli::command()));
    let matches = match command.try_get_matches_from_mut(std::env::args_os()) {
        Ok(matches) => matches,
        Err(told) => return print_of_clap(&told),
    };
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(told) => return print_of_clap(&told),
    };
    let done = logging::init(&cli.log).and_then(|warning| {
        reexec::with_process_variables(&command, &matches);
        if let Some(warning) = warning {
            tracing::warn!("{warning:#}");
        }
        run(cli)
    });
    match done {
        Ok(code) => code,
        // Whoever read the output has enough, as `| head` has.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // The whole chain on one line: what was being done, on what, why not.
            tracing::error!("{error:#}");
            if error.is::<Misuse>() { ExitCode::from(MISUSE) } else { ExitCode::FAILURE }
        }
    }
}

/// Prints help, the version or what is wrong with the arguments. clap would end well where it can print nothing.
fn print_of_clap(told: &clap::Error) -> ExitCode {
    let printed = told.print().and_then(|()| io::stdout().flush());
    match printed {
        Err(error) if !told.use_stderr() && error.kind() != io::ErrorKind::BrokenPipe => {
            _ = writeln!(io::stderr(), "error: printing the help: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::from(u8::try_from(told.exit_code()).unwrap_or(MISUSE)),
    }
}

/// Takes what begins with a minus and stands behind an option for its value, if that is a number: whoever reads it says what is wrong with it.
fn with_numbers(command: clap::Command) -> clap::Command {
    command.mut_subcommands(with_numbers).mut_args(|argument| {
        let takes_values = argument.get_long().is_some() && argument.get_action().takes_values();
        if takes_values { argument.allow_negative_numbers(true) } else { argument }
    })
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let is_closed = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(is_closed))
}

fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    let progress = ProgressMode::detect(&cli.log);
    signals::outlive_file_limits()?;
    processes::end_with_launcher()?;
    match &cli.command {
        // They have a step to save, a training to stop, an answer to end, requests to answer, a measurement to print, processes to tell.
        Command::Bench(args) if args.tells_when_stopped() => {}
        Command::Serve(_) | Command::Train(_) | Command::Quickstart(_) | Command::Chat(_) | Command::Launch(_) => {}
        _ => signals::end_at_once()?,
    }
    match cli.command {
        Command::Train(args) => return commands::train::run(args, progress),
        Command::Data(args) => commands::data::run(args, progress)?,
        Command::Tokenizer(args) => commands::tokenizer::run(args)?,
        Command::Plot(args) => commands::plot::run(args)?,
        Command::Generate(args) => commands::generate::run(args, progress)?,
        Command::Chat(args) => return commands::chat::run(args, progress),
        Command::Serve(args) => return commands::serve::run(args, progress),
        Command::Keys(args) => commands::keys::run(args)?,
        Command::Score(args) => commands::score::run(args, progress)?,
        Command::Eval(args) => commands::eval::run(args, progress)?,
        Command::Merge(args) => commands::merge::run(args, progress)?,
        Command::Export(args) => commands::export::run(args, progress)?,
        Command::Checkpoint(args) => commands::checkpoint::run(args)?,
        Command::Quickstart(args) => return commands::quickstart::run(&args),
        Command::Config(args) => commands::config::run(args)?,
        Command::Bench(args) => return commands::bench::run(args, progress),
        Command::Profile(args) => commands::profile::run(&args, progress)?,
        Command::Cache(args) => commands::cache::run(args, progress)?,
        Command::Plugin(args) => commands::plugin::run(args, progress)?,
        Command::Inspect(args) => commands::inspect::run(&args)?,
        Command::Mesh(args) => commands::mesh::run(&args)?,
        Command::Plan(args) => commands::plan::run(&args, progress)?,
        Command::Models(args) => commands::models::run(&args)?,
        Command::Devices(args) => commands::devices::run(args, progress)?,
        Command::Launch(args) => return commands::launch::run(&args),
        Command::Ranks(args) => commands::ranks::run(&args)?,
        Command::Completions { shell } => {
            // By way of a buffer: clap_complete panics where it cannot write.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "finery", &mut script);
            io::stdout().write_all(&script).context("printing the completions")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
