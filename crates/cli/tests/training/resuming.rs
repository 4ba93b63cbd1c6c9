//! Runs that are stopped, killed or run into a wall, and go on.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};
use serde_json::{Value, json};

use crate::command::{finery, refusal};
use crate::scene::{Scene, samples, through_shell, wait_for};
use crate::signals::is_heard;

/// Many steps, because a step takes milliseconds, and lines of metrics that average over steps on both sides of a stop.
const LONG: [&str; 3] = ["max_steps=200", "logging_steps=7", "save_steps=25"];
/// More steps than any test waits for.
const ENDLESS: &str = "max_steps=100000";

pub(crate) fn send(run: &Child, signal: Signal) {
    rustix::process::kill_process(Pid::from_child(run), signal).unwrap();
}

fn assert_same_run(scene: &Scene, whole: &str, resumed: &str, weights: &str) {
    let read = |run: &str| fs::read(scene.path(run).join(weights)).unwrap();
    assert!(read(whole) == read(resumed), "{weights} of {whole} and {resumed} differ");
    let (whole, resumed) = (scene.metrics(whole), scene.metrics(resumed));
    assert_eq!(whole.len(), resumed.len());
    for (whole, resumed) in whole.iter().zip(&resumed) {
        assert_eq!(whole, resumed);
    }
}

/// Trains once stopped by a signal somewhere and some steps on, and once in one go; both must be the same run. Where it stops is mostly
/// between two lines of metrics, which then average over both parts.
fn a_signal_saves_and_stops(signal: Signal, config: &str, options: &[&str], weights: &str) {
    let scene = Scene::new();
    if config == "lora.yaml" {
        scene.train(&["max_steps=3"]);
    }
    // The rate must not depend on where the end is.
    let words = [&["train", config], &LONG[..], &["lr_scheduler=constant"], options].concat();
    let train = |folder: &str, steps: &str| -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).chain([format!("output_dir={folder}"), steps.to_owned()]).collect()
    };
    let mut run = scene.start(&train("stopped", ENDLESS));
    wait_for("8 lines of metrics", &mut run, || scene.steps_logged("stopped") >= 8);
    send(&run, signal);
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let newest = scene.checkpoints("stopped").pop().unwrap();
    let step: u64 = newest.strip_prefix("step-").unwrap().parse().unwrap();
    assert!(step >= 56, "{newest}");
    assert!(!scene.path("stopped").join(weights).exists());

    let steps = step + 30;
    let end = format!("max_steps={steps}");
    let stderr = scene.succeed(&[train("stopped", &end), vec!["--resume".to_owned()]].concat());
    assert!(stderr.contains(&format!("going on after step {step} of {steps}")), "{stderr}");
    scene.succeed(&train("whole", &end));
    assert_same_run(&scene, "whole", "stopped", weights);
}

#[test]
fn sigterm_saves_and_the_run_goes_on_bit_for_bit() {
    a_signal_saves_and_stops(Signal::TERM, "run.yaml", &[], "model.safetensors");
}

#[test]
fn sigusr1_saves_and_an_adapter_with_dropout_goes_on_bit_for_bit() {
    let options = ["gradient_accumulation_steps=2"];
    a_signal_saves_and_stops(Signal::USR1, "lora.yaml", &options, "adapter_model.safetensors");
}

/// What is rounded to 8 bits is in no checkpoint: of weights that are trained it is made at each step, of those that are not at each load.
#[test]
fn runs_in_8_bit_floats_go_on_bit_for_bit() {
    let scene = Scene::new();
    for (config, folder, weights) in
        [("run.yaml", "out", "model.safetensors"), ("lora.yaml", "adapter", "adapter_model.safetensors")]
    {
        let words = ["train", config, "dtype=fp8", "save_steps=3", "logging_steps=2"];
        scene.succeed(&words);
        let whole = format!("{folder}-whole");
        scene.succeed(&[&words[..], &[&format!("output_dir={whole}")]].concat());
        for step in [6, 8] {
            fs::remove_dir_all(scene.path(folder).join(format!("checkpoints/step-{step:08}"))).unwrap();
        }
        fs::remove_file(scene.path(folder).join(weights)).unwrap();
        let stderr = scene.succeed(&[&words[..], &["--resume"]].concat());
        assert!(stderr.contains("going on after step 3 of 8"), "{stderr}");
        assert_same_run(&scene, &whole, folder, weights);
        // It is computed in 8 bits.
        scene.succeed(&["train", config, "logging_steps=2", &format!("output_dir={folder}-f32")]);
        assert_ne!(scene.losses(folder), scene.losses(&format!("{folder}-f32")));
    }
}

