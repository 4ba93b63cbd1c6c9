//! `softplus` where its formula would overflow, or lose all digits: in f32, with its derivative.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use graph::{Axis, DType, Graph, HostTensor};

mod support;

#[test]
fn softplus_is_precise_far_from_zero() {
    let at = [-80.0f32, -20.0, -1e-3, 0.0, 1e-3, 20.0, 1e4];
    let graph = Graph::new();
    let x = graph.input("x", DType::F32, &[Axis::new("a", at.len())]);
    let y = x.softplus();
    let slope = graph.grad(y.sum_all(), &[x])[0];
    let program = graph.lower("softplus", &[("y", y), ("slope", slope)], &[]).unwrap();
    let results = support::compile(&program).run(&[HostTensor::from_slice(&[at.len()], &at).unwrap()]);
    let [y, slope] = [0, 1].map(|i| results[i].to_f32());
    for (i, x) in at.map(f64::from).into_iter().enumerate() {
        let expected = (x.max(0.0) + (-x.abs()).exp().ln_1p(), 1.0 / (1.0 + (-x).exp()));
        for (found, expected) in [(y[i], expected.0), (slope[i], expected.1)] {
            // Some roundings in f32.
            let off = (f64::from(found) / expected - 1.0).abs();
            assert!(off < 1e-5, "at {x}: {found} instead of {expected}");
        }
    }
}
