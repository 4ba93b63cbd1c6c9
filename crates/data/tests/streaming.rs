//! Text that comes token by token.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::time::{Duration, Instant};

use data::{StreamDecoder, Tokenizer};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

/// A byte-level tokenizer with these tokens, whose ids are their positions, and `</s>` behind them.
fn tokenizer(tokens: &[&[u8]]) -> (TempDir, Tokenizer) {
    let spelled = |token: &&[u8]| token.iter().map(|&byte| letter(byte)).collect::<String>();
    let mut vocab: Map<_, _> = tokens.iter().enumerate().map(|(id, token)| (spelled(token), json!(id))).collect();
    vocab.insert("</s>".into(), json!(tokens.len()));
    let special = json!({
        "id": tokens.len(), "content": "</s>", "special": true,
        "single_word": false, "lstrip": false, "rstrip": false, "normalized": false,
    });
    let level = json!({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true});
    let file = json!({
        "version": "1.0", "truncation": null, "padding": null, "normalizer": null, "post_processor": null,
        "added_tokens": [special], "pre_tokenizer": level, "decoder": level,
        "model": {"type": "BPE", "vocab": vocab, "merges": []},
    });
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("tokenizer.json"), file.to_string()).unwrap();
    let tokenizer = Tokenizer::from_dir(dir.path()).unwrap();
    (dir, tokenizer)
}

/// The letter by which byte-level tokenizers spell a byte (GPT-2's `bytes_to_unicode`).
fn letter(byte: u8) -> char {
    let printable = |byte: u8| matches!(byte, b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF);
    if printable(byte) {
        return char::from(byte);
    }
    let before = (0..byte).filter(|byte| !printable(*byte)).count();
    char::from_u32(256 + before as u32).unwrap()
}

/// What each id gives, and the end.
fn pieces(tokens: &[&[u8]], ids: &[u32]) -> Vec<String> {
    let (_dir, tokenizer) = tokenizer(tokens);
    let mut stream = tokenizer.stream(true);
    let mut pieces: Vec<String> = ids.iter().map(|&id| stream.push(id).unwrap()).collect();
    pieces.push(stream.finish().unwrap());
    pieces
}

const CAT: [&[u8]; 4] = [b"\xF0", b"\x9F", b"\x90", b"\x88"];

#[test]
fn a_character_comes_with_its_last_byte() {
    assert_eq!(pieces(&CAT, &[0, 1, 2, 3, 0, 1, 2, 3]), ["", "", "", "🐈", "", "", "", "🐈", ""]);
}

#[test]
fn a_character_is_not_held_back_by_the_next_ones_first_byte() {
    let tokens = [CAT[0], CAT[1], CAT[2], CAT[3], b"\x88\xF0", b"!"];
    assert_eq!(
        pieces(&tokens, &[0, 1, 2, 4, 1, 2, 4, 1, 2, 3, 5]),
        ["", "", "", "🐈", "", "", "🐈", "", "", "🐈", "!", ""]
    );
}

#[test]
fn bytes_that_make_no_character_come_as_replacements() {
    let tokens = [CAT[0], CAT[1], CAT[2], CAT[3], b"\xFF", b"a"];
    assert_eq!(pieces(&tokens, &[5, 0, 5]), ["a", "", "\u{FFFD}a", ""]);
    assert_eq!(pieces(&tokens, &[5, 0, 1]), ["a", "", "", "\u{FFFD}"]);
    let endless = pieces(&tokens, &[4; 9]);
    assert_eq!(endless.concat(), "\u{FFFD}".repeat(9));
    assert!(endless[..5].iter().any(|piece| !piece.is_empty()), "nothing comes of {endless:?}");
}

#[test]
fn no_character_is_lost_behind_bytes_that_make_none() {
    let tokens = [CAT[0], CAT[1], CAT[2], CAT[3], b"\xFF", b"a"];
    let text = pieces(&tokens, &[4, 0, 1, 2, 3, 5]).concat();
    assert!(text.ends_with("🐈a"), "{text}");
}

#[test]
fn special_tokens_are_skipped() {
    assert_eq!(pieces(&CAT, &[4, 0, 1, 4, 2, 3, 4]).concat(), "🐈");
}

/// What is held back behind bytes that were given up may begin a character, whatever comes to nothing between.
#[test]
fn ids_of_no_token_take_nothing_from_the_bytes_before_them() {
    let text = pieces(&CAT, &[999, 999, 999, 0, 1, 999, 999, 999, 2, 3]).concat();
    assert!(text.ends_with("🐈"), "{text}");
    let text = pieces(&CAT, &[0, 999, 999, 999, 1, 999, 999, 999, 2, 999, 999, 999, 999, 3]).concat();
    assert!(text.ends_with("🐈"), "{text}");
}

/// A model may have more outputs than its tokenizer has tokens. What such ids come to, nothing, is not to be found again with each.
#[test]
fn ids_of_no_token_cost_no_more_the_more_there_are() {
    let (_dir, tokenizer) = tokenizer(&CAT);
    let mut stream = tokenizer.stream(true);
    let mut pushed = |ids: &[u32]| ids.iter().map(|&id| stream.push(id).unwrap()).collect::<String>();
    assert_eq!(pushed(&[0, 1, 2, 3]), "🐈");
    let started = Instant::now();
    assert_eq!(pushed(&[999; 200_000]), "");
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    assert_eq!(pushed(&[0, 1, 2, 3]), "🐈");
    // The same within a character.
    assert_eq!(pushed(&[0, 999, 999, 999, 1]), "\u{FFFD}");
    let started = Instant::now();
    assert_eq!(pushed(&[999; 200_000]), "");
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    assert_eq!(pushed(&[2, 3]), "🐈");
}

