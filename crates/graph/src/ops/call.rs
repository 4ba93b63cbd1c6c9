//! Calls of kernels that the backend brings, such as cuDNN's attention. They have no derivative of their own: wrap them in a
//! `custom_vjp`.

use crate::ir::{FrameKind, Inner};
use crate::lower::Emitter;
use crate::{Graph, Tensor, TensorType};

use super::attributes::ints;
use super::{Op, Operand};

/// Dimensions from the fastest-varying to the slowest, as XLA writes layouts; `None` is row-major.
pub type Layout = Option<Vec<usize>>;

/// A call of a backend's kernel by name.
#[derive(Clone, Debug)]
pub struct CustomCall {
    /// The name under which the backend knows the kernel.
    pub target: String,
    /// Which calling convention the kernel has; 2 takes `backend_config` as a string, 4 as a dictionary.
    pub api_version: u32,
    /// The attribute's text, e.g. `"{…}"` quoted and escaped, or `{scale = 1.0 : f32}`.
    pub backend_config: String,
    /// Layout of each argument.
    pub operand_layouts: Vec<Layout>,
    /// Type and layout of each result.
    pub results: Vec<(TensorType, Layout)>,
    /// Which results stand in the memory of which arguments, which hold it until then: nobody else may need them afterwards, or they are copied before. Pairs
    /// of places.
    pub in_place: Vec<(usize, usize)>,
}

impl Graph {
    /// Calls a backend's kernel. A graph for several devices calls it inside [`Graph::per_shard`] only: nobody else can say what a kernel
    /// computes of its parts.
    pub fn custom_call<'g>(&'g self, call: CustomCall, args: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        let is_apart = |inner: &Inner| {
            inner.partition.is_none() || inner.frames.iter().any(|frame| matches!(frame.kind, FrameKind::PerShard))
        };
        if !self.with(is_apart) {
            let rule =
                "several devices cannot share out a kernel: call it inside per_shard, which says what each computes";
            self.fail_trace(&call.target, rule.into());
        }
        let is_same = |(result, argument): &(usize, usize)| {
            let types = call.results.get(*result).zip(args.get(*argument));
            types.is_some_and(|((result, _), argument)| *result == argument.ty())
        };
        if let Some((result, argument)) = call.in_place.iter().find(|pair| !is_same(pair)) {
            let rule = format!(
                "its result {result} cannot stand in place of its argument {argument}, which is of another type or not there"
            );
            self.fail_trace(&call.target, rule);
        }
        let types = call.results.iter().map(|(ty, _)| ty.clone()).collect();
        let node = self.append(Op::CustomCall(Box::new(call)), args.iter().map(|arg| arg.id).collect(), types);
        self.with(|inner| inner.node(node).results.clone()).into_iter().map(|id| self.tensor(id)).collect()
    }
}

impl CustomCall {
    pub(crate) fn lower_all(&self, e: &mut Emitter<'_>, args: &[Operand<'_>]) -> Vec<String> {
        let names: Vec<_> = args.iter().map(|arg| arg.name).collect();
        let arg_types: Vec<_> = args.iter().map(|arg| arg.ty.stablehlo()).collect();
        let result_types: Vec<_> = self.results.iter().map(|(ty, _)| ty.stablehlo()).collect();
        let operand_layouts: Vec<_> =
            args.iter().enumerate().map(|(i, arg)| layout(self.operand_layouts.get(i), arg.ty)).collect();
        let result_layouts: Vec<_> = self.results.iter().map(|(ty, order)| layout(Some(order), ty)).collect();
        e.assign_many(
            self.results.len(),
            format!(
                "stablehlo.custom_call @{}({}) {{api_version = {} : i32, backend_config = {}, operand_layouts = [{}], \
                 {}result_layouts = [{}]}} : ({}) -> ({})",
                self.target,
                names.join(", "),
                self.api_version,
                self.backend_config,
                operand_layouts.join(", "),
                self.aliases(),
                result_layouts.join(", "),
                arg_types.join(", "),
                result_types.join(", ")
            ),
        )
    }

    /// The attribute for what stands in place of arguments.
    fn aliases(&self) -> String {
        let alias = |(result, argument): &(usize, usize)| {
            // A single result is no tuple.
            let place = if self.results.len() > 1 { result.to_string() } else { String::new() };
            format!(
                "#stablehlo.output_operand_alias<output_tuple_indices = [{place}], operand_index = {argument}, \
                 operand_tuple_indices = []>"
            )
        };
        match &self.in_place[..] {
            [] => String::new(),
            pairs => format!("output_operand_aliases = [{}], ", pairs.iter().map(alias).collect::<Vec<_>>().join(", ")),
        }
    }
}

fn layout(order: Option<&Layout>, ty: &TensorType) -> String {
    let rank = ty.axes.len();
    let order = match order {
        _ if rank == 0 => String::new(),
        Some(Some(order)) => ints(order.iter().copied()),
        _ => ints((0..rank).rev()),
    };
    format!("dense<{order}> : tensor<{rank}xindex>")
}
