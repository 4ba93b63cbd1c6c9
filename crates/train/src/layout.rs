//! What a run's step holds on each device of its mesh, told without a device.

use std::collections::BTreeSet;

use graph::{AxisRule, Mesh, ParamSpec, Partition, Sharding, TensorType};
use mesh::{MeshError, MeshShape};
use models::LayerLoop;
use runtime::Hardware;
use runtime::plugins::Platform;

use crate::config::TrainConfig;
use crate::config::spelling::nearest;
use crate::step::STEP_SCALARS;
use crate::trainer::BATCH_NAMES;
use crate::{Error, StepPlan, StepShapes};

/// The mesh of a run on a machine with so many devices of a platform, and how its tensors lie there; `None` on one device.
///
/// # Errors
/// The devices make no such mesh; its rows, their positions or a parameter do not divide.
pub(crate) fn partition(
    config: &TrainConfig,
    plan: &StepPlan,
    platform: Platform,
    devices: usize,
) -> Result<(MeshShape, Option<Partition>), Error> {
    let shape = config.mesh.sizes().on(devices)?;
    shape.check_rows(plan.batch.rows)?;
    if config.mesh.sequence_parallel {
        check_sequences(shape, plan)?;
    }
    let rules = config.mesh.rules(platform);
    check_rules(&rules.parameters, plan)?;
    let partition = rules.partition(shape, plan.optimizer.slots());
    if let Some(partition) = &partition {
        let params = plan.params()?;
        let slots = params.iter().flat_map(|spec| plan.slots(spec));
        for spec in params.iter().cloned().chain(slots) {
            partition.of_parameter(&spec.name, &spec.axes, 0).map_err(MeshError::Parameter)?;
        }
    }
    Ok((shape, partition))
}

/// Rules of `mesh.parameters` that are about nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IdleRule {
    /// No parameter has such a name.
    #[error(
        "`mesh.parameters.{name}`: no parameter's name holds {name:?}{}; `finery mesh show` lists them, with `*` for the numbers of layers",
        .near.as_ref().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default()
    )]
    Name {
        /// What the rule says that names hold.
        name: String,
        /// What may have been meant.
        near: Option<String>,
    },
    /// None of the parameters that the rule is for has such an axis.
    #[error("`mesh.parameters.{key}`: no parameter{} has an axis `{axis}`; there are {known}", if *.is_named { " of that name" } else { "" })]
    Axis {
        /// The rule's key.
        key: String,
        /// The axis.
        axis: &'static str,
        /// Whether the rule is for certain names.
        is_named: bool,
        /// The axes that they have.
        known: String,
    },
}

/// Refuses rules that say nothing of any parameter, or of what is remembered of one.
fn check_rules(rules: &[AxisRule], plan: &StepPlan) -> Result<(), Error> {
    if rules.is_empty() {
        return Ok(());
    }
    let params = plan.params()?;
    let tensors: Vec<ParamSpec> =
        params.iter().flat_map(|spec| plan.slots(spec)).chain(params.iter().cloned()).collect();
    let has_axis = |spec: &ParamSpec, axis: &str| spec.axes.iter().any(|own| own.name == axis);
    let is_idle = |rule: &&AxisRule| !tensors.iter().any(|spec| rule.names(&spec.name) && has_axis(spec, rule.axis));
    rules.iter().find(is_idle).map_or(Ok(()), |rule| Err(idle_rule(rule, &tensors).into()))
}

fn idle_rule(rule: &AxisRule, tensors: &[ParamSpec]) -> IdleRule {
    let named: Vec<&ParamSpec> = tensors.iter().filter(|spec| rule.names(&spec.name)).collect();
    if let Some(name) = rule.name.clone().filter(|_| named.is_empty()) {
        let numberless = AxisRule::of(&graph::without_numbers(&name), rule.axis, &[]);
        let parts = tensors.iter().flat_map(|spec| spec.name.split('.'));
        let near = match tensors.iter().any(|spec| numberless.names(&spec.name)) {
            true => numberless.name,
            false => nearest(&name, parts).map(str::to_owned),
        };
        return IdleRule::Name { name, near };
    }
    let known: BTreeSet<&str> = named.iter().flat_map(|spec| &spec.axes).map(|axis| axis.name).collect();
    IdleRule::Axis {
        key: rule.name.iter().map(String::as_str).chain([rule.axis]).collect::<Vec<_>>().join("."),
        axis: rule.axis,
        is_named: rule.name.is_some(),
        known: known.into_iter().collect::<Vec<_>>().join(", "),
    }
}

