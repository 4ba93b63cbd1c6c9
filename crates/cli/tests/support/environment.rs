//! The command as in a shell in which nothing was set for it.

use std::ffi::OsStr;
use std::process::Command;

/// What launchers, jobs, logs, devices and XLA are told by; `FINERY_CACHE` stays, for the plugin is there.
const BEGINNINGS: [&str; 9] =
    ["FINERY_", "SLURM_", "TORCHELASTIC_", "MASTER_", "XLA_", "TF_", "RUST_LOG", "RUST_BACKTRACE", "CLICOLOR"];
const NAMES: [&str; 11] = [
    "RANK",
    "WORLD_SIZE",
    "LOCAL_RANK",
    "CUDA_VISIBLE_DEVICES",
    "CUDA_DEVICE_ORDER",
    "HIP_VISIBLE_DEVICES",
    "ROCR_VISIBLE_DEVICES",
    "MALLOC_CONF",
    "NO_COLOR",
    "COLUMNS",
    "OPENAI_API_KEY",
];

/// `finery`, without the variables that change what it does. What `FINERY_TEST_XLA_FLAGS` has is for XLA: tests make many programs for few numbers, and may have
/// LLVM optimize them less.
pub(crate) fn untouched() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_finery"));
    let changes_much = |name: &OsStr| {
        let name = name.to_string_lossy();
        name != "FINERY_CACHE"
            && (NAMES.contains(&&*name) || BEGINNINGS.iter().any(|beginning| name.starts_with(beginning)))
    };
    for (name, _) in std::env::vars_os().filter(|(name, _)| changes_much(name)) {
        command.env_remove(name);
    }
    if let Some(flags) = std::env::var_os("FINERY_TEST_XLA_FLAGS") {
        command.env("XLA_FLAGS", flags);
    }
    command
}
