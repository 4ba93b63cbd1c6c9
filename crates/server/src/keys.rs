//! Who may ask, and how much.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use api::Scope;
use subtle::ConstantTimeEq as _;

use crate::error::Error;
use crate::follow::Watched;
use crate::key_file::{self, KeyEntry, KeyFile, KeyFileError, KeyScope};
use crate::rate::{Allowance, Standing};

/// After which a key that has as many requests under way as it may should try again.
const CONCURRENCY_WAIT: Duration = Duration::from_secs(1);

/// Longest key that is hashed.
const SECRET_BYTES_MAX: usize = 512;

/// The keys of a server.
#[derive(Debug)]
pub struct Keys {
    /// `None`: everyone may do everything.
    keys: Option<RwLock<Ring>>,
    nobody: Arc<Key>,
    /// The file that they are read from again when it changes, as it was before it was read.
    file: Option<Watched>,
    /// The number of the next key that was not there before.
    next: AtomicU64,
}

/// Keys that change together.
#[derive(Debug)]
struct Ring {
    all: Vec<Arc<Key>>,
    /// Those of which the file tells the first characters, by these.
    by_prefix: HashMap<String, Vec<Arc<Key>>>,
    /// The others.
    without_prefix: Vec<Arc<Key>>,
    /// Those that were sent already, by the SHA-256 of their secrets: each key has a salt of its own, so that finding one among many takes as many hashes.
    sent: Mutex<HashMap<[u8; 32], Arc<Key>>>,
}

