//! A model on several devices, four virtual ones of the CPU: it answers and scores as transformers does (`scripts/fixtures/score.py`).
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use checkpoint::{ModelSource, SafetensorsFile};
use data::Tokenizer;
use engine::{
    CountedText, Counters, Engine, EngineOptions, Event, GenerateOptions, Generator, Message, Model, ModelPlan,
    Pooling, Request, Sampling, SamplingOptions, Scorer, Service, Windows,
};
use graph::DType;
use mesh::{MeshSizes, Rules};
use models::LanguageModel;
use runtime::plugins::Platform;
use runtime::{Hardware, Session};
use serde_json::Value;
use tokio::sync::{Semaphore, oneshot};

#[path = "../../runtime/tests/support/virtual_devices.rs"]
mod virtual_devices;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/score")
}

fn session() -> &'static Session {
    virtual_devices::session(4)
}

fn model<'s>(session: &'s Session, sizes: &str, adapter: bool) -> engine::Result<Model<'s>> {
    let adapter = adapter.then(|| fixtures().join("adapter"));
    on(session, sizes, &ModelSource::open(fixtures().join("model"), adapter.as_deref()).unwrap())
}

fn on<'s>(session: &'s Session, sizes: &str, source: &ModelSource) -> engine::Result<Model<'s>> {
    let shape = sizes.parse::<MeshSizes>().unwrap().on(session.devices().len()).unwrap();
    let plan = ModelPlan::of(source, DType::F32, Hardware::CPU)?.on(Rules::default().partition(shape, &[]));
    Model::load_planned(session, source, plan, &mut |_| {})
}

