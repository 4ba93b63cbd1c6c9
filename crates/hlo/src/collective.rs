//! What devices send to each other.

use crate::Instruction;
use crate::groups::Groups;

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
    /// On which machines these stand.
    pub reach: Reach,
}

/// On which machines the devices of a group stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Those of each group on one.
    Machine,
    /// Those of a group on several, on one of which there are no more than so many.
    Machines {
        /// Of that group on that machine.
        least: u64,
    },
}

impl Collective {
    /// The exchange that an instruction begins or makes, in a program over so many devices, of which as many neighbours as `machine` says stand on
    /// one; `None` where it makes none. Of one that is begun and ended by two instructions the first counts.
    pub fn of(instruction: &Instruction, devices: u64, machine: u64) -> Option<Collective> {
        let opcode = instruction.opcode.strip_suffix("-start").unwrap_or(&instruction.opcode);
        let kind = match opcode {
            "all-gather" => Kind::AllGather,
            "all-reduce" => Kind::AllReduce,
            "reduce-scatter" => Kind::ReduceScatter,
            "all-to-all" | "ragged-all-to-all" => Kind::AllToAll,
            "collective-permute" => Kind::Permute,
            _ => return None,
        };
        let (members, reach) = match &instruction.groups {
            Some(groups) => (groups.members(), groups.reach(machine)),
            None => (devices, Groups(vec![(0..devices).collect()]).reach(machine)),
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
        Some(Collective { kind, bytes, members, reach })
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
