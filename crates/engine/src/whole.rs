//! Log-probabilities of the tokens of whole texts, without pages, chunks or other texts beside them: what an engine's steps are held to.

use std::collections::HashMap;

use graph::{Axis, DType, HostTensor};
use models::{Tokens, target_log_probabilities};
use runtime::{Arrays, BoundProgram};

use crate::error::Result;
use crate::{Model, memory};

/// Texts are padded to 16, 32, 64, … tokens: few programs to compile.
const LENGTH_MIN: usize = 16;

/// Computes each text at once, as training does.
pub struct WholeTexts<'m, 's> {
    model: &'m Model<'s>,
    /// By positions.
    programs: HashMap<usize, BoundProgram>,
    /// The tokens of a text.
    text: Arrays,
}

impl<'m, 's> WholeTexts<'m, 's> {
    /// One that has compiled nothing yet.
    pub fn new(model: &'m Model<'s>) -> WholeTexts<'m, 's> {
        WholeTexts { model, programs: HashMap::new(), text: Arrays::new() }
    }

    /// The natural logarithm of the probability of each token given those before it, from the second on: one fewer than there are tokens.
    ///
    /// # Errors
    /// A token that the model does not know, or more than it is meant for; or the device fails.
    pub fn score(&mut self, tokens: &[u32]) -> Result<Vec<f32>> {
        self.model.check_tokens(tokens)?;
        // The last token is only a target.
        let Some(count) = tokens.len().checked_sub(1).filter(|count| *count > 0) else { return Ok(Vec::new()) };
        let length = count.next_power_of_two().max(LENGTH_MIN);
        if !self.programs.contains_key(&length) {
            self.programs.insert(length, compile(self.model, length, &mut self.text)?);
        }
        let session = self.model.session();
        // Padding stands behind the tokens, where a causal mask hides it from them.
        for (name, tokens) in [("tokens", &tokens[..count]), ("targets", &tokens[1..])] {
            let mut padded: Vec<i32> = tokens.iter().map(|token| *token as i32).collect();
            padded.resize(length, 0);
            self.text.upload(session, name, &HostTensor::from_vec(&[1, length], padded).expect("one row"))?;
        }
        // With the last token: a sequence has the length that it has where the loss counts it.
        let lengths = HostTensor::from_vec(&[1], vec![tokens.len() as i32]).expect("one number");
        self.text.upload(session, "lengths", &lengths)?;
        let outputs = self.programs[&length].run(self.model.params(), &mut self.text)?;
        let mut scores = outputs[0].download(session)?.to_f32();
        scores.truncate(count);
        Ok(scores)
    }
}

/// Arguments `tokens` and `targets`, i32 (batch, position), `lengths`, i32 (batch), and the parameters; result: log-probabilities of the targets.
fn compile(model: &Model<'_>, length: usize, text: &mut Arrays) -> Result<BoundProgram> {
    let plan = model.plan();
    let graph = plan.graph();
    let axes = [Axis::new("batch", 1), Axis::new("position", length)];
    let [ids, targets] = ["tokens", "targets"].map(|name| graph.input(name, DType::I32, &axes));
    let positions = graph.iota(axes[1], DType::I32).broadcast(&axes);
    let lengths = Some(graph.input("lengths", DType::I32, &axes[..1]));
    let logits = plan.model.logits(&plan.scope(&graph), Tokens { ids, positions, segments: None, lengths });
    let scores = target_log_probabilities(logits, targets);
    let program = graph.lower_unrolled("score", &[("log_probabilities", scores)], &[], plan.layers.unrolled())?;
    let program = BoundProgram::compile(model.session(), &program, model.params(), text)?;
    memory::check_program(model.session(), &program, || format!("scoring {length} tokens at a time"))?;
    Ok(program)
}
