//! What programs are kept by, where a variable of the environment changes it: a process of its own.

use pjrt::CompileOptions;
use runtime::plugins::{self, Environment, Platform, Purpose};
use runtime::{FileCache, Session, SessionOptions};

/// The CPU's compiler splits loops by the number of its client's threads.
#[test]
fn programs_are_kept_by_the_number_of_threads() {
    let environment = Environment::from_process();
    let located = plugins::ensure(&environment, Platform::Cpu, &mut |_| {}).unwrap_or_else(|e| panic!("{e}"));
    let plugin = located.load(&environment, Purpose::Run).unwrap_or_else(|e| panic!("{e}"));
    let dir = tempfile::tempdir().unwrap();
    let count_with = |threads: &str| {
        let cache = Some(FileCache::new(dir.path(), 1 << 30));
        let options = SessionOptions { cache, ..SessionOptions::new(Platform::Cpu, &Environment::default()) };
        let session = pjrt::with_variable("PJRT_NPROC", threads, || Session::open(plugin.clone(), options)).unwrap();
        let program = "module { func.func @main(%a: tensor<f32>) -> tensor<f32> { return %a : tensor<f32> } }";
        session.compile("test", program, &CompileOptions::default()).unwrap();
        dir.path().read_dir().unwrap().count()
    };
    assert_eq!([count_with("2"), count_with("57"), count_with("2")], [1, 2, 2]);
}
