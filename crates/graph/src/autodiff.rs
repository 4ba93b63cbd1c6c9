//! Reverse-mode differentiation: a transformation of the graph that appends the backward pass to it.
//!
//! Rules ask for the forward values they need through [`VjpCx`]. In the region where the forward pass stands those are at hand. In the
//! backward pass of a scan they are either recomputed or were saved by the forward scan; asking for a value is what causes its saving,
//! so nothing is kept that no rule reads.

use std::collections::{HashMap, HashSet};

use crate::ir::{Def, Inner, NodeId, RegionId, ValueId};
use crate::ops::Op;
use crate::place::{Here, Phase};
use crate::scan::BodyValues;
use crate::{Graph, Tensor, TensorType, custom_vjp, scan};

impl Graph {
    /// Gradients of `loss`, a floating-point tensor without axes, with respect to `wrt`, each of the type of its tensor.
    ///
    /// Only what lies between `wrt` and `loss` is differentiated: a tensor that is not in `wrt` costs nothing. Inside the body of a scan
    /// `wrt` may hold values of that body and values it captures.
    pub fn grad<'g>(&'g self, loss: Tensor<'g>, wrt: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        let ty = loss.ty();
        if !ty.axes.is_empty() || !ty.dtype.is_float() {
            self.fail_op("grad", vec![ty], "the loss must be floating point and have no axes".into());
            return wrt.to_vec();
        }
        if let Some(whole) = wrt.iter().find(|tensor| !tensor.dtype().is_float()) {
            self.fail_op("grad", vec![whole.ty()], "only floating-point tensors have gradients".into());
            return wrt.to_vec();
        }
        let zero = |tensor: &Tensor<'g>| self.full(0.0, tensor.dtype(), &tensor.axes());
        // A mistake may have left a region that uses what is not its own, or a scan with too few results.
        if self.with(|inner| inner.error.is_some()) {
            return wrt.iter().map(zero).collect();
        }
        let nodes = self.with(|inner| inner.region(inner.current()).nodes.clone());
        let active = self.with(|inner| active_values(inner, &nodes, wrt.iter().map(|tensor| tensor.id)));
        let seed = self.constant(1.0, loss.dtype());
        let cotangents = reverse(self, &nodes, [(loss.id, seed)], &active, &mut Values::Here);
        wrt.iter().map(|tensor| cotangents.get(&tensor.id).copied().unwrap_or_else(|| zero(tensor))).collect()
    }
}

/// How a rule gets at values of the region that is differentiated.
pub(crate) enum Values<'g> {
    /// They are visible where the backward pass is being traced.
    Here,
    /// They belong to the body of a scan whose backward scan is being traced.
    Body(Box<BodyValues<'g>>),
}

impl<'g> Values<'g> {
    pub(crate) fn get(&mut self, graph: &'g Graph, id: ValueId) -> Tensor<'g> {
        match self {
            Values::Here => graph.tensor(id),
            Values::Body(body) => body.get(graph, id),
        }
    }

    /// A node equal to `node` in the region being traced.
    fn node_here(&mut self, graph: &'g Graph, node: NodeId) -> NodeId {
        match self {
            Values::Here => node,
            Values::Body(body) => body.recompute(graph, node),
        }
    }
}

/// What a derivative rule sees of its node.
pub(crate) struct VjpCx<'a, 'g> {
    pub(crate) graph: &'g Graph,
    pub(crate) node: NodeId,
    pub(crate) values: &'a mut Values<'g>,
}

impl<'g> VjpCx<'_, 'g> {
    /// The value of input `i`.
    pub(crate) fn input(&mut self, i: usize) -> Tensor<'g> {
        let id = self.graph.with(|inner| inner.node(self.node).inputs[i]);
        self.values.get(self.graph, id)
    }

    /// The type of input `i`; costs nothing.
    pub(crate) fn input_type(&self, i: usize) -> TensorType {
        self.graph.with(|inner| inner.ty(inner.node(self.node).inputs[i]).clone())
    }

    /// The value of the first result.
    pub(crate) fn output(&mut self) -> Tensor<'g> {
        self.result(0)
    }

    /// The value of result `i`.
    pub(crate) fn result(&mut self, i: usize) -> Tensor<'g> {
        let id = self.graph.with(|inner| inner.node(self.node).results[i]);
        self.values.get(self.graph, id)
    }
}

