//! The arrays that a launch reads and writes, with who wrote what.

use graph::DType;
use rayon::prelude::*;

use super::arithmetic::round;
use crate::Launch;

/// An array in memory, row-major; numbers as f64, whatever their type.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    dtype: DType,
    numbers: Vec<f64>,
}

impl Array {
    /// Of numbers, which are rounded to `dtype`.
    pub fn new(dtype: DType, numbers: Vec<f64>) -> Array {
        let numbers = numbers.into_par_iter().map(|number| round(number, dtype)).collect();
        Array { dtype, numbers }
    }

    /// The type of its elements.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Its elements, row-major.
    pub fn numbers(&self) -> &[f64] {
        &self.numbers
    }
}

/// What a kernel did that it must not do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the kernel `{kernel}`, in its program {program:?}: {rule}")]
pub struct Fault {
    kernel: String,
    program: [usize; 3],
    rule: String,
}

/// An array with who wrote each element, if it is one that is written.
struct Held {
    name: String,
    array: Array,
    /// `None`: an array that is read.
    writers: Option<Vec<Option<[usize; 3]>>>,
    /// Of each element in which store it was written last, counted from 1.
    stores: Vec<u64>,
    /// Whether it shares its memory with another: one that is read, with one that is written.
    in_place: bool,
    /// Of each element who read it first, if it is one that is read of those.
    readers: Vec<Option<[usize; 3]>>,
}

pub(super) struct Memory {
    kernel: String,
    program: [usize; 3],
    held: Vec<Held>,
    /// Arrays that are written, and those that are read in whose place they stand.
    in_place: Vec<[usize; 2]>,
    /// How many stores there were.
    stores: u64,
}

impl Memory {
    pub(super) fn new(launch: &Launch, inputs: &[Array]) -> Result<Memory, Fault> {
        let in_place = launch.in_place.iter().map(|(result, given)| [inputs.len() + result, *given]).collect();
        let kernel = launch.kernel.name().to_owned();
        let mut memory = Memory { kernel, program: [0; 3], held: Vec::new(), in_place, stores: 0 };
        let is_same = |(result, given): &(usize, usize)| {
            let both = launch.results.get(*result).zip(inputs.get(*given));
            both.is_some_and(|(ty, array)| ty.dtype == array.dtype && ty.element_count() == array.numbers.len())
        };
        if let Some((result, given)) = launch.in_place.iter().find(|pair| !is_same(pair)) {
            let rule = format!(
                "its result {result} cannot stand in place of array {given} of those that it reads, which is of another type or not there"
            );
            return Err(memory.fault(rule));
        }
        let stands_in = |result: usize| launch.in_place.iter().find(|(own, _)| *own == result);
        let results = launch.results.iter().enumerate().map(|(result, ty)| match stands_in(result) {
            Some((_, given)) => inputs[*given].clone(),
            None => Array::new(ty.dtype, vec![f64::NAN; ty.element_count()]),
        });
        let arrays: Vec<_> = inputs.iter().cloned().chain(results).collect();
        let arguments = &launch.kernel.arguments;
        if arrays.len() != arguments.len() || inputs.len() != launch.kernel.inputs {
            let (read, written) = (launch.kernel.inputs, arguments.len() - launch.kernel.inputs);
            let rule = format!(
                "it reads {read} arrays and writes {written}, and is launched with {} and {}",
                inputs.len(),
                launch.results.len()
            );
            return Err(memory.fault(rule));
        }
        for (i, (array, (name, dtype))) in arrays.into_iter().zip(arguments).enumerate() {
            if array.dtype != *dtype {
                return Err(memory.fault(format!("`{name}` is declared {dtype}, and is {}", array.dtype)));
            }
            let result = i.checked_sub(inputs.len());
            let writers = result.map(|_| vec![None; array.numbers.len()]);
            let stores = vec![0; writers.as_ref().map_or(0, Vec::len)];
            let in_place = memory.in_place.iter().any(|pair| pair.contains(&i));
            let readers = vec![None; if in_place && result.is_none() { array.numbers.len() } else { 0 }];
            memory.held.push(Held { name: name.clone(), array, writers, stores, in_place, readers });
        }
        Ok(memory)
    }

