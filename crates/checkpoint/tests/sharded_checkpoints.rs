//! Checkpoints in boxes, by several processes, and of runs that change hands.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, SystemTime};

use checkpoint::{
    AdapterFolder, Checkpoint, Checkpoints, Claim, Error, ModelFile, ModelFolder, Owner, SourceError, TensorPart,
    TensorSpec, Writers, latest, write_safetensors,
};
use graph::{DType, HostTensor};

/// The tensors that are saved here, by name and shape.
const TENSORS: [(&str, &[usize]); 3] = [("a.weight", &[4, 6]), ("a.weight.exp_avg", &[4, 6]), ("b.bias", &[3])];

/// A tensor whose elements are all different, and others in each step.
fn whole(name: &str, step: u64) -> HostTensor<'static> {
    let shape = TENSORS.iter().find(|(known, _)| *known == name).unwrap().1;
    let base = (name.len() * 100) as f32 + step as f32 * 1000.0;
    HostTensor::from_vec(shape, (0..shape.iter().product()).map(|at: usize| base + at as f32).collect()).unwrap()
}

fn part(name: &str, ranges: &[Range<usize>]) -> TensorPart {
    let shape = TENSORS.iter().find(|(known, _)| *known == name).unwrap().1;
    TensorPart { whole: TensorSpec::new(name, DType::F32, shape), ranges: ranges.to_vec() }
}

/// A box that is whole along all dimensions but the first.
fn rows(name: &str, range: Range<usize>) -> TensorPart {
    let mut all = TensorPart::of_all(part(name, &[]).whole);
    all.ranges[0] = range;
    all
}

/// What each of two processes has: of the first tensor one has two boxes, and of the last the other has none.
fn shares() -> [Vec<TensorPart>; 2] {
    let first = [part("a.weight", &[0..1, 0..6]), part("a.weight", &[1..4, 0..2]), rows("b.bias", 0..3)];
    let second = [part("a.weight", &[1..4, 2..6])];
    let [top, bottom] = [0..2, 2..4].map(|rows| part("a.weight.exp_avg", &[rows, 0..6]));
    [[&first[..], &[bottom]].concat(), [&second[..], &[top]].concat()]
}

fn values(step: u64) -> impl FnMut(&TensorPart) -> Result<HostTensor<'static>, SourceError> {
    move |part| Ok(whole(&part.whole.name, step).into_part(&part.ranges))
}

#[track_caller]
fn check(checkpoint: &Checkpoint, step: u64) {
    let tensors = checkpoint.tensors();
    assert_eq!(tensors.names().collect::<Vec<_>>(), TENSORS.map(|(name, _)| name));
    for (name, shape) in TENSORS {
        let expected = whole(name, step);
        assert_eq!(tensors.shape(name).unwrap(), shape);
        assert_eq!(tensors.tensor(name).unwrap(), expected);
        // Any box that a device of another mesh may want.
        for from in 0..shape[0] {
            for to in from + 1..=shape[0] {
                let mut ranges: Vec<Range<usize>> = shape.iter().map(|size| 0..*size).collect();
                ranges[0] = from..to;
                if let Some(columns) = ranges.get_mut(1) {
                    *columns = from..to + 1;
                }
                assert_eq!(tensors.part(name, &ranges).unwrap(), expected.part(&ranges), "{name} {ranges:?}");
            }
        }
    }
}

#[test]
fn any_part_of_what_was_saved_in_boxes_is_read() {
    let run = tempfile::tempdir().unwrap();
    let mesh = BTreeMap::from([("dp".to_owned(), 1), ("fsdp".to_owned(), 2)]);
    let mut checkpoints = Checkpoints::open(run.path()).unwrap().with_mesh(mesh.clone());
    let path = checkpoints.save(7, &"state", &shares().concat(), values(7)).unwrap();
    let checkpoint = latest(run.path()).unwrap().unwrap();
    check(&checkpoint, 7);
    assert_eq!(checkpoint.mesh(), mesh);
    assert_eq!(checkpoint.tensors().box_count("a.weight"), 3);
    let files = checkpoint.files();
    assert_eq!(files.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["state.safetensors", "trainer_state.json"]);
    assert_eq!(files[0].1, fs::metadata(path.join("state.safetensors")).unwrap().len());
}

