//! What each device computes for its own part of the tensors: around kernels, which the partitioner cannot look into.

use crate::ir::RegionId;
use crate::ops::Op;
use crate::{Graph, Sharding, Tensor};

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
    /// splits in what is computed; what they are to each other along these axes must not matter. On one device this is `body` of the inputs.
    ///
    /// The body may use no tensor from outside. A result is split as the inputs are, along the axes of the same names.
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
        let (region, own) = self.trace_closed("per_shard", &parts, |params| {
            let results = body(params);
            (results.iter().map(|result| result.id).collect(), results)
        });
        let own: Vec<_> = own.iter().map(|tensor| tensor.ty()).collect();
        let results: Vec<Sharding> = own.iter().map(|ty| partition.of_parts(&ty.axes)).collect();
        let whole = own.iter().zip(&results).map(|(ty, sharding)| sharding.whole_type(ty)).collect();
        let op = PerShard { body: region, inputs: shardings, results };
        let node = self.append(Op::PerShard(Box::new(op)), inputs.iter().map(|t| t.id).collect(), whole);
        self.with(|inner| inner.node(node).results.clone()).into_iter().map(|id| self.tensor(id)).collect()
    }
}
