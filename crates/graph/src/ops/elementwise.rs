//! Ops that work on one element of each argument. Binary ops align their arguments by axis name; a missing axis broadcasts.

use std::f64::consts::FRAC_2_SQRT_PI;
use std::ops::{Add, Div, Mul, Neg, Not, Sub};

use crate::autodiff::VjpCx;
use crate::lower::Emitter;
use crate::{Axis, DType, Tensor, TensorType};

use super::shape::differing_size;
use super::{Op, Operand};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    Abs,
    Cos,
    Erf,
    Exp,
    Expm1,
    Log,
    Log1p,
    Logistic,
    Neg,
    Not,
    Rsqrt,
    Sign,
    Sin,
    Sqrt,
    Tanh,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Max,
    Min,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Elementwise {
    Unary(Unary),
    Binary(Binary),
    Compare(Comparison),
    /// `predicate ? first : second`.
    Select,
    Convert(DType),
    Bitcast(DType),
    Fence,
    StopGradient,
}

macro_rules! unary {
    ($($(#[$doc:meta])* $method:ident => $op:ident;)*) => {
        impl<'g> Tensor<'g> {
            $($(#[$doc])* pub fn $method(self) -> Tensor<'g> { self.elementwise(Elementwise::Unary(Unary::$op)) })*
        }
    };
}

unary! {
    /// Absolute value.
    abs => Abs;
    /// Cosine, radians.
    cos => Cos;
    /// The error function: the part of a normal distribution of variance 1/2 that lies within x of 0.
    erf => Erf;
    /// e to the power.
    exp => Exp;
    /// e to the power, less 1: precise near 0.
    expm1 => Expm1;
    /// Natural logarithm.
    log => Log;
    /// Natural logarithm of `1 + x`: precise near 0.
    log1p => Log1p;
    /// `1 / (1 + exp(-x))`, the sigmoid.
    logistic => Logistic;
    /// `1 / sqrt(x)`.
    rsqrt => Rsqrt;
    /// -1, 0 or 1.
    sign => Sign;
    /// Sine, radians.
    sin => Sin;
    /// Square root.
    sqrt => Sqrt;
    /// Hyperbolic tangent.
    tanh => Tanh;
}

macro_rules! binary {
    ($($(#[$doc:meta])* $method:ident => $op:expr;)*) => {
        impl<'g> Tensor<'g> {
            $($(#[$doc])* pub fn $method(self, other: impl TensorOrNumber<'g>) -> Tensor<'g> {
                let other = other.to_tensor(self);
                align_and_apply($op, self, other)
            })*
        }
    };
}

binary! {
    /// The larger of the two.
    maximum => Elementwise::Binary(Binary::Max);
    /// The smaller of the two.
    minimum => Elementwise::Binary(Binary::Min);
    /// Logical and, or bitwise for integers.
    and => Elementwise::Binary(Binary::And);
    /// Logical or, or bitwise for integers.
    or => Elementwise::Binary(Binary::Or);
    /// Exclusive or.
    xor => Elementwise::Binary(Binary::Xor);
    /// Bits moved up, zeros moved in.
    shift_left => Elementwise::Binary(Binary::ShiftLeft);
    /// Bits moved down, zeros moved in.
    shift_right => Elementwise::Binary(Binary::ShiftRight);
    /// Bool: `self == other`.
    equals => Elementwise::Compare(Comparison::Eq);
    /// Bool: `self != other`.
    not_equals => Elementwise::Compare(Comparison::Ne);
    /// Bool: `self < other`.
    less => Elementwise::Compare(Comparison::Lt);
    /// Bool: `self <= other`.
    less_equal => Elementwise::Compare(Comparison::Le);
    /// Bool: `self > other`.
    greater => Elementwise::Compare(Comparison::Gt);
    /// Bool: `self >= other`.
    greater_equal => Elementwise::Compare(Comparison::Ge);
}

/// The second argument of a binary op: a tensor, or a number of the first argument's type.
pub trait TensorOrNumber<'g> {
    /// The tensor to combine with `first`.
    fn to_tensor(self, first: Tensor<'g>) -> Tensor<'g>;
}

impl<'g> TensorOrNumber<'g> for Tensor<'g> {
    fn to_tensor(self, _first: Tensor<'g>) -> Tensor<'g> {
        self
    }
}

impl<'g> TensorOrNumber<'g> for f64 {
    fn to_tensor(self, first: Tensor<'g>) -> Tensor<'g> {
        first.graph.constant(self, first.dtype())
    }
}

macro_rules! operator {
    ($($trait:ident :: $method:ident;)*) => {
        $(impl<'g, T: TensorOrNumber<'g>> $trait<T> for Tensor<'g> {
            type Output = Tensor<'g>;
            fn $method(self, other: T) -> Tensor<'g> {
                let other = other.to_tensor(self);
                align_and_apply(Elementwise::Binary(Binary::$trait), self, other)
            }
        })*
    };
}
operator! { Add::add; Sub::sub; Mul::mul; Div::div; }

impl<'g> Neg for Tensor<'g> {
    type Output = Tensor<'g>;
    fn neg(self) -> Tensor<'g> {
        self.elementwise(Elementwise::Unary(Unary::Neg))
    }
}

impl<'g> Not for Tensor<'g> {
    type Output = Tensor<'g>;
    /// Logical complement of a Bool, bitwise complement of an integer.
    fn not(self) -> Tensor<'g> {
        self.elementwise(Elementwise::Unary(Unary::Not))
    }
}

impl<'g> Tensor<'g> {
    fn elementwise(self, op: Elementwise) -> Tensor<'g> {
        self.graph.apply(Op::Elementwise(op), &[self])
    }

    /// The same values in another element type, rounded to nearest even; whole numbers are cut off, towards zero.
    pub fn cast(self, dtype: DType) -> Tensor<'g> {
        if self.dtype() == dtype { self } else { self.elementwise(Elementwise::Convert(dtype)) }
    }

    /// The same bits read as another element type of the same size.
    pub fn bitcast(self, dtype: DType) -> Tensor<'g> {
        self.elementwise(Elementwise::Bitcast(dtype))
    }

    /// The same values, behind a barrier: a compiler does not compute what is before it together with what is behind it.
    pub fn fenced(self) -> Tensor<'g> {
        self.elementwise(Elementwise::Fence)
    }

    /// The same values, with no derivative through them.
    pub fn stop_gradient(self) -> Tensor<'g> {
        self.elementwise(Elementwise::StopGradient)
    }

    /// Where `self`, a Bool, is true the element of `on_true`, else that of `on_false`. All three broadcast.
    pub fn select(self, on_true: Tensor<'g>, on_false: impl TensorOrNumber<'g>) -> Tensor<'g> {
        let on_false = on_false.to_tensor(on_true);
        let given = [self, on_true, on_false];
        for (a, b) in [(0, 1), (0, 2), (1, 2)] {
            if let Some((axis, _)) = differing_size(&given[a].axes(), &given[b].axes()) {
                let rule = format!("axis `{}` has different sizes in the arguments", axis.name);
                self.graph.fail_op("select", given.map(|tensor| tensor.ty()).to_vec(), rule);
                return self.graph.poison();
            }
        }
        let axes = union(&union(&on_true.axes(), &on_false.axes()), &self.axes());
        let args = [self.broadcast(&axes), on_true.broadcast(&axes), on_false.broadcast(&axes)];
        self.graph.apply(Op::Elementwise(Elementwise::Select), &args)
    }

    /// `x * logistic(x)`, the swish of Ramachandran et al. 2017.
    pub fn silu(self) -> Tensor<'g> {
        self * self.logistic()
    }

    /// `log(1 + exp(x))`, which neither overflows nor loses what is small.
    pub fn softplus(self) -> Tensor<'g> {
        self.maximum(0.0) + (-self.abs()).exp().log1p()
    }
}

