//! Compiled programs, as far as these tests ask: instructions with their shapes, read from XLA's protocol buffers (`hlo.proto`).

/// An instruction of a program.
#[derive(Clone, Debug)]
pub(crate) struct Instruction {
    pub(crate) opcode: String,
    /// Sizes of its result; none of a tuple.
    pub(crate) dims: Vec<u64>,
}

/// The instructions of a serialised `HloModuleProtoWithConfig`.
pub(crate) fn instructions(program: &[u8]) -> Vec<Instruction> {
    let module = fields(program).find_map(|field| field.message(1)).expect("a module");
    let computations = fields(module).filter_map(|field| field.message(3));
    computations
        .flat_map(|computation| fields(computation).filter_map(|field| field.message(2)))
        .map(instruction)
        .collect()
}

fn instruction(message: &[u8]) -> Instruction {
    let shape = fields(message).find_map(|field| field.message(3)).expect("each has a shape");
    let opcode = fields(message).find_map(|field| field.message(2)).expect("each has an opcode");
    let dims = fields(shape).filter_map(|field| field.message(3)).flat_map(numbers).collect();
    Instruction { opcode: String::from_utf8(opcode.to_vec()).expect("it is text"), dims }
}

/// A field of a message: its tag, and its bytes if it is no number.
struct Field<'m> {
    tag: u64,
    bytes: &'m [u8],
}

impl<'m> Field<'m> {
    fn message(&self, tag: u64) -> Option<&'m [u8]> {
        (self.tag == tag).then_some(self.bytes)
    }
}

fn fields(mut message: &[u8]) -> impl Iterator<Item = Field<'_>> {
    std::iter::from_fn(move || {
        if message.is_empty() {
            return None;
        }
        let key = varint(&mut message);
        let length = match key & 7 {
            0 => {
                varint(&mut message);
                0
            }
            1 => 8,
            2 => varint(&mut message) as usize,
            5 => 4,
            wire => panic!("wire type {wire}"),
        };
        Some(Field { tag: key >> 3, bytes: take(&mut message, length) })
    })
}

fn take<'m>(message: &mut &'m [u8], count: usize) -> &'m [u8] {
    let (taken, rest) = message.split_at(count);
    *message = rest;
    taken
}

fn numbers(mut packed: &[u8]) -> Vec<u64> {
    std::iter::from_fn(|| (!packed.is_empty()).then(|| varint(&mut packed))).collect()
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..).step_by(7) {
        let byte = take(bytes, 1)[0];
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            break;
        }
    }
    value
}
