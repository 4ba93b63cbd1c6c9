//! The file of keys: what is kept of them is a salted hash each.
//!
//! Keys are long and random, so that one SHA-256 with a salt is enough: nobody can try them all, and a slow hash would slow each request.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use engine::check_name;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Bytes by which a key is found: `fk-` and 32 of its 256 bits. 224 are left to be guessed.
const PREFIX_BYTES: usize = 11;

/// What a file of keys should be.
const FORM: &str = r#"an object {"keys": […]}"#;

/// A file of keys: `{"keys": […]}`, as [`crate::Keys::read`] has them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyFile {
    keys: Vec<KeyEntry>,
}

/// A key as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `name`, `salt`, `sha256` and `scopes`")]
pub struct KeyEntry {
    /// Who has it; the log shows it.
    pub name: String,
    /// Hexadecimal; before the key when it is hashed.
    pub(crate) salt: String,
    /// The hash in hexadecimal.
    pub(crate) sha256: String,
    /// The first characters of the key, by which it is found among many: of each salt a hash would have to be made. Of a key that was not made here nothing is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) prefix: Option<String>,
    /// What it may do.
    pub scopes: Vec<KeyScope>,
    /// Requests in a minute; `None`: any number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests_per_minute: Option<u64>,
    /// Tokens in a minute, of prompts and answers; `None`: any number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_per_minute: Option<u64>,
    /// Requests at the same time; `None`: any number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<u64>,
    /// The most urgent priority that its requests may have, lower being more urgent; `None`: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<i32>,
    /// When it ends to be one, in seconds since 1970; `None`: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<u64>,
}

/// What a key may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyScope {
    /// Ask the model.
    Infer,
    /// Load and unload adapters.
    Adapters,
    /// Read metrics.
    Metrics,
}

impl KeyScope {
    /// As files have it.
    pub fn name(self) -> &'static str {
        match self {
            KeyScope::Infer => "infer",
            KeyScope::Adapters => "adapters",
            KeyScope::Metrics => "metrics",
        }
    }
}

/// Why a file of keys cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    /// It cannot be read.
    #[error("cannot read the keys of {}: {reason}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why. It is no source, which would be told a second time.
        reason: std::io::Error,
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
    #[error("a key should be letters, digits and marks without spaces, 1 to 512 of them")]
    Unusable,
    /// There is no source of randomness.
    #[error("cannot make a key: {0}")]
    Random(getrandom::Error),
    /// The file has a key of that name already.
    #[error("there is a key called `{0}`: choose another name, or revoke that one first")]
    Taken(String),
    /// It has none.
    #[error("there is no key called `{name}`; there are: {}", if .known.is_empty() { "none" } else { .known })]
    NoSuchKey {
        /// The name.
        name: String,
        /// Those that there are, with commas.
        known: String,
    },
    /// It breaks a rule.
    #[error("{0}")]
    Rule(String),
}

/// A key that was made: the secret for its owner, and the entry of the file. It has no `Debug`, which would print the secret.
#[derive(Clone)]
pub struct NewKey {
    /// What its owner sends. It is kept nowhere.
    pub secret: String,
    /// The entry of the file.
    pub entry: KeyEntry,
}

impl NewKey {
    /// A key of 256 random bits that may do so much, without limits and for ever.
    ///
    /// # Errors
    /// There is no source of randomness.
    pub fn random(name: &str, scopes: &[KeyScope]) -> Result<NewKey, KeyFileError> {
        let (mut secret, mut salt) = ([0u8; 32], [0u8; 16]);
        getrandom::fill(&mut secret).and_then(|()| getrandom::fill(&mut salt)).map_err(KeyFileError::Random)?;
        let secret = format!("fk-{}", hex(&secret));
        let prefix = prefix(&secret).map(str::to_owned);
        let entry = KeyEntry { prefix, ..entry(name, &secret, &salt, scopes.to_vec()) };
        Ok(NewKey { secret, entry })
    }
}

impl KeyFile {
    /// Reads a file. It may have no keys: the last was revoked.
    ///
    /// # Errors
    /// It cannot be read, or is malformed.
    pub fn read(path: &Path) -> Result<KeyFile, KeyFileError> {
        let text = data::read_text(path).map_err(|reason| KeyFileError::Read { path: path.to_path_buf(), reason })?;
        let malformed = |reason: String| KeyFileError::Malformed { path: path.to_path_buf(), reason };
        match text.trim_start().chars().next() {
            None => return Err(malformed(format!("it is empty, and should be {FORM}: remove it to begin anew"))),
            Some(first) if first != '{' => {
                return Err(malformed(format!("it begins with `{first}`, and should be {FORM}")));
            }
            Some(_) => {}
        }
        let file: KeyFile = serde_json::from_str(&text).map_err(|error| malformed(error.to_string()))?;
        check(&file.keys).map_err(malformed)?;
        Ok(file)
    }

    /// The keys.
    pub fn keys(&self) -> &[KeyEntry] {
        &self.keys
    }

    /// Adds a key.
    ///
    /// # Errors
    /// There is one of that name, or it breaks a rule of the file.
    pub fn add(&mut self, entry: KeyEntry) -> Result<(), KeyFileError> {
        if self.keys.iter().any(|key| key.name == entry.name) {
            return Err(KeyFileError::Taken(entry.name));
        }
        check(std::slice::from_ref(&entry)).map_err(KeyFileError::Rule)?;
        self.keys.push(entry);
        Ok(())
    }

