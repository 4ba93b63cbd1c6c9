//! Several processes as one run: who is who, a key-value store, barriers, and an end for all when one fails.
//!
//! A [`World`] is what launchers say in environment variables. [`ProcessGroup::join`] brings its ranks together: rank 0 serves a
//! store over TCP to those that know the run's secret and run the same thing. From then on a rank that fails, dies or falls silent is
//! told to all others, in a sentence with its number, host and step.
//!
//! The secret keeps strangers out; what ranks say to each other is neither secret nor sealed, so networks are those that a
//! cluster's nodes share. This crate knows no model, no device and no file.

mod coordinator;
mod error;
mod frame;
mod group;
mod handshake;
mod host_list;
mod message;
mod secret;
mod server;
mod world;

pub use error::{Failure, GroupError, JoinError, WorldError};
pub use group::{ProcessGroup, Terms, Timing};
pub use secret::Secret;
pub use world::{Launcher, World};
