//! Modules, computations and instructions, read from `hlo.proto` and `xla_data.proto`.

use std::collections::{HashMap, HashSet};

use serde_json::Value as Json;

use crate::groups::{AxisPart, Groups, MeshOfDevices, permutation};
use crate::wire::{Field, fields};

/// The bytes are no program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the plugin's compiled program cannot be read: {0}; this version of Finery does not know the plugin's format")]
pub struct Malformed(&'static str);

/// A compiled program.
#[derive(Clone, Debug)]
pub struct Module {
    /// Its name, which profiles tell.
    pub name: String,
    computations: HashMap<u64, Computation>,
    entry: u64,
    /// The order in which a computation's instructions run, by their numbers.
    schedule: HashMap<u64, Vec<u64>>,
}

/// A function of a program: its entry, a loop's body, what a fusion computes.
#[derive(Clone, Debug)]
pub struct Computation {
    /// Its instructions; operands stand before those that use them.
    pub instructions: Vec<Instruction>,
    id: u64,
    root: u64,
}

/// An operation with its result.
#[derive(Clone, Debug, Default)]
pub struct Instruction {
    /// Its number; unique in the program.
    pub id: u64,
    /// Its name, by which profiles know it; unique in the program.
    pub name: String,
    /// The line of the program's text that it comes from, counted from 1; 0 where the compiler made it of its own.
    pub line: usize,
    /// What it does, such as `fusion` or `all-gather-start`.
    pub opcode: String,
    /// Its result.
    pub shape: Shape,
    /// What it takes, by [`Instruction::id`].
    pub operands: Vec<u64>,
    /// Of a custom call, what is called.
    pub target: String,
    /// Of a parameter, its place.
    pub parameter: usize,
    /// Of a product, the dimensions of the first operand that are summed over.
    pub contracted: Vec<usize>,
    called: Vec<u64>,
    config: String,
    pub(crate) groups: Option<Groups>,
}

/// The shape of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A dense array.
    Array(Element, Vec<u64>),
    /// Several values.
    Tuple(Vec<Shape>),
}

impl Default for Shape {
    fn default() -> Shape {
        Shape::Tuple(Vec::new())
    }
}

/// The type of an array's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// An 8-bit float, by XLA's name for its kind.
    Float8(&'static str),
    /// bf16 or f16.
    Half,
    /// f32.
    Single,
    /// f64.
    Double,
    /// Any other, of so many bytes; 0 for tokens and the like.
    Other(u64),
}

impl Element {
    /// By XLA's `PrimitiveType`.
    fn of(number: u64) -> Element {
        match number {
            19 => Element::Float8("f8e5m2"),
            20 => Element::Float8("f8e4m3fn"),
            23 => Element::Float8("f8e4m3b11fnuz"),
            24 => Element::Float8("f8e5m2fnuz"),
            25 => Element::Float8("f8e4m3fnuz"),
            10 | 16 => Element::Half,
            11 => Element::Single,
            12 => Element::Double,
            3 | 7 => Element::Other(2),
            4 | 8 => Element::Other(4),
            5 | 9 | 15 => Element::Other(8),
            18 => Element::Other(16),
            13 | 14 | 17 => Element::Other(0),
            // What is left is of 8 bits or fewer.
            _ => Element::Other(1),
        }
    }

    /// Bytes of an element.
    pub fn size(self) -> u64 {
        match self {
            Element::Float8(_) => 1,
            Element::Half => 2,
            Element::Single => 4,
            Element::Double => 8,
            Element::Other(size) => size,
        }
    }
}

impl Shape {
    /// Sizes of an array; none of a tuple.
    pub fn dims(&self) -> &[u64] {
        if let Shape::Array(_, dims) = self { dims } else { &[] }
    }

    /// Bytes of all arrays in it.
    pub fn bytes(&self) -> u64 {
        match self {
            Shape::Array(element, dims) => dims.iter().fold(element.size(), |bytes, size| bytes.saturating_mul(*size)),
            Shape::Tuple(parts) => parts.iter().map(Shape::bytes).fold(0, u64::saturating_add),
        }
    }

