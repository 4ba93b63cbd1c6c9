//! Runs that are asked to stop right behind a step, before its evaluation, and go on.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;
use tempfile::TempDir;
use train::config::TrainConfig;
use train::{EarlierRun, Ending, Event, RunOptions};

use crate::support::session;

const CONFIG: &str = "\
base_model: MODEL
datasets: [{path: FOLDER/data.jsonl}]
test_datasets: [{path: FOLDER/tests.jsonl}]
sequence_len: 64
micro_batch_size: 2
max_steps: 3
eval_steps: 1
learning_rate: 1.0e-3
";

/// A temporary folder with data, and the runs in it.
struct Scene(TempDir);

impl Scene {
    fn new() -> Scene {
        let scene = Scene(tempfile::tempdir().unwrap());
        let samples = |word: &str| -> String {
            let line =
                |i| format!("{{\"prompt\": \"{word} or iron {i}? \", \"completion\": \"{word}, {i} times.\"}}\n");
            (0..20).map(line).collect()
        };
        fs::write(scene.path("data.jsonl"), samples("water")).unwrap();
        fs::write(scene.path("tests.jsonl"), samples("coal")).unwrap();
        scene
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Goes on with the run in `folder`, or begins it; it is asked to stop as soon as step `stop_after` is done.
    fn train(&self, folder: &str, overrides: &[&str], stop_after: Option<u64>) -> Ending {
        self.try_train(folder, overrides, stop_after).unwrap()
    }

    fn try_train(&self, folder: &str, overrides: &[&str], stop_after: Option<u64>) -> Result<Ending, train::Error> {
        let stop = AtomicBool::new(false);
        self.observed(folder, overrides, &stop, |step| stop.store(Some(step) == stop_after, Ordering::Relaxed))
    }

    /// As [`Scene::try_train`], where `after` learns of each step before anything is written of it.
    fn observed(
        &self,
        folder: &str,
        overrides: &[&str],
        stop: &AtomicBool,
        mut after: impl FnMut(u64),
    ) -> Result<Ending, train::Error> {
        let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/fixtures/score/model");
        let text = format!("{CONFIG}output_dir: FOLDER/{folder}\n");
        let filled = |text: &str| {
            text.replace("FOLDER", &self.0.path().display().to_string()).replace("MODEL", &model.display().to_string())
        };
        let overrides: Vec<String> = overrides.iter().map(|setting| filled(setting)).collect();
        let config = TrainConfig::parse(&filled(&text), Path::new("run.yaml"), &overrides).unwrap();
        let options = RunOptions {
            session: session(),
            cache: None,
            stop,
            earlier: EarlierRun::Resumed,
            observe: &mut |event| {
                if let Event::Step(record) = event {
                    after(record.step);
                }
            },
        };
        train::run(&config, options)
    }

    fn records(&self, run: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.path(run).join("metrics.jsonl")).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Steps of the records of what the sensors of the host have told.
    fn of_host(&self, run: &str) -> Vec<u64> {
        let of_host = self.records(run).into_iter().filter(|record| record["device"] == "host");
        of_host.filter_map(|record| record["step"].as_u64()).collect()
    }

    /// Step, loss and loss of the evaluation in each line of a run's metrics.
    fn metrics(&self, run: &str) -> Vec<[Value; 3]> {
        let records = self.records(run).into_iter();
        let of_training = records.filter(|record| record.get("device").is_none() && record.get("save_bytes").is_none());
        of_training.map(|record| ["step", "loss", "eval_loss"].map(|key| record[key].clone())).collect()
    }

    /// Names of a run's checkpoints, in order.
    fn checkpoints(&self, run: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(run).join("checkpoints")).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn weights(&self, run: &str) -> Vec<u8> {
        fs::read(self.path(run).join("model.safetensors")).unwrap()
    }
}

/// Whoever stops a run waits for a checkpoint, not for an evaluation, which the run that goes on makes up for.
#[test]
fn a_stop_does_not_wait_for_an_evaluation() {
    let scene = Scene::new();
    assert_eq!(scene.train("whole", &[], None), Ending::Finished);
    assert_eq!(scene.train("stopped", &[], Some(1)), Ending::Interrupted { step: 1 });
    assert_eq!(scene.checkpoints("stopped"), ["step-00000001"]);
    assert_eq!(scene.metrics("stopped"), scene.metrics("whole")[..1], "the evaluation was not made");
    assert!(!scene.path("stopped/model.safetensors").exists());

    assert_eq!(scene.train("stopped", &[], None), Ending::Finished);
    assert_eq!(scene.metrics("stopped"), scene.metrics("whole"));
    assert!(scene.weights("stopped") == scene.weights("whole"));
}

/// As on a network whose file server restarts: whose the run is cannot be read, and its metrics and its profile may be another's.
#[test]
fn a_run_whose_claim_cannot_be_read_for_a_while_goes_on() {
    let scene = Scene::new();
    let train = |folder: &str, after: &dyn Fn(u64)| {
        let stop = AtomicBool::new(false);
        let profiled = ["max_steps=4", "profile_steps=2-2"];
        assert_eq!(scene.observed(folder, &profiled, &stop, after).unwrap(), Ending::Finished);
    };
    train("whole", &|_| {});
    let [claim, aside] = [".epoch.json", "aside"].map(|name| scene.path("out").join(name));
    train("out", &|step| match step {
        2 => {
            fs::rename(&claim, &aside).unwrap();
            fs::create_dir(&claim).unwrap();
        }
        4 => {
            fs::remove_dir(&claim).unwrap();
            fs::rename(&aside, &claim).unwrap();
        }
        _ => {}
    });
    let whole = scene.metrics("whole");
    assert_eq!(scene.metrics("out"), [&whole[..2], &whole[6..]].concat(), "those of the steps 2 and 3 are missing");
    assert!(scene.weights("out") == scene.weights("whole"));
}

/// Once more by the run that goes on from the same place again, where the one before left no checkpoint.
#[test]
fn an_evaluation_that_is_made_up_for_twice_is_logged_once() {
    let scene = Scene::new();
    scene.train("whole", &[], None);
    scene.train("out", &[], Some(1));
    scene.train("out", &[], Some(2));
    assert_eq!(scene.metrics("out"), scene.metrics("whole")[..3], "the first evaluation is made up for");
    fs::remove_dir_all(scene.path("out/checkpoints/step-00000002")).unwrap();
    scene.train("out", &[], None);
    assert_eq!(scene.metrics("out"), scene.metrics("whole"));
}

/// It is measured here, so that its weights have to be kept here.
#[test]
fn an_evaluation_that_another_run_left_to_this_one_counts() {
    let scene = Scene::new();
    scene.train("stopped", &[], Some(1));
    // From here on nothing is ever better.
    let on = ["resume_from_checkpoint=FOLDER/stopped/checkpoints/step-00000001", "max_steps=2", "learning_rate=1.0"];
    scene.train("branch", &[&on[..], &["load_best_model_at_end=true"]].concat(), None);
    assert_eq!(scene.checkpoints("branch"), ["step-00000001", "step-00000002"]);
    scene.train("short", &["max_steps=1"], None);
    assert!(scene.weights("branch") == scene.weights("short"), "the model written is that of step 1");
}

/// What no evaluation is better than ends the run, and with it the window of its last record.
#[test]
fn a_run_that_ends_early_writes_its_last_record() {
    let scene = Scene::new();
    // From the first step on nothing is ever better.
    let early = ["max_steps=40", "learning_rate=1.0", "early_stopping_patience=2", "logging_steps=1000"];
    scene.train("out", &early, None);
    let metrics = scene.metrics("out");
    let trained: Vec<&[Value; 3]> = metrics.iter().filter(|record| !record[1].is_null()).collect();
    assert_eq!(trained.len(), 1, "{metrics:?}");
    assert!(trained[0][0].as_u64() < Some(40), "{metrics:?}");
    // Behind the evaluation that ends the run.
    assert_eq!(metrics.last(), Some(trained[0]));
    assert_eq!(metrics[metrics.len() - 2][0], trained[0][0]);
    // The loss is the mean of all steps since the record before.
    scene.train("each", &[&early[..3], &["logging_steps=1"]].concat(), None);
    let each: Vec<f64> = scene.metrics("each").iter().filter_map(|record| record[1].as_f64()).collect();
    assert_eq!(Some(each.len() as u64), trained[0][0].as_u64());
    let low = each.iter().copied().min_by(f64::total_cmp).unwrap();
    let high = each.iter().copied().max_by(f64::total_cmp).unwrap();
    let mean = trained[0][1].as_f64().unwrap();
    assert!(low < mean && mean < high, "{low} < {mean} < {high}");

    let sensors = scene.of_host("out");
    scene.train("out", &early, None);
    assert_eq!(scene.metrics("out"), metrics, "a run that is over adds nothing");
    assert_eq!(scene.of_host("out"), sensors);

    // What the sensors have told is not lost either where a record is due at that step anyhow.
    let last = trained[0][0].as_u64().unwrap();
    assert_eq!(sensors, [last]);
    scene.train("due", &[&early[..3], &[format!("logging_steps={last}").as_str()]].concat(), None);
    assert_eq!(scene.metrics("due").iter().filter(|record| !record[1].is_null()).count(), 1);
    assert!(scene.of_host("due").contains(&last), "{:?}", scene.of_host("due"));
}

/// Where the evaluation that ends a run is left to the one that goes on, so is the record of the steps before it.
#[test]
fn a_run_that_is_over_when_it_goes_on_writes_its_last_record() {
    let scene = Scene::new();
    let early = ["max_steps=40", "learning_rate=1.0", "early_stopping_patience=2", "logging_steps=1000"];
    scene.train("whole", &early, None);
    let whole = scene.metrics("whole");
    let last = whole.last().unwrap()[0].as_u64();
    scene.train("stopped", &early, last);
    assert_eq!(scene.metrics("stopped"), whole[..whole.len() - 2], "the evaluation was not made");
    let mut sensors = scene.of_host("stopped");
    // Once more from the same place, it is told once.
    for _ in 0..2 {
        scene.train("stopped", &early, None);
        assert_eq!(scene.metrics("stopped"), whole);
        // What it read itself comes behind what was told before, unless it ended before it read any.
        let now = scene.of_host("stopped");
        assert!(now.starts_with(&sensors) && now.len() <= sensors.len() + 1, "{sensors:?}, then {now:?}");
        sensors = now;
    }
    // As where it is made shorter.
    scene.train("short", &early, Some(2));
    scene.train("short", &[&early[..], &["max_steps=2"]].concat(), None);
    assert_eq!(scene.metrics("short").last().unwrap()[0], 2);
    assert!(scene.metrics("short").last().unwrap()[1].is_f64());
}

/// A preset's may change from one version to the next, and weights that are trained are drawn no more.
#[test]
fn a_run_goes_on_whatever_its_weights_were_drawn_from() {
    let scene = Scene::new();
    let train = |folder: &str, change: &str, stop_after: Option<u64>| {
        let shape =
            "model_config={model_type: mamba, vocab_size: 320, hidden_size: 16, num_hidden_layers: 1, state_size: 4}";
        scene.try_train(folder, &["base_model=null", "tokenizer=MODEL", shape, change], stop_after)
    };
    let then = "model_config.initializer_range=0.1";
    train("whole", then, None).unwrap();
    train("stopped", then, Some(1)).unwrap();
    let refused = train("stopped", "model_config.hidden_size=32", None).unwrap_err().to_string();
    assert!(refused.contains("mean something else (hidden_size: 16 -> 32); set that back"), "{refused}");
    assert_eq!(train("stopped", "model_config.initializer_range=0.02", None).unwrap(), Ending::Finished);
    assert!(scene.weights("stopped") == scene.weights("whole"));
}

#[test]
fn weights_that_take_nothing_to_evaluate_on_are_named() {
    let scene = Scene::new();
    let none = "test_datasets=[{path: FOLDER/tests.jsonl, weight: 0.001}]";
    let refused = scene.try_train("out", &[none], None).unwrap_err().to_string();
    assert_eq!(
        refused,
        "no sample of `test_datasets` is left to evaluate on, because their `weight`s take none: raise them, or leave `test_datasets` out"
    );
}
