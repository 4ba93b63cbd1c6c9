//! What a run's step takes of a cluster.

use graph::DType;
use mesh::MeshShape;
use runtime::{Bytes, CompiledMemoryStats};
use serde::Serialize;
use train::config::{MicroBatch, TrainConfig};
use train::micro_batch::{self, ROWS_MAX};
use train::{LeastMemory, ModelFlops, Role, StepLayout, StepPlan, StepShapes};

use crate::work::by_kind;
use crate::{Cluster, Compiler, Estimate, Rates, Work};

/// Why there is no plan.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The configuration means no step.
    #[error(transparent)]
    Step(#[from] train::Error),
    /// The step cannot be traced.
    #[error(transparent)]
    Graph(#[from] graph::GraphError),
    /// The compiler refuses it.
    #[error(transparent)]
    Compile(#[from] runtime::Error),
    /// The plugin does not tell what it has compiled.
    #[error(
        "{0}: plans need a plugin that tells it; `finery plugin install cpu`, `cuda` or `rocm` installs one that does"
    )]
    Pjrt(runtime::PjrtError),
    /// What it tells cannot be read.
    #[error(transparent)]
    Program(#[from] hlo::Malformed),
    /// Not even the smallest micro-batch fits.
    #[error(
        "micro_batch_size: auto finds none for {target}: a step of {rows} rows, the fewest that the mesh spreads, takes more than the {usable} that may be \
         used of each device: split the model over more (mesh.fsdp, mesh.mp), lower sequence_len or set gradient_checkpointing: full"
    )]
    NoneFits {
        /// The fewest rows.
        rows: u64,
        /// The target.
        target: String,
        /// What may be used of a device.
        usable: Bytes,
    },
    /// The compiler does not find room for the step.
    #[error(
        "a step of {rows} rows does not fit on {target}: its compiler finds no room for it in the {usable} that may be used of each device; split the \
         model over more (mesh.fsdp, mesh.mp), lower micro_batch_size or sequence_len, or set gradient_checkpointing: full ({cause})"
    )]
    TooLarge {
        /// Rows of a micro-batch.
        rows: usize,
        /// The target.
        target: String,
        /// What may be used of a device.
        usable: String,
        /// What the compiler says.
        cause: Box<runtime::Error>,
    },
    /// The mesh has another number of devices.
    #[error(
        "the target {target} has {found} device{}, and the mesh is of {wanted} (dp {} x fsdp {} x mp {}): give `--target` as many, or one size of \
         `mesh` as auto",
        if *found == 1 { "" } else { "s" }, shape.dp, shape.fsdp, shape.mp
    )]
    Devices {
        /// The target.
        target: String,
        /// Its devices.
        found: usize,
        /// The mesh's.
        wanted: usize,
        /// The mesh.
        shape: MeshShape,
    },
}

impl PlanError {
    /// What a compiler's answer means for a step of so many rows.
    fn of_step(self, rows: usize, target: &str, usable: Option<u64>) -> PlanError {
        match self {
            PlanError::Compile(cause) if cause.is_out_of_memory() => {
                let usable = usable.map_or("memory".to_owned(), |bytes| Bytes(bytes.into()).to_string());
                PlanError::TooLarge { rows, target: target.to_owned(), usable, cause: Box::new(cause) }
            }
            error => error,
        }
    }
}

/// What a step takes.
#[derive(Clone, Debug, Serialize)]
pub struct Plan {
    /// The target as it was asked for.
    pub target: String,
    /// Its device.
    pub device: String,
    /// Machines.
    pub nodes: u32,
    /// All devices.
    pub devices: usize,
    /// The mesh: dp, fsdp, mp.
    pub mesh: [usize; 3],
    /// Rows of a micro-batch, over all devices.
    pub micro_batch_size: usize,
    /// Micro-batches of a step.
    pub gradient_accumulation_steps: usize,
    /// Tokens of a row.
    pub sequence_len: usize,
    /// Tokens of a step.
    pub tokens: usize,
    /// The attention, and why.
    pub attention: String,
    /// The kernels of layers with a state space, or why there are none; absent where the model has no such layers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state_spaces: Option<String>,
    /// The same of layers with experts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experts: Option<String>,
    /// The memory of each device.
    pub memory: MemoryPlan,
    /// FLOPs of a step that the mathematics asks for, over all devices, with the causal half of attention.
    pub model_flops: f64,
    /// FLOPs of the products that each device computes, those of what is computed again too.
    pub device_flops: f64,
    /// What devices exchange, kind by kind.
    pub exchanges: Vec<Exchange>,
    /// Loops of which the compiler does not know how often they run, counted as if once.
    pub loops_unknown: usize,
    /// The time of a step, where the device's rates are known.
    pub estimate: Option<Estimate>,
    /// Tokens a second of all devices by that.
    pub tokens_per_second: Option<f64>,
    /// What it assumes.
    pub rates: Option<Rates>,
    /// How long the compiler took; `None` where it has compiled the same before.
    pub compile_seconds: Option<f64>,
}