    /// From here on `program` runs.
    pub(super) fn begin(&mut self, program: [usize; 3]) {
        self.program = program;
    }

    pub(super) fn fault(&self, rule: String) -> Fault {
        Fault { kernel: self.kernel.clone(), program: self.program, rule }
    }

    fn place(&self, held: &Held, offset: i64, does: &str) -> Result<usize, Fault> {
        let length = held.array.numbers.len();
        usize::try_from(offset)
            .ok()
            .filter(|place| *place < length)
            .ok_or_else(|| self.fault(format!("it {does} element {offset} of `{}`, which has {length}", held.name)))
    }

    pub(super) fn load(
        &mut self,
        (argument, offsets): (usize, &[i64]),
        mask: Option<&[f64]>,
        other: Option<&[f64]>,
    ) -> Result<Vec<f64>, Fault> {
        let one = |i: usize| {
            if mask.is_some_and(|mask| mask[i] == 0.0) {
                return Ok(other.map_or(f64::NAN, |other| other[i]));
            }
            let held = &self.held[argument];
            let place = self.place(held, offsets[i], "reads")?;
            if held.writers.is_some() {
                // What a program wrote itself was written by one of its lanes, and read by another, which does not wait.
                return Err(self.fault(format!("it reads element {place} of `{}`, which is written", held.name)));
            }
            let number = held.array.numbers[place];
            if let Some(reader) = self.held[argument].readers.get_mut(place) {
                *reader = reader.or(Some(self.program));
            }
            Ok(number)
        };
        (0..offsets.len()).map(one).collect()
    }

    pub(super) fn store(
        &mut self,
        (argument, offsets): (usize, &[i64]),
        numbers: &[f64],
        mask: Option<&[f64]>,
    ) -> Result<(), Fault> {
        self.stores += 1;
        for (i, offset) in offsets.iter().enumerate() {
            if mask.is_some_and(|mask| mask[i] == 0.0) {
                continue;
            }
            let held = &self.held[argument];
            let place = self.place(held, *offset, "writes")?;
            let Some(writers) = &held.writers else {
                return Err(self.fault(format!("it writes to `{}`, which is read only", held.name)));
            };
            if let Some(other) = writers[place].filter(|other| *other != self.program) {
                let rule = format!("it writes element {place} of `{}`, which program {other:?} writes too", held.name);
                return Err(self.fault(rule));
            }
            if held.stores[place] == self.stores && held.array.numbers[place].to_bits() != numbers[i].to_bits() {
                let rule = format!("it writes different numbers to element {place} of `{}` at once", held.name);
                return Err(self.fault(rule));
            }
            let (program, store) = (self.program, self.stores);
            let held = &mut self.held[argument];
            (held.array.numbers[place], held.stores[place]) = (numbers[i], store);
            if let Some(writers) = &mut held.writers {
                writers[place] = Some(program);
            }
        }
        Ok(())
    }

    /// The arrays that were written, each element of each, where no program has read what another one wrote.
    pub(super) fn finish(mut self) -> Result<Vec<Array>, Fault> {
        // Programs run in any order: what one writes none reads.
        for [written, read] in self.in_place.clone() {
            let writers = self.held[written].writers.iter().flatten();
            let mut both = self.held[read].readers.iter().zip(writers).enumerate();
            let meet = both.find_map(|(place, (reader, writer))| Some((place, (*reader)?, (*writer)?)));
            if let Some((place, reader, writer)) = meet {
                self.program = reader;
                let name = &self.held[read].name;
                return Err(self
                    .fault(format!("it reads element {place} of `{name}`, which program {writer:?} writes in place")));
            }
        }
        for held in self.held.iter().filter(|held| !held.in_place) {
            let missing = held.writers.as_ref().and_then(|writers| writers.iter().position(Option::is_none));
            if let Some(place) = missing {
                return Err(self.fault(format!("no program wrote element {place} of `{}`", held.name)));
            }
        }
        Ok(self.held.into_iter().filter(|held| held.writers.is_some()).map(|held| held.array).collect())
    }
}