/// A run that waits for its chat template, and so is in its set-up, until the writer is filled and dropped.
fn waiting_run(scene: &Scene) -> (Child, fs::File) {
    let pipe = scene.path("template.jinja");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut run = scene.start(&["train", "run.yaml", "chat_template=template.jinja"]);
    // Opening waits for the reader.
    let opening = std::thread::spawn(move || fs::OpenOptions::new().write(true).open(pipe).unwrap());
    wait_for("it reads its chat template", &mut run, || opening.is_finished());
    (run, opening.join().unwrap())
}

#[test]
fn a_signal_ends_the_set_up_cleanly() {
    let scene = Scene::new();
    let (mut run, mut template) = waiting_run(&scene);
    send(&run, Signal::TERM);
    // Acknowledged while it still waits.
    let mut stderr = String::new();
    let mut lines = BufReader::new(run.stderr.take().unwrap());
    while !stderr
        .contains("warning: SIGTERM: stopping as soon as what was trained is saved; another SIGTERM stops at once\n")
    {
        assert!(lines.read_line(&mut stderr).unwrap() > 0, "{stderr}");
    }
    template.write_all(b"{{ messages }}").unwrap();
    drop(template);
    lines.read_to_string(&mut stderr).unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(130), "{stderr}");
    let message = "stopped before a step: nothing new was trained; the same command starts again";
    assert!(stderr.trim_end().ends_with(message), "{stderr}");
    assert!(!scene.path("out").exists());
}

/// Compilers cannot be interrupted, and take minutes for a large model. There is nothing to save then, and nothing stays.
#[test]
fn a_signal_does_not_wait_for_the_compiler() {
    let scene = Scene::new();
    // Another program each time, so that it is in no cache.
    let other = std::process::id() + 10_000;
    let model = ["model_config.num_hidden_layers=24", &format!("model_config.rope_theta={other}")];
    let log = fs::File::create(scene.path("log")).unwrap();
    let words = [&["train", "run.yaml", "output_dir=a/b"], &model[..]].concat();
    let mut run = finery(scene.root()).args(words).stderr(log).spawn().unwrap();
    let told = || fs::read_to_string(scene.path("log")).unwrap();
    wait_for("it compiles", &mut run, || told().contains("compiling the step"));
    assert!(scene.path("a/b/.lock").exists());
    std::thread::sleep(Duration::from_millis(300));
    let asked = Instant::now();
    send(&run, Signal::TERM);
    assert_eq!(run.wait().unwrap().code(), Some(130), "{}", told());
    let waited = asked.elapsed();
    assert!(waited < Duration::from_secs(10), "it went on for {waited:?}");
    let message = "warning: SIGTERM: stopped before a step: nothing new was trained; the same command starts again\n";
    assert!(told().ends_with(message), "{}", told());
    assert!(!scene.path("a").exists());
}

/// Which takes minutes where it is large. Here a file of it is a pipe that has been opened and is not written to.
#[test]
fn a_signal_does_not_wait_for_the_comparison_of_a_checkpoint() {
    let scene = Scene::new();
    scene.write("tok/merges.txt", "");
    scene.train(&["max_steps=2"]);
    let pipe = scene.path("out/checkpoints/step-00000002/merges.txt");
    fs::remove_file(&pipe).unwrap();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut run = scene.start(&["train", "run.yaml", "--resume", "max_steps=4"]);
    // Opening waits for the reader.
    let opening = std::thread::spawn(move || fs::OpenOptions::new().write(true).open(pipe).unwrap());
    wait_for("it compares the checkpoint", &mut run, || opening.is_finished());
    send(&run, Signal::TERM);
    let asked = Instant::now();
    while run.try_wait().unwrap().is_none() {
        assert!(asked.elapsed() < Duration::from_secs(60), "it goes on");
        std::thread::sleep(Duration::from_millis(1));
    }
    let output = run.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    let message = "warning: SIGTERM: stopped before a step: nothing new was trained; the same command starts again\n";
    assert!(stderr.ends_with(message), "{stderr}");
    drop(opening.join().unwrap());
    assert!(!scene.path("out/.lock").exists() && scene.path("out/checkpoints/step-00000002").exists());
}

#[test]
fn the_second_signal_of_a_kind_ends_the_run_at_once() {
    let scene = Scene::new();
    let heard =
        || [Signal::TERM, Signal::USR1, Signal::INT, Signal::HUP].into_iter().filter(|signal| is_heard(*signal));
    for signal in heard() {
        let (mut run, template) = waiting_run(&scene);
        heard().for_each(|other| send(&run, other));
        // One that has not arrived yet and the next of its kind are one.
        let mut lines = BufReader::new(run.stderr.take().unwrap()).lines().map(Result::unwrap);
        for acknowledged in 0..heard().count() {
            let line = lines.find(|line| line.contains(": stopping as soon as what was trained is saved"));
            assert!(line.is_some(), "{acknowledged} acknowledged, and each is the first of its kind");
        }
        send(&run, signal);
        // It still waits for the template.
        assert_eq!(run.wait().unwrap().code(), Some(130));
        drop(template);
        fs::remove_file(scene.path("template.jinja")).unwrap();
    }
}

