//! The target's own compiler.

use std::path::PathBuf;
use std::time::Instant;

use graph::Program;
use hlo::Module;
use runtime::aot::{self, Kept};
use runtime::plugins::Environment;
use runtime::{CompiledMemoryStats, Memory, OptimizedProgram, Plugin, Session};

use crate::{Cluster, PlanError};

/// Compiles steps for a cluster.
pub enum Compiler {
    /// For GPUs, which need not be here.
    Absent {
        /// The plugin of their platform, loaded to compile.
        plugin: Plugin,
        /// The folder of the CUDA toolchain, for NVIDIA's.
        toolchain: Option<PathBuf>,
        /// With whose cache what it tells is kept.
        environment: Environment,
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
    /// How long that took; `None` where it was compiled before, and what it told was kept.
    pub seconds: Option<f64>,
}

impl Compiler {
    /// Compiles a program for the cluster.
    ///
    /// # Errors
    /// The compiler refuses it, or its result cannot be read.
    pub fn compile(&self, cluster: &Cluster, program: &Program) -> Result<Compiled, PlanError> {
        let started = Instant::now();
        let (memory, optimized) = match (self, &cluster.device) {
            (Compiler::Absent { plugin, toolchain, environment }, Some(device)) => {
                let toolchain = toolchain.as_deref();
                let kept = Kept::of(environment, plugin, device, cluster.nodes, toolchain, program);
                if let Some((memory, optimized)) = kept.as_ref().and_then(Kept::load) {
                    return Ok(Compiled { memory, module: module(&optimized)?, seconds: None });
                }
                let compiled = aot::compile_program(plugin, device, cluster.nodes, toolchain, program)?;
                let told = (compiled.memory_stats(), compiled.optimized());
                if let (Some(kept), (Ok(memory), Ok(optimized))) = (kept, &told) {
                    kept.store(memory, optimized);
                }
                told
            }
            (Compiler::Host(session), _) => {
                let compiled = session.compile_program(program)?;
                (compiled.program().memory_stats(), compiled.program().optimized())
            }
            (Compiler::Absent { .. }, None) => unreachable!("a processor's steps are compiled in a session"),
        };
        let module = module(&optimized.map_err(PlanError::Pjrt)?)?;
        let seconds = Some(started.elapsed().as_secs_f64());
        Ok(Compiled { memory: memory.map_err(PlanError::Pjrt)?, module, seconds })
    }

    /// Bytes of each device that a step may take: of a GPU all but what is left to its driver, of the processor's memory its share.
    pub fn usable_bytes(&self, cluster: &Cluster) -> Option<u64> {
        match &cluster.device {
            Some(device) => Some((device.memory_bytes as f64 * aot::MEMORY_FRACTION) as u64),
            None => Memory::of_host().map(|memory| memory.total / cluster.device_count() as u64),
        }
    }
}

pub(crate) fn module(optimized: &OptimizedProgram) -> Result<Module, hlo::Malformed> {
    Module::read(&optimized.format, &optimized.code)
}
