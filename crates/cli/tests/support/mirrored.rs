//! Several processes on the CPU, by a plugin that lets each compute for the devices of all.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use runtime::plugins::{self, Environment, Platform};

/// Built once for all tests of a binary.
fn plugin() -> &'static PathBuf {
    static PLUGIN: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let (_, plugin) = PLUGIN.get_or_init(|| {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let (source, library) = (folder.path().join("mirrored_cpu.rs"), folder.path().join("libmirrored_cpu.so"));
        std::fs::write(&source, include_str!("../../../pjrt/tests/plugins/mirrored_cpu.rs")).unwrap();
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let built = Command::new(rustc)
            .args(["--edition=2024", "--crate-type=cdylib", "-Cpanic=abort", "-o"])
            .args([&library, &source])
            .output()
            .unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        (folder, library)
    });
    plugin
}

/// Gives a command the plugin, through which its processes see each other's devices.
pub(crate) fn mirrored(command: &mut Command) -> &mut Command {
    let real = plugins::ensure(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap();
    command.env("FINERY_PLUGIN", plugin()).env("MIRRORED_PLUGIN", real.library)
}
