//! Checkpoints of a run: what is complete is found, what is not is passed over, and a save never costs the one before.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use checkpoint::{
    AdapterFolder, Checkpoint, Checkpoints, Error, ModelFile, ModelFolder, SourceError, TensorPart, TensorSpec, latest,
    latest_unverified,
};
use graph::{DType, HostTensor};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct TrainerState {
    epoch: u32,
    cursor: [u64; 2],
}

fn specs(elements: usize) -> Vec<TensorPart> {
    let whole = |name| TensorPart::of_all(TensorSpec::new(name, DType::F32, [elements]));
    ["param.w", "adam.m.w", "adam.v.w"].map(whole).into()
}

/// Values that tell tensors and steps apart.
fn tensor(step: u64, part: &TensorPart) -> Result<HostTensor<'static>, SourceError> {
    let spec = &part.whole;
    let values = (0..spec.shape[0]).map(|i| (i + spec.name.len()) as f32 + step as f32).collect();
    Ok(HostTensor::from_vec(&spec.shape, values)?)
}

fn save(checkpoints: &mut Checkpoints, step: u64) -> PathBuf {
    let state = TrainerState { epoch: 1, cursor: [step, u64::MAX] };
    checkpoints.save(step, &state, &specs(100), |spec| tensor(step, spec)).unwrap()
}

#[track_caller]
fn check_latest(run: &Path, step: u64) -> Checkpoint {
    let checkpoint = latest(run).unwrap().expect("there is a checkpoint");
    assert_eq!(checkpoint.step(), step);
    assert_eq!(checkpoint.trainer_state::<TrainerState>().unwrap().cursor, [step, u64::MAX]);
    for spec in specs(100) {
        assert_eq!(checkpoint.tensors().tensor(&spec.whole.name).unwrap(), tensor(step, &spec).unwrap());
    }
    checkpoint
}

