//! Runs a kernel program by program and element by element, on any machine.
//!
//! Numbers are rounded to their types after each operation, as on a device; the order of sums is another one. What a device would not tell is
//! a [`Fault`] here: an index outside of an array, a read of what is written, two programs that meet at one element, an element that none
//! wrote, whole numbers that are divided by 0 or do not fit.

mod arithmetic;
mod memory;

use std::cell::RefCell;
use std::rc::Rc;

use graph::DType;

use crate::ir::{Kernel, Node, Op, Region, RegionId, ValueId};
use crate::{Launch, Road};

pub use memory::{Array, Fault};

use arithmetic::{binary, bits, cast, compare, of_bits, round, unary};
use memory::Memory;

/// The road to no device. It keeps the first fault; later ones are consequences of it.
#[derive(Default)]
pub struct Interpreter {
    fault: RefCell<Option<Fault>>,
}

impl Interpreter {
    /// Whether all that was run had no fault.
    pub fn finish(self) -> Result<(), Fault> {
        self.fault.into_inner().map_or(Ok(()), Err)
    }
}

impl Road for &Interpreter {
    type Array = Array;

    fn run(&self, launch: &Launch, inputs: &[Array]) -> Vec<Array> {
        match run(launch, inputs) {
            Ok(results) => results,
            Err(fault) => {
                self.fault.borrow_mut().get_or_insert(fault);
                let poison = |ty: &graph::TensorType| Array::new(ty.dtype, vec![f64::NAN; ty.element_count()]);
                launch.results.iter().map(poison).collect()
            }
        }
    }
}

fn run(launch: &Launch, inputs: &[Array]) -> Result<Vec<Array>, Fault> {
    let mut memory = Memory::new(launch, inputs)?;
    let [x, y, z] = launch.grid;
    for program in (0..z).flat_map(|z| (0..y).flat_map(move |y| (0..x).map(move |x| [x, y, z]))) {
        let values = vec![None; launch.kernel.types.len()];
        memory.begin(program);
        let mut machine = Machine { kernel: &launch.kernel, memory: &mut memory, program, values, lanes: 1 };
        for (argument, param) in launch.kernel.body().params.iter().enumerate() {
            machine.set(*param, Block { shape: Vec::new(), data: Data::Pointers { argument, offsets: vec![0] } });
        }
        machine.region(launch.kernel.body())?;
    }
    memory.finish()
}

/// A block's elements, row-major. Whole numbers are exact up to 2^53.
#[derive(Clone, Debug)]
enum Data {
    Numbers(Vec<f64>),
    /// Places in one of the arguments.
    Pointers {
        argument: usize,
        offsets: Vec<i64>,
    },
}

#[derive(Clone, Debug)]
struct Block {
    shape: Vec<usize>,
    data: Data,
}

impl Block {
    fn numbers(&self) -> &[f64] {
        match &self.data {
            Data::Numbers(numbers) => numbers,
            Data::Pointers { .. } => &[],
        }
    }

    /// The elements at these places, in this order, in another shape.
    fn gather(&self, shape: &[usize], places: impl Iterator<Item = usize>) -> Block {
        let data = match &self.data {
            Data::Numbers(numbers) => Data::Numbers(places.map(|place| numbers[place]).collect()),
            Data::Pointers { argument, offsets } => {
                Data::Pointers { argument: *argument, offsets: places.map(|place| offsets[place]).collect() }
            }
        };
        Block { shape: shape.to_vec(), data }
    }
}

/// Of each of some blocks elements at one place along a dimension, side by side.
type Elements = Vec<Rc<Block>>;

/// One program of the grid.
struct Machine<'m> {
    kernel: &'m Kernel,
    memory: &'m mut Memory,
    program: [usize; 3],
    /// Of each value what was computed last.
    values: Vec<Option<Rc<Block>>>,
    /// For how many elements side by side a scalar stands: for one, but in a region that combines elements.
    lanes: usize,
}

