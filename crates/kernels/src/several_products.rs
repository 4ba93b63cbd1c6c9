//! Products by several matrices in one launch, each perhaps as a sum of parts: whose outputs a program computes, and what becomes of them.

use graph::{Axis, DType, Tensor, TensorType};

use crate::sum_parts::SumParts;
use crate::{Builder, KernelError, Multiplied, Road, Value};

/// What a launch gives: a (row, output) for each length, from programs of so many outputs each.
pub(crate) struct SeveralProducts {
    /// For profilers.
    pub(crate) name: &'static str,
    /// Of the results.
    pub(crate) lengths: Vec<usize>,
    /// Of a program.
    pub(crate) outputs: usize,
    /// In how many parts the inputs go.
    pub(crate) parts: usize,
    /// The type of the results.
    pub(crate) dtype: DType,
}

/// What a program is for.
pub(crate) struct Chosen<'k, const P: usize> {
    /// What is given for the matrix.
    pub(crate) of: [Value<'k>; P],
    /// The program's number among those of the matrix.
    pub(crate) number: Value<'k>,
    /// Where the matrix's outputs end.
    pub(crate) end: Value<'k>,
}

impl SeveralProducts {
    /// How many programs there are for a part of the inputs.
    pub(crate) fn programs(&self) -> usize {
        self.lengths.iter().map(|length| length.div_ceil(self.outputs)).sum()
    }

    /// In which type a launch gives them: parts in f32, each for itself.
    pub(crate) fn written(&self) -> DType {
        if self.parts == 1 { self.dtype } else { DType::F32 }
    }

    /// What a launch gives, over these axes, which are the rows, and the results' own.
    pub(crate) fn types(&self, rows: &[Axis]) -> Vec<TensorType> {
        let part = (self.parts > 1).then(|| Axis::new("part", self.parts));
        let axes = |length: &usize| part.into_iter().chain(rows.iter().copied()).chain([Axis::new("output", *length)]);
        let ty = |length| TensorType::new(self.written(), &axes(length).collect::<Vec<_>>());
        self.lengths.iter().map(ty).collect()
    }

    /// The matrix whose outputs are the program's, of those for which `each` is given. Chosen before it is read: of a loop for each matrix, whose ends say whose it is,
    /// all begin and end in each program.
    pub(crate) fn chosen<'k, const P: usize>(&self, k: &'k Builder, each: &[[Value<'k>; P]]) -> Chosen<'k, P> {
        let program = k.program_id(0);
        let mut chosen = Chosen { of: each[0], number: program, end: k.int(self.lengths[0]) };
        let mut first = 0;
        for (behind, &length) in (1..).zip(&self.lengths[1..]) {
            first += self.lengths[behind - 1].div_ceil(self.outputs);
            let is_behind = program.greater_equal(first);
            chosen.of = std::array::from_fn(|place| is_behind.select(each[behind][place], chosen.of[place]));
            chosen.number = is_behind.select(program - first, chosen.number);
            chosen.end = is_behind.select(k.int(length), chosen.end);
        }
        chosen
    }

    /// Has `write` write each result in turn: told its place, its length, the first of the program's outputs, and whether they are of it, if that is not sure.
    pub(crate) fn write<'k>(&self, k: &'k Builder, mut write: impl FnMut(usize, usize, Value<'k>, Option<Value<'k>>)) {
        let mut first = 0;
        for (place, &length) in self.lengths.iter().enumerate() {
            let programs = length.div_ceil(self.outputs);
            let number = k.program_id(0) - first;
            let is_own = (self.lengths.len() > 1).then(|| number.greater_equal(0).and(number.less(programs)));
            write(place, length, number * self.outputs, is_own);
            first += programs;
        }
    }

    /// What a launch gave, whole.
    ///
    /// # Errors
    /// The kernel that adds up parts cannot be built.
    pub(crate) fn whole<R: Road>(
        &self,
        road: &R,
        row: Axis,
        given: Vec<R::Array>,
    ) -> Result<Vec<R::Array>, KernelError> {
        if self.parts == 1 {
            return Ok(given);
        }
        let sum = |(result, length): (&R::Array, &usize)| {
            let axes = [row, Axis::new("output", *length)];
            SumParts { name: self.name, parts: self.parts, axes: &axes, dtype: self.dtype }.run(road, result)
        };
        given.iter().zip(&self.lengths).map(sum).collect()
    }

    /// What a launch gave in a graph, with parts summed by plain operations: what comes next takes them along.
    pub(crate) fn traced<'g>(&self, given: Vec<Tensor<'g>>) -> Vec<Multiplied<'g>> {
        let multiplied = |result: Tensor<'g>| match self.parts {
            1 => Multiplied::from(result),
            _ => Multiplied { whole: result.sum(&["part"]).cast(self.dtype), parts: Some(result) },
        };
        given.into_iter().map(multiplied).collect()
    }
}
