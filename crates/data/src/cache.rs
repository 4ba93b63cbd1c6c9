//! Tokenised data sets on disk, found by the content of everything that they depend on.

use std::io::{self, Read, Write};
use std::path::Path;

use file_cache::{FileCache, PartialFile};
use sha2::{Digest, Sha256};

use crate::build::Builder;
use crate::dataset::Dataset;
use crate::error::{Error, Result};
use crate::input;
use crate::pack::Packing;
use crate::stats::Stats;

/// First bytes of a file; the number changes with the layout of the file or the way samples are encoded.
const MAGIC: &[u8; 16] = b"finery-tokens-9\n";

/// What samples of the fixtures hash to, which is another where they are encoded in another way.
#[cfg(test)]
const ENCODED: &str = "a21f07beec9d3d85";

/// The data sets in a cache of Finery's, which other things share.
pub fn cached_datasets(cache: &Path) -> FileCache {
    // The tokens of 8 billion words or so. A data set is held in memory, so one alone is rarely larger.
    const LIMIT_BYTES: u64 = 32 << 30;
    FileCache::new(cache.join("datasets"), LIMIT_BYTES)
}

/// The name of the file of a data set. Reads all source files to hash them.
///
/// Weights are no part of it: they decide how often samples are taken, and not what they are.
pub(crate) fn file_name(builder: &Builder<'_>) -> Result<String> {
    let Builder { options, tokenizer, .. } = builder;
    let mut key = Sha256::new();
    key.update(MAGIC);
    key.update(tokenizer.digest());
    for (name, template) in tokenizer.templates() {
        update(&mut key, name);
        update(&mut key, template.source());
        if template.reads_clock() {
            update(&mut key, &template.clock().date());
        }
    }
    let limit =
        (options.packing != Packing::Concatenate).then_some((options.sequence_len, options.excess_length_strategy));
    update(&mut key, &format!("{limit:?} {} {}", options.train_on_inputs, options.skip_bad));
    for (source, parts) in options.sources.iter().zip(&builder.parts) {
        update(&mut key, &format!("{:?} {:?} {}", source.form, source.fields, parts.len()));
        for (part, files) in parts {
            // Its files stand for its name.
            update(&mut key, &format!("{:?} {}", part.edges(), files.len()));
            for file in files {
                key.update(hash_file(file, builder)?);
            }
        }
    }
    let hex: String = key.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("{hex}.tokens"))
}

/// With its length, so that two strings never hash like two others.
fn update(key: &mut Sha256, text: &str) {
    key.update((text.len() as u64).to_le_bytes());
    key.update(text);
}

fn hash_file(path: &Path, builder: &Builder<'_>) -> Result<[u8; 32]> {
    let mut file = input::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        builder.unless_stopped()?;
        match file.read(&mut buffer) {
            Ok(0) => return Ok(hash.finalize().into()),
            Ok(read) => hash.update(&buffer[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Error::io("read", path)(error)),
        }
    }
}

/// A cached data set, or `None` where there is none or it is damaged: then it is built again.
pub(crate) fn read(cache: &FileCache, name: &str, vocab_size: usize) -> Option<Dataset> {
    let bytes = cache.load(name).unwrap_or_else(|error| {
        tracing::warn!(
            "the cached data set {} cannot be read and is built again: {error}",
            cache.dir().join(name).display()
        );
        None
    });
    let dataset = parse(&bytes?, vocab_size);
    if dataset.is_none() {
        tracing::warn!("the cached data set {} is damaged and is built again", cache.dir().join(name).display());
    }
    dataset
}

