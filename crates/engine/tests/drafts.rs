//! A smaller model proposes how texts go on, and no answer changes: whichever model it is, whatever is asked for, and whatever comes beside a text, is taken
//! away and computed again, or is cancelled.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use checkpoint::ModelSource;
use constrain::{Constraint, Grammar, Vocabulary};
use data::Tokenizer;
use engine::{
    Draft, Engine, EngineOptions, Event, GenerateOptions, Generator, Lookup, Model, ModelPlan, PromptTile, Request,
    Sampling, SamplingOptions,
};
use graph::DType;
use models::LanguageModel;
use runtime::{Hardware, Session};
use texts::{Alone, PAGE_TOKENS, READ_TOKENS, alone, answer, below, counters, request, session, submit, zoo};
use tokio::sync::mpsc::Receiver;

#[path = "support/texts.rs"]
mod texts;

/// A model with a tokenizer and an adapter.
fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/score")
}

fn load<'s>(session: &'s Session, folder: &Path, adapter: Option<&Path>) -> Model<'s> {
    Model::load(session, &ModelSource::open(folder, adapter).unwrap(), DType::F32, &mut |_| {}).unwrap()
}

/// A smaller model of other weights, with the vocabulary of the fixtures' model and a context of 40 tokens.
fn stranger(session: &Session) -> Model<'_> {
    let text = std::fs::read_to_string(fixtures().join("model/config.json")).unwrap();
    let mut config: serde_json::Value = serde_json::from_str(&text).unwrap();
    config["num_hidden_layers"] = 1.into();
    config["max_position_embeddings"] = 40.into();
    let model = LanguageModel::from_json(&config).unwrap();
    Model::random(session, ModelPlan::new(model, DType::F32, Hardware::CPU), 7).unwrap()
}

fn load_count(count: &AtomicU64) -> u64 {
    count.load(Ordering::Relaxed)
}

fn options() -> EngineOptions {
    EngineOptions {
        rows: 4,
        chunk: 16,
        page_tokens: PAGE_TOKENS,
        read_tokens_min: Some(READ_TOKENS),
        adapters_max: 0,
        ..EngineOptions::default()
    }
}

/// Each step gives all that is proposed and the token behind it.
#[test]
fn what_the_model_itself_proposes_is_right() {
    let session = session();
    let model = load(&session, &zoo().join("llama/grouped"), None);
    let options = EngineOptions { context: Some(64), ..options() };
    let prompt = [5u32, 9, 17];
    let usual = SamplingOptions::default();
    let warm = SamplingOptions { temperature: 0.8, top_k: 30, top_p: 0.95, seed: 3, ..usual };
    let penalties = SamplingOptions { repetition_penalty: 1.2, frequency_penalty: 0.3, presence_penalty: 0.2, ..warm };
    let run = |draft: Option<Draft<'_, '_>>, sampling| {
        let counters = counters();
        let mut engine = Engine::with_draft(&model, draft, &options, Arc::clone(&counters)).unwrap();
        let asked = Request {
            sampling: Sampling::new(sampling).unwrap(),
            logit_bias: vec![(5, 0.5)],
            // One that is likely is not to come early.
            end_ids: vec![1, 2, 3],
            min_tokens: 41,
            ..request(&prompt, 41)
        };
        let (mut events, mut found) = (submit(&mut engine, 0, asked), Vec::new());
        while answer(&mut events, &mut found).is_none() {
            engine.step().unwrap();
        }
        (found, counters)
    };
    for (sampling, tokens, steps) in
        [(usual, 1, 21), (usual, 4, 9), (usual, 9, 5), (usual, 16, 4), (warm, 4, 9), (penalties, 4, 9)]
    {
        let expected = run(None, sampling).0;
        let (found, counters) = run(Some(Draft { model: &model, tokens }), sampling);
        assert_eq!(found, expected, "{tokens} are proposed");
        let [drafts, proposed, accepted] =
            [&counters.drafts, &counters.draft_tokens, &counters.accepted_tokens].map(load_count);
        // The last token is chosen behind what is proposed, and none is proposed in its place.
        assert_eq!((load_count(&counters.steps), accepted), (steps, proposed), "{tokens} are proposed");
        assert_eq!(drafts, (40u64).div_ceil(1 + tokens as u64), "{tokens} are proposed");
        assert_eq!(accepted + drafts, 40);
    }
}