/// A key with what it has used up.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) name: String,
    /// By which the engine tells who asks, and what keys share is shared out: 0 has no others beside it.
    number: u64,
    /// What it was made of.
    entry: Option<KeyEntry>,
    salt: Vec<u8>,
    hash: [u8; 32],
    scopes: Vec<Scope>,
    requests: Option<Mutex<Allowance>>,
    tokens: Option<Mutex<Allowance>>,
    concurrency: Option<u64>,
    /// The most urgent one that its requests may have.
    priority: i32,
    /// In seconds since 1970.
    expires: Option<u64>,
    /// In common with what the key was before its file changed.
    under_way: Arc<AtomicU64>,
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
        Keys { keys: None, nobody: Arc::new(Key::unlimited("", all)), file: None, next: AtomicU64::new(1) }
    }

    /// One key that may do everything.
    ///
    /// # Errors
    /// It is empty, longer than 512 bytes or has what is no visible ASCII, or there is no source of randomness for its salt.
    pub fn one(secret: &str) -> Result<Keys, KeyFileError> {
        if secret.is_empty() || secret.len() > SECRET_BYTES_MAX || !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(KeyFileError::Unusable);
        }
        let mut salt = [0u8; 16];
        getrandom::fill(&mut salt).map_err(KeyFileError::Random)?;
        let all = vec![KeyScope::Infer, KeyScope::Adapters, KeyScope::Metrics];
        let entry = KeyEntry { priority: Some(i32::MIN), ..key_file::entry("key", secret, &salt, all) };
        // The one that nobody's has, as there are no others here either.
        Ok(Keys::numbered(&[entry], 0, Instant::now()))
    }

    /// Those of a file: `{"keys": [{"name", "salt", "sha256", "prefix", "scopes", "requests_per_minute", "tokens_per_minute", "concurrency", "priority", "expires"}]}`, where
    /// `sha256` is that of the salt's bytes and the key, both numbers are hexadecimal, scopes are `infer`, `adapters` and `metrics`, `expires` is in seconds
    /// since 1970, and `prefix`, the first 11 characters of the key, and limits may be left out. [`crate::NewKey`] makes entries. The server reads it again when it changes.
    ///
    /// # Errors
    /// The file cannot be read, is malformed or has no keys.
    pub fn read(path: &Path) -> Result<Keys, KeyFileError> {
        let watched = Watched::new(path);
        let file = KeyFile::read(path)?;
        if file.keys().is_empty() {
            let reason = "it has no keys, so that nobody could use the server".to_owned();
            return Err(KeyFileError::Malformed { path: path.to_path_buf(), reason });
        }
        Ok(Keys { file: Some(watched), ..Keys::of(file.keys(), Instant::now()) })
    }

    pub(crate) fn of(entries: &[KeyEntry], now: Instant) -> Keys {
        Keys::numbered(entries, 1, now)
    }

    /// With numbers from `first` on.
    fn numbered(entries: &[KeyEntry], first: u64, now: Instant) -> Keys {
        let (nobody, next) = (Arc::new(Key::unlimited("", Vec::new())), AtomicU64::new(first));
        let keys = Keys { keys: Some(RwLock::new(Ring::of(Vec::new()))), nobody, file: None, next };
        keys.replace(entries, now);
        keys
    }

    /// The file that the keys come from.
    pub(crate) fn file(&self) -> Option<&Watched> {
        self.file.as_ref()
    }

    /// Reads the file again. All keys change at once, or none.
    ///
    /// # Errors
    /// It cannot be read, or is malformed: the keys stay as they are.
    pub(crate) fn reload(&self, now: Instant) -> Result<(), KeyFileError> {
        if let Some(file) = &self.file {
            self.replace(KeyFile::read(file.path())?.keys(), now);
        }
        Ok(())
    }

    /// Takes other keys. One that is as before stays what it is, with all that it has used up; of one that has changed, the requests under way still count. A secret that
    /// is another makes another key, whose holder is not to learn from what is cached what the last one asked.
    fn replace(&self, entries: &[KeyEntry], now: Instant) {
        let Some(keys) = &self.keys else { return };
        let mut keys = keys.write().unwrap_or_else(PoisonError::into_inner);
        let before: HashMap<&str, &Arc<Key>> = keys.all.iter().map(|key| (key.name.as_str(), key)).collect();
        let next = || self.next.fetch_add(1, Ordering::Relaxed);
        let one = |entry: &KeyEntry| match before.get(entry.name.as_str()) {
            Some(key) if key.entry.as_ref() == Some(entry) => Arc::clone(key),
            Some(key) => {
                let changed = Key::of(entry, 0, now);
                let is_same = (&changed.salt, changed.hash) == (&key.salt, key.hash);
                let number = if is_same { key.number } else { next() };
                Arc::new(Key { number, under_way: Arc::clone(&key.under_way), ..changed })
            }
            None => Arc::new(Key::of(entry, next(), now)),
        };
        let all = entries.iter().map(one).collect();
        *keys = Ring::of(all);
    }

    /// Whether there is a key of that name.
    pub(crate) fn has(&self, name: &str) -> bool {
        let Some(keys) = &self.keys else { return false };
        keys.read().unwrap_or_else(PoisonError::into_inner).all.iter().any(|key| key.name == name)
    }

    /// Whether there is more than one.
    pub(crate) fn are_several(&self) -> bool {
        let Some(keys) = &self.keys else { return false };
        keys.read().unwrap_or_else(PoisonError::into_inner).all.len() > 1
    }

    /// Whether everyone may do everything.
    pub fn is_open(&self) -> bool {
        self.keys.is_none()
    }

    /// Who sends this key. The first time that one is sent, those that begin as it does are compared, each in a time that does not depend on what else it is, and all of
    /// which the file does not tell how they begin.
    ///
    /// # Errors
    /// There is no key, nobody has it, or its time is over at `now_s`, in seconds since 1970.
    pub(crate) fn find(&self, secret: Option<&str>, now_s: u64) -> Result<Arc<Key>, Error> {
        let Some(keys) = &self.keys else { return Ok(Arc::clone(&self.nobody)) };
        let secret = secret.ok_or_else(Error::no_key)?;
        // Hashing a whole header for each key would take long.
        if secret.len() > SECRET_BYTES_MAX {
            return Err(Error::unknown_key());
        }
        let key = keys.read().unwrap_or_else(PoisonError::into_inner).find(secret).ok_or_else(Error::unknown_key)?;
        if key.expires.is_some_and(|end| now_s >= end) {
            return Err(Error::expired_key(&key.name));
        }
        Ok(key)
    }
}

