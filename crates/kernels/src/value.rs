//! A handle to a block of a kernel that is being written, and the operations on it.
//!
//! Two blocks meet in one shape: a scalar is repeated, and so are dimensions of size 1.

use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

use graph::DType;

use crate::Builder;
use crate::ir::{Binary, BlockType, Comparison, Element, Op, Unary, ValueId};

/// A block of numbers or pointers, or a scalar.
#[derive(Clone, Copy)]
pub struct Value<'k> {
    pub(crate) builder: &'k Builder,
    pub(crate) id: ValueId,
}

/// A value, or a number that becomes one of the type that is called for.
pub trait IntoValue<'k> {
    /// The value itself, or the number as a scalar of `dtype`.
    fn into_value(self, builder: &'k Builder, dtype: DType) -> Value<'k>;
}

impl<'k> IntoValue<'k> for Value<'k> {
    fn into_value(self, _: &'k Builder, _: DType) -> Value<'k> {
        self
    }
}

impl<'k> IntoValue<'k> for f64 {
    fn into_value(self, builder: &'k Builder, dtype: DType) -> Value<'k> {
        if !dtype.is_float() && !dtype.is_float8() {
            builder.fail("constant", &format!("{self} stands where {dtype} is called for: write it as a whole number"));
        }
        builder.full(self, dtype, &[])
    }
}

impl<'k> IntoValue<'k> for usize {
    fn into_value(self, builder: &'k Builder, dtype: DType) -> Value<'k> {
        if dtype.is_float() {
            builder.fail("constant", &format!("{self} stands where {dtype} is called for: write it with a point"));
        }
        if dtype == DType::I32 && i32::try_from(self).is_err() {
            builder.fail("constant", &format!("{self} is beyond 32 bits"));
        }
        builder.full(self as f64, dtype, &[])
    }
}

impl<'k> Value<'k> {
    pub(crate) fn ty(&self) -> BlockType {
        self.builder.ty(self.id)
    }

    /// Sizes of the dimensions; none: a scalar.
    pub fn shape(&self) -> Vec<usize> {
        self.ty().shape
    }

    /// The type of the elements, or of what they point to.
    pub fn dtype(&self) -> DType {
        self.ty().element.dtype()
    }

    fn unary(self, op: Unary) -> Value<'k> {
        let ty = self.ty();
        if !ty.is_float() {
            self.builder.fail(&format!("{op:?}"), &format!("{ty} is no block of floating-point numbers"));
        }
        self.builder.append(Op::Unary(op), &[self], ty)
    }

    fn binary(self, op: Binary, other: impl IntoValue<'k>) -> Value<'k> {
        let [a, b] = self.meet(&format!("{op:?}"), other.into_value(self.builder, self.dtype()));
        let ty = a.ty();
        let is_bitwise = matches!(op, Binary::And | Binary::Or | Binary::Xor);
        if matches!(ty.element, Element::Pointer(_))
            || (is_bitwise && !ty.is_integer())
            || (op == Binary::Remainder && ty.is_float())
        {
            self.builder.fail(&format!("{op:?}"), &format!("it is not defined for {ty}"));
        }
        self.builder.append(Op::Binary(op), &[a, b], ty)
    }

    fn compare(self, op: Comparison, other: impl IntoValue<'k>) -> Value<'k> {
        let [a, b] = self.meet(&format!("{op:?}"), other.into_value(self.builder, self.dtype()));
        let ty = a.ty().with_dtype(DType::Bool);
        self.builder.append(Op::Compare(op), &[a, b], ty)
    }

    /// Both in the shape in which they meet.
    fn meet(self, op: &str, other: Value<'k>) -> [Value<'k>; 2] {
        let (a, b) = (self.ty(), other.ty());
        if a.element != b.element {
            self.builder.fail(op, &format!("{a} meets {b}: cast one"));
        }
        let shape = self.common_shape(op, other);
        [self.broadcast(&shape), other.broadcast(&shape)]
    }

    fn common_shape(self, op: &str, other: Value<'k>) -> Vec<usize> {
        let (a, b) = (self.shape(), other.shape());
        match (a.is_empty(), b.is_empty()) {
            (_, true) => a,
            (true, false) => b,
            _ if a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a == b || *a == 1 || *b == 1) => {
                a.iter().zip(&b).map(|(a, b)| *a.max(b)).collect()
            }
            _ => {
                self.builder.fail(op, &format!("shapes {a:?} and {b:?} do not meet"));
                a
            }
        }
    }

    /// The block in a larger shape: a scalar, or dimensions of size 1, repeated.
    pub fn broadcast(self, shape: &[usize]) -> Value<'k> {
        let ty = self.ty();
        if ty.shape == shape {
            return self;
        }
        let result = ty.with_shape(shape);
        if ty.shape.is_empty() {
            return self.builder.append(Op::Splat, &[self], result);
        }
        let fits = ty.shape.len() == shape.len() && ty.shape.iter().zip(shape).all(|(a, b)| a == b || *a == 1);
        if !fits {
            self.builder.fail("broadcast", &format!("{ty} does not become {shape:?}"));
        }
        self.builder.append(Op::Broadcast, &[self], result)
    }

