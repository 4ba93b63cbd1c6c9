//! How the tokens that a layer is computed for meet those before them: all at once, or through what earlier steps left.

use graph::{Axis, DType, Init, ParamSpec, Stack, Tensor};

use crate::attention::{Form, Mask, attention, cached};
use crate::journal::AttentionModule;
use crate::rope::{Rotary, Rotation};
use crate::{AttentionKernels, Gpu, Scope, part};

/// Token ids and where they stand.
#[derive(Clone, Copy)]
pub struct Tokens<'g> {
    /// Token ids, i32 (batch, position).
    pub ids: Tensor<'g>,
    /// Position in the document, i32 (batch, position).
    pub positions: Tensor<'g>,
    /// Number of the document in a packed row, i32 (batch, position), counted from 1 in each row; 0 is padding, behind the last. Tokens
    /// see only their own document. `None`: one document a row.
    pub segments: Option<Tensor<'g>>,
    /// How many tokens each row of one document has, i32 (batch); behind them is padding. `None`: segments say it, or rows are full.
    pub lengths: Option<Tensor<'g>>,
}

impl<'g> Tokens<'g> {
    /// Which of (batch, position) are tokens, as a Bool; `None` where all are.
    pub(crate) fn present(&self) -> Option<Tensor<'g>> {
        match (self.segments, self.lengths) {
            (Some(segments), _) => Some(segments.not_equals(0.0)),
            (None, Some(lengths)) => Some(self.positions.less(lengths)),
            (None, None) => None,
        }
    }
}

/// Where a step of generation stands.
#[derive(Clone, Copy)]
pub struct StepAt<'g> {
    /// The slot of the first token, i32 without axes.
    pub start: Tensor<'g>,
    /// The place of the last token among those given, i32 without axes; behind it is padding.
    pub last: Tensor<'g>,
    /// The slots that are read, from the first on: all those of the tokens are among them.
    pub visible: usize,
    /// How many tokens the sequence has with those of the steps that follow at once, i32 without axes: a prompt that comes in parts is
    /// rotated as a whole, by models that [depend on the length](crate::LanguageModel::depends_on_length). `None`: none follow.
    pub length: Option<Tensor<'g>>,
}

impl<'g> StepAt<'g> {
    fn length(&self) -> Tensor<'g> {
        self.length.unwrap_or(self.start + self.last + 1.0)
    }
}

/// What all layers of a pass over some tokens have in common.
pub(crate) struct Pass<'g> {
    tokens: Tokens<'g>,
    kernels: AttentionKernels,
    state_space: Option<Gpu>,
    grouped_products: Option<Gpu>,
    /// By whose kernels a step of one token attends to the cache.
    token_kernels: Option<Gpu>,
    rotations: Vec<Rotation<'g>>,
    mask: Mask<'g>,
    mode: Mode<'g>,
}

#[derive(Clone, Copy)]
enum Mode<'g> {
    /// Whole sequences, of which nothing came before.
    Whole,
    /// A step behind what others left.
    Step(StepAt<'g>),
    /// A step whose state nobody gives, to see what it would be: for `batch` sequences with room for `slots` tokens.
    Inquiry { batch: usize, slots: usize },
}

/// What a layer sees of a [`Pass`], with what it carries from step to step.
pub(crate) struct LayerPass<'p, 'g> {
    pass: &'p Pass<'g>,
    stack: Vec<Stack>,
    /// What the steps before left, in the order in which the layer asks for it.
    before: std::vec::IntoIter<Tensor<'g>>,
    /// What this step leaves.
    after: Vec<Tensor<'g>>,
    /// What it would leave, in an inquiry.
    specs: Vec<ParamSpec>,
    /// What the layer gives besides its output, whole sequences only.
    emitted: Vec<(&'static str, Tensor<'g>)>,
}

