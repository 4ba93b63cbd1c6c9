//! Compiling ahead of time for devices that are described and need not be here.
//!
//! Success proves that the program compiles and shows how much memory it takes, not that it runs: a custom call that the
//! device's runtime lacks, for one, is found only there.

use std::path::Path;
use std::time::Instant;

use graph::Program;
use pjrt::{CompileOptions, CompiledProgram, FlagValue, Plugin, Topology};

use crate::platform_settings::with_platform_flags;
use crate::session::{Error, Result};

mod description;
mod kept;

pub use description::{Description, DescriptionError};
pub use kept::Kept;

/// A device that programs can be compiled for without having it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// NVIDIA H200, compute capability 9.0.
    H200,
    /// NVIDIA H100 with 80 GB of HBM3, compute capability 9.0.
    H100,
    /// AMD Instinct MI300X, gfx942.
    Mi300x,
    /// AMD Instinct MI250, gfx90a. One of its two dies, which software sees as a device of its own.
    Mi250,
}

impl Target {
    /// All targets, in the order in which they are listed to users.
    pub const ALL: [Target; 4] = [Target::H200, Target::H100, Target::Mi300x, Target::Mi250];

    /// The name on the command line: `h200`, `h100`, `mi300x`, `mi250`.
    pub fn name(self) -> &'static str {
        match self {
            Target::H200 => "h200",
            Target::H100 => "h100",
            Target::Mi300x => "mi300x",
            Target::Mi250 => "mi250",
        }
    }

    /// What compilers are told of it.
    pub fn description(self) -> Description {
        let text = match self {
            Target::H200 => include_str!("../targets/h200.txtpb"),
            Target::H100 => include_str!("../targets/h100.txtpb"),
            Target::Mi300x => include_str!("../targets/mi300x.txtpb"),
            Target::Mi250 => include_str!("../targets/mi250.txtpb"),
        };
        text.parse().expect("its own descriptions are complete")
    }
}

/// How many devices a program is compiled for, and how they stand together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nodes {
    /// Machines.
    pub count: u32,
    /// Devices of each.
    pub devices: u32,
}

impl Nodes {
    /// One machine with so many devices.
    pub fn one(devices: u32) -> Nodes {
        Nodes { count: 1, devices }
    }
}

/// Compiles a program (StableHLO as MLIR text) for devices that are described.
///
/// `options` must split the program over as many partitions as there are devices. `cuda_toolchain` is the folder of
/// [`cuda_toolchain`](crate::plugins::cuda_toolchain), which NVIDIA's devices need. The plugin's kernels are chosen without
/// being timed, so a program that is compiled on the device itself may use others.
///
/// # Errors
/// The plugin is not that of the devices' platform, or the compiler refuses the program.
pub fn compile(
    plugin: &Plugin,
    device: &Description,
    nodes: Nodes,
    cuda_toolchain: Option<&Path>,
    label: &str,
    text: &str,
    options: &CompileOptions,
) -> Result<CompiledProgram> {
    let started = Instant::now();
    let options = with_flags(device, cuda_toolchain, text, options.clone());
    let in_program = |cause| Error::Program { label: format!("{label} for {}", device.kind), cause };
    let topology = Topology::new(plugin, device.text(), &topology_of(nodes))?;
    let program = topology.compile(text, &options).map_err(in_program)?;
    tracing::debug!(label, device = device.kind, seconds = started.elapsed().as_secs_f64(), "compiled ahead of time");
    Ok(program)
}

/// As [`compile`], a program of ours: for the first of the devices, or for all that its mesh has.
///
/// # Errors
/// As there.
pub fn compile_program(
    plugin: &Plugin,
    device: &Description,
    nodes: Nodes,
    cuda_toolchain: Option<&Path>,
    program: &Program,
) -> Result<CompiledProgram> {
    compile(plugin, device, nodes, cuda_toolchain, &program.name, &program.text, &devices_of(program))
}

/// For the first device, or for all that the program's mesh has.
fn devices_of(program: &Program) -> CompileOptions {
    match &program.mesh {
        None => CompileOptions::default(),
        Some(mesh) => CompileOptions::sharded((0..).take(mesh.device_count()).collect::<Vec<_>>()),
    }
}

/// Nothing is timed. `XLA_FLAGS` of this machine are not those of the other.
fn with_flags(
    device: &Description,
    cuda_toolchain: Option<&Path>,
    text: &str,
    options: CompileOptions,
) -> CompileOptions {
    let options = options.with_flag("xla_gpu_autotune_level", FlagValue::Int(0));
    with_platform_flags(device.platform, cuda_toolchain, &[], text, options)
}

/// All that a program of ours is compiled with.
fn options_of(device: &Description, cuda_toolchain: Option<&Path>, program: &Program) -> CompileOptions {
    with_flags(device, cuda_toolchain, &program.text, devices_of(program))
}

fn topology_of(nodes: Nodes) -> String {
    format!("1x{}x{}", nodes.count, nodes.devices)
}

/// What may be used of a GPU's memory: the rest is for the driver's own context, libraries' workspaces and the display.
pub const MEMORY_FRACTION: f64 = 0.92;