    /// With a new dimension of size 1 at `dim`.
    pub fn expand(self, dim: usize) -> Value<'k> {
        let ty = self.ty();
        let mut shape = ty.shape.clone();
        if dim > shape.len() || shape.is_empty() {
            self.builder.fail("expand", &format!("{ty} has no place for a dimension {dim}"));
        }
        shape.insert(dim.min(shape.len()), 1);
        self.builder.append(Op::ExpandDims(dim), &[self], ty.with_shape(&shape))
    }

    /// As a column, (size, 1).
    pub fn column(self) -> Value<'k> {
        self.expand(1)
    }

    /// As a row, (1, size).
    pub fn row(self) -> Value<'k> {
        self.expand(0)
    }

    /// The same elements in row-major order in another shape.
    pub fn reshape(self, shape: &[usize]) -> Value<'k> {
        let ty = self.ty();
        let result = ty.with_shape(shape);
        if result.len() != ty.len() || ty.shape.is_empty() {
            self.builder.fail("reshape", &format!("{ty} does not fill {shape:?}"));
        }
        self.builder.append(Op::Reshape, &[self], result)
    }

    /// With the dimensions in another order.
    pub fn transpose(self, order: &[usize]) -> Value<'k> {
        let ty = self.ty();
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        if sorted != (0..ty.shape.len()).collect::<Vec<_>>() {
            self.builder.fail("transpose", &format!("{order:?} is no order of the dimensions of {ty}"));
            return self;
        }
        let shape: Vec<_> = order.iter().map(|dim| ty.shape[*dim]).collect();
        self.builder.append(Op::Transpose(order.to_vec()), &[self], ty.with_shape(&shape))
    }

    /// Of a block whose last dimension has the size 2: the elements at 0, and those at 1.
    pub fn split(self) -> [Value<'k>; 2] {
        let ty = self.ty();
        let (Some(2), true) = (ty.shape.last(), ty.shape.len() > 1) else {
            self.builder.fail("split", &format!("the last dimension of {ty} is not of two"));
            return [self; 2];
        };
        let half = ty.with_shape(&ty.shape[..ty.shape.len() - 1]);
        let halves = self.builder.append_all(Op::Split, vec![self.id], vec![half.clone(), half]);
        [halves[0], halves[1]]
    }

    /// What stands at each place of the first dimension, without that.
    pub fn rows(self) -> Vec<Value<'k>> {
        let shape = self.shape();
        let Some((count, row)) = shape.split_first() else {
            self.builder.fail("rows", "a scalar has none");
            return vec![self];
        };
        if row.is_empty() {
            self.builder.fail("rows", &format!("those of {} would be scalars", self.ty()));
            return vec![self];
        }
        let order: Vec<_> = (1..shape.len()).chain([0]).collect();
        let mut parts = vec![self.transpose(&order)];
        while parts.len() < *count {
            let pairs = [row, &[count / parts.len() / 2, 2]].concat();
            // Of part i of n these are the places i, i + 2n, … and i + n, i + 3n, ….
            let halves: Vec<_> = parts.into_iter().map(|part| part.reshape(&pairs).split()).collect();
            parts = [0, 1].into_iter().flat_map(|half| halves.iter().map(move |halves| halves[half])).collect();
        }
        parts.into_iter().map(|part| part.reshape(row)).collect()
    }

    /// A matrix transposed.
    pub fn t(self) -> Value<'k> {
        self.transpose(&[1, 0])
    }

    /// Each element as another type; floating-point numbers become whole ones towards zero. From 8-bit floats to floating-point numbers, and to none
    /// of them; not between two of 16 bits, or to truth values.
    pub fn cast(self, dtype: DType) -> Value<'k> {
        let ty = self.ty();
        if ty.element == Element::Number(dtype) {
            return self;
        }
        if matches!(ty.element, Element::Pointer(_)) {
            self.builder.fail("cast", &format!("{ty} is no block of numbers"));
        }
        let from = ty.element.dtype();
        let is_defined = match (from.is_float8(), dtype.is_float8()) {
            (true, false) => dtype.is_float(),
            (_, true) => false,
            (false, false) if from.is_float() && dtype.is_float() => from.size() != dtype.size(),
            (false, false) => dtype != DType::Bool,
        };
        if !is_defined {
            self.builder.fail("cast", &format!("{ty} does not become {dtype}"));
        }
        self.builder.append(Op::Cast, &[self], ty.with_dtype(dtype))
    }

    /// The same bits as another type: i32 and f32, and u16 and bf16.
    pub fn bitcast(self, dtype: DType) -> Value<'k> {
        let ty = self.ty();
        let is_defined = matches!(
            (ty.element, dtype),
            (Element::Number(DType::I32), DType::F32)
                | (Element::Number(DType::F32), DType::I32)
                | (Element::Number(DType::U16), DType::BF16)
                | (Element::Number(DType::BF16), DType::U16)
        );
        if !is_defined {
            self.builder.fail("bitcast", &format!("the bits of {ty} are no {dtype}"));
        }
        self.builder.append(Op::Bitcast, &[self], ty.with_dtype(dtype))
    }

    /// 2 to this power, of f32, by one instruction of NVIDIA's, where [`Value::exp2`] takes several for results below the normal numbers; this
    /// one gives 0 there.
    pub fn exp2_ptx(self) -> Value<'k> {
        if self.dtype() != DType::F32 {
            self.builder.fail("exp2_ptx", &format!("{} is not of f32", self.ty()));
        }
        self.unary(Unary::Exp2Ptx)
    }

    /// The product with `factor`, and `summand` added to that, rounded once: of floating-point numbers.
    pub fn multiply_add(self, factor: impl IntoValue<'k>, summand: impl IntoValue<'k>) -> Value<'k> {
        let [factor, summand] =
            [factor.into_value(self.builder, self.dtype()), summand.into_value(self.builder, self.dtype())];
        let [a, b] = self.meet("multiply_add", factor);
        let [a, c] = a.meet("multiply_add", summand);
        let b = b.broadcast(&a.shape());
        if !a.ty().is_float() {
            self.builder.fail("multiply_add", &format!("{} is no block of floating-point numbers", a.ty()));
        }
        self.builder.append(Op::MultiplyAdd, &[a, b, c], a.ty())
    }

    /// Of a condition: `yes` where it is true, else `no`. Between pointers, which may be into different arguments, a scalar chooses.
    pub fn select(self, yes: Value<'k>, no: impl IntoValue<'k>) -> Value<'k> {
        let [yes, no] = yes.meet("select", no.into_value(self.builder, yes.dtype()));
        let shape = self.common_shape("select", yes);
        let [condition, yes, no] = [self, yes, no].map(|value| value.broadcast(&shape));
        if condition.ty().element != Element::Number(DType::Bool) {
            self.builder.fail("select", &format!("the condition is {}", condition.ty()));
        }
        if matches!(yes.ty().element, Element::Pointer(_)) && !shape.is_empty() {
            self.builder
                .fail("select", &format!("between pointers one truth value chooses, and not {}", condition.ty()));
        }
        self.builder.append(Op::Select, &[condition, yes, no], yes.ty())
    }

    /// Of pointers: what they point to.
    pub fn load(self) -> Value<'k> {
        let ty = self.pointer("load");
        self.builder.append(Op::Load, &[self], ty)
    }

    /// Of pointers: what they point to where `mask` is true, else `other`.
    pub fn load_where(self, mask: Value<'k>, other: impl IntoValue<'k>) -> Value<'k> {
        let dtype = self.pointer("load").element.dtype();
        let shape = self.common_shape("load", mask);
        let [pointer, mask] = [self, mask].map(|value| value.broadcast(&shape));
        let other = other.into_value(self.builder, dtype).broadcast(&shape);
        self.builder.append(Op::Load, &[pointer, mask, other], BlockType::number(dtype, &shape))
    }

    /// Writes `value` where the pointers point to.
    pub fn store(self, value: Value<'k>) {
        self.write(value, None);
    }

    /// Writes `value` where the pointers point to and `mask` is true.
    pub fn store_where(self, value: Value<'k>, mask: Value<'k>) {
        self.write(value, Some(mask));
    }

    fn write(self, value: Value<'k>, mask: Option<Value<'k>>) {
        let dtype = self.pointer("store").element.dtype();
        let value = value.cast(dtype);
        let shape = mask.map_or_else(|| self.shape(), |mask| self.common_shape("store", mask));
        let inputs: Vec<_> = [self, value].into_iter().chain(mask).map(|value| value.broadcast(&shape).id).collect();
        self.builder.append_all(Op::Store, inputs, Vec::new());
    }

    /// What a block of pointers points to.
    fn pointer(self, op: &str) -> BlockType {
        let ty = self.ty();
        if !matches!(ty.element, Element::Pointer(_)) {
            self.builder.fail(op, &format!("{ty} is no pointer"));
        }
        BlockType::number(ty.element.dtype(), &ty.shape)
    }

    /// The product of matrices, f32. Factors of f32 count in full.
    pub fn dot(self, other: Value<'k>) -> Value<'k> {
        let (a, b) = (self.shape(), other.shape());
        let zeros = self.builder.zeros(&[a.first().copied().unwrap_or(1), b.last().copied().unwrap_or(1)]);
        self.dot_add(other, zeros)
    }

    /// The product of matrices, added to `sum`, f32.
    pub fn dot_add(self, other: Value<'k>, sum: Value<'k>) -> Value<'k> {
        let (a, b, c) = (self.ty(), other.ty(), sum.ty());
        let is_product = match (&a.shape[..], &b.shape[..], &c.shape[..]) {
            ([m, k], [k2, n], [m2, n2]) => {
                m == m2 && n == n2 && k == k2 && *k >= 16 && a.element.dtype().size() == b.element.dtype().size()
            }
            _ => false,
        };
        if !is_product || !a.is_float() || !b.is_float() {
            self.builder.fail("dot", &format!("{a} times {b} is not {c}, or less than 16 products are added up"));
        }
        self.builder.append(Op::Dot, &[self, other, sum], c)
    }

    /// The sum along `dim`.
    pub fn sum(self, dim: usize) -> Value<'k> {
        self.builder.reduce([self], dim, |[a], [b]| [a + b])[0]
    }

    /// The greatest along `dim`.
    pub fn max(self, dim: usize) -> Value<'k> {
        self.builder.reduce([self], dim, |[a], [b]| [a.maximum(b)])[0]
    }

    /// Sums along `dim` of all up to each place.
    pub fn cumulative_sum(self, dim: usize) -> Value<'k> {
        self.builder.scan([self], dim, false, |[a], [b]| [a + b])[0]
    }

    /// 1 / (1 + exp(-x)).
    pub fn sigmoid(self) -> Value<'k> {
        self.like(1.0) / ((-self).exp() + 1.0)
    }

    /// The same number in the block's shape and type.
    pub fn like(self, number: f64) -> Value<'k> {
        self.builder.full(number, self.dtype(), &self.shape())
    }
}

