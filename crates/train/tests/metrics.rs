//! Metrics files: round trip, resume, crashes, and a golden run that TensorBoard itself reads
//! (`scripts/check/tensorboard_reads.py`).

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use train::metrics::{
    EvalRecord, HardwareRecord, METRICS_FILE, MetricsRecord, MetricsWriter, ResumedAt, SaveRecord, StepRecord,
    read_metrics,
};

const START: f64 = 1_700_000_000.0;

fn step_record(step: u64) -> StepRecord {
    StepRecord {
        step,
        epoch: step as f64 / 8.0,
        tokens: step * 2048,
        loss: 8.0 / step as f64,
        learning_rate: 1e-4 * step as f64,
        grad_norm: 1.0 + 1.0 / step as f64,
        tokens_per_second: 4096.0,
        step_ms: 500.0,
        time: START + step as f64 * 0.5,
        ..StepRecord::default()
    }
}

fn eval_record(step: u64) -> EvalRecord {
    let eval_loss = 9.0 / step as f64;
    EvalRecord {
        step,
        tokens: step * 2048,
        eval_loss,
        eval_perplexity: eval_loss.exp(),
        time: START + step as f64 * 0.5,
    }
}

/// Logs steps `first..=last`, and an evaluation after each fourth.
fn log(writer: &mut MetricsWriter, first: u64, last: u64) {
    for step in first..=last {
        writer.log_step(&step_record(step)).unwrap();
        if step.is_multiple_of(4) {
            writer.log_eval(&eval_record(step)).unwrap();
        }
    }
}

fn at(step: u64) -> Option<ResumedAt> {
    Some(ResumedAt { step, evaluation_due: false, record_due: false })
}

fn expected(last: u64) -> Vec<MetricsRecord> {
    let with_eval = |step: u64| {
        let eval = step.is_multiple_of(4).then(|| MetricsRecord::Eval(eval_record(step)));
        [Some(MetricsRecord::Step(step_record(step))), eval]
    };
    (1..=last).flat_map(with_eval).flatten().collect()
}

fn event_files(run: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(run).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.file_name().unwrap().to_str().unwrap().starts_with("events.out.tfevents."));
    files.sort();
    files
}

#[test]
fn what_is_written_is_read_back() {
    let run = tempfile::tempdir().unwrap();
    log(&mut MetricsWriter::open(run.path(), None, START).unwrap(), 1, 9);
    assert_eq!(read_metrics(&run.path().join(METRICS_FILE)).unwrap(), expected(9));
}

/// Of a step, its evaluation or its record goes alone where that is to come again.
#[test]
fn what_comes_again_of_the_step_itself_is_dropped() {
    for (evaluation_due, record_due) in [(true, false), (false, true), (true, true)] {
        let run = tempfile::tempdir().unwrap();
        log(&mut MetricsWriter::open(run.path(), None, START).unwrap(), 1, 8);
        let due = Some(ResumedAt { step: 4, evaluation_due, record_due });
        MetricsWriter::open(run.path(), due, START + 100.0).unwrap();
        let kept = read_metrics(&run.path().join(METRICS_FILE)).unwrap();
        let mut expected = expected(4);
        expected.retain(|record| match record {
            MetricsRecord::Eval(_) => record.step() < 4 || !evaluation_due,
            _ => record.step() < 4 || !record_due,
        });
        assert_eq!(kept, expected);
        // Readers forget the step's events in the first file; the second tells what stays of it.
        let events = fs::read(event_files(run.path()).pop().unwrap()).unwrap();
        let tells = |tag: &[u8]| events.windows(tag.len()).any(|part| part == tag);
        assert_eq!((tells(b"train/loss"), tells(b"eval/loss")), (!record_due, !evaluation_due));
    }
}

#[test]
fn resume_leaves_each_step_once() {
    let run = tempfile::tempdir().unwrap();
    log(&mut MetricsWriter::open(run.path(), None, START).unwrap(), 1, 9);
    log(&mut MetricsWriter::open(run.path(), at(4), START + 100.0).unwrap(), 5, 10);
    assert_eq!(read_metrics(&run.path().join(METRICS_FILE)).unwrap(), expected(10));
    assert_eq!(event_files(run.path()).len(), 2);
    let names: Vec<_> = fs::read_dir(run.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 3, "a temporary file is left over: {names:?}");
}

