//! Sessions on the CPU plugin.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::OnceLock;

use graph::{DType, HostTensor};
use pjrt::{CompileOptions, FlagValue, Plugin};
use runtime::plugins::{self, Environment, Platform, Purpose};
use runtime::{FileCache, Session, SessionOptions};

fn plugin() -> Plugin {
    static PLUGIN: OnceLock<Plugin> = OnceLock::new();
    let load = || {
        let environment = Environment::from_process();
        let located = plugins::ensure(&environment, Platform::Cpu, &mut |_| {}).unwrap_or_else(|e| panic!("{e}"));
        located.load(&environment, Purpose::Run).unwrap_or_else(|e| panic!("{e}"))
    };
    PLUGIN.get_or_init(load).clone()
}

fn session(cache: Option<&std::path::Path>) -> Session {
    let cache = cache.map(|dir| FileCache::new(dir, 1 << 30));
    let options = SessionOptions { cache, ..SessionOptions::new(Platform::Cpu, &Environment::default()) };
    Session::open(plugin(), options).expect("the CPU is there")
}

/// Adds a constant to its argument, in the argument's memory.
fn program(constant: f32) -> String {
    format!(
        "module {{ func.func @main(%a: tensor<2xf32> {{tf.aliasing_output = 0 : i32}}) -> tensor<2xf32> {{
            %c = stablehlo.constant dense<{constant:?}> : tensor<2xf32>
            %0 = stablehlo.add %a, %c : tensor<2xf32>
            return %0 : tensor<2xf32> }} }}"
    )
}

/// Compiles `program` and runs it on `[1, 2]`.
fn run(session: &Session, program: &str, options: &CompileOptions) -> Vec<f32> {
    let executable = session.compile("test", program, options).unwrap();
    let argument = session.upload(&HostTensor::from_slice(&[2], &[1f32, 2.]).unwrap()).unwrap();
    let outputs = executable.execute(&[&argument]).unwrap();
    assert!(argument.is_deleted().unwrap(), "a program from the cache donates as one that was compiled");
    session.download(&outputs[0]).unwrap().to_vec().unwrap()
}

fn files(dir: &std::path::Path) -> Vec<std::path::PathBuf> {
    dir.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn programs_are_kept_by_text_and_options() {
    let dir = tempfile::tempdir().unwrap();
    let session = session(Some(dir.path()));
    let default = CompileOptions::default();
    let count = || files(dir.path()).len();
    assert_eq!(run(&session, &program(1.), &default), [2., 3.]);
    assert_eq!(count(), 1);
    assert_eq!(run(&session, &program(1.), &default), [2., 3.]);
    assert_eq!(count(), 1);
    assert_eq!(run(&session, &program(5.), &default), [6., 7.]);
    assert_eq!(count(), 2);
    let other = default.with_flag("xla_cpu_enable_fast_math", FlagValue::Bool(true));
    assert_eq!(run(&session, &program(5.), &other), [6., 7.]);
    assert_eq!(count(), 3);
}

/// XLA adds the variable's flags to each program's own, so a program that was compiled under others is another one.
#[test]
fn programs_are_kept_by_the_flags_of_the_environment() {
    let (dir, flag_file) = (tempfile::tempdir().unwrap(), tempfile::NamedTempFile::new().unwrap());
    let count_under = |flags: Option<&std::ffi::OsStr>| {
        let (cache, xla_flags) = (Some(FileCache::new(dir.path(), 1 << 30)), flags.map(Into::into));
        let options =
            SessionOptions { cache, xla_flags, ..SessionOptions::new(Platform::Cpu, &Environment::default()) };
        let session = Session::open(plugin(), options).unwrap();
        assert_eq!(run(&session, &program(1.), &CompileOptions::default()), [2., 3.]);
        files(dir.path()).len()
    };
    let in_file = Some(flag_file.path().as_os_str());
    assert_eq!(count_under(None), 1);
    assert_eq!(count_under(Some("--xla_cpu_enable_fast_math=true".as_ref())), 2);
    assert_eq!(count_under(Some("--xla_cpu_enable_fast_math=false".as_ref())), 3);
    assert_eq!(count_under(Some("--xla_cpu_enable_fast_math=true".as_ref())), 3);
    assert_eq!(count_under(in_file), 3, "an empty file has no flags");
    std::fs::write(&flag_file, "--xla_cpu_use_onednn=false").unwrap();
    assert_eq!(count_under(in_file), 4);
}

#[test]
fn another_session_loads_what_one_has_compiled() {
    let dir = tempfile::tempdir().unwrap();
    run(&session(Some(dir.path())), &program(1.), &CompileOptions::default());
    let kept = files(dir.path());
    assert_eq!(run(&session(Some(dir.path())), &program(1.), &CompileOptions::default()), [2., 3.]);
    assert_eq!(files(dir.path()), kept);
}

/// What comes out of the cache is what runs: an entry that is valid but another program's gives that program's result.
#[test]
fn the_cached_program_is_the_one_that_runs() {
    let dir = tempfile::tempdir().unwrap();
    let session = session(Some(dir.path()));
    run(&session, &program(1.), &CompileOptions::default());
    let one = files(dir.path()).remove(0);
    run(&session, &program(5.), &CompileOptions::default());
    let five = files(dir.path()).into_iter().find(|path| *path != one).unwrap();
    std::fs::copy(&five, &one).unwrap();
    assert_eq!(run(&session, &program(1.), &CompileOptions::default()), [6., 7.]);
}

#[test]
fn damaged_entries_are_compiled_again() {
    let dir = tempfile::tempdir().unwrap();
    let session = session(Some(dir.path()));
    run(&session, &program(1.), &CompileOptions::default());
    let entry = files(dir.path()).remove(0);
    let intact = std::fs::read(&entry).unwrap();
    for damaged in [&b""[..], b"garbage", &intact[..intact.len() / 2]] {
        std::fs::write(&entry, damaged).unwrap();
        assert_eq!(run(&session, &program(1.), &CompileOptions::default()), [2., 3.]);
        assert_eq!(std::fs::read(&entry).unwrap().len(), intact.len(), "the entry is whole again");
    }
}

#[test]
fn a_cache_that_cannot_be_written_is_no_error() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("in-the-way");
    std::fs::write(&file, "").unwrap();
    let session = session(Some(&file.join("programs")));
    assert_eq!(run(&session, &program(1.), &CompileOptions::default()), [2., 3.]);
}

