//! What AMD's driver tells in a device's `gpu_metrics` of what holds the clocks down.
//!
//! The file is a structure of the kernel's `kgd_pp_interface.h`, in the machine's byte order (little-endian wherever these GPUs are), with its
//! size and a format that each generation has of its own. Other formats, and other sizes of these, say nothing here:
//!
//! | format | GPUs | tells |
//! |---|---|---|
//! | 1.3 | MI250 | which limits hold now |
//! | 1.6, 1.7, 1.8, 1.9 | MI300X, by the driver's version | for how long each limit has held since the driver was loaded |
//!
//! MI300X of drivers with format 1.4 or 1.5 tell nothing of the kind.

use crate::Throttling;

/// A limit counts for a reading if it held for this part of the time since the reading before.
const RESIDENCY_MIN: f64 = 0.1;

/// What a file says of limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Limits {
    /// Those that hold.
    Now(Throttling),
    /// How long they have held.
    Residencies(Residencies),
}

/// Counts of the power firmware's rounds, about a thousand a second, since the driver was loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Residencies {
    rounds: u64,
    /// Rounds in which each of [`RESIDENCIES`] held.
    held: [u64; RESIDENCIES.len()],
}

/// The limits that are counted, in the order in which all formats have them: a signal from outside (PROCHOT), package power, and the
/// temperatures of socket, voltage regulators and memory.
const RESIDENCIES: [Throttling; 5] = {
    let none = Throttling { power: false, temperature: false, current: false, hardware: false };
    let hot = Throttling { temperature: true, ..none };
    [Throttling { hardware: true, ..none }, Throttling { power: true, ..none }, hot, hot, hot]
};

impl Residencies {
    /// The limits that held between two readings, if time has passed and nothing was reset.
    pub(crate) fn since(self, before: Residencies) -> Option<Throttling> {
        let rounds = self.rounds.checked_sub(before.rounds).filter(|rounds| *rounds > 0)?;
        let mut throttling = Throttling::default();
        for ((limit, held), held_before) in RESIDENCIES.into_iter().zip(self.held).zip(before.held) {
            let part = held.checked_sub(held_before)? as f64 / rounds as f64;
            // Some firmware gives the rounds themselves for limits that it does not count.
            let is_counted = held != self.rounds;
            if is_counted && part >= RESIDENCY_MIN {
                throttling = throttling.or(limit);
            }
        }
        Some(throttling)
    }
}

/// Reads the file's content; `None` for a format that is not known.
pub(crate) fn limits(bytes: &[u8]) -> Option<Limits> {
    let size = u16::from_le_bytes(array(bytes, 0)?);
    let [format, content] = array(bytes, 2)?;
    match (format, content, size) {
        (1, 3, 120) => {
            let status = u64::from_le_bytes(array(bytes, 112)?);
            // All bits are set where the driver has nothing to tell.
            (status != u64::MAX).then(|| Limits::Now(of_status(status)))
        }
        // The first drivers with 1.6 had other fields before these, and another size.
        (1, 6, 1664) => residencies_at(bytes, 32),
        (1, 7, 2208) | (1, 8, 3360) => residencies_at(bytes, 40),
        (1, 9, _) => residencies_of_attributes(bytes),
        _ => None,
    }
}

/// The bits of `indep_throttle_status`, which are the same for all GPUs (`SMU_THROTTLER_…_BIT` in the kernel's `amdgpu_smu.h`).
fn of_status(status: u64) -> Throttling {
    let any = |first: u32, last: u32| status >> first & ((1 << (last - first + 1)) - 1) != 0;
    Throttling {
        power: any(0, 7),
        current: any(16, 23),
        temperature: any(32, 45),
        // Signals of other chips, and what protects the package's own.
        hardware: any(46, 47) || any(56, 57),
    }
}

/// The counter of rounds and those of the limits, one behind the other.
fn residencies_at(bytes: &[u8], offset: usize) -> Option<Limits> {
    let count = |index: usize| Some(u64::from(u32::from_le_bytes(array(bytes, offset + 4 * index)?)));
    let mut held = [0; RESIDENCIES.len()];
    for (index, held) in held.iter_mut().enumerate() {
        *held = count(index + 1)?;
    }
    Some(Limits::Residencies(Residencies { rounds: count(0)?, held }))
}

/// The number of `ACCUMULATION_COUNTER` in `enum amdgpu_metrics_attr_id`; the limits follow it.
const ROUNDS_ID: u64 = 9;

