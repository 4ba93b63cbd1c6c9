//! Texts as vectors: a model's last hidden states, pooled.

use std::collections::HashMap;
use std::time::Duration;

use graph::{Axis, DType, HostTensor, Program};
use models::{Summary, Tokens};
use runtime::plugins::Platform;
use runtime::{Arrays, BoundProgram, CompiledProgram};

use crate::error::{Error, Result};
use crate::memory::{Room, bytes_beside_arguments};
use crate::service::Pooling;
use crate::{Model, ModelPlan};

const IDS: &str = "ids";
const COUNT: &str = "count";

/// Texts are computed in rows of such lengths and their doubles.
const LENGTH_MIN: usize = 16;

/// FLOPs a second with which a device is taken for one that hangs, a CPU and others: two cores do 2.8e11 (BENCHMARKS.md, cpu-15m), and GPUs some 1e14.
const SLOWEST: [f64; 2] = [1e10, 1e12];

/// Gives the vectors of texts, by the model alone: of several that are about as long at once, where that takes little longer.
pub(crate) struct Embedder<'m, 's> {
    model: &'m Model<'s>,
    /// The memory in which programs run.
    room: Room<'m>,
    arrays: Arrays,
    programs: HashMap<usize, BoundProgram>,
    /// What the programs take for which there was no room, by their rows: compiling one again would tell the same.
    no_room: HashMap<usize, u128>,
    /// From which it follows how long a program may take. `None` where nothing is known.
    summary: Option<Summary>,
}

impl<'m, 's> Embedder<'m, 's> {
    /// In memory that `room` tells of.
    pub(crate) fn new(model: &'m Model<'s>, room: Room<'m>) -> Embedder<'m, 's> {
        let (arrays, summary) = (Arrays::new(), Summary::of(&model.plan().model, None).ok());
        Embedder { model, room, arrays, programs: HashMap::new(), no_room: HashMap::new(), summary }
    }

    /// Whether there may be room for a text of so many tokens, as far as is known.
    ///
    /// # Errors
    /// The device does not tell its memory.
    pub(crate) fn may_have_room(&self, tokens: usize) -> Result<bool> {
        let Some(needed) = self.no_room.get(&self.row(tokens)) else { return Ok(true) };
        match self.room.check(*needed, 0, String::new) {
            Err(Error::TooLarge { .. }) => Ok(false),
            checked => checked.map(|()| true),
        }
    }

    /// Tokens of the row that a text of so many is computed in.
    pub(crate) fn row(&self, tokens: usize) -> usize {
        tokens.next_power_of_two().max(LENGTH_MIN).min(self.model.plan().longest())
    }

    /// How many texts the program for rows of `length` tokens computes at once.
    pub(crate) fn rows(&self, length: usize) -> usize {
        rows(self.model.plan(), length)
    }

    /// How long the program for rows of `length` tokens takes at the most, unless the device hangs.
    pub(crate) fn time_max(&self, length: usize) -> Duration {
        let Some(summary) = &self.summary else { return Duration::ZERO };
        let flops = (self.rows(length) * length) as f64 * summary.flops_per_token(length);
        let [of_cpus, of_others] = SLOWEST;
        let slowest = if self.model.session().platform() == Platform::Cpu { of_cpus } else { of_others };
        Duration::try_from_secs_f64(flops / slowest).unwrap_or(Duration::ZERO)
    }

    /// Whether the program for rows of `length` tokens is there.
    pub(crate) fn has(&self, length: usize) -> bool {
        self.programs.contains_key(&length)
    }

    /// Compiles the program for rows of `length` tokens, on any thread.
    ///
    /// # Errors
    /// The compiler refuses it.
    pub(crate) fn compile(model: &Model<'_>, length: usize) -> Result<CompiledProgram> {
        Ok(CompiledProgram::compile(model.session(), embedding_program(model.plan(), length)?)?)
    }

    /// Takes a compiled program up.
    ///
    /// # Errors
    /// There is no room for what it takes.
    pub(crate) fn keep(&mut self, length: usize, compiled: CompiledProgram) -> Result<()> {
        let program = compiled.bind(self.model.params(), &mut self.arrays)?;
        let needed = bytes_beside_arguments(&program);
        let checked = self.room.check(needed, 0, || format!("embedding a text of {length} tokens"));
        if let Err(Error::TooLarge { .. }) = &checked {
            self.no_room.insert(length, needed);
        }
        checked?;
        self.programs.insert(length, program);
        Ok(())
    }

