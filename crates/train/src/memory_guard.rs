//! Whether a run fits into memory, before it is begun: a process that takes too much is killed without a word.

use std::fmt;

use graph::Remat;
use runtime::{Bytes, Executable, Memory, Session};

use crate::batches;
use crate::least::LeastMemory;
use crate::{BatchShape, Error, StepPlan};

/// A run is larger than the memory.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TooLarge {
    /// The batches alone.
    #[error("{} {needed} of the host's memory, and {free} of its {total} are free: {advice}", batches_take(*batches, *shape))]
    Batches {
        /// Batches that exist at a time.
        batches: usize,
        /// Their shape.
        shape: Shown,
        /// What they take.
        needed: Bytes,
        /// What is free.
        free: Bytes,
        /// What there is.
        total: Bytes,
        /// What makes them smaller.
        advice: &'static str,
    },
    /// The training step, as far as that is known before it is compiled.
    #[error(
        "a step of {shape} takes at least {needed} of memory{} ({state} for parameters and optimizer, {} for what layers are given and for logits), \
         and {free} of the device's {total} are free: {}",
        on_each(*devices), Bytes(needed.0.saturating_sub(state.0)),
        if state.0 > free.0 { smaller_state(*settings) } else { advice(shape.0, Kept::Inputs, *settings) }
    )]
    Bound {
        /// The shape of its data.
        shape: Shown,
        /// On how many devices.
        devices: usize,
        /// What it takes of each at the least.
        needed: Bytes,
        /// What its parameters and their moments take.
        state: Bytes,
        /// What is free.
        free: Bytes,
        /// What there is.
        total: Bytes,
        /// Which are told of in the advice.
        settings: Settings,
    },
    /// The training step.
    #[error(
        "a step of {shape} takes {needed} of memory{} ({arguments} for parameters, optimizer and batch, {} for what is \
         computed on the way), and {free} of the device's {total} are free: {}",
        on_each(*devices), Bytes(needed.0.saturating_sub(arguments.0)), advice(shape.0, *kept, *settings)
    )]
    Step {
        /// The shape of its data.
        shape: Shown,
        /// On how many devices.
        devices: usize,
        /// What it takes of each.
        needed: Bytes,
        /// What its arguments take.
        arguments: Bytes,
        /// What is free.
        free: Bytes,
        /// What there is.
        total: Bytes,
        /// What its backward pass finds.
        kept: Kept,
        /// Which are told of in the advice.
        settings: Settings,
    },
}

impl TooLarge {
    /// The same, with advice by other names than a configuration's.
    #[must_use]
    pub fn advising(mut self, ours: Settings) -> TooLarge {
        match &mut self {
            TooLarge::Bound { settings, .. } | TooLarge::Step { settings, .. } => *settings = ours,
            TooLarge::Batches { .. } => {}
        }
        self
    }
}

/// By which names the settings are known that make a step smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settings {
    /// A configuration's keys.
    Keys,
    /// The options of a preset on the command line.
    Options,
}

impl Settings {
    /// Of rows with what is to be done beside lowering them, and of recomputation with what stands before its value.
    fn names(self) -> Names {
        match self {
            Settings::Keys => Names {
                rows: "micro_batch_size and raise gradient_accumulation_steps by as much",
                positions: "sequence_len",
                recomputation: "gradient_checkpointing:",
                devices: "mesh.fsdp",
            },
            Settings::Options => Names {
                rows: "--rows",
                positions: "--positions",
                recomputation: "--remat",
                devices: "--mesh fsdp=SIZE",
            },
        }
    }
}

struct Names {
    rows: &'static str,
    positions: &'static str,
    recomputation: &'static str,
    devices: &'static str,
}

/// What the backward pass finds of a layer's results, and need not compute again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// All of them.
    All,
    /// Those that cost much.
    Some,
    /// None, but what the layer was given.
    Inputs,
}

impl Kept {
    fn of(remat: &Remat) -> Kept {
        match remat {
            Remat { keep_all: true, .. } => Kept::All,
            remat if *remat == Remat::full() => Kept::Inputs,
            Remat { .. } => Kept::Some,
        }
    }
}

