//! 8-bit floats against ml_dtypes (`scripts/fixtures/float8.py`), and products of them against f64.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use graph::{Axis, DType, Graph, HostTensor};

mod support;

/// Each type, with the power of two that the inputs are multiplied with.
const TYPES: [(DType, i32); 4] =
    [(DType::F8E4M3FN, 8), (DType::F8E5M2, 15), (DType::F8E4M3FNUZ, 7), (DType::F8E5M2FNUZ, 15)];

/// A line of the fixture, as numbers.
fn line(name: &str) -> Vec<u32> {
    let text = include_str!("fixtures/float8.txt");
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("{name} "))).unwrap();
    line.split(' ').map(|word| u32::from_str_radix(word, 16).unwrap()).collect()
}

fn floats(name: &str) -> Vec<f32> {
    line(name).into_iter().map(f32::from_bits).collect()
}

fn bytes(name: &str) -> Vec<u8> {
    line(name).into_iter().map(|byte| byte as u8).collect()
}

/// The numbers, any NaN being the same.
fn comparable(numbers: &[f32]) -> Vec<Option<u32>> {
    numbers.iter().map(|number| (!number.is_nan()).then(|| number.to_bits())).collect()
}

/// The tensor in another type, on the device.
fn converted(values: &HostTensor<'_>, to: DType) -> HostTensor<'static> {
    let graph = Graph::new();
    let y = graph.input("x", values.dtype(), &[Axis::new("a", values.len())]).cast(to);
    let program = graph.lower("converted", &[("y", y)], &[]).unwrap();
    support::compile(&program).run(std::slice::from_ref(values)).remove(0)
}

#[test]
fn each_byte_means_what_it_means_elsewhere() {
    for (dtype, _) in TYPES {
        let expected = comparable(&floats(&format!("{dtype} values")));
        let every = HostTensor::new(dtype, &[256], (0..=255).collect::<Vec<u8>>()).unwrap();
        assert_eq!(comparable(&every.to_f32()), expected, "{dtype} on the host");
        assert_eq!(comparable(&converted(&every, DType::F32).to_f32()), expected, "{dtype} on the device");
    }
}

#[test]
fn numbers_are_rounded_as_elsewhere() {
    for (dtype, exponent) in TYPES {
        let expected = bytes(&format!("{dtype} rounded"));
        let scaled: Vec<f32> = floats("inputs").iter().map(|input| input * 2f32.powi(exponent)).collect();
        let found = converted(&HostTensor::from_slice(&[scaled.len()], &scaled).unwrap(), dtype);
        let expected = HostTensor::new(dtype, &[scaled.len()], expected).unwrap();
        assert_eq!(comparable(&found.to_f32()), comparable(&expected.to_f32()), "{dtype}");
    }
}

/// The dot of two random matrices of 8-bit floats, each over its second axis, in every pair of types of a kind, and in sizes that no tile
/// divides.
#[test]
fn products_are_those_of_the_numbers() {
    const CASES: [[usize; 3]; 3] = [[1, 1, 1], [5, 33, 7], [64, 129, 31]];
    let kinds = [[DType::F8E4M3FN, DType::F8E5M2], [DType::F8E4M3FNUZ, DType::F8E5M2FNUZ]];
    for ([rows, inner, columns], kind) in CASES.into_iter().flat_map(|case| kinds.map(|kind| (case, kind))) {
        for (a_type, b_type) in [(kind[0], kind[0]), (kind[1], kind[0]), (kind[0], kind[1])] {
            let draw = |count: usize, seed: u32, dtype| {
                // Of the bytes 0x18 to 0x57, which no type has NaN or infinities among, and of either sign.
                let byte = |i: usize| ((i as u32 * 7919 + seed * 104_729) % 1009 % 64) as u8 + 0x18;
                let sign = |i: usize| if (i + seed as usize).is_multiple_of(3) { 0x80 } else { 0 };
                HostTensor::new(dtype, &[count], (0..count).map(|i| byte(i) | sign(i)).collect::<Vec<u8>>()).unwrap()
            };
            let (a, b) = (draw(rows * inner, 1, a_type), draw(columns * inner, 2, b_type));
            let (a_values, b_values) = (a.to_f32(), b.to_f32());
            let graph = Graph::new();
            let [row, contracted, column] =
                [("row", rows), ("inner", inner), ("column", columns)].map(|(n, s)| Axis::new(n, s));
            let x = graph.input("a", a_type, &[row, contracted]);
            let y = graph.input("b", b_type, &[column, contracted]);
            let product = x.dot_as(y, &["inner"], DType::F32);
            let program = graph.lower("product", &[("product", product)], &[]).unwrap();
            let shaped = |tensor: &HostTensor<'_>, count| {
                HostTensor::new(tensor.dtype(), &[count, inner], tensor.bytes().to_vec()).unwrap()
            };
            let found = support::compile(&program).run(&[shaped(&a, rows), shaped(&b, columns)]).remove(0).to_f32();
            for (at, found) in found.iter().enumerate() {
                let (i, j) = (at / columns, at % columns);
                let terms = (0..inner).map(|k| f64::from(a_values[i * inner + k]) * f64::from(b_values[j * inner + k]));
                let (sum, size) =
                    terms.fold((0.0, 0.0), |(sum, size): (f64, f64), term| (sum + term, size + term.abs()));
                // Products of 8-bit floats are exact in f32; adding so many rounds as often, each time by 2^-24 of what is there.
                let allowed = size * inner as f64 * 2f64.powi(-24);
                let error = (f64::from(*found) - sum).abs();
                assert!(error <= allowed, "{a_type} {b_type} {rows} {inner} {columns}: {found}, not {sum}");
            }
        }
    }
}

#[test]
fn what_8_bit_floats_are_not_for_is_refused() {
    let rule = |trace: &dyn for<'g> Fn(graph::Tensor<'g>) -> graph::Tensor<'g>| {
        let graph = Graph::new();
        let x = graph.input("x", DType::F8E4M3FN, &[Axis::new("a", 4)]);
        graph.lower("refused", &[("y", trace(x))], &[]).unwrap_err().to_string()
    };
    for (name, message) in [
        ("add", rule(&|x| x + x)),
        ("exponential", rule(&|x| x.exp())),
        ("max", rule(&|x| x.max(&["a"]))),
        ("sum", rule(&|x| x.sum(&["a"]))),
    ] {
        assert!(
            message.contains(name) && message.contains("is not defined for f8e4m3fn; cast it"),
            "{name}: {message}"
        );
    }
    let narrow = rule(&|x| x.dot(x.rename("a", "b"), &[]));
    assert!(narrow.contains("ask for f32 or bf16"), "{narrow}");
    let mixed = rule(&|x| x.dot(x.cast(DType::F32), &["a"]));
    assert!(mixed.contains("f8e4m3fn and f32 are not the same floating-point type; cast one"), "{mixed}");
}

/// No cotangent is rounded to 8 bits in silence: there is none.
#[test]
fn no_derivative_goes_through_8_bits() {
    let graph = Graph::new();
    let x = graph.input("x", DType::F32, &[Axis::new("a", 4)]);
    let loss = x.cast(DType::F8E4M3FN).cast(DType::F32).sum_all();
    let gradient = graph.grad(loss, &[x])[0];
    let program = graph.lower("gradient", &[("gradient", gradient)], &[]).unwrap();
    let found = support::compile(&program).run(&[HostTensor::from_slice(&[4], &[1.0f32, 2.0, 3.0, 4.0]).unwrap()]);
    assert_eq!(found[0].to_f32(), [0.0; 4]);
}
