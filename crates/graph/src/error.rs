//! What can be wrong with a traced graph.

use crate::{Indivisible, TensorType};

/// The first mistake made while a graph was traced. Ops after it carry on with placeholder values, so that model code reads as
/// arithmetic; the error comes out when the graph is lowered.
#[derive(Clone, Debug, thiserror::Error)]
pub enum GraphError {
    /// The arguments of an op break its rule.
    #[error("{op}({}): {rule}", list(arguments))]
    Op {
        /// Name of the op.
        op: &'static str,
        /// Types of its arguments.
        arguments: Vec<TensorType>,
        /// The rule and the value that breaks it.
        rule: String,
    },
    /// Something other than an op's arguments is wrong: a parameter declared twice, a captured value where none may be.
    #[error("{what}: {rule}")]
    Trace {
        /// What was being traced.
        what: String,
        /// The rule and the value that breaks it.
        rule: String,
    },
    /// A tensor cannot lie on several devices as their partition says.
    #[error(transparent)]
    Indivisible(#[from] Indivisible),
}

fn list(types: &[TensorType]) -> String {
    types.iter().map(|ty| ty.to_string()).collect::<Vec<_>>().join(", ")
}