#[test]
fn a_killed_run_goes_on_from_the_newest_complete_checkpoint() {
    let scene = Scene::new();
    scene.train(&[&LONG[..], &["output_dir=whole"]].concat());
    let mut run = scene.start(&[&["train", "run.yaml", "output_dir=killed"], &LONG[..]].concat());
    wait_for("three checkpoints", &mut run, || {
        scene.checkpoints("killed").iter().filter(|name| name.starts_with("step-")).count() >= 3
    });
    send(&run, Signal::KILL);
    run.wait().unwrap();

    // The newest is damaged, and another one was being written.
    let complete: Vec<String> =
        scene.checkpoints("killed").into_iter().filter(|name| name.starts_with("step-")).collect();
    let [.., before, newest] = &complete[..] else { panic!("{complete:?}") };
    let folder = scene.path("killed").join("checkpoints");
    let state = fs::OpenOptions::new().write(true).open(folder.join(newest).join("state.safetensors")).unwrap();
    state.set_len(1000).unwrap();
    fs::create_dir_all(folder.join(".partial-step-00000199")).unwrap();

    let stderr = scene.train(&[&LONG[..], &["output_dir=killed", "--resume"]].concat());
    let step: u64 = before.strip_prefix("step-").unwrap().parse().unwrap();
    assert!(stderr.contains(&format!("going on after step {step} of 200")), "{stderr}");
    assert!(stderr.contains("; it is passed over"), "{stderr}");
    assert_same_run(&scene, "whole", "killed", "model.safetensors");
    // What was half written is gone, and what was damaged is neither met again nor counted.
    let odd: Vec<String> = scene.checkpoints("killed").into_iter().filter(|name| !name.starts_with("step-")).collect();
    assert_eq!(odd, [format!("damaged-{newest}")]);
}

/// By what looks at it before the run begins, as by the run.
#[test]
fn a_checkpoint_whose_small_files_are_damaged_is_passed_over() {
    let scene = Scene::new();
    scene.train(&["max_steps=4", "save_steps=2"]);
    let state = scene.path("out/checkpoints/step-00000004/trainer_state.json");
    let mut bytes = fs::read(&state).unwrap();
    bytes[0] ^= 1;
    fs::write(state, bytes).unwrap();
    let told = "trainer_state.json is not what was saved (its checksum differs); it is passed over\n";
    let stderr = scene.succeed(&["config", "check", "run.yaml", "--resume"]);
    assert!(stderr.contains(told), "{stderr}");
    let stderr = scene.train(&["max_steps=6", "save_steps=2", "--resume"]);
    assert!(stderr.contains("going on after step 2 of 6"), "{stderr}");
    let expected = ["damaged-step-00000004", "step-00000002", "step-00000004", "step-00000006"];
    assert_eq!(scene.checkpoints("out"), expected);
}

/// Killed at moments of all kinds, most of them within a checkpoint, because each step is followed by one.
#[test]
fn a_run_that_is_killed_again_and_again_becomes_the_same_run() {
    let scene = Scene::new();
    let words = ["train", "run.yaml", "save_steps=1", "save_total_limit=2", "lr_scheduler=constant"];
    let resume = [&words[..], &["output_dir=killed", "--resume"]].concat();
    for moment_ms in [0, 3, 7, 12] {
        let mut run = scene.start(&[&resume[..], &[ENDLESS]].concat());
        let before = scene.steps_logged("killed");
        wait_for("some steps", &mut run, || scene.steps_logged("killed") > before + 2);
        std::thread::sleep(Duration::from_millis(moment_ms));
        send(&run, Signal::KILL);
        run.wait().unwrap();
    }
    let newest = scene.checkpoints("killed").iter().filter_map(|name| checkpoint::parse_step(name.as_ref())).max();
    let steps = newest.unwrap() + 5;
    let end = format!("max_steps={steps}");
    scene.succeed(&[&resume[..], &[&end]].concat());
    scene.succeed(&[&words[..], &["output_dir=whole", &end]].concat());
    assert_same_run(&scene, "whole", "killed", "model.safetensors");
    assert_eq!(scene.checkpoints("killed"), [steps - 1, steps].map(|step| format!("step-{step:08}")));
}

