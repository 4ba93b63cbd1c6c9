//! What is computed where in a model. It changes no text: a program's lines are told apart by [`Places`] beside it.

use std::sync::Arc;

use crate::Graph;
use crate::ir::Inner;
use crate::param::Stack;

/// A module of a model, or another part of what a graph computes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Place {
    /// The module's path, with a `*` for each axis of `stack`.
    pub(crate) path: String,
    pub(crate) stack: Vec<Stack>,
    /// What it is for, in words that tables sum up by.
    pub(crate) part: &'static str,
}

/// In which pass something is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// As it was traced.
    #[default]
    Forward,
    /// Once more, for the backward pass.
    Recomputed,
    /// As the derivative of what was traced there.
    Backward,
}

/// The place by its position among [`Inner::places`], and the pass.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Here {
    pub(crate) place: u32,
    pub(crate) phase: Phase,
}

impl Here {
    /// Of a copy of a node that is here, in a graph that is at `now`: for the backward pass it is computed once more, unless it is of a
    /// derivative that was written by hand.
    pub(crate) fn copied(self, now: Here) -> Here {
        match now.phase {
            Phase::Backward if self.phase == Phase::Forward => Here { phase: Phase::Recomputed, ..self },
            _ => self,
        }
    }
}

/// What is traced while this lives is said to belong to a place; then to what it belonged to before.
#[must_use = "what is traced is at the place as long as this lives"]
pub struct Named<'g> {
    graph: &'g Graph,
    before: Here,
}

impl Drop for Named<'_> {
    fn drop(&mut self) {
        self.graph.with_mut(|inner| inner.here = self.before);
    }
}

impl Graph {
    /// Says that what is traced from here on is of the module at `path`, which has a `*` for each axis of `stack`, and for what that is there
    /// in words that tables sum up by; without `part`, for what the surrounding is. Its derivative bears the same name.
    pub fn named(&self, path: &str, stack: &[Stack], part: Option<&'static str>) -> Named<'_> {
        let before = self.with_mut(|inner| {
            let before = inner.here;
            let part = part.unwrap_or(inner.places[before.place as usize].part);
            let place = Place { path: path.to_owned(), stack: stack.to_vec(), part };
            inner.here.place = inner.place(place);
            before
        });
        Named { graph: self, before }
    }

    /// Says that what is traced from here on is for what `part` says, of the same module.
    pub fn named_part(&self, part: &'static str) -> Named<'_> {
        let place = self.with(|inner| Arc::clone(&inner.places[inner.here.place as usize]));
        self.named(&place.path, &place.stack, Some(part))
    }

    /// Says that what is traced from here on is a derivative that is written by hand, of what is traced there otherwise.
    pub fn named_backward(&self) -> Named<'_> {
        self.at(Here { phase: Phase::Backward, ..self.with(|inner| inner.here) })
    }

    /// Says that what is traced from here on stands where a node stands, in a pass.
    pub(crate) fn at(&self, here: Here) -> Named<'_> {
        Named { graph: self, before: self.with_mut(|inner| std::mem::replace(&mut inner.here, here)) }
    }
}

impl Inner {
    /// The position of a place, which is added if it is new.
    fn place(&mut self, place: Place) -> u32 {
        // What is traced is near what was traced just before.
        let known = self.places.iter().rposition(|known| **known == place);
        known.unwrap_or_else(|| {
            self.places.push(Arc::new(place));
            self.places.len() - 1
        }) as u32
    }
}

/// What a line of a program's text computes, and where in the model.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    /// The module's path, with `*` for the numbers of layers that a loop runs over.
    pub path: String,
    /// For what it is there, in words that tables sum up by.
    pub part: &'static str,
    /// In which pass.
    pub phase: Phase,
    /// The op that was traced.
    pub op: &'static str,
}

/// The labels of a program's lines.
///
/// A compiler keeps of each instruction the line that it comes from. So there need be no names in the text, which compiled programs are
/// cached by.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// The number of the line before the first that has a label; lines are counted from 1.
    pub(crate) before: usize,
    /// For each line the position of its label.
    pub(crate) lines: Vec<u32>,
    pub(crate) labels: Vec<Label>,
}

/// A program's text in which what a line computes is named after it, such as `line 31`, which crate `hlo` reads. XLA forgets where instructions come from where it divides a program among
/// devices, and keeps their names.
pub fn with_named_lines(text: &str) -> String {
    let mut named = String::with_capacity(text.len() * 5 / 4);
    for (number, line) in (1..).zip(text.lines()) {
        named.push_str(line);
        // What has regions ends some lines below, and is not named.
        let is_whole =
            line.trim_start().starts_with('%') && !line.ends_with(['{', '(']) && !line.contains("stablehlo.while");
        if is_whole {
            named.push_str(&format!(" loc(\"line {number}\")"));
        }
        named.push('\n');
    }
    named
}

impl Places {
    /// What the line of that number, counted from 1, computes; `None` where it is no line of the program's body.
    pub fn of_line(&self, number: usize) -> Option<&Label> {
        let place = number.checked_sub(self.before + 1)?;
        self.labels.get(*self.lines.get(place)? as usize)
    }
}
