//! How the tokens that a layer is computed for meet those before them: all at once, or through what earlier steps left.

use graph::{Axis, DType, Init, ParamSpec, Stack, Tensor};
use kernels::PackedKeys;

use crate::attention::{Cache, Form, Mask, attention, launched, launched_writing, packs, page_by_page};
use crate::journal::AttentionModule;
use crate::ragged::{Ragged, RaggedPart, StateSize, kernels_write};
use crate::rope::{Rotary, Rotation};
use crate::{AttentionKernels, Gpu, Held, Scope, TokenKernels, host, part};

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

/// What all layers of a pass over some tokens have in common.
pub(crate) struct Pass<'g> {
    tokens: Tokens<'g>,
    kernels: AttentionKernels,
    state_space: Option<Gpu>,
    grouped_products: Option<Gpu>,
    /// By which kernels a step of one token attends to the cache.
    token_kernels: Option<TokenKernels>,
    rotations: Vec<Rotation<'g>>,
    mask: Mask<'g>,
    mode: Mode<'g>,
}

#[derive(Clone)]
enum Mode<'g> {
    /// Whole sequences, of which nothing came before.
    Whole,
    /// A step over tokens of many texts, behind what others left.
    Ragged(Ragged<'g>),
    /// A step whose state nobody gives, to see what it would be; keys and values lie in another type, if one is said.
    Inquiry(StateSize, Held),
}

/// What a layer sees of a [`Pass`], with what it carries from step to step.
pub(crate) struct LayerPass<'p, 'g> {
    pass: &'p Pass<'g>,
    stack: Vec<Stack>,
    /// What the steps before left, in the order in which the layer asks for it, and in place of that what this one leaves.
    carried: Vec<Tensor<'g>>,
    /// How much of it the layer has asked for.
    asked: usize,
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

