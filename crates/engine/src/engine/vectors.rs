//! Texts whose vectors are asked for: computed between steps, one at a time or as many as a program takes.

use std::collections::VecDeque;
use std::time::Instant;

use tokio::sync::oneshot;

use super::Engine;
use super::maker::{Made, ProgramMaker};
use crate::embedder::Embedder;
use crate::error::{Error, Result};
use crate::service::{CountedText, Failure, Pooling, Refusal};

/// A text whose vector is asked for.
pub(super) struct Asked {
    /// Who asks.
    pub(super) key: u64,
    pub(super) tokens: Vec<u32>,
    pub(super) pooling: Pooling,
    pub(super) reply: oneshot::Sender<std::result::Result<Vec<f32>, Failure>>,
    /// Its part of the counts.
    pub(super) counted: CountedText,
}

impl Asked {
    pub(super) fn answer(self, vector: std::result::Result<Vec<f32>, Failure>) {
        drop(self.counted);
        let _ = self.reply.send(vector);
    }
}

/// Texts that wait, key after key: one with thousands of them keeps the first of another no longer than one of its own does. A key's are in the order in which they
/// came. In the order of `Pending` the turn of who passes others does not come, and a text that waits for its program may be passed for minutes.
#[derive(Default)]
pub(super) struct Waiting {
    /// The keys in the order in which it is their turn, with their texts. None is empty.
    keys: VecDeque<(u64, VecDeque<Asked>)>,
}

impl Waiting {
    pub(super) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    fn all(&self) -> impl Iterator<Item = &Asked> {
        self.keys.iter().flat_map(|(_, texts)| texts)
    }

    fn push(&mut self, asked: Asked) {
        match self.keys.iter_mut().find(|(key, _)| *key == asked.key) {
            Some((_, texts)) => texts.push_back(asked),
            None => self.keys.push_back((asked.key, [asked].into())),
        }
    }

    /// Takes the next key's first text that is wanted; its next turn is behind those of the others.
    fn take(&mut self, is_wanted: impl Fn(&Asked) -> bool) -> Option<Asked> {
        let first =
            |(turn, (_, texts)): (usize, &(u64, VecDeque<Asked>))| Some((turn, texts.iter().position(&is_wanted)?));
        let (turn, place) = self.keys.iter().enumerate().find_map(first)?;
        self.give(turn, place)
    }

    /// Takes up to `count` texts that fit beside the next one, in rounds in which each key gives one. A key that gives the first of its texts that are wanted has
    /// had its turn, and one whose first is passed has it still: that one is next. A text that is not wanted yet keeps no turn for its key, which would have more
    /// than the others for as long as that is so.
    fn take_beside(
        &mut self,
        count: usize,
        is_wanted: impl Fn(&Asked) -> bool,
        fits: impl Fn(&Asked) -> bool,
    ) -> Vec<Asked> {
        let mut taken = Vec::new();
        loop {
            let before = taken.len();
            // Those before this one have been passed in this round. Those that gave their first are behind all that are yet to come.
            let mut turn = 0;
            for _ in 0..self.keys.len() {
                if taken.len() == count {
                    return taken;
                }
                let (_, texts) = &self.keys[turn];
                let Some(place) = texts.iter().position(&fits) else {
                    turn += 1;
                    continue;
                };
                if texts.iter().take(place).any(&is_wanted) {
                    taken.extend(self.keys[turn].1.remove(place));
                    turn += 1;
                } else {
                    taken.extend(self.give(turn, place));
                }
            }
            if taken.len() == before {
                return taken;
            }
        }
    }

    /// Takes a text of the key at `turn`, whose next turn is behind those of the others.
    fn give(&mut self, turn: usize, place: usize) -> Option<Asked> {
        let (key, mut texts) = self.keys.remove(turn)?;
        let asked = texts.remove(place);
        if !texts.is_empty() {
            self.keys.push_back((key, texts));
        }
        asked
    }

    /// Puts back what was taken and cannot be computed yet: it is its key's turn again.
    fn put_back(&mut self, asked: Asked) {
        let place = self.keys.iter().position(|(key, _)| *key == asked.key);
        let (key, mut texts) =
            place.and_then(|place| self.keys.remove(place)).unwrap_or_else(|| (asked.key, VecDeque::new()));
        texts.push_front(asked);
        self.keys.push_front((key, texts));
    }

    /// Takes all texts that are wanted.
    pub(super) fn take_all(&mut self, is_wanted: impl Fn(&Asked) -> bool) -> Vec<Asked> {
        let mut taken = Vec::new();
        for (_, texts) in &mut self.keys {
            let (wanted, others): (VecDeque<_>, VecDeque<_>) = std::mem::take(texts).into_iter().partition(&is_wanted);
            taken.extend(wanted);
            *texts = others;
        }
        self.keys.retain(|(_, texts)| !texts.is_empty());
        taken
    }
}

