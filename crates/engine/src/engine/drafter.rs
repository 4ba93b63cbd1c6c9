//! Proposals by a smaller model. It has a state of its own, whose pages have the same numbers as the model's, and computes what the model computes by the
//! same plans: so it knows each text as far as the model does, also where a text begins with pages of another, or loses its own and is computed again. What
//! it does not know makes its proposals worse, and nothing wrong.

use std::collections::{HashMap, VecDeque};

use runtime::Array;
use schedule::{Decode, Limits, Plan};

use super::room::{draft_shapes, remembered, state_size, text_pages};
use crate::Model;
use crate::batch::{Choice, Live, ProgramShape, Runner, Texts};
use crate::draft::Draft;
use crate::engine::EngineOptions;
use crate::error::{Error, Result};
use crate::memory::Room;

/// The smaller model, and what it has on the device.
pub(super) struct Drafter<'m, 's> {
    pub(super) runner: Runner<'m, 's>,
    /// Tokens of the longest text that it is meant for.
    longest: usize,
    /// Whether there is no room for its state.
    is_off: bool,
    /// Whether it was said that for some text nothing is proposed any more.
    has_warned: bool,
}

/// A text that goes on.
struct Text {
    /// The token that was chosen last and those that are proposed behind it.
    fed: Vec<u32>,
    /// How many there are to be proposed.
    most: usize,
}

/// A step that has begun.
struct Begun {
    logits: Array,
    /// Rows of logits, of which the first are those of the texts.
    rows: usize,
    ids: Vec<u64>,
}

impl<'m, 's> Drafter<'m, 's> {
    /// One that follows `model`, with a state for the same limits.
    pub(super) fn new(
        draft: Draft<'m, 's>,
        model: &Model<'_>,
        options: &EngineOptions,
        limits: &Limits,
    ) -> Result<Drafter<'m, 's>> {
        let (size, shapes) = (state_size(limits), draft_shapes(model, draft.model, options, limits)?);
        let plan = draft.model.plan();
        let room = Room::of(draft.model.session(), plan.device_count());
        let mut runner = Runner::new(draft.model, size, shapes, None, room);
        runner.begin_anew(size, shapes.pages, remembered(limits))?;
        Ok(Drafter { runner, longest: plan.longest(), is_off: false, has_warned: false })
    }

    /// Makes its state one for `limits`. What it holds stays if `grows` and there is room for both; where there is none for the new one alone, nothing is
    /// proposed.
    pub(super) fn resize(&mut self, limits: &Limits, grows: bool) -> Result<()> {
        let (size, pages, tokens) = (state_size(limits), text_pages(limits), remembered(limits));
        let grown = match grows && !self.is_off {
            true => self.runner.grow(size, pages, tokens),
            false => self.runner.begin_anew(size, pages, tokens),
        };
        let begun = match grown {
            Err(Error::TooLarge { .. }) if grows => self.runner.begin_anew(size, pages, tokens),
            grown => grown,
        };
        self.is_off = matches!(begun, Err(Error::TooLarge { .. }));
        match begun {
            Err(error @ Error::TooLarge { .. }) => {
                tracing::warn!("the draft model proposes nothing: {error}");
                self.runner.let_go();
                Ok(())
            }
            begun => begun,
        }
    }

    /// Fills its state with zeros.
    pub(super) fn clear(&mut self) -> Result<()> {
        if self.is_off { Ok(()) } else { self.runner.clear() }
    }

    /// Makes the program by which one text of `tokens` tokens goes on, if there is room.
    pub(super) fn prepare(&mut self, tokens: usize) -> Result<()> {
        match self.runner.make(ProgramShape::Step(self.runner.decode_shape(tokens))) {
            Err(Error::TooLarge { .. }) => Ok(()),
            made => made,
        }
    }

    /// How many of `most` tokens it can propose behind a text of so many.
    pub(super) fn most(&self, live: &Live, tokens: usize, most: usize) -> usize {
        match live.has_draft && !self.is_off {
            true => most.min(self.longest.saturating_sub(tokens)),
            false => 0,
        }
    }

