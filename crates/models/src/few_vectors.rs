//! Weights that meet few vectors, as in generation token by token. A layer says one thing after the other what a kernel computes at once: a product, what it is
//! added to, and the norm of that sum. So products and sums are written down here, and where a sum is said with one, or a norm with the other, it is computed anew,
//! by one launch; what nobody reads then is in no program.

use std::cell::RefCell;
use std::rc::Rc;

use graph::{Stack, Tensor};
use kernels::{Added, FewVectors, Gpu, Multiplied, Norm, NormOfSum, PackedWeight, Weight};

use crate::Scope;

/// The products, sums, known norms and vectors laid out of a trace so far; shared by all of its scopes.
#[derive(Clone)]
pub(crate) struct Products<'g> {
    gpu: Gpu,
    /// Whether weights are there in twelve bits, too.
    is_packed: bool,
    weights: Rc<RefCell<Vec<Weight<'g>>>>,
    so_far: Rc<RefCell<Vec<Product<'g>>>>,
    sums: Rc<RefCell<Vec<Sum<'g>>>>,
    normals: Rc<RefCell<Vec<Normal<'g>>>>,
    laid: Rc<RefCell<Vec<Laid<'g>>>>,
}

/// Vectors, and the same laid out for packed products.
struct Laid<'g> {
    plain: Tensor<'g>,
    laid: Tensor<'g>,
}

/// What a norm gives, computed before it is asked for.
struct Normal<'g> {
    /// The path of its module.
    path: String,
    /// What it is of.
    x: Tensor<'g>,
    result: Tensor<'g>,
}

/// A product, and the module that it is of.
#[derive(Clone)]
struct Product<'g> {
    result: Multiplied<'g>,
    vectors: FewVectors<'g>,
    weight: Weight<'g>,
    path: String,
    stack: Vec<Stack>,
}

/// The sum of vectors and what was added to them.
#[derive(Clone, Copy)]
struct Sum<'g> {
    result: Tensor<'g>,
    of: Tensor<'g>,
    added: Added<'g>,
    /// The same, by the launch that normalised it.
    anew: Option<Tensor<'g>>,
}

