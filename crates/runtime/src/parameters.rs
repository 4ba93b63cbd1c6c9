//! Parameters on a device: loaded from files, drawn afresh, read back.
//!
//! Layers' parameters are stacked on the device and single in files. They cross one tensor at a time, so host memory never holds more than
//! one of them, and are converted and stacked on the device.

use std::collections::HashMap;

use graph::{Axis, DType, Graph, HostTensor, Init, ParamSpec, Program, RandomKey, Tensor, TensorType};
use pjrt::{Buffer, CompileOptions, Executable};

use crate::{Result, Session};

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

    /// Brings a parameter to the device. `read` gives the tensor of a checkpoint by name, of the shape that `spec` says, in any
    /// floating-point type; it is called once for each layer.
    ///
    /// # Errors
    /// What `read` fails with, or the device.
    pub fn load<'t, E: From<crate::Error>>(
        &mut self,
        spec: &ParamSpec,
        mut read: impl FnMut(&str) -> std::result::Result<HostTensor<'t>, E>,
    ) -> std::result::Result<Buffer, E> {
        let names = spec.checkpoint_names();
        if spec.stack.is_none() {
            let tensor = read(&names[0])?;
            let buffer = self.session.upload(&tensor)?;
            if tensor.dtype() == spec.dtype {
                return Ok(buffer);
            }
            return Ok(self.run(&convert_program(spec, tensor.dtype()), &[&buffer])?);
        }
        let mut stack = self.run(&zeros_program(spec), &[])?;
        for (index, name) in names.iter().enumerate() {
            let tensor = read(name)?;
            let layer = self.session.upload(&tensor)?;
            let index = self.session.upload(&HostTensor::scalar(index as i32))?;
            stack = self.run(&place_program(spec, tensor.dtype()), &[&stack, &layer, &index])?;
        }
        Ok(stack)
    }

    /// Draws a parameter's initial values from `seed` and its name.
    ///
    /// # Errors
    /// The device's memory is full.
    pub fn init(&mut self, spec: &ParamSpec, seed: u32) -> Result<Buffer> {
        let seed = self.session.upload(&HostTensor::scalar(seed))?;
        let stream = self.session.upload(&HostTensor::scalar(stream_of(&spec.name)))?;
        self.run(&init_program(spec), &[&seed, &stream])
    }

    /// A buffer of zeros.
    ///
    /// # Errors
    /// The device's memory is full.
    pub fn zeros(&mut self, spec: &ParamSpec) -> Result<Buffer> {
        self.run(&zeros_program(spec), &[])
    }

    /// Copies one layer's tensor of a parameter to the host (the whole parameter if it is not stacked), in element type `dtype`.
    ///
    /// # Errors
    /// The buffer was donated or what was to compute it failed.
    pub fn read(
        &mut self,
        spec: &ParamSpec,
        buffer: &Buffer,
        layer: usize,
        dtype: DType,
    ) -> Result<HostTensor<'static>> {
        if spec.stack.is_none() && spec.dtype == dtype {
            return self.session.download(buffer);
        }
        let index = self.session.upload(&HostTensor::scalar(layer as i32))?;
        let tensor = self.run(&layer_program(spec, dtype), &[buffer, &index])?;
        self.session.download(&tensor)
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

/// Traces a program with one result.
fn program(name: &str, trace: impl for<'g> FnOnce(&'g Graph) -> (Tensor<'g>, Option<Tensor<'g>>)) -> Program {
    let graph = Graph::new();
    let (result, donated) = trace(&graph);
    let donated: Vec<_> = donated.into_iter().map(|input| (input, 0)).collect();
    graph.lower(name, &[("result", result)], &donated).expect("fixed programs over a checked shape are well-formed")
}

/// Axes under fixed names, so that parameters of one shape share a program.
fn plain_axes(ty: &TensorType) -> Vec<Axis> {
    const NAMES: [&str; 6] = ["d0", "d1", "d2", "d3", "d4", "d5"];
    ty.axes.iter().zip(NAMES).map(|(axis, name)| axis.named(name)).collect()
}

fn convert_program(spec: &ParamSpec, from: DType) -> Program {
    let axes = plain_axes(&spec.tensor_type());
    program("convert", |graph| (graph.input("tensor", from, &axes).cast(spec.dtype), None))
}

fn zeros_program(spec: &ParamSpec) -> Program {
    let axes = plain_axes(&spec.tensor_type());
    program("zeros", |graph| (graph.full(0.0, spec.dtype, &axes), None))
}

fn place_program(spec: &ParamSpec, from: DType) -> Program {
    let axes = plain_axes(&spec.tensor_type());
    program("place_layer", |graph| {
        let stack = graph.input("stack", spec.dtype, &axes);
        let layer = graph.input("layer", from, &axes[1..]).cast(spec.dtype);
        let index = graph.input("index", DType::I32, &[]);
        let row: Vec<Axis> = std::iter::once(Axis::new("d0", 1)).chain(axes[1..].iter().copied()).collect();
        (stack.dynamic_update(layer.broadcast(&row), &[("d0", index)]), Some(stack))
    })
}

fn layer_program(spec: &ParamSpec, to: DType) -> Program {
    let axes = plain_axes(&spec.tensor_type());
    program("read_layer", |graph| {
        let whole = graph.input("parameter", spec.dtype, &axes);
        let index = graph.input("index", DType::I32, &[]);
        let layer = match spec.stack {
            Some(_) => whole.dynamic_slice(&[("d0", index, 1)]).sum(&["d0"]),
            None => whole,
        };
        (layer.cast(to), None)
    })
}

fn init_program(spec: &ParamSpec) -> Program {
    let axes = plain_axes(&spec.tensor_type());
    program("init", |graph| {
        let seed = graph.input("seed", DType::U32, &[]);
        let stream = graph.input("stream", DType::U32, &[]);
        let key = RandomKey::new(seed).fold_in(stream);
        let values = match spec.init {
            Init::Zeros => graph.full(0.0, spec.dtype, &axes),
            Init::Ones => graph.full(1.0, spec.dtype, &axes),
            Init::Normal(standard_deviation) => key.normal(&axes) * standard_deviation,
            Init::Uniform(bound) => (key.uniform(&axes) * 2.0 - 1.0) * bound,
        };
        (values.cast(spec.dtype), None)
    })
}