fn names(run: &Path) -> Vec<String> {
    let entries = fs::read_dir(run.join("checkpoints")).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn keep(n: usize) -> NonZeroUsize {
    NonZeroUsize::new(n).unwrap()
}

#[test]
fn the_newest_is_found() {
    let run = tempfile::tempdir().unwrap();
    assert!(latest(run.path()).unwrap().is_none());
    let mut checkpoints = Checkpoints::open(run.path()).unwrap();
    assert!(latest(run.path()).unwrap().is_none());
    // Steps of more digits than the names are padded to come later all the same.
    for step in [9, 100, 123_456_789] {
        let path = save(&mut checkpoints, step);
        assert_eq!(check_latest(run.path(), step).path(), path);
    }
    assert_eq!(names(run.path()), ["step-00000009", "step-00000100", "step-123456789"]);
}

#[test]
fn saving_a_step_again_replaces_it() {
    let run = tempfile::tempdir().unwrap();
    let mut checkpoints = Checkpoints::open(run.path()).unwrap();
    checkpoints.save(5, &"old", &specs(3), |spec| tensor(0, spec)).unwrap();
    save(&mut checkpoints, 5);
    check_latest(run.path(), 5);
    assert_eq!(names(run.path()), ["step-00000005"]);
}

#[test]
fn a_replacement_killed_between_its_renames_is_undone() {
    let run = tempfile::tempdir().unwrap();
    let place = save(&mut Checkpoints::open(run.path()).unwrap(), 5);
    fs::rename(&place, place.with_file_name(".replaced-step-00000005")).unwrap();
    Checkpoints::open(run.path()).unwrap();
    check_latest(run.path(), 5);
}

#[test]
fn only_the_last_are_kept() {
    let run = tempfile::tempdir().unwrap();
    let mut checkpoints = Checkpoints::open(run.path()).unwrap();
    for step in 1..=5 {
        save(&mut checkpoints, step);
    }
    assert_eq!(checkpoints.retain(keep(2), None, &[]).unwrap(), [3, 2, 1]);
    assert_eq!(names(run.path()), ["step-00000004", "step-00000005"]);
    assert_eq!(checkpoints.retain(keep(2), None, &[]).unwrap(), [] as [u64; 0]);
}

/// The best one counts, but never makes the newest go.
#[test]
fn one_more_can_be_kept() {
    let run = tempfile::tempdir().unwrap();
    let mut checkpoints = Checkpoints::open(run.path()).unwrap();
    for step in 1..=5 {
        save(&mut checkpoints, step);
    }
    assert_eq!(checkpoints.retain(keep(3), Some(2), &[]).unwrap(), [3, 1]);
    assert_eq!(checkpoints.retain(keep(1), Some(2), &[]).unwrap(), [4]);
    assert_eq!(names(run.path()), ["step-00000002", "step-00000005"]);
    assert_eq!(checkpoints.retain(keep(1), Some(5), &[]).unwrap(), [2]);
    assert_eq!(checkpoints.retain(keep(1), Some(77), &[]).unwrap(), [] as [u64; 0]);
}

/// Files of the right size are not enough: the older ones are the only good ones.
/// One that is to go anyway pushes none out that is to stay.
#[test]
fn some_do_not_count() {
    let run = tempfile::tempdir().unwrap();
    let mut checkpoints = Checkpoints::open(run.path()).unwrap();
    for step in 1..=5 {
        save(&mut checkpoints, step);
    }
    assert_eq!(checkpoints.retain(keep(2), None, &[5, 2]).unwrap(), [1]);
    assert_eq!(checkpoints.retain(keep(1), Some(3), &[5, 2]).unwrap(), [] as [u64; 0]);
    assert_eq!(checkpoints.retain(keep(1), Some(5), &[5]).unwrap(), [3, 2]);
    assert_eq!(checkpoints.steps().unwrap(), [5, 4]);
}

#[test]
fn one_that_cannot_be_removed_keeps_no_other() {
    let run = tempfile::tempdir().unwrap();
    let mut checkpoints = Checkpoints::open(run.path()).unwrap();
    (1..=5).for_each(|step| drop(save(&mut checkpoints, step)));
    // What is to be removed is given this name before.
    let in_the_way = run.path().join("checkpoints/.removed-step-00000003");
    fs::create_dir_all(in_the_way.join("file")).unwrap();
    let error = checkpoints.retain(keep(2), None, &[]).unwrap_err().to_string();
    assert!(error.contains("step-00000003"), "{error}");
    assert_eq!(checkpoints.steps().unwrap(), [5, 4, 3]);
    fs::remove_dir_all(in_the_way).unwrap();
    assert_eq!(checkpoints.retain(keep(2), None, &[]).unwrap(), [3]);
}

#[test]
fn a_file_is_no_checkpoint() {
    let run = tempfile::tempdir().unwrap();
    let mut checkpoints = Checkpoints::open(run.path()).unwrap();
    assert_eq!(checkpoints.steps().unwrap(), [] as [u64; 0]);
    save(&mut checkpoints, 3);
    fs::write(run.path().join("checkpoints/step-00000050"), "a note").unwrap();
    check_latest(run.path(), 3);
    assert_eq!(checkpoints.steps().unwrap(), [3]);
    assert_eq!(checkpoints.retain(keep(1), None, &[]).unwrap(), [] as [u64; 0]);
}

#[test]
fn a_complete_one_is_never_removed_for_a_damaged_one() {
    let run = tempfile::tempdir().unwrap();
    let mut checkpoints = Checkpoints::open(run.path()).unwrap();
    save(&mut checkpoints, 1);
    let missing = save(&mut checkpoints, 2);
    fs::remove_file(missing.join("trainer_state.json")).unwrap();
    for step in [3, 4] {
        overwrite(&save(&mut checkpoints, step).join("state.safetensors"), usize::MAX, 0xAA);
    }
    let mut later = Checkpoints::open(run.path()).unwrap();
    assert_eq!(later.retain(keep(1), None, &[]).unwrap(), [] as [u64; 0]);
    check_latest(run.path(), 1);
    let aside = ["damaged-step-00000002", "damaged-step-00000003", "damaged-step-00000004", "step-00000001"];
    assert_eq!(names(run.path()), aside);
}

/// To read all of them takes minutes where they are large: only what stays in another's place has to be good.
#[test]
fn none_is_read_where_none_is_too_many() {
    let run = tempfile::tempdir().unwrap();
    let mut checkpoints = Checkpoints::open(run.path()).unwrap();
    let paths: Vec<_> = (1..=3).map(|step| save(&mut checkpoints, step)).collect();
    overwrite(&paths[1].join("state.safetensors"), usize::MAX, 0xAA);
    let mut later = Checkpoints::open(run.path()).unwrap();
    let untouched = ["step-00000001", "step-00000002", "step-00000003"];
    let enough = [(3, None, &[][..]), (9, None, &[]), (3, Some(1), &[]), (2, None, &[1]), (1, Some(1), &[3])];
    for (limit, also, uncounted) in enough {
        assert_eq!(later.retain(keep(limit), also, uncounted).unwrap(), [] as [u64; 0]);
        assert_eq!(names(run.path()), untouched, "{limit}, {also:?}, {uncounted:?}");
    }
    assert_eq!(later.retain(keep(2), None, &[]).unwrap(), [] as [u64; 0]);
    assert_eq!(names(run.path()), ["damaged-step-00000002", "step-00000001", "step-00000003"]);
}

#[test]
fn damaged_ones_that_are_passed_over_are_set_aside() {
    let run = tempfile::tempdir().unwrap();
    let mut checkpoints = Checkpoints::open(run.path()).unwrap();
    assert!(checkpoints.newest().unwrap().is_none());
    for step in 1..=3 {
        save(&mut checkpoints, step);
    }
    let folder = run.path().join("checkpoints");
    overwrite(&folder.join("step-00000003/state.safetensors"), usize::MAX, 0xAA);
    let mut later = Checkpoints::open(run.path()).unwrap();
    assert_eq!(later.newest().unwrap().unwrap().step(), 2);
    assert_eq!(names(run.path()), ["damaged-step-00000003", "step-00000001", "step-00000002"]);
    save(&mut later, 3);
    assert_eq!(later.retain(keep(2), None, &[]).unwrap(), [1]);

    // Where all are damaged nothing is set aside, lest the next run begin from nothing.
    for step in [2, 3] {
        fs::remove_file(folder.join(format!("step-0000000{step}/manifest.json"))).unwrap();
    }
    assert!(matches!(later.newest(), Err(Error::NoneComplete { .. })));
    assert_eq!(names(run.path()), ["damaged-step-00000003", "step-00000002", "step-00000003"]);
}

/// What another version wrote is not damaged.
#[test]
fn a_newer_format_is_refused_and_left_where_it_is() {
    let run = tempfile::tempdir().unwrap();
    let mut checkpoints = Checkpoints::open(run.path()).unwrap();
    save(&mut checkpoints, 1);
    let manifest = save(&mut checkpoints, 2).join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("\"format\":3", "\"format\":4")).unwrap();
    let message = checkpoints.newest().unwrap_err().to_string();
    assert!(
        message.ends_with(
            "step-00000002 has format 4, and this version reads formats 2 and 3: go on with the version of \
                               Finery that saved it"
        ),
        "{message}"
    );
    assert_eq!(names(run.path()), ["step-00000001", "step-00000002"]);
}

