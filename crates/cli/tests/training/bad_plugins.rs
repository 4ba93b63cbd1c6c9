//! `FINERY_PLUGIN` naming what is no plugin, or an old one.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{finery, refusal};
use crate::scene::Scene;

/// Builds a shared library from source text.
fn library(folder: &Path, source: &str) -> PathBuf {
    let (input, output) = (folder.join("fake.rs"), folder.join("pjrt_c_api_cpu_plugin.so"));
    std::fs::write(&input, source).unwrap();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let options = ["--edition=2024", "--crate-type=cdylib", "-Cpanic=abort", "-o"];
    let build = Command::new(rustc).args(options).args([&output, &input]).output().unwrap();
    assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));
    output
}

/// A plugin that knows version 0.`minor` of the C API, and otherwise nothing.
fn plugin(folder: &Path, minor: i32) -> PathBuf {
    let source = format!(
        "#[repr(C)] pub struct Table {{ size: usize, extension: usize, version_size: usize, version_extension: usize,
             major: i32, minor: i32, functions: [usize; 200] }}
         static TABLE: Table = Table {{ size: 1640, extension: 0, version_size: 24, version_extension: 0, major: 0,
             minor: {minor}, functions: [0; 200] }};
         #[unsafe(no_mangle)] pub extern \"C\" fn GetPjrtApi() -> &'static Table {{ &TABLE }}"
    );
    library(folder, &source)
}

fn refused(scene: &Scene, plugin: &Path, part: &str) {
    for words in [&["train", "run.yaml"][..], &["devices"]] {
        let message = refusal(&finery(scene.root()).args(words).env("FINERY_PLUGIN", plugin).output().unwrap());
        assert!(message.contains(part), "{words:?}: {message}");
    }
    assert!(!scene.path("out").exists());
}

#[test]
fn what_is_no_plugin_is_refused() {
    let scene = Scene::new();
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    refused(&scene, &folder.path().join("nowhere.so"), "which is not a file: set it to the plugin's .so, or unset it");
    let text = folder.path().join("text.so");
    std::fs::write(&text, "hello").unwrap();
    refused(&scene, &text, "text.so is not a shared library; a PJRT plugin is a file such as pjrt_c_api_cpu_plugin.so");
    let other = library(folder.path(), "#[unsafe(no_mangle)] pub extern \"C\" fn something_else() {}");
    refused(&scene, &other, "is a shared library but not a PJRT plugin: ");
}

#[test]
fn a_plugin_that_is_too_old_is_refused() {
    let scene = Scene::new();
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    refused(&scene, &plugin(folder.path(), 1), "implements PJRT C API 0.1, but ");
}
