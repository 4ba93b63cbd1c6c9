//! How a kernel is written: calls that append to the region under way.

use std::cell::RefCell;

use graph::DType;

use crate::ir::{BlockType, Element, Kernel, KernelError, Node, Op, Region, RegionId, ValueId};
use crate::value::{IntoValue, Value};

/// A kernel being written. After the first mistake writing goes on with placeholders; the mistake comes out of [`Builder::finish`].
pub struct Builder {
    inner: RefCell<Inner>,
}

struct Inner {
    kernel: Kernel,
    /// Constants stand in front of everything else, each once.
    constants: Vec<Node>,
    /// Regions under way.
    frames: Vec<Frame>,
    error: Option<KernelError>,
}

/// A region under way.
struct Frame {
    region: RegionId,
    /// Whether it may use what is outside.
    captures: bool,
    /// The first value that is made in it.
    first: ValueId,
}

impl Builder {
    /// A kernel without arguments, whose body is under way.
    pub fn new(name: &str) -> Builder {
        let kernel = Kernel {
            name: name.to_owned(),
            types: Vec::new(),
            regions: vec![Region::default()],
            arguments: Vec::new(),
            inputs: 0,
            flops: 0.0,
        };
        let body = Frame { region: RegionId(0), captures: true, first: ValueId(0) };
        let inner = Inner { kernel, constants: Vec::new(), frames: vec![body], error: None };
        Builder { inner: RefCell::new(inner) }
    }