    /// Computes what a plan does, and for each row that goes on what it is to be fed: in place of what is proposed there, which was told of places alone, as
    /// many tokens or fewer.
    pub(super) fn propose(&mut self, plan: &Plan<'_>, live: &mut HashMap<u64, Live>) -> Result<Vec<(u64, Vec<u32>)>> {
        let mut texts: HashMap<u64, Text> = HashMap::new();
        if !self.is_off {
            self.runner.copy(&plan.copies)?;
            let known = |id: u64, end: usize| {
                let follows = live.get(&id).is_some_and(|live| live.has_draft && live.max_tokens > 0);
                follows && end <= self.longest
            };
            let prefill = plan.prefill.iter().filter(|chunk| known(chunk.id, chunk.start + chunk.tokens.len()));
            let prefill = prefill.cloned().collect();
            let goes_on = plan.decode.iter().filter(|row| known(row.id, row.position + 1));
            let begin = |row: &Decode<'_>| {
                let fed = row.tokens.iter().take(1).copied().collect();
                (row.id, Text { fed, most: row.proposals().len() })
            };
            texts.extend(goes_on.map(begin));
            self.begin(Plan { prefill, ..Plan::default() }, live)?;
            let mut at = 0;
            while self.go_on(&plan.decode, at, &mut texts, live)? {
                at += 1;
            }
        }
        let fed = plan.decode.iter().map(|row| {
            let fed = texts.remove(&row.id).map(|text| text.fed);
            (row.id, fed.unwrap_or_else(|| row.tokens.iter().take(1).copied().collect()))
        });
        Ok(fed.collect())
    }

    /// Feeds each text the token at `at` of those that it is fed, if it has so many, and chooses the one behind as the model would. The last that is proposed
    /// is fed too: its keys and values are there if it is right. Gives whether there was one.
    fn go_on(
        &mut self,
        rows: &[Decode<'_>],
        at: usize,
        texts: &mut HashMap<u64, Text>,
        live: &mut HashMap<u64, Live>,
    ) -> Result<bool> {
        let fed = rows.iter().filter_map(|row| {
            let tokens = texts.get(&row.id)?.fed.get(at..=at)?;
            Some(Decode { position: row.position + at, tokens, ..row.clone() })
        });
        let decode: Vec<_> = fed.collect();
        if decode.is_empty() {
            return Ok(false);
        }
        let mut outcomes = Vec::new();
        for Begun { logits, rows, mut ids } in self.begin(Plan { decode, ..Plan::default() }, live)? {
            let mut choices = vec![Choice::default(); rows];
            for (choice, id) in choices.iter_mut().zip(&mut ids) {
                let text = texts.get(id).filter(|text| at < text.most);
                let Some((text, live)) = text.zip(live.get_mut(id)) else { continue };
                // Of a text that is held to a form nothing is proposed, so that nothing can fail.
                let Ok(own) = live.choice(None, &text.fed[1..]) else { continue };
                *choice = Choice { logprobs: None, ..own };
            }
            if ids.iter().any(|id| texts.get(id).is_some_and(|text| at < text.most)) {
                outcomes.push((self.runner.choose(logits, &choices)?, ids));
            }
        }
        for (outcome, ids) in outcomes {
            for (row, id) in self.runner.read(outcome)?.iter().zip(ids) {
                let Some(text) = texts.get_mut(&id).filter(|text| at < text.most) else { continue };
                match u32::try_from(row.token) {
                    Ok(token) => text.fed.push(token),
                    Err(_) => self.give_up(id, live, "its logits are not numbers"),
                }
            }
        }
        Ok(true)
    }

    /// Begins to compute a plan: in parts, where there is no room for all at once. For a text of which there is none for the smallest nothing is proposed any
    /// more.
    fn begin(&mut self, plan: Plan<'_>, live: &mut HashMap<u64, Live>) -> Result<Vec<Begun>> {
        let (mut steps, mut begun) = (VecDeque::from([plan]), Vec::new());
        while let Some(step) = steps.pop_front() {
            if step.is_empty() {
                continue;
            }
            let length = |id: u64| live.get(&id).map_or(0, |live| live.length());
            let texts = Texts { length: &length, scored: None, prompt: &|_| &[], places: &|_| None };
            match self.runner.begin(&step, texts) {
                Ok((shape, logits, _)) => begun.push(Begun { logits, rows: shape.rows(), ids: step.ids().collect() }),
                Err(error @ Error::TooLarge { .. }) => match step.halves(self.runner.chunk_least()) {
                    Ok(halves) => halves.into_iter().rev().for_each(|half| steps.push_front(half)),
                    Err(step) => step.ids().for_each(|id| self.give_up(id, live, &error.to_string())),
                },
                Err(error) => return Err(error),
            }
        }
        Ok(begun)
    }

    /// Proposes nothing for a text from here on.
    fn give_up(&mut self, id: u64, live: &mut HashMap<u64, Live>, reason: &str) {
        if let Some(live) = live.get_mut(&id) {
            live.has_draft = false;
        }
        if !std::mem::replace(&mut self.has_warned, true) {
            tracing::warn!("the draft model proposes nothing for some texts: {reason}");
        }
    }
}
