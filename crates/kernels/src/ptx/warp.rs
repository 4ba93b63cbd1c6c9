//! A warp that runs PTX, for tests: what is written by hand is compared with the interpreter where there is no GPU. It knows the instructions that these kernels have,
//! and fails at any other, at places in memory that are in no array, and where lanes part ways.

use std::collections::HashMap;

use graph::{DType, TensorType};
use half::bf16;

use super::LANES;
use crate::{Array, Code, Interpreter, Launch, Road};

/// What a register holds, in each lane: its bits.
type Lanes = [u64; LANES];

/// Arrays in a device's memory, one behind the other with room between them.
#[derive(Default)]
pub(crate) struct Memory {
    arrays: Vec<(u64, Vec<u8>)>,
}

impl Memory {
    /// Puts an array there; gives where it begins.
    pub(crate) fn put(&mut self, bytes: Vec<u8>) -> u64 {
        let end = self.arrays.last().map_or(1 << 33, |(start, bytes)| start + bytes.len() as u64);
        let start = end.next_multiple_of(256) + 256;
        self.arrays.push((start, bytes));
        start
    }

    /// What an array has become.
    pub(crate) fn get(&self, start: u64) -> &[u8] {
        &self.arrays.iter().find(|(own, _)| *own == start).expect("an array begins there").1
    }

    fn word(&mut self, place: u64) -> &mut [u8] {
        assert!(place.is_multiple_of(4), "words lie at multiples of four: {place}");
        let number = self.arrays.partition_point(|(start, _)| *start <= place);
        let found = number.checked_sub(1).and_then(|number| {
            let (start, bytes) = &mut self.arrays[number];
            let first = (place - *start) as usize;
            bytes.get_mut(first..first + 4)
        });
        found.unwrap_or_else(|| panic!("no array has a word at {place:#x}"))
    }
}

/// A line of a text.
struct Line<'t> {
    /// By which register lanes do it, and whether where that is false.
    only: Option<(usize, bool)>,
    /// The parts of the instruction's name.
    name: Vec<&'t str>,
    /// Each a list, of one but for vectors.
    operands: Vec<Vec<Operand<'t>>>,
    text: &'t str,
}

#[derive(Clone, Copy)]
enum Operand<'t> {
    Register(usize),
    Number(u64),
    /// A place in memory, so many bytes behind what a register says.
    Place(usize, u64),
    Name(&'t str),
}

/// A kernel of one warp.
pub(crate) struct Program<'t> {
    lines: Vec<Line<'t>>,
    labels: HashMap<&'t str, usize>,
    registers: usize,
    parameters: Vec<&'t str>,
}

