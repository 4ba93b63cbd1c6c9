use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use runtime::plugins::{Environment, Platform};
use tokio::sync::mpsc;

use super::*;
use crate::batch::Live;
use crate::batch::adjust::{AdjustShape, Run, adjust_program};
use crate::sampling::tests::{Recorded, recorded};
use crate::service::{Chosen, Counted, Counters, Request};
use crate::{Sampling, SamplingOptions};

/// What a program chooses behind logits that are the same in all rows: tokens, and what else it tells.
fn choose(logits: &[f32], choices: &[Choice]) -> (Vec<i32>, Vec<Vec<f32>>) {
    choose_by(digit_bits(Platform::Cpu), logits, choices)
}

/// The same by so many bits at a time.
fn choose_by(digit_bits: usize, logits: &[f32], choices: &[Choice]) -> (Vec<i32>, Vec<Vec<f32>>) {
    let (rows, vocab_size) = (choices.len(), logits.len());
    let shape = ChoiceShape::of(rows, choices, vocab_size);
    let program = choice_program(&Graph::new(), shape, vocab_size, rows, digit_bits).unwrap();
    let (settings, factors) = shape.numbers(choices, vocab_size);
    let adjusted = adjusted(&logits.repeat(rows), choices);
    let results = run(&program, |name, sizes| match name {
        LOGITS => HostTensor::from_vec(sizes, logits.repeat(rows)),
        ADJUSTED => HostTensor::from_vec(sizes, adjusted.clone()),
        SETTINGS => HostTensor::from_vec(sizes, settings.clone()),
        FACTORS => HostTensor::from_vec(sizes, factors.clone()),
        _ => HostTensor::from_vec(sizes, vec![-7i32; rows]),
    });
    let mut results = results.into_iter();
    let tokens = results.next().unwrap().to_vec::<i32>().unwrap();
    let mut others: Vec<_> = results.collect();
    let chosen = others.pop().unwrap().to_vec::<i32>().unwrap();
    for (row, choice) in choices.iter().enumerate() {
        match choice.slot {
            Some(slot) => assert_eq!(chosen[slot as usize], tokens[row], "slot {slot}"),
            None => assert!(chosen.iter().filter(|token| **token == -7).count() > 0),
        }
    }
    (tokens, others.iter().map(|other| other.to_vec::<f32>().unwrap_or_else(|| ints(other))).collect())
}

/// What a program gives of arguments by name and sizes.
fn run(
    program: &Program,
    argument: impl Fn(&str, &[usize]) -> std::result::Result<HostTensor<'static>, graph::SizeMismatch>,
) -> Vec<HostTensor<'static>> {
    let session = runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap();
    let executable = session.compile(&program.name, &program.text, &Default::default()).unwrap();
    let arguments = program.inputs.iter().map(|input| {
        let tensor = argument(&input.name, &input.ty.shape()).unwrap();
        session.upload(&tensor).unwrap()
    });
    let arguments: Vec<_> = arguments.collect();
    let results = executable.execute(&arguments.iter().collect::<Vec<_>>()).unwrap();
    results.iter().map(|result| session.download(result).unwrap()).collect()
}

/// Logits as the rows ask for, by as many runs as that takes.
fn adjusted(logits: &[f32], choices: &[Choice]) -> Vec<f32> {
    let vocab_size = logits.len() / choices.len();
    AdjustShape::runs(choices, vocab_size).into_iter().fold(logits.to_vec(), |logits, Run { shape, numbers }| {
        assert!(AdjustShape::all(choices.len(), vocab_size).any(|made| made == shape), "{shape:?}");
        let program = adjust_program(&Graph::new(), shape, vocab_size).unwrap();
        let results = run(&program, |name, sizes| match numbers.iter().find(|(known, _)| *known == name) {
            Some((_, numbers)) => Ok(numbers.clone()),
            None => HostTensor::from_vec(sizes, logits.clone()),
        });
        results[0].to_vec::<f32>().unwrap()
    })
}

fn ints(tensor: &HostTensor<'_>) -> Vec<f32> {
    tensor.to_vec::<i32>().unwrap().into_iter().map(|id| id as f32).collect()
}

