//! Checkpoints in boxes: on another mesh, killed while they are written, taken over by another run, looked into.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant, SystemTime};

use checkpoint::{Checkpoint, Claim, ModelFolder, Owner, SafetensorsFile, latest};
use expect_test::expect;
use rustix::process::Signal;

use crate::command::{finery, refusal};
use crate::resuming::send;
use crate::scene::{Scene, wait_for};

/// Heads and rows that eight devices can share out, and each step's rows in the log.
const SHARED: [&str; 8] = [
    "-v",
    "train",
    "run.yaml",
    "model_config.hidden_size=64",
    "model_config.num_attention_heads=16",
    "model_config.num_key_value_heads=8",
    "micro_batch_size=8",
    "max_steps=6",
];

/// Which rows of the data each step took.
fn rows(stderr: &str) -> Vec<String> {
    let rows = stderr.lines().filter_map(|line| line.split_once(" takes the rows "));
    rows.map(|(step, rows)| format!("{}: {rows}", step.rsplit_once(' ').unwrap().1)).collect()
}

#[test]
fn a_run_goes_on_on_any_mesh() {
    let scene = Scene::new();
    let train = |words: &[&str]| scene.succeed(&[&SHARED[..], words].concat());
    let whole = rows(&train(&["mesh.fsdp=8", "save_steps=3"]));
    assert_eq!(whole, ["1: 0 to 8", "2: 8 to 16", "3: 16 to 24", "4: 24 to 32", "5: 32 to 40", "6: 40 to 48"]);
    let losses = scene.losses("out");
    assert!(losses[5] < losses[0], "{losses:?}");
    let from = "resume_from_checkpoint=out/checkpoints/step-00000003";
    let meshes = [("cube", "mesh={dp: 2, fsdp: 2, mp: 2}"), ("alone", "mesh={}"), ("heads", "mesh={mp: 8}")];
    for (run, mesh) in meshes {
        let stderr = train(&[from, mesh, &format!("output_dir={run}")]);
        assert_eq!(rows(&stderr), whole[3..], "{mesh}");
        for (found, expected) in scene.losses(run).iter().zip(&losses[3..]) {
            // Sums in another order.
            assert!((found - expected).abs() <= 1e-5 * expected, "{mesh}: {found} in place of {expected}");
        }
        assert_eq!(scene.losses(run).len(), 3);
    }

    looked_into(&scene);
}

