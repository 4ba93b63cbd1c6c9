//! States that the memory has no room for.

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;

use checkpoint::ModelSource;
use graph::DType;
use models::LanguageModel;
use runtime::plugins::Environment;
use runtime::{Hardware, Memory, Session};
use tokio::sync::mpsc;

use super::*;
use crate::{ModelPlan, Sampling};

const CONTEXT: usize = 8192;
const PAGE_TOKENS: usize = 16;

/// The fixtures' model, meant for longer texts.
fn model(session: &Session) -> Model<'_> {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/score/model");
    let source = ModelSource::open(fixture, None).expect("a model");
    let mut plan = ModelPlan::of(&source, DType::F32, Hardware::CPU).expect("a plan");
    let mut config = plan.model.to_json();
    config["max_position_embeddings"] = CONTEXT.into();
    plan.model = LanguageModel::from_json(&config).expect("a longer model");
    Model::load_planned(session, &source, plan, &mut |_| {}).expect("the model is loaded")
}

fn session() -> Session {
    runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).expect("the CPU plugin starts")
}

fn tokens(count: u32) -> Vec<u32> {
    (0..count).map(|i| (i * 7919 + 13) % 320).collect()
}

fn options(model: &Model<'_>, context: usize) -> EngineOptions {
    let options = EngineOptions {
        rows: 1,
        context: Some(context),
        page_tokens: PAGE_TOKENS,
        compiles_ahead: false,
        adapters_max: 0,
        ..EngineOptions::default()
    };
    let bytes = cache_bytes(model, &options, pages_wanted(1, context, PAGE_TOKENS));
    EngineOptions { cache_bytes: Some(bytes), ..options }
}

/// An engine for texts of `context` tokens, for which so much memory is free, whatever it frees: its process keeps that.
fn engine_in<'m, 's>(model: &'m Model<'s>, context: usize, free: &'m Cell<u128>) -> Engine<'m, 's> {
    let memory = || Some(Memory { total: u64::MAX, free: free.get().try_into().expect("it fits"), peak: None });
    let counters = Arc::new(Counters::new(Instant::now()));
    Engine::in_room(model, None, &options(model, context), counters, Room::told_by(memory)).expect("an engine")
}

fn bytes(model: &Model<'_>, context: usize) -> u128 {
    options(model, context).cache_bytes.expect("it was just set").into()
}

/// How many tokens were there already, and the likeliest that follow.
fn answer(engine: &mut Engine<'_, '_>, prompt: &[u32], count: usize) -> Result<(usize, Vec<u32>)> {
    let (sender, mut events) = mpsc::channel(count + 2);
    let request = Request {
        prompt: prompt.into(),
        adapter: None,
        sampling: Sampling::GREEDY,
        logit_bias: Vec::new(),
        max_tokens: count,
        min_tokens: 0,
        end_ids: Vec::new(),
        logprobs: None,
        prompt_logprobs: None,
        constraint: None,
        priority: 0,
        key: 0,
        cache_salt: None,
    };
    engine.submit(0, request, sender);
    let (mut cached, mut found) = (0, Vec::new());
    loop {
        engine.step()?;
        while let Ok((_, event)) = events.try_recv() {
            match event {
                Event::Started { cached_tokens } => cached = cached_tokens,
                Event::Scored(_) => {}
                Event::Token(chosen) => found.push(chosen.token),
                Event::Finished(_) => return Ok((cached, found)),
                Event::Failed(failure) => return Err(failure.into()),
            }
        }
    }
}

fn is_too_large<T>(result: &Result<T>) -> bool {
    matches!(result, Err(Error::TooLarge { .. }))
}

#[test]
fn a_state_grows_in_the_place_of_the_old_one_if_that_is_enough() {
    let (session, free) = (session(), Cell::new(1 << 40));
    let model = model(&session);
    let mut engine = engine_in(&model, 256, &free);
    answer(&mut engine, &tokens(200), 2).expect("there is room");
    let (old, new, step) = (bytes(&model, 256), bytes(&model, 4096), 1 << 24);

    free.set(new - old - 1);
    assert!(is_too_large(&engine.reserve(4096)) && engine.context() == 256);
    free.set(step);
    assert_eq!(answer(&mut engine, &tokens(220), 2).expect("there is room for a step").0, 192);

    free.set(new - old);
    engine.reserve(4096).expect("what the old one took is free for the new one");
    assert_eq!(engine.context(), 4096);
    free.set(step);
    let (cached, found) = answer(&mut engine, &tokens(300), 5).expect("there is room for a step");
    assert_eq!(cached, 0);
    free.set(1 << 40);
    let expected = answer(&mut engine_in(&model, 512, &free), &tokens(300), 5).expect("there is room").1;
    assert_eq!(found, expected);
}