fn live(prompt: Vec<u32>, answer: &[u32], options: SamplingOptions) -> Live {
    let request = Request {
        prompt: prompt.into(),
        adapter: None,
        sampling: Sampling::new(options).unwrap(),
        logit_bias: Vec::new(),
        max_tokens: 100,
        min_tokens: 0,
        end_ids: Vec::new(),
        logprobs: None,
        prompt_logprobs: None,
        constraint: None,
        priority: 0,
        key: 0,
        cache_salt: None,
    };
    let counted = Counted::waiting(&Arc::new(Counters::new(Instant::now())));
    let mut live = Live::new(0, request, mpsc::channel(1).0, counted);
    for token in answer {
        assert!(live.push(Chosen { token: *token, logprob: 0.0, likeliest: vec![] }).is_none());
    }
    live
}

/// As many rows as there are even parts of [0, 1), each of which draws with the middle of its own.
fn strata(choice: &Choice, rows: usize) -> Vec<Choice> {
    let uniform = |row| (row as f32 + 0.5) / rows as f32;
    (0..rows).map(|row| Choice { slot: Some(row as u32), uniform: uniform(row), ..choice.clone() }).collect()
}

/// Draws at even distances come as often as what transformers' processors leave is likely.
#[test]
fn draws_are_as_likely_as_with_transformers() {
    const ROWS: usize = 400;
    for Recorded { options, logits, prompt, answer, kept } in recorded() {
        let choice = live(prompt, &answer, options).choice(Some(0), &[]).unwrap();
        let (tokens, _) = choose(&logits, &strata(&choice, ROWS));
        assert_eq!(choose_by(2, &logits, &strata(&choice, ROWS)).0, tokens, "{options:?}");
        for token in 0..logits.len() {
            let times = tokens.iter().filter(|found| **found == token as i32).count() as f64;
            let probability = kept.iter().find(|(id, _)| *id as usize == token).map_or(0.0, |(_, share)| *share);
            let most = if probability > 0.0 { 1.01 } else { 0.0 };
            let off = (times - probability * ROWS as f64).abs();
            assert!(off <= most, "token {token} comes {times} times of {ROWS} at {probability}, {options:?}");
        }
    }
}

/// The tokens that can come out, by settings, for logits whose softmax is 0.5, 0.25, 0.125, 0.0625, 0.0625.
#[test]
fn candidates_are_those_of_transformers() {
    let logits: Vec<f32> = [0.0625f32, 0.5, 0.125, 0.25, 0.0625].map(f32::ln).to_vec();
    let cases: &[(f64, usize, f64, &[i32])] = &[
        (1.0, 0, 1.0, &[0, 1, 2, 3, 4]),
        (1.0, 1, 1.0, &[1]),
        (1.0, 3, 1.0, &[1, 2, 3]),
        // The fourth and fifth are equal: both stay.
        (1.0, 4, 1.0, &[0, 1, 2, 3, 4]),
        (1.0, 9, 1.0, &[0, 1, 2, 3, 4]),
        (1.0, 0, 0.0, &[1]),
        (1.0, 0, 0.4, &[1]),
        (1.0, 0, 0.6, &[1, 3]),
        (1.0, 0, 0.8, &[1, 2, 3]),
        // Top-p counts what top-k has left: 2/3 and 1/3.
        (1.0, 2, 0.6, &[1]),
        (1.0, 2, 0.7, &[1, 3]),
        // At temperature 1/2 the first has 0.727 of the probability.
        (0.5, 0, 0.7, &[1]),
        (0.5, 0, 0.75, &[1, 3]),
    ];
    for (temperature, top_k, top_p, expected) in cases {
        let options = SamplingOptions { temperature: *temperature, top_k: *top_k, top_p: *top_p, ..Default::default() };
        let choice = live(vec![], &[], options).choice(Some(0), &[]).unwrap();
        for digit_bits in [1, 2] {
            let (mut kept, _) = choose_by(digit_bits, &logits, &strata(&choice, 64));
            kept.sort_unstable();
            kept.dedup();
            assert_eq!(kept, *expected, "temperature {temperature}, top_k {top_k}, top_p {top_p}, {digit_bits} bits");
        }
    }
}

