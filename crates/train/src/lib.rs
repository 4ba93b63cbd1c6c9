//! Training: configuration, schedules, optimizers, the step and the loop around it.

mod adamw;
pub mod config;
mod error;
pub mod metrics;
mod preset;
pub mod schedule;
mod step;
mod trainer;

pub use adamw::AdamW;
pub use error::Error;
pub use preset::Preset;
pub use step::{BatchShape, StepPlan, StepProgram, moment_name};
pub use trainer::{StepOutcome, Trainer};