/// The values computed by `nodes` that depend on `roots` through floating-point operations, and the roots.
pub(crate) fn active_values(
    inner: &Inner,
    nodes: &[NodeId],
    roots: impl IntoIterator<Item = ValueId>,
) -> HashSet<ValueId> {
    let mut active: HashSet<ValueId> = roots.into_iter().collect();
    for node in nodes {
        let node = inner.node(*node);
        let stops = matches!(&node.op, Op::Elementwise(op) if op.stops_gradient());
        if !stops && node.inputs.iter().any(|id| active.contains(id)) {
            active.extend(node.results.iter().filter(|id| inner.ty(**id).dtype.is_float()));
        }
    }
    active
}

/// Walks `nodes` backwards and gives the cotangent of every active value that `seeds` reach.
pub(crate) fn reverse<'g>(
    graph: &'g Graph,
    nodes: &[NodeId],
    seeds: impl IntoIterator<Item = (ValueId, Tensor<'g>)>,
    active: &HashSet<ValueId>,
    values: &mut Values<'g>,
) -> HashMap<ValueId, Tensor<'g>> {
    let mut cotangents = HashMap::new();
    for (id, seed) in seeds {
        accumulate(&mut cotangents, id, seed);
    }
    for &node in nodes.iter().rev() {
        let (inputs, results, here) = graph.with(|inner| {
            let node = inner.node(node);
            (node.inputs.clone(), node.results.clone(), node.here)
        });
        let cts: Vec<Option<Tensor<'g>>> =
            results.iter().map(|id| cotangents.get(id).copied().filter(|_| active.contains(id))).collect();
        let needs: Vec<bool> = inputs.iter().map(|id| active.contains(id)).collect();
        if cts.iter().all(Option::is_none) || !needs.contains(&true) {
            continue;
        }
        let _named = graph.at(Here { phase: Phase::Backward, ..here });
        for (id, ct) in inputs.iter().zip(node_vjp(graph, node, &cts, &needs, values)) {
            if let Some(ct) = ct {
                accumulate(&mut cotangents, *id, ct);
            }
        }
    }
    cotangents
}

fn accumulate<'g>(cotangents: &mut HashMap<ValueId, Tensor<'g>>, id: ValueId, ct: Tensor<'g>) {
    cotangents.entry(id).and_modify(|sum| *sum = *sum + ct).or_insert(ct);
}

fn node_vjp<'g>(
    graph: &'g Graph,
    node: NodeId,
    cts: &[Option<Tensor<'g>>],
    needs: &[bool],
    values: &mut Values<'g>,
) -> Vec<Option<Tensor<'g>>> {
    let op = graph.with(|inner| inner.node(node).op.clone());
    match &op {
        Op::Scan(_) => {
            let here = values.node_here(graph, node);
            scan::vjp(graph, here, cts, needs)
        }
        Op::CustomVjp(op) => custom_vjp::vjp(op, &mut VjpCx { graph, node, values }, cts, needs),
        Op::CustomCall(_) | Op::PerShard(_) => {
            let rule = "it has no derivative: wrap it in a custom_vjp, or stop_gradient its arguments";
            let name = if let Op::CustomCall(call) = &op { &call.target } else { op.name() };
            graph.fail_trace(name, rule.into());
            vec![None; needs.len()]
        }
        op => {
            let Some(ct) = cts[0] else {
                return vec![None; needs.len()];
            };
            let mut cx = VjpCx { graph, node, values };
            let wanted = needs.iter().enumerate();
            wanted.map(|(i, needed)| needed.then(|| op.vjp(i, &mut cx, ct)).flatten()).collect()
        }
    }
}

