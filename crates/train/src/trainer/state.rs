//! The trained state by the names that checkpoints have for it: one tensor for each layer, however the device holds them.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use checkpoint::TensorSpec;
use graph::{DType, HostTensor, ParamArray, ParamSpec};
use runtime::{Array, HostPart, Parameters};

use super::Trainer;
use crate::Error;

impl<'s> Trainer<'s> {
    /// Trained parameters and their moments, one tensor for each layer.
    pub fn state(&self) -> Vec<TensorSpec> {
        let tensors = |spec: ParamSpec| {
            let (dtype, shape) = (spec.dtype, spec.checkpoint_shape());
            spec.checkpoint_names().into_iter().map(move |name| TensorSpec::new(name, dtype, shape.clone()))
        };
        self.state_specs().flat_map(tensors).collect()
    }

    /// Replaces trained parameters and their moments, as when resuming. `read` gives the elements of the tensors of [`Trainer::state`] in these
    /// ranges along each dimension, and is asked for those that this process's devices hold.
    ///
    /// # Errors
    /// What `read` fails with, or the device's memory is full.
    pub fn restore<'t>(
        &mut self,
        mut read: impl FnMut(&str, &[Range<usize>]) -> Result<HostTensor<'t>, Error>,
    ) -> Result<(), Error> {
        let mut parameters = Parameters::on(self.session, self.plan.partition.as_ref());
        let arrays: Vec<ParamArray> = self.state_specs().flat_map(|spec| spec.arrays(self.unrolled())).collect();
        for array in arrays {
            // What is replaced goes first: there may be no room for both.
            self.arrays.remove(&array.name);
            self.arrays.insert(&array.name, parameters.load_parts(&array, &mut read)?);
        }
        Ok(())
    }

    /// For reading parameters and moments.
    pub fn reader(&self) -> StateReader<'_, 's> {
        let all = self.step.params.iter().cloned().chain(self.state_specs());
        let places = places(all.flat_map(|spec| spec.arrays(self.unrolled())));
        StateReader { trainer: self, parameters: Parameters::on(self.session, self.plan.partition.as_ref()), places }
    }

    /// Lets the first process of the run write `specs`, of which the devices of all processes hold parts: all gather a tensor when `write` asks
    /// for it. Gives what `write` does, there.
    ///
    /// # Errors
    /// A step failed, or the other processes did.
    pub(crate) fn write_by_first<T>(
        &self,
        specs: &[TensorSpec],
        write: impl FnOnce(&mut dyn FnMut(&TensorSpec) -> Result<HostTensor<'static>, Error>) -> T,
    ) -> Result<Option<T>, Error> {
        const NO_MORE: u64 = 0;
        let processes = self.processes();
        let next = |number| processes.first_says("the next tensor", number);
        let mut reader = self.reader();
        if !processes.is_first() {
            loop {
                match next(NO_MORE)? {
                    NO_MORE => return Ok(None),
                    number => drop(reader.read(&specs[number as usize - 1].name, specs[number as usize - 1].dtype)?),
                }
            }
        }
        let numbers: HashMap<&str, u64> = specs.iter().map(|spec| spec.name.as_str()).zip(1..).collect();
        let mut has_failed = false;
        let written = write(&mut |spec| {
            let read = next(numbers[spec.name.as_str()]).and_then(|_| reader.read(&spec.name, spec.dtype));
            has_failed |= read.is_err();
            read
        });
        // After a failure the others may still be reading that tensor; they end as they hear of it.
        if !has_failed {
            next(NO_MORE)?;
        }
        Ok(Some(written))
    }

    /// The parameters that are trained, each with its moments behind it.
    fn state_specs(&self) -> impl Iterator<Item = ParamSpec> {
        self.trained().flat_map(|spec| std::iter::once(spec.clone()).chain(self.plan.slots(spec)))
    }

    fn unrolled(&self) -> &'static [&'static str] {
        self.plan.layers.unrolled()
    }
}

/// The array that holds a tensor, and the tensor's position in it. The tensors of an array share it: it has the names of them all.
type Places = HashMap<String, (Arc<ParamArray>, usize)>;

fn places(arrays: impl Iterator<Item = ParamArray>) -> Places {
    let of_array = |array: ParamArray| {
        let array = Arc::new(array);
        let names = array.checkpoint_names.clone().into_iter().enumerate();
        names.map(move |(position, name)| (name, (Arc::clone(&array), position)))
    };
    arrays.flat_map(of_array).collect()
}

/// Copies parameters and moments to the host, one tensor at a time, by the names that checkpoints have for them.
pub struct StateReader<'t, 's> {
    trainer: &'t Trainer<'s>,
    parameters: Parameters<'s>,
    places: Places,
}

impl StateReader<'_, '_> {
    /// A tensor in element type `dtype`. Waits for the steps that are under way. Where there are several processes, all read the same tensors in
    /// one order.
    ///
    /// # Errors
    /// There is no such tensor, or a step failed.
    pub fn read(&mut self, name: &str, dtype: DType) -> Result<HostTensor<'static>, Error> {
        let (array, position, values) = find(&self.places, self.trainer, name)?;
        Ok(self.parameters.read(array, values, position, dtype)?)
    }

    /// Which elements of a tensor [`StateReader::read_parts`] will give, part by part, along each dimension.
    ///
    /// # Errors
    /// There is no such tensor.
    pub fn part_ranges(&self, name: &str) -> Result<Vec<Vec<Range<usize>>>, Error> {
        let (array, _, _) = find(&self.places, self.trainer, name)?;
        Ok(self.parameters.part_ranges(array)?)
    }

    /// As [`StateReader::read`], in parts as the devices hold it, each part once.
    ///
    /// # Errors
    /// As [`StateReader::read`].
    pub fn read_parts(&mut self, name: &str, dtype: DType) -> Result<Vec<HostPart>, Error> {
        let (array, position, values) = find(&self.places, self.trainer, name)?;
        Ok(self.parameters.read_parts(array, values, position, dtype)?)
    }
}

/// The array that holds a tensor, the tensor's position in it, and its values.
fn find<'p>(
    places: &'p Places,
    trainer: &'p Trainer<'_>,
    name: &str,
) -> Result<(&'p ParamArray, usize, &'p Array), Error> {
    let place = places.get(name).and_then(|(array, at)| Some((&**array, *at, trainer.arrays().get(&array.name)?)));
    place.ok_or_else(|| Error::NoSuchTensor { name: name.to_owned() })
}

#[cfg(test)]
mod tests {
    use graph::{Axis, Init, Stack};

    use super::*;

    /// A copy for each would hold the square of an array's names: gigabytes, of a model with many experts.
    #[test]
    fn the_tensors_of_one_array_share_it() {
        let stack = |name, size| Stack::of(Axis { name, size });
        let spec = ParamSpec {
            name: "layers.*.experts.*.weight".to_owned(),
            dtype: DType::F32,
            axes: vec![Axis { name: "hidden", size: 2 }],
            stack: vec![stack("layers", 3), stack("experts", 4)],
            init: Init::Zeros,
        };
        for (unrolled, arrays) in [(&[][..], 1), (&["layers"], 3)] {
            let places = places(spec.arrays(unrolled).into_iter());
            let mut shared: HashMap<_, Vec<usize>> = HashMap::new();
            for (name, (array, position)) in &places {
                assert_eq!(&array.checkpoint_names[*position], name);
                shared.entry(Arc::as_ptr(array)).or_default().push(*position);
            }
            assert_eq!((places.len(), shared.len()), (12, arrays));
            assert!(shared.values().all(|positions| positions.len() == 12 / arrays));
        }
    }
}
