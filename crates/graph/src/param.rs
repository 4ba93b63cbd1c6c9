//! Parameters: declared where they are used, listed by the trace.

use crate::{Axis, DType, Tensor, TensorType};

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
    /// All elements the same.
    Constant(f64),
    /// The logarithms of 1, 2, 3, … along the last axis, alike along the others.
    LogCount,
    /// What [`Tensor::softplus`] makes log-uniform variates in `[low, high)` of, raised to `floor` where they are less; all above 0.
    SoftplusInverse {
        /// The lower bound.
        low: f64,
        /// The upper bound.
        high: f64,
        /// The least value.
        floor: f64,
    },
}

/// An axis along which tensors of a checkpoint are stacked, and the numbers that they have there: `first`, `first + step`, ….
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stack {
    /// The axis of the scan that uses one tensor at a time.
    pub axis: Axis,
    /// The number of the first tensor.
    pub first: usize,
    /// From one tensor's number to the next: 2 where every second layer has the parameter.
    pub step: usize,
}

impl Stack {
    /// Tensors numbered 0, 1, 2, ….
    pub const fn of(axis: Axis) -> Stack {
        Stack { axis, first: 0, step: 1 }
    }

    /// The number of the tensor at `index`.
    pub fn number(&self, index: usize) -> usize {
        self.first + self.step * index
    }

    /// [`Stack::number`] of an index that is computed.
    pub fn number_at<'g>(&self, index: Tensor<'g>) -> Tensor<'g> {
        match (self.first, self.step) {
            (0, 1) => index,
            (first, step) => index * step as f64 + first as f64,
        }
    }

    /// What stands for all numbers in the name of an array: `*`, or `*[1::2]` for 1, 3, 5, ….
    fn wildcard(&self) -> String {
        match (self.first, self.step) {
            (0, 1) => "*".to_owned(),
            (first, step) => format!("*[{first}::{step}]"),
        }
    }
}

/// A parameter as the model declares it.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamSpec {
    /// The checkpoint's own name, with one `*` for each axis of `stack` where the tensor's number stands, e.g.
    /// `model.layers.*.self_attn.q_proj.weight`.
    pub name: String,
    /// Element type in device memory.
    pub dtype: DType,
    /// Axes in the checkpoint's order, without those of `stack`.
    pub axes: Vec<Axis>,
    /// The axes along which the checkpoint's tensors are stacked, outermost first: layers, or layers and experts.
    pub stack: Vec<Stack>,
    /// Initial values.
    pub init: Init,
}

/// One array of a parameter on a device: the whole stack, or one layer's part of it. See [`ParamSpec::arrays`].
#[derive(Clone, Debug, PartialEq)]
pub struct ParamArray {
    /// The name of the program's argument that it is given for: the checkpoint tensor's if it is one, else with a `*` for the numbers
    /// along each stacked axis, `*[1::2]` where they are not 0, 1, 2, ….
    pub name: String,
    /// Element type, and the axes that are stacked in it before the others.
    pub ty: TensorType,
    /// How many axes are stacked in it.
    pub stacked: usize,
    /// The checkpoint's tensors that it holds, in order.
    pub checkpoint_names: Vec<String>,
    /// Initial values.
    pub init: Init,
}

impl ParamSpec {
    /// The type of the whole parameter, stacked.
    pub fn tensor_type(&self) -> TensorType {
        let stacked = self.stack.iter().map(|stack| stack.axis);
        TensorType { dtype: self.dtype, axes: stacked.chain(self.axes.iter().copied()).collect() }
    }

    /// The names under which a checkpoint holds the parameter: one, or one for each element of the stacked axes, in row-major order.
    pub fn checkpoint_names(&self) -> Vec<String> {
        numbered(&self.name, &self.stack)
    }

    /// The arrays that a program takes for the parameter if it is lowered with the scans over the axes `unrolled` unrolled: one for each
    /// element of the outermost of its stacked axes that are.
    pub fn arrays(&self, unrolled: &[&str]) -> Vec<ParamArray> {
        let (apart, together) = self.stack.split_at(unrolled_count(&self.stack, unrolled));
        let whole = self.tensor_type();
        let ty = whole.with_axes(whole.axes[apart.len()..].to_vec());
        let array = |name: String| ParamArray {
            checkpoint_names: numbered(&name, together),
            name: with_wildcards(&name, together),
            ty: ty.clone(),
            stacked: together.len(),
            init: self.init,
        };
        numbered(&self.name, apart).into_iter().map(array).collect()
    }

    /// Shape of each of the tensors named by [`ParamSpec::checkpoint_names`].
    pub fn checkpoint_shape(&self) -> Vec<usize> {
        self.axes.iter().map(|axis| axis.size).collect()
    }

    /// Number of elements over all layers.
    pub fn element_count(&self) -> usize {
        self.tensor_type().element_count()
    }

    /// Whether `other` is a declaration of the same tensors of a checkpoint: parameters of one name may differ in the numbers of theirs.
    pub(crate) fn is_numbered_as(&self, other: &ParamSpec) -> bool {
        let numbers = |spec: &ParamSpec| -> Vec<(usize, usize)> {
            spec.stack.iter().map(|stack| (stack.first, stack.step)).collect()
        };
        self.name == other.name && numbers(self) == numbers(other)
    }

