//! Parameters on devices: loaded from files, drawn afresh, read back.
//!
//! On a device a parameter is one array, or one for each layer; in files it is one tensor for each layer. Tensors cross one at a time,
//! so host memory never holds more than one of them, and are converted and, if need be, stacked on the device. Where there are several
//! devices, each is given its part of the file's bytes, and draws its part of initial values.

use std::collections::HashMap;
use std::ops::Range;

use graph::{
    Axis, AxisRule, AxisTable, DType, Graph, GraphError, HostTensor, Init, ParamArray, Partition, Program, RandomKey,
    Sharding, Tensor, TensorType,
};
use pjrt::Executable;

use crate::arrays::run_on_all;
use crate::{Array, Error, HostPart, Result, Session};

/// Moves parameters between files and a device. Keeps the small programs that do it, one for each shape.
pub struct Parameters<'s> {
    session: &'s Session,
    /// How parameters lie on several devices.
    partition: Option<Partition>,
    programs: HashMap<String, Executable>,
}

impl<'s> Parameters<'s> {
    /// For the first device of `session`.
    pub fn new(session: &'s Session) -> Parameters<'s> {
        Parameters::on(session, None)
    }

    /// For the devices that `partition` says, or for the first.
    pub fn on(session: &'s Session, partition: Option<&Partition>) -> Parameters<'s> {
        Parameters { session, partition: partition.cloned(), programs: HashMap::new() }
    }

    /// Brings an array of a parameter to the device. `read` gives the tensor of a checkpoint by name, of the shape that the array says, in
    /// any floating-point type; it is called once for each tensor.
    ///
    /// # Errors
    /// What `read` fails with, or the device.
    pub fn load<'t, E: From<Error>>(
        &mut self,
        array: &ParamArray,
        mut read: impl FnMut(&str) -> std::result::Result<HostTensor<'t>, E>,
    ) -> std::result::Result<Array, E> {
        self.assemble(array, |parameters, name| {
            let tensor = read(name)?;
            Ok((parameters.upload(&tensor, array)?, tensor.dtype()))
        })
    }

    /// As [`Parameters::load`], reading no more than the devices hold: `read` gives the elements of a checkpoint's tensor in these ranges along
    /// each dimension.
    ///
    /// # Errors
    /// As [`Parameters::load`].
    pub fn load_parts<'t, E: From<Error>>(
        &mut self,
        array: &ParamArray,
        mut read: impl FnMut(&str, &[Range<usize>]) -> std::result::Result<HostTensor<'t>, E>,
    ) -> std::result::Result<Array, E> {
        let own = own_type(array);
        let sharding = self.layout(array)?.map(|layout| layout.of_activation(&own.axes));
        self.assemble(array, |parameters, name| {
            let mut dtype = array.ty.dtype;
            let values = parameters.session.upload_each(&own.shape(), sharding.as_ref(), |ranges| {
                let part = read(name, ranges)?;
                dtype = part.dtype();
                Ok::<_, E>(part)
            })?;
            Ok((values, dtype))
        })
    }

    /// Draws an array's initial values from `seed` and the names of its tensors: the same whether layers are stacked or not.
    ///
    /// # Errors
    /// The device's memory is full.
    pub fn init(&mut self, array: &ParamArray, seed: u32) -> Result<Array> {
        let everywhere = match array.init {
            Init::Zeros => Some(0.0),
            Init::Ones => Some(1.0),
            Init::Constant(value) => Some(value),
            Init::Normal(_) | Init::Uniform(_) | Init::LogCount | Init::SoftplusInverse { .. } => None,
        };
        if let Some(value) = everywhere {
            return self.full(array, value);
        }
        let layout = self.layout(array)?;
        let program = init_program(&own_type(array), array.init, layout.as_ref())
            .map_err(|cause| Error::Init { name: array.name.clone(), cause })?;
        let seed = self.everywhere(&HostTensor::scalar(seed))?;
        self.assemble(array, |parameters, name| {
            let stream = parameters.everywhere(&HostTensor::scalar(stream_of(name)))?;
            Ok((parameters.run(&program, &[&seed, &stream])?, array.ty.dtype))
        })
    }

