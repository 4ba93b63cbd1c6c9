//! Clipping by the global norm (Pascanu et al. 2013), as torch computes it.

use graph::{DType, Graph, Tensor};

/// Scales `grads` down so that their global norm is at most `largest`, if that is set; gives the norm before, too.
pub(crate) fn clip<'g>(graph: &'g Graph, grads: &[Tensor<'g>], largest: Option<f64>) -> (Vec<Tensor<'g>>, Tensor<'g>) {
    let squares = grads.iter().map(|grad| (*grad * *grad).sum_all());
    let norm = squares.reduce(|sum, square| sum + square).unwrap_or(graph.constant(0.0, DType::F32)).sqrt();
    let Some(largest) = largest else {
        return (grads.to_vec(), norm);
    };
    // The small addend is torch's.
    let scale = (graph.constant(largest, DType::F32) / (norm + 1e-6)).minimum(1.0);
    (grads.iter().map(|grad| *grad * scale).collect(), norm)
}
