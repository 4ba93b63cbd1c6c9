//! StableHLO text. The same trace gives the same text, byte for byte: the text is what compiled programs are cached by.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::sync::Arc;

use crate::ir::{Argument, Inner, NodeId, ROOT, RegionId, ValueId};
use crate::ops::{Op, Operand};
use crate::param::{Stack, array_names, unrolled_count};
use crate::{Graph, GraphError, Mesh, Places, Sharding, Tensor, TensorType};

mod labels;
mod live;
mod loops;
mod parts;
mod shards;

use labels::Labels;
use live::{live_values, wanted_results};
use parts::{Held, element_count};
use shards::{Layouts, Role};

/// A lowered graph: the text of a StableHLO module with one function, and what goes in and comes out.
#[derive(Clone, Debug)]
pub struct Program {
    /// What the program does, e.g. `train_step`; the name of the module.
    pub name: String,
    /// The module.
    pub text: String,
    /// Arguments in the order of their declaration. What is stacked along unrolled axes is one argument for each element of them.
    pub inputs: Vec<ProgramInput>,
    /// Results in the order they were asked for.
    pub outputs: Vec<ProgramOutput>,
    /// The devices that it runs on; `None` for one.
    pub mesh: Option<Mesh>,
    /// What its lines compute.
    pub places: Places,
}

impl Program {
    /// The arguments that one of its lines computes with, in order.
    pub fn inputs_read(&self) -> impl Iterator<Item = &ProgramInput> {
        // The first mention of each is its declaration.
        let mut mentioned = vec![0_usize; self.inputs.len()];
        for after in self.text.split("%arg").skip(1) {
            let digits = after.find(|next: char| !next.is_ascii_digit()).unwrap_or(after.len());
            if let Some(times) = after[..digits].parse().ok().and_then(|number: usize| mentioned.get_mut(number)) {
                *times += 1;
            }
        }
        self.inputs.iter().zip(mentioned).filter(|(_, times)| *times > 1).map(|(input, _)| input)
    }
}

/// An argument of a [`Program`].
#[derive(Clone, Debug)]
pub struct ProgramInput {
    /// The name given to [`Graph::input`], or the parameter's; with numbers in place of its `*`s where the argument is one of a stack.
    pub name: String,
    /// Element type and axes.
    pub ty: TensorType,
    /// The result that takes over this argument's memory, so that the argument is consumed.
    pub donated_to: Option<usize>,
    /// How it lies on several devices.
    pub sharding: Option<Sharding>,
}

/// A result of a [`Program`].
#[derive(Clone, Debug)]
pub struct ProgramOutput {
    /// Its name.
    pub name: String,
    /// Element type and axes.
    pub ty: TensorType,
    /// How it lies on several devices.
    pub sharding: Option<Sharding>,
}

/// A result that a program is lowered for. `(name, tensor)` is one that is no stack. On several devices it lies as activations do, unless it
/// takes over an argument's memory.
#[derive(Clone, Debug)]
pub struct Output<'a, 'g> {
    /// Its name, with a `*` for each axis of `stack`.
    pub name: &'a str,
    /// Its outermost axes as the parameter that it belongs to has them: it is given apart along those that are unrolled.
    pub stack: &'a [Stack],
    /// Its value.
    pub tensor: Tensor<'g>,
}

impl<'a, 'g> From<(&'a str, Tensor<'g>)> for Output<'a, 'g> {
    fn from((name, tensor): (&'a str, Tensor<'g>)) -> Output<'a, 'g> {
        Output { name, stack: &[], tensor }
    }
}

