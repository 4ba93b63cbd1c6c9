//! Where the smallest elements are, on the CPU plugin.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use graph::{Axis, DType, Graph, HostTensor};

/// Along the last axis and along the first.
#[test]
fn argsort_puts_the_smallest_first_and_keeps_the_order_of_equals() {
    let (row, column) = (Axis::new("row", 3), Axis::new("column", 4));
    let values = [[2.0, -1.0, 2.0, -1.0], [0.0, f32::NAN, f32::NEG_INFINITY, f32::INFINITY], [1.0, -3.0, 7.0, 7.0]];
    for dtype in [DType::F32, DType::BF16] {
        let graph = Graph::new();
        let x = graph.input("x", DType::F32, &[row, column]).cast(dtype);
        let outputs = [("by_row", x.argsort("column")), ("by_column", x.argsort("row"))];
        let program = graph.lower("argsort", &outputs, &[]).unwrap();
        let x = HostTensor::from_vec(&[3, 4], values.concat()).unwrap();
        let found = support::compile(&program).run(&[x]);
        let by_row = [[1, 3, 0, 2], [2, 0, 3, 1], [1, 0, 2, 3]].concat();
        assert_eq!(found[0].to_vec::<i32>().unwrap(), by_row, "{dtype:?}");
        let by_column = [[1, 2, 1, 0], [2, 0, 0, 2], [0, 1, 2, 1]].concat();
        assert_eq!(found[1].to_vec::<i32>().unwrap(), by_column, "{dtype:?}");
    }
}

/// 0/0 is a NaN whose sign bit is set on x86, and not on others.
#[test]
fn nan_of_either_sign_comes_last() {
    let axis = Axis::new("a", 6);
    let values = [-f32::NAN, 1.0, f32::NAN, f32::INFINITY, -f32::NAN, f32::NEG_INFINITY];
    assert!(values[0].is_sign_negative() && values[2].is_sign_positive());
    for dtype in [DType::F32, DType::BF16, DType::F16, DType::F64] {
        let graph = Graph::new();
        let x = graph.input("x", DType::F32, &[axis]);
        let outputs = [("signs", x.cast(dtype).argsort("a")), ("other_signs", (-x).cast(dtype).argsort("a"))];
        let program = graph.lower("argsort", &outputs, &[]).unwrap();
        let found = support::compile(&program).run(&[HostTensor::from_slice(&[6], &values).unwrap()]);
        assert_eq!(found[0].to_vec::<i32>().unwrap(), [5, 1, 3, 0, 2, 4], "{dtype:?}");
        assert_eq!(found[1].to_vec::<i32>().unwrap(), [3, 1, 5, 0, 2, 4], "{dtype:?}");
    }
}

#[test]
fn whole_numbers_are_sorted_in_long_rows_too() {
    let axis = Axis::new("a", 1000);
    let graph = Graph::new();
    let x = graph.input("x", DType::I32, &[axis]);
    let program = graph.lower("argsort", &[("places", x.argsort("a"))], &[]).unwrap();
    let values: Vec<i32> = (0..1000).map(|i| (i * 7919 + 13) % 101 - 50).collect();
    let found = support::compile(&program).run(&[HostTensor::from_vec(&[1000], values.clone()).unwrap()]);
    let mut expected: Vec<i32> = (0..1000).collect();
    expected.sort_by_key(|place| values[*place as usize]);
    assert_eq!(found[0].to_vec::<i32>().unwrap(), expected);
}
