//! The programs of an engine: which there are, how each is traced, and how many are compiled at once.

use std::fmt;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use graph::{Axis, DType, Graph, Program};
use models::{AdapterPool, StateSize};
use runtime::CompiledProgram;
use runtime::plugins::Platform;

use super::adjust::{AdjustShape, adjust_program};
use super::choice::{ChoiceShape, choice_program, digit_bits};
use super::pool::write_program;
use super::runner::is_paged;
use super::step::{StepShape, step_program};
use crate::Model;
use crate::error::Result;

/// What a program is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ProgramShape {
    /// A step.
    Step(StepShape),
    /// The choice of tokens behind one.
    Choice(ChoiceShape),
    /// What changes logits before it.
    Adjust(AdjustShape),
    /// So many pages that are copied.
    Copy(usize),
    /// An adapter that is written to the pool: for how many ranks, and whether it is DoRA's.
    Write(usize, bool),
}

/// What programs are traced from: a model, and what an engine has on the device.
#[derive(Clone)]
pub(super) struct Traced<'m, 's> {
    pub(super) model: &'m Model<'s>,
    pub(super) size: StateSize,
    pub(super) layout: Option<AdapterPool>,
}

/// What a GPU's compiler is given at once at most: each works on the host for itself, and takes memory.
const AT_ONCE: usize = 8;

/// What is told of programs that are compiled: how many are done, and of each what became of it. The first time none is.
type Told<'a> = dyn FnMut(usize, Option<(ProgramShape, Result<CompiledProgram>)>) -> Result<ControlFlow<()>> + 'a;

impl Traced<'_, '_> {
    fn program(&self, shape: ProgramShape) -> Result<Program> {
        let plan = self.model.plan();
        match shape {
            ProgramShape::Step(shape) => step_program(plan, shape, self.size, self.layout.as_ref()),
            ProgramShape::Choice(shape) => {
                let digit_bits = digit_bits(self.model.session().platform());
                choice_program(&plan.graph(), shape, self.model.sizes().vocab_size, self.size.slots, digit_bits)
            }
            ProgramShape::Adjust(shape) => adjust_program(&plan.graph(), shape, self.model.sizes().vocab_size),
            ProgramShape::Copy(count) => copy_program(self.model, self.size, count),
            ProgramShape::Write(ranks, is_dora) => {
                let layout = self.layout.as_ref().expect("there is a pool to write to");
                write_program(plan, layout, &layout.linear(&plan.model)?, ranks, is_dora)
            }
        }
    }

    /// Traces and compiles a program.
    pub(super) fn compile(&self, shape: ProgramShape) -> Result<CompiledProgram> {
        Ok(CompiledProgram::compile(self.model.session(), self.program(shape)?)?)
    }

    /// How many programs are compiled at once. A CPU's compiler takes all cores for one; processes that compile together do so in the same order.
    fn at_once(&self) -> usize {
        let session = self.model.session();
        match session.platform() {
            Platform::Cpu => 1,
            _ if session.group().is_some() => 1,
            _ => thread::available_parallelism().map_or(1, NonZeroUsize::get).min(AT_ONCE),
        }
    }

    /// Compiles programs, until one fails or `told` has enough.
    pub(super) fn compile_all(&self, shapes: &[ProgramShape], told: &mut Told<'_>) -> Result<()> {
        if told(0, None)?.is_break() {
            return Ok(());
        }
        let next = AtomicUsize::new(0);
        let (sender, compiled) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..self.at_once().min(shapes.len()) {
                let (next, sender) = (&next, sender.clone());
                scope.spawn(move || {
                    while let Some(shape) = shapes.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if sender.send((*shape, self.compile(*shape))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            for (done, compiled) in (1..).zip(compiled) {
                if told(done, Some(compiled))?.is_break() {
                    break;
                }
            }
            Ok(())
        })
    }
}

impl fmt::Display for StepShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a step over {} texts and {} tokens of prompts", self.decode, self.prompts * self.chunk)
    }
}

pub(super) const FROM: &str = "from";
pub(super) const TO: &str = "to";

/// Arguments: keys and values, and so many pages to copy, from and to; results: keys and values.
fn copy_program(model: &Model<'_>, size: StateSize, count: usize) -> Result<Program> {
    let plan = model.plan();
    let graph: Graph = plan.graph();
    let all = plan.model.ragged_state_inputs(&plan.scope(&graph), size);
    let specs = plan.model.ragged_state_specs(plan.dtype, size);
    let copies = Axis::new("copies", count);
    let [from, to] = [FROM, TO].map(|name| graph.input(name, DType::I32, &[copies]));
    let mut outputs = Vec::new();
    let mut donate = Vec::new();
    for (spec, state) in specs.iter().zip(all).filter(|(spec, _)| is_paged(spec)) {
        let axis = spec.stack[0].axis;
        let (_, copied) = graph.scan(axis, &[], &[state], graph::Remat::none(), |step| {
            let pages = step.slices[0];
            (vec![], vec![pages.scatter("page", to, pages.take("page", from))])
        });
        donate.push((state, outputs.len()));
        outputs.push(("state", copied[0]));
    }
    Ok(graph.lower_unrolled("copy", &outputs, &donate, plan.layers.unrolled())?)
}
