//! The time of a step, summed up.

use std::collections::BTreeMap;

use graph::Phase;
use hlo::{Plane, Space};
use serde::{Deserialize, Serialize};

use crate::events::{Ran, devices, ran};
use crate::program::words;
use crate::shares::{Span, covered, shares};
use crate::{Kind, Program};

/// What was recorded of some steps.
#[derive(Debug)]
pub struct Recording<'a> {
    /// What the profiler gave.
    pub space: &'a Space,
    /// How many steps that is.
    pub steps: u64,
    /// Seconds that they took by the host's clock.
    pub seconds: f64,
}

/// Where the time of a step goes: milliseconds of a step, as a mean over those that were recorded and over devices.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// That times of what runs are no measurement, and what they assume; absent of what was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<String>,
    /// Steps that were recorded.
    pub steps: u64,
    /// From the start of the first kernel to the end of the last, for each step.
    pub step_ms: f64,
    /// By the host's clock, from launching the first to the end of the last, for each step.
    pub host_ms: f64,
    /// By what runs. Together they are the step.
    pub kinds: Vec<KindTime>,
    /// By where in the model it runs, all layers together, the longest first. With what is idle, they are the step.
    pub parts: Vec<PartTime>,
    /// What takes longest, each in one place of the model.
    pub ops: Vec<OpTime>,
    /// What devices exchange; absent where they exchange nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collectives: Option<Collectives>,
    /// Each device by itself, where there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub devices: Vec<DeviceTime>,
    /// What the profiler says is missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// The time of a kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KindTime {
    /// What runs.
    pub kind: Kind,
    /// Of a step.
    pub ms: f64,
    /// Kernels and copies in a step.
    pub count: f64,
}

/// The time of a part of the model, all layers together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PartTime {
    /// For what it is there.
    pub part: String,
    /// In the forward pass, of a step.
    pub forward_ms: f64,
    /// Once more, for the backward pass.
    pub recomputed_ms: f64,
    /// In the backward pass.
    pub backward_ms: f64,
}

impl PartTime {
    /// Of a step, in all passes.
    pub fn ms(&self) -> f64 {
        self.forward_ms + self.recomputed_ms + self.backward_ms
    }
}

/// The time of an instruction of the program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpTime {
    /// Where in the model: a module's path, behind the pass. In a loop over layers their number is `*`.
    pub place: String,
    /// What was traced there.
    pub op: String,
    /// What it is.
    pub kind: Kind,
    /// The compiler's name of the instruction, or the kernel's.
    pub instruction: String,
    /// Of a step.
    pub ms: f64,
    /// Kernels in a step.
    pub count: f64,
}

/// What devices exchange.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Collectives {
    /// How long exchanges are under way, of a step.
    pub ms: f64,
    /// How long nothing else runs meanwhile.
    pub exposed_ms: f64,
}

/// The time of a device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeviceTime {
    /// As the profiler calls it.
    pub device: String,
    /// From the start of its first kernel to the end of its last, for each step.
    pub step_ms: f64,
    /// How long nothing runs, of a step.
    pub idle_ms: f64,
    /// Of its exchanges.
    pub exposed_ms: f64,
}

/// How many instructions are listed.
const OPS: usize = 15;

/// What stands for a part that nothing tells.
const UNKNOWN: &str = "not known";

impl Profile {
    /// Sums up what was recorded while a program ran; `None` where the recording has nothing of any device.
    pub fn of(program: &Program, recording: &Recording<'_>) -> Option<Profile> {
        let devices: Vec<(&Plane, Device)> = devices(recording.space)
            .map(|plane| (plane, Device::of(program, plane)))
            .filter(|(_, device)| device.window > 0)
            .collect();
        if devices.is_empty() || recording.steps == 0 {
            return None;
        }
        let steps = recording.steps as f64;
        // Of a step and of a device.
        let ms = |ps: u64| ps as f64 * 1e-9 / steps / devices.len() as f64;
        let total = |of: &dyn Fn(&Device) -> u64| devices.iter().map(|(_, device)| of(device)).sum::<u64>();
        let kinds = Kind::ALL.into_iter().map(|kind| {
            let own = |device: &Device| device.kinds.get(&kind).copied().unwrap_or_default();
            let count = total(&|device| own(device).1) as f64 / steps / devices.len() as f64;
            KindTime { kind, ms: ms(total(&|device| own(device).0)), count }
        });
        let exchanged = total(&|device| device.exchanged);
        let exposed = |device: &Device| device.kinds.get(&Kind::Collectives).map_or(0, |(ps, _)| *ps);
        let one = |plane: &Plane, device: &Device| DeviceTime {
            device: plane.name.clone(),
            step_ms: device.window as f64 * 1e-9 / steps,
            idle_ms: device.kinds.get(&Kind::Idle).map_or(0.0, |(ps, _)| *ps as f64 * 1e-9 / steps),
            exposed_ms: exposed(device) as f64 * 1e-9 / steps,
        };
        Some(Profile {
            estimate: None,
            steps: recording.steps,
            step_ms: ms(total(&|device| device.window)),
            host_ms: recording.seconds * 1e3 / steps,
            kinds: kinds.filter(|kind| kind.ms > 0.0).collect(),
            parts: parts(&devices, ms),
            ops: ops(&devices, ms, steps),
            collectives: (exchanged > 0).then(|| Collectives { ms: ms(exchanged), exposed_ms: ms(total(&exposed)) }),
            devices: match devices.len() {
                1 => Vec::new(),
                _ => devices.iter().map(|(plane, device)| one(plane, device)).collect(),
            },
            warnings: recording.space.errors.iter().chain(&recording.space.warnings).cloned().collect(),
        })
    }
}