fn align_and_apply<'g>(op: Elementwise, a: Tensor<'g>, b: Tensor<'g>) -> Tensor<'g> {
    let (a_axes, b_axes) = (a.axes(), b.axes());
    if let Some((axis, _)) = differing_size(&a_axes, &b_axes) {
        let rule = format!("axis `{}` has different sizes in the two arguments", axis.name);
        a.graph.fail_op(op.name(), vec![a.ty(), b.ty()], rule);
        return a.graph.poison();
    }
    let axes = union(&a_axes, &b_axes);
    a.graph.apply(Op::Elementwise(op), &[a.broadcast(&axes), b.broadcast(&axes)])
}

/// All axes of both, in the order of the one that has all if there is one, else the first's before the second's.
fn union(a: &[Axis], b: &[Axis]) -> Vec<Axis> {
    let (first, second) = if a.iter().all(|x| b.iter().any(|y| x.name == y.name)) { (b, a) } else { (a, b) };
    let missing = second.iter().filter(|x| !first.iter().any(|y| x.name == y.name));
    first.iter().chain(missing).copied().collect()
}

impl Elementwise {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Elementwise::Unary(op) => op.name(),
            Elementwise::Binary(op) => op.name(),
            Elementwise::Compare(_) => "compare",
            Elementwise::Select => "select",
            Elementwise::Convert(_) => "convert",
            Elementwise::Bitcast(_) => "bitcast",
            Elementwise::Fence => "fence",
            Elementwise::StopGradient => "stop_gradient",
        }
    }

    pub(super) fn is_free(&self) -> bool {
        matches!(
            self,
            Elementwise::Convert(_)
                | Elementwise::Bitcast(_)
                | Elementwise::Fence
                | Elementwise::StopGradient
                | Elementwise::Compare(_)
        )
    }

    /// Whether no derivative goes through the op, whatever its type.
    pub(crate) fn stops_gradient(&self) -> bool {
        matches!(self, Elementwise::StopGradient | Elementwise::Bitcast(_))
    }

    pub(super) fn infer(&self, args: &[&TensorType]) -> Result<TensorType, String> {
        let first = args[0];
        let is_kept = matches!(
            self,
            Elementwise::Convert(_) | Elementwise::Bitcast(_) | Elementwise::Fence | Elementwise::StopGradient
        );
        if !is_kept && let Some(narrow) = args.iter().find(|arg| arg.dtype.is_float8()) {
            return Err(format!("is not defined for {}; cast it", narrow.dtype));
        }
        match self {
            Elementwise::Unary(op) => {
                let fits = match op {
                    Unary::Not => !first.dtype.is_float(),
                    Unary::Neg | Unary::Abs | Unary::Sign => first.dtype != DType::Bool,
                    _ => first.dtype.is_float(),
                };
                if fits { Ok(first.clone()) } else { Err(format!("is not defined for {}", first.dtype)) }
            }
            Elementwise::Binary(op) => {
                same(first, args[1])?;
                let bits =
                    matches!(op, Binary::And | Binary::Or | Binary::Xor | Binary::ShiftLeft | Binary::ShiftRight);
                if bits && first.dtype.is_float() {
                    return Err(format!("takes whole numbers or Bool, not {}", first.dtype));
                }
                Ok(first.clone())
            }
            Elementwise::Compare(_) => {
                same(first, args[1])?;
                Ok(TensorType::new(DType::Bool, &first.axes))
            }
            Elementwise::Select => {
                same(args[1], args[2])?;
                if first.dtype != DType::Bool {
                    return Err(format!("the predicate is {}, not bool", first.dtype));
                }
                Ok(args[1].clone())
            }
            Elementwise::Convert(dtype) => Ok(TensorType::new(*dtype, &first.axes)),
            Elementwise::Bitcast(dtype) if dtype.size() != first.dtype.size() => {
                Err(format!("{} and {dtype} differ in size", first.dtype))
            }
            Elementwise::Bitcast(dtype) => Ok(TensorType::new(*dtype, &first.axes)),
            Elementwise::Fence | Elementwise::StopGradient => Ok(first.clone()),
        }
    }

    pub(super) fn vjp<'g>(&self, i: usize, cx: &mut VjpCx<'_, 'g>, ct: Tensor<'g>) -> Option<Tensor<'g>> {
        match self {
            Elementwise::Unary(op) => op.vjp(cx, ct),
            Elementwise::Binary(op) => op.vjp(i, cx, ct),
            Elementwise::Select if i == 0 => None,
            Elementwise::Select => {
                let zero = ct.graph.full(0.0, ct.dtype(), &ct.axes());
                let (on_true, on_false) = if i == 1 { (ct, zero) } else { (zero, ct) };
                Some(cx.input(0).select(on_true, on_false))
            }
            Elementwise::Convert(_) => Some(ct.cast(cx.input_type(0).dtype)),
            Elementwise::Fence => Some(ct),
            Elementwise::Compare(_) | Elementwise::Bitcast(_) | Elementwise::StopGradient => None,
        }
    }

    pub(super) fn lower(&self, e: &mut Emitter<'_>, args: &[Operand<'_>], result: &TensorType) -> String {
        let ty = result.stablehlo();
        let first = &args[0];
        match self {
            // Of CHLO, the dialect beside StableHLO, which plugins parse too: XLA has an instruction for it.
            Elementwise::Unary(Unary::Erf) => e.assign(format!("chlo.erf {} : {ty} -> {ty}", first.name)),
            Elementwise::Unary(op) => e.assign(format!("stablehlo.{} {} : {ty}", op.name(), first.name)),
            Elementwise::Binary(op) => {
                e.assign(format!("stablehlo.{} {}, {} : {ty}", op.name(), first.name, args[1].name))
            }
            Elementwise::Compare(comparison) => {
                let arg = first.ty.stablehlo();
                let direction = format!("{comparison:?}").to_uppercase();
                e.assign(format!(
                    "stablehlo.compare {direction}, {}, {} : ({arg}, {arg}) -> {ty}",
                    first.name, args[1].name
                ))
            }
            Elementwise::Select => e.assign(format!(
                "stablehlo.select {}, {}, {} : {}, {ty}",
                first.name,
                args[1].name,
                args[2].name,
                first.ty.stablehlo()
            )),
            Elementwise::Convert(_) => {
                e.assign(format!("stablehlo.convert {} : ({}) -> {ty}", first.name, first.ty.stablehlo()))
            }
            Elementwise::Bitcast(_) => {
                e.assign(format!("stablehlo.bitcast_convert {} : ({}) -> {ty}", first.name, first.ty.stablehlo()))
            }
            Elementwise::Fence => e.assign(format!("stablehlo.optimization_barrier {} : {ty}", first.name)),
            Elementwise::StopGradient => first.name.to_owned(),
        }
    }
}

