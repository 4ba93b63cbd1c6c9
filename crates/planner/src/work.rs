//! What a compiled program does on each device: its kernels with their products and bytes, and its exchanges.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use hlo::{Collective, Computation, Element, Instruction, Module, Shape};
use runtime::OptimizedProgram;
use runtime::aot::Nodes;
use serde_json::Value;

use crate::compiler;

/// All that a device does in a run of a program.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// Its kernels, in no order.
    pub(crate) kernels: Vec<Kernel>,
    /// Its exchanges with other devices, and how often it makes each.
    pub(crate) exchanges: Vec<(Collective, f64)>,
    /// Loops of which the compiler does not know how often they run; they are counted as if once.
    pub loops_unknown: usize,
    /// How often each routine of a library and each kernel of our own is called, by its name.
    pub calls: BTreeMap<String, f64>,
    /// Names of the fusions that multiply matrices with no side below [`WIDE`], for which the compiler makes kernels itself.
    pub products_made: BTreeSet<String>,
}

/// The least side of what matrix units multiply.
const WIDE: f64 = 16.0;

/// What runs as one: an instruction, or several that are fused.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Kernel {
    /// FLOPs of products of 8-bit floats.
    pub(crate) float8: f64,
    /// The types of their factors.
    pub(crate) factors: Option<[&'static str; 2]>,
    /// The least side of a product that is no call: rows, columns, or what is summed over.
    pub(crate) narrowest: f64,
    /// FLOPs of products of bf16 or f16.
    pub(crate) half: f64,
    /// FLOPs of products of f32.
    pub(crate) single: f64,
    /// FLOPs of fused attention; where it is causal, of the half that it computes.
    pub(crate) attention: f64,
    /// Bytes of memory that it reads and writes.
    pub(crate) bytes: f64,
    /// How often it runs.
    pub(crate) count: f64,
}

impl Work {
    /// That of a program as a plugin tells it, on so many machines.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn of_program(optimized: &OptimizedProgram, nodes: Nodes) -> Result<Work, hlo::Malformed> {
        Ok(Work::of(&compiler::module(optimized)?, nodes))
    }

    /// That of a program on so many machines.
    pub fn of(module: &Module, nodes: Nodes) -> Work {
        let mut work = Work::default();
        each(module, module.entry(), 1.0, nodes, &mut |instruction, found| match found {
            Found::Kernel(kernel) => work.add(instruction, kernel),
            Found::Exchange(collective, count) => work.exchanges.push((collective, count)),
            Found::LoopUnknown => work.loops_unknown += 1,
        });
        work
    }

    fn add(&mut self, instruction: &Instruction, kernel: Kernel) {
        self.kernels.push(kernel);
        match instruction.opcode.as_str() {
            "custom-call" => {
                let name = instruction.kernel_name().unwrap_or(&instruction.target);
                *self.calls.entry(name.to_owned()).or_default() += kernel.count;
            }
            "fusion" if kernel.narrowest >= WIDE && kernel.float8 + kernel.half + kernel.single > 0.0 => {
                self.products_made.insert(instruction.name.clone());
            }
            _ => {}
        }
    }

    /// FLOPs of products of 8-bit floats, by the types of their factors.
    pub fn float8_flops(&self) -> BTreeMap<String, f64> {
        let mut flops = BTreeMap::new();
        for Kernel { count, float8, factors, .. } in &self.kernels {
            if let Some([left, right]) = factors {
                *flops.entry(format!("{left} {right}")).or_default() += count * float8;
            }
        }
        flops
    }

    /// FLOPs of all products, those of what is computed again too.
    pub fn flops(&self) -> f64 {
        self.kernels
            .iter()
            .map(|kernel| kernel.count * (kernel.float8 + kernel.half + kernel.single + kernel.attention))
            .sum()
    }
}

/// What an instruction does.
pub(crate) enum Found {
    Kernel(Kernel),
    /// An exchange, and how often it is made.
    Exchange(Collective, f64),
    /// A loop of which nobody knows how often it runs.
    LoopUnknown,
}

