//! The program of a step over many texts, and the numbers that it is given. They go to the device as one array, because each transfer takes as
//! long as a small one.

use std::ops::Range;

use graph::{Axis, DType, Graph, Program, Tensor};
use models::{AdapterPool, RaggedPart, RowAdapters, StateSize};
use schedule::Plan;

use super::Places;
use super::scores::{scored, scored_rows};
use crate::ModelPlan;
use crate::error::Result;

/// All numbers of a step, i32.
pub(crate) const NUMBERS: &str = "numbers";
/// The token that was chosen last in each slot, i32 (state_slot).
pub(crate) const CHOSEN: &str = "chosen";

/// What a step's program is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct StepShape {
    /// Rows that decode.
    pub(crate) decode: usize,
    /// Tokens of each that the host gives, with logits behind each. 0: one, that was chosen last and is on the device.
    pub(crate) fed: usize,
    /// Rows of prompts, each of one; a prompt may have several.
    pub(crate) prompts: usize,
    /// Tokens of each of those.
    pub(crate) chunk: usize,
    /// Pages that are read of each text, from the first on; 0 for models without keys and values.
    pub(crate) pages: usize,
    /// Ranks of a row's adapter; 0: no row has one.
    pub(crate) ranks: usize,
    /// Whether a row's adapter is DoRA's.
    pub(crate) stretches: bool,
    /// Whether prompts are scored, and how many of the likeliest tokens are told of each place. No row decodes then.
    pub(crate) scored: Option<usize>,
}

/// What numbers the rows of a part are given, and where they stand among all.
struct Fields {
    decodes: bool,
    /// Whether the host gives the tokens.
    is_given: bool,
    rows: usize,
    chunk: usize,
    ids: Range<usize>,
    /// The token behind each.
    targets: Range<usize>,
    start: Range<usize>,
    count: Range<usize>,
    length: Range<usize>,
    slot: Range<usize>,
    pages: Range<usize>,
    ranks: Range<usize>,
    stretch: Range<usize>,
}

/// What a plan does not say of the texts whose rows it has.
pub(crate) struct Texts<'a> {
    /// How many tokens a text has.
    pub(crate) length: &'a dyn Fn(u64) -> usize,
    /// Whether the prompts are scored, and how many of the likeliest tokens are told at most.
    pub(crate) scored: Option<usize>,
    /// The prompt of a text that is scored.
    pub(crate) prompt: &'a dyn Fn(u64) -> &'a [u32],
    /// What a text's adapter has of the pool, if it has one.
    pub(crate) places: &'a dyn Fn(u64) -> Option<&'a Places>,
}

impl StepShape {
    /// Tokens of a row that decodes, with their padding.
    pub(crate) fn width(&self) -> usize {
        self.fed.max(1)
    }

    /// Rows of logits.
    pub(crate) fn rows(&self) -> usize {
        self.decode * self.width() + self.prompts
    }

    /// Tokens with their padding.
    fn tokens(&self) -> usize {
        self.decode * self.width() + self.prompts * self.chunk
    }

    /// The rows of logits behind the prompts of a plan that fits, one behind each prompt's last token.
    pub(crate) fn prompt_rows(&self, plan: &Plan<'_>) -> impl Iterator<Item = usize> {
        let own = plan.prefill.iter().map(|prefill| prefill.tokens.len().div_ceil(self.chunk));
        own.scan(self.decode * self.width(), |end, rows| {
            *end += rows;
            Some(*end - 1)
        })
    }

    fn parts(&self, takes_length: bool) -> Vec<Fields> {
        let mut end = 0;
        let mut next = |size: usize| {
            end += size;
            end - size..end
        };
        let parts = [(true, self.decode, self.width(), self.fed > 0), (false, self.prompts, self.chunk, true)];
        let parts = parts.into_iter().filter(|(_, rows, ..)| *rows > 0);
        let parts = parts.map(|(decodes, rows, chunk, is_given)| Fields {
            decodes,
            is_given,
            rows,
            chunk,
            ids: next(if is_given { rows * chunk } else { 0 }),
            targets: next(if self.scored.is_some() { rows * chunk } else { 0 }),
            start: next(rows),
            count: next(rows),
            length: next(if takes_length { rows } else { 0 }),
            slot: next(rows),
            pages: next(rows * self.pages),
            ranks: next(rows * self.ranks),
            stretch: next(if self.stretches { rows } else { 0 }),
        });
        parts.collect()
    }

    /// The numbers of a step for a plan that fits; `takes_length`: of a model that depends on texts' lengths.
    pub(crate) fn numbers(&self, plan: &Plan<'_>, texts: &Texts<'_>, takes_length: bool) -> Vec<i32> {
        let parts = self.parts(takes_length);
        let mut numbers = vec![0; parts.last().map_or(0, |part| part.stretch.end)];
        let mut copy = |to: usize, from: &[u32]| {
            numbers[to..to + from.len()].iter_mut().zip(from).for_each(|(to, from)| *to = *from as i32);
        };
        let mut fill = |part: &Fields, row: usize, given: Row<'_>| {
            let Row { id, start, count, slot, pages, tokens } = given;
            copy(part.ids.start + row * part.chunk, tokens);
            if !part.targets.is_empty() {
                let following = (texts.prompt)(id).get(start + 1..).unwrap_or_default();
                copy(part.targets.start + row * part.chunk, &following[..following.len().min(count)]);
            }
            copy(part.start.start + row, &[start as u32]);
            copy(part.count.start + row, &[count as u32]);
            copy(part.slot.start + row, &[slot]);
            if takes_length {
                copy(part.length.start + row, &[(texts.length)(id).max(start + count) as u32]);
            }
            copy(part.pages.start + row * self.pages, &pages[..pages.len().min(self.pages)]);
            if let Some(places) = (texts.places)(id) {
                copy(part.ranks.start + row * self.ranks, &places.ranks);
                if self.stretches {
                    copy(part.stretch.start + row, &[places.stretch]);
                }
            }
        };
        for part in &parts {
            if part.decodes {
                for (row, decode) in plan.decode.iter().enumerate() {
                    let (id, start, slot, pages) = (decode.id, decode.position, decode.slot, decode.pages);
                    let tokens = if part.is_given { decode.tokens } else { &[] };
                    fill(part, row, Row { id, start, slot, pages, tokens, count: decode.count() });
                }
            } else {
                let rows = plan.prefill.iter().flat_map(|prefill| {
                    let starts = (prefill.start..).step_by(part.chunk);
                    starts.zip(prefill.tokens.chunks(part.chunk)).map(move |row| (prefill, row))
                });
                for (row, (prefill, (start, tokens))) in rows.enumerate() {
                    let (id, slot, pages) = (prefill.id, prefill.slot, prefill.pages);
                    fill(part, row, Row { id, start, slot, pages, tokens, count: tokens.len() });
                }
            }
        }
        numbers
    }
}

