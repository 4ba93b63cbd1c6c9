//! Adapters on the device: the places of their ranks, and how they get there.

use std::collections::HashMap;

use graph::{Axis, DType, Graph, HostTensor, ParamSpec, Program, Remat, Tensor};
use models::{AdapterPool, LinearModule, Pooled, stretch};
use runtime::{Arrays, BoundProgram, Parameters};

use crate::adapters::{Factors, rank_room};
use crate::error::Result;
use crate::{Model, ModelPlan};

const PLACES: &str = "places";
const ROW: &str = "row";
/// Before the name of a factor, what is to be written into it.
pub(crate) const NEW: &str = "new.";

/// In place of a magnitude where DoRA has none, and outputs stay as they are. No file has it: what is not finite is refused.
pub(crate) const NO_MAGNITUDE: f32 = f32::INFINITY;

/// What an adapter has of a pool.
#[derive(Debug, PartialEq)]
pub(crate) struct Places {
    /// A place for each rank.
    pub(crate) ranks: Vec<u32>,
    /// Its row of what DoRA multiplies outputs with; 0: it is not DoRA's.
    pub(crate) stretch: u32,
}

/// How much of a pool somebody has, or nobody.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Room {
    /// Places of ranks.
    pub(crate) ranks: usize,
    /// Rows of DoRA's.
    pub(crate) stretches: usize,
}

impl Room {
    pub(crate) fn has(self, needed: Room) -> bool {
        self.ranks >= needed.ranks && self.stretches >= needed.stretches
    }

    pub(crate) fn plus(self, other: Room) -> Room {
        Room { ranks: self.ranks + other.ranks, stretches: self.stretches + other.stretches }
    }

    /// What is left without `other`.
    pub(crate) fn less(self, other: Room) -> Room {
        Room {
            ranks: self.ranks.saturating_sub(other.ranks),
            stretches: self.stretches.saturating_sub(other.stretches),
        }
    }

    /// All that adapters may have of a pool.
    pub(crate) fn of(layout: &AdapterPool) -> Room {
        Room { ranks: layout.places.saturating_sub(1), stretches: layout.stretches.saturating_sub(1) }
    }
}

/// Kinds of adapters: by how many ranks there is room for, a power of two, and whether they are DoRA's. Each is a bit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct AdapterKinds([u32; 2]);

impl AdapterKinds {
    pub(crate) fn iter(self) -> impl Iterator<Item = (usize, bool)> {
        let kinds = (0..u32::BITS).flat_map(|bit| [(bit, false), (bit, true)]);
        kinds
            .filter(move |(bit, is_dora)| self.0[usize::from(*is_dora)] >> bit & 1 == 1)
            .map(|(bit, is_dora)| (1 << bit, is_dora))
    }

    /// The one that has room for all.
    pub(crate) fn greatest(self) -> AdapterKinds {
        let has_doras = self.iter().any(|(_, is_dora)| is_dora);
        self.iter().map(|(ranks, _)| (ranks, has_doras)).max().into_iter().collect()
    }

    /// What rows are together that have adapters of some of these kinds: of as many ranks as the most, and DoRA's if one is.
    pub(crate) fn together(self) -> AdapterKinds {
        let both = |(ranks, is_dora)| self.iter().map(move |(more, also)| (more.max(ranks), is_dora || also));
        self.iter().flat_map(both).collect()
    }
}

impl FromIterator<(usize, bool)> for AdapterKinds {
    fn from_iter<I: IntoIterator<Item = (usize, bool)>>(kinds: I) -> AdapterKinds {
        let mut all = AdapterKinds::default();
        kinds.into_iter().for_each(|(ranks, is_dora)| all.0[usize::from(is_dora)] |= 1 << ranks.trailing_zeros());
        all
    }
}

impl Places {
    pub(crate) fn room(&self) -> Room {
        Room { ranks: self.ranks.len(), stretches: usize::from(self.stretch > 0) }
    }
}

/// The pool of a model's adapters.
pub(crate) struct Pool {
    pub(crate) layout: AdapterPool,
    modules: Vec<LinearModule>,
    /// Places that nobody has. The first of all holds zeros and is never given out.
    free: Vec<u32>,
    /// So for the rows of DoRA's.
    free_stretches: Vec<u32>,
    /// By the ranks that they have room for, and whether they are for DoRA's.
    writes: HashMap<(usize, bool), BoundProgram>,
}