/// Format 1.9 is a list: a number of attributes, and for each a word that says its id, type and number of values, and the values, without gaps.
fn residencies_of_attributes(bytes: &[u8]) -> Option<Limits> {
    let mut counts = [None; 1 + RESIDENCIES.len()];
    let attributes = u32::from_le_bytes(array(bytes, 4)?);
    let mut at = 8;
    for _ in 0..attributes {
        let word = u64::from_le_bytes(array(bytes, at)?);
        let [id, kind, values] = [word >> 10 & 0x3ff, word >> 20 & 0xf, word & 0x3ff];
        let bytes_each = [1, 1, 2, 2, 4, 4, 8, 8].get(kind as usize)?;
        at += 8;
        if let Some(count) = id.checked_sub(ROUNDS_ID).and_then(|index| counts.get_mut(index as usize)) {
            *count = match *bytes_each {
                4 => Some(u64::from(u32::from_le_bytes(array(bytes, at)?))),
                8 => Some(u64::from_le_bytes(array(bytes, at)?)),
                _ => None,
            };
        }
        at += bytes_each * values as usize;
    }
    let [rounds, held @ ..] = counts;
    let mut counted = [0; RESIDENCIES.len()];
    for (counted, held) in counted.iter_mut().zip(held) {
        *counted = held?;
    }
    Some(Limits::Residencies(Residencies { rounds: rounds?, held: counted }))
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A file of a format, of this size, whose other fields are all ones, as the driver leaves what it does not tell.
    fn file(format: [u8; 2], size: u16, at: usize, fields: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0xff; usize::from(size)];
        bytes[..2].copy_from_slice(&size.to_le_bytes());
        bytes[2..4].copy_from_slice(&format);
        bytes[at..at + fields.len()].copy_from_slice(fields);
        bytes
    }

    fn status(bits: &[u32]) -> Vec<u8> {
        let status: u64 = bits.iter().map(|bit| 1 << bit).sum();
        file([1, 3], 120, 112, &status.to_le_bytes())
    }

    /// A list as a driver writes it: other attributes of other widths around those that count.
    pub(crate) fn attributes(counts: [u32; 6]) -> Vec<u8> {
        let mut attributes: Vec<(u64, u64, Vec<u8>)> =
            vec![(0, 2, vec![59, 0]), (33, 2, vec![1; 16]), (7, 6, vec![7; 8])];
        for (id, count) in (ROUNDS_ID..).zip(counts) {
            attributes.push((id, 4, count.to_le_bytes().to_vec()));
        }
        attributes.push((32, 6, vec![3; 8]));
        let mut bytes = vec![0, 0, 1, 9];
        bytes.extend((attributes.len() as u32).to_le_bytes());
        for (id, kind, values) in attributes {
            let count = values.len() as u64 >> (kind / 2);
            bytes.extend((2 << 24 | kind << 20 | id << 10 | count).to_le_bytes());
            bytes.extend(values);
        }
        let size = (bytes.len() as u16).to_le_bytes();
        bytes[..2].copy_from_slice(&size);
        bytes
    }

    fn residencies(bytes: &[u8]) -> Residencies {
        match limits(bytes) {
            Some(Limits::Residencies(residencies)) => residencies,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn which_limits_hold_on_mi250() {
        let names = |bits: &[u32]| match limits(&status(bits)) {
            Some(Limits::Now(throttling)) => throttling.names().collect::<Vec<_>>().join(" "),
            other => panic!("{other:?}"),
        };
        let cases: [(&[u32], &str); 7] = [
            (&[], ""),
            (&[0], "power"),
            (&[16, 34], "temperature current"),
            (&[23], "current"),
            (&[44], "temperature"),
            (&[47], "hardware"),
            (&[1, 57, 24, 48], "power hardware"),
        ];
        for (bits, expected) in cases {
            assert_eq!(names(bits), expected, "{bits:?}");
        }
        assert_eq!(limits(&file([1, 3], 120, 112, &[0xff; 8])), None);
    }

    #[test]
    fn how_long_limits_have_held_on_mi300x() {
        let counts = [5_000_u32, 1, 2, 3, 4, 5];
        let fields = counts.map(u32::to_le_bytes).concat();
        let expected = Residencies { rounds: 5_000, held: [1, 2, 3, 4, 5] };
        for (content, size, at) in [(6, 1664, 32), (7, 2208, 40), (8, 3360, 40)] {
            assert_eq!(residencies(&file([1, content], size, at, &fields)), expected, "1.{content}");
        }
        assert_eq!(residencies(&attributes(counts)), expected);
    }

    #[test]
    fn a_limit_counts_where_it_held_for_a_tenth_of_the_time() {
        let at = |rounds, held| Residencies { rounds, held };
        let before = at(1_000, [0, 500, 7, 0, 0]);
        let names = |after: Residencies| after.since(before).map(|limits| limits.names().collect::<Vec<_>>());
        assert_eq!(names(at(2_000, [0, 1_367, 7, 99, 0])), Some(vec!["power"]));
        assert_eq!(names(at(2_000, [100, 500, 7, 100, 0])), Some(vec!["temperature", "hardware"]));
        assert_eq!(names(at(2_000, [0, 500, 7, 0, 99])), Some(vec![]));
        assert_eq!(names(before), None, "no time has passed");
        assert_eq!(names(at(900, [0, 1, 0, 0, 0])), None, "the driver was loaded again");
        // As seen on a driver of ROCm 6.3 while the device was idle: these limits are not counted at all.
        assert_eq!(names(at(2_000, [0, 2_000, 2_000, 0, 2_000])), Some(vec![]));
    }

    #[test]
    fn what_is_not_known_or_torn_says_nothing() {
        let known = file([1, 7], 2208, 40, &[0; 24]);
        for other in [[1, 4], [1, 5], [2, 3], [3, 0], [0, 0]] {
            let mut bytes = known.clone();
            bytes[2..4].copy_from_slice(&other);
            assert_eq!(limits(&bytes), None, "{other:?}");
        }
        assert_eq!(limits(&file([1, 6], 264, 32, &[0; 24])), None, "of the first drivers");
        let list = attributes([1; 6]);
        // The last attribute is none of those that count.
        for bytes in [&known[..63], &status(&[0])[..119], &list[..list.len() - 17], &list[..7], &[]] {
            assert_eq!(limits(bytes), None, "{} bytes", bytes.len());
        }
        let mut many = list.clone();
        many[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(limits(&many), None, "more attributes than there are");
    }
}
