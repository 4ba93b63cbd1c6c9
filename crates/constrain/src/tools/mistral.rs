//! Mistral: a list of calls behind a mark, and in newer tokenizers a mark for each call.

use super::Syntax;

/// Between a name and its arguments.
pub(super) const ARGS_MARK: &str = "[ARGS]";

pub(super) const LIST: Syntax = Syntax {
    marker: "[TOOL_CALLS]",
    terminals: &[],
    one: r#"(" [" | "[") call "]""#,
    many: r#"(" [" | "[") call (", " call)* "]""#,
    before: r#"{\"name\": NAME, \"arguments\": "#,
    behind: r#""}""#,
    bare: None,
};

pub(super) const ARGS: Syntax = Syntax {
    marker: "[TOOL_CALLS]",
    terminals: &[("args_mark", ARGS_MARK)],
    one: "call",
    many: "call (marker call)*",
    before: "",
    behind: "",
    bare: None,
};