/// A shape as a message shows it.
#[derive(Clone, Copy, Debug)]
pub struct Shown(BatchShape);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BatchShape { accumulation, rows, positions, .. } = self.0;
        match accumulation {
            1 => write!(f, "{rows} x {positions} tokens"),
            _ => write!(f, "{accumulation} x {rows} x {positions} tokens"),
        }
    }
}

/// Bytes of a batch's five arrays, four bytes an element.
fn batch_bytes(shape: BatchShape) -> u128 {
    let BatchShape { accumulation, rows, positions, .. } = shape;
    5 * 4 * accumulation as u128 * rows as u128 * positions as u128
}

fn batches_take(batches: usize, shape: Shown) -> String {
    match batches {
        1 => format!("a batch of {shape} takes"),
        _ => format!("{batches} batches of {shape} take"),
    }
}

/// Refuses a run's batches that the host's memory cannot hold, before anything of their size is made.
pub(crate) fn check_batches(shape: BatchShape, memory: Option<Memory>) -> Result<(), TooLarge> {
    let advice = "lower micro_batch_size, gradient_accumulation_steps or sequence_len";
    check_so_many(batches::ALIVE, shape, memory, advice)
}

fn check_so_many(
    batches: usize,
    shape: BatchShape,
    memory: Option<Memory>,
    advice: &'static str,
) -> Result<(), TooLarge> {
    let needed = batches as u128 * batch_bytes(shape);
    match memory {
        Some(Memory { free, total, .. }) if needed > u128::from(free) => Err(TooLarge::Batches {
            batches,
            shape: Shown(shape),
            needed: Bytes(needed),
            free: Bytes(free.into()),
            total: Bytes(total.into()),
            advice,
        }),
        _ => Ok(()),
    }
}

/// Refuses so many batches of a step at a time that the host's memory cannot hold. `advice` says what makes them smaller.
///
/// # Errors
/// They take more than is free.
pub fn check_host_memory(plan: &StepPlan, batches: usize, advice: &'static str) -> Result<(), TooLarge> {
    check_so_many(batches, plan.batch, Memory::of_host(), advice)
}

fn on_each(devices: usize) -> String {
    if devices > 1 { format!(" on each of {devices} devices") } else { String::new() }
}

/// What helps where no batch is small enough.
fn smaller_state(settings: Settings) -> String {
    format!("take a smaller model, or spread it over more devices ({})", settings.names().devices)
}

/// What would make a step smaller.
fn advice(shape: BatchShape, kept: Kept, settings: Settings) -> String {
    let Names { rows, positions, recomputation, .. } = settings.names();
    let mut ways: Vec<String> =
        [rows].into_iter().filter(|_| shape.rows > 1).map(|rows| format!("lower {rows}")).collect();
    ways.push(format!("lower {positions}"));
    match kept {
        Kept::All => ways.push(format!("set {recomputation} dots, or full")),
        Kept::Some => ways.push(format!("set {recomputation} full")),
        Kept::Inputs => {}
    }
    let last = ways.pop().expect("a row can be shorter");
    if ways.is_empty() { last } else { format!("{}, or {last}", ways.join(", ")) }
}

/// Refuses a step that is too large whatever its compiler does, before that takes minutes to say so.
pub(crate) fn check_bound(session: &Session, plan: &StepPlan) -> Result<(), Error> {
    let devices = plan.device_count();
    let Some(Memory { free, total, .. }) = session.memory_of_each(devices)? else { return Ok(()) };
    let least = LeastMemory::of(plan)?;
    if least.total() <= free {
        return Ok(());
    }
    let bytes = |count: u64| Bytes(count.into());
    Err(Error::TooLarge(TooLarge::Bound {
        shape: Shown(plan.batch),
        devices,
        needed: bytes(least.total()),
        state: bytes(least.state),
        free: bytes(free),
        total: bytes(total),
        settings: Settings::Keys,
    }))
}

