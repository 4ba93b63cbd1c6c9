//! PTX as it is written, line by line.

use std::fmt;

/// Threads of a warp.
pub(crate) const LANES: usize = 32;

/// What a register holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// 32 bits.
    Word,
    /// A number, f32.
    Float,
    /// 64 bits, as of places in memory.
    Wide,
    /// A truth value.
    Truth,
}

/// How each kind is declared, and what the names of its registers begin with.
const KINDS: [(Kind, &str, char); 4] =
    [(Kind::Word, "b32", 'r'), (Kind::Float, "f32", 'f'), (Kind::Wide, "b64", 'd'), (Kind::Truth, "pred", 'p')];

/// A register, by its name in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Register {
    kind: Kind,
    number: usize,
}

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, _, letter) = KINDS[self.kind as usize];
        write!(f, "%{letter}{}", self.number)
    }
}

/// Registers as an instruction names them together.
pub(crate) fn listed(registers: &[Register]) -> String {
    let names: Vec<_> = registers.iter().map(ToString::to_string).collect();
    format!("{{{}}}", names.join(", "))
}

/// The body of an entry so far.
#[derive(Default)]
pub(crate) struct Ptx {
    lines: Vec<String>,
    /// Registers of each kind.
    counts: [usize; KINDS.len()],
    labels: usize,
}

impl Ptx {
    /// Some new registers.
    pub(crate) fn registers<const N: usize>(&mut self, kind: Kind) -> [Register; N] {
        std::array::from_fn(|_| self.register(kind))
    }

    /// So many of them.
    pub(crate) fn row(&mut self, kind: Kind, count: usize) -> Vec<Register> {
        (0..count).map(|_| self.register(kind)).collect()
    }

    /// One of them.
    pub(crate) fn register(&mut self, kind: Kind) -> Register {
        let count = &mut self.counts[kind as usize];
        *count += 1;
        Register { kind, number: *count - 1 }
    }

    /// Writes an instruction; see [`ptx!`].
    pub(crate) fn instruction(&mut self, instruction: fmt::Arguments<'_>) {
        self.lines.push(format!("    {instruction};"));
    }

    /// Puts a label here.
    pub(crate) fn label(&mut self, label: &str) {
        self.lines.push(format!("{label}:"));
    }

    /// A label that nobody else has.
    pub(crate) fn fresh(&mut self, label: &str) -> String {
        self.labels += 1;
        format!("{label}_{}", self.labels)
    }

    /// All of it as the entry `name` of programs of one warp, which are given where arrays lie; `more`: what else is said of it.
    pub(crate) fn warp_entry<'a>(
        self,
        name: &str,
        arrays: impl IntoIterator<Item = &'a str>,
        more: Option<String>,
    ) -> String {
        let parameters: Vec<_> = arrays.into_iter().map(|array| format!(".param .u64 {array}")).collect();
        let head = [
            ".version 8.3".to_owned(),
            ".target sm_90a".to_owned(),
            ".address_size 64".to_owned(),
            format!(".visible .entry {name}({})", parameters.join(", ")),
            format!(".reqntid {LANES}, 1, 1"),
        ];
        self.text(head.into_iter().chain(more).chain(["{".to_owned()]).collect())
    }

    /// All of it, behind `head`.
    pub(crate) fn text(self, head: Vec<String>) -> String {
        let declared =
            KINDS.map(|(kind, ty, letter)| format!("    .reg .{ty} %{letter}<{}>;", self.counts[kind as usize]));
        let lines: Vec<_> =
            head.into_iter().chain(declared).chain(self.lines).chain(["}".to_owned(), String::new()]).collect();
        lines.join("\n")
    }
}

/// Writes an instruction, without its semicolon.
macro_rules! ptx {
    ($ptx:expr, $($instruction:tt)*) => { $ptx.instruction(format_args!($($instruction)*)) };
}

pub(crate) use ptx;

#[cfg(test)]
pub(crate) mod warp;
