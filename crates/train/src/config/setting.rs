//! What a key's value may be. A type that implements [`Setting`] is read, written and explained in one place, so that
//! the parser, the error messages and the reference say the same.

use std::path::PathBuf;

use serde_json::Value;

use super::error::{Place, Problems};
use super::source::{Kind, Node};
use super::{emit, foreign, spelling};

/// The numbers that a key takes. A list with a bound must not be empty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Bound {
    /// No bound beyond the type's.
    Any,
    /// Greater than this.
    Above(f64),
    /// This or greater.
    AtLeast(f64),
    /// From the first to the second, both included.
    Within(f64, f64),
    /// From the first to the second, the second excluded.
    Below(f64, f64),
}

impl Bound {
    fn holds(self, number: f64) -> bool {
        match self {
            Bound::Any => true,
            Bound::Above(low) => number > low,
            Bound::AtLeast(low) => number >= low,
            Bound::Within(low, high) => (low..=high).contains(&number),
            Bound::Below(low, high) => (low..high).contains(&number),
        }
    }

    /// The words that follow "a number".
    fn phrase(self) -> String {
        match self {
            Bound::Any => String::new(),
            Bound::Above(low) => format!(" above {low}"),
            Bound::AtLeast(low) => format!(" of at least {low}"),
            Bound::Within(low, high) => format!(" from {low} to {high}"),
            Bound::Below(low, high) => format!(" of at least {low} and below {high}"),
        }
    }
}

/// A type that the value of a key can have.
pub(crate) trait Setting: Sized {
    /// The accepted values as a noun phrase: "a whole number of at least 1".
    fn accepts(bound: Bound) -> String;

    /// The value of `node`, which stands at the key `at`; none once `problems` says why not.
    fn read(node: &Node, bound: Bound, at: &str, problems: &mut Problems) -> Option<Self>;

    /// The value as it is written, such that [`Setting::read`] gives it back.
    fn write(&self) -> Value;

    /// What the reference says below the key, where one line does not do.
    fn details() -> Details {
        Details::None
    }

    /// Any value, while the rest of a configuration is checked whose value cannot be read; none where that needs more thought
    /// than it helps.
    fn stand_in() -> Option<Self> {
        None
    }
}

