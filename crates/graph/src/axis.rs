//! Named axes and tensor types.

use std::fmt;

use crate::DType;

/// A named axis with its length, e.g. `embed: 2048`. Two axes of one tensor never share a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Axis {
    /// What the axis means; axes of different tensors meet by this name.
    pub name: &'static str,
    /// Number of elements along it.
    pub size: usize,
}

impl Axis {
    /// An axis called `name` with `size` elements.
    pub const fn new(name: &'static str, size: usize) -> Axis {
        Axis { name, size }
    }

    /// The same axis under another name.
    pub const fn named(self, name: &'static str) -> Axis {
        Axis { name, size: self.size }
    }
}

impl fmt::Debug for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.size)
    }
}

/// Element type and axes of a tensor; the order of the axes is the row-major order in memory.
#[derive(Clone, PartialEq, Eq)]
pub struct TensorType {
    /// Element type.
    pub dtype: DType,
    /// Axes, outermost first.
    pub axes: Vec<Axis>,
}

impl TensorType {
    /// A tensor type; `axes` in row-major order.
    pub fn new(dtype: DType, axes: &[Axis]) -> TensorType {
        TensorType { dtype, axes: axes.to_vec() }
    }

    /// Sizes of the axes, outermost first.
    pub fn shape(&self) -> Vec<usize> {
        self.axes.iter().map(|axis| axis.size).collect()
    }

    /// Number of elements.
    pub fn element_count(&self) -> usize {
        self.axes.iter().map(|axis| axis.size).product()
    }

    /// The dimension at which the axis called `name` stands.
    pub fn dim(&self, name: &str) -> Option<usize> {
        self.axes.iter().position(|axis| axis.name == name)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.dim(name).is_some()
    }

    pub(crate) fn with_axes(&self, axes: Vec<Axis>) -> TensorType {
        TensorType { dtype: self.dtype, axes }
    }

    pub(crate) fn without(&self, name: &str) -> TensorType {
        self.with_axes(self.axes.iter().copied().filter(|axis| axis.name != name).collect())
    }

    /// The StableHLO spelling, e.g. `tensor<8x2048xbf16>`.
    pub(crate) fn stablehlo(&self) -> String {
        let mut text = String::from("tensor<");
        for axis in &self.axes {
            text.push_str(&format!("{}x", axis.size));
        }
        text.push_str(self.dtype.stablehlo());
        text.push('>');
        text
    }
}

impl fmt::Debug for TensorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:?}", self.dtype, self.axes)
    }
}

impl fmt::Display for TensorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}
