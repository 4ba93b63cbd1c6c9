//! Runs of several processes, each with four of a mesh's eight devices.

use std::fs;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::command::finery;
use crate::launched::rank_of;
use crate::loopback::free_address;
use crate::mirrored::mirrored;
use crate::scene::{Scene, samples, through_shell, wait_for};

const SPREAD: [&str; 9] = [
    "run.yaml",
    "--device",
    "cpu",
    "mesh={fsdp: 4, mp: 2}",
    "micro_batch_size=4",
    "gradient_accumulation_steps=2",
    "val_set_size=8",
    "eval_steps=4",
    "save_steps=4",
];

/// Longer than any test: a step takes milliseconds.
const LONG: &str = "max_steps=100000";

/// `finery train` in two processes.
fn two(scene: &Scene, words: &[&str]) -> Command {
    let mut command = finery(scene.root());
    mirrored(&mut command).args(["launch", "-n", "2", "--", "train"]).args(SPREAD).args(words);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn succeeded(output: Output) -> String {
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{stderr}");
    stderr
}

/// A run of two processes that has taken steps, and its second process.
fn under_way(scene: &Scene) -> (Child, Pid) {
    let mut run = two(scene, &[LONG, "save_steps=100000", "eval_steps=100000", "output_dir=long"]).spawn().unwrap();
    wait_for("5 lines of metrics", &mut run, || scene.steps_logged("long") >= 5);
    let second = rank_of(run.id(), 1).unwrap();
    (run, second)
}

fn ended(run: Child) -> (Option<i32>, String) {
    let output = run.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// As [`ended`], of a run that something has ended by now.
fn ended_soon(run: Child) -> (Option<i32>, String) {
    let begun = Instant::now();
    let ended = ended(run);
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    ended
}

#[test]
fn two_processes_train_as_one_with_all_devices() {
    let scene = Scene::new();
    scene.write("data.jsonl", samples(80));
    scene.succeed(&[&["train"], &SPREAD[..], &["output_dir=one"]].concat());
    let stderr = succeeded(two(&scene, &["output_dir=two"]).output().unwrap());
    // Rank 0 speaks.
    assert!(!stderr.contains("[rank 1]"), "{stderr}");
    assert_eq!(stderr.matches("wrote the trained model to two").count(), 1, "{stderr}");
    assert_eq!(scene.metrics("one"), scene.metrics("two"));
    assert_eq!(scene.checkpoints("one"), scene.checkpoints("two"));
    let saved =
        |run: &str| scene.saves(run).into_iter().map(|record| [record["step"].clone(), record["save_bytes"].clone()]);
    assert!(saved("one").eq(saved("two")) && saved("two").len() == 2, "{:?}", scene.saves("two"));
    for record in scene.saves("two") {
        let [bytes, stall, seconds, speed] =
            ["save_bytes", "save_stall_seconds", "save_seconds", "save_bytes_per_second"]
                .map(|key| record[key].as_f64().unwrap());
        assert!(bytes > 0.0 && stall > 0.0 && (speed - bytes / seconds).abs() < 1e-6 * speed, "{record}");
    }
    let files = |run: &str| {
        let mut names: Vec<_> =
            fs::read_dir(scene.path(run)).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.retain(|name| !name.to_string_lossy().starts_with("events.out"));
        names.sort();
        names
    };
    assert_eq!(files("one"), files("two"));
    let weights = |folder: &str| fs::read(scene.path(folder).join("model.safetensors")).unwrap();
    assert!(weights("one") == weights("two"));
    // Two processes have written it, each a file of its own.
    assert!(scene.path("two/checkpoints/step-00000004/state-00001-of-00002.safetensors").exists());
    for run in ["one", "two"] {
        let checkpoint = format!("{run}/checkpoints/step-00000004");
        scene.succeed(&["checkpoint", "verify", &checkpoint]);
        scene.succeed(&["checkpoint", "consolidate", &checkpoint, &format!("{run}-4")]);
    }
    assert!(weights("one-4") == weights("two-4"));

    // From the middle, and in one process what two have saved.
    fs::remove_dir_all(scene.path("two/checkpoints/step-00000008")).unwrap();
    succeeded(two(&scene, &["output_dir=two", "--resume"]).output().unwrap());
    assert_eq!(scene.metrics("one"), scene.metrics("two"));
    fs::remove_dir_all(scene.path("two/checkpoints/step-00000008")).unwrap();
    scene.succeed(&[&["train"], &SPREAD[..], &["output_dir=two", "--resume"]].concat());
    assert_eq!(scene.metrics("one"), scene.metrics("two"));
}

/// Layers in stacks are taken out of them by programs that all processes run, also the one that has no part to save.
#[test]
fn a_process_without_a_part_of_its_own_saves_with_the_others() {
    let scene = Scene::new();
    scene.write("data.jsonl", samples(80));
    let words = ["mesh.dp=2", "mesh.fsdp=2", "scan_layers=true", "max_steps=4", "output_dir=stacked"];
    let checkpoint = "stacked/checkpoints/step-00000004";
    succeeded(two(&scene, &words).output().unwrap());
    assert!(!scene.path(checkpoint).join("state-00001-of-00002.safetensors").exists());
    scene.succeed(&["checkpoint", "verify", checkpoint]);
}

/// The first alone records, and all leave out of it what comes between steps: here a checkpoint, behind which no step of the range is recorded.
#[test]
fn processes_go_on_together_where_a_save_ends_a_recording() {
    let scene = Scene::new();
    let words = ["max_steps=8", "eval_steps=8", "save_steps=5"];
    let mut run = two(&scene, &[&words[..], &["profile_steps=4-6"]].concat()).spawn().unwrap();
    wait_for("it has trained", &mut run, || scene.path("out/model.safetensors").exists());
    let stderr = succeeded(run.wait_with_output().unwrap());
    let told = "the recording ends after step 5, behind which the run evaluates or saves, and not after step 6\n";
    assert_eq!(stderr.matches(told).count(), 1, "{stderr}");
    assert_eq!(scene.checkpoints("out"), ["step-00000005", "step-00000008"]);
}

#[test]
fn processes_stop_together_when_one_is_asked_to() {
    let scene = Scene::new();
    let (run, second) = under_way(&scene);
    kill_process(second, Signal::TERM).unwrap();
    let (code, stderr) = ended_soon(run);
    assert_eq!(code, Some(130), "{stderr}");
    let saved = scene.checkpoints("long");
    let step = saved.last().unwrap().strip_prefix("step-").unwrap().trim_start_matches('0');
    assert!(!stderr.contains("failed first"), "{stderr}");
    assert!(stderr.contains(&format!("stopped after step {step}, which is saved; go on with --resume")), "{stderr}");
}

#[test]
fn a_process_that_dies_ends_the_run_with_its_name_and_step() {
    let scene = Scene::new();
    let (run, second) = under_way(&scene);
    kill_process(second, Signal::KILL).unwrap();
    let (code, stderr) = ended_soon(run);
    assert_eq!(code, Some(137), "{stderr}");
    let told =
        stderr.lines().find(|line| line.starts_with("error: rank 1 on host ")).unwrap_or_else(|| panic!("{stderr}"));
    let step = told.split_once(" died at step ").unwrap().1.split(':').next().unwrap();
    assert!(step.parse::<u64>().unwrap() >= 5, "{told}");
}

/// What rank 0 says of a run whose rank 1 is in another folder, with another variable, and the exit codes of both. Both write to the first
/// one's.
fn refused(scenes: [&Scene; 2], variable: [(&str, &str); 1]) -> (String, [Option<i32>; 2]) {
    let output = format!("output_dir={}", scenes[0].path("shared").display());
    let [(code, stderr), (other, _)] = by_hand(scenes, |rank, command| {
        command.arg(&output).envs(if rank == 1 { &variable[..] } else { &[] }.iter().copied());
    });
    assert_ne!(code, Some(0), "{stderr}");
    (stderr, [code, other])
}

/// How `finery train` ends in two processes with torchrun's variables, in these folders and as `change` has them.
fn by_hand([first, second]: [&Scene; 2], change: impl Fn(usize, &mut Command)) -> [(Option<i32>, String); 2] {
    let (address, port) = free_address();
    let start = |scene: &Scene, rank: usize| {
        let number = rank.to_string();
        let mut command = finery(scene.root());
        mirrored(&mut command).arg("train").args(SPREAD).stderr(Stdio::piped()).stdout(Stdio::null());
        let variables = [
            ("RANK", number.as_str()),
            ("LOCAL_RANK", &number),
            ("WORLD_SIZE", "2"),
            ("MASTER_ADDR", &address),
            ("MASTER_PORT", &port.to_string()),
        ];
        command.envs(variables).env("FINERY_SECRET", "the secret of this run alone");
        change(rank, &mut command);
        command.spawn().unwrap()
    };
    [start(first, 0), start(second, 1)].map(ended)
}

/// `finery train` as one of so many ranks at an address, which waits for the others for longer than any test. What it says is in `log-<rank>`.
fn patient(scene: &Scene, rank: usize, size: usize, (address, port): &(String, u16)) -> Child {
    let log = fs::File::create(scene.path(&format!("log-{rank}"))).unwrap();
    let mut command = finery(scene.root());
    command.arg("train").args(SPREAD).stderr(log);
    let numbers = [("RANK", rank), ("LOCAL_RANK", rank), ("WORLD_SIZE", size), ("FINERY_JOIN_SECONDS", 1000)];
    command.envs(numbers.map(|(name, number)| (name, number.to_string()))).env("MASTER_ADDR", address);
    command.env("MASTER_PORT", port.to_string()).env("FINERY_SECRET", "the secret of this run").spawn().unwrap()
}

fn told(scene: &Scene, rank: usize) -> String {
    fs::read_to_string(scene.path(&format!("log-{rank}"))).unwrap()
}

/// Whether a process has a handler of a signal.
fn catches(process: u32, signal: Signal) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    u64::from_str_radix(mask.trim(), 16).unwrap() >> (signal.as_raw() - 1) & 1 == 1
}

/// It has nothing to save, and the others may never come.
#[test]
fn a_process_that_waits_for_others_says_so_and_ends_at_the_first_signal() {
    let scene = Scene::new();
    let runs = [0, 1].map(|rank| (rank, patient(&scene, rank, 2, &free_address())));
    for (rank, mut run) in runs {
        let told = || told(&scene, rank);
        let awaited = ["rank 1 of 2 to join the run; ", "rank 0 at "][rank];
        let word = format!("warning: rank {rank} waits for {awaited}");
        wait_for("it says who it waits for", &mut run, || told().ends_with("(FINERY_JOIN_SECONDS)\n"));
        assert!(told().starts_with(&word) && told().contains("it gives up 1000 s after its start"), "{}", told());
        kill_process(Pid::from_child(&run), Signal::TERM).unwrap();
        assert_eq!(run.wait().unwrap().code(), Some(130), "{}", told());
        assert_eq!(told().contains("warning: stopped before a step: nothing new was trained"), rank == 0);
        assert!(!scene.path("out").exists());
    }
}

/// They would wait for it for as long as for one that never comes.
#[test]
fn a_process_that_is_stopped_while_it_waits_tells_the_others() {
    let scene = Scene::new();
    for stopped in [0, 1] {
        let address = free_address();
        let listening = |rank: usize| {
            let mut run = patient(&scene, rank, 3, &address);
            let id = run.id();
            wait_for("it listens for signals", &mut run, || catches(id, Signal::TERM));
            run
        };
        // The one that looks for the other first, so that it finds it at once.
        let [other, mut first] = [1, 0].map(listening);
        let in_by_now = "warning: rank 0 waits for rank 2 of 3 to join";
        wait_for("both are in", &mut first, || told(&scene, 0).contains(in_by_now));
        let runs = [first, other];
        kill_process(Pid::from_child(&runs[stopped]), Signal::TERM).unwrap();
        let codes = runs.map(|mut run| run.wait().unwrap().code());
        let told = told(&scene, 1 - stopped);
        assert_eq!((codes[stopped], codes[1 - stopped]), (Some(130), Some(3)), "{told}");
        let sentence = told.lines().last().unwrap();
        assert!(sentence.starts_with(&format!("error: rank {stopped} on host ")), "{told}");
        assert!(sentence.ends_with(": it was asked to stop"), "{told}");
    }
}

/// One whose configuration is refused where it runs does not let the others wait for it.
#[test]
fn a_process_that_cannot_begin_ends_the_others() {
    let [scene, other] = [(); 2].map(|()| Scene::new());
    fs::remove_file(other.path("data.jsonl")).unwrap();
    for rank in [0, 1] {
        let mut ends = by_hand(if rank == 0 { [&other, &scene] } else { [&scene, &other] }, |_, _| {});
        ends.swap(0, rank);
        let [(own_code, own), (code, told)] = ends;
        // By their exit codes a launcher tells the one from the other.
        assert_eq!((own_code, code), (Some(1), Some(3)), "{told} {own}");
        let named = format!("error: rank {rank} on host ");
        assert!(told.contains(&named) && told.contains(" cannot begin: run.yaml:"), "{told}");
        assert!(told.contains("data.jsonl") && own.starts_with("error: run.yaml:"), "{told} {own}");
        assert!(!scene.path("out").exists());
    }
}

/// It names the process whose disk it is, and nobody waits for ever: its writer for those of the others, or they for it.
#[test]
fn a_process_that_cannot_save_ends_the_run_with_its_error() {
    let scene = Scene::new();
    let both = by_hand([&scene, &scene], |rank, command| {
        if rank == 1 {
            // As a disk that is full: files of at most 64 kB.
            *command = through_shell(command, "trap '' XFSZ; ulimit -f 128; exec \"$0\" \"$@\"");
            command.stderr(Stdio::piped()).stdout(Stdio::null());
        }
        command.args([LONG, "save_steps=3"]);
    });
    let [(_, first), (code, second)] = &both;
    assert_eq!(*code, Some(1), "{second}");
    let file = "state-00001-of-00002.safetensors: it is larger than files may be there";
    assert!(second.contains("error: could not write ") && second.contains(file), "{second}");
    assert!(first.contains("error: rank 1 on host ") && first.contains(file), "{first}");
    assert_eq!(scene.checkpoints("out"), [""; 0]);
}

/// What is no number ends all processes with the same words.
#[test]
fn processes_diverge_together() {
    let scene = Scene::new();
    let (code, stderr) = ended(two(&scene, &["learning_rate=1e30", "save_steps=1", "max_steps=6"]).spawn().unwrap());
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("training diverged: "), "{stderr}");
    let kept = scene.checkpoints("out");
    assert!(kept.iter().all(|name| name.starts_with("step-") || name.starts_with("diverged-step-")), "{kept:?}");
}