/// Tells of all that a computation does, in the order of its instructions, which runs so often.
pub(crate) fn each(
    module: &Module,
    computation: &Computation,
    count: f64,
    nodes: Nodes,
    tell: &mut dyn FnMut(&Instruction, Found),
) {
    let known = Known::of(computation);
    let (machine, machines) = (u64::from(nodes.devices), u64::from(nodes.count));
    for instruction in &computation.instructions {
        if let Some(collective) = Collective::of(instruction, machine * machines, machine) {
            // Of one device alone there is nothing to send.
            if collective.members > 1 {
                tell(instruction, Found::Exchange(collective, count));
            }
            continue;
        }
        match instruction.opcode.as_str() {
            _ if instruction.runs_nothing() => {}
            "while" => {
                let trips = instruction.trip_count();
                if trips.is_none() {
                    tell(instruction, Found::LoopUnknown);
                }
                for called in module.called(instruction) {
                    each(module, called, count * trips.unwrap_or(1) as f64, nodes, tell);
                }
            }
            "call" | "conditional" | "async-start" => {
                for called in module.called(instruction) {
                    each(module, called, count, nodes, tell);
                }
            }
            _ => tell(instruction, Found::Kernel(Kernel { count, ..kernel(module, instruction, &known) })),
        }
    }
}

/// The instructions of a computation by their numbers.
struct Known<'m>(HashMap<u64, &'m Instruction>);

impl<'m> Known<'m> {
    fn of(computation: &'m Computation) -> Known<'m> {
        Known(computation.instructions.iter().map(|instruction| (instruction.id, instruction)).collect())
    }

    fn operand(&self, instruction: &Instruction, at: usize) -> Option<&'m Instruction> {
        self.0.get(instruction.operands.get(at)?).copied()
    }

    fn bytes_of_operand(&self, instruction: &Instruction, at: usize) -> u64 {
        self.operand(instruction, at).map_or(0, |operand| operand.shape.bytes())
    }
}

fn kernel(module: &Module, instruction: &Instruction, known: &Known<'_>) -> Kernel {
    let mut kernel = products(instruction, known);
    let written = instruction.shape.bytes();
    let all: u64 = (0..instruction.operands.len()).map(|at| known.bytes_of_operand(instruction, at)).sum();
    let bytes = match instruction.opcode.as_str() {
        "fusion" => {
            let fused: Vec<&Computation> = module.called(instruction).collect();
            for computation in &fused {
                add_fused(module, computation, &mut kernel);
            }
            match fused.first() {
                Some(fused) => fused_bytes(fused, instruction, known),
                None => all + written,
            }
        }
        "dynamic-slice" | "slice" | "gather" => 2 * written,
        "dynamic-update-slice" => 2 * known.bytes_of_operand(instruction, 1),
        "scatter" => 3 * known.bytes_of_operand(instruction, 2),
        "iota" | "broadcast" | "rng-bit-generator" => written,
        "custom-call" => all + written - workspace(&instruction.shape),
        _ => all + written,
    };
    Kernel { bytes: bytes as f64, ..kernel }
}

/// Bytes that a library's kernel is given to work in, of which it uses what it likes: its last result, of plain bytes in one dimension.
fn workspace(shape: &Shape) -> u64 {
    match shape {
        Shape::Tuple(parts) => match parts.last() {
            Some(last @ Shape::Array(Element::Other(1), dims)) if dims.len() == 1 => last.bytes(),
            _ => 0,
        },
        Shape::Array(..) => 0,
    }
}

/// The products of what is fused, at any depth.
fn add_fused(module: &Module, computation: &Computation, kernel: &mut Kernel) {
    let known = Known::of(computation);
    for instruction in &computation.instructions {
        let Kernel { float8, factors, narrowest, half, single, .. } = products(instruction, &known);
        kernel.narrowest = if kernel.narrowest > 0.0 && narrowest > 0.0 {
            kernel.narrowest.min(narrowest)
        } else {
            kernel.narrowest + narrowest
        };
        kernel.float8 += float8;
        kernel.factors = kernel.factors.or(factors);
        kernel.half += half;
        kernel.single += single;
        for called in module.called(instruction) {
            add_fused(module, called, kernel);
        }
    }
}