/// A process without room for both would be killed without a word.
#[test]
fn places_for_adapters_have_to_fit_beside_what_is_remembered() {
    let (session, free) = (session(), Cell::new(0));
    let model = model(&session);
    let options = EngineOptions { adapters_max: 4, adapter_rank_max: 8, ..options(&model, 256) };
    let layout = pool_layout(Adapters::new(model.plan(), &options).reader(), &options, &[])
        .expect("a pool")
        .expect("adapters are wanted");
    let pool = crate::batch::pool_bytes(model.plan(), &layout).expect("a pool");
    let begin = |options: &EngineOptions| {
        let memory = || Some(Memory { total: u64::MAX, free: free.get() as u64, peak: None });
        let counters = Arc::new(Counters::new(Instant::now()));
        Engine::in_room(&model, None, options, counters, Room::told_by(memory)).map(drop)
    };
    free.set(bytes(&model, 256) + pool);
    begin(&options).expect("there is room for both");
    free.set(bytes(&model, 256) + pool - 1);
    let refused = begin(&options).expect_err("there is no room for both").to_string();
    assert!(
        refused.starts_with("the places for adapters take ")
            && refused.ends_with("make fewer or smaller ones, or name the modules that adapters are beside"),
        "{refused}"
    );
    let refused = begin(&EngineOptions { adapters_max: usize::MAX, ..options }).expect_err("no number has so many");
    let expected =
        format!("the number of adapters on the device is {}, but times the most ranks of each, 8,", usize::MAX);
    assert!(refused.to_string().starts_with(&expected), "{refused}");
}

/// The state of a long text, beside which no step fits, is not kept for shorter ones.
#[test]
fn what_leaves_no_room_for_steps_goes() {
    let (session, free) = (session(), Cell::new(0));
    let model = model(&session);
    free.set(bytes(&model, CONTEXT));
    let mut engine = engine_in(&model, CONTEXT, &free);
    // A step of a chunk over many pages takes more than is left.
    free.set(0);
    let asked = Instant::now();
    let refused = answer(&mut engine, &tokens(CONTEXT as u32 - 1), 1).expect_err("there is no room for a step");
    assert!(refused.to_string().contains("a step over 0 texts and"), "{refused}");
    assert!(engine.making_since(asked) > Duration::ZERO, "it was made before it was known to be too large");
    engine.let_go().expect("limits that can work");
    assert!(!engine.has_room(1));

    // What it took is free for a shorter text and its steps.
    engine.reserve(256).expect("what the long one took is free");
    answer(&mut engine, &[5, 6, 7], 1).expect("there is room for a step");
    assert_eq!(engine.context(), 256);
}

/// It grows in the place of the old one if that is enough. If not, nothing is proposed until there is room.
#[test]
fn a_draft_grows_as_far_as_there_is_room() {
    let (session, free, of_draft) = (session(), Cell::new(1 << 40), Cell::new(1 << 40));
    let model = model(&session);
    let counters = Arc::new(Counters::new(Instant::now()));
    let both = EngineOptions { cache_bytes: Some(2 * bytes(&model, 256) as u64), ..options(&model, 256) };
    let told = |free: &Cell<u128>| Some(Memory { total: u64::MAX, free: free.get() as u64, peak: None });
    let draft = Some(Draft { model: &model, tokens: 4 });
    let room = Room::told_by(|| told(&free));
    let mut engine = Engine::in_room(&model, draft, &both, Arc::clone(&counters), room).expect("an engine");
    engine.drafter.as_mut().expect("a draft").runner.forget_steps(Room::told_by(|| told(&of_draft)));
    let proposed = || counters.draft_tokens.load(Ordering::Relaxed);
    let expected = answer(&mut engine_in(&model, 8192, &free), &tokens(200), 9).expect("there is room").1;
    let mut context = 256;
    for (next, room, proposes) in [
        (256, 1 << 40, true),
        (512, 1 << 40, true),
        (1024, bytes(&model, 1024) - bytes(&model, 512), true),
        (2048, 0, false),
        (4096, 0, false),
        (8192, 1 << 40, true),
    ] {
        of_draft.set(room);
        engine.reserve(next).expect("there is room for the model's");
        of_draft.set(1 << 24);
        let (before, kept) = (proposed(), context < next);
        let (cached, found) = answer(&mut engine, &tokens(200), 9).expect("there is room for a step");
        assert_eq!((found, cached > 0), (expected.clone(), kept), "{next}");
        assert_eq!(proposed() > before, proposes, "{next}");
        context = next;
    }
}
