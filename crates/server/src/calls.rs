//! What an answer says and what it calls, told apart.

use api::{CalledFunction, ToolCall, ToolCallDelta, ToolCallPiece};
use constrain::{ToolDelta, ToolEnd, ToolFormat, ToolParser, Tools};
use data::Tokenizer;

use crate::app::fresh_id;

/// An answer's text, which may have calls of tools in it.
#[derive(Debug)]
pub(crate) struct Speech {
    /// `None`: all is text.
    parser: Option<(ToolParser, ToolFormat)>,
}

/// What a piece of an answer brings, in its order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Said {
    Text(String),
    Call(ToolCallDelta),
}

impl Speech {
    /// That of an answer that may have calls of these tools in it.
    pub(crate) fn new(tools: Option<&Tools>, tokenizer: &Tokenizer) -> Speech {
        Speech { parser: tools.map(|tools| (ToolParser::new(tools, tokenizer), tools.format)) }
    }

    /// Takes the next piece of text.
    pub(crate) fn push(&mut self, text: String) -> Vec<Said> {
        match &mut self.parser {
            None if text.is_empty() => Vec::new(),
            None => vec![Said::Text(text)],
            Some((parser, format)) => parser.push(&text).into_iter().map(|delta| said(delta, *format)).collect(),
        }
    }

    /// What was held back at the end, and why the answer ended: `finish` is why its tokens did.
    pub(crate) fn finish(&mut self, finish: &'static str) -> (Vec<Said>, &'static str) {
        let Some((parser, format)) = self.parser.take() else { return (Vec::new(), finish) };
        let (deltas, end) = parser.finish(finish == "length");
        let finish = match end {
            ToolEnd::Text => finish,
            // A stop string in a call, or before one that has to come, cuts it as much as the number of tokens does.
            ToolEnd::Cut => "length",
            ToolEnd::Calls(_) if finish == "stop" => "tool_calls",
            ToolEnd::Calls(_) => finish,
        };
        (deltas.into_iter().map(|delta| said(delta, format)).collect(), finish)
    }
}

fn said(delta: ToolDelta, format: ToolFormat) -> Said {
    match delta {
        ToolDelta::Content(text) => Said::Text(text),
        ToolDelta::Call { index, name } => Said::Call(ToolCallDelta {
            index,
            id: Some(call_id(format)),
            kind: Some("function"),
            function: ToolCallPiece { name: Some(name), arguments: String::new() },
        }),
        ToolDelta::Arguments { index, fragment } => Said::Call(ToolCallDelta {
            index,
            id: None,
            kind: None,
            function: ToolCallPiece { name: None, arguments: fragment },
        }),
    }
}

/// A call's name, by which its result comes back. Mistral's templates take none but nine letters and digits.
fn call_id(format: ToolFormat) -> String {
    match format {
        ToolFormat::Hermes | ToolFormat::Llama => fresh_id("call_"),
        ToolFormat::MistralList | ToolFormat::MistralArgs | ToolFormat::MistralIdArgs => {
            fresh_id("").chars().take(9).collect()
        }
    }
}

/// The text and the calls of an answer that is told as a whole. They are put together as they come: a token's piece by itself takes a hundred bytes beside its text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Spoken {
    pub(crate) text: String,
    pub(crate) calls: Vec<ToolCall>,
}

impl Spoken {
    /// Takes what is next.
    pub(crate) fn add(&mut self, said: Said) {
        match said {
            Said::Text(more) => self.text.push_str(&more),
            Said::Call(ToolCallDelta { id: Some(id), function, .. }) => self.calls.push(ToolCall {
                id,
                kind: "function",
                function: CalledFunction { name: function.name.unwrap_or_default(), arguments: function.arguments },
            }),
            Said::Call(more) => {
                if let Some(call) = self.calls.get_mut(more.index) {
                    call.function.arguments.push_str(&more.function.arguments);
                }
            }
        }
    }
}
