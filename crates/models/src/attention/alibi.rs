//! Attention with linear biases (Press et al. 2022): what a score gets for how far its key stands before its query.

use graph::{Axis, DType, HostTensor, Tensor};

/// The biases, by a slope for each query head.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Alibi {
    /// `slope * (key - query)`.
    Exact(Vec<f32>),
    /// `scale * (slope * key - slope * query)`, as transformers computes Falcon's: slopes, positions in the document and their products are
    /// rounded to bf16, whatever the model's type. Exact ones would be a nat off with 32 heads and 700 tokens.
    InBf16 { slopes: Vec<f32>, scale: f64 },
}

impl Alibi {
    /// Whether it matters where a document begins, and not only how far its tokens are apart.
    pub(super) fn is_absolute(&self) -> bool {
        matches!(self, Alibi::InBf16 { .. })
    }

    /// Of queries and keys at positions in i32, (position) and (key_position) and perhaps batch, for each of `heads`; in f32.
    pub(super) fn biases<'g>(&self, queries: Tensor<'g>, keys: Tensor<'g>, heads: [Axis; 2]) -> Tensor<'g> {
        let by_head = |slopes: &[f32]| match HostTensor::from_slice(&heads.map(|axis| axis.size), slopes) {
            Ok(table) => keys.graph().literal(&table, &heads),
            Err(_) => unreachable!("there is a slope for each query head"),
        };
        match self {
            Alibi::Exact(slopes) => (keys - queries).cast(DType::F32) * by_head(slopes),
            Alibi::InBf16 { slopes, scale } => {
                let slopes = rounded_to_bf16(by_head(slopes));
                let bias = |at: Tensor<'g>| rounded_to_bf16(slopes * rounded_to_bf16(at.cast(DType::F32)));
                // Less the query's, which changes no weight: what remains is small for near keys, which have the weights.
                (bias(keys) - bias(queries)) * *scale
            }
        }
    }
}

/// Numbers in f32 from 0 on, rounded to what bf16 can hold: to the nearest, halves to even. As bits, since XLA may leave out a conversion to
/// bf16 and back.
fn rounded_to_bf16(x: Tensor<'_>) -> Tensor<'_> {
    let bits = x.bitcast(DType::U32);
    let is_odd = bits.shift_right(16.0).and(1.0);
    (bits + is_odd + f64::from(0x7fff_u32)).and(f64::from(0xffff_0000_u32)).bitcast(DType::F32)
}

/// Slopes for each head: powers from 1 down to `2^-bias_max`. Where the heads are not as many as a power of two, each second of the next
/// one's, and then of those between.
pub(crate) fn alibi_slopes(heads: usize, bias_max: f64) -> Vec<f32> {
    let power = heads.next_power_of_two();
    let slope = |number: usize| (-bias_max * number as f64 / power as f64).exp2() as f32;
    if power == heads {
        return (1..=power).map(slope).collect();
    }
    let each_second = |first: usize| (first..=power).step_by(2).map(slope);
    each_second(2).chain(each_second(1)).take(heads).collect()
}
