//! Running the command as a user does, and what it says when it refuses.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use environment::untouched;
use runtime::plugins::{self, Environment, Located, Platform};

#[path = "environment.rs"]
mod environment;

/// The plugin of the CPU; it is fetched here where it is missing, so that the commands themselves need not.
fn cpu_plugin() -> &'static Path {
    static LOCATED: OnceLock<Located> = OnceLock::new();
    let locate = || plugins::ensure(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap();
    &LOCATED.get_or_init(locate).library
}

/// The command, in a folder, as a user with backtraces switched on runs it, and on the CPU where there is a GPU too.
pub(crate) fn finery(folder: &Path) -> Command {
    let mut command = untouched();
    command.current_dir(folder).stdin(Stdio::null());
    command.env("FINERY_PLUGIN", cpu_plugin()).env("FINERY_OFFLINE", "1").env("RUST_BACKTRACE", "1");
    command
}

/// The sentence with which a command failed; checks that it is the only one, and no accident.
pub(crate) fn refusal(output: &Output) -> String {
    refusal_with(1, output)
}

/// The same of an exit code.
pub(crate) fn refusal_with(code: i32, output: &Output) -> String {
    let stderr = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    for accident in ["panicked", "backtrace", "RUST_BACKTRACE"] {
        assert!(!stderr.contains(accident), "{stderr}");
    }
    let sentences: Vec<usize> = stderr.match_indices("error: ").map(|(at, _)| at).collect();
    let [at] = sentences[..] else { panic!("not one error: {stderr}") };
    assert!(at == 0 || stderr[..at].ends_with('\n'), "{stderr}");
    stderr[at + "error: ".len()..].trim_end().to_owned()
}
