//! Parameters on a device: loaded from files, drawn afresh, read back.
//!
//! On the device a parameter is one array, or one for each layer; in files it is one tensor for each layer. Tensors cross one at a time,
//! so host memory never holds more than one of them, and are converted and, if need be, stacked on the device.

use std::collections::HashMap;

use graph::{Axis, DType, Graph, GraphError, HostTensor, Init, ParamArray, Program, RandomKey, Tensor, TensorType};
use pjrt::{Buffer, CompileOptions, Executable};

use crate::{Array, Error, Result, Session};

/// Moves parameters between files and a device. Keeps the small programs that do it, one for each shape.
pub struct Parameters<'s> {
    session: &'s Session,
    programs: HashMap<String, Executable>,
}

impl<'s> Parameters<'s> {
    /// For the first device of `session`.
    pub fn new(session: &'s Session) -> Parameters<'s> {
        Parameters { session, programs: HashMap::new() }
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
            Ok((parameters.session.upload(&tensor)?, tensor.dtype()))
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
        let program = init_program(&tensor_type(array), array.init)
            .map_err(|cause| Error::Init { name: array.name.clone(), cause })?;
        let seed = self.session.upload(&HostTensor::scalar(seed))?;
        self.assemble(array, |parameters, name| {
            let stream = parameters.session.upload(&HostTensor::scalar(stream_of(name)))?;
            Ok((parameters.run(&program, &[&seed, &stream])?, array.ty.dtype))
        })
    }

    /// An array of zeros.
    ///
    /// # Errors
    /// The device's memory is full.
    pub fn zeros(&mut self, array: &ParamArray) -> Result<Array> {
        self.full(array, 0.0)
    }

    /// Copies one of the checkpoint's tensors that an array holds, by its position among them, to the host, in element type `dtype`.
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
        let whole = values.buffer();
        if array.stacked == 0 && array.ty.dtype == dtype {
            return self.session.download(whole);
        }
        let tensor = match array.stacked {
            0 => self.run(&convert_program(&array.ty, dtype), &[whole])?,
            _ => {
                let index = self.session.upload(&HostTensor::scalar(position as i32))?;
                self.run(&layer_program(array, dtype), &[whole, &index])?
            }
        };
        self.session.download(&tensor)
    }

    /// Makes an array of its tensors, which `tensor` brings to the device one at a time and tells the types of.
    fn assemble<E: From<Error>>(
        &mut self,
        array: &ParamArray,
        mut tensor: impl FnMut(&mut Self, &str) -> std::result::Result<(Buffer, DType), E>,
    ) -> std::result::Result<Array, E> {
        if array.stacked == 0 {
            let (buffer, dtype) = tensor(self, &array.checkpoint_names[0])?;
            if dtype == array.ty.dtype {
                return Ok(buffer.into());
            }
            let from = TensorType { dtype, ..array.ty.clone() };
            let converted = self.run(&convert_program(&from, array.ty.dtype), &[&buffer])?;
            // Programs run behind the host, which would bring many tensors more before the first are converted.
            converted.wait().map_err(Error::from)?;
            return Ok(converted.into());
        }
        let mut stack = self.run(&full_program(&array.ty, 0.0), &[])?;
        for (index, name) in array.checkpoint_names.iter().enumerate() {
            let (buffer, dtype) = tensor(self, name)?;
            let index = self.session.upload(&HostTensor::scalar(index as i32))?;
            stack = self.run(&place_program(array, dtype), &[&stack, &buffer, &index])?;
        }
        Ok(stack.into())
    }

    fn full(&mut self, array: &ParamArray, value: f64) -> Result<Array> {
        Ok(self.run(&full_program(&array.ty, value), &[])?.into())
    }

    fn run(&mut self, program: &Program, inputs: &[&Buffer]) -> Result<Buffer> {
        if !self.programs.contains_key(&program.text) {
            let compiled = self.session.compile(&program.name, &program.text, &CompileOptions::default())?;
            self.programs.insert(program.text.clone(), compiled);
        }
        let mut outputs = self.programs[&program.text].execute(inputs)?;
        Ok(outputs.remove(0))
    }
}

/// A stream number for a name: FNV-1a.
fn stream_of(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Traces a program with one result over a shape that is known to be right.
fn program(name: &str, trace: impl for<'g> FnOnce(&'g Graph) -> (Tensor<'g>, Option<Tensor<'g>>)) -> Program {
    try_program(name, trace).expect("fixed programs over a checked shape are well-formed")
}

