//! Boxes of tensors: which elements of a tensor are meant.

use std::collections::BTreeSet;
use std::ops::Range;

use graph::DType;

use crate::safetensors_write::TensorSpec;

/// Which elements along each dimension.
pub(crate) type Ranges = Vec<Range<usize>>;

/// A box of a tensor, as one device has it. A box of all elements is the tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorPart {
    /// The whole tensor.
    pub whole: TensorSpec,
    /// Which elements along each dimension.
    pub ranges: Vec<Range<usize>>,
}

impl TensorPart {
    /// All elements of a tensor.
    pub fn of_all(whole: TensorSpec) -> TensorPart {
        TensorPart { ranges: whole.shape.iter().map(|size| 0..*size).collect(), whole }
    }

    /// How it is declared in a file: a whole tensor under its own name, a box under that and its ranges, `weight[0:8,16:32]`.
    pub(crate) fn spec(&self) -> TensorSpec {
        let TensorSpec { name, dtype, shape } = &self.whole;
        let is_whole = self.ranges.iter().zip(shape).all(|(range, size)| *range == (0..*size));
        let key = if is_whole { name.clone() } else { format!("{name}{}", described(&self.ranges)) };
        TensorSpec::new(key, *dtype, self.ranges.iter().map(Range::len).collect::<Vec<_>>())
    }

    /// The size of its elements in bytes.
    pub fn bytes(&self) -> usize {
        self.ranges.iter().map(Range::len).product::<usize>() * self.whole.dtype.size()
    }

    /// The element type.
    pub fn dtype(&self) -> DType {
        self.whole.dtype
    }
}

/// A box as it is written in names and messages.
pub(crate) fn described(ranges: &[Range<usize>]) -> String {
    let ranges: Vec<String> = ranges.iter().map(|range| format!("{}:{}", range.start, range.end)).collect();
    format!("[{}]", ranges.join(","))
}

/// Whether two boxes have no element in common.
fn are_apart(one: &[Range<usize>], other: &[Range<usize>]) -> bool {
    one.iter().zip(other).any(|(a, b)| a.start.max(b.start) >= a.end.min(b.end))
}

/// The elements that two boxes have in common; `None` if there are none.
pub(crate) fn overlap(one: &[Range<usize>], other: &[Range<usize>]) -> Option<Vec<Range<usize>>> {
    let common = |(a, b): (&Range<usize>, &Range<usize>)| a.start.max(b.start)..a.end.min(b.end);
    (!are_apart(one, other)).then(|| one.iter().zip(other).map(common).collect())
}

/// A box as seen from the first element of another that holds it.
pub(crate) fn within(inner: &[Range<usize>], outer: &[Range<usize>]) -> Vec<Range<usize>> {
    inner.iter().zip(outer).map(|(inner, outer)| inner.start - outer.start..inner.end - outer.start).collect()
}

/// Elements that are in two of the boxes. Goes along the dimension that is cut into the most pieces and compares only boxes that lie side by
/// side there: a tensor on thousands of devices has thousands of boxes.
fn find_overlap(rank: usize, boxes: &[&[Range<usize>]]) -> Option<Ranges> {
    let starts = |dim: usize| boxes.iter().map(|own| own[dim].start).collect::<BTreeSet<_>>().len();
    let Some(dim) = (0..rank).max_by_key(|dim| starts(*dim)) else {
        return (boxes.len() > 1).then(Vec::new);
    };
    let mut sorted = boxes.to_vec();
    sorted.sort_by_key(|own| own[dim].start);
    let mut beside: Vec<&[Range<usize>]> = Vec::new();
    for own in sorted {
        beside.retain(|other| other[dim].end > own[dim].start);
        if let Some(twice) = beside.iter().find_map(|other| overlap(own, other)) {
            return Some(twice);
        }
        beside.push(own);
    }
    None
}

/// Checks that each element of a tensor is in exactly one of the boxes; says which rule is broken where.
pub(crate) fn check_cover(shape: &[usize], boxes: &[&[Range<usize>]]) -> Result<(), String> {
    let count = |sizes: &[usize]| sizes.iter().try_fold(1_u64, |all, n| all.checked_mul(*n as u64));
    let total = count(shape).ok_or_else(|| format!("its shape {shape:?} overflows"))?;
    for own in boxes {
        let fits = |(range, size): (&Range<usize>, &usize)| range.start <= range.end && range.end <= *size;
        if own.len() != shape.len() || !own.iter().zip(shape).all(fits) {
            return Err(format!("its box {} does not lie within its shape {shape:?}", described(own)));
        }
    }
    if let Some(twice) = find_overlap(shape.len(), boxes) {
        return Err(format!("its elements {} are in two boxes", described(&twice)));
    }
    // No overflow: the boxes lie apart within what does not overflow.
    let covered: u64 = boxes.iter().map(|own| own.iter().map(|range| range.len() as u64).product::<u64>()).sum();
    if covered == total { Ok(()) } else { Err(format!("{} of its {total} elements are in no box", total - covered)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_element_is_in_exactly_one_box() {
        let check = |boxes: &[[Range<usize>; 2]]| {
            let boxes: Vec<&[Range<usize>]> = boxes.iter().map(|own| &own[..]).collect();
            check_cover(&[4, 6], &boxes)
        };
        assert_eq!(check(&[[0..4, 0..6]]), Ok(()));
        assert_eq!(check(&[[0..1, 0..6], [1..4, 3..6], [1..4, 0..3]]), Ok(()));
        assert_eq!(check(&[[0..2, 0..6], [2..4, 0..5]]), Err("2 of its 24 elements are in no box".to_owned()));
        assert_eq!(check(&[[0..3, 0..6], [2..4, 0..6]]), Err("its elements [2:3,0:6] are in two boxes".to_owned()));
        // As many elements as there are, and still not each one.
        assert_eq!(check(&[[0..2, 0..6], [0..2, 0..6]]), Err("its elements [0:2,0:6] are in two boxes".to_owned()));
        assert_eq!(check(&[[0..4, 1..7]]), Err("its box [0:4,1:7] does not lie within its shape [4, 6]".to_owned()));
        assert_eq!(check(&[]), Err("24 of its 24 elements are in no box".to_owned()));
    }

    /// 16,384 of them, in rows and columns: compared in pairs they are 134 million.
    #[test]
    fn one_wrong_box_of_many_is_found() {
        let side = 128;
        let mut boxes: Vec<[Range<usize>; 2]> =
            (0..side * side).map(|at| [at / side..at / side + 1, at % side..at % side + 1]).collect();
        let check = |boxes: &[[Range<usize>; 2]]| {
            let boxes: Vec<&[Range<usize>]> = boxes.iter().map(|own| &own[..]).collect();
            check_cover(&[side, side], &boxes)
        };
        assert_eq!(check(&boxes), Ok(()));
        boxes[7] = boxes[300].clone();
        assert_eq!(check(&boxes), Err("its elements [2:3,44:45] are in two boxes".to_owned()));
    }

    #[test]
    fn tensors_without_dimensions_or_elements_have_one_box_too() {
        assert_eq!(check_cover(&[], &[&[]]), Ok(()));
        assert_eq!(check_cover(&[], &[&[], &[]]), Err("its elements [] are in two boxes".to_owned()));
        assert_eq!(check_cover(&[0, 3], &[&[0..0, 0..3]]), Ok(()));
        assert!(check_cover(&[usize::MAX, 3], &[]).is_err());
    }
}