/// What a fusion reads of its operands, and writes. Of what it only takes slices of, it reads those; what it puts a slice into stays where it is
/// but for that.
fn fused_bytes(fused: &Computation, instruction: &Instruction, outer: &Known<'_>) -> u64 {
    let known = Known::of(fused);
    let mut users: HashMap<u64, Vec<(&Instruction, usize)>> = HashMap::new();
    for user in &fused.instructions {
        for (at, operand) in user.operands.iter().enumerate() {
            users.entry(*operand).or_default().push((user, at));
        }
    }
    let parameters = fused.instructions.iter().filter(|inner| inner.opcode == "parameter");
    let read: u64 = parameters
        .map(|parameter| {
            let whole = outer.bytes_of_operand(instruction, parameter.parameter);
            bytes_used(parameter, &users).map_or(whole, |used| used.min(whole))
        })
        .sum();
    let results = match fused.root() {
        Some(root) if root.opcode == "tuple" => {
            (0..root.operands.len()).filter_map(|at| known.operand(root, at)).collect()
        }
        root => root.into_iter().collect::<Vec<_>>(),
    };
    read + results.into_iter().map(|result| bytes_written(result, &known)).sum::<u64>()
}

/// The bytes of a value that are read where all who use it take slices; `None` where one uses all of it.
fn bytes_used(value: &Instruction, users: &HashMap<u64, Vec<(&Instruction, usize)>>) -> Option<u64> {
    let (mut bytes, mut left) = (0, vec![value.id]);
    while let Some(id) = left.pop() {
        for (user, at) in users.get(&id)? {
            match (user.opcode.as_str(), at) {
                ("dynamic-slice" | "slice" | "gather", 0) => bytes += user.shape.bytes(),
                ("dynamic-update-slice", 0) => {}
                ("bitcast", _) => left.push(user.id),
                _ => return None,
            }
        }
    }
    Some(bytes)
}

fn bytes_written<'m>(mut result: &'m Instruction, known: &Known<'m>) -> u64 {
    while let ("bitcast", Some(inner)) = (result.opcode.as_str(), known.operand(result, 0)) {
        result = inner;
    }
    match result.opcode.as_str() {
        "dynamic-update-slice" => known.bytes_of_operand(result, 1),
        _ => result.shape.bytes(),
    }
}

/// The FLOPs of an instruction that is a product or a call of a library's.
fn products(instruction: &Instruction, known: &Known<'_>) -> Kernel {
    let elements = |shape: &Shape| shape.dims().iter().product::<u64>() as f64;
    let contracted = |places: &[usize]| -> f64 {
        let sizes = known.operand(instruction, 0).map_or(&[][..], |left| left.shape.dims());
        places.iter().filter_map(|at| sizes.get(*at)).product::<u64>() as f64
    };
    let element = |at: usize| match known.operand(instruction, at).map(|operand| &operand.shape) {
        Some(Shape::Array(element, _)) => Some(*element),
        Some(Shape::Tuple(_)) | None => None,
    };
    let of_kind = |flops: f64| match (element(0), element(1)) {
        (Some(Element::Float8(left)), Some(Element::Float8(right))) => {
            Kernel { float8: flops, factors: Some([left, right]), ..Kernel::default() }
        }
        // An 8-bit float beside a wider one is widened.
        (Some(Element::Half | Element::Float8(_)) | None, _) => Kernel { half: flops, ..Kernel::default() },
        (Some(_), _) => Kernel { single: flops, ..Kernel::default() },
    };
    match instruction.opcode.as_str() {
        "dot" => {
            let (result, inner) = (elements(&instruction.shape), contracted(&instruction.contracted));
            let [left, right] = [0, 1].map(|at| known.operand(instruction, at).map_or(0.0, |one| elements(&one.shape)));
            // As many products as stand beside each other are one more side of all three.
            let batch = left * right / (result * inner * inner);
            let narrowest = inner.min(left / (batch * inner)).min(right / (batch * inner));
            Kernel { narrowest, ..of_kind(2.0 * result * inner) }
        }
        "custom-call" if instruction.target.contains("fmha") => {
            Kernel { attention: attention_flops(instruction, known).unwrap_or(0.0), ..Kernel::default() }
        }
        "custom-call" if instruction.brings_a_kernel() => {
            let flops = told(instruction.config_text());
            match instruction.kernel_name().is_some_and(|name| name.starts_with("attention")) {
                true => Kernel { attention: flops, ..Kernel::default() },
                false => of_kind(flops),
            }
        }
        "custom-call" if instruction.target.contains("gemm") || instruction.target.contains("matmul") => {
            let config = instruction.config();
            let places = config
                .as_ref()
                .and_then(|config| config.as_object())
                .and_then(|all| all.values().find_map(left_contracted));
            // The first result is the product, what follows is workspace.
            let result = instruction.shape.arrays().first().map_or(0.0, |first| elements(first));
            of_kind(2.0 * result * contracted(&places.unwrap_or_default()))
        }
        _ => Kernel::default(),
    }
}