/// The only good one is the oldest: it outlives the retention that its damaged successors would have satisfied.
#[test]
fn retention_keeps_the_last_good_checkpoint() {
    let scene = Scene::new();
    scene.train(&["max_steps=3", "save_steps=1"]);
    let folder = scene.path("out/checkpoints");
    for step in [2, 3] {
        let state = folder.join(format!("step-0000000{step}/state.safetensors"));
        let mut bytes = fs::read(&state).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(state, bytes).unwrap();
    }
    scene.train(&["max_steps=4", "save_steps=4", "save_total_limit=2", "--resume"]);
    let expected = ["damaged-step-00000002", "damaged-step-00000003", "step-00000001", "step-00000004"];
    assert_eq!(scene.checkpoints("out"), expected);
}

#[test]
fn sighup_saves_unless_it_was_ignored() {
    let scene = Scene::new();
    if is_heard(Signal::HUP) {
        let mut run = scene.start(&["train", "run.yaml", ENDLESS]);
        wait_for("a step", &mut run, || scene.steps_logged("out") > 0);
        send(&run, Signal::HUP);
        assert_eq!(run.wait().unwrap().code(), Some(130));
        assert_eq!(scene.checkpoints("out").len(), 1);
    }

    // As `nohup` starts it.
    let command = "trap '' HUP; exec \"$0\" train run.yaml max_steps=100000 output_dir=kept";
    let mut run = through_shell(&finery(scene.root()), command).stderr(Stdio::null()).spawn().unwrap();
    wait_for("a step", &mut run, || scene.steps_logged("kept") > 0);
    send(&run, Signal::HUP);
    let lines = scene.steps_logged("kept");
    wait_for("more steps", &mut run, || scene.steps_logged("kept") > lines + 5);
    send(&run, Signal::KILL);
    run.wait().unwrap();
}

/// What is too large for a limit on files is told as a full disk is.
#[test]
fn a_limit_on_files_is_an_error() {
    let scene = Scene::new();
    let command = "ulimit -f 16; exec \"$0\" train run.yaml max_steps=3 save_steps=1";
    let message = refusal(&through_shell(&finery(scene.root()), command).output().unwrap());
    assert!(message.contains("(File too large (os error 27)); raise this process's limit (`ulimit -f`)"), "{message}");
}

/// No step passes without one, and each goes when there is a newer one.
#[test]
fn a_run_saves_by_the_clock() {
    let scene = Scene::new();
    let stderr = scene.train(&["max_steps=100", "save_minutes=1e-9"]);
    assert!(stderr.matches("saved out/checkpoints/step-").count() > 2, "{stderr}");
    assert_eq!(scene.checkpoints("out"), ["step-00000100"]);
    let stderr = scene.train(&["max_steps=100", "save_minutes=0", "output_dir=never"]);
    assert_eq!(stderr.matches("saved never/checkpoints/step-").count(), 1, "{stderr}");
    assert_eq!(scene.losses("out"), scene.losses("never"));
}

#[test]
fn checkpoints_of_an_earlier_run_are_not_written_over() {
    let scene = Scene::new();
    scene.train(&["max_steps=2"]);
    let before = fs::read(scene.path("out/model.safetensors")).unwrap();
    let message = scene.refusal(&["train", "run.yaml"]);
    assert_eq!(
        message,
        "run.yaml:8: `output_dir`: out/checkpoints holds checkpoints of an earlier run; go on with it by --resume, replace it by --overwrite, or choose \
         another output_dir"
    );
    assert_eq!(fs::read(scene.path("out/model.safetensors")).unwrap(), before);
}

#[test]
fn a_checkpoint_that_does_not_fit_leaves_the_configuration_that_made_it() {
    let scene = Scene::new();
    scene.train(&["max_steps=2"]);
    let before = fs::read(scene.path("out/config.yaml")).unwrap();
    let message = scene.refusal(&["train", "run.yaml", "--resume", "model_config.intermediate_size=64"]);
    assert!(
        message.contains("would be dropped or mean something else (intermediate_size: 48 -> 64); set that back"),
        "{message}"
    );
    assert_eq!(fs::read(scene.path("out/config.yaml")).unwrap(), before);
    assert!(!scene.path("out/config.yaml.tmp").exists());
}

#[test]
fn a_run_does_not_go_on_with_other_data() {
    let scene = Scene::new();
    scene.train(&["max_steps=2"]);
    let resume = ["train", "run.yaml", "--resume"];
    let longer = samples(41);
    let mut swapped: Vec<&str> = longer.lines().take(40).collect();
    swapped.swap(3, 4);
    let cases =
        [(longer.clone(), "40 samples of "), (swapped.join("\n"), "as then, but other ones or in another order")];
    for (data, part) in cases {
        scene.write("data.jsonl", data);
        let message = scene.refusal(&resume);
        let start = "out/checkpoints/step-00000002: the training data are not those that it was saved with (40 samples";
        assert!(message.starts_with(start) && message.contains(part), "{message}");
        assert!(message.ends_with("or start another run in another output_dir"), "{message}");
    }
    scene.write("data.jsonl", samples(40));
    scene.succeed(&resume);
}