/// The same model whether it is in boxes or not, to whoever reads it as a model and to what knows it again.
#[test]
fn boxes_are_a_model_folder() {
    let config = ModelFile { name: "config.json".to_owned(), bytes: b"{\"model_type\": \"llama\"}".to_vec() };
    let model = |parts: &[TensorPart]| {
        let run = tempfile::tempdir().unwrap();
        let mut checkpoints = Checkpoints::open(run.path()).unwrap().with_model_files(vec![config.clone()]);
        let path = checkpoints.save(1, &(), parts, values(1)).unwrap();
        (ModelFolder::open(path).unwrap(), run)
    };
    let wholes = TENSORS.map(|(name, shape)| TensorPart::of_all(TensorSpec::new(name, DType::F32, shape)));
    let ((boxed, _kept), (alone, _kept_too)) = (model(&shares().concat()), model(&wholes));
    assert_eq!(boxed.names().collect::<Vec<_>>(), ["a.weight", "b.bias"]);
    assert_eq!(boxed.tensor("a.weight").unwrap(), whole("a.weight", 1));
    assert_eq!(boxed.digest(), alone.digest());
}

#[test]
fn boxes_are_an_adapter_folder() {
    let run = tempfile::tempdir().unwrap();
    let json = "{\"peft_type\": \"LORA\", \"r\": 2, \"base_model_name_or_path\": \"base\"}";
    let config = ModelFile { name: "adapter_config.json".to_owned(), bytes: json.into() };
    let mut checkpoints = Checkpoints::open(run.path()).unwrap().with_model_files(vec![config]);
    let specs = [("q.lora_A.weight", [2, 6]), ("q.lora_A.weight.exp_avg", [2, 6]), ("q.lora_B.weight", [4, 2])]
        .map(|(name, shape)| TensorSpec::new(name, DType::F32, shape));
    let whole = |spec: &TensorSpec| {
        let count: usize = spec.shape.iter().product();
        HostTensor::from_vec(&spec.shape, (0..count).map(|at| (at + spec.name.len()) as f32).collect()).unwrap()
    };
    let halves = |spec: &TensorSpec| {
        let columns = spec.shape[1];
        let half = |range| TensorPart { whole: spec.clone(), ranges: vec![0..spec.shape[0], range] };
        [half(0..columns / 2), half(columns / 2..columns)]
    };
    let parts = specs.iter().flat_map(halves).collect::<Vec<_>>();
    let path = checkpoints.save(1, &(), &parts, |part| Ok(whole(&part.whole).into_part(&part.ranges))).unwrap();
    let adapter = AdapterFolder::open(&path, None).unwrap();
    assert_eq!(adapter.modules().collect::<Vec<_>>(), ["q"]);
    for spec in [&specs[0], &specs[2]] {
        assert_eq!(adapter.tensor(&spec.name).unwrap().unwrap(), whole(spec));
    }
}

/// It is known again by bytes from its middle, which are in several boxes.
#[test]
fn a_model_in_boxes_is_known_again() {
    let spec = TensorSpec::new("w", DType::U8, [90, 97]);
    let digest = |parts: &[TensorPart], changed: usize| {
        let run = tempfile::tempdir().unwrap();
        let config = ModelFile { name: "config.json".to_owned(), bytes: b"{}".to_vec() };
        let mut checkpoints = Checkpoints::open(run.path()).unwrap().with_model_files(vec![config]);
        let byte = |at: usize| (at * 31 % 251) as u8 ^ u8::from(at == changed);
        let all = HostTensor::new(DType::U8, &spec.shape, (0..90 * 97).map(byte).collect::<Vec<u8>>()).unwrap();
        let path = checkpoints.save(1, &(), parts, |part| Ok(all.part(&part.ranges).into_owned())).unwrap();
        ModelFolder::open(path).unwrap().digest()
    };
    let whole = [TensorPart::of_all(spec.clone())];
    let corners = [[0..45, 0..60], [0..45, 60..97], [45..90, 0..13], [45..90, 13..97]];
    let boxes = corners.map(|ranges| TensorPart { whole: spec.clone(), ranges: ranges.to_vec() });
    let untouched = digest(&whole, usize::MAX);
    assert_eq!(digest(&boxes, usize::MAX), untouched);
    for changed in [0, 45 * 97, 90 * 97 - 1] {
        assert_ne!(digest(&boxes, changed), untouched);
        assert_eq!(digest(&boxes, changed), digest(&whole, changed));
    }
}