/// The FLOPs that the call of a kernel of our own tells: `{…, flops = 1024 : i64, …}`.
fn told(config: &str) -> f64 {
    let flops = config.split_once("flops = ").and_then(|(_, rest)| rest.split(' ').next());
    flops.and_then(|flops| flops.parse().ok()).unwrap_or(0.0)
}

/// The dimensions of the first operand that are summed over, of the configuration of a library's product.
fn left_contracted(config: &Value) -> Option<Vec<usize>> {
    let dims = config["dot_dimension_numbers"]["lhs_contracting_dimensions"].as_array()?;
    dims.iter().map(|dim| dim.as_str()?.parse().ok()).collect()
}

/// Of cuDNN's attention: two products forward and five backward over the scores of (batch, head, query, key).
fn attention_flops(instruction: &Instruction, known: &Known<'_>) -> Option<f64> {
    let config = instruction.config()?;
    let config = &config["cudnn_fmha_backend_config"];
    let scores = config["intermediate_tensor_shape"]["dimensions"].as_array()?;
    let scores: f64 = scores.iter().map(|size| size.as_str()?.parse::<f64>().ok()).product::<Option<f64>>()?;
    let head_dim = *known.operand(instruction, 0)?.shape.dims().last()? as f64;
    let is_causal = config["mask_type"].as_str().is_some_and(|mask| mask.contains("CAUSAL"));
    let products = if instruction.target.contains("Backward") { 5.0 } else { 2.0 };
    Some(products * 2.0 * scores * head_dim * if is_causal { 0.5 } else { 1.0 })
}

