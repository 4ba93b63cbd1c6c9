//! What each line of the text computes: the places of the nodes that it is written for, with the numbers of unrolled layers.

use std::collections::HashMap;
use std::sync::Arc;

use crate::place::Place;
use crate::{Axis, Label, Phase, Places};

/// The labels of the lines so far, and that of those to come.
#[derive(Default)]
pub(super) struct Labels {
    now: Option<Now>,
    /// The positions along unrolled axes.
    at: Vec<(&'static str, usize)>,
    /// The label of `now`, once a line has it.
    current: Option<u32>,
    known: HashMap<Label, u32>,
    labels: Vec<Label>,
    lines: Vec<u32>,
}

/// A node that is being written.
pub(super) struct Now {
    place: Arc<Place>,
    phase: Phase,
    op: &'static str,
}

impl Labels {
    /// What is written from here on is of a node; gives back of which it was.
    pub(super) fn enter(&mut self, place: Arc<Place>, phase: Phase, op: &'static str) -> Option<Now> {
        self.current = None;
        self.now.replace(Now { place, phase, op })
    }

    /// What is written from here on is of that node again.
    pub(super) fn leave(&mut self, around: Option<Now>) {
        self.current = None;
        self.now = around;
    }

    /// What is written from here on stands at a position along unrolled axes.
    pub(super) fn go_in(&mut self, positions: impl IntoIterator<Item = (Axis, usize)>) {
        self.current = None;
        self.at.extend(positions.into_iter().map(|(axis, position)| (axis.name, position)));
    }

    /// Ends what [`Labels::go_in`] began for so many axes.
    pub(super) fn go_out(&mut self, axes: usize) {
        self.current = None;
        self.at.truncate(self.at.len().saturating_sub(axes));
    }

    /// Notes that a line was written.
    pub(super) fn line(&mut self) {
        let label = match self.current {
            Some(label) => label,
            None => {
                let label = self.label();
                let next = self.labels.len() as u32;
                *self.known.entry(label).or_insert_with_key(|label| {
                    self.labels.push(label.clone());
                    next
                })
            }
        };
        self.current = Some(label);
        self.lines.push(label);
    }

    fn label(&self) -> Label {
        let Some(Now { place, phase, op }) = &self.now else {
            return Label { path: String::new(), part: "", phase: Phase::Forward, op: "" };
        };
        let mut pieces = place.path.split('*');
        let mut path = pieces.next().unwrap_or_default().to_owned();
        for (star, piece) in pieces.enumerate() {
            let position = place.stack.get(star).and_then(|stack| {
                let at = self.at.iter().rfind(|(axis, _)| *axis == stack.axis.name)?;
                Some(stack.number(at.1))
            });
            path.push_str(&position.map_or_else(|| "*".to_owned(), |number| number.to_string()));
            path.push_str(piece);
        }
        Label { path, part: place.part, phase: *phase, op }
    }

    /// The labels of a text in which so many lines stand before the first.
    pub(super) fn places(self, before: usize) -> Places {
        Places { before, lines: self.lines, labels: self.labels }
    }
}
