//! What programs are kept by, where a variable of the environment changes it: processes of their own.

use std::path::Path;
use std::process::Command;

use pjrt::CompileOptions;
use runtime::plugins::{self, Environment, Platform, Purpose};
use runtime::{FileCache, Session, SessionOptions};

const FOLDER: &str = "FINERY_TEST_PROGRAMS";

/// Compiles a program and keeps it, where it is told to.
#[test]
fn keeps_a_program() {
    let Some(dir) = std::env::var_os(FOLDER) else { return };
    let environment = Environment::from_process();
    let located = plugins::ensure(&environment, Platform::Cpu, &mut |_| {}).unwrap_or_else(|e| panic!("{e}"));
    let plugin = located.load(&environment, Purpose::Run).unwrap_or_else(|e| panic!("{e}"));
    let cache = Some(FileCache::new(Path::new(&dir), 1 << 30));
    let options = SessionOptions { cache, ..SessionOptions::new(Platform::Cpu, &Environment::default()) };
    let session = Session::open(plugin, options).unwrap();
    let program = "module { func.func @main(%a: tensor<f32>) -> tensor<f32> { return %a : tensor<f32> } }";
    session.compile("test", program, &CompileOptions::default()).unwrap();
}

/// The CPU's compiler splits loops by the number of its client's threads.
#[test]
fn programs_are_kept_by_the_number_of_threads() {
    let dir = tempfile::tempdir().unwrap();
    let count_with = |threads: &str| {
        let mut keeping = Command::new(std::env::current_exe().unwrap());
        keeping.args(["--exact", "keeps_a_program"]).env(FOLDER, dir.path()).env("PJRT_NPROC", threads);
        let output = keeping.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        dir.path().read_dir().unwrap().count()
    };
    assert_eq!([count_with("2"), count_with("57"), count_with("2")], [1, 2, 2]);
}
