//! Adapters are brought to the device for the answers that wait for them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Engine;
use super::pending::Place;
use crate::adapters::{Broken, Standing};
use crate::batch::{Live, Places};
use crate::error::Result;
use crate::service::{Event, Failure, Refusal};

/// What an answer waits for once its adapter was looked at.
enum Wait {
    /// Nothing: it has begun, or ended.
    Over,
    /// Its adapter is being read.
    Reading,
    /// Answers with other adapters have to end, or those to be read.
    Room,
}

impl Engine<'_, '_> {
    /// Begins the answers whose adapters are on the device.
    pub(super) fn bring_adapters(&mut self) -> Result<()> {
        self.adapters.receive(false);
        self.take_looks();
        self.take_unloading();
        self.adapters.sweep(self.runner.pool());
        for generation in self.adapters.absent_pins() {
            self.runner.bring(&mut self.adapters, generation, false)?;
        }
        self.tell_of_found()?;
        // Only who is first may take from host memory what others wait for, and so all come to be first.
        let (mut at, mut is_first) = (None, true);
        while let Some(place) = self.pending.behind(at) {
            if self.is_enough_held(place) {
                break;
            }
            at = Some(place);
            match self.bring_adapter_of(place, is_first)? {
                Wait::Over => {}
                Wait::Reading => is_first = false,
                Wait::Room => {
                    self.pass(place);
                    break;
                }
            }
        }
        Ok(())
    }

    /// Whether as many answers as there are rows have begun before the one in a place, or beside it, and wait for a row. Who has begun keeps its adapter on the
    /// device, and so places there from whoever is to go before: more would not be computed soon.
    fn is_enough_held(&self, place: Place) -> bool {
        self.held.range(..=place.priority()).map(|(_, count)| count).sum::<usize>() >= self.limits.rows
    }

    /// Takes note of adapters that were sought, for all answers that wait for them: whoever made a name up is refused, however many go before.
    fn tell_of_found(&mut self) -> Result<()> {
        let settled = self.adapters.take_settled();
        let mut at = None;
        while let Some(place) = self.pending.behind(at).filter(|_| !settled.is_empty()) {
            at = Some(place);
            let Some(live) = self.pending.get_mut(place) else { continue };
            match live.adapter.and_then(|generation| settled.get(&generation)) {
                Some(true) if live.is_seeking => live.find(),
                Some(false) => _ = self.bring_adapter_of(place, false)?,
                Some(true) | None => {}
            }
        }
        Ok(())
    }

    /// Begins an answer if its adapter is on the device, or brings that nearer.
    fn bring_adapter_of(&mut self, place: Place, is_first: bool) -> Result<Wait> {
        loop {
            let Some(generation) = self.wanted(place) else { return Ok(Wait::Over) };
            let standing = self.runner.bring(&mut self.adapters, generation, is_first)?;
            self.note_found(place, generation, &standing);
            match standing {
                Standing::NoRoom => return Ok(Wait::Room),
                Standing::Coming => return Ok(Wait::Reading),
                Standing::Ready(places) => {
                    self.begin_with(place, generation, places);
                    return Ok(Wait::Over);
                }
                // Nothing of the answer has been computed.
                Standing::Replaced(next) => {
                    self.adapters.change_over(generation, next, self.runner.pool());
                    if let Some(live) = self.pending.get_mut(place) {
                        live.adapter = Some(next);
                    }
                }
                Standing::Broken(Broken { fault, reason }) => {
                    if let Some(live) = self.pending.remove(place) {
                        let name = live.adapter_name.clone();
                        self.leave(live, Some(Event::Failed(Failure::Adapter { name, reason, fault })));
                    }
                    return Ok(Wait::Over);
                }
                Standing::Absent => {
                    if let Some(live) = self.pending.remove(place) {
                        let refusal = Refusal::NoSuchAdapter(live.adapter_name.clone());
                        self.leave(live, Some(Event::Failed(Failure::Refused(refusal))));
                    }
                    return Ok(Wait::Over);
                }
            }
        }
    }

    /// Counts an answer among those with its adapter as soon as there is known to be one.
    fn note_found(&mut self, place: Place, generation: u64, standing: &Standing) {
        if *standing == Standing::Absent || self.adapters.is_sought(generation) {
            return;
        }
        if let Some(live) = self.pending.get_mut(place).filter(|live| live.is_seeking) {
            live.find();
        }
    }

    /// The generation that the answer in a place waits for; one that nobody wants any more is let go.
    fn wanted(&mut self, place: Place) -> Option<u64> {
        let live = self.pending.get_mut(place)?;
        if !live.is_abandoned() {
            return live.adapter;
        }
        let live = self.pending.remove(place)?;
        self.leave(live, None);
        None
    }

    /// Begins an answer with an adapter that is on the device.
    fn begin_with(&mut self, place: Place, generation: u64, places: Arc<Places>) {
        if let Some(mut live) = self.pending.begin(place) {
            live.places = Some(places);
            if live.is_seeking {
                live.find();
            }
            self.adapters.begin(generation);
            if live.is_empty() {
                return self.leave_empty(live);
            }
            *self.held.entry(live.priority).or_default() += 1;
            self.arrive_first(live);
        }
    }

    /// Begins answers behind one that waits for room which need none, since their adapters are on the device: those with adapters that have to go for it
    /// only of its priority, and not for ever. Those that nobody wants any more are let go also where no more may pass.
    fn pass(&mut self, first: Place) {
        let waits_for = self.pending.get_mut(first).and_then(|live| live.adapter);
        let pool = self.runner.pool().as_ref();
        let in_the_way = waits_for.map(|generation| self.adapters.in_the_way_of(generation, pool)).unwrap_or_default();
        let mut at = first;
        while let Some(place) = self.pending.behind(Some(at)) {
            at = place;
            let Some(generation) = self.wanted(place) else { continue };
            if self.is_enough_held(place) {
                continue;
            }
            let Some(places) = self.adapters.on_device(generation) else { continue };
            let holds_up = in_the_way.is_empty() || in_the_way.contains(&generation);
            if holds_up && (place.priority() > first.priority() || !self.pending.lets_pass(first)) {
                continue;
            }
            self.begin_with(place, generation, places);
        }
    }
}

/// Takes note that an answer waits for a row no more, if it has begun with its adapter.
pub(super) fn note_row(held: &mut BTreeMap<i32, usize>, live: &Live) {
    if live.places.is_none() || live.has_started {
        return;
    }
    if let Some(count) = held.get_mut(&live.priority) {
        *count -= 1;
        if *count == 0 {
            held.remove(&live.priority);
        }
    }
}
