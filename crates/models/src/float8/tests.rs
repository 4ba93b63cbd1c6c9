//! Products in 8-bit floats, and their derivatives, against the same rounding and products done on the host in f64.

use graph::{Axis, Float8, Graph, HostTensor};
use runtime::plugins::{Environment, Platform};

use super::*;

/// All numbers of an 8-bit type, by their bytes.
fn numbers(dtype: DType) -> Vec<f64> {
    let every = HostTensor::new(dtype, &[256], (0..=255).collect::<Vec<u8>>()).expect("a byte for each");
    every.to_f32().into_iter().map(f64::from).collect()
}

/// The tensor rounded to a type's numbers times a power of two, such that its largest element is at most 1.75 times `top`.
fn rounded(values: &[f64], dtype: DType, top: f64) -> Vec<f64> {
    let largest = values.iter().map(|value| value.abs()).max_by(f64::total_cmp).unwrap_or(0.0);
    if largest == 0.0 {
        return values.to_vec();
    }
    let unit = (largest / (1.75 * top)).log2().ceil().exp2();
    let table = numbers(dtype);
    let nearest = |value: f64| {
        let distance = |byte: usize| (table[byte] - value).abs();
        let finite = (0..256).filter(|byte| table[*byte].is_finite());
        // Of two that are as near, the even one.
        let best = finite.min_by(|a, b| distance(*a).total_cmp(&distance(*b)).then((a % 2).cmp(&(b % 2))));
        table[best.expect("there are numbers")]
    };
    values.iter().map(|value| nearest(value / unit) * unit).collect()
}

/// `a` (rows, inner) times `b` (inner, columns), with the sum of the terms' sizes beside each.
fn matrix(
    a: impl Fn(usize, usize) -> f64,
    b: impl Fn(usize, usize) -> f64,
    [rows, inner, columns]: [usize; 3],
) -> Vec<[f64; 2]> {
    let element = |i: usize, j: usize| {
        (0..inner).map(|k| a(i, k) * b(k, j)).fold([0.0, 0.0], |[sum, size], term| [sum + term, size + term.abs()])
    };
    (0..rows * columns).map(|at| element(at / columns, at % columns)).collect()
}

const BATCH: &str = "batch";

/// The product of `x` (rows, inputs) and `weight` (outputs, inputs), and the gradients of its sum weighted with `ct` by both.
fn run(kind: Float8, dtype: DType, [x, weight, ct]: [&[f64]; 3], [rows, inputs, outputs]: [usize; 3]) -> [Vec<f32>; 3] {
    let session = runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).expect("there is a CPU");
    let graph = Graph::new();
    let [batch, input, output] =
        [(BATCH, rows), ("input", inputs), ("output", outputs)].map(|(n, size)| Axis::new(n, size));
    let given = |name, axes: &[Axis]| graph.input(name, DType::F32, axes);
    let (x_in, w_in, ct_in) =
        (given("x", &[batch, input]), given("w", &[output, input]), given("ct", &[batch, output]));
    let y = product(kind, x_in.cast(dtype), w_in, "input").cast(DType::F32);
    let gradients = graph.grad((y * ct_in).sum_all(), &[x_in, w_in]);
    let results = [("y", y), ("dx", gradients[0]), ("dw", gradients[1])];
    let program = graph.lower("float8", &results, &[]).expect("it can be traced");
    let executable = session.compile(&program.name, &program.text, &Default::default()).expect("it compiles");
    let upload = |values: &[f64], shape: [usize; 2]| {
        let values = values.iter().map(|value| *value as f32).collect();
        session.upload(&HostTensor::from_vec(&shape, values).expect("it fills its shape")).expect("it fits")
    };
    let buffers = [upload(x, [rows, inputs]), upload(weight, [outputs, inputs]), upload(ct, [rows, outputs])];
    let found = executable.execute(&buffers.iter().collect::<Vec<_>>()).expect("it runs");
    let mut found = found.iter().map(|buffer| session.download(buffer).expect("it fits").to_f32());
    [(); 3].map(|()| found.next().expect("three results"))
}

/// Numbers that look normal, exact in f32.
fn normal(count: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / (1u64 << 24) as f64
    };
    (0..count).map(|_| f64::from((0..12).map(|_| uniform()).sum::<f64>() as f32 - 6.0)).collect()
}

fn scaled(values: &[f64], factor: f64) -> Vec<f64> {
    values.iter().map(|value| f64::from((value * factor) as f32)).collect()
}

/// Compares all three results with those of f64.
fn check(name: &str, kind: Float8, [x, weight, ct]: [&[f64]; 3], sizes: [usize; 3]) {
    let [rows, inputs, outputs] = sizes;
    let precise = if kind == Float8::Ocp { 256.0 } else { 128.0 };
    let x8 = rounded(x, kind.precise(), precise);
    let w8 = rounded(weight, kind.precise(), precise);
    let ct8 = rounded(ct, kind.wide(), 32768.0);
    let expected = [
        matrix(|i, k| x8[i * inputs + k], |k, j| w8[j * inputs + k], [rows, inputs, outputs]),
        matrix(|i, k| ct8[i * outputs + k], |k, j| w8[k * inputs + j], [rows, outputs, inputs]),
        matrix(|i, k| ct8[k * outputs + i], |k, j| x8[k * inputs + j], [outputs, rows, inputs]),
    ];
    let about = [("y", inputs, precise * precise), ("dx", outputs, precise * 32768.0), ("dw", rows, precise * 32768.0)];
    let found = run(kind, DType::F32, [x, weight, ct], sizes);
    for ((found, expected), (result, terms, tops)) in found.iter().zip(&expected).zip(about) {
        for (at, (found, [sum, size])) in found.iter().zip(expected).enumerate() {
            // Each sum in f32 rounds once for each term, by at most 2^-24 of what is added up.
            let rounding = size * terms as f64 * 2f64.powi(-24);
            // The product of two units below f32's normal numbers is 0: with it vanishes what is at most as large as that many of them.
            let vanishing = f64::from(f32::MIN_POSITIVE) * tops * 1.75f64.powi(2) * terms as f64;
            let allowed = rounding + vanishing;
            let error = (f64::from(*found) - sum).abs();
            assert!(error <= allowed, "{name} {kind}: {result}[{at}] is {found}, not {sum}");
        }
    }
}