impl<'t> Program<'t> {
    pub(crate) fn new(text: &'t str) -> Program<'t> {
        let (head, body) = text.split_once("\n{").expect("a body");
        let parameters =
            head.split(".param .u64 ").skip(1).map(|rest| rest.split([',', ')']).next().unwrap_or_default());
        let mut names = HashMap::new();
        let (mut lines, mut labels) = (Vec::new(), HashMap::new());
        for text in body.lines().map(str::trim) {
            if let Some(label) = text.strip_suffix(':') {
                assert!(labels.insert(label, lines.len()).is_none(), "{label} stands twice");
            } else if let Some(text) = text.strip_suffix(';').filter(|text| !text.starts_with(".reg")) {
                lines.push(line(text, &mut names));
            }
        }
        Program { lines, labels, registers: names.len(), parameters: parameters.collect() }
    }

    /// Runs the program with this number on arrays that begin where `arguments` say.
    pub(crate) fn run(&self, program: usize, memory: &mut Memory, arguments: &[u64]) {
        let mut warp = Warp { registers: vec![[u64::from(u32::MAX); LANES]; self.registers], program, memory };
        let mut next = 0;
        while let Some(line) = self.lines.get(next) {
            next += 1;
            let active: [bool; LANES] = std::array::from_fn(|lane| {
                line.only.is_none_or(|(register, wanted)| (warp.registers[register][lane] != 0) == wanted)
            });
            match line.name[0] {
                "ret" => return,
                // Nothing else is launched.
                "griddepcontrol" => {}
                "bar" => assert!(active.iter().all(|is| *is), "{}", line.text),
                "bra" => {
                    assert!(active.iter().all(|is| *is == active[0]), "lanes part ways: {}", line.text);
                    let Operand::Name(label) = line.operands[0][0] else { panic!("{}", line.text) };
                    next = if active[0] { self.labels[label] } else { next };
                }
                "ld" if line.name[1] == "param" => {
                    let Operand::Name(name) = line.operands[1][0] else { panic!("{}", line.text) };
                    let name = name.trim_matches(['[', ']']);
                    let number = self.parameters.iter().position(|own| *own == name).expect("a parameter");
                    warp.set(line.operands[0][0], [true; LANES], [arguments[number]; LANES]);
                }
                _ => warp.step(line, active),
            }
        }
    }
}

fn line<'t>(text: &'t str, names: &mut HashMap<&'t str, usize>) -> Line<'t> {
    let mut register = |name: &'t str| {
        let count = names.len();
        *names.entry(name).or_insert(count)
    };
    let (only, rest) = match text.strip_prefix('@') {
        Some(rest) => {
            let (name, rest) = rest.split_once(' ').expect("an instruction");
            (Some((register(name.trim_start_matches('!')), !name.starts_with('!'))), rest)
        }
        None => (None, text),
    };
    let (name, operands) = rest.split_once(' ').unwrap_or((rest, ""));
    let mut operand = |text: &'t str| -> Operand<'t> {
        let place = text.strip_prefix("[%").map(|_| &text[1..text.len() - 1]);
        if let Some(place) = place {
            let (name, behind) = place.split_once('+').unwrap_or((place, "0"));
            return Operand::Place(register(name), behind.parse().expect("a number"));
        }
        let hexadecimal = |digits: &str| u64::from_str_radix(digits, 16).expect("a number");
        match text {
            "%tid.x" | "%ctaid.x" => Operand::Name(text),
            _ if text.starts_with('%') => Operand::Register(register(text)),
            _ if text.starts_with("0f") => Operand::Number(hexadecimal(&text[2..])),
            _ if text.starts_with("0x") => Operand::Number(hexadecimal(&text[2..])),
            _ => text.parse().map_or(Operand::Name(text), Operand::Number),
        }
    };
    let mut lists = Vec::new();
    let mut rest = operands.trim();
    while !rest.is_empty() {
        let (list, behind) = match rest.strip_prefix('{') {
            Some(inner) => {
                let (list, behind) = inner.split_once('}').expect("a list's end");
                (list.split(", ").map(&mut operand).collect(), behind)
            }
            None => {
                let (one, behind) = rest.split_once(", ").map_or((rest, ""), |(one, behind)| (one, behind));
                (vec![operand(one)], behind)
            }
        };
        lists.push(list);
        rest = behind.trim_start_matches(", ");
    }
    Line { only, name: name.split('.').collect(), operands: lists, text }
}

struct Warp<'m> {
    registers: Vec<Lanes>,
    program: usize,
    memory: &'m mut Memory,
}