impl Pool {
    /// A pool of zeros, whose arrays are among `arrays`.
    pub(crate) fn new(model: &Model<'_>, layout: AdapterPool, arrays: &mut Arrays) -> Result<Pool> {
        let plan = model.plan();
        let mut parameters = Parameters::on(model.session(), plan.partition.as_ref());
        let specs = layout.specs(&plan.model, plan.dtype)?;
        for array in specs.iter().flat_map(|spec| spec.arrays(plan.layers.unrolled())) {
            arrays.remove(&array.name);
            arrays.insert(&array.name, parameters.zeros(&array)?);
        }
        let modules = layout.linear(&plan.model)?;
        Ok(Pool::of(layout, modules))
    }

    /// A pool that nobody has anything of.
    pub(crate) fn of(layout: AdapterPool, modules: Vec<LinearModule>) -> Pool {
        let free = |count: usize| (1..count as u32).rev().collect();
        let (free, free_stretches) = (free(layout.places), free(layout.stretches));
        Pool { layout, modules, free, free_stretches, writes: HashMap::new() }
    }

    /// Takes over the programs of a pool that was laid out alike: they know nothing of what is in it.
    pub(crate) fn keep_programs_of(&mut self, before: Pool) {
        self.writes = before.writes;
    }

    /// Whether there is the program that writes adapters of a kind.
    pub(crate) fn has_write(&self, kind: (usize, bool)) -> bool {
        self.writes.contains_key(&kind)
    }

    pub(crate) fn keep_write(&mut self, kind: (usize, bool), program: BoundProgram) {
        self.writes.insert(kind, program);
    }

    pub(crate) fn write_count(&self) -> usize {
        self.writes.len()
    }

    /// What nobody has.
    pub(crate) fn left(&self) -> Room {
        Room { ranks: self.free.len(), stretches: self.free_stretches.len() }
    }

    /// As much as is needed, unless there is too little.
    pub(crate) fn take(&mut self, needed: Room) -> Option<Places> {
        if !self.left().has(needed) {
            return None;
        }
        let ranks = self.free.split_off(self.free.len() - needed.ranks);
        let stretch = if needed.stretches > 0 { self.free_stretches.pop()? } else { 0 };
        Some(Places { ranks, stretch })
    }

    pub(crate) fn give_back(&mut self, places: &Places) {
        self.free.extend_from_slice(&places.ranks);
        self.free_stretches.extend((places.stretch > 0).then_some(places.stretch));
    }

    /// Writes an adapter's factors to its places.
    pub(crate) fn write(
        &mut self,
        model: &Model<'_>,
        arrays: &mut Arrays,
        factors: &Factors,
        places: &Places,
    ) -> Result<()> {
        let kind @ (room, is_dora) = (rank_room(places.ranks.len()), places.stretch > 0);
        if !self.writes.contains_key(&kind) {
            let program = write_program(model.plan(), &self.layout, &self.modules, room, is_dora)?;
            self.writes.insert(kind, BoundProgram::compile(model.session(), &program, model.params(), arrays)?);
        }
        let outside = self.layout.places as i32;
        let ranks = places.ranks.iter().map(|place| *place as i32).chain(std::iter::repeat(outside)).take(room);
        let ranks = HostTensor::from_vec(&[room], ranks.collect()).expect("one row");
        arrays.upload(model.session(), PLACES, &ranks)?;
        if is_dora {
            let row = HostTensor::from_vec(&[1], vec![places.stretch as i32]).expect("one number");
            arrays.upload(model.session(), ROW, &row)?;
        }
        for (name, tensor) in &factors.arrays {
            arrays.upload(model.session(), name, tensor)?;
        }
        self.writes[&kind].run(model.params(), arrays)?;
        factors.arrays.iter().for_each(|(name, _)| arrays.remove(name));
        Ok(())
    }
}

/// What a program that writes adapters of up to `room` ranks is given for the parameters of a pool: (rank, inputs) or (rank, outputs), and for DoRA's
/// rows magnitudes, (outputs).
pub(crate) fn written_specs(specs: &[ParamSpec], room: usize) -> Vec<ParamSpec> {
    let new = specs.iter().map(|spec| {
        let axes = match Pooled::of(&spec.name) {
            Some((Pooled::Stretch, _)) => vec![spec.axes[1]],
            _ => vec![Axis::new("rank", room), spec.axes[1]],
        };
        ParamSpec { name: format!("{NEW}{}", spec.name), axes, ..spec.clone() }
    });
    new.collect()
}