    /// Its arrays, those of inner tuples too.
    pub fn arrays(&self) -> Vec<&Shape> {
        match self {
            Shape::Array(..) => vec![self],
            Shape::Tuple(parts) => parts.iter().flat_map(Shape::arrays).collect(),
        }
    }
}

impl Module {
    /// Reads a program as plugins give it in the formats `hlo` (an `HloModuleProto`) and `hlo_with_config` (an
    /// `HloModuleProtoWithConfig`).
    ///
    /// # Errors
    /// Another format, or bytes that are no such message.
    pub fn read(format: &str, code: &[u8]) -> Result<Module, Malformed> {
        match format {
            "hlo" => Module::of(code),
            "hlo_with_config" => {
                let all = message(code)?;
                let module = all.iter().find(|field| field.number == 1).and_then(|field| field.value.bytes());
                Module::of(module.ok_or(Malformed("it holds no module"))?)
            }
            _ => Err(Malformed("it is in no format of HLO")),
        }
    }

    /// What is called stands before what calls it, as XLA writes it, so that nothing calls itself.
    fn of(code: &[u8]) -> Result<Module, Malformed> {
        let (mut name, mut computations, mut entry) = (String::new(), HashMap::new(), None);
        let mut depths: HashMap<u64, usize> = HashMap::new();
        let mut schedule = HashMap::new();
        for Field { number, value } in message(code)? {
            match number {
                1 => name = String::from_utf8_lossy(value.bytes().unwrap_or_default()).into_owned(),
                3 => {
                    let computation = Computation::read(value.bytes().ok_or(Malformed("a computation is none"))?)?;
                    let called = computation.instructions.iter().flat_map(|instruction| &instruction.called);
                    let called = called.map(|id| depths.get(id).copied());
                    let deepest =
                        called.collect::<Option<Vec<usize>>>().ok_or(Malformed("a call is of what follows"))?;
                    let depth = deepest.into_iter().max().map_or(0, |depth| depth + 1);
                    if depth > DEPTH_MAX || depths.insert(computation.id, depth).is_some() {
                        return Err(Malformed("its calls are nested too deep, or two computations have one number"));
                    }
                    computations.insert(computation.id, computation);
                }
                6 => entry = value.number(),
                7 => schedule = sequences(value.bytes().unwrap_or_default())?,
                _ => {}
            }
        }
        let entry = entry.filter(|id| computations.contains_key(id)).ok_or(Malformed("it has no entry"))?;
        Ok(Module { name, computations, entry, schedule })
    }

    /// What the program computes as a whole.
    pub fn entry(&self) -> &Computation {
        &self.computations[&self.entry]
    }

    /// The instructions of a computation in the order in which they run, where the compiler has fixed one; else, in one that is as good.
    pub fn in_order<'m>(&self, computation: &'m Computation) -> Vec<&'m Instruction> {
        let all = &computation.instructions;
        let known: HashMap<u64, &Instruction> = all.iter().map(|instruction| (instruction.id, instruction)).collect();
        let order = self.schedule.get(&computation.id).map_or(&[][..], Vec::as_slice);
        let scheduled: Vec<&Instruction> = order.iter().filter_map(|id| known.get(id).copied()).collect();
        let distinct: HashSet<u64> = scheduled.iter().map(|instruction| instruction.id).collect();
        let is_order = scheduled.len() == all.len() && distinct.len() == all.len();
        if is_order { scheduled } else { all.iter().collect() }
    }

    /// All computations, in no order.
    pub fn computations(&self) -> impl Iterator<Item = &Computation> {
        self.computations.values()
    }

    /// What an instruction calls: of a loop its condition and body, of a fusion what it fuses.
    pub fn called(&self, instruction: &Instruction) -> impl Iterator<Item = &Computation> {
        instruction.called.iter().filter_map(|id| self.computations.get(id))
    }
}

