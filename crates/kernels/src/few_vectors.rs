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
        self.launched(weights, Outputs::Each(lengths))
    }

    fn launched(self, weights: &[Tensor<'g>], outputs: Outputs) -> Option<Vec<Multiplied<'g>>> {
        if self.rows() > self.lanes_max(outputs) {
            return self.narrow_product(weights, outputs, None);
        }
        let products = self.vector_product(weights, outputs, None)?;
        Some(products.into_iter().map(Multiplied::from).collect())
    }

    /// By matrix units.
    fn narrow_product(
        self,
        weights: &[Tensor<'g>],
        outputs: Outputs,
        added_to: Option<Tensor<'g>>,
    ) -> Option<Vec<Multiplied<'g>>> {
        let (inputs, dtype) = (self.x.axis(self.input).size, self.x.dtype());
        let (rows, is_added, gpu) = (self.rows(), added_to.is_some(), self.gpu);
        let product = NarrowProduct { rows, inputs, outputs, is_added, dtype, gpu };
        if !self.fits(weights, added_to) || !product.serves() {
            return None;
        }
        let inputs = self.given(weights, added_to);
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
        let outputs = Outputs::Each([length, 0, 0]);
        // Of long inputs matrix units need fewer programs, so that less time goes where all of them begin and end.
        if self.gpu == Gpu::Hopper
            && self.rows() <= VectorProduct::ROWS_MAX
            && self.x.axis(self.input).size > 2 * length
        {
            return Some(self.narrow_product(&[weight], outputs, Some(others))?.pop()?.whole);
        }
        self.vector_product(&[weight], outputs, Some(others))?.pop()
    }

    /// The parts of the product with a weight, for a norm that adds them to what [`FewVectors::product_added`] would: where that takes less time in all (BENCHMARKS.md,
    /// "Several texts at once").
    pub fn product_in_parts(self, weight: Tensor<'g>) -> Option<Tensor<'g>> {
        if self.gpu != Gpu::Hopper {
            return None;
        }
        self.narrow_product(&[weight], Outputs::Each([weight.axes()[0].size, 0, 0]), None)?.pop()?.parts
    }

    /// `silu(gate x) * (up x)`.
    pub fn gated_product(self, [gate, up]: [Tensor<'g>; 2]) -> Option<Tensor<'g>> {
        let length = gate.axes()[0].size;
        if up.axes()[0].size != length {
            return None;
        }
        Some(self.launched(&[gate, up], Outputs::Gated(length))?.pop()?.whole)
    }

    fn vector_product(
        self,
        weights: &[Tensor<'g>],
        outputs: Outputs,
        added_to: Option<Tensor<'g>>,
    ) -> Option<Vec<Tensor<'g>>> {
        let x = self.x;
        let (rows, inputs) = (self.rows(), x.axis(self.input).size);
        if rows > self.lanes_max(outputs) || !self.fits(weights, added_to) {
            return None;
        }
        let product = VectorProduct { rows, inputs, outputs, is_added: added_to.is_some(), dtype: x.dtype() };
        let products = x.graph().run(&product.launch(&self.others()).ok()?, &self.given(weights, added_to));
        Some(products.into_iter().zip(weights).map(|(product, weight)| called_as(product, *weight)).collect())
    }

    /// The most for which a program for each output, without matrix units, is as fast. Steps of a Llama of 7 billion parameters took an H200 5.20 ms with two
    /// texts and 6.83 with four, where 16 took 4.74 by matrix units; gates of one took 46 us of a layer, and 43 by them.
    fn lanes_max(self, outputs: Outputs) -> usize {
        match (self.gpu, outputs) {
            (Gpu::Hopper, Outputs::Gated(_)) => 0,
            (Gpu::Hopper, Outputs::Each(_)) => 1,
            _ => VectorProduct::ROWS_MAX,
        }
    }

    /// What kernels are given.
    fn given(self, weights: &[Tensor<'g>], added_to: Option<Tensor<'g>>) -> Vec<Tensor<'g>> {
        let added_to = added_to.map(|to| self.ordered(to, weights[0].axes()[0].name));
        let x = self.ordered(self.x, self.input);
        std::iter::once(x).chain(weights.iter().copied()).chain(added_to).collect()
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

#[cfg(test)]
mod tests {
    use graph::Graph;

    use super::*;

    /// Which kernels multiply so many vectors: with a long weight and a short one, gated, added by each of the two, and in parts.
    fn kernels_of(gpu: Gpu, rows: usize) -> String {
        let graph = Graph::new();
        let [row, long, short] =
            [("row", rows), ("long", 1024), ("short", 256)].map(|(name, size)| Axis::new(name, size));
        let of = |name: &str, axes: &[Axis]| graph.input(name, DType::BF16, axes);
        let weight = |name: &str, output: Axis, input: Axis| of(name, &[output, input]);
        let from_long = FewVectors { x: of("wide", &[row, long]), input: "long", gpu };
        let from_short = FewVectors { x: of("x", &[row, short]), input: "short", gpu };
        let down = weight("down", short, long);
        let own = weight("own", Axis::new("other", 256), short);
        let gates = [weight("gate", long, short), weight("up", long, short)];
        let others = [of("added", &[row, short]), of("more", &[row, Axis::new("other", 256)])];
        let all = [
            from_long.products(&[down]).map(|products| products[0].whole),
            from_short.gated_product(gates),
            from_long.product_added(down, others[0]),
            from_short.product_added(own, others[1]),
            from_long.product_in_parts(down),
        ];
        let named = all.map(|product| {
            let Some(product) = product else { return "none" };
            let text = graph.lower("of", &[("product", product)], &[]).expect("it can be lowered").text;
            if text.contains("narrow_product") { "units" } else { "lanes" }
        });
        named.join(" ")
    }

    #[test]
    fn kernels_are_those_that_are_fast() {
        for (gpu, rows, expected) in [
            (Gpu::Hopper, 1, "lanes units units lanes units"),
            (Gpu::Hopper, 2, "units units units none units"),
            (Gpu::Hopper, 5, "units units none none units"),
            (Gpu::Nvidia, 4, "lanes lanes lanes lanes none"),
            (Gpu::Nvidia, 5, "units units none none none"),
        ] {
            assert_eq!(kernels_of(gpu, rows), expected, "{rows} vectors on {gpu}");
        }
    }
}