/// A run may begin from another one's checkpoint; when it is resumed, it goes on from its own.
#[test]
fn a_run_that_continues_another_is_resumed_from_its_own_checkpoints() {
    let scene = Scene::new();
    scene.train(&["save_steps=3"]);
    let words = ["resume_from_checkpoint=out/checkpoints/step-00000003", "save_steps=2"];
    let message = scene.refusal(&[&["train", "run.yaml"], &words[..]].concat());
    assert!(message.contains("`output_dir`: out/checkpoints holds checkpoints of an earlier run; "), "{message}");

    let words = [&words[..], &["output_dir=branch"]].concat();
    let stderr = scene.train(&words);
    assert!(stderr.contains("going on after step 3 of 8"), "{stderr}");
    assert_eq!(scene.metrics("branch"), scene.metrics("out")[3..]);
    fs::remove_dir_all(scene.path("branch/checkpoints/step-00000008")).unwrap();
    let stderr = scene.train(&[&words[..], &["--resume"]].concat());
    assert!(stderr.contains("going on after step 6 of 8"), "{stderr}");
    assert_eq!(
        fs::read(scene.path("branch/model.safetensors")).unwrap(),
        fs::read(scene.path("out/model.safetensors")).unwrap()
    );
}

/// As a job that is always started with `--resume` is begun; and where the name of the folder is a mistake, that is seen.
#[test]
fn a_run_with_nothing_to_resume_from_says_so() {
    let scene = Scene::new();
    let stderr = scene.train(&["max_steps=1", "--resume"]);
    let told = "--resume: there is no checkpoint in out to resume from, and the run begins anew\n";
    assert_eq!(stderr.matches(told).count(), 1, "{stderr}");
    let other = "resume_from_checkpoint=out/checkpoints/step-00000001";
    let stderr = scene.train(&["max_steps=2", other, "output_dir=branch", "--resume"]);
    let told = "no checkpoint in branch to resume from, and the run begins from out/checkpoints/step-00000001\n";
    assert!(stderr.contains(told) && stderr.contains("going on after step 1 of 2"), "{stderr}");
    let stderr = scene.train(&["max_steps=3", "--resume"]);
    assert!(!stderr.contains("no checkpoint") && stderr.contains("going on after step 1 of 3"), "{stderr}");
}

#[test]
fn a_learning_rate_that_makes_weights_infinite_stops_the_run() {
    let scene = Scene::new();
    // Beyond what f32 holds. With warm-up the first update has rate 0, and the second already the whole.
    let words = ["train", "run.yaml", "learning_rate=1e39", "warmup_steps=1", "save_steps=1", "save_total_limit=1"];
    let message = scene.refusal(&words);
    assert_eq!(
        message,
        "training diverged: a weight is not a number after step 2, and out/checkpoints/step-00000001 is the last good \
         checkpoint; lower learning_rate (it was 1e39) or max_grad_norm, or check the data and the weights that it began with"
    );
    assert_eq!(scene.checkpoints("out"), ["step-00000001"]);
    assert!(!scene.path("out/model.safetensors").exists());
    assert_eq!(scene.metrics("out").len(), 2, "what was measured before is kept");

    scene.train(&["--resume"]);
    assert!(scene.losses("out").iter().all(|loss| *loss < 7.0));
}

#[test]
fn a_loss_that_is_no_number_stops_the_run() {
    let scene = Scene::new();
    let words = ["train", "run.yaml", "learning_rate=1e39", "warmup_steps=1"];
    let message = scene.refusal(&words);
    let start = "training diverged: the loss is not a number at step 3, and no good checkpoint was saved before; ";
    assert!(message.starts_with(start), "{message}");
}

/// Weights may be finite and the loss is not: then what was saved before that step is of no use.
#[test]
fn a_checkpoint_that_gives_no_loss_is_set_aside() {
    let scene = Scene::new();
    let words = ["train", "run.yaml", "learning_rate=1e37", "warmup_steps=1", "save_steps=1", "save_total_limit=1"];
    let message = scene.refusal(&words);
    assert!(message.starts_with("training diverged: the "), "{message}");
    assert!(message.contains("out/checkpoints/step-00000001 is the last good checkpoint"), "{message}");
    assert_eq!(scene.checkpoints("out"), ["diverged-step-00000002", "step-00000001"]);
    scene.train(&["--resume"]);
}