impl Machine<'_> {
    fn set(&mut self, id: ValueId, block: Block) {
        self.values[id.0 as usize] = Some(Rc::new(block));
    }

    fn get(&self, id: ValueId) -> Rc<Block> {
        self.values[id.0 as usize].clone().expect("operations stand behind what they use")
    }

    fn scalar(&self, id: ValueId) -> f64 {
        self.get(id).numbers()[0]
    }

    fn region(&mut self, region: &Region) -> Result<(), Fault> {
        region.nodes.iter().try_for_each(|node| self.node(node))
    }

    fn node(&mut self, node: &Node) -> Result<(), Fault> {
        match &node.op {
            Op::For { .. } | Op::If { .. } if self.lanes > 1 => {
                Err(self.memory.fault("it combines elements by more than arithmetic".to_owned()))
            }
            Op::For { body, .. } => self.for_range(node, *body),
            Op::If { then, otherwise } => {
                let taken = if self.scalar(node.inputs[0]) != 0.0 { *then } else { *otherwise };
                let region = self.kernel.region(taken);
                self.region(region)?;
                self.copy(&region.results, &node.results);
                Ok(())
            }
            Op::Reduce { dim, combine } => self.combine(node, *dim, *combine, None),
            Op::Scan { dim, reverse, combine } => self.combine(node, *dim, *combine, Some(*reverse)),
            Op::Split => {
                let block = self.get(node.inputs[0]);
                for (half, id) in node.results.iter().enumerate() {
                    let ty = self.kernel.ty(*id);
                    self.set(*id, block.gather(&ty.shape, (0..ty.len()).map(|place| 2 * place + half)));
                }
                Ok(())
            }
            Op::Store => {
                let inputs: Vec<_> = node.inputs.iter().map(|input| self.get(*input)).collect();
                let mask = inputs.get(2).map(|mask| mask.numbers());
                self.memory.store(pointers(&inputs[0]), inputs[1].numbers(), mask)
            }
            op => {
                let inputs: Vec<_> = node.inputs.iter().map(|input| self.get(*input)).collect();
                let data = self.simple(op, &inputs, node)?;
                let shape = self.kernel.ty(node.results[0]).shape.clone();
                self.set(node.results[0], Block { shape, data });
                Ok(())
            }
        }
    }

    /// The elements of an operation with one result and no region.
    fn simple(&mut self, op: &Op, inputs: &[Rc<Block>], node: &Node) -> Result<Data, Fault> {
        let ty = self.kernel.ty(node.results[0]);
        let dtype = ty.element.dtype();
        let numbers = |place: usize| inputs[place].numbers().iter().copied();
        Ok(match op {
            Op::Constant(value) => Data::Numbers(vec![round(*value, dtype); ty.len() * self.lanes]),
            Op::ProgramId(dim) => Data::Numbers(vec![self.program[*dim] as f64]),
            Op::Range => Data::Numbers((0..ty.len()).map(|i| i as f64).collect()),
            Op::Splat => inputs[0].gather(&ty.shape, std::iter::repeat_n(0, ty.len())).data,
            Op::ExpandDims(_) | Op::Reshape => inputs[0].data.clone(),
            Op::Broadcast => inputs[0].gather(&ty.shape, broadcast(&inputs[0].shape, &ty.shape)).data,
            Op::Transpose(order) => inputs[0].gather(&ty.shape, transpose(&inputs[0].shape, order)).data,
            Op::Unary(op) => Data::Numbers(numbers(0).map(|x| round(unary(*op, x), dtype)).collect()),
            Op::Binary(op) => {
                // A device gives any number, or none.
                if op.divides() && !dtype.is_float() && numbers(1).any(|by| by == 0.0) {
                    return Err(self.memory.fault(format!("{op:?} by 0, of {dtype}")));
                }
                let exact: Vec<f64> = numbers(0).zip(numbers(1)).map(|(a, b)| binary(*op, a, b, dtype)).collect();
                // Places that wrap around are places of something else.
                let is_beyond = |x: &&f64| dtype == DType::I32 && op.counts() && round(**x, dtype) != **x;
                if let Some(beyond) = exact.iter().find(is_beyond) {
                    return Err(self.memory.fault(format!("{op:?} gives {beyond}, which i32 does not hold")));
                }
                Data::Numbers(exact.into_iter().map(|x| round(x, dtype)).collect())
            }
            Op::MultiplyAdd => {
                let results =
                    numbers(0).zip(numbers(1)).zip(numbers(2)).map(|((a, b), c)| round(a.mul_add(b, c), dtype));
                Data::Numbers(results.collect())
            }
            Op::Compare(op) => {
                let results = numbers(0).zip(numbers(1)).map(|(a, b)| f64::from(u8::from(compare(*op, a, b))));
                Data::Numbers(results.collect())
            }
            // Of pointers one condition chooses.
            Op::Select if matches!(inputs[1].data, Data::Pointers { .. }) => {
                let is_first = inputs[0].numbers()[0] != 0.0;
                inputs[if is_first { 1 } else { 2 }].data.clone()
            }
            Op::Select => {
                let either = numbers(0).zip(numbers(1).zip(numbers(2)));
                Data::Numbers(either.map(|(condition, (yes, no))| if condition != 0.0 { yes } else { no }).collect())
            }
            Op::Cast => Data::Numbers(numbers(0).map(|x| round(cast(x, dtype), dtype)).collect()),
            Op::Bitcast => {
                let from = self.kernel.ty(node.inputs[0]).element.dtype();
                Data::Numbers(numbers(0).map(|x| of_bits(bits(x, from), dtype)).collect())
            }
            Op::Advance => {
                let (argument, offsets) = pointers(&inputs[0]);
                let offsets = offsets.iter().zip(numbers(1)).map(|(offset, by)| offset + by as i64).collect();
                Data::Pointers { argument, offsets }
            }
            Op::Load => {
                let (mask, other) =
                    (inputs.get(1).map(|mask| mask.numbers()), inputs.get(2).map(|other| other.numbers()));
                Data::Numbers(self.memory.load(pointers(&inputs[0]), mask, other)?)
            }
            Op::Dot => Data::Numbers(dot(&inputs[0], &inputs[1], &inputs[2])),
            Op::Split | Op::Store | Op::Reduce { .. } | Op::Scan { .. } | Op::For { .. } | Op::If { .. } => {
                unreachable!("done by `node`")
            }
        })
    }

    fn for_range(&mut self, node: &Node, body: RegionId) -> Result<(), Fault> {
        let [from, to, step] = [0, 1, 2].map(|input| self.scalar(node.inputs[input]) as i64);
        let region = self.kernel.region(body);
        self.copy(&node.inputs[3..], &region.params[1..]);
        for number in (from..to).step_by(usize::try_from(step).unwrap_or(1)) {
            self.set(region.params[0], Block { shape: Vec::new(), data: Data::Numbers(vec![number as f64]) });
            self.region(region)?;
            self.copy(&region.results, &region.params[1..]);
        }
        self.copy(&region.params[1..], &node.results);
        Ok(())
    }

    /// Gives values to others, all at once.
    fn copy(&mut self, from: &[ValueId], to: &[ValueId]) {
        let blocks: Vec<_> = from.iter().map(|id| self.get(*id)).collect();
        for (id, block) in to.iter().zip(blocks) {
            self.values[id.0 as usize] = Some(block);
        }
    }

    /// To one, or with a `direction` to as many as there are, from the end or not.
    fn combine(&mut self, node: &Node, dim: usize, combine: RegionId, direction: Option<bool>) -> Result<(), Fault> {
        let inputs: Vec<_> = node.inputs.iter().map(|input| self.get(*input)).collect();
        let shape = inputs[0].shape.clone();
        let (length, inner) = (shape[dim], shape[dim + 1..].iter().product::<usize>());
        let outer: usize = shape[..dim].iter().product();
        // Of each the elements at one place along the dimension, all of which are combined with those at another one at once.
        let side_by_side = |input: &Block, i: usize| -> Rc<Block> {
            let numbers = input.numbers();
            let rows = (0..outer).flat_map(|row| &numbers[(row * length + i) * inner..][..inner]);
            Rc::new(Block { shape: Vec::new(), data: Data::Numbers(rows.copied().collect()) })
        };
        let each = (0..length).map(|i| inputs.iter().map(|input| side_by_side(input, i)).collect());
        let found = match direction {
            None => vec![self.reduced(combine, each.collect(), outer * inner)?],
            Some(reverse) => self.scanned(combine, each.collect(), reverse, outer * inner)?,
        };
        let mut results = vec![vec![0.0; outer * found.len() * inner]; inputs.len()];
        for (place, blocks) in found.iter().enumerate() {
            for (result, block) in results.iter_mut().zip(blocks) {
                for (row, numbers) in block.numbers().chunks(inner).enumerate() {
                    result[(row * found.len() + place) * inner..][..inner].copy_from_slice(numbers);
                }
            }
        }
        for (id, numbers) in node.results.iter().zip(results) {
            let shape = self.kernel.ty(*id).shape.clone();
            self.set(*id, Block { shape, data: Data::Numbers(numbers) });
        }
        Ok(())
    }

    /// What is left of elements by halves, which lanes of a device exchange; this is what a lane of the second half computes.
    fn reduced(&mut self, combine: RegionId, mut each: Vec<Elements>, lanes: usize) -> Result<Elements, Fault> {
        while each.len() > 1 {
            let second = each.split_off(each.len() / 2);
            let pairs = second.into_iter().zip(each);
            each = pairs.map(|(b, a)| self.combined(combine, [b, a].concat(), lanes)).collect::<Result<_, _>>()?;
        }
        Ok(each.remove(0))
    }

    /// Each element with all before it, or behind it: those twice as far apart each time, as threads do (Hillis and Steele 1986).
    fn scanned(
        &mut self,
        combine: RegionId,
        mut each: Vec<Elements>,
        reverse: bool,
        lanes: usize,
    ) -> Result<Vec<Elements>, Fault> {
        let turn = |each: &mut Vec<Elements>| {
            if reverse {
                each.reverse()
            }
        };
        turn(&mut each);
        let mut apart = 1;
        while apart < each.len() {
            for i in (apart..each.len()).rev() {
                each[i] = self.combined(combine, [each[i - apart].clone(), each[i].clone()].concat(), lanes)?;
            }
            apart *= 2;
        }
        turn(&mut each);
        Ok(each)
    }

    /// What a region makes of pairs of elements, so many side by side.
    fn combined(&mut self, combine: RegionId, elements: Elements, lanes: usize) -> Result<Elements, Fault> {
        let region = self.kernel.region(combine);
        for (param, element) in region.params.iter().zip(elements) {
            self.values[param.0 as usize] = Some(element);
        }
        let before = std::mem::replace(&mut self.lanes, lanes);
        self.region(region)?;
        self.lanes = before;
        let results: Vec<_> = region.results.iter().map(|result| self.get(*result)).collect();
        if results.iter().any(|result| result.numbers().len() != lanes) {
            return Err(self.memory.fault("it combines elements with what is none of them".to_owned()));
        }
        Ok(results)
    }
}

