//! Greedy generation step by step, through what each step leaves for the next.

use std::collections::BTreeMap;

use graph::{Axis, DType, Graph, HostTensor, Output, ParamSpec, Program};
use models::{LayerLoop, Precision, Scope, StepAt, Tokens};
use runtime::{CompileOptions, Executable};

use crate::subject::{Subject, cpu};

/// Tokens that a step over a prompt takes: less than prompts have, so that the last one has padding.
const CHUNK: usize = 4;
/// Room for all tokens, which the shortest steps do not need to read.
const SLOTS: usize = 64;

/// The program of a step over `chunk` tokens.
struct Step {
    program: Program,
    executable: Executable,
    chunk: usize,
}

/// A model that generates.
pub(crate) struct Generator<'s> {
    subject: &'s Subject,
    /// Names of a program's arguments, and the tensors of the checkpoint that they hold.
    parameters: BTreeMap<String, Vec<String>>,
    /// What the steps so far have left, by name.
    state: BTreeMap<String, HostTensor<'static>>,
    several: Step,
    single: Step,
}

impl<'s> Generator<'s> {
    pub(crate) fn new(subject: &'s Subject) -> Generator<'s> {
        let unrolled = subject.layers.unrolled();
        let specs = subject.model.params(Precision::uniform(DType::F32), subject.lora.as_ref()).unwrap();
        let arrays = specs.iter().flat_map(|spec| spec.arrays(unrolled));
        let parameters = arrays.map(|array| (array.name, array.checkpoint_names)).collect();
        let [several, single] = [CHUNK, 1].map(|chunk| Step::new(subject, chunk));
        Generator { subject, parameters, state: BTreeMap::new(), several, single }
    }

    /// What follows `prompt`: the likeliest token, again and again.
    pub(crate) fn continue_greedily(&mut self, prompt: &[i32], count: usize) -> Vec<i32> {
        let mut tokens = prompt.to_vec();
        let mut done = 0;
        while tokens.len() < prompt.len() + count {
            if self.subject.model.longest_continued().is_some_and(|longest| done <= longest && tokens.len() > longest) {
                done = 0;
            }
            if done == 0 {
                self.forget();
            }
            let mut logits = Vec::new();
            while done < tokens.len() {
                let size = (tokens.len() - done).min(CHUNK);
                logits = self.step(&tokens[done..done + size], done, tokens.len());
                done += size;
            }
            assert!(logits.iter().all(|logit| logit.is_finite()));
            let likeliest = logits.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).unwrap();
            tokens.push(likeliest.0 as i32);
        }
        tokens.split_off(prompt.len())
    }

    /// An empty state.
    fn forget(&mut self) {
        let unrolled = self.subject.layers.unrolled();
        let specs = self.subject.model.state_specs(DType::F32, 1, SLOTS);
        let arrays = specs.iter().flat_map(|spec| spec.arrays(unrolled));
        self.state = arrays.map(|array| (array.name, zeros(&array.ty.shape()))).collect();
    }

    /// The logits of what follows `tokens`, the first of which has place `start` in a sequence that has `length` tokens so far.
    fn step(&mut self, tokens: &[i32], start: usize, length: usize) -> Vec<f32> {
        let step = if tokens.len() == 1 { &self.single } else { &self.several };
        let mut padded = tokens.to_vec();
        padded.resize(step.chunk, 0);
        let arguments = step.program.inputs.iter().map(|input| {
            let number = |number: usize| HostTensor::scalar(number as i32);
            let tensor = match input.name.as_str() {
                "tokens" => HostTensor::from_vec(&[1, step.chunk], padded.clone()).unwrap(),
                "start" => number(start),
                "last" => number(tokens.len() - 1),
                "length" => number(length),
                name => match self.state.remove(name) {
                    Some(state) => state,
                    None => {
                        let values = self.parameters[name].iter().flat_map(|name| self.subject.values[name].clone());
                        HostTensor::from_vec(&input.ty.shape(), values.collect()).unwrap()
                    }
                },
            };
            cpu().upload(&tensor).unwrap()
        });
        let arguments: Vec<_> = arguments.collect();
        let outputs = step.executable.execute(&arguments.iter().collect::<Vec<_>>()).unwrap();
        let mut outputs = outputs.iter().map(|buffer| cpu().download(buffer).unwrap().to_f32());
        let logits = outputs.next().unwrap();
        for (output, values) in step.program.outputs[1..].iter().zip(outputs) {
            let state = HostTensor::from_vec(&output.ty.shape(), values).unwrap();
            self.state.insert(output.name.clone(), state);
        }
        logits
    }
}

impl Step {
    fn new(subject: &Subject, chunk: usize) -> Step {
        let graph = Graph::new();
        let scope = Scope::root(&graph, Precision::uniform(DType::F32), subject.lora.clone());
        let axes = [Axis::new("batch", 1), Axis::new("position", chunk)];
        let ids = graph.input("tokens", DType::I32, &axes);
        let [start, last, length] = ["start", "last", "length"].map(|name| graph.input(name, DType::I32, &[]));
        let positions = (graph.iota(axes[1], DType::I32) + start).broadcast(&axes);
        let tokens = Tokens { ids, positions, segments: None, lengths: None };
        let at = StepAt { start, last, visible: SLOTS, length: (chunk > 1).then_some(length) };
        let state = subject.model.state_inputs(&scope, 1, SLOTS);
        let (logits, next) = subject.model.step(&scope, tokens, at, &state);
        let specs: Vec<ParamSpec> = subject.model.state_specs(DType::F32, 1, SLOTS);
        let named =
            specs.iter().zip(next).map(|(spec, tensor)| Output { name: &spec.name, stack: &spec.stack, tensor });
        let outputs: Vec<_> = [Output::from(("logits", logits))].into_iter().chain(named).collect();
        let program = graph.lower_unrolled("step", &outputs, &[], subject.layers.unrolled()).unwrap();
        let executable = cpu().compile(&program.name, &program.text, &CompileOptions::default()).unwrap();
        Step { program, executable, chunk }
    }
}

fn zeros(shape: &[usize]) -> HostTensor<'static> {
    HostTensor::from_vec(shape, vec![0.0f32; shape.iter().product()]).unwrap()
}

/// Generates as an oracle does.
#[track_caller]
pub(crate) fn check(case: &str, subject: &mut Subject, prompt: &[i32], expected: &[i32]) {
    subject.layers = LayerLoop::Loop;
    let found = Generator::new(subject).continue_greedily(prompt, expected.len());
    assert_eq!(found, expected, "{case} generates other tokens");
}