/// As where the operating system refuses or the network is away.
#[test]
fn a_file_that_cannot_be_looked_at_is_no_damage() {
    let run = tempfile::tempdir().unwrap();
    let mut checkpoints = Checkpoints::open(run.path()).unwrap();
    let state = save(&mut checkpoints, 1).join("state.safetensors");
    fs::remove_file(&state).unwrap();
    std::os::unix::fs::symlink(&state, &state).unwrap();
    let error = Checkpoints::open(run.path()).unwrap().newest().unwrap_err().to_string();
    assert!(error.contains("look at") && error.contains("state.safetensors"), "{error}");
    assert_eq!(names(run.path()), ["step-00000001"]);
}

/// A checkpoint says itself which model or adapter its tensors are.
#[test]
fn a_checkpoint_is_a_model_folder_or_an_adapter_folder() {
    let run = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| ModelFile { name: name.to_owned(), bytes: text.as_bytes().to_vec() };
    let specs = |names: [&str; 2]| -> Vec<TensorPart> {
        let all = names.iter().flat_map(|name| ["", ".exp_avg", ".exp_avg_sq"].map(|moment| format!("{name}{moment}")));
        all.map(|name| TensorPart::of_all(TensorSpec::new(name, DType::F32, [1, 1]))).collect()
    };
    let source = |part: &TensorPart| Ok(HostTensor::from_vec(&[1, 1], vec![part.whole.name.len() as f32])?);
    let files = vec![file("config.json", "{\"model_type\": \"llama\"}"), file("tokenizer.json", "{}")];
    let mut checkpoints = Checkpoints::open(run.path()).unwrap().with_model_files(files);
    let path = checkpoints.save(1, &(), &specs(["a.weight", "b.weight"]), source).unwrap();
    let model = ModelFolder::open(&path).unwrap();
    assert_eq!(model.names().collect::<Vec<_>>(), ["a.weight", "b.weight"]);
    assert_eq!(model.config()["model_type"], "llama");
    assert_eq!(model.tensor("a.weight").unwrap().to_f32(), [8.0]);
    assert!(path.join("tokenizer.json").is_file());

    let adapter =
        file("adapter_config.json", "{\"peft_type\": \"LORA\", \"r\": 1, \"base_model_name_or_path\": \"base\"}");
    let mut checkpoints = Checkpoints::open(run.path()).unwrap().with_model_files(vec![adapter]);
    let path = checkpoints.save(2, &(), &specs(["q.lora_A.weight", "q.lora_B.weight"]), source).unwrap();
    let adapter = AdapterFolder::open(&path, None).unwrap();
    assert_eq!(adapter.modules().collect::<Vec<_>>(), ["q"]);
    assert_eq!(adapter.tensor("q.lora_B.weight").unwrap().unwrap().to_f32(), [15.0]);
    assert_eq!(adapter.config().base_model_name_or_path.as_deref(), Some("base"));

    overwrite(&path.join("adapter_config.json"), 0, b'[');
    check_latest_step(run.path(), 1);
}

