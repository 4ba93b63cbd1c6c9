//! Reading XLA's compiled programs, what they compute and what devices send to each other, and what its profiler recorded of them.
//!
//! Plugins hand out both as protocol buffers ([`Module::read`], [`Space::read`]). Nothing here knows a plugin or a device.

mod collective;
mod groups;
mod module;
mod space;
mod wire;

pub use collective::{Collective, Kind, Reach};
pub use module::{Computation, Element, Instruction, Malformed, Module, Shape};
pub use space::{Event, Line, Plane, Space, Stat, Stats, Unreadable};
