//! Several devices in the text: how arguments, results and what is computed lie, and manual regions, where each device computes for itself.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::ir::{Inner, NodeId, ROOT, ValueId};
use crate::ops::{Elementwise, Index, Op, Operand};
use crate::per_shard::PerShard;
use crate::scan::Scan;
use crate::{Axis, GraphError, Mesh, Partition, Sharding, TensorType};

use super::live::ShardPlan;
use super::parts::Held;
use super::{Emitter, Names};

/// How the values of a program lie on several devices.
#[derive(Clone)]
pub(super) struct Layouts<'a> {
    partition: &'a Partition,
    /// By the axes of a parameter, as it has them and ordered by name: a product with the axes of a parameter is its gradient, and lies as it
    /// does.
    parameters: Rc<HashMap<Vec<Axis>, Kind<'a>>>,
}

/// By which of a partition's tables an argument or a result lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// That of parameters.
    Parameter,
    /// That of all else.
    Activation,
}

/// Parameters that lie alike.
#[derive(Clone)]
struct Kind<'a> {
    /// Of one of them.
    name: &'a str,
    /// Theirs, in their order.
    axes: Vec<Axis>,
    /// How many of these number parameters.
    stacked: usize,
}

impl<'a> Layouts<'a> {
    /// Of a graph's program; `None` on one device.
    pub(super) fn of(inner: &'a Inner) -> Option<Layouts<'a>> {
        let partition = inner.partition.as_ref()?;
        let (mut parameters, mut transposed) = (HashMap::new(), HashMap::new());
        for (spec, _) in &inner.params {
            // All of a layer's experts, and one of them.
            let stacked = spec.stack.iter().skip(1).map(|stack| stack.axis);
            let stacked: Vec<Axis> = stacked.chain(spec.axes.iter().copied()).collect();
            for axes in [&spec.axes, &stacked] {
                let kind = Kind { name: &spec.name, axes: axes.clone(), stacked: axes.len() - spec.axes.len() };
                // Two with the same axes in other orders lie each in its own way.
                parameters.entry(axes.clone()).or_insert_with(|| kind.clone());
                transposed.entry(ordered(axes)).or_insert(kind);
            }
        }
        for (axes, kind) in transposed {
            parameters.entry(axes).or_insert(kind);
        }
        Some(Layouts { partition, parameters: Rc::new(parameters) })
    }

    pub(super) fn mesh(&self) -> &'a Mesh {
        &self.partition.mesh
    }

    /// Of an argument or a result that is stacked along the first `stacked` of its axes.
    pub(super) fn held(&self, name: &str, ty: &TensorType, stacked: usize, role: Role) -> Result<Sharding, GraphError> {
        Ok(match role {
            Role::Parameter => self.partition.of_parameter(name, &ty.axes, stacked)?,
            Role::Activation => self.partition.of_activation(&ty.axes),
        })
    }

    /// The parameters with these axes, in this order if there are any.
    fn kind(&self, axes: &[Axis]) -> Option<&Kind<'a>> {
        self.parameters.get(axes).or_else(|| self.parameters.get(&ordered(axes)))
    }

    /// Of a value with the axes of a parameter: how the parameter lies.
    fn gradient(&self, ty: &TensorType) -> Option<Sharding> {
        let kind = self.kind(&ty.axes)?;
        // One that does not divide is refused as an argument.
        let held = self.partition.of_parameter(kind.name, &kind.axes, kind.stacked).ok()?;
        let dim = |axis: &Axis| kind.axes.iter().position(|own| own == axis);
        Some(held.with_dims_of(&ty.axes.iter().map(dim).collect::<Option<Vec<_>>>()?))
    }

    /// Whether a value with the axes of a parameter is gathered where it is computed with.
    pub(super) fn is_gathered(&self, ty: &TensorType) -> bool {
        self.gradient(ty).is_some_and(|held| held != self.partition.of_activation(&ty.axes))
    }
}

fn ordered(axes: &[Axis]) -> Vec<Axis> {
    let mut axes = axes.to_vec();
    axes.sort_by_key(|axis| axis.name);
    axes
}

/// Whether the steps of a loop read more of its `k`th constant than there is: each reads all, or a slice.
fn is_read_again(inner: &Inner, scan: &Scan, k: usize) -> bool {
    let body = inner.region(scan.body);
    let constant = body.params[1 + k];
    let whole = inner.ty(constant).element_count();
    let users = body.nodes.iter().map(|id| inner.node(*id)).filter(|node| node.inputs.contains(&constant));
    let read = users.map(|node| match node.op {
        Op::Index(Index::DynamicSlice { .. }) => inner.ty(node.results[0]).element_count(),
        _ => whole,
    });
    read.max().unwrap_or(0) * scan.axis.size > whole
}