impl Ring {
    fn of(all: Vec<Arc<Key>>) -> Ring {
        let mut by_prefix: HashMap<String, Vec<Arc<Key>>> = HashMap::new();
        let mut without_prefix = Vec::new();
        for key in &all {
            match key.entry.as_ref().and_then(|entry| entry.prefix.clone()) {
                Some(prefix) => by_prefix.entry(prefix).or_default().push(Arc::clone(key)),
                None => without_prefix.push(Arc::clone(key)),
            }
        }
        Ring { all, by_prefix, without_prefix, sent: Mutex::default() }
    }

    fn find(&self, secret: &str) -> Option<Arc<Key>> {
        let hash = key_file::hash(&[], secret);
        if let Some(key) = lock(&self.sent).get(&hash) {
            return Some(Arc::clone(key));
        }
        let mut found = None;
        let of_prefix = key_file::prefix(secret).and_then(|prefix| self.by_prefix.get(prefix));
        for key in of_prefix.into_iter().flatten().chain(&self.without_prefix) {
            if bool::from(key.hash.ct_eq(&key_file::hash(&key.salt, secret))) {
                found = Some(key);
            }
        }
        // No more than there are keys: what is nobody's is not kept.
        found.inspect(|key| _ = lock(&self.sent).insert(hash, Arc::clone(key))).cloned()
    }
}

impl Key {
    pub(crate) fn unlimited(name: &str, scopes: Vec<Scope>) -> Key {
        Key {
            name: name.to_owned(),
            number: 0,
            entry: None,
            salt: Vec::new(),
            hash: [0; 32],
            scopes,
            requests: None,
            tokens: None,
            concurrency: None,
            priority: i32::MIN,
            expires: None,
            under_way: Arc::default(),
        }
    }

    fn of(entry: &KeyEntry, number: u64, now: Instant) -> Key {
        let scope = |scope: &KeyScope| match scope {
            KeyScope::Infer => Scope::Infer,
            KeyScope::Adapters => Scope::Adapters,
            KeyScope::Metrics => Scope::Metrics,
        };
        let (salt, hash) = entry.hash().expect("a file's salts and hashes are checked when it is read");
        Key {
            number,
            entry: Some(entry.clone()),
            salt,
            hash,
            priority: entry.priority.unwrap_or(0),
            expires: entry.expires,
            requests: entry.requests_per_minute.map(|limit| Mutex::new(Allowance::new(limit, now))),
            tokens: entry.tokens_per_minute.map(|limit| Mutex::new(Allowance::new(limit, now))),
            concurrency: entry.concurrency,
            ..Key::unlimited(&entry.name, entry.scopes.iter().map(scope).collect())
        }
    }

    /// The names of what it may do.
    pub(crate) fn scopes(&self) -> Vec<&'static str> {
        self.scopes.iter().map(|scope| scope.name()).collect()
    }

    pub(crate) fn may(&self, scope: Scope) -> bool {
        scope == Scope::Public || self.scopes.contains(&scope)
    }

    /// Lets a request in.
    ///
    /// # Errors
    /// The key has used up what it may.
    pub(crate) fn enter(self: &Arc<Key>, now: Instant) -> Result<Pass, Error> {
        self.let_in(now, true)
    }

    /// The same for what takes no tokens, whether or not there are some left.
    ///
    /// # Errors
    /// As [`Key::enter`], but for tokens.
    pub(crate) fn enter_without_tokens(self: &Arc<Key>, now: Instant) -> Result<Pass, Error> {
        self.let_in(now, false)
    }

    fn let_in(self: &Arc<Key>, now: Instant, takes_tokens: bool) -> Result<Pass, Error> {
        let before = self.under_way.fetch_add(1, Ordering::Relaxed);
        let pass = Pass { place: Arc::new(Place { key: Arc::clone(self), arrived: now }) };
        if let Some(most) = self.concurrency.filter(|most| before >= *most) {
            let message = format!("the key may have {most} requests under way");
            return Err(Error::rate(message, CONCURRENCY_WAIT));
        }
        if let Some(tokens) = self.tokens.as_ref().filter(|_| takes_tokens) {
            let mut tokens = lock(tokens);
            let limit = tokens.standing(now).limit;
            tokens
                .check(1.0, now)
                .map_err(|wait| Error::rate(format!("the key may use {limit} tokens a minute"), wait))?;
        }
        // Last, and at once: who is refused for another reason has not asked, and of two who come together each takes its own.
        if let Some(requests) = &self.requests {
            let mut requests = lock(requests);
            let limit = requests.standing(now).limit;
            requests
                .check(1.0, now)
                .map_err(|wait| Error::rate(format!("the key may ask {limit} times a minute"), wait))?;
            requests.take(1.0, now);
        }
        Ok(pass)
    }

    pub(crate) fn standings(&self, now: Instant) -> Standings {
        let standing = |allowance: &Mutex<Allowance>| lock(allowance).standing(now);
        Standings { requests: self.requests.as_ref().map(standing), tokens: self.tokens.as_ref().map(standing) }
    }
}

