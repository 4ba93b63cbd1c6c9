//! Whether what comes next fits into the memory that is left, before it is made: a process that takes too much is killed without a word.

use std::cell::Cell;
use std::rc::Rc;

use graph::{ParamSpec, Partition, TensorType};
use models::StateSize;
use runtime::plugins::Platform;
use runtime::{BoundProgram, Bytes, Memory, Session};

use crate::ModelPlan;
use crate::error::{Error, Result};

/// Refuses a program that takes more of a device, beside arguments that are there already, than is free.
pub(crate) fn check_program(session: &Session, program: &BoundProgram, what: impl FnOnce() -> String) -> Result<()> {
    let devices = program.executable().num_devices();
    compare(session.memory_of_each(devices)?, bytes_beside_arguments(program), 0, what)
}

/// What a program takes beside its arguments; 0 where the plugin does not count.
pub(crate) fn bytes_beside_arguments(program: &BoundProgram) -> u128 {
    let planned = program.executable().program().memory_stats();
    planned.map_or(0, |planned| planned.total().saturating_sub(planned.argument).into())
}

/// Refuses a model that is larger than what is free, with what it remembers of `texts` texts of `tokens` tokens each: whatever its programs take comes on
/// top.
pub(crate) fn check_model(memory: Option<Memory>, plan: &ModelPlan, texts: usize, tokens: usize) -> Result<()> {
    let Some(Memory { free, total, .. }) = memory else { return Ok(()) };
    let weights = bytes_of_weights(&plan.params()?, plan.partition.as_ref());
    let state = || {
        let size = StateSize { slots: texts, pages: texts * plan.slots(tokens, plan.longest()), page_tokens: 1 };
        bytes_of(&plan.state_specs(size), plan.partition.as_ref())
    };
    let state = if texts > 0 { state() } else { 0 };
    if weights + state <= u128::from(free) {
        return Ok(());
    }
    Err(Error::ModelTooLarge {
        devices: plan.device_count(),
        weights: Bytes(weights),
        dtype: plan.dtype,
        state: Bytes(state),
        tokens: texts * tokens,
        free: Bytes(free.into()),
        total: Bytes(total.into()),
    })
}

/// What a weight takes of each device.
fn part_of_weight(spec: &ParamSpec, partition: Option<&Partition>) -> u128 {
    let ty = spec.tensor_type();
    // One that does not divide is refused where parameters are declared.
    let sharding = partition.and_then(|all| all.of_parameter(&spec.name, &ty.axes, spec.stack.len()).ok());
    bytes(&sharding.map_or_else(|| ty.clone(), |sharding| sharding.part_type(&ty)))
}

fn bytes(ty: &TensorType) -> u128 {
    ty.element_count() as u128 * ty.dtype.size() as u128
}

/// What weights take of each device.
pub(crate) fn bytes_of_weights(specs: &[ParamSpec], partition: Option<&Partition>) -> u128 {
    specs.iter().map(|spec| part_of_weight(spec, partition)).sum()
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
    specs.iter().map(|spec| bytes(&part(spec))).sum()
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

/// The memory in which arrays come and go. Copies of it are of the same memory, and know the same of it.
#[derive(Clone)]
pub(crate) struct Room<'m> {
    read: Rc<dyn Fn() -> Result<Option<Memory>> + 'm>,
    /// Whether the process may keep what it frees for what it asks for next, as with jemalloc, so that it is not counted as free. A GPU
    /// counts what is in use.
    is_of_process: bool,
    /// Bytes that are kept so.
    kept: Rc<Cell<u128>>,
}

