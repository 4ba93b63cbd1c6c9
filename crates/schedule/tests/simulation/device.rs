//! A device that remembers what was written where, and checks that each row reads its own sequence and nothing else.

use std::collections::{HashMap, HashSet};

use schedule::{Limits, Plan};

use crate::text::{Cell, Text};

pub(crate) struct Device {
    limits: Limits,
    vocab: u32,
    /// By page, and place in it.
    pages: Vec<Vec<Option<Cell>>>,
    slots: Vec<Slot>,
}

/// What a slot holds: the state of models that sum up all tokens, and the token that was chosen last.
#[derive(Clone, Copy)]
struct Slot {
    state: Option<(usize, Cell)>,
    last: Option<u32>,
}

/// A row of either kind.
struct Row<'a> {
    id: u64,
    slot: u32,
    start: usize,
    tokens: Vec<u32>,
    pages: &'a [u32],
    is_chunk: bool,
    is_first: bool,
    chooses: bool,
    /// Tokens at the end that are proposed.
    proposed: usize,
}

impl Device {
    pub(crate) fn new(limits: &Limits, vocab: u32) -> Device {
        let empty = Slot { state: None, last: None };
        Device {
            pages: vec![vec![None; limits.page_tokens]; limits.pages],
            slots: vec![empty; limits.rows + 1],
            limits: limits.clone(),
            vocab,
        }
    }

    fn place(&self, pages: &[u32], position: usize) -> (usize, usize) {
        (pages[position / self.limits.page_tokens] as usize, position % self.limits.page_tokens)
    }

    /// Computes a plan. Gives the chosen tokens, of a row with proposals those that were right and the one behind.
    pub(crate) fn compute(&mut self, plan: &Plan<'_>, texts: &HashMap<u64, Text>) -> Vec<(u64, Vec<u32>)> {
        let froms: HashSet<u32> = plan.copies.iter().map(|copy| copy.0).collect();
        let tos: HashSet<u32> = plan.copies.iter().map(|copy| copy.1).collect();
        assert!(tos.len() == plan.copies.len() && froms.is_disjoint(&tos), "copies meet: {:?}", plan.copies);
        for &(from, to) in &plan.copies {
            assert!(to != 0 && from != 0);
            self.pages[to as usize] = self.pages[from as usize].clone();
        }
        let rows = self.rows(plan);
        let cells: Vec<Vec<Cell>> = rows.iter().map(|row| self.row(row, &texts[&row.id])).collect();
        self.check_writes(&rows);
        let mut chosen = Vec::new();
        for (row, cells) in rows.iter().zip(cells) {
            for (position, &cell) in (row.start..).zip(&cells) {
                if self.limits.page_tokens > 0 {
                    let (page, at) = self.place(row.pages, position);
                    self.pages[page][at] = Some(cell);
                }
            }
            let last = cells[cells.len() - 1];
            let slot = &mut self.slots[row.slot as usize];
            slot.state = Some((row.start + cells.len(), last));
            if row.chooses {
                let certain = cells.len() - row.proposed;
                let next: Vec<u32> = cells[certain - 1..].iter().map(|cell| cell.next(self.vocab)).collect();
                let proposed = &row.tokens[certain..];
                let right = proposed.iter().zip(&next).take_while(|(proposed, next)| proposed == next).count();
                slot.last = (row.proposed == 0).then_some(next[0]);
                chosen.push((row.id, next[..=right].to_vec()));
            }
        }
        chosen
    }

    fn rows<'a>(&self, plan: &Plan<'a>) -> Vec<Row<'a>> {
        let decode = plan.decode.iter().map(|row| Row {
            id: row.id,
            slot: row.slot,
            start: row.position,
            tokens: match row.tokens {
                [] => vec![self.slots[row.slot as usize].last.expect("a token was chosen in this slot")],
                tokens => tokens.to_vec(),
            },
            pages: row.pages,
            is_chunk: false,
            is_first: false,
            chooses: true,
            proposed: row.proposals().len(),
        });
        let prefill = plan.prefill.iter().map(|row| Row {
            id: row.id,
            slot: row.slot,
            start: row.start,
            tokens: row.tokens.to_vec(),
            pages: row.pages,
            is_chunk: true,
            is_first: row.is_first,
            chooses: row.is_last,
            proposed: 0,
        });
        decode.chain(prefill).collect()
    }

    /// What a row leaves, once it is sure that all it reads is its own.
    fn row(&self, row: &Row<'_>, text: &Text) -> Vec<Cell> {
        let (id, end) = (row.id, row.start + row.tokens.len());
        let certain = end - row.proposed;
        let agrees = row.tokens[..certain - row.start] == text.tokens[row.start..certain];
        assert!(agrees, "request {id}: what is fed at {}", row.start);
        let same = |cell: Cell, at: usize| {
            let is_same = cell.prefix == text.cells()[at].prefix;
            is_same && (!self.limits.chunk_aligned || cell.history == text.cells()[at].history)
        };
        let mut before = text.start();
        if self.limits.page_tokens > 0 {
            assert!(
                row.pages.len() * self.limits.page_tokens >= end && !row.pages.contains(&0),
                "request {id}: its table"
            );
            for at in 0..row.start {
                let (page, place) = self.place(row.pages, at);
                let cell = self.pages[page][place].filter(|cell| same(*cell, at));
                before = cell.unwrap_or_else(|| panic!("request {id} reads another's keys at {at}, page {page}"));
            }
        }
        if !self.limits.shares_prefixes && self.limits.proposals == 0 {
            let state = self.slots[row.slot as usize].state.filter(|_| !row.is_first);
            assert_eq!(state.map_or(0, |state| state.0), row.start, "request {id}: the tokens of its state");
            before = state.map_or(before, |state| state.1);
            assert!(row.start == 0 || same(before, row.start - 1), "request {id} has another's state");
        }
        let chunk = row.is_chunk.then_some((row.start, end));
        let mut cells = Vec::new();
        for (at, &token) in (row.start..).zip(&row.tokens) {
            before = before.then(token, chunk);
            assert!(same(before, at) || at >= certain, "request {id}: how the token at {at} is computed");
            cells.push(before);
        }
        cells
    }

    /// No row writes what another one reads or writes.
    fn check_writes(&self, rows: &[Row<'_>]) {
        if self.limits.page_tokens == 0 {
            return;
        }
        let pages_of = |tokens: usize| tokens.div_ceil(self.limits.page_tokens);
        let mut writers = HashMap::new();
        for row in rows {
            for &page in &row.pages[row.start / self.limits.page_tokens..pages_of(row.start + row.tokens.len())] {
                assert_eq!(writers.insert(page, row.id), None, "page {page} is written twice");
            }
        }
        for row in rows {
            for page in row.pages {
                let writer = writers.get(page).copied().unwrap_or(row.id);
                assert_eq!(writer, row.id, "page {page} is written by one and in the table of the other");
            }
        }
    }
}
