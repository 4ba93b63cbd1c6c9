//! `finery train` through the real binary, with a model of a few thousand parameters.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bad_data;
mod bad_models;
mod bad_plugins;
mod best_model;
mod checkpoints;
#[path = "../support/command.rs"]
mod command;
mod data;
#[path = "../support/folder.rs"]
mod folder;
mod frozen_base;
mod hardware;
mod keeping;
#[path = "../support/launched.rs"]
mod launched;
#[path = "../../../ranks/tests/support/loopback.rs"]
mod loopback;
mod micro_batch;
#[path = "../support/mirrored.rs"]
mod mirrored;
mod outcome;
mod overwriting;
mod preflight;
mod processes;
mod profiling;
mod resuming;
mod scene;
#[path = "../support/signals.rs"]
mod signals;
