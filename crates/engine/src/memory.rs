//! Whether what comes next fits into the memory that is left, before it is made: a process that takes too much is killed without a word.

use graph::{ParamSpec, Partition};
use runtime::plugins::Platform;
use runtime::{BoundProgram, Bytes, Memory, Session};

use crate::error::{Error, Result};

/// Refuses a program that takes more of a device, beside arguments that are there already, than is free.
pub(crate) fn check_program(session: &Session, program: &BoundProgram, what: impl FnOnce() -> String) -> Result<()> {
    let devices = program.executable().num_devices();
    compare(session.memory_of_each(devices)?, bytes_beside_arguments(program), 0, what)
}

/// What a program takes beside its arguments; 0 where the plugin does not count.
fn bytes_beside_arguments(program: &BoundProgram) -> u128 {
    let planned = program.executable().program().memory_stats();
    planned.map_or(0, |planned| planned.total().saturating_sub(planned.argument).into())
}

/// What activations take of each device.
pub(crate) fn bytes_of(specs: &[ParamSpec], partition: Option<&Partition>) -> u128 {
    let part = |spec: &ParamSpec| {
        let ty = spec.tensor_type();
        match partition {
            Some(partition) => partition.of_activation(&ty.axes).part_type(&ty),
            None => ty,
        }
    };
    specs.iter().map(part).map(|ty| ty.element_count() as u128 * ty.dtype.size() as u128).sum()
}

/// Refuses what is larger than what is free and `more` together.
fn compare(memory: Option<Memory>, needed: u128, more: u128, what: impl FnOnce() -> String) -> Result<()> {
    let Some(Memory { free, total, .. }) = memory else { return Ok(()) };
    let free = u128::from(free) + more;
    if needed <= free {
        return Ok(());
    }
    Err(Error::TooLarge { what: what(), needed: Bytes(needed), free: Bytes(free), total: Bytes(total.into()) })
}

/// The memory in which arrays come and go.
pub(crate) struct Room<'m> {
    read: Box<dyn Fn() -> Result<Option<Memory>> + 'm>,
    /// Whether the process may keep what it frees for what it asks for next, as with jemalloc, so that it is not counted as free. A GPU
    /// counts what is in use.
    is_of_process: bool,
    /// Bytes that are kept so.
    kept: u128,
}

impl<'m> Room<'m> {
    /// That of each of the first `devices` of a session.
    pub(crate) fn of(session: &'m Session, devices: usize) -> Room<'m> {
        let is_of_process = session.platform() == Platform::Cpu;
        Room { read: Box::new(move || Ok(session.memory_of_each(devices)?)), is_of_process, kept: 0 }
    }

    /// Memory of a process, as `read` tells it.
    #[cfg(test)]
    pub(crate) fn told_by(read: impl Fn() -> Option<Memory> + 'm) -> Room<'m> {
        Room { read: Box::new(move || Ok(read())), is_of_process: true, kept: 0 }
    }

    /// Refuses `needed` bytes that are not there, even if `more` are freed before.
    pub(crate) fn check(&self, needed: u128, more: u128, what: impl FnOnce() -> String) -> Result<()> {
        compare((self.read)()?, needed, self.kept + more, what)
    }

    /// As [`check_program`].
    pub(crate) fn check_program(&self, program: &BoundProgram, what: impl FnOnce() -> String) -> Result<()> {
        self.check(bytes_beside_arguments(program), 0, what)
    }

    /// Notes that so many bytes were taken.
    pub(crate) fn take(&mut self, bytes: u128) {
        self.kept = self.kept.saturating_sub(bytes);
    }

    /// Frees so many bytes.
    pub(crate) fn give_back(&mut self, bytes: u128, free: impl FnOnce()) {
        let count = |room: &Self| (room.read)().ok().flatten().map_or(0, |memory| memory.free);
        let before = count(self);
        free();
        if self.is_of_process {
            self.kept += bytes.saturating_sub(count(self).saturating_sub(before).into());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn what_does_not_fit_is_refused_with_its_size() {
        let memory = Some(Memory { total: 24_000_000_000, free: 8_100_000_000, peak: None });
        let what = || "scoring 1 x 32768 tokens at a time".to_owned();
        assert!(compare(memory, 8_100_000_000, 0, what).is_ok() && compare(None, u128::MAX, 0, what).is_ok());
        assert!(compare(memory, 8_200_000_000, 100_000_000, what).is_ok());
        let refused = compare(memory, 51_200_000_000, 0, what).expect_err("it does not fit").to_string();
        let expected = "scoring 1 x 32768 tokens at a time takes 51.2 GB of memory beside the model, and 8.1 GB of the device's \
                        24.0 GB are free: a smaller context takes less";
        assert_eq!(refused, expected);
    }

    /// An allocator may give pages back or keep them, and may have given a part of them back.
    #[test]
    fn what_a_process_keeps_of_what_it_freed_is_free_for_it() {
        for given_back in [0, 40, 100] {
            let free = Cell::new(1000);
            let mut room = Room::told_by(|| Some(Memory { total: 5000, free: free.get(), peak: None }));
            room.give_back(100, || free.set(free.get() + given_back));
            let fits = |room: &Room<'_>, needed| room.check(needed, 0, String::new).is_ok();
            assert!(fits(&room, 1100) && !fits(&room, 1101), "{given_back}");
            // What is taken next is taken of that first.
            free.set(free.get() - given_back);
            room.take(100);
            assert!(fits(&room, 1000) && !fits(&room, 1001), "{given_back}");
            assert!(room.check(1200, 200, String::new).is_ok());
        }
    }
}
