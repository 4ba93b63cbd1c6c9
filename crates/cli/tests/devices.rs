//! `finery devices`: what the sensors tell, through the real command.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/environment.rs"]
mod environment;
#[path = "support/signals.rs"]
mod signals;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use runtime::plugins::{self, Environment, Platform};
use rustix::process::{Pid, Signal};
use serde_json::{Value, json};

use environment::untouched;
use signals::is_heard;

/// The command where NVIDIA's library is one that always tells the same of two cards.
fn with_cards(folder: &Path) -> Command {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sensors/tests/nvml.c");
    let library = folder.join("libnvidia-ml.so.1");
    let compiled = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(library).arg(source).status();
    assert!(compiled.unwrap().success());
    let mut command = untouched();
    command.env("LD_LIBRARY_PATH", folder).args(["devices", "--watch"]);
    command
}

#[test]
fn devices_are_watched_as_json_until_a_signal() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mut watch = with_cards(folder.path()).arg("--json").stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(watch.stdout.take().unwrap()).lines();
    let [first, second] = [(); 2].map(|()| serde_json::from_str::<Value>(&lines.next().unwrap().unwrap()).unwrap());
    let seconds = second["time"].as_f64().unwrap() - first["time"].as_f64().unwrap();
    // Each a second after the one before was due.
    assert!(seconds > 0.0, "{seconds}");
    let devices: Vec<&Value> = second["devices"].as_array().unwrap().iter().map(|device| &device["device"]).collect();
    assert_eq!(devices, ["gpu0", "gpu1", "host"]);
    let busy = &second["devices"][0];
    assert_eq!((&busy["name"], &busy["power_watts"]), (&json!("NVIDIA H200"), &json!(698.25)));
    assert_eq!(busy["throttling"], json!(["power", "temperature"]));
    assert!(second["devices"][2]["load"].is_number() && second["devices"][2]["throttling"].is_null());
    let (signal, code) = if is_heard(Signal::INT) { (Signal::INT, Some(130)) } else { (Signal::KILL, None) };
    rustix::process::kill_process(Pid::from_child(&watch), signal).unwrap();
    assert_eq!(watch.wait().unwrap().code(), code);
}

/// As `| head` does.
#[test]
fn a_watch_that_nobody_reads_any_more_ends() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mut watch = with_cards(folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(watch.stdout.take().unwrap()).lines();
    let head: Vec<String> = lines.by_ref().take(2).map(Result::unwrap).collect();
    assert!(head[0].starts_with("device  busy   memory") && head[1].contains("698 of 700 W  86 °C"), "{head:?}");
    drop(lines);
    let output = watch.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_sensors_of_the_cpu_are_the_hosts() {
    plugins::ensure(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap();
    let listed = untouched().args(["devices", "--device", "cpu"]).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let line = listed.lines().find(|line| line.starts_with("device 0")).unwrap();
    assert!(line.contains(" free, ") && line.contains(" % busy") && line.contains(", load "), "{listed}");
}