fn parse(bytes: &[u8], vocab_size: usize) -> Option<Dataset> {
    let (content, sum) = bytes.split_last_chunk()?;
    let mut rest = content.strip_prefix(MAGIC)?;
    // CRC-32 finds damage, not forgery, and costs less than the disk does.
    if crc32fast::hash(content) != u32::from_le_bytes(*sum) {
        return None;
    }
    let stats = take(&mut rest, 1)?;
    let stats: Stats = serde_json::from_slice(stats).ok()?;
    let offsets = take(&mut rest, size_of::<u64>())?;
    let offsets = offsets.as_chunks().0.iter().map(|&bytes| u64::from_le_bytes(bytes)).collect();
    let source_ends = take(&mut rest, size_of::<u64>())?;
    let source_ends = source_ends.as_chunks().0.iter().map(|&bytes| u64::from_le_bytes(bytes)).collect();
    let tokens = take(&mut rest, size_of::<u32>())?;
    let tokens = tokens.as_chunks().0.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect();
    if !rest.is_empty() {
        return None;
    }
    Dataset::from_parts(tokens, offsets, source_ends, stats, vocab_size)
}

/// Takes a count of items and the items, `size` bytes each, off the front of `rest`.
fn take<'a>(rest: &mut &'a [u8], size: usize) -> Option<&'a [u8]> {
    let (count, after) = rest.split_first_chunk()?;
    let count = usize::try_from(u64::from_le_bytes(*count)).ok()?;
    let (items, after) = after.split_at_checked(count.checked_mul(size)?)?;
    *rest = after;
    Some(items)
}

/// Keeps a data set, with a CRC-32 of the file behind it.
pub(crate) fn write(cache: &FileCache, name: &str, dataset: &Dataset) -> Result<()> {
    let write = |out: &mut PartialFile| {
        let mut sum = crc32fast::Hasher::new();
        let mut put = |bytes: &[u8]| {
            sum.update(bytes);
            out.write_all(bytes)
        };
        let (tokens, offsets, source_ends, stats) = dataset.parts();
        put(MAGIC)?;
        put_items(&serde_json::to_vec(stats)?, |byte| [byte], &mut put)?;
        put_items(offsets, u64::to_le_bytes, &mut put)?;
        put_items(source_ends, u64::to_le_bytes, &mut put)?;
        put_items(tokens, u32::to_le_bytes, &mut put)?;
        out.write_all(&sum.finalize().to_le_bytes())
    };
    cache.store(name, write).map_err(Error::io("write", &cache.dir().join(name)))
}

