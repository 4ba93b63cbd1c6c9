//! Log-probabilities of tokens that are there.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use graph::{Axis, DType, HostTensor};
use models::{Tokens, target_log_probabilities};
use runtime::{Arrays, BoundProgram};

use crate::error::{Error, Result};
use crate::{Model, Windows, memory};

/// Sequences are padded to 16, 32, 64, … tokens: few programs to compile.
const LENGTH_MIN: usize = 16;
/// Rows and tokens of a batch: enough to fill a device, and a bound on the activations.
const ROWS_MAX: usize = 16;
const TOKENS_MAX: usize = 4096;
/// A bound on the logits of a batch of several rows, 256 MiB in f32. A row that has more goes alone.
const LOGITS_MAX: usize = 1 << 26;
/// Windows whose scores are held at a time: a small stride makes very many of a long sequence.
const WINDOWS_MAX: usize = 512;

/// Scores sequences with a model.
pub struct Scorer<'m, 's> {
    model: &'m Model<'s>,
    /// By rows and positions.
    programs: HashMap<[usize; 2], BoundProgram>,
    /// The tokens of a batch.
    batch: Arrays,
}

impl<'m, 's> Scorer<'m, 's> {
    /// A scorer that has compiled nothing yet.
    pub fn new(model: &'m Model<'s>) -> Scorer<'m, 's> {
        Scorer { model, programs: HashMap::new(), batch: Arrays::new() }
    }

    /// The model.
    pub fn model(&self) -> &'m Model<'s> {
        self.model
    }

    /// For each sequence the natural logarithm of the probability of each of its tokens given those before it in its window, from the second
    /// on: one fewer than it has tokens.
    ///
    /// Stretches of similar length go through the device together, so give many sequences at once.
    ///
    /// # Errors
    /// A sequence has a token that the model does not know, or is longer than its windows cover; or the device fails.
    pub fn score(&mut self, sequences: &[&[u32]], windows: Windows) -> Result<Vec<Vec<f32>>> {
        for tokens in sequences {
            if !windows.cover(tokens.len()) {
                return Err(Error::Context { tokens: tokens.len(), context: windows.context() });
            }
        }
        let mut scores: Vec<Vec<f32>> = sequences.iter().map(|_| Vec::new()).collect();
        let of = |(at, tokens): (usize, &&[u32])| windows.of(tokens.len()).map(move |window| (at, window));
        let mut windows = sequences.iter().enumerate().flat_map(of);
        loop {
            let together: Vec<_> = windows.by_ref().take(WINDOWS_MAX).collect();
            if together.is_empty() {
                return Ok(scores);
            }
            let seen: Vec<&[u32]> =
                together.iter().map(|(at, window)| &sequences[*at][window.tokens.clone()]).collect();
            for ((at, window), row) in together.iter().zip(self.score_whole(&seen)?) {
                scores[*at].extend_from_slice(&row[window.scored - 1 - window.tokens.start..]);
            }
        }
    }

    /// Scores sequences that the model can see at once.
    fn score_whole(&mut self, sequences: &[&[u32]]) -> Result<Vec<Vec<f32>>> {
        let mut by_length: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, tokens) in sequences.iter().enumerate() {
            self.model.check_tokens(tokens)?;
            if tokens.len() > 1 {
                // The last token is only a target.
                let length = (tokens.len() - 1).next_power_of_two().max(LENGTH_MIN);
                by_length.entry(length).or_default().push(at);
            }
        }
        let mut scores = vec![Vec::new(); sequences.len()];
        for (length, places) in by_length {
            let rows = self.rows(length, places.len());
            for batch in places.chunks(rows) {
                let tokens: Vec<&[u32]> = batch.iter().map(|at| sequences[*at]).collect();
                for (at, row) in batch.iter().zip(self.batch(rows, length, &tokens)?) {
                    scores[*at] = row;
                }
            }
        }
        Ok(scores)
    }

    /// Rows of a batch of `count` sequences or more: a power of two, so that few shapes exist.
    fn rows(&self, length: usize, count: usize) -> usize {
        let most = (TOKENS_MAX / length).min(LOGITS_MAX / (length * self.model.sizes().vocab_size)).clamp(1, ROWS_MAX);
        // `most` rounded down to a power of two.
        count.next_power_of_two().min(1 << most.ilog2())
    }

    fn batch(&mut self, rows: usize, length: usize, sequences: &[&[u32]]) -> Result<Vec<Vec<f32>>> {
        let model = self.model;
        let program = match self.programs.entry([rows, length]) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(compile(model, rows, length, &mut self.batch)?),
        };
        // Padding stands behind the tokens, where a causal mask hides it from them.
        let padded = |first: usize| {
            let mut values = vec![0i32; rows * length];
            for (row, tokens) in values.chunks_mut(length).zip(sequences) {
                for (value, token) in row.iter_mut().zip(&tokens[first..tokens.len() - 1 + first]) {
                    *value = *token as i32;
                }
            }
            HostTensor::from_vec(&[rows, length], values).expect("rows times length values")
        };
        self.batch.upload(model.session(), "tokens", &padded(0))?;
        self.batch.upload(model.session(), "targets", &padded(1))?;
        // With the last token, which is only a target here: a sequence has the length that it has where the loss counts it.
        let lengths = sequences.iter().map(|tokens| tokens.len() as i32).chain(std::iter::repeat(0)).take(rows);
        let lengths = HostTensor::from_vec(&[rows], lengths.collect()).expect("as many as rows");
        self.batch.upload(model.session(), "lengths", &lengths)?;
        let outputs = program.run(model.params(), &mut self.batch)?;
        let values = outputs[0].download(model.session())?.to_f32();
        let row = |(row, tokens): (&[f32], &&[u32])| row[..tokens.len() - 1].to_vec();
        Ok(values.chunks(length).zip(sequences).map(row).collect())
    }
}

/// Arguments `tokens` and `targets`, i32 (batch, position), `lengths`, i32 (batch), and the parameters; result: log-probabilities of the targets.
fn compile(model: &Model<'_>, rows: usize, length: usize, batch: &mut Arrays) -> Result<BoundProgram> {
    let plan = model.plan();
    let graph = plan.graph();
    let axes = [Axis::new("batch", rows), Axis::new("position", length)];
    let [ids, targets] = ["tokens", "targets"].map(|name| graph.input(name, DType::I32, &axes));
    let positions = graph.iota(axes[1], DType::I32).broadcast(&axes);
    let lengths = Some(graph.input("lengths", DType::I32, &axes[..1]));
    let logits = plan.model.logits(&plan.scope(&graph), Tokens { ids, positions, segments: None, lengths });
    let scores = target_log_probabilities(logits, targets);
    let program = graph.lower_unrolled("score", &[("log_probabilities", scores)], &[], plan.layers.unrolled())?;
    let program = BoundProgram::compile(model.session(), &program, model.params(), batch)?;
    memory::check_program(model.session(), &program, || format!("scoring {rows} x {length} tokens at a time"))?;
    Ok(program)
}
