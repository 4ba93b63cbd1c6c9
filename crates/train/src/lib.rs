//! Training: configuration, schedules, optimizers, the step and the loop around it.

mod adamw;
pub mod config;
mod error;
mod evaluation;
pub mod metrics;
mod output;
mod preset;
mod run;
mod run_data;
pub mod schedule;
mod setup;
mod step;
mod trainer;

pub use adamw::AdamW;
pub use error::Error;
pub use preset::Preset;
pub use run::{Ending, Event, Surroundings, run};
pub use run_data::RunData;
pub use step::{BatchShape, StepPlan, StepProgram, moment_name};
pub use trainer::{StepOutcome, Trainer};
