//! Adapters of many texts in one step, each row with its own, of any rank (Sheng et al. 2023, "S-LoRA"; Chen et al. 2023, "Punica").
//!
//! The factors of all adapters that are on the device lie in one pool for each module: a row of A and a column of B for each rank. An adapter
//! of rank 8 is any eight places of it, so that ranks are not padded, and none is of another's size.
//!
//! Of DoRA (Liu et al. 2024) there is besides, for each module, what its outputs are multiplied with: a row for each such adapter, computed when
//! the adapter is put there. Steps in which no row has such an adapter know nothing of them.

use std::collections::BTreeSet;
use std::sync::Arc;

use graph::{Axis, DType, GraphError, Init, ParamSpec, Tensor};

use crate::journal::LinearModule;
use crate::layers::{wide, widen};
use crate::lora::{FACTORS, Frozen, MAGNITUDE};
use crate::ragged::Ragged;
use crate::{LanguageModel, Scope, part};

/// The places of ranks of adapters on a device.
#[derive(Clone, Debug, PartialEq)]
pub struct AdapterPool {
    /// How many places there are, the first of which holds zeros.
    pub places: usize,
    /// How many rows there are for what DoRA multiplies outputs with, the first of which stands for adapters without; 0: there is no room for DoRA.
    pub stretches: usize,
    /// The modules that adapters are beside, as [`LinearModule::path`](crate::LinearModule) has them.
    pub modules: Arc<BTreeSet<String>>,
}

/// What a parameter of a pool holds of adapters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pooled {
    /// Rows of A: (place, inputs).
    A,
    /// Columns of B, times their adapter's scale: (place, outputs).
    B,
    /// What DoRA multiplies outputs with, less 1: (adapter, outputs), in f32 at least.
    Stretch,
}

impl Pooled {
    const ALL: [Pooled; 3] = [Pooled::A, Pooled::B, Pooled::Stretch];

    /// What a parameter of a pool holds, by its name, and the name of the adapter's own parameter that belongs there.
    pub fn of(name: &str) -> Option<(Pooled, String)> {
        let (module, last) = name.rsplit_once('.')?;
        let pooled = Pooled::ALL.into_iter().find(|pooled| pooled.names()[0] == last)?;
        Some((pooled, format!("{module}.{}", pooled.names()[1])))
    }

    /// Its name below its module, and that of what an adapter has of it.
    fn names(self) -> [&'static str; 2] {
        match self {
            Pooled::A => ["pool_A", FACTORS[0]],
            Pooled::B => ["pool_B", FACTORS[1]],
            Pooled::Stretch => ["pool_stretch", MAGNITUDE],
        }
    }
}

impl AdapterPool {
    /// The modules of a model that adapters are beside.
    ///
    /// # Errors
    /// A configuration that no graph can be traced from.
    pub fn linear(&self, model: &LanguageModel) -> Result<Vec<LinearModule>, GraphError> {
        let modules = model.adaptable_modules()?.into_iter();
        Ok(modules.filter(|module| self.modules.contains(&module.path)).collect())
    }

    /// A module's parameters, held in `dtype`, stacked over the layers that are alike: in the order of [`Pooled`], without the last where there is no
    /// room for DoRA. Their axes have the names that the module's have, so that on several devices each has of A and B what it has of the weight.
    pub fn specs_of(&self, module: &LinearModule, dtype: DType) -> Vec<ParamSpec> {
        let (place, input, output) = (self.ranks(), module.input, module.output);
        let specs = Pooled::ALL.map(|pooled| {
            let (axes, dtype) = match pooled {
                Pooled::A => (vec![place, input], dtype),
                Pooled::B => (vec![place, output], dtype),
                Pooled::Stretch => (vec![self.adapters(), output], wide(dtype)),
            };
            let name = format!("{}.{}", module.path, pooled.names()[0]);
            ParamSpec { name, dtype, axes, stack: module.stack.clone(), init: Init::Zeros }
        });
        specs.into_iter().take(if self.stretches > 0 { 3 } else { 2 }).collect()
    }

    /// Those of all modules.
    ///
    /// # Errors
    /// A configuration that no graph can be traced from.
    pub fn specs(&self, model: &LanguageModel, dtype: DType) -> Result<Vec<ParamSpec>, GraphError> {
        Ok(self.linear(model)?.iter().flat_map(|module| self.specs_of(module, dtype)).collect())
    }

