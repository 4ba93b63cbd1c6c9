//! Many answers that are held to forms: their masks are computed side by side, and no answer depends on the others.

use constrain::{Constraint, Grammar, Vocabulary};
use data::Tokenizer;
use serde_json::{Value, json};

use super::*;

const ANSWERS: usize = 24;

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/score/model")
}

fn with_tokens(body: impl FnOnce(&Model<'_>)) {
    let session: Session = runtime::open(&Environment::from_process(), Platform::Cpu, &mut |_| {}).unwrap();
    let source = ModelSource::open(folder(), None).unwrap();
    body(&Model::load(&session, &source, DType::F32, &mut |_| {}).unwrap());
}

fn of_rows(rows: usize, runs_ahead: bool) -> EngineOptions {
    EngineOptions { rows, context: None, runs_ahead: Some(runs_ahead), ..options() }
}

/// A vocabulary of the model's in which few letters are spelled.
fn of_letters(letters: &str, vocab_size: usize) -> Arc<Vocabulary> {
    let mut file: Value = serde_json::from_slice(&std::fs::read(folder().join("tokenizer.json")).unwrap()).unwrap();
    let vocab = file["model"]["vocab"].as_object().unwrap();
    let kept = vocab.iter().filter(|(word, id)| letters.contains(word.as_str()) || id.as_u64().unwrap() < 2);
    file["model"]["vocab"] = Value::Object(kept.map(|(word, id)| (word.clone(), id.clone())).collect());
    file["model"]["merges"] = json!([]);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tokenizer.json"), file.to_string()).unwrap();
    let tokenizer = Tokenizer::from_dir(folder.path()).unwrap();
    Vocabulary::new(&tokenizer, vocab_size, &[tokenizer.token_to_id("</s>").unwrap()]).unwrap()
}

/// The requests: of several forms and without one, the likeliest tokens and drawn ones.
fn requests(model: &Model<'_>) -> Vec<Box<dyn Fn() -> Request>> {
    let tokenizer = Tokenizer::from_dir(folder()).unwrap();
    let end = tokenizer.token_to_id("</s>").unwrap();
    let vocabulary = Vocabulary::new(&tokenizer, model.sizes().vocab_size, &[end]).unwrap();
    let person = json!({"type": "object", "properties": {"name": {"type": "string", "maxLength": 8}, "ages": {"type": "array", "items": {"type": "integer"}}}, "required": ["name", "ages"]});
    let forms = [
        Some(Grammar::JsonSchema(person)),
        Some(Grammar::Regex("([0-9a-z ]{3},)*".to_owned())),
        Some(Grammar::Choice(["red fox", "red", "blue"].map(String::from).to_vec())),
        None,
        Some(Grammar::JsonObject),
    ];
    let forms = forms.map(|form| form.map(|form| Constraint::new(&vocabulary, &form).unwrap()));
    let one = |number: usize| {
        let constraint = forms[number % forms.len()].clone();
        let drawn =
            SamplingOptions { temperature: 0.9, top_p: 0.95, seed: number as u64, ..SamplingOptions::default() };
        let sampling = if number.is_multiple_of(3) { Sampling::GREEDY } else { Sampling::new(drawn).unwrap() };
        let prompt = [3 + number as u32, 9, 17];
        let asked =
            move || Request { constraint: constraint.clone(), sampling, end_ids: vec![end], ..request(&prompt, 20) };
        Box::new(asked) as Box<dyn Fn() -> Request>
    };
    (0..ANSWERS).map(one).collect()
}

/// What becomes of requests that come together.
fn answers(model: &Model<'_>, options: &EngineOptions, asked: Vec<Request>) -> Vec<(Vec<u32>, Option<Event>)> {
    let mut engine = Engine::new(model, options, counters()).unwrap();
    let events: Vec<_> = (0..).zip(asked).map(|(number, asked)| send(&mut engine, number, asked)).collect();
    for _ in 0..1000 {
        if engine.live.is_empty() {
            break;
        }
        engine.step().unwrap();
    }
    assert_eq!(engine.pages_used(), 0, "pages are left");
    events.into_iter().map(|mut events| read(&mut events)).collect()
}

#[test]
fn many_answers_of_forms_are_those_of_each_alone() {
    with_tokens(|model| {
        let requests = requests(model);
        let each = requests.iter().flat_map(|asked| answers(model, &of_rows(1, false), vec![asked()]));
        let alone: Vec<_> = each.collect();
        for finish in [FinishReason::Stop, FinishReason::Length] {
            assert!(alone.iter().any(|(_, event)| *event == Some(Event::Finished(finish))), "none says {finish:?}");
        }
        for runs_ahead in [false, true] {
            let asked = requests.iter().map(|asked| asked()).collect();
            assert_eq!(answers(model, &of_rows(ANSWERS, runs_ahead), asked), alone, "runs ahead: {runs_ahead}");
        }
    });
}

/// It fails behind some tokens, where no token spells what has to follow.
#[test]
fn an_answer_that_cannot_go_on_touches_no_other() {
    with_tokens(|model| {
        let requests = requests(model);
        let vocabulary = of_letters("abc", model.sizes().vocab_size);
        let stuck = Constraint::new(&vocabulary, &Grammar::Regex("[abc]{4}d".to_owned())).unwrap();
        let failure = Failure::Constraint("no token of the vocabulary can follow".to_owned());
        for runs_ahead in [false, true] {
            let options = of_rows(ANSWERS + 2, runs_ahead);
            let expected = answers(model, &options, requests.iter().map(|asked| asked()).collect());
            let failing = [0, 1].map(|_| Request { constraint: Some(stuck.clone()), ..request(&[5, 6], 20) });
            let asked = failing.into_iter().chain(requests.iter().map(|asked| asked())).collect();
            let mut found = answers(model, &options, asked);
            assert_eq!(found.split_off(2), expected, "runs ahead: {runs_ahead}");
            for (tokens, event) in found {
                assert_eq!(
                    (tokens.len(), event),
                    (4, Some(Event::Failed(failure.clone()))),
                    "runs ahead: {runs_ahead}"
                );
            }
        }
    });
}
