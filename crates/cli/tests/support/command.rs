//! Running the command as a user does, and what it says when it refuses.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Once;

use runtime::plugins::{self, Environment, Platform};

/// Makes sure that there is a plugin, so that the commands themselves need not fetch one.
fn ensure_plugin() {
    static ENSURED: Once = Once::new();
    ENSURED.call_once(|| {
        plugins::ensure(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap();
    });
}

/// The command, in a folder, as a user with backtraces switched on runs it.
pub(crate) fn finery(folder: &Path) -> Command {
    ensure_plugin();
    let mut command = Command::new(env!("CARGO_BIN_EXE_finery"));
    command.current_dir(folder).env("FINERY_OFFLINE", "1").env("RUST_BACKTRACE", "1").stdin(Stdio::null());
    for name in ["FINERY_PLUGIN", "FINERY_LOG", "RUST_LOG"] {
        command.env_remove(name);
    }
    command
}

/// The sentence with which a command failed; checks that it is the only one, and no accident.
pub(crate) fn refusal(output: &Output) -> String {
    let stderr = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    for accident in ["panicked", "backtrace", "RUST_BACKTRACE"] {
        assert!(!stderr.contains(accident), "{stderr}");
    }
    let sentences: Vec<usize> = stderr.match_indices("error: ").map(|(at, _)| at).collect();
    let [at] = sentences[..] else { panic!("not one error: {stderr}") };
    assert!(at == 0 || stderr[..at].ends_with('\n'), "{stderr}");
    stderr[at + "error: ".len()..].trim_end().to_owned()
}
