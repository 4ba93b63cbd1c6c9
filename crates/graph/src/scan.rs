//! `scan`: a loop whose body is traced once, so that a program does not grow with its depth.

use std::collections::HashMap;

use crate::autodiff::{Values, active_values, copy_node, copy_value, reverse};
use crate::ir::{Def, Frame, FrameKind, Inner, NodeId, RegionId, ValueId};
use crate::ops::Op;
use crate::{Axis, DType, Graph, GraphError, Tensor, TensorType};

/// A loop over an axis. Inputs: constants, initial carries, stacked inputs. Results: final carries, stacked outputs. The body's
/// parameters: the index (i32), constants, carries, slices; its results: carries, slices.
#[derive(Clone, Debug)]
pub(crate) struct Scan {
    pub(crate) axis: Axis,
    pub(crate) body: RegionId,
    pub(crate) constants: usize,
    pub(crate) carries: usize,
    /// From the last index to the first.
    pub(crate) reverse: bool,
    pub(crate) remat: Remat,
    /// Of a backward scan whose forward scan does not keep everything: the body's parameters that hold what it keeps, and the carried
    /// cotangents. Unrolled, these go through a barrier: a compiler that saw that what is computed again was computed before would keep
    /// the results, and take as much memory as if everything had been kept.
    pub(crate) fenced: Vec<ValueId>,
}

/// Which values of a scan's body are kept for the backward pass; all others are computed again in it. The carries are always kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remat {
    /// Keep every result that is not a mere rearrangement or conversion.
    pub keep_all: bool,
    /// Keep results of dots without batch axes: products with weights.
    pub keep_dots: bool,
    /// Keep values named by [`Tensor::checkpoint_name`].
    pub keep_named: Vec<&'static str>,
}

impl Remat {
    /// Keep everything: the fastest, if it fits.
    pub fn none() -> Remat {
        Remat { keep_all: true, keep_dots: false, keep_named: Vec::new() }
    }

    /// Keep the products with weights and the named values.
    pub fn dots(keep_named: &[&'static str]) -> Remat {
        Remat { keep_all: false, keep_dots: true, keep_named: keep_named.to_vec() }
    }

    /// Keep the carries only: the least memory, one more forward pass.
    pub fn full() -> Remat {
        Remat { keep_all: false, keep_dots: false, keep_named: Vec::new() }
    }

    fn keeps(&self, inner: &Inner, value: ValueId, node: NodeId) -> bool {
        let node = inner.node(node);
        let dot = || match &node.op {
            Op::Dot(dot) => dot.is_weight_product(inner.ty(node.inputs[0]), inner.ty(node.inputs[1])),
            _ => false,
        };
        (self.keep_all && !node.op.is_free())
            || (self.keep_dots && dot())
            || inner.value(value).tag.is_some_and(|tag| self.keep_named.contains(&tag))
    }
}

/// What a scan's body sees of one step.
pub struct ScanStep<'a, 'g> {
    /// The position along the axis, an i32 without axes.
    pub index: Tensor<'g>,
    /// The values carried from the step before.
    pub carry: &'a [Tensor<'g>],
    /// This step's slices of the stacked inputs.
    pub slices: &'a [Tensor<'g>],
}