/// Of equal logits the first is the likeliest; penalties decide which it is.
#[test]
fn the_likeliest_is_chosen_after_penalties() {
    let likeliest = |answer: &[u32], penalty: f64, logits: &[f32]| {
        let options = SamplingOptions { repetition_penalty: penalty, ..SamplingOptions::default() };
        choose(logits, &[live(vec![1], answer, options).choice(Some(0), &[]).unwrap()]).0[0]
    };
    assert_eq!(likeliest(&[], 1.0, &[0.0, 2.0, -1.0, 2.0]), 1);
    let logits = [0.4, 1.0, 0.8, -0.1];
    assert_eq!(likeliest(&[], 1.0, &logits), 1);
    assert_eq!(likeliest(&[], 2.0, &logits), 2, "halved: 0.5");
    assert_eq!(likeliest(&[2], 2.0, &logits), 1, "and 0.4");
}

/// A draw is a function of the seed and of where the token stands.
#[test]
fn draws_are_a_function_of_seed_and_position() {
    let draw = |seed, position: usize| {
        let options = SamplingOptions { temperature: 1.0, seed, ..SamplingOptions::default() };
        live(vec![0; position], &[], options).choice(Some(0), &[]).unwrap().uniform
    };
    assert_eq!(draw(1, 5), draw(1, 5));
    let different = |draws: Vec<f32>| draws.iter().map(|draw| draw.to_bits()).collect::<BTreeSet<_>>().len();
    assert_eq!(different((0..20).map(|seed| draw(seed, 5)).collect()), 20);
    assert_eq!(different((1..21).map(|position| draw(1, position)).collect()), 20);
}

/// Greater than a block of the search, with logits that differ little.
#[test]
fn draws_from_a_large_vocabulary_go_everywhere() {
    let logits: Vec<f32> = (0..1000).map(|id| ((id * 37) % 101) as f32 / 200.0).collect();
    let total: f64 = logits.iter().map(|logit| f64::from(*logit).exp()).sum();
    let choice = Choice { temperature: 1.0, top_p: 1.0, ..Choice::default() };
    let (tokens, _) = choose(&logits, &strata(&choice, 5000));
    // Draws go up with the number, so that the tokens do.
    assert!(tokens.is_sorted());
    let mut before = 0.0;
    for (id, logit) in logits.iter().enumerate() {
        let after = before + f64::from(*logit).exp() / total;
        let times = tokens.iter().filter(|token| **token == id as i32).count() as f64;
        assert!((times - (after - before) * 5000.0).abs() < 1.1, "token {id} comes {times} times");
        before = after;
    }
}

/// Rows of all kinds in one program: the likeliest, one of a mask, a draw that a bias decides, one without a slot.
#[test]
fn rows_ask_for_different_things() {
    let logits = [0.5, 2.0, -1.0, 1.5, 0.0];
    let one = |slot| Choice { slot: Some(slot), top_p: 1.0, ..Choice::default() };
    let masked = Choice { mask: vec![0b01101], ..one(1) };
    let biased = Choice { temperature: 1.0, uniform: 0.999, adjusted: vec![(2, 1.0, 100.0)], ..one(2) };
    let never = Choice { adjusted: vec![(1, 1.0, f32::MIN)], ..one(3) };
    let drawn_masked = Choice { temperature: 5.0, uniform: 0.9999, mask: vec![0b00011], top_k: 4, ..one(4) };
    let rows = [one(0), masked, biased, never, drawn_masked, Choice::default()];
    let (tokens, others) = choose(&logits, &rows);
    assert_eq!(tokens[..5], [1, 3, 2, 3, 1]);
    assert_eq!(others.len(), 3, "what is asked for seldom comes with all else");
}

#[test]
fn log_probabilities_are_of_the_logits_themselves() {
    let logits = [0.5f32, 2.0, -1.0, 1.5, 0.0];
    let total: f32 = logits.iter().map(|logit| logit.exp()).sum::<f32>().ln();
    let choice = Choice {
        slot: Some(0),
        temperature: 0.1,
        top_p: 0.2,
        adjusted: vec![(2, 1.0, 50.0)],
        logprobs: Some(3),
        ..Choice::default()
    };
    let (tokens, others) = choose(&logits, &[choice]);
    let [own, likeliest, values] = &others[..] else { panic!("{others:?}") };
    assert_eq!(tokens, [2]);
    assert!((own[0] - (-1.0 - total)).abs() < 1e-6);
    assert_eq!(likeliest[..], [1.0, 3.0, 0.0, 4.0, 2.0]);
    for (id, value) in likeliest.iter().zip(values) {
        assert!((value - (logits[*id as usize] - total)).abs() < 1e-6);
    }
}

