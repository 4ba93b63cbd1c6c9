//! What a kernel is: an arena of values, operations and nested regions, each value a block of numbers with static shape.
//!
//! The operations are those of Triton's dialects that our kernels need, and no more. A block has one element type and some
//! dimensions, whose sizes are powers of two, or none: then it is a scalar.

use std::fmt;

use graph::DType;

/// A value of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ValueId(pub(crate) u32);

/// A region of a kernel: its whole body, a loop's, or how two elements are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RegionId(pub(crate) u32);

/// What each element of a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    /// A number, or a truth value.
    Number(DType),
    /// The place of a number in an argument.
    Pointer(DType),
}

impl Element {
    pub(crate) fn dtype(self) -> DType {
        match self {
            Element::Number(dtype) | Element::Pointer(dtype) => dtype,
        }
    }
}

/// Element and shape of a block; no dimensions: a scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BlockType {
    pub(crate) element: Element,
    pub(crate) shape: Vec<usize>,
}

impl BlockType {
    pub(crate) fn number(dtype: DType, shape: &[usize]) -> BlockType {
        BlockType { element: Element::Number(dtype), shape: shape.to_vec() }
    }

    pub(crate) fn scalar(dtype: DType) -> BlockType {
        BlockType::number(dtype, &[])
    }

    pub(crate) fn len(&self) -> usize {
        self.shape.iter().product()
    }

    pub(crate) fn with_shape(&self, shape: &[usize]) -> BlockType {
        BlockType { element: self.element, shape: shape.to_vec() }
    }

    pub(crate) fn with_dtype(&self, dtype: DType) -> BlockType {
        BlockType::number(dtype, &self.shape)
    }

    /// Whether elements are floating-point numbers.
    pub(crate) fn is_float(&self) -> bool {
        matches!(self.element, Element::Number(dtype) if dtype.is_float())
    }

    /// Whether elements are whole numbers or truth values.
    pub(crate) fn is_integer(&self) -> bool {
        matches!(self.element, Element::Number(dtype) if !dtype.is_float())
    }
}

impl fmt::Display for BlockType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.element {
            Element::Number(dtype) => write!(f, "{dtype}{:?}", self.shape),
            Element::Pointer(dtype) => write!(f, "pointer to {dtype}{:?}", self.shape),
        }
    }
}

/// Of one block, element by element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    Exp,
    Exp2,
    /// 2 to this power by one instruction of NVIDIA's, which gives 0 for what is below the normal numbers.
    Exp2Ptx,
    Log2,
    Negate,
    Rsqrt,
}

/// Of two blocks of one type, element by element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Subtract,
    Multiply,
    /// Of whole numbers rounded towards zero.
    Divide,
    Remainder,
    /// Of a number and NaN the number.
    Maximum,
    /// Of a number and NaN the number.
    Minimum,
    And,
    Or,
    Xor,
}

impl Binary {
    /// Whether it counts, so that whole numbers should not wrap around in it, and not only bits.
    pub(crate) fn counts(self) -> bool {
        matches!(self, Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide)
    }

    /// Whether it divides.
    pub(crate) fn divides(self) -> bool {
        matches!(self, Binary::Divide | Binary::Remainder)
    }
}

/// Comparisons; those of floating-point numbers are false where one is NaN, but for `NotEqual`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Op {
    /// The same number in all elements.
    Constant(f64),
    /// The program's number along a dimension of the grid.
    ProgramId(usize),
    /// 0, 1, … along the only dimension.
    Range,
    /// A scalar in all elements.
    Splat,
    /// A new dimension of size 1.
    ExpandDims(usize),
    /// Dimensions of size 1 repeated.
    Broadcast,
    /// The same elements in row-major order.
    Reshape,
    Transpose(Vec<usize>),
    /// Of a block whose last dimension has the size 2: the elements at 0, and those at 1.
    Split,
    Unary(Unary),
    Binary(Binary),
    Compare(Comparison),
    /// The product of two blocks and the sum with a third, rounded once.
    MultiplyAdd,
    /// Of a condition and two blocks.
    Select,
    Cast,
    /// The same bits as another type of the same size.
    Bitcast,
    /// A pointer moved by a number of elements.
    Advance,
    /// What pointers point to; with a mask, and with what is there where that is false.
    Load,
    /// Of pointers, values, and perhaps a mask.
    Store,
    /// Of (m, k), (k, n) and (m, n), which the product is added to.
    Dot,
    /// Elements along a dimension combined to one. The region has two parameters for each block and a result for each.
    Reduce {
        dim: usize,
        combine: RegionId,
    },
    /// Elements along a dimension combined with all those before them, or behind them. The region as that of `Reduce`.
    Scan {
        dim: usize,
        reverse: bool,
        combine: RegionId,
    },
    /// From a first number to another, which is left out, by steps. Inputs: those three, and what is carried. The region's parameters: the
    /// number and what is carried. With `stages` what a turn loads is on its way so many turns less one before it.
    For {
        body: RegionId,
        stages: Option<usize>,
    },
    /// One of two regions without parameters, by a scalar condition.
    If {
        then: RegionId,
        otherwise: RegionId,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) op: Op,
    pub(crate) inputs: Vec<ValueId>,
    pub(crate) results: Vec<ValueId>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Region {
    pub(crate) params: Vec<ValueId>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) results: Vec<ValueId>,
}

/// A program over blocks, which a grid of programs runs.
#[derive(Clone, Debug)]
pub struct Kernel {
    pub(crate) name: String,
    /// Type of each value, by its number.
    pub(crate) types: Vec<BlockType>,
    /// The first is the body.
    pub(crate) regions: Vec<Region>,
    /// The arguments: those that are read, then those that are written, each a pointer to its first element.
    pub(crate) arguments: Vec<(String, DType)>,
    /// How many of them are read.
    pub(crate) inputs: usize,
    /// Products and sums of the matrix units in all programs together, as far as they were counted.
    pub(crate) flops: f64,
}

impl Kernel {
    /// The name under which profilers show it.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn body(&self) -> &Region {
        &self.regions[0]
    }

    pub(crate) fn region(&self, id: RegionId) -> &Region {
        &self.regions[id.0 as usize]
    }

    pub(crate) fn ty(&self, id: ValueId) -> &BlockType {
        &self.types[id.0 as usize]
    }
}

/// A rule that a kernel's code broke while it was built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the kernel `{kernel}` cannot be built: {op}: {rule}")]
pub struct KernelError {
    pub(crate) kernel: String,
    pub(crate) op: String,
    pub(crate) rule: String,
}
