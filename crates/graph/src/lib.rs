//! Named-axis tensors, autodiff, scan and StableHLO text. No IO, no device.

mod dtype;
mod host;

pub use dtype::DType;
pub use host::{Element, HostTensor, SizeMismatch};
