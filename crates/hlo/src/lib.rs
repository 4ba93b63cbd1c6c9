//! Reading XLA's compiled programs: what they compute, and what devices send to each other.
//!
//! Plugins hand a program out as a protocol buffer ([`Module::read`]). Nothing here knows a plugin or a device.

mod collective;
mod groups;
mod module;
mod wire;

pub use collective::{Collective, Kind, Reach};
pub use module::{Computation, Element, Instruction, Malformed, Module, Shape};