/// What `finery checkpoint` makes of the checkpoints of `out`, which eight devices have saved.
fn looked_into(scene: &Scene) {
    let output = |words: &[&str]| {
        let output = scene.run(&[&["checkpoint"], words].concat());
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    expect![[r#"
        step-00000003  step 3, 1.1 MB, dp 1 x fsdp 8 x mp 1
        step-00000006  step 6, 1.1 MB, dp 1 x fsdp 8 x mp 1
        model.safetensors  step 6, the trained model
    "#]]
    .assert_eq(&output(&["inspect", "out"]));
    let described = output(&["inspect", "out/checkpoints/step-00000003", "--tensors"]);
    let lines: Vec<&str> = described.lines().filter(|line| !line.starts_with("saved ")).collect();
    expect![[r#"
        step     3
        data     goes on at row 24, after 1,268 tokens
        mesh     dp 1 x fsdp 8 x mp 1
        weights  21 tensors in 168 boxes, 337.2 kB
        moments  42 tensors in 336 boxes, 674.3 kB"#]]
    .assert_eq(&lines[..5].join("\n"));
    assert!(described.contains("\nmodel.norm.weight.exp_avg  f32 [64], in 8 boxes\n"), "{described}");
    assert!(output(&["inspect", "cube"]).contains("dp 2 x fsdp 2 x mp 2"));

    // As a model it is what the run itself wrote at its end.
    assert_eq!(
        output(&["consolidate", "out", "model"]),
        "wrote the weights of out/checkpoints/step-00000006 to model\n"
    );
    let [written, consolidated] = ["out", "model"].map(|folder| ModelFolder::open(scene.path(folder)).unwrap());
    assert!(consolidated.names().eq(written.names()));
    for name in written.names() {
        assert!(consolidated.tensor(name).unwrap() == written.tensor(name).unwrap(), "{name}");
    }
    assert_eq!(consolidated.config(), written.config());
    assert!(scene.path("model/tokenizer.json").is_file());
    let message = scene.refusal(&["checkpoint", "consolidate", "out", "model"]);
    assert_eq!(message, "model is there already: give a folder that does not exist or is empty");
    // In boxes it is a model too, here and wherever it is copied.
    let score = |model: &str| {
        scene.write("lines.jsonl", "{\"text\": \"iron, and then water\"}\n");
        let output = scene.run(&["score", "--model", model, "--input", "lines.jsonl"]);
        assert!(output.status.success(), "{output:?}");
        output.stdout
    };
    assert_eq!(score("out/checkpoints/step-00000006"), score("model"));

    let whole = output(&["verify", "out"]);
    assert!(whole.ends_with("step-00000006: 63 tensors in 5 files, as they were saved\n"), "{whole}");
    let state = scene.path("out/checkpoints/step-00000006/state.safetensors");
    let mut bytes = fs::read(&state).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&state, bytes).unwrap();
    let message = scene.refusal(&["checkpoint", "verify", "out"]);
    expect![[r#"checkpoint out/checkpoints/step-00000006 is not complete: state.safetensors is not what was saved (its checksum differs), in the box "lm_head.weight.exp_avg_sq[280:320,0:64]""#]]
        .assert_eq(&message);
    let message = scene.refusal(&["checkpoint", "consolidate", "out", "damaged"]);
    assert!(message.contains("state.safetensors is not what was saved"), "{message}");
    assert!(!scene.path("damaged").exists());
}

/// A run that ended, goes on and is killed leaves the model of its first end beside newer checkpoints.
#[test]
fn a_trained_model_says_of_which_step_it_is() {
    let scene = Scene::new();
    let metadata = |file: &str| SafetensorsFile::open(scene.path(file)).unwrap().metadata().clone();
    let of_step = |step: &str| {
        BTreeMap::from([("format", "pt"), ("finery.step", step)].map(|(key, value)| (key.to_owned(), value.to_owned())))
    };
    let inspected = |run: &str| {
        let stdout = String::from_utf8(scene.run(&["checkpoint", "inspect", run]).stdout).unwrap();
        stdout.lines().last().unwrap().to_owned()
    };
    scene.train(&["max_steps=2"]);
    assert_eq!(metadata("out/model.safetensors"), of_step("2"));
    scene.succeed(&["checkpoint", "consolidate", "out", "model"]);
    assert_eq!(metadata("model/model.safetensors"), of_step("2"));
    scene.succeed(&["train", "lora.yaml", "max_steps=3"]);
    assert_eq!(metadata("adapter/adapter_model.safetensors"), of_step("3"));
    assert_eq!(inspected("adapter"), "adapter_model.safetensors  step 3, the trained model");

    let log = fs::File::create(scene.path("log")).unwrap();
    let words = ["train", "run.yaml", "--resume", "max_steps=100000", "save_steps=1"];
    let mut run = finery(scene.root()).args(words).stderr(log).spawn().unwrap();
    wait_for("newer checkpoints", &mut run, || scene.checkpoints("out").contains(&"step-00000005".to_owned()));
    send(&run, Signal::KILL);
    run.wait().unwrap();
    let told = fs::read_to_string(scene.path("log")).unwrap();
    assert!(told.contains("out/model.safetensors is of step 2 until the run ends\n"), "{told}");
    assert_eq!(inspected("out"), "model.safetensors  step 2, the trained model");
}

/// An adapter's checkpoint becomes what the run itself writes.
#[test]
fn an_adapter_is_consolidated_as_peft_has_it() {
    let scene = Scene::new();
    scene.train(&["max_steps=1"]);
    scene.succeed(&["train", "lora.yaml", "max_steps=2"]);
    scene.succeed(&["checkpoint", "consolidate", "adapter", "alone"]);
    let config = |folder: &str| fs::read(scene.path(folder).join("adapter_config.json")).unwrap();
    assert_eq!(config("alone"), config("adapter"));
    let weights = |folder: &str| SafetensorsFile::open(scene.path(folder).join("adapter_model.safetensors")).unwrap();
    let (written, consolidated) = (weights("adapter"), weights("alone"));
    assert!(consolidated.names().eq(written.names()));
    for name in written.names() {
        assert!(consolidated.tensor(name).unwrap() == written.tensor(name).unwrap(), "{name}");
    }
}

#[test]
fn a_run_that_has_only_damaged_checkpoints_is_told_what_to_do() {
    let scene = Scene::new();
    fs::create_dir_all(scene.path("out/checkpoints/damaged-step-00000002")).unwrap();
    assert_eq!(
        scene.refusal(&["checkpoint", "verify", "out"]),
        "out holds no checkpoint but what was set aside as damaged: `finery checkpoint verify` of one of those folders says what is wrong \
         with it, and `finery train --overwrite` begins again"
    );
    let message = scene.refusal(&["checkpoint", "verify", "out/checkpoints/damaged-step-00000002"]);
    assert!(message.contains("manifest.json"), "{message}");
}

#[test]
fn a_folder_that_holds_no_checkpoint_is_called_so() {
    let scene = Scene::new();
    fs::create_dir(scene.path("runs")).unwrap();
    for command in [&["inspect", "runs"][..], &["verify", "runs"], &["consolidate", "runs", "model"]] {
        assert_eq!(
            scene.refusal(&[&["checkpoint"], command].concat()),
            "runs is neither a checkpoint nor the folder of a run that has saved one: name a folder that holds manifest.json or checkpoints/"
        );
    }
    let message = scene.refusal(&["checkpoint", "verify", "nowhere"]);
    assert_eq!(message, "there is no checkpoint nowhere: there is no such folder");
}

/// Suspended, with its lock's file lost, a run finds another in its place when it wakes.
#[test]
fn a_run_that_was_taken_over_ends_without_a_trace() {
    let scene = Scene::new();
    let words = ["train", "run.yaml", "max_steps=100000", "save_steps=1", "save_total_limit=3"];
    let mut run = scene.start(&words);
    wait_for("a checkpoint", &mut run, || latest(scene.path("out")).is_ok_and(|newest| newest.is_some()));
    send(&run, Signal::STOP);
    fs::remove_file(scene.path("out/.lock")).unwrap();
    scene.train(&["save_steps=1", "--overwrite"]);
    let left = scene.checkpoints("out");
    send(&run, Signal::CONT);

    let message = refusal(&run.wait_with_output().unwrap());
    assert!(message.starts_with("the run in out was taken over by process "), "{message}");
    assert!(message.ends_with("end that run first, or choose another output_dir"), "{message}");
    let shown = |names: Vec<String>| names.into_iter().filter(|name| !name.starts_with('.')).collect::<Vec<_>>();
    assert_eq!(shown(scene.checkpoints("out")), shown(left));
    assert!(latest(scene.path("out")).unwrap().unwrap().step() == 8);
}

/// Also one that has nothing to save, and would go on for hours.
#[test]
fn a_run_that_was_taken_over_adds_no_metrics() {
    let scene = Scene::new();
    let mut run = scene.start(&["train", "run.yaml", "max_steps=100000000", "save_minutes=1000"]);
    wait_for("lines of metrics", &mut run, || scene.steps_logged("out") >= 3);
    send(&run, Signal::STOP);
    let before = scene.steps_logged("out");
    Claim::take(&scene.path("out"), Owner::this_process(SystemTime::now())).unwrap();
    send(&run, Signal::CONT);
    let message = refusal(&run.wait_with_output().unwrap());
    assert!(message.starts_with("the run in out was taken over by process "), "{message}");
    // One more, if it was stopped when it had just looked.
    let after = scene.steps_logged("out");
    assert!(after <= before + 1, "{before} lines became {after}");
}

/// Numbers that are the same in each run of a test (SplitMix64).
struct Seeded(u64);

impl Seeded {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % end
    }
}

/// At 50 moments, most of them within a save; at more, where none of them was.
#[test]
fn whenever_a_run_is_killed_its_newest_checkpoint_is_whole() {
    let (scene, seed, kills) = (Scene::new(), 8, 50);
    let mut seeded = Seeded(seed);
    let words = ["train", "run.yaml", "max_steps=100000", "save_steps=1", "save_total_limit=2", "--resume"];
    let (mut step, mut within) = (0, 0);
    for kill in 0.. {
        let mut run = scene.start(&words);
        wait_for("a newer checkpoint", &mut run, || newest_name(&scene).is_some_and(|newest| newest > step));
        let is_partial = |name: &String| name.starts_with(".partial-");
        wait_for("a save", &mut run, || scene.checkpoints("out").iter().any(is_partial));
        let moment = Duration::from_micros(seeded.below(40_000));
        let started = Instant::now();
        while started.elapsed() < moment {
            std::hint::spin_loop();
        }
        send(&run, Signal::KILL);
        let stderr = stderr_of(run);
        let case = format!("kill {kill} of seed {seed}, {moment:?} into a save: {stderr}");
        assert_eq!(stderr.contains(&format!("going on after step {step} of")), step > 0, "{case}");
        assert!(!stderr.contains("passed over"), "{case}");

        let newest = newest_name(&scene).unwrap();
        assert!(newest > step, "{case}");
        for name in scene.checkpoints("out") {
            within += u64::from(is_partial(&name));
            let folder = scene.path("out/checkpoints").join(&name);
            let verified = if name.starts_with('.') { Ok(()) } else { Checkpoint::open(folder).map(drop) };
            assert!(verified.is_ok(), "{name}: {verified:?}, {case}");
        }
        step = newest;
        if kill + 1 >= kills && within > 0 {
            break;
        }
        // Fewer are within a save on a fast disk.
        assert!(kill < 10 * kills, "no kill came while a checkpoint was written");
    }
    println!("{within} kills left a checkpoint half written");
}

/// The step of the newest folder that is named as a checkpoint, complete or not.
fn newest_name(scene: &Scene) -> Option<u64> {
    let names = scene.checkpoints("out").into_iter();
    names.filter_map(|name| checkpoint::parse_step(Path::new(&name))).max()
}

fn stderr_of(mut run: Child) -> String {
    let mut text = String::new();
    run.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    run.wait().unwrap();
    text
}
