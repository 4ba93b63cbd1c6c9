//! `Graph`: the trace under way, and `Tensor`: a handle into it.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;

use crate::ir::{Argument, FrameKind, Inner, NodeId, ROOT, ValueId};
use crate::ops::Op;
use crate::param::{ParamSpec, Stack};
use crate::{Axis, DType, GraphError, Partition, TensorType};

/// A graph being traced. Ops on its [`Tensor`]s append to it; [`Graph::lower`] turns it into a program.
pub struct Graph {
    inner: RefCell<Inner>,
}

/// A handle to a value of a [`Graph`]: small, copyable, with element type and named axes known while tracing.
#[derive(Clone, Copy)]
pub struct Tensor<'g> {
    pub(crate) graph: &'g Graph,
    pub(crate) id: ValueId,
}

impl Default for Graph {
    fn default() -> Self {
        Graph::new()
    }
}

impl Graph {
    /// An empty graph, of a program for one device.
    pub fn new() -> Graph {
        Graph::on(None)
    }

    /// An empty graph, of a program whose tensors lie on several devices as `partition` says.
    pub fn on(partition: Option<Partition>) -> Graph {
        Graph { inner: RefCell::new(Inner::new(partition)) }
    }

    /// Whether tensors lie on several devices.
    pub fn is_partitioned(&self) -> bool {
        self.with(|inner| inner.partition.is_some())
    }

    /// Into how many parts devices split what is computed along an axis: 1 where it is whole.
    pub fn parts(&self, axis: Axis) -> usize {
        self.with(|inner| inner.partition.as_ref().map_or(1, |partition| partition.of_activation(&[axis]).parts(0)))
    }

