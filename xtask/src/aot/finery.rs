//! The program that compiles.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// The `finery` of this workspace, built.
pub(super) struct Finery {
    /// A file of its own: others build meanwhile, and put theirs where cargo puts them.
    program: PathBuf,
    /// The repository's root, in which it is run.
    pub(super) root: PathBuf,
}

impl Finery {
    /// That which `FINERY_BINARY` names, or else the one that cargo builds.
    pub(super) fn find(root: &Path) -> Result<Finery> {
        let given = std::env::var_os("FINERY_BINARY").map(PathBuf::from);
        let built = given.map_or_else(|| Finery::build(root), Ok)?;
        let program = built.with_file_name(format!("finery-{}", std::process::id()));
        std::fs::copy(&built, &program).with_context(|| format!("copying {}", built.display()))?;
        Ok(Finery { program, root: root.to_path_buf() })
    }

    fn build(root: &Path) -> Result<PathBuf> {
        let mut command = Command::new(env!("CARGO"));
        command.args(["build", "--quiet", "--package", "finery", "--message-format", "json-render-diagnostics"]);
        let output = command.current_dir(root).stderr(Stdio::inherit()).output().context("running cargo")?;
        ensure!(output.status.success(), "building finery failed ({})", output.status);
        // One JSON object a line; that of the binary names the file.
        let messages = output.stdout.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok());
        let program =
            messages.filter_map(|message: Value| message["executable"].as_str().map(PathBuf::from)).next_back();
        program.context("cargo does not say where it put finery")
    }

    /// Gives back what it printed; its messages go to standard error.
    pub(super) fn run(&self, arguments: &[&str]) -> Result<String> {
        self.run_with(&[], arguments)
    }

    /// The same with environment variables.
    pub(super) fn run_with(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Result<String> {
        let line = format!("finery {}", arguments.join(" "));
        let mut command = Command::new(&self.program);
        command.args(arguments).envs(variables.iter().copied()).current_dir(&self.root).stderr(Stdio::inherit());
        // A plugin that the user names for other work would be taken for each platform's.
        let output = command.env_remove("FINERY_PLUGIN").output().with_context(|| format!("running `{line}`"))?;
        ensure!(output.status.success(), "`{line}` failed ({})", output.status);
        String::from_utf8(output.stdout).with_context(|| format!("reading what `{line}` printed"))
    }
}

impl Drop for Finery {
    fn drop(&mut self) {
        // What is left there is in nobody's way.
        let _ = std::fs::remove_file(&self.program);
    }
}