/// Copies `id` and what it needs from a closed region into the region being traced. `leaf` says where to stop: it gives a value of the
/// region being traced for a parameter, or for a result that is not to be recomputed.
pub(crate) fn copy_value(
    graph: &Graph,
    id: ValueId,
    copies: &mut HashMap<ValueId, ValueId>,
    leaf: &mut dyn FnMut(ValueId, Def) -> Option<ValueId>,
) -> ValueId {
    if let Some(copy) = copies.get(&id) {
        return *copy;
    }
    let def = graph.with(|inner| inner.value(id).def);
    match (leaf(id, def), def) {
        (Some(copy), _) => {
            copies.insert(id, copy);
        }
        (None, Def::Result(node)) => {
            copy_node(graph, node, copies, leaf);
        }
        (None, Def::Param(_)) => return id,
    }
    copies.get(&id).copied().unwrap_or(id)
}

/// Copies a node, and what its inputs need, into the region being traced; its results enter `copies` unless they are there.
pub(crate) fn copy_node(
    graph: &Graph,
    node: NodeId,
    copies: &mut HashMap<ValueId, ValueId>,
    leaf: &mut dyn FnMut(ValueId, Def) -> Option<ValueId>,
) -> NodeId {
    let original = graph.with(|inner| inner.node(node).clone());
    let inputs = original.inputs.iter().map(|input| copy_value(graph, *input, copies, leaf)).collect();
    let copy = graph.with_mut(|inner| {
        let op = copy_op(inner, &original.op);
        let types = original.results.iter().map(|id| inner.ty(*id).clone()).collect();
        let region = inner.current();
        let now = inner.here;
        inner.here = original.here.copied(now);
        let copy = inner.append(region, op, inputs, types);
        inner.here = now;
        copy
    });
    graph.with_mut(|inner| {
        let results = inner.node(copy).results.clone();
        for (from, to) in original.results.iter().zip(results) {
            inner.values[to.0 as usize].tag = inner.value(*from).tag;
            copies.entry(*from).or_insert(to);
        }
    });
    copy
}

fn copy_op(inner: &mut Inner, op: &Op) -> Op {
    match op {
        Op::Scan(scan) => {
            let mut scan = scan.clone();
            let params = inner.region(scan.body).params.clone();
            scan.body = copy_region(inner, scan.body);
            let copies = &inner.region(scan.body).params;
            for fenced in &mut scan.fenced {
                let position = params.iter().position(|param| param == fenced);
                *fenced = position.map_or(*fenced, |position| copies[position]);
            }
            Op::Scan(scan)
        }
        Op::CustomVjp(custom) => {
            let mut custom = custom.clone();
            custom.forward = copy_region(inner, custom.forward);
            custom.backward = copy_region(inner, custom.backward);
            Op::CustomVjp(custom)
        }
        Op::PerShard(shards) => {
            let mut shards = shards.clone();
            shards.body = copy_region(inner, shards.body);
            Op::PerShard(shards)
        }
        op => op.clone(),
    }
}

fn copy_region(inner: &mut Inner, region: RegionId) -> RegionId {
    let copy = inner.new_region();
    let original = inner.region(region).clone();
    let mut copies = HashMap::new();
    for param in &original.params {
        let ty = inner.ty(*param).clone();
        copies.insert(*param, inner.new_region_param(copy, ty));
    }
    for node in &original.nodes {
        let node = inner.node(*node).clone();
        let op = copy_op(inner, &node.op);
        let inputs = node.inputs.iter().map(|id| copies[id]).collect();
        let types = node.results.iter().map(|id| inner.ty(*id).clone()).collect();
        let now = inner.here;
        inner.here = node.here.copied(now);
        let new = inner.append(copy, op, inputs, types);
        inner.here = now;
        let results = inner.node(new).results.clone();
        for (from, to) in node.results.iter().zip(results) {
            inner.values[to.0 as usize].tag = inner.value(*from).tag;
            copies.insert(*from, to);
        }
    }
    let results = original.results.iter().map(|id| copies[id]).collect();
    inner.region_mut(copy).results = results;
    copy
}