fn float(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn of_float(number: f32) -> u64 {
    u64::from(number.to_bits())
}

/// The two numbers of a word.
fn pair(word: u64) -> [f32; 2] {
    [word as u16, (word >> 16) as u16].map(|bits| bf16::from_bits(bits).to_f32())
}

impl Warp<'_> {
    fn get(&self, operand: Operand<'_>) -> Lanes {
        match operand {
            Operand::Register(register) | Operand::Place(register, _) => self.registers[register],
            Operand::Number(number) => [number; LANES],
            Operand::Name("%tid.x") => std::array::from_fn(|lane| lane as u64),
            Operand::Name("%ctaid.x") => [self.program as u64; LANES],
            Operand::Name(name) => panic!("{name} is not known"),
        }
    }

    fn set(&mut self, operand: Operand<'_>, active: [bool; LANES], lanes: Lanes) {
        let Operand::Register(register) = operand else { panic!("a register is written") };
        for (lane, number) in lanes.into_iter().enumerate().filter(|(lane, _)| active[*lane]) {
            self.registers[register][lane] = number;
        }
    }

    fn step(&mut self, line: &Line<'_>, active: [bool; LANES]) {
        let one = |number: usize| line.operands[number][0];
        let all_active = active.iter().all(|is| *is);
        match line.name[..] {
            ["ld" | "st", "global", ..] => return self.access(line, active),
            ["mma", ..] => {
                assert!(all_active, "{}", line.text);
                return self.multiply(line);
            }
            _ => {}
        }
        let of = |number: usize| self.get(one(number));
        let lanes = match line.name[..] {
            ["movmatrix", "sync", "aligned", "m8n8", "trans", "b16"] => {
                assert!(all_active, "{}", line.text);
                let words = of(1);
                let element = |row: usize, column: usize| words[4 * row + column / 2] >> (16 * (column % 2)) & 0xffff;
                std::array::from_fn(|lane| {
                    let (row, column) = (lane / 4, 2 * (lane % 4));
                    element(column, row) | element(column + 1, row) << 16
                })
            }
            ["shfl", "sync", "bfly", "b32"] => {
                assert!(all_active && of(3)[0] == 31 && of(4)[0] == u64::from(u32::MAX), "{}", line.text);
                let (words, distance) = (of(1), of(2)[0] as usize);
                std::array::from_fn(|lane| words[lane ^ distance])
            }
            ["shfl", "sync", "idx", "b32"] => {
                assert!(all_active && of(3)[0] == 31 && of(4)[0] == u64::from(u32::MAX), "{}", line.text);
                let (words, from) = (of(1), of(2));
                std::array::from_fn(|lane| words[from[lane] as usize])
            }
            ["vote", "sync", "any", "pred"] => {
                assert!(all_active && of(2)[0] == u64::from(u32::MAX), "{}", line.text);
                [u64::from(of(1).iter().any(|is| *is != 0)); LANES]
            }
            _ => {
                let operands: Vec<Lanes> = (1..line.operands.len()).map(of).collect();
                std::array::from_fn(|lane| {
                    let operands: Vec<u64> = operands.iter().map(|lanes| lanes[lane]).collect();
                    computed(&line.name, &operands, line.text)
                })
            }
        };
        self.set(one(0), active, lanes);
    }

    fn access(&mut self, line: &Line<'_>, active: [bool; LANES]) {
        let is_load = line.name[0] == "ld";
        let (words, place) = if is_load { (0, 1) } else { (1, 0) };
        let Operand::Place(_, behind) = line.operands[place][0] else { panic!("{}", line.text) };
        let places = self.get(line.operands[place][0]);
        let bytes = 4 * line.operands[words].len() as u64;
        for lane in (0..LANES).filter(|lane| active[*lane]) {
            let first = places[lane] + behind;
            assert!(first.is_multiple_of(bytes), "{first:#x} is no multiple of {bytes}: {}", line.text);
            for (number, operand) in line.operands[words].iter().enumerate() {
                let Operand::Register(register) = *operand else { panic!("{}", line.text) };
                let word = self.memory.word(first + 4 * number as u64);
                if is_load {
                    let bytes = [word[0], word[1], word[2], word[3]];
                    self.registers[register][lane] = u64::from(u32::from_le_bytes(bytes));
                } else {
                    word.copy_from_slice(&(self.registers[register][lane] as u32).to_le_bytes());
                }
            }
        }
    }

    /// `mma.m16n8k16`, as PTX's reference lays its matrices out over lanes.
    fn multiply(&mut self, line: &Line<'_>) {
        let words = |list: usize| -> Vec<Lanes> { line.operands[list].iter().map(|word| self.get(*word)).collect() };
        let (left, right, sums) = (words(1), words(2), words(3));
        let left = |row: usize, k: usize| {
            let word = left[row / 8 + 2 * (k / 8)][4 * (row % 8) + k % 8 / 2];
            f64::from(pair(word)[k % 2])
        };
        let right = |k: usize, column: usize| f64::from(pair(right[k / 8][4 * column + k % 8 / 2])[k % 2]);
        for (number, operand) in line.operands[0].iter().enumerate() {
            let lanes = std::array::from_fn(|lane| {
                let (row, column) = (lane / 4 + 8 * (number / 2), 2 * (lane % 4) + number % 2);
                let sum: f64 = (0..16).map(|k| left(row, k) * right(k, column)).sum();
                of_float((f64::from(float(sums[number][lane])) + sum) as f32)
            });
            self.set(*operand, [true; LANES], lanes);
        }
    }
}