impl Computation {
    fn read(code: &[u8]) -> Result<Computation, Malformed> {
        let mut computation = Computation { instructions: Vec::new(), id: 0, root: 0 };
        let mut known: HashSet<u64> = HashSet::new();
        for Field { number, value } in message(code)? {
            match number {
                2 => {
                    let code = value.bytes().ok_or(Malformed("an instruction is none"))?;
                    let instruction = Instruction::read(code)?;
                    if !instruction.operands.iter().all(|operand| known.contains(operand)) {
                        return Err(Malformed("an operand follows what takes it"));
                    }
                    known.insert(instruction.id);
                    computation.instructions.push(instruction);
                }
                5 => computation.id = value.number().unwrap_or(0),
                6 => computation.root = value.number().unwrap_or(0),
                _ => {}
            }
        }
        Ok(computation)
    }

    /// The instruction whose result is the computation's.
    pub fn root(&self) -> Option<&Instruction> {
        self.find(self.root)
    }

    /// The instruction of a number.
    pub fn find(&self, id: u64) -> Option<&Instruction> {
        self.instructions.iter().find(|instruction| instruction.id == id)
    }
}

/// What no device is asked for.
const RUNS_NOTHING: [&str; 12] = [
    "parameter",
    "constant",
    "tuple",
    "get-tuple-element",
    "bitcast",
    "after-all",
    "partition-id",
    "replica-id",
    "opt-barrier",
    "add-dependency",
    "domain",
    "async-update",
];

impl Instruction {
    /// Whether no device is asked for anything: it names what is there, or waits for what another instruction began.
    pub fn runs_nothing(&self) -> bool {
        RUNS_NOTHING.contains(&&*self.opcode) || self.opcode.ends_with("-done")
    }

    fn read(code: &[u8]) -> Result<Instruction, Malformed> {
        let mut read = Instruction::default();
        for Field { number, value } in message(code)? {
            let text = || String::from_utf8_lossy(value.bytes().unwrap_or_default()).into_owned();
            let numbers = || value.numbers().ok_or(Malformed("a list of numbers is none"));
            match number {
                1 => read.name = text(),
                2 => read.opcode = text(),
                3 => read.shape = shape(value.bytes().unwrap_or_default(), 0)?,
                7 => read.line = line(value.bytes().unwrap_or_default())?,
                9 => read.parameter = value.number().unwrap_or(0) as usize,
                28 => read.target = text(),
                30 => read.contracted = first_numbers(value.bytes().unwrap_or_default())?,
                35 => read.id = value.number().unwrap_or(0),
                36 => read.operands.extend(numbers()?),
                38 => read.called.extend(numbers()?),
                43 => read.config = text(),
                49 => {
                    let members = first_numbers(value.bytes().unwrap_or_default())?;
                    let members = members.into_iter().map(|member| member as u64).collect();
                    read.groups.get_or_insert_with(Groups::default).0.push(members);
                }
                52 => {
                    let pair = pair(value.bytes().unwrap_or_default())?;
                    read.groups.get_or_insert_with(Groups::default).0.push(pair);
                }
                87 => read.groups = groups(value.bytes().unwrap_or_default())?.or(read.groups),
                92 => read.groups = Some(permuted(value.bytes().unwrap_or_default())?),
                93 => read.groups = Some(along(value.bytes().unwrap_or_default())?),
                _ => {}
            }
        }
        Ok(read)
    }

    /// How often a loop runs; `None` where the compiler does not know, or it is no loop.
    pub fn trip_count(&self) -> Option<u64> {
        // As protocol buffers are written in JSON, a number of 64 bits stands in quotes.
        self.config()?["known_trip_count"]["n"].as_str()?.parse().ok()
    }

    /// [`Instruction::config`] as text, which need not be JSON.
    pub fn config_text(&self) -> &str {
        &self.config
    }

    /// Whether it calls a kernel that it brings along, in Triton's form or as PTX.
    pub fn brings_a_kernel(&self) -> bool {
        ["__gpu$xla.gpu.triton", "__gpu$xla.gpu.ptx"].contains(&self.target.as_str())
    }