    /// What another declaration of the same tensors says otherwise.
    pub(crate) fn difference(&self, again: &ParamSpec) -> Option<String> {
        let (ty, again_ty) = (self.tensor_type(), again.tensor_type());
        if ty != again_ty {
            return Some(format!("declared as {ty} and again as {again_ty}"));
        }
        (self.init != again.init)
            .then(|| format!("declared with initial values {:?} and again with {:?}", self.init, again.init))
    }
}

/// How many of the outermost stacked axes are unrolled.
pub(crate) fn unrolled_count(stack: &[Stack], unrolled: &[&str]) -> usize {
    stack.iter().take_while(|stack| unrolled.contains(&stack.axis.name)).count()
}

/// The name with the first `*`s replaced by each combination of numbers along `stack`, the last axis varying fastest.
pub(crate) fn numbered(name: &str, stack: &[Stack]) -> Vec<String> {
    let Some((outermost, inner)) = stack.split_first() else {
        return vec![name.to_owned()];
    };
    let name_at = |index| name.replacen('*', &outermost.number(index).to_string(), 1);
    (0..outermost.axis.size).flat_map(|index| numbered(&name_at(index), inner)).collect()
}

/// The names that the arrays have which hold what is stacked, one for each element of the outermost axes that are unrolled.
pub(crate) fn array_names(name: &str, stack: &[Stack], unrolled: &[&str]) -> Vec<String> {
    let (apart, together) = stack.split_at(unrolled_count(stack, unrolled));
    numbered(name, apart).iter().map(|name| with_wildcards(name, together)).collect()
}

/// The name with each `*` replaced by what stands for the numbers along `stack`.
fn with_wildcards(name: &str, stack: &[Stack]) -> String {
    let mut parts = name.split('*');
    let first = parts.next().unwrap_or_default().to_owned();
    let wildcards = stack.iter().map(Stack::wildcard).chain(std::iter::repeat("*".to_owned()));
    parts.zip(wildcards).fold(first, |name, (part, wildcard)| name + &wildcard + part)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYERS: Axis = Axis::new("layers", 2);
    const EXPERTS: Axis = Axis::new("experts", 3);

    fn spec(name: &str, stack: Vec<Stack>) -> ParamSpec {
        ParamSpec { name: name.into(), dtype: DType::F32, axes: vec![Axis::new("a", 5)], stack, init: Init::Ones }
    }

    #[test]
    fn stacks_of_several_axes_have_a_name_for_each_tensor() {
        let spec = spec("layers.*.experts.*.w", vec![Stack::of(LAYERS), Stack::of(EXPERTS)]);
        assert_eq!(spec.tensor_type().shape(), [2, 3, 5]);
        let names = spec.checkpoint_names();
        assert_eq!(
            names[..4],
            ["layers.0.experts.0.w", "layers.0.experts.1.w", "layers.0.experts.2.w", "layers.1.experts.0.w"]
        );
        assert_eq!(names.len(), 6);
    }

    #[test]
    fn every_second_layer_has_its_own_number() {
        let odd = Stack { axis: LAYERS, first: 1, step: 2 };
        assert_eq!(spec("layers.*.mlp.w", vec![odd]).checkpoint_names(), ["layers.1.mlp.w", "layers.3.mlp.w"]);
    }

    #[test]
    fn numbers_stand_in_the_name_of_an_array_where_they_are_not_plain() {
        let odd = Stack { axis: LAYERS, first: 1, step: 2 };
        let spec = spec("layers.*.experts.*.w", vec![odd, Stack::of(EXPERTS)]);
        assert_eq!(spec.arrays(&[])[0].name, "layers.*[1::2].experts.*.w");
        assert_eq!(spec.arrays(&["layers"])[1].name, "layers.3.experts.*.w");
        assert_eq!(spec.arrays(&["layers", "experts"])[5].name, "layers.3.experts.2.w");
    }

    #[test]
    fn arrays_are_apart_along_the_outermost_axes_that_are_unrolled() {
        let spec = spec("layers.*.experts.*.w", vec![Stack::of(LAYERS), Stack::of(EXPERTS)]);
        let whole = spec.arrays(&[]);
        assert_eq!((whole.len(), whole[0].name.as_str()), (1, "layers.*.experts.*.w"));
        assert_eq!(whole[0].checkpoint_names, spec.checkpoint_names());
        let layers = spec.arrays(&["layers"]);
        assert_eq!((layers.len(), layers[1].name.as_str()), (2, "layers.1.experts.*.w"));
        assert_eq!(
            (layers[1].ty.shape(), &layers[1].checkpoint_names[..]),
            (vec![3, 5], &spec.checkpoint_names()[3..])
        );
        let single = spec.arrays(&["experts", "layers"]);
        assert_eq!((single.len(), single[5].name.as_str(), single[5].ty.shape()), (6, "layers.1.experts.2.w", vec![5]));
        // An inner axis cannot be apart while the outer one is not.
        assert_eq!(spec.arrays(&["experts"]), whole);
    }
}
