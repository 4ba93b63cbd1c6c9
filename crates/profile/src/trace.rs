//! A recording as the JSON that Perfetto and Chrome's tracing open ("Trace Event Format"), with the names of the model in it.

use hlo::Space;
use serde_json::{Value, json};

use crate::Program;
use crate::events::{Ran, devices, ran, streams};
use crate::program::words;

/// The trace of what was recorded while a program ran: a process for each device, a thread for each of its streams.
pub fn trace(program: &Program, space: &Space) -> String {
    let mut lines = Vec::new();
    let all = devices(space).flat_map(streams).flat_map(|line| &line.events);
    let first = all.map(|event| event.start_ps).min().unwrap_or(0);
    for (device, plane) in devices(space).enumerate() {
        lines.push(metadata("process_name", device, None, &plane.name));
        for line in streams(plane).filter(|line| !line.events.is_empty()) {
            lines.push(metadata("thread_name", device, Some(line.id), &line.name));
        }
        lines.extend(ran(program, plane).iter().map(|ran| complete(device, ran, first)));
    }
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    // One event a line, so that such a file can be searched and compared.
    format!("{{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n{}\n]}}\n", lines.join(",\n"))
}

/// What a process or a thread is called.
fn metadata(what: &str, device: usize, stream: Option<u64>, name: &str) -> Value {
    json!({ "ph": "M", "name": what, "pid": device, "tid": stream.unwrap_or(0), "args": { "name": name } })
}

/// An event with its time and duration, in microseconds after the first of all.
fn complete(device: usize, ran: &Ran<'_>, first_ps: u64) -> Value {
    let Ran { line, event, op, kind } = ran;
    let label = op.and_then(|op| op.label.as_ref());
    let micros = |ps: u64| ps as f64 * 1e-6;
    let name = label.map_or_else(|| event.name.to_string(), |label| format!("{}: {}", words(label), label.op));
    json!({
        "ph": "X",
        "name": name,
        "cat": kind.name(),
        "pid": device,
        "tid": line.id,
        "ts": micros(event.start_ps - first_ps),
        "dur": micros(event.duration_ps),
        "args": {
            "kernel": &*event.name,
            "instruction": op.map(|op| &op.name),
            "part": label.map(|label| label.part),
        },
    })
}
