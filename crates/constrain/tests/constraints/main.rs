//! Masks against other judges, and the reading of calls.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod costs;
mod exclusive;
mod forms;
mod hostile;
mod keywords;
mod members;
mod narrow;
mod numbers;
mod schemas;
mod shapes;
mod tools;
mod vocabularies;