    /// A step of generation over tokens of many texts, (batch, position) in one row.
    pub(crate) fn ragged(
        tokens: Tokens<'g>,
        ragged: Ragged<'g>,
        token_kernels: Option<TokenKernels>,
        rotary: &[Rotary],
    ) -> Pass<'g> {
        let rotations = Rotation::all(rotary, tokens.positions, ragged.lengths());
        let (kernels, mask, mode) = (AttentionKernels::PLAIN, Mask::UpTo(tokens.positions), Mode::Ragged(ragged));
        Pass { tokens, kernels, state_space: None, grouped_products: None, token_kernels, rotations, mask, mode }
    }

    /// A step that shows what it carries.
    pub(crate) fn inquiry(tokens: Tokens<'g>, rotary: &[Rotary], size: StateSize, held: Held) -> Pass<'g> {
        let rotations = Rotation::all(rotary, tokens.positions, lengths(tokens));
        let (kernels, mask) = (AttentionKernels::PLAIN, Mask::Causal);
        let [state_space, grouped_products] = [None; 2];
        Pass {
            tokens,
            kernels,
            state_space,
            grouped_products,
            token_kernels: None,
            rotations,
            mask,
            mode: Mode::Inquiry(size, held),
        }
    }

    /// The view of the layers at `scope`. `before` is what the steps before left there.
    pub(crate) fn layer(&self, scope: &Scope<'g>, before: Vec<Tensor<'g>>) -> LayerPass<'_, 'g> {
        let (specs, emitted) = Default::default();
        let (stack, asked) = (scope.stack().to_vec(), 0);
        LayerPass { pass: self, stack, carried: before, asked, specs, emitted }
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
    /// and of those before them, which it remembers; queries and keys are rotated before. Result: axes of `q`.
    pub(crate) fn attend(
        &mut self,
        scope: &Scope<'g>,
        rotation: Option<Rotation<'g>>,
        [q, k, v]: [Tensor<'g>; 3],
        form: &Form,
    ) -> Tensor<'g> {
        scope.journal().attention(AttentionModule {
            stack: self.stack.clone(),
            heads: q.axis("kv_heads").size * q.axis("groups").size,
            kv_heads: q.axis("kv_heads").size,
            head_dim: q.axis("head_dim").size,
            window: form.window,
            is_plain: form.is_plain(),
            has_biases: form.alibi.is_some(),
        });
        let _named = scope.named(part::ATTENTION);
        if let Some(attended) = self.attend_and_write(rotation, [q, k, v], form) {
            return attended;
        }
        if self.specifies_packed(rotation, [q, k], form) {
            return q;
        }
        let [q, k, v] = self.write(rotation, [q, k, v]);
        let Pass { kernels, mask, token_kernels, mode, .. } = self.pass;
        match mode {
            Mode::Whole | Mode::Inquiry(..) => attention(*kernels, q, k, v, *mask, form),
            Mode::Ragged(ragged) => {
                let rows = ragged.parts().iter().enumerate().map(|(number, part)| {
                    let (own, pages) = (ragged.part(q, number), part.attended());
                    let is_one = own.axis("position").size == 1;
                    let by_kernel = token_kernels.and_then(|kernels| match kernels {
                        TokenKernels::Gpu(gpu) => {
                            launched(gpu, own, Cache { keys: k, values: v, scales: None }, pages, form)
                        }
                        TokenKernels::Host => host::attend(own, [k, v], pages, form),
                    });
                    by_kernel.unwrap_or_else(|| match is_one {
                        true => page_by_page(own, [k, v], pages, form),
                        false => {
                            let (k, v) = (part.seen(k, own.dtype()), part.seen_values(v, own.dtype()));
                            attention(*kernels, own, k, v, Mask::UpTo(part.positions()), form)
                        }
                    })
                });
                ragged.joined(&rows.collect::<Vec<_>>())
            }
        }
    }

    /// As [`LayerPass::attend`], in a step over many texts by kernels that rotate and write: of one token a row they attend too. `None` where there are none.
    fn attend_and_write(
        &mut self,
        rotation: Option<Rotation<'g>>,
        all: [Tensor<'g>; 3],
        form: &Form,
    ) -> Option<Tensor<'g>> {
        let (ragged, gpu, mut held) = self.pages_of_kernels(all)?;
        let mut rows = Vec::new();
        for (number, part) in ragged.parts().iter().enumerate() {
            let (own, pages) = (all.map(|x| ragged.part(x, number)), part.attended());
            let attended;
            (attended, held) = match part.chunk {
                1 => {
                    let angles = rotation.map(|rotation| ragged.angles(rotation, number));
                    launched_writing(gpu, angles, own, held, pages, form)?
                }
                _ => {
                    let (q, held) = ragged.rotated_and_written(number, rotation, own, held)?;
                    (launched(gpu, q, held, pages, form)?, held)
                }
            };
            rows.push(attended);
        }
        let attended = ragged.joined(&rows);
        for array in [held.keys, held.values].into_iter().chain(held.scales) {
            self.replace(|_| array);
        }
        Some(attended)
    }

    /// As [`LayerPass::write`], by kernels, which are there for some heads that none attends with. `None` where they are not.
    fn written(&self, rotation: Option<Rotation<'g>>, all: [Tensor<'g>; 3]) -> Option<[Tensor<'g>; 3]> {
        let (ragged, _, mut held) = self.pages_of_kernels(all)?;
        let mut rows = Vec::new();
        for number in 0..ragged.parts().len() {
            let own = all.map(|x| ragged.part(x, number));
            let q;
            (q, held) = ragged.rotated_and_written(number, rotation, own, held)?;
            rows.push(q);
        }
        Some([ragged.joined(&rows), held.keys, held.values])
    }

    /// A step's rows, and the layer's pages, where kernels rotate and write for this kind of GPU.
    fn pages_of_kernels(&self, all: [Tensor<'g>; 3]) -> Option<(&Ragged<'g>, Gpu, Cache<'g>)> {
        let (Mode::Ragged(ragged), Some(TokenKernels::Gpu(gpu))) = (&self.pass.mode, self.pass.token_kernels) else {
            return None;
        };
        let carried = &self.carried[self.asked..];
        let held = Cache::of(carried.get(..Cache::arrays_of(carried.first()?))?);
        kernels_write(all, held).then_some((ragged, gpu, held))
    }

    /// Rotated queries, and what there is of keys and values with the new ones.
    fn write(&mut self, rotation: Option<Rotation<'g>>, [q, k, v]: [Tensor<'g>; 3]) -> [Tensor<'g>; 3] {
        if let Some([q, keys, values]) = self.written(rotation, [q, k, v]) {
            return [q, self.replace(|_| keys), self.replace(|_| values)];
        }
        let [q, k] = [q, k].map(|x| rotation.map_or(x, |rotation| rotation.apply(x)));
        [q, self.remember("keys", k), self.remember("values", v)]
    }

    /// `new` (batch, position, kv_heads, head_dim) behind what was remembered: (batch, kv_heads, key_position, head_dim) in any order, in steps over
    /// many texts all pages.
    fn remember(&mut self, name: &str, new: Tensor<'g>) -> Tensor<'g> {
        let keys = new.rename("position", "key_position");
        match &self.pass.mode {
            Mode::Whole => keys,
            Mode::Ragged(ragged) => self.replace(|cache| ragged.remember(cache, new)),
            Mode::Inquiry(StateSize { pages, page_tokens, .. }, held) => {
                let (pages, page_tokens) = (Axis::new("page", *pages), Axis::new("page_token", *page_tokens));
                let held = match held {
                    Held::Narrow(dtype) => *dtype,
                    Held::AsComputed | Held::Packed => new.dtype(),
                };
                self.specify(name, held, &[pages, new.axis("kv_heads"), page_tokens, new.axis("head_dim")]);
                keys
            }
        }
    }

    /// In an inquiry, of layers that pack keys and values, what they carry.
    fn specifies_packed(&mut self, rotation: Option<Rotation<'g>>, [q, k]: [Tensor<'g>; 2], form: &Form) -> bool {
        let Mode::Inquiry(StateSize { pages, page_tokens, .. }, Held::Packed) = self.pass.mode else { return false };
        let [kv_heads, head_dim] = ["kv_heads", "head_dim"].map(|name| k.axis(name));
        let heads = [kv_heads.size, kv_heads.size * q.axis("groups").size, head_dim.size];
        let rotated = rotation.map_or(0, |rotation| 2 * rotation.of_tokens()[0].axis("pair").size);
        if !packs(heads, rotated, form) {
            return false;
        }
        let page = Axis::new("page", pages);
        for name in ["keys", "values"] {
            self.specify(name, DType::U16, &[page, kv_heads, PackedKeys::words(page_tokens)]);
        }
        let of_tokens = [page, kv_heads, Axis::new("page_token", page_tokens), PackedKeys::scales()];
        self.specify("scales", DType::F32, &of_tokens);
        true
    }

    /// Puts what follows from the next of what was carried in its place.
    fn replace(&mut self, next: impl FnOnce(Tensor<'g>) -> Tensor<'g>) -> Tensor<'g> {
        let own = self.carried.get_mut(self.asked).expect("a layer is given all that it asks for");
        self.asked += 1;
        *own = next(*own);
        *own
    }

    /// What a layer computes of its tokens `inputs` (batch, position, …) and of what it carries: `body` gets them, in a step over many texts for one
    /// part of the rows after the other.
    pub(crate) fn by_rows(
        &mut self,
        inputs: &[Tensor<'g>],
        mut body: impl FnMut(&mut Self, &[Tensor<'g>]) -> Tensor<'g>,
    ) -> Tensor<'g> {
        let Mode::Ragged(ragged) = &self.pass.mode else { return body(self, inputs) };
        let begin = self.asked;
        ragged.each(|number| {
            self.asked = begin;
            body(self, &inputs.iter().map(|x| ragged.part(*x, number)).collect::<Vec<_>>())
        })
    }

    /// The rows that [`LayerPass::by_rows`] computes, in a step over many texts.
    fn rows(&self) -> Option<&RaggedPart<'g>> {
        match &self.pass.mode {
            Mode::Ragged(ragged) => {
                Some(&ragged.parts()[ragged.current().expect("what sums up all tokens is computed by rows")])
            }
            _ => None,
        }
    }

    /// What the layer has carried here under `name` from the steps before, (batch, `axes`): zeros for a sequence that begins. To be called
    /// in the same order each time, followed by [`LayerPass::carry`], in [`LayerPass::by_rows`].
    pub(crate) fn carried(&mut self, name: &str, dtype: DType, axes: &[Axis]) -> Tensor<'g> {
        let ids = self.pass.tokens.ids;
        let whole = |batch: Axis| [&[batch], axes].concat();
        let zeros = || ids.graph().full(0.0, dtype, &whole(ids.axis("batch")));
        let next = || *self.carried.get(self.asked).expect("a layer is given all that it asks for");
        match &self.pass.mode {
            Mode::Ragged(_) => {
                let own = next();
                self.rows().map_or(own, |part| part.read(own))
            }
            Mode::Whole => zeros(),
            Mode::Inquiry(size, _) => {
                self.specify(name, dtype, &whole(Axis::new("state_slot", size.slots)));
                zeros()
            }
        }
    }

    /// What the steps behind this one are to find in place of what [`LayerPass::carried`] gave.
    pub(crate) fn carry(&mut self, next: Tensor<'g>) {
        match &self.pass.mode {
            Mode::Ragged(_) => {
                let part = self.rows().copied();
                self.replace(|state| part.map_or(next, |part| part.write(state, next)));
            }
            Mode::Whole | Mode::Inquiry(..) => {}
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

    /// How many of a row's tokens are there, i32 (batch) or without axes: behind them there is padding that must leave no trace. `None` in whole
    /// sequences.
    pub(crate) fn count(&self) -> Option<Tensor<'g>> {
        match &self.pass.mode {
            Mode::Ragged(_) => self.rows().map(|part| part.count),
            Mode::Whole | Mode::Inquiry(..) => None,
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
        (self.carried, self.emitted)
    }

    /// What the layer carries from step to step.
    pub(crate) fn state(self) -> Vec<ParamSpec> {
        self.specs
    }
}
