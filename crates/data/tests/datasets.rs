//! From files to batches: forms, masks, packing, order, cache, and every kind of bad input.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use data::{
    Batch, DataLoader, Dataset, DatasetOptions, Error, ExcessLength, Form, LoaderOptions, Marks, Packing, Place,
    Result, Tokenizer, ValSetSize, mark_targets, show_row,
};
use tempfile::TempDir;

/// A folder with a small tokenizer whose template marks the assistant's text.
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
    fs::write(&path, content).unwrap();
    path
}

fn load(path: &Path, tokenizer: &Tokenizer, change: impl FnOnce(&mut DatasetOptions)) -> Result<Dataset> {
    let mut options = DatasetOptions::new([path.to_path_buf()], 64);
    change(&mut options);
    Dataset::load(&options, tokenizer, None, &AtomicBool::new(false), |_| {})
}

/// The first sample of a file, decoded, with targets marked.
fn shown(line: &str, change: impl FnOnce(&mut DatasetOptions)) -> String {
    let (dir, tokenizer) = folder();
    let path = write(&dir, "data.jsonl", line);
    let dataset = load(&path, &tokenizer, change).unwrap();
    let sample = dataset.sample(0);
    mark_targets(&tokenizer, &sample.tokens, &sample.targets, Marks::Plain).unwrap()
}

