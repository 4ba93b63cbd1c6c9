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

use checkpoint::{LoraConfig, ModelFolder, ModelSource, SafetensorsFile, TargetModules, TensorSpec, write_adapter};
use engine::{
    Counters, Engine, EngineOptions, Event, Failure, Lookup, Model, PromptTile, Refusal, Request, Sampling,
    SamplingOptions,
};
use graph::{DType, HostTensor};
use runtime::Session;
use texts::{Alone, PAGE_TOKENS, READ_TOKENS, alone, answer, below, counters, request, session, submit, zoo};
use tokio::sync::mpsc::Receiver;
use two_at_a_time::two_at_a_time;

#[path = "support/texts.rs"]
mod texts;
#[path = "support/two_at_a_time.rs"]
mod two_at_a_time;

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

/// What happened, to know that it is tried.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// How often texts were taken away.
    preemptions: u64,
    /// The most that waited to be computed again, as the gauge has them.
    preempted: u64,
    /// Models for whose texts tokens are proposed.
    speculating: u64,
    /// Tokens that were proposed, and those of them that were right.
    proposed: u64,
    accepted: u64,
}

impl Seen {
    fn add(&mut self, other: Seen) {
        self.preemptions += other.preemptions;
        self.preempted = self.preempted.max(other.preempted);
        self.speculating += other.speculating;
        self.proposed += other.proposed;
        self.accepted += other.accepted;
    }
}

fn check(folder: &Path, is_deterministic_too: bool) -> Seen {
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
        read_tokens_min: Some(READ_TOKENS),
        adapters_max: 0,
        ..EngineOptions::default()
    };
    // So few pages that texts are taken away and computed again.
    let pages = (prompt.len() + generated.len()).max(40).min(context).div_ceil(PAGE_TOKENS) + 2;
    let usual = EngineOptions { cache_bytes: Some(engine::cache_bytes(&model, &usual, pages)), ..usual };
    let mut alone = Alone::new(&model, &usual);
    assert_eq!(alone.answer(&prompt, generated.len()), generated, "{name}: alone");

    let mut seed = name.bytes().fold(7, |seed: u64, byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
    let others = (1..5).map(|number| {
        let shared = below(&mut seed, prompt.len());
        let own = 1 + below(&mut seed, 20);
        let ids = (0..own).map(|_| below(&mut seed, vocab) as u32);
        let prompt: Vec<u32> = prompt[..shared].iter().copied().chain(ids).take(context.min(40) - 12).collect();
        let count = 4 + below(&mut seed, 8);
        let expected = alone.answer(&prompt, count);
        (number, prompt, expected)
    });
    let others: Vec<_> = others.collect();
    let all = [(0, prompt.clone(), generated.clone())].into_iter().chain(others).chain([(5, prompt, generated)]);
    let all: Vec<_> = all.collect();
    let mut seen = run(&name, &model, &usual, &all, &mut seed);
    let lookup = Some(Lookup { tokens: 3, longest: 3, shortest: 1 });
    // As on a GPU: several prompts in a step, each in as many rows as it takes.
    let tiled = EngineOptions { prompt_tile: Some(PromptTile::Tokens(5)), step_tokens: Some(15), ..usual.clone() };
    let speculating = EngineOptions { lookup, ..tiled };
    match Engine::new(&model, &speculating, counters()) {
        Ok(_) => {
            seen.add(run(&format!("{name}, speculating"), &model, &speculating, &all, &mut seed));
            seen.speculating += 1;
        }
        Err(error) => assert!(error.to_string().contains("sums up all tokens"), "{name}: {error}"),
    }
    if is_deterministic_too {
        let options = EngineOptions { is_deterministic: true, ..usual };
        run(&format!("{name}, deterministic"), &model, &options, &all, &mut seed);
    }
    seen
}

