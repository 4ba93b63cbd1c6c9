//! Over how many devices a program is spread, and how its tensors lie there.
//!
//! A mesh has three axes. Along `dp` devices hold the same and compute for other rows; along `fsdp` they compute for other rows, hold their
//! parts of each parameter and gather a layer's when they come to it; along `mp` they hold and compute their parts of a layer's heads, hidden
//! units and vocabulary.

mod shape;
mod tables;

pub use shape::{MeshError, MeshShape, MeshSize, MeshSizes};
pub use tables::{AXES, MESH_AXES, ReduceDtype, Rules, StateSharding};
