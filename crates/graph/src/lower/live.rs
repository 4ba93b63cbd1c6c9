//! What of a graph is worth emitting.

use std::collections::HashSet;

use crate::ir::{Inner, NodeId, RegionId, ValueId};
use crate::ops::Op;
use crate::scan::Scan;

/// What of a scan is worth emitting: the outputs that are read, and the inputs that those and the carries need. Positions among the
/// scan's inputs and results.
pub(super) struct ScanPlan {
    /// Constants and stacked inputs.
    pub(super) invariant: Vec<usize>,
    pub(super) carries: Vec<usize>,
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
        let wanted: Vec<_> =
            body.results[..scan.carries].iter().copied().chain(outputs.iter().map(|k| body.results[*k])).collect();
        let inside = live_values(inner, scan.body, &wanted);
        let carries = scan.constants..scan.constants + scan.carries;
        let invariant =
            (0..node.inputs.len()).filter(|k| !carries.contains(k) && inside.contains(&body.params[1 + k])).collect();
        let indexed = inside.contains(&body.params[0]);
        ScanPlan { invariant, carries: carries.collect(), outputs, indexed, wanted }
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
                live.extend(plan.invariant.iter().chain(&plan.carries).map(|k| node.inputs[*k]));
            }
            Op::CustomVjp(custom) => {
                let forward = inner.region(custom.forward);
                let wanted = wanted_results(&node.results, &forward.results, &live);
                let inside = live_values(inner, custom.forward, &wanted);
                let needed = forward.params.iter().zip(&node.inputs).filter(|(param, _)| inside.contains(param));
                live.extend(needed.map(|(_, input)| *input));
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
