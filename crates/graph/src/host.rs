//! Tensors in host memory: what crosses between files, the host and a device.

use std::borrow::Cow;
use std::ops::Range;

use crate::{DType, float8};

/// A dense row-major tensor in host memory, borrowed (from a mapped file, say) or owned.
///
/// `bytes` is little-endian and holds exactly `shape.product() * dtype.size()` bytes; [`HostTensor::new`] checks it.
#[derive(Clone, Debug, PartialEq)]
pub struct HostTensor<'a> {
    dtype: DType,
    shape: Vec<usize>,
    bytes: Cow<'a, [u8]>,
}

/// The bytes of a [`HostTensor`] do not fill its shape.
#[derive(Debug, thiserror::Error)]
#[error("a {dtype} tensor of shape {shape:?} takes {}, but {found} were given", bytes(*expected))]
pub struct SizeMismatch {
    dtype: DType,
    shape: Vec<usize>,
    /// `None` if the product overflows.
    expected: Option<usize>,
    found: usize,
}

fn bytes(count: Option<usize>) -> String {
    count.map_or_else(|| "more bytes than can be addressed".to_owned(), |count| format!("{count} bytes"))
}

/// A Rust type that is the element of some [`DType`].
pub trait Element: bytemuck::Pod {
    /// The matching element type.
    const DTYPE: DType;
}

macro_rules! element {
    ($($rust:ty => $dtype:ident),* $(,)?) => {
        $(impl Element for $rust { const DTYPE: DType = DType::$dtype; })*
    };
}
element!(u8 => U8, u16 => U16, u32 => U32, i32 => I32, i64 => I64, half::bf16 => BF16, half::f16 => F16, f32 => F32, f64 => F64);

impl<'a> HostTensor<'a> {
    /// A tensor over `bytes`, which must fill `shape` exactly.
    pub fn new(dtype: DType, shape: &[usize], bytes: impl Into<Cow<'a, [u8]>>) -> Result<Self, SizeMismatch> {
        let bytes = bytes.into();
        let expected = shape.iter().try_fold(dtype.size(), |product, &size| product.checked_mul(size));
        if expected != Some(bytes.len()) {
            return Err(SizeMismatch { dtype, shape: shape.to_vec(), expected, found: bytes.len() });
        }
        Ok(HostTensor { dtype, shape: shape.to_vec(), bytes })
    }

    /// A tensor over a slice of values, which must fill `shape` exactly.
    pub fn from_slice<T: Element>(shape: &[usize], values: &'a [T]) -> Result<Self, SizeMismatch> {
        Self::new(T::DTYPE, shape, bytemuck::cast_slice::<T, u8>(values))
    }

