//! Parameters: declared where they are used, listed by the trace.

use crate::{Axis, DType, TensorType};

/// How a parameter that no checkpoint supplies gets its values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Init {
    /// All elements 0.
    Zeros,
    /// All elements 1.
    Ones,
    /// Independent normal variates with mean 0 and this standard deviation.
    Normal(f64),
    /// Independent uniform variates in `[-bound, bound)`.
    Uniform(f64),
}

/// A parameter as the model declares it.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamSpec {
    /// The checkpoint's own name. A parameter of scanned layers has one `*` where the layer's index stands, e.g.
    /// `model.layers.*.self_attn.q_proj.weight`.
    pub name: String,
    /// Element type in device memory.
    pub dtype: DType,
    /// Axes in the checkpoint's order, without the stacking axis.
    pub axes: Vec<Axis>,
    /// The axis along which the layers' parameters are stacked, outermost in memory; filled in by the trace inside a scan.
    pub stack: Option<Axis>,
    /// Initial values.
    pub init: Init,
}

impl ParamSpec {
    /// The type of the whole parameter: with the stacking axis in front, if there is one.
    pub fn tensor_type(&self) -> TensorType {
        TensorType { dtype: self.dtype, axes: self.stack.into_iter().chain(self.axes.iter().copied()).collect() }
    }

    /// The names under which a checkpoint holds the parameter: one, or one for each layer.
    pub fn checkpoint_names(&self) -> Vec<String> {
        match self.stack {
            None => vec![self.name.clone()],
            Some(axis) => (0..axis.size).map(|layer| self.name.replacen('*', &layer.to_string(), 1)).collect(),
        }
    }

    /// Shape of each of the tensors named by [`ParamSpec::checkpoint_names`].
    pub fn checkpoint_shape(&self) -> Vec<usize> {
        self.axes.iter().map(|axis| axis.size).collect()
    }

    /// Number of elements over all layers.
    pub fn element_count(&self) -> usize {
        self.tensor_type().element_count()
    }
}
