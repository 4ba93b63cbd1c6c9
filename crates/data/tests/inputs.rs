//! Files of all kinds: arrays, compression by content, byte order marks, what is no JSON, folders, splits, weights, limits.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use data::{Dataset, DatasetOptions, Error, Fields, JsonLines, Packing, Source, Split, Tokenizer};
use tempfile::TempDir;

fn folder() -> (TempDir, Tokenizer) {
    let dir = tempfile::tempdir().unwrap();
    let text = dir.path().join("corpus.txt");
    fs::write(&text, "the cat sat on the mat and the dog sat on the log\n".repeat(20)).unwrap();
    let model = dir.path().join("model");
    data::train_bpe(&[text], 300, &model).unwrap();
    let tokenizer = Tokenizer::from_dir(&model).unwrap();
    (dir, tokenizer)
}

fn write(dir: &TempDir, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = dir.path().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, content).unwrap();
    path
}

fn load_source(source: Source, tokenizer: &Tokenizer, skip_bad: bool) -> data::Result<Dataset> {
    let options = DatasetOptions { sources: vec![source], skip_bad, ..DatasetOptions::new([], 256) };
    Dataset::load(&options, tokenizer, None, &AtomicBool::new(false), |_| {})
}

/// The texts of a file's samples.
fn texts(source: Source, tokenizer: &Tokenizer) -> Vec<String> {
    let dataset = load_source(source, tokenizer, false).unwrap();
    (0..dataset.len()).map(|index| tokenizer.decode(&dataset.sample(index).tokens, true).unwrap()).collect()
}

