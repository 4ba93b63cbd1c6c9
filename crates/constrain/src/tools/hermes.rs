//! Hermes, and Qwen after it: each call between marks, with a line of its own.

use super::Syntax;

pub(super) const CLOSE: &str = "</tool_call>";

pub(super) const SYNTAX: Syntax = Syntax {
    marker: "<tool_call>",
    terminals: &[("close", CLOSE)],
    one: r#""\n" call "\n" close"#,
    many: r#""\n" call "\n" close ("\n" marker "\n" call "\n" close)*"#,
    before: r#""{\"name\": \"NAME\", \"arguments\": ""#,
    behind: r#""}""#,
    bare: None,
};