impl Graph {
    /// Runs `body` for each position along `axis`: (carry, slices) -> (carry, outputs). Gives the last carry and the outputs stacked along
    /// `axis`, outermost. `body` is traced once and may use any tensor from outside; parameters declared in it are stacked along `axis`.
    ///
    /// `axis` is the outermost of the `stacked` inputs. The carry keeps its types.
    pub fn scan<'g>(
        &'g self,
        axis: Axis,
        carry: &[Tensor<'g>],
        stacked: &[Tensor<'g>],
        remat: Remat,
        body: impl FnOnce(ScanStep<'_, 'g>) -> (Vec<Tensor<'g>>, Vec<Tensor<'g>>),
    ) -> (Vec<Tensor<'g>>, Vec<Tensor<'g>>) {
        let builder = Builder::begin(self, axis, carry);
        let slices: Vec<_> = stacked.iter().map(|whole| builder.slice(*whole)).collect();
        let step = ScanStep { index: builder.index, carry: &builder.carry, slices: &slices };
        let (next, outputs) = body(step);
        builder.finish(carry, &next, &outputs, Run { reverse: false, remat, fenced: Vec::new() })
    }
}

/// How a scan runs, besides what its body computes.
struct Run {
    reverse: bool,
    remat: Remat,
    fenced: Vec<ValueId>,
}

/// A scan whose body is being traced.
struct Builder<'g> {
    graph: &'g Graph,
    axis: Axis,
    region: RegionId,
    index: Tensor<'g>,
    carry: Vec<Tensor<'g>>,
}