    /// A tensor that owns its values, which must fill `shape` exactly.
    pub fn from_vec<T: Element>(shape: &[usize], values: Vec<T>) -> Result<HostTensor<'static>, SizeMismatch> {
        let bytes: Vec<u8> = bytemuck::cast_slice::<T, u8>(&values).to_vec();
        HostTensor::new(T::DTYPE, shape, bytes)
    }

    /// A tensor without axes.
    pub fn scalar<T: Element>(value: T) -> HostTensor<'static> {
        let bytes = bytemuck::bytes_of(&value).to_vec();
        HostTensor { dtype: T::DTYPE, shape: Vec::new(), bytes: Cow::Owned(bytes) }
    }

    /// Element type.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Sizes of the dimensions, outermost first.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The elements, little-endian, row-major.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The elements as `T`, or `None` if the dtype is another. Copies, because mapped bytes need not be aligned.
    pub fn to_vec<T: Element>(&self) -> Option<Vec<T>> {
        (self.dtype == T::DTYPE).then(|| bytemuck::allocation::pod_collect_to_vec(&self.bytes))
    }

    /// The elements widened (or, from f64 and i64, rounded) to f32, whatever the dtype.
    pub fn to_f32(&self) -> Vec<f32> {
        let bytes: &[u8] = &self.bytes;
        match self.dtype {
            DType::Bool | DType::U8 => bytes.iter().map(|&b| f32::from(b)).collect(),
            DType::U16 => {
                bytemuck::allocation::pod_collect_to_vec::<u8, u16>(bytes).into_iter().map(f32::from).collect()
            }
            DType::U32 => {
                bytemuck::allocation::pod_collect_to_vec::<u8, u32>(bytes).into_iter().map(|x| x as f32).collect()
            }
            DType::I32 => {
                bytemuck::allocation::pod_collect_to_vec::<u8, i32>(bytes).into_iter().map(|x| x as f32).collect()
            }
            DType::I64 => {
                bytemuck::allocation::pod_collect_to_vec::<u8, i64>(bytes).into_iter().map(|x| x as f32).collect()
            }
            DType::BF16 => {
                bytemuck::allocation::pod_collect_to_vec::<u8, half::bf16>(bytes).into_iter().map(f32::from).collect()
            }
            DType::F16 => {
                bytemuck::allocation::pod_collect_to_vec::<u8, half::f16>(bytes).into_iter().map(f32::from).collect()
            }
            DType::F8E4M3FN | DType::F8E5M2 | DType::F8E4M3FNUZ | DType::F8E5M2FNUZ => {
                bytes.iter().filter_map(|byte| float8::to_f32(self.dtype, *byte)).collect()
            }
            DType::F32 => bytemuck::allocation::pod_collect_to_vec(bytes),
            DType::F64 => {
                bytemuck::allocation::pod_collect_to_vec::<u8, f64>(bytes).into_iter().map(|x| x as f32).collect()
            }
        }
    }

    /// The elements of these ranges along each dimension; without a copy where they stand side by side.
    ///
    /// # Panics
    /// There is not one range for each dimension, or one goes beyond it.
    pub fn part(&self, ranges: &[Range<usize>]) -> HostTensor<'_> {
        assert_eq!(ranges.len(), self.shape.len(), "a range for each dimension");
        let shape: Vec<usize> = ranges.iter().map(Range::len).collect();
        let mut runs = self.runs(ranges);
        let bytes = match (runs.next(), runs.next()) {
            (Some(only), None) => Cow::Borrowed(&self.bytes[only]),
            _ => {
                let mut bytes = Vec::with_capacity(shape.iter().product::<usize>() * self.dtype.size());
                self.runs(ranges).for_each(|run| bytes.extend_from_slice(&self.bytes[run]));
                Cow::Owned(bytes)
            }
        };
        HostTensor { dtype: self.dtype, shape, bytes }
    }

    /// As [`HostTensor::part`], borrowed from where the tensor itself is, if it is.
    ///
    /// # Panics
    /// As [`HostTensor::part`].
    pub fn into_part(self, ranges: &[Range<usize>]) -> HostTensor<'a> {
        if ranges.iter().zip(&self.shape).all(|(range, size)| *range == (0..*size)) && ranges.len() == self.shape.len()
        {
            return self;
        }
        let mut runs = self.runs(ranges);
        if let (Cow::Borrowed(bytes), Some(only), None) = (&self.bytes, runs.next(), runs.next()) {
            let shape = ranges.iter().map(Range::len).collect();
            return HostTensor { dtype: self.dtype, shape, bytes: Cow::Borrowed(&bytes[only]) };
        }
        drop(runs);
        self.part(ranges).into_owned()
    }

    /// Writes a part, as [`HostTensor::part`] gives it, over the elements of these ranges.
    ///
    /// # Panics
    /// The part is of another type or shape, or a range goes beyond its dimension.
    pub fn set_part(&mut self, ranges: &[Range<usize>], part: &HostTensor<'_>) {
        let shape: Vec<usize> = ranges.iter().map(Range::len).collect();
        assert!(part.dtype == self.dtype && part.shape == shape, "the part is of the ranges' shape");
        let runs: Vec<Range<usize>> = self.runs(ranges).collect();
        let mut rest = &part.bytes[..];
        let bytes = self.bytes.to_mut();
        for run in runs {
            let (own, behind) = rest.split_at(run.len());
            bytes[run].copy_from_slice(own);
            rest = behind;
        }
    }

    /// The bytes of a part: ranges of them that stand side by side, in order.
    fn runs(&self, ranges: &[Range<usize>]) -> impl Iterator<Item = Range<usize>> {
        let whole = |dim: &usize| ranges[*dim] == (0..self.shape[*dim]);
        // The innermost dimension of which only a part is taken; those behind it are whole.
        let split = (0..self.shape.len()).rev().find(|dim| !whole(dim)).unwrap_or(0);
        let behind: usize = self.shape.iter().skip(split + 1).product::<usize>() * self.dtype.size();
        let (start, length) = match ranges.get(split) {
            Some(range) => (range.start * behind, range.len() * behind),
            None => (0, self.dtype.size()),
        };
        let mut strides = vec![0; split];
        let mut stride = behind * self.shape.get(split).copied().unwrap_or(1);
        for dim in (0..split).rev() {
            strides[dim] = stride;
            stride *= self.shape[dim];
        }
        let outer: Vec<Range<usize>> = ranges[..split].to_vec();
        let count: usize = outer.iter().map(Range::len).product();
        (0..count).map(move |place| {
            let mut rest = place;
            let at = outer.iter().zip(&strides).rev().fold(0, |at, (range, stride)| {
                let along = range.start + rest % range.len();
                rest /= range.len();
                at + along * stride
            });
            at + start..at + start + length
        })
    }

    /// The same tensor with its bytes owned.
    pub fn into_owned(self) -> HostTensor<'static> {
        HostTensor { dtype: self.dtype, shape: self.shape, bytes: Cow::Owned(self.bytes.into_owned()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_taken_and_put_back() {
        let values: Vec<i32> = (0..24).collect();
        let whole = HostTensor::from_slice(&[2, 3, 4], &values).unwrap();
        let cases: [([Range<usize>; 3], Vec<i32>); 4] = [
            ([0..2, 0..3, 0..4], (0..24).collect()),
            ([1..2, 0..3, 0..4], (12..24).collect()),
            ([0..2, 1..2, 0..4], vec![4, 5, 6, 7, 16, 17, 18, 19]),
            ([0..2, 1..3, 3..4], vec![7, 11, 19, 23]),
        ];
        for (ranges, expected) in cases {
            let part = whole.part(&ranges);
            assert_eq!(part.to_vec::<i32>().unwrap(), expected);
            let lent = whole.clone().into_part(&ranges);
            assert_eq!(lent, part);
            // Where its bytes stand side by side nothing is copied.
            let is_run = expected.last().unwrap() - expected[0] + 1 == expected.len() as i32;
            assert_eq!(matches!(lent.bytes, Cow::Borrowed(_)), is_run && matches!(whole.bytes, Cow::Borrowed(_)));
            let mut blank = HostTensor::from_vec(&[2, 3, 4], vec![-1i32; 24]).unwrap();
            blank.set_part(&ranges, &part);
            assert_eq!(blank.part(&ranges), part);
            let untouched = blank.to_vec::<i32>().unwrap().into_iter().filter(|value| *value == -1).count();
            assert_eq!(untouched, 24 - expected.len());
        }
        let scalar = HostTensor::scalar(7u32);
        assert_eq!(scalar.part(&[]), scalar);
    }

    #[test]
    fn bytes_that_do_not_fill_the_shape_are_refused() {
        let cases: [(&[usize], &str); 3] = [
            (&[2, 3], "a f32 tensor of shape [2, 3] takes 24 bytes, but 0 were given"),
            // The product wraps to 0, which is what was given.
            (
                &[1 << 32, 1 << 32],
                "a f32 tensor of shape [4294967296, 4294967296] takes more bytes than can be addressed, but 0 were given",
            ),
            // So does that of the elements' size.
            (
                &[1 << 62],
                "a f32 tensor of shape [4611686018427387904] takes more bytes than can be addressed, but 0 were given",
            ),
        ];
        for (shape, expected) in cases {
            let error = HostTensor::new(DType::F32, shape, Vec::new()).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
        assert!(HostTensor::new(DType::F32, &[0, usize::MAX], Vec::new()).unwrap().is_empty());
    }
}