/// How a text is asked for.
struct Asked {
    request: Box<dyn Fn() -> Request>,
    expected: Vec<u32>,
    is_cancelled: bool,
}

/// Texts that begin alike, of all that can be asked for, each with its answer by an engine that proposes nothing and answers nobody else.
fn mixed(model: &Model<'_>, options: &EngineOptions, seed: &mut u64) -> Vec<Asked> {
    let vocab = model.sizes().vocab_size;
    let tokenizer = Tokenizer::from_dir(fixtures().join("model")).unwrap();
    let end = tokenizer.token_to_id("</s>").unwrap();
    let vocabulary = Vocabulary::new(&tokenizer, vocab, &[end]).unwrap();
    let stem: Vec<u32> = (0..24).map(|_| below(seed, vocab) as u32).collect();
    let usual = SamplingOptions::default();
    let warm = SamplingOptions { temperature: 0.7, top_k: 30, top_p: 0.95, ..usual };
    let penalties = SamplingOptions { repetition_penalty: 1.2, frequency_penalty: 0.3, presence_penalty: 0.2, ..usual };
    let samplings = [usual, warm, penalties, SamplingOptions { temperature: 0.5, ..penalties }, usual];
    let mut engine = tuned(Engine::new(model, &EngineOptions { rows: 1, ..options.clone() }, counters()).unwrap());
    let all = (0..15u64).map(|number| {
        let shared = below(seed, stem.len());
        let own = (0..1 + below(seed, 12)).map(|_| below(seed, vocab) as u32);
        let prompt: Vec<u32> = stem[..shared].iter().copied().chain(own).collect();
        let sampling = SamplingOptions { seed: number, ..samplings[number as usize % samplings.len()] };
        let (count, end_ids) = (4 + below(seed, 24), vec![end, below(seed, vocab) as u32]);
        let vocabulary = Arc::clone(&vocabulary);
        let asked = move || Request {
            adapter: (number % 3 == 1).then(|| "tuned".to_owned()),
            sampling: Sampling::new(sampling).unwrap(),
            logprobs: (number % 4 == 2).then_some(2),
            constraint: (number % 7 == 3).then(|| {
                let form = Grammar::Regex("([0-9a-z ]{3},)*".to_owned());
                Constraint::new(&vocabulary, &form).unwrap()
            }),
            min_tokens: 3,
            end_ids: end_ids.clone(),
            ..request(&prompt, count)
        };
        let mut answers = vec![(submit(&mut engine, 0, asked()), Vec::new(), false)];
        finish(&mut engine, &mut answers, &mut |_, _| {});
        Asked { request: Box::new(asked), expected: answers.remove(0).1, is_cancelled: number % 5 == 4 }
    });
    all.collect()
}

/// With the fixtures' adapter.
fn tuned<'m, 's>(mut engine: Engine<'m, 's>) -> Engine<'m, 's> {
    engine.load_adapter("tuned", &fixtures().join("adapter"), false).unwrap();
    engine
}

type Answer = (Receiver<(Instant, Event)>, Vec<u32>, bool);

/// Takes steps until all answers have ended.
fn finish(
    engine: &mut Engine<'_, '_>,
    answers: &mut Vec<Answer>,
    between: &mut dyn FnMut(&mut Engine<'_, '_>, &mut Vec<Answer>),
) {
    for _ in 0..20_000 {
        between(engine, answers);
        engine.step().unwrap();
        for (events, found, has_ended) in answers.iter_mut().filter(|(.., has_ended)| !has_ended) {
            *has_ended = answer(events, found).is_some();
        }
        if answers.iter().all(|(.., has_ended)| *has_ended) {
            return;
        }
        // An adapter's files are read on another thread.
        thread::sleep(Duration::from_micros(50));
    }
    panic!("the answers do not end");
}

