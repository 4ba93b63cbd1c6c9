//! How fast this machine's processor is, where nothing records what runs on it.

use std::time::Instant;

use graph::{Axis, DType, Graph, HostTensor, Tensor};
use planner::ProcessorRates;
use runtime::{CompileOptions, Session};

use crate::commands::bench::copied_bytes;

/// Runs of which the fastest counts: what else the machine does makes the others slower.
const RUNS: usize = 5;
/// Rows and columns of the product.
const SIZE: usize = 1024;

/// Measures a product of matrices and a sum of a large array, which takes well under a second.
///
/// # Errors
/// The device fails.
pub(super) fn measure(session: &Session) -> anyhow::Result<ProcessorRates> {
    let [rows, inner] = ["rows", "inner"].map(|name| Axis::new(name, SIZE));
    let product = fastest(session, &[rows, inner], |x| x.dot(x.rename("rows", "columns"), &["inner"]))?;
    let elements = copied_bytes(session.platform(), session.memory()?) / DType::F32.size();
    let moved = fastest(session, &[Axis::new("elements", elements)], |x| x + 1.0)?;
    Ok(ProcessorRates {
        product_flops: 2.0 * (SIZE as f64).powi(3) / product,
        // Each is read and written.
        memory_bandwidth: 2.0 * (elements * DType::F32.size()) as f64 / moved,
    })
}

/// Seconds of the fastest run of what is computed of an f32 array of ones.
fn fastest(
    session: &Session,
    axes: &[Axis],
    compute: impl for<'g> Fn(Tensor<'g>) -> Tensor<'g>,
) -> anyhow::Result<f64> {
    let graph = Graph::new();
    let program = graph.lower("rates", &[("y", compute(graph.input("x", DType::F32, axes)))], &[])?;
    let executable = session.compile(&program.name, &program.text, &CompileOptions::default())?;
    let dims: Vec<usize> = axes.iter().map(|axis| axis.size).collect();
    let x = session.upload(&HostTensor::from_vec(&dims, vec![1.0_f32; dims.iter().product()])?)?;
    let mut fastest = f64::INFINITY;
    for _ in 0..RUNS {
        let started = Instant::now();
        for result in executable.execute(&[&x])? {
            result.wait()?;
        }
        fastest = fastest.min(started.elapsed().as_secs_f64());
    }
    Ok(fastest)
}
