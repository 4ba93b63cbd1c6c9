//! How far results may be off a reference's, and how far they are.

use graph::{DType, Graph, Tensor, TensorType};

use crate::attention::Attention;
use crate::catalogue::Operation;
use crate::row_norm::NormForm;

/// How far a result is off a reference's. NaN and infinities have to stand in the same places: else it is NaN or infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// Of all of it, as a part of the norm of what is expected.
    pub whole: f64,
    /// Of the vector along its last axis that is off most, as a part of its own norm and of what is small beside it: the norm of all hides whether
    /// a part of a result is there.
    pub vector: f64,
}

impl Distance {
    /// How much further than all together, as parts of their norms, the worst vector may be off. By bf16's roundings alone, in f64 but for these,
    /// the worst of 10,000 draws of heads of 5 elements in attention, (1, 70, 2, 1, 5), is off by 3.4 times the bound in the result, by 2.5, 2.0
    /// and 3.3 times in the gradients; of 200 draws of heads of 64 elements, by 1.0. Of some twenty draws of each operation that is tried, interpreted,
    /// that of all others is off by 2.7 times (Mamba-2's scan, in f32).
    pub const VECTORS: f64 = 4.0;

    /// Of each the farthest; NaN is farther than any number.
    pub fn farthest(distances: &[Distance]) -> Distance {
        let most = |of: fn(&Distance) -> f64| {
            distances.iter().map(|distance| of(distance).abs()).max_by(f64::total_cmp).unwrap_or(0.0)
        };
        Distance { whole: most(|distance| distance.whole), vector: most(|distance| distance.vector) }
    }

    /// Whether it is no further off than `tolerance` says of a whole result. NaN is.
    pub fn is_within(&self, tolerance: f64) -> bool {
        self.whole <= tolerance && self.vector <= Distance::VECTORS * tolerance
    }
}

impl Operation {
    /// How far results may be off the reference's, as a part of the norm of each.
    pub fn tolerance(&self) -> f64 {
        match self {
            Operation::Convolution(op) | Operation::ConvolutionBackward(op) => rounding(op.dtype),
            Operation::SelectiveScan(op) | Operation::SelectiveScanBackward(op) => rounding(op.dtype),
            // Decays are powers of differences of sums of a chunk's exponents, which are up to some tens: their last bit in f32 is 4e-6. By sums in pairs,
            // as threads add them up, a draw was off by 1.2e-6 and a vector of it by 4.4e-6, one after the other by half of that.
            Operation::DualScan(op) | Operation::DualScanBackward(op) => rounding(op.dtype).max(2.5e-6),
            Operation::VectorProduct(op) => rounding(op.dtype),
            Operation::NarrowProduct(op) => rounding(op.dtype),
            Operation::PackedProduct(_) => rounding(DType::BF16),
            // Rounded before the weight and behind it, of which few elements of a short vector may be the most: by these roundings alone, in f64 but for
            // them, one of 64 elements is off by more than 4e-3 in 0.2 % of a million draws in bf16, by up to 5.6e-3.
            Operation::RowNorm(op) if op.form == NormForm::Narrow => 1.5 * rounding(op.dtype),
            Operation::RowNorm(op) => rounding(op.dtype),
            Operation::Attention(op) => rounding(op.dtype),
            // Three roundings instead of two: of the result, with which the mean of a row's cotangents is computed, of the scores' cotangents, and of the
            // gradients. Of rows of few keys the first alone is up to 4.6e-3 of the queries' gradient in bf16, all together up to 5.6e-3 (in f64 but for these
            // roundings, (1, 17, 1, 1, 64), 4000 seeds); without the first it would be 3.1e-3. FlashAttention-2 has the same.
            Operation::AttentionGradient(op) => 1.5 * rounding(op.dtype),
            // Rotated queries and keys are rounded before they meet, beside weights and results: what scores are off by, weights are off by as a part of
            // themselves. By these roundings alone, in f64 but for them, four texts of three heads of 64 elements are off by more than 6e-3 in 0.04 % of 60,000
            // draws in bf16, by up to 7.1e-3.
            Operation::PagedAttention(op) if op.rotates.is_some() => 2.0 * rounding(op.dtype),
            Operation::PagedAttention(op) => rounding(op.dtype),
            Operation::PagedWrite(op) => rounding(op.dtype),
            Operation::UnpackedPages(_) => rounding(DType::BF16),
            Operation::GroupedProduct(op) | Operation::GroupedProductBackward(op) => rounding(op.dtype),
        }
    }

    /// The same on a GPU, whose exponentials are rounded to 2^-22. Of a state that goes down slowly decays compound over many tokens, and f32 shows it:
    /// the selective scan was off by 1.1e-6 on an H200, and by exact exponentials is by up to 0.6e-6.
    pub fn tolerance_on_gpus(&self) -> f64 {
        match self {
            Operation::SelectiveScan(_) | Operation::SelectiveScanBackward(_) => self.tolerance().max(2.5e-6),
            _ => self.tolerance(),
        }
    }