/// Asks for all, one after the other or several at once, and holds them to what is expected.
fn check(what: &str, engine: &mut Engine<'_, '_>, all: &[Asked], seed: &mut u64) {
    let (mut asked, mut answers) = (0, Vec::new());
    let submit_some = &mut |engine: &mut Engine<'_, '_>, answers: &mut Vec<Answer>| {
        while asked < all.len() && (below(seed, 3) == 0 || answers.iter().all(|(.., has_ended)| *has_ended)) {
            answers.push((submit(engine, asked as u64, (all[asked].request)()), Vec::new(), false));
            asked += 1;
        }
        for (number, (_, found, has_ended)) in answers.iter_mut().enumerate() {
            if all[number].is_cancelled && !found.is_empty() && !*has_ended {
                engine.cancel(number as u64);
                *has_ended = true;
            }
        }
    };
    while answers.len() < all.len() {
        finish(engine, &mut answers, submit_some);
    }
    for (number, (Asked { expected, is_cancelled, .. }, (_, found, _))) in all.iter().zip(&answers).enumerate() {
        let expected = if *is_cancelled { &expected[..found.len()] } else { &expected[..] };
        assert_eq!(found, expected, "{what}: text {number}");
    }
    assert_eq!(engine.pages_used(), 0, "{what}: pages are left");
}

/// Drafts that are always right, often, and never, in rows of prompts as on a CPU and as on a GPU, with so few pages that texts are taken away.
#[test]
fn no_draft_changes_what_is_asked_for() {
    let session = session();
    let (folder, adapter) = (fixtures().join("model"), fixtures().join("adapter"));
    let model = load(&session, &folder, None);
    let (related, stranger) = (load(&session, &folder, Some(&adapter)), stranger(&session));
    let options = EngineOptions { context: Some(64), adapters_max: 2, adapter_rank_max: 4, ..options() };
    let mut seed = 11;
    let all = mixed(&model, &options, &mut seed);
    let tiled = EngineOptions { prompt_tile: Some(PromptTile::Tokens(5)), step_tokens: Some(15), ..options.clone() };
    let (mut preemptions, mut hits) = (0, 0);
    for (name, draft, tokens, options) in [
        ("the model", &model, 3, &options),
        ("the model, tiled", &model, 5, &tiled),
        ("a related one", &related, 4, &options),
        ("a stranger", &stranger, 2, &tiled),
    ] {
        let pages = 24;
        let bytes = [&model, draft].map(|model| engine::cache_bytes(model, options, pages)).iter().sum();
        let options = EngineOptions { cache_bytes: Some(bytes), ..options.clone() };
        let counters = counters();
        let draft = Draft { model: draft, tokens };
        let engine = Engine::with_draft(&model, Some(draft), &options, Arc::clone(&counters)).unwrap();
        assert_eq!(load_count(&counters.pages), pages as u64, "keys and values of both models");
        check(name, &mut tuned(engine), &all, &mut seed);
        let [proposed, accepted] = [&counters.draft_tokens, &counters.accepted_tokens].map(load_count);
        println!("{name}: {accepted} of {proposed} are right");
        // The model is right of its own texts, and the related one of the adapter's, whose weights it has.
        let range = if name == "a stranger" { 0..=proposed / 10 } else { 20..=proposed - 20 };
        assert!(proposed > 50 && range.contains(&accepted), "{name}: {accepted} of {proposed} are right");
        preemptions += load_count(&counters.preemptions);
        hits += load_count(&counters.prefix_hits);
    }
    assert!(preemptions > 0 && hits > 0, "{preemptions} texts were taken away, {hits} tokens were found");
}

