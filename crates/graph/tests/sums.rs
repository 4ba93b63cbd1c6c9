//! Sums of 16-bit numbers: what adds up thousands of them must not do it in 16 bits.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use graph::{Axis, DType, Graph, HostTensor, Remat, Tensor};

mod support;

const MANY: Axis = Axis::new("many", 8192);
const FEW: Axis = Axis::new("few", 4);
const ROW: Axis = Axis::new("row", 1);

/// Factors from 0.5 to 1.5, different for each of [`MANY`], all exact in bf16 and f16.
fn factors() -> Vec<f32> {
    (0..MANY.size).map(|i| 0.5 + ((i * 37) % 129) as f32 / 128.0).collect()
}

/// A line of a program that adds up in `dtype`. XLA's CPU backend widens reductions by itself, GPUs' does not: so the text is looked at as
/// well as the numbers. Of a scatter the sum stands in a region of its own, over two numbers without axes.
fn narrow_sum(text: &str, dtype: DType) -> Option<&str> {
    let sums = |line: &&str| {
        let reduces = line.contains("applies stablehlo.add") && line.contains(&format!("x{dtype}>"));
        reduces || line.trim_start().starts_with("^bb0(") && line.contains(&format!("tensor<{dtype}>"))
    };
    text.lines().find(sums)
}

/// Both forms of a sum are seen where they are narrow, so that the tests below can fail.
#[test]
fn sums_in_16_bits_are_found_in_the_text() {
    let graph = Graph::new();
    let x = graph.input("x", DType::F32, &[MANY]);
    let table = graph.input("table", DType::F32, &[ROW, FEW]);
    let indices = graph.input("indices", DType::I32, &[MANY]);
    let rows = graph.input("rows", DType::F32, &[MANY, FEW]);
    for sum in [x.sum_all(), table.scatter_add("row", indices, rows)] {
        let text = graph.lower("sum", &[("sum", sum)], &[]).unwrap().text;
        assert!(narrow_sum(&text, DType::F32).is_some(), "{text}");
        assert_eq!(narrow_sum(&text, DType::BF16), None, "{text}");
    }
}

/// Lowers `sum of factors * x` for x over [`FEW`] in `dtype`, and compares its gradient with the sum in f64.
fn check(name: &str, dtype: DType, trace: impl for<'g> Fn(Tensor<'g>, Tensor<'g>) -> Tensor<'g>) {
    let graph = Graph::new();
    let x = graph.input("x", dtype, &[FEW]);
    let given = graph.input("factors", DType::F32, &[MANY]);
    let loss = trace(x, given.cast(dtype)).cast(DType::F32).sum_all();
    let gradient = graph.grad(loss, &[x])[0].cast(DType::F32);
    let program = graph.lower("sums", &[("gradient", gradient)], &[]).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(narrow_sum(&program.text, dtype), None, "{name} sums in {dtype}");
    let factors = factors();
    let inputs = [
        // The gradient does not depend on x.
        HostTensor::new(dtype, &[FEW.size], vec![0; FEW.size * dtype.size()]).unwrap(),
        HostTensor::from_slice(&[MANY.size], &factors).unwrap(),
    ];
    let found = support::compile(&program).run(&inputs)[0].to_f32();
    let exact: f64 = factors.iter().map(|factor| f64::from(*factor)).sum();
    // Rounded once, to 8 bits of precision.
    for value in found {
        assert!((f64::from(value) / exact - 1.0).abs() <= 1.0 / 256.0, "{name} in {dtype}: {value} and not {exact}");
    }
}

#[test]
fn gradients_of_what_is_broadcast_are_summed_in_f32() {
    for dtype in [DType::BF16, DType::F16] {
        check("broadcast", dtype, |x, factors| x * factors);
        check("sum", dtype, |x, factors| x * factors.sum(&["many"]));
        check("mean", dtype, |x, factors| x * factors.mean(&["many"]) * MANY.size as f64);
    }
}

/// One row of a table that is read thousands of times: an embedding of the commonest token.
#[test]
fn gradients_of_rows_that_are_read_often_are_summed_in_f32() {
    for dtype in [DType::BF16, DType::F16] {
        check("take", dtype, |x, factors| {
            let graph = x.graph();
            let row = graph.full(1.0, DType::I32, &[MANY]);
            let others = graph.full(0.0, x.dtype(), &[ROW, FEW]);
            let table = Tensor::concat(&[others, x.broadcast(&[ROW, FEW])], "row");
            table.take("row", row) * factors
        });
    }
}

/// What a loop's body captures gets a share of its gradient from every step.
#[test]
fn gradients_of_what_a_loop_captures_are_summed_in_f32() {
    for dtype in [DType::BF16, DType::F16] {
        check("scan", dtype, |x, factors| {
            let (_, parts) =
                x.graph().scan(MANY, &[], &[factors], Remat::full(), |step| (vec![], vec![x * step.slices[0]]));
            parts[0]
        });
    }
}

/// The cotangent of a maximum is shared by all that attain it: their number is a sum.
#[test]
fn ties_of_a_maximum_are_counted_in_f32() {
    let graph = Graph::new();
    let x = graph.input("x", DType::BF16, &[MANY]);
    let gradient = graph.grad(x.max(&["many"]), &[x])[0].cast(DType::F32);
    let program = graph.lower("ties", &[("gradient", gradient)], &[]).unwrap();
    assert_eq!(narrow_sum(&program.text, DType::BF16), None, "the ties are summed in bf16");
    let zeros = HostTensor::new(DType::BF16, &[MANY.size], vec![0; MANY.size * 2]).unwrap();
    let shares = support::compile(&program).run(&[zeros])[0].to_f32();
    assert_eq!(shares, vec![1.0 / MANY.size as f32; MANY.size]);
}
