//! Many texts at once give what each gives alone, and what transformers' `generate` gives (`scripts/fixtures/zoo.py`): in every family, whatever
//! comes beside it, is taken away and computed again, or is cancelled.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use checkpoint::{ModelSource, SafetensorsFile};
use engine::{Counters, Engine, EngineOptions, Event, FinishReason, Model, Request, Sampling, SamplingOptions};
use graph::DType;
use runtime::Session;
use runtime::plugins::{Environment, Platform};
use tokio::sync::mpsc::{self, Receiver};

const PAGE_TOKENS: usize = 4;

fn session() -> Session {
    runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap()
}

fn counters() -> Arc<Counters> {
    Arc::new(Counters::new(Instant::now()))
}

fn zoo() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/zoo")
}

/// A number below `end`, from a seed that goes on: SplitMix64.
fn below(seed: &mut u64, end: usize) -> usize {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*seed ^ (*seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) % end as u64) as usize
}

fn request(prompt: &[u32], max_tokens: usize) -> Request {
    Request {
        prompt: prompt.to_vec(),
        adapter: None,
        sampling: Sampling::GREEDY,
        logit_bias: Vec::new(),
        max_tokens,
        min_tokens: 0,
        end_ids: Vec::new(),
        logprobs: None,
        constraint: None,
        priority: 0,
        key: 0,
        cache_salt: None,
    }
}

fn submit(engine: &mut Engine<'_, '_>, number: u64, request: Request) -> Receiver<(Instant, Event)> {
    let (sender, events) = mpsc::channel(request.max_tokens + 2);
    engine.submit(number, request, sender);
    events
}

/// The tokens of an answer, if it has ended.
fn answer(events: &mut Receiver<(Instant, Event)>, tokens: &mut Vec<u32>) -> Option<FinishReason> {
    while let Ok((_, event)) = events.try_recv() {
        match event {
            Event::Started { .. } => {}
            Event::Token(chosen) => tokens.push(chosen.token),
            Event::Finished(reason) => return Some(reason),
            Event::Failed(failure) => panic!("{failure}"),
        }
    }
    None
}

/// What one text gives alone.
fn alone(model: &Model<'_>, options: &EngineOptions, prompt: &[u32], max_tokens: usize) -> Vec<u32> {
    let mut engine = Engine::new(model, options, counters()).unwrap();
    let mut events = submit(&mut engine, 0, request(prompt, max_tokens));
    let mut tokens = Vec::new();
    for _ in 0..10_000 {
        engine.step().unwrap();
        if answer(&mut events, &mut tokens).is_some() {
            return tokens;
        }
    }
    panic!("the answer does not end");
}

/// An answer under way, and what it should be.
struct Case {
    number: u64,
    prompt: Vec<u32>,
    expected: Vec<u32>,
    found: Vec<u32>,
    events: Option<Receiver<(Instant, Event)>>,
    is_cancelled: bool,
    has_ended: bool,
}

