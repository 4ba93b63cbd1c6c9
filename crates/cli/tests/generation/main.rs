//! `finery generate`, `finery chat`, `finery score`, `finery serve` and `finery bench serve` through the real binary.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod chat;
#[path = "../support/command.rs"]
mod command;
#[path = "../support/folder.rs"]
mod folder;
mod generate;
mod load;
#[path = "../support/model.rs"]
mod model;
mod scene;
mod score;
mod serve;
#[path = "../support/signals.rs"]
mod signals;