/// Whether the program of a text is being made.
fn awaits_program(maker: Option<&ProgramMaker>, embedder: &Embedder<'_, '_>, asked: &Asked) -> bool {
    maker.is_some_and(|maker| maker.is_making(embedder.row(asked.tokens.len())))
}

impl Engine<'_, '_> {
    /// Takes a text up, or refuses it.
    pub(super) fn ask(&mut self, adapter: Option<String>, asked: Asked) {
        let refusal = match adapter {
            Some(name) => {
                return self.adapters.tell(name.clone(), move |entry| {
                    let refusal = match entry {
                        Some(_) => Refusal::VectorOfAdapter(name),
                        None => Refusal::NoSuchAdapter(name),
                    };
                    asked.answer(Err(Failure::Refused(refusal)));
                });
            }
            None => match self.embedder.check(&asked.tokens) {
                Ok(()) => return self.embeddings.push(asked),
                Err(Error::EmptyPrompt) => Refusal::Empty,
                Err(Error::Token { id, vocab_size }) => Refusal::Token { id, vocab_size },
                Err(Error::Context { tokens, context }) => Refusal::TooLong { tokens, context, is_answered: false },
                Err(error) => return asked.answer(Err(Failure::Device(error.to_string()))),
            },
        };
        asked.answer(Err(Failure::Refused(refusal)));
    }

    /// Whether there is a text whose vector waits for nothing but the device.
    pub(super) fn has_vectors_to_compute(&self) -> bool {
        self.embeddings.all().any(|asked| !awaits_program(self.maker.as_ref(), &self.embedder, asked))
    }

    /// Tells the counts which texts wait for programs.
    fn count_programs_awaited(&mut self) {
        let (maker, embedder) = (self.maker.as_ref(), &self.embedder);
        for asked in self.embeddings.keys.iter_mut().flat_map(|(_, texts)| texts) {
            let awaits = awaits_program(maker, embedder, asked);
            asked.counted.await_program(awaits);
        }
    }

    /// Computes the vectors of a program's texts, unless it is the turn of answers under way: those have as much time between two programs as the first of
    /// them took, which is a step's or hundreds'.
    ///
    /// # Errors
    /// As [`Engine::embed_next`].
    pub(super) fn embed_in_turn(&mut self) -> Result<()> {
        let began = Instant::now();
        if !self.live.is_empty() && began < self.answers_turn {
            return Ok(());
        }
        let computed = self.embed_next();
        let ended = Instant::now();
        self.answers_turn = ended + (ended - began);
        computed
    }

    /// Computes the vector of the next text, and of others that fit beside it.
    ///
    /// # Errors
    /// The device fails. Who asked is told.
    pub(super) fn embed_next(&mut self) -> Result<()> {
        while let Some(made) = self.maker.as_mut().and_then(|maker| maker.take()) {
            self.take_made(made);
        }
        // Those whose clients have left wait for nothing, wherever they stand.
        drop(self.embeddings.take_all(|asked| asked.reply.is_closed()));
        self.count_programs_awaited();
        let (maker, embedder) = (self.maker.as_ref(), &self.embedder);
        let Some(asked) = self.embeddings.take(|asked| !awaits_program(maker, embedder, asked)) else { return Ok(()) };
        match self.embedder.may_have_room(asked.tokens.len()) {
            Ok(true) => {}
            Ok(false) => {
                let refusal = Refusal::NoRoom { tokens: asked.tokens.len() };
                asked.answer(Err(Failure::Refused(refusal)));
                return Ok(());
            }
            Err(error) => {
                asked.answer(Err(Failure::Device(error.to_string())));
                return Err(error);
            }
        }
        let length = self.embedder.row(asked.tokens.len());
        let made = match &mut self.maker {
            _ if self.embedder.has(length) => Ok(()),
            Some(maker) => {
                maker.want(length);
                self.embeddings.put_back(asked);
                self.count_programs_awaited();
                return Ok(());
            }
            None => self.embedder.make(length),
        };
        if let Err(error) = made {
            let failure = without_program(&error, asked.tokens.len());
            asked.answer(Err(failure));
            return Ok(());
        }
        let texts = self.beside(asked, length);
        self.counters.begin_vector(Instant::now(), self.embedder.time_max(length));
        let embedded = self.embed(length, &texts);
        self.counters.end_vector(Instant::now());
        let (vectors, failed) = match embedded {
            Ok(vectors) => (vectors, Ok(())),
            Err(error) => (vec![Err(Failure::Device(error.to_string())); texts.len()], Err(error)),
        };
        texts.into_iter().zip(vectors).for_each(|(asked, vector)| asked.answer(vector));
        failed
    }