fn same(a: &TensorType, b: &TensorType) -> Result<(), String> {
    if a.dtype == b.dtype {
        return Ok(());
    }
    Err(format!("{} and {} are different element types; cast one", a.dtype, b.dtype))
}

impl Unary {
    fn name(self) -> &'static str {
        match self {
            Unary::Abs => "abs",
            Unary::Cos => "cosine",
            Unary::Erf => "erf",
            Unary::Exp => "exponential",
            Unary::Expm1 => "exponential_minus_one",
            Unary::Log => "log",
            Unary::Log1p => "log_plus_one",
            Unary::Logistic => "logistic",
            Unary::Neg => "negate",
            Unary::Not => "not",
            Unary::Rsqrt => "rsqrt",
            Unary::Sign => "sign",
            Unary::Sin => "sine",
            Unary::Sqrt => "sqrt",
            Unary::Tanh => "tanh",
        }
    }

    fn vjp<'g>(self, cx: &mut VjpCx<'_, 'g>, ct: Tensor<'g>) -> Option<Tensor<'g>> {
        Some(match self {
            Unary::Abs => ct * cx.input(0).sign(),
            Unary::Cos => -(ct * cx.input(0).sin()),
            Unary::Erf => {
                let x = cx.input(0);
                ct * (-(x * x)).exp() * FRAC_2_SQRT_PI
            }
            Unary::Exp => ct * cx.output(),
            Unary::Expm1 => ct * (cx.output() + 1.0),
            Unary::Log => ct / cx.input(0),
            Unary::Log1p => ct / (cx.input(0) + 1.0),
            Unary::Logistic => {
                let y = cx.output();
                ct * y * (-y + 1.0)
            }
            Unary::Neg => -ct,
            Unary::Rsqrt => {
                let y = cx.output();
                ct * (y * y * y) * -0.5
            }
            Unary::Sin => ct * cx.input(0).cos(),
            Unary::Sqrt => ct * 0.5 / cx.output(),
            Unary::Tanh => {
                let y = cx.output();
                ct * (-(y * y) + 1.0)
            }
            Unary::Not | Unary::Sign => return None,
        })
    }
}