/// Bytes on each device.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct MemoryPlan {
    /// Parameters that are trained.
    pub trained: u64,
    /// Parameters that stay.
    pub frozen: u64,
    /// What the optimizer remembers.
    pub optimizer: u64,
    /// Data of the step.
    pub data: u64,
    /// Gradients of all that is trained, of the temporaries.
    pub gradients: u64,
    /// Activations and all else that is alive at the fullest moment, of the temporaries.
    pub activations: u64,
    /// Results that do not take the place of arguments, and code.
    pub other: u64,
    /// The sum, as the compiler has it.
    pub total: u64,
    /// What a run may use of the device's.
    pub usable: Option<u64>,
    /// Whether the sum is no more.
    pub fits: Option<bool>,
}

/// What devices exchange of one kind.
#[derive(Clone, Debug, Serialize)]
pub struct Exchange {
    /// HLO's name: `all-gather`.
    pub kind: &'static str,
    /// How many a step.
    pub count: u64,
    /// Bytes that are gathered, summed or moved, in all.
    pub bytes: u64,
    /// Bytes that each device sends for it.
    pub sent_bytes: u64,
}

/// The most documents that packed rows are taken to hold: what data would tell.
pub(crate) const DOCUMENTS: usize = 32;

impl Plan {
    /// The step that a configuration means on a cluster.
    ///
    /// # Errors
    /// It means none, or not on so many devices.
    pub fn shapes(config: &TrainConfig, cluster: &Cluster) -> Result<StepShapes, PlanError> {
        let devices = cluster.device_count();
        let shape = config.mesh.sizes().on(devices).map_err(train::Error::from)?;
        if shape.device_count() != devices {
            let (target, wanted) = (cluster.name.clone(), shape.device_count());
            return Err(PlanError::Devices { target, found: devices, wanted, shape });
        }
        Ok(StepShapes::of(config, cluster.hardware(), devices, DOCUMENTS)?)
    }

    /// The plan of a configuration's step, with as many rows in a micro-batch as fit where it says `auto`. `trying` is told of the rows before each
    /// compiling.
    ///
    /// # Errors
    /// It means no step on the cluster, the compiler refuses it or does not tell, or not even the fewest rows fit.
    pub fn of_config(
        config: &TrainConfig,
        cluster: &Cluster,
        compiler: &Compiler,
        trying: &mut dyn FnMut(u64),
    ) -> Result<Plan, PlanError> {
        if let MicroBatch::Rows(rows) = config.micro_batch_size {
            let shapes = Plan::shapes(config, cluster)?;
            trying(rows);
            return Plan::of(&shapes, cluster, compiler);
        }
        let sizes = config.mesh.sizes().on(cluster.device_count()).map_err(train::Error::from)?;
        let parts = sizes.row_parts() as u64;
        let allowed = micro_batch::allowed(parts, config.global_batch_size, ROWS_MAX).map_err(train::Error::from)?;
        let (usable, mut plans) = (compiler.usable_bytes(cluster).unwrap_or(u64::MAX), Vec::new());
        let shapes = |rows: u64| Plan::shapes(&config.with_rows(rows), cluster);
        // What is known not to fit is not compiled.
        let least = |rows: u64| Ok::<_, PlanError>(LeastMemory::of(&shapes(rows)?.plan)?.total());
        let may_fit = |rows: &u64| least(*rows).is_ok_and(|least| least <= usable);
        let tried = match least(allowed[0])? <= usable {
            true => &allowed[..allowed.partition_point(may_fit)],
            false => &[],
        };
        let largest = micro_batch::largest(tried, usable, |rows| {
            trying(rows);
            let plan = if_room(Plan::of(&shapes(rows)?, cluster, compiler))?;
            let total = plan.as_ref().map(|plan| plan.memory.total);
            plans.extend(plan);
            Ok::<_, PlanError>(total)
        })?;
        let chosen = largest.and_then(|(rows, _)| plans.into_iter().find(|plan| plan.micro_batch_size as u64 == rows));
        chosen.ok_or_else(|| PlanError::NoneFits {
            rows: allowed[0],
            target: cluster.name.clone(),
            usable: Bytes(usable.into()),
        })
    }

