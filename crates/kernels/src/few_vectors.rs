//! Weights that meet few vectors, as in generation: which kernel multiplies them.

use graph::{Axis, DType, Tensor, TensorType};

use crate::laid::Laid;
use crate::{Gpu, LaidOut, NarrowProduct, Outputs, PackedProduct, PackedWeight, Road, VectorProduct, Weight};

/// Few vectors, over the axis `input` of `x`, that weights (output, `input`) meet. Each product is `None` where products of matrices serve better or
/// nothing else does: with many vectors or other types. On several devices each computes its part of the outputs, or, where the inputs are split, its share of
/// every sum: those are added up in f32, of a launch in several parts without having been rounded.
#[derive(Clone, Copy)]
pub struct FewVectors<'g> {
    /// The vectors, along any axes.
    pub x: Tensor<'g>,
    /// The axis that they are over.
    pub input: &'static str,
    /// The same laid out for packed products, by what made them.
    pub laid: Option<Tensor<'g>>,
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

impl<'g> Multiplied<'g> {
    /// What a device gives of it to be added to other devices': not rounded yet, if it is of several parts.
    fn share(self) -> Tensor<'g> {
        self.parts.map_or(self.whole, |parts| parts.sum(&["part"]))
    }

    /// With the output as the weight calls it.
    fn called_as(self, weight: Tensor<'g>) -> Multiplied<'g> {
        Multiplied { whole: called_as(self.whole, weight), parts: self.parts.map(|parts| called_as(parts, weight)) }
    }
}

