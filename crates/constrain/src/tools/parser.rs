//! Calls read while they are written.

use data::Tokenizer;
use serde_json::Value as Json;

use super::scan::{self, Growing, Header, Progress, Value};
use super::{SPACE, ToolChoice, ToolFormat, Tools, hermes};

/// What a piece of text brings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolDelta {
    /// Text for the reader.
    Content(String),
    /// A call begins.
    Call {
        /// Its number, from 0.
        index: usize,
        /// What is called.
        name: String,
    },
    /// More of a call's arguments, which are JSON when put together.
    Arguments {
        /// The call's number.
        index: usize,
        /// What follows what came before.
        fragment: String,
    },
}

/// What a text has turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolEnd {
    /// Nothing was called.
    Text,
    /// So many calls, all with their arguments to the end.
    Calls(usize),
    /// The text ends within a call, or before one that has to come.
    Cut,
}

/// Tells text from calls in what a model writes, piece by piece, wherever pieces end.
///
/// The text has to show special tokens, because marks may be some. What could become a mark or a call's beginning is held back until it is
/// known. What turns out not to be a call after all is content, as it stands; so is what follows a call and is not another one. Arguments are
/// handed on as they come; that they are JSON and fit the schema is the constraint's to see to. A call of what is not among the tools is content.
#[derive(Clone, Debug)]
pub struct ToolParser {
    format: ToolFormat,
    /// What may be called.
    names: Vec<String>,
    /// Whether all is calls, and nothing is text.
    has_to_call: bool,
    /// Whether the mark is one token, so that a part of its letters is text.
    is_mark_whole: bool,
    state: State,
    /// What has come and is not told yet. Within a call's beginning it starts with the mark.
    pending: String,
    calls: usize,
}

#[derive(Clone, Debug)]
enum State {
    /// Nothing but white space has come; a call may stand in place of text.
    Start,
    /// Text.
    Text,
    /// A call begins, behind so many bytes of marks.
    Header {
        marks: usize,
        progress: Progress,
    },
    /// What begins as a call and is not written as usual, up to its end.
    Unusual {
        marks: usize,
        /// Bytes behind the marks in which its end does not begin.
        searched: usize,
        value: Growing,
    },
    Arguments(Value),
    /// Behind the arguments, within the object around them.
    Closing(Growing),
    /// Behind the object of a call.
    Closed,
    /// Behind a call; another may follow.
    Between,
}

impl State {
    fn header(marks: usize) -> State {
        State::Header { marks, progress: Progress::default() }
    }
}

impl ToolParser {
    /// Before the first piece of an answer that may call these tools, in tokens of `tokenizer`.
    pub fn new(tools: &Tools, tokenizer: &Tokenizer) -> ToolParser {
        let mark = tokenizer.token_to_id(tools.format.syntax().marker);
        ToolParser {
            format: tools.format,
            names: tools.tools.iter().map(|tool| tool.name.clone()).collect(),
            has_to_call: tools.choice != ToolChoice::Auto,
            is_mark_whole: mark.is_some_and(|id| tokenizer.is_special(id)),
            state: State::Start,
            pending: String::new(),
            calls: 0,
        }
    }

    /// Takes the next piece; often nothing is known of it yet.
    pub fn push(&mut self, piece: &str) -> Vec<ToolDelta> {
        self.pending.push_str(piece);
        let mut deltas = Vec::new();
        // White space tells nothing there, and what is held back would be read again with each piece of it.
        let tells_nothing =
            matches!(self.state, State::Start) && piece.chars().all(|character| SPACE.contains(&character));
        if !tells_nothing {
            while self.step(&mut deltas) {}
        }
        deltas
    }

    /// The end of the text: what is still held back, and what it all was. `is_cut` says that more would have come.
    ///
    /// The beginning of a call is nobody's text: a client would show its marks to a reader. Of a cut text's end that is so where a letter of the mark has come;
    /// a bracket alone is as likely one of the text.
    pub fn finish(mut self, is_cut: bool) -> (Vec<ToolDelta>, ToolEnd) {
        let mut deltas = Vec::new();
        while self.step(&mut deltas) {}
        let mut in_call = false;
        match self.state {
            State::Header { marks, .. } | State::Unusual { marks, .. } => {
                if self.read_whole(marks, self.pending.len(), &mut deltas) {
                    self.pending.clear();
                } else {
                    in_call = matches!(self.state, State::Header { .. }) && self.is_call(marks);
                }
            }
            State::Arguments(_) => in_call = true,
            State::Start | State::Text => {
                let is_begun = is_cut && !self.is_mark_whole && self.pending.contains(char::is_alphanumeric);
                in_call = self.has_to_call || is_begun;
            }
            State::Closing(_) | State::Closed | State::Between => self.pending.clear(),
        }
        let end = match self.calls {
            _ if in_call => ToolEnd::Cut,
            0 if self.has_to_call => ToolEnd::Cut,
            0 => ToolEnd::Text,
            calls => ToolEnd::Calls(calls),
        };
        if !in_call {
            self.content(self.pending.len(), &mut deltas);
        }
        (deltas, end)
    }