/// Refuses rows that are not split by their positions, or not without each device's waiting for the one before.
fn check_sequences(MeshShape { mp, .. }: MeshShape, plan: &StepPlan) -> Result<(), Error> {
    let positions = plan.batch.positions;
    if !positions.is_multiple_of(mp) {
        return Err(MeshError::Positions { positions, parts: mp }.into());
    }
    match plan.anatomy()?.state_space.is_empty() {
        true => Ok(()),
        false => Err(MeshError::Recurrence.into()),
    }
}

/// What a tensor of a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A parameter that stays as it is.
    Frozen,
    /// A parameter that is trained.
    Trained,
    /// What the optimizer remembers of one.
    Moment,
    /// Tokens, targets and the like of a step.
    Data,
}

/// A tensor of a step, and how it lies on the devices.
#[derive(Clone, Debug)]
pub struct Placement {
    /// Its name, with a `*` where layers are stacked.
    pub name: String,
    /// What it is.
    pub role: Role,
    /// Element type and axes.
    pub ty: TensorType,
    /// How it lies.
    pub sharding: Sharding,
}

/// What a step holds, by name in the order of the program's arguments.
#[derive(Clone, Debug)]
pub struct StepLayout {
    /// The devices.
    pub mesh: Mesh,
    /// The tensors.
    pub tensors: Vec<Placement>,
}

impl StepLayout {
    /// Of the run that a configuration means, on a machine with so many devices; with the fewest rows where `micro_batch_size` is `auto`. `base_model`
    /// needs to hold a `config.json` only, or may be a preset's name.
    ///
    /// # Errors
    /// The configuration means no run, or its tensors do not divide over its mesh.
    pub fn of(config: &TrainConfig, devices: usize) -> Result<StepLayout, Error> {
        // Nothing that is held depends on the hardware, nor on how many documents a row has.
        StepShapes::of(config, Hardware::CPU, devices, 1)?.layout()
    }

    /// Of a step on the devices of a partition.
    pub(crate) fn on(plan: StepPlan, partition: Partition) -> Result<StepLayout, Error> {
        let mesh = partition.mesh.clone();
        // As a loop, all layers of a stack are one tensor.
        let plan = StepPlan { layers: LayerLoop::Loop, partition: Some(partition), ..plan };
        let step = plan.train_program()?;
        let trained: Vec<&str> = step.trained.iter().map(|place| step.params[*place].name.as_str()).collect();
        let role = |name: &str| match () {
            () if BATCH_NAMES.contains(&name) => Role::Data,
            () if trained.contains(&name) => Role::Trained,
            () if step.params.iter().any(|spec| spec.name == name) => Role::Frozen,
            () => Role::Moment,
        };
        let inputs = step.program.inputs.iter().filter(|input| input.name != STEP_SCALARS);
        let tensors = inputs.filter_map(|input| {
            let (name, ty) = (input.name.clone(), input.ty.clone());
            Some(Placement { role: role(&name), name, ty, sharding: input.sharding.clone()? })
        });
        Ok(StepLayout { mesh, tensors: tensors.collect() })
    }

    /// Bytes on each device of the tensors that are something.
    pub fn bytes_per_device(&self, role: Role) -> u64 {
        self.tensors.iter().filter(|tensor| tensor.role == role).map(Placement::bytes_per_device).sum()
    }
}

impl Placement {
    /// Bytes of a device's part.
    pub fn bytes_per_device(&self) -> u64 {
        let part = self.sharding.part_type(&self.ty);
        (part.element_count() * part.dtype.size()) as u64
    }
}