/// Traces a program with one result, which may take over the memory of an argument.
fn try_program(
    name: &str,
    trace: impl for<'g> FnOnce(&'g Graph) -> (Tensor<'g>, Option<Tensor<'g>>),
) -> std::result::Result<Program, GraphError> {
    let graph = Graph::new();
    let (result, donated) = trace(&graph);
    let donated: Vec<_> = donated.into_iter().map(|input| (input, 0)).collect();
    graph.lower(name, &[("result", result)], &donated)
}

/// The type of each of an array's tensors.
fn tensor_type(array: &ParamArray) -> TensorType {
    TensorType::new(array.ty.dtype, &array.ty.axes[array.stacked..])
}

const NAMES: [&str; 8] = ["d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7"];
const STACK: &str = "stack";

/// Axes under fixed names, so that parameters of one shape share a program.
fn plain_axes(ty: &TensorType) -> Vec<Axis> {
    ty.axes.iter().zip(NAMES).map(|(axis, name)| axis.named(name)).collect()
}

fn convert_program(from: &TensorType, to: DType) -> Program {
    program("convert", |graph| (graph.input("tensor", from.dtype, &plain_axes(from)).cast(to), None))
}

fn full_program(ty: &TensorType, value: f64) -> Program {
    program("full", |graph| (graph.full(value, ty.dtype, &plain_axes(ty)), None))
}

fn place_program(array: &ParamArray, from: DType) -> Program {
    let axes = plain_axes(&array.ty);
    let (stacked, own) = axes.split_at(array.stacked);
    program("place_layer", |graph| {
        let stack = graph.input("stack", array.ty.dtype, &axes);
        let tensor = graph.input("tensor", from, own).cast(array.ty.dtype);
        let index = graph.input("index", DType::I32, &[]);
        let row: Vec<Axis> = std::iter::once(Axis::new(STACK, 1)).chain(own.iter().copied()).collect();
        let placed =
            stack.merge(&NAMES[..stacked.len()], STACK).dynamic_update(tensor.broadcast(&row), &[(STACK, index)]);
        (placed.split(STACK, stacked), Some(stack))
    })
}

fn layer_program(array: &ParamArray, to: DType) -> Program {
    let axes = plain_axes(&array.ty);
    program("read_layer", |graph| {
        let stack = graph.input("stack", array.ty.dtype, &axes).merge(&NAMES[..array.stacked], STACK);
        let index = graph.input("index", DType::I32, &[]);
        let first = axes.get(array.stacked).map(|axis| axis.name);
        let row = stack.dynamic_slice(&[(STACK, index, 1)]);
        let tensor = match first {
            Some(first) => row.merge(&[STACK, first], first),
            None => row.sum(&[STACK]),
        };
        (tensor.cast(to), None)
    })
}

fn init_program(ty: &TensorType, init: Init) -> std::result::Result<Program, GraphError> {
    let axes = plain_axes(ty);
    try_program("init", |graph| {
        let seed = graph.input("seed", DType::U32, &[]);
        let stream = graph.input("stream", DType::U32, &[]);
        let key = RandomKey::new(seed).fold_in(stream);
        let values = match init {
            Init::Zeros => graph.full(0.0, ty.dtype, &axes),
            Init::Ones => graph.full(1.0, ty.dtype, &axes),
            Init::Normal(standard_deviation) => key.normal(&axes) * standard_deviation,
            Init::Uniform(bound) => (key.uniform(&axes) * 2.0 - 1.0) * bound,
            Init::Constant(value) => graph.full(value, ty.dtype, &axes),
            Init::LogCount => match axes.last() {
                Some(last) => (graph.iota(*last, DType::F32) + 1.0).log().broadcast(&axes),
                None => graph.constant(0.0, ty.dtype),
            },
            Init::SoftplusInverse { low, high, floor } => {
                let drawn = (key.uniform(&axes) * (high / low).ln() + low.ln()).exp().maximum(floor);
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
            let program = init_program(&TensorType::new(DType::F32, &axes), init).unwrap();
            assert_eq!(program.outputs[0].ty.shape(), [1 << 18, 1 << 15]);
        }
    }
}
