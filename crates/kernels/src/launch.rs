//! How a kernel reaches a device. Another road would replace this file.

use graph::{CustomCall, Graph, Tensor, TensorType};

use crate::ir::Kernel;
use crate::triton;

/// A kernel with the grid of programs that run it, and with what it gives.
#[derive(Clone, Debug)]
pub struct Launch {
    /// What each program does.
    pub kernel: Kernel,
    /// How many programs run along each dimension of the kernel's grid.
    pub grid: [usize; 3],
    /// What a graph calls. The interpreter runs the kernel whatever that is, so that one reference holds for all.
    pub code: Code,
    /// The arrays that it writes, row-major: each element has to be written, but of those in place of others.
    pub results: Vec<TensorType>,
    /// Which results stand where an array stood that is read: elements that are not written stay what they were. Pairs of places among results and
    /// among what is read. A kernel reads none of the elements of such an array that any of its programs writes.
    pub in_place: Vec<(usize, usize)>,
}

/// What a graph calls for a launch.
#[derive(Clone, Debug)]
pub enum Code {
    /// The kernel, as Triton compiles it.
    Triton {
        /// How many warps (NVIDIA: of 32 lanes, AMD: waves of 64) run a program.
        warps: usize,
        /// In how many stages a loop's loads are done ahead of their use.
        stages: usize,
    },
    /// What computes the same as the kernel, for the devices that it is written for, with a grid of its own.
    ByHand(ByHand),
}

/// A kernel in PTX. It is given where each array lies that is read, then where each lies that is written, in the order of the launch's.
#[derive(Clone, Debug)]
pub struct ByHand {
    /// The entry's name, under which profilers show it.
    pub name: String,
    /// A module with that entry.
    pub text: String,
    /// How many programs there are, along the first dimension of the grid.
    pub programs: usize,
    /// Threads of a program.
    pub threads: usize,
    /// Bytes of shared memory of a program, whose size the text leaves open.
    pub shared: usize,
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
const TRITON: &str = "__gpu$xla.gpu.triton";

/// The name under which that for NVIDIA's loads PTX.
const PTX: &str = "__gpu$xla.gpu.ptx";

impl<'g> Road for &'g Graph {
    type Array = Tensor<'g>;

    fn run(&self, launch: &Launch, inputs: &[Tensor<'g>]) -> Vec<Tensor<'g>> {
        let (target, backend_config) = match &launch.code {
            Code::ByHand(by_hand) => (PTX, by_hand.backend_config(launch.kernel.flops)),
            Code::Triton { warps, stages } => (TRITON, launch.backend_config(*warps, *stages)),
        };
        let call = CustomCall {
            target: target.to_owned(),
            api_version: 4,
            backend_config,
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

    fn backend_config(&self, warps: usize, stages: usize) -> String {
        let [x, y, z] = self.grid;
        let ir = escaped(&self.text());
        format!(
            "{{debug = false, flops = {} : i64, grid_x = {x} : i32, grid_y = {y} : i32, grid_z = {z} : i32, ir = \"{ir}\", \
             name = \"{}\", num_stages = {stages} : i32, num_warps = {warps} : i32}}",
            // A whole number: XLA writes others by their bits.
            self.kernel.flops as u64,
            self.kernel.name()
        )
    }
}

impl ByHand {
    fn backend_config(&self, flops: f64) -> String {
        let ByHand { name, text, programs, threads, shared } = self;
        format!(
            "{{block_x = {threads} : i32, block_y = 1 : i32, block_z = 1 : i32, flops = {} : i64, grid_x = {programs} : i32, grid_y = 1 : i32, \
             grid_z = 1 : i32, kernel_data = \"{}\", kernel_type = \"ptx\", name = \"{name}\", shared_mem_bytes = {shared} : i32}}",
            flops as u64,
            escaped(text)
        )
    }
}

/// As a string of MLIR's.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\5C").replace('"', "\\22").replace('\n', "\\0A")
}

#[cfg(test)]
mod tests {
    use graph::{Axis, DType};

    use super::*;
    use crate::{Array, Builder, Interpreter};

    /// Writes a 1.
    fn one(grid: [usize; 3], code: Code) -> Launch {
        let k = Builder::new("one");
        k.output("result", DType::F32).store(k.zeros(&[]) + 1.0);
        let kernel = k.finish().expect("it is built");
        let results = vec![TensorType::new(DType::F32, &[] as &[Axis])];
        Launch { kernel, grid, code, results, in_place: Vec::new() }
    }

    fn program(launch: &Launch) -> String {
        let graph = Graph::new();
        let result = (&graph).run(launch, &[]).remove(0);
        graph.lower("of", &[("result", result)], &[]).expect("it can be lowered").text
    }

    #[test]
    fn a_graph_calls_triton_with_warps_and_stages() {
        let text = program(&one([5, 6, 7], Code::Triton { warps: 2, stages: 3 }));
        for told in [
            "@__gpu$xla.gpu.triton(",
            "grid_x = 5 : i32, grid_y = 6 : i32, grid_z = 7 : i32",
            "num_stages = 3 : i32, num_warps = 2 : i32",
        ] {
            assert!(text.contains(told), "{told}: {text}");
        }
    }

    /// Where a launch brings along code by hand, that is for devices, and the kernel for the interpreter.
    #[test]
    fn a_graph_calls_code_by_hand() {
        let code = ByHand {
            name: "by_hand".to_owned(),
            text: ".entry \"\\\n".to_owned(),
            programs: 3,
            threads: 96,
            shared: 64,
        };
        let launch = one([1; 3], Code::ByHand(code));
        let interpreter = Interpreter::default();
        let results: Vec<Array> = (&interpreter).run(&launch, &[]);
        assert_eq!(results[0].numbers(), [1.0]);
        let text = program(&launch);
        let config = r#"{block_x = 96 : i32, block_y = 1 : i32, block_z = 1 : i32, flops = 0 : i64, grid_x = 3 : i32, grid_y = 1 : i32, grid_z = 1 : i32, kernel_data = ".entry \22\5C\0A", kernel_type = "ptx", name = "by_hand", shared_mem_bytes = 64 : i32}"#;
        assert!(text.contains("@__gpu$xla.gpu.ptx(") && text.contains(config), "{text}");
    }
}
