//! Which devices take part in an exchange with one another.

use std::collections::BTreeMap;

use crate::Reach;

/// Groups of devices. Of a permutation each pair is one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Groups(pub(crate) Vec<Vec<u64>>);

/// Above any machine: nothing is made of the size that a damaged message says.
const DEVICES_MAX: u64 = 1 << 20;

impl Groups {
    /// Groups of `size`, in the order of a count laid out in `sizes` and then transposed to `order`.
    pub(crate) fn permuted(size: u64, sizes: &[u64], order: &[usize]) -> Option<Groups> {
        let members = permutation(sizes, order)?;
        let is_whole = size > 0 && members.len().is_multiple_of(size as usize);
        is_whole.then(|| Groups(members.chunks(size as usize).map(<[u64]>::to_vec).collect()))
    }

    /// Groups of those devices of a mesh that differ along `axes` alone.
    pub(crate) fn along(mesh: &MeshOfDevices, axes: &[AxisPart]) -> Option<Groups> {
        // Each axis in parts, so that those of a group are whole ones.
        let (mut sizes, mut own) = (Vec::new(), vec![None; axes.len()]);
        for (axis, size) in mesh.sizes.iter().enumerate() {
            let mut left = *size;
            let mut parts: Vec<(usize, &AxisPart)> =
                axes.iter().enumerate().filter(|(_, part)| part.axis == axis).collect();
            parts.sort_by_key(|(_, part)| part.before);
            let mut before = 1;
            for (place, part) in parts {
                let size = part.size.unwrap_or(left);
                let through = (part.before / before).checked_mul(size).filter(|through| *through > 0)?;
                if !part.before.is_multiple_of(before) || !left.is_multiple_of(through) {
                    return None;
                }
                sizes.push(part.before / before);
                own[place] = Some(sizes.len());
                sizes.push(size);
                left /= through;
                before = part.before.checked_mul(size)?;
            }
            sizes.push(left);
        }
        let own = own.into_iter().collect::<Option<Vec<usize>>>()?;
        let order: Vec<usize> = (0..sizes.len()).filter(|at| !own.contains(at)).chain(own.iter().copied()).collect();
        let size = own.iter().try_fold(1_u64, |product, at| product.checked_mul(sizes[*at]))?;
        let Groups(mut groups) = Groups::permuted(size, &sizes, &order)?;
        if let Some(devices) = &mesh.devices {
            for member in groups.iter_mut().flatten() {
                *member = *devices.get(usize::try_from(*member).ok()?)?;
            }
        }
        Some(Groups(groups))
    }

    /// How many the largest has.
    pub(crate) fn members(&self) -> u64 {
        self.0.iter().map(|group| group.len() as u64).max().unwrap_or(0)
    }

    /// On which machines they stand, each with so many devices, one after the other.
    pub(crate) fn reach(&self, machine: u64) -> Reach {
        let least = |group: &Vec<u64>| {
            let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
            for member in group {
                *counts.entry(member / machine.max(1)).or_default() += 1;
            }
            counts.into_values().min().filter(|least| *least < group.len() as u64)
        };
        self.0.iter().filter_map(least).min().map_or(Reach::Machine, |least| Reach::Machines { least })
    }
}

/// A count laid out in `sizes` and then transposed to `order`.
pub(crate) fn permutation(sizes: &[u64], order: &[usize]) -> Option<Vec<u64>> {
    let count = sizes.iter().try_fold(1_u64, |count, size| count.checked_mul(*size))?;
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    if !(1..=DEVICES_MAX).contains(&count) || !sorted.into_iter().eq(0..sizes.len()) {
        return None;
    }
    let mut strides = vec![1; sizes.len()];
    for axis in (1..sizes.len()).rev() {
        strides[axis - 1] = strides[axis] * sizes[axis];
    }
    let member = |place: u64| {
        let (mut rest, mut member) = (place, 0);
        for axis in order.iter().rev() {
            member += rest % sizes[*axis] * strides[*axis];
            rest /= sizes[*axis];
        }
        member
    };
    Some((0..count).map(member).collect())
}

