//! What of a graph is worth emitting.

use std::collections::HashSet;

use crate::ir::{Inner, NodeId, RegionId, ValueId};
use crate::ops::Op;
use crate::per_shard::PerShard;
use crate::scan::Scan;

/// What of a scan is worth emitting: the outputs and carries that are read, the carries that those need, and the inputs of all of them.
pub(super) struct ScanPlan {
    /// Constants and stacked inputs: positions among the inputs.
    pub(super) invariant: Vec<usize>,
    /// Numbers of carries, which are their positions among the results.
    pub(super) carries: Vec<usize>,
    /// Positions among the results.
    pub(super) outputs: Vec<usize>,
    /// Whether the body reads the position.
    pub(super) indexed: bool,
    /// What the body has to compute: the carries' and the outputs' next values.
    pub(super) wanted: Vec<ValueId>,
}

impl ScanPlan {
    pub(super) fn new(inner: &Inner, id: NodeId, scan: &Scan, live: &HashSet<ValueId>) -> ScanPlan {
        let node = inner.node(id);
        let body = inner.region(scan.body);
        let outputs: Vec<usize> =
            (scan.carries..node.results.len()).filter(|k| live.contains(&node.results[*k])).collect();
        let mut carries: Vec<usize> = (0..scan.carries).filter(|k| live.contains(&node.results[*k])).collect();
        // A sum that nobody asks for reads itself: what else is computed may read carries that are not asked for, and those others.
        let (wanted, inside) = loop {
            let wanted: Vec<ValueId> = carries.iter().chain(&outputs).map(|k| body.results[*k]).collect();
            let inside = live_values(inner, scan.body, &wanted);
            let is_read = |k: &usize| inside.contains(&body.params[1 + scan.constants + k]);
            let read: Vec<usize> = (0..scan.carries).filter(|k| carries.contains(k) || is_read(k)).collect();
            if read.len() == carries.len() {
                break (wanted, inside);
            }
            carries = read;
        };
        let carried = scan.constants..scan.constants + scan.carries;
        let invariant =
            (0..node.inputs.len()).filter(|k| !carried.contains(k) && inside.contains(&body.params[1 + k])).collect();
        let indexed = inside.contains(&body.params[0]);
        ScanPlan { invariant, carries, outputs, indexed, wanted }
    }

    /// The positions among the inputs of what a loop takes: what stays as it is, then the carries.
    pub(super) fn inputs(&self, scan: &Scan) -> impl Iterator<Item = usize> {
        let carries = self.carries.iter().map(|k| scan.constants + k);
        self.invariant.iter().copied().chain(carries)
    }
}

/// What of a manual region is worth emitting: positions among its inputs and results.
pub(super) struct ShardPlan {
    pub(super) inputs: Vec<usize>,
    pub(super) results: Vec<usize>,
    /// The values of its body that are those results.
    pub(super) wanted: Vec<ValueId>,
}

impl ShardPlan {
    pub(super) fn new(inner: &Inner, id: NodeId, shards: &PerShard, live: &HashSet<ValueId>) -> ShardPlan {
        let (node, body) = (inner.node(id), inner.region(shards.body));
        let results: Vec<usize> = (0..node.results.len()).filter(|k| live.contains(&node.results[*k])).collect();
        let wanted: Vec<ValueId> = results.iter().map(|k| body.results[*k]).collect();
        let inside = live_values(inner, shards.body, &wanted);
        let inputs = (0..node.inputs.len()).filter(|k| inside.contains(&body.params[*k])).collect();
        ShardPlan { inputs, results, wanted }
    }
}

/// The values of a region that `wanted` needs.
pub(super) fn live_values(inner: &Inner, region: RegionId, wanted: &[ValueId]) -> HashSet<ValueId> {
    let mut live: HashSet<ValueId> = wanted.iter().copied().collect();
    for id in inner.region(region).nodes.iter().rev() {
        let node = inner.node(*id);
        if !node.results.iter().any(|result| live.contains(result)) {
            continue;
        }
        match &node.op {
            Op::Scan(scan) => {
                let plan = ScanPlan::new(inner, *id, scan, &live);
                live.extend(plan.inputs(scan).map(|k| node.inputs[k]));
            }
            Op::CustomVjp(custom) => {
                let forward = inner.region(custom.forward);
                let wanted = wanted_results(&node.results, &forward.results, &live);
                let inside = live_values(inner, custom.forward, &wanted);
                let needed = forward.params.iter().zip(&node.inputs).filter(|(param, _)| inside.contains(param));
                live.extend(needed.map(|(_, input)| *input));
            }
            Op::PerShard(shards) => {
                live.extend(ShardPlan::new(inner, *id, shards, &live).inputs.iter().map(|k| node.inputs[*k]))
            }
            _ => live.extend(&node.inputs),
        }
    }
    live
}

/// Those of `inside` whose counterparts of `outside` are live.
pub(super) fn wanted_results(outside: &[ValueId], inside: &[ValueId], live: &HashSet<ValueId>) -> Vec<ValueId> {
    outside.iter().zip(inside).filter(|(outside, _)| live.contains(outside)).map(|(_, inside)| *inside).collect()
}