    /// Declares an array that is read: a pointer to its first element. All of them come before what is written.
    pub fn input(&self, name: &str, dtype: DType) -> Value<'_> {
        if self.with(|inner| inner.kernel.inputs < inner.kernel.arguments.len()) {
            self.fail(name, "arrays that are read are declared before those that are written");
        }
        self.with(|inner| inner.kernel.inputs += 1);
        self.argument(name, dtype)
    }

    /// Declares an array that is written: a pointer to its first element.
    pub fn output(&self, name: &str, dtype: DType) -> Value<'_> {
        self.argument(name, dtype)
    }

    fn argument(&self, name: &str, dtype: DType) -> Value<'_> {
        self.with(|inner| inner.kernel.arguments.push((name.to_owned(), dtype)));
        let id = self.param(RegionId(0), BlockType { element: Element::Pointer(dtype), shape: Vec::new() });
        self.value(id)
    }

    /// Says how many products and sums the matrix units do in all programs together: whoever reads a compiled program cannot see it.
    pub fn counts(&self, flops: f64) {
        self.with(|inner| inner.kernel.flops = flops);
    }

    /// The finished kernel, or the first rule that was broken.
    pub fn finish(self) -> Result<Kernel, KernelError> {
        let Inner { mut kernel, constants, error, .. } = self.inner.into_inner();
        if let Some(error) = error {
            return Err(error);
        }
        kernel.regions[0].nodes.splice(0..0, constants);
        Ok(kernel)
    }

    /// The same number in all elements.
    pub fn full(&self, number: f64, dtype: DType, shape: &[usize]) -> Value<'_> {
        let ty = BlockType::number(dtype, shape);
        // Regions that say how elements are combined use nothing from outside.
        if self.with(|inner| inner.first_within().is_some()) {
            return self.append(Op::Constant(number), &[], ty);
        }
        let is_same = |inner: &Inner, node: &Node| {
            matches!(node.op, Op::Constant(known) if known.to_bits() == number.to_bits())
                && *inner.kernel.ty(node.results[0]) == ty
        };
        let known =
            self.with(|inner| inner.constants.iter().find(|node| is_same(inner, node)).map(|node| node.results[0]));
        let id = known.unwrap_or_else(|| {
            self.with(|inner| {
                let id = inner.new_value(ty.clone());
                let node = Node { op: Op::Constant(number), inputs: Vec::new(), results: vec![id] };
                inner.constants.push(node);
                id
            })
        });
        self.value(id)
    }

    /// A whole number, i32.
    pub fn int(&self, number: usize) -> Value<'_> {
        if i32::try_from(number).is_err() {
            self.fail("constant", &format!("{number} is beyond 32 bits"));
        }
        self.full(number as f64, DType::I32, &[])
    }

    /// A number, f32.
    pub fn float(&self, number: f64) -> Value<'_> {
        self.full(number, DType::F32, &[])
    }

    /// Zeros, f32.
    pub fn zeros(&self, shape: &[usize]) -> Value<'_> {
        self.full(0.0, DType::F32, shape)
    }

    /// The program's number along a dimension of the grid, i32.
    pub fn program_id(&self, dim: usize) -> Value<'_> {
        if dim > 2 {
            self.fail("program_id", "a grid has three dimensions");
        }
        self.append(Op::ProgramId(dim), &[], BlockType::scalar(DType::I32))
    }

    /// 0, 1, … up to `size`, i32.
    pub fn range(&self, size: usize) -> Value<'_> {
        self.append(Op::Range, &[], BlockType::number(DType::I32, &[size]))
    }

    /// `body` of each number from `from` to `to`, which is left out, by `step`, and of what the one before gave; gives what the last gave.
    pub fn for_range<'k, const N: usize>(
        &'k self,
        from: impl IntoValue<'k>,
        to: impl IntoValue<'k>,
        step: usize,
        carried: [Value<'k>; N],
        body: impl FnOnce(Value<'k>, [Value<'k>; N]) -> [Value<'k>; N],
    ) -> [Value<'k>; N] {
        let body = |number, carried: &[Value<'k>]| body(number, std::array::from_fn(|i| carried[i])).to_vec();
        let results = self.for_range_of(from, to, step, &carried, body);
        std::array::from_fn(|i| results[i])
    }

    /// [`Builder::for_range`] that carries as many values as `carried` has.
    pub fn for_range_of<'k>(
        &'k self,
        from: impl IntoValue<'k>,
        to: impl IntoValue<'k>,
        step: usize,
        carried: &[Value<'k>],
        body: impl FnOnce(Value<'k>, &[Value<'k>]) -> Vec<Value<'k>>,
    ) -> Vec<Value<'k>> {
        self.turns(from, to, step, None, carried, body)
    }

    /// [`Builder::for_range_of`] by 1 in which what a turn loads is asked for `stages - 1` turns before it: on NVIDIA's
    /// GPUs, where shared memory holds it in the meantime. AMD's compiler reads it at the beginning of its turn. A loop with products is read ahead as its
    /// launch says, without this.
    pub fn for_range_ahead<'k>(
        &'k self,
        from: impl IntoValue<'k>,
        to: impl IntoValue<'k>,
        stages: usize,
        carried: &[Value<'k>],
        body: impl FnOnce(Value<'k>, &[Value<'k>]) -> Vec<Value<'k>>,
    ) -> Vec<Value<'k>> {
        self.turns(from, to, 1, Some(stages), carried, body)
    }

    fn turns<'k>(
        &'k self,
        from: impl IntoValue<'k>,
        to: impl IntoValue<'k>,
        step: usize,
        stages: Option<usize>,
        carried: &[Value<'k>],
        body: impl FnOnce(Value<'k>, &[Value<'k>]) -> Vec<Value<'k>>,
    ) -> Vec<Value<'k>> {
        let bounds = [from.into_value(self, DType::I32), to.into_value(self, DType::I32), self.int(step)];
        for bound in bounds {
            if bound.ty() != BlockType::scalar(DType::I32) {
                self.fail("for", &format!("a bound is {} and not an i32", bound.ty()));
            }
        }
        let types: Vec<_> = carried.iter().map(Value::ty).collect();
        let region = self.open(true);
        let params = [vec![BlockType::scalar(DType::I32)], types.clone()].concat();
        let params: Vec<_> = params.into_iter().map(|ty| self.value(self.param(region, ty))).collect();
        let next = body(params[0], &params[1..]);
        let given: Vec<_> = next.iter().map(Value::ty).collect();
        if let Some((ty, given)) = types.iter().zip(&given).find(|(ty, given)| ty != given) {
            self.fail("for", &format!("{ty} is carried, and the body gives {given}"));
        }
        if types.len() != given.len() {
            self.fail("for", &format!("{} values are carried, and the body gives {}", types.len(), given.len()));
        }
        self.close(region, &next);
        let inputs: Vec<_> = bounds.iter().chain(carried).map(|value| value.id).collect();
        self.append_all(Op::For { body: region, stages }, inputs, types)
    }

    /// `then` if the scalar `condition` is true, else `otherwise`.
    pub fn when<'k, const N: usize>(
        &'k self,
        condition: Value<'k>,
        then: impl FnOnce() -> [Value<'k>; N],
        otherwise: impl FnOnce() -> [Value<'k>; N],
    ) -> [Value<'k>; N] {
        if condition.ty() != BlockType::scalar(DType::Bool) {
            self.fail("if", &format!("the condition is {} and not one truth value", condition.ty()));
        }
        let ((then, types), (otherwise, others)) = (self.branch(then), self.branch(otherwise));
        if types != others {
            self.fail("if", "the two branches give different types");
        }
        let results = self.append_all(Op::If { then, otherwise }, vec![condition.id], types.to_vec());
        std::array::from_fn(|i| results[i])
    }

    fn branch<'k, const N: usize>(&'k self, write: impl FnOnce() -> [Value<'k>; N]) -> (RegionId, [BlockType; N]) {
        let region = self.open(true);
        let results = write();
        self.close(region, &results);
        (region, results.map(|result| result.ty()))
    }

    /// Combines the elements of blocks of one shape along `dim`: `combine` is given all blocks' elements of two places. It has to be associative
    /// and commutative: a device combines halves, in either order.
    pub fn reduce<'k, const N: usize>(
        &'k self,
        blocks: [Value<'k>; N],
        dim: usize,
        combine: impl FnOnce([Value<'k>; N], [Value<'k>; N]) -> [Value<'k>; N],
    ) -> [Value<'k>; N] {
        let types = self.combined("reduce", &blocks, dim);
        let smaller = types.iter().map(|ty| {
            let mut shape = ty.shape.clone();
            if dim < shape.len() {
                shape.remove(dim);
            }
            ty.with_shape(&shape)
        });
        let op = Op::Reduce { dim, combine: self.combiner("reduce", &types, combine) };
        let results = self.append_all(op, blocks.iter().map(|block| block.id).collect(), smaller.collect());
        std::array::from_fn(|i| results[i])
    }

    /// At each place along `dim` what all up to there are combined to, or with `reverse` from there on: of what `combine` is given, first all blocks'
    /// elements of what comes before, then those of the place. It has to be associative.
    pub fn scan<'k, const N: usize>(
        &'k self,
        blocks: [Value<'k>; N],
        dim: usize,
        reverse: bool,
        combine: impl FnOnce([Value<'k>; N], [Value<'k>; N]) -> [Value<'k>; N],
    ) -> [Value<'k>; N] {
        let types = self.combined("scan", &blocks, dim);
        let op = Op::Scan { dim, reverse, combine: self.combiner("scan", &types, combine) };
        let results = self.append_all(op, blocks.iter().map(|block| block.id).collect(), types);
        std::array::from_fn(|i| results[i])
    }

    fn combined(&self, op: &str, blocks: &[Value<'_>], dim: usize) -> Vec<BlockType> {
        let types: Vec<_> = blocks.iter().map(Value::ty).collect();
        if types.iter().any(|ty| ty.shape != types[0].shape || dim >= ty.shape.len()) {
            self.fail(op, &format!("blocks {types:?} do not share a shape with a dimension {dim}"));
        }
        types
    }

    fn combiner<'k, const N: usize>(
        &'k self,
        op: &str,
        types: &[BlockType],
        combine: impl FnOnce([Value<'k>; N], [Value<'k>; N]) -> [Value<'k>; N],
    ) -> RegionId {
        let scalars: Vec<_> = types.iter().map(|ty| ty.with_shape(&[])).collect();
        let region = self.open(false);
        let params: Vec<_> =
            scalars.iter().chain(&scalars).map(|ty| self.value(self.param(region, ty.clone()))).collect();
        let results = combine(std::array::from_fn(|i| params[i]), std::array::from_fn(|i| params[N + i]));
        if results.iter().map(Value::ty).ne(scalars) {
            self.fail(op, "two elements are combined to another type");
        }
        self.refuse_outside(op, results.iter().map(|result| result.id));
        self.close(region, &results);
        region
    }

    fn open(&self, captures: bool) -> RegionId {
        self.with(|inner| {
            let region = RegionId(inner.kernel.regions.len() as u32);
            inner.kernel.regions.push(Region::default());
            let first = ValueId(inner.kernel.types.len() as u32);
            inner.frames.push(Frame { region, captures, first });
            region
        })
    }

    fn close(&self, region: RegionId, results: &[Value<'_>]) {
        self.with(|inner| {
            inner.frames.pop();
            inner.kernel.regions[region.0 as usize].results = results.iter().map(|result| result.id).collect();
        });
    }

    fn param(&self, region: RegionId, ty: BlockType) -> ValueId {
        self.with(|inner| {
            let id = inner.new_value(ty);
            inner.kernel.regions[region.0 as usize].params.push(id);
            id
        })
    }

    pub(crate) fn append(&self, op: Op, inputs: &[Value<'_>], ty: BlockType) -> Value<'_> {
        self.append_all(op, inputs.iter().map(|input| input.id).collect(), vec![ty])[0]
    }

    pub(crate) fn append_all(&self, op: Op, inputs: Vec<ValueId>, types: Vec<BlockType>) -> Vec<Value<'_>> {
        self.refuse_outside("combine", inputs.iter().copied());
        if let Some(ty) = types.iter().find(|ty| ty.shape.iter().any(|size| !size.is_power_of_two())) {
            self.fail("block", &format!("a size of {ty} is not a power of two"));
        }
        let ids = self.with(|inner| {
            let results: Vec<_> = types.into_iter().map(|ty| inner.new_value(ty)).collect();
            let region = inner.frames.last().expect("the body is open until the kernel is finished").region;
            inner.kernel.regions[region.0 as usize].nodes.push(Node { op, inputs, results: results.clone() });
            results
        });
        ids.into_iter().map(|id| self.value(id)).collect()
    }

    /// How elements are combined is said by these alone.
    fn refuse_outside(&self, op: &str, mut inputs: impl Iterator<Item = ValueId>) {
        let first = self.with(|inner| inner.first_within());
        if first.is_some_and(|first| inputs.any(|input| input.0 < first.0)) {
            self.fail(op, "elements are combined with what is none of them");
        }
    }

    pub(crate) fn ty(&self, id: ValueId) -> BlockType {
        self.with(|inner| inner.kernel.ty(id).clone())
    }

    /// Records the first mistake; later ones are consequences of it.
    pub(crate) fn fail(&self, op: &str, rule: &str) {
        self.with(|inner| {
            let kernel = inner.kernel.name.clone();
            inner.error.get_or_insert(KernelError { kernel, op: op.to_owned(), rule: rule.to_owned() });
        });
    }

    fn value(&self, id: ValueId) -> Value<'_> {
        Value { builder: self, id }
    }

    fn with<T>(&self, change: impl FnOnce(&mut Inner) -> T) -> T {
        change(&mut self.inner.borrow_mut())
    }
}

impl Inner {
    /// The first value of the innermost region that may use nothing from outside, where one is under way.
    fn first_within(&self) -> Option<ValueId> {
        self.frames.iter().rfind(|frame| !frame.captures).map(|frame| frame.first)
    }

    fn new_value(&mut self, ty: BlockType) -> ValueId {
        // No kernel has them, and the operations on whole numbers have signs.
        if let dtype @ (DType::U8 | DType::U32) = ty.element.dtype() {
            let (kernel, rule) = (self.kernel.name.clone(), format!("kernels do not compute in {dtype}"));
            self.error.get_or_insert(KernelError { kernel, op: "type".to_owned(), rule });
        }
        let id = ValueId(self.kernel.types.len() as u32);
        self.kernel.types.push(ty);
        id
    }
}