    /// The name of the kernel that a custom call brings along, which says `{…, name = "attention_forward", …}`.
    pub fn kernel_name(&self) -> Option<&str> {
        let (_, rest) = self.config.split_once(", name = \"").filter(|_| self.brings_a_kernel())?;
        rest.split('"').next()
    }

    /// What the compiler of the platform notes of the instruction.
    pub fn config(&self) -> Option<Json> {
        serde_json::from_str(&self.config).ok()
    }
}

fn message(code: &[u8]) -> Result<Vec<Field<'_>>, Malformed> {
    fields(code).ok_or(Malformed("it is cut off or damaged"))
}

/// The numbers of a message's field 1.
fn first_numbers(code: &[u8]) -> Result<Vec<usize>, Malformed> {
    Ok(all_numbers(code, 1)?.into_iter().map(|number| number as usize).collect())
}

/// The numbers of a message's field.
fn all_numbers(code: &[u8], field: u64) -> Result<Vec<u64>, Malformed> {
    let mut found = Vec::new();
    for field in message(code)?.iter().filter(|found| found.number == field) {
        found.extend(field.value.numbers().ok_or(Malformed("a list of numbers is none"))?);
    }
    Ok(found)
}

/// How deep tuples are in tuples, and computations called by computations, at the most: far above any program's, far below what a stack holds.
const DEPTH_MAX: usize = 64;

fn shape(code: &[u8], depth: usize) -> Result<Shape, Malformed> {
    if depth > DEPTH_MAX {
        return Err(Malformed("a shape is nested too deep"));
    }
    let (mut element, mut dims, mut parts) = (Element::Other(0), Vec::new(), None);
    for Field { number, value } in message(code)? {
        match (number, value.number()) {
            // Of a tuple.
            (2, Some(13)) => parts = parts.or(Some(Vec::new())),
            (2, Some(number)) => element = Element::of(number),
            (3, _) => dims.extend(value.numbers().ok_or(Malformed("a shape has no sizes"))?),
            (4, _) => parts.get_or_insert_with(Vec::new).push(shape(value.bytes().unwrap_or_default(), depth + 1)?),
            _ => {}
        }
    }
    Ok(parts.map_or(Shape::Array(element, dims), Shape::Tuple))
}

/// `HloScheduleProto`: for each computation, the numbers of its instructions in their order.
fn sequences(code: &[u8]) -> Result<HashMap<u64, Vec<u64>>, Malformed> {
    let mut sequences = HashMap::new();
    for Field { number, value } in message(code)? {
        if number == 1 {
            let entry = value.bytes().unwrap_or_default();
            let sequence =
                message(entry)?.iter().rfind(|field| field.number == 2).and_then(|field| field.value.bytes());
            let computation = numbered(entry, 1)?.unwrap_or(0);
            sequences.insert(computation, all_numbers(sequence.unwrap_or_default(), 1)?);
        }
    }
    Ok(sequences)
}

/// `SourceTarget`.
fn pair(code: &[u8]) -> Result<Vec<u64>, Malformed> {
    let mut pair = vec![0, 0];
    for Field { number, value } in message(code)? {
        if let Some(end) = number.checked_sub(1).and_then(|at| pair.get_mut(at as usize)) {
            *end = value.number().unwrap_or(0);
        }
    }
    Ok(pair)
}

/// `CollectiveDeviceListProto`: groups one by one, or as a permuted count.
fn groups(code: &[u8]) -> Result<Option<Groups>, Malformed> {
    let mut listed = Vec::new();
    for Field { number, value } in message(code)? {
        let code = value.bytes().unwrap_or_default();
        match number {
            1 => listed.push(first_numbers(code)?.into_iter().map(|member| member as u64).collect()),
            2 => return Ok(Some(permuted(code)?)),
            _ => {}
        }
    }
    Ok((!listed.is_empty()).then_some(Groups(listed)))
}