/// As [`computed`], of what has two numbers, or other bits, in a word.
fn computed_of_pairs(name: &[&str], operands: &[u64], text: &str) -> u64 {
    let word = |number: usize| operands[number] as u32;
    match *name {
        ["lop3", "b32"] => {
            assert_eq!(operands[3], 0xea, "another function is not known: {text}");
            u64::from(word(0) & word(1) | word(2))
        }
        ["mul", "rn", "bf16x2"] => {
            let [first, second] = [0, 1].map(|place| pair(operands[place]));
            (0..2).map(|half| u64::from(bf16::from_f32(first[half] * second[half]).to_bits()) << (16 * half)).sum()
        }
        ["cvt", "rn", "bf16x2", "f32"] => {
            let [high, low] = [0, 1].map(|place| u64::from(bf16::from_f32(float(operands[place])).to_bits()));
            high << 16 | low
        }
        _ => panic!("an instruction that is not known: {text}"),
    }
}

/// What an instruction makes of a lane's operands.
fn computed(name: &[&str], operands: &[u64], text: &str) -> u64 {
    let word = |number: usize| operands[number] as u32;
    let signed = |number: usize| operands[number] as u32 as i32;
    let number = |number: usize| float(operands[number]);
    match *name {
        ["mov", ..] => operands[0],
        ["shr", "u32"] => u64::from(word(0) >> word(1)),
        ["shl", "b32"] => u64::from(word(0) << word(1)),
        ["shr", "s32"] => u64::from((signed(0) >> word(1)) as u32),
        ["and", "b32"] => u64::from(word(0) & word(1)),
        ["or", "b32"] => u64::from(word(0) | word(1)),
        ["and", "pred"] => operands[0] & operands[1],
        ["not", "pred"] => u64::from(operands[0] == 0),
        ["sub", "u32"] => u64::from(word(0).wrapping_sub(word(1))),
        ["add", "u32"] => u64::from(word(0).wrapping_add(word(1))),
        ["add", "u64"] => operands[0].wrapping_add(operands[1]),
        ["mul", "lo", "u32"] => u64::from(word(0).wrapping_mul(word(1))),
        ["mul", "wide", "u32"] => u64::from(word(0)) * u64::from(word(1)),
        ["mad", "lo", "u32"] => u64::from(word(0).wrapping_mul(word(1)).wrapping_add(word(2))),
        ["mad", "wide", "u32"] => (u64::from(word(0)) * u64::from(word(1))).wrapping_add(operands[2]),
        ["div", "u32"] => u64::from(word(0) / word(1)),
        ["rem", "u32"] => u64::from(word(0) % word(1)),
        ["min", "s32"] => u64::from(signed(0).min(signed(1)) as u32),
        ["max", "u32"] => u64::from(word(0).max(word(1))),
        ["setp", comparison, ref rest @ ..] => {
            let [both @ .., ty] = rest else { panic!("{text}") };
            let order = match *ty {
                "f32" => number(0).partial_cmp(&number(1)),
                "s32" => Some(signed(0).cmp(&signed(1))),
                "u32" => Some(word(0).cmp(&word(1))),
                _ => panic!("{text}"),
            };
            let holds = match comparison {
                "lt" => order.is_some_and(|order| order.is_lt()),
                "ge" => order.is_some_and(|order| order.is_ge()),
                "gt" => order.is_some_and(|order| order.is_gt()),
                "eq" => order.is_some_and(|order| order.is_eq()),
                "ne" => order.is_some_and(|order| order.is_ne()),
                "neu" => order.is_none_or(|order| order.is_ne()),
                _ => panic!("{text}"),
            };
            match both {
                [] => u64::from(holds),
                ["and"] => u64::from(holds && operands[2] != 0),
                _ => panic!("{text}"),
            }
        }
        ["selp", _] => operands[usize::from(operands[2] == 0)],
        ["prmt", "b32"] => {
            assert!(operands[2] & 0x8888 == 0, "signs are not known: {text}");
            let bytes = operands[0] & 0xffff_ffff | operands[1] << 32;
            (0..4).map(|byte| (bytes >> (8 * (operands[2] >> (4 * byte) & 7)) & 0xff) << (8 * byte)).sum()
        }
        ["neg", "f32"] => of_float(-number(0)),
        ["add", "f32"] => of_float(number(0) + number(1)),
        ["sub", "f32"] => of_float(number(0) - number(1)),
        ["mul", "f32"] => of_float(number(0) * number(1)),
        ["max", "f32"] => of_float(number(0).max(number(1))),
        ["fma", "rn", "f32"] => of_float(number(0).mul_add(number(1), number(2))),
        ["ex2", "approx", "ftz", "f32"] => of_float(number(0).exp2()),
        ["rcp", "approx", "ftz", "f32"] => of_float(1.0 / number(0)),
        ["cvt", "u64", "u32"] => u64::from(word(0)),
        _ => computed_of_pairs(name, operands, text),
    }
}