#[test]
fn a_run_that_starts_anew_forgets_the_old_one() {
    let run = tempfile::tempdir().unwrap();
    log(&mut MetricsWriter::open(run.path(), None, START).unwrap(), 1, 9);
    log(&mut MetricsWriter::open(run.path(), None, START).unwrap(), 1, 2);
    assert_eq!(read_metrics(&run.path().join(METRICS_FILE)).unwrap(), expected(2));
}

#[test]
fn a_torn_last_line_is_passed_over_and_cut_on_resume() {
    let run = tempfile::tempdir().unwrap();
    let path = run.path().join(METRICS_FILE);
    log(&mut MetricsWriter::open(run.path(), None, START).unwrap(), 1, 5);
    let whole = fs::read(&path).unwrap();
    for torn_bytes in 2..60 {
        fs::write(&path, &whole[..whole.len() - torn_bytes]).unwrap();
        assert_eq!(read_metrics(&path).unwrap(), expected(4), "{torn_bytes} bytes short");
        log(&mut MetricsWriter::open(run.path(), at(5), START).unwrap(), 5, 6);
        assert_eq!(read_metrics(&path).unwrap(), expected(6), "{torn_bytes} bytes short");
    }
}

/// As a GPU's sensors are logged: what is not told is absent.
const GPU: &str = r#"{"step":4,"tokens":8192,"device":"gpu1","seconds":10.5,"samples":5,"memory_used_bytes_max":132000000000,"power_watts_mean":650.25,"throttled":0.2,"time":1700000002.0}"#;

#[test]
fn what_is_told_beside_steps_is_read_back_and_goes_with_its_step_on_resume() {
    let run = tempfile::tempdir().unwrap();
    let path = run.path().join(METRICS_FILE);
    let gpu: HardwareRecord = serde_json::from_str(GPU).unwrap();
    assert_eq!((gpu.device, gpu.temperature_celsius_max), (sensors::Device::Gpu(1), None));
    let mut writer = MetricsWriter::open(run.path(), None, START).unwrap();
    log(&mut writer, 1, 4);
    writer.log_hardware(&gpu).unwrap();
    writer.log_hardware(&HardwareRecord { step: 5, ..gpu }).unwrap();
    let save = SaveRecord {
        step: 3,
        tokens: 6144,
        save_bytes: 1 << 30,
        save_stall_seconds: 0.25,
        save_seconds: 2.0,
        save_bytes_per_second: (1 << 29) as f64,
        time: START,
    };
    writer.log_save(&save).unwrap();
    writer.log_save(&SaveRecord { step: 5, ..save }).unwrap();
    assert!(fs::read_to_string(&path).unwrap().lines().any(|line| line == GPU));
    drop(MetricsWriter::open(run.path(), at(4), START + 100.0).unwrap());
    let expected = [expected(4), vec![MetricsRecord::Hardware(gpu), MetricsRecord::Save(save)]].concat();
    assert_eq!(read_metrics(&path).unwrap(), expected);

    fs::write(&path, GPU.replace("gpu1", "tpu1") + "\n").unwrap();
    let error = read_metrics(&path).unwrap_err().to_string();
    assert!(error.contains(":1: not a metrics record: expected `host`, or `gpu` and a number"), "{error}");
}

/// A line that lost only its newline is complete; the next one must not be glued to it.
#[test]
fn a_lost_newline_is_restored_on_resume() {
    let run = tempfile::tempdir().unwrap();
    let path = run.path().join(METRICS_FILE);
    log(&mut MetricsWriter::open(run.path(), None, START).unwrap(), 1, 3);
    let whole = fs::read(&path).unwrap();
    fs::write(&path, whole.trim_ascii_end()).unwrap();
    log(&mut MetricsWriter::open(run.path(), at(3), START).unwrap(), 4, 5);
    assert_eq!(read_metrics(&path).unwrap(), expected(5));
}