impl Emitter<'_> {
    /// Writes an op with one result. On several devices operands of products and look-ups say how they lie: a weight is gathered there, and
    /// nowhere else. So do their results: those of tokens as activations, gradients as their parameters, so that what each device has of
    /// their sums is added up where they are made, in f32 at least unless the partition has `narrow_sums`.
    pub(super) fn lower_op(&mut self, op: &Op, args: &[Operand<'_>], result: &TensorType) -> String {
        let Some(layouts) = self.layouts.clone() else {
            return op.lower(self, args, result);
        };
        if !op.meets_weights() {
            // Where nothing but products takes it, Shardy would gather a weight first and narrow it then.
            let is_narrowed =
                matches!(op, Op::Elementwise(Elementwise::Convert(to)) if to.size() < args[0].ty.dtype.size());
            let held = layouts.gradient(result).filter(|_| is_narrowed && layouts.is_gathered(result));
            let name = op.lower(self, args, result);
            return self.constrain(&name, result, held.map(|held| held.stablehlo()));
        }
        let constraint = |ty: &TensorType| layouts.partition.constraint(&ty.axes);
        let placed: Vec<String> = args.iter().map(|arg| self.constrain(arg.name, arg.ty, constraint(arg.ty))).collect();
        let args: Vec<_> = placed.iter().zip(args).map(|(name, arg)| Operand { name, ty: arg.ty }).collect();
        let Some(sharding) = layouts.gradient(result) else {
            let name = op.lower(self, &args, result);
            return self.constrain(&name, result, constraint(result));
        };
        let summed = match op {
            Op::Dot(_) if !layouts.partition.narrow_sums => {
                TensorType { dtype: result.dtype.accumulator(), ..result.clone() }
            }
            _ => result.clone(),
        };
        let name = op.lower(self, &args, &summed);
        let name = self.constrain(&name, &summed, Some(sharding.stablehlo()));
        match summed == *result {
            true => name,
            false => {
                self.assign(format!("stablehlo.convert {name} : ({}) -> {}", summed.stablehlo(), result.stablehlo()))
            }
        }
    }

    /// The parts of a value that each step of a loop takes as it is, its `k`th constant. Where devices keep their exchanges in order, a weight is
    /// gathered here, in front of the loop, of which the steps would gather more than all. Not so the program's arguments, which a loop over
    /// micro-batches takes: all layers' weights, each of which is gathered within beside the layer before it.
    pub(super) fn let_into_loop(
        &mut self,
        inner: &Inner,
        scan: &Scan,
        (id, k): (ValueId, usize),
        parts: &[String],
    ) -> Vec<String> {
        let ty = self.part_type(inner.ty(id));
        let layouts = self.layouts.as_ref().filter(|layouts| {
            let is_argument = inner.region(ROOT).params.contains(&id);
            layouts.partition.exchanges_in_order && !is_argument && layouts.is_gathered(&ty)
        });
        let layouts = layouts.filter(|_| is_read_again(inner, scan, k));
        let gathered = layouts.and_then(|layouts| layouts.partition.constraint(&ty.axes));
        parts.iter().map(|part| self.constrain(part, &ty, gathered.clone())).collect()
    }

    fn constrain(&mut self, name: &str, ty: &TensorType, sharding: Option<String>) -> String {
        match sharding {
            Some(sharding) => self.assign(format!("sdy.sharding_constraint {name} {sharding} : {}", ty.stablehlo())),
            None => name.to_owned(),
        }
    }

    /// Writes a manual region and gives the names of its results' parts.
    pub(super) fn per_shard(
        &mut self,
        inner: &Inner,
        id: NodeId,
        shards: &PerShard,
        live: &HashSet<ValueId>,
        names: &Names,
    ) -> Vec<Vec<String>> {
        let node = inner.node(id);
        let body = inner.region(shards.body);
        let plan = ShardPlan::new(inner, id, shards, live);
        let held = |id: &ValueId| Held { parts: names.get(id).map_or(&[], Vec::as_slice), ty: inner.ty(*id) };
        let inputs: Vec<String> = plan.inputs.iter().map(|k| self.join(held(&node.inputs[*k]))).collect();
        let layouts = self.layouts.take();
        let mut inside = Names::new();
        let mut params = Vec::new();
        for param in plan.inputs.iter().map(|k| body.params[*k]) {
            let name = self.fresh();
            params.push(format!("{name}: {}", inner.ty(param).stablehlo()));
            inside.insert(param, vec![name]);
        }
        let types = |ids: &mut dyn Iterator<Item = ValueId>| {
            ids.map(|id| inner.ty(id).stablehlo()).collect::<Vec<_>>().join(", ")
        };
        let shardings =
            |all: &[Sharding], live: &[usize]| live.iter().map(|k| all[*k].stablehlo()).collect::<Vec<_>>().join(", ");
        let axes = layouts.iter().flat_map(|layouts| layouts.mesh().axes());
        let axes: Vec<String> = axes.map(|axis| format!("\"{}\"", axis.name)).collect();
        let (name, count) = (self.fresh(), plan.results.len());
        self.line(&format!(
            "{name}:{count} = sdy.manual_computation({}) in_shardings=[{}] out_shardings=[{}] manual_axes={{{}}} ({}) {{",
            inputs.join(", "),
            shardings(&shards.inputs, &plan.inputs),
            shardings(&shards.results, &plan.results),
            axes.join(", "),
            params.join(", ")
        ));
        self.depth += 1;
        self.region(inner, shards.body, &plan.wanted, &mut inside);
        let returned: Vec<&str> = plan.wanted.iter().map(|id| inside[id][0].as_str()).collect();
        self.line(&format!("sdy.return {} : {}", returned.join(", "), types(&mut plan.wanted.iter().copied())));
        self.depth -= 1;
        let given = types(&mut plan.inputs.iter().map(|k| node.inputs[*k]));
        let results = types(&mut plan.results.iter().map(|k| node.results[*k]));
        self.line(&format!("}} : ({given}) -> ({results})"));
        self.layouts = layouts;
        let whole = |place: usize| if count == 1 { name.clone() } else { format!("{name}#{place}") };
        let mut all = vec![Vec::new(); node.results.len()];
        for (place, k) in plan.results.iter().enumerate() {
            all[*k] = self.split(whole(place), inner.ty(node.results[*k]));
        }
        all
    }
}
