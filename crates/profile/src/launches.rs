//! What a recording has launched, whatever program that was of.

use std::collections::BTreeMap;
use std::fmt;

use hlo::{Plane, Space};
use serde::Serialize;

use crate::events::{devices, streams};

/// Launches of one kernel, or copies of one kind, of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Launched {
    /// The kernel's.
    pub name: String,
    /// How many a run has.
    pub count: f64,
    /// What all of those take together, in milliseconds.
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
        let mut events: Vec<_> = devices(space).flat_map(streams).flat_map(|line| &line.events).collect();
        events.sort_by_key(|event| event.start_ps);
        let mut places = BTreeMap::new();
        let mut found: Vec<Launched> = Vec::new();
        for event in events {
            let place = *places.entry(&*event.name).or_insert(found.len());
            if place == found.len() {
                let details = event.text("kernel_details").map(str::to_owned);
                found.push(Launched { name: event.name.to_string(), count: 0.0, ms: 0.0, details });
            }
            found[place].count += 1.0 / runs as f64;
            found[place].ms += event.duration_ps as f64 / 1e9 / runs as f64;
        }
        found
    }
}

impl fmt::Display for Launched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Launched { name, count, ms, details } = self;
        write!(f, "  {:9.4} ms  {count:6.1} x  {name}  {}", ms, details.as_deref().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use hlo::{Event, Line};

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
                vec![event("b", 5, 1_000_000_000), event("a", 9, 2_000_000_000), event("b", 7, 3_000_000_000)],
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
            assert_eq!(told, [("b", 1.0, 2.0), ("a", 0.5, 1.0)]);
        }
    }
}
