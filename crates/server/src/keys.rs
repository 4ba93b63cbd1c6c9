//! Who may ask, and how much.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use api::Scope;
use subtle::ConstantTimeEq as _;

use crate::error::Error;
use crate::key_file::{self, KeyEntry, KeyFileError, KeyScope};
use crate::rate::{Allowance, Standing};

/// After which a key that has as many requests under way as it may should try again.
const CONCURRENCY_WAIT: Duration = Duration::from_secs(1);

/// The keys of a server.
#[derive(Debug)]
pub struct Keys {
    /// `None`: everyone may do everything.
    keys: Option<Vec<Arc<Key>>>,
    nobody: Arc<Key>,
}

/// A key with what it has used up.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) name: String,
    /// By which the engine tells who asks.
    number: u64,
    salt: Vec<u8>,
    hash: [u8; 32],
    scopes: Vec<Scope>,
    requests: Option<Mutex<Allowance>>,
    tokens: Option<Mutex<Allowance>>,
    concurrency: Option<u64>,
    under_way: AtomicU64,
}

/// A request that a key was let in with. Its place is free again when this is dropped.
#[derive(Clone, Debug)]
pub(crate) struct Pass {
    place: Arc<Place>,
}

#[derive(Debug)]
struct Place {
    key: Arc<Key>,
    arrived: Instant,
}

/// How a key's allowances stand.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Standings {
    pub(crate) requests: Option<Standing>,
    pub(crate) tokens: Option<Standing>,
}

impl Keys {
    /// No keys: everyone who reaches the server may do everything.
    pub fn open() -> Keys {
        let all = vec![Scope::Infer, Scope::Adapters, Scope::Metrics];
        Keys { keys: None, nobody: Arc::new(Key::unlimited("", all)) }
    }

    /// One key that may do everything.
    ///
    /// # Errors
    /// It is empty or has what is no visible ASCII, or there is no source of randomness for its salt.
    pub fn one(secret: &str) -> Result<Keys, KeyFileError> {
        if secret.is_empty() || !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(KeyFileError::Unusable);
        }
        let mut salt = [0u8; 16];
        getrandom::fill(&mut salt).map_err(KeyFileError::Random)?;
        let all = vec![KeyScope::Infer, KeyScope::Adapters, KeyScope::Metrics];
        Ok(Keys::of(&[key_file::entry("key", secret, &salt, all)], Instant::now()))
    }

    /// Those of a file: `{"keys": [{"name", "salt", "sha256", "scopes", "requests_per_minute", "tokens_per_minute", "concurrency"}]}`, where
    /// `sha256` is that of the salt's bytes and the key, both numbers are hexadecimal, scopes are `infer`, `adapters` and `metrics`, and
    /// limits may be left out. [`crate::NewKey`] makes entries.
    ///
    /// # Errors
    /// The file cannot be read, or is malformed.
    pub fn read(path: &Path) -> Result<Keys, KeyFileError> {
        Ok(Keys::of(&key_file::read(path)?, Instant::now()))
    }

    fn of(entries: &[KeyEntry], now: Instant) -> Keys {
        let keys = entries.iter().enumerate().map(|(index, entry)| Arc::new(Key::of(entry, index as u64 + 1, now)));
        Keys { keys: Some(keys.collect()), nobody: Arc::new(Key::unlimited("", Vec::new())) }
    }

    /// Whether everyone may do everything.
    pub fn is_open(&self) -> bool {
        self.keys.is_none()
    }

    /// Who sends this key. All keys are compared, each in a time that does not depend on what it is.
    ///
    /// # Errors
    /// There is no key, or nobody has it.
    pub(crate) fn find(&self, secret: Option<&str>) -> Result<Arc<Key>, Error> {
        let Some(keys) = &self.keys else { return Ok(Arc::clone(&self.nobody)) };
        let secret = secret.ok_or_else(Error::no_key)?;
        let mut found = None;
        for key in keys {
            if bool::from(key.hash.ct_eq(&key_file::hash(&key.salt, secret))) {
                found = Some(key);
            }
        }
        found.map(Arc::clone).ok_or_else(Error::unknown_key)
    }
}

impl Key {
    fn unlimited(name: &str, scopes: Vec<Scope>) -> Key {
        Key {
            name: name.to_owned(),
            number: 0,
            salt: Vec::new(),
            hash: [0; 32],
            scopes,
            requests: None,
            tokens: None,
            concurrency: None,
            under_way: AtomicU64::new(0),
        }
    }

    fn of(entry: &KeyEntry, number: u64, now: Instant) -> Key {
        let scope = |scope: &KeyScope| match scope {
            KeyScope::Infer => Scope::Infer,
            KeyScope::Adapters => Scope::Adapters,
            KeyScope::Metrics => Scope::Metrics,
        };
        let hash = key_file::unhex(&entry.sha256).and_then(|hash| hash.try_into().ok());
        Key {
            number,
            salt: key_file::unhex(&entry.salt).expect("a file's salts are checked when it is read"),
            hash: hash.expect("a file's hashes are checked when it is read"),
            requests: entry.requests_per_minute.map(|limit| Mutex::new(Allowance::new(limit, now))),
            tokens: entry.tokens_per_minute.map(|limit| Mutex::new(Allowance::new(limit, now))),
            concurrency: entry.concurrency,
            ..Key::unlimited(&entry.name, entry.scopes.iter().map(scope).collect())
        }
    }