/// Gives how often texts were taken away.
fn check(folder: &Path, is_deterministic_too: bool) -> u64 {
    let name = folder.strip_prefix(zoo()).unwrap().display().to_string();
    let oracle = SafetensorsFile::open(folder.join("oracle.safetensors")).unwrap();
    let ids = |name: &str| -> Option<Vec<u32>> {
        let ids = oracle.tensor(name).ok()?.to_vec::<i32>().unwrap();
        Some(ids.into_iter().map(|id| id as u32).collect())
    };
    let (prompt, generated) = ids("prompt").zip(ids("generated")).unwrap();
    let session = session();
    let source = ModelSource::open(folder, None).unwrap();
    let model = Model::load(&session, &source, DType::F32, &mut |_| {}).unwrap();
    let vocab = model.sizes().vocab_size;
    let context = model.context().unwrap_or(usize::MAX).min(64.max(prompt.len() + generated.len()));
    let usual = EngineOptions {
        rows: 4,
        chunk: 16,
        page_tokens: PAGE_TOKENS,
        context: Some(context),
        adapters_max: 0,
        ..EngineOptions::default()
    };
    // So few pages that texts are taken away and computed again.
    let pages = (prompt.len() + generated.len()).max(40).min(context).div_ceil(PAGE_TOKENS) + 2;
    let usual = EngineOptions { cache_bytes: Some(engine::cache_bytes(&model, &usual, pages)), ..usual };
    assert_eq!(alone(&model, &usual, &prompt, generated.len()), generated, "{name}: alone");

    let mut seed = name.bytes().fold(7, |seed: u64, byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
    let others = (1..5).map(|number| {
        let shared = below(&mut seed, prompt.len());
        let own = 1 + below(&mut seed, 20);
        let ids = (0..own).map(|_| below(&mut seed, vocab) as u32);
        let prompt: Vec<u32> = prompt[..shared].iter().copied().chain(ids).take(context.min(40) - 12).collect();
        let count = 4 + below(&mut seed, 8);
        let expected = alone(&model, &usual, &prompt, count);
        (number, prompt, expected)
    });
    let others: Vec<_> = others.collect();
    let all = [(0, prompt.clone(), generated.clone())].into_iter().chain(others).chain([(5, prompt, generated)]);
    let all: Vec<_> = all.collect();
    let preemptions = run(&name, &model, &usual, &all, &mut seed);
    if is_deterministic_too {
        let options = EngineOptions { is_deterministic: true, ..usual };
        run(&format!("{name}, deterministic"), &model, &options, &all, &mut seed);
    }
    preemptions
}

/// Runs all at once, cancelling one. Gives how often texts were taken away.
fn run(
    name: &str,
    model: &Model<'_>,
    options: &EngineOptions,
    all: &[(u64, Vec<u32>, Vec<u32>)],
    seed: &mut u64,
) -> u64 {
    let counters = counters();
    let mut engine = Engine::new(model, options, Arc::clone(&counters)).unwrap();
    let mut cases: Vec<_> = all
        .iter()
        .map(|(number, prompt, expected)| Case {
            number: *number,
            prompt: prompt.clone(),
            expected: expected.clone(),
            found: Vec::new(),
            events: None,
            is_cancelled: *number == 3,
            has_ended: false,
        })
        .collect();
    for step in 0..10_000 {
        for case in cases.iter_mut().filter(|case| case.events.is_none()) {
            if below(seed, 3) == 0 || step > 20 {
                case.events = Some(submit(&mut engine, case.number, request(&case.prompt, case.expected.len())));
            }
        }
        engine.step().unwrap();
        for case in cases.iter_mut().filter(|case| !case.has_ended) {
            let Some(events) = &mut case.events else { continue };
            case.has_ended = answer(events, &mut case.found).is_some();
            if case.is_cancelled && !case.found.is_empty() {
                engine.cancel(case.number);
                case.has_ended = true;
            }
        }
        if cases.iter().all(|case| case.has_ended) {
            break;
        }
    }
    for case in &cases {
        assert!(case.has_ended, "{name}: text {} does not end", case.number);
        let expected = if case.is_cancelled { &case.expected[..case.found.len()] } else { &case.expected[..] };
        assert_eq!(case.found, expected, "{name}: text {}", case.number);
    }
    assert_eq!(engine.pages_used(), 0, "{name}: pages are left");
    counters.preemptions.load(Ordering::Relaxed)
}

/// One of each family, and those whose rotations change with the text's length.
#[test]
fn all_families_generate_at_once_what_they_generate_alone() {
    let has_answer = |folder: &PathBuf| {
        let oracle = SafetensorsFile::open(folder.join("oracle.safetensors"));
        oracle.is_ok_and(|oracle| oracle.tensor("generated").is_ok())
    };
    let mut families: Vec<_> = fs::read_dir(zoo()).unwrap().map(|family| family.unwrap().path()).collect();
    families.sort();
    let mut preemptions = 0;
    for family in families {
        let mut cases: Vec<_> =
            fs::read_dir(&family).unwrap().map(|case| case.unwrap().path()).filter(has_answer).collect();
        cases.sort();
        let special = cases.iter().filter(|case| case.ends_with("phi3/longrope") || case.ends_with("llama/dynamic"));
        for case in cases.iter().take(1).chain(special).collect::<BTreeSet<_>>() {
            preemptions += check(case, case.ends_with("llama/dynamic") || case.ends_with("mamba/biases"));
        }
    }
    assert!(preemptions > 0, "no text was taken away, so that nothing is known of those that are");
}

/// The bits of the log-probabilities of a text's tokens, with others beside it.
fn bits(model: &Model<'_>, options: &EngineOptions, prompt: &[u32], others: &[Vec<u32>]) -> Vec<u32> {
    let mut engine = Engine::new(model, options, counters()).unwrap();
    let beside = others.iter().zip(1..).map(|(other, number)| {
        let sampling = SamplingOptions { temperature: 1.5, top_k: 7, seed: number, ..SamplingOptions::default() };
        let request = Request { sampling: Sampling::new(sampling).unwrap(), ..request(other, 9) };
        submit(&mut engine, number, request)
    });
    let _beside: Vec<_> = beside.collect();
    // Behind those that were there before.
    engine.step().unwrap();
    let asked = Request { logprobs: Some(0), ..request(prompt, 6) };
    let mut events = submit(&mut engine, 0, asked);
    let mut bits = Vec::new();
    for _ in 0..1000 {
        engine.step().unwrap();
        while let Ok((_, event)) = events.try_recv() {
            match event {
                Event::Started { .. } => {}
                Event::Token(chosen) => bits.extend([chosen.token, chosen.logprob.to_bits()]),
                Event::Finished(_) => return bits,
                Event::Failed(failure) => panic!("{failure}"),
            }
        }
    }
    panic!("the answer does not end");
}

/// Tokens of a prompt that were found, for each text's salt in turn.
#[test]
fn texts_of_other_salts_share_nothing() {
    let session = session();
    let source = ModelSource::open(zoo().join("llama/grouped"), None).unwrap();
    let model = Model::load(&session, &source, DType::F32, &mut |_| {}).unwrap();
    let options = EngineOptions {
        rows: 2,
        chunk: 16,
        page_tokens: PAGE_TOKENS,
        context: Some(32),
        shares_prefixes: true,
        ..EngineOptions::default()
    };
    let mut engine = Engine::new(&model, &options, counters()).unwrap();
    let prompt: Vec<u32> = (1..=3 * PAGE_TOKENS as u32 + 1).collect();
    let mut number = 0;
    let mut cached = |salt: Option<&str>| {
        number += 1;
        let request = Request { cache_salt: salt.map(str::to_owned), ..request(&prompt, 2) };
        let mut events = submit(&mut engine, number, request);
        for _ in 0..100 {
            engine.step().unwrap();
        }
        match events.try_recv().unwrap().1 {
            Event::Started { cached_tokens } => cached_tokens,
            other => panic!("{other:?}"),
        }
    };
    let all = 3 * PAGE_TOKENS;
    let salts = [None, None, Some("a"), Some("a"), Some("b"), Some(""), Some("b"), None];
    assert_eq!(salts.map(&mut cached), [0, all, 0, all, 0, 0, all, all]);
}

#[test]
fn tokens_are_counted_as_they_are_told() {
    let session = session();
    let source = ModelSource::open(zoo().join("llama/grouped"), None).unwrap();
    let model = Model::load(&session, &source, DType::F32, &mut |_| {}).unwrap();
    let options =
        EngineOptions { rows: 1, chunk: 16, page_tokens: PAGE_TOKENS, context: Some(32), ..EngineOptions::default() };
    let said = alone(&model, &options, &[1, 2, 3], 8);
    // The one after which it is to end, when that comes for the first time.
    let end = said.iter().position(|token| *token == said[5]).unwrap();
    for (end_ids, expected) in [(Vec::new(), 8), (vec![said[5]], end)] {
        let counters = counters();
        let mut engine = Engine::new(&model, &options, Arc::clone(&counters)).unwrap();
        let mut events = submit(&mut engine, 0, Request { end_ids, ..request(&[1, 2, 3], 8) });
        let mut tokens = Vec::new();
        (0..20).for_each(|_| engine.step().unwrap());
        assert!(answer(&mut events, &mut tokens).is_some());
        assert_eq!((tokens.len(), counters.generated_tokens.load(Ordering::Relaxed)), (expected, expected as u64));
    }
}

#[test]
fn what_is_deterministic_has_the_same_bits_beside_anything() {
    let folder = zoo().join("llama/grouped");
    let session = session();
    let model = Model::load(&session, &ModelSource::open(&folder, None).unwrap(), DType::F32, &mut |_| {}).unwrap();
    let options = EngineOptions {
        rows: 4,
        chunk: 16,
        page_tokens: PAGE_TOKENS,
        context: Some(64),
        adapters_max: 0,
        is_deterministic: true,
        ..EngineOptions::default()
    };
    let prompt: Vec<u32> = (0..21).map(|i| (i * 7 + 3) % 90).collect();
    let alone = bits(&model, &options, &prompt, &[]);
    let others = [vec![5; 30], prompt[..18].to_vec(), vec![8, 1, 60]];
    for count in 1..=others.len() {
        assert_eq!(bits(&model, &options, &prompt, &others[..count]), alone, "beside {count}");
    }
}

/// The greedy tokens of a model with an adapter of its own in its programs.
fn alone_with(session: &Session, folder: &Path, adapter: &Path, prompt: &[u32], count: usize) -> Vec<u32> {
    let source = ModelSource::open(folder, Some(adapter)).unwrap();
    let source = engine::parted(source);
    let model = Model::load(session, &source, DType::F32, &mut |_| {}).unwrap();
    alone(
        &model,
        &EngineOptions { rows: 1, chunk: 16, page_tokens: PAGE_TOKENS, adapters_max: 0, ..EngineOptions::default() },
        prompt,
        count,
    )
}

/// Texts with adapters of several ranks and modules in one batch with the model alone give what each gives alone, and so they do where there is room for
/// one adapter at a time.
fn check_adapters(case: &str, adapters: &[&str], rooms: &[usize]) {
    let folder = zoo().join(case);
    let session = session();
    let source = ModelSource::open(&folder, None).unwrap();
    let model = Model::load(&session, &source, DType::F32, &mut |_| {}).unwrap();
    let prompts = [vec![5u32, 9, 17, 3, 44, 21, 8], vec![5u32, 9, 17, 3, 44, 21, 8, 60, 2, 31], vec![70u32; 19]];
    let count = 8;
    let context = Some(model.context().unwrap_or(48).min(48));
    let options = EngineOptions { rows: 4, chunk: 16, page_tokens: PAGE_TOKENS, context, ..EngineOptions::default() };
    let bare = EngineOptions { adapters_max: 0, ..options.clone() };
    let mut texts = Vec::new();
    for prompt in &prompts {
        texts.push((None, prompt, alone(&model, &bare, prompt, count)));
        for adapter in adapters {
            let tokens = alone_with(&session, &folder, &folder.join(adapter), prompt, count);
            texts.push((Some(*adapter), prompt, tokens));
        }
    }
    let of_first: BTreeSet<_> = texts[..=adapters.len()].iter().map(|(.., tokens)| tokens).collect();
    assert!(of_first.len() > 1, "{case}: the adapters change nothing, so that nothing would be noticed");
    for &adapters_max in rooms {
        let options = EngineOptions { adapters_max, adapter_rank_max: 8, ..options.clone() };
        let mut engine = Engine::new(&model, &options, counters()).unwrap();
        for adapter in adapters {
            engine.load_adapter(adapter, &folder.join(adapter)).unwrap();
        }
        let mut answers = Vec::new();
        for (number, (adapter, prompt, _)) in texts.iter().enumerate() {
            let request = Request { adapter: adapter.map(str::to_owned), ..request(prompt, count) };
            answers.push((submit(&mut engine, number as u64, request), Vec::new(), false));
        }
        for _ in 0..20_000 {
            engine.step().unwrap();
            for (events, found, has_ended) in answers.iter_mut().filter(|(.., has_ended)| !has_ended) {
                *has_ended = answer(events, found).is_some();
            }
            if answers.iter().all(|(.., has_ended)| *has_ended) {
                break;
            }
            // Files are read on another thread.
            thread::sleep(Duration::from_micros(50));
        }
        for ((adapter, prompt, expected), (_, found, has_ended)) in texts.iter().zip(&answers) {
            let what = format!("{case}: {adapter:?} after {} tokens, with room for {adapters_max}", prompt.len());
            assert!(*has_ended && found == expected, "{what}: {found:?} and not {expected:?}");
        }
    }
}

#[test]
fn adapters_of_several_kinds_share_a_batch() {
    check_adapters("llama/grouped", &["adapter", "adapters/some_layers"], &[8, 1]);
    check_adapters("gpt_neox/parallel", &["adapter", "adapters/head"], &[8]);
    check_adapters("mamba/biases", &["adapter"], &[8]);
}

/// Whatever mode: rows of a step have room for so many ranks and no more.
#[test]
fn an_adapter_of_more_ranks_than_there_is_room_for_is_refused() {
    let folder = zoo().join("llama/grouped");
    let session = session();
    let model = Model::load(&session, &ModelSource::open(&folder, None).unwrap(), DType::F32, &mut |_| {}).unwrap();
    for is_deterministic in [false, true] {
        let options =
            EngineOptions { adapter_rank_max: 3, chunk: 32, context: Some(64), is_deterministic, ..Default::default() };
        let mut engine = Engine::new(&model, &options, counters()).unwrap();
        engine.load_adapter("wide", &folder.join("adapter")).unwrap();
        let asked = Request { adapter: Some("wide".to_owned()), ..request(&[5, 9, 17], 4) };
        let mut events = submit(&mut engine, 0, asked);
        let failure = (0..20_000).find_map(|_| {
            engine.step().unwrap();
            thread::sleep(Duration::from_micros(50));
            match events.try_recv().ok()?.1 {
                Event::Failed(failure) => Some(failure.to_string()),
                event => panic!("{event:?}"),
            }
        });
        let failure = failure.expect("it is refused");
        assert!(failure.contains("its rank of 4 is more than there is room for, 3"), "{failure}");
    }
}