/// Puts a count of items and the items, as [`take`] takes them.
fn put_items<T: Copy, const BYTES: usize>(
    items: &[T],
    to_bytes: impl Fn(T) -> [u8; BYTES],
    put: &mut impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    put(&(items.len() as u64).to_le_bytes())?;
    // In pieces, because a sum over a few bytes at a time is slow.
    items.chunks(1 << 14).try_for_each(|some| put(&some.iter().flat_map(|&item| to_bytes(item)).collect::<Vec<u8>>()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;

    use serde_json::{Map, Value, json};

    use super::*;
    use crate::encode::encode_and_compare;
    use crate::fields::Fields;
    use crate::long_text::Encoder;
    use crate::record::{Form, Piece, Record};
    use crate::template::Clock;
    use crate::tokenizer::Tokenizer;

    const CHAT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/chat");

    fn tokenizer(template: &str, special_tokens: &Value, clock: i64) -> Tokenizer {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).expect("a file is written");
        fs::copy(Path::new(CHAT).join("tokenizer.json"), dir.path().join("tokenizer.json")).expect("a file is copied");
        write("tokenizer_config.json", &special_tokens.to_string());
        write("chat_template.jinja", template);
        Tokenizer::from_dir_at(dir.path(), Clock::At(clock)).expect("the tokenizer loads")
    }

    /// Takes in what becomes of a record: ids, mask and whether generation would be given something else, or that it is refused.
    fn take_in(key: &mut Sha256, tokenizer: &Tokenizer, record: &Record) {
        for on_inputs in [false, true] {
            let checked = record.check_roles(tokenizer, &Fields::default());
            let encoded = encode_and_compare(Encoder::uninterrupted(tokenizer), record, on_inputs);
            match checked.ok().and(encoded.ok()) {
                Some((sample, mismatch)) => {
                    let message = mismatch.map(|mismatch| mismatch.message);
                    update(key, &format!("{:?} {:?} {message:?}", sample.tokens, sample.targets));
                }
                None => update(key, "refused"),
            }
        }
    }

    /// Each conversation, what its messages may say of themselves, and its beginnings and ends.
    fn conversations(fixture: &Value) -> Vec<(Vec<Value>, Vec<Option<bool>>)> {
        let of_fixture: BTreeMap<String, Vec<Value>> =
            serde_json::from_value(fixture["conversations"].clone()).expect("lists of messages");
        let mut all = Vec::new();
        for messages in of_fixture.into_values() {
            let count = messages.len();
            // One that an answer may begin, and roles that not all templates know.
            all.push((messages[1.min(count - 1)..].to_vec(), vec![None; count - 1.min(count - 1)]));
            let mut renamed = messages.clone();
            renamed[count - 1]["role"] = "model".into();
            all.push((renamed, vec![None; count]));
            all.push((messages.clone(), vec![None; count]));
            all.push((messages, (0..count).map(|message| [Some(true), Some(false), None][message % 3]).collect()));
        }
        all
    }

    #[test]
    fn the_number_changes_with_the_way_samples_are_encoded() {
        let cases = fs::read_to_string(Path::new(CHAT).join("cases.json")).expect("the fixture is there");
        let fixture: Value = serde_json::from_str(&cases).expect("it is JSON");
        let clock = fixture["clock"].as_i64().expect("a time");
        let of_fixture = fixture["templates"].as_array().expect("a list").iter();
        let mut templates: Vec<(&str, Value)> = of_fixture
            .map(|template| (template["template"].as_str().expect("a text"), template["special_tokens"].clone()))
            .collect();
        let turns = |role: &str, closing: &str| {
            format!(
                "{{% for message in messages %}}{{{{ '<|im_start|>' + {role} + '\\n' + message['content'] + '<|im_end|>\\n' }}}}{{% endfor %}}\
                 {{% if add_generation_prompt %}}{{{{ '<|im_start|>assistant\\n' }}}}{{% else %}}{closing}{{% endif %}}"
            )
        };
        // As Phi-3's, which closes the whole text with a token of its own, and as Gemma's, which has a role of its own.
        let closed = turns("message['role']", "<|endoftext|>");
        let renamed = turns("('model' if message['role'] == 'assistant' else message['role'])", "");
        let end = json!({"eos_token": "<|endoftext|>"});
        templates.extend([(closed.as_str(), end.clone()), (renamed.as_str(), end)]);
        let tools = fixture.pointer("/templates").and_then(Value::as_array).into_iter().flatten();
        let tools = tools.flat_map(|template| template["cases"].as_array().into_iter().flatten());
        let tools = tools.filter_map(|case| case.get("tools")).find(|tools| !tools.is_null()).cloned();
        assert!(tools.is_some(), "some case has tools");

        let mut key = Sha256::new();
        for (template, special_tokens) in templates {
            let tokenizer = tokenizer(template, &special_tokens, clock);
            for (messages, train) in conversations(&fixture) {
                for tools in [None, tools.clone()] {
                    let (messages, train) = (messages.clone(), train.clone());
                    take_in(&mut key, &tokenizer, &Record::Chat { messages, tools, train, given: 0 });
                }
            }
            let piece = |text: &str, train| Piece { text: text.to_owned(), train };
            let line = |line: Value| line.as_object().cloned().unwrap_or_else(Map::new);
            let instruction = line(json!({"instruction": "Say it.", "input": "it", "output": "It."}));
            for record in [
                Record::Text("The weather, in Z\u{fc}rich".to_owned()),
                Record::Completion { prompt: "red or blue? ".to_owned(), completion: "red".to_owned() },
                Record::Pieces(vec![piece("the weather? ", false), piece("red", true), piece(" or", false)]),
                Record::parse(Form::Alpaca, &instruction).expect("a record"),
            ] {
                take_in(&mut key, &tokenizer, &record);
            }
        }
        let hex: String = key.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, ENCODED, "encoding changed: raise the number in cache.rs, and write this hash there");
    }
}