/// What loading a file says, without the folder.
fn refusal(name: &str, content: impl AsRef<[u8]>, skip_bad: bool) -> String {
    let (dir, tokenizer) = folder();
    let path = write(&dir, name, content);
    let error = load_source(Source::new(path), &tokenizer, skip_bad).unwrap_err();
    error.to_string().replace(&format!("{}/", dir.path().display()), "")
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn an_array_equals_its_items_in_lines() {
    let (dir, tokenizer) = folder();
    let items =
        [r#"{"text": "a, ]} \"[{"}"#, r#"{"text": "the cat", "more": [1, {"x": []}]}"#, "{\n \"text\":\n \"\u{e9}\"}"];
    let expected = ["a, ]} \"[{", "the cat", "é"];
    for (name, content) in [
        ("a.json", format!("[{}]", items.join(","))),
        ("b.json", format!("\u{FEFF}\n [\n{}\n]\n\n", items.join(" ,\n"))),
        ("c.jsonl", format!("  [ {} ] ", items.join("\n, "))),
    ] {
        assert_eq!(texts(Source::new(write(&dir, name, &content)), &tokenizer), expected, "{content}");
        assert_eq!(
            texts(Source::new(write(&dir, "d.gz", gzip(content.as_bytes()))), &tokenizer),
            expected,
            "{content}"
        );
        let lines: Vec<u64> = JsonLines::open(dir.path().join(name)).unwrap().map(|item| item.unwrap().0).collect();
        assert_eq!(lines.len(), 3);
    }
    let empty = load_source(Source::new(write(&dir, "e.json", "[ ]")), &tokenizer, false).unwrap_err().to_string();
    assert!(empty.starts_with("there is no sample in "), "{empty}");
}

#[test]
fn what_is_wrong_with_an_array_is_told_by_item_and_line() {
    let good = r#"{"text": "the cat"}"#;
    let cases = [
        (
            format!("[{good},\n{{\"text\": 1}}]"),
            "bad.json, item 2 (line 2): the key \"text\" must be a string, not a number",
        ),
        (
            format!("[{good},\n\n{{\"text\":\n x}}]"),
            "bad.json, item 2 (line 3): malformed JSON at line 4, column 2: expected",
        ),
        (
            format!("[{good}, {{\"text\": \"a\", \"b\": {{}}, \"text\": \"a\"}}]"),
            "bad.json, item 2 (line 1): the key \"text\" is there twice",
        ),
        (
            format!(
                "[{good}, {{\"messages\": [{{\"role\": \"user\", \"role\": \"assistant\", \"content\": \"x\"}}]}}]"
            ),
            "bad.json, item 2 (line 1): the key \"role\" is there twice; correct",
        ),
        (
            format!("[{good},\n{{\"text\": \"a\",\n \"b\": [[{{\"c at line 3\": 1, \"c at line 3\": 1}}]]}}]"),
            "bad.json, item 2 (line 2): the key \"c at line 3\" is there twice; correct",
        ),
        (format!("[{good}, 3]"), "bad.json, item 2 (line 1): it is JSON, but not an object"),
        (format!("[{good},]"), "bad.json, item 2 (line 1): a comma stands here without an item: there is one too many"),
        (
            format!("[{good},\n, {good}]"),
            "bad.json, item 2 (line 2): a comma stands here without an item: there is one too many",
        ),
        (format!("[{good} {good}]"), "bad.json, item 1 (line 1): malformed JSON at column 21: trailing characters"),
    ];
    for (content, expected) in cases {
        let message = refusal("bad.json", &content, false);
        assert!(message.starts_with(expected), "{content}: {message}");
        assert!(message.ends_with("; correct the item"), "{message}");
    }
    for skip_bad in [false, true] {
        let cut = refusal("bad.json", format!("[{good},\n{good}"), skip_bad);
        assert_eq!(cut, "bad.json, item 2 (line 2): the array does not end: the file is cut off");
        let cut = refusal("bad.json", format!("[{good}, {{\"text\": \"a"), skip_bad);
        assert_eq!(cut, "bad.json, item 2 (line 1): the array does not end: the file is cut off");
        let more = refusal("bad.json", format!("[{good}]\n{good}"), skip_bad);
        assert_eq!(more, "bad.json, item 1 (line 2): there is more behind the end of the array");
    }
    // Those behind a bad one are read.
    let (dir, tokenizer) = folder();
    let path = write(&dir, "some.json", format!("[{{\"text\": }}, {good}, 3, {good}]"));
    let dataset = load_source(Source::new(path), &tokenizer, true).unwrap();
    assert_eq!((dataset.stats().skipped, dataset.len()), (2, 2));
}

#[test]
fn reading_ends_with_what_divides_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = write(&dir, "cut.json", "[{\"a\": 1}, {\"a\"");
    let items: Vec<bool> = JsonLines::open(path).unwrap().map(|item| item.is_ok()).collect();
    assert_eq!(items, [true, false]);
}

#[test]
fn compression_is_told_from_the_content() {
    let (dir, tokenizer) = folder();
    let plain = "{\"text\": \"the cat\"}\n";
    let zstandard = ruzstd::encoding::compress_to_vec(plain.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    for (name, content) in [
        ("a.jsonl", gzip(plain.as_bytes())),
        ("b.gz", zstandard.clone()),
        ("c.jsonl.zst", gzip(plain.as_bytes())),
        ("d.jsonl.gz", plain.as_bytes().to_vec()),
        ("e", zstandard),
        ("f.gz", gzip(&[b"\xEF\xBB\xBF", plain.as_bytes()].concat())),
    ] {
        assert_eq!(texts(Source::new(write(&dir, name, content)), &tokenizer), ["the cat"], "{name}");
    }
}

/// As tapes are filled, beyond a reader's buffer.
#[test]
fn zeros_behind_a_gzip_file_are_its_end() {
    let (dir, tokenizer) = folder();
    let line = "{\"text\": \"the cat\"}\n";
    for zeros in [1, 512, 1 << 20] {
        let padded = [gzip(line.as_bytes()), gzip(line.as_bytes()), vec![0; zeros]].concat();
        let path = write(&dir, "padded.gz", padded);
        assert_eq!(texts(Source::new(path), &tokenizer), ["the cat", "the cat"], "{zeros} zeros");
    }
    let more = [gzip(line.as_bytes()), vec![0; 512], gzip(line.as_bytes())].concat();
    let expected = "cannot decompress more.gz: something stands behind the zeros at its end";
    assert_eq!(refusal("more.gz", more, false), expected);
    let cut = gzip(line.as_bytes());
    assert!(refusal("cut.gz", &cut[..cut.len() - 4], false).starts_with("cannot decompress cut.gz: "));
}

/// A frame of one block as it is, with a window of so much: RFC 8878, sections 3.1.1.1.2 and 3.1.1.2.
fn frame(window: u8, content: &[u8]) -> Vec<u8> {
    let block = u32::try_from(content.len()).unwrap() << 3 | 1;
    [&[0x28, 0xB5, 0x2F, 0xFD, 0, window], &block.to_le_bytes()[..3], content].concat()
}

#[test]
fn windows_of_zstandard_files_have_a_limit() {
    let (dir, tokenizer) = folder();
    let line = "{\"text\": \"the cat\"}\n";
    let [small, most, above, huge] =
        [10 << 3, 17 << 3, 17 << 3 | 1, 31 << 3].map(|window| frame(window, line.as_bytes()));
    for frames in [[&most, &most], [&small, &most]] {
        let path = write(&dir, "a.zst", frames.map(Vec::as_slice).concat());
        assert_eq!(texts(Source::new(path), &tokenizer), ["the cat", "the cat"]);
    }
    let refused = |found| {
        format!(
            "cannot decompress a.zst: a frame's window is {found} MiB, and 128 MiB is the most: compress it anew with a smaller one"
        )
    };
    // Of a frame without a window the content is one.
    let whole = [&[0x28, 0xB5, 0x2F, 0xFD, 0xE0][..], &(1_u64 << 40).to_le_bytes(), &[1, 0, 0]].concat();
    for (frames, found) in [
        (above.clone(), 144),
        (huge, 2 << 20),
        ([small.clone(), above].concat(), 144),
        ([&[0x50, 0x2A, 0x4D, 0x18, 1, 0, 0, 0, 9][..], &whole].concat(), 1 << 20),
    ] {
        assert_eq!(refusal("a.zst", frames, false), refused(found));
    }
    assert!(refusal("a.zst", &small[..5], false).contains("the file is cut off"));
}

#[test]
fn what_is_no_json_is_called_what_it_is() {
    let utf16 = |mark: &[u8], text: &str| -> Vec<u8> {
        mark.iter().copied().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect()
    };
    let line = "{\"text\": \"the cat\"}\n";
    let parquet = "a Parquet file: make JSON of it, one object to a line, with pandas.read_parquet(";
    let cases: [(&str, Vec<u8>, &str); 10] = [
        ("a.parquet", b"PAR1\x15\x04\x15".to_vec(), parquet),
        ("a.jsonl", b"PAR1\x15\x04\x15".to_vec(), parquet),
        ("a.gz", gzip(b"PAR1\x15\x04\x15"), parquet),
        ("a.csv", b"instruction,output\nsit,sat\n".to_vec(), "a CSV file: make JSON of it, "),
        ("a.jsonl", b"\"instruction\",\"output\"\n\"sit\",\"sat\"\n".to_vec(), "a CSV file: make JSON of it, "),
        (
            "a.tsv",
            b"text\tlabel\nthe cat\t1\n".to_vec(),
            "a TSV file: make JSON of it, one object to a line, with pandas.read_csv(…, sep=\"\\t\").",
        ),
        (
            "a.jsonl",
            utf16(b"\xFF\xFE", line),
            "text in UTF-16, but only UTF-8 is read: convert it with iconv -f UTF-16 ",
        ),
        ("a.jsonl", utf16(b"", line), "text in UTF-16, but only UTF-8 is read: convert it with iconv -f UTF-16 "),
        ("a.arrow", b"ARROW1\0\0".to_vec(), "an Arrow file: make JSON of it, "),
        ("a.jsonl", b"PK\x03\x04\x14".to_vec(), "a zip archive: "),
    ];
    for (name, content, expected) in cases {
        for skip_bad in [false, true] {
            let message = refusal(name, &content, skip_bad);
            assert!(message.starts_with(&format!("{name} is {expected}")), "{message}");
        }
    }
    let pretty = refusal("a.json", "{\n  \"text\": \"the cat\"\n}\n", false);
    assert!(
        pretty.starts_with("a.json, line 1: the line holds only the beginning of an object: write each"),
        "{pretty}"
    );
    let text = refusal("a.txt", "Once upon a time, there was a cat.\nIt sat.\n", false);
    let expected = "a.txt, line 1: the line begins \"Once upon a time, there \" and is no JSON object: data are objects, one to a \
                    line, and a text is one as {\"text\": \"…\"}; correct the line";
    assert_eq!(text, expected);
}

#[test]
fn a_tokenizer_is_trained_on_the_files_of_a_folder() {
    let (dir, _) = folder();
    fs::create_dir(dir.path().join("set")).unwrap();
    let train = write(&dir, "set/train.jsonl", "{\"text\": \"the cat sat\"}\n");
    write(&dir, "set/test.jsonl", "{\"text\": \"on the mat\"}\n");
    let text = write(&dir, "words.txt", "the cat\n");
    let found = data::files_of(&[text.clone(), dir.path().join("set")]).unwrap();
    assert_eq!(found, [text, train]);
    let empty = dir.path().join("empty");
    fs::create_dir(&empty).unwrap();
    let error = data::files_of(&[empty]).unwrap_err().to_string();
    assert!(
        error.ends_with("is a folder without a file of the split \"train\" (.jsonl, .json, .ndjson; .gz, .zst)"),
        "{error}"
    );
}

#[test]
fn a_record_has_a_greatest_length() {
    let (dir, tokenizer) = folder();
    let long = "a".repeat(131 << 20);
    let files = [
        ("long.jsonl", format!("{{\"text\": \"cat\"}}\n{{\"text\": \"{long}\"}}\r\n{{\"text\": \"dog\"}}\n"), "line 2"),
        (
            "long.json",
            format!("[{{\"text\": \"cat\"}},\n{{\"text\": \"{long}\"}},\n{{\"text\": \"dog\"}}]"),
            "item 2 (line 2)",
        ),
    ];
    for (name, content, place) in files {
        let path = write(&dir, name, content);
        let error = load_source(Source::new(&path), &tokenizer, false).unwrap_err().to_string();
        let expected = format!("{name}, {place}: the record is longer than 128 MiB, the most that one may be; correct");
        assert!(error.contains(&expected), "{error}");
        let dataset = load_source(Source::new(&path), &tokenizer, true).unwrap();
        assert_eq!((dataset.len(), dataset.stats().skipped), (2, 1), "{name}");
    }
    // A tokenizer learns from all of its text or from none.
    let corpus = write(&dir, "corpus.txt", format!("the cat sat\n{long}\n"));
    let output = dir.path().join("refused");
    let error = data::train_bpe(&[corpus], 300, &output).unwrap_err().to_string();
    let expected = "corpus.txt, line 2: the record is longer than 128 MiB, the most that one may be; correct the line";
    assert!(error.ends_with(expected) && !output.exists(), "{error}");
}

fn numbered(range: std::ops::Range<usize>) -> String {
    range.map(|index| format!("{{\"text\": \"cat {index}\"}}\n")).collect()
}

fn of_split(path: &Path, split: &str) -> Source {
    Source { split: Some(split.parse::<Split>().unwrap()), ..Source::new(path) }
}

#[test]
fn a_folder_has_the_splits_that_its_files_are_named_after() {
    let (dir, tokenizer) = folder();
    for (name, range) in [
        ("set/train-00001-of-00002.jsonl", 3..5),
        ("set/train-00000-of-00002.jsonl", 0..3),
        ("set/validation.json", 10..11),
        ("set/test/part.jsonl", 20..22),
        ("plain/a.jsonl", 0..1),
        ("plain/b.jsonl", 1..2),
        ("plain/test.jsonl", 30..31),
    ] {
        write(&dir, name, numbered(range));
    }
    write(&dir, "set/README.md", "text");
    write(&dir, "set/dataset_info.json", "{}");
    let numbers = |folder: &str, split: Option<&str>| -> Vec<String> {
        let path = dir.path().join(folder);
        let source = split.map_or_else(|| Source::new(&path), |split| of_split(&path, split));
        texts(source, &tokenizer).iter().map(|text| text["cat ".len()..].to_owned()).collect()
    };
    assert_eq!(numbers("set", None), ["0", "1", "2", "3", "4"]);
    assert_eq!(numbers("set", Some("train")), ["0", "1", "2", "3", "4"]);
    assert_eq!(numbers("set", Some("dev")), ["10"]);
    assert_eq!(numbers("set", Some("test")), ["20", "21"]);
    assert_eq!(numbers("set", Some("train[2:4]+test")), ["2", "3", "20", "21"]);
    assert_eq!(numbers("set", Some("train[:40%]")), ["0", "1"]);
    assert_eq!(numbers("set", Some("train[-1:]+train[:1]")), ["4", "0"]);
    assert_eq!(numbers("plain", None), ["0", "1"]);
    assert_eq!(numbers("plain/a.jsonl", Some("train")), ["0"]);
    assert_eq!(numbers("plain/test.jsonl", Some("test")), ["30"]);

    // What is read of a folder with files of the split `train` is not all that lies there.
    let unread = |folder: &str| Source::new(dir.path().join(folder)).unread().unwrap();
    assert_eq!(
        [unread("set"), unread("plain"), unread("plain/a.jsonl")],
        [const { Vec::<std::path::PathBuf>::new() }; 3]
    );
    write(&dir, "set/more.jsonl", numbered(40..41));
    assert_eq!(unread("set"), [dir.path().join("set/more.jsonl")]);
    assert_eq!(numbers("set", None), ["0", "1", "2", "3", "4"]);
    assert!(of_split(&dir.path().join("set"), "train").unread().unwrap().is_empty());

    let refused = |path: &str, split: &str| {
        load_source(of_split(&dir.path().join(path), split), &tokenizer, false).unwrap_err().to_string()
    };
    let message = refused("plain", "validation");
    assert!(
        message.ends_with(
            "plain is a folder without a file of the split \"validation\" (.jsonl, .json, .ndjson; .gz, .zst)"
        )
    );
    let message = refused("plain/a.jsonl", "test");
    assert!(message.ends_with("a.jsonl is one file, and so has no split \"test\", only train"), "{message}");
    write(&dir, "table/train.parquet", "PAR1");
    let message = load_source(Source::new(dir.path().join("table")), &tokenizer, false).unwrap_err().to_string();
    assert!(message.contains("train.parquet is a Parquet file: "), "{message}");
}

#[test]
fn weights_repeat_and_thin_out() {
    let (dir, tokenizer) = folder();
    let (first, second) = (write(&dir, "a.jsonl", numbered(0..10)), write(&dir, "b.jsonl", numbered(10..14)));
    let options = DatasetOptions::new([first, second], 64);
    let dataset = Dataset::load(&options, &tokenizer, None, &AtomicBool::new(false), |_| {}).unwrap();
    let all: Vec<u32> = (0..14).collect();
    assert_eq!(dataset.weighted(&all, &[1.0, 1.0], 7), all);
    let mixed = dataset.weighted(&all, &[0.3, 2.5], 7);
    let count = |range: std::ops::Range<u32>| mixed.iter().filter(|sample| range.contains(sample)).count();
    assert_eq!((count(0..10), count(10..14)), (3, 10));
    assert!((10..14).all(|sample| (2..=3).contains(&count(sample..sample + 1))));
    assert_eq!(dataset.weighted(&all, &[0.3, 2.5], 7), mixed);
    assert_ne!(dataset.weighted(&all, &[0.3, 2.5], 8), mixed);
    // Samples that are held out stay out.
    let without: Vec<u32> = all.iter().copied().filter(|sample| sample % 2 == 0).collect();
    assert!(dataset.weighted(&without, &[2.0, 1.5], 7).iter().all(|sample| sample % 2 == 0));
}

#[test]
fn keys_have_the_names_that_a_source_gives_them() {
    let (dir, tokenizer) = folder();
    let shown = |line: &str, fields: Fields| {
        let path = write(&dir, "data.jsonl", line);
        texts(Source { fields, ..Source::new(path) }, &tokenizer).remove(0)
    };
    let key = |name: &str| Some(name.to_owned());
    let chat = "<|im_start|>user\nthe cat?<|im_end|>\n<|im_start|>assistant\nno<|im_end|>\n";
    let plain = chat.replace("<|im_start|>", "").replace("<|im_end|>", "");
    let fields = Fields {
        messages: key("turns"),
        message: [("role", "who"), ("content", "says")].map(|(to, from)| (to.to_owned(), from.to_owned())).into(),
        roles: [("user", "Ann"), ("assistant", "Bob")]
            .map(|(role, name)| (role.to_owned(), vec![name.to_owned()]))
            .into(),
        ..Fields::default()
    };
    let line = r#"{"turns": [{"who": "Ann", "says": "the cat?"}, {"who": "Bob", "says": "no"}]}"#;
    assert_eq!(shown(line, fields), plain);
    let fields = Fields { text: key("body"), ..Fields::default() };
    assert_eq!(shown(r#"{"body": "the cat"}"#, fields), "the cat");
    let fields = Fields {
        instruction: key("question"),
        input: key("about"),
        output: key("answer"),
        system: key("sys"),
        ..Fields::default()
    };
    let line = r#"{"sys": "Be kind.", "question": "sit", "about": "the cat", "answer": "sat"}"#;
    let expected = "Be kind.\n\n### Instruction:\nsit\n\n### Input:\nthe cat\n\n### Response:\nsat";
    assert_eq!(shown(line, fields), expected);
}

#[test]
fn a_stop_ends_reading_at_once() {
    let (dir, tokenizer) = folder();
    // One long record, so that the end of a record does not end the work.
    let line = format!("{{\"text\": \"{}\"}}\n", "the cat sat on the mat ".repeat(1 << 20));
    let mut options = DatasetOptions::new([write(&dir, "long.jsonl", line)], 64);
    options.packing = Packing::Concatenate;
    let stop = AtomicBool::new(false);
    let (error, waited) = std::thread::scope(|scope| {
        let loading = scope.spawn(|| Dataset::load(&options, &tokenizer, None, &stop, |_| {}).unwrap_err());
        std::thread::sleep(Duration::from_millis(300));
        assert!(!loading.is_finished(), "24 MB take longer than this");
        stop.store(true, Ordering::Relaxed);
        let asked = Instant::now();
        (loading.join().unwrap(), asked.elapsed())
    });
    assert!(matches!(error, Error::Stopped), "{error}");
    assert!(waited < Duration::from_secs(10), "it went on for {waited:?}");
}
