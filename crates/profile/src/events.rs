//! The events of a device, each with the instruction that it is of.

use std::collections::HashSet;
use std::ops::Range;

use hlo::{Event, Line, Plane, Space};

use crate::kind::is_copy;
use crate::program::Op;
use crate::{Kind, Program};

/// Something that ran on a device.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ran<'a> {
    pub(crate) line: &'a Line,
    pub(crate) event: &'a Event,
    /// The instruction, where that is known.
    pub(crate) op: Option<&'a Op>,
    pub(crate) kind: Kind,
}

/// The planes of devices.
pub(crate) fn devices(space: &Space) -> impl Iterator<Item = &Plane> {
    space.planes.iter().filter(|plane| plane.name.starts_with("/device:"))
}

/// The lines of a device on which something ran. Others sum these up.
pub(crate) fn streams(plane: &Plane) -> impl Iterator<Item = &Line> {
    plane.lines.iter().filter(|line| line.name.starts_with("Stream"))
}

/// What ran on a device, in the order in which it began.
pub(crate) fn ran<'a>(program: &'a Program, plane: &'a Plane) -> Vec<Ran<'a>> {
    let mut events: Vec<(&Line, &Event)> =
        streams(plane).flat_map(|line| line.events.iter().map(move |event| (line, event))).collect();
    events.sort_by_key(|(_, event)| event.start_ps);
    let places = places(program, &events);
    let ran = |((line, event), place): ((&'a Line, &'a Event), Option<usize>)| {
        let op = place.map(|place| &program.ops[place]);
        let kind = match op {
            _ if is_copy(&event.name) => Kind::Copies,
            Some(op) => op.kind,
            None => Kind::of_kernel(&event.name),
        };
        Ran { line, event, op, kind }
    };
    events.into_iter().zip(places).map(ran).collect()
}

/// How far from where the program is supposed to be an instruction is looked for.
const REACH: usize = 12;

/// The instruction of each event.
///
/// Most kernels run in graphs that CUDA launches as one, and then say of which graph they are but not of which instruction. Their own names tell
/// for what they were made; yet one kernel serves all instructions that compute the same, and libraries' kernels have names of their own. So the
/// program is followed: what runs next is most often what stands next.
fn places(program: &Program, events: &[(&Line, &Event)]) -> Vec<Option<usize>> {
    let own = events.iter().filter_map(|(_, event)| program.made_for(event));
    let follower = Follower { program, with_kernels: own.map(|op| op.computes).collect() };
    let mut at = None;
    let place = |(_, event): &(&Line, &Event)| {
        if !program.may_have(event) {
            return None;
        }
        if let Some(said) = program.said_by(event) {
            // Exchanges run beside the rest.
            if program.ops[said].kind != Kind::Collectives {
                at = Some(said);
            }
            return Some(said);
        }
        event.text("hlo_op")?;
        let found = follower.follow(at, event);
        at = found.or(at);
        found
    };
    events.iter().map(place).collect()
}

/// Where a program is, by what it runs.
struct Follower<'a> {
    program: &'a Program,
    /// What is computed by kernels of their own somewhere in the recording: that is not done by copying memory elsewhere.
    with_kernels: HashSet<u64>,
}

impl Follower<'_> {
    /// The instruction of an event in a program that was at `at` before.
    fn follow(&self, at: Option<usize>, event: &Event) -> Option<usize> {
        let ops = &self.program.ops;
        let ahead = ahead(self.program, at);
        if is_copy(&event.name) {
            // Not every copy of a program is one on the device, nor is what counts the rounds of a loop. But what has kernels elsewhere has.
            let surely_runs = |op: &Op| op.is_library || self.with_kernels.contains(&op.computes);
            let copies =
                ahead.into_iter().take_while(|place| ops[*place].kind == Kind::Copies || !surely_runs(&ops[*place]));
            return copies.into_iter().find(|place| ops[*place].kind == Kind::Copies && !surely_runs(&ops[*place]));
        }
        let made_for = self.program.made_for(event);
        let fits = |place: &usize| match made_for {
            Some(made_for) => made_for.computes == ops[*place].computes,
            None => ops[*place].is_library && ops[*place].kind.may_be(Kind::of_kernel(&event.name)),
        };
        let mut passed = 0;
        let is_near = |place: &usize| {
            passed += usize::from(ops[*place].kind != Kind::Copies);
            passed <= REACH
        };
        let next = ahead.iter().copied().take_while(is_near).find(fits);
        // A library may take several kernels for one instruction.
        let again = || at.filter(|at| made_for.is_none() && ops[*at].is_library);
        let behind = || (at?.saturating_sub(REACH)..at?).rev().find(fits);
        next.or_else(again).or_else(behind)
    }
}

/// The instructions that may run after the one at `at`, the likeliest first.
fn ahead(program: &Program, at: Option<usize>) -> Vec<usize> {
    let Some(at) = at else { return (0..program.ops.len()).collect() };
    // More than are looked at, as copies do not count.
    let within = |range: Range<usize>| range.take(8 * REACH);
    let (mut ahead, mut from): (Vec<usize>, _) = (Vec::new(), at + 1);
    for range in program.loops.iter().filter(|range| range.contains(&at)) {
        // To the end of the loop, then from its beginning, then what is behind it.
        ahead.extend(within(from..range.end).chain(within(range.start..at + 1)));
        from = range.end;
    }
    ahead
}