/// Runs all at once, cancelling one.
fn run(
    name: &str,
    model: &Model<'_>,
    options: &EngineOptions,
    all: &[(u64, Vec<u32>, Vec<u32>)],
    seed: &mut u64,
) -> Seen {
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
    let mut preempted = 0;
    for step in 0..10_000 {
        for case in cases.iter_mut().filter(|case| case.events.is_none()) {
            if below(seed, 3) == 0 || step > 20 {
                case.events = Some(submit(&mut engine, case.number, request(&case.prompt, case.expected.len())));
            }
        }
        engine.step().unwrap();
        preempted = preempted.max(counters.preempted.load(Ordering::Relaxed));
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
    assert_eq!(counters.waiting_in_all(), 0, "{name}: texts are left that wait");
    let [preemptions, proposed, accepted] = [&counters.preemptions, &counters.draft_tokens, &counters.accepted_tokens]
        .map(|count| count.load(Ordering::Relaxed));
    Seen { preemptions, preempted, proposed, accepted, speculating: 0 }
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
    let mut all = Vec::new();
    for family in families {
        let mut cases: Vec<_> =
            fs::read_dir(&family).unwrap().map(|case| case.unwrap().path()).filter(has_answer).collect();
        cases.sort();
        let special = cases.iter().filter(|case| case.ends_with("phi3/longrope") || case.ends_with("llama/dynamic"));
        all.extend(cases.iter().take(1).chain(special).cloned().collect::<BTreeSet<_>>());
    }
    let is_fixed = |case: &Path| case.ends_with("llama/dynamic") || case.ends_with("mamba/biases");
    let check = |case: &PathBuf| check(case, is_fixed(case));
    let mut seen = Seen::default();
    two_at_a_time(&all, check).into_iter().for_each(|of_case| seen.add(of_case));
    println!("{seen:?}");
    assert!(seen.preemptions > 0, "no text was taken away, so that nothing is known of those that are");
    assert!(seen.preempted > 0, "none of them was counted while it waited");
    assert!(seen.accepted > 20 && seen.proposed > seen.accepted + 20 && seen.speculating > 10, "{seen:?}");
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
                Event::Started { .. } | Event::Scored(_) => {}
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
        &EngineOptions {
            rows: 1,
            chunk: 16,
            page_tokens: PAGE_TOKENS,
            read_tokens_min: Some(READ_TOKENS),
            adapters_max: 0,
            ..EngineOptions::default()
        },
        prompt,
        count,
    )
}

/// Texts with adapters of several ranks and modules in one batch with the model alone give what each gives alone, and so they do where there is room for
/// one adapter at a time.
fn check_adapters(case: &str, adapters: &[&str], rooms: &[usize]) {
    let adapters: Vec<_> = adapters.iter().map(|adapter| zoo().join(case).join(adapter)).collect();
    check_adapters_at(case, &adapters.iter().map(|path| path.to_str().unwrap()).collect::<Vec<_>>(), rooms);
}