#[test]
fn parts_must_be_all_of_a_tensor() {
    let run = tempfile::tempdir().unwrap();
    let mut checkpoints = Checkpoints::open(run.path()).unwrap();
    let mut error = |parts: &[TensorPart]| checkpoints.save(1, &(), parts, values(1)).unwrap_err().to_string();
    let [first, second] = shares();
    let message = error(&first);
    assert!(message.ends_with("of its tensor \"a.weight\" 12 of its 24 elements are in no box"), "{message}");
    let message = error(&[&first[..], &second, &[rows("b.bias", 1..2)]].concat());
    assert!(message.ends_with("of its tensor \"b.bias\" its elements [1:2] are in two boxes"), "{message}");
    assert_eq!(fs::read_dir(run.path().join("checkpoints")).unwrap().count(), 0);
}

/// Threads that act as the processes of a run.
#[derive(Default)]
struct Meeting {
    at: Mutex<Round>,
    changed: Condvar,
}

#[derive(Default)]
struct Round {
    number: u64,
    brought: BTreeMap<usize, Vec<u8>>,
    told: Vec<Vec<u8>>,
    is_lost: bool,
}

struct Member {
    meeting: Arc<Meeting>,
    rank: usize,
    count: usize,
}

impl Writers for Member {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.count
    }

    fn count_here(&self) -> usize {
        self.count
    }

    fn gather(&self, _what: &str, bytes: Vec<u8>) -> Result<Vec<Vec<u8>>, SourceError> {
        let mut round = self.meeting.at.lock().unwrap();
        let number = round.number;
        round.brought.insert(self.rank, bytes);
        if round.brought.len() == self.count {
            round.told = std::mem::take(&mut round.brought).into_values().collect();
            round.number += 1;
            self.meeting.changed.notify_all();
        }
        let (round, waited) = self
            .meeting
            .changed
            .wait_timeout_while(round, Duration::from_secs(20), |round| round.number == number && !round.is_lost)
            .unwrap();
        assert!(!waited.timed_out(), "the processes wait for each other for ever");
        if round.number == number { Err("it has ended".into()) } else { Ok(round.told.clone()) }
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.meeting.at.lock().unwrap().is_lost = true;
        self.meeting.changed.notify_all();
    }
}