    /// One of an array's tensors, computed of `tensor`, the only one of the array `from`. The function is given the tensor with axes of other names
    /// than its own, and gives what `array` holds of it in that one's order.
    ///
    /// # Errors
    /// The device's memory is full.
    pub fn computed(
        &mut self,
        array: &ParamArray,
        from: &ParamArray,
        tensor: &Array,
        of: impl for<'g> Fn(Tensor<'g>) -> Tensor<'g>,
    ) -> Result<Array> {
        let own = own_type(array);
        // Both lie by the names of their axes, which are all different: the result's as elsewhere here, and others before it.
        let between = match (self.sharding(array)?, self.sharding(from)?) {
            (Some(to), Some(from)) => Some(layout_of(&[(&NAMES, &to), (&WHOLE_NAMES, &from)])),
            _ => None,
        };
        let names = from.ty.axes.iter().zip(WHOLE_NAMES).map(|(axis, name)| axis.named(name));
        let given: Vec<Axis> = names.collect();
        let program = try_program("computed", between.as_ref(), |graph| {
            let result = of(graph.input("tensor", from.ty.dtype, &given));
            let renamed = result.axes().into_iter().zip(&own.axes);
            (renamed.fold(result, |result, (axis, own)| result.rename(axis.name, own.name)), None)
        });
        let program = program.map_err(|cause| Error::Init { name: array.name.clone(), cause })?;
        let computed = self.run(&program, &[tensor])?;
        // Programs run behind the host, which would bring many tensors more before the first are gone.
        computed.wait()?;
        Ok(computed)
    }

    /// What is computed of some tensors on one device, whatever their axes are called: what `of` gives of them, under the names that it gives.
    ///
    /// # Errors
    /// The device's memory is full.
    pub fn derived(
        &mut self,
        name: &str,
        from: &[(&Array, TensorType)],
        of: impl for<'g> Fn(&[Tensor<'g>]) -> Vec<(&'static str, Tensor<'g>)>,
    ) -> Result<Vec<Array>> {
        let graph = Graph::new();
        let input = |(number, (_, ty)): (usize, &(&Array, TensorType))| {
            graph.input(&format!("tensor{number}"), ty.dtype, &plain_axes(ty))
        };
        let outputs = of(&from.iter().enumerate().map(input).collect::<Vec<_>>());
        let program = graph.lower(name, &outputs, &[]).map_err(|cause| Error::Init { name: name.to_owned(), cause })?;
        let derived = self.run_all(&program, &from.iter().map(|(tensor, _)| *tensor).collect::<Vec<_>>())?;
        // As `computed` does.
        derived.iter().try_for_each(Array::wait)?;
        Ok(derived)
    }

    /// An array with `tensor` at a position of what is stacked in it, in place of what `stack` has there: zeros, if there is none yet. Where nothing is
    /// stacked this is the tensor.
    ///
    /// # Errors
    /// The device's memory is full.
    pub fn placed(
        &mut self,
        array: &ParamArray,
        stack: Option<Array>,
        tensor: Array,
        position: usize,
    ) -> Result<Array> {
        if array.stacked == 0 {
            return Ok(tensor);
        }
        let stack = match stack {
            Some(stack) => stack,
            None => self.full(array, 0.0)?,
        };
        let layout = self.layout(array)?;
        let index = self.everywhere(&HostTensor::scalar(position as i32))?;
        self.run(&place_program(array, array.ty.dtype, layout.as_ref()), &[&stack, &tensor, &index])
    }

    /// An array of zeros that lies as the parameter does.
    ///
    /// # Errors
    /// The device's memory is full.
    pub fn zeros(&mut self, array: &ParamArray) -> Result<Array> {
        self.full(array, 0.0)
    }

    /// An array of zeros that is no parameter's, and lies as what is computed.
    ///
    /// # Errors
    /// The device's memory is full.
    pub fn zeros_computed(&mut self, array: &ParamArray) -> Result<Array> {
        let layout = self.partition.as_ref().map(|partition| layout(&partition.of_activation(&array.ty.axes)));
        self.run(&full_program(&array.ty, 0.0, layout.as_ref()), &[])
    }

    /// Copies one of the checkpoint's tensors that an array holds, by its position among them, to the host, in element type `dtype`. Where there
    /// are several processes, all ask for the same tensors in one order, and each gets them whole.
    ///
    /// # Errors
    /// The array was consumed by a program, or what was to compute it failed.
    pub fn read(
        &mut self,
        array: &ParamArray,
        values: &Array,
        position: usize,
        dtype: DType,
    ) -> Result<HostTensor<'static>> {
        // What lies apart is gathered, so that each process has it whole.
        let lying = if self.session.group().is_some() { Lying::Whole } else { Lying::InParts };
        match self.one_of(array, values, position, dtype, lying)? {
            None => values.download(self.session),
            Some(tensor) => tensor.download(self.session),
        }
    }

    /// Which elements of one of an array's tensors [`Parameters::read_parts`] gives, part by part, along each dimension.
    ///
    /// # Errors
    /// The array does not divide over the devices.
    pub fn part_ranges(&self, array: &ParamArray) -> Result<Vec<Vec<Range<usize>>>> {
        let own = own_type(array);
        let Some(layout) = self.layout(array)? else {
            return Ok(vec![own.shape().iter().map(|size| 0..*size).collect()]);
        };
        let sharding = layout.of_activation(&own.axes);
        let places = self.session.places(sharding.mesh().device_count())?.iter();
        let firsts = places.filter(|place| sharding.first_with_part_of(**place) == **place);
        Ok(firsts.map(|place| sharding.part(&own.shape(), *place)).collect())
    }

    /// As [`Parameters::read`], in parts as the devices hold it.
    ///
    /// # Errors
    /// As [`Parameters::read`].
    pub fn read_parts(
        &mut self,
        array: &ParamArray,
        values: &Array,
        position: usize,
        dtype: DType,
    ) -> Result<Vec<HostPart>> {
        match self.one_of(array, values, position, dtype, Lying::InParts)? {
            None => values.download_parts(self.session),
            Some(tensor) => tensor.download_parts(self.session),
        }
    }

    /// One of an array's tensors, on the devices; `None` if that is the array as it is.
    fn one_of(
        &mut self,
        array: &ParamArray,
        values: &Array,
        position: usize,
        dtype: DType,
        lying: Lying,
    ) -> Result<Option<Array>> {
        let layout = self.layout(array)?;
        match array.stacked {
            0 if array.ty.dtype == dtype && lying == Lying::InParts => Ok(None),
            0 => self.run(&convert_program(&array.ty, dtype, layout.as_ref(), lying), &[values]).map(Some),
            _ => {
                let index = self.everywhere(&HostTensor::scalar(position as i32))?;
                self.run(&layer_program(array, dtype, layout.as_ref(), lying), &[values, &index]).map(Some)
            }
        }
    }

    /// Makes an array of its tensors, which `tensor` brings to the device one at a time and tells the types of.
    fn assemble<E: From<Error>>(
        &mut self,
        array: &ParamArray,
        mut tensor: impl FnMut(&mut Self, &str) -> std::result::Result<(Array, DType), E>,
    ) -> std::result::Result<Array, E> {
        let layout = self.layout(array)?;
        if array.stacked == 0 {
            let (values, dtype) = tensor(self, &array.checkpoint_names[0])?;
            if dtype == array.ty.dtype {
                return Ok(values);
            }
            let from = TensorType { dtype, ..array.ty.clone() };
            let converted =
                self.run(&convert_program(&from, array.ty.dtype, layout.as_ref(), Lying::InParts), &[&values])?;
            // Programs run behind the host, which would bring many tensors more before the first are converted.
            converted.wait()?;
            return Ok(converted);
        }
        let mut stack = self.full(array, 0.0)?;
        for (index, name) in array.checkpoint_names.iter().enumerate() {
            let (values, dtype) = tensor(self, name)?;
            let index = self.everywhere(&HostTensor::scalar(index as i32))?;
            stack = self.run(&place_program(array, dtype, layout.as_ref()), &[&stack, &values, &index])?;
        }
        Ok(stack)
    }

    fn full(&mut self, array: &ParamArray, value: f64) -> Result<Array> {
        let layout = self.layout(array)?;
        self.run(&full_program(&array.ty, value, layout.as_ref()), &[])
    }

    /// How an array of a parameter lies, as [`layout`] tells it.
    fn layout(&self, array: &ParamArray) -> Result<Option<Partition>> {
        Ok(self.sharding(array)?.map(|sharding| layout(&sharding)))
    }

    fn sharding(&self, array: &ParamArray) -> Result<Option<Sharding>> {
        let Some(partition) = &self.partition else { return Ok(None) };
        let sharding = partition.of_parameter(&array.name, &array.ty.axes, array.stacked);
        Ok(Some(sharding.map_err(GraphError::from).map_err(|cause| Error::Layout { cause })?))
    }

    /// Copies one of an array's tensors to where its elements belong.
    fn upload(&self, tensor: &HostTensor<'_>, array: &ParamArray) -> Result<Array> {
        let Some(layout) = self.layout(array)? else { return self.everywhere(tensor) };
        self.session.upload_parts(tensor, Some(&layout.of_activation(&own_type(array).axes)))
    }

    /// Copies a tensor to each device.
    fn everywhere(&self, tensor: &HostTensor<'_>) -> Result<Array> {
        let replicated = |partition: &Partition| Sharding::replicated(&partition.mesh, tensor.shape().len());
        self.session.upload_parts(tensor, self.partition.as_ref().map(replicated).as_ref())
    }

    fn run(&mut self, program: &Program, inputs: &[&Array]) -> Result<Array> {
        Ok(self.run_all(program, inputs)?.remove(0))
    }

    fn run_all(&mut self, program: &Program, inputs: &[&Array]) -> Result<Vec<Array>> {
        if !self.programs.contains_key(&program.text) {
            let compiled = self.session.compile_program(program)?;
            self.programs.insert(program.text.clone(), compiled);
        }
        let inputs: Vec<_> = inputs.iter().map(|array| array.parts()).collect();
        let outputs = run_on_all(&self.programs[&program.text], &inputs)?;
        let arrays = outputs.into_iter().zip(&program.outputs);
        Ok(arrays.map(|(parts, output)| Array::new(parts, output.sharding.clone())).collect())
    }
}

