//! Named-axis tensors, reverse-mode differentiation, scan and StableHLO text.
//!
//! A [`Graph`] is traced by ordinary code over [`Tensor`]s, differentiated by [`Graph::grad`], and lowered by [`Graph::lower`] to a
//! [`Program`], whose text any PJRT plugin compiles. This crate is pure: it does no IO and knows no device.

mod autodiff;
mod axis;
mod custom_vjp;
mod dtype;
mod error;
mod float8;
mod host;
mod ir;
mod lower;
mod ops;
mod param;
mod per_shard;
mod place;
mod random;
mod scan;
mod sharding;
mod trace;

pub use axis::{Axis, TensorType};
pub use dtype::DType;
pub use error::GraphError;
pub use float8::Float8;
pub use host::{Element, HostTensor, SizeMismatch};
pub use lower::{Output, Program, ProgramInput, ProgramOutput};
pub use ops::{CustomCall, Layout, TensorOrNumber};
pub use param::{Init, ParamArray, ParamSpec, Stack};
pub use place::{Label, Named, Phase, Places, with_named_lines};
pub use random::RandomKey;
pub use scan::{Remat, ScanStep};
pub use sharding::{AxisRule, AxisTable, Indivisible, Mesh, Outermost, Partition, Sharding, without_numbers};
pub use trace::{Graph, Tensor};
