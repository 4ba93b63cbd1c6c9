//! Training: configuration, schedules, optimizers, the step and the loop around it.

mod adamw;
pub mod config;
pub mod metrics;
pub mod schedule;
mod step;

pub use adamw::AdamW;
pub use step::{BatchShape, StepPlan, StepProgram, moment_name};