/// A module's parameters of the pool that are written for an adapter: all, or those of one that is not DoRA's.
pub(crate) fn pooled_specs(layout: &AdapterPool, module: &LinearModule, dtype: DType, is_dora: bool) -> Vec<ParamSpec> {
    layout.specs_of(module, dtype).into_iter().take(if is_dora { 3 } else { 2 }).collect()
}

/// Arguments: the pool, an adapter's factors and its places, i32 (rank); for DoRA its row, i32 (row), and the weights. Results: the pool.
pub(super) fn write_program(
    plan: &ModelPlan,
    layout: &AdapterPool,
    modules: &[LinearModule],
    room: usize,
    is_dora: bool,
) -> Result<Program> {
    let graph: Graph = plan.graph();
    let places = graph.input(PLACES, DType::I32, &[Axis::new("rank", room)]);
    let row = is_dora.then(|| graph.input(ROW, DType::I32, &[Axis::new("row", 1)]));
    let declare = |spec: &ParamSpec| graph.stacked_input(&spec.name, spec.dtype, &spec.stack, &spec.axes);
    // On several devices it lies as a model's own parameters do.
    let held = |spec: &ParamSpec| graph.slot(spec);
    let mut outputs = Vec::new();
    let mut donate = Vec::new();
    for module in modules {
        let specs = pooled_specs(layout, module, plan.dtype, is_dora);
        let pools: Vec<_> = specs.iter().map(held).collect();
        let mut given: Vec<_> = written_specs(&specs, room).iter().map(declare).collect();
        given.extend(is_dora.then(|| held(&weight_spec(module, plan.dtype))));
        let written = match module.stack.first() {
            None => written(module, &pools, &given, places, row),
            Some(stack) => {
                let slices: Vec<_> = pools.iter().chain(&given).copied().collect();
                let (_, written) = graph.scan(stack.axis, &[], &slices, Remat::none(), |step| {
                    let (pools, given) = step.slices.split_at(pools.len());
                    (vec![], self::written(module, pools, given, places, row))
                });
                written
            }
        };
        for (pool, written) in pools.into_iter().zip(written) {
            donate.push((pool, outputs.len()));
            outputs.push(("pool", written));
        }
    }
    Ok(graph.lower_unrolled("write_adapter", &outputs, &donate, plan.layers.unrolled())?)
}

/// A module's parameters of the `pools` with what is `given` for them: A, B, and for DoRA magnitudes and the weight.
fn written<'g>(
    module: &LinearModule,
    pools: &[Tensor<'g>],
    given: &[Tensor<'g>],
    places: Tensor<'g>,
    row: Option<Tensor<'g>>,
) -> Vec<Tensor<'g>> {
    let factors = pools.iter().zip(given).take(2);
    let mut written: Vec<_> = factors.map(|(pool, new)| pool.scatter("place", places, *new)).collect();
    if let (&[.., pool], &[a, b, magnitude, weight], Some(row)) = (pools, given, row) {
        // B has the scale already.
        let more = stretch(magnitude, weight, [a, b], 1.0, module.input.name) - 1.0;
        let more = magnitude.less(f64::from(f32::MAX)).select(more, 0.0);
        let more = more.broadcast(&[row.axis("row"), module.output]);
        written.push(pool.scatter("adapter", row, more));
    }
    written
}

/// The weight of a module, as the model declares it.
fn weight_spec(module: &LinearModule, dtype: DType) -> ParamSpec {
    let (input, output) = (module.input, module.output);
    let axes = if module.transposed { vec![input, output] } else { vec![output, input] };
    let (name, stack) = (module.weight.clone(), module.stack.clone());
    ParamSpec { name, dtype, axes, stack, init: graph::Init::Zeros }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_together_are_of_the_most_ranks_and_doras_if_one_is() {
        let of = |kinds: &[(usize, bool)]| {
            let kinds: AdapterKinds = kinds.iter().copied().collect();
            (kinds.greatest().iter().next(), kinds.together().iter().collect::<Vec<_>>())
        };
        assert_eq!(of(&[]), (None, vec![]));
        assert_eq!(of(&[(8, true), (8, true)]), (Some((8, true)), vec![(8, true)]));
        assert_eq!(of(&[(32, false), (8, true)]), (Some((32, true)), vec![(8, true), (32, false), (32, true)]));
        assert_eq!(of(&[(1 << 31, false), (8, false)]), (Some((1 << 31, false)), vec![(8, false), (1 << 31, false)]));
    }
}
