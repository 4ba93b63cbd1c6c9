//! Training: configuration, schedules, optimizers, the step and the loop around it.

mod adamw;
mod attention;
pub mod config;
mod error;
mod evaluation;
mod event;
pub mod metrics;
mod output;
mod plan;
mod preset;
mod resume;
mod run;
mod run_data;
mod run_folder;
pub mod schedule;
mod setup;
mod start;
mod step;
mod stop;
mod trainer;
mod window;

pub use adamw::AdamW;
pub use attention::AttentionChoice;
pub use error::Error;
pub use event::{Ending, Event};
pub use plan::PlanError;
pub use preset::{ModelPreset, Preset};
pub use resume::ResumeError;
pub use run_data::RunData;
pub use run_folder::FolderError;
pub use start::{RunOptions, run};
pub use step::{BatchShape, StepOutcome, StepPlan, StepProgram, moment_name};
pub use trainer::{PendingOutcome, StateReader, Trainer};
