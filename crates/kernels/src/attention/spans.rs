//! Where the documents of packed rows begin and end.

use graph::{Axis, DType, TensorType};

use crate::{Builder, Code, KernelError, Launch, Road, Value};

/// Tokens of a program's block.
const BLOCK: usize = 1024;

/// Of each token of packed rows where its document begins, and where the next one does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spans {
    /// Rows.
    pub batch: usize,
    /// Tokens of a row.
    pub positions: usize,
}

impl Spans {
    /// From the document of each token, i32 (batch, position), 1, 2, … and behind them 0: first and end, i32 (batch, position). Of padding first
    /// is the row's length and end 0, so that nothing lies between.
    ///
    /// # Errors
    /// The kernel cannot be built for these sizes.
    pub fn of<R: Road>(&self, road: &R, documents: &R::Array) -> Result<Vec<R::Array>, KernelError> {
        let axes = [Axis::new("batch", self.batch), Axis::new("position", self.positions)];
        let launch = Launch {
            kernel: self.kernel()?,
            grid: [self.batch, 1, 1],
            code: Code::Triton { warps: 4, stages: 1 },
            results: vec![TensorType::new(DType::I32, &axes); 2],
            in_place: Vec::new(),
        };
        Ok(road.run(&launch, std::slice::from_ref(documents)))
    }

    pub(super) fn kernel(&self) -> Result<crate::Kernel, KernelError> {
        let k = Builder::new("document_spans");
        let documents = k.input("documents", DType::I32);
        let first = k.output("first", DType::I32);
        let end = k.output("end", DType::I32);
        let row = k.program_id(0).cast(DType::I64) * self.positions;
        let (documents, first, end) = (documents + row, first + row, end + row);
        let row = k.int(self.positions);
        let block = self.positions.next_power_of_two().min(BLOCK);
        let blocks = self.positions.div_ceil(block);

        // A document begins where its number is not that of the token before.
        let number = |at| number(documents, at, self.positions);
        k.for_range(0usize, blocks, 1, [k.int(0)], |i, [before]| {
            let at = i * block + k.range(block);
            let own = number(at);
            let begins = own.not_equals(number(at - 1)).select(at, 0);
            let begun = k.scan([begins], 0, false, |[a], [b]| [a.maximum(b)])[0].maximum(before);
            (first + at).store_where(own.equals(0).select(row.broadcast(&[block]), begun), at.less(self.positions));
            [k.reduce([begun], 0, |[a], [b]| [a.maximum(b)])[0]]
        });
        k.for_range(0usize, blocks, 1, [row], |i, [behind]| {
            let at = (k.int(blocks - 1) - i) * block + k.range(block);
            let own = number(at);
            let ends = own.not_equals(number(at + 1)).select(at + 1, self.positions);
            let ended = k.scan([ends], 0, true, |[a], [b]| [a.minimum(b)])[0].minimum(behind);
            (end + at).store_where(own.equals(0).select(k.int(0).broadcast(&[block]), ended), at.less(self.positions));
            [k.reduce([ended], 0, |[a], [b]| [a.minimum(b)])[0]]
        });
        k.finish()
    }
}

/// The documents of tokens, and behind and in front of the row 0.
fn number<'k>(documents: Value<'k>, at: Value<'k>, positions: usize) -> Value<'k> {
    (documents + at).load_where(at.greater_equal(0).and(at.less(positions)), 0)
}