    /// Declares an argument of the program, in the order of the calls.
    pub fn input(&self, name: &str, dtype: DType, axes: &[Axis]) -> Tensor<'_> {
        self.stacked_input(name, dtype, &[], axes)
    }

    /// Declares an argument with the axes of `stack` before the others. Where scans over those are unrolled it is several arguments, whose
    /// names have numbers in place of the `*`s of `name`, as with parameters.
    pub fn stacked_input(&self, name: &str, dtype: DType, stack: &[Stack], axes: &[Axis]) -> Tensor<'_> {
        self.check_name(name, stack);
        let stacked = stack.iter().map(|stack| stack.axis);
        let ty = TensorType { dtype, axes: stacked.chain(axes.iter().copied()).collect() };
        self.check_axes(name, &ty);
        self.argument(Argument::Input(name.to_owned(), stack.to_vec()), ty)
    }

    /// Declares an argument that belongs to a parameter, such as an optimizer's moment: on several devices it lies as parameters do, by the
    /// rules for its own name.
    pub fn slot(&self, spec: &ParamSpec) -> Tensor<'_> {
        self.check_name(&spec.name, &spec.stack);
        let ty = spec.tensor_type();
        self.check_axes(&spec.name, &ty);
        self.argument(Argument::Slot(spec.name.clone(), spec.stack.clone()), ty)
    }

    /// Declares a parameter where it is used, as an argument of the program.
    ///
    /// Inside the body of a scan over an axis of its `stack` the result is one slice along it; the program's argument is the whole. The
    /// same declaration made again gives the same tensor (tied embeddings), inside of a scan too. Of one name there may be several, whose
    /// stacks have different numbers: every second layer, or those behind the first few.
    pub fn param(&self, spec: ParamSpec) -> Tensor<'_> {
        let is_closed = |inner: &Inner| {
            inner.frames.iter().any(|frame| matches!(frame.kind, FrameKind::Closed | FrameKind::PerShard))
        };
        if self.with(is_closed) {
            self.fail_trace(
                &spec.name,
                "a parameter cannot be declared inside a custom_vjp or per_shard: pass it in".into(),
            );
            return self.poison();
        }
        let mut stacked: VecDeque<Stack> = spec.stack.iter().copied().collect();
        let mut id = self.root_param(spec);
        for depth in 1..self.with(|inner| inner.frames.len()) {
            let over = self.with(|inner| match inner.frames[depth].kind {
                FrameKind::Scan { axis, .. } => Some(axis),
                FrameKind::Root | FrameKind::Closed | FrameKind::PerShard => None,
            });
            // A scan over another axis captures the parameter, like any tensor from outside.
            if stacked.front().is_some_and(|stack| Some(stack.axis) == over) {
                stacked.pop_front();
                id = self.with_mut(|inner| inner.slice_in_frame(depth, id));
            }
        }
        self.tensor(id)
    }

    /// The parameters declared so far, in order, each with its (stacked) tensor.
    pub fn params(&self) -> Vec<(ParamSpec, Tensor<'_>)> {
        let inner = self.inner.borrow();
        inner.params.iter().map(|(spec, id)| (spec.clone(), self.tensor(*id))).collect()
    }

    fn root_param(&self, spec: ParamSpec) -> ValueId {
        let known = self.inner.borrow().params.iter().find(|(known, _)| known.is_numbered_as(&spec)).cloned();
        if let Some((known, id)) = known {
            if let Some(difference) = known.difference(&spec) {
                self.fail_trace(&spec.name, difference);
            }
            return id;
        }
        let ty = spec.tensor_type();
        self.check_axes(&spec.name, &ty);
        self.check_name(&spec.name, &spec.stack);
        self.check_owner(&spec);
        let position = self.inner.borrow().params.len();
        let id = self.argument(Argument::Param(position), ty).id;
        self.inner.borrow_mut().params.push((spec, id));
        id
    }

    fn argument(&self, argument: Argument, ty: TensorType) -> Tensor<'_> {
        let mut inner = self.inner.borrow_mut();
        inner.arguments.push(argument);
        let id = inner.new_region_param(ROOT, ty);
        drop(inner);
        self.tensor(id)
    }

    pub(crate) fn check_name(&self, name: &str, stack: &[Stack]) {
        let (places, axes) = (name.matches('*').count(), stack.len());
        if places != axes {
            let rule = format!("its name has {places} `*`, but it is stacked along {axes} axes: each needs one");
            self.fail_trace(name, rule);
        }
    }

    /// A value that is said to be stacked should be: its outermost axes are those of the stack.
    pub(crate) fn check_stack(&self, name: &str, stack: &[Stack], ty: &TensorType) {
        if !stack.iter().map(|stack| stack.axis).eq(ty.axes.iter().copied().take(stack.len())) {
            let axes: Vec<Axis> = stack.iter().map(|stack| stack.axis).collect();
            self.fail_trace(name, format!("it is {ty}, but should be stacked along {axes:?}"));
        }
    }

    /// A checkpoint's tensor belongs to one parameter: of two, each would be trained and saved by itself.
    fn check_owner(&self, spec: &ParamSpec) {
        let names = spec.checkpoint_names();
        let twice = names.iter().find(|name| !self.with_mut(|inner| inner.tensors.insert((*name).clone())));
        if let Some(name) = twice {
            self.fail_trace(
                &spec.name,
                format!("its tensor `{name}` is declared already; give the stacks other numbers"),
            );
        }
    }

    fn check_axes(&self, what: &str, ty: &TensorType) {
        if let Some(twice) = duplicate_axis(&ty.axes) {
            self.fail_trace(what, format!("axis `{twice}` stands twice in {ty}; rename one"));
        }
    }

    pub(crate) fn tensor(&self, id: ValueId) -> Tensor<'_> {
        Tensor { graph: self, id }
    }

    pub(crate) fn with<T>(&self, read: impl FnOnce(&Inner) -> T) -> T {
        read(&self.inner.borrow())
    }

    pub(crate) fn with_mut<T>(&self, write: impl FnOnce(&mut Inner) -> T) -> T {
        write(&mut self.inner.borrow_mut())
    }

    pub(crate) fn fail_trace(&self, what: &str, rule: String) {
        self.inner.borrow_mut().fail(GraphError::Trace { what: what.to_owned(), rule });
    }

    pub(crate) fn fail_op(&self, op: &'static str, arguments: Vec<TensorType>, rule: String) {
        self.inner.borrow_mut().fail(GraphError::Op { op, arguments, rule });
    }

    /// Stands for the result of an op that failed.
    pub(crate) fn poison(&self) -> Tensor<'_> {
        self.constant(f64::NAN, DType::F32)
    }

    /// Appends a node with one result to the current region, after checking the op's rule.
    pub(crate) fn apply(&self, op: Op, inputs: &[Tensor<'_>]) -> Tensor<'_> {
        let ids: Vec<ValueId> = inputs.iter().map(|input| input.id).collect();
        let (name, arguments): (_, Vec<TensorType>) =
            self.with(|inner| (op.name(), ids.iter().map(|id| inner.ty(*id).clone()).collect()));
        let result = op.infer(&arguments.iter().collect::<Vec<_>>());
        match result.and_then(|ty| match duplicate_axis(&ty.axes) {
            Some(twice) => Err(format!("the result would have axis `{twice}` twice; rename one")),
            None => Ok(ty),
        }) {
            Ok(ty) => {
                let node = self.append(op, ids, vec![ty]);
                self.tensor(self.with(|inner| inner.node(node).results[0]))
            }
            Err(rule) => {
                self.fail_op(name, arguments, rule);
                self.poison()
            }
        }
    }

    pub(crate) fn append(&self, op: Op, inputs: Vec<ValueId>, types: Vec<TensorType>) -> NodeId {
        self.with_mut(|inner| {
            let region = inner.current();
            inner.append(region, op, inputs, types)
        })
    }
}

fn duplicate_axis(axes: &[Axis]) -> Option<&'static str> {
    axes.iter()
        .enumerate()
        .find(|(i, axis)| axes[..*i].iter().any(|other| other.name == axis.name))
        .map(|(_, a)| a.name)
}

impl<'g> Tensor<'g> {
    /// The graph this tensor belongs to.
    pub fn graph(self) -> &'g Graph {
        self.graph
    }

    /// Whether both are the same value of the same graph.
    pub fn is(self, other: Tensor<'g>) -> bool {
        std::ptr::eq(self.graph, other.graph) && self.id == other.id
    }

    /// Element type and axes.
    pub fn ty(self) -> TensorType {
        self.graph.with(|inner| inner.ty(self.id).clone())
    }

    /// Element type.
    pub fn dtype(self) -> DType {
        self.graph.with(|inner| inner.ty(self.id).dtype)
    }

    /// Axes, outermost first.
    pub fn axes(self) -> Vec<Axis> {
        self.ty().axes
    }

    /// The axis called `name`. A missing one is recorded as the graph's error.
    pub fn axis(self, name: &'static str) -> Axis {
        let ty = self.ty();
        match ty.dim(name) {
            Some(dim) => ty.axes[dim],
            None => {
                self.graph.fail_op("axis", vec![ty], format!("there is no axis `{name}`"));
                Axis::new(name, 1)
            }
        }
    }

    /// Names the value for a rematerialisation policy, see [`crate::Remat`].
    pub fn checkpoint_name(self, name: &'static str) -> Tensor<'g> {
        self.graph.with_mut(|inner| inner.values[self.id.0 as usize].tag = Some(name));
        self
    }
}

impl fmt::Debug for Tensor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}: {}", self.id.0, self.ty())
    }
}
