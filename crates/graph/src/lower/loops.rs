//! A scan in the text: a loop, or its body once for every position.

use std::collections::HashSet;

use crate::ir::{Inner, NodeId, ValueId};
use crate::ops::literal;
use crate::scan::Scan;
use crate::{DType, TensorType};

use super::live::ScanPlan;
use super::parts::Held;
use super::{Emitter, Names};

impl Emitter<'_> {
    /// Writes a scan and gives the names of its results.
    pub(super) fn scan(
        &mut self,
        inner: &Inner,
        id: NodeId,
        scan: &Scan,
        live: &HashSet<ValueId>,
        names: &Names,
    ) -> Vec<Vec<String>> {
        let plan = ScanPlan::new(inner, id, scan, live);
        match self.unrolled.contains(&scan.axis.name) {
            true => self.unrolled_scan(inner, id, scan, &plan, names),
            false => self.looped_scan(inner, id, scan, &plan, names),
        }
    }

    /// The body once for every position. Slices of stacked values are their parts, and what is stacked is collected: nothing is copied.
    fn unrolled_scan(
        &mut self,
        inner: &Inner,
        id: NodeId,
        scan: &Scan,
        plan: &ScanPlan,
        names: &Names,
    ) -> Vec<Vec<String>> {
        let node = inner.node(id);
        let body = inner.region(scan.body);
        let first_stacked = scan.constants + scan.carries;
        let mut results: Vec<Vec<String>> = vec![Vec::new(); node.results.len()];
        for k in &plan.carries {
            results[*k].clone_from(&names[&node.inputs[scan.constants + k]]);
        }
        let mut outputs: Vec<Vec<Vec<String>>> = vec![vec![Vec::new(); scan.axis.size]; plan.outputs.len()];
        let mut inputs: Vec<Vec<String>> =
            node.inputs.iter().map(|id| names.get(id).cloned().unwrap_or_default()).collect();
        let gathered = self.gathered(inner, scan, plan);
        for step in 0..scan.axis.size {
            let index = if scan.reverse { scan.axis.size - 1 - step } else { step };
            self.labels.go_in([(scan.axis, index)]);
            let mut inside = Names::new();
            if plan.indexed {
                inside.insert(body.params[0], vec![self.i32_constant(index)]);
            }
            for k in &plan.carries {
                inside.insert(body.params[1 + scan.constants + k], results[*k].clone());
            }
            gathered.let_in(self, inner, &mut inside, &mut inputs, step);
            for k in &plan.invariant {
                let (param, whole) = (body.params[1 + k], &inputs[*k]);
                let own = match *k >= first_stacked {
                    true => {
                        let parts = self.part_count(inner.ty(param));
                        whole[index * parts..(index + 1) * parts].to_vec()
                    }
                    false => whole.clone(),
                };
                inside.insert(param, own);
            }
            self.fence(inner, &scan.fenced, &mut inside);
            self.region(inner, scan.body, &plan.wanted, &mut inside);
            self.labels.go_out(1);
            for k in &plan.carries {
                results[*k].clone_from(&inside[&body.results[*k]]);
            }
            for (stack, k) in outputs.iter_mut().zip(&plan.outputs) {
                stack[index].clone_from(&inside[&body.results[*k]]);
            }
        }
        for (k, stack) in plan.outputs.iter().zip(outputs) {
            results[*k] = stack.concat();
        }
        results
    }

    /// Puts those of the values that the text has behind a barrier, which the compiler sees no equal of in front of it.
    fn fence(&mut self, inner: &Inner, fenced: &[ValueId], names: &mut Names) {
        let mut taken: Vec<(ValueId, Vec<String>)> = fenced.iter().filter_map(|id| names.remove_entry(id)).collect();
        let parts = taken.iter_mut().flat_map(|(id, parts)| parts.iter_mut().map(|part| (part, inner.ty(*id))));
        self.barrier(parts.collect());
        names.extend(taken);
    }

    /// Puts parts, each of a value of that type, behind a barrier.
    fn barrier(&mut self, parts: Vec<(&mut String, &TensorType)>) {
        if parts.is_empty() {
            return;
        }
        let types: Vec<String> = parts.iter().map(|(_, ty)| self.part_type(ty).stablehlo()).collect();
        let names: Vec<&str> = parts.iter().map(|(name, _)| name.as_str()).collect();
        let op = format!("stablehlo.optimization_barrier {} : {}", names.join(", "), types.join(", "));
        let behind = self.assign_many(parts.len(), op);
        for ((name, _), behind) in parts.into_iter().zip(behind) {
            *name = behind;
        }
    }

    /// What an unrolled scan gathers at each step.
    fn gathered(&self, inner: &Inner, scan: &Scan, plan: &ScanPlan) -> Gathered {
        let params = &inner.region(scan.body).params[1..];
        let first_stacked = scan.constants + scan.carries;
        let is_gathered =
            |k: &usize| self.layouts.as_ref().is_some_and(|layouts| layouts.is_gathered(inner.ty(params[*k])));
        let stacks = plan.invariant.iter().copied().filter(|k| *k >= first_stacked && is_gathered(k));
        Gathered {
            stacks: stacks.map(|k| (k, params[k])).collect(),
            carries: plan.carries.iter().map(|k| params[scan.constants + k]).collect(),
            steps: scan.axis.size,
            reverse: scan.reverse,
        }
    }

    /// A while loop over (counter, constants, stacked inputs, carries, outputs).
    fn looped_scan(
        &mut self,
        inner: &Inner,
        id: NodeId,
        scan: &Scan,
        plan: &ScanPlan,
        names: &Names,
    ) -> Vec<Vec<String>> {
        let node = inner.node(id);
        let mut state: Vec<(String, String)> = vec![(self.i32_constant(0), "tensor<i32>".into())];
        for k in plan.inputs(scan) {
            let input = node.inputs[k];
            let parts = match k < scan.constants {
                true => self.let_into_loop(inner, scan, (input, k), &names[&input]),
                false => names[&input].clone(),
            };
            let ty = self.part_type(inner.ty(input)).stablehlo();
            state.extend(parts.into_iter().map(|part| (part, ty.clone())));
        }
        for output in &plan.outputs {
            let ty = inner.ty(node.results[*output]);
            state.push((self.zeros(ty), ty.stablehlo()));
        }
        let loop_args: Vec<String> = state.iter().map(|_| self.fresh()).collect();
        let inits: Vec<_> = loop_args.iter().zip(&state).map(|(arg, (init, _))| format!("{arg} = {init}")).collect();
        let types: Vec<_> = state.iter().map(|(_, ty)| ty.clone()).collect();
        let result = self.fresh();
        self.line(&format!("{result}:{} = stablehlo.while({}) : {}", state.len(), inits.join(", "), types.join(", ")));
        self.line("cond {");
        self.depth += 1;
        let limit = self.i32_constant(scan.axis.size);
        let more = self.assign(format!(
            "stablehlo.compare LT, {}, {limit} : (tensor<i32>, tensor<i32>) -> tensor<i1>",
            loop_args[0]
        ));
        self.line(&format!("stablehlo.return {more} : tensor<i1>"));
        self.depth -= 1;
        self.line("} do {");
        self.depth += 1;
        let next = self.loop_body(inner, id, scan, plan, &loop_args);
        self.line(&format!("stablehlo.return {} : {}", next.join(", "), types.join(", ")));
        self.depth -= 1;
        self.line("}");
        let mut places = (0..state.len()).map(|place| format!("{result}#{place}"));
        let mut take = |count: usize| places.by_ref().take(count).collect::<Vec<String>>();
        take(1);
        for k in &plan.invariant {
            take(names[&node.inputs[*k]].len());
        }
        let mut all = vec![Vec::new(); node.results.len()];
        for k in &plan.carries {
            all[*k] = take(names[&node.inputs[scan.constants + k]].len());
        }
        for output in &plan.outputs {
            all[*output] = take(1);
        }
        all
    }

    fn loop_body(
        &mut self,
        inner: &Inner,
        id: NodeId,
        scan: &Scan,
        plan: &ScanPlan,
        loop_args: &[String],
    ) -> Vec<String> {
        let node = inner.node(id);
        let body = inner.region(scan.body);
        let index = if scan.reverse {
            let last = self.i32_constant(scan.axis.size - 1);
            self.assign(format!("stablehlo.subtract {last}, {} : tensor<i32>", loop_args[0]))
        } else {
            loop_args[0].clone()
        };
        let mut names = Names::new();
        names.insert(body.params[0], vec![index.clone()]);
        let mut at = 1;
        for k in plan.inputs(scan) {
            let (param, whole) = (body.params[1 + k], inner.ty(node.inputs[k]));
            let parts = &loop_args[at..at + self.part_count(whole)];
            at += parts.len();
            let is_stacked = k >= scan.constants + scan.carries;
            let own = match is_stacked {
                true => {
                    let slice = self.slice_at(&parts[0], whole, &index, inner.ty(param));
                    self.split(slice, inner.ty(param))
                }
                false => parts.to_vec(),
            };
            names.insert(param, own);
        }
        self.region(inner, scan.body, &plan.wanted, &mut names);
        let one = self.i32_constant(1);
        let mut next = vec![self.assign(format!("stablehlo.add {}, {one} : tensor<i32>", loop_args[0]))];
        let invariant: usize = plan.invariant.iter().map(|k| self.part_count(inner.ty(node.inputs[*k]))).sum();
        next.extend(loop_args[1..1 + invariant].iter().cloned());
        next.extend(plan.carries.iter().flat_map(|k| names[&body.results[*k]].clone()));
        for (output, stack) in plan.outputs.iter().zip(&loop_args[at..]) {
            let value = body.results[*output];
            let whole = self.join(Held { parts: &names[&value], ty: inner.ty(value) });
            next.push(self.write_at(stack, inner.ty(node.results[*output]), &index, &whole, inner.ty(value)));
        }
        next
    }

    fn zeros(&mut self, ty: &TensorType) -> String {
        let element = TensorType::new(ty.dtype, &[]).stablehlo();
        let zero = self.assign(format!("stablehlo.constant dense<{}> : {element}", literal(0.0, ty.dtype)));
        self.assign(format!("stablehlo.broadcast_in_dim {zero}, dims = [] : ({element}) -> {}", ty.stablehlo()))
    }

    fn slice_at(&mut self, whole: &str, whole_ty: &TensorType, index: &str, ty: &TensorType) -> String {
        let one_ty = one_slice(whole_ty);
        let starts = self.starts(index, whole_ty);
        let sizes: Vec<_> = one_ty.axes.iter().map(|axis| axis.size.to_string()).collect();
        let slice = self.assign(format!(
            "stablehlo.dynamic_slice {whole}, {starts}, sizes = [{}] : ({}{}) -> {}",
            sizes.join(", "),
            whole_ty.stablehlo(),
            ", tensor<i32>".repeat(whole_ty.axes.len()),
            one_ty.stablehlo()
        ));
        self.assign(format!("stablehlo.reshape {slice} : ({}) -> {}", one_ty.stablehlo(), ty.stablehlo()))
    }

    fn write_at(&mut self, stack: &str, stack_ty: &TensorType, index: &str, value: &str, ty: &TensorType) -> String {
        let one_ty = one_slice(stack_ty).stablehlo();
        let update = self.assign(format!("stablehlo.reshape {value} : ({}) -> {one_ty}", ty.stablehlo()));
        let starts = self.starts(index, stack_ty);
        let stack_text = stack_ty.stablehlo();
        self.assign(format!(
            "stablehlo.dynamic_update_slice {stack}, {update}, {starts} : ({stack_text}, {one_ty}{}) -> {stack_text}",
            ", tensor<i32>".repeat(stack_ty.axes.len())
        ))
    }

    /// Start indices of one slice along the outermost axis.
    fn starts(&mut self, index: &str, ty: &TensorType) -> String {
        if ty.axes.len() == 1 {
            return index.to_owned();
        }
        let zero = self.assign(format!("stablehlo.constant dense<{}> : tensor<i32>", literal(0.0, DType::I32)));
        format!("{index}{}", format!(", {zero}").repeat(ty.axes.len() - 1))
    }
}