#[test]
fn a_logit_that_is_no_number_gives_no_token() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let (tokens, _) = choose(&[0.0, bad, 1.0], &[Choice { slot: Some(0), ..Choice::default() }]);
        assert_eq!(tokens, [-1], "{bad}");
    }
}

/// A row's token and what it is told do not depend on what programs have for other rows.
#[test]
fn larger_programs_choose_the_same() {
    let logits: Vec<f32> = (0..60).map(|id| ((id * 37) % 41) as f32 / 7.0).collect();
    let one = |slot| Choice { slot: Some(slot), top_p: 1.0, ..Choice::default() };
    let drawn = Choice { temperature: 0.8, uniform: 0.63, ..one(1) };
    let rows = [one(0), drawn.clone(), Choice { slot: Some(2), top_k: 9, top_p: 0.7, ..drawn }];
    let (expected, others) = choose(&logits, &rows);
    assert!(others.is_empty());
    let told = Choice { logprobs: Some(2), ..one(3) };
    let (found, telling) = choose(&logits, &[&rows[..], std::slice::from_ref(&told)].concat());
    assert_eq!(found[..3], expected);
    let (found, changing) = choose(&logits, &[&rows[..], &[Choice { mask: vec![-1i32 as u32; 2], ..told }]].concat());
    assert_eq!(found[..3], expected);
    assert_eq!((telling.len(), &telling), (3, &changing));
}

/// What few ask for has few programs.
#[test]
fn usual_rows_have_usual_programs() {
    let one = Choice { top_p: 1.0, ..Choice::default() };
    let drawn = Choice { temperature: 1.0, ..one.clone() };
    let usual = ChoiceShape::usual(1, 90);
    for choice in [
        one.clone(),
        drawn.clone(),
        Choice { top_k: 3, ..drawn.clone() },
        Choice { logprobs: Some(0), ..one.clone() },
        Choice { logprobs: Some(5), ..drawn.clone() },
        Choice { mask: vec![1; 3], ..one.clone() },
        Choice { adjusted: vec![(1, 1.0, 1.0)], logprobs: Some(3), ..one.clone() },
        Choice { adjusted: (0..90).map(|id| (id, 1.0, 1.0)).collect(), logprobs: Some(20), ..one.clone() },
        Choice { logprobs: Some(6), ..one },
    ] {
        assert!(usual.contains(&ChoiceShape::of(1, std::slice::from_ref(&choice), 90)), "{choice:?}");
    }
    assert_eq!(usual[5], ChoiceShape::for_all(1, 90));
}

/// As many as make two lists, of rows that have different ones.
#[test]
fn changes_are_made_in_as_many_lists_as_they_take() {
    let (rows, vocab_size) = (460, 300);
    let logits: Vec<f32> = (0..rows * vocab_size).map(|at| ((at * 37) % 101) as f32 / 20.0 - 2.5).collect();
    let ids = |row: usize| (0..vocab_size as u32).filter(move |id| row != 3 && *id != row as u32);
    let change = |row: usize, id: u32| (id, 1.0 + row as f32 / 8.0, if id == 7 { f32::MIN } else { id as f32 / 16.0 });
    let choices =
        (0..rows).map(|row| Choice { adjusted: ids(row).map(|id| change(row, id)).collect(), ..Default::default() });
    let choices: Vec<_> = choices.collect();
    let lengths = |choices: &[Choice]| {
        let length = |run: Run| match run.shape {
            AdjustShape::List { changes, .. } => changes,
            AdjustShape::Repetition { .. } => panic!("nothing is divided"),
        };
        AdjustShape::runs(choices, vocab_size).into_iter().map(length).collect::<Vec<_>>()
    };
    assert_eq!(lengths(&choices), [131_072, 16_384]);
    assert_eq!([&choices[..4], &choices[..50], &choices[..230]].map(lengths), [[1024], [16_384], [131_072]]);
    assert_eq!(lengths(&choices[..60]), [16_384; 2]);
    let mut expected = logits.clone();
    for (row, choice) in choices.iter().enumerate() {
        for (id, divisor, added) in &choice.adjusted {
            let logit = &mut expected[row * vocab_size + *id as usize];
            let repeated = if *logit < 0.0 { *logit * divisor } else { *logit / divisor };
            *logit = (repeated + added).max(f32::MIN);
        }
    }
    let found = adjusted(&logits, &choices);
    for (at, (found, expected)) in found.iter().zip(&expected).enumerate() {
        assert!((found - expected).abs() <= 1e-6 * expected.abs(), "{at}: {found} and {expected}");
    }
    assert_eq!(lengths(&choices[3..4]), [1024], "without changes too");
}

