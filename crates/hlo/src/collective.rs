//! What devices send to each other.

use crate::Instruction;

/// A kind of exchange between devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Each device ends with what all hold.
    AllGather,
    /// Each ends with the sum of what all hold.
    AllReduce,
    /// Each ends with its part of that sum.
    ReduceScatter,
    /// Each sends every other a part.
    AllToAll,
    /// Each sends what it holds to one other.
    Permute,
}

/// An exchange between devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collective {
    /// Which.
    pub kind: Kind,
    /// Bytes of the whole of what a group exchanges: of the array that is gathered or summed, before or after it is in parts.
    pub bytes: u64,
    /// The devices that take part with one another.
    pub members: u64,
    /// How far apart the numbers of the first and the last device of a group are, at the most.
    pub span: u64,
}

/// Which devices take part with one another.
#[derive(Clone, Debug, Default)]
pub(crate) struct Groups(pub(crate) Vec<Vec<u64>>);

impl Groups {
    /// Groups of `size`, in the order of a count laid out in `sizes` and then transposed to `order`.
    pub(crate) fn permuted(size: u64, sizes: &[u64], order: &[usize]) -> Option<Groups> {
        // Above any machine: nothing is made of the size that a damaged message says.
        const DEVICES_MAX: u64 = 1 << 20;
        let count = sizes.iter().try_fold(1_u64, |count, size| count.checked_mul(*size)).filter(|count| *count > 0)?;
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        if size == 0 || count > DEVICES_MAX || !count.is_multiple_of(size) || !sorted.into_iter().eq(0..sizes.len()) {
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
        let groups = (0..count / size).map(|group| (0..size).map(|at| member(group * size + at)).collect());
        Some(Groups(groups.collect()))
    }

    /// The largest group's size, and the largest distance within one.
    fn extent(&self) -> (u64, u64) {
        let Groups(groups) = self;
        let span =
            |group: &Vec<u64>| group.iter().max().zip(group.iter().min()).map_or(0, |(last, first)| last - first);
        (groups.iter().map(|group| group.len() as u64).max().unwrap_or(0), groups.iter().map(span).max().unwrap_or(0))
    }
}

impl Collective {
    /// The exchange that an instruction begins or makes, in a program over so many devices; `None` where it makes none. Of one that is begun and
    /// ended by two instructions the first counts.
    pub fn of(instruction: &Instruction, devices: u64) -> Option<Collective> {
        let opcode = instruction.opcode.strip_suffix("-start").unwrap_or(&instruction.opcode);
        let kind = match opcode {
            "all-gather" => Kind::AllGather,
            "all-reduce" => Kind::AllReduce,
            "reduce-scatter" => Kind::ReduceScatter,
            "all-to-all" | "ragged-all-to-all" => Kind::AllToAll,
            "collective-permute" => Kind::Permute,
            _ => return None,
        };
        let (members, span) = match (&instruction.groups, kind) {
            (Some(groups), _) => groups.extent(),
            // Its pairs are not read; each device has one other.
            (None, Kind::Permute) => (2, devices - 1),
            (None, _) => (devices, devices - 1),
        };
        let is_started = opcode != instruction.opcode;
        let result = match (kind, &instruction.shape) {
            // The operands and the results, and more that is no data.
            (Kind::AllGather | Kind::Permute, crate::Shape::Tuple(parts)) if is_started => {
                parts.get(1).map_or(0, crate::Shape::bytes)
            }
            (_, shape) => shape.bytes(),
        };
        let bytes = if kind == Kind::ReduceScatter { result.saturating_mul(members) } else { result };
        Some(Collective { kind, bytes, members, span })
    }

    /// Bytes that each device sends where neighbours in a ring pass on what they have (Thakur et al. 2005), which is the least for each of
    /// them.
    pub fn sent(&self) -> f64 {
        let others = self.members.saturating_sub(1) as f64 / self.members.max(1) as f64;
        self.bytes as f64
            * match self.kind {
                Kind::AllGather | Kind::ReduceScatter | Kind::AllToAll => others,
                Kind::AllReduce => 2.0 * others,
                Kind::Permute => 1.0,
            }
    }
}

impl Kind {
    /// All kinds, in the order in which they are listed.
    pub const ALL: [Kind; 5] = [Kind::AllGather, Kind::ReduceScatter, Kind::AllReduce, Kind::AllToAll, Kind::Permute];

    /// HLO's name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::AllGather => "all-gather",
            Kind::AllReduce => "all-reduce",
            Kind::ReduceScatter => "reduce-scatter",
            Kind::AllToAll => "all-to-all",
            Kind::Permute => "collective-permute",
        }
    }
}
