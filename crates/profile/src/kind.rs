//! What an instruction is, as far as it matters to where time goes.

use std::collections::HashSet;

use hlo::{Collective, Computation, Instruction, Module};
use serde::{Deserialize, Serialize};

/// What takes time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Products of matrices, and what is fused with them.
    Gemm,
    /// Kernels that compute attention as a whole.
    Attention,
    /// Kernels of our own for a mixture's experts: products of rows with their expert's weights, and what counts the rows for them.
    Experts,
    /// Other kernels that the program asks for by name: of libraries, or its own.
    Kernels,
    /// What remains: elementwise operations, reductions, and what is fused of them.
    Elementwise,
    /// What moves data within a device, or to and from it, or fills memory with one value.
    Copies,
    /// Exchanges between devices, while nothing else runs.
    Collectives,
    /// Nothing runs.
    Idle,
}

impl Kind {
    /// In the order of tables.
    pub const ALL: [Kind; 8] = [
        Kind::Gemm,
        Kind::Attention,
        Kind::Experts,
        Kind::Kernels,
        Kind::Elementwise,
        Kind::Copies,
        Kind::Collectives,
        Kind::Idle,
    ];

    /// As tables have it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Gemm => "GEMM",
            Kind::Attention => "attention kernels",
            Kind::Experts => "expert kernels",
            Kind::Kernels => "other kernels",
            Kind::Elementwise => "elementwise, reductions",
            Kind::Copies => "copies and fills",
            Kind::Collectives => "collectives, exposed",
            Kind::Idle => "idle",
        }
    }

    /// What an instruction is; `part` is for what it stands in the model.
    pub(crate) fn of(module: &Module, instruction: &Instruction, part: &str) -> Kind {
        let opcode = instruction.opcode.strip_suffix("-start").unwrap_or(&instruction.opcode);
        let opcode = opcode.strip_suffix("-done").unwrap_or(opcode);
        // How many devices there are changes nothing about what it is.
        if Collective::of(instruction, 2, 2).is_some() || COLLECTIVES.contains(&opcode) {
            return Kind::Collectives;
        }
        match opcode {
            "dot" | "convolution" => Kind::Gemm,
            "custom-call" => Kind::of_custom_call(instruction, part),
            "fusion" | "call" | "async" | "while" | "conditional" => Kind::of_calls(module, instruction, part),
            opcode if MOVES.contains(&opcode) => Kind::Copies,
            _ => Kind::Elementwise,
        }
    }

    /// By the target of a custom call, and by the name of a kernel that it brings along.
    fn of_custom_call(call: &Instruction, part: &str) -> Kind {
        let target = call.target.as_str();
        let has = |words: &[&str]| words.iter().any(|word| target.contains(word));
        match target {
            _ if has(&["fmha", "attention"]) => Kind::Attention,
            _ if has(&["cublas", "gemm", "matmul", "conv"]) => Kind::Gemm,
            _ if has(&["AllocateBuffer"]) => Kind::Copies,
            _ if call.kernel_name().is_some_and(is_of_experts) => Kind::Experts,
            _ if part == "attention" => Kind::Attention,
            _ => Kind::Kernels,
        }
    }

    /// Of what calls others: what the most telling of them is.
    fn of_calls(module: &Module, instruction: &Instruction, part: &str) -> Kind {
        let is_single = instruction.shape.arrays().iter().all(|array| array.dims().iter().all(|size| *size == 1));
        let mut computes = false;
        for inner in all_called(module, instruction) {
            match inner.opcode.as_str() {
                "dot" | "convolution" | "scaled-dot" => return Kind::Gemm,
                "custom-call" => return Kind::of_custom_call(inner, part),
                opcode if MOVES.contains(&opcode) || FREE.contains(&opcode) => {}
                // Of single numbers the place of a slice is made.
                _ => computes |= is_single || inner.shape.dims().iter().any(|size| *size > 1),
            }
        }
        if computes { Kind::Elementwise } else { Kind::Copies }
    }

    /// By what a vendor calls a kernel that belongs to no known instruction.
    pub(crate) fn of_kernel(name: &str) -> Kind {
        let lower = name.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        match () {
            () if is_copy(name) => Kind::Copies,
            () if is_of_experts(name) => Kind::Experts,
            () if has(&["nccl", "rccl"]) => Kind::Collectives,
            () if has(&["fmha", "flash", "sdpa", "attention"]) => Kind::Attention,
            () if has(&["gemm", "nvjet", "splitk", "cutlass", "xmma", "cijk_", "matmul"]) => Kind::Gemm,
            () => Kind::Elementwise,
        }
    }

    /// Whether a kernel whose name says that it is `named` may be of a library's call of this kind. What a program brings along itself may be
    /// called anything.
    pub(crate) fn may_be(self, named: Kind) -> bool {
        self == named || named == Kind::Elementwise && matches!(self, Kind::Kernels | Kind::Attention | Kind::Experts)
    }

    /// Who is said to take the time in which several run: what computes before what moves data, and exchanges last.
    pub(crate) fn rank(self) -> usize {
        match self {
            Kind::Gemm | Kind::Attention | Kind::Experts | Kind::Kernels | Kind::Elementwise => 0,
            Kind::Copies => 1,
            Kind::Collectives => 2,
            Kind::Idle => 3,
        }
    }
}

/// Whether a kernel of this name is one of ours for experts. Where it is in a program twice, its name goes on.
fn is_of_experts(kernel: &str) -> bool {
    ["grouped_product", "expert_segments"].iter().any(|name| kernel.starts_with(name))
}

/// Whether an event is the copying engine's, or sets memory.
pub(crate) fn is_copy(event: &str) -> bool {
    let lower = event.to_lowercase();
    ["memcpy", "memset"].iter().any(|word| lower.starts_with(word))
}

/// Exchanges that [`Collective`] counts no bytes of.
const COLLECTIVES: [&str; 6] =
    ["collective-broadcast", "send", "recv", "all-gather", "all-reduce", "collective-permute"];

/// What moves elements and computes none.
const MOVES: [&str; 14] = [
    "copy",
    "transpose",
    "reshape",
    "slice",
    "dynamic-slice",
    "dynamic-update-slice",
    "concatenate",
    "pad",
    "reverse",
    "broadcast",
    "bitcast",
    "bitcast-convert",
    "gather",
    "iota",
];

/// What takes no time in a fusion.
const FREE: [&str; 5] = ["parameter", "constant", "tuple", "get-tuple-element", "opt-barrier"];

/// What an instruction calls, and what that calls, each once.
fn all_called<'m>(module: &'m Module, instruction: &'m Instruction) -> Vec<&'m Instruction> {
    let mut seen: HashSet<*const Computation> = HashSet::new();
    let mut left: Vec<&Computation> = module.called(instruction).collect();
    let mut all = Vec::new();
    while let Some(computation) = left.pop() {
        if seen.insert(computation) {
            all.extend(&computation.instructions);
            left.extend(computation.instructions.iter().flat_map(|inner| module.called(inner)));
        }
    }
    all
}