impl<'m> Room<'m> {
    /// That of each of the first `devices` of a session.
    pub(crate) fn of(session: &'m Session, devices: usize) -> Room<'m> {
        let is_of_process = session.platform() == Platform::Cpu;
        Room { read: Rc::new(move || Ok(session.memory_of_each(devices)?)), is_of_process, kept: Rc::default() }
    }

    /// Memory of a process, as `read` tells it.
    #[cfg(test)]
    pub(crate) fn told_by(read: impl Fn() -> Option<Memory> + 'm) -> Room<'m> {
        Room { read: Rc::new(move || Ok(read())), is_of_process: true, kept: Rc::default() }
    }

    /// Refuses `needed` bytes that are not there, even if `more` are freed before.
    pub(crate) fn check(&self, needed: u128, more: u128, what: impl FnOnce() -> String) -> Result<()> {
        compare((self.read)()?, needed, self.kept.get() + more, what)
    }

    /// Notes that so many bytes were taken.
    pub(crate) fn take(&self, bytes: u128) {
        self.kept.set(self.kept.get().saturating_sub(bytes));
    }

    /// Frees so many bytes.
    pub(crate) fn give_back(&self, bytes: u128, free: impl FnOnce()) {
        let count = |room: &Self| (room.read)().ok().flatten().map_or(0, |memory| memory.free);
        let before = count(self);
        free();
        if self.is_of_process {
            let kept = bytes.saturating_sub(count(self).saturating_sub(before).into());
            self.kept.set(self.kept.get() + kept);
        }
    }
}

#[cfg(test)]
mod tests {
    use graph::DType;
    use models::{LanguageModel, ModelPreset};
    use runtime::Hardware;

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

    /// A model of 15,191,712 weights, and keys and values of its six layers of 288.
    #[test]
    fn a_model_that_does_not_fit_is_refused_with_its_size() {
        let preset = ModelPreset::find("llama-15m").expect("a preset");
        let model = LanguageModel::from_json(&preset.config).expect("a preset describes a model");
        let plan = ModelPlan::new(model, DType::F32, Hardware::CPU);
        let (weights, state) = (4 * 15_191_712, 4 * 2 * 6 * 288 * 256);
        let memory = |free| Some(Memory { total: 80_000_000, free, peak: None });
        let refused = |free, tokens| {
            check_model(memory(free), &plan, usize::from(tokens > 0), tokens).expect_err("it is too large").to_string()
        };
        assert!(
            check_model(None, &plan, 1, 200).is_ok() && check_model(memory(weights + state), &plan, 1, 200).is_ok()
        );
        assert!(check_model(memory(weights), &plan, 0, 0).is_ok());
        let expected = "the model takes at least 60.8 MB of memory (60.8 MB for weights in f32), and 60.7 MB of the device's 80.0 MB are free: \
                        take a smaller model, or more or larger devices";
        assert_eq!(refused(weights - 100_000, 0), expected);
        let expected = "the model takes at least 64.3 MB of memory (60.8 MB for weights in f32, 3.5 MB for remembering 200 tokens), and 64.3 MB of \
                        the device's 80.0 MB are free: a smaller context takes less";
        assert_eq!(refused(weights + state - 1, 200), expected);
        let error = Error::ModelTooLarge {
            devices: 2,
            weights: Bytes(10_000_000_000),
            dtype: DType::BF16,
            state: Bytes(0),
            tokens: 0,
            free: Bytes(8_000_000_000),
            total: Bytes(9_000_000_000),
        };
        let told = "the model takes at least 10.0 GB of memory on each of 2 devices (10.0 GB for weights in bf16), and";
        assert!(error.to_string().starts_with(told), "{error}");
    }

    /// An allocator may give pages back or keep them, and may have given a part of them back.
    #[test]
    fn what_a_process_keeps_of_what_it_freed_is_free_for_it() {
        for given_back in [0, 40, 100] {
            let free = Cell::new(1000);
            let room = Room::told_by(|| Some(Memory { total: 5000, free: free.get(), peak: None }));
            room.give_back(100, || free.set(free.get() + given_back));
            let fits = |room: &Room<'_>, needed| room.check(needed, 0, String::new).is_ok();
            assert!(fits(&room, 1100) && !fits(&room, 1101), "{given_back}");
            let other = room.clone();
            assert!(fits(&other, 1100) && !fits(&other, 1101), "it is the same memory");
            // What is taken next is taken of that first.
            free.set(free.get() - given_back);
            other.take(100);
            assert!(fits(&room, 1000) && !fits(&room, 1001), "{given_back}");
            assert!(room.check(1200, 200, String::new).is_ok());
        }
    }
}