impl Binary {
    fn name(self) -> &'static str {
        match self {
            Binary::Add => "add",
            Binary::Sub => "subtract",
            Binary::Mul => "multiply",
            Binary::Div => "divide",
            Binary::Max => "maximum",
            Binary::Min => "minimum",
            Binary::And => "and",
            Binary::Or => "or",
            Binary::Xor => "xor",
            Binary::ShiftLeft => "shift_left",
            Binary::ShiftRight => "shift_right_logical",
        }
    }

    fn vjp<'g>(self, i: usize, cx: &mut VjpCx<'_, 'g>, ct: Tensor<'g>) -> Option<Tensor<'g>> {
        let first = i == 0;
        Some(match self {
            Binary::Add => ct,
            Binary::Sub if first => ct,
            Binary::Sub => -ct,
            Binary::Mul => ct * cx.input(1 - i),
            Binary::Div if first => ct / cx.input(1),
            Binary::Div => -(ct * cx.output() / cx.input(1)),
            Binary::Max | Binary::Min => {
                // Where both are equal each gets half, as in JAX and torch.
                let (mine, other) = (cx.input(i), cx.input(1 - i));
                let wins = if self == Binary::Max { mine.greater(other) } else { mine.less(other) };
                let half = mine.equals(other).select(ct * 0.5, 0.0);
                wins.select(ct, half)
            }
            Binary::And | Binary::Or | Binary::Xor | Binary::ShiftLeft | Binary::ShiftRight => return None,
        })
    }
}
