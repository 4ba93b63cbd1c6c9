//! YAML text to a tree in which every key and value knows where it was written.
//!
//! Built on the events of `saphyr-parser`, which is maintained, passes the YAML 1.2 test suite and reports positions.
//! A deserialiser on top of it (`serde-saphyr`) stops at the first error and keeps no position per key, and
//! `marked-yaml` knows no aliases; this tree is small because it needs no types: the setting that reads a scalar
//! decides what its text may be, so `split: no` is a string and `1e-5` a number.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span, StrInput};
use serde_json::Value;

use super::error::{Place, Problem};

/// Deeper nesting than this is no configuration, and would end in a stack overflow.
const DEPTH_MAX: usize = 32;
/// Aliases can make a small file expand without bound; a tree of more nodes than this is refused.
const NODES_MAX: usize = 10_000;

/// A value and where it was written.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) place: Place,
    pub(crate) kind: Kind,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Scalar { text: String, quoted: bool },
    List(Vec<Node>),
    Map(Vec<Entry>),
}

/// A key of a map with its value.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) place: Place,
    pub(crate) value: Node,
}

impl Node {
    pub(crate) fn null(place: Place) -> Self {
        Self { place, kind: Kind::Scalar { text: String::new(), quoted: false } }
    }

    /// A value that stands as plain text at `place`.
    pub(crate) fn scalar(place: Place, text: impl ToString) -> Self {
        Self { place, kind: Kind::Scalar { text: text.to_string(), quoted: false } }
    }

    /// The tree of a value, all of it at `place`.
    pub(crate) fn of_json(value: &Value, place: Place) -> Self {
        let kind = match value {
            Value::String(text) => Kind::Scalar { text: text.clone(), quoted: true },
            Value::Array(items) => Kind::List(items.iter().map(|item| Self::of_json(item, place)).collect()),
            Value::Object(map) => Kind::Map(
                map.iter()
                    .map(|(key, value)| Entry { key: key.clone(), place, value: Self::of_json(value, place) })
                    .collect(),
            ),
            other => Kind::Scalar { text: other.to_string(), quoted: false },
        };
        Self { place, kind }
    }

    /// The entries of a map; none of anything else.
    pub(crate) fn entries(&self) -> &[Entry] {
        if let Kind::Map(entries) = &self.kind { entries } else { &[] }
    }

    /// The items of a list; of anything else itself, as other tools read lists of one.
    pub(crate) fn items(&self) -> &[Node] {
        if let Kind::List(items) = &self.kind { items } else { std::slice::from_ref(self) }
    }

    /// The number that this is, with or without underscores between its digits.
    pub(crate) fn number(&self) -> Option<f64> {
        match &self.kind {
            Kind::Scalar { text, quoted: false } => plain_scalar(&text.replace('_', "")).as_f64(),
            _ => None,
        }
    }

    /// Whether this is the boolean `value`.
    pub(crate) fn is(&self, value: bool) -> bool {
        self.to_json() == Value::Bool(value)
    }

    /// The text of a scalar that is not null.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar { text, .. } if !self.is_null() => Some(text),
            _ => None,
        }
    }

    /// Whether this is YAML's null, which for every key means "not set".
    pub(crate) fn is_null(&self) -> bool {
        matches!(&self.kind, Kind::Scalar { text, quoted: false } if is_null(text))
    }

    /// The entry of a map, or none where this is no map or has no such key.
    pub(crate) fn entry(&self, key: &str) -> Option<&Entry> {
        match &self.kind {
            Kind::Map(entries) => entries.iter().find(|entry| entry.key == key),
            _ => None,
        }
    }

    /// The value at a path of keys and list positions.
    pub(crate) fn at(&self, path: &str) -> Option<&Node> {
        path.split('.').try_fold(self, |node, part| match &node.kind {
            Kind::Map(_) => node.entry(part).map(|entry| &entry.value),
            Kind::List(items) => items.get(part.parse::<usize>().ok()?),
            Kind::Scalar { .. } => None,
        })
    }

    /// The value as an error message names it.
    pub(crate) fn found(&self) -> String {
        match &self.kind {
            Kind::Scalar { quoted: true, text } => format!("the string {text:?}"),
            Kind::Scalar { .. } if self.is_null() => "nothing".to_owned(),
            Kind::Scalar { text, .. } => format!("`{text}`"),
            Kind::List(items) if items.is_empty() => "an empty list".to_owned(),
            Kind::List(_) => "a list".to_owned(),
            Kind::Map(_) => "a map".to_owned(),
        }
    }

    /// The value under YAML 1.2's core schema, for keys whose content is not ours to type.
    pub(crate) fn to_json(&self) -> Value {
        match &self.kind {
            Kind::Scalar { text, quoted: true } => Value::from(text.as_str()),
            Kind::Scalar { text, quoted: false } => plain_scalar(text),
            Kind::List(items) => items.iter().map(Node::to_json).collect(),
            Kind::Map(entries) => entries.iter().map(|entry| (entry.key.clone(), entry.value.to_json())).collect(),
        }
    }
}

/// What an unquoted scalar is under the core schema: null, boolean, integer, float, else string.
pub(crate) fn plain_scalar(text: &str) -> Value {
    match text {
        _ if is_null(text) => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ if !text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first)) => Value::from(text),
        _ => {
            let integer = text.parse::<i64>().map(Value::from).or_else(|_| text.parse::<u64>().map(Value::from));
            integer.unwrap_or_else(|_| match text.parse::<f64>() {
                Ok(number) if number.is_finite() => Value::from(number),
                _ => Value::from(text),
            })
        }
    }
}

fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

/// Reads one YAML document, numbering lines from 1.
pub(crate) fn parse_file(text: &str) -> Result<Node, Problem> {
    Reader::new(text, |span| Place::Line(span.start.line())).document()
}

/// Reads the value of a `key=value` argument.
pub(crate) fn parse_argument(text: &str) -> Result<Node, Problem> {
    Reader::new(text, |_| Place::CommandLine).document()
}

struct Reader<'text> {
    events: Parser<'text, StrInput<'text>>,
    place: fn(Span) -> Place,
    anchors: HashMap<usize, (Node, usize)>,
    nodes: usize,
    last: Place,
}

impl<'text> Reader<'text> {
    fn new(text: &'text str, place: fn(Span) -> Place) -> Self {
        let last = place(Span::default());
        Self { events: Parser::new_from_str(text), place, anchors: HashMap::new(), nodes: 0, last }
    }

    fn document(mut self) -> Result<Node, Problem> {
        let mut root = None;
        loop {
            match self.next()? {
                (Event::StreamEnd, _) => break,
                (Event::StreamStart | Event::DocumentEnd | Event::Nothing, _) => {}
                (Event::DocumentStart(_), place) if root.is_some() => {
                    return Err(problem(place, "a second YAML document starts here; a configuration is one document"));
                }
                (Event::DocumentStart(_), _) => {
                    let (event, place) = self.next()?;
                    root = Some(self.node(event, place, 0)?);
                }
                (_, place) => return Err(problem(place, "YAML content outside a document")),
            }
        }
        Ok(root.unwrap_or_else(|| Node::null(self.last)))
    }

    fn next(&mut self) -> Result<(Event<'text>, Place), Problem> {
        match self.events.next_event() {
            Some(Ok((event, span))) => {
                self.last = (self.place)(span);
                Ok((event, self.last))
            }
            Some(Err(error)) => Err(self.not_yaml(&error)),
            None => Ok((Event::StreamEnd, self.last)),
        }
    }

    fn not_yaml(&self, error: &ScanError) -> Problem {
        let place = (self.place)(Span::empty(*error.marker()));
        problem(place, &format!("this is not YAML: {}", error.info()))
    }

    /// The node that `event` begins, read to its end.
    fn node(&mut self, event: Event<'text>, place: Place, depth: usize) -> Result<Node, Problem> {
        if depth > DEPTH_MAX {
            return Err(problem(place, &format!("nested deeper than {DEPTH_MAX} levels")));
        }
        let before = self.nodes;
        self.count(1, place)?;
        let (anchor, kind) = match event {
            Event::Scalar(text, style, anchor, _) => {
                (anchor, Kind::Scalar { text: text.into_owned(), quoted: style != ScalarStyle::Plain })
            }
            Event::SequenceStart(anchor, _) => (anchor, self.list(depth)?),
            Event::MappingStart(anchor, _) => (anchor, self.map(depth)?),
            Event::Alias(anchor) => return self.alias(anchor, place),
            other => {
                return Err(problem(place, &format!("expected a value, and YAML gave {other:?}")));
            }
        };
        let node = Node { place, kind };
        if anchor != 0 {
            self.anchors.insert(anchor, (node.clone(), self.nodes - before));
        }
        Ok(node)
    }

    fn alias(&mut self, anchor: usize, place: Place) -> Result<Node, Problem> {
        let Some((node, nodes)) = self.anchors.get(&anchor).cloned() else {
            return Err(problem(place, "this alias stands inside the value it refers to"));
        };
        self.count(nodes, place)?;
        Ok(Node { place, ..node })
    }

    fn count(&mut self, nodes: usize, place: Place) -> Result<(), Problem> {
        self.nodes += nodes;
        match self.nodes <= NODES_MAX {
            true => Ok(()),
            false => Err(problem(place, &format!("more than {NODES_MAX} values, counting those that aliases repeat"))),
        }
    }

    fn list(&mut self, depth: usize) -> Result<Kind, Problem> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(Kind::List(items)),
                (event, place) => items.push(self.node(event, place, depth + 1)?),
            }
        }
    }

    fn map(&mut self, depth: usize) -> Result<Kind, Problem> {
        let mut entries: Vec<Entry> = Vec::new();
        loop {
            let (key, place) = match self.next()? {
                (Event::MappingEnd, _) => return Ok(Kind::Map(entries)),
                (Event::Scalar(key, ..), place) => (key.into_owned(), place),
                (_, place) => {
                    return Err(problem(place, "a key must be a plain word, not a list, a map or an alias"));
                }
            };
            if let Some(first) = entries.iter().find(|entry| entry.key == key) {
                let line = if let Place::Line(line) = first.place { format!(" on line {line}") } else { String::new() };
                return Err(problem(place, &format!("`{key}` is given twice, first{line}; remove one of them")));
            }
            let (event, value_place) = self.next()?;
            let mut value = self.node(event, value_place, depth + 1)?;
            if value.is_null() {
                // YAML puts an empty value where the next token starts, which may be lines below its key.
                value.place = place;
            }
            entries.push(Entry { key, place, value });
        }
    }
}

fn problem(place: Place, message: &str) -> Problem {
    Problem { place, message: message.to_owned() }
}