fn check_latest_step(run: &Path, step: u64) {
    assert_eq!(latest(run).unwrap().unwrap().step(), step);
}

/// Where it is only to be seen what a run goes on from, and tensors are not read, one must not be met that the run would set aside.
#[test]
fn small_files_are_compared_wherever_a_checkpoint_is_opened() {
    let run = tempfile::tempdir().unwrap();
    let files = vec![ModelFile { name: "adapter_config.json".to_owned(), bytes: b"{}".to_vec() }];
    let mut checkpoints = Checkpoints::open(run.path()).unwrap().with_model_files(files);
    for step in [1, 2, 3, 4] {
        save(&mut checkpoints, step);
    }
    let found = || latest_unverified(run.path()).unwrap().unwrap().step();
    let folder = run.path().join("checkpoints");
    overwrite(&folder.join("step-00000004/state.safetensors"), usize::MAX, 0xAA);
    assert_eq!(found(), 4);
    overwrite(&folder.join("step-00000004/trainer_state.json"), 0, b'[');
    assert_eq!(found(), 3);
    overwrite(&folder.join("step-00000003/adapter_config.json"), 1, b' ');
    assert_eq!(found(), 2);
    let message = Checkpoint::open_unverified(folder.join("step-00000003")).unwrap_err().to_string();
    assert!(message.ends_with("adapter_config.json is not what was saved (its checksum differs)"), "{message}");
}