#[test]
fn products_and_derivatives_are_those_of_the_rounded_numbers() {
    for (seed, sizes) in [[1, 1, 1], [3, 5, 7], [17, 130, 33]].into_iter().enumerate() {
        let [rows, inputs, outputs] = sizes;
        let draw = |count, more| normal(count, 16 * seed as u64 + more);
        let (x, weight, ct) = (draw(rows * inputs, 1), draw(outputs * inputs, 2), draw(rows * outputs, 3));
        let mut outlier = x.clone();
        outlier[x.len() / 2] = 30_000.0;
        for kind in [Float8::Ocp, Float8::Fnuz] {
            check("normal", kind, [&x, &scaled(&weight, 0.02), &scaled(&ct, 1e-6)], sizes);
            check("an outlier", kind, [&outlier, &weight, &ct], sizes);
            check("tiny", kind, [&scaled(&x, 1e-30), &weight, &ct], sizes);
            check("tiny gradients", kind, [&x, &weight, &scaled(&ct, 1e-30)], sizes);
            check("huge", kind, [&scaled(&x, 1e30), &weight, &scaled(&ct, 1e-10)], sizes);
            check("zeros", kind, [&vec![0.0; x.len()], &weight, &ct], sizes);
            check("no gradient", kind, [&x, &weight, &vec![0.0; ct.len()]], sizes);
            // Where the power of two changes, and just above.
            for largest in [1.75, f64::from(1.75f32.next_up()), 2.0, 1.0] {
                let mut edge = scaled(&x, 0.1);
                edge[0] = -largest;
                check("an edge", kind, [&edge, &weight, &ct], sizes);
            }
        }
    }
}

/// How far products are from those of numbers that are not rounded: 8-bit floats are off by up to 2^-4 of a number, and 2^-3 in E5M2, in the
/// mean by 2.6 and 5.2 % of it. Terms of either sign add up to the same part of a sum's own size.
#[test]
fn products_are_near_those_of_numbers_that_are_not_rounded() {
    let sizes @ [rows, inputs, outputs] = [64, 256, 48];
    let (x, weight, ct) = (normal(rows * inputs, 1), normal(outputs * inputs, 2), normal(rows * outputs, 3));
    let exact = [
        matrix(|i, k| x[i * inputs + k], |k, j| weight[j * inputs + k], [rows, inputs, outputs]),
        matrix(|i, k| ct[i * outputs + k], |k, j| weight[k * inputs + j], [rows, outputs, inputs]),
        matrix(|i, k| ct[k * outputs + i], |k, j| x[k * inputs + j], [outputs, rows, inputs]),
    ];
    for dtype in [DType::F32, DType::BF16] {
        let found = run(Float8::Ocp, dtype, [&x, &weight, &ct], sizes);
        for ((found, exact), bound) in found.iter().zip(&exact).zip([0.045, 0.070, 0.070]) {
            let squares = |values: &mut dyn Iterator<Item = f64>| values.map(|value| value * value).sum::<f64>().sqrt();
            let error = squares(&mut found.iter().zip(exact).map(|(found, [sum, _])| f64::from(*found) - sum));
            let relative = error / squares(&mut exact.iter().map(|[sum, _]| *sum));
            assert!(relative < bound, "{dtype}: {relative}");
        }
    }
}

/// Whatever is no number comes out as NaN: where a conversion makes the largest number of an infinity, too.
#[test]
fn what_is_no_number_stays_visible() {
    let sizes @ [rows, inputs, outputs] = [4, 6, 5];
    let (x, weight, ct) = (normal(rows * inputs, 1), normal(outputs * inputs, 2), normal(rows * outputs, 3));
    for kind in [Float8::Ocp, Float8::Fnuz] {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let with = |values: &[f64]| {
                let mut values = values.to_vec();
                values[3] = bad;
                values
            };
            let [y, _, dw] = run(kind, DType::F32, [&with(&x), &weight, &ct], sizes);
            assert!(y[..outputs].iter().all(|y| y.is_nan()), "{kind}, x {bad}: {y:?}");
            assert!(dw.iter().any(|dw| dw.is_nan()), "{kind}, x {bad}: {dw:?}");
            let [y, dx, _] = run(kind, DType::F32, [&x, &with(&weight), &ct], sizes);
            assert!(y.iter().any(|y| y.is_nan()) && dx.iter().any(|dx| dx.is_nan()), "{kind}, weight {bad}");
            let [_, dx, dw] = run(kind, DType::F32, [&x, &weight, &with(&ct)], sizes);
            assert!(dx.iter().any(|dx| dx.is_nan()) && dw.iter().any(|dw| dw.is_nan()), "{kind}, gradient {bad}");
        }
    }
}
