//! Training on several devices: eight virtual ones of the CPU.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use data::Batch;
use train::{BatchShape, StepPlan, Trainer};

use crate::setup::{ALONE, Sizes, llama, mixtral, on, plan, session};

mod curves;
mod float8;
mod fully_shard;
mod kernels;
#[path = "../training/recorded.rs"]
mod recorded;
mod setup;
mod state;

fn trainer(plan: StepPlan) -> Trainer<'static> {
    Trainer::new(session(), plan, |parameters, _, array| Ok(parameters.init(array, 3)?)).unwrap()
}

/// Rows of two documents each; the last of each row ends in padding.
fn batch(shape: BatchShape, seed: usize) -> Batch {
    let (rows, positions) = (shape.accumulation * shape.rows, shape.positions);
    let count = rows * positions;
    let id = |at: usize| ((at * 7919 + seed * 104_729 + at * at * 31) % 96) as i32;
    let place = |at: usize| (at % positions, at / positions);
    let document = |at: usize| match place(at) {
        (position, row) if position < 5 + row % 7 => (1, 0, 5 + row % 7),
        (position, row) if position < positions - 2 => (2, 5 + row % 7, positions - 2),
        _ => (0, positions - 2, 0),
    };
    Batch {
        rows,
        sequence_len: positions,
        tokens: (0..count).map(id).collect(),
        targets: (0..count).map(|at| id(at + 1)).collect(),
        loss_mask: (0..count).map(|at| if place(at).0 + 1 < document(at).2 { 1.0 } else { 0.0 }).collect(),
        positions: (0..count).map(|at| (place(at).0 - document(at).1) as i32).collect(),
        segment_ids: (0..count).map(|at| document(at).0).collect(),
    }
}
