//! Plugins that are damaged, found by the real command before it loads them: loading half a library ends the process with a bus error.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs::{self, File};
use std::io::{Read as _, copy};
use std::path::{Path, PathBuf};

use environment::untouched;
use runtime::plugins::{self, Environment, Platform};
use serde_json::{Value, json};

#[path = "support/environment.rs"]
mod environment;

/// A cache with the first `bytes` of the CPU plugin, and with the record of what was installed.
fn cache_with_part_of_the_plugin(folder: &Path, bytes: u64) -> PathBuf {
    // That of the cache, wherever another one lies.
    let mut environment = Environment::from_process();
    (environment.plugin, environment.prefixes, environment.python) = (None, Vec::new(), None);
    let located = plugins::ensure(&environment, Platform::Cpu, &mut |_| {}).unwrap();
    let root = located.library.ancestors().nth(3).unwrap();
    let name = Path::new("plugins").join(root.file_name().unwrap());
    let library = folder.join(&name).join(located.library.strip_prefix(root).unwrap());
    fs::create_dir_all(library.parent().unwrap()).unwrap();
    copy(&mut File::open(&located.library).unwrap().take(bytes), &mut File::create(&library).unwrap()).unwrap();
    let info = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    let info = info.into_iter().find(|path| path.to_string_lossy().contains("xla_cpu_pjrt-")).unwrap();
    let copied = folder.join(&name).join(info.file_name().unwrap());
    fs::create_dir(&copied).unwrap();
    fs::copy(info.join("RECORD"), copied.join("RECORD")).unwrap();
    library
}

#[test]
fn a_truncated_plugin_is_named_with_what_repairs_it() {
    let folder = tempfile::tempdir().unwrap();
    let library = cache_with_part_of_the_plugin(folder.path(), 1 << 20);
    let finery = |words: &[&str], variable: Option<&Path>| {
        let mut command = untouched();
        command.args(words).env("FINERY_CACHE", folder.path()).env("FINERY_OFFLINE", "1");
        if let Some(plugin) = variable {
            command.env("FINERY_PLUGIN", plugin);
        }
        command.output().unwrap()
    };

    let refused = finery(&["devices", "--device", "cpu"], None);
    let message = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(1), "{message}");
    assert!(
        message.starts_with("error: the cpu plugin is damaged: ") && message.contains("has 1048576 bytes"),
        "{message}"
    );
    assert!(message.ends_with("; run `finery plugin install cpu`, which installs it again\n"), "{message}");

    let listed = String::from_utf8(finery(&["plugin", "list"], None).stdout).unwrap();
    assert!(listed.contains("is damaged: ") && listed.contains("`finery plugin install cpu`"), "{listed}");

    let listed = finery(&["plugin", "list", "--json"], None).stdout;
    let listed: Value = serde_json::from_slice(&listed).unwrap();
    assert_eq!(listed["default_platform"], "cpu");
    let plugin = listed["plugins"].as_array().unwrap().iter().find(|plugin| plugin["source"] == "cache").unwrap();
    assert_eq!(
        (&plugin["platform"], &plugin["is_used"], &plugin["api_version"]),
        (&json!("cpu"), &json!(true), &Value::Null)
    );
    assert_eq!(plugin["library"], library.display().to_string());
    assert!(plugin["problem"].as_str().unwrap().contains("is damaged: "), "{plugin}");

    // It may not fetch here, and does not say that all is well.
    let refused = finery(&["plugin", "install", "cpu"], None);
    let message = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(1), "{message}");
    assert!(message.contains("is damaged (") && message.contains("--from FILE.whl"), "{message}");

    // A file that the user has named comes with no record.
    let refused = finery(&["devices"], Some(&library));
    let message = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(1), "{message}");
    assert!(message.contains("is damaged: it has 1048576 bytes, and its headers describe "), "{message}");
}

/// The plugin that is there is whole, so that a wheel changes nothing; a mistake in its name is told all the same.
#[test]
fn a_wheel_of_what_is_installed_is_said_not_to_be_used() {
    let mut environment = Environment::from_process();
    (environment.plugin, environment.prefixes, environment.python) = (None, Vec::new(), None);
    plugins::ensure(&environment, Platform::Cpu, &mut |_| {}).unwrap();
    let folder = tempfile::tempdir().unwrap();
    File::create(folder.path().join("there.whl")).unwrap();
    let install = |wheel: &str| {
        let words = ["plugin", "install", "cpu", "--offline", "--from", wheel];
        untouched().args(words).current_dir(folder.path()).output().unwrap()
    };
    let refused = install("nope.whl");
    let message = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(1), "{message}");
    assert!(message.starts_with("error: reading the wheel nope.whl: No such file"), "{message}");

    let installed = install("there.whl");
    let told = String::from_utf8(installed.stdout).unwrap();
    assert!(installed.status.success(), "{told}");
    assert!(told.contains("already installed in ") && told.contains("; --from is not used"), "{told}");
}

/// As in a container whose user has no home.
#[test]
fn without_a_home_a_plugin_that_is_named_is_used_and_nothing_is_kept() {
    let located = plugins::ensure(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap();
    let empty = tempfile::tempdir().unwrap();
    let finery = |words: &[&str]| {
        let mut command = untouched();
        for name in ["HOME", "XDG_CACHE_HOME", "FINERY_CACHE", "VIRTUAL_ENV", "CONDA_PREFIX"] {
            command.env_remove(name);
        }
        command.args(words).current_dir(empty.path()).env("PATH", empty.path());
        command
    };
    let found = finery(&["devices"]).env("FINERY_PLUGIN", &located.library).output().unwrap();
    assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stderr));
    for (words, part) in [
        (&["devices", "--device", "cpu"][..], "there is no cache folder to install plugins into: set FINERY_CACHE"),
        (&["plugin", "install", "cpu"], "there is no cache folder to install plugins into: set FINERY_CACHE"),
        (&["cache", "list"], "neither FINERY_CACHE, XDG_CACHE_HOME nor HOME names a folder"),
    ] {
        let refused = finery(words).output().unwrap();
        let message = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(1), "{message}");
        assert!(message.contains(part), "{words:?}: {message}");
    }
    assert_eq!(fs::read_dir(empty.path()).unwrap().count(), 0, "nothing is made in the current folder");
}
