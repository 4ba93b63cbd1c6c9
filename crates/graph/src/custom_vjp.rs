//! A computation with a derivative of its own: how kernels enter a model.

use std::collections::HashMap;

use crate::autodiff::{VjpCx, copy_value};
use crate::ir::{Def, Frame, FrameKind, RegionId, ValueId};
use crate::ops::Op;
use crate::{Graph, Tensor};

#[derive(Clone, Debug)]
pub(crate) struct CustomVjp {
    /// Parameters: the inputs. Results: the outputs, then the residuals.
    pub(crate) forward: RegionId,
    /// Parameters: the residuals, then the cotangents of the outputs. Results: cotangents of those inputs that `cotangents` marks.
    pub(crate) backward: RegionId,
    outputs: usize,
    cotangents: Vec<bool>,
}

impl Graph {
    /// Traces `forward` (inputs -> outputs, residuals) and `backward` (residuals, cotangents of the outputs -> cotangent of each input,
    /// `None` where there is none), and gives the outputs. Neither may use a tensor from outside: pass it as an input.
    ///
    /// A residual that is one of the inputs or outputs costs no memory of its own.
    pub fn custom_vjp<'g>(
        &'g self,
        inputs: &[Tensor<'g>],
        forward: impl FnOnce(&[Tensor<'g>]) -> (Vec<Tensor<'g>>, Vec<Tensor<'g>>),
        backward: impl FnOnce(&[Tensor<'g>], &[Tensor<'g>]) -> Vec<Option<Tensor<'g>>>,
    ) -> Vec<Tensor<'g>> {
        let input_types: Vec<_> = inputs.iter().map(|input| input.ty()).collect();
        let (forward_region, (outputs, residuals)) =
            self.trace_closed("custom_vjp", FrameKind::Closed, &input_types, |params| {
                let (outputs, residuals) = forward(params);
                let all = outputs.iter().chain(&residuals).map(|t| t.id).collect();
                (all, (outputs, residuals))
            });
        let backward_types: Vec<_> = residuals.iter().chain(&outputs).map(|t| t.ty()).collect();
        let named = self.named_backward();
        let (backward_region, cotangents) =
            self.trace_closed("custom_vjp", FrameKind::Closed, &backward_types, |params| {
                let (residuals, cts) = params.split_at(residuals.len());
                let cotangents = backward(residuals, cts);
                self.check_cotangents(inputs, &cotangents);
                (
                    cotangents.iter().flatten().map(|ct| ct.id).collect(),
                    cotangents.iter().map(Option::is_some).collect(),
                )
            });
        drop(named);
        let op = CustomVjp { forward: forward_region, backward: backward_region, outputs: outputs.len(), cotangents };
        let types = outputs.iter().chain(&residuals).map(|t| t.ty()).collect();
        let node = self.append(Op::CustomVjp(Box::new(op)), inputs.iter().map(|t| t.id).collect(), types);
        self.with_mut(|inner| {
            let results = inner.node(node).results.clone();
            for (inside, outside) in outputs.iter().chain(&residuals).zip(&results) {
                inner.values[outside.0 as usize].tag = inner.value(inside.id).tag;
            }
        });
        let results = self.with(|inner| inner.node(node).results.clone());
        results[..outputs.len()].iter().map(|id| self.tensor(*id)).collect()
    }

    /// Traces a region of `kind` that may use its own parameters only.
    pub(crate) fn trace_closed<'g, T>(
        &'g self,
        op: &str,
        kind: FrameKind,
        types: &[crate::TensorType],
        trace: impl FnOnce(&[Tensor<'g>]) -> (Vec<ValueId>, T),
    ) -> (RegionId, T) {
        let region = self.with_mut(|inner| {
            let region = inner.new_region();
            for ty in types {
                inner.new_region_param(region, ty.clone());
            }
            inner.frames.push(Frame { region, kind });
            region
        });
        let params: Vec<_> =
            self.with(|inner| inner.region(region).params.clone()).into_iter().map(|id| self.tensor(id)).collect();
        let (results, extra) = trace(&params);
        let captured = self.with_mut(|inner| {
            inner.frames.pop();
            inner.region_mut(region).results = results.clone();
            let nodes = &inner.region(region).nodes;
            let used = nodes.iter().flat_map(|node| inner.node(*node).inputs.iter()).chain(&results);
            used.copied().find(|id| inner.value(*id).region != region).map(|id| inner.ty(id).clone())
        });
        if let Some(ty) = captured {
            self.fail_trace(op, format!("it uses a tensor {ty} from outside; pass it as an input"));
        }
        (region, extra)
    }

    fn check_cotangents<'g>(&'g self, inputs: &[Tensor<'g>], cotangents: &[Option<Tensor<'g>>]) {
        if inputs.len() != cotangents.len() {
            let rule = format!("backward gave {} cotangents for {} inputs", cotangents.len(), inputs.len());
            self.fail_trace("custom_vjp", rule);
        }
        for (input, ct) in inputs.iter().zip(cotangents) {
            if let Some(ct) = ct
                && ct.ty() != input.ty()
            {
                let rule = format!("backward gave {} as the cotangent of an input {}", ct.ty(), input.ty());
                self.fail_trace("custom_vjp", rule);
            }
        }
    }
}

pub(crate) fn vjp<'g>(
    op: &CustomVjp,
    cx: &mut VjpCx<'_, 'g>,
    cts: &[Option<Tensor<'g>>],
    needs: &[bool],
) -> Vec<Option<Tensor<'g>>> {
    let graph = cx.graph;
    let forward = graph.with(|inner| inner.region(op.forward).clone());
    let backward = graph.with(|inner| inner.region(op.backward).clone());
    let residuals = backward.params.len() - op.outputs;
    let mut leaf = |_: ValueId, def: Def| match def {
        Def::Result(_) => None,
        Def::Param(k) if k < residuals => {
            // A residual that is an input is at hand wherever the input is, and one that is an output need not be kept twice.
            let inside = forward.results[op.outputs + k];
            let value = match forward.params.iter().position(|param| *param == inside) {
                Some(input) => cx.input(input),
                None => cx.result(forward.results.iter().position(|result| *result == inside).unwrap_or_default()),
            };
            Some(value.id)
        }
        Def::Param(k) => {
            let output = k - residuals;
            let ty = graph.with(|inner| inner.ty(forward.results[output]).clone());
            Some(cts[output].unwrap_or_else(|| graph.full(0.0, ty.dtype, &ty.axes)).id)
        }
    };
    let mut copies = HashMap::new();
    let mut results = backward.results.iter();
    let mut cotangents = Vec::new();
    for (given, needed) in op.cotangents.iter().zip(needs) {
        let result = if *given { results.next() } else { None };
        let wanted = result.filter(|_| *needed);
        cotangents.push(wanted.map(|id| graph.tensor(copy_value(graph, *id, &mut copies, &mut leaf))));
    }
    cotangents
}