    /// A text with those that its program computes beside it: the next ones that have rows of `length` tokens too.
    fn beside(&mut self, asked: Asked, length: usize) -> Vec<Asked> {
        let (maker, embedder) = (self.maker.as_ref(), &self.embedder);
        let is_wanted = |asked: &Asked| !awaits_program(maker, embedder, asked);
        let fits = |asked: &Asked| embedder.row(asked.tokens.len()) == length;
        let beside = self.embeddings.take_beside(embedder.rows(length).saturating_sub(1), is_wanted, fits);
        std::iter::once(asked).chain(beside).collect()
    }

    /// Takes a program up. Those who wait for one that cannot be made or has no room have no vector.
    pub(super) fn take_made(&mut self, (length, compiled): Made) {
        self.counters.note_step(Instant::now());
        let Err(error) = compiled.and_then(|compiled| self.embedder.keep(length, compiled)) else { return };
        for asked in self.embeddings.take_all(|asked| self.embedder.row(asked.tokens.len()) == length) {
            let failure = without_program(&error, asked.tokens.len());
            asked.answer(Err(failure));
        }
    }

    /// The vectors of texts that a program which is there computes at once, or why one has none.
    ///
    /// # Errors
    /// The device fails.
    fn embed(&mut self, length: usize, texts: &[Asked]) -> Result<Vec<std::result::Result<Vec<f32>, Failure>>> {
        let given: Vec<_> = texts.iter().map(|asked| (&asked.tokens[..], asked.pooling)).collect();
        let embedded = self.embedder.embed(length, &given);
        let vectors = match self.with_fault(embedded) {
            Ok(vectors) => vectors,
            Err(Error::Runtime(error)) if error.is_out_of_memory() => {
                let refusal = |asked: &Asked| Err(Failure::Refused(Refusal::NoRoom { tokens: asked.tokens.len() }));
                return Ok(texts.iter().map(refusal).collect());
            }
            Err(error) => return Err(error),
        };
        self.vector_failures = 0;
        let dtype = self.model.dtype().to_string();
        let checked = |(asked, vector): (&Asked, Vec<f32>)| match vector.iter().all(|element| element.is_finite()) {
            true => Ok(vector),
            false => Err(Failure::NotFinite { tokens: asked.tokens.len(), dtype: dtype.clone() }),
        };
        Ok(texts.iter().zip(vectors).map(checked).collect())
    }
}

/// What is said of a text for which there is no program. Whoever asks for what cannot be compiled is not to end the engine.
fn without_program(error: &Error, tokens: usize) -> Failure {
    match error {
        Error::TooLarge { .. } => Failure::Refused(Refusal::NoRoom { tokens }),
        error => Failure::Device(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::sync::Semaphore;

    use super::*;
    use crate::service::Counters;

    const SHORT: usize = 5;
    const LONG: usize = 40;

    fn asked(counters: &Arc<Counters>, key: u64, tokens: usize) -> Asked {
        let place = Arc::new(Semaphore::new(1)).try_acquire_owned().unwrap();
        let (counted, (reply, _)) = (CountedText::new(counters, place), oneshot::channel());
        Asked { key, tokens: vec![0; tokens], pooling: Pooling::Mean, reply, counted }
    }

    /// How many short texts of three keys are in the first programs, of which each has so many rows. One key asks for a long one before its short ones.
    fn shared_out(rows: usize, programs: usize, long_of: u64, is_long_wanted: bool) -> [usize; 3] {
        let counters = Arc::new(Counters::new(Instant::now()));
        let mut waiting = Waiting::default();
        for key in 0..3 {
            let lengths = (key == long_of).then_some(LONG).into_iter().chain([SHORT; 1000]);
            lengths.for_each(|length| waiting.push(asked(&counters, key, length)));
        }
        let mut counts = [0; 3];
        for _ in 0..programs {
            let is_wanted = |asked: &Asked| is_long_wanted || asked.tokens.len() == SHORT;
            let next = waiting.take(is_wanted).unwrap();
            let beside = waiting.take_beside(rows - 1, is_wanted, |asked| asked.tokens.len() == next.tokens.len());
            beside.iter().chain([&next]).for_each(|asked| counts[asked.key as usize] += 1);
        }
        counts
    }

    /// As long as a program is made, which may be minutes, a text that waits for it would give its key more or less of all others.
    #[test]
    fn a_text_that_waits_for_its_program_leaves_its_key_as_much_as_others() {
        for (rows, each) in [(2, 20), (4, 40), (8, 80), (16, 160)] {
            assert_eq!(shared_out(rows, 30, 0, false), [each; 3], "{rows} rows");
        }
    }

    #[test]
    fn a_key_whose_first_text_is_passed_has_as_many_beside_it_as_others() {
        for (rows, counts) in [(2, [1, 1, 0]), (8, [3, 3, 2]), (16, [6, 5, 5])] {
            assert_eq!(shared_out(rows, 1, 1, true), counts, "{rows} rows");
        }
    }
}