/// What each of `count` processes on the same run gives.
fn together<T: Send>(run: &Path, count: usize, act: impl Fn(usize, Checkpoints) -> T + Sync) -> Vec<T> {
    let meeting = Arc::new(Meeting::default());
    std::thread::scope(|scope| {
        let act = &act;
        let start = |rank| {
            let member = Arc::new(Member { meeting: Arc::clone(&meeting), rank, count });
            scope.spawn(move || act(rank, Checkpoints::open_among(run, member).unwrap()))
        };
        let threads: Vec<_> = (0..count).map(start).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn names(run: &Path) -> Vec<String> {
    let entries = fs::read_dir(run.join("checkpoints")).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn processes_write_one_checkpoint() {
    let run = tempfile::tempdir().unwrap();
    // The third has no part of anything.
    let parts = |rank: usize| shares().get(rank).cloned().unwrap_or_default();
    let found = together(run.path(), 3, |rank, mut checkpoints| {
        for step in [1, 2, 3] {
            checkpoints.save(step, &format!("of process {rank}"), &parts(rank), values(step)).unwrap();
            let removed = checkpoints.retain(NonZeroUsize::new(2).unwrap(), None, &[]).unwrap();
            assert_eq!(removed.is_empty(), rank > 0 || step < 3);
        }
        let newest = checkpoints.newest().unwrap().unwrap();
        check(&newest, 3);
        newest.step()
    });
    assert_eq!(found, [3, 3, 3]);
    assert_eq!(names(run.path()), ["step-00000002", "step-00000003"]);
    let checkpoint = latest(run.path()).unwrap().unwrap();
    assert_eq!(checkpoint.trainer_state::<String>().unwrap(), "of process 0");
    let files: Vec<&str> = checkpoint.files().into_iter().map(|(name, _)| name).collect();
    let states = ["state-00000-of-00003.safetensors", "state-00001-of-00003.safetensors"];
    assert_eq!(files, [&states[..], &["trainer_state.json"]].concat());
}

#[test]
fn a_process_that_fails_leaves_nothing_of_any() {
    for failing in [0, 1] {
        let run = tempfile::tempdir().unwrap();
        let messages = together(run.path(), 2, |rank, mut checkpoints| {
            checkpoints.save(1, &(), &shares()[rank], values(1)).unwrap();
            let fail = |part: &TensorPart| {
                let is_last = rank == failing && part.whole.name.ends_with("exp_avg");
                if is_last { Err("device lost".into()) } else { values(2)(part) }
            };
            let message = checkpoints.save(2, &(), &shares()[rank], fail).unwrap_err().to_string();
            // They go on from there together.
            checkpoints.save(3, &(), &shares()[rank], values(3)).unwrap();
            message
        });
        assert!(messages[failing].ends_with("could not be obtained: device lost"), "{}", messages[failing]);
        let start = format!(
            "process {failing} of this run failed writing the parts of a checkpoint: tensor \"a.weight.exp_avg["
        );
        assert!(messages[1 - failing].starts_with(&start), "{}", messages[1 - failing]);
        assert_eq!(names(run.path()), ["step-00000001", "step-00000003"]);
        check(&latest(run.path()).unwrap().unwrap(), 3);
    }
}

#[test]
fn a_process_that_dies_half_way_leaves_the_checkpoint_before() {
    for dying in [0, 1] {
        let run = tempfile::tempdir().unwrap();
        let errors = together(run.path(), 2, |rank, mut checkpoints| {
            checkpoints.save(1, &(), &shares()[rank], values(1)).unwrap();
            if rank != dying {
                return Some(checkpoints.save(2, &(), &shares()[rank], values(2)).unwrap_err());
            }
            // Not before the other is at work: what it can no longer create would be its error.
            let other = format!("checkpoints/.partial-step-00000002/state-{:05}-of-00002.safetensors", 1 - dying);
            let dies = |_: &TensorPart| -> Result<HostTensor<'static>, SourceError> {
                while !run.path().join(&other).exists() {
                    std::thread::yield_now();
                }
                std::panic::resume_unwind(Box::new("killed"))
            };
            let saving = std::panic::AssertUnwindSafe(|| checkpoints.save(2, &(), &shares()[rank], dies));
            std::panic::catch_unwind(saving).unwrap_err();
            None
        });
        let error = errors[1 - dying].as_ref().unwrap();
        assert!(matches!(error, Error::LostWriter { .. }), "{error}");
        assert_eq!(
            error.to_string(),
            "writing the parts of a checkpoint: a process of this run is lost (it has ended); the checkpoint before is still there to go on \
             from"
        );
        check(&latest(run.path()).unwrap().unwrap(), 1);
        drop(Checkpoints::open(run.path()).unwrap());
        assert_eq!(names(run.path()), ["step-00000001"]);
    }
}

/// Processes that do not agree on what a tensor is have other models.
#[test]
fn a_tensor_of_two_shapes_is_refused() {
    let run = tempfile::tempdir().unwrap();
    let messages = together(run.path(), 2, |rank, mut checkpoints| {
        let spec = TensorSpec::new("w", DType::F32, [2 + rank]);
        let parts = [TensorPart { whole: spec, ranges: std::iter::once(rank..rank + 1).collect() }];
        let one = |_: &TensorPart| Ok(HostTensor::from_vec(&[1], vec![1.0_f32])?);
        checkpoints.save(1, &(), &parts, one).unwrap_err().to_string()
    });
    assert!(messages[0].ends_with("\"w\" is F32 [2] to one process and F32 [3] to another"), "{}", messages[0]);
    assert_eq!(names(run.path()), [""; 0]);
}

#[test]
fn a_part_that_is_missing_or_damaged_is_named() {
    let run = tempfile::tempdir().unwrap();
    together(run.path(), 2, |rank, mut checkpoints| {
        drop(checkpoints.save(5, &(), &shares()[rank], values(5)).unwrap());
    });
    let folder = run.path().join("checkpoints/step-00000005");
    let file = folder.join("state-00001-of-00002.safetensors");
    let saved = fs::read(&file).unwrap();
    let fault = || Checkpoint::open(&folder).unwrap_err().to_string().replace(&folder.display().to_string(), "DIR");

    let mut bytes = saved.clone();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&file, bytes).unwrap();
    assert_eq!(
        fault(),
        "checkpoint DIR is not complete: state-00001-of-00002.safetensors is not what was saved (its checksum differs), in the box \
         \"a.weight.exp_avg[0:2,0:6]\""
    );
    fs::remove_file(&file).unwrap();
    assert_eq!(fault(), "checkpoint DIR is not complete: it has no state-00001-of-00002.safetensors");
    // Read as a model it lacks the same.
    fs::write(folder.join("config.json"), "{}").unwrap();
    let message = ModelFolder::open(&folder).unwrap_err().to_string();
    assert!(message.ends_with("it has no state-00001-of-00002.safetensors"), "{message}");
    fs::write(&file, saved).unwrap();
    check(&Checkpoint::open(&folder).unwrap(), 5);
    // A name says a step, or nothing of it.
    let [wrong, aside] = ["step-00000006", "damaged-step-00000006"].map(|name| folder.with_file_name(name));
    fs::rename(&folder, &wrong).unwrap();
    let message = Checkpoint::open_anywhere(&wrong).unwrap_err().to_string();
    assert!(message.ends_with("step-00000006 is not complete: its manifest is that of step 5"), "{message}");
    fs::rename(wrong, &aside).unwrap();
    check(&Checkpoint::open_anywhere(aside).unwrap(), 5);
}

/// As Finery 0.1 wrote them before checkpoints had boxes.
#[test]
fn checkpoints_of_format_2_are_read() {
    let run = tempfile::tempdir().unwrap();
    let folder = run.path().join("checkpoints/step-00000009");
    let specs = TENSORS.map(|(name, shape)| TensorSpec::new(name, DType::F32, shape));
    let state = folder.join("state.safetensors");
    write_safetensors(&state, &specs, |spec| Ok(whole(&spec.name, 9))).unwrap();
    fs::write(folder.join("trainer_state.json"), "\"then\"\n").unwrap();
    let manifest = |more: &str| {
        let listed = ["state.safetensors", "trainer_state.json"].map(|name| {
            let bytes = fs::read(folder.join(name)).unwrap();
            format!("\"{name}\": {{\"bytes\": {}, \"crc32\": {}}}", bytes.len(), crc32fast::hash(&bytes))
        });
        format!("{{\"format\": 2, \"step\": 9, \"files\": {{{more}{}}}}}", listed.join(", "))
    };
    let write = |more: &str| fs::write(folder.join("manifest.json"), manifest(more)).unwrap();
    write("");
    let checkpoint = latest(run.path()).unwrap().unwrap();
    check(&checkpoint, 9);
    assert_eq!(checkpoint.trainer_state::<String>().unwrap(), "then");
    assert_eq!(checkpoint.saved_by(), None);

    // A manifest must not make us read elsewhere.
    fs::write(folder.join("../elsewhere"), "abc").unwrap();
    write("\"../elsewhere\": {\"bytes\": 3, \"crc32\": 891568578}, ");
    let message = Checkpoint::open(&folder).unwrap_err().to_string();
    assert!(message.ends_with("its manifest.json lists \"../elsewhere\", which is no file of the folder"), "{message}");
    write("");
    let mut bytes = fs::read(&state).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&state, bytes).unwrap();
    let message = Checkpoint::open(&folder).unwrap_err().to_string();
    assert!(message.ends_with("state.safetensors is not what was saved (its checksum differs)"), "{message}");
}

fn owner(pid: u32) -> Owner {
    Owner { pid, host: "node".to_owned(), ..Owner::this_process(SystemTime::UNIX_EPOCH) }
}

/// The second of two processes, woken after its run was taken over, which it does not know: the first would.
struct Woken;

impl Writers for Woken {
    fn rank(&self) -> usize {
        1
    }

    fn count(&self) -> usize {
        2
    }

    fn count_here(&self) -> usize {
        2
    }

    fn gather(&self, what: &str, bytes: Vec<u8>) -> Result<Vec<Vec<u8>>, SourceError> {
        if what == "beginning a checkpoint" { Ok(vec![bytes.clone(), bytes]) } else { Err("it has ended".into()) }
    }
}

#[test]
fn a_process_of_an_earlier_run_writes_to_none_of_the_files_of_the_next() {
    let run = tempfile::tempdir().unwrap();
    let earlier = Claim::take(run.path(), owner(1)).unwrap();
    let claim = Claim::take(run.path(), owner(2)).unwrap();
    together(run.path(), 2, |rank, checkpoints| {
        let meanwhile = |part: &TensorPart| {
            if rank == 1 {
                let stale = Checkpoints::open_among(run.path(), Arc::new(Woken)).unwrap();
                // The same step, the same file, and more in it.
                let all = shares().concat();
                let error = stale.with_claim(earlier.clone()).save(1, &(), &all, values(9)).unwrap_err().to_string();
                assert!(error.contains("taken over"), "{error}");
            }
            values(1)(part)
        };
        checkpoints.with_claim(claim.clone()).save(1, &(), &shares()[rank], meanwhile).unwrap();
    });
    check(&latest(run.path()).unwrap().unwrap(), 1);
    assert_eq!(names(run.path()), ["step-00000001"]);
}

/// On disks of their own: here the second process has, by chance, a folder where it is told to write.
#[test]
fn what_the_first_process_does_not_see_is_not_published() {
    let [run, elsewhere] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    fs::create_dir_all(elsewhere.path().join("checkpoints/.partial-step-00000001")).unwrap();
    let meeting = Arc::new(Meeting::default());
    let messages = std::thread::scope(|scope| {
        let save = |(rank, run): (usize, &Path)| {
            let member = Arc::new(Member { meeting: Arc::clone(&meeting), rank, count: 2 });
            let mut checkpoints = Checkpoints::open_among(run, member).unwrap();
            scope.spawn(move || checkpoints.save(1, &(), &shares()[rank], values(1)).unwrap_err().to_string())
        };
        [(0, run.path()), (1, elsewhere.path())].map(save).map(|thread| thread.join().unwrap())
    });
    let bytes = fs::read_dir(elsewhere.path().join("checkpoints/.partial-step-00000001")).unwrap();
    let bytes: Vec<u64> = bytes.map(|entry| entry.unwrap().metadata().unwrap().len()).collect();
    let expected = format!(
        "is not complete: a process of this run has written {} bytes to state-00001-of-00002.safetensors, and it is not found here (No \
         such file or directory (os error 2)): give all processes one output_dir, on a file system that their machines share",
        bytes[0]
    );
    assert!(messages[0].ends_with(&expected), "{}", messages[0]);
    assert!(messages[1].starts_with("process 0 of this run failed publishing a checkpoint: "), "{}", messages[1]);
    assert_eq!(names(run.path()), [""; 0]);
}

#[test]
fn processes_that_see_another_folder_are_told() {
    let run = tempfile::tempdir().unwrap();
    let refused = |claim: &Claim| {
        let error = claim.await_in(run.path(), Duration::ZERO).unwrap_err().to_string();
        error.replace(&run.path().display().to_string(), "RUN")
    };
    let elsewhere = tempfile::tempdir().unwrap();
    let claim = Claim::take(elsewhere.path(), owner(1)).unwrap();
    let begun = "the run in RUN was begun by process 1 on node, since 1970-01-01T00:00:00Z, and here";
    let advice = "give all processes one output_dir, on a file system that their machines share";
    assert_eq!(refused(&claim), format!("{begun} none is found there: {advice}"));
    Claim::take(run.path(), owner(7)).unwrap();
    let other = "that of process 7 on node, since 1970-01-01T00:00:00Z";
    assert_eq!(refused(&claim), format!("{begun} {other} is found there: {advice}"));

    // Networks show late what is written.
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| claim.await_in(run.path(), Duration::from_secs(60)));
        std::thread::sleep(Duration::from_millis(50));
        fs::copy(Claim::file(elsewhere.path()), Claim::file(run.path())).unwrap();
        waiting.join().unwrap().unwrap();
    });
}

