//! Greedy generation step by step, of two texts at once, through what each step leaves for the next.

use std::collections::BTreeMap;

use graph::{Axis, DType, Graph, HostTensor, Output, Program};
use models::{LayerLoop, Precision, RaggedPart, Scope, StateSize};
use runtime::{CompileOptions, Executable};

use crate::subject::{Subject, cpu};

/// Tokens that a step over a prompt takes: less than prompts have, so that the last one has padding.
const CHUNK: usize = 4;
/// Small pages, so that texts have several.
const PAGE_TOKENS: usize = 4;
/// Pages of a text: room for all tokens, which the shortest steps do not need to read.
const PAGES: usize = 16;
/// The texts, and the steps after which the second begins.
const TEXTS: usize = 2;
const LATER: usize = 2;
const SIZE: StateSize = StateSize { slots: TEXTS + 1, pages: TEXTS * PAGES, page_tokens: PAGE_TOKENS };
/// Rows and tokens of the parts of a step: of those that have one token to go, and of one that has several.
const PARTS: [[usize; 2]; 2] = [[TEXTS, 1], [1, CHUNK]];

/// A text, and how much of it has been computed.
struct Text {
    tokens: Vec<i32>,
    done: usize,
    number: usize,
    /// Whether it is computed as what its model has for longer texts.
    is_long: bool,
}

/// What a row of a step is given.
#[derive(Clone, Default)]
struct Row {
    tokens: Vec<i32>,
    start: usize,
    length: usize,
    slot: usize,
    pages: Vec<i32>,
}

/// A model that generates.
pub(crate) struct Generator<'s> {
    subject: &'s Subject,
    /// Names of a program's arguments, and the tensors of the checkpoint that they hold.
    parameters: BTreeMap<String, Vec<String>>,
    /// What the steps so far have left, by name.
    state: BTreeMap<String, HostTensor<'static>>,
    program: Program,
    executable: Executable,
}

impl<'s> Generator<'s> {
    pub(crate) fn new(subject: &'s Subject) -> Generator<'s> {
        let unrolled = subject.layers.unrolled();
        let specs = subject.model.params(Precision::uniform(DType::F32), subject.lora.as_ref()).unwrap();
        let arrays = specs.iter().flat_map(|spec| spec.arrays(unrolled));
        let parameters = arrays.map(|array| (array.name, array.checkpoint_names)).collect();
        let specs = subject.model.ragged_state_specs(DType::F32, SIZE);
        let arrays = specs.iter().flat_map(|spec| spec.arrays(unrolled));
        // What others have left, even if it is no number, is nothing to a text that begins.
        let state = arrays.map(|array| (array.name, filled(&array.ty.shape(), f32::NAN))).collect();
        let program = step(subject);
        let executable = cpu().compile(&program.name, &program.text, &CompileOptions::default()).unwrap();
        Generator { subject, parameters, state, program, executable }
    }

    /// What follows `prompt`, twice: the likeliest token, again and again.
    pub(crate) fn continue_greedily(&mut self, prompt: &[i32], count: usize) -> Vec<Vec<i32>> {
        let text = |number| Text { tokens: prompt.to_vec(), done: 0, number, is_long: false };
        let mut texts: Vec<_> = (0..TEXTS).map(text).collect();
        let end = prompt.len() + count;
        for step in 0.. {
            let begun = if step < LATER { 1 } else { TEXTS };
            // Which text each row is of.
            let mut rows: Vec<Option<usize>> = vec![None; TEXTS + 1];
            for text in texts[..begun].iter_mut().filter(|text| text.tokens.len() < end) {
                let longest = self.subject.model.longest_continued();
                if !text.is_long && longest.is_some_and(|longest| text.tokens.len() > longest) {
                    (text.done, text.is_long) = (0, true);
                }
                match text.tokens.len() - text.done {
                    // Anywhere but in the first row that is free.
                    1 => rows[TEXTS - 1 - text.number] = Some(text.number),
                    _ if rows[TEXTS].is_none() => rows[TEXTS] = Some(text.number),
                    _ => {}
                }
            }
            if rows.iter().all(Option::is_none) {
                break;
            }
            let chunk = |row: usize| if row < TEXTS { 1 } else { CHUNK };
            let given = rows
                .iter()
                .enumerate()
                .map(|(row, text)| text.map_or(Row::default(), |text: usize| texts[text].row(chunk(row))));
            let logits = self.step(&given.collect::<Vec<_>>());
            for (row, text) in rows.iter().enumerate().filter_map(|(row, text)| Some((row, (*text)?))) {
                texts[text].follow(chunk(row), &logits[row]);
            }
        }
        texts.into_iter().map(|mut text| text.tokens.split_off(prompt.len())).collect()
    }

    /// The logits behind each row.
    fn step(&mut self, rows: &[Row]) -> Vec<Vec<f32>> {
        let parts = [&rows[..TEXTS], &rows[TEXTS..]];
        let arguments = self.program.inputs.iter().map(|input| {
            let tensor = match input.name.split_once('.') {
                None if input.name == "tokens" => tokens(&parts),
                Some((name @ ("start" | "count" | "length" | "pages" | "slot"), part)) => {
                    of_rows(name, parts[part.parse::<usize>().unwrap()])
                }
                _ => match self.state.remove(&input.name) {
                    Some(state) => state,
                    None => {
                        let names = &self.parameters[&input.name];
                        let values = names.iter().flat_map(|name| self.subject.values[name].clone());
                        HostTensor::from_vec(&input.ty.shape(), values.collect()).unwrap()
                    }
                },
            };
            cpu().upload(&tensor).unwrap()
        });
        let arguments: Vec<_> = arguments.collect();
        let outputs = self.executable.execute(&arguments.iter().collect::<Vec<_>>()).unwrap();
        let mut outputs = outputs.iter().map(|buffer| cpu().download(buffer).unwrap().to_f32());
        let logits = outputs.next().unwrap();
        for (output, values) in self.program.outputs[1..].iter().zip(outputs) {
            let state = HostTensor::from_vec(&output.ty.shape(), values).unwrap();
            self.state.insert(output.name.clone(), state);
        }
        logits.chunks(logits.len() / rows.len()).map(<[f32]>::to_vec).collect()
    }
}

impl Text {
    /// Its next tokens, as many as there are places.
    fn row(&self, places: usize) -> Row {
        let end = self.tokens.len().min(self.done + places);
        Row {
            tokens: self.tokens[self.done..end].to_vec(),
            start: self.done,
            length: self.tokens.len(),
            slot: self.number + 1,
            // Each text has every second page, from the last on.
            pages: (0..PAGES).map(|page| (TEXTS * (PAGES - page) - 1 - self.number) as i32).collect(),
        }
    }