/// The same of adapters in any folders.
fn check_adapters_at(case: &str, adapters: &[&str], rooms: &[usize]) {
    let folder = zoo().join(case);
    let session = session();
    let source = ModelSource::open(&folder, None).unwrap();
    let model = Model::load(&session, &source, DType::F32, &mut |_| {}).unwrap();
    let prompts = [vec![5u32, 9, 17, 3, 44, 21, 8], vec![5u32, 9, 17, 3, 44, 21, 8, 60, 2, 31], vec![70u32; 19]];
    let count = 8;
    let context = Some(model.context().unwrap_or(48).min(48));
    let options = EngineOptions {
        rows: 4,
        chunk: 16,
        page_tokens: PAGE_TOKENS,
        context,
        read_tokens_min: Some(READ_TOKENS),
        ..EngineOptions::default()
    };
    let bare = EngineOptions { adapters_max: 0, ..options.clone() };
    let mut texts = Vec::new();
    for prompt in &prompts {
        texts.push((None, prompt, alone(&model, &bare, prompt, count)));
        for adapter in adapters {
            let tokens = alone_with(&session, &folder, Path::new(adapter), prompt, count);
            texts.push((Some(*adapter), prompt, tokens));
        }
    }
    let of_first: BTreeSet<_> = texts[..=adapters.len()].iter().map(|(.., tokens)| tokens).collect();
    assert!(of_first.len() > 1, "{case}: the adapters change nothing, so that nothing would be noticed");
    for &adapters_max in rooms {
        let options = EngineOptions { adapters_max, adapter_rank_max: 8, ..options.clone() };
        let mut engine = Engine::new(&model, &options, counters()).unwrap();
        for adapter in adapters {
            engine.load_adapter(adapter, Path::new(adapter), false).unwrap();
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
    check_adapters("llama/grouped", &["adapter", "adapters/some_layers", "adapters/pattern"], &[8, 1]);
    check_adapters("gpt_neox/parallel", &["adapter", "adapters/head"], &[8]);
    check_adapters("mamba/biases", &["adapter"], &[8]);
}

/// GPT-2's are stored as (inputs, outputs), and one layer of two has an adapter.
#[test]
fn dora_beside_weights_that_are_stored_the_other_way_round() {
    let (case, folder) = ("gpt2/usual", tempfile::tempdir().unwrap());
    let base = ModelFolder::open(zoo().join(case)).unwrap();
    let config = LoraConfig {
        r: 3,
        use_dora: true,
        target_modules: Some(TargetModules::Names(vec!["c_attn".to_owned()])),
        layers_to_transform: Some(checkpoint::OneOrMany::One(1)),
        ..LoraConfig::default()
    };
    let weight = base.names().find(|name| name.ends_with("h.1.attn.c_attn.weight")).unwrap().to_owned();
    let module = format!("transformer.{}", weight.trim_start_matches("transformer.").trim_end_matches(".weight"));
    let &[input, output] = base.tensor(&weight).unwrap().shape() else { panic!("a matrix") };
    let spec = |name: &str, shape: &[usize]| TensorSpec::new(format!("{module}.{name}"), DType::F32, shape.to_vec());
    let specs = [
        spec("lora_A.weight", &[3, input]),
        spec("lora_B.weight", &[output, 3]),
        spec("lora_magnitude_vector", &[output]),
    ];
    let mut seed = 5;
    write_adapter(folder.path(), &config, &specs, None, |spec| {
        let of_rows = spec.name.ends_with("magnitude_vector");
        let values =
            (0..spec.shape.iter().product()).map(|_| match (below(&mut seed, 2001) as f32 / 1000.0 - 1.0, of_rows) {
                (value, true) => 2.0 + value,
                (value, false) => value,
            });
        Ok(HostTensor::from_vec(&spec.shape, values.collect()).unwrap())
    })
    .unwrap();
    check_adapters_at(
        case,
        &[folder.path().to_str().unwrap(), zoo().join(case).join("adapter").to_str().unwrap()],
        &[8],
    );
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
        for is_pinned in [false, true] {
            let refused = engine.load_adapter("wide", &folder.join("adapter"), is_pinned).unwrap_err().to_string();
            assert!(refused.contains("its rank of 4 is more than there is room for, 3"), "{refused}");
        }
        let asked = Request { adapter: Some("wide".to_owned()), ..request(&[5, 9, 17], 4) };
        let told = submit(&mut engine, 0, asked).try_recv().unwrap().1;
        assert!(matches!(told, Event::Failed(Failure::Refused(Refusal::NoSuchAdapter(_)))), "{told:?}");
    }
}

/// One that comes later may adapt what those at the start do, and what was asked for beside that.
#[test]
fn an_adapter_of_modules_that_no_other_has_is_refused_unless_they_were_named() {
    let folder = zoo().join("llama/grouped");
    let session = session();
    let model = Model::load(&session, &ModelSource::open(&folder, None).unwrap(), DType::F32, &mut |_| {}).unwrap();
    let [first, other] = ["adapters/pattern", "adapter"].map(|name| folder.join(name));
    let prompt = [5u32, 9, 17, 3, 44];
    let expected = alone_with(&session, &folder, &other, &prompt, 6);
    let answer = |targets: &[&str]| {
        let options = EngineOptions {
            chunk: 16,
            context: Some(32),
            adapter_paths: vec![first.clone()],
            adapter_targets: targets.iter().map(|target| (*target).to_owned()).collect(),
            ..Default::default()
        };
        let mut engine = Engine::new(&model, &options, counters()).map_err(|error| error.to_string())?;
        engine.load_adapter("other", &other, false).map_err(|refusal| refusal.to_string())?;
        ask(&mut engine, "other", &prompt, 6)
    };
    let mut engine =
        Engine::new(&model, &EngineOptions { context: Some(32), ..Default::default() }, counters()).unwrap();
    let nobody = ask(&mut engine, "nobody", &prompt, 0).expect_err("not even to compute nothing");
    assert!(nobody.contains("there is no adapter `nobody`"), "{nobody}");
    let refused = answer(&[]).expect_err("there is no room for its modules");
    assert!(
        refused.contains(".up_proj`, for which there is no room: start the server with --lora-target-modules up_proj"),
        "{refused}"
    );
    let refused = answer(&["proj"]).expect_err("no module is called that");
    assert!(refused.contains("a module of adapters is proj, but the model's modules"), "{refused}");
    assert_eq!(answer(&["up_proj", "q_proj", "self_attn.k_proj", "v_proj"]).as_ref(), Ok(&expected));
    assert_eq!(answer(&["all-linear"]).as_ref(), Ok(&expected));
}

/// The greedy tokens of an adapter in an engine, or why there are none.
fn ask(engine: &mut Engine<'_, '_>, adapter: &str, prompt: &[u32], count: usize) -> Result<Vec<u32>, String> {
    let mut events = submit(engine, 0, Request { adapter: Some(adapter.to_owned()), ..request(prompt, count) });
    let mut tokens = Vec::new();
    for _ in 0..20_000 {
        engine.step().unwrap();
        while let Ok((_, event)) = events.try_recv() {
            match event {
                Event::Started { .. } | Event::Scored(_) => {}
                Event::Token(chosen) => tokens.push(chosen.token),
                Event::Finished(_) => return Ok(tokens),
                Event::Failed(failure) => return Err(failure.to_string()),
            }
        }
        thread::sleep(Duration::from_micros(50));
    }
    panic!("the answer does not end");
}

/// What was computed with the files that were there before, among that the pages of a prompt, serves nobody who gets those that are there.
#[test]
fn an_adapter_whose_files_are_replaced_is_another_one() {
    let (folder, scene) = (zoo().join("llama/grouped"), tempfile::tempdir().unwrap());
    let session = session();
    let model = Model::load(&session, &ModelSource::open(&folder, None).unwrap(), DType::F32, &mut |_| {}).unwrap();
    let put = |name: &str, from: &str| {
        let to = scene.path().join(name);
        fs::create_dir_all(&to).unwrap();
        for file in ["adapter_model.safetensors", "adapter_config.json"] {
            fs::copy(folder.join(from).join(file), to.join("new")).unwrap();
            fs::rename(to.join("new"), to.join(file)).unwrap();
        }
        to
    };
    let prompt = [5u32, 9, 17, 3, 44, 21, 8, 60, 2, 31];
    let [old, new] =
        ["adapter", "adapters/some_layers"].map(|name| alone_with(&session, &folder, &folder.join(name), &prompt, 8));
    assert_ne!(old, new, "it would not be noticed which it is");
    let options = EngineOptions {
        rows: 4,
        chunk: 16,
        page_tokens: PAGE_TOKENS,
        context: Some(48),
        adapters_max: 1,
        adapter_rank_max: 8,
        ..EngineOptions::default()
    };
    // Together they have more ranks than there is room for.
    let (poet, other) = (put("poet", "adapter"), put("other", "adapters/some_layers"));
    let mut first = Engine::new(&model, &options, counters()).unwrap();
    first.load_adapter("poet", &poet, false).unwrap();
    assert_eq!(ask(&mut first, "poet", &prompt, 8).as_ref(), Ok(&old));
    // Room for one in each tier.
    let one = first.adapter_host_bytes();
    let mut engine =
        Engine::new(&model, &EngineOptions { adapter_host_bytes: one, ..options.clone() }, counters()).unwrap();
    engine.load_adapter("poet", &poet, false).unwrap();
    engine.load_adapter("other", &other, false).unwrap();
    assert_eq!(ask(&mut engine, "poet", &prompt, 8).as_ref(), Ok(&old));
    put("poet", "adapters/some_layers");
    // Those on the device are what they were.
    assert_eq!(ask(&mut engine, "poet", &prompt, 8).as_ref(), Ok(&old));
    for (held, expected) in [("adapters/some_layers", &new), ("adapter", &old), ("adapters/some_layers", &new)] {
        put("poet", held);
        assert_eq!(ask(&mut engine, "other", &prompt, 8).as_ref(), Ok(&new));
        assert_eq!(ask(&mut engine, "poet", &prompt, 8).as_ref(), Ok(expected), "{held}");
        assert!(engine.adapter_host_bytes() <= one);
    }
    let options = EngineOptions { adapter_host_bytes: one - 1, ..options };
    let mut engine = Engine::new(&model, &options, counters()).unwrap();
    let refused = engine.load_adapter("poet", &poet, false).unwrap_err().to_string();
    assert!(refused.contains(&format!("it takes {one} bytes of host memory")), "{refused}");
}

/// Pinned, it comes without being asked for, and another one finds no room.
#[test]
fn a_pinned_adapter_stays_on_the_device() {
    let folder = zoo().join("llama/grouped");
    let session = session();
    let model = Model::load(&session, &ModelSource::open(&folder, None).unwrap(), DType::F32, &mut |_| {}).unwrap();
    let options = EngineOptions {
        rows: 4,
        chunk: 16,
        page_tokens: PAGE_TOKENS,
        context: Some(48),
        adapters_max: 1,
        adapter_rank_max: 8,
        ..EngineOptions::default()
    };
    let prompt = [5u32, 9, 17, 3, 44];
    let expected = alone_with(&session, &folder, &folder.join("adapter"), &prompt, 4);
    let mut engine = Engine::new(&model, &options, counters()).unwrap();
    engine.load_adapter("kept", &folder.join("adapter"), true).unwrap();
    engine.load_adapter("other", &folder.join("adapters/some_layers"), false).unwrap_err();
    while engine.adapter_host_bytes() == 0 {
        engine.step().unwrap();
    }
    assert_eq!(ask(&mut engine, "kept", &prompt, 4), Ok(expected));
    // Registered anew without, it leaves room again.
    engine.load_adapter("kept", &folder.join("adapter"), false).unwrap();
    engine.load_adapter("other", &folder.join("adapters/some_layers"), false).unwrap();
    ask(&mut engine, "other", &prompt, 4).unwrap();
}

/// Answers of some requests at once, each token with the log-probabilities that are told with it.
fn answers(model: &Model<'_>, options: &EngineOptions, counters: &Arc<Counters>) -> Vec<Vec<(u32, f32, Vec<u32>)>> {
    let mut engine = Engine::new(model, options, Arc::clone(counters)).unwrap();
    let usual = SamplingOptions::default();
    let repeating: Vec<u32> = [5, 9, 17, 3].repeat(5);
    let penalties = SamplingOptions { repetition_penalty: 1.1, frequency_penalty: 0.2, presence_penalty: 0.1, ..usual };
    let warm = SamplingOptions { temperature: 0.4, top_k: 20, top_p: 0.95, ..usual };
    let settings = [
        usual,
        penalties,
        SamplingOptions { seed: 1, ..warm },
        SamplingOptions { seed: 2, temperature: 1.2, ..usual },
        SamplingOptions { seed: 3, min_p: 0.2, ..warm },
        SamplingOptions { seed: 4, temperature: 0.2, ..penalties },
    ];
    let mut all: Vec<_> = (0..)
        .zip(settings)
        .map(|(number, settings)| {
            let asked = Request {
                sampling: Sampling::new(settings).unwrap(),
                logprobs: Some(3),
                // Of one text an end token comes at once, if it may.
                end_ids: if number == 0 { (0..45).collect() } else { vec![] },
                min_tokens: if number == 0 { 20 } else { 0 },
                logit_bias: vec![(5, 1.5), (9, 1.5)],
                ..request(&repeating, 30)
            };
            (submit(&mut engine, number, asked), Vec::new())
        })
        .collect();
    let mut ended = 0;
    for _ in 0..2000 {
        engine.step().unwrap();
        for (events, tokens) in &mut all {
            while let Ok((_, event)) = events.try_recv() {
                match event {
                    Event::Started { .. } | Event::Scored(_) => {}
                    Event::Token(chosen) => {
                        let likeliest = chosen.likeliest.into_iter().map(|(token, _)| token).collect();
                        tokens.push((chosen.token, chosen.logprob, likeliest));
                    }
                    Event::Finished(_) => ended += 1,
                    Event::Failed(failure) => panic!("{failure}"),
                }
            }
        }
        if ended == all.len() {
            return all.into_iter().map(|(_, tokens)| tokens).collect();
        }
    }
    panic!("the answers do not end");
}

/// Of draws, penalties, biases, end tokens and log-probabilities.
#[test]
fn what_is_proposed_changes_no_answer() {
    let folder = zoo().join("llama/grouped");
    let session = session();
    let model = Model::load(&session, &ModelSource::open(&folder, None).unwrap(), DType::F32, &mut |_| {}).unwrap();
    let options = EngineOptions {
        rows: 4,
        chunk: 16,
        page_tokens: PAGE_TOKENS,
        context: Some(64),
        read_tokens_min: Some(READ_TOKENS),
        adapters_max: 0,
        ..EngineOptions::default()
    };
    let expected = answers(&model, &options, &counters());
    for tokens in [1, 4, 9] {
        let counters = counters();
        let options = EngineOptions { lookup: Some(Lookup { tokens, longest: 2, shortest: 1 }), ..options.clone() };
        let found = answers(&model, &options, &counters);
        for (number, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let of = |answer: &[(u32, f32, Vec<u32>)]| -> Vec<_> {
                answer.iter().map(|(token, _, likeliest)| (*token, likeliest.clone())).collect()
            };
            assert_eq!(of(found), of(expected), "{tokens} are proposed, answer {number}");
            for ((_, found, _), (_, expected, _)) in found.iter().zip(expected) {
                // Products of other sizes add up in another order.
                assert!((found - expected).abs() < 1e-4, "{tokens} are proposed, answer {number}: {found}, {expected}");
            }
        }
        let load = |count: &std::sync::atomic::AtomicU64| count.load(Ordering::Relaxed);
        let (proposed, accepted) = (load(&counters.draft_tokens), load(&counters.accepted_tokens));
        assert!(accepted > 10 && proposed > accepted, "{tokens}: {accepted} of {proposed} are right");
    }
}

/// A text with an adapter, one of whose modules is the head: each token that is proposed is computed with it.
#[test]
fn adapters_are_beside_what_is_proposed() {
    for (case, adapter) in [("llama/grouped", "adapter"), ("gpt_neox/parallel", "adapters/head")] {
        let folder = zoo().join(case);
        let session = session();
        let model = Model::load(&session, &ModelSource::open(&folder, None).unwrap(), DType::F32, &mut |_| {}).unwrap();
        let prompt: Vec<u32> = [5, 9, 17, 3].repeat(4);
        let expected = alone_with(&session, &folder, &folder.join(adapter), &prompt, 16);
        let options = EngineOptions {
            rows: 4,
            chunk: 16,
            page_tokens: PAGE_TOKENS,
            context: Some(48),
            read_tokens_min: Some(READ_TOKENS),
            adapter_rank_max: 8,
            lookup: Some(Lookup { tokens: 3, longest: 2, shortest: 1 }),
            ..EngineOptions::default()
        };
        let counters = counters();
        let mut engine = Engine::new(&model, &options, Arc::clone(&counters)).unwrap();
        engine.load_adapter("tuned", &folder.join(adapter), false).unwrap();
        let asked = Request { adapter: Some("tuned".to_owned()), ..request(&prompt, 16) };
        // Beside the model alone.
        let mut answers = [asked, request(&prompt, 16)]
            .into_iter()
            .zip(0..)
            .map(|(asked, number)| (submit(&mut engine, number, asked), Vec::new(), false))
            .collect::<Vec<_>>();
        for _ in 0..20_000 {
            engine.step().unwrap();
            for (events, found, has_ended) in answers.iter_mut().filter(|(.., has_ended)| !has_ended) {
                *has_ended = answer(events, found).is_some();
            }
            if answers.iter().all(|(.., has_ended)| *has_ended) {
                break;
            }
            thread::sleep(Duration::from_micros(50));
        }
        assert_eq!(answers[0].1, expected, "{case}");
        let bare = EngineOptions { adapters_max: 0, lookup: None, ..options };
        assert_eq!(answers[1].1, alone(&model, &bare, &prompt, 16), "{case}, the model alone");
        assert!(counters.draft_tokens.load(Ordering::Relaxed) > 0, "{case}: nothing was proposed");
    }
}

#[test]
fn proposals_that_cannot_be_are_refused() {
    let refused = |case: &str, options: EngineOptions| {
        let session = session();
        let source = ModelSource::open(zoo().join(case), None).unwrap();
        let model = Model::load(&session, &source, DType::F32, &mut |_| {}).unwrap();
        let options = EngineOptions { chunk: 16, context: Some(48), adapters_max: 0, ..options };
        match Engine::new(&model, &options, counters()) {
            Ok(_) => panic!("{case}: {options:?}"),
            Err(error) => error.to_string(),
        }
    };
    let with = |lookup| EngineOptions { lookup: Some(lookup), ..EngineOptions::default() };
    let name = "the number of speculative tokens is";
    for (case, options, expected) in [
        ("mamba/biases", with(Lookup::of(3)), format!("{name} 3, but this model sums up all tokens in a state")),
        (
            "llama/grouped",
            EngineOptions { is_deterministic: true, ..with(Lookup::of(3)) },
            format!("{name} 3, but where answers are the same to the bit"),
        ),
        ("llama/grouped", with(Lookup::of(0)), format!("{name} 0, but it should be from 1 to 16")),
        ("llama/grouped", with(Lookup::of(17)), format!("{name} 17, but it should be from 1 to 16")),
        (
            "llama/grouped",
            with(Lookup { shortest: 5, ..Lookup::of(3) }),
            "the number of last tokens that are looked up at least is 5, but it should be from 1 to the most, 4"
                .to_owned(),
        ),
    ] {
        let error = refused(case, options);
        assert!(error.starts_with(&expected), "{error}");
    }
}
