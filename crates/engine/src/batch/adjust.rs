//! The program that changes some logits before a token is chosen: penalties and biases of all rows in lists of one length, run once for each list. A text's
//! penalties are as many as it has different tokens: with room for a whole vocabulary in each row, one long prompt would have all rows upload that much.

use graph::{Axis, DType, Graph, Program};

use super::choice::{Choice, LOGITS};
use crate::error::Result;

/// Logits (batch, vocab), f32, as they are changed so far.
pub(super) const ADJUSTED: &str = "adjusted";
/// Which of all rows' logits, one row behind the other, i32 (change).
pub(super) const PLACES: &str = "places";
/// What each is divided by if positive and multiplied with if not, and what is added then: f32 (part, change).
pub(super) const CHANGES: &str = "changes";

/// Lists of such lengths have programs: few changes go up in 12 KB, and of many a step of 64 texts of 500 different tokens has two lists.
const LENGTHS: [usize; 2] = [1024, 16_384];

/// A place outside of every array.
const NOWHERE: i32 = i32::MAX;

/// What a program that changes logits is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AdjustShape {
    pub(super) rows: usize,
    /// Logits that are changed at most.
    pub(super) changes: usize,
}

/// The numbers of one list: [`PLACES`] and [`CHANGES`].
pub(super) type List = (Vec<i32>, Vec<f32>);

impl AdjustShape {
    /// All there are for so many rows.
    pub(super) fn all(rows: usize, vocab_size: usize) -> impl Iterator<Item = AdjustShape> {
        let [few, many] = LENGTHS.map(|changes| AdjustShape { rows, changes });
        [few].into_iter().chain((rows * vocab_size > few.changes).then_some(many))
    }

    /// What serves these rows, and its lists: one at least.
    pub(super) fn lists(choices: &[Choice], vocab_size: usize) -> (AdjustShape, Vec<List>) {
        let rows = choices.len();
        let changed = choices.iter().enumerate().flat_map(|(row, choice)| {
            let place = move |id: u32| (row * vocab_size + id as usize) as i32;
            choice.adjusted.iter().map(move |(id, divisor, added)| (place(*id), *divisor, *added))
        });
        let changed: Vec<_> = changed.collect();
        let fits = |shape: &AdjustShape| shape.changes >= changed.len();
        let shape = AdjustShape::all(rows, vocab_size).find(fits).unwrap_or(AdjustShape { rows, changes: LENGTHS[1] });
        let list = |part: &[(i32, f32, f32)]| {
            let mut places = vec![NOWHERE; shape.changes];
            let mut changes = vec![0.0; 2 * shape.changes];
            for (at, (place, divisor, added)) in part.iter().enumerate() {
                places[at] = *place;
                (changes[at], changes[shape.changes + at]) = (*divisor, *added);
            }
            (places, changes)
        };
        // One without changes, where there are none.
        let first = changed.get(..shape.changes).unwrap_or(&changed);
        let others = changed[first.len()..].chunks(shape.changes);
        (shape, [first].into_iter().chain(others).map(list).collect())
    }
}

/// Arguments: logits as they are changed so far, places and changes. Result: the logits with these changed, in an array of their own.
pub(super) fn adjust_program(graph: &Graph, shape: AdjustShape, vocab_size: usize) -> Result<Program> {
    let (batch, vocab) = (Axis::new("batch", shape.rows), Axis::new("vocab", vocab_size));
    let change = Axis::new("change", shape.changes);
    let logits = graph.input(ADJUSTED, DType::F32, &[batch, vocab]);
    let places = graph.input(PLACES, DType::I32, &[change]);
    let changes = graph.input(CHANGES, DType::F32, &[Axis::new("part", 2), change]);
    let [divisors, added] = [0, 1].map(|part| changes.slice("part", part, 1).sum(&["part"]));
    let all = logits.merge(&["batch", "vocab"], "place");
    let old = all.take("place", places);
    let repeated = old.less(0.0).select(old * divisors, old / divisors);
    // Logits stay finite whatever the factor.
    let new = (repeated + added).maximum(f64::from(f32::MIN)).minimum(f64::from(f32::MAX));
    let adjusted = all.scatter("place", places, new).split("place", &[batch, vocab]);
    Ok(graph.lower("adjust", &[(LOGITS, adjusted)], &[])?)
}