/// A SentencePiece tokenizer as Hugging Face converts Llama 2's and Mistral's first: its ids are `<s>`, `</s>`, the bytes of a cat, then these tokens.
fn sentence_piece(decoder: &Value, tokens: &[&str]) -> (TempDir, Tokenizer) {
    let special = |id: u32, content: &str| {
        json!({"id": id, "content": content, "special": true, "single_word": false, "lstrip": false, "rstrip": false,
            "normalized": false})
    };
    let bytes = CAT.iter().map(|byte| format!("<0x{:02X}>", byte[0]));
    let all = ["<s>", "</s>"].into_iter().map(str::to_owned).chain(bytes).chain(tokens.iter().map(ToString::to_string));
    let vocab: Map<_, _> = all.enumerate().map(|(id, token)| (token, json!(id))).collect();
    let file = json!({
        "version": "1.0", "truncation": null, "padding": null, "normalizer": null, "post_processor": null,
        "added_tokens": [special(0, "<s>"), special(1, "</s>")], "pre_tokenizer": null, "decoder": decoder,
        "model": {"type": "BPE", "vocab": vocab, "merges": [], "byte_fallback": true},
    });
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("tokenizer.json"), file.to_string()).unwrap();
    let tokenizer = Tokenizer::from_dir(dir.path()).unwrap();
    (dir, tokenizer)
}

/// An answer's pieces, the end's among them.
fn behind(tokenizer: &Tokenizer, skips_special_tokens: bool, prompt: &[u32], ids: &[u32]) -> Vec<String> {
    let mut stream = StreamDecoder::behind(tokenizer, skips_special_tokens, prompt).unwrap();
    let mut pieces: Vec<String> = ids.iter().map(|&id| stream.push(id).unwrap()).collect();
    pieces.push(stream.finish().unwrap());
    pieces
}

/// What a tokenizer does at a text's beginning it does not at an answer's: else its text would not be what its tokens stand for.
#[test]
fn an_answer_goes_on_from_its_prompt() {
    let steps = [
        json!({"type": "Replace", "pattern": {"String": "▁"}, "content": " "}),
        json!({"type": "ByteFallback"}),
        json!({"type": "Fuse"}),
        json!({"type": "Strip", "content": " ", "start": 1, "stop": 0}),
    ];
    let strip = json!({"type": "Sequence", "decoders": steps});
    let metaspace = json!({"type": "Sequence", "decoders": [
        {"type": "ByteFallback"}, {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": false}]});
    let [bos, end, is, paris, space, now] = [0, 1, 6, 7, 8, 9];
    for decoder in [strip, metaspace] {
        let (_dir, tokenizer) = sentence_piece(&decoder, &["▁is", "▁Paris", "▁", "now"]);
        for (prompt, ids, expected) in [
            (&[bos, is][..], &[paris, now][..], &[" Paris", "now", ""][..]),
            (&[is], &[space, space, paris], &[" ", " ", " Paris", ""]),
            (&[space], &[paris], &[" Paris", ""]),
            // As behind a chat template's special tokens.
            (&[bos, is, end, bos], &[paris], &[" Paris", ""]),
            (&[bos, now], &[end, paris, end], &["", " Paris", "", ""]),
            // A text begins.
            (&[bos], &[paris, paris], &["Paris", " Paris", ""]),
            (&[], &[paris], &["Paris", ""]),
        ] {
            assert_eq!(behind(&tokenizer, true, prompt, ids), expected, "{prompt:?}, {decoder}");
            let bytes = ids.iter().filter(|id| !tokenizer.is_special(**id));
            let bytes = bytes.flat_map(|&id| tokenizer.token_bytes(id).unwrap().unwrap());
            let text = String::from_utf8(bytes.collect()).unwrap();
            let is_beginning = prompt.iter().all(|id| tokenizer.is_special(*id));
            assert_eq!(expected.concat(), text[usize::from(is_beginning)..], "what its tokens stand for");
        }
        assert_eq!(behind(&tokenizer, false, &[bos], &[paris, end]).concat(), " Paris</s>");
        // A cat whose last bytes the answer has, one before it, and one that nothing completes.
        assert_eq!(behind(&tokenizer, true, &[is, 2, 3], &[4, 5, paris]).concat(), "🐈 Paris");
        assert_eq!(behind(&tokenizer, true, &[is, 2, 3, 4, 5], &[2, 3, 4, 5]).concat(), "🐈");
        assert_eq!(behind(&tokenizer, true, &[is, 2, 3], &[paris]).concat(), " Paris");
        assert_eq!(behind(&tokenizer, true, &[3, 4], &[paris]).concat(), " Paris");
    }
}

#[test]
fn an_answer_has_nothing_of_its_prompts_characters() {
    let tokens = [CAT[0], CAT[1], CAT[2], CAT[3], b"a"];
    let (_dir, tokenizer) = tokenizer(&tokens);
    for (prompt, ids, expected) in [
        (&[4, 0, 1, 2, 3][..], &[4, 0, 1, 2, 3][..], "a🐈"),
        (&[4, 0, 1], &[2, 3, 4], "🐈a"),
        (&[4, 0, 1], &[4], "a"),
        (&[4, 4], &[0, 1], "\u{FFFD}"),
        (&[2, 3], &[0, 1, 2, 3], "🐈"),
    ] {
        assert_eq!(behind(&tokenizer, true, prompt, ids).concat(), expected, "{prompt:?}, {ids:?}");
    }
}