    /// Removes a key.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn revoke(&mut self, name: &str) -> Result<(), KeyFileError> {
        let known = || self.keys.iter().map(|key| key.name.as_str()).collect::<Vec<_>>().join(", ");
        let at = self.keys.iter().position(|key| key.name == name);
        let at = at.ok_or_else(|| KeyFileError::NoSuchKey { name: name.to_owned(), known: known() })?;
        self.keys.remove(at);
        Ok(())
    }

    /// The file as it is written.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("texts and numbers are JSON") + "\n"
    }
}

impl KeyEntry {
    /// The bytes of salt and hash, which were checked when the file was read.
    pub(crate) fn hash(&self) -> Option<(Vec<u8>, [u8; 32])> {
        Some((unhex(&self.salt)?, unhex(&self.sha256)?.try_into().ok()?))
    }
}

pub(crate) fn entry(name: &str, secret: &str, salt: &[u8], scopes: Vec<KeyScope>) -> KeyEntry {
    KeyEntry {
        name: name.to_owned(),
        salt: hex(salt),
        sha256: hex(&hash(salt, secret)),
        prefix: None,
        scopes,
        requests_per_minute: None,
        tokens_per_minute: None,
        concurrency: None,
        priority: None,
        expires: None,
    }
}

/// What a key is found by; `None` if it is shorter.
pub(crate) fn prefix(secret: &str) -> Option<&str> {
    secret.get(..PREFIX_BYTES)
}

/// The hash of a key.
pub(crate) fn hash(salt: &[u8], secret: &str) -> [u8; 32] {
    Sha256::new().chain_update(salt).chain_update(secret).finalize().into()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |at: usize| char::from(*text.as_bytes().get(at)?).to_digit(16);
    if !text.len().is_multiple_of(2) {
        return None;
    }
    (0..text.len()).step_by(2).map(|at| u8::try_from(16 * digit(at)? + digit(at + 1)?).ok()).collect()
}

fn check(keys: &[KeyEntry]) -> Result<(), String> {
    let mut names = HashSet::new();
    for key in keys {
        let name = &key.name;
        if !names.insert(name) {
            return Err(format!("two keys are called `{name}`"));
        }
        check_name("a key", name)?;
        if unhex(&key.salt).is_none_or(|salt| salt.len() < 8) {
            return Err(format!("the salt of `{name}` should be 16 hexadecimal digits or more"));
        }
        if unhex(&key.sha256).is_none_or(|hash| hash.len() != 32) {
            return Err(format!("sha256 of `{name}` should be 64 hexadecimal digits"));
        }
        if key.prefix.as_ref().is_some_and(|prefix| prefix.len() != PREFIX_BYTES) {
            return Err(format!("the prefix of `{name}` should be the first {PREFIX_BYTES} characters of the key"));
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
        let key = NewKey::random("me", &[KeyScope::Infer]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys.json");
        let mut file = KeyFile::default();
        file.add(key.entry.clone()).unwrap();
        assert!(matches!(file.add(key.entry), Err(KeyFileError::Taken(_))));
        std::fs::write(&path, file.text()).unwrap();
        let mut read = KeyFile::read(&path).unwrap();
        assert_eq!(read, file);
        let (salt, expected) = read.keys()[0].hash().unwrap();
        assert_eq!(expected, hash(&salt, &key.secret));
        assert!(!file.text().contains(&key.secret[..PREFIX_BYTES + 1]));
        assert_ne!(key.secret, NewKey::random("me", &[]).unwrap().secret);
        let error = read.revoke("you").unwrap_err().to_string();
        assert!(error.contains("there are: me"), "{error}");
        read.revoke("me").unwrap();
        assert_eq!(read, KeyFile::default());
    }

    #[test]
    fn files_that_are_wrong() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys.json");
        let hash = "ab".repeat(32);
        let key = |more: &str| format!(r#"{{"name": "a", "salt": "0123456789abcdef", "sha256": "{hash}"{more}}}"#);
        let infer = r#", "scopes": ["infer"]"#;
        let cases = [
            (String::new(), "it is empty, and should be an object {\"keys\": […]}: remove it to begin anew"),
            (" \n".to_owned(), "it is empty, and should be an object {\"keys\": […]}: remove it to begin anew"),
            ("[]".to_owned(), "it begins with `[`, and should be an object {\"keys\": […]}"),
            (
                "{\"keys\": [3]}".to_owned(),
                "integer `3`, expected an object with `name`, `salt`, `sha256` and `scopes` at",
            ),
            ("{\"key\": []}".to_owned(), "unknown field `key`"),
            (format!(r#"{{"keys": [{}]}}"#, key(infer).replace("\"a\"", "\"\"")), "the name of a key"),
            (format!(r#"{{"keys": [{}]}}"#, key("")), "missing field `scopes`"),
            (format!(r#"{{"keys": [{}]}}"#, key(r#", "scopes": []"#)), "`a` has no scopes"),
            (format!(r#"{{"keys": [{}]}}"#, key(r#", "scopes": ["all"]"#)), "unknown variant `all`"),
            (format!(r#"{{"keys": [{}, {}]}}"#, key(infer), key(infer)), "two keys are called `a`"),
            (format!(r#"{{"keys": [{}]}}"#, key(infer).replace("0123456789abcdef", "01")), "the salt of `a`"),
            (format!(r#"{{"keys": [{}]}}"#, key(infer).replace(&hash, "zz")), "sha256 of `a`"),
            (format!(r#"{{"keys": [{}]}}"#, key(r#", "prefix": "fk-", "scopes": ["infer"]"#)), "the prefix of `a`"),
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
            let error = KeyFile::read(&path).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