/// What is said of a row. What is decoded may have its token on the device.
struct Row<'a> {
    id: u64,
    start: usize,
    count: usize,
    slot: u32,
    pages: &'a [u32],
    tokens: &'a [u32],
}

/// Arguments: the parameters, the state, the numbers and the tokens chosen last. Results: logits (batch, vocab) behind each row, or each of its tokens if the host gives it several, in f32,
/// what [`scored`] gives where prompts are scored, and the state in place of that before.
pub(crate) fn step_program(
    plan: &ModelPlan,
    shape: StepShape,
    size: StateSize,
    pool: Option<&AdapterPool>,
) -> Result<Program> {
    let graph = plan.graph();
    let scope = plan.scope(&graph);
    let takes_length = plan.model.depends_on_length();
    let fields = shape.parts(takes_length);
    let all = Axis::new("number", fields.last().map_or(0, |part| part.stretch.end));
    let numbers = graph.input(NUMBERS, DType::I32, &[all]);
    let parts: Vec<_> = fields.iter().map(|fields| fields.part(numbers, takes_length, shape)).collect();
    let ids: Vec<_> = fields.iter().zip(&parts).map(|(fields, part)| fields.ids(&graph, numbers, part, size)).collect();
    let ids =
        Tensor::concat(&ids, "number").split("number", &[Axis::new("batch", 1), Axis::new("position", shape.tokens())]);
    let before = plan.model.ragged_state_inputs(&scope, size);
    let of_rows = |fields: &Fields| fields.rows_of(numbers, &fields.stretch);
    let adapters = pool
        .filter(|_| shape.ranks > 0)
        .map(|pool| RowAdapters { pool, stretches: shape.stretches.then(|| fields.iter().map(of_rows).collect()) });
    let most = if shape.scored.is_some() { scored_rows(plan.model.sizes().vocab_size) } else { usize::MAX };
    let (pieces, after) =
        plan.model.ragged_step_in_pieces(&scope, ids, &parts, size.page_tokens, &before, adapters, most);
    let results = match (shape.scored, &fields[..], &parts[..]) {
        (Some(likeliest), [fields], [part]) => {
            let targets = numbers.slice("number", fields.targets.start, fields.targets.len());
            scored(&pieces, part, targets.rename("number", "batch"), likeliest)
        }
        _ => vec![("logits", pieces[0].cast(DType::F32))],
    };
    let first = results.len();
    let outputs: Vec<_> = results.into_iter().chain(after.iter().map(|state| ("state", *state))).collect();
    let donate: Vec<_> = before.iter().enumerate().map(|(at, state)| (*state, first + at)).collect();
    Ok(graph.lower_unrolled("step", &outputs, &donate, plan.layers.unrolled())?)
}

impl Fields {
    fn rows_of<'g>(&self, numbers: Tensor<'g>, range: &Range<usize>) -> Tensor<'g> {
        numbers.slice("number", range.start, range.len()).rename("number", "batch")
    }

    fn part<'g>(&self, numbers: Tensor<'g>, takes_length: bool, shape: StepShape) -> RaggedPart<'g> {
        let of_rows = |range| self.rows_of(numbers, range);
        let table = |range: &Range<usize>, name, size: usize| {
            (size > 0).then(|| {
                let table = numbers.slice("number", range.start, range.len());
                table.split("number", &[Axis::new("batch", self.rows), Axis::new(name, size)])
            })
        };
        RaggedPart {
            rows: self.rows,
            chunk: self.chunk,
            start: of_rows(&self.start),
            count: of_rows(&self.count),
            // Where a row goes on by several tokens, each is rotated as if it was computed alone.
            length: (takes_length && !(self.decodes && self.chunk > 1)).then(|| of_rows(&self.length)),
            pages: table(&self.pages, "seen_page", shape.pages),
            slot: of_rows(&self.slot),
            ranks: table(&self.ranks, "rank", shape.ranks),
            each: shape.scored.is_some() || self.decodes && self.chunk > 1,
        }
    }

    /// The part's tokens, i32 (number): where the host does not give them they are what was chosen last.
    fn ids<'g>(&self, graph: &'g Graph, numbers: Tensor<'g>, part: &RaggedPart<'g>, size: StateSize) -> Tensor<'g> {
        match self.is_given {
            false => {
                let chosen = graph.input(CHOSEN, DType::I32, &[Axis::new("state_slot", size.slots)]);
                chosen.take("state_slot", part.slot).rename("batch", "number")
            }
            true => numbers.slice("number", self.ids.start, self.ids.len()),
        }
    }
}

#[cfg(test)]
mod tests;
