//! Weights that meet few vectors, as in generation token by token. A layer says one thing after the other what a kernel computes at once: a product, what it is
//! added to, and the norm of that sum. So products and sums are written down here, and where a sum is said with one, or a norm with the other, it is computed anew,
//! by one launch; what nobody reads then is in no program.

use std::cell::RefCell;
use std::rc::Rc;

use graph::{Stack, Tensor};
use kernels::{Added, FewVectors, Gpu, Multiplied, Norm};

use crate::Scope;

/// The products and sums of a trace so far; shared by all of its scopes.
#[derive(Clone)]
pub(crate) struct Products<'g> {
    gpu: Gpu,
    so_far: Rc<RefCell<Vec<Product<'g>>>>,
    sums: Rc<RefCell<Vec<Sum<'g>>>>,
}

/// A product, and the module that it is of.
#[derive(Clone)]
struct Product<'g> {
    result: Multiplied<'g>,
    vectors: FewVectors<'g>,
    weight: Tensor<'g>,
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
    /// None yet, in kernels for this kind of GPU.
    pub(crate) fn new(gpu: Gpu) -> Products<'g> {
        Products { gpu, so_far: Rc::default(), sums: Rc::default() }
    }

    /// For which kind of GPU kernels are.
    pub(crate) fn gpu(&self) -> Gpu {
        self.gpu
    }

    /// Of up to three `weights` (output, `input`) with `x`, in one launch. A single one is that of the module at `scope`.
    pub(crate) fn of(
        &self,
        scope: &Scope<'g>,
        x: Tensor<'g>,
        weights: &[Tensor<'g>],
        input: &'static str,
    ) -> Option<Vec<Tensor<'g>>> {
        let vectors = FewVectors { x, input, gpu: self.gpu };
        let results = vectors.products(weights)?;
        if let ([weight], [result]) = (weights, &results[..]) {
            let (path, stack) = (scope.path().to_owned(), scope.stack().to_vec());
            self.so_far.borrow_mut().push(Product { result: *result, vectors, weight: *weight, path, stack });
        }
        Some(results.into_iter().map(|result| result.whole).collect())
    }

    /// `x` and what a module gave for it, which may be a product.
    pub(crate) fn sum(&self, x: Tensor<'g>, residual: Tensor<'g>) -> Tensor<'g> {
        let x = self.sums.borrow().iter().rev().find(|sum| sum.result.is(x)).and_then(|sum| sum.anew).unwrap_or(x);
        let product = self.so_far.borrow().iter().rev().find(|known| known.result.whole.is(residual)).cloned();
        if let Some(Product { vectors, weight, path, stack, .. }) = &product {
            let _named = x.graph().named(path, stack, None);
            if let Some(sum) = vectors.product_added(*weight, x) {
                return sum;
            }
        }
        let parts = product.and_then(|product| product.result.parts);
        let added = parts.map_or(Added::Whole(residual), Added::Parts);
        let sum = Sum { result: x + residual, of: x, added, anew: None };
        self.sums.borrow_mut().push(sum);
        sum.result
    }

    /// The vectors of `norm` normalised, if there is a kernel for it.
    pub(crate) fn normalised(&self, norm: Norm<'g>) -> Option<Tensor<'g>> {
        let mut sums = self.sums.borrow_mut();
        let of_sum = sums.iter_mut().rev().find(|sum| sum.result.is(norm.x)).and_then(|sum| {
            let [normal, anew] = Norm { x: sum.of, ..norm }.of_sum(sum.added)?;
            sum.anew = Some(anew);
            Some(normal)
        });
        of_sum.or_else(|| norm.alone())
    }
}
