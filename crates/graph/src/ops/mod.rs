//! The closed set of ops. Each family is one file that holds, side by side, an op's constructor, its result type, its derivative
//! and its StableHLO text.

mod attributes;
mod call;
mod dot;
mod elementwise;
mod index;
mod reduce;
mod shape;
mod sort;
mod source;

pub(crate) use attributes::scalar as literal;
pub use call::{CustomCall, Layout};
pub(crate) use dot::Dot;
pub(crate) use elementwise::Elementwise;
pub use elementwise::TensorOrNumber;
pub(crate) use index::Index;
pub(crate) use reduce::Reduce;
pub(crate) use shape::Shape;
pub(crate) use sort::Argsort;
pub(crate) use source::Source;

use crate::autodiff::VjpCx;
use crate::custom_vjp::CustomVjp;
use crate::lower::Emitter;
use crate::per_shard::PerShard;
use crate::scan::Scan;
use crate::{Axis, Tensor, TensorType};

/// An operation. Every family implements the same three rules; a missing one does not compile.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Source(Source),
    Elementwise(Elementwise),
    Shape(Shape),
    Reduce(Reduce),
    Dot(Dot),
    Index(Index),
    Argsort(Argsort),
    CustomCall(Box<CustomCall>),
    CustomVjp(Box<CustomVjp>),
    PerShard(Box<PerShard>),
    Scan(Box<Scan>),
}

impl Op {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Op::Source(op) => op.name(),
            Op::Elementwise(op) => op.name(),
            Op::Shape(op) => op.name(),
            Op::Reduce(op) => op.name(),
            Op::Dot(_) => "dot",
            Op::Index(op) => op.name(),
            Op::Argsort(_) => "argsort",
            Op::CustomCall(_) => "custom_call",
            Op::CustomVjp(_) => "custom_vjp",
            Op::PerShard(_) => "per_shard",
            Op::Scan(_) => "scan",
        }
    }

    /// The type of the only result, or the rule that the arguments break.
    pub(crate) fn infer(&self, args: &[&TensorType]) -> Result<TensorType, String> {
        match self {
            Op::Source(op) => op.infer(),
            Op::Elementwise(op) => op.infer(args),
            Op::Shape(op) => op.infer(args),
            Op::Reduce(op) => op.infer(args[0]),
            Op::Dot(op) => op.infer(args[0], args[1]),
            Op::Index(op) => op.infer(args),
            Op::Argsort(op) => op.infer(args[0]),
            Op::CustomCall(_) | Op::CustomVjp(_) | Op::PerShard(_) | Op::Scan(_) => Err("has several results".into()),
        }
    }

    /// The cotangent of input `i`, given that of the only result. Called only for inputs that need one.
    pub(crate) fn vjp<'g>(&self, i: usize, cx: &mut VjpCx<'_, 'g>, ct: Tensor<'g>) -> Option<Tensor<'g>> {
        match self {
            Op::Source(_) => None,
            Op::Elementwise(op) => op.vjp(i, cx, ct),
            Op::Shape(op) => op.vjp(i, cx, ct),
            Op::Reduce(op) => Some(op.vjp(cx, ct)),
            Op::Dot(op) => Some(op.vjp(i, cx, ct)),
            Op::Index(op) => op.vjp(i, cx, ct),
            Op::Argsort(_) | Op::CustomCall(_) | Op::CustomVjp(_) | Op::PerShard(_) | Op::Scan(_) => None,
        }
    }

    /// Emits the op and gives the name of its only result.
    pub(crate) fn lower(&self, e: &mut Emitter<'_>, args: &[Operand<'_>], result: &TensorType) -> String {
        match self {
            Op::Source(op) => op.lower(e, result),
            Op::Elementwise(op) => op.lower(e, args, result),
            Op::Shape(op) => op.lower(e, args, result),
            Op::Reduce(op) => op.lower(e, &args[0], result),
            Op::Dot(op) => op.lower(e, args, result),
            Op::Index(op) => op.lower(e, args, result),
            Op::Argsort(op) => op.lower(e, &args[0], result),
            Op::CustomCall(_) | Op::CustomVjp(_) | Op::PerShard(_) | Op::Scan(_) => String::new(),
        }
    }

    /// The axes that the op treats otherwise than as so many separate cases: along any other it acts on each element by itself, and an
    /// argument that lacks the axis is the same for all.
    pub(crate) fn acts_along(&self) -> Vec<&'static str> {
        match self {
            Op::Source(op) => op.acts_along(),
            Op::Elementwise(_) => Vec::new(),
            Op::Shape(op) => op.acts_along(),
            Op::Reduce(op) => op.axes().to_vec(),
            Op::Dot(op) => op.acts_along(),
            Op::Index(op) => op.acts_along(),
            Op::Argsort(op) => op.acts_along(),
            Op::CustomCall(_) | Op::CustomVjp(_) | Op::PerShard(_) | Op::Scan(_) => Vec::new(),
        }
    }

    /// The op for arguments without `axes`, along which it does not act.
    pub(crate) fn without_axes(&self, axes: &[Axis]) -> Op {
        match self {
            Op::Shape(op) => Op::Shape(op.without_axes(axes)),
            op => op.clone(),
        }
    }

    /// Whether it is one of the ops where values meet whose layout on several devices is decided, not found: weights are gathered for them, and
    /// gradients scattered.
    pub(crate) fn meets_weights(&self) -> bool {
        match self {
            Op::Dot(_) => true,
            Op::Index(op) => op.meets_weights(),
            // They compute as their operands lie: the optimizer's updates must not gather anything.
            Op::Source(_) | Op::Elementwise(_) | Op::Shape(_) | Op::Reduce(_) | Op::Argsort(_) => false,
            // A kernel stands in a manual region, which says how its inputs and results lie. The others hold ops that answer for themselves.
            Op::CustomCall(_) | Op::PerShard(_) | Op::CustomVjp(_) | Op::Scan(_) => false,
        }
    }

    /// Whether recomputing the op costs next to nothing, so that no policy keeps its result for the backward pass.
    pub(crate) fn is_free(&self) -> bool {
        match self {
            Op::Source(_) | Op::Shape(_) => true,
            Op::Elementwise(op) => op.is_free(),
            _ => false,
        }
    }
}

/// An argument of an op in the text: its SSA name and its type.
pub(crate) struct Operand<'a> {
    pub(crate) name: &'a str,
    pub(crate) ty: &'a TensorType,
}
