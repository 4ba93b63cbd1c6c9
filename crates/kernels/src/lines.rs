//! Pointers to tiles of matrices, and which of them are within.

use graph::DType;

use crate::mask::both;
use crate::{Builder, Value};

/// What a tile has of one of a matrix's dimensions.
#[derive(Clone, Copy)]
pub(crate) struct Line<'k> {
    builder: &'k Builder,
    /// The first element's number.
    start: Value<'k>,
    size: usize,
    /// From one element to the next.
    stride: usize,
    /// Where the dimension ends, if that may be within a tile.
    end: Option<Value<'k>>,
}

impl<'k> Line<'k> {
    /// From `start` on, of a dimension that begins with a tile and is `length` long.
    pub(crate) fn new(start: Value<'k>, size: usize, length: usize, stride: usize) -> Line<'k> {
        let builder = start.builder;
        let end = (!length.is_multiple_of(size)).then(|| builder.int(length));
        Line { builder, start, size, stride, end }
    }

    /// The same of a dimension whose length, a multiple of `unit`, only the program knows.
    pub(crate) fn until(start: Value<'k>, size: usize, end: Value<'k>, unit: usize, stride: usize) -> Line<'k> {
        let end = (!unit.is_multiple_of(size)).then_some(end);
        Line { builder: start.builder, start, size, stride, end }
    }

    /// By how many elements the first is off the dimension's first, i64.
    fn offset(&self) -> Value<'k> {
        self.strides(self.start.cast(DType::I64))
    }

    fn steps(&self) -> Value<'k> {
        self.strides(self.builder.range(self.size))
    }

    fn strides(&self, count: Value<'k>) -> Value<'k> {
        if self.stride == 1 { count } else { count * self.stride }
    }

    fn is_inside(&self) -> Option<Value<'k>> {
        self.end.map(|end| (self.start + self.builder.range(self.size)).less(end))
    }
}

/// Pointers to a tile of the matrix whose first element is given, (down, across), and which of them are within it.
pub(crate) fn pointers<'k>(first: Value<'k>, down: Line<'k>, across: Line<'k>) -> (Value<'k>, Option<Value<'k>>) {
    let is_inside = both(down.is_inside().map(|is| is.column()), across.is_inside().map(|is| is.row()));
    (first + (down.offset() + across.offset()) + (down.steps().column() + across.steps().row()), is_inside)
}