impl<'g> Pass<'g> {
    /// Over whole sequences. `gpus`: by whose kernels state spaces and products with experts are computed.
    pub(crate) fn whole(
        tokens: Tokens<'g>,
        kernels: AttentionKernels,
        gpus: [Option<Gpu>; 2],
        rotary: &[Rotary],
    ) -> Pass<'g> {
        let _named = tokens.ids.graph().named("positions", &[], Some(part::ATTENTION));
        let mask = tokens.segments.map_or(Mask::Causal, |segments| Mask::within(kernels, segments));
        let rotations = Rotation::all(rotary, tokens.positions, lengths(tokens));
        let [state_space, grouped_products] = gpus;
        Pass { tokens, kernels, state_space, grouped_products, token_kernels: None, rotations, mask, mode: Mode::Whole }
    }

    /// A step of generation over tokens at consecutive slots, one document a row. `token_kernels`: by whose kernels one token attends to the cache.
    pub(crate) fn step(tokens: Tokens<'g>, at: StepAt<'g>, token_kernels: Option<Gpu>, rotary: &[Rotary]) -> Pass<'g> {
        let rotations = Rotation::all(rotary, tokens.positions, at.length());
        let (kernels, mask, mode) = (AttentionKernels::PLAIN, Mask::UpTo(tokens.positions), Mode::Step(at));
        Pass { tokens, kernels, state_space: None, grouped_products: None, token_kernels, rotations, mask, mode }
    }

    /// A step that shows what it carries.
    pub(crate) fn inquiry(tokens: Tokens<'g>, rotary: &[Rotary], batch: usize, slots: usize) -> Pass<'g> {
        let rotations = Rotation::all(rotary, tokens.positions, lengths(tokens));
        let mode = Mode::Inquiry { batch, slots };
        let (kernels, mask) = (AttentionKernels::PLAIN, Mask::Causal);
        let [state_space, grouped_products, token_kernels] = [None; 3];
        Pass { tokens, kernels, state_space, grouped_products, token_kernels, rotations, mask, mode }
    }

    /// The view of the layers at `scope`. `before` is what the steps before left there.
    pub(crate) fn layer(&self, scope: &Scope<'g>, before: Vec<Tensor<'g>>) -> LayerPass<'_, 'g> {
        let (after, specs, emitted) = Default::default();
        LayerPass { pass: self, stack: scope.stack().to_vec(), before: before.into_iter(), after, specs, emitted }
    }
}