    /// Compiles the program for rows of `length` tokens, and takes it up.
    ///
    /// # Errors
    /// As [`Embedder::compile`] and [`Embedder::keep`].
    pub(crate) fn make(&mut self, length: usize) -> Result<()> {
        let compiled = Embedder::compile(self.model, length)?;
        self.keep(length, compiled)
    }

    /// Checks a text, so that what fails behind that is its program or the device.
    ///
    /// # Errors
    /// There is no token, or one that the model does not know, or there are too many.
    pub(crate) fn check(&self, tokens: &[u32]) -> Result<()> {
        if tokens.is_empty() {
            return Err(Error::EmptyPrompt);
        }
        self.model.check_tokens(tokens)
    }

    /// The vectors, of length 1, of texts that are checked, have rows of `length` tokens and are no more than [`Embedder::rows`]; their program is there. What
    /// one text's is depends on no other.
    ///
    /// # Errors
    /// The device fails.
    pub(crate) fn embed(&mut self, length: usize, texts: &[(&[u32], Pooling)]) -> Result<Vec<Vec<f32>>> {
        let (session, rows) = (self.model.session(), self.rows(length));
        let mut ids = vec![0; rows * length];
        let mut counts = vec![0; rows];
        for ((row, count), (tokens, _)) in ids.chunks_mut(length).zip(&mut counts).zip(texts) {
            row.iter_mut().zip(*tokens).for_each(|(id, token)| *id = *token as i32);
            *count = tokens.len() as i32;
        }
        let ids = HostTensor::from_vec(&[rows, length], ids).expect("as many as there are");
        let counts = HostTensor::from_vec(&[rows], counts).expect("as many as there are");
        // Another program may have been taken up last, whose rows lie otherwise on several devices.
        let program = &self.programs[&length];
        program.upload(session, &mut self.arrays, IDS, &ids)?;
        program.upload(session, &mut self.arrays, COUNT, &counts)?;
        let results = program.run(self.model.params(), &mut self.arrays)?;
        let mut vectors = vec![Vec::new(); texts.len()];
        for (result, pooling) in results.iter().zip([Pooling::Mean, Pooling::Last]) {
            if texts.iter().all(|(_, own)| *own != pooling) {
                continue;
            }
            let all = result.download(session)?.to_f32();
            let found = vectors.iter_mut().zip(texts).zip(all.chunks(all.len() / rows));
            for ((vector, _), own) in found.filter(|((_, (_, own)), _)| *own == pooling) {
                *vector = own.to_vec();
            }
        }
        Ok(vectors)
    }
}

/// How many rows of `length` tokens a program has.
fn rows(plan: &ModelPlan, length: usize) -> usize {
    (plan.embedded_tokens / length).max(1)
}

/// Arguments: the tokens of each row and how many they are; results: their mean and the last one's vector (batch, embed), f32. A row may have none.
fn embedding_program(plan: &ModelPlan, length: usize) -> Result<Program> {
    let graph = plan.graph();
    let scope = plan.scope(&graph);
    let axes @ [batch, position] = [Axis::new("batch", rows(plan, length)), Axis::new("position", length)];
    let ids = graph.input(IDS, DType::I32, &axes);
    let count = graph.input(COUNT, DType::I32, &[batch]);
    let positions = graph.iota(position, DType::I32).broadcast(&axes);
    let tokens = Tokens { ids, positions, segments: None, lengths: Some(count) };
    let hidden = plan.model.hidden(&scope, tokens).cast(DType::F32);
    let of_tokens = positions.less(count).select(hidden, 0.0);
    let mean = of_tokens.sum(&["position"]) / count.maximum(1.0).cast(DType::F32);
    let last = hidden.take("position", (count - 1.0).maximum(0.0));
    let pooled = [mean, last].map(|pooled| {
        let normal = pooled / (pooled * pooled).sum(&["embed"]).sqrt().maximum(1e-12);
        normal.transpose(&["batch", "embed"])
    });
    let outputs = [("mean", pooled[0]), ("last", pooled[1])];
    Ok(graph.lower_unrolled("embed", &outputs, &[], plan.layers.unrolled())?)
}
