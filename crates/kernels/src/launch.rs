//! How a kernel reaches a device. Another road would replace this file.

use graph::{CustomCall, Graph, Tensor, TensorType};

use crate::ir::Kernel;
use crate::triton;

/// A kernel with the grid of programs that run it, and with what it gives.
#[derive(Clone, Debug)]
pub struct Launch {
    /// What each program does.
    pub kernel: Kernel,
    /// How many programs run along each dimension of the grid.
    pub grid: [usize; 3],
    /// How many warps (NVIDIA: of 32 lanes, AMD: waves of 64) run a program.
    pub warps: usize,
    /// In how many stages a loop's loads are done ahead of their use.
    pub stages: usize,
    /// The arrays that it writes, row-major: each element has to be written, but of those in place of others.
    pub results: Vec<TensorType>,
    /// Which results stand where an array stood that is read: elements that are not written stay what they were. Pairs of places among results and
    /// among what is read. A kernel reads none of the elements of such an array that any of its programs writes.
    pub in_place: Vec<(usize, usize)>,
}

/// The most programs along the second and the third dimension of a grid.
pub(crate) const GRID_MAX: usize = 65_535;

/// Where launches go: to a device, by a graph, or to the interpreter.
pub trait Road {
    /// What stands for an array there.
    type Array: Clone;

    /// Runs a launch on the arrays that it reads; gives those that it writes.
    fn run(&self, launch: &Launch, inputs: &[Self::Array]) -> Vec<Self::Array>;
}

/// The name under which XLA's plugins for GPUs compile Triton IR.
const TARGET: &str = "__gpu$xla.gpu.triton";

impl<'g> Road for &'g Graph {
    type Array = Tensor<'g>;

    fn run(&self, launch: &Launch, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        let call = CustomCall {
            target: TARGET.to_owned(),
            api_version: 4,
            backend_config: launch.backend_config(),
            operand_layouts: vec![None; inputs.len()],
            results: launch.results.iter().map(|ty| (ty.clone(), None)).collect(),
            in_place: launch.in_place.clone(),
        };
        self.custom_call(call, inputs)
    }
}

impl Launch {
    /// The kernel in Triton's IR.
    pub fn text(&self) -> String {
        triton::print(&self.kernel)
    }

    fn backend_config(&self) -> String {
        let [x, y, z] = self.grid;
        let ir = self.text().replace('\\', "\\5C").replace('"', "\\22").replace('\n', "\\0A");
        format!(
            "{{debug = false, flops = {} : i64, grid_x = {x} : i32, grid_y = {y} : i32, grid_z = {z} : i32, ir = \"{ir}\", \
             name = \"{}\", num_stages = {} : i32, num_warps = {} : i32}}",
            // A whole number: XLA writes others by their bits.
            self.kernel.flops as u64,
            self.kernel.name(),
            self.stages,
            self.warps
        )
    }
}