/// What was in it is unknown, and so is whether its process still runs.
#[test]
fn a_damaged_claim_is_replaced_by_one_that_nobody_had() {
    for damage in ["", "{\"epoch\": 3, \"own", "\0\0\0\0"] {
        let run = tempfile::tempdir().unwrap();
        let earlier = Claim::take(run.path(), owner(1)).unwrap();
        fs::write(Claim::file(run.path()), damage).unwrap();
        let message = earlier.check(run.path()).unwrap_err().to_string();
        let start = format!("{}/.epoch.json, which says what process writes to the run, ", run.path().display());
        assert!(message.starts_with(&start) && message.ends_with("resume the run, which makes it anew"), "{message}");

        let started = "2026-01-01T00:00:00Z".to_owned();
        let claim = Claim::take(run.path(), Owner { started, ..owner(1) }).unwrap();
        assert_eq!(claim.epoch, 1_767_225_601, "of a number that is told apart in names of files");
        claim.check(run.path()).unwrap();
        assert!(matches!(earlier.check(run.path()), Err(Error::TakenOver { .. })));
        assert_eq!(Claim::take(run.path(), owner(2)).unwrap().epoch, claim.epoch + 1);
    }
}

/// Suspended, or on a file system that lost its lock: the process that comes back finds another in its place.
#[test]
fn a_run_that_was_taken_over_is_not_written_to() {
    let run = tempfile::tempdir().unwrap();
    let open = |pid| {
        let claim = Claim::take(run.path(), owner(pid)).unwrap();
        Checkpoints::open(run.path()).unwrap().with_claim(claim)
    };
    let wholes = shares().concat();
    let mut first = open(1);
    first.save(1, &"first", &wholes, values(1)).unwrap();
    let mut second = open(2);
    second.save(1, &"second", &wholes, values(2)).unwrap();

    let mut refused = vec![first.check_claim().unwrap_err()];
    refused.push(first.save(2, &"first", &wholes, values(1)).unwrap_err());
    refused.push(first.remove(1).unwrap_err());
    refused.push(first.set_diverged_aside(1).unwrap_err());
    second.save(3, &"second", &wholes, values(2)).unwrap();
    refused.push(first.retain(NonZeroUsize::MIN, None, &[]).unwrap_err());
    for error in refused {
        let message = error.to_string().replace(&run.path().display().to_string(), "RUN");
        assert_eq!(
            message,
            "the run in RUN was taken over by process 2 on node, since 1970-01-01T00:00:00Z (its epoch 2, this one is 1): nothing of it is \
             changed from here; end that run first, or choose another output_dir"
        );
    }
    assert_eq!(names(run.path()), ["step-00000001", "step-00000003"]);
    let newest = latest(run.path()).unwrap().unwrap();
    assert_eq!(newest.trainer_state::<String>().unwrap(), "second");
    let saved_by = newest.saved_by().unwrap();
    assert_eq!((saved_by.epoch, saved_by.owner.pid), (2, 2));

    // Where the folder was cleared there is nobody to make room for.
    fs::remove_dir_all(run.path()).unwrap();
    second.save(4, &"second", &wholes, values(4)).unwrap();
    check(&latest(run.path()).unwrap().unwrap(), 4);

    // And where another began in it meanwhile, epochs count from 1 again: they say nothing.
    fs::remove_dir_all(run.path()).unwrap();
    fs::create_dir(run.path()).unwrap();
    Claim::take(run.path(), owner(3)).unwrap();
    let message = second.check_claim().unwrap_err().to_string().replace(&run.path().display().to_string(), "RUN");
    assert_eq!(
        message,
        "the run in RUN was taken over by process 3 on node, since 1970-01-01T00:00:00Z, which began it anew in the folder when that had been \
         cleared: nothing of it is changed from here; end that run first, or choose another output_dir"
    );
}
