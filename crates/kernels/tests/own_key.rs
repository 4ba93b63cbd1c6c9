//! Attention of one token that rotates and writes by itself: what rows may have in common, and what is behind the part of a head that is rotated.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use graph::DType;
use kernels::{Array, Gpu, Interpreter, Operation, PagedAttention, filled};

const TOKENS: usize = 16;

fn operation(batch: usize, head_dim: usize, rotated: usize) -> PagedAttention {
    PagedAttention {
        batch,
        positions: 1,
        kv_heads: 1,
        groups: 1,
        head_dim,
        pages: 4,
        page_tokens: TOKENS,
        seen_pages: 2,
        dtype: DType::BF16,
        held: DType::BF16,
        packed: false,
        scale: 0.125,
        window: None,
        softcap: None,
        rotates: Some(rotated),
        gpu: Gpu::Hopper,
    }
}

/// Results of rows with these pages, of which each has its token there or not, with other inputs as they are drawn and changed.
fn run(
    operation: PagedAttention,
    [table, start, count]: [&[usize]; 3],
    change: impl Fn(&mut [Array]),
) -> Result<Vec<Array>, String> {
    let operation = Operation::PagedAttention(operation);
    let mut inputs = filled(&operation.arguments(), 1);
    for (input, numbers) in inputs[3..].iter_mut().zip([table, start, count]) {
        *input = Array::new(DType::I32, numbers.iter().map(|number| *number as f64).collect());
    }
    change(&mut inputs);
    let interpreter = Interpreter::default();
    let results = operation.run(&&interpreter, &inputs).unwrap();
    interpreter.finish().map(|()| results).map_err(|fault| fault.to_string())
}

/// Texts share pages of what they begin with, and write into pages of their own. Rows that are not there write nowhere, whatever pages they name.
#[test]
fn rows_share_what_none_of_them_writes() {
    let rows = operation(2, 64, 64);
    let as_drawn = |_: &mut [Array]| {};
    run(rows, [&[1, 2, 1, 3], &[20, 17], &[1, 1]], as_drawn).unwrap();
    run(rows, [&[1, 2, 0, 0], &[31, 0], &[1, 0]], as_drawn).unwrap();
    run(rows, [&[0; 4], &[0; 2], &[0; 2]], as_drawn).unwrap();
}

/// One program would read what another one writes: two tokens of one text are two positions of a row.
#[test]
fn rows_of_one_text_are_told() {
    let fault = run(operation(2, 64, 64), [&[1, 2, 1, 2], &[4, 5], &[1, 1]], |_| {}).unwrap_err();
    assert!(fault.contains("which program [0, 0, 0] writes in place"), "{fault}");
}

/// A text without room has its token nowhere: it sees what there is, and writes nothing.
#[test]
fn nothing_is_written_behind_a_table() {
    let (rows, last) = (operation(1, 64, 64), 2 * TOKENS);
    let before = filled(&Operation::PagedAttention(rows).arguments(), 1);
    let results = run(rows, [&[1, 2], &[last], &[1]], |_| {}).unwrap();
    assert!(results[1].numbers() == before[1].numbers() && results[2].numbers() == before[2].numbers());
}

/// What is behind the rotated part of a head is copied, infinities too: a key of minus infinity weighs nothing.
#[test]
fn what_is_not_rotated_is_copied() {
    let (rows, place) = (operation(1, 80, 20), 50);
    let results = run(rows, [&[1, 2], &[17], &[1]], |inputs| {
        let positive = inputs[0].numbers().iter().map(|x| x.abs()).collect();
        inputs[0] = Array::new(DType::BF16, positive);
        let mut key = inputs[8].numbers().to_vec();
        key[place] = f64::NEG_INFINITY;
        inputs[8] = Array::new(DType::BF16, key);
    });
    let results = results.unwrap();
    assert_eq!(results[1].numbers()[(2 * TOKENS + 1) * 80 + place], f64::NEG_INFINITY);
    assert!(results[0].numbers().iter().all(|x| x.is_finite()));
}
