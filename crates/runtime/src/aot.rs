//! Compiling ahead of time for devices that are described and need not be here.
//!
//! Success proves that the program compiles and shows how much memory it takes, not that it runs: a custom call that the
//! device's runtime lacks, for one, is found only there.

use std::path::Path;
use std::time::Instant;

use pjrt::{CompileOptions, CompiledProgram, FlagValue, Plugin, Topology};

use crate::Hardware;
use crate::platform_settings::with_platform_flags;
use crate::plugins::Platform;
use crate::session::{Error, Result};

/// A device that programs can be compiled for without having it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// NVIDIA H200, compute capability 9.0.
    H200,
    /// AMD Instinct MI300X, gfx942.
    Mi300x,
    /// AMD Instinct MI250, gfx90a. One of its two dies, which software sees as a device of its own.
    Mi250,
}

impl Target {
    /// All targets, in the order in which they are listed to users.
    pub const ALL: [Target; 3] = [Target::H200, Target::Mi300x, Target::Mi250];

    /// The name on the command line: `h200`, `mi300x`, `mi250`.
    pub fn name(self) -> &'static str {
        match self {
            Target::H200 => "h200",
            Target::Mi300x => "mi300x",
            Target::Mi250 => "mi250",
        }
    }

    /// The platform whose plugin compiles for it.
    pub fn platform(self) -> Platform {
        match self {
            Target::H200 => Platform::Cuda,
            Target::Mi300x | Target::Mi250 => Platform::Rocm,
        }
    }

    /// The kind of device, for the choice of kernels.
    pub fn hardware(self) -> Hardware {
        let compute_capability = match self {
            Target::H200 => Some((9, 0)),
            Target::Mi300x | Target::Mi250 => None,
        };
        Hardware { platform: self.platform(), compute_capability }
    }

    /// Its memory in bytes, before the driver's share.
    pub fn memory_bytes(self) -> u64 {
        match self {
            Target::H200 => 150_754_820_096,
            Target::Mi300x => 270_566_162_432,
            Target::Mi250 => 68_702_699_520,
        }
    }

    /// XLA's description of it: a `GpuTargetConfigProto` in text form.
    fn config(self) -> &'static str {
        match self {
            Target::H200 => include_str!("../targets/h200.txtpb"),
            Target::Mi300x => include_str!("../targets/mi300x.txtpb"),
            Target::Mi250 => include_str!("../targets/mi250.txtpb"),
        }
    }
}

/// Compiles a program (StableHLO as MLIR text) for `devices` devices of one machine.
///
/// `options` must split the program over as many partitions. `cuda_toolchain` is the folder of
/// [`cuda_toolchain`](crate::plugins::cuda_toolchain), which NVIDIA targets need. The plugin's kernels are chosen without
/// being timed, so a program that is compiled on the device itself may use others.
///
/// # Errors
/// The plugin is not the target's, or the compiler refuses the program.
pub fn compile(
    plugin: &Plugin,
    target: Target,
    devices: u32,
    cuda_toolchain: Option<&Path>,
    label: &str,
    text: &str,
    options: &CompileOptions,
) -> Result<CompiledProgram> {
    let started = Instant::now();
    let options = options.clone().with_flag("xla_gpu_autotune_level", FlagValue::Int(0));
    let options = with_platform_flags(target.platform(), cuda_toolchain, options);
    let in_program = |cause| Error::Program { label: format!("{label} for {}", target.name()), cause };
    let topology = Topology::new(plugin, target.config(), &format!("1x1x{devices}"))?;
    let program = topology.compile(text, &options).map_err(in_program)?;
    tracing::debug!(label, target = target.name(), seconds = started.elapsed().as_secs_f64(), "compiled ahead of time");
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_what_the_description_says() {
        for target in Target::ALL {
            let line = format!("device_memory_size: {}", target.memory_bytes());
            assert!(target.config().lines().any(|found| found.trim() == line), "{target:?}");
        }
    }
}