    /// Compiles a step for a cluster, and tells what it takes.
    ///
    /// # Errors
    /// The compiler refuses it, or does not tell.
    pub fn of(shapes: &StepShapes, cluster: &Cluster, compiler: &Compiler) -> Result<Plan, PlanError> {
        let (plan, layout) = (&shapes.plan, &shapes.layout()?);
        let program = plan.train_program()?.program;
        let usable = compiler.usable_bytes(cluster);
        let compiled = compiler
            .compile(cluster, &program)
            .map_err(|error| error.of_step(plan.batch.rows, &cluster.name, usable))?;
        let work = Work::of(&compiled.module, cluster.nodes);
        let rates = cluster.device.as_ref().and_then(Rates::of);
        let estimate = rates.as_ref().map(|rates| Estimate::of(&work, rates));
        let tokens = plan.batch.tokens();
        let exchange = |(kind, (count, bytes, sent)): (hlo::Kind, (f64, f64, f64))| Exchange {
            kind: kind.name(),
            count: count as u64,
            bytes: bytes as u64,
            sent_bytes: sent as u64,
        };
        Ok(Plan {
            target: cluster.name.clone(),
            device: cluster.device.as_ref().map_or("cpu".to_owned(), |device| device.kind.clone()),
            nodes: cluster.nodes.count,
            devices: cluster.device_count(),
            mesh: sizes(layout),
            micro_batch_size: plan.batch.rows,
            gradient_accumulation_steps: plan.batch.accumulation,
            sequence_len: plan.batch.positions,
            tokens,
            attention: shapes.kernels.attention.to_string(),
            state_spaces: shapes.kernels.state_spaces.map(|own| own.to_string()),
            experts: shapes.kernels.experts.map(|own| own.to_string()),
            memory: MemoryPlan::of(plan, layout, compiled.memory, usable),
            model_flops: ModelFlops::of(plan)?.causal() * tokens as f64,
            device_flops: work.flops(),
            exchanges: by_kind(&work.exchanges).into_iter().map(exchange).collect(),
            loops_unknown: work.loops_unknown,
            estimate,
            tokens_per_second: estimate.map(|estimate| tokens as f64 / estimate.step),
            rates,
            compile_seconds: compiled.seconds,
        })
    }
}

/// The plan, unless the compiler says that there is no room for the step, which is an answer too.
pub(crate) fn if_room(plan: Result<Plan, PlanError>) -> Result<Option<Plan>, PlanError> {
    match plan {
        Err(PlanError::TooLarge { .. }) => Ok(None),
        plan => plan.map(Some),
    }
}

/// Of a mesh's axes, in their order.
fn sizes(layout: &StepLayout) -> [usize; 3] {
    let axes = layout.mesh.axes();
    [0, 1, 2].map(|at| axes.get(at).map_or(1, |axis| axis.size))
}

impl MemoryPlan {
    fn of(plan: &StepPlan, layout: &StepLayout, compiled: CompiledMemoryStats, usable: Option<u64>) -> MemoryPlan {
        let held = |role| layout.bytes_per_device(role);
        // In f32, and where their parameters lie.
        let elements = layout.tensors.iter().filter(|tensor| tensor.role == Role::Trained);
        let elements: u64 = elements.map(|tensor| tensor.bytes_per_device() / tensor.ty.dtype.size() as u64).sum();
        let gradients = (elements * DType::F32.size() as u64).min(compiled.temp);
        let total = compiled.total();
        debug_assert_eq!(plan.device_count(), layout.mesh.device_count());
        MemoryPlan {
            trained: held(Role::Trained),
            frozen: held(Role::Frozen),
            optimizer: held(Role::Moment),
            data: compiled.argument.saturating_sub(held(Role::Trained) + held(Role::Frozen) + held(Role::Moment)),
            gradients,
            activations: compiled.temp - gradients,
            other: total.saturating_sub(compiled.argument + compiled.temp),
            total,
            usable,
            fits: usable.map(|usable| total <= usable),
        }
    }
}

#[cfg(test)]
mod tests {
    use runtime::{PjrtCode, PjrtError};

    use super::*;

    #[test]
    fn no_room_is_an_answer_and_no_failure() {
        let refused = |code| {
            let cause = PjrtError::Plugin { doing: "compiling".to_owned(), code, message: "no".to_owned() };
            let cause = runtime::Error::Program { label: "train_step".to_owned(), cause };
            PlanError::Compile(cause).of_step(16, "mi300x:8", Some(248_900_000_000))
        };
        let message = refused(PjrtCode::ResourceExhausted).to_string();
        let told =
            "a step of 16 rows does not fit on mi300x:8: its compiler finds no room for it in the 248.9 GB that may";
        assert!(message.starts_with(told) && message.contains("split the model over more"), "{message}");
        assert!(matches!(if_room(Err(refused(PjrtCode::ResourceExhausted))), Ok(None)));
        assert!(matches!(if_room(Err(refused(PjrtCode::Internal))), Err(PlanError::Compile(_))));
    }
}