fn bytes(array: &Array) -> Vec<u8> {
    let numbers = array.numbers().iter();
    match array.dtype() {
        DType::BF16 => numbers.flat_map(|number| bf16::from_f64(*number).to_le_bytes()).collect(),
        DType::U16 => numbers.flat_map(|number| (*number as u16).to_le_bytes()).collect(),
        DType::I32 => numbers.flat_map(|number| (*number as i32).to_le_bytes()).collect(),
        _ => numbers.flat_map(|number| (*number as f32).to_le_bytes()).collect(),
    }
}

fn array(dtype: DType, bytes: &[u8]) -> Array {
    let numbers = match dtype {
        DType::BF16 => bytes.as_chunks().0.iter().map(|word| bf16::from_le_bytes(*word).to_f64()).collect(),
        DType::U16 => bytes.as_chunks().0.iter().map(|word| f64::from(u16::from_le_bytes(*word))).collect(),
        _ => bytes.as_chunks().0.iter().map(|word| f64::from(f32::from_le_bytes(*word))).collect(),
    };
    Array::new(dtype, numbers)
}

/// Runs code by hand by warps, and other launches by the interpreter. What is not written is no number.
pub(crate) struct Warps;

impl Road for &Warps {
    type Array = Array;

    fn run(&self, launch: &Launch, inputs: &[Array]) -> Vec<Array> {
        let Code::ByHand(code) = &launch.code else { return (&Interpreter::default()).run(launch, inputs) };
        let mut memory = Memory::default();
        let read: Vec<u64> = inputs.iter().map(|input| memory.put(bytes(input))).collect();
        let place =
            |(number, ty): (usize, &TensorType)| match launch.in_place.iter().find(|(result, _)| *result == number) {
                Some((_, input)) => read[*input],
                None => memory.put(vec![0xff; ty.element_count() * ty.dtype.size()]),
            };
        let written: Vec<u64> = launch.results.iter().enumerate().map(place).collect();
        let program = Program::new(&code.text);
        for number in 0..code.programs {
            program.run(number, &mut memory, &[&read[..], &written].concat());
        }
        let results = launch.results.iter().zip(written);
        results.map(|(ty, place)| array(ty.dtype, memory.get(place))).collect()
    }
}
