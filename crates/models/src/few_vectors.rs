//! Weights that meet few vectors, as in generation token by token. Layers say one thing after the other what a kernel computes at once: a norm, products of what it
//! gives, and a sum that a product is part of. So each is written down here, and where more is said it is computed anew, by one launch; what nobody
//! reads then is in no program.

use std::cell::RefCell;
use std::rc::Rc;

use graph::{Stack, Tensor};
use kernels::{FewVectors, VectorNorm};

use crate::Scope;

/// What was said so far; shared by all scopes of a trace.
#[derive(Clone, Default)]
pub(crate) struct Said<'g> {
    norms: Log<'g, FewVectors<'g>>,
    products: Log<'g, Product<'g>>,
}

/// Tensors, and what each is.
type Log<'g, What> = Rc<RefCell<Vec<(Tensor<'g>, What)>>>;

/// A product, and the module that it is of.
#[derive(Clone)]
struct Product<'g> {
    vectors: FewVectors<'g>,
    weight: Tensor<'g>,
    path: String,
    stack: Vec<Stack>,
}

/// What was written down about a tensor.
fn found<'g, What: Clone>(log: &Log<'g, What>, tensor: Tensor<'g>) -> Option<What> {
    log.borrow().iter().rev().find(|(other, _)| other.is(tensor)).map(|(_, what)| what.clone())
}

impl<'g> Said<'g> {
    /// That `normal` is `x`, normalised over the axis `input` with this weight.
    pub(crate) fn normalised(
        &self,
        normal: Tensor<'g>,
        x: Tensor<'g>,
        input: &'static str,
        norm: (VectorNorm, Tensor<'g>),
    ) {
        self.norms.borrow_mut().push((normal, FewVectors { x, input, norm: Some(norm) }));
    }

    fn vectors(&self, x: Tensor<'g>, input: &'static str) -> FewVectors<'g> {
        let normalised = found(&self.norms, x).filter(|vectors| vectors.input == input);
        normalised.unwrap_or(FewVectors { x, input, norm: None })
    }

    /// The products of up to three `weights` (output, `input`) with `x`, in one launch. The first is that of the module at `scope`.
    pub(crate) fn products(
        &self,
        scope: &Scope<'g>,
        x: Tensor<'g>,
        weights: &[Tensor<'g>],
        input: &'static str,
    ) -> Option<Vec<Tensor<'g>>> {
        let vectors = self.vectors(x, input);
        let products = vectors.products(weights)?;
        if let ([weight], [product]) = (weights, &products[..]) {
            let (path, stack) = (scope.path().to_owned(), scope.stack().to_vec());
            self.products.borrow_mut().push((*product, Product { vectors, weight: *weight, path, stack }));
        }
        Some(products)
    }

    /// `silu(gate x) * (up x)` of two weights (output, `input`).
    pub(crate) fn gated(&self, x: Tensor<'g>, weights: [Tensor<'g>; 2], input: &'static str) -> Option<Tensor<'g>> {
        self.vectors(x, input).gated_product(weights)
    }

    /// `x` and a product that is added to it.
    pub(crate) fn sum(&self, x: Tensor<'g>, product: Tensor<'g>) -> Option<Tensor<'g>> {
        let Product { vectors, weight, path, stack } = found(&self.products, product)?;
        let _named = x.graph().named(&path, &stack, None);
        vectors.product_added(weight, x)
    }
}