/// A file system of so many KiB in memory, unmounted when dropped; `None` without the right to mount.
struct SmallDisk<'a>(&'a Path);

impl SmallDisk<'_> {
    fn mount(place: &Path, kib: u32) -> Option<SmallDisk<'_>> {
        let options = format!("size={kib}k");
        let mount = Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(place).output();
        mount.is_ok_and(|output| output.status.success()).then_some(SmallDisk(place))
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        Command::new("umount").arg(self.0).status().unwrap();
    }
}

#[test]
fn a_full_disk_leaves_the_checkpoint_before() {
    let scene = Scene::new();
    scene.train(&["max_steps=5", "save_steps=2", "output_dir=whole"]);
    let state = fs::metadata(scene.path("whole/checkpoints/step-00000002/state.safetensors")).unwrap().len();

    let place = scene.path("out");
    fs::create_dir(&place).unwrap();
    let Some(disk) = SmallDisk::mount(&place, (state * 7 / 4 / 1024) as u32) else {
        return eprintln!("not tested: this process may not mount a small disk");
    };
    let words = ["train", "run.yaml", "max_steps=5", "save_steps=2"];
    let message = refusal(&scene.run(&words));
    assert!(
        message.starts_with(
            "could not write out/checkpoints/.partial-1-step-00000004/state.safetensors: the disk is full ("
        ),
        "{message}"
    );
    assert_eq!(scene.checkpoints("out"), ["step-00000002"]);

    // Room is made, and the run goes on.
    let options = format!("remount,size={}k", state * 8 / 1024);
    assert!(Command::new("mount").args(["-o", &options]).arg(disk.0).status().unwrap().success());
    let stderr = scene.train(&["max_steps=5", "save_steps=2", "--resume"]);
    assert!(stderr.contains("going on after step 2 of 5"), "{stderr}");
    assert_same_run(&scene, "whole", "out", "model.safetensors");
}

#[test]
fn checkpoints_that_cannot_be_written_are_found_at_once() {
    let scene = Scene::new();
    let place = scene.path("out/checkpoints");
    fs::create_dir_all(&place).unwrap();
    let Some(disk) = SmallDisk::mount(&place, 64) else {
        return eprintln!("not tested: this process may not mount a small disk");
    };
    assert!(Command::new("mount").args(["-o", "remount,ro"]).arg(disk.0).status().unwrap().success());
    let message = scene.refusal(&["train", "run.yaml"]);
    let expected = "run.yaml:8: `output_dir`: writing to the folder out/checkpoints: Read-only file system (os error 30); choose an \
                    output_dir that can be written to";
    assert_eq!(message, expected);
}

/// The rows that a run's steps took, as it says under `-v`.
fn rows_taken(stderr: &str) -> Vec<Vec<u64>> {
    let rows_of = |line: &str| {
        let (_, rows) = line.split_once(" takes the rows ")?;
        let (first, end) = rows.split_once(" to ")?;
        Some((first.parse().unwrap()..end.trim().parse().unwrap()).collect())
    };
    stderr.lines().filter_map(rows_of).collect()
}

/// The place in the data is a row. Larger, smaller and split steps go on from it, and each row comes once in each pass.
#[test]
fn a_run_goes_on_with_other_batches_and_takes_each_row_once() {
    let scene = Scene::new();
    let epochs = ["-v", "max_steps=null", "num_epochs=2", "save_steps=3"];
    let stderr = scene.train(&epochs);
    let (_, packed) = stderr.split_once("40 samples in ").unwrap();
    let rows_per_pass: u64 = packed.split(' ').next().unwrap().parse().unwrap();
    let whole = rows_taken(&stderr);
    assert_eq!(whole.concat(), (0..2 * rows_per_pass).collect::<Vec<_>>());
    assert!(whole.len() > 5, "{whole:?}");
    for batch in [
        ["micro_batch_size=1", "gradient_accumulation_steps=1"],
        ["micro_batch_size=1", "gradient_accumulation_steps=5"],
    ] {
        for step in 4..=whole.len() {
            let _ = fs::remove_dir_all(scene.path("out/checkpoints").join(format!("step-{step:08}")));
        }
        let stderr = scene.train(&[&epochs[..], &batch, &["--resume"]].concat());
        let taken = rows_taken(&stderr);
        let all: Vec<u64> = whole[..3].iter().chain(&taken).flatten().copied().collect();
        assert_eq!(all, whole.concat(), "{batch:?}");
        let steps = 3 + taken.len();
        assert!(stderr.contains(&format!("going on after step 3 of {steps}")), "{stderr}");
        assert!(stderr.contains(&format!("trained to step {steps} of {steps}")), "{stderr}");
        let last = scene.metrics("out").pop().unwrap();
        assert_eq!((last["step"].as_u64(), last["epoch"].as_f64()), (Some(steps as u64), Some(2.0)));
        for step in 4..=steps {
            let _ = fs::remove_dir_all(scene.path("out/checkpoints").join(format!("step-{step:08}")));
        }
    }
}

