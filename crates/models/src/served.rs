//! Adapters of many texts in one step, each row with its own, of any rank (Sheng et al. 2023, "S-LoRA"; Chen et al. 2023, "Punica").
//!
//! The factors of all adapters that are on the device lie in one pool for each module: a row of A and a column of B for each rank. An adapter
//! of rank 8 is any eight places of it, so that ranks are not padded, and none is of another's size.

use std::collections::BTreeSet;
use std::sync::Arc;

use graph::{Axis, DType, GraphError, Init, ParamSpec, Tensor};

use crate::journal::LinearModule;
use crate::lora::{FACTORS, Frozen};
use crate::ragged::Ragged;
use crate::{LanguageModel, Scope, part};

/// The places of ranks of adapters on a device.
#[derive(Clone, Debug, PartialEq)]
pub struct AdapterPool {
    /// How many places there are, the first of which holds zeros.
    pub places: usize,
    /// The modules that adapters are beside, as [`LinearModule::path`](crate::LinearModule) has them.
    pub modules: Arc<BTreeSet<String>>,
}

/// Behind a module's path, the names of its pool's factors.
const POOLED: [&str; 2] = ["pool_A", "pool_B"];

impl AdapterPool {
    /// The factors, held in `dtype`: (place, inputs) and (place, outputs) of each module, stacked over the layers that are alike.
    ///
    /// # Errors
    /// A configuration that no graph can be traced from.
    pub fn specs(&self, model: &LanguageModel, dtype: DType) -> Result<Vec<ParamSpec>, GraphError> {
        let place = Axis::new("place", self.places);
        let modules = model.adaptable_modules()?.into_iter().filter(|module| self.modules.contains(&module.path));
        let factors = modules.flat_map(|LinearModule { path, stack, inputs, outputs, .. }| {
            [(POOLED[0], Axis::new("input", inputs)), (POOLED[1], Axis::new("output", outputs))].map(|(name, width)| {
                let (name, axes, stack) = (format!("{path}.{name}"), vec![place, width], stack.clone());
                ParamSpec { name, dtype, axes, stack, init: Init::Zeros }
            })
        });
        Ok(factors.collect())
    }

    /// The name of the adapter's own parameter that belongs in a factor of a pool, and whether that is A: by the factor's name.
    pub fn factor_of(name: &str) -> Option<(String, bool)> {
        let (module, factor) = name.rsplit_once('.')?;
        let at = POOLED.iter().position(|pooled| *pooled == factor)?;
        Some((format!("{module}.{}", FACTORS[at]), at == 0))
    }
}

/// The adapters of a step's rows.
#[derive(Clone)]
pub(crate) struct Served<'g> {
    pub(crate) pool: AdapterPool,
    pub(crate) ragged: Ragged<'g>,
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
        let place = Axis::new("place", self.pool.places);
        let Frozen { input, output, x, .. } = module;
        let factors = [(POOLED[0], input), (POOLED[1], output)];
        let [a, b] = factors.map(|(name, axis)| scope.adapter_param(name, &[place, axis], Init::Zeros));
        let add = |x: Tensor<'g>, ranks: Tensor<'g>| {
            let [a, b] = [a, b].map(|factor| factor.take(place.name, ranks));
            x.dot(a, &[input.name]).dot(b, &["rank"])
        };
        let ranks = |number: usize| self.ragged.parts()[number].ranks;
        match self.ragged.current() {
            Some(number) => Some(add(x, ranks(number)?)),
            // Behind the last token of each row.
            None if x.axes().iter().all(|axis| axis.name != "position") => {
                let all: Option<Vec<_>> = (0..self.ragged.parts().len()).map(ranks).collect();
                Some(add(x, Tensor::concat(&all?, "batch")))
            }
            None => {
                let parts = (0..self.ragged.parts().len()).map(|number| {
                    let change = add(self.ragged.part(x, number), ranks(number)?);
                    let order: Vec<_> = ["batch", "position", output.name].into();
                    Some(change.transpose(&order))
                });
                Some(self.ragged.joined(&parts.collect::<Option<Vec<_>>>()?))
            }
        }
    }
}