fn permuted(code: &[u8]) -> Result<Groups, Malformed> {
    let (mut size, mut sizes, mut order) = (1, Vec::new(), Vec::new());
    for Field { number, value } in message(code)? {
        let numbers = || value.numbers().ok_or(NO_DEVICES);
        match number {
            2 => size = value.number().unwrap_or(1),
            3 => sizes.extend(numbers()?),
            4 => order.extend(numbers()?.into_iter().map(|axis| axis as usize)),
            _ => {}
        }
    }
    Groups::permuted(size, &sizes, &order).ok_or(NO_DEVICES)
}

/// `MeshAxesReplicaGroupListProto`: groups along axes of a mesh.
fn along(code: &[u8]) -> Result<Groups, Malformed> {
    let (mut mesh, mut axes) = (MeshOfDevices::default(), Vec::new());
    for Field { number, value } in message(code)? {
        match number {
            1 => mesh = mesh_of_devices(value.bytes().unwrap_or_default())?,
            2 => axes.push(axis_part(value.bytes().unwrap_or_default())?),
            _ => {}
        }
    }
    Groups::along(&mesh, &axes).ok_or(NO_DEVICES)
}

/// `MeshProto`: its axes, and the devices one by one or as a permuted count.
fn mesh_of_devices(code: &[u8]) -> Result<MeshOfDevices, Malformed> {
    let mut mesh = MeshOfDevices::default();
    for Field { number, value } in message(code)? {
        let code = value.bytes().unwrap_or_default();
        match number {
            1 => mesh.sizes.push(numbered(code, 2)?.unwrap_or(0)),
            2 => mesh.devices.get_or_insert_default().extend(value.numbers().ok_or(NO_DEVICES)?),
            3 => {
                let (sizes, order) = (all_numbers(code, 1)?, all_numbers(code, 2)?);
                let order: Vec<usize> = order.into_iter().map(|axis| axis as usize).collect();
                mesh.devices = Some(permutation(&sizes, &order).ok_or(NO_DEVICES)?);
            }
            _ => {}
        }
    }
    Ok(mesh)
}

/// `AxisRefProto`.
fn axis_part(code: &[u8]) -> Result<AxisPart, Malformed> {
    let mut part = AxisPart { axis: 0, before: 1, size: None };
    for Field { number, value } in message(code)? {
        match number {
            1 => part.axis = value.number().unwrap_or(0) as usize,
            2 => {
                let code = value.bytes().unwrap_or_default();
                (part.before, part.size) = (numbered(code, 1)?.unwrap_or(0), Some(numbered(code, 2)?.unwrap_or(0)));
            }
            _ => {}
        }
    }
    Ok(part)
}

const NO_DEVICES: Malformed = Malformed("a list of devices is none");

/// The number in a message's field.
fn numbered(code: &[u8], field: u64) -> Result<Option<u64>, Malformed> {
    Ok(message(code)?.iter().rfind(|found| found.number == field).and_then(|found| found.value.number()))
}