    /// Of its results' types, nothing but NaN: memory that is given back with it shows what a kernel does not write.
    pub fn poison<'g>(&self, graph: &'g Graph) -> Vec<Tensor<'g>> {
        self.results().iter().map(|ty| graph.full(f64::NAN, ty.dtype, &ty.axes)).collect()
    }

    /// How far each result is off what is expected.
    pub fn distances(&self, found: &[Vec<f64>], expected: &[Vec<f64>]) -> Vec<Distance> {
        let pairs = found.iter().zip(expected).zip(self.vectors(expected));
        let of_result = pairs.map(|((found, expected), (width, floors))| Distance {
            whole: distance(found, expected, 0.0),
            vector: distance_of_vectors(found, expected, width, &floors),
        });
        of_result.collect()
    }

    /// How long vectors of each result are, and what is small beside the norm of each.
    fn vectors(&self, expected: &[Vec<f64>]) -> Vec<(usize, Vec<f64>)> {
        if let (Operation::AttentionGradient(Attention { head_dim, .. }), [dq, dk, dv]) = (self, expected) {
            // Of queries and keys what their scores' cotangents are off a mean is summed up, and may be nothing but the mean's rounding: for
            // queries of few keys, which have the greatest gradients, and for keys as much as they are weighed, which the gradients of their
            // values tell.
            let [(queries, _), (_, of_key), (values, of_value)] =
                [dq, dk, dv].map(|gradient| norms_of_vectors(gradient, *head_dim));
            let greatest = queries.iter().copied().max_by(f64::total_cmp).unwrap_or(0.0);
            let of_keys = values.iter().map(|norm| norm * of_key / of_value).collect();
            return vec![(*head_dim, vec![greatest; queries.len()]), (*head_dim, of_keys), small(dv, *head_dim)];
        }
        let vectors = |((place, result), ty): ((usize, &Vec<f64>), TensorType)| {
            let width = ty.axes.last().map_or(1, |axis| axis.size);
            match (self, place) {
                // Of widths and of rates a head has one number, and of rates a channel few: sums of terms of either sign, of a whole row or of all,
                // which may be next to nothing.
                (Operation::DualScanBackward(_), 3 | 4) | (Operation::SelectiveScanBackward(_), 2) => {
                    floored(result, width, 1.0)
                }
                _ => small(result, width),
            }
        };
        expected.iter().enumerate().zip(self.results()).map(vectors).collect()
    }
}

/// A tenth of a typical norm: a vector of few elements may be that short by chance, of sums that are rounded as others are.
fn small(result: &[f64], width: usize) -> (usize, Vec<f64>) {
    floored(result, width, 0.1)
}

/// With a part of a typical norm.
fn floored(result: &[f64], width: usize, part: f64) -> (usize, Vec<f64>) {
    let (norms, typical) = norms_of_vectors(result, width);
    (width, vec![part * typical; norms.len()])
}

/// Rounding of a result to its type, with some for what went before in f32.
fn rounding(dtype: DType) -> f64 {
    match dtype {
        DType::BF16 => 4e-3,
        DType::F16 => 5e-4,
        _ => 1e-6,
    }
}

/// The norm of what is off, and of what is expected.
fn norms(found: &[f64], expected: &[f64]) -> [f64; 2] {
    let same = |(a, b): (&f64, &f64)| a == b || (a.is_nan() && b.is_nan());
    let pairs = found.iter().zip(expected).filter(|pair| !same(*pair));
    let off: f64 = pairs.map(|(a, b)| (a - b) * (a - b)).sum();
    let norm: f64 = expected.iter().filter(|x| x.is_finite()).map(|x| x * x).sum();
    [off.sqrt(), norm.sqrt()]
}

/// How far `found` is off, as a part of the norm of what is expected and of `floor`.
fn distance(found: &[f64], expected: &[f64], floor: f64) -> f64 {
    if found.len() != expected.len() {
        return f64::NAN;
    }
    let [off, norm] = norms(found, expected);
    if off == 0.0 { 0.0 } else { off / (norm + floor) }
}

/// The norm of each vector of so many elements, and the root of the mean of their squares.
fn norms_of_vectors(numbers: &[f64], width: usize) -> (Vec<f64>, f64) {
    let norm = |numbers: &[f64]| norms(numbers, numbers)[1];
    let all: Vec<_> = numbers.chunks(width).map(norm).collect();
    let typical = norm(numbers) / (all.len() as f64).sqrt();
    (all, typical)
}

/// The most that a vector is off, as a part of its own norm and of its floor.
fn distance_of_vectors(found: &[f64], expected: &[f64], width: usize, floors: &[f64]) -> f64 {
    let pairs = found.chunks(width).zip(expected.chunks(width)).zip(floors);
    // NaN is the greatest, whatever its sign.
    let distances = pairs.map(|((found, expected), floor)| distance(found, expected, *floor).abs());
    distances.max_by(f64::total_cmp).unwrap_or(0.0)
}
