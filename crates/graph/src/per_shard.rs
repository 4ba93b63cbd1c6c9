//! What each device computes for its own part of the tensors: around kernels, which the partitioner cannot look into.

use crate::ir::{FrameKind, RegionId};
use crate::ops::Op;
use crate::{Axis, Graph, Partition, Sharding, Tensor, TensorType};

#[derive(Clone, Debug)]
pub(crate) struct PerShard {
    /// Parameters: a device's parts of the inputs. Results: its parts of the results.
    pub(crate) body: RegionId,
    /// How the inputs lie.
    pub(crate) inputs: Vec<Sharding>,
    /// How the results lie.
    pub(crate) results: Vec<Sharding>,
}

impl Graph {
    /// Computes `body` for each device's part of the inputs by itself, where they are split along those of `axes` that the graph's partition
    /// splits in what is computed; weights among them are gathered along all others. On one device this is `body` of the inputs.
    ///
    /// The body may use no tensor from outside. A result is split as the inputs are, along the axes of the same names, and what the parts of
    /// an input are to each other along these must not matter to it. Of one that lacks an axis along which inputs are split each part gives
    /// its own share, as of a weight's gradient: they are added up, in f32 at least.
    pub fn per_shard<'g>(
        &'g self,
        axes: &[&'static str],
        inputs: &[Tensor<'g>],
        body: impl FnOnce(&[Tensor<'g>]) -> Vec<Tensor<'g>>,
    ) -> Vec<Tensor<'g>> {
        let Some(partition) = self.with(|inner| inner.partition.clone()) else { return body(inputs) };
        let types: Vec<_> = inputs.iter().map(|tensor| tensor.ty()).collect();
        let partition = partition.splitting(axes, &types);
        let shardings: Vec<Sharding> = types.iter().map(|ty| partition.of_activation(&ty.axes)).collect();
        let parts: Vec<_> = types.iter().zip(&shardings).map(|(ty, sharding)| sharding.part_type(ty)).collect();
        let (region, own) = self.trace_closed("per_shard", FrameKind::PerShard, &parts, |params| {
            let results = body(params).into_iter().map(|result| Own::of(result, &partition, &shardings));
            let results: Vec<Own<'g>> = results.collect();
            (results.iter().map(|result| result.part.id).collect(), results)
        });
        let whole = own.iter().map(|result| result.lies.whole_type(&result.part.ty())).collect();
        let op =
            PerShard { body: region, inputs: shardings, results: own.iter().map(|own| own.lies.clone()).collect() };
        let node = self.append(Op::PerShard(Box::new(op)), inputs.iter().map(|t| t.id).collect(), whole);
        let results = self.with(|inner| inner.node(node).results.clone());
        results.into_iter().zip(own).map(|(id, own)| own.total(self.tensor(id))).collect()
    }

    /// The type of each device's part of each of `inputs`, as [`Graph::per_shard`] along these axes hands them to its body.
    pub fn part_types(&self, axes: &[&'static str], inputs: &[Tensor<'_>]) -> Vec<TensorType> {
        let types: Vec<_> = inputs.iter().map(|tensor| tensor.ty()).collect();
        let Some(partition) = self.with(|inner| inner.partition.clone()) else { return types };
        let partition = partition.splitting(axes, &types);
        types.iter().map(|ty| partition.of_activation(&ty.axes).part_type(ty)).collect()
    }

    /// [`Graph::per_shard`] of a body of plain operations, whose derivative each device computes for itself too: for loops, at every step of
    /// which the partitioner might find something to exchange. The backward pass computes the body once more. On one device this is `body`
    /// of the inputs, with the derivative of its operations. Results are floating-point numbers of one type.
    pub fn apart<'g>(
        &'g self,
        axes: &[&'static str],
        inputs: &[Tensor<'g>],
        body: impl Fn(&[Tensor<'g>]) -> Vec<Tensor<'g>>,
    ) -> Vec<Tensor<'g>> {
        if self.with(|inner| inner.partition.is_none()) {
            return body(inputs);
        }
        let is_float: Vec<bool> = inputs.iter().map(|input| input.dtype().is_float()).collect();
        self.custom_vjp(
            inputs,
            |inputs| (self.per_shard(axes, inputs, &body), inputs.to_vec()),
            |inputs, cts| {
                let cotangents = self.per_shard(axes, &[inputs, cts].concat(), |own| {
                    let (own, cts) = own.split_at(inputs.len());
                    let results = body(own);
                    let products = results.iter().zip(cts).map(|(result, ct)| (*result * *ct).sum_all());
                    let objective = products.reduce(|sum, product| sum + product);
                    let wrt: Vec<_> = own.iter().zip(&is_float).filter(|(_, is)| **is).map(|(own, _)| *own).collect();
                    objective.map_or_else(Vec::new, |objective| self.grad(objective, &wrt))
                });
                let mut cotangents = cotangents.into_iter();
                is_float.iter().map(|is| if *is { cotangents.next() } else { None }).collect()
            },
        )
    }
}

/// What a device gives of a result.
struct Own<'g> {
    /// What the body gives.
    given: Tensor<'g>,
    /// The same as a part of the region's result: with an axis in front along which shares are added up, if that is what it is.
    part: Tensor<'g>,
    /// How that result lies.
    lies: Sharding,
}

/// Along which devices' shares of a sum lie side by side.
const SHARE: Axis = Axis::new("share", 1);

impl<'g> Own<'g> {
    fn of(given: Tensor<'g>, partition: &Partition, inputs: &[Sharding]) -> Own<'g> {
        let lies = partition.of_parts(&given.axes());
        let is_split = |axis: &&Axis| inputs.iter().any(|input| input.splits_over(axis.name));
        let split = partition.mesh.axes().iter().filter(is_split).map(|axis| axis.name);
        let shares: Vec<&'static str> = split.filter(|name| !lies.splits_over(name)).collect();
        if shares.is_empty() {
            return Own { given, part: given, lies };
        }
        let axes: Vec<Axis> = std::iter::once(SHARE).chain(given.axes()).collect();
        let part = given.cast(given.dtype().accumulator()).broadcast(&axes);
        Own { given, part, lies: lies.behind(shares) }
    }

    /// The result of all devices.
    fn total(&self, whole: Tensor<'g>) -> Tensor<'g> {
        match self.given.id == self.part.id {
            true => whole,
            false => whole.sum(&[SHARE.name]).cast(self.given.dtype()),
        }
    }
}
