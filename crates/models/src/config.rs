//! `config.json` as families read it: sizes within bounds, and mistakes by the names of their keys.

use std::sync::LazyLock;

use serde_json::{Map, Value};

// Far above any model, and low enough that the bytes of a stacked parameter fit in 64 bits: layers by a width by a width, or by the elements of all heads, are
// fewer than 2^60 numbers. Those of experts are bounded by `EXPERTS_MAX`.
/// Most rows or columns of a weight.
pub(crate) const WIDTH_MAX: u64 = 1 << 22;
/// Most layers, heads, experts or elements of a head.
pub(crate) const COUNT_MAX: u64 = 1 << 12;
/// Most elements of one weight of all experts in all layers, as of one in all layers without experts.
pub(crate) const EXPERTS_MAX: u64 = COUNT_MAX * WIDTH_MAX * WIDTH_MAX;
/// Most positions; they size no weight but learned positions.
pub(crate) const POSITIONS_MAX: u64 = (1 << 31) - 1;

/// A `config.json` that does not describe a model we can run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A required key is absent.
    #[error("`{key}` is missing")]
    Missing {
        /// The key.
        key: String,
    },
    /// A key has a value that cannot be.
    #[error("`{key}` is {found}, but {rule}")]
    Value {
        /// The key.
        key: String,
        /// The value, as JSON.
        found: String,
        /// What it should be.
        rule: String,
    },
}

pub(crate) type Result<T> = std::result::Result<T, ConfigError>;

/// The fields of a JSON object. `null` is as good as absent.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a> {
    map: &'a Map<String, Value>,
    /// The keys of the objects that it is in, and its own, where it is not the document.
    parents: [Option<&'a str>; 2],
}