#[test]
fn errors_name_the_program() {
    let refused = session(None).compile("train_step", "module { nonsense }", &CompileOptions::default());
    let message = refused.unwrap_err().to_string();
    assert!(message.starts_with("program train_step: compiling a program for cpu: "), "{message}");
}

#[test]
fn every_dtype_goes_there_and_back() {
    let session = session(None);
    let floats = [DType::BF16, DType::F16, DType::F32, DType::F64];
    for dtype in [DType::Bool, DType::U8, DType::U32, DType::I32, DType::I64].into_iter().chain(floats) {
        let bytes: Vec<u8> = (0..6 * dtype.size()).map(|i| (i % 2) as u8).collect();
        let tensor = HostTensor::new(dtype, &[2, 3], bytes).unwrap();
        let buffer = session.upload(&tensor).unwrap();
        assert_eq!(session.download(&buffer).unwrap(), tensor);
    }
    let scalar = HostTensor::scalar(7i32);
    assert_eq!(session.download(&session.upload(&scalar).unwrap()).unwrap(), scalar);
}

#[test]
fn the_processor_is_one_device_and_can_be_several() {
    assert_eq!(session(None).devices().len(), 1);
    let options = SessionOptions {
        cpu_device_count: Some(2),
        cache: None,
        ..SessionOptions::new(Platform::Cpu, &Environment::default())
    };
    let session = Session::open(plugin(), options).unwrap();
    assert_eq!(session.devices().len(), 2);
    let tensor = HostTensor::from_slice(&[2], &[1f32, 2.]).unwrap();
    let buffer = session.upload_to(&tensor, &session.devices()[1]).unwrap();
    assert_eq!(session.download(&buffer).unwrap(), tensor);
    // A mesh takes the first devices, and no more than there are.
    assert_eq!((session.places(1).unwrap(), session.places(2).unwrap()), (&[0][..], &[0, 1][..]));
    let refused = session.places(8).unwrap_err().to_string();
    assert_eq!(refused, "a mesh of 8 devices, but there are 2: make `mesh` smaller");
}

/// The CPU plugin counts nothing itself.
#[test]
fn memory_is_told() {
    let memory = session(None).memory().unwrap().expect("Linux tells of the host's");
    assert!(0 < memory.free && memory.free <= memory.total, "{memory:?}");
    assert!(memory.peak.is_some_and(|peak| 0 < peak), "{memory:?}");
}

/// A product with a matrix that is updated in place sees the update, at any size. The update depends on the product, as clipping by the
/// global norm does, so that the compiler need not copy the matrix.
#[test]
fn products_read_donated_arguments_anew() {
    let session = session(None);
    for (rows, inner, columns) in [(2, 3, 4), (64, 256, 64), (256, 2048, 64), (64, 64, 2048)] {
        let (x, w, y) = (format!("{rows}x{inner}"), format!("{inner}x{columns}"), format!("{rows}x{columns}"));
        let program = format!(
            "module {{ func.func @main(%x: tensor<{x}xf32>, %w: tensor<{w}xf32> {{tf.aliasing_output = 1 : i32}})
                -> (tensor<{y}xf32>, tensor<{w}xf32>) {{
                %zero = stablehlo.constant dense<0.0> : tensor<f32>
                %one = stablehlo.constant dense<1.0> : tensor<f32>
                %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
                    : (tensor<{x}xf32>, tensor<{w}xf32>) -> tensor<{y}xf32>
                %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1]
                    : (tensor<{y}xf32>, tensor<f32>) -> tensor<f32>
                %nothing = stablehlo.multiply %sum, %zero : tensor<f32>
                %change = stablehlo.add %nothing, %one : tensor<f32>
                %changes = stablehlo.broadcast_in_dim %change, dims = [] : (tensor<f32>) -> tensor<{w}xf32>
                %next = stablehlo.add %w, %changes : tensor<{w}xf32>
                return %y, %next : tensor<{y}xf32>, tensor<{w}xf32> }} }}"
        );
        let executable = session.compile("product", &program, &CompileOptions::default()).unwrap();
        let upload = |shape: [usize; 2], value: f32| {
            session.upload(&HostTensor::from_vec(&shape, vec![value; shape[0] * shape[1]]).unwrap()).unwrap()
        };
        let ones = upload([rows, inner], 1.0);
        let mut weight = upload([inner, columns], 0.0);
        for step in 0..4 {
            let mut outputs = executable.execute(&[&ones, &weight]).unwrap();
            weight = outputs.pop().unwrap();
            let product: Vec<f32> = session.download(&outputs[0]).unwrap().to_vec().unwrap();
            assert!(product.iter().all(|value| *value == (step * inner) as f32), "{w} at step {step}: {}", product[0]);
        }
    }
}