    fn ranks(&self) -> Axis {
        Axis::new("place", self.places)
    }

    fn adapters(&self) -> Axis {
        Axis::new("adapter", self.stretches)
    }
}

/// The adapters of a step's rows, where a row has one.
pub struct RowAdapters<'a, 'g> {
    /// Where they lie.
    pub pool: &'a AdapterPool,
    /// The row of each row's adapter among what DoRA multiplies outputs with, i32 (batch), for each part of the step; `None`: no row's is DoRA's.
    pub stretches: Option<Vec<Tensor<'g>>>,
}

/// The adapters of a step's rows.
#[derive(Clone)]
pub(crate) struct Served<'g> {
    pub(crate) pool: AdapterPool,
    /// As in [`RowAdapters`].
    pub(crate) stretches: Option<Vec<Tensor<'g>>>,
    pub(crate) ragged: Ragged<'g>,
}

/// A module's parameters of the pool.
#[derive(Clone, Copy)]
struct Beside<'g> {
    a: Tensor<'g>,
    b: Tensor<'g>,
    /// Where a row's adapter may be DoRA's.
    stretch: Option<Tensor<'g>>,
}

impl<'g> Served<'g> {
    pub(crate) fn has(&self, scope: &Scope<'g>) -> bool {
        self.pool.modules.contains(scope.path())
    }

    /// What the rows' adapters add to the output of the module at `scope`, if any may have one there.
    pub(crate) fn change(&self, scope: &Scope<'g>, module: Frozen<'g>) -> Option<Tensor<'g>> {
        if !self.has(scope) {
            return None;
        }
        let _named = scope.named(part::ADAPTERS);
        let Frozen { input, output, x, product, .. } = module;
        let place = self.pool.ranks();
        let [a, b] = [(Pooled::A, input), (Pooled::B, output)]
            .map(|(pooled, axis)| scope.adapter_param(pooled.names()[0], &[place, axis], Init::Zeros));
        let stretch = self.stretches.as_ref().map(|_| {
            scope.wide_adapter_param(Pooled::Stretch.names()[0], &[self.pool.adapters(), output], Init::Zeros)
        });
        let beside = Beside { a, b, stretch };
        let add = |x, product, ranks, row| beside.change(module, x, product, ranks, row);
        let parts = self.ragged.parts();
        let row = |number: usize| self.stretches.as_ref().map(|parts| parts[number]);
        match self.ragged.current() {
            Some(number) => Some(add(x, product, parts[number].ranks?, row(number))),
            // Behind the last token of each row.
            None if x.axes().iter().all(|axis| axis.name != "position") => {
                let ranks: Option<Vec<_>> = parts.iter().map(|part| part.ranks).collect();
                let rows = self.stretches.as_ref().map(|rows| Tensor::concat(rows, "batch"));
                Some(add(x, product, Tensor::concat(&ranks?, "batch"), rows))
            }
            None => {
                let parts = (0..parts.len()).map(|number| {
                    let [x, product] = [x, product].map(|x| self.ragged.part(x, number));
                    let change = add(x, product, parts[number].ranks?, row(number));
                    Some(change.transpose(&["batch", "position", output.name]))
                });
                Some(self.ragged.joined(&parts.collect::<Option<Vec<_>>>()?))
            }
        }
    }
}

impl<'g> Beside<'g> {
    /// What adapters add to the `product` of rows `x`: of each row that which has these `ranks` (batch, rank), and this `row` (batch) for DoRA.
    fn change(
        &self,
        Frozen { input, .. }: Frozen<'g>,
        x: Tensor<'g>,
        product: Tensor<'g>,
        ranks: Tensor<'g>,
        row: Option<Tensor<'g>>,
    ) -> Tensor<'g> {
        let [a, b] = [self.a, self.b].map(|factor| factor.take("place", ranks));
        let change = x.dot(a, &[input.name]).dot(b, &["rank"]);
        let Some((stretch, row)) = self.stretch.zip(row) else { return change };
        // As much as the sum of both is more than the product alone.
        let more = stretch.take("adapter", row);
        (widen(product) * more + widen(change) * (more + 1.0)).cast(x.dtype())
    }
}
