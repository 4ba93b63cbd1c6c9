//! Texts whose vectors are asked for: computed between steps, one at a time or as many as a program takes.

use std::time::Instant;

use tokio::sync::oneshot;

use super::Engine;
use super::maker::Made;
use crate::error::{Error, Result};
use crate::service::{CountedText, Failure, Pooling, Refusal};

/// A text whose vector is asked for.
pub(super) struct Asked {
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

impl Engine<'_, '_> {
    /// Takes a text up, or refuses it.
    pub(super) fn ask(&mut self, adapter: Option<String>, asked: Asked) {
        let refusal = match adapter {
            Some(name) => {
                let reason = "embeddings are computed with the model alone".to_owned();
                return self.adapters.tell(name.clone(), move |entry| {
                    let refusal = match entry {
                        Some(_) => Refusal::Adapter { name, reason },
                        None => Refusal::NoSuchAdapter(name),
                    };
                    asked.answer(Err(Failure::Refused(refusal)));
                });
            }
            None => match self.embedder.check(&asked.tokens) {
                Ok(()) => return self.embeddings.push_back(asked),
                Err(Error::EmptyPrompt) => Refusal::Empty,
                Err(Error::Token { id, vocab_size }) => Refusal::Token { id, vocab_size },
                Err(Error::Context { tokens, context }) => Refusal::TooLong { tokens, context },
                Err(error) => return asked.answer(Err(Failure::Device(error.to_string()))),
            },
        };
        asked.answer(Err(Failure::Refused(refusal)));
    }

    /// Whether there is a text whose vector waits for nothing but the device.
    pub(super) fn has_vectors_to_compute(&self) -> bool {
        self.embeddings.iter().any(|asked| !self.awaits_program(asked))
    }

    fn awaits_program(&self, asked: &Asked) -> bool {
        let maker = self.maker.as_ref();
        maker.is_some_and(|maker| maker.is_making(self.embedder.row(asked.tokens.len())))
    }

    /// Tells the counts which texts wait for programs.
    fn count_programs_awaited(&mut self) {
        let mut embeddings = std::mem::take(&mut self.embeddings);
        for asked in &mut embeddings {
            let awaits = self.awaits_program(asked);
            asked.counted.await_program(awaits);
        }
        self.embeddings = embeddings;
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

    /// Computes the vector of the text that has waited longest, and of others that fit beside it.
    ///
    /// # Errors
    /// The device fails. Who asked is told.
    pub(super) fn embed_next(&mut self) -> Result<()> {
        while let Some(made) = self.maker.as_mut().and_then(|maker| maker.take()) {
            self.take_made(made);
        }
        // Those whose clients have left wait for nothing, wherever they stand.
        self.embeddings.retain(|asked| !asked.reply.is_closed());
        self.count_programs_awaited();
        let place = self.embeddings.iter().position(|asked| !self.awaits_program(asked));
        let Some((place, asked)) = place.and_then(|place| Some((place, self.embeddings.remove(place)?))) else {
            return Ok(());
        };
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
                self.embeddings.insert(place, asked);
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
        let embedded = self.embed(length, &texts);
        self.counters.note_step(Instant::now());
        let (vectors, failed) = match embedded {
            Ok(vectors) => (vectors, Ok(())),
            Err(error) => (vec![Err(Failure::Device(error.to_string())); texts.len()], Err(error)),
        };
        texts.into_iter().zip(vectors).for_each(|(asked, vector)| asked.answer(vector));
        failed
    }

    /// A text with those that its program computes beside it: the next ones that have rows of `length` tokens too.
    fn beside(&mut self, asked: Asked, length: usize) -> Vec<Asked> {
        let mut texts = vec![asked];
        for asked in std::mem::take(&mut self.embeddings) {
            let fits = texts.len() < self.embedder.rows(length) && self.embedder.row(asked.tokens.len()) == length;
            if fits { texts.push(asked) } else { self.embeddings.push_back(asked) }
        }
        texts
    }

    /// Takes a program up. Those who wait for one that cannot be made or has no room have no vector.
    pub(super) fn take_made(&mut self, (length, compiled): Made) {
        self.counters.note_step(Instant::now());
        let Err(error) = compiled.and_then(|compiled| self.embedder.keep(length, compiled)) else { return };
        for asked in std::mem::take(&mut self.embeddings) {
            match self.embedder.row(asked.tokens.len()) == length {
                true => {
                    let failure = without_program(&error, asked.tokens.len());
                    asked.answer(Err(failure));
                }
                false => self.embeddings.push_back(asked),
            }
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