/// The exchanges of each kind: how many, the bytes that they gather, sum or move in all, and those that a device sends.
pub(crate) fn by_kind(exchanges: &[(Collective, f64)]) -> BTreeMap<hlo::Kind, (f64, f64, f64)> {
    let mut kinds = BTreeMap::new();
    for (collective, count) in exchanges {
        let (number, bytes, sent) = kinds.entry(collective.kind).or_insert((0.0, 0.0, 0.0));
        *number += count;
        *bytes += count * collective.bytes as f64;
        *sent += count * collective.sent();
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A room to work in is there, and nobody says how much of it is used.
    #[test]
    fn workspaces_of_libraries_are_not_moved() {
        let operands = [array(1, Element::Half, &[64, 32]), array(2, Element::Half, &[32, 16])];
        let mut call = array(3, Element::Half, &[64, 16]);
        (call.opcode, call.target, call.operands) = ("custom-call".to_owned(), "__cublas$gemm".to_owned(), vec![1, 2]);
        let product = call.shape.clone();
        let known = Known(operands.iter().map(|operand| (operand.id, operand)).collect());
        // An entry without instructions.
        let module = Module::read("hlo", &[0x1a, 2, 0x28, 1, 0x30, 1]).expect("it is one");
        let bytes = |parts: &[Shape]| {
            let shape = if let [product] = parts { product.clone() } else { Shape::Tuple(parts.to_vec()) };
            let mut call = call.clone();
            call.shape = shape;
            kernel(&module, &call, &known).bytes
        };
        let moved = f64::from(2 * (64 * 32 + 32 * 16 + 64 * 16));
        let room = Shape::Array(Element::Other(1), vec![33_554_432]);
        assert_eq!(bytes(std::slice::from_ref(&product)), moved);
        assert_eq!(bytes(&[product.clone(), room]), moved);
        // A product in FP8 is none.
        let small = Shape::Array(Element::Other(1), vec![64, 16]);
        assert_eq!(bytes(&[product, small.clone()]), moved + small.bytes() as f64);
    }

    fn array(id: u64, element: Element, dims: &[u64]) -> Instruction {
        let mut instruction = Instruction::default();
        (instruction.id, instruction.shape) = (id, Shape::Array(element, dims.to_vec()));
        instruction
    }

    /// A product in 8 bits is one if both factors are; what is widened before it is not.
    #[test]
    fn products_in_8_bits_tell_the_types_of_their_factors() {
        let (e4m3, e5m2) = (Element::Float8("f8e4m3fnuz"), Element::Float8("f8e5m2fnuz"));
        let told = |left: Element, right: Element| {
            let operands = [array(1, left, &[3, 64, 32]), array(2, right, &[3, 16, 32])];
            let known = Known(operands.iter().map(|operand| (operand.id, operand)).collect());
            let mut dot = array(3, Element::Single, &[3, 64, 16]);
            (dot.opcode, dot.operands, dot.contracted) = ("dot".to_owned(), vec![1, 2], vec![2]);
            let mut work = Work::default();
            let (first, again) = (products(&dot, &known), Kernel { count: 2.0, ..products(&dot, &known) });
            assert_eq!(first.narrowest, 16.0);
            work.add(&dot, Kernel { count: 1.0, ..first });
            work.add(&dot, again);
            work.float8_flops()
        };
        let flops = 3.0 * 2.0 * 3.0 * f64::from(64 * 32 * 16);
        assert_eq!(told(e5m2, e4m3), BTreeMap::from([("f8e5m2fnuz f8e4m3fnuz".to_owned(), flops)]));
        assert_eq!(told(e4m3, Element::Half), BTreeMap::new());
        assert_eq!(told(Element::Half, Element::Half), BTreeMap::new());
    }

    /// Calls are counted by what is called; of fusions those are named that multiply what matrix units take.
    #[test]
    fn what_is_called_and_what_is_made_is_told() {
        let mut work = Work::default();
        let mut add = |name: &str, opcode: &str, target: &str, kernel: Kernel| {
            let mut instruction = Instruction::default();
            (instruction.name, instruction.opcode) = (name.to_owned(), opcode.to_owned());
            instruction.target = target.to_owned();
            work.add(&instruction, kernel);
        };
        let run = |count: f64| Kernel { count, ..Kernel::default() };
        let product = |narrowest: f64| Kernel { half: 1e9, narrowest, ..run(1.0) };
        add("call.1", "custom-call", "__cudnn$fmhaSoftmax", run(24.0));
        add("call.2", "custom-call", "__cublas$lt$matmul", run(2.0));
        add("call.3", "custom-call", "__cublas$lt$matmul", run(1.0));
        add("gemm_fusion_dot.1", "fusion", "", product(16.0));
        add("gemm_fusion_dot.2", "fusion", "", product(8.0));
        add("loop_add_fusion", "fusion", "", run(1.0));
        let calls = [("__cublas$lt$matmul", 3.0), ("__cudnn$fmhaSoftmax", 24.0)];
        assert_eq!(work.calls, calls.map(|(name, count)| (name.to_owned(), count)).into());
        assert_eq!(work.products_made, BTreeSet::from(["gemm_fusion_dot.1".to_owned()]));
    }

    /// As the kernels write it, and where nothing is told.
    #[test]
    fn calls_of_our_kernels_tell_their_flops() {
        assert_eq!(
            told("{debug = false, flops = 2500000000 : i64, grid_x = 1 : i32, name = \"attention_forward\"}"),
            2.5e9
        );
        assert_eq!(told("{debug = false}"), 0.0);
    }
}