macro_rules! methods {
    ($($kind:ident { $($(#[$doc:meta])* $name:ident => $op:ident),* $(,)? })*) => {
        impl<'k> Value<'k> { $($(methods!(@$kind $(#[$doc])* $name $op);)*)* }
    };
    (@unary $(#[$doc:meta])* $name:ident $op:ident) => {
        $(#[$doc])*
        pub fn $name(self) -> Value<'k> {
            self.unary(Unary::$op)
        }
    };
    (@binary $(#[$doc:meta])* $name:ident $op:ident) => {
        $(#[$doc])*
        pub fn $name(self, other: impl IntoValue<'k>) -> Value<'k> {
            self.binary(Binary::$op, other)
        }
    };
    (@compare $(#[$doc:meta])* $name:ident $op:ident) => {
        $(#[$doc])*
        pub fn $name(self, other: impl IntoValue<'k>) -> Value<'k> {
            self.compare(Comparison::$op, other)
        }
    };
}

methods! {
    unary {
        /// e to this power.
        exp => Exp,
        /// 2 to this power.
        exp2 => Exp2,
        /// The logarithm to base 2.
        log2 => Log2,
        /// One over the square root.
        rsqrt => Rsqrt,
    }
    binary {
        /// The greater; of a number and NaN the number.
        maximum => Maximum,
        /// The lesser; of a number and NaN the number.
        minimum => Minimum,
        /// Bit by bit, of truth values and whole numbers.
        and => And,
        /// Bit by bit, of truth values and whole numbers.
        or => Or,
        /// Bit by bit, of truth values and whole numbers.
        xor => Xor,
    }
    compare {
        /// Whether they are equal.
        equals => Equal,
        /// Whether they differ.
        not_equals => NotEqual,
        /// Whether this is less.
        less => Less,
        /// Whether this is less, or they are equal.
        less_equal => LessEqual,
        /// Whether this is greater.
        greater => Greater,
        /// Whether this is greater, or they are equal.
        greater_equal => GreaterEqual,
    }
}

impl<'k, R: IntoValue<'k>> Add<R> for Value<'k> {
    type Output = Value<'k>;

    /// The sum; of pointers and whole numbers those pointers that stand so many elements further on.
    fn add(self, other: R) -> Value<'k> {
        let ty = self.ty();
        if !matches!(ty.element, Element::Pointer(_)) {
            return self.binary(Binary::Add, other);
        }
        let offset = other.into_value(self.builder, DType::I32);
        if !matches!(offset.ty().element, Element::Number(DType::I32 | DType::I64)) {
            self.builder.fail("pointer", &format!("it cannot be moved by {}", offset.ty()));
        }
        let shape = self.common_shape("pointer", offset);
        let [pointer, offset] = [self, offset].map(|value| value.broadcast(&shape));
        self.builder.append(Op::Advance, &[pointer, offset], ty.with_shape(&shape))
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $op:ident),* $(,)?) => {
        $(impl<'k, R: IntoValue<'k>> $trait<R> for Value<'k> {
            type Output = Value<'k>;

            fn $method(self, other: R) -> Value<'k> {
                self.binary(Binary::$op, other)
            }
        })*
    };
}

operators!(Sub sub Subtract, Mul mul Multiply, Div div Divide, Rem rem Remainder);

impl<'k> Neg for Value<'k> {
    type Output = Value<'k>;

    fn neg(self) -> Value<'k> {
        match self.ty().is_float() {
            true => self.unary(Unary::Negate),
            false => self.like(0.0) - self,
        }
    }
}
