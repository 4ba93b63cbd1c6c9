//! Grouped products against sums over all rows, however blocks are shared out among experts.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use graph::DType;
use kernels::{Array, Gpu, GroupedProduct, Interpreter};

const OP: GroupedProduct = GroupedProduct {
    experts: 4,
    blocks: 5,
    rows: 3,
    inputs: 5,
    outputs: 2,
    dtype: DType::F32,
    gradient: DType::F32,
    gpu: Gpu::Hopper,
};

/// Small whole numbers, whose products and sums are exact.
fn numbers(count: usize, seed: usize) -> Vec<f64> {
    (0..count).map(|i| ((i * 7919 + seed * 104_729) % 13) as f64 - 6.0).collect()
}

/// The results, the gradients of rows and those of weights, by the kernels.
fn found(owners: &[f64], x: &[f64], weight: &[f64], ct: &[f64]) -> [Vec<f64>; 3] {
    let interpreter = Interpreter::default();
    let road = &&interpreter;
    let [x, weight, ct] = [x, weight, ct].map(|numbers| Array::new(DType::F32, numbers.to_vec()));
    let owners = Array::new(DType::I32, owners.to_vec());
    let results = [
        OP.forward(road, [&x, &weight, &owners]).unwrap(),
        OP.of_rows(road, [&ct, &weight, &owners]).unwrap(),
        OP.of_weights(road, [&ct, &x, &owners]).unwrap(),
    ];
    interpreter.finish().unwrap();
    results.map(|array| array.numbers().to_vec())
}

#[test]
fn blocks_are_shared_out_in_any_way() {
    let GroupedProduct { experts, blocks, rows, inputs, outputs, .. } = OP;
    let nobody = experts as f64;
    let cases = [
        [0.0, 0.0, 1.0, 2.0, 3.0],
        // One expert has all, and others have none.
        [2.0; 5],
        [0.0; 5],
        [3.0; 5],
        [1.0, 1.0, 3.0, nobody, nobody],
        [0.0, nobody, nobody, nobody, nobody],
        [nobody; 5],
    ];
    for owners in cases {
        let x = numbers(blocks * rows * inputs, 1);
        let weight = numbers(experts * outputs * inputs, 2);
        let ct = numbers(blocks * rows * outputs, 3);
        let mut y = vec![0.0; blocks * rows * outputs];
        let (mut dx, mut dweight) = (vec![0.0; x.len()], vec![0.0; weight.len()]);
        for row in (0..blocks * rows).filter(|row| owners[row / rows] < nobody) {
            for (output, input) in (0..outputs).flat_map(|output| (0..inputs).map(move |input| (output, input))) {
                let at = (owners[row / rows] as usize * outputs + output) * inputs + input;
                y[row * outputs + output] += x[row * inputs + input] * weight[at];
                dx[row * inputs + input] += ct[row * outputs + output] * weight[at];
                dweight[at] += ct[row * outputs + output] * x[row * inputs + input];
            }
        }
        assert_eq!(found(&owners, &x, &weight, &ct), [y, dx, dweight], "{owners:?}");
    }
}

/// What is in blocks that are nobody's takes part in nothing, even if it is no number.
#[test]
fn what_is_nobodys_is_not_read() {
    let owners = [0.0, 0.0, 2.0, 4.0, 4.0];
    let [mut x, weight, mut ct] = [75, 40, 30].map(|count| numbers(count, 5));
    let expected = found(&owners, &x, &weight, &ct);
    x[3 * 15..].fill(f64::NAN);
    ct[3 * 6..].fill(f64::INFINITY);
    assert_eq!(found(&owners, &x, &weight, &ct), expected);
}

#[test]
fn what_there_are_no_kernels_for_is_refused() {
    assert_eq!(OP.check(), Ok(()));
    let refused = |op: GroupedProduct| op.check().unwrap_err().to_string();
    let start = "the kernel `grouped_product` cannot be built: size: ";
    assert_eq!(
        refused(GroupedProduct { dtype: DType::F64, ..OP }),
        format!(
            "{start}(5, 3, 5) to 2 of 4 experts, f64, gradient f32, tiles for Hopper: rows and gradients are bf16, f16 or f32 and \
                 not f64 and f32"
        )
    );
    for wrong in [
        GroupedProduct { blocks: 0, ..OP },
        GroupedProduct { inputs: 1 << 23, ..OP },
        GroupedProduct { blocks: 1 << 30, ..OP },
        GroupedProduct { experts: 1 << 16, ..OP },
    ] {
        assert!(refused(wrong).starts_with(start), "{wrong}");
        let road = &&Interpreter::default();
        let empty = Array::new(DType::F32, Vec::new());
        assert!(wrong.forward(road, [&empty, &empty, &empty]).is_err(), "{wrong}");
        assert!(wrong.of_weights(road, [&empty, &empty, &empty]).is_err(), "{wrong}");
    }
}
