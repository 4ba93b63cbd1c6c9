//! Llama 3.1 and later: a call stands in place of text. Its own tools come behind `<|python_tag|>`, and others may. The format has one call
//! for a turn; several are written with semicolons between them, as vLLM reads them. A call may begin with its type.

use super::Syntax;

pub(super) const SYNTAX: Syntax = Syntax {
    marker: "<|python_tag|>",
    terminals: &[],
    one: "call",
    many: r#"call ("; " call)*"#,
    // Each is one string: by itself, `{` would be taken for text, which may begin so too.
    before: r#"("{\"name\": \"NAME\", \"parameters\": " | "{\"type\": \"function\", \"name\": \"NAME\", \"parameters\": ")"#,
    behind: r#""}""#,
    bare: Some(r#"[ \t\r\n]*\{[ \t\r\n]*("type"[ \t\r\n]*:[ \t\r\n]*"function"[ \t\r\n]*,[ \t\r\n]*)?"name""#),
};
