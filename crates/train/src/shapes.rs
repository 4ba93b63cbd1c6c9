//! The step of a run that need not be possible here: of shapes alone, without weights, data or a device.

use graph::Partition;
use models::ModelPreset;
use runtime::Hardware;

use crate::config::{ModelConfig, TrainConfig};
use crate::setup::Setup;
use crate::{ChosenKernels, Error, StepLayout, StepPlan, layout, micro_batch};

/// The step that a configuration means on other hardware.
#[derive(Clone, Debug)]
pub struct StepShapes {
    /// The step.
    pub plan: StepPlan,
    /// The kernels that would be chosen there.
    pub kernels: ChosenKernels,
    /// How its tensors lie, on one device too.
    partition: Partition,
}

impl StepShapes {
    /// Of a configuration on so many devices of a kind, where packed rows hold up to `documents`; with the fewest rows where `micro_batch_size` is
    /// `auto`. `base_model` needs to hold a `config.json` only, or may be a preset's name.
    ///
    /// # Errors
    /// The configuration means no run, or its tensors do not divide over its mesh.
    pub fn of(config: &TrainConfig, hardware: Hardware, devices: usize, documents: usize) -> Result<StepShapes, Error> {
        let config = &micro_batch::fewest(&with_preset(config), devices)?;
        let setup = match &config.lora_model_dir {
            // Its adapter says what is trained.
            Some(_) => Setup::new(config, hardware)?,
            None => Setup::of(config, hardware, None)?,
        };
        let (shape, partition) = layout::partition(config, &setup.plan, hardware.platform, devices)?;
        let rules = || config.mesh.rules(hardware.platform);
        let of_any = || rules().partition_of_any(shape, setup.plan.optimizer.slots());
        let lies = partition.clone().unwrap_or_else(of_any);
        let mut plan = StepPlan { partition, ..setup.plan };
        // It depends on what each device has.
        let kernels = plan.choose_kernels(config.kernels, config.gradient_checkpointing, hardware, documents);
        Ok(StepShapes { kernels, partition: lies, plan })
    }

    /// What each device holds.
    ///
    /// # Errors
    /// The step cannot be traced.
    pub fn layout(&self) -> Result<StepLayout, Error> {
        StepLayout::on(self.plan.clone(), self.partition.clone())
    }
}

/// The configuration with a preset's shape in place of a base model that is not here.
fn with_preset(config: &TrainConfig) -> TrainConfig {
    let preset = config.base_model.as_deref().filter(|folder| !folder.exists()).and_then(|folder| folder.to_str());
    match preset.and_then(ModelPreset::find) {
        Some(preset) => TrainConfig {
            model_config: Some(ModelConfig::File(preset.name.into())),
            base_model: None,
            ..config.clone()
        },
        None => config.clone(),
    }
}
