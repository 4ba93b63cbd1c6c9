//! Training: configuration, schedules, optimizers, the step and the loop around it.

pub mod config;
pub mod metrics;
pub mod schedule;
