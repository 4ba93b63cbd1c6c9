//! Compiling for GPUs that are not here, with the plugins of theirs that are installed.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use pjrt::{CompileOptions, FlagValue};
use runtime::aot::{self, Nodes, Target};
use runtime::plugins::{Environment, Platform, Purpose, cuda_toolchain, locate};

/// `a` split over rows times a replicated `b`; `a` is donated to the result.
const SHARDED: &str = r#"module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
    sdy.mesh @mesh = <["x"=8]>
    func.func @main(%a: tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, tf.aliasing_output = 0 : i32},
                    %b: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
        -> (tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
          : (tensor<1024x256xf32>, tensor<256x256xf32>) -> tensor<1024x256xf32>
      return %0 : tensor<1024x256xf32> } }"#;

/// Passes over a test because of what the machine lacks, unless `FINERY_REQUIRE_PLUGINS` is set, as `.ci/run` sets it.
fn lacking(what: &str) {
    assert!(std::env::var_os("FINERY_REQUIRE_PLUGINS").is_none(), "FINERY_REQUIRE_PLUGINS is set, but {what}");
    eprintln!("not tested: {what}; run `cargo xtask aot-setup`");
}

/// Compiles [`SHARDED`] for eight devices of a kind, or says that the machine lacks the plugin.
fn check(target: Target) {
    let mut environment = Environment::from_process();
    // It names the CPU's plugin where tests are run.
    environment.plugin = None;
    let device = target.description();
    let Ok(located) = locate(&environment, device.platform) else {
        return lacking(&format!("the {} plugin is not installed", device.platform));
    };
    let plugin = match located.load(&environment, Purpose::Compile) {
        Ok(plugin) => plugin,
        Err(error) => return lacking(&error.to_string()),
    };
    let toolchain = cuda_toolchain(&environment);
    if device.platform == Platform::Cuda && toolchain.is_none() {
        return lacking("there is no CUDA toolchain");
    }
    let options = CompileOptions::sharded((0..8).collect::<Vec<_>>());
    let options = options.with_flag("xla_gpu_enable_triton_gemm", FlagValue::Bool(false));
    let program =
        aot::compile(&plugin, &device, Nodes::one(8), toolchain.as_deref(), "sharded", SHARDED, &options).unwrap();
    let memory = program.memory_stats().unwrap();
    let (shard, replicated) = (1024 / 8 * 256 * 4, 256 * 256 * 4);
    assert_eq!((memory.argument, memory.output, memory.alias), (shard + replicated, shard, shard), "{target:?}");
    assert!(!program.serialize().unwrap().is_empty());

    let refused =
        aot::compile(&plugin, &device, Nodes::one(8), toolchain.as_deref(), "bad", "module { nonsense }", &options);
    let message = refused.unwrap_err().to_string();
    assert!(message.starts_with(&format!("program bad for {}: ", device.kind)), "{message}");
}

#[test]
fn compiles_for_h200_and_h100() {
    check(Target::H200);
    check(Target::H100);
}

#[test]
fn compiles_for_mi300x_and_mi250() {
    check(Target::Mi300x);
    check(Target::Mi250);
}