#[test]
fn not_a_number_is_null_in_the_file() {
    let run = tempfile::tempdir().unwrap();
    let path = run.path().join(METRICS_FILE);
    let record = StepRecord { loss: f64::NAN, ..step_record(1) };
    MetricsWriter::open(run.path(), None, START).unwrap().log_step(&record).unwrap();
    assert!(fs::read_to_string(&path).unwrap().contains(r#""loss":null"#));
    assert!(
        matches!(read_metrics(&path).unwrap()[..], [MetricsRecord::Step(StepRecord { loss, .. })] if loss.is_nan())
    );
}

#[test]
fn malformed_lines_name_file_and_line() {
    let run = tempfile::tempdir().unwrap();
    let path = run.path().join(METRICS_FILE);
    let good = serde_json::to_string(&step_record(1)).unwrap();
    let cases = [
        ("nonsense\n".to_owned(), "1: not a metrics record: expected ident"),
        (format!("{good}\n\n[]\n{good}\n"), "3: not a metrics record: invalid type: sequence, expected a map"),
        (format!("{good}\n{{\"step\":2}}\n"), "2: not a metrics record: missing field `epoch`"),
        (format!("{good}\n{{\"eval_loss\":2}}\n"), "2: not a metrics record: missing field `step`"),
        (good.replace("\"step\":1", "\"step\":-1") + "\n", "1: not a metrics record: invalid value: integer `-1`"),
    ];
    for (text, expected) in cases {
        fs::write(&path, text).unwrap();
        for error in [read_metrics(&path).unwrap_err(), MetricsWriter::open(run.path(), at(1), START).unwrap_err()] {
            let message = error.to_string();
            assert!(message.starts_with(&format!("{}:{expected}", path.display())), "{message}");
        }
    }
}

#[test]
fn a_missing_folder_is_named() {
    let error = MetricsWriter::open(Path::new("/nonexistent/run"), None, START).unwrap_err().to_string();
    assert!(error.starts_with("cannot open /nonexistent/run/metrics.jsonl: "), "{error}");
}

/// Names carry host and process; the rest of a run folder is a function of what was logged.
/// `UPDATE_EXPECT=1` writes the golden run again; `scripts/check/tensorboard_reads.py` must then accept it.
#[test]
fn event_files_equal_the_golden_run() {
    let run = tempfile::tempdir().unwrap();
    log(&mut MetricsWriter::open(run.path(), None, START).unwrap(), 1, 9);
    log(&mut MetricsWriter::open(run.path(), at(4), START + 100.0).unwrap(), 5, 10);
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/metrics");
    let pairs = event_files(run.path())
        .into_iter()
        .zip(["events.out.tfevents.1700000000.host.1.0", "events.out.tfevents.1700000100.host.1.0"])
        .chain([(run.path().join(METRICS_FILE), METRICS_FILE)]);
    for (written, name) in pairs {
        let golden = golden.join(name);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::create_dir_all(golden.parent().unwrap()).unwrap();
            fs::copy(&written, &golden).unwrap();
        }
        assert!(fs::read(&written).unwrap() == fs::read(&golden).unwrap(), "{name} differs from the golden run");
    }
}

/// Notes the names of a struct's fields in place of reading them.
struct FieldNames<'a>(&'a mut Vec<&'static str>);

impl<'de> serde::Deserializer<'de> for FieldNames<'_> {
    type Error = serde::de::value::Error;

    fn deserialize_struct<V: serde::de::Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Self::Error> {
        self.0.extend(fields);
        Err(serde::de::Error::custom("names are all that is asked for"))
    }

    fn deserialize_any<V: serde::de::Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(serde::de::Error::custom("a record is a struct"))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct seq tuple
        tuple_struct map enum identifier ignored_any
    }
}

#[test]
fn the_document_has_each_key_of_each_record() {
    let document = include_str!("../../../docs/metrics.md");
    let mut names = Vec::new();
    StepRecord::deserialize(FieldNames(&mut names)).unwrap_err();
    EvalRecord::deserialize(FieldNames(&mut names)).unwrap_err();
    SaveRecord::deserialize(FieldNames(&mut names)).unwrap_err();
    HardwareRecord::deserialize(FieldNames(&mut names)).unwrap_err();
    assert!(names.len() > 40, "{names:?}");
    for name in names {
        assert!(document.contains(&format!("`{name}`")), "docs/metrics.md does not say what `{name}` is");
    }
}
