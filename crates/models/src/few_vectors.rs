//! Weights that meet few vectors, as in generation token by token. A layer says one thing after the other what a kernel computes at once: a product, and what it
//! is added to. So products are written down here, and where a sum is said with one it is computed anew, by one launch; what nobody reads then is in no
//! program.

use std::cell::RefCell;
use std::rc::Rc;

use graph::{Stack, Tensor};
use kernels::{FewVectors, Gpu};

use crate::Scope;

/// The products of a trace so far; shared by all of its scopes.
#[derive(Clone)]
pub(crate) struct Products<'g> {
    gpu: Gpu,
    so_far: Rc<RefCell<Vec<Product<'g>>>>,
}

/// A product, and the module that it is of.
#[derive(Clone)]
struct Product<'g> {
    result: Tensor<'g>,
    vectors: FewVectors<'g>,
    weight: Tensor<'g>,
    path: String,
    stack: Vec<Stack>,
}

impl<'g> Products<'g> {
    /// None yet, in kernels for this kind of GPU.
    pub(crate) fn new(gpu: Gpu) -> Products<'g> {
        Products { gpu, so_far: Rc::default() }
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
        Some(results)
    }

    /// `x` and a product that is added to it.
    pub(crate) fn added_to(&self, x: Tensor<'g>, product: Tensor<'g>) -> Option<Tensor<'g>> {
        let found = self.so_far.borrow().iter().rev().find(|known| known.result.is(product)).cloned();
        let Product { vectors, weight, path, stack, .. } = found?;
        let _named = x.graph().named(&path, &stack, None);
        vectors.product_added(weight, x)
    }
}