/// What is computed by plans is known of texts that begin with pages of others, or are computed again: there is nothing that the model itself does not propose.
#[test]
fn a_draft_knows_what_its_model_knows() {
    let session = session();
    let model = load(&session, &zoo().join("llama/grouped"), None);
    let options = EngineOptions { context: Some(48), ..options() };
    let bytes = 2 * engine::cache_bytes(&model, &options, 16);
    let options = EngineOptions { cache_bytes: Some(bytes), ..options };
    let counters = counters();
    let draft = Some(Draft { model: &model, tokens: 3 });
    let mut engine = Engine::with_draft(&model, draft, &options, Arc::clone(&counters)).unwrap();
    let stem: Vec<u32> = (0..18).map(|at| (at * 7 + 3) % 90).collect();
    let prompts: Vec<_> = (0..8u32).map(|number| [&stem[..10 + number as usize], &[number]].concat()).collect();
    let options = self::options();
    let mut alone = Alone::new(&model, &options);
    let expected: Vec<_> = prompts.iter().map(|prompt| alone.answer(prompt, 20)).collect();
    for round in 0..2 {
        let submitted = prompts.iter().zip(0..);
        let submitted = submitted.map(|(prompt, at)| submit(&mut engine, round * 8 + at, request(prompt, 20)));
        let mut answers: Vec<_> = submitted.map(|events| (events, Vec::new(), false)).collect();
        finish(&mut engine, &mut answers, &mut |_, _| {});
        for (expected, (_, found, _)) in expected.iter().zip(&answers) {
            assert_eq!(found, expected);
        }
    }
    let [proposed, accepted, preemptions, hits] =
        [&counters.draft_tokens, &counters.accepted_tokens, &counters.preemptions, &counters.prefix_hits]
            .map(load_count);
    assert!(preemptions > 0 && hits > 50, "{preemptions} texts were taken away, {hits} tokens were found");
    assert_eq!(accepted, proposed);
}

/// Other families, whose contexts, rotations and windows are others.
#[test]
fn drafts_may_be_of_other_families() {
    for (case, draft) in [
        ("llama/grouped", "gpt2/usual"),
        ("gemma2/alternating", "llama/dynamic"),
        ("phi3/longrope", "phi3/longrope"),
        ("llama/dynamic", "qwen3_moe/mixed"),
        ("mistral/window", "mistral/window"),
    ] {
        let session = session();
        let [model, small] = [case, draft].map(|case| load(&session, &zoo().join(case), None));
        let options = EngineOptions { context: Some(48), ..options() };
        let mut alone = Alone::new(&model, &options);
        let mut seed = 5;
        let all = (0..5).map(|number| {
            let prompt: Vec<u32> = (0..3 + below(&mut seed, 16)).map(|_| below(&mut seed, 96) as u32).collect();
            let count = 12 + below(&mut seed, 16);
            let expected = alone.answer(&prompt, count);
            Asked { request: Box::new(move || request(&prompt, count)), expected, is_cancelled: number == 3 }
        });
        let all: Vec<_> = all.collect();
        let counters = counters();
        let drafted = Some(Draft { model: &small, tokens: 3 });
        let mut engine = Engine::with_draft(&model, drafted, &options, Arc::clone(&counters)).unwrap();
        check(&format!("{draft} for {case}"), &mut engine, &all, &mut seed);
        let [proposed, accepted] = [&counters.draft_tokens, &counters.accepted_tokens].map(load_count);
        println!("{draft} for {case}: {accepted} of {proposed} are right");
        assert!(proposed > 20 && (case != draft || accepted > proposed - proposed / 4), "{accepted} of {proposed}");
    }
}