/// A length that is rounded to whole steps is so by those that the run began with.
#[test]
fn a_run_of_tokens_or_samples_goes_on_with_other_batches_to_the_same_end() {
    for duration in ["max_duration=500tok", "max_duration=27sp"] {
        let scene = Scene::new();
        let words = ["-v", "max_steps=null", duration, "save_steps=3", "logging_steps=1"];
        let whole = rows_taken(&scene.train(&words)).concat();
        let rates = |step: usize| scene.metrics("out")[step - 1]["learning_rate"].as_f64().unwrap();
        let (rows, rate) = (whole.len(), rates(4));
        assert!(rows > 6 && rows % 4 != 0, "{duration}: {rows} rows");
        for step in 4..=rows.div_ceil(2) {
            let _ = fs::remove_dir_all(scene.path("out/checkpoints").join(format!("step-{step:08}")));
        }
        let stderr = scene.train(&[&words[..], &["micro_batch_size=4", "--resume"]].concat());
        assert_eq!([&whole[..6], &rows_taken(&stderr).concat()].concat(), whole, "{duration}");
        assert_eq!(rates(4).to_bits(), rate.to_bits(), "{duration}");
    }
}

#[test]
fn settings_that_make_other_rows_are_refused() {
    let scene = Scene::new();
    scene.train(&["max_steps=2"]);
    for (setting, change) in [
        ("sequence_len=128", "sequence_len: 64 -> 128"),
        ("sample_packing=false", "sample_packing: true -> false"),
        ("seed=7", "seed: 42 -> 7"),
    ] {
        let message = scene.refusal(&["train", "run.yaml", "--resume", setting]);
        let expected = format!(
            "run.yaml:8: `output_dir`: out/checkpoints/step-00000002: the rows of the data would be other ones ({change}), and the run's place among them \
             would be lost; set that back, or start another run in another output_dir"
        );
        assert_eq!(message, expected);
    }
}

#[test]
fn a_run_does_not_go_on_behind_its_end() {
    let scene = Scene::new();
    scene.train(&[]);
    let message = scene.refusal(&["train", "run.yaml", "--resume", "max_steps=5"]);
    let start = "run.yaml:8: `output_dir`: out/checkpoints/step-00000008: it was saved after step 8, and this run ends after step 5; raise max_steps, ";
    assert!(message.starts_with(start), "{message}");
    let epochs = ["train", "run.yaml", "max_steps=null", "output_dir=epochs"];
    scene.succeed(&[&epochs[..], &["num_epochs=2"]].concat());
    let message = scene.refusal(&[&epochs[..], &["num_epochs=1", "--resume"]].concat());
    assert!(message.contains(" rows of the data, and this run ends after "), "{message}");
    // As far as the end it may be. What says how the run was trained stays where nothing more is trained.
    let config = || fs::read_to_string(scene.path("out/config.yaml")).unwrap();
    let before = config();
    scene.train(&["--resume", "learning_rate=0.0123"]);
    assert_eq!(config(), before);
    for name in ["config.yaml", "config.json", "model.safetensors", "tokenizer.json"] {
        fs::remove_file(scene.path("out").join(name)).unwrap();
    }
    scene.train(&["--resume"]);
    assert_eq!(config(), before, "one that is lost is written");
    scene.train(&["--resume", "learning_rate=0.0123", "max_steps=9"]);
    assert!(config().contains("learning_rate: 0.0123"), "{}", config());
}