    pub(crate) fn may(&self, scope: Scope) -> bool {
        scope == Scope::Public || self.scopes.contains(&scope)
    }

    /// Lets a request in.
    ///
    /// # Errors
    /// The key has used up what it may.
    pub(crate) fn enter(self: &Arc<Key>, now: Instant) -> Result<Pass, Error> {
        if let Some(requests) = &self.requests {
            let mut requests = lock(requests);
            let limit = requests.standing(now).limit;
            requests
                .check(1.0, now)
                .map_err(|wait| Error::rate(format!("the key may ask {limit} times a minute"), wait))?;
        }
        if let Some(tokens) = &self.tokens {
            let mut tokens = lock(tokens);
            let limit = tokens.standing(now).limit;
            tokens
                .check(1.0, now)
                .map_err(|wait| Error::rate(format!("the key may use {limit} tokens a minute"), wait))?;
        }
        let before = self.under_way.fetch_add(1, Ordering::Relaxed);
        let pass = Pass { place: Arc::new(Place { key: Arc::clone(self), arrived: now }) };
        if let Some(most) = self.concurrency.filter(|most| before >= *most) {
            let message = format!("the key may have {most} requests under way");
            return Err(Error::rate(message, CONCURRENCY_WAIT));
        }
        if let Some(requests) = &self.requests {
            lock(requests).take(1.0, now);
        }
        Ok(pass)
    }

    pub(crate) fn standings(&self, now: Instant) -> Standings {
        let standing = |allowance: &Mutex<Allowance>| lock(allowance).standing(now);
        Standings { requests: self.requests.as_ref().map(standing), tokens: self.tokens.as_ref().map(standing) }
    }
}

/// An allowance is whole between any two operations on it.
fn lock(allowance: &Mutex<Allowance>) -> MutexGuard<'_, Allowance> {
    allowance.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pass {
    pub(crate) fn number(&self) -> u64 {
        self.place.key.number
    }

    /// When the request came.
    pub(crate) fn arrived(&self) -> Instant {
        self.place.arrived
    }

    /// Takes tokens off the key's allowance; the next request waits for what is overdrawn.
    pub(crate) fn charge_tokens(&self, tokens: usize) {
        if let Some(allowance) = &self.place.key.tokens {
            lock(allowance).take(tokens as f64, Instant::now());
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.key.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(limit: impl FnOnce(&mut KeyEntry), now: Instant) -> Keys {
        let mut entry = key_file::entry("a", "secret", b"12345678", vec![KeyScope::Infer]);
        limit(&mut entry);
        Keys::of(&[key_file::entry("b", "other", b"12345678", vec![KeyScope::Metrics]), entry], now)
    }

    #[test]
    fn keys_are_found_by_their_secret() {
        let keys = keys(|_| {}, Instant::now());
        let key = keys.find(Some("secret")).unwrap();
        assert_eq!((key.name.as_str(), key.number), ("a", 2));
        assert!(key.may(Scope::Infer) && key.may(Scope::Public) && !key.may(Scope::Metrics));
        for secret in [None, Some(""), Some("secre"), Some("secret "), Some("12345678secret")] {
            assert!(keys.find(secret).is_err(), "{secret:?}");
        }
        assert!(Keys::open().find(None).unwrap().may(Scope::Adapters));
    }

    #[test]
    fn keys_that_nobody_could_send_are_refused() {
        for secret in ["", " ", "two words", "né", "line\n"] {
            assert!(matches!(Keys::one(secret), Err(KeyFileError::Unusable)), "{secret:?}");
        }
        assert!(Keys::one("token-abc123").is_ok());
    }

    #[test]
    fn requests_at_the_same_time_are_counted() {
        let now = Instant::now();
        let keys = keys(|entry| entry.concurrency = Some(2), now);
        let key = keys.find(Some("secret")).unwrap();
        let (first, _second) = (key.enter(now).unwrap(), key.enter(now).unwrap());
        assert!(key.enter(now).is_err());
        let again = first.clone();
        drop(first);
        assert!(key.enter(now).is_err(), "it is still under way");
        drop(again);
        assert!(key.enter(now).is_ok());
    }

    #[test]
    fn requests_and_tokens_a_minute_are_counted() {
        let now = Instant::now();
        let limits = |entry: &mut KeyEntry| {
            entry.requests_per_minute = Some(2);
            entry.tokens_per_minute = Some(100);
        };
        let keys = keys(limits, now);
        let key = keys.find(Some("secret")).unwrap();
        let pass = key.enter(now).unwrap();
        assert_eq!(key.standings(now).requests.unwrap().remaining, 1);
        pass.charge_tokens(150);
        assert!(key.enter(now).is_err(), "the tokens are overdrawn");
        assert_eq!(key.standings(now).requests.unwrap().remaining, 1, "who is not let in has not asked");
        let later = now + Duration::from_secs(60);
        assert!(key.enter(later).is_ok() && key.enter(later).is_ok() && key.enter(later).is_err());
    }
}