fn rows(name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(fixtures().join(name)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn ids(value: &Value) -> Vec<u32> {
    serde_json::from_value(value.clone()).unwrap()
}

#[test]
fn answers_and_scores() {
    let session = session();
    let tokenizer = Tokenizer::from_dir(fixtures().join("model")).unwrap();
    let model = model(session, "fsdp=2,mp=auto", true).unwrap();
    let mut generator = Generator::new(&model, &tokenizer, None).unwrap();
    let greedy = rows("greedy.jsonl");
    let row = greedy.iter().find(|row| row["adapter"] == true).unwrap();
    let (prompt, expected) = (ids(&row["prompt"]), ids(&row["tokens"]));
    let options = GenerateOptions { max_tokens: expected.len(), sampling: Sampling::GREEDY, stop: vec![] };
    let answer = generator.generate(&prompt, &options, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(answer.tokens, expected);

    // What is remembered grows, and goes on.
    let longer = [prompt, expected].concat();
    let options = GenerateOptions { max_tokens: 100, ..options };
    let one = self::model(session, "mp=1", true).unwrap();
    let mut alone = Generator::new(&one, &tokenizer, None).unwrap();
    let answer = generator.generate(&longer, &options, &mut |_| ControlFlow::Continue(())).unwrap();
    let expected = alone.generate(&longer, &options, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(answer.tokens, expected.tokens);
    assert!(answer.cached_tokens > 0, "nothing is kept from before");

    let rows = rows("score.jsonl");
    let tokens: Vec<Vec<u32>> = rows.iter().map(|row| ids(&row["tokens"])).collect();
    let sequences: Vec<&[u32]> = tokens.iter().map(Vec::as_slice).collect();
    let whole = Windows::new(None, None, model.context()).unwrap();
    let found = Scorer::new(&model).score(&sequences, whole, &mut |_| ()).unwrap();
    for (row, found) in rows.iter().zip(&found) {
        let expected: Vec<f64> = serde_json::from_value(row["adapter_logprobs"].clone()).unwrap();
        assert_eq!(found.len(), expected.len());
        let off = found.iter().zip(&expected).map(|(a, b)| (f64::from(*a) - b).abs()).max_by(f64::total_cmp);
        // As on one device.
        assert!(off.is_some_and(|off| off < 1e-4), "{off:?}");
    }
}

#[test]
fn a_model_that_does_not_divide_is_refused() {
    let session = session();
    let error = model(session, "mp=3", false).err().unwrap().to_string();
    assert_eq!(
        error,
        "tracing the model: model.embed_tokens.weight: its axis `vocab` of 320 does not divide into 3 parts, over the mesh's mp"
    );
}

#[test]
fn more_devices_than_there_are_are_refused() {
    let session = session();
    let error = model(session, "mp=8", false).err().unwrap().to_string();
    assert!(error.contains("8 devices"), "{error}");
}

fn zoo() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures/zoo")
}

/// A text, and the adapter that it is asked with.
type Asked<'a> = (Vec<u32>, usize, Option<&'a str>, SamplingOptions);

/// The answers of an engine to all at once, with the log-probability of each token, and how often a text was taken away.
fn answers(engine: &mut Engine<'_, '_>, counters: &Counters, texts: &[Asked<'_>]) -> (Vec<Vec<(u32, f32)>>, u64) {
    let mut all: Vec<_> = texts
        .iter()
        .zip(0..)
        .map(|((prompt, max_tokens, adapter, sampling), number)| {
            let request = Request {
                prompt: prompt[..].into(),
                adapter: adapter.map(str::to_owned),
                sampling: Sampling::new(*sampling).unwrap(),
                logit_bias: Vec::new(),
                max_tokens: *max_tokens,
                min_tokens: 0,
                end_ids: Vec::new(),
                logprobs: Some(0),
                prompt_logprobs: None,
                constraint: None,
                priority: 0,
                key: 0,
                cache_salt: None,
            };
            let (sender, events) = tokio::sync::mpsc::channel(max_tokens + 2);
            engine.submit(number, request, sender);
            (events, Vec::new())
        })
        .collect();
    let mut ended = 0;
    for _ in 0..20_000 {
        engine.step().unwrap();
        for (events, tokens) in &mut all {
            while let Ok((_, event)) = events.try_recv() {
                match event {
                    Event::Started { .. } | Event::Scored(_) => {}
                    Event::Token(chosen) => tokens.push((chosen.token, chosen.logprob)),
                    Event::Finished(_) => ended += 1,
                    Event::Failed(failure) => panic!("{failure}"),
                }
            }
        }
        if ended == texts.len() {
            return (all.into_iter().map(|(_, tokens)| tokens).collect(), counters.preemptions.load(Ordering::Relaxed));
        }
        // An adapter's files are read on another thread.
        thread::sleep(Duration::from_micros(50));
    }
    panic!("the answers do not end");
}

/// Texts of one beginning at once, one with each of the adapters and one that draws, where there are pages for some of them: on one device and on several, of
/// each of these sizes. Gives how often a text was taken away on those.
fn check(session: &Session, case: &str, meshes: &[&str], adapters: &[&str]) -> u64 {
    let folder = zoo().join(case);
    let source = ModelSource::open(&folder, None).unwrap();
    let oracle = SafetensorsFile::open(folder.join("oracle.safetensors")).unwrap();
    let ids = |name: &str| -> Vec<u32> {
        oracle.tensor(name).unwrap().to_vec::<i32>().unwrap().into_iter().map(|id| id as u32).collect()
    };
    let (prompt, generated) = (ids("prompt"), ids("generated"));
    let greedy = SamplingOptions { temperature: 0.0, ..SamplingOptions::default() };
    let drawn = SamplingOptions { temperature: 0.8, top_k: 20, top_p: 0.9, seed: 5, ..greedy };
    let other = |count: usize, token: u32| [&prompt[..prompt.len().min(count)], &[token]].concat();
    let mut texts = vec![
        (prompt.clone(), generated.len(), None, greedy),
        (other(9, 3), 8, None, greedy),
        (other(5, 7), 6, None, drawn),
    ];
    texts.extend(adapters.iter().map(|adapter| (other(9, 3), 8, Some(*adapter), greedy)));
    let context = prompt.len() + generated.len();
    let answered = |sizes: &str| {
        let model = on(session, sizes, &source).unwrap();
        let adapters_max = adapters.len();
        let options = EngineOptions {
            rows: 4,
            chunk: 16,
            page_tokens: 4,
            context: Some(context),
            // Two sizes, since each further one is further programs.
            read_tokens_min: Some(context / 2),
            adapters_max,
            adapter_rank_max: 8,
            ..EngineOptions::default()
        };
        let pages = context.div_ceil(4) + 3;
        let options = EngineOptions { cache_bytes: Some(engine::cache_bytes(&model, &options, pages)), ..options };
        let counters = Arc::new(Counters::new(Instant::now()));
        let mut engine = Engine::new(&model, &options, Arc::clone(&counters)).unwrap();
        for adapter in adapters {
            engine.load_adapter(adapter, &folder.join(adapter), false).unwrap();
        }
        let (answers, preemptions) = answers(&mut engine, &counters, &texts);
        assert_eq!(engine.pages_used(), 0, "{case}");
        (answers, preemptions, embedded(engine, &prompt, context))
    };
    let tokens = |answer: &[(u32, f32)]| answer.iter().map(|(token, _)| *token).collect::<Vec<_>>();
    let (alone, _, vector) = answered("mp=1");
    let same = alone.iter().skip(3).filter(|answer| tokens(answer) == tokens(&alone[1])).count();
    assert_eq!(same, 0, "{case}: an adapter changes nothing, so that nothing would be noticed");
    let mut preempted = 0;
    for sizes in meshes {
        let (several, preemptions, vector_of_several) = answered(sizes);
        assert_eq!(tokens(&several[0]), generated, "{case} on {sizes}");
        for (number, (several, alone)) in several.iter().zip(&alone).enumerate() {
            assert_eq!(tokens(several), tokens(alone), "{case} on {sizes}, text {number}");
            for ((_, found), (_, expected)) in several.iter().zip(alone) {
                // Sums over devices add up in another order.
                assert!((found - expected).abs() < 1e-4, "{case} on {sizes}, text {number}: {found}, {expected}");
            }
        }
        assert_eq!(vector.len(), vector_of_several.len());
        let off = vector.iter().zip(&vector_of_several).map(|(a, b)| (a - b).abs()).max_by(f32::total_cmp);
        assert!(off.is_some_and(|off| off < 1e-5), "{case} on {sizes}: {off:?}");
        preempted += preemptions;
    }
    preempted
}

/// The vector of a text.
fn embedded(mut engine: Engine<'_, '_>, tokens: &[u32], context: usize) -> Vec<f32> {
    let counters = Arc::new(Counters::new(Instant::now()));
    let (service, mut inbox) = Service::new(context, 1 << 20, 1, counters);
    let (reply, mut vector) = oneshot::channel();
    let place = Arc::new(Semaphore::new(1)).try_acquire_owned().unwrap();
    let counted = CountedText::new(service.counters(), place);
    service
        .send(Message::Embed { key: 0, tokens: tokens.to_vec(), adapter: None, pooling: Pooling::Mean, reply, counted })
        .unwrap();
    drop(service);
    engine.run(&mut inbox).unwrap();
    vector.try_recv().unwrap().unwrap()
}

/// Of short texts a program has several rows, which lie in parts on the devices, and of long ones a single row, which lies whole on each: in turns.
#[test]
fn vectors_of_texts_that_lie_otherwise_follow_each_other() {
    let session = session();
    let source = ModelSource::open(zoo().join("llama/grouped"), None).unwrap();
    let shape = "fsdp=2,mp=2".parse::<MeshSizes>().unwrap().on(4).unwrap();
    let mut plan =
        ModelPlan::of(&source, DType::F32, Hardware::CPU).unwrap().on(Rules::default().partition(shape, &[]));
    plan.embedded_tokens = 32;
    let model = Model::load_planned(session, &source, plan, &mut |_| {}).unwrap();
    let options = EngineOptions { rows: 2, page_tokens: 4, ..EngineOptions::default() };
    let counters = Arc::new(Counters::new(Instant::now()));
    let mut engine = Engine::new(&model, &options, Arc::clone(&counters)).unwrap();
    let (service, mut inbox) = Service::new(64, 1 << 20, 1, counters);
    let client = thread::spawn(move || {
        let vectors = [10, 20, 10, 20, 10].map(|length| {
            let (reply, vector) = oneshot::channel();
            let counted =
                CountedText::new(service.counters(), Arc::new(Semaphore::new(1)).try_acquire_owned().unwrap());
            let tokens = (0..length).collect();
            service
                .send(Message::Embed { key: 0, tokens, adapter: None, pooling: Pooling::Last, reply, counted })
                .unwrap();
            vector.blocking_recv().unwrap().unwrap()
        });
        drop(service);
        vectors
    });
    engine.run(&mut inbox).unwrap();
    let vectors = client.join().unwrap();
    assert!(vectors[0] == vectors[2] && vectors[2] == vectors[4] && vectors[1] == vectors[3]);
    assert_ne!(vectors[0], vectors[1]);
}

/// Key heads that divide over the devices and those that lie whole on each; experts; states; rows over devices too.
#[test]
fn texts_at_once_are_answered_as_on_one_device() {
    let session = session();
    let mut preemptions = 0;
    for (case, meshes, adapters) in [
        ("llama/grouped", &["mp=2", "fsdp=2,mp=2"][..], &["adapter", "adapters/pattern"][..]),
        ("starcoder2/without_biases", &["mp=4"], &[]),
        ("mixtral/window", &["mp=2"], &[]),
        ("mamba/biases", &["mp=2"], &["adapter"]),
        ("mamba2/groups", &["mp=2"], &[]),
    ] {
        preemptions += check(session, case, meshes, adapters);
    }
    assert!(preemptions > 0, "no text was taken away, so that nothing is known of those that are");
}

/// Each device calls the kernel of pages for its own key heads, whatever they lie in, and those of products for its own part of the weights.
#[test]
fn kernels_attend_with_a_devices_own_heads() {
    let config = serde_json::json!({
        "model_type": "llama", "vocab_size": 320, "hidden_size": 256, "intermediate_size": 384, "num_hidden_layers": 3, "num_attention_heads": 8,
        "num_key_value_heads": 2, "head_dim": 32, "max_position_embeddings": 128,
    });
    let hopper = Hardware { platform: Platform::Cuda, compute_capability: Some((9, 0)), gfx: None };
    for (sizes, heads) in [("mp=1", 2), ("mp=2", 1), ("mp=4", 2), ("fsdp=2,mp=2", 1)] {
        let shape = sizes.parse::<MeshSizes>().unwrap().on(4).unwrap();
        let model = LanguageModel::from_json(&config).unwrap();
        // One device would have packed weights, too.
        let plan = ModelPlan::new(model, DType::BF16, hopper).unpacked().on(Rules::default().partition(shape, &[]));
        for (plan, held) in [(plan.clone(), "bf16"), (plan.holding_float8(hopper).unwrap(), "f8E4M3FN")] {
            let program = engine::decode_program(&plan, 3, 16, 128, 100).unwrap();
            // Of 3 rows of 8 pages and one page more.
            let (queries, pages) =
                (format!("tensor<3x1x{heads}x4x32xbf16>"), format!("tensor<25x{heads}x16x32x{held}>"));
            let called = |kernel: &str| -> Vec<&str> {
                let is_call = |line: &&str| line.contains("__gpu$xla.gpu.triton") && line.contains(kernel);
                program.text.lines().filter(is_call).collect()
            };
            let attends = called("@paged_attention");
            let is_own = |line: &&str| line.contains(&queries) && line.contains(&pages);
            assert!(attends.iter().any(is_own), "{sizes}, {held}: {queries} and {pages} are in none of {attends:?}");
            // Of one token a row attention writes too. Nothing but graph operations makes 8-bit floats of others.
            let is_written = |line: &&&str| line.contains(&pages) && line.contains("output_operand_aliases");
            let written = attends.iter().filter(is_written).count();
            assert_eq!(written, if held == "bf16" { 3 } else { 0 }, "{sizes}, {held}");
            assert!(called("@paged_write").is_empty(), "{sizes}, {held}");
            // As many launches on each as on one device: norms of sums and gates are in them, too.
            let launches = ["norm", "product", "gated"].map(|kernel| called(kernel).len());
            assert_eq!(launches, [8, 13, 3], "{sizes}, {held}");
            // Of queries' weights and of the output's each device multiplies its own.
            let (part, products) = (256 / shape.mp, called("product"));
            let is_whole = |line: &&&str| line.contains("tensor<256x256xbf16>");
            assert!(sizes == "mp=1" || !products.iter().any(|line| is_whole(&line)), "{sizes}: {products:?}");
            for own in [format!("tensor<{part}x256xbf16>"), format!("tensor<256x{part}xbf16>")] {
                assert!(products.iter().any(|line| line.contains(&own)), "{sizes}: {own} is in none of {products:?}");
            }
        }
    }
}

/// What is remembered of texts takes of each device its part, where heads divide.
#[test]
fn each_device_holds_its_part_of_keys_and_values() {
    let session = session();
    let options = EngineOptions { rows: 1, page_tokens: 4, ..EngineOptions::default() };
    let bytes = |case: &str, sizes: &str, pages| {
        let model = on(session, sizes, &ModelSource::open(zoo().join(case), None).unwrap()).unwrap();
        engine::cache_bytes(&model, &options, pages)
    };
    // Keys and values of 3 layers of 2 heads of 8 elements for 4 tokens.
    assert_eq!(bytes("llama/grouped", "mp=1", 10), 10 * 2 * 3 * 2 * 8 * 4 * 4);
    assert_eq!(bytes("llama/grouped", "mp=2", 10), bytes("llama/grouped", "mp=1", 5));
    let case = "starcoder2/without_biases";
    assert_eq!(bytes(case, "mp=2", 10), bytes(case, "mp=1", 10), "one head lies whole on each");
}