fn pointers(block: &Block) -> (usize, &[i64]) {
    match &block.data {
        Data::Pointers { argument, offsets } => (*argument, offsets),
        Data::Numbers(_) => unreachable!("the builder has checked that these are pointers"),
    }
}

/// Of each element of a block of shape `to` the place of the one of `from` that is repeated there.
fn broadcast(from: &[usize], to: &[usize]) -> impl Iterator<Item = usize> {
    let strides = strides(from);
    let kept: Vec<_> = strides.iter().zip(from).map(|(stride, size)| if *size == 1 { 0 } else { *stride }).collect();
    places(to.to_vec(), kept)
}

/// Of each element of a transposed block the place of the same in `from`.
fn transpose(from: &[usize], order: &[usize]) -> impl Iterator<Item = usize> {
    let strides = strides(from);
    places(order.iter().map(|dim| from[*dim]).collect(), order.iter().map(|dim| strides[*dim]).collect())
}

fn strides(shape: &[usize]) -> Vec<usize> {
    (0..shape.len()).map(|dim| shape[dim + 1..].iter().product()).collect()
}

/// The places of the elements of `shape`, row-major, where steps along a dimension are `strides`.
fn places(shape: Vec<usize>, strides: Vec<usize>) -> impl Iterator<Item = usize> {
    (0..shape.iter().product()).map(move |mut rest: usize| {
        let mut place = 0;
        for (size, stride) in shape.iter().zip(&strides).rev() {
            place += rest % size * stride;
            rest /= size;
        }
        place
    })
}

fn dot(a: &Block, b: &Block, sum: &Block) -> Vec<f64> {
    let (inner, columns) = (a.shape[1], b.shape[1]);
    let (a, b, sum) = (a.numbers(), b.numbers(), sum.numbers());
    // Row by row of the second factor, as it lies; of each element the products are added up one by one.
    let row = |(a, sum): (&[f64], &[f64])| -> Vec<f64> {
        let mut products = vec![0.0; columns];
        for (a, b) in a.iter().zip(b.chunks(columns)) {
            products.iter_mut().zip(b).for_each(|(sum, b)| *sum += a * b);
        }
        products.iter().zip(sum).map(|(products, sum)| round(sum + products, DType::F32)).collect()
    };
    a.chunks(inner).zip(sum.chunks(columns)).flat_map(row).collect()
}