impl Graph {
    /// Lowers what `outputs` need to a program, scans as loops. `donate` pairs an argument with the position of the result that takes over
    /// its memory; both have the same type, and each stands in one pair.
    ///
    /// # Errors
    /// The first mistake that was made while the graph was traced.
    pub fn lower(
        &self,
        name: &str,
        outputs: &[(&str, Tensor<'_>)],
        donate: &[(Tensor<'_>, usize)],
    ) -> Result<Program, GraphError> {
        self.lower_unrolled(name, outputs, donate, &[])
    }

    /// [`Graph::lower`] with the scans over the axes `unrolled` unrolled, and a buffer for each element of a stack along them. A result that
    /// takes over an argument's memory has the argument's names and stack, whatever it is said to have.
    ///
    /// # Errors
    /// The first mistake that was made while the graph was traced; an argument or a result that does not divide over the devices.
    pub fn lower_unrolled<'a, 'g>(
        &'g self,
        name: &str,
        outputs: &[impl Into<Output<'a, 'g>> + Clone],
        donate: &[(Tensor<'_>, usize)],
        unrolled: &[&'static str],
    ) -> Result<Program, GraphError> {
        let outputs: Vec<Output<'a, 'g>> = outputs.iter().cloned().map(Into::into).collect();
        for (position, Output { name, stack, tensor }) in outputs.iter().enumerate() {
            if !donate.iter().any(|(_, result)| *result == position) {
                self.check_name(name, stack);
                self.check_stack(name, stack, &tensor.ty());
            }
        }
        self.check_donated(&outputs, donate);
        self.with(|inner| {
            if let Some(error) = &inner.error {
                return Err(error.clone());
            }
            let layouts = Layouts::of(inner);
            let mut signature = Signature::new(inner, layouts.as_ref(), unrolled)?;
            signature.check_names()?;
            for output in &outputs {
                signature.push_result(inner, layouts.as_ref(), output, donate, unrolled)?;
            }
            let mesh = layouts.as_ref().map(|layouts| layouts.mesh().clone());
            let (text, places) = module_text(inner, layouts, name, &signature, unrolled);
            Ok(Program { name: name.to_owned(), text, mesh, places, ..signature.program() })
        })
    }

    fn check_donated(&self, outputs: &[Output<'_, '_>], donate: &[(Tensor<'_>, usize)]) {
        for (position, (argument, result)) in donate.iter().enumerate() {
            let fail = |rule| self.fail_op("donate", vec![argument.ty()], rule);
            if !self.with(|inner| inner.region(ROOT).params.contains(&argument.id)) {
                fail("it is no argument of the program".into());
            }
            let before = &donate[..position];
            if before.iter().any(|(other, _)| other.id == argument.id) {
                fail("it is donated twice".into());
            }
            if before.iter().any(|(_, other)| other == result) {
                fail(format!("result {result} takes over the memory of another argument"));
            }
            match outputs.get(*result) {
                Some(output) if output.tensor.ty() == argument.ty() => {}
                _ => fail(format!("result {result} is not of that type")),
            }
        }
    }
}

/// The arguments and results of a program, and the values of the graph that they are parts of.
struct Signature {
    arguments: Vec<Entry>,
    results: Vec<Entry>,
}

/// A value that goes in or comes out.
struct Entry {
    value: ValueId,
    /// The name of each of the tensors that it is given as.
    names: Vec<String>,
    /// Of an argument: the position of the first result that takes over its memory.
    donated_to: Option<usize>,
    /// The type of each tensor.
    ty: TensorType,
    /// How each lies on several devices.
    sharding: Option<Sharding>,
}

impl Signature {
    fn new(inner: &Inner, layouts: Option<&Layouts<'_>>, unrolled: &[&str]) -> Result<Signature, GraphError> {
        let entry = |(id, argument): (&ValueId, &Argument)| {
            let (name, stack, role) = match argument {
                Argument::Input(name, stack) => (name, stack, Role::Activation),
                Argument::Slot(name, stack) => (name, stack, Role::Parameter),
                Argument::Param(position) => {
                    let spec = &inner.params[*position].0;
                    (&spec.name, &spec.stack, Role::Parameter)
                }
            };
            Entry::new(inner, layouts, *id, Given { name, stack, unrolled, role })
        };
        let arguments = inner.region(ROOT).params.iter().zip(&inner.arguments).map(entry).collect::<Result<_, _>>()?;
        Ok(Signature { arguments, results: Vec::new() })
    }

    /// Arrays are found by name: two arguments of one name would be given the same.
    fn check_names(&self) -> Result<(), GraphError> {
        let mut names = HashSet::new();
        match self.arguments.iter().flat_map(|argument| &argument.names).find(|name| !names.insert(*name)) {
            Some(name) => Err(GraphError::Trace { what: name.clone(), rule: "two arguments have this name".into() }),
            None => Ok(()),
        }
    }

    fn push_result(
        &mut self,
        inner: &Inner,
        layouts: Option<&Layouts<'_>>,
        output: &Output<'_, '_>,
        donate: &[(Tensor<'_>, usize)],
        unrolled: &[&str],
    ) -> Result<(), GraphError> {
        let value = output.tensor.id;
        let first = self.results.iter().map(|result| result.names.len()).sum();
        let is_from = |argument: &&mut Entry| {
            donate.iter().any(|(tensor, result)| tensor.id == argument.value && *result == self.results.len())
        };
        let entry = match self.arguments.iter_mut().find(is_from) {
            Some(argument) => {
                argument.donated_to = Some(first);
                let (names, ty, sharding) = (argument.names.clone(), argument.ty.clone(), argument.sharding.clone());
                Entry { value, names, donated_to: None, ty, sharding }
            }
            None => {
                let given = Given { name: output.name, stack: output.stack, unrolled, role: Role::Activation };
                Entry::new(inner, layouts, value, given)?
            }
        };
        self.results.push(entry);
        Ok(())
    }

    /// A program without its name, text, mesh and places.
    fn program(&self) -> Program {
        let input = |entry: &Entry| {
            let (ty, donated_to, sharding) = (entry.ty.clone(), entry.donated_to, entry.sharding.clone());
            let named = entry.names.clone().into_iter().enumerate();
            named.map(move |(part, name)| ProgramInput {
                name,
                ty: ty.clone(),
                donated_to: donated_to.map(|first| first + part),
                sharding: sharding.clone(),
            })
        };
        let output = |entry: &Entry| {
            let (ty, sharding) = (entry.ty.clone(), entry.sharding.clone());
            let named = entry.names.clone().into_iter();
            named.map(move |name| ProgramOutput { name, ty: ty.clone(), sharding: sharding.clone() })
        };
        Program {
            name: String::new(),
            text: String::new(),
            mesh: None,
            places: Places::default(),
            inputs: self.arguments.iter().flat_map(input).collect(),
            outputs: self.results.iter().flat_map(output).collect(),
        }
    }
}

/// How a value goes in or comes out: under which name, and apart along which of the axes that it is stacked along.
#[derive(Clone, Copy)]
struct Given<'a> {
    name: &'a str,
    /// The outermost axes of the value.
    stack: &'a [Stack],
    unrolled: &'a [&'a str],
    role: Role,
}

impl Entry {
    fn new(
        inner: &Inner,
        layouts: Option<&Layouts<'_>>,
        value: ValueId,
        given: Given<'_>,
    ) -> Result<Entry, GraphError> {
        let Given { name, stack, unrolled, role } = given;
        let whole = inner.ty(value);
        let apart = unrolled_count(stack, unrolled);
        let ty = whole.with_axes(whole.axes[apart..].to_vec());
        let sharding = layouts.map(|layouts| layouts.held(name, &ty, stack.len() - apart, role)).transpose()?;
        Ok(Entry { value, names: array_names(name, stack, unrolled), donated_to: None, ty, sharding })
    }

    /// The type of one of its tensors, and how it lies.
    fn typed(&self, attributes: &[String]) -> String {
        let sharding = self.sharding.as_ref().map(Sharding::attribute);
        let attributes: Vec<String> = sharding.into_iter().chain(attributes.iter().cloned()).collect();
        match attributes.is_empty() {
            true => self.ty.stablehlo(),
            false => format!("{} {{{}}}", self.ty.stablehlo(), attributes.join(", ")),
        }
    }
}

fn module_text(
    inner: &Inner,
    layouts: Option<Layouts<'_>>,
    name: &str,
    signature: &Signature,
    unrolled: &[&'static str],
) -> (String, Places) {
    let (mesh, devices) = match &layouts {
        Some(layouts) => (format!("  {}\n", layouts.mesh().stablehlo()), layouts.mesh().device_count()),
        None => (String::new(), 1),
    };
    let mut e = Emitter {
        text: String::new(),
        next: 0,
        depth: 2,
        unrolled: unrolled.to_vec(),
        layouts,
        labels: Labels::default(),
    };
    let mut names = Names::new();
    let mut arguments = Vec::new();
    for entry in &signature.arguments {
        let first = arguments.len();
        let own: Vec<String> = (first..first + entry.names.len()).map(|i| format!("%arg{i}")).collect();
        for (part, argument) in own.iter().enumerate() {
            let alias = entry.donated_to.map(|result| format!("tf.aliasing_output = {} : i32", result + part));
            arguments.push(format!("{argument}: {}", entry.typed(alias.as_slice())));
        }
        names.insert(entry.value, own);
    }
    for entry in &signature.arguments {
        // An argument may be whole where its type says that the value is in parts.
        let whole = std::mem::take(names.entry(entry.value).or_default());
        let parts = whole.into_iter().flat_map(|name| e.split(name, &entry.ty)).collect();
        names.insert(entry.value, parts);
    }
    let wanted: Vec<ValueId> = signature.results.iter().map(|entry| entry.value).collect();
    e.region(inner, ROOT, &wanted, &mut names);
    let (mut returned, mut types, mut results) = (Vec::new(), Vec::new(), Vec::new());
    for entry in &signature.results {
        let parts = &names[&entry.value];
        let inside = e.leads(&entry.ty).to_vec();
        for parts in parts.chunks(element_count(&inside)) {
            returned.push(e.join_along(parts, &inside, &e.part_type(&entry.ty)));
            types.push(entry.ty.stablehlo());
            results.push(entry.typed(&[]));
        }
    }
    if returned.is_empty() {
        e.line("return");
    } else {
        e.line(&format!("return {} : {}", returned.join(", "), types.join(", ")));
    }
    let head = format!(
        "module @{name} attributes {{mhlo.num_partitions = {devices} : i32, mhlo.num_replicas = 1 : i32}} {{\n{mesh}  \
         func.func public @main({}) -> ({}) {{\n",
        arguments.join(", "),
        results.join(", "),
    );
    let places = e.labels.places(head.lines().count());
    (format!("{head}{}  }}\n}}\n", e.text), places)
}

/// The names of the parts of each value; see [`parts`].
type Names = HashMap<ValueId, Vec<String>>;

/// Writes ops in SSA form.
pub(crate) struct Emitter<'a> {
    text: String,
    next: usize,
    depth: usize,
    /// The axes over which scans are unrolled.
    unrolled: Vec<&'static str>,
    /// How values lie on several devices; `None` on one, and where each computes for itself.
    layouts: Option<Layouts<'a>>,
    /// What the lines compute.
    labels: Labels,
}

impl Emitter<'_> {
    /// A name not used before.
    pub(crate) fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%{}", self.next - 1)
    }

    fn line(&mut self, text: &str) {
        for line in text.lines() {
            self.labels.line();
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
            let around =
                self.labels.enter(Arc::clone(&inner.places[node.here.place as usize]), node.here.phase, node.op.name());
            let results = self.node(inner, *id, &live, names);
            self.labels.leave(around);
            names.extend(node.results.iter().copied().zip(results));
        }
    }

    /// Writes a node and gives the names of its results' parts; a result that is not live may have none.
    fn node(&mut self, inner: &Inner, id: NodeId, live: &HashSet<ValueId>, names: &Names) -> Vec<Vec<String>> {
        let node = inner.node(id);
        let held = |id: &ValueId| Held { parts: names.get(id).map_or(&[], Vec::as_slice), ty: inner.ty(*id) };
        match &node.op {
            Op::Scan(scan) => self.scan(inner, id, scan, live, names),
            Op::CustomVjp(custom) => {
                let forward = inner.region(custom.forward);
                let wanted: Vec<ValueId> = wanted_results(&node.results, &forward.results, live);
                let mut inside = Names::new();
                for (param, input) in forward.params.iter().zip(&node.inputs) {
                    inside.insert(*param, names.get(input).cloned().unwrap_or_default());
                }
                self.region(inner, custom.forward, &wanted, &mut inside);
                forward.results.iter().map(|id| inside.get(id).cloned().unwrap_or_default()).collect()
            }
            Op::PerShard(shards) => self.per_shard(inner, id, shards, live, names),
            Op::CustomCall(call) => {
                let args: Vec<String> = node.inputs.iter().map(|id| self.join(held(id))).collect();
                let typed = args.iter().zip(&node.inputs).map(|(name, id)| Operand { name, ty: inner.ty(*id) });
                let results = call.lower_all(self, &typed.collect::<Vec<_>>());
                results.into_iter().zip(&node.results).map(|(name, id)| self.split(name, inner.ty(*id))).collect()
            }
            op => {
                let args: Vec<_> = node.inputs.iter().map(held).collect();
                vec![self.op(op, &args, inner.ty(node.results[0]))]
            }
        }
    }
}