impl<'a> Fields<'a> {
    pub(crate) fn of(config: &'a Value) -> Result<Fields<'a>> {
        match config.as_object() {
            Some(map) => Ok(Fields::of_map(map)),
            None => Err(wrong("config.json", config, "it should be an object")),
        }
    }

    pub(crate) fn of_map(map: &'a Map<String, Value>) -> Fields<'a> {
        Fields { map, parents: [None; 2] }
    }

    pub(crate) fn get(&self, key: &str) -> Option<&'a Value> {
        self.map.get(key).filter(|value| !value.is_null())
    }

    /// Whether it has no keys.
    pub(crate) fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// The first key that has a value and is none of `known`, with its value.
    pub(crate) fn other_than(&self, known: &[&str]) -> Option<(&'a str, &'a Value)> {
        let others = self.map.iter().filter(|(key, value)| !value.is_null() && !known.contains(&key.as_str()));
        others.map(|(key, value)| (key.as_str(), value)).next()
    }

    /// The object at `key`.
    pub(crate) fn object(&self, key: &'a str) -> Result<Option<Fields<'a>>> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::Object(map)) => Ok(Some(Fields { map, parents: [self.parents[1], Some(key)] })),
            Some(other) => Err(self.wrong(key, other, "it should be an object")),
        }
    }

    /// The object at `key`, or one without fields.
    pub(crate) fn section(&self, key: &'a str) -> Result<Fields<'a>> {
        static EMPTY: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);
        Ok(self.object(key)?.unwrap_or(Fields { map: &EMPTY, parents: [self.parents[1], Some(key)] }))
    }

    /// A size that has to be given.
    pub(crate) fn size(&self, key: &str, most: u64) -> Result<usize> {
        self.optional_size(key, most)?.ok_or_else(|| self.missing(key))
    }

    pub(crate) fn size_or(&self, key: &str, most: u64, usual: usize) -> Result<usize> {
        Ok(self.optional_size(key, most)?.unwrap_or(usual))
    }

    pub(crate) fn optional_size(&self, key: &str, most: u64) -> Result<Option<usize>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        match value.as_u64() {
            Some(size) if size > 0 && size <= most => Ok(Some(size as usize)),
            _ => Err(self.wrong(key, value, &format!("it should be a whole number from 1 to {most}"))),
        }
    }

    /// A size whose absence and whose `null` mean different things: `usual`, and none.
    pub(crate) fn nullable_size_or(&self, key: &str, most: u64, usual: Option<usize>) -> Result<Option<usize>> {
        match self.map.get(key) {
            None => Ok(usual),
            Some(_) => self.optional_size(key, most),
        }
    }

    /// A number above 0 whose absence and whose `null` mean different things: `usual`, and none.
    pub(crate) fn nullable_number_or(&self, key: &str, usual: Option<f64>) -> Result<Option<f64>> {
        match self.map.get(key) {
            None => Ok(usual),
            Some(_) => self.number(key),
        }
    }

    /// A number above 0.
    pub(crate) fn number(&self, key: &str) -> Result<Option<f64>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        match value.as_f64() {
            Some(number) if number > 0.0 => Ok(Some(number)),
            _ => Err(self.wrong(key, value, "it should be a number above 0")),
        }
    }

    pub(crate) fn number_or(&self, key: &str, usual: f64) -> Result<f64> {
        Ok(self.number(key)?.unwrap_or(usual))
    }

    /// A number above 0 that has to be given.
    pub(crate) fn required_number(&self, key: &str) -> Result<f64> {
        self.number(key)?.ok_or_else(|| self.missing(key))
    }

    /// A number that may be 0.
    pub(crate) fn number_from_0_or(&self, key: &str, usual: f64) -> Result<f64> {
        let Some(value) = self.get(key) else { return Ok(usual) };
        match value.as_f64() {
            Some(number) if number >= 0.0 => Ok(number),
            _ => Err(self.wrong(key, value, "it should be a number, 0 or above")),
        }
    }

    /// Refuses a number other than 0.
    pub(crate) fn expect_0(&self, key: &str) -> Result<()> {
        match self.get(key) {
            Some(value) if value.as_f64() != Some(0.0) => Err(self.wrong(key, value, "only 0 is supported")),
            _ => Ok(()),
        }
    }

    /// A list of whole numbers; empty if it is absent.
    pub(crate) fn numbers(&self, key: &str) -> Result<Vec<usize>> {
        let Some(value) = self.get(key) else { return Ok(Vec::new()) };
        let number = |item: &Value| item.as_u64().and_then(|number| usize::try_from(number).ok());
        let numbers = value.as_array().and_then(|items| items.iter().map(number).collect());
        numbers.ok_or_else(|| self.wrong(key, value, "it should be a list of whole numbers"))
    }

    pub(crate) fn flag_or(&self, key: &str, usual: bool) -> Result<bool> {
        match self.get(key) {
            None => Ok(usual),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(self.wrong(key, other, "it should be true or false")),
        }
    }

    pub(crate) fn flag(&self, key: &str) -> Result<bool> {
        self.flag_or(key, false)
    }

    /// Refuses keys that the family has by other names: pairs of another name and its own.
    pub(crate) fn refuse_aliases(&self, aliases: &[(&str, &str)]) -> Result<()> {
        match aliases.iter().find_map(|(alias, key)| Some((alias, self.get(alias)?, key))) {
            Some((alias, value, key)) => Err(self.wrong(alias, value, &format!("here its name is `{key}`"))),
            None => Ok(()),
        }
    }

    /// Refuses a value other than `expected`, which is what absence means too.
    pub(crate) fn expect(&self, key: &str, expected: &Value) -> Result<()> {
        match self.get(key) {
            Some(value) if value != expected => Err(self.wrong(key, value, &format!("only {expected} is supported"))),
            _ => Ok(()),
        }
    }

    /// The same where `null` is not absence, but a value.
    pub(crate) fn expect_if_there(&self, key: &str, expected: &Value) -> Result<()> {
        match self.map.get(key) {
            Some(value) if value != expected => Err(self.wrong(key, value, &format!("only {expected} is supported"))),
            _ => Ok(()),
        }
    }

    /// One of several words, by its meaning.
    pub(crate) fn choice<T: Copy>(&self, key: &str, words: &[(&str, T)], usual: T) -> Result<T> {
        let Some(value) = self.get(key) else { return Ok(usual) };
        match words.iter().find(|(word, _)| value.as_str() == Some(word)) {
            Some((_, meaning)) => Ok(*meaning),
            None => {
                let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                let rule = match known.as_slice() {
                    [only] => format!("only \"{only}\" is supported"),
                    _ => format!("it should be one of {}", known.join(", ")),
                };
                Err(self.wrong(key, value, &rule))
            }
        }
    }

    pub(crate) fn missing(&self, key: &str) -> ConfigError {
        ConfigError::Missing { key: self.full(key) }
    }

    pub(crate) fn wrong(&self, key: &str, found: &Value, rule: &str) -> ConfigError {
        wrong(&self.full(key), found, rule)
    }

    fn full(&self, key: &str) -> String {
        let parents = self.parents.iter().flatten().copied();
        parents.chain([key]).collect::<Vec<_>>().join(".")
    }
}

fn wrong(key: &str, found: &Value, rule: &str) -> ConfigError {
    let mut found = found.to_string();
    if found.chars().count() > 80 {
        found = found.chars().take(77).collect::<String>() + "...";
    }
    ConfigError::Value { key: key.to_owned(), found, rule: rule.to_owned() }
}
