//! Weights that meet few vectors, as in generation: which kernel multiplies them.

use graph::{Axis, DType, Tensor};

use crate::{Gpu, NarrowProduct, Outputs, Road, VectorProduct};

/// Few vectors, over the axis `input` of `x`, that weights (output, `input`) meet. Each product is `None` where products of matrices serve better or
/// nothing else does: with many vectors, other types, or on several devices.
#[derive(Clone, Copy)]
pub struct FewVectors<'g> {
    /// The vectors, along any axes.
    pub x: Tensor<'g>,
    /// The axis that they are over.
    pub input: &'static str,
    /// Whose tiles are taken.
    pub gpu: Gpu,
}

/// What vectors become by a weight.
#[derive(Clone, Copy)]
pub struct Multiplied<'g> {
    /// Over the axes of the vectors without `input`, then the weight's output.
    pub whole: Tensor<'g>,
    /// Where it was computed as a sum of parts: these in f32, with the axis `part` before the others.
    pub parts: Option<Tensor<'g>>,
}

impl<'g> From<Tensor<'g>> for Multiplied<'g> {
    fn from(whole: Tensor<'g>) -> Multiplied<'g> {
        Multiplied { whole, parts: None }
    }
}

impl<'g> FewVectors<'g> {
    /// Their products with up to three weights, in their type, in one launch.
    pub fn products(self, weights: &[Tensor<'g>]) -> Option<Vec<Multiplied<'g>>> {
        let mut lengths = [0; 3];
        for (place, weight) in weights.iter().enumerate() {
            *lengths.get_mut(place)? = weight.axes()[0].size;
        }
        if self.rows() <= VectorProduct::ROWS_MAX {
            let products = self.vector_product(weights, Outputs::Each(lengths), None)?;
            return Some(products.into_iter().map(Multiplied::from).collect());
        }
        self.narrow_product(weights, Outputs::Each(lengths))
    }

    /// By matrix units.
    fn narrow_product(self, weights: &[Tensor<'g>], outputs: Outputs) -> Option<Vec<Multiplied<'g>>> {
        let (inputs, dtype) = (self.x.axis(self.input).size, self.x.dtype());
        let product = NarrowProduct { rows: self.rows(), inputs, outputs, dtype, gpu: self.gpu };
        if !self.fits(weights, None) || !product.serves() {
            return None;
        }
        let inputs: Vec<_> = std::iter::once(self.ordered(self.x, self.input)).chain(weights.iter().copied()).collect();
        let products = product.traced(&self.others(), &inputs).ok()?;
        let named = |(Multiplied { whole, parts }, weight): (Multiplied<'g>, &Tensor<'g>)| Multiplied {
            whole: called_as(whole, *weight),
            parts: parts.map(|parts| called_as(parts, *weight)),
        };
        Some(products.into_iter().zip(weights).map(named).collect())
    }

    /// The product with a weight, added to `others` that have its axes.
    pub fn product_added(self, weight: Tensor<'g>, others: Tensor<'g>) -> Option<Tensor<'g>> {
        let length = weight.axes()[0].size;
        self.vector_product(&[weight], Outputs::Each([length, 0, 0]), Some(others))?.pop()
    }

    /// `silu(gate x) * (up x)`.
    pub fn gated_product(self, [gate, up]: [Tensor<'g>; 2]) -> Option<Tensor<'g>> {
        let length = gate.axes()[0].size;
        if up.axes()[0].size != length {
            return None;
        }
        let (weights, outputs) = ([gate, up], Outputs::Gated(length));
        if self.rows() <= VectorProduct::ROWS_MAX {
            return self.vector_product(&weights, outputs, None)?.pop();
        }
        Some(self.narrow_product(&weights, outputs)?.pop()?.whole)
    }

    fn vector_product(
        self,
        weights: &[Tensor<'g>],
        outputs: Outputs,
        added_to: Option<Tensor<'g>>,
    ) -> Option<Vec<Tensor<'g>>> {
        let FewVectors { x, input, .. } = self;
        let (rows, inputs) = (self.rows(), x.axis(input).size);
        if rows > VectorProduct::ROWS_MAX || !self.fits(weights, added_to) {
            return None;
        }
        let product = VectorProduct { rows, inputs, outputs, is_added: added_to.is_some(), dtype: x.dtype() };
        let added_to = added_to.map(|to| self.ordered(to, weights[0].axes()[0].name));
        let given = weights.iter().copied().chain(added_to);
        let given: Vec<_> = std::iter::once(self.ordered(x, input)).chain(given).collect();
        let products = x.graph().run(&product.launch(&self.others()).ok()?, &given);
        Some(products.into_iter().zip(weights).map(|(product, weight)| called_as(product, *weight)).collect())
    }

    /// How many there are.
    fn rows(self) -> usize {
        self.others().iter().map(|axis| axis.size).product()
    }

    /// The axes that they are not over.
    fn others(self) -> Vec<Axis> {
        self.x.axes().into_iter().filter(|axis| axis.name != self.input).collect()
    }

    /// Whether there are kernels for their type, and with such weights.
    fn fits(self, weights: &[Tensor<'g>], added_to: Option<Tensor<'g>>) -> bool {
        let FewVectors { x, input, .. } = self;
        let is_taken = |weight: &Tensor<'g>| matches!(weight.axes()[..], [_, inner] if inner.name == input);
        let mut given = weights.iter().copied().chain(added_to);
        matches!(x.dtype(), DType::BF16 | DType::F16)
            && given.all(|tensor| tensor.dtype() == x.dtype())
            && weights.iter().all(is_taken)
            && self.rows() > 0
            && !x.graph().is_partitioned()
    }

    /// The same elements with rows in the order of `x`, and the axis `last` behind them.
    fn ordered(self, x: Tensor<'g>, last: &'static str) -> Tensor<'g> {
        let names: Vec<&'static str> = self.others().iter().map(|axis| axis.name).collect();
        x.transpose(&[&names[..], &[last]].concat())
    }
}

/// With the output as the weight calls it.
fn called_as<'g>(product: Tensor<'g>, weight: Tensor<'g>) -> Tensor<'g> {
    product.rename("output", weight.axes()[0].name)
}
