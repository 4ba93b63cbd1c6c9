//! What a model is made of, as it says itself while it is traced: nothing about it is written down a second time.

use std::cell::RefCell;
use std::rc::Rc;

use graph::{Axis, DType, Init, ParamSpec, Stack};

use crate::Scope;

/// A linear layer, `W x (+ b)`.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearModule {
    /// Path of the module, with one `*` for each axis of `stack`.
    pub path: String,
    /// The axes along which modules of that path are stacked, outermost first.
    pub stack: Vec<Stack>,
    /// Features that come in, by the name that they have in the weight.
    pub input: Axis,
    /// Features that go out.
    pub output: Axis,
    /// The part of all tokens that each module is computed for: 1, or for experts how many of them a token is sent to, over their number.
    pub share: f64,
    /// The name of its weight, as its parameter is declared.
    pub weight: String,
    /// Whether the weight is stored as (inputs, outputs), which PEFT calls `fan_in_fan_out`, and not the other way round.
    pub transposed: bool,
    /// Whether its product with few vectors is by kernels, where there are some.
    pub by_kernels: bool,
    /// Whether it gives the logits. PEFT's `all-linear` leaves that one out.
    pub is_head: bool,
}

impl LinearModule {
    /// The modules' paths with their numbers.
    pub fn paths(&self) -> Vec<String> {
        numbered(&self.path, &self.stack)
    }

    /// The names of their weights, in the order of [`LinearModule::paths`].
    pub fn weights(&self) -> Vec<String> {
        numbered(&self.weight, &self.stack)
    }

    /// The name of the weight of the module at a path, if that is one of them.
    pub fn weight_of(&self, path: &str) -> Option<String> {
        let at = self.paths().iter().position(|other| other == path)?;
        Some(self.weights().swap_remove(at))
    }

    /// Whether they are of a mixture's experts.
    pub fn is_of_experts(&self) -> bool {
        self.stack.iter().any(|stack| stack.axis.name == "experts")
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        count(&self.stack)
    }
}

/// Two linear layers of which one gates the other, `silu(gate x) * (up x)`, without biases.
#[derive(Clone, Debug, PartialEq)]
pub struct Gates {
    /// Their paths.
    pub paths: [String; 2],
    /// What both are called together, as a module beside them.
    pub path: String,
    /// As that of [`LinearModule`], which each of them is.
    pub stack: Vec<Stack>,
    /// Features that come in.
    pub input: Axis,
    /// Features that go out of each.
    pub output: Axis,
}

/// The attention of layers that are alike.
#[derive(Clone, Debug, PartialEq)]
pub struct AttentionModule {
    /// The axes along which the layers are stacked, outermost first.
    pub stack: Vec<Stack>,
    /// Query heads.
    pub heads: usize,
    /// Key heads.
    pub kv_heads: usize,
    /// Width of a head.
    pub head_dim: usize,
    /// How many positions a query sees, its own among them; `None` sees all before it.
    pub window: Option<usize>,
    /// Whether it is nothing but scaled, causal and perhaps under a window, so that any kernel computes it in rows that the window covers.
    pub is_plain: bool,
    /// Whether scores get something for distances.
    pub has_biases: bool,
}

impl AttentionModule {
    /// How many layers.
    pub fn layers(&self) -> usize {
        count(&self.stack)
    }
}

/// The state space of layers that are alike.
#[derive(Clone, Debug, PartialEq)]
pub struct StateSpaceModule {
    /// The axes along which the layers are stacked, outermost first.
    pub stack: Vec<Stack>,
    /// Channels that go through it.
    pub channels: usize,
    /// States of a channel: each is carried on, added to and read once for each token, with a multiplication and an addition each.
    pub state_size: usize,
    /// Channels of a head, which decay alike, as in Mamba-2; `None` where each decays by itself.
    pub head_dim: Option<usize>,
}

impl StateSpaceModule {
    /// How many layers.
    pub fn layers(&self) -> usize {
        count(&self.stack)
    }
}

/// A model's parameters and modules, in the order in which it uses them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Anatomy {
    /// All parameters, those of adapters among them.
    pub params: Vec<ParamSpec>,
    /// The linear layers.
    pub linear: Vec<LinearModule>,
    /// Those linear layers of which one gates another.
    pub gates: Vec<Gates>,
    /// The layers with attention.
    pub attention: Vec<AttentionModule>,
    /// The layers with a state space.
    pub state_space: Vec<StateSpaceModule>,
}

/// Where a trace writes what it meets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Journal(Rc<RefCell<Anatomy>>);

impl Journal {
    pub(crate) fn linear(&self, module: LinearModule) {
        let mut entries = self.0.borrow_mut();
        if !entries.linear.contains(&module) {
            entries.linear.push(module);
        }
    }

    pub(crate) fn gates(&self, gates: Gates) {
        let mut entries = self.0.borrow_mut();
        if !entries.gates.contains(&gates) {
            entries.gates.push(gates);
        }
    }

    /// Whether the module at a path gates another, or is gated.
    pub(crate) fn is_of_gates(&self, path: &str) -> bool {
        self.0.borrow().gates.iter().any(|gates| gates.paths.iter().any(|other| other == path))
    }

    /// That the module at `scope` gives the logits.
    pub(crate) fn head(&self, scope: &Scope<'_>, input: Axis, output: Axis) {
        let mut entries = self.0.borrow_mut();
        let path = scope.path().to_owned();
        entries.linear.retain(|module| module.path != path);
        let weight = format!("{path}.weight");
        let (share, transposed, by_kernels) = (1.0, false, true);
        let stack = Vec::new();
        entries.linear.push(LinearModule {
            path,
            stack,
            input,
            output,
            share,
            weight,
            transposed,
            by_kernels,
            is_head: true,
        });
    }

    pub(crate) fn attention(&self, module: AttentionModule) {
        self.0.borrow_mut().attention.push(module);
    }

    pub(crate) fn state_space(&self, module: StateSpaceModule) {
        self.0.borrow_mut().state_space.push(module);
    }

    pub(crate) fn take(&self, params: Vec<ParamSpec>) -> Anatomy {
        Anatomy { params, ..self.0.take() }
    }
}

fn count(stack: &[Stack]) -> usize {
    stack.iter().map(|stack| stack.axis.size).product()
}

/// The axis of a stack of layers.
pub(crate) fn layers_axis(size: usize) -> Axis {
    Axis::new("layers", size)
}

/// The paths that `path` stands for, with a number in place of each `*`.
pub(crate) fn numbered(path: &str, stack: &[Stack]) -> Vec<String> {
    let (axes, init) = (Vec::new(), Init::Zeros);
    ParamSpec { name: path.to_owned(), dtype: DType::F32, axes, stack: stack.to_vec(), init }.checkpoint_names()
}
