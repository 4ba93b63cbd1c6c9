//! Mistral: a list of calls behind a mark, and in newer tokenizers a mark for each call, which some write with an id.

use super::Syntax;

/// Before the arguments.
pub(super) const ARGS_MARK: &str = "[ARGS]";

/// Between a name and its id.
pub(super) const ID_MARK: &str = "[CALL_ID]";

/// Letters and digits of an id; the templates take no other.
pub(super) const ID_LENGTH: usize = 9;

pub(super) const LIST: Syntax = Syntax {
    marker: "[TOOL_CALLS]",
    terminals: &[],
    one: r#"(" [" | "[") call "]""#,
    many: r#"(" [" | "[") call (", " call)* "]""#,
    before: r#""{\"name\": \"NAME\", \"arguments\": ""#,
    behind: r#""}""#,
    bare: None,
};

pub(super) const ARGS: Syntax = Syntax {
    marker: "[TOOL_CALLS]",
    terminals: &[("args_mark", ARGS_MARK)],
    one: "call",
    many: "call (marker call)*",
    before: r#""NAME" args_mark"#,
    behind: "",
    bare: None,
};

pub(super) const ID_ARGS: Syntax = Syntax {
    marker: "[TOOL_CALLS]",
    terminals: &[("id_mark", ID_MARK), ("args_mark", ARGS_MARK)],
    one: "call",
    many: "call (marker call)*",
    before: r#""NAME" id_mark /[a-zA-Z0-9]{9}/ args_mark"#,
    behind: "",
    bare: None,
};