/// What is said of a checkpoint after `damage`, which the one before it outlives.
#[track_caller]
fn passed_over(damage: impl FnOnce(&Path)) -> String {
    let run = tempfile::tempdir().unwrap();
    let mut checkpoints = Checkpoints::open(run.path()).unwrap();
    save(&mut checkpoints, 1);
    let newest = save(&mut checkpoints, 2);
    damage(&newest);
    check_latest(run.path(), 1);
    let message = Checkpoint::open(&newest).unwrap_err().to_string();
    message.replace(&newest.display().to_string(), "DIR")
}

fn overwrite(path: &Path, at: usize, byte: u8) {
    let mut bytes = fs::read(path).unwrap();
    let at = if at == usize::MAX { bytes.len() - 1 } else { at };
    assert_ne!(bytes[at], byte);
    bytes[at] = byte;
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_run_is_no_checkpoint() {
    let run = tempfile::tempdir().unwrap();
    fs::create_dir(run.path().join("checkpoints")).unwrap();
    let error = Checkpoint::open(run.path()).err().unwrap().to_string();
    let path = run.path().display();
    assert_eq!(error, format!("{path} is the folder of a run: name one of the checkpoints in {path}/checkpoints"));
}

/// As Composer, DeepSpeed and Megatron leave a link to their newest, and whoever likes one copies it.
#[test]
fn a_checkpoint_is_one_under_any_name() {
    let run = tempfile::tempdir().unwrap();
    let path = save(&mut Checkpoints::open(run.path()).unwrap(), 3);
    let [latest, best] = ["latest", "best"].map(|name| run.path().join(name));
    std::os::unix::fs::symlink(&path, &latest).unwrap();
    fs::create_dir(path.join("within")).unwrap();
    let check = |path: &Path| {
        assert_eq!(Checkpoint::open(path).unwrap().step(), 3, "{}", path.display());
        assert_eq!(Checkpoint::open_unverified(path).unwrap().path(), path);
    };
    check(&latest);
    check(&path.join("within/.."));
    fs::rename(&path, &best).unwrap();
    check(&best);

    fs::remove_file(&latest).unwrap();
    for (mark, why) in [("diverged", "the run diverged behind it"), ("damaged", "it was not what was saved")] {
        let aside = path.with_file_name(format!("{mark}-step-00000003"));
        fs::rename(&best, &aside).unwrap();
        std::os::unix::fs::symlink(&aside, &latest).unwrap();
        for path in [&aside, &latest] {
            let advice = "name an earlier one, or rename this to step-00000003 if it is meant all the same";
            let expected = format!("checkpoint {} was set aside because {why}: {advice}", path.display());
            assert_eq!(Checkpoint::open(path).unwrap_err().to_string(), expected);
            assert_eq!(Checkpoint::open_unverified(path).unwrap_err().to_string(), expected);
        }
        fs::remove_file(&latest).unwrap();
        fs::rename(&aside, &best).unwrap();
    }
}

#[test]
fn damaged_checkpoints_are_passed_over() {
    let state = "state.safetensors";
    let message = passed_over(|path| fs::remove_file(path.join("manifest.json")).unwrap());
    assert_eq!(message, "checkpoint DIR is not complete: it has no manifest.json");
    let message = passed_over(|path| fs::remove_file(path.join(state)).unwrap());
    assert_eq!(message, "checkpoint DIR is not complete: it has no state.safetensors");
    let message = passed_over(|path| {
        let file = fs::File::options().write(true).open(path.join(state)).unwrap();
        file.set_len(1000).unwrap();
    });
    assert!(
        message.starts_with("checkpoint DIR is not complete: state.safetensors has 1000 bytes, and 1"),
        "{message}"
    );
    let message = passed_over(|path| overwrite(&path.join(state), usize::MAX, 0xAA));
    let expected = "checkpoint DIR is not complete: state.safetensors is not what was saved (its checksum differs), in \"adam.v.w\"";
    assert_eq!(message, expected);
    let message = passed_over(|path| overwrite(&path.join("trainer_state.json"), 0, b'['));
    let expected = "checkpoint DIR is not complete: trainer_state.json is not what was saved (its checksum differs)";
    assert_eq!(message, expected);
    let message = passed_over(|path| fs::write(path.join("manifest.json"), "{").unwrap());
    assert!(message.starts_with("DIR/manifest.json cannot be understood: EOF"), "{message}");
    let message = passed_over(|path| {
        fs::copy(path.with_file_name("step-00000001").join("manifest.json"), path.join("manifest.json")).unwrap();
    });
    assert_eq!(message, "checkpoint DIR is not complete: its manifest is that of step 1");
}

/// Whatever byte of a checkpoint the disk changes: it is noticed, or it carries no meaning, and all is read as it was saved.
#[test]
fn a_flipped_bit_in_any_byte_is_noticed() {
    let run = tempfile::tempdir().unwrap();
    let mut checkpoints = Checkpoints::open(run.path()).unwrap();
    let newest = checkpoints.save(2, &"state", &specs(3), |spec| tensor(2, spec)).unwrap();
    for name in ["state.safetensors", "trainer_state.json", "manifest.json"] {
        let path = newest.join(name);
        let saved = fs::read(&path).unwrap();
        for at in 0..saved.len() {
            let mut bytes = saved.clone();
            bytes[at] ^= 1 << (at % 8);
            fs::write(&path, &bytes).unwrap();
            match Checkpoint::open(&newest) {
                Err(_) => {}
                // A space between two words of the manifest may turn into another.
                Ok(checkpoint) => {
                    assert_eq!(name, "manifest.json", "byte {at} of {name}");
                    assert!(saved[at].is_ascii_whitespace(), "byte {at}: {}", String::from_utf8_lossy(&bytes));
                    assert_eq!(checkpoint.step(), 2);
                }
            }
        }
        fs::write(&path, saved).unwrap();
    }
    Checkpoint::open(&newest).unwrap();
}

/// Two checkpoints have files of the same sizes, so that only checksums tell them apart.
#[test]
fn files_of_another_step_are_noticed() {
    for (name, part) in [("state.safetensors", ", in \"adam.m.w\""), ("trainer_state.json", "")] {
        let message = passed_over(|path| {
            let other = path.with_file_name("step-00000001").join(name);
            assert_eq!(fs::metadata(&other).unwrap().len(), fs::metadata(path.join(name)).unwrap().len());
            fs::copy(other, path.join(name)).unwrap();
        });
        let problem = format!("{name} is not what was saved (its checksum differs){part}");
        let expected = format!("checkpoint DIR is not complete: {problem}");
        assert_eq!(message, expected);
    }
    let swapped = passed_over(|path| {
        let [state, trainer, aside] = ["state.safetensors", "trainer_state.json", "aside"].map(|name| path.join(name));
        fs::rename(&state, &aside).unwrap();
        fs::rename(&trainer, &state).unwrap();
        fs::rename(&aside, &trainer).unwrap();
    });
    assert!(swapped.starts_with("checkpoint DIR is not complete: state.safetensors has "), "{swapped}");
    let whole = passed_over(|path| {
        let other = path.with_file_name("step-00000001");
        for name in ["state.safetensors", "trainer_state.json", "manifest.json"] {
            fs::copy(other.join(name), path.join(name)).unwrap();
        }
    });
    assert_eq!(whole, "checkpoint DIR is not complete: its manifest is that of step 1");
}

#[test]
fn a_run_without_a_complete_checkpoint_is_not_begun_anew() {
    let run = tempfile::tempdir().unwrap();
    let mut checkpoints = Checkpoints::open(run.path()).unwrap();
    for step in [1, 2] {
        fs::remove_file(save(&mut checkpoints, step).join("manifest.json")).unwrap();
    }
    let message = latest(run.path()).unwrap_err().to_string();
    let folder = run.path().join("checkpoints");
    assert!(
        message.starts_with(&format!("none of the 2 checkpoints in {} is complete: ", folder.display())),
        "{message}"
    );
    assert!(message.find("step-00000002").unwrap() < message.find("step-00000001").unwrap(), "{message}");
}

#[test]
fn a_source_that_fails_leaves_nothing() {
    let run = tempfile::tempdir().unwrap();
    let mut checkpoints = Checkpoints::open(run.path()).unwrap();
    save(&mut checkpoints, 1);
    let fail =
        |part: &TensorPart| if part.whole.name == "adam.v.w" { Err("device lost".into()) } else { tensor(2, part) };
    let error = checkpoints.save(2, &(), &specs(100), fail).unwrap_err();
    assert!(error.to_string().ends_with("could not be obtained: device lost"), "{error}");
    assert_eq!(names(run.path()), ["step-00000001"]);
    check_latest(run.path(), 1);
}

const KILLED_RUN: &str = "CHECKPOINT_TEST_KILLED_RUN";

/// The test starts itself as the process that is killed.
#[test]
fn a_writer_killed_in_the_middle_leaves_the_checkpoint_before() {
    if let Some(run) = std::env::var_os(KILLED_RUN) {
        let mut checkpoints = Checkpoints::open(&run).unwrap();
        let stop_at_the_last = |spec: &TensorPart| {
            if spec.whole.name == "adam.v.w" {
                fs::write(Path::new(&run).join("in the middle"), "")?;
                std::thread::sleep(Duration::from_secs(60));
            }
            tensor(2, spec)
        };
        // Large enough that the tensors before have left the buffer.
        checkpoints.save(2, &(), &specs(1 << 20), stop_at_the_last).unwrap();
        return;
    }
    let run = tempfile::tempdir().unwrap();
    save(&mut Checkpoints::open(run.path()).unwrap(), 1);
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_writer_killed_in_the_middle_leaves_the_checkpoint_before"])
        .env(KILLED_RUN, run.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while !run.path().join("in the middle").exists() {
        assert!(started.elapsed() < Duration::from_secs(30), "the child did not get to the last tensor");
        std::thread::sleep(Duration::from_millis(5));
    }
    // SIGKILL, on Unix.
    child.kill().unwrap();
    child.wait().unwrap();

    assert_eq!(names(run.path()), [".partial-step-00000002", "step-00000001"]);
    check_latest(run.path(), 1);
    let mut checkpoints = Checkpoints::open(run.path()).unwrap();
    assert_eq!(names(run.path()), ["step-00000001"], "the next start cleans up");
    save(&mut checkpoints, 2);
    check_latest(run.path(), 2);
}

/// A file system of 256 KiB; `None` where this user may not mount one.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount() -> Option<SmallDisk> {
        let folder = tempfile::tempdir().unwrap();
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=256k", "tmpfs"])
            .arg(folder.path())
            .stderr(Stdio::null())
            .status();
        mount.is_ok_and(|status| status.success()).then_some(SmallDisk(folder))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        Command::new("umount").arg(self.0.path()).status().unwrap();
    }
}

/// The same with a disk that is simulated, and so runs everywhere, is beside the code.
#[test]
fn a_full_disk_leaves_the_checkpoint_before() {
    let Some(disk) = SmallDisk::mount() else {
        eprintln!("skipped: a tmpfs cannot be mounted here");
        return;
    };
    let run = disk.0.path().join("run");
    let mut checkpoints = Checkpoints::open(&run).unwrap();
    save(&mut checkpoints, 1);
    let error = checkpoints.save(2, &(), &specs(1 << 16), |spec| tensor(2, spec)).unwrap_err();
    assert!(matches!(error, Error::DiskFull { .. }), "{error:?}");
    let message = error.to_string();
    let path = run.join("checkpoints/.partial-step-00000002/state.safetensors");
    assert!(message.starts_with(&format!("could not write {}: the disk is full (", path.display())), "{message}");
    assert!(
        message.ends_with("free some space or write to another disk, what was there before is unchanged"),
        "{message}"
    );
    assert_eq!(names(&run), ["step-00000001"]);
    check_latest(&run, 1);
    // The space is free again.
    save(&mut checkpoints, 3);
    check_latest(&run, 3);
}
