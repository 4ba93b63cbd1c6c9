//! Random arguments, to try operations out with.

use graph::{DType, HostTensor, SizeMismatch};
use rayon::prelude::*;

use crate::{Argument, Array, Fill, float8};

/// SplitMix64 (Steele et al. 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Between 0 and 1, without both.
    fn unit(&mut self) -> f64 {
        ((self.next() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    /// Box and Muller's.
    fn normal(&mut self) -> f64 {
        (-2.0 * self.unit().ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos()
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// Numbers that are drawn one after the other: so many at a time, all such parts beside each other.
const PART: usize = 1 << 16;

/// So many numbers, as `draw` gives them.
fn drawn(count: usize, random: &mut Random, draw: impl Fn(&mut Random) -> f64 + Sync) -> Vec<f64> {
    let seed = random.next();
    let part = |(number, part): (usize, &mut [f64])| {
        let mut random = Random(seed ^ Random(number as u64).next());
        part.fill_with(|| draw(&mut random));
    };
    let mut numbers = vec![0.0; count];
    numbers.par_chunks_mut(PART).enumerate().for_each(part);
    numbers
}

/// Arrays for the arguments of an operation, the same for the same seed.
pub fn filled(arguments: &[Argument], seed: u64) -> Vec<Array> {
    let mut random = Random(seed);
    arguments.iter().map(|argument| Array::new(argument.ty.dtype, numbers(argument, &mut random))).collect()
}

fn numbers(argument: &Argument, random: &mut Random) -> Vec<f64> {
    let count = argument.ty.element_count();
    match argument.fill {
        Fill::Normal(deviation) => drawn(count, random, |random| deviation * random.normal()),
        Fill::Uniform(low, high) => drawn(count, random, |random| low + (high - low) * random.unit()),
        Fill::Documents => {
            let positions = argument.ty.axes.last().map_or(1, |axis| axis.size);
            (0..count / positions).flat_map(|_| documents(positions, random)).collect()
        }
        Fill::Whole(first, end) => (0..count).map(|_| (first + random.below(end - first)) as f64).collect(),
        Fill::Powers(low, high) => {
            let between = (high - low) as usize;
            (0..count).map(|_| f64::from(low + random.below(between) as i32).exp2()).collect()
        }
        Fill::Shuffled(end) => shuffled(count, end, random),
        Fill::Owners(experts) => owners(count, experts, random),
    }
}

/// Fisher and Yates's, as often as it takes.
fn shuffled(count: usize, end: usize, random: &mut Random) -> Vec<f64> {
    let mut numbers = Vec::new();
    while numbers.len() < count {
        let mut round: Vec<_> = (0..end).map(|number| number as f64).collect();
        (1..end).rev().for_each(|last| round.swap(last, random.below(last + 1)));
        numbers.extend(round);
    }
    numbers.truncate(count);
    numbers
}

/// The documents of a row: lengths from 1 to half of it, and padding behind the last in every second row or so.
fn documents(positions: usize, random: &mut Random) -> Vec<f64> {
    let end = if random.below(2) == 0 { positions } else { positions - random.below(positions.div_ceil(4)) };
    let (mut row, mut number) = (Vec::new(), 0.0);
    while row.len() < end {
        number += 1.0;
        let length = 1 + random.below(positions.div_ceil(2));
        row.extend(std::iter::repeat_n(number, length.min(end - row.len())));
    }
    row.resize(positions, 0.0);
    row
}

/// The owners of blocks, cut at random places into as many parts as there are experts.
fn owners(blocks: usize, experts: usize, random: &mut Random) -> Vec<f64> {
    let used = blocks - random.below(experts.min(blocks));
    let mut cuts: Vec<_> = (1..experts).map(|_| random.below(used + 1)).collect();
    cuts.sort_unstable();
    let owner = |block: usize| if block < used { cuts.partition_point(|cut| *cut <= block) } else { experts };
    (0..blocks).map(|block| owner(block) as f64).collect()
}

impl Array {
    /// The numbers in host memory, as another type.
    ///
    /// # Errors
    /// They do not fill the shape.
    pub fn to_host(&self, dtype: DType, shape: &[usize]) -> Result<HostTensor<'static>, SizeMismatch> {
        let numbers = self.numbers();
        macro_rules! tensor {
            ($convert:expr) => {
                HostTensor::from_vec(shape, numbers.par_iter().map($convert).collect())
            };
        }
        match dtype {
            DType::F64 => tensor!(|x: &f64| *x),
            DType::F32 => tensor!(|x: &f64| *x as f32),
            DType::BF16 => tensor!(|x: &f64| half::bf16::from_f64(*x)),
            DType::F16 => tensor!(|x: &f64| half::f16::from_f64(*x)),
            DType::I64 => tensor!(|x: &f64| *x as i64),
            DType::I32 => tensor!(|x: &f64| *x as i32),
            DType::U32 => tensor!(|x: &f64| *x as u32),
            DType::U16 => tensor!(|x: &f64| *x as u16),
            DType::U8 => tensor!(|x: &f64| *x as u8),
            DType::F8E4M3FN | DType::F8E5M2 | DType::F8E4M3FNUZ | DType::F8E5M2FNUZ => {
                let bytes: Vec<u8> = numbers.par_iter().map(|x| float8::bits(*x, dtype)).collect();
                HostTensor::new(dtype, shape, bytes)
            }
            DType::Bool => {
                let bytes: Vec<u8> = numbers.par_iter().map(|x| u8::from(*x != 0.0)).collect();
                HostTensor::new(dtype, shape, bytes)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use graph::{Axis, TensorType};

    use super::*;
    use crate::Operation;

    /// Pages that came twice would be read from memory once.
    #[test]
    fn texts_have_pages_of_their_own_as_far_as_there_are() {
        let drawn = |count: usize, end: usize| {
            let ty = TensorType::new(DType::I32, &[Axis::new("page", count)]);
            filled(&[Argument::new("table", ty, Fill::Shuffled(end))], 1).remove(0).numbers().to_vec()
        };
        let different = |numbers: &[f64]| numbers.iter().map(|x| *x as usize).collect::<BTreeSet<_>>();
        let some = drawn(90, 100);
        assert!(different(&some).len() == 90 && different(&some).last() < Some(&100));
        assert_ne!(some, (0..90).map(f64::from).collect::<Vec<_>>());
        let twice = drawn(10, 7);
        assert!(different(&twice[..7]).len() == 7 && different(&twice[7..]).len() == 3);
        let mut looked_at = 0;
        for operation in Operation::timed() {
            let arguments = operation.arguments();
            let Some(place) = arguments.iter().position(|argument| argument.name == "table") else { continue };
            let inputs = filled(&arguments[place..=place], 2);
            assert_eq!(different(inputs[0].numbers()).len(), arguments[place].ty.element_count(), "{operation}");
            looked_at += 1;
        }
        assert!(looked_at > 0);
    }
}