/// The weights that devices gather for the steps of an unrolled scan.
///
/// What a step carries goes through a barrier together with the weights of the step after it: so these are gathered while the step is
/// computed, and no earlier, whatever order the compiler finds. Nor does it see that the backward pass gathers what the forward pass has
/// gathered, and keep all layers whole in between.
struct Gathered {
    /// Stacked inputs, each with the parameter of the body that has its slice.
    stacks: Vec<(usize, ValueId)>,
    /// The parameters of the body that are carried.
    carries: Vec<ValueId>,
    steps: usize,
    reverse: bool,
}

impl Gathered {
    /// Lets the weights in that are gathered beside a step, and on the first step its own; `inputs` are those of the scan.
    fn let_in(&self, e: &mut Emitter<'_>, inner: &Inner, inside: &mut Names, inputs: &mut [Vec<String>], step: usize) {
        if self.stacks.is_empty() {
            return;
        }
        let mut carries: Vec<_> = self.carries.iter().filter_map(|id| inside.remove_entry(id)).collect();
        let parts = carries.iter_mut().flat_map(|(id, parts)| parts.iter_mut().map(|part| (part, inner.ty(*id))));
        let mut parts: Vec<_> = parts.collect();
        let steps = (if step == 0 { 0 } else { step + 1 })..(step + 2).min(self.steps);
        for (k, whole) in inputs.iter_mut().enumerate() {
            let Some((_, param)) = self.stacks.iter().find(|(stack, _)| *stack == k) else { continue };
            let ty = inner.ty(*param);
            let count = e.part_count(ty);
            for (place, part) in whole.iter_mut().enumerate() {
                let at = if self.reverse { self.steps - 1 - place / count } else { place / count };
                if steps.contains(&at) {
                    parts.push((part, ty));
                }
            }
        }
        e.barrier(parts);
        inside.extend(carries);
    }
}

fn one_slice(ty: &TensorType) -> TensorType {
    let mut one = ty.clone();
    if let Some(outermost) = one.axes.first_mut() {
        outermost.size = 1;
    }
    one
}