/// Of `OpMetadata` the line, or the one that it is named after: `line 31`.
fn line(code: &[u8]) -> Result<usize, Malformed> {
    let metadata = message(code)?;
    let last = |number| metadata.iter().rfind(|field| field.number == number).map(|field| &field.value);
    let line = last(4).and_then(|line| line.number()).filter(|line| *line > 0);
    let name = last(2).and_then(|name| std::str::from_utf8(name.bytes()?).ok());
    let named = || name?.strip_prefix("line ")?.parse().ok();
    Ok(line.or_else(named).unwrap_or(0) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::written::{bytes, number, varint};
    use crate::{Collective, Kind, Reach};

    fn packed(field: u64, values: &[u64]) -> Vec<u8> {
        bytes(field, &values.iter().flat_map(|value| varint(*value)).collect::<Vec<u8>>())
    }

    /// `PrimitiveType` 11 is f32, 16 bf16.
    fn array(element: u64, dims: &[u64]) -> Vec<u8> {
        [number(2, element), packed(3, dims)].concat()
    }

    fn instruction(id: u64, opcode: &str, shape: &[u8], more: &[Vec<u8>]) -> Vec<u8> {
        bytes(2, &[vec![bytes(2, opcode.as_bytes()), bytes(3, shape), number(35, id)], more.to_vec()].concat().concat())
    }

    fn computation(id: u64, root: u64, instructions: &[Vec<u8>]) -> Vec<u8> {
        bytes(3, &[instructions.concat(), number(5, id), number(6, root)].concat())
    }

    /// As the kernels write it, and where there is none.
    #[test]
    fn calls_of_kernels_tell_their_names() {
        let config = "{debug = false, flops = 2500000000 : i64, ir = \"module { name = 1 }\", name = \"attention_forward\", num_stages = 2 : i32}";
        let name = |target: &str, config: &str| {
            let call = Instruction { target: target.to_owned(), config: config.to_owned(), ..Instruction::default() };
            call.kernel_name().map(str::to_owned)
        };
        assert_eq!(name("__gpu$xla.gpu.triton", config).as_deref(), Some("attention_forward"));
        assert_eq!(name("__gpu$xla.gpu.triton", "{debug = false}"), None);
        let config = "{block_x = 512 : i32, kernel_data = \".entry by_hand(\", kernel_type = \"ptx\", name = \"by_hand\", shared_mem_bytes = 0 : i32}";
        assert_eq!(name("__gpu$xla.gpu.ptx", config).as_deref(), Some("by_hand"));
        assert_eq!(name("__cublas$gemm", config), None);
    }

    fn module() -> Vec<u8> {
        let groups =
            bytes(87, &bytes(2, &[number(1, 2), number(2, 4), packed(3, &[4, 2]), packed(4, &[1, 0])].concat()));
        let body = computation(1, 11, &[instruction(11, "all-reduce", &array(11, &[8, 4]), &[groups])]);
        let config = bytes(43, br#"{"known_trip_count":{"n":"24"}}"#);
        let pair = [number(2, 13), bytes(4, &array(16, &[2, 4])), bytes(4, &array(16, &[16, 4]))].concat();
        let listed = [bytes(49, &packed(1, &[0, 1, 2, 3])), bytes(49, &packed(1, &[4, 5, 6, 7]))].concat();
        let entry = computation(
            2,
            22,
            &[
                instruction(20, "all-gather-start", &pair, &[listed]),
                instruction(21, "reduce-scatter", &array(11, &[4]), &[]),
                instruction(22, "while", &array(11, &[]), &[packed(38, &[1]), packed(36, &[20, 21]), config]),
            ],
        );
        [body, entry, number(6, 2)].concat()
    }

    #[test]
    fn a_program_is_read() {
        let module = Module::read("hlo_with_config", &bytes(1, &module())).expect("it is whole");
        let entry = module.entry();
        let root = entry.root().expect("it has one");
        assert_eq!((root.opcode.as_str(), root.trip_count(), &root.operands[..]), ("while", Some(24), &[20, 21][..]));
        let body: Vec<_> = module.called(root).flat_map(|body| &body.instructions).collect();
        // Every other device: the count 0 to 7 laid out in pairs, and read down.
        let sum = Collective::of(body[0], 8, 8).expect("it is one");
        assert_eq!(sum, Collective { kind: Kind::AllReduce, bytes: 128, members: 4, reach: Reach::Machine });
        assert_eq!(sum.sent(), 2.0 * 128.0 * 0.75);
        let [gather, scatter] = [0, 1].map(|at| Collective::of(&entry.instructions[at], 8, 4).expect("it is one"));
        assert_eq!(gather, Collective { kind: Kind::AllGather, bytes: 128, members: 4, reach: Reach::Machine });
        let reach = Reach::Machines { least: 4 };
        assert_eq!(scatter, Collective { kind: Kind::ReduceScatter, bytes: 128, members: 8, reach });
        assert_eq!((gather.sent(), scatter.sent()), (96.0, 112.0));
        assert!(Collective::of(root, 8, 8).is_none());
    }

    #[test]
    fn instructions_have_names_lines_and_an_order() {
        let named = |id: u64, name: &str, line: u64| {
            let metadata = bytes(7, &[bytes(3, b"-"), number(4, line)].concat());
            instruction(id, "copy", &array(11, &[4]), &[bytes(1, name.as_bytes()), metadata])
        };
        let after_a_line = bytes(7, &bytes(2, b"line 47"));
        let divided = instruction(10, "copy", &array(11, &[4]), &[bytes(1, b"copy.3"), after_a_line]);
        let named_alone =
            instruction(11, "copy", &array(11, &[4]), &[bytes(1, b"copy.4"), bytes(7, &bytes(2, b"dot.1"))]);
        let lines = Module::read("hlo", &[computation(1, 10, &[divided, named_alone]), number(6, 1)].concat());
        let lines: Vec<_> = lines.expect("it is whole").entry().instructions.iter().map(|found| found.line).collect();
        assert_eq!(lines, [47, 0]);
        let entry = computation(1, 9, &[named(8, "copy.1", 31), named(9, "copy.2", 0)]);
        let sequence = |ids: &[u64]| bytes(7, &bytes(1, &[number(1, 1), bytes(2, &packed(1, ids))].concat()));
        let read = |ids: &[u64]| {
            let code = [bytes(1, b"train_step"), entry.clone(), number(6, 1), sequence(ids)].concat();
            Module::read("hlo", &code).expect("it is whole")
        };
        let order = |module: &Module| -> Vec<u64> {
            module.in_order(module.entry()).iter().map(|instruction| instruction.id).collect()
        };
        let module = read(&[9, 8]);
        let first = &module.entry().instructions[0];
        assert_eq!((module.name.as_str(), first.name.as_str(), first.line), ("train_step", "copy.1", 31));
        assert_eq!(order(&module), [9, 8]);
        // What is no order of these instructions is none.
        for wrong in [&[9][..], &[9, 7], &[9, 9], &[]] {
            assert_eq!(order(&read(wrong)), [8, 9], "{wrong:?}");
        }
    }

    /// In each form that versions of XLA write.
    #[test]
    fn groups_are_read_in_each_form() {
        let groups = |more: &[Vec<u8>]| {
            let code = computation(1, 1, &[instruction(1, "all-reduce", &array(11, &[4]), more)]);
            let module = Module::read("hlo", &[code, number(6, 1)].concat()).expect("it is whole");
            module.entry().instructions[0].groups.clone().expect("it has groups").0
        };
        let neighbours = vec![vec![0, 1], vec![2, 3]];
        let list = [packed(1, &[0, 1]), packed(1, &[2, 3])];
        assert_eq!(groups(&list.each_ref().map(|group| bytes(49, group))), neighbours);
        assert_eq!(groups(&[bytes(87, &list.each_ref().map(|group| bytes(1, group)).concat())]), neighbours);
        let count = [number(1, 2), number(2, 2), packed(3, &[4]), packed(4, &[0])].concat();
        assert_eq!(groups(&[bytes(87, &bytes(2, &count))]), neighbours);
        assert_eq!(groups(&[bytes(92, &count)]), neighbours);
        let axis = |size| bytes(1, &[bytes(1, b"axis"), number(2, size)].concat());
        let along =
            |mesh: &[Vec<u8>], axis: &[u8]| groups(&[bytes(93, &[bytes(1, &mesh.concat()), bytes(2, axis)].concat())]);
        assert_eq!(along(&[axis(2), axis(2)], &number(1, 1)), neighbours);
        assert_eq!(along(&[axis(2), axis(2)], &[]), [[0, 2], [1, 3]]);
        assert_eq!(along(&[axis(4)], &bytes(2, &[number(1, 2), number(2, 2)].concat())), neighbours);
        assert_eq!(along(&[axis(2), axis(2), packed(2, &[0, 2, 1, 3])], &[]), neighbours);
        let turned = bytes(3, &[packed(1, &[2, 2]), packed(2, &[1, 0])].concat());
        assert_eq!(along(&[axis(2), axis(2), turned], &[]), neighbours);
        let pairs = [[number(1, 0), number(2, 1)], [number(1, 2), number(2, 3)]];
        assert_eq!(groups(&pairs.map(|pair| bytes(52, &pair.concat()))), neighbours);
    }

    /// Whoever follows shapes, operands and calls does so by recursion.
    #[test]
    fn what_would_be_followed_without_end_is_refused() {
        let refused = |code: &[Vec<u8>]| {
            Module::read("hlo", &[code.concat(), number(6, 1)].concat()).expect_err("it is refused").to_string()
        };
        let nested = (0..100_000).fold(array(11, &[]), |shape, _| match shape.len() {
            // As deep as a message of some kilobytes can be.
            ..4096 => [number(2, 13), bytes(4, &shape)].concat(),
            _ => shape,
        });
        let message = refused(&[computation(1, 1, &[instruction(1, "tuple", &nested, &[])])]);
        assert!(message.contains("a shape is nested too deep"), "{message}");
        let call = |id: u64, called: u64| {
            computation(id, id, &[instruction(id, "call", &array(11, &[]), &[packed(38, &[called])])])
        };
        assert!(refused(&[call(1, 1)]).contains("a call is of what follows"));
        assert!(refused(&[call(2, 1), call(1, 2)]).contains("a call is of what follows"));
        let chain: Vec<Vec<u8>> =
            (2..200).map(|id| if id == 2 { computation(2, 2, &[]) } else { call(id, id - 1) }).collect();
        assert!(refused(&[chain, vec![call(1, 199)]].concat()).contains("its calls are nested too deep"));
        let own = instruction(1, "bitcast", &array(11, &[]), &[packed(36, &[1])]);
        assert!(refused(&[computation(1, 1, &[own])]).contains("an operand follows"));
    }

    /// Reads a program that may be damaged, and what it exchanges.
    fn look_at(code: &[u8]) {
        if let Ok(module) = Module::read("hlo", code) {
            let all = module.computations().flat_map(|computation| &computation.instructions);
            all.filter_map(|instruction| Collective::of(instruction, 8, 4))
                .for_each(|one| assert!(!one.sent().is_nan()));
        }
    }

    /// Sizes of meshes and of parts of their axes whose products no number holds, and each byte of such a message as another.
    #[test]
    fn meshes_that_are_damaged_are_read_or_refused() {
        let axis = |size| bytes(1, &[bytes(1, b"axis"), number(2, size)].concat());
        let part = |before, size| bytes(2, &bytes(2, &[number(1, before), number(2, size)].concat()));
        let huge = u64::MAX;
        for (sizes, parts) in [
            ([4, 2], vec![part(2, 2)]),
            ([4, 2], vec![part(2, huge)]),
            ([4, 2], vec![part(1, huge), part(huge, 2)]),
            ([0, 2], vec![part(0, 2)]),
            ([1 << 63, 1 << 63], vec![bytes(2, &[]), bytes(2, &number(1, 1))]),
        ] {
            let mesh = bytes(1, &sizes.map(axis).concat());
            let groups = bytes(93, &[vec![mesh], parts].concat().concat());
            let code = computation(1, 1, &[instruction(1, "all-reduce", &array(11, &[4]), &[groups])]);
            let whole = [code, number(6, 1)].concat();
            look_at(&whole);
            for at in 0..whole.len() {
                for mask in [0x01, 0x7f, 0x80, 0xff] {
                    let mut damaged = whole.clone();
                    damaged[at] ^= mask;
                    look_at(&damaged);
                }
            }
        }
    }

    #[test]
    fn what_is_no_program_is_refused() {
        let whole = module();
        assert!(Module::read("mlir", &whole).is_err());
        assert!(Module::read("hlo_with_config", &number(6, 2)).is_err());
        assert!(Module::read("hlo", &[]).is_err());
        assert!(Module::read("hlo", &number(6, 3)).is_err());
        // What is cut off between fields is another program, and read or refused without a panic.
        for end in 0..whole.len() {
            let _ = Module::read("hlo", &whole[..end]);
        }
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0xff;
            look_at(&damaged);
        }
    }
}