impl<'g> Builder<'g> {
    fn begin(graph: &'g Graph, axis: Axis, carry: &[Tensor<'g>]) -> Builder<'g> {
        let types: Vec<_> = carry.iter().map(|tensor| tensor.ty()).collect();
        let (region, index, carry) = graph.with_mut(|inner| {
            let region = inner.new_region();
            inner.frames.push(Frame { region, kind: FrameKind::Scan { axis, sliced: Vec::new() } });
            let index = inner.new_region_param(region, TensorType::new(DType::I32, &[]));
            let carry: Vec<_> = types.into_iter().map(|ty| inner.new_region_param(region, ty)).collect();
            (region, index, carry)
        });
        let carry = carry.into_iter().map(|id| graph.tensor(id)).collect();
        Builder { graph, axis, region, index: graph.tensor(index), carry }
    }

    /// This step's slice of a stacked value from outside.
    fn slice(&self, whole: Tensor<'g>) -> Tensor<'g> {
        let ty = whole.ty();
        if ty.axes.first() != Some(&self.axis) {
            let rule = format!("a stacked input should have {:?} as its outermost axis", self.axis);
            self.graph.fail_op("scan", vec![ty], rule);
            return whole;
        }
        let id = self.graph.with_mut(|inner| inner.slice_in_frame(inner.frames.len() - 1, whole.id));
        self.graph.tensor(id)
    }

    fn finish(
        self,
        init: &[Tensor<'g>],
        next: &[Tensor<'g>],
        outputs: &[Tensor<'g>],
        run: Run,
    ) -> (Vec<Tensor<'g>>, Vec<Tensor<'g>>) {
        let graph = self.graph;
        for (before, after) in init.iter().zip(next) {
            if before.ty() != after.ty() {
                let rule = format!("the carry comes in as {} and goes out as {}", before.ty(), after.ty());
                graph.fail_trace("scan", rule);
            }
        }
        if init.len() != next.len() {
            graph.fail_trace("scan", format!("{} carries come in and {} go out", init.len(), next.len()));
        }
        let next: Vec<_> = next.iter().take(init.len()).map(|t| t.id).collect();
        let outputs: Vec<_> = outputs.iter().map(|t| t.id).collect();
        let results = graph.with_mut(|inner| {
            let sliced = match inner.frames.pop() {
                Some(Frame { kind: FrameKind::Scan { sliced, .. }, .. }) => sliced,
                _ => Vec::new(),
            };
            inner.region_mut(self.region).results = next.iter().chain(&outputs).copied().collect();
            let captured = capture(inner, self.region);
            let (slices, stacked): (Vec<_>, Vec<_>) = sliced.into_iter().unzip();
            let (constants, outside): (Vec<_>, Vec<_>) = captured.into_iter().unzip();
            order_params(inner, self.region, [vec![self.index.id], constants, ids(&self.carry), slices].concat());
            let inputs = [outside.clone(), ids(init), stacked].concat();
            let mut types: Vec<_> = next.iter().map(|id| inner.ty(*id).clone()).collect();
            types.extend(outputs.iter().map(|id| stack(inner, *id, self.axis)));
            let op = Scan {
                axis: self.axis,
                body: self.region,
                constants: outside.len(),
                carries: init.len(),
                reverse: run.reverse,
                remat: run.remat,
                fenced: run.fenced,
            };
            let region = inner.current();
            let node = inner.append(region, Op::Scan(Box::new(op)), inputs, types);
            inner.node(node).results.clone()
        });
        let tensors: Vec<_> = results.into_iter().map(|id| graph.tensor(id)).collect();
        let (carries, outputs) = tensors.split_at(init.len().min(tensors.len()));
        (carries.to_vec(), outputs.to_vec())
    }
}

fn ids(tensors: &[Tensor<'_>]) -> Vec<ValueId> {
    tensors.iter().map(|tensor| tensor.id).collect()
}

/// The type of a body's value for all steps.
fn stack(inner: &mut Inner, id: ValueId, axis: Axis) -> TensorType {
    let ty = inner.ty(id).clone();
    if ty.has(axis.name) {
        let rule = format!("stacked along it, {ty} would have axis `{}` twice; rename one", axis.name);
        inner.fail(GraphError::Trace { what: "scan".to_owned(), rule });
    }
    ty.with_axes(std::iter::once(axis).chain(ty.axes.iter().copied()).collect())
}

/// Turns what the region uses from outside into parameters of it: pairs of the new parameter and the value outside.
fn capture(inner: &mut Inner, region: RegionId) -> Vec<(ValueId, ValueId)> {
    let mut captured: Vec<(ValueId, ValueId)> = Vec::new();
    let mut inside = |inner: &mut Inner, id: ValueId| {
        if inner.value(id).region == region {
            return id;
        }
        if let Some((param, _)) = captured.iter().find(|(_, outside)| *outside == id) {
            return *param;
        }
        let ty = inner.ty(id).clone();
        let param = inner.new_region_param(region, ty);
        captured.push((param, id));
        param
    };
    for node in inner.region(region).nodes.clone() {
        let inputs: Vec<_> = inner.node(node).inputs.clone();
        let inputs = inputs.into_iter().map(|id| inside(inner, id)).collect();
        inner.node_mut(node).inputs = inputs;
    }
    let results = inner.region(region).results.clone();
    let results = results.into_iter().map(|id| inside(inner, id)).collect();
    inner.region_mut(region).results = results;
    captured
}

fn order_params(inner: &mut Inner, region: RegionId, order: Vec<ValueId>) {
    for (position, id) in order.iter().enumerate() {
        inner.values[id.0 as usize].def = Def::Param(position);
    }
    inner.region_mut(region).params = order;
}

/// Values of a scan's body as its backward scan gets them.
pub(crate) struct BodyValues<'g> {
    forward: NodeId,
    copies: HashMap<ValueId, ValueId>,
    nodes: HashMap<NodeId, NodeId>,
    builder: Builder<'g>,
    /// The slices of what the forward scan keeps.
    kept: Vec<ValueId>,
}

impl<'g> BodyValues<'g> {
    pub(crate) fn get(&mut self, graph: &'g Graph, id: ValueId) -> Tensor<'g> {
        let BodyValues { forward, copies, builder, kept, .. } = self;
        let mut leaf = |id, def| stored(graph, *forward, builder, kept, id, def);
        graph.tensor(copy_value(graph, id, copies, &mut leaf))
    }

    /// A node of the body, computed again in the backward scan whatever the policy. If a rule has read a result of it, it is there already.
    pub(crate) fn recompute(&mut self, graph: &'g Graph, node: NodeId) -> NodeId {
        let BodyValues { forward, copies, builder, nodes, kept } = self;
        *nodes.entry(node).or_insert_with(|| {
            copied_node(graph, node, copies, builder.region).unwrap_or_else(|| {
                let mut leaf = |id, def| stored(graph, *forward, builder, kept, id, def);
                copy_node(graph, node, copies, &mut leaf)
            })
        })
    }
}

/// The node of `region` that `copies` has as a copy of `node`. What a result of `node` was kept as is a parameter.
fn copied_node(graph: &Graph, node: NodeId, copies: &HashMap<ValueId, ValueId>, region: RegionId) -> Option<NodeId> {
    graph.with(|inner| {
        let copied = inner.node(node).results.iter().filter_map(|result| copies.get(result));
        copied.map(|copy| inner.value(*copy)).find_map(|copy| match copy.def {
            Def::Result(found) if copy.region == region => Some(found),
            Def::Result(_) | Def::Param(_) => None,
        })
    })
}

/// The value in the backward scan of a value of the forward body that is not computed again: its parameters, and what the policy keeps.
fn stored<'g>(
    graph: &'g Graph,
    forward: NodeId,
    builder: &Builder<'g>,
    kept: &mut Vec<ValueId>,
    id: ValueId,
    def: Def,
) -> Option<ValueId> {
    let (scan, inputs) = graph.with(|inner| match &inner.node(forward).op {
        Op::Scan(scan) => (scan.clone(), inner.node(forward).inputs.clone()),
        _ => unreachable!("the forward node of a backward scan is a scan"),
    });
    let keep = match def {
        Def::Param(0) => return Some(builder.index.id),
        Def::Param(k) if k <= scan.constants => return Some(inputs[k - 1]),
        Def::Param(k) if k <= scan.constants + scan.carries => true,
        Def::Param(k) => return Some(builder.slice(graph.tensor(inputs[k - 1])).id),
        Def::Result(node) => graph.with(|inner| scan.remat.keeps(inner, id, node)),
    };
    keep.then(|| {
        let stacked = graph.with_mut(|inner| save(inner, forward, &scan, id));
        let slice = builder.slice(graph.tensor(stacked)).id;
        kept.push(slice);
        slice
    })
}

/// Makes the forward scan give a value of its body as a stacked output.
fn save(inner: &mut Inner, forward: NodeId, scan: &Scan, id: ValueId) -> ValueId {
    let results = &inner.region(scan.body).results;
    if let Some(known) = results[scan.carries..].iter().position(|result| *result == id) {
        return inner.node(forward).results[scan.carries + known];
    }
    inner.region_mut(scan.body).results.push(id);
    let region = inner.value(inner.node(forward).results.first().copied().unwrap_or(id)).region;
    let ty = stack(inner, id, scan.axis);
    let stacked = inner.new_value(ty, region, Def::Result(forward));
    inner.node_mut(forward).results.push(stacked);
    stacked
}

/// The backward scan of `node`: from the last position to the first, carrying the cotangents of the carries and the sums of the
/// cotangents of the constants, and giving the cotangents of the stacked inputs.
pub(crate) fn vjp<'g>(
    graph: &'g Graph,
    node: NodeId,
    cts: &[Option<Tensor<'g>>],
    needs: &[bool],
) -> Vec<Option<Tensor<'g>>> {
    let (scan, body) = graph.with(|inner| match &inner.node(node).op {
        Op::Scan(scan) => (scan.clone(), inner.region(scan.body).clone()),
        _ => unreachable!("the caller matched a scan"),
    });
    let active = graph.with(|inner| active_in_body(inner, &scan, needs));
    let params = &body.params[1..];
    let zeros = |id: ValueId| {
        let ty = graph.with(|inner| inner.ty(id).clone());
        graph.full(0.0, ty.dtype, &ty.axes)
    };
    // A constant's cotangent is a sum over all steps.
    let wide_zeros = |id: ValueId| {
        let ty = graph.with(|inner| inner.ty(id).clone());
        graph.full(0.0, ty.dtype.accumulator(), &ty.axes)
    };
    // Which inputs get a cotangent, and how it travels: as a carry (constants, carries) or as a stacked output.
    let is_active = |k: &usize| active.contains(&params[*k]);
    let constants: Vec<usize> = (0..scan.constants).filter(is_active).collect();
    let carries: Vec<usize> = (scan.constants..scan.constants + scan.carries).filter(is_active).collect();
    let stacked: Vec<usize> = (scan.constants + scan.carries..params.len()).filter(is_active).collect();
    let carry_init = |k: &usize| cts[*k - scan.constants].unwrap_or_else(|| zeros(params[*k]));
    let sums = constants.iter().map(|k| wide_zeros(params[*k]));
    let init: Vec<_> = carries.iter().map(carry_init).chain(sums).collect();

    let builder = Builder::begin(graph, scan.axis, &init);
    let incoming = builder.carry.clone();
    let mut seeds: Vec<(ValueId, Tensor<'g>)> =
        carries.iter().enumerate().map(|(at, k)| (body.results[*k - scan.constants], incoming[at])).collect();
    for (result, ct) in body.results.iter().zip(cts).skip(scan.carries) {
        if let Some(ct) = ct {
            seeds.push((*result, builder.slice(*ct)));
        }
    }
    let body_values =
        BodyValues { forward: node, copies: HashMap::new(), nodes: HashMap::new(), builder, kept: Vec::new() };
    let mut values = Values::Body(Box::new(body_values));
    let cotangents = reverse(graph, &body.nodes, seeds, &active, &mut values);
    let Values::Body(body_values) = values else { unreachable!("made three lines above") };
    let BodyValues { builder, kept, .. } = *body_values;
    let ct = |k: &usize| cotangents.get(&params[*k]).copied().unwrap_or_else(|| zeros(params[*k]));
    let sum = |(at, k): (usize, &usize)| match cotangents.get(&params[*k]) {
        Some(ct) => incoming[carries.len() + at] + ct.cast(incoming[carries.len() + at].dtype()),
        None => incoming[carries.len() + at],
    };
    let next: Vec<_> = carries.iter().map(ct).chain(constants.iter().enumerate().map(sum)).collect();
    let outputs: Vec<_> = stacked.iter().map(ct).collect();
    let fenced = match scan.remat.keep_all {
        true => Vec::new(),
        // With the cotangents, so that nothing is computed again before they are there.
        false => kept.into_iter().chain(ids(&incoming[..carries.len()])).collect(),
    };
    let run = Run { reverse: !scan.reverse, remat: Remat::none(), fenced };
    let (totals, stacks) = builder.finish(&init, &next, &outputs, run);

    let mut result = vec![None; params.len()];
    for (k, ct) in carries.iter().chain(&constants).zip(totals).chain(stacked.iter().zip(stacks)) {
        let dtype = graph.with(|inner| inner.ty(params[*k]).dtype);
        result[*k] = Some(ct.cast(dtype)).filter(|_| needs[*k]);
    }
    result
}

/// The active values of a scan's body, given which of the scan's inputs are: a carry is active if it comes in or goes out so.
fn active_in_body(inner: &Inner, scan: &Scan, needs: &[bool]) -> std::collections::HashSet<ValueId> {
    let body = inner.region(scan.body);
    let mut roots: Vec<ValueId> =
        body.params[1..].iter().zip(needs).filter(|(_, needed)| **needed).map(|(param, _)| *param).collect();
    loop {
        let active = active_values(inner, &body.nodes, roots.iter().copied());
        let carries = &body.params[1 + scan.constants..1 + scan.constants + scan.carries];
        let more: Vec<ValueId> = carries
            .iter()
            .zip(&body.results)
            .filter(|(param, result)| active.contains(result) && !active.contains(param))
            .map(|(param, _)| *param)
            .collect();
        if more.is_empty() {
            return active;
        }
        roots.extend(more);
    }
}