#[test]
fn each_form_counts_the_tokens_that_it_should() {
    let chat = "<|im_start|>user\nthe cat?<|im_end|>\n<|im_start|>assistant\n{+on the mat 🐈<|im_end|>+}\n";
    let cases = [
        (r#"{"text": "the cat"}"#, "{+the cat<|im_end|>+}"),
        (r#"{"prompt": "the cat", "completion": " sat"}"#, "the cat{+ sat<|im_end|>+}"),
        // What generation is given ends in a space, so that no token can span the border.
        (r#"{"prompt": "the cat ", "completion": "sat"}"#, "the cat {+sat<|im_end|>+}"),
        (
            r#"{"messages": [{"role": "user", "content": "the cat?"}, {"role": "assistant", "content": "on the mat 🐈"}]}"#,
            chat,
        ),
        (
            r#"{"conversations": [{"from": "human", "value": "the cat?"}, {"from": "gpt", "value": "on the mat 🐈"}]}"#,
            chat,
        ),
    ];
    for (line, expected) in cases {
        assert_eq!(shown(line, |_| {}), expected, "{line}");
    }
    let alpaca =
        shown(r#"{"instruction": "sit", "input": "cat", "output": "sat"}"#, |options| options.sequence_len = 512);
    assert!(alpaca.starts_with("Below is an instruction") && alpaca.contains("### Input:\ncat\n\n"), "{alpaca}");
    assert!(alpaca.ends_with("### Response:\n{+sat<|im_end|>+}"), "{alpaca}");
    let inputs_too = shown(r#"{"prompt": "the ", "completion": "cat"}"#, |options| options.train_on_inputs = true);
    assert_eq!(inputs_too, "{+the cat<|im_end|>+}");
}

#[test]
fn compressed_files_equal_plain_ones() {
    let (dir, tokenizer) = folder();
    let lines = "{\"text\": \"the cat\"}\r\n\n{\"text\": \"the dog\"}";
    let plain = load(&write(&dir, "a.jsonl", format!("\u{FEFF}{lines}")), &tokenizer, |_| {}).unwrap();
    assert_eq!(plain.len(), 2);

    // Two gzip members, and two Zstandard frames with a skippable one between them, as concatenated files have.
    let mut gzip = Vec::new();
    let mut zstandard = Vec::new();
    for (index, half) in [&lines[..10], &lines[10..]].into_iter().enumerate() {
        let mut encoder = flate2::write::GzEncoder::new(&mut gzip, flate2::Compression::default());
        encoder.write_all(half.as_bytes()).unwrap();
        encoder.finish().unwrap();
        if index == 1 {
            zstandard.extend([0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3]);
        }
        let level = ruzstd::encoding::CompressionLevel::Fastest;
        zstandard.extend(ruzstd::encoding::compress_to_vec(half.as_bytes(), level));
    }
    for (name, bytes) in [("a.jsonl.gz", &gzip), ("a.jsonl.zst", &zstandard)] {
        assert_eq!(load(&write(&dir, name, bytes), &tokenizer, |_| {}).unwrap(), plain, "{name}");
        let truncated = &bytes[..bytes.len() - 6];
        let error = load(&write(&dir, name, truncated), &tokenizer, |_| {}).unwrap_err().to_string();
        assert!(error.starts_with("cannot decompress ") && error.contains(name) && !error.contains("Error"), "{error}");
    }
}

/// What loading a file says, without the folder.
fn refusal(content: impl AsRef<[u8]>, change: impl FnOnce(&mut DatasetOptions)) -> String {
    let (dir, tokenizer) = folder();
    let path = write(&dir, "bad.jsonl", content);
    let error = load(&path, &tokenizer, change).unwrap_err();
    error.to_string().replace(&format!("{}/", dir.path().display()), "")
}

const GOOD: &str = "{\"text\": \"the cat\"}\n";

#[test]
fn invalid_utf8_names_file_line_and_byte() {
    let content = [GOOD.as_bytes(), b"\n{\"text\": \"\xff\"}\n"].concat();
    assert_eq!(refusal(content, |_| {}), "bad.jsonl, line 3: invalid UTF-8 at byte 11 of the line; correct the line");
}

#[test]
fn malformed_json_names_file_line_and_column() {
    let message = refusal(format!("{GOOD}{{\"text\": \"the\n"), |_| {});
    assert_eq!(message, "bad.jsonl, line 2: malformed JSON at column 13: EOF while parsing a string; correct the line");
    assert!(
        refusal(format!("{GOOD}[1]\n"), |_| {}).starts_with("bad.jsonl, line 2: the line is JSON, but not an object")
    );
    let nested = "[".repeat(100_000);
    assert!(refusal(format!("{GOOD}{nested}\n"), |_| {}).contains("recursion limit"));
}

#[test]
fn a_missing_key_names_file_line_and_key() {
    let message = refusal(format!("{GOOD}{{\"txt\": 1}}\n"), |_| {});
    assert!(message.starts_with("bad.jsonl, line 2: the key \"text\" is missing"), "{message}");
    let message = refusal(GOOD, |options| options.sources[0].form = Some(Form::Alpaca));
    assert!(message.starts_with("bad.jsonl, line 1: the key \"instruction\" is missing"), "{message}");
}

#[test]
fn skip_bad_counts_and_skips() {
    let (dir, tokenizer) = folder();
    let content = [b"not json\n", GOOD.as_bytes(), b"{\"text\": \"\xff\"}\n{\"text\": 1}\n", GOOD.as_bytes()].concat();
    let dataset = load(&write(&dir, "bad.jsonl", content), &tokenizer, |options| options.skip_bad = true).unwrap();
    assert_eq!((dataset.len(), dataset.stats().skipped, dataset.stats().lines), (2, 3, 5));

    // The first record has no use for a key that is named, and so is not what the records are.
    let content = "{\"text\": \"the cat\"}\n{\"instruction\": \"the\", \"answer\": \"cat\"}\n";
    let path = write(&dir, "mixed.jsonl", content);
    let named = |skip_bad| {
        load(&path, &tokenizer, |options| {
            (options.skip_bad, options.sequence_len) = (skip_bad, 256);
            options.sources[0].fields.output = Some("answer".to_owned());
        })
    };
    let refused = named(false).unwrap_err().to_string();
    assert!(refused.contains("mixed.jsonl, line 1: ") && refused.contains("`field_output`"), "{refused}");
    let dataset = named(true).unwrap();
    assert_eq!((dataset.len(), dataset.stats().skipped), (1, 1));
}

#[test]
fn an_unknown_form_shows_its_keys() {
    let message = refusal("{\"prompt\": \"a\", \"chosen\": \"b\"}\n", |_| {});
    assert!(
        message.starts_with("bad.jsonl, line 1: cannot tell the form of the data from the keys \"prompt\", \"chosen\"")
    );
}

#[test]
fn a_key_that_is_null_is_said_to_be() {
    let message = refusal("{\"text\": null}\n", |_| {});
    let start = "bad.jsonl, line 1: cannot tell the form of the data from the keys \"text\" (which is null, as if it were not there): ";
    assert!(message.starts_with(start), "{message}");
}

/// The answers would be laid out, and not be learned.
#[test]
fn a_role_that_nobody_knows_is_refused() {
    let turn = |role: &str| format!("{{\"role\": \"{role}\", \"content\": \"the cat\"}}");
    let chat = |question: &str, answer: &str| format!("{{\"messages\": [{}, {}]}}\n", turn(question), turn(answer));
    let unknown = [chat("user", "assistant"), chat("User", "assistant")].concat();
    let message = refusal(&unknown, |_| {});
    let start =
        "bad.jsonl, line 2: a message has the role \"User\", which the chat template does not name: expected system, ";
    assert!(message.starts_with(start), "{message}");

    let (dir, tokenizer) = folder();
    let path = write(&dir, "roles.jsonl", &unknown);
    let named = load(&path, &tokenizer, |options| {
        options.sources[0].fields.roles = [("user".to_owned(), vec!["User".to_owned()])].into();
    });
    assert_eq!(named.unwrap().len(), 2);
    let without = load(&path, &tokenizer, |options| options.skip_bad = true).unwrap();
    assert_eq!((without.len(), without.stats().skipped), (1, 1));
}

#[test]
fn a_template_that_refuses_names_the_line() {
    let (dir, mut tokenizer) = folder();
    tokenizer.set_chat_template("default", "{{ raise_exception('no system role') }}").unwrap();
    let path = write(&dir, "bad.jsonl", "{\"messages\": [{\"role\": \"system\", \"content\": \"a\"}]}\n");
    let error = load(&path, &tokenizer, |_| {}).unwrap_err();
    assert!(
        matches!(error, Error::Refused { place: Place { line: 1, item: None }, .. })
            && error.to_string().contains("no system role"),
        "{error}"
    );
}

#[test]
fn a_sample_without_target_is_refused_and_shown() {
    let chat = "{\"messages\": [{\"role\": \"user\", \"content\": \"the cat?\"}]}\n";
    assert_eq!(
        refusal(chat, |_| {}),
        "bad.jsonl, line 1: no token of this sample would count for the loss, because no message has the role \
         assistant; correct it, or set skip_bad to leave such samples out; the sample, with targets marked as {+…+}:\n<|im_start|>user\nthe cat?<|im_end|>\n"
    );
    let cases = [
        ("{\"text\": \"\"}\n", GOOD, "it has fewer than two tokens"),
        (
            "{\"prompt\": \"the cat sat on the mat and\", \"completion\": \"sat\"}\n",
            "{\"prompt\": \"the\", \"completion\": \" cat\"}\n",
            "its targets lie beyond sequence_len, where it was cut off",
        ),
    ];
    for (line, good, because) in cases {
        let cut = |options: &mut DatasetOptions| {
            options.sequence_len = 4;
            options.excess_length_strategy = ExcessLength::Truncate;
        };
        let message = refusal(line, cut);
        assert!(
            message.starts_with("bad.jsonl, line 1: no token of this sample") && message.contains(because),
            "{message}"
        );

        let (dir, tokenizer) = folder();
        let path = write(&dir, "data.jsonl", [line, good].concat());
        let skip = |options: &mut DatasetOptions| {
            cut(options);
            options.skip_bad = true;
        };
        let dataset = load(&path, &tokenizer, skip).unwrap();
        let stats = dataset.stats();
        assert_eq!((stats.lines, stats.samples, stats.without_target, stats.truncated), (2, 1, 1, 0), "{line}");
        let message = refusal(line, skip);
        let expected = "there is no sample in bad.jsonl (1 sample teaches nothing): check the files";
        assert!(message.starts_with(expected), "{message}");
    }
}

#[test]
fn a_conversation_whose_turns_cannot_be_told_apart_is_refused() {
    let (dir, mut tokenizer) = folder();
    // Renders differently once a message is added, as templates do that strip the reasoning of earlier turns.
    let template = "{{ messages | length }}{% for m in messages %}{{ m.content }}{% endfor %}";
    tokenizer.set_chat_template("default", template).unwrap();
    let line =
        "{\"messages\": [{\"role\": \"user\", \"content\": \"a\"}, {\"role\": \"assistant\", \"content\": \"b\"}]}\n";
    let path = write(&dir, "chat.jsonl", format!("\n{line}"));
    let error = load(&path, &tokenizer, |_| {}).unwrap_err();
    let start = format!("{}, line 2: the assistant's part of messages[1] cannot be told apart, ", path.display());
    assert!(error.to_string().starts_with(&start), "{error}");
    load(&path, &tokenizer, |options| options.train_on_inputs = true).unwrap();
}

#[test]
fn samples_longer_than_the_limit_follow_the_strategy() {
    let long = format!("{{\"text\": \"{}\"}}\n", "the cat ".repeat(50));
    let content = format!("{GOOD}{long}");
    let (dir, tokenizer) = folder();
    let path = write(&dir, "long.jsonl", &content);
    let with = |strategy| load(&path, &tokenizer, |options| options.excess_length_strategy = strategy);
    let dropped = with(ExcessLength::Drop).unwrap();
    assert_eq!((dropped.len(), dropped.stats().dropped), (1, 1));
    let truncated = with(ExcessLength::Truncate).unwrap();
    assert_eq!((truncated.len(), truncated.stats().truncated, truncated.sample_len(1)), (2, 1, 64));
    let error = with(ExcessLength::Raise).unwrap_err();
    let Error::TooLong { place: Place { line: 2, item: None }, tokens, limit: 64, .. } = error else {
        panic!("{error}")
    };
    assert_eq!(dropped.stats().longest, tokens as u64);
    let whole = load(&path, &tokenizer, |options| options.packing = Packing::Concatenate).unwrap();
    assert_eq!((whole.len(), whole.sample_len(1)), (2, tokens));

    let message = refusal(&long, |_| {});
    assert_eq!(
        message,
        "there is no sample in bad.jsonl (1 sample is longer than sequence_len): check the files, or raise sequence_len"
    );
}

#[test]
fn a_missing_file_and_an_empty_one_are_refused() {
    let (dir, tokenizer) = folder();
    let error = load(&dir.path().join("none.jsonl"), &tokenizer, |_| {}).unwrap_err().to_string();
    assert!(error.starts_with("cannot read ") && error.contains("none.jsonl"), "{error}");
    assert!(refusal("\n\n", |_| {}).starts_with("there is no sample in bad.jsonl"));
}

#[test]
fn a_tokenizer_larger_than_the_model_is_refused() {
    let (_dir, tokenizer) = folder();
    let size = tokenizer.vocab_size();
    tokenizer.check_vocab(size).unwrap();
    tokenizer.check_vocab(size + 64).unwrap();
    let message = tokenizer.check_vocab(size - 1).unwrap_err().to_string();
    let expected = format!("highest token id is {}, but the model's vocab_size is {}: ", size - 1, size - 1);
    assert!(message.contains(&expected), "{message}");
}

#[test]
fn broken_tokenizer_folders_are_refused() {
    let (dir, _) = folder();
    let model = dir.path().join("model");
    let refused = |name: &str, content: &str, expected: &str| {
        let kept = fs::read(model.join(name)).unwrap();
        fs::write(model.join(name), content).unwrap();
        let message = Tokenizer::from_dir(&model).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
        fs::write(model.join(name), kept).unwrap();
    };
    refused("tokenizer.json", "{}", "cannot load the tokenizer from ");
    refused("tokenizer_config.json", "[", "it is not JSON");
    refused(
        "tokenizer_config.json",
        r#"{"eos_token": "</end>"}"#,
        "eos_token is \"</end>\", which tokenizer.json does not",
    );
    refused("chat_template.jinja", "{% for %}", "the chat template does not parse");
    fs::remove_file(model.join("tokenizer.json")).unwrap();
    assert!(Tokenizer::from_dir(&model).unwrap_err().to_string().starts_with("cannot read "));
}

/// A data set of `samples` texts of different lengths, and a loader over it.
fn loader(samples: usize, rows: usize, packing: Packing) -> (Arc<Dataset>, DataLoader, Tokenizer) {
    let (dir, tokenizer) = folder();
    let lines: String = (0..samples)
        .map(|index| {
            let prompt = "the cat ".repeat(index % 7);
            format!("{{\"prompt\": \"{}\", \"completion\": \" sat {index}\"}}\n", prompt.trim_end())
        })
        .collect();
    let path = write(&dir, "data.jsonl", lines);
    let dataset = Arc::new(load(&path, &tokenizer, |options| options.packing = packing).unwrap());
    let all = (0..dataset.len() as u32).collect();
    let options = LoaderOptions { rows, sequence_len: 64, packing, seed: 5, pad_id: tokenizer.pad_id() };
    let loader = DataLoader::new(Arc::clone(&dataset), all, options).unwrap();
    (dataset, loader, tokenizer)
}

/// The documents of a batch: (tokens, targets of the loss), checked against the rules of the arrays on the way.
fn documents(batch: &Batch) -> Vec<(Vec<u32>, Vec<bool>)> {
    let mut documents = Vec::new();
    for row in 0..batch.rows {
        let mut start = row * batch.sequence_len;
        let end = start + batch.sequence_len;
        let mut expected_segment = 1;
        while start < end && batch.segment_ids[start] != 0 {
            assert_eq!(batch.segment_ids[start], expected_segment);
            let len = (start..end).take_while(|&cell| batch.segment_ids[cell] == expected_segment).count();
            let mut targets = vec![false; len];
            for offset in 0..len {
                let cell = start + offset;
                assert_eq!(batch.positions[cell], offset as i32);
                if offset + 1 < len {
                    assert_eq!(batch.targets[cell], batch.tokens[cell + 1]);
                    targets[offset + 1] = batch.loss_mask[cell] == 1.0;
                }
            }
            let tokens = batch.tokens[start..start + len].iter().map(|&token| token as u32).collect();
            documents.push((tokens, targets));
            start += len;
            expected_segment += 1;
        }
        for cell in start..end {
            assert_eq!((batch.segment_ids[cell], batch.positions[cell], batch.targets[cell]), (0, 0, 0), "padding");
            assert_eq!(batch.loss_mask[cell], 0.0, "padding has no loss");
        }
    }
    documents
}

#[test]
fn packed_rows_hold_whole_documents_with_their_own_positions_and_masks() {
    for packing in [Packing::Off, Packing::FirstFit] {
        let (dataset, loader, _) = loader(50, 4, packing);
        let mut found = Vec::new();
        let mut most = 0;
        for index in 0..loader.steps_per_epoch() {
            let batch = loader.eval_batch(index);
            assert!(batch.target_tokens() > 0);
            most = batch.segment_ids.iter().copied().fold(most, i32::max);
            found.extend(documents(&batch));
        }
        assert_eq!(loader.documents_per_row_max(), most as usize);
        let mut expected: Vec<_> = (0..dataset.len())
            .map(|index| dataset.sample(index))
            .map(|sample| (sample.tokens, std::iter::once(false).chain(sample.targets[1..].iter().copied()).collect()))
            .collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
        if packing == Packing::FirstFit {
            assert!(loader.padding() < 0.1, "padding {}", loader.padding());
        }
    }
}

#[test]
fn concatenated_rows_predict_every_token_once() {
    let (dataset, loader, _) = loader(50, 4, Packing::Concatenate);
    let batches: Vec<Batch> = (0..loader.steps_per_epoch()).map(|index| loader.eval_batch(index)).collect();
    let targets: u64 = batches.iter().map(|batch| batch.target_tokens() as u64).sum();
    assert_eq!(targets, dataset.stats().target_tokens);
    let tokens: usize = batches.iter().map(|batch| batch.segment_ids.iter().filter(|&&id| id != 0).count()).sum();
    assert_eq!(tokens as u64, dataset.stats().tokens);
    for batch in &batches {
        for cell in 1..batch.tokens.len() {
            let restarts = cell % 64 == 0 || batch.segment_ids[cell] != batch.segment_ids[cell - 1];
            let expected = if restarts || batch.segment_ids[cell] == 0 { 0 } else { batch.positions[cell - 1] + 1 };
            assert_eq!(batch.positions[cell], expected);
        }
    }
}

/// The tokens of each row of a batch.
fn token_rows(batch: &Batch) -> Vec<Vec<i32>> {
    batch.tokens.chunks(batch.sequence_len).map(<[_]>::to_vec).collect()
}

#[test]
fn rows_are_random_access_and_a_pass_visits_each_once() {
    let (_, loader, _) = loader(61, 3, Packing::Off);
    assert_eq!(loader.rows_per_epoch(), 61);
    let visits: Vec<Vec<i32>> = (0..61).flat_map(|step| token_rows(&loader.batch(3 * step..3 * step + 3))).collect();
    let mut epochs: Vec<Vec<Vec<i32>>> = visits.chunks(61).map(<[_]>::to_vec).collect();
    assert_ne!(epochs[0], epochs[1], "each epoch has its own order");
    epochs.iter_mut().for_each(|epoch| epoch.sort_unstable());
    assert_eq!(epochs[0].iter().collect::<std::collections::BTreeSet<_>>().len(), 61);
    assert!(epochs[0] == epochs[1] && epochs[1] == epochs[2]);

    let late = 1_000_000_007;
    assert_eq!(loader.batch(late..late + 3), loader.batch(late..late + 3));
    assert_eq!(loader.epoch(122), 2.0);
}

#[test]
fn the_order_of_rows_does_not_depend_on_the_size_of_a_batch() {
    for packing in [Packing::Off, Packing::FirstFit, Packing::Concatenate] {
        let rows = |size: usize| -> Vec<Vec<i32>> {
            let (_, loader, _) = loader(50, size, packing);
            let size = size as u64;
            (0..24 / size).flat_map(|step| token_rows(&loader.batch(step * size..(step + 1) * size))).collect()
        };
        assert_eq!(rows(1), rows(4));
        assert_eq!(rows(1), rows(6));
    }
}

#[test]
fn a_batch_that_ends_early_is_filled_with_padding() {
    let (_, loader, tokenizer) = loader(61, 4, Packing::FirstFit);
    let (whole, part) = (loader.batch(8..12), loader.batch(8..9));
    assert_eq!(part.rows, 4);
    assert_eq!(token_rows(&part)[0], token_rows(&whole)[0]);
    assert_eq!(part.loss_mask[..64], whole.loss_mask[..64]);
    assert!(part.tokens[64..].iter().all(|&token| token == tokenizer.pad_id() as i32));
    assert!(part.segment_ids[64..].iter().all(|&segment| segment == 0));
    assert!(part.loss_mask[64..].iter().all(|&weight| weight == 0.0));
    assert!(loader.batch(5..5).segment_ids.iter().all(|&segment| segment == 0));
}

#[test]
fn the_split_is_a_function_of_seed_and_index() {
    let (dataset, _, _) = loader(100, 1, Packing::Off);
    let (train, validation) = dataset.split(Some(ValSetSize::Fraction(0.1)), 3).unwrap();
    assert_eq!((train.len(), validation.len()), (90, 10));
    assert_eq!(dataset.split(Some(ValSetSize::Count(10)), 3).unwrap().1, validation);
    assert_ne!(dataset.split(Some(ValSetSize::Count(10)), 4).unwrap().1, validation);
    assert!(validation.iter().all(|index| !train.contains(index)));
    let error = dataset.split(Some(ValSetSize::Count(100)), 3).unwrap_err().to_string();
    assert!(error.contains("val_set_size keeps 100 samples"), "{error}");
    assert_eq!(ValSetSize::from_number(0.0).unwrap(), None);
    assert_eq!(ValSetSize::from_number(0.05).unwrap(), Some(ValSetSize::Fraction(0.05)));
    assert_eq!(ValSetSize::from_number(200.0).unwrap(), Some(ValSetSize::Count(200)));
    for bad in [-1.0, 1.5, f64::NAN] {
        ValSetSize::from_number(bad).unwrap_err();
    }
}

#[test]
fn the_cache_is_found_by_content_and_survives_damage() {
    let (dir, tokenizer) = folder();
    let path = write(&dir, "data.jsonl", GOOD);
    let cache = dir.path().join("cache");
    let build = |options: &DatasetOptions| {
        let mut built = false;
        let dataset =
            Dataset::load(options, &tokenizer, Some(&cache), &AtomicBool::new(false), |_| built = true).unwrap();
        (dataset, built)
    };
    let options = DatasetOptions::new([path.clone()], 64);
    let (first, built) = build(&options);
    assert!(built);
    let copied = write(&dir, "copy.jsonl", GOOD);
    assert_eq!(build(&DatasetOptions::new([copied], 64)), (first.clone(), false));
    assert!(build(&DatasetOptions { train_on_inputs: true, ..options.clone() }).1);
    let kept: Vec<PathBuf> = fs::read_dir(cache.join("datasets")).unwrap().map(|entry| entry.unwrap().path()).collect();
    let whole: Vec<Vec<u8>> = kept.iter().map(|path| fs::read(path).unwrap()).collect();
    let damage = |change: &dyn Fn(&mut Vec<u8>)| {
        for (path, whole) in kept.iter().zip(&whole) {
            let mut bytes = whole.clone();
            change(&mut bytes);
            fs::write(path, bytes).unwrap();
        }
    };
    damage(&|bytes| bytes.truncate(bytes.len() - 1));
    assert_eq!(build(&options), (first.clone(), true));
    // One bit, in whatever it is: a token that is another one looks like any other.
    for at in 0..whole.iter().map(Vec::len).min().unwrap() {
        damage(&|bytes| bytes[at] ^= 1);
        assert_eq!(build(&options), (first.clone(), true), "byte {at}");
    }
    fs::write(&path, GOOD.repeat(2)).unwrap();
    assert_eq!(build(&options).0.len(), 2);
}

/// 1.2 MB of text as one document must take about as long per byte as 120 KB: quadratic work would take ten times.
#[test]
fn tokenising_is_not_quadratic_in_the_length_of_a_document() {
    let (dir, tokenizer) = folder();
    let seconds = |words: usize| {
        let content = format!("{{\"prompt\": \"{}\", \"completion\": \"sat\"}}\n", "the cat sat ".repeat(words));
        let path = write(&dir, "long.jsonl", content);
        let start = Instant::now();
        load(&path, &tokenizer, |options| options.packing = Packing::Concatenate).unwrap();
        start.elapsed().as_secs_f64()
    };
    // Other work on the machine makes some of them longer.
    let [short, long] = [10_000, 100_000].map(|words| (0..3).map(|_| seconds(words)).min_by(f64::total_cmp).unwrap());
    assert!(long < 50.0 * short, "120 KB took {short} s, 1.2 MB took {long} s");
}

#[test]
fn rows_are_shown_with_documents_positions_and_targets() {
    let (_, loader, tokenizer) = loader(3, 1, Packing::FirstFit);
    let shown = show_row(&tokenizer, &loader.eval_batch(0), 0, Marks::Plain).unwrap();
    assert!(shown.contains("document 1: ") && shown.contains("document 3: "), "{shown}");
    assert!(shown.contains("{+ sat 1<|im_end|>+}") && shown.contains("tokens of padding"), "{shown}");
    let ansi = show_row(&tokenizer, &loader.eval_batch(0), 0, Marks::Ansi).unwrap();
    assert!(ansi.contains("\x1b[1;32m sat 1<|im_end|>\x1b[0m"), "{ansi:?}");
}

/// A terminal acts on them: it would clear the screen, write over the marks, turn what follows around.
#[test]
fn characters_that_act_on_a_terminal_are_shown_escaped() {
    let (_, tokenizer) = folder();
    let shown = |text: &str, target: bool| {
        let tokens = tokenizer.encode(text, false).unwrap();
        mark_targets(&tokenizer, &tokens, &vec![target; tokens.len()], Marks::Plain).unwrap()
    };
    let text = "a\u{1b}[31mR\u{7} \r\nx\u{202e}y\t\u{0}z\u{9b}2J\u{e9}";
    let escaped = "a\\u{1b}[31mR\\u{7} \\r\nx\\u{202e}y\t\\u{0}z\\u{9b}2J\u{e9}";
    assert_eq!(shown(text, false), escaped);
    assert_eq!(shown(text, true), format!("{{+{escaped}+}}"));
}
