//! StableHLO text. The same trace gives the same text, byte for byte: the text is what compiled programs are cached by.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use crate::ir::{Argument, Inner, NodeId, ROOT, RegionId, ValueId};
use crate::ops::{Op, Operand, scalar};
use crate::scan::Scan;
use crate::{DType, Graph, GraphError, Tensor, TensorType};

/// A lowered graph: the text of a StableHLO module with one function, and what goes in and comes out.
#[derive(Clone, Debug)]
pub struct Program {
    /// What the program does, e.g. `train_step`; the name of the module.
    pub name: String,
    /// The module.
    pub text: String,
    /// Arguments in the order of their declaration.
    pub inputs: Vec<ProgramInput>,
    /// Results in the order they were asked for.
    pub outputs: Vec<ProgramOutput>,
}

/// An argument of a [`Program`].
#[derive(Clone, Debug)]
pub struct ProgramInput {
    /// The name given to [`Graph::input`], or the parameter's.
    pub name: String,
    /// Element type and axes.
    pub ty: TensorType,
    /// The result that takes over this argument's memory, so that the argument is consumed.
    pub donated_to: Option<usize>,
}

/// A result of a [`Program`].
#[derive(Clone, Debug)]
pub struct ProgramOutput {
    /// Its name.
    pub name: String,
    /// Element type and axes.
    pub ty: TensorType,
}

impl Program {
    /// Position of the argument called `name`.
    pub fn input_index(&self, name: &str) -> Option<usize> {
        self.inputs.iter().position(|input| input.name == name)
    }
}