impl<'g> Products<'g> {
    /// None yet, in kernels for this kind of GPU, with weights that are packed, too, or not.
    pub(crate) fn new(gpu: Gpu, is_packed: bool) -> Products<'g> {
        let (weights, so_far, sums, normals, laid) = Default::default();
        Products { gpu, is_packed, weights, so_far, sums, normals, laid }
    }

    /// Whether weights are there in twelve bits, too.
    pub(crate) fn are_packed(&self) -> bool {
        self.is_packed
    }

    /// From here on a weight is known as packed.
    pub(crate) fn pack(&self, plain: Tensor<'g>, packed: PackedWeight<'g>) {
        self.weights.borrow_mut().push(Weight { plain, packed: Some(packed) });
    }

    /// A weight as it is known.
    pub(crate) fn weight(&self, plain: Tensor<'g>) -> Weight<'g> {
        let known = self.weights.borrow().iter().rev().find(|known| known.plain.is(plain)).copied();
        known.unwrap_or(plain.into())
    }

    /// For which kind of GPU kernels are.
    pub(crate) fn gpu(&self) -> Gpu {
        self.gpu
    }

    /// The vectors over the axis `input` of `x`, laid out, too, if they are known so.
    pub(crate) fn vectors(&self, x: Tensor<'g>, input: &'static str) -> FewVectors<'g> {
        let laid = self.laid.borrow().iter().rev().find(|known| known.plain.is(x)).map(|known| known.laid);
        FewVectors { x, input, laid, gpu: self.gpu }
    }

    /// From here on vectors are known as laid out, too.
    pub(crate) fn lay(&self, plain: Tensor<'g>, laid: Tensor<'g>) {
        self.laid.borrow_mut().push(Laid { plain, laid });
    }

    /// Of up to three `weights` (output, `input`) with `x`, in one launch. A single one is that of the module at `scope`.
    pub(crate) fn of(
        &self,
        scope: &Scope<'g>,
        x: Tensor<'g>,
        weights: &[Tensor<'g>],
        input: &'static str,
    ) -> Option<Vec<Tensor<'g>>> {
        let vectors = self.vectors(x, input);
        let weights: Vec<_> = weights.iter().map(|weight| self.weight(*weight)).collect();
        let results = vectors.products(&weights)?;
        if let ([weight], [result]) = (&weights[..], &results[..]) {
            let (path, stack) = (scope.path().to_owned(), scope.stack().to_vec());
            self.so_far.borrow_mut().push(Product { result: *result, vectors, weight: *weight, path, stack });
        }
        Some(results.into_iter().map(|result| result.whole).collect())
    }

    /// `x` and what a module gave for it, which may be a product.
    pub(crate) fn sum(&self, x: Tensor<'g>, residual: Tensor<'g>) -> Tensor<'g> {
        let x = self.anew(x);
        let product = self.so_far.borrow().iter().rev().find(|known| known.result.whole.is(residual)).cloned();
        let mut parts = None;
        if let Some(Product { result: product, vectors, weight, path, stack }) = &product {
            let _named = x.graph().named(path, stack, None);
            let added = vectors.product_added(weight.plain, x);
            parts = product.parts.or_else(|| vectors.product_in_parts(*weight));
            if let Some(result) = added {
                if let Some(parts) = parts {
                    self.sums.borrow_mut().push(Sum { result, of: x, added: Added::Parts(parts), anew: None });
                }
                return result;
            }
        }
        let added = parts.map_or(Added::Whole(residual), Added::Parts);
        let sum = Sum { result: x + residual, of: x, added, anew: None };
        self.sums.borrow_mut().push(sum);
        sum.result
    }

    /// The same vectors, by the launch that normalised them, if they are a sum of which there is such a launch.
    pub(crate) fn anew(&self, x: Tensor<'g>) -> Tensor<'g> {
        self.sums.borrow().iter().rev().find(|sum| sum.result.is(x)).and_then(|sum| sum.anew).unwrap_or(x)
    }

    /// From here on `result` is what the norm at `path` gives for `x`.
    pub(crate) fn know(&self, path: &str, x: Tensor<'g>, result: Tensor<'g>) {
        self.normals.borrow_mut().push(Normal { path: path.to_owned(), x, result });
    }

    /// The vectors of `norm`, that of the module at `path`, normalised: if they are known, or there is a kernel for it. `is_laid`: laid out for packed products, too, if
    /// that serves, by the same launch, whoever reads which of them.
    pub(crate) fn normalised(&self, path: &str, norm: Norm<'g>, is_laid: bool) -> Option<Tensor<'g>> {
        let known =
            self.normals.borrow().iter().find(|known| known.path == path && known.x.is(norm.x)).map(|it| it.result);
        if known.is_some() {
            return known;
        }
        let is_laid = is_laid && self.is_packed && self.gpu == Gpu::Hopper;
        let mut sums = self.sums.borrow_mut();
        let of_sum = sums.iter_mut().rev().find(|sum| sum.result.is(norm.x)).and_then(|sum| {
            let NormOfSum { normal, sum: anew, laid } = Norm { x: sum.of, ..norm }.of_sum(sum.added, is_laid)?;
            sum.anew = Some(anew);
            if let Some(laid) = laid {
                self.lay(normal, laid);
            }
            Some(normal)
        });
        of_sum.or_else(|| norm.alone())
    }
}

#[cfg(test)]
mod tests {
    use graph::{Axis, DType, Graph, Init};

    use super::*;
    use crate::layers::{RmsNorm, linear};
    use crate::{Precision, Scope};

    /// A kernel for GPUs is launched nowhere else: what its results are used for is told by the text.
    #[test]
    fn a_norm_adds_and_what_is_added_next_is_added_to_its_sum() {
        let graph = Graph::new();
        let scope = Scope::root(&graph, Precision::uniform(DType::BF16), None).with_token_kernels(Gpu::Hopper, false);
        let [row, heads, embed] = [Axis::new("row", 16), Axis::new("heads", 512), Axis::new("embed", 256)];
        let x = graph.input("x", DType::BF16, &[row, embed]);
        let attended = graph.input("attended", DType::BF16, &[row, heads]);
        let other = graph.input("other", DType::BF16, &[row, embed]);
        let product = linear(&scope.at("o_proj"), attended, heads, embed, false, Init::Zeros);
        let sum = scope.sum(x, product);
        let normal = RmsNorm::new(1e-5).apply(&scope.at("norm"), sum, "embed");
        let next = scope.sum(sum, other);
        let text = graph.lower("step", &[("normal", normal), ("next", next)], &[]).expect("it can be lowered").text;
        // Of each call what it is of, without the kernel that it is to.
        let lines = text.lines().skip(2).map(|line| line.split(" {api_version").next().unwrap_or(line).trim());
        let lines: Vec<_> = lines.take(4).collect();
        let expected = [
            "%0 = stablehlo.custom_call @__gpu$xla.gpu.triton(%arg1, %arg3)",
            "%1:2 = stablehlo.custom_call @__gpu$xla.gpu.triton(%arg0, %arg4, %0)",
            "%2 = stablehlo.add %1#1, %arg2 : tensor<16x256xbf16>",
            "return %1#0, %2 : tensor<16x256xbf16>, tensor<16x256xbf16>",
        ];
        assert_eq!(lines, expected, "{text}");
    }
}
