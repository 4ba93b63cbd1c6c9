//! Under which other names, and in which other forms, files hold what a model asks for.

use std::borrow::Cow;
use std::ops::Range;

/// What parts of models are called in transformers 5, by what they are called in files and were called before.
const RENAMED: [(&str, &str); 2] = [(".block_sparse_moe.", ".mlp."), ("embed_out", "lm_head")];

/// The same of a part that only the first files of a family, Mamba, have under another name: `backbone.embedding.weight`.
const FIRST: (&str, &str) = (".embeddings.", ".embedding.");

/// What output layers are called.
pub(crate) const HEADS: [&str; 2] = ["lm_head", "embed_out"];

/// What embeddings of tokens are called.
pub(crate) const EMBEDDINGS: [&str; 6] =
    ["embed_tokens", "embed_in", "embeddings", "embedding", "word_embeddings", "wte"];

/// Tensors with the matrices of all experts, by the names of an expert's own: which of how many of each expert's it is.
const STACKED: [(&str, &str, usize, usize); 6] = [
    ("gate_proj", "gate_up_proj", 0, 2),
    ("up_proj", "gate_up_proj", 1, 2),
    ("down_proj", "down_proj", 0, 1),
    ("w1", "gate_up_proj", 0, 2),
    ("w3", "gate_up_proj", 1, 2),
    ("w2", "down_proj", 0, 1),
];

/// Where files hold a tensor.
pub(crate) struct Stored<'n> {
    /// The name of the tensor that is it, or has it in it.
    pub(crate) name: Cow<'n, str>,
    /// Which part of that it is.
    pub(crate) block: Option<Block>,
}

/// A matrix of a tensor (experts, rows, columns), in which `of_each` matrices of an expert stand one above the other.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    expert: usize,
    position: usize,
    of_each: usize,
}

impl Block {
    /// Its number, counted through those of all experts.
    pub(crate) fn number(&self) -> usize {
        self.expert * self.of_each + self.position
    }

    /// Which expert's it is.
    pub(crate) fn expert(&self) -> usize {
        self.expert
    }

    /// Which of the expert's it is.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// How many each expert has.
    pub(crate) fn of_each(&self) -> usize {
        self.of_each
    }

    /// Its rows and columns, in a tensor of the shape `whole`; `None` if that has no such matrix.
    pub(crate) fn shape(&self, whole: &[usize]) -> Option<[usize; 2]> {
        match *whole {
            [experts, rows, columns] if self.expert < experts && rows.is_multiple_of(self.of_each) => {
                Some([rows / self.of_each, columns])
            }
            _ => None,
        }
    }

    /// Where they are in a tensor of the shape `whole`, along each dimension; `None` as for [`Block::shape`].
    pub(crate) fn ranges(&self, whole: &[usize]) -> Option<Vec<Range<usize>>> {
        let [rows, columns] = self.shape(whole)?;
        Some(vec![self.expert..self.expert + 1, self.position * rows..(self.position + 1) * rows, 0..columns])
    }

    /// The shape of the tensor with the matrices of this expert and those before it, of which this one has the shape `own`.
    pub(crate) fn whole(&self, own: &[usize]) -> Vec<usize> {
        let rows = own.first().map(|rows| rows * self.of_each);
        [self.expert + 1].into_iter().chain(rows).chain(own.iter().skip(1).copied()).collect()
    }
}

/// The places where files may have a model's tensor, the likeliest first. Files of the model without its head, as older ones on hubs often
/// are, lack the first part of its name: `h.0.ln_1.weight` in place of `transformer.h.0.ln_1.weight`.
pub(crate) fn places(name: &str) -> impl Iterator<Item = Stored<'_>> {
    let first = name.contains(FIRST.0).then(|| name.replace(FIRST.0, FIRST.1).into());
    names(name).chain(first).flat_map(|name| {
        let without = name.split_once('.').map(|(_, rest)| Cow::Owned(rest.to_owned()));
        std::iter::once(name).chain(without).flat_map(with_stack)
    })
}

/// The places where adapters may have it, whose names are whole.
pub(crate) fn whole_places(name: &str) -> impl Iterator<Item = Stored<'_>> {
    names(name).flat_map(with_stack)
}

/// The names that a tensor or a module has in one version of transformers or another: first the model's.
pub(crate) fn names(name: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let renamed = RENAMED.iter().filter(|(one, _)| name.contains(one));
    std::iter::once(Cow::Borrowed(name)).chain(renamed.map(|(one, other)| name.replace(one, other).into()))
}

fn with_stack(name: Cow<'_, str>) -> impl Iterator<Item = Stored<'_>> {
    let stacked = in_stack(&name);
    std::iter::once(Stored { name, block: None }).chain(stacked)
}

/// The tensors with matrices of all experts that a module of that name holds, in its order.
pub(crate) fn stacks_of(module: &str) -> &'static [&'static str] {
    if module.ends_with(".experts") { &["gate_up_proj", "down_proj"] } else { &[] }
}

/// Where a tensor that holds all experts would have what one of them has under this name.
fn in_stack(name: &str) -> Option<Stored<'static>> {
    let (path, matrix) = name.strip_suffix(".weight")?.rsplit_once('.')?;
    let (experts, expert) = path.rsplit_once('.')?;
    let expert = expert.parse().ok().filter(|_| experts.ends_with(".experts"))?;
    let (_, stack, position, of_each) = *STACKED.iter().find(|(own, ..)| *own == matrix)?;
    Some(Stored { name: format!("{experts}.{stack}").into(), block: Some(Block { expert, position, of_each }) })
}

/// How many tensors of a model one of this name and shape may be, of which none is empty.
pub(crate) fn most_within(name: &str, shape: &[usize]) -> usize {
    let stacks = STACKED.iter().filter(|(_, stack, ..)| name.ends_with(&format!(".experts.{stack}")));
    match stacks.map(|(.., of_each)| of_each).next() {
        Some(of_each) if shape.len() == 3 && !shape.contains(&0) => shape[0].saturating_mul(*of_each),
        _ => 1,
    }
}
