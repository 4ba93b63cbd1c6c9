//! Where the largest elements are, on the CPU plugin.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use graph::{Axis, DType, Graph, HostTensor};

/// Along the last axis and along the first.
#[test]
fn argmax_takes_the_first_of_equals() {
    let (row, column) = (Axis::new("row", 4), Axis::new("column", 3));
    let values = [[1.0, 3.0, 2.0], [-5.0, 7.0, -5.0], [f32::NEG_INFINITY; 3], [0.0, -1.0, 9.0]];
    for dtype in [DType::F32, DType::BF16] {
        let graph = Graph::new();
        let x = graph.input("x", DType::F32, &[row, column]);
        let x_cast = x.cast(dtype);
        let by_row = x_cast.argmax("column");
        let by_column = x_cast.slice("row", 0, 3).argmax("row");
        let program = graph.lower("argmax", &[("by_row", by_row), ("by_column", by_column)], &[]).unwrap();
        let x = HostTensor::from_vec(&[4, 3], values.concat()).unwrap();
        let found = support::compile(&program).run(&[x]);
        assert_eq!(found[0].to_vec::<i32>().unwrap(), [1, 1, 0, 2], "{dtype:?}");
        assert_eq!(found[1].to_vec::<i32>().unwrap(), [0, 1, 0], "{dtype:?}");
    }
}
