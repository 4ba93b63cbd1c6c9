//! Where a step's time goes: what a profiler recorded of a compiled program, summed up by what its instructions are and where in the model
//! they stand.
//!
//! A [`Program`] is a compiled module with what the lines of its text compute. A [`Profile`] is made of it and of a recording
//! ([`hlo::Space`]); it has tables, and [`trace`] gives what Perfetto opens. Nothing here runs a program or writes a file.

mod events;
mod kind;
mod launches;
mod program;
mod shares;
mod summary;
mod table;
mod trace;

pub use kind::Kind;
pub use launches::Launched;
pub use program::Program;
pub use summary::{Collectives, DeviceTime, KindTime, OpTime, PartTime, Profile, Recording};
pub use trace::trace;