/// To the bit, of more texts than one run takes: with proposals that were said and that were not, beside texts without a penalty, and where a penalty takes a logit to the
/// end of all numbers.
#[test]
fn what_was_said_is_divided_once() {
    let vocab_size = 70;
    let logits: Vec<f32> = (0..vocab_size).map(|id| ((id * 37) % 41) as f32 / 7.0 - 2.9).collect();
    let penalties = [1.3, 1.0, 0.7, 3e38, 7.7];
    let mut choices = Vec::new();
    let mut expected = Vec::new();
    for text in 0..100usize {
        let said: Vec<u32> = (0..vocab_size as u32).filter(|id| id * 7 % (text as u32 % 9 + 2) == 0).collect();
        let repetition_penalty = penalties[text % penalties.len()];
        let frequency_penalty = if text % 4 == 0 { 0.25 } else { 0.0 };
        let options = SamplingOptions { repetition_penalty, frequency_penalty, ..SamplingOptions::default() };
        let (prompt, answer) = said.split_at(said.len() / 2);
        let mut live = live(prompt.to_vec(), &answer[..2], options);
        // What is known by then goes on.
        live.choice(None, &[]).unwrap();
        for token in answer {
            assert!(live.push(Chosen { token: *token, logprob: 0.0, likeliest: vec![] }).is_none());
        }
        for proposed in [&[][..], &[1], &[1, said[0], 1]] {
            choices.push(live.choice(None, proposed).unwrap());
            let times = |id: u32| {
                let all = answer.iter().chain(&answer[..2]).chain(proposed);
                all.filter(|other| **other == id).count() as f32
            };
            expected.extend((0..vocab_size as u32).zip(&logits).map(|(id, logit)| {
                let penalty = repetition_penalty as f32;
                let divided = if *logit < 0.0 { logit * penalty } else { logit / penalty };
                let is_said = said.contains(&id) || proposed.contains(&id);
                let divided = if is_said { divided.clamp(f32::MIN, f32::MAX) } else { *logit };
                divided - times(id) * frequency_penalty as f32
            }));
        }
    }
    let found = adjusted(&logits.repeat(choices.len()), &choices);
    // A processor may take the smallest numbers for 0.
    let flushed = |logit: &f32| if logit.is_subnormal() { 0.0 } else { *logit };
    for (at, (found, expected)) in found.iter().map(flushed).zip(expected.iter().map(flushed)).enumerate() {
        assert_eq!(found, expected, "token {} of row {}", at % vocab_size, at / vocab_size);
    }
}

/// One request with a long prompt and hundreds of answers would hold up all others.
#[test]
fn a_step_behind_a_long_prompt_takes_what_one_behind_a_short_one_does() {
    const VOCAB: usize = 128_256;
    let options = SamplingOptions { repetition_penalty: 1.1, ..SamplingOptions::default() };
    let bytes = |prompt: usize, answer: u32| {
        let mut live = live((0..prompt as u32).collect(), &(0..answer).collect::<Vec<_>>(), options);
        let choices: Vec<_> = (0..5).map(|count| live.choice(None, &[7; 4][..count]).unwrap()).collect();
        let runs = AdjustShape::runs(&choices, VOCAB);
        runs.iter().flat_map(|run| &run.numbers).map(|(_, numbers)| numbers.bytes().len()).sum::<usize>()
    };
    let short = bytes(8, 0);
    assert!(short < 200_000, "{short} bytes");
    assert_eq!([bytes(VOCAB, 0), bytes(100_000, 90)], [short; 2]);
}
