//! Compiling for devices that are not there.

use crate::api::Call;
use crate::client::mlir;
use crate::error::Doing;
use crate::named::named_values;
use crate::object::Owned;
use crate::{CompileOptions, CompiledProgram, Plugin, Result, sys};

/// A description of devices, which need not exist, that programs can be compiled for.
pub struct Topology {
    topology: Owned<sys::PJRT_TopologyDescription>,
}

impl Topology {
    /// Devices described by a `GpuTargetConfigProto` in text form, arranged as `shape`: hosts, processes per host and
    /// devices per process, so that `1x1x8` is one machine of eight.
    ///
    /// # Errors
    /// The plugin cannot compile ahead of time, or does not understand the description.
    pub fn new(plugin: &Plugin, target_config: &str, shape: &str) -> Result<Topology> {
        let api = plugin.api();
        let options = [("target_config", target_config.into()), ("topology", shape.into())];
        let values = named_values(&options);
        let args = sys::PJRT_TopologyDescription_Create_Args {
            create_options: values.as_ptr(),
            num_options: values.len(),
            ..Call::new()
        };
        // SAFETY: the options are alive during the call; the new description is ours.
        let topology = unsafe { api.call(args).and_then(|args| Owned::new(api, args.topology)) }
            .doing(|| format!("describing {shape} devices to the plugin {}", plugin.path().display()))?;
        Ok(Topology { topology })
    }

    /// Compiles a program, given as MLIR text (or bytecode) of the StableHLO dialect, for these devices.
    ///
    /// Without the device the compiler cannot try variants of its kernels, so it needs flags such as
    /// `xla_gpu_autotune_level=0`. Success does not prove that the program would run.
    ///
    /// # Errors
    /// The program is malformed, or the options contradict it or the devices.
    pub fn compile(&self, program: impl AsRef<[u8]>, options: &CompileOptions) -> Result<CompiledProgram> {
        let api = self.topology.api;
        let options = options.encode();
        let program = mlir(program.as_ref());
        let args = sys::PJRT_Compile_Args {
            topology: self.topology.raw(),
            program: &raw const program,
            compile_options: options.as_ptr().cast(),
            compile_options_size: options.len(),
            ..Call::new()
        };
        // SAFETY: topology, program and options are alive during the call; the new executable is ours.
        unsafe { api.call(args).and_then(|args| CompiledProgram::new(api, args.executable)) }
            .doing(|| "compiling a program for a described device".to_owned())
    }
}

impl std::fmt::Debug for Topology {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Topology")
    }
}