/// Experts over an earlier run, and adapters on them whose heads all eight devices share out, across the processes.
#[test]
fn two_processes_train_experts_and_adapters_as_one() {
    let scene = Scene::new();
    scene.write("data.jsonl", samples(80));
    let experts = [
        "model_config.model_type=mixtral",
        "model_config.hidden_size=64",
        "model_config.num_attention_heads=16",
        "model_config.num_key_value_heads=8",
        "model_config.num_local_experts=4",
        "model_config.num_experts_per_tok=2",
        "max_steps=3",
    ];
    let weights = |folder: &str, file: &str| fs::read(scene.path(folder).join(file)).unwrap();
    let is_same = |words: &[&str], folder: &str, file: &str| {
        let output = format!("output_dir={folder}");
        let words = [words, &[&output]].concat();
        scene.succeed(&[&["train"], &SPREAD[..], &words].concat());
        let (metrics, alone) = (scene.metrics(folder), weights(folder, file));
        succeeded(two(&scene, &[&words[..], &["--overwrite"]].concat()).output().unwrap());
        assert_eq!(scene.metrics(folder), metrics);
        assert!(weights(folder, file) == alone, "{folder}");
        assert_eq!(scene.saves(folder).len(), 1, "of the second run alone");
    };
    is_same(&experts, "experts", "model.safetensors");
    let adapter = scene.path("lora.yaml");
    let text = fs::read_to_string(&adapter).unwrap().replace("base_model: out", "base_model: experts");
    scene.write("run.yaml", text + "tokenizer: tok\n");
    is_same(&["max_steps=3", "mesh={mp: 8}", "lora_r=8"], "adapter", "adapter_model.safetensors");
}

#[test]
fn processes_that_would_compile_other_programs_are_refused() {
    let [scene, other] = [(); 2].map(|()| Scene::new());
    other.write("data.jsonl", samples(41));
    let nothing = [("RUST_BACKTRACE", "1")];
    let differs = [Some(3), Some(1)];
    let (stderr, codes) = refused([&scene, &other], nothing);
    assert_eq!(codes, differs, "{stderr}");
    assert!(stderr.contains(" has `datasets: 33 samples of ") && stderr.contains(" where rank 0 on host "), "{stderr}");
    assert!(!stderr.contains("compiling"), "{stderr}");

    let (stderr, _) = refused([&scene, &scene], [("XLA_FLAGS", "--xla_cpu_enable_fast_min_max=true")]);
    assert!(stderr.contains("this process of the run has another one than the others"), "{stderr}");

    other.write("data.jsonl", samples(40));
    other.write("run.yaml", fs::read_to_string(other.path("run.yaml")).unwrap() + "seed: 7\n");
    let (stderr, codes) = refused([&scene, &other], nothing);
    assert_eq!(codes, differs, "{stderr}");
    assert!(stderr.contains(" has `seed: 7` where rank 0 on host ") && !stderr.contains("client"), "{stderr}");
}
