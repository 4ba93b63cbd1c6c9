//! The file of keys: what is kept of them is a salted hash each.
//!
//! Keys are long and random, so that one SHA-256 with a salt is enough: nobody can try them all, and a slow hash would slow each request.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyFile {
    keys: Vec<KeyEntry>,
}

/// A key as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeyEntry {
    /// Who has it; the log shows it.
    pub(crate) name: String,
    /// Hexadecimal; before the key when it is hashed.
    pub(crate) salt: String,
    /// The hash in hexadecimal.
    pub(crate) sha256: String,
    /// What it may do.
    pub(crate) scopes: Vec<KeyScope>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) requests_per_minute: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) tokens_per_minute: Option<u64>,
    /// Requests at the same time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) concurrency: Option<u64>,
}

/// What a key may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum KeyScope {
    Infer,
    Adapters,
    Metrics,
}

/// Why a file of keys cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    /// It cannot be read.
    #[error("cannot read the keys of {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is no file of keys.
    #[error("cannot use the keys of {}: {reason}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// It cannot be sent in a header, or is what everyone sends who sends nothing.
    #[error("a key should be letters, digits and marks without spaces, one at least")]
    Unusable,
    /// There is no source of randomness.
    #[error("cannot make a key: {0}")]
    Random(getrandom::Error),
}

/// A key that was made: the secret for its owner, and the entry of the file. It has no `Debug`, which would print the secret.
#[derive(Clone)]
pub struct NewKey {
    /// What its owner sends. It is kept nowhere.
    pub secret: String,
    /// The entry of the file, as JSON.
    pub entry: String,
}

impl NewKey {
    /// A key of 256 random bits that may ask the model.
    ///
    /// # Errors
    /// There is no source of randomness.
    pub fn random(name: &str) -> Result<NewKey, KeyFileError> {
        let (mut secret, mut salt) = ([0u8; 32], [0u8; 16]);
        getrandom::fill(&mut secret).and_then(|()| getrandom::fill(&mut salt)).map_err(KeyFileError::Random)?;
        let secret = format!("fk-{}", hex(&secret));
        let entry = entry(name, &secret, &salt, vec![KeyScope::Infer]);
        let entry = serde_json::to_string_pretty(&entry).expect("texts and numbers are JSON");
        Ok(NewKey { secret, entry })
    }
}

pub(crate) fn entry(name: &str, secret: &str, salt: &[u8], scopes: Vec<KeyScope>) -> KeyEntry {
    KeyEntry {
        name: name.to_owned(),
        salt: hex(salt),
        sha256: hex(&hash(salt, secret)),
        scopes,
        requests_per_minute: None,
        tokens_per_minute: None,
        concurrency: None,
    }
}

/// The hash of a key.
pub(crate) fn hash(salt: &[u8], secret: &str) -> [u8; 32] {
    Sha256::new().chain_update(salt).chain_update(secret).finalize().into()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |at: usize| char::from(*text.as_bytes().get(at)?).to_digit(16);
    if !text.len().is_multiple_of(2) {
        return None;
    }
    (0..text.len()).step_by(2).map(|at| u8::try_from(16 * digit(at)? + digit(at + 1)?).ok()).collect()
}

/// Reads a file: `{"keys": [{"name", "salt", "sha256", "scopes": ["infer"], "requests_per_minute", "tokens_per_minute", "concurrency"}]}`.
pub(crate) fn read(path: &Path) -> Result<Vec<KeyEntry>, KeyFileError> {
    let text = data::read_text(path).map_err(|source| KeyFileError::Read { path: path.to_path_buf(), source })?;
    let malformed = |reason: String| KeyFileError::Malformed { path: path.to_path_buf(), reason };
    let file: KeyFile = serde_json::from_str(&text).map_err(|error| malformed(error.to_string()))?;
    check(&file.keys).map_err(malformed)?;
    Ok(file.keys)
}

fn check(keys: &[KeyEntry]) -> Result<(), String> {
    if keys.is_empty() {
        return Err("it has no keys, so that nobody could use the server".to_owned());
    }
    for (index, key) in keys.iter().enumerate() {
        let name = &key.name;
        if keys[..index].iter().any(|other| other.name == *name) {
            return Err(format!("two keys are called `{name}`"));
        }
        if unhex(&key.salt).is_none_or(|salt| salt.len() < 8) {
            return Err(format!("the salt of `{name}` should be 16 hexadecimal digits or more"));
        }
        if unhex(&key.sha256).is_none_or(|hash| hash.len() != 32) {
            return Err(format!("sha256 of `{name}` should be 64 hexadecimal digits"));
        }
        if key.scopes.is_empty() {
            return Err(format!("`{name}` has no scopes: give it infer, adapters or metrics"));
        }
        let limits = [key.requests_per_minute, key.tokens_per_minute, key.concurrency];
        if limits.contains(&Some(0)) {
            return Err(format!("a limit of `{name}` is 0: leave it out, or remove the key"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_key_is_found_in_a_file_and_not_told_by_it() {
        let key = NewKey::random("me").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys.json");
        std::fs::write(&path, format!("{{\"keys\": [{}]}}", key.entry)).unwrap();
        let read = read(&path).unwrap();
        let salt = unhex(&read[0].salt).unwrap();
        assert_eq!(unhex(&read[0].sha256).unwrap(), hash(&salt, &key.secret));
        assert!(!key.entry.contains(&key.secret[3..]));
        assert_ne!(key.secret, NewKey::random("me").unwrap().secret);
    }

    #[test]
    fn files_that_are_wrong() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys.json");
        let hash = "ab".repeat(32);
        let key = |more: &str| format!(r#"{{"name": "a", "salt": "0123456789abcdef", "sha256": "{hash}"{more}}}"#);
        let infer = r#", "scopes": ["infer"]"#;
        let cases = [
            ("{\"key\": []}".to_owned(), "unknown field `key`"),
            (r#"{"keys": []}"#.to_owned(), "it has no keys"),
            (format!(r#"{{"keys": [{}]}}"#, key("")), "missing field `scopes`"),
            (format!(r#"{{"keys": [{}]}}"#, key(r#", "scopes": []"#)), "`a` has no scopes"),
            (format!(r#"{{"keys": [{}]}}"#, key(r#", "scopes": ["all"]"#)), "unknown variant `all`"),
            (format!(r#"{{"keys": [{}, {}]}}"#, key(infer), key(infer)), "two keys are called `a`"),
            (format!(r#"{{"keys": [{}]}}"#, key(infer).replace("0123456789abcdef", "01")), "the salt of `a`"),
            (format!(r#"{{"keys": [{}]}}"#, key(infer).replace(&hash, "zz")), "sha256 of `a`"),
            (
                format!(r#"{{"keys": [{}]}}"#, key(infer).replace("\"infer\"]", "\"infer\"], \"rate\": 1")),
                "unknown field `rate`",
            ),
            (
                format!(r#"{{"keys": [{}]}}"#, key(infer).replace("\"infer\"]", "\"infer\"], \"concurrency\": 0")),
                "a limit of `a` is 0",
            ),
        ];
        for (text, expected) in cases {
            std::fs::write(&path, &text).unwrap();
            let error = read(&path).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