/// Picoseconds of a device.
struct Device {
    /// From the start of the first event to the end of the last.
    window: u64,
    /// In which exchanges are under way.
    exchanged: u64,
    /// Of each kind, with the number of its events.
    kinds: BTreeMap<Kind, (u64, u64)>,
    /// Of each part of the model in each pass.
    parts: BTreeMap<(String, Phase), u64>,
    /// Of each instruction in its place, with the number of its events.
    ops: BTreeMap<OpKey, (u64, u64)>,
}

/// Place, op, kind, instruction.
type OpKey = (String, String, Kind, String);

impl Device {
    fn of(program: &Program, plane: &Plane) -> Device {
        let ran = ran(program, plane);
        let span = |ran: &Ran<'_>| Span { start: ran.event.start_ps, end: ran.event.end_ps(), rank: ran.kind.rank() };
        let spans: Vec<Span> = ran.iter().map(span).collect();
        let (own, idle) = shares(&spans);
        let exchanges: Vec<Span> = spans.iter().copied().filter(|span| span.rank == Kind::Collectives.rank()).collect();
        let (kinds, parts, ops) = Default::default();
        let window = own.iter().sum::<u64>() + idle;
        let mut device = Device { window, exchanged: covered(&exchanges), kinds, parts, ops };
        device.kinds.insert(Kind::Idle, (idle, 0));
        for (Ran { event, op, kind, .. }, ps) in ran.into_iter().zip(own) {
            let add = |(sum, count): &mut (u64, u64)| (*sum, *count) = (*sum + ps, *count + 1);
            add(device.kinds.entry(kind).or_default());
            let label = op.and_then(|op| op.label.as_ref());
            let part = label.map(|label| label.part).filter(|part| !part.is_empty()).unwrap_or(UNKNOWN);
            let phase = label.map_or(Phase::Forward, |label| label.phase);
            *device.parts.entry((part.to_owned(), phase)).or_default() += ps;
            let place = label.map_or_else(|| UNKNOWN.to_owned(), words);
            let traced = label.map_or("", |label| label.op).to_owned();
            let instruction = op.map_or(&*event.name, |op| &op.name).to_owned();
            add(device.ops.entry((place, traced, kind, instruction)).or_default());
        }
        device
    }
}

fn parts(devices: &[(&Plane, Device)], ms: impl Fn(u64) -> f64) -> Vec<PartTime> {
    let mut parts: BTreeMap<&str, PartTime> = BTreeMap::new();
    for ((part, phase), ps) in devices.iter().flat_map(|(_, device)| &device.parts) {
        let of = parts.entry(part).or_insert_with(|| PartTime { part: part.clone(), ..PartTime::default() });
        match phase {
            Phase::Forward => of.forward_ms += ms(*ps),
            Phase::Recomputed => of.recomputed_ms += ms(*ps),
            Phase::Backward => of.backward_ms += ms(*ps),
        }
    }
    let mut parts: Vec<PartTime> = parts.into_values().filter(|part| part.ms() > 0.0).collect();
    parts.sort_by(|a, b| b.ms().total_cmp(&a.ms()));
    parts
}

/// The longest, each as a mean over devices.
fn ops(devices: &[(&Plane, Device)], ms: impl Fn(u64) -> f64, steps: f64) -> Vec<OpTime> {
    let mut all: BTreeMap<&OpKey, (u64, u64)> = BTreeMap::new();
    for (key, (ps, count)) in devices.iter().flat_map(|(_, device)| &device.ops) {
        let sum = all.entry(key).or_default();
        *sum = (sum.0 + ps, sum.1 + count);
    }
    let mut all: Vec<(&OpKey, (u64, u64))> = all.into_iter().collect();
    all.sort_by_key(|(_, (ps, _))| std::cmp::Reverse(*ps));
    all.truncate(OPS);
    let op = |((place, op, kind, instruction), (ps, count)): (&OpKey, (u64, u64))| OpTime {
        place: place.clone(),
        op: op.clone(),
        kind: *kind,
        instruction: instruction.clone(),
        ms: ms(ps),
        count: count as f64 / steps / devices.len() as f64,
    };
    all.into_iter().map(op).collect()
}