/// Whatever would drop trained matrices or read them in another way is refused; what does not is told.
#[test]
fn an_adapter_goes_on_as_it_was() {
    let scene = Scene::new();
    scene.train(&["max_steps=1"]);
    let words = ["train", "lora.yaml", "max_steps=2"];
    let config = fs::read_to_string(scene.path("lora.yaml")).unwrap();
    scene.write("lora.yaml", format!("{config}lora_modules_to_save: [norm]\n"));
    scene.succeed(&words);
    let q = "model.layers.*.self_attn.q_proj";
    let cases = [
        ("lora_target_modules=[q_proj]", "model.layers.*.mlp.down_proj: \"rank 4, scale 4\" -> not set".to_owned()),
        ("lora_r=8", format!("{q}: \"rank 4, scale 4\" -> \"rank 8, scale 2\"")),
        ("lora_alpha=4", format!("{q}: \"rank 4, scale 4\" -> \"rank 4, scale 1\"")),
        ("peft_use_rslora=true", format!("{q}: \"rank 4, scale 4\" -> \"rank 4, scale 8\"")),
        ("peft_use_dora=true", "(peft_use_dora: false -> true)".to_owned()),
        ("lora_modules_to_save=[lm_head]", "(lora_modules_to_save: [\"norm\"] -> [\"lm_head\"])".to_owned()),
    ];
    let resume = |setting| [&words[..], &["--resume", setting]].concat();
    for (setting, change) in cases {
        let message = scene.refusal(&resume(setting));
        let start = "lora.yaml:10: `output_dir`: adapter/checkpoints/step-00000002: what it has trained would be dropped or mean something else (";
        assert!(message.starts_with(start) && message.contains(&change), "{message}");
    }
    scene.write("full.yaml", config.replace("adapter: lora\nlora_r: 4\nlora_dropout: 0.3\n", ""));
    let message = scene.refusal(&["train", "full.yaml", "max_steps=2", "--resume"]);
    assert!(message.contains("mean something else (adapter: lora -> not set)"), "{message}");

    // The same targets in other words, and settings that mean nothing for what is trained.
    let all = "lora_target_modules=[q_proj,k_proj,v_proj,o_proj,gate_proj,up_proj,down_proj]";
    let stderr = scene.succeed(&[&resume(all)[..], &["lora_dropout=0.1", "max_steps=3"]].concat());
    let told = "warning: the checkpoint was saved with other settings: lora_dropout: 0.3 -> 0.1; lora_target_modules: all-linear -> \
                [\"q_proj\",\"k_proj\",\"v_proj\",\"o_proj\",\"gate_proj\",\"up_proj\",\"down_proj\"]; max_steps: 2 -> 3\n";
    assert!(stderr.contains(told), "{stderr}");
}

/// Makes a checkpoint one of the format before tensors had boxes: on one device all else is as it was.
pub(crate) fn make_format_2(folder: &Path) {
    let manifest = folder.join("manifest.json");
    let step = serde_json::from_slice::<Value>(&fs::read(&manifest).unwrap()).unwrap()["step"].clone();
    fs::remove_file(&manifest).unwrap();
    let file = |entry: std::io::Result<fs::DirEntry>| {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, json!({"bytes": bytes.len(), "crc32": crc32fast::hash(&bytes)}))
    };
    let files: serde_json::Map<String, Value> = fs::read_dir(folder).unwrap().map(file).collect();
    fs::write(manifest, json!({"format": 2, "step": step, "files": files}).to_string()).unwrap();
}

#[test]
fn checkpoints_of_the_format_before_are_gone_on_from() {
    let scene = Scene::new();
    scene.train(&["save_steps=4", "output_dir=whole"]);
    scene.train(&["save_steps=4"]);
    fs::remove_dir_all(scene.path("out/checkpoints/step-00000008")).unwrap();
    make_format_2(&scene.path("out/checkpoints/step-00000004"));
    scene.succeed(&["checkpoint", "verify", "out"]);
    let stderr = scene.train(&["save_steps=4", "--resume"]);
    assert!(stderr.contains("going on after step 4 of 8"), "{stderr}");
    assert_same_run(&scene, "whole", "out", "model.safetensors");
}

#[test]
fn a_checkpoint_of_other_tensors_is_refused_by_name() {
    let scene = Scene::new();
    scene.train(&["max_steps=1"]);
    let words = ["train", "lora.yaml", "max_steps=1"];
    scene.succeed(&words);
    // As an earlier version left it, which did not say what its tensors are.
    let folder = scene.path("adapter/checkpoints/step-00000001");
    fs::remove_file(folder.join("adapter_config.json")).unwrap();
    make_format_2(&folder);
    let message = scene.refusal(&[&words[..], &["--resume", "lora_target_modules=[q_proj]"]].concat());
    assert!(message.contains("it holds, and this run would not use, the tensor model.layers."), "{message}");
    assert!(message.contains(" more; resume with the configuration that it was saved with"), "{message}");
}

#[test]
fn two_processes_do_not_write_to_one_folder() {
    let scene = Scene::new();
    let mut run = scene.start(&["train", "run.yaml", ENDLESS]);
    wait_for("a step", &mut run, || scene.steps_logged("out") > 0);
    for how in ["--resume", "--overwrite"] {
        let message = scene.refusal(&["train", "run.yaml", how]);
        let start = format!("run.yaml:8: `output_dir`: another run is writing to out (process {} on ", run.id());
        assert!(message.starts_with(&start), "{message}");
        assert!(message.ends_with("Z): wait for its end, or choose another output_dir"), "{message}");
    }
    send(&run, Signal::KILL);
    run.wait().unwrap();
    scene.train(&["--overwrite"]);
}
