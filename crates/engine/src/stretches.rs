//! What DoRA multiplies the rows of weights with, computed once: in a program that runs for each token it would cost a product of the size of
//! each weight.

use checkpoint::{ModelSource, cast};
use graph::{Axis, DType, Graph, HostTensor};
use models::{LinearModule, Lora, stretch};
use runtime::Session;

use crate::error::Result;
use crate::host_programs::HostPrograms;

/// The stretches of a model that is held in `dtype`.
pub(crate) struct Stretches<'a> {
    source: &'a ModelSource,
    lora: &'a Lora,
    linear: Vec<LinearModule>,
    dtype: DType,
    programs: HostPrograms<'a>,
}

impl<'a> Stretches<'a> {
    /// Of the adapters `lora` beside modules that are among `linear`.
    pub(crate) fn new(
        session: &'a Session,
        source: &'a ModelSource,
        lora: &'a Lora,
        linear: Vec<LinearModule>,
        dtype: DType,
    ) -> Stretches<'a> {
        Stretches { source, lora, linear, dtype, programs: HostPrograms::new(session) }
    }

    /// What stands in place of the magnitude of that name, f32 (output) at least; `None` for the name of another parameter.
    pub(crate) fn in_place_of(&mut self, name: &str) -> Result<Option<HostTensor<'static>>> {
        let Some(module) = Lora::module_of_magnitude(name) else { return Ok(None) };
        let of_module = |linear: &LinearModule| Some((linear.weight_of(module)?, linear.transposed));
        let (weight, transposed) = self.linear.iter().find_map(of_module).expect("magnitudes are of linear modules");
        // Rounded here: inside of a program, XLA is free to leave out a conversion and its inverse.
        let held = |name: &str| -> Result<HostTensor<'_>> {
            Ok(cast(self.source.tensor(name)?, self.dtype).expect("a model's tensors are floats"))
        };
        let (a, b) = (held(&format!("{module}.lora_A.weight"))?, held(&format!("{module}.lora_B.weight"))?);
        let (rank, input) = (Axis::new("rank", a.shape()[0]), Axis::new("input", a.shape()[1]));
        let output = Axis::new("output", b.shape()[0]);
        let stored = if transposed { [input, output] } else { [output, input] };
        let inputs = [held(&weight)?, a, b, self.source.tensor(name)?];
        let graph = Graph::new();
        let declare = |at: usize, name, axes: &[Axis]| graph.input(name, inputs[at].dtype(), axes);
        let (weight, a, b) =
            (declare(0, "weight", &stored), declare(1, "a", &[rank, input]), declare(2, "b", &[output, rank]));
        let magnitude = declare(3, "magnitude", &[output]);
        let result = stretch(magnitude, weight, [a, b], self.lora.modules[module].scale, input.name);
        let program = graph.lower("stretch", &[("stretch", result)], &[])?;
        Ok(Some(self.programs.run(&program, &inputs.each_ref())?))
    }
}
