//! A compiled program whose instructions have names that mean something.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use graph::{Label, Phase, Places};
use hlo::{Computation, Instruction, Module};

use crate::Kind;

/// A compiled program: of each instruction what it is, and where in the model it stands.
pub struct Program {
    /// The name of its module.
    name: String,
    /// What runs, in its order; the body of a loop stands once.
    pub(crate) ops: Vec<Op>,
    /// The loops, each as the places of its first instruction and of the first behind it; inner ones before those around them, and the
    /// program as a whole last, which runs again and again too.
    pub(crate) loops: Vec<Range<usize>>,
    /// Where each instruction stands, by name.
    places: HashMap<String, usize>,
    /// Instructions by the names of kernels that are made for them, which have no dots.
    kernels: HashMap<String, usize>,
}

/// An instruction that something runs for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Op {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// Whether a library computes it, with kernels of its own names.
    pub(crate) is_library: bool,
    /// The same for instructions that one kernel can serve.
    pub(crate) computes: u64,
    /// Where it stands in the model; `None` where the compiler added it and nothing near it says.
    pub(crate) label: Option<Label>,
}

impl Program {
    /// A compiled module, and what the lines of the text that it was compiled from compute.
    pub fn new(module: &Module, places: &Places) -> Program {
        let mut program = Program {
            name: module.name.clone(),
            ops: Vec::new(),
            loops: Vec::new(),
            places: HashMap::new(),
            kernels: HashMap::new(),
        };
        program.add(module, module.entry(), places);
        program.loops.push(0..program.ops.len());
        program
    }

    fn add(&mut self, module: &Module, computation: &Computation, places: &Places) {
        let labels = labels(module, computation, places);
        for instruction in module.in_order(computation) {
            let opcode = instruction.opcode.as_str();
            if instruction.runs_nothing() {
                continue;
            }
            if matches!(opcode, "while" | "call" | "conditional" | "async-start") {
                let first = self.ops.len();
                for called in module.called(instruction) {
                    self.add(module, called, places);
                }
                if opcode == "while" {
                    self.loops.push(first..self.ops.len());
                }
                continue;
            }
            let label = labels.get(&instruction.id).cloned();
            let kind = Kind::of(module, instruction, label.as_ref().map_or("", |label| label.part));
            let op = Op {
                name: instruction.name.clone(),
                kind,
                is_library: opcode == "custom-call",
                computes: fingerprint(module, instruction),
                label,
            };
            self.places.insert(op.name.clone(), self.ops.len());
            self.kernels.insert(op.name.replace(['.', '-'], "_"), self.ops.len());
            self.ops.push(op);
        }
    }

    /// Whether a device's event may be of this program.
    pub(crate) fn may_have(&self, event: &hlo::Event) -> bool {
        event.text("hlo_module").is_none_or(|module| module.starts_with(&self.name))
    }

    /// The instruction that an event is of, where it says so itself.
    pub(crate) fn said_by(&self, event: &hlo::Event) -> Option<usize> {
        event.text("hlo_op").and_then(|name| self.places.get(name)).copied()
    }

    /// The instruction that a kernel was made for; it may serve others too, which compute the same.
    pub(crate) fn made_for(&self, event: &hlo::Event) -> Option<&Op> {
        self.kernels.get(&*event.name).map(|place| &self.ops[*place])
    }
}

/// A number that is the same for instructions that compute the same of arrays of the same shapes.
fn fingerprint(module: &Module, instruction: &Instruction) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&instruction.opcode, &instruction.target, format!("{:?}", instruction.shape)).hash(&mut hasher);
    for called in module.called(instruction) {
        let places: HashMap<u64, usize> =
            called.instructions.iter().enumerate().map(|(at, inner)| (inner.id, at)).collect();
        for inner in &called.instructions {
            let operands: Vec<Option<&usize>> = inner.operands.iter().map(|id| places.get(id)).collect();
            (inner.parameter, operands, fingerprint(module, inner)).hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// The labels of a computation's instructions: by their lines, or by what is near.
fn labels(module: &Module, computation: &Computation, places: &Places) -> HashMap<u64, Label> {
    let mut labels: HashMap<u64, Label> = HashMap::new();
    for instruction in &computation.instructions {
        // What the compiler adds, such as a copy, is for the sake of what it takes.
        let label = own_label(module, instruction, places)
            .or_else(|| instruction.operands.iter().find_map(|operand| labels.get(operand)).cloned());
        if let Some(label) = label {
            labels.insert(instruction.id, label);
        }
    }
    labels
}

/// By the line that an instruction comes from; of a fusion without one, by what is fused, last first.
fn own_label(module: &Module, instruction: &Instruction, places: &Places) -> Option<Label> {
    let of = |instruction: &Instruction| places.of_line(instruction.line).filter(|label| !label.path.is_empty());
    let fused = || module.called(instruction).flat_map(|fused| fused.instructions.iter().rev()).find_map(of);
    let is_inside = matches!(instruction.opcode.as_str(), "fusion" | "call" | "async-start");
    of(instruction).or_else(|| if is_inside { fused() } else { None }).cloned()
}

/// A label in words: the module's path behind the pass that is not forward.
pub(crate) fn words(label: &Label) -> String {
    let path = &label.path;
    match label.phase {
        Phase::Forward => path.clone(),
        Phase::Recomputed => format!("recomputed/{path}"),
        Phase::Backward => format!("backward/{path}"),
    }
}
