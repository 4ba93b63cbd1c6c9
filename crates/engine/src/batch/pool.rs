//! Adapters on the device: the places of their ranks, and how they get there.

use std::collections::HashMap;

use graph::{Axis, DType, Graph, HostTensor, ParamSpec, Program, Remat};
use models::AdapterPool;
use runtime::{Arrays, BoundProgram, Parameters};

use crate::Model;
use crate::adapters::{Factors, rank_room};
use crate::error::Result;

const PLACES: &str = "places";
/// Before the name of a factor, what is to be written into it.
pub(crate) const NEW: &str = "new.";

/// The pool of a model's adapters.
pub(crate) struct Pool {
    pub(crate) layout: AdapterPool,
    specs: Vec<ParamSpec>,
    /// Places that nobody has. The first of all holds zeros and is never given out.
    free: Vec<u32>,
    writes: HashMap<usize, BoundProgram>,
}

impl Pool {
    /// A pool of zeros, whose arrays are among `arrays`.
    pub(crate) fn new(model: &Model<'_>, layout: AdapterPool, arrays: &mut Arrays) -> Result<Pool> {
        let plan = model.plan();
        let specs = layout.specs(&plan.model, plan.dtype)?;
        let mut parameters = Parameters::on(model.session(), plan.partition.as_ref());
        for array in specs.iter().flat_map(|spec| spec.arrays(plan.layers.unrolled())) {
            arrays.remove(&array.name);
            arrays.insert(&array.name, parameters.zeros(&array)?);
        }
        let free = (1..layout.places as u32).rev().collect();
        Ok(Pool { layout, specs, free, writes: HashMap::new() })
    }

    /// How many places nobody has.
    pub(crate) fn left(&self) -> usize {
        self.free.len()
    }

    /// So many places, unless there are too few.
    pub(crate) fn take(&mut self, count: usize) -> Option<Vec<u32>> {
        let left = self.free.len().checked_sub(count)?;
        Some(self.free.split_off(left))
    }

    pub(crate) fn give_back(&mut self, places: &[u32]) {
        self.free.extend_from_slice(places);
    }

    /// Writes an adapter's factors to its places.
    pub(crate) fn write(
        &mut self,
        model: &Model<'_>,
        arrays: &mut Arrays,
        factors: &Factors,
        places: &[u32],
    ) -> Result<()> {
        let room = rank_room(places.len());
        if !self.writes.contains_key(&room) {
            let program = write_program(model, &self.specs, room)?;
            self.writes.insert(room, BoundProgram::compile(model.session(), &program, model.params(), arrays)?);
        }
        let outside = self.layout.places as i32;
        let places = places.iter().map(|place| *place as i32).chain(std::iter::repeat(outside)).take(room);
        let places = HostTensor::from_vec(&[room], places.collect()).expect("one row");
        arrays.upload(model.session(), PLACES, &places)?;
        for (name, tensor) in &factors.arrays {
            arrays.upload(model.session(), name, tensor)?;
        }
        self.writes[&room].run(model.params(), arrays)?;
        factors.arrays.iter().for_each(|(name, _)| arrays.remove(name));
        Ok(())
    }
}

/// What a program that writes adapters of up to `room` ranks is given for each factor of a pool: (rank, inputs) or (rank, outputs).
pub(crate) fn written_specs(specs: &[ParamSpec], room: usize) -> Vec<ParamSpec> {
    let new = specs.iter().map(|spec| {
        let axes = vec![Axis::new("rank", room), spec.axes[1]];
        ParamSpec { name: format!("{NEW}{}", spec.name), axes, ..spec.clone() }
    });
    new.collect()
}

/// Arguments: the pool, an adapter's factors and its places, i32 (rank); results: the pool.
fn write_program(model: &Model<'_>, specs: &[ParamSpec], room: usize) -> Result<Program> {
    let plan = model.plan();
    let graph: Graph = plan.graph();
    let places = graph.input(PLACES, DType::I32, &[Axis::new("rank", room)]);
    let declare = |spec: &ParamSpec| graph.stacked_input(&spec.name, spec.dtype, &spec.stack, &spec.axes);
    let mut outputs = Vec::new();
    let mut donate = Vec::new();
    for (spec, new) in specs.iter().zip(written_specs(specs, room)) {
        let (pool, new) = (declare(spec), declare(&new));
        let written = match spec.stack.first() {
            None => pool.scatter("place", places, new),
            Some(stack) => {
                let (_, written) = graph.scan(stack.axis, &[], &[pool, new], Remat::none(), |step| {
                    (vec![], vec![step.slices[0].scatter("place", places, step.slices[1])])
                });
                written[0]
            }
        };
        donate.push((pool, outputs.len()));
        outputs.push(("pool", written));
    }
    Ok(graph.lower_unrolled("write_adapter", &outputs, &donate, plan.layers.unrolled())?)
}