/// What is locked here is whole between any two operations on it.
fn lock<T>(state: &Mutex<T>) -> MutexGuard<'_, T> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pass {
    /// Of a request that no server has let in.
    pub(crate) fn of_nobody() -> Pass {
        let key = Arc::new(Key { under_way: Arc::new(AtomicU64::new(1)), ..Key::unlimited("", vec![Scope::Infer]) });
        Pass { place: Arc::new(Place { key, arrived: Instant::now() }) }
    }

    pub(crate) fn number(&self) -> u64 {
        self.place.key.number
    }

    /// The name of the key, if the server has keys.
    pub(crate) fn key_name(&self) -> Option<&str> {
        self.place.key.entry.as_ref().map(|entry| entry.name.as_str())
    }

    /// Whether its key may do so much.
    pub(crate) fn may(&self, scope: Scope) -> bool {
        self.place.key.may(scope)
    }

    /// How many have a copy of it.
    #[cfg(test)]
    pub(crate) fn holders(&self) -> usize {
        Arc::strong_count(&self.place)
    }

    /// When the request came.
    pub(crate) fn arrived(&self) -> Instant {
        self.place.arrived
    }

    /// The priority of a request that asks for `wanted`, or for none in particular.
    ///
    /// # Errors
    /// It is more urgent than the key's may be.
    pub(crate) fn priority(&self, wanted: Option<i32>) -> Result<i32, Error> {
        let Key { name, priority: most, .. } = &*self.place.key;
        match wanted {
            Some(wanted) if wanted < *most => {
                let message = format!(
                    "`priority` is {wanted}, and that of requests with the key `{name}` may be {most} or more, which is less urgent"
                );
                Err(Error::forbidden(message).at("priority"))
            }
            wanted => Ok(wanted.unwrap_or_else(|| 0.max(*most))),
        }
    }

    /// Gives back tokens that were charged, and of which nothing was computed.
    pub(crate) fn give_back_tokens(&self, tokens: usize) {
        if let Some(allowance) = &self.place.key.tokens {
            lock(allowance).take(-(tokens as f64), Instant::now());
        }
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
        let key = keys.find(Some("secret"), 0).unwrap();
        assert_eq!((key.name.as_str(), key.number), ("a", 2));
        assert!(key.may(Scope::Infer) && key.may(Scope::Public) && !key.may(Scope::Metrics));
        for secret in [None, Some(""), Some("secre"), Some("secret "), Some("12345678secret")] {
            assert!(keys.find(secret, 0).is_err(), "{secret:?}");
        }
        assert!(Keys::open().find(None, 0).unwrap().may(Scope::Adapters));
    }

    #[test]
    fn keys_that_nobody_could_send_are_refused() {
        for secret in ["", " ", "two words", "né", "line\n", &"x".repeat(513)] {
            assert!(matches!(Keys::one(secret), Err(KeyFileError::Unusable)), "{secret:?}");
        }
        let longest = "x".repeat(512);
        assert!(Keys::one(&longest).unwrap().find(Some(&longest), 0).is_ok());
        assert!(Keys::one("token-abc123").is_ok());
    }

    #[test]
    fn keys_end_when_they_expire() {
        let keys = keys(|entry| entry.expires = Some(1000), Instant::now());
        assert!(keys.find(Some("secret"), 999).is_ok());
        let error = keys.find(Some("secret"), 1000).unwrap_err();
        assert!(error.body().error.message.contains("has expired"));
    }

    #[test]
    fn a_key_asks_for_priorities_up_to_its_own() {
        let now = Instant::now();
        let of = |limit: Option<i32>, wanted| {
            let keys = keys(|entry| entry.priority = limit, now);
            keys.find(Some("secret"), 0).unwrap().enter(now).unwrap().priority(wanted).ok()
        };
        assert_eq!(
            [None, Some(0), Some(5), Some(-1)].map(|wanted| of(None, wanted)),
            [Some(0), Some(0), Some(5), None]
        );
        assert_eq!([None, Some(-9), Some(-10)].map(|wanted| of(Some(-9), wanted)), [Some(0), Some(-9), None]);
        assert_eq!([None, Some(3), Some(2)].map(|wanted| of(Some(3), wanted)), [Some(3), Some(3), None]);
        let open = Keys::open().find(None, 0).unwrap().enter(now).unwrap();
        assert_eq!(open.priority(Some(i32::MIN)).ok(), Some(i32::MIN));
    }

    #[test]
    fn what_a_key_has_used_up_survives_other_changes_of_the_file() {
        let now = Instant::now();
        let entry = |name: &str| KeyEntry {
            requests_per_minute: Some(2),
            concurrency: Some(1),
            ..key_file::entry(name, name, b"12345678", vec![KeyScope::Infer])
        };
        let keys = Keys::of(&[entry("a"), entry("b")], now);
        let find = |secret: &str| keys.find(Some(secret), 0);
        let pass = find("b").unwrap().enter(now).unwrap();
        keys.replace(&[entry("c"), entry("b")], now);
        assert!(find("a").is_err() && find("c").is_ok());
        let b = find("b").unwrap();
        assert_eq!((b.number, b.standings(now).requests.unwrap().remaining), (2, 1));
        assert_eq!(find("c").unwrap().number, 3, "a number means one key for ever");
        keys.replace(&[KeyEntry { requests_per_minute: Some(9), ..entry("b") }], now);
        assert!(find("b").unwrap().enter(now).is_err(), "the request is still under way");
        keys.replace(&[KeyEntry { name: "b".to_owned(), ..entry("d") }], now);
        let new = find("d").unwrap();
        assert_eq!((new.name.as_str(), new.number), ("b", 4), "its secret is another");
        assert!(new.enter(now).is_err(), "the request is still under way");
        drop(pass);
        assert!(find("d").unwrap().enter(now).is_ok());
    }

    #[test]
    fn requests_at_the_same_time_are_counted() {
        let now = Instant::now();
        let keys = keys(|entry| entry.concurrency = Some(2), now);
        let key = keys.find(Some("secret"), 0).unwrap();
        let (first, _second) = (key.enter(now).unwrap(), key.enter(now).unwrap());
        assert!(key.enter(now).is_err());
        let again = first.clone();
        drop(first);
        assert!(key.enter(now).is_err(), "it is still under way");
        drop(again);
        assert!(key.enter(now).is_ok());
    }

    /// A secret as long as a header is refused before it is hashed for each of many keys.
    #[test]
    fn long_secrets_are_not_hashed() {
        let entry = |name: u64| key_file::entry(&name.to_string(), "secret", b"12345678", vec![KeyScope::Infer]);
        let keys = Keys::of(&(0..2000).map(entry).collect::<Vec<_>>(), Instant::now());
        let long = "x".repeat(60_000);
        let began = Instant::now();
        (0..100).for_each(|_| assert!(keys.find(Some(&long), 0).is_err()));
        // 12 GB would be hashed.
        assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    }

    /// Of very many keys each takes a hash to be told from another.
    #[test]
    fn a_key_that_was_sent_is_found_again_at_once() {
        let secret = |name: u64| format!("secret {name}");
        let entry = |name: u64| key_file::entry(&name.to_string(), &secret(name), b"12345678", vec![KeyScope::Infer]);
        let entries: Vec<_> = (0..20_000).map(entry).collect();
        let now = Instant::now();
        let keys = Keys::of(&entries, now);
        let find = |name: u64| keys.find(Some(&secret(name)), 0).map(|key| key.name.clone());
        assert_eq!(find(7).unwrap(), "7");
        let began = Instant::now();
        (0..1000).for_each(|_| assert_eq!(find(7).unwrap(), "7"));
        // 20 million hashes would be made.
        assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
        assert!(find(20_000).is_err() && find(20_000).is_err());
        let began = Instant::now();
        (0..20).for_each(|_| keys.replace(&entries, now));
        // As many names would be compared for each.
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
        keys.replace(&entries[8..], now);
        assert!(find(7).is_err(), "it was revoked");
        assert_eq!(find(8).unwrap(), "8");
    }

    /// Whoever sends keys that are nobody's would have each of very many tried.
    #[test]
    fn a_key_that_is_nobodys_is_hashed_for_those_that_begin_as_it_does() {
        let new = |name: u64| crate::NewKey::random(&name.to_string(), &[KeyScope::Infer]).unwrap();
        let made: Vec<_> = (0..20_000).map(new).collect();
        let mut entries: Vec<_> = made.iter().map(|key| key.entry.clone()).collect();
        entries.push(key_file::entry("old", "fk-of another program", b"12345678", vec![KeyScope::Infer]));
        let keys = Keys::of(&entries, Instant::now());
        let began = Instant::now();
        for key in made.iter().take(1000) {
            let nobodys = format!("{}x", key.secret);
            assert!(keys.find(Some(&nobodys), 0).is_err() && keys.find(Some("fk-0"), 0).is_err());
        }
        // 40 million hashes would be made.
        assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
        assert_eq!(keys.find(Some(&made[7].secret), 0).unwrap().name, "7");
        assert_eq!(keys.find(Some("fk-of another program"), 0).unwrap().name, "old");
    }

    #[test]
    fn requests_that_come_together_are_counted_each() {
        let now = Instant::now();
        for _ in 0..50 {
            let keys = keys(|entry| entry.requests_per_minute = Some(5), now);
            let key = keys.find(Some("secret"), 0).unwrap();
            let together = std::sync::Barrier::new(8);
            let ask = || {
                together.wait();
                (0..4).filter(|_| key.enter(now).is_ok()).count()
            };
            let let_in: usize = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).sum()
            });
            assert_eq!(let_in, 5);
        }
    }

    #[test]
    fn requests_and_tokens_a_minute_are_counted() {
        let now = Instant::now();
        let limits = |entry: &mut KeyEntry| {
            entry.requests_per_minute = Some(2);
            entry.tokens_per_minute = Some(100);
        };
        let keys = keys(limits, now);
        let key = keys.find(Some("secret"), 0).unwrap();
        let pass = key.enter(now).unwrap();
        assert_eq!(key.standings(now).requests.unwrap().remaining, 1);
        pass.charge_tokens(150);
        assert!(key.enter(now).is_err(), "the tokens are overdrawn");
        assert_eq!(key.standings(now).requests.unwrap().remaining, 1, "who is not let in has not asked");
        assert!(key.enter_without_tokens(now).is_ok(), "which models there are is told without tokens");
        assert!(key.enter_without_tokens(now).is_err(), "that is asking, too");
        let later = now + Duration::from_secs(60);
        assert!(key.enter(later).is_ok() && key.enter(later).is_ok() && key.enter(later).is_err());
    }
}