impl<'g> FewVectors<'g> {
    /// Their products with up to three weights, in their type, in one launch.
    pub fn products(self, weights: &[Weight<'g>]) -> Option<Vec<Multiplied<'g>>> {
        let mut lengths = [0; 3];
        if weights.len() > lengths.len() {
            return None;
        }
        for (length, weight) in lengths.iter_mut().zip(weights) {
            *length = weight.plain.axes()[0].size;
        }
        if let Some(products) = self.packed_products(weights, lengths) {
            return Some(products);
        }
        self.on_each(&plain(weights), None, true, |own, weights, _| {
            for (length, weight) in lengths.iter_mut().zip(weights) {
                *length = weight.axes()[0].size;
            }
            own.launched(weights, Outputs::Each(lengths))
        })
    }

    fn launched(self, weights: &[Tensor<'g>], outputs: Outputs) -> Option<Vec<Multiplied<'g>>> {
        if self.rows() > self.lanes_max(outputs) {
            return self.narrow_product(weights, outputs, None);
        }
        let products = self.vector_product(weights, outputs, None)?;
        Some(products.into_iter().map(Multiplied::from).collect())
    }

    /// By matrix units, of packed weights. `None` where one is not, or others are faster.
    fn packed_products(self, weights: &[Weight<'g>], lengths: [usize; 3]) -> Option<Vec<Multiplied<'g>>> {
        let packed: Vec<_> = weights.iter().map(|weight| weight.packed).collect::<Option<_>>()?;
        self.packed_product(&plain(weights), &packed, Outputs::Each(lengths), false)
    }

    fn packed_product(
        self,
        weights: &[Tensor<'g>],
        packed: &[PackedWeight<'g>],
        outputs: Outputs,
        is_laid: bool,
    ) -> Option<Vec<Multiplied<'g>>> {
        let laid = LaidOut { given: self.laid.is_some(), gated: is_laid };
        let product = PackedProduct { rows: self.rows(), inputs: self.x.axis(self.input).size, outputs, laid };
        let is_for =
            self.gpu == Gpu::Hopper && self.x.dtype() == DType::BF16 && product.rows <= PackedProduct::ROWS_MAX;
        if !is_for || self.x.graph().is_partitioned() || !self.fits(weights, None) {
            return None;
        }
        let matrices = packed.iter().flat_map(|packed| [packed.words, packed.scales]);
        let x = self.laid.unwrap_or_else(|| self.ordered(self.x, self.input));
        let given: Vec<_> = std::iter::once(x).chain(matrices).collect();
        let products = product.traced(&self.others(), &given).ok()?;
        if is_laid {
            return Some(products);
        }
        Some(products.into_iter().zip(weights).map(|(product, weight)| product.called_as(*weight)).collect())
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
        Some(products.into_iter().zip(weights).map(|(product, weight)| product.called_as(*weight)).collect())
    }

    /// The product with a weight, added to `others` that have its axes.
    pub fn product_added(self, weight: Tensor<'g>, others: Tensor<'g>) -> Option<Tensor<'g>> {
        let added = self.on_each(&[weight], Some(others), false, |own, weights, others| {
            Some(vec![own.added_here(weights[0], others?)?.into()])
        });
        Some(added?.pop()?.whole)
    }

    fn added_here(self, weight: Tensor<'g>, others: Tensor<'g>) -> Option<Tensor<'g>> {
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
    pub fn product_in_parts(self, weight: Weight<'g>) -> Option<Tensor<'g>> {
        if self.gpu != Gpu::Hopper {
            return None;
        }
        if let Some(mut products) = self.packed_products(&[weight], [weight.plain.axes()[0].size, 0, 0]) {
            return products.pop()?.parts;
        }
        let products = self.on_each(&[weight.plain], None, true, |own, weights, _| {
            own.narrow_product(weights, Outputs::Each([weights[0].axes()[0].size, 0, 0]), None)
        });
        products?.pop()?.parts
    }

    /// `silu(gate x) * (up x)`. `packed`: both weights as one ([`PackedWeight::in_turn`]), packed.
    pub fn gated_product(self, weights: [Tensor<'g>; 2], packed: Option<PackedWeight<'g>>) -> Option<Tensor<'g>> {
        let [gate, up] = weights.map(|weight| weight.axes()[0]);
        if gate != up {
            return None;
        }
        let by_packed = |packed| self.packed_product(&weights, &[packed], Outputs::Gated(gate.size), false);
        if let Some(mut products) = packed.and_then(by_packed) {
            return Some(products.pop()?.whole);
        }
        let gated = self.on_each(&weights, None, false, |own, weights, _| {
            own.launched(weights, Outputs::Gated(weights[0].axes()[0].size))
        });
        Some(gated?.pop()?.whole)
    }

    /// [`FewVectors::gated_product`] laid out for packed products, if that serves.
    pub fn gated_product_laid(self, weights: [Tensor<'g>; 2], packed: PackedWeight<'g>) -> Option<Tensor<'g>> {
        let inputs = weights[0].axes()[0].size;
        if !(Laid { rows: self.rows(), inputs }).serves() {
            return None;
        }
        Some(self.packed_product(&weights, &[packed], Outputs::Gated(inputs), true)?.pop()?.whole)
    }

    /// The product with each of two weights. `packed`: both as one ([`PackedWeight::in_turn`]), packed.
    pub fn products_in_turn(self, weights: [Tensor<'g>; 2], packed: PackedWeight<'g>) -> Option<[Tensor<'g>; 2]> {
        let [output, other] = weights.map(|weight| weight.axes()[0]);
        if output != other {
            return None;
        }
        let outputs = Outputs::Each([2 * output.size, 0, 0]);
        let both = self.packed_product(&weights, &[packed], outputs, false)?.pop()?.whole;
        let both = both.split(output.name, &[output, Axis::new("turn", 2)]);
        Some([0, 1].map(|turn| both.slice("turn", turn, 1).sum(&["turn"])))
    }

    /// What `compute` gives for each device's part of the weights, and of the vectors along with them. `None` where that is none, or a device would have to be sent
    /// what it has not: weights that are split one by one, but not all alike, or shares of what `is_sum` says is no sum over inputs alone.
    fn on_each(
        self,
        weights: &[Tensor<'g>],
        added_to: Option<Tensor<'g>>,
        is_sum: bool,
        compute: impl FnOnce(FewVectors<'g>, &[Tensor<'g>], Option<Tensor<'g>>) -> Option<Vec<Multiplied<'g>>>,
    ) -> Option<Vec<Multiplied<'g>>> {
        let (graph, dtype) = (self.x.graph(), self.x.dtype());
        if !graph.is_partitioned() {
            return compute(self, weights, added_to);
        }
        // One name for all outputs: axes of several names are not split over the same devices at once.
        let own_names: Vec<&'static str> = weights.iter().map(|weight| weight.axes()[0].name).collect();
        let output = *own_names.first()?;
        let alike: Vec<_> = weights.iter().zip(&own_names).map(|(weight, name)| weight.rename(name, output)).collect();
        let split = [output, self.input];
        let inputs: Vec<_> = std::iter::once(self.x).chain(alike).chain(added_to).collect();
        let parts = graph.part_types(&split, &inputs);
        let is_alike = weights.iter().zip(&own_names).zip(&parts[1..]).all(|((weight, name), part)| {
            let sizes = |ty: &TensorType| ty.axes.iter().map(|axis| axis.size).collect::<Vec<_>>();
            sizes(&graph.part_types(&[*name, self.input], &[*weight])[0]) == sizes(part)
        });
        let is_share = !parts[0].axes.contains(&self.x.axis(self.input));
        if !is_alike || (is_share && !is_sum) {
            return None;
        }
        let mut is_in_parts = false;
        let results = graph.per_shard(&split, &inputs, |own| {
            let (own_weights, others) = own[1..].split_at(weights.len());
            let own_vectors = FewVectors { x: own[0], laid: None, ..self };
            let products = compute(own_vectors, own_weights, others.first().copied()).unwrap_or_default();
            // All of a launch are in parts, or none.
            is_in_parts = !is_share && products.iter().all(|product| product.parts.is_some());
            let wholes = products.iter().map(|product| if is_share { product.share() } else { product.whole });
            wholes.chain(products.iter().filter_map(|product| product.parts.filter(|_| is_in_parts))).collect()
        });
        let count = if is_in_parts { results.len() / 2 } else { results.len() };
        let (wholes, parts) = results.split_at(count);
        let multiplied = wholes.iter().enumerate().map(|(place, &whole)| {
            // Not rounded yet, a sum of shares is what a norm adds as the only part.
            let is_wide = whole.dtype() != dtype;
            let total = is_wide.then(|| whole.broadcast(&[&[Axis::new("part", 1)], &whole.axes()[..]].concat()));
            let named = |tensor: Tensor<'g>| tensor.rename(output, own_names[place]);
            Multiplied { whole: named(whole.cast(dtype)), parts: parts.get(place).copied().or(total).map(named) }
        });
        (count > 0).then(|| multiplied.collect())
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
    }

    /// The same elements with rows in the order of `x`, and the axis `last` behind them.
    fn ordered(self, x: Tensor<'g>, last: &'static str) -> Tensor<'g> {
        let names: Vec<&'static str> = self.others().iter().map(|axis| axis.name).collect();
        x.transpose(&[&names[..], &[last]].concat())
    }
}

fn plain<'g>(weights: &[Weight<'g>]) -> Vec<Tensor<'g>> {
    weights.iter().map(|weight| weight.plain).collect()
}

/// With the output as the weight calls it.
fn called_as<'g>(product: Tensor<'g>, weight: Tensor<'g>) -> Tensor<'g> {
    product.rename("output", weight.axes()[0].name)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use graph::{AxisRule, AxisTable, Graph, Mesh, Partition};

    use super::*;

    /// Which kernels multiply so many vectors: with a long weight and a short one, gated, added by each of the two, and in parts.
    fn kernels_of(gpu: Gpu, rows: usize) -> String {
        let graph = Graph::new();
        let [row, long, short] =
            [("row", rows), ("long", 1024), ("short", 256)].map(|(name, size)| Axis::new(name, size));
        let of = |name: &str, axes: &[Axis]| graph.input(name, DType::BF16, axes);
        let weight = |name: &str, output: Axis, input: Axis| of(name, &[output, input]);
        let from_long = FewVectors { x: of("wide", &[row, long]), input: "long", laid: None, gpu };
        let from_short = FewVectors { x: of("x", &[row, short]), input: "short", laid: None, gpu };
        let down = weight("down", short, long);
        let own = weight("own", Axis::new("other", 256), short);
        let gates = [weight("gate", long, short), weight("up", long, short)];
        let others = [of("added", &[row, short]), of("more", &[row, Axis::new("other", 256)])];
        let all = [
            from_long.products(&[down.into()]).map(|products| products[0].whole),
            from_short.gated_product(gates, None),
            from_long.product_added(down, others[0]),
            from_short.product_added(own, others[1]),
            from_long.product_in_parts(down.into()),
        ];
        let named = all.map(|product| {
            let Some(product) = product else { return "none" };
            let text = graph.lower("of", &[("product", product)], &[]).expect("it can be lowered").text;
            if text.contains("narrow_product") { "units" } else { "lanes" }
        });
        named.join(" ")
    }

    /// The regions of two devices' program, each with what a device has of what it is given and gives, and the sums over both.
    fn on_two(
        gpu: Gpu,
        compute: impl for<'g> Fn(FewVectors<'g>, FewVectors<'g>, &[Tensor<'g>]) -> Vec<Tensor<'g>>,
    ) -> String {
        let over_both = ["queries", "keys"].map(|axis| AxisRule::new(axis, &["mp"])).to_vec();
        let graph = Graph::on(Some(Partition {
            mesh: Mesh::new(&[Axis::new("mp", 2)]),
            parameters: AxisTable::of(over_both.clone()),
            activations: AxisTable::of(over_both),
            narrow_sums: false,
            exchanges_in_order: true,
        }));
        let of = |name: &str, axes: &[(&'static str, usize)]| {
            graph.input(name, DType::BF16, &axes.iter().map(|(name, size)| Axis::new(name, *size)).collect::<Vec<_>>())
        };
        let (row, embed, queries, keys) = (("row", 16), ("embed", 256), ("queries", 512), ("keys", 128));
        let vectors = |x, input| FewVectors { x, input, laid: None, gpu };
        let weights = [
            of("q", &[queries, embed]),
            of("k", &[keys, embed]),
            of("v", &[keys, embed]),
            of("o", &[embed, queries]),
            of("residual", &[row, embed]),
        ];
        let results = compute(
            vectors(of("x", &[row, embed]), "embed"),
            vectors(of("attended", &[row, queries]), "queries"),
            &weights,
        );
        let results: Vec<_> = results.into_iter().map(|result| ("result", result)).collect();
        let text = graph.lower("of", &results, &[]).expect("it can be lowered").text;
        let lines = text.lines().skip(3).map(|line| line.split(" {api_version").next().unwrap_or(line).trim());
        lines.filter(|line| !line.starts_with("sdy.return") && !line.starts_with('}')).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn each_device_multiplies_its_part() {
        expect![[r#"
            %4:3 = sdy.manual_computation(%arg5, %arg0, %arg1, %arg2) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{"mp"}, {}]>, <@mesh, [{"mp"}, {}]>, <@mesh, [{"mp"}, {}]>] out_shardings=[<@mesh, [{}, {"mp"}]>, <@mesh, [{}, {"mp"}]>, <@mesh, [{}, {"mp"}]>] manual_axes={"mp"} (%0: tensor<16x256xbf16>, %1: tensor<256x256xbf16>, %2: tensor<64x256xbf16>, %3: tensor<64x256xbf16>) {
            %5:3 = stablehlo.custom_call @__gpu$xla.gpu.triton(%0, %1, %2, %3)
            %6 = stablehlo.constant dense<0.0e0> : tensor<f32>
            %7 = stablehlo.reduce(%5#0 init: %6) applies stablehlo.add across dimensions = [0] : (tensor<2x16x256xf32>, tensor<f32>) -> tensor<16x256xf32>
            %8 = stablehlo.convert %7 : (tensor<16x256xf32>) -> tensor<16x256xbf16>
            %9 = stablehlo.constant dense<0.0e0> : tensor<f32>
            %10 = stablehlo.reduce(%5#1 init: %9) applies stablehlo.add across dimensions = [0] : (tensor<2x16x64xf32>, tensor<f32>) -> tensor<16x64xf32>
            %11 = stablehlo.convert %10 : (tensor<16x64xf32>) -> tensor<16x64xbf16>
            %12 = stablehlo.constant dense<0.0e0> : tensor<f32>
            %13 = stablehlo.reduce(%5#2 init: %12) applies stablehlo.add across dimensions = [0] : (tensor<2x16x64xf32>, tensor<f32>) -> tensor<16x64xf32>
            %14 = stablehlo.convert %13 : (tensor<16x64xf32>) -> tensor<16x64xbf16>
            return %4#0, %4#1, %4#2 : tensor<16x512xbf16>, tensor<16x128xbf16>, tensor<16x128xbf16>"#]].assert_eq(&on_two(Gpu::Hopper, |x, _, weights| {
            x.products(&[weights[0], weights[1], weights[2]].map(Weight::from)).expect("a kernel").into_iter().map(|product| product.whole).collect()
        }));
    }

    #[test]
    fn shares_are_added_up_before_they_are_rounded() {
        expect![[r#"
            %2:1 = sdy.manual_computation(%arg6, %arg3) in_shardings=[<@mesh, [{}, {"mp"}]>, <@mesh, [{}, {"mp"}]>] out_shardings=[<@mesh, [{"mp"}, {}, {}]>] manual_axes={"mp"} (%0: tensor<16x256xbf16>, %1: tensor<256x256xbf16>) {
            %3 = stablehlo.custom_call @__gpu$xla.gpu.triton(%0, %1)
            %4 = stablehlo.constant dense<0.0e0> : tensor<f32>
            %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.add across dimensions = [0] : (tensor<2x16x256xf32>, tensor<f32>) -> tensor<16x256xf32>
            %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2] : (tensor<16x256xf32>) -> tensor<1x16x256xf32>
            %7 = stablehlo.constant dense<0.0e0> : tensor<f32>
            %8 = stablehlo.reduce(%2 init: %7) applies stablehlo.add across dimensions = [0] : (tensor<2x16x256xf32>, tensor<f32>) -> tensor<16x256xf32>
            %9 = stablehlo.broadcast_in_dim %8, dims = [1, 2] : (tensor<16x256xf32>) -> tensor<1x16x256xf32>
            %10 = stablehlo.convert %8 : (tensor<16x256xf32>) -> tensor<16x256xbf16>
            return %10, %9 : tensor<16x256xbf16>, tensor<1x16x256xf32>"#]].assert_eq(&on_two(Gpu::Hopper, |_, attended, weights| {
            let product = attended.products(&[weights[3].into()]).expect("a kernel")[0];
            // A residual would be added by each of them.
            assert!(attended.product_added(weights[3], weights[4]).is_none());
            // Nor is a gate of a share a share of a gate.
            assert!(attended.gated_product([weights[3]; 2], None).is_none());
            vec![product.whole, product.parts.expect("what a norm adds")]
        }));
    }

    /// What gates comes first of two.
    #[test]
    fn what_two_weights_gave_in_turn_is_parted() {
        let graph = Graph::new();
        let axes =
            |axes: &[(&'static str, usize)]| axes.iter().map(|(name, size)| Axis::new(name, *size)).collect::<Vec<_>>();
        let of = |name: &str, own: &[(&'static str, usize)]| graph.input(name, DType::BF16, &axes(own));
        let x = of("x", &[("row", 3), ("embed", 64)]);
        let weights = ["gate", "up"].map(|name| of(name, &[("mlp", 96), ("embed", 64)]));
        let words = graph.input("words", DType::U16, &PackedWeight::axes(192, 64));
        let packed = PackedWeight { words, scales: graph.input("scales", DType::F32, &axes(&[("gates", 192)])) };
        let vectors = FewVectors { x, input: "embed", laid: None, gpu: Gpu::Hopper };
        let [gate, up] = vectors.products_in_turn(weights, packed).expect("a kernel");
        let text = graph.lower("of", &[("gate", gate), ("up", up)], &[]).expect("it can be lowered").text;
        let lines = text.lines().skip(2).map(|line| line.split(" {api_version").next().unwrap_or(line).trim());
        let lines = lines.filter(|line| !line.starts_with('}'));
        expect![[r#"
            %0 = stablehlo.custom_call @__gpu$xla.gpu.ptx(%arg0, %arg3, %arg4)
            %1 = stablehlo.reshape %0 : (tensor<3x192xbf16>) -> tensor<3x96x2xbf16>
            %2 = stablehlo.slice %1 [0:3, 0:96, 0:1] : (tensor<3x96x2xbf16>) -> tensor<3x96x1xbf16>
            %3 = stablehlo.convert %2 : (tensor<3x96x1xbf16>) -> tensor<3x96x1xf32>
            %4 = stablehlo.constant dense<0.0e0> : tensor<f32>
            %5 = stablehlo.reduce(%3 init: %4) applies stablehlo.add across dimensions = [2] : (tensor<3x96x1xf32>, tensor<f32>) -> tensor<3x96xf32>
            %6 = stablehlo.convert %5 : (tensor<3x96xf32>) -> tensor<3x96xbf16>
            %7 = stablehlo.slice %1 [0:3, 0:96, 1:2] : (tensor<3x96x2xbf16>) -> tensor<3x96x1xbf16>
            %8 = stablehlo.convert %7 : (tensor<3x96x1xbf16>) -> tensor<3x96x1xf32>
            %9 = stablehlo.constant dense<0.0e0> : tensor<f32>
            %10 = stablehlo.reduce(%8 init: %9) applies stablehlo.add across dimensions = [2] : (tensor<3x96x1xf32>, tensor<f32>) -> tensor<3x96xf32>
            %11 = stablehlo.convert %10 : (tensor<3x96xf32>) -> tensor<3x96xbf16>
            return %6, %11 : tensor<3x96xbf16>, tensor<3x96xbf16>"#]].assert_eq(&lines.collect::<Vec<_>>().join("\n"));
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