    /// Whether what is pending, and begins as calls do, can be nothing else: without a mark before it, or a call, JSON may have other keys.
    fn is_call(&self, marks: usize) -> bool {
        self.has_to_be_call(marks) || self.pending.contains("\"name\"")
    }

    /// Whether it is a call's beginning by what stands before it.
    fn has_to_be_call(&self, marks: usize) -> bool {
        marks > 0 || self.calls > 0 || self.has_to_call
    }

    /// Goes on as far as one state leads; false where it waits for more.
    fn step(&mut self, deltas: &mut Vec<ToolDelta>) -> bool {
        match &mut self.state {
            State::Start => self.start(),
            State::Text => self.text(deltas),
            State::Header { .. } => self.header(deltas),
            State::Unusual { .. } => self.unusual(deltas),
            State::Arguments(value) => {
                let end = value.take(&self.pending);
                let fragment: String = self.pending.drain(..end.unwrap_or(self.pending.len())).collect();
                if !fragment.is_empty() {
                    deltas.push(ToolDelta::Arguments { index: self.calls - 1, fragment });
                }
                if end.is_some() {
                    let is_bare = matches!(self.format, ToolFormat::MistralArgs | ToolFormat::MistralIdArgs);
                    self.state = if is_bare { State::Between } else { State::Closing(Growing::opened()) };
                }
                end.is_some()
            }
            State::Closing(_) => self.closing(),
            State::Closed => self.closed(),
            State::Between => self.between(),
        }
    }

    fn start(&mut self) -> bool {
        let text = self.pending.trim_start_matches(SPACE);
        if text.is_empty() {
            return false;
        }
        let bare = self.format == ToolFormat::Llama && text.starts_with('{');
        self.state = if bare { State::header(0) } else { State::Text };
        true
    }

    fn text(&mut self, deltas: &mut Vec<ToolDelta>) -> bool {
        let marker = self.format.syntax().marker;
        if let Some(at) = self.pending.find(marker) {
            self.content(at, deltas);
            self.state = State::header(marker.len());
            return true;
        }
        let held = scan::held_back(&self.pending, marker);
        self.content(self.pending.len() - held, deltas);
        false
    }

    fn header(&mut self, deltas: &mut Vec<ToolDelta>) -> bool {
        let State::Header { marks, .. } = self.state else { return false };
        let may_be_text = !self.has_to_be_call(marks);
        let State::Header { progress, .. } = &mut self.state else { return false };
        let text = &self.pending[marks..];
        let header = match self.format {
            ToolFormat::MistralArgs => scan::args_header(text, false, progress),
            ToolFormat::MistralIdArgs => scan::args_header(text, true, progress),
            ToolFormat::Hermes | ToolFormat::Llama => scan::object_header(text, false, may_be_text, progress),
            ToolFormat::MistralList => scan::object_header(text, marks > 0, may_be_text, progress),
        };
        match header {
            Header::More => false,
            Header::Begins { name, arguments_at } if self.names.contains(&name) => {
                self.pending.drain(..marks + arguments_at);
                deltas.push(ToolDelta::Call { index: self.calls, name });
                self.calls += 1;
                self.state = State::Arguments(Value::default());
                true
            }
            Header::No | Header::Begins { .. } => {
                // Without a mark it is some other JSON, or a brace in a text.
                self.state = match marks {
                    0 => State::Text,
                    _ => State::Unusual { marks, searched: 0, value: Growing::default() },
                };
                true
            }
        }
    }