/// How an array lies, said of its axes as [`plain_axes`] names them: arrays of one shape that lie alike share programs.
fn layout(sharding: &Sharding) -> Partition {
    layout_of(&[(&NAMES, sharding)])
}

/// How arrays lie together, each with axes of such names, on one mesh.
fn layout_of(arrays: &[(&[&'static str; 8], &Sharding)]) -> Partition {
    let of_array = |(names, sharding): &(&[&'static str; 8], &Sharding)| -> Vec<AxisRule> {
        names.iter().zip(sharding.dims()).map(|(axis, over)| AxisRule::new(axis, over)).collect()
    };
    let activations = AxisTable::of(arrays.iter().flat_map(of_array).collect());
    Partition {
        mesh: arrays[0].1.mesh().clone(),
        parameters: AxisTable::default(),
        activations,
        narrow_sums: false,
        exchanges_in_order: false,
    }
}

/// A stream number for a name: FNV-1a.
fn stream_of(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Traces a program with one result over a shape that is known to be right.
fn program(
    name: &str,
    layout: Option<&Partition>,
    trace: impl for<'g> FnOnce(&'g Graph) -> (Tensor<'g>, Option<Tensor<'g>>),
) -> Program {
    try_program(name, layout, trace).expect("fixed programs over a checked shape are well-formed")
}

/// Traces a program with one result, which may take over the memory of an argument.
fn try_program(
    name: &str,
    layout: Option<&Partition>,
    trace: impl for<'g> FnOnce(&'g Graph) -> (Tensor<'g>, Option<Tensor<'g>>),
) -> std::result::Result<Program, GraphError> {
    let graph = Graph::on(layout.cloned());
    let (result, donated) = trace(&graph);
    let donated: Vec<_> = donated.into_iter().map(|input| (input, 0)).collect();
    graph.lower(name, &[("result", result)], &donated)
}

/// The type of each of an array's tensors, with axes as [`plain_axes`] names the array's.
fn own_type(array: &ParamArray) -> TensorType {
    TensorType::new(array.ty.dtype, &plain_axes(&array.ty)[array.stacked..])
}

const NAMES: [&str; 8] = ["d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7"];
/// Of axes that no layout says anything of.
const WHOLE_NAMES: [&str; 8] = ["w0", "w1", "w2", "w3", "w4", "w5", "w6", "w7"];
const STACK: &str = "stack";

/// Axes under fixed names, so that parameters of one shape share a program.
fn plain_axes(ty: &TensorType) -> Vec<Axis> {
    ty.axes.iter().zip(NAMES).map(|(axis, name)| axis.named(name)).collect()
}

/// How a result lies on several devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lying {
    /// As the parameter does.
    InParts,
    /// Each device has all of it.
    Whole,
}

impl Lying {
    /// The tensor, with axes that a [`layout`] knows or does not.
    fn of(self, tensor: Tensor<'_>) -> Tensor<'_> {
        let axes = if self == Lying::Whole { tensor.axes() } else { Vec::new() };
        axes.iter().zip(WHOLE_NAMES).fold(tensor, |tensor, (axis, name)| tensor.rename(axis.name, name))
    }
}

fn convert_program(from: &TensorType, to: DType, layout: Option<&Partition>, lying: Lying) -> Program {
    program("convert", layout, |graph| {
        let tensor = graph.input("tensor", from.dtype, &plain_axes(from)).cast(to);
        (lying.of(tensor), None)
    })
}

fn full_program(ty: &TensorType, value: f64, layout: Option<&Partition>) -> Program {
    program("full", layout, |graph| (graph.full(value, ty.dtype, &plain_axes(ty)), None))
}

fn place_program(array: &ParamArray, from: DType, layout: Option<&Partition>) -> Program {
    let axes = plain_axes(&array.ty);
    let (stacked, own) = axes.split_at(array.stacked);
    program("place_layer", layout, |graph| {
        let stack = graph.input("stack", array.ty.dtype, &axes);
        let tensor = graph.input("tensor", from, own).cast(array.ty.dtype);
        let index = graph.input("index", DType::I32, &[]);
        let row: Vec<Axis> = std::iter::once(Axis::new(STACK, 1)).chain(own.iter().copied()).collect();
        let placed =
            stack.merge(&NAMES[..stacked.len()], STACK).dynamic_update(tensor.broadcast(&row), &[(STACK, index)]);
        (placed.split(STACK, stacked), Some(stack))
    })
}

fn layer_program(array: &ParamArray, to: DType, layout: Option<&Partition>, lying: Lying) -> Program {
    let axes = plain_axes(&array.ty);
    program("read_layer", layout, |graph| {
        let stack = graph.input("stack", array.ty.dtype, &axes).merge(&NAMES[..array.stacked], STACK);
        let index = graph.input("index", DType::I32, &[]);
        let first = axes.get(array.stacked).map(|axis| axis.name);
        let row = stack.dynamic_slice(&[(STACK, index, 1)]);
        let tensor = match first {
            Some(first) => row.merge(&[STACK, first], first),
            None => row.sum(&[STACK]),
        };
        (lying.of(tensor.cast(to)), None)
    })
}

fn init_program(ty: &TensorType, init: Init, layout: Option<&Partition>) -> std::result::Result<Program, GraphError> {
    let axes = &ty.axes;
    try_program("init", layout, |graph| {
        let seed = graph.input("seed", DType::U32, &[]);
        let stream = graph.input("stream", DType::U32, &[]);
        let key = RandomKey::new(seed).fold_in(stream);
        let values = match init {
            Init::Zeros => graph.full(0.0, ty.dtype, axes),
            Init::Ones => graph.full(1.0, ty.dtype, axes),
            Init::Normal(standard_deviation) => key.normal(axes) * standard_deviation,
            Init::Uniform(bound) => (key.uniform(axes) * 2.0 - 1.0) * bound,
            Init::Constant(value) => graph.full(value, ty.dtype, axes),
            Init::LogCount => match axes.last() {
                Some(last) => (graph.iota(*last, DType::F32) + 1.0).log().broadcast(axes),
                None => graph.constant(0.0, ty.dtype),
            },
            Init::SoftplusInverse { low, high, floor } => {
                let drawn = (key.uniform(axes) * (high / low).ln() + low.ln()).exp().maximum(floor);
                drawn + (-(-drawn).expm1()).log()
            }
        };
        (values.cast(ty.dtype), None)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only traced: 32 GB would be drawn.
    #[test]
    fn a_parameter_of_more_than_4_giga_elements_can_be_drawn() {
        for init in [Init::Normal(0.02), Init::Uniform(0.1), Init::Zeros, Init::Ones] {
            let axes = [Axis::new("vocab", 1 << 18), Axis::new("embed", 1 << 15)];
            let program = init_program(&TensorType::new(DType::F32, &axes), init, None).unwrap();
            assert_eq!(program.outputs[0].ty.shape(), [1 << 18, 1 << 15]);
        }
    }
}
