//! Development tasks, run as `cargo xtask TASK`.

mod aot;
mod tidy;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

const USAGE: &str = "\
cargo xtask TASK

  tidy                      check what STYLE.md asks of code, comments, names, files and dependencies
  aot [WORDS]...            compile training steps and kernels for GPUs that are not here, and check what they take and became; only those whose name
                            has one of the words, such as 'mixtral-3b for mi250' or 'kernels for mi300x'
  aot-setup                 install what aot needs, and no more: the GPU plugins and ptxas

Of the environment aot takes FINERY_BINARY: the finery that compiles, in place of one that is built";

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Runs the task that the arguments name; false if it found something to mend.
fn run() -> Result<bool> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask is not inside a workspace")?;
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["tidy"] => tidy::run(root),
        ["aot", ref words @ ..] => aot::run(root, words),
        ["aot-setup"] => aot::set_up(root),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(true)
        }
        _ => bail!("not a task: {:?}\n\n{USAGE}", arguments.join(" ")),
    }
}
