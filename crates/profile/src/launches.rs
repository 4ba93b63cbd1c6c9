//! What a recording has launched, whatever program that was of.

use std::collections::BTreeMap;
use std::fmt;

use hlo::{Event, Line, Plane, Space};
use serde::Serialize;

use crate::events::{devices, streams};

/// Launches of one kernel, or copies of one kind, of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Launched {
    /// The kernel's.
    pub name: String,
    /// How many a run has.
    pub count: f64,
    /// What all of those take together, in milliseconds. A launch that waits on the device for what its stream launched before is counted from that one's end on: no
    /// time of a stream is counted twice.
    pub ms: f64,
    /// What the plugin tells of one: registers of a thread, shared memory, grid, and what part of the device's threads can be at work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<String>,
}

impl Launched {
    /// Those of a recording of so many runs, in the order of their first: of a device, where several ran.
    pub fn of(space: &Space, runs: usize) -> Vec<Launched> {
        let ran = |plane: &&Plane| streams(plane).any(|line| !line.events.is_empty());
        let runs = runs * devices(space).filter(ran).count();
        let mut events: Vec<_> = devices(space).flat_map(streams).flat_map(in_turn).collect();
        events.sort_by_key(|(event, _)| event.start_ps);
        let mut places = BTreeMap::new();
        let mut found: Vec<Launched> = Vec::new();
        for (event, took_ps) in events {
            let place = *places.entry(&*event.name).or_insert(found.len());
            if place == found.len() {
                let details = event.text("kernel_details").map(str::to_owned);
                found.push(Launched { name: event.name.to_string(), count: 0.0, ms: 0.0, details });
            }
            found[place].count += 1.0 / runs as f64;
            found[place].ms += took_ps as f64 / 1e9 / runs as f64;
        }
        found
    }
}

/// What a stream launched, in its order, and how long each took behind all before it, in picoseconds.
fn in_turn(stream: &Line) -> Vec<(&Event, u64)> {
    let mut events: Vec<_> = stream.events.iter().collect();
    events.sort_by_key(|event| event.start_ps);
    let mut ended = 0;
    let took = events.into_iter().map(|event| {
        let (before, end) = (ended.max(event.start_ps), event.start_ps + event.duration_ps);
        ended = ended.max(end);
        (event, end.saturating_sub(before))
    });
    took.collect()
}

impl fmt::Display for Launched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Launched { name, count, ms, details } = self;
        write!(f, "  {:9.4} ms  {count:6.1} x  {name}  {}", ms, details.as_deref().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launches_of_a_name_are_one_line() {
        let event = |name: &str, start_ps, duration_ps| Event {
            name: name.into(),
            start_ps,
            duration_ps,
            stats: vec![],
            of_name: Default::default(),
        };
        let line = |name: &str, events| Line { id: 0, name: name.to_owned(), events };
        let lines = vec![
            line("XLA Ops", vec![event("all", 0, 9_000_000_000)]),
            line(
                "Stream #2",
                vec![
                    event("b", 0, 1_000_000_000),
                    event("a", 4_000_000_000, 2_000_000_000),
                    // Waits for the first for half a millisecond, and the next for all of its time but one.
                    event("b", 500_000_000, 3_500_000_000),
                    event("c", 4_500_000_000, 2_500_000_000),
                    event("within", 5_000_000_000, 1_000_000_000),
                ],
            ),
        ];
        let plane = |name: &str, lines| Plane { name: name.to_owned(), lines };
        let idle = plane("/device:GPU:2", vec![line("Stream #1", vec![])]);
        for planes in [
            vec![plane("/device:GPU:0", lines.clone())],
            vec![plane("/device:GPU:0", lines.clone()), plane("/device:GPU:1", lines), idle],
        ] {
            let found = Launched::of(&Space { planes, errors: vec![], warnings: vec![] }, 2);
            let told: Vec<_> =
                found.iter().map(|launched| (launched.name.as_str(), launched.count, launched.ms)).collect();
            assert_eq!(told, [("b", 1.0, 2.0), ("a", 0.5, 1.0), ("c", 0.5, 0.5), ("within", 0.5, 0.0)]);
        }
    }
}