/// A folder with the fixtures' model, in which the first number of a weight is none.
fn damaged(weight: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["config.json", "model.safetensors"] {
        std::fs::copy(fixtures().join("model").join(name), folder.path().join(name)).unwrap();
    }
    let file = folder.path().join("model.safetensors");
    let mut bytes = std::fs::read(&file).unwrap();
    let header = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let names: serde_json::Value = serde_json::from_slice(&bytes[8..8 + header]).unwrap();
    let at = 8 + header + names[weight]["data_offsets"][0].as_u64().unwrap() as usize;
    bytes[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    std::fs::write(&file, bytes).unwrap();
    folder
}

#[test]
fn a_draft_that_says_no_numbers_proposes_nothing() {
    let session = session();
    let model = load(&session, &fixtures().join("model"), None);
    let options = EngineOptions { context: Some(64), ..options() };
    let prompts = [[5u32, 6, 7], [0, 8, 9], [100, 101, 102]];
    // The norm is part of all logits, and token 0 of one text.
    for (weight, proposes) in [("model.norm.weight", false), ("model.embed_tokens.weight", true)] {
        let folder = damaged(weight);
        let draft = load(&session, folder.path(), None);
        let counters = counters();
        let draft = Some(Draft { model: &draft, tokens: 3 });
        let mut engine = Engine::with_draft(&model, draft, &options, Arc::clone(&counters)).unwrap();
        let all = prompts.map(|prompt| Asked {
            request: Box::new(move || request(&prompt, 20)),
            expected: alone(&model, &options, &prompt, 20),
            is_cancelled: false,
        });
        check(weight, &mut engine, &all, &mut 3);
        let [drafts, proposed, accepted] =
            [&counters.drafts, &counters.draft_tokens, &counters.accepted_tokens].map(load_count);
        assert_eq!((drafts > 0, proposed > 0, accepted > 0), (proposes, proposes, proposes), "{weight}");
        // Nothing for the text with token 0, and what the model itself says for the others.
        assert!(accepted == proposed && proposed <= 2 * 19, "{weight}: {accepted} of {proposed}");
    }
}

/// As `generate` and `chat` have it: there is room for the text at hand, which grows with the conversation.
#[test]
fn a_draft_grows_with_its_model() {
    let session = session();
    let tokenizer = Tokenizer::from_dir(fixtures().join("model")).unwrap();
    let (folder, adapter) = (fixtures().join("model"), fixtures().join("adapter"));
    let (model, related) = (load(&session, &folder, None), load(&session, &folder, Some(&adapter)));
    let answers = |draft: Option<Draft<'_, '_>>| {
        let mut generator = Generator::new(&model, &tokenizer, None).unwrap().with_draft(draft);
        let options = GenerateOptions { max_tokens: 30, sampling: Sampling::GREEDY, stop: vec![] };
        let mut prompt: Vec<u32> = (10..50).collect();
        let turns = (0..4).map(|turn| {
            let answer = generator.generate(&prompt, &options, &mut |_| ControlFlow::Continue(())).unwrap();
            prompt.extend(answer.tokens.iter().copied().chain([turn, 7]));
            (answer.tokens, answer.cached_tokens)
        });
        turns.collect::<Vec<_>>()
    };
    let expected = answers(None);
    assert!(expected[3].1 > 100, "nothing is kept from before");
    for model in [&model, &related] {
        assert_eq!(answers(Some(Draft { model, tokens: 4 })), expected);
    }
}

#[test]
fn drafts_that_cannot_be_are_refused() {
    let session = session();
    let small = load(&session, &fixtures().join("model"), None);
    let [llama, mamba] = ["llama/grouped", "mamba/biases"].map(|case| load(&session, &zoo().join(case), None));
    let refused = |model: &Model<'_>, draft: &Model<'_>, tokens: usize, options: EngineOptions| {
        let options = EngineOptions { context: Some(48), ..options };
        match Engine::with_draft(model, Some(Draft { model: draft, tokens }), &options, counters()) {
            Ok(_) => panic!("{options:?}"),
            Err(error) => error.to_string(),
        }
    };
    let [name, number] = ["the draft model cannot propose tokens: ", "the number of speculative tokens is "];
    let deterministic = EngineOptions { is_deterministic: true, ..options() };
    let looking_up = EngineOptions { lookup: Some(Lookup::of(2)), ..options() };
    for (model, draft, tokens, options, expected) in [
        (&llama, &small, 3, options(), format!("{name}its vocabulary has 320 tokens and the model's 96: take one of")),
        (
            &llama,
            &mamba,
            3,
            options(),
            format!("{name}it sums up all tokens in a state that cannot take one back: take"),
        ),
        (
            &mamba,
            &llama,
            3,
            options(),
            format!("{name}the model sums up all tokens in a state that cannot take one back"),
        ),
        (&llama, &llama, 3, deterministic, format!("{number}3, but where answers are the same to the bit")),
        (&llama, &llama, 3, looking_up, format!("{name}tokens are looked up already")),
        (&llama, &llama, 0, options(), format!("{number}0, but it should be from 1 to 16")),
        (&llama, &llama, 17, options(), format!("{number}17, but it should be from 1 to 16")),
    ] {
        let error = refused(model, draft, tokens, options);
        assert!(error.starts_with(&expected), "{error}");
    }
}