impl Graph {
    /// Lowers what `outputs` need to a program. `donate` pairs an argument with the position of the result that takes over its memory;
    /// both have the same type.
    pub fn lower(
        &self,
        name: &str,
        outputs: &[(&str, Tensor<'_>)],
        donate: &[(Tensor<'_>, usize)],
    ) -> Result<Program, GraphError> {
        for (argument, result) in donate {
            match outputs.get(*result) {
                Some((_, output)) if output.ty() == argument.ty() => {}
                _ => self.fail_op("donate", vec![argument.ty()], format!("result {result} is not of that type")),
            }
        }
        self.with(|inner| {
            if let Some(error) = &inner.error {
                return Err(error.clone());
            }
            let results: Vec<ValueId> = outputs.iter().map(|(_, tensor)| tensor.id).collect();
            let aliases: HashMap<ValueId, usize> = donate.iter().map(|(tensor, result)| (tensor.id, *result)).collect();
            let output = |(name, tensor): &(&str, Tensor<'_>)| ProgramOutput {
                name: (*name).to_owned(),
                ty: inner.ty(tensor.id).clone(),
            };
            Ok(Program {
                name: name.to_owned(),
                text: module_text(inner, name, &results, &aliases),
                inputs: program_inputs(inner, &aliases),
                outputs: outputs.iter().map(output).collect(),
            })
        })
    }
}

fn program_inputs(inner: &Inner, aliases: &HashMap<ValueId, usize>) -> Vec<ProgramInput> {
    let params = &inner.region(ROOT).params;
    let input = |(id, argument): (&ValueId, &Argument)| ProgramInput {
        name: match argument {
            Argument::Input(name) => name.clone(),
            Argument::Param(position) => inner.params[*position].0.name.clone(),
        },
        ty: inner.ty(*id).clone(),
        donated_to: aliases.get(id).copied(),
    };
    params.iter().zip(&inner.arguments).map(input).collect()
}

fn module_text(inner: &Inner, name: &str, results: &[ValueId], aliases: &HashMap<ValueId, usize>) -> String {
    let mut names = Names::new();
    let mut arguments = Vec::new();
    for (i, id) in inner.region(ROOT).params.iter().enumerate() {
        names.insert(*id, format!("%arg{i}"));
        let alias = match aliases.get(id) {
            Some(result) => format!(" {{tf.aliasing_output = {result} : i32}}"),
            None => String::new(),
        };
        arguments.push(format!("%arg{i}: {}{alias}", inner.ty(*id).stablehlo()));
    }
    let types: Vec<_> = results.iter().map(|id| inner.ty(*id).stablehlo()).collect();
    let mut e = Emitter { text: String::new(), next: 0, depth: 2 };
    e.region(inner, ROOT, results, &mut names);
    let returned: Vec<_> = results.iter().map(|id| names[id].clone()).collect();
    if returned.is_empty() {
        e.line("return");
    } else {
        e.line(&format!("return {} : {}", returned.join(", "), types.join(", ")));
    }
    format!(
        "module @{name} attributes {{mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32}} {{\n  \
         func.func public @main({}) -> ({}) {{\n{}  }}\n}}\n",
        arguments.join(", "),
        types.join(", "),
        e.text
    )
}

type Names = HashMap<ValueId, String>;

/// Writes ops in SSA form.
pub(crate) struct Emitter {
    text: String,
    next: usize,
    depth: usize,
}

impl Emitter {
    /// A name not used before.
    pub(crate) fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%{}", self.next - 1)
    }

    fn line(&mut self, text: &str) {
        for line in text.lines() {
            let _ = writeln!(self.text, "{}{line}", "  ".repeat(self.depth));
        }
    }

    /// Writes `%n = op` and gives `%n`.
    pub(crate) fn assign(&mut self, op: String) -> String {
        let name = self.fresh();
        self.line(&format!("{name} = {op}"));
        name
    }

    /// Writes an op with `count` results and gives their names.
    pub(crate) fn assign_many(&mut self, count: usize, op: String) -> Vec<String> {
        if count == 1 {
            return vec![self.assign(op)];
        }
        let name = self.fresh();
        self.line(&format!("{name}:{count} = {op}"));
        (0..count).map(|i| format!("{name}#{i}")).collect()
    }

    fn i32_constant(&mut self, value: usize) -> String {
        self.assign(format!("stablehlo.constant dense<{value}> : tensor<i32>"))
    }

    /// Writes the nodes of a region that `wanted` needs; `names` holds the region's parameters and gets the rest.
    fn region(&mut self, inner: &Inner, region: RegionId, wanted: &[ValueId], names: &mut Names) {
        let live = live_values(inner, region, wanted);
        for id in &inner.region(region).nodes {
            let node = inner.node(*id);
            if !node.results.iter().any(|result| live.contains(result)) {
                continue;
            }
            let results = self.node(inner, *id, &live, names);
            names.extend(node.results.iter().copied().zip(results));
        }
    }

    /// Writes a node and gives the names of its results; a result that is not live may have an empty name.
    fn node(&mut self, inner: &Inner, id: NodeId, live: &HashSet<ValueId>, names: &Names) -> Vec<String> {
        let node = inner.node(id);
        let operand = |id: &ValueId| Operand { name: names.get(id).map_or("", String::as_str), ty: inner.ty(*id) };
        match &node.op {
            Op::Scan(scan) => self.scan(inner, id, scan, live, names),
            Op::CustomVjp(custom) => {
                let forward = inner.region(custom.forward);
                let wanted: Vec<ValueId> = wanted_results(&node.results, &forward.results, live);
                let mut inside: Names = HashMap::new();
                for (param, input) in forward.params.iter().zip(&node.inputs) {
                    inside.insert(*param, names.get(input).cloned().unwrap_or_default());
                }
                self.region(inner, custom.forward, &wanted, &mut inside);
                forward.results.iter().map(|id| inside.get(id).cloned().unwrap_or_default()).collect()
            }
            Op::CustomCall(call) => call.lower_all(self, &node.inputs.iter().map(operand).collect::<Vec<_>>()),
            op => {
                let operands: Vec<_> = node.inputs.iter().map(operand).collect();
                vec![op.lower(self, &operands, inner.ty(node.results[0]))]
            }
        }
    }

    /// A while loop over (counter, constants, stacked inputs, carries, outputs).
    fn scan(&mut self, inner: &Inner, id: NodeId, scan: &Scan, live: &HashSet<ValueId>, names: &Names) -> Vec<String> {
        let node = inner.node(id);
        let plan = ScanPlan::new(inner, id, scan, live);
        let mut state: Vec<(String, String)> = vec![(self.i32_constant(0), "tensor<i32>".into())];
        for input in plan.invariant.iter().chain(&plan.carries).map(|k| node.inputs[*k]) {
            state.push((names[&input].clone(), inner.ty(input).stablehlo()));
        }
        for output in &plan.outputs {
            let ty = inner.ty(node.results[*output]);
            let element = TensorType::new(ty.dtype, &[]).stablehlo();
            let zero = self.assign(format!("stablehlo.constant dense<{}> : {element}", scalar(0.0, ty.dtype)));
            let full = ty.stablehlo();
            let empty = self.assign(format!("stablehlo.broadcast_in_dim {zero}, dims = [] : ({element}) -> {full}"));
            state.push((empty, full));
        }
        let loop_args: Vec<String> = state.iter().map(|_| self.fresh()).collect();
        let inits: Vec<_> = loop_args.iter().zip(&state).map(|(arg, (init, _))| format!("{arg} = {init}")).collect();
        let types: Vec<_> = state.iter().map(|(_, ty)| ty.clone()).collect();
        let result = self.fresh();
        self.line(&format!("{result}:{} = stablehlo.while({}) : {}", state.len(), inits.join(", "), types.join(", ")));
        self.line("cond {");
        self.depth += 1;
        let limit = self.i32_constant(scan.axis.size);
        let more = self.assign(format!(
            "stablehlo.compare LT, {}, {limit} : (tensor<i32>, tensor<i32>) -> tensor<i1>",
            loop_args[0]
        ));
        self.line(&format!("stablehlo.return {more} : tensor<i1>"));
        self.depth -= 1;
        self.line("} do {");
        self.depth += 1;
        let next = self.scan_body(inner, id, scan, &plan, &loop_args);
        self.line(&format!("stablehlo.return {} : {}", next.join(", "), types.join(", ")));
        self.depth -= 1;
        self.line("}");
        let first_carry = 1 + plan.invariant.len();
        let mut all = vec![String::new(); node.results.len()];
        for (k, name) in all.iter_mut().take(scan.carries).enumerate() {
            *name = format!("{result}#{}", first_carry + k);
        }
        for (at, output) in plan.outputs.iter().enumerate() {
            all[*output] = format!("{result}#{}", first_carry + scan.carries + at);
        }
        all
    }

    fn scan_body(&mut self, inner: &Inner, id: NodeId, scan: &Scan, plan: &ScanPlan, args: &[String]) -> Vec<String> {
        let node = inner.node(id);
        let body = inner.region(scan.body);
        let index = if scan.reverse {
            let last = self.i32_constant(scan.axis.size - 1);
            self.assign(format!("stablehlo.subtract {last}, {} : tensor<i32>", args[0]))
        } else {
            args[0].clone()
        };
        let mut names = Names::new();
        names.insert(body.params[0], index.clone());
        for (k, arg) in plan.invariant.iter().chain(&plan.carries).zip(&args[1..]) {
            let param = body.params[1 + k];
            let is_stacked = *k >= scan.constants + scan.carries;
            let name = match is_stacked {
                true => self.slice_at(arg, inner.ty(node.inputs[*k]), &index, inner.ty(param)),
                false => arg.clone(),
            };
            names.insert(param, name);
        }
        let wanted: Vec<_> =
            body.results[..scan.carries].iter().copied().chain(plan.outputs.iter().map(|k| body.results[*k])).collect();
        self.region(inner, scan.body, &wanted, &mut names);
        let one = self.i32_constant(1);
        let mut next = vec![self.assign(format!("stablehlo.add {}, {one} : tensor<i32>", args[0]))];
        next.extend(args[1..1 + plan.invariant.len()].iter().cloned());
        next.extend(body.results[..scan.carries].iter().map(|id| names[id].clone()));
        let stacks = &args[1 + plan.invariant.len() + scan.carries..];
        for (output, stack) in plan.outputs.iter().zip(stacks) {
            let value = body.results[*output];
            let written =
                self.write_at(stack, inner.ty(node.results[*output]), &index, &names[&value], inner.ty(value));
            next.push(written);
        }
        next
    }

    fn slice_at(&mut self, whole: &str, whole_ty: &TensorType, index: &str, ty: &TensorType) -> String {
        let one_ty = one_slice(whole_ty);
        let starts = self.starts(index, whole_ty);
        let sizes: Vec<_> = one_ty.axes.iter().map(|axis| axis.size.to_string()).collect();
        let slice = self.assign(format!(
            "stablehlo.dynamic_slice {whole}, {starts}, sizes = [{}] : ({}{}) -> {}",
            sizes.join(", "),
            whole_ty.stablehlo(),
            ", tensor<i32>".repeat(whole_ty.axes.len()),
            one_ty.stablehlo()
        ));
        self.assign(format!("stablehlo.reshape {slice} : ({}) -> {}", one_ty.stablehlo(), ty.stablehlo()))
    }

    fn write_at(&mut self, stack: &str, stack_ty: &TensorType, index: &str, value: &str, ty: &TensorType) -> String {
        let one_ty = one_slice(stack_ty).stablehlo();
        let update = self.assign(format!("stablehlo.reshape {value} : ({}) -> {one_ty}", ty.stablehlo()));
        let starts = self.starts(index, stack_ty);
        let stack_text = stack_ty.stablehlo();
        self.assign(format!(
            "stablehlo.dynamic_update_slice {stack}, {update}, {starts} : ({stack_text}, {one_ty}{}) -> {stack_text}",
            ", tensor<i32>".repeat(stack_ty.axes.len())
        ))
    }

    /// Start indices of one slice along the outermost axis.
    fn starts(&mut self, index: &str, ty: &TensorType) -> String {
        if ty.axes.len() == 1 {
            return index.to_owned();
        }
        let zero = self.assign(format!("stablehlo.constant dense<{}> : tensor<i32>", scalar(0.0, DType::I32)));
        format!("{index}{}", format!(", {zero}").repeat(ty.axes.len() - 1))
    }
}

fn one_slice(ty: &TensorType) -> TensorType {
    let mut one = ty.clone();
    if let Some(outermost) = one.axes.first_mut() {
        outermost.size = 1;
    }
    one
}

/// What of a scan is worth emitting: the outputs that are read, and the inputs that those and the carries need. Positions among the
/// scan's inputs and results.
struct ScanPlan {
    /// Constants and stacked inputs.
    invariant: Vec<usize>,
    carries: Vec<usize>,
    outputs: Vec<usize>,
}

impl ScanPlan {
    fn new(inner: &Inner, id: NodeId, scan: &Scan, live: &HashSet<ValueId>) -> ScanPlan {
        let node = inner.node(id);
        let body = inner.region(scan.body);
        let outputs: Vec<usize> =
            (scan.carries..node.results.len()).filter(|k| live.contains(&node.results[*k])).collect();
        let wanted: Vec<_> =
            body.results[..scan.carries].iter().copied().chain(outputs.iter().map(|k| body.results[*k])).collect();
        let inside = live_values(inner, scan.body, &wanted);
        let carries = scan.constants..scan.constants + scan.carries;
        let invariant =
            (0..node.inputs.len()).filter(|k| !carries.contains(k) && inside.contains(&body.params[1 + k])).collect();
        ScanPlan { invariant, carries: carries.collect(), outputs }
    }
}

/// The values of a region that `wanted` needs.
fn live_values(inner: &Inner, region: RegionId, wanted: &[ValueId]) -> HashSet<ValueId> {
    let mut live: HashSet<ValueId> = wanted.iter().copied().collect();
    for id in inner.region(region).nodes.iter().rev() {
        let node = inner.node(*id);
        if !node.results.iter().any(|result| live.contains(result)) {
            continue;
        }
        match &node.op {
            Op::Scan(scan) => {
                let plan = ScanPlan::new(inner, *id, scan, &live);
                live.extend(plan.invariant.iter().chain(&plan.carries).map(|k| node.inputs[*k]));
            }
            Op::CustomVjp(custom) => {
                let forward = inner.region(custom.forward);
                let wanted = wanted_results(&node.results, &forward.results, &live);
                let inside = live_values(inner, custom.forward, &wanted);
                let needed = forward.params.iter().zip(&node.inputs).filter(|(param, _)| inside.contains(param));
                live.extend(needed.map(|(_, input)| *input));
            }
            _ => live.extend(&node.inputs),
        }
    }
    live
}

fn wanted_results(outside: &[ValueId], inside: &[ValueId], live: &HashSet<ValueId>) -> Vec<ValueId> {
    outside.iter().zip(inside).filter(|(outside, _)| live.contains(outside)).map(|(_, inside)| *inside).collect()
}
