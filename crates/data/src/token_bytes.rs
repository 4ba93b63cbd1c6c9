//! The bytes that one token stands for, whatever stands beside it.

use tokenizers::decoders::DecoderWrapper;
use tokenizers::{Decoder, tokenizer};

use crate::error::{Error, Result};

/// What a decoder makes of a token behind another one.
///
/// Byte-level tokenizers write each byte as a character of its own (GPT-2's table); SentencePiece's, as Hugging Face converts them, write a
/// space as `▁` and a byte that no token holds as `<0x0A>`. A decoder's rules for a text's beginning (`Strip`, a prefix's space) say nothing of
/// a token within it.
pub(crate) fn token_bytes(decoder: Option<&DecoderWrapper>, token: String) -> Result<Vec<u8>> {
    let steps = match decoder {
        Some(DecoderWrapper::Sequence(sequence)) => sequence.get_decoders(),
        Some(decoder) => std::slice::from_ref(decoder),
        None => &[],
    };
    let mut text = token;
    for step in steps {
        match step {
            DecoderWrapper::ByteLevel(_) => return Ok(byte_level(&text)),
            DecoderWrapper::ByteFallback(_) => {
                if let Some(byte) = fallback_byte(&text) {
                    return Ok(vec![byte]);
                }
            }
            DecoderWrapper::Replace(_) | DecoderWrapper::Metaspace(_) => text = behind_another(step, text)?,
            DecoderWrapper::Fuse(_) | DecoderWrapper::Strip(_) => {}
            DecoderWrapper::Sequence(_)
            | DecoderWrapper::BPE(_)
            | DecoderWrapper::WordPiece(_)
            | DecoderWrapper::CTC(_) => {
                let reason =
                    "its decoder does not give each token bytes of its own; byte-level BPE and SentencePiece's do";
                return Err(Error::Tokenize { action: "list the tokens' bytes of", reason: reason.to_owned() });
            }
        }
    }
    Ok(text.into_bytes())
}

/// What a decoder that treats a text's first token apart makes of a later one.
fn behind_another(step: &DecoderWrapper, text: String) -> Result<String> {
    let decode = |error: tokenizer::Error| Error::Tokenize { action: "decode", reason: error.to_string() };
    let mut both = step.decode_chain(vec!["a".to_owned(), text]).map_err(decode)?;
    Ok(both.pop().unwrap_or_default())
}

/// A token with a character that stands for no byte is an added one, which is its text.
fn byte_level(token: &str) -> Vec<u8> {
    let bytes: Option<Vec<u8>> = token.chars().map(byte_of).collect();
    bytes.unwrap_or_else(|| token.as_bytes().to_vec())
}

/// The byte that a character stands for: bytes that print stand for themselves, all others are numbered from U+0100 on, in order.
fn byte_of(character: char) -> Option<u8> {
    const NOT_PRINTED: [(u32, u32); 3] = [(0x00, 0x20), (0x7F, 0xA0), (0xAD, 0xAD)];
    let code = u32::from(character);
    let prints = |byte: &u32| !NOT_PRINTED.iter().any(|(first, last)| (first..=last).contains(&byte));
    if code < 0x100 {
        return u8::try_from(code).ok().filter(|byte| prints(&u32::from(*byte)));
    }
    let mut number = code - 0x100;
    for (first, last) in NOT_PRINTED {
        let count = last - first + 1;
        if number < count {
            return u8::try_from(first + number).ok();
        }
        number -= count;
    }
    None
}

/// `<0x0A>`
fn fallback_byte(token: &str) -> Option<u8> {
    let digits = token.strip_prefix("<0x")?.strip_suffix('>').filter(|digits| digits.len() == 2)?;
    u8::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::byte_of;
    use crate::test_tokenizers;

    /// GPT-2's table has each byte once.
    #[test]
    fn each_byte_has_a_character() {
        let mut bytes: Vec<u8> = (0..0x200).filter_map(char::from_u32).filter_map(byte_of).collect();
        bytes.sort_unstable();
        assert_eq!(bytes, (0..=255).collect::<Vec<u8>>());
        assert_eq!(
            (byte_of('Ġ'), byte_of('Ċ'), byte_of('Ń'), byte_of('ń')),
            (Some(b' '), Some(b'\n'), Some(0xAD), None)
        );
    }

    /// A text's tokens stand for its bytes, those that are only part of a character too.
    #[test]
    fn tokens_make_up_their_text() {
        for (name, tokenizer) in test_tokenizers::all() {
            for text in ["the cat sat", "né à Noël 猫が座った。", "  two\nlines\t🐈\u{0}"] {
                let ids = tokenizer.encode(text, false).expect("a text is encoded");
                let bytes = ids.iter().flat_map(|&id| tokenizer.token_bytes(id).expect("bytes").expect("a token"));
                let bytes: Vec<u8> = bytes.collect();
                // SentencePiece's put a space before a text.
                let bytes = bytes
                    .strip_prefix(b" ")
                    .filter(|_| !text.starts_with(' ') && name != "byte level")
                    .unwrap_or(&bytes);
                let bytes = if name == "byte level" || !text.starts_with(' ') {
                    bytes
                } else {
                    &bytes[bytes.len() - text.len()..]
                };
                assert_eq!(String::from_utf8_lossy(bytes), text, "{name}");
            }
            assert_eq!(tokenizer.token_bytes(1 << 20).expect("no error"), None, "{name}");
        }
    }
}