    /// Goes on by as many tokens, behind the last of which stand `logits`.
    fn follow(&mut self, places: usize, logits: &[f32]) {
        self.done = self.tokens.len().min(self.done + places);
        if self.done == self.tokens.len() {
            assert!(logits.iter().all(|logit| logit.is_finite()));
            let likeliest = logits.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).unwrap();
            self.tokens.push(likeliest.0 as i32);
        }
    }
}

/// All tokens with their padding, part after part.
fn tokens(parts: &[&[Row]]) -> HostTensor<'static> {
    let padded = parts.iter().zip(PARTS).flat_map(|(rows, [_, chunk])| {
        rows.iter().flat_map(move |row| {
            let mut tokens = row.tokens.clone();
            tokens.resize(chunk, 0);
            tokens
        })
    });
    let padded: Vec<_> = padded.collect();
    HostTensor::from_vec(&[1, padded.len()], padded).unwrap()
}

fn of_rows(name: &str, rows: &[Row]) -> HostTensor<'static> {
    if name == "pages" {
        let pages = rows.iter().flat_map(|row| if row.pages.is_empty() { vec![0; PAGES] } else { row.pages.clone() });
        return HostTensor::from_vec(&[rows.len(), PAGES], pages.collect()).unwrap();
    }
    let number = |row: &Row| match name {
        "start" => row.start,
        "count" => row.tokens.len(),
        "length" => row.length,
        _ => row.slot,
    };
    HostTensor::from_vec(&[rows.len()], rows.iter().map(|row| number(row) as i32).collect()).unwrap()
}

/// The program of a step.
fn step(subject: &Subject) -> Program {
    let graph = Graph::new();
    let scope = Scope::root(&graph, Precision::uniform(DType::F32), subject.lora.clone());
    let all = PARTS.iter().map(|[rows, chunk]| rows * chunk).sum();
    let ids = graph.input("tokens", DType::I32, &[Axis::new("batch", 1), Axis::new("position", all)]);
    let parts = PARTS.iter().enumerate().map(|(part, &[rows, chunk])| {
        let batch = Axis::new("batch", rows);
        let input = |name: &str, axes: &[Axis]| graph.input(&format!("{name}.{part}"), DType::I32, axes);
        let [start, count, length, slot] = ["start", "count", "length", "slot"].map(|name| input(name, &[batch]));
        let pages = Some(input("pages", &[batch, Axis::new("seen_page", PAGES)]));
        RaggedPart { rows, chunk, start, count, length: Some(length), pages, slot, ranks: None, each: false }
    });
    let parts: Vec<_> = parts.collect();
    let state = subject.model.ragged_state_inputs(&scope, SIZE);
    let (logits, next) = subject.model.ragged_step(&scope, ids, &parts, PAGE_TOKENS, &state, None);
    let specs = subject.model.ragged_state_specs(DType::F32, SIZE);
    let named = specs.iter().zip(next).map(|(spec, tensor)| Output { name: &spec.name, stack: &spec.stack, tensor });
    let outputs: Vec<_> = [Output::from(("logits", logits))].into_iter().chain(named).collect();
    graph.lower_unrolled("step", &outputs, &[], subject.layers.unrolled()).unwrap()
}

fn filled(shape: &[usize], value: f32) -> HostTensor<'static> {
    HostTensor::from_vec(shape, vec![value; shape.iter().product()]).unwrap()
}

/// Generates as an oracle does.
#[track_caller]
pub(crate) fn check(case: &str, subject: &mut Subject, prompt: &[i32], expected: &[i32]) {
    subject.layers = LayerLoop::Loop;
    let found = Generator::new(subject).continue_greedily(prompt, expected.len());
    for (text, found) in found.iter().enumerate() {
        assert_eq!(found, expected, "{case}: text {text} goes on otherwise");
    }
}