/// Devices in a grid.
#[derive(Clone, Debug, Default)]
pub(crate) struct MeshOfDevices {
    /// Of its axes, outermost first.
    pub(crate) sizes: Vec<u64>,
    /// Which device stands at each place; `None` where they stand in order.
    pub(crate) devices: Option<Vec<u64>>,
}

/// An axis of a mesh, or a part of one that is laid out in several: with `before` as the product of those outside of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxisPart {
    pub(crate) axis: usize,
    pub(crate) before: u64,
    /// `None` for all of it.
    pub(crate) size: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(all: &[&[u64]]) -> Option<Groups> {
        Some(Groups(all.iter().map(|group| group.to_vec()).collect()))
    }

    #[test]
    fn groups_are_those_along_axes_of_a_mesh() {
        let mesh = |sizes: &[u64]| MeshOfDevices { sizes: sizes.to_vec(), devices: None };
        let whole = |axis| AxisPart { axis, before: 1, size: None };
        let part = |axis, before, size| AxisPart { axis, before, size: Some(size) };
        let of = |axes: &[AxisPart]| Groups::along(&mesh(&[2, 4]), axes);
        assert_eq!(of(&[whole(1)]), groups(&[&[0, 1, 2, 3], &[4, 5, 6, 7]]));
        assert_eq!(of(&[whole(0)]), groups(&[&[0, 4], &[1, 5], &[2, 6], &[3, 7]]));
        assert_eq!(of(&[whole(0), whole(1)]), groups(&[&[0, 1, 2, 3, 4, 5, 6, 7]]));
        // Of the axis of 4 its outer and its inner half.
        assert_eq!(of(&[part(1, 1, 2)]), groups(&[&[0, 2], &[1, 3], &[4, 6], &[5, 7]]));
        assert_eq!(of(&[part(1, 2, 2)]), groups(&[&[0, 1], &[2, 3], &[4, 5], &[6, 7]]));
        assert_eq!(of(&[part(1, 2, 2), part(1, 1, 2)]), groups(&[&[0, 2, 1, 3], &[4, 6, 5, 7]]));
        let devices = permutation(&[2, 2], &[1, 0]);
        let turned = MeshOfDevices { sizes: vec![2, 2], devices };
        assert_eq!(Groups::along(&turned, &[whole(1)]), groups(&[&[0, 2], &[1, 3]]));
        let huge = 1 << 63;
        for none in [
            &[whole(2)][..],
            &[whole(1), whole(1)],
            &[part(1, 3, 2)],
            &[part(1, 0, 2)],
            &[part(1, 1, 0)],
            &[part(1, 2, huge)],
            &[part(0, 1, 2), part(1, huge, 2)],
        ] {
            assert_eq!(of(none), None, "{none:?}");
        }
        // Of as many devices as no number counts, and of none.
        assert_eq!(Groups::along(&mesh(&[huge, huge]), &[whole(0), whole(1)]), None);
        assert_eq!(Groups::along(&mesh(&[0]), &[part(0, 0, 2)]), None);
    }

    #[test]
    fn machines_are_told_by_the_numbers_of_their_devices() {
        let reach = |group: &[u64], machine| groups(&[group]).map(|groups| groups.reach(machine));
        assert_eq!(reach(&[0, 1, 2, 3], 4), Some(Reach::Machine));
        assert_eq!(reach(&[0, 1, 2, 3], 8), Some(Reach::Machine));
        // Neighbours by number, on two machines.
        assert_eq!(reach(&[3, 4], 4), Some(Reach::Machines { least: 1 }));
        assert_eq!(reach(&[0, 2, 4, 6], 4), Some(Reach::Machines { least: 2 }));
        assert_eq!(reach(&[0, 1, 2, 4], 4), Some(Reach::Machines { least: 1 }));
        let both = groups(&[&[0, 1], &[3, 4]]).map(|groups| groups.reach(4));
        assert_eq!(both, Some(Reach::Machines { least: 1 }));
    }
}