/// How long each token's document is, i32 (batch) or (batch, position).
fn lengths(tokens: Tokens<'_>) -> Tensor<'_> {
    let others = tokens.positions.rename("position", "key_position");
    match (tokens.segments, tokens.lengths) {
        (Some(segments), _) => {
            let same = segments.equals(segments.rename("position", "key_position"));
            same.select(others, 0.0).max(&["key_position"]) + 1.0
        }
        (None, Some(lengths)) => lengths,
        (None, None) => others.max(&["key_position"]) + 1.0,
    }
}

impl<'g> LayerPass<'_, 'g> {
    /// The tokens of the pass.
    pub(crate) fn tokens(&self) -> Tokens<'g> {
        self.pass.tokens
    }

    /// The rotation at the tokens' positions by the family's rotary embedding of that number.
    pub(crate) fn rotation(&self, number: usize) -> Rotation<'g> {
        self.pass.rotations[number]
    }

    /// Attends with `q` (batch, position, kv_heads, groups, head_dim) to `k` and `v` (batch, position, kv_heads, head_dim) of these tokens
    /// and of those before them, which it remembers. Result: axes of `q`.
    pub(crate) fn attend(
        &mut self,
        scope: &Scope<'g>,
        q: Tensor<'g>,
        k: Tensor<'g>,
        v: Tensor<'g>,
        form: &Form,
    ) -> Tensor<'g> {
        scope.journal().attention(AttentionModule {
            stack: self.stack.clone(),
            heads: q.axis("kv_heads").size * q.axis("groups").size,
            kv_heads: q.axis("kv_heads").size,
            head_dim: q.axis("head_dim").size,
            window: form.window,
            is_plain: form.is_plain(),
        });
        let _named = scope.named(part::ATTENTION);
        let [k, v] = [("keys", k), ("values", v)].map(|(name, new)| self.remember(name, new));
        let Mode::Step(at) = self.pass.mode else { return attention(self.pass.kernels, q, k, v, self.pass.mask, form) };
        let positions = self.pass.tokens.positions;
        let token = self.pass.token_kernels.and_then(|gpu| cached(gpu, q, [k, v], positions, at.visible, form));
        token.unwrap_or_else(|| {
            let [k, v] = [k, v].map(|cache| cache.slice("key_position", 0, at.visible));
            attention(self.pass.kernels, q, k, v, self.pass.mask, form)
        })
    }

    /// `new` (batch, position, kv_heads, head_dim) behind what was remembered: (batch, kv_heads, key_position, head_dim) in any order, in steps with all
    /// slots.
    fn remember(&mut self, name: &str, new: Tensor<'g>) -> Tensor<'g> {
        let new = new.rename("position", "key_position");
        match self.pass.mode {
            Mode::Whole => new,
            Mode::Step(at) => {
                let cache = self.before.next().expect("a layer is given all that it asks for");
                let cache = cache.dynamic_update(new, &[("key_position", at.start)]);
                self.after.push(cache);
                cache
            }
            Mode::Inquiry { batch, slots } => {
                let (batch, slots) = (Axis::new("batch", batch), Axis::new("key_position", slots));
                let axes = [batch, new.axis("kv_heads"), slots, new.axis("head_dim")];
                self.specify(name, new.dtype(), &axes);
                new
            }
        }
    }

    /// What the layer has carried here under `name` from the steps before, (batch, `axes`): zeros for a sequence that begins. To be called
    /// in the same order each time, and followed by [`LayerPass::carry`].
    pub(crate) fn carried(&mut self, name: &str, dtype: DType, axes: &[Axis]) -> Tensor<'g> {
        let graph = self.pass.tokens.ids.graph();
        let whole = |batch: Axis| [&[batch], axes].concat();
        match self.pass.mode {
            Mode::Step(_) => self.before.next().expect("a layer is given all that it asks for"),
            Mode::Whole => graph.full(0.0, dtype, &whole(self.pass.tokens.ids.axis("batch"))),
            Mode::Inquiry { batch, .. } => {
                self.specify(name, dtype, &whole(Axis::new("batch", batch)));
                graph.full(0.0, dtype, &whole(self.pass.tokens.ids.axis("batch")))
            }
        }
    }

    /// What the steps behind this one are to find in place of what [`LayerPass::carried`] gave.
    pub(crate) fn carry(&mut self, next: Tensor<'g>) {
        if let Mode::Step(_) = self.pass.mode {
            self.after.push(next);
        }
    }

    /// The kind of GPU by whose kernels state spaces are computed, if they are.
    pub(crate) fn state_space(&self) -> Option<Gpu> {
        self.pass.state_space
    }

    /// The kind of GPU by whose kernels rows are multiplied with their experts' weights, if they are.
    pub(crate) fn grouped_products(&self) -> Option<Gpu> {
        self.pass.grouped_products
    }

    /// The place of the last token, behind which there is padding that must leave no trace; `None` in whole sequences.
    pub(crate) fn last(&self) -> Option<Tensor<'g>> {
        match self.pass.mode {
            Mode::Step(at) => Some(at.last),
            Mode::Whole | Mode::Inquiry { .. } => None,
        }
    }

    /// Gives `tensor` to [`Family::auxiliary_loss`](crate::family::Family::auxiliary_loss) under a name, stacked over the layers.
    pub(crate) fn emit(&mut self, name: &'static str, tensor: Tensor<'g>) {
        if let Mode::Whole = self.pass.mode {
            self.emitted.push((name, tensor));
        }
    }

    fn specify(&mut self, name: &str, dtype: DType, axes: &[Axis]) {
        let (name, stack) = (format!("state.*.{name}"), self.stack.clone());
        self.specs.push(ParamSpec { name, dtype, axes: axes.to_vec(), stack, init: Init::Zeros });
    }

    /// What the layer carries on, and what it emitted.
    pub(crate) fn results(self) -> (Vec<Tensor<'g>>, Vec<(&'static str, Tensor<'g>)>) {
        (self.after, self.emitted)
    }

    /// What the layer carries from step to step.
    pub(crate) fn state(self) -> Vec<ParamSpec> {
        self.specs
    }
}
