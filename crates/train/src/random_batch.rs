//! Batches without data, for measurements.

use crate::StepPlan;

/// A batch of a plan's shape: token ids that look random, every position of a document a target.
pub fn random_batch(plan: &StepPlan) -> data::Batch {
    let shape = plan.batch;
    let vocab = plan.model.sizes().vocab_size as u64;
    let token = |i: usize| (spread(i as u64) % vocab) as i32;
    let rows = shape.accumulation * shape.rows;
    let places = (0..rows).flat_map(|row| match shape.packed {
        true => packed_row(row, shape.positions),
        false => (0..shape.positions).map(|position| (1, position as i32)).collect(),
    });
    let (segment_ids, positions): (Vec<i32>, Vec<i32>) = places.unzip();
    data::Batch {
        rows,
        sequence_len: shape.positions,
        tokens: (0..shape.tokens()).map(token).collect(),
        targets: (0..shape.tokens()).map(|i| token(i + 1)).collect(),
        loss_mask: segment_ids.iter().map(|segment| if *segment == 0 { 0.0 } else { 1.0 }).collect(),
        positions,
        segment_ids,
    }
}

/// The document and the position in it of each token of a packed row. Documents have 64 to 831 tokens, 448 on average, but for the
/// last of a row, which is cut off; where fewer than 64 are left for it, there is padding.
fn packed_row(row: usize, length: usize) -> Vec<(i32, i32)> {
    const SHORTEST: usize = 64;
    let mut places: Vec<(i32, i32)> = Vec::with_capacity(length);
    for document in 1.. {
        let left = length - places.len();
        if left < SHORTEST {
            break;
        }
        let drawn = SHORTEST + (spread((row << 16) as u64 + document as u64) % 768) as usize;
        places.extend((0..drawn.min(left) as i32).map(|position| (document, position)));
    }
    places.resize(length, (0, 0));
    places
}

/// A number that looks random: the upper half of a linear congruential generator's step.
fn spread(number: u64) -> u64 {
    number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1) >> 33
}
