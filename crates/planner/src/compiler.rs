//! The target's own compiler.

use std::path::PathBuf;
use std::time::Instant;

use graph::Program;
use hlo::Module;
use runtime::aot;
use runtime::{CompiledMemoryStats, Memory, Plugin, Session};

use crate::{Cluster, PlanError};

/// Compiles steps for a cluster.
pub enum Compiler {
    /// For GPUs, which need not be here.
    Absent {
        /// The plugin of their platform, loaded to compile.
        plugin: Plugin,
        /// The folder of the CUDA toolchain, for NVIDIA's.
        toolchain: Option<PathBuf>,
    },
    /// For this machine's processor, as a session with as many devices.
    Host(Session),
}

/// A step's program, compiled.
pub struct Compiled {
    /// What it takes of each device's memory.
    pub memory: CompiledMemoryStats,
    /// What each device computes.
    pub module: Module,
    /// How long that took.
    pub seconds: f64,
}

impl Compiler {
    /// Compiles a program for the cluster.
    ///
    /// # Errors
    /// The compiler refuses it, or its result cannot be read.
    pub fn compile(&self, cluster: &Cluster, program: &Program) -> Result<Compiled, PlanError> {
        let started = Instant::now();
        let (memory, optimized) = match (self, &cluster.device) {
            (Compiler::Absent { plugin, toolchain }, Some(device)) => {
                let compiled = aot::compile_program(plugin, device, cluster.nodes, toolchain.as_deref(), program)?;
                (compiled.memory_stats(), compiled.optimized())
            }
            (Compiler::Host(session), _) => {
                let compiled = session.compile_program(program)?;
                (compiled.program().memory_stats(), compiled.program().optimized())
            }
            (Compiler::Absent { .. }, None) => unreachable!("a processor's steps are compiled in a session"),
        };
        let optimized = optimized.map_err(PlanError::Pjrt)?;
        let module = Module::read(&optimized.format, &optimized.code)?;
        Ok(Compiled { memory: memory.map_err(PlanError::Pjrt)?, module, seconds: started.elapsed().as_secs_f64() })
    }

    /// Bytes of each device that a step may take: of a GPU all but what is left to its driver, of the processor's memory its share.
    pub fn usable_bytes(&self, cluster: &Cluster) -> Option<u64> {
        match &cluster.device {
            Some(device) => Some((device.memory_bytes as f64 * aot::MEMORY_FRACTION) as u64),
            None => Memory::of_host().map(|memory| memory.total / cluster.device_count() as u64),
        }
    }
}