    /// Reads what does not begin as usual at its end: where its mark closes it, or where its JSON ends.
    fn unusual(&mut self, deltas: &mut Vec<ToolDelta>) -> bool {
        let State::Unusual { marks, searched, value } = &mut self.state else { return false };
        let marks = *marks;
        let inside = &self.pending[marks..];
        let length = if self.format == ToolFormat::Hermes {
            let found = inside[*searched..].find(hermes::CLOSE).map(|at| *searched + at + hermes::CLOSE.len());
            *searched = inside.len() - scan::held_back(inside, hermes::CLOSE);
            found
        } else if value.has_begun() || inside.trim_start_matches(SPACE).starts_with(['{', '[']) {
            value.end(inside)
        } else {
            // It is text behind a mark.
            Some(0)
        };
        let Some(end) = length.map(|length| marks + length) else { return false };
        if self.read_whole(marks, end, deltas) {
            self.pending.drain(..end);
            self.state = State::Between;
        } else {
            self.content(end, deltas);
            self.state = State::Text;
        }
        true
    }

    /// Reads calls that are there in full, in any order of their members; false where they are none.
    fn read_whole(&mut self, marks: usize, end: usize, deltas: &mut Vec<ToolDelta>) -> bool {
        let text = self.pending[marks..end].trim_matches(SPACE);
        let Ok(json) = serde_json::from_str::<Json>(text.trim_end_matches(hermes::CLOSE)) else { return false };
        let objects = match json {
            Json::Array(objects) => objects,
            object => vec![object],
        };
        let read = |object: &Json| {
            let arguments = object.get("arguments").or_else(|| object.get("parameters"))?;
            let name = object.get("name")?.as_str().filter(|name| self.names.iter().any(|known| known == name))?;
            Some((name.to_owned(), arguments.is_object().then(|| arguments.to_string())?))
        };
        let Some(calls) = objects.iter().map(read).collect::<Option<Vec<_>>>().filter(|calls| !calls.is_empty()) else {
            return false;
        };
        for (name, fragment) in calls {
            deltas.push(ToolDelta::Call { index: self.calls, name });
            deltas.push(ToolDelta::Arguments { index: self.calls, fragment });
            self.calls += 1;
        }
        true
    }

    /// Leaves out what stands between the arguments and the end of the object around them: an `id`, white space.
    fn closing(&mut self) -> bool {
        self.skip_space();
        if self.pending.is_empty() {
            return false;
        }
        if !self.pending.starts_with(['}', ',']) {
            self.state = State::Between;
            return true;
        }
        let State::Closing(value) = &mut self.state else { return false };
        let Some(end) = value.end(&self.pending) else { return false };
        self.pending.drain(..end);
        self.state = State::Closed;
        true
    }

    /// Leaves out what closes a call, or goes on to the next in a list.
    fn closed(&mut self) -> bool {
        self.skip_space();
        let behind = self.pending.as_str();
        let next = match self.format {
            ToolFormat::Hermes if behind.starts_with(hermes::CLOSE) => Some((hermes::CLOSE.len(), State::Between)),
            ToolFormat::Hermes if hermes::CLOSE.starts_with(behind) => None,
            ToolFormat::MistralList if behind.is_empty() => None,
            ToolFormat::MistralList if behind.starts_with(']') => Some((1, State::Between)),
            ToolFormat::MistralList if behind.starts_with(',') => Some((1, State::header(0))),
            _ => Some((0, State::Between)),
        };
        let Some((length, state)) = next else { return false };
        self.pending.drain(..length);
        self.state = state;
        true
    }

    /// Another call, or text again. White space between calls is nobody's.
    fn between(&mut self) -> bool {
        let marker = self.format.syntax().marker;
        let is_llama = self.format == ToolFormat::Llama;
        let is_between = |character: char| SPACE.contains(&character) || is_llama && [';', ','].contains(&character);
        let behind = self.pending.trim_start_matches(is_between);
        self.pending.drain(..self.pending.len() - behind.len());
        if marker.starts_with(self.pending.as_str()) && self.pending != marker {
            return false;
        }
        self.state = if self.pending.starts_with(marker) {
            State::header(marker.len())
        } else if is_llama && self.pending.starts_with('{') {
            State::header(0)
        } else {
            State::Text
        };
        true
    }

    /// Leaves out white space that is nobody's; kept, it would be passed over again with each piece.
    fn skip_space(&mut self) {
        let behind = self.pending.trim_start_matches(SPACE);
        self.pending.drain(..self.pending.len() - behind.len());
    }

    /// Tells the first bytes of what is pending as text.
    fn content(&mut self, length: usize, deltas: &mut Vec<ToolDelta>) {
        if length > 0 {
            deltas.push(ToolDelta::Content(self.pending.drain(..length).collect()));
        }
    }
}