/// Refuses a step whose memory, as its compiler planned it, the device does not have. Asked before parameters are brought there.
pub(crate) fn check_step(session: &Session, plan: &StepPlan, executable: &Executable) -> Result<(), Error> {
    // A plugin that does not count cannot be asked.
    let Ok(planned) = executable.program().memory_stats() else { return Ok(()) };
    let devices = plan.device_count();
    let Some(Memory { free, total, .. }) = session.memory_of_each(devices)? else { return Ok(()) };
    if planned.total() <= free {
        return Ok(());
    }
    let bytes = |count: u64| Bytes(count.into());
    Err(Error::TooLarge(TooLarge::Step {
        shape: Shown(plan.batch),
        devices,
        needed: bytes(planned.total()),
        arguments: bytes(planned.argument),
        free: bytes(free),
        total: bytes(total),
        kept: Kept::of(&plan.model.remat),
        settings: Settings::Keys,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_that_do_not_fit_are_refused_with_their_size() {
        let shape = BatchShape { accumulation: 2, rows: 1000, positions: 1000, packed: true };
        let memory = |free| Some(Memory { total: 400_000_000, free, peak: None });
        assert!(check_batches(shape, None).is_ok() && check_batches(shape, memory(160_000_000)).is_ok());
        let refused =
            check_batches(shape, memory(159_000_000)).expect_err("four batches of 40 MB do not fit").to_string();
        let expected = "4 batches of 2 x 1000 x 1000 tokens take 160.0 MB of the host's memory, and 159.0 MB of its 400.0 MB \
                        are free: lower micro_batch_size, gradient_accumulation_steps or sequence_len";
        assert_eq!(refused, expected);
        let alone = |free| check_so_many(1, shape, memory(free), "lower --rows");
        assert!(alone(40_000_000).is_ok());
        let refused = alone(39_000_000).expect_err("a batch of 40 MB does not fit").to_string();
        let expected = "a batch of 2 x 1000 x 1000 tokens takes 40.0 MB of the host's memory, and 39.0 MB of its 400.0 MB are \
                        free: lower --rows";
        assert_eq!(refused, expected);
        let largest = BatchShape { accumulation: 65536, rows: 65536, positions: usize::MAX, packed: true };
        assert!(check_batches(largest, memory(u64::MAX)).is_err());
    }

    #[test]
    fn what_a_step_takes_is_told_of_each_device() {
        let shape = BatchShape { accumulation: 1, rows: 8, positions: 64, packed: false };
        let [needed, arguments, free, total] = [9, 4, 7, 8].map(|giga| Bytes(giga * 1_000_000_000));
        let of = |devices| {
            let (shape, kept, settings) = (Shown(shape), Kept::Inputs, Settings::Keys);
            TooLarge::Step { shape, devices, needed, arguments, free, total, kept, settings }
        };
        let rest = "(4.0 GB for parameters, optimizer and batch, 5.0 GB for what is computed on the way), and 7.0 GB of the \
                    device's 8.0 GB are free: lower micro_batch_size and raise gradient_accumulation_steps by as much, or lower \
                    sequence_len";
        assert_eq!(of(1).to_string(), format!("a step of 8 x 64 tokens takes 9.0 GB of memory {rest}"));
        assert_eq!(
            of(4).to_string(),
            format!("a step of 8 x 64 tokens takes 9.0 GB of memory on each of 4 devices {rest}")
        );
        let told = of(1).advising(Settings::Options).to_string();
        assert!(told.ends_with(" are free: lower --rows, or lower --positions"), "{told}");
    }

    #[test]
    fn only_what_helps_is_advised() {
        let rows = "lower micro_batch_size and raise gradient_accumulation_steps by as much, ";
        let cases = [
            (2, Remat::none(), format!("{rows}lower sequence_len, or set gradient_checkpointing: dots, or full")),
            (2, models::products_kept(), format!("{rows}lower sequence_len, or set gradient_checkpointing: full")),
            (2, Remat::full(), format!("{rows}or lower sequence_len")),
            (1, models::products_kept(), "lower sequence_len, or set gradient_checkpointing: full".to_owned()),
            (1, Remat::full(), "lower sequence_len".to_owned()),
        ];
        for (rows, remat, expected) in cases {
            let shape = BatchShape { accumulation: 1, rows, positions: 64, packed: false };
            assert_eq!(advice(shape, Kept::of(&remat), Settings::Keys), expected);
        }
    }
}