/// The part of the reference that a type brings along.
pub(crate) enum Details {
    None,
    /// Each accepted word with its meaning.
    Choices(Vec<(&'static str, String)>),
    /// The keys of a nested map.
    Keys(Vec<Group>),
}

/// Keys that belong together, under one heading.
pub(crate) struct Group {
    pub(crate) title: &'static str,
    pub(crate) keys: Vec<KeyInfo>,
}

/// One key as the reference shows it.
pub(crate) struct KeyInfo {
    pub(crate) key: &'static str,
    pub(crate) doc: String,
    pub(crate) accepts: String,
    /// None for a key that must be given.
    pub(crate) default: Option<Value>,
    pub(crate) details: Details,
    /// How a value that stands at the named place is written, if it is one of the key's; says why not.
    pub(crate) rewrite: Rewrite,
}

type Rewrite = Box<dyn Fn(&Node, &str, &mut Problems) -> Option<Value>>;

impl KeyInfo {
    pub(crate) fn new<T: Setting>(key: &'static str, doc: &[&str], default: Option<T>, bound: Bound) -> Self {
        Self {
            key,
            doc: sentence(doc),
            accepts: T::accepts(bound),
            default: default.map(|value| value.write()),
            details: T::details(),
            rewrite: Box::new(move |node, at, problems| {
                let value = T::read(node, bound, at, problems)?;
                problems.is_empty().then(|| value.write())
            }),
        }
    }
}

/// The lines of a doc comment as one paragraph.
pub(crate) fn sentence(lines: &[&str]) -> String {
    lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}

/// The key as it is written: `type` is a field named `r#type`.
pub(crate) fn key_name(field: &'static str) -> &'static str {
    field.strip_prefix("r#").unwrap_or(field)
}

/// The keys of a map while they are read.
pub(crate) struct Keys<'a> {
    node: &'a Node,
    at: &'a str,
    problems: &'a mut Problems,
}

impl<'a> Keys<'a> {
    /// Refuses what is no map, and reports each key that is not in `known` or has keys of another tool, unless these say nothing.
    pub(crate) fn open(
        node: &'a Node,
        at: &'a str,
        known: &[&'static str],
        problems: &'a mut Problems,
    ) -> Option<Self> {
        let entries = match &node.kind {
            Kind::Map(entries) => entries.as_slice(),
            Kind::Scalar { .. } if node.is_null() && at.is_empty() => &[],
            _ => {
                let what = if at.is_empty() { "a configuration".to_owned() } else { format!("`{at}`") };
                problems.add(node.place, format!("{what} must be a map of keys to values; found {}", node.found()));
                return None;
            }
        };
        for entry in entries {
            let path = join(at, &entry.key);
            let is_known = known.contains(&entry.key.as_str());
            if is_known && !foreign::has_foreign_keys(&path, &entry.value) || foreign::is_idle(&path, &entry.value) {
                continue;
            }
            problems.stand_in(path.clone());
            if foreign::report(&path, entry, problems) {
                continue;
            }
            let meant = SYNONYMS.into_iter().find(|(other, _)| *other == path).map(|(_, own)| own);
            let hint = match meant.or_else(|| spelling::nearest(&entry.key, known.iter().copied())) {
                Some(near) => {
                    problems.stand_in(join(at, near));
                    format!("did you mean `{near}`?")
                }
                None if at.is_empty() => "`finery config reference` lists them all".to_owned(),
                None => format!("`{at}` accepts {}", spelling::alternatives(known.iter().copied())),
            };
            problems.add(entry.place, format!("`{path}` is not a key; {hint}"));
        }
        Some(Self { node, at, problems })
    }

    /// The value of `key`. Null counts as not given, and then the default holds. For a value that was refused the default
    /// stands in, or any value of the type, so that what depends on other keys can still be checked.
    pub(crate) fn take<T: Setting>(&mut self, key: &'static str, default: Option<T>, bound: Bound) -> Option<T> {
        let at = join(self.at, key);
        let value = match self.node.entry(key).filter(|entry| !entry.value.is_null()) {
            Some(entry) if foreign::has_foreign_keys(&at, &entry.value) => None,
            Some(entry) => T::read(&entry.value, bound, &at, self.problems),
            None if default.is_some() => return default,
            None => {
                // Else it was given under another name.
                if self.problems.is_sound(&at) {
                    let place = if self.at.is_empty() { Place::File } else { self.node.place };
                    self.problems.add(place, format!("`{at}` is missing; it must be {}", T::accepts(bound)));
                }
                None
            }
        };
        value.or_else(|| {
            self.problems.stand_in(at);
            default.or_else(T::stand_in)
        })
    }
}

/// What the field calls keys of ours too, and by their letters would be taken for others.
const SYNONYMS: [(&str, &str); 1] = [("mesh.tp", "mp")];

fn join(at: &str, key: &str) -> String {
    if at.is_empty() { key.to_owned() } else { format!("{at}.{key}") }
}

/// A value that is one word or number in the file.
pub(crate) trait Scalar: Sized {
    /// As [`Setting::accepts`].
    fn noun(bound: Bound) -> String;
    /// The value of a scalar's text, `quoted` if it stood in quotes or in a block.
    fn parse(text: &str, quoted: bool) -> Option<Self>;
    /// Whether the bound that the key sets holds.
    fn within(&self, _: Bound) -> bool {
        true
    }
    /// As [`Setting::write`].
    fn value(&self) -> Value;
    /// As [`Setting::details`].
    fn choices() -> Vec<(&'static str, String)> {
        Vec::new()
    }
    /// As [`Setting::stand_in`].
    fn stand_in() -> Option<Self> {
        None
    }
}

impl<T: Scalar> Setting for T {
    fn accepts(bound: Bound) -> String {
        T::noun(bound)
    }

    fn read(node: &Node, bound: Bound, at: &str, problems: &mut Problems) -> Option<Self> {
        let parsed = match &node.kind {
            Kind::Scalar { text, quoted } => T::parse(text, *quoted).filter(|value| value.within(bound)),
            _ => None,
        };
        if parsed.is_none() {
            refuse(node, &T::accepts(bound), T::choices().iter().map(|(word, _)| *word), at, problems);
        }
        parsed
    }

    fn write(&self) -> Value {
        self.value()
    }

    fn details() -> Details {
        let choices = T::choices();
        if choices.is_empty() { Details::None } else { Details::Choices(choices) }
    }

    fn stand_in() -> Option<Self> {
        <T as Scalar>::stand_in()
    }
}

/// A scalar that stands outside of a configuration.
pub(crate) fn parse<T: Scalar>(text: &str) -> Result<T, String> {
    T::parse(text, false).ok_or_else(|| format!("it must be {}", T::noun(Bound::Any)))
}

/// Says that `node` is not what `at` accepts, with the nearest of `words`.
pub(crate) fn refuse<'a>(
    node: &Node,
    accepts: &str,
    words: impl IntoIterator<Item = &'a str>,
    at: &str,
    problems: &mut Problems,
) {
    let text = match &node.kind {
        Kind::Scalar { text, .. } => Some(text),
        _ => None,
    };
    let answer = text.and_then(|text| foreign::answer_to_value(at, text)).map(|answer| format!("; {answer}"));
    let near = || text.and_then(|text| spelling::nearest(text, words).filter(|near| near != text));
    let hint = answer.or_else(|| near().map(|near| format!("; did you mean `{near}`?"))).unwrap_or_default();
    problems.add(node.place, format!("`{at}` must be {accepts}; found {}{hint}", node.found()));
}

impl Scalar for bool {
    fn noun(_: Bound) -> String {
        "`true` or `false`".to_owned()
    }

    fn parse(text: &str, quoted: bool) -> Option<Self> {
        match text {
            _ if quoted => None,
            "true" | "True" | "TRUE" => Some(true),
            "false" | "False" | "FALSE" => Some(false),
            _ => None,
        }
    }

    fn value(&self) -> Value {
        Value::from(*self)
    }
}

impl Scalar for u64 {
    fn noun(bound: Bound) -> String {
        format!("a whole number{}", bound.phrase())
    }

    fn parse(text: &str, quoted: bool) -> Option<Self> {
        let digits = text.replace('_', "");
        if quoted { None } else { digits.parse().ok() }
    }

    fn within(&self, bound: Bound) -> bool {
        bound.holds(*self as f64)
    }

    fn value(&self) -> Value {
        Value::from(*self)
    }
}

impl Scalar for f64 {
    fn stand_in() -> Option<Self> {
        Some(1.0)
    }

    fn noun(bound: Bound) -> String {
        format!("a number{}", bound.phrase())
    }

    fn parse(text: &str, quoted: bool) -> Option<Self> {
        let number = text.replace('_', "").parse().ok()?;
        if quoted { None } else { Some(number).filter(|number: &f64| number.is_finite()) }
    }

    fn within(&self, bound: Bound) -> bool {
        bound.holds(*self)
    }

    fn value(&self) -> Value {
        Value::from(*self)
    }
}

impl Scalar for String {
    fn noun(_: Bound) -> String {
        "text".to_owned()
    }

    fn parse(text: &str, _: bool) -> Option<Self> {
        Some(text.to_owned())
    }

    fn value(&self) -> Value {
        Value::from(self.as_str())
    }
}

impl Scalar for PathBuf {
    fn stand_in() -> Option<Self> {
        Some(PathBuf::new())
    }

    fn noun(_: Bound) -> String {
        "a path".to_owned()
    }

    fn parse(text: &str, quoted: bool) -> Option<Self> {
        // `resume_from_checkpoint: false` means something to other tools, and a file of that name is never meant.
        if bool::parse(text, quoted).is_some() {
            return None;
        }
        let path = match text.strip_prefix('~') {
            // The shell leaves it alone in `output_dir=~/x`, and a folder called `~` is never meant.
            Some(rest) if rest.is_empty() || rest.starts_with('/') => {
                std::env::home_dir()?.join(rest.trim_start_matches('/'))
            }
            _ => PathBuf::from(text),
        };
        Some(path).filter(|path| !path.as_os_str().is_empty())
    }

    fn value(&self) -> Value {
        Value::from(self.to_string_lossy())
    }
}

impl<T: Setting> Setting for Option<T> {
    fn accepts(bound: Bound) -> String {
        T::accepts(bound)
    }

    fn read(node: &Node, bound: Bound, at: &str, problems: &mut Problems) -> Option<Self> {
        T::read(node, bound, at, problems).map(Some)
    }

    fn write(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::write)
    }

    fn details() -> Details {
        T::details()
    }
}

impl<T: Setting> Setting for Vec<T> {
    fn stand_in() -> Option<Self> {
        Some(Vec::new())
    }

    fn accepts(bound: Bound) -> String {
        match bound {
            Bound::Any => "a list".to_owned(),
            _ => "a list with at least one item".to_owned(),
        }
    }

    fn read(node: &Node, bound: Bound, at: &str, problems: &mut Problems) -> Option<Self> {
        let items = match &node.kind {
            Kind::List(items) if bound == Bound::Any || !items.is_empty() => items,
            _ => {
                refuse(node, &Self::accepts(bound), [], at, problems);
                return None;
            }
        };
        let read =
            items.iter().enumerate().map(|(index, item)| T::read(item, Bound::Any, &format!("{at}.{index}"), problems));
        // Collected first, so that a bad item does not hide the problems of those after it.
        read.collect::<Vec<_>>().into_iter().collect()
    }

    fn write(&self) -> Value {
        self.iter().map(T::write).collect()
    }

    fn details() -> Details {
        T::details()
    }
}

/// The default of a key as the reference shows it.
pub(crate) fn shown(default: &Option<Value>) -> String {
    match default {
        None => "required".to_owned(),
        Some(Value::Null) => "not set by default".to_owned(),
        Some(value) => format!("default `{}`", emit::inline(value)),
    }
}
